"""Pictures of a run: the vectors of an update, the path of w, and the squeeze of the mistake bound.

A run in more than two dimensions is drawn in the plane of the vectors in question, with their true
lengths and angles.
"""

import math
from functools import cache
from itertools import pairwise

import numpy as np
from matplotlib.ticker import NullLocator

from perceptron_lib.bounds import margin2
from perceptron_lib.checks import door
from perceptron_lib.claims.quantities import Quantities
from perceptron_lib.plots import parts, style
from perceptron_lib.plots.style import AID, CARD, CLASSES, GREEN, GREY, INK, TEXT, W
from perceptron_lib.separability import separate
from perceptron_lib.show import count, equals, indexed, number, numbers, symbols

COORDINATES, DOTS = ("w₁", "w₂"), AID | {"ls": (0, (1, 4))}  # axes beside thin lines


def separator_of(run, u):
    """u/||u|| and γ² for Fractions u that separate the examples of a run."""
    gamma2 = margin2(run.X, run.y, u)  # which refuses a u that does not separate
    u = np.array([float(v / max(map(abs, u))) for v in u])
    return u / np.linalg.norm(u), gamma2


def vector_names(t):
    """Names of the weights before update t, of what it adds, and of the weights after it."""
    return indexed("w", t), indexed("z", t), indexed("w", t + 1)


def vectors(run, t):
    """The same vectors in a plane that holds them, as long as they are."""
    w, z = run.weights[t - 1], run.Z[run.updates[t - 1]]
    if len(w) != 2:
        length = np.linalg.norm(w)
        along = z @ w / length if length else np.linalg.norm(z)
        w, z = np.array([length, 0]), np.array([along, math.sqrt(max(z @ z - along**2, 0))])
    return w, z, w + z


def triangle(ax, run, t):
    """Draw update t as a sum of arrows; returns them, the example, and the colour of z_t."""
    i, (w, z, both) = run.updates[t - 1], vectors(run, t)
    names = COORDINATES if run.X.shape[1] == 2 else ("along w⁽ᵗ⁾", "across w⁽ᵗ⁾")
    parts.frame(ax, np.array([w, z, both]), names)
    colour = CLASSES[int(run.y[i])]["color"]
    parts.arrow(ax, (0, 0), w, look={**W, "color": GREY, "ls": ":"})
    parts.arrow(ax, (0, 0), both)
    parts.arrow(ax, w, both, color=colour)
    return (w, z, both), i, colour


@style.picture()
@door(t=style.update_number)
def update(ax, run, t):
    """Update t of a run as a sum of vectors (A2).

    >>> from perceptron_lib import five_points, perceptron
    >>> X, y, u = five_points()
    >>> update(perceptron(X, y), t=3)
    Update 3 of 4: z⁽³⁾·w⁽³⁾ = −1, an obtuse angle: example 2. w⁽³⁾ of length 2.24 and z⁽³⁾ ...
    """
    (w, z, both), i, colour = triangle(ax, run, t)
    parts.arrow(ax, (0, 0), z if w.any() else w, look=AID, lw=1)
    names, score, middles = vector_names(t), w @ z, (w / 2, w + z / 2, 0.6 * both)
    for name, at, color in zip(names, middles, (GREY, colour, INK), strict=True):
        if at.any():
            parts.note(ax, name, at, color=color)
    parts.note(ax, names[1] if w.any() else "", 0.8 * z, color=GREY)
    ax.plot(0, 0, "o", color=INK, ms=4)
    lengths = [number(np.hypot(*v)) for v in (w, z, both)]
    turn = "a right" if score == 0 else "an obtuse" if score < 0 else "an acute"
    turn = f"{turn} angle" if w.any() else "the start"
    return f"Update {t:,} of {run.mistakes:,}: {names[1]}·{names[0]} = {number(score)}, {turn}", (
        f"example {i}. {names[0]} of length {lengths[0]} and {names[1]} of length {lengths[1]}, "
        f"drawn head to tail; their sum {names[2]} has length {lengths[2]}."
    )


