"""What the checks of the homework say and give, before the grade and in it."""

import importlib
import operator
import re
import subprocess
import sys
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

from grading.cage import ROOT
from grading.checks import graded, hw1, hw2, hw3
from grading.course import assignments
from grading.handout import hw1 as seen1
from grading.handout import hw2 as seen2
from grading.handout import hw3 as seen3
from perceptron_lib import five_points, margin_perceptron, perceptron, worst_case
from perceptron_lib.exercises import Wrong, read_number
from tests.grading import answers_of, points, solved
from tests.handed_out import run
from tests.homework_answers import REMEMBERS, WRONG

POINTS, UNIT = five_points()[:2], worst_case(4)[:2]
MODULES = {name: importlib.import_module(f"grading.handout.{name[:3]}") for name in assignments()}


def stub(*arguments):
    raise NotImplementedError()


def growth(R2, theta):
    return R2 + 2 * theta


# --- in the grade --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(assignments()))
def test_the_solved_notebook_is_right(name):
    _, said = run(assignments()[name], MODULES[name])
    assert {question: got for question, (got, _) in said.items()} == points(name)
    assert not [told for _, told in said.values() if "Not yet" in told]


@pytest.mark.parametrize(
    ("name", "question", "wrong"),
    [(name, q, wrong) for name in WRONG for q, three in WRONG[name].items() for wrong in three],
)
def test_a_wrong_answer_gets_its_points_and_its_sentence(name, question, wrong):
    code, sentence, *worth = wrong
    if isinstance(code, tuple):
        code = answers_of(solved(name))[question].source.replace(*code)
    _, said = run(assignments()[name], MODULES[name], question, code)
    assert said[question][0] == sum(worth) and sentence in said[question][1]
    assert "Not yet: " in said[question][1]


def ignores_the_limit(X, y, max_passes):
    return perceptron(X, y).updates.tolist()


def needs_an_update(X, y, updates):
    return hw1.rooms(X, y, updates) or None


def never_at_the_threshold(X, y, gamma):
    return margin_perceptron(X, y, gamma + 1e-9).updates.tolist()


def needs_a_positive_one(X, y):
    return hw2.conjunction(X, y) if max(y) > 0 else "none fits"


def one_example_is_none(X, y, u, g):
    return hw3.noise_bound(X.astype(float), y, u, g)[0][0] if len(y) > 1 else Fraction(0)


def only_for_positive_numbers(x):
    a, b = map(abs, x)
    return [a * a, a * b, b * a, b * b, a, b]


HADAMARD = [[1, 1, 1, 1], [1, -1, 1, -1], [1, 1, -1, -1], [1, -1, -1, 1]]
TOO_LONG = [0] * 14 + [1] * 15 + [2] * 15 + [3] * 16


@pytest.mark.parametrize(
    ("homework", "question", "answers", "points"),
    [
        (seen1, 1, [ignores_the_limit], 2),
        (seen1, 2, [needs_an_update], 1),
        (seen1, 4, [HADAMARD, [1, 1, 1, 1]], 2),
        (seen1, 5, [growth, stub], 1),
        (seen1, 5, [stub, lambda R2, theta, gamma2: growth(R2, theta) / gamma2], 1),
        (seen1, 7, [None, [1] * 100], 0),
        (seen2, 1, [never_at_the_threshold], 2),
        (seen2, 4, [needs_a_positive_one], 1),
        (seen2, 6, [[0, 2, 4, 9, 20]], 1),
        (seen2, 7, [TOO_LONG], 1),
        (seen2, 8, [[63, 200, 41]], 1),
        (seen2, 8, [[62, 200, 40]], 1),
        (seen3, 2, [one_example_is_none], 2),
        (seen3, 5, [only_for_positive_numbers], 2),
        (seen3, 7, [[10, 8], None], 1),
        (seen3, 7, [[1, 8], [10, 6, 4, 3, 2, 0]], 1),
    ],
)
def test_an_answer_that_is_right_but_for_a_special_case_keeps_most_points(
    homework, question, answers, points, capsys
):
    assert getattr(graded(homework), f"question_{question}")(*answers) == points
    assert "Not yet: " in capsys.readouterr().out


@pytest.mark.parametrize("divided", [operator.truediv, operator.floordiv])
def test_the_largest_number_of_updates_may_be_rounded_down(divided, capsys):
    def most(R2, theta, gamma2):
        return divided(growth(R2, theta), gamma2)

    assert graded(seen1).question_5(growth, most) == 2
    seen1.question_5(growth, most)
    assert "Not yet" not in capsys.readouterr().out


def test_no_sentence_of_question_5_says_what_is_right(capsys):
    for homework in (seen1, graded(seen1)):
        homework.question_5(lambda R2, theta: R2, lambda R2, theta, gamma2: R2 / gamma2)
    told = capsys.readouterr().out
    assert told.count("Not yet") == 4 and not re.search(r"\b(11|24|5/3|11/2|5|35/3)\b", told)


def test_roots_of_two_are_welcome_in_a_feature_map():
    def phi(x):
        return [x[0] ** 2, x[1] ** 2, 2**0.5 * x[0] * x[1], x[0], x[1]]

    assert graded(seen3).question_5(phi) == 3


class Remembers:
    """A feature map that remembers, as the grader has it: its process can be ended."""

    def __init__(self):
        self.sandbox = SimpleNamespace(start_anew=self.close)
        self.close()

    def close(self):
        self.names = {"np": np}
        exec(REMEMBERS, self.names)

    def __call__(self, x):
        return self.names["phi"](x)


