"""Docstrings of the library as Sphinx reads them: plain text, in which a star is a star."""

import re

EXAMPLE = re.compile(r"((?:^ *>>>.*\n?)(?:^ *\S.*\n?)*)", re.M)
PARAMETER = re.compile(r"^(\w[\w, ]*) : (.*)$", re.M)
SECTION = re.compile(r"^\w+\n---+$", re.M)
SIGNS = {"<=": "≤", ">=": "≥", "<-": "←", "||": "‖", "**2": "²"}


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
