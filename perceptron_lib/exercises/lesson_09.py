"""Exercises of lesson 9: the dual form and kernels."""

import itertools

import numpy as np

from perceptron_lib import checks
from perceptron_lib.embedding import longest, with_bias
from perceptron_lib.exact import dot, integers
from perceptron_lib.examples import five_points
from perceptron_lib.exercises.checker import checker, number, plane, require, whole_list
from perceptron_lib.perceptron import perceptron

__all__ = ["alpha_by_hand", "no_gram_matrix", "removal_matters"]


@checker(
    "09.1",
    "Write down the five z = y x. An update adds one of them, and raises its count by 1.",
    "A score of 0 is a mistake. Go on until a whole pass, from 4 to 0, makes no update.",
)
def alpha_by_hand(alpha):
    """The dual coefficients of the run on the five points, taken backwards (D1).

    >>> alpha_by_hand([1, 1])
    ✗ Not yet: five numbers are asked for, these are 2.
    """
    alpha = whole_list(alpha, "the answer must be a list of five whole numbers")
    X, y, _ = five_points()
    run = perceptron(X, y, order=[4, 3, 2, 1, 0])
    right = run.alpha.tolist()
    require(len(alpha) == 5, f"five numbers are asked for, these are {len(alpha)}")
    require(min(alpha) >= 0, "a count is never negative")
    given = perceptron(X, y).alpha.tolist()
    require(alpha != given, "these are the counts of the order 0, 1, 2, 3, 4")
    require(alpha != right[::-1], "the counts are to be listed from example 0 to example 4")
    listed = alpha == run.updates.tolist()
    require(not listed, "this is the order of the updates: count how often each example is there")
    w = (np.array(alpha, dtype=object) * y) @ X
    wrong = np.flatnonzero(y * (X @ w) <= 0)
    require(not len(wrong), f"with these counts, example {[*wrong, 0][0]} is still wrong")
    require(sum(alpha) == sum(right), "all are right, but the run makes another number of updates")
    require(alpha == right, "the sum is right, but not every count")
    return "how often each example was added."


@checker(
    "09.2",
    "Two by two entries are not enough: think of three vectors of length 1.",
    "If x is equal to x′, and x′ to x″, what must the product of x and x″ be? Write another.",
)
def no_gram_matrix(K, beta):
    """A symmetric matrix that is no Gram matrix, and a β with β·Kβ < 0 that proves it (D6).

    >>> no_gram_matrix([[1, 0], [0, 1]], [1, 1])
    ✗ Not yet: β·Kβ is not below 0: this β proves nothing.
    """
    K, beta = checks.table(K, "K"), checks.vector(beta, name="beta")
    require(K.shape == (len(K), len(K)) and (K == K.T).all(), "K must be square and symmetric")
    require((np.diag(K) > 0).all(), "the diagonal must be positive, or it would be too easy")
    require(len(beta) == len(K), f"beta must have {len(K)} entries")
    K, beta = integers(K)[0].astype(object), integers(beta)[0]
    for i, j in itertools.combinations(range(len(K)), 2):
        bad = f"K[{i}, {j}]² is larger than K[{i}, {i}]·K[{j}, {j}], as in the lesson"
        require(K[i, j] ** 2 <= K[i, i] * K[j, j], bad)
    form = dot(beta, dot(K, beta))  # in units of their own, which does not change its sign
    require(form != 0, "β·Kβ is 0, which a Gram matrix allows")
    require(form < 0, "β·Kβ is not below 0: this β proves nothing")
    return "β·Kβ is below 0, while a Gram matrix has β·Kβ = ‖Σ β_i x_i‖² ≥ 0."


@checker(
    "09.3",
    "Why did the last of the six examples matter, although it was never wrong?",
    "Try a few random sets of whole numbers, with i the only example of the greatest length.",
)
def removal_matters(X, y, i):
    """Another example for erratum E4: α_i = 0, and yet without i the alphas change (D4).

    >>> removal_matters([[1, 0], [0, 1]], [1, -1], 0)
    ✗ Not yet: each label must occur twice at least.
    """
    X, y = plane(X, y, 8)
    i = number(i)
    proper = i.denominator == 1 and 0 <= i < len(y) and len(y) >= 2
    require(proper, "i must be the number of one of the examples")
    i = int(i)
    require(min((y < 0).sum(), (y > 0).sum()) >= 2, "each label must occur twice at least")
    known = {(0, 4): 1, (3, -2): 1, (-1, 3): 1, (0, -3): -1, (4, 1): 1, (2, 4): 1}
    given = {(*x, label) for x, label in zip(X.tolist(), y.tolist(), strict=True)}
    copied = any({(*x, s * label) for x, label in known.items()} <= given for s in (1, -1))
    own = copied and tuple(X[i]) == (2, 4)
    require(not own, "this contains the notebook's own example")
    keep = [k for k in range(len(y)) if k != i]
    run = perceptron(with_bias(X, longest(X)), y)
    rest = perceptron(with_bias(X[keep], longest(X[keep])), y[keep])
    require(run.outcome == rest.outcome == "converged", "both runs must converge")
    require(run.alpha[i] == 0, f"α_{i} is {run.alpha[i]}, not 0")
    same_R = (longest(X) @ longest(X)) == (longest(X[keep]) @ longest(X[keep]))
    require(not same_R, f"without example {i}, R stays the same, and so does the run")
    changed = run.alpha[keep].tolist() != rest.alpha.tolist()
    require(changed, f"R changes without example {i}, but the counts stay as they were")
    with_it, without = run.alpha[keep].tolist(), rest.alpha.tolist()
    return f"the other counts are {with_it} with example {i} and {without} without it."
