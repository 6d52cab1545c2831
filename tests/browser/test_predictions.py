"""The answer to a Predict is seen by nobody who has not opened it: in JupyterLab as stored, after
Run All, and on the page.

It is found by structure: of what answers, only summaries of closed folds may be visible.
"""

import json

import nbformat
import pytest

from tests.browser.conftest import LESSONS, ROOT
from tests.browser.lab import NOTEBOOK, Lab
from tools import guard
from web import render

# What can be seen of an element, but for summaries of closed folds.
SEEN = """element => {
  const own = [...element.querySelectorAll("img, svg, table, pre, p, li, summary")];
  return own.filter(e => e.checkVisibility() && e.getClientRects().length)
    .filter(e => e.tagName != "SUMMARY" || e.parentElement.open)
    .filter(e => !e.closest(".jp-OutputArea-promptOverlay"))  // JupyterLab's own button
    .map(e => e.tagName + ": " + (e.alt ?? e.textContent).trim().slice(0, 60));
}"""
# On a page: what follows a Predict, up to where the folds end, and is no code.
AFTER_PREDICTS = """() => {
  const wrong = [];
  for (const word of document.querySelectorAll("article strong")) {
    if (!word.textContent.startsWith("Predict")) continue;
    let next = word.closest("p").nextElementSibling;
    const output = () => next.querySelector(".cell_output")?.firstElementChild;
    const shown = () => next?.matches("div.cell") ? output() : next;
    const question = () => next && (!shown() || next.matches("p:not(:has(strong))"));
    while (question()) next = next.nextElementSibling;  // code without an output, more words
    if (!shown()?.matches("details:not([open])")) wrong.push(word.textContent);
  }
  return wrong;
}"""


def secrets_seen(lab, cells):
    """What can be seen, in a notebook as it stands in JupyterLab, of cells that answer."""
    seen = []
    for k in guard.answers(cells):
        lab.page.evaluate(f"async i => {{ await {NOTEBOOK}.scrollToItem(i) }}", k)
        part = ".jp-Cell-outputArea" if cells[k].cell_type == "code" else ".jp-MarkdownOutput"
        handle = lab.page.evaluate_handle(f"i => {NOTEBOOK}.widgets[i].node", k).as_element()
        handle.wait_for_selector(f"{part} details", state="attached") if folded(cells[k]) else None
        for element in handle.query_selector_all(part):
            seen += element.evaluate(SEEN)
    return seen


def folded(cell):
    return "<details" in cell.source + json.dumps(cell.get("outputs", []))


@pytest.mark.parametrize("name", LESSONS)
def test_predictions_keep_their_secret_in_jupyterlab_and_on_the_page(name, jupyterlab, site, page):
    cells = nbformat.read(ROOT / f"notebooks/{name}.ipynb", as_version=4).cells
    lab = Lab(page, jupyterlab(name), seconds=90)
    assert secrets_seen(lab, cells) == []
    lab.run_all()
    assert secrets_seen(lab, cells) == []
    page.goto(f"{site}read/{name}.html")
    assert page.evaluate(AFTER_PREDICTS) == []


def test_an_open_answer_would_be_seen(jupyterlab, page):
    """Two answers of a lesson opened, and on the page a choice."""
    name, path = "spoilt", ROOT / "notebooks/09_dual_and_kernels.ipynb"
    nb = nbformat.read(path, as_version=4)
    first, other, last = (guard.answers(nb.cells)[k] for k in (0, 2, -2))
    for answer in (first, other):
        nb.cells[answer].outputs[0].data = {"text/plain": "42"}
    asked = nb.cells[first - 1]
    asked.source = asked.source.replace("<details>", "<details open>")
    nb.cells[last].outputs[0].data = {"text/plain": "it was 42"}
    nb.cells[last].metadata = {"jupyter": {"outputs_hidden": True}}
    nbformat.write(nb, jupyterlab.folder / f"{name}.ipynb")
    seen = secrets_seen(Lab(page, jupyterlab(name), seconds=90), nb.cells)
    assert len(seen) >= 2 and any("42" in text for text in seen)
    shown = '<div class="cell"><div class="cell_output">{}</div></div>'
    made = "".join(shown.format(render.shown(cell, lambda png: "p.png")) if "outputs" in cell
                   else render.markdown(cell.source) for cell in nb.cells)  # fmt: skip
    page.set_content(f"<article>{made}</article>")
    assert page.evaluate(AFTER_PREDICTS) != []
