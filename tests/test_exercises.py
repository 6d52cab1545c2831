"""Checkers pass every right answer, refuse wrong ones with a reason, and show no answer."""

import inspect
from fractions import Fraction

import numpy as np
import pytest

from perceptron_lib import exercises
from perceptron_lib.exercises import checker

SIX = [(0, 4), (3, -2), (-1, 3), (0, -3), (4, 1), (2, 4)]
CROSS = [[1, 1], [-1, -1], [1, -1], [-1, 1]], [1, 1, -1, -1]

RIGHT = {  # answers
    exercises.many_mistakes: [
        ([[5, -4], [4, -3], [-1, 0]], [1, -1, 1]), ([[-1, 2], [5, 2], [3, 1]], [-1, -1, 1]),
        ([[5, 4], [-4, -3]], [1, 1])],
    exercises.needs_a_bias: [
        ([[1, 0], [-1, 0], [0, 1]], [1, 1, -1]),
        ([[1e300, 0], [-1e300, 1e299], [0, 1e300]], [1, 1, -1])],
    exercises.proof_of_inseparability: [([2, 1, 1, 4, 0, 0],), (np.array([4.0, 3, 3, 9, 1, 0]),)],
    exercises.best_and_worst_order: [
        ([3, 0, 1, 2, 4], [4, 3, 2, 1, 0]), (np.array([3, 0, 1, 2, 4]), (4, 3, 2, 1, 0))],
    exercises.spoilt_by_unit_length: [([[4, -3], [-3, -2], [2, -2], [4, 0]], [1, 1, -1, -1])],
    exercises.bound_of_five_points: [(10,), (10**0.5 * 10**0.5,), (np.float32(10),)],
    exercises.as_many_as_allowed: [
        ([[1, 1], [1, -1]], [1, -1]), ([[2, 2], [2, -2], [2, 2]], [1, 1, 1])],
    exercises.far_fewer_than_allowed: [([[1, 0], [0.01, 0]], [1, 1])],
    exercises.too_close: [
        ([4, 0],), (np.array([4.0, 0.0]),), ([Fraction(4), np.int8(0)],), (iter([4, 0]),)],
    exercises.lazy_perceptron: [([[1, 0.001], [-1, 1]], [1, 1])],
    exercises.smallest_eps: [("2/5",), (Fraction(2, 5),)],
    exercises.no_conjunction_fits: [([[0, 0], [1, 1], [0, 1]], [1, 1, -1])],
    exercises.decision_list: [([(2, -1), (-1, 1), (3, 1)], -1)],
    exercises.examples_for_conjunctions: [(647,)],
    exercises.stream_without_survivor: [([2] * 10 + [1] + [2] * 9 + [0] + [2] * 9,)],
    exercises.risky_distribution: [(["79/100", "21/200", "21/200"],)],
    exercises.where_two_phases_win: [(86,)],
    exercises.hinge_by_hand: [(2,)],
    exercises.largest_step: [("3/14",), (np.array(3 / 14),)],
    exercises.not_convex: [(lambda x: -x * x, -1, 1, 0.5), (np.sin, 0, 3, 0.5)],
    exercises.flat_points: [([0.577, -0.577],)],
    exercises.alpha_by_hand: [([0, 0, 2, 0, 3],)],
    exercises.no_gram_matrix: [
        ([[1, 1, 0], [1, 1, 1], [0, 1, 1]], [2, -3, 2]),
        ([[2, 1.5, -1.5], [1.5, 2, 1.5], [-1.5, 1.5, 2]], [1, -1, 1])],
    exercises.removal_matters: [
        (SIX, [1, 1, -1, -1, 1, 1], 5),  # the notebook's points, but other labels
        ([(1, 4), (1, 3), (4, -4), (-4, 0), (0, 0)], [1, -1, -1, 1, -1], 2)],
    exercises.best_gamma: [(3,)],
    exercises.one_bad_example: [([[-50, 1], *[[5, 1]] * 9], [1] * 10, [1, 0])],
}  # fmt: skip

