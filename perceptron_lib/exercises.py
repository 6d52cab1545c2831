"""Checkers for the exercises: each says right or wrong, and why, but never the answer.

An answer is checked for what it has to do, not compared with a stored one, so every right answer
passes.  While the answer is still None, the checker says so.
"""

import inspect
import itertools
import math
from collections.abc import Iterator
from fractions import Fraction
from functools import wraps

import numpy as np

from perceptron_lib import boolean, bounds, checks, pac, structured
from perceptron_lib.embedding import longest, unit_length, with_bias
from perceptron_lib.exact import dot, integers
from perceptron_lib.examples import five_points, worst_case
from perceptron_lib.perceptron import margin_perceptron, perceptron
from perceptron_lib.separability import Separator, separate
from perceptron_lib.show import count


class Verdict(str):
    """A sentence that a notebook shows without quotation marks."""

    __repr__ = str.__str__


class Wrong(Exception):
    """What is not yet right about an answer."""


def checker(check):
    """Turn a check that raises `Wrong` and returns praise into one that gives a verdict."""
    names = list(inspect.signature(check).parameters)

    @wraps(check)
    def verdict(*answer):
        open_parts = [part is None or part is Ellipsis for part in answer]
        if all(open_parts):
            return Verdict("No answer yet.")
        if any(open_parts):
            return Verdict(f"Not yet: {names[open_parts.index(True)]} is still to be filled in.")
        try:
            return Verdict(f"Right: {check(*answer)}")
        except (Wrong, ValueError) as reason:
            return Verdict(f"Not yet: {reason}.")
        except ArithmeticError:
            return Verdict("Not yet: these numbers are too large or too small to work with.")

    return verdict


def _answer(value):
    """A number, as the simple fraction that is meant: 10.000000000000002 is 10."""
    try:
        return checks.fraction(value).limit_denominator(10**6)
    except ValueError:
        raise Wrong("the answer must be a number") from None


def _whole_list(values, otherwise):
    """A list of ints; `Wrong` if it is something else."""
    values = list(values) if isinstance(values, Iterator) else values
    if isinstance(values, (list, tuple)) and not values:
        return []
    try:
        found = checks.fractions(values)
    except ValueError:
        raise Wrong(otherwise) from None
    texts = any(isinstance(v, str) for v in values)
    _require(not texts and all(v.denominator == 1 for v in found), otherwise)
    return [int(v) for v in found]


def _require(holds, otherwise):
    if not holds:
        raise Wrong(otherwise)


def _separator(X, y, otherwise):
    """The best separator, or `Wrong` if there is none."""
    answer = separate(X, y)
    _require(isinstance(answer, Separator), otherwise)
    return answer


def _converged(X, y):
    """The run on the examples, or `Wrong` if it does not end within the passes allowed."""
    run = perceptron(X, y)
    _require(run.outcome == "converged", "after 1000 passes the run has not converged yet")
    return run


def _plane(X, y, most):
    X, y = checks.labelled(X, y)
    _require(X.shape[1] == 2, f"examples in the plane have 2 coordinates, these have {X.shape[1]}")
    _require(len(X) <= most, f"at most {most} examples are allowed, these are {len(X)}")
    return X, y


def _different_directions(X, y):
    _require(len(set(y.tolist())) == 2, "both labels must occur")
    _require(X.any(axis=1).all(), "an example at the origin makes it too easy")
    for p, q in itertools.combinations(integers(X)[0].tolist(), 2):
        same = p[0] * q[1] == p[1] * q[0] and p[0] * q[0] + p[1] * q[1] > 0
        _require(not same, "two examples in the same direction from the origin make it too easy")


@checker
def many_mistakes(X, y):
    """At most three examples with small coordinates on which the Perceptron errs 30 times (A2)."""
    X, y = _plane(X, y, 3)
    small = (np.rint(X) == X).all() and np.abs(X).max() <= 5
    _require(small, "the coordinates must be whole numbers from −5 to 5")
    _require(isinstance(separate(X, y), Separator), "no line through the origin separates these")
    run = perceptron(X, y)
    _require(run.mistakes >= 30, f"the run makes {run.mistakes} mistakes, not 30 or more")
    return f"{run.mistakes} mistakes before it converges."


