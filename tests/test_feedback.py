"""The page that a student gets: what it says, and that nothing in it can do harm."""

import base64
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from grading import feedback
from grading.frame import harmless as tamed
from tests.hostile import WORDS
from tests.programs import program

QUESTIONS = [["q1", "Question 1: the <algorithm>", 3, False], ["q2", "In words", 4, True]]
GRADES = {"q1": (2.0, ""), "q2": (None, "")}
PIXEL = (  # a PNG of one pixel
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII="
)
NOWHERE = Path("/nowhere/katex.mjs")


def page(*cells, grades=GRADES, katex=NOWHERE):
    return feedback.page(new_notebook(cells=cells), "Homework 1", QUESTIONS, grades, katex)


def graded(name, *outputs):
    about = {"nbgrader": {"grade_id": name}}
    return new_code_cell("hidden()", outputs=list(outputs), metadata=about)


def said(text):
    return new_output("stream", name="stdout", text=text)


class Reader(HTMLParser):
    """The tags of a page, each with its attributes."""

    def __init__(self, text):
        super().__init__()
        self.tags = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))


def harmless(text):
    """No script, no handler of events, no address but of pages, places in it and pictures in it."""
    for tag, attributes in Reader(text).tags:
        assert tag not in ("script", "iframe", "object", "embed", "form", "base", "link", "svg")
        assert not [name for name in attributes if name.startswith("on")]
        assert re.match(r"https?://|mailto:|#|$", attributes.get("href", ""))
        assert re.match(r"data:image/(png|jpeg);|$", attributes.get("src", ""))
    assert "default-src 'none'" in text
    return True


def test_the_contents_name_every_question_with_its_points_and_lead_to_it():
    score = new_output("execute_result", data={"text/plain": "2"}, execution_count=1)
    text = page(graded("q1", said("Not yet: no."), score))
    assert '<a href="#q1">Question 1: the &lt;algorithm&gt;</a></td><td>2 of 3' in text
    assert '<a href="#q2">In words</a></td><td>4 to be given by hand' in text
    assert "2 of 7 points" in text and 'id="q1"' in text
    assert "Not yet: no." in text and "hidden()" not in text and ">2</pre>" not in text


def test_a_comment_of_the_lecturer_is_shown():
    cell = new_markdown_cell("because", metadata={"nbgrader": {"grade_id": "q2"}})
    text = page(cell, grades={"q1": (3.0, ""), "q2": (3.5, "nearly <all> of it")})
    assert "6.5 of 7 points" in text and "Comment: nearly &lt;all&gt; of it" in text


@pytest.mark.parametrize(
    "words",
    [
        "<script>alert(1)</script> <img src=x onerror=alert(2)> <b onclick=x>",
        "[a](javascript:alert(3)) [b](JaVaScRiPt:x) [c](data:text/html,x) [d]( \x01javascript:x)",
        "[e]: javascript:x\n\n[e] <javascript:alert(1)>",
        '[f](https://a.b/"onmouseover="x) ![g](https://tracker/x.png "t") ![h](x" onerror="x)',
        "```mermaid\n</pre><script>alert(4)</script>\n```",
        "```python\n<script>alert(5)</script>\n```\n\n    <script>alert(6)</script>",
        r"$x<script>alert(7)</script>$ $$\href{javascript:x}{y}$$ <span class='tex'>z</span>",
        "| <script> |\n|---|\n| <svg onload=x> |\n\n# <iframe src=x>",
        "![i](attachment:a.svg) ![j](attachment:b.png)",
    ],
)
def test_markdown_of_a_stranger_does_no_harm(words):
    cell = new_markdown_cell(words)
    cell.attachments = {
        "a.svg": {"image/svg+xml": "<svg onload=x>"},
        "b.png": {"image/png": base64.b64encode(b"<script>").decode()},
    }
    assert harmless(page(nbformat.from_dict(cell)))


@pytest.mark.parametrize("name", WORDS)
@pytest.mark.parametrize("first", [str, tamed])
def test_hostile_words_make_a_harmless_page(name, first):
    """As they are, and as they come into the graded notebook."""
    assert harmless(page(new_markdown_cell(first(WORDS[name]))))


