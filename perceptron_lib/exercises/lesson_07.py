"""Exercises of lesson 7: from online to PAC."""

from fractions import Fraction

from perceptron_lib import checks, pac
from perceptron_lib.examples import worst_case
from perceptron_lib.exercises.checker import Wrong, checker, number, require, whole_list

__all__ = ["risky_distribution", "stream_without_survivor", "where_two_phases_win"]


@checker("07.1", "…", "…")
def stream_without_survivor(order):
    """A stream of the three unit vectors on which nothing survives, for ε = δ = 1/4 (O3)."""
    X, y, _ = worst_case(3)
    total = pac.reduction_size(3, 0.25, 0.25)
    order = whole_list(order, "a stream is a list of 0, 1 and 2")
    require(set(order) <= {0, 1, 2}, "a stream is a list of 0, 1 and 2")
    require(len(order) == total, f"it must have {total} entries, this has {len(order)}")
    require(order[0] == 2, "the first example is to be number 2")
    learned = pac.online_to_pac(lambda n: (X[order], y[order]), 3, 0.25, 0.25)
    require(not learned.survived, "a hypothesis survives long enough")
    return "and so the last hypothesis has error 0."


@checker("07.2", "…", "…")
def risky_distribution(p):
    """Chances of the three unit vectors for which the reduction fails with 6 % or more (O2)."""
    try:
        p = checks.fractions(p)
    except ValueError:
        raise Wrong("three fractions are asked for, such as ['1/2', '1/4', '1/4']") from None
    require(min(p) > 0, "each of the three must have a chance above 0")
    D = pac.Finite.of(*worst_case(3)[:2], p=p)
    failure = pac.exact_reduction(D, 3, Fraction(1, 10), Fraction(1, 4)).failure
    require(failure >= Fraction(6, 100), f"the chance of failure is {float(failure):.4%}")
    return f"the chance of failure is {float(failure):.2%}, still at most δ = 25 %."


@checker("07.3", "…", "…")
def where_two_phases_win(M):
    """The smallest M for which two phases need fewer examples, for ε = δ = 0.1 (O5)."""
    M = number(M)
    require(M.denominator == 1 and M >= 1, "M must be a whole number, 1 or more")

    def wins(m):
        return sum(pac.two_phase_sizes(m, 0.1, 0.1)) < pac.reduction_size(m, 0.1, 0.1)

    require(wins(int(M)), "the first survivor still needs fewer examples, or as many")
    require(M == 1 or not wins(int(M) - 1), "two phases win already for a smaller M")
    return "from there on, two phases need fewer examples."
