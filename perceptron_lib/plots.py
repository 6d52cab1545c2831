"""Pictures of examples, lines and runs.

Each function returns a `Picture`: a PNG with a text that says the same in words, made from the
data.  Positive examples are blue circles, negative ones orange squares, everywhere.
"""

import base64
import io
import math

import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke
from matplotlib.ticker import NullLocator

from perceptron_lib.bounds import margin2, radius2
from perceptron_lib.claims import mistake_bound
from perceptron_lib.exact import floats, whole
from perceptron_lib.regression import least_squares, mean_squared_error

# Okabe and Ito's colours, which people with any kind of colour vision can tell apart.
BLUE, ORANGE, GREEN, PURPLE, SKY = "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9"
INK, GREY = "#222222", "#777777"
SIGNED = LinearSegmentedColormap.from_list("signed", [ORANGE, "white", BLUE])  # − to +
POSITIVE = {"marker": "o", "color": BLUE}
NEGATIVE = {"marker": "s", "color": ORANGE}


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


def number(value):
    """A number as a person writes it: 3, -0.5, 0.333.

    >>> number(2.0), number(-1 / 3)
    ('2', '−0.333')
    """
    value = float(value)
    rounded = value == int(value) or 1000 <= abs(value) < 10**7
    return (f"{value:,.0f}" if rounded else f"{value:.3g}").replace("-", "−")


def vector(values):
    """A vector as a person writes it.

    >>> vector([1.0, -0.5])
    '(1, −0.5)'
    """
    return "(" + ", ".join(number(v) for v in values) + ")"


def _figure(width=5.0, height=4.2, columns=1):
    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.subplots(1, columns, squeeze=False)[0]
    for ax in axes:
        ax.spines[["top", "right"]].set_visible(False)
    return figure, axes


def _tally(y):
    return f"Positive examples: {np.sum(y > 0)}, negative: {np.sum(y < 0)}"


def _frame(ax, X, names=("$x_1$", "$x_2$")):
    """Equal axes around the data and the origin, with room to spare."""
    points = np.vstack([X, np.zeros(2)])
    middle = (points.max(axis=0) + points.min(axis=0)) / 2
    half = 0.62 * np.ptp(points, axis=0)
    half = np.maximum(half, 0.6 * half.max())
    ax.set_xlim(middle[0] - half[0], middle[0] + half[0])
    ax.set_ylim(middle[1] - half[1], middle[1] + half[1])
    ax.set_aspect("equal")
    ax.axhline(0, color=GREY, lw=0.5, zorder=0)
    ax.axvline(0, color=GREY, lw=0.5, zorder=0)
    ax.set_xlabel(names[0])
    ax.set_ylabel(names[1])


def _scatter(ax, X, y, size=46):
    for sign, look in ((1, POSITIVE), (-1, NEGATIVE)):
        ax.scatter(*X[y == sign].T, s=size, edgecolor="white", lw=0.8, zorder=3, **look)
    if len(y) <= 8:  # few enough to be called by their numbers
        middle = (X[:, 1].max() + X[:, 1].min()) / 2
        for i, x in enumerate(X):
            at = (7, -12 if x[1] >= middle else 5)  # towards the middle, away from the frame
            _halo(ax.annotate(str(i), x, xytext=at, textcoords="offset points", fontsize=9))


def _halo(text):
    """A white rim, so that a line behind a text does not cross it out."""
    text.set_path_effects([withStroke(linewidth=3, foreground="white")])


def _line_ends(ax, w, b):
    """Two far points of the line w·x + b = 0."""
    length = np.hypot(*w)
    if length == 0:
        return np.full((2, 2), np.nan)
    foot = -b * w / length**2
    along = np.array([-w[1], w[0]]) / length
    reach = 4 * (np.abs([*ax.get_xlim(), *ax.get_ylim()]).max() + np.abs(foot).max())
    return np.array([foot - reach * along, foot + reach * along])


def _in_words(w, b):
    """The line w·x + b = 0 in words."""
    if not np.any(w):
        return "there is no line yet (w = 0)"
    terms = [(w[0], " x1"), (w[1], " x2"), (b, "")]
    text = " ".join(("−" if v < 0 else "+") + f" {number(abs(v))}{name}" for v, name in terms if v)
    return f"the line is {text.removeprefix('+ ')} = 0"


def plane(X, y, w=None, b=0.0, title="", names=("$x_1$", "$x_2$")):
    """Examples in the plane and, if w is given, the line w·x + b = 0 with w standing on it (A8)."""
    X, y = np.asarray(X, dtype=float), np.asarray(y)
    figure, (ax,) = _figure()
    _frame(ax, X, names)
    _scatter(ax, X, y)
    words = _tally(y)
    if w is not None:
        w = np.asarray(w, dtype=float)
        ax.plot(*_line_ends(ax, w, b).T, color=INK, lw=1.8)
        _arrow(ax, w, b)
        right = int(np.sum(y * (X @ w + b) > 0))
        words += f"; {_in_words(w, b)} and has {right} of {len(y)} on their own side"
    ax.set_title(title)
    return Picture(figure, f"{title + ': ' if title else ''}{words}.")


def _arrow(ax, w, b, text="w"):
    """An arrow in the direction of w, from the point of the line nearest the origin."""
    foot, direction = -b * w / (w @ w), w / np.hypot(*w)
    tip = foot + 0.14 * np.ptp(ax.get_xlim()) * direction
    ax.annotate(
        "", tip, foot, arrowprops={"arrowstyle": "-|>", "color": INK, "lw": 1.8}, zorder=4
    )
    ax.annotate(text, tip + 0.035 * np.ptp(ax.get_xlim()) * direction, ha="center", va="center")


