"""A run is the list of its updates, and the updates are those of exact arithmetic."""

import dataclasses
import warnings
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perceptron_lib import (
    Run,
    digits,
    iris,
    longest,
    odd_max_bit,
    perceptron,
    rings,
    separable,
    with_bias,
    worst_case,
    xor,
)
from perceptron_lib.examples import shuffled
from tests.reference import (
    perceptron_in_fractions,
    signed_sum_is_zero,
    small_problems,
    where_it_ends,
)

TIES = ["mistake", "negative", "positive"]
PASSES = 12


# --- exact, for any finite data -------------------------------------------------------------


def tables(numbers, max_n=8, max_d=3):
    """(X, y) with entries drawn from `numbers`."""

    @st.composite
    def draw_table(draw):
        n, d = draw(st.integers(1, max_n)), draw(st.integers(1, max_d))
        X = [[draw(numbers) for _ in range(d)] for _ in range(n)]
        y = [draw(st.sampled_from([-1, 1])) for _ in range(n)]
        return np.array(X, dtype=float), np.array(y)

    return draw_table()


@st.composite
def near_ties(draw):
    """A few decimals, then copies, opposites and points one ulp away: scores that nearly vanish."""
    X, y = draw(tables(st.integers(-9, 9).map(lambda k: k / 10), max_n=4))
    X, y = list(X), list(y)
    for _ in range(draw(st.integers(1, 5))):
        row = X[draw(st.integers(0, len(X) - 1))].copy()
        change = draw(st.sampled_from(["copy", "opposite", "ulp", "both"]))
        if change in ("opposite", "both"):
            row = -row
        if change in ("ulp", "both"):
            j = draw(st.integers(0, len(row) - 1))
            row[j] = np.nextafter(row[j], draw(st.sampled_from([-np.inf, np.inf])))
        X.append(row)
        y.append(draw(st.sampled_from([-1, 1])))
    return np.array(X), np.array(y)


wide = st.tuples(st.floats(-1, 1), st.integers(-150, 150)).map(lambda p: p[0] * 10.0 ** p[1])
any_float = st.floats(allow_nan=False, allow_infinity=False)

KINDS = {
    "small integers": tables(st.integers(-3, 3)),
    "a dyadic grid": tables(st.integers(-64, 64).map(lambda k: k / 32)),
    "decimals": tables(st.integers(-20, 20).map(lambda k: k / 10)),
    "near ties": near_ties(),
    "scales from 1e-150 to 1e150": tables(wide),
    "any floats": tables(any_float),
}


@pytest.mark.usefixtures("each_way")
@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=180)
@given(data=st.data(), tie=st.sampled_from(TIES))
def test_updates_are_those_of_exact_arithmetic(kind, tie, data):
    X, y = data.draw(KINDS[kind])
    start = data.draw(st.sampled_from(["zero", "first", "tiny"]))
    start = {"zero": None, "first": X[0] / 3, "tiny": np.full(X.shape[1], 5e-324)}[start]
    order = data.draw(st.one_of(st.none(), st.permutations(range(len(y)))))
    run = perceptron(X, y, tie, start=start, order=order, max_passes=PASSES)
    updates, passes = perceptron_in_fractions(X, y, tie, start, order, run.passes)
    assert run.updates.tolist() == updates
    assert run.passes == passes
    if run.outcome == "cycled":
        assert signed_sum_is_zero(run.certificate, X, y)


@settings(max_examples=80)
@given(near_ties(), st.sampled_from(TIES))
def test_predictions_are_those_of_exact_arithmetic(examples, tie):
    X, y = examples
    run = perceptron(X, y, tie, max_passes=3)
    counts = (run.alpha * y).tolist()
    w = [sum(Fraction(v) * c for v, c in zip(column, counts, strict=True)) for column in X.T]
    for x, label in zip(X, run.predict(X), strict=True):
        score = sum(a * Fraction(b) for a, b in zip(w, x, strict=True))
        assert label == ((score > 0) - (score < 0) or {"negative": -1, "positive": 1}.get(tie, 0))


