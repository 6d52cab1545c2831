"""Convex hulls: the nearest point that is the best separator, certificates, shattered points."""

from itertools import product

import numpy as np

from perceptron_lib import checks
from perceptron_lib.embedding import with_bias
from perceptron_lib.plots import parts, style
from perceptron_lib.plots.style import CLASSES, INK, U
from perceptron_lib.separability import Inseparable, separate
from perceptron_lib.show import number, numbers


@style.picture(5.4, 4.6)
def nearest(ax, X, y, title=""):
    """The hull of the z_i = y_i x_i and its point p nearest to 0: the direction of the largest
    margin ‖p‖ or, if p = 0, the proof that there is no separator (A14).

    >>> nearest([[3, 1], [1, 3], [-1, 0]], [1, 1, -1])
    The hull's nearest point p has length 1, the margin: 2 positive and 1 negative ...
    """
    X, y = style.in_the_plane(X, y)
    Z, found = y[:, None] * X, separate(X, y)
    share = np.array([float(v) for v in found.multipliers / sum(found.multipliers)])
    p = share @ Z if not isinstance(found, Inseparable) else np.zeros(2)
    parts.frame(ax, Z, ("first coordinate of z", "second coordinate of z"))
    turn = np.linspace(0, 2 * np.pi, 3600)  # each corner is farthest in some direction
    corners = Z[np.argmax(Z @ [np.cos(turn), np.sin(turn)], axis=0)]
    ax.fill(*corners.T, facecolor="#88888822", edgecolor=style.GREY, lw=1, zorder=0)
    parts.multipliers(ax, Z, share)
    parts.marks(ax, Z, y)
    for i in np.flatnonzero(share) if np.sum(share > 0) <= 4 else ():
        parts.note(ax, f"λ = {number(share[i])}", Z[i], fontsize=8.5)
    ax.plot(0, 0, "o", color=INK, ms=4)
    some = f"{np.sum(share > 0)} of {len(y)} examples"
    used = f"multipliers λ on {some}"
    if not p.any():
        parts.note(ax, "p = 0", (0, 0), fontsize=11)
        finding = f"0 is in the hull: no separator; {some} have λ > 0"
        return finding, f"{parts.tally(y)}; the hull of the z = y x contains 0; {used} show it."
    ax.plot(*parts.line_ends(ax, p, -p @ p), **U)
    parts.vector(ax, (0, 0), p, "p", look={**U, "ls": "-"})
    return f"The hull's nearest point p has length {number(found.margin)}, the margin", (
        f"{parts.tally(y)}; of the hull of the z = y x the point nearest to 0 is {numbers(p)}, "
        f"a mean with {used}; all z lie beyond the dashed line through it, which is "
        f"{number(found.margin)} away from 0."
    )


@style.picture(4.8, 4.2)
def certificate(ax, X, y, multipliers, title=""):
    """Why no line separates: a weighted mean of each class, and both are the same point (A12).

    The multipliers satisfy sum_i λ_i y_i (x_i, 1) = 0: each class has the same total and the same
    weighted sum.  A line with all positives on one side has their mean on that side too.

    >>> certificate([[0, 0], [0, 1], [1, 0], [1, 1]], [1, -1, -1, 1], [1, 1, 1, 1])
    No line: the two classes share a weighted mean, (0.5, 0.5): a weighted mean of the ...
    """
    X, y = checks.labelled(X, y)
    multipliers = checks.fractions(multipliers, None, "multipliers")
    if not Inseparable(with_bias(X), y, multipliers).verify():
        raise ValueError("multipliers must be whole λ_i >= 0 with sum_i λ_i y_i (x_i, 1) = 0")
    if X.shape[1] == 1:
        style.drawable(X, "X")
        parts.number_line(ax, X[:, 0], 0.6)
        style.resize(ax.figure, 5.6, 1.9)
    else:
        parts.frame(ax, style.in_the_plane(X, y)[0])
    for i, x in enumerate(X):
        parts.note(ax, str(i), (*x, 0)[:2], fontsize=8.5)
    return _one_mean(ax, X, y, multipliers)


def _one_mean(ax, X, y, multipliers):
    """Strokes from the examples with a multiplier to the mean of either class, marked by a star."""
    written = numbers if X.shape[1] == 2 else lambda point: number(point[0])
    X = X if X.shape[1] == 2 else np.hstack([X, np.zeros_like(X)])
    share = np.array([float(2 * v / sum(multipliers)) for v in multipliers])  # of its class
    mean, used = X[y > 0].T @ share[y > 0], []
    parts.multipliers(ax, X, share / 2)
    parts.marks(ax, X, y, 60)
    for sign, ls in ((1, "-"), (-1, "--")):
        corners = X[(y == sign) & (share > 0)]
        used.append(" and ".join(map(written, corners)))
        for corner in corners:
            ax.plot(*np.array([corner, mean]).T, color=CLASSES[sign]["color"], lw=1.8, ls=ls)
    ax.plot(*mean, "*", ms=20, mfc="white", mec=INK, mew=1.3, zorder=2.8)
    return f"No line: the two classes share a weighted mean, {written(mean)}", (
        f"a weighted mean of the positive examples ({used[0]}) and one of the negative examples "
        f"({used[1]}) are the same point, {written(mean)}, marked by a star."
    )


@style.picture(10.0, 5.2, columns=0)
def shatter(figure, X, title=""):
    """All labellings of a few points, each with a line that does it or a proof that there is none
    (Q8): d + 1 points in general position are shattered, d + 2 never are (Radon).

    >>> shatter([[0, 0], [1, 0], [0, 1]])
    3 points: 8 of 8 labellings by a line, shattered: 8 small pictures of the same 3 ...
    """
    X = style.points(X)
    if not 1 <= len(X) <= 4:
        raise checks.refusal("X", "1 to 4 points in the plane, for 2 to 16 labellings", X)
    labellings, done = [np.array(y) for y in product((1, -1), repeat=len(X))], 0
    room = 0.3 * np.ptp(X, axis=0).max() or 1
    columns = min(len(labellings), 2 * len(X))
    rows = -(-len(labellings) // columns)
    columns = len(labellings) // rows
    style.resize(figure, 10.4 if columns > 2 else 5, 10.4 / max(columns, 4) * rows + 0.6)
    axes = figure.subplots(rows, columns, squeeze=False).flat
    for ax, y in zip(axes, labellings, strict=True):
        style.plain(ax)
        style.show_all(ax, X - room, X + room)
        ax.set(xticks=[], yticks=[])
        ax.set_title(" ".join("+" if sign > 0 else "−" for sign in y), fontsize=10)
        if isinstance(found := separate(with_bias(X), y), Inseparable):
            _one_mean(ax, X, y, [int(v) for v in found.multipliers])
        else:
            done += 1
            parts.marks(ax, X, y, 70)
            parts.line(ax, found.w[:2], found.w[2], look={**U, "lw": 1.4}, name="")
    many = len(labellings)
    verdict = "shattered" if done == many else "not shattered"
    return f"{len(X)} points: {done} of {many} labellings by a line, {verdict}", (
        f"{many} small pictures of the same {len(X)} points, one for each labelling; {done} with "
        f"a line that separates the classes, {many - done} with the common point of both hulls, "
        "Radon's point, which no line can separate from itself."
    )
