"""Lesson 10, one rule among many: regression, optimisation, and their bridge to the Perceptron.

A path is the table of all weights a method went through, a row for each step, as a run of the
Perceptron is; so every picture and every comparison starts from the same thing.  The intercept is
folded in as a constant feature (``with_bias``), and the objective is the mean squared error
J(w) = (1/n) sum_i (w·x_i - y_i)².
"""

import itertools
from collections.abc import Callable
from fractions import Fraction
from functools import partial

import numpy as np

from perceptron_lib import bounds, checks, exact
from perceptron_lib.examples import Examples
from perceptron_lib.exercises import Wrong, checker, require, value_of
from perceptron_lib.plots import charts, parts, style
from perceptron_lib.show import count, indexed, number, numbers, short, symbols
from perceptron_lib.widgets.explorer import Explorer, Redrawn, axes, slider


def _moderate(value, name, _):
    """A number above 0 as a float, whose square floats can hold, too."""
    expected = "a number above 0 (and of middling size)"
    return float(checks.fraction(value, name, expected, lambda v: 1e-150 < v < 1e150))


regression_door = partial(  # where y holds numbers, and no labels
    checks.door,
    y=lambda y, name, given: checks.vector(y, len(given["X"]), name, "a number for each example"),
    w=lambda w, name, given: checks.vector(w, given["X"].shape[1], name),
    solver=checks.limit(Callable, "a function of X and y"),
    step=_moderate,
    steps=checks.limit(checks.whole, 1, 10**6),
)


def diabetes():
    """442 patients: ten measurements (standardised), and how the disease went on in a year.

    >>> X, y, _ = diabetes()
    >>> X.shape, float(y.mean().round(1))
    ((442, 10), 152.1)
    """
    from sklearn.datasets import load_diabetes

    data = load_diabetes()
    return Examples(data.data / data.data.std(axis=0), data.target)


@regression_door
def mean_squared_error(X, y, w):
    """J(w) = (1/n) sum_i (w·x_i - y_i)².

    >>> mean_squared_error([[1], [2]], [1, 4], [1])
    2.0
    """
    return float(np.mean((y - X @ w) ** 2))


@regression_door
def normal_equations(X, y):
    """The solution by the formula XᵀX w = Xᵀy: about n d² + d³ steps (R3).

    Every entry of XᵀX and Xᵀy is exact, rounded once; then floats eliminate.  Yet the condition
    number of XᵀX is that of X squared.

    >>> normal_equations([[1, 1], [1, -1]], [3, 1]).tolist()
    [2.0, 1.0]
    """
    (N, exponent), d = exact.integers(np.column_stack([X, y])), X.shape[1]
    A = exact.floats(exact.dot(N.T, N)[:-1], 2 * exponent)  # XᵀX, and Xᵀy as its last column
    for k in range(d):
        if not A[k, k] > 0:
            near = "the columns of X must be independent; these are not, or in floats too nearly so"
            raise ValueError(f"{near} for the formula: try least_squares")
        others = np.arange(d) != k
        A[others] -= np.outer(A[others, k] / A[k, k], A[k])
    return A[:, d] / np.diag(A)


@regression_door
def least_squares(X, y):
    """The solution by a stable method, which never forms XᵀX.

    >>> least_squares([[1, 1], [1, -1]], [3, 1]).round(12).tolist()
    [2.0, 1.0]
    """
    return np.linalg.lstsq(X, y, rcond=None)[0]


@regression_door
def right_digits(solver, X, weights):
    """How many digits of w a solver finds again from X and y = Xw, in the middle over several w.

    For each it is -log10 of the largest error, rounded down, and 0 if there is no answer (R3).

    >>> right_digits(lambda X, y: y + 0.002, [[1, 0], [0, 1]], [[3, 5]])
    2
    """
    digits = []
    for w in weights:
        try:
            error = np.abs(solver(X, (X * w).sum(axis=1)) - w).max()
        except ValueError:  # it has no answer
            error = 1.0
        digits.append(max(0, int(-np.log10(max(error, 1e-16)))))
    return int(np.median(digits))


