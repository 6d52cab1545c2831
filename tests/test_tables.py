"""A table says exactly what it was given, in a notebook and in a terminal."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from perceptron_lib import table
from perceptron_lib.surd import Surd
from tests.reference import refusals

CELLS = [
    (3, "3"), (-1234567, "−1,234,567"), (np.int64(1000), "1,000"), (Fraction(10**5000), "1e5000"),
    (Fraction(1, 3), "1/3"), (Fraction(-8, 2), "−4"), (0.25, "0.25"), (-1 / 3, "−0.333"),
    (-0.0, "0"), (np.float32(0.5), "0.5"), (Decimal("0.1"), "0.1"), (Surd(1, {2: 1}), "1 + 1·√2"),
    (True, "✓"), (np.False_, "✗"), (None, ""), ("−", "−"), ("a-b", "a-b"),
]  # fmt: skip


@pytest.mark.parametrize(("cell", "text"), CELLS)
def test_a_cell_is_shown_as_people_write_it(cell, text):
    assert table(["x"], [[cell]])._repr_markdown_().splitlines()[2] == f"| {text} |"


ROWS = [[1000, "one", Fraction(1, 3), True], [-2, "two, or so", None, False]]


def test_in_a_terminal_the_columns_are_aligned():
    assert repr(table(["n", "name", "share", "ok"], ROWS)).splitlines() == [
        "    n  name        share  ok",
        "-----  ----------  -----  --",
        "1,000  one           1/3  ✓",
        "   −2  two, or so         ✗",
    ]


def test_in_a_notebook_it_is_markdown_with_numbers_on_the_right():
    assert table(["n", "name", "share", "ok"], ROWS)._repr_markdown_().splitlines() == [
        "| n | name | share | ok |",
        "| --: | :-- | --: | :-- |",
        "| 1,000 | one | 1/3 | ✓ |",
        "| −2 | two, or so |  | ✗ |",
    ]


def test_bars_and_line_breaks_do_not_break_a_cell():
    found = table(["a|b"], [["one\ntwo"], [r"$|w| \le \|x\|$"]])
    assert found._repr_markdown_().splitlines() == [
        r"| a\|b |", "| :-- |", "| one<br>two |", r"| $\vert w\vert  \le \Vert x\Vert $ |",
    ]  # fmt: skip
    assert repr(found).splitlines()[2:] == ["one two", r"$|w| \le \|x\|$"]


def test_arrays_and_generators_of_rows_will_do():
    plain = repr(table(["a", "b"], [[1.0, 0.0], [0.0, 1.0]]))
    assert repr(table(("a", "b"), np.eye(2))) == plain
    assert repr(table(["a", "b"], (row for row in np.eye(2)))) == plain
    assert repr(table(["a"], [])) == "a\n-"


test_bad_input_gets_one_clear_sentence = refusals({
    "head must be a list of cells; got 'ab'": [(table, "ab", [["1", "2"]])],
    "rows must be a list of rows; got 'ab'": [(table, ["a"], "ab")],
    "each row must be a list of 1 cell; got 1": [(table, ["a"], [1])],
    r"each row must be a list of 2 cells; got \[3\]": [(table, ["a", "b"], [[1, 2], [3]])],
})  # fmt: skip
