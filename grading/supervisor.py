"""The supervisor: every submission has one budget, and what spends it is ended.

A process of its own (one.py, in a cage) does everything about a submission: it reads the file, runs
and replays cells, grades, renders.  Here, several times a second, the time, memory, processes and
files of all that it started are added up.  What it wrote in the end, short lines with numbers and
files that nobody opens here, becomes a row.

As many submissions are graded at once as there are cores, each on a core of its own, so that one
that keeps its core busy takes no time from another.
"""

import contextlib
import errno
import json
import os
import shutil
import signal
import stat
import sys
import tempfile
import time

from grading import cage, sandbox
from grading.feedback import KATEX
from grading.reader import LARGEST, too_large
from grading.worker import clean

# For everything about a submission: bytes of memory, processes and threads, files, room for these.
LIMITS = {"all_memory": 3 * 2**30, "tasks": 200, "files": 20_000, "disk": 2**29}
LIMITS |= {"seconds": sandbox.LIMITS["seconds"], "isolate": True, "feedback": True}
LIMITS |= {"own_seconds": 120}  # for reading, starting and rendering, beside the student's own
COMMAND = [sys.executable, "-P", "-s", "-m", "grading.one"]
EVERY = 0.1  # seconds
LONGEST_LINE = 2**16
PARTS = ["submitted", "autograded", "feedback"]
MOST_LINES = 20
PAGE = os.sysconf("SC_PAGE_SIZE")


def grade(course, submission, limits=None):
    """Grade one submission; return its row."""
    return next(grade_all(course, [submission], 1, limits))


def grade_all(course, submissions, jobs=None, limits=None):
    """Grade submissions, so many at once; yield a row for each as soon as it is there.

    However this ends, all that it started ends with it."""
    limits = LIMITS | (limits or {})
    if limits["isolate"] and (reason := cage.why_none()):
        raise SystemExit(f"{reason}; --without-isolation grades them nevertheless")
    course.prepare()
    shutil.rmtree(course.folder / "scratch", ignore_errors=True)  # of a batch that was killed
    waiting, running, again = list(submissions)[::-1], [], []
    free = cores(jobs)
    try:
        while waiting or running:
            while waiting and free:
                running.append(Attempt(course, waiting.pop(), limits, free.pop()))
            time.sleep(EVERY)
            table = processes()
            for attempt in [attempt for attempt in running if attempt.over(table)]:
                running.remove(attempt)
                free.append(attempt.core)
                if attempt.failed and attempt.submission not in again:  # a machine has bad moments
                    again.append(attempt.submission)
                    waiting.insert(0, attempt.submission)
                else:
                    yield attempt.row()
    finally:
        for attempt in running:
            attempt.end()


