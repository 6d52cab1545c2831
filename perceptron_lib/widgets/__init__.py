"""Explorers for a live lecture: a few controls, one picture, and the same state in words.

Thin on purpose: a control changes the state, `plots` draws it.  The playground, where one puts the
points down oneself, is drawn by its own script, and so works on pages and slides as well.
"""

from perceptron_lib.widgets.beyond import descent, kernel, noise, reduction
from perceptron_lib.widgets.playground import playground
from perceptron_lib.widgets.runs import margin, proof, stepper
from perceptron_lib.widgets.structured import chain

__all__ = [
    "chain", "descent", "kernel", "margin", "noise", "playground", "proof", "reduction", "stepper",
]  # fmt: skip
