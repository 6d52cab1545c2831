"""The claims of a proof hold on every true run, and the right one fails on every false one."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import perceptron_lib as lib
from perceptron_lib import Claim, Run, bounds, claims, perceptron
from perceptron_lib.claims import mistakes
from perceptron_lib.embedding import longest, unit_length, with_bias
from perceptron_lib.examples import five_points, odd_max_bit, separable, worst_case
from perceptron_lib.separability import separate
from tests import reference
from tests.reference import TIES, always, dot, exactly, falsified, record, red, refusals, sides

# --- true runs -------------------------------------------------------------------------------

ORDERS = ["as given", "turned", "new"]


@pytest.mark.parametrize("tie", TIES)
@settings(max_examples=120)
@given(reference.separable_integers(), st.integers(0, 3), st.sampled_from(ORDERS))
def test_the_mistake_bound_holds_on_every_run(tie, examples, passes, order):
    X, y, u = examples
    orders = {"turned": range(len(y))[::-1], "new": np.random.default_rng(0)}
    run = perceptron(X, y, tie, order=orders.get(order), max_passes=passes or 1000)
    proof = claims.mistake_bound(run, u)
    assert proof.holds and proof.failures == [] and proof["P5"].checked == run.mistakes
    by_lengths = claims.lengths_bound(run, u)
    assert by_lengths.holds and by_lengths["P14"].checked == run.mistakes
    assert passes or run.outcome == "converged"


@settings(max_examples=60)
@given(reference.separable_integers(), st.integers(-4, 4), st.sampled_from([1, 2, "longest"]))
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
        score = [dot(x, u) for x in exactly(X)]
        keep = [i for i, s in enumerate(score) if s]
        y = [1 if score[i] > 0 else -1 for i in keep]
        assert claims.mistake_bound(perceptron(X[keep], y), u).holds


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


def test_every_number_of_the_chain_against_a_reference():
    """All sides of all lines, from their definitions, in fractions."""
    for X, y, u in (five_points(), separable(20, 3, 0.05, seed=4), odd_max_bit(3)):
        run = perceptron(X, y)
        Z, u = np.array(exactly(y[:, None] * X)), exactly([u])[0]
        all_w = np.cumsum([0 * Z[0], *Z[run.updates]], axis=0)
        # One tuple for each update: t, w_t, z_t, w_{t+1}.
        t = range(1, run.mistakes + 1)
        steps = list(zip(t, all_w, [Z[i] for i in run.updates], all_w[1:], strict=False))
        g, R2, u2 = min(dot(z, u) for z in Z), max(dot(z, z) for z in Z), dot(u, u)
        expected = {
            "A2a": [(0, 0) for _ in t],
            "A2b": [(0, 0) for _ in all_w],
            "P0a": [(dot(z, u), g) for z in Z],
            "P0b": [(dot(z, z), R2) for z in Z],
            "P1a": [(dot(v, u), dot(w, u) + dot(z, u)) for _, w, z, v in steps],
            "P1b": [(dot(z, u), g) for _, w, z, v in steps],
            "P1": [(dot(v, u), dot(w, u) + g) for _, w, z, v in steps],
            "P2a": [(dot(v, v), dot(w, w) + 2 * dot(z, w) + dot(z, z)) for _, w, z, v in steps],
            "P2b": [(dot(z, w), 0) for _, w, z, v in steps],
            "P2c": [(dot(z, z), R2) for _, w, z, v in steps],
            "P2": [(dot(v, v), dot(w, w) + R2) for _, w, z, v in steps],
            "P3a": [(0, 0)],
            "P3b": [(dot(v, u), k * g) for k, w, z, v in steps],
            "P3c": [(dot(v, v), k * R2) for k, w, z, v in steps],
            "P4": [(dot(v, u) ** 2, dot(v, v) * u2) for _, w, z, v in steps],
            "P5a": [((k * g) ** 2, dot(v, u) ** 2) for k, w, z, v in steps],
            "P5b": [((k * g) ** 2, k * R2 * u2) for k, w, z, v in steps],
            "P5": [(k, R2 * u2 / g**2) for k in t],
        }
        assert sides(claims.mistake_bound(run, u)) == expected
        total = np.cumsum([dot(z, z) for _, w, z, v in steps])
        own = {
            "P14a": [(dot(v, v), s) for (_, w, z, v), s in zip(steps, total, strict=True)],
            "P14": [(k * k * g**2 / u2, s) for k, s in zip(t, total, strict=True)],
        }
        for row in ("P0b", "P2c", "P2", "P3c", "P5b", "P5"):  # which it does without
            del expected[row]
        assert sides(claims.lengths_bound(run, u)) == expected | own


def test_every_number_of_the_bias_chain_on_a_run_done_by_hand():
    """1 is negative, 2 is positive, the constant is 1; u = 2, b = -3, so γ||u|| = 1, R = 2.

    w̃ goes (0, 0), (-1, -1) after example 0, (1, 0) after example 1, then example 0 again: (0, -1).
    """
    run = perceptron(with_bias([[1], [2]]), [-1, 1], max_passes=2)
    assert run.weights[:4].tolist() == [[0, 0], [-1, -1], [1, 0], [0, -1]]
    proof = claims.bias_bound(run, [2], -3, 1)
    expected = {
        ".1": [(0, 0)] * 3, ".2": [(1, 1)] * 2, ".3": [(2, 5), (5, 5)],
        ".7": [(2, 2), (1, 1), (1, 1)], ".8": [(0, 0), (-3, 0), (-1, 0)],
        ".9": [(2, 5), (5, 5), (2, 5)], ".10": [(2, 5), (1, 7), (1, 6)],
        ".11": [(0, 0)], ".13": [(2, 5), (1, 10), (1, 15)], ".4": [(1, 1), (2, 2), (3, 3)],
        ".5": [(1, 1), (1, 1), (1, 1)], ".6": [(1, 1), (2, 2), (3, 3)],
        ".12": [(1, 1), (2, 2), (3, 3)], ".14": [(1, 26), (4, 13), (9, 13)],
        ".15": [(1, 1), (4, 4), (9, 9)],
        # b < 0, and x_j is the positive example: u·x + b = 1
        ".16": [(-3, 0)], ".17": [(4, 4)], ".18": [(16, 16)], ".19": [(9, 16)], ".20": [(13, 20)],
        ".21": [(1, 100), (4, 200), (9, 300)], ".22": [(1, 100), (2, 100), (3, 100)],
    }  # fmt: skip
    found = {row: pairs[:3] for row, pairs in sides(proof.claims[1:]).items()}
    assert found == {f"P7{row}": pairs for row, pairs in expected.items()} and proof.holds


def test_the_last_lines_of_both_bias_chains_by_hand():
    """1/2 and 1 with the constant 1: R is 1.  1 and 2 with the constant 2, which is R."""
    run = perceptron(with_bias([[1 / 2], [1]]), [-1, 1], max_passes=1)
    proof = claims.bias_bound(run, [4], -3, 1)  # scores -1 and 1, so that γ is 1/4
    assert sides(proof.lines("P7.23", "P7.24", "P7")) == {
        "P7.23": [(1, 1)], "P7.24": [(1, 1)], "P7": [(1, 64), (2, 64)]
    }  # fmt: skip
    run = perceptron(with_bias([[1], [2]], 2), [-1, 1], max_passes=1)
    proof = claims.bias_bound(run, [2], -3, 2)  # γ is 1/2
    assert sides(proof.lines("P8.23", "P8")) == {"P8.23": [(4, 4)], "P8": [(1, 64), (2, 64)]}
    assert sides(proof.lines("P8.20", "P8.22")) == {
        "P8.20": [(4 + Fraction(9, 4), 8)], "P8.22": [(1, 64), (2, 64)]
    }  # fmt: skip


# --- broken algorithms: which claim turns red -------------------------------------------------


X, Y, U = separable(40, 2, 1 / 32, seed=1)  # 35 mistakes in 7 passes
TRUE = perceptron(X, Y)


def skip_the_third(score, w, i, t):
    return score <= 0 and not (t == 2 and i == TRUE.updates[2])


OPEN, ASKEW = {"finished": False}, np.array([1, 1.5])
SUBTRACTS = Run.recorded(X, Y, TRUE.updates, np.cumsum([0 * U, *-X[TRUE.updates]], axis=0))
SCORES, SQUARES = Y * (X @ U), (X * X).sum(axis=1)
TOO_GOOD = {"gamma_u": min(SCORES[TRUE.updates]), "R2": max(SQUARES[TRUE.updates])}
MUTATIONS = {
    # what is broken: a run, or the loop (otherwise of nine passes, and claiming to have finished);
    # the numbers given, and exactly the claims that turn red
    "nothing": ({}, {}, ""),
    "a prefix of a true run": ({"passes": 3} | OPEN, {}, ""),
    "updates on every example": ({"wrong": always, "passes": 1} | OPEN, {}, "P2b P2 P3c"),
    "so, for long enough": ({"wrong": always, "passes": 23} | OPEN, {}, "P2b P2 P3c P5b P5"),
    "updates below a score of 1/2": ({"wrong": lambda s, *_: s <= 0.5} | OPEN, {}, "P2b P2"),
    "does not start at zero": ({"start": -400 * U, "passes": 300}, {}, "P3a P3b P3c P5a P5b P5"),
    "moves one coordinate too far": ({"step": ASKEW} | OPEN, {}, "A2a P1a P2a P2 P3c"),
    "subtracts all examples": (SUBTRACTS, {}, "A2b A2a P1a P1 P2a P2b P2 P3c"),
    "notes down other examples than it looked at": (replace(TRUE, steps=np.arange(35)), {}, "A2b"),
    "takes double steps": ({"step": 2}, {}, "A2a P1a P2a P2 P3c"),
    "skips the third mistake": ({"wrong": skip_the_third}, {}, "A2b"),
    "stops while there are mistakes, and calls it done": ({"passes": 1}, {}, "A2b"),
    "six times the margin": ({}, {"gamma_u": 6 * min(SCORES)}, "P0a P1b P1 P3b P5a P5b P5"),
    "a 26th of the radius": ({}, {"R2": bounds.radius2(X) / 26}, "P0b P2c P2 P3c P5b P5"),
    "γ and R of the examples that were ever wrong": ({}, TOO_GOOD, "P0a P0b"),
}


@pytest.mark.parametrize("broken", MUTATIONS)
def test_each_way_to_break_it_turns_the_right_claims_red(broken):
    run, numbers, expected = MUTATIONS[broken]
    if not isinstance(run, Run):
        run = record(X, Y, **{"passes": 9, "finished": True} | run)
    proof = claims.mistake_bound(run, U, **numbers)
    assert red(proof) == expected and proof.holds == (not expected)


def test_every_claim_of_the_mistake_bound_has_been_seen_to_fail():
    """All but Cauchy–Schwarz, which no numbers can break; its sides are checked above."""
    failed = set(" ".join(rows for _, _, rows in MUTATIONS.values()).split())
    assert {c.row for c in claims.mistake_bound(TRUE, U)} - failed == {"P4"}


BY_LENGTHS = {
    # the run, quantities that are changed, and exactly the claims that turn red
    "nothing": (TRUE, {}, ""),
    "updates on every example": (
        record(X, Y, always, passes=23), {}, "P2b P14a P14"),
    "does not start at zero": (
        record(X, Y, start=-400 * U, passes=300), {}, "P3a P3b P5a P14a P14"),
    "takes double steps": (record(X, Y, step=2, passes=9), {}, "A2a P1a P2a P14a"),
    "subtracts all examples": (SUBTRACTS, {}, "A2b A2a P1a P1 P2a P2b P14a"),
    "six times the margin": (TRUE, {"g": lambda g: 6 * g}, "P0a P1b P1 P3b P5a P14"),
    "half the lengths": (TRUE, {"sum_z2": lambda total: total // 2}, "P14a"),
}  # fmt: skip


@pytest.mark.parametrize("broken", BY_LENGTHS)
def test_each_way_to_break_the_bound_by_lengths_turns_the_right_claims_red(broken):
    run, changes, expected = BY_LENGTHS[broken]
    with falsified(mistakes, **changes):
        assert red(claims.lengths_bound(run, U)) == expected


FALSE_BIAS = [
    # quantities of the bound with a bias that are changed, and exactly the claims that turn red
    ({}, ""),
    ({"g": lambda g: 1000 * g}, ".2 .5 .6 .12 .15 .21"),
    ({"R2": lambda R2: 0 * R2}, ".3 .9 .10 .13 .21"),
    ({"b": lambda b: b + 100}, ".16 .19"),
    ({"across_x2": lambda x2: 100 * x2}, ".17"),
    ({"u2": lambda u2: 100 * u2}, ".20"),
    ({"gamma2": lambda gamma2: 1000 * gamma2}, ".22 "),
    ({"r2": lambda r2: 2 * r2}, ".24"),
    ({"c2": lambda c2: c2 + Fraction(1, 2**60)}, ".23"),
]


@pytest.mark.parametrize(("changes", "endings"), FALSE_BIAS)
def test_false_numbers_turn_the_right_claims_about_a_bias_red(changes, endings):
    run = perceptron(with_bias(X), Y)
    with falsified(mistakes, **changes):
        rows = " ".join(f"P7{ending}" for ending in endings.split(" ")) if endings else ""
        assert red(claims.bias_bound(run, U, 0, 1)) == rows
    R = longest(X)
    run = perceptron(with_bias(X, R), Y)
    with falsified(mistakes, **changes):
        rows = rows.replace("P7.24", "P8.23").replace("P7", "P8")  # r2 is no longer c2
        assert red(claims.bias_bound(run, U, 0, R)) == rows


def test_every_claim_about_lengths_and_a_bias_has_been_seen_to_fail():
    """All but Cauchy–Schwarz.  (A2b fails above, in the same words.)"""
    failed = set(" ".join(rows for _, _, rows in BY_LENGTHS.values()).split())
    assert {c.row for c in claims.lengths_bound(TRUE, U)} - failed == {"P4"}
    above = {f".{k}" for k in (1, 4, 7, 8, 10, 11, 12, 13, 21, 22)}
    endings = above.union(*(rows.split(" ") for _, rows in FALSE_BIAS))
    proof = claims.bias_bound(perceptron(with_bias(X), Y), U, 0, 1)
    assert {claim.row.removeprefix("P7") for claim in proof} - endings == {"A2b", ".14", ".18"}


# --- sharper, and in another form ------------------------------------------------------------


def test_p14_is_never_less_sharp_and_sharper_where_lengths_differ():
    """M²γ² ≤ Σ‖x_t‖² ≤ M·R²: equality for unit vectors, and one long example that is never wrong
    costs (R/γ)² a lot."""
    X, y, u = worst_case(9)
    claim = claims.lengths_bound(perceptron(X, y), u)["P14"]
    assert claim.rhs[-1] == 9 * bounds.radius2(X) and claim.tight == [9]
    for seed in range(20):
        X, y, u = separable(30, 2, 1 / 16, seed)
        X[np.arange(30) % 3 == 0] *= 8  # of unequal lengths; still on its side of u, and farther
        run = perceptron(X, y)
        proof, M = claims.lengths_bound(run, u), run.mistakes
        total = sum(dot(x, x) for x in exactly(X[run.updates]))
        gamma2, R2 = bounds.margin2(X, y, u), bounds.radius2(X)
        assert proof.holds and proof["P14"].rhs[-1] == total
        assert M**2 * gamma2 <= total <= M * R2
        short = run.updates % 3 > 0
        assert not short.any() or total < M * R2
    assert claims.lengths_bound(run, u)["P14"].because == "P5a, P4 and P14a"


def test_p14_one_over_gamma_is_the_least_length_of_u_with_all_scores_from_1_on():
    """By the largest margin, u scaled; by weights λ, which prove that no u is shorter; and no other
    separator, scaled in the same way, is."""
    rng = np.random.default_rng(2)
    for seed in range(10):
        X, y, u = separable(12, 2, 1 / 16, seed)
        best, Z = separate(X, y), exactly(y[:, None] * X)
        least = min(dot(z, exactly([best.u])[0]) for z in Z)
        v = [k / least for k in exactly([best.u])[0]]
        gamma2 = bounds.margin2(X, y, best.u)
        assert min(dot(z, v) for z in Z) == 1 and dot(v, v) == 1 / gamma2
        # 1 ≤ Σλ z·u ≤ ||Σλz||·||u|| for weights that sum to 1
        share = [Fraction(int(k), int(sum(best.multipliers))) for k in best.multipliers]
        mean = [dot(share, column) for column in zip(*Z, strict=True)]
        assert best.gap == 0 and dot(mean, mean) == gamma2
        for other in exactly(u + rng.integers(-9, 10, (50, 2)) / 64):
            least = min(dot(z, other) for z in Z)
            assert least <= 0 or dot(other, other) / least**2 >= 1 / gamma2


# --- what was skipped ------------------------------------------------------------------------


def test_what_was_skipped_is_found_where_it_was_and_so_are_ties_passed_over():
    run = record(X, Y, skip_the_third, passes=9, finished=True)
    assert claims.mistake_bound(run, U)["A2b"].failure.startswith("A2b fails at t = 3 ")
    five = five_points()
    run = perceptron(five.X, five.y, tie="negative")
    assert claims.mistake_bound(run, five.u).holds
    for finished, missed in ((False, 0), (True, 5)):
        run = record(five.X, five.y, lambda score, *_: score < 0, finished=finished)
        assert run.mistakes == 0 and claims.mistake_bound(run, five.u)["A2b"].lhs == [missed]


def test_of_a_reshuffled_run_only_the_end_is_known():
    done = perceptron(X, Y, order=np.random.default_rng(3))
    claim = claims.mistake_bound(done, U)["A2b"]
    assert claim.checked == 1 and claim.first == done.mistakes + 1 and claim.holds
    wrong_end = replace(done, updates=done.updates[:1], steps=done.steps[:1])
    assert not claims.mistake_bound(wrong_end, U)["A2b"].holds
    stopped = perceptron(X, Y, order=np.random.default_rng(3), max_passes=1)
    assert claims.mistake_bound(stopped, U)["A2b"].checked == 0


@pytest.mark.parametrize(
    ("c", "row", "end"), [(1, "P7", " P7"), (longest(X), "P8", " P8"), (2, "P7", "")]
)
def test_broken_runs_with_a_bias(c, row, end):
    B = with_bias(X, c)
    far = -9999 * np.append(U, 0 * np.atleast_1d(c))
    for changes, numbers, other in (
        ({"passes": 9, "finished": True}, (), ""),
        ({"wrong": always, "passes": 200}, (8, 10, 13, 21, 22), end),
        ({"start": far, "passes": 9}, (11, 12, 13), ""),
        ({"step": 2, "passes": 9}, (1, 4, 7, 10, 13), ""),
    ):
        found = red(claims.bias_bound(record(B, Y, **changes), U, 0, c))
        assert found == " ".join(f"{row}.{k}" for k in numbers) + other


def test_a_failing_claim_names_the_first_t_and_both_numbers():
    proof = claims.mistake_bound(record(X, Y, always, passes=9), U)
    sentence = proof["P2b"].failure
    assert sentence.startswith("P2b fails at t = ") and "≤ 0 is false" in sentence
    t = int(sentence.split("t = ")[1].split(" ")[0])
    assert proof["P2b"].slack[t - 1] < 0 and all(s >= 0 for s in proof["P2b"].slack[: t - 1])
    assert sentence in repr(proof) and sentence in proof._repr_markdown_()


# --- how a proof shows itself ----------------------------------------------------------------


def test_tables_and_the_numbers_of_a_claim():
    five = five_points()
    proof = claims.mistake_bound(perceptron(five.X, five.y), five.u)
    claim = proof["P1b"]
    assert claim.lhs == [1, 1, 1, 1] and claim.rhs == [1] * 4 and claim.slack == [0] * 4
    assert claim.tight == [1, 2, 3, 4] and claim.checked == 4 and claim.failure == ""
    assert repr(claim) == "P1b holds (4 values checked)"
    text, table = repr(proof), proof._repr_markdown_()
    assert text.count("✓") == table.count("✓") == len(proof.claims) and "✗" not in text
    assert "| P2b | $z_t\\cdot w_t \\le 0$ | it was a mistake | 4 | 0 | 1 | ✓ |" in table
    for row, name in (("P9", "P9"), (None, "None"), (X, r"an? ndarray of shape \(40, 2\)")):
        with pytest.raises(KeyError, match=f"no claim {name} here; there are A2b, A2a"):
            proof[row]


def test_one_number_stands_for_all_t_and_no_t_is_checked_where_there_is_none():
    assert Claim("a", "", "", np.arange(3), "≤", 2).rhs == [2, 2, 2]
    assert Claim("a", "", "", Fraction(1, 2), "<", 1).checked == 1
    assert Claim("a", "", "", np.arange(0), "≤", 2).checked == 0
    nothing = claims.mistake_bound(record([[1, 0]], [1], lambda *_: False), [1, 0])
    counts = {claim.row: claim.checked for claim in nothing}
    examples_and_start = {"A2b", "P0a", "P0b", "P3a"}
    assert counts == {row: int(row in examples_and_start) for row in counts}
    assert nothing.holds and "| P5 |" in nothing._repr_markdown_()


# --- bad input (test_odd_values has more) ----------------------------------------------------

ASKEW_SCORES = Y * (X @ [1, 0.9])
ONE_CLASS = perceptron(with_bias([[1.0, 0.0]]), [-1])
KERNEL, STREAM = lib.kernel_perceptron(X @ X.T, Y), perceptron(X, Y, max_passes=1)
MARGIN = lib.margin_perceptron(X, Y, 1 / 64)
PROOFS = [
    (claims.mistake_bound, TRUE), (claims.lengths_bound, TRUE),
    (claims.normalised_bound, perceptron(unit_length(X), Y)),
    (claims.bias_bound, perceptron(with_bias(X), Y), 0, 1), (claims.margin_bound, MARGIN, 1 / 64),
    (claims.hinge_bound, STREAM), (claims.deviation_bound, STREAM),
    (claims.dual, perceptron(np.rint(16 * X), Y)),
]  # fmt: skip
NO_U = [1], [1, 2, 3, 4], [0, 0], [1, np.nan], [1, np.ma.masked], [["1"], ["2"]], X
test_what_does_not_fit_together_is_refused_in_one_sentence = refusals({
    "^u must ": [(proof, run, u, *rest) for proof, run, *rest in PROOFS for u in NO_U],
    "^run must ": [(proof, run, U, *rest) for proof, _, *rest in PROOFS for run in (KERNEL, X)],
    "^eps must ": [(claims.margin_bound, MARGIN, U, 1 / 64, eps) for eps in (0, 1, 1.5)],
    f"example {int(np.argmin(ASKEW_SCORES))} has y": [(claims.mistake_bound, TRUE, [1, 0.9])],
    "both classes must occur": [(claims.bias_bound, ONE_CLASS, [Fraction(1, 100), 0], -1, 1)],
    "with this c": [(claims.bias_bound, perceptron(with_bias(X, 2), Y), U, 0, 1)],
    "does not separate": [(bounds.margin2, X, Y, -U)],
    r"weights must be 3 vectors of length 2, for 2 updates; got shape \(1, 2\)": [
        (Run.recorded, X, Y, [0, 1], [[0, 0]])],
    "updates must be numbers of examples from 0 to 39; got": [
        (Run.recorded, X, Y, [k], [[0, 0], [1, 1]]) for k in (40, 1.7, "a", None)],
})  # fmt: skip


def test_a_record_of_a_true_run_is_that_run():
    run = perceptron(X, Y)
    copy = Run.recorded(X, Y, run.updates, run.weights)
    assert (copy.steps == run.steps).all() and copy.passes == run.passes - 1
    assert (copy.w == run.w).all() and (copy.predict(X) == Y).all()
    assert repr(copy).endswith("as recorded")
    assert Run.recorded(X, Y, run.updates, run.weights, finished=True).passes == run.passes


def test_proofs_show_numbers_that_differ_too_little_to_see_or_are_too_large_for_a_float():
    proof = claims.mistake_bound(perceptron(X * 1e160, Y), U * 1e160)
    assert proof.holds and "~1e" in repr(proof)
    A, labels = np.array([[0.1, 0.7], [0.3, 0.2]]), [1, 1]
    z = A[0] + A[1]  # rounded
    run = Run.recorded(A, labels, [0, 1], [[0, 0], A[0], z])
    sentences = claims.mistake_bound(run, [1, 1]).failures
    assert sentences and any("they differ by ~" in sentence for sentence in sentences)
