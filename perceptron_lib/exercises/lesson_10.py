"""Exercises of lesson 10: regression and optimisation."""

from fractions import Fraction

from perceptron_lib import checks, regression
from perceptron_lib.exercises.checker import Wrong, checker, number, require
from perceptron_lib.show import numbers, short

__all__ = ["another_subgradient", "largest_step", "off_the_line"]


@checker(
    "10.1",
    "There is one weight, so the Hessian is one number: the second derivative of the mean.",
    "By which factor does a step multiply the distance to the minimum, and when is that −1?",
)
def largest_step(step):
    """The limit of the step for the examples x = 1, 2, 3 on a line through the origin.

    >>> largest_step(-1)
    ✗ Not yet: a step goes downhill only if its size is above 0.
    """
    eta, bend = number(step), Fraction(2, 3) * sum(x * x for x in (1, 2, 3))
    require(eta > 0, "a step goes downhill only if its size is above 0")
    factor = 1 - eta * bend
    told = f"this step multiplies the distance to the minimum by {short(factor)}"
    require(factor != 0, "this step reaches the minimum at once, so longer ones still converge")
    require(factor >= -1, f"{told}, so it moves away")
    require(factor == -1, f"{told}, so it converges, and so do slightly longer ones")
    return "at the limit a step jumps to the other side, just as far away."


@checker(
    "10.2",
    "Write r for the residuals: which two equations say that the gradient is 0?",
    "The residuals must sum to 0, and so must their products with x: choose one of them freely.",
)
def off_the_line(y):
    """Three numbers y at x = 0, 1, 3 with least-squares line y = x, not all of them on it.

    >>> off_the_line([0, 1, 3])
    ✗ Not yet: these three points lie on the line.
    """
    try:
        y = checks.fractions(y, 3)
    except ValueError:
        raise Wrong("the answer must be a list of three numbers") from None
    xs = (0, 1, 3)
    r = [v - x for v, x in zip(y, xs, strict=True)]
    across = sum(x * v for x, v in zip(xs, r, strict=True))
    require(any(r), "these three points lie on the line")
    require(sum(r) == 0, f"the residuals sum to {short(sum(r))}, so another intercept is better")
    fits = f"the residuals sum to 0, but their products with x sum to {short(across)}"
    require(across == 0, f"{fits}, so another slope is better")
    return "the residuals are orthogonal to both columns, so no other line does better."


@checker(
    "10.3",
    "At this w both pieces of the loss are 0: what are their gradients?",
    "A mean of two subgradients is a subgradient too: add up the two inequalities.",
)
def another_subgradient(g):
    """A subgradient of max(0, 1 − z·w) at w = (1, 0) for z = (1, 2): neither 0 nor −z.

    >>> another_subgradient([0, 0])
    ✗ Not yet: this is one of the two that were excluded.
    """
    try:
        g = checks.fractions(g, 2)
    except ValueError:
        raise Wrong("the answer must be a list of two numbers") from None
    require(g not in ([0, 0], [-1, -2]), "this is one of the two that were excluded")

    def hinge(w):
        return max(0, 1 - w[0] - 2 * w[1])

    # If g is not a multiple of z, a step across z refutes it; if it is, one along z does.
    points = [[1 - 2, 1], [1 + 2, -1], [1 + 1, 2], [1 - 1, -2]]
    v = regression.subgradient_violation(hinge, [1, 0], g, points)
    if v is not None:
        bound = g[0] * (v[0] - 1) + g[1] * v[1]
        told = f"at v = {numbers(v)} the plane has height {short(bound)}"
        raise Wrong(f"{told}, above the loss {hinge(v)}")
    return "it lies between the two gradients, and no v refutes it."
