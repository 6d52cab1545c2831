"""The numbers that the proofs are about, exactly: z_i, w_t and u, and the products of them.

Scaled by a power of two, the examples and all weights of a run are whole numbers; so is u, along
its ray.  Whole numbers do not round, and they compare faster than fractions do.
"""

from copy import copy
from fractions import Fraction

import numpy as np

from perceptron_lib import checks, show
from perceptron_lib.exact import dot, integers, rational, row_dot
from perceptron_lib.kernels import KernelRun
from perceptron_lib.run import AT_ZERO, Run


def with_weights(run):
    """A run that proofs can be checked on."""
    checks.instance(run, Run, "run", "a Run, as perceptron(X, y) returns")
    if isinstance(run, KernelRun):
        raise ValueError("run must have weights, as perceptron(X, y) returns; a KernelRun has none")
    return run


class Vectors:
    """z_i and w_t of a run as rows of whole numbers Z and W, in units of `scale`."""

    def __init__(self, run):
        self.run, self.known_order = with_weights(run), not isinstance(run.order, str)
        listed = self.known_order and run.order is not None
        self.order = run.order if listed else np.arange(len(run.y))
        (W, of_w), (Z, of_z) = run.exact_weights, integers(run.Z)
        low = min(of_w, of_z)
        self.W = W if of_w == low else W.astype(object) * 2 ** (of_w - low)
        self.Z = Z if of_z == low else Z.astype(object) * 2 ** (of_z - low)
        self.scale = Fraction(2) ** low
        self.t = np.arange(1, run.mistakes + 1).astype(object)

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
    """The products of z_i, w_t and u in whole numbers, those with u in units of `unit` and the
    others in units of `square`; and u2 = ||u||², in units of `u_unit` squared.

    Attributes
    ----------
    all_zu, all_z2 : z_i·u and ||z_i||² of all examples
    least, R2 : the least of the former, γ||u|| if u separates; the largest of the latter, R²
    wu, w2 : w_t·u and ||w_t||², from w_1 to w_{M+1}
    zu, z2, zw : z_t·u, ||z_t||² and z_t·w_t of all updates
    strays : how many coordinates of w_t did not move by z_t
    """

    def __init__(self, run, u, separates=True):
        super().__init__(run)
        U, self.u_unit = rational(checks.fractions(u, run.Z.shape[1]))
        if not U.any():
            raise ValueError("u must not be the zero vector")
        self.unit, self.square = self.scale * self.u_unit, self.scale**2
        self.U, Z, W, added = U, self.Z, self.W, self.Z[run.updates]
        self.all_zu, self.all_z2 = dot(Z, U).astype(object), row_dot(Z, Z).astype(object)
        self.least, self.R2, self.u2 = self.all_zu.min(), self.all_z2.max(), int(dot(U, U))
        self.wu, self.w2 = dot(W, U).astype(object), row_dot(W, W).astype(object)
        self.zu, self.z2 = self.all_zu[run.updates], self.all_z2[run.updates]
        self.zw = row_dot(added, W[:-1]).astype(object)
        self.strays = (W[1:] - W[:-1] != added).sum(axis=1)
        if separates and self.least <= 0:
            raise ValueError(
                f"u does not separate the examples: example {int(np.argmin(self.all_zu))} has "
                f"y (u·x) = {show.short(self.least * self.unit)}, not above 0"
            )

    def real(self):
        """The same in the units of the data and of u, as Fractions."""
        real, of_u = copy(self), ("all_zu", "least", "wu", "zu")
        for name in (*of_u, "all_z2", "R2", "w2", "z2", "zw"):
            setattr(real, name, getattr(self, name) * (self.unit if name in of_u else self.square))
        real.u2 = self.u2 * self.u_unit**2
        return real
