"""The loop of `perceptron` in machine code, made by numba and kept on disk for the next time.

Here w is a vector of floats, v, and every update rounds it again.  So a score may err, by a
tolerance that grows with the number of updates: it is certainly right, certainly a mistake, or
undecided, and then the loop comes back and whole numbers (`Weights`) decide.  If the data lie on a
coarse grid nothing rounds for a long while, and the tolerance is 0; that is found out at the first
undecided score, so that data without ties never pay for it.

In the dual form (`Counts`) Z is the table of all z_i·z_j, and v holds the scores themselves: again
a mistake adds row i to v.

`perceptron` imports this module when a run is long enough, and does without it where numba is
missing.
"""

import math
from contextlib import suppress
from fractions import Fraction

import numpy as np
from numba import float64, int64, njit
from numba.types import Array

from perceptron_lib.checks import table
from perceptron_lib.exact import dot, floats, integers
from perceptron_lib.show import as_float


class Compiled:
    """The engine in machine code; it has the methods of `perceptron.Exactly`."""

    def __init__(self, weights, made):
        """Go on from where `weights` are, after `made` updates."""
        self.weights, self.dual = weights, weights.dual
        self.began = self.known = made  # the updates before, and those the whole numbers know of
        self.made = 0  # the updates since
        # Scaled by a power of two if the numbers are extreme: no product may overflow, and what is
        # lost to underflow is far below the tolerance.
        Z, self.power = weights.Z, 0
        self.R = self.longest(Z) if weights.longest is None else weights.longest + 2.0**-500
        first = float(np.abs(weights.start).max())
        if not 2.0**-200 < self.R < 2.0**200 or first > 2.0**200:
            self.power = math.frexp(max(np.abs(Z).max(), first))[1]
            Z = np.ldexp(Z, -self.power)
            self.R = self.longest(Z)
        if self.dual:
            self.v, self.counts = Z @ weights.w.astype(float), int(weights.w.sum())
        elif made:
            self.v = floats(weights.w, weights.exponent - self.power)
        else:
            self.v = np.ldexp(weights.start, -self.power)
        self.square = float(self.v @ self.v)
        # So many updates from here round nothing; how many they are is found out when it matters.
        self.exact_until = -1 if made or weights.start.any() else 0
        self.grid_is_known = False
        # No example is longer than 2**300, so that every score is below a larger threshold, too.
        self.theta = min(as_float(weights.theta / Fraction(2) ** self.power), 2.0**300)
        self.data = Z, weights.wrong_at_zero, self.dual, self.theta
        self.in_order = np.arange(len(Z), dtype=np.int64)
        self.found = np.empty(4096, dtype=np.int64)

    def go_on(self, order, passed, until, updates, steps):
        """Look at the examples, to the end of a pass after which the run may be over."""
        n = len(self.in_order)
        order = self.in_order if order is None else order
        at, end = passed * n, until * n
        while True:
            made = len(updates) - self.began
            safe = self.exact_until if self.exact_until >= made else 2 * made + 1000
            tolerance = self.tolerance(safe)
            span = (at, end, steps[-1] if steps else -1, safe + 1 - made)
            limits = (tolerance, self.slack(tolerance))
            at, count, undecided = loop(
                self.data, (self.v, self.marked), order, self.found, span, limits
            )
            steps.frombytes(self.found[:count].tobytes())
            updates.frombytes(order[self.found[:count] % n].tobytes())
            if undecided and not self.grid_is_known:
                self.find_grid()  # and if nothing was rounded, the loop itself will decide
                continue
            if undecided:
                i = int(order[at % n])
                for k in updates[self.known :]:
                    self.weights.add(k)
                self.known = len(updates)
                if self.weights.is_mistake(i):
                    self.v += self.data[0][i]
                    updates.append(i)
                    steps.append(at)
                at += 1
            if at % n == 0:
                self.made = len(updates) - self.began
                return at // n

    def longest(self, Z):
        """R, the length of the longest example; in the dual form, the largest entry."""
        R = float(np.abs(Z).max()) if self.dual else math.sqrt(largest_square(Z))
        return R + 2.0**-500

    def mark(self):
        """Remember v."""
        self.marked = self.v.copy()

    def is_back(self, since):
        """Whether w is what it was at the mark: then the examples added since sum up to nothing."""
        if not is_near(self.v, self.marked, self.slack(self.tolerance(self.made))):
            return False
        counts = np.bincount(since, minlength=len(self.in_order))
        used = np.flatnonzero(counts)
        return not dot(counts[used], integers(self.weights.Z[used])[0]).any()

    def last_w(self, updates):
        """w as floats, if no update has rounded it or it is quickly added up again; else None."""
        if not self.grid_is_known and len(self.in_order) < 4 * len(updates):
            self.find_grid()  # which costs less than to add up all the updates
        if self.dual:
            return None
        if self.exact_until >= self.made and not self.power:
            return self.v
        if len(updates) * len(self.v) < 10**6:
            with suppress(OverflowError):
                return column_sums(np.vstack([self.weights.start, self.weights.Z[updates]]))
        return None

    def tolerance(self, M):
        """At least the error of a score after M more updates.

        A mistake has z·w <= 0, so ||w||² grows by at most R² an update (||w|| by at most R, for the
        margin Perceptron).  With u = 2**-53, each of the M updates rounded v by at most u·||w||,
        as did the start, and the sum of d products, in any order and fused or not, errs by at most
        d·u·||z||·||w||.  In the dual form the start is a sum of n products, and each update rounds
        a score once; scores are at most R times the number of updates.  (What is of order u² is
        covered by the factors; what underflow may take away, by the 2**-500 in R.)
        """
        if self.exact_until >= M:
            return 0.0
        Z, R, u = self.data[0], self.R, 1.05 * 2.0**-53
        if self.dual:
            return 2 * u * (len(Z) + M) * (self.counts + M) * R
        if self.theta:
            length = math.sqrt(self.square) + M * R
        else:
            length = math.sqrt(self.square + M * R * R)
        return u * (Z.shape[1] + M + 4) * (R + self.theta) * (length + 2.0**-500)

    def slack(self, tolerance):
        """How far an entry of v may be from that of the mark, if w is back there."""
        return 2 * tolerance / (1 if self.dual else self.R)

    def find_grid(self):
        """All numbers are whole multiples of 2**exponent.  Until when are all sums exact?"""
        self.grid_is_known = True
        if self.theta:
            return  # the threshold rounds in any case
        unit = Fraction(2) ** (self.weights.exponent - self.power)
        R = math.ceil(Fraction(self.R * (1 + 2.0**-20)) / unit)
        if self.dual:  # scores are at most R · M
            exact_until = 2**53 // R - self.counts
        else:  # any part of z·w is at most R · (first + M · R)
            w = self.weights.w  # as it was at the beginning
            first = math.isqrt(int(dot(w, w))) + bool(w.any())
            exact_until = (2**53 // R - first) // R
        self.exact_until = max(self.exact_until, exact_until)


def column_sums(A):
    """The sums of the columns of a float array, each rounded once.

    Every entry is split in two: its leading bits, on a grid so coarse that their sum is exact, and
    the rest, which is treated in the same way until nothing is left.  (A few are added up as they
    are.)  OverflowError where a sum might be too large for a float.
    """
    few = A.size <= 500
    parts = list(A) if few else [np.zeros(A.shape[1])]
    while not few and A.any():
        carry = 2.0 ** (math.frexp(np.abs(A).max())[1] + len(A).bit_length())
        high = (carry + A) - carry
        parts.append(high.sum(axis=0))
        A = A - high
    return np.array([math.fsum(column) for column in np.array(parts).T.tolist()])


# Vector instructions add in another order, and fuse a product with a sum.  Both are allowed: the
# tolerance covers any order, and a sum that is exact is exact in any order.
@njit("f8(f8[:, ::1], i8, f8[::1])", cache=True, fastmath={"reassoc", "nsz", "contract"})
def row_times(Z, i, v):
    total = 0.0
    for j in range(len(v)):
        total += Z[i, j] * v[j]
    return total


def signed(X, y):
    """The examples z_i = y_i x_i, their labels, and the greatest length, in one go (None if its
    square is beyond all floats)."""
    Z = np.empty_like(X) if X.flags.c_contiguous else X.copy(order="C")
    square = sign_and_measure(X if X.flags.c_contiguous else Z, y, Z)
    if math.isfinite(square):
        return Z, y, math.sqrt(square)
    table(X)  # refuses a number that is not finite
    return Z, y, None


@njit(float64(Array(float64, 2, "C", readonly=True), int64[::1], float64[:, ::1]), cache=True)
def sign_and_measure(X, y, Z):
    """Set z_i = y_i x_i; return the largest ||z_i||² (NaN, if there is one)."""
    largest = 0.0
    for i in range(len(X)):
        for j in range(X.shape[1]):
            Z[i, j] = y[i] * X[i, j]
        square = row_times(Z, i, Z[i])
        if math.isnan(square):
            return square
        largest = max(largest, square)
    return largest


@njit("f8(f8[:, ::1])", cache=True)
def largest_square(Z):
    """The largest ||z_i||²."""
    largest = 0.0
    for i in range(len(Z)):
        largest = max(largest, row_times(Z, i, Z[i]))
    return largest


@njit("f8(f8[::1])", cache=True)
def length(v):
    total = 0.0
    for j in range(len(v)):
        total += v[j] * v[j]
    return math.sqrt(total)


@njit("b1(f8[::1], f8[::1], f8)", cache=True)
def is_near(v, mark, slack):
    j = 0
    while j < len(v) and abs(v[j] - mark[j]) <= slack:
        j += 1
    return j == len(v)


@njit(
    "Tuple((i8, i8, b1))(Tuple((f8[:, ::1], b1[::1], b1, f8)), UniTuple(f8[::1], 2), i8[::1], "
    "i8[::1], UniTuple(i8, 4), UniTuple(f8, 2))",
    cache=True,
)
def loop(data, weights, order, found, span, limits):
    """Go on to the next undecided score, or to the end of a pass after which the run may be over.

    The mistakes are added to v, and their steps put into `found`.  Returned are the step reached,
    how many mistakes there were, and whether the example at this step is undecided.  The run may be
    over if a pass had no mistake (the last one before was at step `last`), if v may be back at the
    mark, and at step `end`; the loop also comes back after `room` mistakes.
    """
    (Z, wrong_at_zero, dual, theta), (v, mark) = data, weights
    (at, end, last, room), (tolerance, slack) = span, limits
    n, made, room = len(order), 0, min(room, len(found))
    threshold = theta * length(v) if theta else 0.0
    while at < end:
        first = at // n * n
        for place in range(at - first, n):
            if made == room:
                return first + place, made, False
            i = order[place]
            score = v[i] if dual else row_times(Z, i, v)
            if score > threshold + tolerance:
                continue
            if not score < threshold - tolerance:
                if tolerance:
                    return first + place, made, True
                if not wrong_at_zero[i]:
                    continue
            for j in range(len(v)):
                v[j] += Z[i, j]
            found[made] = last = first + place
            made += 1
            if theta:
                threshold = theta * length(v)
        at = first + n
        if last < first or is_near(v, mark, slack):
            break
    return at, made, False
