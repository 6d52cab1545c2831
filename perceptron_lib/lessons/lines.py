"""Lesson 2, separability: a line, or a proof that there is none."""

from itertools import combinations, product

import ipywidgets as ipw
import numpy as np

from perceptron_lib import checks, examples, exercises
from perceptron_lib.checks import door, limit
from perceptron_lib.embedding import unit_length, with_bias
from perceptron_lib.exact import dot
from perceptron_lib.exercises import checker, exact_number, require, whole_list
from perceptron_lib.perceptron import perceptron
from perceptron_lib.plots import parts, style
from perceptron_lib.plots.plane import one_mean, stage
from perceptron_lib.plots.style import INK, U
from perceptron_lib.separability import Inseparable, Separator, separate
from perceptron_lib.show import count, number, numbers, symbols
from perceptron_lib.widgets import explorer as controls
from perceptron_lib.widgets.explorer import PETALS, Redrawn, petals

# --- pictures -------------------------------------------------------------------------------------


def not_0(value, name):
    """A number other than 0, as the Fraction it is."""
    return checks.fraction(value, name, "a finite number other than 0", bool)


@style.picture(2.2)
@door(x=limit(style.on_a_line), y=lambda y, _, given: checks.labels(y, len(given["x"])),
      w=limit(style.rounded_number, not_0), b=limit(style.rounded_number))  # fmt: skip
def threshold(ax, x, y, w, b):
    """Examples on a line and the threshold -b/w, with what lies on either side (A8).

    >>> threshold([1, 2, 3], [-1, -1, 1], w=2, b=-5)
    In one dimension the line is a threshold, −b/w = 2.5: 1 positive and 2 negative ...
    """
    cut = style.drawable(-b / w, "the threshold")
    parts.number_line(ax, [*x, cut], 1.0)
    parts.numbered_marks(ax, np.column_stack([x, np.zeros_like(x)]), y)
    ax.axvline(cut, **style.W)
    ax.axvspan(cut, ax.get_xlim()[w > 0], color=style.BLUE, alpha=0.08, lw=0)
    left, right = ("−", "+") if w > 0 else ("+", "−")
    ax.text(cut, 0.75, f"predict {left}  ", ha="right")
    ax.text(cut, 0.75, f"  predict {right}", ha="left")
    good = np.sum(np.sign(w * (x - cut)) == y)
    return f"In one dimension the line is a threshold, −b/w = {number(cut)}", (
        f"{parts.tally(y)}, on a line; the threshold is {number(cut)}, predicting {right} to the "
        f"right of it and {left} to the left; {good} of {len(y)} examples are right."
    )


@style.picture()
@door(w=limit(style.direction), point=limit(style.rounded, 2))
def distance(ax, w, b, point):
    """A point, its foot on the line w·x + b = 0, and two other ways to that line (A15).

    >>> distance([1, 2], -4, [4, 4])
    The straight way is |w·x + b|/‖w‖ = 3.58 long, others longer: from (4, 4) to the foot ...
    """
    b, unit = style.rounded_number(b, "b"), w / np.hypot(*w)
    far = (w @ point + b) / np.hypot(*w)
    foot, along = point - far * unit, np.array([-unit[1], unit[0]])
    others = [foot + share * abs(far) * along for share in (-0.9, 0.6)]
    beside = foot + 0.95 * abs(far) * along + np.outer((0, 0.3), abs(far) * unit)  # for w
    parts.frame(ax, np.vstack([point, *others, *beside, point + 0.1 * far * unit]))
    ax.plot(*parts.line_ends(ax, w, b), **style.W)
    for other in others:
        ax.plot(*np.array([point, other]).T, color=style.GREY, lw=1.4, ls="--")
        parts.note(ax, number(np.hypot(*(other - point))), (other + point) / 2, color=style.GREY)
    ax.plot(*np.array([point, foot]).T, color=INK, lw=2.6, ls=(0, (1, 0.6)))
    square = 0.06 * abs(far) * np.array([along, along + np.sign(far) * unit, np.sign(far) * unit])
    ax.plot(*(foot + square).T, color=INK, lw=1)
    parts.note(ax, number(abs(far)), (foot + point) / 2, weight="bold")
    parts.arrow(ax, *beside, "w")
    for at, text in ((point, "x"), (foot, "foot")):
        ax.plot(*at, "o", color=INK, ms=7)
        parts.note(ax, text, at)
    lengths = " and ".join(number(np.hypot(*(other - point))) for other in others)
    return f"The straight way is |w·x + b|/‖w‖ = {number(abs(far))} long, others longer", (
        f"from {numbers(point)} to the foot {numbers(foot)}, where {parts.line_in_words(w, b)}; "
        f"two other ways to the line have the lengths {lengths}."
    )


