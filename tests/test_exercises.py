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
    exercises.run_by_hand: [([0, 2, 0, 1, 2],), (np.array([0, 2, 0, 1, 2]),)],
    exercises.many_mistakes: [
        ([[5, -4], [4, -3], [-1, 0]], [1, -1, 1]), ([[-1, 2], [5, 2], [3, 1]], [-1, -1, 1]),
        ([[5, 4], [-4, -3]], [1, 1])],
    exercises.needs_a_bias: [
        ([[1, 0], [-1, 0], [0, 1]], [1, 1, -1]),
        ([[1e300, 0], [-1e300, 1e299], [0, 1e300]], [1, 1, -1])],
    exercises.nearest_by_hand: [
        (["2/3", "1/3", 0],), ([2 / 3, 1 / 3, 0],), ((Fraction(2, 3), "1/3", 0.0),)],
    exercises.proof_of_inseparability: [([2, 1, 1, 4, 0, 0],), (np.array([4.0, 3, 3, 9, 1, 0]),)],
    exercises.best_and_worst_order: [
        ([3, 0, 1, 2, 4], [4, 3, 2, 1, 0]), (np.array([3, 0, 1, 2, 4]), (4, 3, 2, 1, 0))],
    exercises.spoilt_by_unit_length: [([[4, -3], [-3, -2], [2, -2], [4, 0]], [1, 1, -1, -1])],
    exercises.bound_of_four_points: [(5,), (5**0.5 * 5**0.5,), (np.float32(5),)],
    exercises.forged_table: [(4, 3, 1), (np.int64(4), 3.0, 1)],
    exercises.start_breaks_the_bound: [([-40, -20],), (np.array([-40.0, -40.0]),)],
    exercises.fewer_with_more: [
        ([[-2, 4], [-3, -2], [5, 4]], [1, 1, 1]), ([[5, 5], [-3, 1], [-4, 2]], [1, -1, 1])],
    exercises.two_constants: [(18, 6), ("18", 6.0), (np.float64(18), 6)],
    exercises.bits_for_a_billion: [(19, 2262757220), (19.0, 2262757220.0)],
    exercises.too_close: [
        ([3, 2, 3],), (np.array([3.0, 2.0, 3.0]),), ([Fraction(3), np.int8(2), 3],),
        (iter([3, 2, 3]),)],
    exercises.lazy_perceptron: [([[1, 0.001], [-1, 1]], [1, 1])],
    exercises.smallest_eps: [("2/5",), (Fraction(2, 5),), (0.4,)],
    exercises.decision_list: [
        ([(2, -1), (-1, 1), (3, 1)], -1), (np.array([[2, -1], [3, 1], [1, -1]]), 1)],
    exercises.examples_by_cnf: [(2865,), (2865.0,), (np.int64(2865),)],
    exercises.radon: [
        ([-1, 1, 1, 1, -1], [2, 3, 2, 1, 4]), ([1, -1, -1, -1, 1], np.array([4, 6, 4, 2, 8.0]))],
    exercises.longest_trial: [
        ([0] * 13 + [1] + [0] * 15 + [2] + [0] * 18,),
        (np.array([2] * 13 + [0] + [2, 0] * 7 + [0] + [1] * 30),)],
    exercises.risky_distribution: [(["79/100", "21/200", "21/200"],)],
    exercises.where_two_phases_win: [(86,)],
    exercises.hinge_by_hand: [(2,)],
    exercises.largest_step: [("3/14",), (np.array(3 / 14),)],
    exercises.off_the_line: [([2, -2, 4],), (np.array([-1, 2.5, 2.5]),), (["2/3", 0, "10/3"],)],
    exercises.another_subgradient: [([-0.5, -1],), (["-1/3", "-2/3"],)],
    exercises.alpha_by_hand: [([0, 0, 2, 0, 3],)],
    exercises.no_gram_matrix: [
        ([[1, 1, 0], [1, 1, 1], [0, 1, 1]], [2, -3, 2]),
        ([[2, 1.5, -1.5], [1.5, 2, 1.5], [-1.5, 1.5, 2]], [1, -1, 1])],
    exercises.removal_matters: [
        (SIX, [1, 1, -1, -1, 1, 1], 5),  # the notebook's points, but other labels
        ([(1, 4), (1, 3), (4, -4), (-4, 0), (0, 0)], [1, -1, -1, 1, -1], 2)],
    exercises.best_gamma: [(3,)],
    exercises.one_bad_example: [([[-50, 1], *[[5, 1]] * 9], [1] * 10, [1, 0])],
    exercises.classes_by_hand: [
        ([(1, "a"), (2, "a"), (0, "b"), (1, "a"), (0, "b")],),
        (([1.0, "a"], [2, "a"], [np.int8(0), "b"], [1, "a"], [0, "b"]),)],
    exercises.second_best_path: [([0, 0, 1, 2],), (np.array([0, 0, 1, 2]),)],
    exercises.greedy_goes_astray: [
        ([[1, 0], [0, 0]], [[0, 0], [0, 5]]), ([[0, 2], [1, 1]], [[9, 0], [1, 2]])],
}  # fmt: skip

