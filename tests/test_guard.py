"""The guard accepts the notebooks of this collection, and says no to every bad one."""

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

from conftest import picture_difference
from tests.guard import refusals
from tests.refresh import all_notebooks, drawn_with, read, refresh, write

ROOT = Path(__file__).resolve().parent.parent
SOURCES = [
    "print('one')\nprint('two')",
    "6 * 7",
    """\
import base64, io, ipywidgets
from matplotlib.figure import Figure
def draw(colour):
    fig, png = Figure(figsize=(1, 1)), io.BytesIO()
    fig.subplots().plot([0, 1], color=colour)
    fig.savefig(png, format="png")
    data = {"image/png": base64.b64encode(png.getvalue()).decode(), "text/plain": "A line."}
    display(data, metadata={"image/png": {"alt": "A rising line."}}, raw=True)""",
    "draw('blue')",
    "_ = ipywidgets.interact(draw, colour=['green', 'black'])",
]
NUMBER, PICTURE, WIDGET = 1, 3, 4


@pytest.fixture(scope="session")
def good(tmp_path_factory):
    """The text of a small notebook: a print, a number, a picture and a widget."""
    path = tmp_path_factory.mktemp("good") / "good.ipynb"
    cells = [new_code_cell(source, id=f"c{k}") for k, source in enumerate(SOURCES)]
    save(new_notebook(cells=cells), path)
    assert refresh(path) is None
    return path.read_text(encoding="utf-8")


def save(nb, path):
    path.write_text(write(nb), encoding="utf-8", newline="\n")


def strip(nb):
    for cell in nb.cells:
        cell.outputs, cell.execution_count = [], None


def swap_counts(nb):
    nb.cells[0].execution_count, nb.cells[1].execution_count = 2, 1


def add_error(nb):
    nb.cells[0].outputs.append(new_output("error", ename="ValueError", evalue="", traceback=[]))


def add_stderr(nb):
    nb.cells[0].outputs.append(new_output("stream", name="stderr", text="careful\n"))


def add_comment(nb):
    nb.cells[NUMBER].source = "# NBVAL_IGNORE_OUTPUT\n6 * 7"


def add_tag(nb):
    nb.cells[NUMBER].metadata["tags"] = ["nbval-skip"]


def allow_exception(nb):
    nb.cells[NUMBER].metadata["tags"] = ["raises-exception"]


def add_tolerance(nb):
    nb.cells[NUMBER].source = "np.isclose(6 * 7, 42)"


def name_object(nb):
    nb.cells[NUMBER].outputs[0].data["text/plain"] = "<function f at 0x7f5e8c0d1e40>"


def name_figure(nb):
    nb.cells[PICTURE].outputs[0].data["text/plain"] = "<Figure size 100x100 with 1 Axes>"


def drop_alt(nb):
    nb.cells[PICTURE].outputs[0].metadata = {}


def blank_alt(nb):
    nb.cells[WIDGET].outputs[0].metadata["image/png"]["alt"] = " "


def bare_html(nb):
    nb.cells[NUMBER].outputs[0].data["text/html"] = '<img src="data:image/png;base64,AAAA">'


def other_kernel(nb):
    nb.metadata.kernelspec.name = "my-env"


def add_widget_state(nb):
    nb.metadata["widgets"] = {"application/vnd.jupyter.widget-state+json": {"state": {}}}


def add_timing(nb):
    nb.cells[0].metadata["execution"] = {"iopub.execute_input": "2020-01-01T00:00:00Z"}


REFUSED = [
    (strip, "not run once each"),
    (strip, "nothing to compare"),
    (swap_counts, "not run once each"),
    (add_error, "ended in the error ValueError"),
    (add_stderr, "wrote to stderr"),
    (add_comment, "NBVAL_IGNORE_OUTPUT keeps its output"),
    (add_tag, "nbval-skip keeps its output"),
    (allow_exception, "raises-exception keeps its output"),
    (add_tolerance, "with a tolerance"),
    (name_object, "(at 0x7f5e8c0d1e40)"),
    (name_figure, "(<Figure)"),
    (drop_alt, "no alternative text"),
    (blank_alt, "no alternative text"),
    (bare_html, "no alternative text"),
    (other_kernel, "kernel is not python3"),
    (add_widget_state, "not in the form"),
    (add_timing, "not in the form"),
]


def test_a_good_notebook_is_accepted(good):
    assert refusals(good) == []


