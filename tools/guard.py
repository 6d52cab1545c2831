"""What a stored notebook must be, so that comparing it with a new run means something.

nbval compares nothing in a cell that was never run, or that carries a mark to be left out; a reader
sees nothing of an output that is hidden, overwritten or captured.  The guard refuses a notebook
with any of that, in one sentence per reason.  tests/test_guard.py has the ways to tamper with a
notebook that are known, and what sees each of them.
"""

import ast
import io
import os
import re
import tokenize
import unicodedata
from pathlib import Path

import nbformat
from nbval.plugin import comment_markers

from tools.pictures import half_size, is_still_png
from tools.refresh import normalise, read, write

OTHERS = re.compile(r"\.git|\.venv.*|\.ipynb_checkpoints")  # folders of no one's writing
# Tags: a row of the ledger, the self-test, and what a deck takes from a lesson by its name.
TAG = re.compile(r"[A-Z]\d+[a-z]?|self-test|show-[a-z0-9-]+")
PREDICT = "**Predict"
SLIDES = {"slide", "subslide", "fragment", "skip", "notes", "-"}
KINDS = {"image/png", "text/html", "text/latex", "text/markdown", "text/plain"}
HIDING = {"Cc", "Cf", "Co", "Cs", "Zl", "Zp"}  # Unicode's control and format characters
UNSTABLE = re.compile(r"<Figure |\bat 0x[0-9a-fA-F]+")
# In a text: what no code drew, what hides, what runs.
FOREIGN = re.compile(
    r"!\[|<(img|svg|picture|video|audio|canvas|object|embed|iframe|script|style|link)\b|<!--"
    r"|<[a-z]+\s[^<>]*\b(style|hidden|on[a-z]+)\b",
    re.IGNORECASE,
)
NAMES = {
    "compares with a tolerance where it should be exact": {
        "isclose", "allclose", "approx", "assert_allclose", "assert_almost_equal",
    },
    "can hide what is put out": {
        "capture_output", "redirect_stdout", "redirect_stderr", "clear_output", "devnull",
    },
    "runs code that is not shown": {
        "get_ipython", "exec", "eval", "__import__", "import_module", "run_path", "run_module",
    },
}  # fmt: skip


def refusals(text):
    """The reasons, one sentence each, why the notebook in `text` is refused; none if it is good."""
    try:
        nb = read(text)
        nbformat.validate(nb)
    except (ValueError, KeyError, TypeError, AttributeError, nbformat.ValidationError) as error:
        return [f"This is no notebook of format 4.5: {str(error).splitlines()[0]}"]
    code = [cell for cell in nb.cells if cell.cell_type == "code"]
    found = []
    if nb.metadata.get("kernelspec", {}).get("name") != "python3":
        found.append("The kernel is not python3.")
    if [cell.execution_count for cell in code] != list(range(1, len(code) + 1)):
        found.append("The code cells were not run once each, in order: `make notebooks` does it.")
    if not any(cell.outputs for cell in code):
        found.append("No output is stored, so there is nothing to compare.")
    before = None
    for cell in nb.cells:
        reasons = [*frame_refusals(cell, before), *OF_TYPE[cell.cell_type](cell)]
        found += [f"Cell {cell.id}: {reason}" for reason in reasons]
        before = cell
    if not found and write(normalise(nb)) != text:
        found.append("The file is not in the form that `make notebooks` writes.")
    return found


def frame_refusals(cell, before):
    """The reasons against what is around a cell's text: its tags, and how it is shown."""
    tags, jupyter = cell.metadata.get("tags", []), cell.metadata.get("jupyter", {})
    for tag in tags:
        if not TAG.fullmatch(tag):
            yield f"the tag {tag} is neither a row of the ledger nor show-…; tags can hide a cell."
    if cell.metadata.get("slideshow", {}).get("slide_type", "-") not in SLIDES:
        yield "its slide type is unknown."
    if jupyter.get("source_hidden"):
        yield "its source is hidden."
    hidden = jupyter.get("outputs_hidden") or cell.metadata.get("collapsed")
    if hidden and not (before and before.cell_type == "markdown" and PREDICT in before.source):
        yield "its output is hidden, and no Predict stands before it."
    yield from hiding_characters("it", cell.source)


