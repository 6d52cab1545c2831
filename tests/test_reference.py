"""Every public name of the library says what it is and has an example."""

import doctest
import importlib
import inspect
import re
from functools import cache

import nbformat
import pytest

from perceptron_lib import lessons
from tools import ROOT
from web import reference

SHARED = ("averages", "bounds", "claims", "examples", "exercises", "plots", "widgets")
MODULES = [*SHARED, *(f"lessons.{room}" for room in lessons.ROOMS)]

CODE = "\n".join(cell.source for path in ROOT.glob("notebooks/*.ipynb")
                 for cell in nbformat.read(path, 4).cells if cell.cell_type == "code")  # fmt: skip
TYPED = set(re.findall(r"\b(\w+\.\w+)\(", CODE))  # what the lessons call


def public():
    """Functions and classes, by the module that hands them out and their name."""
    for page in ("perceptron_lib", *(f"perceptron_lib.{name}" for name in MODULES)):
        module = importlib.import_module(page)
        inside = f"{page}." if hasattr(module, "__path__") else page
        yield from ((page, name, thing) for name, thing in vars(module).items() if callable(thing)
                    and name[0] != "_" and f"{thing.__module__}.".startswith(inside))  # fmt: skip


@cache
def examples(module):
    """The functions and classes of a module whose examples pytest finds there."""
    found = doctest.DocTestFinder(exclude_empty=True).find(importlib.import_module(module))
    return {test.name for test in found if test.examples}


@pytest.mark.parametrize(("page", "name", "thing"), list(public()))
def test_a_public_name_says_what_it_is_and_has_an_example_that_is_run(page, name, thing):
    assert not (inspect.getdoc(thing) or ">>>").startswith(">>>"), f"{name} does not say what it is"
    where = thing.__module__
    if f"{page.rpartition('.')[2]}.{name}" in TYPED and not hasattr(thing, "exercise"):
        assert f"{where}.{thing.__name__}" in examples(where), f"{name} has no example"


def test_docstrings_are_set_as_they_are_meant():
    lines = ["w_{t+1} <= ||u||**2, `a_b` *all* y * z.", "", "Parameters", "----------",
             "x, y : an x_i", "    of z", "", ">>> 2 * 3", "6"]  # fmt: skip
    reference.plain(None, None, None, None, None, lines)
    assert lines[0] == "w\\_{t+1} ≤ ‖u‖², \\ ``a_b``\\  *all* y \\* z."
    assert lines[4:7] == ["x, y", "    an x_i", "    of z"]
    assert lines[-4:] == ["Examples", "--------", ">>> 2 * 3", "6"]
