"""Questions and worked solutions: well formed, right, and the same in the lessons."""

import base64
import re
from xml.etree import ElementTree

import nbformat
import pytest

from grading.release import LEFT_OUT, collection
from perceptron_lib import answer, plots, table
from tests.rooms import CHECKERS
from tests.solved import leaks, leaks_in, pieces
from tools import ROOT, bank, figures, pictures, solutions, teaching
from tools.refresh import NOTEBOOKS
from web import build, render

QUESTIONS, SOLUTIONS = teaching.questions(), teaching.sections("solutions")
LESSONS = {path.name[:2]: path for path in sorted(NOTEBOOKS.glob("[0-9]*.ipynb"))}


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_lesson_shows_its_five_questions_or_more(lesson):
    own = [number for number in QUESTIONS if number.startswith(lesson)]
    assert own == [f"{lesson}.{k + 1}" for k in range(len(own))] and len(own) >= 5
    cells = nbformat.read(LESSONS[lesson], as_version=4).cells
    (shown,) = [c.source for c in cells if "self-test" in c.metadata.get("tags", [])]
    stored = f"make notebooks ONLY=notebooks/{LESSONS[lesson].name}"
    same = shown == teaching.self_test(lesson)
    assert same, f"its self-test is not that of teaching/questions.md: {stored}"


@pytest.mark.parametrize("exercise", sorted(CHECKERS))
def test_a_worked_solution_passes_its_checker(exercise):
    _, verdict = teaching.solved(SOLUTIONS[exercise])
    assert verdict.startswith("✓ Right: ")
    assert len(SOLUTIONS[exercise].body.split("```")[0].split()) > 20  # it is explained, too


def test_every_exercise_of_a_lesson_has_its_number_and_a_solution():
    assert set(CHECKERS) <= set(SOLUTIONS)
    for lesson, path in LESSONS.items():
        text = "\n".join(c.source for c in nbformat.read(path, as_version=4).cells)
        for number, check in CHECKERS.items():
            if number.startswith(lesson):
                before = text.split(f"{check.__module__.rpartition('.')[2]}.{check.__name__}(")[0]
                assert re.findall(r"^\*\*(\d+)\.\*\*", before, re.MULTILINE)[-1] == number[3:]


# --- a malformed question ------------------------------------------------------------------------

HEAD = "# The bank\n\n## 01 The algorithm\n\n### 01.1\n"
SOUND = HEAD + "Why?\n\n- [x] So: yes.\n- [ ] Or so: no.\n"
MALFORMED = {
    HEAD: "line 5: question 01.1 asks nothing",
    HEAD + "Why?\n\n- [x] So: yes.": "line 5: question 01.1 needs 2 to 6 answers; got 1",
    SOUND.replace("[x]", "[ ]"): "line 5: question 01.1 needs one right answer, .* got 0",
    SOUND.replace("[ ]", "[x]"): "line 5: question 01.1 needs one right answer, .* got 2",
    SOUND.replace("[ ]", "[?]"): r"line 5: an answer to question 01.1 must be .* '- \[\?\] Or so",
    SOUND.replace("so: no", "$f: X$"): "line 5: an answer to question 01.1 must be",
    SOUND.replace("Or so", "$x"): r"line 5: in question 01.1 a formula is opened by \$ and not",
    SOUND.replace("Why?", "{{show-all}}"): "line 5: question 01.1 asks nothing",
    SOUND.replace("?", "? {{show-all}}"): "line 5: the picture of question 01.1 must be one line ",
    SOUND.replace("?", "?\n\n![](a.png)"): "line 5: the picture of question 01.1 must be one line ",
    SOUND.replace("?", "?\n{{show-al}}"): "line 5: question 01.1 shows show-al, but no code",
    SOUND + "\n### 02.1\n": "line 11: the heading '### 02.1' stands where ### 01.2 is expected",
    SOUND.replace("## 01", "## 99"): "line 3: the heading '## 99 .*' names no lesson; .* 01 to 11",
    "### 01.1\nWhy?": "line 1: the heading '### 01.1' stands where ## 01 and its title is expected",
}


