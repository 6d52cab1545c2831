"""Least squares against NumPy and scikit-learn; the bridge to the Perceptron, exactly."""

import itertools
from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm
from sklearn.linear_model import LinearRegression

from perceptron_lib import perceptron, regression, with_bias
from tests.reference import dot, refusals, tables

RNG = np.random.default_rng(0)
X = with_bias(RNG.normal(size=(40, 3)))
Y = X @ [1.0, -2.0, 0.5, 3.0] + RNG.normal(size=40)


def test_both_solutions_are_the_least_squares_solution():
    peer = LinearRegression(fit_intercept=False).fit(X, Y).coef_
    for w in (regression.normal_equations(X, Y), regression.least_squares(X, Y)):
        assert np.abs(w - peer).max() < 1e-10
        assert np.abs(regression.gradient(X, Y, w)).max() < 1e-10


def test_the_gradient_is_that_of_the_mean_squared_error():
    w, h = np.array([0.3, -1.0, 2.0, 0.0]), 1e-6
    for j in range(4):
        e = np.eye(4)[j] * h
        above, below = (regression.mean_squared_error(X, Y, v) for v in (w + e, w - e))
        assert abs((above - below) / (2 * h) - regression.gradient(X, Y, w)[j]) < 1e-6


def test_the_formula_loses_twice_as_many_digits():
    t = np.arange(1, 31) / 30
    bad = np.column_stack([np.ones(30), t, t + 1e-6 * t**2])
    truth = np.array([1.0, 2.0, 3.0])
    y = bad @ truth
    formula, stable = regression.normal_equations(bad, y), regression.least_squares(bad, y)
    assert np.abs(stable - truth).max() < 1e-6 < 1e-5 < np.abs(formula - truth).max()


def test_the_step_limit_is_sharp():
    best, limit = regression.least_squares(X, Y), regression.step_limit(X)
    below, above = (regression.gradient_descent(X, Y, k * limit, 3000)[-1] for k in (0.99, 1.01))
    assert np.abs(below - best).max() < 1e-8 and np.abs(above - best).max() > 1e6


def test_sgd_comes_close_and_takes_one_example_at_a_time():
    best = regression.least_squares(X, Y)
    path = regression.stochastic_gradient_descent(X, Y, 0.01, passes=30)
    assert len(path) == 30 * 40 + 1 and np.abs(path[-1] - best).max() < 0.5
    assert (regression.stochastic_gradient_descent(X, Y, 0.01, passes=30) == path).all()
    step = path[1] - path[0]
    assert min(np.abs(step - 2 * 0.01 * Y[i] * X[i]).max() for i in range(40)) < 1e-12


def test_least_squares_is_maximum_likelihood_and_the_log_likelihood_is_scipys():
    best = regression.least_squares(X, Y)
    for other in (best + 0.1, best * 0.9, np.zeros(4)):
        for sigma in (0.5, 2.0):
            likelihood = regression.log_likelihood(X, Y, other, sigma)
            assert regression.log_likelihood(X, Y, best, sigma) > likelihood
            assert abs(likelihood - norm.logpdf(Y, X @ other, sigma).sum()) < 1e-9


def test_which_losses_are_convex():
    data = [((1, 2), 1), ((-1, 1), -1), ((2, -1), 1)]
    losses = {
        "squared": lambda w: sum((y - dot(w, x)) ** 2 for x, y in data),
        "hinge": lambda w: sum(max(0, 1 - y * dot(w, x)) for x, y in data),
        "perceptron": lambda w: sum(max(0, -y * dot(w, x)) for x, y in data),
        "zero-one": lambda w: sum(y * dot(w, x) <= 0 for x, y in data),
    }
    points = [[Fraction(i, 2), Fraction(j, 2)] for i in range(-2, 3) for j in range(-2, 3)]
    found = {k: regression.convexity_violation(f, points) for k, f in losses.items()}
    assert found["squared"] is found["hinge"] is found["perceptron"] is None
    (a, b, t), f = found["zero-one"], losses["zero-one"]
    middle = [t * p + (1 - t) * q for p, q in zip(a, b, strict=True)]
    assert f(middle) > t * f(a) + (1 - t) * f(b)
    assert regression.convexity_violation(lambda x: x[0] ** 3 - x[0], [[-1], [0], [1]])
    table = {0: 0, 1: 1, 2: 0, 3: 0, 4: 0}  # where t need not be a half
    found = regression.convexity_violation(lambda w: table[w[0]], [[0], [4]])
    assert found == ([0], [4], Fraction(3, 4))


@settings(max_examples=100)
@given(tables(st.integers(-6, 6)), st.integers(1, 6))
def test_the_perceptron_is_stochastic_gradient_descent(examples, passes):
    X, y = examples
    X = X[X.any(axis=1)] if X.any() else np.ones((1, X.shape[1]))  # the zero vector moves nothing
    y = y[: len(X)]
    run = perceptron(X, y, max_passes=passes)
    updates, w = regression.perceptron_by_sgd(X, y, run.passes)
    assert updates == run.updates.tolist() and (w == run.w).all()


@given(tables(st.integers(-4, 4), max_n=3))
def test_subgradients_lie_below_the_loss(examples):
    X, y = examples
    v = X[-1]

    def f(u):
        return max(0, -y[0] * (u @ X[0]))

    for w in (X[0], 0 * X[0]):
        assert f(v) >= f(w) + regression.subgradient(w, X[0], y[0]) @ (v - w)


def test_paths_start_at_0_and_have_a_row_for_each_step():
    gd = regression.gradient_descent(X, Y, 0.01, 5)
    sgd = regression.stochastic_gradient_descent(X, Y, 0.01, 1)
    assert not gd[0].any() and not sgd[0].any() and (len(gd), len(sgd)) == (6, 41)
    for before, after in itertools.pairwise(gd):
        assert np.abs(after - (before - 0.01 * regression.gradient(X, Y, before))).max() < 1e-12


def order(passes, seed):
    """With X the identity, a step shows in one coordinate only."""
    n = 12
    path = regression.stochastic_gradient_descent(np.eye(n), np.ones(n), 0.1, passes, seed)
    return np.abs(np.diff(path, axis=0)).argmax(axis=1).reshape(passes, n).tolist()


def test_each_pass_is_a_new_permutation():
    first, second = order(2, 0)
    assert sorted(first) == sorted(second) == list(range(12))
    assert first != second and first != list(range(12)) and order(2, 1) != order(2, 0)


test_bad_input_gets_one_clear_sentence = refusals({
    "y must be 1 finite number": [(regression.least_squares, [[1]], [1, 2])],
    "w must be 1 finite number": [(regression.mean_squared_error, [[1]], [1], [1, 2])],
    "x must be 1 finite number": [(regression.subgradient, [1], [1, 2], 1)],
    "X must be at most 1e150": [(regression.mean_squared_error, [[1e200]], [1], [1])],
    "of one length": [(regression.convexity_violation, sum, [[1], [1, 2]])],
    "each of the points must be": [(regression.convexity_violation, sum, [["x"]])],
    "dependent": [(regression.normal_equations, [[1, 1], [2, 2]], [1, 2])],
    "all zero": [(regression.step_limit, [[0]])],
    "labels must be": [(regression.perceptron_by_sgd, [[1]], [0], 2)],
})  # fmt: skip