@regression_door
def step_limit(X):
    """2/λ_max of the Hessian (2/n) XᵀX: below it gradient descent converges from every start, if
    the columns of X are independent; above it, it does not.

    >>> round(step_limit([[1, 1], [1, -1]]), 12)
    1.0
    """
    return float(2 / np.linalg.eigvalsh(2 / len(X) * X.T @ X)[-1])


@regression_door
def gradient_descent(X, y, step, steps):
    """The path w <- w - step · ∇J(w), `steps` times, from 0 on; ∇J(w) is -(2/n) Xᵀ(y - Xw).

    >>> gradient_descent([[1], [1]], [1, 3], step=0.25, steps=3).tolist()
    [[0.0], [1.0], [1.5], [1.75]]
    """
    path = [np.zeros(X.shape[1])]
    for _ in range(steps):
        path.append(path[-1] + 2 * step / len(y) * X.T @ (y - X @ path[-1]))
    return np.array(path)


@regression_door
def stochastic_gradient_descent(X, y, step, steps, seed=0):
    """The path w <- w + 2·step·(y_i - w·x_i) x_i from 0 on, `steps` times; each time example i is
    drawn anew, all of them equally likely (R5).

    >>> stochastic_gradient_descent([[1], [1]], [1, 3], step=0.25, steps=3).tolist()
    [[0.0], [1.5], [2.25], [1.625]]
    """
    path = [np.zeros(X.shape[1])]
    for i in np.random.PCG64(seed).random_raw(steps) % np.uint64(len(y)):
        path.append(path[-1] + 2 * step * (y[i] - X[i] @ path[-1]) * X[i])
    return np.array(path)


def _rational_points(points, name, given):
    """Vectors as long as w, each as a list of Fractions."""
    listed = isinstance(points, (list, tuple)) and points
    rows = points if listed else checks.table(points, name)
    return [checks.fractions(row, len(given["w"]), "each of the points") for row in rows]


subgradient_door = partial(
    checks.door,
    f=checks.limit(Callable, "a function of a vector"),
    w=lambda w, name, _: checks.fractions(w, None, name),
    g=lambda g, name, given: checks.fractions(g, len(given["w"]), name),
    points=_rational_points,
)


@subgradient_door
def subgradient_violation(f, w, g, points):
    """The first v among the points with f(v) < f(w) + g·(v - w), or None (R8).

    Exact, for vectors of rational numbers.  Finding none proves nothing; finding one proves that g
    is no subgradient of f at w.

    >>> subgradient_violation(lambda w: abs(w[0]), [0], ["1/2"], [[-1], [1]])
    >>> subgradient_violation(lambda w: abs(w[0]), [0], [2], [[-1], [1]])
    [Fraction(1, 1)]
    """
    for v in points:
        if f(v) < f(w) + sum(c * (p - q) for c, p, q in zip(g, v, w, strict=True)):
            return v
    return None


# --- pictures -------------------------------------------------------------------------------------


@style.picture(3.8)
def functions(ax, x, series, at, title="", names=("x", "f(x)"), top=None):
    """Several functions of one variable, each with its name beside it at its own place `at`.

    >>> functions([0, 1, 2], {"x²": [0, 1, 4]}, at=[1])
    For x from 0 to 2: x² goes from 0 to 4.
    """
    ax.axhline(0, **style.AID)
    heights = np.array(list(series.values()), dtype=float)
    heights[heights > (top or np.inf)] = np.nan
    looks = *charts.LINES, {**style.AID, "ls": "-.", "lw": 1.8}
    for name, values, place, look in zip(series, heights, at, looks, strict=False):
        ax.plot(x, values, **look)
        parts.note(ax, name, (place, np.interp(place, x, values)), color=look["color"])
    parts.label(ax, names)
    ax.margins(0.03, 0.08)
    ax.locator_params("x", nbins=7)
    words = [f"{name} goes {parts.span(values)}" for name, values in series.items()]
    return f"For x {parts.span(x)}", f"{'; '.join(words)}."


