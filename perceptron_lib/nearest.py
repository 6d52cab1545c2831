"""The point of a convex hull that is nearest to 0, by non-negative least squares (NNLS).

Choose λ >= 0 to bring the sum of λ_i (z_i, 1) as near as possible to (0, 1).  If it gets there, 0
is in the hull of the z_i.  If not, v = sum_i λ_i z_i is, up to its length, the hull's point nearest
to 0.  For at the best λ the rest, (-v, 1 - sum λ), has a product of at most 0 with every (z_i, 1),
and of 0 where λ_i > 0: z_i·v >= 1 - sum λ for all i, with equality on the support.  (An example for
which this fails is "in the way" below.)

Floating point finds which λ are positive; whole numbers finish the work from there, so that a
distance of 1e-12 is not taken for none.
"""

import math
import warnings
from fractions import Fraction
from functools import cache, partial

import numpy as np

from perceptron_lib.exact import bits, dot, ray
from perceptron_lib.progress import Progress
from perceptron_lib.signs import least

MESSAGE = "largest margin: digit {:,} of {:,} of an exact solution"
EXACT_SUPPORT = 100  # with more points in the support, weights may be left as floats found them


def nearest(Z, rounded):
    """The weights λ in whole numbers, for points Z in whole numbers, and the same in floats.

    (With more than EXACT_SUPPORT positive weights, λ is left as floats found it, provided that its
    v has z_i·v > 0 for all i.)
    """
    import scipy.optimize  # noqa: F401  slow to load: here, and before progress begins to count

    with Progress() as progress:
        found = _float_weights(rounded, progress)
        weights, support = np.zeros(len(Z), dtype=object), np.flatnonzero(found)
        weights[support] = ray(found[support])
        if len(support) > EXACT_SUPPORT and least(Z, ray(weighted_sum(weights, Z)))[1] > 0:
            return weights
        return _finish(Z, support, progress)


def weighted_sum(weights, Z):
    """sum_i weights_i z_i; most of the weights are 0."""
    used = np.flatnonzero(weights)
    return dot(weights[used], Z[used]) if len(used) else np.zeros(Z.shape[1], dtype=np.int64)


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
        worst, score = least(Z, dot(scale[:-1], Z[support])) if support else (0, -1)
        if score >= scale[-1]:
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


def solve(A, b, progress=lambda row, rows: None):
    """The exact solution of A x = b, for whole numbers and a matrix that has an inverse.

    Dixon's way: modulo a prime p the inverse is soon found, and with it one digit of x (in base p)
    after the other.  By Cramer's rule x is a vector of fractions whose parts are determinants, and
    these are at most Hadamard's bound; with more than twice as many digits, only one vector fits.

    >>> solve([[2, 1], [1, 3]], [1, 1])
    [Fraction(2, 5), Fraction(1, 5)]
    """
    A, rest = np.array(A, dtype=object), np.array(b, dtype=object)
    columns = [int(dot(v, v)) for v in (*A.T, rest)]
    bound, tried = math.isqrt(math.prod(max(1, square) for square in columns)) + 1, 1
    width = (62 - len(A).bit_length()) // 2  # so that sums of products fit into int64
    for p in filter(_is_prime, range(2**width - 1, 2, -2)):
        inverse, tried = _inverse(A % p, p), tried * p
        if inverse is not None:
            break
        if tried > bound:  # the determinant, which is smaller, is a multiple of all these primes
            raise ValueError("the matrix has no inverse")
    # A in base 2**width, so that its products with digits are quick, too.
    parts = [(A >> k & 2**width - 1).astype(np.int64) for k in range(0, bits(A) + 1, width)]
    parts.append((A >> width * len(parts)).astype(np.int64))  # the signs
    digits, count = [], (2 * bound**2).bit_length() // (p.bit_length() - 1) + 1
    while len(digits) < count:
        digit = inverse @ (rest % p).astype(np.int64) % p
        products = ((part @ digit).astype(object) << width * k for k, part in enumerate(parts))
        rest = (rest - sum(products)) // p
        digits.append(digit.astype(object))
        progress(len(digits), count)
    base, modulus = p, p**count
    while len(digits) > 1:  # two digits are one in the base squared
        digits += [0 * digits[0]] * (len(digits) % 2)
        digits = [low + base * high for low, high in zip(digits[::2], digits[1::2], strict=True)]
        base *= base
    found, common = [], 1
    for x in digits[0].tolist():
        top, below = _fraction(x * common % modulus, modulus, bound)
        found, common = [*found, Fraction(top, common * below)], common * below
    return found


@cache
def _is_prime(odd):
    return all(odd % k for k in range(3, math.isqrt(odd) + 1, 2))


def _inverse(A, p):
    """The inverse of a matrix modulo the prime p (Gauss and Jordan), or None."""
    n = len(A)
    rows = np.hstack([A.astype(np.int64), np.eye(n, dtype=np.int64)])
    for k in range(n):
        below = k + np.flatnonzero(rows[k:, k])
        if not len(below):
            return None
        rows[[k, below[0]]] = rows[[below[0], k]]
        rows[k] = rows[k] * pow(int(rows[k, k]), -1, p) % p
        factors = np.where(np.arange(n) == k, 0, rows[:, k])
        rows = (rows - factors[:, None] * rows[k]) % p
    return rows[:, n:]


def _fraction(x, modulus, bound):
    """The numerator and denominator, at most the bound, that are x modulo the modulus (by Euclid's
    algorithm)."""
    a, b, s, t = modulus, x, 0, 1
    while b > bound:
        a, b, s, t = b, a % b, t, s - a // b * t
    return (b, t) if t > 0 else (-b, -t)