@pytest.mark.usefixtures("each_way")
@pytest.mark.parametrize("seed", range(6))
def test_blocks_change_nothing_on_long_runs(seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(-9, 10, (700, 5)) / (10 if seed % 2 else 8)
    y = np.where(X @ rng.integers(-3, 4, 5) + rng.normal(size=700) * 0.1 >= 0, 1, -1)
    run = perceptron(X, y, TIES[seed % 3], max_passes=6)
    assert run.updates.tolist() == perceptron_in_fractions(X, y, TIES[seed % 3], max_passes=6)[0]


@pytest.mark.usefixtures("each_way")
def test_plain_floating_point_would_get_it_wrong():
    """On decimals a plain loop takes wrong turns: so these tests can fail."""
    rng = np.random.default_rng(0)
    wrong = 0
    for _ in range(200):
        X = rng.integers(-9, 10, (12, 2)) / 10
        y = rng.choice([-1, 1], 12)
        w, plain = np.zeros(2), []
        for _ in range(3):
            for i in range(12):
                if y[i] * (X[i, 0] * w[0] + X[i, 1] * w[1]) <= 0:
                    w = w + y[i] * X[i]
                    plain.append(i)
        run = perceptron(X, y, max_passes=3)
        reference = perceptron_in_fractions(X, y, max_passes=run.passes)[0]
        assert run.updates.tolist() == reference
        wrong += plain[: len(reference)] != reference
    assert wrong > 10


# --- what is derived from the updates --------------------------------------------------------


def test_everything_follows_from_the_updates():
    X, y, _ = separable(60, 3, 0.05, seed=4)
    run = perceptron(X, y)
    assert run.mistakes == len(run.updates) == run.alpha.sum() > 3
    w = np.zeros(3)
    for t, i in enumerate(run.updates):
        assert (run.weights[t] == w).all()
        w = w + y[i] * X[i]
    assert (run.weights[-1] == w).all() and (run.w == w).all()
    assert (run.w == (run.alpha * y) @ X).all()
    assert run.weights.shape == (run.mistakes + 1, 3)
    assert (run.steps % 60 == run.updates).all() and (np.diff(run.steps) > 0).all()


def test_weights_are_rounded_once_however_many_updates_there_were():
    X, y = np.array([[0.1], [0.1], [-0.3]]), np.array([1, -1, 1])
    run = perceptron(X, y, max_passes=1)
    assert run.updates.tolist() == [0, 1, 2]
    assert run.weights.ravel().tolist() == [0.0, 0.1, 0.0, -0.3]


@pytest.mark.usefixtures("each_way")
def test_the_last_weights_are_the_exact_sum_rounded_once():
    rng = np.random.default_rng(0)
    for scale in (10, 8, 3):  # only eighths lie on a grid
        X, y = rng.integers(-9, 10, (40, 3)) / scale, rng.choice([-1, 1], 40)
        run = perceptron(X, y, max_passes=20)
        counts = (run.alpha * y).tolist()
        sums = [sum(Fraction(v) * c for v, c in zip(column, counts, strict=True)) for column in X.T]
        assert run.mistakes > 100 and run.w.tolist() == [float(total) for total in sums]
        assert run.weights[-1].tolist() == run.w.tolist()


def test_predictions_do_not_depend_on_the_scale_or_the_company():
    run = perceptron([[0.6, 0.2]], [1])
    x = np.array([0.2, -0.6])
    for power in (-1000, -560, 0, 400, 1000):
        assert run.predict([x * 2.0**power] * 8).tolist() == [0] * 8
    tiny, huge = np.array([2e-171, -6e-171]), np.array([[6e149, 2e149]])
    run = perceptron(huge, [1])
    assert run.predict([tiny]).tolist() * 2 == run.predict([tiny, tiny]).tolist()


@pytest.mark.usefixtures("each_way")
def test_weights_too_large_for_a_float_are_infinite_on_a_grid_too():
    X, y = [[2.0**1023, 0.0], [2.0**1023, 2.0**1023], [0.0, -(2.0**1023)]], [1, 1, 1]
    run = perceptron(X, y, start=[2.0**1023, 0.0], max_passes=3)
    assert run.w[0] == np.inf and run.predict([[1.0, 0.0]]).tolist() == [1]


@pytest.mark.usefixtures("each_way")
def test_weights_too_large_for_a_float_are_infinite_and_predictions_still_right():
    for start in (None, [-0.1, 0]):
        X, y = [[1e308, 1.7e308], [1e308, -1.7e308]], [1, 1]
        run = perceptron(X, y, start=start, max_passes=3)
        assert run.w[0] == np.inf and run.weights[-1, 0] == np.inf
        assert run.predict([[1.0, 0.0]]).tolist() == [1]


def test_a_run_cannot_be_changed():
    run = perceptron([[1.0]], [1])
    for array in (run.X, run.y, run.start, run.updates, run.steps, run.w, run.weights):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
    with pytest.raises(dataclasses.FrozenInstanceError):
        perceptron([[1.0]], [1]).outcome = "stopped"


def test_a_run_that_cycled_cannot_be_changed():
    X, y = [[1, 0], [0, 1], [1, 1], [-1, 0]], [1, 1, -1, -1]
    run = perceptron(X, y, order=[1, 0, 2, 3])
    assert run.outcome == "cycled"
    for held in (run.order, run.certificate, run.w):
        with pytest.raises(ValueError, match="read-only"):
            held[0] = 77


def test_the_data_and_the_start_are_left_alone():
    X, y, start = np.array([[1.0, 2.0], [2.0, 1.0]]), np.array([1, -1]), np.array([1.0, 1.0])
    perceptron(X, y, start=start)
    assert X.tolist() == [[1, 2], [2, 1]] and y.tolist() == [1, -1] and start.tolist() == [1, 1]


def test_prediction_at_score_zero_follows_the_tie_rule():
    says = [perceptron([[1.0, 0.0]], [1], tie).predict([[0.0, 1.0]])[0] for tie in TIES]
    assert says == [0, -1, 1]


def test_it_says_what_happened():
    assert repr(perceptron([[1.0]], [1])) == (
        "Run: 1 mistake in 2 passes over 1 example, converged"
    )
    assert "never converge" in repr(perceptron(*xor()[:2]))
    X, y, _ = odd_max_bit(4)
    assert "stopped before" in repr(perceptron(X, y, max_passes=2))


# --- how a run ends --------------------------------------------------------------------------


@pytest.mark.usefixtures("each_way")
def test_xor_comes_back_and_the_counts_prove_it_inseparable():
    for X in (xor().X, with_bias(xor().X)):
        run = perceptron(X, xor().y)
        assert run.outcome == "cycled" and run.passes == 1
        assert run.certificate.tolist() == [1, 1, 1, 1]


@pytest.mark.usefixtures("each_way")
def test_a_cycle_off_the_grid_is_found_too():
    X = with_bias(xor().X * 0.1, 0.3)
    run = perceptron(X, xor().y)
    assert run.outcome == "cycled" and signed_sum_is_zero(run.certificate, X, xor().y)


@pytest.mark.usefixtures("each_way")
def test_a_later_cycle_of_a_longer_period_is_found():
    X, y = with_bias([[-1.0], [0.0], [1.0]]), [-1, 1, -1]
    run = perceptron(X, y)
    assert run.outcome == "cycled" and run.passes > 2
    assert signed_sum_is_zero(run.certificate, X, y)
    states = run.weights[np.searchsorted(run.steps, np.arange(run.passes + 1) * 3)]
    assert (states[-1] == states[:-1]).all(axis=1).sum() == 1  # back to one earlier pass, once


def test_the_zero_vector_can_never_be_right():
    run = perceptron([[0.0, 0.0], [1.0, 0.0]], [1, 1])
    assert run.outcome == "cycled" and run.certificate.tolist() == [1, 0]


def test_a_random_order_is_not_said_to_cycle():
    run = perceptron(*xor()[:2], order=np.random.default_rng(0), max_passes=30)
    assert run.outcome == "stopped" and run.certificate is None


def test_stopping_after_the_passes_allowed():
    run = perceptron(*odd_max_bit(5)[:2], max_passes=3)
    assert run.outcome == "stopped" and run.passes == 3


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int16])
def test_passes_may_be_counted_in_narrow_integers(kind):
    X = np.vstack([np.eye(50), -0.3 * np.eye(50), 0.7 * np.eye(50)])
    run = perceptron(X, np.ones(150), max_passes=kind(100))
    assert run.outcome == "stopped" and run.passes == 100 and run.mistakes == 7150


