"""Homework 2, the margin Perceptron and PAC learning: what is right."""

import functools
import itertools
from fractions import Fraction

import numpy as np

from grading.checks import Function, differ, turned
from grading.handout.asked import Question, each
from perceptron_lib import averages, digits, five_points, iris, perceptron, separable, with_bias
from perceptron_lib.examples import worst_case
from perceptron_lib.exercises import read_whole_numbers, require

# --- data --------------------------------------------------------------------------------------

WORDS = """
11111011 11110111 11101111 11111011 11011110 11111111 11101100 11001111 10011100 10101111
10011011 11000111 11111111 01110011 11111101 01110111 11010011 11111111 11111111 11011011
00111011 00110010 01111111 11111111 11011010 00111111 11111001 11111011 11110111 10111110"""


def labelled(X, variables):
    """Words with their labels by the monotone conjunction of some variables."""
    X = np.array(X)
    return [X.tolist(), np.where(X[:, variables].all(axis=1), 1, -1).tolist()]


USUAL = {
    "eight_points": [
        [[-4, -1], [-5, -2], [1, 6], [6, -4], [2, 1], [-2, -6], [1, -5], [4, -4]],
        [-1, -1, 1, 1, 1, -1, -1, 1],
    ],
    "sample": labelled([[int(bit) for bit in word] for word in WORDS.split()], [4, 6]),
    "vectors": 4, "eps": 0.2, "digit": 9, "stream": 1000,
}  # fmt: skip


def variant(rng):
    """The eight points turned, words that are best chosen with care, unit vectors, and a digit in
    a stream: one hypothesis survives longest, and not because the stream ends."""
    while True:
        sample = labelled(np.minimum(rng.integers(0, 4, (30, 8)), 1), rng.permutation(8)[:2])
        if with_care(sample):
            break
    while True:
        digit, stream = int(rng.integers(9)), int(rng.choice([900, 950, 1000, 1050, 1100]))
        lived, k, _ = survivor(digit, stream)
        if k < len(lived) - 1 and (lived == lived[k]).sum() == 1:
            break
    eight, eps = turned(rng, USUAL["eight_points"]), float(rng.choice([0.25, 0.2, 0.125, 0.1]))
    some = {"vectors": int(rng.integers(3, 7)), "eps": eps}
    return {"eight_points": eight, "sample": sample, **some, "digit": digit, "stream": stream}


def with_care(sample):
    """Whether three examples do, others than in the usual sample, but four if each is the one that
    drops most of what is left."""
    zeros, greedy = dropped(sample), 0
    needed = left = zeros.any(axis=0)
    while left.any():
        left, greedy = left & ~zeros[(zeros & left).sum(axis=1).argmax()], greedy + 1
    if greedy != 4 or len(fewest(sample)) != 3:
        return False
    return (zeros[fewest(USUAL["sample"])].any(axis=0) != needed).any()


# --- what is right -------------------------------------------------------------------------------


def functions(data):
    """Question 4: a point for samples with both labels, one for those without, or without a
    variable that stays."""
    lengths = [[4, 1, "1/2", "1/2"], [5, "1/10", "1/2", "1/3"]]
    more = [[4, 2, "1/10", "1/2"], [1, "2/7", "1/3", "9/10"]]
    sample = [[1, 1, 0, 1], [1, 0, 1, 1], [0, 1, 1, 1], [1, 0, 1, 0]]
    none, same = [[1, 0], [0, 1], [0, 0]], [[1, 1], [1, 1]]
    general = [[1, 1, -1, -1], [1, -1, -1, 1], [-1, 1, 1, -1], [1, 1, 1, -1]]
    general = [[sample, y] for y in general]
    special = [[sample, [1, -1, 1, 1]], [sample, [-1] * 4], [same, [-1, -1]], [none, [1, 1, -1]]]
    special += [[none[:2], [1, 1]], [none[1:], [1, 1]]]
    lived, k, errors = survivor(data["digit"], data["stream"])
    return {
        "least_length": Function(
            least_length, shown=lengths, parts=[(2, lengths + more)],
            differ=differ("the bound is still too large", "a shorter w would do"),
        ),
        "conjunction": Function(
            conjunction, shown=[general[0], special[0]], parts=[(1, general), (1, special)],
            differ=other_variables,
        ),
        "fewest": Function(
            lambda: [len(fewest(data["sample"]))], shown=[[]], parts=[(1, [[]])],
            differ=lambda mine, right: "fewer are enough",
        ),
        "survivor": Function(lambda: [k, int(lived[k]), errors], [[]], [], None),
    }  # fmt: skip


