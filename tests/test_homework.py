"""The homework, cut and graded by nbgrader itself: right, empty, wrong and hostile submissions.

The graders work in the background while other tests run (grading.py); the tests here read what
they wrote.  The table of what each submission got is printed at the end.
"""

import json
import os
import re
import shlex
import stat
import subprocess
import sys
import zipfile
from fractions import Fraction
from pathlib import Path

import nbformat
import pytest

from grading.checks import hw1, hw2, hw3
from grading.checks.answers import NotYet
from perceptron_lib import five_points, worst_case
from tests.grading import (
    FIRST,
    FRAME,
    NAMES,
    PIXEL,
    ROOT,
    answers_of,
    assignments,
    command,
    mark,
    points,
    solved,
    with_answers,
    wrong_answers,
)
from tests.homework_answers import WRONG
from tests.hostile import HOSTILE


def said(cell):
    """All that the outputs of a cell say."""
    texts = [out.get("text", "") + "\n".join(out.get("traceback", [])) for out in cell.outputs]
    return "\n".join(texts)


# --- right, empty, wrong -----------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_every_assignment_has_20_points_and_5_to_8_questions(name):
    graded_cells = [mark(cell) for cell in solved(name).cells if mark(cell).get("grade")]
    assert sum(m["points"] for m in graded_cells) == 20
    assert 5 <= len(graded_cells) <= 8
    assert [m["solution"] for m in graded_cells].count(True) == 1, "one is marked by hand"


@pytest.mark.parametrize("name", NAMES)
def test_every_question_has_wrong_answers_and_all_are_handed_in(name):
    handed_in = {(q, code) for k in range(4) for q, (code, _) in wrong_answers(name, k).items()}
    assert sorted(q for q, _ in handed_in) == sorted(3 * list(points(name)))
    assert {len(three) for three in WRONG[name].values()} == {3}


@pytest.mark.parametrize("name", NAMES)
def test_the_solution_gets_full_marks_and_the_starter_nothing(graded, name):
    row, empty = graded["solution", name], graded["starter", name]
    assert {q: float(row[q]) for q in points(name)} == points(name)
    assert float(row["to mark"]) + float(row["score"]) == float(row["of"]) == 20
    assert {float(empty[q]) for q in points(name)} == {0.0}
    assert float(empty["score"]) == 0 and float(empty["to mark"]) == 0


@pytest.mark.parametrize("name", NAMES)
def test_the_starter_has_every_name_and_says_that_answers_are_missing(graded, graders, name):
    for cell in graders.autograded("starter", name).cells:
        if mark(cell).get("locked"):
            assert re.search("there is no answer here|raised NotImplementedError", said(cell))


@pytest.mark.parametrize("k", range(4))
@pytest.mark.parametrize("name", NAMES)
def test_a_wrong_answer_loses_its_question_and_no_other(graded, graders, name, k):
    student, wrong = f"wrong {k}", wrong_answers(name, k)
    got = {q: float(graded[student, name][q]) for q in points(name)}
    assert got == {q: 0 if q in wrong else p for q, p in points(name).items()}
    for cell in graders.autograded(student, name).cells:
        if mark(cell).get("grade_id") in wrong:
            assert wrong[mark(cell)["grade_id"]][1] in said(cell)
            assert "Not yet: " in said(cell) and "Traceback" not in said(cell)


# --- the release -------------------------------------------------------------------------------


@pytest.fixture
def handed_out(name, graded, graders, tmp_path):
    """The folder that a student unpacks."""
    with zipfile.ZipFile(graders.course / "release" / f"{name}.zip") as archive:
        archive.extractall(tmp_path)
    return tmp_path / name


