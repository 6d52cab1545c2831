"""The hidden checks: what is right is computed here, in the grader's process and nowhere else.

A module for each assignment has

- `USUAL` and `variant(rng)`: the data of its questions, as they stand or from a seed;
- `words(data)`: what the notebook says of the data, so that the text follows them;
- `secrets()`: the right values on the small examples that students see, of which digests go out;
- `question_1`, …: generators of the parts of a question, each with its points.  What is sent back
  is whether the part was right.  Certificates need no hidden check: there what students have gives
  the points, the same for each part.

In the cell of a question, the students' `homework` is exchanged for `graded(homework)`: the same
names, but its questions print what the hidden checks say, and return the points.  (The last value
of a cell is what nbgrader gives, between nothing and the points of the question.)
"""

import functools
import importlib
import types

from grading.handout.answers import digest, rounded
from perceptron_lib.exercises import Wrong

try:
    from grading.sandbox import Ended, SubmissionError
except ImportError:  # on a system where no submission can be graded, a solved notebook still runs

    class Ended(Exception):
        pass

    SubmissionError = Ended


def graded(homework):
    """The module that students have, with questions that are graded."""
    if isinstance(homework, types.SimpleNamespace):
        return homework  # by an earlier question of the notebook
    hidden = vars(hidden_checks(homework.__name__))
    questions = {}
    for name, _, most, by_hand in homework.OUT["questions"]:
        if not by_hand:
            name = name.replace("q", "question_")
            certificate = functools.partial(_certificate, name, most)
            questions[name] = _question(homework, hidden.get(name, certificate))
    return types.SimpleNamespace(**vars(homework) | questions)


def _certificate(name, most, homework, *answers):
    parts = getattr(homework, name).parts
    if len(parts) == 1:
        yield most, lambda: [parts[0](*answers)]
    else:
        for part, answer in zip(parts, answers, strict=True):
            yield most / len(parts), lambda part=part, answer=answer: [part(answer)]


def hidden_checks(name):
    """The hidden module of an assignment: "checks.hw1" and "hw1_algorithm_and_proof" name hw1."""
    return importlib.import_module(f"grading.checks.{name.rpartition('.')[2][:3]}")


def _question(homework, parts):
    def check(*answers):
        points, going, right = 0, parts(homework, *answers), None
        while True:
            try:
                worth, part = going.send(right)
                for sentence in part():
                    print(f"Right: {sentence}.")
                points, right = points + worth, True
            except StopIteration:
                return points
            except (Wrong, SubmissionError) as reason:
                empty = "raised NotImplementedError" in str(reason)
                print(f"Not yet: {'there is no answer here' if empty else reason}.")
                right = False
                if isinstance(reason, Ended):  # once more would cost the time for other questions
                    return points

    return check


def each(check, answer, cases):
    """A part of a question: the check of an answer on each of some cases."""
    return lambda: [check(answer, *case) for case in cases]


def secret(salt, values, slips=None):
    """Digests of the right values: of all of them, of each beginning, and of known slips."""
    several = not isinstance(values, str) and len(values) > 1
    return {
        "salt": salt,
        "right": digest(salt, values),
        "rounded": digest(salt, rounded(values)),
        "begins": [digest(salt, values[: k + 1]) for k in range(len(values))] if several else [],
        "slips": {digest(salt, slip): told for told, slip in (slips or {}).items()},
    }


def handed_out(name, seed=None):
    """What students get of an assignment: the data, and digests of what is right."""
    import numpy as np

    hidden = hidden_checks(name)
    data = hidden.USUAL if seed is None else hidden.variant(np.random.default_rng(seed))
    salted = {
        key: secret(f"{name[:3]} {key} {seed}", *right) for key, right in hidden.secrets(data)
    }
    return {**data, **salted, "seed": seed}
