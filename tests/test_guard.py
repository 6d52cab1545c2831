"""What a notebook must not do, and that each is seen: in the file by the guard, or in a new run."""

import base64
import io
import re
from collections import Counter

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from PIL import Image

import tools.refresh
from tests.inside import Run
from tools import INLINE, ROOT, guard, pictures
from tools.refresh import all_notebooks, read, refresh, write

DRAW = """\
import base64, io, ipywidgets
from matplotlib.figure import Figure
from perceptron_lib import answer, table
def draw(colour):
    fig, png = Figure(figsize=(1, 1)), io.BytesIO()
    fig.subplots().plot([0, 1], color=colour)
    fig.savefig(png, format="png", metadata={"Software": None})
    data = {"image/png": base64.b64encode(png.getvalue()).decode(), "text/plain": "A line."}
    display(data, metadata={"image/png": {"alt": "A rising line."}}, raw=True)"""
MOVED = "_ = ipywidgets.interact(draw, colour=['green', 'black'])"
FOLD = "<details><summary>Compare</summary>\n\nIt is 7.\n\n</details>"
SOURCES = (DRAW, "print(1)\nprint(2)", "6 * 7", "draw('blue')", MOVED,
           "**Predict.** How much?", "answer(table(['how much'], [[7]]))", FOLD)  # fmt: skip
SETUP, PRINT, NUMBER, PICTURE, WIDGET, PREDICT, ANSWER, COMPARED = range(8)


@pytest.fixture(scope="session")
def good(tmp_path_factory):
    """The text of a small notebook: a print, a number, a picture, a widget and a prediction."""
    path, nb = tmp_path_factory.mktemp("good") / "good.ipynb", new_notebook()
    for k, text in enumerate(SOURCES):
        new = new_markdown_cell if k in (PREDICT, COMPARED) else new_code_cell
        nb.cells.append(new(text, id=f"c{k}"))
    save(nb, path)
    refresh(path)
    return path.read_text(encoding="utf-8")


def save(nb, path):
    path.write_text(write(nb), encoding="utf-8", newline="\n")


def cell(at=NUMBER, **facts):
    return lambda nb: nb.cells[at].update(facts)


def source(text, at=NUMBER):
    return cell(at, source=text)


def metadata(at=NUMBER, **facts):
    return lambda nb: nb.cells[at].metadata.update(facts)


def shows(at, kind, what):
    return lambda nb: nb.cells[at].outputs[0].data.update({kind: what})


def alt(text):
    return lambda nb: nb.cells[PICTURE].outputs[0].metadata["image/png"].update(alt=text)


def output(output_type, **facts):
    return lambda nb: nb.cells[NUMBER].outputs.append(new_output(output_type, **facts))


def another_pixel(nb):
    data = nb.cells[PICTURE].outputs[0].data
    image, file = Image.open(io.BytesIO(base64.b64decode(data["image/png"]))), io.BytesIO()
    image.putpixel((0, 0), (255, 255, 254, 255))
    image.save(file, "PNG")
    data["image/png"] = base64.b64encode(file.getvalue()).decode()


