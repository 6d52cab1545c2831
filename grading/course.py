"""An nbgrader course: where notebooks are cut, and where what was graded is put.

Everything is made in the course's folder: source, release, submitted, autograded, feedback,
gradebook.db.  The solved notebooks are only read.  Nothing that a student wrote is looked at here:
numbers come as numbers, and files are stored as they are.
"""

import importlib
import os
import re
import shutil
import sys
import warnings
from pathlib import Path

from grading.cage import ROOT

HOMEWORK = ROOT / "notebooks" / "homework"
COURSE = "perceptron"
STAGES = ["submitted", "autograded", "feedback"]  # nbgrader's folders for what was handed in


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
    get_ready()
    return NbGraderAPI(config=config)


def get_ready():
    """nbgrader warns of its own ways, and calls one of the programs beside Python, alembic."""
    warnings.filterwarnings("ignore", module="nbgrader")
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

    get_ready()
    return Gradebook(f"sqlite:///{folder / 'gradebook.db'}", COURSE)


def fonts():
    """The files in which matplotlib keeps the list of fonts."""
    import matplotlib

    return [str(path) for path in Path(matplotlib.get_cachedir()).glob("fontlist-*.json")]


class Course:
    """An nbgrader course in a folder."""

    def __init__(self, folder):
        self.folder = Path(folder).resolve()
        self.folder.mkdir(parents=True, exist_ok=True)

    def is_current(self):
        """Is what was released there, and not older than what it is cut from?"""
        made = self.folder / "release.json"  # which is written last
        if not made.exists() or not (self.folder / "gradebook.db").exists():
            return False
        code = ROOT / "grading"
        sources = [*HOMEWORK.glob("hw*.ipynb"), *code.glob("[ch]*/*.*"), code / "release.py"]
        newest = max(path.stat().st_mtime for path in sources)
        cut = [self.folder / "release" / name / f"{name}.ipynb" for name in assignments()]
        return made.stat().st_mtime > newest and all(path.exists() for path in cut)

    def prepare(self):
        """Get ready to grade: make the list of fonts, without which a plot would take seconds."""
        if not fonts():
            importlib.import_module("matplotlib.font_manager")

    def request(self, key, name):
        """What the process that grades a submission is told; its paths are what it may read."""
        return {
            "name": name,
            "marks": self.marks(key, name),
            "source": str(self.folder / "source" / name),
            "released": str(self.folder / "release" / name / f"{name}.ipynb"),
            "fonts": fonts(),
        }

    def marks(self, key, name):
        """What a lecturer gave and wrote by hand: {question: [score, extra points, comment]}."""
        from nbgrader.api import MissingEntry

        with gradebook(self.folder) as book:
            try:
                found = book.find_submission_notebook(name, name, key)
            except MissingEntry:
                return {}
            words = {c.name.removesuffix("-answer"): c.manual_comment for c in found.comments}
            return {g.name: [g.manual_score, g.extra_credit, words.get(g.name)]
                    for g in found.grades}  # fmt: skip

    def record(self, key, name, points):
        """Enter the points that the machine gave, none if they are None; return the columns of the
        row."""
        with gradebook(self.folder) as book:
            book.update_or_create_student(key)
            book.update_or_create_submission(name, key)
            found = book.find_submission_notebook(name, name, key)
            for grade in found.grades:
                given = 0 if points is None else points[grade.name]
                if given is not None and not 0 <= float(given) <= grade.max_score:
                    raise ValueError(f"{given} points for {grade.name}")
                grade.auto_score = given
                grade.needs_manual_grade = given is None or grade.manual_score is not None
            book.db.commit()
            scores = {g.name: g.score for g in found.grades
                      if g.auto_score is not None or g.manual_score is not None}  # fmt: skip
            return {
                "score": sum(scores.values()),
                "of": sum(g.max_score for g in found.grades),
                "to mark": sum(g.max_score for g in found.grades if g.name not in scores),
                **dict(sorted(scores.items())),
            }

    def forget(self, key, name):
        """What an earlier version got does not hold for one that cannot be graded."""
        if self.marks(key, name):
            self.record(key, name, None)
            self.store(key, name, {})

    def store(self, key, name, files):
        """Put the files of a submission into the course, in place of what an earlier grading left:
        {stage: bytes}."""
        for stage in STAGES:
            folder = self.folder / stage / key / name
            shutil.rmtree(folder, ignore_errors=True)
            if stage in files:
                folder.mkdir(parents=True)
                ending = "html" if stage == "feedback" else "ipynb"
                (folder / f"{name}.{ending}").write_bytes(files[stage])
