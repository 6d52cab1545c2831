"""Homework 1, the algorithm and the proof: what is right."""

import itertools
from fractions import Fraction

import numpy as np

from grading.checks import each
from grading.checks.compare import exactly, same_updates
from grading.handout import hw1 as usual
from grading.handout.answers import number, numbers, require, value_of
from perceptron_lib import (
    bounds,
    five_points,
    iris,
    odd_max_bit,
    perceptron,
    separable,
    worst_case,
)
from perceptron_lib.checks import labelled
from perceptron_lib.show import count

# --- data --------------------------------------------------------------------------------------

ORDERS = list(itertools.permutations(range(6)))
USUAL = usual.OUT


def variant(rng):
    """Six points with a few slowest orders among the 720, other ones than for the usual points, and
    flowers in another order."""
    most = most_mistakes(USUAL["six_points"])
    usual = [order for order in ORDERS if mistakes(*USUAL["six_points"], order) == most]
    taken = [*usual, ORDERS[0], ORDERS[-1]]  # public, or tried first
    while True:
        X, u = rng.integers(-4, 5, (6, 2)), rng.integers(-4, 5, 2)
        y = np.sign(X @ u)
        if y.all() and len({*map(tuple, X.tolist())}) == 6 and abs(y.sum()) < 4:
            if most_mistakes((X, y), ORDERS[::24]) < 8:  # with some of the orders, to be quick
                continue
            made = [mistakes(X, y, order) for order in ORDERS]
            few = made.count(max(made)) <= 12 and most_mistakes((X, y), taken) < max(made)
            if few and 12 <= max(made) <= 24:
                break
    other = str(rng.choice(["versicolor", "virginica"]))
    pair = rng.permutation(["versicolor", "virginica"]).tolist()
    six = [X.tolist(), y.tolist()]
    return {"six_points": six, "flowers": ["setosa", other], "other_flowers": pair}


def mistakes(X, y, order):
    """The mistakes of the Perceptron in an order, up to 25: a plain loop, for thousands of runs."""
    z = [(int(s) * int(a), int(s) * int(b)) for (a, b), s in zip(X, y, strict=True)]
    v = w = made = 0
    going = True
    while going and made < 25:
        going = False
        for i in order:
            if v * z[i][0] + w * z[i][1] <= 0:
                v, w, made, going = v + z[i][0], w + z[i][1], made + 1, True
    return made


def words(data):
    (first, second), (third, fourth) = data["flowers"], data["other_flowers"]
    return [
        f'iris("{first}", "{second}")', f"{first} (+) from {second}",
        f'iris("{third}", "{fourth}")', f"separates {third} from {fourth}",
    ]  # fmt: skip


