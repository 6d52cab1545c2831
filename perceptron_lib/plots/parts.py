"""The parts that pictures are put together from: the plane, marks, lines, arrows, labels."""

import numpy as np
from matplotlib.patches import FancyArrowPatch

from perceptron_lib import checks
from perceptron_lib.plots import style
from perceptron_lib.plots.style import AID, BLUE, FOR_TEXTS, GREY, INK, PURPLE, TEXT, W
from perceptron_lib.show import number, symbols

NAMES, FEW = ("x₁", "x₂"), 8  # so many examples have room for their numbers
NAMES_OF_Z = "first coordinate of z", "second coordinate"


# --- the ground, and the examples on it ------------------------------------------------------


def frame(ax, X, names=NAMES, origin=True, room=0.12, axes=AID):
    """Equal axes that the data (and the origin) fill."""
    points = np.vstack([X, np.zeros(2)]) if origin else X
    low, high = points.min(axis=0), points.max(axis=0)
    middle, half = (low + high) / 2, (0.5 + room) * (high - low)
    half = np.maximum(half, 0.3 * (half.max() or np.abs(middle).max() or 1))
    style.show_all(ax, middle - half, middle + half)
    ax.axhline(0, **axes, zorder=0)
    ax.axvline(0, **axes, zorder=0)
    label(ax, names)


def label(ax, names):
    """Names for both axes."""
    texts = isinstance(names, (tuple, list)) and [isinstance(name, str) for name in names]
    if texts != [True, True]:
        raise checks.refusal("names", "two texts, one for each axis", names)
    ax.set(xlabel=symbols(names[0]), ylabel=symbols(names[1]))


def number_line(ax, x, top):
    """An axis for examples with one feature."""
    room = 0.12 * np.ptp(x) + 0.4
    ax.set(xlim=(min(x) - room, max(x) + room), ylim=(-0.5, top), xlabel=symbols("x"))
    whole_ticks(ax.xaxis, x)
    ax.yaxis.set_visible(False)
    ax.spines["left"].set_visible(False)


def whole_ticks(axis, values):
    """Ticks at whole numbers only, if the data are whole numbers."""
    if (np.asarray(values) % 1 == 0).all():
        axis.get_major_locator().set_params(integer=True)


def marks(ax, X, y, size=60, **look):
    """Marks for the examples, class by class."""
    look = {"s": size, "edgecolor": style.CARD, "lw": 0.8, "zorder": 3} | look
    for sign, own in style.CLASSES.items():
        ax.scatter(*X[y == sign].T, **own, **look)


def numbered_marks(ax, X, y, size=60):
    """Marks, with the numbers of the examples if they are few."""
    marks(ax, X, y, size if len(y) <= 60 else 26)
    for i, x in enumerate(X if len(y) <= FEW else ()):
        note(ax, str(i), x)


def draw_examples(ax, X, y, names=NAMES, origin=True):
    """Examples in the plane, as far as they reach."""
    frame(ax, style.plane_points(X), names, origin)
    whole_ticks(ax.xaxis, X)
    whole_ticks(ax.yaxis, X)
    numbered_marks(ax, X, y)


def hull(ax, Z):
    """Fill the convex hull of points in the plane; returns its corners."""
    turn = np.linspace(0, 2 * np.pi, 3600)  # each corner is farthest in some direction
    farthest = np.argmax(Z @ [np.cos(turn), np.sin(turn)], axis=0)
    corners = Z[farthest[np.diff(farthest, prepend=-1) != 0]]
    ax.fill(*corners.T, fc=GREY, alpha=0.15, lw=0, zorder=0)
    ax.fill(*corners.T, fc="none", ec=GREY, lw=1, zorder=0)
    return np.unique(corners, axis=0)


def multipliers(ax, X, share):
    """Orange rings around the examples with a multiplier, their area as large as that is."""
    used, look = share > 0, {"facecolor": "none", "edgecolor": style.ORANGE, "lw": 3, "zorder": 2.6}
    ax.scatter(*X[used].T, s=90 + 700 * share[used], **look)


def tally(y):
    """How many examples there are of each class."""
    return f"{np.sum(y > 0)} positive and {np.sum(y < 0)} negative examples"


