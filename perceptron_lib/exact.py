"""Floats are whole numbers times a power of two, so arithmetic on them can be exact.

Every finite float64 is ``m * 2**e`` with integers m and e.  A whole array therefore becomes an
array of integers once a common power of two is taken out, and sums and products of integers do
not round.  Nothing else in the library needs to know how: ``integers`` goes there, ``floats``
comes back, ``dot`` multiplies.
"""

import math
from fractions import Fraction

import numpy as np


def lowest_bit(A):
    """The largest e for which every entry of A is a whole multiple of 2**e (0 if A is all zero).

    >>> lowest_bit([1.5, 4.0])
    -1
    """
    A, low = np.asarray(A, dtype=float).ravel(), None
    for k in range(0, A.size, 30_000):  # in pieces, to spare memory and cache
        part = A[k : k + 30_000]
        if low is None or not _on_grid(part, low):
            found = _lowest_bit(part)
            low = found if low is None else low if found is None else min(low, found)
    return low or 0


def _on_grid(A, exponent):
    """Whether all entries are whole multiples of 2**exponent; for exponents from -1000 to 0, and
    False for others."""
    if not -1000 <= exponent <= 0:
        return False
    with np.errstate(over="ignore"):  # infinity would be a multiple, too
        scaled = A * 2.0**-exponent
    return bool((np.rint(scaled) == scaled).all())


def _lowest_bit(A):
    """The same for a piece of a table; None if all its entries are zero."""
    up = 62 - math.frexp(np.abs(A).max(initial=0.0))[1]
    if 0 <= up <= 1000:  # scaling up by 2**up is exact, and then most tables are whole numbers
        scaled = A * 2.0**up
        whole = scaled.astype(np.int64)
        if (whole == scaled).all():
            ones = int(np.bitwise_or.reduce(whole))
            return (ones & -ones).bit_length() - 1 - up if ones else None
    mantissa, exponent = np.frexp(A[A != 0])
    odd = np.ldexp(mantissa, 53).astype(np.int64)
    trailing_zeros = np.frexp((odd & -odd).astype(float))[1] - 1
    return int((exponent - 53 + trailing_zeros).min()) if odd.size else None


def integers(A, exponent=None):
    """Whole numbers N with A == N * 2**exponent exactly, and that exponent.

    A holds floats or integers of any size.  N is an int64 array where that is wide enough,
    an array of Python integers where it is not.

    >>> integers([0.5, 3.0])
    (array([1, 6]), -1)
    """
    A = np.asarray(A)
    if A.dtype.kind in "iuO":
        return A.astype(np.int64) if bits(A) <= 62 else A.astype(object), 0
    A = np.asarray(A, dtype=float)
    exponent = lowest_bit(A) if exponent is None else exponent
    largest = np.abs(A).max(initial=0.0)
    if math.frexp(largest)[1] - exponent <= 62 and exponent > -1000:
        # Two exact steps, since 2**-exponent itself may be too large for a float.
        half = exponent // 2
        return (A * 2.0**-half * 2.0 ** (half - exponent)).astype(np.int64), exponent
    mantissa, power = np.frexp(A)
    whole = np.ldexp(mantissa, 53).astype(np.int64).astype(object)
    shift = power.astype(object) - 53 - exponent
    N = np.empty(A.shape, dtype=object)
    N[...] = np.where(shift >= 0, whole << np.maximum(shift, 0), whole >> np.maximum(-shift, 0))
    return N, exponent


def bits(N):
    """The number of bits of the largest magnitude in an integer array."""
    if N.size == 0:
        return 0
    return max(int(N.max()), -int(N.min())).bit_length()


def dot(A, B):
    """A @ B for integer arrays, without overflow: Python integers where int64 might not do.

    >>> dot(np.array([2**62, 2**62]), np.array([2, 2])) == 2**64
    True
    """
    A, B = np.asarray(A), np.asarray(B)
    size = bits(A) + bits(B) + A.shape[-1].bit_length()
    if size <= 53:  # floats do not round either, and their product is faster
        return np.asarray(A.astype(float) @ B.astype(float)).astype(np.int64)[()]
    if size > 62:
        A, B = A.astype(object), B.astype(object)
    return A @ B


def adds_exactly(counts, A):
    """Whether counts @ A cannot round, in any order: all sums have 52 bits of A's grid at most.

    >>> adds_exactly([3, -1], [[0.5], [2.0**40]]), adds_exactly([3, -1], [[0.5], [2.0**52]])
    (True, False)
    """
    A = np.asarray(A, dtype=float)
    most = float(np.abs(counts).sum()) * float(max(A.max(), -A.min()))
    return math.isfinite(most) and math.frexp(most)[1] <= 52 + lowest_bit(A)


