"""Examples on a line and in the plane: separators, runs step by step, margins, lines compared."""

import math

import numpy as np

from perceptron_lib import checks
from perceptron_lib.bounds import scores
from perceptron_lib.embedding import with_bias
from perceptron_lib.pac import averaged_weights, voted_labels
from perceptron_lib.plots import parts, style
from perceptron_lib.plots.parts import NAMES
from perceptron_lib.plots.style import BOUND, GREY, INK, U, W
from perceptron_lib.show import count, number, numbers

LOOKS = (W, {"color": GREY, "ls": ":", "lw": 2.2}, {"color": GREY, "ls": "-", "lw": 1}, U)


@style.picture(6.4, 2.7)
def legend(ax):
    """The visual vocabulary: what each colour and shape means, in all pictures.

    >>> legend()
    The 8 signs, each with its own colour and shape: blue circles are class +, vermilion ...
    """
    ax.set(xlim=(0, 9), ylim=(-0.6, 3.6))
    ax.axis("off")
    spots = np.array([(0.35, height) for height in (3, 2, 1, 0)])
    ax.fill([0, 0.8, 0.8, 0], [2.7, 2.7, 3.3, 3.3], color=style.BLUE, alpha=0.08, lw=0)
    ax.plot(*spots[2], **style.CURRENT, ms=17)
    parts.multipliers(ax, spots, np.array([0, 0, 0, 0.3]))
    parts.marks(ax, spots, np.array([1, -1, 1, 1]))
    parts.vector(ax, (4.8, 3), (5.6, 3))
    ax.plot([4.8, 5.6], [2, 2], **U)
    ax.plot([4.8, 5.6], [1, 1], **BOUND)
    ax.plot([4.8, 5.2, 5.6], [0, 0.1, 0], **style.OBSERVED)
    words = ("class +, and the + side of a line", "class −", "the current example",
             "a multiplier λ or α", "w and its line", "u, or the best separator",
             "a bound", "what was observed")  # fmt: skip
    for k, text in enumerate(words):
        ax.text(1.0 + 4.8 * (k // 4), 3 - k % 4, text, va="center", fontsize=10, color=INK)
    return "The 8 signs, each with its own colour and shape", (
        "blue circles are class +, vermilion squares class −; a yellow disc marks the "
        "current example, an orange ring an example with a multiplier; w is black and solid, u "
        "green and dashed, a bound purple and dash-dotted, and observed values are sky-blue dots."
    )


@style.picture(5.2, 4.4)
def plane(ax, X, y, w=None, b=0.0, title="", names=NAMES):
    """Examples in the plane and, if w is given, the line w·x + b = 0 with w standing on it (A8).

    >>> plane([[1, 1], [3, -1], [-3, 0]], [1, 1, -1], w=[1, 0])
    3 of 3 examples on the correct side of the line: 2 positive and 1 negative examples; ...
    """
    w, b = style.floats([0, 0] if w is None else w, "w", 2), style.real(b, "b")
    X, y = parts.examples(ax, X, y, names, origin=not b)
    told = f"{parts.tally(y)}; {parts.line_in_words(w, b)}"
    if not w.any():
        finding = f"{count(len(y), 'example')}: {np.sum(y > 0)} of class +, {np.sum(y < 0)} of −"
        return finding, told + "."
    parts.line(ax, w, b)
    right = f"{sum(s > 0 for s in scores(with_bias(X), y, [*w, b]))} of {len(y)}"
    finding = f"{right} examples on the correct side of the line"
    return finding, f"{told}, with {right} on the correct side."


def stage(ax, run, t, names=NAMES):
    """The state after t updates of a run on plane data, with or without constant features: the
    line before and after, and the mistake."""
    X, constants, tally = run.X[:, :2], run.X[0, 2:], parts.tally(run.y)
    if X.shape[1] < 2 or (run.X[:, 2:] != constants).any():
        raise ValueError("the run must be on two features, with none but constants beside them")
    parts.examples(ax, X, run.y, names)
    every, longest = run.weights, np.hypot(*run.weights[:, :2].T).max()
    lines = [(w[:2], float(w[2:] @ constants)) for w in every[[max(t - 1, 0), t]]]
    if not ax.figure.get_layout_engine():  # a picture drawn again and again: nothing should jump
        for w in every[every[:, :2].any(axis=1)]:
            parts.standing(ax, w[:2], float(w[2:] @ constants), longest)
    parts.line(ax, *lines[1], longest=longest)
    w = numbers(run.weights[t])
    if t == 0:
        return f"Start: w = {w}", f"{tally}. Start, before any update: w = {w}."
    i = run.updates[t - 1]
    ax.plot(*parts.line_ends(ax, *lines[0]), color=GREY, lw=1.2, ls=":")
    ax.plot(*X[i], **style.CURRENT, ms=17)
    old, new = (number(run.X[i] @ w) for w in run.weights[[t - 1, t]])
    of = "" if run.outcome == "cycled" else f" of {run.mistakes}"  # which has no last one
    return f"Update {t}: add z of example {i}, w = {w}", (
        f"{tally}. Update {t}{of}, in pass {run.steps[t - 1] // len(run.y) + 1}: "
        f"example {i}, x = {numbers(run.X[i])} with label {'+1' if run.y[i] > 0 else '−1'}, "
        f"scored {old}: a mistake. w becomes {w}; "
        f"the example's score is now {new}, and {parts.line_in_words(*lines[1])}."
    )


@style.picture(10.4, 3.1, columns=0)
def steps(figure, run):
    """The first eight updates of a run on plane data, side by side: line before, mistake, line
    after (A2).

    >>> from perceptron_lib import five_points, perceptron
    >>> X, y, u = five_points()
    >>> steps(perceptron(X, y))
    4 updates, from w = (0, 0) to (4, 0): 3 positive and 2 negative examples; update 1 ...
    """
    style.lengths(run, least=1)
    drawn, words = min(run.mistakes, 8), [parts.tally(run.y)]
    rows, columns = 1 + (drawn > 4), min(drawn, 4)
    style.resize(figure, 2.7 * max(columns, 2), 3.1 * rows)
    for t in range(1, drawn + 1):
        ax = figure.add_subplot(rows, columns, t)
        style.plain(ax)
        stage(ax, run, t)
        i, w = run.updates[t - 1], numbers(run.weights[t])
        ax.set_title(f"update {t}: add z of example {i}", fontsize=9.5)
        ax.tick_params(labelsize=7)
        words.append(f"update {t} adds z = y x of example {i}, giving w = {w}")
    right, many = np.sum(run.predict(run.X) == run.y), f" of {run.mistakes}" * (run.mistakes > 8)
    finding = f"{drawn}{many} updates, from w = {numbers(run.weights[0])} to {w}"
    return finding, f"{'; '.join(words)}; then {right} of {len(run.y)} examples are right."


@style.picture(6.0, 2.0)
def threshold(ax, x, y, w, b, title=""):
    """Examples on a line and the threshold -b/w, with what lies on either side (A8).

    >>> threshold([1, 2, 3], [-1, -1, 1], w=2, b=-5)
    In one dimension the line is a threshold, −b/w = 2.5: 1 positive and 2 negative ...
    """
    x = style.on_a_line(x)
    y = checks.labels(y, len(x))
    w = checks.real(w, "w", "a finite number other than 0", lambda v: v and math.isfinite(v))
    cut = style.drawable(-style.real(b, "b") / w, "the threshold")
    parts.number_line(ax, [*x, cut], 1.0)
    parts.numbered(ax, np.column_stack([x, np.zeros_like(x)]), y, size=80)
    ax.axvline(cut, **W)
    ax.axvspan(cut, ax.get_xlim()[w > 0], color=style.BLUE, alpha=0.08, lw=0)
    left, right = ("−", "+") if w > 0 else ("+", "−")
    ax.text(cut, 0.75, f"predict {left}  ", ha="right", color=INK)
    ax.text(cut, 0.75, f"  predict {right}", ha="left", color=INK)
    good = np.sum(np.sign(w * (x - cut)) == y)
    return f"In one dimension the line is a threshold, −b/w = {number(cut)}", (
        f"{parts.tally(y)}, on a line; the threshold is {number(cut)}, predicting {right} to the "
        f"right of it and {left} to the left; {good} of {len(y)} examples are right."
    )


@style.picture(5.8, 5.0)
def margins(ax, X, y, w, best, example=0):
    """Three margins in one picture (A10): of an example and of the set with respect to w, and the
    largest that any line through the origin has (that of `best`).

    >>> from perceptron_lib import five_points, separate
    >>> X, y, u = five_points()
    >>> margins(X, y, w=[3, -1], best=separate(X, y))
    Margins: example 0 has 0.632, the solid line 0.000, the best line 1.000: 3 positive ...
    """
    (X, y), w, u = parts.examples(ax, X, y), style.direction(w), style.direction(best.w, "best.w")
    example, distance = checks.whole(example, "example", 0, len(y) - 1), y * (X @ w) / np.hypot(*w)
    closest = int(np.argmin(distance))
    of_one, of_all, most = (f"{v:.3f}" for v in (*distance[[example, closest]], best.margin))
    parts.band(ax, u, best.margin)
    parts.line(ax, u, look=U, name="u", shade=False)
    parts.line(ax, w)
    ax.plot(*X[[example, closest]].T, **style.CURRENT, ms=17)
    for i in {example, closest}:
        foot = X[i] - X[i] @ w / (w @ w) * w
        ax.plot(*np.array([X[i], foot]).T, color=INK, lw=2.6, ls=(0, (1, 0.6)))
        parts.note(ax, f"{distance[i]:.3f}", (X[i] + foot) / 2, weight="bold")
        parts.note(ax, f"example {i}", X[i], fontsize=8.5)
    finding = f"example {example} has {of_one}, the solid line {of_all}, the best line {most}"
    return f"Margins: {finding}", (
        f"{parts.tally(y)}; two lines through the origin. From the solid one, example {example} "
        f"is {of_one} away and the closest, example {closest}, {of_all}. The dashed one is the "
        f"best: its band without examples reaches {most} to either side."
    )


@style.picture(5.8, 4.8)
def lines(ax, X, y, named, title="", names=NAMES):
    """Several lines through the same examples: `named` maps a name to (w, b) (M8).  The first is
    the Perceptron's, the last of several the best.

    >>> from perceptron_lib import five_points
    >>> X, y, u = five_points()
    >>> lines(X, y, {"w": ([3, -1], 0), "u": (u, 0)})
    Margins: w 0, u 1: 3 positive and 2 negative examples. w: the line is 3 x1 − x2 = 0, ...
    """
    (X, y), named = parts.examples(ax, X, y, names), style.named(named, "named")
    looks, words, margins = [*LOOKS[: max(len(named) - 1, 1)], U], [], []
    for look, (name, line) in zip(looks, named.items(), strict=False):
        if not isinstance(line, (tuple, list)) or len(line) != 2:
            raise checks.refusal(f"the line {name!r}", "a pair (w, b)", line)
        w, b = style.floats(line[0], "w", 2), style.real(line[1], "b")
        ax.plot(*parts.line_ends(ax, w, b), **look, label=name)
        margin = number((y * (X @ w + b)).min() / (np.hypot(*w) or 1.0))
        margins.append(f"{name} {margin}")
        told, steep = parts.line_in_words(w, b), math.degrees(math.atan2(-w[0], w[1])) % 180
        words.append(f"{name}: {told}, at {steep:.1f} degrees, margin {margin}")
    parts.key(ax)
    return "Margins: " + ", ".join(margins), f"{parts.tally(y)}. {'; '.join(words)}."


@style.picture(9.6, 4.2, columns=2)
def outlier(axes, X, y, w, u, title=""):
    """One far example rules w: all of the plane, and the crowd near the origin (H7).

    >>> from perceptron_lib import examples, perceptron
    >>> X, y, u = examples.outlier()
    >>> outlier(X, y, perceptron(X, y, max_passes=1).w, u)
    w has 40 of 41 examples wrong, u only 1: 21 positive and 20 negative examples; 1 of ...
    """
    (X, y), w, u = style.in_the_plane(X, y), style.direction(w), style.direction(u, "u")
    far = np.hypot(*X.T)
    crowd = far <= 4 * np.median(far)
    wrong = [np.sum(y * (X @ v) <= 0) for v in (w, u)]
    for ax, shown, names in zip(axes, (X, X[crowd]), (("", ""), ("w", "u")), strict=True):
        parts.frame(ax, shown)
        parts.marks(ax, X, y, 34)
        parts.line(ax, w, name=names[0])
        parts.line(ax, u, look=U, name=names[1], shade=False)
    axes[0].set_title("everything", fontsize=10)
    axes[1].set_title(f"the {np.sum(crowd)} examples near the origin", fontsize=10)
    axes[0].plot(*X[~crowd].T, **style.CURRENT, ms=15)
    return f"w has {wrong[0]} of {len(y)} examples wrong, u only {wrong[1]}", (
        f"{parts.tally(y)}; {np.sum(~crowd)} of them far away, at a distance up to "
        f"{number(far.max())}, the others within {number(far[crowd].max())} of the origin."
    )


@style.picture(5.6, 4.6)
def disagreement(ax, X, u, w, title=""):
    """The error of a hypothesis w is the weight of the region where it and u disagree (Q1).

    >>> disagreement([[1, 2], [2, 1], [-1, 1], [-2, -1]], u=[1, 0], w=[1, 1])
    Error: 1 of 4 examples lie where w and u disagree: 2 positive and 2 negative ...
    """
    X, u, w = style.points(X), style.direction(u, "u"), style.direction(w)
    X, y = parts.examples(ax, X, np.where(X @ u > 0, 1, -1))
    one, other = (parts.line_ends(ax, v).T for v in (w, u))
    corners = [one[0], one[0] + other[0], *other, other[1] + one[1], one[1]]
    ax.fill(*np.transpose(corners), color=style.YELLOW, alpha=0.45, lw=0, zorder=-1)
    parts.line(ax, w)
    parts.line(ax, u, look=U, name="u", shade=False)
    wrong = np.sum(y * (X @ w) <= 0)
    return f"Error: {wrong} of {len(y)} examples lie where w and u disagree", (
        f"{parts.tally(y)}, labelled by u (dashed); {wrong} of them lie in the region "
        "between the two lines, where w predicts the other label."
    )


@style.picture(5.8, 4.8)
def votes(ax, run, title=""):
    """The boundary of the last, of the averaged and of the voted weights of one run (H8).

    >>> from perceptron_lib import five_points, perceptron
    >>> X, y, u = five_points()
    >>> votes(perceptron(X, y))
    Wrong examples: last 0, averaged 0, voted 0: 3 positive and 2 negative examples; ...
    """
    style.lengths(run, least=1)
    X, y = parts.examples(ax, run.X, run.y)
    average, turn = averaged_weights(run), np.radians(np.arange(0, 360, 0.25))
    around = np.column_stack([np.cos(turn), np.sin(turn)])  # directions say it all: no bias
    labels = voted_labels(run, around)
    edges = around[labels != np.roll(labels, -1)]
    rays = 9 * np.abs(ax.corners).max() * np.stack([0 * edges, edges], axis=1).reshape(-1, 2)
    ax.plot(*rays.T, color="#BBBBBB", lw=6, zorder=1, label="voted")
    for w, look, name in ((run.w, W, "last"), (average, LOOKS[1], "averaged")):
        ax.plot(*parts.line_ends(ax, w), **look, label=name)
    parts.key(ax)
    last, averaged = (np.sum(y * (X @ w) <= 0) for w in (run.w, average))
    told = f"last {last}, averaged {averaged}, voted {np.sum(voted_labels(run, X) != y)}"
    return f"Wrong examples: {told}", (
        f"{parts.tally(y)}; after {run.mistakes} updates the boundaries of the last and the "
        f"averaged weights are lines, that of the vote has {len(edges)} rays; wrong of "
        f"{len(y)}: {told}."
    )


@style.picture(5.6, 4.8)
def moves(ax, X, y, w, gamma, title=""):
    """How far each example must be moved to have margin gamma for the line w·x = 0 (H2).

    >>> from perceptron_lib import five_points
    >>> X, y, u = five_points()
    >>> moves(X, y, u, gamma=2)
    3 of 5 examples must move, 3 in all (γ = 2): 3 positive and 2 negative examples; 3 of ...
    """
    (X, y), w = style.in_the_plane(X, y), style.direction(w)
    unit, gamma = w / np.hypot(*w), style.real(gamma, "gamma", checks.positive)
    short = np.maximum(gamma - y * (X @ unit), 0)
    stay, movers = short == 0, np.flatnonzero(short)
    parts.frame(ax, X)
    parts.band(ax, w, gamma)
    parts.line(ax, w, look=U, name="u")
    parts.marks(ax, X[stay], y[stay], 26, alpha=0.45)
    parts.marks(ax, X[movers], y[movers], 44)
    for i in movers:
        look = {"color": style.CLASSES[int(y[i])]["color"], "ls": "-", "lw": 1}
        tip = X[i] + y[i] * short[i] * unit
        parts.vector(ax, X[i], tip, look=look, mutation_scale=7, alpha=0.85)
    total = f"{number(round(short.sum(), 3))} in all (γ = {number(gamma)})"
    return f"{len(movers)} of {len(y)} examples must move, {total}", (
        f"{parts.tally(y)}; {len(movers)} of them have to move to be {number(gamma)} away from "
        f"the line on their own side, by {short.sum():.3f} in all, the farthest by "
        f"{number(short.max())}."
    )


class Stage(style.redrawn(stage, "run", "names")):
    """The state of a run after t updates, on axes that stay.

    >>> from perceptron_lib import five_points, perceptron
    >>> run = perceptron(*five_points()[:2])
    >>> stage = Stage(style.card(5, 4).subplots(), run)
    >>> stage.show(2)[0]
    'Update 2: add z of example 4, w = (2, −1)'
    """
