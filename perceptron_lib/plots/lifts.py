"""Lifts to three dimensions, where a plane through the origin does what no such line can."""

import numpy as np

from perceptron_lib import checks
from perceptron_lib.plots import parts, style
from perceptron_lib.plots.style import AID, CLASSES, GREEN, INK
from perceptron_lib.show import number, numbers


@style.picture(9.6, 4.4, columns=0)
def lift(figure, X, y, heights, w, title=""):
    """Examples lifted to (x_1, x_2, height) and the plane w·(x_1, x_2, height) = 0.

    `heights` is a number (the constant feature of a bias, A8), a function of a table of points
    (x_1 x_2 for XOR, D5), or a list, one for each example (the lift of H5).  Of the first two the
    right-hand picture shows where the plane cuts the lifted plane, seen from above: the boundary.
    """
    (X, y), w = style.in_the_plane(X, y), style.direction(w, n=3)
    formula = heights if callable(heights) else None
    if np.ndim(heights) == 0 and formula is None:
        height = style.real(heights, "heights")
        formula = lambda points: np.full(len(points), height)  # noqa: E731
    up = style.floats(formula(X) if formula else heights, "heights", len(X))
    right = int(np.sum(y * (X @ w[:2] + w[2] * up) > 0))
    ax = figure.add_subplot(1, 2 if formula else 1, 1, projection="3d")
    if not formula:
        style.resize(figure, 5.6, 4.6)
    half = 1.25 * max(np.abs(X).max(), 1e-9)
    _space(ax, X, y, up, w, half)
    if formula:
        _from_above(figure.add_subplot(1, 2, 2), X, y, formula, w)
    return f"Lifted to 3 dimensions, a plane has {right} of {len(y)} examples right", (
        f"{parts.tally(y)}, lifted by heights from {number(up.min())} to {number(up.max())}; "
        f"the plane through the origin with normal {numbers(w)} has {right} of {len(y)} on their "
        f"own side{', and cuts out the boundary drawn beside it' if formula else ''}."
    )


def _space(ax, X, y, up, w, half):
    """The lifted examples on stems, and the plane through the origin."""
    ax.set_facecolor("none")
    ax.view_init(elev=18, azim=-62)
    low, high = min(0.0, up.min()), max(0.0, up.max())
    tall = (high - low) or 1.0
    low, high = low - 0.25 * tall, high + 0.25 * tall
    grid = np.linspace(-half, half, 61)
    a, b = np.meshgrid(grid, grid)
    if w[2]:  # solve for the height, and leave out what is beyond the box
        c = -(w[0] * a + w[1] * b) / w[2]
        c[(c < low) | (c > high)] = np.nan
        ax.plot_surface(a, b, c, color=GREEN, alpha=0.3, lw=0, antialiased=True, shade=False)
    else:
        along = np.array([-w[1], w[0]]) / np.hypot(*w[:2])
        s, c = np.meshgrid(grid, [low, high])
        ax.plot_surface(s * along[0], s * along[1], c, color=GREEN, alpha=0.3, lw=0, shade=False)
    for sign, look in CLASSES.items():
        own = y == sign
        for (p, q), h in zip(X[own], up[own], strict=True):
            ax.plot([p, p], [q, q], [0, h], **AID | {"lw": 0.9})
        ax.scatter(*X[own].T, up[own], s=46, edgecolor="white", depthshade=False, **look)
    ax.plot(0, 0, 0, "o", color=INK, ms=4)
    ax.set(xlim=(-half, half), ylim=(-half, half), zlim=(low, high))
    ax.set(xlabel="$x_1$", ylabel="$x_2$", zlabel="height")
    ax.tick_params(labelsize=7, pad=-1)
    ax.locator_params(nbins=4)
    ax.set_box_aspect((1, 1, 0.75), zoom=0.88)


def _from_above(ax, X, y, formula, w):
    """Where the plane cuts the lifted plane: the boundary among the examples."""
    style.plain(ax)
    parts.frame(ax, X, room=0.3, size=False)
    (left, right), (low, high) = ax.get_xlim(), ax.get_ylim()
    limits = (2 * left - right, 2 * right - left, 2 * low - high, 2 * high - low)
    x, z = np.meshgrid(np.linspace(*limits[:2], 301), np.linspace(*limits[2:], 301))
    points = np.column_stack([x.ravel(), z.ravel()])
    up = checks.table([formula(points)], "heights")[0]
    parts.shade_sign(ax, (points @ w[:2] + w[2] * up).reshape(x.shape), limits)
    parts.scatter(ax, X, y)
    ax.set_title("the same, seen from above", fontsize=10)
