"""A table says exactly what it was given, in a notebook and in a terminal; so do sentences."""

from fractions import Fraction

import numpy as np
import pytest

from perceptron_lib import five_points, perceptron, show, table, xor
from perceptron_lib.surd import Surd
from tests.reference import refusals

CELLS = [
    (3, "3"), (-1234567, "−1,234,567"), (np.int64(1000), "1,000"), (Fraction(10**5000), "1e5000"),
    (Fraction(1, 3), "1/3"), (Fraction(-8, 2), "−4"), (0.25, "0.25"), (-1 / 3, "−0.333"),
    (-0.0, "0"), (np.float32(0.5), "0.5"), (Surd(1, {2: 1}), "1 + 1·√2"),
    (True, "✓"), (np.False_, "✗"), (None, ""), ("−", "−"), ("a-b", "a-b"),
]  # fmt: skip


@pytest.mark.parametrize(("cell", "text"), CELLS)
def test_a_cell_is_shown_as_people_write_it(cell, text):
    assert table(["x"], [[cell]])._repr_markdown_().splitlines()[2] == f"| {text} |"


ROWS = [[1000, "one", Fraction(1, 3), True], [-2, "two, or so", None, False]]


def test_numbers_stand_on_the_right_in_a_terminal_and_in_a_notebook():
    both = table(["n", "name", "share", "ok"], ROWS)
    assert repr(both).splitlines() == [
        "    n  name        share  ok",
        "-----  ----------  -----  --",
        "1,000  one           1/3  ✓",
        "   −2  two, or so         ✗",
    ]
    assert both._repr_markdown_().splitlines() == [
        "| n | name | share | ok |",
        "| --: | :-- | --: | :-- |",
        "| 1,000 | one | 1/3 | ✓ |",
        "| −2 | two, or so |  | ✗ |",
    ]


def test_bars_and_line_breaks_do_not_break_a_cell():
    barred = table(["a|b"], [["one\ntwo"], [r"$|w| \le \|x\|$"]])
    assert barred._repr_markdown_().splitlines() == [
        r"| a\|b |", "| :-- |", "| one<br>two |", r"| $\vert w\vert  \le \Vert x\Vert $ |",
    ]  # fmt: skip
    assert repr(barred).splitlines()[2:] == ["one two", r"$|w| \le \|x\|$"]


test_bad_input_gets_one_clear_sentence = refusals({
    "head must be a list of cells; got 'ab'": [(table, "ab", [["1", "2"]])],
    "rows must be a list of rows; got 'ab'": [(table, ["a"], "ab")],
    r"each row must be a list of 2 cells; got \[3\]": [(table, ["a", "b"], [[1, 2], [3]])],
})  # fmt: skip

SHOWN = [
    ("a\nb", r"'a\nb'"), (np.zeros((2, 3)), "an ndarray of shape (2, 3)"), (object(), "an object"),
    (list(range(30)), "a list of 30 entries"), (np.float64(0.9), "0.9"),
    ("x" * 100, "'" + "x" * 58 + "…"), ([10**5000], "a number of thousands of digits"),
]  # fmt: skip
SHORT = [
    (7, "7"), (Fraction(-1, 4), "−0.25"), (Fraction(1, 3), "~0.3333"), (12345678, "~1.235e+07"),
    (Surd(2), "2"), (Surd(1, {2: 1}), "~2.414"), (10**5000, "1e5000"), (-(10**400), "−1e400"),
]  # fmt: skip


def test_what_was_given_and_exact_numbers_are_shown_on_one_short_line():
    assert [show.shown(value) for value, _ in SHOWN] == [text for _, text in SHOWN]
    assert [show.short(value) for value, _ in SHORT] == [text for _, text in SHORT]


def test_numbers_as_people_write_them():
    written = [show.number(v) for v in (3, -0.0, 0.5, -1234.5, 1e-9, Fraction(1, 3), 10**400)]
    assert written == ["3", "0", "0.5", "−1,234", "1e−09", "0.333", "inf"]
    assert show.numbers([1.0, Fraction(-1, 2)]) == "(1, −0.5)"
    assert show.equals(25) == "= 25" and show.equals(902.68) == "≈ 902.6"
    assert [show.count(1, "pass"), show.count(1000, "pass")] == ["1 pass", "1,000 passes"]


def test_several_runs_are_compared_by_a_function_for_each_column():
    runs = {"five points": perceptron(*five_points()[:2]), "no line": perceptron(*xor()[:2])}
    shown = table(runs, mistakes=lambda run: run.mistakes, it_ended=lambda run: run.outcome)
    assert shown._repr_markdown_().splitlines() == [
        "|  | mistakes | it ended |", "| :-- | --: | :-- |",
        "| five points | 4 | converged |", "| no line | 4 | cycled |",
    ]  # fmt: skip
    with pytest.raises(ValueError, match="the things compared must be a dict of names and things"):
        table([1, 2], mistakes=len)


def test_the_updates_of_a_run_are_a_table_of_the_columns_one_asks_for():
    X, y, u = five_points()
    run = perceptron(X / 8, y)
    shown = run.table("example t w zw next_w2 zu", u=u)
    assert shown.head == ["example", "$t$", "$w^{(t)}$", r"$z^{(t)}\cdot w^{(t)}$",
                          r"$\lVert w^{(t+1)}\rVert^2$", r"$z^{(t)}\cdot u$"]  # fmt: skip
    assert shown.rows[1] == [
        4, 2, "(0.125, 0.125)", Fraction(-1, 64), Fraction(5, 64), Fraction(1, 8)]  # fmt: skip
    assert len(shown.rows) == run.mistakes == 4
    for columns, words in (("t zu", "u must be given for the column zu"),
                           ("t g", 'a column must be "example", '),
                           (["t"], "columns must be names, such as")):  # fmt: skip
        with pytest.raises(ValueError, match=words):
            run.table(columns)