@style.picture()
def fitted_line(ax, x, y, w, names=("x", "y")):
    """Points, the line w_1 x + w_2, and the residuals as vertical strokes.

    >>> fitted_line([0, 1, 3], [1, 1, 4], w=[1, 0])
    The mean squared residual of 3 points is 0.667: the line has slope 1 and intercept 0; ...
    """
    x, (slope, intercept) = np.ravel(x), w
    ends = np.array([x.min(), x.max()])
    fit = slope * x + intercept
    ax.vlines(x, np.minimum(y, fit), np.maximum(y, fit), color=style.GREY, lw=1.1)
    ax.plot(ends, slope * ends + intercept, **style.W)
    ax.scatter(x, y, s=50, color=style.SKY, edgecolor=style.INK, lw=0.8, zorder=3)
    parts.label(ax, names)
    error = number(np.mean((y - fit) ** 2))
    return f"The mean squared residual of {len(x)} points is {error}", (
        f"the line has slope {number(slope)} and intercept {number(intercept)}; the residuals are "
        "upright strokes from the points to it."
    )


@style.picture()
@checks.door(v=lambda v, name, _: checks.fractions(v, 2, name))
def rings(ax, run, v):
    """The weights of a run with step 1/R², around a v with z·v ≥ 1 for every example (R9): the
    squares of the radii differ by 1/R², and each mistake crosses one ring at least.

    >>> from perceptron_lib import five_points, perceptron
    >>> rings(perceptron(*five_points()[:2]), v=[1, 0])
    Each mistake crosses a ring, and there are only 10: ...
    """
    R2, square = bounds.radius2(run.X), sum(c * c for c in v)
    if min(bounds.scores(run.X, run.y, v)) < 1:
        raise ValueError("v must have z·v ≥ 1 for every example")
    path, center = run.weights / float(R2), np.array(v, dtype=float)
    many, turn = int(square * R2), np.linspace(0, 2 * np.pi, 721)
    style.show_all(ax, path - 0.03, path)
    for k in range(many, -1, -1):
        radius = np.sqrt(float(square - k / R2))
        ring = center + radius * np.column_stack([np.cos(turn), np.sin(turn)])
        if k == many - 1:  # the last but one is seen as a whole
            style.show_all(ax, ring - 0.02, ring + 0.02)
        ax.plot(*ring.T, **style.BOUND | {"lw": 1})
    parts.arrow(ax, (0, 0), center, "v", style.U)
    for k, (tail, tip) in enumerate(itertools.pairwise([path[0], *path]), 1):
        parts.arrow(ax, tail, tip)
        place = 15 * (k < 2), 13 if tip[1] > tail[1] else -13
        look = style.TEXT | {"xytext": place, "textcoords": "offset points"}
        ax.annotate(symbols(indexed("w", k)), tip, **look)
    parts.label(ax, ("w₁", "w₂"))
    left = [sum((w / R2 - c) ** 2 for w, c in zip(map(Fraction, row), v, strict=True))
            for row in run.weights.tolist()]  # fmt: skip
    return f"Each mistake crosses a ring, and there are only {many}", (
        f"with step 1/R² the squared distances from v are {', '.join(map(number, left))}; the "
        f"squares of the radii fall from {number(square)} in steps of {number(1 / R2)}."
    )


