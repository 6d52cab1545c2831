"""The Perceptron: look at one example after the other, and at each mistake add it.

    w = start
    again and again, for each example i:
        if z_i·w says "mistake":  w = w + z_i            (z_i = y_i x_i)

The updates are those of exact arithmetic, for any finite data: `Weights` keeps w in whole numbers,
and asks them whenever a score is too close to 0.  To be quick about it, `InNumPy` rounds w once
to floats, and looks ahead over a block of examples with these: a float score further from 0 than
its rounding error can be has a certain sign, and only the first one that is not certainly right
needs thought.  Long runs turn to the same loop in machine code, `fast`, where numba is installed.
"""

import math
import sys
from array import array
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from typing import NamedTuple

import numpy as np

from perceptron_lib import checks, exact
from perceptron_lib.bounds import margin_updates
from perceptron_lib.examples import shuffled
from perceptron_lib.kernels import gram_matrix
from perceptron_lib.progress import Progress
from perceptron_lib.run import AT_ZERO, KernelRun, Run


def perceptron(X, y, tie="mistake", start=None, order=None, max_passes=1000):
    """Run the Perceptron over the examples until a whole pass has no mistake.

    Parameters
    ----------
    X, y : (n, d) examples and their labels, -1 or +1
    tie : what a score of exactly 0 means (A3): "mistake" (always wrong), "negative" (predict -1)
        or "positive" (predict +1)
    start : the first weights; zero if not given
    order : None (as the examples stand), a permutation of 0 … n-1 for every pass, or a NumPy
        random generator, which makes a new order for each pass
    max_passes : give up after this many passes; then the outcome is "stopped"

    >>> perceptron([[1, 0], [0, 1]], [1, -1])
    Run: 2 mistakes in 2 passes over 2 examples, converged
    """
    Z, y, longest = _signed(X, y)
    start = np.zeros(Z.shape[1]) if start is None else checks.vector(start, Z.shape[1], "start")
    weights = Weights(Z, start, y != tie_rule(tie), longest=longest)
    return _cycle_through(weights, y, tie, order, max_passes)


def margin_perceptron(X, y, gamma, eps=0.5, order=None, max_passes=1000, max_updates=None):
    """Run the margin Perceptron, which also updates on examples too close to its line (M1).

    It starts at z = y x of the first example (example 0 if each pass has a new order), and adds
    z_i wherever z_i·w/||w|| is below (1 - eps)·gamma.  For every gamma up to the largest margin of
    the examples it halts, and then every example has a margin of at least (1 - eps)·gamma (M6).

    Parameters
    ----------
    gamma : the margin that some separator is hoped to have, above 0
    eps : how much of it may be given away, between 0 and 1
    max_updates : give up after the pass in which the updates become as many as that (None: never);
        the other parameters are those of `perceptron`

    >>> margin_perceptron([[1, 2], [2, -1], [-1, 1]], [1, 1, -1], gamma=0.5)
    Run: 1 update in 2 passes over 3 examples, converged
    """
    Z, y, longest = _signed(X, y)
    threshold = (1 - checks.positive(eps, "eps", below=1)) * checks.positive(gamma, "gamma")
    _, kept = _orders(order, len(y))
    start = Z[kept[0] if isinstance(kept, np.ndarray) else 0].copy()
    if not start.any():
        raise ValueError("the first example is the zero vector, which gives no direction to start")
    weights = Weights(Z, start, np.ones(len(y), dtype=bool), threshold, longest)
    return _cycle_through(weights, y, "mistake", order, max_passes, max_updates)


def kernel_perceptron(K, y, tie="mistake", order=None, max_passes=1000):
    """Run the Perceptron in its dual form, on a Gram matrix K_ij = x_i·x_j (D1).

    The score of example i is sum_j alpha_j z_j·z_i: the row of i in the table of all z_i·z_j times
    the counts alpha.  A kernel makes K; ``run.predict(kernel(new, X))`` uses it.

    >>> X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    >>> kernel_perceptron((X @ X.T + 1) ** 2, [1, -1, -1, 1]).outcome
    'converged'
    """
    K = gram_matrix(K)
    y = checks.labels(y, len(K))
    counts = Counts(y[:, None] * K * y, y != tie_rule(tie))
    return _cycle_through(counts, y, tie, order, max_passes)


class Halving(NamedTuple):
    """The runs of `halving_margin_perceptron`, one for each guess of gamma.

    The last has halted, unless its outcome says otherwise.
    """

    gammas: list
    runs: list

    @property
    def run(self):
        """The last run."""
        return self.runs[-1]

    @property
    def updates(self):
        """The number of updates of all runs together."""
        return sum(run.mistakes for run in self.runs)


