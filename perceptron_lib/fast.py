"""The loop of `perceptron` in machine code, made by numba and kept on disk for the next time.

The idea: let floats decide wherever they cannot be wrong.  Here w is a vector of floats, v, and
every update rounds it again, so a score may err, by a tolerance that grows with the number of
updates.  It is certainly right, certainly a mistake, or in doubt, and then the loop comes back and
whole numbers (`Weights`) decide.  The examples are read as they stand: a score is y_i (x_i·v), and
the lengths that the tolerance needs are measured in the first pass, along with the scores.

At the first doubt the data are looked at as a whole (`look_closer`).  If they lie on a coarse grid
nothing rounds for a long while, and until then the tolerance is 0; extreme numbers are scaled.
Data without ties never pay for that.

In the dual form (`Counts`) X is the Gram matrix, and v holds the scores themselves (but for their
sign): again a mistake adds y_i times row i to v.
"""

import math
from fractions import Fraction

import numpy as np
from numba import boolean, float64, int64, njit
from numba.types import Array, Tuple, UniTuple

from perceptron_lib import checks
from perceptron_lib.exact import dot, floats, integers, lowest_bit
from perceptron_lib.show import as_float

ROUNDING = 1.05 * 2.0**-53  # how much a sum may be off, relatively, and a little more
LARGE = 2.0**400  # no square of a length may be above that; 2**-500 makes up for all underflow


