"""The margin Perceptron: it halts, it reaches its margin, and its proof can fail."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perceptron_lib import Run, bounds, margin_perceptron
from perceptron_lib.examples import separable, xor
from perceptron_lib.lessons import margin
from perceptron_lib.lessons.margin import margin_stream
from perceptron_lib.separability import Inseparable, Separator, separate
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
    proof = margin.margin_bound(run, answer.u, answer.margin, eps)
    assert proof.holds, proof.failures
    assert repr(proof).count("✓") == len(proof.claims)
    R2, gamma2 = bounds.radius2(X), Fraction(answer.margin) ** 2
    sharp, closed = margin.sharper_vectors(R2, gamma2, eps)
    assert run.mistakes + 1 <= sharp <= closed <= margin.most_vectors(R2, gamma2, eps)
    for most in range(1, min(run.mistakes, 9) + 1):  # giving up, in the middle of a pass if need be
        cut = margin_perceptron(X, y, answer.margin, eps, order=order, max_updates=most)
        assert cut.outcome == "stopped" and cut.updates.tolist() == right[0][:most]
        assert cut.passes == (cut.steps[-1] + 1) // len(y) and (cut.w == run.weights[most]).all()


@pytest.mark.usefixtures("each_way")
def test_decisions_at_the_border():
    """A tiny start does not hide a margin.  Equality counts as far enough: z_1 = (3, 4) has margin
    5 = (1 - 1/2)·10 at the start; its neighbour has margin 0."""
    X, rng = [[2.0**-540, 0], [0.25, 1]], np.random.default_rng(0)
    run = margin_perceptron(X, [1, 1], 1, 0.5, order=rng, max_passes=1)
    assert run.updates.tolist() == [1, 0]
    run = margin_perceptron([[3, 4], [4, -3]], [1, 1], gamma=10, eps=0.5, max_passes=1)
    assert run.updates.tolist() == [1]


# --- unknown margins -------------------------------------------------------------------------


def half_in_fractions(X, y, passes):
    """What the run without gamma adds after its start, in ten lines of exact fractions."""
    Z = [[int(s) * v for v in row] for row, s in zip(reference.exactly(X), y, strict=True)]
    w, added = Z[0], [0]
    for i in list(range(len(Z))) * passes:
        score, size = reference.dot(Z[i], w), reference.dot(w, w)
        if size == 0 or 2 * len(added) * score < size:
            w = [a + b for a, b in zip(w, Z[i], strict=True)]
            added.append(i)
    return added[1:]


@settings(max_examples=80)
@given(reference.separable_integers(), st.sampled_from([1.0, 0.1, 1e-150, 1e150, 1e-300, 1e300]))
def test_m13_half_of_the_margin_is_reached_and_nobody_tells_it_gamma(examples, scale):
    X, y = np.array(examples[0]) * scale, examples[1]
    answer = separate(X, y)
    if isinstance(answer, Inseparable):  # a decimal scale may have moved a point across
        return
    run = margin_perceptron(X, y, max_passes=10**5)
    assert run.outcome == "converged"
    assert run.updates.tolist() == half_in_fractions(X, y, run.passes)
    proof = margin.free_bound(run, answer.u)
    assert proof.holds, proof.failures
    w, t = [Fraction(int(k)) for k in run.exact_weights[0][-1]], run.mistakes + 1
    scale2 = Fraction(4) ** run.exact_weights[1]
    certified2 = scale2 * reference.dot(w, w) / (2 * t) ** 2
    assert 4 * bounds.margin2(X, y, w) >= 4 * certified2 >= bounds.margin2(X, y, answer.u)


@pytest.mark.parametrize("seed", range(40))
def test_m13_on_any_data_the_updates_are_those_of_fractions(seed):
    """Mostly without a separator, where w may come back to 0."""
    rng = np.random.default_rng(seed)
    X, y = rng.integers(-2, 3, (6, 2)) / [1, 10][seed % 2], rng.choice([-1, 1], 6)
    X[0] = 1, 1
    run = margin_perceptron(X, y, max_passes=30)
    assert run.updates.tolist() == half_in_fractions(X, y, run.passes)
    assert (run.outcome == "converged") == isinstance(separate(X, y), Separator)


def test_m13_where_the_weights_come_back_to_0_it_goes_on():
    run = margin_perceptron([[1, 0], [1, 0]], [1, -1], max_passes=3)
    assert run.updates.tolist()[:2] == [1, 0] and run.outcome == "cycled"
    with pytest.raises(ValueError, match="eps must be left out where gamma is: the run asks for h"):
        margin_perceptron([[1, 0]], [1], eps=0.1)
    with pytest.raises(ValueError, match="the first example is the zero vector"):
        margin_perceptron(*xor()[:2])


def test_m12_the_adversary_comes_within_two_of_the_sharper_bound():
    for gamma, N in ((Fraction(1, 8), 159), (Fraction(1, 32), 2571)):
        stream = margin_stream(gamma)
        run = margin_perceptron(stream.X, stream.y, gamma, max_passes=1)
        sharp, closed = margin.sharper_vectors(1, gamma**2)
        assert run.mistakes + 1 == N <= sharp <= N + 2 < closed == 3 / gamma**2
    assert margin.sharper_vectors(1, 1, 0.999)[0] == 1  # as for the Perceptron itself


# --- broken runs -----------------------------------------------------------------------------

X, Y, U, GAMMA = *margin_stream(1 / 8), Fraction(1, 8)


def closer_than(threshold):
    return lambda score, w, *_: score < threshold * np.sqrt(w @ w)


def start_at_first(X, Y, wrong, /, **changes):
    return record(X, Y, **{"wrong": wrong, "start": Y[0] * X[0]} | changes)


HALF = closer_than(1 / 16)
MUTATIONS = {
    # what is broken, and exactly the claims that turn red
    "nothing": ({}, ""),
    "updates on everything": ({"wrong": always}, "M3d M11a M11b M3 M4a"),
    "plain Perceptron": ({"wrong": lambda score, *_: score <= 0}, "M1c"),
    "starts elsewhere": ({"start": (-9, 1, 1)}, "M1a M2c M2 M5b M4c M11b"),
    "double steps": ({"step": 2}, "M1b M2a M3a M11a M11b M3b M3 M4a M4b"),
    "a plain Perceptron that says it is done": (
        {"wrong": lambda score, *_: score <= 0, "start": (0, 0, 0), "finished": True},
        "M1c M1a M2c M2 M5b M3d M6"),
}  # fmt: skip


@pytest.mark.parametrize("broken", MUTATIONS)
def test_each_way_to_break_it_turns_the_right_claims_red(broken):
    changes, expected = MUTATIONS[broken]
    run = start_at_first(X, Y, HALF, **changes)
    assert red(margin.margin_bound(run, U, GAMMA)) == expected


def test_a_false_gamma_or_eps_is_found_out():
    run = start_at_first(X, Y, HALF)
    with pytest.raises(ValueError, match=r"margin of at least gamma = 0\.25"):
        margin.margin_bound(run, U, Fraction(1, 4))
    assert red(margin.margin_bound(run, U, GAMMA, 0.9)) == "M3d M11a M11b M11 M3 M4a M12"
    A, labels, _ = separable(40, 2, 1 / 16, seed=3)
    best = separate(A, labels)
    for share, right in ((0.5, True), (1.0, False)):  # of gamma
        run = start_at_first(A, labels, closer_than(share * best.margin))
        assert margin.margin_bound(run, best.u, best.margin)["M3d"].holds == right
    run = margin_perceptron(A, labels, best.margin, 0.1, max_updates=3)  # which gives up
    proof = margin.margin_bound(run, best.u, best.margin, 0.1)
    assert run.passes == 0 and proof.holds and proof["M1c"].checked == 4


def test_an_update_at_exactly_half_of_gamma_is_found_out():
    """z_1·w/||w|| is 1 for w = (4, 0): far enough for gamma = 2."""
    A, labels = np.array([[4, 0], [1, 4]]), np.array([1, 1])
    assert margin_perceptron(A, labels, 2).mistakes == 0
    proof = margin.margin_bound(Run.recorded(A, labels, [1], [A[0], A[0] + A[1]]), [2, 1], 2)
    assert proof.failures == ["M3d fails at t = 1 (it was too close): 4 < 4 is false"]
    near = Run.recorded(A, labels, [1], [A[0] + 2.0**-40, A[0] + A[1] + 2.0**-40])
    failure = margin.margin_bound(near, [2, 1], 2)["M3d"].failure
    assert "~4 < ~4 (they differ by ~3.638e−12) is false" in failure


TOO_LONG = "M3d M11a M11b M11 M3 M4a M5a M5 M12"


def test_a_run_too_long_for_its_theorem_and_the_border_of_the_second_phase():
    """The same unit vector 60 times, which is added each time: ‖w_t‖ = t, and R²/(εγ) = 2."""
    run = start_at_first(np.tile([1.0, 0.0], (60, 1)), np.ones(60, int), always)
    proof = margin.margin_bound(run, [1, 0], 1)
    assert proof["M4a"].checked == 59 and red(proof) == TOO_LONG


FALSE_NUMBERS = [
    ({"gamma": lambda gamma: 1000 * gamma}, "M0a M2b M2c M2 M5b M11 M5"),
    ({"len_u": lambda size: -size}, "M0c M5c"),
    ({"R": lambda R: -R}, "M4c M11b M0d M4b"),
    ({"eps": lambda eps: -eps}, "M0e M4a M5a"),
    ({"eps": lambda eps: eps + 1}, "M0f M3d M11a M11b M11 M3 M4a M5a M5"),
    ({"R2": lambda R2: R2 / 10**4}, "M0b M3c M4c M11a M11b M11 M3 M4a M4b M5a M5 M12"),
]


@pytest.mark.parametrize(("changes", "expected"), FALSE_NUMBERS)
def test_false_numbers_turn_the_right_claims_red(changes, expected):
    with falsified(margin, **changes):
        assert red(margin.margin_bound(start_at_first(X, Y, HALF), U, GAMMA)) == expected


FREE_MUTATIONS = {
    "nothing": ({}, ""),
    "plain Perceptron": ({"wrong": lambda score, *_: score <= 0}, "M1c"),
    "updates on everything": ({"wrong": always}, "M13a M13b M13c"),
    "double steps": ({"step": 2}, "M1b M2a M3a M13b M13c"),
    "starts elsewhere": ({"start": (-9, 1, 1)}, "M1a M2c M2 M5b M4c M13c"),
    "a plain Perceptron that says it is done": (
        {"wrong": lambda score, *_: score <= 0, "start": (0, 0, 0), "finished": True},
        "M1c M1a M2c M2 M5b M13d"),
}  # fmt: skip


def half_of_what_could_be():
    """A test of scores that counts what has been added, as the run does."""
    added = [1]

    def wrong(score, w, *_):
        small = score <= 0 or 2 * added[0] * score < w @ w
        added[0] += bool(small)
        return small

    return wrong


@pytest.mark.parametrize("broken", FREE_MUTATIONS)
def test_each_way_to_break_the_run_without_gamma_turns_the_right_claims_red(broken):
    changes, expected = FREE_MUTATIONS[broken]
    run = start_at_first(X, Y, half_of_what_could_be(), **changes)
    assert red(margin.free_bound(run, U)) == expected


def test_a_run_too_long_for_m13_is_found_out():
    run = start_at_first(np.tile([1.0, 0.0], (9, 1)), np.ones(9, int), always)
    assert red(margin.free_bound(run, [1, 0])) == "M13a M13b M13c M13"


def test_every_claim_of_the_margin_bound_has_been_seen_to_fail():
    """All but M4d, Cauchy–Schwarz, which no run can break; its sides are checked below."""
    tables = [TOO_LONG, *(rows for _, rows in [*MUTATIONS.values(), *FALSE_NUMBERS])]
    done = start_at_first(X, Y, HALF, finished=True, passes=9)
    proof = margin.margin_bound(done, U, GAMMA)
    assert {c.row for c in proof} - set(" ".join(tables).split()) == {"M4d"}


@pytest.mark.parametrize("eps", [Fraction(1, 2), Fraction(1, 3)])
def test_each_side_is_what_its_statement_says(eps):
    """Recomputed from the record in floats, with a u that is neither whole nor of length 1."""
    run = margin_perceptron(X, Y, GAMMA, eps, max_passes=1)
    proof = margin.margin_bound(run, [Fraction(3, 7), 0, 0], GAMMA, eps)
    e, g, size_u, t = float(eps), float(GAMMA), 3 / 7, np.arange(1, run.mistakes + 1)
    z, w = (Y[:, None] * X)[run.updates], run.weights
    zu, wu, zw = size_u * z[:, 0], size_u * w[:, 0], np.sum(z * w[:-1], axis=1)
    z2, length = np.sum(z * z, axis=1), np.sqrt(np.sum(w * w, axis=1))
    now, after, R = length[:-1], length[1:], np.sqrt(np.sum(X * X, axis=1).max())
    far, zs = now >= R**2 / (e * g), Y[:, None] * X
    assert 0 < far.sum() < len(t) or eps != Fraction(1, 2)
    sides = {
        "M1c": (np.zeros(len(t) + 1), 0), "M1a": ([0], 0), "M1b": (0 * t, 0),
        "M0a": (size_u * zs[:, 0], g * size_u), "M0b": (np.sum(zs * zs, axis=1), R**2),
        "M0c": ([0], g * size_u), "M0d": ([0], R), "M0e": ([0], e), "M0f": ([e], 1),
        "M2a": (wu[1:], wu[:-1] + zu), "M2b": (zu, g * size_u),
        "M2c": ([size_u * zs[0, 0]], g * size_u), "M2": (wu[1:], (t + 1) * g * size_u),
        "M3a": (after**2, now**2 + 2 * zw + z2), "M3b": (now * after, now**2 + zw + z2 / 2),
        "M3c": (z2, R**2), "M3d": (zw, (1 - e) * g * now),
        "M3": (now * after, now**2 + R**2 / 2 + (1 - e) * g * now),
        "M4a": (after[far], now[far] + (1 - e / 2) * g), "M4b": (after**2, (now + R) ** 2),
        "M4c": ([np.sqrt(zs[0] @ zs[0])], R), "M4d": (zw, np.sqrt(z2) * now),
        "M5a": (after, R**2 / (e * g) + R + t * (1 - e / 2) * g), "M5b": ((t + 1) * g, after),
        "M5c": (wu[1:], after * size_u),
        "M5" if e == 0.5 else "M7": (t, 2 * (R / (e * g)) ** 2 + 2 * R / (e * g)),
        "M11a": (after**2, (now + (1 - e) * g) ** 2 + R**2),
        "M11b": (after, (t + 1) * (1 - e) * g + R * np.sqrt(t + 1)),
        "M11": (t + 1, (R / (e * g)) ** 2), "M12": (t + 1, (1 + e) / (2 * e**2) * (R / g) ** 2),
    }  # fmt: skip
    assert sides.keys() == {claim.row for claim in proof}
    for row, both in sides.items():
        exact = [[float(v) for v in side] for side in (proof[row].lhs, proof[row].rhs)]
        np.testing.assert_allclose(exact, np.broadcast_arrays(*both), 1e-9, 1e-9, err_msg=row)


PASSED_OVER = [
    ([[4, 0], [1, 5]], [4, 0], 0),  # margin exactly 1 = (1 - 1/2)·2: far enough
    ([[4, 1], [-1, 8]], [4, 1], 1),  # 4/√17, the whole number next below √17
    ([[4, 0], [1, 5]], [0, 0], 2),  # at w = 0 everything is too close
]


@pytest.mark.parametrize(("examples", "start", "passed_over"), PASSED_OVER)
def test_what_was_passed_over_is_counted_exactly(examples, start, passed_over):
    run = Run.recorded(examples, [1, 1], [], [start], finished=True)
    proof = margin.margin_bound(run, [3, 4], 2)
    assert proof["M1c"].lhs == [passed_over]
    assert proof["M6"].holds == (passed_over == 0) or not any(start)
