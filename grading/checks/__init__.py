"""The hidden checks: what is right is computed here, in the grader's process and nowhere else.

A module for each assignment has

- `USUAL` and `variant(rng)`: the data of its questions, as they stand or from a seed;
- `functions(data)`: what the values that students' checks only know by digests have to be;
- `questions(seen)`: other questions that are graded by more than students see, `seen` being the
  module that they have.  For the rest, what students have gives the points.

In the cell of a question, the students' `homework` is exchanged for `graded(homework)`: the same
names, but its questions print what the hidden checks say, and return the points.  (The last value
of a cell is what the grader gives, between nothing and the points of the question.)
"""

import functools
import importlib
import json
import sys
import types
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from grading.handout.asked import RIGHT, Question, digest
from perceptron_lib.exercises import Wrong
from perceptron_lib.show import count

SANDBOX = sys.modules.get("grading.sandbox")  # where a submission's answers come from, if any do


def hidden_checks(name):
    """The hidden module of an assignment: "checks.hw1" and "hw1_algorithm_and_proof" name hw1."""
    return importlib.import_module(f"grading.checks.{name.rpartition('.')[2][:3]}")


def graded(homework):
    """The module that students have, with questions that are graded."""
    if isinstance(homework, types.SimpleNamespace):
        return homework  # by an earlier question of the notebook
    hidden = hidden_checks(homework.__name__)
    functions, others = hidden.functions(homework.OUT), hidden.questions(homework)
    names = vars(homework) | others
    for name, question in names.items():
        if name.startswith("question_"):
            parts = [part for seen in question.parts for part in in_the_grade(functions, *seen)]
            names[name] = Graded(*parts, apart=question.apart)
    return types.SimpleNamespace(**names)


def in_the_grade(functions, worth, check):
    """What becomes of a part: a value known by digests is compared, on more cases."""
    function = functions.get(getattr(check, "__name__", None))
    return function.in_place_of(check) if function else [(worth, check)]


class Graded(Question):
    """A question in the grade: the answers are a submission's, and the points are returned."""

    if SANDBOX:
        wrong = Wrong, SANDBOX.SubmissionError
        ends = SANDBOX.Ended  # once more would cost the time for other questions

    def __call__(self, *answers):
        return self.points(*answers)

    def told(self, reason):
        empty = "raised NotImplementedError" in str(reason)
        return "there is no answer here" if empty else str(reason)


def differ(less, more):
    """How a list of numbers differs from the right one, in words for less and for more."""

    def told(mine, right):
        if len(mine) != len(right):
            return f"{count(len(right), 'number')} must be returned, these are {len(mine)}"
        t = next(t for t, (a, b) in enumerate(zip(mine, right, strict=True)) if a != b)
        if abs(mine[t] - right[t]) * 10**9 <= 1 + abs(right[t]):
            return "right up to rounding, but it can be exact: no roots, no floats"
        where = f"number {t} (the first is 0) " if len(right) > 1 else ""
        return where + (less if mine[t] < right[t] else more)

    return told


@dataclass
class Function:
    """What is right of a function, or of another answer.

    A case is a list as JSON has it.  Some are shown to students, others belong to a part of the
    grade.  `slips` gives for a case the values of well-known slips, by what is told of them."""

    right: Callable
    shown: list
    parts: list
    differ: Callable
    slips: Callable = lambda *case: {}

    def digests(self, name, case):
        salt = f"{name} {json.dumps(case)}"
        slips = {digest(salt, value): told for told, value in self.slips(*case).items()}
        return slips | {digest(salt, self.right(*case)): RIGHT}

    def in_place_of(self, tried):
        """The parts of the grade, for one that students have."""
        return [(worth, functools.partial(self.check, tried, cases)) for worth, cases in self.parts]

    def check(self, tried, cases, *answers):
        for case in cases:
            mine, right = tried.value(answers[tried.answer], *case), self.right(*case)
            slip = next((told for told, v in self.slips(*case).items() if v == mine), None)
            if mine != right:
                raise Wrong(f"{tried.found(mine, case)}; {slip or self.differ(mine, right)}")
        return tried.praise(mine, cases)


def handed_out(name, seed=None):
    """What students get of an assignment: the data, and digests of what is right."""
    hidden = hidden_checks(name)
    data = hidden.USUAL if seed is None else hidden.variant(np.random.default_rng(seed))
    shown = {
        name: [[case, function.digests(name, case)] for case in function.shown]
        for name, function in hidden.functions(data).items()
    }
    return {**data, **shown, "seed": seed}


def turned(rng, examples):
    """Examples in the plane, all turned by the same angle and stretched: every run on them, and
    every part of a margin, stays what it was."""
    X, y = examples
    a, b = rng.integers(1, 5), rng.integers(5, 10)
    return [(np.array(X) @ [[a, b], [-b, a]]).tolist(), y]
