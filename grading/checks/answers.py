"""How the checks read an answer: as exact numbers, or not at all, with a sentence that helps.

An answer is a certificate wherever possible: a separator, an order, a data set.  A check tests
what it does, in exact arithmetic, so every right answer passes and none is written down here.
Functions are tried on examples; the grade tries them on more of them than the student sees.
"""

import numpy as np

from perceptron_lib.checks import fraction, labelled
from perceptron_lib.exercises import Verdict, Wrong
from perceptron_lib.show import count


class NotYet(Wrong):
    """What is not yet right about an answer; a notebook shows the sentence and no traceback."""

    def _render_traceback_(self):
        return [f"Not yet: {self}."]


def require(holds, otherwise):
    """Go on if `holds`, else raise the sentence `otherwise`."""
    if not holds:
        raise NotYet(otherwise)


def given(*answers):
    require(all(a is not None and a is not Ellipsis for a in answers), "there is no answer here")


# --- data --------------------------------------------------------------------------------------


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
    return _exact([value], f"{what} must be a finite number")[0]


def numbers(values, what):
    """A list of numbers as exact fractions."""
    given(values)
    told = f"{what} must be a list of finite numbers"
    require(isinstance(values, (list, tuple, range, set, frozenset, np.ndarray)), told)
    return _exact(values, told)


def _exact(values, otherwise):
    try:
        values = list(values)
        require(not any(isinstance(v, str) for v in values), otherwise)
        return [fraction(v) for v in values]
    except (TypeError, ValueError):
        raise NotYet(otherwise) from None


def whole_numbers(values, length, what):
    """A list of that many whole numbers."""
    values = numbers(values, what)
    require(len(values) == length, f"{what} must be {length} numbers, these are {len(values)}")
    whole = all(v.denominator == 1 for v in values)
    require(whole, f"{what} must be whole numbers (multiply them if need be)")
    require(all(abs(v) < 10**15 for v in values), f"{what} must be below 10¹⁵")
    return [int(v) for v in values]


def exactly(mine, right, otherwise):
    """Go on if two numbers are equal, and tell rounding from other reasons if they are not."""
    near = abs(mine - right) * 10**9 <= 1 + abs(right)
    rounding = "right up to rounding, but it can be exact: use whole numbers or fractions only"
    require(mine == right, f"{rounding} (no roots, no floats)" if near else otherwise)


def no_hyperplane(X, y, weights):
    """Whole numbers λ must prove: no hyperplane through 0 separates these (bias column last)."""
    weights = whole_numbers(weights, len(y), "λ")
    require(min(weights) >= 0, "a λ is negative")
    require(any(weights), "all λ are zero, which proves nothing")
    total = (np.array(weights, dtype=object) * y) @ X.astype(np.int64).astype(object)
    require(total[-1] == 0, "the two classes do not have the same total λ")
    require(not total.any(), "the λ-weighted sums of the two classes differ")
    used = sum(k > 0 for k in weights)
    return Verdict(f"Right: {used} examples prove that no hyperplane separates the two.")


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


def same_updates(mine, run, standing):
    """The updates that the student's loop returned must be the run's; else the first difference is
    explained, where `standing(w, i)` says how example i stands to the weights w."""
    n, right = len(run.y), run.updates.tolist()
    mine = numbers(mine, "the updates")
    proper = all(u.denominator == 1 and 0 <= u < n for u in mine)
    require(proper, f"the updates must be numbers of examples, from 0 to {n - 1}")
    if mine == right:
        return
    mine = [int(u) for u in mine]
    k = [*(a == b for a, b in zip(mine, right, strict=False)), False].index(False)
    w, where = run.weights[k], f"after {count(k, 'right update')}"
    if k == len(right):
        ended = "a whole pass had no mistake" if run.outcome == "converged" else "max_passes ended"
        raise NotYet(
            f"{where} {ended}, and yet your run goes on with example {mine[k]}, "
            f"where {standing(w, mine[k])}"
        )
    last = right[k - 1] if k else -1
    if k < len(mine) and (mine[k] - last - 1) % n < (right[k] - last - 1) % n:
        i, what = mine[k], "your run updates on"
    else:
        i, what = right[k], "your run passes over"
    raise NotYet(f"{where} {what} example {i}, where {standing(w, i)}")
