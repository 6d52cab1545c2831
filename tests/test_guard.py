"""Every known way to tamper with a notebook, and that each is seen.

A notebook is tampered with if a reader sees what its code does not put out, or does not see what
it does, or if the next run would compare less.  Some ways are seen in the file, by the guard or by
the manifest, some only when nbval runs the code again, and some in the folders around it.
"""

import base64
import io
import json
import struct
from collections import Counter

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from PIL import Image

import tools.refresh
from tests.inside import Run
from tools import ROOT, guard, manifest, pictures
from tools.refresh import all_notebooks, normalise, read, refresh, write

DRAW = """\
import base64, io, ipywidgets
from IPython.display import Markdown
from matplotlib.figure import Figure
def draw(colour):
    fig, png = Figure(figsize=(1, 1)), io.BytesIO()
    fig.subplots().plot([0, 1], color=colour)
    fig.savefig(png, format="png", metadata={"Software": None})
    data = {"image/png": base64.b64encode(png.getvalue()).decode(), "text/plain": "A line."}
    display(data, metadata={"image/png": {"alt": "A rising line."}}, raw=True)"""
MOVED = "_ = ipywidgets.interact(draw, colour=['green', 'black'])"
SOURCES = ["# A notebook", DRAW, "print('one')\nprint('two')", "**Predict.** How much?", "6 * 7",
           "draw('blue')", MOVED, "Markdown('*seven*')"]  # fmt: skip
TITLE, SETUP, PRINT, PREDICT, NUMBER, PICTURE, WIDGET, WORDS = range(8)


@pytest.fixture(scope="session")
def good(tmp_path_factory):
    """The text of a small notebook: a print, a number, a picture, a widget and some words."""
    path, nb = tmp_path_factory.mktemp("good") / "good.ipynb", new_notebook()
    for k, text in enumerate(SOURCES):
        new = new_markdown_cell if k in (TITLE, PREDICT) else new_code_cell
        nb.cells.append(new(text, id=f"c{k}"))
    save(nb, path)
    assert refresh(path) is None
    return path.read_text(encoding="utf-8")


def save(nb, path):
    path.write_text(write(nb), encoding="utf-8", newline="\n")


# --- tampering: functions that change a notebook, or return the text of a file in its place -------


def strip(nb):
    for cell in nb.cells:
        if cell.cell_type == "code":
            cell.update(outputs=[], execution_count=None)


def source(text, at=NUMBER):
    return lambda nb: nb.cells[at].update(source=text)


def metadata(at=NUMBER, **facts):
    return lambda nb: nb.cells[at].metadata.update(facts)


def prints(text):
    return lambda nb: nb.cells[PRINT].outputs[0].update(text=text)


def shows(at, kind, what):
    return lambda nb: nb.cells[at].outputs[0].data.update({kind: what})


def about_picture(**words):
    return lambda nb: nb.cells[PICTURE].outputs[0].metadata["image/png"].update(words)


def add_output(output_type, *data, **facts):
    output = new_output(output_type, *data, **facts)
    return lambda nb: nb.cells[NUMBER].outputs.append(output)


def picture(change):
    """Replace the bytes of the picture by `change` of them."""

    def spoil(nb):
        data = nb.cells[PICTURE].outputs[0].data
        data["image/png"] = base64.b64encode(change(base64.b64decode(data["image/png"]))).decode()

    return spoil


def with_part(name):
    """A PNG with one part more, of which Pillow takes no notice."""
    part = struct.pack(">I4sII", 8, name, 1, 0) + bytes(4)
    return lambda png: png[:33] + part + png[33:]


def saved(format, change=lambda image: image):
    """The picture, changed, in some format."""

    def change_bytes(png):
        file = io.BytesIO()
        change(Image.open(io.BytesIO(png))).save(file, format)
        return file.getvalue()

    return change_bytes


def one_pixel(image):
    image.putpixel((0, 0), (255, 255, 254, 255))
    return image


