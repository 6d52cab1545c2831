"""The parts that pictures are put together from: the plane, marks, lines, arrows, labels."""

from itertools import pairwise

import numpy as np
from matplotlib.patches import FancyArrowPatch
from matplotlib.patheffects import withStroke

from perceptron_lib import checks
from perceptron_lib.plots import style
from perceptron_lib.plots.style import AID, BLUE, CARD, CLASSES, INK, ORANGE, SKY, YELLOW, W
from perceptron_lib.show import number

NAMES = ("$x_1$", "$x_2$")


# --- the ground, and the examples on it ------------------------------------------------------


def frame(ax, X, names=NAMES, origin=True, room=0.12, size=True):
    """Equal axes that the data (and the origin) fill; a figure of one picture takes their shape."""
    points = np.vstack([X, np.zeros(2)]) if origin else X
    spans, middle = np.ptp(points, axis=0), (points.max(axis=0) + points.min(axis=0)) / 2
    half = (0.5 + room) * spans
    half = np.maximum(half, 0.3 * (half.max() or np.abs(middle).max() or 1))
    show_all(ax, middle - half, middle + half)
    if names is not None:
        ax.axhline(0, **AID, zorder=0)
        ax.axvline(0, **AID, zorder=0)
        label(ax, names)
    if not ax.figure.get_layout_engine():  # a box that stays where it is
        style.equal(ax)
    elif size:
        width = ax.figure.get_figwidth()
        shape = np.clip(half[1] / half[0], 0.35, 1.05)
        style.resize(ax.figure, width, (width - 0.9) * shape + 1.1)


def show_all(ax, low, high):
    """Show what lies between two corners on equal axes; `style.settle` makes them equal."""
    ax.corners = np.array([low, high])
    ax.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]))


def label(ax, names):
    """Names for both axes."""
    texts = isinstance(names, (tuple, list)) and [isinstance(name, str) for name in names]
    if texts != [True, True]:
        raise checks.refusal("names", "two texts, one for each axis", names)
    ax.set(xlabel=names[0], ylabel=names[1])


def number_line(ax, x, top):
    """An axis for examples with one feature."""
    room = 0.12 * np.ptp(x) + 0.4
    ax.set(xlim=(min(x) - room, max(x) + room), ylim=(-0.5, top), xlabel="$x$")
    ax.yaxis.set_visible(False)
    ax.spines["left"].set_visible(False)


def grid(ax, cells, share):
    """Points that fill a picture and, where it may be widened, a share more on each side."""
    low, high = np.array([ax.get_xlim(), ax.get_ylim()]).T
    more = (share if ax.figure.get_layout_engine() else 0) * (high - low)
    x, z = np.linspace(low - more, high + more, cells).T
    return x, z, np.column_stack([a.ravel() for a in np.meshgrid(x, z)])


def marks(ax, X, y, size=46, **look):
    """Marks for the examples, class by class."""
    look = {"s": size, "edgecolor": "white", "lw": 0.8, "zorder": 3, "gid": "marks"} | look
    for sign, own in CLASSES.items():
        ax.scatter(*X[y == sign].T, **own, **look)


def scatter(ax, X, y, size=46):
    """The examples, with their numbers if they are few."""
    marks(ax, X, y, size if len(y) <= 60 else 22)
    for i, x in enumerate(X if len(y) <= 8 else ()):
        note(ax, str(i), x, fontsize=8.5)


def ring(ax, X, size=17):
    """Discs behind the current examples."""
    ax.plot(*X.T, "o", ms=size, mfc=YELLOW, mec=INK, mew=0.8, zorder=2.5)


def multipliers(ax, X, share):
    """Orange rings around the examples with a multiplier, their area as large as that is."""
    used, look = share > 0, {"facecolor": "none", "edgecolor": ORANGE, "lw": 3, "zorder": 2.6}
    ax.scatter(*X[used].T, s=90 + 700 * share[used], gid="marks", **look)


def tally(y):
    """How many examples there are of each class."""
    return f"Positive examples: {np.sum(y > 0)}, negative: {np.sum(y < 0)}"


