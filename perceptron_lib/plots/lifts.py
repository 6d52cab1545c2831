"""Beyond lines: lifts to three dimensions, Gram matrices, and the regions of a kernel run."""

from itertools import combinations, product

import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from mpl_toolkits.mplot3d.art3d import Poly3DCollection

from perceptron_lib import checks
from perceptron_lib.kernels import KernelRun
from perceptron_lib.plots import parts, style
from perceptron_lib.plots.style import AID, BLUE, GREEN, INK, VERMILION
from perceptron_lib.show import count, number, numbers


@style.picture(9.6, 4.4, columns=0)
def lift(figure, X, y, heights, w, title=""):
    """Examples lifted to (x_1, x_2, height) and the plane w·(x_1, x_2, height) = 0.

    `heights` is a number (the constant feature of a bias, A8), a function of a table of points
    (x_1 x_2 for XOR, D5), or a list, one for each example (the lift of H5).  Of the first two the
    right-hand picture shows where the plane cuts the lifted plane, seen from above: the boundary.

    >>> X, y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), [1, -1, -1, 1]
    >>> lift(X - 0.5, y, lambda points: points[:, 0] * points[:, 1], w=[0, 0, 1])
    Lifted to 3 dimensions: a plane gets 4 of 4 examples right: 2 positive and 2 negative ...
    """
    (X, y), w = style.in_the_plane(X, y), style.direction(w, n=3)
    formula = heights if callable(heights) else None
    if np.ndim(heights) == 0 and formula is None:
        height = style.real(heights, "heights")
        formula = lambda points: np.full(len(points), height)  # noqa: E731
    up = style.floats(formula(X) if formula else heights, "heights", len(X))
    right = np.sum(y * (X @ w[:2] + w[2] * up) > 0)
    _space(figure.add_subplot(1, 2 if formula else 1, 1, projection="3d"), X, y, up, w)
    if formula:
        _from_above(figure.add_subplot(1, 2, 2), X, y, formula, w)
    else:
        style.resize(figure, 5.6, 4.6)
    lifted = f"all lifted to height {number(up[0])}"
    if np.ptp(up):
        lifted = f"lifted to heights {parts.span([up.min(), up.max()])}"
    return f"Lifted to 3 dimensions: a plane gets {right} of {len(y)} examples right", (
        f"{parts.tally(y)}, {lifted}; the plane through the origin with normal {numbers(w)} "
        f"has {right} of {len(y)} on their own side"
        f"{', and cuts out the boundary drawn beside it' if formula else ''}."
    )


def _space(ax, X, y, up, w):
    """The lifted examples on stems, and the plane through the origin, cut off by the box."""
    ax.set_facecolor("none")
    ax.view_init(elev=20, azim=-60)
    ax.computed_zorder = False
    lifted = np.vstack([np.column_stack([X, up]), np.zeros(3)])
    room = 0.2 * np.ptp(lifted, axis=0)
    low, high = lifted.min(axis=0) - room, lifted.max(axis=0) + np.where(room, room, 1)
    corners = np.array(list(product(*zip(low, high, strict=True))))
    edges = [(a, b) for a, b in combinations(corners, 2) if np.sum(a != b) == 1]
    cuts = [a + (a @ w) / (a @ w - b @ w) * (b - a) for a, b in edges if (a @ w) * (b @ w) < 0]
    cuts += [c for c in corners if c @ w == 0]
    if len(cuts) > 2:
        around = np.array(cuts) - np.mean(cuts, axis=0)
        across = np.linalg.svd(around)[2]
        plane = np.array(cuts)[np.argsort(np.arctan2(around @ across[1], around @ across[0]))]
        ax.add_collection3d(Poly3DCollection([plane], color=GREEN, alpha=0.25, lw=0, zorder=0))
    for point in lifted:
        ax.plot(*np.transpose([point * [1, 1, 0], point]), **AID | {"lw": 0.9})
    parts.marks(ax, lifted[:-1], y, depthshade=False)
    ax.plot(0, 0, 0, "o", color=INK, ms=4)
    ax.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), zlim=(low[2], high[2]))
    ax.set(xlabel="$x_1$", ylabel="$x_2$", zlabel="height")
    ax.tick_params(labelsize=7, pad=-1)
    ax.locator_params(nbins=4)
    ax.set_box_aspect((1, 1, 0.75), zoom=1.05)


