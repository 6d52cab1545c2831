"""The claims of a proof hold on every true run, and the right one fails on every false one."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perceptron_lib import (
    Claim,
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
    with pytest.raises(ValueError, match="example 1 is not of length 1"):
        claims.normalised_bound(perceptron([[1, 0], [2, 1]], [1, 1]), [1, 0])


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


# --- broken algorithms: which claim turns red -------------------------------------------------


def loop(X, y, start=None, wrong=lambda s, i, t: s <= 0, step=lambda z, x, label: z, passes=4):
    """The ten-line Perceptron with its parts exchangeable, as a recorded run."""
    w = np.zeros(X.shape[1]) if start is None else np.array(start, dtype=float)
    updates, weights = [], [w]
    for _ in range(passes):
        for i in range(len(X)):
            if wrong(y[i] * (w @ X[i]), i, len(updates)):
                w = w + step(y[i] * X[i], X[i], y[i])
                updates.append(i)
                weights.append(w)
    return Run.recorded(X, y, updates, weights)


X, Y, U = separable(40, 2, 1 / 32, seed=1)

MUTATIONS = {
    # what is broken: (the run, the arguments), the claims that must be red, some that stay green
    "nothing": (lambda: loop(X, Y, passes=9), {}, set(), {"A2a", "A2b", "P1", "P2", "P3b", "P5"}),
    "updates on correct examples": (
        lambda: loop(X, Y, wrong=lambda s, i, t: True), {}, {"P2b"}, {"A2a", "P1", "P2a"}
    ),
    "updates below a score of 1/2": (
        lambda: loop(X, Y, wrong=lambda s, i, t: s <= 0.5), {}, {"P2b"}, {"A2a", "P1", "P2a"}
    ),
    "does not start at zero": (
        lambda: loop(X, Y, start=-8 * U), {}, {"P3a", "P3b", "P3c"}, {"A2a", "P1", "P2"}
    ),
    "subtracts on positives": (
        lambda: loop(X, Y, step=lambda z, x, label: -x), {}, {"A2a", "P1a"}, {"P1b", "P2b", "P4"}
    ),
    "takes double steps": (
        lambda: loop(X, Y, step=lambda z, x, label: 2 * z), {}, {"A2a", "P1a", "P2a"}, {"P1", "P3b"}
    ),
    "skips a mistake": (
        lambda: loop(X, Y, wrong=lambda s, i, t: s <= 0 and not (t == 2 and i < 20)),
        {}, {"A2b"}, {"A2a", "P1", "P2", "P5"},
    ),
    "stops while there are mistakes, and calls it done": (
        lambda: loop(X, Y, passes=1), {}, {"A2b"}, {"A2a", "P1", "P2", "P5"}
    ),
    "gamma of another vector": (
        lambda: loop(X, Y, passes=9), {"gamma_u": Fraction(1, 8)}, {"P1b", "P1"}, {"P2", "P3c"}
    ),
    "R too small": (
        lambda: loop(X, Y, passes=9), {"R2": Fraction(1, 4)}, {"P2c", "P2"}, {"P1", "P3b", "P4"}
    ),
}


@pytest.mark.parametrize("broken", MUTATIONS)
def test_each_way_to_break_it_turns_the_right_claim_red(broken):
    run, given_numbers, red, green = MUTATIONS[broken]
    proof = claims.mistake_bound(run(), U, **given_numbers)
    failed = {claim.row for claim in proof if not claim.holds}
    assert red <= failed, f"{broken}: {failed}"
    assert not green & failed, f"{broken}: {failed}"
    assert proof.holds == (not failed)


def test_every_claim_of_the_mistake_bound_has_been_seen_to_fail():
    """All but Cauchy–Schwarz, which no numbers can break, and the bound itself: see below."""
    failed = set()
    for run, numbers, _, _ in MUTATIONS.values():
        failed |= {c.row for c in claims.mistake_bound(run(), U, **numbers) if not c.holds}
    rows = {c.row for c in claims.mistake_bound(perceptron(X, Y), U)}
    assert rows - failed <= {"P4", "P5a", "P5b", "P5"}


def test_the_bound_itself_fails_when_gamma_is_overstated():
    run = perceptron(X, Y)
    proof = claims.mistake_bound(run, U, gamma_u=1)
    assert not proof["P5"].holds and not proof["P5a"].holds and not proof["P5b"].holds


def test_cauchy_schwarz_can_fail_as_a_claim():
    claim = claims.mistake_bound(perceptron(X, Y), U)["P4"]
    false = Claim(claim.row, "", "", claim.relation, claim.right + 1, claim.left)
    assert not false.holds


@pytest.mark.parametrize("c", [1, longest(X)])
def test_broken_runs_with_a_bias(c):
    def red(run, b=0):
        return {claim.row[2:] for claim in claims.bias_bound(run, U, b, c) if not claim.holds}

    B = with_bias(X, c)
    assert red(loop(B, Y, passes=9)) == set()
    assert "b" in red(loop(B, Y, wrong=lambda s, i, t: True))
    assert {"d", "e", "h"} <= red(loop(B, Y, start=-99 * np.append(U, 0 * np.atleast_1d(c))))
    assert {"a", "f"} <= red(loop(B, Y, step=lambda z, x, label: 2 * z))


def test_a_failing_claim_names_the_first_t_and_both_numbers():
    proof = claims.mistake_bound(loop(X, Y, wrong=lambda s, i, t: True), U)
    sentence = proof["P2b"].failure
    assert sentence.startswith("P2b fails at t = ") and "≤ 0 is false" in sentence
    t = int(sentence.split("t = ")[1].split(":")[0])
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


def test_margins_need_a_separator():
    with pytest.raises(ValueError, match="does not separate"):
        bounds.margin2(X, Y, -U)


def test_bad_records():
    with pytest.raises(ValueError, match="2 updates make 3 weight vectors"):
        Run.recorded(X, Y, [0, 1], [[0, 0]])
    with pytest.raises(ValueError, match="from 0 to 39"):
        Run.recorded(X, Y, [40], [[0, 0], [1, 1]])


def test_a_record_of_a_true_run_is_that_run():
    run = perceptron(X, Y)
    copy = Run.recorded(X, Y, run.updates, run.weights)
    assert (copy.steps == run.steps).all() and copy.passes == run.passes
    assert (copy.w == run.w).all() and (copy.predict(X) == Y).all()
    assert repr(copy).endswith("as recorded")
