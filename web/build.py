"""Build the site: a start page, a page and a deck for each notebook, and the notebooks live.

    python -m web.build [--pyodide FOLDER] [--output FOLDER]

Nothing is said twice: what the start page tells comes from the README and from the notebooks.
"""

import argparse
import hashlib
import json
import re
import shutil
import sys
from pathlib import Path

import jinja2

from tools import address
from web import deck, frames, licences, live, reference, render

WEB = Path(__file__).resolve().parent
ROOT = WEB.parent
CACHE = ROOT / "build" / "cache"
FROM_NPM = {
    "katex": ["dist/katex.min.css", "dist/fonts/*.woff2"],
    "reveal.js": ["dist/reset.css", "dist/reveal.css", "dist/reveal.js", "plugin/notes/notes.js"],
}


def notebooks(names="[0-9]*"):
    """The lessons, in order, or the appendices; what lies in folders below notebooks/ is not part
    of the site."""
    paths = sorted((ROOT / "notebooks").glob(f"{names}.ipynb"))
    return [render.Notebook.read(path) for path in paths]


def build(folder, pyodide=None):
    """Build everything into `folder`, anew; `pyodide` is a copy of Pyodide to put into it."""
    if pyodide and not (pyodide / "pyodide-lock.json").exists():
        sys.exit(f"{pyodide} is not a release of Pyodide: it has no pyodide-lock.json.")
    packages = npm_packages()
    shutil.rmtree(folder, ignore_errors=True)
    copy_assets(packages, folder)
    live.build(folder / "live", ROOT, CACHE, pyodide)
    reference.build(folder / "reference")
    lessons = notebooks()
    frames.put_into(lessons, folder, CACHE)
    pages = make_pages(lessons, folder, licences.carried(folder, packages, FROM_NPM))
    for name, text in render.set_formulas(pages, packages / "katex/dist/katex.mjs").items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


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
    shutil.copytree(WEB / "assets", folder / "assets")
    for scene in (ROOT / "perceptron_lib/widgets").glob("*.[cj]s*"):
        shutil.copy(scene, folder / "assets")
    shutil.copytree(ROOT / "notebooks/images", folder / "images")
    for package, patterns in FROM_NPM.items():
        for source in [path for pattern in patterns for path in (packages / package).glob(pattern)]:
            part = str(source.relative_to(packages)).replace("/dist/", "/")
            place = folder / "assets" / part
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, place)