def test_a_feature_map_must_not_remember(capsys):
    points = [[1, 2], [3, 1], [1, 0], [3, -1], [0, 0], [5, 1], [-4, 7]]
    seen3.inner_products(points, seen3.images(Remembers(), points))
    assert graded(seen3).question_5(Remembers()) == 0
    assert "not the same each time" in capsys.readouterr().out


# --- how an answer is read -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("check", "answers", "sentence"),
    [
        (seen1.mistakes_in, [None], "there is no answer here"),
        (seen1.mistakes_in, [7], "must be a list of finite numbers"),
        (seen1.mistakes_in, [[0.5] * 6], "must be whole numbers"),
        (seen1.mistakes_in, [map(int, range(6))], "must be a list"),
        (seen1.updates, [3, *POINTS], "a function is asked for"),
        (seen1.updates, [lambda *a: None, *POINTS], "is there a `return`?"),
        (seen1.updates, [stub, *POINTS], "there is no answer here"),
        (seen1.updates, [lambda *a: [9], *POINTS], "from 0 to 4"),
        (seen1.updates, [lambda *a: [0], *UNIT], "y w·x = 0 "),
        (seen2.updates, [lambda *a: [], *UNIT, 0.5], "y w·x/‖w‖ = 0 "),
        (read_number, ["x", "it"], "must be a finite number"),
        (seen1.tight_examples, [[[1]], [2]], "labels must be -1 and +1"),
        (seen1.tight_examples, [[[10**400]], [1]], "cannot hold exactly"),
        (seen1.tight_examples, [[[0.5]], [1]], "whole numbers from −1000 to 1000"),
        (seen1.separates_flowers, [["1e9999999"] * 5, None], "must be a list of finite numbers"),
        (seen1.breaks_the_theorem, [[[1], [-1]], [-1, -1], [0.1], -(10**15)], "below 10¹⁵"),
        (seen1.separates_flowers, [[Fraction(1, 7**999)] * 5, None], "fewer digits"),
        (seen2.same_conjunction, [[]], "at least one example must be kept"),
        (seen2.same_conjunction, [[2, 4, 30]], "examples have numbers from 0 to 29"),
        (seen2.same_conjunction, [[2, 4, 4, 20]], "an example occurs twice"),
        (seen3.either_but_not_both, [[0, 8], None], "without example 0 the counts are others"),
        (seen3.either_but_not_both, [[8, 9, 10], None], "must be 2 numbers, these are 3"),
        (seen3.images, [lambda x: x * 60, [[1, 2], [1, 1]]], "100 features"),
    ],
)
def test_a_check_says_what_is_not_yet_right(check, answers, sentence):
    with pytest.raises(Wrong, match=re.escape(sentence)):
        check(*answers)


# --- before the grade ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "answers", "sentence"),
    [
        (seen1.question_1, [lambda *a: [0]], "passes over example"),
        (seen1.question_1, [ignores_the_limit], "Right: 4 mistakes in 3 passes."),
        (seen1.question_1, [lambda *a: ignores_the_limit(*a) * 2], "your run goes on with"),
        (seen1.question_2, [lambda *a: hw1.rooms(*a, own=True)], "R is the longest length of all"),
        (seen1.question_2, [lambda *a: [v + 1e-9 for v in hw1.rooms(*a)]], "right up to rounding"),
        (seen1.question_2, [lambda *a: [0.5]], "for the updates [0]: 1/2; that is not what is"),
        (seen1.question_2, [hw1.rooms], "Right: on 5 examples."),
        (seen1.question_3, [[0, 1, 2, 3, 4, 5]], "Not yet: mistakes in this order: 1; that is not"),
        (seen1.question_5, [growth, stub], "Right: on 2 examples.\nNot yet: there is no answer"),
        (seen2.question_4, [lambda X, y: [3, 0]], "with labels [1, -1, 1, 1]: 0, 3; that is not"),
        (seen2.question_4, [lambda X, y: "none fits"], "[1, 1, -1, -1]: 'none fits'; that"),
        (seen2.question_4, [lambda X, y: "\ud800\x1b[2J" * 99], r": '\ud800\x1b[2J"),
        (seen2.question_4, [needs_a_positive_one], "Right: on 2 examples."),
        (seen2.question_6, [[2, 4, 10, 20]], "Not yet: examples kept: 4; that is not"),
        (seen2.question_6, [{2, 4, 20}], "from 3 examples.\nRight: examples kept: 3."),
        (seen2.question_8, [[1, 2, 3]], "Not yet: the three numbers: 1, 2, 3; that is not"),
        (seen2.question_8, [[63, 200, 40]], "Right: the three numbers: 63, 200, 40."),
        (seen3.question_2, [lambda *a: Fraction(1)], "Not yet: for u = [1, '1/3'] and g = 2/3: 1;"),
        (seen3.question_7, [[8, 10], range(12)], "both.\nNot yet: examples kept: 12; that is not"),
    ],
)
def test_what_a_student_sees(question, answers, sentence, capsys):
    assert question(*answers) is None, "no points are shown"
    assert sentence in capsys.readouterr().out


def test_an_error_of_the_students_is_shown_as_it_is():
    with pytest.raises(ZeroDivisionError):
        seen1.question_1(lambda *a: 1 / 0)


def test_a_solved_notebook_needs_nothing_that_only_linux_has():
    code = "import sys; sys.modules['resource'] = None; from grading.handout import hw1, hw2, hw3; "
    code += "from grading.checks import graded; [graded(m) for m in (hw1, hw2, hw3)]"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
