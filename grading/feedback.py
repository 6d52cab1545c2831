"""The page that tells a student what the grade is made of: one file that needs nothing else.

It is made of an autograded notebook, and so of what a stranger wrote: everything is shown as text,
but for Markdown and pictures; every piece and the whole have a largest size; and the page itself
forbids scripts and connections.  Formulas are set by KaTeX as MathML, which browsers know, where
Node and KaTeX are at hand (`make site` fetches it), and stand there as they were written otherwise.
"""

import base64
import html
import json
import re
import shutil
import subprocess
from pathlib import Path

from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from grading.cage import ROOT
from grading.worker import clean

KATEX = ROOT / "build" / "cache" / "npm" / "node_modules" / "katex" / "dist" / "katex.mjs"
LONGEST = 20_000  # characters of a cell or an output
LARGEST = 8 * 2**20  # bytes of a picture, and twice that of a page
MOST_FORMULAS = 1000  # which formulas.mjs keeps within 8 MB
PICTURES = {"image/png": b"\x89PNG", "image/jpeg": b"\xff\xd8"}  # and how each begins
TEX = re.compile(r'<span class="tex( display|)">(.*?)</span>', re.DOTALL)
PAGE = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
body {{ max-width: 50rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 sans-serif; }}
pre {{ padding: .6rem; overflow-x: auto; white-space: pre-wrap; background: #f4f4f4; }}
pre.said {{ border-left: .3rem solid #0072b2; background: none; }}
.score {{ font-weight: bold; }}
td, th {{ padding: .1rem .8rem .1rem 0; text-align: left; vertical-align: top; }}
img {{ max-width: 100%; }}
</style>
<h1>{title}</h1>
{body}
"""


def questions(nb):
    """The title of an assignment, and of each question its name, title, points, and whether it is
    marked by hand."""
    title, heading, found = None, None, []
    for cell in nb.cells:
        if cell.cell_type == "markdown" and cell.source.startswith("#"):
            heading = cell.source.splitlines()[0].strip("# ")
            title = title or heading
        about = cell.metadata.get("nbgrader") or {}
        if about.get("grade"):
            short = re.sub(r" \*\(.*", "", heading)
            found.append([about["grade_id"], short, about["points"], about["solution"]])
    return title, found


def page(nb, title, questions, grades, katex=KATEX):
    """The page as a text.

    `title` and `questions` are those of the released notebook; `grades` has for each question its
    score, None while it is to be marked, and a comment or ""."""
    asked = {name: (title, most) for name, title, most, _ in questions}
    parts = [contents(asked, grades)]
    for cell in nb.cells:
        name = (cell.metadata.get("nbgrader") or {}).get("grade_id")
        if name in asked:
            told = f"{html.escape(asked[name][0])}: {score(name, asked, grades)}"
            parts.append(f'<p class="score" id="{name}">{told}</p>\n')
        if cell.cell_type == "markdown":
            parts.append(markdown(cut(cell.source), cell.get("attachments") or {}))
        elif name not in asked:
            parts.append(f"<pre>{html.escape(cut(cell.source))}</pre>\n")
        for out in cell.get("outputs", []):
            if name not in asked or out.output_type != "execute_result":  # which is the score
                parts.append(output(out))
        if name in asked and grades.get(name, (None, ""))[1]:
            parts.append(f"<p>Comment: {html.escape(cut(grades[name][1]))}</p>\n")
    return PAGE.format(title=html.escape(title), body=set_formulas(bounded(parts), katex))


def failure(title, note):
    """The page of a submission that could not be graded."""
    return PAGE.format(title=html.escape(title), body=f"<p>{html.escape(cut(note))}</p>")


def contents(asked, grades):
    """The score in all, and a line for every question that leads to it."""
    marked = sum(grades[name][0] or 0 for name in asked if name in grades)
    rows = "".join(
        f'<tr><td><a href="#{name}">{html.escape(title)}</a></td><td>{score(name, asked, grades)}\n'
        for name, (title, _) in asked.items()
    )
    return (
        f'<p class="score">{marked:g} of {sum(most for _, most in asked.values()):g} points</p>\n'
        f"<table>\n<tr><th>question<th>points\n{rows}</table>\n"
    )


def score(name, asked, grades):
    got, most = grades.get(name, (None, ""))[0], asked[name][1]
    return f"{most:g} to be given by hand" if got is None else f"{got:g} of {most:g}"


# --- pieces --------------------------------------------------------------------------------------


def cut(text):
    """A text of bounded length, without control characters."""
    return clean(text, LONGEST) + ("\n… (there is more)" if len(str(text)) > LONGEST else "")


def output(out):
    """An output: its text, or a picture."""
    data = out.get("data") or {}
    if shown := picture(data, "a picture that the code drew"):
        return f"<p>{shown}</p>\n"
    text = out.get("text", data.get("text/plain", ""))
    if out.output_type == "error":
        text = f"{out.get('ename')}: {out.get('evalue')}"
    return f'<pre class="said">{html.escape(cut(text).rstrip())}</pre>\n' if text else ""


def picture(data, alt):
    """The first PNG or JPEG that is one and not too large, in the page itself, or None."""
    for kind, begins in PICTURES.items():
        try:
            raw = base64.b64decode("".join(data.get(kind, ""))[: 2 * LARGEST], validate=False)
        except (ValueError, TypeError):
            continue
        if raw.startswith(begins) and len(raw) <= LARGEST:
            address = f"data:{kind};base64,{base64.b64encode(raw).decode()}"
            return f'<img src="{address}" alt="{html.escape(alt)}">'
    return None


def bounded(parts):
    """The parts in one text; what would make the page too large is left out."""
    kept, left = [], 2 * LARGEST
    for part in parts:
        size = len(part.encode())
        if size <= left:
            kept.append(part)
            left -= size
    if len(kept) < len(parts):
        kept.append("<p>Some cells are left out: the page is too large.</p>\n")
    return "".join(kept)


class Renderer(IPythonRenderer):
    """Markdown of a stranger: no HTML, links to pages only, pictures from the notebook only."""

    def block_code(self, code, info=None):
        return f"<pre>{html.escape(code)}</pre>\n"

    def heading(self, text, level, **attrs):
        return f"<h{level + 1}>{text}</h{level + 1}>\n"  # the first is the page's

    def link(self, text, url, title=None):
        harmless = re.match(r"https?://|mailto:|#", url.strip())
        return f'<a href="{html.escape(url.strip())}">{text}</a>' if harmless else text

    def image(self, text, url, title=None):
        shown = picture(self.attachments.get(url.removeprefix("attachment:"), {}), text)
        return shown or f"[{html.escape(text) or 'a picture'}: it is not in the notebook]"

    def inline_math(self, body, display=""):
        return f'<span class="tex{display}">{html.escape(body[:LONGEST])}</span>'

    def block_math(self, body):
        return self.inline_math(body, " display")

    def latex_environment(self, name, body):
        return self.block_math(rf"\begin{{{name}}}{body}\end{{{name}}}")


def markdown(text, attachments):
    return MarkdownWithMath(renderer=Renderer(escape=True, attachments=attachments)).render(text)


def set_formulas(body, katex):
    """The text with its formulas set, or as they were written."""
    made = iter(by_katex(TEX.findall(body)[:MOST_FORMULAS], katex))
    return TEX.sub(lambda found: next(made, None) or f"<code>{found[2]}</code>", body)


def by_katex(formulas, katex):
    """The formulas as MathML, None for each that cannot be set; nothing if that takes too long."""
    if not (formulas and shutil.which("node") and katex.is_file()):
        return []
    question = json.dumps([[html.unescape(tex), bool(display)] for display, tex in formulas])
    script = Path(__file__).with_name("formulas.mjs")
    try:
        done = subprocess.run(["node", "--max-old-space-size=256", str(script), str(katex)],
                              input=question, text=True, capture_output=True, encoding="utf-8",
                              timeout=20)  # fmt: skip
        made = json.loads(done.stdout)
    except (OSError, subprocess.TimeoutExpired, ValueError):
        return []
    return made if len(made) == len(formulas) else []
