"""What is handed out, cut by nbgrader: alone, and in a copy of the collection."""

import json
import os
import re
import shutil
import subprocess
import sys
from urllib.parse import unquote

import nbformat
import pytest

from grading import release
from grading.cage import ROOT
from grading.course import assignments
from grading.handout.__main__ import self_check
from tests.grading import answers_of, solved, with_answers
from tests.handed_out import archive
from tests.solved import leaks_in

NAMES = sorted(assignments())


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return archive(tmp_path_factory.mktemp("release"), seed=7)


@pytest.fixture
def course(made):
    return made[0]


@pytest.fixture
def students(made):
    """What a student unpacks."""
    return made[1]


def test_the_course_keeps_the_seed_and_grades_by_it(course, tmp_path):
    assert release.released_seed(course) == 7
    assert release.released_seed(type("Course", (), {"folder": tmp_path})) is None, "no release yet"
    for name in NAMES:
        path = course.folder / "source" / name / "checks" / f"{name[:3]}.json"
        assert json.loads(path.read_text(encoding="utf-8")) == release.material(name, 7)


def fill_in(folder, name, answers):
    """Write answers into a released notebook."""
    path = folder / f"{name}.ipynb"
    nbformat.write(with_answers(nbformat.read(path, as_version=4), answers), path)
    return path


def released(course, name, folder):
    """A student's copy of the folder of an assignment."""
    subprocess.run(["cp", "-r", str(course.folder / "release" / name), folder / name], check=True)
    return folder / name