WRONG = {  # (what is said, *answer)
    exercises.many_mistakes: [
        ("makes 2 mistakes", [[1, 0], [0, 1], [1, 1]], [1, 1, 1]),
        ("no line through the origin", [[1, 0], [-1, 0]], [1, 1]), ("from −5 to 5", [[9, 0]], [1]),
        ("whole numbers", [[0.5, 1]], [1]), ("at most 3", [[1, 1]] * 4, [1] * 4),
        ("2 coordinates", [[1, 1, 1]], [1]), ("labels must be", [[1, 1]], [0])],
    exercises.needs_a_bias: [
        ("origin separates these already", [[1, 0], [0, 1]], [1, -1]),
        ("too easy", [[0, 0], [1, 1]], [1, -1]), ("same direction", [[1, 0], [2, 0]], [-1, 1]),
        ("both labels", [[1, 1], [-1, -1]], [1, 1]),
        ("even with a bias", *CROSS)],
    exercises.proof_of_inseparability: [
        ("proves nothing", [0] * 6), ("sums of the two classes differ", [1] * 6),
        ("same total weight", [1, 0, 0, 0, 0, 0]), ("negative", [-2, -1, -1, -4, 0, 0]),
        ("six weights", [1, 2]), ("whole numbers", [0.4, 0.3, 0.3, 0.9, 0.1, 0]),
        ("whole numbers", [np.nan] * 6), ("whole numbers", "proof")],
    exercises.best_and_worst_order: [
        ("another makes fewer", [0, 1, 2, 3, 4], [4, 3, 2, 1, 0]),
        ("another makes more", [3, 0, 1, 2, 4], [0, 1, 2, 3, 4]),
        ("each once", [0, 1, 2], [4, 3, 2, 1, 0]), ("each once", 3, "all"),
        ("each once", [[0], 1, 2, 3, 4], [4, 3, 2, 1, 0])],
    exercises.spoilt_by_unit_length: [
        ("same direction", [[1, 0], [2, 0]], [-1, 1]),
        ("scaled examples too", [[1, 0], [-2, 0]], [-1, 1]),
        ("even unscaled", *CROSS),
        ("too easy", [[0, 0], [1, 0]], [-1, 1])],
    exercises.bound_of_five_points: [
        ("check R", 4), ("more margin", 11), ("a number", float("nan")), ("positive", -1)],
    exercises.as_many_as_allowed: [
        ("coordinate is zero", [[1, 0], [0, 1]], [1, -1]),
        ("while (R/γ)²", [[1, 2], [1, -1]], [1, -1]), ("no w separates", [[1, 1], [1, 1]], [1, -1]),
        ("two mistakes", [[1, 1], [1, 1]], [1, 1]), ("two mistakes", [[1e200, 1e-200]], [1])],
    exercises.far_fewer_than_allowed: [
        ("times M = 2", [[1, 0], [0, 1]], [1, 1]),
        ("not converged", [[1, 0], [-1, 2**-10]], [1, 1]),
        ("no w separates", [[1, 0], [-1, 0]], [1, 1])],
    exercises.too_close: [
        ("the first 1 are right", [4, 2, 4]), ("the first 2 are right", [4, 0, 4]),
        ("the first 0 are right", []), ("list of example numbers", 4),
        ("list of example numbers", [4.9, 0.9]), ("list of example numbers", "40"),
        ("list of example numbers", [np.inf])],
    exercises.lazy_perceptron: [
        ("of the largest", [[1, 0], [0, 1]], [1, 1]),
        ("no line through the origin", [[1, 0], [-1, 0]], [1, 1]),
        ("not converged", [[1, 0], [-1, 2**-10]], [1, 1]),
        ("too large or too small", [[5e-324, 0], [0, 5e-324]], [1, 1])],
    exercises.smallest_eps: [
        ("a smaller ε", 0.5), ("a smaller ε", 0.403), ("more than 60", "1/3"), ("60.002", 0.39999),
        ("between 0 and 1", 2), ("a number", "small")],
    exercises.no_conjunction_fits: [
        ("fits them", [[0, 0], [1, 1]], [1, -1]), ("occurs twice", [[0, 0], [0, 0]], [1, -1]),
        ("two features", [[0, 0, 0]], [1]), ("0 and 1", [[2, 0]], [1])],
    exercises.decision_list: [
        ("wrong on 1 of 6", [(2, -1)], 1), ("rules are pairs", [(9, -1)], 1),
        ("rules are pairs", "x1", 1),
        ("rules are pairs", [(2.5, -1.7), (-1.5, 1.7), (3.5, 1.7)], -1.9),
        ("at most three rules", [(1, 1)] * 4, 1)],
    exercises.examples_for_conjunctions: [
        ("natural logarithms", 281), ("whole number", 646.5), ("rounded up", 646),
        ("a number", "1/0")],
    exercises.stream_without_survivor: [
        ("survives long enough", [2] * 30), ("is to be number 2", [0] * 30),
        ("30 entries", [0, 1, 2]), ("list of 0, 1 and 2", "abc"),
        ("list of 0, 1 and 2", [2.7] * 30)],
    exercises.risky_distribution: [
        ("above 0", ["8/9", "1/9", "0"]),
        ("chance of failure is 5.4297", ["39/50", "11/100", "11/100"]),
        ("chance of failure is 0.06", ["1/2", "1/4", "1/4"]), ("sum to exactly 1", [1, 1, 1]),
        ("write '0.8' or '4/5'", [0.8, 0.1, 0.1]), ("three fractions", ["a"]),
        ("three fractions", ["1e-99999999", "1/2", "1/2"])],
    exercises.where_two_phases_win: [
        ("fewer examples, or as many", 85), ("smaller M", 200), ("whole number", 1.5)],
    exercises.hinge_by_hand: [
        ("max(0, 1", 3), ("gives nothing back", 1.5), ("counts the wrong", 1), ("divide it", 4),
        ("ought to be 1", "1/2"), ("never below 0", -2), ("a number", "two")],
    exercises.largest_step: [
        ("just reverses the distance", "1/14"), ("a number", "x"), ("a number", "1e999999999")],
    exercises.not_convex: [
        ("is not above", lambda x: x * x, -1, 1, 0.5), ("must be a function", 3, -1, 1, 0.5),
        ("could not be computed", lambda x: 1 / x, -1, 1, 0.5),
        ("could not be computed", lambda x: x.no_such_thing, -1, 1, 0.5),
        ("could not be computed", lambda x: "1e999999999", -1, 1, 0.5),
        ("strictly between", lambda x: x, -1, 1, 2), ("must differ", lambda x: x, 1, 1, 0.5),
        ("is not above", lambda x: float(x), 1, 2, "1/3")],
    exercises.flat_points: [
        ("some are missing", [0.577]), ("slope is not 0", [-0.5768, 0.5779]),
        ("list of numbers", 3)],
    exercises.alpha_by_hand: [
        ("example 0 is still wrong", [0, 0, 0, 0, 0]), ("not every count", [1, 1, 1, 1, 1]),
        ("another number of updates", [2, 1, 1, 1, 1]), ("order 0, 1, 2, 3, 4", [1, 0, 1, 0, 2]),
        ("from example 0", [3, 0, 2, 0, 0]), ("never negative", [-1, 0, 2, 0, 3]),
        ("five numbers", [4]), ("list of five", 4), ("list of five", np.array(1)),
        ("list of five", "12345"), ("whole numbers", [0.9, 0.9, 2.9, 0.9, 3.9])],
    exercises.no_gram_matrix: [
        ("proves nothing", [[1, 0], [0, 1]], [1, -1]), ("diagonal", [[0, 1], [1, 0]], [1, -1]),
        ("as in the lesson", [[1, 2], [2, 1]], [1, -1]), ("β·Kβ is 0", [[1, 1], [1, 1]], [1, -1]),
        ("symmetric", [[1, 2], [3, 1]], [1, -1]), ("2 entries", [[1, 2], [2, 1]], [1])],
    exercises.removal_matters: [
        ("notebook's own", [*SIX, (0, -3)], [1, 1, 1, -1, 1, 1, -1], 5),
        ("each label must occur twice", SIX, [1, 1, 1, -1, 1, 1], 5),
        ("each label must occur twice", SIX, [-1, -1, -1, 1, -1, -1], 5),
        ("not 0", [[1, 0], [-1, 0], [2, 0], [-2, 0]], [1, -1, 1, -1], 0),
        ("R stays the same", [[1, 0], [-1, 0], [2, 0], [-2, 0]], [1, -1, 1, -1], 2),
        ("counts stay", [[1, 0], [-1, 0], [2, 0], [-1, 0]], [1, -1, 1, -1], 2),
        ("one of the examples", [[1, 0], [-1, 0]], [1, -1], 7)],
    exercises.best_gamma: [
        ("larger γ does better", 1), ("smaller γ does better", 3.001), ("this is 1/γ", "1/3"),
        ("above 0", 0), ("a number", "three")],
    exercises.one_bad_example: [
        ("makes 2 mistakes", [[1, 0], [0, 1], *[[1, 1]] * 8], [1] * 10, [1, 1]),
        ("wrong (or undecided) on 2", [[-1, 0], [-2, 0], *[[1, 0]] * 5], [1] * 7, [1, 0]),
        ("2 examples cannot", [[1, 0], [0, 1]], [1, 1], [1, 1]),
        ("two numbers", [[-1, 0]], [1], 3), ("two numbers", [[-1, 0]], [1], [1, 0, 0])],
}  # fmt: skip


