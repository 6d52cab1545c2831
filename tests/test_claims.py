"""The claims of a proof hold on every true run, and the right one fails on every false one."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perceptron_lib import (
    Run,
    bounds,
    claims,
    five_points,
    iris,
    longest,
    odd_max_bit,
    perceptron,
    separable,
    separate,
    unit_length,
    with_bias,
    worst_case,
)

TIES = ["mistake", "negative", "positive"]


# --- true runs -------------------------------------------------------------------------------


@st.composite
def separable_integers(draw):
    """Random whole-number examples, labelled by a random whole-number u."""
    d = draw(st.integers(1, 4))
    vectors = st.lists(st.integers(-6, 6), min_size=d, max_size=d)
    u = draw(vectors.filter(any))
    rows = draw(st.lists(vectors, min_size=1, max_size=12))
    X = [x for x in rows if np.dot(x, u)] or [u]
    return X, [1 if np.dot(x, u) > 0 else -1 for x in X], u


@pytest.mark.parametrize("tie", TIES)
@settings(max_examples=120)
@given(separable_integers(), st.integers(0, 3), st.sampled_from(["as given", "turned", "new"]))
def test_the_mistake_bound_holds_on_every_run(tie, examples, passes, order):
    X, y, u = examples
    order = {
        "as given": None,
        "turned": list(range(len(y)))[::-1],
        "new": np.random.default_rng(0),
    }[order]
    run = perceptron(X, y, tie, order=order, max_passes=passes or 1000)
    proof = claims.mistake_bound(run, u)
    assert proof.holds and proof.failures == []
    assert proof["P5"].checked == run.mistakes
    if passes == 0:
        assert run.outcome == "converged"


@settings(max_examples=60)
@given(separable_integers(), st.integers(-4, 4), st.sampled_from([1, 2, "longest"]))
def test_the_bias_bound_holds_on_every_run(examples, shift, c):
    X, y, u = examples
    b = Fraction(shift, 5)  # not whole: u·x + b is never 0
    y = [1 if np.dot(x, u) + b > 0 else -1 for x in X]
    c = longest(X) if c == "longest" else c
    run = perceptron(with_bias(X, c), y, max_passes=50)
    if len(set(y)) < 2:
        with pytest.raises(ValueError, match="both classes"):
            claims.bias_bound(run, u, b, c)
    elif all((np.dot(x, u) + b) * label > 0 for x, label in zip(X, y, strict=True)):
        assert claims.bias_bound(run, u, b, c).holds


def test_decimals_and_wide_scales_are_exact_too():
    rng = np.random.default_rng(1)
    for scale in (0.1, 1e-150, 1e150):
        X = scale * rng.integers(-9, 10, (30, 3))
        u = [Fraction(1, 3), Fraction(-2, 7), Fraction(5, 11)]
        score = [sum(Fraction(float(a)) * b for a, b in zip(x, u, strict=True)) for x in X]
        keep = [i for i, s in enumerate(score) if s]
        y = [1 if score[i] > 0 else -1 for i in keep]
        assert claims.mistake_bound(perceptron(X[keep], y), u).holds


def test_the_bound_is_the_one_of_the_formula():
    X, y, u = separable(50, 3, 0.1, seed=2)
    proof = claims.mistake_bound(perceptron(X, y), u)
    R2, gamma2 = bounds.radius2(X), bounds.margin2(X, y, u)
    assert set(proof["P5"].rhs) == {bounds.mistakes(R2, gamma2)}
    assert gamma2 >= Fraction(0.1) ** 2 and R2 <= 1
    answer = separate(X, y)
    assert bounds.margin2(X, y, answer.u) >= gamma2
    assert answer.bound() == bounds.mistakes(R2, bounds.margin2(X, y, answer.u))


def test_p10_every_inequality_is_an_equality_on_unit_vectors():
    run = perceptron(*worst_case(9)[:2])
    proof = claims.mistake_bound(run, worst_case(9).u)
    for row in ("P1", "P2", "P3b", "P3c"):
        assert proof[row].tight == list(range(1, 10))
    assert proof["P5"].tight == [9] and proof["P5"].rhs[0] == 9


def test_normalised_bound():
    X, y, u = separable(50, 3, 0.05, seed=2)
    X = unit_length(X)
    proof = claims.normalised_bound(perceptron(X, y), u)
    assert proof.holds and abs(proof["P6.5"].rhs[0] * bounds.margin2(X, y, u) - 1) < 1e-14
    for almost in ([2, 1], [1 + 2**-40, 0], [1 - 2**-40, 0]):
        with pytest.raises(ValueError, match="example 1 is not of length 1"):
            claims.normalised_bound(perceptron([[1, 0], almost], [1, 1]), [1, 0])


def test_p7_and_p8_are_reached():
    X, y, u = separable(30, 2, 0.1, seed=1)
    proof = claims.bias_bound(perceptron(with_bias(X), y), u, 0, 1)
    gamma2 = bounds.margin2(X, y, u)
    assert proof.holds and proof["P7"].rhs[0] == 4 / gamma2
    proof = claims.bias_bound(perceptron(with_bias(X, longest(X)), y), u, 0, longest(X))
    assert proof.holds and proof["P8"].rhs[0] == 4 * bounds.radius2(X) / gamma2


def test_real_data_and_long_runs():
    X, y, _ = iris()
    assert claims.mistake_bound(perceptron(X, y), separate(X, y).u).holds
    X, y, u = odd_max_bit(8)
    assert claims.mistake_bound(perceptron(X, y), u).holds


def test_every_number_of_the_chain_against_a_reference():
    """All sides of all lines, from their definitions, in fractions."""
    for X, y, u in (five_points(), separable(20, 3, 0.05, seed=4), odd_max_bit(3)):
        run = perceptron(X, y)
        Z = [[int(s) * Fraction(float(v)) for v in x] for s, x in zip(y, X, strict=True)]
        u = [Fraction(float(v)) for v in u]
        w, z = [[Fraction(0)] * len(u)], [Z[i] for i in run.updates]
        for step in z:
            w.append([a + b for a, b in zip(w[-1], step, strict=True)])

        def dot(a, b):
            return sum(p * q for p, q in zip(a, b, strict=True))

        g, R2 = min(dot(v, u) for v in Z), max(dot(v, v) for v in Z)
        t, M = range(1, len(z) + 1), len(z)
        sides = {
            "A2a": ([0] * M, [0] * M),
            "A2b": ([0] * (M + 1), [0] * (M + 1)),
            "P0a": ([dot(v, u) for v in Z], [g] * len(Z)),
            "P0b": ([dot(v, v) for v in Z], [R2] * len(Z)),
            "P1a": ([dot(w[k], u) for k in t], [dot(w[k - 1], u) + dot(z[k - 1], u) for k in t]),
            "P1b": ([dot(v, u) for v in z], [g] * M),
            "P1": ([dot(w[k], u) for k in t], [dot(w[k - 1], u) + g for k in t]),
            "P2a": (
                [dot(w[k], w[k]) for k in t],
                [
                    dot(w[k - 1], w[k - 1]) + 2 * dot(z[k - 1], w[k - 1]) + dot(z[k - 1], z[k - 1])
                    for k in t
                ],
            ),
            "P2b": ([dot(z[k - 1], w[k - 1]) for k in t], [0] * M),
            "P2c": ([dot(v, v) for v in z], [R2] * M),
            "P2": ([dot(w[k], w[k]) for k in t], [dot(w[k - 1], w[k - 1]) + R2 for k in t]),
            "P3a": ([0], [0]),
            "P3b": ([dot(w[k], u) for k in t], [k * g for k in t]),
            "P3c": ([dot(w[k], w[k]) for k in t], [k * R2 for k in t]),
            "P4": ([dot(v, u) ** 2 for v in w], [dot(v, v) * dot(u, u) for v in w]),
            "P5a": ([(k * g) ** 2 for k in t], [dot(w[k], u) ** 2 for k in t]),
            "P5b": ([(k * g) ** 2 for k in t], [k * R2 * dot(u, u) for k in t]),
            "P5": (list(t), [R2 * dot(u, u) / g**2] * M),
        }
        proof = claims.mistake_bound(run, u)
        assert [c.row for c in proof] == list(sides)
        for row, (left, right) in sides.items():
            assert (proof[row].lhs, proof[row].rhs) == (left, right), row


def test_every_number_of_the_bias_chain_on_a_run_done_by_hand():
    """1 is negative, 2 is positive, the constant is 1; u = 2, b = -3, so γ||u|| = 1, R = 2.

    w̃ goes (0, 0), (-1, -1) after example 0, (1, 0) after example 1, then example 0 again: (0, -1).
    """
    run = perceptron(with_bias([[1], [2]]), [-1, 1], max_passes=2)
    assert run.weights[:4].tolist() == [[0, 0], [-1, -1], [1, 0], [0, -1]]
    proof = claims.bias_bound(run, [2], -3, 1)
    sides = {
        "P7a": ([2, 1, 1], [2, 1, 1]),
        "P7b": ([0, -3, -1], [0, 0, 0]),
        "P7c": ([1, 4, 1], [4, 4, 4]),
        "P7d": ([2, 1, 1], [5, 7, 6]),
        "P7e": ([0], [0]),
        "P7f": ([2, 1, 1], [5, 10, 15]),
        "P7g": ([1, 2, 3], [1, 2, 3]),
        "P7h": ([1, 1, 1], [1, 1, 1]),
        "P7i": ([1, 2, 3], [1, 2, 3]),
        "P7j": ([1, 2, 3], [1, 2, 3]),
        "P7k": ([9], [16]),
        "P7l": ([13], [20]),
        "P7m": ([0, 1, 4], [0, 26, 13]),
        "P7n": ([1, 4, 9], [100, 200, 300]),
        "P7o": ([1, 2, 3], [100, 100, 100]),
    }
    assert [c.row for c in proof][2:] == list(sides)
    for row, (left, right) in sides.items():
        assert proof[row].lhs[: len(left)] == left and proof[row].rhs[: len(right)] == right, row
    assert proof.holds


# --- broken algorithms: which claim turns red -------------------------------------------------


def loop(
    X, y, start=None, wrong=lambda s, i, t: s <= 0, step=lambda z: z, passes=9, finished=True
):
    """The ten-line Perceptron with its parts exchangeable, as a recorded run."""
    w = np.zeros(X.shape[1]) if start is None else np.array(start, dtype=float)
    updates, weights = [], [w]
    for _ in range(passes):
        for i in range(len(X)):
            if wrong(y[i] * (w @ X[i]), i, len(updates)):
                w = w + step(y[i] * X[i])
                updates.append(i)
                weights.append(w)
    return Run.recorded(X, y, updates, weights, finished)


X, Y, U = separable(40, 2, 1 / 32, seed=1)  # 35 mistakes in 7 passes
TRUE = perceptron(X, Y)


def skip_the_third(score, i, t):
    return score <= 0 and not (t == 2 and i == TRUE.updates[2])


def numbers_seen_in_updates_only():
    """γ||u|| and R² of the examples that were ever wrong: too good for the others."""
    scores, squares = Y * (X @ U), (X * X).sum(axis=1)
    return {
        "gamma_u": Fraction(float(scores[TRUE.updates].min())),
        "R2": Fraction(float(squares[TRUE.updates].max())),
    }


MUTATIONS = {
    # what is broken: the run, the numbers given, and exactly the claims that turn red
    "nothing": (lambda: loop(X, Y), {}, ""),
    "a prefix of a true run": (lambda: loop(X, Y, passes=3, finished=False), {}, ""),
    "updates on every example": (
        lambda: loop(X, Y, wrong=lambda s, i, t: True, passes=1, finished=False), {}, "P2b P2 P3c"
    ),
    "so, for long enough to pass the bound": (
        lambda: loop(X, Y, wrong=lambda s, i, t: True, passes=23, finished=False),
        {}, "P2b P2 P3c P5b P5",
    ),
    "updates below a score of 1/2": (
        lambda: loop(X, Y, wrong=lambda s, i, t: s <= 0.5, finished=False), {}, "P2b P2"
    ),
    "does not start at zero": (
        lambda: loop(X, Y, start=-400 * U, passes=300), {}, "P3a P3b P3c P5a P5b P5"
    ),
    "moves one coordinate too far": (
        lambda: loop(X, Y, step=lambda z: z * [1, 1.5], finished=False), {}, "A2a P1a P2a P2 P3c"
    ),
    "takes double steps": (
        lambda: loop(X, Y, step=lambda z: 2 * z), {}, "A2a P1a P2a P2 P3c"
    ),
    "skips the third mistake": (
        lambda: loop(X, Y, wrong=skip_the_third), {}, "A2b"
    ),
    "stops while there are mistakes, and calls it done": (
        lambda: loop(X, Y, passes=1), {}, "A2b"
    ),
    "notes down other examples than it looked at": (
        lambda: replace(TRUE, steps=np.arange(35)), {}, "A2b"
    ),
    "six times the margin": (
        lambda: TRUE, {"gamma_u": 6 * Fraction(float(min(Y * (X @ U))))},
        "P0a P1b P1 P3b P5a P5b P5",
    ),
    "a 26th of the radius": (
        lambda: TRUE, {"R2": bounds.radius2(X) / 26}, "P0b P2c P2 P3c P5b P5"
    ),
    "γ and R of the examples that were ever wrong": (
        lambda: TRUE, numbers_seen_in_updates_only(), "P0a P0b"
    ),
}


@pytest.mark.parametrize("broken", MUTATIONS)
def test_each_way_to_break_it_turns_the_right_claims_red(broken):
    run, given_numbers, red = MUTATIONS[broken]
    proof = claims.mistake_bound(run(), U, **given_numbers)
    assert " ".join(claim.row for claim in proof if not claim.holds) == red
    assert proof.holds == (not red)


def test_every_claim_of_the_mistake_bound_has_been_seen_to_fail():
    """All but Cauchy–Schwarz, which no numbers can break; its sides are checked above."""
    failed = set(" ".join(red for _, _, red in MUTATIONS.values()).split())
    assert {c.row for c in claims.mistake_bound(TRUE, U)} - failed == {"P4"}


def test_subtracting_on_positives_is_found_out():
    def subtract(X, y):
        w, updates, weights = np.zeros(2), [], [np.zeros(2)]
        for i in range(len(X)):
            if y[i] * (w @ X[i]) <= 0:
                w = w - X[i]
                updates.append(i)
                weights.append(w)
        return Run.recorded(X, y, updates, weights)

    proof = claims.mistake_bound(subtract(X, Y), U)
    assert not proof["A2a"].holds and not proof["P1a"].holds and proof["P1b"].holds


def test_a_skipped_mistake_is_found_where_it_was():
    run = loop(X, Y, wrong=skip_the_third)
    assert claims.mistake_bound(run, U)["A2b"].failure.startswith("A2b fails at t = 3 ")


def test_ties_passed_over_are_found_too():
    five = five_points()
    run = perceptron(five.X, five.y, tie="negative")
    assert claims.mistake_bound(run, five.u).holds
    missed = loop(five.X, five.y, wrong=lambda s, i, t: s < 0, passes=1, finished=False)
    assert missed.mistakes == 0
    finished = loop(five.X, five.y, wrong=lambda s, i, t: s < 0, passes=1)
    assert claims.mistake_bound(finished, five.u)["A2b"].lhs == [5]


def test_of_a_reshuffled_run_only_the_end_is_known():
    done = perceptron(X, Y, order=np.random.default_rng(3))
    claim = claims.mistake_bound(done, U)["A2b"]
    assert claim.checked == 1 and claim.first == done.mistakes + 1 and claim.holds
    wrong_end = replace(done, updates=done.updates[:1], steps=done.steps[:1])
    assert not claims.mistake_bound(wrong_end, U)["A2b"].holds
    stopped = perceptron(X, Y, order=np.random.default_rng(3), max_passes=1)
    assert claims.mistake_bound(stopped, U)["A2b"].checked == 0


def test_wide_floats_are_checked_like_grid_data():
    rng = np.random.default_rng(5)
    A, u = rng.normal(size=(60, 4)), rng.normal(size=4)
    labels = np.where(A @ u > 0, 1, -1)
    run = perceptron(A, labels)
    assert claims.mistake_bound(run, u).holds
    short = replace(run, updates=run.updates[:-1], steps=run.steps[:-1])
    assert not claims.mistake_bound(short, u)["A2b"].holds


@pytest.mark.parametrize("c", [1, longest(X), 2])
def test_broken_runs_with_a_bias(c):
    row = {1: "P7", 2: "P"}.get(c, "P8") if np.isscalar(c) else "P8"

    def red(run):
        failed = [claim.row for claim in claims.bias_bound(run, U, 0, c) if not claim.holds]
        return {name.removeprefix(row) for name in failed if name.startswith(row)}

    B = with_bias(X, c)
    assert red(loop(B, Y)) == set()
    every = loop(B, Y, wrong=lambda s, i, t: True, passes=200, finished=False)
    assert {"b", "d", "f", "n", "o"} <= red(every)
    far = loop(B, Y, start=-9999 * np.append(U, 0 * np.atleast_1d(c)), finished=False)
    assert {"e", "f", "j"} <= red(far)
    assert {"a", "g"} <= red(loop(B, Y, step=lambda z: 2 * z, finished=False))


def test_a_failing_claim_names_the_first_t_and_both_numbers():
    proof = claims.mistake_bound(loop(X, Y, wrong=lambda s, i, t: True, finished=False), U)
    sentence = proof["P2b"].failure
    assert sentence.startswith("P2b fails at t = ") and "≤ 0 is false" in sentence
    t = int(sentence.split("t = ")[1].split(" ")[0])
    assert proof["P2b"].slack[t - 1] < 0 and all(s >= 0 for s in proof["P2b"].slack[: t - 1])
    assert sentence in repr(proof) and sentence in proof._repr_markdown_()


# --- how a proof shows itself ----------------------------------------------------------------


def test_tables():
    five = five_points()
    proof = claims.mistake_bound(perceptron(five.X, five.y), five.u)
    text, table = repr(proof), proof._repr_markdown_()
    assert text.count("✓") == table.count("✓") == len(proof.claims) and "✗" not in text
    assert "| P2b | $z_t\\cdot w_t \\le 0$ | it was a mistake | 4 | 0 | 1 | ✓ |" in table
    with pytest.raises(KeyError, match="no claim P9 here; there are A2a"):
        proof["P9"]


def test_numbers_of_a_claim():
    five = five_points()
    claim = claims.mistake_bound(perceptron(five.X, five.y), five.u)["P1b"]
    assert claim.lhs == [1, 1, 1, 1] and claim.rhs == [1] * 4 and claim.slack == [0] * 4
    assert claim.tight == [1, 2, 3, 4] and claim.checked == 4 and claim.failure == ""
    assert repr(claim) == "P1b holds at all 4 updates checked"


# --- bad input -------------------------------------------------------------------------------


def test_a_u_that_does_not_separate_is_refused_by_name():
    u = [1, 0.9]
    scores = Y * (X @ u)
    assert (scores <= 0).sum() >= 1
    with pytest.raises(ValueError, match=f"example {int(np.argmin(scores))} has y"):
        claims.mistake_bound(perceptron(X, Y), u)


@pytest.mark.parametrize(
    ("u", "says"),
    [
        ([0, 0], "zero vector"),
        ([1], "2 finite numbers"),
        ([1, np.nan], "2 finite numbers"),
        (None, "2 finite numbers"),
        (["a", "b"], "2 finite numbers"),
    ],
)
def test_bad_u(u, says):
    with pytest.raises(ValueError, match=says):
        claims.mistake_bound(perceptron(X, Y), u)


def test_one_class_is_refused_with_a_bias():
    """E6: x = (1, 0) negative; u = (0.01, 0), b = -1 has γ = 99 and 4/γ² < 1, yet one mistake."""
    run = perceptron(with_bias([[1.0, 0.0]]), [-1])
    assert run.mistakes == 1
    gamma2 = bounds.margin2([[1, 0]], [-1], [Fraction(1, 100), 0], b=-1)
    assert gamma2 == 99**2 and bounds.mistakes_with_bias(1, gamma2, 1) == Fraction(4, 9801)
    with pytest.raises(ValueError, match="both classes must occur"):
        claims.bias_bound(run, [Fraction(1, 100), 0], -1, 1)


def test_the_run_must_have_the_constants_it_is_said_to_have():
    with pytest.raises(ValueError, match="with this c"):
        claims.bias_bound(perceptron(with_bias(X, 2), Y), U, 0, 1)


@pytest.mark.parametrize("numbers", [{"gamma_u": 0}, {"gamma_u": -1}, {"R2": 0}])
def test_given_numbers_must_be_positive(numbers):
    with pytest.raises(ValueError, match="must be above 0"):
        claims.mistake_bound(TRUE, U, **numbers)


def test_margins_need_a_separator():
    with pytest.raises(ValueError, match="does not separate"):
        bounds.margin2(X, Y, -U)


def test_bad_records():
    with pytest.raises(ValueError, match="2 updates make 3 weight vectors"):
        Run.recorded(X, Y, [0, 1], [[0, 0]])
    with pytest.raises(ValueError, match="from 0 to 39"):
        Run.recorded(X, Y, [40], [[0, 0], [1, 1]])
    for not_a_number in (1.7, "a", None):
        with pytest.raises(ValueError, match="an update must be a whole number from 0 to 39; got"):
            Run.recorded(X, Y, [not_a_number], [[0, 0], [1, 1]])


def test_a_record_of_a_true_run_is_that_run():
    run = perceptron(X, Y)
    copy = Run.recorded(X, Y, run.updates, run.weights)
    assert (copy.steps == run.steps).all() and copy.passes == run.passes - 1
    assert (copy.w == run.w).all() and (copy.predict(X) == Y).all()
    assert repr(copy).endswith("as recorded")
    assert Run.recorded(X, Y, run.updates, run.weights, finished=True).passes == run.passes


def test_numbers_that_differ_too_little_to_see_are_told_apart():
    A, labels = np.array([[0.1, 0.7], [0.3, 0.2]]), [1, 1]
    z = A[0] + A[1]  # rounded
    run = Run.recorded(A, labels, [0, 1], [[0, 0], A[0], z])
    sentences = claims.mistake_bound(run, [1, 1]).failures
    assert sentences and any("they differ by ~" in sentence for sentence in sentences)


def test_numbers_too_large_for_a_float_can_still_be_shown():
    proof = claims.mistake_bound(perceptron(X * 1e160, Y), U * 1e160)
    assert proof.holds and "~1e" in repr(proof)
