"""Every public name of the library says what it is, and has an example that pytest runs."""

import doctest
import importlib
import inspect
from functools import cache

import pytest

import perceptron_lib


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
