"""The Perceptron: look at one example after the other, and at each mistake add z_i = y_i x_i to w.

The updates are exact, for any finite data: floats decide what they can tell for certain, and whole
numbers the rest.  Large data take the same loop as machine code (`fast`).
"""

import math
from array import array
from contextlib import suppress
from fractions import Fraction
from importlib import import_module
from itertools import count, repeat

import numpy as np

from perceptron_lib.checks import door
from perceptron_lib.exact import dot, integers, lowest_bit, middling, score_error, signs
from perceptron_lib.examples import shuffled
from perceptron_lib.progress import Progress
from perceptron_lib.run import AT_ZERO, Run
from perceptron_lib.show import as_float

LARGE, LONG = 20_000, 10**9  # from so many numbers on, or for looking at so many, machine code


def learn(w, orders, max_passes, max_updates, cyclic):
    """Pass over the examples until a pass has no mistake; return the passes, and how it ended."""
    n, passes, updates, steps = len(w.y), 0, w.updates, w.steps
    with Progress() as progress:
        while passes < max_passes:
            before = len(updates)
            for place, i in w.not_surely_right(next(orders)):  # the others floats know to be right
                if w.is_mistake(i):  # z_i·w <= 0, which whole numbers decide if need be
                    updates.append(i)
                    steps.append(passes * n + place)
                    w.add(i)  # w = w + z_i
                    if len(updates) == max_updates:
                        return passes + (place + 1) // n, "stopped"
            passes += 1
            if len(updates) == before:
                return passes, "converged"
            if cyclic and w.is_back(passes):
                return passes, "cycled"
            progress("pass {:,} of at most {:,}: {:,} updates", passes, max_passes, len(updates))
    return passes, "stopped"


@door
def perceptron(X, y, tie="mistake", start=None, order=None, max_passes=1000):
    """The `Run` of the Perceptron, until a whole pass has no mistake, or the weights come back at
    the end of a pass (then it would go on for ever, and no separator exists).

    Parameters
    ----------
    X, y : (n, d) examples and their labels, -1 or +1
    tie : what a score of exactly 0 is (A3): a "mistake", or a prediction, "negative" or "positive"
    order : None (as the examples stand), a permutation of 0 … n-1 for every pass, or a NumPy
        random generator, which makes a new order for each pass (then nobody looks for cycles)
    start, max_passes : the first weights, zero if not given, and when to give up ("stopped")

    >>> perceptron([[1, 0], [0, 1]], [1, -1])
    Run: 2 mistakes in 2 passes over 2 examples, converged
    """
    return run_of(Weights(X, y, start, tie), order, max_passes)


@door
def margin_perceptron(X, y, gamma=None, eps=None, order=None, max_passes=1000, max_updates=None):
    """The run of the margin Perceptron, which also updates on examples too close to its line (M1).

    It starts at z of the first example (example 0 if each pass has a new order), and adds z_i where
    z_i·w/||w|| < (1 - eps)·gamma, with eps 1/2 by default; if gamma is no larger than the margin,
    it halts with margins of (1 - eps)·gamma or more (M6).  Without gamma it asks for half of what
    could be, ||w||/2t after t vectors (M13).

    >>> margin_perceptron([[1, 2], [2, -1], [-1, 1]], [1, 1, -1], gamma=0.5)
    Run: 1 update in 2 passes over 3 examples, converged
    """
    first = order[0] if isinstance(order, np.ndarray) else 0
    if not X[first].any():
        raise ValueError("the first example is the zero vector, which gives no direction to start")
    if gamma is None and eps:
        raise ValueError("eps must be left out where gamma is: the run asks for half of the margin")
    w = Weights(X, y, y[first] * X[first], theta=gamma and (1 - (eps or Fraction(1, 2))) * gamma)
    return run_of(w, order, max_passes, max_updates or math.inf)


def run_of(w, order, max_passes, max_updates=math.inf, kind=Run):  # the run of these weights
    n, cyclic = len(w.y), not isinstance(order, np.random.Generator)
    orders = repeat(order) if cyclic else (shuffled(n, order.bit_generator) for _ in count())
    usual = type(w) is Weights and w.theta is not None
    fast = machine_code(w.X.size, max_passes) if usual else None
    passes, outcome = (fast.learn if fast else learn)(w, orders, max_passes, max_updates, cyclic)
    updates, steps = np.array(w.updates, np.int64), np.array(w.steps, np.int64)
    return kind(w.X, w.y, w.start, w.tie, order if cyclic else "reshuffled", updates, steps, passes,
                outcome, w.certificate, w.theta)  # fmt: skip


def machine_code(numbers, passes):
    """The module `fast`, if it is worth loading; None if not, or if numba is missing or broken."""
    with suppress(Exception):
        worth_it = numbers >= LARGE or numbers * passes >= LONG
        return import_module("perceptron_lib.fast") if worth_it else None


