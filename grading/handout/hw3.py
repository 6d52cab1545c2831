"""Homework 3, noise and the dual form: its data, and what can be said before the grade."""

import itertools
from fractions import Fraction

import numpy as np

from perceptron_lib import (
    Separator,
    bounds,
    digits,
    five_points,
    kernels,
    perceptron,
    separate,
    with_bias,
)
from perceptron_lib.show import as_float

from .answers import (
    examples,
    handed_out,
    known,
    no_hyperplane,
    number,
    numbers,
    points,
    question,
    require,
    value_of,
    whole_numbers,
)

OUT = handed_out(__file__)
SEVEN_POINTS = points(OUT["seven_points"])


def on_five_points(my_dual_perceptron):
    X, y, _ = five_points()
    mine = whole_numbers(value_of(my_dual_perceptron, X @ X.T, y, 100), len(y), "alpha")
    return known(mine, OUT["q1"], "on the five points")


question_1 = question(on_five_points)


def bound_on_five_points(noise_bound):
    X, y, _ = five_points()
    u, g = [Fraction(1), Fraction(1, 3)], Fraction(2, 3)
    whole = X.astype(np.int64).astype(object)  # Python's own integers
    mine = number(value_of(noise_bound, whole, y, u, g), "the bound")
    return known([mine], OUT["q2"], "for the five points, u = (1, 1/3) and g = 2/3")


question_2 = question(bound_on_five_points)


def no_line(weights):
    """Whole numbers λ that prove: no line separates the seven points."""
    X, y = SEVEN_POINTS
    return no_hyperplane(with_bias(X), y, weights)


question_3 = question(no_line)


def worse_later(X, y):
    """Separable examples on which the weights after two passes err more than after one."""
    X, y = examples(X, y, most=6)
    require(isinstance(separate(X, y), Separator), "no w separates these")
    first, second = (
        sum(s <= 0 for s in bounds.scores(X, y, perceptron(X, y, max_passes=p).w)) for p in (1, 2)
    )
    told = f"after one pass w errs on {first} of them, after two on {second}"
    require(second > first, told)
    return told


question_4 = question(worse_later)


def images(phi, points):
    """The images of the points under phi, as exact numbers."""
    found = [numbers(value_of(phi, list(x)), "phi(x)") for x in points]
    one_length = len({len(image) for image in found}) == 1
    require(one_length, "phi(x) must have the same length for every x")
    require(len(found[0]) <= 100, "100 features are more than enough")
    return found


def inner_products(points, images):
    """phi(x)·phi(z) must be the kernel's value for all x and z among the points."""
    c = OUT["linear"]
    pairs = itertools.combinations_with_replacement(zip(points, images, strict=True), 2)
    for (x, image_x), (z, image_z) in pairs:
        inner = sum(Fraction(v) * w for v, w in zip(x, z, strict=True))
        product = sum(v * w for v, w in zip(image_x, image_z, strict=True))
        near = abs(product - (inner**2 + c * inner)) * 10**6 <= 1 + inner**2  # roots are welcome
        told = f"for x = {tuple(x)}, z = {tuple(z)}, φ(x)·φ(z) is about {as_float(product):.6g}"
        require(near, f"{told}, but K(x, z) = {inner**2 + c * inner}")
    return f"for {len(points)} points, each with each"


def two_points(phi):
    two = [[1, 2], [3, 1]]
    return inner_products(two, images(phi, two))


question_5 = question(two_points)


def digits_to_tell_apart():
    """500 handwritten digits, the even or the odd ones positive."""
    X, y, _ = digits()
    some = slice(OUT["start"], OUT["start"] + 500)
    return X[some], (y if OUT["positive"] == "even" else -y)[some]


def tells_digits_apart(alpha):
    """Counts alpha whose kernel expansion is right on all 500 digits, for K = (1 + x·z)²."""
    alpha = whole_numbers(alpha, 500, "alpha")
    require(min(alpha) >= 0, "an alpha is negative")
    X, y = digits_to_tell_apart()
    K = kernels.polynomial(X, X, degree=2).astype(np.int64).astype(object)
    errors = sum(y * (K @ (np.array(alpha, dtype=object) * y)) <= 0)
    require(errors == 0, f"it is wrong (or undecided) on {errors} of the {len(y)} digits")
    used = sum(a > 0 for a in alpha)
    return f"{used} digits are enough to tell all {len(y)} apart"


question_6 = question(tells_digits_apart)
