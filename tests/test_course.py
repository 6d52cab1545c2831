"""What the course stores: the machine's points, beside the lecturer's marks, and files."""

import math
import shutil

import pytest

from grading.course import Course, gradebook, marks, set_marks

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


def graded(q1, q2=None, blank=()):
    return {"points": {"q1": q1, "q2": q2}, "blank": list(blank)}


def test_a_row_has_the_points_and_what_is_to_be_marked(course):
    row = course.record("ann", NAME, graded(1.5))
    assert row == {"score": 1.5, "of": 6, "to mark": 4, "q1": 1.5}
    assert course.points(NAME) == 6
    blank = course.record("bob", NAME, graded(0, 0, ["q2"]))
    assert blank == {"score": 0, "of": 6, "to mark": 0, "q1": 0, "q2": 0}


def test_grading_again_keeps_the_lecturers_marks(course):
    course.record("ann", NAME, graded(0))
    with gradebook(course.folder) as book:
        found = book.find_submission_notebook(NAME, NAME, "ann")
        set_marks(found, {"points": {"q2": [3.0, 0.5]}, "words": {"q2": "well said"}})
        book.db.commit()
    assert course.record("ann", NAME, graded(2)) == {
        "score": 5.5, "of": 6, "to mark": 0, "q1": 2, "q2": 3.5,
    }  # fmt: skip
    asked = course.request("ann", NAME)["marks"]
    assert asked["points"]["q2"] == [3.0, 0.5] and asked["words"]["q2"] == "well said"


def test_marks_of_others_are_not_handed_on(course):
    course.record("ann", NAME, graded(2))
    course.prepare()
    (course.folder / "copy").mkdir()
    (course.folder / "assignments.db").replace(course.folder / "copy" / "gradebook.db")
    with gradebook(course.folder / "copy") as book:
        assert not book.students and book.find_notebook(NAME, NAME).max_score == 6
    assert course.request("bob", NAME)["marks"] == {"points": {}, "words": {}}


@pytest.mark.parametrize("given", [2.5, -1, math.nan, math.inf, "many", [2]])
def test_points_that_cannot_be_are_refused(course, given):
    with pytest.raises((ValueError, TypeError)):
        course.record("ann", NAME, graded(given))


@pytest.mark.parametrize("given", [{"q1": 2}, {}, {"q2": None}])
def test_points_that_are_missing_are_refused(course, given):
    with pytest.raises(KeyError):
        course.record("ann", NAME, {"points": given, "blank": []})


def test_marks_can_be_carried_over(course):
    course.record("ann", NAME, graded(1))
    course.record("bob", NAME, graded(1))
    with gradebook(course.folder) as book:
        ann, bob = (book.find_submission_notebook(NAME, NAME, who) for who in ("ann", "bob"))
        set_marks(ann, {"points": {"q2": [3.0, None]}, "words": {"q2": "x"}})
        set_marks(bob, marks(ann))
        book.db.commit()
        assert bob.score == 4


def test_files_take_the_place_of_older_ones(course):
    for data in (b"old", b"new"):
        course.store("ann", NAME, "autograded", data)
        (course.folder / "autograded" / "ann" / NAME / f"{NAME}.ipynb").chmod(0o444)
    assert (course.folder / "autograded" / "ann" / NAME / f"{NAME}.ipynb").read_bytes() == b"new"
    course.page_with_note("ann", NAME, "<script>not graded</script>")
    page = (course.folder / "feedback" / "ann" / NAME / f"{NAME}.html").read_text()
    assert "&lt;script&gt;not graded" in page and "<script" not in page
    course.clear("ann", NAME, "autograded", "feedback")
    assert not (course.folder / "autograded" / "ann" / NAME).exists()
