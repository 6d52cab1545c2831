"""Exercises of lesson 6: PAC learning."""

import math

import numpy as np

from perceptron_lib import boolean, checks, pac
from perceptron_lib.embedding import with_bias
from perceptron_lib.exercises.checker import checker, number, require, whole_list
from perceptron_lib.separability import Separator, separate
from perceptron_lib.show import numbers

__all__ = ["FIVE_IN_SPACE", "LIST_SAMPLE", "decision_list", "examples_by_cnf", "radon"]


LIST_SAMPLE = (
    np.array([[1, 0, 0], [1, 1, 0], [0, 1, 1], [0, 0, 1], [1, 0, 1], [0, 0, 0]]),
    np.array([-1, -1, -1, 1, 1, 1]),
)
FIVE_IN_SPACE = np.array([[0, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, 4], [3, 2, 1]])


@checker(
    "06.1",
    "Which literal has the same label in all examples where it holds? Begin with that rule.",
    "Both words with x2 = 1 are negative. Remove them, and look for the next rule among the rest.",
)
def decision_list(rules, default):
    """A decision list of at most three rules for `LIST_SAMPLE` (Q5).

    >>> decision_list([(1, 1)], -1)
    ✗ Not yet: «if x1 then + else −» is wrong on 100, 110, 001, 000.
    """
    X, y = LIST_SAMPLE
    pairs = "rules are pairs such as (-2, 1) for 'if ¬x2 then +'; the default is 1 or -1"
    rules = rules.tolist() if isinstance(rules, np.ndarray) else rules
    require(isinstance(rules, (list, tuple)), pairs)
    rules = tuple(tuple(whole_list(rule, pairs)) for rule in rules)
    (default,) = whole_list([default], pairs)
    proper = default in (1, -1) and all(
        len(rule) == 2 and 1 <= abs(rule[0]) <= 3 and rule[1] in (1, -1) for rule in rules
    )
    require(proper, pairs)
    require(len(rules) <= 3, f"at most three rules are allowed, these are {len(rules)}")
    answer = boolean.DecisionList(rules, default)
    wrong = np.flatnonzero(answer.predict(X) != y)
    words = ", ".join("".join(map(str, X[i])) for i in wrong)
    require(len(wrong) == 0, f"«{answer}» is wrong on {words}")
    return f"«{answer}»."


@checker(
    "06.2",
    "The hypothesis is a 2-CNF, so its class counts. How many clauses have one literal, and how "
    "many have two?",
    "There are 2·10 clauses of one literal and 4·45 of two. Each set of clauses is a hypothesis.",
)
def examples_by_cnf(m):
    """The sample size for 2-term DNF of 10 bits by 2-CNF, ε = 1/20, δ = 1/100 (Q2, Q7).

    >>> examples_by_cnf(10)
    ✗ Not yet: the theorem asks for more than that.
    """
    eps, delta, value, clauses = 0.05, 0.01, number(m), len(boolean.groups(10, 2))
    require(value > 0, "it must be positive")
    near, exact = math.ceil(value), pac.sample_size(eps, delta, 2**clauses)
    for size, reason in {
        2 ** (clauses - 20): "clauses of a single literal count, too",
        2**20: "h comes from the 2-CNFs, so there is more to count than 20 literals",
        2 ** (2 * 20): "count the hypotheses, 2-CNFs, and not the pairs of terms",
        3**20: "count the hypotheses, 2-CNFs, and not the pairs of terms",
        clauses: f"you took |H| = {clauses}, the number of clauses; a 2-CNF is a *set* of clauses",
        2 ** (clauses + 10): "a clause such as x1 ∨ ¬x1 does not count",
    }.items():
        require(near != pac.sample_size(eps, delta, size), reason)
    bits = math.ceil((clauses + math.log2(1 / delta)) / eps)
    require(near != bits, "the logarithms in the theorem are natural ones")
    require(near != math.ceil(clauses * math.log(2) / eps), "the share of δ is missing")
    require(value.denominator == 1 or near != exact, "a number of examples is a whole number")
    require(value >= exact, "the theorem asks for more than that")
    require(value == exact, "fewer are enough")
    return f"{clauses} clauses, so |H| is at most 2 to the {clauses}, and {exact:,} examples do."


@checker(
    "06.3",
    "Find numbers a_i, not all 0, with Σ a_i (x_i, 1) = 0. The sign of a_i is the label.",
    "x_4 = (3, 2, 1) is a combination of the three long edges: divide 3, 2 and 1 by 4. How much of "
    "x_0 makes the a_i sum to 0?",
)
def radon(y, multipliers):
    """Labels of five points in space that no plane gives, with multipliers that prove it (Q8).

    >>> radon([1, 1, 1, 1, 1], [1, 1, 1, 1, 1])
    ✗ Not yet: some plane gives these labels.
    """
    y = checks.labels(y, len(FIVE_IN_SPACE))
    wanted = "five whole numbers, 0 or more and not all 0, are asked for as multipliers"
    lam = whole_list(multipliers, wanted)
    require(len(lam) == len(y) and min(lam) >= 0 and any(lam), wanted)
    found = separate(with_bias(FIVE_IN_SPACE), y)
    require(not isinstance(found, Separator), "some plane gives these labels")
    parts = zip(lam, y, FIVE_IN_SPACE, strict=True)
    total = sum(v * int(label) * np.append(x, 1) for v, label, x in parts)
    unproved = f"no plane gives these labels, but Σ λ_i y_i (x_i, 1) is {numbers(total)}"
    require(not total.any(), unproved)
    return "these multipliers prove that no plane gives the labels."
