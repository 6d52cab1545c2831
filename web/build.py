"""Build the site: pages by Sphinx, a deck for each lesson, and the notebooks live.

    python -m web.build [--pyodide FOLDER] [--output FOLDER]

Sphinx reads a folder of sources made here, in build/cache/pages, and writes pages in which
formulas are still TeX; KaTeX then sets those of all pages and decks at once.
"""

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import jinja2

from perceptron_lib.lessons import ROOMS
from tools import ROOT, address, figures
from web import deck, frames, licences, live, render, sources

WEB = ROOT / "web"
CACHE, RELEASE = ROOT / "build/cache", ROOT / "build/release"
FROM_NPM = {
    "katex": ["dist/katex.min.css", "dist/fonts/*.woff2"],
    "reveal.js": ["dist/reset.css", "dist/reveal.css", "dist/reveal.js", "plugin/notes/notes.js"],
    "@fontsource-variable/source-sans-3": [
        f"files/source-sans-3-{part}-wght-{look}.woff2"
        for part in ("latin", "latin-ext", "greek") for look in ("normal", "italic")],
    "@fontsource-variable/source-code-pro": ["files/source-code-pro-latin-wght-normal.woff2"],
}  # fmt: skip
TEMPLATES = jinja2.Environment(loader=jinja2.FileSystemLoader(WEB / "templates"),
    trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined)  # fmt: skip


TO_MEND = {  # what axe-core finds in the theme
    'role="heading">': 'role="heading" aria-level="2">',
    '<summary aria-label="Toggle hidden content">': "<summary>",
}


def build(folder, pyodide=None):
    """Build everything into `folder`, anew; `pyodide` is a copy of Pyodide to put into it."""
    if pyodide and not (pyodide / "pyodide-lock.json").exists():
        sys.exit(f"{pyodide} is not a release of Pyodide: it has no pyodide-lock.json.")
    packages = npm_packages()
    shutil.rmtree(folder, ignore_errors=True)
    copy_assets(packages, CACHE / "static")
    shutil.copytree(ROOT / "notebooks/images", folder / "images")
    live.build(folder / "live", ROOT, CACHE, pyodide)
    lessons = render.notebooks()
    figures.write(lessons, "dark")  # which tells how far it has come
    dark = {lesson.name: in_the_dark(lesson) for lesson in lessons}
    frames.put_into(lessons, folder, CACHE)
    theirs = licences.carried(folder, packages, FROM_NPM)
    make_sources(lessons, folder, CACHE / "pages", dark, theirs)
    sphinx(CACHE / "pages", folder)
    made = {path: path.read_text("utf-8") for path in folder.rglob("*.html")
            if path.relative_to(folder).parts[0] != "live"}  # fmt: skip
    for theirs, ours in TO_MEND.items():
        made = {path: text.replace(theirs, ours) for path, text in made.items()}
    for path, text in render.set_formulas(made, packages / "katex/dist/katex.mjs").items():
        path.write_text(text, encoding="utf-8")


def npm_packages():
    """The folder with the npm packages of package.json, which are fetched when it changes."""
    if not (shutil.which("npm") and shutil.which("node")):
        sys.exit("The site needs Node.js and npm (on Debian or Ubuntu: apt install nodejs npm).")
    wanted, have = WEB / "package.json", CACHE / "package.json"
    if not have.exists() or have.read_bytes() != wanted.read_bytes():
        folder = CACHE / "npm"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        shutil.copy(wanted, folder)
        live.run("npm could not fetch the packages of web/package.json; is there a network?",
                 folder, *live.NPM_INSTALL)
        shutil.copy(wanted, have)
    return CACHE / "npm/node_modules"