@pytest.mark.usefixtures("each_way")
def test_every_way_ends_at_the_same_pass_with_the_same_weights():
    ends = []
    for X, y, start in small_problems(40):
        run = perceptron(X, y, start=start, max_passes=60)
        outcome, passes, w = where_it_ends(X, y, start, 60)
        assert (run.outcome, run.passes) == (outcome, passes)
        assert run.w.tolist() == [float(v) for v in w]
        ends.append((outcome, passes))
    assert {outcome for outcome, _ in ends} == {"cycled", "converged", "stopped"}
    assert sum(outcome == "cycled" and passes > 4 for outcome, passes in ends) > 4


@pytest.mark.usefixtures("each_way")
def test_a_huge_start_overflows_nowhere():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run = perceptron([[1.0, 2.0], [2.0, -1.0]], [1, -1], start=[1e300, -1e300], max_passes=3)
    assert run.updates.tolist() == perceptron_in_fractions(
        [[1, 2], [2, -1]], [1, -1], start=[1e300, -1e300], max_passes=3)[0]


@pytest.mark.usefixtures("each_way")
def test_a_seeded_generator_reshuffles_each_pass_and_can_be_repeated():
    X, y, _ = separable(50, 4, 0.02, seed=2)
    one, two = (perceptron(X, y, order=np.random.default_rng(7)) for _ in range(2))
    assert one.updates.tolist() == two.updates.tolist()
    assert one.outcome == "converged" and (one.predict(X) == y).all()
    bits = np.random.default_rng(7).bit_generator
    right = perceptron_in_fractions(X, y, order=lambda: shuffled(50, bits))
    assert (one.updates.tolist(), one.passes) == right and one.passes > 3


