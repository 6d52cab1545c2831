"""The one door: what comes in is exact, what does not is refused in one sentence; and how both are
shown."""

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perceptron_lib import checks, show
from perceptron_lib.surd import Surd
from tests.reference import refusals


def test_a_table_of_floats_is_not_copied_unless_asked():
    X = np.arange(6.0).reshape(3, 2)
    assert checks.table(X, copy=False) is X
    assert checks.table(X) is not X and (checks.table(X) == X).all()
    assert checks.table(X.T).flags.c_contiguous
    assert np.shares_memory(checks.table(X.T, copy=False), X)


whole_or_float = st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False)


@given(st.lists(whole_or_float, min_size=1))
def test_a_table_holds_exactly_what_was_given_or_is_refused(row):
    held = all(abs(v) < 2**1024 and float(v) == v for v in row)
    if held:
        assert all(a == b for a, b in zip(checks.table([row])[0].tolist(), row, strict=True))
    else:
        with pytest.raises(ValueError, match="cannot hold exactly"):
            checks.table([row])


@pytest.mark.parametrize("largest", [2**53, -(2**63), 2**64 - 2**11, 1e308])
def test_large_numbers_that_floats_hold_are_taken(largest):
    assert checks.table([[largest, 1]])[0, 0] == largest
    assert checks.table(np.array([[largest]]))[0, 0] == largest


FRACTIONS = [
    (3, 3), (True, 1), (0.1, Fraction(0.1)), ("0.1", Fraction(1, 10)), (" -1/3 ", Fraction(-1, 3)),
    (Decimal("0.1"), Fraction(1, 10)), (np.float32(0.1), Fraction(float(np.float32(0.1)))),
    (np.array(2), 2), (np.str_("1/2"), Fraction(1, 2)), (np.uint64(2**64 - 1), 2**64 - 1),
    (10**400, 10**400), (Decimal("1e400"), 10**400),
]  # fmt: skip


@pytest.mark.parametrize(("value", "exact"), FRACTIONS)
def test_a_number_is_the_fraction_it_is(value, exact):
    assert checks.fraction(value) == exact and type(checks.fraction(value)) is Fraction


def test_a_chance_is_the_decimal_that_was_written():
    assert checks.chance(0.1, "p") == checks.chance("0.1", "p") == Fraction(1, 10)
    assert checks.chance(Fraction(1, 3), "p") == Fraction(1, 3)
    assert checks.chance(1e-320, "p") == Fraction(1, 10**320)


def test_lists_of_fractions():
    for v in ([1, 2], (1, 2), range(1, 3), np.array([1, 2]), iter([1, 2]), ["1", "4/2"]):
        assert checks.fractions(v, 2) == [1, 2]


