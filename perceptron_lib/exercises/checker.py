"""The verdict on an answer, and hints: what all exercises share.

An answer is checked for what it has to do, not compared with a stored one, so every right answer
passes.  While the answer is still None, the checker says so.
"""

import inspect
import itertools
from collections.abc import Iterator
from functools import wraps

import numpy as np

from perceptron_lib import checks
from perceptron_lib.exact import integers
from perceptron_lib.perceptron import perceptron
from perceptron_lib.separability import Separator, separate

HINTS = {}  # of an exercise, such as "04.2": its two hints
SHOWN = {}  # how many of them have been asked for


class Verdict(str):
    """A sentence that a notebook shows without quotation marks."""

    __repr__ = str.__str__


class Wrong(Exception):
    """What is not yet right about an answer.

    >>> str(Wrong("the answer must be a number"))
    'the answer must be a number'
    """


def checker(exercise, *hints):
    """Turn a check that raises `Wrong` and returns praise into one that gives a verdict on an
    exercise, such as "04.2"; the hints come one at a time."""

    def of(check):
        names, HINTS[exercise] = list(inspect.signature(check).parameters), hints

        @wraps(check)
        def verdict(*answer):
            open_parts = [part is None or part is Ellipsis for part in answer]
            if all(open_parts):
                return Verdict(f'No answer yet. For a hint: exercises.hint("{exercise}")')
            try:
                if any(open_parts):
                    raise Wrong(f"{names[open_parts.index(True)]} is still to be filled in")
                return Verdict(f"✓ Right: {check(*answer)}")
            except (Wrong, ValueError) as reason:
                return Verdict(f"✗ Not yet: {reason}.")
            except ArithmeticError:
                return Verdict("✗ Not yet: these numbers are too large or too small to work with.")

        verdict.exercise = exercise
        return verdict

    return of


def hint(exercise):
    """The next hint for an exercise; after the last one, the first comes again.

    >>> hint("01.1")
    Hint ... of 2: ...
    >>> hint("01.1")
    Hint ... of 2: ...
    """
    if exercise not in HINTS:
        known = ", ".join(sorted(HINTS))
        raise ValueError(f"there is no exercise {exercise!r}; those with hints are {known}")
    many, k = len(HINTS[exercise]), SHOWN.get(exercise, 0)
    SHOWN[exercise] = (k + 1) % many
    more = " (Call it again for the next.)" * (k + 1 < many)
    return Verdict(f"Hint {k + 1} of {many}: {HINTS[exercise][k]}{more}")


# --- what several checkers ask ---------------------------------------------------------------


def require(holds, otherwise):
    """`Wrong`, in the words of `otherwise`, unless it holds."""
    if not holds:
        raise Wrong(otherwise)


def number(value):
    """A number, as the simple fraction that is meant: 10.000000000000002 is 10."""
    try:
        return checks.fraction(value).limit_denominator(10**6)
    except ValueError:
        raise Wrong("the answer must be a number") from None


def whole_list(values, otherwise):
    """A list of ints; `Wrong` if it is something else."""
    values = list(values) if isinstance(values, Iterator) else values
    if isinstance(values, (list, tuple)) and not values:
        return []
    try:
        found = checks.fractions(values)
    except ValueError:
        raise Wrong(otherwise) from None
    texts = any(isinstance(v, str) for v in values)
    require(not texts and all(v.denominator == 1 for v in found), otherwise)
    return [int(v) for v in found]


def separator(X, y, otherwise):
    """The best separator, or `Wrong` if there is none."""
    answer = separate(X, y)
    require(isinstance(answer, Separator), otherwise)
    return answer


def converged(X, y):
    """The run on the examples, or `Wrong` if it does not end within the passes allowed."""
    run = perceptron(X, y)
    require(run.outcome == "converged", "after 1000 passes the run has not converged yet")
    return run


def plane(X, y, most):
    """Examples in the plane, not too many."""
    X, y = checks.labelled(X, y)
    require(X.shape[1] == 2, f"examples in the plane have 2 coordinates, these have {X.shape[1]}")
    require(len(X) <= most, f"at most {most} examples are allowed, these are {len(X)}")
    return X, y


def small(X):
    """`Wrong` unless the coordinates are whole numbers from -5 to 5."""
    whole = (np.rint(X) == X).all() and np.abs(X).max() <= 5
    require(whole, "the coordinates must be whole numbers from −5 to 5")


def different_directions(X, y):
    """`Wrong` unless both labels occur, and all examples lie in different directions from 0."""
    require(len(set(y.tolist())) == 2, "both labels must occur")
    require(X.any(axis=1).all(), "an example at the origin makes it too easy")
    for p, q in itertools.combinations(integers(X)[0].tolist(), 2):
        same = p[0] * q[1] == p[1] * q[0] and p[0] * q[0] + p[1] * q[1] > 0
        require(not same, "two examples in the same direction from the origin make it too easy")
