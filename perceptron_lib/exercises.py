"""Checkers for the exercises: each says right or wrong, and why, but never the answer.

An answer is checked for what it has to do, not compared with a stored one, so every right answer
passes.  While the answer is still None, the checker says so.
"""

import itertools
from functools import wraps

import numpy as np

from perceptron_lib.embedding import unit_length, with_bias
from perceptron_lib.exact import dot, integers
from perceptron_lib.examples import labelled
from perceptron_lib.perceptron import perceptron
from perceptron_lib.separability import Separator, separate


class Verdict(str):
    """A sentence that a notebook shows without quotation marks."""

    __repr__ = str.__str__


class Wrong(Exception):
    """What is not yet right about an answer."""


def checker(check):
    """Turn a check that raises `Wrong` and returns praise into one that gives a verdict."""

    @wraps(check)
    def verdict(*answer):
        if any(part is None or part is Ellipsis for part in answer):
            return Verdict("No answer yet.")
        try:
            return Verdict(f"Right: {check(*answer)}")
        except (Wrong, ValueError) as reason:
            return Verdict(f"Not yet: {reason}.")

    return verdict


def _require(holds, otherwise):
    if not holds:
        raise Wrong(otherwise)


def _plane(X, y, most):
    X, y = labelled(X, y)
    _require(X.shape[1] == 2, f"examples in the plane have 2 coordinates, these have {X.shape[1]}")
    _require(len(X) <= most, f"at most {most} examples are allowed, these are {len(X)}")
    return X, y


@checker
def many_mistakes(X, y):
    """Three examples with small whole coordinates on which the Perceptron errs ten times (A2)."""
    X, y = _plane(X, y, 3)
    small = (np.rint(X) == X).all() and np.abs(X).max() <= 5
    _require(small, "the coordinates must be whole numbers from −5 to 5")
    _require(isinstance(separate(X, y), Separator), "no line through the origin separates these")
    run = perceptron(X, y)
    _require(run.mistakes >= 10, f"the run makes {run.mistakes} mistakes, not ten or more")
    return f"{run.mistakes} mistakes before it converges."


@checker
def needs_a_bias(X, y):
    """Examples, none at the origin, that a line separates but no line through the origin (A13)."""
    X, y = _plane(X, y, 4)
    _require(X.any(axis=1).all(), "an example at the origin makes it too easy")
    some_line = isinstance(separate(with_bias(X), y), Separator)
    _require(some_line, "even with a bias, no line separates these")
    through_origin = isinstance(separate(X, y), Separator)
    _require(not through_origin, "a line through the origin separates these already")
    return "separable with a bias, and not without."


NO_LINE = (
    np.array([[0, 0], [4, 0], [0, 4], [1, 1], [3, 3], [5, 1]], dtype=float),
    np.array([1, 1, 1, -1, -1, -1]),
)


@checker
def proof_of_inseparability(weights):
    """Weights λ for the six examples `NO_LINE`, with bias 1, that prove: no line (A12)."""
    X, y = NO_LINE
    weights = np.asarray(weights, dtype=float)
    _require(weights.shape == (6,), f"six weights are needed, these have shape {weights.shape}")
    _require(np.isfinite(weights).all(), "the weights must be finite")
    _require((weights >= 0).all(), "a weight is negative")
    _require(weights.any(), "all weights are zero, which proves nothing")
    N, _ = integers(weights)
    total = dot(N * y, with_bias(X).astype(np.int64))
    _require(total[2] == 0, "the two classes must have the same total weight")
    _require(not total.any(), "the weighted sums of the two classes differ")
    return "no line separates these six."


@checker
def worst_order(X, y, order):
    """An order of the given examples in which the Perceptron makes the most mistakes (A11)."""
    run = perceptron(X, y, order=order)
    most = max(
        perceptron(X, y, order=list(other)).mistakes
        for other in itertools.permutations(range(len(y)))
    )
    _require(run.mistakes == most, f"this order makes {run.mistakes} mistakes; another makes more")
    return f"{most} mistakes, and no order makes more."


@checker
def spoilt_by_unit_length(X, y):
    """Plane examples that a line separates until each is scaled to length 1 (E7)."""
    X, y = _plane(X, y, 4)
    small = (np.rint(X) == X).all() and np.abs(X).max() <= 5
    _require(small, "the coordinates must be whole numbers from −5 to 5")
    before = isinstance(separate(with_bias(X), y), Separator)
    _require(before, "even unscaled, no line separates these")
    after = isinstance(separate(with_bias(unit_length(X)), y), Separator)
    _require(not after, "a line separates the scaled examples too")
    return "scaling each example to length 1 has destroyed separability."
