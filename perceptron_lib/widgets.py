"""Explorers for a live lecture: a few controls, one picture, and the same state in words.

Thin on purpose: a control changes the state, `plots` draws it.  Where no kernel runs, the page
shows the first picture.
"""

import base64
import html
import math
from functools import partial

import ipywidgets as ipw
import numpy as np
from matplotlib.figure import Figure

from perceptron_lib import bounds, claims, kernels, pac, plots, regression
from perceptron_lib.bounds import margin2
from perceptron_lib.embedding import with_bias
from perceptron_lib.examples import (
    five_points,
    flip_labels,
    iris,
    odd_max_bit,
    rings,
    separable,
    shuffled,
    worst_case,
    xor,
)
from perceptron_lib.perceptron import kernel_perceptron, margin_perceptron, perceptron
from perceptron_lib.separability import separate


class Explorer(ipw.VBox):
    """Controls above a picture above its words; `draw()` returns a figure, the words, and HTML to
    go with them (a table, say, or nothing)."""

    def __init__(self, controls, draw, width="500px"):
        self.draw = draw
        self.image = ipw.Image(format="png", layout={"width": width})
        self.text, self.more = ipw.HTML(layout={"width": width}), ipw.HTML()
        row = ipw.HBox(controls, layout={"flex_flow": "row wrap"})
        super().__init__([row, self.image, self.text, self.more])
        self.refresh()

    def refresh(self, change=None):
        figure, self.text.value, self.more.value = self.draw()
        self.image.value = plots.png(figure)

    def follow(self, *controls, load=None):
        """Redraw whenever one of the controls changes; call `load` before, if there is one."""

        def changed(change):
            if load is not None:
                load(change)
            self.refresh()

        for control in controls:
            control.observe(changed, "value")

    def _repr_mimebundle_(self, **kwargs):
        data = super()._repr_mimebundle_(**kwargs)
        words = self.text.value
        data["image/png"] = base64.b64encode(self.image.value).decode()
        data["text/plain"] = words
        return data, {"image/png": {"alt": words}}


def _iris_petals():
    X, y, _ = iris()
    return with_bias(X[:, 2:], 10), y


PETALS = ("petal length (mm)", "petal width (mm)")
STEPPER_DATA = {
    "five points": lambda: five_points()[:2],
    "margin 1/16": lambda: separable(40, 2, 0.0625, seed=3)[:2],
    "XOR, with a bias": lambda: (with_bias(xor().X), xor().y),
    "iris petals (mm), with a bias": _iris_petals,
}


def stepper(first=2, max_passes=200):
    """Step forward and back through a run: data, line, weights, the mistake, its score (A2).

    It opens at update number `first`.
    """
    data = ipw.Dropdown(options=list(STEPPER_DATA), description="data")
    tie = ipw.Dropdown(
        options=[("always a mistake", "mistake"), ("predict −", "negative"),
                 ("predict +", "positive")],
        description="score 0",
    )
    step = ipw.IntSlider(0, 0, 1, description="update", continuous_update=False)
    play = ipw.Play(value=0, min=0, max=1, interval=900)
    ipw.jslink((play, "value"), (step, "value"))
    state = {}

    def load(change=None):
        run = perceptron(*STEPPER_DATA[data.value](), tie=tie.value, max_passes=max_passes)
        figure = Figure(figsize=(5.0, 4.4))
        ax = figure.add_axes((0.13, 0.12, 0.84, 0.86))  # fixed: no layout to work out on a redraw
        names = PETALS if "petals" in data.value else ("$x_1$", "$x_2$")
        state.update(run=run, figure=figure, stage=plots.Stage(ax, run, names))
        step.value = play.value = 0
        step.max = play.max = run.mistakes
        step.value = play.value = first if change is None else 0

    def draw():
        run = state["run"]
        words = state["stage"].show(step.value)
        if step.value == run.mistakes:
            words += " This was the last update: " + repr(run).split(": ", 1)[1] + "."
        return state["figure"], words, ""

    load()
    explorer = Explorer([data, tie, play, step], draw)
    explorer.follow(step)
    explorer.follow(data, tie, load=load)
    return explorer


PROOF_DATA = {
    "random points": None,
    "unit vectors, n = 16": lambda: worst_case(16),
    "ODD-MAX-BIT, n = 5": lambda: odd_max_bit(5),
    "iris": iris,
}


