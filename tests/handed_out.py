"""Homework as students have it, and as a test tries it: in this process, without nbgrader."""

import ast
import contextlib
import importlib.util
import io
import re
import sys
import zipfile

import nbformat

from grading.checks import graded
from grading.course import Course, assignments
from grading.frame import mark
from grading.release import release, student_archive

SHORT = {name[:3]: name for name in assignments()}


def archive(folder, seed=None):
    """A course with a release, and the folder that a student unpacks."""
    course = Course(folder / "course")
    release(course, seed)
    with zipfile.ZipFile(student_archive(course, folder / "students.zip")) as made:
        made.extractall(folder)
    return course, folder / "students"


def load(folder, name):
    """The module of an assignment in a folder `checks`, under a name of its own."""
    spec = importlib.util.spec_from_file_location(
        name, folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sys.modules[name])
    (module,) = (path.stem for path in folder.glob("hw?.py"))
    return importlib.import_module(f"{name}.{module}")


def run(path, homework, question=None, code=None):
    """Run a notebook's cells; return its names, and of each question the points and what it says.

    The students' module is `homework`, whatever the notebook imports.  With a question, only that
    one is run, with this code for an answer."""
    names, said = {"homework": homework}, {}
    for cell in nbformat.read(path, as_version=4).cells:
        name = mark(cell).get("grade_id", "")
        other = question and name and name.removesuffix("-answer") != question
        if cell.cell_type != "code" or other:
            continue
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            if mark(cell).get("grade"):
                *body, last = cell.source.splitlines()
                exec("\n".join(body), names)
                said[name] = eval(last, names), printed.getvalue()
            else:
                source = code if code and name else cell.source
                exec(re.sub("from .* as homework", "", source), names)
    return names, said


def points(homework, question, *answers):
    """What the hidden check gives for answers."""
    with contextlib.redirect_stdout(io.StringIO()):
        return getattr(graded(homework), question)(*answers)


def signatures(path):
    """The questions of a notebook that the machine grades, with the names of their answers."""
    found = {}
    for cell in nbformat.read(path, as_version=4).cells:
        if mark(cell).get("grade") and cell.cell_type == "code":
            call = ast.parse(cell.source).body[-1].value
            found[call.func.attr] = [argument.id for argument in call.args]
    return found
