"""What a stranger wrote, made harmless: files, words, pictures, answers."""

import array
import json
import math
import re
from decimal import Decimal
from fractions import Fraction
from urllib.parse import quote

import nbformat
import numpy as np
import pytest
from bs4 import BeautifulSoup
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from grading.course import assignments
from grading.frame import framed, harmless, read_cells
from grading.reader import Refused
from grading.worker import clean, decode, encode
from tests.hostile import FILES, WORDS

PIXEL = {"dot.png": {"image/png": "iVBORw0KGgo="}}
USUAL = ["p", "a", "em", "strong", "code", "pre", "ul", "ol", "li", "h1", "h2", "img", "br"]


def released():
    return nbformat.read(next(iter(assignments().values())), as_version=4)


@pytest.mark.parametrize("name", FILES)
def test_whatever_is_handed_in_is_framed_or_refused(name):
    data = FILES[name]
    data = data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass")
    own = [cell.source for cell in released().cells if cell.cell_type == "markdown"]
    try:
        nb, notes = framed(released(), read_cells(data))
    except Refused as error:
        assert "not a Jupyter notebook" in str(error)
        assert name not in ("100,000 empty outputs", "a cell of 10 MB")
    else:
        assert len(nb.cells) < 200
        assert bool(notes) == (name == "a hundred thousand cells")
        kept = [cell.source for cell in nb.cells]
        assert all(text in kept for text in own[:-1])
        json.dumps(nb, ensure_ascii=False).encode()


def dangers(text):
    """What a browser might run or ask for in a page made of this Markdown."""
    renderer = IPythonRenderer(escape=False, attachments=PIXEL)  # as on pages and in Formgrader
    soup = BeautifulSoup(MarkdownWithMath(renderer=renderer).render(text), "html.parser")
    tags = [tag.name for tag in soup.find_all() if tag.name not in USUAL]
    links = [tag["href"] for tag in soup.find_all("a", href=True)]
    links = [link for link in links if not re.match(r"https?://|#", link)]
    pictures = [tag.get("src", "") for tag in soup.find_all("img")]
    pictures = [src for src in pictures if not src.startswith("data:image/png;base64,")]
    known = ("href", "src", "alt", "class", "id")
    words = [key for tag in soup.find_all() for key in tag.attrs if key not in known]
    formulas = re.findall(r"\\(?:href|style|class|require|mmlToken)", soup.get_text(), re.I)
    return tags + links + pictures + words + formulas


@pytest.mark.parametrize("name", WORDS)
def test_no_browser_runs_what_a_student_writes(name):
    assert not dangers(harmless(WORDS[name], PIXEL))
    assert clean(harmless(WORDS[name], PIXEL), 10**6) == harmless(WORDS[name], PIXEL)


@pytest.mark.parametrize("name", ["a script", "a link", "a link, by a name", "a page as data",
                                  "a picture that tells", "a formula", "a form"])  # fmt: skip
def test_a_browser_would_run_it_as_it_was_written(name):
    """Or the test above would show nothing."""
    assert dangers(WORDS[name])


@pytest.mark.parametrize("words", [
    "It is **right** that $a < b$ and $\\|w\\|^2 \\le R^2$, see `x[0]` and\n\n1. one\n2. two",
    "See [the web](https://example.org/a?b=c#d) and [above](#top).",
    "My drawing: ![a dot](attachment:dot.png)",
])  # fmt: skip
def test_honest_words_stay_as_they_are(words):
    assert harmless(words, PIXEL) == words
    assert not dangers(words)


def test_only_small_pictures_that_are_pictures_are_kept():
    cell = {"cell_type": "markdown", "source": "x", "metadata": {}}
    kinds = {"good.png": {"image/png": "AAAA"}, "evil.svg": {"image/svg+xml": "AAAA"},
             "bad.png": {"image/png": '"onload="alert(1)'}, "x\" y": {"image/png": "AAAA"},
             "large.png": {"image/png": "A" * 10**7}, "odd.png": 3,
             "new.webp": {"image/webp": "AAAA"}, "half \ud800": {"image/png": ""}}  # fmt: skip
    notebook = json.dumps({"cells": [cell | {"attachments": kinds}]}).encode()
    [read] = read_cells(notebook)
    kept = {"good.png": "AAAA", "picture-3": "AAAA", "picture-7": ""}
    assert read["pictures"] == {name: {"image/png": data} for name, data in kept.items()}
    assert "pictures left out: 5 " in framed(released(), [read])[1][0]


@pytest.mark.parametrize("name", ["Foto 1.png", "Lösung.png", "a (1).png", 'x"y'])
@pytest.mark.parametrize("form", ["attachment:{}", "<attachment:{}>", "attachment:{coded}"])
def test_a_picture_may_have_any_name(name, form):
    words = f"![mine]({form.format(name, coded=quote(name))})"
    cell = {"cell_type": "markdown", "source": words, "attachments": {name: PIXEL["dot.png"]}}
    [read] = read_cells(json.dumps({"cells": [cell]}).encode())
    assert read["source"] == "![mine](attachment:picture-0)" and not read["lost"]
    assert harmless(read["source"], read["pictures"]) == read["source"]


def test_answers_come_after_any_number_of_added_cells():
    cell = {"name": "", "code": True, "source": "1", "pictures": {}, "lost": 0}
    nb, notes = framed(released(), [cell] * 500 + [cell | {"name": "q7-answer", "source": "mine"}])
    assert [c.source for c in nb.cells].count("mine") == 1
    assert notes == ["cells left out: 400 (100 may be added)"]


@pytest.mark.parametrize("value", [
    {"fraction": ["1e500000000", None]}, {"fraction": [1, 0]}, {"fraction": [True, 1]}, [1], {},
    {"array": [1, 2], "shape": [10**9, 10**9], "dtype": "float64"}, {"list": [{"tuple": 3}]},
    {"array": [[]], "shape": [1], "dtype": "int64"},
])  # fmt: skip
def test_a_forged_answer_is_refused_at_once(value):
    with pytest.raises((ValueError, TypeError, ArithmeticError)):
        decode(value)


class Frame:
    """Stands for what other libraries have: it is no array, but can become one."""

    def __array__(self, *_, **__):
        return np.array([[1, 2], [3, 4]])


@pytest.mark.parametrize(("value", "plain"), [
    (np.eye(2).view(np.matrix), [[1, 0], [0, 1]]), (Frame(), [[1, 2], [3, 4]]),
    (array.array("d", [1, 2]), [1, 2]), (Decimal("0.1"), Fraction(1, 10)),
    (np.longdouble(3) / 2, Fraction(3, 2)), (np.array([1.5, 2], np.longdouble), [1.5, 2]),
    (np.float32([1, 2]), [1, 2]), (Decimal("inf"), math.inf), (np.longdouble("inf"), math.inf),
])  # fmt: skip
def test_numbers_of_every_kind_come_back_as_plain_ones(value, plain):
    back = decode(json.loads(json.dumps(encode(value))))
    assert (back.tolist() if isinstance(back, np.ndarray) else back) == plain


def test_a_number_of_thousands_of_digits_is_no_answer():
    assert decode(encode(10**3000)) == 10**3000
    with pytest.raises(TypeError):
        encode(10**4000)
