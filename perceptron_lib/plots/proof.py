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


def _flat(w, z):
    """w and z in coordinates of their own plane, lengths and angles as they are."""
    if len(w) == 2:
        return w, z
    length = np.linalg.norm(w)
    if length == 0:
        return np.zeros(2), np.array([np.linalg.norm(z), 0])
    along = z @ w / length
    return np.array([length, 0]), np.array([along, math.sqrt(max(z @ z - along**2, 0))])


def _names(run):
    return COORDINATES if run.X.shape[1] == 2 else ("along $w_t$", "across $w_t$")


def _after(t, name="w"):
    """Names of w_t, z_t and w_{t+1}."""
    return f"${name}_{{{t}}}$", f"$z_{{{t}}}$", f"${name}_{{{t + 1}}}$"


class Update:
    """w_t + z_t = w_{t+1}: an update is a sum of two vectors (A2)."""

    def __init__(self, ax, run):
        self.ax, self.run = ax, run
        style.lengths(run, least=1)
        steps = [_flat(run.weights[t], run.Z[i]) for t, i in enumerate(run.updates)]
        parts.frame(ax, np.vstack([(w, w + z, z) for w, z in steps]), _names(run))
        self.old = parts.arrow(ax, {**W, "color": GREY, "ls": ":"})
        self.step = {sign: parts.arrow(ax, {**W, "color": look["color"]})
                     for sign, look in CLASSES.items()}  # fmt: skip
        self.copy, self.new = parts.arrow(ax, AID, lw=1), parts.arrow(ax)
        self.labels = [parts.note(ax, "", (0, 0), fontsize=11) for _ in range(3)]
        ax.plot(0, 0, "o", color=INK, ms=4)

    def show(self, t):
        """Draw update t; return it in a few words, and in full."""
        run, i = self.run, self.run.updates[t - 1]
        w, z = _flat(run.weights[t - 1], run.Z[i])
        parts.point(self.old, (0, 0), w)
        parts.point(self.new, (0, 0), w + z)
        parts.point(self.copy, (0, 0), z)
        self.copy.set_visible(bool(w.any()))
        for sign, arrow in self.step.items():
            parts.point(arrow, w, w + z if sign == run.y[i] else w)
        places = w / 2, w + z / 2, (w + z) * 0.6
        if not w.any():
            places = w, z / 2, z
        for label, name, at in zip(self.labels, _after(t), places, strict=True):
            label.set_text(name if w.any() or name != _after(t)[0] else "")
            label.xy = at
        lengths = [np.hypot(*v) for v in (w, z, w + z)]
        score = run.Z[i] @ run.weights[t - 1]
        return f"Update {t} of {run.mistakes}: example {i} scored {number(score)}, so z is added", (
            f"w_{t} of length {number(lengths[0])} and z_{t} = y x of length {number(lengths[1])}, "
            f"drawn head to tail; their sum w_{t + 1} has length {number(lengths[2])}."
        )


@style.picture(5.2, 4.6)
def update(ax, run, t, title=""):
    """Update t of a run as a sum of vectors: w_t + z_t = w_{t+1}."""
    t = style.update_of(run, t)
    return Update(ax, run).show(t)


class Progress:
    """Along u, every update brings w at least γ further (P1)."""

    def __init__(self, ax, run, u):
        self.ax, self.run, u = ax, run, unit_separator(run, u)
        style.lengths(run, least=1)
        self.gamma, self.along = math.sqrt(margin2(run.X, run.y, u)), run.weights @ u
        across = np.sqrt(np.maximum(((run.weights - np.outer(self.along, u)) ** 2).sum(axis=1), 0))
        if len(u) == 2:
            across = run.weights @ [-u[1], u[0]]
        self.points = np.column_stack([self.along, across])
        far = [[max(self.along.max(), self.gamma * run.mistakes), 0]]
        parts.frame(ax, np.vstack([self.points, far]), ("along $u$", "across $u$"))
        ax.axhline(0, **U)
        (self.path,) = ax.plot([], [], color=GREY, lw=0.8, marker=".", ms=4)
        up, down = {"marker": 2, "ls": "", "ms": 9}, {"marker": 3, "ls": "", "ms": 9}
        (self.feet,) = ax.plot([], [], color=GREEN, mew=2, **up)
        (self.least,) = ax.plot([], [], color=PURPLE, mew=2, **down)
        self.drop = ax.plot([], [], color=GREEN, lw=1)[0]
        self.arrow = parts.arrow(ax)
        self.name = parts.note(ax, "", (0, 0), fontsize=11)
        self.foot = parts.note(ax, "", (0, 0), color=GREEN)
        self.floor = parts.note(ax, "", (0, 0), color=PURPLE)

    def show(self, t):
        """Draw the weights after t updates; return them in a few words, and in full."""
        gamma, along, tip = self.gamma, self.along, self.points[t]
        self.path.set_data(self.points[: t + 1].T)
        self.feet.set_data(along[: t + 1], np.zeros(t + 1))
        self.least.set_data(along[0] + gamma * np.arange(t + 1), np.zeros(t + 1))
        self.drop.set_data([tip[0], tip[0]], [tip[1], 0])
        parts.point(self.arrow, (0, 0), tip)
        self.name.set_text(_after(t)[2])
        self.foot.set_text(f"{_after(t)[2]}·u = {number(along[t])}")
        self.floor.set_text(f"{t}γ = {number(gamma * t)}")
        self.name.xy, self.foot.xy, self.floor.xy = tip, (tip[0], 0), (along[0] + gamma * t, 0)
        grown = np.diff(along)[:t]
        least = f"at least {t}γ = {number(gamma * t)}"
        return f"After {count(t, 'update')} w·u = {number(along[t])}, {least}", (
            f"the weights after each update, by how far they reach along the unit vector u and "
            f"across it; the least gain along u is {number(grown.min())}, the margin γ is "
            f"{number(gamma)}, and {np.sum(grown >= gamma * (1 - 1e-9))} of {t} gains reach it."
        )


