"""What the course stores: the machine's points, beside the lecturer's marks, and files."""

import math
import os
import shutil

import pytest

from grading.course import Course, assignments, gradebook
from grading.one import with_marks

pytestmark = pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")  # nbgrader's own
NAME = "hw"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A gradebook with one assignment: two points by the machine, four by hand."""
    folder = tmp_path_factory.mktemp("course")
    with gradebook(folder) as book:
        book.add_assignment(NAME)
        book.add_notebook(NAME, NAME)
        book.add_grade_cell("q1", NAME, NAME, max_score=2, cell_type="code")
        book.add_grade_cell("q2", NAME, NAME, max_score=4, cell_type="markdown")
        book.add_solution_cell("q2", NAME, NAME)
    return folder / "gradebook.db"


@pytest.fixture
def course(made, tmp_path):
    shutil.copy(made, tmp_path)
    return Course(tmp_path)


def by_hand(course, score, extra=None, words=None):
    """What a lecturer does in Formgrader."""
    with gradebook(course.folder) as book:
        grade = book.find_grade("q2", NAME, NAME, "ann")
        grade.manual_score, grade.extra_credit = score, extra
        book.find_comment("q2", NAME, NAME, "ann").manual_comment = words
        book.db.commit()


def test_a_row_has_the_points_and_what_is_to_be_marked(course):
    row = course.record("ann", NAME, {"q1": 1.5, "q2": None})
    assert row == {"score": 1.5, "of": 6, "to mark": 4, "q1": 1.5}
    blank = course.record("bob", NAME, {"q1": 0, "q2": 0})
    assert blank == {"score": 0, "of": 6, "to mark": 0, "q1": 0, "q2": 0}


def test_what_cannot_be_graded_keeps_no_points_of_an_earlier_version(course):
    course.forget("ann", NAME)
    assert course.marks("ann", NAME) == {}, "who never had points is no student yet"
    for end in (course.forget, lambda *who: course.record(*who, None)):
        assert course.record("ann", NAME, {"q1": 2, "q2": None})["score"] == 2
        course.store("ann", NAME, {"feedback": b"2 points"})
        end("ann", NAME)
        with gradebook(course.folder) as book:
            assert book.find_submission_notebook(NAME, NAME, "ann").score == 0
    course.forget("ann", NAME)
    assert not (course.folder / "feedback" / "ann" / NAME).exists()


def test_grading_again_keeps_the_lecturers_marks_and_hands_them_to_the_page(course):
    assert course.request("ann", NAME)["marks"] == {}
    course.record("ann", NAME, {"q1": 0, "q2": None})
    by_hand(course, 3.0, 0.5, "well said")
    row = course.record("ann", NAME, {"q1": 2, "q2": None})
    assert row == {"score": 5.5, "of": 6, "to mark": 0, "q1": 2, "q2": 3.5}
    marks = course.request("ann", NAME)["marks"]
    assert marks == {"q1": [None, None, None], "q2": [3.0, 0.5, "well said"]}
    assert with_marks({"q1": 2, "q2": None}, marks) == {"q1": (2, ""), "q2": (3.5, "well said")}
    assert course.request("bob", NAME)["marks"] == {}, "others' marks are not handed on"


@pytest.mark.parametrize("points", [
    *({"q1": given, "q2": None} for given in (2.5, -1, math.nan, math.inf, "many", [2])),
    {"q1": 2}, {}, {"q2": None}, [], "x",
])  # fmt: skip
def test_points_that_cannot_be_or_are_missing_are_refused(course, points):
    with pytest.raises((ValueError, TypeError, KeyError)):
        course.record("ann", NAME, points)


def test_files_take_the_place_of_older_ones(course):
    place = course.folder / "autograded" / "ann" / NAME / f"{NAME}.ipynb"
    for data in (b"old", b"new"):
        course.store("ann", NAME, {"autograded": data, "feedback": data, "step": b"done"})
        place.chmod(0o444)
    assert place.read_bytes() == b"new" and not (course.folder / "step").exists()
    course.store("ann", NAME, {"feedback": b"only a page"})
    assert not place.exists()
    page = course.folder / "feedback" / "ann" / NAME / f"{NAME}.html"
    assert page.read_bytes() == b"only a page"


def test_what_was_cut_is_current_until_a_source_changes(course):
    assert not course.is_current(), "nothing was cut"
    for name in assignments():
        path = course.folder / "release" / name / f"{name}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_text("{}")
    made = course.folder / "release.json"
    made.write_text('{"seed": null}')
    assert course.is_current()
    os.utime(made, (0, 0))
    assert not course.is_current(), "sources are newer"
    os.utime(made)
    path.unlink()
    assert not course.is_current(), "one is missing"
