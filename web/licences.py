"""The licences of what the site carries, as its parts themselves tell them.

What is typed here is where to look, and what Pyodide and the data sets do not say by themselves:
a package that comes into the site comes onto the page.
"""

import email
import json
import re
import zipfile
from importlib.metadata import PackageNotFoundError, distribution, distributions
from pathlib import Path
from typing import NamedTuple

from fontTools.ttLib import TTFont

from web import live

UNKNOWN = "see its archive"
OSI = "License :: OSI Approved :: "
# Of the data that pages and notebooks show; scikit-learn brings the files.
DATA = [
    ("Iris", "R. A. Fisher (1936), UCI Machine Learning Repository", "CC BY 4.0"),
    ("Optical recognition of handwritten digits",
     "E. Alpaydin and C. Kaynak (1998), UCI Machine Learning Repository", "CC BY 4.0"),
    ("Breast cancer Wisconsin (diagnostic)",
     "W. Wolberg, O. Mangasarian, N. Street and W. Street (1995), UCI Machine Learning Repository",
     "CC BY 4.0"),
    ("Diabetes", "B. Efron, T. Hastie, I. Johnstone and R. Tibshirani (2004), by way of "
     "scikit-learn", "BSD-3-Clause, as scikit-learn"),
]  # fmt: skip


class Part(NamedTuple):
    """Something that the site carries: its name and version, its licence, and that in full."""

    name: str
    licence: str
    text: str = ""


def carried(folder, packages, names):
    """What the page is to tell of the site in `folder`, whose npm packages are `names`."""
    of_lite, built_in = lite(folder)
    return {"pages": pages(packages, names), "lite": of_lite, "built_in": built_in,
            "python": python(folder), "data": DATA}  # fmt: skip


def pages(packages, names):
    """Parts of the pages and decks: npm packages (by `names`), their fonts, and pdoc."""
    found = []
    for name in names:
        told = json.loads((packages / name / "package.json").read_text(encoding="utf-8"))
        text = (packages / name / "LICENSE").read_text(encoding="utf-8")
        found.append(Part(f"{name} {told['version']}", told["license"], text))
    fonts = sorted((packages / "katex/dist/fonts").glob("*.ttf"))
    texts = [TTFont(font)["name"].getDebugName(13) for font in fonts]
    licence = "OFL-1.1" if all("SIL Open Font License" in t for t in texts) else UNKNOWN
    found.append(Part(f"the {len(fonts)} fonts of katex", licence, texts[0]))
    found.append(installed("pdoc"))
    resources = Path(distribution("pdoc").locate_file("pdoc/templates/resources"))
    for name in ("elasticlunr.min.js", "bootstrap-reboot.min.css"):
        text = re.match(r"/\*.*?\*/", (resources / name).read_text(encoding="utf-8"), re.S)[0]
        found.append(Part(name, "MIT" if "MIT" in text else UNKNOWN, text))
    return found


def lite(folder):
    """Parts of the live notebooks: JupyterLite and its extensions, and for each file of licences
    in it its place in the site, with the JavaScript packages that are built into that part."""
    wanted = {f"labextensions/{name}/package.json" for name in live.EXTENSIONS}
    owners = {one.name for one in distributions() for file in one.files or ()
              if any(str(file).endswith(end) for end in wanted)}  # fmt: skip
    built_in = {}
    for path in sorted((folder / "live").rglob("third-party-licenses.json")):
        told = json.loads(path.read_text(encoding="utf-8"))["packages"]
        built_in[path.relative_to(folder).as_posix()] = [
            Part(f"{one['name']} {one['versionInfo']}", one["licenseId"] or UNKNOWN) for one in told
        ]
    return [installed(name) for name in ("jupyterlite-core", *sorted(owners))], built_in


def python(folder):
    """Python's packages that a live notebook loads, Pyodide first."""
    place = folder / "live/pyodide"
    packages = json.loads((place / "pyodide-lock.json").read_text(encoding="utf-8"))["packages"]
    found = [Part("Pyodide, with CPython", "MPL-2.0; PSF-2.0")]
    for name, told in sorted(live.closure(packages, ["perceptron-lib", *live.KERNEL]).items()):
        found.append(Part(f"{name} {told['version']}", of_wheel(place / told["file_name"], name)))
    return found


def of_wheel(path, name):
    """The licence of a wheel in the site, or of the same package here."""
    if path.exists() and zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as wheel:
            inside = next(n for n in wheel.namelist() if n.endswith(".dist-info/METADATA"))
            return short(email.message_from_bytes(wheel.read(inside)))
    try:
        return short(distribution(name).metadata)
    except PackageNotFoundError:
        return UNKNOWN


def installed(name):
    """A package that is installed here, with the text of its licence."""
    found = distribution(name)
    files = [file for file in found.files if file.stem.upper() in ("LICENSE", "LICENCE", "COPYING")]
    return Part(f"{found.name} {found.version}", short(found.metadata), files[0].read_text())


def short(metadata):
    """The name of a licence, by what a package says of itself.

    >>> short(email.message_from_string("Classifier: License :: OSI Approved :: BSD License"))
    'BSD License'
    >>> short(email.message_from_string("License-Expression: MIT"))
    'MIT'
    """
    if expression := metadata.get("License-Expression"):
        return expression
    classes = [c.removeprefix(OSI) for c in metadata.get_all("Classifier", []) if OSI in c]
    said = (metadata.get("License") or UNKNOWN).strip().split("\n")[0]
    return ", ".join(classes) or said
