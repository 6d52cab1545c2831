"""Explorers without a kernel: on pages and slides, by keyboard, and with scripts turned off."""

import json

import pytest

from tests.browser.conftest import NAMES, ROOT
from tests.browser.test_pages import visit
from web import frames, render

LESSONS = [
    name for name in NAMES
    if any(map(frames.explorer_of, render.Notebook.read(ROOT / f"notebooks/{name}.ipynb").cells))
]  # fmt: skip


class Explorer:
    """The explorer of a page, and what it asked the server for."""

    def __init__(self, page, address):
        self.page, self.asked = page, []
        page.on("request", lambda r: "/frames/" in r.url and self.asked.append(r.url))
        visit(page, address)
        self.box = page.locator(".explorer")

    def state(self):
        return self.box.locator(".words").inner_text(), self.box.locator("img").get_attribute("src")

    def moves(self, control, key):
        """Whether a key on a control changes words or picture."""
        before = self.state()
        control.focus()
        self.page.keyboard.press(key)
        for _ in range(100):
            if self.state() != before:
                return True
            self.page.wait_for_timeout(20)
        return False

    def show_slide(self):
        """Go to the slide of the explorer; its column, from 0."""
        return self.box.evaluate("""explorer => {
          const { h, v } = Reveal.getIndices(explorer.closest("section"));
          Reveal.slide(h, v);
          return h;
        }""")


def leaves(node):
    return [node] if isinstance(node, list) else [x for part in below(node) for x in leaves(part)]


def below(node):
    return [node["off"]] if "off" in node else node["then"]


def neighbours(node):
    """Pairs of leaves that one move of one control leads between."""
    if isinstance(node, dict):
        for one, other in zip(below(node), below(node)[1:], strict=False):
            if len(leaves(one)) == len(leaves(other)):
                yield from zip(leaves(one), leaves(other), strict=True)
        for one in below(node):
            yield from neighbours(one)


@pytest.mark.parametrize("name", LESSONS)
def test_every_control_moves_the_explorer_by_keyboard(name, site, page):
    explorer = Explorer(page, f"{site}read/{name}.html")
    assert len(explorer.asked) == 1, "The others are loaded when they are wanted."
    box, controls = explorer.box.bounding_box(), explorer.box.locator("select, input")
    assert box["width"] <= 1280 and box["height"] <= 780
    for k in reversed(range(controls.count())):
        control = controls.nth(k)
        assert control.evaluate("e => e.labels[0].firstChild.textContent")
        if control.is_enabled():
            menu = control.evaluate("e => e.matches('select')")
            for key in ["ArrowDown"] if menu else ["ArrowRight", "Home"]:
                assert explorer.moves(control, key), (k, key)
    assert explorer.box.locator("[aria-live=polite]").inner_text() in explorer.state()[0]
    assert explorer.box.locator("img").get_attribute("alt")
    assert page.evaluate("document.querySelector('.explorer img').naturalWidth") > 0
    assert page.errors == []


@pytest.mark.parametrize("name", LESSONS)
def test_every_move_changes_words_or_picture(name, site, page):
    explorer = Explorer(page, f"{site}read/{name}.html")
    known = json.loads(explorer.box.locator("script").text_content())
    same = [pair for pair in neighbours(known["tree"]) if pair[0] == pair[1]]
    assert same == []
    assert len(leaves(known["tree"])) >= max(len(known["pictures"]), len(known["words"])) > 20


def test_all_frames_of_the_site_are_small(site):
    sizes = [path.stat().st_size for path in (ROOT / "build/site-test/frames").iterdir()]
    assert sum(sizes) < 12e6 and max(sizes) < 120e3


@pytest.mark.parametrize("name", LESSONS)
def test_on_a_slide_the_keys_of_a_control_are_its_own(name, site, page):
    explorer = Explorer(page, f"{site}slides/{name}.html?long")
    column = explorer.show_slide()
    where = "Reveal.getIndices().h"
    for kind in ("select", "input"):
        for control in explorer.box.locator(f"{kind}:enabled").all()[:1]:
            key = {"select": "ArrowDown", "input": "ArrowRight"}[kind]
            assert explorer.moves(control, key) and page.evaluate(where) == column
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowRight")
    assert page.evaluate(where) == column + 1
    explorer.show_slide()
    explorer.box.locator("input").first.focus()
    page.keyboard.press("PageDown")
    assert page.evaluate(where) == column + 1 and page.errors == []


def test_the_stepper_plays(site, page):
    explorer = Explorer(page, f"{site}read/{LESSONS[0]}.html")
    button, before = explorer.box.get_by_role("button"), explorer.state()
    button.press("Enter")
    changed = "text => document.querySelector('.words').innerText !== text"
    page.wait_for_function(changed, arg=before[0])
    assert button.inner_text() == "Pause"
    button.press("Enter")
    assert button.inner_text() == "Play"


def test_a_picture_that_does_not_come_is_said_to_be_missing(site, page):
    explorer = Explorer(page, f"{site}read/{LESSONS[-1]}.html")
    page.route("**/frames/*", lambda route: route.abort())
    assert explorer.moves(explorer.box.locator("input").first, "ArrowRight")
    assert "could not be loaded" in explorer.state()[0]


def test_without_scripts_the_still_picture_and_its_words_remain(site, browser):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site}read/{LESSONS[0]}.html")
    box = page.locator(".explorer")
    assert box.locator("img").is_visible() and "Update 2" in box.locator(".words").inner_text()
    assert box.locator("select, input, button").count() == 0
    context.close()
