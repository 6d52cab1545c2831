"""Exercises of lesson 2: separability."""

import numpy as np

from perceptron_lib import checks
from perceptron_lib.embedding import unit_length, with_bias
from perceptron_lib.exact import dot
from perceptron_lib.exercises.checker import (
    Wrong,
    checker,
    different_directions,
    number,
    plane,
    require,
    small,
    whole_list,
)
from perceptron_lib.separability import Separator, separate
from perceptron_lib.show import numbers

__all__ = [
    "NO_LINE",
    "nearest_by_hand",
    "needs_a_bias",
    "proof_of_inseparability",
    "spoilt_by_unit_length",
]

NO_LINE = (
    np.array([[0, 0], [4, 0], [0, 4], [1, 1], [3, 3], [5, 1]], dtype=float),
    np.array([1, 1, 1, -1, -1, -1]),
)


@checker(
    "02.1",
    "A line through the origin gives opposite points opposite labels. Which labels defeat it?",
    "Put two examples of one label on opposite sides of the origin, and one of the other label "
    "away from the line between them.",
)
def needs_a_bias(X, y):
    """Examples in different directions, separable by a line but by none through 0 (A13).

    >>> needs_a_bias([[1, 0], [0, 1]], [1, -1])
    ✗ Not yet: a line through the origin separates these already.
    """
    X, y = plane(X, y, 4)
    different_directions(X, y)
    some_line = isinstance(separate(with_bias(X), y), Separator)
    require(some_line, "even with a bias, no line separates these")
    through_origin = isinstance(separate(X, y), Separator)
    require(not through_origin, "a line through the origin separates these already")
    return "separable with a bias, and not without."


@checker(
    "02.2",
    "The z are (3, −1), (0, 5) and (4, 3). Which corner or side of their triangle looks towards 0?",
    "The nearest point of a side is where the side is at a right angle to p. Write p as "
    "λ z_0 + (1 − λ) z_1 and solve p·(z_1 − z_0) = 0.",
)
def nearest_by_hand(multipliers):
    """The multipliers of the point of a hull that is nearest to 0 (A14).

    >>> nearest_by_hand([1, 0])
    ✗ Not yet: the answer must be three numbers, such as ['1/2', '1/4', '1/4'].
    """
    try:
        share = [number(v) for v in checks.fractions(multipliers, 3)]
    except ValueError:
        raise Wrong("the answer must be three numbers, such as ['1/2', '1/4', '1/4']") from None
    require(min(share) >= 0, "a multiplier is negative, so the point may lie outside the hull")
    require(sum(share) == 1, f"the multipliers sum to {sum(share)}, not to 1")
    Z = np.array([(3, -1), (0, 5), (4, 3)], dtype=object)
    p = share @ Z
    shown = f"p = {numbers(p)}"
    for i, z in enumerate(Z):
        nearer = f"{shown} has z·p below ‖p‖² for example {i}: a step towards it would come nearer"
        require(z @ p >= p @ p, nearer)
    return f"{shown}, and every z·p is at least ‖p‖² = {p @ p}."


@checker(
    "02.3",
    "Look for one point that is a weighted mean of circles and of squares as well.",
    "One of the squares lies inside the triangle of the circles. Write it as a weighted mean of "
    "the corners, and multiply until all numbers are whole.",
)
def proof_of_inseparability(k):
    """Whole multipliers for the six examples `NO_LINE`, with bias 1, that prove: no line (A12).

    >>> proof_of_inseparability([1, 1, 1, 1, 1, 1])
    ✗ Not yet: the weighted sums of the two classes differ by (−5, −1).
    """
    X, y = NO_LINE
    whole = "the answer must be a list of whole numbers (multiply fractions until they are whole)"
    k = whole_list(k, whole)
    require(len(k) == 6, f"six numbers are needed, these are {len(k)}")
    require(min(k) >= 0, "a multiplier is negative")
    require(any(k), "all multipliers are 0, which proves nothing")
    total = dot(np.array(k, dtype=object) * y, with_bias(X).astype(np.int64))
    require(total[2] == 0, "the two classes must have the same total of multipliers")
    differ = f"the weighted sums of the two classes differ by {numbers(total[:2])}"
    require(not total.any(), differ)
    return "no line separates these six."


@checker(
    "02.4",
    "After the scaling all examples lie on a circle. Which labellings of four points of a circle "
    "defeat every line?",
    "The labels must alternate around the circle. Before the scaling, lengths can pull one of the "
    "examples out of the others' way.",
)
def spoilt_by_unit_length(X, y):
    """Examples in different directions that a line separates until all have length 1 (E7).

    >>> spoilt_by_unit_length([[1, 0], [0, 1]], [1, -1])
    ✗ Not yet: a line separates the scaled examples too.
    """
    X, y = plane(X, y, 4)
    different_directions(X, y)
    small(X)
    before = isinstance(separate(with_bias(X), y), Separator)
    require(before, "even unscaled, no line separates these")
    after = isinstance(separate(with_bias(unit_length(X)), y), Separator)
    require(not after, "a line separates the scaled examples too")
    return "scaling each example to length 1 has destroyed separability."
