"""Every argument of every public function is tried with odd values: a right result or one sentence.

The tables below give for each function a good call and say of what kind each argument is.  A kind
says of an odd value which plain value it stands for, or that it is to be refused.  The test
replaces one argument at a time.  A value that is taken must give what its plain equivalent gives; a
refusal is a ValueError of one short line, raised by the library itself; nothing takes a second.
"""

import datetime
import inspect
import math
import signal
import time
import traceback
import warnings
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

import perceptron_lib
from perceptron_lib import (
    Inseparable,
    Run,
    Separator,
    boolean,
    bounds,
    claims,
    embedding,
    examples,
    fewest_errors,
    halving_margin_perceptron,
    kernel_perceptron,
    kernels,
    margin_perceptron,
    pac,
    perceptron,
    plots,
    regression,
    separate,
    tables,
    widgets,
)
from tests.test_exercises import RIGHT

REFUSED, EITHER = "refused", "either"  # EITHER: if it is taken, nothing is said about the result
HOME = str(Path(perceptron_lib.__file__).parent)


def generator(*values):
    yield from values


# --- odd values: name, value (or a function that makes it), the number that it is, if it is one --

ODD = [
    ("None", None),
    ("Ellipsis", ...),
    ("True", True, 1),
    ("text", "abc"),
    ("empty text", ""),
    ("text of hours", "1e99999999"),
    ("text of a number", "1/3", Fraction(1, 3)),
    ("text 1/0", "1/0"),
    ("bytes", b"12"),
    ("nan", math.nan),
    ("inf", math.inf),
    ("-inf", -math.inf),
    ("-0.0", -0.0, 0),
    ("0", 0, 0),
    ("-1", -1, -1),
    ("2.5", 2.5, Fraction(5, 2)),
    ("complex", 1j),
    ("complex, but real", np.complex128(1)),
    ("10**400", 10**400, 10**400),
    ("10**5000", 10**5000, 10**5000),
    ("1e-320", 1e-320, 1e-320),
    ("Fraction", Fraction(1, 3), Fraction(1, 3)),
    ("Decimal", Decimal("0.1"), Fraction(1, 10)),
    ("Decimal of hours", Decimal("1e999999999")),
    ("Decimal, tiny", Decimal("1e-999999999")),
    ("Decimal NaN", Decimal("NaN")),
    ("Decimal sNaN", Decimal("sNaN")),
    ("datetime", datetime.datetime(2024, 1, 1)),
    ("datetime64", np.datetime64(1, "ns")),
    ("timedelta64", np.timedelta64(1, "ns")),
    ("NaT", pd.NaT),
    ("NA", pd.NA),
    ("masked", np.ma.masked),
    ("np.nan", np.float32("nan")),
    ("int8", np.int8(2), 2),
    ("uint64", np.uint64(2), 2),
    ("float16", np.float16(0.5), Fraction(1, 2)),
    ("longdouble", np.longdouble(1) / 3, Fraction(*(np.longdouble(1) / 3).as_integer_ratio())),
    ("longdouble nan", np.longdouble("nan")),
    ("0-d array", np.array(2), 2),
    ("0-d array of text", np.array("a")),
    ("0-d masked array", np.ma.array(2)),
    ("1-d array of one", np.array([2])),
    ("Series of one", pd.Series([2])),
    ("empty list", []),
    ("list of an empty list", [[]]),
    ("3 levels", [[[1]]]),
    ("ragged", [[1], [1, 2]]),
    ("texts", ["a", "b"]),
    ("list with None", [None, 1]),
    ("3-d array", np.ones((2, 2, 2))),
    ("structured array", np.zeros(2, dtype=[("a", int), ("b", float)])),
    ("dates", np.array(["2024-01-01", "2024-01-02"], dtype="datetime64[ns]")),
    ("dict", {"a": 1}),
    ("dict of numbers", {1: 2, 3: 4}),
    ("set", {1, 2}),
    ("generator", lambda: generator(1, 2)),
    ("object", object()),
    ("class", type("Thing", (), {"__call__": None})),
    ("class of arrays", np.ndarray),
    ("function", len),
    ("module", math),
    ("sparse", scipy.sparse.eye(2)),
    ("data frame", pd.DataFrame([[1.0, "a"], [None, 2]])),
]