def steps(run, columns=4, names=("$x_1$", "$x_2$")):
    """The updates of a run on plane data, side by side: line before, mistake, line after (A2)."""
    rows = -(-run.mistakes // columns) if run.mistakes <= 8 else 1
    shown = min(run.mistakes, rows * columns)
    figure = Figure(figsize=(2.6 * columns, 2.85 * rows), layout="constrained")
    grid = figure.subplots(rows, columns, squeeze=False)
    words = []
    for t, ax in enumerate(grid.flat):
        if t >= shown:
            ax.set_visible(False)
            continue
        stage = Stage(ax, run, names)
        stage.show(t + 1)
        ax.set_title(f"update {t + 1}: example {run.updates[t]}", fontsize=10)
        ax.tick_params(labelsize=7)
        words.append(f"update {t + 1} adds example {run.updates[t]} and makes w = {stage.w_text}")
    right = int(np.sum(run.predict(run.X) == run.y))
    words.append(f"then {right} of {len(run.y)} examples are right")
    return Picture(figure, f"{_tally(run.y)}; " + "; ".join(words) + ".")


class Stage:
    """One step of a run on plane data (with or without constant features), drawn and in words.

    The artists are made once; `show(t)` only sets their data.
    """

    def __init__(self, ax, run, names=("$x_1$", "$x_2$")):
        self.ax, self.run = ax, run
        self.constants = run.X[0, 2:]
        X = run.X[:, :2]
        _frame(ax, X, names)
        _scatter(ax, X, run.y)
        (self.before,) = ax.plot([], [], color=GREY, lw=1.4, ls=(0, (4, 3)))
        (self.after,) = ax.plot([], [], color=INK, lw=1.8)
        (self.ring,) = ax.plot([], [], "o", ms=15, mfc="none", mec=GREEN, mew=2.2, zorder=4)
        self.arrow = ax.quiver(
            [0], [0], [0], [0], color=INK, angles="xy", scale_units="xy", scale=1, zorder=5,
            width=0.012,
        )

    def line(self, t):
        """w and b of the plane after t updates."""
        w = self.run.weights[t]
        return w[:2], float(w[2:] @ self.constants)

    def show(self, t):
        """Draw the state after t updates and return it in words."""
        ax, run = self.ax, self.run
        w, b = self.line(t)
        self.after.set_data(*_line_ends(ax, w, b).T)
        tip = 0.16 * np.ptp(ax.get_xlim()) * w / (np.hypot(*w) or 1)
        self.arrow.set_offsets([-b * w / (w @ w or 1)])
        self.arrow.set_UVC(*tip)
        self.arrow.set_visible(bool(tip.any()))
        self.w_text = vector(run.weights[t])
        if t == 0:
            self.before.set_data([], [])
            self.ring.set_data([], [])
            return f"{_tally(run.y)}. Start, before any update: w = {self.w_text}."
        i = run.updates[t - 1]
        self.before.set_data(*_line_ends(ax, *self.line(t - 1)).T)
        self.ring.set_data([run.X[i, 0]], [run.X[i, 1]])
        old, new = run.X[i] @ run.weights[t - 1], run.X[i] @ run.weights[t]
        return (
            f"{_tally(run.y)}. "
            f"Update {t} of {run.mistakes}, in pass {run.steps[t - 1] // len(run.y) + 1}: "
            f"example {i}, x = {vector(run.X[i])} with label {'+1' if run.y[i] > 0 else '−1'}, "
            f"scored {number(old)}: a mistake. w becomes {self.w_text}; "
            f"the example's score is now {number(new)}, and {_in_words(w, b)}."
        )


def threshold(x, y, w, b, title=""):
    """Examples on a line and the threshold -b/w, with what lies on either side (A8)."""
    x, y = np.asarray(x, dtype=float).ravel(), np.asarray(y)
    figure, (ax,) = _figure(6.0, 1.7)
    cut = -b / w
    low, high = min(x.min(), cut), max(x.max(), cut)
    room = 0.15 * (high - low) + 0.5
    ax.set_xlim(low - room, high + room)
    ax.set_ylim(-0.6, 1.0)
    _scatter(ax, np.column_stack([x, np.zeros(len(x))]), y, size=80)
    ax.axvline(cut, color=INK, lw=1.8)
    left, right = ("−", "+") if w > 0 else ("+", "−")
    ax.text(cut, 0.62, f"predict {left}  ", ha="right")
    ax.text(cut, 0.62, f"  predict {right}", ha="left")
    ax.yaxis.set_visible(False)
    ax.spines["left"].set_visible(False)
    ax.set_xlabel("$x$")
    ax.set_title(title)
    return Picture(
        figure,
        f"{title + ': ' if title else ''}{_tally(y)}, on a line; the threshold is {number(cut)}, "
        f"predicting {right} to the right of it and {left} to the left.",
    )


def margins(X, y, w, best, example=0):
    """Three margins in one picture (A10): of an example and of the set with respect to w, and the
    largest that any line through the origin has (that of `best`)."""
    X, y, w = np.asarray(X, dtype=float), np.asarray(y), np.asarray(w, dtype=float)
    distance = y * (X @ w) / np.hypot(*w)
    closest = int(np.argmin(distance))
    feet = X - np.outer(X @ w / (w @ w), w)
    figure, (ax,) = _figure(5.6, 5.0)
    _frame(ax, X)
    ends = _line_ends(ax, np.asarray(best.w), 0.0)
    across = best.margin * best.w / np.hypot(*best.w)
    ax.fill(*np.vstack([ends + across, ends[::-1] - across]).T, color=SKY, alpha=0.3, lw=0)
    ax.plot(*ends.T, color=BLUE, lw=1.4, ls="--")
    ax.plot(*_line_ends(ax, w, 0.0).T, color=INK, lw=1.8)
    _scatter(ax, X, y)
    for i, color in ((example, PURPLE), (closest, GREEN)):
        ax.plot(*np.array([X[i], feet[i]]).T, color=color, lw=3)
        _label(ax, f"{distance[i]:.3f}", (X[i] + feet[i]) / 2, color)
        _halo(ax.annotate(f"example {i}", X[i], xytext=(6, 6), textcoords="offset points"))
    ax.set_title(
        f"to the solid line: one example {distance[example]:.3f}, the set {distance[closest]:.3f}\n"
        f"band of the best line (dashed): {best.margin:.3f} to either side",
        fontsize=10,
    )
    return Picture(
        figure,
        f"{_tally(y)}; two lines through the origin. From the solid one, "
        f"example {example} is {distance[example]:.3f} away and the closest, example {closest}, "
        f"{distance[closest]:.3f}. The dashed one is the best: its band without examples reaches "
        f"{best.margin:.3f} to either side.",
    )


def _label(ax, text, at, color):
    ax.annotate(
        text, at, xytext=(10, -12), textcoords="offset points", color=color, weight="bold",
        zorder=6, bbox={"boxstyle": "round,pad=0.15", "fc": "white", "ec": "none", "alpha": 0.85},
    )


def certificate(X, y, weights, title=""):
    """Why no line separates: a weighted mean of each class, and both are the same point (A12).

    The weights satisfy sum_i λ_i y_i (x_i, 1) = 0: each class has the same total weight and the
    same weighted sum.  A line with all positives on one side has their mean on that side too.
    """
    X, y = np.asarray(X, dtype=float), np.asarray(y)
    weights = floats(np.asarray(weights))
    if X.shape[1] == 1:
        X = np.column_stack([X, np.zeros(len(X))])
    figure, (ax,) = _figure(4.6, 3.9) if np.ptp(X[:, 1]) else _figure(5.4, 1.6)
    _frame(ax, X) if np.ptp(X[:, 1]) else _number_line(ax, X)
    _scatter(ax, X, y, size=80)
    mean = X[y > 0].T @ weights[y > 0] / weights[y > 0].sum()
    for sign, color in ((1, BLUE), (-1, ORANGE)):
        for i in np.flatnonzero((y == sign) & (weights > 0)):
            ax.plot(*np.array([X[i], mean]).T, color=color, lw=2, ls="-" if sign > 0 else "--")
    ax.plot(*mean, "*", ms=24, mfc="white", mec=INK, mew=1.5, zorder=2.5)
    ax.set_title(title)
    points = [vector(x) if np.ptp(X[:, 1]) else number(x[0]) for x in X]
    used = [
        " and ".join(points[i] for i in np.flatnonzero((y == s) & (weights > 0))) for s in (1, -1)
    ]
    where = vector(mean) if np.ptp(X[:, 1]) else number(mean[0])
    return Picture(
        figure,
        f"{title + ': ' if title else ''}a weighted mean of the positive {used[0]} and one of the "
        f"negative {used[1]} are both the point {where}, marked by a star.",
    )


def _number_line(ax, X):
    ax.set_ylim(-0.6, 0.6)
    ax.set_xlim(X[:, 0].min() - 0.4, X[:, 0].max() + 0.4)
    ax.yaxis.set_visible(False)
    ax.spines["left"].set_visible(False)
    ax.set_xlabel("$x$")


# --- the proof of the mistake bound ----------------------------------------------------------


def squeeze(run, u, title=""):
    """γt from below, R√t from above, w_{t+1} between them; where they cross, it must end (P5)."""
    figure, (ax,) = _figure(6.4, 4.2)
    ax.set_title(title)
    words = Squeeze(ax).show(run, u)
    return Picture(figure, f"{title + ': ' if title else ''}{words}")


class Squeeze:
    """The squeeze of the proof on logarithmic axes, where γt and R√t are straight lines.

    The artists are made once; `show` only sets their data.
    """

    def __init__(self, ax):
        self.ax = ax
        ax.set_xscale("log")
        ax.set_yscale("log")
        ax.set_xlabel("updates t")
        for axis in (ax.xaxis, ax.yaxis):
            axis.set_major_formatter(lambda value, position: number(value))
            axis.set_minor_locator(NullLocator())
        (self.upper,) = ax.plot([1], [1], color=ORANGE, lw=1.6)
        (self.lower,) = ax.plot([1], [1], color=BLUE, lw=1.6)
        (self.length,) = ax.plot([1], [1], "s", color=ORANGE)
        (self.along,) = ax.plot([1], [1], "o", color=BLUE)
        (self.star,) = ax.plot([1], [1], "*", ms=14, color=INK)
        self.end = ax.axvline(1, color=INK, lw=1, ls=":")
        at_left = {"transform": ax.transAxes, "ha": "left", "fontsize": 11}
        ax.text(0.03, 0.95, "R√t (line), length of w (squares)", color=ORANGE, **at_left)
        ax.text(0.03, 0.88, "γt (line), w·w* (circles)", color=BLUE, **at_left)
        self.label = ax.annotate(
            "", (1, 1), xytext=(-12, 12), textcoords="offset points", ha="right", fontsize=11
        )
        ax.spines[["top", "right"]].set_visible(False)

    def show(self, run, u):
        """Draw the squeeze for a run, and return it in words."""
        gamma, R = math.sqrt(margin2(run.X, run.y, u)), math.sqrt(radius2(run.X))
        bound = (R / gamma) ** 2
        direction = floats(whole(u))
        w, t = run.weights[1:], np.arange(1, run.mistakes + 1)
        length = np.sqrt(np.einsum("ij,ij->i", w, w))
        along = w @ direction / np.sqrt(direction @ direction)
        far = np.array([1, 3 * bound])
        self.upper.set_data(far, R * np.sqrt(far))
        self.lower.set_data(far, gamma * far)
        self.length.set_data(t, length)
        self.along.set_data(t, along)
        for dots in (self.length, self.along):
            dots.set_markersize(5 if run.mistakes <= 60 else 2.5)
        self.star.set_data([bound], [R * math.sqrt(bound)])
        self.end.set_xdata([bound, bound])
        self.label.xy = (bound, R * math.sqrt(bound))
        self.label.set_text(f"they cross at t = (R/γ)² {_equals(bound)}")
        self.ax.set_xlim(0.85, 3 * bound)
        self.ax.set_ylim(0.6 * gamma, 6 * R * math.sqrt(bound))
        proof = mistake_bound(run, u)
        slack = zip(proof["P3b"].slack, proof["P3c"].slack, strict=True)
        between = sum(min(pair) >= 0 for pair in slack)
        last = (along[-1], length[-1]) if run.mistakes else (0, 0)
        return (
            f"On logarithmic axes γt rises from {number(gamma)} and R√t from {number(R)}; they "
            f"cross at t {_equals(bound)}. The run ends after {run.mistakes} updates, "
            f"with w·w* = {number(last[0])} and length {number(last[1])}; at {between} of "
            f"{run.mistakes} updates both lie between the curves."
        )


def _equals(value):
    """ "= 25" or, rounded down, "≈ 902.6"."""
    if abs(value - round(value)) < 1e-6:
        return f"= {round(value):,}"
    return f"≈ {math.floor(10 * value) / 10:,.1f}"


def angle(run, u, title=""):
    """The angle between w_t and the separator u, update after update (P4)."""
    w, direction = run.weights[1:], floats(whole(u))
    cosine = w @ direction / np.sqrt(np.einsum("ij,ij->i", w, w) * (direction @ direction))
    degrees = np.degrees(np.arccos(np.clip(cosine, -1, 1)))
    t = np.arange(1, len(degrees) + 1)
    ratio = math.sqrt(margin2(run.X, run.y, u) / radius2(run.X))
    allowed = np.degrees(np.arccos(np.minimum(np.sqrt(t) * ratio, 1)))
    figure, (ax,) = _figure(6.0, 3.4)
    ax.plot(t, degrees, "o-", color=BLUE, ms=4, lw=1)
    ax.plot(t, allowed, color=ORANGE, lw=1.6)
    above = allowed[-1] < 15  # there is no room below the curve
    ax.text(
        t[-1], allowed[-1] + (2 if above else -2), "at most this, by the proof", ha="right",
        va="bottom" if above else "top", color=ORANGE,
    )
    ax.set_ylim(0, 100)
    ax.set_xlabel("updates t")
    ax.set_ylabel("angle of $w_{t+1}$ and $u$ (degrees)")
    ax.set_title(title)
    return Picture(
        figure,
        f"{title + ': ' if title else ''}the angle is {degrees[0]:.0f} degrees after the first "
        f"update, {degrees.max():.0f} at most, and {degrees[-1]:.0f} after the last of "
        f"{len(degrees)}; the proof allows {allowed[0]:.0f} degrees falling to {allowed[-1]:.0f}.",
    )


def spread(counts, bound, given, title=""):
    """How often each number of mistakes occurred; that of the order given is marked (P12)."""
    counts = np.asarray(counts)
    values, often = np.unique(counts, return_counts=True)
    figure, (ax,) = _figure(6.4, 3.2)
    ax.bar(values, often, width=0.8, color=SKY, edgecolor=BLUE)
    ax.axvline(given, color=ORANGE, lw=2)
    ax.text(given, often.max(), " the order given", color=ORANGE, va="top")
    ax.set_xlabel(f"mistakes M (the bound {_equals(float(bound))} is far to the right)")
    ax.set_ylabel("orders")
    ax.set_title(title)
    return Picture(
        figure,
        f"{title + ': ' if title else ''}{len(counts)} orders made from {counts.min()} to "
        f"{counts.max()} mistakes, {number(float(np.median(counts)))} in the middle, the given "
        f"order {given}; the bound {_equals(float(bound))}.",
    )


def growth(n, series, title=""):
    """Several quantities that grow exponentially with n, on a logarithmic axis (P11)."""
    figure, (ax,) = _figure(6.0, 3.8)
    words = []
    looks = ((ORANGE, "s"), (BLUE, "o"), (GREEN, "^"))
    for (name, values), (color, marker) in zip(series.items(), looks, strict=False):
        values = [float(v) for v in values]
        ax.semilogy(n, values, marker + "-", color=color, ms=6)
        ax.annotate(
            name, (n[-1], values[-1]), xytext=(8, 0), textcoords="offset points", color=color,
            va="center",
        )
        words.append(f"{name}: from {number(values[0])} to {number(values[-1])}")
    ax.set_xlim(n[0] - 0.3, n[-1] + 0.32 * (n[-1] - n[0]))
    ax.set_xticks(n)
    ax.set_xlabel("n")
    ax.set_title(title)
    return Picture(
        figure, f"{title + ': ' if title else ''}as n goes from {n[0]} to {n[-1]}, "
        + "; ".join(words) + ".",
    )


# --- the margin Perceptron -------------------------------------------------------------------


def phases(run, gamma, eps=0.5, title=""):
    """The length of w over the updates: fast at first, then slower than γ an update (M4, M5)."""
    gamma, eps, R2 = float(gamma), float(eps), float(radius2(run.X))
    t = np.arange(run.mistakes + 1)
    length = np.sqrt(np.einsum("ij,ij->i", run.weights, run.weights))
    border = R2 / (eps * gamma)
    figure, (ax,) = _figure(6.4, 4.2)
    top = border + math.sqrt(R2) + t * (1 - eps / 2) * gamma
    ax.plot(t, top, color=ORANGE, lw=1.6)
    ax.plot(t, gamma * t, color=BLUE, lw=1.6)
    ax.plot(t, length, "o", color=INK, ms=2.5)
    ax.axhline(border, color=GREEN, lw=1.4, ls="--")
    first = int(np.argmax(length >= border)) if length.max() >= border else None
    above = 1.3 * np.interp(0.2, t / t[-1], length)
    for text, x, value, color, va in (
        ("bound on the length (M5)", 0.45, 0.98 * np.interp(0.45, t / t[-1], top), ORANGE, "top"),
        (r"$R^2/(\varepsilon\gamma)$", 0.02, border, GREEN, "top"),
        (r"$\gamma t$", 0.75, 0.72 * gamma * run.mistakes, BLUE, "top"),
        (r"$\Vert w_{t+1}\Vert$ (dots)", 0.1, above, INK, "bottom"),
    ):
        _halo(ax.text(x * run.mistakes, value, text, color=color, va=va, fontsize=11))
    ax.set_xlabel("updates t")
    ax.set_title(title)
    when = "never" if first is None else f"after {first} updates"
    between = int(np.sum((length <= top) & (length >= gamma * t)))
    return Picture(
        figure,
        f"{title + ': ' if title else ''}over {run.mistakes} updates the length of w rises from "
        f"{number(length[0])} to {number(length[-1])}, at {between} of {len(t)} times between γt "
        f"and the bound; it passes R²/(εγ) {_equals(border)} {when}.",
    )


def tradeoff(eps, reached, updates, allowed, title=""):
    """What eps buys and costs: the margin reached, and the updates made and allowed (M7)."""
    figure, (left, right) = _figure(9.6, 3.6, columns=2)
    fine = np.geomspace(eps[0], eps[-1], 100)
    left.semilogx(fine, 1 - fine, color=ORANGE, lw=1.6)
    left.semilogx(eps, reached, "o-", color=BLUE, ms=6)
    left.text(eps[1], 1 - eps[1], "promised: 1 − ε ", color=ORANGE, va="top", ha="right")
    left.text(eps[1], reached[1], "  reached", color=BLUE, va="bottom", ha="left")
    left.set_ylabel("margin / largest margin")
    right.loglog(eps, allowed, "s-", color=ORANGE, ms=5)
    right.loglog(eps, updates, "o-", color=BLUE, ms=6)
    right.text(eps[-1], allowed[-1], "  bound", color=ORANGE, va="bottom")
    right.text(eps[-1], updates[-1], "  updates", color=BLUE, va="bottom")
    for ax in (left, right):
        ax.set_xlabel("ε")
        ax.set_xticks(eps, [f"{e:g}" for e in eps])
        ax.xaxis.set_minor_locator(NullLocator())
    figure.suptitle(title)
    return Picture(
        figure,
        f"{title + ': ' if title else ''}as ε goes from {eps[0]:g} to {eps[-1]:g}, the margin "
        f"reached goes from {reached[0]:.3f} to {reached[-1]:.3f} of the largest, the updates from "
        f"{number(updates[0])} to {number(updates[-1])}, and their bound from "
        f"{number(allowed[0])} to {number(allowed[-1])}.",
    )


LINES = ((INK, ":"), (GREEN, "--"), (PURPLE, "-"))


class Lines:
    """Several lines through the same examples, each with a name; `show` sets new ones."""

    def __init__(self, ax, X, y, names=("$x_1$", "$x_2$")):
        self.ax, self.y = ax, y
        _frame(ax, np.asarray(X, dtype=float), names)
        _scatter(ax, np.asarray(X, dtype=float), y)
        self.lines = [ax.plot([], [], color=c, ls=ls, lw=2)[0] for c, ls in LINES]

    def show(self, lines):
        """`lines` maps a name to (w, b); returns them in words."""
        words = []
        for artist, (name, (w, b)) in zip(self.lines, lines.items(), strict=False):
            artist.set_data(*_line_ends(self.ax, np.asarray(w, dtype=float), float(b)).T)
            artist.set_label(name)
            steep = math.degrees(math.atan2(-w[0], w[1])) % 180
            words.append(f"{name}: {_in_words(w, b)}, at {steep:.1f} degrees")
        below = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.13), "ncol": 3}
        self.ax.legend(fontsize=9, frameon=False, handlelength=1.6, columnspacing=1.2, **below)
        return f"{_tally(self.y)}. " + "; ".join(words) + "."