def test_harm_would_be_seen():
    for text in ("<script>", "<a href='javascript:x'>", "<img src='http://x'>", "<b onclick=x>"):
        with pytest.raises(AssertionError):
            harmless(page() + text)


def test_outputs_of_a_stranger_are_text_or_pictures():
    html = {"text/html": "<script>x</script>", "text/plain": "<b>bold</b>"}
    cell = new_code_cell(
        "1 < 2",
        outputs=[
            new_output("display_data", data=html),
            new_output("display_data", data={"image/png": PIXEL}),
            new_output("error", ename="E<i>", evalue="\x1b[31mred\x00", traceback=["secret"]),
        ],
    )
    text = page(cell)
    assert harmless(text) and "1 &lt; 2" in text and "&lt;b&gt;bold" in text
    assert PIXEL in text and "E&lt;i&gt;: red�" in text and "secret" not in text


def test_sizes_are_bounded():
    longest = page(new_code_cell("x" * 10**6, outputs=[said("y" * 10**6)]))
    assert len(longest) < 3 * feedback.LONGEST and "there is more" in longest
    for size, is_shown in ((4, True), (9, False)):
        large = base64.b64encode(b"\x89PNG" + bytes(size * 2**20)).decode()
        shown = new_output("display_data", data={"image/png": large})
        assert (large in page(new_code_cell("", outputs=[shown]))) == is_shown
    many = page(*(new_code_cell("z" * feedback.LONGEST, id=f"c{k}") for k in range(1000)))
    assert len(many) < 3 * feedback.LARGEST and "the page is too large" in many


def test_a_picture_from_the_notebook_is_shown_and_one_from_elsewhere_named():
    words = "![mine](attachment:d.png) ![lost](attachment:e.png)"
    cell = nbformat.from_dict(new_markdown_cell(words))
    cell.attachments = {"d.png": {"image/png": PIXEL}}
    text = page(cell)
    assert PIXEL in text and "[lost: it is not in the notebook]" in text


def test_without_node_a_formula_stands_as_it_was_written(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert r"<code>\frac12&lt;x</code>" in page(new_markdown_cell(r"$\frac12<x$"))


def test_formulas_are_set_by_katex_and_one_that_fails_is_shown(tmp_path):
    program("node")
    katex = tmp_path / "katex.mjs"
    katex.write_text(
        "const renderToString = (tex, { displayMode, output, trust }) => {"
        "  if (tex == 'bad') throw new Error('no such thing');"
        "  if (tex == 'huge') return 'x'.repeat(10 ** 6);"
        "  if (tex == 'large') return '<math>' + 'x'.repeat(40000);"
        "  return `<math>${tex} ${displayMode} ${output}` };"
        "export default { renderToString }"
    )
    text = page(new_markdown_cell("$x$, $bad$, $huge$\n\n$$y$$"), katex=katex)
    assert "<math>x false mathml" in text and "<math>y true mathml" in text
    assert "<code>bad</code>" in text and "<code>huge</code>" in text
    text = feedback.set_formulas('<span class="tex">large</span>' * 3000, katex)
    assert 0 < text.count("<math>") < 210 and text.count("<code>large</code>") > 2700


def test_a_katex_that_breaks_or_hangs_costs_no_page(tmp_path, monkeypatch):
    for script in ("process.exit(3)", "process.stdout.write('[1]')"):
        katex = tmp_path / "katex.mjs"
        katex.write_text(script)
        assert "<code>x</code>" in page(new_markdown_cell("$x$, $y$"), katex=katex)

    def hangs(*command, **options):
        raise feedback.subprocess.TimeoutExpired(command, options["timeout"])

    monkeypatch.setattr(shutil, "which", lambda name: name)
    monkeypatch.setattr(feedback.subprocess, "run", hangs)
    assert "<code>x</code>" in page(new_markdown_cell("$x$"), katex=katex)


def test_what_could_not_be_graded_gets_a_page_too():
    text = feedback.failure("hw1", "not graded: <b>")
    assert harmless(text) and "not graded: &lt;b&gt;" in text
