"""Homework 2, margin and PAC learning: its data, and what can be said before the grade."""

import math
from fractions import Fraction

import numpy as np

from perceptron_lib import averages, bounds, digits, exercises, five_points, with_bias, worst_case
from perceptron_lib.exercises import require
from perceptron_lib.lessons import pac, survivors
from perceptron_lib.perceptron import margin_perceptron, perceptron
from perceptron_lib.separability import Separator, separate
from perceptron_lib.show import count

from . import answers
from .asked import Question, each, handed_out, points, tried

OUT = handed_out(__file__)
EIGHT_POINTS = points(OUT["eight_points"])
SAMPLE = tuple(map(np.array, OUT["sample"]))
VECTORS, EPS, DIGIT = OUT["vectors"], OUT["eps"], OUT["digit"]


def updates(f, X, y, gamma):
    """`f(X, y, gamma)` must return the updates of the margin Perceptron, for ε = 1/2."""
    X, y = points((X, y))
    run = margin_perceptron(X, y, gamma)

    def distance(w, i):
        s = float(y[i] * (X[i] @ w)) / math.sqrt(float(w @ w)) + 0.0  # no "-0"
        return f"y w·x/‖w‖ = {s:.6g} (it is too close if below γ/2 = {float(gamma) / 2:g})"

    answers.same_updates(exercises.value_of(f, X.copy(), y.copy(), gamma), run, distance)
    return f"{count(run.mistakes, 'update')} after the start"


def roomy_separator(w):
    """Weights with at least nine tenths of the largest margin of the eight points."""
    X, y = EIGHT_POINTS
    w = exercises.read_numbers(w, "w")
    require(len(w) == 2, f"w must be 2 numbers, these are {len(w)}")
    require(all(s > 0 for s in bounds.scores(X, y, w)), "w does not separate the eight points")
    share2 = bounds.margin2(X, y, w) * separate(X, y).bound() / bounds.radius2(X)
    told = f"{math.sqrt(share2):.4f} of the largest"
    require(share2 >= Fraction(81, 100), f"its margin is {told}")
    return f"{told} margin"


@tried(OUT, "for R² = {}, γ = {}, ε = {}, s = {}")
def least_length(f, *case):
    length = exercises.read_number(exercises.value_of(f, *map(Fraction, case)), "the length")
    require(length > 0, "the length must be above 0")
    return [length]


@tried(OUT, "for the examples {} with labels {}")
def conjunction(learn, X, y):
    kept = exercises.value_of(learn, np.array(X), np.array(y))
    if isinstance(kept, str):
        return kept
    return sorted(set(exercises.read_numbers(kept, "the variables")))


def line_but_no_list(X, y):
    """Words of 0 and 1 that a linear threshold labels, and that no decision list fits (Q6)."""
    X, y = exercises.read_examples(X, y, most=16)
    require(np.isin(X, (0, 1)).all(), "the features must be 0 or 1")
    separable = isinstance(separate(with_bias(X), y), Separator)
    require(separable, "no linear threshold function fits these labels")
    found = pac.learn_decision_list(X.astype(int), y)
    require(not found, f"the decision list «{found}» fits them")
    return "a linear threshold, and no decision list"


def same_conjunction(kept):
    """At most as many examples as variables, from which the learner finds what it does from all."""
    X, y = SAMPLE
    kept, n = answers.some_of(kept, len(y)), X.shape[1]
    mine, right = (
        len(pac.learn(X[some], y[some], "monotone conjunction").groups)
        for some in (kept, range(len(y)))
    )
    more = count(mine - right, "variable")
    require(mine == right, f"from these alone, {more} would stay that must be dropped")
    require(len(kept) <= n, f"these are {len(kept)}, and at most {n} are allowed")
    return f"the same conjunction from {count(len(kept), 'example')}"


@tried(OUT, "examples kept")
def fewest(kept):
    same_conjunction(kept)
    return [len(kept)]


def none_survives(more):
    """The check of a stream of unit vectors on which none survives so many more than enough."""

    def check(stream):
        X, y, _ = worst_case(VECTORS)
        total = survivors.reduction_size(VECTORS, EPS, EPS)
        needed = survivors.survival_length(VECTORS, EPS, EPS)
        stream = exercises.read_whole_numbers(stream, total, "the stream")
        known = set(stream) <= set(range(VECTORS))
        require(known, f"the stream must have numbers from 0 to {VECTORS - 1} only")
        lived = averages.survivals(perceptron(X[stream], y[stream], max_passes=1))
        k = int(np.argmax(lived))
        told = f"hypothesis {k} (0 is the first) survives {lived[k]} examples"
        require(lived[k] < needed + more, f"{told}, and {needed} are enough")
        return f"none survives {needed + more} examples in a row"

    return check


def digits_in_a_stream():
    """A digit (+) against the others, with a constant: a stream, and others to test on."""
    X, y, _ = digits(DIGIT)
    X, n = with_bias(X), OUT["stream"]
    return X[:n], y[:n], X[n:], y[n:]


@tried(OUT, "the three numbers")
def survivor(answer):
    return exercises.read_whole_numbers(answer, 3, "the answer")


question_1 = Question((3, each(updates, (*five_points()[:2], 0.5))))
question_2 = Question((1, roomy_separator))
question_3 = Question((2, least_length))
question_4 = Question((2, conjunction))
question_5 = Question((2, line_but_no_list))
question_6 = Question((1, same_conjunction), (1, fewest))
question_7 = Question((1, none_survives(1)), (1, none_survives(0)))  # O3, E8
question_8 = Question((2, survivor))
