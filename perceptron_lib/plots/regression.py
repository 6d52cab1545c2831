"""Regression and optimisation: a fitted line, functions of one variable, paths downhill."""

import numpy as np

from perceptron_lib import checks
from perceptron_lib.plots import style
from perceptron_lib.plots.style import BLUE, GREEN, GREY, INK, ORANGE
from perceptron_lib.regression import least_squares, mean_squared_error
from perceptron_lib.show import number


@style.picture(6.0, 3.8)
def fitted_line(ax, x, y, w, title="", names=("x", "y")):
    """Points, the line w_1 x + w_2, and the residuals as vertical strokes."""
    x, (slope, intercept) = style.on_a_line(x), style.floats(w, "w", 2)
    y = style.floats(y, "y", len(x))
    fit, ends = slope * x + intercept, np.array([x.min(), x.max()])
    ax.vlines(x, np.minimum(y, fit), np.maximum(y, fit), color=GREEN, lw=1.2)
    ax.plot(ends, slope * ends + intercept, color=INK, lw=1.8)
    ax.scatter(x, y, s=36, color=BLUE, edgecolor="white", zorder=3)
    style.label(ax, names)
    return (
        f"{len(x)} points and the line with slope {number(slope)} and intercept "
        f"{number(intercept)}; the mean squared residual is {number(np.mean((y - fit) ** 2))}."
    )


@style.picture(6.0, 3.8)
def functions(ax, x, series, title=""):
    """Several functions of one variable, each with its name at its end."""
    x, series, words = style.floats(x, "x"), style.named(series, "series"), []
    if x[0] >= x[-1]:
        raise checks.refusal("x", "numbers from left to right, two at least", x)
    ax.axhline(0, color=GREY, lw=0.6)
    looks = ((INK, "-"), (BLUE, "--"), (ORANGE, "-."))
    for (name, heights), (color, ls) in zip(series, looks, strict=False):
        heights = style.floats(heights, name, len(x))
        ax.plot(x, heights, color=color, ls=ls, lw=1.8)
        style.note(ax, name, (x[-1], heights[-1]), (6, 0), color=color, va="center")
        words.append(f"{name} goes from {number(heights[0])} to {number(heights[-1])}")
    ax.set(xlim=(x[0], x[-1] + 0.22 * (x[-1] - x[0])), xlabel="x")
    return f"for x from {number(x[0])} to {number(x[-1])}, " + "; ".join(words) + "."


class Descent:
    """A contour map of the mean squared error in two weights, with paths over it."""

    def __init__(self, ax, X, y):
        self.ax, self.X = ax, style.drawable(checks.table(X), "X")
        if self.X.shape[1] != 2 or not self.X.any():
            raise checks.refusal("X", "a table of two features, not all 0", X)
        self.y = style.floats(y, "y", len(self.X))
        self.best = least_squares(self.X, self.y)
        size = 1.2 * np.abs(self.best).max() or 1.0
        a, b = (np.linspace(c - size, c + size, 80) for c in self.best)
        grid = np.stack(np.meshgrid(a, b), axis=-1)
        errors = np.mean((grid @ self.X.T - self.y) ** 2, axis=2)
        levels = errors.min() + np.ptp(errors) * np.linspace(0, 1, 15)[1:] ** 2
        ax.contour(a, b, errors, levels=levels, colors=GREY, linewidths=0.7)
        ax.plot(*self.best, "*", ms=14, color=INK, zorder=5)
        looks = ((BLUE, "o-"), (ORANGE, "s-"))
        self.lines = [ax.plot([], [], marker, color=c, ms=3, lw=1)[0] for c, marker in looks]
        ax.set(xlim=(a[0], a[-1]), ylim=(b[0], b[-1]), xlabel="$w_1$", ylabel="$w_2$")

    def show(self, paths):
        """`paths` maps a name to its path; returns them in words."""
        named, words = style.named(paths, "paths", most=2, least=0), []
        for line, (name, path) in zip(self.lines, named, strict=False):
            path = checks.table(path, name)
            words.append(f" {name} ends after {len(path) - 1} steps with error {self.at(path[-1])}")
            line.set(data=path.T, label=name)
        if paths:
            self.ax.legend(loc="upper right", fontsize=9)
        told = ";".join(words) + "." if words else ""
        return f"Height lines around the least error, {self.at(self.best)}, at the star.{told}"

    def at(self, w):
        """The error at w in words, without noise from rounding."""
        return number(round(mean_squared_error(self.X, self.y, w), 10))


@style.picture(5.6, 4.6)
def descent(ax, X, y, paths, title=""):
    """The paths of gradient methods on a contour map, as a picture."""
    return Descent(ax, X, y).show(paths)
