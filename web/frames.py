"""Explorers that move without a kernel: all their pictures and words, made when the site is built.

An explorer is put into each state that its controls can reach, and its picture and its words are
kept. On a page the still picture comes first; assets/explorer.js adds the controls and loads a
picture when it is wanted. What was made is cached until the library changes.
"""

import hashlib
import html
import io
import json
import os
import re
import shutil
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path

import ipywidgets as ipw
import matplotlib
import nbformat
from PIL import Image

import perceptron_lib
from web import render

LIBRARY = Path(perceptron_lib.__file__).parent
ROUNDED = [v | 1 if v >= 224 else (v + 4) // 8 * 8 for v in range(256)]  # areas are light


def put_into(lessons, folder, cache):
    """Put moving explorers in place of the still pictures in the cells of `lessons`; their frames
    go to `folder`/frames."""
    cells = [cell for lesson in lessons for cell in lesson.cells if explorer_of(cell)]
    names = sorted(set(map(explorer_of, cells)))
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as workers:
        made = dict(zip(names, workers.map(cached, names, [cache] * len(names)), strict=True))
    (folder / "frames").mkdir(parents=True)
    for place in made.values():
        for frame in place.glob("*.webp"):
            shutil.copy(frame, folder / "frames")
    for cell in cells:
        show(cell, made[explorer_of(cell)])


def show(cell, place):
    """Make a moving explorer the output of a cell; its frames are in the folder `place`."""
    shown = markup(json.loads((place / "tree.json").read_text(encoding="utf-8")))
    cell.outputs = [nbformat.v4.new_output("display_data", {"text/html": shown})]


def explorer_of(cell):
    """The room whose explorer a cell shows, or None; what scripts draw moves by itself."""
    room = re.match(r"(\w+)\.explorer\(\)", cell.source)
    return room[1] if room and cell.cell_type == "code" and not render.scene_of(cell) else None


def cached(name, cache):
    """The folder with the frames of an explorer, made unless it is there."""
    files = [Path(__file__), *sorted(LIBRARY.rglob("*.py"))]
    known = [matplotlib.__version__, *(file.read_text(encoding="utf-8") for file in files)]
    place = cache / "frames" / f"{name}-{hashlib.sha256(repr(known).encode()).hexdigest()[:16]}"
    if not place.exists():
        for old in place.parent.glob(f"{name}-*"):
            shutil.rmtree(old)
        parts = place.with_suffix(".parts")
        parts.mkdir(parents=True)
        tree = frames(import_module(f"perceptron_lib.lessons.{name}").explorer(), parts)
        (parts / "tree.json").write_text(json.dumps(tree, ensure_ascii=False), encoding="utf-8")
        parts.rename(place)
    return place


def frames(explorer, folder):
    """All states of an explorer as a tree, its pictures stored in `folder`.

    A node has the texts of what a control can be set to, and what follows for each; a leaf has the
    numbers of its picture, of its words and of its table.
    """
    moved = [c for c in explorer.controls if not isinstance(c, ipw.Play)]
    start = [text_of(control) for control in moved]
    pictures, words, tables = {}, {}, {}

    def number(things, thing):
        return things.setdefault(thing, len(things))

    def walk(controls):
        if not controls:
            picture, said = stored(explorer.png, folder), (explorer.words, explorer.said)
            found = (pictures, picture), (words, said), (tables, explorer.more.value)
            return [number(*pair) for pair in found]
        control, *others = controls
        if control.disabled:
            return {"off": walk(others)}
        texts, then = [], []
        for text, value in options(control):
            control.value = value
            texts.append(text)
            then.append(walk(others))
        return {"options": texts, "then": then}

    tree = walk(moved)
    play = [c.interval for c in explorer.controls if isinstance(c, ipw.Play)]
    return {
        "controls": [{"name": c.description, "menu": isinstance(c, ipw.Dropdown)} for c in moved],
        "start": start, "play": play[0] if play else None, "tree": tree,
        "pictures": list(pictures), "words": list(words), "tables": list(tables),
        "width": explorer.size["width"], "height": explorer.size["height"],
    }  # fmt: skip


def options(control):
    """What a control can be set to: pairs (text, value)."""
    return [(o, o) if isinstance(o, str) else o for o in control.options]


def text_of(control):
    """What a control shows as its value."""
    return next(text for text, value in options(control) if value == control.value)


def stored(png, folder):
    """Store a picture, each colour rounded a little, which halves it, and return its name."""
    full, stream = Image.open(io.BytesIO(png)).convert("RGBA"), io.BytesIO()
    few = full.point([*ROUNDED * 3, *range(256)])
    few.save(stream, "webp", lossless=True, quality=80)
    name = f"{hashlib.sha256(stream.getvalue()).hexdigest()[:16]}.webp"
    (folder / name).write_bytes(stream.getvalue())
    return name


def markup(known):
    """The HTML of an explorer: a still picture and its words, and what the script needs."""
    node, at = known["tree"], list(known["start"])
    while isinstance(node, dict):
        text = at.pop(0)
        node = node["off"] if "off" in node else node["then"][node["options"].index(text)]
    (alt, words), table = known["words"][node[1]], known["tables"][node[2]]
    width = known["width"]
    data = json.dumps(known, ensure_ascii=False).replace("</", "<\\/")
    return (
        '<div class="explorer" role="group" aria-label="Explorer" data-prevent-swipe>\n'
        f'<img src="../frames/{known["pictures"][node[0]]}" width="{width}" '
        f'height="{known["height"]}" style="--width: {width}px" alt="{html.escape(alt)}">\n'
        f'<div class="panel"><div class="words">{words}{table}</div></div>\n'
        f'<script type="application/json">{data}</script>\n</div>\n'
    )
