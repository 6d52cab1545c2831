"""Can these examples be separated?  Either answer comes with a proof.

Write z_i = y_i x_i.  By Gordan's theorem exactly one of these exists (A12):

- a separator: a vector u with z_i·u > 0 for every i;
- weights λ_i >= 0, not all zero, with sum_i λ_i z_i = 0.

Both are answers of one least-squares problem, non-negative least squares (NNLS): choose λ >= 0 to
bring the sum of λ_i (z_i, 1) as near as possible to (0, 1).  If it gets there, λ proves that there
is no separator.  If not, v = sum_i λ_i z_i is, up to its length, the point nearest to 0 of the
convex hull of the z_i, and that is the direction of the *largest* margin.  λ proves it: for
weights that sum to 1, no direction has a margin above ||sum_i λ_i z_i||, since a minimum is at most
a weighted mean, min z_i·w <= sum_i λ_i z_i·w <= ||sum_i λ_i z_i|| for unit w.

Floating point finds which λ are positive; whole numbers finish the work from there, so that a
margin of 1e-12 is not taken for none, and ``verify`` repeats the proof from the data alone.
"""

import math
import sys
import warnings
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial

import numpy as np

from perceptron_lib.checks import labelled
from perceptron_lib.exact import bits, dot, floats, integers, ray, relative_error, row_dot, solve
from perceptron_lib.exact import sqrt_above as above
from perceptron_lib.exact import sqrt_below as below
from perceptron_lib.progress import Progress

MESSAGE = "largest margin: row {:,} of {:,} of an exact solution"
EXACT_SUPPORT = 100  # with more examples in the support, a separator is left as floats found it


@dataclass(frozen=True, eq=False, repr=False)
class Separator:
    """A direction u that separates the examples, with proof of its margin, and of how near that is
    to the largest.

    Attributes
    ----------
    u : the direction, in whole numbers
    margin : min_i z_i·u / ||u||, rounded down
    upper : what no direction's margin exceeds, by the weights below, rounded up
    support : the examples with positive weight (all of them closest to the hyperplane, if the
        margin is the largest)
    weights : λ, in whole numbers, an entry for each example
    """

    X: np.ndarray
    y: np.ndarray
    u: np.ndarray
    margin: float
    upper: float
    support: np.ndarray
    weights: np.ndarray

    @property
    def w(self):
        """u as floats, divided by a power of two if its entries have more than 53 bits."""
        return floats(self.u, -max(0, bits(self.u) - 53))

    @cached_property
    def gap(self):
        """How far, relatively, the largest possible margin might lie above this one: 0 only if
        this is the largest."""
        Z, _ = _whole_rows(self.X, self.y)
        ratio = _upper(Z, self.weights) / _lower(Z, self.u)
        return 0.0 if ratio == 1 else max(math.sqrt(ratio) - 1, sys.float_info.epsilon)

    def bound(self):
        """(R/γ)² for this u, exactly."""
        Z, _ = _whole_rows(self.X, self.y)
        return int(row_dot(Z, Z).max()) / _lower(Z, self.u)

    def verify(self):
        """Check every number above from the data, in whole numbers."""
        try:
            Z, exponent = _whole_rows(*labelled(self.X, self.y))
            u, weights = _whole_numbers(self.u, len(Z[0])), _whole_numbers(self.weights, len(Z))
        except (TypeError, ValueError, OverflowError):
            return False
        scale = Fraction(4) ** exponent
        return bool(
            min(weights) >= 0
            and any(weights)
            and _lower(Z, u) > 0
            and self.margin == below(_lower(Z, u) * scale)
            and self.upper == above(_upper(Z, weights) * scale)
            and np.array_equal(self.support, np.flatnonzero(weights))
        )

    def __repr__(self):
        known = f"within {self.gap:.1e} of the" if self.gap else "the"
        return (
            f"Separator: margin {self.margin:.6g}, {known} largest possible, "
            f"{len(self.support)} in its support"
        )


