"""The site's parts, without a browser; `make test-browser` tries the whole."""

import json
import re
import shutil
import socket
import subprocess
import sys
from types import SimpleNamespace

import bleach
import pytest
from nbconvert import HTMLExporter
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from perceptron_lib import answer, plots, table
from tests.programs import program
from tests.test_project import PROJECT, names, read
from tools import ROOT
from tools.refresh import all_notebooks
from web import build, deck, live, render, serve, sources


def run(*command):
    command = [sys.executable, "-m", *map(str, command)]
    return subprocess.run(command, cwd=ROOT, text=True, capture_output=True, timeout=60)


def test_the_site_has_the_lessons_alone_and_the_readme_agrees_about_their_minutes():
    lessons = render.notebooks()
    rows = re.findall(r"\(notebooks/(\w+)\.ipynb\) \| .*? \| (\d+) \|", read("README.md"))
    assert rows == [(lesson.name, str(lesson.minutes)) for lesson in lessons]
    above = [path for path in all_notebooks() if path.parent == ROOT / "notebooks"]
    assert [lesson.path for lesson in lessons + render.notebooks("[A-Z]_*")] == above


def test_an_opening_without_its_facts_is_refused(tmp_path):
    lesson = render.Notebook(tmp_path / "09.ipynb", [new_markdown_cell("# 9 · Nothing more")] * 2)
    assert lesson.title == "9 · Nothing more"
    with pytest.raises(ValueError, match=r"09\.ipynb"):
        lesson.minutes  # noqa: B018


def test_a_picture_keeps_its_size_and_alternative_text():
    shown = {"alt": "3 < 4", "width": 3, "height": 2}
    out = new_output("display_data", {"image/png": "cG5n"}, metadata={"image/png": shown})
    made = render.output(out, lambda png: "place.png")
    assert 'src="place.png" width="3" height="2"' in made and 'alt="3 &lt; 4"' in made
    del out.metadata["image/png"]
    with pytest.raises(KeyError):
        render.output(out, lambda png: "place.png")


def test_the_answer_to_a_prediction_is_folded_on_pages_and_open_on_slides():
    shown = answer(table(["$n$"], [[42]]), plots.plane([[1, 1]], [1]))._repr_html_()
    out = new_output("execute_result", {"text/html": shown, "text/plain": "folded"})
    cell = new_code_cell("answer(…)", outputs=[out], metadata={"tags": ["show-it"]})
    page = render.shown(cell, lambda png: "p.png")
    assert page.index("<details>") < page.index("42") and '<span class="tex">n</span>' in page
    assert 'src="p.png"' in page and "base64" not in page
    lesson = SimpleNamespace(name="01", cells=[cell])
    slide = deck.Lesson(lesson, lambda png: "p.png").block("show-it")
    assert "42" in slide and "details" not in slide and "Show the answer" not in slide


# What GitHub leaves of the HTML in a notebook, as far as it says so itself.
TAGS = {"details", "summary", "table", "tbody", "tr", "th", "td", "img", "pre", "code", "p", "b"}


def test_an_answer_stays_folded_where_code_hosts_show_notebooks():
    """They may take the picture away, whose address is the picture; then its words are left."""
    shown = answer(table(["n"], [[42]]), plots.plane([[1, 1]], [1]))
    made = bleach.clean(shown._repr_html_(), TAGS, {"img": ["alt", "src"]}, {"http", "https"})
    assert made.startswith("<details><summary>Show the answer</summary>")
    assert made.count("<details") == 1 and made.endswith("</details>") and "<td>42</td>" in made
    assert '<img alt="1 example' in made and "base64" not in made
    data = {"text/html": shown._repr_html_(), "text/plain": repr(shown)}
    nb = new_notebook(cells=[new_code_cell("…", outputs=[new_output("execute_result", data)])])
    page, _ = HTMLExporter(template_name="basic").from_notebook_node(nb)
    before, _, after = page.partition("<details>")
    assert "42" not in before and "42" in after and "<details open" not in page