@style.picture()
@regression_door
def descent(ax, X, y, paths, title="", names=("slope", "intercept")):
    """Paths of gradient methods over a contour map of the mean squared error in two weights; if
    there are not two of them, also the directions in which it bends most and least.

    >>> X, y = [[1, 1], [1, -1]], [3, 1]
    >>> paths = {"descent": gradient_descent(X, y, step=0.25, steps=3)}
    >>> descent(X, y, paths)
    Descent ends after 3 steps with error 0.0781: Contours around the least error, 0, at ...
    """
    # Processors differ in the last digits; pixels need not.
    best = least_squares(style.plane_points(X), y).round(9)
    size = 0.8 * np.abs(best).max() or 1.0
    a = np.linspace(best[0] - 1.6 * size, best[0] + 1.6 * size, 321)
    b = np.linspace(best[1] - 1.4 * size, best[1] + 0.6 * size, 201)
    ahead, aside = np.meshgrid(a, b)
    heights = sum((p * ahead + q * aside - r) ** 2 for (p, q), r in zip(X, y, strict=True)) / len(y)
    levels = heights.min() + np.ptp(heights) * np.linspace(0, 1, 15)[1:] ** 2
    ax.contour(a, b, heights, levels=levels, colors=style.GREY, linewidths=0.7, alpha=0.8)
    ax.plot(*best, "*", ms=13, color=style.GREEN, mec=style.INK, mew=0.8, zorder=3)
    ax.set(xlim=(a[0], a[-1]), ylim=(b[0], b[-1]), aspect="equal")
    parts.label(ax, names)
    looks = (
        {**style.W, "lw": 1.4, "marker": "o", "ms": 4, "zorder": 4},
        {"color": style.GREY, "lw": 0.7, "marker": "s", "ms": 2.4, "mfc": style.SKY, "mew": 0.4},
    )
    least = number(round(mean_squared_error(X, y, best), 10))  # without noise from rounding
    words = []
    for look, (name, path) in zip(looks, paths.items(), strict=False):
        ax.plot(*path.T.round(9), **look, label=name)
        steps, error = count(len(path) - 1, "step"), mean_squared_error(X, y, path[-1])
        words.append(f"{name} ends after {steps} with error {number(round(error, 10))}")
    alt = f"Contours around the least error, {least}, at the star."
    if len(paths) < 2:
        bends, ways = np.linalg.eigh(2 / len(X) * X.T @ X)
        for bend, way, reach in zip(bends.round(9), ways.T, (0.38, 0.28), strict=True):
            way = np.copysign(1, way @ best) * way
            tip = best + reach * size * way
            parts.arrow(ax, best, tip, "", style.AID | {"lw": 1.8})
            place = {"xytext": (28, 14) * way, "textcoords": "offset points"}
            ax.annotate(symbols(f"λ = {number(bend)}"), tip, **style.TEXT | place)
        alt += f" From there it bends least, by {number(bends[0].round(9))}, and most, by "
        alt += f"{number(bends[1].round(9))}, in the directions of the two arrows."
    if not paths:
        return f"The least error is {least}", alt
    if len(paths) > 1:
        parts.key(ax)
    return f"{words[0][:1].upper()}{words[0][1:]}", f"{alt} {'; '.join(words)}."


def errors(ax, values):
    """The error after each step, on a logarithmic axis that is always the same."""
    ax.set(yscale="log", xlabel="steps", ylabel="error", xlim=(0, len(values) - 1))
    ax.set(ylim=(1e-9, 1e5))
    ax.set_yticks([1e-8, 1e-4, 1, 1e4], ["1e−8", "1e−4", "1", "1e4"])
    ax.minorticks_off()
    ax.plot(np.maximum(values, 1e-99), **style.OBSERVED | {"ms": 4})


# --- an explorer ----------------------------------------------------------------------------------


def explorer():
    """Choose the step, as a share of its limit, and the condition number of X: the path follows.

    >>> print(explorer().words)
    The path converges: after 30 steps the error is 0.000756. The step is 0.8, 80% of its ...
    """
    share = slider("step / limit", [0.1, 0.3, 0.5, 0.8, 0.95, 0.99, 1.01, 1.05], 0.8)
    condition = slider("√κ", [1, 2, 5, 10, 30], 5)
    above, below = axes(5.8, (0.16, 0.42, 0.81, 0.56), (0.16, 0.1, 0.81, 0.2))

    def load():
        X = np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]]) * [1, 1 / condition.value]
        y = X.sum(axis=1)
        return Redrawn(descent, above, X=X, y=y, names=("w₁", "w₂")), Redrawn(errors, below), X, y

    def draw(contours, error_chart, X, y):
        step = share.value * step_limit(X)
        path = gradient_descent(X, y, step, 30)
        contours.show(paths={"gradient descent": path})
        heights = [mean_squared_error(X, y, w) for w in path]
        error_chart.show(values=heights)
        across, along = 1 - 2 * share.value, 1 - 2 * share.value / condition.value**2
        what = "converges" if abs(across) < 1 else "diverges"
        return f"The path {what}: after 30 steps the error is {number(heights[-1])}", (
            f"The step is {number(step)}, {share.value:.0%} of its limit. Each step multiplies "
            f"what is left of the way by {number(round(across, 4))} across the valley and by "
            f"{number(round(along, 4))} along it. The least error, 0, is at the star."
        ), ""

    return Explorer([share, condition], load, draw, [condition])


