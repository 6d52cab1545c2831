"""The grader's side: keep the student's code in another process, and take only data from it.

nbgrader runs a notebook's cells in one kernel, the student's and the tests', so a submission could
change what tests it.  Here the student's cells carry the line ``%%submission``: the kernel hands
them to a worker process behind limits (worker.py) and takes back the answers the assignment asks
for, as plain data.  A function of the student's becomes a stand-in that calls the worker.  The
tests see no difference, and the worker never sees a test.
"""

import atexit
import contextlib
import ctypes
import functools
import json
import os
import resource
import select
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from grading.worker import clean, decode, encode

WORKER = Path(__file__).with_name("worker.py")
PATIENCE = 60  # seconds, with what is not the student's
LIMITS = {"memory": 2**31, "file": 10 * 2**20, "seconds": 20, "deaths": 4}
IN_ALL = 10  # times the seconds for one cell or call are there for the whole submission
LONGEST_REPLY = 4 * 2**20
LONGEST_OUTPUT = 20_000


class SubmissionError(Exception):
    """Something the submission did; shown in one sentence, without a traceback."""

    def _render_traceback_(self):
        return [f"{type(self).__name__}: {self}"]


class Ended(SubmissionError):
    """The submission's process is gone, or was ended."""


class Sandbox:
    """A worker process, started anew (and brought to the same state) when it was lost."""

    def __init__(self, readable, packages=(), fonts=(), isolate=True, **limits):
        self.limits = LIMITS | limits
        self.packages = [Path(path) for path in packages]
        self.fonts = [Path(path) for path in fonts]
        self.left = IN_ALL * self.limits["seconds"]
        self.settings = json.dumps(
            {"read": [*map(str, [*readable, *packages])], "isolate": isolate}
            | {name: self.limits[name] for name in ("memory", "file")}
            | {"cpu": int(2 * self.left + PATIENCE)}
        )
        self.cells = []  # those that ended well, to be run again after a loss
        self.deaths = 0
        self.process = None

    def start(self):
        """Start a worker in an empty folder of its own; it gets ready while we go on."""
        self.folder = Path(tempfile.mkdtemp(prefix="submission-"))
        self.output = open(self.folder / "output", "a+b", buffering=0)  # noqa: SIM115
        for path in self.fonts:  # matplotlib's list of them, which takes seconds to make
            shutil.copy(path, self.folder)
        importable = self.folder / "packages"
        importable.mkdir()
        for path in self.packages:
            (importable / path.name).symlink_to(path)
        environment = {
            "PYTHONPATH": str(importable),
            "HOME": str(self.folder),
            "TMPDIR": str(self.folder),
            "MPLCONFIGDIR": str(self.folder),
            "MPLBACKEND": "agg",
            "OPENBLAS_NUM_THREADS": "1",
            "JOBLIB_MULTIPROCESSING": "0",
            "LANG": "C.UTF-8",
            "PATH": "/usr/bin:/bin",
        }
        self.process = subprocess.Popen(
            [*own_world(), sys.executable, "-P", "-s", str(WORKER), self.settings],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.output,
            cwd=self.folder,
            env=environment,
            start_new_session=True,
            preexec_fn=_die_with_parent,
        )
        self.rest = b""
        self.ready = False

    def close(self):
        """End the worker, with all it started, and remove its folder."""
        process, self.process = self.process, None
        if process:
            if own_world():  # with its first process a world ends, and all that is in it
                for child in _children(process.pid):
                    _kill(os.kill, child)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(10)
            _kill(os.killpg, process.pid)
            process.wait()
            process.stdout.close()
            with contextlib.suppress(OSError):
                process.stdin.close()
            self.output.close()
            subprocess.run(["rm", "-rf", "--", str(self.folder)], stderr=subprocess.DEVNULL)

    def run(self, source, seconds=None):
        """Run a cell; return its output, and the name of the error it ended in or None."""
        self._alive()
        os.ftruncate(self.output.fileno(), 0)
        try:
            error = self._ask("run", source, seconds=seconds)
        except Ended as loss:
            return "", str(loss)
        if error is None:
            self.cells.append(source)
        return self._printed(), error

    def values(self, names):
        """The answers with these names, as data or stand-ins, and the types of all others."""
        self._alive()
        found, unreadable = {}, {}
        for name, what in self._ask("get", list(names)).items():
            if name not in names:
                continue
            if what.get("kind") == "function":
                found[name] = Function(self, name)
            elif "kind" in what:
                unreadable[name] = clean(what["kind"], 80)
            else:
                found[name] = _plain(what["value"])
        return found, unreadable

    def call(self, name, arguments, options):
        self._alive()
        options = {key: encode(value) for key, value in options.items()}
        return _plain(self._ask("call", name, encode(arguments), options))

    def _alive(self):
        """Make sure that there is a worker in the right state."""
        if self.process is None:
            if self.deaths >= self.limits["deaths"]:
                raise Ended("it was ended too often; nothing more of it is run")
            self.start()
        if self.left <= 0:
            raise Ended("its time in all is used up; nothing more of it is run")
        if not self.ready:
            self._read(PATIENCE)
            self.ready = True
            for source in self.cells:
                self._ask("run", source, seconds=PATIENCE)

    def _ask(self, what, *arguments, seconds=None):
        begin = time.monotonic()
        try:
            line = json.dumps({"ask": what, "with": arguments}) + "\n"
            self.process.stdin.write(line.encode())
            self.process.stdin.flush()
            answer = self._read(seconds or min(self.limits["seconds"], self.left))
        except OSError:
            self._lost("its process ended")
        except BaseException:  # interrupted: a late answer must not be taken for the next one's
            self.close()
            raise
        finally:
            if seconds is None:
                self.left -= time.monotonic() - begin
        if "error" in answer:
            raise SubmissionError(f"the submission raised {clean(answer['error'], 500)}")
        return answer.get("value")

    def _read(self, seconds):
        """The worker's next answer; it is ended if there is none in time."""
        deadline = time.monotonic() + seconds
        pieces = [self.rest]
        while b"\n" not in pieces[-1]:
            wait = deadline - time.monotonic()
            if wait <= 0 or not select.select([self.process.stdout], [], [], wait)[0]:
                self._lost(f"no answer after {seconds:.0f} seconds, so it was ended")
            piece = os.read(self.process.stdout.fileno(), 2**16)
            pieces.append(piece)
            if not piece:
                self._lost("its process ended (by itself, or for lack of memory)")
            if sum(map(len, pieces)) > LONGEST_REPLY:
                self._lost("its answer is too long")
        line, _, self.rest = b"".join(pieces).partition(b"\n")
        try:
            answer = json.loads(line)
            if isinstance(answer, dict):
                return answer
        except (ValueError, RecursionError):
            pass
        return self._lost("its answer makes no sense")

    def _lost(self, why):
        self.deaths += 1
        self.close()
        raise Ended(why)

    def _printed(self):
        text = os.pread(self.output.fileno(), LONGEST_OUTPUT, 0).decode(errors="replace")
        longer = os.fstat(self.output.fileno()).st_size > LONGEST_OUTPUT
        return text + ("\n… (more was printed)\n" if longer else "")


