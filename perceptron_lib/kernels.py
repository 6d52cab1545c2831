"""Kernels: inner products of feature vectors that are never written down.

Each function takes two tables of examples and gives the table of inner products of their images,
so that ``kernel(X, X)`` is a Gram matrix and ``kernel(new, X)`` is what a prediction needs (D5).
"""

import numpy as np

from perceptron_lib.exact import real, shown
from perceptron_lib.examples import table, whole_number


def linear(A, B, constant=0.0):
    """a·b + constant; the constant R² is the bias rule b <- b + y R² (D1).

    >>> linear([[1, 2]], [[3, 4]])
    array([[11.]])
    """
    return _inner(A, B) + constant


def polynomial(A, B, degree=2, constant=1.0):
    """(a·b + constant)**degree: all products of up to `degree` coordinates.

    >>> polynomial([[1, 2]], [[3, 4]])
    array([[144.]])
    """
    degree = whole_number(degree, "degree", 1, 1000)
    product = _inner(A, B) + constant
    power = product.copy()
    for _ in range(degree - 1):  # one product at a time: whole numbers stay whole
        power *= product
    return power


def gaussian(A, B, width=1.0):
    """exp(-||a - b||² / (2 width²)).

    >>> gaussian([[0.0, 0.0]], [[0.0, 0.0]])
    array([[1.]])
    """
    given, width = width, real(width)
    if not 1e-150 < width < 1e150:
        raise ValueError(
            f"width must be a number above 0 (and of middling size); got {shown(given)}"
        )
    A, B = table(A), table(B)
    middle = B.mean(axis=0)  # distances do not change, and far from 0 less is lost to rounding
    A, B = A - middle, B - middle
    squares = (A * A).sum(axis=1)[:, None] + (B * B).sum(axis=1) - 2 * _inner(A, B)
    return np.exp(-np.maximum(squares, 0) / (2 * width**2))


def _inner(A, B):
    A, B = table(A), table(B)
    if A.shape[1] != B.shape[1]:
        raise ValueError(f"both tables need the same columns; got {A.shape[1]} and {B.shape[1]}")
    return A @ B.T
