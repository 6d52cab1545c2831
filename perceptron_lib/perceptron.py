"""The Perceptron: look at one example after the other, and at each mistake add it.

    w = start
    again and again, for each example i:
        if z_i·w says "mistake":  w = w + z_i            (z_i = y_i x_i)

The updates are those of exact arithmetic, for any finite data.  `Weights` keeps w in whole numbers,
and decides by them; `Exactly` is the loop above.  Whole numbers are slow: where there are more than
a few examples, it lets `lookahead` find the mistakes, which looks at floats first, and asks
`Weights` only about scores whose sign these cannot tell; long runs do the same in machine code
(`fast`).  All make the same updates.
"""

import math
import sys
from array import array
from fractions import Fraction
from functools import cached_property, lru_cache

import numpy as np

from perceptron_lib import checks, lookahead
from perceptron_lib.exact import bits, dot, floats, integers, lowest_bit
from perceptron_lib.examples import shuffled
from perceptron_lib.progress import Progress
from perceptron_lib.run import AT_ZERO, Run

FEW = 8  # up to so many examples, one by one is as fast


def perceptron(X, y, tie="mistake", start=None, order=None, max_passes=1000):
    """Run the Perceptron over the examples until a whole pass has no mistake, or the weights come
    back at the end of a pass (then it would go on for ever, and no separator exists; this is not
    looked for if each pass has a new order).

    Parameters
    ----------
    X, y : (n, d) examples and their labels, -1 or +1 (a table of 20,000 floats or more is not
        copied: leave it as it is while you use the run)
    tie : what a score of exactly 0 means (A3): "mistake" (always wrong), "negative" (predict -1)
        or "positive" (predict +1)
    start : the first weights; zero if not given
    order : None (as the examples stand), a permutation of 0 … n-1 for every pass, or a NumPy
        random generator, which makes a new order for each pass
    max_passes : give up after this many passes; then the outcome is "stopped"

    >>> perceptron([[1, 0], [0, 1]], [1, -1])
    Run: 2 mistakes in 2 passes over 2 examples, converged
    """
    X, y = lookahead.examples(X, y)
    start = np.zeros(X.shape[1]) if start is None else checks.vector(start, X.shape[1], "start")
    weights = Weights(X, y, start, at_zero(tie))
    return cycle_through(weights, tie, order, max_passes)


def margin_perceptron(X, y, gamma, eps=0.5, order=None, max_passes=1000, max_updates=None):
    """Run the margin Perceptron, which also updates on examples too close to its line (M1).

    It starts at z = y x of the first example (example 0 if each pass has a new order), and adds
    z_i wherever z_i·w/||w|| is below (1 - eps)·gamma.  For every gamma up to the largest margin of
    the examples it halts, if `max_passes` lets it, and then every example has a margin of at least
    (1 - eps)·gamma (M6).

    Parameters
    ----------
    gamma : the margin that some separator is hoped to have, above 0
    eps : how much of it may be given away, between 0 and 1
    max_updates : give up at that update, in the middle of a pass if need be (None: no such limit);
        the other parameters are those of `perceptron`

    >>> margin_perceptron([[1, 2], [2, -1], [-1, 1]], [1, 1, -1], gamma=0.5)
    Run: 1 update in 2 passes over 3 examples, converged
    """
    X, y = lookahead.examples(X, y)
    threshold = (1 - checks.positive(eps, "eps", below=1)) * checks.positive(gamma, "gamma")
    _, kept = _orders(order, len(y))
    first = kept[0] if isinstance(kept, np.ndarray) else 0
    start = checks.vector(y[first] * X[first], name="the first example")
    if not start.any():
        raise ValueError("the first example is the zero vector, which gives no direction to start")
    weights = Weights(X, y, start, theta=threshold)
    return cycle_through(weights, "mistake", order, max_passes, max_updates)


# --- the loop --------------------------------------------------------------------------------


class Weights:
    """w in whole numbers of 2**exponent: the first weights, and the z added so far.

    Whole numbers are made when first asked for, so that machine code may do without them.
    """

    kind, dual = Run, False  # the class of its run; whether w is only implicit (`kernels.Counts`)

    def __init__(self, X, y, start, at_zero=0, theta=Fraction(0)):
        self.X, self.y, self.start = X, y, start
        self.at_zero = at_zero  # the label that a score of 0 stands for (0: none, a mistake)
        self.theta = theta  # what z·w/||w|| must reach, for the margin Perceptron

    @cached_property
    def exponent(self):
        parts = [part for part in (self.X, self.start) if part.any()]
        return min(map(lowest_bit, parts), default=0)

    @cached_property
    def row(self):
        """A function that gives z_i in whole numbers."""
        X, y, exponent = self.X, self.y, self.exponent
        if self.narrow:
            return lru_cache(None)(lambda i: (X[i] * (y[i] * 2.0**-exponent)).astype(np.int64))
        return lru_cache(None)(lambda i: y[i] * integers(X[i], exponent)[0])

    @cached_property
    def narrow(self):
        """Whether every z has at most 31 bits (and none is extremely small)."""
        largest = max(float(self.X.max()), -float(self.X.min()))
        return math.frexp(largest)[1] - self.exponent <= 31 and self.exponent > -1000

    @cached_property
    def w(self):
        """The weights now: int64 where every z has at most 31 bits, so that even 2**31 updates fit;
        else Python integers."""
        w = integers(self.start, self.exponent)[0]
        return w if self.narrow and bits(w) <= 61 else w.astype(object)

    def is_mistake(self, i):
        """What z_i·w says, decided in whole numbers."""
        score = int(dot(self.row(i), self.w))
        if not self.theta:
            return score < 0 or (score == 0 and bool(self.y[i] != self.at_zero))
        # z·w < θ||w||, squared: there the unit 2**exponent is in the left side four times, and in
        # the right side twice.
        square = score**2 * Fraction(4) ** self.exponent
        return score <= 0 or square < self.theta**2 * int(dot(self.w, self.w))

    def add(self, i):
        """The update."""
        self.w = self.w + self.row(i)

    def direction(self):
        """w / ||w|| in floats (see `signs.relative_error`)."""
        w = self.w
        if w.dtype == object and bits(w) > 500:  # squares must not overflow; 500 bits are plenty
            w = w >> (bits(w) - 500)
        w = w.astype(float)
        return w / (math.sqrt(w @ w) or 1.0)

    def equal(self, marked):
        """Whether w equals the marked weights."""
        return bool((self.w == marked).all())


