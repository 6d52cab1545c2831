"""The table of grades, and the command that fills it, with a stand-in for the grader."""

import csv
import json
import os
import re
import signal
import subprocess
import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

import grading.__main__
from grading.__main__ import main
from grading.table import FIRST, LAST, Busy, Grades, export, harmless
from tests.homework.test_submissions import HW1, HW2, NOTEBOOK, PLAIN, ROOT, notebook, tree, zipped

# --- cells and rows ------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [
    "=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", " =1", "\ufeff=1", '"=1', "＝1+1",
    "＠A", "Ann;=1", "Ann, =1", 'Ann"|"=cmd', "\u200b-1",
])  # fmt: skip
def test_no_cell_is_a_formula(text):
    assert re.search("'[=+@＝＠-]", harmless(text))
    assert harmless(harmless(text)) == harmless(text)


@pytest.mark.parametrize("value", ["Ann-Marie", "a = b", "x", "", "3.5 of 20", -2, 1.5, "O'Neill"])
def test_other_cells_stay_as_they_are(value):
    assert harmless(value) == value


@given(st.text(alphabet="=+-@;,|\t\r\n \"'＝a\u200b\ufeff"))
def test_however_a_spreadsheet_splits_a_cell_no_part_is_a_formula(text):
    for part in re.split(r"[,;|\t\r\n]", harmless(text)):
        assert not re.match('[\\s"\u200b\ufeff]*[=+@＝-]', part)


def row(student="ann", score=3.0, **more):
    columns = {"assignment": HW1, "student": student, "key": student, "score": score, "of": 20.0,
               "to mark": 4.0, "q1": 3.0, "note": "", "file": f"{student}/{PLAIN}", "others": "",
               "id": "", "hash": f"sha256:{student}"}  # fmt: skip
    return columns | more


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_table_is_complete_after_every_row(tmp_path):
    grades = Grades(tmp_path / "grades.csv")
    grades.start(lambda row: True)
    for number, name in enumerate(["ben", "ann", "=evil\n\x1b[2J", "cara\udcff"], 1):
        grades.add(row(name, **{f"q{number}": 1}))
        table = read(tmp_path / "grades.csv")
        assert len(table) == number and set(table[0]) >= {*FIRST, *LAST, "q1", f"q{number}"}
    assert [r["student"] for r in table] == ["'=evil ", "ann", "ben", "cara\ufffd"]
    assert table[1]["score"] == "3.0" and table[1]["q2"] == "1"


def test_a_row_that_cannot_be_written_leaves_the_table_as_it_was(tmp_path, monkeypatch):
    grades = Grades(tmp_path / "grades.csv")
    grades.start(lambda row: True)
    grades.add(row())
    monkeypatch.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(OSError("the disk is full")))
    with pytest.raises(OSError, match="full"):
        grades.add(row("ben"))
    assert [r["student"] for r in read(tmp_path / "grades.csv")] == ["ann"]


@pytest.mark.parametrize("content", [b"", b"a,b\n1,2\n", b"\xff\xfe", b'"', b"\0"])
def test_a_table_that_is_not_ours_is_kept_aside(tmp_path, content):
    path = tmp_path / "grades.csv"
    path.write_bytes(content)
    grades = Grades(path)
    assert grades.rows == []
    grades.start(lambda row: True)
    assert (tmp_path / "grades.before.csv").read_bytes() == content


def test_a_stopped_batch_is_known_and_a_finished_one_too(tmp_path):
    path = tmp_path / "grades.csv"
    grades = Grades(path)
    assert not grades.stopped
    grades.start(lambda row: True)
    grades.add(row())
    grades.add(row("ben", score=None))
    grades.close()
    again = Grades(path)
    assert again.stopped and [r["student"] for r in again.rows] == ["ann", "ben"]
    again.finish()
    again.close()
    assert not Grades(path).stopped


