"""Homework 3, noise and the dual form: its data, and what can be said before the grade."""

import itertools
from fractions import Fraction

import numpy as np

from perceptron_lib import bounds, digits, exercises, five_points, longest, perceptron, with_bias
from perceptron_lib.exercises import require
from perceptron_lib.lessons import kernels
from perceptron_lib.separability import Separator, separate
from perceptron_lib.show import as_float, count

from . import answers
from .asked import Question, each, handed_out, points, tried

OUT = handed_out(__file__)
SEVEN_POINTS = points(OUT["seven_points"])
TWELVE_POINTS = points(OUT["twelve_points"])
LINEAR = OUT["linear"]
TWO = [[1, 2], [3, 1]]


def coefficients(f, X, y, max_passes=100):
    """`f(G, y, max_passes)` must return the alphas of the Perceptron, G being the Gram matrix."""
    X, y = points((X, y))
    run = perceptron(X, y, max_passes=max_passes)
    alpha = exercises.value_of(f, X @ X.T, y.copy(), max_passes)
    mine = exercises.read_whole_numbers(alpha, len(y), "alpha")
    many = "many" if sum(mine) > run.mistakes else "few"
    tried = f"on {count(len(y), 'example')} with max_passes = {max_passes}"
    require(sum(mine) == run.mistakes, f"{tried} your loop makes too {many} updates: {sum(mine)}")
    require(mine == run.alpha.tolist(), f"{tried} the sum is right, but not every alpha")
    return tried


@tried(OUT, "for u = {2} and g = {3}")
def noise_bound(f, X, y, u, g):
    X = np.array(X, dtype=object)  # Python's own integers, which fractions work with
    bound = exercises.value_of(f, X, np.array(y), [Fraction(v) for v in u], Fraction(g))
    return [exercises.read_number(bound, "the bound")]


def worse_later(X, y):
    """Separable examples on which the weights after two passes err more than after one."""
    X, y = exercises.read_examples(X, y, most=6)
    require(isinstance(separate(X, y), Separator), "no w separates these")
    first, second = (
        sum(s <= 0 for s in bounds.scores(X, y, perceptron(X, y, max_passes=p).w)) for p in (1, 2)
    )
    told = f"after one pass w errs on {first} of them, after two on {second}"
    require(second > first, told)
    return told


def images(phi, points):
    """The images of the points under phi, as exact numbers."""
    found = [exercises.read_numbers(exercises.value_of(phi, list(x)), "phi(x)") for x in points]
    one_length = len({len(image) for image in found}) == 1
    require(one_length, "phi(x) must have the same length for every x")
    require(len(found[0]) <= 100, "100 features are more than enough")
    return found


def inner_products(points, images):
    """phi(x)·phi(z) must be the kernel's value for all x and z among the points."""
    pairs = itertools.combinations_with_replacement(zip(points, images, strict=True), 2)
    for (x, image_x), (z, image_z) in pairs:
        inner = sum(Fraction(v) * w for v, w in zip(x, z, strict=True))
        product = sum(v * w for v, w in zip(image_x, image_z, strict=True))
        near = abs(product - (inner**2 + LINEAR * inner)) * 10**6 <= 1 + inner**2  # roots may be
        told = f"for x = {tuple(x)}, z = {tuple(z)}, φ(x)·φ(z) is about {as_float(product):.6g}"
        require(near, f"{told}, but K(x, z) = {inner**2 + LINEAR * inner}")
    return f"for {len(points)} points, each with each"


def digits_to_tell_apart():
    """500 handwritten digits, the even or the odd ones positive."""
    X, y, _ = digits()
    some = slice(OUT["start"], OUT["start"] + 500)
    return X[some], (y if OUT["positive"] == "even" else -y)[some]


def tells_digits_apart(alpha):
    """Counts alpha whose kernel expansion is right on all 500 digits, for K = (1 + x·z)²."""
    alpha = exercises.read_whole_numbers(alpha, 500, "alpha")
    require(min(alpha) >= 0, "an alpha is negative")
    X, y = digits_to_tell_apart()
    K = kernels.polynomial(X, X, degree=2).astype(np.int64).astype(object)
    errors = sum(y * (K @ (np.array(alpha, dtype=object) * y)) <= 0)
    require(errors == 0, f"it is wrong (or undecided) on {errors} of the {len(y)} digits")
    used = sum(a > 0 for a in alpha)
    return f"{used} digits are enough to tell all {len(y)} apart"


def counts(some):
    """The positive counts of the run on some of the twelve points alone, by example."""
    X, y = TWELVE_POINTS
    X, y = X[some], y[some]
    run = perceptron(with_bias(X, longest(X)), y)
    return {i: a for i, a in zip(some, run.alpha.tolist(), strict=True) if a}


def either_but_not_both(pair, _):
    """Two examples: without one of them every other count stays, and without both it does not."""
    everything = range(len(TWELVE_POINTS[1]))
    i, j = answers.some_of(exercises.read_whole_numbers(pair, 2, "the pair"), len(everything))
    for gone in (i, j):
        same = counts([k for k in everything if k != gone]) == counts(everything)
        require(same, f"without example {gone} the counts are others")
    changed = counts([k for k in everything if k not in (i, j)]) != counts(everything)
    require(changed, "without both, the counts stay as they are")
    return f"example {i} or example {j} may go, but not both"


@tried(OUT, "examples kept", answer=1)
def fewest(kept):
    n = len(TWELVE_POINTS[1])
    kept = answers.some_of(kept, n)
    require(counts(kept) == counts(range(n)), f"these alone have other counts than all {n}")
    return [len(kept)]


question_1 = Question((3, each(coefficients, five_points()[:2])))
question_2 = Question((3, noise_bound))
question_3 = Question((1, lambda weights: answers.no_hyperplane(*SEVEN_POINTS, weights)))
question_4 = Question((2, worse_later))
question_5 = Question((3, lambda phi: inner_products(TWO, images(phi, TWO))))
question_6 = Question((2, tells_digits_apart))
question_7 = Question((1, either_but_not_both), (1, fewest), apart=True)  # E4
