"""The proof of the mistake bound, drawn: the vectors of an update, and the squeeze.

Each class draws one line of the proof for a run; `show(t)` sets it for update t.  A run in more
than two dimensions is drawn in the plane of the vectors in question, with their true lengths and
angles.
"""

import math

import numpy as np

from perceptron_lib import checks
from perceptron_lib.bounds import margin2
from perceptron_lib.plots import parts, style
from perceptron_lib.plots.style import AID, CLASSES, GREEN, GREY, INK, PURPLE, U, W
from perceptron_lib.show import count, number

COORDINATES = ("first coordinate", "second coordinate")


def unit_separator(run, u):
    """u/||u|| for a u that separates the examples of a run."""
    u = checks.fractions(u, run.X.shape[1])
    u = np.array([float(v / (max(map(abs, u)) or 1)) for v in u])
    margin2(run.X, run.y, u)  # which refuses a u that does not separate
    return u / np.sqrt(u @ u)


class Sum:
    """The arrows of an update: w_t, z_t and their sum w_{t+1}."""

    def __init__(self, ax, run, size=True):
        self.ax, self.run = ax, run
        style.lengths(run, least=1)
        names = COORDINATES if run.X.shape[1] == 2 else ("along $w_t$", "across $w_t$")
        every = [v for t in range(run.mistakes) for v in self.vectors(t + 1)]
        parts.frame(ax, np.array(every), names, size=size)
        self.old, self.new = parts.arrow(ax, {**W, "color": GREY, "ls": ":"}), parts.arrow(ax)
        self.step = parts.arrow(ax)

    def vectors(self, t):
        """w_t, z_t and w_{t+1} in a plane that holds them, as long as they are."""
        w, z = self.run.weights[t - 1], self.run.Z[self.run.updates[t - 1]]
        if len(w) != 2:
            length = np.linalg.norm(w)
            along = z @ w / length if length else np.linalg.norm(z)
            w, z = np.array([length, 0]), np.array([along, math.sqrt(max(z @ z - along**2, 0))])
        return w, z, w + z

    def point(self, t):
        """Set the arrows for update t; returns its example, and the vectors."""
        w, z, both = self.vectors(style.update_of(self.run, t))
        i = self.run.updates[t - 1]
        self.step.set_color(CLASSES[int(self.run.y[i])]["color"])
        parts.point(self.old, (0, 0), w)
        parts.point(self.step, w, both)
        parts.point(self.new, (0, 0), both)
        return i, w, z, both


class Update(Sum):
    """w_t + z_t = w_{t+1}: an update is a sum of two vectors (A2)."""

    def __init__(self, ax, run):
        super().__init__(ax, run)
        self.copy = parts.arrow(ax, AID, lw=1)
        self.labels = [parts.note(ax, "", (0, 0), fontsize=11) for _ in range(3)]
        ax.plot(0, 0, "o", color=INK, ms=4)

    def show(self, t):
        """Draw update t; return it in a few words, and in full."""
        i, w, z, both = self.point(t)
        parts.point(self.copy, (0, 0), z if w.any() else w)
        for label, name, at in zip(
            self.labels, vector_names(t), (w / 2, w + z / 2, 0.6 * both), strict=True
        ):
            label.set_text(name if at.any() else "")
            label.xy = at
        lengths, score = [number(np.hypot(*v)) for v in (w, z, both)], number(w @ z)
        return f"Update {t:,} of {self.run.mistakes:,}: example {i} scored {score}", (
            f"w_{t} of length {lengths[0]} and z_{t} = y x of length {lengths[1]}, drawn head to "
            f"tail; their sum w_{t + 1} has length {lengths[2]}."
        )


@style.picture(5.2, 4.6)
def update(ax, run, t, title=""):
    """Update t of a run as a sum of vectors: w_t + z_t = w_{t+1}."""
    return Update(ax, run).show(t)


