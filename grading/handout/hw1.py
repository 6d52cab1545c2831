"""Homework 1, the algorithm and the proof: its data, and what can be said before the grade."""

from fractions import Fraction

from perceptron_lib import Separator, bounds, five_points, iris, perceptron, separate, with_bias
from perceptron_lib.show import as_float, count

from .answers import (
    example_numbers,
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
SIX_POINTS = points(OUT["six_points"])
FLOWERS, OTHER_FLOWERS = OUT["flowers"], OUT["other_flowers"]


def on_five_points(my_perceptron):
    X, y, _ = five_points()
    mine = example_numbers(value_of(my_perceptron, X, y, 100), len(y))
    return known(mine, OUT["q1"], "on the five points")


question_1 = question(on_five_points)


def rooms_on_five_points(room):
    X, y, _ = five_points()
    for key, updates in (("q2 forged", [0, 0, 3]), ("q2", perceptron(X, y).updates.tolist())):
        mine = numbers(value_of(room, X.copy(), y.copy(), updates), "the room")
        known(mine, OUT[key], f"for the updates {updates} of the five points")
    return "on the two lists tried here"


question_2 = question(rooms_on_five_points)


def mistakes_in(order):
    """How many mistakes the Perceptron makes on the six points in this order."""
    order = whole_numbers(order, 6, "the order")
    require(sorted(order) == list(range(6)), "the order must have each number from 0 to 5 once")
    return perceptron(*SIX_POINTS, order=order).mistakes


def slow_order(order):
    made = mistakes_in(order)
    return known([made], OUT["q3"], count(made, "mistake"))


question_3 = question(slow_order)


def tight_examples(X, y):
    """Examples without a zero coordinate, of both labels, with 4 <= M = (R/γ)² exactly."""
    X, y = examples(X, y)
    require(X.all(), "a coordinate is zero")
    require(len(set(y.tolist())) == 2, "both labels must occur")
    best = separate(X, y)
    require(isinstance(best, Separator), "no w separates these")
    made, bound = perceptron(X, y).mistakes, best.bound()
    require(made == bound, f"M = {made}, while (R/γ)² = {float(bound):.6g}")
    require(made >= 4, f"at least 4 mistakes are asked for, these are {made}")
    return f"M = (R/γ)² = {made}"


question_4 = question(tight_examples)


def largest_growth(growth):
    lecture = number(value_of(growth, Fraction(9), Fraction(0)), "the growth")
    require(lecture == 9, "for R² = 9 and θ = 0 it must be the lecture's R²")
    mine = number(value_of(growth, Fraction(9), Fraction(1)), "the growth")
    return known([mine], OUT["q5 growth"], "for R² = 9 and θ = 1")


def largest_number(most_updates):
    R2, theta, gamma2 = Fraction(9), Fraction(1), Fraction(2)
    lecture = number(value_of(most_updates, R2, Fraction(0), gamma2), "the number of updates")
    told = "for R² = 9, θ = 0, γ² = 2 it must be the lecture's (R/γ)², rounded down or not"
    require(lecture in (R2 / gamma2, R2 // gamma2), told)
    mine = number(value_of(most_updates, R2, theta, gamma2), "the number of updates")
    key = "q5 rounded down" if mine.denominator == 1 else "q5 updates"
    return known([mine], OUT[key], "for R² = 9, θ = 1, γ² = 2")


question_5 = question(largest_growth, largest_number)


def breaks_the_theorem(X, y, u, b):
    """Unit vectors x, and u, b with y (u·x + b) >= γ||u||, on which M exceeds 4/γ² (E6)."""
    X, y = examples(X, y)
    require(((X * X).sum(axis=1) == 1).all(), "the examples must have length 1, exactly")
    require(len({tuple(x) for x in X.tolist()}) >= 2, "two different examples at least, please")
    u, b = numbers(u, "u"), number(b, "b")
    require(len(u) == X.shape[1], f"u must have {X.shape[1]} coordinates, as the examples have")
    u2 = sum(v * v for v in u)
    require(u2 > 0, "u is zero, so there is no hyperplane")
    scores = bounds.scores(with_bias(X), y, [*u, b])
    require(min(scores) > 0, "u and b do not separate these examples")
    bound = 4 * u2 / min(scores) ** 2
    made = perceptron(with_bias(X), y).mistakes
    otherwise = f"4/γ² = {as_float(bound):.4g}, and the {made} mistakes made do not exceed it"
    require(made > bound, otherwise)
    return f"{made} > 4/γ² = {as_float(bound):.4g}"


question_6 = question(breaks_the_theorem)


def separates_flowers(w):
    """Weights, the bias last, that separate setosa (+) from the others."""
    w = numbers(w, "w")
    X, y, _ = iris(*FLOWERS)
    require(len(w) == 5, f"w must be 5 numbers, the last for the bias, these are {len(w)}")
    errors = sum(s <= 0 for s in bounds.scores(with_bias(X), y, w))
    require(errors == 0, f"w is wrong (or undecided) on {errors} of the {len(y)} flowers")
    return f"w is right on all {len(y)} flowers"


def no_plane_between_flowers(weights):
    """Whole numbers λ >= 0, not all 0, that prove: no plane between the two other kinds."""
    X, y, _ = iris(*OTHER_FLOWERS)
    return no_hyperplane(with_bias(X), y, weights)


question_7 = question(separates_flowers, no_plane_between_flowers)
