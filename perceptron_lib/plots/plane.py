"""Examples on a line and in the plane: separators, runs step by step, margins, lines compared."""

import math

import numpy as np

from perceptron_lib import checks
from perceptron_lib.bounds import scores
from perceptron_lib.embedding import with_bias
from perceptron_lib.plots import parts, style
from perceptron_lib.plots.parts import NAMES
from perceptron_lib.plots.style import BOUND, GREY, INK, U, W
from perceptron_lib.show import count, number, numbers


@style.picture(6.4, 2.7)
def legend(ax):
    """The visual vocabulary: what each colour and shape means, in all pictures."""
    ax.set(xlim=(0, 9), ylim=(-0.6, 3.6))
    ax.axis("off")
    spots = np.array([[0.35, 3.0], [0.35, 2], [0.35, 1], [0.35, 0]])
    ax.fill([0, 0.8, 0.8, 0], [2.7, 2.7, 3.3, 3.3], color=style.BLUE, alpha=0.08, lw=0)
    parts.ring(ax).set_data([0.35], [1])
    parts.multipliers(ax, spots, np.array([0, 0, 0, 0.3]))
    parts.marks(ax, spots, np.array([1, -1, 1, 1]))
    parts.vector(ax, (4.8, 3), (5.6, 3))
    ax.plot([4.8, 5.6], [2, 2], **U)
    ax.plot([4.8, 5.6], [1, 1], **BOUND)
    ax.plot([4.8, 5.2, 5.6], [0, 0.1, 0], **style.OBSERVED)
    words = ("class +, and the + side of a line", "class −", "the current example",
             "a multiplier λ or α", "w, and what belongs to it", "u, or the best separator",
             "a bound", "what was observed")  # fmt: skip
    for k, text in enumerate(words):
        ax.text(1.0 + 4.8 * (k // 4), 3 - k % 4, text, va="center", fontsize=10, color=INK)
    return "One colour and one shape for each of 8 things", (
        "blue circles are class +, vermilion squares class −; a yellow disc is the current "
        "example, an orange ring a multiplier; w is black and solid, u green and dashed, a bound "
        "purple and dash-dotted, what was observed sky blue dots."
    )


@style.picture(5.2, 4.4)
def plane(ax, X, y, w=None, b=0.0, title="", names=NAMES):
    """Examples in the plane and, if w is given, the line w·x + b = 0 with w standing on it (A8)."""
    X, y = style.in_the_plane(X, y)
    w, b = style.floats([0, 0] if w is None else w, "w", 2), style.real(b, "b")
    parts.frame(ax, X, names, origin=not b)
    parts.scatter(ax, X, y)
    if w.any():
        parts.line(ax, w, b)
    right, line = sum(s > 0 for s in scores(with_bias(X), y, [*w, b])), parts.line_in_words(w, b)
    if not w.any():
        finding = f"{count(len(y), 'example')}: {np.sum(y > 0)} of class +, {np.sum(y < 0)} of −"
        return finding, f"{parts.tally(y)}; {line}."
    return f"{right} of {len(y)} examples on their own side of the line", (
        f"{parts.tally(y)}; {line} and has {right} of {len(y)} on their own side."
    )


class Stage:
    """One step of a run on plane data (with or without constant features), drawn and in words.

    The artists are made once; `show(t)` only sets their data.
    """

    def __init__(self, ax, run, names=NAMES, size=True):
        self.ax, self.run = ax, run
        X, self.constants = run.X[:, :2], run.X[0, 2:]
        if X.shape[1] < 2 or (run.X[:, 2:] != self.constants).any():
            raise ValueError("the run must be on two features, with none but constants beside them")
        parts.frame(ax, X, names, size=size)
        parts.scatter(ax, X, run.y)
        (self.before,) = ax.plot([], [], color=GREY, lw=1.2, ls=":")
        self.after, self.ring = parts.Boundary(ax), parts.ring(ax)
        self.longest = np.hypot(*run.weights[:, :2].T).max()

    def line(self, t):
        """w and b of the plane after t updates."""
        w = self.run.weights[t]
        return w[:2], float(w[2:] @ self.constants)

    def show(self, t):
        """Draw the state after t updates; return it in a few words, and in full."""
        ax, run, (w, b) = self.ax, self.run, self.line(t)
        self.after.set(w, b, self.longest)
        if t == 0:
            self.before.set_data([], [])
            self.ring.set_data([], [])
            start = numbers(run.weights[0])
            return f"Start: w = {start}", (
                f"{parts.tally(run.y)}. Start, before any update: w = {start}."
            )
        i = run.updates[t - 1]
        self.before.set_data(parts.line_ends(ax, *self.line(t - 1)))
        self.ring.set_data(run.X[i, :1], run.X[i, 1:2])
        old, new = run.X[i] @ run.weights[t - 1], run.X[i] @ run.weights[t]
        return f"Update {t}: add example {i}, w = {numbers(run.weights[t])}", (
            f"{parts.tally(run.y)}. "
            f"Update {t} of {run.mistakes}, in pass {run.steps[t - 1] // len(run.y) + 1}: "
            f"example {i}, x = {numbers(run.X[i])} with label {'+1' if run.y[i] > 0 else '−1'}, "
            f"scored {number(old)}: a mistake. w becomes {numbers(run.weights[t])}; "
            f"the example's score is now {number(new)}, and {parts.line_in_words(w, b)}."
        )


@style.picture(10.4, 3.1, columns=0)
def steps(figure, run):
    """The first eight updates of a run on plane data, side by side: line before, mistake, line
    after (A2)."""
    style.lengths(run, least=1)
    drawn, words = min(run.mistakes, 8), [parts.tally(run.y)]
    rows = 1 + (drawn > 4)
    style.resize(figure, 2.7 * min(drawn, 4), 3.1 * rows)
    for t, ax in enumerate(figure.subplots(rows, min(drawn, 4), squeeze=False).flat, 1):
        style.plain(ax)
        ax.set_visible(t <= drawn)
        if t <= drawn:
            Stage(ax, run, size=False).show(t)
            i, w = run.updates[t - 1], numbers(run.weights[t])
            ax.set_title(f"update {t}: add example {i}", fontsize=9.5)
            ax.tick_params(labelsize=7)
            words.append(f"update {t} adds example {i} and makes w = {w}")
    right = int(np.sum(run.predict(run.X) == run.y))
    told = f"; then {right} of {len(run.y)} examples are right."
    many = f" of {run.mistakes}" * (run.mistakes > 8)
    finding = f"{drawn}{many} updates, from w = {numbers(run.weights[0])} to "
    return finding + numbers(run.weights[drawn]), "; ".join(words) + told


def number_line(ax, x, top):
    """An axis for examples with one feature."""
    room = 0.12 * np.ptp(x) + 0.4
    ax.set(xlim=(min(x) - room, max(x) + room), ylim=(-0.5, top), xlabel="$x$")
    ax.yaxis.set_visible(False)
    ax.spines["left"].set_visible(False)


@style.picture(6.0, 2.0)
def threshold(ax, x, y, w, b, title=""):
    """Examples on a line and the threshold -b/w, with what lies on either side (A8)."""
    x = style.on_a_line(x)
    y = checks.labels(y, len(x))
    w = checks.real(w, "w", "a finite number other than 0", lambda v: v and math.isfinite(v))
    cut = style.drawable(-style.real(b, "b") / w, "the threshold")
    number_line(ax, [*x, cut], 1.0)
    parts.scatter(ax, np.column_stack([x, np.zeros_like(x)]), y, size=80)
    ax.axvline(cut, **W)
    ax.axvspan(cut, ax.get_xlim()[w > 0], color=style.BLUE, alpha=0.08, lw=0)
    left, right = ("−", "+") if w > 0 else ("+", "−")
    ax.text(cut, 0.75, f"predict {left}  ", ha="right", color=INK)
    ax.text(cut, 0.75, f"  predict {right}", ha="left", color=INK)
    good = int(np.sum(np.sign(w * (x - cut)) == y))
    return f"In one dimension the line is a threshold, −b/w = {number(cut)}", (
        f"{parts.tally(y)}, on a line; the threshold is {number(cut)}, predicting {right} to the "
        f"right of it and {left} to the left; {good} of {len(y)} examples are right."
    )


@style.picture(5.8, 5.0)
def margins(ax, X, y, w, best, example=0):
    """Three margins in one picture (A10): of an example and of the set with respect to w, and the
    largest that any line through the origin has (that of `best`)."""
    (X, y), w = style.in_the_plane(X, y), style.direction(w)
    best_w, most = style.direction(best.w, "best.w"), f"{best.margin:.3f}"
    distance = y * (X @ w) / np.hypot(*w)
    closest = int(np.argmin(distance))
    example = checks.whole(example, "example", 0, len(y) - 1)
    of_one, of_all = f"{distance[example]:.3f}", f"{distance[closest]:.3f}"
    parts.frame(ax, X)
    parts.band(ax, best_w, best.margin)
    parts.line(ax, best_w, look=U, name="u", shade=False)
    parts.line(ax, w)
    parts.marks(ax, X, y)
    parts.ring(ax).set_data(X[[example, closest]].T)
    for i in {example, closest}:
        foot = X[i] - X[i] @ w / (w @ w) * w
        ax.plot(*np.array([X[i], foot]).T, color=INK, lw=2.6, ls=(0, (1, 0.6)))
        parts.note(ax, f"{distance[i]:.3f}", (X[i] + foot) / 2, weight="bold")
        parts.note(ax, f"example {i}", X[i], fontsize=8.5)
    return f"Margins: example {example} {of_one}, the set {of_all}, at best {most}", (
        f"{parts.tally(y)}; two lines through the origin. From the solid one, example {example} "
        f"is {of_one} away and the closest, example {closest}, {of_all}. The dashed one is the "
        f"best: its band without examples reaches {most} to either side."
    )