def odd_values():
    for name, value, *number in ODD:
        made = value() if name == "generator" else value
        yield name, made, number[0] if number else None


# --- kinds of arguments: from a good value to cases (name, odd value, its plain equivalent) ------


def numbers(holds=lambda v: True, texts=True, optional=False):
    """A number for which `holds` is true."""

    def cases(good):
        for name, value, plain in odd_values():
            text = isinstance(value, (str, np.str_)) and not texts
            taken = plain is not None and not text and holds(plain)
            yield name, value, None if value is None and optional else plain if taken else REFUSED
        exact = Fraction(good)
        for make in (Fraction, float, np.float64, np.float32, np.float16, np.longdouble, np.array):
            if make is Fraction or Fraction(float(exact)) == exact:
                yield f"as {make.__name__}", make(exact if make is Fraction else float(exact)), good
        yield "as Decimal", Decimal(exact.numerator) / exact.denominator, good
        if exact.denominator == 1 and abs(exact) < 100:
            yield from ((f"as {t.__name__}", t(int(exact)), good) for t in (np.int8, np.int64))
        yield "as text", str(exact), good if texts else REFUSED
        for name, value in (
            ("complex", complex(float(exact))),
            ("list", [good]),
            ("array of one", np.array([float(exact)])),
            ("Series", pd.Series([float(exact)])),
            ("masked array", np.ma.array(float(exact))),
        ):
            yield f"as {name}", value, REFUSED

    return cases


def exact_floats(holds=lambda v: True):
    """The same, but a float must hold it, and texts are not taken."""

    def fits(v):
        try:
            return float(v) == v and holds(v)
        except OverflowError:
            return False

    return numbers(fits, texts=False)


def at_least(low):
    return numbers(lambda v: v >= low)


positive = numbers(lambda v: v > 0)
chance = numbers(lambda v: 0 < v < 1)


def floats_where(holds):
    """A number that is rounded to a float, for which `holds` must be true."""

    def rounded(v):
        try:
            return holds(float(v))
        except OverflowError:
            return False

    return numbers(rounded)


def whole(low=1, high=math.inf, optional=False):
    """An int."""
    taken = ("0", "-1", "10**400", "10**5000", "int8", "uint64", "0-d array")

    def cases(good):
        for name, value, plain in odd_values():
            right = name in taken and low <= plain <= high
            yield name, value, None if value is None and optional else plain if right else REFUSED
        for make in (np.int8, np.int64, np.uint64, np.array):
            yield f"as {make.__name__}", make(good), good
        for make in (float, Fraction, Decimal, str, complex, np.float32, lambda v: [v]):
            yield f"as {make.__name__}", make(good), REFUSED

    return cases


seed = whole(0)


def choice(*options, optional=False):
    """One of a few texts."""

    def cases(good):
        for name, value, _ in odd_values():
            yield name, value, None if value is None and optional else REFUSED
        yield "upper case", good.upper() + "!", REFUSED
        yield "as a list", [good], REFUSED
        yield from ((option, option, option) for option in options)

    return cases


def thing(*fine):
    """Something of a certain type, such as a run; for `fine` names of values nothing is said."""

    def cases(good):
        for name, value, _ in odd_values():
            yield name, value, EITHER if name in fine else REFUSED

    return cases


def function(good):
    """What can be called; and if it is, errors in it are its own."""
    yield from (case for case in thing()(good) if not callable(case[1]))


def _changed(good, entry):
    """The good list with its first entry replaced."""
    rows = np.array(good).tolist()
    if isinstance(rows[0], list):
        rows[0][0] = entry
    else:
        rows[0] = entry
    return rows


def _times(array):
    """NumPy's times, as objects."""
    found = [np.timedelta64(int(v), "ns") for v in array.flat]
    return np.array([*found, None], dtype=object)[:-1].reshape(array.shape)


