"""What was handed in: whose each file is, which assignment it answers, and which is the newest.

Every file below the folder is accounted for once: it is graded, or it is named in the row of what
is graded, or it has a row of its own with a note.  Learning platforms put students and attempts
into names; the assignment is read from the notebook itself.  All that students made, notebooks and
zips, is opened by another process, with limits (`reader`).

The name of a student is read outside of what students made, so nobody hands in for another.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unicodedata
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

READER = Path(__file__).with_name("reader.py")
OF_A_STUDENT = {"entries": 2_000, "size": 50 * 2**20, "times": 20, "nested": True}
OF_A_CLASS = {"entries": 100_000, "size": 20 * 2**30, "times": 1, "nested": False, "seconds": 1800}
MOST_ROWS = 5  # for what one student handed in and cannot be graded
EMPTY = "this folder is empty"
SEVERAL = (
    "this seems to hold the work of several students; grade it by itself: make grade SUBMISSIONS="
)
NOBODY = "its name does not say whose it is; put it into a folder that is named after the student"


@dataclass
class Submission:
    """A row of the table: a notebook to grade, or a note that says why it cannot be.

    With a note *and* a path the student is to be told: that file is what is wrong."""

    student: str  # as shown
    key: str  # a name for folders
    assignment: str = ""
    path: Path | None = None
    note: str = ""  # why it cannot be graded
    remark: str = ""  # what else there is to say of it
    files: list = field(default_factory=list)  # what this row accounts for; the graded one first
    id: str = ""  # "moodle 12345" or "canvas 12345": the student's number there
    hash: str = ""

    @property
    def others(self):
        return self.files[1:]

    @property
    def identity(self):
        """By this a row is known again when a batch goes on."""
        return self.key, self.assignment, self.hash

    def columns(self):
        """What the table says of it beside the points."""
        same = {k: getattr(self, k) for k in ("student", "key", "assignment", "id", "hash")}
        return same | {"file": listed(self.files[:1]), "others": listed(self.others)}


def shown(text, longest=80):
    """A text for the terminal and tables: no control characters, no reversals, not too long."""
    kept = "".join(" " if unicodedata.category(c)[0] in "CZ" else c for c in str(text))
    kept = " ".join(kept.split())
    return kept if len(kept) <= longest else kept[: longest - 1] + "…"


def listed(files, most=10):
    more = [f"and {len(files) - most} more"] if len(files) > most else []
    return ", ".join([*map(shown, files[:most]), *more])


def find(folder, assignments, unpacked=None):
    """The submissions in a folder or in the zip of a platform.

    Parameters
    ----------
    assignments : the solved notebooks, by name
    unpacked : a folder for what is in zips, which is emptied first
    """
    unpacked = Path(unpacked or tempfile.mkdtemp(prefix="handed-in-"))
    shutil.rmtree(unpacked, ignore_errors=True)
    unpacked.mkdir(parents=True)
    leaves = opened(list(walk(Path(folder))), unpacked)
    verdicts = looked_at(leaves, assignments)
    found = []
    for owner, theirs in by_owner(leaves, assignments).items():
        found += rows_of(owner, theirs, verdicts, assignments)
    name_apart(found)
    return sorted(found, key=lambda s: (s.student.casefold(), s.assignment, s.files))


# --- the files -----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Leaf:
    """A file; or a folder with nothing in it that could be seen."""

    parts: tuple  # the names from the folder down to it; a zip is like a folder
    path: Path | None
    time: float = 0
    note: str = ""
    trusted: int = 0  # how many of the parts were not named by a student's zip
    folder: bool = False

    @property
    def name(self):
        return "/".join(self.parts)

    def ends(self, suffix):
        return self.path is not None and self.path.suffix.lower() == suffix

    @property
    def hidden(self):
        """Is it a copy that a program made, in a folder like .ipynb_checkpoints?"""
        return any(part.startswith(".") or part == "__MACOSX" for part in self.parts)


def walk(folder):
    """Every leaf of a tree.  Links are not followed."""
    if folder.is_file():
        yield Leaf((folder.name,), folder)
        return
    waiting = [(str(folder), ())]
    while waiting:
        place, parts = waiting.pop()
        try:
            with os.scandir(place) as entries:
                entries = sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            note = f"this folder cannot be opened ({error.strerror})"
            yield Leaf(parts or (".",), None, 0, note, len(parts), folder=True)
            continue
        if not entries and parts:
            yield Leaf(parts, None, 0, EMPTY, len(parts), folder=True)
        for entry in entries:
            here = (*parts, entry.name)
            if entry.is_dir(follow_symlinks=False):
                waiting.append((entry.path, here))
            elif entry.is_file(follow_symlinks=False):
                try:
                    time = entry.stat(follow_symlinks=False).st_mtime
                except OSError:
                    time = 0  # the reader will say what is wrong
                yield Leaf(here, Path(entry.path), time, "", len(here))
            else:
                kind = "a link and " if entry.is_symlink() else ""
                yield Leaf(here, None, 0, f"this is {kind}no ordinary file", len(here))


def opened(leaves, unpacked):
    """The leaves with zips replaced by what is in them, or noted.  One that was given by itself
    is the download of a whole class: the names in it are the platform's."""
    if len(leaves) == 1 and leaves[0].trusted == 0 and leaves[0].ends(".zip"):
        leaves = list(unzipped(leaves, unpacked / "class", OF_A_CLASS))
    zips = [leaf for leaf in leaves if leaf.ends(".zip")]
    rest = [leaf for leaf in leaves if not leaf.ends(".zip")]
    return rest + list(unzipped(zips, unpacked / "zips", OF_A_STUDENT))


