"""The dual form: Gram matrices, and where a kernel run predicts + and −."""

import numpy as np

from perceptron_lib import checks
from perceptron_lib.kernels import KernelRun
from perceptron_lib.plots import parts, style
from perceptron_lib.show import count, number


@style.picture(5.2, 4.4)
def gram(ax, K, y, title=""):
    """A Gram matrix as a picture, examples sorted by class, and those that are most like their own
    class first (D5)."""
    K = checks.table(K, "K")
    y = checks.labels(y, len(K))
    if K.shape[1] != len(K):
        raise ValueError(f"K must be square, a row and a column an example; got shape {K.shape}")
    order, positive = np.lexsort((-y * (style.drawable(K, "K") @ y), -y)), int(np.sum(y > 0))
    K = K[np.ix_(order, order)]
    size = float(np.abs(K).max()) or 1.0
    image = ax.imshow(K, cmap=style.SIGNED, vmin=-size, vmax=size)
    bar = ax.figure.colorbar(image, ax=ax, shrink=0.85, label="inner product")
    bar.ax.set_ylim(min(0.0, float(K.min())), size)
    ax.axhline(positive - 0.5, color=style.INK, lw=0.8)
    ax.axvline(positive - 0.5, color=style.INK, lw=0.8)
    ax.set(xlabel="example j (positive ones first)", ylabel="example i (positive ones first)")
    for axis in (ax.xaxis, ax.yaxis):
        axis.get_major_locator().set_params(integer=True)
    words = f"{len(K)} by {len(K)} inner products from {number(K.min())} to {number(K.max())}"
    finding = words
    if 0 < positive < len(K):
        same, other = K[:positive, :positive].mean(), K[:positive, positive:].mean()
        finding = f"Mean product {number(same)} within +, {number(other)} between classes"
        words += f"; {number(same)} on average between two positive examples"
        words += f"; {number(other)} between a positive and a negative one"
    return finding, words + "."


class Regions:
    """Where a kernel run predicts + and −, the curve between, and a ring for each alpha (D3)."""

    def __init__(self, ax, X, y, cells):
        self.ax, (self.X, self.y), self.cells = ax, style.in_the_plane(X, y), cells
        parts.frame(ax, self.X)
        parts.marks(ax, self.X, self.y, 34)
        (left, right), (low, high) = ax.get_xlim(), ax.get_ylim()
        aside, up = 0.3 * (right - left), 0.3 * (high - low)
        self.limits = (left - aside, right + aside, low - up, high + up)
        x, z = np.linspace(*self.limits[:2], cells), np.linspace(*self.limits[2:], cells)
        self.grid = np.column_stack([a.ravel() for a in np.meshgrid(x, z)])
        self.drawn = []

    def show(self, run, kernel):
        """Draw the regions of `run`, made with `kernel(A, B)`; a few words, and all in words."""
        checks.instance(run, KernelRun, "run", "a KernelRun")
        if not np.array_equal(run.y, self.y):
            raise ValueError("the run must be one on these examples; its labels are others")
        for artist in self.drawn:
            artist.remove()
        kept, scores = set(self.ax.collections), run.scores(kernel(self.grid, self.X))
        parts.shade_sign(self.ax, scores.reshape(self.cells, self.cells), self.limits)
        parts.multipliers(self.ax, self.X, run.alpha / max(run.alpha.max(), 1) * 0.4)
        self.drawn = [artist for artist in self.ax.collections if artist not in kept]
        right, used = int(np.sum(run.predict(kernel(self.X, self.X)) == self.y)), run.alpha > 0
        rings = f"α > 0 (rings) at {np.sum(used)} of {len(used)}"
        return f"{count(run.mistakes, 'update')}; {rings}; {right} right", (
            f"{parts.tally(self.y)}. {run.mistakes} updates, outcome: {run.outcome}; "
            f"{np.sum(used)} examples have alpha above 0, the largest {run.alpha.max()}; {right} "
            f"of {len(self.y)} are right; {np.mean(scores > 0):.0%} of the picture is predicted "
            "positive."
        )


@style.picture(5.4, 4.8)
def regions(ax, X, y, run, kernel, title=""):
    """The regions of a kernel run as a picture."""
    return Regions(ax, X, y, cells=200).show(run, kernel)
