"""The Perceptron, and the one record it leaves: the list of its updates.

Write z_i = y_i x_i.  A run starts at some w (zero, as a rule), looks at one example after the
other, and where the score z_i·w says "mistake" it adds z_i to w.  Hence a run *is* the list of
the examples that caused an update; weights, dual coefficients and the number of mistakes are
sums and counts over that list.

The updates are those of exact arithmetic, for any finite data.  Scores are computed in floating
point, by `scan`.  A score further from 0 than its rounding error can be has a certain sign; the
few others are decided here, in whole numbers.
"""

import math
import time
import warnings
from array import array
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from typing import NamedTuple

import numpy as np

from perceptron_lib.bounds import margin_updates
from perceptron_lib.exact import (
    adds_exactly,
    bits,
    column_sums,
    dot,
    floats,
    fraction,
    integers,
    lowest_bit,
    rounded,
    row_dot,
    shown,
    sqrt_above,
)
from perceptron_lib.examples import (
    labelled,
    row_lengths,
    shuffled,
    signed,
    signs,
    table,
    whole_number,
)
from perceptron_lib.progress import Progress
from perceptron_lib.scan import Blocks, Scores, faster

AT_ZERO = {"mistake": 0, "negative": -1, "positive": 1}  # what each tie rule says at score 0


