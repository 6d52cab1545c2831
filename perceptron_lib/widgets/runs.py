"""Explorers of runs that a line can end: step by step, the proof, and the margin."""

import math

import ipywidgets as ipw
import numpy as np

from perceptron_lib import bounds, claims, examples, plots
from perceptron_lib.embedding import with_bias
from perceptron_lib.perceptron import margin_perceptron, perceptron
from perceptron_lib.separability import separate
from perceptron_lib.show import count, number
from perceptron_lib.widgets.explorer import Explorer, axes, choice, counter, one_over, slider

PETALS = "iris petals (mm)"


def _petals(at=(0, 0)):
    """Length and width of the petals of iris, from a point of the plane."""
    return examples.iris().X[:, 2:] - at, examples.iris().y


def _names(data, at=("", "")):
    """Names for the axes."""
    if data.startswith(PETALS):
        return f"petal length{at[0]} (mm)", f"petal width{at[1]} (mm)"
    return "$x_1$", "$x_2$"


STEPPER_DATA = {
    "five points": lambda: examples.five_points()[:2],
    "margin 1/16": lambda: examples.separable(40, 2, 0.0625, seed=3)[:2],
    "XOR, with a bias": lambda: (with_bias(examples.xor().X), examples.xor().y),
    f"{PETALS}, with a bias": lambda: (with_bias(_petals()[0], 10), _petals()[1]),
}
TIES = [("is a mistake", "mistake"), ("predicts −", "negative"), ("predicts +", "positive")]


def stepper():
    """Step forward and back through a run: data, line, weights, the mistake, its score (A2).

    >>> print(stepper().words)
    Update 2: add z of example 4, w = (2, −1). 3 positive and 2 negative examples. Update ...
    """
    data, tie = choice("data", STEPPER_DATA), choice("a score of 0", TIES)
    step, play = counter("update", 0, 1), ipw.Play(value=0, min=0, max=1, interval=900)
    (ax,) = axes(6, 4.9, (0.14, 0.11, 0.83, 0.86))
    ipw.jslink((play, "value"), (step, "index"))

    def load():
        run = perceptron(*STEPPER_DATA[data.value](), tie=tie.value, max_passes=200)
        step.value = play.value = 0
        step.options = [(str(t), t) for t in range(run.mistakes + 1)]
        play.max = run.mistakes
        return (plots.Stage(ax, run, _names(data.value)),)

    def draw(stage):
        finding, words = stage.show(step.value)
        words += f" A score of 0 {tie.label}."
        run, last = stage.run, step.value == stage.run.mistakes
        if last and run.outcome == "cycled":
            period = int(run.certificate.sum())
            before = run.mistakes - period
            when = f"after update {before}" if before else "at the start"
            words += f" Now w is what it was {when}: the same {count(period, 'update')} come again"
            words += ", for ever. No line separates these examples."
        elif last:
            words += f" This was the last update: {repr(run).split(': ', 1)[1]}."
        return finding, words, ""

    explorer = Explorer([data, tie, step, play], load, draw, [data, tie])
    step.value = play.value = 2  # to begin with, there should be something to see
    return explorer


PROOF_DATA = {
    "random points": None,
    "unit vectors, n = 16": lambda: examples.worst_case(16),
    "ODD-MAX-BIT, n = 5": lambda: examples.odd_max_bit(5),
    "iris, setosa or not": examples.iris,
}


def proof():
    """Choose data, margin, order and axes; the squeeze and the table of the proof follow (P5).

    >>> print(proof().words)
    6 mistakes; 62 allowed. The margin γ is 0.126, the longest example R is 0.999; ...
    """
    data = choice("data", PROOF_DATA)
    margin = slider("margin", [1 / 4, 1 / 8, 1 / 16, 1 / 32, 1 / 64], 1 / 8, one_over)
    order = slider("order", range(7), 0, lambda k: str(k or "given"))
    log = choice("axes", [("linear", False), ("logarithmic", True)])

    (ax,) = axes(6.2, 4.8, (0.13, 0.11, 0.84, 0.86))

    def load():
        return (plots.Squeeze(ax),)

    def draw(squeeze):
        make = PROOF_DATA[data.value]
        margin.disabled = make is not None
        X, y, u = make() if make else examples.separable(60, 2, margin.value, seed=1)
        u = separate(X, y).u if u is None else u
        turned = examples.shuffled(len(y), np.random.PCG64(order.value)) if order.value else None
        run = perceptron(X, y, order=turned)
        (finding, words), proof = squeeze.show(run, u, log.value), claims.mistake_bound(run, u)
        words += f" It begins with the examples {', '.join(map(str, run.updates[:3]))}."
        words += " On these axes both bounds are straight lines." * log.value
        return finding, words, _table(proof)

    return Explorer([data, margin, order, log], load, draw)


def _table(proof):
    """The lines of a proof as a small table: why each holds, and how narrowly."""
    rows = [f"<tr><td>{row}<td>{because}<td style='text-align: right'>{least}<td>{mark}"
            for row, _, because, _, least, _, mark in proof._cells()]  # fmt: skip
    head = "<tr><th>row<th>because<th>least slack<th>"
    return f"<table style='font-size: 11px; line-height: 1.2'>{head}{''.join(rows)}</table>"


MARGIN_DATA = {
    "14 points (margin ≥ 1/8)": lambda: examples.separable(14, 2, 0.125, seed=4849)[:2],
    "another 40 points (margin ≥ 1/16)": lambda: examples.separable(40, 2, 0.0625, seed=9)[:2],
    f"{PETALS}, from (28, 6)": lambda: _petals((28, 6)),
}


def margin():
    """Choose data and ε: the margin Perceptron's line with its band, and how much of the largest
    margin it has (M8).

    >>> print(margin().words)
    The margin is 0.133, 65.3% of the largest. 7 positive and 7 negative examples. From ...
    """
    data = choice("data", MARGIN_DATA)
    eps = slider("ε", [0.9, 0.7, 0.5, 0.3, 0.2, 0.1, 0.05, 0.02, 0.01], 0.5)

    plane, bars = axes(6, 5.6, (0.14, 0.37, 0.83, 0.61), (0.29, 0.1, 0.68, 0.13))

    def load():
        X, y = MARGIN_DATA[data.value]()
        names = _names(data.value, (" − 28", " − 6"))
        band, plain = plots.Band(plane, X, y, names), perceptron(X, y).w
        return band, plots.Shares(bars), X, y, separate(X, y), plain

    def draw(band, bars, X, y, best, plain):
        run = margin_perceptron(X, y, best.margin, eps.value, max_passes=100_000)
        has = [math.sqrt(bounds.margin2(X, y, w)) / best.margin for w in (plain, run.w)]
        named = {"Perceptron": (has[0], f"{has[0]:.1%}"),
                 "margin Perceptron —": (has[1], f"{has[1]:.1%}")}
        limits = [(1 - eps.value, f"promised {1 - eps.value:.0%}", plots.style.BOUND),
                  (1, " largest - -", plots.style.U)]
        bars.show(named, limits, "share of the largest margin")
        finding, words = band.show(run.w, best.w)
        return f"{finding}, {has[1]:.1%} of the largest", (
            f"{words} With ε = {eps.value:g} at least {1 - eps.value:.0%} of the largest margin, "
            f"{number(best.margin)}, is promised; the Perceptron's line has {has[0]:.1%}. "
            f"The margin Perceptron made {count(run.mistakes, 'update')}."
        ), ""

    return Explorer([data, eps], load, draw, [data])
