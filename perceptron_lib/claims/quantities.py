"""The numbers that the proofs are about, exactly: z_i, w_t and u, and the products of them.

Scaled by a power of two, the examples and all weights of a run are whole numbers; so is u, along
its ray.  Whole numbers do not round, and they compare faster than fractions do.
"""

from fractions import Fraction
from functools import cached_property

import numpy as np

from perceptron_lib import checks, show
from perceptron_lib.exact import dot, integers, rational, row_dot
from perceptron_lib.kernels import KernelRun
from perceptron_lib.run import AT_ZERO, Run
from perceptron_lib.surd import root


def with_weights(run):
    """A run that proofs can be checked on."""
    checks.instance(run, Run, "run", "a Run, as perceptron(X, y) returns")
    if isinstance(run, KernelRun):
        raise ValueError("run must have weights, as perceptron(X, y) returns; a KernelRun has none")
    return run


class Vectors:
    """z_i and w_t of a run as rows of whole numbers Z and W, in units of `scale`."""

    def __init__(self, run):
        self.load(run)
        self.run, self.known_order = run, not isinstance(run.order, str)
        listed = self.known_order and run.order is not None
        self.order = run.order if listed else np.arange(len(run.y))
        self.t = np.arange(1, run.mistakes + 1).astype(object)

    def load(self, run):
        """Z, W and their unit."""
        (W, of_w), (Z, of_z) = with_weights(run).exact_weights, integers(run.Z)
        low = min(of_w, of_z)
        self.W = W if of_w == low else W.astype(object) * 2 ** (of_w - low)
        self.Z = Z if of_z == low else Z.astype(object) * 2 ** (of_z - low)
        self.scale = Fraction(2) ** low

    def across(self, V):
        """What rows are to be multiplied by for their inner products with V."""
        return V

    def looked_at(self, steps):
        """What was looked at in so many steps, or up to the last update, in pieces: t and i, since
        w_t looked at example i (t from 0 on), and whether there was an update."""
        run, n, d = self.run, *self.run.Z.shape
        steps = max(steps, run.steps[-1] + 1 if run.mistakes else 0)
        piece = 2**20 // d + 1  # few enough to fit in memory
        for begin in range(0, steps, piece):
            step = np.arange(begin, min(begin + piece, steps))
            t = np.searchsorted(run.steps, step)  # so many updates came before
            yield t, self.order[step % n], np.append(run.steps, -1)[t] == step

    def wrong(self, t, i):
        """Whether w_t is wrong about example i, for arrays t and i.

        Floats decide where they safely can: a sum of d products errs by less than 2**-51 (d + 2)
        times the sum of their sizes, underflow aside.
        """
        with np.errstate(over="ignore", invalid="ignore"):
            products = self.run.Z[i] * self.run.weights[t]
            score, size = products.sum(axis=1), np.abs(products).sum(axis=1)
            unsure = ~(np.abs(score) > 2.0**-51 * (products.shape[1] + 2) * size + 1e-290)
        wrong, t, i = score < 0, t[unsure], i[unsure]
        score, at_zero = row_dot(self.Z[i], self.W[t]), self.run.y[i] != AT_ZERO[self.run.tie]
        wrong[unsure] = (score < 0) | ((score == 0) & at_zero)
        return wrong

    def passed_over(self, wrong):
        """How many mistakes w_1, w_2, … passed over (an update by another example than the one
        looked at counts as well), and the t of the first entry.

        In a new order for each pass only the end of a converged run is known: there, all examples
        were looked at.  After the last update of a run that was only recorded, nothing is known.
        """
        run, n, M = self.run, len(self.run.y), self.run.mistakes
        if self.known_order:
            first, looked_at = 1, self.looked_at(0 if run.outcome == "recorded" else run.passes * n)
        elif run.outcome == "converged":
            first, looked_at = M + 1, [(np.full(n, M), self.order, np.full(n, False))]
        else:
            first, looked_at = M + 2, []
        missed = np.zeros(M + 1, dtype=int)
        for t, i, updated in looked_at:
            bad = np.where(updated, np.append(run.updates, -1)[t] != i, wrong(t, i))
            missed += np.bincount(t[bad], minlength=M + 1)
        return missed[first - 1 :], first


class Quantities(Vectors):
    """The numbers of a run under the names that `line.SYMBOLS` has for them, exactly.

    They are whole numbers, in units of `scale` for the data and `u_unit` for u; or, if they are to
    be `real`, Fractions.  Some more may be given, such as eps.
    """

    def __init__(self, run, u, separates=True, real=False, **given):
        super().__init__(run)
        if not len(run.Z):
            raise ValueError("run must have made a mistake: without one there is nothing to check")
        U, self.u_unit = rational(checks.fractions(u, run.Z.shape[1]))
        if not U.any():
            raise ValueError("u must not be the zero vector")
        added, unit = run.updates, self.scale * self.u_unit
        of_u, of_data = (unit, self.scale**2) if real else (1, 1)
        across_u, across_w = self.across(U), self.across(self.W)
        all_wu = dot(self.W, across_u).astype(object) * of_u
        self.each_zu = dot(self.Z, across_u).astype(object) * of_u
        all_w2 = row_dot(self.W, across_w).astype(object) * of_data
        self.each_z2 = row_dot(self.Z, self.across(self.Z)).astype(object) * of_data
        self.wu, self.next_wu, self.start_wu = all_wu[:-1], all_wu[1:], all_wu[0]
        self.w2, self.next_w2, self.start_w2 = all_w2[:-1], all_w2[1:], all_w2[0]
        self.w, self.next_w, self.start = self.W[:-1], self.W[1:], self.W[0]
        self.z, self.zu, self.z2 = self.Z[added], self.each_zu[added], self.each_z2[added]
        self.first_z = self.Z[self.order[0]]
        self.zw = row_dot(self.z, across_w[:-1]).astype(object) * of_data
        self.U, self.u2 = U, int(dot(U, across_u)) * (self.u_unit**2 if real else 1)
        self.g, self.R2 = self.each_zu.min(), self.each_z2.max()
        if separates and self.g <= 0:
            raise ValueError(
                f"u does not separate the examples: example {int(np.argmin(self.each_zu))} has "
                f"y (u·x) = {show.short(self.g * (1 if real else unit))}, not above 0"
            )
        self.unit = self.scale  # of W and Z
        if real:
            self.u, self.scale, self.u_unit = U * self.u_unit, Fraction(1), Fraction(1)
        vars(self).update(given)

    @cached_property
    def gamma2(self):
        return Fraction(self.g**2) / self.u2

    def __getattr__(self, name):
        """The lengths: roots of squares."""
        squares = {"len_w": "w2", "next_len": "next_w2", "start_len": "start_w2", "len_z": "z2",
                   "len_u": "u2", "R": "R2", "root_t": "t"}  # fmt: skip
        if name not in squares:
            raise AttributeError(name)
        setattr(self, name, root(getattr(self, squares[name])))
        return vars(self)[name]
