"""The question bank for learning platforms: `python -m tools.bank` writes build/questions/.

`perceptron.gift.txt` is for Moodle (GIFT), with a category for each lesson; `perceptron_qti.zip`
is for Canvas (QTI 1.2), with a quiz for each lesson.  Every answer carries its reason as feedback.
A picture is part of the text for Moodle, as a data URI; Canvas drops those, and gets it as a file.
Formulas are written \\(…\\), which both set with MathJax, in texts, answers and feedback alike.
"""

import base64
import re
import sys
import zipfile
from itertools import groupby

import jinja2

from tools import ROOT, teaching
from web import render

FOLDER = ROOT / "build" / "questions"
SPECIAL = re.compile(r"([\\~=#{}:])")  # in GIFT; a backslash, too, or \ne would begin a new line
QUIZ = """\
<?xml version="1.0" encoding="UTF-8"?>
<questestinterop xmlns="http://www.imsglobal.org/xsd/ims_qtiasiv1p2">
<assessment ident="{{ quiz }}" title="{{ title }}">
<section ident="root_section">
{% for ident, question, picture in items %}
<item ident="{{ ident }}" title="{{ question.number }}">
<itemmetadata><qtimetadata>
{% for label, entry in (("question_type", "multiple_choice_question"), ("points_possible", 1)) %}
<qtimetadatafield><fieldlabel>{{ label }}</fieldlabel><fieldentry>{{ entry }}</fieldentry></qtimetadatafield>
{% endfor %}
</qtimetadata></itemmetadata>
<presentation>
<material><mattext texttype="text/html">&lt;p&gt;{{ html(question.text) }}&lt;/p&gt;{{ picture }}</mattext></material>
<response_lid ident="response" rcardinality="Single"><render_choice shuffle="Yes">
{% for _, answer, _ in question.told %}
<response_label ident="{{ ident }}_{{ loop.index }}"><material><mattext texttype="text/html">&lt;p&gt;{{ html(answer) }}&lt;/p&gt;</mattext></material></response_label>
{% endfor %}
</render_choice></response_lid>
</presentation>
<resprocessing>
<outcomes><decvar maxvalue="100" minvalue="0" varname="SCORE" vartype="Decimal"/></outcomes>
{% for _ in question.told %}
<respcondition continue="Yes"><conditionvar><varequal respident="response">{{ ident }}_{{ loop.index }}</varequal></conditionvar><displayfeedback feedbacktype="Response" linkrefid="{{ ident }}_{{ loop.index }}_fb"/></respcondition>
{% endfor %}
<respcondition continue="No"><conditionvar><varequal respident="response">{{ ident }}_{{ question.right }}</varequal></conditionvar><setvar action="Set" varname="SCORE">100</setvar></respcondition>
</resprocessing>
{% for _, _, why in question.told %}
<itemfeedback ident="{{ ident }}_{{ loop.index }}_fb"><flow_mat><material><mattext texttype="text/html">&lt;p&gt;{{ html(why) }}&lt;/p&gt;</mattext></material></flow_mat></itemfeedback>
{% endfor %}
</item>
{% endfor %}
</section>
</assessment>
</questestinterop>
"""  # noqa: E501
SETTINGS = """\
<?xml version="1.0" encoding="UTF-8"?>
<quiz identifier="{{ quiz }}" xmlns="http://canvas.instructure.com/xsd/cccv1p0">
<title>{{ title }}</title>
<quiz_type>practice_quiz</quiz_type>
<shuffle_answers>true</shuffle_answers>
<allowed_attempts>-1</allowed_attempts>
<points_possible>{{ items | length }}</points_possible>
</quiz>
"""
MANIFEST = """\
<?xml version="1.0" encoding="UTF-8"?>
<manifest identifier="perceptron" xmlns="http://www.imsglobal.org/xsd/imsccv1p1/imscp_v1p1">
<metadata><schema>IMS Content</schema><schemaversion>1.1.3</schemaversion></metadata>
<organizations/>
<resources>
{% for quiz in quizzes %}
<resource identifier="{{ quiz }}" type="imsqti_xmlv1p2"><file href="{{ quiz }}/{{ quiz }}.xml"/><dependency identifierref="{{ quiz }}_settings"/></resource>
<resource identifier="{{ quiz }}_settings" type="associatedcontent/imscc_xmlv1p1/learning-application-resource" href="{{ quiz }}/assessment_meta.xml"><file href="{{ quiz }}/assessment_meta.xml"/></resource>
{% endfor %}
{% for name in pictures %}
<resource identifier="picture_{{ loop.index }}" type="webcontent" href="{{ name }}"><file href="{{ name }}"/></resource>
{% endfor %}
</resources>
</manifest>
"""  # noqa: E501


