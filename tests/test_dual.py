"""The dual form is the same run; kernels are inner products; broken duals are found out."""

import itertools
import warnings
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perceptron_lib import KernelRun, Run, claims, kernel_perceptron, kernels, perceptron, separate
from perceptron_lib.embedding import longest, with_bias
from perceptron_lib.examples import digits, five_points, iris, rings, separable, xor
from tests.reference import TIES, near_ties, perceptron_in_fractions, red, refusals, tables


@pytest.mark.usefixtures("each_way")
@pytest.mark.parametrize("tie", TIES)
@settings(max_examples=80)
@given(tables(st.integers(-6, 6)), st.sampled_from(["none", "one", "longest"]), st.booleans())
def test_primal_and_dual_make_the_same_updates(tie, examples, bias, backwards):
    X, y = examples
    if bias != "none" and X.any():
        X = with_bias(X, 1 if bias == "one" else longest(X))
    order = list(range(len(y)))[::-1] if backwards else None
    primal = perceptron(X, y, tie, order=order, max_passes=12)
    dual = kernel_perceptron(kernels.linear(X, X), y, tie, order=order, max_passes=12)
    for made, right in ((dual.updates, primal.updates), (dual.steps, primal.steps)):
        assert made.tolist() == right.tolist()
    assert (dual.outcome, dual.passes) == (primal.outcome, primal.passes)
    if primal.outcome == "cycled":
        assert dual.certificate.tolist() == primal.certificate.tolist()
    assert claims.dual(primal).holds


POWERS = st.lists(st.integers(-500, 500), min_size=9, max_size=9)


def in_fractions(K, y, tie, max_passes):
    return perceptron_in_fractions(K, y, tie, max_passes=max_passes, gram=True)[0]


def gram_run(X, y, tie, max_passes):
    """A Gram matrix that is symmetric, but rounded; and the run on it."""
    K = X @ X.T
    K = K / 2 + K.T / 2
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return K, kernel_perceptron(K, y, tie, max_passes=max_passes)


