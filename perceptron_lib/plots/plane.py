"""Examples in the plane: separators, stages of a run, margins, lines compared, and lifts."""

from itertools import product

import numpy as np

from perceptron_lib import checks
from perceptron_lib.bounds import scores
from perceptron_lib.checks import door, limit
from perceptron_lib.embedding import with_bias
from perceptron_lib.plots import parts, style
from perceptron_lib.plots.parts import NAMES
from perceptron_lib.plots.style import AID, CARD, CLASSES, GREEN, GREY, INK, TEXT, U, W
from perceptron_lib.separability import Separator
from perceptron_lib.show import count, number, numbers

LOOKS = (W, {"color": GREY, "ls": ":", "lw": 2.4}, {"color": GREY, "ls": "-", "lw": 1.2})


@style.picture()
@door(w=limit(style.rounded, 2), b=limit(style.rounded_number))
def plane(ax, X, y, w=None, b=0.0, names=NAMES):
    """Examples in the plane and, if w is given, the line w·x + b = 0 with w standing on it (A8).

    >>> plane([[1, 1], [3, -1], [-3, 0]], [1, 1, -1], w=[1, 0])
    All 3 examples are on the correct side of the line: 2 positive and 1 negative examples; ...
    """
    w = np.zeros(2) if w is None else w
    parts.draw_examples(ax, X, y, names, origin=not b)
    words = f"{parts.tally(y)}; {parts.line_in_words(w, b)}"
    if not w.any():
        finding = f"{count(len(y), 'example')}: {np.sum(y > 0)} of class +, {np.sum(y < 0)} of −"
        return finding, words + "."
    parts.line(ax, w, b)
    right = sum(s > 0 for s in scores(with_bias(X), y, [*w, b]))
    some = f"All {right}" if right == len(y) else f"{right} of {len(y)}"
    return f"{some} examples are on the correct side of the line", (
        f"{words}, with {right} of {len(y)} on the correct side.")


@door(t=lambda t, name, given: checks.whole(t, name, 0, given["run"].mistakes))
def stage(ax, run, t, names=NAMES):
    """The state after t updates of a run on plane data, with or without constant features: the
    line before and after, and the mistake."""
    X, constants, tally = run.X[:, :2], run.X[0, 2:], parts.tally(run.y)
    if X.shape[1] < 2 or (run.X[:, 2:] != constants).any():
        raise ValueError("the run must be on two features, with none but constants beside them")
    parts.draw_examples(ax, X, run.y, names)
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
    ax.plot(*parts.line_ends(ax, *lines[0]), color=GREY, lw=1.6, ls=":")
    ax.plot(*X[i], **style.CURRENT, ms=15)
    old, new = (number(run.X[i] @ w) for w in run.weights[[t - 1, t]])
    of = "" if run.outcome == "cycled" else f" of {run.mistakes}"  # which has no last one
    return f"Update {t} adds z of example {i}: w = {w}", (
        f"{tally}. Update {t}{of}, in pass {run.steps[t - 1] // len(run.y) + 1}: "
        f"example {i}, x = {numbers(run.X[i])} with label {'+1' if run.y[i] > 0 else '−1'}, "
        f"scored {old}: a mistake. w becomes {w}; "
        f"the example's score is now {new}, and {parts.line_in_words(*lines[1])}."
    )


@style.picture()
@door(w=limit(style.direction), best=limit(Separator, "a Separator"),
      example=limit(checks.whole, 0))  # fmt: skip
