"""Exercises of lesson 3: the mistake bound."""

from perceptron_lib.examples import five_points
from perceptron_lib.exercises.checker import checker, converged, number, plane, require, separator
from perceptron_lib.separability import separate

__all__ = ["bound_of_five_points", "far_fewer_than_allowed"]


@checker("03.1", "…", "…")
def bound_of_five_points(value):
    """(R/γ)² of the five points, worked out by hand (P5)."""
    value = number(value)
    require(value > 0, "it must be positive")
    right = value == separate(*five_points()[:2]).bound()
    require(right, "check R, the longest length, and whether another separator has more margin")
    return "and the run makes fewer mistakes than that."


@checker("03.2", "…", "…")
def far_fewer_than_allowed(X, y):
    """Examples on which (R/γ)² is at least 1000 times the number of mistakes (P5)."""
    X, y = plane(X, y, 3)
    bound = separator(X, y, "no w separates these").bound()
    made = converged(X, y).mistakes
    loose = bound >= 1000 * made
    require(loose, f"(R/γ)² = {float(bound):.6g} is {float(bound / made):.6g} times M = {made}")
    return f"M = {made}, and (R/γ)² = {float(bound):.6g}."
