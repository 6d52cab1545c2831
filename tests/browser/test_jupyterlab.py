"""In JupyterLab: every notebook runs, and every widget follows the keyboard."""

import pytest

from tests.browser.conftest import NAMES
from tests.browser.lab import Lab
from tests.browser.outputs import errors


@pytest.mark.parametrize("name", NAMES)
def test_notebook_runs_and_its_widget_follows_the_keyboard(name, jupyterlab, page):
    lab = Lab(page, jupyterlab(name), seconds=90)
    notebook = lab.run_all()
    assert errors(notebook) == []
    explorer = lab.explorer()
    assert (explorer is None) == (name == "04_pac_and_consistency"), "All others have a widget."
    if explorer:
        assert sorted(explorer.move_all()) == sorted(explorer.labels())
        assert explorer.play() == (name == "01_algorithm")
        width, height = explorer.size()
        assert width <= 1280 and height <= 640
