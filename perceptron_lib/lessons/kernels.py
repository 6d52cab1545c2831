"""Lesson 9, the dual form and kernels.

A run is known by how often each example was added, alpha, and the score of an example is a sum of
inner products with those: `kernel_perceptron` runs on the table of all inner products alone.  A
kernel makes that table for feature vectors that are never written down.

Each kernel takes two tables of examples and gives the table of inner products of their images,
so that ``kernel(X, X)`` is a Gram matrix and ``kernel(new, X)`` is what a prediction needs (D5).
"""

import itertools
import warnings
from collections.abc import Callable
from fractions import Fraction
from functools import cached_property, partial, reduce

import numpy as np
from matplotlib.colors import LinearSegmentedColormap

from perceptron_lib import checks, examples
from perceptron_lib.checks import door, limit
from perceptron_lib.claims.claim import Proof, on_run
from perceptron_lib.claims.mistakes import MISTAKES, every_mistake
from perceptron_lib.claims.quantities import Quantities
from perceptron_lib.exact import dot, integers
from perceptron_lib.exercises import Wrong, checker, require, value_of, whole_list
from perceptron_lib.perceptron import Weights, perceptron, run_of
from perceptron_lib.plots import parts, style
from perceptron_lib.run import Run, read_only
from perceptron_lib.show import count, number, symbols
from perceptron_lib.widgets.explorer import Explorer, Redrawn, axes, choice, counter, slider


@door(n=limit(checks.whole, 2, examples.MOST))
def rings(n=60, seed=0):
    """A disc (negative) inside a ring (positive): a circle separates them, but no line does
    (unless there are very few of them).

    >>> X, y, _ = rings(6)
    >>> (X**2).sum(axis=1).round(2).tolist(), y.tolist()
    ([0.58, 0.02, 0.74, 0.01, 0.91, 0.03], [1, -1, 1, -1, 1, -1])
    """
    unit, y = 2**examples.GRID, np.where(np.arange(n) % 2 == 0, 1, -1)
    whole = partial(examples.random_whole, examples.random_bits(seed), (n,))
    t = whole(-unit, unit) / unit  # a rational point of the half circle, by t
    side = 2 * whole(0, 1) - 1
    radius = np.where(y > 0, 768, 0) + whole(0, 256) * np.where(y > 0, 1, 2)
    direction = np.column_stack([side * (1 - t**2), 2 * t]) / (1 + t**2)[:, None]
    return examples.Examples(np.rint(radius[:, None] * direction * (unit / 1024)) / unit, y)


@door(n=limit(checks.whole, 1, examples.MOST))
def coin_tosses(n, seed=0):
    """Labels that know nothing of the examples.

    >>> coin_tosses(6).tolist()
    [-1, 1, 1, -1, -1, -1]
    """
    return 2 * examples.random_whole(examples.random_bits(seed), (n,), 0, 1) - 1


def _with_columns_of_A(B, name, before):
    """A table with as many columns as A."""
    B, d = checks.table(B, name), before["A"].shape[1]
    if B.shape[1] != d:
        raise ValueError(f"A and B must have the same columns; got {d} and {B.shape[1]}")
    return B


kernel_door = partial(
    door, B=_with_columns_of_A, constant=limit(checks.exact_float),
    degree=limit(checks.whole, 1, 1000), width=limit(
        checks.fraction, "a number above 0 (and of middling size)", lambda v: 1e-150 < v < 1e150),
)  # fmt: skip


@kernel_door
def linear(A, B):
    """a·b, with which the dual form is that of the Perceptron itself (D1).

    >>> linear([[1, 2]], [[3, 4]])
    array([[11.]])
    """
    return A @ B.T


@kernel_door
def polynomial(A, B, degree=2, constant=1.0):
    """(a·b + constant)**degree: all products of up to `degree` coordinates.

    >>> polynomial([[1, 2]], [[3, 4]])
    array([[144.]])
    """
    return reduce(np.multiply, [A @ B.T + constant] * degree)  # so whole numbers stay whole


@kernel_door
def gaussian(A, B, width=1.0):
    """exp(-||a - b||² / (2 width²)).

    >>> gaussian([[0.0, 0.0]], [[0.0, 0.0]])
    array([[1.]])
    """
    middle = B.mean(axis=0)  # distances do not change, and far from 0 less is lost to rounding
    A, B = A - middle, B - middle
    squares = (A * A).sum(axis=1)[:, None] + (B * B).sum(axis=1) - 2 * (A @ B.T)
    return np.exp(-np.maximum(squares, 0) / (2 * float(width) ** 2))