class Exactly:
    """The engine in whole numbers: one by one up to FEW examples, else looking ahead in floats.

    An engine has the methods `go_on`, `mark`, `is_back` and `last_w`; `updates` and `steps` are
    what a `Run` says they are.
    """

    def __init__(self, weights):
        self.weights, few = weights, len(weights.y) <= FEW
        self.mistakes = self.plainly if few else lookahead.Ahead(weights).mistakes

    def plainly(self, order):
        """The mistakes of a pass, one after the other, with their places in it.  The caller adds
        each to w before it asks for the next, which depends on that."""
        for place, i in enumerate(range(len(self.weights.y)) if order is None else order.tolist()):
            if self.weights.is_mistake(i):
                yield place, i

    def go_on(self, order, passed, until, limit, updates, steps):
        """Look at the examples of the next pass, unless the updates become `limit`; return the
        number of whole passes so far.  (An engine may go on, up to the end of pass `until`.)"""
        n = len(self.weights.y)
        for place, i in self.mistakes(order):
            self.weights.add(i)
            updates.append(i)
            steps.append(passed * n + place)
            if len(updates) >= limit:
                return passed + (place + 1) // n
        return passed + 1

    def mark(self):
        """Remember w."""
        self.marked = self.weights.w.copy()

    def is_back(self, since):
        """Whether w is what it was at the mark; `since` are the updates since then."""
        return self.weights.equal(self.marked)

    def last_w(self, updates):
        """w as floats, each rounded once, if it is at hand (the dual form has none)."""
        weights = self.weights
        return None if weights.dual else floats(weights.w, weights.exponent)


def cycle_through(weights, tie, order, max_passes, max_updates=None):
    """Pass after pass, until one has no mistake, the weights come back, or a limit is reached."""
    n, y = len(weights.y), weights.y
    max_passes = checks.whole(max_passes, "max_passes")
    limit = sys.maxsize if max_updates is None else checks.whole(max_updates, "max_updates")
    next_order, order = _orders(order, n)
    cyclic = not isinstance(order, str)
    engine, updates, steps = None, array("q"), array("q")
    passed, outcome, certificate = 0, "stopped", None
    # Brent's search for a cycle: w is remembered after pass 0, 1, 3, 7, 15, …; one of these is on
    # the cycle and longer than its period before the next, so that w comes back to it.
    next_mark = 0
    with Progress() as progress:
        while passed < max_passes:
            if passed == next_mark:
                engine = _faster(engine, weights, passed, len(updates))
                engine.mark()
                marked, next_mark = len(updates), 2 * next_mark + 1
            until = min(next_mark, max_passes) if cyclic else passed + 1
            passed = engine.go_on(next_order(), passed, until, limit, updates, steps)
            if len(updates) >= limit:
                break
            if not steps or steps[-1] < (passed - 1) * n:
                outcome = "converged"
                break
            if cyclic and engine.is_back(updates[marked:]):
                outcome, certificate = "cycled", np.bincount(updates[marked:], minlength=n)
                break
            progress("pass {:,} of at most {:,}: {:,} updates", passed, max_passes, len(updates))
    updates, steps = np.array(updates, dtype=np.int64), np.array(steps, dtype=np.int64)
    return weights.kind(
        weights.X, y, weights.start, tie, order, updates, steps, passed, outcome, certificate,
        weights.theta, last_w=engine.last_w(updates),
    )


def _faster(engine, weights, passed, made):
    """The engine to go on with: machine code, where it is at hand or worth loading.  (One
    mistake costs NumPy about as much time as looking at 10,000 numbers.)"""
    size, fast = weights.X.size, None
    if not weights.dual:
        fast = lookahead.machine_code(size, passed * size + 10_000 * made)
    if fast is not None and not isinstance(engine, fast.Compiled):
        return fast.Compiled(weights, made)
    return engine or Exactly(weights)


def at_zero(tie):
    """The label that this tie rule predicts at score 0."""
    return AT_ZERO[checks.one_of(tie, "tie", AT_ZERO)]


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
