"""Explorers beyond a line that separates: samples, noisy labels, kernels, gradient descent."""

from functools import partial

import numpy as np

from perceptron_lib import kernels, pac, plots, regression
from perceptron_lib.examples import flip_labels, rings, separable, xor
from perceptron_lib.kernels import kernel_perceptron
from perceptron_lib.perceptron import perceptron
from perceptron_lib.show import count, number
from perceptron_lib.widgets.explorer import Explorer, axes, choice, counter, one_over, slider


def reduction():
    """Choose ε, δ and the margin: how many examples, and what one stream does with them (O1).

    >>> print(reduction().words)
    Hypothesis 8 is output: it was right 65 times in a row. The hypotheses were right on ...
    """
    eps = slider("ε", [0.5, 0.3, 0.2, 0.1, 0.05, 0.02], 0.1)
    delta = slider("δ", [0.5, 0.2, 0.1, 0.05, 0.01], 0.1)
    margin = slider("margin", [1 / 2, 1 / 4, 1 / 8, 1 / 16], 1 / 8, one_over)

    def load():
        above, below = axes(6.2, 5.2, (0.14, 0.47, 0.83, 0.5), (0.24, 0.11, 0.73, 0.19))
        return plots.Survivals(above), plots.Shares(below)

    def draw(bars, shares):
        pool = separable(300, 3, margin.value, seed=2)
        D, rng = pac.Finite.of(pool.X, pool.y), np.random.default_rng(1)
        M, *wanted = round(1 / margin.value**2), eps.value, delta.value
        learned = pac.online_to_pac(lambda n: D.draw(n, rng), M, *wanted)
        length, counts = pac.survival_length(M, *wanted), pac.survivals(learned.run)
        chosen = int(np.argmax(counts >= length)) if learned.survived else None
        most, error = pac.reduction_size(M, *wanted), float(D.error(learned.w))
        used, made = learned.used, learned.run.mistakes if chosen is None else chosen
        shares.show({
            "mistakes": (made / M, f"{made} of {M}"),
            "examples": (used / most, f"{used:,} of {most:,}"),
            "error": (error / eps.value, f"{error:.4f} of ε = {eps.value:g}"),
        }, [(1, "allowed", plots.style.BOUND)], "share of what is allowed")  # fmt: skip
        bars.show(counts, length, chosen)
        right = ", ".join(f"{v:,}" for v in counts[:12]) + ", …" * (len(counts) > 12)
        finding = f"Hypothesis {made + 1} is output: it was right {length} times in a row"
        if chosen is None:
            finding = f"No hypothesis was right {length} times in a row: the last one is output"
        return finding, (
            f"The hypotheses were right on {right} examples in a row. {count(made, 'mistake')} of "
            f"at most {M}, {used:,} examples looked at of at most {most:,}. The output's error "
            f"is {error:.4f}; with probability {1 - delta.value:g} it is at most {eps.value:g}."
        ), ""

    return Explorer([eps, delta, margin], load, draw)


def noise():
    """Flip some labels, choose γ: what must be moved, how far, and the mistakes that it allows (H4,
    H5).

    >>> print(noise().words)
    21 mistakes in one pass. 6 of 100 labels were flipped (crosses). 48 of 100 examples ...
    """
    flipped = slider("labels flipped", [0, 3, 6, 10, 20, 30], 6)
    which = counter("which ones", 1, 3, least=1)
    gamma = slider("γ", [0.05, 0.1, 0.2, 0.3, 0.5, 0.8], 0.3)

    def load():
        above, below = axes(6.2, 5.9, (0.14, 0.4, 0.83, 0.58), (0.14, 0.09, 0.53, 0.21))
        return plots.Flips(above), plots.Allowances(below), separable(100, 2, 0.125, seed=7)

    def draw(flips, allowances, clean):
        which.disabled = flipped.value == 0
        X, y, u = flip_labels(clean, flipped.value, which.value)
        made = perceptron(X, y, max_passes=1).mistakes
        moved, words = flips.show(X, y, u, gamma.value, y != clean.y)
        finding, allowed = allowances.show(X, y, u, gamma.value, made)
        return finding, (
            f"{flipped.value} of 100 labels were flipped (crosses). {moved} (arrows). {words} "
            f"{allowed}"
        ), ""

    return Explorer([flipped, which, gamma], load, draw)


KERNEL_DATA = {"rings": rings, "XOR": xor, "margin ≥ 1/16": lambda: separable(40, 2, 0.0625, 3)}


def kernel():
    """Choose data, kernel, and degree or width: the regions and the alphas follow (D5).

    >>> print(kernel().words)
    8 updates; α > 0 (rings) at 8 of 60; 60 right. Gaussian kernel of width 0.3. 30 ...
    """
    data, which = choice("data", KERNEL_DATA), choice("kernel", ["Gaussian", "polynomial"])
    degree = counter("degree", 2, 6, least=1)
    width = slider("width", [0.05, 0.1, 0.2, 0.3, 0.5, 1, 2], 0.3)

    (ax,) = axes(5.8, 5.2, (0.14, 0.11, 0.83, 0.86))

    def load():
        X, y, _ = KERNEL_DATA[data.value]()
        return plots.Regions(ax, X, y, cells=110), X, y

    def draw(regions, X, y):
        width.disabled = which.value == "polynomial"
        degree.disabled = not width.disabled
        made = partial(kernels.gaussian, width=width.value)
        if width.disabled:
            made = partial(kernels.polynomial, degree=degree.value)
        finding, words = regions.show(kernel_perceptron(made(X, X), y, max_passes=200), made)
        shape = f"degree {degree.value}" if width.disabled else f"width {width.value:g}"
        return finding, f"{which.value.capitalize()} kernel of {shape}. {words}", ""

    return Explorer([data, which, degree, width], load, draw, [data])


def descent():
    """Choose the step, as a share of its limit, and the condition number: the path follows.

    >>> print(descent().words)
    The path converges: after 30 steps the error is 0.000756. The step is 0.8, 80% of its ...
    """
    share = slider("step / limit", [0.1, 0.3, 0.5, 0.8, 0.95, 0.99, 1.01, 1.05], 0.8)
    condition = slider("condition", [1, 2, 5, 10, 30], 5)

    above, below = axes(6, 5.8, (0.14, 0.42, 0.83, 0.56), (0.14, 0.1, 0.83, 0.2))

    def load():
        X = np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]]) * [1, 1 / condition.value]
        y = X.sum(axis=1)
        return plots.Descent(above, X, y), plots.Errors(below), X, y

    def draw(contours, errors, X, y):
        step = share.value * regression.step_limit(X)
        path = regression.gradient_descent(X, y, step, 30)
        contours.show({"gradient descent": path})
        found = [regression.mean_squared_error(X, y, w) for w in path]
        errors.show(found)
        across, along = 1 - 2 * share.value, 1 - 2 * share.value / condition.value**2
        what = "converges" if abs(across) < 1 else "diverges"
        return f"The path {what}: after 30 steps the error is {number(found[-1])}", (
            f"The step is {number(step)}, {share.value:.0%} of its limit. Each step multiplies "
            f"what is left of the way by {number(round(across, 4))} across the valley and by "
            f"{number(round(along, 4))} along it. The least error, 0, is at the star."
        ), ""

    return Explorer([share, condition], load, draw, [condition])