@pytest.mark.parametrize("name", NAMES)
def test_the_release_has_no_solution_and_no_hidden_test(handed_out, name):
    released = nbformat.read(handed_out / f"{name}.ipynb", as_version=4)
    assert not any(cell.get("outputs") for cell in released.cells)
    kept = {line.strip() for cell in released.cells for line in cell.source.splitlines()}
    for cell in solved(name).cells:
        cut = "".join(re.findall(r"### BEGIN .*?### END[^\n]*", cell.source, re.DOTALL))
        if mark(cell).get("grade") and mark(cell)["solution"]:
            cut = cell.source  # the written one
        for line in cut.splitlines():
            assert line.strip() in ("", "X, y, _ = five_points()") or line.strip() not in kept, line


@pytest.mark.parametrize("name", NAMES)
def test_what_is_handed_out_needs_the_library_and_nothing_else(handed_out, tmp_path, name):
    """Filled in, with a file checks.py of the student's beside it, its checks say what they say."""
    files = {str(path.relative_to(handed_out)) for path in handed_out.rglob("*.*")}
    checks = {f"checks/{module}.py" for module in ("__init__", "answers", name[:3])}
    assert files == {f"{name}.ipynb", "README.md"} | checks
    (handed_out / "checks.py").write_text("raise SystemExit('the wrong checks')")
    (tmp_path / "packages").mkdir()
    (tmp_path / "packages" / "perceptron_lib").symlink_to(ROOT / "perceptron_lib")
    answers = {question: cell.source for question, cell in answers_of(solved(name)).items()}
    nb = with_answers(nbformat.read(handed_out / f"{name}.ipynb", as_version=4), answers)
    code = [cell.source for cell in nb.cells if cell.cell_type == "code"]
    code.append("import sys\nassert 'grading' not in sys.modules")
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(code)],
        cwd=handed_out, env=os.environ | {"PYTHONPATH": str(tmp_path / "packages")},
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    told = "".join(said(cell) for cell in solved(name).cells if cell.cell_type == "code")
    assert done.returncode == 0, done.stderr
    assert done.stdout and set(done.stdout.splitlines()) <= set(told.splitlines())


def test_the_collection_for_students_has_no_answers(tmp_path):
    """By the command that the README names: neither solutions nor the answers that tests try."""
    text = (assignments()[FIRST].parent / "README.md").read_text(encoding="utf-8")
    (archive,) = re.findall(r"^    (git archive .*)$", text, flags=re.MULTILINE)
    archive = shlex.split(archive.replace("collection.zip", str(tmp_path / "collection.zip")))
    subprocess.run(archive, cwd=ROOT, check=True)
    with zipfile.ZipFile(tmp_path / "collection.zip") as collection:
        names = collection.namelist()
        told = "\n".join(collection.read(n).decode("utf-8", "replace") for n in names)
    assert "notebooks/01_algorithm.ipynb" in names and "Makefile" in names
    assert not [n for n in names if re.search("homework|^grading|^tests", n)]
    for cell in [cell for name in NAMES for cell in solved(name).cells]:
        for answer in re.findall(r"### BEGIN SOLUTION\n(.*?)### END", cell.source, re.DOTALL):
            assert not all(line.strip() in told for line in answer.splitlines())


# --- hostile and broken submissions --------------------------------------------------------------


@pytest.mark.parametrize("case", [*HOSTILE, *FRAME])
def test_a_hostile_submission_gains_nothing_and_stops_nobody(graded, graders, case):
    assert float(graded[f"hostile {case}", FIRST]["score"]) == 0
    assert not (graders.outside / "written").exists()
    assert float(graded["solution", FIRST]["score"]) == 16, "those after it are graded as usual"


def test_no_process_and_no_file_is_left(graded, graders):
    commands = [command_line(path) for path in Path("/proc").glob("[0-9]*/cmdline")]
    assert not [c for c in commands if b"98765" in c or str(graders.outside).encode() in c]
    assert not stat.S_IMODE(assignments()[FIRST].stat().st_mode) & stat.S_IWOTH


def command_line(path):
    try:
        return path.read_bytes()
    except OSError:  # it has ended
        return b""