@pytest.mark.parametrize("text", MALFORMED)
def test_a_malformed_question_is_named_with_its_line(text, tmp_path, monkeypatch):
    monkeypatch.setattr(teaching, "TEACHING", tmp_path)
    (tmp_path / "questions.md").write_text(SOUND, "utf-8")
    assert len(teaching.questions()) == 1
    (tmp_path / "questions.md").write_text(text, "utf-8")
    with pytest.raises(ValueError, match=rf"teaching/questions\.md, {MALFORMED[text]}.*\."):
        teaching.questions()


# --- the exports ---------------------------------------------------------------------------------

GIFT = r"""$CATEGORY: Perceptron/01 The algorithm

::01.1::[html]Is \\(R\\ne0\\) for \{\~\}? {
=<em>Yes</em>.#Right\: \\(R\=1\\).
~No.#No\: \#1.
}
"""
Q = "{http://www.imsglobal.org/xsd/ims_qtiasiv1p2}"


def test_moodle_gets_every_question_with_its_lesson_and_its_reasons(tmp_path, monkeypatch):
    every = bank.gift()
    assert re.findall(r"(?m)^::(.*?)::\[html\].* \{$", every) == list(QUESTIONS)
    assert every.count("\n=") == len(QUESTIONS) and every.count("$CATEGORY: ") == len(LESSONS)
    asked = "Is $R\\ne0$ for {~}?\n\n- [x] *Yes*: $R=1$.\n- [ ] No: #1.\n"
    (tmp_path / "questions.md").write_text(HEAD + asked, "utf-8")
    monkeypatch.setattr(teaching, "TEACHING", tmp_path)
    assert bank.gift() == GIFT, "what is a mark to Moodle is escaped"


def test_a_question_takes_its_picture_along_with_its_words(tmp_path, monkeypatch):
    asked = "## 11 More\n\n### 11.1\nWhy?\n\n{{show-weather}}\n\n- [x] So: yes.\n- [ ] Or so: no.\n"
    (tmp_path / "questions.md").write_text(asked, "utf-8")
    monkeypatch.setattr(teaching, "TEACHING", tmp_path)
    cell = teaching.questions()["11.1"].cell
    png, alt = cell.outputs[0].data["image/png"].strip(), cell.outputs[0].metadata["image/png"].alt
    words = rf'width="640" height="400" alt="{alt}"></p>'
    told = re.sub(r"\\(.)", r"\1", bank.gift())
    assert f'Why?<p><img src="data:image/png;base64,{png}" {words} {{' in told
    files, name = bank.qti(), "images/perceptron_11_1.png"
    assert files[name] == base64.b64decode(png)
    ((*_, text, _),) = read_qti(files["perceptron_11/perceptron_11.xml"])
    assert text == f'<p>Why?</p><p><img src="%24IMS-CC-FILEBASE%24/{name}" {words}'
    assert "(11_more_than_two_labels.ipynb#A-row-of-answers)" in teaching.self_test("11")
    (tmp_path / "questions.md").write_text(asked.replace("weather", "thirty-answers"), "utf-8")
    with pytest.raises(ValueError, match=r"s\.md, line 3: .* 11\.1 shows has no stored pict"):
        bank.gift()


def read_qti(text):
    """The questions of a QTI file: title of the quiz, number, text, and the same rows."""
    (quiz,) = ElementTree.fromstring(text)
    for item in quiz.iter(f"{Q}item"):
        (asked,) = item.findall(f"{Q}presentation/{Q}material/{Q}mattext")
        feedback = {one.get("ident"): one[0][0][0].text for one in item.iter(f"{Q}itemfeedback")}
        leads, right = {}, []
        for condition in item.iter(f"{Q}respcondition"):
            chosen = condition.find(f"{Q}conditionvar/{Q}varequal").text
            right += [chosen for score in condition.findall(f"{Q}setvar") if score.text == "100"]
            for shown in condition.findall(f"{Q}displayfeedback"):
                leads[chosen] = feedback.pop(shown.get("linkrefid"))
        assert not feedback and len(right) == 1
        rows = [(label.get("ident") in right, label[0][0].text, leads[label.get("ident")])
                for label in item.iter(f"{Q}response_label")]  # fmt: skip
        yield quiz.get("title").partition(" ")[2], item.get("title"), asked.text, rows


