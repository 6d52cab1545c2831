"""A contact sheet: every picture of the library, on a light and on a dark page, in one PNG.

`python -m tools.sheet [names]` writes build/sheet.png.  The tests draw the same pictures.
"""

import io
import sys
from functools import partial

import numpy as np
from PIL import Image

import perceptron_lib as lib
from perceptron_lib import bounds, kernels, plots, regression, structured
from tools import ROOT

PAGES = ((255, 255, 255), (17, 17, 20))  # a light one and a dark one
WIDE, COLUMNS, GAP = 640, 3, 16


def figures():
    """Every public picture, drawn from the data of the lessons: a name and how to draw it."""
    X, y, u = lib.five_points()
    few, many, petals = lib.separable(14, 2, 0.125, 121), lib.separable(60, 2, 0.0625, 1), _petals()
    run, longer, lifted = (lib.perceptron(*data) for data in ((X, y), many[:2], petals))
    noisy = lib.flip_labels(lib.separable(200, 2, 0.25, 5), 4, 1)
    noisy_run, square = lib.perceptron(noisy.X, noisy.y, max_passes=20), lib.xor()
    stream, far, rings = lib.margin_stream(), lib.outlier(), lib.rings()
    margin_run = lib.margin_perceptron(stream.X, stream.y, 1 / 8, max_passes=1)
    best, gammas = lib.separate(few.X, few.y), np.linspace(0.03, 1.2, 118)
    worst, moved = lib.worst_case(16), few.X + np.array([1.5, 1])
    first = np.roll(np.arange(len(far.y)), 1)
    gaussian = partial(kernels.gaussian, width=0.3)
    product = kernels.polynomial(square.X, square.X)
    data = regression.diabetes()
    one = lib.with_bias(data.X[::10, [2]])
    paths = {
        "gradient descent": regression.gradient_descent(one, data.y[::10], 0.2, 15),
        "SGD": regression.stochastic_gradient_descent(one, data.y[::10], 0.04, 180),
    }
    x, eps = np.linspace(-1.5, 1.5, 301), [0.5, 0.2, 0.1, 0.05, 0.02]
    names = ("petal length (mm)", "petal width (mm)")
    lines = {"Perceptron": (lib.perceptron(few.X, few.y).w, 0), "best": (best.w, 0)}
    odd = [2, 3, 4, 5, 6]
    words = [lib.odd_max_bit(n) for n in odd]
    made = [lib.perceptron(X, y).mistakes for X, y, _ in words]
    allowed = [bounds.mistakes(bounds.radius2(X), bounds.margin2(X, y, u)) for X, y, u in words]
    rows, new = lib.digit_rows(60, seed=1), lib.digit_rows(100, held_out=True, seed=2)
    reader = structured.perceptron(rows.X, rows.y, structured.Chain(range(10)))
    cubic = {"f": x**3 - x, "f′": 3 * x**2 - 1, "f″": 6 * x}
    shown = {
        "legend": plots.legend,
        "plane": lambda: plots.plane(X, y, run.w),
        "plane, petals": lambda: plots.plane(
            petals[0][:, :2], petals[1], lifted.w[:2], 10 * lifted.w[2], names=names),
        "plane, no line": lambda: plots.plane(X, y),
        "steps": lambda: plots.steps(run),
        "steps, petals": lambda: plots.steps(lifted),
        "threshold": lambda: plots.threshold([1, 2, 3, 5], [-1, -1, 1, 1], 2, -5),
        "margins": lambda: plots.margins(few.X, few.y, lines["Perceptron"][0], best, 7),
        "lines": lambda: plots.lines(few.X, few.y, lines),
        "outlier": lambda: plots.outlier(
            far.X, far.y, lib.perceptron(far.X, far.y, order=first, max_passes=1).w, far.u),
        "disagreement": lambda: plots.disagreement(many.X, many.u, longer.weights[-3]),
        "votes": lambda: plots.votes(noisy_run),
        "update": lambda: plots.update(run, 3),
        "update, petals": lambda: plots.update(lifted, 3),
        "progress": lambda: plots.progress(run, u, 4),
        "progress, many": lambda: plots.progress(longer, many.u, 12),
        "obtuse": lambda: plots.obtuse(run, 3),
        "obtuse, many": lambda: plots.obtuse(longer, 4),
        "obtuse, first": lambda: plots.obtuse(run, 1),
        "squeeze": lambda: plots.squeeze(longer, many.u),
        "squeeze, log": lambda: plots.squeeze(longer, many.u, log=True),
        "squeeze, unit vectors": lambda: plots.squeeze(lib.perceptron(worst.X, worst.y), worst.u),
        "angle": lambda: plots.angle(longer, many.u),
        "angle, unit vectors": lambda: plots.angle(lib.perceptron(worst.X, worst.y), worst.u),
        "weight_space": lambda: plots.weight_space(run),
        "weight_space, many": lambda: plots.weight_space(longer),
        "nearest": lambda: plots.nearest(few.X, few.y),
        "nearest, inseparable": lambda: plots.nearest(*noisy[:2]),
        "certificate": lambda: plots.certificate(
            square.X, square.y, lib.separate(lib.with_bias(square.X), square.y).multipliers),
        "certificate, line": lambda: plots.certificate([[-1], [0], [1]], [-1, 1, -1], [1, 2, 1]),
        "shatter": lambda: plots.shatter([[0, 0], [1, 0], [0, 1]]),
        "shatter, radon": lambda: plots.shatter([[0, 0], [3, 0], [0, 3], [1, 1]]),
        "lift, bias": lambda: plots.lift(
            moved, few.y, 1, lib.separate(lib.with_bias(moved), few.y).w),
        "lift, xor": lambda: plots.lift(
            2 * square.X - 1, square.y, lambda p: p[:, 0] * p[:, 1], [0, 0, 1]),
        "lift, noise": lambda: plots.lift(*_one_flipped(few)),
        "increments": lambda: plots.increments(margin_run, 1 / 8),
        "tradeoff": lambda: plots.tradeoff(
            eps, [0.81, 0.96, 0.98, 0.99, 0.998], [112, 211, 370, 1007, 2500],
            [1848, 11400, 45200, 179800, 1119279]),
        "moves": lambda: plots.moves(noisy.X, noisy.y, noisy.u, 0.3),
        "sizes": lambda: plots.sizes(noisy_run),
        "bound_curves": lambda: plots.bound_curves(
            gammas, bounds.by_gamma(*noisy, gammas),
            lib.perceptron(noisy.X, noisy.y, max_passes=1).mistakes),
        "gram": lambda: plots.gram(gaussian(rings.X, rings.X), rings.y),
        "regions": lambda: plots.regions(
            rings.X, rings.y, lib.kernel_perceptron(gaussian(rings.X, rings.X), rings.y), gaussian),
        "regions, xor": lambda: plots.regions(
            square.X, square.y, lib.kernel_perceptron(product, square.y), kernels.polynomial),
        "chart": lambda: plots.chart(
            odd, {"mistakes": made}, {"(R/γ)²": allowed}, log=True),
        "chart, degree": lambda: plots.chart(
            [1, 2, 3, 4, 5, 6], {"test": [59, 11, 9, 12, 13, 13], "training": [40, 2, 0, 0, 0, 0]},
            names=("degree", "errors"), least="test"),
        "bars": lambda: plots.bars({"last": 34, "averaged": 19, "voted": 18, "pocket": 21}),
        "spread": lambda: plots.spread([20, 22, 22, 23, 23, 23, 24, 26, 30], 902.6, 35),
        "failure_rate": lambda: plots.failure_rate(
            [5, 20, 40, 60, 80], [0.9, 0.42, 0.1, 0.02, 0.0],
            [(0.85, 0.95), (0.35, 0.5), (0.06, 0.15), (0, 0.05), (0, 0.02)],
            lambda m: 2**10 * np.exp(-0.1 * m), 0.1, 93),
        "survivals": lambda: plots.survivals([0, 3, 12, 40, 7, 500], 88, 5),
        "chain": lambda: plots.chain(*reader.scores(new.X[3]), new.y[3], new.X[3]),
        "chain, few": lambda: plots.chain(
            [[3, -3], [0, 0], [0, 0], [-3, 3]], [[0, -1], [-1, 2]], ["sun", "rain", "rain", "rain"],
            labels=["sun", "rain"]),
        "chain, no truth": lambda: plots.chain(
            [[1, 0, 3], [0, 0, 1], [0, 2, 1]], [[2, -1, 0], [0, 1, 0], [1, 0, 1]]),
        "functions": lambda: plots.functions(x, cubic),
        "losses": plots.losses,
        "chord": lambda: plots.chord(lambda v: v**2, -1, 2, 0.4),
        "fitted_line": lambda: plots.fitted_line(
            data.X[::10, [2]], data.y[::10], regression.least_squares(one, data.y[::10])),
        "descent": lambda: plots.descent(one, data.y[::10], paths),
    }  # fmt: skip
    return shown


