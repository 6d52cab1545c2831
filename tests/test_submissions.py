"""What was handed in: trees as learning platforms make them, and as nobody would."""

import json
import os
import re
import stat
import struct
import tempfile
import time
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grading import reader, submissions
from grading.submissions import find, shown

ROOT = Path(__file__).parent.parent
HOMEWORK = ROOT / "notebooks" / "homework"
ASSIGNMENTS = {path.stem: path for path in sorted(HOMEWORK.glob("hw*.ipynb"))}
HW1, HW2, HW3 = ASSIGNMENTS
PLAIN = f"{HW1}.ipynb"


def notebook(name=HW1, answer="pass"):
    """A notebook that a student has worked on: answers, no hidden tests."""
    nb = json.loads(ASSIGNMENTS[name].read_text(encoding="utf-8"))
    for cell in nb["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("solution"):
            cell["source"] = answer
        cell.pop("outputs", None)
    return json.dumps(nb).encode()


def without_marks(name=HW1):
    nb = json.loads(notebook(name))
    for cell in nb["cells"]:
        cell["metadata"] = {}
    return json.dumps(nb).encode()


NOTEBOOK = {name: notebook(name) for name in ASSIGNMENTS}


def tree(folder, files):
    """Write files: {path: content}, where a dictionary is a zip and None an empty folder."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if content is None:
            path.mkdir()
        elif isinstance(content, dict):
            path.write_bytes(zipped(content))
        else:
            path.write_bytes(content)
    return folder


def zipped(files):
    with tempfile.TemporaryFile() as file:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in files.items():
                archive.writestr(name, zipped(content) if isinstance(content, dict) else content)
        file.seek(0)
        return file.read()


@pytest.fixture
def handed_in(tmp_path):
    """Write a tree, and say what is found in it."""

    def look(files=None):
        folder = tmp_path / "handed-in"
        folder.mkdir(exist_ok=True)
        tree(folder, files or {})
        return find(folder, ASSIGNMENTS, tmp_path / "unpacked")

    return look


def graded(found):
    return {(s.student, s.assignment): s.files[0] for s in found if s.path and not s.note}


def notes(found):
    return {s.student: s.note for s in found if s.note}


# --- the layouts ---------------------------------------------------------------------------------


def test_four_students_of_whom_three_vanished_have_rows(handed_in):
    found = handed_in({
        f"ann/{HW1} (1).ipynb": NOTEBOOK[HW1],
        f"ben/{HW1}-1.ipynb": NOTEBOOK[HW1],
        f"dolores_98765_{HW1}.ipynb": NOTEBOOK[HW1],
        f"cara/{PLAIN}": NOTEBOOK[HW1],
        "dan/answers.txt": b"I did it by hand.",
        "eve": None,
    })  # fmt: skip
    assert {s.student for s in found if s.path} == {"ann", "ben", "cara", "dolores"}
    assert notes(found) == {"dan": "there is no notebook here", "eve": "this folder is empty"}


def test_the_layout_of_nbgrader(handed_in):
    found = handed_in({
        f"ada/{HW1}/{PLAIN}": NOTEBOOK[HW1],
        f"ada/{HW1}/timestamp.txt": b"2026-11-02 10:15:00 UTC",
        f"ada/{HW2}/{HW2}.ipynb": NOTEBOOK[HW2],
        f"bob/{HW1}/{PLAIN}": NOTEBOOK[HW1],
        f"bob/{HW1}/.ipynb_checkpoints/{HW1}-checkpoint.ipynb": notebook(answer="older"),
    })  # fmt: skip
    assert set(graded(found)) == {("ada", HW1), ("ada", HW2), ("bob", HW1)}
    assert graded(found)["bob", HW1] == f"bob/{HW1}/{PLAIN}"
    assert sum(len(s.files) for s in found) == 5


@pytest.mark.parametrize("name", [
    "Ann Lee_12345_assignsubmission_file_/{}", "Ann Lee_12345_assignsubmission_file_{}",
    "Ann Lee_12345_assignsubmission_file/{}",
])  # fmt: skip
def test_moodle(handed_in, name):
    [ann] = handed_in({name.format("my homework.ipynb"): NOTEBOOK[HW2]})
    assert (ann.student, ann.assignment, ann.id) == ("Ann Lee", HW2, "moodle 12345")


def test_moodle_with_texts_and_two_students_of_one_name(handed_in):
    found = handed_in({
        f"Ann Lee_12345_assignsubmission_file_/{PLAIN}": NOTEBOOK[HW1],
        "Ann Lee_12345_assignsubmission_onlinetext_/onlinetext.html": b"<p>Hello",
        f"Ann Lee_777_assignsubmission_file_/{PLAIN}": NOTEBOOK[HW1],
        f"Participant_1_assignsubmission_file_/{PLAIN}": NOTEBOOK[HW1],
        f"Participant_2_assignsubmission_file_/{PLAIN}": NOTEBOOK[HW1],
    })  # fmt: skip
    assert {s.id for s in found} == {"moodle 12345", "moodle 777", "moodle 1", "moodle 2"}
    assert len({s.student for s in found}) == len({s.key for s in found}) == len(found) == 4
    assert sum(len(s.files) for s in found) == 5


def test_canvas_and_its_resubmissions(handed_in):
    found = handed_in({
        f"leeann_12345_67890_{PLAIN}": notebook(answer="first"),
        f"leeann_LATE_12345_67999_{HW1}-1.ipynb": notebook(answer="second"),
        f"leeann_LATE_12345_68000_{HW1}-2.ipynb": notebook(answer="third"),
        f"leeann_12345_67891_{HW2}.ipynb": NOTEBOOK[HW2],
        "daybob_22222_67892_photo.jpg": b"\xff\xd8",
    })  # fmt: skip
    [bob, ann, ann2] = found
    assert (ann.student, ann.id) == ("leeann", "canvas 12345")
    assert [name.split("_")[-1] for name in ann.files] == ["proof-2.ipynb", "proof-1.ipynb",
                                                           "proof.ipynb"]  # fmt: skip
    assert "late, as its name says" in ann.remark and ann2.remark == ""
    assert (bob.student, bob.note) == ("daybob", "there is no notebook here")


def test_gradescope_and_its_list_of_students(handed_in):
    listed = b"""submission_11111111:
  :submitters:
  - :name: Ann Lee
    :sid: '3031'
    :email: ann@example.org
  :created_at: 2026-11-02 10:15:00 Z
submission_22222222:
  :submitters:
  - :name: "Ben Day"
    :sid:
    :email: ben@example.org
  - :name: Cara Fox
    :email: cara@example.org
"""
    files = {
        "submission_11111111/solution.ipynb": NOTEBOOK[HW3],
        f"submission_22222222/{HW3}.ipynb": NOTEBOOK[HW3],
        f"submission_33333333/{HW3}.ipynb": NOTEBOOK[HW3],
    }
    assert {s.student for s in handed_in(files)} == {
        "submission_11111111", "submission_22222222", "submission_33333333"}  # fmt: skip
    found = handed_in({"submission_metadata.yml": listed})
    students = {s.student for s in found if s.path}
    assert students == {"Ann Lee", "Ben Day, Cara Fox", "submission_33333333"}
    assert sum(len(s.files) for s in found) == 4


def test_blackboard_has_the_time_in_the_name(handed_in):
    [ann] = handed_in({
        f"Homework 1_annlee_attempt_2026-11-02-10-15-00_{PLAIN}": notebook(answer="first"),
        f"Homework 1_annlee_attempt_2026-11-02-10-17-00_{PLAIN}": notebook(answer="second"),
        "Homework 1_annlee_attempt_2026-11-02-10-17-00.txt": b"Name: Ann Lee (annlee)",
    })  # fmt: skip
    assert ann.student == "annlee" and "10-17-00" in ann.files[0] and len(ann.files) == 3


@pytest.mark.parametrize(("name", "student"), [
    ("ann_{}.ipynb", "ann"), ("{} - Ann Lee.ipynb", "Ann Lee"), ("ann.ipynb", "ann"),
    ("{}_ann.ipynb", "ann"), ("ann-marie_hw1 (2).ipynb", "ann-marie"), ("hw1_ann.ipynb", "ann"),
    ("student (2).ipynb", "student (2)"), ("student-17.ipynb", "student-17"), ("ann.zip", "ann"),
])  # fmt: skip
def test_a_flat_file_names_its_student(handed_in, name, student):
    content = NOTEBOOK[HW1] if name.endswith(".ipynb") else {"a/b/my.ipynb": NOTEBOOK[HW1]}
    [found] = handed_in({name.format(HW1): content})
    assert (found.student, found.assignment, found.note) == (student, HW1, "")


def test_numbered_students_are_not_versions_of_one(handed_in):
    found = handed_in({f"student{k}.ipynb": NOTEBOOK[HW1] for k in (" (1)", " (2)", "-1", "-2")})
    assert len(graded(found)) == 4


@pytest.mark.parametrize("name", [PLAIN, f"{HW1} (1).ipynb", f"{HW1}-2.ipynb", "hw1_late.ipynb"])
def test_a_flat_file_of_nobody_is_noted(handed_in, name):
    [found] = handed_in({name: NOTEBOOK[HW1]})
    assert found.path is None and "does not say whose it is" in found.note


def test_a_folder_for_each_assignment_above_the_students(handed_in):
    found = handed_in({
        f"{HW1}/ann/a.ipynb": NOTEBOOK[HW1], "hw2/ann/a.ipynb": NOTEBOOK[HW2],
        f"{HW1}/ben.ipynb": NOTEBOOK[HW1], ".DS_Store": b"x",
    })  # fmt: skip
    assert set(graded(found)) == {("ann", HW1), ("ann", HW2), ("ben", HW1)}


def test_a_folder_for_each_download_above_the_students(handed_in):
    found = handed_in({
        f"week 1/Ann Lee_1_assignsubmission_file_/{PLAIN}": NOTEBOOK[HW1],
        f"week 1/Ben Day_2_assignsubmission_file_/{PLAIN}": NOTEBOOK[HW1],
        f"week 2/Ann Lee_7_assignsubmission_file_/{HW2}.ipynb": NOTEBOOK[HW2],
    })  # fmt: skip
    assert len(graded(found)) == 3 and {s.id for s in found} == {"moodle 1", "moodle 2", "moodle 7"}


@pytest.mark.parametrize("where", [
    "week3/{}/hw.ipynb", "class/{}_1_assignsubmission_file_/hw.ipynb",
])  # fmt: skip
def test_a_class_is_not_taken_for_one_student(handed_in, where):
    students = ["ann", "ben", "cara", "dan", "eve", "finn"]
    files = {where.format(name): notebook(answer=name) for name in students}
    found = handed_in(files | {"zoe/hw.ipynb": NOTEBOOK[HW1]})
    assert set(graded(found)) == {("zoe", HW1)}
    [noted] = [s for s in found if not s.path]
    assert "several students" in noted.note and len(noted.files) == 6


@pytest.mark.parametrize("top", ["", "assignment_7_export/"])
def test_the_zip_that_a_platform_made(tmp_path, top):
    path = tmp_path / "download.zip"
    path.write_bytes(zipped({
        f"{top}submission_1/{PLAIN}": NOTEBOOK[HW1],
        f"{top}submission_2/mine.zip": {"deep/x.ipynb": NOTEBOOK[HW1], "readme.txt": b""},
        f"{top}submission_metadata.yml": b"submission_1:\n  :submitters:\n  - :name: Ann Lee\n",
    }))  # fmt: skip
    found = find(path, ASSIGNMENTS, tmp_path / "unpacked")
    assert {s.student for s in found if s.path} == {"Ann Lee", "submission_2"}
    assert sum(len(s.files) for s in found) == 4


# --- which assignment ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_the_assignment_is_known_by_the_notebook_not_by_its_name(handed_in, name):
    [found] = handed_in({"ann/Untitled.ipynb": NOTEBOOK[name]})
    assert (found.assignment, found.note, found.remark) == (name, "", "")


def test_a_released_notebook_says_what_it_is(handed_in):
    """Even if its words were changed; but not if it has none of the questions."""
    nb = json.loads(NOTEBOOK[HW1]) | {"metadata": {"homework": {"assignment": HW3, "seed": 7}}}
    lesson = {"cells": [], "metadata": nb["metadata"]}
    odd = nb | {"metadata": {"homework": {"assignment": [HW3]}}}
    found = handed_in({f"{who}/x.ipynb": json.dumps(what).encode()
                       for who, what in (("ann", nb), ("ben", lesson), ("cara", odd))})  # fmt: skip
    assert set(graded(found)) == {("ann", HW3), ("cara", HW1)}


def test_a_misleading_name_is_told(handed_in):
    [found] = handed_in({f"ann/{HW1}.ipynb": NOTEBOOK[HW2]})
    assert found.assignment == HW2 and found.remark == f"by its name it is {HW1}"


def test_the_name_decides_with_a_remark_where_the_notebook_tells_nothing(handed_in):
    [found] = handed_in({f"ann/{HW1}.ipynb": without_marks()})
    assert found.assignment == HW1 and found.path and "by its name only" in found.remark


def test_another_notebook_is_none_of_the_assignments(handed_in):
    lesson = next(HOMEWORK.parent.glob("01*.ipynb")).read_bytes()
    found = handed_in({"ann/lesson.ipynb": lesson, f"ann/{PLAIN}": NOTEBOOK[HW1]})
    assert notes(found) == {"ann": "this notebook is none of the assignments"}
    assert set(graded(found)) == {("ann", HW1)}


def test_an_edited_notebook_is_known_by_what_is_left(handed_in):
    nb = json.loads(NOTEBOOK[HW3])
    nb["cells"] = [cell for k, cell in enumerate(nb["cells"]) if k % 2 or k > 12]
    [found] = handed_in({"ann/x.ipynb": json.dumps(nb).encode()})
    assert found.assignment == HW3


@pytest.mark.parametrize("content", [
    b"", b"This is my homework.", b"[1, 2", b'{"cells": 3}', b'{"cells": [3]}', b"[]", b"null",
    b'{"cells": [{"metadata": 1}]}', b'{"cells": [{"metadata": {}, "source": [1]}]}',
    b"[" * 100_000, b'{"a":' * 100_000, b"9" * 10_000, b"\xff\xfe\x00", b'{"cells": {"a": 1}}',
], ids=lambda b: b[:24])  # fmt: skip
def test_what_is_no_notebook_is_noted(handed_in, content):
    found = handed_in({f"ann/{PLAIN}": content, f"ben/{PLAIN}": NOTEBOOK[HW1]})
    assert notes(found) == {"ann": reader.NOT_A_NOTEBOOK}
    assert [s.assignment for s in found] == [HW1, HW1]


def test_a_file_that_is_too_large_is_noted_unread(handed_in):
    [found] = handed_in({f"ann/{PLAIN}": b" " * (95 * 2**20)})
    assert "the file has 95 MB, and 20 MB are allowed" in found.note


def test_a_file_that_fills_the_memory_is_noted_and_stops_nobody(handed_in):
    bomb = b"[" + b'{"":0},' * (reader.LARGEST // 7 - 1) + b"0]"
    found = handed_in({f"ann/{PLAIN}": bomb, f"ben/{PLAIN}": NOTEBOOK[HW1]})
    assert set(graded(found)) == {("ben", HW1)}
    assert notes(found) == {"ann": "reading it takes more memory than is allowed"}


def test_what_the_reader_does_not_survive_is_noted_and_stops_nobody(tmp_path, monkeypatch):
    """A reader that dies at one file, and waits for ever at another."""
    fragile = tmp_path / "reader.py"
    fragile.write_text(
        "import os, sys, signal, time\n"
        "print('ready', flush=True)\n"
        "for line in sys.stdin:\n"
        "    signal.alarm(1)\n"
        "    if 'dies' in line: os.abort()\n"
        "    if 'waits' in line: time.sleep(60)\n"
        "    print('{}', flush=True)\n"
    )
    monkeypatch.setattr(submissions, "READER", fragile)
    answers = submissions.ask([{"path": k} for k in ("a", "dies", "waits", "b")], {})
    assert ["more time or memory" in answer.get("note", "") for answer in answers] == [
        False, True, True, False]  # fmt: skip


def test_a_reader_that_does_not_start_is_the_graders_failure(monkeypatch):
    monkeypatch.setattr(submissions, "READER", "/nowhere")
    with pytest.raises(RuntimeError, match="does not start"):
        submissions.ask([{"path": "a"}], {})


# --- which version -------------------------------------------------------------------------------


@pytest.mark.parametrize(("newest", "older"), [
    ("hw1 (2).ipynb", ["hw1.ipynb", "hw1 (1).ipynb"]),
    ("hw1 (10).ipynb", ["hw1 (9).ipynb"]),
    ("hw1-2.ipynb", ["hw1-1.ipynb", "hw1.ipynb"]),
    ("attempt 2/hw1.ipynb", ["attempt 1/hw1 (3).ipynb"]),
    ("hw1_attempt_3.ipynb", ["hw1_attempt_2.ipynb", "hw1_2026-11-02.ipynb"]),
    ("hw1_2026-11-02-10-15-00.ipynb", ["hw1_2026-11-02-10-14-59.ipynb", "hw1.ipynb"]),
    ("hw1 2026-11-03.ipynb", ["hw1 2026-11-02T23.59.ipynb"]),
    ("20261103_hw1.ipynb", ["20261102_hw1.ipynb"]),
    ("hw1.ipynb", [".ipynb_checkpoints/hw1-checkpoint.ipynb", "__MACOSX/hw1 (2).ipynb"]),
])  # fmt: skip
def test_the_newest_version_is_graded_and_the_others_are_named(tmp_path, newest, older):
    for k, name in enumerate([newest, *older]):  # the newest has the oldest time
        path = tmp_path / "in" / "ann" / name
        tree(tmp_path / "in", {f"ann/{name}": notebook(answer=str(k))})
        os.utime(path, (1000 + k, 1000 + k))
    [found] = find(tmp_path / "in", ASSIGNMENTS, tmp_path / "unpacked")
    assert found.files[0] == f"ann/{newest}" and found.path.name == Path(newest).name
    assert sorted(found.others) == sorted(f"ann/{name}" for name in older)


def test_without_numbers_the_newest_file_is_graded(tmp_path):
    tree(tmp_path / "in", {f"ann/{k}.ipynb": notebook(answer=k) for k in "abc"})
    for k, when in zip("abc", (2000, 3000, 1000), strict=True):
        os.utime(tmp_path / "in" / "ann" / f"{k}.ipynb", (when, when))
    [found] = find(tmp_path / "in", ASSIGNMENTS, tmp_path / "unpacked")
    assert found.files == ["ann/b.ipynb", "ann/a.ipynb", "ann/c.ipynb"]
    for k in "abc":
        os.utime(tmp_path / "in" / "ann" / f"{k}.ipynb", (1000, 1000))
    [found] = find(tmp_path / "in", ASSIGNMENTS, tmp_path / "unpacked")
    assert "which version is the newest cannot be told" in found.remark


def test_a_newest_version_that_cannot_be_read_is_told(handed_in):
    [found] = handed_in({f"ann/{PLAIN}": NOTEBOOK[HW1], f"ann/{HW1} (1).ipynb": b"oops"})
    assert found.files[0] == f"ann/{PLAIN}" and found.path
    assert "(1).ipynb cannot be read: the file is not a Jupyter notebook" in found.remark


# --- zips ----------------------------------------------------------------------------------------


def test_zips_in_folders_and_zips_in_zips(handed_in):
    inner = {f"{HW1}/{PLAIN}": NOTEBOOK[HW1], f"{HW1}/checks/hw1.py": b"", f"{HW1}/README.md": b""}
    found = handed_in({"ann/hw1.zip": inner, "ben/all.zip": {"a.zip": inner, "hw2.txt": b""}})
    assert set(graded(found)) == {("ann", HW1), ("ben", HW1)}
    assert [len(s.files) for s in found] == [3, 4]
    assert f"ben/all.zip/a.zip/{HW1}/README.md" in found[1].files
    assert all(s.path.read_bytes() == NOTEBOOK[HW1] for s in found)


def test_nobody_hands_in_for_another(handed_in):
    found = handed_in({
        "ann/mine.zip": {f"Ben Day_2_assignsubmission_file_/{PLAIN}": NOTEBOOK[HW1]},
        "cara.zip": {"ben/hw1.ipynb": NOTEBOOK[HW1], f"leeann_12345_67890_{PLAIN}": b"x"},
        f"dan/Ben Day_2_assignsubmission_file_/{PLAIN}": NOTEBOOK[HW1],
        f"eve/{PLAIN}": NOTEBOOK[HW1],
    })  # fmt: skip
    assert {s.student for s in found} == {"ann", "cara", "dan", "eve"}


def raw_zip(name=b"x.ipynb", data=b"{}", **fields):
    """A zip of one stored member, made by hand, so that any field can lie."""
    f = {"flags": 0, "method": 0, "crc": None, "mode": 0, "size": len(data)} | fields
    crc = zipfile.crc32(data) if f["crc"] is None else f["crc"]
    middle = struct.pack("<HHHHHIIIHH", 20, f["flags"], f["method"], 0, 33, crc, len(data),
                         f["size"], len(name), 0)  # fmt: skip
    local = b"PK\3\4" + middle + name + data
    central = b"PK\1\2" + struct.pack("<H", 20 | 3 << 8) + middle
    central += struct.pack("<HHHII", 0, 0, 0, f["mode"] << 16, 0) + name
    end = b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, 1, 1, len(central), len(local), 0)
    return local + central + end


@pytest.mark.parametrize(("content", "note"), [
    (b"", "damaged"), (b"Rar!", "damaged"), (b"PK\5\6" + b"\0" * 18, "is empty"),
    (zipped({PLAIN: NOTEBOOK[HW1]})[:-40], "damaged"),
    (raw_zip(crc=1), "damaged"), (raw_zip(method=99), "damaged"),
    (raw_zip(flags=1), "encrypted"), (raw_zip(b"../../x.ipynb"), "leads out"),
    (raw_zip(b"/etc/x.ipynb"), "leads out"), (raw_zip(b"C:\\x.ipynb"), "leads out"),
    (raw_zip(b"a\\..\\..\\x.ipynb"), "leads out"),
    (raw_zip(data=b"/etc/passwd", mode=stat.S_IFLNK | 0o777), "is a link"),
    (raw_zip(data=b"", mode=stat.S_IFIFO | 0o777), "is a link"),
    (zipped({f"{k}.txt": b"" for k in range(2001)}), "more files"),
    (zipped({f"{k}.ipynb": b" " * (15 * 2**20) for k in range(6)}), "unpacks to more"),
    (zipped({"a.ipynb": b" " * (21 * 2**20)}), "20 MB are allowed"),
    (zipped({"a.zip": {"b.zip": {"c.zip": {PLAIN: NOTEBOOK[HW1]}}}}), "3 deep"),
    (zipped({f"{k}.zip": {"a.ipynb": b" " * (15 * 2**20)} for k in range(9)}), "unpacks to more"),
])  # fmt: skip
def test_an_archive_that_is_not_opened_is_noted(handed_in, tmp_path, content, note):
    before = time.monotonic()
    found = handed_in({"ann/hw1.zip": content, f"ben/{PLAIN}": NOTEBOOK[HW1]})
    assert any(note in s.note for s in found if s.student == "ann"), found
    assert set(graded(found)) - {("ann", HW1)} == {("ben", HW1)}
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert all("unpacked" in str(path) or "handed-in" in str(path) for path in written)
    assert sum(path.stat().st_size for path in (tmp_path / "unpacked").rglob("*")) < 200 * 2**20
    assert time.monotonic() - before < 20


def test_what_is_wrong_with_many_files_takes_few_rows(handed_in):
    many = {f"../{k}.ipynb": b"" for k in range(500)} | {f"{k}.ipynb": b"{}" for k in range(500)}
    many |= {f"{k}.zip": {"a.zip": b"broken"} for k in range(50)}
    found = handed_in({"ann/all.zip": many | {PLAIN: NOTEBOOK[HW1]}})
    assert len(found) <= 1 + submissions.MOST_ROWS and sum(len(s.files) for s in found) == 1051
    assert set(graded(found)) == {("ann", HW1)}


def test_a_zip_within_the_depth_is_opened(handed_in):
    [found] = handed_in({"ann/a.zip": {"b.zip": {"c.zip": {PLAIN: NOTEBOOK[HW1]}}}})
    assert found.path and found.files == [f"ann/a.zip/b.zip/c.zip/{PLAIN}"]


# --- odd files and names -------------------------------------------------------------------------


def test_links_pipes_and_other_files_are_noted(tmp_path):
    folder = tree(tmp_path / "in", {"ann/essay.pdf": b"%PDF", f"zoe/{PLAIN}": NOTEBOOK[HW1]})
    for name in ("ben", "cara", "dan", "eve"):
        (folder / name).mkdir()
    (folder / "ben" / PLAIN).symlink_to(folder / "zoe" / PLAIN)
    (folder / "cara" / PLAIN).symlink_to("/nowhere")
    os.mkfifo(folder / "dan" / PLAIN)
    (folder / "eve" / HW1).symlink_to(HOMEWORK)
    (folder / "finn").symlink_to(folder / "zoe")
    found = find(folder, ASSIGNMENTS, tmp_path / "unpacked")
    assert set(graded(found)) == {("zoe", HW1)}
    link = "this is a link and no ordinary file"
    assert notes(found) == dict.fromkeys(["ben", "cara", "eve", "finn"], link) | {
        "ann": "there is no notebook here", "dan": "this is no ordinary file"}  # fmt: skip


def test_an_unreadable_folder_and_file_are_noted(monkeypatch):
    """As a plain user, because root may read everything; the reader works in this process."""
    known = reader.frames(ASSIGNMENTS)
    assert reader.answer({"path": str(ASSIGNMENTS[HW2])}, known)["assignment"] == HW2
    here = lambda requests, _: [reader.answer(request, known) for request in requests]  # noqa: E731
    monkeypatch.setattr(submissions, "ask", here)
    with tempfile.TemporaryDirectory() as place:
        os.chmod(place, 0o777)
        folder = tree(Path(place) / "in", {
            "ann/secret/x.txt": b"", f"ben/{PLAIN}": NOTEBOOK[HW1], f"cara/{PLAIN}": NOTEBOOK[HW1],
        })  # fmt: skip
        (folder / "ann" / "secret").chmod(0)
        (folder / "ben" / PLAIN).chmod(0)
        root = os.geteuid() == 0
        try:
            if root:
                os.seteuid(65534)
            found = find(folder, ASSIGNMENTS, Path(place) / "unpacked")
        finally:
            if root:
                os.seteuid(0)
            (folder / "ann" / "secret").chmod(0o700)
    assert set(graded(found)) == {("cara", HW1)}
    assert notes(found) == {"ann": "this folder cannot be opened (Permission denied)",
                            "ben": "the file cannot be read (Permission denied)"}  # fmt: skip


ODD = ["=1+1", "\x1b[31mred\x07", "a\nb", "..hidden", "x" * 200, "Zoë Müller", "名前", "\u202eeve",
       "st[ar]*", "-rf", "two  spaces", "a'b\"c", "\udcff\udcfe", "$(id)", "ann ",
       "Ann"]  # fmt: skip


def test_names_are_shown_cleaned_and_keys_are_safe(tmp_path):
    folder = tmp_path / "in"
    for name in [*ODD, "ann"]:
        tree(folder, {f"{name}/{PLAIN}": NOTEBOOK[HW1]})
    found = find(folder, ASSIGNMENTS, tmp_path / "unpacked")
    assert len(graded(found)) == len(ODD) + 1 == len({s.key.casefold() for s in found})
    for s in found:
        assert s.student.isprintable() and len(s.student) <= 160
        assert re.fullmatch("[A-Za-z0-9 ._-]+", s.key)
        assert s.key == s.key.strip(" .-") and len(s.key) <= 80
    keys = {s.student: s.key for s in found}
    assert keys["two spaces"] != "two spaces" and "Zoe Muller-" in keys["Zoë Müller"]


def test_a_key_does_not_depend_on_who_else_hands_in(handed_in):
    [alone] = handed_in({f"Zoë/{PLAIN}": NOTEBOOK[HW1]})
    together = handed_in({f"{k}/{PLAIN}": NOTEBOOK[HW1] for k in ("ann", "Ben", "zoe")})
    assert alone.key in {s.key for s in together}


def test_nobody_takes_the_key_of_another(handed_in):
    [zoe] = handed_in({f"Zoë/{PLAIN}": NOTEBOOK[HW1]})
    found = handed_in({f"{zoe.key}/{PLAIN}": NOTEBOOK[HW1]})
    assert len({s.key for s in found}) == len({s.student for s in found}) == 2


def test_shown_is_one_clean_line_of_bounded_length():
    assert shown("a\x1b[2J\nb\u202ec\x00") == "a [2J b c" and len(shown("x" * 1000)) == 80
    assert shown("Zoë 名前 (1)") == "Zoë 名前 (1)"


# --- it adds up ----------------------------------------------------------------------------------

NAMES = st.sampled_from([
    "ann", "ben", "Ann Lee_12345_assignsubmission_file_", "submission_123", HW1, "hw2", ".hidden",
    "__MACOSX", "leeann_12345_67890_x", "week 1", "\x1b[0m", "=cmd",
])  # fmt: skip
FILES = st.sampled_from([
    PLAIN, f"{HW1} (1).ipynb", f"ben_{HW1}-1.ipynb", "x.ipynb", "hw2.ipynb", "a.txt", "hw1.zip",
    "ann.zip", f"leeann_LATE_12345_67890_{HW1}-1.ipynb", f"dolores_98765_{PLAIN}", "metadata.yml",
    "Ben Day_7_assignsubmission_file_hw1.ipynb", ".DS_Store",
])  # fmt: skip
CONTENTS = st.one_of(
    st.sampled_from([NOTEBOOK[HW1], NOTEBOOK[HW2], without_marks(), b"", b"{}"]),
    st.dictionaries(
        FILES.filter(lambda name: not name.endswith(".zip")),
        st.sampled_from([NOTEBOOK[HW1], b"no"]), max_size=3,
    ),
)  # fmt: skip
TREES = st.dictionaries(
    st.tuples(st.lists(NAMES, max_size=3), FILES).map(lambda t: "/".join([*t[0], t[1]])),
    CONTENTS, max_size=8,
)  # fmt: skip


@settings(max_examples=60)
@given(files=TREES, empty=st.lists(NAMES, max_size=2, unique=True))
def test_every_file_is_accounted_for_exactly_once(files, empty):
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "in"
        folder.mkdir()
        expected = []
        for name, content in files.items():
            is_zip = name.endswith(".zip")
            if isinstance(content, dict) and not is_zip:
                content = b"text"
            tree(folder, {name: content})
            inside = content if is_zip and isinstance(content, dict) else {}
            expected += [f"{name}/{k}" for k in inside] or [name]
        for name in empty:
            if not (folder / name).exists():
                (folder / name).mkdir()
                expected.append(name + "/")
        found = find(folder, ASSIGNMENTS, Path(place) / "unpacked")
        assert sorted(name for s in found for name in s.files) == sorted(expected)
        assert all((s.note or s.path) and s.files for s in found)
        rows = [(s.key, s.assignment) for s in found if s.path]
        assert len(rows) == len(set(rows))
        assert all(s.path.is_file() and s.hash and s.student for s in found if s.path)
