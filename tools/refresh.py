"""Run notebooks on a fresh kernel and store them in one normal form.

    python -m tools.refresh [--redraw] [notebook ...]        (none given: all under notebooks/)

A stored notebook is a page to read and a record to compare with, so it holds what a reader sees
and nothing that differs from run to run: no timing, no widget state, no version of Python. When
nothing changed, the file keeps its very bytes. A notebook with a failing cell is left as it was.

Pictures are drawn with the versions that constraints.txt names; to draw them with the versions
installed here, and to name those, is what `--redraw` is for.
"""

import argparse
import itertools
import json
import os
import sys
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient

from perceptron_lib.claims import follows
from tools import ROOT, manifest, pictures, teaching

NOTEBOOKS = ROOT / "notebooks"
KERNELSPEC = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
CELL_METADATA = {"collapsed", "jupyter", "nbgrader", "slideshow", "tags"}


class Client(NotebookClient):
    """A client that leaves widgets alone, so that a widget's first picture stays in its cell."""

    def on_comm_open_jupyter_widget(self, msg):
        pass

    def clear_output(self, outs, msg, cell_index):
        pass


def all_notebooks():
    """Every notebook under notebooks/, without JupyterLab's checkpoints."""
    found = NOTEBOOKS.rglob("*.ipynb")
    return sorted(path for path in found if ".ipynb_checkpoints" not in path.parts)


def read(text):
    """The notebook in `text`; a cell without an id gets one that does not depend on chance."""
    raw = json.loads(text)
    ids = [cell["id"] for cell in raw["cells"] if "id" in cell]
    used = set(ids)
    if len(used) < len(ids):
        raise ValueError("Two cells have the same id.")
    for number, cell in enumerate(raw["cells"], 1):
        if "id" not in cell:
            names = (f"cell-{k:02d}" for k in itertools.count(number))
            cell["id"] = next(name for name in names if name not in used)
            used.add(cell["id"])
    raw["nbformat"], raw["nbformat_minor"] = 4, 5
    return nbformat.reads(json.dumps(raw), as_version=4)


def write(nb):
    """The text of a notebook file."""
    return nbformat.writes(nb).rstrip("\n") + "\n"


def normalise(nb):
    """Bring `nb` into the stored form, in place, and return it."""
    nb.metadata = nbformat.from_dict(
        {"kernelspec": KERNELSPEC, "language_info": {"name": "python"}}
    )
    counts = itertools.count(1)
    for cell in nb.cells:
        cell.metadata = nbformat.from_dict(
            {key: value for key, value in cell.metadata.items() if key in CELL_METADATA}
        )
        if cell.cell_type == "code":
            cell.execution_count = next(counts) if cell.source.strip() else None
            cell.outputs = _merged(cell.outputs)
            for out in cell.outputs:
                if out.output_type == "execute_result":
                    out.execution_count = cell.execution_count
                # Without a kernel the view is dead; its text or picture beside it is not.
                out.get("data", {}).pop(pictures.WIDGET, None)
    return nb


def _merged(outputs):
    """The outputs with neighbouring pieces of one stream joined."""
    merged = []
    for out in outputs:
        last = merged[-1] if merged else None
        if last and out.output_type == "stream" == last.output_type and out.name == last.name:
            last.text += out.text
        else:
            merged.append(out)
    return merged


def refresh(path):
    """Execute and rewrite one notebook; return None, or a sentence on the cell that failed."""
    before = path.read_text(encoding="utf-8")
    nb = read(before)
    for cell in nb.cells:
        if "self-test" in cell.metadata.get("tags", []):
            cell.source = teaching.self_test(path.name[:2])
    at = 0

    def note(cell, cell_index):
        nonlocal at
        at = cell_index

    client = Client(
        nb,
        timeout=120,
        kernel_name="python3",
        extra_arguments=["--log-level=ERROR"],
        resources={"metadata": {"path": str(path.parent)}},
        on_cell_start=note,
    )
    try:
        client.execute()
    except Exception as error:  # a failing cell, a timeout, a dead kernel, an output of no format
        return f"cell {at + 1} ({nb.cells[at].id}) failed: {error}"
    after = write(normalise(nb))
    if after != before:
        fresh = path.with_suffix(".ipynb.new")
        fresh.write_text(after, encoding="utf-8", newline="\n")
        os.replace(fresh, path)
    return None


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python -m tools.refresh", description="Run notebooks.")
    parser.add_argument("--redraw", action="store_true", help="name the versions installed here")
    parser.add_argument("notebook", nargs="*", type=Path)
    options = parser.parse_args(arguments)
    if options.redraw and options.notebook:
        parser.error("All notebooks are drawn with the same versions: name none of them.")
    try:
        teaching.questions()
    except ValueError as fault:
        sys.exit(str(fault))
    if not options.redraw and (reason := pictures.drawn_otherwise()):
        sys.exit(f"{reason} `make redraw` moves all pictures to newer versions.")
    failures, paths = 0, [path.resolve() for path in options.notebook] or all_notebooks()
    if not options.notebook:
        follows.store()  # what the notebooks show of it is what holds now
    lines = {name: known for name, known in manifest.written().items() if (ROOT / name).exists()}
    for path in paths:
        start = time.perf_counter()
        failure = refresh(path)
        print(f"{path.name}: {time.perf_counter() - start:.1f} s, {failure or 'ok'}", flush=True)
        failures += failure is not None
        if not failure and path.is_relative_to(NOTEBOOKS):
            lines[manifest.name(path)] = manifest.contents(read(path.read_text(encoding="utf-8")))
    manifest.write(lines)
    if options.redraw and not failures:
        pictures.write_constraints()
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
