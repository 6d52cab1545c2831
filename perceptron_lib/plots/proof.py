"""Runs and the proof of the mistake bound: the vectors of an update, and how far w has come.

A run in more than two dimensions is drawn in the plane of the vectors in question, with their true
lengths and angles.
"""

import math
from itertools import pairwise

import numpy as np
from matplotlib.ticker import NullLocator

from perceptron_lib import checks
from perceptron_lib.bounds import margin2, radius2
from perceptron_lib.claims import mistake_bound
from perceptron_lib.plots import parts, style
from perceptron_lib.plots.style import AID, BOUND, CLASSES, GREEN, GREY, INK, PURPLE, U, W
from perceptron_lib.separability import separate
from perceptron_lib.show import as_float, count, equals, number, numbers

COORDINATES = ("first coordinate", "second coordinate")


def separator(run, u):
    """u/||u|| and γ² for a u that separates the examples of a run."""
    u = checks.fractions(u, run.X.shape[1])
    gamma2 = margin2(run.X, run.y, u)  # which refuses a u that does not separate
    u = np.array([float(v / max(map(abs, u))) for v in u])
    return u / np.linalg.norm(u), gamma2


def update_of(run, t):
    """t as the number of an update of the run, from 1."""
    style.lengths(run, least=1)
    return checks.whole(t, "t", 1, run.mistakes, ", the number of updates")


def vector_names(t):
    """Names of w_t, z_t and w_{t+1}; a z with a number would be that of an example."""
    return f"$w_{{{t}}}$", "$z$", f"$w_{{{t + 1}}}$"


def vectors(run, t):
    """w_t, z_t and w_{t+1} in a plane that holds them, as long as they are."""
    w, z = run.weights[t - 1], run.Z[run.updates[t - 1]]
    if len(w) != 2:
        length = np.linalg.norm(w)
        along = z @ w / length if length else np.linalg.norm(z)
        w, z = np.array([length, 0]), np.array([along, math.sqrt(max(z @ z - along**2, 0))])
    return w, z, w + z


def triangle(ax, run, t, shown):
    """Draw update t as a sum of arrows, with room for those of other updates; returns the arrows,
    the example, and the colour of z_t."""
    i, (w, z, both) = run.updates[update_of(run, t) - 1], vectors(run, t)
    names = COORDINATES if run.X.shape[1] == 2 else ("along $w_t$", "across $w_t$")
    parts.frame(ax, np.vstack([vectors(run, k) for k in shown]), names)
    colour = CLASSES[int(run.y[i])]["color"]
    parts.vector(ax, (0, 0), w, look={**W, "color": GREY, "ls": ":"})
    parts.vector(ax, (0, 0), both)
    parts.vector(ax, w, both, color=colour)
    return (w, z, both), i, colour


@style.picture(5.2, 4.6)
def update(ax, run, t, title=""):
    """Update t of a run as a sum of vectors: w_t + z_t = w_{t+1} (A2).

    >>> from perceptron_lib import five_points, perceptron
    >>> X, y, u = five_points()
    >>> update(perceptron(X, y), t=3)
    Update 3 of 4: example 2, z·w = −1: w_3 of length 2.24 and z = y x of length 3.16, ...
    """
    (w, z, both), i, _ = triangle(ax, run, t, range(1, run.mistakes + 1))
    parts.vector(ax, (0, 0), z if w.any() else w, look=AID, lw=1)
    for name, at in zip(vector_names(t), (w / 2, w + z / 2, 0.6 * both), strict=True):
        if at.any():
            parts.note(ax, name, at, fontsize=11)
    ax.plot(0, 0, "o", color=INK, ms=4)
    lengths = [number(np.hypot(*v)) for v in (w, z, both)]
    return f"Update {t:,} of {run.mistakes:,}: example {i}, z·w = {number(w @ z)}", (
        f"w_{t} of length {lengths[0]} and z = y x of length {lengths[1]}, drawn head to "
        f"tail; their sum w_{t + 1} has length {lengths[2]}."
    )


