"""A whole run in one picture: between its two bounds, by its angle to u, in weight space."""

import math
from itertools import pairwise

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.ticker import NullLocator

from perceptron_lib import checks
from perceptron_lib.bounds import margin2, radius2
from perceptron_lib.claims import mistake_bound
from perceptron_lib.plots import parts, style
from perceptron_lib.plots.proof import COORDINATES, unit_separator
from perceptron_lib.plots.style import BOUND, GREEN, GREY, INK, PURPLE, W
from perceptron_lib.separability import separate
from perceptron_lib.show import count, equals, number, numbers


def from_0(run, least=0):
    """||w_t|| for every t of a run that began at 0, as the bounds here want it."""
    if run.start.any():
        raise ValueError("the run must begin at w = 0: the bounds drawn here hold for no other")
    return style.lengths(run, least)


class Squeeze:
    """γt from below, R√t from above: the room between the two ends where they cross (P5).

    The artists are made once; `show` only sets their data.  On logarithmic axes, the second view,
    both bounds are straight lines.
    """

    def __init__(self, ax, log=False):
        self.ax, self.log = ax, log
        if log:
            ax.set(xscale="log", yscale="log")
        for axis in (ax.xaxis, ax.yaxis):
            axis.set_major_formatter(lambda value, position: number(value))
            axis.set_minor_locator(NullLocator())
        ax.set(xlabel="updates t", ylabel="length")
        (self.upper,), (self.lower,) = ax.plot([1], [1], **BOUND), ax.plot([1], [1], **BOUND)
        self.between = ax.fill([1], [1], color=PURPLE, alpha=0.13, lw=0)[0]
        (self.length,) = ax.plot([1], [1], "o", color=INK)
        (self.along,) = ax.plot([1], [1], "D", color=GREEN)
        (self.cross,) = ax.plot([1], [1], "*", ms=15, color=PURPLE, mec=INK, mew=0.6)
        notes = (("R√t", PURPLE), ("γt", PURPLE), ("", INK), ("", INK))
        self.notes = [parts.note(ax, text, (1, 1), color=color) for text, color in notes]
        key = {"transform": ax.transAxes, "fontsize": 9.5, "va": "top"}
        ax.text(0.02, 0.995, "● length of $w_{t+1}$", color=INK, **key)
        ax.text(0.02, 0.925, "◆ $w_{t+1}$·u, u of length 1", color=GREEN, **key)

    def show(self, run, u):
        """Draw the squeeze for a run; return it in a few words, and in full."""
        length = from_0(run)
        gamma2, R2 = margin2(run.X, run.y, u), radius2(run.X)
        gamma, R, exactly = math.sqrt(gamma2), math.sqrt(R2), equals(R2 / gamma2)
        along, M, bound = run.weights @ unit_separator(run, u), run.mistakes, (R / gamma) ** 2
        far = (3 if self.log else 1.18) * bound
        t, top = np.geomspace(min(1, 0.01 * bound) if not self.log else 1, far, 300), R * R / gamma
        inside = t[t <= bound]
        self.upper.set_data(t, R * np.sqrt(t))
        self.lower.set_data(t, gamma * t)
        there, back = [inside, R * np.sqrt(inside)], [inside[::-1], gamma * inside[::-1]]
        self.between.set_xy(np.hstack([there, back]).T)
        for dots, heights in ((self.length, length), (self.along, along)):
            dots.set_data(np.arange(1, M + 1), heights[1:])
            dots.set_markersize(5 if M <= 60 else 2.5)
        self.cross.set_data([bound], [top])
        low = math.sqrt(bound) if self.log else 0.45 * bound
        places = (low, R * math.sqrt(low)), (low, gamma * low), (bound, top), (M or 1, along[-1])
        for label, at in zip(self.notes, places, strict=True):
            label.xy = at
        self.notes[2].set_text(f"(R/γ)² {exactly}")
        self.notes[3].set_text(f"the run: M = {M:,}")
        limits = {"xlim": (0, far), "ylim": (0, 1.3 * R * math.sqrt(far))}
        if self.log:
            limits = {"xlim": (0.85, far), "ylim": (0.6 * gamma, 6 * top)}
        self.ax.set(**limits)
        proof = mistake_bound(run, u)
        slack = zip(proof["P3b"].slack, proof["P3c"].slack, strict=True)
        between = sum(min(pair) >= 0 for pair in slack)
        allowed = number(math.floor(R2 / gamma2))
        return f"{count(M, 'mistake')}; {allowed} allowed", (
            f"γt rises from {number(gamma)} and R√t from {number(R)}; they "
            f"cross at t {exactly}. The run ends after {M} updates, "
            f"with w·u = {number(along[-1])} and length {number(length[-1])}; at {between} of "
            f"{M} updates both lie between the curves."
        )