WRONG = {  # (what is said, *answer)
    exercises.run_by_hand: [
        ("the first 2 are right; look again", [0, 2, 1]), ("the run is not over", [0, 2, 0]),
        ("the first 5 are right, and then no", [0, 2, 0, 1, 2, 0]), ("the first 0 are", [1, 2]),
        ("the first 1 is right; look", [0, 1]), ("the list is empty", []),
        ("numbered 0, 1 and 2", [1, 3, 1]), ("list of example numbers", "021")],
    exercises.nearest_by_hand: [
        ("for example 0: a step", ["1/2", "1/2", 0]), ("for example 1: a step", [1, 0, 0]),
        ("negative", ["4/3", "-1/3", 0]), ("sum to 5/6, not to 1", ["1/2", "1/3", 0]),
        ("three numbers", ["2/3", "1/3"]), ("three numbers", 1),
        ("three numbers", ["a", "b", "c"])],
    exercises.classes_by_hand: [
        ("the run goes on after mistake 1", [(1, "a")]), ("on another example", [(2, "a")]),
        ("another class has the highest score", [(1, "c")]),
        ("c is the right class of example 2", [(1, "a"), (2, "c")]),
        ("after 5 mistakes", [(1, "a"), (2, "a"), (0, "b"), (1, "a"), (0, "b"), (1, "a")]),
        ("number of an example", [("one", "a")]), ("there are 0, 1 and 2", [(3, "a")]),
        ("'a', 'b' or 'c'", [(1, "d")]), ("list of pairs", [1, 2]), ("list of pairs", "1a"),
        ("the list is empty", [])],
    exercises.second_best_path: [
        ("the best path itself", [0, 0, 0, 1]),
        ("its sum is 14, and besides the best path 1 other reached more", [0, 0, 1, 1]),
        ("each 0, 1 or 2", [0, 0, 1, 3]), ("four labels", [0, 0]), ("four labels", "0012")],
    exercises.greedy_goes_astray: [
        ("no path has more", [[1, 0], [0, 3]], [[1, 0], [0, 1]]),
        ("each place is on its own", [[1, 0], [0, 3]], [[0, 0], [0, 0]]),
        ("first place greedy has a tie", [[1, 1], [0, 3]], [[1, 0], [0, 1]]),
        ("2 rows and 2 columns", [[1, 0]], [[1, 0], [0, 9]]),
        ("from −9 to 9", [[10, 0], [0, 1]], [[1, 0], [0, 9]]),
        ("scores must be", "scores", [[1, 0], [0, 9]])],
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
        ("proves nothing", [0] * 6), ("classes differ by (−5, −1)", [1] * 6),
        ("same total of multipliers", [1, 0, 0, 0, 0, 0]), ("negative", [-2, -1, -1, -4, 0, 0]),
        ("six numbers", [1, 2]), ("whole numbers", [0.4, 0.3, 0.3, 0.9, 0.1, 0]),
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
    exercises.bound_of_four_points: [
        ("still to be squared", 5**0.5), ("the other way up", "1/5"), ("longest of the four", 2),
        ("has so much margin", 4), ("another separator has more", 25), ("a number", float("nan")),
        ("positive", -1)],
    exercises.forged_table: [
        ("asks for 2, and w·u gains 2: that is possible", 2, 3, 1),
        ("allows 40, and ‖w‖² gains 40: that is possible", 4, 2, 1),
        ("(w·u)² is 169, and ‖w‖² is 169: that is possible", 4, 3, 5),
        ("number of an update", 4, 6, 1), ("number of an update", 4, 3, "1"),
        ("claim_1 is still to be filled in", None, 3, 1)],
    exercises.start_breaks_the_bound: [
        ("5, is not even broken", [0, 0]), ("but not 12", [-20, 40]), ("−40 to 40", [0, 41]),
        ("two whole numbers", [1.5, 0]), ("two whole numbers", [1, 2, 3])],
    exercises.fewer_with_more: [
        ("it saves nothing", [[1, 0], [0, 1]], [1, 1]),
        ("save five or more", [[1, 1], [1, 0], [0, 1]], [1, 1, 1]),
        ("nothing is left", [[1, 1]], [1]), ("no w separates", [[1, 1], [1, 1]], [1, -1]),
        ("from −5 to 5", [[9, 0], [0, 1]], [1, 1]), ("2 coordinates", [[1, 1, 1]], [1]),
        ("at most 4", [[1, 1]] * 5, [1] * 5)],
    exercises.two_constants: [
        ("another constant than 2", 2, 6), ("the bound is 1369/γ²", 1, 6), ("above 0", -18, 6),
        ("a larger constant", 18, 5), ("a smaller constant", 18, "13/2"), ("a number", "R", 6)],
    exercises.bits_for_a_billion: [
        ("not above a billion", 10, 215391), ("18 bits the bound is not above", 18, 821081523),
        ("the bound is R²/γ²", 22, 1), ("one bit less", 20, 1), ("one bit less", 23, 1),
        ("multiplied by R²", 19, 113137861), ("not the number of bits", 19, 2149619359),
        ("19 bits are right", 19, 10**9), ("whole number", 19.5, 1), ("whole number", 0, 1),
        ("far too many", 10**6, 1), ("a number", "many", 1), ("a number", 19, "large"),
        ("bound is still to be filled in", 19, None)],
    exercises.too_close: [
        ("look again at entry 2 of your list.", [3, 3, 2]),
        ("over before the end", [3, 2, 3, 0]), ("not over yet.", []), ("entry 1", [2]),
        ("these are the mistakes", [3, 2]), ("the start is no update", [0, 3, 2, 3]),
        ("entry 1 of your list, and at what a distance of exactly 1 means", [1]),
        ("numbered from 0 to 3", [4, 0]), ("list of example numbers", 4),
        ("list of example numbers", [4.9, 0.9]), ("list of example numbers", "40"),
        ("list of example numbers", [np.inf])],
    exercises.lazy_perceptron: [
        ("of the largest", [[1, 0], [0, 1]], [1, 1]),
        ("no line through the origin", [[1, 0], [-1, 0]], [1, 1]),
        ("not converged", [[1, 0], [-1, 2**-10]], [1, 1]),
        ("too large or too small", [[5e-324, 0], [0, 5e-324]], [1, 1])],
    exercises.smallest_eps: [
        ("a smaller ε will do: here the bound is below 60, by 20", 0.5), ("a smaller ε", 0.403),
        ("the bound is above 60, by 24", "1/3"), ("above 60, by 0.00275", 0.39999),
        ("by 160", 0.2), ("between 0 and 1", 2), ("a number", "small")],
    exercises.decision_list: [
        ("wrong on 100.", [(2, -1)], 1), ("wrong on 001, 101, 000.", [(2, -1)], -1),
        ("rules are pairs", [(9, -1)], 1), ("rules are pairs", "x1", 1),
        ("rules are pairs", [(2.5, -1.7), (-1.5, 1.7), (3.5, 1.7)], -1.9),
        ("at most three rules", [(1, 1)] * 4, 1)],
    exercises.examples_by_cnf: [
        ("single literal count", 2588), ("natural ones", 4133), ("δ is missing", 2773),
        ("more to count than 20", 370), ("not the pairs of terms", 532),
        ("|H| = 200, the number of clauses", 199), ("x1 ∨ ¬x1 does not count", 3004),
        ("more than that", 2000), ("fewer are enough", 3000), ("whole number", 2864.7),
        ("positive", -5), ("a number", "1/0")],
    exercises.radon: [
        ("some plane gives", [1, 1, 1, 1, -1], [1, 1, 1, 1, 1]),
        ("is (−4, 0, 0, 0)", [-1, 1, 1, 1, -1], [1, 2, 2, 1, 4]),
        ("five whole numbers", [-1, 1, 1, 1, -1], [0] * 5),
        ("five whole numbers", [-1, 1, 1, 1, -1], [-2, 3, 2, 1, 4]),
        ("five whole numbers", [-1, 1, 1, 1, -1], [0.5, 0.75, 0.5, 0.25, 1]),
        ("labels must be", [1, 0, 1, 1, 1], [1] * 5), ("filled in", [-1, 1, 1, 1, -1], None)],
    exercises.longest_trial: [
        ("h_2 is output after 14 examples", [2] * 30),
        ("ends before any of 3 hypotheses", [2, 2, 1]), ("a list of at most", []),
        ("h_3 is output after 18 examples, before all", [0, 1] + [0] * 40),
        ("h_4 is output after 21 examples; an earlier trial", [0, 1, 2] + [0] * 40),
        ("a list of at most", "abc"), ("a list of at most", [2.7] * 30),
        ("a list of at most", [0, 3]), ("a list of at most", [0] * 1001)],
    exercises.risky_distribution: [
        ("above 0", ["8/9", "1/9", "0"]),
        ("chance of failure is 5.4297", ["39/50", "11/100", "11/100"]),
        ("exactly 1/10 is not above", ["8/10", "1/10", "1/10"]),
        ("chance of failure is almost 0.", ["98/100", "1/100", "1/100"]),
        ("chance of failure is 0.06", ["1/2", "1/4", "1/4"]), ("sum to exactly 1", [1, 1, 1]),
        ("write '0.8' or '4/5'", [0.8, 0.1, 0.1]), ("three fractions", ["a"]),
        ("three fractions", ["1e-99999999", "1/2", "1/2"])],
    exercises.where_two_phases_win: [
        ("fewer examples, or as many", 85), ("smaller M", 200), ("whole number", 1.5)],
    exercises.hinge_by_hand: [
        ("max(0, 1", 3), ("gives nothing back", 1.5), ("counts the wrong", 1), ("divide it", 4),
        ("ought to be 1", "1/2"), ("never below 0", -2), ("a number", "two")],
    exercises.largest_step: [
        ("reaches the minimum at once", "3/28"), ("slightly longer ones", "1/14"),
        ("by ~−8.333, so it moves away", 1), ("above 0", -1), ("a number", "x"),
        ("a number", "1e999999999")],
    exercises.off_the_line: [
        ("lie on the line", [0, 1, 3]), ("sum to 1, so another intercept", [1, 1, 3]),
        ("products with x sum to −1", [1, 0, 3]), ("three numbers", 3), ("three numbers", [1, 2])],
    exercises.another_subgradient: [
        ("excluded", [0, 0]), ("excluded", [-1, -2]),
        ("at v = (−1, 1) the plane has height 2, above the loss 0", [-1, 0]),
        ("at v = (3, −1) the plane has height 1, above the loss 0", [0, -1]),
        ("at v = (2, 2) the plane has height 5, above the loss 0", [1, 2]),
        ("at v = (0, −2) the plane has height 10, above the loss 5", [-2, -4]),
        ("two numbers", [1]), ("two numbers", "x")],
    exercises.alpha_by_hand: [
        ("example 0 is still wrong", [0, 0, 0, 0, 0]), ("not every count", [1, 1, 1, 1, 1]),
        ("another number of updates", [2, 1, 1, 1, 1]), ("order 0, 1, 2, 3, 4", [1, 0, 1, 0, 2]),
        ("from example 0", [3, 0, 2, 0, 0]), ("never negative", [-1, 0, 2, 0, 3]),
        ("the order of the updates", [4, 2, 4, 2, 4]),
        ("five numbers", [4]), ("list of five", 4), ("list of five", np.array(1)),
        ("list of five", "12345"), ("whole numbers", [0.9, 0.9, 2.9, 0.9, 3.9])],
    exercises.no_gram_matrix: [
        ("proves nothing", [[1, 0], [0, 1]], [1, -1]), ("diagonal", [[0, 1], [1, 0]], [1, -1]),
        ("as in the lesson", [[1, 2], [2, 1]], [1, -1]), ("β·Kβ is 0", [[1, 1], [1, 1]], [1, -1]),
        ("symmetric", [[1, 2], [3, 1]], [1, -1]), ("2 entries", [[1, 2], [2, 1]], [1])],
    exercises.removal_matters: [
        ("contains the notebook's own", [*SIX, (0, -3)], [1, 1, 1, -1, 1, 1, -1], 5),
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
    said = check(*answer)
    assert said.startswith("✓ Right: ") and said.endswith(".") and not said.endswith("..")


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
    unended = [hint for hint in checker.HINTS[exercise] if not hint.endswith((".", "?"))]
    assert unended == [], "a hint must end with . or ?"


def test_an_unknown_exercise_lists_those_that_there_are():
    with pytest.raises(ValueError, match=r"no exercise '99\.1'; those with hints are ") as refused:
        exercises.hint("99.1")
    assert str(refused.value).endswith(" are " + ", ".join(sorted(checker.HINTS)))
