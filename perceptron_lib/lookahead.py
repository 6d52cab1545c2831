"""The loop of `perceptron`, looking ahead: floats see many scores at once, whole numbers decide.

A float score that is further from where it matters than its rounding error can be (`signs.
relative_error`) is certainly right or certainly a mistake.  So a block of examples is scored at
once, and only the first that is not certainly right needs thought: it is a mistake, or in doubt and
for `Weights` to decide.  Everything after it is scored again.
"""

import sys
from fractions import Fraction
from functools import cache

import numpy as np

from perceptron_lib import checks, signs
from perceptron_lib.show import as_float

WORTH_LOADING = 3 * 10**8  # about as many numbers as NumPy looks at while numba is imported


class Ahead:
    """Finds the mistakes of a pass, as `perceptron.Exactly.plainly` does."""

    def __init__(self, weights):
        self.weights = weights
        self.rows, lengths, power = signs.scaled_rows(weights.Z)
        # A score is right if it reaches θ||w||.  (The rows are scaled to be shorter than 2**300, so
        # that with a larger θ all scores fall short; 2**300 does the same, and is finite.)
        goal = min(as_float(weights.theta / Fraction(2) ** power), 2.0**300)
        doubt = signs.relative_error(self.rows.shape[1]) * (lengths + goal)
        self.low, self.high = goal - doubt, goal + doubt
        self.smallest = max(1, 2048 // self.rows.shape[1])  # fewer rows take no less time
        self.block = 2 * self.smallest

    def mistakes(self, order):
        n, place, block = len(self.rows), 0, self.block
        w = self.weights.direction()
        while place < n:
            ahead = slice(place, place + block)
            ahead = ahead if order is None else order[ahead]
            scores = self.rows[ahead] @ w
            unsure = scores <= self.high[ahead]
            k = int(unsure.argmax())
            if not unsure[k]:  # all of them are certainly right: look further ahead
                place += block
                block = min(2 * block, n)
                continue
            place += k
            i = place if order is None else int(order[place])
            if scores[k] < self.low[i] or self.weights.is_mistake(i):
                yield place, i
                w = self.weights.direction()
            place += 1
            block = max(block // 2, self.smallest)  # there may be more of them: look less far ahead
        self.block = block


def signed(X, y):
    """The examples z_i = y_i x_i, their labels, and the greatest length if it is known."""
    fast = machine_code(0)
    X = checks.table(X, copy=False, finite=fast is None)
    y = checks.labels(y, len(X))
    if fast:
        return fast.signed(X, y)
    return np.multiply(X, y[:, None].astype(float), order="C"), y, None


def machine_code(work):
    """The module `fast`: if it is loaded already, or for a run that has done so much work; None if
    it is not worth while, or if there is no numba."""
    loaded = sys.modules.get("perceptron_lib.fast")
    return loaded if loaded or work < WORTH_LOADING else _load()


@cache
def _load():
    try:
        from perceptron_lib import fast
    except Exception:  # numba is missing or broken, and NumPy does the same
        return None
    return fast
