"""pytest run within a test, on a folder of its own or on the notebooks."""

import pytest

from tools import ROOT


class Run:
    """What a run collected, what it said of each item, and the code that it ended with."""

    def __init__(self, *options):
        self.collected, self.said = [], {}
        settings = ["-c", str(ROOT / "pyproject.toml"), "-p", "no:cacheprovider", "--color=no"]
        settings += ["--import-mode=importlib"]  # each run has modules of its own
        self.code = pytest.main([*settings, *map(str, options)], plugins=[self])

    def pytest_collection_finish(self, session):
        self.collected = [item.nodeid for item in session.items]

    def pytest_runtest_logreport(self, report):
        if report.when == "call":
            self.said[report.nodeid] = report.longreprtext
