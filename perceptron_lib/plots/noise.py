"""No perfect separator: what must move, how long w gets, and the bounds that still hold."""

import math

import numpy as np

from perceptron_lib import checks
from perceptron_lib.bounds import radius2
from perceptron_lib.plots import style
from perceptron_lib.plots.style import BLUE, GREEN, INK, ORANGE
from perceptron_lib.show import number


@style.picture(5.6, 4.8)
def moves(ax, X, y, w, gamma, title=""):
    """How far each example must be moved to have margin gamma for the line w·x = 0 (H2)."""
    (X, y), w = style.in_the_plane(X, y), style.direction(w)
    unit, gamma = w / np.hypot(*w), style.real(gamma, "gamma", positive=True)
    short = np.maximum(gamma - y * (X @ unit), 0)
    style.frame(ax, X)
    style.band(ax, w, gamma)
    ax.plot(*style.line_ends(ax, w), color=INK, lw=1.8)
    style.scatter(ax, X, y)
    look = {"arrowstyle": "->", "color": GREEN, "lw": 1.8, "shrinkA": 0, "shrinkB": 0}
    movers = np.flatnonzero(short > 0)
    for i in movers:
        ax.annotate("", X[i] + y[i] * short[i] * unit, X[i], arrowprops=look, zorder=5)
    return (
        f"{style.tally(y)}; {len(movers)} of them have to move to be {number(gamma)} away from "
        f"the line on their own side, by {short.sum():.3f} in all."
    )


@style.picture(6.4, 3.4)
def sizes(ax, run, title=""):
    """The length of the weights over the updates, and R√t, which it cannot exceed (H1)."""
    length = style.lengths(run)
    t, most = np.arange(len(length)), length.max()
    limit = math.sqrt(radius2(run.X)) * np.sqrt(t)
    ax.plot(t, limit, color=ORANGE, lw=1.6)
    ax.plot(t, length, color=BLUE, lw=1.2)
    ax.text(t[-1], limit[-1], "R√t ", color=ORANGE, ha="right", va="bottom")
    ax.text(t[-1], most, "length of w ", color=BLUE, ha="right", va="bottom")
    ax.set_xlabel("updates t")
    return (
        f"over {run.mistakes} updates the length of w stays at most {number(most)}, "
        f"while R√t grows to {number(limit[-1])}."
    )


class BoundCurves:
    """Bounds on the mistakes as functions of γ, the mistakes made, and where each is least (H4)."""

    LOOKS = (("H4, solved", ORANGE, "-"), ("H4, relaxed", BLUE, "--"), ("H5", GREEN, "-."))

    def __init__(self, ax):
        self.ax = ax
        self.curves = {n: ax.plot([], [], color=c, ls=ls, lw=1.8)[0] for n, c, ls in self.LOOKS}
        self.dots = {n: ax.plot([], [], "o", color=c, ms=7)[0] for n, c, _ in self.LOOKS}
        self.made = ax.axhline(0, color=INK, lw=1.4, ls=":")
        across = ax.get_yaxis_transform()  # x from 0 to 1, y as in the data
        self.label = ax.text(1, 0, "", transform=across, ha="right", va="bottom")
        ax.spines[["top", "right"]].set_visible(False)
        ax.set(xlabel="γ", ylabel="bound on the mistakes")
        ax.legend(self.curves.values(), self.curves, loc="upper right", framealpha=1)

    def show(self, gammas, curves, made):
        """`curves` maps each name to its values; returns the picture in words."""
        gammas = style.floats(gammas, "gammas", positive=True)
        made = checks.whole(made, "made", 0, style.MANY)
        curves, words, lowest = dict(style.named(curves, "curves", least=3)), [], []
        for name, artist in self.curves.items():
            bound = style.floats(curves.get(name), f"the curve {name!r}", len(gammas))
            least, gamma = bound.min(), gammas[np.argmin(bound)]
            artist.set_data(gammas, bound)
            self.dots[name].set_data([gamma], [least])
            words.append(f"{name} is least, {least:.1f}, at γ = {gamma:.3f}")
            lowest.append(least)
        self.made.set_ydata([made, made])
        self.label.set(y=made, text=f"mistakes made: {made}")
        self.ax.set(xlim=(0, gammas[-1]), ylim=(0, 4 * max(min(lowest), made)))
        return f"{made} mistakes were made. " + "; ".join(words) + "."


@style.picture(6.6, 4.2)
def bound_curves(ax, gammas, curves, made, title=""):
    """The bounds of H4 and H5 against γ, with the mistakes made."""
    return BoundCurves(ax).show(gammas, curves, made)
