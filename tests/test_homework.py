"""The homework, cut and graded by nbgrader itself: right, empty, wrong and hostile submissions.

The grader works in the background while other tests run (conftest.py); the tests here read what it
wrote, and come last.  The table of what each submission got is printed at the end.
"""

import ast
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

from perceptron_lib import five_points, homework, worst_case
from tests.grading import (
    FIRST,
    FRAME,
    HOMEWORK,
    NAMES,
    PIXEL,
    command,
    mark,
    points,
    solved,
    wrong_answers,
)
from tests.homework_answers import HOSTILE, WRONG


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
    assert set(points(name)) == set(WRONG[name])
    assert [m["solution"] for m in graded_cells].count(True) == 1, "one is marked by hand"


@pytest.mark.parametrize("name", NAMES)
def test_the_solution_gets_full_marks(graded, name):
    row = graded["solution", name]
    assert {q: float(row[q]) for q in points(name)} == points(name)
    assert float(row["to mark"]) + float(row["score"]) == float(row["of"]) == 20


@pytest.mark.parametrize("name", NAMES)
def test_the_starter_gets_nothing(graded, name):
    row = graded["starter", name]
    assert {float(row[q]) for q in points(name)} == {0.0}
    assert float(row["score"]) == 0 and float(row["to mark"]) == 0


@pytest.mark.parametrize("k", range(4))
@pytest.mark.parametrize("name", NAMES)
def test_a_wrong_answer_loses_its_question_and_no_other(graded, grading, name, k):
    student, wrong = f"wrong {k}", wrong_answers(name, k)
    got = {q: float(graded[student, name][q]) for q in points(name)}
    assert got == {q: 0 if q in wrong else p for q, p in points(name).items()}
    for cell in grading.autograded(student, name).cells:
        if mark(cell).get("grade_id") in wrong:
            sentence = wrong[mark(cell)["grade_id"]][1]
            assert sentence in said(cell)
            assert "Not yet: " in said(cell) and "Traceback" not in said(cell)


@pytest.mark.parametrize("name", NAMES)
def test_every_wrong_answer_is_handed_in(name):
    handed_in = [answer for k in range(4) for answer in wrong_answers(name, k).values()]
    assert sorted(handed_in) == sorted(answer for three in WRONG[name].values() for answer in three)


# --- the release -------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def released(graded, grading):
    folder = grading.folder / "release"
    return {name: nbformat.read(folder / name / f"{name}.ipynb", as_version=4) for name in NAMES}


@pytest.mark.parametrize("name", NAMES)
def test_no_solution_is_left_in_the_release(released, name):
    text = "\n".join(cell.source for cell in released[name].cells)
    assert "BEGIN" not in text and "HIDDEN" not in text
    kept = {line.strip() for line in text.splitlines()}
    for cell in solved(name).cells:
        regions = re.findall(r"### BEGIN (?:\w+ )*\n?(.*?)### END", cell.source, re.DOTALL)
        for line in "\n".join(regions).splitlines():
            said_elsewhere = {"SOLUTION", "HIDDEN TESTS", "X, y, _ = five_points()", ""}
            assert line.strip() in said_elsewhere or line.strip() not in kept, line
        if mark(cell).get("grade") and mark(cell)["solution"]:
            assert cell.source not in text
    assert not any(cell.get("outputs") for cell in released[name].cells)


@pytest.mark.parametrize("name", NAMES)
def test_a_stub_raises_and_has_the_names_and_signatures_of_the_solution(released, name):
    for cell, stub in zip(solved(name).cells, released[name].cells, strict=True):
        if mark(cell).get("solution") and cell.cell_type == "code":
            assert "raise NotImplementedError()" in stub.source
            assert signatures(stub.source) == signatures(cell.source, first_level_helpers=False)


def signatures(source, first_level_helpers=True):
    """What a cell defines before its solution begins: names, and functions with arguments."""
    if not first_level_helpers:
        source = re.sub(r"^### BEGIN SOLUTION.*?^### END SOLUTION", "", source, flags=re.S | re.M)
    found = {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef):
            found[node.name] = ast.unparse(node.args), ast.get_docstring(node)
        elif isinstance(node, ast.Assign):
            names = [n.id for target in node.targets for n in ast.walk(target)
                     if isinstance(n, ast.Name)]  # fmt: skip
            found |= dict.fromkeys(names)
    assert found
    return found


@pytest.mark.parametrize("name", NAMES)
def test_a_folder_to_hand_out_has_the_notebook_and_a_word_to_the_student(graded, grading, name):
    archive = grading.folder / "release" / f"{name}.zip"
    files = zipfile.ZipFile(archive).namelist()
    assert {f"{name}/{name}.ipynb", f"{name}/README.md"} <= set(files)


