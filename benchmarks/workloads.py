"""What is measured, and against whom.

Every contender makes the same updates as `perceptron`, or its time does not count: `same` compares
the weights.  A peer that rounds may end a little off; one that took a single other turn is off by a
whole example.
"""

from typing import NamedTuple

import numpy as np

from perceptron_lib import (
    digits,
    flip_labels,
    iris,
    kernels,
    odd_max_bit,
    perceptron,
    rings,
    separable,
    with_bias,
    worst_case,
)
from perceptron_lib.examples import breast_cancer


class Workload(NamedTuple):
    name: str
    build: object  # a function that returns X and y
    max_passes: int = 1000


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


def _iris_in_cm():
    X, y, _ = iris("versicolor")
    return X / 10, y


WORKLOADS = [
    Workload("200×2, margin 1/4", _separable(200, 2, 1 / 4)),
    Workload("200×2, margin 1/4096", _separable(200, 2, 1 / 4096)),
    Workload("1,000×10, margin 0.1", _separable(1000, 10, 0.1)),
    Workload("1,000×10, margin 0.003", _separable(1000, 10, 0.003)),
    Workload("10,000×50, margin 0.05", _separable(10_000, 50, 0.05)),
    Workload("10,000×50, margin 0.005", _separable(10_000, 50, 0.005)),
    Workload("10,000×50, real numbers", lambda: _reals(10_000, 50)),
    Workload("100,000×10, margin 0.002", _separable(100_000, 10, 0.002)),
    Workload("100,000×100, margin 0.05", _separable(100_000, 100, 0.05)),
    Workload("100,000×100, margin 0.01", _separable(100_000, 100, 0.01)),
    Workload("5,000×5,000, margin 0.05", _separable(5000, 5000, 0.05)),
    Workload("5,000×5,000, random labels", lambda: _random_labels(5000, 5000), 5),
    Workload("20,000×20, 1,500 labels flipped", _flipped(20_000, 20, 1500), 12),
    Workload("2,000×100, 200 labels flipped", _flipped(2000, 100, 200), 60),
    Workload("iris, setosa", lambda: iris()[:2]),
    Workload("iris, versicolor", lambda: iris("versicolor")[:2], 300),
    Workload("iris, versicolor, in cm", _iris_in_cm, 300),
    Workload("digits, zero", lambda: digits(positive=(0,))[:2]),
    Workload("digits, even", lambda: digits()[:2], 100),
    Workload("breast cancer", lambda: breast_cancer()[:2], 300),
    Workload("worst case, 1,000 unit vectors", lambda: worst_case(1000)[:2]),
    *(
        Workload(f"ODD-MAX-BIT, {n} bits", lambda n=n: odd_max_bit(n)[:2], 300)
        for n in (6, 8, 10, 12, 14)
    ),
]

KERNELS = [
    ("rings, 400, degree 2", lambda: _gram(*rings(400)[:2], kernels.polynomial, 2)),
    ("digits, even, 1,797, degree 3", lambda: _gram(*digits()[:2], kernels.polynomial, 3)),
]


def _gram(X, y, kernel, *parameters):
    return kernel(X, X, *parameters), y


def same(w, ours):
    """Whether weights are ours, up to a peer's own rounding."""
    return bool(np.abs(w - ours).max() <= 1e-9 * np.abs(ours).max())


# --- the contenders: each takes X, y and the number of passes, and returns weights -------------


def ours(X, y, passes):
    return perceptron(X, y, max_passes=passes).w


def plain_loop(X, y, passes):
    """The loop of notebook 1."""
    w = np.zeros(X.shape[1])
    for _ in range(passes):
        for x, label in zip(X, y, strict=True):
            if label * (x @ w) <= 0:
                w = w + label * x
    return w


def scikit_learn(X, y, passes):
    from sklearn.linear_model import Perceptron

    peer = Perceptron(shuffle=False, tol=None, fit_intercept=False, max_iter=passes)
    return peer.fit(X, y).coef_[0]


def mlxtend(X, y, passes):
    """It has a bias and predicts + at score 0, see `ours_with_bias`; taught to keep the order."""
    from mlxtend.classifier import Perceptron

    class InOrder(Perceptron):
        def _yield_minibatches_idx(self, rgen, n_batches, data_ary, shuffle):
            return super()._yield_minibatches_idx(rgen, n_batches, data_ary, shuffle=False)

    peer = InOrder(eta=0.5, epochs=passes)  # it multiplies by 2
    peer.w_, peer.b_, peer.cost_ = np.zeros((X.shape[1], 1)), np.zeros(1), []
    peer.fit(X, (y > 0).astype(int), init_params=False)
    return np.append(peer.w_.ravel(), peer.b_)


def ours_with_bias(X, y, passes):
    return perceptron(with_bias(X, 1), y, tie="positive", max_passes=passes).w


def margin_loop(X, y, passes, threshold):
    """A plain loop for the margin Perceptron."""
    w = y[0] * X[0]
    for _ in range(passes):
        for x, label in zip(X, y, strict=True):
            if label * (x @ w) < threshold * np.sqrt(w @ w):
                w = w + label * x
    return w


def kernel_loop(K, y, passes):
    """A plain loop for the dual form; it returns alpha."""
    alpha = np.zeros(len(y))
    for _ in range(passes):
        for i in range(len(y)):
            if y[i] * (K[i] @ (alpha * y)) <= 0:
                alpha[i] += 1
    return alpha