SLANT = np.array([[1, 0], [0.42, 0.3], [0, 1]])  # how x_1, x_2 and the height are drawn


@style.picture(3.6, columns=0)
@door(height=lambda height, name, given: style.rounded_number(height, name),
      w=limit(style.direction, 3))  # fmt: skip
def lift(figure, X, y, height, w):
    """Examples of the plane lifted to one height (the constant feature of a bias), and cut by the
    plane w·(x, height) = 0 through the origin; beside it, the same seen from above (A8).

    >>> lift([[0, 0], [0, 1], [1, 0], [1, 1]], [1, -1, -1, 1], 1, w=[1, 1, -2])
    Lifted into space, a plane gets 2 of 4 examples right: 2 positive and 2 negative ...
    """
    X, right = style.plane_points(X), np.sum(y * (X @ w[:2] + w[2] * height) > 0)
    space, above = figure.subplots(1, 2, width_ratios=(1.25, 1))
    _space(space, X, y, height, w)
    _from_above(above, X, y, height, w)
    return f"Lifted into space, a plane gets {right} of {len(y)} examples right", (
        f"{parts.tally(y)}, lifted all to height {number(height)}; the plane through the origin "
        f"with normal {numbers(w)} has {right} of {len(y)} on their own side, and cuts out the "
        "boundary drawn beside it."
    )


def _space(ax, X, y, height, w):
    """The lifted examples on stems, seen aslant; the plane through the origin, cut off by a box;
    and the trace that it leaves on the sheet at their height."""
    ax.axis("off")
    ground = np.vstack([X, np.zeros(2)])
    room = np.maximum(0.15 * np.ptp(ground, axis=0), 0.05 * np.ptp(ground))
    low = np.append(ground.min(axis=0) - room, min(height, 0.0))
    high = np.append(ground.max(axis=0) + room, max(height, 0.0))
    high[2] += 0.25 * (high[2] - low[2])
    scale = 0.75 / (high - low)  # of the box to the picture

    def seen(points):
        return np.atleast_2d((np.array(points, dtype=float) - low) * scale @ SLANT).T

    def face(up):
        return [(*low[:2], up), (high[0], low[1], up), (*high[:2], up), (low[0], high[1], up)]

    ax.fill(*seen(face(0)), fc="none", ec=style.GREY, lw=0.8)
    ax.fill(*seen(face(height)), fc=style.GREY, ec=style.GREY, alpha=0.25, lw=0.8)
    corners = np.array(list(product(*zip(low, high, strict=True))))
    edges = [(a, b) for a, b in combinations(corners, 2) if np.sum(a != b) == 1]
    ax.fill(*seen(_cut(edges, w)), fc=style.GREEN, ec=style.GREEN, alpha=0.3, lw=0.8)
    rim = np.array(face(height))
    trace = _cut(list(zip(rim, np.roll(rim, 1, axis=0), strict=True)), w)
    if len(trace):
        ax.plot(*seen(trace), **style.W | {"lw": 2.4})
    for point in X:
        ax.plot(*seen([(*point, 0), (*point, height)]), color=style.GREY, lw=1)
    parts.marks(ax, seen(np.column_stack([X, np.full(len(X), height)])).T, y)
    ax.plot(*seen((0, 0, 0)), "o", color=INK, ms=5)
    (x, z, _), texts = (low + high) / 2, [("0", (0, 0, 0), "right")]
    texts += [(parts.NAMES[0], (x, low[1], 0), "center"), (parts.NAMES[1], (high[0], z, 0), "left"),
              (f"height {number(height)}", (high[0], low[1], height), "left")]  # fmt: skip
    for text, at, side in texts:
        look = style.TEXT | {"ha": side, "va": "top", "textcoords": "offset points"}
        ax.annotate(symbols(text), seen(at)[:, 0], (0, -5), **look)