def margins(ax, X, y, w, best, example):
    """Three margins in one picture (A10): of an example and of the set with respect to w, and the
    largest that any line through the origin has (that of `best`).

    >>> from perceptron_lib import five_points, separate
    >>> X, y, u = five_points()
    >>> margins(X, y, w=[1, 1], best=separate(X, y), example=1)
    Least distance: −0.707 from the line of w, 1 from that of u: 3 positive and 2 negative ...
    """
    parts.draw_examples(ax, X, y)
    u, distance = style.direction(best.w, "best.w"), y * (X @ w) / np.hypot(*w)
    closest = int(np.argmin(distance))
    of_one, of_all, most = map(number, (*distance[[example, closest]], best.margin))
    parts.shade_band(ax, u, best.margin)
    parts.line(ax, u, look=U, name="u", shade=False)
    parts.line(ax, w, shade=False)
    too_close = distance[closest] < 0.03 * np.ptp(ax.corners, axis=0).max()  # to be seen
    for i in {example, closest}:
        far, name = number(distance[i]), f"example {i}"
        text = far if len(y) <= parts.FEW else f"{name}: {far}" * (not too_close or i != closest)
        _distance(ax, X[i], X[i] - X[i] @ w / (w @ w) * w, text)
    support = X[np.argmin(y * (X @ u))]
    _distance(ax, support, support - support @ u / (u @ u) * u, most, GREEN)
    if too_close:
        tips = [parts.standing(ax, v, 0.0, np.hypot(*v))[2] for v in (w, u)]
        _magnified(ax, X, y, w, closest, f"example {closest}\n{of_all}", np.vstack([X, *tips]))
    return f"Least distance: {of_all} from the line of w, {most} from that of u", (
        f"{parts.tally(y)}; two lines through the origin. From the solid one, w, example {example} "
        f"is {of_one} away and the closest, example {closest}, {of_all}. The dashed one, u, is the "
        f"best: its band without examples reaches {most} to either side."
    )


def _distance(ax, point, foot, text, color=INK):
    """A thick dotted stroke from a point, which gets a ring, to a line, and its length."""
    ax.plot(*point, "o", ms=15, mfc="none", color=color, mew=1.6)
    ax.plot(*np.array([point, foot]).T, color=color, lw=2.6, ls=(0, (1, 0.6)), zorder=2.7)
    parts.note(ax, text, (point + foot) / 2, color=color, weight="bold")


def _magnified(ax, X, y, w, i, text, spots):
    """Example i and the line beside it, so near that there is a gap between them, in the corner
    with the fewest of the spots."""
    size = np.ptp(ax.corners, axis=0)
    shown = np.maximum(size, (1.5 * size[1], 0))  # about; the picture is wider than high
    spots = (spots - ax.corners.mean(axis=0)) / shown  # the middle of a corner is ±0.3 away
    away = {at: np.abs(spots + 0.3 - 0.6 * np.array(at)) < (0.19, 0.17)
            for at in product((0, 1), (0, 1))}  # fmt: skip
    a, b = min(away, key=lambda at: away[at].all(axis=1).sum())
    inset = ax.inset_axes([0.02 + 0.66 * a, 0.02 + 0.64 * b, 0.3, 0.32])
    foot = X[i] - X[i] @ w / (w @ w) * w
    low, high = X[i] + 3.5 * np.hypot(*(X[i] - foot)) * np.array([[-1.25, -1.4], [1.25, 0.6]])
    inset.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), facecolor=CARD, xticks=[], yticks=[])
    inset.plot(*parts.line_ends(ax, w), **W)
    inset.plot(*X[i], ls="", ms=8, **CLASSES[int(y[i])])
    inset.plot(*np.array([X[i], foot]).T, color=INK, lw=2.6, ls=(0, (1, 0.6)), zorder=4)
    inset.text(0.5, 0.04, text, transform=inset.transAxes, **TEXT | {"va": "bottom"}, weight="bold")
    place, line = (0.32 + 0.36 * a, 0.18 + 0.64 * b), {"arrowprops": AID | {"arrowstyle": "-"}}
    ax.annotate("", X[i], place, textcoords="axes fraction", **line)