def test_the_collection_for_students_has_no_answers(tmp_path):
    """By the command that the README names: neither solutions nor the answers that tests try."""
    text = (HOMEWORK / "README.md").read_text()
    (archive,) = re.findall(r"^    (git archive .*)$", text, flags=re.MULTILINE)
    archive = shlex.split(archive.replace("collection.zip", str(tmp_path / "collection.zip")))
    subprocess.run(archive, cwd=HOMEWORK.parent.parent, check=True)
    with zipfile.ZipFile(tmp_path / "collection.zip") as collection:
        names = collection.namelist()
        told = "\n".join(collection.read(n).decode("utf-8", "replace") for n in names)
    assert "notebooks/01_algorithm.ipynb" in names and "Makefile" in names
    assert not [n for n in names if "homework" in n and n != "perceptron_lib/homework.py"]
    for assignment in NAMES:
        for cell in nbformat.read(HOMEWORK / f"{assignment}.ipynb", 4).cells:
            for answer in re.findall(r"### BEGIN SOLUTION\n(.*?)### END", cell.source, re.DOTALL):
                assert not all(line.strip() in told for line in answer.splitlines())


# --- hostile and broken submissions --------------------------------------------------------------


@pytest.mark.parametrize("case", [*HOSTILE, *FRAME])
def test_a_hostile_submission_gains_nothing_and_stops_nobody(graded, grading, case):
    assert float(graded[f"hostile {case}", FIRST]["score"]) == 0
    assert not (grading.handed_in.parent / "written").exists()
    assert float(graded["solution", FIRST]["score"]) == 16, "those after it are graded as usual"


def test_no_process_and_no_file_is_left(graded, grading):
    commands = [command_line(path) for path in Path("/proc").glob("[0-9]*/cmdline")]
    assert not [c for c in commands if b"98765" in c or str(grading.folder).encode() in c]
    assert not stat.S_IMODE((HOMEWORK / f"{FIRST}.ipynb").stat().st_mode) & stat.S_IWOTH


def command_line(path):
    try:
        return path.read_bytes()
    except OSError:  # it has ended
        return b""


def test_a_link_to_the_solution_is_no_submission(graded):
    assert "no ordinary file" in graded["linked folder", FIRST]["note"]


def test_a_name_that_is_a_pattern_is_refused(graded):
    assert "rename it" in graded["st[ar]*", FIRST]["note"]


def test_a_picture_in_a_written_answer_is_shown(graded, grading):
    assert float(graded["picture", FIRST]["to mark"]) == 4
    assert PIXEL in grading.page("picture", FIRST)


def test_an_answer_in_two_cells_counts(graded):
    assert float(graded["split", FIRST]["q3"]) == 2


def test_the_tests_of_a_spoilt_notebook_are_back(graded, grading):
    for case in ("tests deleted", "tests edited", "tests doubled"):
        cells = grading.autograded(f"hostile {case}", FIRST).cells
        tests = [cell for cell in cells if mark(cell).get("locked")]
        assert [cell.source for cell in tests] == [
            cell.source for cell in solved(FIRST).cells if mark(cell).get("locked")
        ]


@pytest.mark.parametrize(
    ("case", "sentence"),
    [
        ("endless loop", "no answer after 4 seconds"),
        ("endless loop in the function", "no answer after 4 seconds"),
        ("memory bomb", "MemoryError"),
        ("sys.exit", "SystemExit"),
        ("os._exit", "its process ended"),
        ("reads the solution", "Permission denied"),
        ("reads the gradebook", "unable to open database file"),
        ("writes outside", "Permission denied"),
        ("100 MB of output", "more was printed"),
    ],
)
def test_the_feedback_says_what_became_of_it(graded, grading, case, sentence):
    cells = grading.autograded(f"hostile {case}", FIRST).cells
    first = [cell for cell in cells if mark(cell).get("grade_id") in ("q1-answer", "q1")]
    assert sentence in "\n".join(map(said, first))


@pytest.mark.parametrize(
    ("case", "sentence"),
    [
        ("not JSON", "not a Jupyter notebook"),
        ("JSON, but no notebook", "not a Jupyter notebook"),
        ("100 MB stored in the file", "the file has 95 MB, and 20 MB are allowed"),
    ],
)
def test_a_file_that_cannot_be_graded_is_told_in_a_sentence(graded, grading, case, sentence):
    assert sentence in graded[f"hostile {case}", FIRST]["note"]
    assert sentence in grading.page(f"hostile {case}", FIRST)


def test_a_submission_for_another_kernel_is_run_as_python(graded, grading):
    nb = grading.autograded("hostile wrong kernel", FIRST)
    assert nb.metadata.kernelspec.name == "python3"


def test_the_feedback_shows_the_students_own_code(graded, grading):
    text = re.sub(r"<[^>]+>", "", grading.page("wrong 1", FIRST))
    assert "y[i] * (w @ X[i]) &lt; 0" in text
    assert "passes over example 0" in text


