"""Every argument of every public function is tried with odd values: a right result or one sentence.

The tables below give for each argument a good value and say of what kind it is.  A kind says of an
odd value which plain value it stands for, or that it is to be refused.  The test replaces one
argument at a time.  A value that is taken must give what its plain equivalent gives; a refusal is a
ValueError of one short line, raised by the library itself; nothing takes a second.
"""

import datetime
import functools
import inspect
import math
import re
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

import perceptron_lib as lib
from perceptron_lib import (
    boolean,
    bounds,
    claims,
    examples,
    kernels,
    pac,
    plots,
    regression,
    structured,
)
from tests.test_exercises import RIGHT

REFUSED, EITHER = "refused", "either"  # EITHER: if it is taken, nothing is said about the result

# Odd values: a name, the value (or a function that makes it), the number that it is, if it is one.
ODD = [
    ("None", None), ("Ellipsis", ...), ("True", True, 1), ("text", "abc"), ("empty text", ""),
    ("text of hours", "1e99999999"), ("text of a number", "1/3", Fraction(1, 3)),
    ("text 1/0", "1/0"), ("bytes", b"12"), ("nan", math.nan), ("inf", math.inf),
    ("-inf", -math.inf), ("-0.0", -0.0, 0), ("0", 0, 0), ("-1", -1, -1),
    ("2.5", 2.5, Fraction(5, 2)), ("complex", 1j), ("complex, but real", np.complex128(1)),
    ("10**400", 10**400, 10**400), ("10**5000", 10**5000, 10**5000), ("1e-320", 1e-320, 1e-320),
    ("Fraction", Fraction(1, 3), Fraction(1, 3)), ("Decimal", Decimal("0.1"), Fraction(1, 10)),
    ("Decimal of hours", Decimal("1e999999999")), ("Decimal, tiny", Decimal("1e-999999999")),
    ("Decimal NaN", Decimal("NaN")), ("Decimal sNaN", Decimal("sNaN")),
    ("datetime", datetime.datetime(2024, 1, 1)), ("datetime64", np.datetime64(1, "ns")),
    ("timedelta64", np.timedelta64(1, "ns")), ("NaT", pd.NaT), ("NA", pd.NA),
    ("masked", np.ma.masked), ("np.nan", np.float32("nan")), ("int8", np.int8(2), 2),
    ("uint64", np.uint64(2), 2), ("float16", np.float16(0.5), Fraction(1, 2)),
    ("longdouble", np.longdouble(1) / 3, Fraction(*(np.longdouble(1) / 3).as_integer_ratio())),
    ("longdouble nan", np.longdouble("nan")), ("0-d array", np.array(2), 2),
    ("0-d array of text", np.array("a")), ("0-d masked array", np.ma.array(2)),
    ("1-d array of one", np.array([2])), ("Series of one", pd.Series([2])), ("empty list", []),
    ("list of an empty list", [[]]), ("3 levels", [[[1]]]), ("ragged", [[1], [1, 2]]),
    ("texts", ["a", "b"]), ("list with None", [None, 1]), ("3-d array", np.ones((2, 2, 2))),
    ("structured array", np.zeros(2, dtype=[("a", int), ("b", float)])),
    ("dates", np.array(["2024-01-01", "2024-01-02"], dtype="datetime64[ns]")), ("dict", {"a": 1}),
    ("dict of numbers", {1: 2, 3: 4}), ("set", {1, 2}), ("generator", lambda: (k for k in (1, 2))),
    ("object", object()), ("class", type("Thing", (), {"__call__": None})),
    ("class of arrays", np.ndarray), ("function", len), ("module", math),
    ("sparse", scipy.sparse.eye(2)), ("data frame", pd.DataFrame([[1.0, "a"], [None, 2]])),
]  # fmt: skip


def odd_values():
    for name, value, *number in ODD:
        yield name, value() if name == "generator" else value, number[0] if number else None


# --- kinds of arguments: from a good value to cases (name, odd value, its plain equivalent) ------


