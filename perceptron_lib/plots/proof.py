"""The proof of the mistake bound: the squeeze, the angle, and how mistakes spread and grow."""

import math

import numpy as np
from matplotlib.ticker import NullLocator

from perceptron_lib import checks
from perceptron_lib.bounds import margin2, radius2
from perceptron_lib.claims import mistake_bound
from perceptron_lib.plots import style
from perceptron_lib.plots.style import BLUE, GREEN, INK, ORANGE, SKY
from perceptron_lib.show import equals, number


def _along(run, u):
    """w_t·u/||u|| for every t."""
    u = checks.fractions(u, run.X.shape[1])
    u = np.array([float(v / max(map(abs, u))) for v in u])
    return run.weights @ u / np.sqrt(u @ u)


class Squeeze:
    """The squeeze of the proof on logarithmic axes, where γt and R√t are straight lines.

    The artists are made once; `show` only sets their data.
    """

    def __init__(self, ax):
        self.ax = ax
        ax.set(xscale="log", yscale="log", xlabel="updates t")
        for axis in (ax.xaxis, ax.yaxis):
            axis.set_major_formatter(lambda value, position: number(value))
            axis.set_minor_locator(NullLocator())
        (self.upper,) = ax.plot([1], [1], color=ORANGE, lw=1.6)
        (self.lower,) = ax.plot([1], [1], color=BLUE, lw=1.6)
        (self.length,) = ax.plot([1], [1], "s", color=ORANGE)
        (self.along,) = ax.plot([1], [1], "o", color=BLUE)
        (self.star,) = ax.plot([1], [1], "*", ms=14, color=INK)
        self.end = ax.axvline(1, color=INK, lw=1, ls=":")
        at_left = {"transform": ax.transAxes, "ha": "left", "fontsize": 11}
        ax.text(0.03, 0.95, "R√t (line), length of w (squares)", color=ORANGE, **at_left)
        ax.text(0.03, 0.88, "γt (line), w·w* (circles)", color=BLUE, **at_left)
        self.label = style.note(ax, "", (1, 1), (-12, 12), ha="right", fontsize=11)
        ax.spines[["top", "right"]].set_visible(False)

    def show(self, run, u):
        """Draw the squeeze for a run, and return it in words."""
        length = style.lengths(run)
        gamma2, R2 = margin2(run.X, run.y, u), radius2(run.X)
        gamma, R, exactly = math.sqrt(gamma2), math.sqrt(R2), equals(R2 / gamma2)
        along, bound = _along(run, u), (R / gamma) ** 2
        far, cross = np.array([1, 3 * bound]), (bound, R * math.sqrt(bound))
        self.upper.set_data(far, R * np.sqrt(far))
        self.lower.set_data(far, gamma * far)
        for dots, heights in ((self.length, length), (self.along, along)):
            dots.set_data(np.arange(1, len(length)), heights[1:])
            dots.set_markersize(5 if run.mistakes <= 60 else 2.5)
        self.star.set_data([[bound], [cross[1]]])
        self.end.set_xdata([bound, bound])
        self.label.xy = cross
        self.label.set_text(f"they cross at t = (R/γ)² {exactly}")
        self.ax.set(xlim=(0.85, 3 * bound), ylim=(0.6 * gamma, 6 * cross[1]))
        proof = mistake_bound(run, u)
        slack = zip(proof["P3b"].slack, proof["P3c"].slack, strict=True)
        between = sum(min(pair) >= 0 for pair in slack)
        return (
            f"On logarithmic axes γt rises from {number(gamma)} and R√t from {number(R)}; they "
            f"cross at t {exactly}. The run ends after {run.mistakes} updates, "
            f"with w·w* = {number(along[-1])} and length {number(length[-1])}; at {between} of "
            f"{run.mistakes} updates both lie between the curves."
        )


@style.picture(6.4, 4.2)
def squeeze(ax, run, u, title=""):
    """γt from below, R√t from above, w_{t+1} between them; where they cross, it must end (P5)."""
    return Squeeze(ax).show(run, u)


@style.picture(6.0, 3.4)
def angle(ax, run, u, title=""):
    """The angle between w_t and the separator u, update after update (P4)."""
    length = style.lengths(run, least=1)
    ratio = math.sqrt(margin2(run.X, run.y, u) / radius2(run.X))
    if not length[1:].all():
        raise ValueError("there is no angle: the weights of this run come back to 0")
    t = np.arange(1, len(length))
    degrees = np.degrees(np.arccos(np.clip(_along(run, u)[1:] / length[1:], -1, 1)))
    allowed = np.degrees(np.arccos(np.minimum(np.sqrt(t) * ratio, 1)))
    ax.plot(t, degrees, "o-", color=BLUE, ms=4, lw=1)
    ax.plot(t, allowed, color=ORANGE, lw=1.6)
    shift, va = (2, "bottom") if allowed[-1] < 15 else (-2, "top")  # where there is room
    look = {"ha": "right", "va": va, "color": ORANGE}
    ax.text(t[-1], allowed[-1] + shift, "at most this, by the proof", **look)
    ax.set(ylim=(0, 100), xlabel="updates t", ylabel="angle of $w_{t+1}$ and $u$ (degrees)")
    return (
        f"the angle is {degrees[0]:.0f} degrees after the first update, {degrees.max():.0f} at "
        f"most, and {degrees[-1]:.0f} after the last of {len(degrees)}; the proof allows "
        f"{allowed[0]:.0f} degrees falling to {allowed[-1]:.0f}."
    )


@style.picture(6.4, 3.2)
def spread(ax, counts, bound, given, title=""):
    """How often each number of mistakes occurred; that of the order given is marked (P12)."""
    counts = style.whole_numbers(counts, "counts")
    given = checks.whole(given, "given", 0, style.MANY)
    bound = equals(checks.positive(bound, "bound"))
    made, often = np.unique(counts, return_counts=True)
    ax.bar(made, often, width=0.8, color=SKY, edgecolor=BLUE)
    ax.axvline(given, color=ORANGE, lw=2)
    ax.text(given, often.max(), " the order given", color=ORANGE, va="top")
    ax.set(xlabel=f"mistakes M (the bound {bound} is far to the right)", ylabel="orders")
    return (
        f"{len(counts)} orders made from {made[0]} to {made[-1]} mistakes, "
        f"{number(np.median(counts))} in the middle, the given order {given}; the bound {bound}."
    )


@style.picture(6.0, 3.8)
def growth(ax, n, series, title=""):
    """Several quantities that grow exponentially with n, on a logarithmic axis (P11)."""
    n, series, words = style.whole_numbers(n, "n"), style.named(series, "series"), []
    looks = ((ORANGE, "s"), (BLUE, "o"), (GREEN, "^"))
    for (name, heights), (color, marker) in zip(series, looks, strict=False):
        heights = style.floats(heights, name, len(n), positive=True)
        ax.semilogy(n, heights, marker + "-", color=color, ms=6)
        style.note(ax, name, (n[-1], heights[-1]), (8, 0), color=color, va="center")
        words.append(f"{name}: from {number(heights[0])} to {number(heights[-1])}")
    ax.set(xlim=(n[0] - 0.3, n[-1] + 0.32 * (n[-1] - n[0])), xticks=n, xlabel="n")
    return f"as n goes from {n[0]} to {n[-1]}, " + "; ".join(words) + "."
