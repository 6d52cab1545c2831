"""The data sets are what they say they are, to the last bit."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import datasets

from perceptron_lib import (
    bounds,
    iris,
    longest,
    outlier,
    perceptron,
    rings,
    unit_length,
    with_bias,
    worst_case,
    xor,
)
from perceptron_lib.exact import bits, dot, integers
from perceptron_lib.examples import (
    adversary,
    breast_cancer,
    digits,
    flip_labels,
    odd_max_bit,
    separable,
)
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


def test_no_seed_fails(recwarn):
    for seed in range(500):
        X, y, u = separable(seed=seed)
        assert (y * (X @ u) > 0).all()
    assert len(recwarn) == 0


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


def sign_of(weights):
    """A learner that answers with the sign of w·x, for weights made of a run over what it saw."""

    def predict(X, y, x):
        return 1 if len(y) and weights(perceptron(X, y, max_passes=1)) @ x >= 0 else -1

    return predict


LEARNERS = {
    "Perceptron": sign_of(lambda run: run.w),
    "averaged Perceptron": sign_of(lambda run: run.weights.mean(axis=0)),
    "memoriser": lambda X, y, x: next((s for a, s in zip(X, y, strict=True) if (a == x).all()), 1),
    "the last label again": lambda X, y, x: y[-1] if len(y) else 1,
}


@pytest.mark.parametrize("name", LEARNERS)
@pytest.mark.parametrize("n", [1, 2, 17])
def test_p13_no_learner_makes_fewer_mistakes_than_the_bound(name, n):
    X, y, u = adversary(LEARNERS[name], n)
    asked = [LEARNERS[name](X[:i], y[:i], X[i]) for i in range(n)]
    assert [int(answer != label) for answer, label in zip(asked, y, strict=True)] == [1] * n
    assert bounds.mistakes(bounds.radius2(X), bounds.margin2(X, y, u)) == n
    assert separate(X, y).bound() == n and np.array_equal(X, np.eye(n)) and X.flags.writeable


def test_p13_a_learner_gets_the_examples_before_and_cannot_spoil_them():
    shown = []

    def spoiler(X, y, x):
        shown.append((X.copy(), y.copy(), x.copy()))
        y[:] = 0
        for array in (X, x):
            with pytest.raises(ValueError, match="read-only"):
                array[:] = 7
        return -1

    X, y, _ = adversary(spoiler, 4)
    assert y.tolist() == [1] * 4
    for i, (before, labels, x) in enumerate(shown):
        assert before.shape == (i, 4) and (before == X[:i]).all()
        assert labels.tolist() == [1] * i and (x == X[i]).all()


def test_flipping_labels_flips_as_many_as_said_and_nothing_else():
    clean = separable(50)
    noisy = flip_labels(clean, 7, seed=3)
    assert (noisy.y != clean.y).sum() == 7 and (noisy.X == clean.X).all()
    assert (flip_labels(clean, 7, seed=4).y != noisy.y).any()


def test_real_data_are_whole_numbers_and_those_of_scikit_learn():
    for name in ("setosa", "versicolor", "virginica"):
        X, y, _ = iris(name)
        data = datasets.load_iris()
        assert (np.rint(10 * data.data) == X).all()
        assert ((y == 1) == (data.target_names[data.target] == name)).all()
    X, y, _ = breast_cancer()
    data = datasets.load_breast_cancer()
    assert (np.rint(100 * data.data / data.data.max(axis=0)) == X).all()
    assert ((y == 1) == (data.target_names[data.target] == "benign")).all()
    X, y, _ = digits()
    data = datasets.load_digits()
    assert (data.data == X).all() and ((y == 1) == (data.target % 2 == 0)).all()


def test_bias_is_a_constant_feature_and_unit_length_keeps_directions_at_extreme_scales():
    X = np.array([[1.0, 2.0], [3.0, 4.0]])
    assert with_bias(X).tolist() == [[1, 2, 1], [3, 4, 1]]
    assert with_bias(X, 5).tolist() == [[1, 2, 5], [3, 4, 5]]
    assert with_bias(X, longest(X)).tolist() == [[1, 2, 3, 4], [3, 4, 3, 4]]

    X = unit_length(np.array([[3e-200, 4e-200], [3e200, -4e200]]))
    assert np.abs(X - [[0.6, 0.8], [0.6, -0.8]]).max() < 1e-15


def test_a_plain_pair_and_a_set_will_do():
    X, y, _ = worst_case(4)
    flipped = flip_labels((X.tolist(), y.tolist()), 1)
    assert (flipped.y == flip_labels(worst_case(4), 1).y).all() and flipped.u is None
    for some in ({1, 2}, frozenset({1, 2}), (k for k in (1, 2)), np.array([1, 2])):
        assert (digits(some).y == digits((1, 2)).y).all()
    for one in (3, np.array(3), np.int8(3)):
        assert (digits(one).y == digits((3,)).y).all()
    assert outlier(5, Fraction(5, 2)).X.tolist() == outlier(5, 2.5).X.tolist()


test_bad_input_gets_one_clear_sentence = refusals({
    "at most 0.875; got 0.9": [lambda: separable(margin=0.9)],
    "n must be a whole number from 1 to 50,000,000 .*; got 0": [lambda: separable(n=0)],
    "leaves no room": [lambda: separable(d=10**7, n=1, margin=0.5)],
    "from 1 to 5,000": [(worst_case, 10**6)],
    "n must be a whole number from 1 to 20": [(odd_max_bit, 21)],
    "n must be a whole number from 1 to 5,000": [(adversary, len, 5001)],
    "predict must be a function of X, y and x; got": [(adversary, 1, 3)],
    "each -1 or \\+1|one label|labels must be": [
        (adversary, lambda X, y, x, answer=answer: answer, 3) for answer in (0, None, [1], "a", 2)],
    "n must be a whole number from 2 to": [(rings, 1)],
    "distance must be from 2": [lambda: outlier(distance=1)],
    "to 2\\*\\*50; got inf": [lambda: outlier(distance=np.inf)],
    "labels must be": [(flip_labels, ([[1], [2]], [0, 1]), 1)],
    "positive must be one or more digits": [lambda: digits(positive=(10,))],
    "from 0 to 4, the number of examples; got 5": [(flip_labels, xor(), 5)],
    'positive must be "setosa", "versicolor" or "virginica"; got': [(iris, "rose")],
    'negative must be "versicolor" or "virginica"; got': [(iris, "setosa", "setosa")],
    "example 1 is the zero vector": [(unit_length, [[1.0], [0.0]])],
})  # fmt: skip