def tried(judge=lambda *_: REFUSED, optional=False):
    """The odd values; `judge` says of a name, a value and its number what is to become of it."""
    for name, value, number in odd_values():
        yield name, value, None if value is None and optional else judge(name, value, number)


def numbers(holds=lambda v: True, texts=True, optional=False):
    """A number for which `holds` is true."""

    def judge(name, value, number):
        taken = number is not None and (texts or not isinstance(value, str)) and holds(number)
        return number if taken else REFUSED

    def cases(good):
        yield from tried(judge, optional)
        exact, near = Fraction(good), float(good)
        yield "as Fraction", exact, good
        if near == exact:
            for make in (float, np.float64, np.float32, np.float16, np.longdouble, np.array):
                yield f"as {make.__name__}", make(near), good
        yield "as Decimal", Decimal(exact.numerator) / exact.denominator, good
        if exact.denominator == 1 and abs(exact) < 100:
            yield from ((f"as {t.__name__}", t(int(exact)), good) for t in (np.int8, np.int64))
        yield "as text", str(exact), good if texts else REFUSED
        no_numbers = complex(near), [good], np.array([near]), pd.Series([near]), np.ma.array(near)
        yield from ((f"as {type(value).__name__}", value, REFUSED) for value in no_numbers)

    return cases


def exact_floats(holds=lambda v: True):
    """A number that a float holds; texts are not taken."""
    return numbers(lambda v: abs(v) < 10**300 and float(v) == v and holds(v), texts=False)


def size(low, high=math.inf):
    return numbers(lambda v: low <= v <= high)


def between(low, high=math.inf):
    return numbers(lambda v: low < v < high)


positive, chance = between(0), between(0, 1)


def whole(low=1, high=math.inf, optional=False):
    """An int."""
    ints = ("0", "-1", "10**400", "10**5000", "int8", "uint64", "0-d array")

    def judge(name, value, number):
        return number if name in ints and low <= number <= high else REFUSED

    def cases(good):
        yield from tried(judge, optional)
        for make in (np.int8, np.int64, np.uint64, np.array):
            yield f"as {make.__name__}", make(good), good
        for make in (float, Fraction, Decimal, str, complex, np.float32, lambda v: [v]):
            yield f"as {make.__name__}", make(good), REFUSED

    return cases


def choice(*options, optional=False):
    """One of a few texts."""

    def cases(good):
        yield from tried(optional=optional)
        yield "upper case", good.upper() + "!", REFUSED
        yield "as a list", [good], REFUSED
        yield from ((option, option, option) for option in options)

    return cases


def thing(*fine):
    """Something of a certain type, such as a run; for `fine` names of values nothing is said."""
    return lambda good: tried(lambda name, *_: EITHER if name in fine else REFUSED)


def function(good):
    """What can be called; and if it is, errors in it are its own."""
    yield from (case for case in tried() if not callable(case[1]))


def changed(good, entry):
    """The good list with its first entry replaced."""
    rows = np.array(good).tolist()
    (rows[0] if isinstance(rows[0], list) else rows)[0] = entry
    return rows


def each(make, array):
    """An array of objects, made of each entry."""
    return np.array([*map(make, array.flat), None], dtype=object)[:-1].reshape(array.shape)


NO_ENTRIES = [None, math.nan, math.inf, pd.NA, np.ma.masked, 1j, b"1", [1], {}, object(),
              datetime.date(2024, 1, 1), np.datetime64(1, "ns"), np.timedelta64(1, "ns"), "a",
              "1e99999999", Decimal("NaN"), Decimal("1e999999999"), np.arange(3)]  # fmt: skip
LONG_ENTRIES = [10**400, Fraction(1, 3), 2**53 + 1, np.longdouble(1) / 3]  # Fractions hold them


