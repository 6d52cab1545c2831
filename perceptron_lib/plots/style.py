"""What all pictures share: the visual vocabulary, how a picture is made, and what it accepts.

One colour means one thing, in every lesson, and a shape says it again:

| what                          | colour (Okabe and Ito) | shape                           |
|-------------------------------|------------------------|---------------------------------|
| class +, the + side of a line | blue                   | circle, faint shade             |
| class −                       | vermilion              | square                          |
| w, and what belongs to it     | black                  | solid line, arrow               |
| u, or the best separator      | green                  | dashed line                     |
| a bound                       | purple                 | dash-dotted line (solid, if it  |
|                               |                        | is one from below)              |
| what was observed             | sky blue, black rim    | dots, bars                      |
| the current example           | yellow                 | disc behind its mark            |
| multipliers λ, α              | orange                 | ring, as large as the number    |

Grey is scaffolding.  A picture is a function that draws on the axes it is given and returns what is
to be seen, in a few words with numbers (its title) and in full (its alternative text); `picture`
makes a still picture of it.  Colours are names that matplotlib looks up as it draws, so the same
code draws for a page, a slide or a dark page: `look` says for which.
"""

import base64
import functools
import inspect
import io
from contextlib import contextmanager
from itertools import product

import matplotlib
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import get_named_colors_mapping
from matplotlib.figure import Figure
from matplotlib.image import imsave
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.patches import FancyBboxPatch
from matplotlib.patheffects import withStroke

from perceptron_lib import checks
from perceptron_lib.show import as_float, count, symbols

PALETTE = {  # on light ground, and on dark
    "blue": ("#0072B2", "#5CB3EE"), "vermilion": ("#D55E00", "#FF8A4C"),
    "green": ("#009E73", "#2BCB9B"), "green text": ("#00694C", "#2BCB9B"),
    "purple": ("#CC79A7", "#E59CC5"), "purple text": ("#94446F", "#E59CC5"),
    "sky": ("#56B4E9", "#56B4E9"), "yellow": ("#F0E442", "#B8A800"), "orange": ("#E69F00",) * 2,
    "ink": ("#222222", "#E9E7E2"), "grey": ("#777777", "#9A9A9A"),
    "card": ("#FDFDFB", "#1D2024"), "rim": ("#D8D8D2", "#3A3E44"),
}  # fmt: skip
BLUE, VERMILION, GREEN, PURPLE, SKY, YELLOW, ORANGE, INK, GREY, CARD = (
    f"perceptron:{name}" for name in PALETTE if "text" not in name and name != "rim"
)
FOR_TEXTS = {GREEN: GREEN + " text", PURPLE: PURPLE + " text"}  # which are thin
W = {"color": INK, "ls": "-", "lw": 1.8}
U = {"color": GREEN, "ls": (0, (5, 2.5)), "lw": 1.8}
BOUND = {"color": PURPLE, "ls": (0, (6, 2, 1.2, 2)), "lw": 1.8}
FLOOR = {"color": PURPLE, "ls": "-", "lw": 2.4}
AID = {"color": GREY, "ls": "-", "lw": 0.6}
OBSERVED = {"color": INK, "marker": "o", "mfc": SKY, "mec": INK, "mew": 0.8, "ms": 6, "lw": 0.9}
BARS = {"color": SKY, "edgecolor": INK, "lw": 0.8}
CURRENT = {"marker": "o", "ls": "", "mfc": YELLOW, "mec": INK, "mew": 0.8, "zorder": 2.5}
CROSSING = {"marker": "*", "ls": "", "ms": 15, "color": PURPLE, "mec": INK, "mew": 0.6}
CLASSES = {1: {"marker": "o", "color": BLUE}, -1: {"marker": "s", "color": VERMILION}}
TEXT = {"color": INK, "ha": "center", "va": "center",  # with a rim, so that no line crosses it out
        "path_effects": [withStroke(linewidth=3, foreground=CARD)]}  # fmt: skip


# --- for a page, a slide or a dark page ------------------------------------------------------