@dataclass(frozen=True, eq=False, repr=False)
class Inseparable:
    """Weights λ >= 0 in whole numbers with sum_i λ_i z_i = 0: there is no separator.

    For a separator u would give 0 = (sum_i λ_i z_i)·u = sum_i λ_i (z_i·u) > 0.
    """

    X: np.ndarray
    y: np.ndarray
    weights: np.ndarray

    @property
    def support(self):
        """The examples with positive weight: these alone cannot be separated."""
        return np.flatnonzero(self.weights)

    def verify(self):
        """Check that the weights are a proof, in whole numbers."""
        try:
            Z, _ = _whole_rows(*labelled(self.X, self.y))
            weights = _whole_numbers(self.weights, len(Z))
        except (TypeError, ValueError, OverflowError):
            return False
        return bool(min(weights) >= 0 and any(weights) and not _sum(weights, Z).any())

    def __repr__(self):
        return f"Inseparable: proved by weights on {len(self.support)} of {len(self.y)} examples"


def separate(X, y):
    """A `Separator` of largest margin, or an `Inseparable` that proves there is none.

    (With more than 100 examples in its support, the margin is within its `gap` of the largest.)

    >>> separate([[2.0, 1.0], [-1.0, 1.0]], [1, -1])
    Separator: margin 1.34164, the largest possible, 2 in its support
    >>> separate([[0, 1], [1, 1], [-1, 1]], [1, -1, -1]).weights
    array([2, 1, 1], dtype=object)
    """
    import scipy.optimize  # noqa: F401  slow to load: here, and before progress begins to count

    X, y = labelled(X, y)
    Z, exponent = _whole_rows(X, y)
    with Progress() as progress:
        found = _float_weights(y[:, None] * X, progress)
        weights, used = np.zeros(len(y), dtype=object), np.flatnonzero(found)
        weights[used] = ray(found[used])
        u = ray(_sum(weights, Z))
        if np.count_nonzero(weights) <= EXACT_SUPPORT or _least(Z, u)[1] <= 0:
            weights = _finish(Z, np.flatnonzero(weights), progress)
            u = ray(_sum(weights, Z))
    if not u.any():
        return Inseparable(X, y, weights)
    scale = Fraction(4) ** exponent
    margin, upper = below(_lower(Z, u) * scale), above(_upper(Z, weights) * scale)
    return Separator(X, y, u, margin, upper, np.flatnonzero(weights), weights)


def _whole_rows(X, y):
    """The z_i = y_i x_i in whole numbers, and the power of two that scales them."""
    N, exponent = integers(X)
    return N * y[:, None], exponent


def _whole_numbers(v, n):
    """v as n Python integers; a ValueError if it is anything else."""
    numbers = np.array([int(k) for k in v], dtype=object)
    if numbers.shape != (n,) or (numbers != np.asarray(v, dtype=object)).any():
        raise ValueError
    return numbers


def _sum(weights, Z):
    """sum_i weights_i z_i; most of the weights are 0."""
    used = np.flatnonzero(weights)
    return dot(weights[used], Z[used]) if len(used) else np.zeros(Z.shape[1], dtype=np.int64)


def _least(Z, u):
    """Which z_i·u is the least, and its value, in whole numbers.

    Floats leave out most of the others: their scores are larger beyond all rounding.
    """
    near = np.arange(len(Z))
    if bits(Z) <= 53 and bits(Z) + bits(u) > 50:
        w = floats(u, -bits(u))
        scores = Z @ w
        error = relative_error(len(w)) * (np.abs(Z) @ np.abs(w)) + 2.0**-900
        near = np.flatnonzero(scores - error <= (scores + error).min())
    scores = dot(Z[near], u)
    k = int(np.argmin(scores))
    return int(near[k]), int(scores[k])


def _lower(Z, u):
    """The square of u's margin in the units of Z, 0 if u does not separate."""
    _, least = _least(Z, u)
    return Fraction(least**2, int(dot(u, u))) if least > 0 else Fraction(0)