@pytest.mark.usefixtures("each_way")
def test_a_permutation_is_the_same_as_permuted_data():
    X, y, _ = separable(50, 4, 0.02, seed=2)
    order = np.random.default_rng(1).permutation(50)
    moved, plain = perceptron(X, y, order=order), perceptron(X[order], y[order])
    assert order[plain.updates].tolist() == moved.updates.tolist()


# --- the ledger's figures --------------------------------------------------------------------


@pytest.mark.usefixtures("each_way")
def test_a3_tie_rules_differ_in_their_mistakes():
    X, y = [[1, 2], [3, 1], [2, 2]], [-1, -1, -1]
    mistakes = {tie: perceptron(X, y, tie).mistakes for tie in TIES}
    assert mistakes == {"negative": 0, "mistake": 1, "positive": 1}


def test_a4_an_update_moves_the_examples_own_score_by_its_square():
    X, y, _ = separable(40, 3, 0.05, seed=1)
    run = perceptron(X, y)
    for i, w, w_next in zip(run.updates, run.weights, run.weights[1:], strict=False):
        assert X[i] @ w_next - X[i] @ w == y[i] * (X[i] @ X[i])


def test_a6_the_step_size_only_rescales():
    X, y, _ = separable(40, 3, 0.05, seed=1)
    run = perceptron(X, y)
    for eta in (0.25, 8):
        scaled = perceptron(eta * X, y)
        assert scaled.updates.tolist() == run.updates.tolist()
        assert (scaled.w == eta * run.w).all()


A7_X = np.array([(2, 1), (1, 3), (0, 1), (4, 4), (1, 1)])
A7_Y = [-1, 1, -1, 1, -1]


