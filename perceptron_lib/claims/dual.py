"""The dual form is the same run, seen from the examples' side: w is a sum of them (D1 to D4).

Vectors that are sums of the z_i are known by their coefficients, and their inner products by the
Gram matrix.  So the mistake bound can be checked on a kernel run, in a space that nobody has seen
(D5), and it is found out if there is no such space (D6).
"""

from dataclasses import replace
from fractions import Fraction
from itertools import zip_longest

import numpy as np

from perceptron_lib import checks
from perceptron_lib.claims.claim import Proof, on_run
from perceptron_lib.claims.mistakes import MISTAKES, every_mistake, mistake_bound
from perceptron_lib.claims.quantities import Quantities, Vectors
from perceptron_lib.exact import bits, dot, integers, row_dot
from perceptron_lib.kernels import KernelRun, kernel_perceptron
from perceptron_lib.perceptron import perceptron
from perceptron_lib.run import AT_ZERO


def dual(run, u=None):
    """That a run of the primal form and one of the dual form are the same (D1 to D4).

    `run` is a run from 0, with constant features if there is a bias.  The dual run is made afresh,
    on the Gram matrix; for D4 each example with alpha_i = 0 is really removed, the constants
    staying what they were.  With a separator u, the bound on the number of updates is checked as
    well (D2).

    >>> from perceptron_lib import five_points
    >>> X, y, u = five_points()
    >>> dual(perceptron(X, y), u).holds
    True
    """
    q, n, M = Vectors(run), len(run.y), run.mistakes
    if run.start.any() or run.threshold:
        raise ValueError("the dual form is for a Perceptron that starts at 0; this run does not")
    if not q.known_order or run.passes < 1:
        raise ValueError("the dual form needs a run in a known order, of one pass or more")
    N, _ = integers(run.X)
    gram = dot(N, N.T)
    if bits(gram) > 53:
        raise ValueError(
            "the inner products have more than 53 bits, too many for a float: round the data to "
            "a grid of few bits first"
        )
    twin = kernel_perceptron(gram.astype(float), run.y, run.tie, run.order, run.passes)
    pairs = zip_longest(twin.updates.tolist(), run.updates.tolist())
    alphas = np.array([np.bincount(run.updates[:t], minlength=n) for t in range(M + 1)])
    lines = [
        ("D1a", r"w_t = \sum_i \alpha_i y_i x_i", "counts of the updates",
         (dot(alphas, q.Z) != q.W).sum(axis=1), "=", 0),
        ("D1b", r"\text{the dual form makes the same } t\text{-th update}", "only x_i·x_j matters",
         [int(a != b) for a, b in pairs], "=", 0),
        ("D2a", r"\sum_i \alpha_i = M", "one for each update of the dual form",
         int(run.alpha.sum()), "=", twin.mistakes),
        ("D3", r"\alpha_i > 0 \iff i \text{ was misclassified}", "an update at each mistake",
         (run.alpha > 0).astype(int), "=", _ever_wrong(q), 1, 0),
        ("D4", r"\alpha_i = 0:\ \text{without } i \text{ nothing changes}", "it was never added",
         [_changes(run, q.order[q.order != i]) for i in np.flatnonzero(run.alpha == 0)],
         "=", 0, 1, 0),
    ]
    if u is not None:
        bound = mistake_bound(run, u)["P5"]
        lines.append(replace(bound, row="D2b", because="the mistake bound"))
    return Proof(f"The dual form of a run of {M} mistakes", lines)


def _ever_wrong(q):
    """1 for each example that was wrong at least once when it was looked at, else 0."""
    ever = np.zeros(len(q.run.y), dtype=int)
    for t, i, _ in q.looked_at(q.run.passes * len(ever)):
        ever[i[q.wrong(t, i)]] = 1
    return ever


def _changes(run, rest):
    """1 if the run over the rest of the examples, in this order, makes other updates, else 0."""
    if len(rest) == 0:
        return 0
    again = perceptron(run.X[rest], run.y[rest], run.tie, max_passes=run.passes)
    return int(rest[again.updates].tolist() != run.updates.tolist())


class Coefficients(Quantities):
    """The numbers of a kernel run: Z and W are coefficients of the z_i, and `table` holds z_i·z_j,
    in whole numbers."""

    def __init__(self, run, beta):
        super().__init__(run, beta, separates=False)
        self.u_unit *= self.scale  # a coefficient has no unit, but u has that of the data

    def load(self, run):
        table, exponent = integers(run.Z)
        odd = exponent % 2  # the unit of the products is the square of that of the data
        self.table, self.scale = table.astype(object) * 2**odd, Fraction(2) ** (exponent // 2)
        self.Z = np.eye(len(run.y), dtype=np.int64)
        self.W = np.cumsum([0 * self.Z[0], *self.Z[run.updates]], axis=0)

    def across(self, V):
        return dot(V, self.table)

    def wrong(self, t, i):
        score, at_zero = row_dot(self.W[t], self.table[i]), self.run.y[i] != AT_ZERO[self.run.tie]
        return (score < 0) | ((score == 0) & at_zero)


def kernel_bound(run, beta):
    """The proof of M <= (R/γ)² on a kernel run, for the separator u = sum_i beta_i z_i in feature
    space (D5).

    Every line is the mistake bound's.  If the Gram matrix is none, so that no feature space has
    these inner products, then Cauchy–Schwarz may fail (D6).

    >>> from perceptron_lib import kernels, xor
    >>> X, y, _ = xor()
    >>> run = kernel_perceptron(kernels.polynomial(X, X), y)
    >>> kernel_bound(run, beta=run.alpha)["P5"]
    P5 holds (21 values checked)
    """
    checks.instance(run, KernelRun, "run", "a KernelRun, as kernel_perceptron(K, y) returns")
    expected = f"{len(run.y)} numbers, one for each example"
    beta = checks.fractions(beta, len(run.y), "beta", expected)
    if not any(beta):
        raise ValueError("beta must make a separator in feature space; all of it is 0")
    q = Coefficients(run, beta)
    if q.g <= 0:
        where = f"example {int(np.argmin(q.each_zu))} is not on its own side"
        raise ValueError(f"beta must make a separator in feature space; {where}")
    title = f"The mistake bound on a kernel run of {run.mistakes} mistakes"
    return Proof(title, [every_mistake(q), *on_run(MISTAKES, q)], MISTAKES)
