"""Every public name of the library says what it is, has an example, and is in the reference."""

import doctest
import importlib
import inspect
import re
from functools import cache

import pytest

import perceptron_lib
from web import reference


def public():
    """What one can type after `perceptron_lib.`: functions and classes, by name."""
    for name in perceptron_lib.__all__:
        thing = getattr(perceptron_lib, name)
        yield from of_module(name, thing) if inspect.ismodule(thing) else [(name, thing)]


def of_module(name, module):
    own = [key for key, thing in vars(module).items()
           if key[0] != "_" and getattr(thing, "__module__", "") == module.__name__]  # fmt: skip
    for key in getattr(module, "__all__", own):
        if callable(getattr(module, key)):
            yield f"{name}.{key}", getattr(module, key)


@cache
def examples(module):
    """The functions and classes of a module whose examples pytest finds there."""
    found = doctest.DocTestFinder(exclude_empty=True).find(importlib.import_module(module))
    return {test.name for test in found if test.examples}


@pytest.mark.parametrize(("name", "thing"), list(public()))
def test_a_public_name_says_what_it_is_and_has_an_example_that_is_run(name, thing):
    assert not (inspect.getdoc(thing) or ">>>").startswith(">>>"), f"{name} does not say what it is"
    where = thing.__module__
    assert f"{where}.{thing.__name__}" in examples(where), f"{name} has no example"


def test_the_reference_has_every_public_name_and_asks_no_other_server(tmp_path):
    reference.build(tmp_path / "reference")
    top = tmp_path / "reference/perceptron_lib.html"
    pages = {path: path.read_text(encoding="utf-8") for path in tmp_path.rglob("*.html")}
    for name, _ in public():
        module, _, own = name.rpartition(".")
        page = top.with_suffix("") / f"{module}.html" if module else top
        assert f'<section id="{own}">' in pages[page], name
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
