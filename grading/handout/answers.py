"""What two assignments ask for: some of the examples, the updates of a run, a proof."""

import numpy as np

from perceptron_lib import with_bias
from perceptron_lib.exercises import Wrong, read_whole_numbers, require
from perceptron_lib.show import count


def some_of(chosen, n):
    """Different numbers of examples, of which there are n, in their order."""
    chosen = read_whole_numbers(chosen, None, "the examples kept")
    require(chosen, "at least one example must be kept")
    require(set(chosen) <= set(range(n)), f"examples have numbers from 0 to {n - 1}")
    require(len(set(chosen)) == len(chosen), "an example occurs twice")
    return sorted(chosen)


def same_updates(mine, run, standing):
    """The updates that the student's loop returned must be the run's; else the first difference is
    explained, where `standing(w, i)` says how example i stands to the weights w."""
    n, right = len(run.y), run.updates.tolist()
    mine = read_whole_numbers(mine, None, "the updates")
    proper = all(0 <= i < n for i in mine)
    require(proper, f"the updates must be numbers of examples, from 0 to {n - 1}")
    if mine == right:
        return
    k = [*(a == b for a, b in zip(mine, right, strict=False)), False].index(False)
    w, where = run.weights[k], f"after {count(k, 'right update')}"
    if k == len(right):
        ended = "a whole pass had no mistake" if run.outcome == "converged" else "max_passes ended"
        told = f"{ended}, and yet your run goes on with example {mine[k]}, where"
        raise Wrong(f"{where} {told} {standing(w, mine[k])}")
    last = right[k - 1] if k else -1
    early = k < len(mine) and (mine[k] - last - 1) % n < (right[k] - last - 1) % n
    i, does = (mine[k], "updates on") if early else (right[k], "passes over")
    raise Wrong(f"{where} your run {does} example {i}, where {standing(w, i)}")


def no_hyperplane(X, y, weights):
    """Whole numbers λ >= 0, not all 0, must prove: no hyperplane separates these."""
    weights = read_whole_numbers(weights, len(y), "λ")
    require(min(weights) >= 0, "a λ is negative")
    require(any(weights), "all λ are zero, which proves nothing")
    whole = with_bias(X).astype(np.int64).astype(object)  # Python's own integers
    total = (np.array(weights, dtype=object) * y) @ whole
    require(total[-1] == 0, "the two classes do not have the same total λ")
    require(not total.any(), "the λ-weighted sums of the two classes differ")
    used = sum(k > 0 for k in weights)
    return f"{count(used, 'example')} prove that no hyperplane separates the two"