def shade_sign(ax, function, cells, share):
    """A smooth curve where a function of points is 0, its + side shaded faintly, in the picture
    and a share more on each side; returns the values."""
    more = share * np.ptp(ax.corners, axis=0)
    x, z = np.linspace(ax.corners[0] - more, ax.corners[1] + more, cells).T
    values = function(np.column_stack([a.ravel() for a in np.meshgrid(x, z)]))
    heights, top = values.reshape(cells, cells), max(values.max(), 0) or 1.0
    ax.contourf(x, z, heights, levels=[0, 2 * top], colors=[BLUE], alpha=0.1, zorder=-2)
    if values.min() < 0 < values.max():
        ax.contour(x, z, heights, levels=[0], colors=[INK], linewidths=1.8)
    return values


# --- texts, and the curves they name ---------------------------------------------------------


def note(ax, text, at, **look):
    """A text beside a point; `style.settle` finds the side where there is room."""
    place = {"xytext": (0, 0), "textcoords": "offset points", "in_layout": False, "animated": True}
    look = TEXT | look
    look["color"] = FOR_TEXTS.get(look["color"], look["color"])
    return ax.annotate(symbols(text), at, **place, **look)


def key(ax):
    """What the lines are called, below the picture."""
    look = {"ncols": 3, "frameon": False, "handlelength": 2.6, "columnspacing": 1.2}
    if ax.figure.get_layout_engine():
        ax.figure.legend(loc="outside lower center", **look)
    else:  # a box that stays where it is
        ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.13), **look)


def at_ends(ax, labels):
    """The names (text, height, colour) of curves, in the margin at their right ends, apart."""
    ends = ax.transData.transform([(ax.get_xlim()[1], height) for _, height, _ in labels])
    inches = ax.get_position().height * ax.figure.get_figheight()
    half = 0.8 * style.LOOK["points"] / 72 / inches  # of a line of text
    wanted = np.clip(ax.transAxes.inverted().transform(ends)[:, 1], half, 1 - half)
    order, gaps = np.argsort(wanted, kind="stable"), np.arange(len(labels)) * 2 * half
    low = wanted[order] - gaps  # if that never falls, they are apart: push up, push down, meet
    up, down = np.maximum.accumulate(low), np.minimum.accumulate(low[::-1])[::-1]
    for k, place in zip(order, (up + down) / 2 + gaps, strict=True):
        name, _, color = labels[k]
        look = {"transform": ax.transAxes, "va": "center", "color": FOR_TEXTS.get(color, color)}
        ax.text(1.015, place, symbols(name), **look)


def curves(ax, x, named, looks, names):
    """Curves over x, from 0 on if none is below, each with its name at its end in its colour."""
    label(ax, names)
    ax.margins(0.03, 0.08)
    ends = []
    for (name, heights), look in zip(named.items(), looks, strict=False):
        ax.plot(x, heights, **look, clip_on=False)
        ends.append((name, heights[-1], look["color"]))
    if ax.get_yscale() == "linear" and min(map(np.min, named.values())) >= 0:
        ax.set_ylim(bottom=0)
    at_ends(ax, ends)


def walls(ax, t, floor, ceiling, at):
    """Two bounds between which a run must stay, pairs (name, heights at t): a solid floor and a
    dash-dotted ceiling; their names stand at the place `at` of t."""
    for (name, heights), look, side in ((ceiling, style.BOUND, 1), (floor, style.FLOOR, -1)):
        ax.plot(t, heights, **look)
        here, align = (t[at], heights[at]), {1: "bottom", -1: "top"}[side]
        place = {"xytext": (-6 * side, 6 * side), "textcoords": "offset points", "va": align}
        place |= {"ha": "right" if side > 0 else "left", "color": FOR_TEXTS[PURPLE]}
        ax.annotate(symbols(name), here, **TEXT | place)
    between = {"where": floor[1] <= ceiling[1], "color": PURPLE, "alpha": 0.13, "lw": 0}
    ax.fill_between(t, floor[1], ceiling[1], **between)


def span(values):
    """The first and the last of some numbers in words."""
    return f"from {number(values[0])} to {number(values[-1])}"


