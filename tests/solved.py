"""Where a worked solution is told: what students get must have no such place."""

import html
import io
import re
import zipfile

from tools import teaching

SHORT = 25  # characters; what is shorter may stand elsewhere by chance


def pieces():
    """Lines of the worked solutions without their formulas, and the answers as Python."""
    found = {}
    for number, section in teaching.sections("solutions").items():
        text, code, *_ = section.body.split("```")
        cut = re.compile(r"\$.*?\$|`.*?`|[*|]")
        parts = [part for line in text.splitlines() for part in cut.split(line)]
        parts += [line for line in code.splitlines() if re.search(r"\d", line)]
        found |= {part.strip(): number for part in parts if len(part.strip()) >= SHORT}
    return found


def leaks(name, data, known):
    """Sentences on each piece of a solution in a file, or in the files of an archive."""
    if zipfile.is_zipfile(io.BytesIO(data)):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            inner = {f"{name}/{one}": archive.read(one) for one in archive.namelist()}
        return [told for one, data in inner.items() for told in leaks(one, data, known)]
    text = html.unescape(data.decode("utf-8", "ignore")).replace('\\"', '"')
    return [f"{name} tells of exercise {known[piece]}: {piece}" for piece in known if piece in text]


def leaks_in(folder):
    """The same for all files of a folder."""
    known, files = pieces(), [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return [told for path in files for told in leaks(path.name, path.read_bytes(), known)]
