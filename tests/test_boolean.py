"""The learners find a consistent concept whenever there is one: against brute force."""

import itertools
import math

import numpy as np
import pytest

from perceptron_lib import boolean
from perceptron_lib.boolean import NO_CONCEPT, DecisionList, Formula, learn, learn_decision_list
from tests.reference import refusals


def truth_tables(n, concept, k):
    """Every function of the class, as a set of tuples of labels over all words."""
    words = boolean.all_words(n)
    conjunction = concept not in ("disjunction", "DNF")
    candidates = boolean.groups(n, k, negations=concept != "monotone conjunction")
    return {
        tuple(Formula(chosen, conjunction).predict(words).tolist())
        for size in range(len(candidates) + 1)
        for chosen in itertools.combinations(candidates, size)}  # fmt: skip


def closed_tables(n, k, conjunction):
    """The same for k-CNF (or k-DNF), by adding a clause (or term) at a time."""
    words = boolean.all_words(n)
    parts = [Formula((group,), conjunction).predict(words) for group in boolean.groups(n, k)]
    combine, first = (min, 1) if conjunction else (max, -1)
    found, new = set(), {(first,) * len(words)}
    while new:
        found |= new
        new = {tuple(map(combine, f, p)) for f in new for p in parts} - found
    return found


def partial_labellings(n):
    """Every choice of +, − or "not in the sample" for the words of n bits."""
    words = boolean.all_words(n)
    for labels in itertools.product((0, 1, -1), repeat=len(words)):
        labels = np.array(labels)
        if labels.any():
            yield words[labels != 0], labels[labels != 0], labels


CLASSES = {"monotone conjunction": 8, "conjunction": 28, "disjunction": 28, "CNF": 166, "DNF": 166}


@pytest.mark.parametrize("concept", CLASSES)
def test_every_sample_gets_the_right_answer(concept):
    k = 2 if concept in ("CNF", "DNF") else 1
    known = closed_tables(3, k, concept == "CNF") if k == 2 else truth_tables(3, concept, k)
    assert len(known) == CLASSES[concept]
    right_answers(3, known, lambda X, y: learn(X, y, concept, k))


@pytest.mark.parametrize("n", [1, 2, 3])
def test_every_sample_gets_the_right_answer_for_decision_lists(n):
    functions = boolean.decision_list_functions(n)
    known = {tuple(1 if f >> i & 1 else -1 for i in range(2**n)) for f in functions}
    right_answers(n, known, learn_decision_list)


def right_answers(n, known, learner):
    """For every sample: a concept of the class that is right on it, if there is one."""
    tables = np.array(sorted(known))
    for X, y, labels in partial_labellings(n):
        answer = learner(X, y)
        assert bool(answer) == (tables[:, labels != 0] == y).all(axis=1).any()
        if answer:
            assert (answer.predict(X) == y).all()
            assert tuple(answer.predict(boolean.all_words(n)).tolist()) in known


def test_formulas_are_printed_as_people_write_them():
    assert str(Formula(((1,), (-4,)))) == "x1 ∧ ¬x4"
    assert str(Formula(((1, 2), (-3,)))) == "(x1 ∨ x2) ∧ ¬x3"
    assert str(Formula(((1, 2),))) == "x1 ∨ x2"
    assert str(Formula(((1, 2), (-3,)), conjunction=False)) == "(x1 ∧ x2) ∨ ¬x3"
    assert str(Formula(((1,), (1, 2)))) == "x1"  # a longer clause says nothing new
    assert str(Formula(())) == "true" and str(Formula((), conjunction=False)) == "false"
    assert str(Formula(((1,), (-1,)))) == "false"
    assert str(Formula(((1,), (-1,)), conjunction=False)) == "true"
    assert str(DecisionList((), -1)) == "−" and repr(NO_CONCEPT) == "no consistent concept"


def test_words_and_groups_are_counted_right():
    assert boolean.all_words(2).tolist() == [[0, 0], [0, 1], [1, 0], [1, 1]]
    for n, k in itertools.product(range(1, 5), range(1, 6)):
        found = boolean.groups(n, k)
        right = sum(math.comb(n, size) * 2**size for size in range(1, min(k, n) + 1))
        assert len(set(found)) == len(found) == right
    xor = [-1, 1, 1, -1]
    assert learn(boolean.all_words(2), xor, "conjunction", k=2) is NO_CONCEPT


test_bad_input_gets_one_clear_sentence = refusals({
    "labels must be": [(learn, [[1]], [0]), (DecisionList, (), 0)],
    'concept must be "monotone .* or "DNF"; got \'parity\'': [(learn, [[1]], [1], "parity")],
    "more than 256 MiB": [
        (learn, np.ones((1000, 200)), np.ones(1000), "CNF", 3),
        (learn, np.ones((1, 20_000)), [1], "CNF", 20_000)],
    "60 variables and k = 5 make more than": [(learn, np.ones((1, 60)), [1], "CNF", 5)],
    "from 1 to 20": [(boolean.all_words, 21)],
    "from 1 to 2, or minus.* got 3": [lambda: DecisionList(((3, 1),), -1).predict([[1, 0]])],
    "from 1 to 2, or minus.* got -3": [lambda: Formula(((-3,),)).predict([[1, 0]])],
    "groups must be tuples of literals, .* other than 0": [(Formula, ((0,),))],
    "groups must be tuples of literals": [(Formula, ((1.5,),)), (Formula, ((),))],
    "rules must be pairs of a literal": [
        (DecisionList, ((1, 0),), 1), (DecisionList, ((1, 1, 1),), 1)],
    "n and k must be smaller": [(boolean.groups, 10**6, 2)],
    "from 1 to 5": [(boolean.decision_list_functions, 6)],
})  # fmt: skip


def test_the_default_of_a_decision_list_is_an_int():
    assert all(type(DecisionList((), one).default) is int for one in (1, 1.0, np.array(1)))
