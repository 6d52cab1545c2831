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

LARGE = 20_000  # of so many numbers it is worth while to load machine code, and not to make a copy
LONG = 3 * 10**8  # and for a run that has looked at so many: numba takes as long to be imported


class Ahead:
    """Finds the mistakes of a pass, as `perceptron.Exactly.plainly` does."""

    def __init__(self, weights):
        self.weights, self.y = weights, weights.y.astype(float)
        self.rows, lengths, power = signs.scaled_rows(weights.X)
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
            scores = self.y[ahead] * (self.rows[ahead] @ w)
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


def examples(X, y):
    """X and y, checked: X as a copy, row by row, or itself if it is LARGE and lies like that."""
    size = X.size if isinstance(X, np.ndarray) else 0
    X = checks.table(X, copy=size < LARGE, finite=machine_code(size) is None)
    return np.require(X, requirements=["C", "A"]).view(), checks.labels(y, len(X))


def machine_code(size, work=0):
    """The module `fast`, if it is loaded already or worth loading; None if it is not, or if there
    is no numba.  It looks whether X is finite by itself."""
    loaded = sys.modules.get("perceptron_lib.fast")
    return loaded if loaded or (size < LARGE and work < LONG) else _load()


@cache
def _load():
    try:
        from perceptron_lib import fast
    except Exception:  # numba is missing or broken, and NumPy does the same
        return None
    return fast
