"""The loop of `perceptron` as machine code, made by numba and kept on disk for the next time.

It has the same filter, `exact.score_error`.  Where a score is in doubt, it comes back to Python and
lets `Weights` decide; at the end of a pass only if the run may be over.
"""

import numpy as np
from numba import boolean, float64, int64, njit
from numba.types import Array, Tuple

from perceptron_lib import exact
from perceptron_lib.progress import Progress


def learn(w, orders, max_passes, max_updates, cyclic):
    """As `perceptron.learn`."""
    n, at, updates, steps, record = len(w.y), 0, w.updates, w.steps, np.empty((2, 4096), np.int64)
    with Progress() as progress:
        while at < max_passes * n:
            passes, order = at // n, next(orders)
            order = np.arange(n) if order is None else order
            soon = passes + 1 + 10**8 // w.X.size  # a tenth of a second, for the line of progress
            end = n * (min(max_passes, soon, w.next_mark) if cyclic else passes + 1)
            while at == passes * n or at % n:  # until the end of a pass
                room = min(record.shape[1], max_updates - len(updates))
                at, k, in_doubt = loop(
                    w.rows, w.y, order, w.w, w.mark, record, w.at_zero, w.float_theta,
                    at, end, steps[-1] if steps else -1, room, len(updates),
                    w.largest_x, w.largest_start, w.exact_up_to, exact.ROUNDING, exact.TINY,
                )  # fmt: skip
                steps.frombytes(record[0, :k].tobytes())
                updates.frombytes(record[1, :k].tobytes())
                w.renew()
                if in_doubt:
                    i = int(order[at % n])
                    if w.is_mistake(i):
                        updates.append(i)
                        steps.append(at)
                        w.add(i)
                    at += 1
                if len(updates) == max_updates:
                    return at // n, "stopped"
            if not steps or steps[-1] < at - n:
                return at // n, "converged"
            if cyclic and w.is_back(at // n):
                return at // n, "cycled"
            progress("pass {:,} of at most {:,}: {:,} updates", at // n, max_passes, len(updates))
    return at // n, "stopped"


# Vector instructions add in another order, and fuse a product with a sum: the error covers both.
@njit(fastmath={"reassoc", "nsz", "contract"})
def next_unsure(X, y, order, v, place, bound):
    """The next place in the order whose score is not above the bound, and that score."""
    for p in range(place, len(order)):
        x, score = X[order[p]], 0.0
        for j in range(len(v)):
            score += x[j] * v[j]
        if not y[order[p]] * score > bound:
            return p, y[order[p]] * score
    return len(order), 0.0


ROWS, NUMBERS = Array(float64, 2, "C", readonly=True), Array(int64, 1, "C", readonly=True)
GIVEN = (ROWS, NUMBERS, NUMBERS, float64[::1], float64[::1], int64[:, ::1], int64, float64,
         int64, int64, int64, int64, int64, *[float64] * 5)  # fmt: skip


@njit(Tuple((int64, int64, boolean))(*GIVEN), cache=True)
def loop(X, y, order, v, mark, record, at_zero, theta, at, end, last, room, M, largest_x,
         largest_start, exact_up_to, rounding, tiny):  # fmt: skip
    """Go on from step `at`, after M updates, the last of them at step `last`: to a score in doubt,
    or to the end of a pass without a mistake, or with v near its mark, or at step `end`.  Mistakes
    are added to v, and their steps and examples put into `record`, as long as there is room.
    Returned are the step, the number of mistakes, and whether it is in doubt."""
    n, d, k = len(order), len(v), 0
    while at < end and k < room:
        begin, largest = at // n * n, largest_start + M * largest_x
        size, error = largest_x * largest, 0.0
        if size > exact_up_to:
            error = d * (d + 3 + M) * rounding * (size + tiny)  # `exact.score_error`
        needed = theta * np.sqrt((v * v).sum()) if theta else 0.0
        place, score = next_unsure(X, y, order, v, at - begin, needed + error)
        at = begin + place
        if place < n:
            if error and abs(score - needed) <= error:
                return at, k, True
            i = order[place]
            if score < needed or (score == needed and y[i] != at_zero):
                for j in range(d):
                    v[j] += y[i] * X[i, j]
                record[0, k], record[1, k] = at, i
                last, k, M = at, k + 1, M + 1
            at += 1
        drift = (M + 4) * rounding * (largest + largest_x + tiny)  # M + 1 roundings, twice
        if at == begin + n and (last < begin or np.abs(v - mark).max() <= drift):
            break
    return at, k, False