def reorder(change):
    """Change the list of cells, and count anew."""
    return lambda nb: (change(nb.cells), normalise(nb))


def retype(kind):
    """Make the print a cell of another kind, with its source kept."""

    def change(cells):
        kept = {key: cells[PRINT][key] for key in ("id", "metadata", "source")}
        cells[PRINT] = type(cells[PRINT])(cell_type=kind, **kept)

    return reorder(change)


def swap(at, other, key):
    """Two cells exchange something."""

    def spoil(nb):
        a, b = nb.cells[at], nb.cells[other]
        a[key], b[key] = b[key], a[key]

    return spoil


def display_in_place_of_result(nb):
    out = nb.cells[NUMBER].outputs[0]
    out["output_type"] = "display_data"
    del out["execution_count"]


HIDDEN = {"jupyter": {"outputs_hidden": True}}
CAPTURE = "with io.capture_output():\n    6 * 7"
ADDED = new_markdown_cell("So it is proved.", id="c9")
SEEN_IN_THE_FILE = {
    "not run": (strip, "not run once each", "nothing to compare"),
    "run in another order": (swap(PRINT, NUMBER, "execution_count"), "not run once each"),
    "an error": (add_output("error", ename="E", evalue="", traceback=[]), "ended in the error E"),
    "stderr": (add_output("stream", name="stderr", text="!"), "wrote to stderr"),
    "nbval told to ignore": (source("# NBVAL_IGNORE_OUTPUT\n6 * 7"), "the mark NBVAL_IGNORE"),
    "nbval told to skip": (source("#NBVAL_SKIP\n6 * 7"), "the mark NBVAL_SKIP"),
    "nbval told by a tag": (metadata(tags=["nbval-skip"]), "the tag nbval-skip"),
    "an exception allowed": (metadata(tags=["raises-exception"]), "the tag raises-exception"),
    "a cell left out of pages": (metadata(tags=["P2", "remove-cell"]), "the tag remove-cell"),
    "an output left out of pages": (metadata(tags=["remove_output"]), "the tag remove_output"),
    "a source folded away": (metadata(tags=["hide-input"]), "the tag hide-input"),
    "a text left out of pages": (metadata(TITLE, tags=["remove-cell"]), "the tag remove-cell"),
    "a hidden source": (metadata(jupyter={"source_hidden": True}), "its source is hidden"),
    "a hidden output": (metadata(PICTURE, **HIDDEN), "no Predict stands before"),
    "a collapsed output": (metadata(PICTURE, collapsed=True), "no Predict stands before"),
    "a slide of no type": (metadata(slideshow={"slide_type": "none"}), "slide type is unknown"),
    "a tolerance": (source("np.isclose(6 * 7, 42)"), "isclose compares with a tolerance"),
    "a tolerance by import": (source("from pytest import approx as a"), "approx compares"),
    "an address": (shows(NUMBER, "text/plain", "<f at 0x7f5e8c0d1e40>"), "(at 0x7f5e8c0d1e40)"),
    "a figure's name": (shows(PICTURE, "text/plain", "<Figure size 1>"), "(<Figure)"),
    "no words for a picture": (about_picture(alt=""), "no alternative text"),
    "blank words for a picture": (about_picture(alt=" "), "no alternative text"),
    "a picture in HTML": (shows(NUMBER, "text/html", "<img src=x>"), "no alternative text"),
    "a picture of one pixel's width": (about_picture(width=1), "a way of its own"),
    "a picture of another size": (about_picture(width=32, height=1), "a way of its own"),
    "a JPEG beside the picture": (shows(PICTURE, "image/jpeg", "AAAA"), "the kind image/jpeg"),
    "an SVG": (shows(NUMBER, "image/svg+xml", "<svg/>"), "the kind image/svg+xml"),
    "a GIF": (add_output("display_data", {"image/gif": "AA"}), "the kind image/gif"),
    "a script as output": (shows(NUMBER, "application/javascript", ""), "application/javascript"),
    "a GIF that says it is a PNG": (picture(saved("GIF")), "not a PNG of one still"),
    "a JPEG that says it is one": (
        picture(saved("JPEG", lambda image: image.convert("RGB"))), "not a PNG of one still"),
    "an animated PNG": (picture(with_part(b"acTL")), "not a PNG of one still"),
    "a PNG turned by EXIF": (picture(with_part(b"eXIf")), "not a PNG of one still"),
    "a PNG with other colours": (picture(with_part(b"gAMA")), "not a PNG of one still"),
    "bytes after the PNG": (picture(lambda png: png + b"more"), "not a PNG of one still"),
    "half a PNG": (picture(lambda png: png[:-20]), "not a PNG of one still"),
    "no PNG at all": (shows(PICTURE, "image/png", "Not base64!"), "not a PNG of one still"),
    "an empty display": (add_output("display_data", {}), "its output is empty"),
    "an empty print": (prints(""), "its output is empty"),
    "a line overwritten": (prints("one\ntwo\rtwenty\n"), "output has the character U+000D"),
    "a character taken back": (prints("one\ntwo\b\n"), "output has the character U+0008"),
    "text made invisible": (prints("\x1b[8mone\x1b[0m\ntwo\n"), "has the character U+001B"),
    "text turned around": (prints("one\n\u202eowt\n"), "has the character U+202E"),
    "a space of no width": (source("6 * 7  # six\u200b"), "it has the character U+200B"),
    "a line end in a comment": (source("6 * 7  # \ra = 1"), "it has the character U+000D"),
    "%%capture": (source("%%capture\n6 * 7"), "not plain Python"),
    "%load": (source("%load elsewhere.py"), "not plain Python"),
    "a shell": (source("!echo 42"), "not plain Python"),
    "a magic by its function": (source("get_ipython()"), "get_ipython runs code"),
    "captured": (source(CAPTURE), "capture_output can hide"),
    "redirected": (source("from contextlib import redirect_stdout"), "redirect_stdout can hide"),
    "cleared": (source("IPython.display.clear_output()"), "clear_output can hide"),
    "code from a text": (source("exec(open('x').read())"), "exec runs code"),
    "a semicolon": (source("6 * 7;  # quiet"), "a semicolon"),
    "no code": (source(""), "there is no code"),
    "only a comment": (source("# 6 * 7"), "there is no code"),
    "a file attached": (lambda nb: nb.cells[TITLE].update(attachments={"a": {"image/png": "AA"}}),
                        "a file is attached"),
    "a picture in the text": (source("See ![it](x.png).", TITLE), "what no code has made"),
    "a picture in the text's HTML": (source("<IMG src=x>", TITLE), "what no code has made"),
    "a script in the text": (source("<script>1</script>", TITLE), "what no code has made"),
    "a text in a comment": (source("Yes <!-- not -->", TITLE), "what no code has made"),
    "a text of no size": (source('<b style="font-size:0">not</b>', TITLE), "no code has made"),
    "another kernel": (lambda nb: nb.metadata.kernelspec.update(name="mine"), "not python3"),
    "drawn elsewhere, it says": (lambda nb: nb.metadata.update(drawn_with="x"), "not in the form"),
    "a widget's state": (lambda nb: nb.metadata.update(widgets={}), "not in the form"),
    "times": (metadata(execution={}), "not in the form"),
    "another line end": (lambda nb: write(nb).replace("\n", "\r\n"), "not in the form"),
    "one key twice": (lambda nb: write(nb).replace('"cells"', '"cells": [],\n "cells"', 1),
                      "not in the form"),
    "no JSON": (lambda nb: "{", "no notebook of format 4.5"),
    "JSON, but no notebook": (lambda nb: "[]", "no notebook of format 4.5"),
    "a field of its own": (lambda nb: nb.cells[NUMBER].update(shown=False), "no notebook of"),
    "one id twice": (lambda nb: write(nb).replace('"c3"', '"c0"'), "no notebook of format 4.5"),
    "a cell deleted": (reorder(lambda cells: cells.pop(PRINT)),
                       "The manifest has the cell c2: code, stdout."),
    "a text deleted": (reorder(lambda cells: cells.pop(PREDICT)),
                       "The manifest has the cell c3: markdown."),
    "a cell added": (lambda nb: nb.cells.append(ADDED), "The notebook has the cell c9: markdown."),
    "another of its kind": (lambda nb: nb.cells[WORDS].update(id="c9"), "has the cell c9: code"),
    "code made text": (retype("markdown"), "The notebook has the cell c2: markdown."),
    "code made raw": (retype("raw"), "it is raw", "The notebook has the cell c2: raw."),
    "cells in another order": (reorder(lambda cells: cells.insert(PRINT, cells.pop(WORDS))),
                               "The cells stand in another order"),
    "outputs exchanged": (swap(PRINT, WORDS, "outputs"),
                          "The manifest has the cell c2: code, stdout."),
    "an output removed": (lambda nb: nb.cells[PRINT].outputs.clear(), "has the cell c2: code."),
    "an output added": (add_output("display_data", {"text/plain": "43"}),
                        "c4: code, execute_result text/plain, display_data text/plain."),
    "a result that is none": (display_in_place_of_result, "c4: code, display_data text/plain."),
}  # fmt: skip