@checker
def needs_a_bias(X, y):
    """Examples in different directions, separable by a line but by none through 0 (A13)."""
    X, y = _plane(X, y, 4)
    _different_directions(X, y)
    some_line = isinstance(separate(with_bias(X), y), Separator)
    _require(some_line, "even with a bias, no line separates these")
    through_origin = isinstance(separate(X, y), Separator)
    _require(not through_origin, "a line through the origin separates these already")
    return "separable with a bias, and not without."


NO_LINE = (
    np.array([[0, 0], [4, 0], [0, 4], [1, 1], [3, 3], [5, 1]], dtype=float),
    np.array([1, 1, 1, -1, -1, -1]),
)


@checker
def proof_of_inseparability(weights):
    """Weights λ for the six examples `NO_LINE`, with bias 1, that prove: no line (A12)."""
    X, y = NO_LINE
    whole = "the weights must be whole numbers (multiply them if need be)"
    weights = _whole_list(weights, whole)
    _require(len(weights) == 6, f"six weights are needed, these are {len(weights)}")
    _require(min(weights) >= 0, "a weight is negative")
    _require(any(weights), "all weights are zero, which proves nothing")
    total = dot(np.array(weights, dtype=object) * y, with_bias(X).astype(np.int64))
    _require(total[2] == 0, "the two classes must have the same total weight")
    _require(not total.any(), "the weighted sums of the two classes differ")
    return "no line separates these six."


@checker
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
        order = tuple(_whole_list(order, proper))
        _require(order in counts, proper)
        side = "fewer" if name == "first" else "more"
        made = counts[order]
        _require(made == wanted, f"the {name} order makes {made}, and another makes {side}")
    return f"{min(counts.values())} or {max(counts.values())} mistakes, by the order alone."


@checker
def spoilt_by_unit_length(X, y):
    """Examples in different directions that a line separates until all have length 1 (E7)."""
    X, y = _plane(X, y, 4)
    _different_directions(X, y)
    small = (np.rint(X) == X).all() and np.abs(X).max() <= 5
    _require(small, "the coordinates must be whole numbers from −5 to 5")
    before = isinstance(separate(with_bias(X), y), Separator)
    _require(before, "even unscaled, no line separates these")
    after = isinstance(separate(with_bias(unit_length(X)), y), Separator)
    _require(not after, "a line separates the scaled examples too")
    return "scaling each example to length 1 has destroyed separability."


# --- the mistake bound -----------------------------------------------------------------------


@checker
def bound_of_five_points(value):
    """(R/γ)² of the five points, worked out by hand (P5)."""
    value = _answer(value)
    _require(value > 0, "it must be positive")
    right = value == separate(*five_points()[:2]).bound()
    _require(right, "check R, the longest length, and whether another separator has more margin")
    return "and the run makes fewer mistakes than that."


@checker
def as_many_as_allowed(X, y):
    """Examples without a zero coordinate, with M = (R/γ)² exactly, and M at least 2 (P10)."""
    X, y = checks.labelled(X, y)
    _require(X.all(), "a coordinate is zero")
    bound = _separator(X, y, "no w separates these").bound()
    made = perceptron(X, y).mistakes
    _require(made == bound, f"M = {made}, while (R/γ)² = {float(bound):.6g}")
    _require(made >= 2, "two mistakes at least are asked for")
    return f"M = (R/γ)² = {made}."


@checker
def far_fewer_than_allowed(X, y):
    """Examples on which (R/γ)² is at least 1000 times the number of mistakes (P5)."""
    X, y = _plane(X, y, 3)
    bound = _separator(X, y, "no w separates these").bound()
    made = _converged(X, y).mistakes
    loose = bound >= 1000 * made
    _require(loose, f"(R/γ)² = {float(bound):.6g} is {float(bound / made):.6g} times M = {made}")
    return f"M = {made}, and (R/γ)² = {float(bound):.6g}."


# --- the margin Perceptron -------------------------------------------------------------------


@checker
def too_close(updates):
    """Which of the five points the margin Perceptron adds, for γ = 1 and ε = ½ (M1)."""
    X, y, _ = five_points()
    run = margin_perceptron(X, y, gamma=1)
    updates = _whole_list(updates, "the answer must be a list of example numbers")
    right = [a == b for a, b in itertools.zip_longest(updates, run.updates.tolist())]
    if not all(right):
        first = right.index(False)
        raise Wrong(f"the first {first} are right; look again at what comes then")
    return "these are all of them, in this order."


