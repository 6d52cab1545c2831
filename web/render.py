"""Stored notebooks as pieces of HTML: what a reader sees, and nothing else.

Mathematics is left as `<span class="tex">` here and set for all pages at once by `set_formulas`,
so that a page needs no script to show it.
"""

import base64
import html
import itertools
import json
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

import nbformat
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from tools import INLINE

# A short formula and the stop, comma or bracket after it, which must stay on one line.
STOPPED = re.compile(r'<span class="tex">[^<]{1,20}</span>[.,;:?!)]+')
IMPORT = re.compile(r"# Not installed|import |from ")
FORMULA = re.compile(r"\$([^$<]+)\$")
SUMMARY = re.compile(r"<summary>.*?</summary>")  # HTML, in which Markdown sets no formula
SET = r'<span class="tex">\1</span>'
# Where the site has what the repository has elsewhere.
PLACES = {
    "": "", "../notebooks/": "../read/", "../teaching/": "../teach/", "../web/decks/": "../slides/",
}
HOMEWORK = "../notebooks/homework/README", "../teaching/homework"
LINK = re.compile(rf"({'|'.join(map(re.escape, PLACES))})(\w+)\.(?:ipynb|md)(?:#(.*))?")
# A line of the glossary: the term, a sentence, the lesson where it is defined.
ENTRY = re.compile(r"^- \*\*(.+?)\*\*: (.+) \(\[lesson (\d+)\]\((.+)\)\)$", re.MULTILINE)
EVERYDAY = {"error", "hypothesis", "pass", "run"}  # words that have another meaning, too
# What is no prose, or is emphasised, and tags.
NO_PROSE = re.compile(
    r'(<(a|code|pre|h\d|table|summary|strong|em)\b.*?</\2>|<span class="tex.*?</span>|<[^>]*>)',
    re.DOTALL,
)
TEX = re.compile(r'<span class="tex( display|)">(.*?)</span>', re.DOTALL)


@dataclass
class Notebook:
    """A notebook as the site sees it: its cells, and what its opening says about it."""

    path: Path
    cells: list = field(repr=False)

    @classmethod
    def read(cls, path):
        return cls(Path(path), nbformat.read(path, as_version=4).cells)

    @property
    def name(self):
        return self.path.stem

    @property
    def number(self):
        """The number of the lesson, as it is said: 3."""
        return self.name[:2].lstrip("0")

    @property
    def live(self):
        """Where the notebook runs in the browser, from the site's root."""
        return f"live/open.html?path={self.path.name}"

    @property
    def title(self):
        return self._opening(r"(?m)^# (.*)$")

    @property
    def objectives(self):
        """The list under "After this notebook you can", as Markdown."""
        return self._opening(r"(?s)\*\*After this notebook you can\*\*\n\n(.*?)\n\n")

    @property
    def needs(self):
        return " ".join(self._opening(r"(?s)\*\*You need\*\* (.*?)\.\s+\*\*Time\*\*").split())

    @property
    def minutes(self):
        return int(self._opening(r"\*\*Time\*\* (?:about|Road) (\d+) min"))

    def _opening(self, pattern):
        opening = itertools.takewhile(lambda cell: not cell.source.startswith("## "), self.cells)
        text = "\n\n".join(cell.source for cell in opening if cell.cell_type == "markdown")
        found = re.search(pattern, text + "\n\n")
        if not found:
            raise ValueError(f"The opening of {self.path.name} does not match {pattern!r}.")
        return found.group(1)


