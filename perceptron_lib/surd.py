"""Square roots, compared exactly: sums of a rational number and multiples of square roots.

The lengths in a proof are roots of rational numbers, and mostly irrational.  But the sign of
p + q√a + r√b can be found by squaring, twice at most, and then nothing is rounded.
"""

import math
from fractions import Fraction
from functools import total_ordering

import numpy as np

from perceptron_lib.show import as_float


def root(square):
    """√square as a `Surd`, of a number or of each one in an array."""
    return np.frompyfunc(lambda q: Surd(0, {q: 1}), 1, 1)(square)


@total_ordering
class Surd:
    """A rational number plus rational multiples of square roots; of at most two, the sign is known.

    >>> Surd(0, {8: 1}) - Surd(0, {2: 2}) == 0
    True
    >>> Surd(1, {2: 1}) > Surd(0, {3: Fraction(7, 5)})
    False
    """

    __hash__ = None

    def __init__(self, rational=0, roots=None):
        self.rational, self.roots = Fraction(rational), {}  # {radicand: its factor}
        for radicand, factor in (roots or {}).items():
            self._add_root(Fraction(radicand), Fraction(factor))

    def _add_root(self, radicand, factor):
        """Add factor·√radicand, over a radicand that is there already if the ratio is a square."""
        for present in (Fraction(1), *self.roots):
            ratio = radicand / present
            share = Fraction(math.isqrt(ratio.numerator), math.isqrt(ratio.denominator))
            if share * share == ratio:
                if present == 1:
                    self.rational += factor * share
                else:
                    self.roots[present] += factor * share
                    if not self.roots[present]:
                        del self.roots[present]
                return
        if factor:
            self.roots[radicand] = factor

    def sign(self):
        """-1, 0 or 1."""
        if len(self.roots) > 2:
            raise ArithmeticError("at most two different square roots can be compared")
        (a, q), (b, r) = [*self.roots.items(), (0, 0), (0, 0)][:2]
        p, first, second = self.rational, _sign(self.rational, q, a), _sign(r)
        if first == second or not first or not second:
            return first or second
        # Of opposite signs: the larger square wins, (p + q√a)² against r²b.
        return first * _sign(p * p + q * q * a - r * r * b, 2 * p * q, a)

    def __add__(self, other):
        if isinstance(other, np.ndarray):
            return NotImplemented  # NumPy then adds to each entry
        other = other if isinstance(other, Surd) else Surd(other)
        total = Surd(self.rational + other.rational)
        total.roots = dict(self.roots)
        for radicand, factor in other.roots.items():
            total._add_root(radicand, factor)
        return total

    def __mul__(self, other):
        if isinstance(other, np.ndarray):
            return NotImplemented
        if isinstance(other, Surd):
            product = self * other.rational
            for radicand, factor in other.roots.items():
                product._add_root(radicand, self.rational * factor)
                for mine, share in self.roots.items():
                    product._add_root(radicand * mine, factor * share)
            return product
        product = Surd(self.rational * other)
        product.roots = {radicand: v * other for radicand, v in self.roots.items() if other}
        return product

    __radd__, __rmul__ = __add__, __mul__

    def __truediv__(self, number):
        return self * (1 / Fraction(number))

    def __pow__(self, k):
        return math.prod([self] * k)

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + other * -1

    def __rsub__(self, other):
        return -self + other

    def __eq__(self, other):
        return (self - other).sign() == 0

    def __lt__(self, other):
        return (self - other).sign() < 0

    def __float__(self):
        """The value, nearly: with roots to some 60 digits; infinite if it is too large."""
        total, k = self.rational, 200
        for radicand, factor in self.roots.items():
            n, d = radicand.numerator, radicand.denominator
            total += factor * Fraction(math.isqrt(n * d << 2 * k), d << k)
        return as_float(total)

    def __repr__(self):
        roots = "".join(f" + {factor}·√{radicand}" for radicand, factor in self.roots.items())
        return f"{self.rational}{roots}"


def _sign(p, q=0, a=0):
    """The sign of p + q√a."""
    first, second = (p > 0) - (p < 0), (q > 0) - (q < 0)
    if first == second or not first or not second:
        return first or second
    return first * _sign(p * p - q * q * a)
