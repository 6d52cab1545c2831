"""Lesson 10, regression and optimisation.

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

from perceptron_lib import checks, exact
from perceptron_lib.examples import Examples
from perceptron_lib.exercises import Wrong, checker, exact_number, require
from perceptron_lib.plots import charts, parts, style
from perceptron_lib.show import count, number, numbers, short
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
    sigma=_moderate,
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
def log_likelihood(X, y, w, sigma):
    """ln of the density of y, if each y_i is normal with mean w·x_i and deviation sigma.

    >>> round(log_likelihood([[1], [2]], [1, 4], [1], sigma=1), 6)
    -3.837877
    """
    r = y - X @ w
    return float(-len(r) * np.log(sigma * np.sqrt(2 * np.pi)) - (r @ r) / (2 * sigma**2))


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
    """Vectors of one length, that of w if there is one, each as a list of Fractions."""
    listed = isinstance(points, (list, tuple)) and points
    rows, each = points if listed else checks.table(points, name), "each of the points"
    d = len(given.get("w") or checks.fractions(rows[0], None, each))
    return [checks.fractions(row, d, each) for row in rows]


convexity_door = partial(
    checks.door,
    f=checks.limit(Callable, "a function of a vector"),
    w=lambda w, name, _: checks.fractions(w, None, name),
    g=lambda g, name, given: checks.fractions(g, len(given["w"]), name),
    points=_rational_points,
)


@convexity_door
def convexity_violation(f, points):
    """The first (a, b, t) among the points with f(ta + (1-t)b) > t f(a) + (1-t) f(b), or None.

    The points are vectors of rational numbers and f works on such, so the comparison is exact; t is
    1/4, 1/2 or 3/4.  Finding none proves nothing; finding one proves that f is not convex.

    >>> convexity_violation(lambda w: -w[0] ** 2, [[0], [1]])
    ([Fraction(0, 1)], [Fraction(1, 1)], Fraction(1, 4))
    """
    for a, b in itertools.product(points, repeat=2):
        for t in (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4)):
            middle = [t * p + (1 - t) * q for p, q in zip(a, b, strict=True)]
            if f(middle) > t * f(a) + (1 - t) * f(b):
                return a, b, t
    return None


@convexity_door
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


@style.picture()
def functions(ax, x, series, title="", names=("x", "f(x)")):
    """Several functions of one variable, each with its name at its end.

    >>> functions([0, 1, 2], {"x²": [0, 1, 4]})
    For x from 0 to 2: x² goes from 0 to 4.
    """
    ax.axhline(0, **style.AID)
    parts.curves(ax, x, series, charts.LINES, names)
    words = [f"{name} goes {parts.span(heights)}" for name, heights in series.items()]
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
def chord(ax, f, a, b, t=0.5):
    """A chord of a function: convex means that no chord is below it anywhere (R2).

    >>> chord(lambda x: x * x, a=-1, b=2)
    At x = 0.5 the function, 0.25, is not above the chord, 2.5: the chord from a = −1 to ...
    """
    x = np.linspace(a - 0.25 * (b - a), b + 0.25 * (b - a), 300)
    ends, at = (f(a), f(b)), (1 - t) * a + t * b
    below, above = f(at), (1 - t) * ends[0] + t * ends[1]
    ax.plot(x, [f(v) for v in x], **style.W)
    ax.plot([a, b], ends, **style.BOUND)
    ax.plot([at, at], [below, above], color=style.GREY, lw=1.4)
    ax.plot([a, b, at, at], [*ends, above, below], "o", color=style.INK, ms=5)
    parts.note(ax, f"chord: {number(above)}", (at, above), color=style.BOUND["color"])
    parts.note(ax, f"f: {number(below)}", (at, below))
    for name, end, height in (("a", a, ends[0]), ("b", b, ends[1])):
        parts.note(ax, name, (end, height))
    parts.label(ax, ("x", "f(x)"))
    where = "is not above" if below <= above else "is above"
    finding = f"At x = {number(at)} the function, {number(below)}, {where} the chord"
    return f"{finding}, {number(above)}", (
        f"the chord from a = {number(a)} to b = {number(b)} has the height {number(above)} at "
        f"x = {number(at)}, the function {number(below)}."
    )


@style.picture()
@regression_door
def descent(ax, X, y, paths, title=""):
    """Paths of gradient methods over a contour map of the mean squared error in two weights.

    >>> X, y = [[1, 1], [1, -1]], [3, 1]
    >>> paths = {"descent": gradient_descent(X, y, step=0.25, steps=3)}
    >>> descent(X, y, paths)
    Descent ends after 3 steps with error 0.0781: Contours around the least error, 0, at ...
    """
    # Processors differ in the last digits; pixels need not.
    best = least_squares(style.plane_points(X), y).round(9)
    size = 1.2 * np.abs(best).max() or 1.0
    a = np.linspace(best[0] - 1.6 * size, best[0] + 1.6 * size, 321)
    b = np.linspace(best[1] - size, best[1] + size, 201)
    ahead, aside = np.meshgrid(a, b)
    heights = sum((p * ahead + q * aside - r) ** 2 for (p, q), r in zip(X, y, strict=True)) / len(y)
    levels = heights.min() + np.ptp(heights) * np.linspace(0, 1, 15)[1:] ** 2
    ax.contour(a, b, heights, levels=levels, colors=style.GREY, linewidths=0.7, alpha=0.8)
    ax.plot(*best, "*", ms=16, color=style.GREEN, mec=style.INK, mew=0.8, zorder=5)
    ax.set(xlim=(a[0], a[-1]), ylim=(b[0], b[-1]), aspect="equal")
    parts.label(ax, ("w₁", "w₂"))
    looks = (
        {**style.W, "lw": 1.4, "marker": "o", "ms": 4.5, "zorder": 4},
        {"color": style.GREY, "lw": 0.7, "marker": "s", "ms": 2.4, "mfc": style.SKY, "mew": 0.4},
    )
    least = number(round(mean_squared_error(X, y, best), 10))  # without noise from rounding
    words = []
    for look, (name, path) in zip(looks, paths.items(), strict=False):
        ax.plot(*path.T.round(9), **look, label=name)
        steps, error = count(len(path) - 1, "step"), mean_squared_error(X, y, path[-1])
        words.append(f"{name} ends after {steps} with error {number(round(error, 10))}")
    alt = f"Contours around the least error, {least}, at the star."
    if not paths:
        return f"The least error is {least}", alt
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
    """Choose the step, as a share of its limit, and the condition number: the path follows.

    >>> print(explorer().words)
    The path converges: after 30 steps the error is 0.000756. The step is 0.8, 80% of its ...
    """
    share = slider("step / limit", [0.1, 0.3, 0.5, 0.8, 0.95, 0.99, 1.01, 1.05], 0.8)
    condition = slider("condition", [1, 2, 5, 10, 30], 5)
    above, below = axes(5.8, (0.14, 0.42, 0.83, 0.56), (0.14, 0.1, 0.83, 0.2))

    def load():
        X = np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]]) * [1, 1 / condition.value]
        y = X.sum(axis=1)
        return Redrawn(descent, above, X=X, y=y), Redrawn(errors, below), X, y

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
    "There is one weight, so the Hessian is one number: the second derivative of the mean.",
    "By which factor does a step multiply the distance to the minimum, and when is that −1?",
)
def largest_step(step):
    """The limit of the step for the examples x = 1, 2, 3 on a line through the origin."""
    eta, bend = exact_number(step), Fraction(2, 3) * sum(x * x for x in (1, 2, 3))
    require(eta > 0, "a step goes downhill only if its size is above 0")
    factor = 1 - eta * bend
    effect = f"this step multiplies the distance to the minimum by {short(factor)}"
    require(factor != 0, "this step reaches the minimum at once, so longer ones still converge")
    require(factor >= -1, f"{effect}, so it moves away")
    require(factor == -1, f"{effect}, so it converges, and so do slightly longer ones")
    return "at the limit a step jumps to the other side, just as far away."


@checker(
    "10.2",
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
    "10.3",
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
