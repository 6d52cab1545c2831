"""Both answers of `separate` are right, and `verify` says no to any that is not."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from sklearn.svm import SVC

from perceptron_lib import with_bias
from perceptron_lib.examples import iris, odd_max_bit, separable, xor
from perceptron_lib.separability import Inseparable, Separator, separate
from tests.reference import signed_sum_is_zero, tables


@pytest.mark.parametrize("seed", range(300))
def test_it_agrees_with_linear_programming(seed):
    """Some w has z_i·w >= 1 for all i, according to HiGHS, if and only if there is a separator."""
    rng = np.random.default_rng(seed)
    n, d = rng.integers(1, 12), rng.integers(1, 5)
    X, y = rng.integers(-4, 5, (n, d)).astype(float), rng.choice([-1, 1], n)
    peer = linprog(np.zeros(d), A_ub=-y[:, None] * X, b_ub=-np.ones(n), bounds=(None, None))
    answer = separate(X, y)
    assert answer.verify() and isinstance(answer, Separator) == (peer.status == 0)
    if isinstance(answer, Separator):
        assert answer.gap < 1e-15
    else:
        assert signed_sum_is_zero(answer.multipliers, X, y)


@pytest.mark.parametrize("seed", range(20))
def test_the_margin_is_that_of_a_support_vector_machine(seed):
    X, y, _ = separable(30, 3, 0.1, seed)
    Z, answer = y[:, None] * with_bias(X), separate(with_bias(X), y)
    # No intercept of its own: the bias is a feature here, and counts in the length of w.
    machine = SVC(kernel="linear", C=1e8, tol=1e-10).fit(np.vstack([Z, -Z]), np.repeat([1, -1], 30))
    w = machine.coef_[0]
    assert abs((Z @ w).min() / np.linalg.norm(w) / answer.margin - 1) < 1e-4


@settings(max_examples=150)
@given(tables(st.floats(-1e150, 1e150), max_n=7))
def test_every_answer_verifies_on_any_floats(examples):
    assert separate(*examples).verify()


@pytest.mark.parametrize("power", [10, 30, 45, 60, 100])
def test_a_tiny_margin_is_not_taken_for_none(power):
    """Two points at distance 1, almost opposite: they differ by 2**-power."""
    tiny = 2.0**-power
    answer = separate([[1.0, tiny], [1.0, -tiny]], [1, -1])
    assert isinstance(answer, Separator) and answer.verify()
    assert answer.margin == tiny and answer.u.tolist() == [0, 1]


def test_p11_the_bounds_of_odd_max_bit_are_whole_numbers_and_its_separator_is_its_u():
    answers = [separate(*odd_max_bit(n)[:2]) for n in range(2, 11)]
    expected = [27, 100, 305, 966, 2919, 8744, 25713, 74810, 215391]
    assert [answer.bound() for answer in answers] == expected
    assert answers[5].w.tolist() == odd_max_bit(7).u.tolist()


def test_large_sets_are_done_on_a_working_set():
    X, y, _ = separable(3000, 30, 0.05, seed=1)
    answer = separate(X, y)
    assert answer.verify() and answer.gap < 1e-9 and answer.margin >= 0.05


def test_a_support_too_large_for_whole_numbers_still_gets_verified_bounds(monkeypatch):
    monkeypatch.setattr("perceptron_lib.separability.EXACT_SUPPORT", 2)
    X, y, _ = separable(200, 10, 0.1, seed=5)
    answer = separate(X, y)
    assert answer.verify() and answer.gap < 1e-9 and len(answer.support) > 2
    assert isinstance(separate(with_bias(xor().X), xor().y), Inseparable)


def changed(v, i, by):
    v = v.copy()
    v[i] += by
    return v


def test_tampered_separators_are_refused():
    answer = separate(*iris()[:2])
    assert answer.verify()
    first, last = answer.support[[0, -1]]
    X, y, u, margin, weights = answer.X, answer.y, answer.u, answer.margin, answer.multipliers
    for name, values in {
        "u": [-u, changed(u, 0, 10**6), u[:-1], u + 0.5],
        "margin": [np.nextafter(margin, 9), margin / 2, None, -margin, math.nan],
        "upper": [answer.upper * 2, math.inf, np.nextafter(answer.upper, 0)],
        "multipliers": [weights * math.nan, changed(weights, first, 1), weights * 0,
                    changed(weights, first, -2 * weights[first])],
        "support": [answer.support[:-1]], "y": [y * 0, -y], "X": [changed(X, last, -1)],
    }.items():  # fmt: skip
        assert not any(replace(answer, **{name: value}).verify() for value in values)


def test_tampered_proofs_of_inseparability_are_refused():
    answer = separate(with_bias(xor().X), xor().y)
    assert repr(answer) == "Inseparable: proved by multipliers on 4 of 4 examples"
    assert answer.verify()
    w = answer.multipliers
    for weights in (changed(w, 0, 1), w * 0, -w, w[:-1], w / 3):
        assert not replace(answer, multipliers=weights).verify()
    assert not replace(answer, y=changed(answer.y, 0, -2)).verify()
    assert not replace(answer, X=changed(answer.X, (0, 0), 2.0**-40)).verify()
    # Nor can float weights round their way to a proof.
    X, y = np.array([[2.0**30 + 1], [-(2.0**30)]]), np.array([1, 1])
    assert not Inseparable(X, y, np.array([2.0**30 - 1, 2.0**30])).verify()
    assert not Inseparable(np.eye(2), np.zeros(2, int), np.array([1, 1])).verify()


@pytest.mark.parametrize("x", [5e-324, 1.7e308])
def test_the_ends_of_the_float_range(x):
    answer = separate([[x, 0], [0, x]], [1, 1])
    assert answer.verify() and answer.gap == 0 and answer.u.tolist() == [1, 1]
    assert separate([[x, x]], [1]).verify()


def test_a_direction_of_very_many_digits_still_has_float_weights():
    X = np.random.default_rng(0).normal(size=(40, 20))
    answer = separate(X, np.ones(40, int))
    assert isinstance(answer, Separator) and answer.verify()
    assert np.isfinite(answer.w).all() and (X @ answer.w > 0).all()


@pytest.mark.parametrize("weights", ["none", "all", "some", "first"])
def test_whole_numbers_find_the_optimum_from_wherever_floats_left_off(monkeypatch, weights):
    rng = np.random.default_rng(1)
    for n, d in ((9, 2), (12, 3), (20, 4)):
        X, y, _ = separable(n, d, 1 / 16, seed=n)
        X = np.vstack([X, X[:3], X[:3] / 2])  # dependent examples as well
        y = np.concatenate([y, y[:3], y[:3]])
        for labels in (y, rng.choice([-1, 1], len(y))):
            right = separate(X, labels)
            given = {"none": np.zeros(len(y)), "all": np.ones(len(y)), "first": np.eye(len(y))[0],
                     "some": rng.integers(0, 2, len(y)).astype(float)}[weights]  # fmt: skip
            with monkeypatch.context() as patch:
                patch.setattr("scipy.optimize.nnls", lambda *_, maxiter, given=given: (given, 0))
                answer = separate(X, labels)
            assert type(answer) is type(right) and answer.verify()
            if isinstance(right, Separator):
                assert answer.margin == right.margin and answer.gap == right.gap == 0
