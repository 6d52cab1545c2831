"""What all explorers share: controls that change a state, one picture of it, and its words."""

import base64
import html
from pathlib import Path

import anywidget
import ipywidgets as ipw
import traitlets

from perceptron_lib import examples, plots
from perceptron_lib.plots import style


class Redrawn:
    """A picture that is drawn again and again on the same axes; what is `kept` stays the same.

    >>> from perceptron_lib import five_points, perceptron
    >>> X, y, u = five_points()
    >>> Redrawn(plots.squeeze, plots.card(4).subplots(), u=u).show(run=perceptron(X, y))[0]
    'The run makes 4 mistakes; the walls allow 10'
    """

    def __init__(self, draw, ax, **kept):
        self.draw, self.ax, self.kept = getattr(draw, "on_axes", draw), ax, kept
        vars(ax).pop("corners", None)

    @style.letters()
    def show(self, **others):
        """Draw it; what is to be seen comes back in a few words, and in full."""
        ax = self.ax
        for artist in [*ax.lines, *ax.patches, *ax.collections, *ax.texts, *ax.images]:
            artist.remove()  # which is quicker than to clear all of the axes
        return self.draw(ax, **self.kept, **others)


class Explorer(ipw.Box):
    """A picture, and beside it (below it, where there is little room) its controls and its words.

    `load` makes the picture (a class of `plots`), and what else does not change with every move;
    `draw` gets these, shows the state of the controls, and returns what is to be seen in a few
    words, in full, and HTML to go with them (a table, say, or nothing).  Every control draws anew;
    those in `reload` load before.
    """

    def __init__(self, controls, load, draw, reload=()):
        self.controls, self.load, self.draw = controls, load, draw
        self.image, self.text, self.more = ipw.HTML(), ipw.HTML(), ipw.HTML()
        self.refresh(anew=True)
        self.image.layout = {"flex": "1 1 500px", "max_width": f"{self.size['width']}px"}
        panel = ipw.VBox([*controls, self.text, self.more], layout={"flex": "1 1 300px"})
        panel.layout.max_width, panel.layout.padding = "440px", "0 0 0 12px"
        layout = {"flex_flow": "row wrap", "align_items": "flex-start"}
        super().__init__([self.image, panel], layout=layout)
        for control in controls:
            if not isinstance(control, ipw.Play):  # which moves a slider, and that is followed
                control.observe(lambda change: self.refresh(change.owner in reload), "value")

    def refresh(self, anew=False):
        if anew:
            self.picture, *self.loaded = self.load()
        finding, words, self.more.value = self.draw(self.picture, *self.loaded)
        words = words[0].upper() + words[1:]
        self.words, self.png = f"{finding}. {words}", plots.png(self.picture.ax.figure, quick=True)
        self.size = plots.about(self.picture.ax.figure, self.words)
        finding, words = html.escape(finding), html.escape(words)
        self.said = f"<p><b>{finding}.</b> {words}</p>"
        self.text.value = f"<div role='status' style='line-height: 1.45'>{self.said}</div>"
        address = f"data:image/png;base64,{base64.b64encode(self.png).decode()}"
        look = "decoding='sync' style='display: block; width: 100%; height: auto'"
        self.image.value = f"<img alt='{finding}' {look} src='{address}'>"

    def _repr_mimebundle_(self, **kwargs):
        """Where no kernel runs, the notebook shows the first picture."""
        data, whole = super()._repr_mimebundle_(**kwargs), plots.png(self.picture.ax.figure)
        data |= {"image/png": base64.b64encode(whole).decode(), "text/plain": self.words}
        return data, {"image/png": self.size}


class Slider(anywidget.AnyWidget):
    """A slider over a few values, pairs (text, value), which reports when it is let go.

    It is the browser's own: screen readers say its name, which those of ipywidgets do not tell.
    """

    _esm = Path(__file__).with_name("slider.js")
    description = traitlets.Unicode().tag(sync=True)
    disabled = traitlets.Bool().tag(sync=True)
    texts = traitlets.List().tag(sync=True)
    index = traitlets.Int().tag(sync=True)
    options, value = traitlets.List(), traitlets.Any()

    @traitlets.observe("options")
    def _name(self, change):
        self.texts = [text for text, _ in self.options]

    @traitlets.observe("index")
    def _choose(self, change):
        self.value = self.options[min(self.index, len(self.options) - 1)][1]

    @traitlets.observe("value")
    def _find(self, change):
        self.index = [value for _, value in self.options].index(self.value)


def slider(name, values, value, shown="{:g}".format):
    """A slider over some numbers."""
    return Slider(description=name, options=[(shown(v), v) for v in values], value=value)


def counter(name, value, most, least=0):
    """The same for whole numbers."""
    return slider(name, range(least, most + 1), value, str)


def choice(name, options):
    """A menu of texts, or of pairs (text, value)."""
    look = {"style": {"description_width": "105px"}, "layout": {"width": "auto"}}
    return ipw.Dropdown(options=list(options), description=name, **look)


@style.letters()
def axes(height, *boxes):
    """Axes in fixed boxes, so that there is no layout to work out on a redraw."""
    figure = plots.card(height)
    for box in boxes:
        plots.frameless(figure.add_axes(box))
    return figure.axes


PETALS = "iris petals (mm)"


def petals():
    """Length and width of the petals of iris."""
    return examples.iris().X[:, 2:], examples.iris().y


def feature_names(data):
    """Names for the axes."""
    return ("petal length (mm)", "petal width (mm)") if data.startswith(PETALS) else ("x₁", "x₂")


def one_over(value):
    """1/16 for 0.0625."""
    return f"1/{1 / value:.0f}"
