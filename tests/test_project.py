"""The project's own files agree with each other, and the wheel has the library and no more."""

import re
import shutil
import subprocess
import sys
import textwrap
import tomllib
import zipfile

import pytest

from perceptron_lib import __version__, perceptron
from perceptron_lib.examples import worst_case
from perceptron_lib.lessons import mistake_bound
from tests.inside import Run
from tools import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def test_conda_takes_python_and_leaves_the_rest_to_pyproject():
    lines = [line.strip() for line in read("environment.yml").splitlines() if line[:1] != "#"]
    python = f"- python{PROJECT['requires-python']}"
    assert lines == ["name: perceptron", "channels:", "- conda-forge", "dependencies:", python,
                     "- pip", "- pip:", "- -e .[lab,fast,test]"]  # fmt: skip


def test_every_dependency_has_a_lower_bound():
    for needed in sum(EXTRAS.values(), PROJECT["dependencies"]):
        assert re.fullmatch(r"[\w.-]+>=\d[\d.]*", needed), needed


def test_citation_and_changelog_are_about_this_version():
    cited = dict(re.findall(r'^(version|date-released): "?(.*?)"?$', read("CITATION.cff"), re.M))
    released = re.findall(r"^## \[([\d.]+)\] - ([\d-]+)$", read("CHANGELOG.md"), re.M)
    assert released[0] == (__version__, cited["date-released"]) and cited["version"] == __version__
    assert sorted(released, key=lambda one: one[1], reverse=True) == released
    assert "version" in PROJECT["dynamic"]  # which is read from the library


def names(needed):
    return [name.split(">=")[0] for name in needed]


def test_the_readme_names_the_two_commands_and_its_relative_links_exist():
    text = read("README.md")
    assert "make lab" in text and "make test" in text
    links = re.findall(r"\]\(<?([^)>\s]+)", text) + re.findall(r"(?:src|href)=\"([^\"]+)\"", text)
    for link in links:
        path = link.split("#")[0]
        if path and not re.match(r"\w+:", link):
            assert (ROOT / path).exists(), f"README.md links to {link}, which is not there."


def test_the_wheel_has_the_library_alone_and_all_of_it_can_be_imported(tmp_path):
    source, place = tmp_path / "source", tmp_path / "installed"
    for package in ROOT.glob("*/__init__.py"):
        shutil.copytree(package.parent, source / package.parent.name)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    build = f"from setuptools.build_meta import build_wheel; build_wheel({str(tmp_path)!r})"
    subprocess.run([sys.executable, "-c", build], check=True, cwd=source, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.name.split("-")[1] == __version__
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(place)
    files = {path.relative_to(ROOT).as_posix() for path in (ROOT / "perceptron_lib").rglob("*.py")}
    found = {path.relative_to(place) for path in place.rglob("*.*")}
    scripts = {f"perceptron_lib/widgets/{name}" for name in ("playground.js", "scenes.css")}
    assert {path.as_posix() for path in found} >= files | scripts
    assert {path.parts[0].split("-")[0] for path in found} == {"perceptron_lib"}
    modules = [re.sub(r"/__init__$", "", name[:-3]).replace("/", ".") for name in sorted(files)]
    code = f"""import sys
sys.path.insert(0, {str(place)!r})
sys.modules.update(jupyterlab=None, numba=None)
import perceptron_lib  # which needs neither of them
assert perceptron_lib.__file__.startswith({str(place)!r})
del sys.modules["numba"]
import {", ".join(modules)}"""
    subprocess.run([sys.executable, "-I", "-c", code], check=True, cwd=tmp_path)


def test_the_files_that_contributing_names_exist_and_its_picture_can_be_drawn():
    text = read("CONTRIBUTING.md")
    for path in re.findall(r"`((?:perceptron_lib|tests|tools|teaching)/[\w/]+\.\w+)`", text):
        assert (ROOT / path).exists(), path
    (block,) = re.findall(r"```python\n( +@style.*?) +```", text, re.DOTALL)
    exec(textwrap.dedent(block), names := dict(vars(mistake_bound)))
    run = perceptron(*worst_case(5)[:2])
    assert names["gains"](run, run.w).alt.startswith("Every update adds γ = 0.447 or more: ")


@pytest.mark.parametrize(("ci", "workers", "code"), [("", 0, 0), ("true", 0, 1), ("true", 1, 1)])
def test_a_missing_program_is_named_and_with_ci_a_failure(
    ci, workers, code, tmp_path, monkeypatch, capsys
):
    (tmp_path / "conftest.py").write_text(read("conftest.py"))
    (tmp_path / "test_it.py").write_text(
        "from tests.programs import program\ndef test_it():\n    assert program('node')"
    )
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("CI", ci)
    assert Run(f"-n{workers}", tmp_path).code == code
    assert "node is not installed (on Debian or Ubuntu: apt install" in capsys.readouterr().out
    (tmp_path / "node").touch(mode=0o755)
    assert Run(f"-n{workers}", tmp_path).code == 0