def lines(X, y, named, title="", names=("$x_1$", "$x_2$")):
    """Several separators on one picture: `named` maps a name to (w, b) (M8)."""
    figure, (ax,) = _figure(5.6, 4.6)
    ax.set_title(title)
    words = Lines(ax, X, np.asarray(y), names).show(named)
    return Picture(figure, f"{title + ': ' if title else ''}{words}")


# --- samples and errors ----------------------------------------------------------------------


def failure_rate(m, rates, intervals, bound, delta, enough, title=""):
    """How often a learner failed, against the sample size; the theorem's bound, a function of m,
    beside it (Q2)."""
    figure, (ax,) = _figure(6.4, 4.0)
    low, high = np.array(intervals).T
    ax.fill_between(m, low, high, color=SKY, alpha=0.4, lw=0)
    ax.plot(m, rates, "o-", color=BLUE, ms=5)
    fine = np.linspace(m[0], m[-1], 400)
    limit = np.minimum([bound(k) for k in fine], 1)
    ax.plot(fine, limit, color=ORANGE, lw=1.8)
    ax.axhline(delta, color=GREEN, lw=1.4, ls="--")
    ax.axvline(enough, color=INK, lw=1, ls=":")
    ax.text(m[0], delta, f"δ = {delta:g}", color=GREEN, va="bottom", ha="left")
    ax.text(enough, 0.97, f"m = {enough} ", ha="right", va="top")
    half = int(np.argmin(np.abs(limit - 0.5)))
    ax.text(fine[half], 0.5, "bound  ", color=ORANGE, ha="right")
    middle = int(np.argmin(np.abs(np.array(rates) - 0.5)))
    ax.text(m[middle], rates[middle], "   observed", color=BLUE, va="bottom")
    ax.set_ylim(-0.02, 1.05)
    ax.set_xlabel("examples m")
    ax.set_ylabel("probability of error above ε")
    ax.set_title(title)
    return Picture(
        figure,
        f"{title + ': ' if title else ''}with {m[0]} examples the learner failed in "
        f"{rates[0]:.1%} of the trials, with {m[-1]} in {rates[-1]:.1%}; the bound falls to "
        f"δ = {delta:g} at m = {enough}.",
    )


