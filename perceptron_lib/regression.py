"""Linear regression and the optimisation behind it, small enough to read.

A path is the table of all weights a method went through, a row for each step, as a run of the
Perceptron is; so every picture and every comparison starts from the same thing.  The intercept is
folded in as a constant feature (``with_bias``), and the objective is the mean squared error
J(w) = (1/n) sum_i (w·x_i - y_i)².
"""

import itertools
from collections.abc import Callable
from fractions import Fraction

import numpy as np

from perceptron_lib import checks
from perceptron_lib.exact import dot, floats, integers
from perceptron_lib.examples import Examples
from perceptron_lib.nearest import solve
from perceptron_lib.show import count

MOST_STEPS = 10**6


def _observations(X, y):
    """X and y as arrays, checked: a finite number y_i for each row of X."""
    X = _squarable(checks.table(X), "X")
    wanted = f"{len(X)} finite numbers, one for each example"
    return X, _squarable(checks.vector(y, len(X), "y", wanted), "y")


def _squarable(array, name):
    if np.abs(array).max() > 1e150:
        raise ValueError(f"{name} must be at most 1e150 in size, for floats to hold its square")
    return array


def diabetes():
    """442 patients: ten measurements (standardised), and how the disease went on in a year.

    >>> X, y, _ = diabetes()
    >>> X.shape, float(y.mean().round(1))
    ((442, 10), 152.1)
    """
    from sklearn.datasets import load_diabetes

    data = load_diabetes()
    X = data.data / data.data.std(axis=0)
    return Examples(X, data.target)


def residuals(X, y, w):
    """y_i - w·x_i for every example.

    >>> residuals([[1], [2]], [1, 4], [1]).tolist()
    [0.0, 2.0]
    """
    X, y = _observations(X, y)
    return y - X @ _squarable(checks.vector(w, X.shape[1], "w"), "w")


def mean_squared_error(X, y, w):
    """J(w) = (1/n) sum_i (w·x_i - y_i)².

    >>> mean_squared_error([[1], [2]], [1, 4], [1])
    2.0
    """
    return float(np.mean(residuals(X, y, w) ** 2))


def gradient(X, y, w):
    """The partial derivatives of J: -(2/n) Xᵀ(y - Xw).

    >>> gradient([[1], [2]], [1, 4], [1]).tolist()
    [-4.0]
    """
    r = residuals(X, y, w)
    return -2 / len(r) * checks.table(X).T @ r


def normal_equations(X, y):
    """The solution by the formula XᵀX w = Xᵀy: about n d² + d³ steps (R3).

    Every entry of XᵀX and Xᵀy is exact, rounded once; then floats eliminate.  Whether the columns
    are dependent is decided exactly.  Yet the condition number of XᵀX is that of X squared.

    >>> normal_equations([[1, 1], [1, -1]], [3, 1]).tolist()
    [2.0, 1.0]
    """
    X, y = _observations(X, y)
    N, exponent = integers(np.column_stack([X, y]))
    exact, d = dot(N.T, N)[:-1], X.shape[1]
    if not _invertible(exact[:, :d]):
        many = "these are dependent, so there are many solutions"
        raise ValueError(f"the columns of X must be independent; {many}")
    A = floats(exact, 2 * exponent)  # XᵀX, and Xᵀy as its last column
    for k in range(d):
        if not A[k, k] > 0:
            lost = "the formula cannot be used: rounded to floats, XᵀX has no inverse"
            raise ValueError(f"{lost}, though the columns of X are independent; try least_squares")
        others = np.arange(d) != k
        A[others] -= np.outer(A[others, k] / A[k, k], A[k])
    return A[:, d] / np.diag(A)


def _invertible(A):
    """Whether a matrix of whole numbers has an inverse, exactly."""
    try:
        return bool(solve(A, [0] * len(A)))
    except ValueError:
        return False


def least_squares(X, y):
    """The solution by a stable method, which never forms XᵀX.

    >>> least_squares([[1, 1], [1, -1]], [3, 1]).round(12).tolist()
    [2.0, 1.0]
    """
    X, y = _observations(X, y)
    return np.linalg.lstsq(X, y, rcond=None)[0]


def right_digits(solver, X, weights):
    """How many digits of w a solver finds again from X and y = Xw, in the middle over several w.

    For each it is -log10 of the largest error, rounded down, and 0 if there is no answer (R3).

    >>> right_digits(lambda X, y: y + 0.002, [[1, 0], [0, 1]], [[3, 5]])
    2
    """
    checks.instance(solver, Callable, "solver", "a function of X and y")
    X, weights = _squarable(checks.table(X), "X"), checks.table(weights, "weights")
    if weights.shape[1] != X.shape[1]:
        raise checks.refusal("weights", f"rows of {count(X.shape[1], 'number')}", weights)
    errors = [_error(solver, X, w) for w in _squarable(weights, "weights")]
    return int(np.median([max(0, int(-np.log10(max(error, 1e-16)))) for error in errors]))


