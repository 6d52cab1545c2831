"""Both engines make the updates of exact arithmetic, and a run may change from one to the other."""

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
from hypothesis.extra.numpy import arrays

from perceptron_lib import fast, kernel_perceptron, margin_perceptron, perceptron, signs
from perceptron_lib.exact import column_sums, sqrt_above
from perceptron_lib.examples import odd_max_bit
from tests import reference
from tests.reference import TIES, engine, exact_run, lookahead, perceptron_in_fractions


def plainly(data, weights, order, room, span, kind, known):
    """The contract of `fast.loop` in plain Python, for lists of any length."""
    (X, y, at_zero), (v, mark), found, n = data, weights, [], len(data[0])
    (at, end, last, room, M), (R2, _, exact_until) = span, known
    while at < end and len(found) < room:
        i = order[at % n] if len(order) else at % n
        R2 = max(R2, sum(X[i] ** 2))
        error = fast.tolerance.py_func(kind, R2, M, exact_until)
        score = y[i] * sum(X[i] * v) - kind[0] * math.sqrt(sum(v * v))
        if abs(score) <= error != 0:
            return at, found, True, R2
        if score < 0 or (score == 0 and y[i] != at_zero):
            v += y[i] * X[i]
            found.append((at, i))
            last, M = at, M + 1
        at += 1
        slack = 2 * fast.tolerance.py_func(kind, R2, M, exact_until)
        if at % n == 0 and (last < at - n or max(abs(v - mark)) * math.sqrt(R2) <= slack):
            break
    return at, found, False, R2


@settings(max_examples=400)
@drawn(data=st.data())
def test_the_loop_keeps_its_contract(data):
    """On small whole numbers, where no score is rounded; with roundings far too large, so that many
    scores are in doubt."""
    draw = data.draw
    n, d = draw(st.integers(1, 30)), draw(st.integers(1, 4))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    X, v = (rng.integers(-3, 4, shape).astype(float) for shape in ((n, d), d))
    y, at_zero = rng.choice([-1, 1], n), draw(st.sampled_from([-1, 0, 1]))
    order = draw(st.sampled_from([np.empty(0, int), np.arange(n), rng.permutation(n)]))
    theta = draw(st.sampled_from([0.0, 0.7]))
    rounding, room = draw(st.sampled_from([1e-9, 0.001, 0.01])), draw(st.integers(1, 60))
    exact_until = -1 if theta else draw(st.integers(-1, 9))
    passes, place = draw(st.integers(0, 3)), draw(st.integers(0, n - 1))
    at, end = passes * n + place, (passes + draw(st.integers(1, 4))) * n
    last = at - 1 - draw(st.integers(0, 2 * n))
    measured = draw(st.booleans())
    seen = X if measured else X[order[:place] if len(order) else slice(place)]
    R2 = float((seen**2).sum(axis=1).max(initial=0))
    mark, expected = v + rng.integers(-1, 2, d) * draw(st.integers(0, 4)), v.copy()
    found, span = np.empty((2, 60), dtype=np.int64), (at, end, last, room, draw(st.integers(0, 9)))
    kind = theta, d, math.sqrt(v @ v), rounding
    asked = order, found, span, kind, (R2, measured, exact_until)
    right = plainly((X, y, at_zero), (expected, mark), *asked)
    at, made, doubt, R2, rounded = fast.loop((X, y, at_zero), (v, mark), *asked)
    assert (at, list(zip(*found[:, :made].tolist(), strict=True)), doubt, R2) == right
    assert (v == expected).all() and not rounded


def test_there_is_room_for_any_number_of_mistakes():
    run = perceptron([[1.0], [-1.0], [0.3], [-0.3]], [1, 1, 1, 1], order=np.random.default_rng(0),
                     max_passes=5000)  # fmt: skip
    assert run.mistakes > 3 * 4096 and (np.diff(run.steps) > 0).all()


# --- which one is used -----------------------------------------------------------------------


def test_machine_code_is_loaded_for_large_data_and_long_runs_and_then_kept(monkeypatch):
    assert lookahead.machine_code(0) is fast
    monkeypatch.delitem(sys.modules, "perceptron_lib.fast")
    monkeypatch.setattr(lookahead, "_load", lambda: "loaded")
    assert lookahead.machine_code(lookahead.LARGE - 1, lookahead.LONG - 1) is None
    assert lookahead.machine_code(lookahead.LARGE) == "loaded"
    assert lookahead.machine_code(2, lookahead.LONG) == "loaded"