def test_a_second_batch_is_refused_with_a_sentence(tmp_path):
    code = "import sys, time; from pathlib import Path; from grading.table import Grades\n"
    code += "g = Grades(Path(sys.argv[1])); print('locked', flush=True); time.sleep(60)"
    run = [sys.executable, "-c", code, str(tmp_path / "grades.csv")]
    with subprocess.Popen(run, stdout=subprocess.PIPE, cwd=ROOT) as first:
        assert first.stdout.readline() == b"locked\n"
        with pytest.raises(Busy, match="another batch is grading into"):
            Grades(tmp_path / "grades.csv")
        first.kill()
    Grades(tmp_path / "grades.csv").close()  # a lock does not outlive its process


# --- for platforms -------------------------------------------------------------------------------


def rows_of_platforms():
    return [
        row("Ann Lee", id="moodle 12345", note="late, as its name says"),
        row("=Ben", id="moodle 7", score=0.0, **{"to mark": 0.0}),
        row("leeann", id="canvas 99", q2=1.5),
        row("dolores"),
        row("zoe", id="moodle 8", score=None),
    ]


def test_moodle_gets_its_worksheet(tmp_path):
    [path], unknown = export(rows_of_platforms(), "moodle", tmp_path)
    ann, ben = read(path)
    assert path.name == f"{HW1}-for-moodle.csv"
    assert list(ann) == ["Identifier", "Full name", "Maximum Grade", "Grade",
                         "Last modified (grade)", "Feedback comments"]  # fmt: skip
    assert (ann["Identifier"], ann["Grade"]) == ("Participant 12345", "3.0")
    assert ann["Feedback comments"] == (
        "q1: 3.0; 4.0 points are still to be marked by hand; late, as its name says"
    )
    assert (ben["Full name"], ben["Grade"]) == ("'=Ben", "0.0")
    assert unknown == [f"leeann ({HW1})", f"dolores ({HW1})"]


def test_canvas_gets_its_gradebook(tmp_path):
    [path], unknown = export(rows_of_platforms(), "canvas", tmp_path)
    possible, ann = read(path)
    assert list(ann) == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", HW1]
    assert possible["Student"] == "    Points Possible" and possible[HW1] == "20.0"
    assert (ann["Student"], ann["ID"], ann[HW1]) == ("leeann", "99", "3.0")
    assert len(unknown) == 3


def test_nobody_is_exported_whose_number_is_unknown(tmp_path):
    assert export([row()], "moodle", tmp_path) == ([], [f"ann ({HW1})"])
    assert not list(tmp_path.iterdir())


# --- the command ---------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def signals():
    before = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, before)


def stand_in(course, found, jobs, isolate, feedback, seconds):
    """Grades as the supervisor does: a point for each character of the first answer."""
    for submission in found:
        cells = json.loads(submission.path.read_bytes())["cells"]
        answer = next(c["source"] for c in cells if c["metadata"].get("nbgrader"))
        if answer == "grader fails":
            yield submission, {"score": None, "note": "the grader failed: full", "failed": True}
        elif answer == "killed here":
            os.kill(os.getpid(), signal.SIGKILL)
        elif answer == "stopped here":
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(1)
        else:
            row = {"score": float(len(answer)), "of": 20.0, "to mark": 4.0, "q1": 1.0}
            note = "\x1b[2Jcleared" if answer == "escape" else ""
            yield submission, row | {"note": note, "failed": False}


class Current:
    """A course of which nothing is to be cut."""

    def __init__(self, folder):
        self.folder = folder

    def is_current(self):
        return True

    def forget(self, key, name):
        pass


STAND_INS = {"grade_all": stand_in, "Course": Current, "why_none": lambda *_: None}


@pytest.fixture
def command(tmp_path, monkeypatch, capsys):
    """Run `python -m grading grade` with the stand-ins: exit code, output, table."""
    asked = []

    def grade_all(course, found, *how, **limits):
        asked.append(([s.student for s in found], how, limits))
        return stand_in(course, found, *how, **limits)

    for name, part in (STAND_INS | {"grade_all": grade_all}).items():
        monkeypatch.setattr(grading.__main__, name, part)

    def run(*arguments, folder=tmp_path / "in"):
        try:
            code = main(["--build", str(tmp_path / "build"), "grade", str(folder), *arguments])
        except SystemExit as error:
            code = error.code
        table = tmp_path / "build" / "grades.csv"
        said = capsys.readouterr()
        return code, said.out + said.err, read(table) if table.exists() else []

    run.asked = asked
    return run


