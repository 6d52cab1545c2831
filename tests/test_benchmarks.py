"""The benchmark measures what it says: valid data, and peers that make the same updates."""

import numpy as np
import pytest

from benchmarks import workloads
from benchmarks.__main__ import least_times, line, ratio, using
from perceptron_lib import fast, perceptron
from perceptron_lib.checks import labels, table

SMALL = [work for work in workloads.WORKLOADS if not work[0].startswith(("100,", "5,"))]
TINY = [work for work in SMALL if work[0].startswith(("200", "iris, s", "worst"))]


@pytest.mark.parametrize("work", SMALL, ids=lambda work: work[0])
def test_every_workload_is_a_data_set_with_both_labels(work):
    X, y = work[1]()
    y = labels(y, len(table(X)))
    assert set(y.tolist()) == {-1, 1}


@pytest.mark.parametrize("work", TINY, ids=lambda work: work[0])
def test_peers_agree_and_a_run_cut_short_is_found_out(work):
    X, y = work[1]()
    passes = perceptron(X, y, max_passes=work[2]).passes
    ours = workloads.ours(X, y, passes)
    for peer in (workloads.scikit_learn, workloads.plain_loop):
        assert workloads.same(peer(X, y, passes), ours)
    for engine in (fast, None):
        assert workloads.same(using(engine, workloads.ours, X, y, passes), ours)
    assert not workloads.same(ours + y[0] * X[0], ours)


def test_times_and_ratios():
    times = least_times({"a": lambda: None, "b": lambda: None}, seconds=0, most=2)
    assert set(times) == {"a", "b"} and min(times.values()) >= 0
    best = {"compiled": 0.002, "scikit-learn": 0.006}
    assert np.isclose(ratio(best, "scikit-learn", "compiled"), 3)
    assert line("a run", best) == "| a run | 2 |  | 6 |  |  | 3.00 |  |"
