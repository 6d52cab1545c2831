"""Two things that pytest does here: it grades homework (tests/grading.py), and compares pictures.

nbval itself looks at everything in an output but its PNG.  After nbval has compared a cell, its
stored pictures must agree with the new ones: as many of them, the same alternative texts, and, if
both were drawn with the same software, the same pixels.
"""

import base64
import io

import numpy as np
import pytest
from hypothesis import settings
from nbval.plugin import IPyNbCell
from PIL import Image

from tests.refresh import drawn_with

pytest_plugins = ["tests.grading"]  # homework is graded in the background

# Property tests draw the same examples in every run: what is green stays green.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")


# --- pictures ----------------------------------------------------------------------------------


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    result = yield
    if isinstance(item, IPyNbCell):
        same_software = item.parent.nb.metadata.get("drawn_with") == drawn_with()
        difference = picture_difference(item.cell.outputs, item.test_outputs, same_software)
        if difference:
            item.raise_cell_error("Cell pictures differ", difference)
    return result


def picture_difference(stored, new, same_software):
    """A sentence on how the pictures of two lists of outputs differ, or None."""
    stored, new = pictures(stored), pictures(new)
    if len(stored) != len(new):
        return f"{len(stored)} pictures are stored, the code now draws {len(new)}."
    for number, ((old_png, old_alt), (png, alt)) in enumerate(zip(stored, new, strict=True), 1):
        if old_alt != alt:
            return f"Picture {number} is stored with the text {old_alt!r}, now it has {alt!r}."
        if same_software:
            old, now = pixels(old_png), pixels(png)
            if old.shape != now.shape:
                return f"Picture {number} has the size {now.shape}, stored is {old.shape}."
            changed = int((old != now).any(axis=2).sum())
            if changed:
                return f"Picture {number} differs from the stored one in {changed} pixels."
    return None


def pictures(outputs):
    """The PNG and the alternative text of each picture."""
    return [
        (out.data["image/png"], out.metadata.get("image/png", {}).get("alt"))
        for out in outputs
        if "image/png" in out.get("data", {})
    ]


def pixels(png):
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(png))).convert("RGBA"))
