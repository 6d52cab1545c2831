"""Checkers pass every right answer, refuse wrong ones with a reason, and show no answer."""

import inspect
import itertools
import subprocess
import sys
import time
from fractions import Fraction

import numpy as np
import pytest

from perceptron_lib import Inseparable, exercises, perceptron, separate, with_bias
from perceptron_lib.lessons import noise
from perceptron_lib.lessons.survivors import trial_length
from tests.rooms import CHECKERS
from tests.test_checks import JUNK
from tools import teaching
from tools.refresh import NOTEBOOKS, read

CHECKS = {check.__name__: check for check in CHECKERS.values()}
CROSS = [[1, 1], [-1, -1], [1, -1], [-1, 1]], [1, 1, -1, -1]


def half_of_the_margin(X, y):
    w, added, before = 0 * X[0], [], -1
    while before != len(added):
        before = len(added)
        for i, z in enumerate(y[:, None] * X):
            if not w.any() or 2 * len(added) * (z @ w) < w @ w:
                w = w + z
                added.append(i)
    return added


def averaged_classes(returned="total"):
    """The solution of exercise 11.1, but for what it returns."""
    code, names = teaching.sections("solutions")["11.1"].body.split("```")[1], {}
    exec(code.removeprefix("python").replace("return total", f"return {returned}"), names)
    return names["sum_of_weights"]


def loop(*lines):
    """The loop that lesson 1 asks for, with these lines at a mistake."""
    cells = read((NOTEBOOKS / "01_algorithm.ipynb").read_text("utf-8")).cells
    (skeleton,) = [cell.source for cell in cells if cell.id == "skeleton"]
    before, dots, after = skeleton.partition("...")
    names = {"np": np}
    exec(before + f"\n{' ' * 16}".join(lines or [dots]) + after, names)
    return names["my_loop"]


CHANGE, NOTE, UNCLEAN = "w = w + y[i] * X[i]", "updates.append((i, w))", "clean = False"
RIGHT_LOOP = loop(CHANGE, NOTE, UNCLEAN)
FOREVER = "on the five points your loop runs through 20,000 lines of code and notes no update"


def is_certificate(k, X, y):
    return min(k) >= 0 and any(k) and not (k * y @ with_bias(X)).any()


def first_survivor(length):
    def grow(X, y, eps, delta):
        w, streak, k = 0 * X[0], 0, 1
        for z in y[:, None] * X:
            streak += 1
            if z @ w <= 0:
                w, streak, k = w + z, 0, k + 1
            if streak >= length(k, eps, delta):
                break
        return w
    return grow


def vote_of_directions(X, y, x):
    turn = np.linspace(0, 2 * np.pi, 720)
    W = np.column_stack([np.cos(turn), np.sin(turn)])
    for seen, label in zip(X, y, strict=True):
        W = W[label * (W @ seen) > 0]
    return 1 if np.mean(W @ x > 0) > 0.5 else -1


