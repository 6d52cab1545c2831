"""Examples on a line and in the plane: separators, runs step by step, margins, certificates."""

import math

import numpy as np

from perceptron_lib import checks
from perceptron_lib.bounds import scores
from perceptron_lib.embedding import with_bias
from perceptron_lib.plots import style
from perceptron_lib.plots.style import BLUE, GREEN, GREY, INK, NAMES, ORANGE, PURPLE
from perceptron_lib.separability import Inseparable
from perceptron_lib.show import number, numbers


@style.picture(5.0, 4.2)
def plane(ax, X, y, w=None, b=0.0, title="", names=NAMES):
    """Examples in the plane and, if w is given, the line w·x + b = 0 with w standing on it (A8)."""
    X, y = style.in_the_plane(X, y)
    style.frame(ax, X, names)
    style.scatter(ax, X, y)
    if w is None:
        return f"{style.tally(y)}."
    w, b = style.floats(w, "w", 2), style.real(b, "b")
    ax.plot(*style.line_ends(ax, w, b), color=INK, lw=1.8)
    if w.any():  # an arrow in the direction of w, from the line's point nearest the origin
        foot, unit, size = -b * w / (w @ w), w / np.hypot(*w), np.ptp(ax.get_xlim())
        tip, look = foot + 0.14 * size * unit, {"arrowstyle": "-|>", "color": INK, "lw": 1.8}
        ax.annotate("", tip, foot, arrowprops=look, zorder=4)
        ax.annotate("w", tip + 0.035 * size * unit, ha="center", va="center")
    right = sum(score > 0 for score in scores(with_bias(X), y, [*w, b]))
    line = style.line_in_words(w, b)
    return f"{style.tally(y)}; {line} and has {right} of {len(y)} on their own side."


class Stage:
    """One step of a run on plane data (with or without constant features), drawn and in words.

    The artists are made once; `show(t)` only sets their data.
    """

    def __init__(self, ax, run, names=NAMES):
        self.ax, self.run = ax, run
        X, self.constants = run.X[:, :2], run.X[0, 2:]
        if X.shape[1] < 2 or (run.X[:, 2:] != self.constants).any():
            raise ValueError("the run must be on two features, with none but constants beside them")
        style.frame(ax, X, names)
        style.scatter(ax, X, run.y)
        (self.before,) = ax.plot([], [], color=GREY, lw=1.4, ls=(0, (4, 3)))
        (self.after,) = ax.plot([], [], color=INK, lw=1.8)
        (self.ring,) = ax.plot([], [], "o", ms=15, mfc="none", mec=GREEN, mew=2.2, zorder=4)
        look = {"angles": "xy", "scale_units": "xy", "scale": 1, "width": 0.012, "zorder": 5}
        self.arrow = ax.quiver([0], [0], [0], [0], color=INK, **look)

    def line(self, t):
        """w and b of the plane after t updates."""
        w = self.run.weights[t]
        return w[:2], float(w[2:] @ self.constants)

    def show(self, t):
        """Draw the state after t updates and return it in words."""
        ax, run, (w, b) = self.ax, self.run, self.line(t)
        self.after.set_data(style.line_ends(ax, w, b))
        tip = 0.16 * np.ptp(ax.get_xlim()) * w / (np.hypot(*w) or 1)
        self.arrow.set_offsets([-b * w / (w @ w or 1)])
        self.arrow.set_UVC(*tip)
        self.arrow.set_visible(bool(tip.any()))
        if t == 0:
            self.before.set_data([], [])
            self.ring.set_data([], [])
            start = numbers(run.weights[0])
            return f"{style.tally(run.y)}. Start, before any update: w = {start}."
        i = run.updates[t - 1]
        self.before.set_data(style.line_ends(ax, *self.line(t - 1)))
        self.ring.set_data(run.X[i, :1], run.X[i, 1:2])
        old, new = run.X[i] @ run.weights[t - 1], run.X[i] @ run.weights[t]
        return (
            f"{style.tally(run.y)}. "
            f"Update {t} of {run.mistakes}, in pass {run.steps[t - 1] // len(run.y) + 1}: "
            f"example {i}, x = {numbers(run.X[i])} with label {'+1' if run.y[i] > 0 else '−1'}, "
            f"scored {number(old)}: a mistake. w becomes {numbers(run.weights[t])}; "
            f"the example's score is now {number(new)}, and {style.line_in_words(w, b)}."
        )


@style.picture(10.4, 2.85, columns=0)
def steps(figure, run):
    """The updates of a run on plane data, side by side: line before, mistake, line after (A2)."""
    style.lengths(run, least=1)
    rows, words = 2 if 4 < run.mistakes <= 8 else 1, [style.tally(run.y)]
    figure.set_size_inches(10.4, 2.85 * rows)
    for t, ax in enumerate(figure.subplots(rows, 4).flat, 1):
        ax.set_visible(t <= run.mistakes)
        if t <= run.mistakes:
            Stage(ax, run).show(t)
            i, w = run.updates[t - 1], numbers(run.weights[t])
            ax.set_title(f"update {t}: example {i}", fontsize=10)
            ax.tick_params(labelsize=7)
            words.append(f"update {t} adds example {i} and makes w = {w}")
    right = int(np.sum(run.predict(run.X) == run.y))
    return "; ".join(words) + f"; then {right} of {len(run.y)} examples are right."


