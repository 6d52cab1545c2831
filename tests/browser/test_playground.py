"""The playground in a browser: by mouse, by touch and by keys alone, on a page, on a slide and in
JupyterLab; the same answers as Python; nothing lost by bad input."""

import pytest

from tests.browser.lab import NOTEBOOK, Lab
from tests.browser.test_pages import violations
from tests.test_playground import ANSWERS, differences, random_cases

PAGE = "read/01_algorithm.html"
MODULE = "assets/playground.js"


class Play:
    """A playground, as someone uses it."""

    def __init__(self, page):
        self.page, self.box = page, page.locator(".pg")
        self.box.wait_for(timeout=60_000)
        self.plane = page.locator(".pg-plane")
        self.points = page.locator(".pg-point")
        page.wait_for_function("document.querySelector('.pg [data-part=ground]').innerHTML")

    def do(self, name):
        return self.box.locator(f'[data-do="{name}"]')

    def said(self):
        return self.box.locator(".pg-status").inner_text()

    def fact(self, name):
        fact = self.box.locator(f".pg-facts div:has(dt:text-matches('^{name}'))")
        return fact.locator("dd").inner_text()

    def met(self):
        return self.box.locator(".pg-tasks li").evaluate_all(
            "all => all.map(e => e.classList.contains('pg-met'))"
        )

    def warned(self):
        return self.box.locator(".pg-status.pg-warn").count() == 1

    def note(self, k):
        return self.box.locator(".pg-tasks li small").nth(k).inner_text()

    def at(self, x, y, half=6.5):
        """Where a place of the plane is on the page."""
        box = self.plane.bounding_box()
        unit = box["width"] / 2 / half
        return box["x"] + box["width"] / 2 + x * unit, box["y"] + box["height"] / 2 - y * unit

    def click(self, x, y, half=6.5, **how):
        self.page.mouse.click(*self.at(x, y, half), **how)

    def drag(self, start, end):
        self.page.mouse.move(*self.at(*start))
        self.page.mouse.down()
        self.page.mouse.move(*self.at(*end), steps=8)
        self.page.mouse.up()


@pytest.fixture
def play(site, page):
    return opened(site, page)


def opened(site, page, points="1,1p3,-1p1,3p-3,0m-1,2m&t=2"):
    page.goto(f"{site}{PAGE}#play={points}")
    return Play(page)


def labels(play):
    """What screen readers are told of the points: number, label, place."""
    return play.points.evaluate_all("all => all.map(e => e.getAttribute('aria-label'))")


def test_600_random_point_sets_give_the_answers_of_python(site, page):
    page.goto(site + PAGE)
    cases = list(random_cases())
    asked = f"async ([place, cases]) => ({ANSWERS})(await import(place), cases)"
    answers = page.evaluate(asked, [site + MODULE, cases])
    assert differences(cases, answers) == []
    answers[7][0] = [*answers[7][0], 0]
    assert differences(cases, answers) == [7]


def test_by_mouse(play):
    assert play.fact("M") == "2 of 4" and play.fact("γ") == "1"
    play.click(4, 4)
    assert labels(play)[5] == "Point 5, plus, at (4, 4)" and "Point 5" in play.said()
    play.click(4, 4, button="right")
    assert labels(play)[5] == "Point 5, minus, at (4, 4)" and play.fact("γ") == "none"
    play.drag((4, 4), (-4, -3))
    assert labels(play)[5] == "Point 5, minus, at (−4, −3)" and play.fact("γ") == "1"
    play.do("delete").click()
    assert len(labels(play)) == 5
    for _ in range(4):
        play.do("undo").click()
    assert labels(play)[4:] == ["Point 4, minus, at (−1, 2)"] and play.do("undo").is_disabled()
    play.do("minus").click()
    play.click(-4, -4)
    assert labels(play)[5] == "Point 5, minus, at (−4, −4)"
    play.click(-5, -5, button="right")
    assert labels(play)[6] == "Point 6, plus, at (−5, −5)"
    assert not play.page.errors


def test_step_back_run_and_reset(play):
    play.do("step").click()
    assert play.said().startswith("Update 3 of 4, in pass 2: point 2, x = (1, 3)")
    play.do("back").click()
    assert "w becomes (2, −1)" in play.said()
    play.do("reset").click()
    assert play.said().startswith("Start") and play.do("back").is_disabled()
    play.do("run").click()
    play.page.wait_for_function(
        "document.querySelector('.pg-status').innerText.includes('a separator is found')"
    )
    assert play.fact("M") == "4 of 4" and play.do("step").is_disabled()
    play.do("t").fill("1")
    assert play.said().startswith("Update 1 of 4")


def test_a_run_without_end_goes_round(play):
    play.do("preset").select_option("XOR")
    assert play.fact("M") == "0 of ∞" and play.do("bias").is_checked()
    assert play.said().startswith("XOR: The bias is on, with the constant 1. Start")
    for _ in range(4):
        play.do("step").click()
    assert "goes round for ever" in play.said() and play.do("step").is_enabled()
    play.do("step").click()
    assert play.said().startswith("Round again: w was as it was at the start. Update 5 of ∞")
    assert "in pass 2: point 0" in play.said() and play.fact("M") == "5 of ∞"
    for _ in range(4):
        play.do("step").click()
    assert "Update 9 of ∞, in pass 3" in play.said() and play.do("t").input_value() == "9"
    assert play.box.locator(".pg-star").count() == 1 and play.box.locator(".pg-ring").count() == 4


def test_options_change_the_run(play):
    play.do("tie").select_option("negative")
    assert "predict −" in play.said()
    play.do("order").select_option("reversed")
    assert "reversed" in play.said()
    play.do("order").select_option("seed")
    play.do("seed").fill("7")
    play.do("seed").blur()
    assert "Shuffled by seed 7" in play.said()
    play.do("bias").check()
    play.do("constant").fill("5")
    play.do("constant").blur()
    assert "The constant is 5" in play.said()
    play.do("constant").fill("-1")
    play.do("constant").blur()
    assert "A whole number from 1 to 99 is expected here. Nothing was changed." in play.said()
    assert play.do("constant").input_value() == "5"


def test_by_keys_alone(play):
    page, press = play.page, play.page.keyboard.press
    play.do("undo").focus()
    while page.evaluate("document.activeElement.getAttribute('class')") != "pg-plane":
        press("Tab")
    for key in ["ArrowUp"] * 4 + ["ArrowRight"] * 2:
        press(key)
    assert play.said() == "The cross is at (2, 4)."
    press("-")
    assert labels(play)[5] == "Point 5, minus, at (2, 4)" and play.fact("γ") == "none"
    press("Tab")
    assert "Point 0" in page.evaluate("document.activeElement.getAttribute('aria-label')")
    press("ArrowRight")
    press("Shift+ArrowDown")
    assert labels(play)[0] == "Point 0, plus, at (2, −4)" and "Point 0 is at (2, −4)" in play.said()
    press("f")
    assert labels(play)[0] == "Point 0, minus, at (2, −4)"
    press("]")
    assert labels(play)[1] == "Point 1, minus, at (2, −4)"
    press("Delete")
    assert len(labels(play)) == 5 and "Point 1 is gone" in play.said()
    press("Control+z")
    assert len(labels(play)) == 6
    press("Escape")
    assert page.evaluate("document.activeElement.getAttribute('class')") == "pg-plane"
    play.do("step").focus()
    press("Enter")
    assert play.said().startswith("Update")


