"""Lessons, texts, and pieces of them as HTML: for decks, and for outputs on pages.

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
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from tools import INLINE, ROOT

# A short formula and the stop, comma or bracket after it, which must stay on one line.
STOPPED = re.compile(r'<span class="tex">[^<]{1,20}</span>[.,;:?!)]+')
FORMULA = re.compile(r"\$([^$<]+)\$")
SUMMARY = re.compile(r"<summary>.*?</summary>")  # HTML, in which Markdown sets no formula
SET = r'<span class="tex">\1</span>'
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
    def minutes(self):
        return int(self._opening(r"\*\*Time\*\* (?:about|Road) (\d+) min"))

    def _opening(self, pattern):
        opening = itertools.takewhile(lambda cell: not cell.source.startswith("## "), self.cells)
        text = "\n\n".join(cell.source for cell in opening if cell.cell_type == "markdown")
        if not (found := re.search(pattern, text + "\n\n")):
            raise ValueError(f"The opening of {self.path.name} does not match {pattern!r}.")
        return found.group(1)


def notebooks(names="[0-9]*"):
    """The lessons, in order, or the appendices."""
    return [Notebook.read(path) for path in sorted((ROOT / "notebooks").glob(f"{names}.ipynb"))]


def texts():
    """The texts that become pages, by the pages' names: those beside the notebooks, those for
    lecturers but for answers, and the one on homework, which students do not have."""
    paths = [*(ROOT / "notebooks").glob("*.md"), *(ROOT / "teaching").glob("*.md")]
    found = {f"{'read' if path.parent.stem == 'notebooks' else 'teach'}/{path.stem}": path
             for path in sorted(paths) if path.stem not in ("questions", "solutions")}  # fmt: skip
    homework = ROOT / "notebooks/homework/README.md"
    return found | ({"teach/homework": homework} if homework.exists() else {})


def slug(text):
    """A heading as the name of its anchor.

    >>> slug('What <em>no</em> line can do')
    'what-no-line-can-do'
    """
    return re.sub(r"\W+", "-", re.sub(r"<.*?>", "", text).lower()).strip("-")


MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable("table")
MARKDOWN.use(dollarmath_plugin, double_inline=True)
RULES = {
    "math_inline": lambda token, _: f'<span class="tex">{html.escape(token.content)}</span>',
    "math_block": lambda token, _: f'<span class="tex display">{html.escape(token.content)}</span>',
    "table_open": lambda token, after: '<div class="wide"><table>',
    "table_close": lambda token, after: "</table></div>\n",
    "heading_open": lambda token, after: f'<{token.tag} id="{slug(after.content)}">',
}  # fmt: skip
RULES["math_inline_double"] = RULES["math_block"]
for name, rule in RULES.items():
    MARKDOWN.add_render_rule(name, lambda self, tokens, k, *_, rule=rule: rule(
        tokens[k], tokens[min(k + 1, len(tokens) - 1)]))  # fmt: skip


def markdown(text):
    """Markdown as the notebooks use it: marked formulas, headings with a name to link to."""
    return SUMMARY.sub(lambda found: FORMULA.sub(SET, found.group()), MARKDOWN.render(text))


def inline(text):
    """Markdown of one paragraph, without the paragraph."""
    return markdown(text).strip().removeprefix("<p>").removesuffix("</p>")


def code(text):
    lines = highlight(text, PythonLexer(), HtmlFormatter(nowrap=True)).rstrip("\n")
    return f'<pre class="code"><code>{lines}</code></pre>\n'


def scene_of(cell):
    """What a scene that scripts draw begins with, if a cell shows one."""
    pictures = [out.get("metadata", {}).get("image/png", {}) for out in cell.get("outputs", [])]
    return next((about["scene"] for about in pictures if "scene" in about), None)


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


def set_formulas(pages, katex):
    """The pages (a dictionary of texts) with every formula set by KaTeX, found in `katex`."""
    pages = {name: STOPPED.sub(r'<span class="whole">\g<0></span>', page)
             for name, page in pages.items()}  # fmt: skip
    formulas = sorted({found for page in pages.values() for found in TEX.findall(page)})
    question = [[html.unescape(tex), bool(display)] for display, tex in formulas]
    done = subprocess.run(
        ["node", Path(__file__).with_name("formulas.mjs"), katex], input=json.dumps(question),
        text=True, capture_output=True, encoding="utf-8",
    )  # fmt: skip
    if done.returncode:
        raise ValueError(done.stderr.strip())
    made = dict(zip(formulas, json.loads(done.stdout), strict=True))
    return {name: TEX.sub(lambda m: made[m.groups()], page) for name, page in pages.items()}