def html(text):
    """The Markdown of a question, an answer or a reason as HTML on one line.

    >>> html("*Is* $a<b$?")
    '<em>Is</em> \\\\(a&lt;b\\\\)?'
    """
    text = re.sub(r"^(\d+)\.", r"\1\\.", text)  # "10." is a number here, and no list
    text = render.TEX.sub(lambda formula: rf"\({formula[2]}\)", render.inline(text))
    return " ".join(re.sub(r"</?span.*?>", "", text).split())


def picture(question, save):
    """The picture of a question as a paragraph, or nothing; `save(png)` returns its address."""
    if not question.cell:
        return ""
    shown = re.search("<img[^>]*>", render.shown(question.cell, save))
    if not shown:
        what = f"the cell that question {question.number} shows has no stored picture"
        raise question.section.fault(what)
    return "<p>" + re.sub(r' style="[^"]*"', "", shown[0]) + "</p>"


def lessons():
    """Each lesson, such as "03 The mistake bound", with its questions."""
    bank = teaching.questions().values()
    return [(name, list(own)) for name, own in groupby(bank, lambda question: question.lesson)]


def gift():
    """The bank as Moodle reads it."""
    parts = []
    for lesson, own in lessons():
        parts.append(f"$CATEGORY: Perceptron/{lesson}")
        for question in own:
            answers = [f"{'=' if right else '~'}{escaped(html(answer))}#{escaped(html(why))}"
                       for right, answer, why in question.told]  # fmt: skip
            asked = escaped(html(question.text) + picture(question, data_uri))
            asked = f"::{question.number}::[html]{asked}"
            parts.append("\n".join([f"{asked} {{", *answers, "}"]))
    return "\n\n".join(parts) + "\n"


def escaped(made):
    return SPECIAL.sub(r"\\\1", made)


def data_uri(png):
    return "data:image/png;base64," + base64.b64encode(png).decode()


def qti():
    """The files that Canvas reads, by name."""
    files, quizzes, pictures = {}, [], {}
    xml = jinja2.Environment(autoescape=True, trim_blocks=True, undefined=jinja2.StrictUndefined)
    for lesson, own in lessons():
        quiz, items = f"perceptron_{lesson[:2]}", []
        for q in own:
            ident = f"perceptron_{q.number.replace('.', '_')}"

            def save(png, name=f"images/{ident}.png"):
                pictures[name] = png
                return f"%24IMS-CC-FILEBASE%24/{name}"

            items.append((ident, q, picture(q, save)))
        facts = {"quiz": quiz, "title": f"Perceptron {lesson}", "items": items, "html": html}
        files[f"{quiz}/{quiz}.xml"] = xml.from_string(QUIZ).render(facts)
        files[f"{quiz}/assessment_meta.xml"] = xml.from_string(SETTINGS).render(facts)
        quizzes.append(quiz)
    manifest = xml.from_string(MANIFEST).render(quizzes=quizzes, pictures=pictures)
    return {"imsmanifest.xml": manifest, **files, **pictures}


def write(folder=FOLDER):
    """Write both files; the same questions make the same bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "perceptron.gift.txt").write_text(gift(), encoding="utf-8", newline="\n")
    with zipfile.ZipFile(folder / "perceptron_qti.zip", "w") as archive:
        for name, content in qti().items():
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)


if __name__ == "__main__":
    try:
        write()
    except ValueError as fault:
        sys.exit(str(fault))
    print(f"{len(teaching.questions())} questions: perceptron.gift.txt for Moodle and "
          f"perceptron_qti.zip for Canvas, in {FOLDER.relative_to(ROOT)}")  # fmt: skip
