"""What a stored notebook must be, so that comparing it with a new run means something.

nbval compares nothing in a cell that was never run, or that carries a mark to be left out; a reader
sees nothing of an output that is hidden, captured or emptied.  The guard has five rules:

1. All code cells were run once each, in order, on a fresh kernel, as `make notebooks` does it.
2. None ended in an error or wrote to stderr.
3. None tells nbval to ignore something.
4. No output is hidden, captured or empty.  But the answer to a Predict is a closed fold, and so is
   the paragraph after it.
5. Every figure has an alternative text.
"""

import ast
import re

from IPython.core.displayhook import DisplayHook
from nbval.plugin import find_comment_markers, metadata_tags

from perceptron_lib import answer
from tools.refresh import normalise, read, write

HIDING_TAG = re.compile(r"(remove|hide)[-_].*")  # as the tools that make pages know them
HIDING = {"capture_output", "redirect_stdout", "redirect_stderr", "clear_output", "get_ipython"}
FOLD = re.compile(r"<details><summary>(?!.*<details open).*</details>\s*$", re.DOTALL)
IMG = re.compile(r"<img\b[^>]*>")
ALT = re.compile(r"""\balt=(["'])\s*[^\s"'].*?\1""", re.DOTALL)


def refusals(text):
    """The reasons, one sentence each, why the notebook in `text` is refused; none if it is good."""
    nb = read(text)
    counts = [cell.execution_count for cell in nb.cells if cell.cell_type == "code"]
    reasons, secret = [], answers(nb.cells)
    if counts != list(range(1, len(counts) + 1)):
        reasons.append("The code cells were not run once each, in order: `make notebooks` does it.")
    for k, cell in enumerate(nb.cells):
        own = [*hidden(cell)]
        if cell.cell_type == "code":
            own += [*ignored(cell), *captured(cell.source), *amiss(cell.outputs)]
            own += [*told(cell.outputs)] if k in secret else []
        elif k in secret and not FOLD.match(cell.source):
            own.append("the text after an answer stands open")
        reasons += [f"Cell {cell.id}: {reason}." for reason in own]
    if not reasons and write(normalise(nb)) != text:
        reasons.append("The file is not in the form that `make notebooks` writes.")
    return reasons


def answers(cells):
    """The places of the cells that answer a Predict: those up to the text after its result, or up
    to the result if there were choices, which tell it as well."""
    places, asked, shown, choices = [], False, False, False
    for k, cell in enumerate(cells):
        if asked and (cell.cell_type == "code" or (shown and not choices)):
            places.append(k)
        shown = asked and (shown or bool(cell.get("outputs")))
        asked &= cell.cell_type == "code"
        if "**Predict" in cell.source:
            asked, choices = True, "<details" in cell.source
    return places


def told(outputs):
    """The outputs that answer a Predict before anybody has opened them."""
    for out in outputs:
        data = out.get("data", {})
        folds = FOLD.match(data.get("text/html", "")) and set(data) == {"text/html", "text/plain"}
        if not folds or data["text/plain"] != repr(answer()):
            yield "it answers a Predict, and is not folded: end it with answer(…)"


def hidden(cell):
    """The reasons against how a cell is shown."""
    jupyter = cell.metadata.get("jupyter", {})
    if jupyter.get("source_hidden"):
        yield "its source is hidden"
    if jupyter.get("outputs_hidden") or cell.metadata.get("collapsed"):
        yield "its output is hidden"
    for tag in filter(HIDING_TAG.fullmatch, cell.metadata.get("tags", [])):
        yield f"the tag {tag} hides it"


def ignored(cell):
    """The marks, in comments and tags, that keep nbval from comparing a cell."""
    for what, how in find_comment_markers(cell.source):
        yield f"a comment tells nbval {what}={how}"
    for tag in metadata_tags.keys() & set(cell.metadata.get("tags", [])):
        yield f"the tag {tag} is one of nbval's"


def captured(source):
    """The ways in which code keeps its output from the reader."""
    try:
        nodes = list(ast.walk(ast.parse(source)))
    except (SyntaxError, ValueError):
        yield "it is not plain Python; a magic can capture its output"
        return
    names = {getattr(node, key, None) for node in nodes for key in ("id", "attr", "name")}
    yield from (f"{name} can hide what is shown" for name in sorted(HIDING & names))
    if DisplayHook.semicolon_at_end_of_expression(source):
        yield "a semicolon at its end hides its result"


def amiss(outputs):
    """The reasons against the outputs of a cell."""
    for out in outputs:
        if out.output_type == "error":
            yield f"it ended in the error {out.ename}"
            continue
        if out.get("name", "stdout") != "stdout":
            yield f"it wrote to {out.name}"
        data = out.get("data", {})
        if not (out.get("text") or any(data.values())):
            yield "its output is empty"
        alts = [ALT.search(tag) for tag in IMG.findall(data.get("text/html", ""))]
        alts += [out.metadata.get(kind, {}).get("alt", "").strip()
                 for kind in data if kind.startswith("image/")]  # fmt: skip
        if not all(alts):
            yield "its picture has no alternative text"
