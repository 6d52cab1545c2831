"""The dual form: inner products are all that counts, so any kernel will do (D1, D5).

A run is known by how often each example was added, alpha, and the score of an example is a sum of
inner products with those: `kernel_perceptron` runs on the table of all inner products alone.  A
kernel makes that table for feature vectors that are never written down.

Each kernel takes two tables of examples and gives the table of inner products of their images,
so that ``kernel(X, X)`` is a Gram matrix and ``kernel(new, X)`` is what a prediction needs (D5).
"""

import warnings
from functools import cached_property, reduce

import numpy as np

from perceptron_lib import checks
from perceptron_lib.exact import dot
from perceptron_lib.perceptron import Weights, at_zero, cycle_through
from perceptron_lib.run import Run, read_only
from perceptron_lib.show import count


def linear(A, B, constant=0.0):
    """a·b + constant; the constant R² is the bias rule b <- b + y R² (D1).

    >>> linear([[1, 2]], [[3, 4]])
    array([[11.]])
    """
    A, B = _tables(A, B)
    constant = checks.exact_float(constant, "constant")
    return _finite(lambda: A @ B.T + constant)


def polynomial(A, B, degree=2, constant=1.0):
    """(a·b + constant)**degree: all products of up to `degree` coordinates.

    >>> polynomial([[1, 2]], [[3, 4]])
    array([[144.]])
    """
    degree = checks.whole(degree, "degree", 1, 1000)
    product = linear(A, B, constant)
    # One product at a time: whole numbers stay whole.
    return _finite(lambda: reduce(np.multiply, [product] * degree))


def gaussian(A, B, width=1.0):
    """exp(-||a - b||² / (2 width²)).

    >>> gaussian([[0.0, 0.0]], [[0.0, 0.0]])
    array([[1.]])
    """
    expected = "a number above 0 (and of middling size)"
    width = checks.real(width, "width", expected, lambda w: 1e-150 < w < 1e150)
    A, B = _tables(A, B)
    middle = B.mean(axis=0)  # distances do not change, and far from 0 less is lost to rounding
    A, B = A - middle, B - middle
    squares = _finite(
        lambda: (A * A).sum(axis=1)[:, None] + (B * B).sum(axis=1) - 2 * linear(A, B)
    )
    return np.exp(-np.maximum(squares, 0) / (2 * width**2))


def _tables(A, B):
    A, B = checks.table(A, "A", copy=False), checks.table(B, "B", copy=False)
    if A.shape[1] != B.shape[1]:
        raise ValueError(f"A and B must have the same columns; got {A.shape[1]} and {B.shape[1]}")
    return A, B


def _finite(products):
    """What the function gives, unless it is too large."""
    with np.errstate(over="ignore", invalid="ignore"):
        found = products()
    if not np.isfinite(found).all():
        raise ValueError("A and B must be smaller: their products are too large for floats")
    return found


# --- the Perceptron on a Gram matrix ------------------------------------------------------------


def kernel_perceptron(K, y, tie="mistake", order=None, max_passes=1000):
    """Run the Perceptron in its dual form, on a Gram matrix K_ij = x_i·x_j (D1).

    The score of example i is sum_j alpha_j z_j·z_i: y_i times its row of K times all alpha_j y_j.
    A kernel makes K; ``run.predict(kernel(new, X))`` uses it.

    >>> X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    >>> kernel_perceptron((X @ X.T + 1) ** 2, [1, -1, -1, 1]).outcome
    'converged'
    """
    K = gram_matrix(K)
    y = checks.labels(y, len(K))
    counts = Counts(K, y, at_zero(tie))
    return cycle_through(counts, tie, order, max_passes)


def features(K):
    """Rows whose inner products are K, up to rounding: a feature space made of K alone (D6).

    >>> F = features([[4, 2], [2, 1]])
    >>> np.abs(F @ F.T).round(12).tolist()
    [[4.0, 2.0], [2.0, 1.0]]
    """
    values, directions = np.linalg.eigh(gram_matrix(K))
    return directions * np.sqrt(np.maximum(values, 0))


