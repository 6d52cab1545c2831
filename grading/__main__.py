"""Cut the students' notebooks, and grade what comes back.

    python -m grading release [--seed 7]        the folders to hand out, and a zip of each
    python -m grading archive                   a copy of the collection for students, as a zip
    python -m grading grade FOLDER              grade all that was handed in: a folder, or the zip
                                                that a learning platform made
    python -m grading check FILE                say what would be graded of one's own notebook

`make` has a target for each.
"""

import argparse
import contextlib
import shutil
import signal
import sys
from pathlib import Path

from grading.worker import one_line

ROOT = Path(__file__).resolve().parent.parent


def main(arguments=None):
    options, parser = read_options(arguments)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # both stop the batch alike
    try:
        return COMMANDS[options.command](options, parser)
    except KeyboardInterrupt:
        say("stopped; what has been graded is in grades.csv, and the same command goes on from it")
        return 130
    except OSError as error:
        say(f"stopped: {error}")
        return 1


def read_options(arguments):
    parser = argparse.ArgumentParser(prog="python -m grading", description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "homework")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("release").add_argument("--seed", type=int)
    commands.add_parser("archive")
    commands.add_parser("check").add_argument("file", type=Path)
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
    sys.stdout.buffer.write(line.encode(sys.stdout.encoding, "backslashreplace") + b"\n")
    sys.stdout.flush()


# What a command needs is imported where it is used: a student's check needs little of it.


def check(options, parser):
    from grading.release import self_check

    for line in self_check(options.file):
        say(line)
    return 0


def cut(options, parser):
    """Make the students' notebooks, with the seed asked for or, for all else, that of the last."""
    from grading.course import Course
    from grading.release import release, released_seed, student_archive

    course = Course(options.build)
    seed = options.seed if options.command == "release" else released_seed(course)
    if options.command != "grade" or not course.is_current():
        for folder in release(course, seed):
            say(f"released {folder.name}{'' if seed is None else f', seed {seed}'}")
    if options.command == "archive":
        say(f"wrote {student_archive(course, options.build.parent / 'perceptron-students.zip')}")
    return (course, seed) if options.command == "grade" else 0


def grade(options, parser):
    """Grade what is in a folder; the exit code is 1 if the grader itself failed somewhere."""
    from grading.cage import why_none
    from grading.course import assignments
    from grading.submissions import find
    from grading.table import Busy, Grades

    if not options.folder.exists():
        parser.error(f"there is no {options.folder}; name the folder of what was handed in")
    if not options.without_isolation and (reason := why_none()):
        parser.error(f"{reason}; --without-isolation grades them nevertheless")
    try:
        grades = Grades(options.build / "grades.csv")
    except Busy as error:
        parser.error(str(error))
    unpacked = options.build / "unpacked"
    try:
        course, seed = cut(options, parser)
        found = find(options.folder, assignments(), unpacked, seed)
        if not found:
            parser.error(f"nothing was handed in: {options.folder} is empty")
        chosen = [s for s in found if options.only is None or is_called(s, options.only)]
        if not chosen:
            names = ", ".join(sorted({s.student for s in found if s.student}))
            parser.error(one_line(f"nobody is called {options.only}; there are {names}", 2000))
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
    from grading.table import identity

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
    """Tells of every row, writes it down, and counts files."""

    def __init__(self, grades, chosen):
        self.grades, self.chosen = grades, chosen
        self.rows = self.graded = self.failed = 0

    def run(self, course, options):
        """Grade all that has no row yet; return the exit code."""
        from grading.supervisor import grade_all
        from grading.table import identity

        done = {identity(row) for row in self.grades.rows}
        waiting = [s for s in self.chosen if s.path and s.identity not in done]
        kept = len([s for s in self.chosen if s.path]) - len(waiting)
        self.rows = self.graded = kept
        for s in [s for s in self.chosen if not s.path]:
            self.add(s, {"score": None})
        rows = grade_all(
            course, waiting, options.jobs, not options.without_isolation,
            not options.without_feedback, seconds=options.seconds,
        )  # fmt: skip
        with contextlib.closing(rows):  # it ends what it has started, also if this is stopped
            for submission, row in rows:
                self.add(submission, row)
        return self.finish(options)

    def add(self, submission, row):
        note = "; ".join(filter(None, [row.get("note"), submission.note]))
        row = {"of": None, "to mark": None} | row | submission.columns()
        self.failed += row.pop("failed", False)
        self.grades.add(row | {"note": one_line(note, 500)})
        graded = row["score"] is not None
        self.rows, self.graded = self.rows + 1, self.graded + graded
        told = [f"{row['score']:g} of {row['of']:g}"] if graded else []
        told += [f"{row['to mark']:g} to mark by hand"] if row["to mark"] else []
        who = f"{submission.student or '(nobody)'} {submission.assignment}".strip()
        say(f"[{self.rows}/{len(self.chosen)}] {who}: {'; '.join(filter(None, [*told, note]))}")
        if submission.files[graded:]:
            beside = f"{row['file']}, {row['others']}" if not graded else row["others"]
            say(f"not graded: {beside.removesuffix(', ')}", before="    ")

    def finish(self, options):
        """The last lines, and the exit code."""
        from grading.table import export

        self.grades.finish(whole=options.only is None)
        seen = sum(len(s.files) for s in self.chosen)
        noted = seen - self.graded
        say(f"{seen} files and empty folders seen: {self.graded} graded, {noted} noted")
        say(f"{self.grades.path} has a row for each")
        if options.platform:
            platform = options.platform.capitalize()
            made, unknown = export(self.grades.rows, options.platform, self.grades.path.parent)
            for path in made:
                say(f"{path} is for {platform}")
            if unknown:
                say(f"without a number of {platform}'s in the name of the file, so not in it: "
                    f"{', '.join(unknown)}")  # fmt: skip
        if self.failed:
            say(f"The grader itself failed {self.failed} times: these have no score. "
                "Call it again.")  # fmt: skip
        return 1 if self.failed else 0


COMMANDS = {"release": cut, "archive": cut, "check": check, "grade": grade}

if __name__ == "__main__":
    sys.exit(main())
