"""What was handed in: whose each file is, which assignment it answers, and which is the newest.

Every file below the folder is accounted for once: it is graded, or it is named in the row of what
is graded, or it has a row of its own with a note.  Learning platforms put students and attempts
into names; the assignment is read from the notebook itself.  All that students made, notebooks and
zips, is opened by another process, with limits (`reader`).

The name of a student is read outside of what students made, so nobody hands in for another.
"""

import hashlib
import os
import re
import shutil
import unicodedata
from collections import defaultdict
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from grading.limits import A_CLASS, A_ZIP
from grading.reader import ask
from grading.worker import one_line

NOBODY = "its name does not say whose it is; put it into a folder that is named after the student"
SEVERAL = "this seems to hold the work of several students; grade that folder by itself"
NONE = "this notebook is none of the assignments"


@dataclass
class Submission:
    """A row of the table: a notebook to grade, or a note that says why it cannot be."""

    student: str  # as shown
    key: str  # a name for folders
    files: list  # the names of all that this row accounts for; the graded one first
    assignment: str = ""
    path: Path | None = None
    hash: str = ""
    note: str = ""  # why it cannot be graded, or what else there is to say of it
    id: str = ""  # "moodle 12345": the student's number there

    @property
    def identity(self):
        """By this a row is known again when a batch goes on."""
        return self.key, self.assignment, self.hash

    def columns(self):
        """What the table says of it beside the points."""
        same = {k: getattr(self, k) for k in ("student", "key", "assignment", "id", "hash")}
        return same | {"file": listed(self.files[:1]), "others": listed(self.files[1:])}


def listed(names, most=10):
    more = [f"and {len(names) - most} more"] if len(names) > most else []
    return ", ".join([*map(one_line, names[:most]), *more])


def find(folder, assignments, unpacked, seed=None):
    """The submissions in a folder or in the zip of a platform.

    Parameters
    ----------
    assignments : the solved notebooks, by name
    unpacked : a folder for what is in zips, which is emptied first
    seed : that of the data on which the students work
    """
    folder, unpacked = Path(folder), Path(unpacked)
    shutil.rmtree(unpacked, ignore_errors=True)
    if folder.is_file():  # the download of a whole class
        endings = [".ipynb", ".zip", ".yml"]
        download = File((), folder, owner=Owner("class"))
        files = list(unzipped([download], unpacked, endings, A_CLASS))
    else:
        files = list(walk(folder))
    find_owners(files, assignments)
    zips = [file for file in files if file.ends(".zip")]
    files = [file for file in files if not file.ends(".zip")]
    files += unzipped(zips, unpacked / "zips", [".ipynb"], A_ZIP)
    look_into([file for file in files if file.ends(".ipynb")], assignments, unpacked)
    owners, found = defaultdict(list), []
    for file in files:
        owners[file.owner].append(file)
    for owner, theirs in owners.items():
        found += rows_of(owner, theirs, assignments, seed)
    name_apart(found)
    return sorted(found, key=lambda s: (s.student.casefold(), s.assignment, s.files))


# --- the files -----------------------------------------------------------------------------------


@dataclass(eq=False)
class File:
    """A file; or a folder with nothing in it that could be seen."""

    parts: tuple  # the names from the folder down to it; a zip is like a folder
    path: Path | None = None
    note: str = ""  # why it is not graded
    folder: bool = False
    trusted: int = 0  # so many of the parts were not named by a student's zip
    at: int = 0  # which of them names the student
    owner: "Owner | None" = None
    told: dict = field(default_factory=dict)  # what the reader says of a notebook

    @property
    def name(self):
        return "/".join(self.parts) + "/" * self.folder

    @property
    def below(self):
        """Its name from the student's down."""
        return "/".join(self.parts[self.at :])

    @property
    def hidden(self):
        """Is it a copy that a program made, in a folder like .ipynb_checkpoints?"""
        return any(re.match(r"\.[^.]|__MACOSX$", part) for part in self.parts)

    @property
    def work(self):
        """Is it what students hand in?"""
        return self.ends(".ipynb") or self.ends(".zip")

    def ends(self, suffix):
        return self.path is not None and self.path.suffix.lower() == suffix


