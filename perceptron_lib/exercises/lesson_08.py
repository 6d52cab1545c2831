"""Exercises of lesson 8: no perfect separator."""

from fractions import Fraction

import numpy as np

from perceptron_lib import bounds, checks
from perceptron_lib.exercises.checker import checker, number, plane, require
from perceptron_lib.perceptron import perceptron
from perceptron_lib.show import short

__all__ = ["FOUR_SCORES", "best_gamma", "hinge_by_hand", "one_bad_example"]


FOUR_SCORES = (np.array([[1.0], [2.0], [3.0], [-1.0]]), np.array([1, 1, 1, 1]))


@checker(
    "08.1",
    "First write down the four scores z·v. By how much is each below 1?",
    "A score of 1 or more costs 0, and no example gives anything back.",
)
def hinge_by_hand(loss):
    """The hinge loss of v = 1/2 on `FOUR_SCORES` (H2).

    >>> hinge_by_hand(-1)
    ✗ Not yet: a loss is never below 0.
    """
    loss, v = number(loss), [Fraction(1, 2)]
    scores, right = bounds.scores(*FOUR_SCORES, v), bounds.hinge_loss(*FOUR_SCORES, v)
    require(loss >= 0, "a loss is never below 0")
    require(loss != sum(1 - s for s in scores), "an example beyond the margin gives nothing back")
    require(loss != sum(s <= 0 for s in scores), "this counts the wrong examples, not how far")
    require(loss * v[0] != right, "this is the total distance; divide it by γ = 1/v")
    of_zero = sum(max(-s, 0) for s in scores)
    require(loss != of_zero, "this is what the scores lack to be 0; they ought to be 1")
    require(loss == right, "add max(0, 1 − z·v) over the four examples")
    return "examples beyond the margin cost nothing, the others what they lack."


@checker(
    "08.2",
    "With a = 1/γ the bound is 9a² + 2·(sum of max(0, 1 − a·s) over the four scores s).",
    "Between a = 1/3, 1/2 and 1 it is a parabola. Where does its slope change from − to +?",
)
def best_gamma(gamma):
    """The γ at which the relaxed bound H4 is least on `FOUR_SCORES`, for u = 1 (H4).

    >>> best_gamma(0)
    ✗ Not yet: γ must be above 0.
    """
    gamma, best = number(gamma), bounds.best_gamma_u(*FOUR_SCORES, [1])
    require(gamma > 0, "γ must be above 0")
    require(gamma * best != 1, "this is 1/γ")
    total = sum(max(gamma - s, 0) for s in bounds.scores(*FOUR_SCORES, [1]))
    value = bounds.hinge_mistakes(bounds.radius2(FOUR_SCORES[0]), 1, total, gamma)
    better = "smaller" if gamma > best else "larger"
    require(gamma == best, f"the bound is {short(value)} there, and a {better} γ does better")
    return f"the bound is {value} there, in a corner: an example begins to be short."


@checker(
    "08.3",
    "Which example must come first, and how long should it be?",
    "Let the first be long and wrong for u; every other one should be right for u, and short.",
)
def one_bad_example(X, y, u):
    """At most ten examples, all but at most one right for u; in one pass 7 mistakes (H7).

    >>> one_bad_example([[1, 0], [0, 1]], [1, -1], [1, -1])
    ✗ Not yet: 2 examples cannot cause seven mistakes in one pass.
    """
    X, y = plane(X, y, 10)
    u = checks.fractions(u, 2, "u", "two numbers")
    require(len(y) >= 7, f"{len(y)} examples cannot cause seven mistakes in one pass")
    errors = sum(s <= 0 for s in bounds.scores(X, y, u))
    require(errors <= 1, f"u is wrong (or undecided) on {errors} examples")
    made = perceptron(X, y, max_passes=1).mistakes
    require(made >= 7, f"the Perceptron makes {made} mistakes in one pass, not 7 or more")
    return f"{made} mistakes, where u makes {errors}."
