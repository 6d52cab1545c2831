"""Exercises of lesson 4: what the bound knows."""

from perceptron_lib import checks
from perceptron_lib.exercises.checker import checker, require, separator
from perceptron_lib.perceptron import perceptron

__all__ = ["as_many_as_allowed"]


@checker("04.1", "…", "…")
def as_many_as_allowed(X, y):
    """Examples without a zero coordinate, with M = (R/γ)² exactly, and M at least 2 (P10)."""
    X, y = checks.labelled(X, y)
    require(X.all(), "a coordinate is zero")
    bound = separator(X, y, "no w separates these").bound()
    made = perceptron(X, y).mistakes
    require(made == bound, f"M = {made}, while (R/γ)² = {float(bound):.6g}")
    require(made >= 2, "two mistakes at least are asked for")
    return f"M = (R/γ)² = {made}."
