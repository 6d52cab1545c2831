"""More than two answers: against brute force and plain loops, and the bound with what breaks it."""

from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import perceptron_lib as lib
from perceptron_lib import Run, claims, structured
from perceptron_lib.structured import Answers, Chain, Classes
from tests.reference import dot, exactly, perceptron_in_fractions, tables

# Readings of a few days: a reading of 0 says nothing, but the weather seldom changes.
DAYS, WEATHER = [[[1], [0], [1], [-1]], [[-1], [0], [0], [1]]], ["SSSR", "RRRS"]
SKY = Chain("SR")


def total(path, scores, moves):
    steps = sum(moves[a][b] for a, b in pairwise(path))
    return sum(row[k] for row, k in zip(scores, path, strict=True)) + steps


def every_path(T, K):
    return list(product(range(K), repeat=T))


def differences(X, y, model):
    """φ(x, y*) - φ(x, y) for all wrong answers, in fractions, written out from the definition."""
    rows = []
    for x, right in zip(X, y, strict=True):
        K, d = len(model), len(x[0])
        right = [model.answers.index(label) for label in right]

        def phi(path, x=x, K=K, d=d):
            blocks = [[Fraction(0)] * (d + K) for _ in range(K)]
            for place, k in zip(exactly(x), path, strict=True):
                blocks[k][:d] = [a + b for a, b in zip(blocks[k], place, strict=False)]
            for k, after in pairwise(path):
                blocks[k][d + after] += 1
            return [v for block in blocks for v in block]

        others = [path for path in every_path(len(x), K) if list(path) != right]
        rows += [[a - b for a, b in zip(phi(right), phi(p), strict=True)] for p in others]
    return rows


# --- the best path ---------------------------------------------------------------------------


@pytest.mark.parametrize("T, K", [(1, 2), (1, 4), (2, 3), (3, 3), (4, 2), (5, 2), (3, 4)])
def test_viterbi_finds_the_first_of_the_best_of_all_paths(T, K):
    rng = np.random.default_rng(T + 10 * K)
    tied = 0
    for trial in range(60):
        scale = 1 if trial % 2 else Fraction(1, 10)  # decimals round, whole numbers tie
        scores, moves = rng.integers(-2, 3, (T, K)), rng.integers(-2, 3, (K, K))
        scores, moves = (np.array(v * scale, dtype=float) for v in (scores, moves))
        path, (a, b) = structured.viterbi(scores, moves), (exactly(scores), exactly(moves))
        sums = {p: total(p, a, b) for p in every_path(T, K)}
        best = [p for p in sums if sums[p] == max(sums.values())]
        assert path == best[0]  # `product` goes through them as a dictionary does
        tied += len(best) > 1
    assert tied > 5 or K ** T <= 4


