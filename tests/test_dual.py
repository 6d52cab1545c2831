"""The dual form is the same run; kernels are inner products; what is no kernel is found out."""

import itertools
import warnings
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perceptron_lib import claims, examples, longest, perceptron, separate, with_bias, xor
from perceptron_lib.lessons import kernels
from perceptron_lib.lessons.kernels import kernel_perceptron, rings
from tests.reference import TIES, near_ties, perceptron_in_fractions, red, refusals, tables


@pytest.mark.usefixtures("each_way")
@pytest.mark.parametrize("tie", TIES)
@settings(max_examples=80)
@given(tables(st.integers(-6, 6)), st.sampled_from(["none", "one", "longest"]), st.booleans())
def test_primal_and_dual_make_the_same_updates(tie, data, bias, backwards):
    X, y = data
    if bias != "none" and X.any():
        X = with_bias(X, 1 if bias == "one" else longest(X))
    order = list(range(len(y)))[::-1] if backwards else None
    primal = perceptron(X, y, tie, order=order, max_passes=12)
    dual = kernel_perceptron(kernels.linear(X, X), y, tie, order=order, max_passes=12)
    assert dual.updates.tolist() == primal.updates.tolist()
    assert dual.steps.tolist() == primal.steps.tolist()
    assert (dual.outcome, dual.passes) == (primal.outcome, primal.passes)
    if primal.outcome == "cycled":
        assert dual.certificate.tolist() == primal.certificate.tolist()


POWERS = st.lists(st.integers(-500, 500), min_size=9, max_size=9)


