"""The graded submissions, for all tests of this folder, and a table of what every one got."""

import pytest

from tests.grading import Graded, table
from tests.programs import program

TABLE = pytest.StashKey()


@pytest.fixture(scope="session")
def graded(tmp_path_factory, request):
    """What every submission got."""
    program("bwrap")
    found = Graded(tmp_path_factory.mktemp("homework"))
    request.config.stash[TABLE] = "\n".join(table(found.rows))
    return found


def pytest_sessionfinish(session):
    if hasattr(session.config, "workerinput"):  # it is another process that reports
        session.config.workeroutput["homework"] = session.config.stash.get(TABLE, None)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    if told := getattr(node, "workeroutput", {}).get("homework"):
        node.config.stash[TABLE] = told


def pytest_terminal_summary(terminalreporter, config):
    if TABLE in config.stash:
        terminalreporter.section("homework")
        terminalreporter.write_line(config.stash[TABLE])
