"""Run notebooks on a fresh kernel and store them in one normal form.

    python tests/refresh.py [notebook ...]        (none given: all under notebooks/)

A stored notebook is a page to read and a record to compare with, so it holds what a reader sees
and nothing that differs from run to run: no timing, no widget state, no version of Python. When
nothing changed, the file keeps its very bytes. A notebook with a failing cell is left as it was.
"""

import itertools
import json
import os
import platform
import sys
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient

NOTEBOOKS = Path(__file__).resolve().parent.parent / "notebooks"
KERNELSPEC = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
CELL_METADATA = {"alt", "jupyter", "nbgrader", "slideshow", "tags"}
WIDGET = "application/vnd.jupyter.widget-view+json"


class Client(NotebookClient):
    """A client that leaves widgets alone, so that a widget's first picture stays in its cell."""

    def on_comm_open_jupyter_widget(self, msg):
        pass

    def clear_output(self, outs, msg, cell_index):
        pass


def drawn_with():
    """What decides a picture's pixels: equal strings promise equal pixels."""
    import matplotlib
    from matplotlib import ft2font

    return (
        f"matplotlib {matplotlib.__version__}, FreeType {ft2font.__freetype_version__}, "
        f"{platform.system()} {platform.machine()}"
    )


def all_notebooks():
    """Every notebook under notebooks/, without JupyterLab's checkpoints."""
    found = NOTEBOOKS.rglob("*.ipynb")
    return sorted(path for path in found if ".ipynb_checkpoints" not in path.parts)


def read(text):
    """The notebook in `text`; a cell without an id gets one that does not depend on chance."""
    raw = json.loads(text)
    used = {cell.get("id") for cell in raw["cells"]}
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
    metadata = {"kernelspec": KERNELSPEC, "language_info": {"name": "python"}}
    if "drawn_with" in nb.metadata:
        metadata["drawn_with"] = nb.metadata.drawn_with
    nb.metadata = nbformat.from_dict(metadata)
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
                out.get("data", {}).pop(WIDGET, None)
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
    nb.metadata["drawn_with"] = drawn_with()
    after = write(normalise(nb))
    if after != before:
        fresh = path.with_suffix(".ipynb.new")
        fresh.write_text(after, encoding="utf-8", newline="\n")
        os.replace(fresh, path)
    return None


def main(names):
    failures = 0
    for path in [Path(name).resolve() for name in names] or all_notebooks():
        start = time.perf_counter()
        failure = refresh(path)
        failures += failure is not None
        print(f"{path.name}: {time.perf_counter() - start:.1f} s, {failure or 'ok'}", flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
