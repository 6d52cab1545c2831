"""All scans keep the contract, and a run may use any of them without a difference."""

import math
import sys
import tracemalloc
import weakref
from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from perceptron_lib import kernel_perceptron, margin_perceptron, odd_max_bit, perceptron, scan
from perceptron_lib.compiled import loop
from perceptron_lib.exact import sqrt_above
from perceptron_lib.examples import row_lengths, signed
from perceptron_lib.perceptron import _Arithmetic, _KernelArithmetic, _MarginArithmetic
from tests.reference import perceptron_in_fractions, small_problems, where_it_ends

ROWS = np.array([[1.0, 0], [0, 1], [-1, 0], [2, 1], [0, -1], [1, 1], [-3, 1]])
YES = np.ones(7, dtype=bool)
dual_form_pays = _Arithmetic.dual_form_pays  # as it is, before a fixture forces it


def plainly(
    Z, wrong_at_zero, dual, unit, theta, v, order, at, end, last, mark, tolerance, room
):
    """The contract in a plain loop."""
    found, n = [], len(Z)
    while at < end:
        if len(found) == room:
            break
        i = at % n if order is None else order[at % n]
        score = (v[i] if dual else sum(Z[i] * v)) - theta * math.sqrt(sum(v * v))
        if score < -tolerance or (score == tolerance == 0 and wrong_at_zero[i]):
            v += Z[i]
            found.append(at)
            last = at
        elif abs(score) <= tolerance != 0:
            return at, found, True
        at += 1
        if at % n == 0 and (last < at - n or max(abs(v - mark)) <= unit * tolerance):
            break
    return at, found, False


@pytest.mark.parametrize("compiled", [False, True])
@settings(max_examples=400)
@drawn(data=st.data())
def test_the_contract_is_kept(compiled, data):
    """On small whole numbers, where no score is rounded."""
    draw = data.draw
    n, dual = draw(st.integers(1, 30)), draw(st.booleans())
    d = n if dual else draw(st.integers(1, 4))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    Z, v = (rng.integers(-3, 4, shape).astype(float) for shape in ((n, d), d))
    order = draw(st.sampled_from([None, rng.permutation(n)]))
    unit, theta, wrong_at_zero = 2.0, 0.0, rng.integers(0, 2, n) == 1
    if draw(st.booleans()):
        wrong_at_zero[:] = True
    tolerance, room = draw(st.sampled_from([0.0, 1.0, 2.0])), draw(st.integers(1, 60))
    if not dual and draw(st.booleans()):
        theta, tolerance = 0.7, 1.0 + 1e-9  # no score is that close to where it is undecided
    passes, place = draw(st.integers(0, 3)), draw(st.integers(0, n - 1))
    at, end = passes * n + place, (passes + draw(st.integers(1, 4))) * n
    last = at - 1 - draw(st.integers(0, 2 * n))
    mark, expected = v + rng.integers(-1, 2, d) * draw(st.integers(0, 4)), v.copy()
    given = Z, wrong_at_zero, dual, unit, theta
    one = (scan.Scores if dual else scan.Blocks)(*given)
    if compiled:
        one = scan.Compiled(one, loop)
    elif not dual:
        one.smallest, one.block = 1, draw(st.integers(1, 9))
    right = plainly(*given, expected, order, at, end, last, mark, tolerance, room)
    at, found, undecided = one.go_on(v, order, at, end, last, mark, tolerance, room)
    assert (at, list(found), undecided) == right and (v == expected).all()


def test_a_compiled_scan_has_room_for_so_many_mistakes():
    Z, end = np.array([[1.0], [-1.0]]), 20_000
    one = scan.Compiled(scan.Blocks(Z, np.ones(2, dtype=bool)), loop)
    v, steps, at = np.zeros(1), [], 0
    while at < end:
        mark = np.array([9.0])
        at, found, _ = one.go_on(v, None, at, end, at - 1, mark, 0.0, 10**9)
        steps.extend(found)
    assert steps == list(range(end))  # every step is a mistake: 0 and 1 in turn


# --- which one is used -----------------------------------------------------------------------


def test_a_long_run_turns_to_machine_code_and_later_runs_have_it_at_once(monkeypatch):
    blocks = scan.Blocks(ROWS, YES)
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


def test_each_way_is_the_way_it_says(each_way, monkeypatch):
    kinds = {"blocks": scan.Blocks, "scores": scan.Scores, "compiled": scan.Compiled}
    used = spy(monkeypatch, *kinds.values())
    X, y, _ = odd_max_bit(4)
    perceptron(X, y)
    assert {type(one) for one, *_ in used} == {kinds[each_way]}