HIDDEN, PAGES = {"jupyter": {"outputs_hidden": True}}, {"tags": ["P2", "remove-cell"]}
SEEN_IN_THE_FILE = {
    "not run": (cell(execution_count=None), "not run once each, in order"),
    "run in another order": (cell(execution_count=7), "not run once each, in order"),
    "another kernel": (lambda nb: nb.metadata.kernelspec.update(name="mine"), "not in the form"),
    "a widget's state": (lambda nb: nb.metadata.update(widgets={}), "not in the form"),
    "an error": (output("error", ename="E", evalue="", traceback=[]), "ended in the error E"),
    "stderr": (output("stream", name="stderr", text="!"), "wrote to stderr"),
    "a comment to ignore": (source("# NBVAL_IGNORE_OUTPUT\n6 * 7"), "nbval check=False"),
    "a tag to skip": (metadata(tags=["nbval-skip"]), "the tag nbval-skip"),
    "a cell left out of pages": (metadata(PREDICT, **PAGES), "the tag remove-cell hides it"),
    "a hidden source": (metadata(jupyter={"source_hidden": True}), "its source is hidden"),
    "a hidden output": (metadata(PICTURE, **HIDDEN), "its output is hidden"),
    "an open answer": (shows(ANSWER, "text/html", "<table></table>"), "is not folded"),
    "an answer that opens itself": (
        shows(ANSWER, "text/html", "<details open><summary>7</summary></details>"),
        "is not folded"),
    "an answer beside its fold": (shows(ANSWER, "text/plain", "7"), "is not folded"),
    "a text that gives it away": (source("It is 7.", COMPARED), "stands open"),
    "%%capture": (source("%%capture\n6 * 7"), "not plain Python"),
    "captured": (source("with io.capture_output():\n    6 * 7"), "capture_output can hide"),
    "a semicolon": (source("6 * 7;  # quiet"), "a semicolon"),
    "an empty output": (output("display_data"), "its output is empty"),
    "no words for a picture": (alt(" "), "no alternative text"),
    "a picture in HTML": (shows(NUMBER, "text/html", "<img src=x alt=''>"), "no alternative text"),
}  # fmt: skip


@pytest.mark.parametrize("way", SEEN_IN_THE_FILE)
def test_the_guard_says_no(good, way):
    spoil, sentence = SEEN_IN_THE_FILE[way]
    nb = read(good)
    spoil(nb)
    (reason,) = guard.refusals(write(nb))
    assert sentence in reason


def test_a_cell_may_name_claims_and_a_question_with_choices_answers_itself(good):
    nb = read(good)
    metadata(tags=["P2"])(nb)
    source(f"{SOURCES[PREDICT]}\n\n{FOLD}", PREDICT)(nb)
    source("It is 7.", COMPARED)(nb)
    assert guard.refusals(good) == guard.refusals(write(nb)) == []


# --- the notebooks of this collection -------------------------------------------------------------

# How many claims each part of the ledger has: A1 to A15, and so on.
LEDGER = {"A": 15, "D": 8, "E": 17, "H": 10, "M": 13, "O": 8, "P": 16, "Q": 9, "R": 10, "S": 5}
CLAIMS = {f"{part}{k + 1}" for part, many in LEDGER.items() for k in range(many)} - {"M9", "M10"}


@pytest.mark.parametrize("path", all_notebooks(), ids=lambda path: path.name)
def test_every_notebook_is_accepted(path):
    assert guard.refusals(path.read_text(encoding="utf-8")) == []


def test_no_claim_has_lost_its_check():
    cells = [cell for path in all_notebooks() for cell in read(path.read_text("utf-8")).cells]
    tags = {tag for cell in cells for tag in cell.metadata.get("tags", [])}
    checked = {tag for c in cells if c.cell_type == "code" for tag in c.metadata.get("tags", [])}
    assert tags >= CLAIMS
    assert CLAIMS - checked <= {"E15"}, "a claim's tag is on code; E15 is about the order of words"


def test_every_code_cell_is_compared_strictly(pytestconfig):
    collected = Run("--collect-only", "-q", ROOT / "notebooks").collected
    cells = {path.relative_to(ROOT).as_posix(): read(path.read_text("utf-8")).cells
             for path in all_notebooks()}  # fmt: skip
    code = {name: sum(cell.cell_type == "code" for cell in own) for name, own in cells.items()}
    assert Counter(nodeid.split("::")[0] for nodeid in collected) == code
    assert pytestconfig.getoption("nbval") and "notebooks" in pytestconfig.getini("testpaths")
    assert not pytestconfig.getoption("nbval_lax")
    (rule,) = re.findall("(?m)^regex: (.*)$", (ROOT / "tools/nbval.cfg").read_text("utf-8"))
    assert pytestconfig.getoption("nbval_sanitize_with") == "tools/nbval.cfg"
    assert rule == INLINE.pattern.replace("(", "").replace(")", "")


