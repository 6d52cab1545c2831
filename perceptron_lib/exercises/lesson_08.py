"""Exercises of lesson 8: no perfect separator."""

from fractions import Fraction

import numpy as np

from perceptron_lib import bounds, checks
from perceptron_lib.exercises.checker import checker, number, plane, require
from perceptron_lib.perceptron import perceptron

__all__ = ["FOUR_SCORES", "best_gamma", "hinge_by_hand", "one_bad_example"]


FOUR_SCORES = (np.array([[1.0], [2.0], [3.0], [-1.0]]), np.array([1, 1, 1, 1]))


@checker("08.1", "…", "…")
def hinge_by_hand(loss):
    """The hinge loss of v = 1/2 on `FOUR_SCORES` (H2)."""
    right = number(loss) == bounds.hinge_loss(*FOUR_SCORES, [Fraction(1, 2)])
    require(right, "add max(0, 1 − y v·x) over the four examples")
    return "examples beyond the margin cost nothing, the others what they lack."


@checker("08.2", "…", "…")
def best_gamma(gamma):
    """The γ at which the relaxed bound H4 is least on `FOUR_SCORES`, for u = 1 (H4)."""
    gamma = number(gamma)
    require(gamma > 0, "γ must be above 0")
    best = bounds.best_gamma_u(*FOUR_SCORES, [1])
    require(abs(gamma - best) <= Fraction(1, 1000), "another γ gives a smaller bound")
    return f"γ = {best}."


@checker("08.3", "…", "…")
def one_bad_example(X, y, u):
    """At most ten examples, all but at most one right for u; in one pass 7 mistakes (H7)."""
    X, y = plane(X, y, 10)
    u = checks.fractions(u, 2, "u", "two numbers")
    errors = sum(s <= 0 for s in bounds.scores(X, y, u))
    require(errors <= 1, f"u is wrong (or undecided) on {errors} examples")
    made = perceptron(X, y, max_passes=1).mistakes
    require(made >= 7, f"the Perceptron makes {made} mistakes in one pass, not 7 or more")
    return f"{made} mistakes, where u makes {errors}."
