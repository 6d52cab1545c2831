"""The benchmark measures what it says: valid data, and peers that make the same updates."""

import numpy as np
import pytest

from benchmarks import workloads
from benchmarks.__main__ import exponent, least_times, line, ratio, using
from perceptron_lib import fast, perceptron
from perceptron_lib.checks import labelled

SMALL = [work for work in workloads.WORKLOADS if not work[0].startswith(("100,", "5,"))]
TINY = [work for work in SMALL if work[0].startswith(("200", "iris, s", "worst"))]


@pytest.mark.parametrize("work", SMALL, ids=lambda work: work[0])
def test_every_workload_is_a_data_set_with_both_labels(work):
    X, y = labelled(*work[1]())
    assert set(y.tolist()) == {-1, 1}
    size = work[0].split(",  ")[0].replace(",", "").split(" ")[0].split("×")
    assert len(size) != 2 or X.shape == tuple(map(int, size))


@pytest.mark.parametrize("work", TINY, ids=lambda work: work[0])
def test_peers_agree_and_a_run_cut_short_is_found_out(work):
    X, y = work[1]()
    passes = perceptron(X, y, max_passes=work[2]).passes
    ours = workloads.ours(X, y, passes)
    for peer in (workloads.scikit_learn, workloads.plain_loop):
        assert workloads.same(peer(X, y, passes), ours)
    for engine in (fast, None):
        assert workloads.same(using(engine, workloads.ours, X, y, passes)(), ours)
    assert not workloads.same(ours + y[0] * X[0], ours)


def test_ratios_and_exponents():
    times = least_times({"a": lambda: None, "b": lambda: None}, seconds=0, most=2)
    assert set(times) == {"a", "b"} and min(times.values()) >= 0
    best = {"ours": 0.002, "peer": 0.006}
    assert np.isclose(ratio(best, "peer", "ours"), 3) and np.isnan(ratio(best, "loop", "NumPy"))
    assert line("a run", best, "quick") == "| a run | 2 |  | 6 |  |  | 3.00 |  |  | quick |"
    assert np.isclose(exponent([1, 2, 4], [3, 12, 48]), 2)
