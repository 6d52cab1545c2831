"""The Perceptron, exactly: a small library behind a sequence of notebooks.

A run is the list of its updates; everything else (weights, dual coefficients, the steps of a
proof, pictures) is derived from that list.

Marks such as "(A5)" or "(P2)" in docstrings number the claims that the lessons show, A for the
algorithm, P for its proof and so on.  What comes in through `checks` is a clean copy: floats, whole
numbers, Fractions.

To read it: in the first hour exact, run, perceptron, separability, bounds and claims.claim, with
examples and embedding for the data and checks for what is refused; in the second what makes it
fast (signs, lookahead, fast), how a largest margin is found (nearest), the other claims, and a
module for each subject.
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
    structured,
)
from perceptron_lib.claims import Claim, Proof
from perceptron_lib.embedding import longest, unit_length, with_bias
from perceptron_lib.examples import (
    Examples,
    adversary,
    breast_cancer,
    digit_rows,
    digits,
    five_points,
    flip_labels,
    iris,
    margin_stream,
    odd_max_bit,
    outlier,
    rings,
    separable,
    ten_digits,
    worst_case,
    xor,
)
from perceptron_lib.halving import Halving, halving_margin_perceptron
from perceptron_lib.kernels import KernelRun, kernel_perceptron
from perceptron_lib.pac import fewest_errors
from perceptron_lib.perceptron import margin_perceptron, perceptron
from perceptron_lib.run import Run
from perceptron_lib.separability import Inseparable, Separator, separate
from perceptron_lib.tables import table

__version__ = "1.0.0"  # the project's, too: pyproject.toml reads it here
__all__ = [
    "Claim",
    "Examples",
    "Halving",
    "Inseparable",
    "KernelRun",
    "Proof",
    "Run",
    "Separator",
    "adversary",
    "boolean",
    "bounds",
    "breast_cancer",
    "claims",
    "digit_rows",
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
    "structured",
    "table",
    "ten_digits",
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
