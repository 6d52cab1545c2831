"""A line of a proof, written once and read three ways: in LaTeX, on a run, and for all numbers.

A line is a function of quantities, such as ``lambda q: (q.next_w2, "≤", q.w2 + q.R2)``, with the
rows it follows from.  Called with `Written` symbols, it spells its statement; called with the
numbers of a run (`quantities`), it gives both sides for every t; called with the variables of a
solver (`follows`), it is what has to be proved, or what may be used.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple

VECTORS = {"w", "next_w", "z", "u", "start", "first_z"}
TEX = {"≤": r"\le", "≥": r"\ge"}


def norm(v):
    """‖v‖ in LaTeX."""
    return rf"\lVert {v}\rVert"


class Symbol(NamedTuple):
    """A quantity: how it is written, and whether there is one for each update t or example i."""

    latex: str
    over: str = ""
    binds: int = 3  # how tightly: 1 a sum, 2 a product, 3 a symbol


SYMBOLS = {
    # The weights before and after the t-th update, and before the first; the example added.
    "w": Symbol("w^{(t)}", "t"), "next_w": Symbol("w^{(t+1)}", "t"), "start": Symbol("w^{(1)}"),
    "z": Symbol("z^{(t)}", "t"), "u": Symbol("u"),
    "first_z": Symbol(r"z\text{ of the first example}"),
    # Their products with a separator u, and with each other.
    "wu": Symbol(r"w^{(t)}\cdot u", "t"), "next_wu": Symbol(r"w^{(t+1)}\cdot u", "t"),
    "start_wu": Symbol(r"w^{(1)}\cdot u"), "zu": Symbol(r"z^{(t)}\cdot u", "t"),
    "each_zu": Symbol(r"z_i\cdot u", "i"), "zw": Symbol(r"z^{(t)}\cdot w^{(t)}", "t"),
    # Lengths, and their squares.
    "len_w": Symbol(norm("w^{(t)}"), "t"), "w2": Symbol(norm("w^{(t)}") + "^2", "t"),
    "next_len": Symbol(norm("w^{(t+1)}"), "t"),
    "next_w2": Symbol(norm("w^{(t+1)}") + "^2", "t"),
    "start_len": Symbol(norm("w^{(1)}")), "len_z": Symbol(norm("z^{(t)}"), "t"),
    "z2": Symbol(norm("z^{(t)}") + "^2", "t"),
    "sum_z2": Symbol(r"\sum_{s\le t}\lVert z^{(s)}\rVert^2", "t"),
    "each_z2": Symbol(norm("z_i") + "^2", "i"), "len_u": Symbol(norm("u")),
    "u2": Symbol(norm("u") + "^2"),
    # Numbers: of the update, the margin, the radius, and what a theorem adds to them.
    "t": Symbol("t", "t"), "root_t": Symbol(r"\sqrt t", "t"), "H": Symbol("H_{t+1}", "t"),
    "gamma": Symbol(r"\gamma"), "gamma2": Symbol(r"\gamma^2"),
    "g": Symbol(r"\gamma" + norm("u"), binds=2), "R": Symbol("R"), "R2": Symbol("R^2"),
    "eps": Symbol(r"\varepsilon"),
}  # fmt: skip


class Line(NamedTuple):
    """A line of a proof: a relation, and the rows it follows from.

    A line that follows from none is a hypothesis or a `fact` about all vectors; `why` says so in
    words.  By `induction`, it follows from itself as well, one update earlier.  It may be claimed
    only `where` another relation holds.  `choose` names a quantity that may be any number above 0,
    and the values it is given: the rows it follows from hold for each of them that is above 0.
    """

    row: str
    after: str
    relation: Callable
    why: str = ""
    induction: bool = False
    fact: bool = False
    where: Callable | None = None
    choose: tuple = ()

    @property
    def rows(self):
        return self.after.split()

    @property
    def because(self):
        """The reason in words."""
        said = " and ".join(filter(None, [", ".join(self.rows[:-1]), *self.rows[-1:]]))
        said = f"{said}, by induction" if self.induction else said
        return ": ".join(filter(None, [said, self.why]))


def given(row, why, relation):
    """A hypothesis, or a definition."""
    return Line(row, "", relation, why)


def fact(row, why, relation):
    """What is true of all vectors."""
    return Line(row, "", relation, why, fact=True)


step = Line  # what follows from rows before it
induction = partial(Line, induction=True)  # and from itself, one update earlier


class Spelled(NamedTuple):
    """How a line reads: its statement in LaTeX, its reason in words, whether it is about each
    example, and the names of its quantities."""

    statement: str
    because: str
    for_each: bool
    names: frozenset


@dataclass(frozen=True)
class Chain:
    """The lines of a proof; how its symbols are written, if not as usual; and what those of its
    quantities are that are made of others."""

    lines: list
    symbols: dict = field(default_factory=dict)
    definitions: dict = field(default_factory=dict)

    def __getitem__(self, row):
        """The line of a row."""
        return next(line for line in self.lines if line.row == row)

    def __post_init__(self):
        """Spell out how each row reads, which is the same on every run."""
        symbols = Symbols(SYMBOLS | self.symbols)
        spelled = {line.row: symbols.spelled(line) for line in self.lines}
        object.__setattr__(self, "spelled", spelled)

    def renamed(self, name):
        """The same chain with other names for its rows."""
        lines = [
            line._replace(row=name(line.row), after=" ".join(map(name, line.rows)))
            for line in self.lines
        ]
        return replace(self, lines=lines)

    def more(self, *lines):
        """The same chain with more lines."""
        return replace(self, lines=[*self.lines, *lines])


# --- in LaTeX --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Written:
    """An expression in LaTeX; whether there is one for each t or i; how tightly it binds; and the
    names in it."""

    latex: str
    over: str = ""
    binds: int = 3
    names: frozenset = frozenset()

    def _with(self, other, form, binds, inside):
        """Joined to another one; what binds less tightly than `inside` is put in brackets."""
        other = other if isinstance(other, Written) else Written(str(other))
        one = self.latex if self.binds >= inside[0] else f"({self.latex})"
        two = other.latex if other.binds >= inside[1] else f"({other.latex})"
        over, names = self.over or other.over, self.names | other.names
        return Written(form.format(one, two), over, binds, names)

    def __add__(self, other):
        return self._with(other, "{} + {}", 1, (1, 1))

    def __sub__(self, other):
        return self._with(other, "{} - {}", 1, (1, 2))

    def __mul__(self, other):
        return self._with(other, r"{}\,{}", 2, (2, 2))

    def __truediv__(self, other):
        return self._with(other, "{}/{}", 2, (2, 3))

    def __pow__(self, k):
        bare = self.binds == 3 and not any(mark in self.latex for mark in (r"\cdot", "^", r"\,"))
        return replace(self, latex=f"{self.latex if bare else f'({self.latex})'}^{k}", binds=3)

    def __radd__(self, other):
        return Written(str(other)) + self

    def __rsub__(self, other):
        return Written(str(other)) - self

    def __rmul__(self, other):
        return Written(str(other)) * self

    def __rtruediv__(self, other):
        return Written(str(other)) / self


class Symbols:
    """Quantities that are symbols: those of a table, or each its own name."""

    def __init__(self, symbols=None):
        self._symbols = symbols

    def __getattr__(self, name):
        if self._symbols is None:
            return Written(name)
        return Written(*self._symbols[name], frozenset([name]))

    def spelled(self, line):
        """How a line reads."""
        left, right, statement = self.relation(line.relation)
        if line.where:
            statement += rf"\ \text{{ where }}\ {self.relation(line.where)[2]}"
        for_each, names = "i" in (left.over, right.over), left.names | right.names
        return Spelled(statement, line.because, for_each, names)

    def relation(self, relation):
        """Both sides, and the whole in LaTeX."""
        left, sign, right = relation(self)
        left, right = (v if isinstance(v, Written) else Written(str(v)) for v in (left, right))
        return left, right, f"{left.latex} {TEX.get(sign, sign)} {right.latex}"
