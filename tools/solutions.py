"""The lecturer's page: `python -m tools.solutions` writes build/solutions.html.

Each exercise of the lessons with its worked solution, and what the checker says to it when the
page is made.  It needs no other file.  Students get no such page:
it is in no archive, no wheel, and not in the site.
"""

import base64
import html
import re
import sys

from grading.course import assignments
from tools import ROOT, teaching
from web import build, render

PATH = ROOT / "build" / "solutions.html"
STYLE = """\
body { max-width: 46rem; margin: 0 auto; padding: 1rem; font: 1.05rem/1.6 sans-serif; }
blockquote { margin: 1rem 0; padding: 0.1rem 1rem; border-left: 4px solid #d55e00; }
pre { overflow-x: auto; padding: 0.6rem 0.9rem; background: #f5f6f8; line-height: 1.4; }
img { max-width: 100%; height: auto; }
"""
PAGE = """\
<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Worked solutions of the exercises</title>
<style>{style}</style>
<main>
<h1>Worked solutions of the exercises</h1>
<p>For lecturers. Every answer below was checked when this page was made, and the verdict stands
under it. Any other answer that does what is asked is right, too. The homework is solved in
notebooks of its own:</p>
<ul>{homework}</ul>
{content}
</main>
"""


def exercises(lesson):
    """What stands under "Exercises" in a lesson: of each its HTML, without the cell to fill in."""
    asked, number = {}, None
    for cell in lesson.cells:
        if cell.cell_type == "markdown":
            begins = re.search(r"^\*\*(\d+)\.\*\*", cell.source, re.MULTILINE)
            number = begins and f"{lesson.name[:2]}.{begins[1]}"
            if begins:
                asked[number] = render.markdown(cell.source[begins.start() :])
        elif number and "No answer yet" not in str(cell.outputs):
            asked[number] += render.shown(cell, lambda png: inside("image/png", png))
    return asked


def inside(kind, data):
    """Bytes as an address that has them in it."""
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"


def solution(section, asked):
    """The HTML of an exercise and its solution."""
    code, verdict = teaching.solved(section)
    if not verdict.startswith("✓"):
        raise section.fault(f"the checker of exercise {section.number} says: {verdict}")
    return (
        f'<h3 id="{section.number}">{section.number} {render.inline(section.title)}</h3>\n'
        f"<blockquote>\n{asked}</blockquote>\n{render.markdown(section.body.split('```')[0])}"
        f"{render.code(code)}<p>{html.escape(verdict)}</p>\n"
    )


def page(style=""):
    """The whole page, its formulas not yet set."""
    solutions, content = teaching.sections("solutions"), ""
    for lesson in render.notebooks():
        content += f'<h2 id="{lesson.name}">{lesson.title}</h2>\n'
        for number, asked in exercises(lesson).items():
            content += solution(solutions[number], asked)
    homework = "".join(f'<li><a href="../{path.relative_to(ROOT).as_posix()}">'
                       f"{render.Notebook.read(path).title}</a></li>\n"
                       for path in assignments().values())  # fmt: skip
    return PAGE.format(style=style, homework=homework, content=content)


def styles(katex):
    """A plain style sheet, and that of KaTeX with its fonts in it."""
    return STYLE + re.sub(
        r"src:url\((fonts/[^)]*\.woff2)\)[^}]*",
        lambda font: f"src:url({inside('font/woff2', (katex / font[1]).read_bytes())})",
        (katex / "katex.min.css").read_text(encoding="utf-8"),
    )


if __name__ == "__main__":
    katex = build.npm_packages() / "katex" / "dist"
    try:
        text = render.set_formulas({"": page(styles(katex))}, katex / "katex.mjs")[""]
    except ValueError as fault:
        sys.exit(str(fault))
    PATH.parent.mkdir(exist_ok=True)
    PATH.write_text(text, encoding="utf-8", newline="\n")
    print(f"{PATH.relative_to(ROOT)}: {len(text) / 1e6:.1f} MB, for lecturers only.")
