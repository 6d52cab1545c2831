"""Both scans keep the contract, and a run may use either without a difference."""

import math
import sys
import tracemalloc
import weakref
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

from perceptron_lib import kernel_perceptron, margin_perceptron, odd_max_bit, perceptron, scan
from perceptron_lib.perceptron import _Arithmetic, _KernelArithmetic, _MarginArithmetic
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


# --- when a score is undecided -----------------------------------------------------------------


def engines(X, y, start):
    """The arithmetic of the three Perceptrons, as they use it."""
    yes = np.ones(len(y), dtype=bool)
    yield _Arithmetic(X, y, start, yes)
    yield _MarginArithmetic(X, y, start, Fraction(1, 10))
    yield _KernelArithmetic(np.outer(X[:, 0], y), y, yes)


@pytest.mark.parametrize("size", [1.0, 1e-290, 1e290])
def test_the_tolerance_covers_every_rounding(size):
    """By the textbook: k roundings of terms whose sizes sum to S err by at most k·u·S/(1 - k·u)."""
    rng = np.random.default_rng(3)
    X, y, d, u = rng.normal(size=(9, 5)) * size, rng.choice([-1, 1], 9), 5, Fraction(1, 2**53)
    for plain, margin, kernel in [engines(X, y, X[0] / 3), engines(X, y, X[1])]:
        A = [[Fraction(v) for v in row] for row in plain.scan.A.tolist()]
        start2 = sum(Fraction(v) ** 2 for v in plain.start.tolist())
        R2 = max(sum(v * v for v in row) for row in A)
        largest = max(abs(Fraction(v)) for row in kernel.scan.A.tolist() for v in row)
        theta = Fraction(margin.float_theta)
        for M in (1, 7, 1000, 10**6):
            k = d + M + 1  # w was rounded M times, then d products and d - 1 sums
            allowed = k * u / (1 - k * u)
            assert Fraction(plain.tolerance(M)) ** 2 >= allowed**2 * R2 * (start2 + M * R2)
            length2 = (M + 1) ** 2 * R2
            rough = allowed**2 * length2 * (R2 + theta**2)
            assert Fraction(margin.tolerance(M)) ** 2 >= rough
            assert Fraction(kernel.tolerance(M)) >= M * u / (1 - M * u) * M * largest


@pytest.mark.usefixtures("each_way")
def test_the_tolerance_grows_with_the_updates(monkeypatch):
    """A scan gets no more room than its tolerance is good for."""
    asked = []
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(3000, 2)), rng.choice([-1, 1], 3000)
    for way in (scan.Blocks, scan.Compiled):
        plain = way.go_on

        def go_on(self, v, order, at, tolerance, room, plain=plain):
            at, made, undecided = plain(self, v, order, at, tolerance, room)
            asked.append((tolerance, made))
            return at, made, undecided

        monkeypatch.setattr(way, "go_on", go_on)
    run = perceptron(X, y, max_passes=3)
    engine, M = _Arithmetic(X, y, np.zeros(2), y != 0), 0
    for tolerance, made in asked:
        last = max(M + made - 1, M)  # the last update was found before it changed w
        assert tolerance >= engine.tolerance(last)
        M += made
    assert M == run.mistakes > 3000


def test_sums_are_called_exact_no_longer_than_they_are():
    for largest in (3, 2**20 + 1, 2**24 + 1, 2**26 - 1):
        X, y = np.array([[float(largest), 1.0], [1.0, -1.0]]), np.array([1, 1])
        engine = _Arithmetic(X, y, np.array([5.0, 0.0]), y != 0)
        engine._find_grid()
        M = engine.exact_until
        assert 2 * largest * (5 + M * largest) <= 2**53 < 2 * largest * (5 + (M + 1) * largest)
        kernel = _KernelArithmetic(np.array([[float(largest), 1.0], [1.0, 1.0]]), y, y != 0)
        kernel._find_grid()
        M = kernel.exact_until
        assert M * largest <= 2**53 < (M + 1) * largest


@pytest.mark.usefixtures("each_way")
def test_a_margin_beyond_all_floats_is_never_reached():
    X, y = [[1e-200], [-1e-200], [-1e-200], [1e-200]], [1, 1, 1, 1]  # w is 0 in between
    run = margin_perceptron(X, y, Fraction(10) ** 400, max_passes=1)
    assert run.updates.tolist() == [0, 1, 2, 3]
