"""Exercises of lesson 9: the dual form and kernels."""

import numpy as np

from perceptron_lib import checks
from perceptron_lib.embedding import longest, with_bias
from perceptron_lib.exact import dot, integers
from perceptron_lib.examples import five_points
from perceptron_lib.exercises.checker import checker, number, plane, require, whole_list
from perceptron_lib.perceptron import perceptron

__all__ = ["alpha_by_hand", "no_gram_matrix", "removal_matters"]


@checker("09.1", "…", "…")
def alpha_by_hand(alpha):
    """The dual coefficients of the run on the five points, taken backwards (D1)."""
    alpha = whole_list(alpha, "the answer must be a list of five whole numbers")
    X, y, _ = five_points()
    right = perceptron(X, y, order=[4, 3, 2, 1, 0]).alpha.tolist()
    require(len(alpha) == 5, f"five numbers are asked for, these are {len(alpha)}")
    require(sum(alpha) == sum(right), "they do not add up to the number of updates")
    require(alpha == right, "the sum is right, but not every count")
    return "how often each example was added."


@checker("09.2", "…", "…")
def no_gram_matrix(K, v):
    """A symmetric matrix that is no Gram matrix, and a v with v·Kv < 0 that proves it (D5)."""
    K, v = checks.table(K, "K"), checks.vector(v, name="v")
    require(K.shape == (len(K), len(K)) and (K == K.T).all(), "K must be square and symmetric")
    require((np.diag(K) > 0).all(), "the diagonal must be positive, or it would be too easy")
    require(len(v) == len(K), f"v must have {len(K)} entries")
    K, v = integers(K)[0], integers(v)[0]
    form = dot(v, dot(K, v))  # in units of their own, which does not change its sign
    require(form < 0, "v·Kv is not below 0")
    return "v·Kv is below 0, while a Gram matrix has v·Kv = ‖Σ v_i x_i‖² ≥ 0."


@checker("09.3", "…", "…")
def removal_matters(X, y, i):
    """Another example for erratum E4: α_i = 0, and yet without i the alphas change (D4)."""
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
    require(not own, "this is the notebook's own example")
    keep = [k for k in range(len(y)) if k != i]
    run = perceptron(with_bias(X, longest(X)), y)
    rest = perceptron(with_bias(X[keep], longest(X[keep])), y[keep])
    require(run.outcome == rest.outcome == "converged", "both runs must converge")
    require(run.alpha[i] == 0, f"α_{i} is {run.alpha[i]}, not 0")
    changed = run.alpha[keep].tolist() != rest.alpha.tolist()
    require(changed, f"without example {i} the alphas stay as they were")
    return f"α = {run.alpha[keep].tolist()} with it, {rest.alpha.tolist()} without."
