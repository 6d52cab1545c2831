"""More than two answers: against brute force and plain loops, and the bound with what breaks it."""

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import perceptron_lib as lib
from perceptron_lib import averages, claims
from perceptron_lib.lessons import structured
from perceptron_lib.lessons.structured import Answers, Chain, Classes
from tests.reference import dot, exactly, perceptron_in_fractions, refusals, tables


def total(path, scores, moves):
    steps = sum(moves[a][b] for a, b in pairwise(path))
    return sum(row[k] for row, k in zip(scores, path, strict=True)) + steps


def every_path(T, K):
    return list(product(range(K), repeat=T))


def features(x, path, K):
    """φ(x, y), in fractions, written out from the definition: a block for each label."""
    d, blocks = len(x[0]), [[Fraction(0)] * (len(x[0]) + K) for _ in range(K)]
    for place, k in zip(exactly(x), path, strict=True):
        blocks[k][:d] = [a + b for a, b in zip(blocks[k], place, strict=False)]
    for k, after in pairwise(path):
        blocks[k][d + after] += 1
    return np.array(blocks).ravel()


def differences(X, y, K):
    """φ(x, y*) - φ(x, y) for all wrong answers."""
    pairs = [(x, tuple(right), p) for x, right in zip(X, y, strict=True)
             for p in every_path(len(x), K) if p != tuple(right)]  # fmt: skip
    return np.array([features(x, right, K) - features(x, p, K) for x, right, p in pairs])


# Readings of a few days: a reading of 0 says nothing, but the weather seldom changes.
DAYS, WEATHER, SKY = [[[1], [0], [1], [-1]], [[-1], [0], [0], [1]]], ["SSSR", "RRRS"], Chain("SR")
DAYS_Z = differences(DAYS, [(0, 0, 0, 1), (1, 1, 1, 0)], 2)
RUN = structured.perceptron(DAYS, WEATHER, SKY)
U = lib.separate(DAYS_Z.astype(float), np.ones(len(DAYS_Z))).u


@pytest.mark.parametrize("T, K", [(1, 2), (1, 4), (2, 3), (3, 3), (4, 2), (5, 2), (3, 4)])
def test_viterbi_finds_the_first_of_the_best_of_all_paths(T, K):
    rng, tied = np.random.default_rng(T + 10 * K), 0
    for unit in (1, 0.1) * 30:  # whole numbers tie, decimals round
        scores, moves = rng.integers(-2, 3, (T, K)) * unit, rng.integers(-2, 3, (K, K)) * unit
        sums = {p: total(p, exactly(scores), exactly(moves)) for p in every_path(T, K)}
        best = [p for p in sums if sums[p] == max(sums.values())]
        assert structured.viterbi(scores, moves) == best[0]  # `product` goes as a dictionary does
        tied += len(best) > 1
    assert tied > 5 or K ** T <= 4


def in_fractions(X, y, K, passes):
    """In fractions, trying all answers: the weights, the sum of those in use, mistakes, answers."""
    tried = [{p: features(x, p, K) for p in every_path(len(x), K)} for x in X]
    w, used, mistakes = 0 * tried[0][tuple(y[0])], 0, []
    for i, every in list(enumerate(tried)) * passes:
        used = used + w
        guess = max(every, key=lambda p, every=every: dot(w, every[p]))  # the first of the best
        if guess != tuple(y[i]):
            w = w + every[tuple(y[i])] - every[guess]
            mistakes.append((i, guess))
    return w, used, mistakes, [max(every, key=lambda p: dot(w, every[p])) for every in tried]


WILD, DYADIC = [0.1, -0.3, 2.0, 1e17, -1.0, 0.0, 3e-9], [0.5, -3.0, 2.0**40, -0.25, 0.0]


