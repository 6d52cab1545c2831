"""The cage and the supervisor: nothing gets out, in, or remains, and every budget is kept.

Programs of a few lines stand for submissions here, so that this takes seconds; whole submissions
are graded by test_homework.py and, two hundred of them, by class_of_200.py.
"""

import contextlib
import json
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from grading import cage, supervisor
from grading.course import STAGES, assignments
from grading.sandbox import Ended, Sandbox, SubmissionError
from tests.grading import plainly
from tests.hostile import HONEST, MORE
from tests.programs import program

# --- what a cage shows, and what it refuses ----------------------------------------------------


STARTER = """
import os, sys
from grading import cage
more = {"inner": True} if sys.argv[2] == "inner" else {"isolate": False}
command = [sys.executable, "-c", sys.argv[1], str(os.getpid())]
sys.exit(cage.start(command, {}, 2**20, cage.INNER, **more).wait())
"""


IMPORTS = """
import ctypes, mmap, os, socket, sys
LIBC = ctypes.CDLL(None, use_errno=True)
"""


def python_in(place, code, folder):
    """Let a plain user run a little program in the "inner" cage or in none ("open")."""
    program("bwrap")
    command = [sys.executable, "-c", STARTER, IMPORTS + code, place]
    return subprocess.run(plainly(command, folder), cwd=cage.ROOT, capture_output=True, text=True)


ADD_KEY = {"x86_64": 248, "aarch64": 217}[os.uname().machine]
OUTSIDE = {
    "a file of the system": "open('/etc/passwd')",
    "this file": f"open({__file__!r})",
    "the solutions": f"open({str(next(iter(assignments().values())))!r})",
    "processes": "os.listdir('/proc')",
    "devices": "os.listdir('/sys')",
    "a process outside": "os.kill(int(sys.argv[1]), 0)",
    "the network": "socket.socket()",
    "a local socket": "socket.socket(socket.AF_UNIX)",
    "writing where Python is": f"open({sys.prefix + '/written'!r}, 'w').close()",
    "writing beside the root": "open('/written', 'w').close()",
    "memory that belongs to no process": "os.memfd_create('x')",
    "shared memory that stays": "assert LIBC.shmget(0, 2**20, 0o1600) >= 0",
    "shared memory that is given back": "mmap.mmap(-1, 4096)",
    "shared memory of a device": "mmap.mmap(os.open('/dev/zero', os.O_RDWR), 1)",
    "larger buffers": "socket.socketpair()[0].setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 9)",
    "the memory of a process": "assert LIBC.process_vm_readv(os.getpid(), 0, 0, 0, 0, 0) == 0",
    "mounts": "LIBC.syscall(458, 0, 0, 0, 0)\nif ctypes.get_errno() == 1: raise OSError",
    "a key": f"assert LIBC.syscall({ADD_KEY}, b'user', b'x', b'x', 1, -2) > 0",
    "another core": "os.sched_setaffinity(0, os.sched_getaffinity(0))",
    "more room": "open('/tmp/large', 'wb').write(bytes(2**21))",
    "more room in shared memory": "open('/dev/shm/large', 'wb').write(bytes(2**27))",
}
AFTERWARDS = [sys.prefix + "/written", "/written", "/tmp/large", "/dev/shm/large"]


@pytest.mark.parametrize("what", OUTSIDE)
def test_what_works_outside_fails_in_the_cage(what, tmp_path):
    done = python_in("inner", OUTSIDE[what], tmp_path)
    assert done.returncode == 1 and "Error" in done.stderr
    for path in AFTERWARDS:
        assert not os.path.exists(path), path


@pytest.mark.parametrize("what", ["a file of the system", "this file", "the solutions", "processes",
                                  "a process outside", "a local socket", "a key",
                                  "memory that belongs to no process", "another core",
                                  "shared memory that is given back", "shared memory of a device",
                                  "larger buffers", "the memory of a process",
                                  "mounts"])  # fmt: skip
def test_the_same_works_without_the_cage(what, tmp_path):
    """Or the test above would show nothing."""
    done = python_in("open", OUTSIDE[what], tmp_path)
    assert done.returncode == 0, done.stderr


def test_the_inner_cage_has_python_and_an_empty_home(tmp_path):
    code = "import json, numpy\nprint(json.dumps([os.listdir('/'), os.listdir('/tmp')]))"
    top, home = map(set, json.loads(python_in("inner", code, tmp_path).stdout))
    python = {part for path in cage.python() for part in Path(path).parts}
    assert top <= {"bin", "sbin", "lib", "lib32", "lib64", "usr", "etc", "dev", "tmp"} | python
    assert home <= python, "where Python itself lies there, its folder and no other"


