"""In the browser, with nothing installed: the same results, and nothing asked of other hosts."""

import nbformat
import pytest

from tests.browser.conftest import ROOT
from tests.browser.lab import Lab
from tests.browser.outputs import errors, texts


@pytest.mark.parametrize("name", ["01_algorithm", "03_mistake_bound", "11_more_than_two_labels"])
def test_live_notebook_prints_what_is_stored(name, site, page):
    lab = Lab(page, f"{site}live/lab/index.html?path={name}.ipynb", seconds=240)
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
        assert page.locator(".pg-status").inner_text().startswith("Update 1 of 4")