def arrays(texts=False, optional=False, one=None, loose=()):
    """Numbers in rows (or in one row), which floats hold; with `texts`, Fractions and texts, too.

    `one` is the kind that a single number is of, if one will do as well; of `loose` values nothing
    is said.
    """

    def cases(good):
        array = np.array(good, dtype=float)
        alone = {name: plain for name, _, plain in one(2)} if one else {}
        for name, value, _ in odd_values():
            taken = None if value is None and optional else alone.get(name, REFUSED)
            yield name, value, EITHER if name in loose else taken
        frame = pd.DataFrame if array.ndim == 2 else pd.Series
        for name, value in (
            ("list", array.tolist()),
            ("tuple", tuple(map(tuple, array) if array.ndim == 2 else array.tolist())),
            ("pandas", frame(array)),
            ("pandas, other labels", frame(array, index=range(7, 7 + len(array)))),
            ("pandas, nullable", frame(array).astype("Float64")),
            ("float32", array.astype(np.float32)),
            ("float16", array.astype(np.float16)),
            ("longdouble", array.astype(np.longdouble)),
            ("big-endian", array.astype(">f8")),
            ("columns first", np.asfortranarray(array)),
            ("every other number", np.repeat(array, 2, axis=-1)[..., ::2]),
            ("upside down twice", array[::-1].copy()[::-1]),
            ("objects", array.astype(object)),
            ("Fractions", [[Fraction(v) for v in r] for r in array] if array.ndim == 2
             else [Fraction(v) for v in array]),
            ("Decimals", np.array([Decimal(v) for v in array.flat]).reshape(array.shape)),
        ):
            yield f"as {name}", value, good
        still = array.copy()
        still.setflags(write=False)
        yield "read-only", still, good
        if (array == np.rint(array)).all():
            yield "as int8", array.astype(np.int8), good
            yield "as Python ints", array.astype(int).tolist(), good
            if (array >= 0).all():
                yield "as uint64", array.astype(np.uint64), good
            if ((array == 0) | (array == 1)).all():
                yield "as bool", array.astype(bool), good
        yield "as texts", array.astype(str), {True: good, False: REFUSED}.get(texts, EITHER)
        for name, value in (
            ("complex", array.astype(complex)),
            ("bytes", array.astype("S")),
            ("dates", array.astype(int).astype("datetime64[ns]")),
            ("times", array.astype(int).astype("timedelta64[ns]")),
            ("objects of times", _times(array)),
            ("masked array", np.ma.masked_equal(array, array.flat[0])),
            ("masked array without a mask", np.ma.array(array)),
            ("one more dimension", array[None]),
            ("one row", array.ravel() if array.ndim == 2 else array[None]),
            ("sparse", scipy.sparse.csr_matrix(np.atleast_2d(array))),
            ("dict", dict(enumerate(array.tolist()))),
            ("structured", np.array([(1.0, 2)] * len(array), dtype=[("a", float), ("b", int)])),
        ):
            yield f"as {name}", value, REFUSED
        if array.ndim == 2:
            rows = [np.ma.array(row, mask=np.arange(len(row)) == 0) for row in array]
            yield "list of masked rows", rows, REFUSED
            yield "list of sparse rows", [scipy.sparse.csr_matrix(row) for row in array], REFUSED
        else:
            name = "as a data frame of one column"
            yield name, pd.DataFrame(array), EITHER if name in loose else REFUSED
        for entry in (None, math.nan, math.inf, pd.NA, np.ma.masked, 1j, b"1", [1], {}, object(),
                      datetime.date(2024, 1, 1), np.datetime64(1, "ns"), np.timedelta64(1, "ns"),
                      "a", "1e99999999", Decimal("NaN"), Decimal("1e999999999"), np.arange(3)):
            yield f"with {entry!r}"[:60], _changed(good, entry), REFUSED
        for entry in (10**400, Fraction(1, 3), 2**53 + 1, np.longdouble(1) / 3):
            taken = EITHER if texts else REFUSED  # Fractions hold them
            yield f"with {entry!r}"[:60], _changed(good, entry), taken

    return cases


