"""Runs and the proof of the mistake bound: the vectors of an update, and how far w has come.

A run in more than two dimensions is drawn in the plane of the vectors in question, with their true
lengths and angles.
"""

import math
from itertools import pairwise

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.ticker import NullLocator

from perceptron_lib import checks
from perceptron_lib.bounds import margin2, radius2
from perceptron_lib.claims import mistake_bound
from perceptron_lib.plots import parts, style
from perceptron_lib.plots.style import AID, BOUND, CLASSES, GREEN, GREY, INK, PURPLE, U, W
from perceptron_lib.separability import separate
from perceptron_lib.show import count, equals, number, numbers

COORDINATES = ("first coordinate", "second coordinate")


def unit_separator(run, u):
    """u/||u|| for a u that separates the examples of a run."""
    u = checks.fractions(u, run.X.shape[1])
    u = np.array([float(v / (max(map(abs, u)) or 1)) for v in u])
    margin2(run.X, run.y, u)  # which refuses a u that does not separate
    return u / np.sqrt(u @ u)


def from_0(run, least=0):
    """||w_t|| for every t of a run that began at 0, as the bounds here want it."""
    if run.start.any():
        raise ValueError("the run must begin at w = 0: the bounds drawn here hold for no other")
    return style.lengths(run, least)


def update_of(run, t):
    """t as the number of an update of the run, from 1."""
    style.lengths(run, least=1)
    return checks.whole(t, "t", 1, run.mistakes, ", the number of updates")


def vector_names(t):
    """Names of w_t, z_t and w_{t+1}."""
    return f"$w_{{{t}}}$", f"$z_{{{t}}}$", f"$w_{{{t + 1}}}$"


def vectors(run, t):
    """w_t, z_t and w_{t+1} in a plane that holds them, as long as they are."""
    w, z = run.weights[t - 1], run.Z[run.updates[t - 1]]
    if len(w) != 2:
        length = np.linalg.norm(w)
        along = z @ w / length if length else np.linalg.norm(z)
        w, z = np.array([length, 0]), np.array([along, math.sqrt(max(z @ z - along**2, 0))])
    return w, z, w + z


def triangle(ax, run, t, size=True):
    """Draw update t as a sum of arrows; returns its example, the vectors, and the colour of z_t."""
    update_of(run, t)
    names = COORDINATES if run.X.shape[1] == 2 else ("along $w_t$", "across $w_t$")
    every = np.vstack([vectors(run, k + 1) for k in range(run.mistakes)])
    parts.frame(ax, every, names, size=size)
    i, (w, z, both) = run.updates[t - 1], vectors(run, t)
    colour = CLASSES[int(run.y[i])]["color"]
    parts.vector(ax, (0, 0), w, look={**W, "color": GREY, "ls": ":"})
    parts.vector(ax, (0, 0), both)
    parts.vector(ax, w, both, color=colour)
    return i, (w, z, both), colour


@style.picture(5.2, 4.6)
def update(ax, run, t, title=""):
    """Update t of a run as a sum of vectors: w_t + z_t = w_{t+1} (A2)."""
    i, (w, z, both), _ = triangle(ax, run, t)
    parts.vector(ax, (0, 0), z if w.any() else w, look=AID, lw=1)
    for name, at in zip(vector_names(t), (w / 2, w + z / 2, 0.6 * both), strict=True):
        if at.any():
            parts.note(ax, name, at, fontsize=11)
    ax.plot(0, 0, "o", color=INK, ms=4)
    lengths = [number(np.hypot(*v)) for v in (w, z, both)]
    return f"Update {t:,} of {run.mistakes:,}: example {i} scored {number(w @ z)}", (
        f"w_{t} of length {lengths[0]} and z_{t} = y x of length {lengths[1]}, drawn head to "
        f"tail; their sum w_{t + 1} has length {lengths[2]}."
    )


