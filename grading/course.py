"""An nbgrader course: students' notebooks are cut, and what comes back is graded in a sandbox.

Everything is made in the course's folder: source, release, submitted, autograded, feedback,
gradebook.db.  The solved notebooks are only read.
"""

import ast
import csv
import json
import os
import re
import shutil
import sys
import warnings
from pathlib import Path

import nbformat

from grading import feedback

ROOT = Path(__file__).resolve().parent.parent
HOMEWORK = ROOT / "notebooks" / "homework"
LARGEST = 20 * 2**20  # bytes of a notebook that is handed in
LONGEST = 50_000  # characters of a cell
MOST_ADDED = 100  # cells that a student may add


def assignments():
    """The solved notebooks, by name."""
    return {path.stem: path for path in sorted(HOMEWORK.glob("hw*.ipynb"))}


def beside(code):
    """The code of a solved notebook with its checks imported from where a student has them."""
    return code.replace("from grading.handout import", "from checks import")


def mark(cell):
    """nbgrader's metadata of a cell, or an empty dictionary."""
    found = cell.metadata.get("nbgrader")
    return found if isinstance(found, dict) else {}


def answer_names(released):
    """The names that the answer cells of an assignment define."""
    names = []
    for cell in released.cells:
        if cell.cell_type == "code" and mark(cell).get("solution"):
            for node in ast.parse(cell.source).body:
                if isinstance(node, ast.FunctionDef):
                    names.append(node.name)
                elif isinstance(node, ast.Assign):
                    targets = [name for target in node.targets for name in ast.walk(target)]
                    names += [name.id for name in targets if isinstance(name, ast.Name)]
    return names


