"""What several test modules share."""

import math

import pytest

from perceptron_lib import scan
from perceptron_lib.perceptron import _Arithmetic
from tests.grading import Grading, table


@pytest.fixture(scope="module", params=["blocks", "scores", "compiled"])
def each_way(request):
    """The tests that use this run once with each of the three scans, from the first pass on."""

    def dual_form_pays(self, M):
        return request.param == "scores" and isinstance(self.scan, scan.Blocks) and not self.theta

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scan, "patience", 0.0 if request.param == "compiled" else math.inf)
        patch.setattr(_Arithmetic, "dual_form_pays", dual_form_pays)
        yield request.param


# --- homework -----------------------------------------------------------------------------------
# Its graders take a minute, mostly waiting.  One process alone starts them in the background and
# asks for their results last; of several workers, one asks first and waits while others test.

HOMEWORK_TABLE = pytest.StashKey()


def of_homework(item):
    return "test_homework.py" in item.nodeid


def one_of_several(config):
    return hasattr(config, "workerinput")


def pytest_collection_modifyitems(config, items):
    homework = [item for item in items if of_homework(item)]
    others = [item for item in items if not of_homework(item)]
    items[:] = homework + others if one_of_several(config) else others + homework


@pytest.fixture(scope="session", autouse=True)
def graders_from_the_start(request):
    if not one_of_several(request.config) and any(map(of_homework, request.session.items)):
        request.getfixturevalue("grading")


@pytest.fixture(scope="session")
def grading(tmp_path_factory):
    """The graders of every submission."""
    graders = Grading(tmp_path_factory.mktemp("homework"))
    yield graders
    graders.stop()


@pytest.fixture(scope="session")
def graded(grading, request):
    """What every submission got: {(student, assignment): row}."""
    rows = grading.rows()
    request.config.stash[HOMEWORK_TABLE] = "\n".join(table(rows))
    return rows


def pytest_sessionfinish(session):
    """A worker hands its table to the process that reports."""
    if one_of_several(session.config) and HOMEWORK_TABLE in session.config.stash:
        session.config.workeroutput["homework"] = session.config.stash[HOMEWORK_TABLE]


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    if "homework" in getattr(node, "workeroutput", {}):
        node.config.stash[HOMEWORK_TABLE] = node.workeroutput["homework"]


def pytest_terminal_summary(terminalreporter, config):
    """Print the table of what every submission got."""
    if HOMEWORK_TABLE in config.stash:
        terminalreporter.section("homework")
        terminalreporter.write_line(config.stash[HOMEWORK_TABLE])
