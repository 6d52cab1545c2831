"""Without a perfect separator: the bounds hold for every comparator, and their checks can fail."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perceptron_lib import Run, bounds, claims, fewest_errors, perceptron, with_bias
from perceptron_lib.claims import noise
from perceptron_lib.examples import flip_labels, separable
from perceptron_lib.separability import Separator, separate
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


@settings(max_examples=120)
@given(noisy_streams(), st.fractions(Fraction(1, 20), 20), st.sampled_from(TIES), st.booleans())
def test_all_bounds_hold_for_every_gamma_order_and_tie(stream, gamma_u, tie, backwards):
    X, y, u = stream
    order = list(range(len(y)))[::-1] if backwards else None
    run = perceptron(X, y, tie, order=order, max_passes=1)
    for proof in (claims.hinge_bound(run, u, gamma_u), claims.deviation_bound(run, u, gamma_u)):
        assert proof.holds, proof.failures
    R2, u2 = bounds.radius2(X), sum(v * v for v in u)
    short = [max(gamma_u - s, 0) for s in bounds.scores(X, y, u)]
    M = run.mistakes
    assert bounds.hinge_mistakes(R2, u2, sum(short), gamma_u) >= M
    assert bounds.hinge_root(R2, u2, sum(short), gamma_u) >= M
    squares = sum(s * s for s in short)
    assert bounds.deviation_mistakes(R2, u2, squares, gamma_u) >= M


def test_with_gamma_u_one_it_is_the_hinge_loss():
    X, y, u = flip_labels(separable(40, 2, 0.1, seed=1), 5)
    run = perceptron(X, y, max_passes=1)
    v = 3 * u
    bound = claims.hinge_bound(run, v)["H4"].rhs[0]
    square = sum(Fraction(float(k)) ** 2 for k in v)
    assert bound == bounds.radius2(X) * square + 2 * bounds.hinge_loss(X, y, v)
    loss = np.maximum(1 - y * (X @ v), 0).sum()
    assert abs(float(bounds.hinge_loss(X, y, v)) - loss) < 1e-9


def test_the_numbers_of_the_hinge_chain_by_hand():
    """x = 1 (+), 2 (−), 1 (+) and u = 1, γ = 1: scores 1, −2, 1; d = 0, 3, 0; TD = 3, R = 2.

    Scores before each update: 0, then −2 with w = 1, so w = −1; then −1, so w = 0.
    """
    run = perceptron([[1], [2], [1]], [1, -1, 1], max_passes=1)
    assert run.weights.ravel().tolist() == [0, 1, -1, 0]
    assert sides(claims.hinge_bound(run, [1])) == {
        "A2b": [(0, 0)] * 4, "A2a": [(0, 0)] * 3, "P0b": [(1, 4), (4, 4), (1, 4)],
        "H2": [(0, 0), (3, 3), (0, 0)], "H2a": [(0, 3), (3, 3), (3, 3)],
        "P1a": [(1, 1), (-1, -1), (0, 0)], "H3a": [(1, 1), (-2, -2), (1, 1)], "P3a": [(0, 0)],
        "H3b": [(1, 1), (-1, -1), (0, 0)], "H3": [(1, -2), (-1, -1), (0, 0)],
        "P2a": [(1, 1), (1, 1), (0, 0)], "P2b": [(0, 0), (-2, 0), (-1, 0)],
        "P2c": [(1, 4), (4, 4), (1, 4)], "P2": [(1, 4), (1, 5), (0, 5)],
        "P3c": [(1, 4), (1, 8), (0, 12)], "P4": [(1, 1), (1, 1), (0, 0)],
        "H4a": [(-2, 2), (-1, root(8)), (0, root(12))],
        "H4c": [(1, 9), (2, 9), (3, 9)], "H4": [(1, 10), (2, 10), (3, 10)],
    }  # fmt: skip


def test_the_numbers_of_the_lifted_chain_by_hand():
    """The same stream: D = 3, and Δ² is R·D or nearly so.  The lifted u is (1, 0, −3/Δ, 0)."""
    run = perceptron([[1], [2], [1]], [1, -1, 1], max_passes=1)
    lifted = claims.deviation_bound(run, [1])
    delta2 = lifted["H5g"].rhs[0] - 4
    assert float(delta2) == pytest.approx(6)
    bound = (4 + delta2) * (1 + 9 / delta2)
    R2, u2 = 4 + delta2, 1 + 9 / delta2
    one, two = 1 + delta2, 4 + delta2  # squared lengths of the lifted examples
    squares = [one, one - 4 + two, one - 4 + two - 2 + one]  # of w_2, w_3, w_4
    assert sides(lifted) == {
        "H5a": [(0, 0)], "A2b": [(0, 0)] * 4, "A2a": [(0, 0)] * 3,
        "H5b": [(1, 1)] * 3, "H5i": [(0, 0), (3, 3), (0, 0)], "H5f": [(1, 1)] * 3,
        "H5c": [(one, one), (two, two), (one, one)], "H5h": [(1, 4), (4, 4), (1, 4)],
        "H5g": [(one, R2), (two, R2), (one, R2)],
        "P1a": [(1, 1), (2, 2), (3, 3)], "P1b": [(1, 1)] * 3, "P1": [(1, 1), (2, 2), (3, 3)],
        "P2a": [(v, v) for v in squares], "P2b": [(0, 0), (-2, 0), (-1, 0)],
        "P2c": [(one, R2), (two, R2), (one, R2)],
        "P2": [(v, w + R2) for v, w in zip(squares, [0, *squares], strict=False)],
        "P3a": [(0, 0)], "P3b": [(1, 1), (2, 2), (3, 3)],
        "P3c": [(v, t * R2) for t, v in enumerate(squares, 1)],
        "P4": [(t * t, v * u2) for t, v in enumerate(squares, 1)],
        "P5a": [(1, 1), (4, 4), (9, 9)], "P5b": [(t * t, t * R2 * u2) for t in (1, 2, 3)],
        "P5": [(t, bound) for t in (1, 2, 3)], "H5d": [(u2, u2)],
        "H5e": [(t, bound) for t in (1, 2, 3)], "H5": [(t, 25) for t in (1, 2, 3)],
    }  # fmt: skip


def test_the_numbers_with_other_units():
    """u = 2 and γ||u|| = 3: scores 2, −4, 2; short by 1, 7, 1; R² = 4, D²||u||² = 51."""
    run = perceptron([[1], [2], [1]], [1, -1, 1], max_passes=1)
    proof = claims.deviation_bound(run, [2], 3)
    delta2 = proof["H5g"].rhs[0] - 4
    assert float(delta2) == pytest.approx(51**0.5)  # R·D
    assert sides(proof)["H5i"] == [(1, 1), (7, 7), (1, 1)]
    assert sides(proof)["H5f"] == [(3, 3)] * 3 and sides(proof)["H5h"] == [(1, 4), (4, 4), (1, 4)]
    assert proof["H5b"].lhs == proof["H5b"].rhs == [3] * 3
    assert proof["H5d"].lhs == proof["H5d"].rhs == [4 + 51 / delta2]
    assert proof["H5e"].rhs == [(4 + delta2) * (4 + 51 / delta2) / 9] * 3
    assert float(proof["H5"].rhs[0]) == pytest.approx(((4 + 51**0.5) / 3) ** 2)
    assert float(proof["H5e"].rhs[0]) == pytest.approx(float(proof["H5"].rhs[0]))  # the best Δ
    assert proof["P5"].lhs == [1, 2, 3] and proof["P5"].rhs == proof["H5e"].rhs
    hinge = claims.hinge_bound(run, [2], np.int64(3))
    solved = ((4 + (16 + 4 * 3 * 9) ** 0.5) / 6) ** 2
    assert hinge.holds and float(hinge["H4c"].rhs[0]) == pytest.approx(solved)
    assert hinge["H4"].rhs[0] == Fraction(16, 9) + 6
    assert sides(hinge.lines("H2", "H2a", "H3a", "H3b", "H3")) == {
        "H2": [(1, 1), (7, 7), (1, 1)], "H2a": [(1, 9), (8, 9), (9, 9)],
        "H3a": [(2, 2), (-4, -4), (2, 2)], "H3b": [(2, 2), (-2, -2), (0, 0)],
        "H3": [(2, -6), (-2, -3), (0, 0)],
    }  # fmt: skip
    assert sides(hinge.lines("H4a")) == {
        "H4a": [(-6, 4), (-3, 2 * root(8)), (0, 2 * root(12))]
    }  # fmt: skip


def test_extreme_scales():
    X, y, u = SAMPLE
    for scale in (1e-300, 1e-150, 1e150, 1e300):
        run = perceptron(X * scale, y, max_passes=1)
        assert claims.hinge_bound(run, u, Fraction(scale)).holds
        assert claims.deviation_bound(run, u, Fraction(scale)).holds


SAMPLE = flip_labels(separable(60, 3, 0.1, seed=1), 8, seed=2)
MUTATIONS = {
    # what is broken, and exactly the claims that turn red
    "nothing": ({}, ""),
    "starts elsewhere": ({"start": -99 * SAMPLE.u}, "P3a H3b H3 P3c H4a H4c"),
    "updates on everything": ({"wrong": always}, "P2b P2 P3c H4a H4c"),
    "steps too far": ({"step": -40}, "A2a P1a H3b H3 P2a P2 P3c H4a H4c"),
    "passes over every mistake": (
        {"wrong": lambda score, *_: score > 0, "start": SAMPLE.u},
        "A2b P3a P2b P2 P3c H4a H4c",
    ),
}


@pytest.mark.parametrize("broken", MUTATIONS)
def test_each_way_to_break_it_turns_the_right_claims_red(broken):
    changes, expected = MUTATIONS[broken]
    run = record(*SAMPLE[:2], **changes)
    assert red(claims.hinge_bound(run, SAMPLE.u, 1)) == expected


TIMES = {name: lambda v, k=k: v * k for name, k in (("100", 100), ("1/1000", Fraction(1, 1000)))}
FALSE_NUMBERS = [
    # quantities that are changed, and exactly the claims that turn red
    ({"g": TIMES["100"]}, "H2 H3a H3b H3 H4a H4c"),
    ({"each_d": lambda d: d - 1}, "H2"),
    ({"d": lambda d: 0 * d}, "H3a"),
    ({"sum_d": TIMES["100"]}, "H2a"),
    ({"sum_d": lambda d: 0 * d}, "H3b"),
    ({"TD": lambda d: 0}, "H2a H3 H4a"),
    ({"R2": TIMES["1/1000"]}, "P0b P2c P2 P3c"),
]
FALSE_LIFTS = [
    ({"plain_zu": lambda zu: zu + 1}, "H5b"),
    ({"each_d": lambda d: d - 1}, "H5b H5i"),
    ({"Delta2": TIMES["100"]}, "H5c H5d"),
    ({"plain_z2": TIMES["100"]}, "H5c H5h"),
    ({"g": TIMES["100"]}, "H5i H5f P1b P1 P3b P5a P5b P5"),
    ({"R2": TIMES["1/1000"]}, "H5g P2c P2 P3c P5b P5"),
    ({"plain_gamma2": TIMES["100"]}, "H5e H5"),
    ({"next_w": lambda w: w + 1}, "A2a"),
    ({"next_wu": lambda wu: wu - 1}, "P1a P1 P3b P5a"),
    ({"next_w2": TIMES["100"]}, "P2a P2 P3c"),
    ({"zw": lambda zw: zw + 10}, "P2a P2b"),
    ({"start": lambda w: w + 1}, "P3a"),
]


@pytest.mark.parametrize(("changes", "expected"), FALSE_NUMBERS)
def test_false_numbers_turn_the_right_claims_red(changes, expected):
    run = perceptron(*SAMPLE[:2], max_passes=1)
    with falsified(noise, **changes):
        assert red(claims.hinge_bound(run, SAMPLE.u, 1)) == expected


@pytest.mark.parametrize(("changes", "expected"), FALSE_LIFTS)
def test_false_numbers_of_the_lift_turn_the_right_claims_red(changes, expected):
    run = perceptron(*SAMPLE[:2], max_passes=1)
    with falsified(noise, **changes):
        assert red(claims.deviation_bound(run, SAMPLE.u, 1)) == expected


def test_every_claim_of_both_bounds_has_been_seen_to_fail():
    """All but Cauchy–Schwarz, which no run can break; and that the lifted run, which the library
    makes itself, passes over no mistake."""
    run = perceptron(*SAMPLE[:2], max_passes=1)
    failed = [TOO_MANY, *(rows for _, rows in [*MUTATIONS.values(), *FALSE_NUMBERS])]
    rows = {claim.row for claim in claims.hinge_bound(run, SAMPLE.u)}
    assert rows - set(" ".join(failed).split()) == {"P4"}
    failed = [TOO_MANY_FOR_THE_LIFT, *(rows for _, rows in FALSE_LIFTS)]
    rows = {claim.row for claim in claims.deviation_bound(run, SAMPLE.u)}
    assert rows - set(" ".join(failed).split()) == {"P4", "A2b"}


TOO_MANY, TOO_MANY_FOR_THE_LIFT = "P2b P2 P3c H4a H4c H4", "H5a H5e H5"


def test_the_bounds_themselves_can_fail():
    """The same good example forever: an algorithm that updates on it anyway makes too many.
    And a record with as many updates, but other ones, is found out."""
    run = Run.recorded([[1.0], [1.0]], [1, 1], [1], [[0.0], [1.0]])
    assert not claims.deviation_bound(run, [1])["H5a"].holds
    run = record(np.tile([1.0, 0.0], (50, 1)), np.ones(50, int), always)
    assert red(claims.hinge_bound(run, [1, 0])) == TOO_MANY
    assert red(claims.deviation_bound(run, [1, 0])) == TOO_MANY_FOR_THE_LIFT


GAMMAS = st.fractions(Fraction(1, 20), 40, max_denominator=20)


@settings(max_examples=300)
@given(noisy_streams(), GAMMAS, GAMMAS)
def test_h6_the_sharp_bound_is_the_smaller_one_where_the_lift_bound_falls(stream, g, later):
    """The lift bound falls, and then rises: so a smaller value to the right means that it falls."""
    g, later = sorted([g, later])
    (one, lift), (other, later_lift) = (bounds.sharp_and_lift(*stream, v) for v in (g, later))
    assert one <= lift if later_lift < lift else other >= later_lift or later_lift == lift


@settings(max_examples=200)
@given(noisy_streams(), GAMMAS)
def test_h6_for_every_gamma_some_sharp_bound_is_not_above_the_lift_bound(stream, g):
    """Another proof of H6 names it: γ is lowered until as many are short as the bound allows."""
    X, y, u = stream
    _, lift = bounds.sharp_and_lift(X, y, u, g)
    k = sum(m <= lift for m in range(1, len(y) + 1))
    lower = min([g, *sorted(bounds.scores(X, y, u))[k : k + 1]])
    assert lower > 0 and bounds.sharp_and_lift(X, y, u, lower)[0] <= lift


@settings(max_examples=60)
@given(noisy_streams(), GAMMAS)
def test_the_exact_bounds_are_those_of_the_proofs_and_of_the_pictures(stream, g):
    X, y, u = stream
    sharp, lift = bounds.sharp_and_lift(X, y, u, g)
    run = perceptron(X, y, max_passes=1)
    if run.mistakes:
        assert claims.hinge_bound(run, u, g)["H4c"].rhs[0] == sharp
        assert claims.deviation_bound(run, u, g)["H5"].rhs[0] == lift
    drawn = bounds.by_gamma(X, y, u, [float(g) / float(sum(v * v for v in u)) ** 0.5])
    assert drawn["sharp hinge bound"][0] == pytest.approx(float(sharp), rel=1e-9)
    assert drawn["lift bound"][0] == pytest.approx(float(lift), rel=1e-9)


@settings(max_examples=60)
@given(noisy_streams())
def test_the_best_gamma_is_the_best(stream):
    X, y, u = stream
    if not np.any(X):
        return
    R2, u2, s = bounds.radius2(X), sum(v * v for v in u), bounds.scores(X, y, u)

    def bound(g):
        return bounds.hinge_mistakes(R2, u2, sum(max(g - v, 0) for v in s), g)

    best = bounds.best_gamma_u(X, y, u)
    if best is None:  # then no γ beats the trivial bound 2n, approached as γ grows
        assert sum(s) <= 0 and all(bound(Fraction(k)) >= 2 * len(s) for k in (1, 10, 1000))
    else:
        for factor in (Fraction(1, 3), Fraction(99, 100), Fraction(101, 100), 3):
            assert bound(best) <= bound(best * factor)


@settings(max_examples=80)
@given(noisy_streams(), st.lists(st.fractions(0, 1), min_size=10, max_size=10), st.fractions())
def test_no_comparator_goes_below_the_floor_that_multipliers_prove(stream, multipliers, factor):
    X, y, u = stream
    if np.any(X):
        v, R2 = [factor * k for k in u], bounds.radius2(X)
        bound = bounds.hinge_mistakes(R2, sum(k * k for k in v), bounds.hinge_loss(X, y, v))
        assert bounds.hinge_floor(X, y, multipliers[: len(y)]) <= bound


def test_the_floor_can_be_reached():
    """One example, z = 2: the bound 4v² + 2·max(0, 1 - 2v) is least at v = 1/2."""
    assert bounds.hinge_floor([[2]], [1], [1]) == bounds.hinge_mistakes(4, Fraction(1, 4), 0) == 1
    with pytest.raises(ValueError, match="numbers from 0 to 1"):
        bounds.hinge_floor([[2]], [1], [Fraction(3, 2)])


def is_separable(X, y):
    return isinstance(separate(X, y), Separator)


def test_fewest_errors_is_how_many_examples_must_go():
    """By a slower way: leave out as few examples as possible, so that the rest is separable."""
    rng = np.random.default_rng(0)
    for _ in range(60):
        X, y = rng.integers(-4, 5, (8, 2)).astype(float), rng.choice([-1, 1], 8)
        left = (list(k) for n in range(8, -1, -1) for k in itertools.combinations(range(8), n))
        most = next(k for k in left if not k or is_separable(with_bias(X[k]), y[k]))
        assert fewest_errors(X, y)[0] == 8 - len(most)


SHUFFLED = perceptron([[1]], [1], order=np.random.default_rng(0), max_passes=1)
XY = [[1, 2]], [1]
test_bad_input_gets_one_clear_sentence = refusals({
    "for one pass": [(claims.hinge_bound, perceptron([[1]], [1]), [1])],
    "needs a run in a known order": [(claims.deviation_bound, SHUFFLED, [1])],
    "2 coordinates": [(fewest_errors, [[1]], [1])],
    "200 examples at most": [(fewest_errors, np.zeros((201, 2)), np.ones(201))],
    "not be the zero vector": [lambda: bounds.by_gamma(*XY, [0, 0], [1])],
    "gamma must be above 0": [lambda: bounds.by_gamma(*XY, [1, 0], [0.0])],
    "does not separate": [lambda: bounds.margin2([[1]], [1], [0], b=1)],
})  # fmt: skip


def test_a_comparator_may_be_an_iterator_and_of_any_length():
    X, y = [[3, 0], [-1, 5]], [1, -1]
    assert bounds.margin2(X, y, iter([2, 0])) == 1
    assert bounds.best_gamma_u(X, y, iter([2, 0])) == bounds.best_gamma_u(X, y, [2, 0])
    expected = bounds.by_gamma(X, y, [1, 0], [0.5, 2])
    for u in ([1e200, 0], [1e-200, 0], iter([2, 0])):
        found = bounds.by_gamma(X, y, u, [0.5, 2])
        assert found.keys() == expected.keys()
        assert all(found[name].tolist() == expected[name].tolist() for name in expected)
    assert bounds.by_gamma(X, y, [1, 0], 2)["lift bound"] == expected["lift bound"][1]
