"""Run notebooks on a fresh kernel and store them in one normal form.

    python -m tools.refresh [--redraw] [notebook ...]        (none given: all under notebooks/)

A stored notebook has what a reader sees and nothing that differs from run to run: no timing, no
widget state, no version of Python.  A second refresh changes no byte.  Self-tests are written from
teaching/questions.md.  Pictures are drawn with the versions that constraints.txt names; `--redraw`
draws them with the versions installed here, and names those.
"""

import argparse
import itertools
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

from tools import ROOT, pictures, teaching

NOTEBOOKS = ROOT / "notebooks"
KERNELSPEC = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
METADATA = {"kernelspec": KERNELSPEC, "language_info": {"name": "python"}}
CELL_METADATA = {"nbgrader", "slideshow", "tags"}


class Client(NotebookClient):
    """A client that leaves widgets alone, so that a widget's first picture stays in its cell."""

    def clear_output(self, *message):
        pass

    on_comm_open_jupyter_widget = clear_output


def all_notebooks():
    return sorted(path for path in NOTEBOOKS.rglob("*.ipynb") if "checkpoint" not in path.name)


def read(text):
    return nbformat.reads(text, as_version=4)


def write(nb):
    """The text of a notebook's file."""
    return nbformat.writes(nb).rstrip("\n") + "\n"


def normalise(nb):
    """Bring `nb` into the stored form, in place, and return it."""
    nb.metadata, counts = nbformat.from_dict(METADATA), itertools.count(1)
    for cell in nb.cells:
        for key in set(cell.metadata) - CELL_METADATA:
            del cell.metadata[key]
        if cell.cell_type == "code":
            cell.execution_count = next(counts)
        for out in cell.get("outputs", []):
            if out.output_type == "execute_result":
                out.execution_count = cell.execution_count
            # Without a kernel the view is dead; its text or picture beside it is not.
            out.get("data", {}).pop(pictures.WIDGET, None)
    return nb


def refresh(path):
    """Execute and rewrite one notebook; if a cell fails, raise its error and change nothing."""
    nb = read(path.read_text(encoding="utf-8"))
    for cell in nb.cells:
        if "self-test" in cell.metadata.get("tags", []):
            cell.source = teaching.self_test(path.name[:2])
    Client(nb, timeout=120, kernel_name="python3", extra_arguments=["--log-level=ERROR"],
           coalesce_streams=True, resources={"metadata": {"path": str(path.parent)}},
           ).execute()  # fmt: skip
    path.write_text(write(normalise(nb)), encoding="utf-8", newline="\n")


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python -m tools.refresh", description="Run notebooks.")
    parser.add_argument("--redraw", action="store_true", help="name the versions installed here")
    parser.add_argument("notebook", nargs="*", type=Path)
    options = parser.parse_args(arguments)
    if options.redraw and options.notebook:
        parser.error("All notebooks are drawn with the same versions: name none of them.")
    if not options.redraw and (reason := pictures.drawn_otherwise()):
        sys.exit(f"{reason} `make redraw` moves all pictures to newer versions.")
    for path in options.notebook or all_notebooks():
        try:
            refresh(path.resolve())
        except Exception as error:  # a failing cell, a timeout, a dead kernel, a wrong question
            sys.exit(f"{path.name}: {error}")
        print(f"{path.name}: ok", flush=True)
    if options.redraw:
        pictures.CONSTRAINTS.write_text(pictures.software(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