# --- the self-check ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_a_student_needs_the_library_and_nothing_else(course, tmp_path, name):
    """With the solutions filled in, every question is right, and none is missing."""
    folder = released(course, name, tmp_path)
    source = nbformat.read(course.folder / "source" / name / f"{name}.ipynb", as_version=4)
    fill_in(folder, name, {question: cell.source for question, cell in answers_of(source).items()})
    (folder / "checks.py").write_text("raise SystemExit('the wrong checks')")
    (tmp_path / "packages").mkdir()
    (tmp_path / "packages" / "perceptron_lib").symlink_to(ROOT / "perceptron_lib")
    done = subprocess.run(
        [sys.executable, "-m", "checks", f"{name}.ipynb"], cwd=folder, capture_output=True,
        text=True, env=os.environ | {"PYTHONPATH": str(tmp_path / "packages")}, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    asked = len(release.questions(solved(name))[1])
    assert done.stdout.count("right, as far as it is tried here") == asked - 1, done.stdout
    assert "marked by hand): answered" in done.stdout and "Not yet" not in done.stdout


def test_the_self_check_says_what_is_wrong_missing_or_empty(course, tmp_path):
    answers = {
        "q1": "def my_perceptron(X, y, max_passes=100):\n    return 1 / 0",
        "q2": "while True:\n    pass",
        "q3": "order = [0, 1, 2, 3, 4, 5]",
    }
    path = fill_in(released(course, NAMES[0], tmp_path), NAMES[0], answers)
    nb = nbformat.read(path, as_version=4)
    nb.cells = [c for c in nb.cells if c.metadata.get("nbgrader", {}).get("grade_id") != "q4"]
    nbformat.write(nb, path)
    before = path.read_bytes()
    lines = "\n".join(self_check(path, seconds=2))
    assert path.read_bytes() == before
    assert "Question 1: the algorithm (3 points): not yet\n    ZeroDivisionError" in lines
    assert re.search(r"Question 2: .*: not yet\n    NameError: name 'room'", lines)
    assert re.search(r"Question 3: .*: not yet\n    Not yet: mistakes in this order: \d+;", lines)
    assert "its cell q4 is missing" in lines
    assert "marked by hand): no answer yet" in lines


def test_the_self_check_knows_a_notebook_that_is_none_of_its_own(tmp_path):
    path = tmp_path / "mine.ipynb"
    nbformat.write(nbformat.v4.new_notebook(), path)
    assert "does not import the checks" in self_check(path)[0]


@pytest.mark.parametrize("folder", ["nowhere", NAMES[0], "my homework"])
def test_make_check_works_in_the_students_archive(students, folder):
    if folder == "my homework":
        shutil.copytree(students / "notebooks" / NAMES[0], students / "notebooks" / folder)
    fresh = ["-o", f"{sys.prefix}/.ready", f"LAB={sys.prefix}"]
    notebook = f"HW=notebooks/{folder}/{NAMES[0]}.ipynb"
    done = subprocess.run(
        ["make", "check", *fresh, notebook], cwd=students, capture_output=True, text=True
    )
    told = "Name your notebook" if folder == "nowhere" else "there is no answer here"
    assert told in done.stdout, done.stderr


# --- the archive ---------------------------------------------------------------------------------


def test_the_archive_has_the_collection_and_no_solutions_tests_or_grader(students):
    names = {
        path.relative_to(students).as_posix() for path in students.rglob("*") if path.is_file()
    }
    assert {"Makefile", "README.md", "notebooks/01_algorithm.ipynb"} <= names
    assert {f"notebooks/{name}/{name}.ipynb" for name in NAMES} <= names
    readme = (students / "README.md").read_text(encoding="utf-8")
    assert "make lab" in readme and "    make test" not in readme
    left_out = "grading", "tests", "notebooks/homework", "teaching/solutions", ".github", "CONTRIB"
    assert not [n for n in names if n.startswith(left_out)]
    assert not [n for n in names if n.endswith("conftest.py") or "__pycache__" in n]
    for name in names:
        if name.startswith("perceptron_lib/"):  # which the tests import from the clone
            assert (students / name).read_bytes() == (ROOT / name).read_bytes()


def test_the_archive_tells_no_worked_solution(students):
    assert leaks_in(students) == []


def pages(folder):
    """The texts of all Markdown files and notebooks, by path."""
    for path in sorted(folder.rglob("*.md")):
        yield path, path.read_text(encoding="utf-8")
    for path in sorted(folder.rglob("*.ipynb")):
        cells = nbformat.read(path, as_version=4).cells
        yield path, "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


def dead_links(folder):
    for path, text in pages(folder):
        for link in re.findall(r"\]\(([^)\s#]+)", text) + re.findall(
            r'(?:src|href)="([^"#]+)', text
        ):
            if not re.match(r"[a-z]+:", link) and not (path.parent / unquote(link)).exists():
                yield f"{path.relative_to(folder)}: {link}"


def test_every_link_of_the_archive_leads_to_a_file_in_it(students):
    assert list(dead_links(students)) == []
    (students / "README.md").rename(students / "notebooks" / "moved.md")
    assert list(dead_links(students)), "a page whose links are dead would be seen"
    (students / "notebooks" / "moved.md").rename(students / "README.md")


@pytest.mark.parametrize("name", NAMES)
def test_a_released_notebook_has_no_output_and_nothing_hidden(students, name):
    nb = nbformat.read(students / "notebooks" / name / f"{name}.ipynb", as_version=4)
    assert not any(cell.get("outputs") for cell in nb.cells)
    text = nbformat.writes(nb)
    assert "BEGIN" not in text and "grading" not in text.replace("nbgrader", "")
    assert nb.metadata.homework == {"assignment": name, "seed": 7}


def git(folder, *arguments):
    done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_branch_has_what_the_archive_has_and_touches_nothing_else(made, tmp_path, monkeypatch):
    for who in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{who}_NAME", "Ada")
        monkeypatch.setenv(f"GIT_{who}_EMAIL", "ada@example.org")
    zipped, students = made[1].with_suffix(".zip"), made[1]
    git(tmp_path, "init", "--quiet", "--initial-branch=main")
    (tmp_path / "solution.txt").write_text("42")
    git(tmp_path, "add", "solution.txt")
    git(tmp_path, "commit", "--quiet", "-m", "The collection")
    (tmp_path / "mine.txt").write_text("not committed")
    before = git(tmp_path, "status", "--porcelain", "--branch")
    assert "committed to the branch students" in release.student_branch(zipped, tmp_path)
    assert git(tmp_path, "status", "--porcelain", "--branch") == before
    assert sorted(path.name for path in tmp_path.iterdir()) == [".git", "mine.txt", "solution.txt"]
    files = {p.relative_to(students).as_posix() for p in students.rglob("*") if p.is_file()}
    in_branch = set(git(tmp_path, "ls-tree", "-r", "-z", "--name-only", "students").split("\0"))
    unpacked = {name for name in files if "my homework" not in name}  # which another test adds
    assert in_branch - {""} == unpacked
    assert "is as it was" in release.student_branch(zipped, tmp_path), "the same once more"
    assert git(tmp_path, "rev-list", "--count", "students") == "1\n"
    git(tmp_path, "switch", "--quiet", "students")
    with pytest.raises(SystemExit, match="students is checked out"):
        release.student_branch(zipped, tmp_path)


def test_no_solution_stands_in_what_students_get(students):
    files = [path for path in students.rglob("*") if path.suffix != ".zip" and path.is_file()]
    texts = {path: path.read_text(encoding="utf-8", errors="ignore") for path in files}
    for path in students.rglob("*.ipynb"):
        cells = nbformat.read(path, as_version=4).cells
        texts[path] = "\n".join(cell.source for cell in cells)
    solutions = (ROOT / "teaching/solutions.md").read_text(encoding="utf-8")
    worked = re.findall(r"```python\n(.*?)```", solutions, re.DOTALL)
    answers = [block.rpartition("import ")[2].split("\n", 1)[1].strip() for block in worked]
    for name in NAMES:
        blocks = [re.findall(r"### BEGIN SOLUTION\n(.*?)### END SOLUTION", cell.source, re.DOTALL)
                  for cell in solved(name).cells]  # fmt: skip
        answers += [block.strip() for found in blocks for block in found]
    assert len(answers) > 50

    def given_away():
        return [(path.relative_to(students).as_posix(), answer) for answer in answers
                for path, text in texts.items() if answer in text]  # fmt: skip

    assert given_away() == []
    texts[students / "README.md"] += answers[0]
    assert given_away() == [("README.md", answers[0])], "one that stands there would be seen"


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
