"""What the library is held against: the Perceptron in ten lines of exact fractions, and a recorder
whose parts can be exchanged; and what several test modules share."""

import sys
import warnings
from contextlib import contextmanager
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import strategies as st

from perceptron_lib import Run, perceptron

engine = sys.modules["perceptron_lib.perceptron"]  # `perceptron_lib.perceptron` is the function

TIES = ["mistake", "negative", "positive"]


def dot(a, b):
    return sum(p * q for p, q in zip(a, b, strict=True))


def exactly(rows):
    """The rows in fractions."""
    return [[v if isinstance(v, Fraction) else Fraction(float(v)) for v in row] for row in rows]


def perceptron_in_fractions(
    X, y, tie="mistake", start=None, order=None, max_passes=1000, theta=0, gram=False
):
    """The list of updates and the number of passes.

    The order is one for all passes, or a function that gives that of the next.  With a threshold
    `theta`, an example is wrong if z·w < theta·||w||.  With `gram`, X is a Gram matrix.
    """
    Z = [[int(s) * v for v in row] for row, s in zip(exactly(X), y, strict=True)]
    w = [0] * len(Z[0]) if start is None else exactly([start])[0]
    updates, wrong_at_zero = [], [s != {"negative": -1, "positive": 1}.get(tie) for s in y]
    passes, before = 0, None
    while passes < max_passes and before != len(updates):
        passes, before = passes + 1, len(updates)
        for i in range(len(Z)) if order is None else order() if callable(order) else order:
            score = dot(Z[i], w)
            if theta:
                wrong = score <= 0 or score**2 < theta**2 * dot(w, w)
            else:
                wrong = score < 0 or (score == 0 and wrong_at_zero[i])
            if wrong:
                step = [int(y[i]) * (i == j) for j in range(len(w))] if gram else Z[i]
                w = [a + b for a, b in zip(w, step, strict=True)]
                updates.append(i)
    return updates, passes


def exact_run(X, y, tie="mistake", **options):
    """The library's run, which must make the updates of exact arithmetic in as many passes."""
    run = perceptron(X, y, tie, **options)
    right = perceptron_in_fractions(X, y, tie, **options | {"max_passes": run.passes})
    assert (run.updates.tolist(), run.passes) == right
    return run


def small_problems(count):
    """Few examples, separable or not: on a grid, or decimals, which round; and a start."""
    for seed in range(count):
        rng = np.random.default_rng(seed)
        unit, start_unit = 10 if seed % 2 else 1, 4 if seed % 4 == 2 else 3
        X, y = rng.integers(-3, 4, (6, 2)) / unit, rng.choice([-1, 1], 6)
        yield X, y, rng.integers(-2, 3, 2) / start_unit if seed % 3 else np.zeros(2)


def where_it_ends(X, y, start, max_passes):
    """The outcome, the passes and the last weights, with Brent's search for a cycle: the weights
    are compared with those after pass 0, 1, 3, 7, …"""
    Z, passed, w = np.array(exactly(X)) * np.array(y)[:, None], 0, np.array(exactly([start])[0])
    marks, mark = {2**k - 1 for k in range(40)}, w
    while passed < max_passes:
        updates, _ = perceptron_in_fractions(X, y, start=w, max_passes=1)
        w, passed = w + Z[updates].sum(axis=0), passed + 1
        if not updates:
            return "converged", passed, w
        if (w == mark).all():
            return "cycled", passed, w
        mark = w if passed in marks else mark
    return "stopped", passed, w


def ends_rightly(X, y, start):
    """How a run of 60 passes at most ends, which must be as it does in fractions."""
    run = perceptron(X, y, start=start, max_passes=60)
    outcome, passes, w = where_it_ends(X, y, start, 60)
    assert (run.outcome, run.passes) == (outcome, passes)
    assert run.w.tolist() == [float(v) for v in w]
    return outcome, passes


def signed_sum_is_zero(weights, X, y):
    """Whether sum_i weights_i y_i x_i = 0, in fractions."""
    factors = [int(c) * int(s) for c, s in zip(weights, y, strict=True)]
    return not any(dot(factors, column) for column in zip(*exactly(X), strict=True))


