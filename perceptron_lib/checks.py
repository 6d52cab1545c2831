"""The door: every argument comes in here, or is refused in one sentence.

A name means one thing in the whole library: MEANINGS, below, says what.  A function with ``@door``
may be given lists, arrays or data frames, for u, gamma, eps and the like also texts such as "1/3";
it gets float arrays, ints and Fractions.  What cannot be held exactly is refused, not rounded.
"""

import functools
import inspect
import math
from contextlib import suppress
from fractions import Fraction

import numpy as np

import perceptron_lib as lib
from perceptron_lib.show import as_float, count, plain, refusal, shown


def door(function=None, **own):
    """Have the arguments of a function cleaned by the limits that belong to their names, or, for
    this function alone, by its `own`: ``@door(n=limit(whole, 1, 5000))``.  A limit is a function of
    a value, its name, and a dict of the arguments before it, which are clean; it returns the clean
    value.  A default is cleaned once, here; None stays None."""
    if function is None:
        return functools.partial(door, **own)
    parameters = inspect.signature(function).parameters
    limits = {name: (LIMITS | own)[name] for name in parameters}
    defaults = {name: p.default for name, p in parameters.items() if p.default is not p.empty}
    usual = {k: v if v is None else limits[k](v, k, {}) for k, v in defaults.items()}

    @functools.wraps(function)
    def checked(*args, **named):
        given = dict(zip(limits, args, strict=False)) | named
        if len(given) < len(args) + len(named) or given.keys() | defaults.keys() != limits.keys():
            return function(*args, **named)  # too few or too many: Python has a sentence for that
        for name, limit in limits.items():
            value = given.get(name, defaults.get(name))
            left_out = name in defaults and value is defaults[name]
            given[name] = usual[name] if left_out else limit(value, name, given)
        return function(**given)

    return checked


def limit(check, *more):
    """The limit that is a check of a value and its name (and more), or that it is of a type."""
    if isinstance(check, type):
        return lambda value, name, given: instance(value, check, name, *more)
    return lambda value, name, given: check(value, name, *more)


def _floats(values, name, expected):
    """`values` as an array of floats, of any shape, if floats can hold them."""
    listed = values if isinstance(values, (list, tuple)) else ()
    if any(hasattr(part, "filled") or hasattr(part, "toarray") for part in (values, *listed)):
        raise ValueError(f"{name} must be {expected}; sparse and masked arrays are not taken")
    try:
        array = np.asarray(values)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be {expected}; got parts of different lengths") from None
    if array.dtype.kind in "biuf" and array.dtype.itemsize <= 8:
        floats = array.astype(float, order="C")
        some_whole = array.size and (array is not values or array.dtype.kind != "f")
        if not some_whole or not 2.0**53 <= np.abs(floats).max() < math.inf:  # which may be rounded
            return floats
    exact = [exact_float(v, name, expected) for v in np.array(values, dtype=object).flat]
    return np.array(exact, dtype=float).reshape(array.shape)


def table(X, name="X"):
    """X as a new (n, d) array of finite floats, row by row."""
    X = _floats(X, name, "a table of numbers, a row for each example")
    if X.ndim != 2 or X.size == 0:
        raise ValueError(f"{name} must be a table, a row for each example; got shape {X.shape}")
    if not (good := np.isfinite(X).all(axis=1)).all():
        raise ValueError(f"{name} must be finite; example {good.argmin()} has a NaN or infinity")
    return X


def labels(y, n):
    """y as n labels of -1 or +1."""
    signs = _floats(y, "y", "a list of labels, each -1 or +1")
    if (shape := signs.shape) != (n,):
        raise ValueError(f"y must be one label for each of the {n} examples; got shape {shape}")
    if not (np.abs(signs) == 1).all():
        hint = ": map them by np.where(y == 1, 1, -1)" if set(signs.tolist()) <= {0, 1} else ""
        some = shown(np.unique(np.asarray(y))[:5].tolist())
        raise ValueError(f"labels must be -1 and +1; got {some}{hint}")
    return signs.astype(np.int64)


def fractions(v, d=None, name="u", expected=None):
    """v as a list of d Fractions (as many as there are, if d is not given)."""
    values = v.tolist() if hasattr(v, "tolist") else v
    with suppress(ValueError):
        if isinstance(values, (list, tuple, range)) and len(values) == (d or len(values) or 1):
            return [fraction(value) for value in values]
    many = f"{count(d, 'finite number')}, one for each feature" if d else "a list of finite numbers"
    raise refusal(name, expected or many, v)


