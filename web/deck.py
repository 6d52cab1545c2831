"""A deck from its Markdown: slides as reveal.js writes them, with what the lesson has computed.

A deck is web/decks/NN_name.md.  A line `---` begins a column of slides, `--` a slide below, and
`Note:` what the lecturer says, which opens with its minutes: `Note: (2 min) ...`.  A slide whose
heading has a ★ belongs to the longer version.  `<!-- .element: class="fragment" -->` after a
paragraph or an item of a list shows it at the next key.  `<!-- .slide: class="side" -->` puts the
picture at the side of the words, and `<!-- .slide: class="proof" -->` makes the items of a list,
each `formula — reason`, the steps of a proof: what is to be shown, and the first picture, stand
there from the beginning, and a picture stays until the step that has another one.

Nothing that the lesson computes is typed: `{{show-squeeze}}` is the output of the lesson's cell
with that tag, as a picture or table, and `{{show-squeeze 2}}` the second number in its words.
"""

import re
from dataclasses import dataclass, field
from html import unescape

from web import render

REFERENCE = re.compile(r"\{\{(show-[a-z0-9-]+)(?: (\d+))?\}\}")
ALONE = re.compile(r"<p>\s*\{\{(show-[a-z0-9-]+)\}\}\s*</p>")
NUMBER = re.compile(r"[−-]?\d[\d,]*(?:\.\d+)?(?:e[−-]?\d+)?")
TYPED = re.compile(r"(?<![\w.{])\d[\d,.]*\d(?!\w)")  # two digits or more
YEAR = re.compile(r"1[89]\d\d|20\d\d")
NO_PROSE = re.compile(
    r"\$\$.*?\$\$|\$[^$]*\$|```.*?```|`[^`]*`|<!--.*?-->|<[^>]*>|\]\([^)]*\)", re.DOTALL
)
MINUTES = re.compile(r"\((\d+(?:\.5)?) min\)\s*")
ATTRIBUTES = re.compile(r"\s*<!-- \.(slide|element): (.*?) -->")
HEADING = re.compile(r"^#{1,2} (.*)$", re.MULTILINE)
KEYS = """\
Keys: **Space** or **→** goes on, **Shift+Space** or **←** back; **S** opens these notes with a
clock (click on the time to set it to 0); **B** makes the screen dark and light again; **G**, a
number such as 9.1 and Enter jumps there; **O** shows all slides, **F** fills the screen, **?**
lists all keys; in an explorer **Esc** gives the keys back to the slides. In the address,
`?long` adds the slides with a ★, `?theme=dark` or `?theme=light` chooses the colours, and
`?print-pdf` makes pages to print, `?print-pdf&showNotes=separate-page` with these notes."""


class Fault(ValueError):
    """What is wrong with a deck, in one sentence."""


@dataclass
class Slide:
    """The Markdown of one slide, its notes, and how long it takes."""

    text: str
    notes: str = field(repr=False)
    minutes: float

    @property
    def title(self):
        found = HEADING.search(self.text)
        return found.group(1) if found else ""

    @property
    def starred(self):
        return "★" in self.title


def read(path):
    """The columns of slides in a file."""
    try:
        return [[slide(text) for text in re.split(r"(?m)^--$", column)]
                for column in re.split(r"(?m)^---$", path.read_text(encoding="utf-8"))]  # fmt: skip
    except Fault as fault:
        raise Fault(f"{path.name}: {fault}") from None


def slide(text):
    """One slide; it has notes that say how many minutes it takes, and no number that is typed."""
    shown, *notes = re.split(r"(?m)^Note:", text.strip())
    where = repr(" ".join(shown.split())[:60])
    if len(notes) != 1 or not (minutes := MINUTES.match(notes[0].strip())):
        raise Fault(f"the slide {where} needs notes that begin with 'Note: (2 min)'")
    said = MINUTES.sub("", notes[0].strip(), count=1)
    for part in (shown, said):
        prose = NO_PROSE.sub(" ", REFERENCE.sub(" ", re.sub(r"^# \d+ ·", "", part)))
        typed = [n for n in TYPED.findall(prose) if not YEAR.fullmatch(n)]
        if typed:
            raise Fault(f"the slide {where} has the typed number {typed[0]}: refer to the lesson")
    return Slide(shown.strip(), said.strip(), float(minutes[1]))


def minutes(columns, starred):
    """How long a deck takes, with or without the slides that have a star."""
    return sum(s.minutes for column in columns for s in column if starred or not s.starred)


class Lesson:
    """The outputs of a lesson's cells by their tags, as HTML and as numbers."""

    def __init__(self, lesson, save):
        self.name, self.save = lesson.name, save
        self.cells = {tag: cell for cell in lesson.cells for tag in cell.metadata.get("tags", [])
                      if tag.startswith("show-")}  # fmt: skip

    def cell(self, tag):
        if tag not in self.cells:
            raise Fault(f"{self.name} has no cell with the tag {tag}")
        return self.cells[tag]

    def block(self, tag):
        """What a cell shows: a picture, a table, a text, an explorer; its code if it shows
        nothing."""
        made = render.shown(self.cell(tag), self.save) or render.code(self.cell(tag).source)
        made = re.sub("</?details>|<summary>.*?</summary>", "", made)  # a slide keeps no secret
        if "<img" in made:  # which speaks for itself
            made = re.sub(r'<pre class="output">.*?</pre>\n?', "", made, flags=re.DOTALL)
        return made

    def number(self, tag, k):
        """The k-th number in the words of a cell's outputs."""
        data = [out.get("data", {}) for out in self.cell(tag).outputs]
        texts = [words_of(d) for d in data]  # of what is shown, and then of what is printed
        texts += [out.get("text", "") for out in self.cell(tag).outputs]
        found = NUMBER.findall(" ".join(texts))
        if not 1 <= k <= len(found):
            raise Fault(f"the cell {tag} of {self.name} has {len(found)} numbers, not {k}")
        return found[k - 1].rstrip(",")


