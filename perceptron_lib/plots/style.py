"""What all pictures share: the visual vocabulary, how a picture is made, and what it accepts.

One colour means one thing, in every lesson, and a shape says it again (`plots.legend` shows it):

| what                          | colour (Okabe and Ito) | shape                           |
|-------------------------------|------------------------|---------------------------------|
| class +, the + side of a line | blue                   | circle, faint shade             |
| class −                       | vermilion              | square                          |
| w, and what belongs to it     | black                  | solid line, arrow               |
| u, or the best separator      | green                  | dashed line                     |
| a bound                       | purple                 | dash-dotted line                |
| what was observed             | sky blue, black rim    | dots, bars                      |
| the current example           | yellow                 | disc behind its mark            |
| multipliers λ, α              | orange                 | ring, as large as the number    |

Grey is scaffolding.  A picture is a function that draws on the axes it is given and returns what is
to be seen, in a few words with numbers (its title) and in full (its alternative text); `picture`
makes a still picture of it, `redrawn` one that explorers draw again and again.
"""

import base64
import functools
import inspect
import io
import textwrap
from collections.abc import Callable
from itertools import product

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.image import imsave
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.patches import FancyBboxPatch
from matplotlib.patheffects import withStroke

from perceptron_lib import checks
from perceptron_lib.run import Run
from perceptron_lib.separability import Separator
from perceptron_lib.show import as_float, count

BLUE, VERMILION, GREEN, PURPLE = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
SKY, YELLOW, ORANGE = "#56B4E9", "#F0E442", "#E69F00"  # too pale for lines and texts: they fill
INK, GREY, CARD, RIM = "#222222", "#777777", "#FDFDFB", "#D8D8D2"
DARK = {GREEN: "#00694C", PURPLE: "#94446F"}  # the same, for texts, which are thin
W = {"color": INK, "ls": "-", "lw": 1.8}
U = {"color": GREEN, "ls": (0, (5, 2.5)), "lw": 1.8}
BOUND = {"color": PURPLE, "ls": (0, (6, 2, 1.2, 2)), "lw": 1.8}
AID = {"color": GREY, "ls": "-", "lw": 0.6}
OBSERVED = {"color": INK, "marker": "o", "mfc": SKY, "mec": INK, "mew": 0.8, "ms": 6, "lw": 0.9}
BARS = {"color": SKY, "edgecolor": INK, "lw": 0.8}
CURRENT = {"marker": "o", "ls": "", "mfc": YELLOW, "mec": INK, "mew": 0.8, "zorder": 2.5}
CROSSING = {"marker": "*", "ls": "", "ms": 15, "color": PURPLE, "mec": INK, "mew": 0.6}
CLASSES = {1: {"marker": "o", "color": BLUE}, -1: {"marker": "s", "color": VERMILION}}
TEXT = {"color": INK, "ha": "center", "va": "center",  # with a rim, so that no line crosses it out
        "path_effects": [withStroke(linewidth=3, foreground=CARD)]}  # fmt: skip
MANY = 10**15  # more things than that are not drawn
KINDS = {
    "title": (str, "a text"),
    "run": (Run, "a Run"),
    "best": (Separator, "a Separator"),
    "kernel": (Callable, "a function of two tables"),
    "f": (Callable, "a function"),
    "log": (bool, "True or False"),
}


# --- one picture -----------------------------------------------------------------------------


class Picture:
    """A drawn figure with its text in words; a notebook shows it by itself, at half its size, so
    that it is sharp on screens with small pixels.

    >>> figure = card(4, 3)
    >>> Picture(figure, "an empty card").shown
    {'alt': 'an empty card', 'width': 400, 'height': 300}
    """

    def __init__(self, figure, alt):
        self.figure, self.alt = figure, alt
        self.png, self.shown = png(figure), about(figure, alt)

    def _repr_mimebundle_(self, include=None, exclude=None):
        data = {"image/png": base64.b64encode(self.png).decode(), "text/plain": self.alt}
        return data, {"image/png": self.shown}

    def __repr__(self):
        return self.alt


def about(figure, alt):
    """What a notebook is told about a picture: its words, and the size to show it at.

    >>> about(card(4, 3), "an empty card")
    {'alt': 'an empty card', 'width': 400, 'height': 300}
    """
    width, height = (round(100 * inches) for inches in figure.get_size_inches())
    return {"alt": alt, "width": width, "height": height}


