"""The one door for input: every argument comes in here, or is refused in one sentence.

What a function may be given is wide: lists, arrays, data frames; ints of any size, floats,
Fractions and Decimals; for γ, ε, a vector u and the like also texts such as "1/3".  What it works
with is narrow: float arrays, labels of -1 and +1, ints, Fractions.  A number that cannot be held
exactly is refused, not rounded; the two exceptions say so (`real`, `chance`).  A refusal is a
ValueError that says what is expected and what was given.

Nothing here is needed to understand the Perceptron: skip it, and come back when you write a
function of your own.
"""

import math
import warnings
from collections.abc import Iterator, Mapping, Set
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from itertools import islice

import numpy as np

from perceptron_lib.show import as_float, count, plain, shown

KINDS = {"U": "texts", "S": "bytes", "c": "complex numbers", "M": "dates", "m": "times"}


def refusal(name, expected, given):
    """The error for an argument that is refused."""
    return ValueError(f"{name} must be {expected}; got {shown(given)}")


# --- arrays ----------------------------------------------------------------------------------


def _array(values, name, expected):
    """`values` as NumPy reads them.  It reads a list of ints and floats as floats, and these hold
    whole numbers up to 2**53 only; beyond that, the values stay Python's objects."""
    if type(values) is np.ndarray and values.dtype == np.float64:
        return values
    parts = (values, *values) if isinstance(values, (list, tuple)) else (values,)
    if any(isinstance(part, np.ma.MaskedArray) for part in parts):
        raise ValueError(f"{name} must have a number everywhere; masked arrays are not taken")
    if any(hasattr(part, "toarray") for part in parts):
        raise ValueError(f"{name} must be a plain array; of a sparse one, toarray() makes one")
    try:
        with warnings.catch_warnings():  # of a masked number in a list, which becomes a NaN
            warnings.simplefilter("ignore")
            array = np.asarray(values)
        if array.dtype.kind in "iuf" and array.size:
            largest = max(float(array.max()), -float(array.min()))
            if 2.0**53 <= largest < math.inf or array.dtype.itemsize > 8:
                objects = values.astype(object) if hasattr(values, "astype") else values
                return np.array(objects, dtype=object)
        return array
    except (TypeError, ValueError):
        got = f"a {type(values).__name__} with parts of different lengths"
        raise ValueError(f"{name} must be {expected}; got {got}") from None


def _floats(values, name, expected, copy=True):
    """`values` as an array of floats, of any shape, if floats can hold them."""
    array = _array(values, name, expected)
    if array.dtype.kind == "O":
        found = [exact_float(value, name, expected) for value in array.flat]
        return np.array(found, dtype=float).reshape(array.shape)
    if array.dtype.kind not in "biuf":
        got = KINDS.get(array.dtype.kind, "something else")
        raise ValueError(f"{name} must be {expected}; got {got}")
    return array.astype(float, order="C" if copy else "K", copy=copy)  # a copy is laid row by row


def table(X, name="X", copy=True, finite=True):
    """X as an (n, d) array of finite floats, a row for each example.

    Without `copy`, an array of float64 comes back itself.  ``finite=False`` leaves out the check
    for NaN and infinity.
    """
    X = _floats(X, name, "a table of numbers, a row for each example", copy)
    if X.ndim != 2:
        wanted = "two dimensions, a row for each example"
        raise ValueError(f"{name} must have {wanted}; got shape {X.shape}")
    if X.size == 0:
        wanted = "an example and a feature at least"
        raise ValueError(f"there must be {wanted}; {name} has shape {X.shape}")
    with np.errstate(over="ignore", invalid="ignore"):
        # A finite sum proves that all are; one that is not may only be too large.
        if finite and not np.isfinite(X.sum()):
            bad = np.flatnonzero(~np.isfinite(X).all(axis=1))
            if len(bad):
                raise ValueError(f"{name} must be finite; example {bad[0]} has a NaN or infinity")
    return X