def _upper(Z, weights):
    """The square of ||sum_i λ_i z_i|| / sum_i λ_i in the units of Z."""
    v = _sum(weights, Z)
    return Fraction(int(dot(v, v)), sum(int(k) for k in weights) ** 2)


def _float_weights(Z, progress):
    """NNLS in floating point; of large data, on a working set that grows by the 200 examples that
    are most in the way (z_i·v is less than 1 - sum λ).

    A bad answer costs time or, with a support above EXACT_SUPPORT, shows as a `gap`; it is never
    taken on trust.
    """
    from scipy.optimize import nnls

    Z = np.ldexp(Z, -np.frexp(np.abs(Z).max())[1])
    (n, d), step = Z.shape, 200
    weights = np.zeros(n)
    working = np.arange(n) if n * d <= 20_000 else np.argsort(Z @ Z.mean(axis=0))[:step]
    for _ in range(100):
        problem = np.vstack([Z[working].T, np.ones(len(working))])
        target = np.append(np.zeros(d), 1.0)
        try:
            with warnings.catch_warnings(action="ignore"):  # SciPy warns of what will be checked
                found, _ = nnls(problem, target, maxiter=30 * len(working))
        except RuntimeError:  # it ran out of steps: whole numbers will have to do more
            break
        weights[:] = 0
        weights[working] = found
        v = found @ Z[working]
        ahead = Z @ v - (1 - found.sum())  # below 0: this example is in the way
        ahead[working] = 0
        worst = np.argsort(ahead, kind="stable")[:step]
        worst = worst[ahead[worst] < -1e-12 * max(1.0, np.abs(v).max())]
        if len(worst) == 0:
            break
        working = np.append(working, worst)
        progress(f"largest margin: {len(working):,} of {n:,} examples in the working set")
    return weights


def _finish(Z, support, progress):
    """NNLS in whole numbers (Lawson and Hanson), begun from the support that floats found.

    It ends: the example that is taken up next is in the way, so that its weight grows from 0 and
    the sum comes nearer to (0, 1) each time; no support occurs twice.
    """
    support = _independent(Z, list(support))
    weights = [Fraction(1)] * len(support)
    while True:
        # Move to the least-squares weights on the support, leaving out what would go negative.
        while support:
            # The normal equations; the rows (z_i, 1) are independent, so the matrix has an inverse.
            equations = dot(Z[support], Z[support].T).astype(object) + 1
            best = solve(equations, [1] * len(support), partial(progress, MESSAGE))
            falling = [k for k, b in enumerate(best) if b <= 0]
            if not falling:
                weights = best
                break
            t = min(weights[k] / (weights[k] - best[k]) for k in falling)
            weights = [w + t * (b - w) for w, b in zip(weights, best, strict=True)]
            keep = [k for k, w in enumerate(weights) if w > 0]
            support, weights = [support[k] for k in keep], [weights[k] for k in keep]
        # Optimal if no example is in the way: z_i·v >= 1 - sum of the weights.
        scale = ray([*weights, 1 - sum(weights, Fraction(0))])
        worst, least = _least(Z, dot(scale[:-1], Z[support])) if support else (0, -1)
        if least >= scale[-1]:
            found = np.zeros(len(Z), dtype=object)
            found[support] = scale[:-1]
            return found
        support, weights = [*support, worst], [*weights, Fraction(0)]


def _independent(Z, support):
    """Rows (z_i, 1) of the support that are linearly independent.

    Counted modulo a prime: rows independent there are independent, and in the unlikely case that
    it misses one, the method above takes it up again.
    """
    prime = 2**31 - 1
    kept, echelon = [], []
    for i in support:
        row = np.append(Z[i] % prime, 1).astype(np.int64)
        for pivot, other in echelon:
            row = (row - row[pivot] * other) % prime
        if row.any():
            pivot = int(np.flatnonzero(row)[0])
            echelon.append((pivot, row * pow(int(row[pivot]), -1, prime) % prime))
            kept.append(i)
    return kept
