"""Every figure of the lessons anew: `python -m tools.figures [slide | dark | vector] [03 …]`.

The lessons are run again under another look, and their pictures stored in build/figures, named
after lesson and cell: larger letters for slides, light ones for dark pages, or SVG and PDF (letters
are outlines in an SVG and embedded fonts in a PDF) for one's own slides.  Each folder has an index
that shows them all, with the words for whoever cannot see them.  A lesson is drawn again only if
its code, the library or matplotlib has changed.
"""

import ast
import hashlib
import html
import io
import json
import sys
from concurrent.futures import ProcessPoolExecutor
from contextlib import redirect_stdout
from functools import partial
from multiprocessing import get_context

import matplotlib
from matplotlib.image import AxesImage

from perceptron_lib import plots
from perceptron_lib.folds import Answer
from perceptron_lib.widgets.explorer import Explorer
from perceptron_lib.widgets.playground import Scene
from tools import INLINE, ROOT
from web import render

FOLDER, LIBRARY = ROOT / "build" / "figures", ROOT / "perceptron_lib"
SETTINGS = {"svg.fonttype": "path", "svg.hashsalt": "perceptron", "pdf.fonttype": 42}
UNDATED = {"svg": {"Date": None, "Creator": None}, "pdf": {"CreationDate": None}}


def pictures(lesson):
    """Run a lesson, and give of each picture that it shows its name, its figure and its words."""
    names = {}
    for cell in lesson.cells:
        if cell.cell_type == "code":
            with redirect_stdout(io.StringIO()):
                shown = value(cell.source, names)
            data = [out.get("data", {}) for out in cell.outputs]
            if any("image/png" in d or INLINE.search(d.get("text/html", "")) for d in data):
                (tag,) = [tag for tag in cell.metadata["tags"] if tag.startswith("show-")]
                yield f"{lesson.name}-{tag.removeprefix('show-')}", *drawing(shown)


def value(source, names):
    """Run a cell; return the value of its last line, which is what a notebook shows."""
    *body, last = ast.parse(source).body
    shows = isinstance(last, ast.Expr)
    exec(compile(ast.Module([*body, *[last] * (not shows)], []), "<cell>", "exec"), names)
    return eval(compile(ast.Expression(last.value), "<cell>", "eval"), names) if shows else None


def drawing(shown):
    """The figure of a picture, an explorer, a scene or an answer, and its words."""
    if isinstance(shown, Answer):
        (shown,) = [part for part in shown.shown if hasattr(part, "figure")]
    shown = shown.still if isinstance(shown, Scene) else shown
    if isinstance(shown, Explorer):
        shown._repr_mimebundle_()  # which draws it in full
        return shown.picture.ax.figure, shown.words
    return shown.figure, shown.alt


def files(figure, words, look="vector"):
    """The figure as PNG, or as SVG, with its words, and PDF; nothing in them changes from day to
    day."""
    if look != "vector":
        return {"png": plots.png(figure)}
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


def digest(lesson):
    """What decides how the figures of a lesson look."""
    sources = [cell.source for cell in lesson.cells if cell.cell_type == "code"]
    sources += [path.read_text("utf-8") for path in sorted(LIBRARY.rglob("*.py"))]
    return hashlib.sha256(repr([matplotlib.__version__, *sources]).encode()).hexdigest()[:16]


def draw(lesson, look, folder=FOLDER):
    """Draw a lesson's figures for a look, unless that is done; of each its file's name without an
    ending, its words, and the size to show it at."""
    folder = folder / look
    done, same = folder / f"{lesson.name}.json", digest(lesson)
    if done.exists() and (known := json.loads(done.read_text("utf-8")))["digest"] == same:
        return known["figures"]
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob(f"{lesson.name}-*"):
        old.unlink()
    plots.look("page" if look == "vector" else look)
    shown = {}
    for name, figure, words in pictures(lesson):
        for kind, data in files(figure, words, look).items():
            (folder / f"{name}.{kind}").write_bytes(data)
        shown[name] = plots.about(figure, words)
    plots.look("page")
    done.write_text(json.dumps({"digest": same, "figures": shown}, ensure_ascii=False), "utf-8")
    return shown


def write(lessons, look, folder=FOLDER):
    """Draw all figures of the lessons for a look, two lessons at a time, and the index."""
    kinds = ("svg", "pdf") if look == "vector" else ("png",)
    ground = "#16181b; color: #ddd" if look == "dark" else "white"
    index = f'<!DOCTYPE html>\n<html lang="en" style="background: {ground}">\n'
    index += '<meta charset="utf-8">\n<title>The figures of the lessons</title>\n'
    with ProcessPoolExecutor(2, get_context("spawn")) as workers:
        drawn = workers.map(partial(draw, look=look, folder=folder), lessons)
        for lesson, shown in zip(lessons, drawn, strict=True):
            index += f"<h2>{lesson.title}</h2>\n"
            for name, about in shown.items():
                links = ", ".join(f'<a href="{name}.{kind}">{name}.{kind}</a>' for kind in kinds)
                size = f'width="{about["width"]}" height="{about["height"]}"'
                image = f'<img src="{name}.{kinds[0]}" {size} alt="{html.escape(about["alt"])}">'
                index += f"<p>{links}<br>\n{image}</p>\n"
            print(lesson.name, flush=True)
    (folder / look / "index.html").write_text(index, encoding="utf-8", newline="\n")
    print(f"{index.count('<img ')} figures in {folder / look}; index.html shows them.")


if __name__ == "__main__":
    lessons = {lesson.name[:2]: lesson for lesson in render.notebooks()}
    looks = [a for a in sys.argv[1:] if a in ("slide", "dark", "vector")]
    wanted = [a for a in sys.argv[1:] if a not in looks]
    if unknown := set(wanted) - set(lessons):
        sys.exit(f"There is no lesson {min(unknown)}; the lessons are {', '.join(lessons)}.")
    for look in looks or ["vector"]:
        write([lessons[number] for number in wanted or lessons], look)