# --- texts -----------------------------------------------------------------------------------


def note(ax, text, at, **look):
    """A text beside a point; `style.settle` finds the side where there is room."""
    look = {"fontsize": 9.5, "color": INK, "zorder": 6} | look
    found = ax.annotate(text, at, xytext=(7, 7), textcoords="offset points", gid="note", **look)
    found.set_in_layout(False)
    halo(found)
    return found


def halo(text):
    """A light rim, so that a line behind a text does not cross it out."""
    text.set_path_effects([withStroke(linewidth=3, foreground=CARD)])


def key(ax):
    """What the lines are called, below the picture."""
    look = {"ncols": 3, "fontsize": 9, "frameon": False, "handlelength": 2.6, "columnspacing": 1.2}
    if ax.figure.get_layout_engine():
        style.resize(ax.figure, ax.figure.get_figwidth(), ax.figure.get_figheight() + 0.4)
        ax.figure.legend(loc="outside lower center", **look)
    else:  # a box that stays where it is
        ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.13), **look)


def at_ends(ax, labels):
    """The names (text, height, colour) of curves, in the margin at their right ends, apart."""
    height = ax.get_position().height * ax.figure.get_figheight()
    right, gap = ax.get_xlim()[1], 16 * 0.77 / (55 * height)
    ends = ax.transData.transform([(right, height) for _, height, _ in labels])
    wanted = ax.transAxes.inverted().transform(ends)[:, 1]
    order, places = np.argsort(wanted, kind="stable"), np.clip(wanted, 0.02, 0.98)
    for _ in range(50):  # push neighbours apart
        for low, high in pairwise(order):
            short = gap - (places[high] - places[low])
            if short > 1e-9:
                places[low], places[high] = places[low] - short / 2, places[high] + short / 2
    for (text, _, color), place in zip(labels, places, strict=True):
        look = {"transform": ax.transAxes, "va": "center", "color": color, "fontsize": 10}
        ax.text(1.015, place, text, **look)


def curves(ax, x, named, looks):
    """Curves over x, each with its name at its end, in the colour of its look."""
    ends = []
    for (name, heights), look in zip(named.items(), looks, strict=False):
        ax.plot(x, heights, **look)
        ends.append((name, heights[-1], look["color"]))
    at_ends(ax, ends)


def span(values):
    """The first and the last of some numbers in words."""
    return f"from {number(values[0])} to {number(values[-1])}"


# --- lines and arrows ------------------------------------------------------------------------


def vector(ax, tail, tip, name="", look=W, **more):
    """An arrow, if there is anything of it to see, with its name at its head."""
    if np.any(np.subtract(tip, tail)):
        look = {key: look[key] for key in ("color", "ls", "lw")} | {"zorder": 4} | more
        shape = {"arrowstyle": "-|>", "mutation_scale": 13, "shrinkA": 0, "shrinkB": 0}
        ax.add_patch(FancyArrowPatch(tail, tip, joinstyle="miter", **shape | look))
    if name:
        note(ax, name, tip, color=look["color"], fontsize=10.5)


def line_ends(ax, w, b=0.0):
    """Two far points of the line w·x + b = 0: their first coordinates, and their second."""
    length = np.hypot(*w)
    if length == 0:
        return np.full((2, 2), np.nan)
    foot, along = -b * w / length**2, np.array([-w[1], w[0]]) / length
    reach = 9 * (np.abs([*ax.get_xlim(), *ax.get_ylim()]).max() + np.abs(foot).max())
    return np.array([foot - reach * along, foot + reach * along]).T


def line(ax, w, b=0.0, look=W, name="w", shade=True, longest=None):
    """The line w·x + b = 0, its + side shaded faintly, and w standing on it, as long as it is
    beside the longest w that will be drawn."""
    ends, length = line_ends(ax, w, b), np.hypot(*w) or 1.0
    ax.plot(*ends, **look)
    if shade and not w.any() and b > 0:  # every point is on the + side
        ax.axhspan(*99 * np.array(ax.get_ylim()), color=BLUE, alpha=0.08, lw=0, zorder=-2)
    elif shade:
        far = 99 * np.abs([ax.get_xlim(), ax.get_ylim()]).max() * w / length
        ax.fill(*np.vstack([ends.T, ends.T[::-1] + far]).T, color=BLUE, alpha=0.08, lw=0, zorder=-2)
    if name and w.any():
        factor, foot, tip = standing(ax, w, b, longest or length)
        vector(ax, foot, tip, _times(factor, name), look)


