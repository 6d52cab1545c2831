"""The one door for input: every argument comes in here, or is refused in one sentence.

What a function may be given is wide (lists, arrays, data frames, fractions, texts such as "1/3");
what it works with is narrow (float arrays, labels of -1 and +1, ints, Fractions).  On the way
nothing is rounded: a number that cannot be held exactly is refused.  A refusal is a ValueError that
says what is expected and what was given.

The second half says how numbers are shown, in sentences, tables and pictures.
"""

import decimal
import math
from fractions import Fraction

import numpy as np


def refusal(name, expected, given):
    """The error for an argument that is refused."""
    return ValueError(f"{name} must be {expected}; got {shown(given)}")


def _plain(values, name):
    """`values` as NumPy reads them, not rounded; sparse, masked and ragged ones are refused."""
    rows = values if isinstance(values, (list, tuple)) else ()
    if any(isinstance(part, np.ma.MaskedArray) for part in (values, *rows)):
        raise ValueError(f"{name} must have a number everywhere; masked arrays are not taken")
    if hasattr(values, "toarray"):
        raise ValueError(f"{name} must be a plain array, not a sparse one; use {name}.toarray()")
    try:
        array = np.asarray(values)
        mixed = array.dtype.kind == "f" and not isinstance(values, np.ndarray)
        if mixed and np.abs(array).max(initial=0) >= 2.0**53:
            array = np.array(values, dtype=object)  # NumPy may have rounded whole numbers in it
        return array
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name} must be numbers in rows of one length") from None


def _floats(array, name, copy):
    """A plain array as floats, if these can hold its numbers exactly."""
    kind = array.dtype.kind
    if kind not in "biufO":
        what = {"U": "texts", "S": "texts", "c": "complex numbers", "M": "dates", "m": "times"}
        raise ValueError(f"{name} must hold numbers; got {what.get(kind, 'something else')}")
    try:
        with np.errstate(over="ignore", under="ignore"):
            found = array.astype(float, order="C" if copy else "K", copy=copy)
        if kind == "O":
            plain = [v.item() if isinstance(v, np.generic) else v for v in array.flat]
            if any(isinstance(v, (str, bytes)) for v in plain):
                raise TypeError
            held = all(v == x or x != x for v, x in zip(plain, found.ravel().tolist(), strict=True))
        elif kind in "iu" and array.size and np.abs(found).max() >= 2.0**53:
            held = bool((array.astype(object) == found.astype(object)).all())
        else:  # of floats, a long double may be longer
            held = array.dtype.itemsize <= 8 or bool(((array == found) | np.isnan(array)).all())
    except OverflowError:
        held = False
    except (TypeError, ValueError):
        raise ValueError(f"{name} must hold numbers only") from None
    if not held:
        raise ValueError(f"{name} has a number that a float (of 53 bits) cannot hold exactly")
    return found


def table(X, name="X", copy=True, finite=True):
    """X as an (n, d) array of finite floats (if that is asked for), a row for each example."""
    X = _floats(_plain(X, name), name, copy)
    if X.ndim != 2:
        raise ValueError(
            f"{name} must have two dimensions, a row for each example; got shape {X.shape}"
        )
    if 0 in X.shape:
        raise ValueError(
            f"there must be an example and a feature at least; {name} has shape {X.shape}"
        )
    with np.errstate(over="ignore", invalid="ignore"):
        if finite and not np.isfinite(X.sum()):  # which is fast, but may be too large itself
            bad = np.flatnonzero(~np.isfinite(X).all(axis=1))
            if len(bad):
                raise ValueError(f"{name} must be finite; example {bad[0]} has a NaN or infinity")
    return X


def labels(y, n):
    """y as n labels of -1 or +1."""
    given, y = y, _plain(y, "y")
    if y.shape != (n,):
        raise ValueError(f"y must be one label for each of the {n} examples; got shape {y.shape}")
    if y.dtype.kind in "if" and (np.abs(y) == 1).all():
        return y.astype(np.int64)
    found = set(y.tolist()) if y.dtype.kind in "biuO" and _hashable(y) else {given is None}
    if found <= {-1, 1} and y.dtype.kind != "b":
        return np.where(y == 1, 1, -1).astype(np.int64)
    if found <= {0, 1} and y.dtype.kind != "O":
        raise ValueError("labels must be -1 and +1, got 0 and 1: map them by y = 2*y - 1")
    some = shown(sorted(set(map(shown, y.tolist())))[:5]).replace("'", "")
    raise ValueError(f"labels must be -1 and +1; got {some}")


def _hashable(array):
    return all(isinstance(v, (int, float, Fraction, np.generic)) for v in array.tolist())


def labelled(X, y):
    """Examples: X as a new table and y as its labels."""
    X = table(X)
    return X, labels(y, len(X))


def vector(v, d=None, name="u"):
    """v as d finite floats (as many as there are, if d is not given)."""
    return np.array([_float(value, name) for value in fractions(v, d, name)])


def _float(exact, name):
    try:
        nearest = float(exact)
    except OverflowError:
        nearest = math.inf
    if nearest != exact:
        raise ValueError(f"{name} has a number that a float (of 53 bits) cannot hold exactly")
    return nearest


