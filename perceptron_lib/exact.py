"""Floats are whole numbers times a power of two, so arithmetic on them can be exact.

Every finite float64 is ``m * 2**e`` with integers m and e: an array becomes one of integers once a
common power of two is taken out, and sums and products of integers do not round.  But they are
slow, and mostly only the sign of a score x·w is wanted.  So floats come first, and whole numbers
decide what is too close to call: how close that is, `score_error` says for the whole library.
"""

import math
from fractions import Fraction
from operator import mul

import numpy as np

from perceptron_lib.checks import fraction

ROUNDING = 2.0**-52  # the filter's one constant (with 0, floats would be believed)
TINY = 2.0**-350  # underflow takes less than ROUNDING·TINY from what is `middling`


def score_error(d, size, updates=0):
    """How far x·w, or x·w - θ||w|| with θ <= √d·max|x_j|, can be off in floats, if max|x_j| times
    all |w_j| up to now are at most `size`, and w was rounded once and at each of k updates.

    Proof, for sizes of 1, with r = 2**-53.  Each rounding moves w_j by at most r: that is d(k + 1)r
    in x·w.  Its d products, summed in any order, fused or not, err by d·d·r.  In θ||w|| <= d, w
    costs d(k + 1)r again (in ||w||²/2t, too, as ||w||/t <= √d), and its own roundings and that of
    the comparison d(d/2 + 4)r.  The sum, d(3d/2 + 2k + 6)r, is at most d(d + 3 + k)·2r;
    what is left, d·d·r/2, covers the products of roundings.
    """
    return d * (d + 3 + updates) * ROUNDING * (size + TINY)


def size(A):
    """The largest |a| in a float array (NaN, if there is one)."""
    return max(float(A.max()), -float(A.min()))


def middling(*arrays):
    """Float arrays over a power of two, their sizes, and that power: 0, unless numbers are extreme.
    So no square overflows, and underflow takes at most d·2**(100 - 537) from θ||w||."""
    sizes = list(map(size, arrays))
    if 2.0**-100 < max(sizes) < 2.0**100:
        return *arrays, *sizes, 0
    power = math.frexp(max(sizes))[1]
    return *(np.ldexp(part, -power) for part in (*arrays, *sizes)), power


def signs(X, W):
    """The sign of x·w for each row x of X, of floats, and w of W (or W itself), of whole numbers.

    >>> signs(np.array([[1e16, 1.0, -1e16]]), np.array([1, 1, 1]))  # in floats, their sum is 0
    array([1])
    """
    if W.ndim == 1:
        return signs(X, W[None])[:, 0]
    rows, largest, _ = middling(X)
    scores = rows @ floats(W, -bits(W)).T
    sure = np.sign(scores).astype(np.int64)
    i, k = np.nonzero(np.abs(scores) <= score_error(X.shape[1], largest))  # too close for floats
    if len(i):
        sure[i, k] = np.sign(row_dot(integers(X[i])[0], W[k]))
    return sure


@np.errstate(over="ignore")  # a number too large for the quick test is a multiple in any case
def lowest_bit(A):
    """The largest e for which all floats in A are whole multiples of 2**e (0 if A is all zero)."""
    A, low = np.asarray(A, dtype=float).ravel(), 9999
    for k in range(0, A.size, 30_000):  # in pieces, to spare memory and cache
        part = A[k : k + 30_000]
        if -1000 < low <= 0:
            scaled = part * 2.0**-low  # mostly a quick test shows that these are multiples, too
            if (np.rint(scaled) == scaled).all():
                continue
        mantissa, exponent = np.frexp(part[part != 0])
        mantissa = np.ldexp(mantissa, 53).astype(np.int64)
        trailing_zeros = np.frexp((mantissa & -mantissa).astype(float))[1] - 1
        low = int((exponent - 53 + trailing_zeros).min(initial=low))
    return 0 if low == 9999 else low


