"""Submissions of homework of every kind, and graders that work on them in the background.

Each is graded by the command that a lecturer uses, in a course of its own.  A question has three
wrong answers, and an assignment four submissions with wrong ones: question number i is right in
submission number i (modulo 4), so that each submission has right and wrong answers side by side.
"""

import csv
import os
import signal
import subprocess
import sys
from pathlib import Path

import nbformat

from tests.homework_answers import HOSTILE, WRONG

ROOT = Path(__file__).resolve().parent.parent
HOMEWORK = ROOT / "notebooks" / "homework"
COURSE = HOMEWORK / "grading" / "course.py"
PIXEL = (  # a PNG of one pixel
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII="
)
NAMES = sorted(WRONG)
FIRST = NAMES[0]


def solved(name):
    return nbformat.read(HOMEWORK / f"{name}.ipynb", as_version=4)


def mark(cell):
    return cell.metadata.get("nbgrader", {})


def points(name):
    """The points of the questions that are graded by the machine."""
    cells = [mark(cell) for cell in solved(name).cells]
    return {m["grade_id"]: m["points"] for m in cells if m.get("grade") and not m["solution"]}


def wrong_answers(name, k):
    """The wrong answers of submission k: {question: (code, sentence)}."""
    chosen = {}
    for number, (question, answers) in enumerate(sorted(WRONG[name].items())):
        if (k - number) % 4:
            chosen[question] = answers[(k - number) % 4 - 1]
    return chosen


def with_answers(nb, answers):
    """The notebook with some answers, named by question, replaced."""
    for cell in nb.cells:
        question = mark(cell).get("grade_id", "").removesuffix("-answer")
        if mark(cell).get("solution") and question in answers:
            cell.source = answers[question]
    return nb


WITH_PAGES = [
    "wrong 1",
    "picture",
    "hostile script in the feedback",
    "hostile not JSON",
    "hostile JSON, but no notebook",
    "hostile 100 MB stored in the file",
]


def write_submissions(folder, released):
    """Every submission of this file as FOLDER/<student>/<assignment>.ipynb."""

    def hand_in(student, name, nb):
        path = folder / student / f"{name}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        text = nb if isinstance(nb, (str, bytes)) else nbformat.writes(nb)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())

    for name in NAMES:
        starter = released / "release" / name / f"{name}.ipynb"
        hand_in("solution", name, solved(name))
        hand_in("starter", name, starter.read_bytes())
        for k in range(4):
            answers = {question: code for question, (code, _) in wrong_answers(name, k).items()}
            hand_in(f"wrong {k}", name, with_answers(solved(name), answers))
    starter = (released / "release" / FIRST / f"{FIRST}.ipynb").read_text(encoding="utf-8")
    for case, source in HOSTILE.items():
        source = source.replace("OUTSIDE", str(folder.parent)).replace("SOURCE", str(ROOT))
        source = source.replace("SOLVED", str(HOMEWORK / f"{FIRST}.ipynb"))
        source = source.replace("GRADEBOOK", str(released / "gradebook.db"))
        answers = {"q1": source}
        hand_in(f"hostile {case}", FIRST, with_answers(nbformat.reads(starter, 4), answers))
    for case, spoil in FRAME.items():
        hand_in(f"hostile {case}", FIRST, spoil(nbformat.reads(starter, 4)))
    hand_in("picture", FIRST, with_picture(nbformat.reads(starter, 4)))
    hand_in("split", FIRST, split(nbformat.reads(starter, 4)))
    hand_in("st[ar]*", FIRST, starter)
    (folder / "linked folder").mkdir()
    (folder / "linked folder" / FIRST).symlink_to(HOMEWORK)


def with_picture(nb):
    """A drawing in the written answer, as JupyterLab keeps it."""
    for cell in nb.cells:
        if mark(cell).get("solution") and mark(cell).get("grade"):
            cell.source = "See ![my drawing](attachment:drawing.png) and ![](attachment:lost.png)"
            cell.attachments = nbformat.from_dict({"drawing.png": {"image/png": PIXEL}})
    return nb


def split(nb):
    """The third answer in two cells, as JupyterLab's "Split Cell" makes them."""
    [at] = [k for k, cell in enumerate(nb.cells) if mark(cell).get("grade_id") == "q3-answer"]
    second = nbformat.from_dict(nb.cells[at])
    second.id, second.source = "second", "order = list(max(orders, key=mistakes))"
    nb.cells[at].source = """
X, y = homework.SIX_POINTS
orders = itertools.permutations(range(6))
def mistakes(order):
    return perceptron(X, y, order=list(order)).mistakes
"""
    nb.cells.insert(at + 1, second)
    return nb


def delete_tests(nb):
    nb.cells = [cell for cell in nb.cells if not mark(cell).get("grade")]
    return nb