def make_pages(lessons, folder, theirs=None):
    """The text of every page by its name, formulas not yet set; pictures are stored.  `theirs` are
    the licences of what else the site carries."""
    readme = Readme((ROOT / "README.md").read_text(encoding="utf-8"))
    templates = jinja2.Environment(
        loader=jinja2.FileSystemLoader(WEB / "templates"),
        trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined,
    )
    templates.globals.update(readme=readme, markdown=render.markdown, inline=render.inline)

    def page(template, root="", **facts):
        return templates.get_template(template).render(root=root, **facts)

    def save(png):
        name = hashlib.sha256(png).hexdigest()[:16] + ".png"
        (folder / "images" / name).write_bytes(png)
        return f"../images/{name}"

    appendices = notebooks("[A-Z]_*")
    versions = json.dumps({name: made for name, (made, _) in live.versioned(ROOT).items()})
    pages = {
        "index.html": page("start.html", lessons=lessons, appendices=appendices,
                           pictures=pictures(lessons, save)),
        "live/open.html": page("open.html", versions=versions, storage=live.STORAGE),
    }
    if theirs:
        pages["licences.html"] = page("licences.html", **theirs)
    searched, titles = [], {}
    for name, path in texts().items():
        text = address.filled(path.read_text(encoding="utf-8"))
        title, content = re.search(r"(?m)^# (.*)$", text)[1], render.markdown(text)
        told = re.search(r"(?ms)^(?:[A-Z*].*?)\.(?=\s)", text.partition("\n")[2])[0]
        titles[name] = title, render.inline(told)
        if name == "read/glossary":
            glossary = render.Glossary(text)
            content = glossary.page(content)
            searched += glossary.sections(f"{name}.html")
        else:
            searched += render.sections(f"{name}.html", title, content)
        facts = {"name": path.stem, "title": title, "content": content}
        pages[f"{name}.html"] = page("text.html", "../", toc=render.toc(content), **facts)
    for appendix in appendices:
        content = render.lesson(appendix.cells, save, glossary)
        facts = {"name": appendix.name, "title": appendix.title, "content": content}
        facts["toc"] = render.toc(content)
        pages[f"read/{appendix.name}.html"] = page("text.html", "../", **facts)
        searched += render.sections(f"read/{appendix.name}.html", appendix.title, content)
    (folder / "notebooks").mkdir()
    minutes = {}
    for before, lesson, after in zip([None, *lessons], lessons, [*lessons[1:], None], strict=False):
        content = render.lesson(lesson.cells, save, glossary)
        facts = {"before": before, "after": after, "content": content, "toc": render.toc(content)}
        facts["ways"] = address.ways(lesson.name)
        pages[f"read/{lesson.name}.html"] = page("page.html", "../", lesson=lesson, **facts)
        searched += render.sections(f"read/{lesson.name}.html", lesson.title, content)
        text = address.lesson(lesson.path)
        (folder / "notebooks" / lesson.path.name).write_text(text, encoding="utf-8")
        columns = deck.read(WEB / "decks" / f"{lesson.name}.md")
        shown = deck.deck(columns, deck.Lesson(lesson, save))
        minutes[lesson.name] = [round(deck.minutes(columns, starred)) for starred in (False, True)]
        pages[f"slides/{lesson.name}.html"] = page("deck.html", "../", lesson=lesson, content=shown)
    names = sorted(titles, key=lambda name: (name != "teach/plan", name))
    guides = {name: titles[name] for name in names if name.startswith("teach/")}
    facts = {"lessons": lessons, "minutes": minutes, "guides": guides}
    pages["teach/index.html"] = page("teach.html", "../", **facts)
    index = json.dumps(searched, ensure_ascii=False)
    (folder / "assets/search.js").write_text(f"window.SECTIONS = {index};\n", encoding="utf-8")
    return pages


def texts():
    """The texts that become pages, by the pages' names: those beside the notebooks, those for
    lecturers but for answers, and the one on homework."""
    found = {f"read/{path.stem}": path for path in sorted((ROOT / "notebooks").glob("*.md"))}
    for path in sorted((ROOT / "teaching").glob("*.md")):
        if not path.stem.startswith(("questions", "solutions")):
            found[f"teach/{path.stem}"] = path
    homework = ROOT / "notebooks/homework/README.md"  # which students do not have
    return found | ({"teach/homework": homework} if homework.exists() else {})


def pictures(lessons, save):
    """The opening picture of each lesson, and the still picture of the playground, as HTML that
    stands in the site's root."""
    found = {}
    for lesson in lessons:
        shown = [render.shown(cell, save) for cell in lesson.cells if cell.cell_type == "code"]
        shown = [made.replace("../images/", "images/") for made in shown]
        found[lesson.name] = next(made for made in shown if "<img" in made)
        if playgrounds := [made for made in shown if 'class="scene playground"' in made]:
            found.setdefault("playground", playgrounds[0])
    return found


class Readme:
    """What the start page says in the README's words."""

    def __init__(self, text):
        self.text = text
        self.title = re.search(r"^# (.*)$", text, re.M).group(1)
        self.introduction = text.split("\n\n")[1]
        self.licence = re.search(r"^## Licence\n\n(.*?\.) See", text, re.M | re.S).group(1)

    @property
    def picture(self):
        """The alternative text and the file of the picture at the top."""
        alt, path = re.search(r"!\[(.*?)\]\((.*?)\)", self.text, re.S).groups()
        return " ".join(alt.split()), Path(path).name

    def question(self, name):
        """The question that a notebook answers, from the table of notebooks."""
        return re.search(rf"\(notebooks/{name}\.ipynb\) \| (.*?) \|", self.text).group(1)


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
