"""Pictures of examples, lines and runs, each with a text that says the same in words.

Whatever has a picture that explorers redraw is a class whose `show` sets new data and returns a few
words (the title) and the whole in words; the function of the same name is a still picture of it.
"""

from perceptron_lib.plots.charts import Survivals, bars, chart, failure_rate, spread, survivals
from perceptron_lib.plots.dual import Regions, gram, regions
from perceptron_lib.plots.hulls import certificate, nearest, shatter
from perceptron_lib.plots.lifts import lift
from perceptron_lib.plots.lines import Lines, disagreement, lines, outlier, votes
from perceptron_lib.plots.margin import increments, tradeoff
from perceptron_lib.plots.noise import BoundCurves, bound_curves, moves, sizes
from perceptron_lib.plots.plane import Stage, legend, margins, plane, steps, threshold
from perceptron_lib.plots.proof import Obtuse, Progress, Update, obtuse, progress, update
from perceptron_lib.plots.regression import Descent, chord, descent, fitted_line, functions, losses
from perceptron_lib.plots.squeeze import Squeeze, angle, squeeze, weight_space
from perceptron_lib.plots.style import Picture, about, card, plain, png
from perceptron_lib.show import number
from perceptron_lib.show import numbers as vector

__all__ = [
    "BoundCurves", "Descent", "Lines", "Obtuse", "Picture", "Progress", "Regions", "Squeeze",
    "Stage", "Survivals", "Update", "about", "angle", "bars", "bound_curves", "card",
    "certificate", "chart", "chord", "descent", "disagreement", "failure_rate", "fitted_line",
    "functions", "gram", "increments", "legend", "lift", "lines", "losses", "margins", "moves",
    "nearest", "number", "obtuse", "outlier", "plain", "plane", "png", "progress", "regions",
    "shatter", "sizes", "spread", "squeeze", "steps", "survivals", "threshold", "tradeoff",
    "update", "vector", "votes", "weight_space",
]  # fmt: skip
