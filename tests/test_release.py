"""What is handed out: on the usual data or on others, alone or in a copy of the collection."""

import importlib
import json
import os
import re
import subprocess
import sys

import nbformat
import pytest

from grading import release
from grading.cage import ROOT
from grading.checks import hidden_checks, hw1, hw2
from grading.course import Course, assignments
from tests.grading import answers_of, solved, with_answers
from tests.handed_out import load, points, run, signatures

NAMES = sorted(assignments())
SEEDS = range(20)


# --- data ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_the_data_beside_the_checks_are_the_usual_ones(name):
    path = release.HANDOUT / f"{name[:3]}.json"
    assert json.loads(path.read_text(encoding="utf-8")) == release.material(name)


@pytest.mark.parametrize("name", NAMES)
def test_each_word_on_the_data_stands_in_the_text(name):
    hidden, text = hidden_checks(name), "\n".join(cell.source for cell in solved(name).cells)
    words = hidden.words(hidden.USUAL)
    assert len(words) == len(set(words)) and all(word in text for word in words)


@pytest.fixture(scope="module")
def usual():
    """The answers of the solved notebooks, which are public."""
    return {
        name: run(path, importlib.import_module(f"grading.handout.{name[:3]}"))[0]
        for name, path in assignments().items()
    }


@pytest.fixture(scope="module", params=SEEDS)
def variant(request, tmp_path_factory):
    """The assignments on the data of a seed: {name: (notebook, the module that students have)}."""
    folder, made = tmp_path_factory.mktemp("variant"), {}
    for name in NAMES:
        release.write_source(folder / name, name, request.param)
        homework = load(folder / name / "checks", f"seed_{request.param}_{name[:3]}")
        made[name] = folder / name / f"{name}.ipynb", homework
    return made


def test_on_other_data_the_solved_notebook_is_right_and_the_old_values_are_not(variant, usual):
    for name, (notebook, homework) in variant.items():
        _, said = run(notebook, homework)
        full = {q: most for q, _, most, by_hand in homework.OUT["questions"] if not by_hand}
        assert {q: got for q, (got, _) in said.items()} == full
        for question in OF_THE_DATA[name[:3]]:
            old = [usual[name][answer] for answer in signatures(assignments()[name])[question]]
            assert points(homework, question, *old) < full[question.replace("question_", "q")]


# A value that answers the usual question answers no other one (the flowers may be the same).
OF_THE_DATA = {
    "hw1": ["question_3"],
    "hw2": ["question_2", "question_7"],
    "hw3": ["question_3", "question_5", "question_6"],
}


def test_questions_on_other_data_are_as_hard_as_the_usual_ones(variant):
    one, two, three = (homework.OUT for _, homework in variant.values())
    made = [hw1.mistakes(*one["six_points"], order) for order in hw1.ORDERS]
    assert 12 <= max(made) <= 24 and made.count(max(made)) <= 12 and made[0] < max(made)
    plain, half = hw2.shares(two["eight_points"])
    assert plain < 0.35 and half < 0.7, "nine tenths of the margin must be worked for"
    lived, k, _ = hw2.survivor(two["digit"], two["stream"])
    assert sorted(lived)[-2] < lived[k] and k < len(lived) - 1
    assert len({tuple(x) for x in three["seven_points"][0]}) == 7, "no two points coincide"


def test_the_text_says_what_the_data_say(tmp_path):
    name = "hw2_margin_and_pac"
    release.write_source(tmp_path / name, name, seed=1)
    nb = nbformat.read(tmp_path / name / f"{name}.ipynb", as_version=4)
    data, text = release.handed_out(name, 1), "\n".join(cell.source for cell in nb.cells)
    assert f"`worst_case({data['vectors']})`, $M={data['vectors']}$" in text
    assert f"stream of {data['stream']} handwritten digits" in text
    assert "the nines are" not in text and "797" not in text
    assert nb.metadata.homework == {"assignment": name, "seed": 1}


# --- a release -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    made = Course(tmp_path_factory.mktemp("release") / "course")
    release.release(made, seed=7)
    return made


def test_the_course_keeps_the_seed_and_grades_by_it(course):
    assert release.released_seed(course) == 7
    for name in NAMES:
        path = course.folder / "source" / name / "checks" / f"{name[:3]}.json"
        kept = json.loads(path.read_text(encoding="utf-8"))
        assert kept["seed"] == 7 and kept == release.material(name, 7)


def test_a_course_without_a_release_has_no_seed(tmp_path):
    assert release.released_seed(type("Course", (), {"folder": tmp_path})) is None


