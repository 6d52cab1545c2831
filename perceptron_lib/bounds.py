"""The formulas of the theorems, a line each, and the exact numbers that go into them.

Lengths are square roots and mostly irrational; their squares are rational.  So lengths come and go
squared: R2 stands for R², gamma2 for γ², u2 for ||u||²; only g = γ||u|| and TD||u|| are rational as
they are.  Results are exact: Fractions, or a `Surd` where there may be a root.

Write z_i = y_i x_i.  For data that u does not separate: an example falls short of γ by
d_i = max(0, γ - z_i·u/||u||), TD is the sum of all d_i, and D² that of their squares.
"""

import math
from fractions import Fraction

from perceptron_lib.checks import door, limit, whole
from perceptron_lib.exact import dot, integers, rational, row_dot


@door
def radius2(X):
    """R² = max ||x_i||², exactly.

    >>> radius2([[1, 1], [2, 0]])
    Fraction(4, 1)
    """
    N, exponent = integers(X)
    return int(row_dot(N, N).max()) * Fraction(4) ** exponent


@door
def margin2(X, y, u, b=0):
    """γ² for the separator u·x + b = 0, γ = min_i y_i (u·x_i + b) / ||u||, exactly.

    >>> margin2([[3, 0], [-1, 5]], [1, -1], [2, 0])
    Fraction(1, 1)
    """
    least = min(s + int(sign) * b for s, sign in zip(scores(X, y, u), y, strict=True))
    if least <= 0 or not any(u):
        raise ValueError("u must separate the examples; it does not separate these")
    return least**2 / square(u)


@door
def scores(X, y, u):
    """z_i·u for every example, exactly.

    >>> scores([[1, 2], [3, 4]], [1, -1], ["1/3", 0])
    [Fraction(1, 3), Fraction(-1, 1)]
    """
    N, exponent = integers(X)
    U, unit = rational(u)
    unit *= Fraction(2) ** exponent
    return [int(s) * unit for s in y * dot(N, U)]


def square(u):
    """||u||², exactly, for a list of Fractions."""
    U, unit = rational(u)
    return int(dot(U, U)) * unit**2


def log(q):
    """The natural logarithm of a Fraction of any size, as a Fraction: no quotient of it can be
    too large."""
    return Fraction(math.log(q.numerator) - math.log(q.denominator))


@door(failures=limit(whole, 0), trials=limit(whole, 1, 10**15))
def interval(failures, trials):
    """An interval that covers the true failure rate with confidence 95 % (Clopper–Pearson).

    >>> low, high = interval(0, 100)
    >>> low, round(high, 3)
    (0.0, 0.036)
    """
    from scipy.special import betaincinv  # here, because it is slow to import

    whole(failures, "failures", 0, trials, ", the number of trials")
    low = betaincinv(failures, trials - failures + 1, 0.025) if failures else 0.0
    high = betaincinv(failures + 1, trials - failures, 0.975) if failures < trials else 1.0
    return float(low), float(high)
