"""Try a notebook as the grade will, but for what the grade alone tries.

    python -m checks [NOTEBOOK]          in the folder of the notebook, which has `checks` beside it

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
    code = "\n".join(cell.source for cell in nb.cells if cell.cell_type == "code")
    module = re.search(r"import (hw\d) as homework", code)
    beside = module and Path(__file__).with_name(f"{module[1]}.json")
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
    questions = json.loads(beside.read_text(encoding="utf-8"))["questions"]
    lines = [line for question in questions for line in report(nb, *question)]
    return [*lines, "The grade tries functions on more examples than these."]


def report(nb, name, title, points, by_hand):
    """What the notebook has to say on a question."""
    marks = {cell.metadata.get("nbgrader", {}).get("grade_id"): cell for cell in nb.cells}
    head = f"{title} ({points} points"
    needed = [name] if by_hand else [name, f"{name}-answer"]
    missing = [cell for cell in needed if cell not in marks]
    if missing:
        return [f"{head}): its cell {missing[0]} is missing; take it from the first version"]
    if by_hand:
        empty = re.search("YOUR ANSWER HERE", marks[name].source) or not marks[name].source.strip()
        return [f"{head}, marked by hand): {'no answer yet' if empty else 'answered'}"]
    said = "".join(map(told, marks[name].get("outputs", []))).splitlines()  # lines come in pieces
    wrong = not said or any(not line.startswith("Right") for line in said)
    verdict = "not yet" if wrong else "right, as far as it is tried here"
    return [f"{head}): {verdict}", *(f"    {line[:300]}" for line in said)]


def told(out):
    """An output as a text, an error in one line."""
    if out.output_type == "error":
        return f"{out.ename}: {out.evalue}".splitlines()[0]
    return out.get("text", "")


def main():
    found = [Path(name) for name in sys.argv[1:]] or sorted(Path().glob("hw*.ipynb"))
    if len(found) != 1 or not found[0].is_file():
        sys.exit("Name the notebook: python -m checks NOTEBOOK.ipynb, in its folder.")
    print(*self_check(found[0]), sep="\n")


if __name__ == "__main__":
    main()
