"""The pages and decks as a browser shows them: complete, quiet, readable by everyone.

What axe-core is asked: the rules of WCAG 2.0 and 2.1, levels A and AA, with an impact of "serious"
or "critical", on the start page, the reading pages and the decks, in light and in dark. Left out
are the live notebooks (their page is JupyterLab's own); and, on a page, the thousands of pieces
from which KaTeX draws a formula: they are hidden from screen readers, which get the same formula
as MathML.
"""

import re
from itertools import pairwise
from urllib.parse import unquote

import pytest

from tests.browser.conftest import LESSONS, NAMES, ROOT
from web import render

TEXTS = ["teach/index.html", *(f"{name}.html" for name in render.texts())]
FIRST = ["index.html", "licences.html", "reference.html"]
READ = [*FIRST, *(f"read/{name}.html" for name in NAMES), *TEXTS]
LESSON = f"read/{LESSONS[0]}.html"
SLIDES = [f"slides/{name}.html" for name in LESSONS]
AXE = ROOT / "build/cache/npm/node_modules/axe-core/axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]

# Every slide with all its fragments: does it fit, can it be read, and is its picture large enough?
CUT_OFF = """() => {
  const found = [];
  for (const slide of document.querySelectorAll(".slides > section > section")) {
    const { h, v } = Reveal.getIndices(slide);
    Reveal.slide(h, v, slide.querySelectorAll(".fragment").length - 1);
    const at = `${h + 1}.${v + 1}: `, own = part => !part.closest(".notes, .scene");
    if (slide.scrollHeight > 721 || slide.scrollWidth > 1281)
      found.push(at + `${slide.scrollWidth} by ${slide.scrollHeight}`);
    const steps = slide.querySelector(".steps");
    if (steps?.scrollHeight > steps?.clientHeight + 1) found.push(at + "steps over what follows");
    for (const part of [...slide.querySelectorAll("pre, .wide, .katex-display")].filter(own))
      if (part.scrollWidth > part.clientWidth + 1) found.push(at + "too wide: " + part.className);
    const texts = [...slide.querySelectorAll("p, li, td, th, code, h1, h2, .why, label")];
    for (const part of texts.filter(p => own(p) && p.offsetWidth && p.textContent.trim()))
      if (parseFloat(getComputedStyle(part).fontSize) < 20)
        found.push(at + "too small: " + part.textContent.slice(0, 20));
    for (const formula of [...slide.querySelectorAll(".katex-display > .katex")].filter(own))
      if (parseFloat(getComputedStyle(formula).fontSize) < 36) found.push(at + "a small formula");
    for (const image of [...slide.querySelectorAll("img")].filter(own)) {
      const ratio = image.naturalWidth / image.naturalHeight;
      const high = Math.min(image.clientHeight, image.clientWidth / ratio);
      if (high < 0.6 * 720 && high * ratio < 0.6 * 1280 && image.closest(".beside") === null)
        found.push(at + `a picture of ${Math.round(high * ratio)} by ${Math.round(high)}`);
    }
  }
  return found;
}"""
# Tables, formulas and results that are cut off where nobody can scroll to them.
CLIPPED = """() => {
  const wide = ".wide, .katex-display, pre, .table-wrapper";
  const parts = [...document.querySelector("article").querySelectorAll(wide)];
  return parts.filter(part => {
    const box = part.getBoundingClientRect(), wide = part.scrollWidth > part.clientWidth + 1;
    const hidden = getComputedStyle(part).overflowX === "hidden" || part.tabIndex !== 0;
    return box.width && (wide && hidden || box.right > innerWidth + 1 || box.left < -1);
  }).map(part => part.textContent.slice(0, 40));
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


def opened(name, page):
    """A page that was visited has its formulas, fonts and pictures, and no error."""
    assert unset_formulas(page) == []
    assert page.locator(".katex").count() > 0 or not name.startswith(("read/", "slides/"))
    for font in ["KaTeX_Main"] + ["Source Sans"] * (not name.startswith("slides/")):
        assert page.evaluate(f"document.fonts.load('16px {font}').then(found => found.length > 0)")
    broken = """all => all.filter(e => e.checkVisibility() && !(e.complete && e.naturalWidth))
      .map(e => e.src)"""
    assert page.locator("img").evaluate_all(broken) == []
    assert page.errors == []


@pytest.mark.parametrize("name", READ)
def test_a_page_is_complete_and_can_be_read_by_everyone_at_any_width(name, site, page):
    visit(page, site + name)
    opened(name, page)
    assert violations(page) == []
    page.emulate_media(color_scheme="dark")
    assert violations(page, ["color-contrast"]) == []
    levels = page.locator("h1, h2, h3, h4").evaluate_all("all => all.map(e => +e.tagName[1])")
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(b - a <= 1 for a, b in pairwise(levels)), levels
    page.evaluate("document.querySelectorAll('article details').forEach(part => part.open = true)")
    for width in (1280, 768, 390):
        page.set_viewport_size({"width": width, "height": 844})
        page.wait_for_timeout(100)
        assert page.evaluate(CLIPPED) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("name", SLIDES)
def test_every_slide_fits_and_can_be_read_from_the_last_row(name, site, page):
    visit(page, site + name + "?long")
    opened(name, page)
    assert page.evaluate(CUT_OFF) == []
    timing = "[...document.querySelectorAll('.slides section')].map(s => +s.dataset.timing || 0)"
    assert 55 * 60 <= sum(page.evaluate(timing)) <= 75 * 60
    assert page.locator("section:not(:has(section)):not(:has(.notes))").count() == 0
    visit(page, site + name)
    assert page.locator("section.star").count() == 0
    assert 43 * 60 <= sum(page.evaluate(timing)) <= 48 * 60  # of 50: there will be questions
    links = page.locator(".contents a").evaluate_all("all => all.map(a => a.hash)")
    assert links and all(page.locator(f'[id="{unquote(link[2:])}"]').count() for link in links)
    assert violations(page) == []
    visit(page, site + name + "?theme=dark")
    assert violations(page, ["color-contrast"]) == []


@pytest.mark.parametrize("name", SLIDES)
def test_printed_slides_are_whole_and_have_the_numbers_of_the_screen(name, site, page):
    visit(page, site + name + "?long")
    numbers = "all => all.map(slide => slide.dataset.number)"
    shown = page.locator(".slides > section > section").evaluate_all(numbers)
    visit(page, site + name + "?print-pdf&long")
    page.locator(".pdf-page").nth(len(shown) - 1).wait_for()
    assert page.locator(".slide-number-pdf").all_inner_texts() == shown
    high = """all => all.filter(page => page.scrollHeight > page.clientHeight + 1
      || page.querySelector("section").scrollHeight > 721).map(page => page.innerText)"""
    assert page.locator(".pdf-page").evaluate_all(high) == []


def test_one_key_shows_every_slide_and_the_notes_tell_the_time(site, page):
    visit(page, site + SLIDES[2])
    slides, seen = page.locator(".slides > section > section").count(), set()
    while not page.evaluate("Reveal.isLastSlide() && !Reveal.availableFragments().next"):
        page.keyboard.press("ArrowRight")
        seen.add(page.evaluate("Reveal.getCurrentSlide().dataset.number"))
    assert len(seen) == slides - 1
    notes = page.locator("aside.notes").all_text_contents()
    assert notes[0].startswith("1 min, until 0:01") and "Space or →" in notes[0]
    assert notes[-2].split(",")[1].startswith(" until 0:4")


def test_search_finds_pages_by_keyboard_and_marks_what_was_found(site, page):
    visit(page, site + "read/notation.html")
    page.get_by_placeholder("Search").fill("certificate")
    page.keyboard.press("Enter")
    page.locator("#search-results li a").first.wait_for()
    assert page.locator("#search-results .highlighted").count() > 0
    page.locator("#search-results li a").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_url(lambda address: "search.html" not in address)
    page.locator("article .highlighted").first.wait_for()


@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_the_summary_is_one_sheet_that_can_be_read(paper, site, page):
    visit(page, site + "read/summary.html")
    printed = page.pdf(format=paper)
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 1
    page.emulate_media(media="print")
    sizes = "all => all.map(e => parseFloat(getComputedStyle(e).fontSize))"
    assert min(page.locator(".sheet p, .sheet li").evaluate_all(sizes)) >= 9 * 96 / 72


def test_a_term_leads_to_its_sentence_by_keyboard(site, page):
    visit(page, f"{site}read/{NAMES[1]}.html")
    term = page.locator("a.term").first
    said = term.get_attribute("data-said")
    term.focus()
    assert term.evaluate("e => getComputedStyle(e, '::after').visibility") == "visible"
    assert said in term.evaluate("e => getComputedStyle(e, '::after').content")
    page.keyboard.press("Enter")
    page.wait_for_url("**/read/glossary.html#*")
    assert said in page.locator("li:target").inner_text()


def test_predictions_are_folded_until_asked_for_and_open_in_print(site, page):
    visit(page, site + LESSON)
    answer = page.locator("details:has(> summary:text('Show the answer'))").first
    answer.locator("summary").focus()
    page.keyboard.press("Enter")
    assert answer.get_attribute("open") is not None
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("article details:not([open])").count() == 0
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("article details:not([open])").count() > 0


def test_a_newer_lesson_is_offered_and_the_changed_copy_is_kept(site, page):
    name, stored = f"{NAMES[0]}.ipynb", """async name => {
      const open = indexedDB.open("The Perceptron", 1);
      open.onupgradeneeded = () => open.result.createObjectStore("files");
      const database = await new Promise(good => open.onsuccess = () => good(open.result));
      const content = { metadata: { lesson_version: "old" }, cells: [] };
      const model = { name, path: name, content, last_modified: "2026-01-02T03:04:05Z" };
      const put = database.transaction("files", "readwrite").objectStore("files").put(model, name);
      await new Promise(good => put.onsuccess = good);
      database.close();
    }"""  # fmt: skip
    visit(page, site + "read/notation.html")
    page.evaluate(stored, name)
    page.goto(f"{site}live/open.html?path={name}")
    page.get_by_text("is newer than your copy").wait_for()
    page.route("**/notebooks/index.html*", lambda route: route.fulfill(body="the lab"))
    page.get_by_role("button", name="keep my copy").click()
    page.frame_locator("iframe").get_by_text("the lab").wait_for()
    keys = page.evaluate("""async () => {
      const open = indexedDB.open("The Perceptron");
      const database = await new Promise(good => open.onsuccess = () => good(open.result));
      const keys = database.transaction("files").objectStore("files").getAllKeys();
      return await new Promise(good => keys.onsuccess = () => good(keys.result));
    }""")
    assert keys == [f"{NAMES[0]} (my copy of 2026-01-02).ipynb"]
    page.goto(f"{site}live/open.html?path=nothing.ipynb")
    page.get_by_text("There is no lesson “nothing.ipynb”").wait_for()


def test_pages_lead_to_each_other_and_to_the_live_notebook(site, page):
    visit(page, site)
    assert page.locator(".map a").count() == len(LESSONS)
    page.locator(".map a").first.click()
    for name in LESSONS:
        page.wait_for_url(f"**/read/{name}.html*")
        for way in (f"../slides/{name}.html", f"../live/open.html?path={name}.ipynb"):
            assert page.locator(f'article a[href="{way}"]').count() == 1
        page.locator("a.next-page").click()
    page.wait_for_url("**/read/summary.html*")
    solve = page.goto(f"{site}read/{LESSONS[0]}.html") and page.locator("a.at-cell").first
    assert "&cell=" in solve.get_attribute("href")


def test_every_link_within_the_site_leads_somewhere(site_folder):
    dead = []
    for path in [p for at in ("*", "read/*", "teach/*") for p in site_folder.glob(f"{at}.html")]:
        text = path.read_text(encoding="utf-8")
        for link in set(re.findall(r'(?:href|src)="([^"#?]+)[^"]*"', text)):
            if not re.match(r"(\w+:|//)", link) and not (path.parent / unquote(link)).exists():
                dead.append(f"{path.name}: {link}")
    assert dead == []


def test_the_checks_say_no(site, page):
    visit(page, site + LESSON)
    spoilt = "so $x$, <span class=tex>y</span>"
    page.evaluate(f"document.querySelector('article p').innerHTML = '{spoilt}'")
    assert unset_formulas(page) == ["y", "so $x$, y"]
    page.evaluate("document.querySelector('article img').removeAttribute('alt')")
    page.evaluate("document.querySelector('article p').style.color = '#ccc'")
    assert {found.split(":")[0] for found in violations(page)} == {"image-alt", "color-contrast"}
    visit(page, site + SLIDES[0])
    page.evaluate("Reveal.getSlide(1, 0).append('long '.repeat(2000))")
    page.evaluate("document.querySelector('.slides li').style.fontSize = '12px'")
    assert {found.split(":")[0] for found in page.evaluate(CUT_OFF)} == {"2.1"}
    page.evaluate("fetch('http://elsewhere.invalid/').catch(() => {})")
    page.wait_for_timeout(200)
    assert page.strangers == ["http://elsewhere.invalid/"] and page.errors
    page.strangers.clear()
