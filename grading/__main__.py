"""Cut the students' notebooks, and grade what comes back.

    python -m grading release [--seed 7]        the folders to hand out, and a zip of each
    python -m grading archive                   a copy of the collection for students, as a zip
    python -m grading grade FOLDER              grade FOLDER/<student>/<assignment>.ipynb
                                                (or nbgrader's FOLDER/<student>/<assignment>/…)
"""

import argparse
import sys
import time
from pathlib import Path

from grading.course import ROOT, Course, assignments, submissions, write_table
from grading.release import release, released_seed, student_archive
from grading.sandbox import LIMITS, own_world
from grading.worker import landlock_version


def main():
    options, parser = read_options()
    sys.stdout.reconfigure(errors="backslashreplace")  # names of folders may be of any bytes
    if options.command == "grade":
        found = handed_in(options, parser)
    course = Course(options.build)
    seed = options.seed if options.command == "release" else released_seed(course)
    for folder in release(course, seed):
        print(f"released {folder.name}{'' if seed is None else f', seed {seed}'}", flush=True)
    if options.command == "archive":
        print("wrote", student_archive(course, options.build.parent / "perceptron-students.zip"))
    if options.command == "grade":
        grade_all(course, found, options)


def read_options():
    parser = argparse.ArgumentParser(prog="python -m grading", description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "homework")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("release").add_argument("--seed", type=int)
    commands.add_parser("archive")
    grade = commands.add_parser("grade")
    grade.add_argument("folder", type=Path)
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
    if not options.without_isolation and not landlock_version():
        parser.error(
            "this system has no Landlock (Linux 5.13 or newer has), so submissions could read "
            "and write all your files; --without-isolation grades them nevertheless"
        )
    return found


def grade_all(course, found, options):
    isolate = not options.without_isolation
    if isolate and not own_world():
        print("note: without user namespaces here, a submission could leave processes behind")
    rows = []
    for number, (student, name, path) in enumerate(found, 1):
        start = time.perf_counter()
        row = course.grade(student, name, path, options.folder, isolate, seconds=options.seconds)
        if not options.without_feedback:
            course.feedback(row)
        rows.append(row)
        told = row.get("note") or f"{row['score']:g} of {row['of']:g}"
        if row.get("to mark"):
            told += f", {row['to mark']:g} to mark by hand"
        taken = time.perf_counter() - start
        print(f"[{number}/{len(found)}] {student} {name}: {told} ({taken:.1f} s)", flush=True)
    write_table(rows, course.folder / "grades.csv")
    print("grades.csv and feedback/ are in the course folder")


if __name__ == "__main__":
    main()
