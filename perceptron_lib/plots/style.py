"""What all pictures share: how one is made, what it accepts, and how the plane is drawn.

A picture is a function that draws on the axes it is given and returns what it drew, in words; the
decorator `picture` does the rest.  Positive examples are blue circles, negative ones orange
squares, everywhere.
"""

import base64
import functools
import inspect
import io
import math
from collections.abc import Callable

import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke

from perceptron_lib import checks, show
from perceptron_lib.run import Run
from perceptron_lib.separability import Separator
from perceptron_lib.show import number

# Okabe and Ito's colours, which people with any kind of colour vision can tell apart.
BLUE, ORANGE, GREEN, PURPLE = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
SKY = "#56B4E9"  # too pale for lines and texts: it only fills areas
INK, GREY = "#222222", "#777777"
SIGNED = LinearSegmentedColormap.from_list("signed", [ORANGE, "white", BLUE])  # − to +
CLASSES = ((1, {"marker": "o", "color": BLUE}), (-1, {"marker": "s", "color": ORANGE}))
NAMES = ("$x_1$", "$x_2$")
MANY = 10**15  # more things than that are not drawn
KINDS = {"title": (str, "a text"), "run": (Run, "a Run"), "best": (Separator, "a Separator"),
         "kernel": (Callable, "a function of two tables")}  # of arguments, by their names


class Picture:
    """A drawn figure with its text in words; a notebook shows it by itself."""

    def __init__(self, figure, alt):
        self.png, self.alt = png(figure), alt

    def _repr_mimebundle_(self, include=None, exclude=None):
        data = {"image/png": base64.b64encode(self.png).decode(), "text/plain": self.alt}
        return data, {"image/png": {"alt": self.alt}}


def png(figure):
    """The figure as PNG bytes, without dates or versions in them."""
    stream = io.BytesIO()
    figure.savefig(stream, format="png", dpi=100, metadata={"Software": None})
    return stream.getvalue()


def picture(width, height, columns=1):
    """Turn a function that draws, and returns words, into one that returns a `Picture`.

    The function is called with the axes first: several if there are several columns, the bare
    figure if there is none.  A `title` among its arguments is set here, and goes before the words.
    Arguments that have the same kind in all pictures are checked here, too.
    """

    def of(draw):
        parameters = list(inspect.signature(draw).parameters.values())[1:]
        signature = inspect.Signature(parameters)

        @functools.wraps(draw)
        def drawn(*args, **kwargs):
            given = signature.bind(*args, **kwargs).arguments
            for name, (kind, expected) in KINDS.items():
                if name in given:
                    checks.instance(given[name], kind, name, expected)
            title = given.get("title")
            figure = Figure(figsize=(width, height), layout="constrained")
            axes = figure.subplots(1, columns) if columns else figure
            for ax in figure.axes:
                ax.spines[["top", "right"]].set_visible(False)
            words = draw(axes, *args, **kwargs)
            if title:
                figure.suptitle(title) if columns > 1 else axes.set_title(title)
            return Picture(figure, f"{title}: {words}" if title else words)

        drawn.__signature__ = signature
        return drawn

    return of


# --- what pictures accept --------------------------------------------------------------------


def drawable(numbers, name):
    """Numbers the largest of which is neither too large nor too small for a picture."""
    size = np.abs(numbers).max()
    if size != 0 and not 1e-100 < size < 1e100:
        raise ValueError(f"{name} cannot be drawn: its size is beyond 1e-100 to 1e100")
    return numbers


def in_the_plane(X, y):
    """Examples with two features."""
    X, y = checks.labelled(X, y)
    if X.shape[1] != 2:
        raise ValueError(f"this picture needs examples with two features; got {X.shape[1]}")
    return drawable(X, "X"), y


def on_a_line(x):
    """Numbers in a list, or in a table with one column."""
    nested = np.array(x, dtype=object).ndim == 2
    X = checks.table(x, "x") if nested else checks.table([x], "x").T
    if X.shape[1] != 1:
        raise checks.refusal("x", "a list of numbers, or a table with one column", X)
    return drawable(X, "x")[:, 0]


def floats(values, name, n=None, positive=False):
    """n numbers as the nearest floats: what is drawn may be rounded."""
    found = np.array([show.as_float(v) for v in checks.fractions(values, None, name)])
    if n not in (None, len(found)) or (positive and not (found > 0).all()):
        many = "finite numbers" if n is None else show.count(n, "finite number")
        raise checks.refusal(name, many + " above 0" * positive, values)
    return drawable(found, name)


def direction(w, name="w"):
    """Two numbers, not both 0."""
    if not floats(w, name, 2).any():
        raise ValueError(f"{name} is the zero vector, which has no direction")
    return floats(w, name, 2)


