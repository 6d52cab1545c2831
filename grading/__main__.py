"""Cut the students' notebooks, and grade what comes back.

    python -m grading release [--seed 7]        the folders to hand out, and a zip of each
    python -m grading archive                   a copy of the collection for students, as a zip
    python -m grading branch                    the same copy, and commit it to the branch students
    python -m grading grade FOLDER              grade all that was handed in: a folder, or the zip
                                                that a learning platform made

`make` has a target for each.
"""

import argparse
import contextlib
import os
import shutil
import signal
import sys
from pathlib import Path

from grading.cage import ROOT, why_none
from grading.course import Course, assignments
from grading.release import release, released_seed, student_archive, student_branch
from grading.submissions import find, listed
from grading.supervisor import grade_all
from grading.table import Busy, Grades, export, identity
from grading.worker import one_line


def main(arguments=None):
    options, parser = read_options(arguments)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # both stop the batch alike
    try:
        return grade(options, parser) if options.command == "grade" else hand_out(options)
    except KeyboardInterrupt:
        say("stopped; what has been graded is in grades.csv, and the same command goes on from it")
        return 130
    except BrokenPipeError:  # nobody reads what it says, nor at its end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        say(f"stopped: {error}")
        return 1


def read_options(arguments):
    parser = argparse.ArgumentParser(prog="python -m grading", description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "homework")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("release").add_argument("--seed", type=int)
    for name in ("archive", "branch"):
        commands.add_parser(name).add_argument("--repository", help="its address for this once")
    grade = commands.add_parser("grade")
    grade.add_argument("folder", type=Path)
    grade.add_argument("--only", metavar="STUDENT", help="grade this student again, and no other")
    grade.add_argument("--for", dest="platform", choices=["moodle", "canvas"],
                       help="write the files that it takes, too")  # fmt: skip
    grade.add_argument("--jobs", type=int, help="so many at once")
    grade.add_argument("--without-isolation", action="store_true")
    grade.add_argument("--without-feedback", action="store_true")
    grade.add_argument("--seconds", type=int, default=20, help="for each cell and each call")
    return parser.parse_args(arguments), parser


def say(text, before=""):
    """Print one line, free of what a terminal would obey."""
    line = before + one_line(text, 2000)
    print(line.encode(sys.stdout.encoding, "backslashreplace").decode(sys.stdout.encoding))
    sys.stdout.flush()


def hand_out(options):
    course = Course(options.build)
    cut(course, options.seed if options.command == "release" else released_seed(course))
    if options.command != "release":
        path = options.build.parent / "perceptron-students.zip"
        say(f"wrote {student_archive(course, path, options.repository)}")
        if options.command == "branch":
            say(student_branch(path))
    return 0


def cut(course, seed):
    for folder in release(course, seed):
        say(f"released {folder.name}{'' if seed is None else f', seed {seed}'}")


def grade(options, parser):
    """Grade what is in a folder; the exit code is 1 if the grader itself failed somewhere."""
    if not options.folder.exists():
        parser.error(f"there is no {options.folder}; name the folder of what was handed in")
    if not options.without_isolation and (reason := why_none(options.build, options.folder)):
        parser.error(f"{reason}; --without-isolation grades them nevertheless")
    try:
        grades = Grades(options.build / "grades.csv")
    except Busy as error:
        parser.error(str(error))
    unpacked = options.build / "unpacked"
    try:
        course = Course(options.build)
        seed = released_seed(course)
        found = find(options.folder, assignments(), unpacked, seed)
        if not found:
            parser.error(f"nothing was handed in: {options.folder} is empty")
        chosen = [s for s in found if options.only is None or is_called(s, options.only)]
        if not chosen:
            names = ", ".join(sorted({s.student for s in found if s.student}))
            parser.error(one_line(f"nobody is called {options.only}; there are {names}", 2000))
        if not course.is_current():
            cut(course, seed)
        begin(grades, found, chosen, options)
        return Batch(grades, chosen).run(course, options)
    finally:
        shutil.rmtree(unpacked, ignore_errors=True)
        grades.close()


def is_called(submission, name):
    """Is that the student's name, folder or number?"""
    names = [submission.student, submission.key, *submission.id.split()[-1:]]
    return name.casefold() in map(str.casefold, names)


def begin(grades, found, chosen, options):
    """Which rows of the last table stay: those of others, or those of a batch that was stopped."""
    if options.only is not None:
        again = {s.key for s in chosen}
        grades.start(lambda row: row["key"] not in again)
    elif grades.stopped:
        handed_in = {s.identity for s in found if s.path}
        grades.start(lambda row: row["score"] and identity(row) in handed_in)
        say(f"going on where the last batch stopped, with {len(grades.rows)} rows that it made "
            "(to begin anew, delete grades.csv)")  # fmt: skip
    else:
        grades.start(lambda row: False)


class Batch:
    """Tells of every row, writes it down, and counts."""

    def __init__(self, grades, chosen):
        self.grades, self.chosen = grades, chosen
        done = {identity(row) for row in grades.rows}
        self.waiting = [s for s in chosen if not s.path or s.identity not in done]
        self.rows = self.graded = len(chosen) - len(self.waiting)
        self.failed = 0

    def run(self, course, options):
        """Grade all that has no row yet; return the exit code."""
        graded = {s.key for s in self.chosen if s.path}
        for submission in [s for s in self.waiting if not s.path]:
            if submission.key not in graded:  # else it is a stray file beside the one that counts
                course.forget(submission.key, submission.assignment)
            self.add(submission, {"score": None})
        rows = grade_all(
            course, [s for s in self.waiting if s.path], options.jobs,
            not options.without_isolation, not options.without_feedback, seconds=options.seconds,
        )  # fmt: skip
        with contextlib.closing(rows):  # it ends what it has started, also if this is stopped
            for submission, row in rows:
                self.add(submission, row)
        self.grades.finish(whole=options.only is None)
        self.sum_up(options.platform)
        return 1 if self.failed else 0

    def add(self, submission, row):
        note = one_line("; ".join(filter(None, [row.get("note"), submission.note])), 500)
        row = {"of": None, "to mark": None} | row | submission.columns() | {"note": note}
        self.failed += row.pop("failed", False)
        self.grades.add(row)
        graded = row["score"] is not None
        self.rows, self.graded = self.rows + 1, self.graded + graded
        told = [f"{row['score']:g} of {row['of']:g}"] if graded else []
        told += [f"{row['to mark']:g} to mark by hand"] if row["to mark"] else []
        told += [note] if note else []
        who = f"{submission.student or '(nobody)'} {submission.assignment}".strip()
        say(f"[{self.rows}/{len(self.chosen)}] {who}: {'; '.join(told)}")
        if beside := listed(submission.files[graded:]):
            say(f"not graded: {beside}", before="    ")

    def sum_up(self, platform):
        seen = sum(len(s.files) for s in self.chosen)
        say(f"{seen} files and empty folders seen: {self.graded} graded, "
            f"{seen - self.graded} noted")  # fmt: skip
        say(f"{self.grades.path} has a row for each")
        if platform:
            made, unknown = export(self.grades.rows, platform, self.grades.path.parent)
            for path in made:
                say(f"{path} is for {platform.capitalize()}")
            if unknown:
                say(f"without a number of {platform.capitalize()}'s in the name of the file, "
                    f"so not in it: {', '.join(unknown)}")  # fmt: skip
        if self.failed:
            say(f"The grader itself failed {self.failed} times: these have no score. "
                "Call it again.")  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
