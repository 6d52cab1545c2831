"""What is measured, and against whom: all make the updates of `perceptron`, or do not count."""

import numpy as np
from sklearn.linear_model import Perceptron

from perceptron_lib import digits, iris, odd_max_bit, perceptron, separable
from perceptron_lib.examples import worst_case
from perceptron_lib.lessons.noise import breast_cancer, flip_labels


def _separable(*sizes):
    return lambda: separable(*sizes, seed=1)[:2]


def _flipped(n, d, count):
    return lambda: flip_labels(separable(n, d, 0.05, seed=1), count)[:2]


def _random_labels(n, d):
    rng = np.random.default_rng(1)
    return rng.integers(-8, 9, (n, d)).astype(float), rng.choice([-1, 1], n)


def _reals(n, d):
    """Normal variables: not on a grid, so that sums round."""
    rng = np.random.default_rng(1)
    X, u = rng.normal(size=(n, d)), rng.normal(size=d)
    y = np.where(X @ u > 0, 1, -1)
    return X + 0.1 * np.outer(y, u / np.sqrt(u @ u)), y


IRIS = iris("versicolor")
WORKLOADS = [  # a name, a function that returns X and y, and how many passes at most
    ("200×2, margin 1/4", _separable(200, 2, 1 / 4), 1000),
    ("200×2, margin 1/4096", _separable(200, 2, 1 / 4096), 1000),
    ("1,000×10, margin 0.1", _separable(1000, 10, 0.1), 1000),
    ("1,000×10, margin 0.003", _separable(1000, 10, 0.003), 1000),
    ("10,000×50, margin 0.05", _separable(10_000, 50, 0.05), 1000),
    ("10,000×50, margin 0.005", _separable(10_000, 50, 0.005), 1000),
    ("10,000×50, real numbers", lambda: _reals(10_000, 50), 1000),
    ("100,000×10, margin 0.002", _separable(100_000, 10, 0.002), 1000),
    ("100,000×100, margin 0.05", _separable(100_000, 100, 0.05), 1000),
    ("100,000×100, margin 0.01", _separable(100_000, 100, 0.01), 1000),
    ("5,000×5,000, margin 0.05", _separable(5000, 5000, 0.05), 1000),
    ("5,000×5,000, random labels", lambda: _random_labels(5000, 5000), 5),
    ("20,000×20, 1,500 labels flipped", _flipped(20_000, 20, 1500), 12),
    ("2,000×100, 200 labels flipped", _flipped(2000, 100, 200), 60),
    ("iris, setosa", lambda: iris()[:2], 1000),
    ("iris, versicolor", lambda: IRIS[:2], 300),
    ("iris, versicolor, in cm", lambda: (IRIS.X / 10, IRIS.y), 300),
    ("digits, zero", lambda: digits(positive=(0,))[:2], 1000),
    ("digits, even", lambda: digits()[:2], 100),
    ("breast cancer", lambda: breast_cancer()[:2], 300),
    ("worst case, 1,000 unit vectors", lambda: worst_case(1000)[:2], 1000),
    *((f"ODD-MAX-BIT, {n} bits", lambda n=n: odd_max_bit(n)[:2], 300)
      for n in (6, 8, 10, 12, 14)),
]  # fmt: skip


def same(w, ours):
    """Whether weights are ours, up to a peer's rounding (another turn is off by an example)."""
    return bool(np.abs(w - ours).max() <= 1e-9 * np.abs(ours).max())


def ours(X, y, passes):
    """A contender: it takes X, y and the number of passes, and returns weights."""
    return perceptron(X, y, max_passes=passes).w


def scikit_learn(X, y, passes):
    peer = Perceptron(shuffle=False, tol=None, fit_intercept=False, max_iter=passes)
    return peer.fit(X, y).coef_[0]


def plain_loop(X, y, passes):
    """The loop of notebook 1."""
    w = np.zeros(X.shape[1])
    for _ in range(passes):
        for x, label in zip(X, y, strict=True):
            if label * (x @ w) <= 0:
                w = w + label * x
    return w
