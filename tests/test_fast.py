"""Both engines make the updates of exact arithmetic, whatever the data look like."""

import sys
import tracemalloc
import weakref
from fractions import Fraction

import numpy as np
import pytest

from perceptron_lib import exact, fast, margin_perceptron, perceptron
from perceptron_lib.examples import odd_max_bit
from perceptron_lib.lessons.kernels import kernel_perceptron
from tests.reference import TIES, engine, exact_run, perceptron_in_fractions

both = pytest.mark.usefixtures("each_way")  # which puts another in the place of this one:
machine_code = engine.machine_code


# --- against fractions -----------------------------------------------------------------------


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


@both
@pytest.mark.parametrize("block", range(10))
def test_fuzzed_runs_are_those_of_fractions(block):
    """(`python -m tests.test_fast 5000` takes as many of them through each engine.)"""
    for seed in range(16 * block, 16 * block + 16):
        X, y, options = fuzzed(seed)
        exact_run(X, y, **options)


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


@both
@pytest.mark.parametrize("rounding", [2.0**-52, 2.0**-30, 1e-3, 1e9])
def test_a_larger_constant_only_asks_whole_numbers_more_often(monkeypatch, rounding):
    monkeypatch.setattr(exact, "ROUNDING", rounding)
    assert differences(100) == 0


@both
def test_with_the_constant_at_0_the_updates_are_wrong(monkeypatch):
    """So these tests can fail."""
    monkeypatch.setattr(exact, "ROUNDING", 0.0)
    assert differences(100) > 5


@both
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


@both
def test_whole_numbers_wider_than_64_bits_are_added_without_overflow():
    X, y = np.array([[2.0**61 + 2**9, 1.0], [2.0**61, 3.0], [-(2.0**62), 1.0]]), np.array([1, 1, 1])
    for start in ([0.0, 0.0], [2.0**62, -1.0]):
        exact_run(X, y, start=start, max_passes=50)


@both
def test_a_margin_beyond_all_floats_is_never_reached():
    X, y = [[1e-200], [-1e-200], [-1e-200], [1e-200]], [1, 1, 1, 1]  # w is 0 in between
    run = margin_perceptron(X, y, Fraction(10) ** 400, max_passes=1)
    assert run.updates.tolist() == [0, 1, 2, 3]


@both
def test_a_length_whose_square_is_too_small_for_a_float_counts():
    run = margin_perceptron([[1e-170, 0.0], [5e28, 1e29]], [1, 1], 1.8e29, max_passes=1)
    assert run.updates.tolist() == [0, 1]


@both
def test_there_is_room_for_any_number_of_mistakes():
    run = perceptron([[1.0], [-1.0], [0.3], [-0.3]], [1, 1, 1, 1], order=np.random.default_rng(0),
                     max_passes=5000)  # fmt: skip
    assert run.mistakes > 3 * 4096 and (np.diff(run.steps) > 0).all()


# --- which engine, and what it does with the data ----------------------------------------------


def test_machine_code_is_for_large_data_and_long_runs():
    assert machine_code(engine.LARGE - 1, 1000) is None
    assert machine_code(engine.LARGE, 1) is machine_code(2, engine.LONG) is fast


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
    monkeypatch.setattr(engine, "LARGE", 0)
    monkeypatch.setattr(engine, "machine_code", machine_code)
    assert machine_code(100, 100) is None
    assert perceptron(*odd_max_bit(4)[:2]).mistakes == 55


@both
def test_a_run_keeps_its_own_small_data():
    X, y = np.array([[1.0, -0.0], [-0.0, 1.0], [1.0, 0.5]]), np.array([1, -1, -1])
    for run in (perceptron(X, y), margin_perceptron(X, y, 0.1, max_passes=5)):
        assert run.X.tobytes() == X.tobytes() and not np.shares_memory(run.X, X)
    K = X @ X.T
    assert not np.shares_memory(kernel_perceptron(K, y, max_passes=5).X, K)


@both
def test_a_run_keeps_one_copy_of_its_data_and_leaves_nothing_behind():
    X = np.random.default_rng(0).integers(-100, 101, (40_000, 20)).astype(float)
    tracemalloc.start()
    run = perceptron(X, np.where(X[:, 0] > 0, 1, -1), max_passes=3)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert run.mistakes > 10 and peak < 1.3 * X.nbytes
    assert not np.shares_memory(run.X, X) and X.flags.writeable and not run.X.flags.writeable
    kept = weakref.ref(run.Z)
    del run
    assert kept() is None


@both
def test_a_score_at_the_edge_of_the_threshold_is_no_update():
    theta, X = 0.9415651814089899, [[1.543624991465423], [0.9415651814089914]]
    assert margin_perceptron(X, [1, 1], gamma=2 * theta, eps=0.5).mistakes == 0
    wide = np.full((1, 36), 2.0**20 + 1)
    assert margin_perceptron(wide, [1], gamma=12 * (2**20 + 1), max_passes=20).mistakes == 0


if __name__ == "__main__":
    for name, module in (("NumPy", None), ("compiled", fast)):
        engine.machine_code = lambda *_, module=module: module
        wrong, made = 0, 0
        for seed in range(int(sys.argv[1])):
            X, y, options = fuzzed(seed)
            try:
                made += exact_run(X, y, **options).mistakes
            except AssertionError:
                wrong += 1
                print("differs:", seed)
        print(f"{name}: {sys.argv[1]} runs, {made:,} updates, {wrong} differ from fractions")