def column_sums(A):
    """The sums of the columns, each rounded once.

    Rows are added in pairs, pairs of pairs and so on.  What an addition of floats loses is a float
    itself, and the sum of all that was lost corrects the result.  That sum rounds as well: where
    that could matter, the column is added up again.  OverflowError where a part of a sum is too
    large for a float.

    >>> column_sums(np.array([[1e30], [1.0], [-1e30]]))
    array([1.])
    """
    if A.size < 5000:
        return np.array([math.fsum(column) for column in A.T.tolist()])
    total, lost = A, np.zeros_like(A)
    with np.errstate(over="ignore", invalid="ignore"):  # they make a NaN, which is not sure
        while len(total) > 1:
            if len(total) % 2:
                total, lost = (np.vstack([part, np.zeros(A.shape[1])]) for part in (total, lost))
            a, b = total[::2], total[1::2]
            total = a + b
            back = total - a
            lost = lost[::2] + lost[1::2] + ((a - (total - back)) + (b - back))
        # Of L levels, each loses u·S at most, and so does each sum of what was lost, u·(L·u·S).
        unsure = len(A).bit_length() ** 2 * 2.0**-100 * np.abs(A).sum(axis=0)
        low, high = total[0] + (lost[0] - unsure), total[0] + (lost[0] + unsure)
    for j in np.flatnonzero(~(low == high)):
        low[j] = math.fsum(A[:, j].tolist())
    return low


def row_dot(A, B):
    """The products of the rows of A with those of B, for integer arrays, without overflow.

    >>> row_dot(np.array([[1, 2], [3, 4]]), np.array([[1, 1], [2, 0]]))
    array([3, 6])
    """
    if bits(A) + bits(B) + A.shape[-1].bit_length() > 62:
        A, B = A.astype(object), B.astype(object)
    return (A * B).sum(axis=1)


def floats(N, exponent=0):
    """N * 2**exponent as float64, each entry rounded once (to an infinity if it is too large).

    >>> floats(np.array([1, 6]), -1)
    array([0.5, 3. ])
    """
    N = np.asarray(N)
    if bits(N) <= 53:
        with np.errstate(over="ignore"):
            return np.ldexp(N.astype(float), exponent)
    up, down = 1 << max(exponent, 0), 1 << max(-exponent, 0)
    return np.array([_quotient(int(k) * up, down) for k in N.flat]).reshape(N.shape)


def rounded(q):
    """The Fraction q as the nearest float (an infinity if it is too large)."""
    return _quotient(q.numerator, q.denominator)


def _quotient(a, b):
    try:
        return a / b  # of Python integers: correctly rounded
    except OverflowError:
        return math.inf if a > 0 else -math.inf


def fraction(value):
    """A number, or a text such as "1/3", as the Fraction it is; a ValueError for anything else.

    >>> fraction(0.5), fraction("1/3")
    (Fraction(1, 2), Fraction(1, 3))
    """
    try:
        value = value.item() if isinstance(value, (np.generic, np.ndarray)) else value
        if not (isinstance(value, str) and "e" in value.lower()):  # 1e999999999 would take hours
            return Fraction(value)
    except (TypeError, ValueError, ArithmeticError):
        pass
    raise ValueError(f"a finite number is expected; got {shown(value)}")


def real(value):
    """A number as the nearest float (or infinity), and NaN for anything else."""
    try:
        return rounded(fraction(value))
    except ValueError:
        return math.nan


def shown(value):
    """What was given, for a sentence: on one line, and short."""
    try:
        text = " ".join(repr(value).split())
    except ValueError:  # Python writes no whole number of more than 4,300 digits
        text = "a very large number"
    return text if len(text) <= 60 else text[:59] + "…"


def rational(v):
    """A vector of numbers (floats, integers, Fractions) as Python integers times a Fraction.

    >>> rational([Fraction(1, 3), 0.5])
    (array([2, 3], dtype=object), Fraction(1, 6))
    """
    v = [fraction(x) for x in v]
    scale = math.lcm(*(x.denominator for x in v))
    numerators = [int(x * scale) for x in v]
    common = math.gcd(*numerators) or 1
    N = np.empty(len(v), dtype=object)
    N[:] = [k // common for k in numerators]
    return N, Fraction(common, scale)


def whole(v):
    """Python integers without a common factor on the ray of v.

    >>> whole([Fraction(1, 3), 0.5])
    array([2, 3], dtype=object)
    """
    return rational(v)[0]


def sqrt_below(q):
    """The largest float whose square is at most the rational q >= 0."""
    root = _root(q)
    while math.isinf(root) or Fraction(root) ** 2 > q:
        root = math.nextafter(root, 0.0)
    return root


def sqrt_above(q):
    """The smallest float (or infinity) whose square is at least the rational q >= 0."""
    root = _root(q)
    while not math.isinf(root) and Fraction(root) ** 2 < q:
        root = math.nextafter(root, math.inf)
    return root


def _root(q):
    """A float next to the square root of q: 64 bits of the root, rounded to the nearest float."""
    q = Fraction(q)
    shift = max(0, 128 - q.numerator.bit_length() + q.denominator.bit_length())
    shift += shift % 2
    return _quotient(math.isqrt((q.numerator << shift) // q.denominator), 1 << shift // 2)
