"""Pictures that only explorers need: a band and its nearest examples, shares of what is allowed,
labels that were flipped and what they cost, the error after each step."""

import numpy as np
from matplotlib.ticker import NullLocator

from perceptron_lib import bounds
from perceptron_lib.plots import parts, style
from perceptron_lib.plots.style import AID, BARS, BOUND, CLASSES, INK, OBSERVED, PURPLE, U
from perceptron_lib.show import count, number

LOOKS = BOUND["ls"], "-", ":"  # of the bounds, in their order


def band(ax, X, y, names, w, best):
    """A line through the origin with its band, the nearest example of each class and how far away
    it is, and the best line (M8)."""
    parts.examples(ax, X, y, names)
    distance = y * (X @ w) / np.hypot(*w)
    parts.band(ax, w, distance.min())
    parts.line(ax, best, look=U, name="", shade=False)
    parts.line(ax, w, name="")
    near = [np.flatnonzero(y == sign)[np.argmin(distance[y == sign])] for sign in (1, -1)]
    ax.plot(*X[near].T, **style.CURRENT, ms=14)
    for i in near:
        foot = X[i] - X[i] @ w / (w @ w) * w
        ax.plot(*np.array([X[i], foot]).T, color=INK, lw=2.2, ls=(0, (1, 0.6)))
        parts.note(ax, number(distance[i]), (X[i] + foot) / 2, weight="bold")
    plus, minus = (number(distance[i]) for i in near)
    return f"The margin is {number(distance.min())}", (
        f"{parts.tally(y)}. From the solid line the nearest positive example is {plus} away and "
        f"the nearest negative one {minus}. The smaller distance is the margin: the band "
        "reaches that far to either side. The dashed line has the largest margin."
    )


def shares(ax, named, limits, name):
    """Bars for shares, `named` by (share, text at its end), against limits (share, text, look)."""
    ax.set(xlim=(0, 1.32), ylim=(len(named) - 0.5, -0.5), xlabel=name)
    ax.set_xticks(np.arange(0, 1.1, 0.25), [f"{v:.0%}" for v in np.arange(0, 1.1, 0.25)])
    values = [share for share, _ in named.values()]
    ax.barh(range(len(named)), np.minimum(values, 1.3), height=0.6, **BARS)
    ax.set_yticks(range(len(named)), list(named))
    for k, (share, text) in enumerate(named.values()):
        past = [limit for limit, *_ in limits if share < limit < share + 0.15]  # none crosses it
        ax.text(max(past, default=share), k, f" {text}", **style.TEXT | {"ha": "left", "zorder": 6})
    for (share, text, look), side in zip(limits, ("right", "left"), strict=False):
        ax.axvline(share, **look)
        above = {"transform": ax.get_xaxis_transform(), "ha": side, "va": "bottom"}
        ax.text(share, 1.0, text, color=look["color"], fontsize=9.5, **above)


def flips(ax, X, y, u, gamma, flipped):
    """How far each example must be moved to have margin gamma, as arrows; those with a flipped
    label have a cross (H2)."""
    unit = u / np.hypot(*u)
    short = np.maximum(gamma - y * (X @ unit), 0)
    parts.frame(ax, X)
    parts.band(ax, u, gamma)
    parts.line(ax, u, look=U, name="")
    parts.marks(ax, X, y, 30)
    movers, flat = short > 0, {"angles": "xy", "scale_units": "xy", "scale": 1}
    colors = [CLASSES[int(sign)]["color"] for sign in y[movers]]
    arrows = (y * short)[movers, None] * unit
    ax.quiver(*X[movers].T, *arrows.T, color=colors, width=0.003, headwidth=5, zorder=3.5, **flat)
    ax.scatter(*X[flipped].T, marker="x", s=80, color=INK, lw=1.6, zorder=5)
    return f"{movers.sum()} of {len(y)} examples must move, {number(short.sum())} in all", (
        f"{parts.tally(y)}. The farthest must move by {number(short.max())} to be {number(gamma)} "
        "away from the line on its own side."
    )


