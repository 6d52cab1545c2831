"""Nothing that students get answers a question: each function and each value in it is tried.

The archive for students is made and opened.  Every function of its Python files and notebooks is
handed to the hidden checks as an answer, as it is and by the parts of what it returns; so is every
value.  What the library teaches may be used, and is listed with the reason.
"""

import ast
import contextlib
import importlib
import inspect
import pkgutil
import re
import signal
import types

import nbformat
import numpy as np
import pytest

import perceptron_lib
from grading.course import assignments
from perceptron_lib.exercises import Wrong
from tests.handed_out import SHORT, archive, load, points, run, signatures

TAUGHT = "the algorithm of the lessons; the question says to write it, and the code shows who did"
ALLOWED = {
    ("hw1", "question_1", "perceptron_lib.perceptron.perceptron"): TAUGHT,
    ("hw1", "question_1", "perceptron_lib.exercises.converged_run"): "it calls perceptron",
    ("hw1", "question_1", "A_every_claim_checked.my_loop"): TAUGHT,
    ("hw2", "question_1", "perceptron_lib.perceptron.margin_perceptron"): TAUGHT,
    ("hw3", "question_1", "perceptron_lib.lessons.kernels.kernel_perceptron"): TAUGHT,
}
POINTS = ["six_points", "eight_points", "sample", "seven_points", "twelve_points"]
PARTS = ["updates", "alpha", "w", "weights", "certificate", "margin", "mistakes"]
DRAWS = ("plot", "widget", "fast", "progress")
QUESTIONS = [
    (short, question)
    for short, name in SHORT.items()
    for question in signatures(assignments()[name])
]


@pytest.fixture(scope="module")
def students(tmp_path_factory):
    """What a student unpacks."""
    return archive(tmp_path_factory.mktemp("students"))[1]


@pytest.fixture(scope="module")
def homeworks(students):
    """The modules that students have, by assignment."""
    return {
        short: load(students / "notebooks" / name / "checks", f"from_archive_{short}")
        for short, name in SHORT.items()
    }


@pytest.fixture(scope="module")
def right(homeworks):
    """The answers of the solved notebooks, by assignment and name."""
    return {short: run(assignments()[SHORT[short]], homeworks[short])[0] for short in SHORT}


# --- what is in it -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def everything(students, homeworks):
    """Every value and every function, by name: of the library, of the checks, of notebooks."""
    library = pkgutil.walk_packages(perceptron_lib.__path__, "perceptron_lib.")
    modules = [m.name for m in library if not any(word in m.name for word in DRAWS)]
    for homework in homeworks.values():
        modules += [
            homework.__name__,
            *(f"{homework.__package__}.{m}" for m in ("answers", "asked")),
        ]
    found = dict(from_notebooks(students))
    for module in map(importlib.import_module, modules):
        for name, value in vars(module).items():
            if not name.startswith("__") and not isinstance(value, types.ModuleType):
                found[f"{getattr(value, '__module__', module.__name__)}.{name}"] = value
                if isinstance(value, dict):
                    found |= {f"{module.__name__}.{name}[{key}]": v for key, v in value.items()}
    return found


def from_notebooks(students):
    """The functions that notebooks define, and the lists that they write down."""
    for path in sorted(students.rglob("*.ipynb")):
        names = {"np": np} | vars(perceptron_lib)
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.cell_type == "code":
                for node in ast.walk(ast.parse(cell.source)):
                    if isinstance(node, (ast.Import, ast.ImportFrom)):
                        if getattr(node, "module", None) != "checks":  # which is known by itself
                            exec(ast.unparse(node), names)
                    elif isinstance(node, ast.FunctionDef):
                        try:
                            exec(ast.unparse(node), names)
                        except NameError:  # a default that the notebook computes
                            node.args.defaults = [ast.Constant(None)] * len(node.args.defaults)
                            exec(ast.unparse(node), names)
                        yield f"{path.stem}.{node.name}", names[node.name]
                    elif isinstance(node, (ast.List, ast.Tuple)):
                        with contextlib.suppress(ValueError, TypeError):
                            yield f"{path.stem}: {ast.unparse(node)}", ast.literal_eval(node)


# --- how it is tried -----------------------------------------------------------------------------