def words_of(data):
    """The words of an output: of an answer, those in its fold."""
    if "<details" not in (folded := data.get("text/html", "")):
        return data.get("text/markdown", data.get("text/plain", ""))
    said = re.sub(r'<img alt="(.*?)".*?>|<summary>.*?</summary>|<.*?>', r"\1 ", folded)
    return unescape(said)


def deck(columns, lesson):
    """The HTML of all slides; after the first, a slide with the contents."""
    made, links = [], []
    columns[0][0].notes += "\n\n" + KEYS
    for column in columns:
        slides = "".join(section(s, lesson) for s in column)
        made.append(f"<section>\n{slides}</section>\n")
        name, said = render.slug(column[0].title), render.inline(column[0].title)
        links.append(f'<li><a href="#/{name}">{said}</a></li>\n')
    contents = f"<h2>Contents</h2>\n<ol>\n{''.join(links[1:])}</ol>\n"
    notes = '<aside class="notes">For you rather than the room: each line leads there.</aside>'
    contents = f'<section class="contents" data-timing="0">\n{contents}{notes}</section>\n'
    return "".join([made[0], f"<section>\n{contents}</section>\n", *made[1:]])


def section(slide, lesson):
    """The HTML of one slide."""
    text, about = slide.text, {"data-timing": f"{60 * slide.minutes:.0f}"}
    for _, attributes in (m.groups() for m in ATTRIBUTES.finditer(text) if m[1] == "slide"):
        about |= dict(re.findall(r'([\w-]+)="(.*?)"', attributes))
    text = re.sub(r"<!-- \.slide:.*?-->", "", text)
    classes = about.pop("class", "").split() + ["star"] * slide.starred
    layout = {"proof": proof, "side": side}.get((classes or [""])[0], plain)
    body = layout(text, lesson)
    shown = "".join(f' {name}="{value}"' for name, value in about.items())
    notes = fill(render.markdown(slide.notes), lesson)
    return (f'<section id="{render.slug(slide.title)}" class="{" ".join(classes)}"{shown}>\n'
            f"{elements(body)}"
            f'<aside class="notes">{notes}</aside>\n</section>\n')  # fmt: skip


def plain(text, lesson):
    """Words, with blocks where they stand."""
    return fill(render.markdown(text), lesson)


def fill(html, lesson):
    """HTML with its references filled in: blocks where one stands alone, numbers elsewhere."""
    html = ALONE.sub(lambda found: lesson.block(found[1]), html)

    def inline(found):
        tag, k = found.groups()
        if k is None:
            raise Fault(f"{tag} stands within a text: give the number that is meant, {tag} 1")
        return lesson.number(tag, int(k))

    return REFERENCE.sub(inline, html)


def elements(html):
    """HTML with the attributes of `.element` comments on the elements that they follow."""
    while found := re.search(r"\s*<!-- \.element: (.*?) -->", html):
        before = html[: found.start()]
        ended = re.search(r"</(blockquote|pre|table|div)>$", before)  # else it stands within one
        names = ended[1] if ended else r"p|li|tr|h\d|img"
        *_, opening = re.finditer(rf"<({names})\b", before)
        tag, rest = before[opening.end() :].split(">", 1)
        tag = re.sub(r'class="(.*?)"(.*) class="(.*?)"', r'class="\1 \3"\2', f"{found[1]}{tag}")
        html = f"{before[: opening.end()]} {tag}>{rest}{html[found.end() :]}"
    return html


def side(text, lesson):
    """Words, and a picture or a table at their side."""
    found = re.search(r"(?m)^\{\{.*\}\}$", text)
    head, words = text.replace(found[0], "").strip().split("\n", 1)
    block = plain(found[0], lesson)
    return (f'{plain(head, lesson)}<div class="steps"><div>{plain(words, lesson)}</div>\n'
            f'<div class="beside"><div>{block}</div></div></div>\n')  # fmt: skip


def proof(text, lesson):
    """What is to be shown, its steps `formula — reason`, each at its key, and pictures beside."""
    head, *items = re.split(r"(?m)^- ", text)
    last, _, after = items[-1].partition("\n\n")
    title, _, claim = head.strip().partition("\n\n")
    steps, pictures = [], []
    for k, item in enumerate([*items[:-1], last]):
        pictures += [(k, tag) for tag in re.findall(r"\{\{(show-[a-z0-9-]+)\}\}", item)]
        step, _, reason = re.sub(r"\{\{show-[a-z0-9-]+\}\}", "", item).strip().partition(" — ")
        why = f'<div class="why">{render.inline(reason)}</div>' if reason else ""
        at = f'class="step fragment" data-fragment-index="{k}"'
        steps.append(f"<div {at}>{render.markdown(step)}{why}</div>\n")
    shown = []
    for place, (k, tag) in enumerate(pictures):
        block = lesson.block(tag)
        if k:
            block = f'<div class="fragment" data-fragment-index="{k}">{block}</div>'
        if place + 1 < len(pictures):
            until = pictures[place + 1][0]
            block = f'<div class="fragment fade-out" data-fragment-index="{until}">{block}</div>'
        shown.append(f"<div>{block}</div>\n")
    beside = f'<div class="beside">\n{"".join(shown)}</div>' if shown else ""
    words = plain(claim, lesson) + "".join(steps)
    return (f'{plain(title, lesson)}<div class="steps"><div>\n{words}</div>{beside}</div>\n'
            f"{plain(after, lesson)}")  # fmt: skip