@pytest.mark.parametrize("broken", ["missing", "broken"])
def test_without_numba_a_run_goes_on_in_numpy(monkeypatch, tmp_path, broken):
    if broken == "missing":
        monkeypatch.setitem(sys.modules, "numba", None)
    else:
        (tmp_path / "numba.py").write_text("raise SystemError('made for another NumPy')")
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.delitem(sys.modules, "numba", raising=False)
    monkeypatch.delitem(sys.modules, "perceptron_lib.fast")
    monkeypatch.delattr("perceptron_lib.fast")
    monkeypatch.setattr(lookahead, "LARGE", 0)
    lookahead._load.cache_clear()
    used = spy(monkeypatch)
    assert perceptron(*odd_max_bit(4)[:2]).mistakes == 55 and used == ["numpy"] * len(used)
    lookahead._load.cache_clear()


def test_each_way_is_the_way_it_says(each_way, monkeypatch):
    used = spy(monkeypatch)
    perceptron(*odd_max_bit(4)[:2])
    assert set(used) == {each_way}


def spy(monkeypatch):
    """A list of the ways in which passes are made."""
    ways = {"plainly": (engine.Exactly, "plainly"), "numpy": (lookahead.Ahead, "mistakes"),
            "compiled": (fast.Compiled, "go_on")}  # fmt: skip
    used = []
    for way, (kind, name) in ways.items():
        plain = getattr(kind, name)

        def noted(self, *given, way=way, plain=plain):
            used.append(way)
            return plain(self, *given)

        monkeypatch.setattr(kind, name, noted)
    return used


