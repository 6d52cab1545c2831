"""Lesson 3, the mistake bound: the steps of its proof on a run, and the pictures of them."""

import math
import re

import numpy as np
from matplotlib.patches import Circle

from perceptron_lib import claims, examples
from perceptron_lib.bounds import radius2
from perceptron_lib.checks import door
from perceptron_lib.exercises import Verdict, checker, exact_number, require, value_of, whole_list
from perceptron_lib.perceptron import perceptron
from perceptron_lib.plots import parts, style
from perceptron_lib.plots.runs import separator_of, squeeze, triangle, vector_names
from perceptron_lib.plots.style import GREEN, GREY, INK, PURPLE, U
from perceptron_lib.separability import separate
from perceptron_lib.show import count, indexed, number, short, symbols
from perceptron_lib.widgets import Scene

# --- the steps of the proof -----------------------------------------------------------------------

STEPS = {"update": "A2a", "Claim 1": "P1", "Claim 2": "P2", "start": "P3a", "progress": "P3b",
         "size": "P3c", "Cauchy–Schwarz": "P4", "bound": "P5"}  # fmt: skip


def walk(run, u, *steps):
    """Steps of the proof on a run, both sides of which are compared exactly: at how many updates a
    step holds, and by how much or where with equality; or where it fails.

    >>> X, y, u = examples.five_points()
    >>> walk(perceptron(X, y), u, "Claim 1", "Claim 2")
    Claim 1 holds at 4 updates, with equality at t = 1, 2, 3, 4
    Claim 2 holds at 4 updates, with at least 2 to spare
    """
    proof, said = claims.mistake_bound(run, u), []
    for step in steps:
        claim = proof[STEPS[step]]
        least = short(min(abs(a - b) for a, b in zip(claim.lhs, claim.rhs, strict=True)))
        equal = f"with equality at t = {', '.join(map(str, claim.tight))}"
        slack = equal if claim.tight else f"with at least {least} to spare"
        words = f"holds at {count(claim.checked, 'update')}, {slack}"
        if not claim.holds:
            t, sides = re.search(r"t = (\d+) .*: (.*)", claim.failure).groups()
            sum_ = "{2} is not {0} + {1}".format(*vector_names(int(t)))
            words = f"first fails at t = {t}: {sum_ if step == 'update' else sides}"
        said.append(f"{step} {words}")
    return Verdict("\n".join(said))


def broken(run, u):
    """The steps that fail on a run.

    >>> broken(perceptron([[1, 1]], [1], start=[0, -9]), [1, 0])
    'start, size, bound'
    """
    proof = claims.mistake_bound(run, u)
    return ", ".join(step for step, row in STEPS.items() if not proof[row].holds) or "none"


# --- pictures -------------------------------------------------------------------------------------


@style.picture()
@door(t=style.update_number)
def obtuse(ax, run, t):
    """On a mistake z_t and w_t are at 90° or more, so that the square on w_{t+1} is at most the
    other two together (P2): Pythagoras, with the sign on our side.

    >>> X, y, u = examples.five_points()
    >>> obtuse(perceptron(X, y), t=3)
    At 98° the square on the sum is smaller: 13 < 5 + 10: update 3 of 4, example 2: ...
    """
    (w, z, both), i, colour = triangle(ax, run, t)
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
        parts.note(ax, at.removeprefix("At "), w + 1.5 * arc[20])
    kind, sign = {0: ("as large", "="), -1: ("smaller", "<"), 1: ("larger", ">")}[np.sign(score)]
    (one, other, sum_), (before, added, after) = map(number, areas), vector_names(t)
    return f"{at} the square on the sum is {kind}: {sum_} {sign} {one} + {other}", (
        f"update {t} of {run.mistakes}, example {i}: {before}, {added} and their sum {after} as a "
        f"triangle with the squares on its sides; the angle between the first two is marked; the "
        f"square on the sum differs from the other two together by 2 z·w = {number(2 * score)}."
    )


