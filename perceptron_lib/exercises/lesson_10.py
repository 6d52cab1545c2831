"""Exercises of lesson 10: regression and optimisation."""

import math
from fractions import Fraction

from perceptron_lib import checks
from perceptron_lib.exercises.checker import Wrong, checker, number, require

__all__ = ["flat_points", "largest_step", "not_convex"]


@checker("10.1", "…", "…")
def largest_step(step):
    """The limit of the step for the examples x = 1, 2, 3 on a line through the origin."""
    slope = Fraction(2, 3) * sum(x * x for x in (1, 2, 3))  # of the gradient of the mean
    right = 1 - number(step) * slope == -1
    require(right, "at the limit a step just reverses the distance to the minimum, not so here")
    return "above it, every step overshoots by more than it corrects."


@checker("10.2", "…", "…")
def not_convex(f, a, b, t):
    """A function that is not convex, with a, b and t that prove it."""
    require(callable(f), "f must be a function")
    a, b, t = (number(v) for v in (a, b, t))
    require(a != b and 0 < t < 1, "a and b must differ, and t lie strictly between 0 and 1")

    def value(x):
        try:
            return checks.fraction(f(x), "f(x)")
        except TypeError:  # NumPy's functions take no fractions
            return checks.fraction(f(float(x)), "f(x)")

    try:
        left, at_a, at_b = value(t * a + (1 - t) * b), value(a), value(b)
    except Exception as error:  # it is the reader's function
        why = " ".join(str(error).split())[:100]
        raise Wrong(f"f could not be computed there ({why})") from None
    right = t * at_a + (1 - t) * at_b
    noise = max(abs(left), abs(at_a), abs(at_b)) / 10**9  # f may work in floats
    require(left > right + noise, f"{float(left):g} is not above {float(right):g}")
    return f"{float(left):g} > {float(right):g}, so f is not convex."


@checker("10.3", "…", "…")
def flat_points(xs):
    """Where x³ − x has a horizontal tangent, to three decimals."""
    try:
        found = sorted(float(x) for x in checks.fractions(xs))
    except ValueError:
        raise Wrong("the answer must be a list of numbers") from None
    places = [-1 / math.sqrt(3), 1 / math.sqrt(3)]
    near = [abs(x - p) <= 0.0005 for x, p in zip(found, places, strict=False)]
    right = len(found) == 2 and all(near)
    require(right, "the slope is not 0 at each of them, or some are missing")
    return "one is a local maximum, the other a local minimum."
