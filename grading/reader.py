"""The small process that opens what students made: notebooks and zips, under limits.

It reads requests, a line of JSON each, and answers each with a line: of a notebook, which
assignment it belongs to; of a zip, what is in it.  Whatever a file does to it (fill the memory,
take for ever, crash it) ends this process and not the batch.  It needs Python alone:

    python -I -S reader.py '{"assignment": "solved notebook", …}'
"""

import contextlib
import ctypes
import gc
import hashlib
import itertools
import json
import os
import re
import resource
import shutil
import signal
import stat
import sys
import time
import zipfile

LARGEST = 20 * 2**20  # bytes of a notebook that is handed in
SECONDS = 30  # for one file
MEMORY = 2**29
DEEPEST = 3  # zips in zips
TAKEN_OUT = {".ipynb", ".zip", ".yml"}  # notebooks, archives, and Gradescope's list of students
NOT_A_NOTEBOOK = "the file is not a Jupyter notebook"
TOO_MUCH = "this archive unpacks to more than is allowed; hand in the notebook alone"


# --- notebooks -----------------------------------------------------------------------------------


def marks(nb):
    """What an assignment is known by: its questions' names, and the lines that students keep."""
    names, lines = set(), set()
    for cell in nb["cells"]:
        mark = cell.get("metadata", {}).get("nbgrader")
        mark = mark if isinstance(mark, dict) else {}
        if isinstance(mark.get("grade_id"), str):
            names.add(mark["grade_id"])
        if not mark.get("solution"):
            source = cell.get("source", "")
            text = source if isinstance(source, str) else "".join(source)
            lines |= {line.strip() for line in text.splitlines() if len(line.strip()) > 20}
    return names, lines


def frames(assignments):
    known = {}
    for name, path in assignments.items():
        with open(path, encoding="utf-8") as file:
            known[name] = marks(json.load(file))
    return known


def notebook(path, known):
    """The assignment of the notebook (None if it shows none), or a note; and the file's hash."""
    place = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with open(place, "rb") as file:
        about = os.fstat(place)
        if not stat.S_ISREG(about.st_mode):
            return {"note": "this is no ordinary file"}
        if about.st_size > LARGEST:
            return {"note": too_large(about.st_size)}
        data = file.read(LARGEST + 1)
    answer = {"hash": "sha256:" + hashlib.sha256(data).hexdigest()[:32]}
    try:
        nb = json.loads(data.decode("utf-8-sig"))
        names, lines = marks(nb)
        told = nb.get("metadata", {}).get("homework", {}).get("assignment")
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return answer | {"note": NOT_A_NOTEBOOK}
    if isinstance(told, str) and told in known and names & known[told][0]:
        return answer | {"assignment": told}
    # Questions may have the same names in all assignments: the words of the frame decide first.
    fits = sorted((len(lines & t), len(names & n), a) for a, (n, t) in known.items() if names & n)
    clear = len(fits) == 1 or (len(fits) > 1 and fits[-1][:2] > fits[-2][:2])
    return answer | {"assignment": fits[-1][2] if clear else None}


def too_large(size):
    return (
        f"the file has {size / 2**20:.0f} MB, and {LARGEST / 2**20:.0f} MB are allowed; "
        "clear the outputs and hand it in again"
    )


# --- zips ----------------------------------------------------------------------------------------


class Unpacking:
    """One archive and the archives in it, which share what may be unpacked.

    A file's name in it is never used as a path: what is taken out is numbered."""

    def __init__(self, target, entries, size, nested):
        self.target, self.entries, self.size, self.nested = target, entries, size, nested
        self.found = []  # name, path or None, time, note
        self.numbers = itertools.count()

    def unpack(self, path, above="", depth=1):
        with zipfile.ZipFile(path) as archive:
            members = [info for info in archive.infolist() if not info.is_dir()]
            self.entries -= len(members)
            if self.entries < 0:
                raise ValueError("this archive has more files in it than are allowed")
            if not members:
                raise ValueError("this archive is empty")
            for info in members:
                self.member(archive, info, above + info.filename, depth)

    def member(self, archive, info, name, depth):
        note, out, when = refused(info), None, zip_time(info)
        kind = os.path.splitext(info.filename)[1].lower()
        if not note and kind in TAKEN_OUT:
            out = os.path.join(self.target, f"{next(self.numbers)}{kind}")
            note = self.take_out(archive, info, out, self.size if kind == ".zip" else LARGEST)
        if out and not note and kind == ".zip" and self.nested:
            note = self.inner(out, name + "/", depth)
            if not note:
                return  # what is in it stands for it
        self.found.append((name, None if note else out, when, note))
        if out and not note:
            os.utime(out, (when, when))

    def inner(self, path, above, depth):
        """Unpack an archive in an archive; all of it, or none of it and a note."""
        before = len(self.found)
        try:
            if depth == DEEPEST:
                return f"archives in archives are opened {DEEPEST} deep, and not this one"
            self.unpack(path, above, depth + 1)
        except Exception as error:
            del self.found[before:]
            return why(error)
        finally:
            os.remove(path)

    def take_out(self, archive, info, out, most):
        """Write a member to a file; a note if it is too large, ValueError if that is too much."""
        written = 0
        with archive.open(info) as source, open(out, "wb") as file:
            while piece := source.read(2**16):
                written += len(piece)
                self.size -= len(piece)
                if self.size < 0:
                    raise ValueError(TOO_MUCH)
                if written > most:
                    return too_large(max(info.file_size, written))
                file.write(piece)
        return ""


def refused(info):
    """Why a member is not taken out, or nothing."""
    if info.flag_bits & 1:
        return "it is encrypted in the archive; hand it in without a password"
    if re.search(r"^[\\/]|^[A-Za-z]:|(^|[\\/])\.\.([\\/]|$)", info.orig_filename):
        return "its name leads out of the archive"
    kind = stat.S_IFMT(info.external_attr >> 16)
    return "it is a link, not a file" if kind not in (0, stat.S_IFREG) else ""


def zip_time(info):
    try:
        return time.mktime((*info.date_time, 0, 0, -1))
    except (ValueError, OverflowError):
        return 0.0


def why(error):
    if isinstance(error, MemoryError):
        return "reading it takes more memory than is allowed"
    if type(error) is ValueError:
        return str(error)
    return "this archive is damaged"


def archive(path, target, entries, size, times, nested):
    """What is in an archive; so much may come out of it, and so many times its own size."""
    unpacking = Unpacking(target, entries, size + times * os.path.getsize(path), nested)
    os.makedirs(target)
    try:
        unpacking.unpack(path)
    except Exception as error:
        shutil.rmtree(target, ignore_errors=True)
        return {"note": why(error)}
    return {"found": unpacking.found}


# --- answering -----------------------------------------------------------------------------------


def answer(request, known):
    try:
        if "target" not in request:
            return notebook(request["path"], known)
        what = ("path", "target", "entries", "size", "times", "nested")
        return archive(*(request[k] for k in what))
    except MemoryError as error:
        return {"note": why(error)}
    except OSError as error:
        return {"note": f"the file cannot be read ({error.strerror})"}


def main(assignments):
    with contextlib.suppress(AttributeError):  # Linux has it
        ctypes.CDLL(None).prctl(1, signal.SIGKILL, 0, 0, 0)  # end with the batch
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    gc.disable()  # it would go through millions of empty lists again and again
    known = frames(assignments)
    print("ready", flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        signal.alarm(request.get("seconds", SECONDS))  # ends this process
        print(json.dumps(answer(request, known)), flush=True)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