def vector(v, d=None, name="u", expected=None):
    """The same as an array of floats, if they can hold it; without d, a number may come alone."""
    v = [v] if d is None and np.isscalar(plain(v)) else v
    return np.array([exact_float(exact, name) for exact in fractions(v, d, name, expected)])


def places(v, n, name, expected):
    """v as an array of whole numbers from 0 to n - 1."""
    with suppress(ValueError):  # of ragged lists
        array = np.asarray(v)
        whole = array.ndim == 1 and (array.dtype.kind in "iu" or array.size == 0)
        if whole and not hasattr(v, "filled") and ((array >= 0) & (array < n)).all():  # not masked
            return array.astype(np.int64)
    raise refusal(name, expected, v)


def fraction(value, name="the value", expected=None, holds=lambda exact: True):
    """A number, or a text such as "1/3" or "0.1", as the Fraction it is; `holds` must be true."""
    number = plain(value)
    readable = isinstance(number, (int, float, Fraction)) and not isinstance(number, bool)
    if isinstance(number, str):  # as a fraction, 1e999999999 would take hours
        readable = len(number) <= 400 and "e" not in number.lower()
    with suppress(ValueError, ArithmeticError):  # of other texts, NaN, infinity and 1/0
        if readable and holds(exact := Fraction(number)):
            return exact
    usual = 'a finite number, or a text such as "1/3" (without an exponent)'
    raise refusal(name, expected or usual, value)


def exact_float(value, name, expected="a finite number"):
    """A number, no text, as the float that is equal to it."""
    exact = fraction(value, name, expected, lambda _: not isinstance(value, str))
    if as_float(exact) != exact:
        raise ValueError(f"{name} has a number that floats cannot hold exactly; got {shown(value)}")
    return float(exact)


def chance(value, name):
    """A number strictly between 0 and 1 as a Fraction; the float 0.1 is the tenth it stands for."""
    exact = fraction(value, name, "a number strictly between 0 and 1", lambda exact: 0 < exact < 1)
    return Fraction(repr(plain(value))) if isinstance(plain(value), float) else exact


def whole(value, name, low=1, high=math.inf, why=""):
    """A whole number, as an int."""
    number = plain(value)
    if not isinstance(number, int) or isinstance(number, bool) or not low <= number <= high:
        span = f", {low} or more" if high == math.inf else f" from {low} to {high:,}{why}"
        raise refusal(name, f"a whole number{span}", value)
    return number


def one_of(value, name, options):
    """One of a few texts."""
    if not isinstance(value, str) or value not in options:
        *others, last = (f'"{option}"' for option in options)
        raise refusal(name, f"{', '.join(others)} or {last}" if others else last, value)
    return value


def instance(value, kind, name, expected):
    """A thing of a certain kind, such as a `Run`."""
    if not isinstance(value, kind):
        raise refusal(name, expected, value)
    return value


def _order(order, name, given):
    n, is_generator = len(given["y"]), isinstance(order, np.random.Generator)
    expected = f"None, a permutation of 0 … {n - 1}, or a NumPy random generator"
    if not is_generator and sorted(places(order, n, name, expected).tolist()) != [*range(n)]:
        raise refusal(name, expected, order)
    return order if is_generator else np.array(order, dtype=np.int64)


def _features(given):  # of the examples that came before
    return (given["X"] if "X" in given else given["run"].X).shape[1]


MEANINGS = {  # what every argument with one of these names is
    "X K A B weights points scores moves": limit(table),
    "y": lambda y, _, given: labels(y, len(given["X"] if "X" in given else given["K"])),
    "u v": lambda u, name, given: fractions(u, _features(given), name),
    "start": lambda w, name, given: vector(w, _features(given), name),
    "c": lambda c, name, _: vector(c, None, name, "a number or vector other than 0"),
    "b": limit(fraction, "a finite number"),
    "gamma gamma2 gamma_u g c2": limit(fraction, "a finite number above 0", lambda v: v > 0),
    "R2 u2 total squares": limit(fraction, "a finite number, 0 or more", lambda v: v >= 0),
    "M size": limit(fraction, "a finite number, 1 or more", lambda v: v >= 1),
    "eps delta": limit(chance),
    "k max_passes max_updates dimension": limit(whole),
    "seed": limit(whole, 0),
    "tie": limit(one_of, ("mistake", "negative", "positive")),
    "order": _order,
    "run": lambda v, name, _: instance(v, lib.Run, name, "a Run, as perceptron(X, y) returns"),
    "self cls ax figure names title finished held_out log wide flipped paths": lambda v, *_: v,
}
LIMITS = {name: limit for names, limit in MEANINGS.items() for name in names.split()}
