"""Every public name of the library says what it is, has an example, and is in the reference."""

import doctest
import importlib
import inspect
import re
from functools import cache

import nbformat
import pytest

from tools import ROOT
from web import reference

CODE = "\n".join(cell.source for path in ROOT.glob("notebooks/*.ipynb")
                 for cell in nbformat.read(path, 4).cells if cell.cell_type == "code")  # fmt: skip
TYPED = set(re.findall(r"\b(\w+\.\w+)\(", CODE))  # what the lessons call


def public():
    """Functions and classes, by the page of the reference that they are on and their name."""
    for page in reference.MODULES:
        module = importlib.import_module(page)
        yield from ((page, name, getattr(module, name)) for name in reference.public(module))


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


def test_the_reference_has_every_public_name_and_asks_no_other_server(tmp_path):
    reference.build(tmp_path / "reference")
    pages = {path: path.read_text(encoding="utf-8") for path in tmp_path.rglob("*.html")}
    for module, name, _ in public():
        page = tmp_path / "reference" / f"{module.replace('.', '/')}.html"
        assert f'<section id="{name}">' in pages[page], name
    for page, text in pages.items():
        assert not re.search(r'<(script|link|img)[^>]*="(https?:)?//', text), page
        for link in re.findall(r'href="([^"#?:]+\.html)', text):
            if not link.endswith("index.html"):  # which is the site's
                assert (page.parent / link).resolve() in pages, f"{page} links to {link}"


def test_docstrings_are_set_as_they_are_meant():
    formulas = "w_{t+1} <= ||u||**2, `a_b` *all* y * z."
    parameters = "Parameters\n----------\nx, y : an x_i\n    of z"
    assert reference.words(f"{formulas}\n\n{parameters}") == (
        "<p>w<sub>t+1</sub> ≤ ‖u‖², <code>a_b</code> <em>all</em> y * z.</p>\n\n"
        "<dl><dt>x, y</dt><dd>an x<sub>i</sub> of z</dd></dl>"
    )
