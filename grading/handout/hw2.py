"""Homework 2, margin and PAC learning: its data, and what can be said before the grade."""

import math
from fractions import Fraction

import numpy as np

from perceptron_lib import (
    Separator,
    boolean,
    bounds,
    digits,
    five_points,
    pac,
    perceptron,
    separate,
    with_bias,
    worst_case,
)

from .answers import (
    example_numbers,
    examples,
    handed_out,
    known,
    number,
    numbers,
    points,
    question,
    require,
    value_of,
    whole_numbers,
)

OUT = handed_out(__file__)
EIGHT_POINTS = points(OUT["eight_points"])
SAMPLE = [[1, 1, 0, 1], [1, 0, 1, 1], [0, 1, 1, 1], [1, 0, 1, 0]]


def on_five_points(my_margin_perceptron):
    X, y, _ = five_points()
    mine = example_numbers(value_of(my_margin_perceptron, X, y, 0.5), len(y))
    return known(mine, OUT["q1"], "on the five points with γ = 0.5")


question_1 = question(on_five_points)


def roomy_separator(w):
    """Weights with at least nine tenths of the largest margin of the eight points."""
    X, y = EIGHT_POINTS
    w = numbers(w, "w")
    require(len(w) == 2, f"w must be 2 numbers, these are {len(w)}")
    require(all(s > 0 for s in bounds.scores(X, y, w)), "w does not separate the eight points")
    share2 = bounds.margin2(X, y, w) * separate(X, y).bound() / bounds.radius2(X)
    share = math.sqrt(share2)
    require(share2 >= Fraction(81, 100), f"its margin is {share:.4f} of the largest")
    return f"{share:.4f} of the largest margin"


question_2 = question(roomy_separator)


def length(long_enough):
    half, third, tenth = Fraction(1, 2), Fraction(1, 3), Fraction(1, 10)
    for key, case in (("q3", (Fraction(4), Fraction(1), half, half)),
                      ("q3 other share", (Fraction(5), tenth, half, third))):  # fmt: skip
        mine = number(value_of(long_enough, *case), "the length")
        known([mine], OUT[key], "for R² = {}, γ = {}, ε = {}, s = {}".format(*case))
    return "on the two examples tried here"


question_3 = question(length)


def conjunction(learn):
    for key, y in (("q4", [1, 1, -1, -1]), ("q4 other labels", [1, -1, 1, 1])):
        mine = value_of(learn, np.array(SAMPLE), np.array(y))
        mine = mine if isinstance(mine, str) else sorted(numbers(mine, "the variables"))
        known(mine, OUT[key], f"for the examples {SAMPLE} with labels {y}")
    return "on the two examples tried here"


question_4 = question(conjunction)


def line_but_no_list(X, y):
    """Words of 0 and 1 that a linear threshold labels, and that no decision list fits (Q6)."""
    X, y = examples(X, y, most=16)
    require(np.isin(X, (0, 1)).all(), "the features must be 0 or 1")
    separable = isinstance(separate(with_bias(X), y), Separator)
    require(separable, "no linear threshold function fits these labels")
    found = boolean.learn_decision_list(X.astype(int), y)
    require(not found, f"the decision list «{found}» fits them")
    return "a linear threshold, and no decision list"


question_5 = question(line_but_no_list)


def no_survivor(stream):
    """A stream of unit vectors on which no hypothesis survives (O3, E8)."""
    n, eps = OUT["vectors"], OUT["eps"]
    X, y, _ = worst_case(n)
    needed, total = pac.survival_length(n, eps, eps), pac.reduction_size(n, eps, eps)
    stream = whole_numbers(stream, total, "the stream")
    require(set(stream) <= set(range(n)), f"the stream must have numbers from 0 to {n - 1} only")
    lived = pac.survivals(perceptron(X[stream], y[stream], max_passes=1))
    k = int(np.argmax(lived))
    told = f"hypothesis {k} (0 is the first) survives {lived[k]} examples, and {needed} are enough"
    require(lived[k] < needed, told)
    return f"none survives {needed} examples in a row"


question_6 = question(no_survivor)


def digits_in_a_stream():
    """A digit (+) against the others, with a constant: a stream, and others to test on."""
    X, y, _ = digits(OUT["digit"])
    X, n = with_bias(X), OUT["stream"]
    return X[:n], y[:n], X[n:], y[n:]


def three_numbers(answer):
    mine = whole_numbers(answer, 3, "the answer")
    require(min(mine) >= 0, "these are counts, and one of them is negative")
    return known(" ".join(map(str, mine)), OUT["q7"], "all three numbers")


question_7 = question(three_numbers)
