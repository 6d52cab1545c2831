"""Least squares against NumPy and scikit-learn; subgradients and the rings of regret, exactly."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import LinearRegression

from perceptron_lib import five_points, perceptron, with_bias
from perceptron_lib.lessons import bridge
from perceptron_lib.lessons.bridge import least_squares, normal_equations, right_digits
from tests.reference import dot, refusals, tables

RNG = np.random.default_rng(0)
X = with_bias(RNG.normal(size=(40, 3)))
Y = X @ [1.0, -2.0, 0.5, 3.0] + RNG.normal(size=40)


def slope(w, h=1e-6):
    """The partial derivatives of J at w, as difference quotients."""
    errors = [[bridge.mean_squared_error(X, Y, w + s * e) for s in (h, -h)] for e in np.eye(len(w))]
    return np.array([(above - below) / (2 * h) for above, below in errors])


def test_both_solutions_are_the_least_squares_solution():
    peer = LinearRegression(fit_intercept=False).fit(X, Y).coef_
    for w in (normal_equations(X, Y), least_squares(X, Y)):
        assert np.abs(w - peer).max() < 1e-10 and np.abs(slope(w)).max() < 1e-6


def near(k):
    """Three independent columns, the last two of them 10^-k apart."""
    t = np.arange(1, 31) / 30
    return np.column_stack([np.ones(30), t, t + 10.0**-k * t**2])


def test_the_formula_loses_twice_as_many_digits():
    weights, both = list(itertools.product((1, 2, 3), repeat=3)), (normal_equations, least_squares)
    digits = [[right_digits(solver, near(k), weights) for solver in both] for k in (2, 4, 6, 8)]
    assert digits == [[9, 12], [5, 10], [1, 8], [0, 6]]


@pytest.mark.parametrize("k", range(1, 14))
def test_the_formula_is_refused_only_where_it_has_no_right_digit(k):
    X = near(k)
    try:
        off = np.abs(normal_equations(X, (X * [1, 2, 3]).sum(axis=1)) - [1, 2, 3]).max()
    except ValueError as error:
        assert "in floats too nearly so" in str(error) and k > 7
    else:
        assert (off < 0.1) == (k < 7)


def test_the_step_limit_is_sharp():
    best, limit = least_squares(X, Y), bridge.step_limit(X)
    below, above = (bridge.gradient_descent(X, Y, k * limit, 3000)[-1] for k in (0.99, 1.01))
    assert np.abs(below - best).max() < 1e-8 and np.abs(above - best).max() > 1e6


def test_every_step_of_descent_is_along_the_gradient():
    path = bridge.gradient_descent(X, Y, 0.01, 5)
    assert len(path) == 6 and not path[0].any()
    for before, after in itertools.pairwise(path):
        assert np.abs(after - (before - 0.01 * slope(before))).max() < 1e-9


def test_sgd_comes_close_and_takes_one_example_at_a_time():
    path = bridge.stochastic_gradient_descent(X, Y, 0.01, 1200)
    assert len(path) == 1201 and not path[0].any()
    assert np.abs(path[-1] - least_squares(X, Y)).max() < 0.5
    assert (bridge.stochastic_gradient_descent(X, Y, 0.01, 1200) == path).all()
    for before, after in itertools.pairwise(path[:50]):
        steps = 2 * 0.01 * (Y - X @ before)[:, None] * X
        assert np.abs(after - before - steps).max(axis=1).min() < 1e-12


def drawn(steps, seed):
    """With X the identity and a short step, the coordinate that moves shows the example drawn."""
    path = bridge.stochastic_gradient_descent(np.eye(5), np.ones(5), 2.0**-20, steps, seed)
    return np.abs(np.diff(path, axis=0)).argmax(axis=1)


def test_every_example_is_drawn_anew_all_equally_likely():
    first = drawn(5000, 0)
    assert np.abs(np.bincount(first) - 1000).max() < 120  # about four standard deviations
    pairs = np.bincount(5 * first[:-1] + first[1:], minlength=25)
    assert np.abs(pairs - 200).max() < 60  # the next does not depend on the last
    assert (drawn(50, 1) != drawn(50, 0)).any()


@given(tables(st.integers(-4, 4), max_n=3), st.fractions(-1, 2, max_denominator=4))
def test_the_subgradients_of_the_perceptrons_loss_are_known(examples, share):
    (X, y), where = examples, [[0, 0], [1, 0], [-1, 2], [3, 1]]
    z = [Fraction(int(v)) for v in (y[0] * np.resize(X[0], 2)).tolist()]
    if not any(z):
        return
    across = [-z[1], z[0]]

    def loss(v):
        return max(0, -dot(z, v))

    for w in where:
        near = [c / 64 for c in z]  # close enough to see the slope on either side of w
        points = [[p + s * q for p, q in zip(w, step, strict=True)]
                  for step in (z, near, across) for s in (1, -1)]  # fmt: skip
        score = dot(z, w)
        right = share == 1 if score < 0 else share == 0 if score > 0 else 0 <= share <= 1
        g = [-share * c for c in z]
        assert (bridge.subgradient_violation(loss, w, g, points) is None) == right
        askew = [p + q for p, q in zip(g, across, strict=True)]
        assert bridge.subgradient_violation(loss, w, askew, points) is not None


def test_rings_are_for_a_v_with_a_score_of_one_at_least():
    X, y, v = five_points()
    with pytest.raises(ValueError, match="z·v ≥ 1 for every example"):
        bridge.rings(perceptron(X, y), v / 2)
    assert "there are only 40: with step" in bridge.rings(perceptron(X, y), 2 * v).alt


test_bad_input_gets_one_clear_sentence = refusals({
    "y must be a number for each example": [(least_squares, [[1]], [1, 2])],
    "w must be 1 finite number": [(bridge.mean_squared_error, [[1]], [1], [1, 2])],
    "g must be 1 finite": [(bridge.subgradient_violation, sum, [1], [1, 2], [[1]])],
    "columns of X must be independent": [(normal_equations, [[1, 2], [2, 4]], [1, 2])],
    r"each of the points must be 1 finite number, .* got \[1, 2\]": [
        (bridge.subgradient_violation, sum, [1], [1], [[1, 2]])],
    "each of the points must be": [(bridge.subgradient_violation, sum, [1], [1], [["x"]])],
})  # fmt: skip