def arrays(texts=False, optional=False, one=None, loose=()):
    """Numbers in rows (or in one row), which floats hold; with `texts`, Fractions and texts, too.

    `one` is the kind that a single number is of, if one will do as well; of `loose` values nothing
    is said.
    """

    def cases(good):
        array = np.array(good, dtype=float)
        alone = {name: plain for name, _, plain in one(2)} if one else {}
        yield from tried(lambda name, *_: alone.get(name, REFUSED), optional)
        for name, value in taken(array):
            yield f"as {name}", value, good
        yield "as texts", array.astype(str), {True: good, False: REFUSED}.get(texts, EITHER)
        for name, value in refused(array):
            yield f"as {name}", value, REFUSED
        for entry in NO_ENTRIES:
            yield f"with {entry!r}"[:60], changed(good, entry), REFUSED
        for entry in LONG_ENTRIES:
            yield f"with {entry!r}"[:60], changed(good, entry), EITHER if texts else REFUSED

    return lambda good: (
        (name, value, EITHER if name in loose else plain) for name, value, plain in cases(good)
    )


def taken(array):
    """The same numbers in other clothes."""
    frame = pd.DataFrame if array.ndim == 2 else pd.Series
    still = array.copy()
    still.setflags(write=False)
    yield from {
        "list": array.tolist(), "objects": array.astype(object), "read-only": still,
        "tuple": tuple(map(tuple, array) if array.ndim == 2 else array.tolist()),
        "pandas": frame(array), "pandas, relabelled": frame(array, index=range(7, 7 + len(array))),
        "pandas, nullable": frame(array).astype("Float64"), "big-endian": array.astype(">f8"),
        "float32": array.astype(np.float32), "float16": array.astype(np.float16),
        "longdouble": array.astype(np.longdouble), "columns first": np.asfortranarray(array),
        "every other number": np.repeat(array, 2, axis=-1)[..., ::2],
        "upside down twice": array[::-1].copy()[::-1],
        "Fractions": each(Fraction, array).tolist(), "Decimals": each(Decimal, array),
    }.items()  # fmt: skip
    if (array == np.rint(array)).all():
        yield "int8", array.astype(np.int8)
        yield "Python ints", array.astype(int).tolist()
        if (array >= 0).all():
            yield "uint64", array.astype(np.uint64)
        if ((array == 0) | (array == 1)).all():
            yield "bool", array.astype(bool)


def refused(array):
    """What has these numbers in it, and is not to be taken for them."""
    yield from {
        "complex": array.astype(complex), "bytes": array.astype("S"),
        "dates": array.astype(int).astype("datetime64[ns]"),
        "times": array.astype(int).astype("timedelta64[ns]"),
        "objects of times": each(lambda v: np.timedelta64(int(v), "ns"), array),
        "masked array": np.ma.masked_equal(array, array.flat[0]),
        "masked array without a mask": np.ma.array(array), "one more dimension": array[None],
        "one row": array.ravel() if array.ndim == 2 else array[None],
        "sparse": scipy.sparse.csr_matrix(np.atleast_2d(array)),
        "dict": dict(enumerate(array.tolist())),
        "structured": np.array([(1.0, 2)] * len(array), dtype=[("a", float), ("b", int)]),
    }.items()  # fmt: skip
    if array.ndim == 2:
        yield "masked rows", [np.ma.array(row, mask=np.arange(len(row)) == 0) for row in array]
        yield "sparse rows", [scipy.sparse.csr_matrix(row) for row in array]
    else:
        yield "a data frame of one column", pd.DataFrame(array)


def several(holds, *loose):
    """A number that a float holds, or a list of them."""
    return arrays(one=exact_floats(holds), loose=("1-d array of one", "Series of one", *loose))


table = vector = arrays()
fractions = arrays(texts=True)
LOOSE = ("generator", "as a data frame of one column")
drawn = arrays(texts=EITHER, loose=LOOSE)  # what is drawn is rounded


def labels(good):
    """-1 and +1."""
    yield from arrays()(good)
    yield "0 and 1", (np.array(good) + 1) // 2, REFUSED
    yield "True and False", np.array(good) > 0, REFUSED
    yield "a label too few", list(good)[:-1], REFUSED
    yield "as nullable ints", pd.Series(good, dtype="Int64"), good