LOOKS = {"page": (12, 100, 0), "slide": (14.4, 125, 0), "dark": (12, 100, 1)}
LOOK = {}  # how large letters are, in points; the pixels of an inch; and which ground it is


def look(name):
    """Draw all pictures from now on for a "page", a "slide" (with larger letters), or a "dark"
    page."""
    values = LOOKS[checks.one_of(name, "the look", LOOKS)]
    LOOK.update(zip(("points", "pixels", "ground"), values, strict=True))
    for color, shades in PALETTE.items():
        get_named_colors_mapping()[f"perceptron:{color}"] = shades[LOOK["ground"]]


look("page")


@contextmanager
def letters():
    """What matplotlib must know while it draws."""
    inks = ("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color")
    fonts = {"axes.titlesize": "medium", "mathtext.fontset": "dejavuserif"}
    fonts |= {"font.size": LOOK["points"], "xtick.major.pad": 5}
    with matplotlib.rc_context(fonts | dict.fromkeys(inks, INK)):
        yield


# --- one picture -----------------------------------------------------------------------------

WIDTH = 6.4  # inches, of every picture


class Picture:
    """A drawn figure with its text in words; a notebook shows it by itself, at half its size, so
    that it is sharp on screens with small pixels.

    >>> figure = card(3)
    >>> Picture(figure, "an empty card").shown
    {'alt': 'an empty card', 'width': 640, 'height': 300}
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
    """What a notebook is told about a picture: its words, and the size to show it at."""
    width, height = (round(LOOK["pixels"] * inches) for inches in figure.get_size_inches())
    return {"alt": alt, "width": width, "height": height}


@letters()
def png(figure, quick=False):
    """The figure as PNG bytes, without dates or versions in them; quickly, or small and sharp.
    Notes come last: matplotlib leaves out what is animated."""
    usual, figure.dpi = figure.dpi, 1.5 * LOOK["pixels"] if quick else figure.dpi
    lay_out(figure)
    ready = isinstance(figure.canvas, FigureCanvasAgg)  # a new one would set all formulas anew
    canvas, stream = figure.canvas if ready else FigureCanvasAgg(figure), io.BytesIO()
    canvas.draw()
    colours = np.asarray(canvas.buffer_rgba())
    red, green, blue, _ = (255 - colours if LOOK["ground"] else colours)[::-1].transpose(2, 1, 0)
    ink = (red < 170) | (green < 170) | (blue < 170)
    for text in (text for ax in figure.axes for text in ax.texts if not text.get_animated()):
        (left, low), (right, high) = text.get_window_extent().get_points().clip(0).astype(int)
        ink[left:right, low:high] = True
    for note in (text for ax in figure.axes for text in ax.texts if text.get_animated()):
        settle(note, ink)
        figure.draw_artist(note)
    stored = {"dpi": figure.dpi, "metadata": {"Software": None}}
    stored["pil_kwargs"] = {"compress_level": 1} if quick else None
    imsave(stream, canvas.buffer_rgba(), format="png", **stored)
    figure.dpi = usual
    return stream.getvalue()


def card(height, width=WIDTH, **layout):
    """A figure on a card with round corners."""
    size = {"figsize": (width, height), "dpi": 2 * LOOK["pixels"]}
    figure = Figure(facecolor="none", **size, **layout)
    shape = {"boxstyle": "round,pad=0,rounding_size=0.02", "fc": CARD, "ec": "perceptron:rim"}
    shape |= {"lw": 1, "transform": figure.transFigure, "zorder": -9, "in_layout": False}
    figure.add_artist(FancyBboxPatch((0.002, 0.002), 0.996, 0.996, **shape))
    return figure


def frameless(ax):
    """Have axes without a frame around them and without a ground of their own."""
    ax.set_facecolor("none")
    ax.spines[["top", "right"]].set_visible(False)


def picture(height=4.0, columns=1):
    """Turn a function that draws, and returns title and words, into one that returns a `Picture`.

    The function is called with the axes first: several if there are several columns, the bare
    figure if there is none.  A `title` among its arguments takes the place of its own.
    """

    def of(draw):
        whole = inspect.signature(draw)
        signature = whole.replace(parameters=list(whole.parameters.values())[1:])

        @functools.wraps(draw)
        @letters()
        def drawn(*args, **kwargs):
            given = signature.bind(*args, **kwargs).arguments
            figure = card(height, layout=ConstrainedLayoutEngine(w_pad=0.12, h_pad=0.1))
            axes = figure.subplots(1, columns) if columns else figure
            for ax in figure.axes:
                frameless(ax)
            finding, words = draw(axes, **given)
            title = checks.instance(given.get("title", ""), str, "title", "a text") or finding
            figure.suptitle(symbols(title), x=0.025, ha="left", size="medium", weight="bold",
                            wrap=True)  # fmt: skip
            return Picture(figure, f"{title}: {words}")

        drawn.__signature__, drawn.on_axes = signature, draw
        return drawn

    return of


# --- where things come to lie ----------------------------------------------------------------

DISTANCES = (6, 10, 16, 24, 34, 48)  # of a note from its point
SIDES = ((1, 1), (1, -1), (-1, 1), (-1, -1), (1.3, 0), (-1.3, 0), (0, 1.3), (0, -1.3))


def resize(figure, height):
    """Set the height, in steps that make the shown picture whole pixels high."""
    figure.set_figheight(0.04 * round(height / 0.04))


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
    layout = layout if isinstance(layout, ConstrainedLayoutEngine) else None  # not done before
    if layout and len(figure.axes) == len(equal) == 1:
        wide, high = np.ptp(equal[0].corners, axis=0)
        width, below = figure.get_figwidth(), 1.2 + 0.4 * len(figure.legends)
        resize(figure, (width - 1) * np.clip(high / wide, 0.35, 0.65) + below)
    for _ in range(1 + len(equal[:2])):  # again, with the numbers at the axes chosen before
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


def plane_points(X):
    """A table of points with two features."""
    if X.shape[1] != 2:
        raise ValueError(f"this picture needs examples with two features; got {X.shape[1]}")
    return drawable(X, "X")


def on_a_line(x, name="x"):
    """Numbers in a list, or in a table with one column."""
    nested = np.array(x, dtype=object).ndim == 2
    X = checks.table(x, name) if nested else checks.table([x], name).T
    if X.shape[1] != 1:
        raise checks.refusal(name, "a list of numbers, or a table with one column", X)
    return drawable(X, name)[:, 0]


def rounded_number(value, name, check=checks.fraction):
    """One number as the nearest float."""
    return float(drawable(check(value, name), name))


def rounded(values, name, n=None, positive=False):
    """n numbers as the nearest floats: what is drawn may be rounded."""
    many = "finite numbers" if n is None else count(n, "finite number")
    expected = many + " above 0" * positive
    nearest = np.array([as_float(v) for v in checks.fractions(values, n, name, expected)])
    if positive and not (nearest > 0).all():
        raise checks.refusal(name, expected, values)
    return drawable(nearest, name)


def direction(w, name="w", n=2):
    """n numbers, not all 0."""
    w = rounded(w, name, n)
    if not w.any():
        raise ValueError(f"{name} is the zero vector, which has no direction")
    return w


def by_name(things, name, most=4, least=1):
    """Things with their names, as a dict; there are not more of them than there are looks."""
    texts = [isinstance(key, str) for key in things] if isinstance(things, dict) else [False]
    if not all(texts) or not least <= len(texts) <= most:
        raise checks.refusal(name, f"a dict from {least} to {most} names to what is drawn", things)
    return dict(things)


def update_number(t, name, given):
    """The number of an update of a run, from 1."""
    weight_lengths(given["run"], least=1)
    return checks.whole(t, name, 1, given["run"].mistakes, ", the number of updates")


def weight_lengths(run, least=0, from_0=False):
    """||w_t|| for every t of a run with as many updates as that."""
    if from_0 and run.start.any():
        raise ValueError("the run must begin at w = 0: the bounds drawn here hold for no other")
    if run.mistakes < least:
        raise ValueError("there is nothing to draw: the run made no update")
    drawable(run.X, "run.X")
    return np.linalg.norm(run.weights, axis=1)
