"""Exercises of lesson 11: more than two labels."""

import itertools

import numpy as np

from perceptron_lib import checks, structured
from perceptron_lib.exercises.checker import checker, require, whole_list
from perceptron_lib.show import count

__all__ = [
    "FOUR_PLACES", "THREE_CLASSES", "classes_by_hand", "greedy_goes_astray", "second_best_path",
]  # fmt: skip

THREE_CLASSES = np.array([[1, 2], [2, 1], [-1, -1]]), ["a", "b", "c"]


@checker(
    "11.1",
    "At the start all three vectors are 0 and all scores are 0. Which class wins then, and "
    "for which examples is it wrong?",
    "A mistake on example 1 that was given class a adds (2, 1) to the vector of b and "
    "subtracts it from that of a. Go on like this until three examples in a row are right.",
)
def classes_by_hand(pairs):
    """The mistakes of the run on `THREE_CLASSES`, as pairs of example and wrong class (S1).

    >>> classes_by_hand([])
    ✗ Not yet: the list is empty, but the run makes mistakes.
    """
    expected = "the answer must be a list of pairs such as (1, 'a')"
    given = list(pairs) if isinstance(pairs, (list, tuple)) else [None]
    proper = [isinstance(pair, (list, tuple)) and len(pair) == 2 for pair in given]
    require(all(proper), expected)
    require(given, "the list is empty, but the run makes mistakes")
    X, y = THREE_CLASSES
    run = structured.perceptron(X, y, structured.Classes("abc"))
    made = [run.pairs[k] for k in run.updates]
    for k, (mine, pair) in enumerate(itertools.zip_longest(given, made), 1):
        require(mine is not None, f"so far right, but the run goes on after mistake {k - 1}")
        require(pair is not None, f"after {k - 1} mistakes the run makes no more")
        number = whole_list([mine[0]], f"mistake {k} must begin with the number of an example")[0]
        known = isinstance(mine[1], str) and mine[1] in ("a", "b", "c")
        require(known, f"the class of mistake {k} must be 'a', 'b' or 'c'")
        require(0 <= number < 3, f"mistake {k} names example {number}, and there are 0, 1 and 2")
        require(mine[1] != y[number], f"{mine[1]} is the right class of example {number}")
        require(number == pair[0], f"mistake {k} is made on another example")
        require(mine[1] == pair[1], f"in mistake {k} another class has the highest score, or ties "
                 "and comes first")  # fmt: skip
    return f"{len(made)} mistakes, and then a pass without one."


FOUR_PLACES = (
    np.array([[3, 4, 2], [4, 3, 2], [0, 2, 1], [0, 4, 1]]),
    np.array([[2, 1, 1], [-2, -2, 2], [0, -2, -2]]),
)


def _path_sum(path, scores, moves):
    steps = sum(moves[a][b] for a, b in itertools.pairwise(path))
    return int(sum(row[k] for row, k in zip(scores, path, strict=True)) + steps)


@checker(
    "11.2",
    "The second-best path leaves the best one, which is drawn, at some place. Try each place in "
    "turn.",
    "Suppose the paths part at the first place. Take another label there, then the best "
    "continuation. Compare the sums that you get for the four places.",
)
def second_best_path(path):
    """The path of the second highest sum through `FOUR_PLACES` (S3).

    >>> second_best_path([0, 0])
    ✗ Not yet: a path is a list of four labels, each 0, 1 or 2.
    """
    expected = "a path is a list of four labels, each 0, 1 or 2"
    path = tuple(whole_list(path, expected))
    require(len(path) == 4 and set(path) <= {0, 1, 2}, expected)
    sums = {p: _path_sum(p, *FOUR_PLACES) for p in itertools.product(range(3), repeat=4)}
    best = structured.viterbi(*FOUR_PLACES)
    require(path != best, "this is the best path itself")
    higher = [p for p in sums if p != best and sums[p] > sums[path]]
    also = f"besides the best path {count(len(higher), 'other')} reached more"
    require(not higher, f"its sum is {sums[path]}, and {also}")
    return f"its sum is {sums[path]}, and the best has {sums[best]}."


@checker(
    "11.3",
    "Greedy chooses the first label without looking at the moves. Make the label that scores "
    "lower at the first place pay off later.",
    "Let the first place prefer label 0 by a little, the second place prefer neither, and let "
    "one move from label 1 be worth a lot.",
)
def greedy_goes_astray(scores, moves):
    """Scores and moves for which reading from left to right misses the best path (S2).

    >>> greedy_goes_astray([[1, 0], [0, 1]], [[0, 0], [0, 0]])
    ✗ Not yet: without moves each place is on its own, and greedy is right.
    """
    scores, moves = checks.table(scores, "scores"), checks.table(moves, "moves")
    require(scores.shape == moves.shape == (2, 2), "both tables must have 2 rows and 2 columns")
    numbers = np.vstack([scores, moves])
    small = (np.rint(numbers) == numbers).all() and np.abs(numbers).max() <= 9
    require(small, "the numbers must be whole, from −9 to 9")
    require(moves.any(), "without moves each place is on its own, and greedy is right")
    tie = "at the first place greedy has a tie, and might be lucky"
    require(scores[0, 0] != scores[0, 1], tie)
    first = int(scores[0].argmax())
    ahead = moves[first] + scores[1]
    greedy, best = (first, int(ahead.argmax())), structured.viterbi(scores, moves)
    found, most = (_path_sum(path, scores, moves) for path in (greedy, best))
    require(found < most, f"greedy reads {list(greedy)} with sum {found}, and no path has more")
    return f"greedy reads {list(greedy)} with sum {found}, and {list(best)} has {most}."
