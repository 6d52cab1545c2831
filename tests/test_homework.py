"""The homework, cut and graded by nbgrader itself: right, empty, wrong and hostile submissions.

The grader works in the background while other tests run (conftest.py); the tests here read what it
wrote, and come last.  The table of what each submission got is printed at the end.
"""

import ast
import re
import subprocess
import zipfile

import nbformat
import pytest

from tests.grading import FIRST, FRAME, NAMES, command, mark, points, solved, wrong_answers
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
def released(grading):
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
            assert "return 0" not in stub.source
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
def test_a_folder_to_hand_out_has_the_notebook_and_a_word_to_the_student(grading, name):
    archive = grading.folder / "release" / f"{name}.zip"
    files = zipfile.ZipFile(archive).namelist()
    assert {f"{name}/{name}.ipynb", f"{name}/README.md"} <= set(files)


# --- hostile and broken submissions --------------------------------------------------------------


@pytest.mark.parametrize("case", [*HOSTILE, *FRAME])
def test_a_hostile_submission_gains_nothing_and_stops_nobody(graded, grading, case):
    assert float(graded[f"hostile {case}", FIRST]["score"]) == 0
    assert not (grading.handed_in.parent / "written").exists()
    assert float(graded["solution", FIRST]["score"]) == 16, "those after it are graded as usual"


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
    assert "alert(" not in re.sub(r"&lt;.*?&gt;", "", page)


def test_an_empty_folder_is_told_what_is_expected(tmp_path):
    done = subprocess.run(command(tmp_path, "grade", str(tmp_path)), capture_output=True, text=True)
    assert done.returncode == 2
    assert f"expected are <student>/{FIRST}.ipynb" in done.stderr