def test_the_runner_up_is_the_best_of_all_other_paths():
    rng = np.random.default_rng(3)
    for T, K in [(1, 2), (2, 2), (3, 3), (4, 2), (4, 3)]:
        model, x = Chain(range(K)), np.hstack([rng.integers(-2, 3, (T, 2)), np.ones((T, 1), int)])
        for right in every_path(T, K)[:: max(1, K**T // 9)]:
            w = rng.integers(-2, 3, K * (2 + K))
            scores, moves = model.scores(w, x)
            others = [total(p, scores, moves) for p in every_path(T, K) if p != right]
            assert model.runner_up(w, x, right) == max(others)


# --- the same run in other words -------------------------------------------------------------


def vector_a_class(X, y, K, passes):
    """The multiclass Perceptron with a vector of weights for each class, in fractions (S1)."""
    X, W, wrong = exactly(X), [[0] * len(X[0]) for _ in range(K)], []
    for _ in range(passes):
        for i, (x, right) in enumerate(zip(X, y, strict=True)):
            scores = [dot(row, x) for row in W]
            guess = scores.index(max(scores))
            if guess != right:
                W[right] = [a + b for a, b in zip(W[right], x, strict=True)]
                W[guess] = [a - b for a, b in zip(W[guess], x, strict=True)]
                wrong.append((i, guess))
    return W, wrong


@settings(max_examples=60)
@given(tables(st.sampled_from([0.1, -0.3, 2.0, 1e17, -1.0, 0.0, 3e-9]), max_n=6), st.data())
def test_blocks_are_a_vector_for_each_class(data, more):
    X, K = data[0], 3
    y = more.draw(st.lists(st.integers(0, K - 1), min_size=len(X), max_size=len(X)))
    run = structured.perceptron(X, y, Classes(range(K)), max_passes=20)
    W, wrong = vector_a_class(X, y, K, run.passes)
    assert [run.pairs[k] for k in run.updates] == wrong
    assert run.w.reshape(K, -1).tolist() == [[float(v) for v in row] for row in W]
    counts = [wrong.count(pair) for pair in run.pairs]
    assert run.alpha.tolist() == counts and len(set(run.pairs)) == len(run.pairs)
    scores = [[dot(row, x) for row in W] for x in exactly(X)]
    assert run.predict(X) == [row.index(max(row)) for row in scores]


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
            met = [i for i, _ in run.pairs]
            assert (run.tie, run.y.tolist()) == ("positive", [y[i] * answers[0] for i in met])
        if met:
            halves = structured.perceptron(X, y, Answers(answers, HALVES[0]), max_passes=30)
            assert np.array_equal(halves.Z, np.array(y)[met, None] * X[met])


def test_a_chain_of_one_place_makes_the_run_of_its_classes():
    X, y, _ = lib.ten_digits()
    X, y = X[:80], y[:80].astype(int)
    alone = structured.perceptron(X, y, Classes(range(10)))
    chain = structured.perceptron(X[:, None], y[:, None], Chain(range(10)))
    assert chain.updates.tolist() == alone.updates.tolist() and len(chain.updates) > 50
    assert [(i, row[0]) for i, row in chain.pairs] == alone.pairs


# --- the mistake bound -----------------------------------------------------------------------


def test_margin_and_radius_are_those_of_all_wrong_answers():
    rng = np.random.default_rng(5)
    for T, K, d in [(1, 2, 1), (2, 3, 2), (3, 2, 2), (4, 2, 1)]:
        model, X = Chain(range(K)), rng.integers(-3, 4, (3, T, d)) / 4
        y, u = rng.integers(0, K, (3, T)), rng.integers(-3, 4, K * (d + K))
        u = [Fraction(int(v), 3) for v in u]
        Z = differences(X, y, model)
        assert structured.least_score(X, y, model, u) == min(dot(z, u) for z in Z)
        assert structured.radius2(X, y, model) == max(dot(z, z) for z in Z)
    X, y = [[0.1, 2], [1, -3], [0.5, 0.5]], ["a", "c", "b"]
    Z = [[v if k == "abc".index(s) else -v if k == other else 0 for k in range(3) for v in x]
         for x, s in zip(exactly(X), y, strict=True) for other in range(3)
         if other != "abc".index(s)]  # fmt: skip
    u = [1, 2, -1, 0, Fraction(1, 7), 5]
    assert structured.least_score(X, y, Classes("abc"), u) == min(dot(z, u) for z in Z)
    assert structured.radius2(X, y, Classes("abc")) == max(dot(z, z) for z in Z)


def best_of_all(X, y, model):
    Z = np.array(differences(X, y, model), dtype=float)
    return lib.separate(Z, np.ones(len(Z))).u


def test_every_line_of_the_bound_holds_with_margin_and_radius_of_all_wrong_answers():
    run, u = structured.perceptron(DAYS, WEATHER, SKY), best_of_all(DAYS, WEATHER, SKY)
    assert run.outcome == "converged" and run.predict(DAYS) == [tuple(row) for row in WEATHER]
    assert run.mistakes == 7 and len(run.pairs) == 5 and run.alpha.tolist() == [1, 1, 2, 2, 1]
    gamma_u = structured.least_score(DAYS, WEATHER, SKY, u)
    R2 = structured.radius2(DAYS, WEATHER, SKY)
    proof = claims.mistake_bound(run, u, gamma_u, R2)
    assert proof.holds and proof["P5"].rhs[0] == R2 * dot(u, u) / gamma_u**2 == 168
    assert proof["P2b"].checked == 7
    with pytest.raises(ValueError, match="does not separate"):
        claims.mistake_bound(run, -u)
    assert not claims.mistake_bound(run, u, gamma_u * 2).holds  # P0: too large a margin is found
    assert not claims.mistake_bound(run, u, gamma_u, Fraction(1)).holds


def test_the_bound_holds_on_digits_and_on_rows_of_digits():
    digits, rows = lib.ten_digits(), lib.digit_rows(20, 4, seed=1)
    few = digits.X[:200], digits.y[:200], Classes(range(10))
    for X, y, model in (few, (rows.X, rows.y, Chain(range(10)))):
        run = structured.perceptron(X, y, model)
        assert run.outcome == "converged"
        gamma_u = structured.least_score(X, y, model, run.w)
        assert gamma_u > 0 and claims.mistake_bound(run, run.w, gamma_u).holds


def test_sums_of_large_numbers_do_not_overflow():
    rng = np.random.default_rng(7)
    for scale in (2.0**58, 2.0**60, 2.0**61):
        X, y = rng.integers(-1, 2, (4, 5, 2)) * scale, rng.integers(0, 2, (4, 5))
        X[0], y[0] = scale, 1  # the sum of this row has more than 63 bits
        run, model = structured.perceptron(X, y, Chain([0, 1]), max_passes=9), Chain([0, 1])
        assert run.mistakes > 3
        known = [differences(X[[i]], y[[i]], model) for i in range(4)]
        assert all(z in known[i] for z, (i, _) in zip(exactly(run.Z), run.pairs, strict=True))
        w = [sum(column) for column in zip(*exactly(run.Z[run.updates]), strict=True)]
        scores = [dot(z, w) for rows in known for z in rows]
        assert structured.least_score(X, y, model, w) == min(scores)


class Greedy(Chain):
    """Reads from left to right, and never thinks back: not the answer of the highest score."""

    def best(self, w, x):
        scores, moves = self.scores(w, x)
        path = [int(scores[0].argmax())]
        for row in scores[1:]:
            path.append(int((moves[path[-1]] + row).argmax()))
        return tuple(path)


def test_an_answer_that_is_not_the_best_breaks_the_line_that_needs_it():
    rows = lib.digit_rows(20, 4, seed=1)
    u = structured.perceptron(rows.X, rows.y, Chain(range(10))).w
    proof = claims.mistake_bound(structured.perceptron(rows.X, rows.y, Greedy(range(10))), u)
    assert not proof["P2b"].holds and proof["P1"].holds and proof["A2a"].holds


@pytest.mark.parametrize("keep, failed", [((1, 1), []), ((1, 0), ["A2a"]), ((2, 2), ["A2a"])])
def test_another_update_breaks_the_proof(keep, failed):
    """The same pairs, but only a part of the difference is added, or twice as much."""
    run, u = structured.perceptron(DAYS, WEATHER, SKY), best_of_all(DAYS, WEATHER, SKY)
    parts = [[SKY.phi(run.examples[i], SKY.numbered(answer, run.examples[i], i))
              for answer in (WEATHER[i], wrong)] for i, wrong in run.pairs]  # fmt: skip
    steps = [keep[0] * parts[k][0] - keep[1] * parts[k][1] for k in run.updates]
    weights = np.vstack([run.start, np.cumsum(steps, axis=0)])
    other = Run.recorded(run.Z, np.ones(len(run.Z)), run.updates, weights)
    found = claims.mistake_bound(other, u)
    rows = [row.row for row in found if row.row != "A2b" and not row.holds]  # (no order is known)
    assert rows[:1] == failed


def test_a_pair_left_wrong_at_the_end_would_be_found():
    """A converged run leaves none of its pairs wrong; one that only claims so is found out."""
    run = structured.perceptron(DAYS, WEATHER, SKY)
    u, short = best_of_all(DAYS, WEATHER, SKY), run.updates[:-1]
    cut = structured.StructuredRun(
        run.X, run.y, run.start, run.tie, run.order, short, run.steps[:-1], run.passes, "converged")
    assert claims.mistake_bound(run, u)["A2b"].holds
    assert not claims.mistake_bound(cut, u)["A2b"].holds


def test_inseparable_answers_stop_at_the_last_pass():
    run = structured.perceptron([[1], [1]], ["a", "b"], Classes("ab"), max_passes=7)
    assert (run.outcome, run.passes, run.mistakes) == ("stopped", 7, 13)
    assert repr(run) == "Run: 13 mistakes in 7 passes over 2 examples, stopped before it converged"


def test_a_run_without_a_mistake_has_nothing_to_check():
    run = structured.perceptron([[1], [2]], ["a", "a"], Classes("ab"))
    assert run.mistakes == 0 and run.Z.shape == (0, 2) and run.outcome == "converged"
    with pytest.raises(ValueError, match="run must have made a mistake"):
        claims.mistake_bound(run, [1, -1])


# --- rows of digits --------------------------------------------------------------------------


def test_rows_follow_the_chain_and_held_out_images_are_others():
    X, y, _ = lib.ten_digits()
    known = {tuple(x): int(digit) for x, digit in zip(X / 16, y, strict=True)}
    first = {tuple(x) for x in X[:900] / 16}
    for held_out in (False, True):
        rows = lib.digit_rows(40, 6, held_out, seed=4)
        assert rows.X.shape == (40, 6, 64) and set((np.diff(rows.y) % 10).flat) == {0, 1, 2}
        images = [tuple(x) for x in rows.X.reshape(-1, 64)]
        assert [known[x] for x in images] == rows.y.ravel().tolist()
        assert {x in first for x in images} == {not held_out}


def test_structure_lowers_the_error_on_rows_that_were_held_out():
    new = lib.digit_rows(300, held_out=True, seed=2)
    for n in (20, 60, 100):
        X, y, _ = lib.digit_rows(n, seed=1)
        chain = structured.perceptron(X, y, Chain(range(10)))
        alone = structured.perceptron(X.reshape(-1, 64), y.ravel(), Classes(range(10)))
        wrong = np.mean(np.array(chain.predict(new.X)) != new.y)
        wrong_alone = np.mean(np.array(alone.predict(new.X.reshape(-1, 64))) != new.y.ravel())
        assert wrong < 0.8 * wrong_alone


# --- input -----------------------------------------------------------------------------------

REFUSED = [
    (DAYS, ["SSSR", "RRXS"], SKY, "y must have answers among 'S', 'R'; example 1 has 'X'"),
    ([[1], [2]], [3, 11], Classes(range(10)), "y must have answers among 0, 1, 2, 3, 4, 5, 6, 7"),
    ([[[1]], []], ["S", "R"], SKY, "X must have rows of length 1 or more; row 1 has length 0"),
    ([[[1]], np.zeros((0, 1))], ["S", "R"], SKY, "X must have rows of length 1 or more; row 1"),
    ([[[1]], [[1, 2]]], ["S", "R"], SKY, "X must have as many features in row 1 as in row 0"),
    ([[[1]], [[np.nan]]], ["S", "R"], SKY, "X[1] must be finite"),
    (DAYS, ["SSS", "RRRS"], SKY, "y[0] must be one label for each of the 4 places of its row"),
    ([], [], SKY, "X must be a list, one entry for each example; got []"),
    ([[1]], ["a", "b"], Classes("ab"), "y must be one answer for each of the 1 examples; got 2"),
    ([1, 2], [0, 1], Answers([0, 1], lambda x, y: [1] * (x + y)),
     "features(x, y) must have one length for all x and y; got [1, 2, 3]"),
    ([1], [0], Answers([0, 1], lambda x, y: "none"), "features(x, y) must be a list of finite"),
    ([[1]], ["a"], "model", "model must be a model, such as structured.Classes(range(10))"),
    ([[[0.1], [0.7]]], ["SS"], Chain("RS"), "X must have fewer digits: floats cannot hold"),
]  # fmt: skip


@pytest.mark.parametrize("X, y, model, words", REFUSED)
def test_bad_input_gets_one_sentence(X, y, model, words):
    with pytest.raises(ValueError) as refused:
        structured.perceptron(X, y, model)
    assert words in str(refused.value) and "\n" not in str(refused.value)


@pytest.mark.parametrize("answers", [[1], [1, 1], 3, None, [[1], [2]], {1, 2}, {"a": 1}, [1, 1.0]])
def test_answers_are_two_or_more_different_numbers_or_texts(answers):
    for make in (Classes, Chain, lambda answers: Answers(answers, lambda x, y: [1])):
        with pytest.raises(ValueError, match="answers must be a list of two or more different"):
            make(answers)


def test_other_refusals_are_one_sentence_too():
    run = structured.perceptron(DAYS, WEATHER, SKY)
    for call, words in (
        (lambda: run.predict([[[1, 2]]]), "X must have as many features as the examples of"),
        (lambda: Answers([0, 1], "phi"), "features must be a function of x and y; got 'phi'"),
        (lambda: structured.viterbi([[1, 2]], [[1]]), "moves must have shape (2, 2), a row and"),
        (lambda: structured.radius2(np.zeros((9, 9, 1)), ["a" * 9] * 9, Chain("abc")),
         "X must have at most 20,000 wrong answers to go through; it has more"),
    ):  # fmt: skip
        with pytest.raises(ValueError) as refused:
            call()
        assert words in str(refused.value) and "\n" not in str(refused.value)