@settings(max_examples=40)
@given(tables(st.sampled_from(WILD), max_n=6), st.data())
def test_the_run_of_classes_is_that_of_fractions(data, more):
    X, K = data[0], 3
    y = more.draw(st.lists(st.integers(0, K - 1), min_size=len(X), max_size=len(X)))
    run = structured.perceptron(X, y, Classes(range(K)), max_passes=20)
    w, _, mistakes, answers = in_fractions(X[:, None], np.array(y)[:, None], K, run.passes)
    assert [(i, (k,)) for i, k in (run.pairs[k] for k in run.updates)] == mistakes
    assert run.w.tolist() == w.reshape(K, -1)[:, :-K].ravel().astype(float).tolist()
    assert run.alpha.tolist() == [mistakes.count((i, (k,))) for i, k in run.pairs]
    assert [(k,) for k in run.predict(X)] == answers


@settings(max_examples=40)
@given(st.integers(1, 3), st.integers(1, 2), st.data())
def test_the_run_of_chains_is_that_of_fractions(T, d, more):
    sizes = st.lists(st.sampled_from(DYADIC), min_size=3 * T * d, max_size=3 * T * d)
    X = np.reshape(more.draw(sizes), (3, T, d))
    y = np.reshape(more.draw(st.permutations([0, 1] * 5))[: 3 * T], (3, T))
    run = structured.perceptron(X, y, Chain([0, 1]), max_passes=20)
    w, used, mistakes, answers = in_fractions(X, y, 2, run.passes)
    assert [run.pairs[k] for k in run.updates] == mistakes
    assert run.predict(X) == run.predict(X, run.w.tolist()) == answers
    assert averages.averaged_weights(run).tolist() == used.astype(float).tolist()
    assert run.w.tolist() == w.astype(float).tolist()


HALVES = (lambda x, y: y * np.array(x) / 2), (lambda x, y: np.hstack([x, -x] if y > 0 else [-x, x]))


@settings(max_examples=60)
@given(tables(st.sampled_from([0.1, -0.3, 2.0, -1.0, 0.0, 1.5]), max_n=6))
def test_two_answers_are_the_binary_perceptron_with_the_tie_rule_of_their_order(data):
    X, y = np.array(data[0]), data[1]
    for tie, answers in (("positive", [1, -1]), ("negative", [-1, 1])):
        updates, passes = perceptron_in_fractions(X, y, tie, max_passes=30)
        for model in (*(Answers(answers, phi) for phi in HALVES), Classes(answers)):
            run = structured.perceptron(X, y, model, max_passes=30)
            assert [run.pairs[k][0] for k in run.updates] == updates and run.passes == passes
            assert run.tie == "positive"
            assert run.y.tolist() == [y[i] * answers[0] for i, _ in run.pairs]


# --- the mistake bound -----------------------------------------------------------------------


@pytest.mark.parametrize("T, K, d", [(1, 2, 1), (2, 3, 2), (3, 2, 2), (4, 3, 1)])
def test_the_margin_is_that_of_all_wrong_answers(T, K, d):
    rng = np.random.default_rng(5)
    X, y = rng.integers(-3, 4, (3, T, d)) / 4, rng.integers(0, K, (3, T))
    u = [Fraction(int(v), 3) for v in rng.integers(-3, 4, K * (d + K))]
    Z = differences(X, y, K)
    assert structured.least_score(X, y, Chain(range(K)), u) == min(Z @ u)
    if T == 1:
        blocks = np.reshape(u, (K, -1))[:, :d].ravel()  # without the moves
        assert structured.least_score(X[:, 0], y[:, 0], Classes(range(K)), blocks) == min(Z @ u)