def real(value, name, positive=False):
    """One number as the nearest float."""
    expected, low = "a finite number" + " above 0" * positive, 0 if positive else -math.inf
    return drawable(checks.real(value, name, expected, lambda v: low < v < math.inf), name)


def whole_numbers(values, name):
    """Numbers of things."""
    found = floats(values, name)
    if not ((found >= 0) & (found <= MANY) & (found % 1 == 0)).all():
        raise checks.refusal(name, "whole numbers, 0 or more", values)
    return found.astype(int)


def named(things, name, most=3, least=1):
    """Things with their names, as pairs; there are not more of them than there are colours."""
    texts = [isinstance(key, str) for key in things] if isinstance(things, dict) else [False]
    if not all(texts) or not least <= len(texts) <= most:
        expected = f"a dict from {least} to {most} names to what is drawn"
        raise checks.refusal(name, expected, things)
    return things.items()


def lengths(run, least=0):
    """||w_t|| for every t of a run with as many updates as that."""
    if run.mistakes < least:
        raise ValueError("there is nothing to draw: the run made no update")
    drawable(run.X, "run.X")
    return np.sqrt(np.einsum("ij,ij->i", run.weights, run.weights))


# --- the plane -------------------------------------------------------------------------------


def frame(ax, X, names=NAMES):
    """Equal axes around the data and the origin, with room to spare."""
    points = np.vstack([X, np.zeros(2)])
    middle = (points.max(axis=0) + points.min(axis=0)) / 2
    half = 0.62 * np.ptp(points, axis=0)
    half = np.maximum(half, 0.6 * (half.max() or 1))
    (left, low), (right, high) = middle - half, middle + half
    ax.set(xlim=(left, right), ylim=(low, high), aspect="equal")
    ax.axhline(0, color=GREY, lw=0.5, zorder=0)
    ax.axvline(0, color=GREY, lw=0.5, zorder=0)
    label(ax, names)


def label(ax, names):
    """Names for both axes."""
    texts = isinstance(names, (tuple, list)) and [isinstance(name, str) for name in names]
    if texts != [True, True]:
        raise checks.refusal("names", "two texts, one for each axis", names)
    ax.set(xlabel=names[0], ylabel=names[1])


def marks(ax, X, y, size=None):
    """Marks for the examples, class by class."""
    return [
        ax.scatter(*X[y == sign].T, s=size, edgecolor="white", lw=0.8, zorder=3, **look)
        for sign, look in CLASSES
    ]


def scatter(ax, X, y, size=46):
    """The examples, with their numbers if they are few."""
    marks(ax, X, y, size)
    middle = (X[:, 1].max() + X[:, 1].min()) / 2
    for i, x in enumerate(X if len(y) <= 8 else ()):  # towards the middle, away from the frame
        halo(note(ax, str(i), x, (7, -12 if x[1] >= middle else 5), fontsize=9))


def tally(y):
    """How many examples there are of each class."""
    return f"Positive examples: {np.sum(y > 0)}, negative: {np.sum(y < 0)}"


def note(ax, text, at, offset, **look):
    """A text beside a point."""
    return ax.annotate(text, at, xytext=offset, textcoords="offset points", **look)


def halo(text):
    """A white rim, so that a line behind a text does not cross it out."""
    text.set_path_effects([withStroke(linewidth=3, foreground="white")])


def line_ends(ax, w, b=0.0):
    """Two far points of the line w·x + b = 0: their first coordinates, and their second."""
    length = np.hypot(*w)
    if length == 0:
        return np.full((2, 2), np.nan)
    foot = -b * w / length**2
    along = np.array([-w[1], w[0]]) / length
    reach = 4 * (np.abs([*ax.get_xlim(), *ax.get_ylim()]).max() + np.abs(foot).max())
    return np.array([foot - reach * along, foot + reach * along]).T


def band(ax, w, width, **look):
    """Fill the band that reaches `width` to either side of the line w·x = 0."""
    ends, across = line_ends(ax, w).T, width * w / np.hypot(*w)
    ax.fill(*np.vstack([ends + across, ends[::-1] - across]).T, color=SKY, alpha=0.3, **look)


def line_in_words(w, b):
    """The line w·x + b = 0 in words."""
    if not np.any(w):
        return "there is no line yet (w = 0)"
    terms = [(w[0], " x1"), (w[1], " x2"), (b, "")]
    text = " ".join(("−" if v < 0 else "+") + f" {number(abs(v))}{name}" for v, name in terms if v)
    return f"the line is {text.removeprefix('+ ')} = 0"
