"""A run is the list of its updates, and the updates are those of exact arithmetic."""

import dataclasses
import warnings
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import Perceptron

from perceptron_lib import examples, longest, perceptron, with_bias
from perceptron_lib.examples import digits, iris, odd_max_bit, rings, separable, worst_case, xor
from tests import reference
from tests.reference import TIES, dot, exactly, near_ties, perceptron_in_fractions, tables

both = pytest.mark.usefixtures("each_way")


# --- exact, for any finite data -------------------------------------------------------------

wide = st.tuples(st.floats(-1, 1), st.integers(-150, 150)).map(lambda p: p[0] * 10.0 ** p[1])
KINDS = {
    "small integers": tables(st.integers(-3, 3)),
    "a dyadic grid": tables(st.integers(-64, 64).map(lambda k: k / 32)),
    "decimals": tables(st.integers(-20, 20).map(lambda k: k / 10)),
    "near ties": near_ties(),
    "scales from 1e-150 to 1e150": tables(wide),
    "any floats": tables(st.floats(allow_nan=False, allow_infinity=False)),
}


@both
@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=180)
@given(data=st.data(), tie=st.sampled_from(TIES))
def test_updates_are_those_of_exact_arithmetic(kind, tie, data):
    X, y = data.draw(KINDS[kind])
    start = data.draw(st.sampled_from(["zero", "first", "tiny"]))
    start = {"zero": None, "first": X[0] / 3, "tiny": np.full(X.shape[1], 5e-324)}[start]
    order = data.draw(st.one_of(st.none(), st.permutations(range(len(y)))))
    run = perceptron(X, y, tie, start=start, order=order, max_passes=12)
    right = perceptron_in_fractions(X, y, tie, start, order, run.passes)
    assert (run.updates.tolist(), run.passes) == right
    assert run.outcome != "cycled" or reference.signed_sum_is_zero(run.certificate, X, y)


@settings(max_examples=80)
@given(near_ties(), st.sampled_from(TIES))
def test_predictions_are_those_of_exact_arithmetic(examples, tie):
    X, y = examples
    run = perceptron(X, y, tie, max_passes=3)
    w = exact_sum(run)
    for x, label in zip(exactly(X), run.predict(X), strict=True):
        score = dot(w, x)
        assert label == ((score > 0) - (score < 0) or {"negative": -1, "positive": 1}.get(tie, 0))


def exact_sum(run):
    """The last weights in fractions."""
    return [dot((run.alpha * run.y).tolist(), column) for column in np.array(exactly(run.X)).T]