@style.picture(5.8, 4.4)
def progress(ax, run, u, t, title=""):
    """The projection on u after t updates: every one of them adds at least γ (P1)."""
    t = style.update_of(run, t)
    return Progress(ax, run, u).show(t)


class Obtuse:
    """On a mistake z_t and w_t are at 90° or more, so that the square over w_{t+1} is at most the
    other two together (P2): Pythagoras, with the sign on our side."""

    def __init__(self, ax, run):
        self.ax, self.run = ax, run
        style.lengths(run, least=1)
        parts.frame(ax, np.array([[0.0, 0], [1, 1]]), _names(run), size=False)
        self.squares = [ax.fill([0], [0], color=c, alpha=0.22, lw=1)[0]
                        for c in (GREY, GREY, INK)]  # fmt: skip
        self.old = parts.arrow(ax, {**W, "color": GREY, "ls": ":"})
        self.step, self.new = parts.arrow(ax, {**W, "color": GREY}), parts.arrow(ax)
        look = {"ha": "center", "va": "center", "fontsize": 10, "color": INK}
        self.areas = [parts.halo(ax.text(0, 0, "", **look)) for _ in range(3)]

    def show(self, t):
        """Draw update t; return it in a few words, and in full."""
        run, ax = self.run, self.ax
        i, before = run.updates[t - 1], run.weights[t - 1]
        w, z = _flat(before, run.Z[i])
        corners, ends = [], (np.zeros(2), w, w + z)
        clockwise = w[0] * z[1] - w[1] * z[0] < 0
        for tail, tip in ((ends[0], ends[1]), (ends[1], ends[2]), (ends[2], ends[0])):
            side = tip - tail
            out = np.array([-side[1], side[0]]) if clockwise else np.array([side[1], -side[0]])
            corners.append(np.array([tail, tip, tip + out, tail + out]))
        areas = [float(v @ v) for v in (w, z, w + z)]
        color = CLASSES[int(run.y[i])]["color"]
        for square, box, label, name, area in zip(
            self.squares, corners, self.areas, _after(t), areas, strict=True
        ):
            square.set_xy(box)
            text = f"‖{name}‖²\n= {number(area)}" if area > 0.004 * max(areas) else ""
            label.set(position=box.mean(axis=0), text=text)
        for patch in (self.squares[1], self.step):
            patch.set_color(color)
        parts.point(self.old, (0, 0), w)
        parts.point(self.step, w, w + z)
        parts.point(self.new, (0, 0), w + z)
        every = np.vstack(corners)
        low, high = every.min(axis=0), every.max(axis=0)
        room = 0.06 * (high - low).max()
        parts.show_all(ax, low - room, high + room)
        score, both = run.Z[i] @ before, areas[0] + areas[1]
        sign = "=" if score == 0 else "<" if score < 0 else ">"
        told = "there is no angle yet, w = 0"
        if w.any():
            angle = np.degrees(np.arctan2(abs(w[0] * z[1] - w[1] * z[0]), w @ z))
            told = f"the angle between them is {angle:.0f} degrees"
        return f"‖w + z‖² = {number(areas[2])} {sign} {number(areas[0])} + {number(areas[1])}", (
            f"update {t} of {run.mistakes}: w_{t}, z_{t} and their sum as a triangle with the "
            f"squares on its sides; {told}, and the square over the sum, {number(areas[2])}, "
            f"against both others together, {number(both)}, since 2 z·w = {number(2 * score)}."
        )


@style.picture(5.0, 4.8)
def obtuse(ax, run, t, title=""):
    """The angle of update t, and the squares over w_t, z_t and w_{t+1} (P2)."""
    t = style.update_of(run, t)
    return Obtuse(ax, run).show(t)