def unzipped(zips, target, limits):
    requests = [{"path": str(leaf.path), "target": str(target / str(number)), **limits}
                for number, leaf in enumerate(zips)]  # fmt: skip
    for leaf, answer in zip(zips, ask(requests, {}), strict=True):
        if "found" not in answer:
            yield Leaf(leaf.parts, None, leaf.time, answer["note"], leaf.trusted)
        for name, path, time, note in answer.get("found", ()):
            inside = tuple(filter(None, re.split(r"[/\\]+", name[-500:]))) or ("?",)
            parts = leaf.parts + inside if leaf.trusted else inside
            yield Leaf(parts, path and Path(path), time, note, leaf.trusted or len(inside))


def looked_at(leaves, assignments):
    """What the reader says of each notebook."""
    notebooks = [leaf for leaf in leaves if leaf.ends(".ipynb")]
    requests = [{"path": str(leaf.path)} for leaf in notebooks]
    return dict(zip(notebooks, ask(requests, assignments), strict=True))


def ask(requests, assignments):
    """The reader's answer to each request; one that it does not survive gets a note."""
    known = json.dumps({name: str(path) for name, path in assignments.items()})
    answers = []
    while len(answers) < len(requests):
        lines = "".join(json.dumps(request) + "\n" for request in requests[len(answers) :])
        command = [sys.executable, "-I", "-S", str(READER), known]
        done = subprocess.run(command, input=lines.encode(), stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, start_new_session=True)  # fmt: skip
        ready, *said = done.stdout.split(b"\n")[:-1] or [b""]
        if ready != b"ready":
            raise RuntimeError("the process that reads notebooks does not start")
        answers += map(json.loads, said)
        if len(answers) < len(requests):
            answers.append({"note": "reading it takes more time or memory than is allowed"})
    return answers


# --- whose it is ---------------------------------------------------------------------------------

MOODLE = re.compile(r"(?P<name>.+?)_(?P<moodle>\d+)_assignsubmission_[a-z]+(_.*)?", re.S)
BLACKBOARD = re.compile(r".+?_(?P<name>[^_]+)_attempt_\d{4}(-\d\d){5}.*", re.S)
CANVAS = re.compile(r"(?P<name>[^_]+)(_LATE)?_(?P<canvas>\d+)_\d+_.+", re.S | re.I)
GRADESCOPE = re.compile(r"submission_(?P<number>\d+)(\.zip)?")
NUMBERED = re.compile(r"(?P<name>[^_]+)_(?P<number>\d+)_.+", re.S)
LISTED = re.compile(r"(submission_)?metadata\.ya?ml")


@dataclass(frozen=True)
class Owner:
    """A student as a name tells it; two are the same if name and number are."""

    name: str
    number: str = ""
    id: str = ""  # for the platform's table of grades


def platform(name):
    """What a platform has put into the name of a folder or file, or None."""
    for pattern in (MOODLE, BLACKBOARD, CANVAS, GRADESCOPE):
        if match := pattern.fullmatch(name):
            return match.groupdict()
    return None


