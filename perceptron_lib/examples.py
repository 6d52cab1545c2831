"""Labelled examples: what a data set is, and the ones the notebooks use.

A data set is a matrix X, an example a row, and a label y of -1 or +1 for each row.  Every
synthetic set lies on a dyadic grid (whole multiples of a power of two, with few bits), so that
the sums and products a Perceptron makes of it do not round (except for a very distant outlier);
where a separator u is known it lies on a grid too.  Randomness is drawn as raw bits and turned into
numbers by integer arithmetic, so that a seed means the same data on every machine.
"""

import math
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import numpy as np

from perceptron_lib import checks
from perceptron_lib.checks import door, limit, one_of, whole

GRID = 12  # synthetic coordinates are whole multiples of 2**-GRID
MOST = 10**8  # numbers that a synthetic set may have
SPECIES = ("setosa", "versicolor", "virginica")


class Examples(NamedTuple):
    """A data set: rows X, labels y, and a separator u if one is known (else None).

    Where labels were flipped or an outlier was added, u is the separator of the clean set.

    >>> X, y, u = five_points()
    >>> X.shape, y.tolist(), u.tolist()
    ((5, 2), [1, 1, 1, -1, -1], [1.0, 0.0])
    """

    X: np.ndarray
    y: np.ndarray
    u: np.ndarray | None = None


def shuffled(n, bit_generator):
    """A permutation of 0 … n-1 from raw random bits: the same under every version of NumPy.

    >>> shuffled(4, np.random.PCG64(0)).tolist()
    [3, 2, 1, 0]
    """
    return np.argsort(bit_generator.random_raw(n), kind="stable").astype(np.int64)


@door
def random_bits(seed):
    """A source of random bits."""
    return np.random.PCG64(seed)


def random_whole(bit_generator, shape, low, high):
    """Whole numbers from low to high (both included), from raw random bits."""
    raw = bit_generator.random_raw(math.prod(shape)) >> np.uint64(16)  # the upper 48 bits
    return (raw % np.uint64(high - low + 1)).astype(np.int64).reshape(shape) + low


