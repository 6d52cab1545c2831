"""The playground: points to put down and drag, in a notebook (the same works on pages by itself).

All of it is in playground.js, which makes the same runs as the library; here the points come back
to Python.
"""

from pathlib import Path

import anywidget
import numpy as np
import traitlets

from perceptron_lib import plots
from perceptron_lib.embedding import with_bias
from perceptron_lib.examples import five_points
from perceptron_lib.perceptron import perceptron


class Playground(anywidget.AnyWidget):
    """A plane of points with whole coordinates, and the Perceptron's run on them.

    `X` and `y` are the points as they are now, `run` is the Python `Run` on them, with the bias,
    the tie rule and the order that are chosen in the playground.
    """

    _esm = Path(__file__).with_name("playground.js")
    state = traitlets.Dict().tag(sync=True)  # as the module writes it

    def __init__(self):
        X, y, _ = five_points()
        points = {"points": X.astype(int).tolist(), "labels": y.tolist()}
        super().__init__(state=points | {"bias": 0, "tie": "mistake", "order": None, "text": None})

    @property
    def X(self):
        return np.array(self.state["points"], dtype=float).reshape(-1, 2)

    @property
    def y(self):
        return np.array(self.state["labels"], dtype=np.int64)

    @property
    def run(self):
        if not len(self.y):
            raise ValueError("the plane is empty: put a point down in the playground, then run")
        X = with_bias(self.X, self.state["bias"]) if self.state["bias"] else self.X
        return perceptron(X, self.y, tie=self.state["tie"], order=self.state["order"])

    @property
    def still(self):
        """The points as they are now, and their line, as a picture."""
        bias, w = self.state["bias"], self.run.w
        return plots.plane(self.X, self.y, w[:2], bias * w[2] if bias else 0.0)

    def _repr_mimebundle_(self, **kwargs):
        """Where no kernel runs, the page shows the points as they were, and a line."""
        data, metadata = super()._repr_mimebundle_(**kwargs)
        if len(self.y):
            picture, about = self.still._repr_mimebundle_()
            return data | picture, metadata | about
        return data, metadata


def playground():
    """Put points down, drag them, flip their labels: the run, the vectors of each update, weight
    space, the bound and the largest margin follow, or the proof that there is no separator.

    >>> play = playground()
    >>> play.X.shape, play.run
    ((5, 2), Run: 4 mistakes in 3 passes over 5 examples, converged)
    """
    return Playground()
