"""The pages and decks as a browser shows them: complete, quiet, readable by everyone.

What axe-core is asked: the rules of WCAG 2.0 and 2.1, levels A and AA, with an impact of "serious"
or "critical", on the start page and the reading pages, in light and in dark. Left out are the
decks (a lecturer shows them; the same content is on the reading pages) and the live notebooks
(their page is JupyterLab's own); and, on a page, the thousands of pieces from which KaTeX draws a
formula: they are hidden from screen readers, which get the same formula as MathML.
"""

import re
from itertools import pairwise

import pytest

from tests.browser.conftest import NAMES, ROOT

READ = ["index.html", *(f"read/{name}.html" for name in NAMES)]
SLIDES = [f"slides/{name}.html" for name in NAMES]
AXE = ROOT / "build/cache/npm/node_modules/axe-core/axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]

# Every slide with all its fragments: does it fit, and has its picture room?
CUT_OFF = """() => {
  const found = [];
  for (const slide of document.querySelectorAll(".slides > section > section")) {
    const { h, v } = Reveal.getIndices(slide);
    Reveal.slide(h, v, slide.querySelectorAll(".fragment").length - 1);
    const wide = [...slide.querySelectorAll("pre, .wide, .katex-display")]
      .filter(part => part.scrollWidth > part.clientWidth + 1);
    const high = [...slide.querySelectorAll("pre, .wide, .fragment")]
      .filter(part => part.scrollHeight > part.clientHeight + 4);
    if (slide.scrollHeight > 720 || slide.scrollWidth > 1280 || wide.length || high.length)
      found.push(`${h + 1}.${v + 1}: ${slide.scrollWidth} by ${slide.scrollHeight}`);
  }
  return found;
}"""


def visit(page, address):
    page.goto(address)
    page.evaluate("document.fonts.ready.then(() => window.Reveal && Reveal.isReady())")


def unset_formulas(page):
    """What is left of formulas that were not set: marks, errors, dollars in the text."""
    return page.evaluate("""() => {
      const bare = document.body.cloneNode(true);
      const left = [...bare.querySelectorAll(".tex, .katex-error")].map(e => e.textContent);
      bare.querySelectorAll("pre, code, script, .katex").forEach(e => e.remove());
      return left.concat(bare.textContent.match(/.*(\\$|\\\\[a-z]).*/g) ?? []);
    }""")


def violations(page, rules=RULES, within="body"):
    page.add_script_tag(path=AXE)
    run = """([rules, within]) =>
      axe.run({ include: [within], exclude: ['.katex-html'] }, { runOnly: rules })"""
    found = page.evaluate(run, [rules, within])["violations"]
    return [
        f"{rule['id']}: {node['html'][:200]}"
        for rule in found
        if rule["impact"] in ("serious", "critical")
        for node in rule["nodes"]
    ]


@pytest.mark.parametrize("name", READ + SLIDES)
def test_page_opens_without_an_error_and_with_every_formula_set(name, site, page):
    visit(page, site + name)
    assert unset_formulas(page) == []
    assert page.locator(".katex").count() > 0
    assert page.evaluate("document.fonts.check('16px KaTeX_Main')")
    broken = "all => all.filter(e => !e.complete || !e.naturalWidth).map(e => e.src)"
    assert page.locator("img").evaluate_all(broken) == []
    assert page.errors == []


@pytest.mark.parametrize("name", SLIDES)
def test_no_slide_is_cut_off(name, site, page):
    visit(page, site + name)
    assert page.evaluate(CUT_OFF) == []


@pytest.mark.parametrize("name", READ)
def test_axe_finds_nothing_serious(name, site, page):
    visit(page, site + name)
    assert violations(page) == []
    page.emulate_media(color_scheme="dark")
    assert violations(page, ["color-contrast"]) == []


@pytest.mark.parametrize("name", READ)
def test_page_fits_a_phone_and_has_its_headings_in_order(name, site, page):
    page.set_viewport_size({"width": 390, "height": 844})
    visit(page, site + name)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    levels = page.locator("h1, h2, h3, h4").evaluate_all("all => all.map(e => +e.tagName[1])")
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(b - a <= 1 for a, b in pairwise(levels)), levels


def test_pages_lead_to_each_other_and_to_the_live_notebook(site, page):
    visit(page, site)
    for name in NAMES:
        page.get_by_role("link", name=re.compile("^Read ")).nth(NAMES.index(name)).click()
        assert page.url.endswith(f"read/{name}.html")
        page.get_by_role("link", name="All notebooks").click()
    visit(page, f"{site}read/{NAMES[0]}.html")
    for name in NAMES[1:]:
        page.locator("[rel=next]").click()
        assert page.url.endswith(f"read/{name}.html")
    assert page.locator("[rel=next]").count() == 0
    live = page.get_by_role("link", name="Live", exact=True).get_attribute("href")
    assert live == f"../live/lab/index.html?path={NAMES[-1]}.ipynb"


def test_the_checks_say_no(site, page):
    visit(page, site + READ[1])
    page.evaluate("document.querySelector('main p').innerHTML = 'so $x$, <span class=tex>y</span>'")
    assert unset_formulas(page) == ["y", "so $x$, y"]
    page.evaluate("document.querySelector('img').removeAttribute('alt')")
    page.evaluate("document.querySelector('main p').style.color = '#ccc'")
    assert {found.split(":")[0] for found in violations(page)} == {"image-alt", "color-contrast"}
    visit(page, site + SLIDES[0])
    page.evaluate("Reveal.getSlide(1, 0).append('long '.repeat(2000))")
    assert [found.split(":")[0] for found in page.evaluate(CUT_OFF)] == ["2.1"]
    page.evaluate("fetch('http://elsewhere.invalid/').catch(() => {})")
    page.wait_for_timeout(200)
    assert page.strangers == ["http://elsewhere.invalid/"] and page.errors
    page.strangers.clear()