@checker
def lazy_perceptron(X, y):
    """Examples where the Perceptron reaches at most 1/100 of the largest margin (M6, M8)."""
    X, y = _plane(X, y, 4)
    best = _separator(X, y, "no line through the origin separates these")
    reached = bounds.margin2(X, y, _converged(X, y).w)
    share = math.sqrt(reached) / best.margin
    tiny = 10_000 * reached <= Fraction(best.margin) ** 2
    _require(tiny, f"the Perceptron's margin is {share:.4f} of the largest")
    return f"the Perceptron's margin is {share:.6f} of the largest."


@checker
def smallest_eps(eps):
    """The smallest ε for which M7 allows at most 60 updates when R = 1 and γ = 1/2."""
    eps = _answer(eps)
    _require(0 < eps < 1, "ε must lie between 0 and 1")
    allowed = bounds.margin_updates(1, Fraction(1, 4), eps)
    _require(allowed <= 60, f"{float(allowed):.8g} updates are allowed for this ε, more than 60")
    _require(allowed == 60, "a smaller ε will do as well")
    return f"{float(allowed):.4g} updates."


# --- PAC learning ----------------------------------------------------------------------------


@checker
def no_conjunction_fits(X, y):
    """At most three different examples of two features that no conjunction fits (Q3)."""
    X = checks.zeros_and_ones(X)
    y = checks.labels(y, len(X))
    _require(X.shape[1] == 2, f"two features are asked for, these are {X.shape[1]}")
    _require(len(X) <= 3, f"at most three examples are allowed, these are {len(X)}")
    _require(len({tuple(x) for x in X.tolist()}) == len(X), "an example occurs twice")
    found = boolean.learn(X, y)
    _require(not found, f"{found} fits them")
    return "no conjunction of literals fits these."


LIST_SAMPLE = (
    np.array([[1, 0, 0], [1, 1, 0], [0, 1, 1], [0, 0, 1], [1, 0, 1], [0, 0, 0]]),
    np.array([-1, -1, -1, 1, 1, 1]),
)


@checker
def decision_list(rules, default):
    """A decision list of at most three rules for `LIST_SAMPLE` (Q5)."""
    X, y = LIST_SAMPLE
    pairs = "rules are pairs such as (-2, 1) for 'if ¬x2 then +'; the default is 1 or -1"
    rules = rules.tolist() if isinstance(rules, np.ndarray) else rules
    _require(isinstance(rules, (list, tuple)), pairs)
    rules = tuple(tuple(_whole_list(rule, pairs)) for rule in rules)
    (default,) = _whole_list([default], pairs)
    proper = default in (1, -1) and all(
        len(rule) == 2 and 1 <= abs(rule[0]) <= 3 and rule[1] in (1, -1) for rule in rules
    )
    _require(proper, pairs)
    _require(len(rules) <= 3, f"at most three rules are allowed, these are {len(rules)}")
    answer = boolean.DecisionList(rules, default)
    wrong = np.flatnonzero(answer.predict(X) != y)
    _require(len(wrong) == 0, f"«{answer}» is wrong on {len(wrong)} of {len(y)} examples")
    return f"«{answer}»."


@checker
def examples_for_conjunctions(m):
    """The sample size of Q2 for |C| = 2**(2n), n = 20, ε = 0.05, δ = 0.01."""
    value = _answer(m)
    right = pac.sample_size(0.05, 0.01, 2**40)
    _require(value.denominator == 1, "a number of examples is a whole number, rounded up")
    _require(value == right, "use (ln|C| + ln 1/δ)/ε with natural logarithms, rounded up")
    return f"{right} examples."


