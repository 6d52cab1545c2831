"""Regression and optimisation: a fitted line, losses, convexity, paths downhill."""

import numpy as np

from perceptron_lib import checks
from perceptron_lib.plots import parts, style
from perceptron_lib.plots.style import AID, BOUND, GREY, INK, SKY, W
from perceptron_lib.regression import least_squares, mean_squared_error
from perceptron_lib.show import count, number


@style.picture(6.2, 4.0)
def fitted_line(ax, x, y, w, title="", names=("x", "y")):
    """Points, the line w_1 x + w_2, and the residuals as vertical strokes.

    >>> fitted_line([0, 1, 3], [1, 1, 4], w=[1, 0])
    3 points; the mean squared residual is 0.667: 3 points and the line with slope 1 and ...
    """
    x, (slope, intercept) = style.on_a_line(x), style.floats(w, "w", 2)
    y = style.floats(y, "y", len(x))
    fit, ends = slope * x + intercept, np.array([x.min(), x.max()])
    ax.vlines(x, np.minimum(y, fit), np.maximum(y, fit), color=GREY, lw=1.1)
    ax.plot(ends, slope * ends + intercept, **W)
    ax.scatter(x, y, s=34, color=SKY, edgecolor=INK, lw=0.8, zorder=3)
    parts.label(ax, names)
    error = number(np.mean((y - fit) ** 2))
    return f"{len(x)} points; the mean squared residual is {error}", (
        f"{len(x)} points and the line with slope {number(slope)} and intercept "
        f"{number(intercept)}; the mean squared residual is {error}."
    )


@style.picture(6.6, 4.2)
def losses(ax, title=""):
    """Zero-one, Perceptron, hinge and squared loss of a score s = y w·x (R2).

    >>> losses()
    The hinge loss is never below the zero-one loss: 1 at s = 0: four losses against the ...
    """
    s = np.linspace(-1.6, 2.6, 421)
    ax.set(xlim=(-1.6, 2.6), ylim=(-0.12, 3), xlabel="score  y w·x", ylabel="loss")
    ax.axvspan(-1.6, 0, color=style.VERMILION, alpha=0.06, lw=0)
    ax.axvline(0, **AID)
    ax.axhline(0, **AID)
    ax.plot(s, (1 - s) ** 2, color=GREY, ls=":", lw=1.8)
    ax.plot(s, np.maximum(0, 1 - s), **BOUND)
    ax.plot(s, np.maximum(0, -s), **W)
    ax.plot([-1.6, 0, 0, 2.6], [1, 1, 0, 0], color=INK, lw=4, alpha=0.35)
    for text, at, color in (
        ("squared  (1 − s)²", (0.08, 2.18), GREY),
        ("hinge  max(0, 1 − s)", (0.5, 0.68), BOUND["color"]),
        ("Perceptron  max(0, −s)", (-1.54, 0.14), INK),
        ("zero-one", (0.08, 1.13), INK),
        ("mistakes", (-1.54, 2.86), INK),
    ):
        ax.text(*at, text, fontsize=10, **style.TEXT | {"color": color, "ha": "left"})
    return "The hinge loss is never below the zero-one loss: 1 at s = 0", (
        "four losses against the score s = y w·x: zero-one is 1 up to s = 0 and 0 beyond; the "
        "Perceptron's max(0, −s) is 0 from s = 0 on; the hinge max(0, 1 − s) is 1 at s = 0 and 0 "
        "from s = 1 on; the squared loss (1 − s)² is 0 at s = 1 only, and rises again beyond."
    )