def bit_table(good):
    """0 and 1."""
    yield from arrays()(good)
    yield "with 2", changed(good, 2), REFUSED
    yield "with 0.5", changed(good, 0.5), REFUSED


# --- good values of arguments, by their names, and then functions with other ones ----------------

X = [[1, 2, 0], [2, -1, 1], [-1, -2, 3], [-2, 1, 0.5]]
Y, U = [1, 1, -1, -1], [1, 0, 0]
GRAM = (np.array(X) @ np.array(X).T).tolist()
RUN, MARGIN_RUN = lib.perceptron(X, Y, max_passes=1), lib.margin_perceptron(X, Y, 0.5)
KERNEL_RUN = lib.kernel_perceptron(GRAM, Y)
FLAT = lib.perceptron([[1, 2], [2, -1], [-1, -2]], [1, 1, -1], max_passes=1)
TWO = structured.perceptron(X, Y, structured.Classes([1, -1]))
THREE = pac.Finite.of(np.eye(3), [1, -1, 1], ["1/2", "1/4", "1/4"])
CNF, RULES = boolean.Formula(((1,), (-2,))), boolean.DecisionList(((1, 1), (-2, -1)), 1)
ARRAYS = ("3-d array", "structured array")
LISTS = ("text", "texts", "text of a number", "text 1/0", "generator")
TEXTS = ("text", "empty text", "text of hours", "text of a number", "text 1/0")


def draw(n):
    return THREE.draw(n, np.random.default_rng(0))


def given(**arguments):
    return arguments


