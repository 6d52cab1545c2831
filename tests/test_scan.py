"""Both scans keep the contract, and a run may use either without a difference."""

import math
import sys
import tracemalloc
import weakref

import numpy as np
import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

from perceptron_lib import kernel_perceptron, margin_perceptron, odd_max_bit, perceptron, scan
from tests.reference import perceptron_in_fractions

ROWS = np.array([[1.0, 0], [0, 1], [-1, 0], [2, 1], [0, -1], [1, 1], [-3, 1]])


def plainly(A, y, wrong_at_zero, dual, theta, v, order, at, tolerance, room):
    """The contract in a plain loop: the last place, the places of mistakes, whether undecided."""
    found = []
    while at < len(A) and len(found) < room:
        i = at if order is None else order[at]
        score = y[i] * (v[i] if dual else sum(A[i] * v)) - theta * math.sqrt(sum(v * v))
        if score < -tolerance or (score == tolerance == 0 and wrong_at_zero[i]):
            v += y[i] * A[i]
            found.append(at)
        elif abs(score) <= tolerance != 0:
            return at, found, True
        at += 1
    return at, found, False


@pytest.mark.usefixtures("each_way")
@settings(max_examples=300)
@drawn(data=st.data())
def test_the_contract_is_kept(data):
    """On small whole numbers, where no score is rounded."""
    draw, whole = data.draw, st.integers(-3, 3)
    n, dual = draw(st.integers(1, 30)), draw(st.booleans())
    d = n if dual else draw(st.integers(1, 4))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    A, v = rng.integers(-3, 4, (n, d)).astype(float), np.array([float(draw(whole))] * d)
    order = draw(st.sampled_from([None, rng.permutation(n)]))
    theta, wrong_at_zero = 0.0, rng.integers(0, 2, n) == 1
    if draw(st.booleans()):
        wrong_at_zero[:] = True
    tolerance, room = draw(st.sampled_from([0.0, 1.0, 2.0])), draw(st.integers(1, 20))
    if not dual and draw(st.booleans()):
        theta, tolerance = 0.7, 1.0 + 1e-9  # no score is that close to where it is undecided
    at, expected = draw(st.integers(0, n - 1)), v.copy()
    given = A, rng.choice([-1.0, 1.0], n), wrong_at_zero, dual, theta
    one = scan.faster(scan.Blocks(*given), 0.0)
    if isinstance(one, scan.Blocks):
        one.smallest, one.block = 1, draw(st.integers(1, 9))
    last, found, undecided = plainly(*given, expected, order, at, tolerance, room)
    new_at, made, is_undecided = one.go_on(v, order, at, tolerance, room)
    assert (new_at, made, is_undecided) == (last, len(found), undecided)
    assert one.found[:made].tolist() == found and (v == expected).all()


# --- which of the two is used ----------------------------------------------------------------


def test_a_long_run_turns_to_machine_code_and_later_runs_have_it_at_once(monkeypatch):
    blocks = scan.Blocks(ROWS, np.ones(7), np.ones(7, dtype=bool))
    monkeypatch.setattr(scan, "patience", 0.5)
    assert scan.faster(blocks, 0.4) is blocks
    fast = scan.faster(blocks, 0.6)
    assert isinstance(fast, scan.Compiled) and scan.faster(fast, 0.7) is fast
    assert isinstance(scan.faster(blocks, 0.0), scan.Compiled)


@pytest.mark.parametrize("broken", ["missing", "broken"])
def test_without_numba_a_run_goes_on_in_numpy(monkeypatch, tmp_path, broken):
    if broken == "missing":
        monkeypatch.setitem(sys.modules, "numba", None)
    else:
        (tmp_path / "numba.py").write_text("raise SystemError('made for another NumPy')")
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.delitem(sys.modules, "numba", raising=False)
    monkeypatch.delitem(sys.modules, "perceptron_lib.compiled", raising=False)
    monkeypatch.setattr(scan, "patience", 0.0)
    X, y, _ = odd_max_bit(4)
    assert perceptron(X, y).mistakes == 55
    assert scan.patience == math.inf


def test_each_way_is_the_way_it_says(each_way):
    one = scan.faster(scan.Blocks(ROWS, np.ones(7), np.ones(7, dtype=bool)), 0.0)
    assert isinstance(one, scan.Compiled if each_way == "compiled" else scan.Blocks)


def test_changing_over_in_the_middle_of_a_run_changes_nothing(monkeypatch):
    X, y, _ = odd_max_bit(5)
    clock = iter(range(1000))
    monkeypatch.setattr("time.perf_counter", lambda: next(clock))
    monkeypatch.setattr(scan, "patience", 3)
    assert perceptron(X, y).updates.tolist() == perceptron_in_fractions(X, y)[0]
    assert scan.patience == 0


# --- what is done with the data --------------------------------------------------------------


@pytest.mark.usefixtures("each_way")
def test_any_layout_of_the_data_will_do():
    rng = np.random.default_rng(1)
    X, y = rng.integers(-5, 6, (30, 4)).astype(float), rng.choice([-1, 1], 30)
    order = rng.permutation(30)
    expected = perceptron(X, y, order=order, max_passes=5).updates.tolist()
    wide, fixed = np.zeros((60, 8)), X.copy()
    wide[::2, ::2] = X
    fixed.setflags(write=False)
    for given in (np.asfortranarray(X), wide[::2, ::2], fixed, X.astype(np.int8), X.tolist()):
        for kind in (np.int64, np.int32, np.uint8):
            run = perceptron(given, y, order=order.astype(kind), max_passes=5)
            assert run.updates.tolist() == expected and (run.X == X).all()


@pytest.mark.usefixtures("each_way")
def test_a_run_keeps_its_own_data():
    X, y = np.array([[1.0, -0.0], [-0.0, 1.0], [1.0, 0.5]]), np.array([1, -1, -1])
    for run in (perceptron(X, y), margin_perceptron(X, y, 0.1, max_passes=5)):
        assert run.X.tobytes() == X.tobytes() and not np.shares_memory(run.X, X)
    K = X @ X.T
    assert not np.shares_memory(kernel_perceptron(K, y, max_passes=5).X, K)


def test_a_run_makes_one_copy_of_the_data_and_leaves_no_other():
    rng = np.random.default_rng(0)
    X = rng.integers(-100, 101, (40_000, 20)).astype(float)
    y = np.where(X[:, 0] > 0, 1, -1)
    tracemalloc.start()
    try:
        run = perceptron(X, y, max_passes=3)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert run.mistakes > 10 and peak < 1.5 * X.nbytes
    kept = weakref.ref(run.X)
    del run
    assert kept() is None
