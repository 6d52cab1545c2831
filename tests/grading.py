"""Submissions of homework of every kind, graded by the command that a lecturer uses.

A question has three wrong answers, and an assignment four submissions with wrong ones: question
number i is right in submission number i (modulo 4), so that each submission has right and wrong
answers side by side.
"""

import csv
import os
import subprocess
import sys
from pathlib import Path

import nbformat

from grading.cage import ROOT
from grading.course import HOMEWORK, assignments
from grading.frame import mark
from grading.one import as_text
from tests.homework_answers import REMEMBERS, WRONG
from tests.hostile import FALSE_CHECKS, HONEST, HOSTILE

PIXEL = (  # a PNG of one pixel
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII="
)
NAMES = sorted(assignments())
FIRST = NAMES[0]
TIGHT_MATRIX = "X_tight = np.matrix([[1, 1], [1, -1]])\ny_tight = [1, 1]"
WITH_PAGES = ["wrong 1", "picture", "hostile script in the feedback"]  # the others have none


# --- submissions -------------------------------------------------------------------------------


def solved(name):
    return nbformat.read(assignments()[name], as_version=4)


def points(name):
    """The points of the questions that are graded by the machine."""
    cells = [mark(cell) for cell in solved(name).cells]
    return {m["grade_id"]: m["points"] for m in cells if m.get("grade") and not m["solution"]}


def answers_of(nb):
    """The cells for answers, by question."""
    cells = [cell for cell in nb.cells if mark(cell).get("solution")]
    return {mark(cell)["grade_id"].removesuffix("-answer"): cell for cell in cells}


def wrong_answers(name, k):
    """The wrong answers of submission k: {question: (code, sentence, points)}."""
    chosen, solutions = {}, answers_of(solved(name))
    for i, (question, three) in enumerate(sorted(WRONG[name].items())):
        if (k - i) % 4:
            code, sentence, *worth = three[(k - i) % 4 - 1]
            if isinstance(code, tuple):
                assert code[0] in solutions[question].source, code
                code = solutions[question].source.replace(*code)
            chosen[question] = code, sentence, sum(worth)
    return chosen


def with_answers(nb, answers):
    """The notebook with some answers, named by question, replaced."""
    for question, cell in answers_of(nb).items():
        cell.source = answers.get(question, cell.source)
    return nb


def phi_and_error():
    return answers_of(solved(NAMES[2]))["q5"].source + "\n1 / 0"


def with_words(nb, words, **pictures):
    """The notebook with a written answer, and pictures in it as JupyterLab keeps them."""
    for cell in answers_of(nb).values():
        if cell.cell_type == "markdown":
            cell.source, cell.attachments = words, nbformat.from_dict(pictures)
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
        if mark(cell).get("locked"):
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


SCRIPTS = (
    "here is my answer <script>alert(1)</script> <img src=x onerror=alert(2)> "
    "[a link](javascript:alert(3))"
)


def add_cells(nb, count, source):
    nb.cells[2:2] = [nbformat.v4.new_code_cell(source) for _ in range(count)]
    return nb


def answer_below(nb):
    """The written answer in a cell of its own."""
    nb.cells.append(nbformat.v4.new_markdown_cell("because"))
    return nb


def without_metadata(nb):
    """As programs leave it that know nothing of nbgrader."""
    for cell in with_words(nb, "because").cells:
        cell.metadata = {}
    return nb


FRAME = {
    "newlines by the million": lambda nb: as_text(add_cells(nb, 99, "\n" * 49_990)),
    "script in the feedback": lambda nb: with_words(nb, SCRIPTS),
    "tests deleted": delete_tests,
    "tests edited": edit_tests,
    "tests doubled": double_tests,
    "not JSON": lambda nb: "This is my homework.",
    "JSON, but no notebook": lambda nb: '{"cells": 3}',
    "wrong kernel": other_kernel,
    "100 MB stored in the file": stored_output,
    "checks of its own beside it": lambda nb: nb,
}


