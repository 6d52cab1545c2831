"""The page of licences names every package that comes into the site."""

import json
import shutil
from pathlib import Path

import matplotlib
import pytest

from tests.test_web import pyodide, wheels  # noqa: F401
from web import build, licences, live

FONTS = Path(matplotlib.get_data_path()) / "fonts/ttf"


@pytest.fixture
def npm(tmp_path):
    """A folder like that of the npm packages of the site."""
    for name in build.FROM_NPM:
        (tmp_path / name).mkdir()
        told = {"version": "1.2", "license": "MIT"}
        (tmp_path / name / "package.json").write_text(json.dumps(told))
        (tmp_path / name / "LICENSE").write_text(f"{name} may be copied.")
    (tmp_path / "katex/dist/fonts").mkdir(parents=True)
    shutil.copy(FONTS / "DejaVuSans.ttf", tmp_path / "katex/dist/fonts")
    return tmp_path


def test_every_npm_package_is_named_with_its_own_text(npm):
    found = {part.name: part for part in licences.pages(npm, build.FROM_NPM)}
    for name in build.FROM_NPM:
        assert found[f"{name} 1.2"].text == f"{name} may be copied."
    assert found["the 1 fonts of katex"].licence == licences.UNKNOWN  # DejaVu has another one
    assert all(part.licence and part.text for part in found.values())


def test_every_python_package_of_a_live_notebook_is_named(tmp_path, pyodide):  # noqa: F811
    (tmp_path / "live").mkdir()
    live.fill(tmp_path / "live/pyodide", wheels(tmp_path), pyodide, cache=None)
    lock = json.loads((tmp_path / "live/pyodide/pyodide-lock.json").read_text())["packages"]
    named = {part.name.split()[0]: part.licence for part in licences.python(tmp_path)}
    assert named.keys() >= lock.keys()
    assert "BSD-3-Clause" in named["numpy"] and named["micropip"] == licences.UNKNOWN
