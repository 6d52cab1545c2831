"""The door: the mistakes that students make get one sentence each; nothing else hangs or breaks."""

import faulthandler
import inspect
import math
import time
import warnings
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st

import perceptron_lib as lib
from perceptron_lib import averages, bounds, checks, claims, examples, plots
from perceptron_lib.lessons import adversary, bridge, kernels, lines, margin

from perceptron_lib.lessons import noise, pac, structured, survivors  # isort: skip
from tests.reference import refusals
from tests.rooms import CHECKERS, PICTURES

X, Y, U = [[1, 2, 0], [2, -1, 1], [-1, -2, 3], [-2, 1, 0.5]], [1, 1, -1, -1], [1, 0, 0]
GRAM = (np.array(X) @ np.array(X).T).tolist()
RUN, MARGIN_RUN = lib.perceptron(X, Y, max_passes=1), lib.margin_perceptron(X, Y, 0.5)
KERNEL_RUN, FLAT = kernels.kernel_perceptron(GRAM, Y), lib.five_points()
FLAT_RUN, WORDS = lib.perceptron(*FLAT[:2]), ([[0, 1], [1, 0], [1, 1]], [1, -1, 1])
THREE = survivors.Finite.of(np.eye(3), [1, -1, 1], ["1/2", "1/4", "1/4"])
MODEL, RNG = structured.Classes([1, -1]), np.random.default_rng(0)


def draw(n):
    return THREE.draw(n, RNG)


def run(X=X, y=Y, **options):
    return lambda: lib.perceptron(X, y, **options)


def margin_run(gamma=0.5, eps=0.5, **options):
    return lambda: lib.margin_perceptron(X, Y, gamma, eps, **options)