def owner_of(entry, is_file, assignments, submitters):
    """Whose a folder or file is that lies where students' work lies."""
    told = platform(entry) or (is_file and (m := NUMBERED.fullmatch(entry)) and m.groupdict())
    if told:
        kind = next((kind for kind in ("moodle", "canvas") if told.get(kind)), "")
        number = told.get(kind) or told.get("number") or ""
        if "name" not in told:
            return submitters.get(number) or Owner(entry, number)
        return Owner(told["name"], number, f"{kind} {number}" if kind else "")
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


def by_owner(leaves, assignments):
    """The leaves of each student."""
    level = 1 + wrapped(leaves, assignments)
    submitters = {}
    for leaf in leaves:
        if leaf.path and LISTED.fullmatch(leaf.parts[-1]) and len(leaf.parts) <= level:
            submitters |= gradescope(leaf.path)
    owners = defaultdict(list)
    for leaf in leaves:
        at = min(level, len(leaf.parts)) - 1
        is_file = leaf.trusted <= at + 1 and not leaf.folder  # a zip, if there is more below it
        owner = owner_of(leaf.parts[at], is_file, assignments, submitters)
        owners[owner if owner.name else Owner("", leaf.name)].append((leaf, at))
    return owners


def wrapped(leaves, assignments):
    """Is there a folder for each assignment, or each download, above those of the students?"""
    below = defaultdict(set)
    for leaf in leaves:
        if leaf.trusted > 1:
            below[leaf.parts[0]] |= set(leaf.parts[1:2])
    names = {name.lower() for name in both_names(assignments)}
    return bool(below) and all(
        top.lower() in names or all(platform(k) or LISTED.fullmatch(k) for k in children)
        for top, children in below.items()
        if children
    )


def gradescope(path):
    """The students in Gradescope's list of submissions, by the number of the submission."""
    found, number = {}, None
    with open(path, encoding="utf-8", errors="replace") as file:
        lines = file.read(10 * 2**20).splitlines()
    for line in lines:
        if match := re.match(r"submission_(\d+)", line):
            number, found[match[1]] = match[1], {"name": [], "sid": [], "email": []}
        elif number and (match := re.match(r"[\s-]*:(name|sid|email):\s*(\S.*)", line)):
            found[number][match[1]].append(match[2].strip().strip("'\""))
    return {
        number: Owner(", ".join(who["name"]), ", ".join(who["sid"] or who["email"]) or number)
        for number, who in found.items()
        if who["name"]
    }


# --- which of them is graded ---------------------------------------------------------------------

DATE = re.compile(
    r"(20\d\d)[-_.]?([01]\d)[-_.]?([0-3]\d)(?:[-_.T ]*([0-2]\d)[-_.:]?([0-5]\d)[-_.:]?([0-5]\d)?)?"
)


def rank(leaf, at):
    """The order of versions: by the attempt, else by the time in the name, else the file's."""
    text = "/".join(leaf.parts[at:])
    when = ["".join(filter(None, match)).ljust(14, "0") for match in DATE.findall(text)]
    numbers = re.findall(
        r"(?i)\((\d{1,3})\)|attempt[-_ ]?(\d{1,3})(?!\d)|-(\d{1,2})(?=\.ipynb|\.zip|/|$)",
        DATE.sub("", text),
    )
    attempt = [int("".join(match)) for match in numbers]
    return not leaf.hidden, attempt, max(when, default=""), leaf.time


def by_name(leaf, at, assignments):
    """The assignment that the names of the file and its folders tell."""
    for part in reversed(leaf.parts[at:]):
        text = re.sub(r"[\W_]+", "_", part.lower())
        for name in both_names(assignments):
            if re.search(rf"(?<![^\W_]){re.escape(name.lower())}(?![^\W_])", text):
                return next(full for full in assignments if name in (full, full.split("_")[0]))
    return ""