class KernelRun(Run):
    """A run in feature space: X is the Gram matrix, and there are no weights, only alpha.

    Z is the table of all z_i·z_j = y_i y_j K_ij.

    >>> X, y = np.array([[1, 0], [0, 1]]), [1, -1]
    >>> run = kernel_perceptron(linear(X, X), y)
    >>> run.alpha.tolist(), run.predict(linear([[3, 1]], X)).tolist()
    ([1, 1], [1])
    """

    @cached_property
    def Z(self):
        """The table of all z_i·z_j."""
        return read_only(self.y[:, None] * self.X * self.y)

    def scores(self, K):
        """The scores of new examples, in floats (`predict` is exact); K holds their inner products
        with the training examples."""
        return self._products(K) @ (self.alpha * self.y)

    def all_scores(self, K):
        """The same for every hypothesis of the run: a column for w_1, w_2, … w_{M+1}."""
        steps = self._products(K)[:, self.updates] * self.y[self.updates]
        return np.hstack([np.zeros((len(steps), 1)), np.cumsum(steps, axis=1)])

    def predict(self, K):
        """The labels of new examples, by their inner products with the training examples."""
        return self._labels(self._products(K), self.alpha * self.y)

    def _products(self, K):
        K = checks.table(K, "K")
        if K.shape[1] != len(self.y):
            raise ValueError(
                f"K must have {count(len(self.y), 'column')}, one for each training example; "
                f"got {K.shape[1]}"
            )
        return K

    def _no_weights(self):
        raise ValueError("a kernel run has no weights in feature space; use alpha and scores")

    w = weights = exact_w = exact_weights = property(_no_weights)


class Counts(Weights):
    """Whole numbers in the dual form: X is the Gram matrix, and w are all alpha_j y_j.

    >>> counts = Counts(np.eye(2), np.array([1, -1]))
    >>> counts.add(1)
    >>> counts.w.tolist()
    [0, -1]
    """

    kind, dual = KernelRun, True

    def __init__(self, K, y, at_zero=0):
        super().__init__(K, y, np.zeros(len(K)), at_zero)
        self.w = np.zeros(len(K), dtype=np.int64)

    def add(self, i):
        self.w[i] += self.y[i]

    def equal(self, marked):
        """Whether w in feature space is what it was: is what came since at right angles to all?"""
        since = self.w - marked
        return not any(dot(self.row(i), since) for i in range(len(since)))


def gram_matrix(K):
    """K as a table of inner products: square, symmetric (but for rounding, which is mended), and
    with a warning if it has a negative eigenvalue (beyond what rounding may bring).

    >>> gram_matrix([[4, 2], [2, 1]]).tolist()
    [[4.0, 2.0], [2.0, 1.0]]
    """
    K = checks.table(K, "K")
    if K.shape[0] != K.shape[1]:
        raise ValueError(f"K must be square, a row and a column for each example; got {K.shape}")
    size = float(np.abs(K).max()) or 1.0
    with np.errstate(over="ignore"):
        apart = np.abs(K - K.T)
    i, j = np.unravel_index(np.argmax(apart), K.shape)
    if apart[i, j] > (0 if np.array_equal(K, np.rint(K)) else 1e-12 * size):
        raise ValueError(f"K must be symmetric; K[{i}, {j}] and K[{j}, {i}] differ")
    K = K if np.array_equal(K, K.T) else K / 2 + K.T / 2
    try:
        root = np.linalg.cholesky(K / size + 1e-9 * len(K) * np.eye(len(K)))
        semidefinite = np.diag(K).min() >= 0 and np.isfinite(root).all()
    except np.linalg.LinAlgError:  # which NumPy cannot raise in a browser: the root is nan there
        semidefinite = False
    if not semidefinite:
        least = float(np.linalg.eigvalsh(K)[0])
        warnings.warn(
            f"K is not positive semidefinite (smallest eigenvalue {least:.3g}), so it is no table "
            "of inner products, and no theorem applies", stacklevel=3,
        )
    return K