@style.picture(5.2, 5.0)
def obtuse(ax, run, t, title=""):
    """On a mistake z_t and w_t are at 90° or more, so that the square over w_{t+1} is at most the
    other two together (P2): Pythagoras, with the sign on our side."""
    i, (w, z, both), colour = triangle(ax, run, t, size=False)
    areas, turn = [float(v @ v) for v in (w, z, both)], w[0] * z[1] - w[1] * z[0]
    out, corners = np.array([[0, -1], [1, 0]]) * (-1 if turn < 0 else 1), []
    sides = zip(((0 * w, w), (w, both), (both, 0 * w)), areas, (GREY, colour, INK), strict=True)
    for name, ((tail, tip), area, color) in zip(vector_names(t), sides, strict=True):
        away = (tip - tail) @ out
        corners += [tail, tip, tip + away, tail + away]
        ax.fill(*np.transpose(corners[-4:]), color=color, alpha=0.22, lw=1)
        if area > 0.004 * max(areas):
            look = {"ha": "center", "va": "center", "fontsize": 10, "color": INK}
            middle = (tail + tip + away) / 2
            parts.halo(ax.text(*middle, f"‖{name}‖²\n= {number(area)}", **look))
    low, high = np.min(corners, axis=0), np.max(corners, axis=0)
    room = 0.06 * (high - low).max()
    parts.show_all(ax, low - room, high + room)
    score, at = w @ z, "At the start"
    if w.any() and z.any():
        sweep = np.arctan2(turn, score)  # from the direction of w to that of z
        at = f"At {abs(np.degrees(sweep)):.0f}°"
        radius = 0.3 * math.sqrt(min(areas[:2]))
        turned = np.arctan2(w[1], w[0]) + sweep * np.linspace(0, 1, 40)
        arc = w + radius * np.column_stack([np.cos(turned), np.sin(turned)])
        ax.plot(*np.array([w, w + 1.6 * (arc[0] - w)]).T, color=INK, lw=1, ls=":")  # w goes on
        ax.plot(*arc.T, color=INK, lw=1.2)
        parts.note(ax, at.removeprefix("At "), arc[20], fontsize=10.5)
    sign = "=" if score == 0 else "<" if score < 0 else ">"
    one, other, sum_ = map(number, areas)
    return f"{at}: ‖w + z‖² = {sum_} {sign} {one} + {other}", (
        f"update {t} of {run.mistakes}, example {i}: w_{t}, z_{t} and their sum as a triangle with "
        f"the squares on its sides, and the angle between w_{t} and z_{t} marked; the square over "
        f"the sum against both others, since 2 z·w = {number(2 * score)}."
    )


@style.picture(5.8, 4.4)
def progress(ax, run, u, t, title=""):
    """The projection on u after t updates: every one of them adds at least γ (P1)."""
    t, u = update_of(run, t), unit_separator(run, u)
    gamma, along = math.sqrt(margin2(run.X, run.y, u)), run.weights @ u
    across = np.linalg.norm(run.weights - np.outer(along, u), axis=1)
    if len(u) == 2:  # with its sign
        across = run.weights @ [-u[1], u[0]]
    points, floor = np.column_stack([along, across]), along[0] + gamma * np.arange(t + 1)
    parts.frame(ax, points, ("along $u$", "across $u$"))
    ax.axhline(0, **U)
    some = np.linspace(0, t, t + 1 if t <= 60 else 21).astype(int)  # more would be a comb
    ticks = {"ls": "", "ms": 9, "mew": 2}
    ax.plot(*points[: t + 1].T, color=GREY, lw=0.8, marker="." if t <= 60 else "", ms=4)
    ax.plot(along[some], 0 * some, color=GREEN, marker=2, **ticks)  # upwards
    ax.plot(floor[some], 0 * some, color=PURPLE, marker=3, **ticks)  # downwards
    tip, name = points[t], vector_names(t)[2]
    ax.plot([tip[0], tip[0]], [tip[1], 0], color=GREEN, lw=1)
    parts.vector(ax, (0, 0), tip)
    begun = f"{number(along[0])} + " if along[0] else ""
    least = f"{begun}{t:,}γ = {number(floor[-1])}"
    parts.note(ax, name, tip)
    parts.note(ax, f"{name}·u = {number(along[t])}", (tip[0], 0), color=GREEN)
    parts.note(ax, least, (floor[-1], 0), color=PURPLE)
    return f"After {count(t, 'update')} w·u = {number(along[t])}, at least {least}", (
        f"the weights after each update, by how far they reach along the unit vector u and "
        f"across it; the least gain along u is {number(np.diff(along)[:t].min())}, and the margin "
        f"γ is {number(gamma)}."
    )


