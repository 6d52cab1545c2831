"""Can these examples be separated?  Either answer comes with a proof.

Write z_i = y_i x_i.  By Gordan's theorem exactly one of these exists (A12):

- a separator: a vector u with z_i·u > 0 for every i;
- multipliers λ_i >= 0, not all zero, with sum_i λ_i z_i = 0.

Both answer one question: which point of the convex hull of the z_i is nearest to 0?  If it is 0
itself, then 0 is a weighted mean of the z_i, and the multipliers λ prove that there is no
separator.  If not, it is the direction of the *largest* margin, and again λ proves it: for
multipliers that sum to 1, no direction has a margin above ||sum_i λ_i z_i||, since a minimum is at
most a weighted mean, min z_i·w <= sum_i λ_i z_i·w <= ||sum_i λ_i z_i|| for unit w.

So u = sum_i λ_i z_i has a margin, and λ an upper bound on all margins; where they meet, both are
the largest.  How λ was found need not be trusted: ``verify`` repeats the proof from the data alone.

It is found by non-negative least squares (NNLS): choose λ >= 0 to bring the sum of λ_i (z_i, 1) as
near as possible to (0, 1).  If it gets there, 0 is in the hull.  If not, v = sum_i λ_i z_i is, up
to its length, the nearest point.  For at the best λ the rest, (-v, 1 - sum λ), has a product of at
most 0 with every (z_i, 1), and of 0 where λ_i > 0: z_i·v >= 1 - sum λ for all i, with equality on
the support.  (An example for which this fails is "in the way" below.)  Floats find which λ are
positive; whole numbers finish the work, so that a distance of 1e-12 is not taken for none.
"""

import math
import sys
import warnings
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from perceptron_lib.checks import door
from perceptron_lib.exact import dot, floats, integers, ray, row_dot, sqrt_above, sqrt_below
from perceptron_lib.progress import Progress

EXACT_SUPPORT = 100  # with more points in the support, weights may be left as floats found them


@dataclass(frozen=True, eq=False, repr=False)
class Separator:
    """A direction that separates the examples, with proof of how near its margin is to the largest.

    Attributes
    ----------
    u : the direction, in whole numbers
    margin : min_i z_i·u / ||u||, rounded down
    upper : an upper bound on the margin of every direction, proved by `multipliers`, rounded up
    support : the examples with positive multiplier; those of the largest margin have this margin
    multipliers : λ, in whole numbers, an entry for each example

    >>> best = separate([[3, 1], [1, 3], [-1, 0]], [1, 1, -1])
    >>> best.u.tolist(), best.margin, best.bound(), best.verify()
    ([1, 0], 1.0, Fraction(10, 1), True)
    """

    X: np.ndarray
    y: np.ndarray
    u: np.ndarray
    margin: float
    upper: float
    support: np.ndarray
    multipliers: np.ndarray

    @property
    def w(self):
        """u as floats, divided by a power of two if its entries have more than 53 bits."""
        return floats(self.u, -max(0, int(abs(self.u).max()).bit_length() - 53))

    @cached_property
    def gap(self):
        """How far, relatively, the largest margin might lie above this one: 0 if this is it."""
        Z, _ = _whole_rows(self.X, self.y)
        ratio = _upper(Z, self.multipliers) / _lower(Z, self.u)
        return 0.0 if ratio == 1 else max(math.sqrt(ratio) - 1, sys.float_info.epsilon)

    def bound(self):
        """(R/γ)² for this u, exactly."""
        Z, _ = _whole_rows(self.X, self.y)
        return int(row_dot(Z, Z).max()) / _lower(Z, self.u)

    def verify(self):
        """Check every number above from the data, in whole numbers."""
        try:
            Z, exponent = _whole_rows(self.X, self.y)
            u = _whole_numbers(self.u, len(Z[0]))
            weights = _whole_numbers(self.multipliers, len(Z), weights=True)
        except (TypeError, ValueError, OverflowError):
            return False
        scale = Fraction(4) ** exponent
        return bool(
            _lower(Z, u) > 0
            and self.margin == sqrt_below(_lower(Z, u) * scale)
            and self.upper == sqrt_above(_upper(Z, weights) * scale)
            and np.array_equal(self.support, np.flatnonzero(weights))
        )

    def __repr__(self):
        near, n = f"within {self.gap:.1e} of the" if self.gap else "the", len(self.support)
        return f"Separator: margin {self.margin:.6g}, {near} largest possible, {n} in its support"