class Survivals:
    """How long each hypothesis of a run survived, against the length that is asked for (O1)."""

    def __init__(self, ax):
        self.ax = ax

    def show(self, counts, length, chosen=None):
        """Draw the bars and return them in words; `chosen` is the hypothesis put out."""
        ax, counts = self.ax, np.asarray(counts)
        ax.clear()
        ax.spines[["top", "right"]].set_visible(False)
        ax.bar(np.arange(1, len(counts) + 1), counts, color=SKY, edgecolor=BLUE)
        ax.axhline(length, color=ORANGE, lw=1.6)
        ax.text(0.5, length, f" asked for: {length}", color=ORANGE, va="bottom")
        if chosen is not None:
            ax.bar([chosen + 1], [counts[chosen]], color=BLUE)
            if counts[chosen] > 1.6 * length:
                up = f"{counts[chosen]:,} ↑ "
                ax.text(chosen + 0.55, 1.5 * length, up, color=BLUE, ha="right", va="top")
        ax.set_xlabel("hypothesis")
        ax.set_ylabel("right in a row")
        what = "none survived" if chosen is None else f"hypothesis {chosen + 1} is put out"
        shown = ", ".join(map(str, counts[:12])) + (", …" if len(counts) > 12 else "")
        ax.set_ylim(0, 1.6 * length)
        return (
            f"{len(counts)} hypotheses survived {shown} examples; {length} were asked for; {what}."
        )


