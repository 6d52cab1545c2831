"""Checkers pass every right answer, refuse wrong ones with a reason, and show no answer."""

import inspect
from fractions import Fraction

import numpy as np
import pytest

from perceptron_lib import exercises

RIGHT = [
    (exercises.many_mistakes, ([[5, -4], [4, -3], [-1, 0]], [1, -1, 1])),
    (exercises.many_mistakes, ([[-1, 2], [5, 2], [3, 1]], [-1, -1, 1])),
    (exercises.many_mistakes, ([[5, 4], [-4, -3]], [1, 1])),
    (exercises.needs_a_bias, ([[1, 0], [-1, 0], [0, 1]], [1, 1, -1])),
    (exercises.needs_a_bias, ([[1e300, 0], [-1e300, 1e299], [0, 1e300]], [1, 1, -1])),
    (exercises.proof_of_inseparability, ([2, 1, 1, 4, 0, 0],)),
    (exercises.proof_of_inseparability, (np.array([4.0, 3, 3, 9, 1, 0]),)),
    (exercises.best_and_worst_order, ([3, 0, 1, 2, 4], [4, 3, 2, 1, 0])),
    (exercises.spoilt_by_unit_length, ([[4, -3], [-3, -2], [2, -2], [4, 0]], [1, 1, -1, -1])),
    (exercises.bound_of_five_points, (10,)),
    (exercises.bound_of_five_points, (10**0.5 * 10**0.5,)),
    (exercises.bound_of_five_points, (np.float32(10),)),
    (exercises.as_many_as_allowed, ([[1, 1], [1, -1]], [1, -1])),
    (exercises.as_many_as_allowed, ([[2, 2], [2, -2], [2, 2]], [1, 1, 1])),
    (exercises.far_fewer_than_allowed, ([[1, 0], [0.01, 0]], [1, 1])),
    (exercises.too_close, ([4, 0],)),
    (exercises.too_close, (np.array([4.0, 0.0]),)),
    (exercises.too_close, ([Fraction(4), np.int8(0)],)),
    (exercises.too_close, (iter([4, 0]),)),
    (exercises.best_and_worst_order, (np.array([3, 0, 1, 2, 4]), (4, 3, 2, 1, 0))),
    (exercises.lazy_perceptron, ([[1, 0.001], [-1, 1]], [1, 1])),
    (exercises.smallest_eps, ("2/5",)),
    (exercises.smallest_eps, (Fraction(2, 5),)),
    (exercises.no_conjunction_fits, ([[0, 0], [1, 1], [0, 1]], [1, 1, -1])),
    (exercises.decision_list, ([(2, -1), (-1, 1), (3, 1)], -1)),
    (exercises.examples_for_conjunctions, (647,)),
    (exercises.stream_without_survivor, ([2] * 10 + [1] + [2] * 9 + [0] + [2] * 9,)),
    (exercises.risky_distribution, (["79/100", "21/200", "21/200"],)),
    (exercises.where_two_phases_win, (86,)),
    (exercises.hinge_by_hand, (2,)),
    (exercises.largest_step, ("3/14",)),
    (exercises.largest_step, (np.array(3 / 14),)),
    (exercises.not_convex, (lambda x: -x * x, -1, 1, 0.5)),
    (exercises.not_convex, (np.sin, 0, 3, 0.5)),
    (exercises.flat_points, ([0.577, -0.577],)),
    (exercises.alpha_by_hand, ([0, 0, 2, 0, 3],)),
    (exercises.no_gram_matrix, ([[1, 2], [2, 1]], [1, -1])),
    (
        exercises.removal_matters,  # the notebook's points, but other labels
        ([(0, 4), (3, -2), (-1, 3), (0, -3), (4, 1), (2, 4)], [1, 1, -1, -1, 1, 1], 5),
    ),
    (
        exercises.removal_matters,
        ([(1, 4), (1, 3), (4, -4), (-4, 0), (0, 0)], [1, -1, -1, 1, -1], 2),
    ),
    (exercises.best_gamma, (3,)),
    (exercises.one_bad_example, ([[-50, 1], *[[5, 1]] * 9], [1] * 10, [1, 0])),
]

