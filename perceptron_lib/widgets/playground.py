"""Scenes that scripts draw in the browser, with the same runs as the library: the playground, the
game of labellings, explorers.  They work on pages and slides as well; here they get their points,
and the playground's come back to Python.
"""

import re
from fractions import Fraction
from pathlib import Path

import anywidget
import numpy as np
import traitlets

from perceptron_lib import plots
from perceptron_lib.checks import door, limit, one_of
from perceptron_lib.embedding import with_bias
from perceptron_lib.examples import five_points
from perceptron_lib.perceptron import margin_perceptron, perceptron

FOLDER = Path(__file__).parent
MOST, FAR = 60, 99  # points, and how far they may be
BEGIN = "module", "text", "scene", "note"  # what a page needs to begin a scene


def script(scene):
    """The modules of a scene as one text, which is what anywidget takes."""
    modules = [(FOLDER / f"{name}.js").read_text("utf-8") for name in ("core", "draw", scene)]
    return re.sub(r'^import [^;]*? from "\./.*";$', "", "\n".join(modules), flags=re.M)


class Scene(anywidget.AnyWidget):
    """A scene, and a still picture of it for where no kernel and no script runs."""

    _esm, _css = "", FOLDER / "scenes.css"
    state = traitlets.Dict().tag(sync=True)

    still = None

    def __init__(self, module, still=None, **state):
        super().__init__(_esm=script(module), state={"module": module, "text": None} | state)
        if still:
            self.still = still

    def _repr_mimebundle_(self, **kwargs):
        data, metadata = super()._repr_mimebundle_(**kwargs)
        if self.still:
            picture, about = self.still._repr_mimebundle_()
            about["image/png"]["scene"] = {k: v for k, v in self.state.items() if k in BEGIN and v}
            data, metadata = data | picture, metadata | about
        return data, metadata


class Playground(Scene):
    """A plane of points with whole coordinates, and the Perceptron's run on them.

    `X` and `y` are the points as they are now, `run` is the Python `Run` on them, with all that is
    chosen, or on the points that were fed.
    """

    def __init__(self, X, y, game="watch"):
        points, note = on_grid(X)
        labelled = zip(points, y, strict=True)
        text = "".join(f"{a},{b}{'p' if label > 0 else 'm'}" for (a, b), label in labelled)
        text += f"&game={game}" if game != "watch" else ""
        super().__init__("playground", points=points, labels=y.tolist(), text=text, note=note,
                         bias=0, tie="mistake", order=None, rule="perceptron", fed=None)

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
        state, order = self.state, self.state["order"]
        X = with_bias(self.X, state["bias"]) if state["bias"] else self.X
        if fed := state["fed"]:
            return perceptron(X[fed], self.y[fed], tie=state["tie"], max_passes=1)
        if state["rule"] in ("margin", "half"):
            gamma = Fraction(state["gamma"]) if state["rule"] == "margin" else None
            return margin_perceptron(X, self.y, gamma, order=order and np.array(order))
        return perceptron(X, self.y, tie=state["tie"], order=order)

    @property
    def still(self):
        """The points as they are now, and their line, as a picture."""
        if not len(self.y):
            return None
        bias, w = self.state["bias"], self.run.w
        return plots.plane(self.X, self.y, w[:2], bias * w[2] if bias else 0.0)


def on_grid(X):
    """Points at whole places, as lists, and what was done to them, in words.

    >>> on_grid(np.array([[0.5, 2.25], [-1.0, 3.0]]))
    ([[5, 23], [-10, 30]], 'Coordinates are 10 times what was given. ... nearest whole numbers. ')
    """
    if len(X) > MOST or X.shape[1] != 2:
        raise ValueError(f"X must have 2 columns and at most {MOST} rows; got shape {X.shape}")
    most, whole = np.abs(X).max(initial=0), bool((np.rint(X) == X).all())
    sizes = [10.0**k for k in range(0 if whole else 3, -4, -1)]
    times = next((size for size in sizes if most * size <= FAR), 1.0)
    points = np.floor(X * times + 0.5).astype(int)
    if np.abs(points).max(initial=0) > FAR:
        raise ValueError(f"X must be within {FAR * 1000:,} of 0; got {most:g}")
    if len(twice := np.unique(points, axis=0)) < len(points):
        raise ValueError(f"X must have one point a place, on a grid of {1 / times:g}; "
                         f"its {len(points)} points are at {len(twice)} places")  # fmt: skip
    note = "" if times == 1 else f"Coordinates are {times:g} times what was given. "
    moved = "Points were moved to the nearest whole numbers. " * bool((points != X * times).any())
    return points.tolist(), note + moved


@door(game=limit(one_of, ("watch", "guess", "feed", "turn")))
def playground(X=None, y=None, game="watch"):
    """Put points down and watch the Perceptron err and learn; or "guess" its next mistake, "feed"
    it its mistakes yourself, or "turn" w by hand.  It begins with at most 60 points of your own,
    moved to a grid, or with the five of lesson 1.

    >>> play = playground()
    >>> play.X.shape, play.run
    ((5, 2), Run: 4 mistakes in 3 passes over 5 examples, converged)
    """
    X, y = five_points()[:2] if X is None and y is None else (X, y)
    if X is None or y is None:
        raise ValueError("X and y must be given together")
    return Playground(X, y, game)


@door
def shatter(X=((-3, -2), (4, -1), (0, 4))):
    """Collect the labellings that a line makes of two to five points; the others come with proofs.

    >>> shatter([[0, 0], [1, 0], [0, 1]]).state["text"]
    '0,0p1,0p0,1p'
    """
    if not 2 <= len(X) <= 5:
        raise ValueError(f"X must have from 2 to 5 points; got {len(X)}")
    text = "".join(f"{a},{b}p" for a, b in on_grid(X)[0])
    return Scene("shatter", plots.plane(X, np.ones(len(X), int)), text=text)