# --- data -----------------------------------------------------------------------------------------


@st.composite
def tables(draw, numbers, max_n=8, max_d=3):
    """(X, y) with entries drawn from `numbers`."""
    n, d = draw(st.integers(1, max_n)), draw(st.integers(1, max_d))
    X = [[draw(numbers) for _ in range(d)] for _ in range(n)]
    y = [draw(st.sampled_from([-1, 1])) for _ in range(n)]
    return np.array(X, dtype=float), np.array(y)


@st.composite
def near_ties(draw):
    """A few decimals, then copies, opposites and points one ulp away: scores that nearly vanish."""
    X, y = map(list, draw(tables(st.integers(-9, 9).map(lambda k: k / 10), max_n=4)))
    for _ in range(draw(st.integers(1, 5))):
        row = X[draw(st.integers(0, len(X) - 1))].copy()
        change = draw(st.sampled_from(["copy", "opposite", "ulp", "both"]))
        if change in ("opposite", "both"):
            row = -row
        if change in ("ulp", "both"):
            j = draw(st.integers(0, len(row) - 1))
            row[j] = np.nextafter(row[j], draw(st.sampled_from([-np.inf, np.inf])))
        X.append(row)
        y.append(draw(st.sampled_from([-1, 1])))
    return np.array(X), np.array(y)


@st.composite
def separable_integers(draw):
    """Random whole-number examples, labelled by a random whole-number u."""
    d = draw(st.integers(1, 4))
    vectors = st.lists(st.integers(-6, 6), min_size=d, max_size=d)
    u = draw(vectors.filter(any))
    rows = draw(st.lists(vectors, min_size=1, max_size=12))
    X = [x for x in rows if np.dot(x, u)] or [u]
    return X, [1 if np.dot(x, u) > 0 else -1 for x in X], u


# --- for the tests of claims ----------------------------------------------------------------------


def record(X, y, wrong=lambda score, *_: score <= 0, start=None, step=1, passes=1, finished=False):
    """The ten-line Perceptron with its parts exchangeable, as a recorded run.

    It adds step·z_i where ``wrong(score, w, i, updates so far)`` says so.
    """
    Z = np.asarray(X, dtype=float) * np.asarray(y)[:, None]
    updates, weights = [], [np.zeros(Z.shape[1]) if start is None else np.array(start, dtype=float)]
    for i in list(range(len(Z))) * passes:
        if wrong(Z[i] @ weights[-1], weights[-1], i, len(updates)):
            updates.append(i)
            weights.append(weights[-1] + step * Z[i])
    return Run.recorded(X, y, updates, weights, finished)


def always(*_):
    """A test for mistakes that finds one everywhere."""
    return True


@contextmanager
def falsified(module, **changes):
    """While it lasts, the claims that a module makes are about changed quantities: what no run can
    break, false numbers must."""
    honest = module.on_run

    def on_run(chain, q, *lines):
        for name, change in changes.items():
            setattr(q, name, change(getattr(q, name)))
        return honest(chain, q, *lines)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "on_run", on_run)
        yield


def red(proof):
    """The rows of the claims that are false somewhere."""
    return " ".join(claim.row for claim in proof if not claim.holds)


def sides(proof):
    """Both sides of every claim: {row: [(left, right) for each t]}."""
    return {claim.row: list(zip(claim.lhs, claim.rhs, strict=True)) for claim in proof}


# --- refusals -------------------------------------------------------------------------------------


def refusals(table, act=lambda call: call() if callable(call) else call[0](*call[1:])):
    """A test that each of the calls under a sentence is refused with it, in one line.

    A call is a function without arguments, or (function, *arguments); or what `act` makes one of.
    """
    rows = [pytest.param(call, says) for says, calls in table.items() for call in calls]

    @pytest.mark.parametrize(("call", "says"), rows)
    def test(call, says):
        with warnings.catch_warnings(), pytest.raises(ValueError, match=says) as error:
            warnings.simplefilter("error")
            act(call)
        assert "\n" not in str(error.value) and len(str(error.value)) < 200

    return test
