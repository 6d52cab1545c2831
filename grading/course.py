"""An nbgrader course: where notebooks are cut, and where what was graded is put.

Everything is made in the course's folder: source, release, submitted, autograded, feedback,
gradebook.db.  The solved notebooks are only read.  Nothing that a student wrote is looked at here:
numbers come as numbers, and files are stored as they are.
"""

import contextlib
import importlib
import os
import re
import shutil
import sqlite3
import sys
import warnings
from pathlib import Path

from grading import feedback
from grading.cage import ROOT

HOMEWORK = ROOT / "notebooks" / "homework"
COURSE = "perceptron"


def assignments():
    """The solved notebooks, by name."""
    return {path.stem: path for path in sorted(HOMEWORK.glob("hw*.ipynb"))}


def nbgrader(folder):
    """nbgrader at work on the course in a folder."""
    from nbgrader.apps import NbGraderAPI  # here, because it is slow to import
    from traitlets.config import Config

    config = Config()
    config.CourseDirectory.root = str(folder)
    config.CourseDirectory.course_id = COURSE
    config.Execute.timeout = None  # the sandbox and the supervisor have their own clocks
    config.Execute.iopub_timeout = 60  # on a busy machine, 4 seconds are not enough
    config.Execute.extra_arguments = [
        "--HistoryManager.hist_file=:memory:",
        "--log-level=ERROR",
        "--InteractiveShellApp.extra_extensions=grading.sandbox",
        "--InteractiveShellApp.reraise_ipython_extension_failures=True",
    ]
    reach_programs()
    warnings.filterwarnings("ignore", module="nbgrader")
    return NbGraderAPI(config=config)


def reach_programs():
    """nbgrader calls one of the programs beside Python, alembic, to make a gradebook."""
    programs = str(Path(sys.executable).parent)
    if programs not in os.environ["PATH"].split(os.pathsep):
        os.environ["PATH"] = programs + os.pathsep + os.environ["PATH"]


def succeed(result, what):
    """Raise what nbgrader's log tells of a failure: its last error, or else its last line."""
    if not result["success"]:
        lines = f"{result.get('log') or ''}\n{result.get('error') or ''}".strip().splitlines()
        errors = [line for line in lines if re.match(r"[\w.]+(Error|Exception)\b", line)]
        raise RuntimeError(f"{what} failed ({' '.join((errors or lines)[-1:])[:300]})")


def gradebook(folder):
    from nbgrader.api import Gradebook

    reach_programs()
    return Gradebook(f"sqlite:///{folder / 'gradebook.db'}", COURSE)


def fonts():
    """The files in which matplotlib keeps the list of fonts."""
    import matplotlib

    return [str(path) for path in Path(matplotlib.get_cachedir()).glob("fontlist-*.json")]


def marks(found):
    """What a lecturer marked and wrote by hand in a submission, by question."""
    given = {grade.name: [grade.manual_score, grade.extra_credit] for grade in found.grades}
    return {"points": given, "words": {c.name: c.manual_comment for c in found.comments}}


def set_marks(found, marks):
    """Enter into a submission what `marks` found in another."""
    for grade in found.grades:
        grade.manual_score, grade.extra_credit = marks["points"].get(grade.name, (None, None))
    for comment in found.comments:
        comment.manual_comment = marks["words"].get(comment.name)


def grades(found):
    """Of every question of a submission the score, None while it is to be marked, and a comment."""
    words = {c.name.removesuffix("-answer"): c.comment or "" for c in found.comments}
    marked = {
        g.name: not g.needs_manual_grade or g.manual_score is not None for g in found.grades
    }
    return {
        g.name: (g.score if marked[g.name] else None, words.get(g.name, "")) for g in found.grades
    }


class Course:
    """An nbgrader course in a folder."""

    def __init__(self, folder):
        self.folder = Path(folder).resolve()
        self.folder.mkdir(parents=True, exist_ok=True)

    def prepare(self):
        """Get ready to grade: make a gradebook without students, since others' marks are not for a
        submission to see, and the list of fonts, without which a plot would take seconds."""
        new = self.folder / "assignments.new"
        shutil.copy(self.folder / "gradebook.db", new)
        with contextlib.closing(sqlite3.connect(new)) as book, book:
            for table in ("comment", "grade", "submitted_notebook", "submitted_assignment"):
                book.execute(f"delete from {table}")
            book.execute("delete from student")
        new.chmod(0o644)
        new.replace(self.folder / "assignments.db")
        if not fonts():
            importlib.import_module("matplotlib.font_manager")

    def request(self, key, name):
        """What the process that grades a submission is told; its paths are what it may read."""
        with gradebook(self.folder) as book:
            found = self._found(book, key, name)
            known = marks(found) if found else {"points": {}, "words": {}}
        return {
            "name": name,
            "marks": known,
            "source": str(self.folder / "source" / name),
            "released": str(self.folder / "release" / name / f"{name}.ipynb"),
            "gradebook": str(self.folder / "assignments.db"),
            "fonts": fonts(),
        }

    def record(self, key, name, graded):
        """Enter the points that the machine gave; return the columns of the row."""
        points, blank = graded["points"], graded["blank"]
        with gradebook(self.folder) as book:
            book.update_or_create_student(key)
            book.update_or_create_submission(name, key)
            found = self._found(book, key, name)
            for grade in found.grades:
                given = points[grade.name]
                if given is not None and not 0 <= float(given) <= grade.max_score:
                    raise ValueError(f"{given} points for {grade.name}")
                grade.auto_score = given
                grade.needs_manual_grade = given is None or grade.manual_score is not None
            for comment in found.comments:
                comment.auto_comment = "No response." if comment.name in blank else None
            book.db.commit()
            scores = {q: score for q, (score, _) in grades(found).items() if score is not None}
            return {
                "score": sum(scores.values()),
                "of": sum(g.max_score for g in found.grades),
                "to mark": sum(g.max_score for g in found.grades if g.name not in scores),
                **dict(sorted(scores.items())),
            }

    def points(self, name):
        """The points of an assignment in all."""
        with gradebook(self.folder) as book:
            return book.find_notebook(name, name).max_score

    def _found(self, book, key, name):
        from nbgrader.api import MissingEntry

        try:
            return book.find_submission_notebook(name, name, key)
        except MissingEntry:
            return None

    def store(self, key, name, stage, data):
        """Put a file of a submission into the course, in place of what an earlier grading left."""
        folder = self.folder / stage / key / name
        self.clear(key, name, stage)
        folder.mkdir(parents=True)
        ending = "html" if stage == "feedback" else "ipynb"
        (folder / f"{name}.{ending}").write_bytes(data)

    def clear(self, key, name, *stages):
        for stage in stages:
            shutil.rmtree(self.folder / stage / key / name, ignore_errors=True)

    def page_with_note(self, key, name, note):
        """A page for a submission that could not be graded."""
        self.store(key, name, "feedback", feedback.failure(name, note).encode())
