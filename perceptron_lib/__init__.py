"""The Perceptron, exactly: a small library behind a sequence of notebooks.

A run is the list of its updates; everything else (weights, dual coefficients, the steps of a
proof, pictures) is derived from that list.  See the modules, in the order in which they build
on each other.  The first hour: checks, exact, examples, embedding, run, perceptron, separability,
bounds, claims.  The second: fast, surd, kernels, pac, boolean, regression, plots, widgets,
exercises, tables, progress.
"""

import importlib

from perceptron_lib import (
    boolean,
    bounds,
    claims,
    exercises,
    kernels,
    pac,
    regression,
)
from perceptron_lib.claims import Claim, Proof
from perceptron_lib.embedding import longest, unit_length, with_bias
from perceptron_lib.examples import (
    Examples,
    breast_cancer,
    digits,
    five_points,
    flip_labels,
    iris,
    margin_stream,
    odd_max_bit,
    outlier,
    rings,
    separable,
    worst_case,
    xor,
)
from perceptron_lib.perceptron import (
    Halving,
    KernelRun,
    Run,
    halving_margin_perceptron,
    kernel_perceptron,
    margin_perceptron,
    perceptron,
)
from perceptron_lib.separability import Inseparable, Separator, fewest_errors, separate
from perceptron_lib.tables import table

__all__ = [
    "Claim",
    "Examples",
    "Halving",
    "Inseparable",
    "KernelRun",
    "Proof",
    "Run",
    "Separator",
    "boolean",
    "bounds",
    "breast_cancer",
    "claims",
    "digits",
    "exercises",
    "fewest_errors",
    "five_points",
    "flip_labels",
    "halving_margin_perceptron",
    "iris",
    "kernel_perceptron",
    "kernels",
    "longest",
    "margin_perceptron",
    "margin_stream",
    "odd_max_bit",
    "outlier",
    "pac",
    "perceptron",
    "plots",
    "regression",
    "rings",
    "separable",
    "separate",
    "table",
    "unit_length",
    "widgets",
    "with_bias",
    "worst_case",
    "xor",
]


def __getattr__(name):
    """Pictures and widgets are loaded when first asked for, since matplotlib takes its time."""
    if name in ("plots", "widgets"):
        return importlib.import_module(f"perceptron_lib.{name}")
    raise AttributeError(f"module 'perceptron_lib' has no attribute {name!r}")
