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

import nbformat
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

# A short formula and the stop, comma or bracket after it, which must stay on one line.
STOPPED = re.compile(r'<span class="tex">[^<]{1,20}</span>[.,;:?!)]+')
IMPORT = re.compile(r"# Not installed|import |from ")
PLAYGROUND = "widgets.playground()"
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
        return " ".join(self._opening(r"(?s)\*\*You need\*\* (.*?)\. \*\*Time\*\*").split())

    @property
    def minutes(self):
        return int(self._opening(r"\*\*Time\*\* about (\d+) minutes"))

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
        """Links between the notebooks, and to pages beside them, lead to the pages of the site."""
        return super().link(text, re.sub(r"^(\w+)\.(ipynb|md)\b", r"\1.html", url), title)

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
        return data["text/html"]
    if "text/markdown" in data:
        return f'<div class="output">{markdown(data["text/markdown"])}</div>\n'
    text = html.escape(out.get("text", data.get("text/plain", "")).rstrip("\n"))
    return f'<pre class="output">{text}</pre>\n'


def shown(cell, save):
    """The HTML of the outputs of a cell."""
    made = "".join(output(out, save) for out in cell.outputs)
    if PLAYGROUND in cell.source:  # its still picture stays where scripts do not run
        made = f'<div class="playground">\n{made}</div>\n'
    return made


def cell(cell, save):
    """The HTML of a cell with its outputs; the answer to a prediction is folded away."""
    if cell.cell_type == "markdown":
        return markdown(cell.source)
    made = shown(cell, save)
    if cell.metadata.get("jupyter", {}).get("outputs_hidden"):
        made = f"<details><summary>Show the answer</summary>\n{made}</details>\n"
    source = code(cell.source)
    if IMPORT.match(cell.source):
        source = f'<details class="setup"><summary>Imports</summary>\n{source}</details>\n'
    return source + made


def toc(content):
    """The headings of a page as a list of links."""
    found = re.findall(r'<h([23]) id="(.*?)">(.*?)</h', content, re.DOTALL)
    items = [f'<li{" class=below" if level == "3" else ""}><a href="#{name}">{text}</a></li>'
             for level, name, text in found]  # fmt: skip
    return "<ul>\n" + "\n".join(items) + "\n</ul>"


def sections(name, title, content):
    """What can be searched for on a page: of each section its address, headings and text."""
    parts = re.split(r'<h[123] id="(.*?)">(.*?)</h[123]>', content, flags=re.DOTALL)[1:]
    for anchor, heading, body in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        body = re.sub(r"<(pre|table).*?</\1>", " ", body, flags=re.DOTALL)
        body = re.sub(r'<span class="tex[^>]*>[^<]*\\[^<]*</span>', "…", body)  # no TeX in a result
        text = [" ".join(html.unescape(re.sub(r"<.*?>", " ", t)).split()) for t in (heading, body)]
        yield [f"read/{name}.html#{anchor}", title, *text]


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
