"""Cut the students' notebooks, and grade what comes back.

    python -m grading release                   the folders to hand out, and a zip of each
    python -m grading grade FOLDER              grade all that was handed in: a folder, or the zip
                                                that a learning platform made
    python -m grading check FILE                say what would be graded of one's own notebook
"""

import argparse
import contextlib
import os
import signal
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main(arguments=None):
    options, parser = read_options(arguments)
    sys.stdout.reconfigure(errors="backslashreplace")
    if options.command == "check":
        from grading.release import self_check

        return self_check(options.file)
    if options.command == "release":
        return cut(options)
    from grading.table import Busy

    signal.signal(signal.SIGTERM, signal.default_int_handler)  # both stop the batch alike
    try:
        return grade(options, parser)
    except Busy as error:
        parser.error(str(error))
    except KeyboardInterrupt:
        say("stopped; what has been graded is in grades.csv, and the same command goes on from it")
        return 130


def read_options(arguments):
    parser = argparse.ArgumentParser(prog="python -m grading", description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "homework")
    commands = parser.add_subparsers(dest="command", required=True)
    release = commands.add_parser("release", help="make the folders to hand out")
    release.add_argument("--seed", type=int, help="the same questions on other data")
    check = commands.add_parser("check", help="say what would be graded of a notebook")
    check.add_argument("file", type=Path)
    grade = commands.add_parser("grade", help="grade a folder of homework")
    grade.add_argument("folder", type=Path)
    grade.add_argument("--only", metavar="STUDENT", help="grade this student again, and no other")
    grade.add_argument("--for", dest="platform", choices=["moodle", "canvas"],
                       help="write the files that it takes, too")  # fmt: skip
    grade.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="so many at once")
    grade.add_argument("--without-isolation", action="store_true")
    grade.add_argument("--without-feedback", action="store_true")
    grade.add_argument("--seconds", type=int, default=20, help="for each cell and each call")
    return parser.parse_args(arguments), parser


def say(text):
    """Print one line, free of what a terminal would obey."""
    from grading.submissions import shown

    print(shown(text, 2000), flush=True)


def cut(options):
    from grading.course import Course
    from grading.release import release

    for folder in release(Course(options.build), seed=options.seed):
        say(f"released {folder.name}")
    return 0


def grade(options, parser):
    """Grade what is in a folder; the exit code is 1 if the grader itself failed somewhere."""
    from grading.course import Course, assignments
    from grading.submissions import find
    from grading.supervisor import grade_all
    from grading.table import Grades

    if not options.folder.exists():
        parser.error(f"there is no {options.folder}; name the folder of what was handed in")
    grades = Grades(options.build / "grades.csv")  # which keeps a second batch out
    found = find(options.folder, assignments(), options.build / "unpacked")
    if not found:
        parser.error(f"nothing was handed in: {options.folder} is empty")
    chosen = [s for s in found if options.only is None or is_called(s, options.only)]
    if not chosen:
        names = ", ".join(sorted({s.student for s in found if s.student}))
        parser.error(f"nobody is called {options.only}; there are {names}"[:2000])
    begin(grades, found, chosen, options)
    batch = Batch(grades, chosen)
    limits = {
        "seconds": options.seconds,
        "isolate": not options.without_isolation,
        "feedback": not options.without_feedback,
    }
    waiting = {(s.student, s.assignment): s for s in batch.to_grade()}
    rows = grade_all(Course(options.build), list(waiting.values()), options.jobs, limits)
    with contextlib.closing(rows):  # it ends what it has started, also if this is stopped
        for row in rows:
            batch.add(waiting.pop((row["student"], row["assignment"])), row)
    for submission in waiting.values():
        batch.add(submission, {"note": "the grader did not come to it", "failed": True})
    return finish(batch, options)


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
        handed_in = grades.done & {s.identity for s in found}
        grades.start(lambda row: row["score"] and grades.identity(row) in handed_in)
        say(f"going on where the last batch stopped, with {len(grades.rows)} rows that it made "
            "(to begin anew, delete grades.csv)")  # fmt: skip
    else:
        grades.start(lambda row: False)


class Batch:
    """Tells of every row, writes it down, and counts files."""

    def __init__(self, grades, chosen):
        self.grades, self.chosen = grades, chosen
        self.rows = self.graded = self.noted = self.failed = 0

    def to_grade(self):
        """What is left for the grader.  The rest gets its row, or has it from the last batch."""
        done = self.grades.done
        for submission in self.chosen:
            if submission.path is None:
                self.add(submission, {"note": submission.note})
            elif submission.identity in done:
                self.count(submission, True)
        return [s for s in self.chosen if s.path and s.identity not in done]

    def count(self, submission, scored):
        self.rows += 1
        self.graded += scored
        self.noted += len(submission.files) - scored

    def add(self, submission, row):
        from grading.submissions import shown

        row = {"score": None, "of": None, "to mark": None, "note": ""} | row | submission.columns()
        row["note"] = shown("; ".join(filter(None, [row["note"], submission.remark])), 500)
        self.failed += bool(row.pop("failed", False))
        self.grades.add(row)
        self.count(submission, row["score"] is not None)
        told = [row["note"]] if row["note"] else []
        if row["to mark"]:
            told.insert(0, f"{row['to mark']:g} to mark by hand")
        if row["score"] is not None:
            told.insert(0, f"{row['score']:g} of {row['of']:g}")
        who = f"{submission.student or '(nobody)'} {submission.assignment}".strip()
        say(f"[{self.rows}/{len(self.chosen)}] {who}: {'; '.join(told)}")
        if row["score"] is None:
            print("    not graded: ", end="")
            say(f"{row['file']}, {row['others']}".strip(", "))
        elif row["others"]:
            print("    beside it: ", end="")
            say(row["others"])


def finish(batch, options):
    """The last lines, and the exit code."""
    from grading.table import export

    batch.grades.finish(whole=options.only is None)
    seen = sum(len(s.files) for s in batch.chosen)
    say(f"{seen} files and empty folders seen: {batch.graded} graded, {batch.noted} noted")
    say(f"{batch.grades.path} has a row for each")
    if options.platform:
        made, unknown = export(batch.grades.rows, options.platform, batch.grades.path.parent)
        for path in made:
            say(f"{path} is for {options.platform.capitalize()}")
        if unknown:
            say(f"without a number of {options.platform.capitalize()}'s in the name of the file, "
                f"so not in it: {', '.join(unknown)}")  # fmt: skip
    if batch.failed:
        say(f"The grader itself failed {batch.failed} times: these have no score. Call it again.")
    return 1 if batch.failed else 0


if __name__ == "__main__":
    sys.exit(main())
