"""Kernels: inner products of feature vectors that are never written down.

Each function takes two tables of examples and gives the table of inner products of their images,
so that ``kernel(X, X)`` is a Gram matrix and ``kernel(new, X)`` is what a prediction needs (D5).
"""

import warnings
from functools import reduce

import numpy as np

from perceptron_lib import checks


def linear(A, B, constant=0.0):
    """a·b + constant; the constant R² is the bias rule b <- b + y R² (D1).

    >>> linear([[1, 2]], [[3, 4]])
    array([[11.]])
    """
    A, B = _tables(A, B)
    constant = checks.exact_float(constant, "constant")
    return _finite(lambda: A @ B.T + constant)


def polynomial(A, B, degree=2, constant=1.0):
    """(a·b + constant)**degree: all products of up to `degree` coordinates.

    >>> polynomial([[1, 2]], [[3, 4]])
    array([[144.]])
    """
    degree = checks.whole(degree, "degree", 1, 1000)
    product = linear(A, B, constant)
    # One product at a time: whole numbers stay whole.
    return _finite(lambda: reduce(np.multiply, [product] * degree))


def gaussian(A, B, width=1.0):
    """exp(-||a - b||² / (2 width²)).

    >>> gaussian([[0.0, 0.0]], [[0.0, 0.0]])
    array([[1.]])
    """
    expected = "a number above 0 (and of middling size)"
    width = checks.real(width, "width", expected, lambda w: 1e-150 < w < 1e150)
    A, B = _tables(A, B)
    middle = B.mean(axis=0)  # distances do not change, and far from 0 less is lost to rounding
    A, B = A - middle, B - middle
    squares = _finite(
        lambda: (A * A).sum(axis=1)[:, None] + (B * B).sum(axis=1) - 2 * linear(A, B)
    )
    return np.exp(-np.maximum(squares, 0) / (2 * width**2))


def _tables(A, B):
    A, B = checks.table(A, "A", copy=False), checks.table(B, "B", copy=False)
    if A.shape[1] != B.shape[1]:
        raise ValueError(f"A and B must have the same columns; got {A.shape[1]} and {B.shape[1]}")
    return A, B


def _finite(products):
    """What the function gives, unless it is too large."""
    with np.errstate(over="ignore", invalid="ignore"):
        found = products()
    if not np.isfinite(found).all():
        raise ValueError("A and B must be smaller: their products are too large for floats")
    return found


def gram_matrix(K):
    """K as a table of inner products: square, symmetric (but for rounding, which is mended), and
    with a warning if it has a negative eigenvalue (beyond what rounding may bring)."""
    K = checks.table(K, "K")
    if K.shape[0] != K.shape[1]:
        raise ValueError(f"K must be square, a row and a column for each example; got {K.shape}")
    size = float(np.abs(K).max()) or 1.0
    with np.errstate(over="ignore"):
        apart = np.abs(K - K.T)
    i, j = np.unravel_index(np.argmax(apart), K.shape)
    if apart[i, j] > (0 if np.array_equal(K, np.rint(K)) else 1e-12 * size):
        raise ValueError(f"K must be symmetric; K[{i}, {j}] and K[{j}, {i}] differ")
    K = K if np.array_equal(K, K.T) else K / 2 + K.T / 2
    try:
        if np.diag(K).min() < 0:
            raise np.linalg.LinAlgError
        np.linalg.cholesky(K / size + 1e-9 * len(K) * np.eye(len(K)))
    except np.linalg.LinAlgError:
        least = float(np.linalg.eigvalsh(K)[0])
        warnings.warn(
            f"K is not positive semidefinite (smallest eigenvalue {least:.3g}), so it is no table "
            "of inner products, and no theorem applies", stacklevel=3,
        )
    return K
