"""Explorers without a kernel: every state that the controls can reach, once."""

import io
import json
import sys
from types import SimpleNamespace

import ipywidgets as ipw
import numpy as np
import pytest
from nbformat.v4 import new_code_cell
from PIL import Image

from perceptron_lib.lessons import bridge
from perceptron_lib.widgets.explorer import (
    Explorer,
    Redrawn,
    axes,
    choice,
    counter,
    slider,
)
from web import frames, render
from web.frames import options


def small():
    """Data that has an order or has none, and a slider that goes as far as the data."""
    data, order = choice("data", [("many", 3), ("one", 1)]), slider("order", [0.5, 2], 2)
    step = counter("step", 1, 3)

    def load():
        step.value = 1
        step.options = [(str(k), k) for k in range(data.value + 1)]
        return (Redrawn(bridge.errors, axes(2, (0.2, 0.2, 0.7, 0.7))[0]),)

    def draw(errors):
        order.disabled = data.value == 1
        errors.show(values=[1, 10**step.value])
        return f"{data.value} & {order.value}", f"at {step.value}", ""

    return Explorer([data, order, step, ipw.Play(interval=900)], load, draw, [data])


@pytest.fixture
def explorer(monkeypatch):
    room = SimpleNamespace(explorer=small)
    monkeypatch.setitem(sys.modules, "perceptron_lib.lessons.small", room)


def test_the_options_of_a_control_are_read_off_it():
    assert options(counter("step", 1, 2)) == [("0", 0), ("1", 1), ("2", 2)]
    assert options(slider("ε", [0.5, 2], 2)) == [("0.5", 0.5), ("2", 2)]
    assert options(choice("data", ["a"])) == [("a", "a")]


def test_every_state_is_made_once(tmp_path):
    known = frames.frames(small(), tmp_path)
    assert known["controls"] == [
        {"name": "data", "menu": True},
        {"name": "order", "menu": False},
        {"name": "step", "menu": False},
    ]
    assert known["start"] == ["many", "2", "1"] and known["play"] == 900
    many, one = known["tree"]["then"]
    assert [node["options"] for node in many["then"]] == [["0", "1", "2", "3"]] * 2
    assert set(one) == {"off"} and one["off"]["options"] == ["0", "1"]
    assert len(known["pictures"]) == 4 and len(known["words"]) == 10
    assert known["words"][0] == ("3 & 0.5. At 0", "<p><b>3 &amp; 0.5.</b> At 0</p>")
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted(known["pictures"])


def test_a_frame_has_the_colours_of_its_picture_and_half_its_size(tmp_path):
    png = bridge.explorer().png
    place = tmp_path / frames.stored(png, tmp_path)
    full, frame = (np.array(Image.open(f).convert("RGBA"), int) for f in (io.BytesIO(png), place))
    assert np.abs(full - frame)[frame[..., 3] > 0].max() <= 4
    assert place.stat().st_size < len(png) / 2


def test_frames_are_made_anew_only_if_the_library_changed(tmp_path, explorer, monkeypatch):
    place = frames.cached("small", tmp_path)
    made = (place / "tree.json").stat().st_mtime_ns
    assert frames.cached("small", tmp_path) == place
    assert (place / "tree.json").stat().st_mtime_ns == made
    (tmp_path / "library").mkdir()
    (tmp_path / "library/other.py").write_text("changed = True")
    monkeypatch.setattr(frames, "LIBRARY", tmp_path / "library")
    assert frames.cached("small", tmp_path) != place and not place.exists()


def test_a_page_has_the_still_picture_and_a_slide_has_no_code(tmp_path, explorer):
    cell = new_code_cell("small.explorer()")
    sources = ("play = widgets.playground()", "widgets.playground()", "x = small.explorer()")
    assert [frames.explorer_of(new_code_cell(source)) for source in sources] == [None] * 3
    place = frames.cached(frames.explorer_of(cell), tmp_path)
    frames.show(cell, place)
    slide = page = render.shown(cell, None)
    assert 'alt="3 &amp; 2. At 1"' in page and "<b>3 &amp; 2.</b> At 1" in page
    assert "<pre" not in slide and 'class="explorer"' in slide
    data = page.split('<script type="application/json">')[1].split("</script>")[0]
    assert json.loads(data.replace("<\\/", "</")) == json.loads((place / "tree.json").read_text())
