"""Labelled examples: what a data set is, and the ones the notebooks use.

A data set is a matrix X, an example a row, and a label y of -1 or +1 for each row.  Every
synthetic set lies on a dyadic grid (whole multiples of a power of two, with few bits), so that
the sums and products a Perceptron makes of it do not round (except for a very distant outlier);
where a separator u is known it lies on a grid too.  Randomness is drawn as raw bits and turned into
numbers by integer arithmetic, so that a seed means the same data on every machine.
"""

import math
from collections.abc import Callable, Iterator, Set
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import numpy as np

from perceptron_lib import checks

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
    """A permutation of 0 … n-1 from raw random bits: the same under every version of NumPy."""
    return np.argsort(bit_generator.random_raw(n), kind="stable").astype(np.int64)


def _random(seed):
    """A source of random bits."""
    return np.random.PCG64(checks.seed(seed))


def _random_whole(bit_generator, shape, low, high):
    """Whole numbers from low to high (both included), from raw random bits."""
    raw = bit_generator.random_raw(math.prod(shape)) >> np.uint64(16)  # the upper 48 bits
    return (raw % np.uint64(high - low + 1)).astype(np.int64).reshape(shape) + low


def separable(n=40, d=2, margin=0.125, seed=0):
    """n examples in the unit ball of d dimensions, at least `margin` away from u's hyperplane.

    Each point is a random step along u, at least the margin, and a random step across it.
    Both classes occur (from n = 2 on).

    >>> X, y, u = separable(n=10, margin=0.25)
    >>> bool((y * (X @ u) >= 0.25 * np.sqrt(u @ u)).all())
    True
    """
    d = checks.whole(d, "d", 1, MOST)
    n = checks.whole(n, "n", 1, MOST // d, f" (for {d} dimensions)")
    margin = checks.real(margin, "margin", "above 0 and at most 0.875", lambda m: 0 < m <= 0.875)
    unit, source = 2**GRID, _random(seed)
    u = _random_whole(source, (d,), -unit, unit)
    u[0] += not u.any()
    y = np.where(shuffled(n, source) % 2 == 0, 1, -1)
    # Rounding to the grid moves a point by at most sqrt(d)/2 units: stay clear by more than that.
    slack = math.sqrt(d) + 1
    u_length = math.sqrt(int(u @ u))
    least, most = margin * unit + slack, unit - slack
    if least >= most:
        raise ValueError(f"margin must be smaller: {margin} leaves no room in {d} dimensions")
    along = _random_whole(source, (n,), 0, unit) / unit
    along = least + (most - least) * along**2  # most are close
    across = _random_whole(source, (n, d), -unit, unit)
    across = across - np.outer(across @ u / int(u @ u), u)  # the part of it orthogonal to u
    lengths = np.sqrt(np.cumsum(across**2, axis=1)[:, -1])  # cumsum: always added in this order
    room = np.sqrt(np.maximum(most * most - along * along, 0))
    room *= np.sqrt(_random_whole(source, (n,), 0, unit) / unit)  # as in a disc
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


def worst_case(n):
    """The n unit vectors, labels alternating: with ties as mistakes, n = (R/γ)² mistakes (P10).

    >>> worst_case(3).y.tolist()
    [1, -1, 1]
    """
    n = checks.whole(n, "n", 1, 5000, " (there are n**2 numbers)")
    y = np.where(np.arange(n) % 2 == 0, 1, -1)
    return Examples(np.eye(n), y, y.astype(float))


def adversary(predict, n):
    """The n unit vectors, each labelled against what a learner says of it: it errs n = (R/γ)²
    times, whoever it is (P13).

    predict(X, y, x) is given the examples before, and x; it answers -1 or +1.

    >>> adversary(lambda X, y, x: 1, 3).y
    array([-1, -1, -1])
    """
    checks.instance(predict, Callable, "predict", "a function of X, y and x")
    n = checks.whole(n, "n", 1, 5000, " (there are n**2 numbers)")
    X, y = np.eye(n), np.zeros(n, dtype=np.int64)
    X.setflags(write=False)  # whatever a learner does with what it is shown
    for i in range(n):
        answer = predict(X[:i], y[:i].copy(), X[i])
        y[i] = -checks.labels([answer], 1)[0]
    return Examples(X.copy(), y, y.astype(float))


def odd_max_bit(n):
    """All words x_1 … x_n of n bits, in counting order, with a dummy feature 1 last (P11).

    The largest i with x_i = 1, the last 1 of the word, decides: positive if i is odd, negative if
    it is even or if there is no 1.  This is a decision list.  Its best separator u has weights that
    grow like the powers of the golden ratio.

    >>> odd_max_bit(3).u
    array([ 2., -2.,  4., -1.])
    """
    n = checks.whole(n, "n", 1, 20, " (there are 2**n examples)")
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


def margin_stream(gamma=0.125):
    """A stream in the unit ball, of margin at least gamma, that keeps the margin Perceptron busy.

    Each example is chosen, knowing the weights, to be as long as possible and yet to lie just
    short of the threshold gamma/2 (M4).  The stream ends when no such example is left.

    Every z has gamma along u = (1, 0, 0) and the length `room` across it, in the plane of the other
    two coordinates.  There it is turned against the weights until its score falls short.

    >>> X, y, u = margin_stream(0.25)
    >>> len(X), bool((y * (X @ u) >= 0.25).all())
    (38, True)
    """
    gamma = checks.real(gamma, "gamma", "from 1/64 to 1/2", lambda g: 1 / 64 <= g <= 1 / 2)
    unit = 2**GRID
    gamma = math.ceil(gamma * unit) / unit
    room = math.sqrt(1 - gamma * gamma) - 2 / unit  # for the part of the example across u
    rows = [np.array([gamma, math.floor(room * unit) / unit, 0.0])]
    w = rows[0]
    while True:
        across = math.sqrt(w[1] * w[1] + w[2] * w[2])
        # What z may have in the direction of w's part across u, less what rounding may add.
        along = (gamma / 2 * math.sqrt(w @ w) - gamma * w[0]) / across - 4 / unit
        if along < -room:
            break
        along = min(along, room)
        turn = math.sqrt(room * room - along * along)
        v = [along * w[1] - turn * w[2], along * w[2] + turn * w[1]]
        z = np.array([gamma, *(np.rint(np.array(v) / across * unit) / unit)])
        rows.append(z)
        w = w + z
    y = np.where(np.arange(len(rows)) % 2 == 0, 1, -1)
    return Examples(y[:, None] * np.array(rows), y, np.array([1.0, 0.0, 0.0]))


def rings(n=60, seed=0):
    """A disc (negative) inside a ring (positive): a circle separates them, but no line does
    (unless there are very few of them).

    >>> X, y, _ = rings(6)
    >>> (X**2).sum(axis=1).round(2).tolist(), y.tolist()
    ([0.58, 0.02, 0.74, 0.01, 0.91, 0.03], [1, -1, 1, -1, 1, -1])
    """
    n = checks.whole(n, "n", 2, MOST)
    unit, source = 2**GRID, _random(seed)
    y = np.where(np.arange(n) % 2 == 0, 1, -1)
    t = _random_whole(source, (n,), -unit, unit) / unit  # a rational point of the half circle, by t
    side = 2 * _random_whole(source, (n,), 0, 1) - 1
    radius = np.where(y > 0, 768, 0) + _random_whole(source, (n,), 0, 256) * np.where(y > 0, 1, 2)
    direction = np.column_stack([side * (1 - t**2), 2 * t]) / (1 + t**2)[:, None]
    return Examples(np.rint(radius[:, None] * direction * (unit / 1024)) / unit, y)


def outlier(n=40, distance=64, seed=0):
    """A separable set and, last, one example about `distance` away on the wrong side of u (H7).

    >>> X, y, u = outlier(distance=64)
    >>> int((y * (X @ u) <= 0).sum()), round(math.hypot(*X[-1]))
    (1, 64)
    """
    span = "from 2 (the others are within 1) to 2**50"
    distance = checks.real(distance, "distance", span, lambda away: 2 <= away <= 2**50)
    X, y, u = separable(n, 2, 0.25, seed)
    away = np.rint(-distance * u / math.sqrt(u @ u))
    return Examples(np.vstack([X, away]), np.append(y, 1), u)


def flip_labels(examples, count, seed=0):
    """The same examples with `count` of the labels, chosen at random, flipped.

    >>> clean = worst_case(8)
    >>> int((flip_labels(clean, 3).y != clean.y).sum())
    3
    """
    try:
        X, y, u = (*examples, None)[:3]
    except (TypeError, ValueError):
        raise checks.refusal("examples", "X and y", examples) from None
    X, y = checks.labelled(X, y)
    u = None if u is None else checks.vector(u, X.shape[1])
    count = checks.whole(count, "count", 0, len(y), ", the number of examples")
    y[shuffled(len(y), _random(seed))[:count]] *= -1
    return Examples(X, y, u)


def _from_scikit_learn(name, skip=0):
    """Features and classes from a file of scikit-learn, which itself takes seconds to import."""
    folder = Path(find_spec("sklearn").submodule_search_locations[0], "datasets", "data")
    rows = np.loadtxt(folder / name, delimiter=",", skiprows=skip)
    return rows[:, :-1], rows[:, -1].astype(int)


def iris(positive="setosa", negative=None):
    """Irises, 50 of each species, in whole millimetres: one species against another or the rest.

    Features: sepal length, sepal width, petal length, petal width.

    >>> X, y, _ = iris()
    >>> X.shape, int((y > 0).sum()), X[0].astype(int).tolist()
    ((150, 4), 50, [51, 35, 14, 2])
    """
    others = [name for name in SPECIES if name != checks.one_of(positive, "positive", SPECIES)]
    if negative is not None:
        checks.one_of(negative, "negative", others)
    centimetres, kind = _from_scikit_learn("iris.csv", skip=1)
    name = np.array(SPECIES)[kind]
    keep = (name == positive) | ((name == negative) if negative else True)
    return Examples(np.rint(centimetres * 10)[keep], np.where(name == positive, 1, -1)[keep])


def breast_cancer():
    """569 tumours, benign (positive) or malignant, 30 features in whole per cent of the largest.

    >>> X, y, _ = breast_cancer()
    >>> X.shape, int((y > 0).sum())
    ((569, 30), 357)
    """
    sizes, benign = _from_scikit_learn("breast_cancer.csv", skip=1)
    return Examples(np.rint(100 * sizes / sizes.max(axis=0)), np.where(benign == 1, 1, -1))


def digits(positive=(0, 2, 4, 6, 8)):
    """1797 handwritten digits of 8 x 8 whole grey values; `positive` says which ones are +1.

    >>> X, y, _ = digits(positive=[0])
    >>> X.shape, int((y > 0).sum())
    ((1797, 64), 178)
    """
    expected = "one or more digits from 0 to 9"
    given = list(positive) if isinstance(positive, (Set, Iterator)) else positive
    chosen = checks.several(given, "positive", expected)
    if not set(chosen.tolist()) <= set(range(10)):
        raise checks.refusal("positive", expected, positive)
    grey, digit = _from_scikit_learn("digits.csv.gz")
    return Examples(grey, np.where(np.isin(digit, chosen), 1, -1))


def ten_digits():
    """The same digits with what they show, 0 to 9, for labels (S1).

    >>> ten_digits().y[:12].tolist()
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1]
    """
    return Examples(*_from_scikit_learn("digits.csv.gz"))


def digit_rows(n=60, length=8, held_out=False, seed=0):
    """n rows of handwritten digits in which each is the last plus 0, 1 or 2, modulo 10 (S2).

    X[i, t] are the grey values of a digit in sixteenths, from 0 to 1, and y[i, t] is what it shows.
    The images are drawn, each time anew, from the first 900; those held out, from the other 897.

    >>> X, y, _ = digit_rows(n=2, length=5)
    >>> X.shape, y.tolist()
    ((2, 5, 64), [[6, 6, 6, 7, 7], [9, 0, 0, 0, 2]])
    """
    n = checks.whole(n, "n", 1, 10**4)
    length = checks.whole(length, "length", 1, 100)
    held_out = checks.instance(held_out, (bool, np.bool_), "held_out", "True or False")
    grey, digit = _from_scikit_learn("digits.csv.gz")
    source, images = _random(seed), np.arange(900, len(digit)) if held_out else np.arange(900)
    steps = np.hstack([_random_whole(source, (n, 1), 0, 9),
                       _random_whole(source, (n, length - 1), 0, 2)])  # fmt: skip
    y, drawn = np.cumsum(steps, axis=1) % 10, _random_whole(source, (n, length), 0, 10**9)
    found = np.empty_like(y)
    for k in range(10):
        own = images[digit[images] == k]
        found[y == k] = own[drawn[y == k] % len(own)]
    return Examples(grey[found] / 16, y)
