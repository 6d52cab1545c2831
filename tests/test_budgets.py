"""The collection is small on purpose: a room has a budget of lines; whoever adds takes away."""

import pytest

from perceptron_lib import lessons
from tools import ROOT

LIBRARY = ROOT / "perceptron_lib"
SHARED = [*LIBRARY.glob("*.py"), *LIBRARY.glob("claims/*.py")]
BESIDE = {  # tests of homework, its grader, the site, its scripts and the decks
    "class_of_200", "grading", "handed_out", "homework_answers", "hostile", "inside", "hub_trial",
    "solved", "test_adopt", "test_deck", "test_feedback", "test_frame", "test_frames",
    "test_homework_checks", "test_licences", "test_playground", "test_reference", "test_texts",
    "test_variants", "test_web",
}  # fmt: skip
BUDGETS = {
    "all that lessons share": (3200, SHARED),
    "perceptron.py": (190, [LIBRARY / "perceptron.py"]),
    "exact.py": (210, [LIBRARY / "exact.py"]),
    "fast.py": (100, [LIBRARY / "fast.py"]),
    "runs and separators": (670, [LIBRARY / f"{name}.py" for name in (
        "run", "separability", "surd", "embedding")]),
    "data and bounds": (360, [LIBRARY / f"{name}.py" for name in ("examples", "bounds")]),
    "the scripts": (2000, [*LIBRARY.glob("widgets/*.js"), ROOT / "web/templates/playground.html"]),
    "the door": (200, [LIBRARY / "checks.py"]),
    "the door and numbers": (350, [LIBRARY / f"{name}.py" for name in ("checks", "show")]),
    "claims": (900, LIBRARY.glob("claims/*.py")),
    "plots": (1100, LIBRARY.glob("plots/*.py")),
    "widgets": (300, LIBRARY.glob("widgets/*.py")),
    **{f"the room {name}": (600, [LIBRARY / f"lessons/{name}.py"]) for name in lessons.ROOMS},
    "the library": (8900, LIBRARY.rglob("*.py")),
    "tools": (1100, ROOT.glob("tools/*.py")),
    "benchmarks": (200, ROOT.glob("benchmarks/*.py")),
    "tests of the library and its lessons": (
        5060, [path for path in ROOT.glob("tests/*.py") if path.stem not in BESIDE]),
}  # fmt: skip


@pytest.mark.parametrize("room", BUDGETS)
def test_a_room_keeps_its_budget_of_lines(room):
    budget, files = BUDGETS[room]
    lines = {f"{path.parent.name}/{path.name}": len(path.read_text(encoding="utf-8").splitlines())
             for path in files}  # fmt: skip
    assert sum(lines.values()) <= budget, f"{room}: {sum(lines.values())} of {budget}: {lines}"


def test_every_module_has_a_name_of_its_own():
    names = [path.stem for path in LIBRARY.rglob("*.py") if path.stem != "__init__"]
    assert len(names) == len(set(names))
