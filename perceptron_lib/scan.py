"""The inner loop of every Perceptron: look at examples until one needs thought.

Each example i has a row A_i and a label y_i, and a vector v holds what was learned.  The score of
i is y_i (A_i·v), with A_i = x_i and v = w; in the dual form it is y_i v_i: there v holds what is
said of all examples, and A_i is a row of the Gram matrix.  A mistake adds y_i A_i to v, in both
forms.  The data are read where they are: a signed copy would cost more than several passes.

A score computed in floating point may err, by less than a tolerance that the caller knows.  So
it is one of three things: certainly right, certainly a mistake, or undecided.  The contract is

    at, made, undecided = scan.go_on(v, order, at, tolerance, room)

"go on from place `at` of the order to the next undecided score or to the end of the pass": add
the mistakes to v and write their places to `scan.found[:made]`.  If `undecided`, the example at
place `at` is for the caller to decide, in whole numbers.  The tolerance holds for so many
mistakes only, so the scan also comes back when it has made `room` of them.  At tolerance 0 the
scores are exact and nothing is undecided: a score of 0 is wrong if the tie rule says so.

There are two ways to fulfil it, and both make the same updates.  `Blocks` is plain NumPy: it
takes the scores of a block of examples at once and finds the first that is not certainly right,
so that Python is entered once a mistake or block, not once an example.  `Compiled` is the plain
loop in machine code, for where numba is installed (the extra `fast`).
"""

import math

import numpy as np

# Importing numba takes about half a second, so a run turns to it when it has taken that long
# without; from then on every run does so at once.  0 asks for it, infinity forbids it.
patience = 0.5

TINY = 2.0**-700  # below every exact score but 0: data are of middling size and on a coarse grid


class Scan:
    """What is looked at.

    A, y : the rows and their labels, -1.0 or 1.0
    wrong_at_zero : for each example, whether an exact score of 0 is a mistake
    dual : whether v itself holds what is said of each example
    theta : a score must reach theta·||v||, for the margin Perceptron (else 0)
    """

    def __init__(self, A, y, wrong_at_zero, dual=False, theta=0.0):
        self.A, self.y, self.wrong_at_zero, self.dual, self.theta = A, y, wrong_at_zero, dual, theta
        self.found = np.empty(len(A), dtype=np.int64)

    def add(self, i, v):
        """The update."""
        if self.y[i] > 0:
            v += self.A[i]
        else:
            v -= self.A[i]


class Blocks(Scan):
    """Scores a block of examples at a time; the block grows where mistakes are rare."""

    def __init__(self, *given):
        super().__init__(*given)
        # What a right score must reach, if that is not the same for all: above 0, or 0.
        wrong = self.wrong_at_zero
        self.least = None if wrong.all() else np.where(wrong, TINY, 0.0)
        # So few rows cost no more than the call that scores them.
        self.smallest = max(1, 2048 // (1 if self.dual else self.A.shape[1]))
        self.block = 2 * self.smallest

    def go_on(self, v, order, at, tolerance, room):
        A, block, made = self.A, self.block, 0
        least = None if tolerance else self.least
        low, high = self.limits(v, tolerance)
        while at < len(A) and made < room:
            rows = slice(at, at + block) if order is None else order[at : at + block]
            score = self.y[rows] * (v[rows] if self.dual else A[rows].dot(v))
            suspect = score <= high if least is None else score < least[rows]
            k = int(suspect.argmax())  # the first one, if there is any
            if not suspect[k]:
                at += block
                block *= 2
                continue
            at += k
            if tolerance and not score[k] < low:
                self.block = block
                return at, made, True
            self.add(at if order is None else order[at], v)
            self.found[made] = at
            at, made = at + 1, made + 1
            if self.theta:
                low, high = self.limits(v, tolerance)
            if block > self.smallest:
                block //= 2  # mistakes are dense here: look less far ahead
        self.block = min(block, len(A))
        return min(at, len(A)), made, False

    def limits(self, v, tolerance):
        """A score below the first is a mistake, one above the second is right."""
        threshold = self.theta * math.sqrt(v.dot(v)) if self.theta else 0.0
        return threshold - tolerance, threshold + tolerance


class Compiled(Scan):
    """One example after the other, in machine code."""

    def __init__(self, scan, loop):
        self.given = scan.A, scan.y, scan.wrong_at_zero, scan.dual, scan.theta
        super().__init__(*self.given)
        self.loop, self.in_order = loop, np.arange(len(self.A), dtype=np.int64)

    def go_on(self, v, order, at, tolerance, room):
        order = self.in_order if order is None else order
        return self.loop(*self.given, v, order, at, tolerance, room, self.found)


def faster(scan, seconds):
    """The scan to go on with when a run has taken so many seconds."""
    global patience
    if seconds < patience or isinstance(scan, Compiled):
        return scan
    try:
        from perceptron_lib.compiled import loop
    except Exception:  # numba is missing or broken, and NumPy does the same
        patience = math.inf
        return scan
    patience = 0.0
    return Compiled(scan, loop)