HALF, LONG = Fraction(1, 2), np.ones((1, 1), np.longdouble)
test_bad_input_gets_one_clear_sentence = refusals({
    "X must be a table of numbers, .*; got None": [(checks.table, None)],
    "got a list with parts of different lengths": [(checks.table, [[1], [1, 2]])],
    r"two dimensions, .*; got shape \(1,\)": [(checks.table, [1.0])],
    r"an example and a feature .* \(0, 2\)": [(checks.table, np.empty((0, 2)))],
    "must be finite; example 1 has": [(checks.table, [[1.0], [math.nan]])],
    "must be finite; example 0 has": [(checks.table, [[math.inf, 2**53 + 1]])],
    "masked arrays are not taken": [
        (checks.table, np.ma.array([[1.0]])), (checks.table, [np.ma.array([1.0])])],
    "cannot hold exactly": [(checks.table, X) for X in (
        [[2**53 + 1, 0.5]], [[-(2**53) - 1]], [[2**63 + 1], [-1]], [[np.int64(2**53 + 1), HALF]],
        np.array([[np.uint64(2**63 + 1), 1]], dtype=object), LONG * np.longdouble("1e-4000"),
        LONG * np.longdouble("1e4000"))],
    "table of numbers.*nan": [(checks.table, LONG * np.nan)],
    r"labels must be -1 and \+1; got .{60}$": [(checks.labels, [1, 10**400], 2)],
    r"labels must be -1 and \+1; got a very large number$": [(checks.labels, [1, 10**5000], 2)],
    r"one label for each .* got shape \(2, 1\)": [(checks.labels, [[1], [-1]], 2)],
    "y must be a list of labels": [(checks.labels, [[1], [1, -1]], 2)],
    "labels must be -1": [(checks.labels, [1.0, np.nan], 2), (checks.labels, [1 + 0j, -1], 2)],
    r"got \[0, 1\]: map them by y = 2\*y - 1": [(checks.labels, [0, 1], 2)],
    r"got \[False, True\]: map them": [(checks.labels, [True, False], 2)],
    r"labels must be -1 and \+1; got \[1, 2, 3\]": [(checks.labels, [1, 2, 3], 3)],
    r"got \['a', 'b'\]": [(checks.labels, ["a", "b"], 2)],
    r"each of the 3 examples; got shape \(2,\)": [(checks.labels, [1, -1], 3)],
    "order must be a permutation": [
        (checks.places, order, 2, "order", "a permutation") for order in ([0, 2], [0.0])],
    r"w must be 3 finite numbers, .* got \[1, 2\]": [(checks.vector, [1, 2], 3, "w")],
    "u must be a list of finite numbers": [(checks.vector, [])],
    "u must be 2 finite numbers": [
        (checks.fractions, u, 2)
        for u in ({1: 2, 3: 4}, np.array([1, 2], "M8[ns]"), iter(int, 1))],  # the last is endless
    "the value must be a finite number": [(checks.fraction, "9" * 500)],
    r"got an ndarray of shape \(1,\)": [(checks.fraction, np.array([1]))],
    "c must be a finite number; got '1'": [(checks.exact_float, "1", "c")],
    "c has a number that a float": [(checks.exact_float, Fraction(1, 3), "c")],
    "w must be small; got 1000": [(checks.real, 10**400, "w", "small", lambda v: v < 9)],
    "M must be a finite number, 1 or more; got 0.5": [(checks.at_least, 1, 0.5, "M")],
    "above 0 and below 1; got 1": [lambda: checks.positive(1, "eps", below=1)],
    "p must be a number strictly between 0 and 1": [(checks.chance, math.nan, "p")],
    "n must be a whole number, 1 or more; got 3.0": [(checks.whole, 3.0, "n")],
    r"from 1 to 5 \(why\); got 9": [(checks.whole, 9, "n", 1, 5, " (why)")],
    "from 1 to 5,000; got 0": [(checks.whole, 0, "n", 1, 5000)],
    'x must be "a", "b" or "d"; got \'c\'': [(checks.one_of, "c", "x", ["a", "b", "d"])],
    "x must be a text; got 3": [(checks.instance, 3, str, "x", "a text")],
    "a table of 0 and 1": [(checks.zeros_and_ones, [[0, 2]])],
})  # fmt: skip
SHOWN = [
    ("a\nb", r"'a\nb'"), (np.zeros((2, 3)), "an ndarray of shape (2, 3)"),
    (list(range(30)), "a list of 30 entries"), (np.float64(0.9), "0.9"), (object(), "an object"),
    (len, "<built-in function len>"), (np.ndarray, "<class 'numpy.ndarray'>"),
    ("x" * 100, "'" + "x" * 58 + "…"), (10**5000, "a very large number"),
    ([10**5000], "a very large number"),
]  # fmt: skip


def test_what_was_given_is_shown_on_one_short_line():
    assert [show.shown(value) for value, _ in SHOWN] == [text for _, text in SHOWN]


SHORT = [
    (7, "7"), (Fraction(-1, 4), "−0.25"), (Fraction(1, 3), "~0.3333"), (12345678, "~1.235e+07"),
    (10**8, "1e+08"), (Surd(2), "2"), (Surd(1, {2: 1}), "~2.414"), (10**5000, "1e5000"),
    (-(10**400), "−1e400"),
]  # fmt: skip


def test_exact_numbers_in_a_table_say_when_they_are_rounded():
    assert [show.short(value) for value, _ in SHORT] == [text for _, text in SHORT]


def test_numbers_as_people_write_them():
    shown = [show.number(v) for v in (3, -0.0, 0.5, -1234.5, 1e-9, Fraction(1, 3), 10**400)]
    assert shown == ["3", "0", "0.5", "−1,234", "1e−09", "0.333", "inf"]
    assert show.numbers([1.0, Fraction(-1, 2)]) == "(1, −0.5)"
    assert show.equals(25) == "= 25" and show.equals(902.68) == "≈ 902.6"
    counts = [show.count(n, w) for n, w in ((1, "pass"), (2, "pass"), (1000, "mistake"))]
    assert counts == ["1 pass", "2 passes", "1,000 mistakes"]
