"""Exercises of lesson 1: the algorithm."""

import itertools

from perceptron_lib.examples import five_points
from perceptron_lib.exercises.checker import checker, plane, require, small, whole_list
from perceptron_lib.perceptron import perceptron
from perceptron_lib.separability import Separator, separate

__all__ = ["best_and_worst_order", "many_mistakes"]


@checker("01.1", "…", "…")
def many_mistakes(X, y):
    """At most three examples with small coordinates on which the Perceptron errs 30 times (A2)."""
    X, y = plane(X, y, 3)
    small(X)
    require(isinstance(separate(X, y), Separator), "no line through the origin separates these")
    run = perceptron(X, y)
    require(run.mistakes >= 30, f"the run makes {run.mistakes} mistakes, not 30 or more")
    return f"{run.mistakes} mistakes before it converges."


@checker("01.2", "…", "…")
def best_and_worst_order(best, worst):
    """Orders of the five points with the fewest and the most mistakes (A11, P12)."""
    X, y, _ = five_points()
    counts = {
        order: perceptron(X, y, order=list(order)).mistakes
        for order in itertools.permutations(range(5))
    }
    for name, order, wanted in (
        ("first", best, min(counts.values())),
        ("second", worst, max(counts.values())),
    ):
        proper = f"the {name} order must be a list of 0 to 4, each once"
        order = tuple(whole_list(order, proper))
        require(order in counts, proper)
        side = "fewer" if name == "first" else "more"
        made = counts[order]
        require(made == wanted, f"the {name} order makes {made}, and another makes {side}")
    return f"{min(counts.values())} or {max(counts.values())} mistakes, by the order alone."