def several(holds, *loose):
    """A number that a float holds, or a list of them."""
    return arrays(one=exact_floats(holds), loose=("1-d array of one", "Series of one", *loose))


table = arrays()
vector = arrays()
fractions = arrays(texts=True)


def labels(good):
    """-1 and +1."""
    yield from arrays()(good)
    yield "0 and 1", (np.array(good) + 1) // 2, REFUSED
    yield "True and False", np.array(good) > 0, REFUSED
    yield "a label too few", list(good)[:-1], REFUSED
    yield "as nullable ints", pd.Series(good, dtype="Int64"), good


def one_label(good):
    """-1 or +1; True is no label."""
    for name, value, plain in exact_floats(lambda v: v in (1, -1))(good):
        yield name, value, REFUSED if name == "True" else plain


def bit_table(good):
    """0 and 1."""
    yield from arrays()(good)
    yield "with 2", _changed(good, 2), REFUSED
    yield "with 0.5", _changed(good, 0.5), REFUSED


# --- good calls ----------------------------------------------------------------------------------

X = [[1, 2, 0], [2, -1, 1], [-1, -2, 3], [-2, 1, 0.5]]
Y = [1, 1, -1, -1]
U = [1, 0, 0]
XY = {"X": (X, table), "y": (Y, labels)}
XYU = {**XY, "u": (U, fractions)}
BITS = {"X": ([[0, 1], [1, 0], [1, 1]], bit_table), "y": ([1, -1, 1], labels)}
RUN = perceptron(X, Y, max_passes=1)
MARGIN_RUN = margin_perceptron(X, Y, 0.5)
GRAM = (np.array(X) @ np.array(X).T).tolist()
KERNEL_RUN = kernel_perceptron(GRAM, Y)
THREE = pac.Finite.of(np.eye(3), [1, -1, 1], ["1/2", "1/4", "1/4"])
RATES = {"eps": (0.25, chance), "delta": (0.25, chance)}
OBSERVED = {"X": (X, table), "y": ([1, 2, 3, 5], vector)}
WEIGHTS = {"w": ([1, 0, 2], vector)}
SQUARES = {"R2": (4, at_least(0)), "gamma2": (1, positive)}
STREAM = {"R2": (4, at_least(0)), "u2": (2, at_least(0)), "g": (0.5, positive)}
RNG = np.random.default_rng
ARRAYS = ("3-d array", "structured array")


def draw(n):
    return THREE.draw(n, RNG(0))


def size(low, high):
    return floats_where(lambda v: low <= v <= high)


