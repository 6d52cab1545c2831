"""Exercises of lesson 5: the margin Perceptron."""

import math
from fractions import Fraction

from perceptron_lib import bounds, show
from perceptron_lib.exercises.checker import (
    checker,
    converged,
    number,
    plane,
    require,
    separator,
    whole_list,
)
from perceptron_lib.perceptron import margin_perceptron, perceptron

__all__ = ["FOUR", "lazy_perceptron", "smallest_eps", "too_close"]


FOUR = [(4, 0), (-1, -3), (5, -3), (1, -5)], [1, -1, 1, -1]


@checker(
    "05.1",
    "First write down the four z = yx. Then compare z·w with the length of w, example after "
    "example, since (1 − ε)γ = 1.",
    "Halt only after a pass without an update. Of three kinds of examples, wrong, right but too "
    "close, and exactly at distance 1, which are added?",
)
def too_close(updates):
    """Which of four examples the margin Perceptron adds, for γ = 2 and ε = ½ (M1).

    >>> too_close([])
    ✗ Not yet: the run is not over yet.
    """
    right = margin_perceptron(*FOUR, gamma=2).updates.tolist()
    updates = whole_list(updates, "the answer must be a list of example numbers")
    inside = all(0 <= i <= 3 for i in updates)
    require(inside, "the examples are numbered from 0 to 3")
    only_mistakes = perceptron(*FOUR, start=FOUR[0][0]).updates.tolist()
    require(updates != only_mistakes, "these are the mistakes; some right examples are too close")
    require(updates != [0, *right], "the start is no update; leave it out")
    wrong = [k for k, (given, i) in enumerate(zip(updates, right, strict=False), 1) if given != i]
    # At the start the distance of example 1 is exactly 1.
    tie = ", and at what a distance of exactly 1 means" if updates[:1] == [1] else ""
    require(not wrong, f"look again at entry {min(wrong, default=0)} of your list{tie}")
    require(len(updates) >= len(right), "the run is not over yet")
    require(len(updates) <= len(right), "the run is over before the end of your list")
    return "these are all of them, in this order."


@checker(
    "05.2",
    "The Perceptron stops as soon as all signs are right. Try two examples, and let the first "
    "update settle both signs, the second of them only just.",
    "After the first example w is that example. So let the second be almost at a right angle to "
    "it, and then compare with the best line between the two.",
)
def lazy_perceptron(X, y):
    """Examples where the Perceptron reaches at most 1/100 of the largest margin (M6, M8).

    >>> lazy_perceptron([[1, 0], [0, 1]], [1, -1])
    ✗ Not yet: the Perceptron's margin is 1.0000 of the largest.
    """
    X, y = plane(X, y, 4)
    best = separator(X, y, "no line through the origin separates these")
    reached = bounds.margin2(X, y, converged(X, y).w)
    share = math.sqrt(reached) / best.margin
    tiny = 10_000 * reached <= Fraction(best.margin) ** 2
    require(tiny, f"the Perceptron's margin is {share:.4f} of the largest")
    return f"the Perceptron's margin is {share:.6f} of the largest."


@checker(
    "05.3",
    "Put R = 1 and γ = 1/2 into the two-phase bound. What remains is an inequality in 1/ε.",
    "With v = 1/ε the bound is 8v² + 4v. For which v is it exactly 60?",
)
def smallest_eps(eps):
    """The smallest ε for which M7 allows at most 60 updates when R = 1 and γ = 1/2.

    >>> smallest_eps(2)
    ✗ Not yet: ε must lie between 0 and 1.
    """
    eps = number(eps)
    require(0 < eps < 1, "ε must lie between 0 and 1")
    over = bounds.margin_updates(1, Fraction(1, 4), eps) - 60
    require(over <= 0, f"for this ε the bound is above 60, by {show.number(over)}")
    require(over == 0, f"a smaller ε will do: here the bound is below 60, by {show.number(-over)}")
    return "the bound is exactly 60."
