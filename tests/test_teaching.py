"""Questions and worked solutions: well formed, right, and the same in the lessons."""

import base64
import re
from xml.etree import ElementTree

import nbformat
import pytest

from grading.release import LEFT_OUT, collection
from perceptron_lib import exercises, plots
from perceptron_lib.exercises import checker
from tests.solved import leaks, leaks_in, pieces
from tools import ROOT, bank, figures, pictures, refresh, solutions, teaching
from tools.refresh import NOTEBOOKS
from web import build, render

QUESTIONS, SOLUTIONS = teaching.questions(), teaching.sections("solutions")
LESSONS = {path.name[:2]: path for path in sorted(NOTEBOOKS.glob("*.ipynb"))}


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_lesson_shows_its_five_questions_or_more(lesson):
    own = [number for number in QUESTIONS if number.startswith(lesson)]
    assert own == [f"{lesson}.{k + 1}" for k in range(len(own))] and len(own) >= 5
    cells = nbformat.read(LESSONS[lesson], as_version=4).cells
    (shown,) = [c.source for c in cells if "self-test" in c.metadata.get("tags", [])]
    stored = f"make notebooks ONLY=notebooks/{LESSONS[lesson].name}"
    same = shown == teaching.self_test(lesson)
    assert same, f"its self-test is not that of teaching/questions.md: {stored}"


@pytest.mark.parametrize("exercise", sorted(checker.HINTS))
def test_a_worked_solution_passes_its_checker(exercise):
    _, verdict = teaching.solved(SOLUTIONS[exercise])
    assert verdict.startswith("✓ Right: ")
    assert len(SOLUTIONS[exercise].body.split("```")[0].split()) > 20  # it is explained, too


def test_every_exercise_of_a_lesson_has_its_number_and_a_solution():
    assert set(checker.HINTS) <= set(SOLUTIONS)
    for lesson, path in LESSONS.items():
        text = "\n".join(c.source for c in nbformat.read(path, as_version=4).cells)
        for name, check in vars(exercises).items():
            number = getattr(check, "exercise", "")
            if number.startswith(lesson):
                before = text.split(f"exercises.{name}(")[0]
                assert re.findall(r"^\*\*(\d+)\.\*\*", before, re.MULTILINE)[-1] == number[3:]


# --- a malformed question ------------------------------------------------------------------------

HEAD = "# The bank\n\n## 01 The algorithm\n\n### 01.1\n"
SOUND = HEAD + "Why?\n\n- [x] So: yes.\n- [ ] Or so: no.\n"
MALFORMED = {
    HEAD: "line 5: question 01.1 asks nothing",
    HEAD + "Why?": "line 5: question 01.1 needs 2 to 6 answers; got 0",
    HEAD + "Why?\n\n- [x] So: yes.": "line 5: question 01.1 needs 2 to 6 answers; got 1",
    SOUND.replace("[x]", "[ ]"): "line 5: question 01.1 needs one right answer, .* got 0",
    SOUND.replace("[ ]", "[x]"): "line 9: question 01.1 needs one right answer, .* got 2",
    SOUND.replace("so: no", "so"): r"line 9: an answer to question 01.1 must be .* '- \[ \] Or so",
    SOUND.replace("[ ]", "[?]"): r"line 9: an answer to question 01.1 must be .* '- \[\?\] Or so",
    SOUND.replace("- [ ]", "-"): "line 9: an answer to question 01.1 must be .* '- Or so: no",
    SOUND.replace("Or so", "$x"): r"line 9: a formula is opened by \$ and not closed",
    SOUND.replace("so: no", "$f: X$"): "line 9: an answer to question 01.1 must be",
    SOUND + "\n### 01.1\n": "line 11: the heading '### 01.1' stands where ### 01.2 is expected",
    SOUND + "\n### 02.1\n": "line 11: the heading '### 02.1' stands where ### 01.2 is expected",
    SOUND.replace("## 01", "## 99"): "line 3: the heading '## 99 .*' names no lesson; .* 01 to 11",
    "### 01.1\nWhy?": "line 1: the heading '### 01.1' stands where ## 01 and its title is expected",
}


@pytest.mark.parametrize("text", MALFORMED)
def test_a_malformed_question_is_named_with_its_line(text, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(teaching, "TEACHING", tmp_path)
    (tmp_path / "questions.md").write_text(SOUND, "utf-8")
    assert len(teaching.questions()) == 1
    (tmp_path / "questions.md").write_text(text, "utf-8")
    for told in (bank.main, refresh.main):
        with pytest.raises(SystemExit) as stopped:
            told([])
        sentence = rf"teaching/questions\.md, {MALFORMED[text]}.*\."
        assert re.fullmatch(sentence, stopped.value.code), stopped.value.code


# --- the exports ---------------------------------------------------------------------------------

# What Moodle does when it imports GIFT: escapes first, and then the marks that are left.
HIDDEN = {rf"\{c}": chr(0xE000 + k) for k, c in enumerate("\\:#={}~")}
GIFT = re.compile(r"::(.*?)::\[html\]([^{}=~#:]*) \{\n((?:[=~][^{}=~#:]*#[^{}=~#:]*\n)+)\}")


def read_gift(text):
    """The questions of a GIFT file: category, number, text, and (right, answer, feedback)."""
    for written, hidden in HIDDEN.items():
        text = text.replace(written, hidden)
    assert "\\" not in text, "a backslash that is not escaped"

    def plain(part):
        for written, hidden in HIDDEN.items():
            part = part.replace(hidden, written[1])
        return part

    for part in text.rstrip().split("\n\n"):
        if part.startswith("$CATEGORY: "):
            category = part.removeprefix("$CATEGORY: ")
        else:
            number, asked, answers = GIFT.fullmatch(part).groups()
            lines = answers.rstrip("\n").split("\n")
            rows = [(line[0] == "=", *map(plain, line[1:].split("#"))) for line in lines]
            yield category, number, plain(asked), rows


Q = "{http://www.imsglobal.org/xsd/ims_qtiasiv1p2}"


def read_qti(text):
    """The questions of a QTI file: title of the quiz, number, text, and the same rows."""
    (quiz,) = ElementTree.fromstring(text)
    for item in quiz.iter(f"{Q}item"):
        (asked,) = item.findall(f"{Q}presentation/{Q}material/{Q}mattext")
        labels = item.iter(f"{Q}response_label")
        answers = {label.get("ident"): label[0][0].text for label in labels}
        feedback = {told.get("ident"): told[0][0][0].text for told in item.iter(f"{Q}itemfeedback")}
        leads, right = {}, []
        for condition in item.iter(f"{Q}respcondition"):
            chosen = condition.find(f"{Q}conditionvar/{Q}varequal").text
            right += [chosen for score in condition.findall(f"{Q}setvar") if score.text == "100"]
            for shown in condition.findall(f"{Q}displayfeedback"):
                leads[chosen] = feedback.pop(shown.get("linkrefid"))
        assert not feedback and len(right) == 1
        rows = [(ident in right, answer, leads[ident]) for ident, answer in answers.items()]
        yield quiz.get("title"), item.get("title"), asked.text, rows


def exported(question, form):
    rows = [(right, form(answer), form(why)) for right, answer, why in question.told]
    return question.number, form(question.text), rows


def test_moodle_gets_every_question_with_its_lesson_and_its_reasons():
    found = list(read_gift(bank.gift()))
    assert [row[1:] for row in found] == [exported(q, bank.html) for q in QUESTIONS.values()]
    assert [row[0] for row in found] == [f"Perceptron/{q.lesson}" for q in QUESTIONS.values()]


def test_canvas_gets_every_question_with_its_lesson_and_its_reasons():
    files = bank.qti()
    manifest = ElementTree.fromstring(files["imsmanifest.xml"])
    named = [part.get("href") for part in manifest.iter() if part.tag.endswith("}file")]
    assert sorted([*named, "imsmanifest.xml"]) == sorted(files)
    known = {part.get("identifier") for part in manifest.iter() if part.tag.endswith("}resource")}
    assert {part.get("identifierref") for part in manifest.iter()} - {None} <= known
    quizzes = [text for name, text in files.items() if re.fullmatch(r"(\w+)/\1\.xml", name)]
    found = [row for text in quizzes for row in read_qti(text)]
    assert [row[1:] for row in found] == [exported(q, bank.paragraph) for q in QUESTIONS.values()]
    assert [row[0] for row in found] == [f"Perceptron {q.lesson}" for q in QUESTIONS.values()]
    assert len(quizzes) == len(LESSONS)


def test_an_export_has_formulas_and_emphasis_and_no_markdown():
    texts = [part for q in QUESTIONS.values() for _, *row in q.told for part in [q.text, *row]]
    for made in map(bank.html, texts):
        assert set(re.findall(r"<(\w+)", made)) <= {"em", "strong", "code"}
        outside = re.sub(r"\\\(.*?\\\)", "", made)
        assert not re.search(r"[$\\`*_]", outside), made
    assert bank.html("10.") == "10." and bank.html("$R\\ne0$ {~}") == r"\(R\ne0\) {~}"
    assert bank.escaped("$\\ne$ = {~} # a: b") == r"\\(\\ne\\) \= \{\~\} \# a\: b"


def test_the_same_questions_make_the_same_files(tmp_path):
    for name in ("once", "again"):
        bank.write(tmp_path / name)
    once, again = (sorted((tmp_path / name).iterdir()) for name in ("once", "again"))
    assert [p.read_bytes() for p in once] == [p.read_bytes() for p in again] and len(once) == 2


# --- the lecturer's page -------------------------------------------------------------------------


@pytest.fixture
def no_katex(tmp_path, monkeypatch):
    """A folder of npm packages with a KaTeX that has one font and sets no formula."""
    folder = tmp_path / "katex/dist"
    (folder / "fonts").mkdir(parents=True)
    (folder / "fonts/A.woff2").write_bytes(b"font")
    (folder / "katex.min.css").write_text('@font-face{src:url(fonts/A.woff2),url(fonts/A.ttf)}')
    monkeypatch.setattr(build, "npm_packages", lambda: tmp_path)
    monkeypatch.setattr(render, "set_formulas", lambda pages, katex: pages)


def test_the_lecturers_page_has_every_exercise_its_solution_and_the_verdict(no_katex):
    made = solutions.page(lambda text: None)
    assert re.findall(r'<h3 id="(.*?)">', made) == sorted(checker.HINTS)
    assert made.count("✓ Right: ") == len(checker.HINTS) == made.count("<blockquote>\n<p>")
    assert "No answer yet" not in made and "src:url(data:font/woff2;base64,Zm9udA==)}" in made
    links = re.findall(r'(?:src|href)="(?!data:|#)(.*?)"', made)
    assert len(links) == 3
    assert all((ROOT / "build" / link).resolve().exists() for link in links)
    known = pieces()
    told = {known[piece] for piece in known if leaks("", made.encode(), {piece: ""})}
    assert told == set(checker.HINTS), "what a leak looks like is known for every exercise"


def test_a_solution_that_fails_is_named_with_its_line():
    wrong = teaching.Section("teaching/solutions.md", 7, "01 The algorithm", "01.1", "By hand", [
        "```python", "from perceptron_lib import exercises", "exercises.run_by_hand([0])", "```",
    ])  # fmt: skip
    with pytest.raises(ValueError, match=r"solutions\.md, line 7: the checker of exercise 01\.1 "):
        solutions.solution(wrong, [])


def test_no_solution_stands_in_what_students_get(tmp_path):
    known = pieces()
    for file in collection():
        if not file.as_posix().startswith(LEFT_OUT):
            assert leaks(str(file), (ROOT / file).read_bytes(), known) == []
    for name in ("images", "assets"):  # and the site
        (tmp_path / name).mkdir()
    for name, text in build.make_pages(build.notebooks(), tmp_path).items():
        assert leaks(name, text.encode(), known) == []
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
        shown = [c for c in cells if "image/png" in str(c.get("outputs"))]
        tags = [tag for c in shown for tag in c.metadata.get("tags", []) if tag.startswith("show-")]
        assert len(set(tags)) == len(tags) == len(shown)


def test_the_index_shows_every_figure_of_a_lesson(tmp_path, no_katex, capsys):
    figures.write([cut("01", "five-points"), cut("02", "xor-points")], tmp_path / "figures")
    index = (tmp_path / "figures/index.html").read_text("utf-8")
    files = {path.name for path in (tmp_path / "figures").iterdir()} - {"index.html"}
    assert set(re.findall(r'href="(0.*?)"', index)) == files and len(files) == 4
    assert index.count("<img ") == 2 and "2 figures as SVG and PDF" in capsys.readouterr().out