@style.picture(5.2, 5.0)
def obtuse(ax, run, t, title=""):
    """On a mistake z_t and w_t are at 90° or more, so that the square on w_{t+1} is at most the
    other two together (P2): Pythagoras, with the sign on our side.

    >>> from perceptron_lib import five_points, perceptron
    >>> X, y, u = five_points()
    >>> obtuse(perceptron(X, y), t=3)
    At 98°: ‖w + z‖² = 13 < 5 + 10: update 3 of 4, example 2: w_3, z and their sum as a ...
    """
    (w, z, both), i, colour = triangle(ax, run, t, [t])
    areas, turn = [float(v @ v) for v in (w, z, both)], w[0] * z[1] - w[1] * z[0]
    out, room = np.array([[0, -1], [1, 0]]) * (-1 if turn < 0 else 1), 0.1 * math.sqrt(max(areas))
    sides = ((0 * w, w, GREY), (w, both, colour), (both, 0 * w, INK))
    for name, area, (tail, tip, color) in zip(vector_names(t), areas, sides, strict=True):
        corners = np.array([tail, tip, tip + (tip - tail) @ out, tail + (tip - tail) @ out])
        ax.fill(*corners.T, color=color, alpha=0.22, lw=1)
        style.show_all(ax, corners - room, corners + room)
        if area > 0.004 * max(areas):
            text = f"‖{name}‖²\n= {number(area)}"
            ax.text(*corners.mean(axis=0), text, fontsize=10, **style.TEXT)
    score, at = w @ z, "At the start"
    if w.any() and z.any():
        sweep = np.arctan2(turn, score)  # from the direction of w to that of z
        at = f"At {abs(np.degrees(sweep)):.0f}°"
        turned = np.arctan2(w[1], w[0]) + sweep * np.linspace(0, 1, 40)
        arc = 0.3 * math.sqrt(min(areas[:2])) * np.column_stack([np.cos(turned), np.sin(turned)])
        ax.plot(*np.array([w, w + 1.6 * arc[0]]).T, color=INK, lw=1, ls=":")  # w goes on
        ax.plot(*(w + arc).T, color=INK, lw=1.2)
        parts.note(ax, at.removeprefix("At "), w + arc[20], fontsize=10.5)
        if min(areas) > 0.1 * max(areas):  # else there is no room in the triangle
            inside = f"{180 - abs(np.degrees(sweep)):.0f}°"
            middle = z / math.sqrt(areas[1]) - w / math.sqrt(areas[0])  # of the angle inside
            corner = w + 0.3 * math.sqrt(min(areas[:2])) * middle / np.hypot(*middle)
            ax.text(*corner, inside, fontsize=9, **style.TEXT | {"color": GREY})
    sign = "=" if score == 0 else "<" if score < 0 else ">"
    one, other, sum_ = map(number, areas)
    return f"{at}: ‖w + z‖² = {sum_} {sign} {one} + {other}", (
        f"update {t} of {run.mistakes}, example {i}: w_{t}, z and their sum as a triangle with "
        f"the squares on its sides; the angle between w_{t} and z is marked, and what is left of "
        f"180° inside the triangle; the square on the sum differs from the other two together by "
        f"2 z·w = {number(2 * score)}."
    )


@style.picture(5.8, 4.4)
def progress(ax, run, u, t, title=""):
    """The projection on u after t updates: every one of them adds at least γ (P1).

    >>> from perceptron_lib import five_points, perceptron
    >>> X, y, u = five_points()
    >>> progress(perceptron(X, y), u, t=4)
    After 4 updates w·u = 4; promised: at least 4γ = 4: the weights after each update, by ...
    """
    t, (u, gamma2) = update_of(run, t), separator(run, u)
    gamma, along = math.sqrt(gamma2), run.weights @ u
    across = np.linalg.norm(run.weights - np.outer(along, u), axis=1)
    if len(u) == 2:  # with its sign
        across = run.weights @ [-u[1], u[0]]
    points, floor = np.column_stack([along, across]), along[0] + gamma * np.arange(t + 1)
    parts.frame(ax, points, ("along $u$", "across $u$"))
    ax.axhline(0, **U)
    ax.plot(*points[: t + 1].T, color=GREY, lw=0.8, marker="." if t <= 60 else "", ms=4)
    some = np.linspace(0, t, t + 1 if t <= 60 else 21).astype(int)  # more would be a comb
    tip, name = points[t], vector_names(t)[2]
    up, down = (GREEN, PURPLE) if tip[1] > 0 else (PURPLE, GREEN)  # ticks, near their text
    for reached, color in ((along, GREEN), (floor, PURPLE)):
        look = {"marker": {up: 2, down: 3}[color], "ms": 9, "mew": 2}
        ax.plot(reached[some], 0 * some, ls="", color=color, **look)
    ax.plot([tip[0], tip[0]], [tip[1], 0], color=GREEN, lw=1)
    parts.vector(ax, (0, 0), tip, name)
    begun = f"{number(along[0])} + " if along[0] else ""
    least = f"{begun}{t:,}γ = {number(floor[-1])}"
    parts.note(ax, f"{name}·u = {number(along[t])}", (tip[0], 0), color=GREEN)
    parts.note(ax, least, (floor[-1], 0), color=PURPLE)
    return f"After {count(t, 'update')} w·u = {number(along[t])}; promised: at least {least}", (
        f"the weights after each update, by how far they reach along the unit vector u and "
        f"across it; the least gain along u is {number(np.diff(along)[:t].min())}, and the margin "
        f"γ is {number(gamma)}."
    )