@dataclass(frozen=True, eq=False, repr=False)
class Run:
    """What a Perceptron did: the examples that caused an update, in order.

    Attributes
    ----------
    Z, y, start, tie : the examples z_i = y_i x_i, their labels, the first weights and the tie rule
    order : None (as the examples stand), a permutation, or "reshuffled" for each pass
    updates : which example caused each update
    steps : when: how many examples had been looked at before it, over all passes
    passes : how many passes over the data there were, a last one without a mistake included
    outcome : "converged" (a pass without a mistake), "cycled" (the weights came back to an
        earlier value at the end of a pass, so the run would repeat for ever) or "stopped"; a
        recorded run that does not claim to have finished is only "recorded"
    certificate : if cycled, how often each example was added in one period.  These counts
        satisfy sum_i count_i z_i = 0, which proves that no w has z_i·w > 0 for all i.
    recorded_weights : w_1 … w_{M+1} as someone else's loop had them, see `Run.recorded`
    exact_w : the last weights, if the run came to them without rounding (else they are summed up)
    threshold : what z_i·w/||w|| had to reach, for a margin Perceptron (else 0)
    """

    Z: np.ndarray
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
    exact_w: np.ndarray | None = None
    threshold: Fraction = Fraction(0)

    def __post_init__(self):
        for held in vars(self).values():
            if isinstance(held, np.ndarray):
                held.setflags(write=False)

    @classmethod
    def recorded(cls, X, y, updates, weights, finished=False):
        """A run as another program recorded it, passing over the examples in order, again and
        again: the examples it added, its weights from the first to the last, and whether it
        claims to have converged.

        Nothing is taken on trust: the claims of a proof can be checked on it, and will fail if
        the program did not do what a Perceptron does.
        """
        X, y = labelled(X, y)
        n, weights = len(y), table(weights, "weights")
        try:
            updates = [whole_number(i, "an update", 0, n - 1) for i in updates]
        except TypeError:
            raise ValueError("updates must be a list of the numbers of examples") from None
        updates = np.array(updates, dtype=np.int64)
        if weights.shape != (len(updates) + 1, X.shape[1]):
            raise ValueError(
                f"{len(updates)} updates make {len(updates) + 1} weight vectors of length "
                f"{X.shape[1]}; got shape {weights.shape}"
            )
        gaps = (np.diff(updates, prepend=-1) - 1) % n + 1  # how far on the next update was
        steps = np.cumsum(gaps) - 1
        passes = (int(steps[-1]) // n + 1 if len(updates) else 0) + bool(finished)
        outcome = "converged" if finished else "recorded"
        Z, start = y[:, None] * X, weights[0]
        return cls(Z, y, start, "mistake", None, updates, steps, passes, outcome, None, weights)

    @cached_property
    def X(self):
        """The examples x_i."""
        return _read_only(self.y[:, None] * self.Z)

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
        if self.exact_w is not None:
            return _read_only(self.exact_w)
        if self.recorded_weights is None and self.mistakes * len(self.start) < 10**6:
            with suppress(OverflowError):  # where they can, floats are faster than whole numbers
                return _read_only(column_sums(np.vstack([self.start, self.Z[self.updates]])))
        return _read_only(floats(*self._exact_w))

    @cached_property
    def weights(self):
        """All weights w_1 … w_{M+1}, a row each: the cumulative sum of the updates (or what was
        recorded)."""
        return _read_only(floats(*self.exact_weights))

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
    def _exact_w(self):
        """The last weights as whole numbers and the power of two that scales them."""
        if self.recorded_weights is not None:
            return integers(self.recorded_weights[-1])
        if self.exact_w is not None:
            return integers(self.exact_w)
        used = np.unique(self.updates)
        counts, rows = np.append(1, self.alpha[used]), np.vstack([self.start, self.Z[used]])
        if adds_exactly(counts, rows):
            return integers(counts @ rows)
        N, exponent = integers(rows)
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
        error = 2.0**-52 * (len(w) + 2) * row_lengths(rows) * row_lengths(w[None])
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
        noun = "update" if self.threshold else "mistake"
        if self.threshold and self.outcome == "stopped":
            told += "; gamma may be too large"
        return (
            f"Run: {_count(self.mistakes, noun)} in {_count(self.passes, 'pass')} "
            f"over {_count(len(self.y), 'example')}, {told}"
        )


def _read_only(array):
    array.setflags(write=False)
    return array


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
    Z, y, R = signed(X, y)
    wrong_at_zero = y != tie_rule(tie)
    start = _start(start, Z.shape[1])
    arithmetic = _Arithmetic(Z, R, start, wrong_at_zero)
    return _cycle_through(Z, y, start, tie, order, max_passes, arithmetic)


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
    Z, y, R = signed(X, y)
    threshold = (1 - positive(eps, "eps", below=1)) * positive(gamma, "gamma")
    _, kept = _orders(order, len(y))
    first = 0 if kept is None or isinstance(kept, str) else kept[0]
    start = Z[first].copy()
    if not start.any():
        raise ValueError("the first example is the zero vector, which gives no direction to start")
    arithmetic = _MarginArithmetic(Z, R, start, threshold)
    return _cycle_through(Z, y, start, "mistake", order, max_passes, arithmetic, max_updates)


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


class KernelRun(Run):
    """A run in feature space: X is the Gram matrix, and there are no weights, only alpha.

    Z is the table of all z_i·z_j = y_i y_j K_ij.
    """

    @cached_property
    def X(self):
        """The Gram matrix."""
        return _read_only(self.y[:, None] * self.Z * self.y)

    def scores(self, K):
        """The scores of new examples; K holds their inner products with the training examples."""
        return self._products(K) @ (self.alpha * self.y)

    def _products(self, K):
        K = table(K)
        if K.shape[1] != len(self.y):
            raise ValueError(f"K must have {len(self.y)} columns, one for each training example")
        return K

    def all_scores(self, K):
        """The same for every hypothesis of the run: a column for w_1, w_2, … w_{M+1}."""
        steps = self._products(K)[:, self.updates] * self.y[self.updates]
        return np.hstack([np.zeros((len(K), 1)), np.cumsum(steps, axis=1)])

    def predict(self, K):
        """The labels of new examples, by their inner products with the training examples."""
        K, counts = self._products(K), self.alpha * self.y
        score = K @ counts
        labels = np.sign(score).astype(np.int64)
        error = 2.0**-51 * (len(counts) + 2) * (np.abs(K) @ np.abs(counts)) + 1e-300
        for i in np.flatnonzero(np.abs(score) <= error):  # too close to call
            exact = dot(integers(K[i])[0], counts)
            labels[i] = int(exact > 0) - int(exact < 0) or AT_ZERO[self.tie]
        return labels

    def _no_weights(self):
        raise ValueError("a kernel run has no weights in feature space; use alpha and scores")

    w = weights = exact_weights = property(_no_weights)


def kernel_perceptron(K, y, tie="mistake", order=None, max_passes=1000):
    """Run the Perceptron in its dual form, on a Gram matrix K_ij = x_i·x_j (D1).

    The score of example i is sum_j alpha_j y_j K_ij.  All scores are kept up to date: an update
    on example i adds one row of K.  A kernel makes K; ``run.predict(kernel(new, X))`` uses it.

    >>> X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    >>> kernel_perceptron((X @ X.T + 1) ** 2, [1, -1, -1, 1]).outcome
    'converged'
    """
    K = table(K, "K")
    n = len(K)
    if K.shape != (n, n):
        raise ValueError(f"K must be square, a row and a column for each example; got {K.shape}")
    if not np.array_equal(K, K.T):
        with np.errstate(over="ignore"):
            apart = np.abs(K - K.T)
        i, j = np.unravel_index(np.argmax(apart), K.shape)
        whole = np.array_equal(K, np.rint(K))
        if whole or apart[i, j] > 1e-12 * np.abs(K).max():
            raise ValueError(f"K must be symmetric; K[{i}, {j}] and K[{j}, {i}] differ")
        K = K / 2 + K.T / 2  # they differ by rounding only
    y = signs(y, n)
    wrong_at_zero = y != tie_rule(tie)
    _warn_if_indefinite(K)
    K *= y[:, None]
    K *= y
    arithmetic = _KernelArithmetic(K, wrong_at_zero)
    return _cycle_through(K, y, np.zeros(n), tie, order, max_passes, arithmetic)


def _warn_if_indefinite(K):
    """A Gram matrix has no negative eigenvalue (beyond what rounding may bring)."""
    size = float(np.abs(K).max()) or 1.0
    try:
        if np.diag(K).min() < 0:
            raise np.linalg.LinAlgError
        np.linalg.cholesky(K / size + 1e-9 * len(K) * np.eye(len(K)))
    except np.linalg.LinAlgError:
        least = float(np.linalg.eigvalsh(K)[0])
        warnings.warn(
            f"K is not positive semidefinite (smallest eigenvalue {least:.3g}), so it is no table "
            "of inner products, and no theorem applies", stacklevel=3,
        )


def halving_margin_perceptron(X, y, eps=0.5, max_halvings=40, max_updates=10**6):
    """The margin Perceptron for unknown gamma: halve a guess until the run halts (M9).

    The first guess is the length of the shortest example, which no margin exceeds.  A run that
    makes more updates than the theorem allows for its gamma has proved that gamma too large.  It
    allows about 2(R/(eps·gamma))² of them, four times as many for each guess as for the one before,
    so after `max_updates` in all it gives up, and the last outcome is "stopped".
    """
    X, y = labelled(X, y)
    eps = positive(eps, "eps", below=1)
    max_halvings = whole_number(max_halvings, "max_halvings")
    left = whole_number(max_updates, "max_updates")
    N, exponent = integers(X)
    squares = [int(k) * Fraction(4) ** exponent for k in row_dot(N, N)]
    if min(squares) == 0:
        raise ValueError("an example is the zero vector, so the margin is 0")
    gamma, gammas, runs = Fraction(sqrt_above(min(squares))), [], []
    for _ in range(max_halvings):
        bound = margin_updates(max(squares), gamma**2, eps)
        most = left if bound >= left else math.floor(float(bound)) + 1
        run = margin_perceptron(X, y, gamma, eps, max_passes=most + 1, max_updates=most)
        gammas.append(float(gamma))
        runs.append(run)
        left -= run.mistakes
        if run.outcome != "stopped" or left <= 0:
            break
        gamma /= 2
    return Halving(gammas, runs)


def positive(value, name, below=math.inf):
    """A number above 0 (and below another), as the fraction it is; else a ValueError."""
    try:
        exact = fraction(value)
    except ValueError:
        exact = 0
    if not 0 < exact < below:
        upper = f" and below {below}" if below < math.inf else ""
        raise ValueError(f"{name} must be a finite number above 0{upper}; got {shown(value)}")
    return exact


def tie_rule(tie):
    """What a tie rule says at score 0; a ValueError if there is no such rule."""
    if not isinstance(tie, str) or tie not in AT_ZERO:
        raise ValueError(f'tie must be "mistake", "negative" or "positive"; got {shown(tie)}')
    return AT_ZERO[tie]


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
    """A function that gives the order of the next pass (None: as they stand), and what a `Run`
    keeps of it."""
    if isinstance(order, np.random.Generator):
        return (lambda: shuffled(n, order.bit_generator)), "reshuffled"
    if order is None:
        return (lambda: None), None
    try:
        order = np.array(order)
        permutation = order.dtype.kind in "iu" and np.array_equal(np.sort(order), np.arange(n))
    except ValueError:  # of rows of different lengths, NumPy makes no array
        permutation = False
    if not permutation:
        raise ValueError(
            f"order must be None, a permutation of 0 … {n - 1}, or a NumPy random generator"
        )
    order = order.astype(np.int64)
    return (lambda: order), order


def _cycle_through(Z, y, start, tie, order, max_passes, arithmetic, max_updates=None):
    """The mistake-driven loop: pass after pass, until one is clean or the weights come back."""
    n = len(y)
    max_passes = whole_number(max_passes, "max_passes")
    most = math.inf if max_updates is None else whole_number(max_updates, "max_updates")
    next_order, order = _orders(order, n)
    cyclic = not isinstance(order, str)
    v, began = arithmetic.start.copy(), time.perf_counter()
    updates, steps, outcome, certificate = array("q"), array("q"), "stopped", None
    # Brent's search for a cycle: remember the weights after pass 0, 1, 3, 7, 15, …
    mark, mark_updates, mark_pass, stride = v.copy(), 0, 0, 1
    # So many passes at a time: few enough to show progress, and one if each end has to be seen.
    few = max(1, 10**6 // Z.size) if cyclic and max_updates is None else 1
    passed = 0
    with Progress() as progress:
        while passed < max_passes:
            arithmetic.scan = faster(arithmetic.scan, time.perf_counter() - began)
            if arithmetic.dual_form_pays(len(updates)):
                v, mark = arithmetic.dual_form(v, mark)
            until = min(passed + few, mark_pass + stride, max_passes)
            passed = arithmetic.go_on(v, next_order(), passed, until, mark, updates, steps)
            if not steps or steps[-1] < (passed - 1) * n:
                outcome = "converged"
                break
            if len(updates) >= most:
                break
            if cyclic and arithmetic.same(v, mark, updates, mark_updates):
                outcome, period = "cycled", updates[mark_updates:]
                certificate = np.bincount(period, minlength=n)
                break
            if passed - mark_pass == stride:
                mark, mark_updates, mark_pass, stride = v.copy(), len(updates), passed, 2 * stride
            progress("pass {:,} of at most {:,}: {:,} updates", passed, max_passes, len(updates))
    updates, steps = np.array(updates, dtype=np.int64), np.array(steps, dtype=np.int64)
    return arithmetic.kind(
        Z, y, start, tie, order, updates, steps, passed, outcome, certificate,
        exact_w=arithmetic.unrounded(v, updates), threshold=arithmetic.theta,
    )


class _Arithmetic:
    """Decides exactly whether z_i·w says "mistake", for w = start + the z of the updates so far.

    In floating point the score errs by `tolerance` at most.  If the data lie on a coarse grid,
    nothing rounds for a long while and the tolerance is 0; that is found out at the first score
    too close to call, so that data without ties never pay for it.
    """

    kind = Run

    def __init__(self, Z, R, start, wrong_at_zero, theta=Fraction(0)):
        # Scaled by a power of two if the numbers are extreme: no product may overflow, and what
        # is lost to underflow is far below the tolerance.
        self.Z, self.original_start, self.R, self.power = Z, start, float(R), 0
        if not 2.0**-200 < self.R < 2.0**200 or _largest(start) > 2.0**200:
            self.power = math.frexp(max(_largest(Z), _largest(start)))[1]
            Z, start = np.ldexp(Z, -self.power), np.ldexp(start, -self.power)
            self.R = float(row_lengths(Z).max())
        self.d, self.start, self.wrong_at_zero, self.theta = Z.shape[1], start, wrong_at_zero, theta
        # No example is longer than 2**300, so that every score is below a larger threshold, too.
        self.float_theta = min(rounded(theta / Fraction(2) ** self.power), 2.0**300)
        self.R += 2.0**-500
        # An entry of w is off by a tolerance / R at most, and so is one of the mark.
        self.scan = Blocks(Z, wrong_at_zero, False, 2 / self.R, self.float_theta)
        self.start_square = float(start @ start)
        self.exact_until = -1 if self.original_start.any() else 0  # nothing rounded up to here
        self.exponent = None  # the grid, once it is known

    def dual_form_pays(self, M):
        """Whether M mistakes have cost as much as the table of all inner products would.

        With it a mistake takes about 2 microseconds less; the table itself takes about as many as
        are computed here, and 32 megabytes at most.
        """
        if not isinstance(self.scan, Blocks) or self.theta or len(self.Z) > 2048:
            return False
        return len(self.Z) ** 2 * (self.d + 20) / 20_000 < 2 * M

    def dual_form(self, *weights):
        """Go on with the scores of all examples in place of w; return those of some weights."""
        Z = self.scan.Z
        self.scan = Scores(Z @ Z.T, self.wrong_at_zero, True, 2.0)
        return [Z @ w for w in weights]

    def unrounded(self, v, updates):
        """The last weights, if nothing has been rounded (else None)."""
        n, M, finest = len(self.Z), len(updates), math.frexp(self.R)[1] + self.power - 30
        if self.exponent is None and n < 4 * M and lowest_bit(self.Z[0]) > finest:
            self._find_grid()  # which costs less than to add up M rows later
        if self.exact_until < M or self.power:
            return None
        return self.start + np.bincount(updates, minlength=n) @ self.Z if self.scan.dual else v

    def go_on(self, v, order, passed, until, mark, updates, steps):
        """Look at the examples to the end of a pass; add mistakes to v, and note them."""
        n = len(self.Z)
        at, end = passed * n, until * n
        while True:
            M, last = len(updates), steps[-1] if steps else -1
            safe = self.exact_until if self.exact_until >= M else 2 * M + 1000
            at, found, undecided = self.scan.go_on(
                v, order, at, end, last, mark, self.tolerance(safe), safe + 1 - M
            )
            if len(found):
                found = np.array(found, dtype=np.int64)
                places = found % n
                steps.frombytes(found.tobytes())
                updates.frombytes((places if order is None else order[places]).tobytes())
            if undecided and self.exponent is None:
                self._find_grid()  # and if nothing was rounded, the scan itself will decide
                continue
            if undecided:
                i = at % n if order is None else int(order[at % n])
                if self.is_mistake(i, updates):
                    self.scan.add(i, v)
                    updates.append(i)
                    steps.append(at)
                at += 1
            if at % n == 0:
                return at // n

    def tolerance(self, M):
        """At least the error of a score after M updates.

        A mistake has z·w <= 0, so ||w||**2 grows by at most R**2 an update.  With u = 2**-53, each
        of the M updates rounded w by at most u||w||, and the sum of d products, in any order and
        fused or not, errs by at most d·u·||z||·||w|| (up to terms in u**2, for which 1.02 and 2
        more are ample).  In the dual form each update rounds the score itself, and adds an inner
        product that is off by d·u·R**2.  What underflow may take away is below the 2**-500 in R
        and in the length of w.
        """
        if self.exact_until >= M:
            return 0.0
        length = math.sqrt(self.start_square + M * self.R**2) + 2.0**-500
        u, R = 1.02 * 2.0**-53, self.R
        error = u * (self.d + M + 2) * R * length
        return 2 * error + u * M * (self.d + 2) * R * R if self.scan.dual else error

    def is_mistake(self, i, updates):
        """The answer in whole numbers."""
        score = self._exact_score(i, updates)
        return score < 0 or (score == 0 and bool(self.wrong_at_zero[i]))

    def _exact_score(self, i, updates):
        """z_i·w in whole numbers; `self.w` is brought up to date."""
        for k in updates[self.added :]:
            self.w = self.w + self.row(k)
        self.added = len(updates)
        return self.w @ self.row(i)

    def same(self, v, mark, updates, since):
        """Whether the updates since the mark add up to nothing: w is back where it was."""
        slack = self.scan.unit * self.tolerance(len(updates))
        if abs(v[0] - mark[0]) > slack or np.abs(v - mark).max() > slack:
            return False
        counts = np.bincount(updates[since:], minlength=len(self.Z))
        used = np.flatnonzero(counts)
        return not dot(counts[used], integers(self.Z[used])[0]).any()

    def _find_grid(self):
        """All numbers are whole multiples of 2**exponent.  Until when are all sums exact?"""
        Z, parts = self.Z, (self.Z, self.original_start)
        self.exponent = min((lowest_bit(part) for part in parts if part.any()), default=0)
        whole = partial(_whole, exponent=self.exponent)
        self.row = lru_cache(4096)(lambda i: whole(Z[i]))  # self in it would live on
        self.w, self.added = whole(self.original_start), 0
        if self.theta:
            return  # the threshold rounds in any case
        # Any part of z·w is at most R · (first + M · R), which must not exceed 2**53 units.
        unit = Fraction(2) ** (self.exponent - self.power)
        R = math.ceil(Fraction(self.R * (1 + 2.0**-20)) / unit)
        first = math.isqrt(int(self.w @ self.w)) + 1 if self.original_start.any() else 0
        self.exact_until = max(self.exact_until, (2**53 // R - first) // R)


def _whole(v, exponent):
    return integers(v, exponent)[0].astype(object)


def _largest(A):
    """The largest magnitude; no copy is made."""
    return float(max(A.max(), -A.min()))


class _MarginArithmetic(_Arithmetic):
    """The same for the margin Perceptron: is z_i·w below theta·||w||?  (At w = 0: yes.)"""

    def __init__(self, Z, R, start, theta):
        super().__init__(Z, R, start, np.ones(len(Z), dtype=bool), theta)

    def tolerance(self, M):
        """As above, but ||w|| grows by at most R an update, and theta·||w|| rounds as well."""
        length = (M + 1) * self.R  # the start is one of the z, too
        return 1.05 * 2.0**-53 * (self.d + M + 4) * (self.R + self.float_theta) * length

    def is_mistake(self, i, updates):
        """z·w < theta·||w||, squared: in units of 2**exponent the score counts twice."""
        score = int(self._exact_score(i, updates))
        square = int(self.w @ self.w)
        return score <= 0 or score**2 * Fraction(4) ** self.exponent < self.theta**2 * square


class _KernelArithmetic(_Arithmetic):
    """The same in feature space: what changes with an update are the values of all examples.

    The score of i is sum_j alpha_j z_j·z_i, so an update on i adds row i of the table of all inner
    products.  Sums of floats round; a score too close to 0 is added up in whole numbers.
    """

    kind, theta = KernelRun, Fraction(0)

    def __init__(self, Z, wrong_at_zero):
        self.Z, self.wrong_at_zero = Z, wrong_at_zero
        self.largest = _largest(Z)
        if not 2.0**-200 < self.largest < 2.0**200:
            Z = np.ldexp(Z, -math.frexp(self.largest)[1])
            self.largest = _largest(Z)
        self.scan = Scores(Z, wrong_at_zero, True, 2.0)
        self.start, self.exact_until, self.exponent = np.zeros(len(Z)), 0, None

    def unrounded(self, s, updates):
        return None

    def tolerance(self, M):
        """Each of M additions errs by at most u times the sum, which is at most M · largest; this
        allows twice as much and more."""
        return 0.0 if self.exact_until >= M else 2.0**-52 * M * M * self.largest

    def _exact_score(self, i, updates):
        """The score in whole numbers."""
        return dot(np.bincount(updates, minlength=len(self.Z)), integers(self.Z[i])[0])

    def _find_grid(self):
        """Nothing rounds while M · largest is at most 2**53 units of the grid."""
        self.exponent = lowest_bit(self.Z)
        most = Fraction(2) ** (53 + self.exponent)
        self.exact_until = int(most / Fraction(_largest(self.Z)))
