"""A run is the list of its updates; everything else follows from that list.

Write z_i = y_i x_i.  A Perceptron starts at some w (zero, as a rule), and where z_i·w < 0 (or = 0,
if the tie rule says so) it adds z_i to w.  So the examples that caused an update, in order, say all
there is to say: the weights are a running sum over them, the dual coefficients a count, the number
of mistakes their number.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from perceptron_lib.checks import door, places
from perceptron_lib.exact import bits, dot, floats, integers, signs
from perceptron_lib.show import count
from perceptron_lib.tables import table_of_updates

AT_ZERO = {"mistake": 0, "negative": -1, "positive": 1}  # what each tie rule says at score 0


@dataclass(frozen=True, eq=False, repr=False)
class Run:
    """What a Perceptron did: the examples that caused an update, in order.

    Attributes
    ----------
    X, y, start, tie : the examples x_i, their labels, the first weights and the tie rule
    order : None (as they stand), a permutation, "reshuffled", or "pairs" (of a structured run)
    updates : which example caused each update
    steps : how many examples had been looked at before that of each update
    passes : how many whole passes there were, the last included (of a record, if only begun)
    outcome : "converged" (a pass without a mistake), "cycled" (the weights came back at the end of
        a pass, so it would repeat for ever), "stopped", or "recorded" (see `Run.recorded`)
    certificate : if cycled, how often each example was added in one period.  These counts
        satisfy sum_i count_i z_i = 0, which proves that no w has z_i·w > 0 for all i.
    threshold : what z_i·w/||w|| had to reach, for a margin Perceptron (else 0; None, if that was
        half of what could be)
    recorded_weights : w_1 … w_{M+1} as someone else's loop had them, see `Run.recorded`

    >>> from perceptron_lib import five_points, perceptron
    >>> run = perceptron(*five_points()[:2])
    >>> run.updates.tolist(), run.alpha.tolist(), run.w.tolist(), run.outcome
    ([0, 4, 2, 4], [1, 0, 1, 0, 2], [4.0, 0.0], 'converged')
    """

    X: np.ndarray
    y: np.ndarray
    start: np.ndarray
    tie: str
    order: np.ndarray | str | None
    updates: np.ndarray
    steps: np.ndarray
    passes: int
    outcome: str
    certificate: np.ndarray | None = None
    threshold: Fraction | None = Fraction(0)
    recorded_weights: np.ndarray | None = None

    def __post_init__(self):
        for held in vars(self).values():
            if isinstance(held, np.ndarray):
                held.setflags(write=False)

    @classmethod
    @door(updates=lambda v, name, given: places(
        v, n := len(given["y"]), name, f"numbers of examples from 0 to {n - 1}"))  # fmt: skip
    def recorded(cls, X, y, updates, weights, finished=False):
        """A run as another program recorded it: the examples it added, its weights from the first
        to the last, and whether it claims to have converged.

        It is taken to pass over the examples in order, again and again, ties being mistakes, and
        to come to each update as soon as it can.  The claims of a proof can be checked on it, and
        will fail if the program did not do what a Perceptron does.
        """
        if weights.shape != (len(updates) + 1, X.shape[1]):
            wanted = f"{len(updates) + 1} vectors of length {X.shape[1]}"
            updates = count(len(updates), "update")
            raise ValueError(f"weights must be {wanted}, for {updates}; got shape {weights.shape}")
        # How much further on each update was: after example 4, example 2 of 5 is 3 further on.
        steps = np.cumsum((np.diff(updates, prepend=-1) - 1) % len(y) + 1) - 1
        passes = (int(steps[-1]) // len(y) + 1 if len(updates) else 0) + bool(finished)
        return cls(
            X, y, weights[0], "mistake", None, updates, steps, passes,
            "converged" if finished else "recorded", recorded_weights=weights,
        )

    @cached_property
    def Z(self):
        """The examples z_i = y_i x_i."""
        return read_only(self.y[:, None] * self.X)

    @property
    def examples_per_pass(self):
        """How many examples a pass looks at."""
        return len(self.y)

    @property
    def mistakes(self):
        """M, the number of updates."""
        return len(self.updates)

    @property
    def alpha(self):
        """How often each example was added: w = start + sum_i alpha_i y_i x_i."""
        return np.bincount(self.updates, minlength=len(self.y))

    @cached_property
    def w(self):
        """The last weights, each entry rounded once."""
        return read_only(floats(*self.exact_w))

    @cached_property
    def weights(self):
        """All weights w_1 … w_{M+1}, a row each: the cumulative sum of the updates (or what was
        recorded)."""
        return read_only(floats(*self.exact_weights))

    @cached_property
    def exact_weights(self):
        """The same weights as whole numbers, and the power of two that scales them."""
        if self.recorded_weights is not None:
            return integers(self.recorded_weights)
        N, exponent = integers(np.vstack([self.start, self.Z[self.updates]]))
        if bits(N) + len(N).bit_length() > 62:
            N = N.astype(object)
        return np.cumsum(N, axis=0), exponent

    @cached_property
    def exact_w(self):
        """The last weights as whole numbers, and the power of two that scales them."""
        if self.recorded_weights is not None:
            return integers(self.recorded_weights[-1])
        used = np.unique(self.updates)
        N, exponent = integers(np.vstack([self.start, self.y[used, None] * self.X[used]]))
        return dot(np.append(1, self.alpha[used]), N), exponent

    def table(self, columns, u=None):
        """The updates as a table, a row each, in exact numbers; columns are `example` and the names
        that `claims.line.SYMBOLS` has for what changes from update to update.

        >>> from perceptron_lib import perceptron
        >>> perceptron([[1, 0], [0, 1]], [1, -1]).table("t example z next_w zw")
        $t$  example  $z^{(t)}$  $w^{(t+1)}$  $z^{(t)}\\cdot w^{(t)}$
        ---  -------  ---------  -----------  ----------------------
          1        0  (1, 0)     (1, 0)                            0
          2        1  (0, −1)    (1, −1)                           0
        """
        return table_of_updates(self, columns, u)

    @door
    def predict(self, X):
        """The label the last weights give to each row of X: the sign of x·w.

        A score of exactly 0 gets what the tie rule says, and 0 (no label) under "mistake".
        """
        if X.shape[1] != len(self.start):
            columns = count(len(self.start), "column")
            raise ValueError(f"X must have {columns}, one for each weight; got {X.shape[1]}")
        return self._labels(X, self.exact_w[0])

    def _labels(self, X, W):
        labels = signs(X, W)
        return np.where(labels == 0, AT_ZERO[self.tie], labels)

    def __repr__(self):
        ending = {
            "cycled": "cycled: the weights came back, so it would never converge",
            "stopped": "stopped before it converged", "recorded": "as recorded",
        }.get(self.outcome, self.outcome)  # fmt: skip
        if self.threshold and self.outcome == "stopped":
            ending += "; gamma may be too large, or the limit too low"
        updates = count(self.mistakes, "mistake" if self.threshold == 0 else "update")
        passes = f"{count(self.passes, 'pass')} over {count(self.examples_per_pass, 'example')}"
        return f"Run: {updates} in {passes}, {ending}"


def read_only(array):
    array.setflags(write=False)
    return array