@pytest.mark.parametrize("way", SEEN_IN_THE_FILE)
def test_what_the_file_shows_is_seen(good, way):
    spoil, *sentences = SEEN_IN_THE_FILE[way]
    lines, nb = manifest.contents(read(good)), read(good)
    other = spoil(nb)
    text = other if isinstance(other, str) else write(nb)
    found = guard.refusals(text)
    if not any("no notebook" in said for said in found):
        found += manifest.differences(read(text), lines)
    assert all(any(sentence in said for said in found) for sentence in sentences), found


LAWFUL = [{}, HIDDEN, HIDDEN | {"collapsed": True}, {"tags": ["P2", "M3b"]}]


@pytest.mark.parametrize("facts", LAWFUL)
def test_an_answer_may_be_hidden_after_its_question_and_a_cell_may_name_rows(good, facts):
    nb = read(good)
    metadata(NUMBER, **facts)(nb)
    assert guard.refusals(write(nb)) == []
    assert manifest.differences(nb, manifest.contents(read(good))) == []


# --- the notebooks of this collection -----------------------------------------------------------


@pytest.mark.parametrize("path", all_notebooks(), ids=lambda path: path.name)
def test_every_notebook_is_accepted(path):
    text = path.read_text(encoding="utf-8")
    found = guard.refusals(text)
    found += manifest.differences(read(text), manifest.written()[manifest.name(path)])
    assert not found, "\n".join(found)