class Compiled:
    """The engine in machine code; it has the methods of `perceptron.Exactly`."""

    def __init__(self, weights, made):
        """Go on from where `weights` are, after `made` updates."""
        self.weights, self.X = weights, weights.X
        self.began = self.known = made  # the updates before, and those the whole numbers know of
        self.made = 0  # the updates since
        # So many updates from here round nothing; how many they are is found out when it matters.
        self.exact_until = -1 if made or weights.start.any() else 0
        self.R2, self.measured = 0.0, False  # the largest ||x_i||² so far; whether of all examples
        self.power, self.looked = 0, False
        if weights.dual:
            self.v = self.X @ weights.w.astype(float)
        else:
            self.v = floats(weights.w, weights.exponent) if made else weights.start.copy()
        self.found = np.empty((2, 4096), dtype=np.int64)
        self.set_out(self.v.copy())
        if weights.dual:
            self.R2, self.measured = largest(self.X) ** 2, True
        if largest(self.v) > 2.0**200 or (weights.dual and not 1 / LARGE < self.R2 < LARGE):
            self.scale()

    def set_out(self, first):
        """What the loop needs to know; `first` is v as it was at the beginning."""
        weights, self.first = self.weights, first
        # No example is longer than 2**300, so that every score is below a larger threshold, too.
        theta = min(as_float(weights.theta / Fraction(2) ** self.power), 2.0**300)
        length = math.hypot(*first.tolist()) if self.exact_until else 0.0
        self.data = self.X, weights.y, weights.at_zero
        self.kind = weights.dual, theta, self.X.shape[1], length, self.began

    def go_on(self, order, passed, until, limit, updates, steps):
        """Look at the examples, to the end of a pass after which the run may be over."""
        n, order = len(self.X), IN_ORDER if order is None else order
        until = min(until, passed + 1 + 10**8 // self.X.size)  # a tenth of a second, for progress
        at = passed * n
        while True:
            span = at, until * n, steps[-1] if steps else -1, limit - len(updates), self.made
            known = self.R2, self.measured, self.exact_until, ROUNDING
            at, count, doubt, self.R2 = loop(
                self.data, self.kind, (self.v, self.marked), order, self.found, span, known
            )
            self.made += count
            steps.frombytes(self.found[0, :count].tobytes())
            updates.frombytes(self.found[1, :count].tobytes())
            self.measured = self.measured or at >= (passed + 1) * n
            if doubt == EXTREME:
                self.scale()
            elif doubt and not self.looked:
                self.look_closer()  # and if nothing was rounded, the loop itself will decide
            elif doubt:
                i = int(order[at % n]) if len(order) else at % n
                for k in updates[self.known :]:
                    self.weights.add(k)
                self.known = len(updates)
                if self.weights.is_mistake(i):
                    self.v += self.weights.y[i] * self.X[i]
                    self.made += 1
                    updates.append(i)
                    steps.append(at)
                at += 1
            if at % n == 0 or len(updates) >= limit:
                if at % n and not self.measured:
                    checks.table(self.weights.X)  # what was not looked at must be finite, too
                return at // n

    def mark(self):
        """Remember v."""
        self.marked = self.v.copy()

    def is_back(self, since):
        """Whether w is what it was at the mark: then the examples added since sum up to nothing."""
        if not is_near(self.v, self.marked, slack(self.kind, self.R2, self.tolerance(self.made))):
            return False
        counts = np.bincount(since, minlength=len(self.X)) * self.weights.y
        used = np.flatnonzero(counts)
        return not dot(counts[used], integers(self.weights.X[used])[0]).any()

    def last_w(self, updates):
        """w as floats, each rounded once, if no update has rounded v or they are quickly added up;
        else None."""
        weights = self.weights
        if not self.looked and len(updates) > len(self.X):
            self.look_closer()  # which costs less than to add up all the updates
        if weights.dual or (self.made <= self.exact_until and not self.power):
            return None if weights.dual else self.v
        if updates.size * len(self.v) > 10**7:
            return None
        w, exact = added_up(weights.X, weights.y, updates, weights.start.copy())
        return w if exact else None

    def tolerance(self, M):
        """At least the error of a score after M more updates."""
        return 0.0 if M <= self.exact_until else tolerance(self.kind, self.R2, M, ROUNDING)

    def look_closer(self):
        """At the first doubt: are numbers so extreme that they must be scaled?  If not, are all on
        a grid, and until when are sums exact then?"""
        self.looked, X, dual = True, self.X, self.weights.dual
        row, R2, low = 0, self.R2, min(lowest_bit(self.v), lowest_bit(self.first))
        while 1 / LARGE < R2 < LARGE and row < len(X) and 2 * low > math.frexp(R2)[1] - 54:
            row, R2 = survey(X, row, 2.0**-low, R2)
            low = min(low, lowest_bit(X[row])) if row < len(X) and R2 < LARGE else low
        if not 1 / LARGE < R2 < LARGE:
            self.scale()
        elif row == len(X):
            self.R2, self.measured = self.R2 if dual else R2, True
            unit = Fraction(2) ** low
            R, first = (
                math.ceil(Fraction(x * (1 + 2.0**-20)) / unit) for x in (math.sqrt(self.R2), self.kind[3])
            )
            # In the dual form scores are at most R·M; else any part of one, R·(first + M·R).
            exact_until = 2**53 // R - self.began if dual else (2**53 // R - first) // R
            if not self.kind[1]:  # (a threshold rounds in any case)
                self.exact_until = max(self.exact_until, exact_until)

    def scale(self):
        """Divide by a power of two: no product may overflow, and what is lost to underflow is far
        below the tolerance."""
        X = checks.table(self.weights.X, copy=False)  # which refuses what is not finite
        self.power = math.frexp(max(largest(X), largest(self.first)))[1]
        self.X, self.v = np.ldexp(X, -self.power), np.ldexp(self.v, -self.power)
        squares = self.X**2 if self.weights.dual else np.einsum("ij,ij->i", self.X, self.X)
        self.R2, self.measured, self.looked = float(squares.max()), True, True
        self.set_out(np.ldexp(self.first, -self.power))


def largest(A):
    """The largest magnitude in an array."""
    return max(float(A.max()), -float(A.min()))


# --- machine code ----------------------------------------------------------------------------

ROWS, NUMBERS = Array(float64, 2, "C", readonly=True), Array(int64, 1, "C", readonly=True)
FLOATS, KIND = float64[::1], Tuple((boolean, float64, int64, float64, int64))
DOUBT, EXTREME = 1, 2  # why the loop comes back
IN_ORDER = np.empty(0, dtype=np.int64)


# Vector instructions add in another order, and fuse a product with a sum.  Both are allowed: the
# tolerance covers any order, and a sum that is exact is exact in any order.
@njit(float64(ROWS, int64, FLOATS), cache=True, fastmath={"reassoc", "nsz", "contract"})
def row_times(X, i, v):
    total = 0.0
    for j in range(len(v)):
        total += X[i, j] * v[j]
    return total


@njit(UniTuple(float64, 2)(ROWS, int64, FLOATS), cache=True, fastmath={"reassoc", "nsz", "contract"})
def row_times_and_square(X, i, v):
    total, square = 0.0, 0.0
    for j in range(len(v)):
        total += X[i, j] * v[j]
        square += X[i, j] * X[i, j]
    return total, square


@njit(Tuple((int64, float64))(ROWS, int64, float64, float64), cache=True, fastmath={"reassoc", "nsz", "contract"})
def survey(X, i, scale, R2):
    """From row i on: the first row that, times `scale`, is not whole, and the largest square before
    it (or what is beyond LARGE)."""
    for i in range(i, len(X)):
        off, square = 0.0, 0.0
        for j in range(X.shape[1]):
            x = X[i, j] * scale
            off += abs(x - np.rint(x))
            square += X[i, j] * X[i, j]
        if not square < LARGE:
            return i, square
        if off != 0.0:
            return i, R2
        R2 = max(R2, square)
    return len(X), R2


@njit(float64(KIND, float64, int64, float64), cache=True)
def tolerance(kind, R2, M, rounding):
    """At least the error of a score after M more updates.

    A mistake has z·w <= 0, so ||w||² grows by at most R² an update (||w|| by at most R, for the
    margin Perceptron).  With u = 2**-53, each of the M updates rounded v by at most u·||w||,
    as did the start, and the sum of d products, in any order and fused or not, errs by at most
    d·u·||z||·||w||.  In the dual form the start is a sum of n products, and each update rounds
    a score once; scores are at most R times the number of updates.  (What is of order u² is
    covered by the factors; what underflow may take away, by the 2**-500 in R.)
    """
    dual, theta, d, first, began = kind
    R = math.sqrt(R2) + 2.0**-500
    if dual:
        return 2 * rounding * (d + M) * (began + M) * R
    length = first + M * R if theta else math.sqrt(first * first + M * R * R)
    return rounding * (d + M + 4) * (R + theta) * (length + 2.0**-500)


@njit(float64(KIND, float64, float64), cache=True)
def slack(kind, R2, error):
    """How far an entry of v may be from that of the mark, if w is back there."""
    return 2 * error / (1.0 if kind[0] else math.sqrt(R2) + 2.0**-500)


@njit(boolean(FLOATS, FLOATS, float64), cache=True)
def is_near(v, mark, slack):
    j = 0
    while j < len(v) and abs(v[j] - mark[j]) <= slack:
        j += 1
    return j == len(v)


@njit(float64(FLOATS), cache=True)
def length(v):
    total = 0.0
    for j in range(len(v)):
        total += v[j] * v[j]
    return math.sqrt(total)


@njit(
    Tuple((int64, int64, int64, float64))(
        Tuple((ROWS, NUMBERS, int64)), KIND, UniTuple(FLOATS, 2), NUMBERS, int64[:, ::1],
        UniTuple(int64, 5), Tuple((float64, boolean, int64, float64)),
    ),
    cache=True,
)
def loop(data, kind, weights, order, found, span, known):
    """Go on to the next doubt, or to the end of a pass after which the run may be over.

    The mistakes are added to v, and their steps and examples put into `found`.  Returned are the
    step reached, how many mistakes there were, whether the example at this step is in doubt (or has
    extreme numbers), and R² as far as it is measured.  The run may be over if a pass had no mistake
    (the last one before was at step `last`), if v may be back at the mark, and at step `end`; the
    loop also comes back after `room` mistakes.
    """
    (X, y, at_zero), (v, mark) = data, weights
    (dual, theta, d, first, began), (at, end, last, room, M) = kind, span
    R2, measured, exact_until, rounding = known
    n, made, room = len(X), 0, min(room, found.shape[1])
    threshold = theta * length(v) if theta else 0.0
    error = 0.0 if M <= exact_until else tolerance(kind, R2, M, rounding)
    while at < end:
        begin = at // n * n
        for place in range(at - begin, n):
            if made == room:
                return begin + place, made, 0, R2
            i = order[place] if len(order) else place
            if measured:
                score = v[i] if dual else row_times(X, i, v)
            else:
                score, square = row_times_and_square(X, i, v)
                if not square < LARGE:
                    return begin + place, made, EXTREME, R2
                if square > R2:
                    R2 = square
                    error = 0.0 if M <= exact_until else tolerance(kind, R2, M, rounding)
            score *= y[i]
            if score > threshold + error:
                continue
            if not score < threshold - error:
                if error:
                    return begin + place, made, DOUBT, R2
                if y[i] == at_zero:
                    continue
            for j in range(len(v)):
                v[j] += y[i] * X[i, j]
            found[0, made] = last = begin + place
            found[1, made] = i
            made, M = made + 1, M + 1
            error = 0.0 if M <= exact_until else tolerance(kind, R2, M, rounding)
            if theta:
                threshold = theta * length(v)
        at, measured = begin + n, True
        if last < begin or is_near(v, mark, slack(kind, R2, error)):
            break
    return at, made, 0, R2


@njit(Tuple((FLOATS, boolean))(ROWS, NUMBERS, NUMBERS, FLOATS), cache=True)
def added_up(X, y, updates, w):
    """w plus the examples of these updates, each entry rounded once; and whether that is certain.

    What an addition rounds off is found exactly (Knuth) and added up in `rest`.  If that rounds
    nothing in its turn, w + rest is the sum.
    """
    rest, lost = np.zeros(len(w)), 0.0
    for i in updates:
        for j in range(len(w)):
            a, b = w[j], y[i] * X[i, j]
            total = a + b
            part = total - a
            off = (a - (total - part)) + (b - part)
            more = rest[j] + off
            part = more - rest[j]
            lost += abs((rest[j] - (more - part)) + (off - part))
            w[j], rest[j] = total, more
    return w + rest, lost == 0.0