RIGHT = {  # answers
    "write_the_loop": [(RIGHT_LOOP,),
        (loop(UNCLEAN, "w = X[i] * y[i] + w", "updates += [(np.int64(i), w.tolist())]"),)],
    "run_by_hand": [([0, 2, 0, 1, 2],), (np.array([0, 2, 0, 1, 2]),)],
    "many_mistakes": [([[-1, 2], [5, 2], [3, 1]], [-1, -1, 1]), ([[5, 4], [-4, -3]], [1, 1])],
    "needs_a_bias": [([[1, 0], [-1, 0], [0, 1]], [1, 1, -1]),
        ([[1e300, 0], [-1e300, 1e299], [0, 1e300]], [1, 1, -1])],
    "nearest_by_hand": [([2 / 3, 1 / 3, 0],), ((Fraction(2, 3), "1/3", 0.0),)],
    "proof_of_inseparability": [(is_certificate, [2, 1, 1, 4, 0, 0]),
        (lambda k, X, y: (k > 0).any() and not (k < 0).any() and not (y * k @ with_bias(X)).any(),
         np.array([4.0, 3, 3, 9, 1, 0]))],
    "best_and_worst_order": [(np.array([3, 0, 1, 2, 4]), (4, 3, 2, 1, 0))],
    "spoilt_by_unit_length": [([[4, -3], [-3, -2], [2, -2], [4, 0]], [1, 1, -1, -1])],
    "bound_of_four_points": [(10,), (10**0.5 * 10**0.5,), (np.float32(10),)],
    "forged_table": [(4, 3, 1), (np.int64(4), 3.0, 1)],
    "start_breaks_the_bound": [(lambda k: [-5 * k, -10 * k],),
        (lambda k: np.array([-40.0, -40.0]) * k,)],
    "fewer_with_more": [([[-2, 4], [-3, -2], [5, 4]], [1, 1, 1]),
        ([[5, 5], [-3, 1], [-4, 2]], [1, -1, 1])],
    "best_constant": [(4, 5), ("4", 5.0)],
    "better_in_the_plane": [(vote_of_directions,),
        (lambda X, y, x: 1 if y and perceptron(X, y).w @ x > 0 else -1,)],
    "too_close": [([3, 2, 3],), (np.array([3.0, 2.0, 3.0]),), ([Fraction(3), np.int8(2), 3],)],
    "lazy_perceptron": [([[1, 0.001], [-1, 1]], [1, 1])],
    "half_without_gamma": [(half_of_the_margin,)],
    "decision_list": [([(2, -1), (-1, 1), (3, 1)], -1), (np.array([[2, -1], [3, 1], [1, -1]]), 1)],
    "slow_words": [(["101/1000"] * 9 + [0],), (np.array([0.101] * 8 + [0.05, 0]),)],
    "spoiler": [(lambda X: next(y for y in itertools.product([1, -1], repeat=4)
                                if isinstance(separate(with_bias(X), y), Inseparable)),),
        (lambda X: [1 if a > 1e-9 else -1 for a in np.linalg.svd(with_bias(X).T)[2][-1]],)],
    "longest_trial": [([0] * 13 + [1] + [0] * 15 + [2] + [0] * 18,),
        (np.array([2] * 13 + [0] + [2, 0] * 7 + [0] + [1] * 30),)],
    "risky_distribution": [(["79/100", "21/200", "21/200"],)],
    "survivor_without_a_bound": [(first_survivor(trial_length),)],
    "hinge_step": [(lambda w, x, y, eta: w + eta * y * x if y * (w @ x) < 1 else w,),
        (lambda w, x, y, eta: w + eta * y * x * (y * (w @ x) <= 1),)],
    "off_the_line": [([2, -2, 4],), (np.array([-1, 2.5, 2.5]),), (["2/3", 0, "10/3"],)],
    "another_subgradient": [([-0.5, -1],), (["-1/3", "-2/3"],)],
    "alpha_by_hand": [([0, 0, 2, 0, 3],)],
    "no_gram_matrix": [([[1, 1, 0], [1, 1, 1], [0, 1, 1]], [2, -3, 2]),
        ([[2, 1.5, -1.5], [1.5, 2, 1.5], [-1.5, 1.5, 2]], [1, -1, 1])],
    "literals": [(lambda A, B: 2 ** (A[:, None] == B).sum(axis=2),),
        (lambda A, B: [[np.prod(1 + a * b + (1 - a) * (1 - b)) for b in B] for a in A],)],
    "best_gamma": [(3,)],
    "last_is_wrong": [([*[(1, (-2) ** k) for k in range(9)], (-1, 0)], [1] * 10, [1, 0])],
    "pocket": [(lambda X, y, k: noise.pocket_weights(perceptron(X, y, max_passes=k)),)],
    "averaged_classes": [(averaged_classes(),)],
    "second_best_path": [([0, 0, 1, 2],), (np.array([0, 0, 1, 2]),)],
    "greedy_goes_astray": [([[1, 0], [0, 0]], [[0, 0], [0, 5]]),
        ([[0, 2], [1, 1]], [[9, 0], [1, 2]])],
}  # fmt: skip

WRONG = {  # (what is said, *answer)
    "write_the_loop": [
        ("stops after 2 right updates, in a pass that was not clean", loop(CHANGE, NOTE)),
        ("makes update 2 on the right example, 4, but w becomes (0, 3), not (2, −1).",
         loop("w = w + X[i]", NOTE, UNCLEAN)),
        ("example, 0, but w becomes (0, 0), not (1, 1)", loop(NOTE, CHANGE, UNCLEAN)),
        ("example, 0, but w becomes (0, 0), not", loop(NOTE, UNCLEAN)), (FOREVER, loop(UNCLEAN)),
        ("changes one array in place", loop("w += y[i] * X[i]", NOTE, UNCLEAN)),
        ("thirty points your loop makes 2 right updates and then one on example 1, but the next "
         "mistake is on example 3, where y w·x = −0.161", loop(CHANGE, NOTE, UNCLEAN, "break")),
        ("and then a whole clean pass, and yet goes on",
         lambda X, y: [*RIGHT_LOOP(X, y), (0, X[0])]),
        ("list of pairs (i, w)", loop(CHANGE, "updates.append(i)", UNCLEAN)),
        ("each w must be 3 finite numbers",
         loop(CHANGE, "updates.append((i, w[:2]))", UNCLEAN)),
        ("in an error, NameError: name 'x' is not defined", loop("w = w + y[i] * x[i]")),
        ("a function is asked for", [0, 4, 2, 4])],
    "run_by_hand": [("at w = (0, −2) there is y w·x = −2 for example 1, but", [0, 2, 1]),
        ("the run is not over", [0, 2, 0]),
        ("the first 5 are right, and then no", [0, 2, 0, 1, 2, 0]), ("the first 0 are", [1, 2]),
        ("there is y w·x = 2 for example 1.", [0, 1]), ("the list is empty", []),
        ("numbered 0, 1 and 2", [1, 3, 1]), ("list of example numbers", "021")],
    "nearest_by_hand": [("for example 0: a step", ["1/2", "1/2", 0]),
        ("for example 1: a step", [1, 0, 0]), ("negative", ["4/3", "-1/3", 0]),
        ("sum to 5/6, not to 1", ["1/2", "1/3", 0]), ("three numbers", ["2/3", "1/3"])],
    "averaged_classes": [("last weights, and not", averaged_classes("W")), ("returned None", print),
        ("table counts", averaged_classes("total + W")), ("a row for", averaged_classes("X[:2]")),
        ("sum is (−9, 9, 15, −3, −6, −6); on", averaged_classes("total - 3 * W"))],
    "second_best_path": [("the best path itself", [0, 0, 0, 1]),
        ("its sum is 14, and besides the best, 1 path with more can be found", [0, 0, 1, 1]),
        ("each 0, 1 or 2", [0, 0, 1, 3]), ("four labels", [0, 0])],
    "greedy_goes_astray": [("no path has more", [[1, 0], [0, 3]], [[1, 0], [0, 1]]),
        ("first place greedy has a tie", [[1, 1], [0, 3]], [[1, 0], [0, 1]]),
        ("2 rows and 2 columns", [[1, 0]], [[1, 0], [0, 9]]),
        ("from −9 to 9", [[10, 0], [0, 1]], [[1, 0], [0, 9]]),
        ("scores must be", "scores", [[1, 0], [0, 9]])],
    "many_mistakes": [("makes 2 mistakes", [[1, 0], [0, 1], [1, 1]], [1, 1, 1]),
        ("no line through the origin", [[1, 0], [-1, 0]], [1, 1]), ("from −5 to 5", [[9, 0]], [1]),
        ("whole numbers", [[0.5, 1]], [1]), ("at most 3", [[1, 1]] * 4, [1] * 4),
        ("2 coordinates", [[1, 1, 1]], [1]), ("labels must be", [[1, 1]], [0])],
    "needs_a_bias": [("origin separates these already", [[1, 0], [0, 1]], [1, -1]),
        ("too easy", [[0, 0], [1, 1]], [1, -1]), ("same direction", [[1, 0], [2, 0]], [-1, 1]),
        ("both labels", [[1, 1], [-1, -1]], [1, 1]), ("even with a bias", *CROSS)],
    "proof_of_inseparability": [("its sum is (0, 0, 0)", is_certificate, [0] * 6),
        ("its sum is (−5, −1, 0)", is_certificate, [1] * 6),
        ("its sum is (0, 0, 0)", is_certificate, [-2, -1, -1, -4, 0, 0]),
        ("six numbers, and has 2", is_certificate, [1, 2]),
        ("list of whole numbers", is_certificate, "six"),
        ("says True of k = (0, 0, 0, 0)", lambda k, X, y: True, [1] * 6),
        ("says False of k = (1, 1, 1, 1)", lambda k, X, y: sum(k) == 1, [1] * 6),
        ("says True of k = (1, 0, 0, 1)", lambda k, X, y: min(k) >= 0 < sum(k) and not (
            k * y @ X).any(), [1] * 6)],
    "best_and_worst_order": [("another makes 1", [0, 1, 2, 3, 4], [4, 3, 2, 1, 0]),
        ("another makes 5", [3, 0, 1, 2, 4], [0, 1, 2, 3, 4]),
        ("each once", [0, 1, 2], [4, 3, 2, 1, 0])],
    "spoilt_by_unit_length": [("scaled examples too", [[1, 0], [-2, 0]], [-1, 1]),
        ("even unscaled", *CROSS)],
    "bound_of_four_points": [("still to be squared", 10**0.5), ("the other way up", "1/10"),
        ("longest of the four", 5), ("has so much margin", 4), ("another separator has more", 25),
        ("a number", float("nan")), ("positive", -1)],
    "forged_table": [("asks for 2, and w·u gains 2: that is possible", 2, 3, 1),
        ("allows 40, and ‖w‖² gains 40: that is possible", 4, 2, 1),
        ("(w·u)² is 169, and ‖w‖² is 169: that is possible", 4, 3, 5),
        ("number of an update", 4, 6, 1), ("claim_1 is still to be filled in", None, 3, 1)],
    "start_breaks_the_bound": [
        ("start_for(12) = (0, 0) the run makes 2 mistakes, where the bound from 0 is 10",
         lambda k: [0, 0] if k > 1 else [-5, -3]), ("12 mistakes", lambda k: [-30, -20]),
        ("from -50 to 50", lambda k: [0, 51]), ("two whole numbers", lambda k: [1.5, 0]),
        ("a function is asked for", [-40, -20]), ("is there a `return`", lambda k: None)],
    "fewer_with_more": [("it saves nothing", [[1, 0], [0, 1]], [1, 1]),
        ("save five or more", [[1, 1], [1, 0], [0, 1]], [1, 1, 1]),
        ("nothing is left", [[1, 1]], [1]), ("no w separates", [[1, 1], [1, 1]], [1, -1]),
        ("at most 4", [[1, 1]] * 5, [1] * 5)],
    "best_constant": [("with c = 8 the bound is 136; a smaller constant", 8, 11),
        ("above 0", -4, 5), ("a larger constant", 2, 5), ("run the Perceptron again", 4, 6)],
    "better_in_the_plane": [
        ("errs on 100 of the 100", lambda X, y, x: 1 if np.dot(y, X) @ x > 0 else -1),
        ("errs on 50 of the 100", lambda X, y, x: 1 if x[0] > 0 else -1),
        ("must be +1 or −1", lambda X, y, x: 0), ("must be +1 or −1", lambda X, y, x: x),
        ("is there a `return`", lambda X, y, x: None), ("a function is asked for", 1)],
    "too_close": [("look again at entry 2 of your list.", [3, 3, 2]),
        ("over before the end", [3, 2, 3, 0]), ("not over yet.", []), ("entry 1", [2]),
        ("these are the mistakes", [3, 2]), ("the start is no update", [0, 3, 2, 3]),
        ("entry 1 of your list, and at what a distance of exactly 1 means", [1]),
        ("numbered from 0 to 3", [4, 0])],
    "lazy_perceptron": [("of the largest", [[1, 0], [0, 1]], [1, 1]),
        ("not converged", [[1, 0], [-1, 2**-10]], [1, 1]),
        ("too large or too small", [[5e-324, 0], [0, 5e-324]], [1, 1])],
    "half_without_gamma": [
        ("a function is asked for", [0, 4, 0]), ("is there a `return`", lambda X, y: None),
        ("a list of example numbers, the first of them 0", lambda X, y: X),
        ("right for the first 1 vector, but then example 4 is too close", lambda X, y: [0, 3, 1]),
        ("on 5 points your loop is right for the first 2 vectors, and then it stops too soon",
         lambda X, y: [0, 4]),
        ("on 12 points your loop is right for the first 1 vector", lambda X, y: [0, 4, 0]),
        ("right for the first 3 vectors, but goes on", lambda X, y: [0, 4, 0, 1])],
    "decision_list": [("wrong on 100.", [(2, -1)], 1), ("wrong on 001, 101, 000.", [(2, -1)], -1),
        ("from 1 to 3, or minus", [(9, -1)], 1), ("at most three rules", [(1, 1)] * 4, 1)],
    "slow_words": [("is 7.94%", ["1/9"] * 9 + [0]), ("ten numbers", [0.1]), ("1 in sum", [1] * 10),
        ("is 0.58%; an error of exactly 1/10 is allowed", ["1/10"] * 10)],
    "spoiler": [("labels: (0, 0) +, (3, 0) +, (0, 3) +, (1, 1) +.", lambda X: [1, 1, 1, 1]),
        ("labels: (0, 0) +, (2, 0) +", lambda X: [1, 1, 1, -1]),
        ("a function is asked for", [1, 1, 1, -1]), ("of the 4 examples", lambda X: [1])],
    "longest_trial": [("h_2 is output after 14 examples", [2] * 30),
        ("ends before any of 3 hypotheses", [2, 2, 1]), ("a list of at most", []),
        ("h_3 is output after 18 examples, before all", [0, 1] + [0] * 40),
        ("h_4 is output after 21 examples; an earlier trial", [0, 1, 2] + [0] * 40)],
    "risky_distribution": [("chance of failure is 5.4297", ["39/50", "11/100", "11/100"]),
        ("exactly 1/10 is not above", ["8/10", "1/10", "1/10"]),
        ("chance of failure is almost 0.", ["98/100", "1/100", "1/100"]),
        ("chance of failure is 0.06", ["1/2", "1/4", "1/4"]), ("sum to exactly 1", [1, 1, 1]),
        ("write '0.8' or '4/5'", [0.8, 0.1, 0.1]), ("3 chances", ["a"])],
    "survivor_without_a_bound": [
        ("where those that erred were right 0, 13 times, h_2 survives first, and not h_3",
         first_survivor(lambda k, eps, delta: trial_length(k, eps, delta) + 1)),
        ("ε = 0.25 and δ = 0.1", first_survivor(lambda k, eps, _: trial_length(k, eps, 0.25))),
        ("ε = 0.5 and δ = 0.1", first_survivor(lambda k, _, delta: trial_length(k, 0.25, delta))),
        ("h_3 survives first, and not h_2", first_survivor(lambda *_: 9)),
        ("the weights of one of the hypotheses", lambda X, y, eps, delta: 7 * X[0]),
        ("a function is asked for", [1, 0, 0]), ("3 finite numbers", lambda *_: 7)],
    "hinge_step": [("a function is asked for", "no"), ("2 finite numbers", lambda *of: of),
        ("s = 0.5, your step adds (0, 0)", lambda w, x, y, h: w + h * y * x * (y * (w @ x) <= 0))],
    "off_the_line": [("lie on the line", [0, 1, 3]), ("sum to 1, so another intercept", [1, 1, 3]),
        ("products with x sum to −1", [1, 0, 3])],
    "another_subgradient": [("excluded", [0, 0]),
        ("at v = (−1, 1) the plane has height 2, above the loss 0", [-1, 0]),
        ("at v = (3, −1) the plane has height 1, above the loss 0", [0, -1]),
        ("at v = (2, 2) the plane has height 5, above the loss 0", [1, 2]),
        ("at v = (0, −2) the plane has height 10, above the loss 5", [-2, -4]),
        ("two numbers", [1])],
    "alpha_by_hand": [("example 0 is still wrong", [0, 0, 0, 0, 0]),
        ("not every count", [1, 1, 1, 1, 1]), ("different number of updates", [2, 1, 1, 1, 1]),
        ("order 0, 1, 2, 3, 4", [1, 0, 1, 0, 2]), ("from example 0", [3, 0, 2, 0, 0]),
        ("never negative", [-1, 0, 2, 0, 3]), ("the order of the updates", [4, 2, 4, 2, 4]),
        ("five numbers", [4]), ("list of five", 4)],
    "no_gram_matrix": [("proves nothing", [[1, 0], [0, 1]], [1, -1]),
        ("diagonal", [[0, 1], [1, 0]], [1, -1]), ("as in the lesson", [[1, 2], [2, 1]], [1, -1]),
        ("β·Kβ is 0", [[1, 1], [1, 1]], [1, -1]), ("symmetric", [[1, 2], [3, 1]], [1, -1]),
        ("2 entries", [[1, 2], [2, 1]], [1])],
    "literals": [("no negated bits", lambda A, B: 2 ** (A @ B.T)), ("function", 4),
        ("16 conjunctions hold for both 0000 and 0000, but your kernel gives 4",
         lambda A, B: (A[:, None] == B).sum(axis=2)), ("9 by 16", lambda A, B: A)],
    "best_gamma": [("larger γ does better", 1), ("smaller γ does better", 3.001),
        ("this is 1/γ", "1/3")],
    "last_is_wrong": [("makes 2 mistakes", [*[[1, 0]] * 6, [-1, 0]], [1] * 7, [1, 0]),
        ("about example 0, which is not", [[-50, 1], *[[5, 1]] * 9], [1] * 10, [1, 0]),
        ("right about all", [[1, 0]] * 7, [1] * 7, [1, 0]),
        ("2 examples cannot", [[1, 0], [0, 1]], [1, 1], [1, 1])],
    "pocket": [("the best about 4", lambda X, y, k: perceptron(X, y, max_passes=k).w),
        ("no weights that the run ever had", lambda X, y, k: [1, 0]),
        ("two numbers", lambda X, y, k: X)],
}  # fmt: skip


def rows(table):
    return [(CHECKS[name], row) for name, answers in table.items() for row in answers]


@pytest.mark.parametrize(("check", "answer"), rows(RIGHT))
def test_right_answers_pass(check, answer):
    verdict = check(*answer)
    assert verdict.startswith("✓ Right: ") and verdict.endswith(".") and verdict[-2:] != ".."


@pytest.mark.parametrize(("check", "row"), rows(WRONG))
def test_wrong_answers_are_refused_with_a_reason(check, row):
    reason, *answer = row
    verdict = check(*answer)
    assert verdict.startswith("✗ Not yet: ") and reason in verdict and "\n" not in verdict


def test_every_checker_is_tested_both_ways_and_no_answer_is_not_wrong():
    assert CHECKERS.keys() == exercises.HINTS.keys()
    assert CHECKS.keys() == RIGHT.keys() == WRONG.keys()
    for check in CHECKS.values():
        parts = len(inspect.signature(check).parameters)
        assert check(*[None] * parts) == check(*[...] * parts)
        assert check(*[None] * parts).startswith("No answer yet. For a hint: exercises.hint(")
    assert CHECKS["write_the_loop"](loop()).startswith("No answer yet")  # as it stands
    half = CHECKS["many_mistakes"]([[1, 1]], None)
    assert half == "✗ Not yet: y is still to be filled in."


@pytest.mark.parametrize("name", RIGHT)
def test_a_checker_answers_anything_in_one_line_at_once(name):
    for place in range(len(RIGHT[name][-1])):
        for junk in JUNK:
            answer, began = [*RIGHT[name][-1]], time.process_time()
            answer[place] = junk
            verdict = CHECKS[name](*answer)
            assert time.process_time() - began < 1, junk
            assert verdict.startswith(("✓ Right", "✗ Not yet", "No answer")), (junk, verdict)
            assert "\n" not in verdict and len(verdict) <= 300, (junk, verdict)


@pytest.mark.parametrize("exercise", sorted(exercises.HINTS))
def test_an_exercise_has_two_hints_one_after_the_other(exercise):
    exercises.HINTS_GIVEN.pop(exercise, None)  # whoever has asked before in this process
    first, second, again = (exercises.hint(exercise) for _ in range(3))
    assert first.startswith("Hint 1 of 2: ") and second.startswith("Hint 2 of 2: ")
    assert first == again and len(set(exercises.HINTS[exercise])) == 2
    assert all(hint.endswith((".", "?")) for hint in exercises.HINTS[exercise])


def test_an_unknown_exercise_lists_those_that_there_are():
    for unknown in ("99.1", ["03.1"]):
        with pytest.raises(ValueError, match=r'the exercise must be "01\.1".*"11\.3"; got .*\.1'):
            exercises.hint(unknown)


def test_a_hint_comes_before_its_room_is_imported():
    ask = "from perceptron_lib import exercises; print(exercises.hint('03.1'))"
    assert "Hint 1 of 2" in subprocess.check_output([sys.executable, "-c", ask], text=True)


def test_a_loop_that_never_ends_is_stopped_and_nobody_is_traced_afterwards():
    def endless(X, y):
        updates = RIGHT_LOOP(X, y)
        while updates:
            pass

    before = sys.gettrace()
    said = CHECKS["write_the_loop"](endless)
    assert (
        said == "✗ Not yet: on the five points your loop makes the right updates, but never ends."
    )
    assert sys.gettrace() is before
