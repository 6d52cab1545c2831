"""The Perceptron in ten lines of exact fractions: what the library is held against."""

import sys
from fractions import Fraction

import numpy as np
from hypothesis import strategies as st

from perceptron_lib import Run, lookahead  # noqa: F401

engine = sys.modules["perceptron_lib.perceptron"]  # `perceptron_lib.perceptron` is the function


def perceptron_in_fractions(X, y, tie="mistake", start=None, order=None, max_passes=1000):
    """The list of updates and the number of passes.

    The order is one for all passes, or a function that gives that of the next.
    """
    X = [[Fraction(float(v)) for v in row] for row in X]
    w = [Fraction(float(v)) for v in (start if start is not None else [0] * len(X[0]))]
    updates, says = [], {"mistake": 0, "negative": -1, "positive": 1}[tie]
    passes = clean = 0
    while passes < max_passes and not clean:
        passes, before = passes + 1, len(updates)
        for i in range(len(X)) if order is None else order() if callable(order) else order:
            score = sum(a * b for a, b in zip(w, X[i], strict=True))
            if ((score > 0) - (score < 0) or says) != y[i]:
                w = [a + int(y[i]) * b for a, b in zip(w, X[i], strict=True)]
                updates.append(i)
        clean = len(updates) == before
    return updates, passes


def small_problems(count):
    """Few examples, separable or not: on a grid, or decimals, which round; and a start."""
    for seed in range(count):
        rng = np.random.default_rng(seed)
        unit, start_unit = 10 if seed % 2 else 1, 4 if seed % 4 == 2 else 3
        X, y = rng.integers(-3, 4, (6, 2)) / unit, rng.choice([-1, 1], 6)
        yield X, y, rng.integers(-2, 3, 2) / start_unit if seed % 3 else np.zeros(2)


def where_it_ends(X, y, start, max_passes):
    """The outcome, the passes and the last weights, with Brent's search for a cycle: the weights
    are compared with those after pass 0, 1, 3, 7, …"""
    updates, passes = perceptron_in_fractions(X, y, start=start, max_passes=max_passes)
    n, w = len(y), [Fraction(v) for v in start]
    marks, mark, at = {2**k - 1 for k in range(40)}, list(w), 0
    for passed in range(1, passes + 1):
        before = at
        for i in range(n):
            if at < len(updates) and updates[at] == i:
                w = [a + int(y[i]) * Fraction(float(b)) for a, b in zip(w, X[i], strict=True)]
                at += 1
        if at == before:
            return "converged", passed, w
        if w == mark:
            return "cycled", passed, w
        if passed in marks:
            mark = list(w)
    return "stopped", passes, w


def signed_sum_is_zero(weights, X, y):
    """Whether sum_i weights_i y_i x_i = 0, in fractions."""
    factors = [int(c) * int(s) for c, s in zip(weights, y, strict=True)]
    columns = zip(*X, strict=True)
    return all(
        sum(f * Fraction(float(x)) for f, x in zip(factors, column, strict=True)) == 0
        for column in columns
    )


# --- for the tests of claims ------------------------------------------------------------------


@st.composite
def separable_integers(draw):
    """Random whole-number examples, labelled by a random whole-number u."""
    d = draw(st.integers(1, 4))
    vectors = st.lists(st.integers(-6, 6), min_size=d, max_size=d)
    u = draw(vectors.filter(any))
    rows = draw(st.lists(vectors, min_size=1, max_size=12))
    X = [x for x in rows if np.dot(x, u)] or [u]
    return X, [1 if np.dot(x, u) > 0 else -1 for x in X], u


def record(X, y, wrong=lambda score, *_: score <= 0, start=None, step=1, passes=1, finished=False):
    """The ten-line Perceptron with its parts exchangeable, as a recorded run.

    It adds step·z_i where ``wrong(score, w, i, updates so far)`` says so.
    """
    Z = np.asarray(X, dtype=float) * np.asarray(y)[:, None]
    updates, weights = [], [np.zeros(Z.shape[1]) if start is None else np.array(start, dtype=float)]
    for i in list(range(len(Z))) * passes:
        if wrong(Z[i] @ weights[-1], weights[-1], i, len(updates)):
            updates.append(i)
            weights.append(weights[-1] + step * Z[i])
    return Run.recorded(X, y, updates, weights, finished)


def always(*_):
    """A test for mistakes that finds one everywhere."""
    return True


def red(proof):
    """The rows of the claims that are false somewhere."""
    return " ".join(claim.row for claim in proof if not claim.holds)


def sides(proof):
    """Both sides of every claim: {row: [(left, right) for each t]}."""
    return {claim.row: list(zip(claim.lhs, claim.rhs, strict=True)) for claim in proof}