@style.picture()
@door
def squeeze(ax, run, u, log=False, title="", gamma_u=None):
    """γt from below, R√t from above, and the weights after update t between them; where they cross,
    it must end (P5).  On logarithmic axes both bounds are straight lines.

    If gamma_u = γ||u|| is given, u need not separate the examples.  Then the floor is γt − TD,
    lowered by the distance that all of them would have to be moved, and meets R√t later (H4).

    >>> from perceptron_lib import five_points, perceptron
    >>> X, y, u = five_points()
    >>> squeeze(perceptron(X, y), u)
    The run makes 4 mistakes; the walls allow 10: the margin γ is 1, the longest example R is ...
    """
    length, largest = style.weight_lengths(run, from_0=True), max(map(abs, u)) or 1
    q = Quantities(run, [v / largest for v in u], separates=gamma_u is None)
    g = style.drawable(gamma_u / largest if gamma_u else q.g, "gamma_u")
    size, M = math.sqrt(q.u2), run.mistakes
    lack = sum(max(g - s, 0) for s in q.each_zu)  # 0 for a separator
    gamma, R, total = math.sqrt(g * g / q.u2), math.sqrt(q.R2), float(lack) / size
    bound = ((R + math.sqrt(R * R + 4 * gamma * total)) / (2 * gamma)) ** 2
    most = bound if lack else q.R2 * q.u2 / g**2
    along = np.array([float(v) / size for v in (q.start_wu, *q.next_wu)])
    far, top = max((3 if log else 1.15) * bound, 1.03 * M), R * math.sqrt(bound)
    t = np.geomspace(1 if log else min(1, 0.01 * bound), far, 300)
    scale(ax, log, (0.85 if log else 0, far), (0.6 * gamma, 6 * top) if log else
          (0 - min(1.1 * total, top), 1.25 * R * math.sqrt(far)))  # fmt: skip
    place = math.sqrt(bound) if log else (0.2 if 1.1 * bound < M else 0.6) * bound  # off the marks
    middle = int(np.searchsorted(t, place))
    floor = "γt − TD" if lack else "γt"
    parts.walls(ax, t, (floor, gamma * t - total), ("R√t", R * np.sqrt(t)), middle)
    parts.label(ax, ("updates t", "length and progress"))
    dots = 7 if M <= 60 else 4
    for place, heights, look, color, text in (
        (0.98, length, {"marker": "o", "mfc": CARD, "ms": dots + 2}, INK, "○ length ‖w⁽ᵗ⁺¹⁾‖"),
        (0.89, along, {"marker": "D", "ms": dots - 2}, GREEN, "◆ progress w⁽ᵗ⁺¹⁾·u"),
    ):
        ax.plot(range(1, M + 1), heights[1:], ls="", color=color, **look)
        look = {"transform": ax.transAxes, "va": "top", "color": style.FOR_TEXTS.get(color, color)}
        ax.text(0.02, place, symbols(text), **TEXT | {"ha": "left"} | look)
    ax.plot(bound, top, **style.CROSSING)
    parts.note(ax, f"t {equals(most)}" if lack else f"(R/γ)² {equals(most)}", (bound, top))
    between = int(((q.next_wu >= q.t * g - lack) & (q.next_w2 <= q.t * q.R2)).sum())
    return f"The run makes {count(M, 'mistake')}; the walls allow {number(math.floor(most))}", (
        f"the margin γ is {number(gamma)}, the longest example R is {number(R)}; {floor} and R√t "
        f"cross at t {equals(most)}. "
        f"The run ends after {M} updates, with w·u = {number(along[-1])} and length "
        f"{number(length[-1])}; at {between} of {M} updates both lie between the curves."
    )


def scale(ax, log, across, up):
    """Axes for a number of updates and for lengths, both logarithmic or neither."""
    kind = "log" if log else "linear"
    ax.set(xscale=kind, yscale=kind, xlim=across, ylim=up)
    for axis in (ax.xaxis, ax.yaxis):  # which ask for the same labels again and again
        axis.set_major_formatter(cache(lambda value, position: number(value)))
        axis.set_minor_locator(NullLocator())
    if not log:
        ax.locator_params("x", integer=True)


