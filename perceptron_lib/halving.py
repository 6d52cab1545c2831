"""The margin Perceptron for an unknown margin: guess it, and halve the guess until a run halts."""

import math
import sys
from fractions import Fraction
from typing import NamedTuple

from perceptron_lib import checks
from perceptron_lib.bounds import margin_updates
from perceptron_lib.exact import integers, row_dot, sqrt_above
from perceptron_lib.perceptron import margin_perceptron


class Halving(NamedTuple):
    """The runs of `halving_margin_perceptron`, one for each guess of gamma.

    The last has halted, unless its outcome says otherwise.

    >>> found = halving_margin_perceptron([[3, 1], [1, 3]], [1, -1])
    >>> len(found.runs), found.run
    (2, Run: 1 update in 2 passes over 2 examples, converged)
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
    allows some (R/(eps·gamma))² of them, about four times as many for each guess as for the one
    before.  When the updates of all runs reach `max_updates` it gives up, and the last outcome is
    "stopped" ("cycled", if the weights came back: then there is no separator).

    >>> found = halving_margin_perceptron([[4, 3], [4, 2]], [1, -1])
    >>> len(found.runs), found.updates, found.run.outcome
    (4, 277, 'converged')
    >>> [round(gamma, 3) for gamma in found.gammas]
    [4.472, 2.236, 1.118, 0.559]
    """
    X, y = checks.labelled(X, y)
    eps = checks.positive(eps, "eps", below=1)
    left = checks.whole(max_updates, "max_updates")
    N, exponent = integers(X)
    squares = [int(k) * Fraction(4) ** exponent for k in row_dot(N, N)]
    if min(squares) == 0:
        raise ValueError("an example is the zero vector, so the margin is 0")
    shortest = min(sqrt_above(min(squares)), sys.float_info.max)
    guess, found = Fraction(shortest), Halving([], [])
    while True:
        bound = margin_updates(max(squares), guess**2, eps)
        most = left if bound >= left else math.floor(float(bound)) + 1
        # (Each pass but the last has an update, so the passes do not run out.)
        run = margin_perceptron(X, y, guess, eps, max_passes=most + 1, max_updates=most)
        found.gammas.append(float(guess))
        found.runs.append(run)
        left -= run.mistakes
        if run.outcome != "stopped" or left <= 0:
            return found
        guess /= 2
