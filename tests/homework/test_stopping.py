"""A batch that is stopped, by whatever means, leaves nothing behind and can go on."""

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import nbformat
import pytest

from grading.cage import ROOT
from grading.supervisor import descendants, processes
from tests.grading import FIRST, command, plainly, read_rows, solved, with_answers
from tests.homework.test_cage import alive, wait_until
from tests.programs import program

SLOW = "import time\ntime.sleep(8)\norder = [5, 4, 3, 2, 1, 0]"


@pytest.fixture(scope="module")
def cut(tmp_path_factory):
    """A course of which the assignments are cut."""
    program("bwrap")
    folder = tmp_path_factory.mktemp("cut")
    subprocess.run(command(folder, "release"), check=True, cwd=ROOT)
    return folder


def hand_in(folder):
    """Ann is graded at once; Ben, and Cara by a zip, take their time."""
    for name, answers in (("ann", {}), ("ben", {"q3": SLOW}), ("cara", {"q3": SLOW})):
        (folder / name).mkdir(parents=True)
        nbformat.write(with_answers(solved(FIRST), answers), folder / name / f"{FIRST}.ipynb")
    shutil.make_archive(str(folder / "cara"), "zip", folder / "cara")
    shutil.rmtree(folder / "cara")


def has_rows(build, count):
    return (build / "grades.csv").exists() and len(read_rows(build)) >= count


def grader(started):
    """The process of the command itself, below what changes to a plain user."""
    for pid in descendants(started.pid, processes()):
        line = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        if b"python" in line[0] and b"grading" in line[:4]:
            return pid
    raise AssertionError("it does not run")


@pytest.mark.parametrize(("how", "isolation"), [
    (signal.SIGINT, []), (signal.SIGTERM, []), (signal.SIGKILL, []),
    (signal.SIGKILL, ["--without-isolation"]),
])  # fmt: skip
def test_a_stopped_batch_leaves_nothing_and_the_next_goes_on(cut, tmp_path, how, isolation):
    build, folder = tmp_path / "build", tmp_path / "in"
    shutil.copytree(cut, build)
    hand_in(folder)
    line = command(build, "grade", str(folder), "--without-feedback", "--jobs", "2", *isolation)
    with subprocess.Popen(plainly(line, tmp_path), cwd=ROOT) as started:
        wait_until(lambda: has_rows(build, 1), 60)
        time.sleep(2)  # in the midst of Ben's and Cara's
        below = descendants(started.pid, processes())
        assert len(below) > 5
        os.kill(grader(started), how)
        started.wait(5)
    wait_until(lambda: not any(map(alive, below)), 5)
    assert len(read_rows(build)) == 1
    done = subprocess.run(plainly(line, tmp_path), cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "going on where the last batch stopped, with 1 rows" in done.stdout
    assert "released" not in done.stdout, "what is cut and current is not cut again"
    assert [row["score"] for row in read_rows(build).values()] == ["16.0", "14.0", "14.0"]
    assert not {"unpacked", "scratch"} & set(os.listdir(build))


def test_a_batch_whose_reader_goes_away_ends_without_a_word(cut, tmp_path):
    build = shutil.copytree(cut, tmp_path / "build")
    (tmp_path / "in" / "ann").mkdir(parents=True)
    line = command(build, "grade", str(tmp_path / "in"))
    with subprocess.Popen(line, cwd=ROOT, stdout=-1, stderr=-1) as started:
        started.stdout.close()
        assert started.stderr.read() == b"" and started.wait() == 1
