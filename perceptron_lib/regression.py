"""Linear regression and the optimisation behind it, small enough to read.

A path is the table of all weights a method went through, a row for each step, as a run of the
Perceptron is; so every picture and every comparison starts from the same thing.  The intercept is
folded in as a constant feature (``with_bias``), and the objective is the mean squared error
J(w) = (1/n) sum_i (w·x_i - y_i)².
"""

from fractions import Fraction

import numpy as np

from perceptron_lib.examples import Examples, shuffled, table


def observations(X, y):
    """X and y as arrays, checked: a finite number y_i for each row of X."""
    X = table(X)
    try:
        y = np.asarray(y).astype(float)
    except (TypeError, ValueError):
        y = np.array([])
    if y.shape != (len(X),) or not np.isfinite(y).all():
        raise ValueError(f"y must be {len(X)} finite numbers, one for each example")
    return X, y


def diabetes():
    """442 patients: ten measurements (standardised), and how the disease went on in a year."""
    from sklearn.datasets import load_diabetes

    data = load_diabetes()
    X = data.data / data.data.std(axis=0)
    return Examples(X, data.target)


def residuals(X, y, w):
    """y_i - w·x_i for every example."""
    X, y = observations(X, y)
    return y - X @ np.asarray(w, dtype=float)


def mean_squared_error(X, y, w):
    """J(w) = (1/n) sum_i (w·x_i - y_i)².

    >>> mean_squared_error([[1], [2]], [1, 4], [1])
    2.0
    """
    return float(np.mean(residuals(X, y, w) ** 2))


def gradient(X, y, w):
    """The partial derivatives of J: -(2/n) Xᵀ(y - Xw)."""
    X, y = observations(X, y)
    return -2 / len(y) * X.T @ residuals(X, y, w)


def normal_equations(X, y):
    """The solution by the formula XᵀX w = Xᵀy: about n d² + d³ steps, but the condition of XᵀX is
    that of X squared."""
    X, y = observations(X, y)
    return np.linalg.solve(X.T @ X, X.T @ y)


def least_squares(X, y):
    """The solution by a stable method, which never forms XᵀX."""
    X, y = observations(X, y)
    return np.linalg.lstsq(X, y, rcond=None)[0]


def step_limit(X):
    """2/λ_max of the Hessian (2/n) XᵀX: gradient descent converges below it and not above."""
    X = table(X)
    return float(2 / np.linalg.eigvalsh(2 / len(X) * X.T @ X)[-1])


def gradient_descent(X, y, step, steps, start=None):
    """The path w <- w - step · gradient, `steps` times."""
    X, y = observations(X, y)
    _positive(step=step, steps=steps)
    path = [np.zeros(X.shape[1]) if start is None else np.asarray(start, dtype=float)]
    for _ in range(steps):
        path.append(path[-1] - step * gradient(X, y, path[-1]))
    return np.array(path)


def stochastic_gradient_descent(X, y, step, passes, seed=0, start=None):
    """The path w <- w + 2·step·(y_i - w·x_i) x_i, an example at a time, reshuffled each pass."""
    X, y = observations(X, y)
    _positive(step=step, passes=passes)
    bits = np.random.PCG64(seed)
    path = [np.zeros(X.shape[1]) if start is None else np.asarray(start, dtype=float)]
    for _ in range(passes):
        for i in shuffled(len(y), bits):
            path.append(path[-1] + 2 * step * (y[i] - X[i] @ path[-1]) * X[i])
    return np.array(path)


def _positive(**numbers):
    for name, value in numbers.items():
        if not (np.isscalar(value) and np.isfinite(value) and value > 0):
            raise ValueError(f"{name} must be a finite number above 0; got {value}")


def log_likelihood(X, y, w, sigma):
    """ln of the density of y, if each y_i is normal with mean w·x_i and deviation sigma."""
    _positive(sigma=sigma)
    r = residuals(X, y, w)
    return float(-len(r) * np.log(sigma * np.sqrt(2 * np.pi)) - (r @ r) / (2 * sigma**2))


def convexity_violation(f, points, ts=(Fraction(1, 4), Fraction(1, 2), Fraction(3, 4))):
    """The first (a, b, t) among the points with f(ta + (1-t)b) > t f(a) + (1-t) f(b), or None.

    The points are vectors of rational numbers and f works on such, so the comparison is exact.
    Finding none proves nothing; finding one proves that f is not convex.

    >>> convexity_violation(lambda w: -w[0] ** 2, [[0], [1]])
    ([0], [1], Fraction(1, 4))
    """
    for a in points:
        for b in points:
            for t in ts:
                middle = [t * p + (1 - t) * q for p, q in zip(a, b, strict=True)]
                if f(middle) > t * f(a) + (1 - t) * f(b):
                    return a, b, t
    return None


def perceptron_by_sgd(X, y, passes):
    """Stochastic (sub)gradient descent with step 1 on max(0, -y w·x): the list of its updates.

    Where y w·x < 0 the gradient is -y x; where it is positive, 0.  At 0 every multiple of -y x
    between the two is a subgradient; we take -y x.
    """
    X = table(X)
    w, updates = np.zeros(X.shape[1]), []
    for _ in range(passes):
        for i, (x, label) in enumerate(zip(X, y, strict=True)):
            subgradient = -label * x if label * (w @ x) <= 0 else np.zeros(len(x))
            if label * (w @ x) <= 0:
                updates.append(i)
            w = w - subgradient
    return updates, w
