"""Lesson 3, the mistake bound: the pictures of its proof."""

import math

import numpy as np
from matplotlib.patches import Circle

from perceptron_lib import claims, examples
from perceptron_lib.bounds import radius2
from perceptron_lib.checks import door
from perceptron_lib.exercises import checker, exact_number, require, whole_list
from perceptron_lib.perceptron import perceptron
from perceptron_lib.plots import parts, style
from perceptron_lib.plots.runs import separator_of, squeeze, triangle, vector_names
from perceptron_lib.plots.style import GREEN, GREY, INK, PURPLE, U
from perceptron_lib.separability import separate
from perceptron_lib.show import count, indexed, number, symbols
from perceptron_lib.widgets import explorer as controls

# --- pictures -------------------------------------------------------------------------------------


@style.picture()
@door(t=style.update_number)
def obtuse(ax, run, t):
    """On a mistake z_t and w_t are at 90° or more, so that the square on w_{t+1} is at most the
    other two together (P2): Pythagoras, with the sign on our side.

    >>> from perceptron_lib import five_points, perceptron
    >>> X, y, u = five_points()
    >>> obtuse(perceptron(X, y), t=3)
    At 98° the square on the sum is smaller: 13 < 5 + 10: update 3 of 4, example 2: ...
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
            text = f"{symbols(f'‖{name}‖²')}\n= {number(area)}"
            ax.text(*corners.mean(axis=0), text, **style.TEXT)
    score, at = w @ z, "At the start"
    if w.any() and z.any():
        sweep = np.arctan2(turn, score)  # from the direction of w to that of z
        at = f"At {abs(np.degrees(sweep)):.0f}°"
        turned = np.arctan2(w[1], w[0]) + sweep * np.linspace(0, 1, 40)
        arc = 0.3 * math.sqrt(min(areas[:2])) * np.column_stack([np.cos(turned), np.sin(turned)])
        ax.plot(*np.array([w, w + 1.6 * arc[0]]).T, color=INK, lw=1, ls=":")  # w goes on
        ax.plot(*(w + arc).T, color=INK, lw=1.2)
        parts.note(ax, at.removeprefix("At "), w + arc[20])
        if min(areas) > 0.1 * max(areas):  # else there is no room in the triangle
            inside = f"{180 - abs(np.degrees(sweep)):.0f}°"
            middle = z / math.sqrt(areas[1]) - w / math.sqrt(areas[0])  # of the angle inside
            corner = w + 0.3 * math.sqrt(min(areas[:2])) * middle / np.hypot(*middle)
            ax.text(*corner, inside, **style.TEXT | {"color": GREY})
    kinds = {0: ("as large", "="), -1: ("smaller", "<"), 1: ("larger", ">")}
    kind, sign = kinds[int(np.sign(score))]
    (one, other, sum_), (before, added, after) = map(number, areas), vector_names(t)
    return f"{at} the square on the sum is {kind}: {sum_} {sign} {one} + {other}", (
        f"update {t} of {run.mistakes}, example {i}: {before}, {added} and their sum {after} as a "
        f"triangle with the squares on its sides; the angle between the first two is marked, and "
        f"what is left of 180° inside the triangle; the square on the sum differs from the other "
        f"two together by 2 z·w = {number(2 * score)}."
    )


@style.picture()
@door(t=style.update_number)
def progress(ax, run, u, t):
    """The projection on u after t updates: every one of them adds at least γ (P1).

    >>> from perceptron_lib import five_points, perceptron
    >>> X, y, u = five_points()
    >>> progress(perceptron(X, y), u, t=4)
    After 4 updates w·u = 4, and 4γ = 4 was promised: the weights after each update, by ...
    """
    u, gamma2 = separator_of(run, u)
    gamma, along = math.sqrt(gamma2), run.weights @ u
    across = np.linalg.norm(run.weights - np.outer(along, u), axis=1)
    if len(u) == 2:  # with its sign
        across = run.weights @ [-u[1], u[0]]
    points, floor = np.column_stack([along, across]), along[0] + gamma * np.arange(t + 1)
    parts.frame(ax, points, ("along u", "across u"))
    ax.axhline(0, **style.U)
    ax.plot(*points[: t + 1].T, color=GREY, lw=0.8, marker="." if t <= 60 else "", ms=4)
    some = np.linspace(0, t, t + 1 if t <= 60 else 21).astype(int)  # more would be a comb
    tip, name = points[t], vector_names(t)[2]
    for reached, color, marker in ((along, GREEN, 2), (floor, PURPLE, 3)):  # ticks, up and down
        ax.plot(reached[some], 0 * some, ls="", color=color, marker=marker, ms=10, mew=2)
    ax.plot([tip[0], tip[0]], [tip[1], 0], color=GREEN, lw=1)
    parts.arrow(ax, (0, 0), tip, name)
    begun = f"{number(along[0])} + " if along[0] else ""
    least = f"{begun}{t:,}γ = {number(floor[-1])}"
    parts.note(ax, f"{name}·u = {number(along[t])}", (tip[0], 0), color=GREEN)
    parts.note(ax, least, (floor[-1], 0), color=PURPLE)
    return f"After {count(t, 'update')} w·u = {number(along[t])}, and {least} was promised", (
        f"the weights after each update, by how far they reach along the unit vector u and "
        f"across it; the least gain along u is {number(np.diff(along)[:t].min())}, and the margin "
        f"γ is {number(gamma)}."
    )


@style.picture(3.6)
@door
def angle(ax, run, u):
    """The angle between w_t and the separator u, update after update (P4).

    >>> from perceptron_lib import five_points, perceptron
    >>> X, y, u = five_points()
    >>> angle(perceptron(X, y), u)
    After 4 updates the angle to u is 0°, where 51° is allowed: the angle is 45 degrees ...
    """
    length, (unit, gamma2) = style.weight_lengths(run, 1, from_0=True), separator_of(run, u)
    t, least = np.arange(1, len(length)), math.sqrt(gamma2 / radius2(run.X))
    cosines = np.sqrt(t) * least, run.weights[1:] @ unit / length[1:]
    allowed, degrees = np.degrees(np.arccos(np.clip(cosines, -1, 1)))
    both = {"ceiling": allowed, "observed": degrees}
    names = ("updates t", "degrees to u")
    parts.curves(ax, t, both, (style.BOUND, style.OBSERVED), names)
    last = f"After {count(len(t), 'update')} the angle to u is {degrees[-1]:.0f}°"
    return f"{last}, where {allowed[-1]:.0f}° is allowed", (
        f"the angle is {degrees[0]:.0f} degrees after the first update, {degrees.max():.0f} at "
        f"most, and {degrees[-1]:.0f} after the last of {len(degrees)}; the proof allows "
        f"{allowed[0]:.0f} degrees falling to {allowed[-1]:.0f}."
    )


@style.picture()
@door
def wandering(ax, run):
    """The mean of what was added, w/t after t updates, on its way in the hull of the z_i towards
    the point nearest to 0 (P15).

    >>> from perceptron_lib import five_points, perceptron
    >>> X, y, u = five_points()
    >>> wandering(perceptron(X, y))
    w/t stays in the hull: at last it is 1 long, and γ = 1: after 1, 2, … updates w/t is ...
    """
    style.weight_lengths(run, 1, from_0=True)
    Z, answer = style.plane_points(run.Z), separate(run.X, run.y)
    t = np.arange(1, run.mistakes + 1)
    means = run.weights[1:] / t[:, None]
    parts.frame(ax, Z, ("z₁", "z₂"))
    corners = parts.hull(ax, Z)
    parts.marks(ax, Z, run.y, 60 if len(run.y) <= 60 else 26)
    ax.plot(*means.T, color=INK, lw=1, marker="o", ms=5 if len(t) <= 60 else 3, zorder=4)
    if len(t) <= parts.FEW:
        for k, mean in zip(t, means, strict=True):
            parts.note(ax, f"{indexed('w', k + 1)}/{k}", mean)
    ax.plot(0, 0, "+", color=INK, ms=12, mew=2)
    parts.note(ax, "0", (0, 0))
    lengths, margin = np.hypot(*means.T), getattr(answer, "margin", 0.0)
    if margin:
        ax.add_patch(Circle((0, 0), margin, fill=False, zorder=2.6, **U))
        parts.note(ax, "γ", margin * answer.w / np.hypot(*answer.w), color=GREEN)
    at_last = f"at last it is {number(lengths[-1])} long, and γ = {number(margin)}"
    return f"w/t stays in the hull: {at_last}", (
        f"after 1, 2, … updates w/t is {', '.join(map(number, lengths[:6]))}"
        f"{', …' * (len(t) > 6)} away from 0; the hull of the {len(Z)} vectors z has "
        f"{len(corners)} corners, and comes no nearer to 0 than γ = {number(margin)}."
    )


@style.picture(3.8)
@door
def ceilings(ax, run):
    """What a run has proved about the margin after t updates: it is at most ‖w‖/t, which is at most
    R/√t (P15).

    >>> from perceptron_lib import five_points, perceptron
    >>> X, y, u = five_points()
    >>> ceilings(perceptron(X, y))
    After 4 updates no margin can exceed 1: at most 1.41, 1.12, 1.2, 1 by ‖w‖/t after 1, ...
    """
    length = style.weight_lengths(run, 1, from_0=True)[1:]
    t = np.arange(1, len(length) + 1)
    named = {"R/√t": math.sqrt(radius2(run.X)) / np.sqrt(t), "‖w⁽ᵗ⁺¹⁾‖/t": length / t}
    looks = [style.BOUND, style.OBSERVED]
    if margin := getattr(separate(run.X, run.y), "margin", 0.0):
        named["γ"], looks = np.full(len(t), margin), [*looks, style.U]
    parts.curves(ax, t, named, looks, ("updates t", "upper bounds on γ"))
    ax.locator_params("x", integer=True)
    so_far = number(min(length / t))
    return f"After {count(len(t), 'update')} no margin can exceed {so_far}", (
        f"at most {', '.join(map(number, (length / t)[:6]))}{', …' * (len(t) > 6)} by ‖w‖/t after "
        f"1, 2, … updates, and {number(named['R/√t'][-1])} by R/√t after the last; "
        f"the margin is {number(margin)}."
    )


# --- an explorer ----------------------------------------------------------------------------------

PROOF_DATA = {
    "random points": None,
    "unit vectors, n = 16": lambda: examples.worst_case(16),
    "ODD-MAX-BIT, n = 5": lambda: examples.odd_max_bit(5),
    "iris, setosa or not": examples.iris,
}


def explorer():
    """Choose data, margin, order and axes; the squeeze and the table of the proof follow (P5).

    >>> print(explorer().words)
    The run makes 6 mistakes; the walls allow 62. The margin γ is 0.126, the longest ...
    """
    data, powers = controls.choice("data", PROOF_DATA), [1 / 4, 1 / 8, 1 / 16, 1 / 32, 1 / 64]
    margin = controls.slider("margin", powers, 1 / 8, controls.one_over)
    order = controls.slider("order", range(7), 0, lambda k: str(k or "given"))
    log = controls.choice("axes", [("linear", False), ("logarithmic", True)])
    (ax,) = controls.axes(4.8, (0.15, 0.14, 0.82, 0.83))

    def draw(picture):
        data_set = PROOF_DATA[data.value]
        margin.disabled = data_set is not None
        X, y, u = data_set() if data_set else examples.separable(60, 2, margin.value, seed=1)
        u = separate(X, y).u if u is None else u
        turned = examples.shuffled(len(y), np.random.PCG64(order.value)) if order.value else None
        run = perceptron(X, y, order=turned)
        finding, words = picture.show(run=run, u=u, log=log.value)
        words += f" It begins with the examples {', '.join(map(str, run.updates[:3]))}."
        words += " On these axes both bounds are straight lines." * log.value
        return finding, words, proof_in_html(claims.mistake_bound(run, u))

    moved = [data, margin, order, log]
    return controls.Explorer(moved, lambda: (controls.Redrawn(squeeze, ax),), draw)


def proof_in_html(proof):
    """The lines of a proof as a small table: why each holds, and how narrowly."""
    rows = [f"<tr><td>{row}<td>{because}<td style='text-align: right'>{least}<td>{mark}"
            for row, _, because, _, least, _, mark in proof._cells()]  # fmt: skip
    head = "<tr><th>row<th>because<th>least slack<th>"
    return f"<table style='font-size: 11px; line-height: 1.2'>{head}{''.join(rows)}</table>"


# --- the exercises --------------------------------------------------------------------------------

FOUR_POINTS = ([(3, -1), (3, 4), (-1, -3), (-5, 0)], [1, 1, -1, -1])
FORGED = [(1, 0, 0), (2, 4, 12), (3, 6, 52), (4, 10, 104), (5, 11, 130), (6, 13, 169)]
# rows of t, w_t·u and ||w_t||², said to be of a run with γ = 2 and R² = 40


@checker(
    "03.1",
    "Draw the four z = y x. Between which two of them could the nearest point p lie?",
    "On the segment from (3, −1) to (1, 3), the p nearest to 0 is at a right angle to it.",
)
def bound_of_four_points(value):
    """(R/γ)² of four points, worked out by hand (P5)."""
    X, y = FOUR_POINTS
    value, bound, R2 = exact_number(value), separate(X, y).bound(), radius2(X)
    require(value > 0, "it must be positive")
    require(value * bound != 1, "this is (γ/R)², the other way up")
    unsquared = abs(float(value) ** 2 - float(bound)) < 0.1  # as roots are handed in rounded
    require(not unsquared, "this is R/γ, which has still to be squared")
    shorter = value * R2 / bound in (radius2([x]) for x in X)
    require(value == bound or not shorter, "R belongs to the longest of the four, not to another")
    require(value >= bound, "if R is right, no separator of these four has so much margin")
    require(value == bound, "if R is right, another separator has more margin than yours")
    return f"R² = {R2} and γ² = {R2 / bound}."


@checker(
    "03.2",
    "Work out, row by row, by how much each of the two numbers grows.",
    "Progress may not grow by less than 2, nor size by more than 40. And w·u may not exceed ‖w‖.",
)
def forged_table(claim_1, claim_2, cauchy_schwarz):
    """The updates at which a forged table breaks Claim 1, Claim 2 and Cauchy–Schwarz (P1–P4)."""
    updates = f"each answer must be the number of an update, from 1 to {len(FORGED) - 1}"
    one, two, three = whole_list([claim_1, claim_2, cauchy_schwarz], updates)
    require(all(1 <= t < len(FORGED) for t in (one, two, three)), updates)
    _, along, size = zip(*FORGED, strict=True)
    gain, growth, square = along[one] - along[one - 1], size[two] - size[two - 1], along[three] ** 2
    for broken, row in (
        (gain < 2, f"at update {one} Claim 1 asks for 2, and w·u gains {gain}"),
        (growth > 40, f"at update {two} Claim 2 allows 40, and ‖w‖² gains {growth}"),
        (square > size[three],
         f"after update {three} (w·u)² is {square}, and ‖w‖² is {size[three]}"),
    ):  # fmt: skip
        require(broken, f"{row}: that is possible")
    return "no Perceptron made this table."


@checker(
    "03.3",
    "From which w_1 is every example wrong for as long as possible?",
    "The best separator is u = (2, 1). Where must w_1·u lie, if much progress is still to be made?",
)
def start_breaks_the_bound(start):
    """A start from which the four points cost 12 mistakes or more, though (R/γ)² = 5 (P3)."""
    proper = "w_1 must be two whole numbers from −40 to 40"
    start = whole_list(start, proper)
    require(len(start) == 2 and max(map(abs, start)) <= 40, proper)
    mistakes, bound = perceptron(*FOUR_POINTS, start=start).mistakes, separate(*FOUR_POINTS).bound()
    from_here = f"{mistakes} mistakes from here"
    require(mistakes > bound, f"{from_here}: the bound, {bound}, is not even broken")
    require(mistakes >= 12, f"{from_here}: more than the bound, {bound}, but not 12")
    return f"{mistakes} mistakes, where {bound} would be the most from 0."