def survivals(counts, length, chosen=None, title=""):
    """How long each hypothesis of a run survived, as a picture (O1)."""
    figure, (ax,) = _figure(6.4, 3.4)
    words = Survivals(ax).show(counts, length, chosen)
    ax.set_title(title)
    return Picture(figure, f"{title + ': ' if title else ''}{words}")


# --- no perfect separator --------------------------------------------------------------------


def moves(X, y, w, gamma, title=""):
    """How far each example must be moved to have margin gamma for the line w·x = 0 (H2)."""
    X, y, w = np.asarray(X, dtype=float), np.asarray(y), np.asarray(w, dtype=float)
    unit = w / np.hypot(*w)
    short = np.maximum(gamma - y * (X @ unit), 0)
    figure, (ax,) = _figure(5.6, 4.8)
    _frame(ax, X)
    ends = _line_ends(ax, w, 0.0)
    ax.fill(*np.vstack([ends + gamma * unit, ends[::-1] - gamma * unit]).T, color=SKY, alpha=0.3)
    ax.plot(*ends.T, color=INK, lw=1.8)
    _scatter(ax, X, y)
    for i in np.flatnonzero(short > 0):
        arrow = {"arrowstyle": "->", "color": GREEN, "lw": 1.8, "shrinkA": 0, "shrinkB": 0}
        ax.annotate("", X[i] + y[i] * short[i] * unit, X[i], arrowprops=arrow, zorder=5)
    ax.set_title(title)
    movers = int(np.sum(short > 0))
    return Picture(
        figure,
        f"{title + ': ' if title else ''}{_tally(y)}; {movers} of them have to move "
        f"to be {number(gamma)} away from the line on their own side, by {short.sum():.3f} in all.",
    )