# --- what only a run shows ------------------------------------------------------------------------

RED = MOVED.replace("draw", "lambda colour: draw('red')")


def test_a_new_run_is_compared_in_texts_and_pixels(good, tmp_path):
    nb = read(good)
    seven = nb.cells[ANSWER].outputs[0].data["text/html"]
    eight = shows(ANSWER, "text/html", seven.replace("7", "8"))
    for spoil in (shows(NUMBER, "text/plain", "43"), another_pixel, source(RED, WIDGET), eight):
        spoil(nb)
    save(nb, tmp_path / "spoilt.ipynb")
    setup, prints, *said = Run("-q", "-p", "tools.pictures", tmp_path).said.values()
    assert not setup and not prints, "what is as it was is right"
    wanted = ("Cell outputs differ", "from the stored one in 1 pixels",
              "differs from the stored one", "Cell outputs differ")  # fmt: skip
    assert all(sentence in reply for sentence, reply in zip(wanted, said, strict=True))


@pytest.mark.parametrize(("spoil", "sentence", "everywhere"), [
    (cell(PICTURE, outputs=[]), "Stored is nothing; the code now gives display_data image", True),
    (alt("A falling line."), "is stored with the words {'image/png'", True),
    (another_pixel, "in 1 pixels", False),
])  # fmt: skip
def test_pixels_count_only_if_drawn_with_the_same_software(good, spoil, sentence, everywhere):
    nb, new = read(good), read(good).cells[PICTURE].outputs
    assert not pictures.difference(nb.cells[PICTURE].outputs, new, same_software=True)
    spoil(nb)
    here, elsewhere = (pictures.difference(nb.cells[PICTURE].outputs, new, same_software=same)
                       for same in (True, False))  # fmt: skip
    assert sentence in here and (elsewhere == here if everywhere else elsewhere is None)


def test_pixels_are_compared_here():
    if reason := pictures.drawn_otherwise():
        pytest.skip(f"{reason} `pip install -c constraints.txt matplotlib pillow` changes that")


# --- how notebooks are stored ---------------------------------------------------------------------


def test_a_widget_is_its_first_picture_and_a_second_refresh_changes_no_byte(good, tmp_path):
    assert "image/png" in read(good).cells[WIDGET].outputs[0].data and "widget-view" not in good
    path = tmp_path / "again.ipynb"
    save(read(good), path)
    tools.refresh.main([str(path)])
    assert path.read_text(encoding="utf-8") == good


def test_a_failing_notebook_is_named_and_left_as_it_was(good, tmp_path):
    nb, path = read(good), tmp_path / "failing.ipynb"
    source("1 / 0")(nb)
    save(nb, path)
    with pytest.raises(SystemExit, match=r"failing\.ipynb: (?s:.*)ZeroDivisionError"):
        tools.refresh.main([str(path)])
    assert path.read_text(encoding="utf-8") == write(nb)


def test_other_software_draws_only_if_asked_to_and_is_then_named(tmp_path, monkeypatch):
    monkeypatch.setattr(tools.refresh, "NOTEBOOKS", tmp_path)
    monkeypatch.setattr(pictures, "CONSTRAINTS", tmp_path / "constraints.txt")
    (tmp_path / "constraints.txt").write_text("matplotlib==3.0.1\n")
    with pytest.raises(SystemExit, match=r"3\.0\.1; here is .* `make redraw` moves"):
        tools.refresh.main([])
    with pytest.raises(SystemExit):
        tools.refresh.main(["--redraw", "one.ipynb"])
    tools.refresh.main(["--redraw"])
    assert pictures.drawn_otherwise() is None