def cores(jobs=None):
    """The cores for `jobs` submissions at once; with little memory they are fewer."""
    mine = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    with contextlib.suppress(ValueError, OSError):
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        jobs = min(jobs or len(mine) or 1, max(1, memory // LIMITS["all_memory"]))
    jobs = max(1, jobs or len(mine))
    return [mine[k % len(mine)] if mine else None for k in range(jobs)]


class Attempt:
    """One submission being graded."""

    def __init__(self, course, submission, limits, core):
        self.course, self.submission, self.limits, self.core = course, submission, limits, core
        self.began, self.process, self.told = time.monotonic(), None, []
        self.note, self.failed, self.scratch = submission.note, False, None
        if self.note:
            return
        try:
            with open_plainly(submission.path) as file:
                self.start(file)
        except ValueError as error:
            self.refuse(error)
        except Exception as error:
            self.fail(f"it could not be started ({error})")

    def start(self, file):
        """Start the process; what it writes goes to files that have no name, so none is left."""
        request = self.course.request(self.submission.key, self.submission.assignment)
        see = [request["source"], request["released"], request["gradebook"], *request["fonts"]]
        see += [cage.ROOT / name for name in ("grading", "perceptron_lib")]
        see += [place for place in [KATEX.parent] if place.exists()]
        isolate = self.limits["isolate"]
        request |= {"isolate": isolate, "page": self.limits["feedback"]}
        request["limits"] = {k: v for k, v in self.limits.items() if k in sandbox.LIMITS}
        if not isolate:
            (self.course.folder / "scratch").mkdir(exist_ok=True)
            self.scratch = tempfile.mkdtemp(dir=self.course.folder / "scratch")
        self.results = tempfile.TemporaryFile()  # noqa: SIM115
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115
        with tempfile.TemporaryFile() as told:
            told.write(json.dumps(request).encode())
            told.seek(0)
            self.process = cage.start(
                [*COMMAND, str(told.fileno())],
                {path: path for path in see}, self.limits["disk"], cage.OUTER,
                isolate=isolate, fds=(told.fileno(),), core=self.core, cwd=self.scratch,
                stdin=file, stdout=self.results, stderr=self.errors,
                env=sandbox.environment(str(cage.ROOT), self.scratch or "/tmp"),
            )  # fmt: skip

    def over(self, table):
        """Has it ended, or spent its budget?  Then all its processes are gone."""
        if self.process is None:
            return True
        ended = self.process.poll() is not None
        reason = None if ended else self.spent(table)
        if not ended and not reason:
            return False
        self.end()
        self.told, self.parts = read_results(self.results)
        step = self.found("step") or "starting"
        if reason:
            self.refuse(f"it was ended while {step}; {reason}")
            self.failed = step == "starting"  # nothing of the student's had been read
        elif self.found("refused"):
            self.refuse(self.found("refused"))
        elif self.process.returncode or step != "done":
            self.errors.seek(max(0, self.errors.seek(0, 2) - 2000))
            last = self.errors.read().decode(errors="replace").strip().splitlines()[-1:]
            self.fail(f"{step} failed ({' '.join(last)})")
        return True

    def spent(self, table):
        """What of the budget is used up, in a sentence; None while there is some left."""
        limits, mine = self.limits, descendants(self.process.pid, table)
        wall = sandbox.IN_ALL * limits["seconds"] + limits["own_seconds"]
        if time.monotonic() - self.began > wall:
            return f"its {wall:g} seconds for everything are used up"
        if sum(table[pid][1] for pid in mine) > limits["tasks"]:
            return f"it ran more than {limits['tasks']} processes and threads"
        most = limits["all_memory"]
        if sum(table[pid][2] for pid in mine) > most and sum(map(memory, mine)) > most:
            return f"its processes used more than {most / 2**30:g} GB of memory"
        if limits["isolate"] and max(map(files, mine), default=0) > limits["files"]:
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
        if self.scratch:
            shutil.rmtree(self.scratch, ignore_errors=True)

    def found(self, key):
        """The last thing that was told under this key."""
        return next((told[key] for told in reversed(self.told) if key in told), None)

    def refuse(self, note):
        self.note = f"not graded: {note}"

    def fail(self, note):
        self.note, self.failed = f"the grader failed: {note}", True

    def row(self):
        """The row of the table, with what belongs to it put into the course."""
        key, name = self.submission.key, self.submission.assignment
        row = {"student": self.submission.student, "assignment": name, "score": None}
        try:
            if graded := self.found("graded"):
                row |= self.course.record(key, name, graded)
                self.course.clear(key, name, *PARTS)
                for stage, (start, size) in self.parts.items():
                    self.results.seek(start)
                    self.course.store(key, name, stage, self.results.read(size))
                self.note = self.note.replace("not graded: ", "graded, but without a page: ")
            elif not self.failed:
                row |= {"score": 0, "of": self.course.points(name), "to mark": 0}
                self.course.clear(key, name, *PARTS)
            if self.note and not self.failed and self.limits["feedback"]:
                self.course.page_with_note(key, name, clean(self.note, 500))
        except Exception as error:
            row["score"] = None
            self.fail(f"what it gave could not be stored ({type(error).__name__}: {error})")
        return row | {"note": clean(self.note, 500), "failed": self.failed}


def open_plainly(path):
    """The file that was handed in, if it is one; ValueError if not.  Nothing of it is read."""
    try:
        place = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise ValueError("this is no ordinary file") from None
        raise
    about = os.fstat(place)
    if stat.S_ISREG(about.st_mode) and about.st_size <= LARGEST:
        return os.fdopen(place, "rb")
    os.close(place)
    if not stat.S_ISREG(about.st_mode):
        raise ValueError("this is no ordinary file")
    raise ValueError(too_large(about.st_size))


def read_results(file):
    """What one.py told, line by line, and where in the file each part of the result is."""
    told, parts, end = [], {}, file.seek(0, os.SEEK_END)
    file.seek(0)
    while len(told) < MOST_LINES and (line := file.readline(LONGEST_LINE)).endswith(b"\n"):
        try:
            found = json.loads(line)
            sizes = {name: int(found["files"][name]) for name in PARTS if name in found["files"]}
        except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
            break
        for name, size in sizes.items():
            parts[name] = file.tell(), size
            if size < 0 or file.seek(size, os.SEEK_CUR) > end:
                return told, {}
        told.append(found)
    return told, parts


# --- processes ---------------------------------------------------------------------------------


def processes():
    """All processes of this machine: {number: (its parent's, threads, bytes of memory)}."""
    table = {}
    for name in filter(str.isdigit, os.listdir("/proc") if os.path.isdir("/proc") else ()):
        with contextlib.suppress(OSError, ValueError), open(f"/proc/{name}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
            table[int(name)] = int(fields[1]), int(fields[17]), int(fields[21]) * PAGE
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
        for line in file:
            if line.startswith(b"Pss:"):
                return int(line.split()[1]) * 1024
    return 0


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
