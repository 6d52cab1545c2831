"""Explorers of runs that a line can end: step by step, the proof, and the margin."""

import html
import math

import ipywidgets as ipw
import numpy as np

from perceptron_lib import claims, examples, plots
from perceptron_lib.bounds import margin2
from perceptron_lib.embedding import with_bias
from perceptron_lib.perceptron import margin_perceptron, perceptron
from perceptron_lib.separability import separate
from perceptron_lib.show import number
from perceptron_lib.widgets.explorer import Explorer, axes, choice, counter, one_over, slider, told

PETALS = "iris petals (mm), with a bias"


def _petals():
    X, y, _ = examples.iris()
    return with_bias(X[:, 2:], 10), y


def _names(data):
    return ("petal length (mm)", "petal width (mm)") if data == PETALS else ("$x_1$", "$x_2$")


STEPPER_DATA = {
    "five points": lambda: examples.five_points()[:2],
    "margin 1/16": lambda: examples.separable(40, 2, 0.0625, seed=3)[:2],
    "XOR, with a bias": lambda: (with_bias(examples.xor().X), examples.xor().y),
    PETALS: _petals,
}
TIES = [("always a mistake", "mistake"), ("predict −", "negative"), ("predict +", "positive")]


def stepper():
    """Step forward and back through a run: data, line, weights, the mistake, its score (A2)."""
    data, tie = choice("data", STEPPER_DATA), choice("score 0", TIES)
    step, play = counter("update", 0, 1), ipw.Play(value=0, min=0, max=1, interval=900)
    ipw.jslink((play, "value"), (step, "value"))

    def load():
        run = perceptron(*STEPPER_DATA[data.value](), tie=tie.value, max_passes=200)
        step.value = play.value = 0
        step.max = play.max = run.mistakes
        return (plots.Stage(axes(5.0, 4.4, (0.15, 0.12, 0.82, 0.85)), run, _names(data.value)),)

    def draw(stage):
        words = told(*stage.show(step.value))
        if step.value == stage.run.mistakes:
            words += " This was the last update: " + repr(stage.run).split(": ", 1)[1] + "."
        return words, ""

    explorer = Explorer([data, tie, play, step], load, draw, [data, tie], "500px")
    step.value = play.value = 2  # to begin with, there should be something to see
    return explorer


PROOF_DATA = {
    "random points": None,
    "unit vectors, n = 16": lambda: examples.worst_case(16),
    "ODD-MAX-BIT, n = 5": lambda: examples.odd_max_bit(5),
    "iris": examples.iris,
}


def proof():
    """Choose data, margin and order; the squeeze and the table of the proof follow (P5)."""
    data = choice("data", PROOF_DATA)
    margin = slider("margin", [1 / 4, 1 / 8, 1 / 16, 1 / 32, 1 / 64], 1 / 16, one_over)
    order = counter("order", 0, 20)

    def load():
        return (plots.Squeeze(axes(6.4, 4.2, (0.12, 0.13, 0.85, 0.83))),)

    def draw(squeeze):
        make = PROOF_DATA[data.value]
        margin.disabled = make is not None
        X, y, u = make() if make else examples.separable(60, 2, margin.value, seed=1)
        u = separate(X, y).u if u is None else u
        turned = examples.shuffled(len(y), np.random.PCG64(order.value)) if order.value else None
        run = perceptron(X, y, order=turned)
        table = html.escape(repr(claims.mistake_bound(run, u)))
        return told(*squeeze.show(run, u)), f"<pre style='line-height: 1.2'>{table}</pre>"

    return Explorer([data, margin, order], load, draw)


MARGIN_DATA = {
    "margin ≥ 1/8": lambda: examples.separable(14, 2, 0.125, seed=121)[:2],
    "margin ≥ 1/16": lambda: examples.separable(40, 2, 0.0625, seed=3)[:2],
    PETALS: _petals,
}


def margin():
    """Choose data and ε: the lines of the Perceptron, the margin Perceptron and the best (M8)."""
    data = choice("data", MARGIN_DATA)
    eps = slider("ε", [0.9, 0.5, 0.3, 0.2, 0.1, 0.05, 0.02, 0.01], 0.5)

    def load():
        X, y = MARGIN_DATA[data.value]()
        ax = axes(5.6, 4.8, (0.15, 0.2, 0.82, 0.77))
        return plots.Lines(ax, X[:, :2], y, _names(data.value)), X, y, separate(X, y)

    def draw(lines, X, y, best):
        run = margin_perceptron(X, y, best.margin, eps.value, max_passes=100_000)
        named = {"Perceptron": perceptron(X, y).w, f"margin, ε = {eps.value:g}": run.w,
                 "largest margin": best.w}
        words = told(*lines.show({name: (w[:2], w[2:] @ X[0, 2:]) for name, w in named.items()}))
        shares = ", ".join(f"{name} {math.sqrt(margin2(X, y, w)) / best.margin:.3f}"
                           for name, w in named.items())
        words += f" Margin as a share of the largest, {number(best.margin)}: {shares}."
        return f"{words} Updates: {run.mistakes}.", ""

    return Explorer([data, eps], load, draw, [data], "560px")
