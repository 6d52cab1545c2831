"""The Perceptron, and the one record it leaves: the list of its updates.

Write z_i = y_i x_i.  A run starts at some w (zero, as a rule), looks at one example after the
other, and where the score z_i·w says "mistake" it adds z_i to w.  Hence a run *is* the list of
the examples that caused an update; weights, dual coefficients and the number of mistakes are
sums and counts over that list.

The updates are those of exact arithmetic, for any finite data.  Scores are computed in floating
point, a block of examples at a time.  A score further from 0 than its rounding error can be has
a certain sign; the few others are decided in whole numbers.
"""

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from perceptron_lib.exact import bits, dot, floats, integers, lowest_bit
from perceptron_lib.examples import labelled, shuffled, table
from perceptron_lib.progress import Progress

AT_ZERO = {"mistake": 0, "negative": -1, "positive": 1}  # what each tie rule says at score 0


@dataclass(frozen=True, eq=False, repr=False)
class Run:
    """What a Perceptron did: the examples that caused an update, in order.

    Attributes
    ----------
    X, y, start, tie : the data, the first weights and the tie rule of the run
    order : None (as the examples stand), a permutation, or "reshuffled" for each pass
    updates : which example caused each update
    steps : when: how many examples had been looked at before it, over all passes
    passes : how many passes over the data there were, a last one without a mistake included
    outcome : "converged" (a pass without a mistake), "cycled" (the weights came back to an
        earlier value at the end of a pass, so the run would repeat for ever) or "stopped"
    certificate : if cycled, how often each example was added in one period.  These counts
        satisfy sum_i count_i z_i = 0, which proves that no w has z_i·w > 0 for all i.
    recorded_weights : w_1 … w_{M+1} as someone else's loop had them, see `Run.recorded`
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
    recorded_weights: np.ndarray | None = None

    def __post_init__(self):
        for array in (self.X, self.y, self.start, self.updates, self.steps):
            array.setflags(write=False)

    @classmethod
    def recorded(cls, X, y, updates, weights, tie="mistake"):
        """A run as another program recorded it, passing over the examples in order, again and
        again: the examples it added, and its weights from the first to the last.

        Nothing is taken on trust: the claims of a proof can be checked on it, and will fail if
        the program did not do what a Perceptron does.
        """
        X, y = labelled(X, y)
        n, updates, weights = len(y), np.array(updates, dtype=np.int64), table(weights)
        if weights.shape != (len(updates) + 1, X.shape[1]):
            raise ValueError(
                f"{len(updates)} updates make {len(updates) + 1} weight vectors of length "
                f"{X.shape[1]}; got shape {weights.shape}"
            )
        if len(updates) and not (updates.min() >= 0 and updates.max() < n):
            raise ValueError(f"updates must be numbers of examples, from 0 to {n - 1}")
        gaps = (np.diff(updates, prepend=-1) - 1) % n + 1  # how far on the next update was
        steps = np.cumsum(gaps) - 1
        passes = int(steps[-1]) // n + 2 if len(updates) else 1
        run = cls(X, y, weights[0], tie, None, updates, steps, passes, "recorded", None, weights)
        return run

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
        """The last weights."""
        return _read_only(floats(*self._exact_w))

    @cached_property
    def weights(self):
        """All weights w_1 … w_{M+1}, a row each: a cumulative sum of the updates."""
        return _read_only(floats(*self.exact_weights))

    @cached_property
    def exact_weights(self):
        """The same weights as whole numbers, and the power of two that scales them."""
        if self.recorded_weights is not None:
            return integers(self.recorded_weights)
        Z = self.y[self.updates, None] * self.X[self.updates]
        N, exponent = integers(np.vstack([self.start, Z]))
        if bits(N) + len(N).bit_length() > 62:
            N = N.astype(object)
        return np.cumsum(N, axis=0), exponent

    @cached_property
    def _exact_w(self):
        """The last weights as whole numbers and the power of two that scales them."""
        if self.recorded_weights is not None:
            return integers(self.recorded_weights[-1])
        alpha = self.alpha
        used = np.flatnonzero(alpha)
        N, exponent = integers(np.vstack([self.start, self.X[used]]))
        counts = np.append(1, alpha[used] * self.y[used])
        return dot(counts, N), exponent

    def predict(self, X):
        """The label the last weights give to each row of X: the sign of x·w.

        A score of exactly 0 gets what the tie rule says, and 0 (no label) under "mistake".
        """
        X = table(X)
        if X.shape[1] != len(self.start):
            raise ValueError(f"X must have {len(self.start)} columns, one for each weight")
        W = self._exact_w[0]
        # Only signs matter: bring w and each row to size 1, so that nothing over- or underflows.
        w = floats(W, -bits(W))
        rows = np.ldexp(X, -np.frexp(np.abs(X).max(axis=1, keepdims=True))[1])
        score = rows @ w
        labels = np.sign(score).astype(np.int64)
        error = 2.0**-52 * (len(w) + 2) * _lengths(rows) * _lengths(w[None])
        for i in np.flatnonzero(np.abs(score) <= error):
            exact = dot(integers(X[i])[0], W)
            labels[i] = int(exact > 0) - int(exact < 0) or AT_ZERO[self.tie]
        return labels

    def __repr__(self):
        told = {
            "converged": "converged",
            "cycled": "cycled: the weights came back, so it would never converge",
            "stopped": "stopped before it converged",
            "recorded": "as recorded",
        }[self.outcome]
        return (
            f"Run: {_count(self.mistakes, 'mistake')} in {_count(self.passes, 'pass')} "
            f"over {_count(len(self.y), 'example')}, {told}"
        )


def _read_only(array):
    array.setflags(write=False)
    return array


def _lengths(X):
    return np.sqrt(np.einsum("ij,ij->i", X, X))


def _count(number, noun):
    return f"{number:,} {noun}{'' if number == 1 else 'es' if noun.endswith('s') else 's'}"


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
    X, y = labelled(X, y)
    n, d = X.shape
    if not isinstance(tie, str) or tie not in AT_ZERO:
        raise ValueError(f'tie must be "mistake", "negative" or "positive"; got {tie!r}')
    if not isinstance(max_passes, (int, np.integer)) or max_passes < 1 or max_passes is True:
        raise ValueError(f"max_passes must be a whole number, 1 or more; got {max_passes}")
    start = _start(start, d)
    wrong_at_zero = y != AT_ZERO[tie]
    updates, steps, passes, period = _cycle_through(
        y[:, None] * X, start, wrong_at_zero, _orders(order, n), max_passes
    )
    outcome, certificate = "stopped", None
    if period is not None:
        outcome, certificate = "cycled", np.bincount(period, minlength=n)
    elif not len(steps) or steps[-1] < (passes - 1) * n:  # no mistake in the last pass
        outcome = "converged"
    kept = "reshuffled" if isinstance(order, np.random.Generator) else order
    kept = kept if kept is None or isinstance(kept, str) else np.array(kept)
    return Run(X, y, start, tie, kept, updates, steps, passes, outcome, certificate)


def _start(start, d):
    """The first weights, checked."""
    if start is None:
        return np.zeros(d)
    try:
        (start,) = table([start])
    except ValueError:
        raise ValueError(f"start must be {d} finite numbers, one for each feature") from None
    if len(start) != d:
        raise ValueError(f"start must be {d} finite numbers, one for each feature")
    return start


def _orders(order, n):
    """A function from nothing to the order of the next pass (None: as they stand), and whether
    it is the same in every pass."""
    if isinstance(order, np.random.Generator):
        return (lambda: shuffled(n, order.bit_generator)), False
    if order is None:
        return (lambda: None), True
    order = np.array(order)
    if order.dtype.kind not in "iu" or not np.array_equal(np.sort(order), np.arange(n)):
        raise ValueError(
            f"order must be None, a permutation of 0 … {n - 1}, or a NumPy random generator"
        )
    return (lambda: order), True


def _cycle_through(Z, start, wrong_at_zero, orders, max_passes):
    """The mistake-driven loop: pass after pass, until one is clean or the weights come back.

    Returns the updates, their steps, the number of passes, and the updates of one period if the
    weights came back (else None).
    """
    next_order, cyclic = orders
    n = len(Z)
    arithmetic = _Arithmetic(Z, start, wrong_at_zero)
    Z, w = arithmetic.Z, arithmetic.start.copy()
    updates, steps = [], []
    # Brent's search for a cycle: remember the weights after pass 0, 1, 3, 7, 15, …
    mark, mark_updates, mark_pass, stride = w.copy(), 0, 0, 1
    with Progress() as progress:
        for passed in range(1, max_passes + 1):
            order = next_order()
            before = len(updates)
            _one_pass(arithmetic, w, order, updates, steps, (passed - 1) * n)
            if len(updates) == before:
                break
            if cyclic and arithmetic.same(w, mark, updates, mark_updates):
                return np.array(updates), np.array(steps), passed, updates[mark_updates:]
            if passed - mark_pass == stride:
                mark, mark_updates, mark_pass, stride = w.copy(), len(updates), passed, 2 * stride
            progress(f"pass {passed:,} of at most {max_passes:,}: {len(updates):,} mistakes")
    return np.array(updates, dtype=np.int64), np.array(steps, dtype=np.int64), passed, None


def _one_pass(arithmetic, w, order, updates, steps, first_step):
    """Look at every example once, a block at a time; on a mistake add it to w, and note it."""
    Z, wrong_at_zero = arithmetic.Z, arithmetic.wrong_at_zero
    if order is not None:
        Z, wrong_at_zero = Z[order], wrong_at_zero[order]
    n, at, block = len(Z), 0, 32
    tolerance = arithmetic.tolerance(len(updates))
    while at < n:
        score = Z[at : at + block] @ w
        if tolerance:  # all that are not certainly right
            suspects = score <= tolerance
        else:  # the scores are exact
            suspects = (score < 0) | ((score == 0) & wrong_at_zero[at : at + block])
        for k in suspects.nonzero()[0].tolist():
            i = at + k if order is None else int(order[at + k])
            if not tolerance or score[k] < -tolerance or arithmetic.is_mistake(i, updates):
                w += Z[at + k]
                updates.append(i)
                steps.append(first_step + at + k)
                tolerance = arithmetic.tolerance(len(updates))
                at += k + 1
                block = max(block // 2, 16)  # mistakes are dense here: look less far ahead
                break
        else:
            at += len(score)
            block *= 2


class _Arithmetic:
    """Decides exactly whether z_i·w says "mistake", for w = start + the z of the updates so far.

    In floating point the score errs by at most `tolerance`.  If the data lie on a coarse grid,
    nothing rounds for a long while and the tolerance is 0; that is found out at the first score
    too close to call, so that data without ties never pay for it.
    """

    def __init__(self, Z, start, wrong_at_zero):
        # Scaled by a power of two if the numbers are extreme: no product may overflow, and what
        # is lost to underflow is far below the tolerance.
        largest = max(np.abs(Z).max(), np.abs(start).max())
        power = math.frexp(largest)[1]
        self.original, self.original_start = Z, start
        if abs(power) > 200:
            Z, start = np.ldexp(Z, -power), np.ldexp(start, -power)
        self.Z, self.start, self.wrong_at_zero = Z, start, wrong_at_zero
        self.R = float(_lengths(Z).max()) + 2.0**-500
        self.start_square = float(start @ start)
        self.exact_until = -1 if self.original_start.any() else 0  # nothing rounded up to here
        self.exponent = None  # the grid, once it is known
        self.row = lru_cache(4096)(self._row)

    def tolerance(self, M):
        """More than the error of a score after M updates.

        A mistake has z·w <= 0, so ||w||**2 grows by at most R**2 an update.  With u = 2**-53, each
        of the M updates rounded w by at most u||w||, and the sum of d products, in any order, errs
        by at most d·u·||z||·||w|| (up to terms in u**2, for which 1.02 and 2 more are ample).
        What underflow may take away is below the 2**-500 in R and in the length of w.
        """
        if self.exact_until >= M:
            return 0.0
        length = math.sqrt(self.start_square + M * self.R**2) + 2.0**-500
        return 1.02 * 2.0**-53 * (self.Z.shape[1] + M + 2) * self.R * length

    def is_mistake(self, i, updates):
        """The answer in whole numbers."""
        if self.exponent is None:
            self._find_grid()
        for k in updates[self.added :]:
            self.w = self.w + self.row(k)
        self.added = len(updates)
        score = self.w @ self.row(i)
        return score < 0 or (score == 0 and bool(self.wrong_at_zero[i]))

    def same(self, w, mark, updates, since):
        """Whether the updates since the mark add up to nothing: w is back where it was."""
        M = len(updates)
        rounding = 2 * self.tolerance(M) / self.R
        if np.abs(w - mark).max() > rounding:
            return False
        counts = np.bincount(updates[since:], minlength=len(self.Z))
        used = np.flatnonzero(counts)
        return not dot(counts[used], integers(self.original[used])[0]).any()

    def _find_grid(self):
        """All numbers are whole multiples of 2**exponent.  Until when are all sums exact?"""
        d = self.Z.shape[1]
        parts = (self.original, self.original_start)
        self.exponent = min((lowest_bit(part) for part in parts if part.any()), default=0)
        self.w, self.added = self._whole(self.original_start), 0
        largest = int(self._whole(np.abs(self.original).max(keepdims=True)).item())
        first = max(abs(int(k)) for k in self.w)
        if largest:  # |z·w| <= d · largest · (first + M · largest) <= 2**53
            until = (2**53 // (d * largest) - first) // largest
            self.exact_until = max(self.exact_until, until)

    def _whole(self, v):
        return integers(v, self.exponent)[0].astype(object)

    def _row(self, i):
        return self._whole(self.original[i])
