"""Questions and worked solutions: well formed, right, and the same in the lessons."""

import re

import nbformat
import pytest

from perceptron_lib import exercises
from perceptron_lib.exercises import checker
from tools import teaching
from tools.refresh import NOTEBOOKS

QUESTIONS, SOLUTIONS = teaching.questions(), teaching.sections("solutions")
LESSONS = {path.name[:2]: path for path in sorted(NOTEBOOKS.glob("*.ipynb"))}


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_lesson_shows_its_five_questions_or_more(lesson):
    own = [number for number in QUESTIONS if number.startswith(lesson)]
    assert own == [f"{lesson}.{k + 1}" for k in range(len(own))] and len(own) >= 5
    cells = nbformat.read(LESSONS[lesson], as_version=4).cells
    (shown,) = [c.source for c in cells if "self-test" in c.metadata.get("tags", [])]
    assert shown == teaching.self_test(lesson)


@pytest.mark.parametrize("exercise", sorted(checker.HINTS))
def test_a_worked_solution_passes_its_checker(exercise):
    (code,) = re.findall(r"```python\n(.*?)```", SOLUTIONS[exercise], re.DOTALL)
    body, _, last = code.rstrip().rpartition("\n")
    names = {}
    exec(body, names)
    assert eval(last, names).startswith("✓ Right: ")
    assert len(SOLUTIONS[exercise].split("```")[0].split()) > 20  # it is explained, too


def test_every_exercise_of_a_lesson_has_its_number_and_a_solution():
    assert set(checker.HINTS) <= set(SOLUTIONS)
    for lesson, path in LESSONS.items():
        text = "\n".join(c.source for c in nbformat.read(path, as_version=4).cells)
        for name, check in vars(exercises).items():
            number = getattr(check, "exercise", "")
            if number.startswith(lesson):
                before = text.split(f"exercises.{name}(")[0]
                assert re.findall(r"^\*\*(\d+)\.\*\*", before, re.MULTILINE)[-1] == number[3:]


MALFORMED = {
    "no answer": "### 99.1\nWhy?",
    "no right one": "### 99.1\nWhy?\n\n- [ ] So: no.\n- [ ] Or so: no.",
    "two right ones": "### 99.1\nWhy?\n\n- [x] So: yes.\n- [x] Or so: yes.",
    "no reason": "### 99.1\nWhy?\n\n- [x] So.\n- [ ] Or so: no.",
}


@pytest.mark.parametrize("fault", MALFORMED)
def test_a_malformed_question_is_named(fault, tmp_path, monkeypatch):
    monkeypatch.setattr(teaching, "TEACHING", tmp_path)
    (tmp_path / "questions.md").write_text(MALFORMED[fault], "utf-8")
    with pytest.raises(ValueError, match=r"question 99\.1 needs 2 to 6 answers"):
        teaching.questions()
    (tmp_path / "questions.md").write_text("### 99.1\n\n### 99.1\n", "utf-8")
    with pytest.raises(ValueError, match=r"two headings for 99\.1"):
        teaching.questions()