@door(
    n=limit(whole, 1, MOST), d=limit(whole, 1, MOST),
    margin=limit(checks.fraction, "above 0 and at most 0.875", lambda m: 0 < m <= 0.875),
)  # fmt: skip
def separable(n=40, d=2, margin=0.125, seed=0):
    """n examples in the unit ball of d dimensions, at least `margin` away from u's hyperplane.

    Each point is a random step along u, at least the margin, and a random step across it.
    Both classes occur (from n = 2 on).

    >>> X, y, u = separable(n=10, margin=0.25)
    >>> bool((y * (X @ u) >= 0.25 * np.sqrt(u @ u)).all())
    True
    """
    whole(n, "n", 1, MOST // d, f" (for {d} dimensions)")
    margin, unit, source = float(margin), 2**GRID, random_bits(seed)
    u = random_whole(source, (d,), -unit, unit)
    u[0] += not u.any()
    y = np.where(shuffled(n, source) % 2 == 0, 1, -1)
    # Rounding to the grid moves a point by at most sqrt(d)/2 units: stay clear by more than that.
    slack = math.sqrt(d) + 1
    u_length = math.sqrt(int(u @ u))
    least, most = margin * unit + slack, unit - slack
    if least >= most:
        raise ValueError(f"margin must be smaller: {margin} leaves no room in {d} dimensions")
    along = random_whole(source, (n,), 0, unit) / unit
    along = least + (most - least) * along**2  # most are close
    across = random_whole(source, (n, d), -unit, unit)
    across = across - np.outer(across @ u / int(u @ u), u)  # the part of it orthogonal to u
    lengths = np.sqrt(np.cumsum(across**2, axis=1)[:, -1])  # cumsum: always added in this order
    room = np.sqrt(np.maximum(most * most - along * along, 0))
    room *= np.sqrt(random_whole(source, (n,), 0, unit) / unit)  # as in a disc
    across *= np.where(lengths > 1, room / np.maximum(lengths, 1), 0)[:, None]
    X = np.rint(across + np.outer(y * along / u_length, u)) / unit
    return Examples(X, y, u / unit)


def five_points():
    """Five examples in the plane, small enough to follow a run by hand.

    >>> five_points().X.astype(int).tolist()
    [[1, 1], [3, -1], [1, 3], [-3, 0], [-1, 2]]
    """
    X = np.array([(1, 1), (3, -1), (1, 3), (-3, 0), (-1, 2)], dtype=float)
    return Examples(X, np.array([1, 1, 1, -1, -1]), np.array([1.0, 0.0]))


@door(n=limit(whole, 1, 5000, " (there are n**2 numbers)"))
def worst_case(n):
    """The n unit vectors, labels alternating: with ties as mistakes, n = (R/γ)² mistakes (P10).

    >>> worst_case(3).y.tolist()
    [1, -1, 1]
    """
    y = np.where(np.arange(n) % 2 == 0, 1, -1)
    return Examples(np.eye(n), y, y.astype(float))


@door(n=limit(whole, 1, 20, " (there are 2**n examples)"))
def odd_max_bit(n):
    """All words x_1 … x_n of n bits, in counting order, with a dummy feature 1 last (P11).

    The largest i with x_i = 1, the last 1 of the word, decides: positive if i is odd, negative if
    it is even or if there is no 1.  This is a decision list.  Its best separator u has weights that
    grow like the powers of the golden ratio.

    >>> odd_max_bit(3).u
    array([ 2., -2.,  4., -1.])
    """
    words = np.arange(2**n)
    X = np.ones((2**n, n + 1))
    X[:, :n] = words[:, None] >> np.arange(n)[::-1] & 1
    # words & -words has the last 1 alone; x_n is the lowest bit of the number.
    last = np.where(words > 0, n + 1 - np.frexp((words & -words).astype(float))[1], 0)
    u = np.full(n + 1, -1.0)
    for k in range(n):
        # Each must outvote all the weights before it of the other sign: 2, -2, 4, -6, 10, …
        u[k] = 2 - u[1:k:2].sum() if k % 2 == 0 else -u[0:k:2].sum()
    return Examples(X, np.where(last % 2 == 1, 1, -1), u)


def xor():
    """The corners of a square, -1 where exactly one coordinate is 1: no line does this (A9).

    >>> xor().y.tolist()
    [1, -1, -1, 1]
    """
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=float)
    return Examples(X, np.array([1, -1, -1, 1]))


def from_scikit_learn(name, skip=0):
    """Features and classes from a file of scikit-learn, which itself takes seconds to import."""
    folder = Path(find_spec("sklearn").submodule_search_locations[0], "datasets", "data")
    rows = np.loadtxt(folder / name, delimiter=",", skiprows=skip)
    return rows[:, :-1], rows[:, -1].astype(int)


@door(
    positive=limit(one_of, SPECIES),
    negative=lambda name, _, given: (
        one_of(name, "negative", [other for other in SPECIES if other != given["positive"]])),
)  # fmt: skip
def iris(positive="setosa", negative=None):
    """Irises, 50 of each species, in whole millimetres: one species against another or the rest.

    Features: sepal length, sepal width, petal length, petal width.

    >>> X, y, _ = iris()
    >>> X.shape, int((y > 0).sum()), X[0].astype(int).tolist()
    ((150, 4), 50, [51, 35, 14, 2])
    """
    centimetres, kind = from_scikit_learn("iris.csv", skip=1)
    name = np.array(SPECIES)[kind]
    keep = (name == positive) | ((name == negative) if negative else True)
    return Examples(np.rint(centimetres * 10)[keep], np.where(name == positive, 1, -1)[keep])


@door(positive=lambda v, name, _: checks.places(
    np.atleast_1d(v), 10, name, "one or more digits from 0 to 9"))  # fmt: skip
def digits(positive=(0, 2, 4, 6, 8)):
    """1797 handwritten digits of 8 x 8 whole grey values; `positive` says which ones are +1.

    >>> X, y, _ = digits(positive=[0])
    >>> X.shape, int((y > 0).sum())
    ((1797, 64), 178)
    """
    grey, digit = from_scikit_learn("digits.csv.gz")
    return Examples(grey, np.where(np.isin(digit, positive), 1, -1))
