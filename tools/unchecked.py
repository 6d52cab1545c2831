"""What this machine could not check, named at the end of the tests; with CI=true that is a failure.

A test that needs a program asks for it by `program("node")`.  Where it is missing the test is left
out, and the summary says what to install.  So are pixels, where other software drew them.
"""

import os
import shutil
from collections import Counter

import pytest

# The programs that tests ask for, and the packages that have them on Debian and Ubuntu.
PROGRAMS = {
    "node": "nodejs npm",
    "chromium": "chromium fonts-dejavu-core",
    "bwrap": "bubblewrap libseccomp2",
}


def program(name):
    """Where a program is; without it, the test that asks is left out."""
    found = shutil.which(name)
    if not found:
        pytest.skip(f"{name} is not installed (on Debian or Ubuntu: apt install {PROGRAMS[name]})")
    return found


def unchecked(reporter):
    """The sentences on what was not checked."""
    left_out = Counter(
        (report.nodeid.split("::")[0], report.longrepr[2].removeprefix("Skipped: "))
        for report in reporter.getreports("skipped")
    )
    found = [f"{count} in {file}: {reason}." for (file, reason), count in left_out.items()]
    ran = reporter.getreports("passed") + reporter.getreports("failed")
    if not any(".ipynb::" in report.nodeid for report in ran):
        return found
    from tools import pictures  # which loads matplotlib, and so only where there are pictures

    if reason := pictures.drawn_otherwise():
        install = "`make test` does, and `pip install -c constraints.txt matplotlib pillow`"
        found.append(f"The pixels of pictures: {reason} To install the former: {install}.")
    return found


def pytest_terminal_summary(terminalreporter):
    if found := unchecked(terminalreporter):
        fails = ", which CI=true makes a failure" if in_ci() else ""
        terminalreporter.section(f"not checked{fails}")
        for sentence in found:
            terminalreporter.write_line(sentence)


def pytest_sessionfinish(session, exitstatus):
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    # With pytest-xdist the reports of all workers arrive in the process that started them.
    if exitstatus == 0 and in_ci() and not hasattr(session.config, "workerinput"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED if unchecked(reporter) else 0


def in_ci():
    return os.environ.get("CI") == "true"
