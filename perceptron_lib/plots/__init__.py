"""Pictures of examples, lines and runs, each with a text that says the same in words.

Here are those that two or more lessons draw; a lesson's own are in its room.
"""

from perceptron_lib.plots.charts import bars, chart, shares
from perceptron_lib.plots.plane import lifted, lines, margins, plane, stage
from perceptron_lib.plots.runs import squeeze, update, weight_space
from perceptron_lib.plots.style import Picture, about, card, frameless, look, png
from perceptron_lib.show import number
from perceptron_lib.show import numbers as vector