def test_a_playground_has_its_picture_until_it_is_loaded():
    shown = {"alt": "five points", "width": 3, "height": 2, "scene": {"module": "playground"}}
    out = new_output("display_data", {"image/png": "cG5n"}, metadata={"image/png": shown})
    cell = new_code_cell("play = widgets.playground()\nplay", outputs=[out])
    slide = render.shown(cell, lambda png: "p.png")
    data = "data-scene=\"{&quot;module&quot;: &quot;playground&quot;}\""
    assert slide.startswith(f'<div class="scene playground" {data}>\n<img src="p.png"')


def test_markdown_marks_formulas_and_closes_folds():
    made = render.markdown("a $x<y$ b $$z$$\n\n<details><summary>s</summary>\n\nend\n</details>")
    assert '<span class="tex">x&lt;y</span>' in made and '<span class="tex display">z' in made
    assert made.index("</details>") > made.index("end") > made.index("</summary>")


def lesson(tmp_path, *cells):
    return render.Notebook(tmp_path / "03_x.ipynb", [new_markdown_cell("# 3 · X"), *cells])


def test_the_builder_gets_folds_boxes_links_and_pictures_for_dark_pages(tmp_path):
    shown = {"alt": "three", "width": 3, "height": 2}
    out = new_output("display_data", {"image/png": "cG5n"}, metadata={"image/png": shown})
    draw = new_code_cell("plot(x)", outputs=[out], metadata={"tags": ["show-it", "P1"]})
    words = new_markdown_cell("> **Theorem.** [So](02_y.ipynb#A-b), $x$. ∎")
    asked = [new_markdown_cell("## Exercises"), new_markdown_cell("**1.** Do it.", id="ex1")]
    book = lesson(tmp_path, words, draw, *asked)
    made = json.loads(sources.lesson(book, lambda png: f"{png.decode()}.png", {"show-it": b"d"}))
    text = ["".join(cell["source"]) for cell in made["cells"]]
    assert "slides/03_x.html" in text[1] and "download" in text[1]
    assert text[2].startswith("{.box .theorem}\n> **Theorem.** [So](02_y.ipynb#a-b), $x$.")
    assert text[2].endswith("\N{NO-BREAK SPACE}∎")
    (picture,) = made["cells"][3]["outputs"]
    picture = picture["data"]["text/html"]
    assert '<img src="png.png" class="only-light"' in picture
    assert '<img src="d.png" class="only-dark"' in picture and picture.count('alt="three"') == 2
    assert 'live/open.html?path=03_x.ipynb&cell=ex1"' in text[-1]


def test_imports_and_code_that_only_makes_a_table_are_folded_and_loops_are_not():
    folded = {
        "import numpy as np": "Set-up",
        "rows = []\nrows += [1]\ntable(['n'], rows)": "Code of this table",
        "rows = []\nrows += [1]\nanswer(table(['n'], rows))": "Code of this table",
        "import numpy\nx = 2": None, "table(a, n=1)": None,
        "def loop():\n    pass\n\ntable(loop())": None,
    }  # fmt: skip
    for source, said in folded.items():
        made = sources.folded(source)
        assert made.get("mystnb", {}).get("code_prompt_show") == said, source


def test_the_plan_leads_to_its_slides():
    decks = {None: {"Own": "a.html"}, 1: {"Own": "01.html"}}
    made = sources.plan("*Own*, *other*\n## 1 · A\n*Own*", decks)
    first, _, second = made.partition(", *other*\n## 1 · A\n")
    assert first == '<a href="a.html"><em>Own</em></a>' and '"01.html"' in second


