"""The table of grades: a row at a time, so that a batch that is stopped can go on.

After every row the whole table is written to a file beside it, which then takes its place: at any
moment `grades.csv` is complete.  A lock keeps a second batch out; its file says whether the last
batch came to its end.
"""

import csv
import fcntl
import os
import re
import shutil

from grading.worker import clean

FIRST = ["assignment", "student", "score", "of", "to mark"]
LAST = ["note", "file", "others", "id", "key", "hash"]
FORMULA = re.compile(  # where a spreadsheet may begin a cell, and what would make it compute
    '(^|[,;|])([\\s"\u200b-\u200f\u2060\ufeff]*)(?=[=+@\\-＝＋＠－﹦﹢﹫﹣])'
)


class Busy(Exception):
    """Another batch is at work on the same table."""


def harmless(value):
    """A cell that no spreadsheet takes for a formula, in one line; numbers stay numbers.

    >>> harmless("=1+1"), harmless("Ann; =1"), harmless(-2), harmless("one-to-one")
    ("'=1+1", "Ann; '=1", -2, 'one-to-one')
    """
    if value is None or isinstance(value, (int, float)):
        return "" if value is None else value
    return FORMULA.sub(r"\1\2'", re.sub("[\t\n]", " ", clean(value, 2000)))


def identity(row):
    """By this a row is known to be that of a submission."""
    return row["key"], row["assignment"], row["hash"]


class Grades:
    """The table in a file.  It is locked until `close`, or the end of the process."""

    def __init__(self, path):
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        self.lock = open(path.with_name(f".{path.name}.lock"), "a+")  # noqa: SIM115
        try:
            fcntl.lockf(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self.lock.close()
            raise Busy(f"another batch is grading into {path}; wait for it, or stop it") from None
        self.lock.seek(0)
        self.stopped = bool(self.lock.read())  # was the last batch stopped before its end?
        self.rows = self._read()

    def start(self, keep):
        """Begin a batch with those of the old rows that `keep` is true of."""
        if self.path.exists():
            shutil.copy(self.path, self.path.with_suffix(".before.csv"))
        self.rows = [row for row in self.rows if keep(row)]
        self._mark("unfinished\n")
        self._write()

    def add(self, row):
        self.rows.append(row)
        self._write()

    def finish(self, whole=True):
        """The batch has come to its end: the next one begins anew.  If it was about one student
        only, a batch that was stopped before it is still to go on."""
        self._mark("" if whole or not self.stopped else "unfinished\n")

    def close(self):
        self.lock.close()

    def _mark(self, text):
        self.lock.truncate(0)
        self.lock.write(text)
        self.lock.flush()

    def _read(self):
        """The rows of an older table; none if it is not one of ours."""
        try:
            with open(self.path, encoding="utf-8", newline="") as file:
                table = csv.DictReader(file, strict=True)
                ours = {*FIRST, *LAST} <= set(table.fieldnames or ())
                return [row for row in table if None not in row] if ours else []
        except (OSError, ValueError, csv.Error):
            return []

    def _write(self):
        questions = {key for row in self.rows for key in row} - {*FIRST, *LAST}
        columns = [*FIRST, *sorted(questions), *LAST]
        rows = sorted(self.rows, key=lambda r: (r["assignment"], r["student"], r["file"]))
        write(self.path, [columns, *([row.get(c, "") for c in columns] for row in rows)])


def write(path, lines):
    """Write a table at once or not at all."""
    new = path.with_name(f".{path.name}.new")
    with open(new, "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([harmless(cell) for cell in line] for line in lines)
        file.flush()
        os.fsync(file.fileno())
    os.replace(new, path)


# --- for learning platforms ----------------------------------------------------------------------


def export(rows, kind, folder):
    """A file for each assignment that Moodle or Canvas takes; returns the files, and the students
    whose number there is unknown."""
    made = []
    graded = [row for row in rows if row["score"] not in (None, "")]
    unknown = [row for row in graded if not row["id"].startswith(kind)]
    for name in sorted({row["assignment"] for row in graded if row not in unknown}):
        known = [row for row in graded if row["assignment"] == name and row not in unknown]
        made.append(folder / f"{name}-for-{kind}.csv")
        write(made[-1], for_moodle(known) if kind == "moodle" else for_canvas(name, known))
    return made, [f"{row['student']} ({row['assignment']})" for row in unknown]


def for_moodle(rows):
    """Moodle's grading worksheet."""
    yield ["Identifier", "Full name", "Maximum Grade", "Grade",
           "Last modified (grade)", "Feedback comments"]  # fmt: skip
    for row in rows:
        number = row["id"].split()[1]
        yield [f"Participant {number}", row["student"], row["of"], row["score"], "", comment(row)]


def for_canvas(name, rows):
    """Canvas's gradebook, which has points only: any further column is taken for an assignment."""
    yield ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", name]
    yield ["    Points Possible", "", "", "", "", rows[0]["of"]]
    for row in rows:
        yield [row["student"], row["id"].split()[1], "", "", "", row["score"]]


def comment(row):
    """The points of every question, and what else there is to say, for the student."""
    points = [f"{q}: {p}" for q, p in row.items() if q not in (*FIRST, *LAST) and p != ""]
    if str(row["to mark"]) not in ("", "0", "0.0"):
        points.append(f"{row['to mark']} points are still to be marked by hand")
    return "; ".join([*points, *filter(None, [row["note"]])])
