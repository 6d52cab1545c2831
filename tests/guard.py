"""What a stored notebook must be, so that comparing it with a new run means something.

nbval compares nothing in a cell that was never run, or that carries a mark to be left out. So a
notebook without outputs passes it; the guard refuses such a notebook, in one sentence per reason.
"""

import re

from nbval.plugin import comment_markers, metadata_tags

from tests.refresh import normalise, read, write

MARKERS = set(comment_markers) | set(metadata_tags)
UNSTABLE = re.compile(r"<Figure |\bat 0x[0-9a-fA-F]+")


def refusals(text):
    """The reasons, one sentence each, why the notebook in `text` is refused; none if it is good."""
    nb = read(text)
    code = [cell for cell in nb.cells if cell.cell_type == "code" and cell.source.strip()]
    found = []
    if nb.metadata.get("kernelspec", {}).get("name") != "python3":
        found.append("The kernel is not python3.")
    if [cell.execution_count for cell in code] != list(range(1, len(code) + 1)):
        found.append("The code cells were not run once each from top to bottom (counts 1 to n).")
    if not any(cell.outputs for cell in code):
        found.append("No output is stored, so there is nothing to compare.")
    for cell in code:
        found += [f"Cell {cell.id}: {reason}" for reason in cell_refusals(cell)]
    if not found and write(normalise(nb)) != text:
        found.append("The file is not in the form that `make notebooks` writes.")
    return found


def cell_refusals(cell):
    """The reasons against one code cell that was run."""
    for marker in sorted(MARKERS):
        if marker in cell.source or marker in cell.metadata.get("tags", []):
            yield f"the mark {marker} keeps its output from being compared."
    if re.search(r"isclose|allclose", cell.source):
        yield "it compares with a tolerance (isclose, allclose) where it should be exact."
    for out in cell.outputs:
        if out.output_type == "error":
            yield f"it ended in the error {out.ename}."
        elif out.get("name") == "stderr":
            yield "it wrote to stderr."
        data = out.get("data", {})
        alts = [out.metadata.get("image/png", {}).get("alt", "")] if "image/png" in data else []
        alts += map(alt_of, re.findall(r"<img\b[^>]*>", data.get("text/html", "")))
        if not all(alt.strip() for alt in alts):
            yield "its picture has no alternative text."
        texts = [out.get("text", ""), *(str(data[key]) for key in data if key[:4] == "text")]
        for match in filter(None, map(UNSTABLE.search, texts)):
            yield f"its output shows an object's address or name ({match.group().strip()})."


def alt_of(tag):
    """The alternative text of an HTML picture."""
    found = re.search(r"""\balt=(["'])(.*?)\1""", tag, re.DOTALL)
    return found.group(2) if found else ""
