"""Lesson 1, the algorithm: a run step by step."""

import itertools
import sys

import numpy as np

from perceptron_lib import checks, exercises
from perceptron_lib.embedding import with_bias
from perceptron_lib.examples import five_points, separable
from perceptron_lib.exercises import Wrong, checker, require, whole_list
from perceptron_lib.perceptron import perceptron
from perceptron_lib.plots import parts, style
from perceptron_lib.plots.plane import stage
from perceptron_lib.show import count, number, numbers, symbols

STEPS = 20_000  # lines that somebody's loop may run through; the right one needs about 1,000

# --- pictures -------------------------------------------------------------------------------------


@style.picture(columns=0)
@checks.door
def steps(figure, run):
    """The first four updates of a run on plane data: line before, mistake, line after (A2).

    >>> X, y, u = five_points()
    >>> steps(perceptron(X, y))
    4 updates turn the line until all 5 examples are right: 3 positive and 2 negative ...
    """
    style.weight_lengths(run, least=1)
    shown, words = min(run.mistakes, 4), [parts.tally(run.y)]
    rows = 1 + (shown > 2)
    style.resize(figure, 0.5 + 3.1 * rows)
    for t in range(1, shown + 1):
        ax = figure.add_subplot(rows, 2, t)
        style.frameless(ax)
        stage(ax, run, t)
        for axis in ax.lines[:2]:  # there is no room for the axes
            axis.remove()
        i, w = run.updates[t - 1], numbers(run.weights[t])
        ax.set_title(symbols(f"{t}. add z of example {i}"))
        for axis in (ax.xaxis, ax.yaxis):
            axis.label.set_visible(False)
        words.append(f"update {t} adds z = y x of example {i}, giving w = {w}")
    right, n = np.sum(run.predict(run.X) == run.y), len(run.y)
    many = f" of {run.mistakes}" * (run.mistakes > shown)
    finding = f"{shown}{many} updates turn the line"
    if shown == run.mistakes and right == n:
        finding += f" until all {n} examples are right"
    return finding, f"{'; '.join(words)}."


# --- the exercises --------------------------------------------------------------------------------


@checker(
    "01.1",
    "Three things happen at a mistake: w gets its new value, as the box says; the list of updates "
    "gets one entry more; and this pass is not clean any more.",
    "The entry is a pair, so append needs two pairs of brackets. The last of the three lines is "
    "clean = False.",
)
def write_the_loop(loop):
    """The reader's loop on three sets of examples, each of which some line separates (A2)."""
    five, total = five_points(), 0
    sets = {
        "five points": five[:2], "thirty points": separable(30, 2, 1 / 16, seed=2)[:2],
        "five points with 1 as a third feature": (with_bias(five.X), five.y),
    }  # fmt: skip
    for name, (X, y) in sets.items():
        where, run = f"on the {name} your loop", perceptron(X, y)
        ended, updates = _outcome(loop, X.copy(), y.copy(), where)
        mine = _noted(updates, X.shape[1])
        require(mine, "")
        for t, (i, w) in enumerate(mine):
            so_far = f"{where} makes {count(t, 'right update')} and then"
            require(t < run.mistakes, f"{so_far} a whole clean pass, and yet goes on")
            right, old, new = int(run.updates[t]), *run.weights[[t, t + 1]]
            score = number(y[right] * (old @ X[right]))
            require(i == right, f"{so_far} one on example {i}, but the next mistake is on example "
                    f"{right}, where y w·x = {score}")  # fmt: skip
            same, one_array = (w == new).all(), updates[t][1] is updates[-1][1] and w.any()
            in_place = one_array and t + 1 < len(mine)
            require(same or not in_place, f"{where} changes one array in place, so that all w in "
                    "its list are the last one; write w = w + …")  # fmt: skip
            require(same, f"{where} makes update {t + 1} on the right example, {i}, but w becomes "
                    f"{numbers(w)}, not {numbers(new)}")  # fmt: skip
        require(len(mine) == run.mistakes, f"{where} stops after "
                f"{count(len(mine), 'right update')}, in a pass that was not clean")  # fmt: skip
        require(ended, f"{where} makes the right updates, but never ends")
        total += len(mine)
    return f"on three sets of examples all {total} updates are those of the Perceptron."


class Endless(BaseException):
    """Somebody's loop has run for too long."""