def test_there_is_no_other_notebook_and_none_is_missing():
    assert {manifest.name(path) for path in guard.notebooks_in(ROOT)} == set(manifest.written())
    assert {manifest.name(path) for path in all_notebooks()} == set(manifest.written())


def test_a_notebook_is_found_wherever_it_is_and_however_it_is_called(tmp_path):
    here = ["a.ipynb", "notebooks/B.IPYNB", ".hidden/c.ipynb", "web/build/d.Ipynb"]
    others = ["build/a.ipynb", ".venv/a.ipynb", ".venv-test/b.ipynb", ".ipynb_checkpoints/c.ipynb"]
    for name in [*here, *others, "notes.md"]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert set(guard.notebooks_in(tmp_path)) == {tmp_path / name for name in here}


def test_every_code_cell_is_collected_by_nbval():
    collected = Run("--collect-only", "-q", ROOT / "notebooks").collected
    cells = {name: sum(line.split(": ")[1].split(",")[0] == "code" for line in lines)
             for name, lines in manifest.written().items()}  # fmt: skip
    assert Counter(nodeid.split("::")[0] for nodeid in collected) == cells


def test_nbval_is_told_to_compare_everything(pytestconfig):
    assert pytestconfig.inipath == ROOT / "pyproject.toml", "no other settings come before it"
    assert "notebooks" in pytestconfig.getini("testpaths")
    for option, value in {
        "nbval": True, "nbval_lax": False, "nbval_current_env": True, "nbval_kernel_name": None,
        "nbval_sanitize_with": None, "sanitize_with": None, "nbdime": False,
    }.items():  # fmt: skip
        assert pytestconfig.getoption(option) == value, option
    found = {path.relative_to(ROOT).parent.as_posix() for path in ROOT.rglob("conftest.py")
             if not any(part.startswith((".venv", "build")) for part in path.parts)}  # fmt: skip
    allowed = {".", "tests", "tests/browser", "tests/homework"}
    assert found <= allowed, "no folder of notebooks has hooks of its own"