def secrets(data):
    X, y, _ = five_points()
    updates = perceptron(X, y).updates.tolist()
    yield "q1", [updates]
    for key, some in (("q2", updates), ("q2 forged", [0, 0, 3])):
        right, own = rooms(X, y, some)
        yield key, [right, {"R is the length of the longest example of all": own}]
    yield "q3", [[most_mistakes(data["six_points"])]]
    yield "q5 growth", [[most_growth(9, 1)]]
    yield "q5 updates", [[most_growth(9, 1) / 2]]
    yield "q5 rounded down", [[most_growth(9, 1) // 2]]


# --- questions ---------------------------------------------------------------------------------


def question_1(homework, f):
    """Two points for examples in general position, the third for ties and an early end."""
    general = [five_points(), iris("setosa", "versicolor"), separable(30, 3, 0.125, seed=5)]
    if (yield 2, each(updates, f, [(X, y) for X, y, _ in general])):
        X, y, _ = odd_max_bit(3)
        one_class = [[2, 1], [1, 3], [4, 4]], [-1, -1, -1]
        tie = [[1, 2], [2, 1], [-1, 1]], [1, -1, 1]
        yield 1, each(updates, f, [worst_case(5)[:2], one_class, tie, (X, y, 2)])


def updates(f, X, y, max_passes=100):
    """`f(X, y, max_passes)` must return the updates of the Perceptron, ties being mistakes."""
    run = perceptron(X, y, max_passes=max_passes)

    def score(w, i):
        s = float(run.y[i] * (run.X[i] @ w)) + 0.0  # no "-0"
        return f"y w·x = {s:g} (a mistake is y w·x ≤ 0)"

    mine = value_of(f, np.array(X, dtype=float), np.array(y), max_passes)
    same_updates(mine, run, score)
    return f"{count(run.mistakes, 'mistake')} in {count(run.passes, 'pass')}"


def question_2(homework, f):
    """A point for lists of updates, one for lists of none and of one."""
    X, y, _ = five_points()
    lists = [perceptron(X, y).updates.tolist(), [0, 0, 3], [4, 3, 3, 2, 1, 0, 1]]
    if (yield 1, each(room_left, f, [(X, y, some) for some in lists])):
        yield 1, each(room_left, f, [(X, y, []), (X[:1], y[:1], [0]), (X, y, [1])])


def room_left(f, X, y, updates):
    """`f(X, y, updates)` must return R² - (||w'||² - ||w||²) for each update w -> w'."""
    X, y = labelled(X, y)
    right, own = rooms(X, y, updates)
    mine = numbers(value_of(f, X.copy(), y.copy(), list(updates)), "the room")
    expected = f"{count(len(right), 'update')}, but {count(len(mine), 'number')} returned"
    require(len(mine) == len(right), expected)
    require(mine == right or mine != own, "R is the length of the longest example of all")
    for t, (a, b) in enumerate(zip(mine, right, strict=True)):
        too = "too small" if a < b else "too large"
        told = f"for the updates {updates}, the room at number {t} (the first is 0) is {too}"
        exactly(a, b, told)
    return f"for {count(len(updates), 'update')}"


def rooms(X, y, updates):
    """The room left at each update, and what it would be with each example's own length for R."""
    R2, w, right, own = int(bounds.radius2(X)), np.zeros(X.shape[1]), [], []
    for i in updates:
        longer = w + y[i] * X[i]
        growth, w = int(longer @ longer - w @ w), longer
        right.append(R2 - growth)
        own.append(int(X[i] @ X[i]) - growth)
    return right, own


def question_3(homework, order):
    def slowest():
        made = homework.mistakes_in(order)
        told = f"this order makes {count(made, 'mistake')}, and another makes more"
        require(made == most_mistakes(homework.SIX_POINTS), told)
        return [f"{made} mistakes, and no order makes more"]

    yield 2, slowest


def most_mistakes(examples, orders=ORDERS):
    X, y = examples
    return max(mistakes(X, y, order) for order in orders)


def question_5(homework, growth, most_updates):
    """A point for each of the two functions."""
    cases = [(9, 0, 2), (9, 1, 2), (4, 10, 1), (1, Fraction(1, 3), Fraction(1, 7))]
    cases = [tuple(map(Fraction, case)) for case in cases]
    yield 1, each(growth_with_threshold, growth, cases)
    yield 1, each(updates_with_threshold, most_updates, cases)


def growth_with_threshold(growth, R2, theta, gamma2=None):
    """`growth(R2, theta)` must be the most ||w||² can grow in an update with y w·x <= theta."""
    allowed = number(value_of(growth, R2, theta), "the growth")
    tried = f"for R² = {R2} and θ = {theta}"
    told = "can be exceeded" if allowed < most_growth(R2, theta) else "is more than is ever needed"
    exactly(allowed, most_growth(R2, theta), f"{tried} your {allowed} {told}")
    return tried


def most_growth(R2, theta):
    """The most that ||w||² grew when a few examples were added to a few w."""
    grown = []
    for x2 in (Fraction(R2) / 4, Fraction(R2)):  # a shorter example, and the longest
        for score in (-theta, Fraction(0), theta):
            c = score / x2  # then w = c x has w·x = score, and w + x = (c + 1) x
            grown.append(((c + 1) ** 2 - c**2) * x2)
    return max(grown)


def updates_with_threshold(most_updates, R2, theta, gamma2):
    """`most_updates(R2, theta, gamma2)` must be the M at which M²γ² meets M times the growth,
    rounded down or not."""
    mine = number(value_of(most_updates, R2, theta, gamma2), "the number of updates")
    right = most_growth(R2, theta) / gamma2
    tried = f"for R² = {R2}, θ = {theta}, γ² = {gamma2}"
    told = "more updates are possible" if mine < right else "so many updates are not possible"
    if mine != right // 1:
        exactly(mine, right, f"{tried} {told}")
    return tried
