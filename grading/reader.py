"""Opens what students made, notebooks and zips, in a process of its own behind limits.

`ask` puts questions to that process, a line of JSON each, and gets a line for each.  Whatever a
file does to it (fill the memory, take for ever, crash it) ends that process and not the batch.
"""

import gc
import hashlib
import json
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import time
import zipfile
from pathlib import Path

from grading.limits import LARGEST, READING, too_large
from grading.worker import end_with_parent, limit

NOT_A_NOTEBOOK = (
    "the file is not a Jupyter notebook; if JupyterLab opens it, save it there and hand it in again"
)
MALFORMED = (ValueError, TypeError, LookupError, AttributeError, RecursionError)
COMMAND = [sys.executable, "-P", "-S", "-m", "grading.reader"]


class Refused(ValueError):
    """What is wrong with a file that was handed in, for its author to read."""


def ask(requests, assignments=None, seconds=READING["seconds"]):
    """The answer to each request, so many seconds for one; what it does not survive gets a note.

    A request is the path of a notebook, or the arguments of `unpack`; `assignments` has the solved
    notebooks by name."""
    known = json.dumps({name: str(path) for name, path in (assignments or {}).items()})
    answers = []
    while len(answers) < len(requests):
        lines = "".join(json.dumps(request) + "\n" for request in requests[len(answers) :])
        done = subprocess.run(
            [*COMMAND, str(seconds), known], input=lines.encode(), stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, env={"PYTHONPATH": str(Path(__file__).parent.parent)},
        )  # fmt: skip
        ready, *said = done.stdout.split(b"\n")[:-1] or [b""]
        if ready != b"ready":
            raise OSError("the process that reads notebooks does not start")
        answers += map(json.loads, said)
        if len(answers) < len(requests):
            answers.append({"note": "reading it takes more time or memory than is allowed"})
    return answers


def main(seconds, assignments):
    end_with_parent()
    limit(AS=READING["memory"], CORE=0)
    gc.disable()  # it would go through millions of empty lists again and again
    frames = {
        name: words(json.loads(Path(path).read_bytes())) for name, path in assignments.items()
    }
    print("ready", flush=True)
    for line in sys.stdin:
        signal.alarm(seconds)  # ends this process
        print(json.dumps(answer(json.loads(line), frames)), flush=True)


def answer(request, frames):
    """What is known of the file, or a note that says what is wrong with it."""
    try:
        return notebook(request, frames) if isinstance(request, str) else unpack(*request)
    except MemoryError:
        return {"note": "reading it takes more memory than is allowed"}
    except Refused as error:
        return {"note": str(error)}
    except OSError as error:
        return {"note": f"the file cannot be read ({error.strerror})"}


# --- notebooks -----------------------------------------------------------------------------------


def notebook(path, frames):
    """The assignment of a notebook (None if it shows none), its seed, and the file's hash."""
    data, when = read(path)
    try:
        nb = json.loads(data.decode("utf-8-sig"))
        found = words(nb)
        told = nb.get("metadata", {}).get("homework", {})
        name, seed, empty = told.get("assignment"), told.get("seed", ""), blank(nb)
    except MALFORMED:
        raise Refused(NOT_A_NOTEBOOK) from None
    if not isinstance(name, str) or name not in frames:
        name = likest(found, frames)
    mark = hashlib.sha256(data).hexdigest()[:32]
    return {"assignment": name, "seed": str(seed)[:20], "hash": mark, "time": when,
            "blank": empty}  # fmt: skip


def read(path):
    """The bytes of a file, if it is an ordinary one and not too large, and its time."""
    place = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with open(place, "rb") as file:
        about = os.fstat(place)
        if not stat.S_ISREG(about.st_mode):
            raise Refused("this is no ordinary file")
        if about.st_size > LARGEST:
            raise Refused(too_large(about.st_size))
        return file.read(LARGEST), about.st_mtime


def words(nb):
    """The longer lines of a notebook's text, by which an assignment is known."""
    texts = ["".join(cell["source"]) for cell in nb["cells"] if cell["cell_type"] == "markdown"]
    return {line.strip() for text in texts for line in text.splitlines() if len(line) > 20}


def blank(nb):
    """Is what nbgrader puts in place of an answer still in every cell for one?"""
    stub = re.compile(r"# YOUR CODE HERE\s+raise NotImplementedError\(\)|^YOUR ANSWER HERE$")
    cells = [c for c in nb["cells"] if '"solution": true' in json.dumps(c.get("metadata"))]
    return bool(cells) and all(stub.search("".join(cell["source"])) for cell in cells)


def likest(found, frames):
    """The one assignment of which a notebook has some of the lines, or None."""
    shared = sorted((len(found & lines), name) for name, lines in frames.items())[::-1]
    clear = len(shared) > 0 and shared[0][0] > 3 + 2 * sum(count for count, _ in shared[1:])
    return shared[0][1] if clear else None


# --- zips ----------------------------------------------------------------------------------------


def unpack(path, target, endings, entries, size):
    """What is in a zip: for each file its name, where it was put (or None), and a note.

    Only files with those endings are taken out, at most `size` bytes in all, with what the other
    zips beside the target have given.  A name in the zip is never used as a path: what is taken out
    is numbered."""
    os.makedirs(target)
    size -= sum(path.stat().st_size for path in Path(target).parent.glob("*/*"))
    try:
        with zipfile.ZipFile(path) as archive:
            members = [info for info in archive.infolist() if not info.is_dir()]
            if not 0 < len(members) <= entries:
                raise Refused(f"this archive has {len(members) or 'no'} files in it")
            found = []
            for number, info in enumerate(members):
                ending = os.path.splitext(info.filename)[1].lower()
                note, out = refused(info, ending, endings), None
                if not note and ending in endings:
                    data = archive.open(info).read(LARGEST + 1)
                    size -= len(data)
                    size_told = max(info.file_size, len(data))
                    note = too_large(size_told) if len(data) > LARGEST else ""
                if size < 0:
                    raise Refused("this archive unpacks to too much; hand in the notebook alone")
                if not note and ending in endings:
                    out = os.path.join(target, f"{number}{ending}")
                    Path(out).write_bytes(data)
                    os.utime(out, 2 * (zip_time(info),))
                found.append((info.filename, out, note))
            return {"found": found}
    except (Refused, MemoryError):
        shutil.rmtree(target)
        raise
    except Exception:  # zipfile raises errors of a dozen kinds
        shutil.rmtree(target)
        raise Refused("this archive is damaged") from None


def refused(info, ending, endings):
    """Why a member is not taken out, or nothing."""
    if info.flag_bits & 1:
        return "it is encrypted in the archive; hand it in without a password"
    if re.search(r"^[\\/]|^[A-Za-z]:|(^|[\\/])\.\.([\\/]|$)", info.orig_filename):
        return "its name leads out of the archive"
    if stat.S_IFMT(info.external_attr >> 16) not in (0, stat.S_IFREG):
        return "it is a link, not a file"
    if ending == ".zip" and ending not in endings:
        return "an archive in an archive is not opened; hand in the notebook"
    return ""


def zip_time(info):
    try:
        return time.mktime((*info.date_time, 0, 0, -1))
    except (ValueError, OverflowError):
        return 0.0


if __name__ == "__main__":
    main(int(sys.argv[1]), json.loads(sys.argv[2]))
