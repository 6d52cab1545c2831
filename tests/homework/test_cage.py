"""The cage and the supervisor: nothing gets out, in, or remains, and every budget is kept.

Programs of a few lines stand for submissions here, so that this takes seconds; whole submissions
are graded by test_homework.py and, two hundred of them, by class_of_200.py.
"""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from bs4 import BeautifulSoup
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from grading import cage, supervisor
from grading.course import assignments
from grading.frame import Refused, framed, harmless, read_cells
from grading.sandbox import Ended, Sandbox, SubmissionError
from grading.worker import clean, decode, encode
from tests.grading import plainly
from tests.hostile import FILES, HONEST, MORE, WORDS
from tools.unchecked import program

PIXEL = {"dot.png": {"image/png": "iVBORw0KGgo="}}


# --- what a cage shows, and what it refuses ----------------------------------------------------


STARTER = """
import os, sys
from grading import cage
more = {"inner": True} if sys.argv[2] == "inner" else {"isolate": False}
command = [sys.executable, "-c", sys.argv[1], str(os.getpid())]
sys.exit(cage.start(command, {}, 2**20, cage.INNER, **more).wait())
"""


def python_in(place, code, folder):
    """Let a plain user run a little program in the "inner" cage or in none ("open")."""
    program("bwrap")
    command = [sys.executable, "-c", STARTER, "import ctypes, os, socket, sys\n" + code, place]
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
    "shared memory that stays": "assert ctypes.CDLL(None).shmget(0, 2**20, 0o1600) >= 0",
    "a key": f"assert ctypes.CDLL(None).syscall({ADD_KEY}, b'user', b'x', b'x', 1, -2) > 0",
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
                                  "memory that belongs to no process", "another core"])  # fmt: skip
def test_the_same_works_without_the_cage(what, tmp_path):
    """Or the test above would show nothing."""
    done = python_in("open", OUTSIDE[what], tmp_path)
    assert done.returncode == 0, done.stderr


def test_the_inner_cage_has_python_and_an_empty_home(tmp_path):
    code = "import numpy\nprint(sorted(os.listdir('/')), os.listdir('/tmp'))"
    done = python_in("inner", code, tmp_path)
    seen = set(re.findall(r"'(\w+)'", done.stdout))
    python = {Path(path).parts[1] for path in cage.python()}
    assert seen <= {"bin", "sbin", "lib", "lib32", "lib64", "usr", "etc", "dev", "tmp"} | python
    assert done.stdout.strip().endswith("[]")


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
        next(supervisor.grade_all(Course(tmp_path), []))


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
        self.folder, self.stored, self.cleared = folder, {}, []

    def prepare(self):
        pass

    def request(self, key, name):
        file = str(self.folder / "file")
        return {"source": file, "released": file, "gradebook": file, "fonts": []}

    def record(self, key, name, graded):
        return {"score": graded["points"]["q1"], "of": 20, "to mark": 0}

    def points(self, name):
        return 20

    def store(self, key, name, stage, data):
        self.stored[stage] = data

    def clear(self, *what):
        self.cleared.append(what)

    def page_with_note(self, key, name, note):
        self.stored["feedback"] = note.encode()


@pytest.fixture
def supervised(tmp_path, monkeypatch):
    """Lets a little program grade, and returns the row."""
    program("bwrap")

    def grade(code, **limits):
        monkeypatch.setattr(supervisor, "COMMAND", [sys.executable, "-c", PRELUDE + code])
        limits = {"seconds": 0.1, "own_seconds": 60} | limits
        return supervisor.grade(course, submission, limits)

    (tmp_path / "file").write_text("{}")
    grade.course = course = Course(tmp_path)
    submission = SimpleNamespace(
        student="Ann", key="ann", assignment="hw", path=tmp_path / "file", note=""
    )
    return grade


PRELUDE = """
import json, os, sys, time
def tell(**told):
    os.write(1, json.dumps({"files": {}} | told).encode() + b"\\n")
tell(step="running the answers")
"""
DAEMON = f"""
if os.fork() == 0:
    os.setsid()
    {SLEEP}
"""
SPENDING = {
    "time": (SLEEP, "4 seconds for everything"),
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
    "files": ("for k in range(10**8): open(f'/tmp/{k}', 'w').close()", "more than 5000 files"),
    "files in shared memory": (
        "for k in range(10**8): open(f'/dev/shm/{k}', 'w').close()",
        "more than 5000 files",
    ),
}
SMALL = {"all_memory": 2**28, "tasks": 50, "files": 5000}


@pytest.mark.parametrize("what", SPENDING)
def test_who_spends_the_budget_is_ended_and_noted(supervised, what):
    code, sentence = SPENDING[what]
    begin = time.monotonic()
    row = supervised(DAEMON + code, **SMALL, own_seconds=3 if what == "time" else 60)
    assert time.monotonic() - begin < 20
    assert row["score"] == 0 and not row["failed"]
    assert row["note"].startswith("not graded: it was ended while running the answers; ")
    assert sentence in row["note"]
    assert sentence in supervised.course.stored["feedback"].decode()
    wait_until(lambda: not running())


