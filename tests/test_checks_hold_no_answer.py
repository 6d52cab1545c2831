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
import zipfile

import nbformat
import numpy as np
import pytest

import perceptron_lib
from grading.cage import ROOT
from grading.course import Course, assignments
from grading.release import release, student_archive
from perceptron_lib.exercises import Wrong
from tests.handed_out import SHORT, load, points, run, signatures

TAUGHT = "the algorithm of the lessons; the question says to write it, and the code shows who did"
ALLOWED = {
    ("hw1", "question_1", "perceptron_lib.perceptron.perceptron"): TAUGHT,
    ("hw1", "question_1", "perceptron_lib.exercises._converged"): "it calls perceptron",
    ("hw2", "question_1", "perceptron_lib.perceptron.margin_perceptron"): TAUGHT,
    ("hw3", "question_1", "perceptron_lib.kernels.kernel_perceptron"): TAUGHT,
}
POINTS = ["six_points", "eight_points", "seven_points"]
PARTS = ["updates", "alpha", "w", "weights", "certificate", "margin", "mistakes"]


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    """What a student unpacks."""
    folder = tmp_path_factory.mktemp("students")
    course = Course(folder / "course")
    release(course)
    with zipfile.ZipFile(student_archive(course, folder / "students.zip")) as made:
        made.extractall(folder)
    return folder / "students"


@pytest.fixture(scope="module")
def homeworks(archive):
    """The modules that students have, by assignment."""
    return {
        short: load(archive / "notebooks" / name / "checks", f"from_archive_{short}")
        for short, name in SHORT.items()
    }


# --- what is in it -------------------------------------------------------------------------------


def modules(archive, homeworks):
    """The modules of the archive that do not draw: the library's, and those beside notebooks."""
    for _, name, _ in pkgutil.walk_packages(perceptron_lib.__path__, "perceptron_lib."):
        if not any(word in name for word in ("plot", "widget", "fast", "progress")):
            yield importlib.import_module(name)
    for homework in homeworks.values():
        yield homework
        yield importlib.import_module(homework.__package__ + ".answers")


def from_notebooks(archive):
    """The functions that notebooks define, and the lists that they write down."""
    for path in sorted((archive / "notebooks").rglob("*.ipynb")):
        names = {"np": np} | vars(perceptron_lib)
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.cell_type == "code":
                for node in ast.walk(ast.parse(cell.source)):
                    if isinstance(node, ast.FunctionDef):
                        exec(ast.unparse(node), names)
                        yield f"{path.stem}.{node.name}", names[node.name]
                    elif isinstance(node, (ast.List, ast.Tuple)):
                        with contextlib.suppress(ValueError, TypeError):
                            yield f"{path.stem}: {ast.unparse(node)}", ast.literal_eval(node)


def everything(archive, homeworks):
    """Every value and every function, by name."""
    found = dict(from_notebooks(archive))
    for module in modules(archive, homeworks):
        for name, value in vars(module).items():
            if not name.startswith("__") and not isinstance(value, types.ModuleType):
                found[f"{getattr(value, '__module__', module.__name__)}.{name}"] = value
                if isinstance(value, dict):
                    found |= {f"{module.__name__}.{name}[{key}]": v for key, v in value.items()}
    return found


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
            calls = [(), *data] if name.startswith("from_archive") else [()]
            returned = []
            for arguments in calls:
                try:
                    inspect.signature(value).bind(*arguments)
                    returned.append(patient(value)(*arguments))
                except (TypeError, Wrong):
                    pass
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

QUESTIONS = [
    (short, question)
    for short, name in SHORT.items()
    for question in signatures(assignments()[name])
]


@pytest.fixture(scope="module")
def right(homeworks):
    """The answers of the solved notebooks, by assignment and name."""
    return {short: run(assignments()[SHORT[short]], homeworks[short])[0] for short in SHORT}


@pytest.mark.parametrize(("short", "question"), QUESTIONS)
def test_nothing_that_students_get_answers(archive, homeworks, right, short, question):
    found = everything(archive, homeworks)
    names = signatures(assignments()[SHORT[short]])[question]
    passing = gives_points(homeworks[short], question, names, right[short], found)
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

    found = gives_points(
        homeworks["hw1"], "question_3", ["order"], right["hw1"], {"from_archive_hw1.helper": helper}
    )
    assert found == {"from_archive_hw1.helper"}


def test_the_archive_has_the_collection_and_no_solutions_tests_or_grader(archive):
    names = {path.relative_to(archive).as_posix() for path in archive.rglob("*") if path.is_file()}
    assert {"Makefile", "README.md", "notebooks/01_algorithm.ipynb"} <= names
    assert {f"notebooks/{name}/{name}.ipynb" for name in SHORT.values()} <= names
    assert not [n for n in names if n.startswith(("grading", "tests", "notebooks/homework"))]
    assert not [n for n in names if n.endswith("conftest.py") or "__pycache__" in n]
    for name in names:
        if name.startswith("perceptron_lib/"):  # which the tests here import from the clone
            assert (archive / name).read_bytes() == (ROOT / name).read_bytes()


@pytest.mark.parametrize("name", SHORT.values())
def test_a_released_notebook_has_no_output_and_nothing_hidden(archive, name):
    released = nbformat.read(archive / "notebooks" / name / f"{name}.ipynb", as_version=4)
    assert not any(cell.get("outputs") for cell in released.cells)
    text = nbformat.writes(released)
    assert "BEGIN" not in text and "grading" not in text.replace("nbgrader", "")
    assert released.metadata.homework == {"assignment": name, "seed": None}


def test_the_digests_are_no_text_that_says_a_value(homeworks):
    for homework in homeworks.values():
        secrets = [v for v in homework.OUT.values() if isinstance(v, dict)]
        assert secrets and all({"salt", "right"} <= set(v) for v in secrets)
        told = [d for v in secrets for d in (v["right"], v["rounded"], *v["begins"], *v["slips"])]
        assert all(re.fullmatch("[0-9a-f]{24}", d) for d in told)
    assert homeworks["hw2"].OUT["q7"]["begins"] == [], "number by number, they could be guessed"