@style.picture()
@door
def weight_space(ax, run):
    """Weight space: every example rules out a half-plane of w; the run is a path to the rest.

    >>> from perceptron_lib import five_points, perceptron
    >>> X, y, u = five_points()
    >>> weight_space(perceptron(X, y))
    4 updates lead into the cone where all 5 are right: a line for each of 5 examples, z·w = ...
    """
    style.plane_points(run.X)
    path, u = run.weights, getattr(separate(run.X, run.y), "w", None)
    where = ", but no w gets every example right"
    far = np.zeros(2) if u is None else np.abs(path).max() * u / np.abs(u).max()
    parts.frame(ax, np.vstack([path, far]), COORDINATES, room=[0.12, 0.3][u is None], axes=DOTS)
    if (path % 1 == 0).all():
        parts.whole_ticks(ax.xaxis, path)
        parts.whole_ticks(ax.yaxis, path)
    lines = np.unique(run.Z / np.linalg.norm(run.Z, axis=1, keepdims=True).clip(1e-300), axis=0)
    ends = np.transpose([parts.line_ends(ax, z) for z in lines], (1, 2, 0))
    ax.plot(*ends, color=GREY, lw=0.8, alpha=np.clip(12 / len(lines), 0.3, 1), zorder=1)
    for i, z in enumerate(run.Z if len(run.y) <= parts.FEW and run.Z.any(axis=1).all() else ()):
        line_number(ax, i, z)
    if u is not None:
        across = np.array([-far[1], far[0]])
        turn = np.arctan2(lines @ across, lines @ far)  # no z is 90° or more away from u
        turn = np.array([turn.max() - np.pi / 2, 0, turn.min() + np.pi / 2])
        cone = 99 * (np.outer(np.cos(turn), far) + np.outer(np.sin(turn), across))
        ax.fill(*np.vstack([[0, 0], cone]).T, color=GREEN, alpha=0.25, lw=0, zorder=-1)
        if np.ptp(turn) < 0.3:  # in the cone there is no room, so a thin line leads to it
            place, look = ((0.85 if far[0] < 0 else 0.15), 0.93), AID | {"arrowstyle": "-"}
            look |= {"shrinkA": 2.6 * style.LOOK["points"]}
            ax.annotate("", 0.95 * far, place, textcoords="axes fraction", arrowprops=look)
            named = TEXT | {"transform": ax.transAxes, "color": style.FOR_TEXTS[GREEN]}
            ax.text(*place, "all right", **named)
        else:
            parts.note(ax, "all right", 0.8 * far, color=GREEN)
        into = "lead" if (run.Z @ path[-1] > 0).all() else "do not yet lead"
        where = f" {into} into the cone where all {len(run.y)} are right"
    ax.plot(*path.T, color=INK, lw=1, marker=".", ms=3)
    for start, end in pairwise(path if len(path) <= 41 else ()):
        parts.arrow(ax, start, end, look={**W, "lw": 1.3})
    back = run.mistakes and (path[0] == path[-1]).all()
    named = range(len(path)) if len(path) <= 6 else (0, len(path) - 1)
    for t in named[not (back or path[0].any()) : len(named) - bool(back)]:  # 0 needs no name
        last = f" = {indexed('w', len(path))}" if back and t == 0 else ""
        parts.note(ax, indexed("w", t + 1) + last, path[t])
    if run.mistakes and not back:
        ax.plot(*path[-1], "o", color=INK, ms=7, zorder=4)
    return f"{count(run.mistakes, 'update')}{where}", (
        f"a line for each of {len(run.y)} examples, z·w = 0, rules out the half-plane behind it; "
        f"the path goes from {numbers(path[0])} to {numbers(path[-1])}."
    )


def line_number(ax, i, z, score=0):
    """The number of an example where its line leaves the picture, on the line's good side."""
    foot, z = score * z / (z @ z), z / np.hypot(*z)
    (low, high), along = ax.corners, np.array([-z[1], z[0]])
    steps = foot + np.linspace(-2, 2, 2001)[:, None] * np.abs(ax.corners).max() * along
    inside = [p for p in steps if (p > low).all() and (p < high).all()]
    reach = 0.05 * np.ptp(ax.corners, axis=0).max() * z
    ends = sorted([0.9 * inside[0], 0.9 * inside[-1]], key=np.linalg.norm)[::-1] + inside[::-9]
    at = next(p for p in ends if (p + reach > low).all() and (p + reach < high).all())
    tip = at + reach
    parts.arrow(ax, at, tip, look={**AID, "lw": 1}, mutation_scale=8)
    parts.note(ax, str(i), tip, color=GREY)