def labels(y, n):
    """y as n labels of -1 or +1."""
    array = _array(y, "y", "a list of labels, each -1 or +1")
    if array.shape != (n,):
        wanted = f"one label for each of the {n} examples"
        raise ValueError(f"y must be {wanted}; got shape {array.shape}")
    if array.dtype.kind in "if" and (np.abs(array) == 1).all():
        return array.astype(np.int64)
    hint = ""
    with suppress(ValueError):  # of what are no numbers; they are shown below
        signs = _floats(array, "y", "numbers")
        if (np.abs(signs) == 1).all():
            return signs.astype(np.int64)
        hint = ": map them by y = 2*y - 1" if set(signs.tolist()) <= {0, 1} else ""
    found = {shown(value): value for value in array.tolist()}
    some = shown([found[text] for text in sorted(found)[:5]])
    raise ValueError(f"labels must be -1 and +1; got {some}{hint}")


def labelled(X, y):
    """Examples: X as a new table and y as its labels."""
    X = table(X)
    return X, labels(y, len(X))


def zeros_and_ones(X):
    """X as a table of booleans."""
    with suppress(ValueError):
        values = _floats(X, "features", "0 and 1")
        if values.ndim == 2 and ((values == 0) | (values == 1)).all():
            return values.astype(bool)
    raise refusal("features", "a table of 0 and 1, a row for each example", X)


def vector(v, d=None, name="u", expected=None):
    """v as d finite floats (as many as there are, if d is not given)."""
    expected = expected or _finite_numbers(d)
    found = _floats(v, name, expected)
    if found.ndim != 1 or not _fits(found, d) or not np.isfinite(found).all():
        raise refusal(name, expected, v)
    return found


def places(v, n, name, expected):
    """v as an array of whole numbers from 0 to n - 1."""
    array = _array(v, name, expected)
    whole = array.ndim == 1 and (array.dtype.kind in "iu" or array.size == 0)
    if not whole or ((array < 0) | (array >= n)).any():
        raise refusal(name, expected, v)
    return array.astype(np.int64)


def several(v, name, expected):
    """A number or a list of numbers, as finite floats."""
    one = not hasattr(v, "__len__") or getattr(v, "shape", None) == ()
    return vector([v] if one else v, None, name, expected)


def fractions(v, d=None, name="u", expected=None):
    """v as a list of d Fractions (as many as there are, if d is not given)."""
    given, expected = v, expected or _finite_numbers(d)
    if isinstance(v, Iterator):
        v = list(v if d is None else islice(v, d + 1))
    elif not isinstance(v, (list, tuple, range)):
        array = _array(v, name, expected)
        v = list(array) if array.ndim == 1 else []
    with suppress(ValueError):
        found = [fraction(value) for value in v]
        if _fits(found, d):
            return found
    raise refusal(name, expected, given)


def _fits(found, d):
    """Whether there are d of them, or any at all."""
    return len(found) > 0 and d in (None, len(found))


def _finite_numbers(d):
    many = "a list of finite numbers" if d is None else count(d, "finite number")
    return many if d is None else f"{many}, one for each feature"


# --- single numbers --------------------------------------------------------------------------


A_NUMBER = 'a finite number, or a text such as "1/3" (without an exponent)'


def fraction(value, name="the value", expected=A_NUMBER, holds=lambda exact: True):
    """A number, or a text such as "1/3" or "0.1", as the Fraction it is; `holds` must be true.

    >>> fraction(0.5), fraction("1/3")
    (Fraction(1, 2), Fraction(1, 3))
    """
    number = plain(value)
    if isinstance(number, np.longdouble) and np.isfinite(number):
        number = Fraction(*number.as_integer_ratio())
    readable = isinstance(number, (int, float, Fraction))
    if isinstance(number, str):  # as a fraction, 1e999999999 would take hours
        readable = len(number) <= 400 and "e" not in number.lower()
    elif isinstance(number, Decimal):
        readable = abs(number.adjusted()) <= 400
    with suppress(ValueError, ArithmeticError):  # of other texts, NaN, infinity and 1/0
        if readable and holds(exact := Fraction(number)):
            return exact
    raise refusal(name, expected, value)


