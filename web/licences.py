"""The licences of what the site carries, as its parts themselves tell them: npm's packages in their
package.json, Python's by pip-licenses, the JavaScript inside JupyterLite in its own lists."""

import json
import subprocess
import sys

from web import live

UNKNOWN = "see its archive"
JUPYTERLITE = ["jupyterlite-core", "jupyterlite-pyodide-kernel", "jupyterlab_widgets", "anywidget"]
PAGES = ["Sphinx", "myst-nb", "furo", "sphinx-copybutton"]
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


def carried(folder, packages, names, pages=PAGES, lite=JUPYTERLITE):
    """What the page is to tell of the site in `folder`, whose npm packages are `names`: rows of a
    name and a licence for each part, and where the lists of built-in JavaScript are."""
    npm = [json.loads((packages / name / "package.json").read_text("utf-8")) for name in names]
    lock = json.loads((folder / "live/pyodide/pyodide-lock.json").read_text(encoding="utf-8"))
    needed = live.closure(lock["packages"], ["perceptron-lib", *live.KERNEL])
    known = installed([*pages, *lite, *needed])
    return {
        "npm": [(f"{told['name']} {told['version']}", told["license"]) for told in npm],
        "pages": [known[live.canonical(name)] for name in pages],
        "lite": [known[live.canonical(name)] for name in lite],
        "python": [("Pyodide, with CPython", "MPL-2.0; PSF-2.0"), *(
            (f"{name} {told['version']}", known.get(name, ("", UNKNOWN))[1])
            for name, told in sorted(needed.items()))],
        "built_in": [path.relative_to(folder).as_posix() for path in
                     sorted((folder / "live").rglob("third-party-licenses.json"))],
        "data": DATA,
    }  # fmt: skip


def installed(names):
    """The packages of these names that are installed here, each with its licence."""
    command = [sys.executable, "-m", "piplicenses", "--format=json", "--packages", *names]
    told = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return {live.canonical(one["Name"]): (f"{one['Name']} {one['Version']}", one["License"])
            for one in told}  # fmt: skip