@style.picture(6.4, 4.4)
def squeeze(ax, run, u, log=False, title=""):
    """γt from below, R√t from above, w_{t+1} between them; where they cross, it must end (P5).  On
    logarithmic axes both bounds are straight lines.

    >>> from perceptron_lib import five_points, perceptron
    >>> X, y, u = five_points()
    >>> squeeze(perceptron(X, y), u)
    4 mistakes; 10 allowed: The margin γ is 1, the longest example R is 3.16; ...
    """
    length, (unit, gamma2) = style.lengths(run, from_0=True), separator(run, u)
    R2, M = radius2(run.X), run.mistakes
    gamma, R, exactly = math.sqrt(gamma2), math.sqrt(R2), equals(R2 / gamma2)
    along, bound, top = run.weights @ unit, (R / gamma) ** 2, R * R / gamma
    far, low = (3 if log else 1.18) * bound, math.sqrt(bound) if log else 0.45 * bound
    t = np.geomspace(1 if log else min(1, 0.01 * bound), far, 300)
    ax.set(xlabel="updates t", ylabel="progress and length")
    if log:
        ax.set(xscale="log", yscale="log", xlim=(0.85, far), ylim=(0.6 * gamma, 6 * top))
    else:
        ax.set(xscale="linear", yscale="linear")
        ax.set(xlim=(0, far), ylim=(0, 1.3 * R * math.sqrt(far)))
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter(lambda value, position: number(value))
        axis.set_minor_locator(NullLocator())
    if not log:
        ax.locator_params("x", integer=True)
    look = {"color": PURPLE, "alpha": 0.13, "lw": 0}
    ax.fill_between(t, R * np.sqrt(t), gamma * t, where=t <= bound, **look)
    for name, curve in (("R√t", lambda t: R * np.sqrt(t)), ("γt", lambda t: gamma * t)):
        ax.plot(t, curve(t), **BOUND)
        parts.note(ax, name, (low, curve(low)), color=PURPLE)
    for place, heights, look, color, text in (
        (0.995, length, "o", INK, "● length of $w_{t+1}$"),
        (0.925, along, "D", GREEN, "◆ $w_{t+1}$·u, u of length 1"),
    ):
        ax.plot(range(1, M + 1), heights[1:], look, color=color, ms=5 if M <= 60 else 2.5)
        look = {"transform": ax.transAxes, "fontsize": 9.5, "va": "top"}
        ax.text(0.02, place, text, color=style.DARK.get(color, color), **look)
    ax.plot(bound, top, **style.CROSSING)
    parts.note(ax, f"(R/γ)² {exactly}", (bound, top))
    parts.note(ax, f"the run: M = {M:,}", (M or 1, along[-1]))
    proof = mistake_bound(run, u)
    below, above = proof["P3b"].slack, proof["P3c"].slack
    between = sum(min(slack) >= 0 for slack in zip(below, above, strict=True))
    return f"{count(M, 'mistake')}; {number(math.floor(R2 / gamma2))} allowed", (
        f"The margin γ is {number(gamma)}, the longest example R is {number(R)}; γt and R√t cross "
        f"at t {exactly}. "
        f"The run ends after {M} updates, with w·u = {number(along[-1])} and length "
        f"{number(length[-1])}; at {between} of {M} updates both lie between the curves."
    )


