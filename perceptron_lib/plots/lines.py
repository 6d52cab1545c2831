"""Lines compared: margins side by side, two hypotheses, an outlier, the votes of a run."""

import math

import numpy as np

from perceptron_lib import checks
from perceptron_lib.pac import averaged_weights, voted_labels
from perceptron_lib.plots import parts, style
from perceptron_lib.plots.parts import NAMES
from perceptron_lib.plots.style import GREY, U, W
from perceptron_lib.show import number


class Lines:
    """Several lines through the same examples, each with a name; `show` sets new ones.  The first
    is the Perceptron's, the last of several the best."""

    LOOKS = (W, {"color": GREY, "ls": ":", "lw": 2.2}, {"color": GREY, "ls": "-", "lw": 1}, U)

    def __init__(self, ax, X, y, names=NAMES, origin=True):
        self.ax, (self.X, self.y) = ax, style.in_the_plane(X, y)
        parts.frame(ax, self.X, names, origin)
        parts.scatter(ax, self.X, self.y)
        self.lines = [ax.plot([], [], **look)[0] for look in self.LOOKS]

    def show(self, named):
        """`named` maps a name to (w, b)."""
        named, words, margins = style.named(named, "named"), [], {}
        artists = [*self.lines[: max(len(named) - 1, 1)], self.lines[-1]]
        for artist, (name, line) in zip(artists, named, strict=False):
            if not isinstance(line, (tuple, list)) or len(line) != 2:
                raise checks.refusal(f"the line {name!r}", "a pair (w, b)", line)
            w, b = style.floats(line[0], "w", 2), style.real(line[1], "b")
            artist.set_data(parts.line_ends(self.ax, w, b))
            artist.set_label(name)
            margins[name] = (self.y * (self.X @ w + b)).min() / (np.hypot(*w) or 1.0)
            steep = math.degrees(math.atan2(-w[0], w[1])) % 180
            words.append(
                f"{name}: {parts.line_in_words(w, b)}, at {steep:.1f} degrees, "
                f"margin {number(margins[name])}"
            )
        parts.key(self.ax)
        finding = "Margins: " + ", ".join(f"{name} {number(m)}" for name, m in margins.items())
        return finding, f"{parts.tally(self.y)}. " + "; ".join(words) + "."


@style.picture(5.8, 4.8)
def lines(ax, X, y, named, title="", names=NAMES, origin=True):
    """Several separators on one picture: `named` maps a name to (w, b) (M8)."""
    return Lines(ax, X, y, names, origin).show(named)


@style.picture(9.6, 4.2, columns=2)
def outlier(axes, X, y, w, u, title=""):
    """One far example rules w: all of the plane, and the crowd near the origin (H7)."""
    (X, y), w, u = style.in_the_plane(X, y), style.direction(w), style.direction(u, "u")
    far = np.hypot(*X.T)
    crowd = far <= 4 * np.median(far)
    wrong = [int(np.sum(y * (X @ v) <= 0)) for v in (w, u)]
    for ax, shown in zip(axes, (X, X[crowd]), strict=True):
        parts.frame(ax, shown, size=False)
        parts.marks(ax, X, y, 34)
        near = shown is not X
        parts.line(ax, w, name="w" * near)
        parts.line(ax, u, look=U, name="u" * near, shade=False)
    axes[0].set_title("everything", fontsize=10)
    axes[1].set_title(f"the {np.sum(crowd)} examples near the origin", fontsize=10)
    ring = parts.ring(axes[0], 15)
    ring.set_data(X[~crowd].T)
    return f"w has {wrong[0]} of {len(y)} examples wrong, u only {wrong[1]}", (
        f"{parts.tally(y)}; {np.sum(~crowd)} of them far away, at a distance up to "
        f"{number(far.max())}, the others within {number(far[crowd].max())} of the origin."
    )


@style.picture(5.6, 4.6)
def disagreement(ax, X, u, w, title=""):
    """The error of a hypothesis w is the weight of the region where it and u disagree (Q1)."""
    u, w = style.direction(u, "u"), style.direction(w)
    X, _ = style.in_the_plane(X, np.ones(len(checks.table(X)), dtype=int))
    y = np.where(X @ u > 0, 1, -1)
    parts.frame(ax, X)
    size = 9 * np.abs([*ax.get_xlim(), *ax.get_ylim()]).max()
    rays = [np.array([-v[1], v[0]]) / np.hypot(*v) for v in (w, u)]
    for sign in (1, -1):
        corners = np.array([[0, 0], rays[0], rays[0] + rays[1], rays[1]]) * sign * size
        ax.fill(*corners.T, color=style.YELLOW, alpha=0.45, lw=0, zorder=-1)
    wrong = y * (X @ w) <= 0
    parts.line(ax, w)
    parts.line(ax, u, look=U, name="u", shade=False)
    parts.scatter(ax, X, y)
    return f"Error: {np.sum(wrong)} of {len(y)} examples lie where w and u disagree", (
        f"{parts.tally(y)}, labelled by u (dashed); {np.sum(wrong)} of them lie in the region "
        "between the two lines, where w predicts the other label."
    )


@style.picture(5.8, 4.8)
def votes(ax, run, title=""):
    """The boundary of the last, of the averaged and of the voted weights of one run (H8)."""
    X, y = style.in_the_plane(run.X, run.y)
    style.lengths(run, least=1)
    parts.frame(ax, X)
    parts.scatter(ax, X, y)
    average, turn = averaged_weights(run), np.radians(np.arange(0, 360, 0.25))
    around = np.column_stack([np.cos(turn), np.sin(turn)])  # directions say it all: no bias
    labels = voted_labels(run, around)
    edges, size = np.flatnonzero(labels != np.roll(labels, -1)), 9 * np.abs(ax.get_xlim()).max()
    for k, edge in enumerate(edges):
        look = {"color": "#BBBBBB", "lw": 6, "label": "voted" if k == 0 else None, "zorder": 1}
        ax.plot(*np.outer(around[edge], [0, size]), **look)
    for w, look, name in ((run.w, W, "last"), (average, Lines.LOOKS[1], "averaged")):
        ax.plot(*parts.line_ends(ax, w), **look, label=name)
    parts.key(ax)
    wrong = {"last": np.sum(y * (X @ run.w) <= 0), "averaged": np.sum(y * (X @ average) <= 0),
             "voted": np.sum(voted_labels(run, X) != y)}  # fmt: skip
    told = ", ".join(f"{name} {errors}" for name, errors in wrong.items())
    return f"Wrong examples: {told}", (
        f"{parts.tally(y)}; after {run.mistakes} updates the boundaries of the last and the "
        f"averaged weights are lines, that of the vote has {len(edges)} rays; wrong of "
        f"{len(y)}: {told}."
    )
