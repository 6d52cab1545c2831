"""The page of licences names every package that comes into the site."""

import json

from tests.test_web import pyodide, wheels  # noqa: F401
from web import build, licences, live


def test_every_package_is_named_with_its_licence(tmp_path, pyodide):  # noqa: F811
    for name in build.FROM_NPM:
        (tmp_path / "npm" / name).mkdir(parents=True)
        told = {"name": name, "version": "1.2", "license": "MIT"}
        (tmp_path / "npm" / name / "package.json").write_text(json.dumps(told))
    (tmp_path / "live").mkdir()
    live.fill(tmp_path / "live/pyodide", wheels(tmp_path), pyodide, cache=None)
    lock = json.loads((tmp_path / "live/pyodide/pyodide-lock.json").read_text())["packages"]
    here = ["numpy", "anywidget"]
    told = licences.carried(tmp_path, tmp_path / "npm", build.FROM_NPM, pages=here, lite=here)
    assert told["npm"] == [(f"{name} 1.2", "MIT") for name in build.FROM_NPM]
    named = {name.split()[0]: licence for name, licence in told["python"]}
    assert named.keys() >= lock.keys()
    assert "BSD-3-Clause" in named["numpy"] and named["micropip"] == licences.UNKNOWN
    assert [name.split()[0] for name, _ in told["pages"]] == here
