"""The formulas of the theorems, a line each, and the exact numbers that go into them.

Lengths are square roots and mostly irrational; their squares are rational.  So lengths come and go
squared: R2 stands for R², gamma2 for γ², u2 for ||u||²; only g = γ||u|| and TD||u|| are rational as
they are.  Results are exact: Fractions, or a `Surd` where there may be a root (only `by_gamma`,
which is for drawing, is in floats).

Write z_i = y_i x_i.  For data that u does not separate: an example falls short of γ by
d_i = max(0, γ - z_i·u/||u||), TD is the sum of all d_i, and D² that of their squares.
"""

import bisect
import math
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np

from perceptron_lib import checks
from perceptron_lib.exact import dot, integers, rational, row_dot
from perceptron_lib.surd import Surd, root

EULER = Fraction("0.577215664901532860606512090082402431042159335939923598805767")


def radius2(X):
    """R² = max ||x_i||², exactly.

    >>> radius2([[1, 1], [2, 0]])
    Fraction(4, 1)
    """
    N, exponent = integers(checks.table(X))
    return int(row_dot(N, N).max()) * Fraction(4) ** exponent


def margin2(X, y, u, b=0):
    """γ² for the separator u·x + b = 0, γ = min_i y_i (u·x_i + b) / ||u||, exactly.

    >>> margin2([[3, 0], [-1, 5]], [1, -1], [2, 0])
    Fraction(1, 1)
    """
    (X, y), b = checks.labelled(X, y), checks.fraction(b, "b", "a finite number")
    u = checks.fractions(u, X.shape[1])
    least = min(s + int(sign) * b for s, sign in zip(scores(X, y, u), y, strict=True))
    if least <= 0 or not any(u):
        raise ValueError("u must separate the examples; it does not separate these")
    return least**2 / _square(u)


def mistakes(R2, gamma2):
    """(R/γ)²: the most mistakes that the Perceptron, started at 0, makes on separable data (P5).

    >>> mistakes(R2=10, gamma2=1)
    Fraction(10, 1)
    """
    return checks.at_least(0, R2, "R2") / checks.positive(gamma2, "gamma2")


def mistakes_with_bias(R2, gamma2, c2):
    """((R² + c²)/(cγ))²: the most mistakes with constants of length c appended to every example,
    the margin γ being measured without them, if both labels occur (P7: 4/γ² for R = c = 1; P8:
    (2R/γ)² for c = R).  With one label |b| may exceed R||u||, and then it is no bound (E6).

    >>> mistakes_with_bias(R2=1, gamma2="1/4", c2=1)
    Fraction(16, 1)
    """
    gamma2, c2 = checks.positive(gamma2, "gamma2"), checks.positive(c2, "c2")
    return (checks.at_least(0, R2, "R2") + c2) ** 2 / (c2 * gamma2)


def margin_updates(R2, gamma2, eps=Fraction(1, 2)):
    """2(R/(εγ))² + 2R/(εγ): the most updates of the margin Perceptron (M7; M5 for ε = ½).

    >>> margin_updates(4, 1)
    Fraction(40, 1)
    """
    ratio2 = mistakes(R2, gamma2) / checks.positive(eps, "eps", below=1) ** 2
    bound = Surd(2 * ratio2, {ratio2: 2})
    return bound if bound.roots else bound.rational


def harmonic_updates(R2, gamma2, eps=Fraction(1, 2)):
    """The largest M with εMγ <= R - γ + (R²/2γ)·H_M, H_M being the harmonic number (M10): sharper
    than `margin_updates` for small ε.  0 if there is none.

    >>> harmonic_updates(4, 1), margin_updates(4, 1)
    (15, Fraction(40, 1))
    """
    ratio2, eps = mistakes(R2, gamma2), checks.positive(eps, "eps", below=1)
    if ratio2 > 10**12 * eps:
        raise ValueError("R2/(eps·gamma2) must be at most 10**12, or M is out of reach")

    def allowed(M):  # divided by γ
        between = [eps * M <= root(ratio2) - 1 + ratio2 / 2 * H for H in _harmonic_between(M)]
        if between[0] == between[1]:
            return between[0]
        return eps * M <= root(ratio2) - 1 + ratio2 / 2 * _harmonic(M)

    # The right side less the left grows as long as ratio2/2M >= ε, and falls from there on.
    most = high = max(1, math.floor(ratio2 / (2 * eps)))
    while allowed(high):
        high *= 2
    below = bisect.bisect_left(range(most, high), True, key=lambda M: not allowed(M))
    return most - 1 + below if high > most else 0