class Renderer(IPythonRenderer):
    """Markdown as the notebooks use it: marked formulas, headings with a name to link to."""

    def inline_math(self, body):
        return f'<span class="tex">{html.escape(body)}</span>'

    def block_math(self, body):
        return f'<span class="tex display">{html.escape(body)}</span>'

    def heading(self, text, level, **attrs):
        return f'<h{level} id="{slug(text)}">{text}</h{level}>\n'

    def link(self, text, url, title=None):
        """Links between notebooks, decks and texts lead to the pages of the site, at a heading if
        they name one; to files that the site does not have there is no link."""
        if found := LINK.fullmatch(url.replace(*HOMEWORK)):
            place, name, heading = found.groups()
            url = f"{PLACES[place]}{name}.html" + (f"#{slug(unquote(heading))}" if heading else "")
        return text if url.startswith("../") and not found else super().link(text, url, title)

    def table(self, text):
        return f'<div class="wide"><table>{text}</table></div>\n'


def slug(text):
    """A heading as the name of its anchor.

    >>> slug('What <em>no</em> line can do')
    'what-no-line-can-do'
    """
    return re.sub(r"\W+", "-", re.sub(r"<.*?>", "", text).lower()).strip("-")


def markdown(text):
    made = MarkdownWithMath(renderer=Renderer(escape=False)).render(text)
    made = SUMMARY.sub(lambda found: FORMULA.sub(SET, found.group()), made)
    made = STOPPED.sub(lambda found: f'<span class="whole">{found.group()}</span>', made)
    # A line after the last paragraph of a fold is taken for a part of that paragraph.
    return made.replace("\n</details></p>", "</p>\n</details>")


def inline(text):
    """Markdown of one paragraph, without the paragraph."""
    return markdown(text).strip().removeprefix("<p>").removesuffix("</p>")


def code(text):
    lines = highlight(text, PythonLexer(), HtmlFormatter(nowrap=True)).rstrip("\n")
    return f'<pre class="code"><code>{lines}</code></pre>\n'


def output(out, save):
    """The HTML of one output; `save(png)` stores a picture and returns its address."""
    data = out.get("data", {})
    if "image/png" in data:
        shown, address = out.metadata["image/png"], save(base64.b64decode(data["image/png"]))
        width, height, alt = shown["width"], shown["height"], html.escape(shown["alt"])
        size = f'width="{width}" height="{height}" style="--width: {width}px"'
        return f'<img src="{address}" {size} alt="{alt}">\n'
    if "text/html" in data:
        made = INLINE.sub(lambda found: save(base64.b64decode(found[1])), data["text/html"])
        made = re.sub("(?s)<table>.*?</table>", r'<div class="wide">\g<0></div>', made)
        return FORMULA.sub(SET, made)
    if "text/markdown" in data:
        return f'<div class="output">{markdown(data["text/markdown"])}</div>\n'
    text = html.escape(out.get("text", data.get("text/plain", "")).rstrip("\n"))
    return f'<pre class="output">{text}</pre>\n'


def shown(cell, save):
    """The HTML of the outputs of a cell."""
    made = "".join(output(out, save) for out in cell.outputs)
    if scene := scene_of(cell):  # its still picture stays where scripts do not run
        data = html.escape(json.dumps(scene))
        made = f'<div class="scene {scene["module"]}" data-scene="{data}">\n{made}</div>\n'
    return made


def scene_of(cell):
    """What a scene that scripts draw begins with, if a cell shows one."""
    pictures = [out.get("metadata", {}).get("image/png", {}) for out in cell.get("outputs", [])]
    return next((about["scene"] for about in pictures if "scene" in about), None)


def cell(cell, save):
    """The HTML of a cell with its outputs."""
    if cell.cell_type == "markdown":
        return markdown(cell.source)
    source = code(cell.source)
    if IMPORT.match(cell.source):
        source = f'<details class="setup"><summary>Imports</summary>\n{source}</details>\n'
    return source + shown(cell, save)


def toc(content):
    """The headings of a page as a list of links."""
    found = re.findall(r'<h([23]) id="(.*?)">(.*?)</h', content, re.DOTALL)
    items = [f'<li{" class=below" if level == "3" else ""}><a href="#{name}">{text}</a></li>'
             for level, name, text in found]  # fmt: skip
    return "<ul>\n" + "\n".join(items) + "\n</ul>"