def test_a_cage_ends_with_the_process_that_started_it():
    program("bwrap")
    code = """
import sys, time
from grading import cage
cage.start([sys.executable, "-c", sys.argv[1]], {}, 2**20, cage.INNER, inner=True)
time.sleep(1000)
"""
    daemon = f"import os, time\nif os.fork() == 0: os.setsid()\n{SLEEP}"
    parent = subprocess.Popen([sys.executable, "-c", code, daemon], cwd=cage.ROOT)
    wait_until(lambda: len(running()) >= 4, 30)  # the parent, bwrap, and two of the daemon
    parent.kill()
    parent.wait()
    wait_until(lambda: not running())


def test_without_bubblewrap_it_says_how_to_get_it_and_stops(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SystemExit, match="apt install bubblewrap"):
        next(supervisor.grade_all(None, []))


def test_no_cage_shows_the_clone_or_the_grades(monkeypatch, tmp_path):
    for prefix in (cage.ROOT, tmp_path):
        monkeypatch.setattr(sys, "prefix", str(prefix))
        assert "which submissions see" in cage.why_none(tmp_path / "build")


def test_where_bubblewrap_is_forbidden_it_says_so(monkeypatch, tmp_path):
    (tmp_path / "bwrap").write_text("#!/bin/sh\necho 'no permissions' >&2\nexit 1\n")
    (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "lets bwrap build no cage (no permissions)" in cage.why_none()


SLEEP = f"time.sleep({10**6 + os.getpid()})"  # known by this number


def running():
    """The processes that have this sleep in their command line, `bwrap` among them."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if SLEEP.encode() in path.read_bytes():
                found.append(path.parts[2])
    return found


def alive(pid):
    """Does it run?  (One that nobody has asked about since it ended does not.)"""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def wait_until(holds, seconds=5):
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, f"not so after {seconds} seconds"
        time.sleep(0.05)


# --- the supervisor ----------------------------------------------------------------------------


class Course:
    """Stands for a course; every program may read what every submission's process may."""

    def __init__(self, folder):
        self.folder, self.stored = folder, {}

    def prepare(self):
        pass

    def request(self, key, name):
        return {"source": str(self.folder / "file"), "released": str(self.folder / "file"),
                "fonts": []}  # fmt: skip

    def record(self, key, name, points):
        return {"score": 0 if points is None else points["q1"], "of": 20, "to mark": 0}

    def forget(self, key, name):
        self.stored = {}

    def store(self, key, name, files):
        self.stored = {k: v for k, v in files.items() if k in STAGES}


@pytest.fixture
def supervised(tmp_path, monkeypatch):
    """Lets a little program grade, and returns the row."""
    program("bwrap")

    def grade(code, **limits):
        monkeypatch.setattr(supervisor, "COMMAND", [sys.executable, "-c", PRELUDE + code])
        limits = {"seconds": 0.1, "own_seconds": 60} | limits
        [(_, row)] = supervisor.grade_all(course, [submission], 1, **limits)
        return row

    (tmp_path / "file").write_text("{}")
    grade.course = course = Course(tmp_path)
    submission = SimpleNamespace(key="ann", assignment="hw", path=tmp_path / "file")
    return grade


PRELUDE = """
import os, sys, time
def tell(**pieces):
    for name, text in pieces.items():
        os.write(1, f"{name} {len(text)}\\n{text}".encode())
tell(step="running the answers", submitted="{}")
"""
DONE = "tell(points='{\"q1\": 3}', step='done')"
AGAIN = "os.ftruncate(1, 0)\nos.lseek(1, 0, 0)\n"  # as if nothing had been told
DAEMON = f"""
if os.fork() == 0:
    os.setsid()
    {SLEEP}
"""
SPENDING = {
    "time": (SLEEP, "6 seconds for everything"),
    "memory": ("x = b'x' * 2**30\n" + SLEEP, "more than 0.25 GB of memory"),
    "memory in many processes": (
        "for _ in range(4): os.fork()\nx = b'x' * (50 * 2**20)\n" + SLEEP,
        "more than 0.25 GB of memory",
    ),
    "processes": (
        "while True:\n    os.fork()\n    time.sleep(0.2)",  # slowly: nobody else should notice
        "more than 50 processes",
    ),
    "threads": (
        "import threading\nfor _ in range(60):\n"
        "    threading.Thread(target=time.sleep, args=(99,)).start()",
        "more than 50 processes and threads",
    ),
    "sockets": (
        "import socket\nx = [socket.socketpair() for _ in range(60)]\n" + SLEEP,
        "more than 100 sockets",
    ),
    "files": ("for k in range(10**8): open(f'/tmp/{k}', 'w').close()", "more than 5000 files"),
    "files in shared memory": (
        "for k in range(10**8): open(f'/dev/shm/{k}', 'w').close()",
        "more than 5000 files",
    ),
}
SMALL = {"all_memory": 2**28, "tasks": 50, "files": 5000, "sockets": 100}


@pytest.mark.parametrize("what", SPENDING)
def test_who_spends_the_budget_is_ended_and_noted(supervised, what):
    code, sentence = SPENDING[what]
    begin = time.monotonic()
    row = supervised(DAEMON + code, **SMALL, own_seconds=3 if what == "time" else 60)
    assert time.monotonic() - begin < 20
    assert row["score"] == 0 and not row["failed"], "its code was run"
    assert row["note"].startswith("it was ended while running the answers; ")
    assert sentence in row["note"]
    assert sentence in supervised.course.stored["feedback"].decode()
    wait_until(lambda: not running())


# What a program does, with the score and a part of the note: a score only where code was run.
OUTCOMES = {
    "it goes well": (DONE, 3, ""),
    "what stays behind is ended": (DAEMON + "else: " + DONE, 3, ""),
    "the page takes too long": (
        "tell(points='{\"q1\": 3}', step='making the page')\n" + SLEEP,
        3,
        "graded, but without a page: it was ended while making the page",
    ),
    "no notebook": (
        AGAIN + "tell(step='reading the file', refused='no!')",
        None,
        "not graded: no!",
    ),
    "reading takes too long": (
        AGAIN + "tell(step='reading the file')\n" + SLEEP,
        None,
        "not graded: it was ended while reading the file",
    ),
}
FAILURES = {
    "starting takes too long": "os.ftruncate(1, 0)\n" + SLEEP,
    "preparing takes too long": AGAIN + "tell(step='preparing')\n" + SLEEP,
    "it crashes": "os.abort()",
    "it fails": "raise OSError('no such thing')",
    "it says nothing": "",
    "no points": "tell(step='done', points='{}')",
    "no numbers": "tell(step='done', points='xxx')",
    "deep points": "tell(step='done', points='[' * 60000)",
    "no header": "os.write(1, b'x' * 100 + b'\\n')",
    "a line without end": "os.write(1, b' ' * 10**7)",
    "a negative size": "os.write(1, b'step -1\\n')",
    "a piece that is not there": "tell(points='{\"q1\": 3}')\nos.write(1, b'step 99999\\ndone')",
    "a huge piece": "os.write(1, b'step ' + b'9' * 50 + b'\\ndone')",
}
OUTCOMES |= {what: (code, None, "the grader failed: ") for what, code in FAILURES.items()}


@pytest.mark.parametrize("what", OUTCOMES)
def test_a_score_stands_only_where_code_was_run_and_nobody_failed(supervised, what):
    code, score, note = OUTCOMES[what]
    row = supervised(code, own_seconds=1 if "too long" in what else 60)
    assert (row["score"], row["failed"]) == (score, what in FAILURES)
    assert row["note"].startswith(note) and bool(row["note"]) == bool(note)
    wait_until(lambda: not running())


def test_memory_that_processes_share_counts_once(supervised):
    code = "x = b'x' * (150 * 2**20)\nfor _ in range(3): os.fork()\ntime.sleep(1)\n"
    row = supervised(code + "if os.getpid() == 2: " + DONE, all_memory=2**29)
    assert row["score"] == 3, row


def test_what_failed_is_tried_once_more(supervised):
    ready, tried = supervised.course.request, []

    def request(*what):
        tried.append(what)
        if len(tried) == 1:
            raise OSError("a bad moment")
        return ready(*what)

    supervised.course.request = request
    assert supervised(DONE)["score"] == 3 and len(tried) == 2


def test_files_are_stored_as_they_are(supervised):
    supervised("os.write(1, b'autograded 3\\n\\xff\\n{x 0\\n')\n" + DONE)
    assert supervised.course.stored == {"submitted": b"{}", "autograded": b"\xff\n{"}


def test_a_link_in_place_of_a_file_is_not_followed(tmp_path):
    program("bwrap")
    (tmp_path / "odd").symlink_to("/dev/zero")
    submission = SimpleNamespace(key="ann", assignment="hw", path=tmp_path / "odd")
    [(_, row)] = supervisor.grade_all(Course(tmp_path), [submission], 1)
    assert row["score"] is None and "symbolic links" in row["note"]


# --- the student's process ---------------------------------------------------------------------

LIBRARY = cage.ROOT / "perceptron_lib"


def tried(code, seconds):
    """What the grader's side sees when a cell is run: output, error, answers, one call."""
    box = Sandbox([LIBRARY], seconds=seconds)
    box.run("import numpy as np", 60)
    mine = []
    try:
        printed, error = box.run(code)
        try:
            found, _ = box.values(["order", "my_perceptron", "growth"])
            one = np.array([[1.0]]), np.array([1])
            calls = [f(*one) for f in found.values() if callable(f)]
        except SubmissionError as reason:
            found, calls = {}, [str(reason)]
        if box.process:
            mine = supervisor.descendants(box.process.pid, supervisor.processes())
    finally:
        box.close()
    wait_until(lambda: not any(map(alive, mine)))
    return printed, error, list(found), calls


def try_all():
    """All at once, so that one works while another waits."""
    with ThreadPoolExecutor(4) as pool:
        waiting = {name: pool.submit(tried, MORE[name], 1) for name in MORE}
        waiting |= {name: pool.submit(tried, HONEST[name], 60) for name in HONEST}
        return {name: future.result() for name, future in waiting.items()}


@pytest.fixture(scope="module")
def tries(tmp_path_factory):
    """What `tried` found for each, as a plain user."""
    program("bwrap")
    command = [sys.executable, "-m", "tests.homework.test_cage"]
    command = plainly(command, tmp_path_factory.mktemp("tries"))
    done = subprocess.run(command, cwd=cage.ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", MORE)
def test_the_grader_gets_plain_words_and_data_and_goes_on(tries, name):
    printed, error, found, calls = tries[name]
    told = printed + str(error) + repr([found, calls])
    assert len(told) < 30_000
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]", told)


@pytest.mark.parametrize("name", HONEST)
def test_an_honest_habit_costs_nothing(tries, name):
    _, error, found, calls = tries[name]
    assert calls == [[0]], (error, found, calls)
    assert (error is None) == (name != "an error afterwards")


@pytest.fixture
def box():
    program("bwrap")
    box = Sandbox([LIBRARY], seconds=2)
    yield box
    box.close()


def test_each_cell_has_its_own_output(box):
    assert box.run("print('x' * 10)", 60) == ("x" * 10 + "\n", None)
    assert box.run("print('y')") == ("y\n", None)


def test_an_answer_that_cannot_be_read_spoils_no_other(box, monkeypatch):
    box.run("x = 1", 60)
    monkeypatch.setattr(box, "_ask", lambda *_: {"x": {"value": [1]}, "y": {"value": 2}, "z": 3})
    assert box.values(["x", "y", "z"]) == ({"y": 2}, {"x": "unknown", "z": "unknown"})


def test_a_new_process_knows_what_a_cell_did_before_its_error_and_takes_no_time(box):
    box.run("import time", 60)
    box.run("time.sleep(1)\nx = 1\n1 / 0", 60)
    left = box.left
    box.start_anew()
    assert box.values(["x"]) == ({"x": 1}, {})
    assert left - box.left < 0.9


ANSWERS = """
import os, time
for number in range(3, 20):
    try:
        os.write(number, b'{}\\n' * 9)
    except OSError:
        pass
time.sleep(1000)
"""


def test_a_worker_that_answers_without_reading_is_ended(box):
    box.run(ANSWERS, 60)
    begin = time.monotonic()
    assert "no question was read in 2 seconds" in box.run("x" * 10**6)[1]
    assert time.monotonic() - begin < 10


def test_cells_that_wait_when_they_are_run_again_spend_the_same_budget():
    program("bwrap")
    box = Sandbox([LIBRARY], seconds=1)
    try:
        assert box.run("x = 1") == ("", None)
        box.cells = ["import time\ntime.sleep(1000)"]  # as if it had not waited the first time
        begin = time.monotonic()
        with pytest.raises(Ended):
            box._lost("for a test")
        for _ in range(3):
            with pytest.raises(Ended, match="no answer after 1 second"):
                box.values(["x"])
        with pytest.raises(Ended, match="ended too often"):
            box.values(["x"])
        assert time.monotonic() - begin < 30
    finally:
        box.close()


if __name__ == "__main__":
    json.dump(try_all(), sys.stdout)