def halving_margin_perceptron(X, y, eps=0.5, max_updates=10**6):
    """The margin Perceptron for unknown gamma: halve a guess until the run halts (M9).

    The first guess is the length of the shortest example, which no margin exceeds.  A run that
    makes more updates than the theorem allows for its gamma has proved that gamma too large.  It
    allows about 2(R/(eps·gamma))² of them, four times as many for each guess as for the one before,
    so after `max_updates` in all it gives up, and the last outcome is "stopped".
    """
    X, y = checks.labelled(X, y)
    eps = checks.positive(eps, "eps", below=1)
    left = checks.whole(max_updates, "max_updates")
    N, exponent = exact.integers(X)
    squares = [int(k) * Fraction(4) ** exponent for k in exact.row_dot(N, N)]
    if min(squares) == 0:
        raise ValueError("an example is the zero vector, so the margin is 0")
    guess, found = Fraction(exact.sqrt_above(min(squares))), Halving([], [])
    while True:
        bound = margin_updates(max(squares), guess**2, eps)
        most = left if bound >= left else math.floor(float(bound)) + 1
        run = margin_perceptron(X, y, guess, eps, max_passes=most + 1, max_updates=most)
        found.gammas.append(float(guess))
        found.runs.append(run)
        left -= run.mistakes
        if run.outcome != "stopped" or left <= 0:
            return found
        guess /= 2


# --- the loop --------------------------------------------------------------------------------


def _cycle_through(weights, y, tie, order, max_passes, max_updates=None):
    """Pass after pass, until one has no mistake or the weights come back; the run as a `Run`."""
    n, Z = len(y), weights.Z
    max_passes = checks.whole(max_passes, "max_passes")
    most = math.inf if max_updates is None else checks.whole(max_updates, "max_updates")
    next_order, order = _orders(order, n)
    cyclic = not isinstance(order, str)
    one_by_one = not cyclic or max_updates is not None  # is there something to do after each pass?
    engine, updates, steps = None, array("q"), array("q")
    passed, outcome, certificate = 0, "stopped", None
    next_mark = 0  # Brent's search for a cycle: w is remembered after pass 0, 1, 3, 7, 15, …
    with Progress() as progress:
        while passed < max_passes:
            if passed == next_mark:
                engine = _faster(engine, weights, passed, len(updates))
                engine.mark()
                marked, next_mark = len(updates), 2 * next_mark + 1
            until = passed + 1 if one_by_one else min(next_mark, max_passes)
            passed = engine.go_on(next_order(), passed, until, updates, steps)
            if not steps or steps[-1] < (passed - 1) * n:
                outcome = "converged"
                break
            if len(updates) >= most:
                break
            if cyclic and engine.is_back(updates[marked:]):
                outcome, certificate = "cycled", np.bincount(updates[marked:], minlength=n)
                break
            progress("pass {:,} of at most {:,}: {:,} updates", passed, max_passes, len(updates))
    updates, steps = np.array(updates, dtype=np.int64), np.array(steps, dtype=np.int64)
    return weights.kind(
        Z, y, weights.start, tie, order, updates, steps, passed, outcome, certificate,
        weights.theta, last_w=engine.last_w(updates),
    )


def _faster(engine, weights, passed, made):
    """The engine to go on with: machine code, where it is at hand or worth its loading."""
    fast = machine_code(passed * weights.Z.size + 10_000 * made)
    if fast is None or isinstance(engine, fast.Compiled):
        return engine or InNumPy(weights)
    return fast.Compiled(weights, made)


