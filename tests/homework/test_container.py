"""The container in which homework is graded: its file and the command for it name what exists."""

import json
import re
import shlex
import tomllib

from grading.__main__ import read_options
from grading.cage import GET_IT, ROOT

FILE = (ROOT / "grading" / "Containerfile").read_text(encoding="utf-8").replace("\\\n", "")
PAGE = (ROOT / "notebooks" / "homework" / "README.md").read_text(encoding="utf-8")


def lines(word):
    return re.findall(rf"^{word} (.*)$", FILE, re.MULTILINE)


def test_the_container_has_what_the_cage_needs():
    [packages] = re.findall(r"--no-install-recommends ([\w ]+?) *&&", FILE)
    [needed] = re.findall(r"apt install ([\w ]+);", GET_IT)
    assert set(needed.split()) <= set(packages.split())


def test_what_is_copied_and_installed_exists():
    for line in lines("COPY"):
        *sources, _ = line.split()
        assert all((ROOT / source).exists() for source in sources)
    [extra] = re.findall(r'pip install .*"\.\[(\w+)\]"', FILE)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert any("nbgrader" in needed for needed in project["optional-dependencies"][extra])
    oldest = tuple(map(int, re.findall(r"\d+", project["requires-python"])))
    assert tuple(map(int, re.search(r"python:(\d+)\.(\d+)-slim", FILE).groups())) >= oldest


def test_the_command_on_the_page_starts_what_the_file_says():
    [command] = re.findall(r"^ +(docker run (?:.*\\\n)*.*)$", PAGE, re.MULTILINE)
    built = re.search(r"\$\(docker build (.*?)\)", command)[1].split()
    assert built[-1] == "." and (ROOT / built[built.index("-f") + 1]).is_file()
    [place] = lines("WORKDIR")
    assert f'-v "${{PWD}}:{place}"' in command, "the clone is where the container works"
    entry = json.loads(lines("ENTRYPOINT")[0])
    assert entry[:3] == ["python", "-m", "grading"]
    arguments = shlex.split(re.sub(r"\$\(docker build .*?\)", "IMAGE", command.replace("\\\n", "")))
    options, _ = read_options([*entry[3:], *arguments[arguments.index("IMAGE") + 1 :]])
    assert options.command == "grade" and not options.without_isolation