@style.picture(6.4, 4.4)
def squeeze(ax, run, u, log=False, title=""):
    """γt from below, R√t from above, w_{t+1} between them; where they cross, it must end (P5)."""
    checks.instance(log, bool, "log", "True or False")
    return Squeeze(ax, log).show(run, u)


@style.picture(6.4, 3.6)
def angle(ax, run, u, title=""):
    """The angle between w_t and the separator u, update after update (P4)."""
    length = from_0(run, least=1)
    ratio = math.sqrt(margin2(run.X, run.y, u) / radius2(run.X))
    t = np.arange(1, len(length))
    cosine = run.weights[1:] @ unit_separator(run, u) / length[1:]
    degrees = np.degrees(np.arccos(np.clip(cosine, -1, 1)))
    allowed = np.degrees(np.arccos(np.minimum(np.sqrt(t) * ratio, 1)))
    ax.set(ylim=(0, 100), xlabel="updates t", ylabel="angle of $w_{t+1}$ and $u$ (degrees)")
    both = {"at most this": allowed, "observed": degrees}
    parts.curves(ax, t, both, (BOUND, style.OBSERVED))
    last = f"{degrees[-1]:.0f}° after {count(len(t), 'update')}"
    return f"The angle to u: {last}; the proof allows {allowed[-1]:.0f}°", (
        f"the angle is {degrees[0]:.0f} degrees after the first update, {degrees.max():.0f} at "
        f"most, and {degrees[-1]:.0f} after the last of {len(degrees)}; the proof allows "
        f"{allowed[0]:.0f} degrees falling to {allowed[-1]:.0f}."
    )


@style.picture(5.4, 4.8)
def weight_space(ax, run, title=""):
    """Weight space: every example rules out a half-plane of w; the run is a path to the rest."""
    style.in_the_plane(run.X, run.y)
    style.lengths(run)
    path, found = run.weights, separate(run.X, run.y)
    u = getattr(found, "w", None)
    far = path if u is None else np.vstack([path, np.abs(path).max() * u / np.abs(u).max()])
    parts.frame(ax, far, COORDINATES)
    lines = np.unique(run.Z / np.linalg.norm(run.Z, axis=1, keepdims=True).clip(1e-300), axis=0)
    look = {"color": GREY, "lw": 0.6, "alpha": np.clip(12 / len(lines), 0.15, 1)}
    ax.add_collection(LineCollection([parts.line_ends(ax, z).T for z in lines], **look))
    if u is not None:
        across = np.array([-u[1], u[0]])
        turn = np.arctan2(lines @ across, lines @ u)  # of each z, seen from u: less than 90° away
        turn = np.array([turn.max() - np.pi / 2, 0, turn.min() + np.pi / 2])
        rays = np.outer(np.cos(turn), u) + np.outer(np.sin(turn), across)
        cone = np.vstack([[0, 0], 99 * rays * np.abs(far).max() / np.abs(u).max()])
        ax.fill(*cone.T, color=GREEN, alpha=0.25, lw=0, zorder=-1)
        middle = 0.8 * np.abs(far).max() * u / np.abs(u).max()
        parts.note(ax, "all examples right", middle, color=GREEN)
    ax.plot(*path.T, color=INK, lw=1, marker=".", ms=3)
    for start, end in pairwise(path if len(path) <= 41 else ()):
        parts.vector(ax, start, end, look={**W, "lw": 1.3})
    parts.note(ax, "$w_1$", path[0])
    if run.mistakes:
        parts.note(ax, f"$w_{{{run.mistakes + 1}}}$", path[-1])
    where = "no w has all right"
    if u is not None:
        into = "into" if run.outcome == "converged" else "not yet into"
        where = f"{into} the cone with {len(run.y)} of {len(run.y)} right"
    return f"{count(run.mistakes, 'update')}, {where}", (
        f"a line for each of {len(run.y)} examples, z·w = 0, rules out the half-plane behind it; "
        f"the path goes from {numbers(path[0])} to "
        f"{numbers(path[-1])}."
    )
