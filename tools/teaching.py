"""The texts under teaching/: the question bank, and the worked solutions of the exercises.

Questions are written once, in teaching/questions.md, and shown as the self-test of their lesson:

    ## 03 The mistake bound

    ### 03.1
    All examples are multiplied by 10. What happens to $(R/\\gamma)^2$?

    - [ ] It grows by a factor of 10: $R$ does, but so does $\\gamma$.
    - [x] It stays the same: $R$ and $\\gamma$ grow by the same factor.

Each answer is a sentence, a colon, and why it is right or wrong.  Solutions stand in
teaching/solutions.md: under the heading of an exercise a text, and a block of Python that ends in
the exercise's checker, which must say that it is right.
"""

import re
from dataclasses import dataclass

from tools import ROOT

TEACHING = ROOT / "teaching"
ANSWER = re.compile(r"- \[([ x])\] (.*?): (.*)", re.DOTALL)


@dataclass
class Question:
    """A question with its answers, each (right, answer, why)."""

    number: str
    text: str
    answers: list

    def folded(self):
        """The question as Markdown, with the answer out of sight."""
        lettered = list(zip("abcdef", self.answers, strict=False))
        choices = [f"- **{k}** {text}." for k, (_, text, _) in lettered]
        told = [f"- **{k}** {'✓ Right' if r else '✗ No'}: {why}" for k, (r, _, why) in lettered]
        fold = ["<details><summary>Answer</summary>", "\n".join(told), "</details>"]
        asked = f"**Question {int(self.number[3:])}.** {self.text}"
        return "\n\n".join([asked, "\n".join(choices), *fold])


def sections(kind):
    """The text under each heading such as "### 03.1" of teaching/<kind>*.md, by its number."""
    text = "\n\n".join(path.read_text("utf-8") for path in sorted(TEACHING.glob(f"{kind}*.md")))
    parts = re.split(r"^(#{2,3}) (.*)$", text, flags=re.MULTILINE)[1:]
    found = {}
    for level, heading, body in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        if level == "###":
            number = heading.split()[0]
            if number in found:
                raise ValueError(f"there are two headings for {number} in teaching/{kind}.md")
            found[number] = body.strip()
    return found


def questions():
    """All questions, by their numbers."""
    found = {}
    for number, body in sections("questions").items():
        text, *lines = re.split(r"\n+(?=- \[)", body)
        answers = [ANSWER.fullmatch(line.strip()) for line in lines]
        if not all(answers) or sum(a[1] == "x" for a in answers) != 1 or not 2 <= len(answers) <= 6:
            raise ValueError(f"question {number} needs 2 to 6 answers '- [ ] answer: why', one [x]")
        told = [(a[1] == "x", " ".join(a[2].split()), " ".join(a[3].split())) for a in answers]
        found[number] = Question(number, text.strip(), told)
    return found


def self_test(lesson):
    """The Markdown of the self-test of a lesson, such as "03"."""
    own = [question.folded() for number, question in questions().items() if number[:2] == lesson]
    return "\n\n".join(["## Self-test", "Think first, then open the answer.", *own])