@style.picture()
@door(t=style.update_number)
def progress(ax, run, u, t):
    """The projection on u after t updates: every one of them adds at least γ (P1).

    >>> X, y, u = examples.five_points()
    >>> progress(perceptron(X, y), u, t=4)
    After 4 updates w·u = 4, and 4γ = 4 was promised: the weights after each update, by ...
    """
    (u, gamma2), done = separator_of(run, u), run.weights[: t + 1]
    gamma, along, name = math.sqrt(gamma2), done @ u, vector_names(t)[2]
    away = np.linalg.norm(done - np.outer(along, u), axis=1)
    across = done @ [-u[1], u[0]] if len(u) == 2 else away  # in the plane with its sign
    points, floor = np.column_stack([along, across]), along[0] + gamma * np.arange(t + 1)
    parts.frame(ax, points, ("along u", "across u"))
    ax.axhline(0, **style.U)
    ax.plot(*points.T, color=GREY, lw=0.8, marker=".", ms=4)
    for reached, color, marker in ((along, GREEN, 2), (floor, PURPLE, 3)):  # ticks, up and down
        ax.plot(reached, 0 * reached, ls="", color=color, marker=marker, ms=10, mew=2)
    ax.plot([along[t]] * 2, [across[t], 0], color=GREEN, lw=1)
    parts.arrow(ax, (0, 0), points[t], name)
    least = f"{number(along[0])} + " * bool(along[0]) + f"{t:,}γ = {number(floor[t])}"
    parts.note(ax, f"{name}·u = {number(along[t])}", (along[t], 0), color=GREEN)
    parts.note(ax, least, (floor[t], 0), color=PURPLE)
    return f"After {count(t, 'update')} w·u = {number(along[t])}, and {least} was promised", (
        f"the weights after each update, by how far they reach along the unit vector u and "
        f"across it; the least gain along u is {number(np.diff(along).min())}, and the margin "
        f"γ is {number(gamma)}."
    )


@style.picture()
@door
def wandering(ax, run):
    """The mean of what was added, w/t after t updates, on its way in the hull of the z_i (P15).

    >>> X, y, u = examples.five_points()
    >>> wandering(perceptron(X, y))
    The mean stays in the hull, and ends 1 from 0: after 1, 2, … updates w/t is 1.41, ...
    """
    style.weight_lengths(run, 1, from_0=True)
    Z, answer = style.plane_points(run.Z), separate(run.X, run.y)
    means = run.weights[1:] / np.arange(1, run.mistakes + 1)[:, None]
    parts.frame(ax, Z, parts.NAMES_OF_Z)
    corners = parts.hull(ax, Z)
    parts.marks(ax, Z, run.y, 60 if len(run.y) <= 60 else 26)
    ax.plot(*means.T, color=INK, lw=1, marker="o", ms=5 if len(means) <= 60 else 3, zorder=4)
    place = style.TEXT | {"xytext": (8, 0), "textcoords": "offset points", "ha": "left"}
    for k, mean in enumerate(means if len(means) <= 5 else (), 1):  # more would overlap
        place["va"] = "bottom" if k == 1 else "center"  # at first it is one of the examples
        ax.annotate(symbols(indexed("p", k)), mean, **place)
    ax.plot(0, 0, "+", color=INK, ms=12, mew=2)
    parts.note(ax, "0", (0, 0))
    lengths, margin = np.hypot(*means.T), getattr(answer, "margin", 0.0)
    if margin:
        ax.add_patch(Circle((0, 0), margin, fill=False, zorder=2.6, **U))
        nearest = margin * answer.w / np.hypot(*answer.w)
        ax.plot(*np.array([0 * nearest, nearest]).T, color=GREEN, lw=1.8)
        parts.note(ax, "γ", nearest / 2, color=GREEN)
    return f"The mean stays in the hull, and ends {number(lengths[-1])} from 0", (
        f"after 1, 2, … updates w/t is {', '.join(map(number, lengths[:6]))}"
        f"{', …' * (len(means) > 6)} away from 0; the hull of the {len(Z)} vectors z has "
        f"{len(corners)} corners, and comes no nearer to 0 than γ = {number(margin)}."
    )