@style.picture()
@door(**dict.fromkeys(("named", "bands"), limit(style.by_name)))
def lines(ax, X, y, named, title="", names=NAMES, bands=None):
    """Several lines through the same examples (M8): `named` maps a name to (w, b).  The first of
    several is the Perceptron's, and the last the best.  `bands` maps names to half a band's width.

    >>> from perceptron_lib import five_points
    >>> X, y, u = five_points()
    >>> lines(X, y, {"w": ([3, 1], 0), "u": (u, 0)})
    Margins: 0.316 for w, 1 for u: 3 positive and 2 negative examples. w: the line is 3 x1 ...
    """
    parts.draw_examples(ax, X, y, names)
    looks, words, margins = [*LOOKS[: max(len(named) - 1, 0)], U], [], []
    for place, (look, (name, (w, b))) in enumerate(zip(looks, named.items(), strict=False)):
        w, b = style.rounded(w, "w", 2), style.rounded_number(b, "b")
        ax.plot(*parts.line_ends(ax, w, b), **look)
        if name in (bands or {}):
            parts.shade_band(ax, w, bands[name], b, look["color"])
        _named(ax, name, w, b, look, place)
        margins.append(f"{number((y * (X @ w + b)).min() / (np.hypot(*w) or 1.0))} for {name}")
        words.append(f"{name}: {parts.line_in_words(w, b)}, with a margin of {margins[-1]}")
    return "Margins: " + ", ".join(margins), f"{parts.tally(y)}. {'; '.join(words)}."


def _named(ax, name, w, b, look, place):
    """The name of a line, beside one of its ends in the picture; others are named at the other."""
    if w.any():
        (low, high), along = ax.corners, np.array([-w[1], w[0]]) / np.hypot(*w)
        steps = np.linspace(-9, 9, 2001)[:, None] * np.abs(ax.corners).max()
        points = -b * w / (w @ w) + steps * along
        inside = points[((points > low) & (points < high)).all(axis=1)]
        if len(inside):
            at = inside[int((0.97, 0.12, 0.9, 0.2)[place % 4] * (len(inside) - 1))]
            parts.note(ax, name, at, color=look["color"])


@style.picture(3.4)
@door(w=limit(style.direction),
      up=lambda up, name, given: style.rounded(up, name, len(given["X"])))  # fmt: skip
def lifted(ax, X, y, up, w):
    """Examples on a line, of which some are lifted into the plane, each by its own height, so that
    a line through the origin separates them (H5).

    >>> lifted([[1], [2], [-1]], [1, -1, -1], [0, 1, 0], [1, -3])
    Lifted off their line, 3 of 3 examples are right: 1 positive and 2 negative examples; ...
    """
    X = np.column_stack([style.on_a_line(X, "X"), up])
    parts.frame(ax, X, ("x", "lift"))
    for point in X[up != 0]:
        parts.arrow(ax, (point[0], 0), point * [1, 0.88], look=W | {"color": GREY})
    parts.line(ax, w, look=U, name="")
    parts.marks(ax, X[up != 0] * [1, 0], y[up != 0], alpha=0.3)
    parts.marks(ax, X, y)
    right = np.sum(y * (X @ w) > 0)
    return f"Lifted off their line, {right} of {len(y)} examples are right", (
        f"{parts.tally(y)}; {np.sum(up != 0)} of them lifted; {parts.line_in_words(w, 0)}."
    )


def one_mean(ax, X, y, multipliers):
    """Strokes from the examples with a multiplier to the mean of either class, marked by a star."""
    share = np.array([float(2 * v / sum(multipliers)) for v in multipliers])  # of its class
    mean, used = X[y > 0].T @ share[y > 0], []
    parts.multipliers(ax, X, share / 2)
    parts.marks(ax, X, y)
    for sign, ls in ((1, "-"), (-1, "--")):
        corners = X[(y == sign) & (share > 0)]
        used.append(" and ".join(map(numbers, corners)))
        for corner in corners:
            ax.plot(*np.array([corner, mean]).T, color=CLASSES[sign]["color"], lw=1.8, ls=ls)
    ax.plot(*mean, "*", ms=20, mfc=CARD, mec=INK, mew=1.3, zorder=2.8)
    return f"No line: both classes have {numbers(mean)} as a weighted mean", (
        f"a weighted mean of the positive examples ({used[0]}) and one of the negative examples "
        f"({used[1]}) are the same point, {numbers(mean)}, marked by a star."
    )