@pytest.fixture
def filled_in(course, tmp_path, name):
    """The folder of a student who wrote the solutions into the release."""
    folder = tmp_path / name
    subprocess.run(["cp", "-r", str(course.folder / "release" / name), folder], check=True)
    answers = nbformat.read(course.folder / "source" / name / f"{name}.ipynb", as_version=4)
    answers = {question: cell.source for question, cell in answers_of(answers).items()}
    path = folder / f"{name}.ipynb"
    nbformat.write(with_answers(nbformat.read(path, as_version=4), answers), path)
    return folder


@pytest.mark.parametrize("name", NAMES)
def test_a_student_needs_the_library_and_nothing_else(filled_in, tmp_path, name):
    """By the command that the notebook names: every question is right, and none is missing."""
    (filled_in / "checks.py").write_text("raise SystemExit('the wrong checks')")
    (tmp_path / "packages").mkdir()
    (tmp_path / "packages" / "perceptron_lib").symlink_to(ROOT / "perceptron_lib")
    done = subprocess.run(
        [sys.executable, "-m", "checks"], cwd=filled_in, capture_output=True, text=True,
        env=os.environ | {"PYTHONPATH": str(tmp_path / "packages")}, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    asked = len(release.questions(solved(name))[1])
    assert done.stdout.count("right, as far as it is tried here") == asked - 1, done.stdout
    assert "marked by hand): answered" in done.stdout and "Not yet" not in done.stdout


def change(nb, question, source):
    for cell in nb.cells:
        if cell.metadata.get("nbgrader", {}).get("grade_id") == question:
            cell.source = source


def test_the_self_check_says_what_is_wrong_missing_or_empty(course, tmp_path):
    name = NAMES[0]
    folder = tmp_path / name
    subprocess.run(["cp", "-r", str(course.folder / "release" / name), folder], check=True)
    path = folder / f"{name}.ipynb"
    nb = nbformat.read(path, as_version=4)
    change(nb, "q1-answer", "def my_perceptron(X, y, max_passes=100):\n    return 1 / 0")
    change(nb, "q2-answer", "while True:\n    pass")
    change(nb, "q3-answer", "order = [0, 1, 2, 3, 4, 5]")
    nb.cells = [c for c in nb.cells if c.metadata.get("nbgrader", {}).get("grade_id") != "q4"]
    nbformat.write(nb, path)
    before = path.read_bytes()
    lines = "\n".join(release.self_check(path, seconds=2))
    assert path.read_bytes() == before
    assert "Question 1: the algorithm (3 points): not yet\n    ZeroDivisionError" in lines
    assert re.search(r"Question 2: .*: not yet\n    NameError: name 'room'", lines)
    assert re.search(r"Question 3: .*: not yet\n    Not yet: \d+ mistakes?, this is not", lines)
    assert "its cell q4 is missing" in lines
    assert "marked by hand): no answer yet" in lines


def test_the_self_check_knows_a_notebook_that_is_none_of_its_own(tmp_path):
    path = tmp_path / "mine.ipynb"
    nbformat.write(nbformat.v4.new_notebook(), path)
    assert "does not import the checks" in release.self_check(path)[0]


@pytest.mark.parametrize(
    ("folder", "told"), [("nowhere", "Name your notebook"), (NAMES[0], "there is no answer here")]
)
def test_make_check_tells_what_would_be_graded(course, folder, told):
    path = course.folder / "release" / folder / f"{NAMES[0]}.ipynb"
    fresh = ["-o", f"{sys.prefix}/.ready", f"LAB={sys.prefix}", f"HW={path}"]
    done = subprocess.run(["make", "check", *fresh], cwd=ROOT, capture_output=True, text=True)
    assert told in done.stdout, done.stderr


# --- JupyterLab ----------------------------------------------------------------------------------


def test_make_lab_does_not_show_the_solved_homework():
    from jupyter_server.serverapp import ServerApp
    from jupyter_server.services.contents.largefilemanager import LargeFileManager

    lab = re.search(r"(?s)-m jupyterlab(.*?)\$\(LAB_ARGS\)", (ROOT / "Makefile").read_text())[1]
    arguments = [word for word in lab.replace("\\\n", " ").split() if "LabApp" not in word]
    app = ServerApp()
    app.parse_command_line(arguments)
    manager = LargeFileManager(root_dir=str(ROOT / "notebooks"), config=app.config)
    shown = {entry["name"] for entry in manager.get("")["content"]}
    assert "01_algorithm.ipynb" in shown and "homework" not in shown and "__pycache__" not in shown
    everything = LargeFileManager(root_dir=str(ROOT / "notebooks")).get("")["content"]
    assert "homework" in {entry["name"] for entry in everything}, "without the option it is there"