@both
@pytest.mark.parametrize("seed", range(6))
def test_blocks_change_nothing_on_long_runs(seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(-9, 10, (700, 5)) / (10 if seed % 2 else 8)
    y = np.where(X @ rng.integers(-3, 4, 5) + rng.normal(size=700) * 0.1 >= 0, 1, -1)
    run = perceptron(X, y, TIES[seed % 3], max_passes=6)
    assert run.updates.tolist() == perceptron_in_fractions(X, y, TIES[seed % 3], max_passes=6)[0]


@both
def test_plain_floating_point_would_get_it_wrong():
    """On decimals a plain loop takes wrong turns: so these tests can fail."""
    rng, wrong = np.random.default_rng(0), 0
    for _ in range(200):
        X, y = rng.integers(-9, 10, (12, 2)) / 10, rng.choice([-1, 1], 12)
        w, plain = np.zeros(2), []
        for i in [*range(12)] * 3:
            if y[i] * (X[i, 0] * w[0] + X[i, 1] * w[1]) <= 0:
                w = w + y[i] * X[i]
                plain.append(i)
        run = perceptron(X, y, max_passes=3)
        right = perceptron_in_fractions(X, y, max_passes=run.passes)[0]
        assert run.updates.tolist() == right
        wrong += plain[: len(right)] != right
    assert wrong > 10


# --- what is derived from the updates --------------------------------------------------------


def test_everything_follows_from_the_updates():
    X, y, _ = separable(60, 3, 0.05, seed=4)
    run = perceptron(X, y)
    assert run.mistakes == len(run.updates) == run.alpha.sum() > 3
    w = np.cumsum([np.zeros(3), *(y[i] * X[i] for i in run.updates)], axis=0)
    assert (run.weights == w).all() and (run.w == w[-1]).all() and len(w) == run.mistakes + 1
    assert (run.w == (run.alpha * y) @ X).all()
    assert (run.steps % 60 == run.updates).all() and (np.diff(run.steps) > 0).all()


@both
def test_weights_are_rounded_once_however_many_updates_there_were():
    run = perceptron([[0.1], [0.1], [-0.3]], [1, -1, 1], max_passes=1)
    assert run.updates.tolist() == [0, 1, 2]
    assert run.weights.ravel().tolist() == [0.0, 0.1, 0.0, -0.3]
    rng = np.random.default_rng(0)
    for scale in (10, 8, 3):  # only eighths lie on a grid
        X, y = rng.integers(-9, 10, (40, 3)) / scale, rng.choice([-1, 1], 40)
        run = perceptron(X, y, max_passes=20)
        assert run.mistakes > 100 and run.w.tolist() == [float(total) for total in exact_sum(run)]
        assert run.weights[-1].tolist() == run.w.tolist()


def test_predictions_do_not_depend_on_the_scale_or_the_company():
    run = perceptron([[0.6, 0.2]], [1])
    for power in (-1000, -560, 0, 400, 1000):
        assert run.predict([np.array([0.2, -0.6]) * 2.0**power] * 8).tolist() == [0] * 8
    tiny, run = [2e-171, -6e-171], perceptron([[6e149, 2e149]], [1])
    assert run.predict([tiny]).tolist() * 2 == run.predict([tiny, tiny]).tolist()


HUGE = [[1e308, 1.7e308], [1e308, -1.7e308]]


@both
@pytest.mark.parametrize(("X", "start"), [
    ([[2.0**1023, 0.0], [2.0**1023, 2.0**1023], [0.0, -(2.0**1023)]], [2.0**1023, 0.0]),  # a grid
    (HUGE, None), (HUGE, [-0.1, 0]),
])
def test_weights_too_large_for_a_float_are_infinite_and_predictions_still_right(X, start):
    run = perceptron(X, [1] * len(X), start=start, max_passes=3)
    assert run.w[0] == run.weights[-1, 0] == np.inf and run.predict([[1.0, 0.0]]).tolist() == [1]


def test_a_run_cannot_be_changed_and_changes_nothing():
    X, y, start = np.array([[1.0, 2.0], [2.0, 1.0]]), np.array([1, -1]), np.array([1.0, 1.0])
    run = perceptron(X, y, start=start)
    assert X.tolist() == [[1, 2], [2, 1]] and y.tolist() == [1, -1] and start.tolist() == [1, 1]
    cycled = perceptron([[1, 0], [0, 1], [1, 1], [-1, 0]], [1, 1, -1, -1], order=[1, 0, 2, 3])
    assert cycled.outcome == "cycled"
    for held in (run.X, run.y, run.start, run.updates, run.steps, run.w, run.weights,
                 cycled.order, cycled.certificate, cycled.w):  # fmt: skip
        with pytest.raises(ValueError, match="read-only"):
            held[...] = 77
    with pytest.raises(dataclasses.FrozenInstanceError):
        run.outcome = "stopped"


def test_prediction_at_score_zero_follows_the_tie_rule():
    says = [perceptron([[1.0, 0.0]], [1], tie).predict([[0.0, 1.0]])[0] for tie in TIES]
    assert says == [0, -1, 1]


def test_it_says_what_happened():
    one = repr(perceptron([[1.0]], [1]))
    assert one == "Run: 1 mistake in 2 passes over 1 example, converged"
    assert "never converge" in repr(perceptron(*xor()[:2]))
    assert "stopped before" in repr(perceptron(*odd_max_bit(4)[:2], max_passes=2))


# --- how a run ends --------------------------------------------------------------------------

LINE = with_bias([[-1.0], [0.0], [1.0]])


@both
@pytest.mark.parametrize(("X", "y", "counts"), [
    (xor().X, xor().y, [1, 1, 1, 1]), (with_bias(xor().X), xor().y, [1, 1, 1, 1]),
    (with_bias(xor().X * 0.1, 0.3), xor().y, None),  # off the grid
    (LINE, [-1, 1, -1], None), ([[0.0, 0.0], [1.0, 0.0]], [1, 1], [1, 0]),  # 0 is never right
])
def test_a_run_that_comes_back_proves_the_data_inseparable(X, y, counts):
    run = perceptron(X, y)
    assert run.outcome == "cycled" and reference.signed_sum_is_zero(run.certificate, X, y)
    assert counts is None or run.certificate.tolist() == counts
    assert len(y) != 4 or run.passes == 1 or counts is None
    if X is LINE:  # a later cycle of a longer period: back to one earlier pass, once
        states = run.weights[np.searchsorted(run.steps, np.arange(run.passes + 1) * 3)]
        assert run.passes > 2 and (states[-1] == states[:-1]).all(axis=1).sum() == 1


def test_a_random_order_is_not_said_to_cycle():
    run = perceptron(*xor()[:2], order=np.random.default_rng(0), max_passes=30)
    assert (run.outcome, run.certificate, run.passes) == ("stopped", None, 30)


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int16])
def test_passes_may_be_counted_in_narrow_integers(kind):
    X = np.vstack([np.eye(50), -0.3 * np.eye(50), 0.7 * np.eye(50)])
    run = perceptron(X, np.ones(150), max_passes=kind(100))
    assert run.outcome == "stopped" and run.passes == 100 and run.mistakes == 7150