def exact_float(value, name, expected="a finite number"):
    """A number, no text, as the float that is equal to it."""
    if isinstance(value, str):
        raise refusal(name, expected, value)
    exact = fraction(value, name, expected)
    if as_float(exact) != exact:
        what = f"{name} has a number that a float (of 53 bits) cannot hold exactly"
        raise ValueError(f"{what}; got {shown(value)}")
    return float(exact)


def real(value, name, expected, holds):
    """A number as the nearest float, for which `holds` must be true."""
    return as_float(fraction(value, name, expected, lambda exact: holds(as_float(exact))))


def at_least(low, value, name):
    """A number from `low` on, as the Fraction it is."""
    return fraction(value, name, f"a finite number, {low} or more", lambda exact: exact >= low)


def positive(value, name, below=math.inf):
    """A number above 0 (and below `below`), as the Fraction it is."""
    expected = "a finite number above 0" + (f" and below {below}" if below < math.inf else "")
    return fraction(value, name, expected, lambda exact: 0 < exact < below)


def chance(value, name):
    """A number strictly between 0 and 1 as a Fraction; the float 0.1 is the tenth it stands for."""
    expected = "a number strictly between 0 and 1"
    exact, number = fraction(value, name, expected, lambda exact: 0 < exact < 1), plain(value)
    return Fraction(repr(number)) if isinstance(number, float) else exact


def whole(value, name, low=1, high=None, why=""):
    """A whole number, as an int."""
    number = plain(value)
    proper = isinstance(number, int) and not isinstance(number, bool)
    if not proper or not low <= number <= (math.inf if high is None else high):
        span = f", {low} or more" if high is None else f" from {low} to {high:,}{why}"
        raise refusal(name, f"a whole number{span}", value)
    return number


def seed(value):
    """The seed of a random generator, as an int."""
    return whole(value, "seed", 0)


# --- other things ----------------------------------------------------------------------------


def one_of(value, name, options):
    """One of a few texts."""
    if not isinstance(value, str) or value not in options:
        *quoted, last = (f'"{option}"' for option in options)
        raise refusal(name, " or ".join(filter(None, [", ".join(quoted), last])), value)
    return value


def listed(values, name):
    """Things in a list, one at least."""
    found = values.to_numpy() if hasattr(values, "to_numpy") else values
    with suppress(TypeError):  # of what cannot be gone through
        no_list = isinstance(values, (bytes, Mapping, Set, np.ma.MaskedArray))
        if not no_list and (found := list(found)):
            return found
    raise refusal(name, "a list, one entry for each example", values)


def answers(values):
    """Two or more different answers: numbers or texts."""
    expected = "a list of two or more different numbers or texts"
    with suppress(ValueError):
        found = [_answer(value) for value in listed(values, "answers")]
        if len(set(found)) == len(found) > 1:
            return found
    raise refusal("answers", expected, values)


def one_answer(value, known, i):
    """The number in the list `known` of the answer to example i."""
    with suppress(ValueError):
        return known.index(_answer(value))
    some = ", ".join(map(shown, known[:10])) + ", …" * (len(known) > 10)
    raise ValueError(f"y must have answers among {some}; example {i} has {shown(value)}")


def _answer(value):
    value = plain(value)
    if not isinstance(value, (int, float, Fraction, Decimal, np.floating, str)):
        raise ValueError
    return value


def instance(value, kind, name, expected):
    """A thing of a certain kind, such as a `Run`."""
    if not isinstance(value, kind):
        raise refusal(name, expected, value)
    return value