def spy(monkeypatch, *ways):
    """What is asked of scans, and what they found."""
    asked = []
    for way in ways:

        def go_on(self, *given, plain=way.go_on):
            at, found, undecided = plain(self, *given)
            asked.append((self, given, len(found)))
            return at, found, undecided

        monkeypatch.setattr(way, "go_on", go_on)
    return asked


def test_a_run_of_many_mistakes_among_few_examples_turns_to_the_dual_form(monkeypatch):
    monkeypatch.setattr(scan, "patience", math.inf)
    monkeypatch.setattr(_Arithmetic, "dual_form_pays", dual_form_pays)
    used = spy(monkeypatch, scan.Blocks, scan.Scores)
    X, y, _ = odd_max_bit(7)
    run = perceptron(X, y)
    dual = [one.dual for one, *_ in used]
    assert not dual[0] and dual[-1] and dual == sorted(dual)  # once, and for good
    assert run.updates.tolist() == perceptron_in_fractions(X, y)[0]


def test_changing_over_in_the_middle_of_a_run_changes_nothing(monkeypatch):
    """To the dual form after so many mistakes, and to machine code after so many calls."""
    used, changes = spy(monkeypatch, scan.Blocks, scan.Scores, scan.Compiled), set()
    for mistakes, calls in product([1, 4, 9, 10**9], [2, 3, 5, 10**9]):
        for X, y, start in small_problems(24):

            def dual_form_pays(self, M, least=mistakes):
                return isinstance(self.scan, scan.Blocks) and least < M

            clock = iter(range(1000))
            monkeypatch.setattr(_Arithmetic, "dual_form_pays", dual_form_pays)
            monkeypatch.setattr("time.perf_counter", lambda clock=clock: next(clock))
            monkeypatch.setattr(scan, "patience", calls)
            run = perceptron(X, y, start=start, max_passes=60)
            outcome, passes, w = where_it_ends(X, y, start, 60)
            assert (run.outcome, run.passes) == (outcome, passes)
            assert run.w.tolist() == [float(v) for v in w]
            changes |= set(pairwise((type(one), one.dual) for one, *_ in used))
            used.clear()
    blocks, scores = (scan.Blocks, False), (scan.Scores, True)
    assert {(old, new) for old, new in changes if old != new} == {
        (blocks, scores), (blocks, (scan.Compiled, False)), (scores, (scan.Compiled, True)),
    }


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
    askew = np.frombuffer(b"-" + X.tobytes(), dtype=np.uint8)[1:].view(float).reshape(X.shape)
    assert not askew.flags.aligned
    layouts = np.asfortranarray(X), wide[::2, ::2], fixed, askew, X.astype(">f8")
    for given in (*layouts, X.astype(np.int8), X.tolist()):
        for kind in (np.int64, np.int32, np.uint8):
            run = perceptron(given, y, order=order.astype(kind), max_passes=5)
            assert run.updates.tolist() == expected and (run.X == X).all()


@drawn(
    X=arrays(float, st.tuples(st.integers(1, 9), st.integers(1, 9)), elements=st.floats(width=64)),
    seed=st.integers(0, 99),
)
def test_machine_code_signs_and_measures_as_numpy_does(X, seed):
    y = np.random.default_rng(seed).choice([-1, 1], len(X))
    both = []
    for patience in (0.0, math.inf):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(scan, "patience", patience)
            try:
                both.append(signed(X, y))
            except ValueError as error:
                both.append(str(error))
    one, two = both
    if isinstance(two, str):
        assert one == two and not np.isfinite(X).all()
        return
    assert np.isfinite(X).all() and one[0].tobytes() == two[0].tobytes() == (X.T * y).T.tobytes()
    assert one[2] == two[2] or abs(one[2] / two[2] - 1) < 1e-14


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
    kept = weakref.ref(run.Z)
    del run
    assert kept() is None


# --- when a score is undecided -----------------------------------------------------------------


def engines(Z, start):
    """The arithmetic of the three Perceptrons, as they use it; of the first in both forms."""
    yes, R = np.ones(len(Z), dtype=bool), row_lengths(Z).max()
    primal, dual = (_Arithmetic(Z, R, start, yes) for _ in range(2))
    dual.dual_form()
    margin = _MarginArithmetic(Z, R, start, Fraction(1, 10))
    return primal, dual, margin, _KernelArithmetic(Z[:5], yes[:5])