def walk(folder):
    """Every file of a tree, and every folder with nothing in it.  Links are not followed."""
    waiting = [(folder, ())]
    while waiting:
        place, parts = waiting.pop()
        try:
            entries = sorted(os.scandir(place), key=lambda entry: entry.name)
        except OSError as error:
            note = f"this folder cannot be opened ({error.strerror})"
            yield File(parts or (".",), note=note, folder=True, trusted=len(parts) or 1)
            continue
        if not entries and parts:
            yield File(parts, folder=True, trusted=len(parts))
        for entry in entries:
            here = (*parts, entry.name)
            if entry.is_dir(follow_symlinks=False):
                waiting.append((entry.path, here))
            elif entry.is_file(follow_symlinks=False):
                yield File(here, Path(entry.path), trusted=len(here))
            else:
                kind = "a link and " if entry.is_symlink() else ""
                yield File(here, note=f"this is {kind}no ordinary file", trusted=len(here))


def unzipped(zips, target, endings, limits):
    """What is in zips, as far as it has those endings, or the zips with a note.  A zip with no
    name is a platform's, and so are the names in it."""
    requests = [[str(file.path), str(target / safe(file.owner) / str(number)), endings,
                 limits["entries"], limits["size"]]
                for number, file in enumerate(zips)]  # fmt: skip
    for file, answer in zip(zips, ask(requests, seconds=limits["seconds"]), strict=True):
        if "note" in answer:
            parts = file.parts or (file.path.name,)
            yield replace(file, parts=parts, path=None, note=answer["note"], trusted=len(parts))
        found = answer.get("found", ())
        slash = "/" if any("/" in name for name, *_ in found) else "\\"  # which some write instead
        for name, path, note in found:
            name = name[-500:] if file.parts else name  # a platform's begins with the student
            inside = tuple(filter(None, name.split(slash))) or ("?",)
            trusted = file.trusted or len(inside)
            path = path and Path(path)
            yield replace(file, parts=file.parts + inside, path=path, note=note, trusted=trusted)


def look_into(notebooks, assignments, unpacked):
    """Let the reader tell of notebooks; those out of zips that are none need no room any more."""
    answers = ask([str(file.path) for file in notebooks], assignments)
    for file, told in zip(notebooks, answers, strict=True):
        file.told, file.note = told, told.get("note", "")
        if file.note and file.path.is_relative_to(unpacked):
            file.path.unlink(missing_ok=True)


# --- whose it is ---------------------------------------------------------------------------------

# What platforms put before a student's file or folder; the first that fits holds.
PLATFORMS = {
    "moodle": r"(?P<name>.+?)_(?P<number>\d+)_assignsubmission_[a-z]+(_.*)?",
    "canvas": r"(?P<name>[^_]+)(_LATE)?_(?P<number>\d+)_\d+_.*",
    "gradescope": r"(?P<name>submission_(?P<number>\d+))(\.zip)?",
}
NUMBERED = r"(?P<name>[^_]+)_(?P<number>\d+)_.+"  # a flat file with the student's number
LISTED = r"(submission_)?metadata\.ya?ml"  # Gradescope's list of students


class Owner(NamedTuple):
    """A student as a name tells it."""

    name: str
    number: str = ""
    platform: str = ""


def of_platform(entry):
    """The owner that a platform has put into the name of a folder or file, or None."""
    for platform, pattern in PLATFORMS.items():
        if match := re.fullmatch(pattern, entry, re.S | re.I):
            return Owner(match["name"], match["number"], platform)
    return None


def owner_of(entry, is_file, assignments):
    """Whose a folder or file is that lies where students' work lies."""
    if len(re.findall(r"_\d+_assignsubmission_", entry, re.I)) > 1:  # a name made to look so
        return Owner("")
    if owner := of_platform(entry):
        return owner
    if is_file and (match := re.fullmatch(NUMBERED, entry, re.S)):
        return Owner(match["name"], match["number"])
    return Owner(named(Path(entry).stem, assignments) if is_file else entry)


