"""The supervisor: every submission has one budget, and what spends it is ended.

A process of its own (one.py, in a cage) does everything about a submission: it reads the file, runs
and replays cells, grades, renders.  Here, several times a second, the time, memory, processes and
files of all that it started are added up.  What it wrote in the end, a few numbers and files that
nobody opens here, becomes a row.

One rule says what a score is: it stands where the student's code was run, be it 0 because that code
spent the budget.  Where it was not run, the score is None, and the note says on whose side.

As many submissions are graded at once as there are cores, each on a core of its own, so that one
that keeps its core busy takes no time from another.
"""

import contextlib
import json
import os
import shutil
import signal
import sys
import tempfile
import time

from grading import cage, sandbox
from grading.feedback import KATEX, failure
from grading.limits import ALL, CALLS, EACH, RESULTS
from grading.worker import one_line

COMMAND = [sys.executable, "-P", "-s", "-m", "grading.one"]
EVERY = 0.1  # seconds
PAGE = os.sysconf("SC_PAGE_SIZE")


def grade_all(course, submissions, jobs=None, isolate=True, feedback=True, **limits):
    """Grade submissions, so many at once; yield each with its row as soon as it is there.

    However this ends, all that it started ends with it."""
    if isolate and (reason := cage.why_none()):
        raise SystemExit(f"{reason}; --without-isolation grades them nevertheless")
    course.prepare()
    scratch = course.folder / "scratch"
    shutil.rmtree(scratch, ignore_errors=True)  # of a batch that was killed
    how = {"isolate": isolate, "page": feedback, "limits": EACH | ALL | limits}
    waiting, running, again = list(submissions)[::-1], [], []
    free = cores(jobs)
    try:
        while waiting or running:
            while waiting and free:
                running.append(Attempt(course, waiting.pop(), how, free.pop()))
            time.sleep(EVERY)
            table = processes()
            for attempt in [attempt for attempt in running if attempt.over(table)]:
                running.remove(attempt)
                free.append(attempt.core)
                if attempt.failed and attempt.submission not in again:  # a machine has bad moments
                    again.append(attempt.submission)
                    waiting.insert(0, attempt.submission)
                else:
                    yield attempt.submission, attempt.row()
    finally:
        for attempt in running:
            attempt.end()
        shutil.rmtree(scratch, ignore_errors=True)


def cores(jobs=None):
    """The cores for `jobs` submissions at once; with little memory they are fewer."""
    mine = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else [None]
    room = os.sysconf("SC_PHYS_PAGES") * PAGE // ALL["all_memory"]
    return [mine[k % len(mine)] for k in range(max(1, min(jobs or len(mine), room)))]