def edit_tests(nb):
    for cell in nb.cells:
        if mark(cell).get("grade") and cell.cell_type == "code":
            cell.source = "print('Right.')"
    return nb


def double_tests(nb):
    """Cells that claim to be the tests, before the true ones, and worth more."""
    false = [nbformat.from_dict(cell) for cell in nb.cells if mark(cell).get("locked")]
    for cell in false:
        cell.source, cell.id = "print('Right.')", f"{cell.id}-false"
        cell.metadata.nbgrader.points = 1000
    nb.cells = false + nb.cells
    return nb


def other_kernel(nb):
    nb.metadata.kernelspec = {"name": "ir", "display_name": "R", "language": "R"}
    return nb


def stored_output(nb):
    text = "x" * 100_000_000
    nb.cells[1].outputs = [nbformat.v4.new_output("stream", name="stdout", text=text)]
    return nb


def script(nb):
    for cell in nb.cells:
        if mark(cell).get("solution") and mark(cell).get("grade"):
            cell.source = (
                "here is my answer <script>alert(1)</script> <img src=x onerror=alert(2)> "
                "[a link](javascript:alert(3))"
            )
    return nb


FRAME = {
    "script in the feedback": script,
    "tests deleted": delete_tests,
    "tests edited": edit_tests,
    "tests doubled": double_tests,
    "not JSON": lambda nb: "This is my homework.",
    "JSON, but no notebook": lambda nb: '{"cells": 3}',
    "wrong kernel": other_kernel,
    "100 MB stored in the file": stored_output,
}


class Grading:
    """A process in the background that grades every submission of this file."""

    def __init__(self, folder):
        self.folder, self.with_pages, self.handed_in, _ = folders(folder)
        self.running = subprocess.Popen(
            [sys.executable, "-m", "tests.grading", str(folder)],
            cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            start_new_session=True,
        )  # fmt: skip

    def stop(self):
        """End the graders if nobody has waited for them."""
        if self.running.poll() is None:
            os.killpg(self.running.pid, signal.SIGTERM)
            self.running.communicate()

    def rows(self):
        """The rows of the tables that it wrote: {(student, assignment): row}."""
        said, rows = self.running.communicate(timeout=600)[0], {}
        if self.running.returncode:
            raise RuntimeError(said)
        for course in (self.folder, self.with_pages):
            with open(course / "grades.csv", encoding="utf-8", newline="") as file:
                rows |= {(row["student"], row["assignment"]): row for row in csv.DictReader(file)}
        return rows

    def autograded(self, student, name):
        course = self.with_pages if student in WITH_PAGES else self.folder
        path = course / "autograded" / student / name / f"{name}.ipynb"
        return nbformat.read(path, as_version=4)

    def page(self, student, name):
        """The feedback that the student gets."""
        path = self.with_pages / "feedback" / student / name / f"{name}.html"
        return path.read_text(encoding="utf-8")


def folders(folder):
    """Two courses, the second with pages of feedback, and what is handed in to each."""
    return [folder / name for name in ("course", "course-with-pages", "handed-in", "few")]


def grade_everything(folder):
    """What the process does: release, hand in, and let two graders work side by side."""
    course, with_pages, handed_in, few = folders(folder)
    subprocess.run(command(course, "release"), check=True)
    write_submissions(handed_in, course)
    few.mkdir()
    for student in WITH_PAGES:
        (handed_in / student).rename(few / student)
    graders = [
        command(course, "grade", str(handed_in), "--seconds", "4", "--without-feedback"),
        command(with_pages, "grade", str(few), "--seconds", "4"),
    ]
    ended = [grader.wait() for grader in [subprocess.Popen(grader) for grader in graders]]
    return any(ended)


def command(folder, *arguments):
    return [sys.executable, str(COURSE), "--build", str(folder), *arguments]


def table(rows):
    """A line for every question, and one for every hostile submission."""
    yield f"{'homework, question':30} points solution starter  wrong answers"
    for name in NAMES:
        for question, most in points(name).items():
            wrong = [rows[f"wrong {k}", name][question] for k in range(4)
                     if question in wrong_answers(name, k)]  # fmt: skip
            right, empty = (rows[who, name][question] for who in ("solution", "starter"))
            line = f"{name[:22]:22} {question:7} {most:6} {right:>8} {empty:>7}"
            yield f"{line}  {', '.join(wrong)}"
    yield f"\n{'hostile submission':36} score"
    for (student, _), row in sorted(rows.items()):
        if student.startswith("hostile"):
            yield f"{student.removeprefix('hostile '):36} {row['score']:>5}  {row['note']}"


if __name__ == "__main__":
    sys.exit(grade_everything(Path(sys.argv[1])))
