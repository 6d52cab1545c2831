"""The grader's side: keep the student's code in another process, and take only data from it.

nbgrader runs a notebook's cells in one kernel, the student's and the tests', so a submission could
change what tests it.  Here the student's cells are handed to a worker process in a cage (worker.py,
cage.py), and the answers the assignment asks for are taken back as plain data.  A function of the
student's becomes a stand-in that calls the worker.  The tests see no difference, and the worker
never sees a test.
"""

import json
import os
import select
import shutil
import sys
import tempfile
import time
from pathlib import Path

from grading import cage
from grading.limits import ALL, CALLS, EACH
from grading.worker import clean, decode, encode

WORKER = Path(__file__).with_name("worker.py")
PATIENCE = ALL["own_seconds"]  # with what is not the student's, on a machine that is busy, too
LONGEST_REPLY = 4 * 2**20
LONGEST_OUTPUT = 20_000


class SubmissionError(Exception):
    """Something the submission did, in one sentence."""


class Ended(SubmissionError):
    """The submission's process is gone, or was ended."""


class Sandbox:
    """A worker process, started anew (and brought to the same state) when it was lost."""

    def __init__(self, packages=(), fonts=(), isolate=True, **limits):
        self.limits = EACH | limits
        self.packages = [Path(path) for path in packages]
        self.fonts = [Path(path) for path in fonts]  # matplotlib's list, slow to make
        self.isolate = isolate
        self.left = CALLS * self.limits["seconds"]
        self.cells = []  # those that ended, well or in an error, to be run again after a loss
        self.deaths = 0
        self.anew = False  # was it the grader who wanted a new process?
        self.process = None

    def start(self):
        """Start a worker in an empty folder; it gets ready while we go on."""
        self.output = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115
        limits = {"AS": self.limits["memory"], "FSIZE": self.limits["file"], "CORE": 0}
        limits |= {"CPU": int(2 * CALLS * self.limits["seconds"] + PATIENCE), "NOFILE": 128}
        if self.isolate:
            limits["NPROC"] = self.limits["processes"]  # in a cage only its own are counted
            see = {f"/packages/{path.name}": path for path in self.packages}
            see |= {f"/tmp/{path.name}": path for path in self.fonts} | {"/worker.py": WORKER}
            self.folder, worker, path = None, "/worker.py", "/packages"
        else:
            see, worker = {}, str(WORKER)
            self.folder = tempfile.mkdtemp(prefix="submission-")
            path = os.pathsep.join(str(path.parent) for path in self.packages)
        self.process = cage.start(
            [sys.executable, "-P", "-s", worker, json.dumps(limits)],
            see, self.limits["room"], cage.INNER, inner=True, isolate=self.isolate,
            stdin=-1, stdout=-1, stderr=self.output, cwd=self.folder,
            env=environment(path, self.folder or "/tmp"),
        )  # fmt: skip
        os.set_blocking(self.process.stdin.fileno(), False)
        self.rest = b""
        self.ready = False

    def start_anew(self):
        """End the worker; the next one is in the same state, but for what calls have left, and its
        way there takes none of the student's time."""
        self.close()
        self.anew = True

    def close(self):
        """End the worker; in a cage, all that it started ends with it."""
        process, self.process = self.process, None
        if process:
            process.kill()
            process.communicate()
            self.output.close()
            if self.folder:
                shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, source, seconds=None):
        """Run a cell; return its output, and the name of the error it ended in or None."""
        self._alive()
        self.output.seek(0)  # for the worker, too: it would write on where it was
        os.ftruncate(self.output.fileno(), 0)
        try:
            error = self._ask("run", source, seconds=seconds)
        except Ended as loss:
            return "", str(loss)
        self.cells.append(source)
        return self._printed(), error and clean(error, 80)

    def values(self, names):
        """The answers with these names, as data or stand-ins, and the types of all others."""
        self._alive()
        found, unreadable = {}, {}
        reply = self._ask("get", list(names))
        if not isinstance(reply, dict):
            raise SubmissionError("its answers are not in a form that can be read")
        for name in [name for name in names if name in reply]:
            try:
                kind = reply[name].get("kind")
                if kind == "function":
                    found[name] = Function(self, name)
                elif kind is not None:
                    unreadable[name] = clean(kind, 80)
                else:
                    found[name] = decode(reply[name]["value"])
            except Exception:
                unreadable[name] = "unknown"
        return found, unreadable

    def call(self, name, arguments, options):
        """The value of one call of a function of the submission."""
        self._alive()
        options = {key: encode(value) for key, value in options.items()}
        value = self._ask("call", name, encode(arguments), options)
        try:
            return decode(value)
        except Exception:
            raise SubmissionError("an answer is not in a form that can be read") from None

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
            free, self.anew = self.anew, False  # a replay that the grader asked for costs nothing
            for source in self.cells:
                self._ask("run", source, seconds=self.limits["seconds"] if free else None)

    def _ask(self, what, *arguments, seconds=None):
        begin = time.monotonic()
        try:
            seconds_left = seconds or max(0, min(self.limits["seconds"], self.left))
            self._write(json.dumps([what, *arguments]).encode() + b"\n", seconds_left)
            answer = self._read(seconds_left)
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

    def _write(self, data, seconds):
        """Send a question; the worker is ended if it does not read it in time."""
        deadline = time.monotonic() + seconds
        while data:
            wait = max(0, deadline - time.monotonic())
            if not select.select([], [self.process.stdin], [], wait)[1]:
                self._lost(f"no question was read in {seconds:.0f} seconds, so it was ended")
            data = data[os.write(self.process.stdin.fileno(), data) :]

    def _read(self, seconds):
        """The worker's next answer; it is ended if there is none in time."""
        deadline = time.monotonic() + seconds
        pieces, size = [self.rest], len(self.rest)
        while b"\n" not in pieces[-1]:
            wait = deadline - time.monotonic()
            if wait <= 0 or not select.select([self.process.stdout], [], [], wait)[0]:
                self._lost(f"no answer after {seconds:.0f} seconds, so it was ended")
            pieces.append(os.read(self.process.stdout.fileno(), 2**16))
            size += len(pieces[-1])
            if not pieces[-1]:
                self._lost("its process ended (by itself, or for lack of memory)")
            if size > LONGEST_REPLY:
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
        if not self.ready:  # what bwrap or Python said is the cause
            why = f"at its start, {why} {self._printed()[-300:]}".strip()
        self.deaths += 1
        self.close()
        raise Ended(why)

    def _printed(self):
        text = os.pread(self.output.fileno(), LONGEST_OUTPUT, 0).decode(errors="replace")
        longer = os.fstat(self.output.fileno()).st_size > LONGEST_OUTPUT
        return clean(text, LONGEST_OUTPUT) + ("\n… (more was printed)\n" if longer else "")


class Function:
    """Stands for a function of the submission, which is called where it lives."""

    def __init__(self, sandbox, name):
        self.sandbox, self.__name__ = sandbox, name

    def __call__(self, *arguments, **options):
        return self.sandbox.call(self.__name__, arguments, options)


def environment(python_path, folder):
    """The environment variables of a process that has a folder, and knows nothing of its user."""
    return {
        "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin",
        "PYTHONPATH": python_path,
        "LANG": "C.UTF-8",
        "USER": "student",
        "MPLBACKEND": "agg",
        "OPENBLAS_NUM_THREADS": "1",
        "JOBLIB_MULTIPROCESSING": "0",
        "IPYTHONDIR": f"{folder}/.ipython",  # none of the lecturer's settings
        **dict.fromkeys(["HOME", "TMPDIR", "MPLCONFIGDIR"], folder),
    }
