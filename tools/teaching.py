"""The texts under teaching/: the question bank, and the worked solutions of the exercises.

Questions are written once, in teaching/questions.md, and shown as the self-test of their lesson;
`tools.bank` exports them:

    ## 03 The mistake bound

    ### 03.1
    All examples are multiplied by 10. What happens to $(R/\\gamma)^2$?

    - [ ] It grows by a factor of 10: $R$ does, but so does $\\gamma$.
    - [x] It stays the same: $R$ and $\\gamma$ grow by the same factor.

Each answer is a sentence, a colon, and why it is right or wrong.  Solutions stand in
teaching/solutions.md: under the heading of an exercise a text, and a block of Python that ends in
the exercise's checker, which must say that it is right.

What is malformed is named with its file and its line.
"""

import re
from dataclasses import dataclass

from perceptron_lib.show import shown
from tools import ROOT

TEACHING = ROOT / "teaching"
LESSONS = [path.name[:2] for path in sorted((ROOT / "notebooks").glob("*.ipynb"))]
# The colon that ends an answer is not one in a formula.
ANSWER = re.compile(r"- \[([ x])\] +((?:\$[^$]*\$|[^$])+?): +(\S.*)")


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

    def fault(self, what, line=None):
        return ValueError(f"{self.file}, line {line or self.line}: {what}.")


@dataclass
class Question:
    """A question with its answers, each (right, answer, why)."""

    lesson: str
    number: str
    text: str
    answers: list

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
        """The question as Markdown, with the answer out of sight."""
        lettered = list(zip("abcdef", self.told, strict=False))
        choices = [f"- **{k}** {answer}" for k, (_, answer, _) in lettered]
        told = [f"- **{k}** {'✓' if right else '✗'} {why}" for k, (right, _, why) in lettered]
        fold = ["<details><summary>Answer</summary>", "\n".join(told), "</details>"]
        asked = f"**Question {int(self.number[3:])}.** {self.text}"
        return "\n\n".join([asked, "\n".join(choices), *fold])


def sections(kind):
    """The sections of teaching/<kind>.md, by their numbers, which run from 1 in each lesson."""
    found, lesson, own = {}, "", None
    lines = (TEACHING / f"{kind}.md").read_text("utf-8").splitlines()
    for at, line in enumerate(lines, 1):
        level, _, heading = line.partition(" ")
        if level == "###":
            number, _, title = heading.partition(" ")
            own = Section(f"teaching/{kind}.md", at, lesson, number, title, [])
            before = [known for known in found.values() if known.lesson == lesson]
            expected = f"### {lesson[:2]}.{len(before) + 1}" if lesson else "## 01 and its title"
            if not lesson or f"### {number}" != expected:
                raise own.fault(f"the heading {shown(line)} stands where {expected} is expected")
            found[number] = own
        elif level == "##":
            own, lesson = Section(f"teaching/{kind}.md", at, heading, "", "", []), heading
            if lesson[:3].rstrip() not in LESSONS:
                known = f"the lessons are {LESSONS[0]} to {LESSONS[-1]}"
                raise own.fault(f"the heading {shown(line)} names no lesson; {known}")
        elif own:
            own.lines.append(line)
    return found


def questions():
    """All questions, by their numbers."""
    return {number: _question(section) for number, section in sections("questions").items()}


def _question(section):
    parts = [[section.line, ""]]  # the text, and each answer, with its line
    for at, line in enumerate(section.lines, section.line + 1):
        if line.startswith("- "):
            parts.append([at, line])
        else:
            parts[-1][1] += "\n" + line
    for at, part in parts:
        if part.count("$") % 2:
            raise section.fault("a formula is opened by $ and not closed", at)
    (_, text), *written = parts
    name, answers = f"question {section.number}", []
    if not text.strip():
        raise section.fault(f"{name} asks nothing")
    for at, part in written:
        found = ANSWER.fullmatch(" ".join(part.split()))
        if not found:
            form = "'- [ ] answer: why', with [x] for the right one"
            raise section.fault(f"an answer to {name} must be {form}; got {shown(part)}", at)
        answers.append((found[1] == "x", found[2], found[3]))
    right = [at for (at, _), answer in zip(written, answers, strict=True) if answer[0]]
    if not 2 <= len(answers) <= 6:
        raise section.fault(f"{name} needs 2 to 6 answers; got {len(answers)}")
    if len(right) != 1:
        what = f"{name} needs one right answer, marked [x]; got {len(right)}"
        raise section.fault(what, max(right, default=None))
    return Question(section.lesson, section.number, text.strip(), answers)


def solved(section):
    """The Python of a worked solution, and the verdict of its exercise's checker."""
    (code,) = re.findall(r"```python\n(.*?)```", section.body, re.DOTALL)
    names, (before, _, last) = {}, code.rstrip().rpartition("\n")
    exec(before, names)
    return code, eval(last, names)


def self_test(lesson):
    """The Markdown of the self-test of a lesson, such as "03"."""
    own = [question.folded() for number, question in questions().items() if number[:2] == lesson]
    return "\n\n".join(["## Self-test", "Think first, then open the answer.", *own])
