"""One submission, from the file to its points and its page: what runs in the outer cage.

The supervisor starts this process with the file as its input, tells it in a request what to do, and
reads what it writes: a line of JSON for each step, followed by the files that the line names, byte
by byte.  nbgrader does the grading, in a course of its own that is gone when this process is.  Who
the student is, is not known here.
"""

import json
import os
import resource
import shutil
import sys
import tempfile
from pathlib import Path

sys.modules["rfc3987_syntax"] = None  # jsonschema would spend a second on a grammar of addresses

STUDENT = "student"
MEMORY = 2**32  # bytes, of each process
LARGEST_FILE = 2**26  # bytes in any file here, the results included


def main(request):
    tell = Results()
    limit()
    import nbformat

    from grading.feedback import questions
    from grading.frame import Refused, answer_names, framed, read_cells

    name, released = request["name"], nbformat.read(request["released"], as_version=4)
    names, asked = answer_names(released), questions(released)
    tell(step="reading the file")
    try:
        nb = framed(released, read_cells(sys.stdin.buffer.read(LARGEST_FILE)))
    except (Refused, MemoryError) as error:
        return tell(refused=str(error) or "the file takes too much memory to be read")
    tell(step="running the answers")
    folder = Path(tempfile.mkdtemp())
    prepare(folder, request, names)
    place = folder / "submitted" / STUDENT / name / f"{name}.ipynb"
    place.parent.mkdir(parents=True)
    nbformat.write(nb, place)
    autograded, graded = autograde(folder, name)
    tell({"submitted": place.read_bytes(), "autograded": autograded.read_bytes()}, graded=graded)
    if request["page"]:
        tell(step="making the page")
        tell({"feedback": page(folder, name, asked, request["marks"])})
    return tell(step="done")


class Results:
    """What the supervisor is going to read; nothing else gets there, whatever is printed here."""

    def __init__(self):
        self.file = os.fdopen(os.dup(1), "wb")
        os.dup2(2, 1)

    def __call__(self, files=None, **told):
        files = files or {}
        told["files"] = {name: len(data) for name, data in files.items()}
        self.file.write(json.dumps(told).encode() + b"\n" + b"".join(files.values()))
        self.file.flush()


def limit():
    """The limits of each process here; the supervisor adds up what all of them use."""
    most = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, most))
    resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST_FILE, LARGEST_FILE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def prepare(folder, request, names):
    """A course for this submission alone, and what the grading kernel is told by the environment.

    The kernel finds the checks in the course's source, ahead of anything beside a notebook; the
    submission's process gets these and the library, and nothing else of this clone."""
    from grading.cage import ROOT

    source = Path(request["source"])
    shutil.copy(request["gradebook"], folder / "gradebook.db")
    (folder / "source").mkdir()
    (folder / "source" / request["name"]).symlink_to(source)
    sandbox = {"packages": [str(ROOT / "perceptron_lib"), str(source / "checks")]}
    sandbox |= {"fonts": request["fonts"], "isolate": request["isolate"]} | request["limits"]
    os.environ["SUBMISSION_SANDBOX"] = json.dumps({"names": names, "sandbox": sandbox})
    os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT), str(source)])


def autograde(folder, name):
    """nbgrader's grading: the graded notebook, and the points that it gave."""
    import nbformat

    from grading.course import gradebook, nbgrader, succeed

    succeed(nbgrader(folder).autograde(name, STUDENT), "autograding")
    path = folder / "autograded" / STUDENT / name / f"{name}.ipynb"
    path.chmod(0o644)  # nbgrader leaves it read-only
    graded = nbformat.read(path, as_version=4)
    for cell in [cell for cell in graded.cells if cell.cell_type == "code"]:
        errors = [out.evalue for out in cell.outputs if "evalue" in out]
        if cell.source.startswith("%%setup") and errors:
            raise RuntimeError(f"the assignment's own cells failed: {errors[0][:200]!r}")
        # The student's code is shown as it was handed in.
        cell.source = cell.source.removeprefix("%%setup\n").removeprefix("%%submission\n")
    nbformat.write(graded, path)
    with gradebook(folder) as book:
        found = book.find_submission_notebook(name, name, STUDENT)
        points = {grade.name: grade.auto_score for grade in found.grades}
        blank = [comment.name for comment in found.comments if comment.auto_comment]
    return path, {"points": points, "blank": blank}


def page(folder, name, asked, marks):
    """The page that tells the student what the grade is made of, the lecturer's marks included."""
    import nbformat

    from grading import feedback
    from grading.course import gradebook, grades, set_marks

    with gradebook(folder) as book:
        found = book.find_submission_notebook(name, name, STUDENT)
        set_marks(found, marks)
        given = grades(found)
    graded = nbformat.read(folder / "autograded" / STUDENT / name / f"{name}.ipynb", as_version=4)
    return feedback.page(graded, *asked, given).encode()


if __name__ == "__main__":
    with os.fdopen(int(sys.argv[1])) as file:
        asked = json.load(file)
    main(asked)