def test_changing_over_in_the_middle_of_a_run_changes_nothing(monkeypatch):
    used, changes = spy(monkeypatch), 0
    for least, few in ((1, 8), (60, 0), (300, 8)):
        monkeypatch.setattr(engine, "FEW", few)
        monkeypatch.setattr(lookahead, "machine_code", lambda size, work=0, least=least: fast
                            if work % 10_000 + work // 10_000 * 10 >= least else None)  # fmt: skip
        for X, y, start in reference.small_problems(40):
            reference.ends_rightly(X, y, start)
            moved = X + np.array([0.01, 0.02])
            margin = margin_perceptron(moved, y, 1 / 64, max_passes=20)
            K = X @ X.T
            dual = kernel_perceptron(K, y, max_passes=20)
            with monkeypatch.context() as patch:
                patch.setattr(lookahead, "machine_code", lambda *_: None)
                in_numpy = margin_perceptron(moved, y, 1 / 64, max_passes=20)
                assert margin.updates.tolist() == in_numpy.updates.tolist()
                in_numpy = kernel_perceptron(K, y, max_passes=20)
                assert dual.updates.tolist() == in_numpy.updates.tolist()
                assert dual.outcome == in_numpy.outcome
            changes += len(set(used)) == 2
            used.clear()
    assert changes > 60


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


@pytest.mark.usefixtures("each_way")
@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_a_number_that_is_not_finite_is_refused_wherever_it_is(bad):
    rng = np.random.default_rng(0)
    X, y = np.vstack([rng.normal(size=(9, 3)), rng.integers(-1, 2, (9, 3))]), np.ones(18)
    for i, j in np.ndindex(X.shape):
        given = X.copy()
        given[i, j] = bad
        for limit in (1, None):  # a run that is over before it has looked at all of them, too
            with pytest.raises(ValueError, match="finite"):
                margin_perceptron(given, y, 0.1, max_updates=limit)
        with pytest.raises(ValueError, match=f"example {i} has"):
            perceptron(given, y)


@pytest.mark.usefixtures("each_way")
def test_a_run_keeps_its_own_small_data():
    X, y = np.array([[1.0, -0.0], [-0.0, 1.0], [1.0, 0.5]]), np.array([1, -1, -1])
    for run in (perceptron(X, y), margin_perceptron(X, y, 0.1, max_passes=5)):
        assert run.X.tobytes() == X.tobytes() and not np.shares_memory(run.X, X)
    K = X @ X.T
    assert not np.shares_memory(kernel_perceptron(K, y, max_passes=5).X, K)


def test_a_large_table_is_not_copied_and_nothing_is_left_behind():
    rng = np.random.default_rng(0)
    X = rng.integers(-100, 101, (40_000, 20)).astype(float)
    y = np.where(X[:, 0] > 0, 1, -1)
    tracemalloc.start()
    run = perceptron(X, y, max_passes=3)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert run.mistakes > 10 and peak < 0.3 * X.nbytes
    assert np.shares_memory(run.X, X) and X.flags.writeable and not run.X.flags.writeable
    kept = weakref.ref(run.Z)
    del run
    assert kept() is None


# --- when a score is in doubt ------------------------------------------------------------------


def near_ties(count):
    """Runs of many scores that nearly vanish: decimals of all sizes, sums and differences of them,
    and points one ulp away."""
    for seed in range(count):
        rng = np.random.default_rng(seed)
        d = int(rng.integers(1, 4))
        scale = 10.0 ** rng.integers(-300, 300, (1 if seed % 3 else 4, 1))
        X = rng.integers(-9, 10, (4, d)) / 10 * scale
        turned = X[:, ::-1] * np.where(np.arange(d) % 2, -1, 1)  # in the plane, at right angles
        X = np.vstack([X, turned, X[0] + X[1], X[0] - X[1], np.nextafter(turned, 9.0)])
        yield X, rng.choice([-1, 1], len(X)), TIES[seed % 3]


def differences(count):
    """How many of these runs make other updates than exact arithmetic."""
    wrong = 0
    for X, y, tie in near_ties(count):
        run = perceptron(X, y, tie, max_passes=8)
        right = perceptron_in_fractions(X, y, tie, max_passes=run.passes)
        wrong += (run.updates.tolist(), run.passes) != right
    return wrong


def test_scores_in_doubt_are_decided_in_whole_numbers(each_way, monkeypatch):
    asked, plain = [], engine.Weights.is_mistake
    patch = monkeypatch.setattr
    patch(engine.Weights, "is_mistake", lambda self, i: asked.append(i) or plain(self, i))
    assert differences(200) == 0 and len(asked) > 250


def test_without_a_tolerance_the_updates_would_be_wrong(monkeypatch):
    """So these tests can fail."""
    monkeypatch.setattr(signs, "relative_error", lambda d: 0.0)
    monkeypatch.setattr(fast, "ROUNDING", 0.0)
    for found in (None, fast):
        monkeypatch.setattr(lookahead, "machine_code", lambda *_, found=found: found)
        assert differences(100) > 5


def compiled(X, start, theta=Fraction(0)):
    """The engine, when it has measured all examples."""
    found = fast.Compiled(engine.Weights(X, np.ones(len(X), int), start, theta=theta), 0)
    found.survey()
    return found


def tolerance(found, M):
    return Fraction(fast.tolerance.py_func(found.kind, found.R2, M, found.exact_until))


@pytest.mark.parametrize("size", [1.0, 1e-130, 1e130])
def test_the_tolerance_covers_every_rounding(size):
    """By the textbook: k roundings of terms whose sizes sum to S err by at most k·u·S/(1 - k·u)."""
    rng = np.random.default_rng(3)
    X, d, u = rng.normal(size=(9, 5)) * size, 5, Fraction(1, 2**53)
    for start in (X[0] / 3, X[1]):
        primal, margin = compiled(X, start), compiled(X, start, Fraction(1, 10))
        rows = [[Fraction(v) for v in row] for row in X.tolist()]
        start2 = sum(Fraction(v) ** 2 for v in start.tolist())
        R2 = max(sum(v * v for v in row) for row in rows)
        first, R = Fraction(sqrt_above(start2)), Fraction(sqrt_above(R2))
        for M in (1, 7, 1000, 10**6):
            k = d + M + 2  # w was rounded M + 1 times, then d products and d - 1 sums
            allowed = k * u / (1 - k * u)
            assert tolerance(primal, M) ** 2 >= allowed**2 * R2 * (start2 + M * R2)
            length, goal = first + M * R, Fraction(1, 10)
            assert tolerance(margin, M) >= allowed * length * (R + goal)
    k = d + 2  # in NumPy w is rounded once, and its length may be off by as much
    assert Fraction(signs.relative_error(d)) >= 2 * (k * u / (1 - k * u))


def test_sums_are_called_exact_no_longer_than_they_are():
    for L in (3, 2**20 + 1, 2**24 + 1, 2**26 - 1):
        primal = compiled(np.array([[float(L), 1.0], [1.0, -1.0]]), np.array([5.0, 0.0]))
        M, R2 = primal.exact_until, L * L + 1
        assert 5 * L + M * R2 <= 2**53 < 2 * (5 * L + (M + 2) * R2)


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
            run = exact_run(X, y, max_passes=60)
            late += run.mistakes > 2**53 / (X**2).sum(axis=1).max()
    assert late > 20


@pytest.mark.usefixtures("each_way")
def test_whole_numbers_wider_than_64_bits_are_added_without_overflow():
    X, y = np.array([[2.0**61 + 2**9, 1.0], [2.0**61, 3.0], [-(2.0**62), 1.0]]), np.array([1, 1, 1])
    for start in ([0.0, 0.0], [2.0**62, -1.0]):
        exact_run(X, y, start=start, max_passes=50)


@pytest.mark.usefixtures("each_way")
def test_a_margin_beyond_all_floats_is_never_reached():
    X, y = [[1e-200], [-1e-200], [-1e-200], [1e-200]], [1, 1, 1, 1]  # w is 0 in between
    run = margin_perceptron(X, y, Fraction(10) ** 400, max_passes=1)
    assert run.updates.tolist() == [0, 1, 2, 3]


@settings(max_examples=150)
@drawn(X=arrays(float, (5, 3), elements=st.floats(-1e300, 1e300)), seed=st.integers(0, 99))
def test_signs_are_exact_for_any_floats(X, seed):
    W = np.random.default_rng(seed).integers(-(2**40), 2**40, 3).astype(object) * 2**seed
    scores = [reference.dot(x, W.tolist()) for x in reference.exactly(X)]
    assert signs.signs(X, W).tolist() == [(s > 0) - (s < 0) for s in scores]


def fuzzed(seed):
    """Any data: of any kind and layout, with ties, near ties and extreme numbers."""
    rng = np.random.default_rng(seed)
    n, d, kind = int(rng.integers(1, 40)), int(rng.integers(1, 7)), seed % 8
    X = rng.integers(-9, 10, (n, d)).astype(float)  # kind 0: many ties
    if kind == 1:
        X /= 10
    elif kind == 2:
        X = rng.normal(size=(n, d))
    elif kind == 3:
        X *= 10.0 ** rng.integers(-300, 300)
    elif kind == 4:
        X = X * 10.0 ** rng.integers(-160, 160, (n, 1)) / 10
    elif kind == 5:
        X = (X / 7).astype(np.float32)
    elif kind == 6:
        X = X.astype(rng.choice([np.int8, np.int32, np.int64]))
    elif kind == 7:  # as many as 53 bits, and their neighbours
        X = np.nextafter(X * rng.integers(2**20, 2**30), rng.choice([-99.0, 99.0]))
    X = np.vstack([X, X[:3] + X[-3:], -X[: n // 2], X[: n // 3]])
    y = rng.choice([-1, 1], len(X))
    if seed % 3 == 0:
        y = np.where(X.astype(float) @ rng.integers(-3, 4, d) > 0, 1, -1)
    if seed % 5 == 0:
        wide = np.zeros((2 * len(X), 3 * d), dtype=X.dtype)
        wide[::2, ::3] = X
        X = [wide[::2, ::3], np.asfortranarray(X), X.tolist()][seed % 3]
    start = None if seed % 4 else rng.integers(-3, 4, d) / (10 if seed % 8 else 1)
    order = rng.permutation(len(y)) if seed % 7 == 0 else None
    return X, y, {"tie": TIES[seed % 3], "start": start, "order": order, "max_passes": 9}


@pytest.mark.usefixtures("each_way")
@pytest.mark.parametrize("block", range(10))
def test_fuzzed_runs_are_those_of_fractions(block):
    """(`python -m tests.test_fast 5000` takes as many of them, compiled.)"""
    for seed in range(16 * block, 16 * block + 16):
        X, y, options = fuzzed(seed)
        exact_run(X, y, **options)


# --- adding up ------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["normal", "whole", "of many sizes", "almost nothing is left"])
def test_columns_are_added_up_and_rounded_once(kind):
    rng = np.random.default_rng(0)
    for rows, columns in ((1, 6000), (7, 900), (900, 7), (6001, 2)):
        A = rng.normal(size=(rows, columns))
        if kind == "whole":
            A = rng.integers(-3, 4, (rows, columns)).astype(float)
        elif kind == "of many sizes":
            A *= 10.0 ** rng.integers(-160, 160, A.shape)
        elif kind == "almost nothing is left":
            A = np.vstack([A, rng.normal(size=columns) * 1e-30, -A])
        assert column_sums(A).tolist() == [math.fsum(column) for column in A.T]


def test_a_sum_halfway_goes_to_the_even_float_and_one_beyond_all_floats_is_none():
    A = np.zeros((6000, 3))
    A[[0, 1000, 5000]] = [[1, 1, 1 + 2**-52], [2**-53, 2**-53, 2**-53], [0, 2.0**-200, 0]]
    assert column_sums(A).tolist() == [1.0, 1 + 2**-52, 1 + 2**-51]
    A[:3, 1] = [1.7e308, 1.7e308, -1e308]
    assert column_sums(A) is None


if __name__ == "__main__":
    lookahead.machine_code, wrong, made = (lambda *_: fast), 0, 0
    for seed in range(int(sys.argv[1])):
        X, y, options = fuzzed(seed)
        try:
            made += exact_run(X, y, **options).mistakes
        except AssertionError:
            wrong += 1
            print("differs:", seed)
    print(f"{sys.argv[1]} runs, {made:,} updates: {wrong} differ from those in fractions")