def png(figure, quick=False):
    """The figure as PNG bytes, without dates or versions in them; quickly, or small and sharp.
    Notes come last: matplotlib leaves out what is animated.

    >>> png(card(4, 3))[1:4]
    b'PNG'
    """
    usual, figure.dpi = figure.dpi, 150 if quick else figure.dpi
    lay_out(figure)
    known = isinstance(figure.canvas, FigureCanvasAgg)  # a new one would set all formulas anew
    canvas, stream = figure.canvas if known else FigureCanvasAgg(figure), io.BytesIO()
    canvas.draw()
    red, green, blue, _ = np.asarray(canvas.buffer_rgba())[::-1].transpose(2, 1, 0)
    ink = (red < 170) | (green < 170) | (blue < 170)
    for note in (text for ax in figure.axes for text in ax.texts if text.get_animated()):
        settle(note, ink)
        figure.draw_artist(note)
    stored = {"dpi": figure.dpi, "metadata": {"Software": None}}
    stored["pil_kwargs"] = {"compress_level": 1} if quick else None
    imsave(stream, canvas.buffer_rgba(), format="png", **stored)
    figure.dpi = usual
    return stream.getvalue()


def card(width, height, **layout):
    """A figure on a light card with round corners, which a dark page shows as a card, too.

    >>> card(4, 3).get_size_inches().tolist()
    [4.0, 3.0]
    """
    figure = Figure(figsize=(width, height), dpi=200, facecolor="none", **layout)
    look = {"boxstyle": "round,pad=0,rounding_size=0.02", "fc": CARD, "ec": RIM, "lw": 1}
    look |= {"transform": figure.transFigure, "zorder": -9, "in_layout": False}
    figure.add_artist(FancyBboxPatch((0.002, 0.002), 0.996, 0.996, **look))
    return figure


def plain(ax):
    """Axes without a frame around them and without a ground of their own.

    >>> ax = card(4, 3).subplots()
    >>> plain(ax)
    >>> ax.spines["top"].get_visible()
    False
    """
    ax.set_facecolor("none")
    ax.spines[["top", "right"]].set_visible(False)


def picture(width, height, columns=1):
    """Turn a function that draws, and returns title and words, into one that returns a `Picture`.

    The function is called with the axes first: several if there are several columns, the bare
    figure if there is none.  A `title` among its arguments takes the place of its own.  Arguments
    that have the same kind in all pictures are checked here, too.
    """

    def of(draw):
        whole = inspect.signature(draw)
        signature = whole.replace(parameters=list(whole.parameters.values())[1:])

        @functools.wraps(draw)
        def drawn(*args, **kwargs):
            given = signature.bind(*args, **kwargs).arguments
            for name in KINDS.keys() & given:
                checks.instance(given[name], KINDS[name][0], name, KINDS[name][1])
            figure = card(width, height, layout=ConstrainedLayoutEngine(w_pad=0.12, h_pad=0.1))
            axes = figure.subplots(1, columns) if columns else figure
            for ax in figure.axes:
                plain(ax)
            finding, words = draw(axes, *args, **kwargs)
            title = given.get("title") or finding
            lines = textwrap.fill(title, int(10 * figure.get_figwidth()))
            figure.suptitle(lines, x=0.025, ha="left", fontsize=11, weight="bold", color=INK)
            return Picture(figure, f"{title}: {words}")

        drawn.__signature__ = signature
        return drawn

    return of


def redrawn(draw, *kept):
    """The class behind pictures that `draw` draws again and again on the same axes.

    It is made with the axes and with those arguments of `draw` that are kept; `show` takes the
    others, and returns what is to be seen in a few words, and in full.
    """
    draw = inspect.unwrap(draw)
    others = [name for name in list(inspect.signature(draw).parameters)[1:] if name not in kept]

    class Redrawn:
        def __init__(self, ax, *args, **kwargs):
            self.kept = dict(zip(kept, args, strict=False)) | kwargs
            vars(ax).pop("corners", None)
            vars(self).update(self.kept, ax=ax)

        def show(self, *args):
            ax = self.ax
            for artist in [*ax.lines, *ax.patches, *ax.collections, *ax.texts, *ax.images]:
                artist.remove()  # which is quicker than to clear all of the axes
            return draw(ax, **self.kept, **dict(zip(others, args, strict=False)))

    return Redrawn


# --- where things come to lie ----------------------------------------------------------------

DISTANCES = (6, 10, 16, 24, 34, 48)  # of a note from its point
SIDES = ((1, 1), (1, -1), (-1, 1), (-1, -1), (1.3, 0), (-1.3, 0), (0, 1.3), (0, -1.3))


def resize(figure, width, height):
    """Set the size, in steps that make the shown picture whole pixels high."""
    figure.set_size_inches(round(width, 1), round(height, 1))


def show_all(ax, *points):
    """Have equal axes that show these points, and those of earlier calls: nothing jumps when a
    picture is drawn again."""
    points = np.vstack([*points, *getattr(ax, "corners", [])])
    ax.corners = np.array([points.min(axis=0), points.max(axis=0)])
    ax.axis(ax.corners.T.ravel())


