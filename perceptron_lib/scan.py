"""The inner loop of every Perceptron: look at examples until one needs thought.

Z has an example z_i = y_i x_i in each row, and v holds what was learned, w.  The score of i is
z_i·v, and a mistake adds z_i to v.  In the dual form Z is the table of all z_i·z_j, and v holds
the scores themselves: again a mistake adds row i to v.

A score computed in floating point may err, by no more than a tolerance that the caller knows.  So
it is one of three things: certainly right, certainly a mistake, or undecided.  The contract is

    at, found, undecided = scan.go_on(v, order, at, end, last, mark, tolerance, room)

"go on from step `at` to the next undecided score, or to the end of a pass after which the run may
be over": add the mistakes to v and return their steps, `found`.  Steps count the examples looked at
over all passes.  If `undecided`, the example at step `at` is for the caller to decide, in whole
numbers.  The run may be over if a pass had no mistake (the last one before `at` was at step
`last`), if v may be back where it was at `mark`, and at step `end`.  The tolerance holds for so
many mistakes only, so the scan also comes back when it has made `room` of them.  At tolerance 0
the scores are exact and nothing is undecided: a score of 0 is wrong if the tie rule says so.

There are three ways to fulfil it, and all make the same updates.  Two are plain NumPy, where a call
costs as much as looking at a hundred examples.  `Blocks` therefore takes the scores of a block of
examples at once, and finds the first that is not certainly right; `Scores` does so in the dual
form, where all scores are at hand.  `Compiled` is the plain loop in machine code, for where numba
is installed (the extra `fast`).
"""

import math

import numpy as np

# Importing numba takes about a second, so a run turns to it when it has taken half as long without;
# from then on every run does so at once.  0 asks for it, infinity forbids it.
patience = 0.5

TINY = 2.0**-700  # below every exact score but 0: data are of middling size and on a coarse grid


class Scan:
    """What is looked at.

    Z : the rows
    wrong_at_zero : for each example, whether an exact score of 0 is a mistake
    dual : whether v itself holds the scores
    unit : v may be back at the mark if no entry is more than that many tolerances away from it
    theta : a score must reach theta·||v||, for the margin Perceptron (else 0)
    """

    def __init__(self, Z, wrong_at_zero, dual=False, unit=0.0, theta=0.0):
        self.Z, self.wrong_at_zero = Z, wrong_at_zero
        self.dual, self.unit, self.theta = dual, unit, theta

    def add(self, i, v):
        """The update, for an example that the caller has decided on."""
        v += self.Z[i]


class InNumPy(Scan):
    """What the ways in NumPy share."""

    def __init__(self, *given):
        super().__init__(*given)
        # What a right score must reach at tolerance 0.
        wrong = self.wrong_at_zero
        self.least = np.array(TINY) if wrong.all() else np.where(wrong, TINY, 0.0)

    def limits(self, v, tolerance):
        """A score below the first is a mistake, one not below the second is right."""
        if not tolerance:
            return None, self.least
        threshold = self.theta * math.sqrt(v.dot(v)) if self.theta else 0.0
        above = math.nextafter(threshold + tolerance, math.inf)
        return threshold - tolerance, np.array(above)  # an array of no dimension is fastest

    def is_over(self, first, last, v, mark, tolerance):
        """Whether the pass that began at step `first` had no mistake, or v may be at the mark."""
        slack = self.unit * tolerance
        return last < first or (
            abs(v[0] - mark[0]) <= slack and bool(np.abs(v - mark).max() <= slack)
        )


class Blocks(InNumPy):
    """Scores a block of examples at a time; the block grows where mistakes are rare."""

    def __init__(self, *given):
        super().__init__(*given)
        # So few rows cost no more than the call that scores them.
        self.smallest = max(1, 2048 // self.Z.shape[1])
        self.block = 2 * self.smallest

    def go_on(self, v, order, at, end, last, mark, tolerance, room):
        Z, n, block, found = self.Z, len(self.Z), self.block, []
        low, right = self.limits(v, tolerance)
        while at < end:
            first = at // n * n
            place = at - first
            while place < n:
                rows = slice(place, place + block)
                rows = rows if order is None else order[rows]
                scores = Z[rows].dot(v)
                wrong = scores < (right[rows] if right.ndim else right)
                k = wrong.tobytes().find(1)  # the first one; bytes are quick to search
                if k < 0:
                    place += block
                    block = min(2 * block, n)
                    continue
                place += k
                if tolerance and scores[k] >= low:
                    return first + place, found, True
                v += Z[place if order is None else order[place]]
                found.append(first + place)
                place += 1
                if len(found) == room:
                    return first + place, found, False
                if self.theta:
                    low, right = self.limits(v, tolerance)
                if block > self.smallest:
                    block //= 2  # mistakes are dense here: look less far ahead
            at, last = first + n, found[-1] if found else last
            if self.is_over(first, last, v, mark, tolerance):
                break
        self.block = block
        return at, found, False


class Scores(InNumPy):
    """The dual form: a mistake is one row to add to the scores, and the next is found in them."""

    def go_on(self, v, order, at, end, last, mark, tolerance, room):
        Z, n, found, less = self.Z, len(self.Z), [], np.less
        low, right = self.limits(v, tolerance)
        seen = bytearray(n)  # 1 where a score is not certainly right
        wrong = np.frombuffer(seen, dtype=bool)
        less(v, right, wrong)
        while at < end:
            first = at // n * n
            place = at - first
            while True:
                place = (seen if order is None else wrong[order].tobytes()).find(1, place)
                if place < 0:
                    break
                i = place if order is None else order[place]
                if tolerance and v[i] >= low:
                    return first + place, found, True
                v += Z[i]
                less(v, right, wrong)
                found.append(first + place)
                place += 1
                if len(found) == room:
                    return first + place, found, False
            at, last = first + n, found[-1] if found else last
            if self.is_over(first, last, v, mark, tolerance):
                break
        return at, found, False


class Compiled(Scan):
    """One example after the other, in machine code."""

    def __init__(self, scan, loop):
        self.given = scan.Z, scan.wrong_at_zero, scan.dual, scan.unit, scan.theta
        super().__init__(*self.given)
        self.loop, self.in_order = loop, np.arange(len(self.Z), dtype=np.int64)
        self.found = np.empty(4096, dtype=np.int64)

    def go_on(self, v, order, at, end, last, mark, tolerance, room):
        order = self.in_order if order is None else order
        at, made, undecided = self.loop(
            *self.given, v, order, at, end, last, mark, tolerance, room, self.found
        )
        return at, self.found[:made], undecided


def machine_code(seconds=0.0):
    """The module of compiled loops, for a run that has taken so many seconds; None: do without."""
    global patience
    if seconds < patience:
        return None
    try:
        import perceptron_lib.compiled as compiled
    except Exception:  # numba is missing or broken, and NumPy does the same
        patience = math.inf
        return None
    patience = 0.0
    return compiled


def faster(scan, seconds):
    """The scan to go on with when a run has taken so many seconds."""
    compiled = None if isinstance(scan, Compiled) else machine_code(seconds)
    return Compiled(scan, compiled.loop) if compiled else scan