class InNumPy:
    """One pass after the other: many scores at once in floats, those in doubt in whole numbers."""

    def __init__(self, weights):
        self.weights = weights
        self.rows, lengths, power = exact.middling(weights.Z)
        # A score is right if it reaches theta·||w||.  (No row is as long as 2**300.)
        goal = min(exact.rounded(weights.theta / Fraction(2) ** power), 2.0**300)
        doubt = exact.relative_error(self.rows.shape[1]) * (lengths + goal)
        self.low, self.high = goal - doubt, goal + doubt
        self.smallest = max(1, 2048 // self.rows.shape[1])  # so few cost no more than one call
        self.block = 2 * self.smallest

    def go_on(self, order, passed, until, updates, steps):
        """Look at the examples of the next pass; add the mistakes to w, and note them."""
        n, place, block = len(self.rows), 0, self.block
        w, length = self.weights.rounded()
        while place < n:
            ahead = slice(place, place + block)
            ahead = ahead if order is None else order[ahead]
            scores = self.rows[ahead] @ w
            unsure = scores <= self.high[ahead] * length
            k = int(unsure.argmax())
            if not unsure[k]:  # all of them are certainly right
                place += block
                block = min(2 * block, n)
                continue
            place += k
            i = place if order is None else int(order[place])
            if scores[k] < self.low[i] * length or self.weights.is_mistake(i):
                self.weights.add(i)
                updates.append(i)
                steps.append(passed * n + place)
                w, length = self.weights.rounded()
            place += 1
            block = max(block // 2, self.smallest)  # such examples are dense here: look less ahead
        self.block = block
        return passed + 1

    def mark(self):
        """Remember w."""
        self.marked = self.weights.w.copy()

    def is_back(self, since):
        """Whether w is what it was at the mark, the examples `since` having been added."""
        return self.weights.equal(self.marked)

    def last_w(self, updates):
        """w as floats (the dual form has none)."""
        weights = self.weights
        return None if weights.dual else exact.floats(weights.w, weights.exponent)


class Weights:
    """w in whole numbers of 2**exponent: the first weights, and the z added so far.

    Whole numbers are made when first asked for, so that machine code may do without them.
    """

    kind, dual = Run, False

    def __init__(self, Z, start, wrong_at_zero, theta=Fraction(0), longest=None):
        self.Z, self.start = Z, start
        self.longest = longest  # the greatest length of an example in floats, if it is known
        self.wrong_at_zero = wrong_at_zero  # for each example, whether a score of 0 is a mistake
        self.theta = theta  # what z·w/||w|| must reach, for the margin Perceptron

    @cached_property
    def exponent(self):
        parts = [part for part in (self.Z, self.start) if part.any()]
        return min(map(exact.lowest_bit, parts), default=0)

    @cached_property
    def row(self):
        """A function that gives z_i in whole numbers."""
        Z, exponent = self.Z, self.exponent
        return lru_cache(None)(lambda i: exact.integers(Z[i], exponent)[0])

    @cached_property
    def w(self):
        """The weights now; `most` is what no entry exceeds."""
        w = exact.integers(self.start, self.exponent)[0]
        largest = max(float(self.Z.max()), -float(self.Z.min()))
        self.step = int(Fraction(largest) / Fraction(2) ** self.exponent)
        self.most = 2 ** exact.bits(w)
        return w

    def add(self, i):
        w = self.w
        self.most += self.step
        if self.most >= 2**62:
            w = w.astype(object)
        self.w = w + self.row(i)

    def rounded(self):
        """The direction of w in floats, each rounded once, and the length of that."""
        w = self.w
        if w.dtype == object:  # of numbers with more bits, 62 will do
            w = (w >> max(0, exact.bits(w) - 62)).astype(np.int64)
        w = w.astype(float)
        return w, math.sqrt(w @ w)

    def is_mistake(self, i):
        """The decision in whole numbers: what does z_i·w say?"""
        score = exact.dot(self.row(i), self.w)
        if not self.theta:
            return bool(score < 0 or (score == 0 and self.wrong_at_zero[i]))
        # z·w < theta·||w||, squared: in units of 2**exponent the score counts twice.
        square = int(score) ** 2 * Fraction(4) ** self.exponent
        return bool(score <= 0 or square < self.theta**2 * int(exact.dot(self.w, self.w)))

    def equal(self, marked):
        return bool((self.w == marked).all())


class Counts(Weights):
    """The same in the dual form: Z is the table of all z_i·z_j, and the counts alpha are w."""

    kind, dual = KernelRun, True

    def __init__(self, Z, wrong_at_zero):
        super().__init__(Z, np.zeros(len(Z)), wrong_at_zero)
        self.w = np.zeros(len(Z), dtype=np.int64)

    def add(self, i):
        self.w[i] += 1

    def equal(self, marked):
        """Whether the weights in feature space are: what was added since scores 0 everywhere."""
        since = self.w - marked
        return not any(exact.dot(self.row(i), since) for i in range(len(since)))


WORTH_LOADING = 3 * 10**8  # about as many numbers as NumPy looks at while numba is imported


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


# --- what is asked of the arguments ----------------------------------------------------------


def tie_rule(tie):
    """What a tie rule says at score 0."""
    return AT_ZERO[checks.one_of(tie, "tie", AT_ZERO)]


def _signed(X, y):
    """The examples z_i = y_i x_i, their labels, and the greatest length if it is known."""
    fast = machine_code(0)
    X = checks.table(X, copy=False, finite=not fast)
    y = checks.labels(y, len(X))
    if fast:
        return fast.signed(X, y)
    return np.multiply(X, y[:, None].astype(float), order="C"), y, None


def _orders(order, n):
    """A function that gives the order of the next pass (None: as they stand), and what a `Run`
    keeps of it."""
    if isinstance(order, np.random.Generator):
        return (lambda: shuffled(n, order.bit_generator)), "reshuffled"
    if order is None:
        return (lambda: None), None
    expected = f"None, a permutation of 0 … {n - 1}, or a NumPy random generator"
    given = checks.places(order, n, "order", expected)
    if not np.array_equal(np.sort(given), np.arange(n)):
        raise checks.refusal("order", expected, order)
    return (lambda: given), given