@pytest.mark.usefixtures("each_way")
@settings(max_examples=120)
@given(near_ties(), st.sampled_from(TIES), st.sampled_from([0, 0, 0, 480, -510, -530]), POWERS)
def test_updates_are_exact_for_gram_matrices_that_round(examples, tie, power, powers):
    X, y = examples
    if power:  # large, tiny, or of all sizes
        X = np.ldexp(X, power)
    elif min(powers) < 0 < max(powers):
        X = np.ldexp(X, (np.array(powers[: len(y)]) // 2)[:, None])
    K, run = gram_run(X, y, tie, 8)
    assert run.updates.tolist() == in_fractions(K, y, tie, run.passes)


def products_of_two(X):
    """All products of two entries of (x, 1): the mixed ones occur twice, so no √2 is needed."""
    return np.array([np.outer(x, x).ravel() for x in with_bias(X)])


def test_a_kernel_is_an_inner_product_of_features():
    X, y, _ = xor()
    K, features = kernels.polynomial(X, X, 2), products_of_two(X)
    assert (features @ features.T == K).all()
    for order in itertools.permutations(range(4)):  # with many exact ties in each
        dual, primal = kernel_perceptron(K, y, order=order), perceptron(features, y, order=order)
        assert dual.outcome == "converged" and (dual.predict(K) == y).all()
        assert dual.updates.tolist() == primal.updates.tolist()


def test_features_are_made_of_a_gram_matrix_alone():
    X, _, _ = rings()
    for K in (kernels.gaussian(X, X, 0.3), kernels.polynomial(X, X, 3), X @ X.T):
        features = kernels.features(K)
        assert np.abs(features @ features.T - K).max() < 1e-12 * len(K) * np.abs(K).max()


@pytest.mark.usefixtures("each_way")
def test_rounding_is_not_taken_for_exact():
    X = np.array([[-0.9], [-0.3]])
    assert kernel_perceptron(X @ X.T, [-1, 1], max_passes=12).outcome == "stopped"
    tiny = [[7.291122019556398e-304, 1.4582244039112796e-304],
            [1.4582244039112796e-304, 2.91644880782256e-305]]  # fmt: skip
    run = kernel_perceptron(tiny, [-1, 1], max_passes=12)
    assert run.updates.tolist() == in_fractions(tiny, [-1, 1], "mistake", run.passes)


@settings(max_examples=60)
@given(near_ties(), st.sampled_from(TIES))
def test_predictions_of_a_converged_dual_run_are_right(examples, tie):
    X, y = examples
    K, run = gram_run(X, y, tie, 40)
    assert run.outcome != "converged" or run.predict(K).tolist() == list(y)


def test_small_facts_about_kernels():
    assert kernels.linear([[1]], [[1]], -3) == -2
    assert kernels.gaussian([[0.0]], [[1.0]])[0, 0] == np.exp(-0.5)
    assert abs(kernels.gaussian([[1e8]], [[1e8 + 1]])[0, 0] - np.exp(-0.5)) < 1e-9
    assert kernel_perceptron([[1.0]], [1], tie="negative").predict([[0.0]]).tolist() == [-1]
    K = np.array([[1.0, 0.5], [np.nextafter(0.5, 1), 1.0]])
    run = kernel_perceptron(K, [1, 1])
    assert (run.X == run.X.T).all()


def test_rings_and_new_points():
    X, y, _ = rings()
    K = kernels.gaussian(X, X, 0.3)
    run = kernel_perceptron(K, y)
    assert isinstance(run, KernelRun) and run.outcome == "converged"
    new, labels, _ = rings(40, seed=9)
    assert (run.predict(kernels.gaussian(new, X, 0.3)) == labels).mean() > 0.9
    all_scores = run.all_scores(K)
    assert all_scores.shape == (60, run.mistakes + 1) and not all_scores[:, 0].any()
    assert np.abs(all_scores[:, -1] - run.scores(K)).max() < 1e-12


def test_real_data_and_the_bias_rule_with_r_squared():
    X, y, _ = separable(40, 3, 0.05, seed=3)
    dual = kernel_perceptron(kernels.linear(X, X, (longest(X) ** 2).sum()), y)
    assert dual.updates.tolist() == perceptron(with_bias(X, longest(X)), y).updates.tolist()
    X, y, _ = iris()
    assert claims.dual(perceptron(X, y)).holds
    X, y, _ = digits((3,))
    X, y = X[:300], y[:300]
    assert kernel_perceptron(X @ X.T, y).updates.tolist() == perceptron(X, y).updates.tolist()


# --- D1 to D4 can fail -----------------------------------------------------------------------

FIVE = five_points()
TRUE = perceptron(FIVE.X, FIVE.y)


def test_true_runs_are_green_and_the_bound_is_there():
    proof = claims.dual(TRUE, FIVE.u)
    assert proof.holds and proof["D2b"].rhs[0] == 10 and proof["D4"].checked == 2
    assert proof["D3"].lhs == [1, 0, 1, 0, 1] and proof["D2b"].lhs == [1, 2, 3, 4]


W = TRUE.weights
BROKEN = {
    # what is broken: updates, weights, whether it says it is done; exactly the claims that turn red
    "nothing": ([0, 4, 2, 4], W, False, ""),
    "the last weights": ([0, 4, 2, 4], [*W[:-1], W[-1] + [0, 1]], False, "D1a"),
    "the last update, by another example": ([0, 4, 2, 3], W, False, "D1a D1b D3 D4"),
    "the end, which it did not reach": ([0, 4], W[:3], True, "D1b D2a D3 D4"),
    "does nothing": ([], W[:1], True, "D1b D2a D3 D4"),
    "adds example 1, which was right": ([0, 1], [W[0], W[1], W[1] + FIVE.X[1]], False, "D1b D3 D4"),
}


@pytest.mark.parametrize("broken", BROKEN)
def test_each_way_to_break_it_turns_the_right_claims_red(broken):
    updates, weights, finished, expected = BROKEN[broken]
    assert red(claims.dual(Run.recorded(*FIVE[:2], updates, weights, finished))) == expected


# --- the mistake bound in feature space ------------------------------------------------------


def test_the_kernel_bound_is_the_mistake_bound_of_the_features():
    X, y, _ = xor()
    K, features = kernels.polynomial(X, X), products_of_two(X)
    best = separate(features, y)
    there = claims.kernel_bound(kernel_perceptron(K, y), best.multipliers)
    written_out = claims.mistake_bound(perceptron(features, y), best.u)
    assert there.holds and there["P5"].rhs[0] == best.bound() == 105 and there["P5"].checked == 21
    for here, other in zip(there, written_out, strict=True):
        assert (here.row, here.tight, here.first) == (other.row, other.tight, other.first)
        assert here.lhs == other.lhs or here.row[:2] in ("P0", "P1", "P3", "P4", "P5")  # u's length


@settings(max_examples=60)
@given(tables(st.integers(-6, 6)), st.sampled_from(TIES), st.integers(-3, 0))
def test_in_the_space_of_the_examples_it_is_the_bound_known_already(examples, tie, power):
    X, y = examples
    primal = perceptron(X, y, tie, max_passes=40)
    if primal.outcome != "converged" or (primal.Z @ primal.w <= 0).any():
        return
    dual = kernel_perceptron(np.ldexp(X @ X.T, power), y, tie)
    there, here = claims.kernel_bound(dual, primal.alpha), claims.mistake_bound(primal, primal.w)
    assert there.holds and there["P5"].rhs == here["P5"].rhs
    assert [v / 2**-power for v in here["P2"].lhs] == there["P2"].lhs
    assert [v / 2**-power for v in here["P1"].lhs] == there["P1"].lhs


def test_rings_keep_their_bound_and_a_forged_run_is_found_out():
    X, y, _ = rings()
    run = kernel_perceptron(kernels.gaussian(X, X, 0.3), y)
    proof = claims.kernel_bound(run, separate(kernels.features(run.X), y).multipliers)
    assert proof.holds and int(proof["P5"].rhs[0]) == 20 and proof["P5"].checked == 8
    forged = replace(run, updates=np.append(run.updates[:-1], run.updates[0]))
    assert red(claims.kernel_bound(forged, run.alpha)) == "A2b P2b P2 P3c"


@pytest.mark.filterwarnings("ignore:K is not positive")
def test_without_a_feature_space_cauchy_schwarz_fails_and_so_does_the_bound():
    run = kernel_perceptron([[1, 2], [2, 1]], [1, -1], max_passes=50)
    proof = claims.kernel_bound(run, [-1, -1])
    assert run.mistakes == 100 and red(proof) == "P4 P5b P5"
    assert proof["P2"].lhs[:4] == [1, -2, -3, -8] and "t = 1 " in proof["P4"].failure


# --- bad input -------------------------------------------------------------------------------


EYE_RUN = kernel_perceptron(np.eye(2), [1, -1])
test_bad_input_gets_one_clear_sentence = refusals({
    "must be square": [(kernel_perceptron, [[1, 2]], [1])],
    r"K\[0, 1\] and K\[1, 0\] differ": [(kernel_perceptron, [[1, 2], [3, 4]], [1, 1])],
    "must be symmetric": [
        (kernel_perceptron, [[1e13, 3], [4, 1e13]], [1, 1]),
        (kernel_perceptron, [[1, 0.5], [0.55, 1]], [1, 1])],
    "2 columns": [(EYE_RUN.all_scores, [[1.0]]), (EYE_RUN.predict, [[1.0]])],
    r"width must be a number above 0 \(and of middling size\)": [
        (kernels.gaussian, [[1]], [[1]], width) for width in (0, 10**400, 1e-300)],
    "known order": [
        (claims.dual, perceptron(*xor()[:2], order=np.random.default_rng(0), max_passes=2))],
    "no weights in feature space": [
        (getattr, EYE_RUN, name) for name in ("w", "weights", "exact_weights")],
    "degree must be a whole number from 1": [(kernels.polynomial, [[1]], [[1]], 10**9)],
    "same columns": [(kernels.linear, [[1]], [[1, 2]])],
    "starts at 0": [(claims.dual, perceptron([[1]], [1], start=[1]))],
    "a KernelRun, as": [(claims.kernel_bound, TRUE, [1, 1])],
    "beta must make a separator": [(claims.kernel_bound, EYE_RUN, [1, -1])],
    "more than 53 bits": [(claims.dual, perceptron([[1 + 2**-40]], [1]))],
})  # fmt: skip


def test_a_matrix_that_is_no_gram_matrix_gets_a_warning():
    for scale in (1.0, 1e-12):
        with pytest.warns(UserWarning, match="smallest eigenvalue -1"):
            kernel_perceptron(scale * np.array([[0.0, 1.0], [1.0, 0.0]]), [1, -1], max_passes=3)
    with pytest.warns(UserWarning, match="smallest eigenvalue -1"):
        kernel_perceptron(np.diag([1e9, -1.0]), [1, -1], max_passes=3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        X, y, _ = rings()
        kernel_perceptron(kernels.gaussian(X, X, 5.0), y, max_passes=3)