@pytest.mark.parametrize("scale", [2.0**58, 2.0**60, 2.0**61])
def test_sums_of_large_numbers_do_not_overflow(scale):
    rng = np.random.default_rng(7)
    X, y = rng.integers(-1, 2, (4, 5, 2)) * scale, rng.integers(0, 2, (4, 5))
    X[0], y[0] = scale, 1  # the sum of this row has more than 63 bits
    run = structured.perceptron(X, y, Chain([0, 1]), max_passes=9)
    w, _, mistakes, answers = in_fractions(X, y, 2, run.passes)
    assert [run.pairs[k] for k in run.updates] == mistakes and run.predict(X) == answers
    least = structured.least_score(X, y, Chain([0, 1]), w.tolist())
    assert run.mistakes > 3 and least == min(differences(X, y, 2) @ w)


def test_a_pair_left_wrong_at_the_end_would_be_found():
    """A converged run leaves none of its pairs wrong; one that only claims so is found out."""
    cut = replace(RUN, updates=RUN.updates[:-1], steps=RUN.steps[:-1])
    assert claims.mistake_bound(RUN, U)["A2b"].holds
    assert not claims.mistake_bound(cut, U)["A2b"].holds


def test_inseparable_answers_stop_at_the_last_pass():
    run = structured.perceptron([[1], [1]], ["a", "b"], Classes("ab"), max_passes=7)
    assert repr(run) == "Run: 13 mistakes in 7 passes over 2 examples, stopped before it converged"


def test_a_run_without_a_mistake_has_nothing_to_check():
    run = structured.perceptron([[1], [2]], ["a", "a"], Classes("ab"))
    assert run.mistakes == 0 and run.Z.shape == (0, 2) and run.outcome == "converged"
    with pytest.raises(ValueError, match="run must have made a mistake"):
        claims.mistake_bound(run, [1, -1])


# --- rows of digits --------------------------------------------------------------------------


def test_rows_follow_the_chain_and_held_out_images_are_others():
    X, y, _ = structured.ten_digits()
    shows = {tuple(x): int(digit) for x, digit in zip(X / 16, y, strict=True)}
    first = {tuple(x) for x in X[:900] / 16}
    for held_out in (False, True):
        rows = structured.digit_rows(40, 6, held_out, seed=4)
        assert rows.X.shape == (40, 6, 64) and set((np.diff(rows.y) % 10).flat) == {0, 1, 2}
        images = [tuple(x) for x in rows.X.reshape(-1, 64)]
        assert [shows[x] for x in images] == rows.y.ravel().tolist()
        assert {x in first for x in images} == {not held_out}


# --- input -----------------------------------------------------------------------------------


A_LIST = "must be a list with one entry or more"
test_bad_input_gets_one_sentence = refusals({
    "y must have answers among 'S', 'R'; example 1 has 'X'": [(DAYS, ["SSSR", "RRXS"], SKY)],
    "y must have answers among 0, 1, .*, 9, …; example 1 has 12": [
        ([[1], [2]], [3, 12], Classes(range(11)))],
    r"X\[1\] must be a table": [([[[1]], []], "SR", SKY)],
    r"X\[1\] must be finite": [([[[1]], [[np.nan]]], "SR", SKY)],
    r"y\[0\] must be one label for each of the 4 places": [(DAYS, ["SSS", "RRRS"], SKY)],
    f"X {A_LIST}": [([], [], SKY), (None, [], SKY), ({1, 2}, [], SKY)],
    f"y {A_LIST}": [([[1]], 3, Classes("ab"))],
    "y must be one answer for each of the 1 examples; got 2": [([[1]], "ab", Classes("ab"))],
    r"features\(x, y\) must be a table": [([1], [0], Answers([0, 1], lambda *_: 1))],
    "model must be a model, such as ": [([[1]], "a", "model")],
    "X must have fewer digits: floats cannot hold": [([[[0.1], [0.7]]], ["SS"], Chain("RS"))],
    "w must be 2 finite numbers": [
        lambda: structured.perceptron([[1], [2]], "aa", Classes("ab")).predict([[1]], [1])],
    r"moves must have shape \(2, 2\), a row and": [lambda: structured.viterbi([[1, 2]], [[1]])],
}, lambda call: call() if callable(call) else structured.perceptron(*call))  # fmt: skip