class Attempt:
    """One submission being graded."""

    def __init__(self, course, submission, how, core):
        self.course, self.submission, self.how, self.core = course, submission, how, core
        self.limits, self.began, self.pieces = how["limits"], time.monotonic(), {}
        self.process, self.note, self.failed = None, "", False
        try:
            place = os.open(submission.path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            with open(place, "rb") as file:
                self.start(file)
        except Exception as error:
            self.fail(f"it could not be started ({error})")

    def start(self, file):
        """Start the process; what it writes goes to files that have no name, so none is left."""
        request = self.course.request(self.submission.key, self.submission.assignment) | self.how
        request["limits"] = {name: self.limits[name] for name in EACH}
        see = [request["source"], request["released"], *request["fonts"]]
        see += [cage.ROOT / "grading", cage.ROOT / "perceptron_lib"]
        see += [KATEX.parent] if KATEX.exists() else []
        home = None
        if not self.how["isolate"]:
            (self.course.folder / "scratch").mkdir(exist_ok=True)
            home = tempfile.mkdtemp(dir=self.course.folder / "scratch")
        self.results = tempfile.TemporaryFile()  # noqa: SIM115
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115
        with tempfile.TemporaryFile() as told:
            told.write(json.dumps(request).encode())
            told.seek(0)
            self.process = cage.start(
                [*COMMAND, str(told.fileno())],
                {path: path for path in see}, self.limits["disk"], cage.OUTER,
                isolate=self.how["isolate"], fds=(told.fileno(),), core=self.core, cwd=home,
                stdin=file, stdout=self.results, stderr=self.errors,
                env=sandbox.environment(str(cage.ROOT), home or "/tmp"),
            )  # fmt: skip

    def over(self, table):
        """Has it ended, or spent its budget?  Then all its processes are gone."""
        if self.process is None:
            return True
        ended = self.process.poll() is not None
        spent = None if ended else self.spent(table)
        if not ended and not spent:
            return False
        self.end()
        self.pieces = read_pieces(self.results)
        step = self.pieces.get("step", b"starting").decode(errors="replace")
        if "refused" in self.pieces:
            self.note = f"not graded: {self.pieces['refused'].decode(errors='replace')}"
        elif spent and step in ("starting", "preparing"):  # that is not the student's work
            self.fail(f"it was ended while {step}; {spent}")
        elif spent:
            before = "" if "submitted" in self.pieces else "not graded: "
            self.note = f"{before}it was ended while {step}; {spent}"
        elif self.process.returncode or step != "done":
            self.errors.seek(max(0, self.errors.seek(0, 2) - 2000))
            last = self.errors.read().decode(errors="replace").strip().splitlines()[-1:]
            self.fail(f"{step} failed ({' '.join(last)})")
        return True

    def spent(self, table):
        """What of the budget is used up, in a sentence; None while there is some left."""
        limits, mine = self.limits, descendants(self.process.pid, table)
        wall = 3 * CALLS * limits["seconds"] + limits["own_seconds"]  # it may be replayed twice
        if time.monotonic() - self.began > wall:
            return f"its {wall:g} seconds for everything are used up"
        if sum(table[pid][1] for pid in mine) > limits["tasks"]:
            return f"it ran more than {limits['tasks']} processes and threads"
        most = limits["all_memory"]
        if sum(table[pid][2] for pid in mine) > most and sum(map(memory, mine)) > most:
            return f"its processes used more than {most / 2**30:g} GB of memory"
        if sum(map(sockets, mine)) > limits["sockets"]:
            return f"it opened more than {limits['sockets']} sockets"
        if self.how["isolate"] and max(map(files, mine), default=0) > limits["files"]:
            return f"it made more than {limits['files']} files"
        return None

    def end(self):
        """End all its processes.  In a cage all end with the first of them."""
        if self.process:
            mine = descendants(self.process.pid, processes())
            self.process.kill()
            for pid in mine:
                with contextlib.suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
            self.process.wait()

    def fail(self, note):
        self.note, self.failed = f"the grader failed: {note}", True

    def row(self):
        """The row of the table, with what belongs to it put into the course."""
        key, name = self.submission.key, self.submission.assignment
        row = {}
        try:
            if "points" in self.pieces and not self.failed:
                row = self.course.record(key, name, json.loads(self.pieces["points"][: 2**16]))
                self.note = self.note and f"graded, but without a page: {self.note}"
            elif not self.failed and "submitted" in self.pieces:  # its own code was run
                row = self.course.record(key, name, None)
            elif not self.failed:
                self.course.forget(key, name)
            if row and self.note and self.how["page"]:
                self.pieces["feedback"] = failure(name, one_line(self.note, 500)).encode()
            if row:
                self.course.store(key, name, self.pieces)
        except Exception as error:
            row = {}
            self.fail(f"what it gave could not be stored ({type(error).__name__}: {error})")
        told = [self.note, self.pieces.get("notes", b"").decode(errors="replace") if row else ""]
        note = one_line("; ".join(filter(None, told)), 500)
        return {"score": None} | row | {"note": note, "failed": self.failed}


def read_pieces(file):
    """What one.py wrote: {name: bytes}, as far as it is whole; the last of a name counts."""
    found, _ = {}, file.seek(0)
    with contextlib.suppress(ValueError):
        while header := file.readline(100):
            name, size = header.decode("ascii").split()
            found[name] = file.read(max(0, min(int(size), RESULTS)))
            if len(found[name]) != int(size):
                del found[name]
                break
    return found


# --- processes ---------------------------------------------------------------------------------


def processes():
    """All processes of this machine: {number: (its parent's, threads, bytes of addresses)}; no
    process uses more memory than that, swapped out or not."""
    table = {}
    for name in filter(str.isdigit, os.listdir("/proc") if os.path.isdir("/proc") else ()):
        with contextlib.suppress(OSError, ValueError), open(f"/proc/{name}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
            table[int(name)] = int(fields[1]), int(fields[17]), int(fields[20])
    return table


def descendants(pid, table):
    """The process and all that it started, and those started, as far as they are in the table."""
    children = {}
    for child, (parent, _, _) in table.items():
        children.setdefault(parent, []).append(child)
    found = [pid] if pid in table else []
    for one in found:
        found += children.get(one, [])
    return found


def memory(pid):
    """The bytes that a process uses, where memory shared by n processes counts 1/n for each."""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/smaps_rollup", "rb") as file:
        parts = [line.split()[1] for line in file if line.startswith((b"Pss:", b"SwapPss:"))]
        return sum(map(int, parts)) * 1024
    return 0


def sockets(pid):
    """How many sockets a process has open."""
    count = 0
    with contextlib.suppress(OSError):
        for entry in os.scandir(f"/proc/{pid}/fd"):
            with contextlib.suppress(OSError):  # closed by now
                count += os.readlink(entry.path).startswith("socket:")
    return count


def files(pid):
    """How many files are in the /tmp and /dev/shm that a process sees, if these are its cage's."""
    most = 0
    for place in ("/tmp", "/dev/shm"):
        with contextlib.suppress(OSError):
            seen = f"/proc/{pid}/root{place}"
            if os.stat(seen).st_dev != os.stat(place).st_dev:
                found = os.statvfs(seen)
                most = max(most, found.f_files - found.f_ffree)
    return most
