"""Homework 1, the algorithm and the proof: what is right."""

import functools
import itertools
import json
from fractions import Fraction

import numpy as np

from grading.checks import Function, differ, turned
from grading.handout.asked import Question, each
from perceptron_lib import five_points, iris, odd_max_bit, perceptron, separable, worst_case

# --- data --------------------------------------------------------------------------------------

USUAL = {
    "six_points": [
        [[3, -1], [1, 4], [1, 2], [-2, -3], [-4, -3], [2, -1]],
        [-1, 1, -1, 1, 1, -1],
    ],
    "flowers": ["setosa", "versicolor"],
    "other_flowers": ["versicolor", "virginica"],
}


def variant(rng):
    """The six points turned and in another order, in which no public answer is slowest, and the
    flowers in another one."""
    [X, y], (_, slowest) = USUAL["six_points"], orders(json.dumps(USUAL["six_points"]))
    public, order = [*slowest, tuple(range(6)), tuple(range(5, -1, -1))], range(6)
    while any(tuple(order[i] for i in known) in slowest for known in public):
        order = rng.permutation(6).tolist()
    six = turned(rng, [[X[i] for i in order], [y[i] for i in order]])
    other = str(rng.choice(["versicolor", "virginica"]))
    pair = rng.permutation(["versicolor", "virginica"]).tolist()
    return {"six_points": six, "flowers": ["setosa", other], "other_flowers": pair}


@functools.cache
def orders(six_points):
    """The most mistakes of the Perceptron in any order, and the orders in which it makes them."""
    X, y = json.loads(six_points)
    made = {
        order: perceptron(X, y, order=list(order)).mistakes
        for order in itertools.permutations(range(6))
    }
    most = max(made.values())
    return most, [order for order in made if made[order] == most]


# --- what is right -------------------------------------------------------------------------------


def functions(data):
    """Question 2: a point for lists of updates, one for lists of none and of one."""
    X, y = (v.astype(int).tolist() for v in five_points()[:2])
    runs = perceptron(X, y).updates.tolist()
    begins = [[X, y, runs[:k]] for k in range(1, len(runs) + 1)]
    several = [[X, y, some] for some in (runs, [0, 0, 3], [4, 3, 3, 2, 1, 0, 1])]
    few = [[X, y, []], [X[:1], y[:1], [0]], [X, y, [1]]]
    steps = [[9, 0, 2], [9, 1, 2], [4, 10, 1], [1, "1/3", "1/7"]]
    return {
        "rooms": Function(
            rooms, shown=[*begins, [X, y, [0, 0, 3]]], parts=[(1, several), (1, few)],
            differ=differ("is too small", "is too large"),
            slips=lambda *case: {"R is the longest length of all": rooms(*case, own=True)},
        ),
        "mistakes_in": Function(
            lambda: [orders(json.dumps(data["six_points"]))[0]], shown=[[]], parts=[(2, [[]])],
            differ=lambda mine, right: "another order makes more",
        ),
        "growth": Function(
            lambda *case: [most_growth(*case)], shown=[[9, 0], [9, 1]],
            parts=[(1, [case[:2] for case in steps])],
            differ=differ("that can be exceeded", "that is more than is ever needed"),
        ),
        "most_updates": Function(
            lambda R2, theta, gamma2: [most_growth(R2, theta) / Fraction(gamma2) // 1],
            shown=steps[:2], parts=[(1, steps)],
            differ=differ("more updates are possible", "so many updates are not possible"),
        ),
    }  # fmt: skip


def rooms(X, y, updates, own=False):
    """R² - (||w'||² - ||w||²) at each update w -> w'; by a slip, R is each example's own length."""
    X, y = np.array(X), np.array(y)
    w = np.cumsum([0 * X[0], *(y[i] * X[i] for i in updates)], axis=0)
    grown, lengths = np.diff((w * w).sum(axis=1)), (X * X).sum(axis=1)
    return ((lengths[updates] if own else lengths.max()) - grown).tolist()


def most_growth(R2, theta):
    return Fraction(R2) + 2 * Fraction(theta)


def questions(seen):
    """Question 1: two points for examples in general position, the third for ties and an early
    end."""
    general = five_points(), iris("setosa", "versicolor"), separable(30, 3, 0.125, seed=5)
    one_class = [[2, 1], [1, 3], [4, 4]], [-1, -1, -1]
    tie = [[1, 2], [2, 1], [-1, 1]], [1, -1, 1]
    special = worst_case(5)[:2], one_class, tie, (*odd_max_bit(3)[:2], 2)
    first = 2, each(seen.updates, *((X, y) for X, y, _ in general))
    return {"question_1": Question(first, (1, each(seen.updates, *special)))}