def test_the_feedback_runs_no_script_of_the_student(graded, grading):
    page = grading.page("hostile script in the feedback", FIRST)
    assert "here is my answer" in page
    assert not re.search(r"<script>alert|<[^>]*(onerror|javascript:)", page)


def test_a_progress_line_costs_no_point(graded, grading):
    """nbgrader gives nothing for a test that writes to stderr, so there is none when it grades."""
    setting = {"names": [], "sandbox": {"readable": []}}
    environment = os.environ | {
        "IPYTHONDIR": str(grading.folder / "ipython"),
        "SUBMISSION_SANDBOX": json.dumps(setting),
    }
    code = "import sys; print('working', file=sys.stderr)"
    run = [sys.executable, "-m", "IPython", "--colors=NoColor", "-c", code]
    done = subprocess.run(run, env=environment, capture_output=True, text=True, timeout=60)
    assert done.stdout == "working\n" and done.stderr == ""


# --- sentences that help -------------------------------------------------------------------------

THIRD = Fraction(1, 3)


def stub(X, y, max_passes):
    raise NotImplementedError()


POINTS, UNIT = five_points()[:2], worst_case(4)[:2]


@pytest.mark.parametrize(
    ("check", "sentence"),
    [
        (lambda: homework.slowest_order(None), "there is no answer here"),
        (lambda: homework.slowest_order(7), "must be a list of finite numbers"),
        (lambda: homework.slowest_order([0.5] * 6), "must be whole numbers"),
        (lambda: homework.perceptron_updates(3, *POINTS), "a function is asked for"),
        (lambda: homework.perceptron_updates(lambda *a: None, *POINTS), "is there a `return`?"),
        (lambda: homework.perceptron_updates(stub, *POINTS), "there is no answer here"),
        (lambda: homework.perceptron_updates(lambda *a: [9], *POINTS), "from 0 to 4"),
        (lambda: homework.perceptron_updates(lambda *a: [0], *UNIT), "y w·x = 0 "),
        (lambda: homework.margin_updates(lambda *a: [], *UNIT, 0.5), "y w·x/‖w‖ = 0 "),
        (lambda: homework.room_left(lambda *a: [1e-15], *POINTS, [0]), "too small"),
        (lambda: homework.room_left(lambda *a: [8 + 1e-14], *POINTS, [0]), "up to rounding"),
        (lambda: homework.growth_with_threshold(lambda *a: "x", 1, 1), "must be a finite number"),
        (lambda: homework.growth_with_threshold(lambda *a: 9, 1, 1), "a smaller number would do"),
        (lambda: homework.tight_examples([[1]], [2]), "labels must be -1 and +1"),
        (lambda: homework.tight_examples([[10**400]], [1]), "cannot hold exactly"),
        (lambda: homework.slowest_order(map(int, range(6))), "must be a list"),
        (lambda: homework.iris_separator(["1e9999999"] * 5), "must be a list of finite numbers"),
        (lambda: homework.tight_examples([[0.5]], [1]), "whole numbers from −1000 to 1000"),
        (lambda: homework.feature_map(lambda x: x * 60, [[1, 2], [1, 1]]), "100 features"),
        (lambda: homework.hinge_bound(lambda *a: 1.0 / 3, *POINTS, [THIRD, 1], 1), "too small"),
    ],
)
def test_a_check_says_what_is_not_yet_right(check, sentence):
    with pytest.raises(homework.NotYet, match=re.escape(sentence)):
        check()


def test_roots_of_two_are_welcome_in_a_feature_map():
    def phi(x):
        return [x[0] ** 2, x[1] ** 2, 2**0.5 * x[0] * x[1], x[0], x[1]]

    homework.feature_map(phi, [[1, 2], [3, -1]])


def test_a_feature_map_must_not_remember():
    last = []

    def phi(x):
        if not last:
            last.append(x)
            return [1]
        z = last.pop()
        inner = x[0] * z[0] + x[1] * z[1]
        return [inner**2 + inner]

    with pytest.raises(homework.NotYet, match="not the same each time"):
        homework.feature_map(phi, [[1, 2], [3, 1]])


def test_integers_of_numpy_are_as_good_as_others():
    def bound(X, y, u, g):
        X = [[Fraction(v) for v in x] for x in X]
        short = [g - int(s) * (u[0] * x[0] + u[1] * x[1]) for x, s in zip(X, y, strict=True)]
        R2 = max(a * a + b * b for a, b in X)
        total = sum(max(Fraction(0), v) for v in short)
        return R2 * (u[0] ** 2 + u[1] ** 2) / g**2 + 2 * total / g

    homework.hinge_bound(bound, *POINTS, [THIRD, Fraction(1)], Fraction(2))


def test_an_empty_folder_is_told_what_is_expected(tmp_path):
    done = subprocess.run(command(tmp_path, "grade", str(tmp_path)), capture_output=True, text=True)
    assert done.returncode == 2
    assert f"expected are <student>/{FIRST}.ipynb" in done.stderr
