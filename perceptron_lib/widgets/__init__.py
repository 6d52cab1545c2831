"""Explorers for a live lecture: a few controls, one picture, and the same state in words.

Thin on purpose: a control changes the state, `plots` draws it.
"""

from perceptron_lib.widgets.beyond import descent, kernel, noise, reduction
from perceptron_lib.widgets.runs import margin, proof, stepper
from perceptron_lib.widgets.structured import chain

__all__ = ["chain", "descent", "kernel", "margin", "noise", "proof", "reduction", "stepper"]
