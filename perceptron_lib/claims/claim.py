"""What a line of a proof claims of a run, and whether it is true; and the chain of such claims."""

import operator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from perceptron_lib.claims.line import VECTORS
from perceptron_lib.show import as_float, count, short, shown

RELATIONS = {"=": operator.eq, "<": operator.lt, "≤": operator.le, "≥": operator.ge}


@dataclass(frozen=True, eq=False, repr=False)
class Claim:
    """One line of a proof: left (=, <, ≤ or ≥) right for every t.

    >>> squares, R2 = np.array([0, 2, 1, 5]), 4  # ||w_t||² of a run, and R²
    >>> Claim("P2", "…", "it was a mistake", squares[1:], "≤", squares[:-1] + R2)
    P2 holds (3 values checked)

    Attributes
    ----------
    row : its number among the claims of the lessons, with a letter for a line of a chain ("P2b")
    statement, because : the claim in LaTeX, and the reason in words
    left, relation, right : the two sides; one number may stand for all t
    first : the t of the first entry of left and right (0 for claims about examples i = 0, 1, …)
    """

    row: str
    statement: str
    because: str
    left: np.ndarray
    relation: str
    right: np.ndarray
    first: int = 1

    def __post_init__(self):
        sides = np.asarray(self.left, dtype=object), np.asarray(self.right, dtype=object)
        left, right = np.broadcast_arrays(*np.atleast_1d(*sides))
        object.__setattr__(self, "left", left)
        object.__setattr__(self, "right", right)

    @property
    def lhs(self):
        """The left-hand side for each t, exactly."""
        return self.left.tolist()

    @property
    def rhs(self):
        """The right-hand side for each t, exactly."""
        return self.right.tolist()

    @cached_property
    def _gaps(self):  # by how much it holds at each t: never negative if the claim is true
        return self.left - self.right if self.relation == "≥" else self.right - self.left

    @cached_property
    def _true(self):
        return RELATIONS[self.relation](self.left, self.right)

    @property
    def checked(self):
        """At how many t it was checked."""
        return len(self.left)

    @property
    def holds(self):
        """Whether it is true at every t."""
        return bool(self._true.all())

    @property
    def tight(self):
        """The t at which both sides are equal."""
        return (np.flatnonzero(self.left == self.right) + self.first).tolist()

    @property
    def failure(self):
        """What is wrong, at the first t where it is; empty if the claim holds."""
        if self.holds:
            return ""
        k = int(np.argmin(self._true))
        left, right, gap = self.left[k], self.right[k], self._gaps[k]
        numbers = f"{short(left)} {self.relation} {short(right)}"
        if short(left) == short(right) and gap != 0:
            numbers += f" (they differ by {short(max(gap, -gap))})"
        where = f"example {k}" if self.first == 0 else f"t = {k + self.first}"
        return f"{self.row} fails at {where} ({self.because}): {numbers} is false"

    def only(self, where):
        """The same claim, only where another relation holds."""
        there = Claim("", "", "", *where)._true
        return replace(self, left=self.left[there], right=self.right[there])

    def __repr__(self):
        what = count(self.checked, "example" if self.first == 0 else "value")
        return self.failure or f"{self.row} holds ({what} checked)"


def on_run(chain, q, lines=None):
    """The claims of a chain (or of some of its lines), about the numbers of a run."""
    claims = []
    for line in chain.lines if lines is None else lines:
        says, (left, relation, right) = chain.spelled[line.row], line.relation(q)
        if says.names & VECTORS:  # in how many coordinates do they differ?
            left, right = np.asarray(left != right).sum(axis=-1), 0
        first = 0 if says.for_each else 1
        claim = Claim(line.row, says.statement, says.because, left, relation, right, first)
        claims.append(claim.only(line.where(q)) if line.where else claim)
    return claims


class Proof:
    """The claims of a proof in their order; a notebook shows it as a table.

    A claim may be given as the arguments of one: (row, statement, because, left, relation, right).

    >>> proof = Proof("Growth", [("P2", "…", "a mistake", [2, 1, 5], "≤", [4, 6, 5])])
    >>> proof.holds, proof["P2"].tight
    (True, [3])
    >>> proof
    Growth
    row    checked  least slack  equalities
    P2           3            0           1  ✓  a mistake
    """

    def __init__(self, title, claims, chain=None):
        claims = [claim if isinstance(claim, Claim) else Claim(*claim) for claim in claims]
        self.title, self.claims, self.chain = title, tuple(claims), chain

    def __getitem__(self, row):
        rows = {claim.row: claim for claim in self.claims}
        if not isinstance(row, str) or row not in rows:
            name = shown(row).strip("'")
            raise KeyError(f"no claim {name} here; there are {', '.join(rows)}")
        return rows[row]

    def __iter__(self):
        return iter(self.claims)

    def lines(self, *rows):
        """Some lines of the proof as a table of their own."""
        return Proof(self.title, [self[row] for row in rows], self.chain)

    @property
    def holds(self):
        """Whether every claim is true at every t."""
        return all(claim.holds for claim in self.claims)

    @property
    def failures(self):
        """A sentence for each claim that is false somewhere."""
        return [claim.failure for claim in self.claims if not claim.holds]

    def follows(self):
        """A table: each row, the rows it follows from, and whether z3 proves it for all numbers."""
        from perceptron_lib.claims.follows import follows  # slow to load, and not always needed

        return follows(self)

    def _cells(self):
        for c in self.claims:
            least = ""
            if c.checked and c.relation != "=":
                # By size as floats: gaps at different t may have too many roots to compare.
                least = short(min(c._gaps, key=as_float))
            mark = "✓" if c.holds else "✗"
            yield c.row, f"${c.statement}$", c.because, c.checked, least, len(c.tight), mark

    def __repr__(self):
        head = f"{'row':5} {'checked':>8} {'least slack':>12} {'equalities':>11}"
        rows = [
            f"{row:5} {checked:8} {least:>12} {equal:11}  {mark}  {because}"
            for row, _, because, checked, least, equal, mark in self._cells()
        ]
        return "\n".join([self.title, head, *rows, *self.failures])

    def _repr_markdown_(self):
        head = "| row | claim | because | checked | least slack | equalities | |"
        rule = "|---|---|---|--:|--:|--:|:-:|"
        rows = [f"| {' | '.join(map(str, cells))} |" for cells in self._cells()]
        failed = [f"\n{sentence}." for sentence in self.failures]
        return "\n".join([f"**{self.title}**\n", head, rule, *rows, *failed])
