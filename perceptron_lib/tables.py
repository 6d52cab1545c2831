"""A small table of results: Markdown in a notebook, aligned text in a terminal.

Numbers stand on the right, all else on the left.  Exact numbers are shown exactly.
"""

import re
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction

import numpy as np

from perceptron_lib import checks, show
from perceptron_lib.surd import Surd


class Table:
    """Shown by itself in a notebook, and printed anywhere."""

    def __init__(self, head, rows):
        self.head = [str(cell) for cell in _cells(head, "head")]
        rows = rows.tolist() if isinstance(rows, np.ndarray) else rows
        checks.instance(rows, (list, tuple, Iterator), "rows", "a list of rows")
        self.rows = [_cells(row, "each row", len(self.head)) for row in rows]

    def _columns(self):
        """For each column: whether it is of numbers, and its cells as texts, the head first."""
        for name, *column in zip(self.head, *self.rows, strict=True):
            given = [value for value in column if value is not None]
            right = bool(given) and all(_is_number(value) for value in given)
            yield right, [name, *map(_shown, column)]

    def _repr_markdown_(self):
        columns = [(right, [_escaped(cell) for cell in cells]) for right, cells in self._columns()]
        rules = ["--:" if right else ":--" for right, _ in columns]
        head, *rows = zip(*(cells for _, cells in columns), strict=True)
        return "\n".join("| " + " | ".join(row) + " |" for row in [head, rules, *rows])

    def __repr__(self):
        columns = []
        for right, cells in self._columns():
            cells = [" ".join(cell.split()) for cell in cells]
            width = max(map(len, cells))
            cells.insert(1, "-" * width)
            columns.append([cell.rjust(width) if right else cell.ljust(width) for cell in cells])
        return "\n".join("  ".join(row).rstrip() for row in zip(*columns, strict=True))


def table(head, rows):
    """A table with a head and rows of cells: numbers, texts, True, False or None.

    >>> table(["n", "γ", "tight"], [[1000, Fraction(1, 3), True], [-2, 0.25, False]])
        n     γ  tight
    -----  ----  -----
    1,000   1/3  ✓
       −2  0.25  ✗
    """
    return Table(head, rows)


def _cells(row, name, count=None):
    """The cells of a row, or of the head, as a list."""
    row = row.tolist() if isinstance(row, np.ndarray) else row
    if not isinstance(row, (list, tuple)) or len(row) != (count or max(len(row), 1)):
        some = show.count(count, "cell") if count else "cells"
        raise checks.refusal(name, f"a list of {some}", row)
    return [show.plain(value) for value in row]


def _is_number(value):
    if isinstance(value, bool):
        return False
    return isinstance(value, (int, float, Fraction, Decimal, np.longdouble, Surd))


def _shown(value):
    """A cell as text."""
    if value is None or isinstance(value, bool):
        return {None: "", True: "✓", False: "✗"}[value]
    if not _is_number(value):
        return str(value)
    if isinstance(value, (float, np.longdouble)):
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