WRONG = [
    (exercises.many_mistakes, ([[1, 0], [0, 1], [1, 1]], [1, 1, 1]), "makes 2 mistakes"),
    (exercises.many_mistakes, ([[1, 0], [-1, 0]], [1, 1]), "no line through the origin"),
    (exercises.many_mistakes, ([[9, 0]], [1]), "from −5 to 5"),
    (exercises.many_mistakes, ([[0.5, 1]], [1]), "whole numbers"),
    (exercises.many_mistakes, ([[1, 1]] * 4, [1] * 4), "at most 3"),
    (exercises.many_mistakes, ([[1, 1, 1]], [1]), "2 coordinates"),
    (exercises.many_mistakes, ([[1, 1]], [0]), "labels must be"),
    (exercises.needs_a_bias, ([[1, 0], [0, 1]], [1, -1]), "origin separates these already"),
    (exercises.needs_a_bias, ([[0, 0], [1, 1]], [1, -1]), "too easy"),
    (exercises.needs_a_bias, ([[1, 0], [2, 0]], [-1, 1]), "same direction"),
    (exercises.needs_a_bias, ([[1, 1], [-1, -1]], [1, 1]), "both labels"),
    (
        exercises.needs_a_bias,
        ([[1, 1], [-1, -1], [1, -1], [-1, 1]], [1, 1, -1, -1]),
        "even with a bias",
    ),
    (exercises.proof_of_inseparability, ([0] * 6,), "proves nothing"),
    (exercises.proof_of_inseparability, ([1] * 6,), "sums of the two classes differ"),
    (exercises.proof_of_inseparability, ([1, 0, 0, 0, 0, 0],), "same total weight"),
    (exercises.proof_of_inseparability, ([-2, -1, -1, -4, 0, 0],), "negative"),
    (exercises.proof_of_inseparability, ([1, 2],), "six weights"),
    (exercises.proof_of_inseparability, ([0.4, 0.3, 0.3, 0.9, 0.1, 0],), "whole numbers"),
    (exercises.proof_of_inseparability, ([np.nan] * 6,), "whole numbers"),
    (exercises.proof_of_inseparability, ("proof",), "whole numbers"),
    (exercises.best_and_worst_order, ([0, 1, 2, 3, 4], [4, 3, 2, 1, 0]), "another makes fewer"),
    (exercises.best_and_worst_order, ([3, 0, 1, 2, 4], [0, 1, 2, 3, 4]), "another makes more"),
    (exercises.best_and_worst_order, ([0, 1, 2], [4, 3, 2, 1, 0]), "each once"),
    (exercises.best_and_worst_order, (3, "all"), "each once"),
    (exercises.spoilt_by_unit_length, ([[1, 0], [2, 0]], [-1, 1]), "same direction"),
    (exercises.spoilt_by_unit_length, ([[1, 0], [-2, 0]], [-1, 1]), "scaled examples too"),
    (
        exercises.spoilt_by_unit_length,
        ([[1, 1], [-1, -1], [1, -1], [-1, 1]], [1, 1, -1, -1]),
        "even unscaled",
    ),
    (exercises.spoilt_by_unit_length, ([[0, 0], [1, 0]], [-1, 1]), "too easy"),
    (exercises.bound_of_five_points, (4,), "check R"),
    (exercises.bound_of_five_points, (11,), "more margin"),
    (exercises.bound_of_five_points, (float("nan"),), "a number"),
    (exercises.bound_of_five_points, (-1,), "positive"),
    (exercises.as_many_as_allowed, ([[1, 0], [0, 1]], [1, -1]), "coordinate is zero"),
    (exercises.as_many_as_allowed, ([[1, 2], [1, -1]], [1, -1]), "while (R/γ)²"),
    (exercises.as_many_as_allowed, ([[1, 1], [1, 1]], [1, -1]), "no w separates"),
    (exercises.as_many_as_allowed, ([[1, 1], [1, 1]], [1, 1]), "two mistakes"),
    (exercises.as_many_as_allowed, ([[1e200, 1e-200]], [1]), "two mistakes"),
    (exercises.far_fewer_than_allowed, ([[1, 0], [0, 1]], [1, 1]), "times M = 2"),
    (exercises.far_fewer_than_allowed, ([[1, 0], [-1, 2**-10]], [1, 1]), "not converged"),
    (exercises.far_fewer_than_allowed, ([[1, 0], [-1, 0]], [1, 1]), "no w separates"),
    (exercises.too_close, ([4, 2, 4],), "the first 1 are right"),
    (exercises.too_close, ([4, 0, 4],), "the first 2 are right"),
    (exercises.too_close, ([],), "the first 0 are right"),
    (exercises.too_close, (4,), "list of example numbers"),
    (exercises.too_close, ([4.9, 0.9],), "list of example numbers"),
    (exercises.too_close, ("40",), "list of example numbers"),
    (exercises.too_close, ([np.inf],), "list of example numbers"),
    (exercises.best_and_worst_order, ([[0], 1, 2, 3, 4], [4, 3, 2, 1, 0]), "each once"),
    (
        exercises.removal_matters,
        ([(0, 4), (3, -2), (-1, 3), (0, -3), (4, 1), (2, 4), (0, -3)], [1, 1, 1, -1, 1, 1, -1], 5),
        "notebook's own",
    ),
    (exercises.lazy_perceptron, ([[1, 0], [0, 1]], [1, 1]), "of the largest"),
    (exercises.lazy_perceptron, ([[1, 0], [-1, 0]], [1, 1]), "no line through the origin"),
    (exercises.lazy_perceptron, ([[1, 0], [-1, 2**-10]], [1, 1]), "not converged"),
    (exercises.lazy_perceptron, ([[5e-324, 0], [0, 5e-324]], [1, 1]), "too large or too small"),
    (exercises.smallest_eps, (0.5,), "a smaller ε"),
    (exercises.smallest_eps, (0.403,), "a smaller ε"),
    (exercises.smallest_eps, ("1/3",), "more than 60"),
    (exercises.smallest_eps, (0.39999,), "60.002"),
    (exercises.smallest_eps, (2,), "between 0 and 1"),
    (exercises.smallest_eps, ("small",), "a number"),
    (exercises.no_conjunction_fits, ([[0, 0], [1, 1]], [1, -1]), "fits them"),
    (exercises.no_conjunction_fits, ([[0, 0], [0, 0]], [1, -1]), "occurs twice"),
    (exercises.no_conjunction_fits, ([[0, 0, 0]], [1]), "two features"),
    (exercises.no_conjunction_fits, ([[2, 0]], [1]), "0 and 1"),
    (exercises.decision_list, ([(2, -1)], 1), "wrong on 1 of 6"),
    (exercises.decision_list, ([(9, -1)], 1), "rules are pairs"),
    (exercises.decision_list, ("x1", 1), "rules are pairs"),
    (exercises.decision_list, ([(2.5, -1.7), (-1.5, 1.7), (3.5, 1.7)], -1.9), "rules are pairs"),
    (exercises.decision_list, ([(1, 1)] * 4, 1), "at most three rules"),
    (exercises.examples_for_conjunctions, (281,), "natural logarithms"),
    (exercises.examples_for_conjunctions, (646.5,), "whole number"),
    (exercises.examples_for_conjunctions, (646,), "rounded up"),
    (exercises.examples_for_conjunctions, ("1/0",), "a number"),
    (exercises.risky_distribution, (["8/9", "1/9", "0"],), "above 0"),
    (exercises.stream_without_survivor, ([2] * 30,), "survives long enough"),
    (exercises.stream_without_survivor, ([0] * 30,), "is to be number 2"),
    (exercises.stream_without_survivor, ([0, 1, 2],), "30 entries"),
    (exercises.stream_without_survivor, ("abc",), "list of 0, 1 and 2"),
    (exercises.stream_without_survivor, ([2.7] * 30,), "list of 0, 1 and 2"),
    (exercises.risky_distribution, (["39/50", "11/100", "11/100"],), "chance of failure is 5.4297"),
    (exercises.risky_distribution, (["1/2", "1/4", "1/4"],), "chance of failure is 0.06"),
    (exercises.risky_distribution, ([1, 1, 1],), "sum to exactly 1"),
    (exercises.risky_distribution, ([0.8, 0.1, 0.1],), "write '0.8' or '4/5'"),
    (exercises.risky_distribution, (["a"],), "three fractions"),
    (exercises.where_two_phases_win, (85,), "fewer examples, or as many"),
    (exercises.where_two_phases_win, (200,), "smaller M"),
    (exercises.where_two_phases_win, (1.5,), "whole number"),
    (exercises.hinge_by_hand, (1,), "max(0, 1"),
    (exercises.largest_step, ("1/14",), "just reverses the distance"),
    (exercises.largest_step, ("x",), "a number"),
    (exercises.largest_step, ("1e999999999",), "a number"),
    (exercises.risky_distribution, (["1e-99999999", "1/2", "1/2"],), "three fractions"),
    (exercises.not_convex, (lambda x: x * x, -1, 1, 0.5), "is not above"),
    (exercises.not_convex, (3, -1, 1, 0.5), "must be a function"),
    (exercises.not_convex, (lambda x: 1 / x, -1, 1, 0.5), "could not be computed"),
    (exercises.not_convex, (lambda x: x.no_such_thing, -1, 1, 0.5), "could not be computed"),
    (exercises.not_convex, (lambda x: "1e999999999", -1, 1, 0.5), "could not be computed"),
    (exercises.not_convex, (lambda x: x, -1, 1, 2), "strictly between"),
    (exercises.not_convex, (lambda x: x, 1, 1, 0.5), "must differ"),
    (exercises.not_convex, (lambda x: float(x), 1, 2, "1/3"), "is not above"),
    (exercises.flat_points, ([0.577],), "some are missing"),
    (exercises.flat_points, ([-0.5768, 0.5779],), "slope is not 0"),
    (exercises.flat_points, (3,), "list of numbers"),
    (exercises.alpha_by_hand, ([1, 0, 1, 0, 1],), "do not add up"),
    (exercises.alpha_by_hand, ([1, 1, 1, 1, 1],), "not every count"),
    (exercises.alpha_by_hand, ([4],), "five numbers"),
    (exercises.alpha_by_hand, (4,), "list of five"),
    (exercises.alpha_by_hand, (np.array(1),), "list of five"),
    (exercises.alpha_by_hand, ("12345",), "list of five"),
    (exercises.alpha_by_hand, ([0.9, 0.9, 2.9, 0.9, 3.9],), "whole numbers"),
    (
        exercises.removal_matters,
        ([(0, 4), (3, -2), (-1, 3), (0, -3), (4, 1), (2, 4)], [1, 1, 1, -1, 1, 1], 5),
        "each label must occur twice",
    ),
    (
        exercises.removal_matters,
        ([(0, 4), (3, -2), (-1, 3), (0, -3), (4, 1), (2, 4)], [-1, -1, -1, 1, -1, -1], 5),
        "each label must occur twice",
    ),
    (exercises.no_gram_matrix, ([[1, 0], [0, 1]], [1, -1]), "not below 0"),
    (exercises.no_gram_matrix, ([[0, 1], [1, 0]], [1, -1]), "diagonal"),
    (exercises.no_gram_matrix, ([[1, 2], [3, 1]], [1, -1]), "symmetric"),
    (exercises.no_gram_matrix, ([[1, 2], [2, 1]], [1]), "2 entries"),
    (exercises.removal_matters, ([[1, 0], [-1, 0], [2, 0], [-2, 0]], [1, -1, 1, -1], 0), "not 0"),
    (
        exercises.removal_matters,
        ([[1, 0], [-1, 0], [2, 0], [-2, 0]], [1, -1, 1, -1], 2),
        "stay as they were",
    ),
    (exercises.removal_matters, ([[1, 0], [-1, 0]], [1, -1], 7), "one of the examples"),
    (exercises.best_gamma, (1,), "another γ"),
    (exercises.best_gamma, (0,), "above 0"),
    (exercises.one_bad_example, ([[1, 0], [0, 1]], [1, 1], [1, 1]), "makes 2 mistakes"),
    (exercises.one_bad_example, ([[-1, 0], [-2, 0]], [1, 1], [1, 0]), "wrong (or undecided) on 2"),
    (exercises.one_bad_example, ([[-1, 0]], [1], 3), "two numbers"),
    (exercises.one_bad_example, ([[-1, 0]], [1], [1, 0, 0]), "two numbers"),
]


@pytest.mark.parametrize(("check", "answer"), RIGHT)
def test_right_answers_pass(check, answer):
    assert check(*answer).startswith("Right: ")


@pytest.mark.parametrize(("check", "answer", "reason"), WRONG)
def test_wrong_answers_are_refused_with_a_reason(check, answer, reason):
    verdict = check(*answer)
    assert verdict.startswith("Not yet: ") and reason in verdict and "\n" not in verdict


def test_no_answer_is_not_wrong():
    for check in {check for check, _ in RIGHT}:
        parts = len(inspect.signature(check).parameters)
        assert check(*[None] * parts) == check(*[...] * parts) == "No answer yet."
    half = exercises.many_mistakes([[1, 1]], None)
    assert half == "Not yet: y is still to be filled in."


def test_every_checker_is_tested_both_ways():
    checkers = {name for name, f in vars(exercises).items() if hasattr(f, "__wrapped__")}
    assert checkers == {check.__name__ for check, _ in RIGHT}
    assert checkers == {check.__name__ for check, _, _ in WRONG}