def _from_above(ax, X, y, formula, w):
    """Where the plane cuts the lifted plane: the boundary among the examples."""

    def score(points):
        return points @ w[:2] + w[2] * checks.table([formula(points)], "heights")[0]

    style.plain(ax)
    parts.frame(ax, X, room=0.3)
    parts.shade_sign(ax, score, 901, 1)  # XOR's corners need a fine grid
    parts.numbered(ax, X, y)
    ax.set_title("the same, seen from above", fontsize=10)


@style.picture(5.2, 4.4)
def gram(ax, K, y, title=""):
    """A Gram matrix as a picture, examples sorted by class, and those that are most like their own
    class first (D5).

    >>> gram([[2, 1], [1, 2]], [1, -1])
    Mean product 2 within +, 1 between classes: 2 by 2 inner products from 1 to 2; 2 on ...
    """
    K = checks.table(K, "K")
    y = checks.labels(y, len(K))
    if K.shape[1] != len(K):
        raise ValueError(f"K must be square, a row and a column an example; got shape {K.shape}")
    order, positive = np.lexsort((-y * (style.drawable(K, "K") @ y), -y)), int(np.sum(y > 0))
    K = K[np.ix_(order, order)]
    size = float(np.abs(K).max()) or 1.0
    colours = LinearSegmentedColormap.from_list("signed", [VERMILION, "white", BLUE])  # − to +
    image = ax.imshow(K, cmap=colours, vmin=-size, vmax=size)
    bar = ax.figure.colorbar(image, ax=ax, shrink=0.85, label="inner product")
    bar.ax.set_ylim(min(0.0, float(K.min())), size)
    ax.axhline(positive - 0.5, color=INK, lw=0.8)
    ax.axvline(positive - 0.5, color=INK, lw=0.8)
    ax.set(xlabel="example j (positive ones first)", ylabel="example i (positive ones first)")
    ax.locator_params(integer=True)
    words = finding = f"{len(K)} by {len(K)} inner products {parts.span([K.min(), K.max()])}"
    if 0 < positive < len(K):
        same, other = K[:positive, :positive].mean(), K[:positive, positive:].mean()
        finding = f"Mean product {number(same)} within +, {number(other)} between classes"
        words += f"; {number(same)} on average between two positive examples"
        words += f"; {number(other)} between a positive and a negative one"
    return finding, words + "."


@style.picture(5.4, 4.8)
def regions(ax, X, y, run, kernel, title="", cells=200):
    """Where a kernel run, made with `kernel(A, B)`, predicts + and −, the curve between, and a ring
    for each alpha (D3).

    >>> from perceptron_lib import kernel_perceptron, kernels, xor
    >>> X, y, _ = xor()
    >>> run = kernel_perceptron(kernels.polynomial(X, X), y)
    >>> regions(X, y, run, kernels.polynomial)
    21 updates; α > 0 (rings) at 4 of 4; 4 right: 2 positive and 2 negative examples. 21 ...
    """
    X, y = parts.examples(ax, X, y)
    checks.instance(run, KernelRun, "run", "a KernelRun")
    if not np.array_equal(run.y, y):
        raise ValueError("the run must be one on these examples; its labels are others")
    def share(points):  # of all that a score could be: it has its sign, and no steep sides
        alike = kernel(points, X)
        part = run.scores(alike) / np.maximum(np.abs(alike) @ run.alpha, 1e-300)
        return np.arctanh(part.clip(-1 + 1e-15, 1 - 1e-15))

    parts.shade_sign(ax, share, cells, 0.3)
    parts.multipliers(ax, X, run.alpha / max(run.alpha.max(), 1) * 0.4)
    right, used = int(np.sum(run.predict(kernel(X, X)) == y)), np.sum(run.alpha > 0)
    rings = f"α > 0 (rings) at {used} of {len(y)}"
    return f"{count(run.mistakes, 'update')}; {rings}; {right} right", (
        f"{parts.tally(y)}. {run.mistakes} updates, outcome: {run.outcome}; "
        f"{used} examples have alpha above 0, the largest {run.alpha.max()}; {right} "
        f"of {len(y)} are right."
    )


class Regions(style.redrawn(regions, "X", "y", "cells")):
    """`regions` on axes that stay: the examples are kept, runs and kernels come and go.

    >>> from perceptron_lib import kernel_perceptron, kernels, xor
    >>> X, y, _ = xor()
    >>> run = kernel_perceptron(kernels.polynomial(X, X), y)
    >>> Regions(style.card(5, 4).subplots(), X, y, cells=50).show(run, kernels.polynomial)[0]
    '21 updates; α > 0 (rings) at 4 of 4; 4 right'
    """