def _error(solver, X, w):
    try:
        return np.abs(solver(X, (X * w).sum(axis=1)) - w).max()
    except ValueError:  # it has no answer
        return 1.0


def step_limit(X):
    """2/λ_max of the Hessian (2/n) XᵀX: below it gradient descent converges from every start, if
    the columns of X are independent; above it, it does not.

    >>> round(step_limit([[1, 1], [1, -1]]), 12)
    1.0
    """
    X = _squarable(checks.table(X), "X")
    if not X.any():
        raise ValueError("X must not be all zero, or there is nothing to descend")
    return float(2 / np.linalg.eigvalsh(2 / len(X) * X.T @ X)[-1])


def gradient_descent(X, y, step, steps):
    """The path w <- w - step · gradient, `steps` times, from 0 on.

    >>> gradient_descent([[1], [1]], [1, 3], step=0.25, steps=3).tolist()
    [[0.0], [1.0], [1.5], [1.75]]
    """
    X, y = _observations(X, y)
    step, steps = _positive(step, "step"), checks.whole(steps, "steps", 1, MOST_STEPS)
    path = [np.zeros(X.shape[1])]
    for _ in range(steps):
        path.append(path[-1] + 2 * step / len(y) * X.T @ (y - X @ path[-1]))
    return np.array(path)


def stochastic_gradient_descent(X, y, step, steps, seed=0):
    """The path w <- w + 2·step·(y_i - w·x_i) x_i from 0 on, `steps` times; each time example i is
    drawn anew, all of them equally likely (R5).

    >>> stochastic_gradient_descent([[1], [1]], [1, 3], step=0.25, steps=3).tolist()
    [[0.0], [1.5], [2.25], [1.625]]
    """
    X, y = _observations(X, y)
    step, steps = _positive(step, "step"), checks.whole(steps, "steps", 1, MOST_STEPS)
    path = [np.zeros(X.shape[1])]
    for i in np.random.PCG64(checks.seed(seed)).random_raw(steps) % np.uint64(len(y)):
        path.append(path[-1] + 2 * step * (y[i] - X[i] @ path[-1]) * X[i])
    return np.array(path)


def _positive(value, name):
    return checks.real(value, name, "a finite number above 0", lambda v: 0 < v < np.inf)


def log_likelihood(X, y, w, sigma):
    """ln of the density of y, if each y_i is normal with mean w·x_i and deviation sigma.

    >>> round(log_likelihood([[1], [2]], [1, 4], [1], sigma=1), 6)
    -3.837877
    """
    expected = "a number above 0 (and of middling size)"
    sigma = checks.real(sigma, "sigma", expected, lambda v: 1e-150 < v < 1e150)
    r = residuals(X, y, w)
    return float(-len(r) * np.log(sigma * np.sqrt(2 * np.pi)) - (r @ r) / (2 * sigma**2))


def convexity_violation(f, points):
    """The first (a, b, t) among the points with f(ta + (1-t)b) > t f(a) + (1-t) f(b), or None.

    The points are vectors of rational numbers and f works on such, so the comparison is exact; t is
    1/4, 1/2 or 3/4.  Finding none proves nothing; finding one proves that f is
    not convex.

    >>> convexity_violation(lambda w: -w[0] ** 2, [[0], [1]])
    ([Fraction(0, 1)], [Fraction(1, 1)], Fraction(1, 4))
    """
    points = _rational_points(f, points)
    for a, b in itertools.product(points, repeat=2):
        for t in (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4)):
            middle = [t * p + (1 - t) * q for p, q in zip(a, b, strict=True)]
            if f(middle) > t * f(a) + (1 - t) * f(b):
                return a, b, t
    return None


def subgradient_violation(f, w, g, points):
    """The first v among the points with f(v) < f(w) + g·(v - w), or None (R8).

    Exact, for vectors of rational numbers.  Finding none proves nothing; finding one proves that g
    is no subgradient of f at w.

    >>> subgradient_violation(lambda w: abs(w[0]), [0], ["1/2"], [[-1], [1]])
    >>> subgradient_violation(lambda w: abs(w[0]), [0], [2], [[-1], [1]])
    [Fraction(1, 1)]
    """
    points = _rational_points(f, points)
    w, g = (checks.fractions(v, len(points[0]), name) for v, name in ((w, "w"), (g, "g")))
    for v in points:
        if f(v) < f(w) + sum(c * (p - q) for c, p, q in zip(g, v, w, strict=True)):
            return v
    return None


def _rational_points(f, points):
    """Points for a function f of vectors, each as a list of Fractions, all of one length."""
    checks.instance(f, Callable, "f", "a function of a vector")
    if not isinstance(points, (list, tuple)):
        points = checks.table(points, "points")
    points = [checks.fractions(point, name="each of the points") for point in points]
    if len({len(point) for point in points}) != 1:
        raise checks.refusal("points", "a list of vectors of one length", points)
    return points