def fractions(v, d=None, name="u"):
    """v as a list of d Fractions (as many as there are, if d is not given)."""
    some = "a list of finite numbers" if d is None else f"{d} finite numbers, one for each feature"
    if not isinstance(v, (list, tuple, range)):
        array = _plain(v, name)
        if array.ndim != 1:
            raise refusal(name, some, v)
        v = array.tolist()
    try:
        found = [fraction(value) for value in v]
    except ValueError:
        found = []
    if not found or (d is not None and len(found) != d):
        raise refusal(name, some, v)
    return found


def fraction(value, name="the value", expected='a finite number, or a text such as "1/3"'):
    """A number, or a text such as "1/3" or "0.1", as the Fraction it is.

    >>> fraction(0.5), fraction("1/3")
    (Fraction(1, 2), Fraction(1, 3))
    """
    given = value
    try:
        if isinstance(value, (np.generic, np.ndarray)) and not np.ma.isMaskedArray(value):
            value = value.item()
        if isinstance(value, str):  # 1e999999999 would take hours
            readable = len(value) <= 400 and "e" not in value.lower()
        else:
            readable = not isinstance(value, decimal.Decimal) or abs(value.adjusted()) <= 5000
        if readable and isinstance(value, (str, int, float, Fraction, decimal.Decimal)):
            return Fraction(value)
    except (TypeError, ValueError, ArithmeticError):
        pass
    raise refusal(name, expected, given)


def positive(value, name, below=math.inf):
    """A number above 0 (and below another), as the Fraction it is."""
    upper = f" and below {below}" if below < math.inf else ""
    expected = f"a finite number above 0{upper}"
    exact = fraction(value, name, expected)
    if not 0 < exact < below:
        raise refusal(name, expected, value)
    return exact


def chance(value, name):
    """A number strictly between 0 and 1 as a Fraction; 0.1 is the tenth it stands for."""
    decimal_text = str(float(value)) if isinstance(value, (float, np.floating)) else value
    expected = "strictly between 0 and 1"
    if decimal_text in ("nan", "inf", "-inf"):
        raise refusal(name, expected, value)
    if isinstance(value, (float, np.floating)):
        exact = Fraction(decimal_text)
    else:
        exact = fraction(value, name, expected)
    if not 0 < exact < 1:
        raise refusal(name, expected, value)
    return exact


def real(value, name, expected, holds):
    """A number as the nearest float, for which `holds` must be true."""
    try:
        nearest = float(fraction(value))
    except (ValueError, OverflowError):
        nearest = math.nan
    if not holds(nearest):
        raise refusal(name, expected, value)
    return nearest


def whole(value, name, low=1, high=None, why=""):
    """A whole number, as an int."""
    number_given = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not number_given or value < low or (high is not None and value > high):
        span = f", {low} or more" if high is None else f" from {low} to {high}{why}"
        raise refusal(name, f"a whole number{span}", value)
    return int(value)


def seed(value):
    """The seed of a random generator, as an int."""
    return whole(value, "seed", 0)


def one_of(value, name, options):
    """One of a few texts."""
    if not isinstance(value, str) or value not in options:
        raise refusal(name, " or ".join(f'"{option}"' for option in options), value)
    return value


def instance(value, kind, name, expected):
    """A thing of a certain kind, such as a `Run`."""
    if not isinstance(value, kind):
        raise refusal(name, expected, value)
    return value


def zeros_and_ones(X):
    """X as a table of booleans."""
    expected = "features must be a table of 0 and 1, a row for each example"
    array = _plain(X, "features")
    if array.ndim != 2 or array.dtype.kind not in "biufO":
        raise ValueError(expected)
    if not all(v in (0, 1) for v in array.ravel().tolist() if not isinstance(v, complex)):
        raise ValueError(expected)
    return array.astype(bool)


# --- how things are shown --------------------------------------------------------------------


def shown(value):
    """What was given, for a sentence: on one line, and short."""
    if getattr(value, "shape", None):
        return f"a {type(value).__name__} of shape {value.shape}"
    if isinstance(value, (list, tuple, set, dict)) and len(value) > 20:
        return f"a {type(value).__name__} of {len(value):,} entries"
    try:
        text = " ".join(repr(value[:80] if isinstance(value, (str, bytes)) else value).split())
    except ValueError:  # Python writes no whole number of more than 4,300 digits
        text = "a very large number"
    except Exception:
        text = f"a {type(value).__name__}"
    if " at 0x" in text:
        text = f"a {type(value).__name__}"
    return text if len(text) <= 60 else text[:59] + "…"


def count(n, noun):
    """A number of things: "1 pass", "2 passes", "1,000 mistakes"."""
    return f"{n:,} {noun}{'' if n == 1 else 'es' if noun.endswith('s') else 's'}"


def number(value):
    """A number as a person writes it: 3, -0.5, 0.333.

    >>> number(2.0), number(-1 / 3)
    ('2', '−0.333')
    """
    value = float(value)
    rounded = value == int(value) or 1000 <= abs(value) < 10**7
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
    if getattr(value, "roots", None) == {}:  # a Surd without roots
        value = value.rational
    exact = not hasattr(value, "roots")
    if exact and value == int(value) and abs(value) < 10**7:
        return str(int(value)).replace("-", "−")
    text = f"{size(value):.4g}"
    if "inf" in text:
        digits = len(str(int(abs(value)))) - 1 if exact else 308
        text = f"{text.replace('inf', '')}1e{digits}"
    rounded = not exact or Fraction(text) != value
    return ("~" if rounded else "") + text.replace("-", "−")


def size(value):
    """An exact number as a float, infinite if it is too large."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf
