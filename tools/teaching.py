"""The texts under teaching/: the question bank, and the worked solutions of the exercises.

Questions are written once, in teaching/questions.md, and shown as the self-test of their lesson;
`tools.bank` exports them:

    ## 03 The mistake bound

    ### 03.1
    All examples are multiplied by 10. What happens to $(R/\\gamma)^2$?

    - [ ] It grows by a factor of 10: $R$ does, but so does $\\gamma$.
    - [x] It stays the same: $R$ and $\\gamma$ grow by the same factor.

Each answer is a sentence, a colon, and why it is right or wrong.  After the text there may be a
picture, on a line of its own: `{{show-walk}}` is the one that the lesson has stored in the cell
with that tag.  The exports carry it, with its words; the self-test leads to it.  Solutions stand in
teaching/solutions.md: under the heading of an exercise a text, and a block of Python that ends in
the exercise's checker, which must say that it is right.

What is malformed is named with its file and its line.
"""

import html
import re
from dataclasses import dataclass

import nbformat

from perceptron_lib.show import shown
from tools import ROOT

TEACHING = ROOT / "teaching"
LESSONS = [path.name[:2] for path in sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))]
# The colon that ends an answer is not one in a formula.
ANSWER = re.compile(r"\[([ x])\] +((?:\$[^$]*\$|[^$])+?): +(\S.*)")
PICTURE = re.compile(r"(?m)^\{\{(show-[a-z0-9-]+)\}\}$")


@dataclass
class Section:
    """What stands under a heading such as "### 03.1 A forged table" in a line of a file."""

    file: str
    line: int
    lesson: str  # as its heading has it: "03 The mistake bound"
    number: str
    title: str
    lines: list

    @property
    def body(self):
        return "\n".join(self.lines).strip()

    def fault(self, what):
        return ValueError(f"{self.file}, line {self.line}: {what}.")


@dataclass
class Question:
    """A question with its answers, each (right, answer, why), and perhaps a picture: the cell of
    the lesson that has it, and the heading under which that stands."""

    section: Section
    text: str
    answers: list
    cell: object = None
    under: str = ""

    @property
    def lesson(self):
        return self.section.lesson

    @property
    def number(self):
        return self.section.number

    @property
    def told(self):
        """Each answer as it is shown, with what is said to whoever chooses it."""
        return [(right, f"{answer}.", f"{'Right' if right else 'No'}: {why}")
                for right, answer, why in self.answers]  # fmt: skip

    @property
    def right(self):
        """The place of the right answer, from 1."""
        return 1 + [right for right, _, _ in self.answers].index(True)

    def folded(self):
        """The question as Markdown: each choice is a fold that says whether it is right, and why.
        (Within a summary Markdown is not read.)"""
        parts = [f"**Question {int(self.number[3:])}.** {self.text}"]
        if self.cell:
            to = f"{lesson(self.number[:2]).name}#{self.under.replace(' ', '-')}"
            parts[0] += f" (The picture is the one in [{self.under}]({to}).)"
        for letter, (right, choice, why) in zip("abcdef", self.told, strict=False):
            choice = re.sub(r"\*(.+?)\*", r"<em>\1</em>", html.escape(choice, quote=False))
            parts.append(f"<details><summary><b>{letter}</b> {choice}</summary>\n\n"
                         f"{'✓' if right else '✗'} {why}\n\n</details>")  # fmt: skip
        return "\n\n".join(parts)


def sections(kind):
    """The sections of teaching/<kind>.md, by their numbers, which run from 1 in each lesson."""
    numbered, lesson, section = {}, "", None
    lines = (TEACHING / f"{kind}.md").read_text("utf-8").splitlines()
    for at, line in enumerate(lines, 1):
        level, _, heading = line.partition(" ")
        if level in ("##", "###"):
            number, _, title = heading.partition(" ")
            section = Section(f"teaching/{kind}.md", at, lesson, number, title, [])
        if level == "##":
            lesson, count = heading, 0
            if number not in LESSONS:
                known = f"the lessons are {LESSONS[0]} to {LESSONS[-1]}"
                raise section.fault(f"the heading {shown(line)} names no lesson; {known}")
        elif level == "###":
            count = count + 1 if lesson else 0
            expected = f"### {lesson[:2]}.{count}" if lesson else "## 01 and its title"
            if f"### {number}" != expected:
                what = f"the heading {shown(line)} stands where {expected} is expected"
                raise section.fault(what)
            numbered[number] = section
        elif section:
            section.lines.append(line)
    return numbered


def questions():
    """All questions, by their numbers."""
    return {number: _question(section) for number, section in sections("questions").items()}


def lesson(number):
    """The notebook of a lesson, such as "03"."""
    (path,) = (ROOT / "notebooks").glob(f"{number}_*.ipynb")
    return path


def _question(section):
    name, (text, *written) = f"question {section.number}", re.split(r"(?m)^- ", section.body)
    tags, text = PICTURE.findall(text), PICTURE.sub("", text).strip()
    if len(tags) > 1 or re.search(r"\{\{|!\[", " ".join([text, *written])):
        form = "one line after the text, such as {{show-walk}}"
        raise section.fault(f"the picture of {name} must be {form}")
    if any(part.count("$") % 2 for part in (text, *written)):
        raise section.fault(f"in {name} a formula is opened by $ and not closed")
    if not text:
        raise section.fault(f"{name} asks nothing")
    answers = []
    for part in written:
        parts = ANSWER.fullmatch(" ".join(part.split()))
        if not parts:
            form = "'- [ ] answer: why', with [x] for the right one"
            raise section.fault(f"an answer to {name} must be {form}; got {shown('- ' + part)}")
        answers.append((parts[1] == "x", parts[2], parts[3]))
    right = sum(answer[0] for answer in answers)
    if not 2 <= len(answers) <= 6:
        raise section.fault(f"{name} needs 2 to 6 answers; got {len(answers)}")
    if right != 1:
        raise section.fault(f"{name} needs one right answer, marked [x]; got {right}")
    return Question(section, text, answers, *(_shown(section, tags[0]) if tags else ()))


def _shown(section, tag):
    """The cell of the section's lesson that has a tag, and the heading above it."""
    path, under = lesson(section.lesson[:2]), ""
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "markdown":
            under = (re.findall(r"(?m)^#+ (.*)$", cell.source) or [under])[-1]
        elif tag in cell.metadata.get("tags", []):
            return cell, under
    what = f"question {section.number} shows {tag}, but no code cell of {path.name} has that tag"
    raise section.fault(what)


def solved(section):
    """The Python of a worked solution, and the verdict of its exercise's checker."""
    (code,) = re.findall(r"```python\n(.*?)```", section.body, re.DOTALL)
    names, (before, _, last) = {}, code.rstrip().rpartition("\n")
    exec(before, names)
    return code, eval(last, names)


def self_test(of):
    """The Markdown of the self-test of a lesson, such as "03"."""
    own = [question.folded() for number, question in questions().items() if number[:2] == of]
    opening = "Choose an answer and open it to see whether it is right."
    return "\n\n".join(["## Self-test", opening, *own])