@style.picture(2.2)
@door
def lost(ax, run, u):
    """From the mistakes made to those allowed: by what factors Claim 1, Claim 2 and Cauchy–Schwarz
    gave something away (P5).

    >>> X, y, u = examples.five_points()
    >>> lost(perceptron(X, y), u)
    4 made, 10 allowed: most is lost in Claim 2: on a log axis Claim 1 takes a factor ...
    """
    proof, M, ends, factors = claims.mistake_bound(run, u), run.mistakes, [run.mistakes], {}
    ax.set(xscale="log", ylim=(-0.4, 0.9), yticks=[], xlabel="mistakes, on a logarithmic scale")
    rows = {"Claim 1": "P5a", "Claim 2": "P3c", "Cauchy–Schwarz": "P4"}
    for (name, row), shade in zip(rows.items(), (0.6, 0.35, 0.15), strict=True):
        factors[name] = factor = float(proof[row].rhs[-1] / proof[row].lhs[-1])
        ends.append(ends[-1] * factor)
        ax.barh(0, ends[-1] - ends[-2], left=ends[-2], height=0.6, color=PURPLE, alpha=shade)
        at = math.sqrt(ends[-1] * ends[-2]), 0.6 * (factor < 1.5)
        ax.text(*at, f"{name}\n× {factor:.2f}", **style.TEXT)
    made, allowed = f"{M:,} made", f"{math.floor(proof['P5'].rhs[-1]):,} allowed"
    ax.set_xticks([M, ends[-1]], [made, allowed])
    ax.minorticks_off()
    ax.spines["left"].set_visible(False)
    words = ", ".join(f"{name} takes a factor of {f:.2f}" for name, f in factors.items())
    most = max(factors, key=factors.get)
    return f"{made}, {allowed}: most is lost in {most}", f"on a log axis {words}."


# --- an explorer ----------------------------------------------------------------------------------


def explorer():
    """Choose data, margin, order and axes; the squeeze follows (P5).

    >>> print(explorer().still.alt)
    The run makes 6 mistakes; the walls allow 62: ...
    """
    X, y, u = examples.separable(60, 2, 1 / 8, seed=1)
    return Scene("explorers", squeeze(perceptron(X, y), u), scene="squeeze")


# --- the exercises --------------------------------------------------------------------------------

FOUR_POINTS = ([(5, 0), (4, 1), (1, -3), (-5, -5)], [1, 1, -1, -1])
FORGED = [(1, 0, 0), (2, 4, 12), (3, 6, 52), (4, 10, 104), (5, 11, 130), (6, 13, 169)]
# rows of t, w_t·u and ||w_t||², said to be of a run with γ = 2 and R² = 40


@checker(
    "03.1",
    "Draw the four z = y x. Between which two of them could the nearest point p lie?",
    "On the segment from (5, 0) to (−1, 3), the p nearest to 0 is at a right angle to it.",
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
    "From which w^(1) is every example wrong for as long as possible?",
    "The best separator is u = (1, 2). Where must w^(1)·u lie, if much progress is to be made yet?",
)
def start_breaks_the_bound(start_for):
    """For each k a start from which the four points cost k mistakes, though (R/γ)² = 10 (P3)."""
    for k in (1, 12, 100, 1000):
        proper = f"start_for({k}) must be two whole numbers from {-50 * k} to {50 * k}"
        start = whole_list(value_of(start_for, k), proper)
        require(len(start) == 2 and max(map(abs, start)) <= 50 * k, proper)
        mistakes = perceptron(*FOUR_POINTS, start=start).mistakes
        made = f"from start_for({k}) = {tuple(start)} the run makes {count(mistakes, 'mistake')}"
        made += f", where the bound from 0 is {separate(*FOUR_POINTS).bound()}"
        require(mistakes >= k, made)
    return f"{made}."
