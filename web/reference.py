"""The reference of the library: which modules it tells of, and docstrings as Sphinx reads them.

Docstrings are plain text: a star is a star, and `x` in backquotes is code.
"""

import importlib
import re

from perceptron_lib import lessons

FIRST = ("perceptron", "margin_perceptron", "separate", "Run")  # what a reader looks for
SHARED = ("examples", "bounds", "averages", "plots", "claims", "widgets", "exercises")
ROOMS = tuple(f"lessons.{room}" for room in lessons.ROOMS)
EXAMPLE = re.compile(r"((?:^ *>>>.*\n?)(?:^ *\S.*\n?)*)", re.M)
PARAMETER = re.compile(r"^(\w[\w, ]*) : (.*)$", re.M)
SECTION = re.compile(r"^\w+\n---+$", re.M)
SIGNS = {"<=": "≤", ">=": "≥", "<-": "←", "||": "‖", "**2": "²"}


def public(name):
    """The names that a module hands out: its own, and those that a package takes from its parts."""
    module = importlib.import_module(f"perceptron_lib.{name}" if name else "perceptron_lib")
    inside = module.__name__ + "." if hasattr(module, "__path__") else module.__name__
    return [name for name, thing in vars(module).items() if not name.startswith("_")
            and callable(thing) and f"{thing.__module__}.".startswith(inside)]  # fmt: skip


def directives():
    """For each part its title and what Sphinx's autodoc is to tell of it."""
    told = set()
    for module, first in [("", FIRST), *((module, ()) for module in (*SHARED, *ROOMS))]:
        whole = f"perceptron_lib.{module}".rstrip(".")
        names = [*first, *(name for name in public(module) if name not in first)]
        things = {name: getattr(importlib.import_module(whole), name) for name in names}
        yield whole, [entry(f"{whole}.{name}") for name, thing in things.items()
                      if thing not in told]  # fmt: skip
        told |= set(things.values())


def entry(name):
    module, _, last = name.rpartition(".")
    kind = "class" if isinstance(getattr(importlib.import_module(module), last), type) else "function"
    options = "\n   :members:\n   :member-order: bysource" * (kind == "class")
    return f".. auto{kind}:: {name}{options}"


def plain(app, what, name, thing, options, lines):
    """A docstring as reStructuredText that says the same: examples as they are, the rest plain."""
    parts = EXAMPLE.split("\n".join(lines))
    parts[::2] = [PARAMETER.sub(r"\1\n    \2", escaped(part)) for part in parts[::2]]
    if SECTION.search(parts[0]) and len(parts) > 1:
        parts[0] += "Examples\n--------\n"
    lines[:] = "".join(parts).split("\n")


def escaped(text):
    r"""
    >>> escaped("the `Run` of w_ and 2 * n, |x| <= 1")
    'the \\ ``Run``\\  of w\\_ and 2 \\* n, \\|x\\| ≤ 1'
    """
    pieces = re.split(r"`+([^`]+)`+", text)
    for k, piece in enumerate(pieces[::2]):
        for typed, sign in SIGNS.items():
            piece = piece.replace(typed, sign)
        piece = re.sub(r"(?<![\w*])\*(\w+)\*(?![\w*])", "\0\\1\0", piece)
        pieces[2 * k] = re.sub(r"([*|]|_(?!\w))", r"\\\1", piece).replace("\0", "*")
    pieces[1::2] = [f"\\ ``{code}``\\ " for code in pieces[1::2]]  # a letter may stand beside it
    return "".join(pieces)