@both
def test_every_way_ends_at_the_same_pass_with_the_same_weights():
    ends = []
    for X, y, start in reference.small_problems(40):
        run = perceptron(X, y, start=start, max_passes=60)
        outcome, passes, w = reference.where_it_ends(X, y, start, 60)
        assert (run.outcome, run.passes) == (outcome, passes)
        assert run.w.tolist() == [float(v) for v in w]
        ends.append((outcome, passes))
    assert {outcome for outcome, _ in ends} == {"cycled", "converged", "stopped"}
    assert sum(outcome == "cycled" and passes > 4 for outcome, passes in ends) > 4


@both
def test_a_huge_start_overflows_nowhere():
    examples = [[1.0, 2.0], [2.0, -1.0]], [1, -1]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run = perceptron(*examples, start=[1e300, -1e300], max_passes=3)
    right = perceptron_in_fractions(*examples, start=[1e300, -1e300], max_passes=3)
    assert run.updates.tolist() == right[0]


@both
def test_orders():
    """A seeded generator reshuffles each pass and can be repeated; a permutation is the same as
    permuted data."""
    X, y, _ = separable(50, 4, 0.02, seed=2)
    one, two = (perceptron(X, y, order=np.random.default_rng(7)) for _ in range(2))
    assert one.updates.tolist() == two.updates.tolist()
    assert one.outcome == "converged" and (one.predict(X) == y).all()
    bits = np.random.default_rng(7).bit_generator
    right = perceptron_in_fractions(X, y, order=lambda: examples.shuffled(50, bits))
    assert (one.updates.tolist(), one.passes) == right and one.passes > 3
    order = np.random.default_rng(1).permutation(50)
    moved, plain = perceptron(X, y, order=order), perceptron(X[order], y[order])
    assert order[plain.updates].tolist() == moved.updates.tolist()


# --- the ledger's figures --------------------------------------------------------------------


@both
def test_a3_tie_rules_differ_in_their_mistakes():
    X, y = [[1, 2], [3, 1], [2, 2]], [-1, -1, -1]
    mistakes = {tie: perceptron(X, y, tie).mistakes for tie in TIES}
    assert mistakes == {"negative": 0, "mistake": 1, "positive": 1}


def test_a4_a_score_moves_by_its_square_and_a6_the_step_size_only_rescales():
    X, y, _ = separable(40, 3, 0.05, seed=1)
    run = perceptron(X, y)
    for i, w, w_next in zip(run.updates, run.weights, run.weights[1:], strict=False):
        assert X[i] @ w_next - X[i] @ w == y[i] * (X[i] @ X[i])
    for eta in (0.25, 8):
        scaled = perceptron(eta * X, y)
        assert scaled.updates.tolist() == run.updates.tolist()
        assert (scaled.w == eta * run.w).all()


def test_a7_scale_matters_with_a_constant_one_and_only_then():
    X, y = np.array([(2, 1), (1, 3), (0, 1), (4, 4), (1, 1)]), [-1, 1, -1, 1, -1]
    # Scale 1/10 with constant 1 is scale 1 with constant 10, up to a common factor.
    scaled = [(X, 10), (X, 1), (10 * X, 1), (100 * X, 1)]
    constant = [perceptron(with_bias(X, c), y, max_passes=9999).mistakes for X, c in scaled]
    radius = [perceptron(with_bias(X, longest(X)), y).mistakes for X, c in scaled]
    assert constant == [27, 7, 184, 18004] and radius == [11] * 4


def test_p10_and_p11_mistakes_of_unit_vectors_and_of_odd_max_bit(each_way):
    assert [perceptron(*worst_case(n)[:2]).mistakes for n in (1, 5, 64)] == [1, 5, 64]
    sizes = range(2, 8 if each_way == "plainly" else 11)  # plainly, the largest take half a minute
    mistakes = [perceptron(*odd_max_bit(n)[:2], max_passes=9999).mistakes for n in sizes]
    assert mistakes == [11, 25, 55, 123, 289, 727, 1839, 4707, 12141][: len(sizes)]


def test_real_data():
    for X, y, _ in (iris(), digits(positive=(0,))):
        run = perceptron(X, y)
        assert run.outcome == "converged" and (run.predict(X) == y).all()


@both
def test_the_same_updates_as_scikit_learn():
    for X, y, _ in (separable(300, 10, 0.05, seed=3), iris(), rings(40)):
        run = perceptron(X, y, max_passes=50)
        peer = Perceptron(shuffle=False, tol=None, fit_intercept=False, max_iter=run.passes)
        assert (peer.fit(X, y).coef_[0] == run.w).all()