def hand_in(tmp_path, **answers):
    return tree(tmp_path / "in", {f"{k}/{PLAIN}": notebook(answer=v) for k, v in answers.items()})


def test_files_seen_graded_and_noted_add_up(command, tmp_path):
    hand_in(tmp_path, ann="four", ben="escape")
    tree(tmp_path / "in", {
        f"ann/{HW1} (1).ipynb": notebook(answer="seven77"), "ann/README.md": b"",
        "cara/essay.txt": b"", "dan": None, "eve.zip": b"damaged", "x.ipynb": b"{}",
        "finn/hw1.ipynb": b"oops",
        f"ann/{HW2}.ipynb": NOTEBOOK[HW2], "\x1b]0;title\x07/=1.txt": b"",
    })  # fmt: skip
    code, said, table = command()
    assert code == 0, said
    assert "11 files and empty folders seen: 3 graded, 8 noted" in said
    assert len(table) == 9
    assert [r["score"] for r in table if r["student"] == "finn"] == [""], "it could not be read"
    assert [r["score"] for r in table if r["student"] == "ann"] == ["7.0", "4.0"]
    assert "ann/README.md" in said and f"ann/{PLAIN}" in said, "what is not graded is named"
    for name in ("cara/essay.txt", "dan/", "eve.zip", "x.ipynb", "=1.txt"):
        assert name in said and any(name in r["file"] for r in table)
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f]", said)
    assert not re.search(r"[\x00-\x09\x0b-\x0c\x0e-\x1f]", str(table))


def test_a_failure_of_the_grader_is_no_score(command, tmp_path):
    hand_in(tmp_path, ann="a", ben="grader fails")
    code, said, table = command()
    assert code == 1 and "2 files and empty folders seen: 1 graded, 1 noted" in said
    assert {r["student"]: r["score"] for r in table} == {"ann": "1.0", "ben": ""}
    assert "The grader itself failed 1 times" in said and "the grader failed: full" in said


def test_options_reach_the_supervisor(command, tmp_path):
    hand_in(tmp_path, ann="a")
    command("--jobs", "3", "--seconds", "7", "--without-isolation", "--without-feedback")
    assert command.asked == [(["ann"], (3, False, False), {"seconds": 7})]


def test_a_stopped_batch_goes_on_and_changed_files_are_graded_again(command, tmp_path):
    hand_in(tmp_path, ann="a", ben="bb", cara="stopped here", dan="dddd")
    code, said, table = command()
    assert code == 130 and "goes on from it" in said
    assert [r["student"] for r in table] == ["ann", "ben"]
    hand_in(tmp_path, ben="changed", cara="ccc")
    code, said, table = command()
    assert code == 0 and "going on where the last batch stopped, with 1 rows" in said
    assert command.asked[-1][0] == ["ben", "cara", "dan"]
    assert [r["score"] for r in table] == ["1.0", "7.0", "3.0", "4.0"]
    assert "4 files and empty folders seen: 4 graded, 0 noted" in said
    assert command()[2] == table and command.asked[-1][0] == ["ann", "ben", "cara", "dan"]


def test_a_killed_batch_leaves_a_table_and_no_lock(command, tmp_path):
    hand_in(tmp_path, ann="a", ben="bb", cara="killed here", dan="dddd")
    code = """if True:
        import sys
        import grading.__main__
        from tests.homework.test_table import STAND_INS
        vars(grading.__main__).update(STAND_INS)
        grading.__main__.main(sys.argv[1:])"""
    run = [sys.executable, "-c", code, "--build", str(tmp_path / "build"), "grade"]
    done = subprocess.run([*run, str(tmp_path / "in")], cwd=ROOT, capture_output=True, timeout=60)
    assert done.returncode == -signal.SIGKILL
    assert [r["score"] for r in read(tmp_path / "build" / "grades.csv")] == ["1.0", "2.0"]
    hand_in(tmp_path, cara="ccc")
    assert [r["score"] for r in command()[2]] == ["1.0", "2.0", "3.0", "4.0"]
    assert command.asked[-1][0] == ["cara", "dan"]