def write_submissions(folder, course):
    """Every submission of this file, in two folders: those that get pages are few."""

    def hand_in(student, name, nb):
        place = folder / ("few" if student in WITH_PAGES else "handed-in")
        path = place / student / f"{name}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(nb if isinstance(nb, str) else nbformat.writes(nb), encoding="utf-8")

    def starter(name=FIRST):
        return nbformat.read(course / "release" / name / f"{name}.ipynb", as_version=4)

    for name in NAMES:
        hand_in("solution", name, solved(name))
        hand_in("starter", name, starter(name))
        for k in range(4):
            answers = {question: code for question, (code, *_) in wrong_answers(name, k).items()}
            hand_in(f"wrong {k}", name, with_answers(solved(name), answers))
    places = {
        "OUTSIDE": folder,
        "SOURCE": ROOT,
        "SOLVED": assignments()[FIRST],
        "GRADEBOOK": course / "gradebook.db",
    }
    for case, code in HOSTILE.items():
        for word, path in places.items():
            code = code.replace(word, str(path))
        hand_in(f"hostile {case}", FIRST, with_answers(starter(), {"q1": code}))
    for case, spoil in FRAME.items():
        hand_in(f"hostile {case}", FIRST, spoil(starter()))
    handed_in = folder / "handed-in"
    (handed_in / "hostile checks of its own beside it" / "checks.py").write_text(FALSE_CHECKS)
    words = "See ![my drawing](attachment:drawing.png) and ![](attachment:lost.png)"
    hand_in("picture", FIRST, with_words(starter(), words, **{"drawing.png": {"image/png": PIXEL}}))
    hand_in("split", FIRST, split(starter()))
    hand_in("many cells", FIRST, add_cells(solved(FIRST), 150, "1"))
    hand_in("answer below", FIRST, answer_below(starter()))
    hand_in("no metadata", FIRST, without_metadata(solved(FIRST)))
    hand_in("matrix", FIRST, with_answers(solved(FIRST), {"q4": TIGHT_MATRIX}))
    hand_in("error", NAMES[2], with_answers(solved(NAMES[2]), {"q5": phi_and_error()}))
    hand_in("remembers", NAMES[2], with_answers(starter(NAMES[2]), {"q5": REMEMBERS}))
    habits = HONEST["matplotlib inline"] + "\n!pip --version\n%timeit -n 1 -r 1 input()"
    hand_in("Jörg Müller", FIRST, with_answers(starter(), {"q1": habits}))
    hand_in("st[ar]*", FIRST, starter())
    (handed_in / "linked folder").mkdir()
    (handed_in / "linked folder" / FIRST).symlink_to(HOMEWORK)


# --- grading them ------------------------------------------------------------------------------


class Graded:
    """Every submission of this file, graded by a plain user: {(student, assignment): row}."""

    def __init__(self, folder):
        self.outside, self.rows = folder, {}
        self.course, self.with_pages = folder / "course", folder / "course-with-pages"
        line = plainly([sys.executable, "-m", "tests.grading", str(folder)], folder)
        done = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, timeout=1800)
        if done.returncode:
            raise RuntimeError(done.stdout + done.stderr)
        for course in (self.course, self.with_pages):
            self.rows |= read_rows(course)

    def place(self, course, stage, student, name):
        return course / stage / self.rows[student, name]["key"] / name / name

    def autograded(self, student, name=FIRST):
        course = self.with_pages if student in WITH_PAGES else self.course
        path = self.place(course, "autograded", student, name)
        return nbformat.read(path.with_suffix(".ipynb"), as_version=4)

    def page(self, student, name=FIRST):
        """The feedback that the student gets."""
        path = self.place(self.with_pages, "feedback", student, name)
        return path.with_suffix(".html").read_text(encoding="utf-8")


def read_rows(course):
    with open(course / "grades.csv", encoding="utf-8", newline="") as file:
        return {(row["student"], row["assignment"]): row for row in csv.DictReader(file)}


def grade_everything(folder):
    """What the process does: release, hand in, and grade."""
    course, with_pages = folder / "course", folder / "course-with-pages"
    subprocess.run(command(course, "release"), check=True)
    write_submissions(folder, course)
    most = ["grade", str(folder / "handed-in"), "--seconds", "8", "--without-feedback"]
    few = ["grade", str(folder / "few"), "--seconds", "8"]
    return max(
        subprocess.run(command(*how)).returncode for how in ((course, *most), (with_pages, *few))
    )


def command(folder, *arguments):
    return [sys.executable, "-m", "grading", "--build", str(folder), *arguments]


def plainly(command, folder):
    """The command as one of a plain user, who owns the folder: root has rights that hide what goes
    wrong for others.  What root alone can reach of what is needed is bound to where it is."""
    if os.geteuid():
        return command
    for path in [folder, *folder.rglob("*")]:
        os.chown(path, 1000, 1000, follow_symlinks=False)
    line = ["bwrap", "--die-with-parent", "--bind", "/", "/", "--dev-bind", "/dev", "/dev"]
    needed, closed = [Path(sys.base_prefix), Path(sys.prefix), ROOT, folder], {}
    for path in needed:
        for parent in reversed(path.parents):
            if not parent.stat().st_mode & 1:
                closed.setdefault(parent, []).append(path)
                break
    for parent, paths in closed.items():
        line += ["--perms", "0755", "--tmpfs", str(parent)]
        for between in sorted({p for path in paths for p in path.parents if parent in p.parents}):
            line += ["--perms", "0755", "--dir", str(between)]
        for path in paths:
            line += ["--bind", str(path), str(path)]
    line += ["--setenv", "HOME", str(folder), "--unsetenv", "XDG_CACHE_HOME"]
    line += ["--", "setpriv", "--reuid", "1000", "--regid", "1000", "--clear-groups"]
    return line + command


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
