"""The programs that tests ask for; where one is missing, the test is skipped."""

import shutil

import pytest

PACKAGES = {  # on Debian and Ubuntu
    "node": "nodejs npm",
    "chromium": "chromium fonts-dejavu-core",
    "bwrap": "bubblewrap libseccomp2",
}


def program(name):
    """Where a program is."""
    path = shutil.which(name)
    if not path:
        pytest.skip(f"{name} is not installed (on Debian or Ubuntu: apt install {PACKAGES[name]})")
    return path
