"""Without a perfect separator: the bounds hold for every comparator, and their checks can fail."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perceptron_lib import Run, bounds, perceptron, separable
from perceptron_lib.lessons import noise
from perceptron_lib.surd import root
from tests.reference import TIES, always, falsified, record, red, refusals, sides


@st.composite
def noisy_streams(draw):
    """Whole-number examples with any labels, and any u but 0."""
    d = draw(st.integers(1, 3))
    vectors = st.lists(st.integers(-5, 5), min_size=d, max_size=d)
    X = draw(st.lists(vectors, min_size=1, max_size=10))
    y = draw(st.lists(st.sampled_from([-1, 1]), min_size=len(X), max_size=len(X)))
    return X, y, draw(vectors.filter(any))


def simple_bound(X, y, u, g=1):
    total = sum(max(g - s, 0) for s in bounds.scores(X, y, u))
    return noise.hinge_mistakes(bounds.radius2(X), sum(Fraction(v) ** 2 for v in u), total, g)


@settings(max_examples=120)
@given(noisy_streams(), st.fractions(Fraction(1, 20), 20), st.sampled_from(TIES), st.booleans())
def test_all_bounds_hold_for_every_gamma_order_and_tie(stream, gamma_u, tie, backwards):
    X, y, u = stream
    order = list(range(len(y)))[::-1] if backwards else None
    run = perceptron(X, y, tie, order=order, max_passes=1)
    for proof in (noise.hinge_bound(run, u, gamma_u), noise.deviation_bound(run, u, gamma_u)):
        assert proof.holds, proof.failures
    allowed = *noise.sharp_and_lift(*stream, gamma_u), simple_bound(*stream, gamma_u)
    assert all(bound >= run.mistakes for bound in allowed)


def test_with_gamma_u_one_it_is_the_hinge_loss():
    X, y, u = noise.flip_labels(separable(40, 2, 0.1, seed=1), 5)
    run, v = perceptron(X, y, max_passes=1), 3 * u
    bound, loss = noise.hinge_bound(run, v)["H4"].rhs[0], np.maximum(1 - y * (X @ v), 0).sum()
    assert bound == simple_bound(X, y, v)
    assert float(bound) == pytest.approx((X * X).sum(axis=1).max() * (v @ v) + 2 * loss, rel=1e-12)


def test_the_numbers_of_both_chains_by_hand():
    """x = 1 (+), 2 (−), 1 (+); w = 0, 1, −1, 0.  u = 2 and γ||u|| = 3: scores 2, −4, 2; short by
    1, 7, 1.  So R = 2, γ = 3/2, TD = 9/2, D² = 51/4, and Δ² is R·D or nearly so."""
    run = perceptron([[1], [2], [1]], [1, -1, 1], max_passes=1)
    hinge, lifted = noise.hinge_bound(run, [2], np.int64(3)), noise.deviation_bound(run, [2], 3)
    assert {row: pairs for row, pairs in sides(hinge).items() if row[0] == "H"} == {
        "H2": [(1, 1), (7, 7), (1, 1)], "H2b": [(0, 3)], "H2a": [(1, 9), (8, 9), (9, 9)],
        "H3a": [(2, 2), (-4, -4), (2, 2)], "H3b": [(2, 2), (-2, -2), (0, 0)],
        "H3": [(2, -6), (-2, -3), (0, 0)], "H4a": [(-6, 4), (-3, 2 * root(8)), (0, 2 * root(12))],
        "H4c": [(t, (35 + 4 * root(31)) / 9) for t in (1, 2, 3)],
        "H4": [(t, Fraction(16, 9) + 6) for t in (1, 2, 3)],
    }  # fmt: skip
    delta2 = lifted["H5k"].rhs[0]
    R2, u2 = 4 + delta2, 4 + 51 / delta2
    assert float(delta2) == pytest.approx(51**0.5)
    assert {row: pairs for row, pairs in sides(lifted).items() if row[0] == "H"} == {
        "H5a": [(0, 0)], "H5b": [(3, 3)] * 3, "H5i": [(1, 1), (7, 7), (1, 1)], "H5f": [(3, 3)] * 3,
        "H5c": [(1 + delta2, 1 + delta2), (R2, R2), (1 + delta2, 1 + delta2)],
        "H5h": [(1, 4), (4, 4), (1, 4)], "H5g": [(1 + delta2, R2), (R2, R2), (1 + delta2, R2)],
        "H5j": [(0, 3)], "H5k": [(0, delta2)], "H5d": [(u2, u2)],
        "H5e": [(t, R2 * u2 / 9) for t in (1, 2, 3)],
        "H5": [(t, (67 + 8 * root(51)) / 9) for t in (1, 2, 3)],
    }  # fmt: skip
    assert sides(lifted)["P5"] == sides(lifted)["H5e"]


def test_extreme_scales():
    X, y, u = SAMPLE
    for scale in (1e-300, 1e-150, 1e150, 1e300):
        run = perceptron(X * scale, y, max_passes=1)
        assert noise.hinge_bound(run, u, Fraction(scale)).holds
        assert noise.deviation_bound(run, u, Fraction(scale)).holds


SAMPLE = noise.flip_labels(separable(60, 3, 0.1, seed=1), 8, seed=2)
STREAM = perceptron(*SAMPLE[:2], max_passes=1)
MUTATIONS = {
    # what is broken, and exactly the claims that turn red
    "nothing": ({}, ""),
    "starts elsewhere": ({"start": -99 * SAMPLE.u}, "P3a H3b H3 P3c H4a H4c"),
    "updates on everything": ({"wrong": always}, "P2b P2 P3c H4a H4c"),
    "steps too far": ({"step": -40}, "A2a P1a H3b H3 P2a P2 P3c H4a H4c"),
    "passes over every mistake": ({"wrong": lambda score, *_: score > 0, "start": SAMPLE.u},
                                  "A2b P3a P2b P2 P3c H4a H4c"),
}  # fmt: skip


@pytest.mark.parametrize("broken", MUTATIONS)
def test_each_way_to_break_it_turns_the_right_claims_red(broken):
    changes, expected = MUTATIONS[broken]
    assert red(noise.hinge_bound(record(*SAMPLE[:2], **changes), SAMPLE.u, 1)) == expected


TIMES = {name: lambda v, k=Fraction(name): v * k for name in ("100", "1/1000", "-1")}
FALSE_NUMBERS = [
    # quantities that are changed, and exactly the claims that turn red; of the hinge bound
    ({"g": TIMES["100"]}, "H2 H3a H3b H3 H4a H4c"), ({"g": TIMES["-1"]}, "H2b"),
    ({"each_d": lambda d: d - 1}, "H2"), ({"d": lambda d: 0 * d}, "H3a"),
    ({"sum_d": TIMES["100"]}, "H2a"), ({"sum_d": lambda d: 0 * d}, "H3b"),
    ({"TD": lambda d: 0}, "H2a H3 H4a"), ({"R2": TIMES["1/1000"]}, "P0b P2c P2 P3c"),
]  # fmt: skip
FALSE_LIFTS = [
    ({"plain_zu": lambda zu: zu + 1}, "H5b"), ({"each_d": lambda d: d - 1}, "H5b H5i"),
    ({"Delta2": TIMES["100"]}, "H5c H5d"), ({"Delta2": TIMES["-1"]}, "H5c H5k H5d"),
    ({"g": TIMES["-1"]}, "H5j"), ({"g": TIMES["100"]}, "H5i H5f P1b P1 P3b P5a P5b P5"),
    ({"plain_z2": TIMES["100"]}, "H5c H5h"), ({"plain_gamma2": TIMES["100"]}, "H5e H5"),
    ({"R2": TIMES["1/1000"]}, "H5g P2c P2 P3c P5b P5"), ({"next_w": lambda w: w + 1}, "A2a"),
    ({"next_wu": lambda wu: wu - 1}, "P1a P1 P3b P5a"), ({"next_w2": TIMES["100"]}, "P2a P2 P3c"),
    ({"zw": lambda zw: zw + 10}, "P2a P2b"), ({"start": lambda w: w + 1}, "P3a"),
]  # fmt: skip


@pytest.mark.parametrize(("bound", "changes", "expected"), [
    *((noise.hinge_bound, *row) for row in FALSE_NUMBERS),
    *((noise.deviation_bound, *row) for row in FALSE_LIFTS),
])  # fmt: skip
def test_false_numbers_turn_the_right_claims_red(bound, changes, expected):
    with falsified(noise, **changes):
        assert red(bound(STREAM, SAMPLE.u, 1)) == expected


TOO_MANY, TOO_MANY_FOR_THE_LIFT = "P2b P2 P3c H4a H4c H4", "H5a H5e H5"


def test_the_bounds_themselves_can_fail():
    """The same good example forever: an algorithm that updates on it anyway makes too many.
    And a record with as many updates, but other ones, is found out."""
    run = Run.recorded([[1.0], [1.0]], [1, 1], [1], [[0.0], [1.0]])
    assert not noise.deviation_bound(run, [1])["H5a"].holds
    run = record(np.tile([1.0, 0.0], (50, 1)), np.ones(50, int), always)
    assert red(noise.hinge_bound(run, [1, 0])) == TOO_MANY
    assert red(noise.deviation_bound(run, [1, 0])) == TOO_MANY_FOR_THE_LIFT


@pytest.mark.parametrize(("bound", "failed", "never"), [
    (noise.hinge_bound, [("", TOO_MANY), *MUTATIONS.values(), *FALSE_NUMBERS], {"P4"}),
    (noise.deviation_bound, [("", TOO_MANY_FOR_THE_LIFT), *FALSE_LIFTS], {"P4", "A2b"}),
])  # fmt: skip
def test_every_claim_of_both_bounds_has_been_seen_to_fail(bound, failed, never):
    """All but Cauchy–Schwarz, which no run can break; and that the lifted run, which the library
    makes itself, passes over no mistake."""
    red_rows = {row for _, rows in failed for row in rows.split()}
    assert {claim.row for claim in bound(STREAM, SAMPLE.u)} - red_rows == never


GAMMAS = st.fractions(Fraction(1, 20), 40, max_denominator=20)


@settings(max_examples=300)
@given(noisy_streams(), GAMMAS, GAMMAS)
def test_h6_the_sharp_bound_is_the_smaller_one_where_the_lift_bound_falls(stream, g, later):
    """The lift bound falls, and then rises: so a smaller value to the right means that it falls."""
    g, later = sorted([g, later])
    (one, lift), (other, later_lift) = (noise.sharp_and_lift(*stream, v) for v in (g, later))
    assert one <= lift if later_lift < lift else other >= later_lift or later_lift == lift


@settings(max_examples=200)
@given(noisy_streams(), GAMMAS)
def test_h6_for_every_gamma_some_sharp_bound_is_not_above_the_lift_bound(stream, g):
    """Another proof of H6 names it: γ is lowered until as many are short as the bound allows."""
    X, y, u = stream
    _, lift = noise.sharp_and_lift(X, y, u, g)
    k = sum(m <= lift for m in range(1, len(y) + 1))
    lower = min([g, *sorted(bounds.scores(X, y, u))[k : k + 1]])
    assert lower > 0 and noise.sharp_and_lift(X, y, u, lower)[0] <= lift


@settings(max_examples=60)
@given(noisy_streams(), GAMMAS)
def test_the_exact_bounds_are_those_of_the_proofs_and_of_the_pictures(stream, g):
    X, y, u = stream
    run, (sharp, lift) = perceptron(X, y, max_passes=1), noise.sharp_and_lift(X, y, u, g)
    if run.mistakes:
        assert noise.hinge_bound(run, u, g)["H4c"].rhs[0] == sharp
        assert noise.deviation_bound(run, u, g)["H5"].rhs[0] == lift
    gammas = [float(g) / float(sum(v * v for v in u)) ** 0.5]
    drawn, of_longer_u = (noise.by_gamma(X, y, [v * k for v in u], gammas) for k in (1, 2.0**600))
    assert drawn == of_longer_u  # a comparator may be of any length
    assert drawn["sharp hinge bound"][0] == pytest.approx(float(sharp), rel=1e-9)
    assert drawn["lift bound"][0] == pytest.approx(float(lift), rel=1e-9)


@settings(max_examples=60)
@given(noisy_streams().filter(lambda stream: np.any(stream[0])))
def test_the_best_gamma_is_the_best(stream):
    best = noise.best_gamma_u(*stream)
    if best is None:  # then no γ beats the trivial bound 2n, approached as γ grows
        assert sum(bounds.scores(*stream)) <= 0
        assert all(simple_bound(*stream, Fraction(k)) >= 2 * len(stream[1]) for k in (1, 10, 1000))
    else:
        for factor in (Fraction(1, 3), Fraction(99, 100), Fraction(101, 100), 3):
            assert simple_bound(*stream, best) <= simple_bound(*stream, best * factor)


@settings(max_examples=80)
@given(noisy_streams(), st.lists(st.fractions(0, 1), min_size=10, max_size=10), st.fractions())
def test_no_comparator_goes_below_the_floor_that_multipliers_prove(stream, multipliers, factor):
    X, y, u = stream
    if np.any(X):
        bound = simple_bound(X, y, [factor * k for k in u])
        assert noise.hinge_floor(X, y, multipliers[: len(y)]) <= bound


def test_the_floor_can_be_reached():
    """One example, z = 2: the bound 4v² + 2·max(0, 1 - 2v) is least at v = 1/2."""
    assert noise.hinge_floor([[2]], [1], [1]) == noise.hinge_mistakes(4, Fraction(1, 4), 0) == 1


@settings(max_examples=120)
@given(noisy_streams(), st.fractions(-3, 3), st.integers(1, 6))
def test_h10_every_shortfall_is_paid_once_at_every_update_of_many_passes(stream, size, passes):
    X, y, u = stream
    run, v = perceptron(X, y, max_passes=passes), [size * k for k in u]
    L = np.cumsum([max(0, 1 - bounds.scores(X, y, v)[i]) for i in run.updates] or [0])
    a2 = bounds.radius2(X) * sum(k * k for k in v)
    over = [t - loss - a2 for t, loss in enumerate(L[: run.mistakes], 1)]
    assert all(o <= 0 or o * o <= a2 * loss for o, loss in zip(over, L, strict=False))


SHUFFLED = perceptron([[1]], [1], order=np.random.default_rng(0), max_passes=1)
test_bad_input_gets_one_clear_sentence = refusals({
    "for one pass": [(noise.hinge_bound, perceptron([[1]], [1]), [1])],
    "needs a run in a known order": [(noise.deviation_bound, SHUFFLED, [1])],
    "numbers from 0 to 1": [(noise.hinge_floor, [[2]], [1], [Fraction(3, 2)])],
})  # fmt: skip