@style.picture(6.4, 3.6)
def angle(ax, run, u, title=""):
    """The angle between w_t and the separator u, update after update (P4).

    >>> from perceptron_lib import five_points, perceptron
    >>> X, y, u = five_points()
    >>> angle(perceptron(X, y), u)
    The angle to u: 0° after 4 updates; the proof allows 51°: the angle is 45 degrees ...
    """
    length, (unit, gamma2) = style.lengths(run, 1, from_0=True), separator(run, u)
    t, least = np.arange(1, len(length)), math.sqrt(gamma2 / radius2(run.X))
    cosines = np.sqrt(t) * least, run.weights[1:] @ unit / length[1:]
    allowed, degrees = np.degrees(np.arccos(np.clip(cosines, -1, 1)))
    both = {"ceiling": allowed, "observed": degrees}
    names = ("updates t", "angle between $w_{t+1}$ and $u$ (degrees)")
    parts.curves(ax, t, both, (BOUND, style.OBSERVED), names)
    last = f"{degrees[-1]:.0f}° after {count(len(t), 'update')}"
    return f"The angle to u: {last}; the proof allows {allowed[-1]:.0f}°", (
        f"the angle is {degrees[0]:.0f} degrees after the first update, {degrees.max():.0f} at "
        f"most, and {degrees[-1]:.0f} after the last of {len(degrees)}; the proof allows "
        f"{allowed[0]:.0f} degrees falling to {allowed[-1]:.0f}."
    )


@style.picture(5.4, 4.8)
def weight_space(ax, run, title=""):
    """Weight space: every example rules out a half-plane of w; the run is a path to the rest.

    >>> from perceptron_lib import five_points, perceptron
    >>> X, y, u = five_points()
    >>> weight_space(perceptron(X, y))
    4 updates, into the cone where all 5 are right: a line for each of 5 examples, z·w = ...
    """
    style.points(run.X)
    path, u = run.weights, getattr(separate(run.X, run.y), "w", None)
    where = "but no w gets every example right"
    far = np.zeros(2) if u is None else np.abs(path).max() * u / np.abs(u).max()
    parts.frame(ax, np.vstack([path, far]), COORDINATES)
    lines = np.unique(run.Z / np.linalg.norm(run.Z, axis=1, keepdims=True).clip(1e-300), axis=0)
    ends = np.transpose([parts.line_ends(ax, z) for z in lines], (1, 2, 0))
    ax.plot(*ends, color=GREY, lw=0.6, alpha=np.clip(12 / len(lines), 0.3, 1), zorder=1)
    if u is not None:
        across = np.array([-far[1], far[0]])
        turn = np.arctan2(lines @ across, lines @ far)  # no z is 90° or more away from u
        turn = np.array([turn.max() - np.pi / 2, 0, turn.min() + np.pi / 2])
        cone = 99 * (np.outer(np.cos(turn), far) + np.outer(np.sin(turn), across))
        ax.fill(*np.vstack([[0, 0], cone]).T, color=GREEN, alpha=0.25, lw=0, zorder=-1)
        parts.note(ax, "all examples right", 0.8 * far, color=GREEN)
        into = "into" if (run.Z @ path[-1] > 0).all() else "not yet into"
        where = f"{into} the cone where all {len(run.y)} are right"
    ax.plot(*path.T, color=INK, lw=1, marker=".", ms=3)
    for start, end in pairwise(path if len(path) <= 41 else ()):
        parts.vector(ax, start, end, look={**W, "lw": 1.3})
    last, back = vector_names(run.mistakes)[2], run.mistakes and (path[0] == path[-1]).all()
    first = f"$w_1$ = {last} " if back else "$w_1$ "
    ax.text(*path[0], first, **style.TEXT | {"ha": "right", "va": "top", "fontsize": 9.5})
    if run.mistakes and not back:
        ax.plot(*path[-1], "o", color=INK, ms=7, zorder=4)
        parts.note(ax, last, path[-1])
    return f"{count(run.mistakes, 'update')}, {where}", (
        f"a line for each of {len(run.y)} examples, z·w = 0, rules out the half-plane behind it; "
        f"the path goes from {numbers(path[0])} to {numbers(path[-1])}."
    )


