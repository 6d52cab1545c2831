"""The learners find a consistent concept whenever there is one: against brute force."""

import itertools
import math

import numpy as np
import pytest

from perceptron_lib.lessons import pac
from perceptron_lib.lessons.pac import NO_CONCEPT, DecisionList, Formula, learn, learn_decision_list
from tests.reference import refusals

WORDS = pac.all_words(3)
CLASSES = {"monotone conjunction": 8, "conjunction": 28, "disjunction": 28, "CNF": 166, "DNF": 166}


def truth_tables(concept, k):
    """Every function of the class, as tuples of labels over all words: one clause (or term) after
    the other is added, until no new function comes."""
    conjunction, monotone = concept not in ("disjunction", "DNF"), concept.startswith("monotone")
    groups = [g for g in pac.groups(3, k) if not monotone or min(g) > 0]
    parts = [Formula((group,), conjunction).predict(WORDS) for group in groups]
    combine, first = (min, 1) if conjunction else (max, -1)
    tables, new = set(), {(first,) * len(WORDS)}
    while new:
        tables |= new
        new = {tuple(map(combine, f, p)) for f in new for p in parts} - tables
    return tables


def right_on_every_sample(learner, n, tables):
    """For every choice of +, − or "not in the sample" for the words of n bits: a concept of the
    class that is right on the sample, if there is one."""
    words, columns = pac.all_words(n), np.array(sorted(tables))
    for labels in map(np.array, itertools.product((0, 1, -1), repeat=len(words))):
        if (sample := labels != 0).any():
            y = labels[sample]
            answer = learner(words[sample], y)
            assert bool(answer) == (columns[:, sample] == y).all(axis=1).any()
            if answer:
                predictions = answer.predict(words)
                assert (predictions[sample] == y).all() and tuple(predictions.tolist()) in tables


@pytest.mark.parametrize("concept", CLASSES)
def test_every_sample_gets_the_right_answer(concept):
    k = 2 if concept in ("CNF", "DNF") else 1
    tables = truth_tables(concept, k)
    assert len(tables) == CLASSES[concept]
    right_on_every_sample(lambda X, y: learn(X, y, concept, k), 3, tables)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_every_sample_gets_the_right_answer_for_decision_lists(n):
    functions = pac.decision_list_functions(n)
    tables = {tuple(1 if f >> i & 1 else -1 for i in range(2**n)) for f in functions}
    right_on_every_sample(learn_decision_list, n, tables)


@pytest.mark.parametrize(("concept", "text"), [
    (Formula(((1,), (-4,))), "x1 ∧ ¬x4"), (Formula(((1, 2), (-3,))), "(x1 ∨ x2) ∧ ¬x3"),
    (Formula(((1,), (2,)), False), "x1 ∨ x2"), (Formula(((1, 2), (-3,)), False), "(x1 ∧ x2) ∨ ¬x3"),
    (Formula(((1,), (1, 2))), "x1"),  # a longer clause says nothing new
    (Formula(()), "true"), (Formula((), False), "false"),
    (Formula(((1,), (-1,))), "false"), (Formula(((1,), (-1,)), False), "true"),
    (DecisionList((), -1), "−"), (NO_CONCEPT, "no consistent concept"),
])  # fmt: skip
def test_concepts_are_printed_as_people_write_them_and_read(concept, text):
    assert str(concept) == text and ("x2" not in text or pac.formula(text) == concept)


def test_words_and_groups_are_counted_right():
    for n, k in itertools.product(range(1, 5), range(1, 6)):
        groups = pac.groups(n, k)
        right = sum(math.comb(n, size) * 2**size for size in range(1, min(k, n) + 1))
        assert len(set(groups)) == len(groups) == right
    assert learn(pac.all_words(2), [-1, 1, 1, -1], "conjunction", k=2) is NO_CONCEPT


test_bad_input_gets_one_clear_sentence = refusals({
    "labels must be": [(DecisionList, (), 0)],
    "60 variables and k = 5 make more than 100,000 groups": [
        (learn, np.ones((1, 60)), [1], "CNF", 5)],
    "text must be a formula such as": [
        (pac.formula, text) for text in ("", "x0", "x1 x2", "(x1 & x2", "x1 & (x2 | x3 & x4)")],
    "n or k must be smaller": [(learn, np.ones((9, 20_000)), np.ones(9), "CNF", 20_000)],
    "a literal must be from 1 to 2, or minus that, for 2 columns; got -?3": [
        (DecisionList(((3, 1),), -1).predict, [[1, 0]]), (Formula(((-3,),)).predict, [[1, 0]])],
    "rules must be pairs of a literal": [
        (DecisionList, ((1, 0),), 1), (DecisionList, ((1, 1, 1),), 1)],
})  # fmt: skip
