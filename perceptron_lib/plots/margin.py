"""The margin Perceptron: how fast w grows, and what ε buys."""

import math

import numpy as np
from matplotlib.ticker import NullLocator

from perceptron_lib import checks
from perceptron_lib.bounds import radius2
from perceptron_lib.plots import parts, style
from perceptron_lib.plots.style import BOUND, GREEN, INK, PURPLE, U
from perceptron_lib.show import count, equals, number


@style.picture(6.8, 4.2)
def increments(ax, run, gamma, eps=0.5, title=""):
    """How much longer each update makes w: never more than R, and at most (1 − ε/2)γ once w is
    long (M4); M3's bound for each length in between (M10)."""
    length = style.lengths(run, least=1)
    exact = checks.positive(eps, "eps", below=1) * checks.positive(gamma, "gamma")
    gamma, eps = (style.real(v, k, True) for k, v in (("gamma", gamma), ("eps", eps)))
    t, R2 = np.arange(1, len(length)), float(radius2(run.X))
    R, border, slow = math.sqrt(R2), R2 / (eps * gamma), (1 - eps / 2) * gamma
    grown, from_one = np.diff(length), length[:-1] > 0
    top = 1.15 * max(grown.max(), 1.5 * gamma)
    ax.set(xlim=(0, t[-1] + 0.5), ylim=(min(0, 1.1 * grown.min()), top))
    ax.set(xlabel="updates t", ylabel="growth of ‖w‖ in update t")
    ax.axhline(0, **style.AID)
    most = R2 / (2 * length[:-1][from_one]) + (1 - eps) * gamma
    ax.plot(t[from_one], most, **BOUND)
    ax.axhline(gamma, **U)
    for height in (R, slow):
        ax.axhline(height, color=PURPLE, lw=1)
    ax.plot(t, grown, **style.OBSERVED | {"ls": "", "ms": 5 if len(t) < 80 else 3, "mew": 0.4})
    high = "R" if top > R else f"R = {number(R)} ↑"
    labels = [(high, min(R, top), PURPLE), ("γ", gamma, GREEN), ("(1 − ε/2)γ", slow, PURPLE)]
    parts.at_ends(ax, labels)
    if from_one.any():
        k = len(most) // 4
        parts.note(ax, "R²/(2‖w‖) + (1 − ε)γ", (t[from_one][k], most[k]), color=PURPLE)
    passed = np.flatnonzero(length >= border)
    when = f"after {passed[0]} updates" if len(passed) else "never"
    if len(passed):
        ax.axvspan(passed[0] + 0.5, t[-1] + 0.5, color=PURPLE, alpha=0.1, lw=0)
        parts.note(ax, "‖w‖ ≥ R²/(εγ)", (passed[0] + 0.5, 0.75 * top))
    few = int(np.sum(grown < gamma))
    return f"{few} of {count(len(t), 'update')} lengthen w by less than γ = {number(gamma)}", (
        f"growth of the length of w, from {number(grown.max())} at most to {number(grown[-1])} in "
        f"the last of {len(t)} updates; R = {number(R)}, (1 − ε/2)γ = {number(slow)}; the length "
        f"passes R²/(εγ) {equals(radius2(run.X) / exact)} {when}."
    )


@style.picture(9.6, 3.8, columns=2)
def tradeoff(axes, eps, reached, updates, allowed, title=""):
    """What eps buys and costs: the margin reached, and the updates made and allowed (M7)."""
    left, right = axes
    eps = style.floats(eps, "eps", positive=True)
    reached, updates, allowed = (
        style.floats(values, name, len(eps), positive=True)
        for values, name in ((reached, "reached"), (updates, "updates"), (allowed, "allowed"))
    )
    fine = np.geomspace(eps[0], eps[-1], 100)
    for ax in axes:
        ax.set(xscale="log", xlabel="ε")
        ax.set_xticks(eps, [f"{e:g}" for e in eps])
        ax.xaxis.set_minor_locator(NullLocator())
    left.set_ylabel("margin / largest margin")
    right.set(ylabel="updates", yscale="log")
    near = int(np.argmin(eps))  # which comes last: smaller is dearer
    for ax in axes:
        ax.set_xlim(1.15 * eps.max(), 0.85 * eps.min())
    left.plot(fine, 1 - fine, **BOUND)
    left.plot(eps, reached, **style.OBSERVED)
    right.plot(eps, allowed, **BOUND)
    right.plot(eps, updates, **style.OBSERVED)
    for ax, *ends in (
        (left, ("1 − ε, promised", 1 - eps[near], PURPLE), ("reached", reached[near], INK)),
        (right, ("bound", allowed[near], PURPLE), ("made", updates[near], INK)),
    ):
        parts.at_ends(ax, ends)
    last = f"{number(updates[near])} updates, {number(allowed[near])} allowed"
    return f"ε = {eps[near]:g}: {reached[near]:.1%} of the largest margin for {last}", (
        f"as ε goes from {eps[0]:g} to {eps[-1]:g}, the margin reached goes from "
        f"{reached[0]:.3f} to {reached[-1]:.3f} of the largest, the updates from "
        f"{number(updates[0])} to {number(updates[-1])}, and their bound from "
        f"{number(allowed[0])} to {number(allowed[-1])}."
    )
