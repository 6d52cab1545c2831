"""Every figure of the lessons for one's own slides: `python -m tools.figures [03 …]`.

The lessons are run again, and each picture is drawn as SVG and PDF into build/figures/, named after
its lesson and its cell, with an index that shows them all.  Letters are outlines in an SVG and
embedded fonts in a PDF, so both look the same everywhere.  The words for whoever cannot see a
picture are in the SVG and in the index.
"""

import ast
import html
import io
import sys
from contextlib import redirect_stdout

import matplotlib
from matplotlib.image import AxesImage

from perceptron_lib.widgets.explorer import Explorer
from perceptron_lib.widgets.playground import Playground
from tools import ROOT, alone
from web import build

FOLDER = ROOT / "build" / "figures"
SETTINGS = {"svg.fonttype": "path", "svg.hashsalt": "perceptron", "pdf.fonttype": 42}
UNDATED = {"svg": {"Date": None, "Creator": None}, "pdf": {"CreationDate": None}}


def pictures(lesson):
    """Run a lesson, and give of each picture that it shows its name, its figure and its words."""
    names = {}
    for cell in lesson.cells:
        if cell.cell_type == "code":
            with redirect_stdout(io.StringIO()):
                shown = value(cell.source, names)
            if any("image/png" in out.get("data", {}) for out in cell.outputs):
                (tag,) = [tag for tag in cell.metadata["tags"] if tag.startswith("show-")]
                yield f"{lesson.name}-{tag.removeprefix('show-')}", *drawing(shown)


def value(source, names):
    """Run a cell; return the value of its last line, which is what a notebook shows."""
    *body, last = ast.parse(source).body
    shows = isinstance(last, ast.Expr)
    exec(compile(ast.Module([*body, *[last] * (not shows)], []), "<cell>", "exec"), names)
    return eval(compile(ast.Expression(last.value), "<cell>", "eval"), names) if shows else None


def drawing(shown):
    """The figure of a picture, an explorer or a playground, laid out, and its words."""
    shown = shown.still if isinstance(shown, Playground) else shown
    if isinstance(shown, Explorer):
        shown._repr_mimebundle_()  # which draws it in full
        return shown.picture.ax.figure, shown.words
    return shown.figure, shown.alt


def files(figure, words):
    """The figure as SVG, with its words, and as PDF; nothing in them changes from day to day."""
    made = {}
    for image in figure.findobj(AxesImage):
        image.set_interpolation("none")  # its own pixels: made anew, they would have a dark rim
    with matplotlib.rc_context(SETTINGS):
        for kind, undated in UNDATED.items():
            stream = io.BytesIO()
            figure.savefig(stream, format=kind, metadata=undated)
            made[kind] = stream.getvalue()
    opening = made["svg"].index(b"<svg ") + len(b"<svg ")
    inside = made["svg"].index(b">", opening) + 1
    title = " ".join(figure.get_suptitle().split()) or words.split(". ")[0]
    said = f"\n<title>{html.escape(title)}</title>\n<desc>{html.escape(words)}</desc>"
    made["svg"] = b"".join([made["svg"][:opening], b'role="img" ', made["svg"][opening:inside],
                            said.encode(), made["svg"][inside:]])  # fmt: skip
    return made


def write_one(lesson, folder):
    """Write the figures of a lesson; return its part of the index, and how many there are."""
    parts = [f'<h2 id="{lesson.name}">{lesson.title}</h2>\n']
    for name, figure, words in pictures(lesson):
        width, height = (round(100 * inches) for inches in figure.get_size_inches())
        for kind, data in files(figure, words).items():
            (folder / f"{name}.{kind}").write_bytes(data)
        parts.append(
            f'<p><a href="{name}.svg">{name}.svg</a>, <a href="{name}.pdf">.pdf</a><br>'
            f'<img src="{name}.svg" width="{width}" height="{height}" alt="{html.escape(words)}" '
            'loading="lazy"></p>\n'
        )
    return "".join(parts), len(parts) - 1


def write(lessons, folder=FOLDER):
    """Write all figures of the lessons, and the index, saying how far it is."""
    folder.mkdir(parents=True, exist_ok=True)
    parts, many = [], 0
    for lesson in lessons:
        print(f"{lesson.name}: ", end="", flush=True)
        part, own = write_one(lesson, folder)
        print(f"{own} figures", flush=True)
        parts, many = [*parts, part], many + own
    index = alone.page("The figures of the lessons", "".join(parts))
    (folder / "index.html").write_text(index, encoding="utf-8", newline="\n")
    print(f"{many} figures as SVG and PDF in {folder}; index.html there shows them.")


def main():
    lessons = build.notebooks()
    known = [lesson.name[:2] for lesson in lessons]
    if unknown := set(sys.argv[1:]) - set(known):
        sys.exit(f"There is no lesson {min(unknown)}; the lessons are {', '.join(known)}.")
    write([one for one in lessons if not sys.argv[1:] or one.name[:2] in sys.argv[1:]])


if __name__ == "__main__":
    main()
