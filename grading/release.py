"""What students get: the notebooks without solutions, and a copy of the collection with them.

An assignment is cut from its solved notebook by nbgrader.  What it needs lies beside it, in the
folder `checks`: the package `grading.handout`, with the data of this release.  These are the usual
ones, or others of the same kind made from a seed.  The course keeps the seed in `release.json`, and
grades by it whatever a submission says.
"""

import json
import os
import posixpath
import re
import shutil
import subprocess
import tempfile
import zipfile
from pathlib import Path

import nbformat

from grading.cage import ROOT
from grading.checks import handed_out
from grading.course import assignments, nbgrader, succeed
from grading.feedback import questions
from grading.frame import beside
from tools import address

HANDOUT = Path(__file__).with_name("handout")
LEFT_OUT = (
    "notebooks/homework/", "grading/", "teaching/solutions", "tests/", "conftest.py", ".ci/",
    ".github/", "CONTRIBUTING.md",
)  # fmt: skip
TO_STUDENTS = """\
# {title}

Open `{name}.ipynb` in JupyterLab: put this folder into the `notebooks` folder of the collection
and start it with `make lab`, as its README says. (The folder `checks`, which tells you what is
right, must stay beside the notebook.) Answer the questions, run every cell from top to bottom
(Run, Restart Kernel and Run All Cells), save, and hand in the one file `{name}.ipynb`.

`make check HW=notebooks/{name}/{name}.ipynb` in the collection tells you, question by question,
what would be graded.
"""


def release(course, seed=None):
    """Cut the students' version of every assignment; return the folders."""
    made, api = [], nbgrader(course.folder)
    for name in assignments():
        write_source(course.folder / "source" / name, name, seed)
        succeed(api.generate_assignment(name), f"cutting {name}")
        folder = course.folder / "release" / name
        text = TO_STUDENTS.format(title=questions(solved(name))[0], name=name)
        (folder / "README.md").write_text(text, encoding="utf-8")
        shutil.make_archive(str(folder), "zip", folder.parent, name)
        made.append(folder)
    (course.folder / "release.json").write_text(json.dumps({"seed": seed}), encoding="utf-8")
    return made


def released_seed(course):
    """The seed of the last release of a course, which is None for the usual data."""
    path = course.folder / "release.json"
    return json.loads(path.read_text(encoding="utf-8"))["seed"] if path.exists() else None


def write_source(folder, name, seed=None):
    """What nbgrader cuts from: the solved notebook, with its checks and their data beside it."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "checks").mkdir(parents=True)
    for module in ("__init__", "__main__", "answers", "asked", name[:3]):
        shutil.copy(HANDOUT / f"{module}.py", folder / "checks")
    text = json.dumps(material(name, seed), ensure_ascii=False)
    (folder / "checks" / f"{name[:3]}.json").write_text(text, encoding="utf-8")
    nb = solved(name)
    for cell in nb.cells:
        cell.source = beside(cell.source)
    nb.metadata["homework"] = {"assignment": name, "seed": seed}
    nbformat.write(nb, folder / f"{name}.ipynb")


def material(name, seed=None):
    """The data file of an assignment: its questions, and what they are about."""
    return {**handed_out(name, seed), "questions": questions(solved(name))[1]}


def solved(name):
    return nbformat.read(assignments()[name], as_version=4)


def student_archive(course, path, repository=None):
    """The collection without solutions, tests and grader, but with what was released, as a zip.

    Its texts and the first cells of its lessons know the repository's address."""
    path.parent.mkdir(parents=True, exist_ok=True)
    top = Path(path.stem)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in collection():
            if file.as_posix().startswith(LEFT_OUT):
                continue
            elif file.suffix == ".md":
                text = without_links((ROOT / file).read_text("utf-8"), file.parent.as_posix())
                text = re.sub(r"(?m)^    make test\b.*\n", "", text)  # there are no tests in it
                archive.writestr(str(top / file), address.filled(text, repository))
            elif file.suffix == ".ipynb":
                archive.writestr(str(top / file), address.lesson(ROOT / file, repository))
            else:
                archive.write(ROOT / file, top / file)
        for file in sorted((course.folder / "release").glob("*/**/*")):
            if file.is_file():
                inside = file.relative_to(course.folder / "release")
                archive.write(file, top / "notebooks" / inside)
    return path


def without_links(text, folder="."):
    """A page of a folder that links to no file that is left out.

    >>> without_links("[One](plan.md), [two](solutions.md#02), [three](../tests/)", "teaching")
    '[One](plan.md), two, three'
    """

    def kept(link):
        target = posixpath.normpath(posixpath.join(folder, link[2]))
        return link[1] if f"{target}/".startswith(LEFT_OUT) else link[0]

    return re.sub(r"(?<!!)\[([^]]*)\]\(([^)#\s]+)[^)]*\)", kept, text)


def student_branch(archive, clone=ROOT):
    """Commit what is in the archive to the branch `students` of a clone, and nothing else to no
    other; the clone's files and index stay as they are.  Returns a sentence on what was done."""

    def git(*arguments, **more):
        done = subprocess.run(
            ["git", *arguments], cwd=clone, env=os.environ | more, capture_output=True, text=True
        )
        if done.returncode:
            raise SystemExit(f"git {arguments[0]}: {(done.stderr or done.stdout).strip()}")
        return done.stdout.strip()

    branch, from_origin = f"refs/heads/{address.BRANCH}", f"refs/remotes/origin/{address.BRANCH}"
    if f"branch {branch}" in git("worktree", "list", "--porcelain").splitlines():
        raise SystemExit(f"The branch {address.BRANCH} is checked out; switch to another first.")
    known = git("for-each-ref", "--format=%(objectname)", branch, from_origin).splitlines()
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(archive) as packed:
        packed.extractall(folder)
        place = {"GIT_INDEX_FILE": f"{folder}/.index", "GIT_WORK_TREE": f"{folder}/{archive.stem}",
                 "GIT_DIR": git("rev-parse", "--absolute-git-dir")}  # fmt: skip
        git("add", "--all", "--force", f"{folder}/{archive.stem}", **place)
        tree = git("write-tree", **place)
    if known and git("rev-parse", f"{known[0]}^{{tree}}") == tree:
        git("update-ref", branch, known[0])
        return f"the branch {address.BRANCH} is as it was"
    message = f"The collection without solutions, from {git('describe', '--always', '--dirty')}"
    parent = ["-p", known[0]] if known else []
    git("update-ref", branch, git("commit-tree", tree, *parent, "-m", message))
    return f"committed to the branch {address.BRANCH}: {message}"


def collection():
    """The files of the collection: what git knows of, or all but what was built."""
    done = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    if done.returncode == 0 and done.stdout:
        return [Path(name) for name in done.stdout.split("\0") if name and (ROOT / name).is_file()]
    files = [path.relative_to(ROOT) for path in sorted(ROOT.rglob("*")) if path.is_file()]
    built = re.compile(r"\.|build$|__pycache__$|.*\.egg-info$")
    return [file for file in files if not any(map(built.match, file.parts))]
