"""Homework 3, noise and the dual form: what is right."""

from fractions import Fraction

from grading.checks import Function, differ
from grading.handout.answers import require
from grading.handout.asked import Question, each
from perceptron_lib import Separator, bounds, digits, five_points, perceptron, separate, with_bias
from perceptron_lib.examples import flip_labels, odd_max_bit, separable, worst_case

# --- data --------------------------------------------------------------------------------------

USUAL = {
    "seven_points": [
        [[0, 1], [4, 1], [2, 5], [6, 3], [2, 2], [5, 6], [0, 4]],
        [1, 1, 1, 1, -1, -1, -1],
    ],
    "linear": 1, "start": 0, "positive": "even",
}  # fmt: skip


def variant(rng):
    """Seven points that a run proves inseparable, a kernel, and digits that no plane separates."""
    y = [1, 1, 1, 1, -1, -1, -1]
    while True:
        X = rng.integers(0, 7, (7, 2))
        run = perceptron(with_bias(X), y, max_passes=300)
        if len({*map(tuple, X.tolist())}) == 7 and run.outcome == "cycled":
            break
    while True:
        start = int(rng.integers(100, 1200))
        D, labels, _ = digits()
        some = slice(start, start + 500)
        if not isinstance(separate(with_bias(D[some]), labels[some]), Separator):
            break
    linear, positive = int(rng.choice([4, 9, 16])), str(rng.choice(["even", "odd"]))
    seven = [X.tolist(), y]
    return {"seven_points": seven, "linear": linear, "start": start, "positive": positive}


# --- what is right -------------------------------------------------------------------------------


def functions(data):
    """Two points for several examples, the third for one, on either side of the margin."""
    X, y = (v.astype(int).tolist() for v in five_points()[:2])
    noisy = [v.astype(int).tolist() for v in flip_labels(worst_case(6), 2, seed=1)[:2]]
    several = [[X, y, [1, "1/3"], "2/3"], [X, y, [2, 1], 3], [*noisy, ["1/3"] * 6, "1/2"]]
    one = [[X[:1], y[:1], [s, -3 * s], "5/7"] for s in (1, -1)]
    one += [[X[1:2], y[1:2], ["1/3", 1], "1/9"]]
    return {
        "noise_bound": Function(
            lambda *case: noise_bound(*case)[0], shown=several[:1], parts=[(2, several), (1, one)],
            differ=differ("the bound is too small", "the bound is too large"),
            slips=lambda *case: noise_bound(*case)[1],
        )
    }  # fmt: skip


def noise_bound(X, y, u, g):
    """The bound (R/γ)² + 2 TD/γ, where g = γ||u||, and what it becomes by a slip."""
    g, u = Fraction(g), [Fraction(v) for v in u]
    u2, R2 = sum(v * v for v in u), bounds.radius2(X)
    total = sum((max(g - s, Fraction(0)) for s in bounds.scores(X, y, u)), Fraction(0))
    right = bounds.hinge_mistakes(R2, u2, total, g)
    return [right], {
        "‖u‖ is missing: γ is g/‖u‖": [bounds.hinge_mistakes(R2, 1, total, g)],
        "R is missing": [bounds.hinge_mistakes(1, u2, total, g)],
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
