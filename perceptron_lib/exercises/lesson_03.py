"""Exercises of lesson 3: the mistake bound."""

from perceptron_lib import bounds
from perceptron_lib.exercises.checker import checker, number, require, whole_list
from perceptron_lib.perceptron import perceptron
from perceptron_lib.separability import separate

__all__ = ["FORGED", "bound_of_four_points", "forged_table", "start_breaks_the_bound"]

FOUR = ([(3, -1), (3, 4), (-1, -3), (-5, 0)], [1, 1, -1, -1])
FORGED = [(1, 0, 0), (2, 4, 12), (3, 6, 52), (4, 10, 104), (5, 11, 130), (6, 13, 169)]
GAMMA, R2 = 2, 40  # what the forged table claims; each of its rows is t, w_t·u, ||w_t||²


@checker(
    "03.1",
    "Draw the four z = y x. Between which two of them could the nearest point p lie?",
    "On the segment from (3, −1) to (1, 3), the p nearest to 0 is at a right angle to it.",
)
def bound_of_four_points(value):
    """(R/γ)² of four points, worked out by hand (P5).

    >>> bound_of_four_points(1)
    ✗ Not yet: if R is right, no separator of these four has so much margin.
    """
    value, best, R2 = number(value), separate(*FOUR), bounds.radius2(FOUR[0])
    bound = best.bound()
    require(value > 0, "it must be positive")
    require(value * bound != 1, "this is (γ/R)², the other way up")
    unsquared = abs(float(value) ** 2 - float(bound)) < 0.1  # as roots are handed in rounded
    require(not unsquared, "this is R/γ, which has still to be squared")
    shorter = value * R2 / bound in (bounds.radius2([x]) for x in FOUR[0])
    require(value == bound or not shorter, "R belongs to the longest of the four, not to another")
    require(value >= bound, "if R is right, no separator of these four has so much margin")
    require(value == bound, "if R is right, another separator has more margin than yours")
    return f"R² = {R2} and γ² = {R2 / bound}."


@checker(
    "03.2",
    "Work out, row by row, by how much each of the two numbers grows.",
    "Progress may not grow by less than 2, nor size by more than 40. And w·u may not exceed ‖w‖.",
)
def forged_table(claim_1, claim_2, cauchy_schwarz):
    """The updates at which a forged table breaks Claim 1, Claim 2 and Cauchy–Schwarz (P1–P4).

    >>> forged_table(1, None, None)
    ✗ Not yet: claim_2 is still to be filled in.
    """
    updates = f"each answer must be the number of an update, from 1 to {len(FORGED) - 1}"
    one, two, three = whole_list([claim_1, claim_2, cauchy_schwarz], updates)
    require(all(1 <= t < len(FORGED) for t in (one, two, three)), updates)
    _, along, size = zip(*FORGED, strict=True)
    gain, growth, square = along[one] - along[one - 1], size[two] - size[two - 1], along[three] ** 2
    found = f"at update {one} Claim 1 asks for {GAMMA}, and w·u gains {gain}"
    require(gain < GAMMA, f"{found}: that is possible")
    found = f"at update {two} Claim 2 allows {R2}, and ‖w‖² gains {growth}"
    require(growth > R2, f"{found}: that is possible")
    found = f"after update {three} (w·u)² is {square}, and ‖w‖² is {size[three]}"
    require(square > size[three], f"{found}: that is possible")
    return "no Perceptron made this table."


@checker(
    "03.3",
    "From which w_1 is every example wrong for as long as possible?",
    "The best separator is u = (2, 1). Where must w_1·u lie, if much progress is still to be made?",
)
def start_breaks_the_bound(start):
    """A start from which the four points cost 12 mistakes or more, though (R/γ)² = 5 (P3).

    >>> start_breaks_the_bound([0, 0])
    ✗ Not yet: 2 mistakes from here: the bound, 5, is not even broken.
    """
    wanted = "w_1 must be two whole numbers from −40 to 40"
    start = whole_list(start, wanted)
    require(len(start) == 2 and max(map(abs, start)) <= 40, wanted)
    made = perceptron(*FOUR, start=start).mistakes
    bound = separate(*FOUR).bound()
    require(made > bound, f"{made} mistakes from here: the bound, {bound}, is not even broken")
    require(made >= 12, f"{made} mistakes from here: more than the bound, {bound}, but not 12")
    return f"{made} mistakes, where {bound} would be the most from 0."
