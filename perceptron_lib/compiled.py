"""The loop of `scan`, and what comes before it, as machine code: made by numba, and kept on disk
for the next time.

Only `scan` imports this module, when a run is long enough, and does without it where numba is
missing.
"""

import math

from numba import float64, int64, njit
from numba.types import Array


# Vector instructions add in another order, and fuse a product with a sum.  Both are allowed: the
# tolerance covers any order, and a sum that is exact is exact in any order.
@njit("f8(f8[:, ::1], i8, f8[::1])", cache=True, fastmath={"reassoc", "nsz", "contract"})
def row_times(Z, i, v):
    total = 0.0
    for j in range(len(v)):
        total += Z[i, j] * v[j]
    return total


@njit(float64(Array(float64, 2, "C", readonly=True), int64[::1], float64[:, ::1]), cache=True)
def signed(X, y, Z):
    """Set z_i = y_i x_i; return the largest square of a length (NaN, if there is one)."""
    longest = 0.0
    for i in range(len(X)):
        sign = float(y[i])
        for j in range(X.shape[1]):
            Z[i, j] = sign * X[i, j]
        square = row_times(Z, i, Z[i])
        if math.isnan(square):
            return square
        longest = max(longest, square)
    return longest


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
    "Tuple((i8, i8, b1))(f8[:, ::1], b1[::1], b1, f8, f8, "
    "f8[::1], i8[::1], i8, i8, i8, f8[::1], f8, i8, i8[::1])",
    cache=True,
)
def loop(
    Z, wrong_at_zero, dual, unit, theta, v, order, at, end, last, mark, tolerance, room, found
):
    n, made = len(order), 0
    room = min(room, len(found))
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
        if last < first or is_near(v, mark, unit * tolerance):
            break
    return at, made, False