# --- bad input -------------------------------------------------------------------------------


def with_changes(change):
    run = perceptron(**{"X": [[1.0, 2.0], [2.0, 1.0]], "y": [1, -1]} | change)
    run.predict([[1.0]])


HALF, LONG = Fraction(1, 2), np.ones((2, 1), np.longdouble)
test_bad_input_gets_one_clear_sentence = both(reference.refusals({
    r"map them by y = 2\*y - 1": [{"y": [0, 1]}],
    r"labels must be -1 and \+1; got \[1, 2\]": [{"y": [1, 2]}],
    "labels must be -1": [{"y": ["a", "b"]}, {"y": [1.0, np.nan]}, {"y": [1 + 0j, -1]}],
    r"labels must be -1 and \+1; got .{60}$": [{"y": [1, 10**400]}],
    r"labels must be -1 and \+1; got a very large number$": [{"y": [1, 10**5000]}],
    "one label for each of the 2 examples": [{"y": [1]}],
    r"one label for each .* got shape \(2, 1\)": [{"y": [[1], [-1]]}],
    "y must be a list of labels": [{"y": [[1], [1, -1]]}],
    "y .* masked arrays are not taken": [{"y": np.ma.array([1, -1], mask=[0, 1])}],
    "X .* masked arrays are not taken": [{"X": np.ma.array([[1.0], [2.0]], mask=[[0], [1]])}],
    "example 0 has a NaN": [{"X": [[1.0, np.nan], [0, 0]]}],
    "example 0 has a NaN or infinity": [{"X": [[1.0, np.nan], [1e200, 1]]}],
    "example 1 has a NaN or infinity": [{"X": [[1.0, 0], [np.inf, 0]]}],
    r"two dimensions.*got shape \(2,\)": [{"X": [1.0, 2.0]}],
    "X must be a table of numbers.* parts of different lengths": [{"X": [[1.0], [1.0, 2.0]]}],
    "table of numbers": [{"X": [["a"], ["b"]]}, {"X": [[1j], [1]]}],
    "table of numbers.*nan": [{"X": np.array([[np.nan], [1]], np.longdouble)}],
    "X must be a table of numbers": [{"X": np.array([["1"], ["2"]], dtype=object)}],
    r"an example and a feature .* \(0, 2\)": [{"X": np.empty((0, 2)), "y": []}],
    "an example and a feature": [{"X": np.empty((2, 0))}],
    "cannot hold exactly": [
        {"X": [[2**60 + 1], [1]]}, {"X": [[2**53 + 1], [1]]}, {"X": [[-(2**53) - 1], [1]]},
        {"X": [[10**400], [1]]}, {"X": [[2**53 + 1, 0.5], [1, 1]]}, {"X": [[2**63 + 1], [-1]]},
        {"X": [[np.int64(2**53 + 1)], [HALF]]}, {"X": [[HALF / 3], [1]]}, {"X": LONG / 3},
        {"X": np.array([[np.uint64(2**63 + 1)], [1]], dtype=object)},
        {"X": LONG * np.longdouble("1e-4000")}, {"X": LONG * np.longdouble("1e4000")}],
    "order must be": [{"order": [[0], [1, 2]]}, {"order": [0]}, {"order": [False, True]},
                      {"order": [1.0, 0.0]}, {"order": "up"}],
    "order must be None, a permutation of 0 … 1": [{"order": [0, 0]}],
    "max_passes must be a whole number, 1 or more; got 0": [{"max_passes": 0}],
    "max_passes must be .*; got an ndarray of shape": [{"max_passes": np.zeros((9, 9))}],
    "whole number, 1 or more; got '10'": [{"max_passes": "10"}],
    "max_passes": [{"max_passes": v} for v in (2.5, True, None, np.inf)],
    'tie must be "mistake", "negative" or "positive"; got \'never\'': [{"tie": "never"}],
    "tie must be": [{"tie": np.zeros((9, 9))}, {"tie": ["mistake"]}],
    "start must be 2 finite numbers": [
        {"start": ["a", "b"]}, {"start": 1.0}, {"start": [1.0]}, {"start": [1.0, np.inf]}],
    "have 2 columns": [{}],
}, with_changes))  # fmt: skip


def test_numbers_of_every_kind_are_taken_as_they_are():
    for X in (
        [[2**53, 0.5]], [[2**63, -1]], [[HALF, np.int64(2**53 + 2)]], [[1e300, 1]], [[True, 2]],
        np.ones((1, 2), np.longdouble) / 4, np.ones((1, 2), np.float16) / 3,
    ):  # fmt: skip
        given = [v.item() if isinstance(v, np.generic) else v for v in np.array(X, object).flat]
        assert perceptron(X, [-1]).X[0].tolist() == given