MASKED, SPARSE, ZERO_ONE = np.ma.array(X), scipy.sparse.csr_matrix(X), [0, 1, 1, 0]
A_TABLE = "X must be a table of numbers, a row for each example; "
test_mistakes_of_students_get_one_clear_sentence = refusals({
    # the examples
    r"X must be a table, a row for each example; got shape \([03],\)$": [
        run([1, 2, 3]), lambda: lib.separate([1, 2, 3], Y), lambda: bounds.radius2([1, 2, 3]),
        run([]), run([], [])],
    f"{A_TABLE}got parts of different lengths$": [
        run([[1], [1, 2]]), lambda: lib.with_bias([[1], [1, 2]])],
    f"{A_TABLE}got 'a'$": [run([["a", "b"]] * 4), lambda: lib.longest([["a", 1]])],
    f"{A_TABLE}got None$": [run(None), lambda: lib.unit_length(None)],
    f"{A_TABLE}got Run: . mistakes in": [run(RUN), lambda: lib.separate(RUN, Y)],
    f"{A_TABLE}sparse and masked arrays are not taken$": [
        run(MASKED), run(SPARSE), run(list(MASKED)), lambda: plots.plane(SPARSE, Y)],
    "X must be finite; example 1 has a NaN or infinity$": [
        run([[1.0], [v]], [1, 1]) for v in (math.nan, math.inf)],
    "X has a number that floats cannot hold exactly; got 9007199254740993$": [
        run([[2**53 + 1, 0.5]], [1]), run(np.array([[2**53 + 1]]), [1]), run([[2**53 + 1]], [1])],
    "features must be a table of 0 and 1, a row for each example": [
        lambda: pac.learn([[0, 2]], [1])],
    "X must have 3 columns, one for each weight; got 1": [lambda: RUN.predict([[1.0]])],
    # the labels
    r"labels must be -1 and \+1; got \[0, 1\]: map them by np.where\(y == 1, 1, -1\)$": [
        run(y=ZERO_ONE), lambda: lib.separate(X, ZERO_ONE),
        lambda: survivors.Finite.of(X, ZERO_ONE),
        lambda: bounds.margin2(X, ZERO_ONE, U), lambda: kernels.kernel_perceptron(GRAM, ZERO_ONE)],
    r"labels must be -1 and \+1; got \[False, True\]: map them": [run(y=np.array(Y) > 0)],
    r"labels must be -1 and \+1; got \[1, 2, 3\]$": [run(y=[1, 2, 3, 1])],
    r"y must be a list of labels, each -1 or \+1; (got 'a'|sparse and masked arrays)": [
        run(y=["a", "b", "a", "b"]), run(y=np.ma.array(Y))],
    r"y must be one label for each of the 4 examples; got shape \(3,\)$": [
        run(y=[1, 1, -1]), lambda: lib.separate(X, [1, 1, -1])],
    "y must have answers among 1, -1; example 0 has 7": [
        lambda: structured.perceptron(X, [7, 1, 1, 1], MODEL)],
    # vectors
    "u must be 3 finite numbers, one for each feature; got 1$": [
        lambda: bounds.margin2(X, Y, 1), lambda: claims.mistake_bound(RUN, 1)],
    r"u must be 3 finite numbers, one for each feature; got \[1, 2\]$": [
        lambda: bounds.scores(X, Y, [1, 2]), lambda: adversary.lengths_bound(RUN, [1, 2])],
    r"u must be 3 finite numbers, .*; got \[1, 2, nan\]$": [
        lambda: bounds.scores(X, Y, [1, 2, math.nan])],
    r"start must be 3 finite numbers, one for each feature; got \[1\]$": [run(start=[1])],
    "start has a number that floats cannot hold exactly; got Fraction": [
        run(start=[Fraction(1, 3), 0, 0])],
    r"w must be 3 finite numbers, .* got \[1\]$": [
        lambda: bridge.mean_squared_error(X, Y, [1]), lambda: THREE.error([1])],
    "c must be a number or vector other than 0; got": [
        (lib.with_bias, X, 0), (lib.with_bias, X, [0, 0]), (lib.with_bias, X, [])],
    # a run where data are asked is above; here is the reverse
    "run must be a Run.*; got ": [
        lambda: claims.mistake_bound(X, U), lambda: averages.survivals(X),
        lambda: plots.squeeze(X, U)],
    "run must be a KernelRun, as .* got Run: ": [lambda: kernels.kernel_bound(RUN, Y)],
    # numbers
    "gamma must be a finite number above 0; got (0|-1.5|nan|'1e99999999')$": [
        margin_run(gamma) for gamma in (0, -1.5, math.nan, "1e99999999")],
    "gamma2 must be a finite number above 0; got 0$": [(margin.most_vectors, 1, 0)],
    "eps must be a number strictly between 0 and 1; got (1|-0.5)$": [
        margin_run(eps=1), margin_run(eps=-0.5), lambda: margin.most_vectors(4, 1, 1),
        lambda: pac.sample_size(1, 0.1, 9), lambda: margin.margin_bound(MARGIN_RUN, U, 0.5, 1)],
    "delta must be a number strictly between 0 and 1; got 0$": [
        (survivors.survival_length, 4, 0.1, 0)],
    "M must be a finite number, 1 or more; got 0.5$": [
        lambda: survivors.reduction_size(0.5, 0.1, 0.1)],
    "max_passes must be a whole number, 1 or more; got [03]": [run(max_passes=m) for m in (0, 3.0)],
    "n must be a whole number from 1 to 5,000 .*; got 10000": [(examples.worst_case, 10**400)],
    "n must be a whole number from .*; got a number of thousands of digits$": [
        lambda: kernels.rings(10**5000), lambda: THREE.draw(10**5000, RNG)],
    "seed must be a whole number, 0 or more; got -1$": [lambda: examples.separable(seed=-1)],
    r"order must be None, a permutation of 0 … 3, or a NumPy random generator; got": [
        run(order=order) for order in (
            [0, 1, 2, 2], [0, 1, 2], [1, 2, 3, 4], "abc", 2, [[0]], np.ma.arange(4))],
    # words
    'tie must be "mistake", "negative" or "positive"; got \'left\'$': [run(tie="left")],
    'concept must be .* or "DNF"; got \'XOR\'$': [lambda: pac.learn(*WORDS, "XOR")],
    'positive must be "setosa", .*; got \'rose\'$': [lambda: examples.iris("rose")],
})  # fmt: skip


