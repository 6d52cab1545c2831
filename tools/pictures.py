"""What nbval does not compare: pictures, the words beside them, the order and kinds of outputs.

Equal software draws equal pixels, and constraints.txt names the software that drew the stored
pictures.  Where another one is installed, pixels say nothing and are left alone; a test is then
skipped.  Everything else is compared everywhere.
"""

import base64
import io
import platform

import matplotlib
import numpy as np
import PIL
import pytest
from matplotlib import ft2font
from nbval.plugin import IPyNbCell
from PIL import Image

from tools import INLINE, ROOT

CONSTRAINTS = ROOT / "constraints.txt"
WIDGET = "application/vnd.jupyter.widget-view+json"


def software():
    """What decides a picture's pixels here, as constraints.txt has it."""
    return f"""\
# What the pictures in the notebooks were drawn with; `make redraw` moves all of it.
# {platform.system()} {platform.machine()}
# FreeType {ft2font.__freetype_version__}, which comes with matplotlib
matplotlib=={matplotlib.__version__}
pillow=={PIL.__version__}
"""


def drawn_otherwise():
    """A sentence if the stored pictures were drawn by other software than is here, or None."""
    here, named = (text.splitlines() for text in (software(), CONSTRAINTS.read_text("utf-8")))
    if here == named:
        return None
    theirs, ours = (
        ", ".join(line.strip("# ") for line in one if line not in other) or "something less"
        for one, other in ((named, here), (here, named))
    )
    return f"The stored pictures were drawn with {theirs}; here is {ours}."


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """After nbval has compared a cell, compare the rest."""
    result = yield
    if isinstance(item, IPyNbCell):
        same_software = drawn_otherwise() is None
        if found := difference(item.cell.outputs, item.test_outputs, same_software):
            item.raise_cell_error("Cell pictures or kinds of output differ", found)
    return result


def difference(stored, new, same_software):
    """A sentence on how two lists of outputs differ beyond their texts, or None."""
    stored, new = in_one_form(stored), in_one_form(new)
    if list(map(kind, stored)) != list(map(kind, new)):
        return f"Stored is {shown(stored)}; the code now gives {shown(new)}."
    for number, (old, now) in enumerate(zip(stored, new, strict=True), 1):
        words, now_words = old.get("metadata", {}), now.get("metadata", {})
        if words != now_words:
            return f"Output {number} is stored with the words {words}, now it has {now_words}."
        for png, now_png in zip(pngs(old), pngs(now), strict=True) if same_software else ():
            if found := pixel_difference(pixels(png), pixels(now_png)):
                return f"Picture {number} {found}."
    return None


def in_one_form(outputs):
    """The outputs with all pieces of a stream as one, and no view of a widget."""
    found, streams = [], set()
    for out in outputs:
        if out.get("name") not in streams:
            data = {key: value for key, value in out.get("data", {}).items() if key != WIDGET}
            found.append({**out, "data": data})
        streams |= {out["name"]} if "name" in out else set()
    return found


def kind(out):
    """Of which kind an output is.

    >>> kind({"output_type": "execute_result", "data": {"text/plain": "42", "image/png": ""}})
    'execute_result image/png text/plain'
    """
    return " ".join([out.get("name", out["output_type"]), *sorted(out.get("data", []))])


def shown(outputs):
    return ", ".join(map(kind, outputs)) or "nothing"


def pngs(out):
    """The pictures of an output, those in its HTML included."""
    data = out.get("data", {})
    return [data["image/png"]] if "image/png" in data else INLINE.findall(data.get("text/html", ""))


def pixels(png):
    file = io.BytesIO(base64.b64decode(png))
    return np.asarray(Image.open(file, formats=["PNG"]).convert("RGBA"))


def pixel_difference(old, now):
    if old.shape != now.shape:
        return f"has the size {now.shape}, stored is {old.shape}"
    changed = int((old != now).any(axis=2).sum())
    return f"differs from the stored one in {changed} pixels" if changed else None