def test_a7_scale_matters_with_a_constant_one_and_only_then():
    # Scale 1/10 with constant 1 is scale 1 with constant 10, up to a common factor.
    scaled = [(A7_X, 10), (A7_X, 1), (10 * A7_X, 1), (100 * A7_X, 1)]
    constant = [perceptron(with_bias(X, c), A7_Y, max_passes=9999).mistakes for X, c in scaled]
    radius = [perceptron(with_bias(X, longest(X)), A7_Y).mistakes for X, c in scaled]
    assert constant == [27, 7, 184, 18004]
    assert radius == [11] * 4


def test_p10_unit_vectors_make_as_many_mistakes_as_the_bound_allows():
    for n in (1, 5, 64):
        assert perceptron(*worst_case(n)[:2]).mistakes == n


@pytest.mark.usefixtures("each_way")
def test_p11_odd_max_bit_mistakes():
    mistakes = [perceptron(*odd_max_bit(n)[:2], max_passes=9999).mistakes for n in range(2, 11)]
    assert mistakes == [11, 25, 55, 123, 289, 727, 1839, 4707, 12141]


def test_e4_removing_an_example_with_alpha_zero_can_matter():
    X = np.array([(0, 4), (3, -2), (-1, 3), (0, -3), (4, 1), (2, 4)])
    y = np.array([1, 1, 1, -1, 1, 1])
    assert perceptron(with_bias(X, longest(X)), y).alpha.tolist() == [1, 3, 0, 3, 0, 0]
    X, y = X[:-1], y[:-1]
    assert perceptron(with_bias(X, longest(X)), y).alpha.tolist() == [1, 2, 0, 2, 0]


def test_real_data():
    X, y, _ = iris()
    run = perceptron(X, y)
    assert run.outcome == "converged" and (run.predict(X) == y).all()
    X, y, _ = digits(positive=(0,))
    run = perceptron(X, y)
    assert run.outcome == "converged" and (run.predict(X) == y).all()


@pytest.mark.usefixtures("each_way")
def test_the_same_updates_as_scikit_learn():
    from sklearn.linear_model import Perceptron

    for X, y, _ in (separable(300, 10, 0.05, seed=3), iris(), rings(40)):
        run = perceptron(X, y, max_passes=50)
        peer = Perceptron(shuffle=False, tol=None, fit_intercept=False, max_iter=run.passes)
        assert (peer.fit(X, y).coef_[0] == run.w).all()


# --- bad input -------------------------------------------------------------------------------