def allowances(ax, X, y, u, gamma, made):
    """The bounds of H4 and H5 on the mistakes against γ, their values at one γ, and the mistakes
    made."""
    gammas = np.linspace(0.04, 1.0, 97)
    curves = bounds.by_gamma(X, y, u, [*gammas, gamma])
    top, words = 2.2 * max(curve.min() for curve in curves.values()), []
    ax.set(xlim=(0, 1), ylim=(0, top), xlabel="γ", ylabel="mistakes")
    ax.axvline(gamma, **AID)
    ends = [(f"made: {made}", made, INK)]
    for (name, (*curve, here)), ls in zip(curves.items(), LOOKS, strict=True):
        ax.plot(gammas, curve, **BOUND | {"ls": ls})
        ax.plot(gamma, min(here, top), "o" if here < top else "^", color=PURPLE, clip_on=False)
        words.append(f"{int(here):,} by the {name}")
        ends.append((f"{name.removesuffix(' bound')}: {int(here):,}", min(curve[-1], top), PURPLE))
    ax.axhline(made, color=INK, lw=1.8)
    parts.at_ends(ax, ends)
    return f"{count(made, 'mistake')} in one pass", f"Allowed at this γ: {', '.join(words)}."


def errors(ax, values):
    """The error after each step, on a logarithmic axis that is always the same."""
    ax.set(yscale="log", xlabel="steps", ylabel="error", xlim=(0, len(values) - 1))
    ax.set(ylim=(1e-9, 1e5))
    ax.set_yticks([1e-8, 1e-4, 1, 1e4], ["1e−8", "1e−4", "1", "1e4"])
    ax.yaxis.set_minor_locator(NullLocator())
    ax.plot(np.maximum(values, 1e-99), **OBSERVED | {"ms": 4})


class Band(style.redrawn(band, "X", "y", "names")):
    """A line through the origin with its band, and the nearest example of each class (M8).

    >>> X, y = np.array([[1, 1], [3, -1], [-3, 0]]), np.array([1, 1, -1])
    >>> band = Band(style.card(5, 4).subplots(), X, y, ("a", "b"))
    >>> band.show(np.array([1, 0]), np.array([2, 1]))[0]
    'The margin is 1'
    """


class Shares(style.redrawn(shares)):
    """Bars for shares of what is allowed.

    >>> ax = style.card(5, 2).subplots()
    >>> Shares(ax).show({"mistakes": (0.5, "8 of 16")}, [(1, "allowed", BOUND)], "share")
    >>> ax.texts[0].get_text()
    ' 8 of 16'
    """


class Flips(style.redrawn(flips)):
    """How far each example must be moved to have margin gamma; flipped labels have a cross (H2).

    >>> X, y = np.array([[1, 1], [3, -1], [-3, 0]]), np.array([1, 1, 1])
    >>> flips = Flips(style.card(5, 4).subplots())
    >>> flips.show(X, y, np.array([1, 0]), 2, [2])[0]
    '2 of 3 examples must move, 6 in all'
    """


class Allowances(style.redrawn(allowances)):
    """The bounds of H4 and H5 on the mistakes against γ, and the mistakes made.

    >>> X, y = np.array([[1, 1], [3, -1], [-3, 0]]), np.array([1, 1, 1])
    >>> Allowances(style.card(6, 3).subplots()).show(X, y, [1, 0], 0.5, 2)[0]
    '2 mistakes in one pass'
    """


class Errors(style.redrawn(errors)):
    """The error after each step of a descent.

    >>> ax = style.card(5, 3).subplots()
    >>> Errors(ax).show([4, 2, 1])
    >>> ax.lines[0].get_ydata().tolist()
    [4.0, 2.0, 1.0]
    """