class Course:
    """An nbgrader course in a folder."""

    def __init__(self, folder):
        from nbgrader.apps import NbGraderAPI  # here, because it is slow to import
        from traitlets.config import Config

        self.folder = Path(folder).resolve()
        self.folder.mkdir(parents=True, exist_ok=True)
        config = Config()
        config.CourseDirectory.root = str(self.folder)
        config.CourseDirectory.course_id = "perceptron"
        config.Execute.timeout = None  # the sandbox has its own clock
        config.Execute.extra_arguments = [
            "--HistoryManager.hist_file=:memory:",
            "--log-level=ERROR",
            "--InteractiveShellApp.extra_extensions=grading.sandbox",
            "--InteractiveShellApp.reraise_ipython_extension_failures=True",
        ]
        self.python_path = os.environ.get("PYTHONPATH", "").split(os.pathsep)
        programs = str(Path(sys.executable).parent)  # nbgrader calls one of them, alembic
        if programs not in os.environ["PATH"].split(os.pathsep):
            os.environ["PATH"] = programs + os.pathsep + os.environ["PATH"]
        warnings.filterwarnings("ignore", module="nbgrader")
        self.api = NbGraderAPI(config=config)

    def grade(self, student, name, path, folder, isolate=True, **limits):
        """Grade one submission; return a row of the table.  It never raises."""
        row = {"student": student, "assignment": name}
        try:
            if re.search(r"[*?\[\]\x00-\x1f]", student):
                raise ValueError("nbgrader takes the name of this folder for a pattern; rename it")
            cells = read_submission(path, folder)
            released = self._released(name)
            self._sandbox(name, answer_names(released), isolate, limits)
            self._hand_in(student, name, framed(released, cells))
            _succeed(self.api.autograde(name, student), "autograding")
            self._tidy(student, name)
            return row | self._scores(student, name)
        except Exception as error:
            return row | {"score": 0, "note": f"not graded: {error}"}

    def feedback(self, row):
        """Write the page that tells the student what the grade is made of."""
        student, name = row["student"], row["assignment"]
        page = self.folder / "feedback" / student / name / f"{name}.html"
        if "note" in row:
            page.parent.mkdir(parents=True, exist_ok=True)
            page.write_text(feedback.failure(name, row["note"]), encoding="utf-8")
        else:
            graded = self.folder / "autograded" / student / name / f"{name}.ipynb"
            nb = nbformat.read(graded, as_version=4)
            asked = feedback.questions(self._released(name))
            feedback.write(page, nb, *asked, self._grades(student, name))

    def _released(self, name):
        return nbformat.read(self.folder / "release" / name / f"{name}.ipynb", as_version=4)

    def _hand_in(self, student, name, nb):
        """Put a notebook into the course, in place of what an earlier grading left."""
        for stage in ("submitted", "autograded", "feedback"):
            shutil.rmtree(self.folder / stage / student / name, ignore_errors=True)
        folder = self.folder / "submitted" / student / name
        folder.mkdir(parents=True)
        nbformat.write(nb, folder / f"{name}.ipynb")

    def _sandbox(self, name, answers, isolate, limits):
        """Tell the grading kernel, by the environment, what to ask for and what may be read.

        The kernel finds the checks in the course's source, ahead of anything beside a notebook; the
        submission's process gets these and the library, and nothing else of this clone."""
        import matplotlib

        source = self.folder / "source" / name
        sandbox = {
            "readable": readable(),
            "packages": [str(ROOT / "perceptron_lib"), str(source / "checks")],
            "fonts": [str(p) for p in Path(matplotlib.get_cachedir()).glob("fontlist-*.json")],
            "isolate": isolate,
        }
        setting = {"names": answers, "sandbox": sandbox | limits}
        os.environ["SUBMISSION_SANDBOX"] = json.dumps(setting)
        path = [str(ROOT), str(source), *self.python_path]
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, path))
        os.environ["IPYTHONDIR"] = str(self.folder / "ipython")  # none of the lecturer's settings

    def _tidy(self, student, name):
        """Show the student's code as it was handed in; RuntimeError if the frame itself failed."""
        folder = self.folder / "autograded" / student / name
        shutil.rmtree(folder / "checks", ignore_errors=True)  # nbgrader's copy, of no further use
        path = folder / f"{name}.ipynb"
        graded = nbformat.read(path, as_version=4)
        for cell in graded.cells:
            if cell.source.startswith("%%setup") and any("ename" in out for out in cell.outputs):
                raise RuntimeError("the assignment's own cells failed")
            cell.source = cell.source.removeprefix("%%setup\n").removeprefix("%%submission\n")
        nbformat.write(graded, path)

    def _scores(self, student, name):
        """The points of every question, and what is left to mark by hand."""
        grades, asked = self._grades(student, name), feedback.questions(self._released(name))[1]
        most = {question: worth for question, _, worth, _ in asked}
        points = {q: score for q, (score, _) in grades.items() if score is not None}
        return {
            "score": sum(points.values()),
            "of": float(sum(most.values())),
            "to mark": sum(most[q] for q in grades if q not in points),
            **dict(sorted(points.items())),
        }

    def _grades(self, student, name):
        """Of every question the score, None if it is to be marked, and the comment, if any."""
        from nbgrader.api import Gradebook

        with Gradebook(f"sqlite:///{self.folder / 'gradebook.db'}") as gradebook:
            graded = gradebook.find_submission_notebook(name, name, student)
            comments = {c.name.removesuffix("-answer"): c.comment or "" for c in graded.comments}
            pending = [g for g in graded.grades if g.needs_manual_grade and g.manual_score is None]
            return {
                g.name: (None if g in pending else g.score, comments.get(g.name, ""))
                for g in graded.grades
            }


def _succeed(result, what):
    if not result["success"]:
        last = (result.get("error") or result.get("log") or "").strip().splitlines()[-1:]
        raise RuntimeError(f"{what} failed ({' '.join(last)[:300]})")


def readable():
    """What a submission's process may read, beside the library and the checks: Python."""
    system = ["/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache", "/etc/localtime"]
    return [*system, sys.prefix, sys.base_prefix]