def rows_of(owner, theirs, verdicts, assignments):
    """What becomes of the files of one student."""
    key, at = safe(owner), dict(theirs)

    def row(leaves, **more):
        files = [leaf.name + "/" * leaf.folder for leaf in leaves]
        student = shown(owner.name) or (owner.name and key)
        return Submission(student, key, files=files, id=owner.id, **more)

    if several(theirs, verdicts):
        note = SEVERAL + shown(theirs[0][0].parts[0])
        return [row(sorted(at, key=lambda leaf: leaf.name), note=note)]
    versions, noted, extras = sort_out(at, verdicts, assignments)
    rows = []
    for name, leaves in versions.items():
        leaves.sort(key=lambda leaf: (*rank(leaf, at[leaf]), leaf.name), reverse=True)
        chosen = next((leaf for leaf in leaves if "note" not in verdicts[leaf]), leaves[0])
        leaves.remove(chosen)
        note, mark = (verdicts[chosen].get(k, "") for k in ("note", "hash"))
        new = row([chosen, *leaves], assignment=name, note=note, hash=mark)
        new.remark = remarks(chosen, leaves, at, verdicts, by_name(chosen, at[chosen], assignments))
        if owner.name:
            new.path = chosen.path
        else:
            new.note = note or NOBODY
        rows.append(new)
    for number, ((note, name), leaves) in enumerate(noted.items()):
        if number < MOST_ROWS:
            rows.append(row(leaves, note=note, assignment=name))
        else:
            rows[-1].files += row(leaves).files
    if rows:
        rows[0].files += row(extras).files
        return rows
    empty = all(leaf.note == EMPTY for leaf in extras)
    return [row(extras, note=EMPTY if empty else "there is no notebook here")]


def sort_out(at, verdicts, assignments):
    """A student's files: the versions of each assignment; what has a note, by it; the rest."""
    versions, noted, extras = defaultdict(list), defaultdict(list), []
    for leaf in at:
        says, name = verdicts.get(leaf, {}), by_name(leaf, at[leaf], assignments)
        if leaf.note and leaf.note != EMPTY:
            noted[leaf.note, name].append(leaf)
        elif says and (says.get("assignment") or name):
            versions[says.get("assignment") or name].append(leaf)
        elif says and not leaf.hidden:
            noted[says.get("note", "this notebook is none of the assignments"), ""].append(leaf)
        else:
            extras.append(leaf)
    return versions, noted, extras


def remarks(chosen, older, at, verdicts, name):
    """What a lecturer should know of the choice."""
    says, order = verdicts[chosen], rank(chosen, at[chosen])
    told = []
    if "note" not in says and not says["assignment"]:
        told.append("known by its name only, not by its questions")
    elif name and name != says.get("assignment", name):
        told.append(f"by its name it is {name}")
    if re.search(r"(?i)_late(?![^\W_])", "/".join(chosen.parts[at[chosen] :])):
        told.append("late, as its name says")
    unsure = False
    for leaf in older:
        if "note" in verdicts[leaf]:
            told.append(f"{shown(leaf.parts[-1])} cannot be read: {verdicts[leaf]['note']}")
        elif rank(leaf, at[leaf]) == order and verdicts[leaf]["hash"] != says.get("hash"):
            unsure = True
    if unsure:
        told.append("which version is the newest cannot be told")
    return "; ".join(told)


def several(theirs, verdicts):
    """Does what one name stands for hold the work of several students?"""
    answers = [(x, at) for x, at in theirs if verdicts.get(x, {}).get("assignment")]
    below = {x.parts[at + 1] for x, at in answers if len(x.parts) > at + 1 and not x.hidden
             and not platform(x.parts[at])}  # fmt: skip
    people = {Owner(who.get("name"), who.get("moodle") or who.get("canvas") or who.get("number"))
              for who in map(platform, below) if who}  # fmt: skip
    plain = [k for k in below if not re.search(r"(?i)\d|attempt|version", k)]
    return len(people) > 1 or len(plain) > 4


# --- names ---------------------------------------------------------------------------------------


def safe(owner):
    """A name for folders: letters, digits, spaces, dots, dashes; with a mark if that changed it."""
    text = " ".join(filter(None, [owner.name, owner.number]))
    ascii_only = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    kept = re.sub(r"[^A-Za-z0-9 ._-]+", "_", ascii_only)[:60].strip(" ._-")
    return kept if kept == text else f"{kept or 'student'}-{digest(text)}"


def digest(text):
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]


def name_apart(found):
    """No two students have one key, not even where capitals count for nothing, or look alike."""
    keys, names = defaultdict(set), defaultdict(set)
    for s in found:
        keys[s.key.casefold()].add((s.key, s.student))
    for s in found:
        if len(keys[s.key.casefold()]) > 1:
            s.key = f"{s.key}-{digest(s.key + '/' + s.student)}"
        names[s.student].add(s.key)
    taken = set(names)
    for s in found:
        if s.student and len(names[s.student]) > 1:
            s.student = f"{s.student} ({s.key})"
            if s.student in taken:  # somebody is called that
                s.student += f" {digest(s.key)}"
