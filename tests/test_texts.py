"""Glossary, summary, plan and errata: what they name exists, and the pages link it."""

import re
from urllib.parse import unquote

import pytest

from tools import ROOT
from web import deck, glossary, render, sources

LESSONS = {lesson.path.name: lesson for lesson in render.notebooks()}
ALL = {notebook.path.name: notebook for notebook in render.notebooks("*")}
TEXTS = {name: path.read_text(encoding="utf-8") for name, path in render.texts().items()}
ENTRIES = glossary.ENTRY.findall(TEXTS["read/glossary"])


def prose(lesson):
    return "\n\n".join(cell.source for cell in lesson.cells if cell.cell_type == "markdown")


def headings(text):
    return {heading.replace(" ", "-") for heading in re.findall(r"(?m)^#+ (.*)$", text)}


def dead_links(text, folder):
    """The links of a text, in `folder`, that lead to no file, or to no heading of one."""
    dead = []
    for link in re.findall(r"\]\(<?([^)>\s]+)", text):
        path, _, heading = link.partition("#")
        place = (folder / path).resolve()
        if re.match(r"\w+:", link):
            continue
        found = ALL.get(place.name)
        inside = prose(found) if found else place.read_text("utf-8") if place.is_file() else ""
        if not place.exists() or (heading and unquote(heading) not in headings(inside)):
            dead.append(link)
    return dead


@pytest.mark.parametrize("name", TEXTS)
def test_every_link_leads_to_a_file_and_to_a_heading_of_it(name):
    assert dead_links(TEXTS[name], render.texts()[name].parent) == []


def test_a_link_that_leads_nowhere_is_found():
    text = "[a](no.md) [b](notation.md#No) [c](01_algorithm.ipynb#The-rule) [d](notation.md#A-run)"
    assert dead_links(text, ROOT / "notebooks") == ["no.md", "notation.md#No"]


def test_the_glossary_is_in_order_and_each_term_one_sentence_and_in_its_lesson():
    lines = [line for line in TEXTS["read/glossary"].splitlines() if line.startswith("- ")]
    assert len(lines) == len(ENTRIES) and 60 <= len(ENTRIES) <= 90
    terms = [term for term, *_ in ENTRIES]
    assert terms == sorted(terms, key=lambda term: term.lower().replace("-", " "))
    for term, said, number, link in ENTRIES:
        lesson = LESSONS[link.partition("#")[0]]
        assert lesson.number == number, term
        assert re.search(glossary.inflected(term), prose(lesson), re.IGNORECASE), term
        assert re.fullmatch(r"[^.]+\.", said) and len(said.split()) <= 35, term


def test_a_term_is_linked_once_where_the_prose_first_uses_it():
    line = "- **{}**: What is {}. ([lesson 1](01_algorithm.ipynb#The-rule))"
    said = {"margin": "*a* < $b$", "margin Perceptron": "2", "hypothesis": "3", "shatter": "4"}
    known = glossary.Glossary("\n".join(line.format(*entry) for entry in said.items()))
    listed = glossary.anchors("<li><p><strong>margin Perceptron</strong>")
    assert listed == '<li id="margin-perceptron"><p><strong>margin Perceptron</strong>'
    text = "# The margin\n\n`margin` [margin](x.md) $margin$ MARGINS, a margin.\n\n|margin|\n|-|\n"
    made, seen = known.link(render.markdown(text), set()), set()
    assert made.count('class="term"') == 1
    link = '<a class="term" href="glossary.html#margin" data-said="What is *a* &lt; b.">MARGINS</a>'
    assert link in made
    text = "<p>The <strong>margin</strong>, a margin\nPerceptron, a hypothesis: a margin</p>"
    made = known.link(text, seen)
    assert ">margin\nPerceptron</a>" in made and made.count("<a") == 1
    assert seen == {"margin", "margin Perceptron"}


def test_the_story_of_a_lesson_is_linked_and_not_its_question_or_its_self_test():
    known = glossary.Glossary("- **margin**: Room. ([lesson 1](01_algorithm.ipynb#The-rule))")
    before, story = "<h1>Which margin?</h1>", "<h2>Now</h2><p>A margin.</p>"
    after = '<section id="self-test"><h2>Self-test</h2><p>The margin</p></section>'
    some = before, before + story + after, before + after
    assert [glossary.page(known, part).count("<a") for part in some] == [0, 1, 0]


def test_links_lead_to_pages_of_the_site_or_nowhere():
    links = {
        "01_algorithm.ipynb#★-The-step-size-%28optional%29":
            "../read/01_algorithm.ipynb#the-step-size-optional",
        "../notebooks/09_dual_and_kernels.ipynb#When-is-$K$-a-kernel?":
            "../read/09_dual_and_kernels.ipynb#when-is-a-kernel",
        "../web/decks/03_mistake_bound.md": "to:slides/03_mistake_bound.html",
        "../notebooks/homework/README.md": "homework.md",
        "https://example.org/a.md": "https://example.org/a.md",
    }  # fmt: skip
    links["../notebooks/01_algorithm.ipynb#★-The-step-size-%28optional%29"] = links.pop(
        "01_algorithm.ipynb#★-The-step-size-%28optional%29"
    )
    for source, page in links.items():
        assert sources.links(f"[there]({source})", "teaching") == f"[there]({page})"
    assert sources.links("[a](02_x.ipynb#A)", "notebooks") == "[a](02_x.ipynb#a)"
    assert sources.links("[there](../pyproject.toml)", "teaching") == "there"


def test_answers_are_no_pages():
    assert {"teach/plan", "teach/errata", "teach/homework", "read/summary"} < set(TEXTS)
    assert not [name for name in TEXTS if "solution" in name or "question" in name]


def slides(lesson):
    columns = deck.read(ROOT / "web/decks" / f"{lesson.name}.md")
    return {slide.title for column in columns for slide in column}


def test_the_plan_names_slides_that_exist():
    decks = {lesson.title: slides(lesson) for lesson in LESSONS.values()}
    opening, *parts = re.split(r"(?m)^## (?=\d)", TEXTS["teach/plan"])
    assert [part.splitlines()[0] for part in parts] == list(decks)
    known = [set.union(*decks.values()), *decks.values()]
    for part, titles in zip([opening, *parts], known, strict=True):
        named = set(re.findall(r'(?<!\*)\*([^*\n"][^*\n]*)\*(?!\*)', part))
        assert len(named) >= 5 and named <= titles, named - titles
    assert all(part.count('\n- *"') >= 4 for part in parts)
