"""Signs, quickly: floats are tried first, and whole numbers decide what is too close to call.

Whole numbers are slow, and mostly only a sign is wanted, or which of many scores is the least.  A
float score that is further from 0 than its rounding error can be has the right sign.
"""

import math

import numpy as np

from perceptron_lib.exact import bits, dot, floats, integers


def signs(X, W):
    """The sign of each row of X times W: X a table of floats, W a vector of whole numbers.

    >>> signs(np.array([[1e16, 1.0, -1e16]]), np.array([1, 1, 1]))  # in floats, their sum is 0
    array([1])
    """
    rows, lengths, _ = scaled_rows(X)
    w = floats(W, -bits(W))
    scores = rows @ w
    found = np.sign(scores).astype(np.int64)
    doubt = relative_error(len(w)) * lengths * math.sqrt(w @ w)
    for i in np.flatnonzero(np.abs(scores) <= doubt):
        score = dot(integers(X[i])[0], W)
        found[i] = int(score > 0) - int(score < 0)
    return found


def scaled_rows(X):
    """The rows of X / 2**power, their lengths, and the power (0 unless numbers are extreme).

    So no square overflows.  What underflow takes from a score or a length is far below 2**-500;
    each length is made longer by 2**-450, and then `relative_error` covers it.
    """
    largest = max(float(X.max()), -float(X.min()))
    power = 0 if 2.0**-200 < largest < 2.0**200 else math.frexp(largest)[1]
    X = np.ldexp(X, -power) if power else X
    return X, np.sqrt(np.einsum("ij,ij->i", X, X)) + 2.0**-450, power


def relative_error(d):
    """How far a score z·w can be off, relative to ||z|| ||w||, if it is computed in floats (and so
    also how far z·w/||w||, relative to ||z||).

    With r = 2**-53, rounding w costs r (and cutting it to 500 bits before that nothing), and
    adding up d products, in any order, d·r.  Dividing w by its length costs (d/2 + 2)·r more, since
    the length is computed, too.  That is (3d/2 + 3)·r in all; (2d + 8)·r = (d + 4)·2**-52 are
    allowed, and the rest is ample for what is of order r².
    """
    return (d + 4) * 2.0**-52


def least(Z, u):
    """Which z_i·u is the least, and its value, in whole numbers.

    Floats leave out most of the others: their scores are larger by more than rounding can do.
    """
    near = np.arange(len(Z))
    if bits(Z) <= 53 and bits(Z) + bits(u) > 50:
        w = floats(u, -bits(u))
        scores = Z @ w
        error = relative_error(len(w)) * (np.abs(Z) @ np.abs(w)) + 2.0**-900
        near = np.flatnonzero(scores - error <= (scores + error).min())
    scores = dot(Z[near], u)
    k = int(np.argmin(scores))
    return int(near[k]), int(scores[k])
