"""Exercises of lesson 7: from online to PAC."""

from fractions import Fraction

from perceptron_lib import checks, pac
from perceptron_lib.examples import worst_case
from perceptron_lib.exercises.checker import Wrong, checker, number, require, whole_list
from perceptron_lib.perceptron import perceptron

__all__ = ["longest_trial", "risky_distribution", "where_two_phases_win"]


@checker(
    "07.1",
    "A trial that is passed ends everything. How long can a trial last that is not passed?",
    "h_1 errs at once. At which example of its trial should h_2 err, so that as many as possible "
    "are used? The lengths of the trials are pac.trial_length(k, 0.25, 0.25).",
)
def longest_trial(stream):
    """A stream of the three unit vectors on which trials that grow last longest (O6).

    >>> longest_trial([0, 1, 2])
    ✗ Not yet: the stream ends before any of 4 hypotheses has passed its trial.
    """
    X, y, _ = worst_case(3)
    expected = "a stream is a list of at most 1,000 of the numbers 0, 1 and 2"
    order = whole_list(stream, expected)
    require(order and set(order) <= {0, 1, 2} and len(order) <= 1000, expected)
    run = perceptron(X[order], y[order], max_passes=1)
    kept, lengths = pac.survivals(run), [pac.trial_length(k, 0.25, 0.25) for k in (1, 2, 3, 4)]
    passed = [k for k, count in enumerate(kept) if count >= lengths[k]]
    require(passed, f"the stream ends before any of {len(kept)} hypotheses has passed its trial")
    k = passed[0]
    used, most = sum(pac.in_use(run)[:k]) + lengths[k], 1 + sum(lengths[1:])
    missing = f"h_{k + 1} is output after {used} examples"
    require(k == 3, f"{missing}, before all three vectors have been met")
    require(used == most, f"{missing}; an earlier trial could have lasted longer")
    return f"{used} examples are looked at, and no stream makes it more."


@checker(
    "07.2",
    "A hypothesis that knows two of the vectors errs on the third. When is that bad, yet as hard "
    "to find out as possible?",
    "Its error must exceed 1/10, but only just. And two such hypotheses are better than one.",
)
def risky_distribution(p):
    """Chances of the three unit vectors for which the reduction fails with 6 % or more (O2).

    >>> risky_distribution(["1/3", "1/3", "1/3"])
    ✗ Not yet: the chance of failure is 0.0040%.
    """
    try:
        p = checks.fractions(p)
    except ValueError:
        raise Wrong("three fractions are asked for, such as ['1/2', '1/4', '1/4']") from None
    require(min(p) > 0, "each of the three must have a chance above 0")
    D = pac.Finite.of(*worst_case(3)[:2], p=p)
    failure = pac.exact_reduction(D, 3, Fraction(1, 10), Fraction(1, 4)).failure
    chance = f"{float(failure):.4%}" if failure > Fraction(1, 10**6) else "almost 0"
    edge = "; an error of exactly 1/10 is not above ε" if Fraction(1, 10) in p else ""
    require(failure >= Fraction(6, 100), f"the chance of failure is {chance}{edge}")
    return f"the chance of failure is {float(failure):.2%}, still at most δ = 25 %."


@checker(
    "07.3",
    "Compare sum(pac.two_phase_sizes(M, 0.1, 0.1)) with pac.reduction_size(M, 0.1, 0.1).",
    "By the table it lies between 10 and 100. A loop over M finds the first for which it holds.",
)
def where_two_phases_win(M):
    """The smallest M for which two phases need fewer examples, for ε = δ = 0.1 (O5).

    >>> where_two_phases_win(1)
    ✗ Not yet: the first survivor still needs fewer examples, or as many.
    """
    M = number(M)
    require(M.denominator == 1 and M >= 1, "M must be a whole number, 1 or more")

    def wins(m):
        return sum(pac.two_phase_sizes(m, 0.1, 0.1)) < pac.reduction_size(m, 0.1, 0.1)

    require(wins(int(M)), "the first survivor still needs fewer examples, or as many")
    require(M == 1 or not wins(int(M) - 1), "two phases win already for a smaller M")
    return "from there on, two phases need fewer examples."
