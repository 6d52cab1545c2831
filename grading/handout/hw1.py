"""Homework 1, the algorithm and the proof: its data, and what can be said before the grade."""

from fractions import Fraction

from perceptron_lib import Separator, bounds, exercises, five_points, iris, perceptron, separate
from perceptron_lib.embedding import with_bias
from perceptron_lib.exercises import require
from perceptron_lib.show import as_float, count

from . import answers
from .asked import Question, each, handed_out, points, tried

OUT = handed_out(__file__)
SIX_POINTS = points(OUT["six_points"])
FLOWERS, OTHER_FLOWERS = OUT["flowers"], OUT["other_flowers"]


def updates(f, X, y, max_passes=100):
    """`f(X, y, max_passes)` must return the updates of the Perceptron, ties being mistakes."""
    X, y = points((X, y))
    run = perceptron(X, y, max_passes=max_passes)

    def score(w, i):
        s = float(y[i] * (X[i] @ w)) + 0.0  # no "-0"
        return f"y w·x = {s:g} (a mistake is y w·x ≤ 0)"

    answers.same_updates(exercises.value_of(f, X.copy(), y.copy(), max_passes), run, score)
    return f"{count(run.mistakes, 'mistake')} in {count(run.passes, 'pass')}"


@tried(OUT, "for the updates {2}")
def rooms(room, X, y, updates):
    values = exercises.value_of(room, *points((X, y)), list(updates))
    return exercises.read_numbers(values, "the room")


@tried(OUT, "mistakes in this order")
def mistakes_in(order):
    """How many mistakes the Perceptron makes on the six points in this order."""
    order = exercises.read_whole_numbers(order, 6, "the order")
    require(sorted(order) == list(range(6)), "the order must have each number from 0 to 5 once")
    return [perceptron(*SIX_POINTS, order=order).mistakes]


def tight_examples(X, y):
    """Examples without a zero coordinate, with 4 <= M = (R/γ)² exactly."""
    X, y = exercises.read_examples(X, y)
    require(X.all(), "a coordinate is zero")
    best = separate(X, y)
    require(isinstance(best, Separator), "no w separates these")
    made, bound = perceptron(X, y).mistakes, best.bound()
    require(made == bound, f"M = {made}, while (R/γ)² = {float(bound):.6g}")
    require(made >= 4, f"at least 4 mistakes are asked for, these are {made}")
    return f"M = (R/γ)² = {made}"


def both_labels(X, y):
    require(len(set(exercises.read_examples(X, y)[1].tolist())) == 2, "both labels must occur")
    return "both labels occur"


@tried(OUT, "for R² = {} and θ = {}")
def growth(f, *case):
    return [exercises.read_number(exercises.value_of(f, *map(Fraction, case)), "the growth")]


@tried(OUT, "for R² = {}, θ = {}, γ² = {}", answer=1)
def most_updates(f, *case):
    """Rounded down: a number of updates is whole."""
    most = exercises.value_of(f, *map(Fraction, case))
    return [Fraction(exercises.read_number(most, "the number of updates") // 1)]


def breaks_the_theorem(X, y, u, b):
    """Unit vectors x, and u, b with y (u·x + b) >= γ||u||, on which M exceeds 4/γ² (E6)."""
    X, y = exercises.read_examples(X, y)
    require(((X * X).sum(axis=1) == 1).all(), "the examples must have length 1, exactly")
    require(len({tuple(x) for x in X.tolist()}) >= 2, "two different examples at least, please")
    u, b = exercises.read_numbers(u, "u"), exercises.read_number(b, "b")
    require(len(u) == X.shape[1], f"u must have {X.shape[1]} coordinates, as the examples have")
    u2 = sum(v * v for v in u)
    require(u2 > 0, "u is zero, so there is no hyperplane")
    scores = bounds.scores(with_bias(X), y, [*u, b])
    require(min(scores) > 0, "u and b do not separate these examples")
    bound = 4 * u2 / min(scores) ** 2
    made = perceptron(with_bias(X), y).mistakes
    otherwise = f"4/γ² = {as_float(bound):.4g}, and the {made} mistakes made do not exceed it"
    require(made > bound, otherwise)
    return f"{made} > 4/γ² = {as_float(bound):.4g}"


def separates_flowers(w, _):
    """Weights, the bias last, that separate setosa (+) from the others."""
    w = exercises.read_numbers(w, "w")
    X, y, _ = iris(*FLOWERS)
    require(len(w) == 5, f"w must be 5 numbers, the last for the bias, these are {len(w)}")
    errors = sum(s <= 0 for s in bounds.scores(with_bias(X), y, w))
    require(errors == 0, f"w is wrong (or undecided) on {errors} of the {len(y)} flowers")
    return f"w is right on all {len(y)} flowers"


def no_plane_between_flowers(_, weights):
    return answers.no_hyperplane(*iris(*OTHER_FLOWERS)[:2], weights)


question_1 = Question((3, each(updates, five_points()[:2])))
question_2 = Question((2, rooms))
question_3 = Question((2, mistakes_in))
question_4 = Question((2, tight_examples), (1, both_labels))
question_5 = Question((1, growth), (1, most_updates), apart=True)
question_6 = Question((2, breaks_the_theorem))
question_7 = Question((1, separates_flowers), (1, no_plane_between_flowers), apart=True)