def _harmonic(last, first=1):
    """1/first + … + 1/last, exactly; halves are added up first, to keep the numbers short."""
    if last - first < 8:
        return sum((Fraction(1, k) for k in range(first, last + 1)), Fraction(0))
    middle = (first + last) // 2
    return _harmonic(middle, first) + _harmonic(last, middle + 1)


def _harmonic_between(M):
    """Two numbers that H_M lies between, less than 1e-14 apart: by Euler's formula, if M is large,
    H_M = ln M + 0.577… + 1/2M - 1/12M² and less than 1/120M⁴."""
    if M < 1000:
        return _harmonic(M), _harmonic(M)
    with localcontext(prec=40):
        log = Fraction(Decimal(M).ln())
    near, rounding = log + EULER + Fraction(1, 2 * M) - Fraction(1, 12 * M**2), Fraction(1, 10**36)
    return near - rounding, near + rounding + Fraction(1, 120 * M**4)


def scores(X, y, u):
    """z_i·u for every example, exactly.

    >>> scores([[1, 2], [3, 4]], [1, -1], ["1/3", 0])
    [Fraction(1, 3), Fraction(-1, 1)]
    """
    X, y = checks.labelled(X, y)
    N, exponent = integers(X)
    U, unit = rational(checks.fractions(u, X.shape[1]))
    unit *= Fraction(2) ** exponent
    return [int(s) * unit for s in y * dot(N, U)]


def hinge_loss(X, y, v):
    """sum_i max(0, 1 - y_i v·x_i), exactly (H2).

    >>> hinge_loss([[1], [2]], [1, -1], [1])
    Fraction(3, 1)
    """
    return sum((max(1 - s, Fraction(0)) for s in scores(X, y, v)), Fraction(0))


def _checked(R2, u2, name, loss, g):
    """(R/γ)², the loss and g, checked."""
    R2, u2 = checks.at_least(0, R2, "R2"), checks.at_least(0, u2, "u2")
    loss, g = checks.at_least(0, loss, name), checks.positive(g, "g")
    return R2 * u2 / g**2, loss, g


def hinge_mistakes(R2, u2, total, g=1):
    """(R/γ)² + 2 TD/γ, for γ||u|| = g and TD||u|| = total; with g = 1 it is R²||v||² + 2·hinge
    loss, for v = u (H4, H9).

    >>> hinge_mistakes(R2=4, u2=1, total=3)
    Fraction(10, 1)
    """
    ratio2, total, g = _checked(R2, u2, "total", total, g)
    return ratio2 + 2 * total / g


def hinge_root(R2, u2, total, g=1):
    """((R + √(R² + 4γTD))/(2γ))², the exact solution of γM - TD = R√M, as a `Surd` (H4).

    >>> hinge_root(R2=4, u2=1, total=3), hinge_mistakes(R2=4, u2=1, total=3)
    (9, Fraction(10, 1))
    """
    ratio2, total, g = _checked(R2, u2, "total", total, g)
    return Surd(ratio2 / 2 + total / g, {ratio2 * (ratio2 + 4 * total / g): Fraction(1, 2)})


def deviation_mistakes(R2, u2, squares, g=1):
    """((R + D)/γ)² for D²||u||² = squares, as a `Surd` (H5).

    >>> deviation_mistakes(R2=4, u2=1, squares=9)
    25
    """
    ratio2, squares, g = _checked(R2, u2, "squares", squares, g)
    return Surd(ratio2 + squares / g**2, {ratio2 * squares / g**2: 2})