def sizes(run, title=""):
    """The length of the weights over the updates, and R√t, which it cannot exceed (H1)."""
    length = np.sqrt(np.einsum("ij,ij->i", run.weights, run.weights))
    t, R = np.arange(len(length)), math.sqrt(radius2(run.X))
    figure, (ax,) = _figure(6.4, 3.4)
    ax.plot(t, R * np.sqrt(t), color=ORANGE, lw=1.6)
    ax.plot(t, length, color=BLUE, lw=1.2)
    ax.text(t[-1], R * math.sqrt(t[-1]), "R√t ", color=ORANGE, ha="right", va="bottom")
    ax.text(t[-1], length.max(), "length of w ", color=BLUE, ha="right", va="bottom")
    ax.set_xlabel("updates t")
    ax.set_title(title)
    return Picture(
        figure,
        f"{title + ': ' if title else ''}over {run.mistakes} updates the length of w stays at most "
        f"{number(length.max())}, while R√t grows to {number(R * math.sqrt(t[-1]))}.",
    )


class BoundCurves:
    """Bounds on the mistakes as functions of γ, the mistakes made, and where each is least (H4)."""

    LOOKS = ((ORANGE, "-"), (BLUE, "--"), (GREEN, "-."))

    def __init__(self, ax, names=("H4, solved", "H4, relaxed", "H5")):
        self.ax, self.names = ax, names
        self.curves = [ax.plot([], [], color=c, ls=ls, lw=1.8)[0] for c, ls in self.LOOKS]
        self.dots = [ax.plot([], [], "o", color=c, ms=7)[0] for c, _ in self.LOOKS]
        self.made = ax.axhline(0, color=INK, lw=1.4, ls=":")
        across = ax.get_yaxis_transform()  # x from 0 to 1, y as in the data
        self.label = ax.text(1, 0, "", transform=across, ha="right", va="bottom")
        ax.spines[["top", "right"]].set_visible(False)
        ax.set_xlabel("γ")
        ax.set_ylabel("bound on the mistakes")
        ax.legend(self.curves, names, loc="upper right", framealpha=1)

    def show(self, gammas, curves, made):
        """`curves` maps each name to its values; returns the picture in words."""
        words, lowest = [], min(min(v) for v in curves.values())
        for name, curve, dot in zip(self.names, self.curves, self.dots, strict=True):
            values = curves[name]
            k = int(np.argmin(values))
            curve.set_data(gammas, values)
            dot.set_data([gammas[k]], [values[k]])
            words.append(f"{name} is least, {values[k]:.1f}, at γ = {gammas[k]:.3f}")
        self.made.set_ydata([made, made])
        self.label.set_y(made)
        self.label.set_text(f"mistakes made: {made}")
        self.ax.set_xlim(0, gammas[-1])
        self.ax.set_ylim(0, 4 * max(lowest, made))
        return f"{made} mistakes were made. " + "; ".join(words) + "."


