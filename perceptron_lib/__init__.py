"""The Perceptron, exactly: a small library behind a sequence of notebooks.

A run is the list of its updates; everything else (weights, dual coefficients, the steps of a
proof, pictures) is derived from that list.  See the modules, in the order in which they build
on each other: exact, examples, embedding, perceptron, separability, plots, widgets.
"""

from perceptron_lib.embedding import longest, unit_length, with_bias
from perceptron_lib.examples import (
    Examples,
    digits,
    flip_labels,
    iris,
    odd_max_bit,
    outlier,
    rings,
    separable,
    worst_case,
    xor,
)
from perceptron_lib.perceptron import Run, perceptron
from perceptron_lib.separability import Inseparable, Separator, separate

__all__ = [
    "Examples",
    "Inseparable",
    "Run",
    "Separator",
    "digits",
    "flip_labels",
    "iris",
    "longest",
    "odd_max_bit",
    "outlier",
    "perceptron",
    "rings",
    "separable",
    "separate",
    "unit_length",
    "with_bias",
    "worst_case",
    "xor",
]
