"""The benchmark measures what it says: valid data, and peers that make the same updates."""

import numpy as np
import pytest

from benchmarks import workloads
from benchmarks.measure import COMPILED, NUMPY, exponent, ratio, take_turns, using
from perceptron_lib import kernel_perceptron, margin_perceptron, perceptron, separable
from perceptron_lib.checks import labelled

SMALL = [work for work in workloads.WORKLOADS if not work.name.startswith(("100,", "5,"))]
TINY = [work for work in SMALL if work.name.startswith(("200", "iris, s", "worst"))]


@pytest.mark.parametrize("work", SMALL, ids=lambda work: work.name)
def test_every_workload_is_a_data_set_with_both_labels(work):
    X, y = labelled(*work.build())
    assert set(y.tolist()) == {-1, 1}
    size = work.name.split(",  ")[0].replace(",", "").split(" ")[0].split("×")
    assert len(size) != 2 or X.shape == tuple(map(int, size))


@pytest.mark.parametrize("work", TINY, ids=lambda work: work.name)
def test_peers_agree_and_a_run_cut_short_is_found_out(work):
    X, y = work.build()
    passes = perceptron(X, y, max_passes=work.max_passes).passes
    ours = workloads.ours(X, y, passes)
    for peer in (workloads.scikit_learn, workloads.plain_loop):
        assert workloads.same(peer(X, y, passes), ours)
    for engine in (COMPILED, NUMPY):
        assert workloads.same(using(engine, workloads.ours, X, y, passes)(), ours)
    assert not workloads.same(ours + y[0] * X[0], ours)


def test_the_loops_of_the_variants_agree():
    X, y, _ = separable(60, 3, 0.125, seed=1)
    run = margin_perceptron(X, y, 0.125)
    assert workloads.same(workloads.margin_loop(X, y, run.passes, 0.0625), run.w)
    run = kernel_perceptron(X @ X.T, y)
    assert (workloads.kernel_loop(X @ X.T, y, run.passes) == run.alpha).all()


def test_ratios_and_exponents():
    times = take_turns({"a": lambda: None, "b": lambda: None}, seconds=0, most=2)
    assert [len(t) for t in times.values()] == [2, 2]
    assert ratio({"slow": [4.0, 6.0], "fast": [2.0, 1.0]}, "slow", "fast") == (4, 2, 6)
    assert np.isclose(exponent([1, 2, 4], [3, 12, 48]), 2)