def _gram_matrix(K, name, _):
    """A table of inner products: square, symmetric (but for rounding, which is mended), and with a
    warning if it has a negative eigenvalue (beyond what rounding may bring)."""
    K = checks.table(K, name)
    if K.shape[0] != K.shape[1]:
        raise ValueError(f"K must be square, a row and a column for each example; got {K.shape}")
    size = float(np.abs(K).max()) or 1.0
    with np.errstate(over="ignore"):
        apart = np.abs(K - K.T)
    i, j = np.unravel_index(np.argmax(apart), K.shape)
    if apart[i, j] > (0 if np.array_equal(K, np.rint(K)) else 1e-12 * size):
        raise ValueError(f"K must be symmetric; K[{i}, {j}] and K[{j}, {i}] differ")
    K = K if np.array_equal(K, K.T) else K / 2 + K.T / 2
    try:
        root = np.linalg.cholesky(K / size + 1e-9 * len(K) * np.eye(len(K)))
        semidefinite = np.diag(K).min() >= 0 and np.isfinite(root).all()
    except np.linalg.LinAlgError:  # which NumPy cannot raise in a browser: the root is nan there
        semidefinite = False
    if not semidefinite:
        least = float(np.linalg.eigvalsh(K)[0])
        warnings.warn(
            f"K is not positive semidefinite (smallest eigenvalue {least:.3g}), so it is no table "
            "of inner products, and no theorem applies", stacklevel=3,
        )
    return K


@door(K=_gram_matrix)
def kernel_perceptron(K, y, tie="mistake", order=None, max_passes=1000):
    """Run the Perceptron in its dual form, on a Gram matrix K_ij = x_i·x_j (D1).

    The score of example i is sum_j alpha_j z_j·z_i: y_i times its row of K times all alpha_j y_j.
    A kernel makes K; ``run.predict(kernel(new, X))`` uses it.

    >>> X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    >>> kernel_perceptron((X @ X.T + 1) ** 2, [1, -1, -1, 1]).outcome
    'converged'
    """
    return run_of(Counts(K, y, tie=tie), order, max_passes, kind=KernelRun)


class Counts(Weights):
    """How often each example was added, times its label, in the place of w; X is K."""

    def renew(self, anew=False):
        self.largest_start, self.growth = 0, 1
        super().renew(anew)

    def add(self, i):
        self.w[i] += self.y[i]
        self.renew()

    def in_whole_numbers(self):
        if self.whole is None:
            super().in_whole_numbers()
        return integers(self.w, 0)[0], self.exponent

    def is_back(self, passes):
        self.mark = self.w  # for other counts may be the same w
        return super().is_back(passes)


def _products(K, name, before):
    """The inner products of new examples with those of a run: a column for each of these."""
    K, n = checks.table(K, name), len(before["self"].y)
    if K.shape[1] != n:
        wanted = f"{count(n, 'column')}, one for each training example"
        raise ValueError(f"K must have {wanted}; got {K.shape[1]}")
    return K


class KernelRun(Run):
    """A run in feature space: X is the Gram matrix, and there are no weights, only alpha.

    Z is the table of all z_i·z_j = y_i y_j K_ij.

    >>> X, y = np.array([[1, 0], [0, 1]]), [1, -1]
    >>> run = kernel_perceptron(linear(X, X), y)
    >>> run.alpha.tolist(), run.predict(linear([[3, 1]], X)).tolist()
    ([1, 1], [1])
    """

    @cached_property
    def Z(self):
        """The table of all z_i·z_j."""
        return read_only(self.y[:, None] * self.X * self.y)

    @door(K=_products)
    def scores(self, K):
        """The scores of new examples, in floats (`predict` is exact); K holds their inner products
        with the training examples."""
        return K @ (self.alpha * self.y)

    @door(K=_products)
    def all_scores(self, K):
        """The same for every hypothesis of the run: a column for w_1, w_2, … w_{M+1}."""
        steps = K[:, self.updates] * self.y[self.updates]
        return np.hstack([np.zeros((len(steps), 1)), np.cumsum(steps, axis=1)])

    @door(K=_products)
    def predict(self, K):
        """The labels of new examples, by their inner products with the training examples."""
        return self._labels(K, self.alpha * self.y)

    def _no_weights(self):
        raise ValueError("a kernel run has no weights in feature space; use alpha and scores")

    w = weights = exact_w = exact_weights = property(_no_weights)


