"""In the browser, with nothing installed: the same results, and nothing asked of other hosts."""

import json
import subprocess
from pathlib import Path

import nbformat
import pytest

from tests.browser.conftest import NAMES, ROOT
from tests.browser.lab import Lab
from tests.browser.outputs import errors, texts, words

IN_CHROMIUM = ["01_algorithm", "03_mistake_bound", "11_more_than_two_labels"]
LESSONS = Path(__file__).with_name("lessons.mjs")


@pytest.mark.parametrize("name", IN_CHROMIUM)
def test_live_notebook_prints_what_is_stored(name, site, page):
    lab = Lab(page, f"{site}live/notebooks/index.html?path={name}.ipynb", seconds=240)
    notebook = lab.run_all()
    assert errors(notebook) == []
    stored = nbformat.read(ROOT / f"notebooks/{name}.ipynb", as_version=4)
    assert texts(notebook) == texts(stored)
    if explorer := lab.explorer():
        assert sorted(explorer.move_all()) == sorted(explorer.labels())
    if name == "01_algorithm":
        step = page.locator('.pg [data-do="step"]')
        step.scroll_into_view_if_needed()
        step.click()
        assert page.locator(".pg-status").inner_text().startswith("Point 0 is +, and its score")


@pytest.mark.parametrize("name", [name for name in NAMES if name not in IN_CHROMIUM])
def test_other_lessons_on_the_same_pyodide(name, site_folder):
    """Under Node, without a browser; `make test-browser` prints how long Run All takes."""
    lesson = ROOT / f"notebooks/{name}.ipynb"
    node = ["node", LESSONS, site_folder / "live/pyodide", lesson]
    done = json.loads(subprocess.run(node, capture_output=True, check=True, timeout=300).stdout)
    print(f"{name}: Run All in {done['seconds']:.0f} s")
    assert [cell["error"] for cell in done["said"] if cell["error"]] == []
    cells = nbformat.read(lesson, as_version=4).cells
    stored = [cell.outputs for cell in cells if cell.cell_type == "code"]
    for cell, outputs in zip(done["said"], stored, strict=True):
        assert cell["printed"] == "".join(out.get("text", "") for out in outputs)
        assert [words(out) for out in cell["shown"]] == [
            words(out) for out in outputs if out.output_type != "stream"
        ]