@style.picture(6.4, 4.4)
def squeeze(ax, run, u, log=False, title=""):
    """γt from below, R√t from above, w_{t+1} between them; where they cross, it must end (P5).  On
    logarithmic axes both bounds are straight lines."""
    length = from_0(run)
    gamma2, R2 = margin2(run.X, run.y, u), radius2(run.X)
    gamma, R, exactly = math.sqrt(gamma2), math.sqrt(R2), equals(R2 / gamma2)
    along, M, bound = run.weights @ unit_separator(run, u), run.mistakes, (R / gamma) ** 2
    far, top, low = (3 if log else 1.18) * bound, R * R / gamma, 0.45 * bound
    t = np.geomspace(1 if log else min(1, 0.01 * bound), far, 300)
    if log:
        ax.set(xscale="log", yscale="log", xlim=(0.85, far), ylim=(0.6 * gamma, 6 * top))
        low = math.sqrt(bound)
    else:
        ax.set(xscale="linear", yscale="linear")
        ax.set(xlim=(0, far), ylim=(0, 1.3 * R * math.sqrt(far)))
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter(lambda value, position: number(value))
        axis.set_minor_locator(NullLocator())
    ax.set(xlabel="updates t", ylabel="length")
    ax.plot(t, R * np.sqrt(t), **BOUND)
    ax.plot(t, gamma * t, **BOUND)
    inside = t[t <= bound]
    ax.fill([*inside, *inside[::-1]], [*R * np.sqrt(inside), *gamma * inside[::-1]],
            color=PURPLE, alpha=0.13, lw=0)  # fmt: skip
    for heights, look, color in ((length, "o", INK), (along, "D", GREEN)):
        ax.plot(range(1, M + 1), heights[1:], look, color=color, ms=5 if M <= 60 else 2.5)
    ax.plot(bound, top, "*", ms=15, color=PURPLE, mec=INK, mew=0.6)
    parts.note(ax, "R√t", (low, R * math.sqrt(low)), color=PURPLE)
    parts.note(ax, "γt", (low, gamma * low), color=PURPLE)
    parts.note(ax, f"(R/γ)² {exactly}", (bound, top))
    parts.note(ax, f"the run: M = {M:,}", (M or 1, along[-1]))
    key = {"transform": ax.transAxes, "fontsize": 9.5, "va": "top"}
    ax.text(0.02, 0.995, "● length of $w_{t+1}$", color=INK, **key)
    ax.text(0.02, 0.925, "◆ $w_{t+1}$·u, u of length 1", color=GREEN, **key)
    proof = mistake_bound(run, u)
    below, above = proof["P3b"].slack, proof["P3c"].slack
    between = sum(min(slack) >= 0 for slack in zip(below, above, strict=True))
    return f"{count(M, 'mistake')}; {number(math.floor(R2 / gamma2))} allowed", (
        f"γt rises from {number(gamma)} and R√t from {number(R)}; they cross at t {exactly}. "
        f"The run ends after {M} updates, with w·u = {number(along[-1])} and length "
        f"{number(length[-1])}; at {between} of {M} updates both lie between the curves."
    )


@style.picture(6.4, 3.6)
def angle(ax, run, u, title=""):
    """The angle between w_t and the separator u, update after update (P4)."""
    length = from_0(run, least=1)
    ratio = math.sqrt(margin2(run.X, run.y, u) / radius2(run.X))
    t = np.arange(1, len(length))
    cosine = run.weights[1:] @ unit_separator(run, u) / length[1:]
    degrees = np.degrees(np.arccos(np.clip(cosine, -1, 1)))
    allowed = np.degrees(np.arccos(np.minimum(np.sqrt(t) * ratio, 1)))
    ax.set(ylim=(0, 100), xlabel="updates t", ylabel="angle of $w_{t+1}$ and $u$ (degrees)")
    both = {"at most this": allowed, "observed": degrees}
    parts.curves(ax, t, both, (BOUND, style.OBSERVED))
    last = f"{degrees[-1]:.0f}° after {count(len(t), 'update')}"
    return f"The angle to u: {last}; the proof allows {allowed[-1]:.0f}°", (
        f"the angle is {degrees[0]:.0f} degrees after the first update, {degrees.max():.0f} at "
        f"most, and {degrees[-1]:.0f} after the last of {len(degrees)}; the proof allows "
        f"{allowed[0]:.0f} degrees falling to {allowed[-1]:.0f}."
    )


@style.picture(5.4, 4.8)
def weight_space(ax, run, title=""):
    """Weight space: every example rules out a half-plane of w; the run is a path to the rest."""
    style.points(run.X)
    path, u, where = run.weights, getattr(separate(run.X, run.y), "w", None), "no w has all right"
    size = np.abs(path).max()
    far = path if u is None else np.vstack([path, size * u / np.abs(u).max()])
    parts.frame(ax, far, COORDINATES)
    lines = np.unique(run.Z / np.linalg.norm(run.Z, axis=1, keepdims=True).clip(1e-300), axis=0)
    look = {"color": GREY, "lw": 0.6, "alpha": np.clip(12 / len(lines), 0.15, 1)}
    ax.add_collection(LineCollection([parts.line_ends(ax, z).T for z in lines], **look))
    if u is not None:
        cone(ax, u, lines, far)
        into = "into" if run.outcome == "converged" else "not yet into"
        where = f"{into} the cone with {len(run.y)} of {len(run.y)} right"
    ax.plot(*path.T, color=INK, lw=1, marker=".", ms=3)
    for start, end in pairwise(path if len(path) <= 41 else ()):
        parts.vector(ax, start, end, look={**W, "lw": 1.3})
    for t in {0, run.mistakes}:
        parts.note(ax, vector_names(t)[2], path[t])
    return f"{count(run.mistakes, 'update')}, {where}", (
        f"a line for each of {len(run.y)} examples, z·w = 0, rules out the half-plane behind it; "
        f"the path goes from {numbers(path[0])} to {numbers(path[-1])}."
    )