@dataclass(frozen=True, eq=False, repr=False)
class Inseparable:
    """Weights λ >= 0 in whole numbers with sum_i λ_i z_i = 0: there is no separator u, which would
    give 0 = (sum_i λ_i z_i)·u = sum_i λ_i (z_i·u) > 0.

    >>> proof = separate([[1], [2]], [1, -1])
    >>> proof.multipliers.tolist(), proof.verify()
    ([2, 1], True)
    """

    X: np.ndarray
    y: np.ndarray
    multipliers: np.ndarray

    @property
    def support(self):
        """The examples with positive multiplier: these alone cannot be separated."""
        return np.flatnonzero(self.multipliers)

    def verify(self):
        """Check that the multipliers are a proof, in whole numbers."""
        try:
            Z, _ = _whole_rows(self.X, self.y)
            weights = _whole_numbers(self.multipliers, len(Z), weights=True)
            return not _weighted_sum(weights, Z).any()
        except (TypeError, ValueError, OverflowError):
            return False

    def __repr__(self):
        some = f"{len(self.support)} of {len(self.y)} examples"
        return f"Inseparable: proved by multipliers on {some}"


@door
def separate(X, y):
    """A `Separator` of largest margin, or an `Inseparable` that proves there is none.  (With more
    than EXACT_SUPPORT examples in its support, the margin is within its `gap` of the largest.)

    >>> separate([[2.0, 1.0], [-1.0, 1.0]], [1, -1])
    Separator: margin 1.34164, the largest possible, 2 in its support
    >>> separate([[0, 1], [1, 1], [-1, 1]], [1, -1, -1]).multipliers
    array([2, 1, 1], dtype=object)
    """
    Z, exponent = _whole_rows(X, y)
    multipliers = _nearest(Z, y[:, None] * X)
    u = ray(_weighted_sum(multipliers, Z))
    if not u.any():
        return Inseparable(X, y, multipliers)
    scale = Fraction(4) ** exponent
    margin, upper = sqrt_below(_lower(Z, u) * scale), sqrt_above(_upper(Z, multipliers) * scale)
    return Separator(X, y, u, margin, upper, np.flatnonzero(multipliers), multipliers)


@door
def _whole_rows(X, y):
    """The z_i = y_i x_i in whole numbers, and the power of two that scales them."""
    N, exponent = integers(X)
    return N * y[:, None], exponent


def _whole_numbers(v, n, weights=False):
    """v as n Python integers (`weights` are not negative, nor all 0); else a ValueError."""
    numbers = np.array([int(k) for k in v], dtype=object)
    exact = numbers.shape == (n,) and (numbers == np.asarray(v, dtype=object)).all()
    if not exact or (weights and not 0 <= min(numbers) <= max(numbers) > 0):
        raise ValueError
    return numbers


def _lower(Z, u):
    """The square of u's margin in the units of Z, 0 if u does not separate."""
    score = int(dot(Z, u).min())
    return Fraction(score**2, int(dot(u, u))) if score > 0 else Fraction(0)


def _upper(Z, multipliers):
    """The square of ||sum_i λ_i z_i|| / sum_i λ_i in the units of Z."""
    v = _weighted_sum(multipliers, Z)
    return Fraction(int(dot(v, v)), sum(int(k) for k in multipliers) ** 2)


def _weighted_sum(weights, Z):
    """sum_i weights_i z_i; most of the weights are 0."""
    used = np.flatnonzero(weights)
    return dot(weights[used], Z[used])


def _nearest(Z, rounded):
    """The weights λ in whole numbers, for points Z in whole numbers, and the same in floats.  (With
    a support above EXACT_SUPPORT, λ is as floats found it, if its v has z_i·v > 0 for all i.)"""
    import scipy.optimize  # noqa: F401  slow to load: here, and before progress begins to count

    with Progress() as progress:
        approximate = _float_weights(rounded, progress)
        weights, support = np.zeros(len(Z), dtype=object), np.flatnonzero(approximate)
        weights[support] = ray(approximate[support])
        if len(support) > EXACT_SUPPORT and min(dot(Z, ray(_weighted_sum(weights, Z)))) > 0:
            return weights
        return _exact_weights(Z, support.tolist(), progress)