# --- theorems -------------------------------------------------------------------------------------


class Coefficients(Quantities):
    """The numbers of a kernel run: Z and W are coefficients of the z_i, and `table` holds z_i·z_j,
    in whole numbers."""

    def __init__(self, run, beta):
        self.load(run)
        # A coefficient has no unit, but u, a sum of examples, has theirs.
        super().__init__(run, [b * self.unit for b in beta], separates=False)

    def load(self, run):
        table, exponent = integers(run.Z)
        odd = exponent % 2  # the unit of the products is the square of that of the data
        self.table, self.unit = table.astype(object) * 2**odd, Fraction(2) ** (exponent // 2)
        self.Z = np.eye(len(run.y), dtype=np.int64)
        self.W = np.cumsum([0 * self.Z[0], *self.Z[run.updates]], axis=0)

    def across(self, V):
        return dot(V, self.table)


_kernel_run = limit(KernelRun, "a KernelRun, as kernel_perceptron(K, y) returns")


@door(run=_kernel_run, beta=lambda beta, name, before: checks.fractions(
    beta, len(before["run"].y), name, "a number for each example"))  # fmt: skip
def kernel_bound(run, beta):
    """The proof of M <= (R/γ)² on a kernel run, for the separator u = sum_i beta_i z_i in feature
    space (D5).

    Every line is the mistake bound's.  If the Gram matrix is none, so that no feature space has
    these inner products, then Cauchy–Schwarz may fail (D6).

    >>> X, y, _ = examples.xor()
    >>> run = kernel_perceptron(polynomial(X, X), y)
    >>> kernel_bound(run, beta=run.alpha)["P5"]
    P5 holds (21 values checked)
    """
    if not any(beta):
        raise ValueError("beta must make a separator in feature space; all of it is 0")
    q = Coefficients(run, beta)
    if q.g <= 0:
        where = f"example {int(np.argmin(q.each_zu))} is not on its own side"
        raise ValueError(f"beta must make a separator in feature space; {where}")
    title = f"The mistake bound on a kernel run of {run.mistakes} mistakes"
    return Proof(title, [every_mistake(q), *on_run(MISTAKES, q)], MISTAKES)


# --- pictures -------------------------------------------------------------------------------------


@style.picture(4.4)
@door(K=_gram_matrix)
def gram(ax, K, y, title=""):
    """A Gram matrix as a picture, the positive examples first (D5).

    >>> gram([[2, 1], [1, 2]], [1, -1])
    Mean product 2 within +, 1 across: 2 by 2 inner products from 1 to 2; 2 on ...
    """
    order, positive = np.argsort(-style.drawable(y, "y"), kind="stable"), int(np.sum(y > 0))
    K = K[np.ix_(order, order)]
    size = float(np.abs(K).max()) or 1.0
    colours = LinearSegmentedColormap.from_list("signed", [style.VERMILION, style.CARD, style.BLUE])
    image = ax.imshow(K, cmap=colours, vmin=-size, vmax=size)
    bar = ax.figure.colorbar(image, ax=ax, shrink=0.85, label="inner product")
    bar.ax.set_ylim(min(0.0, float(K.min())), size)
    ax.axhline(positive - 0.5, color=style.INK, lw=0.8)
    ax.axvline(positive - 0.5, color=style.INK, lw=0.8)
    parts.label(ax, ("example j", "example i"))
    ax.locator_params(integer=True)
    words = finding = f"{len(K)} by {len(K)} inner products {parts.span([K.min(), K.max()])}"
    if 0 < positive < len(K):
        same, other = K[:positive, :positive].mean(), K[:positive, positive:].mean()
        finding = f"Mean product {number(same)} within +, {number(other)} across"
        words += f"; {number(same)} on average between two positive examples"
        words += f"; {number(other)} between a positive and a negative one"
    return finding, words + "."


def _height(X, run, kernel, points):
    """What has the sign of the score, and can be interpolated: the score or, where no product is
    negative, the logarithm of its positive part over that of its negative part."""
    K = kernel(points, X)
    if K.min() < 0:
        return run.scores(K)
    up, down = (K @ np.where(run.y == sign, run.alpha, 0) for sign in (1, -1))
    return np.log(np.maximum(up, 1e-300)) - np.log(np.maximum(down, 1e-300))


@style.picture()
@door(run=_kernel_run, cells=limit(checks.whole), kernel=limit(Callable, "a function"))
def regions(ax, X, y, run, kernel, cells=200):
    """Where a kernel run, made with `kernel(A, B)`, predicts + and −, the curve between, and a ring
    for each alpha (D3).

    >>> X, y, _ = examples.xor()
    >>> run = kernel_perceptron(polynomial(X, X), y)
    >>> regions(X, y, run, polynomial)
    21 updates: 4 of 4 right, 4 have α > 0: 2 positive and 2 negative ...
    """
    parts.draw_examples(ax, X, y)
    parts.shade_sign(ax, partial(_height, X, run, kernel), cells, 0.3)
    right, used = int(np.sum(run.predict(kernel(X, X)) == y)), np.sum(run.alpha > 0)
    parts.multipliers(ax, X, run.alpha / max(run.alpha.max(), 1) * min(0.4, 5 / max(used, 1)))
    finding = f"{count(run.mistakes, 'update')}: {right} of {len(y)} right"
    return f"{finding}, {used} have α > 0", (
        f"{parts.tally(y)}. {run.mistakes} updates, outcome: {run.outcome}; {used} examples have "
        f"alpha above 0, the largest {run.alpha.max()}; {right} of {len(y)} are right."
    )


@style.picture(2.8, columns=0)
@door(sigmas=lambda sigmas, name, before: checks.fractions(sigmas, 3, name))
def widths(figure, X, y, sigmas):
    """What runs with Gaussians of three widths draw, and how many mistakes they make (D5).

    >>> widths(*rings()[:2], [0.03, 0.3, 3])
    With σ = 3, 60 of 60 were wrong at least once: 30 positive and 30 negative examples. ...
    """
    words = [parts.tally(y)]
    for k, width in enumerate(map(float, sigmas)):
        ax, kernel = figure.add_subplot(1, 3, k + 1), partial(gaussian, width=width)
        run = kernel_perceptron(kernel(X, X), y)
        name, made, used = f"σ = {number(width)}", count(run.mistakes, "mistake"), run.alpha > 0
        style.show_all(ax, 1.12 * style.plane_points(X))
        ax.set(xticks=[], yticks=[], facecolor="none", title=symbols(name), xlabel=made)
        parts.marks(ax, X, y, 22)
        parts.shade_sign(ax, partial(_height, X, run, kernel), 200, 0.06)
        look = {"facecolor": "none", "edgecolor": style.ORANGE, "lw": 1.8, "zorder": 2.6}
        ax.scatter(*X[used].T, s=62, **look)
        words.append(f"{name}: {made}, {used.sum()} with α > 0")
    return f"With {name}, {used.sum()} of {len(y)} were wrong at least once", f"{'. '.join(words)}."


# --- an explorer ----------------------------------------------------------------------------------

KERNEL_DATA = {"XOR": examples.xor, "rings": rings,
               "coin tosses": lambda: rings()._replace(y=coin_tosses(60)),
               "margin ≥ 1/16": lambda: examples.separable(40, 2, 0.0625, 3)}  # fmt: skip


def explorer():
    """Choose data, kernel, and degree or width: the regions and the alphas follow (D5).

    >>> print(explorer().words)
    4 updates: 4 of 4 right, 4 have α > 0. Gaussian kernel of width ...
    """
    data, which = choice("data", KERNEL_DATA), choice("kernel", ["Gaussian", "polynomial"])
    degree = counter("degree", 2, 6, least=1)
    width = slider("width", [0.05, 0.1, 0.2, 0.3, 0.5, 1, 2], 0.3)
    (ax,) = axes(5.2, (0.14, 0.13, 0.83, 0.84))

    def load():
        X, y, _ = KERNEL_DATA[data.value]()
        return Redrawn(regions, ax, X=X, y=y, cells=110), X, y

    def draw(picture, X, y):
        width.disabled = which.value == "polynomial"
        degree.disabled = not width.disabled
        kernel, shape = partial(gaussian, width=width.value), f"width {width.value:g}"
        if width.disabled:
            kernel, shape = partial(polynomial, degree=degree.value), f"degree {degree.value}"
        run = kernel_perceptron(kernel(X, X), y, max_passes=200)
        finding, words = picture.show(run=run, kernel=kernel)
        return finding, f"{which.value.capitalize()} kernel of {shape}. {words}", ""

    return Explorer([data, which, degree, width], load, draw, [data])


# --- the exercises --------------------------------------------------------------------------------


@checker(
    "09.1",
    "Write down the five z = y x. An update adds one of them, and raises its count by 1.",
    "A score of 0 is a mistake. Go on until a whole pass, from 4 to 0, makes no update.",
)
def alpha_by_hand(alpha):
    """The dual coefficients of the run on the five points, taken backwards (D1)."""
    alpha = whole_list(alpha, "the answer must be a list of five whole numbers")
    X, y, _ = examples.five_points()
    run, forwards = perceptron(X, y, order=[4, 3, 2, 1, 0]), perceptron(X, y)
    right, updates = run.alpha.tolist(), run.updates.tolist()
    require(len(alpha) == 5, f"five numbers are asked for, these are {len(alpha)}")
    require(min(alpha) >= 0, "a count is never negative")
    require(alpha != forwards.alpha.tolist(), "these are the counts of the order 0, 1, 2, 3, 4")
    require(alpha != right[::-1], "the counts are to be listed from example 0 to example 4")
    order = "this is the order of the updates: count how often each example is there"
    require(alpha != updates, order)
    w = (np.array(alpha, dtype=object) * y) @ X
    wrong = np.flatnonzero(y * (X @ w) <= 0)
    require(not len(wrong), f"with these counts, example {[*wrong, 0][0]} is still wrong")
    differ = "all are right, but the run makes a different number of updates"
    require(sum(alpha) == sum(right), differ)
    require(alpha == right, "the sum is right, but not every count: the first update is of 4")
    return "how often each example was added."


@checker(
    "09.2",
    "Two by two entries are not enough: think of three vectors of length 1.",
    "If x is equal to x′, and x′ to x″, what must the product of x and x″ be? Write another.",
)
def no_gram_matrix(K, beta):
    """A symmetric matrix that is no Gram matrix, and a β with β·Kβ < 0 that proves it (D6)."""
    K, beta = checks.table(K, "K"), checks.vector(beta, name="beta")
    require(K.shape == (len(K), len(K)) and (K == K.T).all(), "K must be square and symmetric")
    require((np.diag(K) > 0).all(), "the diagonal must be positive, or it would be too easy")
    require(len(beta) == len(K), f"beta must have {len(K)} entries")
    K, beta = integers(K)[0].astype(object), integers(beta)[0]
    for i, j in itertools.combinations(range(len(K)), 2):
        bad = f"K[{i}, {j}]² is larger than K[{i}, {i}]·K[{j}, {j}], as in the lesson"
        require(K[i, j] ** 2 <= K[i, i] * K[j, j], bad)
    form = dot(beta, dot(K, beta))  # in units of their own, which does not change its sign
    require(form != 0, "β·Kβ is 0, which a Gram matrix allows")
    require(form < 0, "β·Kβ is not below 0: this β proves nothing")
    return "β·Kβ is below 0, while a Gram matrix has β·Kβ = ‖Σ β_i x_i‖² ≥ 0."


@checker(
    "09.3",
    "In the lesson a bit could be left out or taken, and its factor counted what is true of both.",
    "Now a bit can also be taken negated. What is true of two equal bits, and of different ones?",
)
def literals(kernel):
    """The kernel of all conjunctions in which bits may be negated, and a run with it (D8)."""
    words, chosen = (np.array(list(itertools.product(range(k), repeat=4))) for k in (2, 3))
    true = ((chosen == words[:, None]) | (chosen == 2)).all(axis=2).astype(int)  # 2: left out
    table, right = np.array(value_of(kernel, words[:9], words)), true[:9] @ true.T
    require(table.shape == right.shape, "for 9 words and 16 words your table must be 9 by 16")
    plain = (table == 2 ** (words[:9] @ words.T)).all()
    require(not plain, "this is the lesson's kernel, whose conjunctions have no negated bits")
    for i, j in np.argwhere(table != right)[:1]:
        pair = " and ".join("".join(map(str, words[k])) for k in (i, j))
        told = f"hold for both {pair}, but your kernel gives {table[i, j]}"
        raise Wrong(f"{right[i, j]} conjunctions {told}")
    run = kernel_perceptron(value_of(kernel, words, words), (-1) ** words.sum(axis=1))
    learnt = f"a run learns in {count(run.mistakes, 'mistake')} which words have an even sum"
    return f"these are all {len(chosen)} conjunctions. With them {learnt}."