def named(stem, assignments):
    """The student in the name of a file: what stands before the assignment's name, or after it.

    Without an assignment's name it is the whole: "student (2)" is not a version of "student"."""
    name = rf"(?<![^\W_])(?:{'|'.join(map(re.escape, both_names(assignments)))})(?![^\W_])"
    if match := re.fullmatch(rf"(.+?)[\W_]+{name}.*", stem, re.S | re.I):
        return match[1]
    if match := re.fullmatch(rf"{name}(.*)", stem, re.S | re.I):
        rest = re.sub(r"(?i)\(\d+\)|\d+|copy|late|attempt|final", "", match[1]).strip(" _-.()")
        return match[1].strip(" _-.") if rest else ""
    return stem


def both_names(assignments):
    """hw1_algorithm_and_proof, and hw1; the longer ones first."""
    return sorted({*assignments, *(name.split("_")[0] for name in assignments)}, key=len)[::-1]


def find_owners(files, assignments):
    """Tell of each file whose it is."""
    level = 2 if wrapped(files, assignments) else 1
    listed = {}
    for file in files:
        file.at = min(level, file.trusted) - 1
        if file.path and file.trusted <= level and re.fullmatch(LISTED, file.parts[-1]):
            listed |= gradescope(file.path)
    for file in files:
        entry = file.parts[file.at]
        is_file = file.trusted == file.at + 1 and not file.folder  # a zip, if there is more below
        owner = owner_of(entry, is_file, assignments)
        file.owner = listed.get(owner.name, owner) if owner.name else Owner("", file.name)


def wrapped(files, assignments):
    """Is there a folder for each assignment, or each download, above those of the students?

    What lies in a student's folder, or beside students' files, is named by students: it tells
    nothing.  Nor does what is neither folder, notebook nor zip."""
    below = defaultdict(set)
    for file in files:
        stray = len(file.parts) == 2 and not (file.work or file.note or file.folder)
        if file.trusted > 1 and not file.hidden and not stray:
            below[file.parts[0].lower()].add(file.parts[1])
    names = {name.lower() for name in both_names(assignments)}
    flat = any(file.work and file.trusted == 1 for file in files)
    return (
        bool(below)
        and not any(of_platform(file.parts[0]) for file in files)
        and all(
            top in names or (not flat and all(map(of_platform, children)))
            for top, children in below.items()
        )
    )


def gradescope(path):
    """The students in Gradescope's list of submissions, by the folder of the submission."""
    found, entry = {}, None
    with open(path, encoding="utf-8", errors="replace") as file:
        lines = file.read(10 * 2**20).splitlines()
    for line in lines:
        if match := re.match(r"submission_\d+", line):
            entry, found[match[0]] = match[0], {"name": [], "sid": [], "email": []}
        elif entry and (match := re.match(r"[\s-]*:(name|sid|email):\s*(\S.*)", line)):
            found[entry][match[1]].append(match[2].strip().strip("'\""))
    return {
        entry: Owner(", ".join(who["name"]), ", ".join(who["sid"] or who["email"]), "gradescope")
        for entry, who in found.items()
        if who["name"]
    }


# --- which of them is graded ---------------------------------------------------------------------

DATE = re.compile(
    r"(20\d\d)[-_.]?([01]\d)[-_.]?([0-3]\d)(?:[-_.T ]*([0-2]\d)[-_.:]?([0-5]\d)[-_.:]?([0-5]\d)?)?"
)
ATTEMPT = re.compile(
    r"\((\d{1,3})\)|attempt[-_ ]?(\d{1,3})(?!\d)|-(\d{1,2})(?=\.ipynb|\.zip|/|$)", re.I
)


def rank(file):
    """The order of versions: by the attempt, else by the time in the name, else the file's; one
    that is as it was handed out is older than any other."""
    when = ["".join(filter(None, match)).ljust(14, "0") for match in DATE.findall(file.below)]
    attempt = [int("".join(match)) for match in ATTEMPT.findall(DATE.sub("", file.below))]
    worked_on = not file.hidden, not file.told.get("blank")
    return worked_on, attempt, max(when, default=""), file.told.get("time", 0)


def by_name(file, assignments):
    """The assignment that the names of the file and its folders tell."""
    for part in reversed(file.parts[file.at :]):
        text = re.sub(r"[\W_]+", "_", part.lower())
        for name in both_names(assignments):
            if re.search(rf"(?<![^\W_]){re.escape(name.lower())}(?![^\W_])", text):
                return next(full for full in assignments if name in (full, full.split("_")[0]))
    return ""