def standing(ax, w, b, longest):
    """Where w stands on the line w·x + b = 0: how much of it fits, its foot and its tip, for which
    room is made."""
    spans = np.ptp([ax.get_xlim(), ax.get_ylim()], axis=1)
    factor = _fitting(longest, 0.45 * spans.min())
    foot = _foot(ax, w, b, factor) if b else np.zeros(2)
    (low, high), tip, room = ax.corners, foot + factor * w, 0.06 * spans.max()
    show_all(ax, np.minimum(low, tip - room), np.maximum(high, tip + room))
    return factor, foot, tip


def _fitting(length, room):
    """A round factor that brings a length below `room`, and not far below; 1 if that will do."""
    if 0.15 * room <= length <= room:
        return 1.0
    power = 10.0 ** np.floor(np.log10(room / length))
    return power * max(k for k in (1, 2, 5) if k * power * length <= room)


def _foot(ax, w, b, factor):
    """Where on the line w·x + b = 0 the arrow factor·w stands nearest the middle of the picture."""
    limits = np.array([ax.get_xlim(), ax.get_ylim()])
    middle, spans = limits.mean(axis=1), np.ptp(limits, axis=1)
    nearest, along = middle - (w @ middle + b) / (w @ w) * w, np.array([-w[1], w[0]])
    feet = nearest + np.outer(np.linspace(-0.5, 0.5, 41) * spans.max(), along / np.sqrt(w @ w))
    off = np.abs(np.hstack([feet, feet + factor * w]) - [*middle, *middle])
    return feet[np.argmin((off / [*spans, *spans]).max(axis=1))]


def _times(factor, name):
    """w, w/5 or 10 w; u is a direction, and as long as it is drawn."""
    if name == "u" or factor == 1:
        return name
    return f"{name}/{number(1 / factor)}" if factor < 1 else f"{number(factor)} {name}"


def band(ax, w, width):
    """Fill the band that reaches `width` to either side of a line."""
    ends, across = line_ends(ax, w).T, width * w / np.hypot(*w)
    ax.fill(*np.vstack([ends + across, ends[::-1] - across]).T, color=SKY, alpha=0.25, lw=0)


def line_in_words(w, b):
    """The line w·x + b = 0 in words."""
    if not np.any(w):
        every = f"there is no line: every point is predicted {'+' if b > 0 else '−'}"
        return every if b else "there is no line yet (w = 0)"
    terms = [(w[0], " x1"), (w[1], " x2"), (b, "")]
    text = " ".join(("−" if v < 0 else "+") + f" {number(abs(v))}{name}" for v, name in terms if v)
    return f"the line is {text.removeprefix('+ ')} = 0"


def shade_sign(ax, x, z, values):
    """A smooth curve where a function on a grid is 0, its + side shaded faintly."""
    values = values.reshape(len(z), len(x))
    top = values.max() if values.max() > 0 else 1.0
    ax.contourf(x, z, values, levels=[0, 2 * top], colors=[BLUE], alpha=0.1, zorder=-2)
    if values.min() < 0 < values.max():
        ax.contour(x, z, values, levels=[0], colors=[INK], linewidths=1.8)


def hull(points):
    """The corners of the convex hull of points in the plane, in turn (Andrew's chain)."""
    points = sorted(map(tuple, points))

    def chain(points):
        kept = []
        for p in points:
            while len(kept) > 1 and np.linalg.det(np.subtract([kept[-1], p], kept[-2])) <= 0:
                kept.pop()
            kept.append(p)
        return kept

    return np.array(chain(points)[:-1] + chain(points[::-1])[:-1] or points)
