"""The verdict on an answer, and hints: what all exercises share.

An answer is checked for what it has to do, not compared with a stored one, so every right answer
passes.  While the answer is still None, the checker says so.

`exercises.hint("04.2")` gives a hint for exercise 2 of lesson 4, and then another.
"""

import inspect
import itertools
from functools import wraps
from importlib import import_module

import numpy as np

from perceptron_lib import checks, lessons
from perceptron_lib.exact import integers
from perceptron_lib.perceptron import perceptron
from perceptron_lib.separability import Separator, separate

HINTS = {}  # of an exercise, such as "04.2": its two hints
HINTS_GIVEN = {}  # how many of them have been asked for


class Verdict(str):
    """A sentence that a notebook shows without quotation marks."""

    __repr__ = str.__str__


class Wrong(Exception):
    """What is not yet right about an answer; nothing, if there is no answer yet."""


def checker(exercise, *hints):
    """Turn a check that raises `Wrong` and returns praise into one that gives a verdict on an
    exercise, such as "04.2"; the hints come one at a time."""

    def of(check):
        names, HINTS[exercise] = list(inspect.signature(check).parameters), hints

        @wraps(check)
        def verdict(*answer):
            open_parts = [part is None or part is Ellipsis for part in answer]
            nothing = Verdict(f'No answer yet. For a hint: exercises.hint("{exercise}")')
            if all(open_parts):
                return nothing
            try:
                if any(open_parts):
                    raise Wrong(f"{names[open_parts.index(True)]} is still to be filled in")
                return Verdict(f"✓ Right: {check(*answer)}")
            except (Wrong, ValueError) as reason:
                return Verdict(f"✗ Not yet: {reason}.") if str(reason) else nothing
            except ArithmeticError:
                return Verdict("✗ Not yet: these numbers are too large or too small to work with.")
            except Exception as error:  # of a function that was handed in
                return Verdict(f"✗ Not yet: it ended in a {type(error).__name__}, «{error}».")

        verdict.exercise = exercise
        return verdict

    return of


def hint(exercise):
    """The next hint for an exercise; after the last one, the first comes again.

    >>> hint("01.1")
    Hint ... of 2: ...
    """
    for room in lessons.ROOMS if exercise not in list(HINTS) else ():
        import_module(f"perceptron_lib.lessons.{room}")  # which brings its hints
    checks.one_of(exercise, "the exercise", sorted(HINTS))
    many, k = len(HINTS[exercise]), HINTS_GIVEN.get(exercise, 0)
    HINTS_GIVEN[exercise] = (k + 1) % many
    more = " (Call it again for the next.)" * (k + 1 < many)
    return Verdict(f"Hint {k + 1} of {many}: {HINTS[exercise][k]}{more}")


# --- what several checkers ask --------------------------------------------------------------------


def require(holds, otherwise):
    """`Wrong`, in the words of `otherwise`, unless it holds."""
    if not holds:
        raise Wrong(otherwise)


def exact_number(value):
    """A number, as the simple fraction that is meant: 10.000000000000002 is 10."""
    try:
        return checks.fraction(value).limit_denominator(10**6)
    except ValueError:
        raise Wrong("the answer must be a number") from None


def whole_list(values, otherwise):
    """A list of ints; `Wrong` if it is something else."""
    exact = _fractions(values, otherwise)
    require(all(v.denominator == 1 for v in exact), otherwise)
    return [int(v) for v in exact]


def _fractions(values, otherwise):
    """Numbers, no texts, as exact fractions."""
    try:
        require(not any(isinstance(v, str) for v in values), otherwise)
        return [checks.fraction(v) for v in values]
    except (TypeError, ValueError):
        raise Wrong(otherwise) from None


def best_separator(X, y, otherwise):
    """The best separator, or `Wrong` if there is none."""
    answer = separate(X, y)
    require(isinstance(answer, Separator), otherwise)
    return answer


def converged_run(X, y):
    """The run on the examples, or `Wrong` if it does not end within the passes allowed."""
    run = perceptron(X, y)
    require(run.outcome == "converged", "after 1000 passes the run has not converged yet")
    return run


@checks.door(most=checks.limit(checks.whole))
def few_points(X, y, most):
    """Examples in the plane, not too many."""
    require(X.shape[1] == 2, f"examples in the plane have 2 coordinates, these have {X.shape[1]}")
    require(len(X) <= most, f"at most {most} examples are allowed, these are {len(X)}")
    return X, y


def small_coordinates(X, most=5):
    """`Wrong` unless a table has whole numbers from -most to most."""
    whole = (np.rint(X) == X).all() and np.abs(X).max() <= most
    require(whole, f"whole numbers from −{most} to {most} are asked for")


def different_directions(X, y):
    """`Wrong` unless both labels occur, and all examples lie in different directions from 0."""
    require(len(set(y.tolist())) == 2, "both labels must occur")
    require(X.any(axis=1).all(), "an example at the origin makes it too easy")
    for p, q in itertools.combinations(integers(X)[0].tolist(), 2):
        same = p[0] * q[1] == p[1] * q[0] and p[0] * q[0] + p[1] * q[1] > 0
        require(not same, "two examples in the same direction from the origin make it too easy")


# --- answers by their names, from anybody's program: homework reads them like this ----------------


def filled_in(*answers):
    """`Wrong` if one of the answers is still open."""
    require(not any(a is None or a is Ellipsis for a in answers), "there is no answer here")


def read_number(value, name):
    """One number as an exact fraction."""
    filled_in(value)
    return _moderate([value], name, f"{name} must be a finite number")[0]


def read_numbers(values, name):
    """A list of numbers as exact fractions."""
    filled_in(values)
    otherwise = f"{name} must be a list of finite numbers"
    require(isinstance(values, (list, tuple, range, set, frozenset, np.ndarray)), otherwise)
    return _moderate(values, name, otherwise)


def _moderate(values, name, otherwise):
    """Numbers neither so large nor so fine that arithmetic would take its time."""
    exact = _fractions(values, otherwise)
    require(all(abs(v) < 10**15 for v in exact), f"{name} must be below 10¹⁵")
    fine = all(v.denominator < 2**1100 for v in exact)  # as the smallest floats are
    require(fine, f"{name} must be written with fewer digits")
    return exact


def read_whole_numbers(values, length, name):
    """A list of that many whole numbers (of any length, if it is None)."""
    values, wanted = read_numbers(values, name), f"{name} must be {length} numbers"
    require(length in (None, len(values)), f"{wanted}, these are {len(values)}")
    return whole_list(values, f"{name} must be whole numbers (multiply them if need be)")


def read_examples(X, y, most=10):
    """X and y as labelled examples, few and small, so that every check is quick."""
    filled_in(X, y)
    try:
        X = checks.table(X)
        y = checks.labels(y, len(X))
    except (ValueError, TypeError, ArithmeticError) as error:
        raise Wrong(str(error)) from None
    require(len(X) <= most, f"at most {most} examples are allowed, these are {len(X)}")
    require(X.shape[1] <= 10, f"at most 10 coordinates are allowed, these are {X.shape[1]}")
    small_coordinates(X, 1000)
    return X, y


def value_of(f, *arguments):
    """The value of the student's function."""
    require(callable(f), "a function is asked for")
    try:
        value = f(*arguments)
    except NotImplementedError:
        raise Wrong("there is no answer here") from None
    require(value is not None, "the function returned None; is there a `return`?")
    return value
