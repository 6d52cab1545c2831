"""The claims of a proof hold on every true run, and the right one fails on every false one."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from perceptron_lib import Claim, Run, bounds, claims, perceptron
from perceptron_lib.claims import mistakes
from perceptron_lib.embedding import longest, with_bias
from perceptron_lib.examples import five_points, odd_max_bit, separable, worst_case
from perceptron_lib.lessons import adversary, kernels, mistake_bound
from tests import reference
from tests.reference import TIES, always, dot, exactly, falsified, record, red, refusals, sides

FIVE, ORDERS = five_points(), ["as given", "turned", "new"]

# --- true runs -------------------------------------------------------------------------------


@pytest.mark.parametrize("tie", TIES)
@settings(max_examples=120)
@given(reference.separable_integers(), st.sampled_from([1, 0.1, 1e-150, 1e150]),
       st.integers(0, 3), st.sampled_from(ORDERS))  # fmt: skip
def test_the_mistake_bound_holds_on_every_run(tie, examples, scale, passes, order):
    X, y, u = examples
    X, u = scale * np.array(X), [Fraction(k, 7) for k in u]
    assume(all(label * dot(x, u) > 0 for x, label in zip(exactly(X), y, strict=True)))
    orders = {"turned": range(len(y))[::-1], "new": np.random.default_rng(0)}
    run = perceptron(X, y, tie, order=orders.get(order), max_passes=passes or 1000)
    proof = claims.mistake_bound(run, u)
    assert proof.holds and proof.failures == [] and proof["P5"].checked == run.mistakes
    by_lengths = adversary.lengths_bound(run, u)
    assert by_lengths.holds and by_lengths["P14"].checked == run.mistakes
    assert passes or run.outcome == "converged"


@settings(max_examples=60)
@given(reference.separable_integers(), st.integers(-4, 4), st.sampled_from([1, 2, "longest"]))
def test_the_bias_bound_holds_on_every_run(examples, shift, c):
    X, y, u = examples
    b = Fraction(shift, 5)  # not whole: u·x + b is never 0
    y = [1 if np.dot(x, u) + b > 0 else -1 for x in X]
    assume(len(set(y)) == 2)
    c = longest(X) if c == "longest" else c
    assert adversary.bias_bound(perceptron(with_bias(X, c), y, max_passes=50), u, b, c).holds


@pytest.mark.parametrize("data", [five_points(), separable(20, 3, 0.05, seed=4), odd_max_bit(3)])
def test_every_number_of_the_chain_against_a_reference(data):
    """All sides of all lines, from their definitions, in fractions."""
    X, y, u = data
    run, Z, u = perceptron(X, y), np.array(exactly(y[:, None] * X)), np.array(exactly([u])[0])
    g, R2, u2, z = min(Z @ u), max((Z * Z).sum(axis=1)), u @ u, Z[run.updates]
    w = np.cumsum([0 * Z[0], *z], axis=0)
    w, v, t = w[:-1], w[1:], np.arange(1, run.mistakes + 1)  # v is the w after the update
    w2, v2, z2, zw = ((a * b).sum(axis=1) for a, b in ((w, w), (v, v), (z, z), (z, w)))
    total = np.cumsum(z2)
    expected = {
        "A2a": (0 * t, 0), "A2b": ([0, *0 * t], 0), "P0a": (Z @ u, g),
        "P0b": ((Z * Z).sum(axis=1), R2), "P0c": ([0], g),
        "P1a": (v @ u, w @ u + z @ u), "P1b": (z @ u, g), "P1": (v @ u, w @ u + g),
        "P2a": (v2, w2 + 2 * zw + z2), "P2b": (zw, 0), "P2c": (z2, R2), "P2": (v2, w2 + R2),
        "P3a": ([0], 0), "P3b": (v @ u, t * g), "P3c": (v2, t * R2),
        "P4": ((v @ u) ** 2, v2 * u2), "P5a": ((t * g) ** 2, (v @ u) ** 2),
        "P5b": ((t * g) ** 2, t * R2 * u2), "P5": (t, R2 * u2 / g**2),
        "P14a": (v2, total), "P14": (t**2 * (g**2 / u2), total),
    }  # fmt: skip
    pairs = {row: list(zip(*np.broadcast_arrays(*both), strict=True))
             for row, both in expected.items()}  # fmt: skip
    all_sides = sides(claims.mistake_bound(run, u)), sides(adversary.lengths_bound(run, u))
    without = {"P14a", "P14"}, {"P0b", "P2c", "P2", "P3c", "P5b", "P5"}
    for numbers, rows in zip(all_sides, without, strict=True):
        assert numbers == {row: pairs[row] for row in pairs.keys() - rows}


def test_every_number_of_the_bias_chain_on_a_run_done_by_hand():
    """1 is negative, 2 is positive, the constant is 1; u = 2, b = -3, so γ||u|| = 1, R = 2.

    w̃ goes (0, 0), (-1, -1) after example 0, (1, 0) after example 1, then example 0 again: (0, -1).
    """
    run = perceptron(with_bias([[1], [2]]), [-1, 1], max_passes=2)
    assert run.weights[:4].tolist() == [[0, 0], [-1, -1], [1, 0], [0, -1]]
    proof = adversary.bias_bound(run, [2], -3, 1)
    expected = {
        ".0": [(0, 1)], ".0c": [(0, 1)], ".1": [(0, 0)] * 3, ".2": [(1, 1)] * 2,
        ".3": [(2, 5), (5, 5)], ".4": [(1, 1), (2, 2), (3, 3)], ".5": [(1, 1)] * 3,
        ".6": [(1, 1), (2, 2), (3, 3)], ".7": [(2, 2), (1, 1), (1, 1)],
        ".8": [(0, 0), (-3, 0), (-1, 0)], ".9": [(2, 5), (5, 5), (2, 5)],
        ".10": [(2, 5), (1, 7), (1, 6)], ".11": [(0, 0)], ".12": [(1, 1), (2, 2), (3, 3)],
        ".13": [(2, 5), (1, 10), (1, 15)], ".14": [(1, 26), (4, 13), (9, 13)],
        ".15": [(1, 1), (4, 4), (9, 9)], ".16": [(1, 65), (2, 65), (3, 65)],
        # b < 0, and x_j is the positive example: u·x + b = 1
        ".17": [(-3, 0)], ".18": [(4, 4)], ".19": [(16, 16)], ".20": [(9, 16)], ".21": [(13, 20)],
        ".22": [(1, 100), (2, 100), (3, 100)],
    }  # fmt: skip
    first_three = {row: pairs[:3] for row, pairs in sides(proof.claims[1:]).items()}
    assert first_three == {f"P7{row}": pairs for row, pairs in expected.items()} and proof.holds


def test_the_last_lines_of_both_bias_chains_by_hand():
    """1/2 and 1 with the constant 1: R is 1.  1 and 2 with the constant 2, which is R."""
    run = perceptron(with_bias([[1 / 2], [1]]), [-1, 1], max_passes=1)
    proof = adversary.bias_bound(run, [4], -3, 1)  # scores -1 and 1, so that γ is 1/4
    ends = {"P7.23": [(1, 1)], "P7.24": [(1, 1)], "P7": [(1, 64), (2, 64)]}
    assert sides(proof.lines(*ends)) == ends
    run = perceptron(with_bias([[1], [2]], 2), [-1, 1], max_passes=1)
    proof = adversary.bias_bound(run, [2], -3, 2)  # γ is 1/2
    ends = {"P8.21": [(4 + Fraction(9, 4), 8)], "P8.23": [(4, 4)]}
    ends |= {"P8.22": [(1, 64), (2, 64)], "P8": [(1, 64), (2, 64)]}
    assert sides(proof.lines(*ends)) == ends


# --- broken algorithms: which claim turns red -------------------------------------------------

X, Y, U = separable(40, 2, 1 / 32, seed=1)  # 35 mistakes in 7 passes
TRUE = perceptron(X, Y)


def skip_the_third(score, w, i, t):
    return score <= 0 and not (t == 2 and i == TRUE.updates[2])


OPEN, EVERY, ASKEW = {"finished": False}, {"wrong": always, "finished": False}, np.array([1, 1.5])
SUBTRACTS = Run.recorded(X, Y, TRUE.updates, np.cumsum([0 * U, *-X[TRUE.updates]], axis=0))
SCORES, SQUARES = Y * (X @ U), (X * X).sum(axis=1)
TOO_GOOD = {"gamma_u": min(SCORES[TRUE.updates]), "R2": max(SQUARES[TRUE.updates])}
BOUNDS = claims.mistake_bound, adversary.lengths_bound
FORGED = {
    # a run, or what is broken in the loop (otherwise of nine passes, and claiming to have
    # finished), and exactly the claims of both bounds that turn red
    "nothing": ({}, "", ""),
    "a prefix of a true run": ({"passes": 3} | OPEN, "", ""),
    "updates on every example": (EVERY | {"passes": 1}, "P2b P2 P3c", "P2b P14a"),
    "so, for long enough": (EVERY | {"passes": 23}, "P2b P2 P3c P5b P5", "P2b P14a P14"),
    "updates up to 1/2": ({"wrong": lambda score, *_: score <= 0.5} | OPEN, "P2b P2", "P2b P14a"),
    "does not start at zero": (
        {"start": -400 * U, "passes": 300}, "P3a P3b P3c P5a P5b P5", "P3a P3b P5a P14a P14"),
    "moves askew": ({"step": ASKEW} | OPEN, "A2a P1a P2a P2 P3c", "A2a P1a P2a P14a"),
    "subtracts all examples": (
        SUBTRACTS, "A2b A2a P1a P1 P2a P2b P2 P3c", "A2b A2a P1a P1 P2a P2b P14a"),
    "notes down other examples": (replace(TRUE, steps=np.arange(35)), "A2b", "A2b"),
    "takes double steps": ({"step": 2}, "A2a P1a P2a P2 P3c", "A2a P1a P2a P14a"),
    "skips the third mistake": ({"wrong": skip_the_third}, "A2b", "A2b"),
    "stops while there are mistakes, and calls it done": ({"passes": 1}, "A2b", "A2b"),
}  # fmt: skip
FALSE = [
    # a bound, numbers that are given to it, quantities changed, and the claims that turn red
    (BOUNDS[0], {"gamma_u": 6 * min(SCORES)}, {}, "P0a P1b P1 P3b P5a P5b P5"),
    (BOUNDS[0], {"R2": bounds.radius2(X) / 26}, {}, "P0b P2c P2 P3c P5b P5"),
    (BOUNDS[0], TOO_GOOD, {}, "P0a P0b"),  # γ and R of the examples that were ever wrong
    (BOUNDS[0], {}, {"g": lambda g: -g}, "P0c"),
    (BOUNDS[1], {}, {"g": lambda g: -g}, "P0c"),
    (BOUNDS[1], {}, {"g": lambda g: 6 * g}, "P0a P1b P1 P3b P5a P14"),
    (BOUNDS[1], {}, {"sum_z2": lambda total: total / 2}, "P14a"),
]


@pytest.mark.parametrize("broken", FORGED)
def test_each_way_to_break_it_turns_the_right_claims_red(broken):
    run, *expected = FORGED[broken]
    if not isinstance(run, Run):
        run = record(X, Y, **{"passes": 9, "finished": True} | run)
    assert [red(bound(run, U)) for bound in BOUNDS] == expected


@pytest.mark.parametrize(("bound", "numbers", "changes", "expected"), FALSE)
def test_false_numbers_turn_the_right_claims_red(bound, numbers, changes, expected):
    with falsified(mistakes, **changes):
        assert red(bound(TRUE, U, **numbers)) == expected


FALSE_BIAS = [
    # quantities of the bound with a bias that are changed, and exactly the claims that turn red
    ({}, ""),
    ({"g": lambda g: 1000 * g}, ".2 .5 .6 .12 .15 .16"),
    ({"R2": lambda R2: 0 * R2}, ".3 .9 .10 .13 .16"),
    ({"b": lambda b: b + 100}, ".17 .20"),
    ({"across_x2": lambda x2: 100 * x2}, ".18"),
    ({"u2": lambda u2: 100 * u2}, ".21"),
    ({"gamma2": lambda gamma2: 1000 * gamma2}, ".22 "),
    ({"r2": lambda r2: 2 * r2}, ".24"),
    ({"c2": lambda c2: c2 + Fraction(1, 2**60)}, ".23"),
    ({"c2": lambda c2: 0 * c2 - 1}, ".0c .21 .22 .23"),
    ({"g": lambda g: -g}, ".0"),
]


@pytest.mark.parametrize(("changes", "endings"), FALSE_BIAS)
def test_false_numbers_turn_the_right_claims_about_a_bias_red(changes, endings):
    rows = " ".join(f"P7{ending}" for ending in endings.split(" ")) if endings else ""
    by_R = rows.replace("P7.24", "P8.23").replace("P7", "P8")  # r2 is no longer c2
    for c, expected in ((1, rows), (longest(X), by_R)):
        with falsified(mistakes, **changes):
            proof = adversary.bias_bound(perceptron(with_bias(X, c), Y), U, 0, c)
        assert red(proof) == expected


FORGED_BIAS = [
    # the loop of a run with a bias, and the numbers of the claims that turn red
    ({"passes": 9, "finished": True}, ()),
    ({"wrong": always, "passes": 200}, (8, 10, 13, 16, 22)),
    ({"start": -9999, "passes": 9}, (11, 12, 13)),  # times (u, 0)
    ({"step": 2, "passes": 9}, (1, 4, 7, 10, 13)),
]


@pytest.mark.parametrize(("changes", "numbers"), FORGED_BIAS)
@pytest.mark.parametrize(("c", "row", "end"), [
    (1, "P7", " P7"), (longest(X), "P8", " P8"), (2, "P7", "")])  # fmt: skip
def test_broken_runs_with_a_bias(changes, numbers, c, row, end):
    start = {"start": changes.get("start", 0) * np.append(U, 0 * np.atleast_1d(c))}
    proof = adversary.bias_bound(record(with_bias(X, c), Y, **changes | start), U, 0, c)
    assert red(proof) == " ".join(f"{row}.{k}" for k in numbers) + end * (22 in numbers)


def test_every_claim_has_been_seen_to_fail():
    """All but Cauchy–Schwarz, which no numbers can break; its sides are checked above.  (A2b, that
    no mistake was passed over, is the same claim in all of them.)"""
    for k, bound in enumerate(BOUNDS):
        forged = [rows[k] for _, *rows in FORGED.values()]
        failed = set(" ".join(forged + [rows for of, *_, rows in FALSE if of == bound]).split())
        assert {claim.row for claim in bound(TRUE, U)} - failed == {"P4"}
    failed = {f".{k}" for _, numbers in FORGED_BIAS for k in numbers}
    failed = failed.union(*(rows.split(" ") for _, rows in FALSE_BIAS))
    proof = adversary.bias_bound(WITH_BIAS, U, 0, 1)
    assert {claim.row.removeprefix("P7") for claim in proof} - failed == {"A2b", ".14", ".19"}


# --- what a claim says, and how a proof shows itself -----------------------------------------


def test_p14_is_never_less_sharp_and_sharper_where_lengths_differ():
    """M²γ² ≤ Σ‖x_t‖² ≤ M·R²: equality for unit vectors; else a short example makes it sharper."""
    X, y, u = worst_case(9)
    claim = adversary.lengths_bound(perceptron(X, y), u)["P14"]
    assert claim.rhs[-1] == 9 * bounds.radius2(X) and claim.tight == [9]
    for seed in range(20):
        X, y, u = separable(30, 2, 1 / 16, seed)
        X[np.arange(30) % 3 == 0] *= 8  # of unequal lengths; still on its side of u, and farther
        run = perceptron(X, y)
        proof, most = adversary.lengths_bound(run, u), run.mistakes * bounds.radius2(X)
        assert proof.holds and proof["P14"].rhs[-1] <= most
        assert (run.updates % 3 == 0).all() or proof["P14"].rhs[-1] < most


def test_what_was_skipped_is_found_where_it_was_and_so_are_ties_passed_over():
    run = record(X, Y, skip_the_third, passes=9, finished=True)
    assert claims.mistake_bound(run, U)["A2b"].failure.startswith("A2b fails at t = 3 ")
    for finished, missed in ((False, 0), (True, 5)):
        run = record(FIVE.X, FIVE.y, lambda score, *_: score < 0, finished=finished)
        assert run.mistakes == 0 and claims.mistake_bound(run, FIVE.u)["A2b"].lhs == [missed]


def test_of_a_reshuffled_run_only_the_end_is_known():
    done = perceptron(X, Y, order=np.random.default_rng(3))
    claim = claims.mistake_bound(done, U)["A2b"]
    assert claim.checked == 1 and claim.first == done.mistakes + 1 and claim.holds
    wrong_end = replace(done, updates=done.updates[:1], steps=done.steps[:1])
    assert not claims.mistake_bound(wrong_end, U)["A2b"].holds
    stopped = perceptron(X, Y, order=np.random.default_rng(3), max_passes=1)
    assert claims.mistake_bound(stopped, U)["A2b"].checked == 0


def test_a_failing_claim_names_the_first_t_and_both_numbers():
    proof = claims.mistake_bound(record(X, Y, always, passes=9), U)
    sentence = proof["P2b"].failure
    assert sentence.startswith("P2b fails at t = ") and "≤ 0 is false" in sentence
    t = int(sentence.split("t = ")[1].split(" ")[0])
    assert proof["P2b"].lhs[t - 1] > 0 >= max(proof["P2b"].lhs[: t - 1])
    assert not proof.holds and sentence in repr(proof) and sentence in proof._repr_markdown_()


def test_tables_and_the_numbers_of_a_claim():
    proof = claims.mistake_bound(perceptron(*FIVE[:2]), FIVE.u)
    claim = proof["P1b"]
    assert claim.lhs == [1, 1, 1, 1] and claim.rhs == [1] * 4
    assert claim.tight == [1, 2, 3, 4] and claim.checked == 4 and claim.failure == ""
    assert repr(claim) == "P1b holds (4 values checked)"
    text, table = repr(proof), proof._repr_markdown_()
    assert text.count("✓") == table.count("✓") == len(proof.claims) and "✗" not in text
    assert "| P2b | $z^{(t)}\\cdot w^{(t)} \\le 0$ | it was a mistake | 4 | 0 | 1 | ✓ |" in table
    with pytest.raises(KeyError, match="no claim P9 here; there are A2b, A2a"):
        proof["P9"]


def test_one_number_stands_for_all_t_and_no_t_is_checked_where_there_is_none():
    assert Claim("a", "", "", np.arange(3), "≤", 2).rhs == [2, 2, 2]
    assert Claim("a", "", "", Fraction(1, 2), "<", 1).checked == 1
    assert Claim("a", "", "", np.arange(0), "≤", 2).checked == 0
    nothing = claims.mistake_bound(record([[1, 0]], [1], lambda *_: False), [1, 0])
    counts = {claim.row: claim.checked for claim in nothing}
    assert counts == {row: int(row in {"A2b", "P0a", "P0b", "P0c", "P3a"}) for row in counts}
    assert nothing.holds and "| P5 |" in nothing._repr_markdown_()


def test_proofs_show_numbers_that_are_too_large_for_a_float():
    proof = claims.mistake_bound(perceptron(X * 1e160, Y), U * 1e160)
    assert proof.holds and "~1e" in repr(proof)


# --- what does not fit together --------------------------------------------------------------

KERNEL, WITH_BIAS = kernels.kernel_perceptron(X @ X.T, Y), perceptron(with_bias(X), Y)
ONE_CLASS = perceptron(with_bias([[1.0, 0.0]]), [-1])
test_what_does_not_fit_together_is_refused_in_one_sentence = refusals({
    "^a kernel run has no weights": [(claims.mistake_bound, KERNEL, Y)],
    "^u must not be the zero vector": [(claims.mistake_bound, TRUE, [0, 0])],
    f"example {np.argmin(Y * (X @ [1, 0.9]))} has y": [(claims.mistake_bound, TRUE, [1, 0.9])],
    "both classes must occur": [(adversary.bias_bound, ONE_CLASS, [Fraction(1, 100), 0], -1, 1)],
    r"^run must be one on with_bias\(X, c\), with this c": [
        (adversary.bias_bound, WITH_BIAS, *wrong)
        for wrong in ((U, 0, 2), (U, 0, 0), (U[:1], 0, 1), ([1, 2, 3, 4], 0, 1))],
    r"weights must be 3 vectors of length 2, for 2 updates; got shape \(1, 2\)": [
        (Run.recorded, X, Y, [0, 1], [[0, 0]])],
    "updates must be numbers of examples from 0 to 39; got": [
        (Run.recorded, X, Y, [k], [[0, 0], [1, 1]]) for k in (40, 1.7, "a", None)],
})  # fmt: skip


def test_a_record_of_a_true_run_is_that_run():
    copy = Run.recorded(X, Y, TRUE.updates, TRUE.weights)
    assert (copy.steps == TRUE.steps).all() and copy.passes == TRUE.passes - 1
    assert (copy.w == TRUE.w).all() and (copy.predict(X) == Y).all()
    assert repr(copy).endswith("as recorded")
    assert Run.recorded(X, Y, TRUE.updates, TRUE.weights, finished=True).passes == TRUE.passes


def test_a_walk_through_the_proof_names_what_fails_and_three_factors_share_out_the_slack():
    run, every = perceptron(X, Y), record(X, Y, always, passes=9)
    assert mistake_bound.broken(run, U) == "none"
    assert mistake_bound.broken(every, U) == "Claim 2, size"
    assert mistake_bound.walk(every, U, "Claim 2").startswith("Claim 2 first fails at t = 2: ")
    forged = Run.recorded(X, Y, run.updates, run.weights + np.eye(len(run.weights), 2, -1))
    said = mistake_bound.walk(forged, U, "update")
    assert said == "update first fails at t = 1: w⁽²⁾ is not w⁽¹⁾ + z⁽¹⁾"
    proof = claims.mistake_bound(run, U)
    factors = [proof[row].rhs[-1] / proof[row].lhs[-1] for row in ("P5a", "P3c", "P4")]
    assert math.prod(factors) == proof["P5"].rhs[-1] / run.mistakes