@pytest.mark.parametrize("size", [1.0, 1e-290, 1e290])
def test_the_tolerance_covers_every_rounding(size):
    """By the textbook: k roundings of terms whose sizes sum to S err by at most k·u·S/(1 - k·u)."""
    rng = np.random.default_rng(3)
    Z, d, u = rng.normal(size=(9, 5)) * size, 5, Fraction(1, 2**53)
    for primal, dual, margin, kernel in [engines(Z, Z[0] / 3), engines(Z, Z[1])]:
        rows = [[Fraction(v) for v in row] for row in primal.scan.Z.tolist()]
        start2 = sum(Fraction(v) ** 2 for v in primal.start.tolist())
        R2 = max(sum(v * v for v in row) for row in rows)
        R = Fraction(sqrt_above(R2))
        largest = max(abs(Fraction(v)) for row in kernel.scan.Z.tolist() for v in row)
        theta = Fraction(margin.float_theta)
        for M in (1, 7, 1000, 10**6):
            k = d + M + 1  # w was rounded M times, then d products and d - 1 sums
            allowed = k * u / (1 - k * u)
            assert Fraction(primal.tolerance(M)) ** 2 >= allowed**2 * R2 * (start2 + M * R2)
            # At some time the score was computed from w, and then M inner products were added.
            length = Fraction(sqrt_above(start2 + M * R2))
            added = M * (d * u / (1 - d * u) * R2 + u / (1 - M * u) * R * length)
            assert Fraction(dual.tolerance(M)) >= allowed * R * length + added
            length2 = (M + 1) ** 2 * R2
            rough = allowed**2 * length2 * (R2 + theta**2)
            assert Fraction(margin.tolerance(M)) ** 2 >= rough
            assert Fraction(kernel.tolerance(M)) >= M * u / (1 - M * u) * M * largest


def test_the_tolerance_grows_with_the_updates(each_way, monkeypatch):
    """A scan gets no more room than its tolerance is good for."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(3000, 2)), rng.choice([-1, 1], 3000)
    asked = spy(monkeypatch, scan.Blocks, scan.Scores, scan.Compiled)
    run = perceptron(X, y, max_passes=3)
    engine, M = _Arithmetic(X, row_lengths(X).max(), np.zeros(2), y != 0), 0
    engine.scan.dual = each_way == "scores"
    for _, (*_, tolerance, _), made in asked:
        last = max(M + made - 1, M)  # the last update was found before it changed w
        assert tolerance >= engine.tolerance(last)
        M += made
    assert M == run.mistakes > 3000


def test_sums_are_called_exact_no_longer_than_they_are():
    for L in (3, 2**20 + 1, 2**24 + 1, 2**26 - 1):
        Z, yes = np.array([[float(L), 1.0], [1.0, -1.0]]), np.ones(2, dtype=bool)
        engine = _Arithmetic(Z, row_lengths(Z).max(), np.array([5.0, 0.0]), yes)
        engine._find_grid()
        M, R2 = engine.exact_until, L * L + 1
        assert 5 * L + M * R2 <= 2**53 < 2 * (5 * L + (M + 2) * R2)
        kernel = _KernelArithmetic(np.array([[float(L), 1.0], [1.0, 1.0]]), yes)
        kernel._find_grid()
        M = kernel.exact_until
        assert M * L <= 2**53 < (M + 1) * L


@pytest.mark.usefixtures("each_way")
def test_where_sums_begin_to_round_the_updates_are_still_exact():
    """Numbers of 24 to 28 bits, whose inner products have 53 bits after a few updates; and many
    scores are 0, since each example comes with those at right angles to it and to sums with it."""
    rng, late = np.random.default_rng(5), 0
    for bits in (24, 25, 26, 27, 28):
        for _ in range(8):
            p, q = rng.integers(2 ** (bits - 1), 2**bits, (2, 2)) | 1
            X = np.array([p, q, p + q, p - q, 2 * p + q, p, q, p + q, p - q, 2 * p + q])
            X[5:] = X[5:, ::-1] * [-1, 1]
            X, y = X.astype(float), rng.choice([-1, 1], 10)
            run = perceptron(X, y, max_passes=60)
            right, passes = perceptron_in_fractions(X, y, max_passes=run.passes)
            assert run.updates.tolist() == right and run.passes == passes
            late += run.mistakes > 2**53 / (X**2).sum(axis=1).max()
    assert late > 20


@pytest.mark.usefixtures("each_way")
def test_a_margin_beyond_all_floats_is_never_reached():
    X, y = [[1e-200], [-1e-200], [-1e-200], [1e-200]], [1, 1, 1, 1]  # w is 0 in between
    run = margin_perceptron(X, y, Fraction(10) ** 400, max_passes=1)
    assert run.updates.tolist() == [0, 1, 2, 3]
