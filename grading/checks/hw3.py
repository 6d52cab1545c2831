"""Homework 3: noise and the dual form."""

import itertools
from fractions import Fraction

import numpy as np

from perceptron_lib import (
    Separator,
    bounds,
    digits,
    kernels,
    perceptron,
    separate,
    with_bias,
)
from perceptron_lib.checks import labelled
from perceptron_lib.exercises import Verdict
from perceptron_lib.show import as_float, count

from .answers import (
    exactly,
    examples,
    no_hyperplane,
    number,
    numbers,
    require,
    value_of,
    whole_numbers,
)


def dual_coefficients(f, X, y, max_passes=100):
    """`f(G, y, max_passes)` must return the alphas of the Perceptron, G being the Gram matrix."""
    X, y = labelled(X, y)
    run = perceptron(X, y, max_passes=max_passes)
    mine = whole_numbers(value_of(f, X @ X.T, y.copy(), max_passes), len(y), "alpha")
    told = f"they add up to {sum(mine)}, but {count(run.mistakes, 'update')} were to be made"
    require(sum(mine) == run.mistakes, f"on {len(y)} examples {told}")
    right = mine == run.alpha.tolist()
    require(right, f"on {len(y)} examples the sum is right, but not every alpha")
    return Verdict(f"Right: {count(run.mistakes, 'update')}.")


def hinge_bound(f, X, y, u, g):
    """`f(X, y, u, g)` must be (R/γ)² + 2 TD/γ, where g = γ||u||."""
    X, y = labelled(X, y)
    g, u = Fraction(g), [Fraction(v) for v in u]
    u2, R2 = sum(v * v for v in u), bounds.radius2(X)
    total = sum((max(g - s, Fraction(0)) for s in bounds.scores(X, y, u)), Fraction(0))
    right = bounds.hinge_mistakes(R2, u2, total, g)
    whole = X.astype(np.int64).astype(object)  # Python's own integers, which fractions work with
    mine = number(value_of(f, whole, y.copy(), u, g), "the bound")
    slips = {
        bounds.hinge_mistakes(R2, 1, total, g): "‖u‖ is missing: γ is g/‖u‖",
        bounds.hinge_mistakes(1, u2, total, g): "R is missing",
        right - total / g: "TD/γ counts twice",
    }
    where = f"for u = ({', '.join(map(str, u))}) and g = {g} "
    otherwise = f"the bound is too {'small' if mine < right else 'large'}"
    exactly(mine, right, where + slips.get(mine, otherwise))
    made = perceptron(X, y, max_passes=1).mistakes
    return Verdict(f"Right: {float(right):.6g}, and one pass makes {count(made, 'mistake')}.")


SEVEN_POINTS = (
    np.array([[0, 1], [4, 1], [2, 5], [6, 3], [2, 2], [5, 6], [0, 4]], dtype=float),
    np.array([1, 1, 1, 1, -1, -1, -1]),
)


def seven_points_certificate(weights):
    """Whole numbers λ that prove: no line separates the seven points."""
    X, y = SEVEN_POINTS
    return no_hyperplane(with_bias(X), y, weights)


def worse_later(X, y):
    """Separable examples on which the weights after two passes err more than after one."""
    X, y = examples(X, y, most=6)
    require(isinstance(separate(X, y), Separator), "no w separates these")
    first, second = (
        sum(s <= 0 for s in bounds.scores(X, y, perceptron(X, y, max_passes=p).w)) for p in (1, 2)
    )
    told = f"after one pass w errs on {first} of them, after two on {second}"
    require(second > first, told)
    return Verdict(f"Right: {told}.")


def feature_map(phi, points):
    """phi(x)·phi(z) must be (x·z)² + x·z for all x and z among the points."""
    images = [numbers(value_of(phi, list(x)), "phi(x)") for x in points]
    again = [numbers(value_of(phi, list(x)), "phi(x)") for x in reversed(points)]
    require(images == again[::-1], "phi(x) is not the same each time it is asked for")
    one_length = len({len(image) for image in images}) == 1
    require(one_length, "phi(x) must have the same length for every x")
    require(len(images[0]) <= 100, "100 features are more than enough")
    pairs = itertools.combinations_with_replacement(zip(points, images, strict=True), 2)
    for (x, image_x), (z, image_z) in pairs:
        inner = sum(Fraction(v) * w for v, w in zip(x, z, strict=True))
        product = sum(v * w for v, w in zip(image_x, image_z, strict=True))
        right = inner**2 + inner
        near = abs(product - right) * 10**6 <= 1 + abs(right)  # roots of 2 are welcome
        told = f"for x = {tuple(x)}, z = {tuple(z)}, φ(x)·φ(z) is about {as_float(product):.6g}"
        require(near, f"{told}, but (x·z)² + x·z = {right}")
    return Verdict(f"Right for {len(points)} points, each with each.")


def even_digits():
    """The first 500 handwritten digits, the even ones positive."""
    X, y, _ = digits()
    return X[:500], y[:500]


def even_digits_separator(alpha):
    """Counts alpha whose kernel expansion is right on all 500 digits, for K = (1 + x·z)²."""
    X, y = even_digits()
    alpha = whole_numbers(alpha, len(y), "alpha")
    require(min(alpha) >= 0, "an alpha is negative")
    K = kernels.polynomial(X, X, degree=2).astype(np.int64).astype(object)
    errors = sum(y * (K @ (np.array(alpha, dtype=object) * y)) <= 0)
    require(errors == 0, f"it is wrong (or undecided) on {errors} of the {len(y)} digits")
    used = sum(a > 0 for a in alpha)
    return Verdict(f"Right: {used} digits are enough to tell all {len(y)} apart.")
