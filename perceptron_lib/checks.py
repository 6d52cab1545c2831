"""The one door for input: every argument comes in here, or is refused in one sentence.

What a function may be given is wide (lists, arrays, data frames, fractions, texts such as "1/3");
what it works with is narrow (float arrays, labels of -1 and +1, ints, Fractions).  On the way
nothing is rounded: a number that cannot be held exactly is refused.  A refusal is a ValueError that
says what is expected and what was given.

The last part says how numbers are shown, in sentences, tables and pictures.
"""

import math
import warnings
from collections.abc import Iterator
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from itertools import islice

import numpy as np

KINDS = {"U": "texts", "S": "bytes", "c": "complex numbers", "M": "dates", "m": "times"}


def refusal(name, expected, given):
    """The error for an argument that is refused."""
    return ValueError(f"{name} must be {expected}; got {shown(given)}")


# --- arrays ----------------------------------------------------------------------------------


def _array(values, name, expected):
    """`values` as NumPy reads them; as Python objects, if it might have rounded one."""
    parts = (values, *values) if isinstance(values, (list, tuple)) else (values,)
    if any(isinstance(part, np.ma.MaskedArray) for part in parts):
        raise ValueError(f"{name} must have a number everywhere; masked arrays are not taken")
    if any(hasattr(part, "toarray") for part in parts):
        raise ValueError(f"{name} must be a plain array; of a sparse one, toarray() makes one")
    try:
        with warnings.catch_warnings():  # a masked entry becomes a NaN, which is refused later
            warnings.simplefilter("ignore")
            array = np.asarray(values)
        as_it_is = array is values and array.dtype.kind == "f" and array.dtype.itemsize <= 8
        if array.dtype.kind in "iuf" and array.size and not as_it_is:
            largest = max(float(array.max()), -float(array.min()))
            if 2.0**53 <= largest < math.inf or array.dtype.itemsize > 8:
                values = values.astype(object) if hasattr(values, "astype") else values
                return np.array(values, dtype=object)
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
    return array.astype(float, order="C" if copy else "K", copy=copy)


def table(X, name="X", copy=True, finite=True):
    """X as an (n, d) array of finite floats, a row for each example.

    Without `copy`, an array of floats comes back itself; it has only been added up, and not even
    that if the caller sees to it that the numbers are `finite`.
    """
    X = _floats(X, name, "a table of numbers, a row for each example", copy)
    if X.ndim != 2:
        wanted = "two dimensions, a row for each example"
        raise ValueError(f"{name} must have {wanted}; got shape {X.shape}")
    if X.size == 0:
        wanted = "an example and a feature at least"
        raise ValueError(f"there must be {wanted}; {name} has shape {X.shape}")
    with np.errstate(over="ignore", invalid="ignore"):
        if finite and not np.isfinite(X.sum()):  # which is fast, but may be too large itself
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
    hint = ""
    with suppress(ValueError):  # of what are no numbers; they are shown below
        signs = _floats(array, "y", "numbers")
        if (np.abs(signs) == 1).all():
            return signs.astype(np.int64)
        hint = ": map them by y = 2*y - 1" if set(signs.tolist()) <= {0, 1} else ""
    found = {shown(value): value for value in array.tolist()}
    some = shown([found[text] for text in sorted(found)[:5]])
    raise ValueError(f"labels must be -1 and +1; got {'0 and 1' if hint else some}{hint}")


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
    if found.ndim != 1 or len(found) != (d or len(found) or 1) or not np.isfinite(found).all():
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
        if len(found) == (d or len(found) or 1):
            return found
    raise refusal(name, expected, given)


def _finite_numbers(d):
    return "a list of finite numbers" if d is None else f"{d} finite numbers, one for each feature"


# --- single numbers --------------------------------------------------------------------------


def plain(value):
    """A scalar of NumPy as what it is in Python; anything else as it is."""
    numpy = isinstance(value, (np.generic, np.ndarray)) and not isinstance(value, np.ma.MaskedArray)
    return value.item() if numpy and value.ndim == 0 and value.dtype.kind not in "mM" else value