@pytest.mark.parametrize(
    ("student", "sentence"),
    [
        ("linked folder", "no ordinary file"),
        ("hostile not JSON", "not a Jupyter notebook"),
        ("hostile JSON, but no notebook", "not a Jupyter notebook"),
        ("hostile 100 MB stored in the file", "the file has 95 MB, and 20 MB are allowed"),
    ],
)
def test_what_cannot_be_graded_is_told_in_a_sentence(graded, graders, student, sentence):
    assert sentence in graded[student, FIRST]["note"]
    if student.startswith("hostile"):
        assert sentence in graders.page(student)


def test_honest_habits_and_names_with_spaces_cost_nothing(graded):
    assert float(graded["Jörg Müller", FIRST]["q1"]) == 3


def test_an_answer_in_two_cells_counts(graded):
    assert float(graded["split", FIRST]["q3"]) == 2


@pytest.mark.parametrize("case", ["tests deleted", "tests edited", "tests doubled"])
def test_the_tests_of_a_spoilt_notebook_are_back(graded, graders, case):
    spoilt, right = graders.autograded(f"hostile {case}"), solved(FIRST)
    spoilt, right = (
        [cell.source for cell in nb.cells if mark(cell).get("locked")] for nb in (spoilt, right)
    )
    assert spoilt == right


@pytest.mark.parametrize(
    ("case", "sentence"),
    [
        ("endless loop", "no answer after 4 seconds"),
        ("endless loop in the function", "no answer after 4 seconds"),
        ("memory bomb", "MemoryError"),
        ("sys.exit", "SystemExit"),
        ("os._exit", "its process ended"),
        ("checks overwritten", "Read-only file system"),
        ("reads the solution", "No such file or directory"),
        ("reads the gradebook", "unable to open database file"),
        ("writes outside", "No such file or directory"),
        ("100 MB of output", "more was printed"),
    ],
)
def test_the_feedback_says_what_became_of_it(graded, graders, case, sentence):
    cells = graders.autograded(f"hostile {case}").cells
    first = [cell for cell in cells if mark(cell).get("grade_id") in ("q1-answer", "q1")]
    assert sentence in "\n".join(map(said, first))


def test_a_submission_for_another_kernel_is_run_as_python(graded, graders):
    assert graders.autograded("hostile wrong kernel").metadata.kernelspec.name == "python3"


def test_the_feedback_shows_the_students_code_and_picture(graded, graders):
    text = re.sub(r"<[^>]+>", "", graders.page("wrong 1"))
    assert "y[i] * (w @ X[i]) &lt; 0" in text
    assert "passes over example 0" in text
    assert float(graded["picture", FIRST]["to mark"]) == 4
    assert PIXEL in graders.page("picture")


def test_the_feedback_runs_no_script_of_the_student(graded, graders):
    page = graders.page("hostile script in the feedback")
    assert "here is my answer" in page
    assert not re.search(r"<script>alert|<[^>]*(onerror|javascript:)", page)


def test_a_progress_line_costs_no_point(tmp_path):
    """nbgrader gives nothing for a test that writes to stderr, so there is none when it grades."""
    setting = json.dumps({"names": [], "sandbox": {}})
    environment = os.environ | {"IPYTHONDIR": str(tmp_path), "SUBMISSION_SANDBOX": setting}
    code = "import sys; print('working', file=sys.stderr)"
    run = [sys.executable, "-m", "IPython", "--colors=NoColor", "--ext=grading.sandbox", "-c", code]
    done = subprocess.run(run, env=environment, capture_output=True, text=True, timeout=60)
    assert done.stdout == "working\n" and done.stderr == ""


def test_an_empty_folder_is_told_what_is_expected(tmp_path):
    done = subprocess.run(command(tmp_path, "grade", str(tmp_path)), capture_output=True, text=True)
    assert done.returncode == 2
    assert f"expected are <student>/{FIRST}.ipynb" in done.stderr


# --- sentences that help -------------------------------------------------------------------------

THIRD = Fraction(1, 3)


def stub(X, y, max_passes):
    raise NotImplementedError()


POINTS, UNIT = five_points()[:2], worst_case(4)[:2]


@pytest.mark.parametrize(
    ("check", "sentence"),
    [
        (lambda: hw1.slowest_order(None), "there is no answer here"),
        (lambda: hw1.slowest_order(7), "must be a list of finite numbers"),
        (lambda: hw1.slowest_order([0.5] * 6), "must be whole numbers"),
        (lambda: hw1.perceptron_updates(3, *POINTS), "a function is asked for"),
        (lambda: hw1.perceptron_updates(lambda *a: None, *POINTS), "is there a `return`?"),
        (lambda: hw1.perceptron_updates(stub, *POINTS), "there is no answer here"),
        (lambda: hw1.perceptron_updates(lambda *a: [9], *POINTS), "from 0 to 4"),
        (lambda: hw1.perceptron_updates(lambda *a: [0], *UNIT), "y w·x = 0 "),
        (lambda: hw2.margin_updates(lambda *a: [], *UNIT, 0.5), "y w·x/‖w‖ = 0 "),
        (lambda: hw1.room_left(lambda *a: [1e-15], *POINTS, [0]), "too small"),
        (lambda: hw1.room_left(lambda *a: [8 + 1e-14], *POINTS, [0]), "up to rounding"),
        (lambda: hw1.growth_with_threshold(lambda *a: "x", 1, 1), "must be a finite number"),
        (lambda: hw1.growth_with_threshold(lambda *a: 9, 1, 1), "a smaller number would do"),
        (lambda: hw1.tight_examples([[1]], [2]), "labels must be -1 and +1"),
        (lambda: hw1.tight_examples([[10**400]], [1]), "cannot hold exactly"),
        (lambda: hw1.slowest_order(map(int, range(6))), "must be a list"),
        (lambda: hw1.iris_separator(["1e9999999"] * 5), "must be a list of finite numbers"),
        (lambda: hw1.tight_examples([[0.5]], [1]), "whole numbers from −1000 to 1000"),
        (lambda: hw3.feature_map(lambda x: x * 60, [[1, 2], [1, 1]]), "100 features"),
        (lambda: hw3.hinge_bound(lambda *a: 1.0 / 3, *POINTS, [THIRD, 1], 1), "too small"),
    ],
)
def test_a_check_says_what_is_not_yet_right(check, sentence):
    with pytest.raises(NotYet, match=re.escape(sentence)):
        check()


def test_roots_of_two_are_welcome_in_a_feature_map():
    def phi(x):
        return [x[0] ** 2, x[1] ** 2, 2**0.5 * x[0] * x[1], x[0], x[1]]

    hw3.feature_map(phi, [[1, 2], [3, -1]])


def test_a_feature_map_must_not_remember():
    last = []

    def phi(x):
        if not last:
            last.append(x)
            return [1]
        z = last.pop()
        inner = x[0] * z[0] + x[1] * z[1]
        return [inner**2 + inner]

    with pytest.raises(NotYet, match="not the same each time"):
        hw3.feature_map(phi, [[1, 2], [3, 1]])


def test_integers_of_numpy_are_as_good_as_others():
    def bound(X, y, u, g):
        X = [[Fraction(v) for v in x] for x in X]
        short = [g - int(s) * (u[0] * x[0] + u[1] * x[1]) for x, s in zip(X, y, strict=True)]
        R2 = max(a * a + b * b for a, b in X)
        total = sum(max(Fraction(0), v) for v in short)
        return R2 * (u[0] ** 2 + u[1] ** 2) / g**2 + 2 * total / g

    hw3.hinge_bound(bound, *POINTS, [THIRD, Fraction(1)], Fraction(2))