def exact_run(K, y, tie, max_passes):
    """The run on a Gram matrix, which must make the updates of exact arithmetic."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        run = kernel_perceptron(K, y, tie, max_passes=max_passes)
    exact = perceptron_in_fractions(K, y, tie, max_passes=run.passes, gram=True)[0]
    assert run.updates.tolist() == exact
    return run


@pytest.mark.usefixtures("each_way")
@settings(max_examples=120)
@given(near_ties(), st.sampled_from(TIES), st.sampled_from([0, 0, 0, 480, -510, -530]), POWERS)
def test_updates_are_exact_for_gram_matrices_that_round(data, tie, power, powers):
    X, y = data
    if power:  # large, tiny, or of all sizes
        X = np.ldexp(X, power)
    elif min(powers) < 0 < max(powers):
        X = np.ldexp(X, (np.array(powers[: len(y)]) // 2)[:, None])
    K = X @ X.T
    K = K / 2 + K.T / 2  # symmetric, but rounded
    run = exact_run(K, y, tie, 8)
    assert run.outcome != "converged" or run.predict(K).tolist() == list(y)


def test_a_kernel_is_an_inner_product_of_features():
    """All products of two entries of (x, 1): the mixed ones occur twice, so no √2 is needed."""
    X, y, _ = xor()
    K, features = kernels.polynomial(X, X), np.array([np.outer(x, x).ravel() for x in with_bias(X)])
    assert (features @ features.T == K).all()
    best = separate(features, y)
    for order in itertools.permutations(range(4)):  # with many exact ties in each
        dual, primal = kernel_perceptron(K, y, order=order), perceptron(features, y, order=order)
        assert dual.outcome == "converged" and (dual.predict(K) == y).all()
        assert dual.updates.tolist() == primal.updates.tolist()
        there = kernels.kernel_bound(dual, best.multipliers)
        assert there.holds and there["P5"].rhs[0] == best.bound() == 105
        for claim, other in zip(there, claims.mistake_bound(primal, best.u), strict=True):
            assert (claim.row, claim.tight, claim.first) == (other.row, other.tight, other.first)


@pytest.mark.usefixtures("each_way")
def test_rounding_is_not_taken_for_exact():
    X = np.array([[-0.9], [-0.3]])
    assert kernel_perceptron(X @ X.T, [-1, 1], max_passes=12).outcome == "stopped"
    tiny = [[7.291122019556398e-304, 1.4582244039112796e-304],
            [1.4582244039112796e-304, 2.91644880782256e-305]]  # fmt: skip
    exact_run(tiny, [-1, 1], "mistake", 12)


def test_small_facts_about_kernels():
    assert kernels.gaussian([[0.0]], [[1.0]])[0, 0] == np.exp(-0.5)
    assert abs(kernels.gaussian([[1e8]], [[1e8 + 1]])[0, 0] - np.exp(-0.5)) < 1e-9
    assert kernel_perceptron([[1.0]], [1], tie="negative").predict([[0.0]]).tolist() == [-1]
    run = kernel_perceptron([[1.0, 0.5], [np.nextafter(0.5, 1), 1.0]], [1, 1])
    assert (run.X == run.X.T).all()


def test_real_data_and_the_bias_rule_with_r_squared():
    X, y, _ = examples.separable(40, 3, 0.05, seed=3)
    dual = kernel_perceptron(kernels.linear(X, X) + (longest(X) ** 2).sum(), y)
    assert dual.updates.tolist() == perceptron(with_bias(X, longest(X)), y).updates.tolist()


@settings(max_examples=60)
@given(tables(st.integers(-6, 6)), st.sampled_from(TIES), st.integers(-3, 0))
def test_in_the_space_of_the_examples_it_is_the_bound_known_already(data, tie, power):
    X, y = data
    primal = perceptron(X, y, tie, max_passes=40)
    if primal.outcome != "converged" or (primal.Z @ primal.w <= 0).any():
        return
    dual = kernel_perceptron(np.ldexp(X @ X.T, power), y, tie)
    there, here = kernels.kernel_bound(dual, primal.alpha), claims.mistake_bound(primal, primal.w)
    assert there.holds and there["P5"].rhs == here["P5"].rhs
    assert [v / 2**-power for v in here["P2"].lhs] == there["P2"].lhs
    assert [v / 2**-power for v in here["P1"].lhs] == there["P1"].lhs


@pytest.mark.filterwarnings("error")
def test_rings_keep_their_bound_and_a_forged_run_is_found_out():
    (X, y, _), (new, labels, _) = rings(), rings(40, seed=9)
    K = kernels.gaussian(X, X, 0.3)
    run = kernel_perceptron(K, y)
    assert run.outcome == "converged"
    assert (run.predict(kernels.gaussian(new, X, 0.3)) == labels).mean() > 0.9
    all_scores = run.all_scores(K)
    assert all_scores.shape == (60, run.mistakes + 1) and not all_scores[:, 0].any()
    assert np.abs(all_scores[:, -1] - run.scores(K)).max() < 1e-12
    kernel_perceptron(kernels.gaussian(X, X, 5.0), y, max_passes=3)  # nearly singular: no warning
    proof = kernels.kernel_bound(run, run.alpha)
    assert proof.holds and int(proof["P5"].rhs[0]) == 630 and proof["P5"].checked == 8
    forged = replace(run, updates=np.append(run.updates[:-1], run.updates[0]))
    assert red(kernels.kernel_bound(forged, run.alpha)) == "A2b P2b P2 P3c"


@pytest.mark.filterwarnings("ignore:K is not positive")
def test_without_a_feature_space_cauchy_schwarz_fails_and_so_does_the_bound():
    run = kernel_perceptron([[1, 2], [2, 1]], [1, -1], max_passes=50)
    proof = kernels.kernel_bound(run, [-1, -1])
    assert run.mistakes == 100 and red(proof) == "P4 P5b P5"
    assert proof["P2"].lhs[:4] == [1, -2, -3, -8] and "t = 1 " in proof["P4"].failure


EYE_RUN = kernel_perceptron(np.eye(2), [1, -1])
test_bad_input_gets_one_clear_sentence = refusals({
    "must be square": [(kernel_perceptron, [[1, 2]], [1])],
    r"must be symmetric; K\[0, 1\] and K\[1, 0\] differ": [
        (kernel_perceptron, K, [1, 1])
        for K in ([[1, 2], [3, 4]], [[1e13, 3], [4, 1e13]], [[1, 0.5], [0.55, 1]])],
    "2 columns": [(EYE_RUN.all_scores, [[1.0]]), (EYE_RUN.predict, [[1.0]])],
    r"width must be a number above 0 \(and of mid": [(kernels.gaussian, [[1]], [[1]], 1e-300)],
    "no weights in feature space": [(getattr, EYE_RUN, w) for w in ("w", "weights", "exact_w")],
    "same columns": [(kernels.linear, [[1]], [[1, 2]])],
    "beta must make a separator": [(kernels.kernel_bound, EYE_RUN, b) for b in ([1, -1], [0, 0])],
})  # fmt: skip


@pytest.mark.parametrize("K", [[[0, 1], [1, 0]], [[0, 1e-12], [1e-12, 0]], np.diag([1e9, -1.0])])
def test_a_matrix_that_is_no_gram_matrix_gets_a_warning(K):
    with pytest.warns(UserWarning, match="smallest eigenvalue -1"):
        kernel_perceptron(K, [1, -1], max_passes=3)
