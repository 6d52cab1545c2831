"""A line of a proof, written once and read three ways: in LaTeX, on a run, and for all numbers.

A line is a function of quantities, such as ``lambda q: (q.next_w2, "≤", q.w2 + q.R2)``, with the
rows it follows from.  Called with `Written` symbols, it spells its statement; called with the
numbers of a run (`quantities`), it gives both sides for every t; called with the variables of a
solver (`follows`), it is what has to be proved, or what may be used.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import NamedTuple

VECTORS = {"w", "next_w", "z", "u", "start", "first_z"}


def norm(v):
    """‖v‖ in LaTeX."""
    return rf"\lVert {v}\rVert"


class Symbol(NamedTuple):
    """A quantity: how it is written, whether there is one for each update t or each example i, and
    how often the unit of the data and that of u are in it."""

    latex: str
    over: str = ""
    unit: tuple = (0, 0)
    binds: int = 3  # how tightly: 1 a sum, 2 a product, 3 a symbol


SYMBOLS = {
    # The weights before and after the t-th update, and before the first; the example added.
    "w": Symbol("w_t", "t"),
    "next_w": Symbol("w_{t+1}", "t"),
    "start": Symbol("w_1"),
    "z": Symbol("z_t", "t"),
    "first_z": Symbol(r"z\text{ of the first example}"),
    "u": Symbol("u"),
    # Their products with a separator u, and with each other.
    "wu": Symbol(r"w_t\cdot u", "t", (1, 1)),
    "next_wu": Symbol(r"w_{t+1}\cdot u", "t", (1, 1)),
    "start_wu": Symbol(r"w_1\cdot u", "", (1, 1)),
    "zu": Symbol(r"z_t\cdot u", "t", (1, 1)),
    "each_zu": Symbol(r"z_i\cdot u", "i", (1, 1)),
    "zw": Symbol(r"z_t\cdot w_t", "t", (2, 0)),
    # Lengths, and their squares.
    "len_w": Symbol(norm("w_t"), "t", (1, 0)),
    "w2": Symbol(norm("w_t") + "^2", "t", (2, 0)),
    "next_len": Symbol(norm("w_{t+1}"), "t", (1, 0)),
    "next_w2": Symbol(norm("w_{t+1}") + "^2", "t", (2, 0)),
    "start_len": Symbol(norm("w_1"), "", (1, 0)),
    "len_z": Symbol(norm("z_t"), "t", (1, 0)),
    "z2": Symbol(norm("z_t") + "^2", "t", (2, 0)),
    "sum_z2": Symbol(r"\sum_{s\le t}\lVert z_s\rVert^2", "t", (2, 0)),
    "each_z2": Symbol(norm("z_i") + "^2", "i", (2, 0)),
    "len_u": Symbol(norm("u"), "", (0, 1)),
    "u2": Symbol(norm("u") + "^2", "", (0, 2)),
    # Numbers: of the update, the margin, the radius, and what a theorem adds to them.
    "t": Symbol("t", "t"),
    "root_t": Symbol(r"\sqrt t", "t"),
    "H": Symbol("H_t", "t"),
    "gamma": Symbol(r"\gamma", "", (1, 0)),
    "gamma2": Symbol(r"\gamma^2", "", (2, 0)),
    "g": Symbol(r"\gamma" + norm("u"), "", (1, 1), binds=2),
    "R": Symbol("R", "", (1, 0)),
    "R2": Symbol("R^2", "", (2, 0)),
    "eps": Symbol(r"\varepsilon"),
}


class Line(NamedTuple):
    """A line of a proof: a relation, and the rows it follows from.

    A line that follows from none is a hypothesis or a `fact` about all vectors; `why` says so in
    words.  By `induction`, it follows from itself as well, one update earlier.  It may be claimed
    only `where` another relation holds.  "P3b-" among its rows is P3b one update earlier.  `choose`
    sets a quantity that is free, because its row has been proved for all values of it.
    """

    row: str
    after: str
    relation: Callable
    why: str = ""
    induction: bool = False
    fact: bool = False
    where: Callable | None = None
    choose: tuple = ()
    alias: str = ""  # the row's name where it was first proved, if it is used under another one

    @property
    def rows(self):
        return self.after.split()

    @property
    def because(self):
        """The reason in words."""
        rows = [row.replace("-", " for t − 1") for row in self.rows]
        said = " and ".join(filter(None, [", ".join(rows[:-1]), *rows[-1:]]))
        said = f"{said}, by induction" if self.induction else said
        return ": ".join(filter(None, [said, self.why]))


def given(row, why, relation):
    """A hypothesis, or a definition."""
    return Line(row, "", relation, why)


def fact(row, why, relation):
    """What is true of all vectors."""
    return Line(row, "", relation, why, fact=True)


def step(row, after, relation, why="", **more):
    """What follows from rows before it."""
    return Line(row, after, relation, why, **more)


def induction(row, after, relation, why=""):
    """What follows by induction on t."""
    return Line(row, after, relation, why, induction=True)


@dataclass(frozen=True)
class Chain:
    """The lines of a proof; how its symbols are written, if not as usual; and what those of its
    quantities are that are made of others."""

    lines: list
    symbols: dict = field(default_factory=dict)
    definitions: dict = field(default_factory=dict)

    def __getitem__(self, row):
        """The line of a row; "P3b-" is that of P3b."""
        return next(line for line in self.lines if line.row == row.rstrip("-"))

    def renamed(self, name):
        """The same chain with other names for its rows."""
        lines = [
            line._replace(row=name(line.row), after=" ".join(map(name, line.rows)),
                          alias=line.alias or line.row)
            for line in self.lines
        ]  # fmt: skip
        return replace(self, lines=lines)

    def more(self, *lines):
        """The same chain with more lines."""
        return replace(self, lines=[*self.lines, *lines])


# --- in LaTeX --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Written:
    """An expression in LaTeX; what there is one of it for; its unit; and the names in it."""

    latex: str
    over: str = ""
    unit: tuple = (0, 0)
    binds: int = 3
    names: frozenset = frozenset()

    def _with(self, other, latex, binds, powers):
        """Joined to another, whose unit goes in with this power."""
        unit = tuple(a + powers * b for a, b in zip(self.unit, other.unit, strict=True))
        return Written(latex, self.over or other.over, unit, binds, self.names | other.names)

    def _in(self, binds):
        return self.latex if self.binds >= binds else f"({self.latex})"

    def __add__(self, other):
        other = written(other)
        return self._with(other, f"{self.latex} + {other.latex}", 1, 0)

    def __sub__(self, other):
        other = written(other)
        return self._with(other, f"{self.latex} - {other._in(2)}", 1, 0)

    def __mul__(self, other):
        other = written(other)
        return self._with(other, rf"{self._in(2)}\,{other._in(2)}", 2, 1)

    def __truediv__(self, other):
        other = written(other)
        return self._with(other, f"{self._in(2)}/{other._in(3)}", 2, -1)

    def __pow__(self, k):
        bare = self.binds == 3 and not any(mark in self.latex for mark in (r"\cdot", "^", r"\,"))
        latex = f"{self.latex if bare else f'({self.latex})'}^{k}"
        return replace(self, latex=latex, binds=3, unit=tuple(k * power for power in self.unit))

    def __radd__(self, other):
        return written(other) + self

    def __rsub__(self, other):
        return written(other) - self

    def __rmul__(self, other):
        return written(other) * self

    def __rtruediv__(self, other):
        return written(other) / self


def written(value):
    """A number, or what is written already, as it is written."""
    return value if isinstance(value, Written) else Written(str(value))


class Symbols:
    """Quantities that are symbols."""

    def __init__(self, chain):
        self._symbols = SYMBOLS | chain.symbols

    def __getattr__(self, name):
        return Written(names=frozenset([name]), **self._symbols[name]._asdict())

    def spelled(self, relation):
        """Both sides, and the whole in LaTeX."""
        left, sign, right = relation(self)
        left, right, tex = written(left), written(right), {"≤": r"\le", "≥": r"\ge"}.get(sign, sign)
        return left, right, f"{left.latex} {tex} {right.latex}"

    def names(self, relation):
        """The names in a relation."""
        left, right, _ = self.spelled(relation)
        return left.names | right.names

    def is_for_each(self, relation):
        """Whether it is about each example."""
        left, right, _ = self.spelled(relation)
        return "i" in (left.over, right.over)
