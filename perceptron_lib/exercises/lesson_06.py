"""Exercises of lesson 6: PAC learning."""

import numpy as np

from perceptron_lib import boolean, checks, pac
from perceptron_lib.exercises.checker import checker, number, require, whole_list

__all__ = ["LIST_SAMPLE", "decision_list", "examples_for_conjunctions", "no_conjunction_fits"]


LIST_SAMPLE = (
    np.array([[1, 0, 0], [1, 1, 0], [0, 1, 1], [0, 0, 1], [1, 0, 1], [0, 0, 0]]),
    np.array([-1, -1, -1, 1, 1, 1]),
)


@checker("06.1", "…", "…")
def no_conjunction_fits(X, y):
    """At most three different examples of two features that no conjunction fits (Q3)."""
    X = checks.zeros_and_ones(X)
    y = checks.labels(y, len(X))
    require(X.shape[1] == 2, f"two features are asked for, these are {X.shape[1]}")
    require(len(X) <= 3, f"at most three examples are allowed, these are {len(X)}")
    require(len({tuple(x) for x in X.tolist()}) == len(X), "an example occurs twice")
    found = boolean.learn(X, y)
    require(not found, f"{found} fits them")
    return "no conjunction of literals fits these."


@checker("06.2", "…", "…")
def decision_list(rules, default):
    """A decision list of at most three rules for `LIST_SAMPLE` (Q5)."""
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
    require(len(wrong) == 0, f"«{answer}» is wrong on {len(wrong)} of {len(y)} examples")
    return f"«{answer}»."


@checker("06.3", "…", "…")
def examples_for_conjunctions(m):
    """The sample size of Q2 for |C| = 2**(2n), n = 20, ε = 0.05, δ = 0.01."""
    value = number(m)
    right = pac.sample_size(0.05, 0.01, 2**40)
    require(value.denominator == 1, "a number of examples is a whole number, rounded up")
    require(value == right, "use (ln|C| + ln 1/δ)/ε with natural logarithms, rounded up")
    return f"{right} examples."
