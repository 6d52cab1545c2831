"""The manifest: of every notebook its cells, in order, and the kinds of their outputs.

A cell that was deleted, or made raw, leaves nothing behind that could fail. So what is to be there
is written down in manifest.json, by `make notebooks`, and compared by the tests.
"""

import json

from tools import ROOT

MANIFEST = ROOT / "tools" / "manifest.json"


def name(path):
    """What the manifest calls a notebook: its path within the collection."""
    return path.relative_to(ROOT).as_posix()


def contents(nb):
    """A line for each cell of a notebook."""
    kinds = ([cell.cell_type, *map(kind, cell.get("outputs", []))] for cell in nb.cells)
    return [f"{cell.id}: {', '.join(what)}" for cell, what in zip(nb.cells, kinds, strict=True)]


def kind(out):
    """Of which kind an output is.

    >>> kind({"output_type": "execute_result", "data": {"text/plain": "42", "image/png": ""}})
    'execute_result image/png text/plain'
    """
    return " ".join([out.get("name", out["output_type"]), *sorted(out.get("data", []))])


def written():
    """The manifest: for each notebook the lines of its cells."""
    return json.loads(MANIFEST.read_text(encoding="utf-8"))


def write(lines):
    """Write the manifest, given as `written` returns it."""
    text = json.dumps(dict(sorted(lines.items())), indent=1)
    MANIFEST.write_text(text + "\n", encoding="utf-8", newline="\n")


def differences(nb, lines):
    """The sentences on how a notebook differs from its lines in the manifest."""
    here = contents(nb)
    found = [f"The manifest has the cell {line}." for line in lines if line not in here]
    found += [f"The notebook has the cell {line}." for line in here if line not in lines]
    if not found and here != lines:
        found.append("The cells stand in another order, or twice.")
    return found
