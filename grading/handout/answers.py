"""How the checks read an answer: as exact numbers, or not at all, with a sentence that helps."""

import numpy as np

from perceptron_lib import with_bias
from perceptron_lib.checks import fraction, labelled
from perceptron_lib.exercises import Wrong
from perceptron_lib.show import count


def require(holds, otherwise):
    """Go on if `holds`, else raise the sentence `otherwise`."""
    if not holds:
        raise Wrong(otherwise)


def given(*answers):
    require(all(a is not None and a is not Ellipsis for a in answers), "there is no answer here")


def examples(X, y, most=10):
    """X and y as labelled examples, few and small, so that every check is quick."""
    given(X, y)
    try:
        X, y = labelled(X, y)
    except (ValueError, TypeError, ArithmeticError) as error:
        raise Wrong(str(error)) from None
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
        raise Wrong(otherwise) from None
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


def some_of(chosen, n):
    """Different numbers of examples, of which there are n, in their order."""
    chosen = whole_numbers(chosen, None, "the examples kept")
    require(chosen, "at least one example must be kept")
    require(set(chosen) <= set(range(n)), f"examples have numbers from 0 to {n - 1}")
    require(len(set(chosen)) == len(chosen), "an example occurs twice")
    return sorted(chosen)


def value_of(f, *arguments):
    """The value of the student's function."""
    require(callable(f), "a function is asked for")
    try:
        value = f(*arguments)
    except NotImplementedError:
        raise Wrong("there is no answer here") from None
    require(value is not None, "the function returned None; is there a `return`?")
    return value


# --- what two assignments ask for --------------------------------------------------------------


def same_updates(mine, run, standing):
    """The updates that the student's loop returned must be the run's; else the first difference is
    explained, where `standing(w, i)` says how example i stands to the weights w."""
    n, right = len(run.y), run.updates.tolist()
    mine = whole_numbers(mine, None, "the updates")
    proper = all(0 <= i < n for i in mine)
    require(proper, f"the updates must be numbers of examples, from 0 to {n - 1}")
    if mine == right:
        return
    k = [*(a == b for a, b in zip(mine, right, strict=False)), False].index(False)
    w, where = run.weights[k], f"after {count(k, 'right update')}"
    if k == len(right):
        ended = "a whole pass had no mistake" if run.outcome == "converged" else "max_passes ended"
        told = f"{ended}, and yet your run goes on with example {mine[k]}, where"
        raise Wrong(f"{where} {told} {standing(w, mine[k])}")
    last = right[k - 1] if k else -1
    early = k < len(mine) and (mine[k] - last - 1) % n < (right[k] - last - 1) % n
    i, does = (mine[k], "updates on") if early else (right[k], "passes over")
    raise Wrong(f"{where} your run {does} example {i}, where {standing(w, i)}")


def no_hyperplane(X, y, weights):
    """Whole numbers λ >= 0, not all 0, must prove: no hyperplane separates these."""
    weights = whole_numbers(weights, len(y), "λ")
    require(min(weights) >= 0, "a λ is negative")
    require(any(weights), "all λ are zero, which proves nothing")
    whole = with_bias(X).astype(np.int64).astype(object)  # Python's own integers
    total = (np.array(weights, dtype=object) * y) @ whole
    require(total[-1] == 0, "the two classes do not have the same total λ")
    require(not total.any(), "the λ-weighted sums of the two classes differ")
    used = sum(k > 0 for k in weights)
    return f"{count(used, 'example')} prove that no hyperplane separates the two"
