"""A bias is a feature that never changes; a normalisation is a change of length.

Neither needs an algorithm of its own: both are maps of the data, and the Perceptron runs on the
image.  Adding constants c to every example makes each update move the bias by y * ||c||**2: the
constant 1 gives the rule b <- b + y, constants of length R give b <- b + y * R**2 (A5).
"""

import numpy as np

from perceptron_lib.exact import dot, integers
from perceptron_lib.examples import table


def with_bias(X, c=1.0):
    """X with constant features added on the right: one of value c, or one for each entry of c.

    >>> with_bias(np.array([[2.0, 3.0]]))
    array([[2., 3., 1.]])
    """
    X = table(X)
    try:
        (c,) = table([c] if np.ndim(c) else [[c]])
    except ValueError:
        c = np.zeros(1)
    if not c.any():
        raise ValueError("c must be a number or vector that floats can hold, other than 0")
    return np.hstack([X, np.broadcast_to(c, (len(X), len(c)))])


def longest(X):
    """The example of greatest length R (the first, if several), found exactly.

    R itself is often irrational, and then no float is equal to it.  But a constant *vector* of
    length R can always be had: the longest example itself.  So ``with_bias(X, longest(X))`` is
    the rule b <- b + y * R**2, exactly.

    >>> longest(np.array([[1.0, 1.0], [-2.0, 3.0]]))
    array([-2.,  3.])
    """
    X = table(X)
    N, _ = integers(X)
    squares = [dot(row, row) for row in N]
    return X[squares.index(max(squares))]


def unit_length(X):
    """Each example scaled to length 1 (as nearly as floats can say it).

    >>> unit_length(np.array([[3.0, 4.0]]))
    array([[0.6, 0.8]])
    """
    X = table(X)
    largest = np.abs(X).max(axis=1, keepdims=True)
    if (largest == 0).any():
        row = int(np.flatnonzero(largest == 0)[0])
        raise ValueError(f"example {row} is the zero vector, which cannot be given length 1")
    X = X / largest
    return X / np.sqrt((X * X).sum(axis=1, keepdims=True))
