"""What a question is: parts with points and checks, and values known by their digests only."""

import hashlib
import importlib
import json
from fractions import Fraction
from pathlib import Path

import numpy as np

from perceptron_lib.exercises import Wrong, require
from perceptron_lib.show import count

RIGHT = "right"


def handed_out(module):
    """The data of an assignment: those beside its module or, in a clone, the usual ones."""
    path = Path(module).with_suffix(".json")
    if path.exists():
        return json.loads(path.read_text(encoding="utf-8"))
    return importlib.import_module("grading.checks").handed_out(path.stem)


def points(data):
    """Examples as they are written in that file: their coordinates and their labels."""
    X, y = data
    return np.array(X, dtype=float), np.array(y)


class Question:
    """A question: its parts, each with its points and a check.

    A check gets all the answers, returns a few words if they are right, and raises `Wrong` if they
    are not.  Parts build on one another, so that none is tried after one that is not right, unless
    they stand `apart`."""

    wrong, ends = Wrong, ()

    def __init__(self, *parts, apart=False):
        self.parts, self.apart = parts, apart

    def __call__(self, *answers):
        """Say of each part whether it is right."""
        self.points(*answers)

    def points(self, *answers):
        total = 0
        for worth, check in self.parts:
            try:
                print(f"Right: {check(*answers)}.")
                total += worth
            except self.wrong as reason:
                print(f"Not yet: {self.told(reason)}.")
                if not self.apart or isinstance(reason, self.ends):
                    break
        return total

    def told(self, reason):
        return str(reason)


def each(check, *cases):
    """The check of a function on each of some cases."""
    return lambda f: "; ".join(check(f, *case) for case in cases)


def tried(out, where, answer=0):
    """Make a check of a function `value(f, *case)`, which reads what an answer makes of a case."""
    return lambda value: Tried(out[value.__name__], where, answer, value)


class Tried:
    """One of the answers on small examples, of whose right values there are digests."""

    def __init__(self, cases, where, answer, value):
        self.cases, self.answer, self.value = cases, answer, value
        self.where, self.__name__ = where, value.__name__

    def __call__(self, *answers):
        for case, digests in self.cases:
            mine = self.value(answers[self.answer], *case)
            told = known(mine, digests, f"{self.__name__} {json.dumps(case)}")
            require(told == RIGHT, f"{self.found(mine, case)}; {told}")
        return self.praise(mine, [case for case, _ in self.cases])

    def praise(self, mine, cases):
        return f"on {count(len(cases), 'example')}" if cases[-1] else self.found(mine, [])

    def found(self, mine, case):
        """The values of a case in a sentence, which a terminal may print whatever they are."""
        text = repr(mine[:60]) if isinstance(mine, str) else ", ".join(map(str, mine[:20]))
        return f"{self.where.format(*case)}: {text[:100]}"


def digest(salt, values):
    """A text from which the values cannot be read off; it is slow, so that guessing takes time."""
    text = values if isinstance(values, str) else " ".join(map(str, values))
    text = text.encode(errors="replace")
    return hashlib.pbkdf2_hmac("sha256", text, salt.encode(), 50_000, 12).hex()


def known(values, digests, salt):
    """What is known of these values: that they are right, or a slip that was made, or neither."""
    told = digests.get(digest(salt, values))
    if told is None and not isinstance(values, str):
        simple = digest(salt, [Fraction(v).limit_denominator(10**4) for v in values])
        if digests.get(simple) == RIGHT:
            told = "that is right up to rounding, but it can be exact: no roots, no floats"
    return told or "that is not what is right"