@checker
def stream_without_survivor(order):
    """A stream of the three unit vectors on which nothing survives, for ε = δ = 1/4 (O3)."""
    X, y, _ = worst_case(3)
    total = pac.reduction_size(3, 0.25, 0.25)
    order = _whole_list(order, "a stream is a list of 0, 1 and 2")
    _require(set(order) <= {0, 1, 2}, "a stream is a list of 0, 1 and 2")
    _require(len(order) == total, f"it must have {total} entries, this has {len(order)}")
    _require(order[0] == 2, "the first example is to be number 2")
    learned = pac.online_to_pac(lambda n: (X[order], y[order]), 3, 0.25, 0.25)
    _require(not learned.survived, "a hypothesis survives long enough")
    return "and so the last hypothesis has error 0."


@checker
def risky_distribution(p):
    """Chances of the three unit vectors for which the reduction fails with 6 % or more (O2)."""
    try:
        p = checks.fractions(p)
    except ValueError:
        raise Wrong("three fractions are asked for, such as ['1/2', '1/4', '1/4']") from None
    _require(min(p) > 0, "each of the three must have a chance above 0")
    D = pac.Finite.of(*worst_case(3)[:2], p=p)
    failure = pac.exact_reduction(D, 3, Fraction(1, 10), Fraction(1, 4)).failure
    _require(failure >= Fraction(6, 100), f"the chance of failure is {float(failure):.4%}")
    return f"the chance of failure is {float(failure):.2%}, still at most δ = 25 %."


@checker
def where_two_phases_win(M):
    """The smallest M for which two phases need fewer examples, for ε = δ = 0.1 (O5)."""
    M = _answer(M)
    _require(M.denominator == 1 and M >= 1, "M must be a whole number, 1 or more")

    def wins(m):
        return sum(pac.two_phase_sizes(m, 0.1, 0.1)) < pac.reduction_size(m, 0.1, 0.1)

    _require(wins(int(M)), "the first survivor still needs fewer examples, or as many")
    _require(M == 1 or not wins(int(M) - 1), "two phases win already for a smaller M")
    return "from there on, two phases need fewer examples."


# --- no perfect separator --------------------------------------------------------------------

FOUR_SCORES = (np.array([[1.0], [2.0], [3.0], [-1.0]]), np.array([1, 1, 1, 1]))


@checker
def hinge_by_hand(loss):
    """The hinge loss of v = 1/2 on `FOUR_SCORES` (H2)."""
    right = _answer(loss) == bounds.hinge_loss(*FOUR_SCORES, [Fraction(1, 2)])
    _require(right, "add max(0, 1 − y v·x) over the four examples")
    return "examples beyond the margin cost nothing, the others what they lack."


@checker
def best_gamma(gamma):
    """The γ at which the relaxed bound H4 is least on `FOUR_SCORES`, for u = 1 (H4)."""
    gamma = _answer(gamma)
    _require(gamma > 0, "γ must be above 0")
    best = bounds.best_gamma_u(*FOUR_SCORES, [1])
    _require(abs(gamma - best) <= Fraction(1, 1000), "another γ gives a smaller bound")
    return f"γ = {best}."


@checker
def one_bad_example(X, y, u):
    """At most ten examples, all but at most one right for u; in one pass 7 mistakes (H7)."""
    X, y = _plane(X, y, 10)
    u = checks.fractions(u, 2, "u", "two numbers")
    errors = sum(s <= 0 for s in bounds.scores(X, y, u))
    _require(errors <= 1, f"u is wrong (or undecided) on {errors} examples")
    made = perceptron(X, y, max_passes=1).mistakes
    _require(made >= 7, f"the Perceptron makes {made} mistakes in one pass, not 7 or more")
    return f"{made} mistakes, where u makes {errors}."


# --- the dual form ---------------------------------------------------------------------------


@checker
def alpha_by_hand(alpha):
    """The dual coefficients of the run on the five points, taken backwards (D1)."""
    alpha = _whole_list(alpha, "the answer must be a list of five whole numbers")
    X, y, _ = five_points()
    right = perceptron(X, y, order=[4, 3, 2, 1, 0]).alpha.tolist()
    _require(len(alpha) == 5, f"five numbers are asked for, these are {len(alpha)}")
    _require(sum(alpha) == sum(right), "they do not add up to the number of updates")
    _require(alpha == right, "the sum is right, but not every count")
    return "how often each example was added."


