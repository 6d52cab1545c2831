"""Can these examples be separated?  Either answer comes with a proof.

Write z_i = y_i x_i.  By Gordan's theorem exactly one of these exists (A12):

- a separator: a vector u with z_i·u > 0 for every i;
- multipliers λ_i >= 0, not all zero, with sum_i λ_i z_i = 0.

Both answer one question: which point of the convex hull of the z_i is nearest to 0?
(`nearest` finds it, by non-negative least squares.)  If it is 0 itself, then 0 is a weighted mean
of the z_i, and the multipliers λ prove that there is no separator.  If not, it is the direction of
the *largest* margin, and again λ proves it: for multipliers that sum to 1, no direction has a
margin above ||sum_i λ_i z_i||, since a minimum is at most a weighted mean,
min z_i·w <= sum_i λ_i z_i·w <= ||sum_i λ_i z_i|| for unit w.

So u = sum_i λ_i z_i has a margin, and λ an upper bound on all margins; where they meet, both are
the largest.  How λ was found need not be trusted: ``verify`` repeats the proof from the data alone.
"""

import math
import sys
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from perceptron_lib.checks import labelled
from perceptron_lib.exact import (
    bits,
    dot,
    floats,
    integers,
    ray,
    row_dot,
    sqrt_above,
    sqrt_below,
)
from perceptron_lib.nearest import nearest, weighted_sum
from perceptron_lib.signs import least


@dataclass(frozen=True, eq=False, repr=False)
class Separator:
    """A direction u that separates the examples, with proof of its margin, and of how near that is
    to the largest.

    Attributes
    ----------
    u : the direction, in whole numbers
    margin : min_i z_i·u / ||u||, rounded down
    upper : an upper bound on the margin of every direction, proved by `multipliers`, rounded up
    support : the examples with positive multiplier (all of them closest to the hyperplane, if the
        margin is the largest)
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
        return floats(self.u, -max(0, bits(self.u) - 53))

    @cached_property
    def gap(self):
        """How far, relatively, the largest possible margin might lie above this one: 0 only if
        this is the largest."""
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
            Z, exponent = _whole_rows(*labelled(self.X, self.y))
            u = _whole_numbers(self.u, len(Z[0]))
            multipliers = _whole_numbers(self.multipliers, len(Z))
        except (TypeError, ValueError, OverflowError):
            return False
        scale = Fraction(4) ** exponent
        return bool(
            min(multipliers) >= 0
            and any(multipliers)
            and _lower(Z, u) > 0
            and self.margin == sqrt_below(_lower(Z, u) * scale)
            and self.upper == sqrt_above(_upper(Z, multipliers) * scale)
            and np.array_equal(self.support, np.flatnonzero(multipliers))
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
            Z, _ = _whole_rows(*labelled(self.X, self.y))
            multipliers = _whole_numbers(self.multipliers, len(Z))
        except (TypeError, ValueError, OverflowError):
            return False
        some = min(multipliers) >= 0 and any(multipliers)
        return bool(some and not weighted_sum(multipliers, Z).any())

    def __repr__(self):
        some = f"{len(self.support)} of {len(self.y)} examples"
        return f"Inseparable: proved by multipliers on {some}"


def separate(X, y):
    """A `Separator` of largest margin, or an `Inseparable` that proves there is none.

    (With more than 100 examples in its support, the margin is within its `gap` of the largest.)

    >>> separate([[2.0, 1.0], [-1.0, 1.0]], [1, -1])
    Separator: margin 1.34164, the largest possible, 2 in its support
    >>> separate([[0, 1], [1, 1], [-1, 1]], [1, -1, -1]).multipliers
    array([2, 1, 1], dtype=object)
    """
    X, y = labelled(X, y)
    Z, exponent = _whole_rows(X, y)
    multipliers = nearest(Z, y[:, None] * X)
    u = ray(weighted_sum(multipliers, Z))
    if not u.any():
        return Inseparable(X, y, multipliers)
    scale = Fraction(4) ** exponent
    margin, upper = sqrt_below(_lower(Z, u) * scale), sqrt_above(_upper(Z, multipliers) * scale)
    return Separator(X, y, u, margin, upper, np.flatnonzero(multipliers), multipliers)


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


def _lower(Z, u):
    """The square of u's margin in the units of Z, 0 if u does not separate."""
    _, score = least(Z, u)
    return Fraction(score**2, int(dot(u, u))) if score > 0 else Fraction(0)


def _upper(Z, multipliers):
    """The square of ||sum_i λ_i z_i|| / sum_i λ_i in the units of Z."""
    v = weighted_sum(multipliers, Z)
    return Fraction(int(dot(v, v)), sum(int(k) for k in multipliers) ** 2)
