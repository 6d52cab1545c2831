"""What the checks of the homework say, before the grade and in it."""

import operator
import re
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

from grading.checks import graded, hw1, hw2, hw3
from grading.handout import hw1 as seen1
from grading.handout import hw2 as seen2
from grading.handout import hw3 as seen3
from grading.handout.answers import NotYet
from perceptron_lib import five_points, margin_perceptron, perceptron, worst_case
from tests.homework_answers import REMEMBERS

THIRD = Fraction(1, 3)
POINTS, UNIT = five_points()[:2], worst_case(4)[:2]


def stub(X, y, max_passes):
    raise NotImplementedError()


# --- in the grade --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("check", "sentence"),
    [
        (lambda: seen1.mistakes_in(None), "there is no answer here"),
        (lambda: seen1.mistakes_in(7), "must be a list of finite numbers"),
        (lambda: seen1.mistakes_in([0.5] * 6), "must be whole numbers"),
        (lambda: seen1.mistakes_in(map(int, range(6))), "must be a list"),
        (lambda: hw1.updates(3, *POINTS), "a function is asked for"),
        (lambda: hw1.updates(lambda *a: None, *POINTS), "is there a `return`?"),
        (lambda: hw1.updates(stub, *POINTS), "there is no answer here"),
        (lambda: hw1.updates(lambda *a: [9], *POINTS), "from 0 to 4"),
        (lambda: hw1.updates(lambda *a: [0], *UNIT), "y w·x = 0 "),
        (lambda: hw2.updates(lambda *a: [], *UNIT, 0.5), "y w·x/‖w‖ = 0 "),
        (lambda: hw1.room_left(lambda *a: [1e-15], *POINTS, [0]), "too small"),
        (lambda: hw1.room_left(lambda *a: [8 + 1e-14], *POINTS, [0]), "up to rounding"),
        (lambda: hw1.growth_with_threshold(lambda *a: "x", 1, 1), "must be a finite number"),
        (lambda: hw1.growth_with_threshold(lambda *a: 9, 1, 1), "more than is ever needed"),
        (lambda: seen1.tight_examples([[1]], [2]), "labels must be -1 and +1"),
        (lambda: seen1.tight_examples([[10**400]], [1]), "cannot hold exactly"),
        (lambda: seen1.tight_examples([[0.5]], [1]), "whole numbers from −1000 to 1000"),
        (lambda: seen1.separates_flowers(["1e9999999"] * 5), "must be a list of finite numbers"),
        (lambda: seen1.breaks_the_theorem([[1], [-1]], [-1, -1], [0.1], -(10**15)), "below 10¹⁵"),
        (lambda: seen1.separates_flowers([Fraction(1, 7**999)] * 5), "fewer digits"),
        (lambda: seen3.images(lambda x: x * 60, [[1, 2], [1, 1]]), "100 features"),
        (lambda: hw3.hinge(lambda *a: 1.0 / 3, *POINTS, [THIRD, 1], 1), "too small"),
    ],
)
def test_a_check_says_what_is_not_yet_right(check, sentence):
    with pytest.raises(NotYet, match=re.escape(sentence)):
        check()


def growth(R2, theta):
    return R2 + 2 * theta


@pytest.mark.parametrize("divided", [operator.truediv, operator.floordiv])
def test_the_largest_number_of_updates_may_be_rounded_down(divided, capsys):
    def most(R2, theta, gamma2):
        return divided(growth(R2, theta), gamma2)

    assert graded(seen1).question_5(growth, most) == 2
    seen1.question_5(growth, most)
    assert "Not yet" not in capsys.readouterr().out


def test_no_sentence_of_question_5_says_what_is_right(capsys):
    graded(seen1).question_5(lambda R2, theta: R2, lambda R2, theta, gamma2: R2 / gamma2)
    told = capsys.readouterr().out
    assert told.count("Not yet") == 2 and not re.search(r"\b(11|24|5/3|11/2|35/3)\b", told)


def test_roots_of_two_are_welcome_in_a_feature_map():
    def phi(x):
        return [x[0] ** 2, x[1] ** 2, 2**0.5 * x[0] * x[1], x[0], x[1]]

    assert graded(seen3).question_5(phi) == 3


