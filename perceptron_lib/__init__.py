"""The Perceptron, exactly: a small library behind a sequence of notebooks.

A run is the list of its updates; everything else (weights, dual coefficients, the steps of a
proof, pictures) is derived from that list.

Marks such as "(A5)" or "(P2)" in docstrings number the claims that the lessons show, A for the
algorithm, P for its proof and so on.  What comes in through `checks` is a clean copy: floats, whole
numbers, Fractions.

To read it: perceptron, run, exact, separability, bounds and claims.claim, with examples and
embedding for the data and checks for what is refused; then the room of a lesson.
"""

import importlib

from perceptron_lib.claims import Claim, Proof
from perceptron_lib.embedding import longest, unit_length, with_bias
from perceptron_lib.examples import (
    Examples,
    digits,
    five_points,
    iris,
    odd_max_bit,
    separable,
    worst_case,
    xor,
)
from perceptron_lib.folds import answer
from perceptron_lib.perceptron import margin_perceptron, perceptron
from perceptron_lib.run import Run
from perceptron_lib.separability import Inseparable, Separator, separate
from perceptron_lib.tables import table

__version__ = "2.0.0"  # the project's, too: pyproject.toml reads it here


def __getattr__(name):
    """Modules are loaded when first asked for: plots needs matplotlib, which takes its time."""
    if name in ("averages", "bounds", "claims", "exercises", "lessons", "plots", "widgets"):
        return importlib.import_module(f"perceptron_lib.{name}")
    raise AttributeError(f"module 'perceptron_lib' has no attribute {name!r}")
