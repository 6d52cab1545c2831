"""The margin Perceptron: the length of w in two phases, what ε buys, and lines compared."""

import math

import numpy as np
from matplotlib.ticker import NullLocator

from perceptron_lib import checks
from perceptron_lib.bounds import radius2
from perceptron_lib.plots import style
from perceptron_lib.plots.style import BLUE, GREEN, INK, NAMES, ORANGE, PURPLE
from perceptron_lib.show import equals, number


@style.picture(6.4, 4.2)
def phases(ax, run, gamma, eps=0.5, title=""):
    """The length of w over the updates: fast at first, then slower than γ an update (M4, M5)."""
    length = style.lengths(run, least=1)
    exact = checks.positive(eps, "eps", below=1) * checks.positive(gamma, "gamma")
    gamma, eps = (style.real(v, k, True) for k, v in (("gamma", gamma), ("eps", eps)))
    t, M, R2 = np.arange(len(length)), run.mistakes, float(radius2(run.X))
    border = R2 / (eps * gamma)
    top = border + math.sqrt(R2) + t * (1 - eps / 2) * gamma
    ax.plot(t, top, color=ORANGE, lw=1.6)
    ax.plot(t, gamma * t, color=BLUE, lw=1.6)
    ax.plot(t, length, "o", color=INK, ms=2.5)
    ax.axhline(border, color=GREEN, lw=1.4, ls="--")
    for text, x, height, color, va in (
        ("bound on the length (M5)", 0.45, 0.98 * np.interp(0.45, t / M, top), ORANGE, "top"),
        (r"$R^2/(\varepsilon\gamma)$", 0.02, border, GREEN, "top"),
        (r"$\gamma t$", 0.75, 0.72 * gamma * M, BLUE, "top"),
        (r"$\Vert w_{t+1}\Vert$ (dots)", 0.1, 1.3 * np.interp(0.2, t / M, length), INK, "bottom"),
    ):
        style.halo(ax.text(x * M, height, text, color=color, va=va, fontsize=11))
    ax.set_xlabel("updates t")
    passed, between = length >= border, np.sum((length <= top) & (length >= gamma * t))
    when = f"after {np.argmax(passed)} updates" if passed.any() else "never"
    return (
        f"over {M} updates the length of w rises from {number(length[0])} to "
        f"{number(length[-1])}, at {between} of {len(t)} times between γt and the bound; "
        f"it passes R²/(εγ) {equals(radius2(run.X) / exact)} {when}."
    )


@style.picture(9.6, 3.6, columns=2)
def tradeoff(axes, eps, reached, updates, allowed, title=""):
    """What eps buys and costs: the margin reached, and the updates made and allowed (M7)."""
    left, right = axes
    eps = style.floats(eps, "eps", positive=True)
    reached, updates, allowed = (
        style.floats(values, name, len(eps), positive=True)
        for values, name in ((reached, "reached"), (updates, "updates"), (allowed, "allowed"))
    )
    fine, near = np.geomspace(eps[0], eps[-1], 100), 1 if len(eps) > 1 else 0
    left.semilogx(fine, 1 - fine, color=ORANGE, lw=1.6)
    left.semilogx(eps, reached, "o-", color=BLUE, ms=6)
    left.text(eps[near], 1 - eps[near], "promised: 1 − ε ", color=ORANGE, va="top", ha="right")
    left.text(eps[near], reached[near], "  reached", color=BLUE, va="bottom", ha="left")
    left.set_ylabel("margin / largest margin")
    right.loglog(eps, allowed, "s-", color=ORANGE, ms=5)
    right.loglog(eps, updates, "o-", color=BLUE, ms=6)
    right.text(eps[-1], allowed[-1], "  bound", color=ORANGE, va="bottom")
    right.text(eps[-1], updates[-1], "  updates", color=BLUE, va="bottom")
    for ax in axes:
        ax.set_xlabel("ε")
        ax.set_xticks(eps, [f"{e:g}" for e in eps])
        ax.xaxis.set_minor_locator(NullLocator())
    return (
        f"as ε goes from {eps[0]:g} to {eps[-1]:g}, the margin reached goes from "
        f"{reached[0]:.3f} to {reached[-1]:.3f} of the largest, the updates from "
        f"{number(updates[0])} to {number(updates[-1])}, and their bound from "
        f"{number(allowed[0])} to {number(allowed[-1])}."
    )


class Lines:
    """Several lines through the same examples, each with a name; `show` sets new ones."""

    def __init__(self, ax, X, y, names=NAMES):
        self.ax, (X, self.y) = ax, style.in_the_plane(X, y)
        style.frame(ax, X, names)
        style.scatter(ax, X, self.y)
        looks = ((INK, ":"), (GREEN, "--"), (PURPLE, "-"))
        self.lines = [ax.plot([], [], color=c, ls=ls, lw=2)[0] for c, ls in looks]

    def show(self, named):
        """`named` maps a name to (w, b); returns the lines in words."""
        words = []
        for artist, (name, line) in zip(self.lines, style.named(named, "named"), strict=False):
            if not isinstance(line, (tuple, list)) or len(line) != 2:
                raise checks.refusal(f"the line {name!r}", "a pair (w, b)", line)
            w, b = style.floats(line[0], "w", 2), style.real(line[1], "b")
            artist.set_data(style.line_ends(self.ax, w, b))
            artist.set_label(name)
            steep = math.degrees(math.atan2(-w[0], w[1])) % 180
            words.append(f"{name}: {style.line_in_words(w, b)}, at {steep:.1f} degrees")
        below = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.13), "ncol": 3}
        self.ax.legend(fontsize=9, frameon=False, handlelength=1.6, columnspacing=1.2, **below)
        return f"{style.tally(self.y)}. " + "; ".join(words) + "."


@style.picture(5.6, 4.6)
def lines(ax, X, y, named, title="", names=NAMES):
    """Several separators on one picture: `named` maps a name to (w, b) (M8)."""
    return Lines(ax, X, y, names).show(named)
