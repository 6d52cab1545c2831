"""The dual form: Gram matrices, and where a kernel run predicts + and −."""

import numpy as np

from perceptron_lib import checks
from perceptron_lib.kernels import KernelRun
from perceptron_lib.plots import style
from perceptron_lib.show import number


@style.picture(4.8, 4.0)
def gram(ax, K, y, title=""):
    """A Gram matrix as a picture, examples sorted by class (D5)."""
    K = checks.table(K, "K")
    y = checks.labels(y, len(K))
    if K.shape[1] != len(K):
        raise ValueError(f"K must be square, a row and a column an example; got shape {K.shape}")
    order, positive = np.argsort(-y, kind="stable"), int(np.sum(y > 0))
    K = style.drawable(K, "K")[np.ix_(order, order)]
    size = float(np.abs(K).max()) or 1.0
    image = ax.imshow(K, cmap=style.SIGNED, vmin=-size, vmax=size)
    bar = ax.figure.colorbar(image, ax=ax, shrink=0.85)
    bar.ax.set_ylim(min(0.0, float(K.min())), size)
    ax.axhline(positive - 0.5, color=style.INK, lw=0.8)
    ax.axvline(positive - 0.5, color=style.INK, lw=0.8)
    ax.set(xlabel="example j (positive ones first)", ylabel="example i")
    words = f"{len(K)} by {len(K)} inner products from {number(K.min())} to {number(K.max())}"
    if 0 < positive < len(K):
        same, other = K[:positive, :positive].mean(), K[:positive, positive:].mean()
        words += f"; {number(same)} on average between two positive examples"
        words += f"; {number(other)} between a positive and a negative one"
    return words + "."


class Regions:
    """Where a kernel run predicts + and −; the size of a marker shows its alpha (D3)."""

    def __init__(self, ax, X, y, cells):
        self.ax, (self.X, self.y) = ax, style.in_the_plane(X, y)
        style.frame(ax, self.X)
        limits = (*ax.get_xlim(), *ax.get_ylim())
        x, z = np.linspace(*limits[:2], cells), np.linspace(*limits[2:], cells)
        self.grid = np.column_stack([a.ravel() for a in np.meshgrid(x, z)])
        self.image = ax.imshow(
            np.zeros((cells, cells)), extent=limits, origin="lower", vmin=-4, vmax=4,
            cmap=style.SIGNED, zorder=-1, interpolation="nearest",
        )
        self.marks = style.marks(ax, self.X, self.y)

    def show(self, run, kernel):
        """Draw the regions of `run`, made with `kernel(A, B)`, and return them in words."""
        checks.instance(run, KernelRun, "run", "a KernelRun")
        if not np.array_equal(run.y, self.y):
            raise ValueError("the run must be one on these examples; its labels are others")
        signs = np.sign(run.scores(kernel(self.grid, self.X)))
        self.image.set_data(signs.reshape(self.image.get_array().shape))
        for mark, sign in zip(self.marks, (1, -1), strict=True):
            alpha = run.alpha[self.y == sign]
            order = np.argsort(alpha, kind="stable")  # the largest are drawn last, and translucent
            mark.set_offsets(self.X[self.y == sign][order])
            mark.set_sizes(22 + 60 * alpha[order])
            mark.set_alpha(np.where(alpha[order] > 0, 0.75, 1.0))
        right = int(np.sum(run.predict(kernel(self.X, self.X)) == self.y))
        return (
            f"{style.tally(self.y)}. {run.mistakes} updates, outcome: {run.outcome}; "
            f"{np.sum(run.alpha > 0)} examples have alpha above 0; {right} of {len(self.y)} are "
            f"right; {np.mean(signs > 0):.0%} of the picture is predicted positive."
        )


@style.picture(5.2, 4.6)
def regions(ax, X, y, run, kernel, title=""):
    """The regions of a kernel run as a picture."""
    return Regions(ax, X, y, cells=200).show(run, kernel)
