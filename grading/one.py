"""One submission, from the file to its points and its page: what runs in the outer cage.

The supervisor starts this process with the file as its input, tells it in a request what to do, and
reads what it writes: pieces, each after a line with its name and its size.  The student's cells are
run in the sandbox, the tests here, on the plain data that the sandbox gives.  Who the student is,
is not known here.
"""

import ast
import contextlib
import io
import json
import os
import resource
import sys

sys.modules["rfc3987_syntax"] = None  # jsonschema would spend a second on a grammar of addresses

import nbformat  # noqa: E402

from grading import feedback  # noqa: E402
from grading.cage import ROOT  # noqa: E402
from grading.frame import NO_ANSWER, answer_names, framed, harmless, mark, read_cells  # noqa: E402
from grading.limits import A_PROCESS, LARGEST, RESULTS  # noqa: E402
from grading.reader import Refused  # noqa: E402
from grading.sandbox import PATIENCE, Sandbox, SubmissionError  # noqa: E402
from grading.worker import clean, end_with_parent  # noqa: E402

LONGEST = 100_000  # characters that a cell may say
UNREADABLE = "only numbers, lists and arrays of moderate size can be graded"


def main(request):
    tell = Results()
    limit()
    sys.modules["numba"] = None  # a cage keeps no machine code, and to make it takes three seconds
    source = os.path.join(request["source"], f"{request['name']}.ipynb")
    packages = [ROOT / "perceptron_lib", os.path.join(request["source"], "checks")]
    sandbox = Sandbox(packages, request["fonts"], request["isolate"], **request["limits"])
    sandbox.start()
    released, solved = (nbformat.read(p, as_version=4) for p in (request["released"], source))
    names, asked, blank = answer_names(released), feedback.questions(released), written(released)
    tell(step="reading the file")
    try:
        nb, notes = framed(released, read_cells(sys.stdin.buffer.read(LARGEST + 1)))
    except (Refused, MemoryError) as error:
        return tell(refused=str(error) or "the file takes too much memory to be read")
    tell(step="preparing")
    sys.path.append(request["source"])  # where the tests find the students' checks
    handed_in = as_text(nb)
    run = Run(sandbox, names, solved)
    run.begin = lambda: tell(step="running the answers", submitted=handed_in)
    points = run.run(nb)
    for question, text in written(nb).items():  # marked by hand, if there is something to mark
        empty = text in ("", NO_ANSWER, harmless(blank[question]))
        points[question] = 0 if empty and not added_words(nb) else None
        if empty and added_words(nb):
            notes.append(f"{question} may be answered in a cell of the student's own")
    tell(autograded=as_text(nb), points=json.dumps(points), notes="; ".join(notes))
    if request["page"]:
        tell(step="making the page")
        tell(feedback=feedback.page(nb, *asked, with_marks(points, request["marks"])))
    return tell(step="done")


class Results:
    """What the supervisor is going to read; nothing else gets there, whatever is printed here."""

    def __init__(self):
        self.file = os.fdopen(os.dup(1), "wb")
        os.dup2(2, 1)

    def __call__(self, **pieces):
        for name, text in pieces.items():
            data = text.encode()
            self.file.write(f"{name} {len(data)}\n".encode() + data)
        self.file.flush()


def limit():
    """The limits of each process here, of which the worker lowers some for the student's; the
    supervisor adds up what all of them use."""
    end_with_parent()
    resource.setrlimit(resource.RLIMIT_AS, (A_PROCESS, resource.getrlimit(resource.RLIMIT_AS)[1]))
    resource.setrlimit(resource.RLIMIT_FSIZE, (RESULTS, RESULTS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def written(nb):
    """The answers in words, by question."""
    cells = [cell for cell in nb.cells if mark(cell).get("grade") and mark(cell).get("solution")]
    return {mark(cell)["grade_id"]: cell.source.strip() for cell in cells}


def added_words(nb):
    """Is there Markdown in cells that are not the assignment's?"""
    own = [c for c in nb.cells if c.cell_type == "markdown" and c.metadata.get("handed_in")]
    return any(cell.source.strip() for cell in own if not mark(cell))


def as_text(nb):
    """The notebook as a file, where a line of code takes no line of JSON, which may be long."""
    return nbformat.writes(nb, split_lines=False)


def with_marks(points, marks):
    """Of every question the score, None while it is to be marked by hand, and a comment."""
    found = {}
    for question, given in points.items():
        by_hand, extra, words = marks.get(question) or (None, None, None)
        score = given if by_hand is None else by_hand
        found[question] = None if score is None else score + (extra or 0), words or ""
    return found


# --- running ---------------------------------------------------------------------------------


class Run:
    """A notebook being run: the student's cells in the sandbox, the tests with what it gives."""

    def __init__(self, sandbox, names, solved):
        self.sandbox, self.names, self.untouched = sandbox, names, True
        self.tests = {mark(c)["grade_id"]: c.source for c in solved.cells if mark(c).get("locked")}
        self.space = {}  # the names that the tests see
        self.begin = lambda: None  # is called before the first of the student's cells

    def run(self, nb):
        """Run all cells, put in what they say, and return the points that the machine gives."""
        points = {}
        for cell in [cell for cell in nb.cells if cell.cell_type == "code"]:
            printed, error = io.StringIO(), None
            with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
                try:
                    if name := mark(cell).get("grade") and mark(cell)["grade_id"]:
                        points[name], cell.source = 0, self.tests[name]
                        points[name] = self.test(cell.source)
                    elif cell.metadata.get("handed_in"):
                        self.answer(cell.source)
                    else:
                        self.setup(cell.source)
                except Exception as reason:
                    error = reason
            cell.outputs = outputs(clean(printed.getvalue(), LONGEST), error)
            if error and not name and self.untouched:
                raise RuntimeError(f"the assignment's own cells failed: {error}")
        return points

    def test(self, source):
        """The points that a test gives: the value that it ends with."""
        code = ast.parse(source)
        last = ast.Expression(code.body.pop().value)
        exec(compile(code, "test", "exec"), self.space)
        return float(eval(compile(last, "test", "eval"), self.space))

    def answer(self, source):
        """Run the student's cell in the sandbox, and take the answers over."""
        if self.untouched:
            self.begin()
        self.untouched = False
        printed, error = self.sandbox.run(source)
        print(printed, end="")
        for name in self.names:
            self.space.pop(name, None)
        found, unreadable = self.sandbox.values(self.names)
        self.space.update(found)
        for name, kind in unreadable.items():
            print(f"`{name}` is of type {kind}; {UNREADABLE}.")
        if error:
            raise SubmissionError(f"this cell failed: {error}")

    def setup(self, source):
        """Run a cell of the assignment's own on both sides."""
        exec(source, self.space)
        printed, error = self.sandbox.run(source, PATIENCE if self.untouched else None)
        if error:
            raise SubmissionError(f"this cell failed: {error}\n{printed}")


def outputs(printed, error):
    """What a cell printed, and the error that it ended in, as a notebook stores them."""
    made = [nbformat.v4.new_output("stream", name="stdout", text=printed)] if printed else []
    if error:
        kind, text = type(error).__name__, clean(error, 2000)
        trace = [f"{kind}: {text}"]
        made.append(nbformat.v4.new_output("error", ename=kind, evalue=text, traceback=trace))
    return made


if __name__ == "__main__":
    with os.fdopen(int(sys.argv[1])) as file:
        asked = json.load(file)
    main(asked)
