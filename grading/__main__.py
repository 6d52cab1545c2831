"""Cut the students' notebooks, and grade what comes back.

    python -m grading release                   the folders to hand out, and a zip of each
    python -m grading grade FOLDER              grade FOLDER/<student>/<assignment>.ipynb
                                                (or nbgrader's FOLDER/<student>/<assignment>/…)
"""

import argparse
import signal
import sys
from pathlib import Path

from grading.cage import ROOT, why_none
from grading.course import Course, assignments, submissions, write_table
from grading.supervisor import LIMITS, grade_all


def main():
    options, parser = read_options()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # both stop the batch alike
    sys.stdout.reconfigure(errors="backslashreplace")  # names of folders may be of any bytes
    if options.command == "grade":
        found = handed_in(options, parser)
    course = Course(options.build)
    for folder in course.release():
        print(f"released {folder.name}", flush=True)
    if options.command == "grade":
        return grade(course, found, options)
    return 0


def read_options():
    parser = argparse.ArgumentParser(prog="python -m grading", description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "homework")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("release")
    grade = commands.add_parser("grade")
    grade.add_argument("folder", type=Path)
    grade.add_argument("--jobs", type=int)
    grade.add_argument("--without-isolation", action="store_true")
    grade.add_argument("--without-feedback", action="store_true")
    grade.add_argument("--seconds", type=int, default=LIMITS["seconds"])
    return parser.parse_args(), parser


def handed_in(options, parser):
    """The submissions in the folder; what stands against grading them is told before all work."""
    if not options.folder.is_dir():
        parser.error(f"{options.folder} is no folder; a folder for each student is expected")
    found = list(submissions(options.folder))
    if not found:
        expected = ", ".join(f"<student>/{name}.ipynb" for name in assignments())
        parser.error(f"no submission in {options.folder}; expected are {expected}")
    if not options.without_isolation and (reason := why_none()):
        parser.error(f"{reason}; --without-isolation grades them nevertheless")
    return found


def grade(course, found, options):
    """Grade all; the exit code is 1 if the grader failed somewhere."""
    limits = {"isolate": not options.without_isolation, "feedback": not options.without_feedback}
    limits["seconds"] = options.seconds
    rows = []
    for row in grade_all(course, found, options.jobs, limits):
        rows.append(row)
        told = row["note"] or f"{row['score']:g} of {row['of']:g}"
        if row.get("to mark"):
            told += f", {row['to mark']:g} to mark by hand"
        who = f"{row['student']} {row['assignment']}"
        print(f"[{len(rows)}/{len(found)}] {who}: {told}", flush=True)
    write_table(rows, course.folder / "grades.csv")
    print("grades.csv and feedback/ are in the course folder")
    return int(any(row["failed"] for row in rows))


if __name__ == "__main__":
    sys.exit(main())
