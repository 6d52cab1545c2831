"""A small table of results: Markdown in a notebook, aligned text in a terminal.

Numbers stand on the right, all else on the left.  Exact numbers are shown exactly.
"""

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from html import escape

import numpy as np

from perceptron_lib import checks, show
from perceptron_lib.surd import Surd


class Table:
    """Shown by itself in a notebook, and printed anywhere."""

    def __init__(self, head, rows):
        self.head = [str(cell) for cell in _row(head, "head")]
        rows = rows.tolist() if isinstance(rows, np.ndarray) else rows
        checks.instance(rows, (list, tuple, Iterator), "rows", "a list of rows")
        self.rows = [_row(row, "each row", len(self.head)) for row in rows]

    def _columns(self):
        """For each column: whether it is of numbers, and its cells as texts, the head first."""
        for name, *column in zip(self.head, *self.rows, strict=True):
            given = [value for value in column if value is not None]
            right = bool(given) and all(_is_number(value) for value in given)
            yield right, [name, *map(_written, column)]

    def _repr_markdown_(self):
        columns = [(right, [_escaped(cell) for cell in cells]) for right, cells in self._columns()]
        rules = ["--:" if right else ":--" for right, _ in columns]
        head, *rows = zip(*(cells for _, cells in columns), strict=True)
        return "\n".join("| " + " | ".join(row) + " |" for row in [head, rules, *rows])

    def html(self):
        """The same for a fold, in which Markdown is not read."""
        columns = []
        for right, cells in self._columns():
            look = f'style="text-align: {"right" if right else "left"}"'
            tags = ["th", *["td"] * len(self.rows)]
            columns.append([f"<{tag} {look}>{escape(cell)}</{tag}>"
                            for tag, cell in zip(tags, cells, strict=True)])  # fmt: skip
        rows = "\n".join(f"<tr>{''.join(row)}</tr>" for row in zip(*columns, strict=True))
        return f"<table>\n{rows}\n</table>"

    def __repr__(self):
        columns = []
        for right, cells in self._columns():
            cells = [" ".join(cell.split()) for cell in cells]
            width = max(map(len, cells))
            cells.insert(1, "-" * width)
            columns.append([cell.rjust(width) if right else cell.ljust(width) for cell in cells])
        return "\n".join("  ".join(row).rstrip() for row in zip(*columns, strict=True))


def table(head, rows=None, **columns):
    """A table with a head and rows of cells: numbers, texts, True, False or None.

    >>> table(["n", "γ", "tight"], [[1000, Fraction(1, 3), True], [-2, 0.25, False]])
        n     γ  tight
    -----  ----  -----
    1,000   1/3  ✓
       −2  0.25  ✗

    Or a table of several things by their names, runs for instance, with a function for each column:

    >>> table({"three": range(3), "four": range(4)}, length=len, largest=max)
           length  largest
    -----  ------  -------
    three       3        2
    four        4        3
    """
    if not columns:
        return Table(head, rows)
    things = checks.instance(head, dict, "the things compared", "a dict of names and things")
    for name, of in columns.items():
        checks.instance(of, Callable, f"the column {name}", "a function of one thing")
    rows = [[name, *(of(thing) for of in columns.values())] for name, thing in things.items()]
    return Table(["", *(name.replace("_", " ") for name in columns)], rows)


def table_of_updates(run, columns, u=None):
    """The updates of a run, a row each: see `Run.table`."""
    from perceptron_lib.claims.line import SYMBOLS, VECTORS  # which are about runs
    from perceptron_lib.claims.quantities import Quantities

    q = Quantities(run, np.eye(run.X.shape[1])[0] if u is None else u, separates=False)
    names = [name for name, symbol in SYMBOLS.items() if symbol.over == "t"]
    names = [name for name in names if name not in ("H", "sum_z2")]  # which only some proofs have
    head, cells = [], []
    for name in checks.instance(columns, str, "columns", "names, such as 't example z'").split():
        if name == "example":
            head, cells = [*head, name], [*cells, run.updates.tolist()]
            continue
        checks.one_of(name, "a column", ["example", *names])
        if u is None and name.endswith("u"):
            raise ValueError(f"u must be given for the column {name}")
        values = list(getattr(q, name))
        if name in VECTORS:
            values = [f"({', '.join(show.short(v * q.unit) for v in row)})" for row in values]
        head, cells = [*head, f"${SYMBOLS[name].latex}$"], [*cells, values]
    return Table(head, list(zip(*cells, strict=True)))


def _row(row, name, count=None):
    """The cells of a row, or of the head, as a list."""
    row = row.tolist() if isinstance(row, np.ndarray) else row
    if not isinstance(row, (list, tuple)) or len(row) != (count or max(len(row), 1)):
        some = show.count(count, "cell") if count else "cells"
        raise checks.refusal(name, f"a list of {some}", row)
    return [show.plain(value) for value in row]


def _is_number(value):
    return isinstance(value, (int, float, Fraction, Surd)) and not isinstance(value, bool)


def _written(value):
    """A cell as text."""
    if value is None or isinstance(value, bool):
        return {None: "", True: "✓", False: "✗"}[value]
    if not _is_number(value):
        return str(value)
    if isinstance(value, float):
        return show.number(value)
    if isinstance(value, (int, Fraction)):
        if max(abs(value.numerator), value.denominator) >= 10**100:
            return show.short(value)
        value = f"{int(value):,}" if value.denominator == 1 else value
    return str(value).replace("-", "−")


def _escaped(text):
    """For a cell of Markdown: a bar would end it, and so would a new line."""
    parts = re.split(r"(\$[^$]*\$)", text.strip().replace("\n", "<br>"))
    for k, part in enumerate(parts):  # every other one is a formula
        bars = part.replace(r"\|", r"\Vert ").replace("|", r"\vert ")
        parts[k] = bars if k % 2 else part.replace("|", r"\|")
    return "".join(parts)
