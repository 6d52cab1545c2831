"""Every picture of the library, drawn from the data of the lessons: what the tests look at."""

from functools import partial

import numpy as np

import perceptron_lib as lib
from perceptron_lib import bounds, plots
from perceptron_lib.lessons import (
    adversary,
    algorithm,
    bridge,
    kernels,
    lines,
    margin,
    mistake_bound,
    noise,
    pac,
    structured,
    survivors,
)


def figures():
    """A name for every public picture, and how to draw it."""
    X, y, u = lib.five_points()
    few, many, iris = lib.separable(14, 2, 0.125, 121), lib.separable(60, 2, 0.0625, 1), lib.iris()
    petals = lib.with_bias(iris.X[:, 2:], 10), iris.y
    run, longer, lifted = (lib.perceptron(*data) for data in ((X, y), many[:2], petals))
    noisy = noise.flip_labels(lib.separable(200, 2, 0.25, 5), 4, 1)
    noisy_run, square = lib.perceptron(noisy.X, noisy.y, max_passes=20), lib.xor()
    noisy_pass = lib.perceptron(noisy.X, noisy.y, max_passes=1)
    stream, far, rings = margin.margin_stream(), noise.outlier(), kernels.rings()
    margin_run = lib.margin_perceptron(stream.X, stream.y, 1 / 8, max_passes=1)
    best, gammas = lib.separate(few.X, few.y), np.linspace(0.03, 1.2, 118)
    worst, moved = lib.worst_case(16), few.X + np.array([1.5, 1])
    first = np.roll(np.arange(len(far.y)), 1)
    gaussian = partial(kernels.gaussian, width=0.3)
    product = kernels.polynomial(square.X, square.X)
    data = bridge.diabetes()
    one = lib.with_bias(data.X[::10, [2]])
    paths = {
        "gradient descent": bridge.gradient_descent(one, data.y[::10], 0.2, 15),
        "SGD": bridge.stochastic_gradient_descent(one, data.y[::10], 0.04, 180),
    }
    x = np.linspace(-3, 4, 141)
    names = ("petal length (mm)", "petal width (mm)")
    compared = {"Perceptron": (lib.perceptron(few.X, few.y).w, 0), "best": (best.w, 0)}
    odd = [2, 3, 4, 5, 6]
    words = [lib.odd_max_bit(n) for n in odd]
    made = [lib.perceptron(X, y).mistakes for X, y, _ in words]
    allowed = [bounds.radius2(X) / bounds.margin2(X, y, u) for X, y, u in words]
    rows, new = structured.digit_rows(60, seed=1), structured.digit_rows(100, held_out=True, seed=2)
    reader = structured.perceptron(rows.X, rows.y, structured.Chain(range(10)))
    losses = {"Perceptron": np.maximum(0, -x), "least squares": (1 - x) ** 2 / 4,
              "logistic": np.log(1 + np.exp(-x))}  # fmt: skip
    return {
        "plane": lambda: plots.plane(X, y, run.w),
        "plane, petals": lambda: plots.plane(
            petals[0][:, :2], petals[1], lifted.w[:2], 10 * lifted.w[2], names=names),
        "plane, no line": lambda: plots.plane(X, y),
        "steps": lambda: algorithm.steps(run),
        "steps, petals": lambda: algorithm.steps(lifted),
        "threshold": lambda: lines.threshold([1, 2, 3, 5], [-1, -1, 1, 1], 2, -5),
        "margins": lambda: plots.margins(few.X, few.y, compared["Perceptron"][0], best, 7),
        "lines": lambda: plots.lines(few.X, few.y, compared, bands={"best": best.margin}),
        "ruled_by_one": lambda: noise.ruled_by_one(
            far.X, far.y, lib.perceptron(far.X, far.y, order=first, max_passes=1).w, far.u),
        "disagreement": lambda: pac.disagreement(many.X, many.u, longer.weights[-3]),
        "votes": lambda: noise.votes(noisy_run, [1, 1]),
        "update": lambda: plots.update(run, 3),
        "update, petals": lambda: plots.update(lifted, 3),
        "progress": lambda: mistake_bound.progress(run, u, 4),
        "progress, many": lambda: mistake_bound.progress(longer, many.u, 12),
        "obtuse": lambda: mistake_bound.obtuse(run, 3),
        "obtuse, many": lambda: mistake_bound.obtuse(longer, 4),
        "obtuse, first": lambda: mistake_bound.obtuse(run, 1),
        "squeeze": lambda: plots.squeeze(longer, many.u),
        "squeeze, log": lambda: plots.squeeze(longer, many.u, log=True),
        "squeeze, unit vectors": lambda: plots.squeeze(lib.perceptron(worst.X, worst.y), worst.u),
        "lost": lambda: mistake_bound.lost(longer, many.u),
        "lost, five points": lambda: mistake_bound.lost(run, u),
        "weight_space": lambda: plots.weight_space(run),
        "weight_space, many": lambda: plots.weight_space(longer),
        "nearest": lambda: lines.nearest(few.X, few.y),
        "nearest, inseparable": lambda: lines.nearest(*noisy[:2]),
        "certificate": lambda: lines.certificate(
            square.X, square.y, lib.separate(lib.with_bias(square.X), square.y).multipliers),
        "shatter": lambda: pac.shatter([[0, 0], [3, 0], [0, 3], [1, 1]]),
        "lift, bias": lambda: lines.lift(
            moved, few.y, 1, lib.separate(lib.with_bias(moved), few.y).w),
        "walls": lambda: margin.walls(margin_run, stream.u, 1 / 8),
        "distance": lambda: lines.distance([1, 2], -4, [4, 4]),
        "gallery": lambda: lines.gallery(
            {"A": few[:2], "B": square[:2], "C": many[:2], "D": noisy[:2]}, "Which have a line?"),
        "wandering": lambda: mistake_bound.wandering(run),
        "wandering, many": lambda: mistake_bound.wandering(longer),
        "lifted": lambda: plots.lifted(
            [[-3], [-2], [1], [2], [3], [4]], [-1, -1, 1, 1, -1, 1], [0, 0, 0, 0, 2, 0], [1, -2]),
        "squeeze, lowered": lambda: plots.squeeze(
            noisy_pass, noisy.u, gamma_u=noise.best_gamma_u(*noisy)),
        "moves": lambda: noise.moves(noisy.X, noisy.y, noisy.u, 0.3),
        "sizes": lambda: noise.sizes(noisy_run),
        "bound_curves": lambda: noise.bound_curves(
            gammas, noise.by_gamma(*noisy, gammas),
            lib.perceptron(noisy.X, noisy.y, max_passes=1).mistakes),
        "widths": lambda: kernels.widths(rings.X, rings.y, [0.03, 0.3, 3]),
        "gram": lambda: kernels.gram(gaussian(rings.X, rings.X), rings.y),
        "regions": lambda: kernels.regions(
            rings.X, rings.y,
            kernels.kernel_perceptron(gaussian(rings.X, rings.X), rings.y), gaussian),
        "regions, xor": lambda: kernels.regions(
            square.X, square.y, kernels.kernel_perceptron(product, square.y), kernels.polynomial),
        "chart": lambda: plots.chart(
            odd, {"mistakes": made}, "Mistakes", {"(R/γ)²": allowed}, log=True),
        "chart, degree": lambda: plots.chart(
            [1, 2, 3, 4, 5, 6], {"test": [59, 11, 9, 12, 13, 13], "training": [40, 2, 0, 0, 0, 0]},
            "Errors", names=("degree", "errors"), least="test"),
        "bars": lambda: plots.bars(
            {"last": 34, "averaged": 19, "voted": 18, "pocket": 21}, "The last weights err most"),
        "offset": lambda: adversary.offset(many.X, many.y, [3, 4], -2),
        "shortest": lambda: adversary.shortest(few.X, few.y),
        "failure_rate": lambda: pac.failure_rate(
            {5: 0.9, 20: 0.42, 40: 0.1, 60: 0.02, 80: 0.0}, lambda m: 0.9 * 0.95 ** (m - 5),
            lambda m: 2**10 * np.exp(-0.1 * m), 0.1, 93),
        "timeline": lambda: survivors.timeline([0, 2, 1, 8, 69, 2, 4, 18], 65),
        "timeline, no trials": lambda: survivors.timeline([0, 2, 1, 8, 69, 2, 4, 318]),
        "timeline, none": lambda: survivors.timeline([0, 9, 9, 9], 10),
        "best_path": lambda: structured.best_path(*reader.scores(new.X[3]), new.y[3], new.X[3]),
        "best_path, few": lambda: structured.best_path(
            [[3, -3], [0, 0], [0, 0], [-3, 3]], [[0, -1], [-1, 2]], [0, 1, 1, 1],
            labels=["sun", "rain"]),
        "best_path, no truth": lambda: structured.best_path(
            [[1, 0, 3], [0, 0, 1], [0, 2, 1]], [[2, -1, 0], [0, 1, 0], [1, 0, 1]]),
        "functions": lambda: bridge.functions(x, losses, [-1, 0, 1]),
        "functions, crossing": lambda: bridge.functions(
            x, {"max(0, −s)": np.maximum(0, -x), "slope +½": x / 2}, [-0.7, 0.8]),
        "rings": lambda: bridge.rings(run, u),
        "fitted_line": lambda: bridge.fitted_line(
            data.X[::10, [2]], data.y[::10], bridge.least_squares(one, data.y[::10])),
        "descent": lambda: bridge.descent(one, data.y[::10], paths),
        "descent, one path": lambda: bridge.descent(
            one, data.y[::10], {"one path": paths["gradient descent"]}),
    }  # fmt: skip
