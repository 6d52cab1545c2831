"""Try a notebook as the grade will, but for what the grade alone tries.

    make check HW=path          which is, in the folder of the notebook, python -m checks NAME.ipynb

The notebook is run from top to bottom, and left as it is.  For every question there is a line on
what its cell says.
"""

import json
import re
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import DeadKernelError


def self_check(path, seconds=60):
    """The lines of the report on a notebook; each of its cells may take so many seconds."""
    path = Path(path).resolve()
    nb = nbformat.read(path, as_version=4)
    module = re.search(r"import (hw\d) as homework", "\n".join(cell.source for cell in nb.cells))
    beside = module and path.parent / "checks" / f"{module[1]}.json"
    if not beside or not beside.exists():
        return [f"{path.name} does not import the checks that stand beside it."]
    client = NotebookClient(
        nb, timeout=seconds, interrupt_on_timeout=True, allow_errors=True, kernel_name="python3",
        extra_arguments=["--log-level=ERROR"], resources={"metadata": {"path": str(path.parent)}},
    )  # fmt: skip
    try:
        client.execute()
    except DeadKernelError:
        return ["Python itself ended while the notebook ran; does a cell fill the memory?"]
    cells = {cell.metadata.get("nbgrader", {}).get("grade_id"): cell for cell in nb.cells}
    questions = json.loads(beside.read_text(encoding="utf-8"))["questions"]
    lines = [line for question in questions for line in report(cells, *question)]
    return [*lines, "The grade tries functions on more examples than these."]


def report(cells, name, title, points, by_hand):
    """What the notebook has to say on a question."""
    head = f"{title} ({points} points"
    for needed in [name] if by_hand else [name, f"{name}-answer"]:
        if needed not in cells:
            return [f"{head}): its cell {needed} is missing; take it from the first version"]
    if by_hand:
        empty = cells[name].source.strip() in ("", "YOUR ANSWER HERE")
        return [f"{head}, marked by hand): {'no answer yet' if empty else 'answered'}"]
    said = "".join(map(told, cells[name].get("outputs", []))).splitlines()  # lines come in pieces
    right = said and all(line.startswith("Right") for line in said)
    verdict = "right, as far as it is tried here" if right else "not yet"
    return [f"{head}): {verdict}", *(f"    {line[:300]}" for line in said)]


def told(out):
    """An output as a text, an error in one line."""
    if out.output_type == "error":
        return f"{out.ename}: {out.evalue}".splitlines()[0]
    return out.get("text", "")


if __name__ == "__main__":
    print(*self_check(sys.argv[1]), sep="\n")
