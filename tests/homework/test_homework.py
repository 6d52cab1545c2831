"""The homework, cut and graded: right, empty, wrong and hostile submissions.

The tests here read what was written when all of them were graded in one go (tests/grading.py).  The
table of what each submission got is printed at the end.
"""

import re
import stat
from pathlib import Path

import pytest

from tests.grading import (
    FIRST,
    FRAME,
    NAMES,
    PIXEL,
    assignments,
    mark,
    points,
    solved,
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
def test_every_assignment_has_20_points_and_5_to_9_questions(name):
    graded_cells = [mark(cell) for cell in solved(name).cells if mark(cell).get("grade")]
    assert sum(m["points"] for m in graded_cells) == 20
    assert 5 <= len(graded_cells) <= 9
    assert [m["solution"] for m in graded_cells].count(True) == 1, "one is marked by hand"


@pytest.mark.parametrize("name", NAMES)
def test_every_question_has_wrong_answers_and_all_are_handed_in(name):
    handed_in = {(q, code) for k in range(4) for q, (code, *_) in wrong_answers(name, k).items()}
    assert sorted(q for q, _ in handed_in) == sorted(3 * list(points(name)))
    assert {len(three) for three in WRONG[name].values()} == {3}


@pytest.mark.parametrize("name", NAMES)
def test_the_solution_gets_full_marks_and_the_starter_nothing(graded, name):
    row, empty = graded.rows["solution", name], graded.rows["starter", name]
    assert {q: float(row[q]) for q in points(name)} == points(name)
    assert float(row["to mark"]) + float(row["score"]) == float(row["of"]) == 20
    assert {float(empty[q]) for q in points(name)} == {0.0}
    assert float(empty["score"]) == 0 and float(empty["to mark"]) == 0


@pytest.mark.parametrize("name", NAMES)
def test_the_starter_has_every_name_and_says_that_answers_are_missing(graded, name):
    for cell in graded.autograded("starter", name).cells:
        if mark(cell).get("locked"):
            assert re.search("there is no answer here|raised NotImplementedError", said(cell))


@pytest.mark.parametrize("k", range(4))
@pytest.mark.parametrize("name", NAMES)
def test_a_wrong_answer_loses_points_of_its_question_and_of_no_other(graded, name, k):
    student, wrong = f"wrong {k}", wrong_answers(name, k)
    got = {q: float(graded.rows[student, name][q]) for q in points(name)}
    assert got == {q: wrong[q][2] if q in wrong else p for q, p in points(name).items()}
    for cell in graded.autograded(student, name).cells:
        if mark(cell).get("grade_id") in wrong:
            assert wrong[mark(cell)["grade_id"]][1] in said(cell)
            assert "Not yet: " in said(cell) and "Traceback" not in said(cell)


# --- hostile and broken submissions --------------------------------------------------------------


UNREAD = {  # what is no notebook was not run, and so it has no score
    "not JSON": "not a Jupyter notebook",
    "JSON, but no notebook": "not a Jupyter notebook",
    "100 MB stored in the file": "the file has 95 MB, and 20 MB are allowed",
}


@pytest.mark.parametrize("case", [*HOSTILE, *FRAME])
def test_a_hostile_submission_gains_nothing_and_stops_nobody(graded, case):
    assert graded.rows[f"hostile {case}", FIRST]["score"] == ("" if case in UNREAD else "0.0")
    assert not (graded.outside / "written").exists()
    assert float(graded.rows["solution", FIRST]["score"]) == 16, (
        "those after it are graded as usual"
    )


def test_no_process_and_no_file_is_left(graded):
    commands = [command_line(path) for path in Path("/proc").glob("[0-9]*/cmdline")]
    assert not [c for c in commands if b"98765" in c or str(graded.outside).encode() in c]
    assert not stat.S_IMODE(assignments()[FIRST].stat().st_mode) & stat.S_IWOTH


def command_line(path):
    try:
        return path.read_bytes()
    except OSError:  # it has ended
        return b""


def test_what_cannot_be_graded_is_told_in_a_sentence(graded):
    for case, sentence in UNREAD.items():
        assert sentence in graded.rows[f"hostile {case}", FIRST]["note"]
    assert "no ordinary file" in graded.rows["linked folder", FIRST]["note"]


def test_a_feature_map_that_remembers_gains_nothing(graded):
    assert float(graded.rows["remembers", NAMES[2]]["score"]) == 0
    cells = graded.autograded("remembers", NAMES[2]).cells
    (test,) = [cell for cell in cells if mark(cell).get("grade_id") == "q5"]
    assert "not the same each time it is asked for" in said(test)


def test_honest_habits_and_names_with_spaces_cost_nothing(graded):
    assert float(graded.rows["Jörg Müller", FIRST]["q1"]) == 3


def test_an_answer_in_two_cells_counts(graded):
    assert float(graded.rows["split", FIRST]["q3"]) == 2


def test_many_added_cells_cost_no_answer_and_are_told(graded):
    assert float(graded.rows["many cells", FIRST]["score"]) == 16
    assert "cells left out: 50 " in graded.rows["many cells", FIRST]["note"]


@pytest.mark.parametrize(("student", "score"), [("answer below", 0), ("no metadata", 16)])
def test_words_in_another_cell_are_to_be_marked(graded, student, score):
    row = graded.rows[student, FIRST]
    assert (float(row["score"]), float(row["to mark"])) == (score, 4)
    assert "q8 may be answered in a cell of the student's own" in row["note"]


def test_an_odd_answer_spoils_no_other(graded):
    got = {q: float(graded.rows["matrix", FIRST][q]) for q in points(FIRST)}
    assert got | {"q4": 0} == points(FIRST) | {"q4": 0}


def test_an_error_after_a_right_feature_map_costs_nothing(graded):
    assert float(graded.rows["error", NAMES[2]]["score"]) == 16


@pytest.mark.parametrize("case", ["tests deleted", "tests edited", "tests doubled"])
def test_the_tests_of_a_spoilt_notebook_are_back(graded, case):
    spoilt, right = graded.autograded(f"hostile {case}"), solved(FIRST)
    spoilt, right = (
        [cell.source for cell in nb.cells if mark(cell).get("locked")] for nb in (spoilt, right)
    )
    assert spoilt == right


@pytest.mark.parametrize(
    ("case", "sentence"),
    [
        ("endless loop", "no answer after 8 seconds"),
        ("endless loop in the function", "no answer after 8 seconds"),
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
def test_the_feedback_says_what_became_of_it(graded, case, sentence):
    cells = graded.autograded(f"hostile {case}").cells
    first = [cell for cell in cells if mark(cell).get("grade_id") in ("q1-answer", "q1")]
    assert sentence in "\n".join(map(said, first))


def test_a_submission_for_another_kernel_is_run_as_python(graded):
    assert graded.autograded("hostile wrong kernel").metadata.kernelspec.name == "python3"


def test_the_feedback_shows_the_students_code_and_picture(graded):
    text = re.sub(r"<[^>]+>", "", graded.page("wrong 1"))
    assert "y[i] * (w @ X[i]) &lt; 0" in text
    assert "passes over example 0" in text
    assert float(graded.rows["picture", FIRST]["to mark"]) == 4
    assert PIXEL in graded.page("picture")


def test_the_feedback_runs_no_script_of_the_student(graded):
    page = graded.page("hostile script in the feedback")
    assert "here is my answer" in page
    assert not re.search(r"<script>alert|<[^>]*(onerror|javascript:)", page)
