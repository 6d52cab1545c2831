"""Exercises of lesson 2: separability."""

import numpy as np

from perceptron_lib.embedding import unit_length, with_bias
from perceptron_lib.exact import dot
from perceptron_lib.exercises.checker import (
    checker,
    different_directions,
    plane,
    require,
    small,
    whole_list,
)
from perceptron_lib.separability import Separator, separate

__all__ = ["NO_LINE", "needs_a_bias", "proof_of_inseparability", "spoilt_by_unit_length"]


NO_LINE = (
    np.array([[0, 0], [4, 0], [0, 4], [1, 1], [3, 3], [5, 1]], dtype=float),
    np.array([1, 1, 1, -1, -1, -1]),
)


@checker("02.1", "…", "…")
def needs_a_bias(X, y):
    """Examples in different directions, separable by a line but by none through 0 (A13)."""
    X, y = plane(X, y, 4)
    different_directions(X, y)
    some_line = isinstance(separate(with_bias(X), y), Separator)
    require(some_line, "even with a bias, no line separates these")
    through_origin = isinstance(separate(X, y), Separator)
    require(not through_origin, "a line through the origin separates these already")
    return "separable with a bias, and not without."


@checker("02.2", "…", "…")
def proof_of_inseparability(weights):
    """Weights λ for the six examples `NO_LINE`, with bias 1, that prove: no line (A12)."""
    X, y = NO_LINE
    whole = "the weights must be whole numbers (multiply them if need be)"
    weights = whole_list(weights, whole)
    require(len(weights) == 6, f"six weights are needed, these are {len(weights)}")
    require(min(weights) >= 0, "a weight is negative")
    require(any(weights), "all weights are zero, which proves nothing")
    total = dot(np.array(weights, dtype=object) * y, with_bias(X).astype(np.int64))
    require(total[2] == 0, "the two classes must have the same total weight")
    require(not total.any(), "the weighted sums of the two classes differ")
    return "no line separates these six."


@checker("02.3", "…", "…")
def spoilt_by_unit_length(X, y):
    """Examples in different directions that a line separates until all have length 1 (E7)."""
    X, y = plane(X, y, 4)
    different_directions(X, y)
    small(X)
    before = isinstance(separate(with_bias(X), y), Separator)
    require(before, "even unscaled, no line separates these")
    after = isinstance(separate(with_bias(unit_length(X)), y), Separator)
    require(not after, "a line separates the scaled examples too")
    return "scaling each example to length 1 has destroyed separability."
