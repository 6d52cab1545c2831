"""The project's own files agree with each other."""

import os
import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def test_conda_takes_python_and_leaves_the_rest_to_pyproject():
    lines = [line.strip() for line in read("environment.yml").splitlines() if line[:1] != "#"]
    assert lines == [
        "name: perceptron",
        "channels:",
        "- conda-forge",
        "dependencies:",
        f"- python{PROJECT['requires-python']}",
        "- pip",
        "- pip:",
        "- -e .[test]",
    ]


def test_every_dependency_has_a_lower_bound():
    extras = PROJECT["optional-dependencies"].values()
    for needed in [*PROJECT["dependencies"], *(name for extra in extras for name in extra)]:
        assert re.fullmatch(r"[\w.\[\]-]+>=\d[\d.]*", needed), needed


def test_the_makefile_asks_for_the_same_python():
    major, minor = PROJECT["requires-python"].removeprefix(">=").split(".")
    assert f"({major}, {minor})" in read("Makefile")


def test_ci_runs_all_tests():
    assert {"make test", "make test-browser"} <= set(read(".ci/run").splitlines())
    assert os.access(ROOT / ".ci/run", os.X_OK) or os.name == "nt"


def test_the_readme_names_the_two_commands():
    assert "make lab" in read("README.md") and "make test" in read("README.md")


def test_relative_links_of_the_readme_exist():
    text = read("README.md")
    links = re.findall(r"\]\(<?([^)>\s]+)", text) + re.findall(r"(?:src|href)=\"([^\"]+)\"", text)
    for link in links:
        path = link.split("#")[0]
        if path and not re.match(r"\w+:", link):
            assert (ROOT / path).exists(), f"README.md links to {link}, which is not there."