def copy_assets(packages, folder):
    """Style sheets, fonts and scripts, from here and from npm."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(WEB / "assets", folder)
    for scene in (ROOT / "perceptron_lib/widgets").glob("*.[cj]s*"):
        shutil.copy(scene, folder)
    for package, patterns in FROM_NPM.items():
        for source in [path for pattern in patterns for path in (packages / package).glob(pattern)]:
            part = str(source.relative_to(packages)).replace("/dist/", "/")
            place = folder / (source.name if "font" in package else part)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, place)


def in_the_dark(lesson):
    """The figures of a lesson for dark pages, by the tags of their cells."""
    prefix = f"{lesson.name}-"
    shown = figures.draw(lesson, "dark")
    return {"show-" + name.removeprefix(prefix): (figures.FOLDER / f"dark/{name}.png").read_bytes()
            for name in shown}  # fmt: skip


def make_sources(lessons, folder, place, dark, theirs):
    """The decks, into `folder`, and what Sphinx reads, into `place`; pictures are stored."""
    shutil.rmtree(place, ignore_errors=True)
    for part in ("read", "teach"):
        (place / part).mkdir(parents=True)
    for part in ("slides", "notebooks"):
        (folder / part).mkdir()
    readme = (ROOT / "README.md").read_text(encoding="utf-8")

    def save(png):
        name = hashlib.sha256(png).hexdigest()[:16] + ".png"
        (folder / "images" / name).write_bytes(png)
        return f"../images/{name}"

    def write(name, text):
        (place / name).write_text(text, encoding="utf-8")

    minutes, slides = {}, {None: {}}
    for number, lesson in enumerate(lessons, 1):
        write(f"read/{lesson.path.name}", sources.lesson(lesson, save, dark[lesson.name]))
        text = address.lesson(lesson.path)
        (folder / "notebooks" / lesson.path.name).write_text(text, encoding="utf-8")
        columns = deck.read(WEB / "decks" / f"{lesson.name}.md")
        shown = deck.deck(columns, deck.Lesson(lesson, save))
        page = TEMPLATES.get_template("deck.html").render(root="../", lesson=lesson, content=shown)
        (folder / f"slides/{lesson.name}.html").write_text(page, encoding="utf-8")
        minutes[lesson.name] = [round(deck.minutes(columns, starred)) for starred in (False, True)]
        at = f"../slides/{lesson.name}.html"
        slides[number] = {slide.title: f"{at}{'?long' * slide.starred}#/{render.slug(slide.title)}"
                          for column in columns for slide in column}  # fmt: skip
        slides[None] |= slides[number]
    for appendix in render.notebooks("[A-Z]_*"):
        write(f"read/{appendix.path.name}", sources.lesson(appendix, save))
    guides = {}
    for name, path in render.texts().items():
        text = address.filled(path.read_text(encoding="utf-8"))
        if name.startswith("teach/"):
            guides[name] = re.search(r"(?m)^# (.*)$", text)[1]
        text = sources.plan(text, slides) if name == "teach/plan" else text
        write(f"{name}.md", sources.markdown(text, path.parent.relative_to(ROOT).as_posix()))
    versions = json.dumps({name: made for name, (made, _) in live.versioned(ROOT).items()})
    page = TEMPLATES.get_template("open.html").render(versions=versions, storage=live.STORAGE)
    (folder / "live").mkdir(exist_ok=True)
    (folder / "live/open.html").write_text(page, encoding="utf-8")
    about = {"glossary": render.texts()["read/glossary"].read_text(encoding="utf-8"),
             "ways": {f"read/{one.name}": sources.ways(one) for one in lessons}}  # fmt: skip
    write("about.json", json.dumps(about, ensure_ascii=False))
    guides = dict(sorted(guides.items(), key=lambda one: (one[0] != "teach/plan", one)))
    questions = dict(re.findall(r"\(notebooks/(\w+)\.ipynb\) \| (.*?) \|", readme))
    facts = {"lessons": lessons, "minutes": minutes, "guides": guides, "questions": questions,
             "introduction": render.inline(readme.split("\n\n")[1]), "inline": render.inline,
             "theirs": theirs, "shown": opening(lessons, save, dark), "modules": MODULES,
             "downloads": downloads(folder)}  # fmt: skip
    for name in ("index", "teach/index", "licences", "reference"):
        template = TEMPLATES.get_template(f"{name.replace('/', '-')}.md.jinja")
        write(f"{name}.md", template.render(**facts))


SHARED = ("examples", "run", "separability", "averages", "bounds", "embedding", "tables",
          "surd", "exercises", "plots.plane", "plots.runs", "plots.charts", "claims.claim",
          "claims.mistakes", "widgets.playground")  # fmt: skip
MODULES = [*SHARED, *(f"lessons.{room}" for room in ROOMS)]
PACKED = {
    "handouts.zip": "On paper: every page and every deck as PDF",
    "figures.zip": "For your own slides: the figures of all lessons as SVG and PDF",
    "questions.zip": "Questions: the self-tests of the lessons for Moodle and for Canvas",
    "perceptron-students.zip": "For students: the whole collection with the homework, no solutions",
}


def downloads(folder):
    """What `make release` has packed, if it has, goes into the site: names and what they are."""
    (folder / "downloads").mkdir()
    found = {name: said for name, said in PACKED.items() if (RELEASE / name).exists()}
    for name in found:
        shutil.copy(RELEASE / name, folder / "downloads")
    return found


def opening(lessons, save, dark):
    """What the start page shows: the playground with its still picture ("play"), and pictures by
    number of the lesson and tag."""
    cells = {(lesson.number, tag): (lesson, cell) for lesson in lessons for cell in lesson.cells
             for tag in cell.metadata.get("tags", [])}  # fmt: skip
    cells["play",] = next((lesson, cell) for lesson in lessons for cell in lesson.cells
                         if render.scene_of(cell))

    def shown(*which):
        lesson, cell = cells[which]
        made, look = render.shown(cell, save), dark[lesson.name].get(which[-1])
        made = re.sub('<pre class="output">.*?</pre>', "", made, flags=re.DOTALL)
        made = sources.both(made, save(look)) if look else made
        return made.replace("../images/", "images/")

    return shown


def sphinx(place, folder):
    """Let Sphinx build the pages; whatever it warns of is an error, with file and line."""
    command = [sys.executable, "-m", "sphinx", "-b", "html", "-c", WEB, "-q", "-W", "--keep-going",
               "-j", "auto", "-d", CACHE / "doctrees", place, folder]
    done = subprocess.run([*map(str, command)], cwd=ROOT, text=True, capture_output=True,
                          encoding="utf-8", env=os.environ | {"PYTHONPATH": str(ROOT)})
    if done.returncode:
        sys.exit(f"{done.stdout}{done.stderr}The pages could not be built.")


def main():
    parser = argparse.ArgumentParser(prog="python -m web.build", description="Build the site.")
    parser.add_argument("--output", type=Path, default=ROOT / "build/site")
    parser.add_argument("--pyodide", type=Path, help="a Pyodide release, unpacked, to self-host")
    options = parser.parse_args()
    build(options.output.resolve(), options.pyodide)
    size = sum(path.stat().st_size for path in options.output.rglob("*") if path.is_file())
    print(f"{options.output}: {size / 1e6:.0f} MB; `make serve` shows it.")


if __name__ == "__main__":
    main()