class Obtuse(Sum):
    """On a mistake z_t and w_t are at 90° or more, so that the square over w_{t+1} is at most the
    other two together (P2): Pythagoras, with the sign on our side."""

    def __init__(self, ax, run):
        super().__init__(ax, run, size=False)
        look = {"ha": "center", "va": "center", "fontsize": 10, "color": INK}
        self.squares = [ax.fill([0], [0], color=c, alpha=0.22, lw=1)[0] for c in (GREY, GREY, INK)]
        self.areas = [parts.halo(ax.text(0, 0, "", **look)) for _ in range(3)]

    def show(self, t):
        """Draw update t; return it in a few words, and in full."""
        i, *vectors = self.point(t)
        w, z, both = vectors
        areas, turn = [float(v @ v) for v in vectors], w[0] * z[1] - w[1] * z[0]
        out, every = np.array([[0, -1], [1, 0]]) * (-1 if turn < 0 else 1), []
        self.squares[1].set_color(self.step.get_edgecolor())
        for k, (tail, tip) in enumerate(((0 * w, w), (w, both), (both, 0 * w))):
            away, name = (tip - tail) @ out, f"‖{vector_names(t)[k]}‖²"
            every += [tail, tip, tip + away, tail + away]
            self.squares[k].set_xy(every[-4:])
            text = f"{name}\n= {number(areas[k])}" if areas[k] > 0.004 * max(areas) else ""
            self.areas[k].set(position=(tail + tip + away) / 2, text=text)
        low, high = np.min(every, axis=0), np.max(every, axis=0)
        room = 0.06 * (high - low).max()
        parts.show_all(self.ax, low - room, high + room)
        score, angle = w @ z, np.degrees(np.arctan2(abs(turn), w @ z))
        sign = "=" if score == 0 else "<" if score < 0 else ">"
        told = f"the angle between them is {angle:.0f} degrees" if w.any() else "w is still 0"
        one, other, sum_ = map(number, areas)
        return f"‖w + z‖² = {sum_} {sign} {one} + {other}", (
            f"update {t} of {self.run.mistakes}, example {i}: w_{t}, z_{t} and their sum as a "
            f"triangle with the squares on its sides; {told}, and the square over the sum, {sum_}, "
            f"against both others, {one} and {other}, since 2 z·w = {number(2 * score)}."
        )


@style.picture(5.2, 5.0)
def obtuse(ax, run, t, title=""):
    """The angle of update t, and the squares over w_t, z_t and w_{t+1} (P2)."""
    return Obtuse(ax, run).show(t)


class Progress:
    """Along u, every update brings w at least γ further (P1)."""

    def __init__(self, ax, run, u):
        self.ax, self.run, u = ax, run, unit_separator(run, u)
        style.lengths(run, least=1)
        self.gamma, self.along = math.sqrt(margin2(run.X, run.y, u)), run.weights @ u
        across = np.linalg.norm(run.weights - np.outer(self.along, u), axis=1)
        if len(u) == 2:  # with its sign
            across = run.weights @ [-u[1], u[0]]
        self.points = np.column_stack([self.along, across])
        parts.frame(ax, self.points, ("along $u$", "across $u$"))
        ax.axhline(0, **U)
        ticks = {"ls": "", "ms": 9, "mew": 2}
        (self.path,) = ax.plot([], [], color=GREY, lw=0.8, marker=".", ms=4)
        (self.feet,) = ax.plot([], [], color=GREEN, marker=2, **ticks)  # upwards
        (self.least,) = ax.plot([], [], color=PURPLE, marker=3, **ticks)  # downwards
        (self.drop,) = ax.plot([], [], color=GREEN, lw=1)
        self.arrow = parts.arrow(ax)
        self.labels = [parts.note(ax, "", (0, 0), color=c) for c in (INK, GREEN, PURPLE)]

    def show(self, t):
        """Draw the weights after t updates; return them in a few words, and in full."""
        t, along, tip = style.update_of(self.run, t), self.along, self.points[t]
        floor = along[0] + self.gamma * np.arange(t + 1)
        self.path.set_data(self.points[: t + 1].T)
        self.feet.set_data(along[: t + 1], 0 * floor)
        self.least.set_data(floor, 0 * floor)
        self.drop.set_data([tip[0], tip[0]], [tip[1], 0])
        parts.point(self.arrow, (0, 0), tip)
        begun = f"{number(along[0])} + " if along[0] else ""
        name, least = vector_names(t)[2], f"{begun}{t:,}γ = {number(floor[-1])}"
        texts = name, f"{name}·u = {number(along[t])}", least
        places = tip, (tip[0], 0), (floor[-1], 0)
        for label, text, at in zip(self.labels, texts, places, strict=True):
            label.set_text(text)
            label.xy = at
        gains = np.diff(along)[:t]
        return f"After {count(t, 'update')} w·u = {number(along[t])}, at least {least}", (
            f"the weights after each update, by how far they reach along the unit vector u and "
            f"across it; the least gain along u is {number(gains.min())}, and the margin γ is "
            f"{number(self.gamma)}."
        )


@style.picture(5.8, 4.4)
def progress(ax, run, u, t, title=""):
    """The projection on u after t updates: every one of them adds at least γ (P1)."""
    return Progress(ax, run, u).show(t)


def vector_names(t):
    """Names of w_t, z_t and w_{t+1}."""
    return f"$w_{{{t}}}$", f"$z_{{{t}}}$", f"$w_{{{t + 1}}}$"
