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
import math
import textwrap
from collections.abc import Callable
from itertools import pairwise

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch

from perceptron_lib import checks, show
from perceptron_lib.run import Run
from perceptron_lib.separability import Separator

BLUE, VERMILION, GREEN, PURPLE = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
SKY, YELLOW, ORANGE = "#56B4E9", "#F0E442", "#E69F00"  # too pale for lines and texts: they fill
INK, GREY, CARD, RIM = "#222222", "#777777", "#FDFDFB", "#D8D8D2"
W = {"color": INK, "ls": "-", "lw": 1.8}
U = {"color": GREEN, "ls": (0, (5, 2.5)), "lw": 1.8}
BOUND = {"color": PURPLE, "ls": (0, (6, 2, 1.2, 2)), "lw": 1.8}
AID = {"color": GREY, "ls": "-", "lw": 0.6}
OBSERVED = {"color": INK, "marker": "o", "mfc": SKY, "mec": INK, "mew": 0.8, "ms": 6, "lw": 0.9}
BARS = {"color": SKY, "edgecolor": INK, "lw": 0.8}
CLASSES = {1: {"marker": "o", "color": BLUE}, -1: {"marker": "s", "color": VERMILION}}
SIGNED = LinearSegmentedColormap.from_list("signed", [VERMILION, "white", BLUE])  # − to +
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
    that it is sharp on screens with small pixels."""

    def __init__(self, figure, alt):
        self.png, self.alt, self.shown = png(figure), alt, about(figure, alt)

    def _repr_mimebundle_(self, include=None, exclude=None):
        data = {"image/png": base64.b64encode(self.png).decode(), "text/plain": self.alt}
        return data, {"image/png": self.shown}


def about(figure, alt):
    """What a notebook is told about a picture: its words, and the size to show it at."""
    width, height = (round(100 * inches) for inches in figure.get_size_inches())
    return {"alt": alt, "width": width, "height": height}


def png(figure, quick=False):
    """The figure as PNG bytes, without dates or versions in them; quickly, or small and sharp."""
    stream, usual = io.BytesIO(), figure.dpi
    figure.dpi = 150 if quick else usual
    settle(figure)
    figure.dpi = 150 if quick else 200
    pressed = {"compress_level": 1 if quick else 6}
    known = isinstance(figure.canvas, FigureCanvasAgg)  # a new one would set all formulas anew
    canvas = figure.canvas if known else FigureCanvasAgg(figure)
    canvas.print_png(stream, metadata={"Software": None}, pil_kwargs=pressed)
    figure.dpi = usual
    return stream.getvalue()


def card(width, height, **layout):
    """A figure on a light card with round corners, which a dark page shows as a card, too."""
    figure = Figure(figsize=(width, height), facecolor="none", **layout)
    look = {"boxstyle": "round,pad=0,rounding_size=0.02", "fc": CARD, "ec": RIM, "lw": 1}
    look |= {"transform": figure.transFigure, "zorder": -9}
    back = FancyBboxPatch((0.002, 0.002), 0.996, 0.996, **look)
    figure.add_artist(back).set_in_layout(False)
    return figure


def resize(figure, width, height):
    """Set the size, in steps that make the shown picture whole pixels high."""
    figure.set_size_inches(round(width, 1), round(height, 1))


def picture(width, height, columns=1):
    """Turn a function that draws, and returns title and words, into one that returns a `Picture`.

    The function is called with the axes first: several if there are several columns, the bare
    figure if there is none.  A `title` among its arguments takes the place of its own.  Arguments
    that have the same kind in all pictures are checked here, too.
    """

    def of(draw):
        signature = inspect.Signature(list(inspect.signature(draw).parameters.values())[1:])

        @functools.wraps(draw)
        def drawn(*args, **kwargs):
            given = signature.bind(*args, **kwargs).arguments
            for name, (kind, expected) in KINDS.items():
                if name in given:
                    checks.instance(given[name], kind, name, expected)
            figure = card(width, height, layout="constrained")
            figure.get_layout_engine().set(w_pad=0.12, h_pad=0.1)
            axes = figure.subplots(1, columns) if columns else figure
            for ax in figure.axes:
                plain(ax)
            finding, words = draw(axes, *args, **kwargs)
            title = given.get("title") or finding
            lines = textwrap.fill(title, int(figure.get_figwidth() / 0.1))
            figure.suptitle(lines, x=0.025, ha="left", fontsize=11, weight="bold", color=INK)
            return Picture(figure, f"{title}: {words}")

        drawn.__signature__ = signature
        return drawn

    return of


def redrawn(draw, *kept):
    """The class of pictures that `draw` draws again and again on the same axes.

    It is made with the axes and with those arguments of `draw` that are kept; `show` takes the
    others, and returns what is to be seen in a few words, and in full.
    """
    draw = inspect.unwrap(draw)
    arguments = list(inspect.signature(draw).parameters.values())[1:]
    once = inspect.Signature([a for a in arguments if a.name in kept])
    each_time = inspect.Signature([a for a in arguments if a.name not in kept])

    class Redrawn:
        __doc__ = draw.__doc__

        def __init__(self, ax, *args, **kwargs):
            self.ax, self.kept = ax, once.bind(*args, **kwargs).arguments
            vars(ax).pop("corners", None)
            vars(self).update(self.kept)

        def show(self, *args, **kwargs):
            seen = getattr(self.ax, "corners", None)
            for artist in [*self.ax.lines, *self.ax.patches, *self.ax.collections, *self.ax.texts]:
                artist.remove()  # which is quicker than to clear all of the axes
            told = draw(self.ax, **self.kept, **each_time.bind(*args, **kwargs).arguments)
            if seen is not None:  # what was in view stays in view: nothing jumps
                both = np.stack([seen, self.ax.corners])
                self.ax.corners = np.array([both[:, 0].min(axis=0), both[:, 1].max(axis=0)])
            return told

    return Redrawn


def plain(ax):
    """Axes without a frame around them and without a ground of their own."""
    ax.set_facecolor("none")
    ax.spines[["top", "right"]].set_visible(False)


# --- where things come to lie ----------------------------------------------------------------

AROUND = [
    (r * x, r * y)
    for r in (6, 10, 16, 24, 34, 48)
    for x, y in ((1, 1), (1, -1), (-1, 1), (-1, -1), (1.3, 0), (-1.3, 0), (0, 1.3), (0, -1.3))
]


def settle(figure):
    """Make axes equal that are to be, and move each note to where it covers neither marks nor
    another text, if there is such a place around its point."""
    layout = figure.get_layout_engine()
    for _ in range(2):  # the second time, with the numbers at the axes that the first time chose
        if layout:
            layout.execute(figure)
        for ax in figure.axes:
            equal(ax)
    figure.set_layout_engine("none")
    for ax in figure.axes:
        texts = [text for text in ax.texts if text.get_text()]
        taken = [t.get_window_extent().padded(1) for t in texts if t.get_gid() != "note"]
        inked, room = _inked(ax), ax.get_window_extent().padded(1)

        def badness(box, taken=taken, inked=inked, room=room):
            out = (box.min < room.min).sum() + (box.max > room.max).sum()
            hidden = ((inked > box.min) & (inked < box.max)).all(axis=1).sum()
            return 99 * (out + box.count_overlaps(taken)) + hidden

        for text in (t for t in texts if t.get_gid() == "note"):
            tried = []
            while len(tried) < len(AROUND) and 0 not in tried:
                tried.append(badness(_put(text, *AROUND[len(tried)])))
            taken.append(_put(text, *AROUND[np.argmin(tried)]))


def equal(ax):
    """Widen the limits, along one axis, until a unit is as long on both, if that is wanted."""
    if hasattr(ax, "corners"):
        box, middle = ax.get_window_extent(), ax.corners.mean(axis=0)
        half = np.ptp(ax.corners, axis=0) / (box.width, box.height)
        half = half.max() * np.array([box.width, box.height]) / 2
        (left, low), (right, high) = middle - half, middle + half
        ax.set(xlim=(left, right), ylim=(low, high))


def _put(text, x, y):
    """Put a text beside its point, on the side of (x, y); returns its box."""
    sides = ("center", "left", "right"), ("center", "bottom", "top")
    text.set(position=(x, y), ha=sides[0][int(np.sign(x))], va=sides[1][int(np.sign(y))])
    return text.get_window_extent().padded(2)


def _inked(ax):
    """Points on the marks, lines and arrows of a picture, in pixels."""
    found, along, turn = [np.zeros((0, 2))], np.linspace(0, 1, 60)[:, None], np.arange(0, 6.3, 0.8)
    for marks in (s for s in ax.collections if s.get_gid() == "marks"):
        middle = ax.transData.transform(marks.get_offsets())
        radius = np.sqrt(np.resize(marks.get_sizes(), len(middle)))[:, None] * 0.7
        found += [middle, *(middle + radius * (np.cos(a), np.sin(a)) for a in turn)]
    strokes = [line.get_xydata() for line in ax.lines if len(line.get_xydata()) > 1]
    strokes += [np.array(a._posA_posB) for a in ax.patches if hasattr(a, "_posA_posB")]
    for stroke in strokes:
        few = stroke[:: max(1, len(stroke) // 200)]
        fine = along if len(few) < 20 else along[::20]
        if len(few) == 2 and np.abs(few).max() > 3 * np.abs([ax.get_xlim(), ax.get_ylim()]).max():
            fine = np.linspace(0.4, 0.6, 900)[:, None]  # of a line far beyond the picture
        found += [ax.transData.transform(a + fine * (b - a)) for a, b in pairwise(few)]
    return np.vstack(found)


# --- what pictures accept --------------------------------------------------------------------


def drawable(numbers, name):
    """Numbers the largest of which is neither too large nor too small for a picture."""
    size = np.abs(numbers).max()
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


def floats(values, name, n=None, positive=False):
    """n numbers as the nearest floats: what is drawn may be rounded."""
    many = "finite numbers" if n is None else show.count(n, "finite number")
    expected = many + " above 0" * positive
    found = np.array([show.as_float(v) for v in checks.fractions(values, n, name, expected)])
    if positive and not (found > 0).all():
        raise checks.refusal(name, expected, values)
    return drawable(found, name)


def direction(w, name="w", n=2):
    """n numbers, not all 0."""
    if not floats(w, name, n).any():
        raise ValueError(f"{name} is the zero vector, which has no direction")
    return floats(w, name, n)


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


def named(things, name, most=4, least=1):
    """Things with their names, as a dict; there are not more of them than there are looks."""
    texts = [isinstance(key, str) for key in things] if isinstance(things, dict) else [False]
    if not all(texts) or not least <= len(texts) <= most:
        raise checks.refusal(name, f"a dict from {least} to {most} names to what is drawn", things)
    return dict(things)


def lengths(run, least=0):
    """||w_t|| for every t of a run with as many updates as that."""
    if run.mistakes < least:
        raise ValueError("there is nothing to draw: the run made no update")
    drawable(run.X, "run.X")
    return np.sqrt(np.einsum("ij,ij->i", run.weights, run.weights))