@checker
def no_gram_matrix(K, v):
    """A symmetric matrix that is no Gram matrix, and a v with v·Kv < 0 that proves it (D5)."""
    K, v = checks.table(K, "K"), checks.vector(v, name="v")
    _require(K.shape == (len(K), len(K)) and (K == K.T).all(), "K must be square and symmetric")
    _require((np.diag(K) > 0).all(), "the diagonal must be positive, or it would be too easy")
    _require(len(v) == len(K), f"v must have {len(K)} entries")
    K, v = integers(K)[0], integers(v)[0]
    form = dot(v, dot(K, v))  # in units of their own, which does not change its sign
    _require(form < 0, "v·Kv is not below 0")
    return "v·Kv is below 0, while a Gram matrix has v·Kv = ‖Σ v_i x_i‖² ≥ 0."


@checker
def removal_matters(X, y, i):
    """Another example for erratum E4: α_i = 0, and yet without i the alphas change (D4)."""
    X, y = _plane(X, y, 8)
    i = _answer(i)
    proper = i.denominator == 1 and 0 <= i < len(y) and len(y) >= 2
    _require(proper, "i must be the number of one of the examples")
    i = int(i)
    _require(min((y < 0).sum(), (y > 0).sum()) >= 2, "each label must occur twice at least")
    known = {(0, 4): 1, (3, -2): 1, (-1, 3): 1, (0, -3): -1, (4, 1): 1, (2, 4): 1}
    given = {(*x, label) for x, label in zip(X.tolist(), y.tolist(), strict=True)}
    copied = any({(*x, s * label) for x, label in known.items()} <= given for s in (1, -1))
    own = copied and tuple(X[i]) == (2, 4)
    _require(not own, "this is the notebook's own example")
    keep = [k for k in range(len(y)) if k != i]
    run = perceptron(with_bias(X, longest(X)), y)
    rest = perceptron(with_bias(X[keep], longest(X[keep])), y[keep])
    _require(run.outcome == rest.outcome == "converged", "both runs must converge")
    _require(run.alpha[i] == 0, f"α_{i} is {run.alpha[i]}, not 0")
    changed = run.alpha[keep].tolist() != rest.alpha.tolist()
    _require(changed, f"without example {i} the alphas stay as they were")
    return f"α = {run.alpha[keep].tolist()} with it, {rest.alpha.tolist()} without."


# --- regression and optimisation -------------------------------------------------------------


@checker
def largest_step(step):
    """The limit of the step for the examples x = 1, 2, 3 on a line through the origin."""
    slope = Fraction(2, 3) * sum(x * x for x in (1, 2, 3))  # of the gradient of the mean
    right = 1 - _answer(step) * slope == -1
    _require(right, "at the limit a step just reverses the distance to the minimum, not so here")
    return "above it, every step overshoots by more than it corrects."


@checker
def not_convex(f, a, b, t):
    """A function that is not convex, with a, b and t that prove it."""
    _require(callable(f), "f must be a function")
    a, b, t = (_answer(v) for v in (a, b, t))
    _require(a != b and 0 < t < 1, "a and b must differ, and t lie strictly between 0 and 1")

    def value(x):
        try:
            return checks.fraction(f(x), "f(x)")
        except TypeError:  # NumPy's functions take no fractions
            return checks.fraction(f(float(x)), "f(x)")

    try:
        left, at_a, at_b = value(t * a + (1 - t) * b), value(a), value(b)
    except Exception as error:  # it is the reader's function
        why = " ".join(str(error).split())[:100]
        raise Wrong(f"f could not be computed there ({why})") from None
    right = t * at_a + (1 - t) * at_b
    noise = max(abs(left), abs(at_a), abs(at_b)) / 10**9  # f may work in floats
    _require(left > right + noise, f"{float(left):g} is not above {float(right):g}")
    return f"{float(left):g} > {float(right):g}, so f is not convex."


@checker
def flat_points(xs):
    """Where x³ − x has a horizontal tangent, to three decimals."""
    try:
        found = sorted(float(x) for x in checks.fractions(xs))
    except ValueError:
        raise Wrong("the answer must be a list of numbers") from None
    places = [-1 / math.sqrt(3), 1 / math.sqrt(3)]
    near = [abs(x - p) <= 0.0005 for x, p in zip(found, places, strict=False)]
    right = len(found) == 2 and all(near)
    _require(right, "the slope is not 0 at each of them, or some are missing")
    return "one is a local maximum, the other a local minimum."