# --- anything else: a result, or one sentence -------------------------------------------------

JUNK = [
    None, ..., True, "abc", "", "1e99999999", "1/0", b"12", math.nan, -math.inf, 0, -1, 2.5, 1j,
    10**400, 10**5000, 1e-320, np.int8(2), np.float32("nan"), np.array(2), [], [[]], [[[1]]],
    [[1], [1, 2]], ["a", "b"], [None, 1], [math.nan] * 4, np.ones((2, 2, 2)), np.ma.array([[1.0]]),
    {"a": 1}, {1, 2}, object(), len, math, RUN, pd.DataFrame([[1.0, "a"]]), scipy.sparse.eye(2),
]  # fmt: skip
VALUES = {  # a good value for each name of an argument
    "X": X, "y": Y, "u": U, "v": U, "K": GRAM, "A": X, "B": X, "x": [1, 2, 0], "w": [1, 0, 2],
    "c": 1, "weights": [[0, 0, 0], [1, 2, 0]], "start": U, "points": [[1, 2], [3, 4]], "b": 0,
    "multipliers": [0, 1, 1, 1], "gammas": [1, 2], "run": RUN, "finite": THREE, "draw": draw,
    "examples": FLAT, "predict": lambda X, y, x: 1, "f": lambda w: w[0] ** 2, "rng": RNG,
    "order": [3, 0, 2, 1], "tie": "mistake", "concept": "CNF", "rows": [[1, 2]], "head": ["a", "b"],
    "eps": 0.25, "delta": 0.25, "M": 3, "size": 2**10, "R2": 14, "gamma2": 1, "u2": 2, "g": 0.5,
    "c2": 1, "total": 1, "squares": 1, "gamma_u": 1, "gamma": 0.5, "constant": 2, "sigma": 0.5,
    "width": 0.5, "step": 0.25, "distance": 8, "margin": 0.125, "seed": 1, "max_passes": 5,
    "max_updates": 99, "k": 1, "n": 4, "steps": 3, "degree": 2, "count": 2, "d": 2, "m": 3,
    "model": MODEL, "scores": [[1, 2], [0, 1]], "moves": [[1, 0], [0, 1]], "length": 3,
    "held_out": True, "failures": 2, "trials": 5, "dimension": 3, "negations": True,
    "positive": None, "negative": None, "solver": bridge.least_squares, "title": "A title",
    "beta": [1] * 4, "literal": 1, "finished": False, "log": False, "names": ["a", "b"],
}  # fmt: skip
PLANE = {"X": FLAT.X, "y": FLAT.y, "run": FLAT_RUN, "u": [1, 0], "w": [1, 0]}
OWN = {  # and others, where a function needs them
    examples.iris: {"positive": "setosa"}, examples.digits: {"positive": [2, 3]},
    pac.learn: dict(zip("Xy", WORDS, strict=True)),
    pac.learn_decision_list: dict(zip("Xy", WORDS, strict=True)),
    bridge.subgradient_violation: {"w": [1, 2], "g": [1, 2]},
    adversary.bias_bound: {"run": lib.perceptron(lib.with_bias(X), Y)},
    margin.margin_bound: {"run": MARGIN_RUN, "eps": 0.5},
    kernels.kernel_bound: {"run": KERNEL_RUN, "beta": KERNEL_RUN.alpha},
    structured.least_score: {"u": [1, 0, 0, -1, 0, 0]}, lib.Run.recorded: {"updates": [0]},
    plots.plane: PLANE, plots.squeeze: PLANE,
    lines.threshold: {"x": [1, 2, -1], "y": [1, 1, -1], "w": 1}, kernels.gram: {},
}  # fmt: skip
MODULES = (lib, examples, lib.embedding, bounds, averages, claims, kernels, pac, survivors, noise,
           bridge, structured)  # fmt: skip