@pytest.mark.parametrize(("spoil", "reason"), REFUSED)
def test_a_bad_notebook_is_refused(good, spoil, reason):
    nb = read(good)
    spoil(nb)
    assert any(reason in sentence for sentence in refusals(write(nb)))


@pytest.mark.parametrize("path", all_notebooks(), ids=lambda path: path.name)
def test_every_notebook_is_accepted(path):
    assert refusals(path.read_text(encoding="utf-8")) == []


def test_every_code_cell_is_collected_by_nbval():
    listing = run_pytest("--collect-only", "-q", "notebooks")
    collected = Counter(re.findall(r"^(.*\.ipynb)::", listing, re.MULTILINE))
    written = {}
    for path in all_notebooks():
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        written[path.relative_to(ROOT).as_posix()] = sum(c["cell_type"] == "code" for c in cells)
    assert written, "There is no notebook to check."
    assert collected == written


def run_pytest(*options):
    """What pytest prints, run beside this one on notebooks that may lie elsewhere."""
    command = [sys.executable, "-m", "pytest", "-p", "conftest", "-c", "pyproject.toml"]
    command += ["-p", "no:cacheprovider", "--color=no", *options]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout


# What is to be said of the good notebook after a change in its code.
CHANGES = {
    "unchanged": ("", "", None),
    "number": ("6 * 7", "6 * 8", "Cell outputs differ"),
    "colour": ("blue", "red", "Picture 1 differs from the stored one"),
    "widget": ("(draw,", "(lambda colour: draw('red'),", "Picture 1 differs from the stored one"),
    "line": ("[0, 1]", "[0, 1], [1, 1]", "Picture 1 differs from the stored one"),
    "text": ('"A rising', '"A falling', "now it has 'A falling line.'"),
}


@pytest.fixture(scope="session")
def complaints(good, tmp_path_factory):
    """What one run of nbval, with the picture check, says of each changed notebook."""
    folder = tmp_path_factory.mktemp("changed")
    for name, (old, new, _) in CHANGES.items():
        nb = read(good)
        for cell in nb.cells:
            cell.source = cell.source.replace(old, new)
        save(nb, folder / f"{name}.ipynb")
    nb = read(good)
    strip(nb)
    nb.cells = nb.cells[: NUMBER + 1]
    nb.cells[NUMBER].source = "6 * 8"
    save(nb, folder / "stripped.ipynb")
    report = run_pytest(f"--rootdir={folder}", str(folder))
    assert " passed" in report
    parts = re.split(r"^_+ .*?(\w+)\.ipynb::Cell \d+ _+$", report, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@pytest.mark.parametrize("name", CHANGES)
def test_a_changed_output_or_picture_is_caught(complaints, name):
    expected = CHANGES[name][2]
    assert expected in complaints[name] if expected else name not in complaints


def test_nbval_passes_a_stripped_notebook_so_the_guard_is_needed(complaints):
    assert "stripped" not in complaints


def test_pixels_are_compared_only_if_drawn_with_the_same_software(good):
    assert read(good).metadata.drawn_with == drawn_with()
    stored, new = (read(good).cells[PICTURE].outputs for _ in range(2))
    new[0].data["image/png"] = read(good).cells[WIDGET].outputs[0].data["image/png"]
    assert "differs" in picture_difference(stored, new, same_software=True)
    assert picture_difference(stored, new, same_software=False) is None
    assert "now draws 0" in picture_difference(stored, [], same_software=False)


def test_a_widget_is_stored_as_its_first_picture(good):
    assert "image/png" in read(good).cells[WIDGET].outputs[0].data
    assert "widget-view" not in good


def test_a_second_refresh_changes_no_byte(good, tmp_path):
    path = tmp_path / "again.ipynb"
    save(read(good), path)
    assert refresh(path) is None
    assert path.read_text(encoding="utf-8") == good


def test_a_failing_notebook_is_left_as_it_was(good, tmp_path):
    nb = read(good)
    nb.cells[NUMBER].source = "1 / 0"
    path = tmp_path / "failing.ipynb"
    save(nb, path)
    failure = refresh(path)
    assert "cell 2 (c1) failed" in failure and "ZeroDivisionError" in failure
    assert path.read_text(encoding="utf-8") == write(nb)


def test_a_cell_without_an_id_gets_the_same_one_each_time():
    cells = [{"cell_type": "markdown", "metadata": {}, "source": "a"} for _ in range(3)]
    cells[0]["id"] = "cell-02"
    text = json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    assert [cell.id for cell in read(text).cells] == ["cell-02", "cell-03", "cell-04"]