def test_by_touch_on_a_phone(site, browser):
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    context = browser.new_context(**phone)
    page = context.new_page()
    play = opened(site, page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    play.plane.scroll_into_view_if_needed()
    page.touchscreen.tap(*play.at(4, 4))
    assert labels(play)[5] == "Point 5, plus, at (4, 4)"
    send = context.new_cdp_session(page).send

    def touch(kind, *places):
        points = [{"x": x, "y": y} for x, y in places]
        send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": points})

    touch("Start", play.at(4, 4))
    for k in range(1, 9):
        touch("Move", play.at(4 - k, 4 - k))
    touch("End")
    assert labels(play)[5] == "Point 5, plus, at (−4, −4)" and len(labels(play)) == 6
    page.touchscreen.tap(*play.at(-4, -4))
    play.do("flip").tap()
    assert labels(play)[5] == "Point 5, minus, at (−4, −4)"
    play.do("delete").tap()
    assert len(labels(play)) == 5
    # A finger that starts beside the points scrolls the page, and puts no point down.
    before = page.evaluate("scrollY")
    x, y = play.at(-5, -1)
    touch("Start", (x, y))
    for k in range(1, 9):
        touch("Move", (x, y - 20 * k))
    touch("End")
    page.wait_for_timeout(200)
    assert page.evaluate("scrollY") > before and len(labels(play)) == 5
    context.close()


def test_bad_input_gets_a_sentence_and_loses_nothing(site, page):
    forty = "".join(f"{k % 8 - 4},{k // 8 - 3}p" for k in range(40))
    play = opened(site, page, forty)
    play.click(5, 5)
    assert "There is room for 40 points, and all are down. Nothing was changed." in play.said()
    assert len(labels(play)) == 40
    play.do("preset").select_option("five points")
    play.drag((1, 1), (-3, 0))
    assert labels(play)[0] == "Point 0, plus, at (1, 1)"
    assert "At (−3, 0) there is point 3 already, and no line could" in play.said()
    assert "Point 0 is back at (1, 1)." in play.said() and play.warned()
    play.do("out").click()
    assert not play.warned() and play.said().startswith("The plane shows x₁ from −10 to 10")
    play.do("in").click()
    page.mouse.move(*play.at(1, 1))
    page.mouse.down()
    page.mouse.move(*play.at(4, 4), steps=4)
    assert labels(play)[0] == "Point 0, plus, at (4, 4)"
    page.keyboard.press("Escape")
    page.mouse.up()
    assert labels(play)[0] == "Point 0, plus, at (1, 1)" and "called off" in play.said()
    play.points.nth(0).focus()
    for key in ["ArrowLeft"] * 3 + ["ArrowUp"]:
        page.keyboard.press(key)
    before = labels(play)
    page.keyboard.press("ArrowRight")
    assert "there is point 4 already, and no line could give one place two labels" in play.said()
    assert labels(play) == before
    play.do("clear").click()
    assert "The plane is empty" in play.said() and play.do("step").is_disabled()
    play.do("undo").click()
    assert labels(play) == before
    for damaged in ("nonsense", "1,1p1,1m", "1,1p&order=up", "900,1p", "1,1p&tie=x", "1,1p&bias=-1",
                    forty + "9,9p", "1,1p&t=x", "%E0%A4%A", "%E0%A4", "<b>"):  # fmt: skip
        page.evaluate(f"location.hash = '#play={damaged}'")
        page.wait_for_function(
            "document.querySelector('.pg-status').innerText.startsWith('The address')"
        )
        assert labels(play) == before and "URI" not in play.said()
        page.evaluate("document.querySelector('.pg-status').innerText = ''")
    page.evaluate("location.hash = '#play=1<2'")
    page.wait_for_function("document.querySelector('.pg-status').innerText.includes('“1<2”')")
    assert not page.errors


def test_an_address_and_a_snippet_share_the_points(site, page, play):
    play.click(4, 4)
    play.do("tie").select_option("positive")
    play.do("order").select_option("reversed")
    play.do("bias").check()
    play.do("share").click()
    fields = [play.box.locator(f".pg-share {kind}") for kind in ("input", "textarea")]
    address, code = (field.input_value() for field in fields)
    assert page.url == address
    seen = labels(play)
    spaces = {}
    exec(code, spaces)
    assert spaces["X"][5] == (4, 4)
    assert play.fact("M").endswith(f" of {spaces['run'].mistakes}")
    page.goto("about:blank")
    page.goto(address)
    again = Play(page)
    assert labels(again) == seen and again.do("tie").input_value() == "positive"
    assert again.do("order").input_value() == "reversed" and again.do("bias").is_checked()


def test_the_four_challenges_can_be_met_and_are_not_given_away(site, page, play):
    for preset in play.do("preset").locator("option").all_inner_texts()[1:]:
        play.do("preset").select_option(preset)
        page.wait_for_timeout(400)
        assert play.met() == [False] * 4, preset
    play.do("preset").select_option("five points")
    play.do("order").select_option("reversed")
    page.wait_for_timeout(400)
    assert play.note(3) == "5 mistakes: no order makes more; now find one by hand, from “as placed”"
    assert play.met() == [False] * 4
    play.do("order").select_option("placed")
    for point, key in ((2, "[["), (2, "]]")):  # to 2, 0, 3, 4, 1 by way of 2, 0, 1, 3, 4
        play.points.nth(point).focus()
        for k in key:
            page.keyboard.press(k)
    assert play.said().startswith("Challenge met: The worst order") and play.fact("M")[-1] == "5"
    assert "The + at (3, −1) has turn 5 of 5 now, and is point 4." in play.said()
    assert play.met() == [False, False, False, True]
    play.do("preset").select_option("five points")
    assert play.note(3) == "met earlier"
    play.points.nth(0).focus()
    page.keyboard.press("ArrowLeft")  # from (1, 1) to (0, 1)
    assert play.met() == [False, False, True, True] and play.fact("R") == "3.162"
    play.do("preset").select_option("two nearly touching")
    play.plane.focus()
    page.keyboard.press("m")  # at the origin: on every line
    assert play.met()[1]
    play.do("undo").click()
    play.click(-3, 5, half=10.5)
    assert play.met() == [True] * 4 and "Challenge met" in play.said()


def test_a_challenge_says_what_is_missing(site, page, play):
    goal = play.note(2)
    assert goal.startswith("wanted: γ ≤ 0.5, R = 3.162")
    assert play.note(1) == "a line through the origin still separates them"
    play.do("clear").click()
    assert play.note(1) == play.note(2) == "begin with points that can be separated"
    play.do("from").click()
    assert "there is no γ to halve. Nothing was changed." in play.said()
    play.plane.scroll_into_view_if_needed()
    play.click(2, 1)
    play.click(1, 3)
    assert play.note(2) == "when your points are down:"
    play.do("from").click()
    assert play.note(2).startswith("wanted: γ ≤ 1.118") and play.do("from").evaluate(FOCUSED)
    for _ in range(3):
        play.do("undo").click()
    assert play.note(2) == goal and len(labels(play)) == 5
    play.points.nth(4).focus()
    page.keyboard.press("ArrowLeft")
    assert "γ is 1.265 now; half of where you began is 0.5. R is 3.162." in play.said()
    play.do("undo").click()
    play.points.nth(0).focus()
    page.keyboard.press("ArrowLeft")
    assert "γ is 0.3162 now. R is 3.162." in play.said() and play.met()[2]
    play.points.nth(2).focus()
    page.keyboard.press("f")
    assert play.note(1) == "inseparable, but not by adding a point" and not play.met()[1]
    play.do("from").click()
    assert "there is no γ to halve" in play.said() and play.met()[2]
    page.goto("about:blank")
    play = opened(site, page, "1,1p3,-1p1,3p-3,0m-1,2m0,1p&bias=1&order=reversed&t=2")
    page.wait_for_timeout(400)
    assert "begin with other points" not in play.note(3)


FOCUSED = "e => e === document.activeElement"


def test_turns_change_in_the_order_in_use_and_buttons_keep_the_focus(play):
    turns = play.box.locator('[data-part="turns"]')
    assert turns.inner_text() == "turns: 0, 1, 2, 3, 4"
    play.do("order").select_option("reversed")
    assert turns.inner_text() == "turns: 4, 3, 2, 1, 0"
    play.points.nth(3).focus()
    play.do("earlier").click()
    assert play.said().startswith("The − at (−3, 0) has turn 1 of 5 now, and is point 4.")
    assert labels(play)[4] == "Point 4, minus, at (−3, 0)" and play.do("earlier").evaluate(FOCUSED)
    play.do("earlier").click()
    assert "has the first turn already. Nothing was changed." in play.said()
    play.do("order").select_option("seed")
    play.do("again").click()
    assert play.do("seed").input_value() == "2" and "Shuffled by seed 2" in play.said()
    play.points.nth(0).focus()
    before = turns.inner_text()[7:].split(", ")
    play.do("later" if before[0] == "0" else "earlier").click()
    assert turns.inner_text()[7:].split(", ") == before and "now, and is point" in play.said()
    play.do("t").fill("1")
    play.do("back").focus()
    play.page.keyboard.press("Enter")
    assert play.do("back").is_disabled() and play.do("back").evaluate(FOCUSED)


def test_a_reload_loses_nothing_and_what_is_shared_is_what_is_shown(site, page, play):
    play.do("share").click()
    fields = [play.box.locator(f".pg-share {kind}") for kind in ("input", "textarea")]
    play.points.nth(0).focus()
    page.keyboard.press("ArrowLeft")
    play.do("step").click()
    address, code = (field.input_value() for field in fields)
    assert "#play=0,1p3,-1p" in address and address == page.url and "X = [(0, 1), (3, -1)" in code
    play.drag((3, -1), (3, -2))
    assert "0,1p3,-2p" in fields[0].input_value() and "(3, -2)" in fields[1].input_value()
    seen, ticks, step = labels(play), play.met(), play.fact("M")
    assert ticks == [False, False, True, False]
    page.reload()
    play = Play(page)
    assert (labels(play), play.met(), play.fact("M")) == (seen, ticks, step)
    assert play.note(2) == "met earlier"


CROWDED = """() => [...document.querySelectorAll('.pg svg')].flatMap(svg => {
  const frame = svg.getBoundingClientRect(), marks = [...svg.querySelectorAll('.pg-mark')];
  const texts = [...svg.querySelectorAll('text')].filter(e => e.textContent && e.getBBox().width);
  const boxes = [...texts, ...marks].map(e => [e.textContent.trim(), e.getBoundingClientRect()]);
  const wrong = [];
  boxes.forEach(([words, a], k) => {
    if (!words) return;
    if (a.left < frame.left - 1 || a.right > frame.right + 1 || a.top < frame.top - 1 ||
        a.bottom > frame.bottom + 1) wrong.push(`${words} leaves the picture`);
    boxes.slice(0, k).concat(boxes.slice(k + 1)).forEach(([other, b]) => {
      const [x, y] = [['left', 'right'], ['top', 'bottom']].map(([low, high]) =>
        Math.min(a[high], b[high]) - Math.max(a[low], b[low]));
      if (x > 2 && y > 5) wrong.push(`${words} covers ${other || 'a point'}`);
    });
  });
  return wrong;
})"""
STATES = ("1,1p3,-1p1,3p-3,0m-1,2m", "1,1p3,-1p1,3p-3,0m-1,2m&t=4", "1,6p0,-1p6,-1p&t=50",
          "1,1p3,-1p1,3p-3,0m-1,2m4,4m&t=60", "10,3p-99,-99m99,98p&t=1", "5,4p4,3m-3,5p&t=5",
          "3,1p2,3p4,3p3,5p5,2p-2,-2m-4,-1m-1,-4m-3,-4m-9,-7p&t=2")  # fmt: skip


@pytest.mark.parametrize("width", (390, 900, 1280))
def test_labels_keep_inside_their_pictures_and_off_each_other(site, page, width):
    page.set_viewport_size({"width": width, "height": 900})
    play, wrong = opened(site, page, STATES[0]), {}
    for state in STATES:
        page.evaluate(f"location.hash = '#play={state}'")
        page.wait_for_timeout(150)
        if found := page.evaluate(CROWDED):
            wrong[state] = found
        said = play.box.locator('[data-part="squeeze"] text').all_text_contents()
        assert ("γt" in said) == (play.fact("γ") != "none")
    assert wrong == {}
    page.evaluate(f"location.hash = '#play={STATES[0]}'")
    page.wait_for_timeout(100)
    lines = play.box.locator('[data-part="ground"] .pg-w')
    assert "no line yet" in play.plane.text_content() and lines.count() == 0
    play.do("step").click()
    assert lines.count() == 3 and play.box.locator('[data-part="ground"] .pg-old').count() == 0


def test_axe_finds_nothing_serious_in_any_state(site, page, play):
    for preset in ("five points", "XOR", "one outlier", "petals"):
        play.do("preset").select_option(preset)
        page.emulate_media(color_scheme="light")
        page.wait_for_function("document.querySelector('.pg').dataset.theme === 'light'")
        assert violations(page, within=".pg") == []
        page.emulate_media(color_scheme="dark")
        page.wait_for_function("document.querySelector('.pg').dataset.theme === 'dark'")
        assert violations(page, ["color-contrast"], ".pg") == []
    play.do("share").click()
    assert violations(page) == []


def test_a_redraw_with_many_points_is_measured_in_the_log(play):
    play.do("preset").select_option("petals")
    spent = play.page.evaluate("""() => {
      const point = document.querySelector('.pg-point'), spent = [];
      const plane = document.querySelector('.pg-plane');
      point.focus();
      for (let k = 0; k < 60; k++) {
        const key = k % 2 ? 'ArrowUp' : 'ArrowDown', before = plane.innerHTML;
        const start = performance.now();
        point.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
        if (plane.innerHTML !== before) spent.push(performance.now() - start);
      }
      return spent.sort((a, b) => a - b);
    }""")
    assert len(spent) == 60, "each key draws the picture anew, at once"
    print(f"median {spent[30]:.1f} ms, at most {spent[-1]:.1f} ms")


def test_on_a_slide_keys_and_fingers_move_points_not_slides(site, page):
    page.goto(site + "slides/01_algorithm.html")
    page.evaluate("""() => {
      const { h, v } = Reveal.getIndices(document.querySelector('.playground').closest('section'));
      Reveal.slide(h, v);
    }""")
    play, slide = Play(page), page.evaluate("JSON.stringify(Reveal.getIndices())")
    play.click(4, 4)
    play.drag((4, 4), (5, -4))
    play.points.nth(5).focus()
    for key in ("ArrowLeft", "ArrowUp", "f", "ArrowRight"):
        page.keyboard.press(key)
    assert labels(play)[5] == "Point 5, minus, at (5, −3)"
    play.do("tie").focus()
    page.keyboard.press("ArrowDown")
    play.do("step").focus()
    page.keyboard.press("Space")
    assert page.evaluate("JSON.stringify(Reveal.getIndices())") == slide
    play.do("share").click()
    assert "/read/01_algorithm.html#play=" in play.box.locator(".pg-share input").input_value()
    play.do("share").click()
    for preset in play.do("preset").locator("option").all_inner_texts()[1:]:
        play.do("preset").select_option(preset)
        assert play.box.evaluate("e => e.scrollHeight") <= 680, preset
    assert not page.errors


def test_in_jupyterlab_python_has_the_points(jupyterlab, page):
    lab = Lab(page, jupyterlab("01_algorithm"), seconds=90)
    lab.run_all()
    page.evaluate(f"""async () => {{
      const i = {NOTEBOOK}.model.toJSON().cells.findIndex(c => c.id === 'play');
      {NOTEBOOK}.activeCellIndex = i;
      await {NOTEBOOK}.scrollToItem(i);
    }}""")
    play = Play(page)

    def python(code):
        return page.evaluate("""async code => {
          const kernel = jupyterapp.shell.currentWidget.sessionContext.session.kernel, said = [];
          const future = kernel.requestExecute({ code });
          future.onIOPub = m => said.push(m.content.text ?? m.content.evalue ?? '');
          await future.done;
          return said.join('');
        }""", code)  # fmt: skip

    same = "play.X.tolist() == examples.five_points().X.tolist()"
    assert python(f"print({same}, play.run)").startswith("True")
    play.click(4, 4)
    play.points.nth(5).focus()
    for key in ("f", "ArrowLeft", "]", "d", "d", "a"):  # the last four mean nothing here
        page.keyboard.press(key)
    play.do("bias").check()
    play.do("order").select_option("reversed")
    page.wait_for_timeout(500)
    assert python("print(play.X[5], play.y[5], play.run.X[5])") == "[3. 4.] -1 [3. 4. 1.]\n"
    assert python("print(play.run.order.tolist())") == "[5, 4, 3, 2, 1, 0]\n"
    mistakes = python("print(play.run.mistakes, play.run.outcome)").split()
    assert play.fact("M").endswith("∞" if mistakes[1] == "cycled" else mistakes[0])
    play.do("clear").click()
    page.wait_for_timeout(500)
    assert "the plane is empty: put a point down" in python("play.run")
    play.do("undo").click()
    dark = "jupyterapp.commands.execute('apputils:change-theme', { theme: 'JupyterLab Dark' })"
    page.evaluate(dark)
    page.wait_for_function("document.querySelector('.pg').dataset.theme === 'dark'")
    count = page.evaluate(f"{NOTEBOOK}.model.toJSON().cells.length")
    assert count == page.evaluate(f"{NOTEBOOK}.widgets.length")
