"""Lessons and texts as Sphinx reads them: what the builder needs is added on the way.

The sources stay plain notebooks and plain Markdown.  Here their links are turned to the pages of
the site, theorems get a class, code that only makes a table is folded, and every output becomes
HTML, a picture in two renderings, for light and for dark pages.
"""

import ast
import html
import json
import re
from pathlib import PurePosixPath
from urllib.parse import quote, unquote

from nbformat.v4 import new_markdown_cell, new_output

from tools import address
from web import render

PLACES = {"notebooks": "read", "teaching": "teach", "web/decks": "slides"}
HOMEWORK = "notebooks/homework/README", "teaching/homework"  # which becomes a text for lecturers
LINK = re.compile(r"(?<!!)\[([^\[\]]*(?:\[[^\]]*\])?[^\[\]]*)\]\(<?([^\s()<>]+)>?\)")
BOX = re.compile(r"(?m)^(> \*\*(Theorem|Lemma|Claim|Corollary|Fact|Proof|Algorithm|Definition))")
EXERCISE = re.compile(r"(?m)^\*\*(\d)\.\*\*")
LEADS = '<a href="{}"><em>{}</em></a>'
SLIDE = re.compile(r'(?<!\*)\*([^*\n"][^*\n]*)\*(?!\*)')


def links(text, folder):
    """Markdown from `folder` of the project with its links turned to the pages of the site; what
    the site does not have is no link.

    >>> links("[a](../web/decks/03_x.md), [b](03_x.ipynb#When-is-$K$-%28so%29?)", "notebooks")
    '[a](to:slides/03_x.html), [b](03_x.ipynb#when-is-so)'
    """

    def turned(found):
        said, url = found.groups()
        path, _, heading = url.partition("#")
        if re.match(r"\w+:", url):
            return found[0]
        if path:
            whole = PurePosixPath(folder, path).as_posix()
            while (shorter := re.sub(r"[\w.]+/\.\./", "", whole, count=1)) != whole:
                whole = shorter
            whole = whole.replace(*HOMEWORK)
            place, name = PLACES.get(str(PurePosixPath(whole).parent)), PurePosixPath(whole)
            if not place or name.suffix not in (".md", ".ipynb"):
                return said
            if place == "slides":
                return f"[{said}](to:slides/{name.stem}.html)"
            path = name.name if place == PLACES.get(folder) else f"../{place}/{name.name}"
        anchor = re.sub(r"\$[^$]*\$", "", unquote(heading))
        return f"[{said}]({path}{'#' * bool(heading)}{render.slug(anchor)})"

    return LINK.sub(turned, text)


def markdown(text, folder):
    """The Markdown of a cell or a text: links, boxes, formulas in the summary of a fold, and an end
    of a proof that never wraps alone."""
    text = BOX.sub(lambda m: f"{{.box .{m[2].lower()}}}\n{m[1]}", links(text, folder))
    text = render.SUMMARY.sub(lambda m: render.FORMULA.sub(render.SET, m[0]), text)
    return text.replace(" ∎", "\N{NO-BREAK SPACE}∎")


def lesson(notebook, save, dark=None):
    """The notebook that Sphinx reads, as JSON; `save(png)` stores a picture and tells its address,
    and `dark` has the pictures for dark pages by the tags of their cells."""
    cells, practice = [], False
    for cell in notebook.cells:
        cell = cell.copy()
        cells.append(cell)
        if cell.cell_type == "markdown":
            practice = practice or cell.source.startswith("## Exercises")
            cell.source = markdown(cell.source, "notebooks")
            if practice and EXERCISE.match(cell.source):
                place = f"../{notebook.live}&cell={quote(cell.id)}"
                cell.source += f'\n\n<a class="at-cell" href="{place}">Solve it live</a>'
        else:
            show = [tag for tag in cell.metadata.get("tags", []) if tag.startswith("show-")]
            look = (dark or {}).get(show[0]) if show else None
            cell.metadata, made = folded(cell.source), render.shown(cell, save)
            if look and made.count("<img") == 1 and "explorer" not in made:
                made = both(made, save(look))
            cell.outputs = [new_output("display_data", {"text/html": made})] if made else []
    cells[1:1] = [new_markdown_cell(ways(notebook))] if notebook.number.isdigit() else []
    text = {"cells": cells, "metadata": {"kernelspec": KERNEL}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(text, ensure_ascii=False)


KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}


def both(made, dark):
    """A picture for light pages, and the same for dark ones; one of them is not displayed."""
    return re.sub(r'<img src="(.*?)"( .*?)>', lambda m: (
        f'<img src="{m[1]}" class="only-light"{m[2]}>\n'
        f'<img src="{dark}" class="only-dark" loading="lazy"{m[2]}>'), made)  # fmt: skip


def folded(source):
    """How a cell of code is shown: imports, and what only makes a table, are folded."""
    body = ast.parse(source).body
    if all(isinstance(line, ast.Import | ast.ImportFrom) for line in body):
        said = "Set-up"
    elif len(source.splitlines()) > 2 and makes_a_table(body):
        said = "Code of this table"
    else:
        return {}
    said = {"code_prompt_show": said, "code_prompt_hide": said}
    return {"tags": ["hide-input"], "mystnb": said}


def makes_a_table(body):
    """Whether the last line is a table, and nothing before it is worth reading: a loop, say."""
    call = getattr(body[-1], "value", None)
    if getattr(getattr(call, "func", None), "id", "") == "answer":
        call = call.args[0]
    name = getattr(call, "func", None)
    made = getattr(name, "id", getattr(name, "attr", "")) == "table"
    return made and not any(isinstance(line, ast.FunctionDef) for line in body)


def ways(notebook):
    """Where else a lesson can be had, in a line below its title."""
    name = notebook.name
    found = [("Slides", f"../slides/{name}.html"), ("Live", f"../{notebook.live}"),
             ("Download", f"../notebooks/{name}.ipynb"), *address.ways(name)]  # fmt: skip
    if repository := address.on_github():
        title = quote(f"Lesson {notebook.number}: ")
        found.append(("Report a slip", f"https://github.com/{repository}/issues/new?title={title}"))
    made = "".join(f'<a href="{html.escape(link)}"{" download" * (said == "Download")}>{said}</a>'
                   for said, link in found)  # fmt: skip
    return f'<p class="ways">{made}</p>'


def plan(text, decks):
    """The plan, in which the titles of slides lead to them; `decks` has the addresses of slides by
    their titles, deck by deck, and all together under None."""
    parts = re.split(r"(?m)^(?=## \d)", text)
    for k, part in enumerate(parts):
        known = decks[k or None]
        parts[k] = SLIDE.sub(
            lambda m, known=known: LEADS.format(known[m[1]], m[1]) if m[1] in known else m[0], part
        )
    return "".join(parts)
