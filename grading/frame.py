"""From the file that was handed in to a notebook that can be graded and shown.

Whatever was handed in, the frame is the assignment's: its own cells in their order, with the
student's answers in them.  Of the file only the code, the words and the pictures of its cells are
read; of the words only what no browser could run stays.
"""

import ast
import html
import json
import re
from urllib.parse import quote

import nbformat

from grading.limits import LARGEST, too_large
from grading.reader import MALFORMED, NOT_A_NOTEBOOK, Refused
from grading.worker import clean

LONGEST = 50_000  # characters of a cell
NO_ANSWER = "# There is no answer here."
MOST_CELLS = 10_000  # that are looked at
MOST_ADDED = 100  # cells that a student may add
LARGEST_PICTURES = 8 * 2**20  # characters of all pictures pasted into one cell


def mark(cell):
    """nbgrader's metadata of a cell, or an empty dictionary."""
    metadata = cell.get("metadata")
    found = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    return found if isinstance(found, dict) else {}


def answer_names(released):
    """The names that the answer cells of an assignment define."""
    names = []
    for cell in released.cells:
        if cell.cell_type == "code" and mark(cell).get("solution"):
            for node in ast.parse(cell.source).body:
                if isinstance(node, ast.FunctionDef):
                    names.append(node.name)
                elif isinstance(node, ast.Assign):
                    targets = [name for target in node.targets for name in ast.walk(target)]
                    names += [name.id for name in targets if isinstance(name, ast.Name)]
    return names


def beside(code):
    """The code of a solved notebook with its checks imported from where a student has them."""
    return code.replace("from grading.handout import", "from checks import")


# --- reading -----------------------------------------------------------------------------------


def read_cells(data):
    """The cells in the bytes of a notebook: name, kind, source, attachments.  Outputs, of which a
    small file may hold millions, are not looked at."""
    if len(data) > LARGEST:
        raise Refused(too_large(len(data)))
    try:
        cells = json.loads(data.decode("utf-8-sig"))["cells"]
        return [read_cell(cell) for cell in cells[:MOST_CELLS]]
    except MALFORMED:
        raise Refused(NOT_A_NOTEBOOK) from None


def read_cell(cell):
    source = cell["source"]
    source = source if isinstance(source, str) else "".join(source)
    if len(source) > LONGEST:
        source = f"# This cell had {len(source)} characters."
    source, pictures, lost = with_pictures(source, cell.get("attachments"))
    return {
        "name": str(mark(cell).get("grade_id", "")),
        "code": cell["cell_type"] == "code",
        "source": clean(source, LONGEST),
        "pictures": pictures,
        "lost": lost,
    }


def with_pictures(source, attachments):
    """The text of a cell, the pictures pasted into it that are PNG or JPEG and not too large
    together, and how many others there are.  A name that cannot stand in a link becomes another."""
    found, room = {}, LARGEST_PICTURES
    attachments = attachments if isinstance(attachments, dict) else {}
    for number, (name, parts) in enumerate(list(attachments.items())[:MOST_ADDED]):
        plain = re.fullmatch(r"[\w.-]{1,100}", name, re.ASCII)
        new = name if plain else f"picture-{number}"
        for kind in ("image/png", "image/jpeg"):
            data = parts.get(kind) if isinstance(parts, dict) else None
            data = "".join(data) if isinstance(data, list) else data
            known = isinstance(data, str) and len(data) <= room
            if known and re.fullmatch(r"[A-Za-z0-9+/=\s]*", data):
                found[new] = {kind: data}
                room -= len(data)
                coded = f"attachment:{quote(name, errors='replace')}"
                for written in (f"<attachment:{name}>", f"attachment:{name}", coded):
                    source = source.replace(written, f"attachment:{new}")
    return source, found, len(attachments) - len(found)


# --- the frame ---------------------------------------------------------------------------------


def framed(released, cells):
    """The released notebook with the student's answers in it, and notes of what is left out.

    Each answer is taken from the first cell that bears its name.  Cells that a student added are
    kept after the one they followed.  All the student's code is marked: it was handed in.
    """
    known = {mark(cell).get("grade_id") for cell in released.cells} - {None}
    own = {cell.source for cell in released.cells if not mark(cell)}
    answers, added, last, count = {}, {}, None, 0
    for cell in cells:
        if cell["name"] in known and cell["name"] not in answers:
            answers[cell["name"]] = cell
            last = cell["name"]
        elif beside(cell["source"]) not in own:  # a lecturer may try the solved notebook itself
            count += 1
            if count <= MOST_ADDED:
                added.setdefault(last, []).append(cell)
    notes = []
    if count > MOST_ADDED:
        notes.append(f"cells left out: {count - MOST_ADDED} ({MOST_ADDED} may be added)")
    if lost := sum(cell["lost"] for cell in cells):
        size = f"{LARGEST_PICTURES * 3 / 4 / 2**20:.0f} MB"
        notes.append(f"pictures left out: {lost} (a cell may have PNG and JPEG, {size} in all)")
    out = []
    for cell in released.cells:
        name = mark(cell).get("grade_id")
        setup = cell.cell_type == "code" and not mark(cell)
        if mark(cell).get("solution"):
            cell = filled_in(cell, answers.get(name))
        out.append(cell)
        if name or setup:  # what was added before the first answer comes after the imports
            out += [copied(extra) for extra in added.pop(name, [])]
    released.cells = out
    return released, notes


def filled_in(cell, answer):
    """An answer cell of the assignment with the student's answer."""
    given = copied(answer or {"source": NO_ANSWER, "pictures": {}}, cell.cell_type == "code")
    cell.source = given.source
    cell.metadata |= given.metadata
    if given.get("attachments"):
        cell.attachments = given.attachments
    return cell


def copied(cell, code=None):
    """A new cell with the student's code, marked, or with their words, made harmless."""
    if cell["code"] if code is None else code:
        return nbformat.v4.new_code_cell(cell["source"], metadata={"handed_in": True})
    words = harmless(cell["source"], cell["pictures"])
    new = nbformat.v4.new_markdown_cell(words, metadata={"handed_in": True})
    new.attachments = nbformat.from_dict(cell["pictures"])
    return new


LINK = r"\]\((https?://[^\s()<>\[\]\"'\\`]*|#[\w-]*)\)"
COMMANDS = r"\\(href|url|style|class|cssId|data|require|html\w*|mmlToken|bbox|includegraphics)"


def harmless(text, pictures=()):
    """A student's Markdown as a lecturer's browser may show it: formulas, lists, code, links to
    the web, the student's own pictures.  A space breaks whatever else could become a tag, a link
    or a picture."""
    while (plain := html.unescape(text)) != text:  # a character is not to be spelled otherwise
        text = plain
    text = clean(text, LONGEST)
    text = re.sub(r"<(?=[A-Za-z/!?])", "< ", text)
    text = re.sub(COMMANDS, r"\\text{\1}", text, flags=re.IGNORECASE)
    picture = "|".join(map(re.escape, pictures))
    own = rf"!\[[^\[\]]*\]\(attachment:({picture})\)" if picture else r"(?!)"
    kept = []

    def keep(match):
        kept.append(match[0])
        return f"\0{len(kept) - 1}\0"

    text = re.sub(own, keep, text)
    text = re.sub(r"!(?=\[)", "! ", text)
    text = re.sub(LINK, keep, text)
    text = re.sub(r"\](?=[(:])", "] ", text)
    return re.sub(r"\0(\d+)\0", lambda match: kept[int(match[1])], text)