class Weights:
    """w in floats, rounded at each update, and in whole numbers for what floats cannot tell."""

    def __init__(self, X, y, start=None, tie="mistake", theta=Fraction(0)):
        start = np.zeros(X.shape[1]) if start is None else start
        self.X, self.y, self.start, self.tie, self.theta = X, y, start, tie, theta
        self.updates, self.steps, self.certificate = array("q"), array("q"), None
        # The same over 2**power, if numbers are extreme; and the largest |x_j| and |start_j|.
        self.rows, w, self.largest_x, self.largest_start, self.power = middling(X, start)
        self.w, self.d, self.at_zero, self.growth = w.copy(), len(w), AT_ZERO[tie], self.largest_x
        longest = self.d**0.5 * self.largest_x  # no z is longer, so that θ need not be, either
        self.float_theta = min(as_float((theta or 0) / Fraction(2) ** self.power), longest)
        self.exact_up_to = -1.0 if theta != 0 or self.power or start.any() else 0.0  # -1: never
        self.whole, self.in_whole = None, 0  # w in whole numbers, after so many updates
        self.mark, self.marked, self.next_mark = w.copy(), 0, 1
        self.fewest = self.block = max(1, 2048 // self.d)  # rows scored at once; fewer save no time
        self.renew(anew=True)

    def renew(self, anew=False):
        """θ||w||, which a score must reach (||w||²/2t without θ), and how far floats may be off."""
        length, t = math.sqrt(self.w @ self.w), len(self.updates) + 1  # vectors, with the start
        self.needed = (length / 2 / t if self.theta is None else self.float_theta) * length
        if anew or len(self.updates) > self.foreseen:  # which is seldom
            self.foreseen = k = 2 * len(self.updates) + 10 * bool(self.updates)  # and ten more
            size = self.largest_x * (self.largest_start + k * self.growth)
            self.error = score_error(self.d, size, k) if size > self.exact_up_to else 0.0

    def not_surely_right(self, order):
        """Places and examples of a pass that may be mistakes; between two, w may change."""
        place, n = 0, len(self.y)
        while place < n:
            ahead = slice(place, place + self.block)
            ahead = ahead if order is None else order[ahead]
            unsure = self.y[ahead] * (self.rows[ahead] @ self.w) <= self.needed + self.error
            k = int(unsure.argmax())
            if unsure[k]:
                place += k + 1
                yield place - 1, place - 1 if order is None else int(ahead[k])
                self.block = max(self.block // 2, self.fewest)  # more may follow: look less far
            else:
                place += self.block
                self.block = min(2 * self.block, n)

    def is_mistake(self, i):
        """Whether z_i·w < 0 (or = 0, if the tie rule says so), or z_i·w < θ||w||."""
        score = self.y[i] * (self.rows[i] @ self.w) - self.needed
        if self.error and abs(score) <= self.error:  # too close for floats
            w, exponent = self.in_whole_numbers()
            score = int(self.y[i]) * dot(integers(self.X[i], exponent)[0], w)
            if score > 0 and self.theta is None:  # z·w < ||w||²/2t
                return 2 * score * (len(self.updates) + 1) < dot(w, w)
            if score > 0 and self.theta:  # z·w < θ||w||, squared
                return score**2 * Fraction(4) ** exponent < self.theta**2 * dot(w, w)
        return bool(score < 0 or (score == 0 and self.y[i] != self.at_zero))

    def add(self, i):  # after it was recorded in `updates`
        self.w += self.y[i] * self.rows[i]
        self.renew()

    def in_whole_numbers(self):
        """w / 2**exponent, and that exponent.  (The first time, it sees how far floats are exact:
        products are multiples of 4**exponent, and sums of up to 2**53 of these do not round.)"""
        if self.whole is None:
            self.exponent = min(lowest_bit(self.X), lowest_bit(self.start))
            self.whole = integers(self.start, self.exponent)[0].astype(object)
            if self.theta == 0:
                self.exact_up_to = 2.0**53 * 4.0 ** (self.exponent - self.power) / self.d or -1.0
                self.renew(anew=True)
        used, counts = np.unique(self.updates[self.in_whole :], return_counts=True)
        self.whole += dot(self.y[used] * counts, integers(self.X[used], self.exponent)[0])
        self.in_whole = len(self.updates)
        return self.whole, self.exponent

    def is_back(self, passes):
        """Whether w is what it was at its mark; else it may be marked anew, after pass 1, 3, 7, …:
        one mark is on a cycle, if there is any, for longer than its period (Brent 1980)."""
        if np.abs(self.w - self.mark).max() * self.d * self.largest_x <= self.error:  # else no
            counts = np.bincount(self.updates[self.marked :], minlength=len(self.y))
            if not signs(self.X.T, self.y * counts).any():  # what was added since sums up to 0
                self.certificate = counts
                return True
        if passes == self.next_mark:
            self.mark, self.marked = self.w.copy(), len(self.updates)
            self.next_mark = 2 * passes + 1
        return False