def hinge_floor(X, y, multipliers):
    """2·sum_i a_i - ||sum_i a_i z_i||²/R² for 0 <= a_i <= 1, exactly: no comparator makes the
    relaxed bound of H4 smaller (H9).

    For max(0, 1 - s) >= a(1 - s), and R²||v||² - 2v·p is least at v = p/R².

    >>> hinge_floor([[1], [2]], [1, 1], [1, 0])
    Fraction(7, 4)
    """
    X, y = checks.labelled(X, y)
    expected = f"{len(y)} numbers from 0 to 1, one for each example"
    a, R2 = checks.fractions(multipliers, len(y), "multipliers", expected), radius2(X)
    if not all(0 <= v <= 1 for v in a):
        raise checks.refusal("multipliers", expected, multipliers)
    if R2 == 0:
        raise ValueError("there must be an example other than 0")
    (N, exponent), (A, unit) = integers(X), rational(a)
    p = [int(v) * unit * Fraction(2) ** exponent for v in dot(A * y, N)]
    return 2 * sum(a) - sum(v * v for v in p) / R2


def sharp_and_lift(X, y, u, g):
    """The solved bound of H4 and that of H5 for a stream, at γ||u|| = g, exactly (H6).

    >>> [float(bound) for bound in sharp_and_lift([[1], [2]], [1, 1], [1], 1)]
    [4.0, 4.0]
    """
    X, y = checks.labelled(X, y)
    u, g = checks.fractions(u, X.shape[1]), checks.positive(g, "g")
    short, R2, u2 = [max(g - s, 0) for s in scores(X, y, u)], radius2(X), _square(u)
    sharp = hinge_root(R2, u2, sum(short), g)
    return sharp, deviation_mistakes(R2, u2, sum(d * d for d in short), g)


def best_gamma_u(X, y, u):
    """The γ||u|| at which the relaxed bound H4 is least for this u, exactly.

    In a = 1/(γ||u||) the bound is R²||u||²a² + 2 sum_i max(0, 1 - a·s_i): a parabola between
    neighbours among the points 1/s_i, s_i > 0, and convex.  Its derivative is 0 where a·R²||u||² is
    the sum of the s_i still short, if that lies between them.  None if the bound falls for ever as
    γ grows, or does not depend on it.

    >>> best_gamma_u([[1], [2], [-1]], [1, 1, 1], [1])
    Fraction(2, 1)
    """
    X, y = checks.labelled(X, y)
    u = checks.fractions(u, X.shape[1])
    s, r2 = scores(X, y, u), radius2(X) * _square(u)
    if r2 == 0:
        return None
    corners = sorted({1 / v for v in s if v > 0})
    low = Fraction(0)
    for high in [*corners, None]:
        short = sum((v for v in s if v <= 0 or low * v < 1), Fraction(0))
        best = max(short / r2, low)
        if high is None or best <= high:
            return 1 / best if best > 0 else None
        low = high


def by_gamma(X, y, u, gammas):
    """The bounds for a stream as functions of γ, in floats: H4 solved, H4 relaxed, and H5.

    >>> curves = by_gamma([[1], [2]], [1, 1], [1], gammas=[1, 2])
    >>> curves["simple hinge bound"].tolist()
    [4.0, 2.0]
    """
    X, y = checks.labelled(X, y)
    u, g = checks.fractions(u, X.shape[1]), checks.several(gammas, "gammas", "numbers above 0")
    s, u2, R2 = scores(X, y, u), _square(u), radius2(X)
    if u2 == 0 or R2 > 10**200 or not ((g > 1e-100) & (g < 1e100)).all():
        raise ValueError("u must not be the zero vector, every gamma must be above 0, none extreme")
    R, s = math.sqrt(R2), np.array([math.sqrt(v * v / u2) * (1 if v > 0 else -1) for v in s])
    short = np.maximum(g[:, None] - s, 0)
    total = short.sum(axis=1)
    return {
        "sharp hinge bound": ((R + np.sqrt(R * R + 4 * g * total)) / (2 * g)) ** 2,
        "simple hinge bound": (R / g) ** 2 + 2 * total / g,
        "lift bound": ((R + np.sqrt((short * short).sum(axis=1))) / g) ** 2,
    }


def _square(u):
    """||u||², exactly, for a list of Fractions."""
    U, unit = rational(u)
    return int(dot(U, U)) * unit**2