def code_refusals(cell):
    """The reasons against a code cell."""
    for marker in comment_markers:
        if marker in cell.source:
            yield f"the mark {marker} keeps its output from being compared."
    try:
        tree = ast.parse(cell.source)
    except (SyntaxError, ValueError):
        yield "it is not plain Python; magics, ! and ? hide or load things."
    else:
        used = set(names_in(tree))
        for reason, names in NAMES.items():
            yield from (f"{name} {reason}." for name in sorted(names & used))
        if not tree.body:
            yield "there is no code in it."
        elif last_token(cell.source) == ";":
            yield "a semicolon at its end hides its result."
    for out in cell.outputs:
        yield from output_refusals(out)


def output_refusals(out):
    """The reasons against one output of a cell."""
    if out.output_type == "error":
        yield f"it ended in the error {out.ename}."
    elif out.get("name", "stdout") != "stdout":
        yield f"it wrote to {out.name}."
    data, words = out.get("data", {}), dict(out.get("metadata", {}))
    for kind in sorted(set(data) - KINDS):
        yield f"its output is of the kind {kind}, which is not compared."
    alts = []
    if "image/png" in data:
        about = dict(words.pop("image/png", {}))
        alts.append(about.pop("alt", ""))
        if not is_still_png(data["image/png"]):
            yield "its picture is not a PNG of one still picture."
        elif "width" in about or "height" in about:
            shown = about.pop("width", 0), about.pop("height", 0)
            if shown != half_size(data["image/png"]):
                yield f"its picture is to be shown in a way of its own, not half its size: {shown}."
        words |= about
    if words:
        yield f"its output is to be shown in a way of its own: {words}."
    alts += map(alt_of, re.findall(r"<img\b[^>]*>", data.get("text/html", "")))
    if not all(alt.strip() for alt in alts):
        yield "its picture has no alternative text."
    texts = [out.get("text", ""), *(data[key] for key in data if key[:4] == "text")]
    if not any(texts) and out.output_type != "error":
        yield "its output is empty."
    for text in texts:
        yield from hiding_characters("its output", text)
        if match := UNSTABLE.search(text):
            yield f"its output shows an object's address or name ({match.group().strip()})."


def text_refusals(cell):
    """The reasons against a Markdown cell."""
    if match := FOREIGN.search(cell.source):
        yield f"{match.group()!r} shows or hides what no code has made."
    if cell.get("attachments"):
        yield "a file is attached to it."


def raw_refusals(cell):
    yield "it is raw: neither text nor code."


OF_TYPE = {"code": code_refusals, "markdown": text_refusals, "raw": raw_refusals}


def hiding_characters(what, text):
    found = {char for char in text if unicodedata.category(char) in HIDING} - {"\n", "\t"}
    for char in sorted(found):
        yield f"{what} has the character U+{ord(char):04X}, which can hide text."


def names_in(tree):
    """Every name that a piece of code uses, also after a dot and in an import.

    >>> sorted(names_in(ast.parse("from a.b import c as d; e.f(g)")))
    ['a', 'b', 'c', 'e', 'f', 'g']
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.ImportFrom):
            yield from (node.module or "").split(".")
        elif isinstance(node, ast.alias):
            yield from node.name.split(".")


def last_token(source):
    """The last token of a cell that is neither a comment nor white space."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return [t.string for t in tokens if t.type != tokenize.COMMENT and t.string.strip()][-1]


def alt_of(tag):
    """The alternative text of an HTML picture."""
    found = re.search(r"""\balt=(["'])(.*?)\1""", tag, re.DOTALL)
    return found.group(2) if found else ""


def notebooks_in(folder):
    """Every notebook in a folder, however its name is written, but what is built or installed."""
    for place, folders, files in os.walk(folder):
        built = {"build"} if place == str(folder) else set()
        folders[:] = [name for name in folders if not OTHERS.fullmatch(name) and name not in built]
        yield from (Path(place, name) for name in files if name.lower().endswith(".ipynb"))