def _cut(edges, w):
    """Where the plane w·p = 0 cuts these edges, in order around their middle."""
    cuts = [a + (a @ w) / (a @ w - b @ w) * (b - a) for a, b in edges if (a @ w) * (b @ w) < 0]
    cuts += [end for end in np.unique(np.reshape(edges, (-1, 3)), axis=0) if end @ w == 0]
    if len(cuts) < 3:
        return np.reshape(cuts, (-1, 3))
    around = np.array(cuts) - np.mean(cuts, axis=0)
    across = np.linalg.svd(around)[2]
    return np.array(cuts)[np.argsort(np.arctan2(around @ across[1], around @ across[0]))]


def _from_above(ax, X, y, height, w):
    """Where the plane cuts the sheet: the boundary among the examples."""
    style.frameless(ax)
    parts.frame(ax, X, room=0.3)
    parts.shade_sign(ax, lambda points: points @ w[:2] + w[2] * height, 901, 1)
    parts.whole_ticks(ax.xaxis, X)
    parts.whole_ticks(ax.yaxis, X)
    parts.numbered_marks(ax, X, y)
    ax.set_title("seen from above")


@style.picture(columns=0)
@door(sets=limit(style.by_name))
def gallery(figure, sets, title):
    """Up to four sets of examples in the plane, by their names: which can a line separate? (A9)

    >>> gallery({"A": ([[0, 0], [1, 1]], [1, -1]), "B": examples.xor()[:2]}, "Which have a line?")
    Which have a line?: A: 1 positive and 1 negative examples; B: 2 positive and 2 negative ...
    """
    words = []
    style.resize(figure, 5.3)
    for k, (name, (X, y)) in enumerate(sets.items()):
        X = style.plane_points(checks.table(X))
        ax = figure.add_subplot(2, 2, k + 1)
        room = 0.15 * np.ptp(X, axis=0).max() or 1.0
        style.show_all(ax, X - room, X + room)
        ax.set(xticks=[], yticks=[], facecolor="none")
        parts.marks(ax, X, checks.labels(y, len(X)))
        ax.set_title(name)
        words.append(f"{name}: {parts.tally(checks.labels(y, len(X)))}")
    return checks.instance(title, str, "title", "a text"), "; ".join(words) + "."


@style.picture()
@door
def nearest(ax, X, y):
    """The hull of the z_i = y_i x_i and its point p nearest to 0: the direction of the largest
    margin ‖p‖ or, if p = 0, the proof that there is no separator (A14).

    >>> nearest([[3, 1], [1, 3], [-1, 0]], [1, 1, -1])
    The hull comes no nearer to 0 than p, which has length 1: 2 positive and 1 negative ...
    """
    Z, answer = y[:, None] * style.plane_points(X), separate(X, y)
    share = np.array([float(v) for v in answer.multipliers / sum(answer.multipliers)])
    p = np.zeros(2) if isinstance(answer, Inseparable) else share @ Z
    parts.frame(ax, Z, parts.NAMES_OF_Z)
    parts.whole_ticks(ax.xaxis, Z)
    parts.whole_ticks(ax.yaxis, Z)
    parts.hull(ax, Z)
    parts.multipliers(ax, Z, share)
    parts.marks(ax, Z, y)
    few = len(y) <= parts.FEW
    for i in range(len(y)) if few or np.sum(share > 0) <= 4 else ():
        text = [str(i)] * few + [f"λ = {number(share[i])}"] * bool(share[i])
        parts.note(ax, ": ".join(text), Z[i])
    ax.plot(0, 0, "o", color=INK, ms=4)
    some = f"{np.sum(share > 0)} of {len(y)} examples"
    used = f"multipliers λ on {some}"
    if not p.any():
        parts.note(ax, "p = 0", (0, 0))
        if np.sum(share > 0) <= 4:
            corners = Z[share > 0]
            around = np.argsort(np.arctan2(*corners.T))
            ax.fill(*corners[around].T, fc=style.ORANGE, alpha=0.25, lw=0, zorder=0.5)
        finding = "0 lies in the hull, so there is no separator"
        return finding, f"{parts.tally(y)}; the hull of the z = y x contains 0; {used} show it."
    ax.plot(*parts.line_ends(ax, p, -p @ p), **U)
    parts.arrow(ax, (0, 0), p, "p", look={**U, "ls": "-"})
    return f"The hull comes no nearer to 0 than p, which has length {number(answer.margin)}", (
        f"{parts.tally(y)}; of the hull of the z = y x the point nearest to 0 is {numbers(p)}, "
        f"a mean with {used}; all z lie beyond the dashed line through it, which is "
        f"{number(answer.margin)} away from 0."
    )


