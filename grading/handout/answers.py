"""How the checks read an answer: as exact numbers, or not at all, with a sentence that helps."""

import functools
import hashlib
import json
from pathlib import Path

import numpy as np

from perceptron_lib.checks import fraction, labelled
from perceptron_lib.exercises import Wrong
from perceptron_lib.show import count


class NotYet(Wrong):
    """What is not yet right about an answer."""


def require(holds, otherwise):
    """Go on if `holds`, else raise the sentence `otherwise`."""
    if not holds:
        raise NotYet(otherwise)


def question(*parts):
    """Make a check of the parts of a question, which prints a line for each: right, or not yet.

    A single part gets all the answers; of several, each gets its own."""

    def check(*answers):
        shared = [(parts[0], *answers)] if len(parts) == 1 else zip(parts, answers, strict=True)
        for part, *given in shared:
            try:
                print(f"Right: {part(*given)}.")
            except NotYet as reason:
                print(f"Not yet: {reason}.")

    check.parts = parts
    return check


def handed_out(module):
    """The data of an assignment, which lie beside its module."""
    return json.loads(Path(module).with_suffix(".json").read_text(encoding="utf-8"))


def points(data):
    """Examples as they are written in that file: their coordinates and their labels."""
    X, y = data
    return np.array(X, dtype=float), np.array(y)


# --- data --------------------------------------------------------------------------------------


def given(*answers):
    require(all(a is not None and a is not Ellipsis for a in answers), "there is no answer here")


def examples(X, y, most=10):
    """X and y as labelled examples, few and small, so that every check is quick."""
    given(X, y)
    try:
        X, y = labelled(X, y)
    except (ValueError, TypeError, ArithmeticError) as error:
        raise NotYet(str(error)) from None
    require(len(X) <= most, f"at most {most} examples are allowed, these are {len(X)}")
    require(X.shape[1] <= 10, f"at most 10 coordinates are allowed, these are {X.shape[1]}")
    small = (np.rint(X) == X).all() and np.abs(X).max() <= 1000
    require(small, "the coordinates must be whole numbers from −1000 to 1000")
    return X, y


def number(value, what):
    """One number as an exact fraction."""
    given(value)
    return _exact([value], what, f"{what} must be a finite number")[0]


def numbers(values, what):
    """A list of numbers as exact fractions."""
    given(values)
    told = f"{what} must be a list of finite numbers"
    require(isinstance(values, (list, tuple, range, set, frozenset, np.ndarray)), told)
    return _exact(values, what, told)


def _exact(values, what, otherwise):
    try:
        values = list(values)
        require(not any(isinstance(v, str) for v in values), otherwise)
        values = [fraction(v) for v in values]
    except (TypeError, ValueError):
        raise NotYet(otherwise) from None
    require(all(abs(v) < 10**15 for v in values), f"{what} must be below 10¹⁵")
    fine = all(v.denominator < 2**1100 for v in values)  # as the smallest floats are
    require(fine, f"{what} must be written with fewer digits")
    return values


def whole_numbers(values, length, what):
    """A list of that many whole numbers (of any length, if it is None)."""
    values = numbers(values, what)
    right = length is None or len(values) == length
    require(right, f"{what} must be {length} numbers, these are {len(values)}")
    whole = all(v.denominator == 1 for v in values)
    require(whole, f"{what} must be whole numbers (multiply them if need be)")
    return [int(v) for v in values]


def example_numbers(values, n):
    """A list of updates: numbers of examples, of which there are n."""
    values = whole_numbers(values, None, "the updates")
    proper = all(0 <= k < n for k in values)
    require(proper, f"the updates must be numbers of examples, from 0 to {n - 1}")
    return values


def no_hyperplane(X, y, weights):
    """Whole numbers λ must prove: no hyperplane through 0 separates these (bias column last)."""
    weights = whole_numbers(weights, len(y), "λ")
    require(min(weights) >= 0, "a λ is negative")
    require(any(weights), "all λ are zero, which proves nothing")
    total = (np.array(weights, dtype=object) * y) @ X.astype(np.int64).astype(object)
    require(total[-1] == 0, "the two classes do not have the same total λ")
    require(not total.any(), "the λ-weighted sums of the two classes differ")
    used = sum(k > 0 for k in weights)
    return f"{count(used, 'example')} prove that no hyperplane separates the two"


# --- functions ---------------------------------------------------------------------------------


def value_of(f, *arguments):
    """The value of the student's function."""
    require(callable(f), "a function is asked for")
    try:
        value = f(*arguments)
    except NotImplementedError:
        raise NotYet("there is no answer here") from None
    require(value is not None, "the function returned None; is there a `return`?")
    return value


def digest(salt, values):
    """A text from which the values cannot be read, and, slow as it is, hardly be guessed."""
    text = values if isinstance(values, str) else " ".join(map(str, values))
    return hashlib.pbkdf2_hmac("sha256", text.encode(), salt.encode(), 50_000, 12).hex()


def rounded(values):
    return values if isinstance(values, str) else [f"{float(v):.6g}" for v in values]


def known(values, secret, where):
    """Go on if these values are the right ones, of which only digests are known here.

    There is one for each beginning of a list, to say where it goes wrong, and one for each of a
    few slips, to say which it is."""
    found = functools.partial(digest, secret["salt"])
    if found(values) == secret["right"]:
        return where
    require(found(values) not in secret["slips"], f"{where}, {secret['slips'].get(found(values))}")
    near = found(rounded(values)) == secret["rounded"]
    require(not near, f"{where}, right up to rounding, but it can be exact: no roots, no floats")
    begins = secret["begins"]
    require(begins and not isinstance(values, str), f"{where}, this is not what is right")
    differ = (k for k, right in enumerate(begins) if found(values[: k + 1]) != right)
    k = next(differ, len(begins))
    told = f"number {k} (the first is 0) is another one"
    if k == len(values):
        told = "right so far, but more must follow"
    elif k == len(begins):
        told = "right up to there, but then nothing must follow"
    raise NotYet(f"{where}, {told}")