def least_length(*case):
    R2, gamma, eps, share = map(Fraction, case)
    return [R2 / (2 * gamma * (eps - share * eps))]


def conjunction(X, y):
    """The variables that stay, unless their conjunction is true of a negative example."""
    X, y = np.array(X), np.array(y)
    keep = np.flatnonzero(X[y > 0].all(axis=0)).tolist()
    return "none fits" if X[y < 0][:, keep].all(axis=1).any() else keep


def other_variables(mine, right):
    """How the answer of a learner differs from the right one."""
    if isinstance(mine, str):
        fits = isinstance(right, list)
        return "a conjunction fits" if fits else f'the answer is the text "{right}", no other'
    if isinstance(right, str):
        return "no monotone conjunction fits, and you return a list"
    dropped = set(right) - set(mine)
    what = "dropped that is 1 in every" if dropped else "kept that is 0 in a"
    return f"a variable was {what} positive one"


def dropped(sample):
    """Which variables each example drops: those that are 0 in it, if it is positive."""
    X, y = map(np.array, sample)
    return (X == 0) & (y > 0)[:, None]


def fewest(sample):
    """As few examples as possible that together drop what all of them drop, the first of such."""
    zeros = dropped(sample)
    needed, useful = zeros.any(axis=0), np.flatnonzero(zeros.any(axis=1)).tolist()
    some = (itertools.combinations(useful, k) for k in range(len(useful) + 1))
    return next(
        list(kept)
        for kept in itertools.chain.from_iterable(some)
        if (zeros[list(kept)].any(axis=0) == needed).all()
    )


@functools.cache
def survivor(digit, stream):
    """How long each hypothesis of one pass survives, which survives longest, and its errors."""
    X, y, _ = digits(digit)
    X = with_bias(X)
    run = perceptron(X[:stream], y[:stream], max_passes=1)
    lived = averages.survivals(run)
    k = int(np.argmax(lived))
    return lived, k, int(np.count_nonzero(y[stream:] * (X[stream:] @ run.weights[k]) <= 0))


def questions(seen):
    """Question 1: two points for examples in general position, the third for those exactly at the
    threshold.  Question 8: a point for the hypothesis and how long it survives, one for its
    errors."""
    X, y, _ = separable(30, 3, 0.125, seed=4)
    general = (*five_points()[:2], 0.5), (X, y, 0.125), (*iris()[:2], 7)
    equal = [[4, 0], [1, 3]], [1, 1], 2
    special = equal, (*worst_case(4)[:2], 0.5), ([[3, 4]], [-1], 1)
    lived, k, errors = survivor(seen.OUT["digit"], seen.OUT["stream"])

    def hypothesis(answer):
        number, in_a_row, _ = read_whole_numbers(answer, 3, "the answer")
        told = "the longest survival has another length: count what is right"
        require(in_a_row == lived[k], told)
        require(number == k, "that hypothesis did not survive so long (the first, zero, is 0)")
        return f"hypothesis {k}, {lived[k]} in a row"

    def on_new_digits(answer):
        made = read_whole_numbers(answer, 3, "the answer")[2]
        told = "it makes another number of errors on the new digits (a tie is one)"
        require(made == errors, told)
        return f"{made} errors on new digits"

    return {
        "question_1": Question(
            (2, each(seen.updates, *general)), (1, each(seen.updates, *special))
        ),
        "question_8": Question((1, hypothesis), (1, on_new_digits), apart=True),
    }
