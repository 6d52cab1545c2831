"""Explorers for a live lecture: a few controls, one picture, and the same state in words.

Thin on purpose: a control changes the state, `plots` draws it.
"""

from perceptron_lib.widgets.beyond import descent, kernel, noise, reduction
from perceptron_lib.widgets.playground import playground
from perceptron_lib.widgets.runs import margin, proof, stepper

__all__ = ["descent", "kernel", "margin", "noise", "playground", "proof", "reduction", "stepper"]
