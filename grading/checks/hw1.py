"""Homework 1: the algorithm and the proof."""

import itertools
from fractions import Fraction

import numpy as np

from perceptron_lib import Separator, bounds, iris, perceptron, separate, with_bias
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
    same_updates,
    value_of,
    whole_numbers,
)


def perceptron_updates(f, X, y, max_passes=100):
    """`f(X, y, max_passes)` must return the updates of the Perceptron, ties being mistakes."""
    run = perceptron(X, y, max_passes=max_passes)

    def score(w, i):
        s = float(run.y[i] * (run.X[i] @ w)) + 0.0  # no "-0"
        return f"y w·x = {s:g} (a mistake is y w·x ≤ 0)"

    mine = value_of(f, np.array(X, dtype=float), np.array(y), max_passes)
    same_updates(mine, run, score)
    return Verdict(f"Right: {count(run.mistakes, 'mistake')} in {count(run.passes, 'pass')}.")


def room_left(f, X, y, updates):
    """`f(X, y, updates)` must return R² - (||w'||² - ||w||²) for each update w -> w'."""
    X, y = labelled(X, y)
    R2 = int(bounds.radius2(X))
    w, right, own = np.zeros(X.shape[1]), [], []
    for i in updates:
        growth = int((w + y[i] * X[i]) @ (w + y[i] * X[i]) - w @ w)
        right.append(R2 - growth)
        own.append(int(X[i] @ X[i]) - growth)
        w = w + y[i] * X[i]
    mine = numbers(value_of(f, X.copy(), y.copy(), list(updates)), "the room")
    expected = f"{count(len(right), 'update')}, but {count(len(mine), 'number')} returned"
    require(len(mine) == len(right), expected)
    require(mine == right or mine != own, "R is the length of the longest example of all")
    for t, (a, b) in enumerate(zip(mine, right, strict=True), 1):
        too = "too small" if a < b else "too large"
        exactly(a, b, f"for the updates {updates}, the room at number {t} is {too}")
    least = f"the least is {min(right)}" if right else "there is no update"
    return Verdict(f"Right: {least}.")


SIX_POINTS = (
    np.array([[3, -1], [1, 4], [1, 2], [-2, -3], [-4, -3], [2, -1]], dtype=float),
    np.array([-1, 1, -1, 1, 1, -1]),
)


def slowest_order(order):
    """An order of the six points in which the Perceptron makes as many mistakes as in any."""
    X, y = SIX_POINTS
    order = whole_numbers(order, 6, "the order")
    require(sorted(order) == list(range(6)), "the order must have each number from 0 to 5 once")
    made = perceptron(X, y, order=order).mistakes
    told = f"this order makes {count(made, 'mistake')}, and another makes more"
    orders = itertools.permutations(range(6))
    most = max(perceptron(X, y, order=list(other)).mistakes for other in orders)
    require(made == most, told)
    return Verdict(f"Right: {made} mistakes, and no order makes more.")


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
    return Verdict(f"Right: M = (R/γ)² = {made}.")


def growth_with_threshold(growth, R2, theta):
    """`growth(R2, theta)` must be the most ||w||² can grow in an update with y w·x <= theta."""
    R2, theta = Fraction(R2), Fraction(theta)
    allowed = number(value_of(growth, R2, theta), "the growth")
    most = _most_growth(R2, theta)
    tried = f"R² = {R2} and θ = {theta}"
    told = f"for {tried} an update can add {most}, more than your {allowed}"
    too_much = f"for {tried} your {allowed} is never exceeded, but a smaller number would do"
    exactly(allowed, most, told if allowed < most else too_much)
    return Verdict(f"Right for {tried}.")


def _most_growth(R2, theta):
    """The most that ||w||² grew when a few examples were added to a few w."""
    grown = []
    for x2 in (R2 / 4, R2):  # a shorter example, and the longest
        for score in (-theta, Fraction(0), theta):
            c = score / x2  # then w = c x has w·x = score, and w + x = (c + 1) x
            grown.append(((c + 1) ** 2 - c**2) * x2)
    return max(grown)


def updates_with_threshold(most_updates, R2, theta, gamma2):
    """`most_updates(R2, theta, gamma2)` must be the M at which M²γ² meets M times the growth."""
    most = number(value_of(most_updates, R2, theta, gamma2), "the number of updates")
    below, above = most**2 * Fraction(gamma2), most * _most_growth(R2, theta)
    tried = f"R² = {R2}, θ = {theta}, γ² = {gamma2}"
    require(most > 0, f"for {tried} at least the first update must be allowed")
    told = f"for {tried} your M has M²γ² = {below}, but M times the growth = {above}"
    exactly(below, above, told)
    return Verdict(f"Right for {tried}.")


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
    return Verdict(f"Right: {made} > 4/γ² = {as_float(bound):.4g}.")


def iris_separator(w):
    """Weights, the bias last, that separate setosa (+) from versicolor."""
    w = numbers(w, "w")
    X, y, _ = iris("setosa", "versicolor")
    require(len(w) == 5, f"w must be 5 numbers, the last for the bias, these are {len(w)}")
    errors = sum(s <= 0 for s in bounds.scores(with_bias(X), y, w))
    require(errors == 0, f"w is wrong (or undecided) on {errors} of the {len(y)} flowers")
    return Verdict(f"Right: w is right on all {len(y)} flowers.")


def iris_certificate(weights):
    """Whole numbers λ >= 0, not all 0, that prove: no plane between versicolor and virginica."""
    X, y, _ = iris("versicolor", "virginica")
    return no_hyperplane(with_bias(X), y, weights)
