"""What all explorers share: controls that change a state, one picture of it, and its words."""

import base64

import ipywidgets as ipw

from perceptron_lib import plots


class Explorer(ipw.VBox):
    """Controls above a picture above its words.

    `load` makes the picture (a class of `plots`), and what else does not change with every move;
    `draw` gets these, shows the state of the controls, and returns words and HTML to go with them
    (a table, say, or nothing).  Every control draws anew; those in `reload` load before.
    """

    def __init__(self, controls, load, draw, reload=(), width="600px"):
        self.load, self.draw = load, draw
        self.image = ipw.Image(format="png", layout={"width": width})
        self.text, self.more = ipw.HTML(layout={"width": width}), ipw.HTML()
        row = ipw.HBox(controls, layout={"flex_flow": "row wrap"})
        super().__init__([row, self.image, self.text, self.more])
        self.refresh(anew=True)
        for control in controls:
            if not isinstance(control, ipw.Play):  # which moves a slider, and that is followed
                control.observe(lambda change: self.refresh(change.owner in reload), "value")

    def refresh(self, anew=False):
        if anew:
            self.picture, *self.loaded = self.load()
        self.text.value, self.more.value = self.draw(self.picture, *self.loaded)
        self.image.value = plots.png(self.picture.ax.figure)

    def _repr_mimebundle_(self, **kwargs):
        """Where no kernel runs, the page shows the first picture."""
        data, words = super()._repr_mimebundle_(**kwargs), self.text.value
        figure = self.picture.ax.figure
        data["image/png"] = base64.b64encode(self.image.value).decode()
        data["text/plain"] = words
        return data, {"image/png": plots.about(figure, words)}


def told(finding, words):
    """What a picture shows, first in a few words."""
    return f"{finding}. {words}"


def axes(width, height, box):
    """Axes in a fixed box, so that there is no layout to work out on a redraw."""
    found = plots.card(width, height).add_axes(box)
    plots.plain(found)
    return found


def choice(name, options):
    """A menu of texts, or of pairs (text, value)."""
    return ipw.Dropdown(options=list(options), description=name)


def slider(name, values, value, shown="{:g}".format):
    """A slider over a few values, which reports when it is let go."""
    options = [(shown(v), v) for v in values]
    return ipw.SelectionSlider(
        options=options, value=value, description=name, continuous_update=False
    )


def counter(name, value, most, least=0):
    """The same for whole numbers."""
    return ipw.IntSlider(value, least, most, description=name, continuous_update=False)


def one_over(value):
    """1/16 for 0.0625."""
    return f"1/{1 / value:.0f}"