def _number_line(ax, low, high, top):
    ax.set(xlim=(low, high), ylim=(-0.6, top), xlabel="$x$")
    ax.yaxis.set_visible(False)
    ax.spines["left"].set_visible(False)


@style.picture(6.0, 1.7)
def threshold(ax, x, y, w, b, title=""):
    """Examples on a line and the threshold -b/w, with what lies on either side (A8)."""
    x = style.on_a_line(x)
    y = checks.labels(y, len(x))
    w = checks.real(w, "w", "a finite number other than 0", lambda v: v and math.isfinite(v))
    cut = style.drawable(-style.real(b, "b") / w, "the threshold")
    low, high = min(x.min(), cut), max(x.max(), cut)
    room = 0.15 * (high - low) + 0.5
    _number_line(ax, low - room, high + room, 1.0)
    style.scatter(ax, np.column_stack([x, np.zeros_like(x)]), y, size=80)
    ax.axvline(cut, color=INK, lw=1.8)
    left, right = ("−", "+") if w > 0 else ("+", "−")
    ax.text(cut, 0.62, f"predict {left}  ", ha="right")
    ax.text(cut, 0.62, f"  predict {right}", ha="left")
    return (
        f"{style.tally(y)}, on a line; the threshold is {number(cut)}, "
        f"predicting {right} to the right of it and {left} to the left."
    )


@style.picture(5.6, 5.0)
def margins(ax, X, y, w, best, example=0):
    """Three margins in one picture (A10): of an example and of the set with respect to w, and the
    largest that any line through the origin has (that of `best`)."""
    (X, y), w = style.in_the_plane(X, y), style.direction(w)
    best_w, most = style.direction(best.w, "best.w"), f"{best.margin:.3f}"
    distance = y * (X @ w) / np.hypot(*w)
    closest = int(np.argmin(distance))
    example = checks.whole(example, "example", 0, len(y) - 1)
    of_one, of_all = f"{distance[example]:.3f}", f"{distance[closest]:.3f}"
    style.frame(ax, X)
    style.band(ax, best_w, best.margin, lw=0)
    ax.plot(*style.line_ends(ax, best_w), color=BLUE, lw=1.4, ls="--")
    ax.plot(*style.line_ends(ax, w), color=INK, lw=1.8)
    style.scatter(ax, X, y)
    box = {"boxstyle": "round,pad=0.15", "fc": "white", "ec": "none", "alpha": 0.85}
    for i, text, color in ((example, of_one, PURPLE), (closest, of_all, GREEN)):
        foot = X[i] - X[i] @ w / (w @ w) * w
        ax.plot(*np.array([X[i], foot]).T, color=color, lw=3)
        look = {"color": color, "weight": "bold", "zorder": 6, "bbox": box}
        style.note(ax, text, (X[i] + foot) / 2, (10, -12), **look)
        style.halo(style.note(ax, f"example {i}", X[i], (6, 6)))
    ax.set_title(
        f"to the solid line: one example {of_one}, the set {of_all}\n"
        f"band of the best line (dashed): {most} to either side", fontsize=10,
    )
    return (
        f"{style.tally(y)}; two lines through the origin. From the solid one, example {example} "
        f"is {of_one} away and the closest, example {closest}, {of_all}. The dashed one is the "
        f"best: its band without examples reaches {most} to either side."
    )


@style.picture(4.6, 3.9)
def certificate(ax, X, y, weights, title=""):
    """Why no line separates: a weighted mean of each class, and both are the same point (A12).

    The weights satisfy sum_i λ_i y_i (x_i, 1) = 0: each class has the same total weight and the
    same weighted sum.  A line with all positives on one side has their mean on that side too.
    """
    X, y = checks.labelled(X, y)
    weights, written = checks.fractions(weights, None, "weights"), numbers
    if not Inseparable(with_bias(X), y, weights).verify():
        raise ValueError("weights must be whole numbers λ_i >= 0 with sum_i λ_i y_i (x_i, 1) = 0")
    if X.shape[1] == 1:
        style.drawable(X, "X")
        _number_line(ax, X.min() - 0.4, X.max() + 0.4, 0.6)
        ax.figure.set_size_inches(5.4, 1.6)
        X, written = np.hstack([X, np.zeros_like(X)]), lambda point: number(point[0])
    else:
        style.frame(ax, style.in_the_plane(X, y)[0])
    style.scatter(ax, X, y, size=80)
    share = np.array([float(2 * v / sum(weights)) for v in weights])  # of those of its class
    mean, used = X[y > 0].T @ share[y > 0], []
    for sign, color, ls in ((1, BLUE, "-"), (-1, ORANGE, "--")):
        corners = X[(y == sign) & (share > 0)]
        used.append(" and ".join(map(written, corners)))
        for corner in corners:
            ax.plot(*np.array([corner, mean]).T, color=color, lw=2, ls=ls)
    ax.plot(*mean, "*", ms=24, mfc="white", mec=INK, mew=1.5, zorder=2.5)
    return (
        f"a weighted mean of the positive {used[0]} and one of the negative {used[1]} are both "
        f"the point {written(mean)}, marked by a star."
    )