GOOD = {"X": [[1.0, 2.0], [2.0, 1.0]], "y": [1, -1]}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"y": [0, 1]}, r"map them by y = 2\*y - 1"),
        ({"y": [1, 2]}, r"labels must be -1 and \+1; got \[1, 2\]"),
        ({"y": ["a", "b"]}, "labels must be -1"),
        ({"y": [1.0, np.nan]}, "labels must be -1"),
        ({"y": [1]}, "one label for each of the 2 examples"),
        ({"y": [[1], [-1]]}, r"one label for each .* got shape \(2, 1\)"),
        ({"X": [[1.0, np.nan], [0, 0]]}, "example 0 has a NaN"),
        ({"X": [[1.0, 0], [np.inf, 0]]}, "example 1 has a NaN or infinity"),
        ({"X": [[1.0, np.nan], [1e200, 1]]}, "example 0 has a NaN or infinity"),
        ({"X": [1.0, 2.0]}, r"two dimensions.*got shape \(2,\)"),
        ({"X": [[1.0], [1.0, 2.0]]}, "X must be a table of numbers.* parts of different lengths"),
        ({"X": [["a"], ["b"]]}, "table of numbers"),
        ({"X": np.array([["1"], ["2"]], dtype=object)}, "X must be a table of numbers"),
        ({"X": np.empty((0, 2)), "y": []}, r"an example and a feature .* \(0, 2\)"),
        ({"X": np.empty((2, 0))}, "an example and a feature"),
        ({"X": [[2**60 + 1], [1]]}, "cannot hold exactly"),
        ({"X": [[2**53 + 1], [1]]}, "cannot hold exactly"),
        ({"X": [[-(2**53) - 1], [1]]}, "cannot hold exactly"),
        ({"X": [[10**400], [1]]}, "cannot hold exactly"),
        ({"X": [[2**53 + 1, 0.5], [1, 1]]}, "cannot hold exactly"),
        ({"X": [[2**63 + 1], [-1]]}, "cannot hold exactly"),
        ({"X": [[np.int64(2**53 + 1)], [Fraction(1, 2)]]}, "cannot hold exactly"),
        ({"X": np.array([[np.uint64(2**63 + 1)], [1]], dtype=object)}, "cannot hold exactly"),
        ({"X": np.ma.array([[1.0], [2.0]], mask=[[0], [1]])}, "X .* masked arrays are not taken"),
        ({"y": np.ma.array([1, -1], mask=[0, 1])}, "y .* masked arrays are not taken"),
        ({"X": [[Fraction(1, 3)], [1]]}, "cannot hold exactly"),
        ({"X": np.ones((2, 1), np.longdouble) / 3}, "cannot hold exactly"),
        ({"X": np.array([["1e-4000"], ["1"]]).astype(np.longdouble)}, "cannot hold exactly"),
        ({"X": np.array([["1e4000"], ["1"]]).astype(np.longdouble)}, "cannot hold exactly"),
        ({"X": np.array([[np.nan], [1]], np.longdouble)}, "table of numbers.*nan"),
        ({"y": [1 + 0j, -1]}, "labels must be -1"),
        ({"y": [1, 10**400]}, r"labels must be -1 and \+1; got .{60}$"),
        ({"y": [1, 10**5000]}, r"labels must be -1 and \+1; got a very large number$"),
        ({"max_passes": np.zeros((9, 9))}, "max_passes must be .*; got an ndarray of shape"),
        ({"tie": np.zeros((9, 9))}, "tie must be"),
        ({"order": [[0], [1, 2]]}, "order must be"),
        ({"order": [0, 0]}, "order must be None, a permutation of 0 … 1"),
        ({"order": [0]}, "order must be"),
        ({"order": [False, True]}, "order must be"),
        ({"order": [1.0, 0.0]}, "order must be"),
        ({"order": "up"}, "order must be"),
        ({"max_passes": 0}, "max_passes must be a whole number, 1 or more; got 0"),
        ({"max_passes": 2.5}, "max_passes"),
        ({"max_passes": "10"}, "whole number, 1 or more; got '10'"),
        ({"max_passes": True}, "max_passes"),
        ({"max_passes": None}, "max_passes"),
        ({"max_passes": np.inf}, "max_passes"),
        ({"tie": ["mistake"]}, "tie must be"),
        ({"start": ["a", "b"]}, "start must be 2 finite numbers"),
        ({"start": 1.0}, "start must be 2 finite numbers"),
        ({"y": [[1], [1, -1]]}, "y must be a list of labels"),
        ({"X": [[1j], [1]]}, "table of numbers"),
        ({"tie": "never"}, 'tie must be "mistake", "negative" or "positive"; got \'never\''),
        ({"start": [1.0]}, "start must be 2 finite numbers"),
        ({"start": [1.0, np.inf]}, "start must be 2 finite numbers"),
    ],
)
@pytest.mark.usefixtures("each_way")
def test_bad_input_gets_one_clear_sentence(change, says):
    with warnings.catch_warnings(), pytest.raises(ValueError, match=says) as error:
        warnings.simplefilter("error")
        perceptron(**(GOOD | change))
    assert "\n" not in str(error.value)


def test_numbers_of_every_kind_are_taken_as_they_are():
    for X in (
        [[2**53, 0.5]], [[2**63, -1]], [[Fraction(1, 2), np.int64(2**53 + 2)]], [[1e300, 1]],
        [[True, 2]], np.ones((1, 2), np.longdouble) / 4, np.ones((1, 2), np.float16) / 3,
    ):
        given = [v.item() if isinstance(v, np.generic) else v for v in np.array(X, object).flat]
        assert perceptron(X, [-1]).X[0].tolist() == given


def test_prediction_asks_for_as_many_columns_as_it_was_taught():
    with pytest.raises(ValueError, match="have 2 columns"):
        perceptron(**GOOD).predict([[1.0]])


def test_public_names():
    assert isinstance(perceptron(**GOOD), Run)
