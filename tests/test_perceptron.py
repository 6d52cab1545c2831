"""A run is the list of its updates, and the updates are those of exact arithmetic."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perceptron_lib import examples, perceptron, with_bias
from perceptron_lib.examples import odd_max_bit, separable, worst_case, xor
from tests import reference
from tests.reference import TIES, dot, exact_run, exactly, near_ties, tables

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
    run = exact_run(X, y, tie, start=start, order=order, max_passes=12)
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
    exact_run(X, y, TIES[seed % 3], max_passes=6)


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
GRID = np.array([[1.0, 0], [1, 1], [0, -1]]) * 2.0**1023


@both
@pytest.mark.parametrize(("X", "start"), [(GRID, GRID[0]), (HUGE, None), (HUGE, [-0.1, 0])])
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


def test_it_says_what_happened():
    one = repr(perceptron([[1.0]], [1]))
    assert one == "Run: 1 mistake in 2 passes over 1 example, converged"
    assert "never converge" in repr(perceptron(*xor()[:2]))
    assert "stopped before" in repr(perceptron(*odd_max_bit(4)[:2], max_passes=2))


# --- how a run ends --------------------------------------------------------------------------

LINE = with_bias([[-1.0], [0.0], [1.0]])


CYCLES = [
    (xor().X, xor().y, [1, 1, 1, 1]), (with_bias(xor().X), xor().y, [1, 1, 1, 1]),
    (with_bias(xor().X * 0.1, 0.3), xor().y, None),  # off the grid
    (LINE, [-1, 1, -1], None), ([[0.0, 0.0], [1.0, 0.0]], [1, 1], [1, 0]),  # 0 is never right
]  # fmt: skip


@both
@pytest.mark.parametrize(("X", "y", "counts"), CYCLES)
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


@both
def test_every_way_ends_at_the_same_pass_with_the_same_weights():
    ends = [reference.ends_rightly(*problem) for problem in reference.small_problems(40)]
    assert {outcome for outcome, _ in ends} == {"cycled", "converged", "stopped"}
    assert sum(outcome == "cycled" and passes > 4 for outcome, passes in ends) > 4


@both
@pytest.mark.filterwarnings("error")
def test_a_huge_start_overflows_nowhere():
    exact_run([[1.0, 2.0], [2.0, -1.0]], [1, -1], start=[1e300, -1e300], max_passes=3)


@both
def test_orders():
    """A seeded generator reshuffles each pass and can be repeated; a permutation is the same as
    permuted data."""
    X, y, _ = separable(50, 4, 0.02, seed=2)
    one, two = (perceptron(X, y, order=np.random.default_rng(7)) for _ in range(2))
    assert one.updates.tolist() == two.updates.tolist()
    assert one.outcome == "converged" and (one.predict(X) == y).all()
    bits = np.random.default_rng(7).bit_generator
    right = reference.perceptron_in_fractions(X, y, order=lambda: examples.shuffled(50, bits))
    assert (one.updates.tolist(), one.passes) == right and one.passes > 3
    order = np.random.default_rng(1).permutation(50)
    moved, plain = perceptron(X, y, order=order), perceptron(X[order], y[order])
    assert order[plain.updates].tolist() == moved.updates.tolist()


# --- the ledger's figures --------------------------------------------------------------------


def test_a4_a_score_moves_by_its_square_and_a6_the_step_size_only_rescales():
    X, y, _ = separable(40, 3, 0.05, seed=1)
    run = perceptron(X, y)
    for i, w, w_next in zip(run.updates, run.weights, run.weights[1:], strict=False):
        assert X[i] @ w_next - X[i] @ w == y[i] * (X[i] @ X[i])
    for eta in (0.25, 8):
        scaled = perceptron(eta * X, y)
        assert scaled.updates.tolist() == run.updates.tolist()
        assert (scaled.w == eta * run.w).all()


@both
def test_p10_and_p11_mistakes_of_unit_vectors_and_of_odd_max_bit():
    assert [perceptron(*worst_case(n)[:2]).mistakes for n in (1, 5, 64)] == [1, 5, 64]
    mistakes = [perceptron(*odd_max_bit(n)[:2], max_passes=9999).mistakes for n in range(2, 11)]
    assert mistakes == [11, 25, 55, 123, 289, 727, 1839, 4707, 12141]


def test_a_tiny_example_beside_an_ordinary_start_is_no_mistake():
    assert perceptron([[5e-324]], [1], start=[0.5]).mistakes == 0
    assert perceptron([[2.0**-1000]], [1], start=[2.0**-90]).mistakes == 0
