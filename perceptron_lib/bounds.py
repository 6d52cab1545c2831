"""The formulas of the theorems, a line each, and the exact numbers that go into them.

Lengths are square roots and mostly irrational; their squares are rational.  So everything here is
squared: R2 stands for R², gamma2 for γ², and the results are exact fractions.
"""

from fractions import Fraction

from perceptron_lib.exact import Surd, dot, integers, rational, row_dot
from perceptron_lib.examples import labelled, table


def radius2(X):
    """R² = max ||x_i||², exactly.

    >>> radius2([[1, 1], [2, 0]])
    Fraction(4, 1)
    """
    N, exponent = integers(table(X))
    return int(row_dot(N, N).max()) * Fraction(4) ** exponent


def margin2(X, y, u, b=0):
    """γ² for the separator u·x + b = 0, γ = min_i y_i (u·x_i + b) / ||u||, exactly.

    >>> margin2([[3, 0], [-1, 5]], [1, -1], [2, 0])
    Fraction(1, 1)
    """
    X, y = labelled(X, y)
    b = Fraction(b)
    N, exponent = integers(X)
    U, unit = rational(u)
    scores = y * dot(N, U)
    unit_score = unit * Fraction(2) ** exponent
    least = min(int(s) * unit_score + int(sign) * b for s, sign in zip(scores, y, strict=True))
    if least <= 0:
        raise ValueError("u does not separate these examples, so it has no margin")
    return least**2 / (int(dot(U, U)) * unit**2)


def mistakes(R2, gamma2):
    """(R/γ)²: the mistakes of the Perceptron on separable data (P5)."""
    return Fraction(R2) / Fraction(gamma2)


def mistakes_with_bias(R2, gamma2, c2):
    """((R² + c²)/(cγ))²: the mistakes with constants of length c appended, the margin γ being
    measured without them (P7: 4/γ² for R = c = 1; P8: (2R/γ)² for c = R)."""
    return (Fraction(R2) + c2) ** 2 / (Fraction(c2) * Fraction(gamma2))


def margin_updates(R2, gamma2, eps=Fraction(1, 2)):
    """2(R/(εγ))² + 2R/(εγ): the updates of the margin Perceptron (M7; M5 for ε = ½).

    >>> margin_updates(4, 1)
    Fraction(40, 1)
    """
    ratio2 = Fraction(R2) / (Fraction(eps) ** 2 * Fraction(gamma2))
    bound = Surd(2 * ratio2, {ratio2: 2})
    return bound if bound.roots else bound.rational
