"""Pictures of examples, lines and runs, each with a text that says the same in words.

Whatever has a picture that explorers redraw is a class whose `show` sets new data and returns the
words; the function of the same name is a still picture of it.
"""

from perceptron_lib.plots.dual import Regions, gram, regions
from perceptron_lib.plots.margin import Lines, lines, phases, tradeoff
from perceptron_lib.plots.noise import BoundCurves, bound_curves, moves, sizes
from perceptron_lib.plots.plane import Stage, certificate, margins, plane, steps, threshold
from perceptron_lib.plots.proof import Squeeze, angle, growth, spread, squeeze
from perceptron_lib.plots.regression import Descent, descent, fitted_line, functions
from perceptron_lib.plots.samples import Survivals, failure_rate, survivals
from perceptron_lib.plots.style import Picture, png
from perceptron_lib.show import number
from perceptron_lib.show import numbers as vector

__all__ = [
    "BoundCurves", "Descent", "Lines", "Picture", "Regions", "Squeeze", "Stage", "Survivals",
    "angle", "bound_curves", "certificate", "descent", "failure_rate", "fitted_line", "functions",
    "gram", "growth", "lines", "margins", "moves", "number", "phases", "plane", "png", "regions",
    "sizes", "spread", "squeeze", "steps", "survivals", "threshold", "tradeoff", "vector",
]