def test_memory_that_processes_share_counts_once(supervised):
    code = "x = b'x' * (150 * 2**20)\nfor _ in range(3): os.fork()\ntime.sleep(1)\n"
    code += "if os.getpid() == 2: tell(step='done', graded={'points': {'q1': 3}})"
    row = supervised(code, all_memory=2**29)
    assert row["score"] == 3, row


def test_what_stays_behind_is_ended_with_the_rest(supervised):
    row = supervised(DAEMON + "else: tell(step='done', graded={'points': {'q1': 3}})")
    assert (row["score"], row["note"], row["failed"]) == (3, "", False)
    wait_until(lambda: not running())


FAILURES = {
    "it crashes": "os.abort()",
    "it fails": "raise OSError('no such thing')",
    "it says nothing": "",
    "no points": "tell(step='done', graded={'points': {}})",
    "no numbers": "tell(step='done', graded='x' * 9)",
    "no JSON": "os.write(1, b'x' * 100 + b'\\n')",
    "deep JSON": "os.write(1, b'[' * 60000 + b'\\n')",
    "a line without end": "os.write(1, b' ' * 10**7)",
    "files that are not there": (
        'os.write(1, b\'{"step": "done", "graded": {"points": {"q1": 3}}, '
        '"files": {"submitted": 99999}}\\n\')'
    ),
}


@pytest.mark.parametrize("what", FAILURES)
def test_a_failure_of_the_grader_is_never_a_score(supervised, what):
    row = supervised(FAILURES[what])
    assert row["score"] is None and row["failed"] is True
    assert row["note"].startswith("the grader failed: ")


def test_what_failed_is_tried_once_more(supervised):
    ready, tried = supervised.course.request, []

    def request(*what):
        tried.append(what)
        if len(tried) == 1:
            raise OSError("a bad moment")
        return ready(*what)

    supervised.course.request = request
    assert supervised("tell(step='done', graded={'points': {'q1': 3}})")["score"] == 3
    assert len(tried) == 2


def test_time_spent_before_the_file_is_read_is_the_graders_failure(supervised):
    row = supervised("os.ftruncate(1, 0)\n" + SLEEP, own_seconds=1)
    assert row["score"] is None and row["failed"] is True


def test_points_stand_if_making_the_page_takes_too_long(supervised):
    code = "tell(graded={'points': {'q1': 3}})\ntell(step='making the page')\n" + SLEEP
    row = supervised(code, own_seconds=1)
    assert row["score"] == 3 and not row["failed"]
    assert row["note"].startswith("graded, but without a page: it was ended while making the page")


def test_files_are_stored_as_they_are(supervised):
    supervised("""
told = {"step": "done", "graded": {"points": {"q1": 3}}, "files": {"autograded": 3, "x": 0}}
os.write(1, json.dumps(told).encode() + b"\\n\\xff\\n{")
""")
    assert supervised.course.stored == {"autograded": b"\xff\n{"}


def odd_file(kind, path):
    if kind == "a link":
        path.symlink_to("/dev/zero")
    elif kind == "a pipe":
        os.mkfifo(path)
    elif kind == "a folder":
        path.mkdir()
    elif kind == "a large file":
        with open(path, "wb") as file:
            file.truncate(10**11)


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [("a link", "no ordinary file"), ("a pipe", "no ordinary file"), ("a folder", "no ordinary"),
     ("a large file", "and 20 MB are allowed"), ("nothing", "No such file")],
)  # fmt: skip
def test_what_is_no_file_is_told_and_not_read(tmp_path, kind, sentence):
    program("bwrap")
    odd_file(kind, tmp_path / "odd")
    course = Course(tmp_path)
    row = supervisor.grade(course, SimpleNamespace(
        student="Ann", key="ann", assignment="hw", path=tmp_path / "odd", note=""
    ))  # fmt: skip
    assert sentence in row["note"]
    assert row["score"] == (None if kind == "nothing" else 0)


BATCH = """
import sys
from pathlib import Path
from grading import supervisor
from types import SimpleNamespace
folder = Path(sys.argv[1])
file = str(folder / "file")
asked = {"source": file, "released": file, "gradebook": file, "fonts": []}
course = SimpleNamespace(folder=folder, prepare=lambda: None, request=lambda key, name: dict(asked))
supervisor.COMMAND = [sys.executable, "-c", sys.argv[2]]
found = [SimpleNamespace(student=k, key=k, assignment="hw", path=folder / "file", note="")
         for k in "abc"]
for row in supervisor.grade_all(course, found, 2):
    pass
"""


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_batch_that_is_stopped_leaves_no_process_and_no_file(tmp_path, how):
    program("bwrap")
    (tmp_path / "file").write_text("{}")
    (tmp_path / "tmp").mkdir()
    batch = [sys.executable, "-c", BATCH, str(tmp_path), PRELUDE + DAEMON + SLEEP]
    batch = subprocess.Popen(batch, cwd=cage.ROOT, stderr=subprocess.DEVNULL,
                             env=os.environ | {"TMPDIR": str(tmp_path / "tmp")})  # fmt: skip
    wait_until(lambda: len(running()) >= 7, 30)  # the batch, and two cages with three each
    batch.send_signal(how)
    batch.wait(5)
    wait_until(lambda: not running())
    assert sorted(os.listdir(tmp_path)) == ["file", "tmp"]
    assert os.listdir(tmp_path / "tmp") == []