GOOD = [
    (examples.separable, {"n": (5, whole(1, 10**8 // 2)), "d": (2, whole(1, 10**8 // 5)),
                          "margin": (0.125, floats_where(lambda v: 0 < v <= 0.875)),
                          "seed": (1, seed)}),
    (examples.worst_case, {"n": (3, whole(1, 5000))}),
    (examples.odd_max_bit, {"n": (3, whole(1, 20))}),
    (examples.margin_stream, {"gamma": (0.25, size(1 / 64, 1 / 2))}),
    (examples.rings, {"n": (4, whole(2, 10**8)), "seed": (1, seed)}),
    (examples.outlier, {"n": (4, whole(1, 10**8 // 2)), "distance": (8, size(2, 2**50)),
                        "seed": (1, seed)}),
    (examples.flip_labels, {"examples": ((X, Y, U), thing()), "count": (2, whole(0, 4)),
                            "seed": (1, seed)}),
    (examples.iris, {
        "positive": ("setosa", choice("setosa", "virginica")),
        "negative": ("versicolor", choice("versicolor", "virginica", optional=True))}),
    (examples.digits, {
        "positive": ([2, 3], several(lambda v: v in range(10), "set", "generator"))}),
    (embedding.with_bias, {"X": (X, table), "c": ([1, 2], several(bool))}),
    (embedding.longest, {"X": (X, table)}),
    (embedding.unit_length, {"X": (X, table)}),
    (kernels.linear, {"A": (X, table), "B": (X, table), "constant": (2, exact_floats())}),
    (kernels.polynomial, {"A": (X, table), "B": (X, table), "degree": (2, whole(1, 1000)),
                          "constant": (2, exact_floats())}),
    (kernels.gaussian, {"A": (X, table), "B": (X, table), "width": (0.5, size(1e-150, 1e150))}),
    (bounds.radius2, {"X": (X, table)}),
    (bounds.margin2, {**XYU, "b": (0, numbers(lambda v: -1 < v < 1))}),
    (bounds.mistakes, SQUARES),
    (bounds.mistakes_with_bias, {**SQUARES, "c2": (1, positive)}),
    (bounds.margin_updates, {**SQUARES, "eps": (0.5, chance)}),
    (bounds.scores, XYU),
    (bounds.hinge_loss, {**XY, "v": (U, fractions)}),
    (bounds.hinge_mistakes, {**STREAM, "total": (1, at_least(0))}),
    (bounds.hinge_root, {**STREAM, "total": (1, at_least(0))}),
    (bounds.deviation_mistakes, {**STREAM, "squares": (1, at_least(0))}),
    (bounds.best_gamma_u, XYU),
    (bounds.by_gamma, {**XYU, "gammas": ([1, 2], several(lambda v: 1e-100 < v < 1e100))}),
    (pac.sample_size, {**RATES, "size": (2**10, at_least(1))}),
    (pac.survival_length, {"M": (4, at_least(1)), **RATES}),
    (pac.reduction_size, {"M": (4, at_least(1)), **RATES}),
    (pac.random_stop_size, {"M": (4, at_least(1)), **RATES}),
    (pac.two_phase_sizes, {"M": (4, at_least(1)), **RATES}),
    (pac.survivals, {"run": (RUN, thing())}),
    (pac.in_use, {"run": (RUN, thing())}),
    (pac.longest_survivor, {"run": (RUN, thing())}),
    (pac.averaged_weights, {"run": (RUN, thing())}),
    (pac.voted_labels, {"run": (RUN, thing()), "X": (X, table)}),
    (pac.pocket_weights, {"run": (RUN, thing())}),
    (pac.online_to_pac, {"draw": (draw, function), "M": (3, numbers(lambda v: 3 <= v < 100)),
                         "eps": (0.25, numbers(lambda v: 0.01 < v < 1)), "delta": (0.25, chance)}),
    (pac.two_phase, {"draw": (draw, function), "M": (3, numbers(lambda v: 3 <= v < 100)),
                     "eps": (0.25, numbers(lambda v: 0.01 < v < 1)), "delta": (0.25, chance)}),
    (pac.Finite.of, {**XY, "p": (["1/4"] * 4, thing("None"))}),
    (THREE.error, {"w": ([1, -1, 2], fractions)}),
    (draw, {"n": (5, whole(0, 10**7))}),
    (THREE.draw, {"n": (5, thing("0", "int8", "uint64", "0-d array")), "rng": (RNG(0), thing())}),
    (pac.interval, {"failures": (2, whole(0, 5)), "trials": (5, whole(2, 10**15))}),
    (pac.exact_reduction, {"finite": (THREE, thing()), "M": (2, numbers(lambda v: 1 <= v < 100)),
                           "eps": (0.25, numbers(lambda v: 0.01 < v < 1)),
                           "delta": (0.25, numbers(lambda v: 1e-100 < v < 1))}),
    (pac.exact_mistakes, {"finite": (THREE, thing()), "m": (3, whole(0, 10**4))}),
    (boolean.Formula, {"groups": (((1,), (-2, 1)), thing("empty list", "ragged")),
                       "conjunction": (True, thing("True"))}),
    (boolean.Formula(((1,), (-2,))).predict, {"X": BITS["X"]}),
    (boolean.DecisionList, {"rules": (((1, 1),), thing("empty list")),
                            "default": (1, one_label)}),
    (boolean.DecisionList(((1, 1), (-2, -1)), 1).predict, {"X": BITS["X"]}),
    (boolean.groups, {"n": (3, whole(1, 10**6)), "k": (2, whole())}),
    (boolean.learn, {**BITS, "concept": ("CNF", choice(*boolean.CONCEPTS)), "k": (1, whole())}),
    (boolean.learn_decision_list, BITS),
    (boolean.all_words, {"n": (3, whole(1, 20))}),
    (boolean.decision_list_functions, {"n": (2, whole(1, 5))}),
    (regression.residuals, {**OBSERVED, **WEIGHTS}),
    (regression.mean_squared_error, {**OBSERVED, **WEIGHTS}),
    (regression.gradient, {**OBSERVED, **WEIGHTS}),
    (regression.normal_equations, OBSERVED),
    (regression.least_squares, OBSERVED),
    (regression.step_limit, {"X": (X, table)}),
    (regression.gradient_descent, {**OBSERVED, "step": (0.25, size(1e-323, 1e300)),
                                   "steps": (3, whole(1, 10**6))}),
    (regression.stochastic_gradient_descent, {
        **OBSERVED, "step": (0.25, size(1e-323, 1e300)), "passes": (3, whole(1, 10**6)),
        "seed": (1, seed)}),
    (regression.log_likelihood, {**OBSERVED, **WEIGHTS, "sigma": (0.5, size(1e-150, 1e150))}),
    (regression.convexity_violation, {
        "f": (lambda w: w[0] ** 2, function),
        "points": ([[1, 2], [3, 4]], arrays(texts=EITHER))}),
    (regression.subgradient, {**WEIGHTS, "x": ([1, 2, 0], vector),
                              "y": (1, one_label)}),
    (regression.perceptron_by_sgd, {**XY, "passes": (2, whole(1, 10**6))}),
    (tables.table, {
        "head": (["a", "b"], thing("texts", "list with None", "ragged", "dates", *ARRAYS)),
        "rows": ([[1, 2]], thing("empty list", *ARRAYS))}),
]

# --- and of the modules that are being rewritten -------------------------------------------------

PLANE = {"X": ([[1, 2], [2, -1], [-1, -2]], table), "y": ([1, 1, -1], labels)}
FLAT = perceptron(PLANE["X"][0], PLANE["y"][0], max_passes=1)
TIE = ("mistake", choice("mistake", "negative", "positive"))
LOOP = {"order": ([3, 0, 2, 1], thing("None")), "max_passes": (5, whole())}
GAMMA = {"gamma": (0.5, numbers(lambda v: 0 < v <= 1)), "eps": (0.5, chance)}
BIASED = perceptron(embedding.with_bias(X), Y)
UNIT = perceptron(embedding.unit_length(X), Y)
LOOSE = ("generator", "as a data frame of one column")
drawn = arrays(texts=EITHER, loose=LOOSE)  # what is drawn is rounded
shown = numbers(lambda v: abs(v) < 100)
title = {"title": ("A title", thing("text", "empty text", "text of hours", "text of a number",
                                    "text 1/0"))}
names = {"names": (["a", "b"], thing("texts"))}

RUNS = [
    (perceptron, {**XY, "tie": TIE, "start": (U, arrays(optional=True)), **LOOP}),
    (margin_perceptron, {**XY, "gamma": (0.5, positive), "eps": (0.5, chance), **LOOP,
                         "max_updates": (9, whole(optional=True))}),
    (halving_margin_perceptron, {**XY, "eps": (0.5, chance), "max_updates": (99, whole())}),
    (kernel_perceptron, {"K": (GRAM, table), "y": (Y, labels), "tie": TIE, **LOOP}),
    (kernels.gram_matrix, {"K": (GRAM, table)}),
    (Run.recorded, {**XY, "updates": ([0], thing("1-d array of one", "Series of one")),
                    "weights": ([[0, 0, 0], [1, 2, 0]], table),
                    "finished": (False, thing("True"))}),
    (RUN.predict, {"X": (X, table)}),
    (KERNEL_RUN.predict, {"K": (GRAM, table)}),
    (KERNEL_RUN.scores, {"K": (GRAM, table)}),
    (KERNEL_RUN.all_scores, {"K": (GRAM, table)}),
    (separate, XY),
    (fewest_errors, PLANE),
    (claims.mistake_bound, {"run": (RUN, thing()), "u": (U, fractions),
                            "gamma_u": (1, numbers(lambda v: v > 0, optional=True)),
                            "R2": (14, numbers(lambda v: v > 0, optional=True))}),
    (claims.normalised_bound, {"run": (UNIT, thing()), "u": (U, fractions)}),
    (claims.bias_bound, {"run": (BIASED, thing()), "u": (U, fractions),
                         "b": (0, numbers(lambda v: -1 < v < 1)),
                         "c": ([1], several(lambda v: v == 1))}),
    (claims.margin_bound, {"run": (MARGIN_RUN, thing()), "u": (U, fractions), **GAMMA}),
    (claims.hinge_bound, {"run": (RUN, thing()), "u": (U, fractions), "gamma_u": (1, positive)}),
    (claims.deviation_bound, {"run": (RUN, thing()), "u": (U, fractions),
                              "gamma_u": (1, positive)}),
    (claims.dual, {"run": (perceptron(X, Y), thing()),
                   "u": (U, arrays(texts=True, optional=True))}),
]

PICTURES = [
    (plots.plane, {**PLANE, "w": ([1, 0], arrays(texts=EITHER, optional=True, loose=LOOSE)),
                   "b": (0, shown), **title, **names}),
    (plots.steps, {"run": (FLAT, thing())}),
    (plots.threshold, {"x": ([1, 2, -1], drawn), "y": ([1, 1, -1], labels), "w": (1, shown),
                       "b": (0.5, shown), **title}),
    (plots.margins, {**PLANE, "w": ([1, 0], drawn), "best": (separate(FLAT.X, FLAT.y), thing()),
                     "example": (1, whole(0, 2))}),
    (plots.squeeze, {"run": (FLAT, thing()), "u": ([1, 0], fractions), **title}),
    (plots.angle, {"run": (FLAT, thing()), "u": ([1, 0], fractions), **title}),
    (plots.phases, {"run": (MARGIN_RUN, thing()), "gamma": (0.5, numbers(lambda v: 0 < v <= 100)),
                    "eps": (0.5, chance), **title}),
    (plots.moves, {**PLANE, "w": ([1, 0], drawn), "gamma": (0.5, numbers(lambda v: 0 < v < 99)),
                   **title}),
    (plots.sizes, {"run": (FLAT, thing()), **title}),
    (plots.gram, {"K": (GRAM, table), "y": (Y, labels), **title}),
    (plots.survivals, {"counts": ([1, 3, 2], drawn), "length": (2, whole(optional=True)),
                       "chosen": (1, whole(0, 2, optional=True)), **title}),
    (plots.fitted_line, {"x": ([1, 2, 3], drawn), "y": ([1, 2, 2], drawn), "w": ([1, 0], drawn),
                         **title, **names}),
]


NOT_FOR_READERS = {boolean.literal_name, examples.shuffled}


# --- the test ------------------------------------------------------------------------------------


def arguments(entries):
    return [
        pytest.param(f, good, name, id=f"{f.__module__.split('.')[-1]}.{f.__qualname__}-{name}")
        for f, good in entries
        for name in good
    ]


def call(f, given):
    """What a call gives: ("taken", the result), ("refused", its sentence) or ("wrong", why)."""
    began = time.process_time()
    try:
        with warnings.catch_warnings(record=True) as noise:
            warnings.simplefilter("always")
            found = "taken", f(**given)
    except ValueError as error:
        last = traceback.extract_tb(error.__traceback__)[-1].filename
        text, chained = str(error), error.__context__ and not error.__suppress_context__
        clear = type(error) is ValueError and last.startswith(HOME) and not chained
        says = any(word in text for word in (" must ", " cannot ", " does not separate "))
        short = says and "\n" not in text and len(text) <= 300
        found = ("refused" if clear and short else "wrong"), f"{type(error).__name__}: {text}"
    except Exception as error:
        found = "wrong", f"{type(error).__name__}: {error}"
    if time.process_time() - began > 1:
        return "wrong", "it took more than a second"
    # (Files that another test left open are closed at any time.)
    raw = [w.message for w in noise if not issubclass(w.category, (UserWarning, ResourceWarning))]
    return ("wrong", f"warning: {raw[0]}") if raw else found


def same(a, b):
    """Whether two results are the same, to the last bit."""
    if isinstance(a, np.ndarray):
        return np.array_equal(a, b, equal_nan=a.dtype.kind == "f") and a.dtype == b.dtype
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, Run):
        return same([a.Z, a.updates, a.steps, a.outcome], [b.Z, b.updates, b.steps, b.outcome])
    if isinstance(a, (Separator, Inseparable)):
        return same([a.X, a.y, a.weights], [b.X, b.y, b.weights])
    if isinstance(a, plots.Picture):
        return (a.png, a.alt) == (b.png, b.alt)
    if isinstance(a, (claims.Proof, boolean.Formula, boolean.DecisionList, tables.Table)):
        return repr(a) == repr(b)
    if isinstance(a, pac.Finite):
        return same([a.X, a.y, a.p], [b.X, b.y, b.p])
    return a == b or (a != a and b != b) or type(a) is type(b) is widgets.Explorer


def complaints(f, good, name, few=False):
    """What is wrong with a function's answers to odd values of one argument."""
    fixed = {k: v for k, (v, _) in good.items()}
    value, kind = good[name]
    assert call(f, fixed)[0] == "taken", call(f, fixed)
    for odd_name, odd, plain in kind(value):
        if few and plain not in (REFUSED, EITHER) and odd_name not in ("as pandas", "as Fraction"):
            continue
        what, found = call(f, {**fixed, name: odd})
        if what == "wrong":
            yield f"{odd_name}: {found}"
        elif isinstance(plain, str) and plain == EITHER:
            continue
        elif isinstance(plain, str) and plain == REFUSED:
            if what == "taken":
                yield f"{odd_name}: taken, and should not be"
        elif what == "refused":
            yield f"{odd_name}: refused, and should not be: {found}"
        elif not same(found, call(f, {**fixed, name: plain})[1]):
            yield f"{odd_name}: gives something else than its plain equivalent"


@pytest.fixture(autouse=True)
def no_hour_is_spent():
    """What hangs is stopped (where there are signals)."""
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, lambda *_: pytest.fail("it hangs"))
        signal.setitimer(signal.ITIMER_REAL, 60)
        yield
        signal.setitimer(signal.ITIMER_REAL, 0)
    else:
        yield


@pytest.mark.parametrize(("f", "good", "name"), arguments([*GOOD, *RUNS]))
def test_odd_values_get_a_right_result_or_one_sentence(f, good, name):
    assert not list(complaints(f, good, name))


ANSWERS = dict(RIGHT)  # the last one of each


@pytest.mark.parametrize("check", ANSWERS, ids=lambda check: check.__name__)
def test_a_checker_answers_odd_values_in_one_line(check):
    for place in range(len(ANSWERS[check])):
        for name, value, _ in odd_values():
            answer = [*ANSWERS[check]]
            answer[place] = value
            began = time.process_time()
            verdict = check(*answer)
            assert time.process_time() - began < 1, name
            assert verdict.startswith(("Right: ", "Not yet: ", "No answer yet.")), (name, verdict)
            assert "\n" not in verdict and len(verdict) <= 300, (name, verdict)


def test_every_public_function_is_in_the_tables():
    known = {f for f, _ in (*GOOD, *RUNS, *PICTURES)}
    modules = (examples, embedding, kernels, bounds, pac, boolean, regression, claims)
    found = [getattr(perceptron_lib, name) for name in perceptron_lib.__all__]
    found += [f for module in modules for f in vars(module).values()
              if getattr(f, "__module__", None) == module.__name__]
    for f in found:
        if inspect.isfunction(f) and f.__name__[0] != "_" and inspect.signature(f).parameters:
            assert f in known or f in NOT_FOR_READERS, f.__name__


@pytest.mark.parametrize(("f", "good", "name"), arguments(PICTURES))
def test_odd_values_get_a_picture_or_one_sentence(f, good, name):
    assert not list(complaints(f, good, name, few=True))