# --- lines and arrows ------------------------------------------------------------------------


def arrow(ax, tail, tip, name="", look=W, **more):
    """An arrow, if there is anything of it to see, with its name at its head."""
    if np.any(np.subtract(tip, tail)):
        look = {key: look[key] for key in ("color", "ls", "lw")} | {"zorder": 4} | more
        shape = {"arrowstyle": "-|>", "mutation_scale": 13, "shrinkA": 0, "shrinkB": 0}
        if look["ls"] != "-":  # only the shaft, and not the head
            ax.plot(*np.transpose([tail, tip]), **look)
            tail, look = np.subtract(tip, 0.01 * np.subtract(tip, tail)), look | {"ls": "-"}
        ax.add_patch(FancyArrowPatch(tail, tip, joinstyle="miter", **shape | look))
    if name:
        note(ax, name, tip, color=look["color"])


def line_ends(ax, w, b=0.0):
    """Two far points of the line w·x + b = 0: their first coordinates, and their second."""
    if not np.any(w):
        return np.full((2, 2), np.nan)
    foot, along = -b * w / (w @ w), np.array([-w[1], w[0]]) / np.hypot(*w)
    reach = 9 * (np.abs(ax.corners).max() + np.abs(foot).max()) * along
    return np.transpose([foot - reach, foot + reach])


def line(ax, w, b=0.0, look=W, name="w", shade=True, longest=None):
    """The line w·x + b = 0, its + side shaded faintly, and w standing on it, as long as it is
    beside the longest w that will be drawn."""
    ends, length = line_ends(ax, w, b), np.hypot(*w) or 1.0
    ax.plot(*ends, **look)
    if shade and not w.any() and b > 0:  # every point is on the + side
        ax.axhspan(*99 * ax.corners[:, 1], color=BLUE, alpha=0.08, lw=0, zorder=-2)
    elif shade:
        far = 99 * np.abs(ax.corners).max() * w / length
        ax.fill(*np.vstack([ends.T, ends.T[::-1] + far]).T, color=BLUE, alpha=0.08, lw=0, zorder=-2)
    if name and w.any():
        factor, foot, tip = standing(ax, w, b, longest or length)
        if name != "u" and factor != 1:  # u is a direction, and as long as it is drawn
            name = f"{number(factor)} {name}" if factor > 1 else f"{name}/{number(1 / factor)}"
        arrow(ax, foot, tip, name, look)


def standing(ax, w, b, longest):
    """Where w stands on the line w·x + b = 0: how much of it fits, its foot and its tip, for which
    room is made."""
    spans, middle = np.ptp(ax.corners, axis=0), ax.corners.mean(axis=0)
    factor = _fitting(longest, 0.45 * spans.min())
    foot = middle - (w @ middle + b) / (w @ w) * w if b else np.zeros(2)
    tip, room = foot + factor * w, 0.06 * spans.max()
    style.show_all(ax, tip - room, tip + room)
    return factor, foot, tip


def _fitting(length, room):
    """A round factor that brings a length below `room`, and not far below; 1 if that will do."""
    if 0.15 * room <= length <= room:
        return 1.0
    power = 10.0 ** np.floor(np.log10(room / length))
    return power * max(k for k in (1, 2, 5) if k * power * length <= room)


def shade_band(ax, w, width, b=0.0, color=style.SKY):
    """Fill the band that reaches `width` to either side of the line w·x + b = 0."""
    ends, across = line_ends(ax, w, b).T, width * w / np.hypot(*w)
    ax.fill(*np.vstack([ends + across, ends[::-1] - across]).T, color=color, alpha=0.2, lw=0)


def line_in_words(w, b):
    """The line w·x + b = 0 in words."""
    if not np.any(w):
        every = f"there is no line: every point is predicted {'+' if b > 0 else '−'}"
        return every if b else "there is no line yet (w = 0)"
    terms = [(w[0], " x1"), (w[1], " x2"), (b, "")]
    text = " ".join(("−" if v < 0 else "+") + f" {number(abs(v))}{name}" for v, name in terms if v)
    text = text.replace(" 1 x", " x").removeprefix("+ ")
    return f"the line is {text.replace('− ', '−', text.startswith('−'))} = 0"
