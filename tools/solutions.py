"""The lecturer's page: `python -m tools.solutions` writes build/solutions.html.

Each exercise of the lessons with its worked solution, and what the checker says to it when the
page is made.  Students get no such page: it is in no archive, no wheel, and not in the site.
"""

import html
import re
import sys

from nbformat.v4 import new_markdown_cell

from grading.course import assignments
from perceptron_lib.progress import Progress
from tools import ROOT, alone, teaching
from web import build, render

PATH = ROOT / "build" / "solutions.html"
OPENING = """\
<p>For lecturers. Every answer below was checked when this page was made, and the verdict stands
under it. Any other answer that does what is asked is right, too. The homework is solved in
notebooks of its own:</p>
"""


def exercises(lesson):
    """What stands under "Exercises" in a lesson: of each its cells, without the one to fill in."""
    found, number = {}, None
    for cell in lesson.cells:
        if cell.cell_type == "markdown":
            begins = re.search(r"^\*\*(\d+)\.\*\*", cell.source, re.MULTILINE)
            number = begins and f"{lesson.name[:2]}.{begins[1]}"
            if begins:
                found[number] = [new_markdown_cell(cell.source[begins.start() :])]
        elif number and "No answer yet" not in str(cell.outputs):
            found[number].append(cell)
    return found


def page(progress):
    """The whole page as a text."""
    solutions, parts = teaching.sections("solutions"), [OPENING, homework()]
    for lesson in build.notebooks():
        parts.append(f'<h2 id="{lesson.name}">{lesson.title}</h2>\n')
        for number, cells in exercises(lesson).items():
            progress(f"exercise {number}")
            parts.append(solution(solutions[number], cells))
    return alone.page("Worked solutions of the exercises", "".join(parts))


def solution(section, cells):
    """The HTML of an exercise and its solution."""
    code, verdict = teaching.solved(section)
    if not verdict.startswith("✓"):
        raise section.fault(f"the checker of exercise {section.number} says: {verdict}")

    def inside(png):
        return alone.address("image/png", png)

    asked = [render.markdown(cell.source) if cell.cell_type == "markdown"
             else render.shown(cell, inside) for cell in cells]  # fmt: skip
    return "".join([
        f'<h3 id="{section.number}">{section.number} {render.inline(section.title)}</h3>\n',
        f"<blockquote>\n{''.join(asked)}</blockquote>\n",
        render.markdown(section.body.split("```")[0]),
        render.code(code),
        f"<p>{html.escape(verdict)}</p>\n",
    ])  # fmt: skip


def homework():
    """A list of the solved notebooks."""
    solved = [render.Notebook.read(path) for path in assignments().values()]
    rows = [f'<li><a href="../{one.path.relative_to(ROOT).as_posix()}">{one.title}</a></li>'
            for one in solved]  # fmt: skip
    return "<ul>\n" + "\n".join(rows) + "\n</ul>\n"


def main():
    try:
        with Progress() as progress:
            made = page(progress)
    except ValueError as fault:
        sys.exit(str(fault))
    PATH.parent.mkdir(exist_ok=True)
    PATH.write_text(made, encoding="utf-8", newline="\n")
    print(f"{PATH.relative_to(ROOT)}: {len(made) / 1e6:.1f} MB, for lecturers only.")


if __name__ == "__main__":
    main()