class Function:
    """Stands for a function of the submission, which is called where it lives."""

    def __init__(self, sandbox, name):
        self.sandbox, self.__name__ = sandbox, name

    def __call__(self, *arguments, **options):
        return self.sandbox.call(self.__name__, arguments, options)


def _plain(value):
    try:
        return decode(value)
    except Exception:
        raise SubmissionError("an answer is not in a form that can be read") from None


@functools.cache
def own_world():
    """The command that gives a process no network and no sight of other processes, if allowed."""
    command = ["unshare", "--user", "--map-current-user", "--net", "--ipc", "--pid", "--fork"]
    command += ["--kill-child", "--"]
    try:
        works = subprocess.run([*command, "true"], capture_output=True, timeout=10).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        works = False
    return command if works else []


def _children(pid):
    """The processes that a process has started, as this system numbers them."""
    try:
        return [int(k) for k in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except (OSError, ValueError):
        return []


def _kill(how, pid):
    with contextlib.suppress(ProcessLookupError):
        how(pid, 9)


def _die_with_parent():
    ctypes.CDLL(None).prctl(1, 9, 0, 0, 0)


def load_ipython_extension(shell):
    """Give the grading kernel its two magics.  The setting comes from the environment."""
    setting = json.loads(os.environ["SUBMISSION_SANDBOX"])
    sandbox = Sandbox(**setting["sandbox"])
    sandbox.start()
    resource.setrlimit(resource.RLIMIT_AS, (2**32, 2**32))  # for data that would fill the memory
    sys.stderr = sys.stdout  # nbgrader takes anything on stderr, a progress line too, for a failure

    def submission(line, cell):
        """Run the student's cell in the worker, and take the answers over."""
        printed, error = sandbox.run(cell)
        print(printed, end="")
        for name in setting["names"]:
            shell.user_ns.pop(name, None)
        found, unreadable = sandbox.values(setting["names"])
        shell.user_ns.update(found)
        for name, kind in unreadable.items():
            print(f"`{name}` is of type {kind}; only numbers, lists and arrays can be graded.")
        if error:
            raise SubmissionError(f"this cell failed: {error}")

    def setup(line, cell):
        """Run a cell of the assignment's own on both sides."""
        exec(cell, shell.user_ns)
        printed, error = sandbox.run(cell, PATIENCE)
        if error:
            raise SubmissionError(f"the assignment's own cell failed: {error}\n{printed}")

    shell.register_magic_function(submission, "cell")
    shell.register_magic_function(setup, "cell")
    shell.set_custom_exc((SubmissionError,), _one_sentence)
    atexit.register(sandbox.close)


def _one_sentence(shell, kind, error, trace, tb_offset=None):
    shell._showtraceback(kind, error, error._render_traceback_())