def bound_curves(gammas, curves, made, title=""):
    """The bounds of H4 and H5 against γ, with the mistakes made."""
    figure, (ax,) = _figure(6.6, 4.2)
    words = BoundCurves(ax).show(gammas, curves, made)
    ax.set_title(title)
    return Picture(figure, f"{title + ': ' if title else ''}{words}")


# --- the dual form ---------------------------------------------------------------------------


def gram(K, y, title=""):
    """A Gram matrix as a picture, examples sorted by class (D5)."""
    order = np.argsort(-np.asarray(y), kind="stable")
    K = np.asarray(K)[np.ix_(order, order)]
    figure, (ax,) = _figure(4.8, 4.0)
    size = float(np.abs(K).max())
    image = ax.imshow(K, cmap=SIGNED, vmin=-size, vmax=size)
    bar = figure.colorbar(image, ax=ax, shrink=0.85)
    bar.ax.set_ylim(min(0.0, float(K.min())), size)
    positive = int(np.sum(np.asarray(y) > 0))
    ax.axhline(positive - 0.5, color=INK, lw=0.8)
    ax.axvline(positive - 0.5, color=INK, lw=0.8)
    ax.set_xlabel("example j (positive ones first)")
    ax.set_ylabel("example i")
    ax.set_title(title)
    parts = [f"inner products from {number(K.min())} to {number(K.max())}"]
    if 0 < positive < len(K):
        same, other = K[:positive, :positive].mean(), K[:positive, positive:].mean()
        parts.append(f"{number(same)} on average between two positive examples")
        parts.append(f"{number(other)} between a positive and a negative one")
    return Picture(
        figure,
        f"{title + ': ' if title else ''}{len(K)} by {len(K)} " + "; ".join(parts) + ".",
    )


class Regions:
    """Where a kernel run predicts + and −; the size of a marker shows its alpha (D3)."""

    def __init__(self, ax, X, y, cells=90):
        self.ax, self.X, self.y = ax, np.asarray(X, dtype=float), np.asarray(y)
        _frame(ax, self.X)
        x, z = (np.linspace(*limits, cells) for limits in (ax.get_xlim(), ax.get_ylim()))
        self.grid = np.column_stack([a.ravel() for a in np.meshgrid(x, z)])
        self.image = ax.imshow(
            np.zeros((cells, cells)), extent=(*ax.get_xlim(), *ax.get_ylim()), origin="lower",
            vmin=-4, vmax=4, cmap=SIGNED, zorder=-1, interpolation="nearest",
        )
        looks = ((1, POSITIVE), (-1, NEGATIVE))
        self.marks = [
            ax.scatter(*self.X[self.y == s].T, edgecolor="white", lw=0.8, zorder=3, **look)
            for s, look in looks
        ]

    def show(self, run, kernel):
        """Draw the regions of `run`, made with `kernel(A, B)`, and return them in words."""
        signs = np.sign(run.scores(kernel(self.grid, self.X)))
        self.image.set_data(signs.reshape(self.image.get_array().shape))
        for mark, sign in zip(self.marks, (1, -1), strict=True):
            alpha = run.alpha[self.y == sign]
            order = np.argsort(alpha, kind="stable")  # the largest are drawn last, and translucent
            mark.set_offsets(self.X[self.y == sign][order])
            mark.set_sizes(22 + 60 * alpha[order])
            mark.set_alpha(np.where(alpha[order] > 0, 0.75, 1.0))
        right = int(np.sum(run.predict(kernel(self.X, self.X)) == self.y))
        used = int(np.sum(run.alpha > 0))
        return (
            f"{_tally(self.y)}. {run.mistakes} updates, outcome: {run.outcome}; {used} examples "
            f"have alpha above 0; {right} of {len(self.y)} are right; {np.mean(signs > 0):.0%} of "
            "the picture is predicted positive."
        )


