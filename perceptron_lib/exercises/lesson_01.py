"""Exercises of lesson 1: the algorithm."""

import itertools

from perceptron_lib.examples import five_points
from perceptron_lib.exercises.checker import checker, plane, require, small, whole_list
from perceptron_lib.perceptron import perceptron
from perceptron_lib.separability import Separator, separate
from perceptron_lib.show import count

__all__ = ["best_and_worst_order", "many_mistakes", "run_by_hand"]


@checker(
    "01.1",
    "Write down w after each example, and begin a new line for each pass. Is a score of exactly 0 "
    "a mistake?",
    "The first pass has two updates, and a score of exactly 0 occurs twice more after it.",
)
def run_by_hand(updates):
    """The updates on three examples, worked out by hand (A2).

    >>> run_by_hand([])
    ✗ Not yet: the list is empty, but at w = 0 the first score is 0, which is a mistake.
    """
    updates = whole_list(updates, "the answer must be a list of example numbers, such as [0, 1, 0]")
    right = perceptron([(1, 0), (-2, -1), (1, 2)], [1, -1, -1]).updates.tolist()
    require(updates, "the list is empty, but at w = 0 the first score is 0, which is a mistake")
    require(set(updates) <= {0, 1, 2}, "the examples are numbered 0, 1 and 2")
    agree = [a == b for a, b in zip(updates, right, strict=False)]
    same = [*agree, False].index(False)
    so_far = f"of your list the first {same} {'is' if same == 1 else 'are'} right"
    require(same < len(updates) or same == len(right), f"{so_far}, but the run is not over yet")
    require(same < len(right) or same == len(updates), f"{so_far}, and then no example is wrong")
    require(same == len(right), f"{so_far}; look again at what comes next")
    return f"{count(len(right), 'update')}, and then a clean pass."


@checker(
    "01.2",
    "After the first update w is the z of the first example. For which z is everything right then?",
    "Best: a z whose product with all five z is positive lies in the wedge already. Worst: begin "
    "with a z far outside the wedge, and let the next example push w right across it.",
)
def best_and_worst_order(best, worst):
    """Orders of the five points with the fewest and the most mistakes (A2, P12).

    >>> best_and_worst_order([0, 1, 2], ...)
    ✗ Not yet: worst is still to be filled in.
    """
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
        made = count(counts[order], "mistake")
        require(counts[order] == wanted, f"the {name} order makes {made}, and another makes {side}")
    made = f"{min(counts.values())} or {max(counts.values())} mistakes, by the order alone"
    return f"{made}: the first z is where the path of w begins, inside the wedge or far from it."


@checker(
    "01.3",
    "Each update should spoil what the last one mended. When do two examples spoil each other?",
    "Two vectors z that are almost opposite leave only a narrow wedge of good w. Two examples are "
    "enough.",
)
def many_mistakes(X, y):
    """At most three examples with small coordinates on which the Perceptron errs 30 times (A2).

    >>> many_mistakes([[1, 0], [0, 1]], [1, -1])
    ✗ Not yet: the run makes 2 mistakes, not 30 or more.
    """
    X, y = plane(X, y, 3)
    small(X)
    require(isinstance(separate(X, y), Separator), "no line through the origin separates these")
    run = perceptron(X, y)
    made = f"the run makes {count(run.mistakes, 'mistake')}"
    require(run.mistakes >= 30, f"{made}, not 30 or more")
    return f"{run.mistakes} mistakes before it converges."
