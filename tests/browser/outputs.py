"""What a notebook's cells put out."""

from tools import INLINE


def errors(notebook):
    """The errors that cells ended in."""
    return [
        f"{out.ename}: {out.evalue}"
        for cell in notebook.cells
        for out in cell.get("outputs", [])
        if out.output_type == "error"
    ]


def texts(notebook):
    """All that the code cells say, one list per cell: streams, results, pictures in words."""
    said = []
    for cell in notebook.cells:
        if cell.cell_type == "code":
            said.append([words(out) for out in cell.outputs])
    return said


def words(out):
    data, metadata = out.get("data", {}), out.get("metadata", {})
    shown = {kind: INLINE.sub("", text) for kind, text in data.items() if kind.startswith("text/")}
    return out.get("text"), shown, metadata.get("image/png", {}).get("alt")