@style.picture(6.6, 3.6)
def sizes(ax, run, title=""):
    """The length of the weights over the updates, and R√t, which it cannot exceed (H1).

    >>> from perceptron_lib import five_points, perceptron
    >>> X, y, u = five_points()
    >>> sizes(perceptron(X, y))
    In 4 updates ‖w‖ is at most 4; R√t rises to 6.32: over 4 updates the length of w ...
    """
    length = style.lengths(run)
    limit = math.sqrt(radius2(run.X)) * np.sqrt(np.arange(len(length)))
    both, names = {"R√t": limit, "‖w‖": length}, ("updates t", "length of w")
    parts.curves(ax, np.arange(len(length)), both, (BOUND, W | {"lw": 1}), names)
    most, bound = number(length.max()), number(limit[-1])
    finding = f"In {count(run.mistakes, 'update')} ‖w‖ is at most {most}; R√t rises to {bound}"
    return finding, (
        f"over {run.mistakes} updates the length of w stays at most {most}, "
        f"while R√t grows to {bound}."
    )


@style.picture(6.8, 4.2)
def increments(ax, run, gamma, eps=0.5, title=""):
    """How much longer each update makes w: never more than R, and at most (1 − ε/2)γ once w is
    long (M4); M3's bound for each length in between (M10).

    >>> from perceptron_lib import five_points, margin_perceptron
    >>> X, y, u = five_points()
    >>> increments(margin_perceptron(X, y, gamma=1), gamma=1)
    2 of 2 updates lengthen w by less than γ = 1: growth of the length of w, from 0.822 ...
    """
    length = style.lengths(run, least=1)
    exact = checks.positive(eps, "eps", below=1) * checks.positive(gamma, "gamma")
    gamma, eps = style.real(gamma, "gamma"), style.real(eps, "eps")
    border, R = radius2(run.X) / exact, math.sqrt(radius2(run.X))
    slow, grown, t = (1 - eps / 2) * gamma, np.diff(length), np.arange(1, len(length))
    top, before = 1.15 * max(grown.max(), 1.5 * gamma), np.where(length > 0, length, np.nan)[:-1]
    ax.set(xlim=(0, t[-1] + 0.5), ylim=(min(0, 1.1 * grown.min()), top))
    ax.set(xlabel="updates t", ylabel="growth of ‖w‖ in update t")
    most = R * R / (2 * before) + (1 - eps) * gamma
    ax.plot(t, most, **BOUND | {"zorder": 3})  # above the dots, which may lie on it
    thin, high = BOUND | {"ls": "-", "lw": 1}, "R" if top > R else f"R = {number(R)} ↑"
    for height, look in ((0, AID), (gamma, U), (R, thin), (slow, thin)):
        ax.axhline(height, **look)
    ends = [(high, min(R, top), PURPLE), ("γ", gamma, GREEN), ("(1 − ε/2)γ", slow, PURPLE)]
    parts.at_ends(ax, ends)
    ax.plot(t, grown, **style.OBSERVED | {"ls": "", "ms": 5 if len(t) < 80 else 3, "mew": 0.4})
    k = len(t) // 4
    if before[k] > 0:
        parts.note(ax, "R²/(2‖w‖) + (1 − ε)γ", (t[k], most[k]), color=PURPLE)
    passed, when = np.flatnonzero(length >= as_float(border)), "never"
    if len(passed):
        when = f"after {passed[0]} updates"
        ax.axvspan(passed[0] + 0.5, t[-1] + 0.5, color=PURPLE, alpha=0.1, lw=0)
        parts.note(ax, "‖w‖ ≥ R²/(εγ)", (passed[0] + 0.5, 0.75 * top))
    few = int(np.sum(grown < gamma))
    return f"{few} of {count(len(t), 'update')} lengthen w by less than γ = {number(gamma)}", (
        f"growth of the length of w, from {number(grown.max())} at most to {number(grown[-1])} in "
        f"the last of {len(t)} updates; R = {number(R)}, (1 − ε/2)γ = {number(slow)}; the length "
        f"passes R²/(εγ), about {number(border)}, {when}."
    )


class Squeeze(style.redrawn(squeeze)):
    """`squeeze` on axes that stay.

    >>> from perceptron_lib import five_points, perceptron
    >>> X, y, u = five_points()
    >>> Squeeze(style.card(6, 4).subplots()).show(perceptron(X, y), u)[0]
    '4 mistakes; 10 allowed'
    """
