"""Samples and errors: how often a learner fails, and how long its hypotheses survive."""

from collections.abc import Callable

import numpy as np

from perceptron_lib import checks
from perceptron_lib.plots import style
from perceptron_lib.plots.style import BLUE, GREEN, INK, ORANGE, SKY


@style.picture(6.4, 4.0)
def failure_rate(ax, m, rates, intervals, bound, delta, enough, title=""):
    """How often a learner failed, against the sample size; the theorem's bound, a function of m,
    beside it (Q2)."""
    m, spans = style.whole_numbers(m, "m"), checks.table(intervals, "intervals")
    if spans.shape != (len(m), 2):
        raise checks.refusal("intervals", f"{len(m)} pairs (low, high)", spans)
    rates = style.floats(rates, "rates", len(m))
    checks.instance(bound, Callable, "bound", "a function of m")
    delta = float(checks.chance(delta, "delta"))
    enough = checks.whole(enough, "enough", 0, style.MANY)
    ax.fill_between(m, *spans.T, color=SKY, alpha=0.4, lw=0)
    ax.plot(m, rates, "o-", color=BLUE, ms=5)
    fine = np.linspace(m[0], m[-1], 400)
    limit = np.minimum(style.floats([bound(k) for k in fine], "bound(m)"), 1)
    ax.plot(fine, limit, color=ORANGE, lw=1.8)
    ax.axhline(delta, color=GREEN, lw=1.4, ls="--")
    ax.axvline(enough, color=INK, lw=1, ls=":")
    ax.text(m[0], delta, f"δ = {delta:g}", color=GREEN, va="bottom", ha="left")
    ax.text(enough, 0.97, f"m = {enough} ", ha="right", va="top")
    half, middle = np.argmin(np.abs(limit - 0.5)), np.argmin(np.abs(rates - 0.5))
    ax.text(fine[half], 0.5, "bound  ", color=ORANGE, ha="right")
    ax.text(m[middle], rates[middle], "   observed", color=BLUE, va="bottom")
    ax.set(ylim=(-0.02, 1.05), xlabel="examples m", ylabel="probability of error above ε")
    return (
        f"with {m[0]} examples the learner failed in {rates[0]:.1%} of the trials, with {m[-1]} "
        f"in {rates[-1]:.1%}; the bound falls to δ = {delta:g} at m = {enough}."
    )


class Survivals:
    """How long each hypothesis of a run survived, against the length that is asked for (O1)."""

    def __init__(self, ax):
        self.ax = ax

    def show(self, counts, length, chosen=None):
        """Draw the bars and return them in words; `chosen` is the hypothesis put out."""
        ax, counts = self.ax, style.whole_numbers(counts, "counts")
        length, what = checks.whole(length, "length", 1, style.MANY), "none survived"
        ax.clear()
        ax.spines[["top", "right"]].set_visible(False)
        ax.bar(np.arange(1, len(counts) + 1), counts, color=SKY, edgecolor=BLUE)
        ax.axhline(length, color=ORANGE, lw=1.6)
        ax.text(0.5, length, f" asked for: {length}", color=ORANGE, va="bottom")
        if chosen is not None:
            most = counts[checks.whole(chosen, "chosen", 0, len(counts) - 1)]
            what = f"hypothesis {chosen + 1} is put out"
            ax.bar([chosen + 1], [most], color=BLUE)
            if most > 1.6 * length:
                look = {"color": BLUE, "ha": "right", "va": "top"}
                ax.text(chosen + 0.55, 1.5 * length, f"{most:,} ↑ ", **look)
        ax.set(xlabel="hypothesis", ylabel="right in a row", ylim=(0, 1.6 * length))
        shown = ", ".join(map(str, counts[:12])) + (", …" if len(counts) > 12 else "")
        asked = f"{length} were asked for"
        return f"{len(counts)} hypotheses survived {shown} examples; {asked}; {what}."


@style.picture(6.4, 3.4)
def survivals(ax, counts, length, chosen=None, title=""):
    """How long each hypothesis of a run survived, as a picture (O1)."""
    return Survivals(ax).show(counts, length, chosen)
