"""What a machine cannot check is named at the end, and fails where everything must be checked."""

import pytest

from tests.inside import Run
from tools import pictures, unchecked

TESTS = """
import pytest, tools.unchecked

@pytest.mark.parametrize("needed", ["node", "node", None])
def test_it(needed):
    assert not needed or tools.unchecked.program(needed)
"""
NAMED = "test_it.py: node is not installed (on Debian or Ubuntu: apt install nodejs npm).\n"


MACHINES = {
    "a user's machine": (False, "", 0, 0), "CI": (False, "true", 0, 1),
    "CI with workers": (False, "true", 1, 1), "CI with all that is needed": (True, "true", 0, 0),
}  # fmt: skip


@pytest.mark.parametrize("machine", MACHINES)
def test_a_missing_program_is_named_and_fails_with_ci(machine, tmp_path, monkeypatch, capsys):
    has_node, ci, workers, code = MACHINES[machine]
    (tmp_path / "test_it.py").write_text(TESTS)
    if has_node:
        (tmp_path / "node").touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("CI", ci)
    assert Run("-p", "tools.unchecked", f"-n{workers}", tmp_path).code == code
    said = capsys.readouterr().out
    assert (NAMED in said) == ("\n2 in " in said) == ("= not checked" in said) == (not has_node)
    assert ("which CI=true makes a failure" in said) == bool(code)


class Reporter:
    """The reports of a notebook's cell that passed."""

    nodeid = "a.ipynb::Cell 0"

    def getreports(self, outcome):
        return [self] if outcome == "passed" else []


def test_pixels_that_were_not_compared_are_named(monkeypatch):
    monkeypatch.setattr(pictures, "drawn_otherwise", lambda: None)
    assert unchecked.unchecked(Reporter()) == []
    monkeypatch.setattr(pictures, "drawn_otherwise", lambda: "Drawn with A; here is B.")
    (said,) = unchecked.unchecked(Reporter())
    assert said.startswith("The pixels of pictures: Drawn with A; here is B. To install the former")