def rows(table):
    return [(check, row) for check, answers in table.items() for row in answers]


@pytest.mark.parametrize(("check", "answer"), rows(RIGHT))
def test_right_answers_pass(check, answer):
    assert check(*answer).startswith("✓ Right: ")


@pytest.mark.parametrize(("check", "row"), rows(WRONG))
def test_wrong_answers_are_refused_with_a_reason(check, row):
    reason, *answer = row
    verdict = check(*answer)
    assert verdict.startswith("✗ Not yet: ") and reason in verdict and "\n" not in verdict


def test_no_answer_is_not_wrong():
    for check in RIGHT:
        parts = len(inspect.signature(check).parameters)
        assert check(*[None] * parts) == check(*[...] * parts)
        assert check(*[None] * parts).startswith("No answer yet. For a hint: exercises.hint(")
    half = exercises.many_mistakes([[1, 1]], None)
    assert half == "✗ Not yet: y is still to be filled in."


def test_every_checker_is_tested_both_ways():
    checkers = {f for f in vars(exercises).values() if hasattr(f, "__wrapped__")}
    assert len(checkers) == len(checker.HINTS)
    assert checkers == RIGHT.keys() == WRONG.keys()


# --- hints -----------------------------------------------------------------------------------


@pytest.mark.parametrize("exercise", sorted(checker.HINTS))
def test_an_exercise_has_two_hints_one_after_the_other(exercise):
    first, second, again = (exercises.hint(exercise) for _ in range(3))
    assert first.startswith("Hint 1 of 2: ") and second.startswith("Hint 2 of 2: ")
    assert first == again and len(set(checker.HINTS[exercise])) == 2
    assert all(hint.endswith((".", "?")) for hint in checker.HINTS[exercise])


def test_an_unknown_exercise_lists_those_that_there_are():
    with pytest.raises(ValueError, match=r"no exercise '99\.9'; those with hints are 01\.1"):
        exercises.hint("99.9")
