"""Charts: numbers that grow, fall and spread, and the bounds they keep."""

import numpy as np
from matplotlib.ticker import NullLocator

from perceptron_lib.checks import door, limit, one_of
from perceptron_lib.plots import parts, style
from perceptron_lib.plots.style import BOUND, CARD, FLOOR, GREY, INK, OBSERVED, SKY, W
from perceptron_lib.show import number, symbols

MARKS = (("o", SKY), ("s", CARD), ("^", INK), ("D", CARD))
DOTS = [OBSERVED | {"marker": marker, "mfc": fill} for marker, fill in MARKS]
LINES = (W, {**W, "ls": "--"}, {**W, "ls": ":", "lw": 2.2}, {**W, "color": GREY})
BOUNDS = (BOUND, FLOOR, {**BOUND, "ls": ":", "lw": 2.6}, {**BOUND, "marker": "v", "ms": 5})


@style.picture(3.8)
@door(
    x=limit(style.rounded), series=limit(style.by_name), bounds=limit(style.by_name, 4, 0),
    least=lambda least, name, given: one_of(least, name, ["", *given.get("series", ())]),
)  # fmt: skip
def chart(
    ax, x, series, title, bounds=None, names=("n", "mistakes"), log=False, wide=False, least=""
):
    """What was observed against x, and bounds on it; each curve has its name at its end.

    `log` makes the upright axis logarithmic, and `wide` the level one; `least` names a curve whose
    lowest point is marked (early stopping).  Of several bounds the first is one from above.

    >>> chart([1, 2, 4], {"made": [1, 3, 9]}, "Three times as many", {"allowed": [4, 8, 16]})
    Three times as many: as n goes from 1 to 4, allowed: from 4 to 16; made: from 1 to 9.
    """
    x, bounds = style.rounded(x, "x", positive=wide), bounds or {}
    values = {name: style.rounded(heights, name, len(x), positive=log)
              for name, heights in (bounds | series).items()}  # fmt: skip
    ax.set(xscale="log" if wide else "linear", yscale="log" if log else "linear")
    looks = [*BOUNDS[: len(bounds)], *(DOTS if len(x) <= 30 else LINES)]
    parts.curves(ax, x, values, looks, names)
    if wide:
        ax.set_xticks(x, [number(v) for v in x])
        ax.xaxis.set_minor_locator(NullLocator())
    elif (x % 1 == 0).all():
        ax.locator_params("x", integer=True)
    words = [f"{name}: {parts.span(heights)}" for name, heights in values.items()]
    if least:
        heights, k = values[least], np.argmin(values[least])
        ax.axvline(x[k], **style.AID)
        ax.plot(x[k], heights[k], "o", ms=12, mfc="none", mec=INK, mew=1.6)
        parts.note(ax, f"least: {number(heights[k])}", (x[k], heights[k]))
        words.append(f"{least} is least at {names[0]} = {number(x[k])}, with {number(heights[k])}")
    return title, f"as {names[0]} goes {parts.span(x)}, {'; '.join(words)}."


@style.picture()
@door(named=limit(style.by_name, 12))
def bars(ax, named, title, names=("test errors", "weights")):
    """A number for each of several names, as bars with the numbers at their ends.

    >>> bars({"last": 23, "averaged": 4, "voted": 5}, "The last weights err most")
    The last weights err most: test errors as bars: last 23, averaged 4, voted 5.
    """
    parts.label(ax, names)
    labels, values = list(named), style.rounded(list(named.values()), "named")
    style.resize(ax.figure, 1.2 + 0.4 * len(labels))
    rows = ax.barh([symbols(label) for label in labels], values, height=0.62, **style.BARS)
    ax.bar_label(rows, [number(value) for value in values], padding=6, color=INK)
    ax.margins(x=0.15)
    ax.invert_yaxis()
    words = ", ".join(f"{label} {number(v)}" for label, v in zip(labels, values, strict=True))
    return title, f"{names[0]} as bars: {words}."


def shares(ax, named, limits, name):
    """Bars for shares, `named` by (share, text at its end), against limits (share, text, look)."""
    ax.set(xlim=(0, 1.32), ylim=(len(named) - 0.5, -0.5), xlabel=name)
    ax.set_xticks(np.arange(0, 1.1, 0.25), [f"{v:.0%}" for v in np.arange(0, 1.1, 0.25)])
    values = [share for share, _ in named.values()]
    ax.barh(range(len(named)), np.minimum(values, 1.3), height=0.6, **style.BARS)
    ax.set_yticks(range(len(named)), list(named))
    for k, (share, text) in enumerate(named.values()):
        past = [limit for limit, *_ in limits if share < limit < share + 0.15]  # none crosses it
        ax.text(max(past, default=share), k, f" {text}", **style.TEXT | {"ha": "left", "zorder": 6})
    for (share, text, look), side in zip(limits, ("right", "left"), strict=False):
        ax.axvline(share, **look)
        above = {"transform": ax.get_xaxis_transform(), "ha": side, "va": "bottom"}
        ax.text(share, 1.0, text, color=style.FOR_TEXTS.get(look["color"], look["color"]), **above)
