"""The project's own files agree with each other, and the wheel has the library and no more."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile

from tools import ROOT
from tools.unchecked import PROGRAMS

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


def test_a_reader_gets_the_library_and_jupyterlab_alone():
    needed = ["numpy", "scipy", "matplotlib", "ipywidgets", "scikit-learn"]
    assert names(PROJECT["dependencies"]) == needed
    assert names(EXTRAS["lab"] + EXTRAS["fast"]) == ["jupyterlab", "numba"]
    assert "$(LAB)/.ready: WHAT := -e '.[lab,fast]'\n" in read("Makefile")
    assert {*EXTRAS["homework"], *EXTRAS["fast"]} <= set(EXTRAS["test"]), "they are tested"


def names(needed):
    return [name.split(">=")[0] for name in needed]


def test_what_draws_pictures_is_named_and_installed_for_the_tests():
    lines = [line for line in read("constraints.txt").splitlines() if line[0] != "#"]
    assert [line.split("==")[0] for line in lines] == ["matplotlib", "pillow"]
    installs = re.findall(r"(?:quiet|ready: WHAT :=) (.*)-e '\.\[(.*)\]'", read("Makefile"))
    assert sorted(installs)[0] == ("", "lab,fast")
    assert all(options == "-c constraints.txt " for options, _ in sorted(installs)[1:])
    assert {extras for _, extras in installs} >= {"test", "site", "browser", "fast,bench"}


def test_the_makefile_asks_for_the_same_python():
    major, minor = PROJECT["requires-python"].removeprefix(">=").split(".")
    assert f"({major}, {minor})" in read("Makefile")


def test_ci_installs_every_program_and_then_runs_all_tests():
    install, tests = read(".ci/run").split("\nmake test\n")
    assert tests == "make test-homework\nmake test-browser\n"
    for name, packages in PROGRAMS.items():
        assert f"command -v {name} " in install and f"({packages})" in install
    assert "export CI=true" in install
    assert os.access(ROOT / ".ci/run", os.X_OK) or os.name == "nt"


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
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    build = ["wheel", "--no-deps", "--no-build-isolation", f"-w{tmp_path}", str(source)]
    subprocess.run([*pip, *build], check=True)
    (wheel,) = tmp_path.glob("*.whl")
    files = {path.relative_to(ROOT).as_posix() for path in (ROOT / "perceptron_lib").rglob("*.py")}
    packed = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert packed >= files and all(name.startswith("perceptron_lib/") for name in packed)
    subprocess.run([*pip, "install", "--no-deps", f"--target={place}", wheel], check=True)
    modules = [re.sub(r"/__init__$", "", name[:-3]).replace("/", ".") for name in sorted(files)]
    code = f"import sys; sys.path.insert(0, {str(place)!r}); import {', '.join(modules)}\n"
    code += f"assert perceptron_lib.__file__.startswith({str(place)!r})"
    subprocess.run([sys.executable, "-I", "-c", code], check=True, cwd=tmp_path)