def test_canvas_gets_every_question_with_its_lesson_and_its_reasons():
    files = bank.qti()
    manifest = ElementTree.fromstring(files["imsmanifest.xml"])
    named = [part.get("href") for part in manifest.iter() if part.tag.endswith("}file")]
    assert sorted([*named, "imsmanifest.xml"]) == sorted(files)
    quizzes = [text for name, text in files.items() if re.fullmatch(r"(\w+)/\1\.xml", name)]
    rows = [row for text in quizzes for row in read_qti(text)]
    assert len(rows) == len(QUESTIONS) and len(quizzes) == len(LESSONS)
    for row, q in zip(rows, QUESTIONS.values(), strict=True):
        answers = [(right, set_in(answer), set_in(why)) for right, answer, why in q.told]
        without = (*row[:2], re.sub("<p><img .*?></p>$", "", row[2]), row[3])
        assert without == (q.lesson, q.number, set_in(q.text), answers)


def set_in(text):
    return f"<p>{bank.html(text)}</p>"


def test_an_export_has_formulas_and_emphasis_and_no_markdown():
    texts = [part for q in QUESTIONS.values() for _, *row in q.told for part in [q.text, *row]]
    for text in map(bank.html, texts):
        assert set(re.findall(r"<(\w+)", text)) <= {"em", "strong", "code"}
        assert not re.search(r"[$\\`*_]", re.sub(r"\\\(.*?\\\)", "", text)), text
    assert bank.html("10.") == "10."


def test_the_same_questions_make_the_same_files(tmp_path):
    for name in ("once", "again"):
        bank.write(tmp_path / name)
    once, again = (sorted((tmp_path / name).iterdir()) for name in ("once", "again"))
    assert [p.read_bytes() for p in once] == [p.read_bytes() for p in again] and len(once) == 2


# --- the lecturer's page -------------------------------------------------------------------------


def test_the_lecturers_page_has_every_exercise_its_solution_and_the_verdict():
    page = solutions.page()
    assert re.findall(r'<h3 id="(.*?)">', page) == sorted(CHECKERS)
    assert page.count("✓ Right: ") == len(CHECKERS) == page.count("<blockquote>\n<p>")
    assert "No answer yet" not in page
    links = re.findall(r'(?:src|href)="(?!data:|#)(.*?)"', page)
    assert len(links) == 3 and all((ROOT / "build" / link).resolve().exists() for link in links)
    known = pieces()
    told = {known[piece] for piece in known if leaks("", page.encode(), {piece: ""})}
    assert told == set(CHECKERS), "what a leak looks like is known for every exercise"


def test_the_lecturers_page_needs_no_other_file(tmp_path):
    (tmp_path / "fonts").mkdir()
    (tmp_path / "fonts/A.woff2").write_bytes(b"font")
    (tmp_path / "katex.min.css").write_text("@font-face{src:url(fonts/A.woff2),url(fonts/A.ttf)}")
    urls = re.findall(r"url\((.*?)\)", solutions.styles(tmp_path))
    assert urls == ["data:font/woff2;base64,Zm9udA=="]


def test_a_solution_that_fails_is_named_with_its_line():
    wrong = teaching.Section("teaching/solutions.md", 7, "01 The algorithm", "01.1", "By hand", [
        "```python", "from perceptron_lib.lessons import algorithm",
        "algorithm.run_by_hand([0])", "```",
    ])  # fmt: skip
    with pytest.raises(ValueError, match=r"solutions\.md, line 7: the checker of exercise 01\.1 "):
        solutions.solution(wrong, "")


