"""A class of 200 hands in right, wrong, odd and hostile submissions, and all are graded in one go.

    python -m tests.class_of_200 [--plain] [--size 12]

Prints how long it took, how many rows there are, who got more or fewer points than they should
have, and what was left behind.  With --plain, root changes to a plain user first; a smaller class
has some of every kind.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import nbformat

from grading.cage import ROOT
from tests.grading import (
    FIRST,
    FRAME,
    NAMES,
    command,
    plainly,
    points,
    read_rows,
    solved,
    with_answers,
    with_words,
    wrong_answers,
)
from tests.hostile import FILES, HONEST, HOSTILE, MORE, WORDS


class Class:
    """The submissions of a class, and the points that each is worth."""

    def __init__(self, folder, size):
        self.folder, self.build, self.worth = folder, folder / "course", {}
        subprocess.run(command(self.build, "release"), check=True, cwd=ROOT)
        members = list(self.members())
        for k in range(size):  # those of every kind, in a smaller class as well
            hand_in, *what = members[k * len(members) // size]
            hand_in(*what)

    def members(self):
        """Who might be in the class: how each hands in, and what."""
        places = {"OUTSIDE": self.folder, "SOURCE": ROOT, "GRADEBOOK": self.build / "gradebook.db"}
        places["SOLVED"] = ROOT / "notebooks" / "homework" / f"{FIRST}.ipynb"
        for case, code in (HOSTILE | MORE).items():
            for word, path in places.items():
                code = code.replace(word, str(path))
            yield self.hand_in, f"hostile {case}", self.starter({"q1": code}), 0
        for case, text in WORDS.items():
            yield self.hand_in, f"words {case}", with_words(self.starter(), text), 0
        for case, data in FILES.items():
            yield self.hand_in, f"file {case}", data, 0
        for case, spoil in FRAME.items():
            yield self.hand_in, f"frame {case}", spoil(self.starter()), 0
        for case in ("link", "pipe", "device"):
            yield self.hand_in_no_file, f"odd {case}", case
        for case, code in HONEST.items():
            yield self.hand_in, f"honest {case}, Müller", self.starter({"q1": code}), 3
        others = len({**HOSTILE, **MORE}) + sum(map(len, (WORDS, FILES, FRAME, HONEST))) + 3
        for k in range(200 - others):
            name = NAMES[k % 3]
            wrong = wrong_answers(name, k // 3 % 5) if k // 3 % 5 < 4 else {}
            answers = {question: code for question, (code, *_) in wrong.items()}
            right = sum(wrong[q][2] if q in wrong else p for q, p in points(name).items())
            yield (
                self.hand_in, f"student {k}", with_answers(solved(name), answers), right, name
            )  # fmt: skip

    def starter(self, answers=None):
        path = self.build / "release" / FIRST / f"{FIRST}.ipynb"
        return with_answers(nbformat.read(path, as_version=4), answers or {})

    def place(self, student, worth, name=FIRST):
        student = student.replace("/", "_")
        self.worth[student, name] = worth
        path = self.folder / "handed-in" / student / f"{name}.ipynb"
        path.parent.mkdir(parents=True)
        return path

    def hand_in(self, student, nb, worth, name=FIRST):
        data = nb if isinstance(nb, str | bytes) else nbformat.writes(nb)
        data = data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass")
        self.place(student, worth, name).write_bytes(data)

    def hand_in_no_file(self, student, case):
        path = self.place(student, 0)
        if case == "link":
            path.symlink_to(ROOT / "notebooks" / "homework" / f"{FIRST}.ipynb")
        elif case == "pipe":
            os.mkfifo(path)
        else:
            path.symlink_to("/dev/zero")

    def grade(self, how):
        """Grade all; return the seconds that it took and the exit code."""
        begin = time.monotonic()
        line = command(self.build, "grade", str(self.folder / "handed-in"), "--seconds", "5")
        code = subprocess.run(how(line), cwd=ROOT).returncode
        return time.monotonic() - begin, code

    def differences(self):
        """Who got other points than they should have; an empty cell is no points."""
        rows = read_rows(self.build)
        for who, worth in self.worth.items():
            got = float(rows[who]["score"] or 0) if who in rows else None
            if got != worth:
                yield f"{who[0]}: {got} for {worth} ({rows.get(who, {}).get('note')})"


def left_behind(folder):
    """Processes that know the folder, or are one of those a hostile submission starts."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes()
        except OSError:
            continue
        if str(folder).encode() in words or b"98765" in words:
            found.append(words.replace(b"\0", b" ").decode(errors="replace")[:200])
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--size", type=int, default=200)
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="class-"))
    try:
        members = Class(folder, options.size)
        before = set(os.listdir(tempfile.gettempdir()))
        how = (lambda line: plainly(line, folder)) if options.plain else list
        seconds, code = members.grade(how)
        time.sleep(5)
        differences = list(members.differences())
        rows = read_rows(members.build)
        failed = [row for row in rows.values() if row["note"].startswith("the grader failed")]
        print(f"{len(members.worth)} submissions, {len(rows)} rows, {seconds:.0f} seconds, "
              f"exit code {code}, {len(failed)} failures of the grader")  # fmt: skip
        print(f"{len(differences)} with other points than they are worth", *differences, sep="\n  ")
        print(f"{len(left_behind(folder))} processes left", *left_behind(folder), sep="\n  ")
        print("new in the folder for temporary files:",
              sorted(set(os.listdir(tempfile.gettempdir())) - before))  # fmt: skip
        return bool(differences or left_behind(folder))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