def test_formulas_are_set_by_node(tmp_path):
    program("node")
    katex = tmp_path / "katex.mjs"
    katex.write_text(
        "const renderToString = (tex, { displayMode }) => {"
        "  if (tex == 'bad') throw new Error('no such thing'); return `${tex}, ${displayMode}` };"
        "export default { renderToString }"
    )
    pages = {"a": render.markdown("$x<y$ and $$z$$"), "b": "<p>none</p>"}
    made = render.set_formulas(pages, katex)
    assert "x<y, false" in made["a"] and "z, true" in made["a"] and made["b"] == pages["b"]
    with pytest.raises(ValueError, match="formula bad cannot be set: no such thing"):
        render.set_formulas({"a": render.markdown("$bad$")}, katex)


def test_the_live_wheel_depends_on_all_that_the_project_needs():
    assert set(live.DEPENDS["perceptron-lib"]) == set(names(PROJECT["dependencies"]))


@pytest.fixture
def pyodide(tmp_path):
    """A folder like a release of Pyodide, with one package too many."""
    folder = tmp_path / "pyodide"
    folder.mkdir()
    needed = {name for names in live.DEPENDS.values() for name in names} | set(live.KERNEL)
    packages = {
        name: {"name": name, "version": "1", "file_name": f"{name}.whl", "depends": []}
        for name in [*(needed - set(live.DEPENDS)), "pandas"]
    }
    (folder / "pyodide-lock.json").write_text(json.dumps({"packages": packages}))
    for name in live.CORE + [package["file_name"] for package in packages.values()]:
        (folder / name).write_text(name)
    return folder


def wheels(tmp_path):
    names = [name.replace("-", "_") for name in live.DEPENDS]
    paths = [tmp_path / f"{name}-0.2-py3-none-any.whl" for name in names]
    for path in paths:
        path.write_text(path.name)
    return paths


def test_a_hosted_pyodide_has_what_is_needed_and_no_more(tmp_path, pyodide):
    live.fill(tmp_path / "site", wheels(tmp_path), pyodide, cache=None)
    lock = json.loads((tmp_path / "site/pyodide-lock.json").read_text())
    assert lock["packages"]["perceptron-lib"]["imports"] == ["perceptron_lib"]
    assert "pandas" not in lock["packages"]
    files = {package["file_name"] for package in lock["packages"].values()}
    files |= {*live.CORE, "pyodide-lock.json"}
    assert {path.name for path in (tmp_path / "site").iterdir()} == files


def test_a_public_pyodide_is_named_in_full(tmp_path, pyodide, monkeypatch):
    lock = json.loads((pyodide / "pyodide-lock.json").read_text())
    monkeypatch.setattr(live, "published", lambda cache: (lock, "https://server.invalid/v1"))
    live.fill(tmp_path / "site", wheels(tmp_path), None, cache=None)
    packages = json.loads((tmp_path / "site/pyodide-lock.json").read_text())["packages"]
    assert packages["numpy"]["file_name"] == "https://server.invalid/v1/numpy.whl"
    assert packages["comm"]["file_name"] == "comm-0.2-py3-none-any.whl"


def test_what_is_missing_is_said_in_one_sentence(tmp_path, pyodide, monkeypatch):
    (pyodide / "numpy.whl").unlink()
    with pytest.raises(SystemExit, match=r"numpy\.whl is not in it\.$"):
        live.fill(tmp_path / "site", wheels(tmp_path), pyodide, cache=None)
    shutil.rmtree(pyodide)
    with pytest.raises(SystemExit, match="is not a release of Pyodide"):
        build.build(tmp_path / "site", pyodide)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SystemExit, match=r"needs Node\.js and npm"):
        build.build(tmp_path / "site")


def test_the_server_says_in_one_sentence_what_is_wrong_and_serves_this_machine_only(tmp_path):
    assert "`make site` builds it." in run("web.serve", tmp_path).stderr
    (tmp_path / "index.html").touch()
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        said = run("web.serve", tmp_path, "--port", port).stderr
    assert said.startswith(f"Port {port} cannot be used") and said.count("\n") == 1
    with serve.Server(tmp_path, port=0) as server:
        assert server.server_address[0] == "127.0.0.1"