def rows_of(owner, files, assignments, seed):
    """What becomes of the files of one student: versions, what has a note, and the rest."""
    versions, noted, rest = defaultdict(list), defaultdict(list), []
    wrong = SEVERAL if several(files) else "" if owner.name else NOBODY
    for file in sorted(files, key=lambda file: (rank(file), file.name), reverse=True):
        name = by_name(file, assignments)
        if wrong and (file.told or wrong == SEVERAL):
            noted[wrong, ""].append(file)
        elif file.note and not file.hidden:
            noted[file.note, name].append(file)
        elif file.told and not file.note and (file.told["assignment"] or name):
            versions[file.told["assignment"] or name].append(file)
        elif file.told and not file.hidden:
            noted[NONE, ""].append(file)
        else:
            rest.append(file)

    def row(theirs, **more):
        key, number = safe(owner), f"{owner.platform} {owner.number}".strip()
        student = one_line(owner.name) or (owner.name and key)
        return Submission(student, key, [x.name for x in theirs], id=number, **more)

    rows = []
    for name, (newest, *older) in versions.items():
        note = "; ".join(remarks(newest, older, by_name(newest, assignments), seed))
        new = row([newest, *older], assignment=name, path=newest.path, note=note)
        new.hash = newest.told["hash"]
        rows.append(new)
    rows += [row(theirs, note=note, assignment=name) for (note, name), theirs in noted.items()]
    if not rows:
        empty = all(file.folder for file in rest)
        none = "there is no notebook here: no name ends in .ipynb"
        rows = [row([], note="this folder is empty" if empty else none)]
    rows[0].files += [file.name for file in rest]
    return rows


def remarks(chosen, older, name, seed):
    """What a lecturer should know of the choice."""
    told = chosen.told
    if not told["assignment"]:
        yield "known by its name only, not by its words"
    elif name not in ("", told["assignment"]):
        yield f"by its name it is {name}"
    if told["seed"] not in ("", str(seed)):
        yield f"made for the seed {one_line(told['seed'])}, and graded by {seed}"
    if re.search(r"(?i)_late(?![^\W_])", chosen.below):
        yield "late, as its name says"
    if any(rank(x) == rank(chosen) and x.told["hash"] != told["hash"] for x in older):
        yield "which version is the newest cannot be told"
    alike = [x.told for x in older if rank(x)[0] == rank(chosen)[0]]
    if any(x["time"] > told["time"] + 60 and x["hash"] != told["hash"] for x in alike):
        yield "by the times of the files another version is newer"


def several(files):
    """Does what one name stands for hold the work of several students?"""
    answers = [file for file in files if file.told.get("assignment") and not file.hidden]
    below = {file.parts[file.at + 1] for file in answers if len(file.parts) > file.at + 1}
    plain = [name for name in below if not re.search(r"(?i)\d|attempt|version", name)]
    named = of_platform(files[0].parts[files[0].at])
    return len(set(map(of_platform, below)) - {None}) > 1 or (not named and len(plain) > 4)


# --- names ---------------------------------------------------------------------------------------


def safe(owner):
    """A name for folders that is no other's, not even where capitals count for nothing: plain
    letters, digits, spaces, dots, dashes; and a mark made of all that is known of the student,
    unless that is a plain name alone, and none that Windows keeps for devices."""
    text = " ".join(filter(None, [owner.name, owner.number]))
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    kept = re.sub(r"[^A-Za-z0-9 ._-]+", "_", plain)[:60].strip(" ._-") or "student"
    odd = re.search(r"-[0-9a-f]{16}$|^(con|prn|aux|nul|com\d|lpt\d)(\.|$)", kept)
    if owner == Owner(kept.lower()) and not odd:
        return kept
    mark = hashlib.sha256(repr(tuple(owner)).encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return f"{kept}-{mark}"


def name_apart(found):
    """Students whose names look alike are shown with their keys."""
    keys = defaultdict(set)
    for s in found:
        keys[s.student].add(s.key)
    for s in found:
        if s.student and len(keys[s.student]) > 1:
            s.student = f"{s.student} ({s.key})"
