"""Exercises of lesson 5: the margin Perceptron."""

import itertools
import math
from fractions import Fraction

from perceptron_lib import bounds
from perceptron_lib.examples import five_points
from perceptron_lib.exercises.checker import (
    Wrong,
    checker,
    converged,
    number,
    plane,
    require,
    separator,
    whole_list,
)
from perceptron_lib.perceptron import margin_perceptron

__all__ = ["lazy_perceptron", "smallest_eps", "too_close"]


@checker("05.1", "…", "…")
def too_close(updates):
    """Which of the five points the margin Perceptron adds, for γ = 1 and ε = ½ (M1)."""
    X, y, _ = five_points()
    run = margin_perceptron(X, y, gamma=1)
    updates = whole_list(updates, "the answer must be a list of example numbers")
    right = [a == b for a, b in itertools.zip_longest(updates, run.updates.tolist())]
    if not all(right):
        first = right.index(False)
        raise Wrong(f"the first {first} are right; look again at what comes then")
    return "these are all of them, in this order."


@checker("05.2", "…", "…")
def lazy_perceptron(X, y):
    """Examples where the Perceptron reaches at most 1/100 of the largest margin (M6, M8)."""
    X, y = plane(X, y, 4)
    best = separator(X, y, "no line through the origin separates these")
    reached = bounds.margin2(X, y, converged(X, y).w)
    share = math.sqrt(reached) / best.margin
    tiny = 10_000 * reached <= Fraction(best.margin) ** 2
    require(tiny, f"the Perceptron's margin is {share:.4f} of the largest")
    return f"the Perceptron's margin is {share:.6f} of the largest."


@checker("05.3", "…", "…")
def smallest_eps(eps):
    """The smallest ε for which M7 allows at most 60 updates when R = 1 and γ = 1/2."""
    eps = number(eps)
    require(0 < eps < 1, "ε must lie between 0 and 1")
    allowed = bounds.margin_updates(1, Fraction(1, 4), eps)
    require(allowed <= 60, f"{float(allowed):.8g} updates are allowed for this ε, more than 60")
    require(allowed == 60, "a smaller ε will do as well")
    return f"{float(allowed):.4g} updates."
