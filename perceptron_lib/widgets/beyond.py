"""Explorers beyond a line that separates: samples, noisy labels, kernels, gradient descent."""

from functools import partial

import numpy as np

from perceptron_lib import bounds, kernels, pac, plots, regression
from perceptron_lib.examples import flip_labels, rings, separable, xor
from perceptron_lib.kernels import kernel_perceptron
from perceptron_lib.perceptron import perceptron
from perceptron_lib.widgets.explorer import Explorer, axes, choice, counter, one_over, slider, told


def reduction():
    """Choose ε, δ and the margin: how many examples, and what one stream does with them (O1)."""
    eps = slider("ε", [0.5, 0.3, 0.2, 0.1, 0.05, 0.02], 0.1)
    delta = slider("δ", [0.5, 0.2, 0.1, 0.05, 0.01], 0.1)
    margin = slider("margin", [1 / 2, 1 / 4, 1 / 8, 1 / 16], 1 / 8, one_over)

    def load():
        return (plots.Survivals(axes(6.4, 3.4, (0.12, 0.16, 0.85, 0.79))),)

    def draw(bars):
        pool = separable(300, 3, margin.value, seed=2)
        D, rng = pac.Finite.of(pool.X, pool.y), np.random.default_rng(1)
        wanted = round(1 / margin.value**2), eps.value, delta.value
        learned = pac.online_to_pac(lambda n: D.draw(n, rng), *wanted)
        length, counts = pac.survival_length(*wanted), pac.survivals(learned.run)
        chosen = int(np.argmax(counts >= length)) if learned.survived else None
        return (
            f"{told(*bars.show(counts, length, chosen))} M = {wanted[0]}; at most "
            f"{pac.reduction_size(*wanted):,} examples are drawn; {learned.used:,} were looked at; "
            f"the error of the output is {float(D.error(learned.w)):.4f}."
        ), ""

    return Explorer([eps, delta, margin], load, draw)


def noise():
    """Flip some labels: the bounds against γ and the mistakes really made follow (H4, H5)."""
    flipped, which = counter("flipped", 6, 30), counter("which", 0, 10)
    gammas = np.linspace(0.03, 1.2, 118)

    def load():
        picture = plots.BoundCurves(axes(6.6, 4.2, (0.12, 0.13, 0.85, 0.83)))
        return picture, separable(100, 2, 0.125, seed=7)

    def draw(curves, clean):
        X, y, u = flip_labels(clean, flipped.value, which.value)
        made = perceptron(X, y, max_passes=1).mistakes
        words = told(*curves.show(gammas, bounds.by_gamma(X, y, u, gammas), made))
        return f"{flipped.value} of 100 labels flipped. {words}", ""

    return Explorer([flipped, which], load, draw)


KERNEL_DATA = {"rings": rings, "XOR": xor, "margin ≥ 1/16": lambda: separable(40, 2, 0.0625, 3)}


def kernel():
    """Choose data, kernel, and degree or width: the regions and the alphas follow (D5)."""
    data, which = choice("data", KERNEL_DATA), choice("kernel", ["Gaussian", "polynomial"])
    degree = counter("degree", 2, 6, least=1)
    width = slider("width", [0.05, 0.1, 0.2, 0.3, 0.5, 1, 2], 0.3)

    def load():
        X, y, _ = KERNEL_DATA[data.value]()
        return plots.Regions(axes(5.2, 4.6, (0.15, 0.12, 0.82, 0.85)), X, y, cells=70), X, y

    def draw(regions, X, y):
        width.disabled = which.value == "polynomial"
        degree.disabled = not width.disabled
        made = partial(kernels.gaussian, width=width.value)
        if width.disabled:
            made = partial(kernels.polynomial, degree=degree.value)
        return told(*regions.show(kernel_perceptron(made(X, X), y, max_passes=200), made)), ""

    return Explorer([data, which, degree, width], load, draw, [data], "520px")


def descent():
    """Choose the step, as a share of its limit, and the condition number: the path follows."""
    share = slider("step / limit", [0.1, 0.3, 0.5, 0.8, 0.95, 0.99, 1.01, 1.05], 0.5)
    condition = slider("condition", [1, 2, 5, 10, 30], 5)

    def load():
        X = np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]]) * [1, 1 / condition.value]
        y = X.sum(axis=1)
        return plots.Descent(axes(5.6, 4.8, (0.15, 0.19, 0.82, 0.78)), X, y), X, y

    def draw(contours, X, y):
        step = share.value * regression.step_limit(X)
        path = regression.gradient_descent(X, y, step, 40)
        return f"Step {step:.3f}. {told(*contours.show({'gradient descent': path}))}", ""

    return Explorer([share, condition], load, draw, [condition], "560px")