@style.picture(6.2, 4.0)
def chord(ax, f, a, b, t=0.5, title=""):
    """A chord of a function: convex means that no chord is below it anywhere (R2).

    >>> chord(lambda x: x * x, a=-1, b=2)
    At x = 0.5: f = 0.25 ≤ 2.5 on the chord: the chord from a = −1 to b = 2 has the ...
    """
    a, b, t = style.real(a, "a"), style.real(b, "b"), style.real(t, "t")
    if not (a < b and 0 <= t <= 1):
        raise checks.refusal("a, b and t", "numbers with a < b and t from 0 to 1", (a, b, t))
    x = np.linspace(a - 0.25 * (b - a), b + 0.25 * (b - a), 300)
    heights = style.floats([f(float(v)) for v in x], "f(x)")
    ends, at = style.floats([f(a), f(b)], "f(x)"), (1 - t) * a + t * b
    below, above = float(f(at)), (1 - t) * ends[0] + t * ends[1]
    ax.plot(x, heights, **W)
    ax.plot([a, b], ends, **BOUND)
    ax.plot([at, at], [below, above], color=GREY, lw=1.4)
    ax.plot([a, b, at, at], [*ends, above, below], "o", color=INK, ms=5)
    parts.note(ax, f"chord: {number(above)}", (at, above), color=BOUND["color"])
    parts.note(ax, f"f: {number(below)}", (at, below))
    for name, end, height in (("a", a, ends[0]), ("b", b, ends[1])):
        parts.note(ax, name, (end, height))
    ax.set(xlabel="x", ylabel="f(x)")
    sign = "≤" if below <= above else ">"
    return f"At x = {number(at)}: f = {number(below)} {sign} {number(above)} on the chord", (
        f"the chord from a = {number(a)} to b = {number(b)} has the height {number(above)} at "
        f"x = {number(at)}, the function {number(below)}."
    )


@style.picture(5.6, 5.2)
def descent(ax, X, y, paths, title=""):
    """Paths of gradient methods over a contour map of the mean squared error in two weights.

    >>> from perceptron_lib.regression import gradient_descent
    >>> X, y = [[1, 1], [1, -1]], [3, 1]
    >>> paths = {"descent": gradient_descent(X, y, step=0.25, steps=3)}
    >>> descent(X, y, paths)
    Descent ends after 3 steps with error 0.0781; the least is 0: Contours around the ...
    """
    given, X = X, style.drawable(checks.table(X), "X")
    if X.shape[1] != 2 or not X.any():
        raise checks.refusal("X", "a table of two features, not all 0", given)
    y, paths = style.floats(y, "y", len(X)), style.named(paths, "paths", most=2, least=0)
    best, words = least_squares(X, y), []
    size = 1.2 * np.abs(best).max() or 1.0
    a, b = (np.linspace(c - size, c + size, 241) for c in best)
    errors = np.mean((np.stack(np.meshgrid(a, b), axis=-1) @ X.T - y) ** 2, axis=2)
    levels = errors.min() + np.ptp(errors) * np.linspace(0, 1, 15)[1:] ** 2
    ax.contour(a, b, errors, levels=levels, colors=GREY, linewidths=0.7, alpha=0.8)
    ax.plot(*best, "*", ms=16, color=style.GREEN, mec=INK, mew=0.8, zorder=5)
    ax.set(xlim=(a[0], a[-1]), ylim=(b[0], b[-1]), xlabel="$w_1$", ylabel="$w_2$")
    looks = (
        {**W, "lw": 1.4, "marker": "o", "ms": 4.5, "zorder": 4},
        {"color": GREY, "lw": 0.7, "marker": "s", "ms": 2.4, "mfc": SKY, "mew": 0.4},
    )
    for look, (name, path) in zip(looks, paths.items(), strict=False):
        path = checks.table(path, name)
        ax.plot(*path.T, **look, label=name)
        steps, error = count(len(path) - 1, "step"), mean_squared_error(X, y, path[-1])
        words.append(f"{name} ends after {steps} with error {number(round(error, 10))}")
    if paths:
        parts.key(ax)
    least = number(round(mean_squared_error(X, y, best), 10))  # without noise from rounding
    finding = f"{words[0]}; the least is {least}" if words else f"The least error is {least}"
    told = f" {'; '.join(words)}." if words else ""
    finding = finding[0].upper() + finding[1:]
    return finding, f"Contours around the least error, {least}, at the star.{told}"


class Descent(style.redrawn(descent, "X", "y")):
    """`descent` on axes that stay: X and y are kept, paths come and go.

    >>> from perceptron_lib.regression import gradient_descent
    >>> X, y = [[1, 1], [1, -1]], [3, 1]
    >>> paths = {"descent": gradient_descent(X, y, step=0.25, steps=3)}
    >>> Descent(style.card(5, 5).subplots(), X, y).show(paths)[0]
    'Descent ends after 3 steps with error 0.0781; the least is 0'
    """
