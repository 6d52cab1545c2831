"""The loop of `scan` as machine code, made by numba and kept on disk for the next time.

Only `scan` imports this module, when a run is long enough, and does without it where numba is
missing.
"""

import math

from numba import njit


# Vector instructions add in another order, and fuse a product with a sum.  Both are allowed: the
# tolerance covers any order, and a sum that is exact is exact in any order.
@njit("f8(f8[:, ::1], i8, f8[::1])", cache=True, fastmath={"reassoc", "nsz", "contract"})
def row_times(A, i, v):
    total = 0.0
    for j in range(len(v)):
        total += A[i, j] * v[j]
    return total


@njit("f8(f8[::1])", cache=True)
def length(v):
    total = 0.0
    for j in range(len(v)):
        total += v[j] * v[j]
    return math.sqrt(total)


@njit(
    "Tuple((i8, i8, b1))"
    "(f8[:, ::1], f8[::1], b1[::1], b1, f8, f8[::1], i8[::1], i8, f8, i8, i8[::1])",
    cache=True,
)
def loop(A, y, wrong_at_zero, dual, theta, v, order, at, tolerance, room, found):
    made = 0
    threshold = theta * length(v) if theta else 0.0
    for place in range(at, len(order)):
        if made == room:
            return place, made, False
        i = order[place]
        score = y[i] * (v[i] if dual else row_times(A, i, v))
        if score > threshold + tolerance:
            continue
        if not score < threshold - tolerance:
            if tolerance:
                return place, made, True
            if not wrong_at_zero[i]:
                continue
        for j in range(len(v)):
            v[j] += y[i] * A[i, j]
        found[made] = place
        made += 1
        if theta:
            threshold = theta * length(v)
    return len(order), made, False