def public_functions():
    for module in MODULES:
        for name, f in vars(module).items():
            if inspect.isfunction(f) and f.__module__.startswith(module.__name__):
                known = inspect.signature(f).parameters.keys() <= VALUES.keys()
                shown = f in CHECKERS.values() or f in PICTURES.values()
                if known and not shown and name[0] != "_":
                    yield f


@pytest.fixture(autouse=True)
def nothing_hangs():
    """What hangs is stopped, and Python says where."""
    faulthandler.dump_traceback_later(100, exit=True)
    yield
    faulthandler.cancel_dump_traceback_later()


@pytest.mark.parametrize("f", dict.fromkeys([*public_functions(), *OWN]), ids=lambda f: f.__name__)
def test_anything_given_for_an_argument_gets_a_result_or_one_sentence(f):
    known = VALUES | OWN.get(f, {})
    good = {name: known[name] for name in inspect.signature(f).parameters}
    f(**good)
    for name in good:
        for junk in JUNK:
            began = time.process_time()
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    f(**good | {name: junk})
            except (TypeError, ValueError) as error:
                assert 0 < len(str(error)) <= 300 and "\n" not in str(error), (name, junk)
            assert time.process_time() - began < 1, (name, junk)


# --- what is taken ----------------------------------------------------------------------------

wide = np.arange(6.0).reshape(3, 2)
CLOTHES = [
    wide.tolist(), tuple(map(tuple, wide)), wide.astype(int), wide.astype(np.float32),
    pd.DataFrame(wide, index=[7, 8, 9]), pd.DataFrame(wide).astype("Int64"), wide.astype(object),
    np.asfortranarray(wide), np.repeat(wide, 2, axis=1)[:, ::2], wide.astype(">f8"),
    np.frombuffer(b"-" + wide.tobytes(), dtype=np.uint8)[1:].view(float).reshape(3, 2),  # askew
    [[Fraction(v) for v in row] for row in wide],
]  # fmt: skip


def test_the_same_numbers_in_other_clothes_are_the_same_table():
    for X in CLOTHES:
        clean = checks.table(X)
        assert clean.dtype == float and clean.flags.c_contiguous and (clean == wide).all()
        assert not np.shares_memory(clean, X)


@given(st.lists(st.integers(-(2**70), 2**70) | st.floats(-1e300, 1e300), min_size=1))
def test_a_table_holds_exactly_what_was_given_or_is_refused(row):
    if all(float(v) == v for v in row):
        assert all(a == b for a, b in zip(checks.table([row])[0].tolist(), row, strict=True))
    else:
        with pytest.raises(ValueError, match="cannot hold exactly"):
            checks.table([row])


def test_numbers_are_the_fractions_they_are_and_chances_the_decimals_that_were_written():
    values = 3, 0.1, "0.1", " -1/3 ", np.float32(0.5), np.array(2), np.uint64(2**64 - 1), 10**400
    exact = 3, Fraction(0.1), Fraction(1, 10), Fraction(-1, 3), 0.5, 2, 2**64 - 1, 10**400
    assert tuple(map(checks.fraction, values)) == exact
    assert checks.chance(0.1, "p") == checks.chance("0.1", "p") == Fraction(1, 10)
    assert checks.chance(1e-320, "p") == Fraction(1, 10**320)


@checks.door(n=checks.limit(checks.whole, 1, 9))
def example(X, y, u=None, eps=0.25, n=3):
    """What came through the door."""
    return X, y, u, eps, n


def test_a_function_behind_the_door_gets_clean_values_however_it_is_called():
    for clean in (example([[1, 2]], [1.0], ["1/2", 1]), example(y=[1], u=["1/2", 1], X=[[1, 2]])):
        X, y, *others = clean
        assert (X.dtype, y.dtype, others) == (float, int, [[Fraction(1, 2), 1], Fraction(1, 4), 3])
    assert example([[1]], [1], None, 0.1)[2:] == (None, Fraction(1, 10), 3)
    assert str(inspect.signature(example)) == "(X, y, u=None, eps=0.25, n=3)"
    assert example.__doc__ == "What came through the door."