class Glossary:
    """The terms of the glossary, which lead there where a page first uses them."""

    def __init__(self, text):
        text = text.replace("$", "").replace("^2", "²")
        self.said = {term: said for term, said, *_ in ENTRY.findall(text)}
        longest = sorted(self.said.keys() - EVERYDAY, key=len, reverse=True)
        self.pattern = re.compile("|".join(f"({inflected(term)})" for term in longest), re.I)
        self.terms = [None, *longest]

    def page(self, content):
        """The glossary itself, with an anchor at every term."""
        return re.sub(r"<li>(?=<strong>(.*?)<)", lambda m: f'<li id="{slug(m[1])}">', content)

    def link(self, prose, seen):
        """HTML with its terms linked, but for those `seen` before, and what defines a term."""

        def linked(found):
            term = self.terms[found.lastindex]
            if term in seen:
                return found[0]
            seen.add(term)
            place, said = f"glossary.html#{slug(term)}", html.escape(self.said[term])
            return f'<a class="term" href="{place}" title="{said}">{found[0]}</a>'

        parts, made = [*NO_PROSE.split(prose), "", None], []
        for text, tag, kind in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
            made += [self.pattern.sub(linked, text), tag]
            bare = re.sub(r"<.*?>", "", tag) if kind in ("strong", "em") else ""
            if defined := self.pattern.fullmatch(bare):
                seen.add(self.terms[defined.lastindex])
        return "".join(made)

    def sections(self, address):
        """What can be searched for, as `sections` tells it of a page."""
        terms = self.said.items()
        return [[f"{address}#{slug(term)}", "Glossary", term, said] for term, said in terms]


def inflected(term):
    """A pattern for a term in the singular or the plural, across lines.

    >>> [bool(re.fullmatch(inflected("hypothesis"), word)) for word in ("hypotheses", "hypo")]
    [True, False]
    """
    term = re.escape(term).replace(r"\ ", r"\s+")
    endings = {"is": "[ie]s", "y": "(?:y|ies)"}
    for end, both in endings.items():
        if term.endswith(end):
            return rf"\b{term.removesuffix(end)}{both}\b"
    return rf"\b{term}(?:e?s)?\b"


def lesson(cells, save, glossary):
    """The HTML of a lesson, terms of the glossary linked where its story first uses them."""
    made, seen, prose = [], set(), False
    for part in cells:
        shown = cell(part, save)
        if part.source.startswith("## "):
            prose = not re.match(r"## (Self-test|Exercises|Sources)", part.source)
        made.append(glossary.link(shown, seen) if prose and part.cell_type == "markdown" else shown)
    return "".join(made)


def sections(address, title, content):
    """What can be searched for on a page: of each section its address, headings and text."""
    parts = re.split(r'<h[123] id="(.*?)">(.*?)</h[123]>', content, flags=re.DOTALL)[1:]
    for anchor, heading, body in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        body = re.sub(r"<(pre|table).*?</\1>", " ", body, flags=re.DOTALL)
        body = re.sub(r'<span class="tex[^>]*>[^<]*\\[^<]*</span>', "…", body)  # no TeX in a result
        text = [" ".join(html.unescape(re.sub(r"<.*?>", " ", t)).split()) for t in (heading, body)]
        yield [f"{address}#{anchor}", title, *text]


def set_formulas(pages, katex):
    """The pages (a dictionary of texts) with every formula set by KaTeX, found in `katex`."""
    formulas = sorted({found for page in pages.values() for found in TEX.findall(page)})
    question = [[html.unescape(tex), bool(display)] for display, tex in formulas]
    script = Path(__file__).with_name("formulas.mjs")
    done = subprocess.run(
        ["node", script, katex], input=json.dumps(question), text=True, capture_output=True,
        encoding="utf-8",
    )
    if done.returncode:
        raise ValueError(done.stderr.strip())
    made = dict(zip(formulas, json.loads(done.stdout), strict=True))
    return {name: TEX.sub(lambda m: made[m.groups()], page) for name, page in pages.items()}