LABEL = exact_floats(lambda v: v in (1, -1))
# What each argument is called, a good value of it, and its kind.
USUAL = given(
    X=(X, table), y=(Y, labels), u=(U, fractions), v=(U, fractions), K=(GRAM, table), A=(X, table),
    B=(X, table), x=([1, 2, 0], vector), w=([1, 0, 2], vector), c=([1, 2], several(bool)),
    weights=([[0, 0, 0], [1, 2, 0]], table), start=(U, arrays(optional=True)),
    points=([[1, 2], [3, 4]], arrays(texts=EITHER)), multipliers=([0, 1, 1, 1], fractions),
    gammas=([1, 2], several(lambda v: 1e-100 < v < 1e100)),
    run=(RUN, thing()), finite=(THREE, thing()), examples=((X, Y, U), thing()),
    draw=(draw, function), predict=(lambda X, y, x: 1, function), f=(lambda w: w[0] ** 2, function),
    rng=(np.random.default_rng(0), thing()), order=([3, 0, 2, 1], thing("None")),
    p=(["1/4"] * 4, thing("None")), updates=([0], thing("1-d array of one", "Series of one")),
    finished=(False, thing("True")), tie=("mistake", choice("mistake", "negative", "positive")),
    concept=("CNF", choice(*boolean.CONCEPTS)), conjunction=(True, thing("True")),
    groups=(((1,), (-2, 1)), thing("empty list", "ragged")), default=(1, LABEL),
    rules=(((1, 1),), thing("empty list")), rows=([[1, 2]], thing("empty list", *ARRAYS)),
    head=(["a", "b"], thing("texts", "list with None", "ragged", "dates", *ARRAYS)),
    title=("A title", thing(*TEXTS)), names=(["a", "b"], thing("texts")),
    eps=(0.25, chance), delta=(0.25, chance), M=(4, size(1)), size=(2**10, size(1)),
    R2=(4, size(0)), gamma2=(1, positive), u2=(2, size(0)), g=(0.5, positive), c2=(1, positive),
    total=(1, size(0)), squares=(1, size(0)), gamma_u=(1, positive), gamma=(0.5, positive),
    constant=(2, exact_floats()), b=(0, between(-1, 1)), sigma=(0.5, size(1e-150, 1e150)),
    width=(0.5, size(1e-150, 1e150)), step=(0.25, size(1e-323, 1e300)),
    distance=(8, size(2, 2**50)), margin=(0.125, numbers(lambda v: 0 < v <= 0.875)),
    seed=(1, whole(0)), max_passes=(5, whole()), max_updates=(99, whole()), k=(1, whole()),
    passes=(3, whole(1, 10**6)), steps=(3, whole(1, 10**6)), degree=(2, whole(1, 1000)),
    count=(2, whole(0, 4)), d=(2, whole(1, 10**8 // 5)), m=(3, whole(0, 10**4)),
    model=(structured.Classes([1, -1]), thing()), answers=([1, -1], thing(*LISTS)),
    features=(lambda x, y: x, function), scores=([[1, 2], [0, 1]], table),
    moves=([[1, 0], [0, 1]], table), length=(3, whole(1, 100)), held_out=(True, thing("True")),
    failures=(2, whole(0, 5)), trials=(5, whole(2, 10**15)), dimension=(3, whole()),
)  # fmt: skip


def counted(high, low=1, good=4):
    return given(n=(good, whole(low, high)))


BITS = given(X=([[0, 1], [1, 0], [1, 1]], bit_table), y=([1, -1, 1], labels))
REDUCED = given(M=(3, between(2.5, 100)), eps=(0.25, between(0.01, 1)))
PLANE = given(X=(FLAT.X.tolist(), table), y=([1, 1, -1], labels), run=(FLAT, thing()),
             u=([1, 0], fractions), w=([1, 0], drawn))  # fmt: skip
OR_NONE = numbers(lambda v: v > 0, optional=True)
shown = between(-100, 100)
OWN = {  # where arguments are others than usual; and what is no function of a module
    examples.separable: counted(10**8 // 2), examples.outlier: counted(10**8 // 2),
    examples.worst_case: counted(5000), examples.odd_max_bit: counted(20),
    examples.adversary: counted(5000),
    bounds.harmonic_updates: given(R2=(4, size(0, 10**11)), gamma2=(1, size(1e-10)),
                                  eps=(0.25, between(1e-11, 1))),
    examples.rings: counted(10**8, low=2),
    examples.margin_stream: given(gamma=(0.25, size(1 / 64, 1 / 2))),
    examples.iris: given(positive=("setosa", choice("setosa", "virginica")), negative=(
        "versicolor", choice("versicolor", "virginica", optional=True))),
    examples.digits: given(positive=([2, 3], several(range(10).__contains__, "set", "generator"))),
    pac.online_to_pac: REDUCED | given(M=(3, numbers(lambda v: 2.5 < v < 100, optional=True))),
    pac.two_phase: REDUCED, pac.Finite.of: {},
    pac.growing_size: given(M=(4, size(1, 10**5))),
    pac.exact_reduction: REDUCED | given(M=(2, numbers(lambda v: 1 <= v < 100, optional=True)),
                                        delta=(0.25, between(1e-100, 1))),
    draw: counted(10**7, low=0),
    THREE.draw: given(n=(5, thing("0", "int8", "uint64", "0-d array"))),
    THREE.error: given(w=([1, -1, 2], fractions)),
    boolean.Formula: {}, boolean.DecisionList: {}, CNF.predict: BITS, RULES.predict: BITS,
    boolean.learn: BITS, boolean.learn_decision_list: BITS, boolean.groups: counted(10**6),
    boolean.all_words: counted(20), boolean.decision_list_functions: counted(5, good=2),
    **dict.fromkeys([
        regression.residuals, regression.mean_squared_error, regression.gradient,
        regression.normal_equations, regression.least_squares, regression.log_likelihood,
        regression.gradient_descent, regression.stochastic_gradient_descent,
    ], given(y=([1, 2, 3, 5], vector))),
    regression.right_digits: given(solver=(regression.least_squares, function)),
    regression.subgradient_violation: dict.fromkeys(
        "wg", ([1, 2], arrays(texts=True, loose=("generator",)))),
    lib.fewest_errors: PLANE,
    lib.margin_perceptron: given(max_updates=(9, whole(optional=True))),
    lib.Run.recorded: {}, RUN.predict: {}, KERNEL_RUN.predict: {}, KERNEL_RUN.scores: {},
    KERNEL_RUN.all_scores: {}, claims.mistake_bound: given(gamma_u=(1, OR_NONE), R2=(14, OR_NONE)),
    claims.normalised_bound: given(run=(lib.perceptron(lib.unit_length(X), Y), thing())),
    claims.bias_bound: given(run=(lib.perceptron(lib.with_bias(X), Y), thing()),
                            c=([1], several(lambda v: v == 1))),
    claims.margin_bound: given(run=(MARGIN_RUN, thing()), eps=(0.5, chance),
                              gamma=(0.5, numbers(lambda v: 0 < v <= 1))),
    structured.least_score: given(u=([1, 0, 0, -1, 0, 0], fractions)), structured.viterbi: {},
    structured.Classes: {}, structured.Chain: {}, structured.Answers: {},
    TWO.predict: {}, TWO.scores: {}, examples.digit_rows: counted(10**4),
    claims.kernel_bound: given(run=(KERNEL_RUN, thing()),
                              beta=(KERNEL_RUN.alpha.tolist(), fractions)),
    claims.dual: given(run=(lib.perceptron(X, Y), thing()),
                      u=(U, arrays(texts=True, optional=True))),
}  # fmt: skip
PICTURES = {
    plots.plane: PLANE | given(w=([1, 0], arrays(texts=EITHER, optional=True, loose=LOOSE)),
                              b=(0, shown)),
    plots.steps: PLANE, plots.squeeze: PLANE | given(log=(False, thing("True", "False"))),
    plots.angle: PLANE, plots.sizes: PLANE,
    plots.gram: {}, plots.moves: PLANE | given(gamma=(0.5, between(0, 99))),
    plots.threshold: PLANE | given(x=([1, 2, -1], drawn), w=(1, shown), b=(0.5, shown)),
    plots.margins: PLANE | given(best=(lib.separate(FLAT.X, FLAT.y), thing()),
                                example=(1, whole(0, 2))),
    plots.increments: given(run=(MARGIN_RUN, thing()),
                            gamma=(0.5, numbers(lambda v: 0 < v <= 100))),
    plots.survivals: given(counts=([1, 3, 2], drawn), length=(2, whole(optional=True)),
                          chosen=(1, whole(0, 2, optional=True))),
    plots.fitted_line: given(x=([1, 2, 3], drawn), y=([1, 2, 2], drawn), w=([1, 0], drawn)),
}  # fmt: skip
NOT_FOR_READERS = {boolean.literal_name, examples.shuffled}
# A refusal names the argument, or else what it is called there, or what it does not fit.
ALSO = given(
    y="labels", default="labels|y", X="features|y", x="y|X", examples="X|y", v="u", b="u", w="x",
    gammas="gamma", rows="row", head="row", counts="chosen", delta="eps",
)  # fmt: skip


# --- the test ------------------------------------------------------------------------------------


def public_functions():
    """All functions of these modules that take an argument."""
    modules = (lib, examples, lib.embedding, kernels, bounds, pac, boolean, regression, claims,
               structured)  # fmt: skip
    for module in modules:
        for name, f in vars(module).items():
            ours = inspect.isfunction(f) and f.__module__.startswith(module.__name__)
            if ours and name[0] != "_" and inspect.signature(f).parameters:
                yield f


CALLS = dict.fromkeys(f for f in public_functions() if f not in NOT_FOR_READERS)


def good_values(f):
    """A good value of each argument of a function, with its kind."""
    known = USUAL | (OWN.get(f) or PICTURES.get(f) or {})
    return {name: known[name] for name in inspect.signature(f).parameters if name != "negations"}


def every_argument(functions):
    return [pytest.param(f, name, id=f"{f.__module__}.{f.__qualname__}-{name}")
            for f in functions for name in good_values(f)]  # fmt: skip


@functools.cache
def good_call(f):
    """The good values, and what the function gives for them."""
    fixed = {name: value for name, (value, _) in good_values(f).items()}
    return fixed, *call(f, fixed)


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
        ours = type(error) is ValueError and last.startswith(str(Path(lib.__file__).parent))
        says = any(word in text for word in (" must ", " cannot ", " does not separate "))
        clear = ours and not chained and says and "\n" not in text and len(text) <= 300
        found = "refused" if clear else "wrong", f"{type(error).__name__}: {text}"
    except Exception as error:
        found = "wrong", f"{type(error).__name__}: {error}"
    if time.process_time() - began > 1:
        return "wrong", "it took more than a second"
    # (Files that another test left open are closed at any time.)
    raw = [w.message for w in noise if not issubclass(w.category, (UserWarning, ResourceWarning))]
    return ("wrong", f"warning: {raw[0]}") if raw else found


def parts(a):
    """What tells a result from others of its type."""
    match a:
        case lib.Run():
            return a.Z, a.updates, a.steps, a.outcome
        case lib.Separator() | lib.Inseparable():
            return a.X, a.y, a.multipliers
        case plots.Picture():
            return a.png, a.alt
        case pac.Finite():
            return a.X, a.y, a.p
        case claims.Proof() | boolean.Formula() | boolean.DecisionList() | lib.tables.Table():
            return repr(a)
    return a


def same(a, b):
    """Whether two results are the same, to the last bit."""
    if type(a) is not type(b):
        return bool(a == b)
    a, b = parts(a), parts(b)
    if isinstance(a, np.ndarray):
        return np.array_equal(a, b, equal_nan=a.dtype.kind == "f") and a.dtype == b.dtype
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    return a == b or (a != a and b != b) or isinstance(a, lib.widgets.Explorer)


def verdict(plain):
    """What is to become of a value with this plain equivalent."""
    return plain if isinstance(plain, str) and plain in (REFUSED, EITHER) else "taken"


def few(cases, third):
    """Two of those that are taken, and a third of the others: axes take long to make."""
    for number, (name, odd, plain) in enumerate(cases):
        to_draw = verdict(plain) == "taken"
        if name in ("as pandas", "as Fraction") or (number % 3 == third and not to_draw):
            yield name, odd, plain


def complaints(f, argument, choose=lambda cases: cases):
    """What is wrong with a function's answers to odd values of one argument."""
    (fixed, state, known), (value, kind) = good_call(f), good_values(f)[argument]
    assert state == "taken", known
    named = re.compile(rf"\b({argument}|{ALSO.get(argument, argument)})\b")
    for name, odd, plain in choose(kind(value)):
        state, found = call(f, {**fixed, argument: odd})
        if state == "wrong" or (state == "refused" and not named.search(found)):
            yield f"{name}: {found}"
        elif verdict(plain) not in (EITHER, state):
            yield f"{name}: {state}, and should not be: {found}"
        elif verdict(plain) == "taken":
            right = known if plain is value else call(f, {**fixed, argument: plain})[1]
            if not same(found, right):
                yield f"{name}: gives something else than its plain equivalent"


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


@pytest.mark.parametrize(("f", "argument"), every_argument(CALLS | OWN))
def test_odd_values_get_a_right_result_or_one_sentence(f, argument):
    assert not list(complaints(f, argument))


@pytest.mark.parametrize(("f", "argument"), every_argument(PICTURES))
def test_odd_values_get_a_picture_or_one_sentence(f, argument):
    third = (list(PICTURES).index(f) + list(good_values(f)).index(argument)) % 3
    assert not list(complaints(f, argument, lambda cases: few(cases, third)))


@pytest.mark.parametrize("check", RIGHT, ids=lambda check: check.__name__)
def test_a_checker_answers_odd_values_in_one_line(check):
    for place in range(len(RIGHT[check][-1])):
        for name, value, _ in odd_values():
            answer = [*RIGHT[check][-1]]
            answer[place] = value
            began = time.process_time()
            verdict = check(*answer)
            assert time.process_time() - began < 1, name
            assert verdict.startswith(("✓ Right", "✗ Not yet", "No answer")), (name, verdict)
            assert "\n" not in verdict and len(verdict) <= 300, (name, verdict)