def test_two_batches_at_once_are_refused(command, tmp_path, monkeypatch):
    hand_in(tmp_path, ann="a")

    def busy(path):
        raise Busy(f"another batch is grading into {path}")

    monkeypatch.setattr(grading.__main__, "Grades", busy)
    code, said, _ = command()
    assert code == 2 and "another batch is grading into" in said and not command.asked


def test_one_student_is_graded_again_and_the_others_keep_their_rows(command, tmp_path):
    hand_in(tmp_path, ann="a", ben="bb")
    command()
    hand_in(tmp_path, ann="aaaa", ben="changed, but not asked for")
    code, said, table = command("--only", "Ann")
    assert code == 0 and [r["score"] for r in table] == ["4.0", "2.0"]
    assert command.asked[-1][0] == ["ann"] and "1 files and empty folders seen: 1 graded" in said
    code, said, table = command("--only", "zoe")
    assert code == 2 and "nobody is called zoe; there are ann, ben" in said and len(table) == 2


def test_a_student_is_called_by_name_key_or_number(command, tmp_path):
    tree(tmp_path / "in", {f"Zoë Ö_77_assignsubmission_file_/{PLAIN}": NOTEBOOK[HW1]})
    key = command()[2][0]["key"]
    for name in ("zoë ö", key, "77"):
        assert command("--only", name)[0] == 0


def test_one_student_does_not_end_a_stopped_batch(command, tmp_path):
    hand_in(tmp_path, ann="a", ben="bb", cara="stopped here")
    command()
    command("--only", "ann")
    hand_in(tmp_path, cara="ccc")
    assert [r["score"] for r in command()[2]] == ["1.0", "2.0", "3.0"]
    assert command.asked[-1][0] == ["cara"]


def test_files_for_a_platform_are_written_and_the_others_listed(command, tmp_path):
    tree(tmp_path / "in", {f"Ann Lee_5_assignsubmission_file_/{PLAIN}": NOTEBOOK[HW1]})
    hand_in(tmp_path, ben="bb")
    code, said, _ = command("--for", "moodle")
    assert code == 0 and f"{HW1}-for-moodle.csv is for Moodle" in said
    assert f"so not in it: ben ({HW1})" in said
    assert read(tmp_path / "build" / f"{HW1}-for-moodle.csv")[0]["Identifier"] == "Participant 5"


def test_the_zip_of_a_platform_is_graded(command, tmp_path):
    path = tmp_path / "download.zip"
    path.write_bytes(zipped({f"leeann_1_2_{PLAIN}": NOTEBOOK[HW1], "daybob_3_4_a.txt": b""}))
    code, _, table = command(folder=path)
    assert code == 0
    assert {r["student"]: r["score"] for r in table} == {"leeann": "4.0", "daybob": ""}


@pytest.mark.parametrize(("folder", "sentence"), [("nowhere", "there is no"), ("", "is empty")])
def test_nothing_to_grade_is_told(command, tmp_path, folder, sentence):
    (tmp_path / "in").mkdir()
    code, said, _ = command(folder=tmp_path / "in" / folder)
    assert code == 2 and sentence in said


def test_without_a_cage_nothing_is_graded_unless_asked_for(command, tmp_path, monkeypatch):
    hand_in(tmp_path, ann="a")
    monkeypatch.setattr(grading.__main__, "why_none", lambda *_: "bwrap is missing")
    code, said, table = command()
    assert code == 2 and "bwrap is missing; --without-isolation" in said and not table
    assert command("--without-isolation")[0] == 0


def test_who_has_no_version_that_can_be_graded_keeps_no_points(command, tmp_path, monkeypatch):
    forgotten = []
    monkeypatch.setattr(Current, "forget", lambda self, *who: forgotten.append(who))
    spoilt = {f"ann/{PLAIN}": b"oops", f"ben/{HW1} (1).ipynb": b"oops"}
    tree(tmp_path / "in", {f"ben/{PLAIN}": NOTEBOOK[HW1], **spoilt})
    assert command()[0] == 0 and forgotten == [("ann", HW1)]


def test_what_was_unpacked_is_gone_afterwards(command, tmp_path):
    tree(tmp_path / "in", {"ann.zip": {PLAIN: NOTEBOOK[HW1]}})
    assert command()[0] == 0 and not (tmp_path / "build" / "unpacked").exists()