# --- what only a run shows ----------------------------------------------------------------------

SEEN_IN_THE_RUN = {
    **{f"cell {at}": (at, lambda nb: None, None) for at in (PRINT, NUMBER, PICTURE, WORDS)},
    "the widget": (WIDGET, lambda nb: None, None),
    "a number": (NUMBER, shows(NUMBER, "text/plain", "43"), "Cell outputs differ"),
    "a digit in the code": (NUMBER, source("6 * 8"), "Cell outputs differ"),
    "a printed word": (PRINT, prints("one\ntoo\n"), "Cell outputs differ"),
    "a printed line": (PRINT, prints("one\ntwo\nthree\n"), "Cell outputs differ"),
    "a line not printed": (PRINT, prints("one\n"), "Cell outputs differ"),
    "a word of Markdown": (WORDS, shows(WORDS, "text/markdown", "*six*"), "Cell outputs differ"),
    "the text of a picture": (PICTURE, shows(PICTURE, "text/plain", "!"), "Cell outputs differ"),
    "a formula": (NUMBER, shows(NUMBER, "text/latex", "$43$"), "Cell outputs differ"),
    "HTML": (NUMBER, shows(NUMBER, "text/html", "<b>43</b>"), "Cell outputs differ"),
    "a JPEG in place of nothing": (NUMBER, add_output("display_data", {"image/jpeg": "AA"}),
                                   "Stored is execute_result text/"),
    "a display of nothing": (NUMBER, add_output("display_data", {}), "the code now gives"),
    "a display, no result": (NUMBER, display_in_place_of_result, "Stored is display_data"),
    "a picture's words": (PICTURE, about_picture(alt="A falling line."), "now it has {'image/png'"),
    "a picture's size on the page": (PICTURE, about_picture(width=1), "with the words"),
    "a picture twice": (PICTURE, lambda nb: nb.cells[PICTURE].update(
        outputs=nb.cells[PICTURE].outputs * 2), "Cell outputs differ"),
    "one pixel": (PICTURE, picture(saved("PNG", one_pixel)), "from the stored one in 1 pixels"),
    "another size": (PICTURE, picture(saved("PNG", lambda image: image.resize((9, 9)))),
                     "stored is (9, 9, 4)"),
    "another picture": (PICTURE, source("draw('red')", PICTURE), "differs from the stored one"),
    "a widget's picture": (
        WIDGET, source(MOVED.replace("draw", "lambda colour: draw('red')"), WIDGET),
        "differs from the stored one"),
    "not run": (NUMBER, strip, "Stored is nothing; the code now gives execute_result text/plain."),
}  # fmt: skip


