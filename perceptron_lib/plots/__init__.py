"""Pictures of examples, lines and runs, each with a text that says the same in words.

The function of a lower-case name returns a still picture.  The class of the same name is for
explorers: it draws the same on axes that it is given, and its `show` does so again for new data,
and returns a few words (the title) and the whole in words.
"""

# isort: off
from perceptron_lib.plots.charts import Survivals, bars, bound_curves, chart
from perceptron_lib.plots.charts import failure_rate, functions, spread, survivals, tradeoff
from perceptron_lib.plots.explored import Allowances, Band, Errors, Flips, Shares
from perceptron_lib.plots.hulls import certificate, nearest, shatter
from perceptron_lib.plots.lifts import Regions, gram, lift, regions
from perceptron_lib.plots.plane import Stage, disagreement, legend, lines, margins, moves
from perceptron_lib.plots.plane import outlier, plane, steps, threshold, votes
from perceptron_lib.plots.proof import Squeeze, angle, increments, obtuse
from perceptron_lib.plots.proof import progress, sizes, squeeze, update, weight_space
from perceptron_lib.plots.regression import Descent, chord, descent, fitted_line, losses
from perceptron_lib.plots.structured import Chain, chain
from perceptron_lib.plots.style import Picture, about, card, plain, png
from perceptron_lib.show import number
from perceptron_lib.show import numbers as vector

__all__ = [
    "Allowances", "Band", "Chain", "Descent", "Errors", "Flips", "Picture",
    "Regions", "Shares", "Squeeze", "Stage", "Survivals", "about", "angle", "bars",
    "bound_curves", "card", "certificate", "chain", "chart", "chord", "descent", "disagreement",
    "failure_rate",
    "fitted_line", "functions", "gram", "increments", "legend", "lift", "lines", "losses",
    "margins", "moves", "nearest", "number", "obtuse", "outlier", "plain", "plane", "png",
    "progress", "regions", "shatter", "sizes", "spread", "squeeze", "steps", "survivals",
    "threshold", "tradeoff", "update", "vector", "votes", "weight_space",
]  # fmt: skip