def test_no_solution_stands_in_what_students_get(tmp_path):
    known = pieces()
    for file in collection():
        if not file.as_posix().startswith(LEFT_OUT):
            assert leaks(str(file), (ROOT / file).read_bytes(), known) == []
    (tmp_path / "images").mkdir()
    lessons = render.notebooks()
    none = {part: [] for part in ("npm", "pages", "lite", "python", "built_in", "data")}
    dark = {lesson.name: {} for lesson in lessons}
    build.make_sources(lessons, tmp_path, tmp_path / "pages", dark, none)
    assert leaks_in(tmp_path) == []
    assert leaks("a", (ROOT / "teaching/solutions.md").read_bytes(), known), "it would be seen"


# --- figures -------------------------------------------------------------------------------------


def cut(number, *tags):
    """The opening of a lesson, its imports, and the cells of a few tags."""
    lesson, tags = render.Notebook.read(LESSONS[number]), {f"show-{tag}" for tag in tags}
    chosen = [cell for cell in lesson.cells if tags & {*cell.metadata.get("tags", [])}]
    return render.Notebook(lesson.path, [*lesson.cells[:2], *chosen])


@pytest.mark.parametrize("number, tag", [("01", "playground"), ("02", "xor-points"),
                                         ("07", "explorer"), ("11", "four-places")])  # fmt: skip
def test_a_figure_is_that_of_its_lesson_with_its_words_and_fonts(number, tag):
    lesson = cut(number, tag)
    out, ((name, figure, words),) = lesson.cells[-1].outputs[0], figures.pictures(lesson)
    assert name == f"{lesson.name}-{tag}" and words == out.metadata["image/png"]["alt"]
    if tag != "explorer":  # which moves its notes when it is drawn again
        png = base64.b64encode(plots.png(figure)).decode()
        drawn = {**out, "data": {**out["data"], "image/png": png}}
        assert not pictures.difference([out], [drawn], pictures.drawn_otherwise() is None)
    made = figures.files(figure, words)
    assert made == figures.files(figure, words), "nothing in it changes"
    image = ElementTree.fromstring(made["svg"])
    assert image.get("role") == "img" and image[1].text == words and image[0].text
    assert b"<text" not in made["svg"] and b"/FontFile2" in made["pdf"]


def test_every_figure_has_a_name_of_its_own():
    for path in LESSONS.values():
        cells = nbformat.read(path, as_version=4).cells
        shown = [c for c in cells if "image/png" in str(c.get("outputs"))]  # in a fold as well
        tags = [tag for c in shown for tag in c.metadata.get("tags", []) if tag.startswith("show-")]
        assert len(set(tags)) == len(tags) == len(shown)


@pytest.mark.parametrize("look, kinds", [("vector", ["svg", "pdf"]), ("slide", ["png"]),
                                         ("dark", ["png"])])  # fmt: skip
def test_each_look_has_an_index_and_is_drawn_once(look, kinds, tmp_path, capsys, monkeypatch):
    lessons = [cut("01", "five-points"), cut("05", "walls")]  # the second may be an answer
    figures.write(lessons, look, tmp_path)
    index = (tmp_path / look / "index.html").read_text("utf-8")
    drawn = {path.name for path in (tmp_path / look).iterdir() if path.suffix[1:] in kinds}
    assert set(re.findall(r'href="(0.*?)"', index)) == drawn and len(drawn) == 2 * len(kinds)
    assert index.count("<img ") == 2 and "2 figures in " in capsys.readouterr().out
    monkeypatch.setattr(figures, "pictures", lambda lesson: pytest.fail("it was drawn again"))
    again = [figures.draw(lesson, look, tmp_path) for lesson in lessons]
    assert [about["width"] for shown in again for about in shown.values()] == (
        [800, 800] if look == "slide" else [640, 640])  # fmt: skip
    lessons[0].cells[-1].source += "  # changed"
    with pytest.raises(pytest.fail.Exception, match="drawn again"):
        figures.draw(lessons[0], look, tmp_path)


def test_the_figure_of_an_answer_is_the_one_in_its_fold():
    shown = figures.drawing(answer(table(["a"], [[1]]), plots.plane([[1, 1]], [1])))
    assert shown[1].startswith("1 example: 1 of class +")