def proof():
    """Choose data, margin and order; the squeeze and the table of the proof follow (P5)."""
    data = ipw.Dropdown(options=list(PROOF_DATA), description="data")
    margin = ipw.SelectionSlider(
        options=[(f"1/{k}", 1 / k) for k in (4, 8, 16, 32, 64)],
        value=1 / 16, description="margin", continuous_update=False,
    )
    order = ipw.IntSlider(0, 0, 20, description="order", continuous_update=False)
    figure = Figure(figsize=(6.4, 4.2))
    squeeze = plots.Squeeze(figure.add_axes((0.1, 0.13, 0.87, 0.82)))

    def draw():
        margin.disabled = PROOF_DATA[data.value] is not None
        make = PROOF_DATA[data.value] or (lambda: separable(60, 2, margin.value, seed=1))
        X, y, u = make()
        u = separate(X, y).u if u is None else u
        turned = shuffled(len(y), np.random.PCG64(order.value)) if order.value else None
        run = perceptron(X, y, order=turned)
        words = squeeze.show(run, u)
        table = html.escape(repr(claims.mistake_bound(run, u)))
        return figure, words, f"<pre style='line-height: 1.2'>{table}</pre>"

    explorer = Explorer([data, margin, order], draw, "600px")
    explorer.follow(data, margin, order)
    return explorer


MARGIN_DATA = {
    "margin ≥ 1/8": lambda: separable(14, 2, 0.125, seed=121)[:2],
    "margin ≥ 1/16": lambda: separable(40, 2, 0.0625, seed=3)[:2],
    "iris petals (mm), with a bias": _iris_petals,
}


def margin():
    """Choose data and ε: the lines of the Perceptron, the margin Perceptron and the best (M8)."""
    data = ipw.Dropdown(options=list(MARGIN_DATA), description="data")
    eps = ipw.SelectionSlider(
        options=[(f"{e:g}", e) for e in (0.9, 0.5, 0.3, 0.2, 0.1, 0.05, 0.02, 0.01)],
        value=0.5, description="ε", continuous_update=False,
    )
    state = {}

    def load(change=None):
        X, y = MARGIN_DATA[data.value]()
        figure = Figure(figsize=(5.6, 4.8))
        ax = figure.add_axes((0.12, 0.2, 0.85, 0.78))
        names = PETALS if "petals" in data.value else ("$x_1$", "$x_2$")
        drawn = plots.Lines(ax, X[:, :2], y, names)
        state.update(X=X, y=y, figure=figure, lines=drawn, best=separate(X, y))

    def draw():
        X, y, best = state["X"], state["y"], state["best"]
        run = margin_perceptron(X, y, best.margin, eps.value, max_passes=100_000)
        named = {"Perceptron": perceptron(X, y).w, f"margin, ε = {eps.value:g}": run.w,
                 "largest margin": best.w}
        constants = X[0, 2:]
        words = state["lines"].show({k: (w[:2], w[2:] @ constants) for k, w in named.items()})
        reached = [math.sqrt(margin2(X, y, w)) / best.margin for w in named.values()]
        shares = ", ".join(f"{k} {r:.3f}" for k, r in zip(named, reached, strict=True))
        words += (
            f" Margin as a share of the largest, {plots.number(best.margin)}: {shares}. "
            f"Updates: {run.mistakes}."
        )
        return state["figure"], words, ""

    load()
    explorer = Explorer([data, eps], draw, "560px")
    explorer.follow(data, load=load)
    explorer.follow(eps)
    return explorer


def reduction():
    """Choose ε, δ and the margin: how many examples, and what one stream does with them (O1)."""
    eps = ipw.SelectionSlider(
        options=[(f"{e:g}", e) for e in (0.5, 0.3, 0.2, 0.1, 0.05, 0.02)], value=0.1,
        description="ε", continuous_update=False,
    )
    delta = ipw.SelectionSlider(
        options=[(f"{e:g}", e) for e in (0.5, 0.2, 0.1, 0.05, 0.01)], value=0.1,
        description="δ", continuous_update=False,
    )
    margin = ipw.SelectionSlider(
        options=[(f"1/{k}", 1 / k) for k in (2, 4, 8, 16)], value=1 / 8, description="margin",
        continuous_update=False,
    )
    figure = Figure(figsize=(6.4, 3.4))
    bars = plots.Survivals(figure.add_axes((0.1, 0.15, 0.88, 0.8)))

    def draw():
        pool = separable(300, 3, margin.value, seed=2)
        D = pac.Finite.of(pool.X, pool.y)
        M = round(1 / margin.value**2)
        rng = np.random.default_rng(1)
        learned = pac.online_to_pac(lambda n: D.draw(n, rng), M, eps.value, delta.value)
        length = pac.survival_length(M, eps.value, delta.value)
        counts = pac.survivals(learned.run)
        chosen = int(np.argmax(counts >= length)) if learned.survived else None
        words = bars.show(counts, length, chosen)
        words += (
            f" M = {M}; at most {pac.reduction_size(M, eps.value, delta.value):,} examples are "
            f"drawn; {learned.used:,} were looked at; the error of the output is "
            f"{float(D.error(learned.w)):.4f}."
        )
        return figure, words, ""

    explorer = Explorer([eps, delta, margin], draw, "600px")
    explorer.follow(eps, delta, margin)
    return explorer


