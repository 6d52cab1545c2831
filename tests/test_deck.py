"""Decks take what they show from the lesson, and say what is wrong with them in one sentence."""

import pytest
from nbformat.v4 import new_code_cell, new_output

from web import deck, render


@pytest.fixture
def lesson(tmp_path):
    """A lesson with a picture, a table and a text."""
    shown = {"alt": "35 mistakes; 903 allowed: more.", "width": 4, "height": 3}
    data = {"image/png": "cG5n", "text/plain": shown["alt"]}
    outputs = {
        "show-squeeze": new_output("display_data", data, metadata={"image/png": shown}),
        "show-table": new_output("execute_result", {"text/markdown": "| n |\n|---|\n| 1,234 |"}),
        "show-run": new_output("stream", text="4 mistakes in 3 passes"),
    }
    cells = [new_code_cell("x", metadata={"tags": [tag]}, outputs=[out])
             for tag, out in outputs.items()]  # fmt: skip
    notebook = render.Notebook(tmp_path / "03_bound.ipynb", cells)
    return deck.Lesson(notebook, lambda png: "squeeze.png")


def made(text, lesson):
    return deck.section(deck.slide(text), lesson)


def test_a_file_is_columns_of_slides_with_their_minutes(tmp_path):
    path = tmp_path / "deck.md"
    first, last = "# A\nNote: (1 min) a\n---\n## B", "\n--\n## ★ C\nNote: (4 min) c"
    path.write_text(f"{first}\nNote: (2.5 min) b{last}")
    columns = deck.read(path)
    assert [[s.title for s in column] for column in columns] == [["A"], ["B", "★ C"]]
    assert deck.minutes(columns, starred=False) == 3.5 and deck.minutes(columns, True) == 7.5


def test_a_reference_alone_is_a_picture_or_a_table_and_within_a_text_a_number(lesson):
    html = made("## Squeeze\n\n{{show-squeeze}}\n\n{{show-squeeze 2}} allowed\n\n{{show-table}}\n"
                "\nNote: (2 min) say {{show-run 1}}, {{show-table 1}}", lesson)  # fmt: skip
    assert '<img src="squeeze.png"' in html and "<p>903 allowed</p>" in html
    assert "<td>1,234</td>" in html and "say 4, 1,234" in html and 'data-timing="120"' in html


def test_fragments_are_marked_where_reveal_marks_them(lesson):
    mark = '<!-- .element: class="fragment" -->'
    html = made(f"## A\n\n- one\n- two {mark}\n\nthree {mark}\n\nNote: (1 min) x", lesson)
    assert '<li class="fragment">two</li>' in html and '<p class="fragment">three</p>' in html
    assert "<li>one</li>" in html
    html = made(f"## A\n\n> four\n\n{mark}\n\nNote: (1 min) x", lesson)
    assert '<blockquote class="fragment">' in html and "<p>four" in html


def test_a_proof_is_stepped_with_its_reasons_and_its_pictures(lesson):
    html = made('<!-- .slide: class="proof" -->\n## Proof\n\n- $a\\le b$ — by the *margin* '
                "{{show-squeeze}}\n- $b\\le c$ — it was a mistake\n\nDone.\n\nNote: (5 min) x",
                lesson)  # fmt: skip
    assert html.count('class="step fragment"') == 2 and "by the <em>margin</em>" in html
    assert html.index('data-fragment-index="1"') < html.index("squeeze.png") < html.index("Done.")


def test_what_is_computed_may_not_be_typed():
    good = "## A\n\nIn 1962, $M\\le 100$ and `x = 100`, 5 steps\n\nNote: (10 min) In 1958."
    assert deck.slide(good).minutes == 10
    for typed in ("35", "1,234", "0.25", "1.5"):
        with pytest.raises(deck.Fault, match=f"has the typed number {typed}: refer to"):
            deck.slide(f"## A\n\nIt makes {typed} mistakes.\n\nNote: (1 min) x")
    with pytest.raises(deck.Fault, match="typed number 99"):
        deck.slide("## A\n\nNote: (1 min) Say that it makes 99 mistakes.")


FAULTS = {
    "{{show-nothing}}": "03_bound has no cell with the tag show-nothing",
    "it makes {{show-run 9}}": "the cell show-run of 03_bound has 2 numbers, not 9",
    "it makes {{show-run}} mistakes": "show-run stands within a text: give the number",
}


@pytest.mark.parametrize("text", FAULTS)
def test_a_reference_that_leads_nowhere_is_named(text, lesson):
    with pytest.raises(deck.Fault, match=FAULTS[text]):
        made(f"## A\n\n{text}\n\nNote: (1 min) x", lesson)


def test_a_slide_without_notes_or_minutes_is_named(tmp_path):
    for notes in ("", "Note: no minutes", "Note: (2 min) a\nNote: (1 min) b"):
        (tmp_path / "deck.md").write_text(f"## Here\n{notes}")
        with pytest.raises(deck.Fault, match=r"deck\.md: the slide '## Here' needs notes that"):
            deck.read(tmp_path / "deck.md")
