"""Homework 3, noise and the dual form: what is right."""

from fractions import Fraction

import numpy as np

from grading.checks import each
from grading.checks.compare import exactly
from grading.handout import hw3 as usual
from grading.handout.answers import number, require, value_of, whole_numbers
from perceptron_lib import (
    Separator,
    bounds,
    digits,
    five_points,
    flip_labels,
    odd_max_bit,
    perceptron,
    separable,
    separate,
    with_bias,
    worst_case,
)
from perceptron_lib.checks import labelled
from perceptron_lib.show import count

# --- data --------------------------------------------------------------------------------------

USUAL = usual.OUT


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


def words(data):
    root = round(data["linear"] ** 0.5)
    tex, factor = (f"{root**2}\\,", f"{root} * ") if root > 1 else ("", "")
    return [
        rf"$K(x,z)=(x\cdot z)^2+{tex}x\cdot z$",
        f"b * b, {factor}a, {factor}b]",
        f"500 handwritten digits, the {data['positive']} ones positive",
    ]


def secrets(data):
    X, y, _ = five_points()
    yield "q1", [perceptron(X, y).alpha.tolist()]
    right, slips = noise_bound(X, y, [Fraction(1), Fraction(1, 3)], Fraction(2, 3))
    yield "q2", [[right], {told: [slip] for slip, told in slips.items()}]


# --- questions ---------------------------------------------------------------------------------


def question_1(homework, f):
    """Two points for examples in general position, the third for ties and an early end."""
    general = [five_points(), separable(40, 3, 0.0625, seed=2)]
    if (yield 2, each(dual_coefficients, f, [(X, y) for X, y, _ in general])):
        X, y, _ = odd_max_bit(3)
        yield 1, each(dual_coefficients, f, [worst_case(6)[:2], (X, y, 2), (X[:1], y[:1])])


def dual_coefficients(f, X, y, max_passes=100):
    """`f(G, y, max_passes)` must return the alphas of the Perceptron, G being the Gram matrix."""
    X, y = labelled(X, y)
    run = perceptron(X, y, max_passes=max_passes)
    mine = whole_numbers(value_of(f, X @ X.T, y.copy(), max_passes), len(y), "alpha")
    many = "many" if sum(mine) > run.mistakes else "few"
    tried = f"on {count(len(y), 'example')} with max_passes = {max_passes}"
    require(sum(mine) == run.mistakes, f"{tried} your loop makes too {many} updates: {sum(mine)}")
    require(mine == run.alpha.tolist(), f"{tried} the sum is right, but not every alpha")
    return tried


def question_2(homework, f):
    """Two points for several examples, the third for one, on either side of the margin."""
    X, y, _ = five_points()
    one, third = Fraction(1), Fraction(1, 3)
    noisy = flip_labels(worst_case(6), 2, seed=1)
    cases = [(X, y, [one, third], 2 * third), (X, y, [2 * one, one], 3 * one)]
    if (yield 2, each(hinge, f, [*cases, (*noisy[:2], [third] * 6, Fraction(1, 2))])):
        cases = [(X[:1], y[:1], [s * one, -3 * s * one], Fraction(5, 7)) for s in (1, -1)]
        yield 1, each(hinge, f, [*cases, (X[1:2], y[1:2], [third, one], Fraction(1, 9))])


def hinge(f, X, y, u, g):
    """`f(X, y, u, g)` must be (R/γ)² + 2 TD/γ, where g = γ||u||."""
    X, y = labelled(X, y)
    right, slips = noise_bound(X, y, u, g)
    whole = X.astype(np.int64).astype(object)  # Python's own integers, which fractions work with
    mine = number(value_of(f, whole, y.copy(), u, g), "the bound")
    where = f"for u = ({', '.join(map(str, u))}) and g = {g}"
    otherwise = f"the bound is too {'small' if mine < right else 'large'}"
    exactly(mine, right, f"{where} {slips.get(mine, otherwise)}")
    return where


def noise_bound(X, y, u, g):
    """The bound, and what it becomes by a slip: {value: what is wrong}."""
    g, u = Fraction(g), [Fraction(v) for v in u]
    u2, R2 = sum(v * v for v in u), bounds.radius2(X)
    total = sum((max(g - s, Fraction(0)) for s in bounds.scores(X, y, u)), Fraction(0))
    right = bounds.hinge_mistakes(R2, u2, total, g)
    return right, {
        bounds.hinge_mistakes(R2, 1, total, g): "‖u‖ is missing: γ is g/‖u‖",
        bounds.hinge_mistakes(1, u2, total, g): "R is missing",
        right - total / g: "TD/γ counts twice",
    }


def question_5(homework, phi):
    """The images must not depend on what phi was asked before: the second time, it is asked the
    other way round, by a process that has just begun."""
    points = [[1, 2], [3, 1], [1, 0], [3, -1], [0, 0], [5, 1], [-4, 7], [2, 3], [1, 1]]

    def feature_map():
        images = homework.images(phi, points)
        told = homework.inner_products(points, images)
        start_anew(phi)
        again = homework.images(phi, points[::-1])[::-1]
        require(images == again, "phi(x) is not the same each time it is asked for")
        return [told]

    yield 3, feature_map


def start_anew(f):
    """End the process of a submission's function: it forgets what it was asked."""
    if hasattr(f, "sandbox"):
        f.sandbox.close()