def lay_out(figure):
    """Find room for all of a figure; one with equal axes alone takes their shape, and where that
    is not enough, equal axes show more than their corners."""
    layout, equal = figure.get_layout_engine(), [ax for ax in figure.axes if hasattr(ax, "corners")]
    if layout and len(figure.axes) == len(equal) == 1:
        wide, high = np.ptp(equal[0].corners, axis=0)
        width, below = figure.get_figwidth(), 1.1 + 0.4 * len(figure.legends)
        resize(figure, width, (width - 0.9) * np.clip(high / wide, 0.35, 1.05) + below)
    for _ in range(2):  # the second time, with the numbers at the axes that the first time chose
        if layout:
            layout.execute(figure)
        for ax in equal:
            size, middle = ax.bbox.size, ax.corners.mean(axis=0)
            half = (np.ptp(ax.corners, axis=0) / size).max() * size / 2
            show_all(ax, middle - half, middle + half)
    figure.set_layout_engine("none")


def settle(note, ink):
    """Move a note to where it covers no pixel with ink, if there is such a place near its point,
    and keep other notes away from it."""
    room, half = note.axes.bbox, note.get_window_extent().size / 2 + 4
    at, unit = note.axes.transData.transform(note.xy), note.figure.dpi / 72

    def box(away, side):
        middle = at + away * unit * np.array(side) + np.sign(side) * half
        return np.rint([middle - half, middle + half]).astype(int)

    def badness(place):
        (left, low), (right, high) = corners = box(*place)
        outside = (corners[0] < room.min - 1).sum() + (corners[1] > room.max + 1).sum()
        return 9999 * outside + ink[left:right, low:high].sum() + place[0]

    (left, low), (right, high) = best = box(*min(product(DISTANCES, SIDES), key=badness))
    ink[left:right, low:high] = True
    note.set_position((best.mean(axis=0) - at) / unit)


# --- what pictures accept --------------------------------------------------------------------


def drawable(numbers, name):
    """Numbers the largest of which is neither too large nor too small for a picture."""
    size = np.max(np.abs(numbers))
    if size != 0 and not 1e-100 < size < 1e100:
        raise ValueError(f"{name} cannot be drawn: its size is beyond 1e-100 to 1e100")
    return numbers


def points(X):
    """Points with two features."""
    X = checks.table(X)
    if X.shape[1] != 2:
        raise ValueError(f"this picture needs examples with two features; got {X.shape[1]}")
    return drawable(X, "X")


def in_the_plane(X, y):
    """Points with two features, and their labels."""
    X = points(X)
    return X, checks.labels(y, len(X))


def on_a_line(x):
    """Numbers in a list, or in a table with one column."""
    nested = np.array(x, dtype=object).ndim == 2
    X = checks.table(x, "x") if nested else checks.table([x], "x").T
    if X.shape[1] != 1:
        raise checks.refusal("x", "a list of numbers, or a table with one column", X)
    return drawable(X, "x")[:, 0]


def real(value, name, check=checks.fraction):
    """One number as the nearest float."""
    return float(drawable(check(value, name), name))


def floats(values, name, n=None, positive=False):
    """n numbers as the nearest floats: what is drawn may be rounded."""
    many = "finite numbers" if n is None else count(n, "finite number")
    expected = many + " above 0" * positive
    found = np.array([as_float(v) for v in checks.fractions(values, n, name, expected)])
    if positive and not (found > 0).all():
        raise checks.refusal(name, expected, values)
    return drawable(found, name)


def direction(w, name="w", n=2):
    """n numbers, not all 0."""
    w = floats(w, name, n)
    if not w.any():
        raise ValueError(f"{name} is the zero vector, which has no direction")
    return w


def whole_numbers(values, name):
    """Numbers of things."""
    found = floats(values, name)
    if not ((found >= 0) & (found <= MANY) & (found % 1 == 0)).all():
        raise checks.refusal(name, "whole numbers, 0 or more", values)
    return found.astype(int)


def named(things, name, most=4, least=1):
    """Things with their names, as a dict; there are not more of them than there are looks."""
    texts = [isinstance(key, str) for key in things] if isinstance(things, dict) else [False]
    if not all(texts) or not least <= len(texts) <= most:
        raise checks.refusal(name, f"a dict from {least} to {most} names to what is drawn", things)
    return dict(things)


def lengths(run, least=0, from_0=False):
    """||w_t|| for every t of a run with as many updates as that."""
    if from_0 and run.start.any():
        raise ValueError("the run must begin at w = 0: the bounds drawn here hold for no other")
    if run.mistakes < least:
        raise ValueError("there is nothing to draw: the run made no update")
    drawable(run.X, "run.X")
    return np.linalg.norm(run.weights, axis=1)