def integers(A, exponent=None):
    """Whole numbers N with A == N * 2**exponent exactly, and that exponent.

    A holds floats, or integers of any size (then the exponent is 0); an exponent may be given,
    `lowest_bit(A)` or less.  N holds int64 if 62 bits are enough, else Python integers.

    >>> integers([0.5, 3.0])
    (array([1, 6]), -1)
    """
    A = np.asarray(A)
    if A.dtype.kind in "iuO":
        return A.astype(np.int64 if bits(A) <= 62 else object), 0
    exponent = lowest_bit(A) if exponent is None else exponent
    mantissa, power = np.frexp(A)
    if power.max(initial=0) - exponent <= 62 and exponent > -1000:
        return (A * 2.0**-exponent).astype(np.int64), exponent
    numbers = np.ldexp(mantissa, 53).astype(np.int64).astype(object)
    shifts = power.astype(object) - 53 - exponent
    return (numbers << np.maximum(shifts, 0)) >> np.maximum(-shifts, 0), exponent


@np.errstate(over="ignore")
def floats(N, exponent=0):
    """N * 2**exponent as float64, each entry rounded once (to an infinity if it is too large)."""
    N = np.asarray(N)
    if N.dtype != object and exponent > -1000:
        return np.ldexp(N.astype(float), exponent)
    up, down = 1 << max(exponent, 0), 1 << max(-exponent, 0)
    return np.array([_quotient(int(k) * up, down) for k in N.flat], float).reshape(N.shape)


def _quotient(a, b):
    try:
        return a / b  # of Python integers: correctly rounded
    except OverflowError:
        return math.inf if a > 0 else -math.inf


def bits(N):
    """The number of bits of the largest magnitude in an integer array."""
    return max(int(N.max()), -int(N.min())).bit_length() if N.size else 0


def dot(A, B):
    """A @ B of arrays of int64 or of Python integers; of the latter where int64 might overflow."""
    A, B = np.asarray(A), np.asarray(B)
    if A.ndim == B.ndim == 1 and len(A) <= 30:
        return sum(map(mul, A.tolist(), B.tolist()))
    room = bits(A) + bits(B) + A.shape[-1].bit_length()
    if room <= 53:  # floats do not round either, and their product is faster
        product = np.asarray(A.astype(float) @ B.astype(float)).astype(np.int64)
    else:
        product = A @ B if room <= 62 else A.astype(object) @ B.astype(object)
    return product if np.ndim(product) else int(product)  # whose square cannot overflow


def row_dot(A, B):
    """The products of the rows of A with those of B, of the same kinds, without overflow."""
    if bits(A) + bits(B) + A.shape[-1].bit_length() > 62:
        A, B = A.astype(object), B.astype(object)
    return (A * B).sum(axis=1)


def rational(v):
    """A vector of numbers (floats, integers, Fractions) as Python integers times a Fraction.

    >>> rational([Fraction(1, 3), 0.5])
    (array([2, 3], dtype=object), Fraction(1, 6))
    """
    v = [fraction(x) for x in v]
    scale = math.lcm(*(x.denominator for x in v))
    numerators = np.array([int(x * scale) for x in v], dtype=object)
    common = math.gcd(*numerators) or 1
    return numerators // common, Fraction(common, scale)


def ray(v):
    """Python integers without a common factor on the ray of v: v times a number above 0."""
    return rational(v)[0]


def sqrt_below(q):
    """The largest float whose square is at most the rational q >= 0."""
    q = Fraction(q)
    shift = max(0, 128 - q.numerator.bit_length() + q.denominator.bit_length())
    shift += shift % 2
    root = _quotient(math.isqrt((q.numerator << shift) // q.denominator), 1 << shift // 2)
    while math.isinf(root) or Fraction(root) ** 2 > q:  # of its 64 bits, rounding took some away
        root = math.nextafter(root, 0.0)
    return root


def sqrt_above(q):
    """The smallest float (or infinity) whose square is at least the rational q >= 0."""
    root = sqrt_below(q)
    return root if Fraction(root) ** 2 == q else math.nextafter(root, math.inf)