# --- more than two labels (lesson 11) --------------------------------------------------------

THREE_CLASSES = np.array([[1, 2], [2, 1], [-1, -1]]), ["a", "b", "c"]


@checker
def classes_by_hand(pairs):
    """The mistakes of the run on `THREE_CLASSES`, as pairs of example and wrong class (S1)."""
    expected = "the answer must be a list of pairs such as (1, 'a')"
    given = list(pairs) if isinstance(pairs, (list, tuple)) else [None]
    proper = [isinstance(pair, (list, tuple)) and len(pair) == 2 for pair in given]
    _require(all(proper), expected)
    _require(given, "the list is empty, but the run makes mistakes")
    X, y = THREE_CLASSES
    run = structured.perceptron(X, y, structured.Classes("abc"))
    made = [run.pairs[k] for k in run.updates]
    for k, (mine, pair) in enumerate(itertools.zip_longest(given, made), 1):
        _require(mine is not None, f"these {k - 1} are right, but the run goes on")
        _require(pair is not None, f"after {k - 1} mistakes the run makes no more")
        number = _whole_list([mine[0]], f"mistake {k} must begin with the number of an example")[0]
        known = isinstance(mine[1], str) and mine[1] in ("a", "b", "c")
        _require(known, f"the class of mistake {k} must be 'a', 'b' or 'c'")
        _require(0 <= number < 3, f"mistake {k} names example {number}, and there are 0, 1 and 2")
        _require(mine[1] != y[number], f"{mine[1]} is the right class of example {number}")
        _require(number == pair[0], f"mistake {k} is made on another example")
        _require(mine[1] == pair[1], f"in mistake {k} another class has the highest score, or ties "
                 "and comes first")  # fmt: skip
    return f"{len(made)} mistakes, and then a pass without one."


FOUR_PLACES = (
    np.array([[3, 4, 2], [4, 3, 2], [0, 2, 1], [0, 4, 1]]),
    np.array([[2, 1, 1], [-2, -2, 2], [0, -2, -2]]),
)


def _path_sum(path, scores, moves):
    steps = sum(moves[a][b] for a, b in itertools.pairwise(path))
    return int(sum(row[k] for row, k in zip(scores, path, strict=True)) + steps)


@checker
def second_best_path(path):
    """The path of the second highest sum through `FOUR_PLACES` (S3)."""
    expected = "a path is a list of four labels, each 0, 1 or 2"
    path = tuple(_whole_list(path, expected))
    _require(len(path) == 4 and set(path) <= {0, 1, 2}, expected)
    sums = {p: _path_sum(p, *FOUR_PLACES) for p in itertools.product(range(3), repeat=4)}
    best = structured.viterbi(*FOUR_PLACES)
    _require(path != best, "this is the best path itself")
    higher = [p for p in sums if p != best and sums[p] > sums[path]]
    also = f"besides the best path {count(len(higher), 'other')} reached more"
    _require(not higher, f"its sum is {sums[path]}, and {also}")
    return f"its sum is {sums[path]}, and the best has {sums[best]}."


@checker
def greedy_goes_astray(scores, moves):
    """Scores and moves for which reading from left to right misses the best path (S2)."""
    scores, moves = checks.table(scores, "scores"), checks.table(moves, "moves")
    _require(scores.shape == moves.shape == (2, 2), "both tables must have 2 rows and 2 columns")
    numbers = np.vstack([scores, moves])
    small = (np.rint(numbers) == numbers).all() and np.abs(numbers).max() <= 9
    _require(small, "the numbers must be whole, from −9 to 9")
    _require(moves.any(), "without moves each place is on its own, and greedy is right")
    tie = "at the first place greedy has a tie, and might be lucky"
    _require(scores[0, 0] != scores[0, 1], tie)
    first = int(scores[0].argmax())
    ahead = moves[first] + scores[1]
    greedy, best = (first, int(ahead.argmax())), structured.viterbi(scores, moves)
    found, most = (_path_sum(path, scores, moves) for path in (greedy, best))
    _require(found < most, f"greedy reads {list(greedy)} with sum {found}, and no path has more")
    return f"greedy reads {list(greedy)} with sum {found}, and {list(best)} has {most}."
