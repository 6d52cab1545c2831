"""The reference of the library, made by pdoc from its docstrings, in the colours of the site.

Docstrings are plain text, not Markdown: a star is a star.  So they are set here, and pdoc gets them
as HTML.
"""

import html
import importlib
import inspect
import re
from pathlib import Path

import pdoc
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonConsoleLexer

from perceptron_lib import lessons

SIGNS = {"&lt;=": "≤", "&gt;=": "≥", "&lt;-": "←", "||": "‖", "**2": "²"}
# A letter, or a name that formulas use, with an index: x_i, w_{t+1}, sum_i.
INDEX = re.compile(r"(?<![\w.])(\w|alpha|beta|sum|min|max)_(?:\{([^}]*)\}|([A-Za-z]{1,3}|\d)\b)")
NAMES = re.compile(r"^(\w[\w, ]*) : ", re.M)  # of parameters, before what they are
SHARED = ("averages", "bounds", "claims", "examples", "exercises", "plots", "widgets")
MODULES = [
    "perceptron_lib", *(f"perceptron_lib.{name}" for name in SHARED),
    *(f"perceptron_lib.lessons.{room}" for room in lessons.ROOMS),
]  # fmt: skip
MADE = ("Alias for field number", "Create new instance of")  # what no one has written


def build(folder):
    """Write the pages, and the index that their search reads, into `folder`."""
    pages = {}
    for name in MODULES:
        module = importlib.import_module(name)
        module.__all__ = public(module)
        pages[name] = pdoc.doc.Module(module)
    for page in pages.values():
        set_docstrings(page)
    web = Path(__file__).parent
    pdoc.render.configure(
        template_directory=web / "templates/reference", include_undocumented=False
    )
    style = (web / "assets/page.css").read_text(encoding="utf-8")
    pdoc.render.env.globals["colours"] = style.split("\nbody {")[0]  # of the site, light and dark
    files = {f"{name.replace('.', '/')}.html": pdoc.render.html_module(page, pages)
             for name, page in pages.items()}  # fmt: skip
    files["index.html"], files["search.js"] = (
        made(pages) for made in (pdoc.render.html_index, pdoc.render.search_index)
    )
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def public(module):
    """The names that a module hands out: its own, and those that a package takes from its parts."""
    inside = module.__name__ + "." if hasattr(module, "__path__") else module.__name__
    return [name for name, thing in vars(module).items() if not name.startswith("_")
            and callable(thing) and f"{thing.__module__}.".startswith(inside)]  # fmt: skip


def set_docstrings(doc):
    """Put HTML in the place of the docstrings of a page, and of all that is on it."""
    vars(doc)["docstring"] = "" if doc.docstring.startswith(MADE) else words(doc.docstring)
    for member in getattr(doc, "members", {}).values():
        if member.kind != "module":
            set_docstrings(member)


def words(text):
    """A docstring as HTML: paragraphs, examples, lists of points and of parameters.

    >>> words("The `Run` of w_i, 2 * n.\\n\\n- one\\n- two")
    '<p>The <code>Run</code> of w<sub>i</sub>, 2 * n.</p>\\n\\n<ul><li>one</li><li>two</li></ul>'
    """
    return "\n\n".join(map(block, filter(str.strip, re.split(r"\n *\n", text))))


def block(text):
    if text.startswith(">>>"):
        lines = highlight(text, PythonConsoleLexer(), HtmlFormatter(nowrap=True)).rstrip("\n")
        return f'<div class="pdoc-code"><pre tabindex="0"><code>{lines}</code></pre></div>'
    if text.startswith("    "):
        return f'<pre tabindex="0"><code>{html.escape(inspect.cleandoc(text))}</code></pre>'
    if text.startswith("- "):
        points = (f"<li>{inline(point)}</li>" for point in re.split(r"^- ", text, flags=re.M)[1:])
        return f"<ul>{''.join(points)}</ul>"
    text = re.sub(r"^\w+\n-+\n", "", text)  # "Parameters", underlined
    if NAMES.match(text):
        _, *parts = NAMES.split(text)
        told = zip(parts[::2], parts[1::2], strict=True)
        return f"<dl>{''.join(f'<dt>{name}</dt><dd>{inline(is_)}</dd>' for name, is_ in told)}</dl>"
    return f"<p>{inline(text)}</p>"


def inline(text):
    """Code in backquotes, emphasis, and formulas as one types them."""
    pieces = re.split(r"(`+)(.+?)\1", html.escape(" ".join(text.split()), quote=False))
    for k, piece in enumerate(pieces[::3]):
        for typed, sign in SIGNS.items():
            piece = piece.replace(typed, sign)
        piece = INDEX.sub(lambda m: f"{m[1]}<sub>{m[2] or m[3]}</sub>", piece)
        pieces[3 * k] = re.sub(r"(?<![\w*])\*(\w+)\*(?![\w*])", r"<em>\1</em>", piece)
    pieces[1::3] = ["<code>"] * len(pieces[1::3])
    pieces[2::3] = [f"{code}</code>" for code in pieces[2::3]]
    return "".join(pieces)
