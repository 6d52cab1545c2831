"""The notebooks live: JupyterLite, with Python in the browser and our library in it.

Pyodide's lock file says where each package's wheel is.  The one written here adds `perceptron_lib`
and the widgets, so that a plain `import` finds them.  Pyodide itself comes from its public server,
or from a folder whose files are put into the site.
"""

import hashlib
import json
import re
import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import nbformat

# What the library imports, and what that needs beyond Pyodide.
DEPENDS = {
    "perceptron-lib": ["numpy", "scipy", "matplotlib", "scikit-learn", "ipywidgets", "anywidget"],
    "ipywidgets": ["comm", "ipython", "traitlets"],
    "anywidget": ["ipywidgets", "psygnal", "typing-extensions"],
    "psygnal": [],
    "comm": ["traitlets"],
}
KERNEL = ["micropip", "jedi", "ipython"]  # what a kernel asks for when it starts
CORE = ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip"]
NPM_INSTALL = [
    "npm", "install", "--no-package-lock", "--ignore-scripts", "--silent",
    "--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=5000",
]  # fmt: skip
STORAGE = "The Perceptron"  # where the browser keeps the copies that a reader has changed
EXTENSIONS = ["@jupyter-widgets/jupyterlab-manager", "@jupyterlite/pyodide-kernel-extension",
              "anywidget"]  # fmt: skip


def build(folder, root, cache, pyodide=None):
    """Build JupyterLite into `folder`; `pyodide` is an unpacked release of Pyodide to serve."""
    lite = cache / "lite"
    shutil.rmtree(lite, ignore_errors=True)
    (lite / "contents").mkdir(parents=True)
    for path in (root / "notebooks").glob("*.md"):
        shutil.copy(path, lite / "contents")
    for name, (_, text) in versioned(root).items():
        (lite / "contents" / name).write_text(text, encoding="utf-8")
    write_settings(lite, folder, hosted=pyodide is not None)
    run("The live notebooks could not be built.", lite,
        sys.executable, "-m", "jupyterlite_core", "build", "--log-level=ERROR")
    fill(folder / "pyodide", wheels(root, cache), pyodide, cache)


def versioned(root):
    """Of every lesson, by its name, its version, and its text with the version in it."""
    found = {}
    for path in sorted((root / "notebooks").glob("*.ipynb")):
        notebook = nbformat.read(path, as_version=4)  # which joins lines, as the editor wants them
        made = hashlib.sha256(path.read_bytes()).hexdigest()[:12]
        notebook.metadata["lesson_version"] = made
        found[path.name] = made, json.dumps(notebook, ensure_ascii=False, indent=1)
    return found


def write_settings(lite, folder, hosted):
    """Say how to build the site, with no extension but those that it needs, and how it starts."""
    extensions = Path(sys.prefix) / "share/jupyter/labextensions"
    how_to_build = {
        "contents": ["contents"], "output_dir": str(folder), "apps": ["notebooks"],
        "no_sourcemaps": True, "no_unused_shared_packages": True,
        "ignore_sys_prefix": ["federated_extensions"],
        "federated_extensions": [str(extensions / name) for name in EXTENSIONS],
    }  # fmt: skip
    kernel = {"disablePyPIFallback": True,
              "loadPyodideOptions": {"lockFileURL": "./pyodide/pyodide-lock.json"}}  # fmt: skip
    if hosted:
        kernel["pyodideUrl"] = "./pyodide/pyodide.mjs"
    page = {
        "appName": "The Perceptron, live", "exposeAppInBrowser": True,
        "contentsStorageName": STORAGE,
        "litePluginSettings": {"@jupyterlite/pyodide-kernel-extension:kernel": kernel},
    }  # fmt: skip
    start = {"jupyter-lite-schema-version": 0, "jupyter-config-data": page}
    (lite / "jupyter_lite_config.json").write_text(json.dumps({"LiteBuildConfig": how_to_build}))
    (lite / "jupyter-lite.json").write_text(json.dumps(start))