def read_submission(path, folder):
    """The cells of a notebook handed in below a folder; ValueError says what is wrong with it."""
    if not path.is_file() or path.resolve() != folder.resolve() / path.relative_to(folder):
        raise ValueError("this is no ordinary file")
    size = path.stat().st_size
    if size > LARGEST:
        raise ValueError(
            f"the file has {size / 2**20:.0f} MB, and {LARGEST / 2**20:.0f} MB are allowed; "
            "clear the outputs and hand it in again"
        )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            nb = nbformat.reads(path.read_text(encoding="utf-8-sig"), as_version=4)
            for cell in nb.cells:
                if len(cell.source) > LONGEST:
                    cell.source = f"# This cell had {len(cell.source)} characters."
                cell.name = str(mark(cell).get("grade_id", ""))
    except Exception:
        raise ValueError("the file is not a Jupyter notebook") from None
    return nb.cells


def framed(released, cells):
    """The released notebook with the student's answers in it.

    Whatever was handed in, the frame is the assignment's: its own cells in their order, with each
    answer from the first cell that bears its name.  Cells that a student added are kept after the
    one they followed.  All the student's code is marked, to be run in the sandbox.
    """
    known = {mark(cell).get("grade_id") for cell in released.cells} - {None}
    own = {cell.source for cell in released.cells if not mark(cell)}
    answers, added, last = {}, {}, None
    for cell in cells[: len(released.cells) + MOST_ADDED]:
        if cell.name in known and cell.name not in answers:
            answers[cell.name] = cell
            last = cell.name
        elif beside(cell.source) not in own:  # a lecturer may try the solved notebook itself
            added.setdefault(last, []).append(cell)
    out = []
    for cell in released.cells:
        name = mark(cell).get("grade_id")
        setup = cell.cell_type == "code" and not mark(cell)
        if mark(cell).get("solution"):
            cell = filled_in(cell, answers.get(name))
        elif setup:
            cell.source = "%%setup\n" + cell.source
        out.append(cell)
        if name or setup:  # what was added before the first answer comes after the imports
            out += [copied(extra) for extra in added.pop(name, [])]
    released.cells = out
    return released


def filled_in(cell, answer):
    """An answer cell of the assignment with the student's answer."""
    if answer is None:
        answer = nbformat.v4.new_code_cell("# There is no answer here.")
    given = copied(answer, cell.cell_type)
    cell.source = given.source
    if given.get("attachments"):
        cell.attachments = given.attachments
    return cell


def copied(cell, kind=None):
    """A new cell with the student's code, marked, or with their words, made harmless."""
    if (kind or cell.cell_type) == "code":
        return nbformat.v4.new_code_cell("%%submission\n" + cell.source)
    new = nbformat.v4.new_markdown_cell(harmless(cell.source))
    pictures = {
        name: {kind: data for kind, data in parts.items() if kind in ("image/png", "image/jpeg")}
        for name, parts in (cell.get("attachments") or {}).items()
    }
    new.attachments = nbformat.from_dict(pictures)
    for missing in set(re.findall(r"attachment:([^)\s]+)", new.source)) - set(pictures):
        new.source = new.source.replace(f"attachment:{missing}", "missing-picture")
    return new


def harmless(text):
    """A student's Markdown without HTML of its own: a lecturer's browser is going to show it."""
    from nbconvert.preprocessors.sanitize import SanitizeHTML

    return SanitizeHTML().sanitize_html_tags(text)


def submissions(folder):
    """Every file that was handed in: student, assignment, path."""
    for student in sorted(path for path in folder.iterdir() if path.is_dir()):
        for name in assignments():
            for path in (student / f"{name}.ipynb", student / name / f"{name}.ipynb"):
                if path.exists() or path.is_symlink():
                    yield student.name, name, path
                    break


def write_table(rows, path):
    """The rows as a CSV file, a column for every question."""
    questions = sorted({key for row in rows for key in row if key[0] == "q"})
    columns = ["assignment", "student", "score", "of", "to mark", *questions, "note"]
    with open(path, "w", newline="", encoding="utf-8", errors="backslashreplace") as file:
        table = csv.DictWriter(file, columns, restval="")
        table.writeheader()
        table.writerows(rows)