def regions(X, y, run, kernel, title=""):
    """The regions of a kernel run as a picture."""
    figure, (ax,) = _figure(5.2, 4.6)
    words = Regions(ax, X, y, cells=200).show(run, kernel)
    ax.set_title(title)
    return Picture(figure, f"{title + ': ' if title else ''}{words}")


# --- regression and optimisation -------------------------------------------------------------


def fitted_line(x, y, w, title="", names=("x", "y")):
    """Points, the line w_1 x + w_2, and the residuals as vertical strokes."""
    x, y = np.asarray(x, dtype=float).ravel(), np.asarray(y, dtype=float)
    fit = w[0] * x + w[1]
    figure, (ax,) = _figure(6.0, 3.8)
    ax.vlines(x, np.minimum(y, fit), np.maximum(y, fit), color=GREEN, lw=1.2)
    ends = np.array([x.min(), x.max()])
    ax.plot(ends, w[0] * ends + w[1], color=INK, lw=1.8)
    ax.scatter(x, y, s=36, color=BLUE, edgecolor="white", zorder=3)
    ax.set_xlabel(names[0])
    ax.set_ylabel(names[1])
    ax.set_title(title)
    error = float(np.mean((y - fit) ** 2))
    return Picture(
        figure,
        f"{title + ': ' if title else ''}{len(x)} points and the line with slope {number(w[0])} "
        f"and intercept {number(w[1])}; the mean squared residual is {number(error)}.",
    )


def functions(x, series, title=""):
    """Several functions of one variable, each with its name at its end."""
    figure, (ax,) = _figure(6.0, 3.8)
    ax.axhline(0, color=GREY, lw=0.6)
    words = []
    looks = ((INK, "-"), (BLUE, "--"), (ORANGE, "-."))
    for (name, values), (color, style) in zip(series.items(), looks, strict=False):
        ax.plot(x, values, color=color, ls=style, lw=1.8)
        ax.annotate(
            name, (x[-1], values[-1]), xytext=(6, 0), textcoords="offset points", color=color,
            va="center",
        )
        words.append(f"{name} goes from {number(values[0])} to {number(values[-1])}")
    ax.set_xlim(x[0], x[-1] + 0.22 * (x[-1] - x[0]))
    ax.set_xlabel("x")
    ax.set_title(title)
    span = f"for x from {number(x[0])} to {number(x[-1])}"
    return Picture(figure, f"{title + ': ' if title else ''}{span}, " + "; ".join(words) + ".")


class Descent:
    """A contour map of the mean squared error in two weights, with paths over it."""

    def __init__(self, ax, X, y, reach=1.2):
        self.ax, self.X, self.y = ax, np.asarray(X, dtype=float), np.asarray(y, dtype=float)
        self.best = least_squares(self.X, self.y)
        size = reach * np.abs(self.best).max()
        a, b = (np.linspace(c - size, c + size, 80) for c in self.best)
        grid = np.stack(np.meshgrid(a, b), axis=-1)
        values = np.mean((grid @ self.X.T - self.y) ** 2, axis=2)
        low = values.min()
        levels = low + (values.max() - low) * np.linspace(0, 1, 15)[1:] ** 2
        ax.contour(a, b, values, levels=levels, colors=GREY, linewidths=0.7)
        ax.plot(*self.best, "*", ms=14, color=INK, zorder=5)
        self.lines = [
            ax.plot([], [], marker, color=c, ms=3, lw=1)[0] for c, marker in ((BLUE, "o-"),
                                                                              (ORANGE, "s-"))
        ]
        ax.set_xlim(a[0], a[-1])
        ax.set_ylim(b[0], b[-1])
        ax.set_xlabel("$w_1$")
        ax.set_ylabel("$w_2$")

    def show(self, paths):
        """`paths` maps a name to its path; returns them in words."""
        words = []
        for line, (name, path) in zip(self.lines, paths.items(), strict=False):
            line.set_data(*np.asarray(path).T)
            line.set_label(name)
            error = round(mean_squared_error(self.X, self.y, path[-1]), 10)  # no rounding noise
            words.append(f"{name} ends after {len(path) - 1} steps with error {number(error)}")
        if paths:
            self.ax.legend(loc="upper right", fontsize=9)
        least = round(mean_squared_error(self.X, self.y, self.best), 10)
        told = f" {'; '.join(words)}." if words else ""
        return f"Height lines around the least error, {number(least)}, at the star.{told}"


def descent(X, y, paths, title=""):
    """The paths of gradient methods on a contour map, as a picture."""
    figure, (ax,) = _figure(5.6, 4.6)
    words = Descent(ax, X, y).show(paths)
    ax.set_title(title)
    return Picture(figure, f"{title + ': ' if title else ''}{words}")