def _petals():
    X, y, _ = lib.iris()
    return lib.with_bias(X[:, 2:], 10), y


def _one_flipped(examples):
    """Examples with one label flipped, lifted in a dimension of its own, and a plane for them."""
    y, up = examples.y.copy(), np.zeros(len(examples.y))
    y[3], up[3] = -y[3], 1
    w = lib.separate(np.column_stack([examples.X, up]), y).w
    return examples.X, y, up, w / np.abs(w).max()


def sheet(pictures):
    """All pictures, each on both pages, as one image."""
    tiles = []
    for picture in pictures:
        image = Image.open(io.BytesIO(picture.png)).convert("RGBA")
        size = WIDE, round(image.height * WIDE / image.width)
        image = image.resize(size, Image.Resampling.LANCZOS)
        tile = Image.new("RGB", (2 * (WIDE + 2 * GAP), size[1] + 2 * GAP))
        for k, colour in enumerate(PAGES):
            page = Image.new("RGB", (WIDE + 2 * GAP, tile.height), colour)
            page.paste(image, (GAP, GAP), image)
            tile.paste(page, (k * page.width, 0))
        tiles.append(tile)
    rows = [tiles[k : k + COLUMNS] for k in range(0, len(tiles), COLUMNS)]
    heights = [max(tile.height for tile in row) for row in rows]
    whole = Image.new("RGB", (COLUMNS * tiles[0].width, sum(heights)), (128, 128, 128))
    for k, row in enumerate(rows):
        for j, tile in enumerate(row):
            whole.paste(tile, (j * tile.width, sum(heights[:k])))
    return whole


if __name__ == "__main__":
    chosen = {name: draw for name, draw in figures().items()
              if not sys.argv[1:] or name.split(",")[0] in sys.argv[1:]}  # fmt: skip
    target = ROOT / "build" / "sheet.png"
    target.parent.mkdir(exist_ok=True)
    sheet([draw() for draw in chosen.values()]).save(target)
    print(f"{len(chosen)} pictures in {target.relative_to(ROOT)}")
