"""A bias is a feature that never changes; a normalisation is a change of length.

Neither needs an algorithm of its own: both are maps of the data, and the Perceptron runs on the
image.  Appending constants c to every example adds a bias c·w_c, where w_c are their weights, and
each update moves it by y * ||c||**2: the constant 1 gives the rule b <- b + y, constants of length
R give b <- b + y * R**2 (A5).
"""

import numpy as np

from perceptron_lib.checks import door
from perceptron_lib.exact import integers, row_dot


@door
def with_bias(X, c=1.0):
    """X with constant features added on the right: one of value c, or one for each entry of c.

    >>> with_bias(np.array([[2.0, 3.0]]))
    array([[2., 3., 1.]])
    """
    if not c.any():
        raise ValueError("c must be a number or vector other than 0; got 0")
    return np.hstack([X, np.broadcast_to(c, (len(X), len(c)))])


@door
def longest(X):
    """The example of greatest length R (the first, if several), found exactly.

    R itself is often irrational, and then no float is equal to it.  But a constant *vector* of
    length R can always be had: the longest example itself.  So ``with_bias(X, longest(X))`` is
    the rule b <- b + y * R**2, exactly.

    >>> longest(np.array([[1.0, 1.0], [-2.0, 3.0]]))
    array([-2.,  3.])
    """
    N, _ = integers(X)
    return X[row_dot(N, N).argmax()]


@door
def unit_length(X):
    """Each example scaled to length 1 (up to rounding).

    >>> unit_length(np.array([[3.0, 4.0]]))
    array([[0.6, 0.8]])
    """
    largest = np.abs(X).max(axis=1, keepdims=True)
    if (largest == 0).any():
        row = int(np.flatnonzero(largest == 0)[0])
        raise ValueError(f"example {row} is the zero vector, which cannot be given length 1")
    X = X / largest
    return X / np.sqrt((X * X).sum(axis=1, keepdims=True))
