"""The margin Perceptron: it halts, it reaches its margin, and its proof can fail."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perceptron_lib import Run, bounds, claims, halving_margin_perceptron, margin_perceptron
from perceptron_lib.claims import margin
from perceptron_lib.examples import five_points, iris, margin_stream, separable, xor
from perceptron_lib.separability import Inseparable, separate
from tests import reference
from tests.reference import always, falsified, perceptron_in_fractions, record, red


@pytest.mark.usefixtures("each_way")
@settings(max_examples=80)
@given(
    reference.separable_integers(), st.sampled_from([Fraction(1, 2), Fraction(1, 3), 0.1, 0.9]),
    st.sampled_from([1.0, 0.1, 1e-150, 1e150, 1e-300, 1e300]), st.booleans(),
)  # fmt: skip
def test_updates_margin_and_bound_are_exact(examples, eps, scale, backwards):
    X, y, _ = examples
    X = np.array(X) * scale
    answer = separate(X, y)
    if isinstance(answer, Inseparable):  # a decimal scale may have moved a point across
        return
    order = list(range(len(y)))[::-1] if backwards else None
    run = margin_perceptron(X, y, answer.margin, eps, order=order, max_passes=10**6)
    first, theta = order[0] if order else 0, (1 - Fraction(eps)) * Fraction(answer.margin)
    start = y[first] * X[first]
    right = perceptron_in_fractions(X, y, "mistake", start, order, run.passes, theta)
    assert run.outcome == "converged" and (run.updates.tolist(), run.passes) == right
    final = bounds.margin2(X, y, [Fraction(int(k)) for k in run.exact_weights[0][-1]])
    assert final >= theta**2
    proof = claims.margin_bound(run, answer.u, answer.margin, eps)
    assert proof.holds, proof.failures
    assert repr(proof).count("✓") == len(proof.claims)
    R2, gamma2 = bounds.radius2(X), Fraction(answer.margin) ** 2
    assert run.mistakes <= bounds.harmonic_updates(R2, gamma2, eps)
    assert run.mistakes <= bounds.margin_updates(R2, gamma2, eps)


@pytest.mark.usefixtures("each_way")
def test_decisions_at_the_border():
    """A tiny start does not hide a margin.  Equality counts as far enough: z_1 = (3, 4) has margin
    5 = (1 - 1/2)·10 at the start; its neighbour has margin 0."""
    X, rng = [[2.0**-540, 0], [0.25, 1]], np.random.default_rng(0)
    run = margin_perceptron(X, [1, 1], 1, 0.5, order=rng, max_passes=1)
    assert run.updates.tolist() == [1, 0]
    run = margin_perceptron([[3, 4], [4, -3]], [1, 1], gamma=10, eps=0.5, max_passes=1)
    assert run.updates.tolist() == [1]


@pytest.mark.usefixtures("each_way")
def test_giving_up_at_the_very_update_in_the_middle_of_a_pass():
    A, labels, _ = separable(40, 2, 1 / 32, seed=1)
    whole = margin_perceptron(A, labels, 1 / 8, max_passes=50)
    by_pass = np.cumsum(np.bincount(whole.steps // 40, minlength=50))
    assert whole.outcome == "stopped" and by_pass[2] > by_pass[1]
    for most in range(1, 60):
        run = margin_perceptron(A, labels, 1 / 8, max_updates=most)
        assert run.updates.tolist() == whole.updates[:most].tolist()
        assert run.steps.tolist() == whole.steps[:most].tolist() and run.outcome == "stopped"
        assert run.passes == (run.steps[-1] + 1) // 40  # whole ones
        assert run.w.tolist() == whole.weights[most].tolist()
    best = separate(A, labels)
    run = margin_perceptron(A, labels, best.margin, 0.1, max_updates=3)
    assert run.outcome == "stopped" and run.mistakes == 3 and run.passes == 0
    proof = claims.margin_bound(run, best.u, best.margin, 0.1)
    assert proof.holds and proof["M1c"].checked == 4


@pytest.mark.usefixtures("each_way")
def test_giving_up_is_exact_in_each_engine():
    """The updates of exact fractions, cut off; in decimals too, and with the last of a pass."""
    last = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        A, labels = rng.integers(-5, 6, (12, 3)) / rng.choice([1, 10]), rng.choice([-1, 1], 12)
        A[0] += 1
        theta, start = (1 - Fraction(1, 2)) * Fraction(0.3), labels[0] * A[0]
        right, _ = perceptron_in_fractions(A, labels, "mistake", start, None, 20, theta)
        for most in (1, 2, 5, 9, 30):
            run = margin_perceptron(A, labels, 0.3, max_updates=most, max_passes=20)
            assert run.updates.tolist() == right[:most]
            done = np.cumsum([start, *(labels[:, None] * A)[right[:most]]], axis=0)[-1]
            assert np.abs(run.w - done).max() < 1e-12
            if run.mistakes == most:
                assert run.outcome == "stopped" and run.passes == (run.steps[-1] + 1) // 12
                last += run.steps[-1] % 12 == 11
    assert last


def test_inseparable_data_cycle():
    run = margin_perceptron(*xor()[:2], 0.1, order=[1, 2, 3, 0])
    assert run.outcome == "cycled" and run.certificate.any()


def test_m9_halving_finds_a_margin_without_being_told_one():
    for X, y, _ in (separable(40, 3, 0.05, seed=2), iris()):
        best, eps = separate(X, y).margin, 0.5
        found = halving_margin_perceptron(X, y, eps)
        assert found.run.outcome == "converged"
        reached = bounds.margin2(X, y, found.run.w)
        assert reached >= (Fraction(best) / 2 * (1 - Fraction(eps))) ** 2  # half the best guess
        assert found.updates == sum(r.mistakes for r in found.runs)
        assert all(a / b == 2 for a, b in itertools.pairwise(found.gammas))
        for gamma, run in zip(found.gammas[:-1], found.runs[:-1], strict=True):
            assert run.outcome == "stopped" and gamma > best


def test_m9_giving_up_in_the_middle_of_a_pass_keeps_what_is_promised():
    """Far more examples than updates: z is (1/16, ±15/16) in turn, so that γ is 1/16."""
    n = 60_000
    Z = np.tile([[1 / 16, 15 / 16], [1 / 16, -15 / 16]], (n // 2, 1))
    y = np.where(np.arange(n) % 4 < 2, 1, -1)
    found = halving_margin_perceptron(Z * y[:, None], y)
    R2, gamma2 = Fraction(226, 256), Fraction(1, 256)
    promised = bounds.margin_updates(R2, gamma2) * Fraction(16, 3)
    assert int(float(promised)) == 9963 and found.updates == 197 < promised
    assert found.run.outcome == "converged" and found.run.passes < 3
    for gamma, run in zip(found.gammas[:-1], found.runs[:-1], strict=True):
        bound = bounds.margin_updates(R2, Fraction(gamma) ** 2)
        assert run.mistakes - 1 <= bound < run.mistakes  # at the update that exceeds it
        assert run.passes == 0


@settings(max_examples=60)
@given(reference.separable_integers(), st.sampled_from([Fraction(1, 2), Fraction(1, 5), 0.9]))
def test_m9_all_updates_together_are_below_16_3_of_the_bound_for_the_true_margin(examples, eps):
    X, y, _ = examples
    best = separate(X, y)
    R2, gamma2 = bounds.radius2(X), bounds.margin2(X, y, best.u)
    found = halving_margin_perceptron(X, y, eps)
    assert best.gap == 0 and found.run.outcome == "converged"
    assert 3 * found.updates < bounds.margin_updates(R2, gamma2, eps) * 16
    assert len(found.runs) == 1 or Fraction(found.gammas[-1]) ** 2 > gamma2 / 4


def test_m10_the_harmonic_bound_solved_is_the_last_m_of_a_slow_search():
    """In exact fractions, M from 1 on; also for R below γ, which no data have."""
    checked = 0
    for ratio2 in map(Fraction, ("0", "1/3", "3/5", "1", "2", "9/4", "4", "10", "50")):
        for eps in map(Fraction, ("1/50", "2/25", "1/4", "1/2", "9/10")):
            H, last = Fraction(0), 0
            for M in range(1, 400):
                H += Fraction(1, M)
                rest = eps * M + 1 - ratio2 / 2 * H  # at most R/γ?
                last = M if rest <= 0 or rest**2 <= ratio2 else last
            for scale in (1, Fraction(1, 7)):
                if last < 399:
                    assert bounds.harmonic_updates(ratio2 * scale, scale, eps) == last
                    checked += 1
    assert checked > 60


def test_m10_on_iris_and_where_the_two_bounds_cross():
    X, y, _ = iris()
    R2, gamma2 = bounds.radius2(X), bounds.margin2(X, y, separate(X, y).u)
    for eps, harmonic, old in ((0.02, 65_941, 1_119_279), (0.5, 1_837, 1_848), (0.9, 937, 585)):
        eps = Fraction(str(eps))
        assert bounds.harmonic_updates(R2, gamma2, eps) == harmonic
        assert int(float(bounds.margin_updates(R2, gamma2, eps))) == old
        # by floats, too: it holds at that M, and not at the next
        for M, right in ((harmonic, True), (harmonic + 1, False)):
            H, ratio = sum(1 / k for k in range(1, M + 1)), float(R2 / gamma2)
            assert (float(eps) * M <= ratio**0.5 - 1 + ratio / 2 * H) == right
    # Large M, by Euler's formula, and at M = 999, 1000, 1001, where it takes over.
    M = bounds.harmonic_updates(10**9, 1, Fraction(1, 500))
    right = 10**9 / 2 * (math.log(M) + 0.5772156649)  # and R/γ, which is small beside it
    assert right == pytest.approx(M / 500, rel=1e-4)
    for M in (999, 1000, 1001):
        H = sum(Fraction(1, k) for k in range(1, M + 1))
        for beyond, largest in ((Fraction(0), M), (Fraction(1, 10**12), M - 1)):
            eps = 4 * H / (2 * M) + Fraction(1, M) + beyond  # εM = R/γ - 1 + 2H, for R/γ = 2
            assert bounds.harmonic_updates(4, 1, eps) == largest


def test_halving_gives_up_after_so_many_updates():
    """The first guess is above the margin, and its bound of 10**13 updates would take for ever."""
    X, y, _ = five_points()
    found = halving_margin_perceptron(X, y, eps=1e-6, max_updates=2000)
    assert found.run.outcome == "stopped" and len(found.runs) == 1
    assert found.updates == 2000
    assert halving_margin_perceptron(X, y, eps=1e-200, max_updates=9).run.outcome == "stopped"
    far_apart = [[1e-300, 0], [0, 1e300]]
    assert halving_margin_perceptron(far_apart, [1, 1], max_updates=9).updates <= 9


def test_halving_says_so_when_there_is_no_separator():
    for find in (halving_margin_perceptron, lambda X, y: margin_perceptron(X, y, 0.1)):
        with pytest.raises(ValueError, match="example is the zero vector"):
            find(*xor()[:2])
    assert halving_margin_perceptron(xor().X + 1, xor().y).run.outcome == "cycled"
    for scale in (1e-200, 1e200):
        A, labels, _ = separable(10, 2, 0.25, seed=1)
        assert halving_margin_perceptron(A * scale, labels).run.outcome == "converged"


# --- broken runs -----------------------------------------------------------------------------

X, Y, U = margin_stream(1 / 8)
GAMMA = Fraction(1, 8)


def closer_than(threshold):
    return lambda score, w, *_: score < threshold * np.sqrt(w @ w)


def start_at_first(X, Y, wrong, /, **changes):
    return record(X, Y, **{"wrong": wrong, "start": Y[0] * X[0]} | changes)


HALF = closer_than(1 / 16)
MUTATIONS = {
    # what is broken, and exactly the claims that turn red
    "nothing": ({}, ""),
    "updates on everything": ({"wrong": always}, "M3d M3 M4a M10a"),
    "plain Perceptron": ({"wrong": lambda score, *_: score <= 0}, "M1c"),
    "starts elsewhere": ({"start": (-9, 1, 1)}, "M1a M2c M2 M4c M5b M10a M10b"),
    "double steps": ({"step": 2}, "M1b M2a M3a M3b M3 M4a M4b M10a"),
    "a plain Perceptron that says it is done": (
        {"wrong": lambda score, *_: score <= 0, "start": (0, 0, 0), "finished": True},
        "M1c M1a M2c M2 M3d M5b M6"),
}  # fmt: skip


@pytest.mark.parametrize("broken", MUTATIONS)
def test_each_way_to_break_it_turns_the_right_claims_red(broken):
    changes, expected = MUTATIONS[broken]
    run = start_at_first(X, Y, HALF, **changes)
    assert red(claims.margin_bound(run, U, GAMMA)) == expected


def test_gamma_instead_of_half_of_it_is_found_out():
    A, labels, _ = separable(40, 2, 1 / 16, seed=3)
    best = separate(A, labels)
    for share, right in ((0.5, True), (1.0, False)):
        run = start_at_first(A, labels, closer_than(share * best.margin))
        assert claims.margin_bound(run, best.u, best.margin)["M3d"].holds == right


def test_an_update_at_exactly_half_of_gamma_is_found_out():
    """z_1·w/||w|| is 1 for w = (4, 0): far enough for gamma = 2."""
    A, labels = np.array([[4, 0], [1, 4]]), np.array([1, 1])
    assert margin_perceptron(A, labels, 2).mistakes == 0
    proof = claims.margin_bound(Run.recorded(A, labels, [1], [A[0], A[0] + A[1]]), [2, 1], 2)
    assert proof.failures == ["M3d fails at t = 1 (it was too close): 4 < 4 is false"]
    near = Run.recorded(A, labels, [1], [A[0] + 2.0**-40, A[0] + A[1] + 2.0**-40])
    failure = claims.margin_bound(near, [2, 1], 2)["M3d"].failure
    assert "~4 < ~4 (they differ by ~3.638e−12) is false" in failure


def test_a_false_gamma_or_eps_is_found_out():
    run = start_at_first(X, Y, HALF)
    with pytest.raises(ValueError, match=r"margin of at least gamma = 0\.25"):
        claims.margin_bound(run, U, Fraction(1, 4))
    # With eps as small as nothing, the bound on the length is that of another algorithm.
    assert red(claims.margin_bound(run, U, GAMMA, 0.9)) == "M3d M3 M4a M10a"


TOO_LONG = "M3d M3 M4a M5a M5 M10a M10b M10"


def again_and_again(n):
    """The same unit vector n times, which is added each time: a run too long for its theorem."""
    A = np.tile([1.0, 0.0], (n, 1))
    return start_at_first(A, np.ones(n, int), always)


def test_the_lengths_and_the_bound_can_fail_and_the_second_phase_begins_at_its_border():
    proof = claims.margin_bound(again_and_again(60), [1, 0], 1)
    assert red(proof) == TOO_LONG
    # ‖w_t‖ = t, and R²/(εγ) = 2
    assert claims.margin_bound(again_and_again(9), [1, 0], 1)["M4a"].checked == 8


FALSE_NUMBERS = [
    ({"gamma": lambda gamma: 1000 * gamma}, "M0a M2b M2c M2 M5b M5 M10"),
    ({"R2": lambda R2: R2 / 10**4}, "M0b M3c M3 M4c M4a M4b M5a M5 M10a M10b M10"),
]


@pytest.mark.parametrize(("changes", "expected"), FALSE_NUMBERS)
def test_false_numbers_turn_the_right_claims_red(changes, expected):
    with falsified(margin, **changes):
        assert red(claims.margin_bound(start_at_first(X, Y, HALF), U, GAMMA)) == expected


def test_every_claim_of_the_margin_bound_has_been_seen_to_fail():
    """All but Cauchy–Schwarz, which no run can break; its sides are checked below."""
    tables = [TOO_LONG, *(rows for _, rows in [*MUTATIONS.values(), *FALSE_NUMBERS])]
    done = start_at_first(X, Y, HALF, finished=True, passes=9)
    proof = claims.margin_bound(done, U, GAMMA)
    assert {c.row for c in proof} - set(" ".join(tables).split()) == {"M5c", "M4d"}


# --- every side of every line ----------------------------------------------------------------


@pytest.mark.parametrize("eps", [Fraction(1, 2), Fraction(1, 3)])
def test_each_side_is_what_its_statement_says(eps):
    """Recomputed from the record in floats, with a u that is neither whole nor of length 1."""
    run = margin_perceptron(X, Y, GAMMA, eps, max_passes=1)
    proof = claims.margin_bound(run, [Fraction(3, 7), 0, 0], GAMMA, eps)
    e, g, size_u, t = float(eps), float(GAMMA), 3 / 7, np.arange(1, run.mistakes + 1)
    z, w = (Y[:, None] * X)[run.updates], run.weights
    zu, wu, zw = size_u * z[:, 0], size_u * w[:, 0], np.sum(z * w[:-1], axis=1)
    z2, length = np.sum(z * z, axis=1), np.sqrt(np.sum(w * w, axis=1))
    now, after, R = length[:-1], length[1:], np.sqrt(np.sum(X * X, axis=1).max())
    far, H, zs = now >= R**2 / (e * g), np.cumsum(1 / t), Y[:, None] * X
    assert 0 < far.sum() < len(t) or eps != Fraction(1, 2)
    sides = {
        "M1c": (np.zeros(len(t) + 1), 0),
        "M0a": (size_u * zs[:, 0], g * size_u),
        "M0b": (np.sum(zs * zs, axis=1), R**2),
        "M1a": ([0], 0),
        "M1b": (0 * t, 0),
        "M2c": ([size_u * zs[0, 0]], g * size_u),
        "M4c": ([np.sqrt(zs[0] @ zs[0])], R),
        "M4d": (zw, np.sqrt(z2) * now),
        "M5c": (wu[1:], after * size_u),
        "M10a": (after, now + R**2 / (2 * t * g) + (1 - e) * g),
        "M10b": (after, R + R**2 / (2 * g) * H + t * (1 - e) * g),
        "M10": (e * t * g, R - g + R**2 / (2 * g) * H),
        "M2a": (wu[1:], wu[:-1] + zu),
        "M2b": (zu, g * size_u),
        "M2": (wu[1:], (t + 1) * g * size_u),
        "M3a": (after**2, now**2 + 2 * zw + z2),
        "M3b": (now * after, now**2 + zw + z2 / 2),
        "M3c": (z2, R**2),
        "M3d": (zw, (1 - e) * g * now),
        "M3": (now * after, now**2 + R**2 / 2 + (1 - e) * g * now),
        "M4a": (after[far], now[far] + (1 - e / 2) * g),
        "M4b": (after**2, (now + R) ** 2),
        "M5a": (after, R**2 / (e * g) + R + t * (1 - e / 2) * g),
        "M5b": ((t + 1) * g, after),
        "M5" if e == 0.5 else "M7": (t, 2 * (R / (e * g)) ** 2 + 2 * R / (e * g)),
    }
    assert sides.keys() == {claim.row for claim in proof}
    for row, (left, right) in sides.items():
        claim = proof[row]
        assert claim.checked == len(left), row
        np.testing.assert_allclose([float(v) for v in claim.lhs], left, 1e-9, 1e-9, err_msg=row)
        right = np.broadcast_to(right, np.shape(left))
        np.testing.assert_allclose([float(v) for v in claim.rhs], right, 1e-9, 1e-9, err_msg=row)


PASSED_OVER = [
    ([[4, 0], [1, 5]], [4, 0], 0),  # margin exactly 1 = (1 - 1/2)·2: far enough
    ([[4, 1], [-1, 8]], [4, 1], 1),  # 4/√17, the whole number next below √17
    ([[4, 0], [1, 5]], [0, 0], 2),  # at w = 0 everything is too close
]


@pytest.mark.parametrize(("examples", "start", "passed_over"), PASSED_OVER)
def test_what_was_passed_over_is_counted_exactly(examples, start, passed_over):
    run = Run.recorded(examples, [1, 1], [], [start], finished=True)
    proof = claims.margin_bound(run, [3, 4], 2)
    assert proof["M1c"].lhs == [passed_over]
    assert proof["M6"].holds == (passed_over == 0) or not any(start)
