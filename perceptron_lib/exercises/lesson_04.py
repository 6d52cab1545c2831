"""Exercises of lesson 4: what the bound knows."""

from perceptron_lib import bounds
from perceptron_lib.exercises.checker import (
    checker,
    converged,
    number,
    plane,
    require,
    separator,
    small,
)

__all__ = ["bits_for_a_billion", "fewer_with_more", "two_constants"]


@checker(
    "04.1",
    "What could the first example teach that saves the others their mistakes?",
    "Look for two or three examples that keep correcting each other, and put one first that points "
    "where all of them want w to go.",
)
def fewer_with_more(X, y):
    """Examples of which the first saves at least five mistakes (P9, P12).

    >>> fewer_with_more([[1, 0], [0, 1]], [1, -1])
    ✗ Not yet: with the first example M = 2, without it M = 1; it saves nothing.
    """
    X, y = plane(X, y, 4)
    small(X)
    require(len(X) >= 2, "without the first example nothing is left")
    separator(X, y, "no w separates these")
    made, without = converged(X, y).mistakes, converged(X[1:], y[1:]).mistakes
    told = f"with the first example M = {made}, without it M = {without}"
    require(without > made, f"{told}; it saves nothing")
    require(without >= made + 5, f"{told}; it is to save five or more")
    return f"{told}: one example more, {without - made} mistakes fewer."


@checker(
    "04.2",
    "Two constants give the same bound if (R² + c²)/c is the same number for both.",
    "That number is the sum of R²/c and c, whose product is always R². Which other c has the same "
    "two summands? And when is such a sum smallest?",
)
def two_constants(same, best):
    """For R = 6: the other constant with the bound of c = 2, and the best one (P8).

    >>> two_constants(2, 1)
    ✗ Not yet: the first answer is to be another constant than 2.
    """
    same, best = number(same), number(best)
    require(min(same, best) > 0, "a constant must be above 0")

    def bound(c):
        return bounds.mistakes_with_bias(36, 1, c * c)

    require(same != 2, "the first answer is to be another constant than 2")
    told = f"with c = {float(same):g} the bound is {float(bound(same)):g}/γ²"
    require(bound(same) == bound(2), f"{told}, with c = 2 it is {float(bound(2)):g}/γ²")
    require(best**2 >= 36, "a larger constant would do better: with this one ‖ũ‖ can be long")
    require(best**2 <= 36, "a smaller constant would do better: with this one x̃ is long")
    return f"the least bound is {float(bound(best)):g}/γ²; c = 2 gives {float(bound(2)):g}/γ²."


@checker(
    "04.3",
    "For d bits the bound is (d + 1)(4·F(d)·F(d+1) + 1), and a loop makes the Fibonacci numbers.",
    "From d = 10 on, where it is 215,391, each further bit multiplies the bound by a little less "
    "than 3.",
)
def bits_for_a_billion(bits, bound):
    """The fewest bits that bring the bound of ODD-MAX-BIT above a billion, and the bound (P11).

    >>> bits_for_a_billion(3, 1)
    ✗ Not yet: with 3 bits the bound is not above a billion.
    """
    d, bound = number(bits), number(bound)
    require(d.denominator == 1 and d >= 1, "the number of bits must be a whole number above 0")
    require(d <= 1000, "so many bits are far too many")

    def margin(d):  # 1/γ²
        F = [1, 1]
        while len(F) <= d:
            F.append(F[-1] + F[-2])
        return 4 * F[int(d) - 1] * F[int(d)] + 1

    require((d + 1) * margin(d) > 10**9, f"with {d} bits the bound is not above a billion")
    forgot = margin(d) > 10**9 >= margin(d - 1)
    require(not forgot, "this is where 1/γ² passes a billion, and the bound is R²/γ²")
    require(d * margin(d - 1) <= 10**9, "with one bit less it is above a billion already")
    require(bound != margin(d), "your bound is 1/γ², which has still to be multiplied by R²")
    require(bound != d * margin(d), "R² is not the number of bits: there is the constant feature")
    require(bound == (d + 1) * margin(d), f"{d} bits are right, but the bound is another")
    return f"with {d} bits the bound is {int(bound):,}."