def _float_weights(Z, progress):
    """NNLS in floats; of large data, on a working set that grows by the 200 examples most in the
    way.  A bad answer costs time, or shows as a `gap` (of a large support); it is never trusted."""
    from scipy.optimize import nnls

    Z = np.ldexp(Z, -np.frexp(np.abs(Z).max())[1])
    (n, d), step = Z.shape, 200
    weights, target = np.zeros(n), np.append(np.zeros(d), 1.0)
    working = np.arange(n) if n * d <= 20_000 else np.argsort(Z @ Z.mean(axis=0))[:step]
    for _ in range(100):
        try:
            with warnings.catch_warnings(action="ignore"):  # SciPy warns of what will be checked
                problem = np.vstack([Z[working].T, np.ones(len(working))])
                best, _ = nnls(problem, target, maxiter=30 * len(working))
        except RuntimeError:  # it ran out of steps: whole numbers will have to do more
            break
        weights[:] = 0
        weights[working] = best
        v = best @ Z[working]
        ahead = Z @ v - (1 - best.sum())  # below 0: this example is in the way
        ahead[working] = 0
        worst = np.argsort(ahead, kind="stable")[:step]
        worst = worst[ahead[worst] < -1e-12 * max(1.0, np.abs(v).max())]
        if len(worst) == 0:
            break
        working = np.append(working, worst)
        progress(f"largest margin: {len(working):,} of {n:,} examples in the working set")
    return weights


def _exact_weights(Z, support, progress):
    """NNLS in whole numbers (Lawson and Hanson, 1974), begun from the support that floats found.
    It ends: what is taken up next is in the way, so that its weight grows from 0 and the sum comes
    nearer to (0, 1) each time; no support occurs twice."""
    weights = [Fraction(1)] * len(support)
    while True:
        # Move to the least-squares weights on the support, leaving out what would go negative.
        while support:
            # The normal equations; where rows (z_i, 1) depend on others, those others will do.
            equations = dot(Z[support], Z[support].T).astype(object) + 1
            independent, best = _eliminate(equations, [1] * len(support), progress)
            support, weights = ([v[k] for k in independent] for v in (support, weights))
            falling = [k for k, b in enumerate(best) if b <= 0]
            if not falling:
                weights = best
                break
            t = min(weights[k] / (weights[k] - best[k]) for k in falling)
            weights = [w + t * (b - w) for w, b in zip(weights, best, strict=True)]
            keep = [k for k, w in enumerate(weights) if w > 0]
            support, weights = ([v[k] for k in keep] for v in (support, weights))
        # Optimal if no example is in the way: z_i·v >= 1 - sum of the weights.
        scale = ray([*weights, 1 - sum(weights, Fraction(0))])
        scores = dot(Z, dot(scale[:-1], Z[support])) if support else np.array([-1])
        worst = int(np.argmin(scores))
        if scores[worst] >= scale[-1]:
            multipliers = np.zeros(len(Z), dtype=object)
            multipliers[support] = scale[:-1]
            return multipliers
        support, weights = [*support, worst], [*weights, Fraction(0)]


def _eliminate(A, b, progress):
    """Which columns of A do not depend on those before them, and the x with which they sum to b.

    Elimination without fractions (Bareiss, 1968): every entry is a determinant of a part of A, so
    that division by the pivot before leaves no rest, and numbers stay as short as they can."""
    rows, columns, last = np.column_stack([np.array(part, object) for part in (A, b)]), [], 1
    for j in range(len(rows)):
        k = len(columns)
        nonzero = k + np.flatnonzero(rows[k:, j])
        if len(nonzero):
            rows[[k, nonzero[0]]] = rows[[nonzero[0], k]]
            pivot, right = rows[k, j], rows[k + 1 :, j + 1 :]
            right[:] = (pivot * right - np.outer(rows[k + 1 :, j], rows[k, j + 1 :])) // last
            columns, last = [*columns, j], pivot
            progress("largest margin: row {:,} of {:,} of an exact solution", k + 1, len(rows))
    x = rows[: len(columns), -1]  # to be times the last pivot, which makes it whole (Cramer)
    for k in reversed(range(len(columns))):
        rest = rows[k, columns[k + 1 :]] @ x[k + 1 :]
        x[k] = (last * x[k] - rest) // rows[k, columns[k]]
    return columns, [Fraction(int(v), int(last)) for v in x]