def fraction(
    value, name="the value", expected='a finite number, or a text such as "1/3"', holds=lambda _: 1
):
    """A number, or a text such as "1/3" or "0.1", as the Fraction it is; `holds` must be true.

    >>> fraction(0.5), fraction("1/3")
    (Fraction(1, 2), Fraction(1, 3))
    """
    number = plain(value)
    if isinstance(number, np.longdouble) and np.isfinite(number):
        number = Fraction(*number.as_integer_ratio())
    readable = isinstance(number, (int, float, Fraction))
    if isinstance(number, str):  # 1e999999999 would take hours
        readable = len(number) <= 400 and "e" not in number.lower()
    elif isinstance(number, Decimal):
        readable = abs(number.adjusted()) <= 5000
    with suppress(ValueError, ArithmeticError):  # of other texts, NaN, infinity and 1/0
        if readable and holds(exact := Fraction(number)):
            return exact
    raise refusal(name, expected, value)


def exact_float(value, name, expected="a finite number"):
    """A number, no text, as the float that is equal to it."""
    if isinstance(value, str):
        raise refusal(name, expected, value)
    exact = fraction(value, name, expected)
    if size(exact) != exact:
        raise ValueError(f"{name} has a number that a float (of 53 bits) cannot hold exactly")
    return float(exact)


def real(value, name, expected, holds):
    """A number as the nearest float, for which `holds` must be true."""
    return size(fraction(value, name, expected, lambda exact: holds(size(exact))))


def at_least(low, value, name):
    """A number from `low` on, as the Fraction it is."""
    return fraction(value, name, f"a finite number, {low} or more", lambda exact: exact >= low)


def positive(value, name, below=math.inf):
    """A number above 0 (and below another), as the Fraction it is."""
    expected = "a finite number above 0" + (f" and below {below}" if below < math.inf else "")
    return fraction(value, name, expected, lambda exact: 0 < exact < below)


def chance(value, name):
    """A number strictly between 0 and 1 as a Fraction; 0.1 is the tenth it stands for."""
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


def instance(value, kind, name, expected):
    """A thing of a certain kind, such as a `Run`."""
    if not isinstance(value, kind):
        raise refusal(name, expected, value)
    return value


# --- how things are shown --------------------------------------------------------------------


def shown(value):
    """What was given, for a sentence: on one line, and short."""
    value, kind = plain(value), type(value).__name__
    kind = f"{'an' if kind[0] in 'aeionAEIO' else 'a'} {kind}"  # an ndarray
    if isinstance(getattr(value, "shape", None), tuple) and value.shape:
        return f"{kind} of shape {value.shape}"
    if isinstance(value, (list, tuple, set, dict)) and len(value) > 20:
        return f"{kind} of {len(value):,} entries"
    try:
        text = " ".join(repr(value[:80] if isinstance(value, (str, bytes)) else value).split())
    except ValueError:  # Python writes no whole number of more than 4,300 digits
        return "a very large number"
    return kind if " at 0x" in text else text if len(text) <= 60 else text[:59] + "…"


def count(n, noun):
    """A number of things: "1 pass", "2 passes", "1,000 mistakes"."""
    return f"{n:,} {noun}{'' if n == 1 else 'es' if noun.endswith('s') else 's'}"


def number(value):
    """A number as a person writes it: 3, -0.5, 0.333.

    >>> number(2.0), number(-1 / 3)
    ('2', '−0.333')
    """
    value = size(value) + 0.0  # which makes 0 of -0
    rounded = value.is_integer() or 1000 <= abs(value) < 10**7
    return (f"{value:,.0f}" if rounded else f"{value:.3g}").replace("-", "−")


def numbers(values):
    """A vector as a person writes it.

    >>> numbers([1.0, -0.5])
    '(1, −0.5)'
    """
    return "(" + ", ".join(number(v) for v in values) + ")"


def equals(value):
    """"= 25" or, rounded down, "≈ 902.6"."""
    if abs(value - round(value)) < 1e-6:
        return f"= {round(value):,}"
    return f"≈ {math.floor(10 * value) / 10:,.1f}"


def short(value):
    """An exact number for a table: whole or as a short decimal, marked by ~ if it was rounded.

    >>> short(Fraction(1, 4)), short(Fraction(1, 3))
    ('0.25', '~0.3333')
    """
    roots = getattr(value, "roots", {})  # of a Surd
    value = value if roots else getattr(value, "rational", value)
    if not roots and value == int(value) and abs(value) < 10**7:
        return str(int(value)).replace("-", "−")
    text = f"{size(value):.4g}"
    if "inf" in text:
        digits = 308 if roots else int(math.log10(abs(int(value))))
        text = text.replace("inf", f"1e{digits}")
    exact = not roots and Fraction(text) == value
    return ("" if exact else "~") + text.replace("-", "−")


def size(value):
    """An exact number as a float, infinite if it is too large."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf
