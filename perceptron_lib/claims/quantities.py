"""The numbers that the proofs are about, exactly: z_i, w_t and u, and the products of them.

Scaled by a power of two, the examples and all weights of a run are whole numbers; so is u, along
its ray.  Products are found in whole numbers, quickly, and then are Fractions: neither rounds.
"""

from fractions import Fraction
from functools import cached_property

import numpy as np

from perceptron_lib import checks, exact, show
from perceptron_lib.run import AT_ZERO
from perceptron_lib.surd import root


class Vectors:
    """z_i and w_t of a run as rows of whole numbers Z and W, in units of `unit`."""

    def __init__(self, run):
        self.load(run)
        self.run, self.known_order = run, not isinstance(run.order, str)
        listed = self.known_order and run.order is not None
        self.order = run.order if listed else np.arange(len(run.y))
        self.t = np.arange(1, run.mistakes + 1).astype(object)

    def load(self, run):
        """Z, W and their unit."""
        (W, of_w), (Z, of_z) = run.exact_weights, exact.integers(run.Z)
        low = min(of_w, of_z)
        self.W = W if of_w == low else W.astype(object) * 2 ** (of_w - low)
        self.Z = Z if of_z == low else Z.astype(object) * 2 ** (of_z - low)
        self.unit = Fraction(2) ** low

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
        """Whether w_t is wrong about example i, for arrays t and i."""
        scores = exact.row_dot(self.Z[i], self.across_W[t])
        return (scores < 0) | ((scores == 0) & (self.run.y[i] != AT_ZERO[self.run.tie]))

    @cached_property
    def across_W(self):
        """What rows are to be multiplied by for their inner products with w_1, w_2, …"""
        return self.across(self.W)

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
    """The numbers of a run under the names that `line.SYMBOLS` has for them, as Fractions (and not
    as whole numbers, which Python divides to floats).  Some more may be given, such as eps."""

    def __init__(self, run, u, separates=True, **given):
        super().__init__(run)
        if not len(run.Z):
            raise ValueError("run must have made a mistake: without one there is nothing to check")
        self.u = checks.fractions(u, run.Z.shape[1])
        U, size = exact.rational(self.u)
        if not U.any():
            raise ValueError("u must not be the zero vector")
        of_u, of_data = self.unit * size, self.unit**2
        across_u = self.across(U)
        all_wu = exact.dot(self.W, across_u).astype(object) * of_u
        all_w2 = exact.row_dot(self.W, self.across_W).astype(object) * of_data
        self.each_zu = exact.dot(self.Z, across_u).astype(object) * of_u
        self.each_z2 = exact.row_dot(self.Z, self.across(self.Z)).astype(object) * of_data
        self.wu, self.next_wu, self.start_wu = all_wu[:-1], all_wu[1:], all_wu[0]
        self.w2, self.next_w2, self.start_w2 = all_w2[:-1], all_w2[1:], all_w2[0]
        self.w, self.next_w, self.start = self.W[:-1], self.W[1:], self.W[0]
        added = run.updates
        self.z, self.zu, self.z2 = self.Z[added], self.each_zu[added], self.each_z2[added]
        self.first_z = self.Z[self.order[0]]
        self.zw = exact.row_dot(self.z, self.across_W[:-1]).astype(object) * of_data
        self.u2 = int(exact.dot(U, across_u)) * size**2
        self.g, self.R2 = self.each_zu.min(), self.each_z2.max()
        if separates and self.g <= 0:
            raise ValueError(
                f"u does not separate the examples: example {int(np.argmin(self.each_zu))} has "
                f"y (u·x) = {show.short(self.g)}, not above 0"
            )
        vars(self).update(given)

    @cached_property
    def gamma2(self):
        return self.g**2 / self.u2

    def __getattr__(self, name):
        """The lengths: roots of squares."""
        squares = {"len_w": "w2", "next_len": "next_w2", "start_len": "start_w2", "len_z": "z2",
                   "len_u": "u2", "R": "R2", "root_t": "t", "root_n": "n"}  # fmt: skip
        if name == "n":
            return self.t + 1
        if name not in squares:
            raise AttributeError(name)
        setattr(self, name, root(getattr(self, squares[name])))
        return vars(self)[name]
