"""In JupyterLab: every notebook runs, and every widget follows the keyboard."""

import pytest

from tests.browser.conftest import LESSONS, NAMES
from tests.browser.lab import Lab
from tests.browser.outputs import errors


@pytest.mark.parametrize("name", NAMES)
def test_notebook_runs_and_its_widget_follows_the_keyboard(name, jupyterlab, page):
    lab = Lab(page, jupyterlab(name), seconds=90)
    notebook = lab.run_all()
    assert errors(notebook) == []
    explorer = lab.explorer()
    without = {"01_algorithm", "04_what_the_bound_knows", "06_pac_and_consistency"}
    assert (explorer is None) == (name in without or name not in LESSONS), "Others have one."
    if explorer:
        assert sorted(explorer.move_all()) == sorted(explorer.labels())
        assert explorer.play() == (name == "02_separability")
        width, height = explorer.size()
        assert width <= 1280 and height <= 680