def _outcome(loop, X, y, where):
    """Whether somebody's loop comes to an end, and what it returns; if it does not, what it has
    noted by then."""
    require(callable(loop), "a function is asked for")
    before, lines, frames = sys.gettrace(), itertools.count(1), []

    def watch(frame, event, value):  # which Python calls before each line
        if not frames and frame.f_code is getattr(loop, "__code__", None):
            frames.append(frame)
        if next(lines) > STEPS:
            raise Endless
        return watch

    try:
        sys.settrace(watch)
        return True, loop(X, y)
    except Endless:
        updates = frames[0].f_locals.get("updates") if frames else None
        require(updates, f"{where} runs through {STEPS:,} lines of code and notes no update")
        return False, updates
    except Exception as error:
        said = " ".join(f"{type(error).__name__}: {error}".split())
        raise Wrong(f"{where} ends in an error, {said[:150]}") from None
    finally:
        sys.settrace(before)


def _noted(updates, d):
    """The pairs (i, w) that somebody's loop has noted."""
    pairs = isinstance(updates, list) and all(
        isinstance(pair, tuple) and len(pair) == 2 for pair in updates)  # fmt: skip
    require(pairs, "the loop must return a list of pairs (i, w), one for each update")
    places = whole_list([i for i, _ in updates], "the i of a pair must be the number of an example")
    return list(zip(places, [checks.vector(w, d, "each w") for _, w in updates], strict=True))


@checker(
    "01.2",
    "Keep two columns: the example, and the w after it. Begin a new line for each pass, and "
    "subtract where the label is −1.",
    "The first pass has two updates, and a score of exactly 0 occurs twice more after it.",
)
def run_by_hand(updates):
    """The updates on three examples, worked out by hand (A2)."""
    updates = whole_list(updates, "the answer must be a list of example numbers, such as [0, 1, 0]")
    run = perceptron([(1, 0), (-2, -1), (1, 2)], [1, -1, -1])
    right = run.updates.tolist()
    require(updates, "the list is empty, but at w = 0 the first score is 0, which is a mistake")
    require(set(updates) <= {0, 1, 2}, "the examples are numbered 0, 1 and 2")
    agree = [a == b for a, b in zip(updates, right, strict=False)]
    same = [*agree, False].index(False)
    so_far = f"of your list the first {same} {'is' if same == 1 else 'are'} right"
    require(same < len(updates) or same == len(right), f"{so_far}, but the run is not over yet")
    require(same < len(right) or same == len(updates), f"{so_far}, and then no example is wrong")
    i, w = [*updates, 0][same], run.weights[same]
    earlier = ", but another mistake comes first" * bool(run.Z[i] @ w <= 0)
    score = f"y w·x = {number(run.Z[i] @ w)} for example {i}{earlier}"
    require(same == len(right), f"{so_far}; at w = {numbers(w)} there is {score}")
    return f"{count(len(right), 'update')}, and then a clean pass."


@checker(
    "01.3",
    "After the first update w is the z of the first example. For which z is everything right then?",
    "Best: a z whose product with all five z is positive lies in the wedge already. Worst: begin "
    "with a z far outside the wedge, and let the next example push w right across it.",
)
def best_and_worst_order(best, worst):
    """Orders of the five points with the fewest and the most mistakes (A2, P12)."""
    X, y, _ = five_points()
    orders = itertools.permutations(range(5))
    mistakes = {order: perceptron(X, y, order=list(order)).mistakes for order in orders}
    least, most = min(mistakes.values()), max(mistakes.values())
    for name, order, goal in (("first", best, least), ("second", worst, most)):
        proper = f"the {name} order must be a list of 0 to 4, each once"
        order = tuple(whole_list(order, proper))
        require(order in mistakes, proper)
        so_many = f"the {name} order makes {count(mistakes[order], 'mistake')}"
        require(mistakes[order] == goal, f"{so_many}, and another makes {goal}")
    return (f"{least} or {most} mistakes, by the order alone: the first z is where the path of w "
            "begins, inside the wedge or far from it.")  # fmt: skip


@checker(
    "01.4",
    "Each update should spoil what the last one mended. When do two examples spoil each other?",
    "Two vectors z that are almost opposite leave only a narrow wedge of good w. Two examples are "
    "enough.",
)
def many_mistakes(X, y):
    """At most three examples with small coordinates on which the Perceptron errs 30 times (A2)."""
    X, y = exercises.few_points(X, y, 3)
    exercises.small_coordinates(X)
    exercises.best_separator(X, y, "no line through the origin separates these")
    mistakes = perceptron(X, y).mistakes
    require(mistakes >= 30, f"the run makes {count(mistakes, 'mistake')}, not 30 or more")
    return f"{mistakes} mistakes before it converges."