@style.picture()
@door(multipliers=lambda v, name, _: checks.fractions(v, None, name))
def certificate(ax, X, y, multipliers):
    """Why no line separates: a weighted mean of each class, and both are the same point (A12).

    The multipliers satisfy sum_i λ_i y_i (x_i, 1) = 0: each class has the same total and the same
    weighted sum.  A line with all positives on one side has their mean on that side too.

    >>> certificate([[0, 0], [0, 1], [1, 0], [1, 1]], [1, -1, -1, 1], [1, 1, 1, 1])
    No line: both classes have (0.5, 0.5) as a weighted mean: a weighted mean of the ...
    """
    if not Inseparable(with_bias(X), y, multipliers).verify():
        raise ValueError("multipliers must be whole λ_i >= 0 with sum_i λ_i y_i (x_i, 1) = 0")
    parts.frame(ax, style.plane_points(X))
    parts.whole_ticks(ax.xaxis, X)
    parts.whole_ticks(ax.yaxis, X)
    for i, x in enumerate(X):
        parts.note(ax, str(i), x)
    return one_mean(ax, X, y, multipliers)


EIGHT = [1, 1, 1, 1, -1, -1, -1, -1]
FOUR_SETS = {  # the gallery
    "A": ([(0, 4), (1, 6), (2, 3), (4, 5), (3, 0), (5, 2), (6, 1), (7, 4)], EIGHT),
    "B": ([(4, 3), (5, 6), (7, 4), (8, 6), (0, 1), (2, 7), (3, 2), (7, 0)], EIGHT),
    "C": ([(0, 1), (4, 3), (8, 5), (12, 7), (2, 1), (6, 3), (10, 5), (14, 7)], EIGHT),
    "D": ([(0, 1), (1, 4), (2, 2), (5, 3), (2, 6), (4, 1), (3, 7), (5, 0)], EIGHT),
}  # fmt: skip


# --- an explorer ----------------------------------------------------------------------------------

STEPPER_DATA = {
    "XOR, with a bias": lambda: (with_bias(2 * examples.xor().X - 1), examples.xor().y),
    "five points": lambda: examples.five_points()[:2],
    f"{PETALS}, with a bias": lambda: (with_bias(petals()[0], 10), petals()[1]),
}
TIES = [("is a mistake", "mistake"), ("predicts −", "negative"), ("predicts +", "positive")]


def explorer():
    """Step forward and back through a run: data, line, weights, the mistake, its score (A2).

    >>> print(explorer().words)
    Update 2 adds z of example 1: w = (0, −2, 0). 2 positive and 2 negative examples. Update ...
    """
    data, tie = controls.choice("data", STEPPER_DATA), controls.choice("a score of 0", TIES)
    step, play = controls.counter("update", 0, 1), ipw.Play(value=0, min=0, max=1, interval=900)
    (ax,) = controls.axes(4.9, (0.14, 0.14, 0.83, 0.83))
    ipw.jslink((play, "value"), (step, "index"))

    def load():
        run = perceptron(*STEPPER_DATA[data.value](), tie=tie.value, max_passes=200)
        step.value = play.value = 0
        step.options = [(str(t), t) for t in range(run.mistakes + 1)]
        play.max = run.mistakes
        return (Redrawn(stage, ax, run=run, names=controls.feature_names(data.value)),)

    def draw(picture):
        (finding, words), run = picture.show(t=step.value), picture.kept["run"]
        words += f" A score of 0 {tie.label}."
        last = step.value == run.mistakes
        if last and run.outcome == "cycled":
            period = int(run.certificate.sum())
            before = run.mistakes - period
            when = f"after update {before}" if before else "at the start"
            words += f" Now w is what it was {when}: the same {count(period, 'update')} come again"
            words += ", for ever. No line separates these examples."
        elif last:
            words += f" This was the last update: {repr(run).split(': ', 1)[1]}."
        return finding, words, ""

    stepper = controls.Explorer([data, tie, step, play], load, draw, [data, tie])
    step.value = play.value = 2  # to begin with, there should be something to see
    return stepper


# --- the exercises --------------------------------------------------------------------------------