def test_integers_of_numpy_are_as_good_as_others():
    def bound(X, y, u, g):
        X = [[Fraction(v) for v in x] for x in X]
        short = [g - int(s) * (u[0] * x[0] + u[1] * x[1]) for x, s in zip(X, y, strict=True)]
        R2 = max(a * a + b * b for a, b in X)
        total = sum(max(Fraction(0), v) for v in short)
        return R2 * (u[0] ** 2 + u[1] ** 2) / g**2 + 2 * total / g

    hw3.hinge(bound, *POINTS, [THIRD, Fraction(1)], Fraction(2))


class Remembers:
    """That function as the grader has it: its process can be ended."""

    def __init__(self):
        self.sandbox = SimpleNamespace(close=self.close)
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


# --- points in part ------------------------------------------------------------------------------


def ignores_the_limit(X, y, max_passes):
    return perceptron(X, y).updates.tolist()


def needs_an_update(X, y, updates):
    return hw1.rooms(X, y, updates)[0] or None


def needs_a_positive_one(X, y):
    keep, fits = hw2.conjunction_of(X, y)
    return sorted(keep) if fits and max(y) > 0 else "none fits"


def one_example_is_none(X, y, u, g):
    return hw3.noise_bound(X.astype(float), y, u, g)[0] if len(y) > 1 else Fraction(0)


def never_at_the_threshold(X, y, gamma):
    return margin_perceptron(X, y, gamma + 1e-9).updates.tolist()


@pytest.mark.parametrize(
    ("homework", "question", "answers", "points"),
    [
        (seen1, 1, [ignores_the_limit], 2),
        (seen1, 2, [needs_an_update], 1),
        (seen1, 5, [growth, stub], 1),
        (seen1, 7, [None, [1] * 100], 0),
        (seen2, 1, [never_at_the_threshold], 2),
        (seen2, 4, [needs_a_positive_one], 1),
        (seen3, 2, [one_example_is_none], 2),
    ],
)
def test_an_answer_that_is_right_but_for_a_special_case_keeps_most_points(
    homework, question, answers, points, capsys
):
    assert getattr(graded(homework), f"question_{question}")(*answers) == points
    assert "Not yet: " in capsys.readouterr().out


# --- before the grade ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("check", "sentence"),
    [
        (lambda: seen1.question_1(lambda *a: [0, 1]), "number 1 (the first is 0) is another one"),
        (lambda: seen1.question_1(lambda *a: [0]), "more must follow"),
        (lambda: seen1.question_1(ignores_the_limit), "Right: on the five points."),
        (lambda: seen1.question_1(lambda *a: ignores_the_limit(*a) * 2), "nothing must follow"),
        (lambda: seen1.question_1(lambda *a: [7]), "from 0 to 4"),
        (lambda: seen1.question_2(lambda *a: hw1.rooms(*a)[1]), "the longest example of all"),
        (
            lambda: seen1.question_2(lambda *a: [v + 1e-9 for v in hw1.rooms(*a)[0]]),
            "right up to rounding",
        ),
        (lambda: seen1.question_3([0, 1, 2, 3, 4, 5]), "Not yet: 1 mistake, this is not"),
        (lambda: seen1.question_5(growth, stub), "Right: for R² = 9 and θ = 1."),
        (lambda: seen1.question_5(lambda *a: 5, stub), "the lecture's R²"),
        (lambda: seen2.question_4(lambda X, y: [3, 0]), "with labels [1, -1, 1, 1], this is not"),
        (lambda: seen2.question_4(lambda X, y: "none fits"), "with labels [1, 1, -1, -1], this"),
        (lambda: seen2.question_4(needs_a_positive_one), "Right: on the two examples tried here."),
        (lambda: seen2.question_7([1, 2, 3]), "Not yet: all three numbers, this is not"),
        (lambda: seen2.question_7([63, 200, 40]), "Right: all three numbers."),
        (lambda: seen3.question_2(lambda *a: Fraction(1)), "Not yet: for the five points"),
    ],
)
def test_what_a_student_sees(check, sentence, capsys):
    check()
    assert sentence in capsys.readouterr().out


def test_an_error_of_the_students_is_shown_as_it_is():
    with pytest.raises(ZeroDivisionError):
        seen1.question_1(lambda *a: 1 / 0)
