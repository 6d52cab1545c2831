"""The terms of the glossary, which lead there, and say what they mean, where a page first uses
them."""

import html
import re

from web.render import slug

# A line of the glossary: the term, a sentence, the lesson where it is defined.
ENTRY = re.compile(r"^- \*\*(.+?)\*\*: (.+) \(\[lesson (\d+)\]\((.+)\)\)$", re.MULTILINE)
EVERYDAY = {"error", "hypothesis", "pass", "run"}  # words that have another meaning, too
# What is no prose, or is emphasised, and tags.
NO_PROSE = re.compile(
    r"(<(a|code|pre|h\d|table|summary|strong|em|script)\b.*?</\2>"
    r'|<span class="tex.*?</span>|<[^>]*>)',
    re.DOTALL,
)
# The parts of a page that tell the story: sections but for these.
ELSEWHERE = re.compile(r'<section id="(?:self-test|exercises|sources)[\w-]*">')


class Glossary:
    """The terms of the glossary, which lead there where a page first uses them."""

    def __init__(self, text):
        text = text.replace("$", "").replace("^2", "²")
        self.said = {term: said for term, said, *_ in ENTRY.findall(text)}
        longest = sorted(self.said.keys() - EVERYDAY, key=len, reverse=True)
        self.pattern = re.compile("|".join(f"({inflected(term)})" for term in longest), re.I)
        self.terms = [None, *longest]

    def link(self, prose, seen):
        """HTML with its terms linked, but for those `seen` before, and what defines a term."""

        def linked(found):
            term = self.terms[found.lastindex]
            if term in seen:
                return found[0]
            seen.add(term)
            place, said = f"glossary.html#{slug(term)}", html.escape(self.said[term])
            return f'<a class="term" href="{place}" data-said="{said}">{found[0]}</a>'

        parts, made = [*NO_PROSE.split(prose), "", None], []
        for text, tag, kind in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
            made += [self.pattern.sub(linked, text), tag]
            bare = re.sub(r"<.*?>", "", tag) if kind in ("strong", "em") else ""
            if defined := self.pattern.fullmatch(bare):
                seen.add(self.terms[defined.lastindex])
        return "".join(made)


def inflected(term):
    """A pattern for a term in the singular or the plural, across lines.

    >>> [bool(re.fullmatch(inflected("hypothesis"), word)) for word in ("hypotheses", "hypo")]
    [True, False]
    """
    term = re.escape(term).replace(r"\ ", r"\s+")
    endings = {"is": "[ie]s", "y": "(?:y|ies)"}
    for end, both in endings.items():
        if term.endswith(end):
            return rf"\b{term.removesuffix(end)}{both}\b"
    return rf"\b{term}(?:e?s)?\b"


def anchors(content):
    """The glossary itself, with an anchor at every term."""
    return re.sub(r"<li>(?=<p><strong>(.*?)<)", lambda m: f'<li id="{slug(m[1])}">', content)


def page(glossary, content):
    """A page with its terms linked, from its first section on, in what tells the story."""
    elsewhere = ELSEWHERE.search(content)
    end = elsewhere.start() if elsewhere else len(content)
    begin = min(content.find("<h2") % (len(content) + 1), end)
    return content[:begin] + glossary.link(content[begin:end], set()) + content[end:]
