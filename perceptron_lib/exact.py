"""Floats are whole numbers times a power of two, so arithmetic on them can be exact.

Every finite float64 is ``m * 2**e`` with integers m and e.  A whole array therefore becomes an
array of integers once a common power of two is taken out, and sums and products of integers do
not round: ``integers`` goes there, ``floats`` comes back, ``dot`` multiplies, ``rational`` takes
fractions in, ``sqrt_below`` and ``sqrt_above`` round a root to the safe side.
"""

import math
from fractions import Fraction
from operator import mul

import numpy as np

from perceptron_lib.checks import fraction


def lowest_bit(A):
    """The largest e for which all floats in A are whole multiples of 2**e (0 if A is all zero).

    >>> lowest_bit([1.5, 4.0])
    -1
    """
    A, low = np.asarray(A, dtype=float).ravel(), None
    for k in range(0, A.size, 30_000):  # in pieces, to spare memory and cache
        part = A[k : k + 30_000]
        if (low is None or not _on_grid(part, low)) and part.any():
            found = _lowest_bit(part[part != 0])
            low = found if low is None else min(found, low)
    return low or 0


def _lowest_bit(A):
    mantissa, exponent = np.frexp(A)
    mantissa = np.ldexp(mantissa, 53).astype(np.int64)
    trailing_zeros = np.frexp((mantissa & -mantissa).astype(float))[1] - 1
    return int((exponent - 53 + trailing_zeros).min())


def _on_grid(A, exponent):
    """True if a quick test shows that all entries are whole multiples of 2**exponent."""
    if not -1000 < exponent <= 0:
        return False
    with np.errstate(over="ignore"):  # a number that large is whole in any case
        scaled = A * 2.0**-exponent
    whole = scaled + 1.5 * 2.0**52  # which rounds to a whole number
    whole -= 1.5 * 2.0**52
    return bool((whole == scaled).all())


def integers(A, exponent=None):
    """Whole numbers N with A == N * 2**exponent exactly, and that exponent.

    A holds floats, or integers of any size (then the exponent is 0).  For floats, an exponent may
    be given, `lowest_bit(A)` or less.  N is an int64 array where 62 bits are enough (and the
    numbers are not extremely small), an array of Python integers where they are not.

    >>> integers([0.5, 3.0])
    (array([1, 6]), -1)
    """
    A = np.asarray(A)
    if A.dtype.kind in "iuO":
        return A.astype(np.int64) if bits(A) <= 62 else A.astype(object), 0
    exponent = lowest_bit(A) if exponent is None else exponent
    largest = max(float(A.max(initial=0)), -float(A.min(initial=0)))
    if math.frexp(largest)[1] - exponent <= 62 and exponent > -1000:
        return (A * 2.0**-exponent).astype(np.int64), exponent
    mantissa, power = np.frexp(A)
    numbers = np.ldexp(mantissa, 53).astype(np.int64).ravel().tolist()
    shifts = (power.astype(np.int64) - 53 - exponent).ravel().tolist()
    N = np.empty(A.size, dtype=object)
    N[:] = [k << s if s >= 0 else k >> -s for k, s in zip(numbers, shifts, strict=True)]
    return N.reshape(A.shape), exponent


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


def _quotient(a, b):
    try:
        return a / b  # of Python integers: correctly rounded
    except OverflowError:
        return math.inf if a > 0 else -math.inf


def bits(N):
    """The number of bits of the largest magnitude in an integer array."""
    if N.dtype == object:
        return max(map(abs, N.flat), default=0).bit_length()
    return max(int(N.max()), -int(N.min())).bit_length() if N.size else 0


def dot(A, B):
    """A @ B without overflow, for arrays of int64 or of Python integers; in Python integers where
    int64 might overflow.

    >>> dot(np.array([2**62, 2**62]), np.array([2, 2])) == 2**64
    True
    """
    A, B = np.asarray(A), np.asarray(B)
    if A.ndim == B.ndim == 1 and len(A) <= 30:
        return sum(map(mul, A.tolist(), B.tolist()))
    if A.ndim == B.ndim == 1 and A.dtype != object != B.dtype:
        a, b = A.astype(float), B.astype(float)
        if (a @ a) * (b @ b) < 2.0**104:  # so no sum of products is above 2**52: none is rounded
            return int(a @ b)
    size = bits(A) + bits(B) + A.shape[-1].bit_length()
    if size <= 53:  # floats do not round either, and their product is faster
        product = np.asarray(A.astype(float) @ B.astype(float))
        return product.astype(np.int64)[()]  # a number, if there is only one
    if size > 62:
        A, B = A.astype(object), B.astype(object)
    return A @ B


def row_dot(A, B):
    """The products of the rows of A with those of B, of the same kinds, without overflow.

    >>> row_dot(np.array([[1, 2], [3, 4]]), np.array([[1, 1], [2, 0]]))
    array([3, 6])
    """
    if bits(A) + bits(B) + A.shape[-1].bit_length() > 62:
        A, B = A.astype(object), B.astype(object)
    return (A * B).sum(axis=1)


def column_sums(A):
    """The sums of the columns of a float array, each rounded once.

    Every entry is split in two: its leading bits, on a grid so coarse that their sum is exact, and
    the rest, which is treated in the same way until nothing is left.  (A few are added up as they
    are.)  None where a sum might be too large for a float.
    """
    if math.frexp(np.abs(A).max())[1] + len(A).bit_length() > 1023:
        return None
    few = A.size <= 500
    parts = list(A) if few else [np.zeros(A.shape[1])]
    while not few and A.any():
        carry = 2.0 ** (math.frexp(np.abs(A).max())[1] + len(A).bit_length())
        high = (carry + A) - carry
        parts.append(high.sum(axis=0))
        A = A - high
    return np.array([math.fsum(column) for column in np.array(parts).T.tolist()])


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


def ray(v):
    """Python integers without a common factor on the ray of v: v times a number above 0.

    >>> ray([Fraction(1, 3), 0.5])
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
