"""Homework 3, noise and the dual form: what is right."""

from fractions import Fraction

import numpy as np

from grading.checks import Function, differ
from grading.handout.asked import Question, each
from perceptron_lib import Separator, bounds, digits, five_points, longest, perceptron, with_bias
from perceptron_lib.examples import odd_max_bit, separable, worst_case
from perceptron_lib.exercises import require
from perceptron_lib.lessons import noise
from perceptron_lib.separability import separate

# --- data --------------------------------------------------------------------------------------

USUAL = {
    "seven_points": [
        [[0, 1], [4, 1], [2, 5], [6, 3], [2, 2], [5, 6], [0, 4]],
        [1, 1, 1, 1, -1, -1, -1],
    ],
    "twelve_points": [
        [[-1, -1], [-3, 7], [3, -5], [-5, -3], [-6, -6], [-7, -5],
         [-2, 1], [-4, -7], [-6, 7], [-6, 4], [7, -6], [6, 4]],
        [-1, -1, 1, -1, 1, 1, -1, 1, -1, -1, 1, -1],
    ],
    "linear": 1, "start": 0, "positive": "even",
}  # fmt: skip


def variant(rng):
    """Seven points that a run proves inseparable, twelve of which two are longest, a kernel, and
    digits that no plane separates."""
    y = [1, 1, 1, 1, -1, -1, -1]
    while True:
        X = rng.integers(0, 7, (7, 2))
        run = perceptron(with_bias(X), y, max_passes=300)
        if len({*map(tuple, X.tolist())}) == 7 and run.outcome == "cycled":
            break
    while True:
        twelve = rng.integers(-7, 8, (12, 2))
        scores = twelve @ rng.integers(-5, 6, 2) + rng.integers(-12, 13)
        twelve = [twelve.tolist(), np.where(scores > 0, 1, -1).tolist()]
        if scores.all() and two_matter(twelve):
            break
    while True:
        start = int(rng.integers(100, 1200))
        D, labels, _ = digits()
        some = slice(start, start + 500)
        if not isinstance(separate(with_bias(D[some]), labels[some]), Separator):
            break
    linear, positive = int(rng.choice([4, 9, 16])), str(rng.choice(["even", "odd"]))
    seven = [X.tolist(), y]
    some = {"seven_points": seven, "twelve_points": twelve}
    return {**some, "linear": linear, "start": start, "positive": positive}


def two_matter(data):
    """Whether two examples, others than in the usual data, are longest, both with count 0, and the
    counts change without them.  At least four have a count, and others if they are alone."""
    two = of_length_R(data)
    old, different = of_length_R(USUAL["twelve_points"]), {*map(tuple, data[0])}
    if len(two) != 2 or two == old or len(different) < 12:
        return False
    used, rest = np.flatnonzero(counts(data)), [i for i in range(12) if i not in two]
    return not {*two} & {*used} and len(used) >= 4 and changed(data, used) and changed(data, rest)


def of_length_R(data):
    """The numbers of the longest examples."""
    lengths = np.square(data[0]).sum(axis=1)
    return np.flatnonzero(lengths == lengths.max()).tolist()


def counts(data):
    X, y = map(np.array, data)
    return perceptron(with_bias(X, longest(X)), y).alpha


def changed(data, kept):
    """Whether the counts of some examples become others if these are all."""
    X, y = map(np.array, data)
    return (counts((X[kept], y[kept])) != counts(data)[kept]).any()


def fewest(data):
    """How few examples have the counts of all: those that have one, and one more of length R if
    these alone have others."""
    used = np.flatnonzero(counts(data))
    return len(used) + int(changed(data, used))


# --- what is right -------------------------------------------------------------------------------


def functions(data):
    """Question 2: two points for several examples, the third for one, on either side of the
    margin."""
    X, y = (v.astype(int).tolist() for v in five_points()[:2])
    noisy = [v.astype(int).tolist() for v in noise.flip_labels(worst_case(6), 2, seed=1)[:2]]
    several = [[X, y, [1, "1/3"], "2/3"], [X, y, [2, 1], 3], [*noisy, ["1/3"] * 6, "1/2"]]
    one = [[X[:1], y[:1], [s, -3 * s], "5/7"] for s in (1, -1)]
    one += [[X[1:2], y[1:2], ["1/3", 1], "1/9"]]
    return {
        "noise_bound": Function(
            lambda *case: noise_bound(*case)[0], shown=several[:1], parts=[(2, several), (1, one)],
            differ=differ("the bound is too small", "the bound is too large"),
            slips=lambda *case: noise_bound(*case)[1],
        ),
        "fewest": Function(
            lambda: [fewest(data["twelve_points"])], shown=[[]], parts=[(1, [[]])],
            differ=lambda mine, right: "fewer are enough",
        ),
    }  # fmt: skip


def noise_bound(X, y, u, g):
    """The bound (R/γ)² + 2 TD/γ, where g = γ||u||, and what it becomes by a slip."""
    g, u = Fraction(g), [Fraction(v) for v in u]
    u2, R2 = sum(v * v for v in u), bounds.radius2(X)
    total = sum((max(g - s, Fraction(0)) for s in bounds.scores(X, y, u)), Fraction(0))
    right = noise.hinge_mistakes(R2, u2, total, g)
    return [right], {
        "‖u‖ is missing: γ is g/‖u‖": [noise.hinge_mistakes(R2, 1, total, g)],
        "R is missing": [noise.hinge_mistakes(1, u2, total, g)],
        "TD/γ counts twice": [right - total / g],
    }


def questions(seen):
    """Question 1: two points for examples in general position, the third for ties and an early end.
    Question 5: two points for positive coordinates, the third for others."""
    X, y, _ = odd_max_bit(3)
    general = five_points()[:2], separable(40, 3, 0.0625, seed=2)[:2]
    special = worst_case(6)[:2], (X, y, 2), (X[:1], y[:1])
    positive = [[1, 2], [3, 1], [5, 1], [2, 3], [1, 1]]
    others = [[1, 2], [1, 0], [3, -1], [0, 0], [5, 1], [-4, 7], [2, 3]]

    def feature_map(points):
        """The images must not depend on what phi was asked before: the second time, it is asked the
        other way round, by a process that has just begun."""

        def check(phi):
            images = seen.images(phi, points)
            told = seen.inner_products(points, images)
            start_anew(phi)
            again = seen.images(phi, points[::-1])[::-1]
            require(images == again, "phi(x) is not the same each time it is asked for")
            return told

        return check

    return {
        "question_1": Question(
            (2, each(seen.coefficients, *general)), (1, each(seen.coefficients, *special))
        ),
        "question_5": Question((2, feature_map(positive)), (1, feature_map(others))),
    }


def start_anew(f):
    """End the process of a submission's function: it forgets what it was asked."""
    if hasattr(f, "sandbox"):
        f.sandbox.start_anew()
