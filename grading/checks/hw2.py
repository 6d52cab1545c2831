"""Homework 2: the margin Perceptron and PAC learning."""

import math
from fractions import Fraction

import numpy as np

from perceptron_lib import (
    Separator,
    boolean,
    bounds,
    digits,
    margin_perceptron,
    pac,
    perceptron,
    separate,
    with_bias,
    worst_case,
)
from perceptron_lib.exercises import Verdict
from perceptron_lib.show import count

from .answers import (
    exactly,
    examples,
    number,
    numbers,
    require,
    same_updates,
    value_of,
    whole_numbers,
)


def margin_updates(f, X, y, gamma):
    """`f(X, y, gamma)` must return the updates of the margin Perceptron, for ε = 1/2."""
    run = margin_perceptron(X, y, gamma)

    def distance(w, i):
        s = float(run.y[i] * (run.X[i] @ w)) / math.sqrt(float(w @ w)) + 0.0  # no "-0"
        return f"y w·x/‖w‖ = {s:.6g} (it is too close if below γ/2 = {float(gamma) / 2:g})"

    mine = value_of(f, np.array(X, dtype=float), np.array(y), gamma)
    same_updates(mine, run, distance)
    return Verdict(f"Right: {count(run.mistakes, 'update')} after the start.")


EIGHT_POINTS = (
    np.array([[-4, -1], [-5, -2], [1, 6], [6, -4], [2, 1], [-2, -6], [1, -5], [4, -4]], float),
    np.array([-1, -1, 1, 1, 1, -1, -1, 1]),
)


def roomy_separator(w):
    """Weights with at least nine tenths of the largest margin of the eight points."""
    X, y = EIGHT_POINTS
    w = numbers(w, "w")
    require(len(w) == 2, f"w must be 2 numbers, these are {len(w)}")
    require(all(s > 0 for s in bounds.scores(X, y, w)), "w does not separate the eight points")
    share2 = bounds.margin2(X, y, w) * separate(X, y).bound() / bounds.radius2(X)
    share = math.sqrt(share2)
    require(share2 >= Fraction(81, 100), f"its margin is {share:.4f} of the largest")
    return Verdict(f"Right: {share:.4f} of the largest margin.")


def length_from_which(f, R2, gamma, eps, share):
    """`f(R2, gamma, eps, share)` must be the least ||w|| for which the bound M3 is small enough."""
    length = number(value_of(f, R2, gamma, eps, share), "the length")
    R2, gamma, eps, share = (Fraction(v) for v in (R2, gamma, eps, share))
    tried = f"R² = {R2}, γ = {gamma}, ε = {eps}, s = {share}"
    require(length > 0, f"for {tried} the length must be above 0")
    growth, allowed = R2 / (2 * length) + (1 - eps) * gamma, (1 - share * eps) * gamma
    told = f"for {tried} and ‖w‖ = {length} the bound is {growth}, and it may be {allowed}"
    exactly(growth, allowed, told if growth > allowed else f"{told}: a shorter w would do")
    return Verdict(f"Right for {tried}.")


def conjunction(f, X, y):
    """`f(X, y)` must return the numbers of the variables that stay, or the text "none fits"."""
    X, y = np.array(X), np.array(y)
    keep = set(np.flatnonzero(X[y > 0].all(axis=0)).tolist())
    fits = not X[y < 0][:, sorted(keep)].all(axis=1).any()
    value = value_of(f, X.copy(), y.copy())
    where = f"for the examples {X.tolist()} with labels {y.tolist()}"
    if isinstance(value, str):
        require(not fits, f"{where}, a conjunction fits, and you say {value!r}")
        require(value == "none fits", f'the answer is the text "none fits", not {value!r}')
        return Verdict("Right: none fits.")
    mine = set(numbers(value, "the variables"))
    require(fits, f"{where}, no monotone conjunction fits, and you return a list")
    require(mine >= keep, f"{where}, a variable was dropped that is 1 in every positive one")
    require(mine <= keep, f"{where}, a variable was kept that is 0 in a positive one")
    return Verdict(f"Right: {count(len(keep), 'variable')} in it.")


def line_but_no_list(X, y):
    """Words of 0 and 1 that a linear threshold labels, and that no decision list fits (Q6)."""
    X, y = examples(X, y, most=16)
    require(np.isin(X, (0, 1)).all(), "the features must be 0 or 1")
    separable = isinstance(separate(with_bias(X), y), Separator)
    require(separable, "no linear threshold function fits these labels")
    found = boolean.learn_decision_list(X.astype(int), y)
    require(not found, f"the decision list «{found}» fits them")
    return Verdict("Right: a linear threshold, and no decision list.")


def no_survivor(stream):
    """A stream of four unit vectors on which no hypothesis survives, for ε = δ = 1/5 (O3, E8)."""
    X, y, _ = worst_case(4)
    needed, total = pac.survival_length(4, 0.2, 0.2), pac.reduction_size(4, 0.2, 0.2)
    stream = whole_numbers(stream, total, "the stream")
    require(set(stream) <= {0, 1, 2, 3}, "the stream must consist of 0, 1, 2 and 3")
    lived = pac.survivals(perceptron(X[stream], y[stream], max_passes=1))
    k = int(np.argmax(lived))
    told = f"hypothesis {k} (0 is the first) survives {lived[k]} examples, and {needed} are enough"
    require(lived[k] < needed, told)
    return Verdict(f"Right: none survives {needed} examples in a row.")


def nines():
    """The handwritten nines (+) against the other digits, with a constant: a stream and a test."""
    X, y, _ = digits(9)
    X = with_bias(X)
    return X[:1000], y[:1000], X[1000:], y[1000:]


def survivor_of_nines(answer):
    """Which hypothesis of one pass survives longest, how long, and its errors on new digits."""
    X, y, new, labels = nines()
    number, lived, errors = whole_numbers(answer, 3, "the answer")
    run = perceptron(X, y, max_passes=1)
    longest = pac.survivals(run)
    right = int(np.argmax(longest))
    require(lived == longest[right], "the longest survival has another length: count what is right")
    require(number == right, "that hypothesis did not survive so long (the first, zero, is 0)")
    made = int(np.count_nonzero(labels * (new @ run.weights[right]) <= 0))
    require(errors == made, "it makes another number of errors on the new digits (a tie is one)")
    return Verdict(f"Right: {made} errors on {len(labels)} new digits.")