NO_LINE = np.array([(0.0, 0), (4, 0), (0, 4), (1, 1), (3, 3), (5, 1)]), np.array([1, -1]).repeat(3)


@checker(
    "02.1",
    "A line through the origin gives opposite points opposite labels. Which labels defeat it?",
    "Two examples can settle that. The others must leave room for a line beside the origin.",
)
def needs_a_bias(X, y):
    """Examples in different directions, separable by a line but by none through 0 (A13)."""
    X, y = exercises.few_points(X, y, 4)
    exercises.different_directions(X, y)
    exercises.best_separator(with_bias(X), y, "even with a bias, no line separates these")
    through_origin = isinstance(separate(X, y), Separator)
    require(not through_origin, "a line through the origin separates these already")
    return "separable with a bias, and not without."


@checker(
    "02.2",
    "The z are (3, −1), (0, 5) and (4, 3). Which corner or side of their triangle looks towards 0?",
    "The nearest point of a side is where the side is at a right angle to p. Write p as "
    "λ z_0 + (1 − λ) z_1 and solve p·(z_1 − z_0) = 0.",
)
def nearest_by_hand(multipliers):
    """The multipliers of the point of a hull that is nearest to 0 (A14)."""
    three = "three numbers, such as ['1/2', '1/4', '1/4']"
    share = [exact_number(v) for v in checks.fractions(multipliers, 3, "the answer", three)]
    require(min(share) >= 0, "a multiplier is negative, so the point may lie outside the hull")
    require(sum(share) == 1, f"the multipliers sum to {sum(share)}, not to 1")
    Z = np.array([(3, -1), (0, 5), (4, 3)], dtype=object)
    p = share @ Z
    shown = f"p = {numbers(p)}"
    for i, z in enumerate(Z):
        nearer = f"{shown} has z·p below ‖p‖² for example {i}: a step towards it would come nearer"
        require(z @ p >= p @ p, nearer)
    return f"{shown}, and every z·p is at least ‖p‖² = {p @ p}."


@checker(
    "02.3",
    "The function needs three things: no number below 0, not all of them 0, and a sum that is 0 in "
    "each coordinate, that of the constant included.",
    "For k, look for a square inside the triangle of the circles. Write it as a weighted mean of "
    "the corners, and multiply until all numbers are whole.",
)
def proof_of_inseparability(is_certificate, k):
    """A function that knows a proof when it sees one, and whole multipliers that prove: no line
    separates the six examples `NO_LINE` (A12)."""
    (X, y, _), trials = examples.xor(), [(1, 1, 1, 1), (3, 3, 3, 3), (0, 0, 0, 0), (-1, -1, -1, -1)]
    for trial in [*trials, (1, 1, 1, 0), (1, 0, 0, 1)]:
        said, proves = bool(is_certificate(np.array(trial), 2 * X - 1, y)), trial in trials[:2]
        require(said == proves, f"is_certificate says {said} of k = {trial} for XOR's corners, "
                f"but k proves {'it' if proves else 'nothing'}")  # fmt: skip
    X, y = NO_LINE
    k = whole_list(k, "k must be a list of whole numbers (multiply until they are whole)")
    require(len(k) == 6, f"k needs six numbers, and has {len(k)}")
    total = numbers(dot(np.array(k, dtype=object) * y, with_bias(X).astype(np.int64)))
    proved = Inseparable(with_bias(X), y, np.array(k, dtype=object)).verify()
    require(proved, f"this k proves nothing: its sum is {total}; a proof has the sum 0, no number "
            "below 0, and not all of them 0")  # fmt: skip
    return "your function knows a proof when it sees one, and no line separates these six."


@checker(
    "02.4",
    "After the scaling all examples lie on a circle. Which labellings of four points of a circle "
    "defeat every line?",
    "The labels must alternate around the circle. Before the scaling, lengths can pull one of the "
    "examples out of the others' way.",
)
def spoilt_by_unit_length(X, y):
    """Examples in different directions that a line separates until all have length 1 (E7)."""
    X, y = exercises.few_points(X, y, 4)
    exercises.different_directions(X, y)
    exercises.small_coordinates(X)
    exercises.best_separator(with_bias(X), y, "even unscaled, no line separates these")
    after = isinstance(separate(with_bias(unit_length(X)), y), Separator)
    require(not after, "a line separates the scaled examples too")
    return "scaling each example to length 1 has destroyed separability."