def wheels(root, cache):
    """Wheels of our library, of the widgets and of what they need beyond Pyodide."""
    place = cache / "wheels"
    shutil.rmtree(place, ignore_errors=True)
    shutil.rmtree(root / "build/lib", ignore_errors=True)  # else deleted modules come back
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    run("The wheel could not be built; is there a network?", root,
        *pip, "wheel", "--no-deps", f"-w{place}", root)
    names = [f"{name}=={version(name)}" for name in DEPENDS if name != "perceptron-lib"]
    run("The widgets could not be fetched; is there a network?", root,
        *pip, "download", "--no-deps", "--only-binary=:all:", "--platform=any",
        "--python-version=3.14", f"-d{place}", *names)  # fmt: skip
    return sorted(place.glob("*.whl"))


def fill(folder, our_wheels, pyodide, cache):
    """Put the wheels into `folder`, with a lock file that names them and all of Pyodide's."""
    folder.mkdir()
    if pyodide:
        lock = json.loads((pyodide / "pyodide-lock.json").read_text(encoding="utf-8"))
    else:
        lock, server = published(cache)
        for package in lock["packages"].values():
            package["file_name"] = f"{server}/{package['file_name']}"
    for wheel in our_wheels:
        stem, number = wheel.name.split("-")[:2]
        lock["packages"][canonical(stem)] = {
            "name": canonical(stem), "version": number, "file_name": wheel.name,
            "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(),
            "depends": DEPENDS[canonical(stem)], "imports": [stem], "install_dir": "site",
            "package_type": "package", "unvendored_tests": False,
        }  # fmt: skip
        shutil.copy(wheel, folder)
    if pyodide:
        lock["packages"] = closure(lock["packages"], ["perceptron-lib", *KERNEL])
        theirs = [p["file_name"] for p in lock["packages"].values()]
        for name in CORE + [name for name in theirs if not (folder / name).exists()]:
            if not (pyodide / name).exists():
                sys.exit(f"{pyodide} is not a full release of Pyodide: {name} is not in it.")
            shutil.copy(pyodide / name, folder)
    (folder / "pyodide-lock.json").write_text(json.dumps(lock))


def published(cache):
    """The lock file of the Pyodide that the kernel loads by default, and its server."""
    from jupyterlite_pyodide_kernel.constants import PYODIDE_CDN_URL, PYODIDE_VERSION

    place = cache / f"pyodide-{PYODIDE_VERSION}"
    lock = place / "node_modules/pyodide/pyodide-lock.json"
    if not lock.exists():
        place.mkdir(parents=True, exist_ok=True)
        run("npm could not fetch Pyodide's lock file; is there a network?", place,
            *NPM_INSTALL, "--no-save", "--prefix", place, f"pyodide@{PYODIDE_VERSION}")
    return json.loads(lock.read_text(encoding="utf-8")), PYODIDE_CDN_URL


def canonical(name):
    """A package's name as a lock file writes it.

    >>> canonical("Perceptron_lib")
    'perceptron-lib'
    """
    return re.sub(r"[-_.]+", "-", name).lower()


def closure(packages, names):
    """The part of a lock's `packages` that `names` and what they depend on need.

    >>> sorted(closure({"a": {"depends": ["b_c"]}, "b-c": {"depends": []}, "d": {}}, ["a"]))
    ['a', 'b-c']
    """
    found, todo = {}, list(names)
    while todo:
        name = canonical(todo.pop())
        if name not in found:
            found[name] = packages[name]
            todo += packages[name]["depends"]
    return found


def run(failure, folder, *command):
    """Run a command in `folder`; if it fails, show what it said and end with one sentence."""
    done = subprocess.run(
        [*map(str, command)], cwd=folder, capture_output=True, text=True, encoding="utf-8"
    )
    if done.returncode:
        sys.exit(f"{done.stdout}{done.stderr}{failure}")