def cone(ax, u, lines, far):
    """The w with z·w > 0 for all z: as u is one of them, no z is 90° or more away from it."""
    across, size = np.array([-u[1], u[0]]), np.abs(far).max() / np.abs(u).max()
    turn = np.arctan2(lines @ across, lines @ u)
    turn = np.array([turn.max() - np.pi / 2, 0, turn.min() + np.pi / 2])
    rays = np.outer(np.cos(turn), u) + np.outer(np.sin(turn), across)
    ax.fill(*np.vstack([[0, 0], 99 * size * rays]).T, color=GREEN, alpha=0.25, lw=0, zorder=-1)
    parts.note(ax, "all examples right", 0.8 * size * u, color=GREEN)


@style.picture(6.6, 3.6)
def sizes(ax, run, title=""):
    """The length of the weights over the updates, and R√t, which it cannot exceed (H1)."""
    length = style.lengths(run)
    t, most = np.arange(len(length)), length.max()
    limit = math.sqrt(radius2(run.X)) * np.sqrt(t)
    ax.set(xlabel="updates t", ylabel="length of w", xlim=(0, max(t[-1], 1)))
    ax.set_ylim(0, 1.08 * max(limit[-1], most) or 1)
    parts.curves(ax, t, {"R√t": limit, "‖w‖": length}, (BOUND, W | {"lw": 1}))
    finding = f"In {count(run.mistakes, 'update')} ‖w‖ is at most {number(most)}"
    return f"{finding}; R√t rises to {number(limit[-1])}", (
        f"over {run.mistakes} updates the length of w stays at most {number(most)}, "
        f"while R√t grows to {number(limit[-1])}."
    )


@style.picture(6.8, 4.2)
def increments(ax, run, gamma, eps=0.5, title=""):
    """How much longer each update makes w: never more than R, and at most (1 − ε/2)γ once w is
    long (M4); M3's bound for each length in between (M10)."""
    length = style.lengths(run, least=1)
    exact = checks.positive(eps, "eps", below=1) * checks.positive(gamma, "gamma")
    gamma, eps = style.real(gamma, "gamma", True), style.real(eps, "eps", True)
    t, R2 = np.arange(1, len(length)), float(radius2(run.X))
    R, border, slow = math.sqrt(R2), R2 / (eps * gamma), (1 - eps / 2) * gamma
    grown, from_one = np.diff(length), length[:-1] > 0
    top = 1.15 * max(grown.max(), 1.5 * gamma)
    ax.set(xlim=(0, t[-1] + 0.5), ylim=(min(0, 1.1 * grown.min()), top))
    ax.set(xlabel="updates t", ylabel="growth of ‖w‖ in update t")
    ax.axhline(0, **AID)
    most = R2 / (2 * length[:-1][from_one]) + (1 - eps) * gamma
    ax.plot(t[from_one], most, **BOUND)
    ax.axhline(gamma, **U)
    for height in (R, slow):
        ax.axhline(height, color=PURPLE, lw=1)
    ax.plot(t, grown, **style.OBSERVED | {"ls": "", "ms": 5 if len(t) < 80 else 3, "mew": 0.4})
    high = "R" if top > R else f"R = {number(R)} ↑"
    ends = [(high, min(R, top), PURPLE), ("γ", gamma, GREEN), ("(1 − ε/2)γ", slow, PURPLE)]
    parts.at_ends(ax, ends)
    if from_one.any():
        k = len(most) // 4
        parts.note(ax, "R²/(2‖w‖) + (1 − ε)γ", (t[from_one][k], most[k]), color=PURPLE)
    passed = np.flatnonzero(length >= border)
    when = f"after {passed[0]} updates" if len(passed) else "never"
    if len(passed):
        ax.axvspan(passed[0] + 0.5, t[-1] + 0.5, color=PURPLE, alpha=0.1, lw=0)
        parts.note(ax, "‖w‖ ≥ R²/(εγ)", (passed[0] + 0.5, 0.75 * top))
    few = int(np.sum(grown < gamma))
    return f"{few} of {count(len(t), 'update')} lengthen w by less than γ = {number(gamma)}", (
        f"growth of the length of w, from {number(grown.max())} at most to {number(grown[-1])} in "
        f"the last of {len(t)} updates; R = {number(R)}, (1 − ε/2)γ = {number(slow)}; the length "
        f"passes R²/(εγ) {equals(radius2(run.X) / exact)} {when}."
    )


Update, Obtuse = style.redrawn(update, "run"), style.redrawn(obtuse, "run")
Progress, Squeeze = style.redrawn(progress, "run", "u"), style.redrawn(squeeze)