@pytest.fixture(scope="session")
def complaints(good, tmp_path_factory):
    """What one run of nbval, with the comparison of pictures, says of each spoilt cell."""
    folder = tmp_path_factory.mktemp("spoilt")
    together = read(good)
    together.cells = [together.cells[SETUP]]
    for number, (at, spoil, _) in enumerate(SEEN_IN_THE_RUN.values()):
        nb = read(good)
        spoil(nb)
        nb.cells[at].id = f"spoilt-{number}"
        together.cells.append(nb.cells[at])
    save(together, folder / "spoilt.ipynb")
    setup, *said = Run("-q", "-p", "tools.pictures", folder).said.values()
    assert not setup
    return dict(zip(SEEN_IN_THE_RUN, said, strict=True))


@pytest.mark.parametrize("way", SEEN_IN_THE_RUN)
def test_what_only_a_run_shows_is_seen(complaints, way):
    sentence = SEEN_IN_THE_RUN[way][2]
    assert sentence in complaints[way] if sentence else not complaints[way]


def test_pixels_are_compared_only_if_drawn_with_the_same_software(good):
    stored, new = (read(good).cells[PICTURE].outputs for _ in range(2))
    new[0].data["image/png"] = read(good).cells[WIDGET].outputs[0].data["image/png"]
    assert "differs" in pictures.difference(stored, new, same_software=True)
    assert pictures.difference(stored, new, same_software=False) is None
    assert "now gives nothing" in pictures.difference(stored, [], same_software=False)


# --- how notebooks are stored -------------------------------------------------------------------


def test_a_widget_is_its_first_picture_and_a_second_refresh_changes_no_byte(good, collection):
    assert "image/png" in read(good).cells[WIDGET].outputs[0].data and "widget-view" not in good
    (collection / "notebooks/again.ipynb").write_text(good, encoding="utf-8", newline="\n")
    manifest.write({"notebooks/gone.ipynb": [], "notebooks/again.ipynb": []})
    assert tools.refresh.main([]) == 0
    assert (collection / "notebooks/again.ipynb").read_text(encoding="utf-8") == good
    assert manifest.written() == {"notebooks/again.ipynb": manifest.contents(read(good))}


def test_other_software_draws_only_if_asked_to_and_is_then_named(collection):
    pictures.CONSTRAINTS.write_text("matplotlib==3.0.1\n")
    manifest.write({})
    with pytest.raises(SystemExit, match=r"3\.0\.1; here is .* `make redraw` moves"):
        tools.refresh.main([])
    with pytest.raises(SystemExit):
        tools.refresh.main(["--redraw", "one.ipynb"])
    assert tools.refresh.main(["--redraw"]) == 0
    assert pictures.drawn_otherwise() is None


@pytest.fixture
def collection(tmp_path, monkeypatch):
    """A collection elsewhere, with no notebooks yet."""
    (tmp_path / "notebooks").mkdir()
    for module in (manifest, tools.refresh):
        monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(tools.refresh, "NOTEBOOKS", tmp_path / "notebooks")
    monkeypatch.setattr(manifest, "MANIFEST", tmp_path / "manifest.json")
    monkeypatch.setattr(pictures, "CONSTRAINTS", tmp_path / "constraints.txt")
    pictures.write_constraints()
    return tmp_path


def test_a_failing_notebook_is_left_as_it_was(good, tmp_path):
    nb = read(good)
    nb.cells[NUMBER].source = "1 / 0"
    path = tmp_path / "failing.ipynb"
    save(nb, path)
    failure = refresh(path)
    assert "cell 5 (c4) failed" in failure and "ZeroDivisionError" in failure
    assert path.read_text(encoding="utf-8") == write(nb)


def test_a_cell_without_an_id_gets_the_same_one_each_time():
    cells = [{"cell_type": "markdown", "metadata": {}, "source": "a"} for _ in range(3)]
    cells[0]["id"] = "cell-02"
    text = json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    assert [cell.id for cell in read(text).cells] == ["cell-02", "cell-03", "cell-04"]