def noise():
    """Flip some labels: the bounds against γ and the mistakes really made follow (H4, H5)."""
    flipped = ipw.IntSlider(6, 0, 30, description="flipped", continuous_update=False)
    seed = ipw.IntSlider(0, 0, 10, description="which", continuous_update=False)
    figure = Figure(figsize=(6.6, 4.2))
    curves = plots.BoundCurves(figure.add_axes((0.11, 0.13, 0.86, 0.84)))
    gammas = np.linspace(0.03, 1.2, 118)

    def draw():
        clean = separable(100, 2, 0.125, seed=7)
        X, y, u = flip_labels(clean, flipped.value, seed.value)
        made = perceptron(X, y, max_passes=1).mistakes
        words = curves.show(gammas, bounds.by_gamma(X, y, u, gammas), made)
        return figure, f"{flipped.value} of 100 labels flipped. {words}", ""

    explorer = Explorer([flipped, seed], draw, "600px")
    explorer.follow(flipped, seed)
    return explorer


KERNEL_DATA = {
    "rings": lambda: rings()[:2],
    "XOR": lambda: xor()[:2],
    "margin ≥ 1/16": lambda: separable(40, 2, 0.0625, seed=3)[:2],
}


def kernel():
    """Choose data, kernel, and degree or width: the regions and the alphas follow (D5)."""
    data = ipw.Dropdown(options=list(KERNEL_DATA), description="data")
    which = ipw.Dropdown(options=["Gaussian", "polynomial"], description="kernel")
    degree = ipw.IntSlider(2, 1, 6, description="degree", continuous_update=False)
    width = ipw.SelectionSlider(
        options=[(f"{w:g}", w) for w in (0.05, 0.1, 0.2, 0.3, 0.5, 1, 2)], value=0.3,
        description="width", continuous_update=False,
    )
    state = {}

    def load(change=None):
        X, y = KERNEL_DATA[data.value]()
        figure = Figure(figsize=(5.2, 4.6))
        regions = plots.Regions(figure.add_axes((0.13, 0.12, 0.84, 0.85)), X, y, cells=70)
        state.update(X=X, y=y, figure=figure, regions=regions)

    def draw():
        degree.disabled, width.disabled = which.value == "Gaussian", which.value != "Gaussian"
        if which.value == "Gaussian":
            made = partial(kernels.gaussian, width=width.value)
        else:
            made = partial(kernels.polynomial, degree=degree.value)
        run = kernel_perceptron(made(state["X"], state["X"]), state["y"], max_passes=200)
        return state["figure"], state["regions"].show(run, made), ""

    load()
    explorer = Explorer([data, which, degree, width], draw, "520px")
    explorer.follow(data, load=load)
    explorer.follow(which, degree, width)
    return explorer


def descent():
    """Choose the step, as a share of its limit, and the condition number: the path follows."""
    share = ipw.SelectionSlider(
        options=[(f"{v:g}", v) for v in (0.1, 0.3, 0.5, 0.8, 0.95, 0.99, 1.01, 1.05)], value=0.5,
        description="step / limit", continuous_update=False,
    )
    condition = ipw.SelectionSlider(
        options=[1, 2, 5, 10, 30], value=5, description="condition", continuous_update=False
    )
    state = {}

    def load(change=None):
        corners = np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]])
        X = corners * [1.0, 1 / condition.value]
        figure = Figure(figsize=(5.6, 4.6))
        picture = plots.Descent(figure.add_axes((0.13, 0.12, 0.84, 0.85)), X, X @ [1.0, 1.0])
        state.update(X=X, y=X @ [1.0, 1.0], figure=figure, picture=picture)

    def draw():
        X, y = state["X"], state["y"]
        step = share.value * regression.step_limit(X)
        path = regression.gradient_descent(X, y, step, 40)
        words = state["picture"].show({"gradient descent": path})
        return state["figure"], f"Step {step:.3f}. {words}", ""

    load()
    explorer = Explorer([share, condition], draw, "560px")
    explorer.follow(condition, load=load)
    explorer.follow(share)
    return explorer