# --- the exercises --------------------------------------------------------------------------------


@checker(
    "10.1",
    "Write r for the residuals: which two equations say that the gradient is 0?",
    "The residuals must sum to 0, and so must their products with x: choose one of them freely.",
)
def off_the_line(y):
    """Three numbers y at x = 0, 1, 3 with least-squares line y = x, not all of them on it."""
    y = checks.fractions(y, 3, "the answer", "a list of three numbers")
    r = [y[0], y[1] - 1, y[2] - 3]
    across = r[1] + 3 * r[2]
    require(any(r), "these three points lie on the line")
    require(sum(r) == 0, f"the residuals sum to {short(sum(r))}, so another intercept is better")
    fits = f"the residuals sum to 0, but their products with x sum to {short(across)}"
    require(across == 0, f"{fits}, so another slope is better")
    return "the residuals are orthogonal to both columns, so no other line does better."


@checker(
    "10.2",
    "At this w both pieces of the loss are 0: what are their gradients?",
    "A mean of two subgradients is a subgradient too: add up the two inequalities.",
)
def another_subgradient(g):
    """A subgradient of max(0, 1 − z·w) at w = (1, 0) for z = (1, 2): neither 0 nor −z."""
    g = checks.fractions(g, 2, "the answer", "a list of two numbers")
    require(g not in ([0, 0], [-1, -2]), "this is one of the two that were excluded")

    def hinge(w):
        return max(0, 1 - w[0] - 2 * w[1])

    # If g is not a multiple of z, a step across z refutes it; if it is, one along z does.
    points = [[1 - 2, 1], [1 + 2, -1], [1 + 1, 2], [1 - 1, -2]]
    v = subgradient_violation(hinge, [1, 0], g, points)
    if v is not None:
        bound = g[0] * (v[0] - 1) + g[1] * v[1]
        plane = f"at v = {numbers(v)} the plane has height {short(bound)}"
        raise Wrong(f"{plane}, above the loss {hinge(v)}")
    return "it lies between the two gradients, and no v refutes it."


@checker(
    "10.3",
    "As a function of the signed score s = y w·x the loss is max(0, 1 − s). Where does it fall, "
    "and how steeply?",
    "One `if` is enough. A mistake is not needed: an example that is right, with a score below 1, "
    "is added, too.",
)
def hinge_step(step):
    """A step of SGD on the hinge loss, a function of w, x, y and the step size (R8, R10)."""
    for y, score in itertools.product((1, -1), (-2, 0, Fraction(1, 2), 1, 3)):
        w, z = [y * score - 2, 1], [y, 2 * y]  # x = (1, 2), so y w·x is the score
        given = np.array(w, dtype=float), np.array([1.0, 2.0]), y, 0.25
        after = checks.fractions(value_of(step, *given), 2, "what your function returns")
        change = [p - q for p, q in zip(after, w, strict=True)]
        near = [[w[0] + k * p, w[1] + k * q] for p, q in (z, (2, -1)) for k in (1 / 64, -1 / 64)]
        v = subgradient_violation(
            lambda v, y=y: max(0, 1 - y * (v[0] + 2 * v[1])), w, [-4 * c for c in change], near
        )
        told = f"x = (1, 2), y = {short(y)} and step size 1/4, where s = {short(score)}, your step"
        told = f"at w = {numbers(w)}, {told} adds {numbers(change)} to w"
        right = numbers([Fraction(c, 4) for c in z] if score < 1 else [0, 0])
        require(v is None, f"{told}, and that is no subgradient step; {right} is one")
    return "every step is a subgradient step, at the kink as well."
