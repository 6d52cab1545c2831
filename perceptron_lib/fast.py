"""The loop of `perceptron` in machine code, made by numba and kept on disk for the next time.

The idea: floats decide wherever they cannot be wrong.  Here w is a vector of floats, v, that every
update rounds again, so a score y_i (x_i·v) may err, by a tolerance that grows with the updates.  It
is certainly right, certainly a mistake, or in doubt: then the loop comes back, and whole numbers
(`Weights`) decide.  The examples are read as they stand, without a copy; the lengths on which the
tolerance depends are measured in the first pass, along with the scores.

At the first doubt all the data are surveyed: if they lie on a coarse grid nothing rounds for a long
while, and until then the tolerance is 0.  With numbers beyond HUGE every score is in doubt.
"""

import math
from fractions import Fraction

import numpy as np
from numba import boolean, float64, int64, njit
from numba.types import Array, Tuple, UniTuple

from perceptron_lib import checks
from perceptron_lib.exact import column_sums, dot, floats, integers
from perceptron_lib.show import as_float

ROUNDING = 1.05 * 2.0**-53  # at least the relative error of a rounded number
HUGE = 2.0**450  # up to so long examples, nothing overflows


class Compiled:
    """The engine in machine code; it has the methods of `perceptron.Exactly`."""

    def __init__(self, weights, made):
        """Go on from where `weights` are, after `made` updates."""
        self.weights, self.known = weights, made  # the whole numbers, and how many updates they had
        self.made = 0  # the updates since; up to exact_until, no score is rounded
        self.exact_until = -1 if made or weights.start.any() else 0
        self.v = floats(weights.w, weights.exponent) if made else weights.start.copy()
        first = math.hypot(*self.v.tolist()) if self.exact_until else 0.0
        self.kind = min(as_float(weights.theta), 2 * HUGE), len(self.v), first, ROUNDING
        self.R2 = 0.0 if first < HUGE else math.inf  # the largest ||x_i||² so far
        self.measured = self.surveyed = False  # whether that is so of all examples
        self.rounded = made > 0  # whether v may differ from w
        self.found = np.empty((2, 4096), dtype=np.int64)

    def go_on(self, order, passed, until, limit, updates, steps):
        """Look at the examples, to the end of a pass after which the run may be over."""
        X, y, at_zero = self.weights.X, self.weights.y, self.weights.at_zero
        n, order = len(X), np.empty(0, dtype=np.int64) if order is None else order
        at, end = passed * n, min(until, passed + 1 + 10**8 // X.size) * n  # 0.1 s, for progress
        while True:
            span = at, end, steps[-1] if steps else -1, min(limit - len(updates), 4096), self.made
            data, known = (X, y, at_zero), (self.R2, self.measured, self.exact_until)
            at, count, doubt, self.R2, rounded = loop(
                data, (self.v, self.marked), order, self.found, span, self.kind, known
            )
            self.made, self.rounded = self.made + count, self.rounded or rounded
            self.measured = self.measured or at >= (passed + 1) * n
            steps.frombytes(self.found[0, :count].tobytes())
            updates.frombytes(self.found[1, :count].tobytes())
            if doubt and not self.surveyed:
                self.survey()  # and if nothing was rounded, the loop itself will decide
                continue
            if doubt:
                i = int(order[at % n]) if len(order) else at % n
                for k in updates[self.known :]:
                    self.weights.add(k)
                self.known = len(updates)
                if self.weights.is_mistake(i):
                    self.v += y[i] * X[i] if self.R2 < HUGE**2 else 0
                    self.made, self.rounded = self.made + 1, True
                    updates.append(i)
                    steps.append(at)
                at += 1
            if at % n == 0 or len(updates) >= limit:
                if not (self.measured or at % n == 0):
                    checks.table(X, copy=False)  # what was not looked at must be finite, too
                return at // n

    def mark(self):
        """Remember v."""
        self.marked = self.v.copy()

    def is_back(self, since):
        """Whether w is what it was at the mark: then the examples added since sum up to nothing."""
        X, y = self.weights.X, self.weights.y
        error = tolerance.py_func(self.kind, self.R2, self.made, self.exact_until)
        if float(np.abs(self.v - self.marked).max()) * math.sqrt(self.R2) > 2 * error:
            return False
        used, counts = np.unique(since, return_counts=True)
        return not dot(counts * y[used], integers(X[used])[0]).any()

    def last_w(self, updates):
        """w as floats, if no update has rounded it or it is quickly added up again; else None."""
        X, y, start = self.weights.X, self.weights.y, self.weights.start
        if not self.rounded or self.made <= self.exact_until:
            return self.v
        few = len(updates) * len(start) < 10**6
        return column_sums(np.vstack([start, y[updates, None] * X[updates]])) if few else None

    def survey(self):
        """Measure all examples; and if they are on a grid, until when are all sums exact?"""
        X, self.surveyed = self.weights.X, True
        if not self.measured:
            self.R2 = float(np.maximum(self.R2, np.einsum("ij,ij->i", X, X).max()))  # or a NaN
        if not self.R2 < HUGE**2:
            checks.table(X, copy=False)  # which refuses what is not finite
            self.R2 = math.inf
        elif not self.kind[0]:  # (a threshold rounds in any case)
            lengths, unit = (math.sqrt(self.R2), self.kind[2]), Fraction(2) ** self.weights.exponent
            R, first = (math.ceil(Fraction(x * 1.001 + 2.0**-500) / unit) for x in lengths)
            # Any part of a score is at most R·(first + M·R).
            self.exact_until = max(self.exact_until, (2**53 // R - first) // R)
        self.measured = True


# --- machine code ----------------------------------------------------------------------------


@njit
def tolerance(kind, R2, M, exact_until):
    """At least the error of a score after M more updates.

    A mistake has z·w <= 0, so ||w||² grows by at most R² an update (||w|| by at most R, for the
    margin Perceptron).  With u = 2**-53, each update rounds v by at most u·||w||, as did the start,
    and the sum of d products, in any order and fused or not, errs by at most d·u·||z||·||w||.
    (Factors cover what is of order u², and 2**-500 what underflow may take away.)
    """
    theta, d, first, rounding = kind
    R = math.sqrt(R2) + 2.0**-500
    if exact_until >= M and R < HUGE:
        return 0.0
    length = (first + M * R if theta else math.sqrt(first * first + M * R * R)) + 2.0**-500
    return rounding * (d + M + 4) * (R + theta) * length + theta * 2.0**-500


# Vector instructions add in another order, and fuse a product with a sum.  Both are allowed: the
# tolerance covers any order, and a sum that is exact is exact in any order.
@njit(fastmath={"reassoc", "nsz", "contract"})
def scan(X, y, v, order, place, bound, R2, measured):
    """The next place with a score not above the bound, or a square above R2 (until all squares are
    measured); that score and square."""
    for p in range(place, len(X)):
        i = order[p] if len(order) else p
        x, score, square = X[i], 0.0, 0.0
        if measured:
            for j in range(len(v)):
                score += x[j] * v[j]
        else:
            for j in range(len(v)):
                score += x[j] * v[j]
                square += x[j] * x[j]
        if not (y[i] * score > bound and square <= R2):
            return p, y[i] * score, square
    return len(X), 0.0, 0.0


ROWS, NUMBERS = Array(float64, 2, "C", readonly=True), Array(int64, 1, "C", readonly=True)
GIVEN = (
    Tuple((ROWS, NUMBERS, int64)), UniTuple(float64[::1], 2), NUMBERS, int64[:, ::1],
    UniTuple(int64, 5), Tuple((float64, int64, float64, float64)), Tuple((float64, boolean, int64)),
)  # fmt: skip


@njit(Tuple((int64, int64, boolean, float64, boolean))(*GIVEN), cache=True)
def loop(data, weights, order, found, span, kind, known):
    """Go on from step `at` to the end of a pass after which the run may be over: one without a
    mistake (the last one before was at step `last`), with v near the mark, or up to step `end`.
    The mistakes are added to v, and their steps and examples put into `found`, up to `room`.
    Returned are the step reached, how many mistakes there were, whether the example is in doubt, R²
    as far as it is measured, and whether an update was rounded."""
    (X, y, at_zero), (v, mark), (R2, measured, exact_until) = data, weights, known
    (at, end, last, room, M), rounded = span, False
    n, made, error, threshold = len(X), 0, -1.0, 0.0
    while at < end and made < room:
        if error < 0:  # v is new
            error = tolerance(kind, R2, M, exact_until)
            threshold = kind[0] * math.sqrt((v * v).sum()) if kind[0] else 0.0
        begin, bound = at // n * n, threshold + error
        place, score, square = scan(X, y, v, order, at - begin, bound, R2, measured)
        at = begin + place
        if place < n:
            if not square <= R2:
                R2 = square if square < HUGE**2 else math.inf
                error = tolerance(kind, R2, M, exact_until)
            if error and not abs(score - threshold) > error:
                return at, made, True, R2, rounded
            i = order[place] if len(order) else place
            if score < threshold or (score == threshold and y[i] != at_zero):
                for j in range(len(v)):
                    old, z = v[j], y[i] * X[i, j]
                    v[j] = old + z
                    rounded |= (v[j] - old != z) | (v[j] - z != old)
                found[0, made], found[1, made] = at, i
                last, made, M, error = at, made + 1, M + 1, -1.0
            at += 1
        if at == begin + n:
            measured, error = True, tolerance(kind, R2, M, exact_until)
            if last < begin or not np.abs(v - mark).max() * math.sqrt(R2) > 2 * error:
                break
            error = -1.0
    return at, made, False, R2, rounded
