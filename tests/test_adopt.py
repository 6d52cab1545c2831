"""What an adopter sets and finds: the repository's address, the links, the copy for students."""

import json
import re

import pytest

from grading import release
from tests.test_project import PROJECT, read
from tools import ROOT, address
from web import render, sources

HERE = "https://github.com/ada/perceptron"


@pytest.fixture(params=["", HERE, "https://git.example.org/ada/perceptron"])
def setting(request, monkeypatch):
    """The address that pyproject.toml has for once."""
    found = address.repository
    monkeypatch.setattr(
        address, "repository", lambda given=None: found(request.param if given is None else given)
    )
    return request.param


def test_every_link_leads_to_the_students_branch_and_while_there_is_no_address_there_is_none(
    setting,
):
    links = [address.colab("01_algorithm"), address.binder("01_algorithm"), address.codespaces(),
             address.hub("https://hub.example.org", "01_algorithm")]  # fmt: skip
    known = [link for link in links if link]
    assert len(known) == {"": 0, HERE: 4}.get(setting, 2)
    assert all("students" in link and re.fullmatch(r"https://[^\s\"<>]+", link) for link in known)


def test_a_page_links_to_what_there_is(setting):
    (lesson,) = render.notebooks("01_*")
    outside = re.findall(r'<a href="(https:[^"]*)">([\w ]+)</a>', sources.ways(lesson))
    slips = ["Report a slip"] * (setting == HERE)
    assert [name for _, name in outside] == [n for n, _ in address.ways("01_algorithm")] + slips
    assert len(outside) == {"": 0, HERE: 3}.get(setting, 1)
    downloaded = address.lesson(lesson.path)
    assert (downloaded == read("notebooks/01_algorithm.ipynb")) == (setting == "")


def first_cell(text):
    cell = next(cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "code")
    return "".join(cell["source"])


@pytest.mark.parametrize("path", sorted((ROOT / "notebooks").glob("*.ipynb")), ids=lambda p: p.stem)
def test_the_first_cell_of_a_lesson_can_install_the_library(path):
    stored = path.read_text(encoding="utf-8")
    assert first_cell(stored).startswith("# Not installed? Run ")
    assert address.lesson(path, "") == stored
    made = first_cell(address.lesson(path, HERE))
    install = f"try:\n    import perceptron_lib\nexcept ImportError:  # as on Colab: install the " \
              f"library\n    %pip install --quiet git+{HERE}@students\n\n"  # fmt: skip
    assert made == install + first_cell(stored).split("\n", 1)[1]
    rest = json.loads(address.lesson(path, HERE))["cells"], json.loads(stored)["cells"]
    changed = [a["id"] for a, b in zip(*rest, strict=True) if a != b]
    assert len(changed) == 1


@pytest.mark.parametrize("given", ["github.com/ada/p", "git@github.com:ada/p.git", "https://", "x"])
def test_an_address_that_is_none_is_refused_in_one_sentence(given):
    with pytest.raises(SystemExit, match=r"must be empty or an address such as https://.*, not '"):
        address.repository(given)


def test_a_text_names_the_address_if_there_is_one():
    assert address.filled("git clone <repository>", "") == "git clone <repository>"
    assert address.filled("git clone <repository>", HERE) == f"git clone --branch students {HERE}"
    assert read("README.md").count(f"git clone {address.PLACEHOLDER}") == 1


def test_what_is_left_out_is_not_linked_from_wherever_the_page_stands():
    text = "[a](grading/), ![b](solutions.png), [c](teaching/solutions.md#x), [d](README.md)"
    assert release.without_links(text) == "a, ![b](solutions.png), c, [d](README.md)"
    assert release.without_links("[a](solutions.md), [b](../tests)", "teaching") == "a, b"


# --- files for other programs -------------------------------------------------------------------


def targets():
    return set(re.findall(r"^([a-z-]+):.*## ", read("Makefile"), re.MULTILINE))


@pytest.mark.parametrize("name", ["test", "pages", "release"])
def test_a_workflow_runs_make_and_hardly_more(name):
    commands = re.findall(r"- run: (.*)", read(f".github/workflows/{name}.yml"))
    assert commands
    for command in commands:
        if command.startswith("make "):
            assert command.split()[1] in targets()
        else:
            assert command == ".ci/run" or command.startswith("gh release create ")


def test_what_a_guide_calls_is_there():
    guides = ["README.md", "CONTRIBUTING.md", *map(str, (ROOT / "teaching").glob("*.md"))]
    for name in guides:
        text = (ROOT / name).read_text(encoding="utf-8")
        called = set(re.findall(r"(?:^    |`)make ([a-z-]+)", text, re.MULTILINE))
        assert called <= targets(), name


def test_binder_installs_the_library_with_a_python_that_it_takes():
    installed = [line for line in read(".binder/requirements.txt").splitlines() if line[0] != "#"]
    assert installed == ["."]
    python = re.fullmatch(r"python-3\.(\d+)\n", read(".binder/runtime.txt"))
    assert int(python[1]) >= int(PROJECT["requires-python"].removeprefix(">=3."))