def patient(f, seconds=1):
    """The same function; it is wrong if it fails or takes its time."""

    def too_long(*_):
        raise TimeoutError

    def call(*arguments, **options):
        signal.signal(signal.SIGALRM, too_long)
        signal.setitimer(signal.ITIMER_REAL, seconds)
        try:
            return f(*arguments, **options)
        except BaseException as error:
            raise Wrong(type(error).__name__) from None
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)

    return call


WAYS = [
    lambda f, arguments: f(*arguments),
    lambda f, arguments: f(*arguments[:2]),
    lambda f, arguments: f(*arguments[:2], max_passes=arguments[2]),
]


def as_answers(f):
    """A function as an answer: called in a few ways, and whole or a part of what it returns."""
    for way in WAYS:
        known = {}

        def value(*arguments, way=way, known=known):
            key = repr(arguments)
            if key not in known:
                try:
                    known[key] = way(patient(f), arguments)
                except (Wrong, IndexError):
                    known[key] = None
            return known[key]

        yield value
        if any(found is not None for found in known.values()):
            for part in PARTS:
                yield lambda *arguments, part=part, value=value: getattr(
                    value(*arguments), part, None
                )


def values(found, data):
    """The values themselves, what functions return on nothing or on the data, and their parts."""
    for name, value in found.items():
        returned = [value]
        if inspect.isfunction(value):
            returned = []
            for arguments in [(), *data] if name.startswith("from_archive") else [()]:
                with contextlib.suppress(TypeError, Wrong):
                    inspect.signature(value).bind(*arguments)
                    returned.append(patient(value)(*arguments))
        for one in returned:
            yield name, one
            if isinstance(one, (tuple, list)):
                yield from ((name, part) for part in one[:10])


def gives_points(homework, question, names, right, found):
    """The names of whatever gives points for a question."""
    passing, empty = set(), [None] * len(names)

    def attempt(what, *answers):
        if what not in passing and points(homework, question, *answers) > 0:
            passing.add(what)

    for slot, name in enumerate(names):
        if callable(right[name]):
            for what, f in found.items():
                if callable(f) and not inspect.isclass(f):
                    for answer in as_answers(f):
                        attempt(what, *empty[:slot], answer, *empty[slot + 1 :])
        else:
            data = [homework.OUT[key] for key in POINTS if key in homework.OUT]
            for what, value in values(found, data):
                attempt(what, *empty[:slot], value, *empty[slot + 1 :])
                if slot == 0 and isinstance(value, (tuple, list)) and len(value) >= len(names):
                    attempt(what, *value[: len(names)])
    return passing


# --- nothing answers -----------------------------------------------------------------------------


@pytest.mark.parametrize(("short", "question"), QUESTIONS)
def test_nothing_that_students_get_answers(homeworks, right, everything, short, question):
    names = signatures(assignments()[SHORT[short]])[question]
    passing = gives_points(homeworks[short], question, names, right[short], everything)
    assert passing == {what for s, q, what in ALLOWED if (s, q) == (short, question)}


@pytest.mark.parametrize(("short", "question"), QUESTIONS)
def test_an_answer_among_them_is_found(homeworks, right, short, question):
    names = signatures(assignments()[SHORT[short]])[question]
    planted = {name: right[short][name] for name in names}
    if not callable(planted[names[0]]):
        planted = {"planted": right[short][names[0]]}
        if len(names) > 1 and question != "question_7":
            planted = {"planted": [right[short][name] for name in names]}
    assert gives_points(homeworks[short], question, names, right[short], planted) == set(planted)


def test_a_renamed_helper_that_returns_an_answer_on_the_data_is_found(homeworks, right):
    def helper(X, y):
        return right["hw1"]["order"] if len(y) == 6 else None

    planted = {"from_archive_hw1.helper": helper}
    found = gives_points(homeworks["hw1"], "question_3", ["order"], right["hw1"], planted)
    assert found == set(planted)


def test_the_digests_are_no_text_that_says_a_value(homeworks):
    for homework in homeworks.values():
        names = [v.__name__ for v in vars(homework).values() if hasattr(v, "cases")]
        digests = [digest for name in names for _, known in homework.OUT[name] for digest in known]
        assert digests and all(re.fullmatch("[0-9a-f]{24}", digest) for digest in digests)
