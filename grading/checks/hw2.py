"""Homework 2, the margin Perceptron and PAC learning: what is right."""

import functools
import math
from fractions import Fraction

import numpy as np

from grading.checks import each
from grading.checks.compare import exactly, same_updates
from grading.handout import hw2 as usual
from grading.handout.answers import number, numbers, require, value_of, whole_numbers
from perceptron_lib import (
    Separator,
    bounds,
    digits,
    five_points,
    iris,
    margin_perceptron,
    pac,
    perceptron,
    separable,
    separate,
    with_bias,
    worst_case,
)
from perceptron_lib.show import count

# --- data --------------------------------------------------------------------------------------

DIGITS = ["zeros", "ones", "twos", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines"]
SAMPLE = [[1, 1, 0, 1], [1, 0, 1, 1], [0, 1, 1, 1], [1, 0, 1, 0]]
USUAL = usual.OUT


def variant(rng):
    """Eight points on which both algorithms leave room, a stream, and another digit."""
    while True:
        X, u = rng.integers(-6, 7, (8, 2)), rng.integers(-6, 7, 2)
        y = np.sign(X @ u)
        if y.all() and abs(y.sum()) <= 4 and len({*map(tuple, X.tolist())}) == 8:
            eight = [X.tolist(), y.tolist()]
            plain, half = shares(eight)
            if 0.05 < plain < 0.35 and 0.5 < half < 0.7:
                break
    while True:
        digit, stream = int(rng.integers(9)), int(rng.choice([900, 950, 1000, 1050, 1100]))
        lived, k, _ = survivor(digit, stream)
        if k < len(lived) - 1 and (lived == lived[k]).sum() == 1:
            break
    eps = float(rng.choice([0.25, 0.2, 0.125, 0.1]))
    some = {"vectors": int(rng.integers(3, 7)), "eps": eps}
    return {"eight_points": eight, **some, "digit": digit, "stream": stream}


def shares(eight):
    """The parts of the largest margin that the Perceptron and the margin Perceptron end with."""
    X, y = (np.array(v) for v in eight)
    best = separate(X, y)
    assert isinstance(best, Separator)
    ends = perceptron(X, y).w, margin_perceptron(X, y, best.margin).w
    largest = bounds.radius2(X) / best.bound()
    return [
        math.sqrt(max(bounds.margin2(X, y, w) / largest, 0))
        if min(bounds.scores(X, y, w)) > 0 else 0 for w in ends
    ]  # fmt: skip


def words(data):
    plain, half = shares(data["eight_points"])
    n, eps, rest = data["vectors"], data["eps"], 1797 - data["stream"]
    return [
        f"{plain:.2f} of the largest margin", f"${half:.2f}$ of it",
        f"worst_case({n})", f"$M={n}$", rf"\delta=\frac1{{{1 / eps:.0f}}}$",
        f"({n}, {eps}, {eps})", f"the numbers 0 to {n - 1}", f"range({n})",
        f"{data['stream']} handwritten digits", f"{rest} others to test on",
        f"the {DIGITS[data['digit']]} are positive", f"on the {rest} others",
    ]  # fmt: skip


def secrets(data):
    X, y, _ = five_points()
    yield "q1", [margin_perceptron(X, y, 0.5).updates.tolist()]
    half, third, tenth = Fraction(1, 2), Fraction(1, 3), Fraction(1, 10)
    yield "q3", [[least_length(Fraction(4), Fraction(1), half, half)]]
    yield "q3 other share", [[least_length(Fraction(5), tenth, half, third)]]
    for key, y in (("q4", [1, 1, -1, -1]), ("q4 other labels", [1, -1, 1, 1])):
        keep, fits = conjunction_of(np.array(SAMPLE), np.array(y))
        yield key, [sorted(keep) if fits else "none fits"]
    lived, k, errors = survivor(data["digit"], data["stream"])
    yield "q7", [f"{k} {lived[k]} {errors}"]  # as one text: number by number they could be guessed


# --- questions ---------------------------------------------------------------------------------


def question_1(homework, f):
    """Two points for examples in general position, the third for those exactly at the threshold."""
    X, y, _ = separable(30, 3, 0.125, seed=4)
    general = [(*five_points()[:2], 0.5), (X, y, 0.125), (*iris()[:2], 7)]
    if (yield 2, each(updates, f, general)):
        equal = [[4, 0], [1, 3]], [1, 1], 2
        yield 1, each(updates, f, [equal, (*worst_case(4)[:2], 0.5), ([[3, 4]], [-1], 1)])


def updates(f, X, y, gamma):
    """`f(X, y, gamma)` must return the updates of the margin Perceptron, for ε = 1/2."""
    run = margin_perceptron(X, y, gamma)

    def distance(w, i):
        s = float(run.y[i] * (run.X[i] @ w)) / math.sqrt(float(w @ w)) + 0.0  # no "-0"
        return f"y w·x/‖w‖ = {s:.6g} (it is too close if below γ/2 = {float(gamma) / 2:g})"

    mine = value_of(f, np.array(X, dtype=float), np.array(y), gamma)
    same_updates(mine, run, distance)
    return f"{count(run.mistakes, 'update')} after the start"


def question_3(homework, f):
    half, third, tenth = Fraction(1, 2), Fraction(1, 3), Fraction(1, 10)
    cases = [(4, 1, half, half), (5, tenth, half, third), (4, 2, tenth, half)]
    cases += [(1, Fraction(2, 7), third, 1 - tenth)]
    yield 2, each(length_from_which, f, [tuple(map(Fraction, case)) for case in cases])


def length_from_which(f, R2, gamma, eps, share):
    """`f(R2, gamma, eps, share)` must be the least ||w|| for which the bound M3 is small enough."""
    length = number(value_of(f, R2, gamma, eps, share), "the length")
    tried = f"for R² = {R2}, γ = {gamma}, ε = {eps}, s = {share}"
    require(length > 0, f"{tried} the length must be above 0")
    short = length < least_length(R2, gamma, eps, share)
    told = "the bound is still too large" if short else "a shorter w would do"
    exactly(length, least_length(R2, gamma, eps, share), f"{tried} and ‖w‖ = {length} {told}")
    return tried


def least_length(R2, gamma, eps, share):
    return R2 / (2 * gamma * (eps - share * eps))


def question_4(homework, f):
    """A point for samples with both labels, one for those without, or without a variable."""
    y = [1, 1, -1, -1], [1, -1, -1, 1], [-1, 1, 1, -1], [1, 1, 1, -1]
    if (yield 1, each(conjunction, f, [(SAMPLE, labels) for labels in y])):
        none, same = [[1, 0], [0, 1], [0, 0]], [[1, 1], [1, 1]]
        cases = [(SAMPLE, [1, -1, 1, 1]), (SAMPLE, [-1] * 4), (same, [-1, -1])]
        cases += [(none, [1, 1, -1]), (none[:2], [1, 1]), (none[1:], [1, 1])]
        yield 1, each(conjunction, f, cases)


def conjunction(f, X, y):
    """`f(X, y)` must return the numbers of the variables that stay, or the text "none fits"."""
    X, y = np.array(X), np.array(y)
    keep, fits = conjunction_of(X, y)
    value = value_of(f, X.copy(), y.copy())
    where = f"for the examples {X.tolist()} with labels {y.tolist()}"
    if isinstance(value, str):
        require(not fits, f"{where}, a conjunction fits, and you say {value!r}")
        require(value == "none fits", f'the answer is the text "none fits", not {value!r}')
        return where
    mine = set(numbers(value, "the variables"))
    require(fits, f"{where}, no monotone conjunction fits, and you return a list")
    require(mine >= keep, f"{where}, a variable was dropped that is 1 in every positive one")
    require(mine <= keep, f"{where}, a variable was kept that is 0 in a positive one")
    return where


def conjunction_of(X, y):
    """The variables that stay, and whether their conjunction is false of the negative examples."""
    keep = set(np.flatnonzero(X[y > 0].all(axis=0)).tolist())
    return keep, not X[y < 0][:, sorted(keep)].all(axis=1).any()


def question_7(homework, answer):
    """A point for the hypothesis and how long it survives, one for its errors."""
    lived, k, errors = survivor(homework.OUT["digit"], homework.OUT["stream"])

    def hypothesis():
        number, right, _ = whole_numbers(answer, 3, "the answer")
        told = "the longest survival has another length: count what is right"
        require(right == lived[k], told)
        require(number == k, "that hypothesis did not survive so long (the first, zero, is 0)")
        return [f"hypothesis {k}, {lived[k]} in a row"]

    def on_new_digits():
        made = whole_numbers(answer, 3, "the answer")[2]
        told = "it makes another number of errors on the new digits (a tie is one)"
        require(made == errors, told)
        return [f"{made} errors on new digits"]

    yield 1, hypothesis
    yield 1, on_new_digits


@functools.cache
def survivor(digit, stream):
    """How long each hypothesis of one pass survives, which survives longest, and its errors."""
    X, y, _ = digits(digit)
    X = with_bias(X)
    run = perceptron(X[:stream], y[:stream], max_passes=1)
    lived = pac.survivals(run)
    k = int(np.argmax(lived))
    return lived, k, int(np.count_nonzero(y[stream:] * (X[stream:] @ run.weights[k]) <= 0))
