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

from grading import reader
from grading.limits import LARGEST
from grading.submissions import NOBODY, NONE, SEVERAL, find
from grading.worker import one_line

ROOT = Path(__file__).parent.parent.parent
HOMEWORK = ROOT / "notebooks" / "homework"
ASSIGNMENTS = {path.stem: path for path in sorted(HOMEWORK.glob("hw*.ipynb"))}
HW1, HW2, HW3 = ASSIGNMENTS
PLAIN = f"{HW1}.ipynb"


def notebook(name=HW1, answer="pass", **homework):
    """A notebook that a student has worked on: answers, no hidden tests."""
    nb = json.loads(ASSIGNMENTS[name].read_text(encoding="utf-8"))
    for cell in nb["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("solution"):
            cell["source"] = answer
        cell.pop("outputs", None)
    nb["metadata"]["homework"] = homework
    return json.dumps(nb).encode()


def without_words():
    """What tells nothing of the assignment but its name."""
    nb = json.loads(notebook())
    nb["cells"] = [cell for cell in nb["cells"] if cell["cell_type"] == "code"]
    return json.dumps(nb).encode()


def half(name):
    """A notebook of which half is lost."""
    nb = json.loads(notebook(name))
    nb["cells"] = [cell for k, cell in enumerate(nb["cells"]) if k % 2 or k > 12]
    return json.dumps(nb).encode()


NOTEBOOK = {name: notebook(name) for name in ASSIGNMENTS}
N1, N2, N3 = NOTEBOOK.values()
FIRST, SECOND, THIRD = (notebook(answer=text) for text in ("first", "second", "third"))
LESSON = next(HOMEWORK.parent.glob("01*.ipynb")).read_bytes()


def tree(folder, files):
    """Write files: {path: content}, where a dictionary is a zip and None an empty folder."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if content is None:
            path.mkdir()
        else:
            path.write_bytes(zipped(content) if isinstance(content, dict) else content)
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

    def look(files, **more):
        folder = tmp_path / "handed-in"
        folder.mkdir(exist_ok=True)
        return find(tree(folder, files), ASSIGNMENTS, tmp_path / "unpacked", **more)

    return look


def graded(found):
    """What is graded: {"student hw1": file}."""
    return {f"{s.student} {s.assignment[:3]}": s.files[0] for s in found if s.path}


def notes(found):
    return {s.student: s.note for s in found if s.note}


# --- trees ---------------------------------------------------------------------------------------

GRADESCOPE = b"""submission_11111111:
  :submitters:
  - :name: Ann Lee
    :sid: '3031'
    :email: ann@example.org
  :created_at: 2026-11-02 10:15:00 Z
submission_22222222:
  :submitters:
  - :name: "Ben Day"
    :sid:
  - :name: Cara Fox
    :email: cara@example.org
"""
MOODLE = "{}_assignsubmission_file_"
CLASS = ["ann", "ben", "cara", "dan", "eve", "finn"]

# Of each tree: the files, what is graded, and whose note says what.
TREES = {
    "names that once made three students vanish": (
        {f"ann/{HW1} (1).ipynb": N1, f"ben/{HW1}-1.ipynb": N1, f"dolores_98765_{PLAIN}": N1,
         f"cara/{PLAIN}": N1, "dan/answers.txt": b"by hand", "eve": None},
        {"ann hw1": f"ann/{HW1} (1).ipynb", "ben hw1": f"ben/{HW1}-1.ipynb",
         "cara hw1": f"cara/{PLAIN}", "dolores hw1": f"dolores_98765_{PLAIN}"},
        {"dan": "there is no notebook here", "eve": "this folder is empty"},
    ),
    "nbgrader's": (
        {f"ada/{HW1}/{PLAIN}": N1, f"ada/{HW1}/timestamp.txt": b"2026-11-02 10:15:00 UTC",
         f"ada/{HW2}/{HW2}.ipynb": N2, f"bob/{HW1}/{PLAIN}": N1,
         f"bob/{HW1}/.ipynb_checkpoints/{HW1}-checkpoint.ipynb": SECOND},
        {"ada hw1": f"ada/{HW1}/{PLAIN}", "ada hw2": f"ada/{HW2}/{HW2}.ipynb",
         "bob hw1": f"bob/{HW1}/{PLAIN}"},
        {},
    ),
    "Moodle's, in folders and flat": (
        {MOODLE.format("Ann Lee_1") + "/my homework.ipynb": N2,
         MOODLE.format("Ben Day_2") + "my homework.ipynb": N2,
         "Ann Lee_1_assignsubmission_onlinetext_/onlinetext.html": b"<p>Hello"},
        {"Ann Lee hw2": MOODLE.format("Ann Lee_1") + "/my homework.ipynb",
         "Ben Day hw2": MOODLE.format("Ben Day_2") + "my homework.ipynb"},
        {},
    ),
    "Canvas's, with versions": (
        {f"leeann_12345_67890_{PLAIN}": FIRST, f"leeann_LATE_12345_67999_{HW1}-1.ipynb": SECOND,
         f"leeann_LATE_12345_68000_{HW1}-2.ipynb": THIRD, f"leeann_12345_67891_{HW2}.ipynb": N2,
         "daybob_22222_67892_photo.jpg": b""},
        {"leeann hw1": f"leeann_LATE_12345_68000_{HW1}-2.ipynb",
         "leeann hw2": f"leeann_12345_67891_{HW2}.ipynb"},
        {"leeann": "late, as its name says", "daybob": "there is no notebook here"},
    ),
    "Gradescope's, without its list": (
        {"submission_11111111/solution.ipynb": N3}, {"submission_11111111 hw3":
         "submission_11111111/solution.ipynb"}, {},
    ),
    "Gradescope's, with its list": (
        {"submission_11111111/solution.ipynb": N3, "submission_22222222/x.ipynb": N3,
         "submission_33333333/x.ipynb": N3, "submission_metadata.yml": GRADESCOPE},
        {"Ann Lee hw3": "submission_11111111/solution.ipynb",
         "Ben Day, Cara Fox hw3": "submission_22222222/x.ipynb",
         "submission_33333333 hw3": "submission_33333333/x.ipynb"},
        {"submission_metadata": "there is no notebook here"},
    ),
    "a folder for each assignment": (
        {f"{HW1}/ann/a.ipynb": N1, "hw2/ann/a.ipynb": N2, f"{HW1}/ben.ipynb": N1},
        {"ann hw1": f"{HW1}/ann/a.ipynb", "ann hw2": "hw2/ann/a.ipynb",
         "ben hw1": f"{HW1}/ben.ipynb"},
        {},
    ),
    "a folder for each download": (
        {f"week 1/{MOODLE.format('Ann Lee_1')}/a.ipynb": N1,
         f"week 2/{MOODLE.format('Ben Day_2')}/b.ipynb": N2},
        {"Ann Lee hw1": f"week 1/{MOODLE.format('Ann Lee_1')}/a.ipynb",
         "Ben Day hw2": f"week 2/{MOODLE.format('Ben Day_2')}/b.ipynb"},
        {},
    ),
    "a class beside a student": (
        {f"week3/{name}/hw.ipynb": notebook(answer=name) for name in CLASS} | {"zoe/x.ipynb": N1},
        {"zoe hw1": "zoe/x.ipynb"}, {"week3": SEVERAL},
    ),
    "a class of Moodle's beside a student": (
        {f"class/{MOODLE.format(name + '_1')}/hw.ipynb": notebook(answer=name) for name in CLASS}
        | {"zoe/x.ipynb": N1},
        {"zoe hw1": "zoe/x.ipynb"}, {"class": SEVERAL},
    ),
    "nobody hands in for another": (
        {"ann/mine.zip": {MOODLE.format("Ben_2") + f"/{PLAIN}": N1},
         "cara.zip": {"ben/hw1.ipynb": N1}, f"dan/{MOODLE.format('Ben_2')}/{PLAIN}": N1},
        {"ann hw1": f"ann/mine.zip/{MOODLE.format('Ben_2')}/{PLAIN}",
         "cara hw1": "cara.zip/ben/hw1.ipynb", "dan hw1": f"dan/{MOODLE.format('Ben_2')}/{PLAIN}"},
        {},
    ),
    "nor by what is in a student's own folder, alone": (
        {f"{MOODLE.format('Mallory_9')}/{MOODLE.format('Ben_2')}hw1.ipynb": N1},
        {"Mallory hw1": f"{MOODLE.format('Mallory_9')}/{MOODLE.format('Ben_2')}hw1.ipynb"}, {},
    ),
    "nor by a folder beside files": (
        {MOODLE.format("Ben_2") + "hw1.ipynb": N1,
         f"mallory/{MOODLE.format('Ben_2')}hw1 (9).ipynb": SECOND},
        {"Ben hw1": MOODLE.format("Ben_2") + "hw1.ipynb",
         "mallory hw1": f"mallory/{MOODLE.format('Ben_2')}hw1 (9).ipynb"}, {},
    ),
    "nor by a folder beside files of plain names": (
        {"ben.ipynb": N1, f"mallory/{MOODLE.format('Ben_2')}hw1.ipynb": N1},
        {"ben hw1": "ben.ipynb", "mallory hw1": f"mallory/{MOODLE.format('Ben_2')}hw1.ipynb"}, {},
    ),
    "nor by a name that begins like another's": (
        {MOODLE.format("Ben_2") + "/hw1.ipynb": N1,
         MOODLE.format(MOODLE.format("Ben_2") + " Mallory_9") + "/hw1 (9).ipynb": SECOND},
        {"Ben hw1": MOODLE.format("Ben_2") + "/hw1.ipynb"}, {"": NOBODY},
    ),
    "what programs leave beside the folders of a class": (
        {f"week 1/{MOODLE.format(f'{name}_{k}')}/a.ipynb": N1 for k, name in enumerate(CLASS)}
        | {"week 1/.DS_Store": b"", "week 1/grades.csv": b"", "__MACOSX/week 1/._a.ipynb": b""},
        {f"{name} hw1": f"week 1/{MOODLE.format(f'{name}_{k}')}/a.ipynb"
         for k, name in enumerate(CLASS)},
        {".DS_Store": "no notebook", "grades": "no notebook", "week 1": "no notebook"},
    ),
    "zips": (
        {"ann/hw1.zip": {f"{HW1}/{PLAIN}": N1, f"{HW1}/checks/hw1.py": b""},
         "ben/all.zip": {"a.zip": {PLAIN: N1}, "hw2.txt": b""}},
        {"ann hw1": f"ann/hw1.zip/{HW1}/{PLAIN}"},
        {"ben": "an archive in an archive is not opened; hand in the notebook"},
    ),
    "students with numbers are not versions of one": (
        {f"student{k}.ipynb": N1 for k in (" (1)", " (2)", "-1", "-2")},
        {f"student{k} hw1": f"student{k}.ipynb" for k in (" (1)", " (2)", "-1", "-2")}, {},
    ),
    "a misleading name": (
        {f"ann/{PLAIN}": N2}, {"ann hw2": f"ann/{PLAIN}"}, {"ann": f"by its name it is {HW1}"},
    ),
    "half of a notebook": ({"ann/x.ipynb": half(HW3)}, {"ann hw3": "ann/x.ipynb"}, {}),
    "a notebook that says what it is": (
        {"ann/x.ipynb": notebook(HW1, assignment=HW3)}, {"ann hw3": "ann/x.ipynb"}, {},
    ),
    "a notebook that says nonsense": (
        {"ann/x.ipynb": notebook(HW1, assignment=[HW3], seed={"a": [1]})},
        {"ann hw1": "ann/x.ipynb"}, {"ann": "made for the seed {'a': [1]}"},
    ),
    "a notebook without words": (
        {f"ann/{PLAIN}": without_words()}, {"ann hw1": f"ann/{PLAIN}"},
        {"ann": "known by its name only"},
    ),
    "another notebook": (
        {"ann/lesson.ipynb": LESSON, f"ann/{PLAIN}": N1}, {"ann hw1": f"ann/{PLAIN}"},
        {"ann": NONE},
    ),
    "a newest version that cannot be read": (
        {f"ann/{PLAIN}": N1, f"ann/{HW1} (1).ipynb": b"oops"}, {"ann hw1": f"ann/{PLAIN}"},
        {"ann": reader.NOT_A_NOTEBOOK},
    ),
}  # fmt: skip


def files_in(files):
    """The names of a tree's files, with those in zips."""
    for name, content in files.items():
        inside = content if isinstance(content, dict) else {}
        yield from [f"{name}/{k}" for k in inside] or [name + "/" * (content is None)]


@pytest.mark.parametrize("what", TREES)
def test_every_file_of_a_tree_is_graded_or_named(handed_in, what):
    files, expected, told = TREES[what]
    found = handed_in(files)
    assert graded(found) == expected
    assert notes(found).keys() == told.keys()
    assert all(told[who] in note for who, note in notes(found).items())
    assert sorted(name for s in found for name in s.files) == sorted(files_in(files))


@pytest.mark.parametrize(("name", "student"), [
    ("ann_{}.ipynb", "ann"), ("{} - Ann Lee.ipynb", "Ann Lee"), ("ann.ipynb", "ann"),
    ("{}_ann.ipynb", "ann"), ("ann-marie_hw1 (2).ipynb", "ann-marie"), ("hw1_ann.ipynb", "ann"),
    ("student (2).ipynb", "student (2)"), ("student-17.ipynb", "student-17"), ("ann.zip", "ann"),
    ("{}.ipynb", ""), ("{} (1).ipynb", ""), ("{}-2.ipynb", ""), ("hw1_late.ipynb", ""),
])  # fmt: skip
def test_a_flat_file_names_its_student_or_nobody(handed_in, name, student):
    [found] = handed_in({name.format(HW1): {"a/b.ipynb": N1} if name == "ann.zip" else N1})
    assert (found.student, found.note) == (student, "" if student else NOBODY)
    assert bool(found.path) == bool(student)


def test_numbers_of_platforms_are_kept_and_students_of_one_name_kept_apart(handed_in):
    names = ["Ann Lee_12345", "Ann Lee_777", "Participant_1", "Participant_2"]
    found = handed_in({f"{MOODLE.format(name)}/x.ipynb": N1 for name in names})
    assert {s.id for s in found} == {f"moodle {name.split('_')[1]}" for name in names}
    assert len({s.student for s in found}) == len({s.key for s in found}) == 4


@pytest.mark.parametrize("top", ["", "assignment_7_export/"])
def test_the_zip_that_a_platform_made(tmp_path, top):
    path = tmp_path / "download.zip"
    path.write_bytes(zipped({
        f"{top}submission_11111111/{PLAIN}": N1,
        f"{top}submission_2/mine.zip": {"deep/x.ipynb": N1, "readme.txt": b""},
        f"{top}submission_metadata.yml": GRADESCOPE,
    }))  # fmt: skip
    found = find(path, ASSIGNMENTS, tmp_path / "unpacked")
    assert {s.student for s in found if s.path} == {"Ann Lee", "submission_2"}
    assert sum(len(s.files) for s in found) == 4


@pytest.mark.parametrize("others", [{}, {"ben_2_12_hw1.ipynb": N1}, {"x/y.txt": b""}])
def test_a_backslash_in_a_zip_of_files_makes_no_student(tmp_path, others):
    path = tmp_path / "download.zip"
    path.write_bytes(zipped({"mallory_3_13_a\\ben_2_99_hw1 (9).ipynb": SECOND, **others}))
    found = find(path, ASSIGNMENTS, tmp_path / "unpacked")
    assert {s.student for s in found if s.path} == {"mallory", *(k[:3] for k in others if "_" in k)}


def test_a_class_zip_with_backslashes_for_slashes(tmp_path):
    path = tmp_path / "download.zip"
    path.write_bytes(zipped({"ann\\hw1.ipynb": N1, "ben\\hw1.ipynb": N1}))
    assert graded(find(path, ASSIGNMENTS, tmp_path / "unpacked")).keys() == {"ann hw1", "ben hw1"}


def test_a_file_that_is_no_zip_is_no_class(tmp_path):
    path = tmp_path / "download.zip"
    path.write_bytes(b"Rar!")
    [found] = find(path, ASSIGNMENTS, tmp_path / "unpacked")
    assert found.note == "this archive is damaged" and found.files == ["download.zip"]


@pytest.mark.parametrize(("made", "course", "remark"), [
    (7, 7, ""), (None, None, ""), (7, None, "made for the seed 7, and graded by None"),
    (None, 7, "made for the seed None, and graded by 7"), (8, 7, "made for the seed 8"),
])  # fmt: skip
def test_another_seed_than_the_courses_is_told(handed_in, made, course, remark):
    [found] = handed_in({"ann/x.ipynb": notebook(assignment=HW1, seed=made)}, seed=course)
    assert found.path and found.note.startswith(remark) and bool(found.note) == bool(remark)


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
    assert sorted(found.files[1:]) == sorted(f"ann/{name}" for name in older)


@pytest.mark.parametrize("times", [(2000, 3000, 1000), (1000, 1000, 1000)])
def test_without_numbers_the_newest_file_is_graded(tmp_path, times):
    tree(tmp_path / "in", {f"ann/{k}.ipynb": notebook(answer=k) for k in "abc"})
    for k, when in zip("abc", times, strict=True):
        os.utime(tmp_path / "in" / "ann" / f"{k}.ipynb", (when, when))
    [found] = find(tmp_path / "in", ASSIGNMENTS, tmp_path / "unpacked")
    if len(set(times)) > 1:
        assert found.files == ["ann/b.ipynb", "ann/a.ipynb", "ann/c.ipynb"] and not found.note
    else:
        assert "which version is the newest cannot be told" in found.note


def test_what_was_handed_out_is_not_preferred_to_an_answer(tmp_path):
    stub = "order = None\n# YOUR CODE HERE\nraise NotImplementedError()"
    files = {"hw1.ipynb": FIRST, "hw1 (1).ipynb": notebook(answer=stub)}
    tree(tmp_path / "in" / "ann", files)
    tree(tmp_path / "in" / "ben", files | {"hw1 (2).ipynb": SECOND})
    os.utime(tmp_path / "in" / "ben" / "hw1 (2).ipynb", (1000, 1000))
    tree(tmp_path / "in" / "cara", {"hw1.ipynb": files["hw1 (1).ipynb"]})
    found = find(tmp_path / "in", ASSIGNMENTS, tmp_path / "unpacked")
    assert [s.files[0] for s in found] == ["ann/hw1.ipynb", "ben/hw1 (2).ipynb", "cara/hw1.ipynb"]
    assert notes(found) == {"ben": "by the times of the files another version is newer"}


# --- what cannot be read -------------------------------------------------------------------------


@pytest.mark.parametrize("content", [
    b"", b"This is my homework.", b"[1, 2", b'{"cells": 3}', b'{"cells": [3]}', b"[]", b"null",
    b'{"cells": [{"metadata": 1}]}', b'{"cells": [{"cell_type": "markdown", "source": [1]}]}',
    b"[" * 100_000, b'{"a":' * 100_000, b"9" * 10_000, b"\xff\xfe\x00", b'{"cells": {"a": 1}}',
    b'{"cells": [{"cell_type": "code", "metadata": {"solution": true}}]}',
    b'{"cells": [], "metadata": {"homework": 3}}', b'{"cells": [], "metadata": []}',
], ids=lambda b: b[:24])  # fmt: skip
def test_what_is_no_notebook_is_noted(handed_in, content):
    found = handed_in({f"ann/{PLAIN}": content, f"ben/{PLAIN}": N1})
    assert notes(found) == {"ann": reader.NOT_A_NOTEBOOK}
    assert [s.assignment for s in found] == [HW1, HW1] and graded(found).keys() == {"ben hw1"}


@pytest.mark.parametrize(("content", "note"), [
    (b" " * (95 * 2**20), "the file has 95 MB, and 20 MB are allowed"),
    (b"[" + b'{"":0},' * (LARGEST // 7 - 1) + b"0]", "takes more memory than is allowed"),
], ids=["a large file", "a file that fills the memory"])  # fmt: skip
def test_a_file_that_is_too_much_stops_nobody(handed_in, content, note):
    found = handed_in({f"ann/{PLAIN}": content, f"ben/{PLAIN}": N1})
    assert graded(found).keys() == {"ben hw1"} and note in notes(found)["ann"]


FRAGILE = """
import os, sys, signal, time
print("ready", flush=True)
for line in sys.stdin:
    signal.alarm(1)
    if "dies" in line: os.abort()
    if "waits" in line: time.sleep(60)
    print("{}", flush=True)
"""


def test_what_the_reader_does_not_survive_is_noted_and_stops_nobody(monkeypatch):
    """A reader that dies at one file, and waits for ever at another."""
    monkeypatch.setattr(reader, "COMMAND", [reader.sys.executable, "-c", FRAGILE])
    answers = reader.ask(["a", "dies", "waits", "b"])
    told = ["more time or memory" in answer.get("note", "") for answer in answers]
    assert told == [False, True, True, False]
    monkeypatch.setattr(reader, "COMMAND", ["false"])
    with pytest.raises(OSError, match="does not start"):  # that is no fault of a file
        reader.ask(["a"])


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
    (b"", "damaged"), (b"Rar!", "damaged"), (b"PK\5\6" + b"\0" * 18, "no files in it"),
    (zipped({PLAIN: N1})[:-40], "damaged"),
    (raw_zip(crc=1), "damaged"), (raw_zip(method=99), "damaged"),
    (raw_zip(flags=1), "encrypted"), (raw_zip(b"../../x.ipynb"), "leads out"),
    (raw_zip(b"/etc/x.ipynb"), "leads out"), (raw_zip(b"C:\\x.ipynb"), "leads out"),
    (raw_zip(b"a\\..\\..\\x.ipynb"), "leads out"),
    (raw_zip(data=b"/etc/passwd", mode=stat.S_IFLNK | 0o777), "is a link"),
    (raw_zip(data=b"", mode=stat.S_IFIFO | 0o777), "is a link"),
    (zipped({f"{k}.txt": b"" for k in range(2001)}), "2001 files"),
    (zipped({f"{k}.ipynb": b" " * (15 * 2**20) for k in range(8)}), "unpacks to too much"),
    (zipped({"a.ipynb": b" " * (21 * 2**20)}), "20 MB are allowed"),
    (zipped({"a.zip": {"b.zip": {PLAIN: N1}}}), "an archive in an archive"),
])  # fmt: skip
def test_an_archive_that_is_not_opened_is_noted(handed_in, tmp_path, content, note):
    before = time.monotonic()
    found = handed_in({"ann/hw1.zip": content, f"ben/{PLAIN}": N1})
    assert any(note in s.note for s in found if s.student == "ann"), found
    assert graded(found).keys() == {"ben hw1"}
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert all("unpacked" in str(path) or "handed-in" in str(path) for path in written)
    assert sum(path.stat().st_size for path in (tmp_path / "unpacked").rglob("*")) < 200 * 2**20
    assert time.monotonic() - before < 20


def test_the_zips_of_a_student_have_one_limit_and_what_is_refused_takes_no_room(
    handed_in, tmp_path
):
    one = {f"{k}.ipynb": b" " * (15 * 2**20) for k in range(4)}
    found = handed_in({"ann/a.zip": one, "ann/b.zip": one, "ben/a.zip": one | {PLAIN: N1}})
    assert [s.files for s in found if "unpacks to too much" in s.note] == [["ann/b.zip"]]
    assert graded(found).keys() == {"ben hw1"}
    left = [path for path in (tmp_path / "unpacked").rglob("*") if path.is_file()]
    assert [path.stat().st_size for path in left] == [len(N1)]


def test_what_is_wrong_with_many_files_takes_few_rows(handed_in):
    many = {f"../{k}.ipynb": b"" for k in range(500)} | {f"{k}.ipynb": b"{}" for k in range(500)}
    many |= {f"{k}.zip": {"a.zip": b"broken"} for k in range(50)}
    found = handed_in({"ann/all.zip": many | {PLAIN: N1}})
    assert len(found) <= 4 and sum(len(s.files) for s in found) == 1051
    assert graded(found).keys() == {"ann hw1"}


def test_links_pipes_and_other_files_are_noted(tmp_path):
    folder = tree(tmp_path / "in", {"ann/essay.pdf": b"%PDF", f"zoe/{PLAIN}": N1})
    for name in ("ben", "cara", "dan", "eve"):
        (folder / name).mkdir()
    (folder / "ben" / PLAIN).symlink_to(folder / "zoe" / PLAIN)
    (folder / "cara" / PLAIN).symlink_to("/nowhere")
    os.mkfifo(folder / "dan" / PLAIN)
    (folder / "eve" / HW1).symlink_to(HOMEWORK)
    (folder / "finn").symlink_to(folder / "zoe")
    found = find(folder, ASSIGNMENTS, tmp_path / "unpacked")
    assert graded(found).keys() == {"zoe hw1"}
    link = "this is a link and no ordinary file"
    assert notes(found) == dict.fromkeys(["ben", "cara", "eve", "finn"], link) | {
        "ann": "there is no notebook here: no name ends in .ipynb",
        "dan": "this is no ordinary file"}  # fmt: skip


def test_an_unreadable_folder_and_file_are_noted(monkeypatch):
    """As a plain user, because root may read everything; the reader works in this process."""
    frames = {name: reader.words(json.loads(NOTEBOOK[name])) for name in ASSIGNMENTS}
    assert reader.answer(str(ASSIGNMENTS[HW2]), frames)["assignment"] == HW2
    here = lambda requests, *_, **__: [reader.answer(request, frames) for request in requests]  # noqa: E731
    monkeypatch.setattr("grading.submissions.ask", here)
    with tempfile.TemporaryDirectory() as place:
        os.chmod(place, 0o777)
        folder = tree(Path(place) / "in", {
            "ann/secret/x.txt": b"", f"ben/{PLAIN}": N1, f"cara/{PLAIN}": N1, "dan/x.ipynb": N1,
        })  # fmt: skip
        (folder / "ann" / "secret").chmod(0)
        (folder / "dan").chmod(0o744)  # it can be listed, but not entered
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
    assert graded(found).keys() == {"cara hw1"}, notes(found)
    assert notes(found) == {"ann": "this folder cannot be opened (Permission denied)",
                            "ben": "the file cannot be read (Permission denied)",
                            "dan": "the file cannot be read (Permission denied)"}  # fmt: skip


# --- odd names -----------------------------------------------------------------------------------

ODD = ["=1+1", "\x1b[31mred\x07", "a\nb", "..hidden", "x" * 200, "Zoë Müller", "名前", "\u202eeve",
       "st[ar]*", "-rf", "two  spaces", "a'b\"c", "\udcff\udcfe", "$(id)", "ann ",
       "Ann", "ann"]  # fmt: skip


def test_names_are_shown_cleaned_and_keys_are_safe(tmp_path):
    for name in ODD:
        tree(tmp_path / "in", {f"{name}/{PLAIN}": N1})
    found = find(tmp_path / "in", ASSIGNMENTS, tmp_path / "unpacked")
    assert len(graded(found)) == len(ODD) == len({s.key.casefold() for s in found})
    for s in found:
        assert s.student.isprintable() and len(s.student) <= 160
        assert re.fullmatch("[A-Za-z0-9 ._-]+", s.key)
        assert s.key == s.key.strip(" .-") and len(s.key) <= 80
    keys = {s.student: s.key for s in found}
    assert keys["two spaces"] != "two spaces" and "Zoe Muller-" in keys["Zoë Müller"]


def test_a_key_depends_on_nobody_else_and_nobody_takes_anothers(handed_in):
    [zoe] = handed_in({f"Zoë/{PLAIN}": N1})
    found = handed_in({f"{k}/{PLAIN}": N1 for k in ("ann", "Ben", "zoe", zoe.key)})
    assert zoe.key in {s.key for s in found} and len({s.key.casefold() for s in found}) == 5


def test_a_number_and_names_of_devices_make_no_key_that_is_anothers(handed_in):
    names = [f"ada 1/{PLAIN}", "ada_1_hw1.ipynb", "ada_1_2_hw1.ipynb", f"nul/{PLAIN}",
             MOODLE.format("ada_1") + "hw1.ipynb"]  # fmt: skip
    found = handed_in(dict.fromkeys(names, N1))
    assert len({s.key for s in found if s.path}) == len(names)
    assert {s.key for s in found} & {"ada 1", "nul"} == {"ada 1"}


def test_one_line_is_clean_and_of_bounded_length():
    assert one_line("a\x1b[2J\nb\u202ec\x00") == "a b\ufffdc\ufffd"
    assert len(one_line("x" * 1000)) == 80 and one_line("Zoë 名前 (1)") == "Zoë 名前 (1)"


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
    st.sampled_from([N1, N2, without_words(), b"", b"{}"]),
    st.dictionaries(
        FILES.filter(lambda name: not name.endswith(".zip")),
        st.sampled_from([N1, b"no"]), max_size=3,
    ),
)  # fmt: skip
ANY_TREE = st.dictionaries(
    st.tuples(st.lists(NAMES, max_size=3), FILES).map(lambda t: "/".join([*t[0], t[1]])),
    CONTENTS, max_size=8,
)  # fmt: skip


@settings(max_examples=60)
@given(files=ANY_TREE, empty=st.lists(NAMES, max_size=2, unique=True))
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
