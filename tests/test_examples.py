"""The data sets are what they say they are, to the last bit."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import datasets

from perceptron_lib import longest, unit_length, with_bias
from perceptron_lib.exact import bits, dot, integers
from perceptron_lib.examples import digits, iris, odd_max_bit, separable, worst_case, xor
from perceptron_lib.lessons.kernels import rings
from perceptron_lib.lessons.noise import breast_cancer, flip_labels, outlier
from perceptron_lib.separability import Inseparable, Separator, separate
from tests.reference import refusals


@settings(max_examples=80)
@given(st.integers(2, 60), st.integers(1, 40), st.floats(0.001, 0.875), st.integers(0, 2**32 - 1))
def test_separable_has_the_margin_it_was_asked_for(n, d, margin, seed):
    X, y, u = separable(n, d, margin, seed)
    (N, e), (U, f) = integers(X), integers(u)
    least = int((y * dot(N, U)).min()) * Fraction(2) ** (e + f)
    assert least > 0
    assert least**2 >= Fraction(margin) ** 2 * int(dot(U, U)) * Fraction(4) ** f
    assert max(int(dot(row, row)) for row in N) * Fraction(4) ** e <= 1
    assert set(y.tolist()) == {-1, 1}


def test_a_seed_means_the_same_data_everywhere():
    X, y, u = separable(3, 2, 0.25, seed=0)
    assert (X * 4096).astype(int).tolist() == [[-1531, -2172], [1709, 3210], [3035, -2533]]
    assert y.tolist() == [-1, 1, 1] and (u * 4096).astype(int).tolist() == [3577, 1723]


@pytest.mark.parametrize("make", [separable, rings, outlier, xor, iris, digits])
def test_data_lie_on_a_coarse_grid(make):
    assert bits(integers(make().X)[0]) <= 20


def test_which_sets_are_separable():
    for examples in (separable(), worst_case(5), odd_max_bit(4), iris()):
        assert isinstance(separate(examples.X, examples.y), Separator)
    for examples in (xor(), rings(), outlier(), digits()):
        assert isinstance(separate(with_bias(examples.X), examples.y), Inseparable)


def test_rings_are_separated_by_a_circle_and_the_outlier_alone_is_in_the_way():
    X, y, _ = rings()
    squares = (X**2).sum(axis=1)
    assert squares[y < 0].max() < squares[y > 0].min()
    X, y, u = outlier()
    assert isinstance(separate(X[:-1], y[:-1]), Separator)
    assert (y[:-1] * (X[:-1] @ u) > 0).all() and y[-1] * (X[-1] @ u) < 0
    assert np.hypot(*X[-1]) > 60


def test_odd_max_bit_is_decided_by_the_highest_place():
    X, y, u = odd_max_bit(6)
    assert X.shape == (64, 7) and (X[:, 6] == 1).all()
    for row, label in zip(X, y, strict=True):
        places = np.flatnonzero(row[:6]) + 1
        assert label == (1 if len(places) and places.max() % 2 == 1 else -1)
    assert (y * (X @ u)).min() == 1


def test_flipping_labels_flips_as_many_as_said_and_nothing_else():
    clean, noisy = separable(50), flip_labels(separable(50), 7, seed=3)
    assert (noisy.y != clean.y).sum() == 7 and (noisy.X == clean.X).all()
    assert (flip_labels(clean, 7, seed=4).y != noisy.y).any()


def test_real_data_are_whole_numbers_and_those_of_scikit_learn():
    data, (X, y, _) = datasets.load_iris(), iris("versicolor")
    assert (np.rint(10 * data.data) == X).all()
    assert ((y == 1) == (data.target_names[data.target] == "versicolor")).all()
    data, (X, y, _) = datasets.load_breast_cancer(), breast_cancer()
    assert (np.rint(100 * data.data / data.data.max(axis=0)) == X).all()
    assert ((y == 1) == (data.target_names[data.target] == "benign")).all()
    data, (X, y, _) = datasets.load_digits(), digits()
    assert (data.data == X).all() and ((y == 1) == (data.target % 2 == 0)).all()
    assert (digits([1, 2]).y == digits(np.array([1, 2])).y).all()


def test_bias_is_a_constant_feature_and_unit_length_keeps_directions_at_extreme_scales():
    X = np.array([[1.0, 2.0], [3.0, 4.0]])
    assert with_bias(X).tolist() == [[1, 2, 1], [3, 4, 1]]
    assert with_bias(X, 5).tolist() == [[1, 2, 5], [3, 4, 5]]
    assert with_bias(X, longest(X)).tolist() == [[1, 2, 3, 4], [3, 4, 3, 4]]
    X = unit_length(np.array([[3e-200, 4e-200], [3e200, -4e200]]))
    assert np.abs(X - [[0.6, 0.8], [0.6, -0.8]]).max() < 1e-15


test_bad_input_gets_one_clear_sentence = refusals({
    "at most 0.875; got 0.9": [lambda: separable(margin=0.9)],
    r"n must be a whole number from 1 to 33,333,333 \(for 3 dimensions\); got 1": [
        lambda: separable(n=10**8, d=3)],
    "leaves no room": [lambda: separable(d=10**7, n=1, margin=0.5)],
    "n must be a whole number from 1 to 20": [(odd_max_bit, 21)],
    "n must be a whole number from 1 to 5,000": [(worst_case, 10**6)],
    "n must be a whole number from 2 to": [(rings, 1)],
    "distance must be from 2": [lambda: outlier(distance=1)],
    "positive must be one or more digits": [lambda: digits(positive=(10,))],
    "from 0 to 4, the number of examples; got 5": [(flip_labels, xor(), 5)],
    'negative must be "versicolor" or "virginica"; got': [(iris, "setosa", "setosa")],
    "example 1 is the zero vector": [(unit_length, [[1.0], [0.0]])],
})  # fmt: skip
