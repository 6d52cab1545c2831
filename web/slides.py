"""A deck from a notebook: which cells stand on which slide, by their slide metadata."""

import re

from web import render

HEADING = re.compile(r"^#{1,3} .*$", re.MULTILINE)


def slide_type(cell):
    return cell.metadata.get("slideshow", {}).get("slide_type", "-")


def columns(cells):
    """The shown cells, as a list of columns of slides of cells.

    "slide" opens a column, "subslide" a slide below, "skip" is left out, and everything else
    joins the slide before it.
    """
    deck = []
    for cell in cells:
        kind = slide_type(cell)
        if kind == "skip":
            continue
        if kind == "slide" or not deck:
            deck.append([[]])
        elif kind == "subslide":
            deck[-1].append([])
        deck[-1][-1].append(cell)
    return deck


def deck(cells, save):
    """The HTML of all slides: a section for each column, with a section for each slide in it."""
    made, section = [], None
    for column in columns(cells):
        slides = []
        for slide in column:
            opening = HEADING.search(slide[0].source) if slide[0].cell_type == "markdown" else None
            level = len(opening.group().split()[0]) if opening else 9
            above = f'<p class="above">{section}</p>\n' if section and level > 2 else ""
            if level == 2:
                section = render.inline(opening.group().lstrip("# "))
            body = "".join(piece(cell, save) for cell in slide)
            size = ' class="dense"' if dense(slide) else ""
            slides.append(f"<section{size}>\n{above}{body}</section>\n")
        made.append(f"<section>\n{''.join(slides)}</section>\n")
    return "".join(made)


def dense(slide):
    """Whether a slide has so many lines of code and results, or so long ones, that they must be
    set smaller."""
    lines = []
    for cell in slide:
        if cell.cell_type == "code":
            lines += cell.source.split("\n")
            lines += "".join(out.get("text", "") for out in cell.outputs).split("\n")
    return len(lines) > 16 or max(map(len, lines), default=0) > 88


def piece(cell, save):
    """A cell on its slide; a fragment appears at the lecturer's next key."""
    made = render.cell(cell, save, fold=False)
    if render.PLAYGROUND in cell.source:  # which needs the room that its code would take
        made = made[made.index('<div class="playground">') :]
    elif 'class="explorer"' in made:  # which needs the room that its code would take
        made = made[made.index("</pre>") + 7 :]
    return f'<div class="fragment">\n{made}</div>\n' if slide_type(cell) == "fragment" else made
