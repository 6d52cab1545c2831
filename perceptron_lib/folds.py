"""The answer to a Predict tells nothing before the reader opens it.

JupyterLab opens a hidden output with Run All, and prints its first line beside it; code hosts show
it at once.  A closed `<details>` stays closed in all of them.
"""

import base64
import html


class Answer:
    """Something folded: a picture, a table, or whatever else has a text."""

    def __init__(self, *shown):
        self.shown = shown

    def _repr_html_(self):
        inside = "\n".join(map(_as_html, self.shown))
        return f"<details><summary>Show the answer</summary>\n{inside}\n</details>"

    def __repr__(self):
        return "The answer is folded."


def answer(*shown):
    """What a notebook shows as the answer to a prediction, closed until it is clicked.

    >>> answer(2 + 2)
    The answer is folded.
    """
    return Answer(*shown)


def _as_html(thing):
    if hasattr(thing, "html"):  # a table
        return thing.html()
    if hasattr(thing, "png"):
        size = f'width="{thing.shown["width"]}" height="{thing.shown["height"]}"'
        png = base64.b64encode(thing.png).decode()
        return f'<img alt="{html.escape(thing.alt)}" {size} src="data:image/png;base64,{png}">'
    return f"<pre>{html.escape(repr(thing))}</pre>"
