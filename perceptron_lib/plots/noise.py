"""No perfect separator: what must move, how long w gets, and the bounds that still hold."""

import math

import numpy as np

from perceptron_lib import checks
from perceptron_lib.bounds import radius2
from perceptron_lib.plots import parts, style
from perceptron_lib.plots.style import BOUND, INK, OBSERVED, PURPLE, U, W
from perceptron_lib.show import count, number


@style.picture(5.6, 4.8)
def moves(ax, X, y, w, gamma, title=""):
    """How far each example must be moved to have margin gamma for the line w·x = 0 (H2)."""
    (X, y), w = style.in_the_plane(X, y), style.direction(w)
    unit, gamma = w / np.hypot(*w), style.real(gamma, "gamma", positive=True)
    short = np.maximum(gamma - y * (X @ unit), 0)
    movers = np.flatnonzero(short > 0)
    parts.frame(ax, X)
    parts.band(ax, w, gamma)
    parts.line(ax, w, look=U, name="u")
    stay = short == 0
    parts.marks(ax, X[stay], y[stay], 26, alpha=0.45)
    parts.marks(ax, X[movers], y[movers], 44)
    for i in movers:
        parts.vector(ax, X[i], X[i] + y[i] * short[i] * unit,
                     look={"color": style.CLASSES[int(y[i])]["color"], "ls": "-", "lw": 1},
                     mutation_scale=7, alpha=0.85)  # fmt: skip
    total = number(round(short.sum(), 3))
    finding = f"{len(movers)} of {len(y)} examples must move, {total} in all"
    return f"{finding} (γ = {number(gamma)})", (
        f"{parts.tally(y)}; {len(movers)} of them have to move to be {number(gamma)} away from "
        f"the line on their own side, by {short.sum():.3f} in all, the farthest by "
        f"{number(short.max())}."
    )


@style.picture(6.6, 3.6)
def sizes(ax, run, title=""):
    """The length of the weights over the updates, and R√t, which it cannot exceed (H1)."""
    length = style.lengths(run)
    t, most = np.arange(len(length)), length.max()
    limit = math.sqrt(radius2(run.X)) * np.sqrt(t)
    ax.set(xlabel="updates t", ylabel="length of w", xlim=(0, max(t[-1], 1)))
    ax.set_ylim(0, 1.08 * max(limit[-1], most) or 1)
    parts.curves(ax, t, {"R√t": limit, "‖w‖": length}, (BOUND, W | {"lw": 1}))
    finding = f"In {count(run.mistakes, 'update')} ‖w‖ is at most {number(most)}"
    return f"{finding}; R√t rises to {number(limit[-1])}", (
        f"over {run.mistakes} updates the length of w stays at most {number(most)}, "
        f"while R√t grows to {number(limit[-1])}."
    )


class BoundCurves:
    """Bounds on the mistakes as functions of γ, the mistakes made, and where each is least (H4)."""

    NAMES = ("H4, solved", "H4, relaxed", "H5")

    def __init__(self, ax):
        self.ax = ax
        looks = (BOUND, {**BOUND, "ls": "-"}, {**BOUND, "ls": ":"})
        self.curves = {n: ax.plot([], [], **k)[0] for n, k in zip(self.NAMES, looks, strict=True)}
        self.dots = {n: ax.plot([], [], "o", color=PURPLE, ms=7)[0] for n in self.NAMES}
        self.notes = {n: parts.note(ax, n, (0, 0), color=PURPLE) for n in self.NAMES}
        self.made = ax.axhline(0, color=INK, lw=1)
        (self.dot,) = ax.plot([], [], **OBSERVED)
        self.label = parts.note(ax, "", (0, 0))
        ax.set(xlabel="γ", ylabel="mistakes")

    def show(self, gammas, curves, made):
        """`curves` maps each name to its values; returns a few words, and the picture in full."""
        gammas = style.floats(gammas, "gammas", positive=True)
        made = checks.whole(made, "made", 0, style.MANY)
        curves, words, lowest = dict(style.named(curves, "curves", least=3)), [], {}
        for name, artist in self.curves.items():
            bound = style.floats(curves.get(name), f"the curve {name!r}", len(gammas))
            least, gamma = bound.min(), gammas[np.argmin(bound)]
            artist.set_data(gammas, bound)
            self.dots[name].set_data([gamma], [least])
            self.notes[name].set_text(f"{name}, least {least:.0f}")
            words.append(f"{name} is least, {least:.1f}, at γ = {gamma:.3f}")
            lowest[name] = least
        self.made.set_ydata([made, made])
        self.dot.set_data([gammas[-1]], [made])
        self.label.xy = 0.7 * gammas[-1], made
        self.label.set_text(f"mistakes made: {made}")
        top = 3 * max(*lowest.values(), made)
        self.ax.set(xlim=(0, gammas[-1]), ylim=(0, top))
        for name, note in self.notes.items():  # where its curve leaves the picture
            last = np.flatnonzero(np.array(self.curves[name].get_ydata()) < 0.9 * top)
            note.xy = self.curves[name].get_xydata()[last[-1] if len(last) else -1]
        best = min(lowest, key=lowest.get)
        return f"{count(made, 'mistake')}; {best} allows {lowest[best]:.0f}", (
            f"{made} mistakes were made. " + "; ".join(words) + "."
        )


@style.picture(6.6, 4.4)
def bound_curves(ax, gammas, curves, made, title=""):
    """The bounds of H4 and H5 against γ, with the mistakes made."""
    return BoundCurves(ax).show(gammas, curves, made)