def test_files_left_by_a_killed_batch_are_cleared_by_the_next(supervised):
    left = supervised.course.folder / "scratch" / "left"
    left.mkdir(parents=True)
    supervised("tell(step='done')")
    assert not left.exists()


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
    command = [sys.executable, "-m", "tests.test_cage"]
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


@pytest.mark.parametrize("value", [
    {"fraction": ["1e500000000", None]}, {"fraction": [1, 0]}, {"fraction": [True, 1]}, [1], {},
    {"array": [1, 2], "shape": [10**9, 10**9], "dtype": "float64"}, {"list": [{"tuple": 3}]},
    {"array": [[]], "shape": [1], "dtype": "int64"},
])  # fmt: skip
def test_a_forged_answer_is_refused_at_once(value):
    with pytest.raises((ValueError, TypeError, ArithmeticError)):
        decode(value)


def test_a_number_of_thousands_of_digits_is_no_answer():
    assert decode(encode(10**3000)) == 10**3000
    with pytest.raises(TypeError):
        encode(10**4000)


# --- the file that was handed in ---------------------------------------------------------------


def released():
    import nbformat

    return nbformat.read(next(iter(assignments().values())), as_version=4)


@pytest.mark.parametrize("name", FILES)
def test_whatever_is_handed_in_is_framed_or_refused(name):
    data = FILES[name]
    data = data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass")
    own = [cell.source for cell in released().cells if cell.cell_type == "markdown"]
    try:
        nb = framed(released(), read_cells(data))
    except Refused as error:
        assert "not a Jupyter notebook" in str(error)
        assert name not in ("100,000 empty outputs", "a cell of 10 MB")
    else:
        assert len(nb.cells) < 200
        kept = [cell.source for cell in nb.cells]
        assert all(text in kept for text in own[:-1])
        json.dumps(nb, ensure_ascii=False).encode()


def dangers(text):
    """What a browser might run or ask for in a page made of this Markdown."""
    renderer = IPythonRenderer(escape=False, attachments=PIXEL)  # as on pages and in Formgrader
    soup = BeautifulSoup(MarkdownWithMath(renderer=renderer).render(text), "html.parser")
    tags = [tag.name for tag in soup.find_all() if tag.name not in USUAL]
    links = [tag["href"] for tag in soup.find_all("a", href=True)]
    links = [link for link in links if not re.match(r"https?://|#", link)]
    pictures = [tag.get("src", "") for tag in soup.find_all("img")]
    pictures = [src for src in pictures if not src.startswith("data:image/png;base64,")]
    known = ("href", "src", "alt", "class", "id")
    words = [key for tag in soup.find_all() for key in tag.attrs if key not in known]
    formulas = re.findall(r"\\(?:href|style|class|require|mmlToken)", soup.get_text(), re.I)
    return tags + links + pictures + words + formulas


USUAL = ["p", "a", "em", "strong", "code", "pre", "ul", "ol", "li", "h1", "h2", "img", "br"]


@pytest.mark.parametrize("name", WORDS)
def test_no_browser_runs_what_a_student_writes(name):
    assert not dangers(harmless(WORDS[name], PIXEL))
    assert clean(harmless(WORDS[name], PIXEL), 10**6) == harmless(WORDS[name], PIXEL)


@pytest.mark.parametrize("name", ["a script", "a link", "a link, by a name", "a page as data",
                                  "a picture that tells", "a formula", "a form"])  # fmt: skip
def test_a_browser_would_run_it_as_it_was_written(name):
    """Or the test above would show nothing."""
    assert dangers(WORDS[name])


@pytest.mark.parametrize("words", [
    "It is **right** that $a < b$ and $\\|w\\|^2 \\le R^2$, see `x[0]` and\n\n1. one\n2. two",
    "See [the web](https://example.org/a?b=c#d) and [above](#top).",
    "My drawing: ![a dot](attachment:dot.png)",
])  # fmt: skip
def test_honest_words_stay_as_they_are(words):
    assert harmless(words, PIXEL) == words
    assert not dangers(words)


def test_only_small_pictures_that_are_pictures_are_kept():
    cell = {"cell_type": "markdown", "source": "x", "metadata": {}}
    kinds = {"good.png": {"image/png": "AAAA"}, "evil.svg": {"image/svg+xml": "AAAA"},
             "bad.png": {"image/png": '"onload="alert(1)'}, "x\" y": {"image/png": "AAAA"},
             "large.png": {"image/png": "A" * 10**7}, "odd.png": 3}  # fmt: skip
    notebook = json.dumps({"cells": [cell | {"attachments": kinds}]}).encode()
    [read] = read_cells(notebook)
    assert read["pictures"] == {"good.png": {"image/png": "AAAA"}}


if __name__ == "__main__":
    json.dump(try_all(), sys.stdout)
