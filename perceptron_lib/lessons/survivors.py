"""Lesson 7, from online to PAC: which hypothesis of a run to take home.

A run over a stream of random examples is a sequence of hypotheses w⁽¹⁾, w⁽²⁾, …, each in use from
one update to the next.  How long each survived is the gap between two steps of the `Run`, so every
reduction here is a function of a run, with no loop of its own (O1, O5).

A finite distribution is a `Finite`: points, labels and exact probabilities.  On a small one
`exact_reduction` follows *all* streams at once, and the probability of failure is a fraction.
"""

import math
from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from itertools import islice
from operator import add, mul
from typing import NamedTuple

import numpy as np

from perceptron_lib import Inseparable, Run, bounds, checks, exact, perceptron, separate
from perceptron_lib.averages import in_use, survivals
from perceptron_lib.checks import door, limit, whole
from perceptron_lib.examples import separable, worst_case
from perceptron_lib.exercises import checker, require, value_of, whole_list
from perceptron_lib.plots import parts, style
from perceptron_lib.show import count, number, refusal
from perceptron_lib.widgets.explorer import Explorer, Redrawn, axes, one_over, slider

MOST_DRAWN = 10**6  # examples of a stream
MOST_FOLLOWED = 1000  # examples of all streams at once


@door
def survival_length(M, eps, delta):
    """(1/ε) ln(M/δ): who survives so many examples in a row has error at most ε, or we were
    unlucky, with a chance of at most δ/M (O1).

    >>> survival_length(16, eps=0.1, delta=0.05)
    58
    """
    return math.ceil(bounds.log(M / delta) / eps)


@door
def reduction_size(M, eps, delta):
    """⌊M⌋ · (1/ε) ln(M/δ): the examples that the first-survivor reduction draws at most (O1).

    >>> reduction_size(16, eps=0.1, delta=0.05)
    928
    """
    return math.floor(M) * survival_length(M, eps, delta)


@door
def trial_length(k, eps, delta):
    """(1/ε) ln(k(k+1)/δ): how many examples in a row h_k must survive if no bound M is known (O6).

    >>> [trial_length(k, 0.25, 0.25) for k in (1, 2, 3, 4)]
    [9, 13, 16, 18]
    """
    return survival_length(k * (k + 1), eps, delta)


@door
def growing_size(M, eps, delta):
    """The examples that are looked at without a known bound, if there are at most M mistakes: the
    trials of h_1 … h_{M+1} (O6).

    >>> growing_size(3, eps=0.25, delta=0.25)
    56
    """
    most = whole(math.floor(M), "M", 1, 10**5)
    return sum(trial_length(k, eps, delta) for k in range(1, most + 2))


# --- streams of examples --------------------------------------------------------------------------


def _chances(p, name, given):
    """The limit of exact probabilities, one for each example."""
    expected = f"{len(given['y'])} chances that sum to exactly 1 (for 0.8 write '0.8' or '4/5')"
    p = checks.fractions(p, len(given["y"]), name, expected)
    if min(p) < 0 or sum(p) != 1:
        raise refusal(name, expected, [str(v) for v in p])
    return tuple(p)


class Finite(NamedTuple):
    """A distribution on finitely many labelled points, with exact probabilities.

    >>> D = Finite.of([[1, 0], [0, 1]], [1, -1], p=["4/5", "1/5"])
    >>> D.error([1, 0])
    Fraction(1, 5)
    """

    X: np.ndarray
    y: np.ndarray
    p: tuple  # Fractions that sum to 1

    @classmethod
    @door(p=_chances)
    def of(cls, X, y, p=None):
        """Points X with labels y and probabilities p (equal ones if not given)."""
        return cls(X, y, p or (Fraction(1, len(y)),) * len(y))

    @door(w=lambda w, name, given: checks.fractions(w, given["self"].X.shape[1], name))
    def error(self, w):
        """The probability that w is wrong (or undecided), exactly."""
        wrong = self.y * exact.dot(exact.integers(self.X)[0], exact.rational(w)[0]) <= 0
        return sum((p for p, bad in zip(self.p, wrong, strict=True) if bad), Fraction(0))

    @door(n=limit(whole, 0, MOST_DRAWN), rng=limit(np.random.Generator, "a random generator"))
    def draw(self, n, rng):
        """n independent examples, by ``np.random.default_rng(seed)``, the same on every machine."""
        uniform = (rng.bit_generator.random_raw(n) >> np.uint64(11)) * 2.0**-53
        places = np.searchsorted(np.cumsum([float(v) for v in self.p]), uniform, side="right")
        chosen = np.minimum(places, len(self.y) - 1)
        return self.X[chosen], self.y[chosen]

    def streams(self, memory, remember):
        """All streams at once, those in the same state together: before each example, a dict from
        states to their chances, out of which states may be taken.  A state is the weights, in
        whole numbers, and a memory, which `remember` makes of the one before it and of whether
        there was a mistake."""
        Z = (exact.integers(self.X)[0] * self.y[:, None]).tolist()
        states = {((0,) * len(Z[0]), memory): Fraction(1)}
        while True:
            yield states
            following = defaultdict(Fraction)
            for (w, memory), chance in states.items():
                for z, p in zip(Z, self.p, strict=True):
                    wrong = sum(map(mul, z, w)) <= 0
                    next_w = tuple(map(add, w, z)) if wrong else w
                    following[next_w, remember(memory, wrong)] += chance * p
            states = following


_source = limit(Callable, "a function of n that gives n examples and labels")
_distribution = limit(Finite, "a distribution, as Finite.of(X, y) gives")


def _bound_or_none(M, name, given):
    """The limit of a bound on the mistakes; None if none is known."""
    return M if M is None else checks.LIMITS["M"](M, name, given)


# --- which hypothesis to take home ----------------------------------------------------------------


class Learned(NamedTuple):
    """What `online_to_pac` outputs."""

    w: np.ndarray  # the hypothesis
    survived: bool  # whether it survived; if none did, it is the last one, which cannot err (O3)
    used: int  # how many examples were looked at until then
    run: Run


@door(draw=_source, M=_bound_or_none)
def online_to_pac(draw, M, eps, delta):
    """Run the Perceptron on a stream, and output the first hypothesis that survives (O1).

    `draw(n)` gives n examples and their labels; M is a bound on the mistakes, such as (R/γ)².  If
    none survives, M mistakes have been made.  There are no more to make, so the hypothesis after
    the last one never errs (O3).  If M is None, the stream is doubled until one survives (O6).

    >>> D, rng = Finite.of([[1, 0], [0, 1]], [1, -1]), np.random.default_rng(0)
    >>> learned = online_to_pac(lambda n: D.draw(n, rng), M=2, eps=0.25, delta=0.25)
    >>> learned.w.tolist(), learned.used, D.error(learned.w)
    ([1.0, -1.0], 11, Fraction(0, 1))
    """
    needed = _needed(M, eps, delta)
    if M is not None:
        run = perceptron(*_drawn(draw, reduction_size(M, eps, delta)), max_passes=1)
        if run.mistakes > M:
            raise ValueError(f"M = {M} is no bound on the mistakes: the run made {run.mistakes}")
        return _first_survivor(run, needed) or Learned(run.weights[-1], False, len(run.y), run)
    X, y = _drawn(draw, needed(1))
    while not (learned := _first_survivor(perceptron(X, y, max_passes=1), needed)):
        if len(y) > MOST_DRAWN:
            none = f"among {len(y):,} examples no hypothesis has survived its trial"
            raise ValueError(f"some line must separate what draw gives, with a margin; {none}")
        more_X, more_y = _drawn(draw, len(y))
        X, y = np.vstack([X, more_X]), np.append(y, more_y)
    return learned


def _needed(M, eps, delta):
    """How long h_k must survive, as a function of k: the same for all if a bound M is known."""
    length = M and survival_length(M, eps, delta)
    return lru_cache(None)(lambda k: length or trial_length(k, eps, delta))


def _first_survivor(run, needed):
    """The first hypothesis of a run that survives its trial, or None."""
    for k, survived in enumerate(survivals(run)):
        if survived >= needed(k + 1):
            used = int(in_use(run)[:k].sum()) + needed(k + 1)
            return Learned(run.weights[k], True, used, run)
    return None


def _drawn(draw, n):
    """The n examples that a function was asked for, checked."""
    if n > MOST_DRAWN:
        raise ValueError(f"M/eps must be smaller: that takes over {MOST_DRAWN:,} examples")
    X, y = draw(n)
    return checks.table(X), checks.labels(y, n)


class ExactReduction(NamedTuple):
    """The outcome of a reduction over *all* streams, with exact probabilities."""

    failure: Fraction  # the chance that the output has error above eps
    none_survived: Fraction  # the chance that no hypothesis survived
    used: Fraction  # the expected number of examples looked at
    failures: dict  # k -> the chance that h_k is output and has error above eps


@door(finite=_distribution, M=_bound_or_none)
def exact_reduction(finite, M, eps, delta):
    """`online_to_pac` on every stream from a finite distribution at once, exactly (O2, O6).

    >>> D = Finite.of([[1, 0], [0, 1]], [1, -1], p=["2/3", "1/3"])
    >>> exact = exact_reduction(D, M=2, eps=0.3, delta=0.5)
    >>> exact.failure, exact.used
    (Fraction(65, 729), Fraction(5644, 729))
    """
    total = MOST_FOLLOWED if M is None else reduction_size(M, eps, delta)
    needed, too_long = _needed(M, eps, delta), f"streams have more than {MOST_FOLLOWED:,} examples"
    if max(total, needed(1)) > MOST_FOLLOWED:
        raise ValueError(f"M/eps must be smaller: the {too_long}")
    if M is None and isinstance(separate(finite.X, finite.y), Inseparable):
        raise ValueError("some line must separate the points of finite: else no stream need end")
    none, used, failures = Fraction(0), Fraction(0), defaultdict(Fraction)

    def remember(memory, wrong):
        survived, k = memory
        return (0, k + 1) if wrong else (survived + 1, k)

    for t, states in enumerate(islice(finite.streams((0, 1), remember), total + 1)):
        for (w, (survived, k)), chance in list(states.items()):
            if survived == needed(k) or t == total:
                del states[w, (survived, k)]
                used += t * chance
                none += chance * (survived < needed(k))
                failures[k] += chance * (finite.error(w) > eps)
    if none and M is None:
        raise ValueError(f"eps must be larger: the {too_long}")
    return ExactReduction(sum(failures.values()), none, used, dict(sorted(failures.items())))


@door(finite=_distribution, m=limit(whole, 0, 10**4))
def exact_mistakes(finite, m):
    """Over all streams of length m: the expected error of the hypothesis in use at each step, and
    the expected number of mistakes, by two different ways (O5).

    >>> exact_mistakes(Finite.of([[1, 0], [0, 1]], [1, -1]), m=2)
    ([Fraction(1, 1), Fraction(1, 2)], Fraction(3, 2))
    """
    streams = finite.streams(0, lambda mistakes, wrong: mistakes + wrong)
    errors = [sum(c * finite.error(w) for (w, _), c in s.items()) for s in islice(streams, m)]
    return errors, sum(mistakes * chance for (_, mistakes), chance in next(streams).items())


@door(finite=_distribution)
def average_error(finite, run):
    """The error of the hypothesis in use, averaged over the examples of a run over a stream (O5).

    >>> D = Finite.of([[1, 0], [0, 1]], [1, -1])
    >>> average_error(D, perceptron([[1, 0], [1, 0], [0, 1], [1, 0]], [1, 1, -1, 1], max_passes=1))
    Fraction(1, 2)
    """
    used = zip(in_use(run).tolist(), run.weights, strict=True)
    return sum(many * finite.error(w) for many, w in used) / sum(in_use(run).tolist())


# --- a picture, and an explorer -------------------------------------------------------------------


@style.picture()
def timeline(ax, counts, length=None):
    """The hypotheses of a run, each from its first example to its mistake (a cross), after so many
    right predictions; each under a bracket for its trial, if the `length` of the trials is given:
    one number, or one for each hypothesis (O1, O6).

    >>> timeline([0, 3, 12], length=10)
    Hypothesis 3 is the first to pass its trial of 10: 3 hypotheses were right on 0, 3, 12 ...
    """
    counts = np.array(counts)
    n, begin = len(counts), np.cumsum(counts + 1) - counts - 1
    trials = np.broadcast_to(begin[-1] // 10 if length is None else length, n)
    passed = [] if length is None else np.flatnonzero(counts >= trials)
    chosen = passed[0] if len(passed) else n - 1
    far = (1.3 if chosen < n - 1 or length is None else 1.15) * (begin[chosen] + trials[chosen])
    shown, ends = np.flatnonzero(begin < far), np.minimum(begin + counts, 2 * far)
    ax.set(xlim=(-0.02 * far, far), ylim=(max(shown[-1], 2) + 1.7, 0.3))
    for k in shown:
        seen = np.arange(begin[k], ends[k] if far < 200 else begin[k])
        if counts[k]:
            ax.barh(k + 1, ends[k] - begin[k], left=begin[k] - 0.5, height=0.42, **style.BARS)
        ax.plot(seen, 0 * seen + k + 1, "|", ms=7, mew=0.7, color=style.INK)
        if length is not None:
            bracket = begin[k] - 0.5 + np.array([0, trials[k]])
            ax.plot(bracket, 2 * [k + 0.64], marker="|", ms=6, mew=2, **style.FLOOR | {"lw": 1.4})
    fell = shown[shown < n - 1]
    ax.plot(ends[fell], fell + 1, "X", ms=8, color=style.VERMILION, mec=style.CARD, mew=0.6)
    finding = f"None of {n} hypotheses passes its trial of {trials[-1]}"
    if length is None:
        finding, look = f"{n} hypotheses: which one would you take home?", {"ha": "right"}
        ax.text(far, n - 0.8, f"{counts[-1]:,} right →", **style.TEXT | look)
    elif len(passed):
        finding = f"Hypothesis {chosen + 1} is the first to pass its trial of {trials[chosen]}"
        look = {"ha": "left", "va": "bottom", "color": style.FOR_TEXTS[style.PURPLE]}
        end = begin[chosen] + trials[chosen] + 0.005 * far, chosen + 0.68
        ax.text(*end, "output", **style.TEXT | look)
    parts.label(ax, ("examples seen", "hypothesis"))
    ax.set_yticks(np.arange(1, shown[-1] + 2, 1 + shown[-1] // 14))
    ax.locator_params("x", integer=True)
    several = ", ".join(map(str, counts[:14])) + (", …" if n > 14 else "")
    asked = "; trials of " + ", ".join(dict.fromkeys(map(str, trials[:14])))
    return finding, (
        f"{n} hypotheses were right on {several} examples, one after the other, each until its "
        f"mistake{asked if length is not None else ''}."
    )


def explorer():
    """Choose ε, δ and the margin: how many examples, and what one stream does with them (O1).

    >>> print(explorer().words)
    Hypothesis 8 is the first to pass its trial of 65. The hypotheses were right on 0, 1, ...
    """
    eps = slider("ε", [0.5, 0.3, 0.2, 0.1, 0.05, 0.02], 0.1)
    delta = slider("δ", [0.5, 0.2, 0.1, 0.05, 0.01], 0.1)
    margin = slider("margin", [1 / 2, 1 / 4, 1 / 8, 1 / 16], 1 / 8, one_over)

    def load():
        return (Redrawn(timeline, *axes(4.2, (0.11, 0.16, 0.86, 0.8))),)

    def draw(picture):
        X, y, _ = separable(300, 3, margin.value, seed=2)
        D, rng = Finite.of(X, y), np.random.default_rng(1)
        M, *wanted = round(1 / margin.value**2), eps.value, delta.value
        learned = online_to_pac(lambda n: D.draw(n, rng), M, *wanted)
        counts, most = survivals(learned.run), reduction_size(M, *wanted)
        finding, _ = picture.show(counts=counts, length=survival_length(M, *wanted))
        right = ", ".join(f"{v:,}" for v in counts[:12]) + ", …" * (len(counts) > 12)
        return finding, (
            f"The hypotheses were right on {right} examples in a row, "
            f"with {count(learned.run.mistakes, 'mistake')} of at most {M}. Of at most {most:,} "
            f"examples {learned.used:,} were looked at. The output's error is "
            f"{number(float(D.error(learned.w)))} (allowed: {eps.value:g})."
        ), ""

    return Explorer([eps, delta, margin], load, draw)


# --- the exercises --------------------------------------------------------------------------------


@checker(
    "07.1",
    "A trial that is passed ends everything. How long can a trial last that is not passed?",
    "h_1 errs at once. At which example of its trial should h_2 err, so that as many as possible "
    "are used? The lengths of the trials are trial_length(k, 0.25, 0.25).",
)
def longest_trial(stream):
    """A stream of the three unit vectors on which trials that grow last longest (O6)."""
    X, y, _ = worst_case(3)
    expected = "a stream is a list of at most 1,000 of the numbers 0, 1 and 2"
    order = whole_list(stream, expected)
    require(order and set(order) <= {0, 1, 2} and len(order) <= 1000, expected)
    run = perceptron(X[order], y[order], max_passes=1)
    learned, many = _first_survivor(run, _needed(None, 0.25, 0.25)), run.mistakes + 1
    require(learned, f"the stream ends before any of {many} hypotheses has passed its trial")
    k, used = sum(run.steps < learned.used), learned.used
    missing = f"h_{k + 1} is output after {used} examples"
    require(k == 3, f"{missing}, before all three vectors have been met")
    require(used == 1 + 13 + 16 + 18, f"{missing}; an earlier trial could have lasted longer")
    return f"{used} examples are looked at, and no stream makes it more."


@checker(
    "07.2",
    "A hypothesis that knows two of the vectors errs on the third. When is that bad, yet as hard "
    "to find out as possible?",
    "Its error must exceed 1/10, but only just. And two such hypotheses are better than one.",
)
def risky_distribution(p):
    """Chances of the three unit vectors for which the reduction fails with 6 % or more (O2)."""
    D = Finite.of(*worst_case(3)[:2], p)
    require(min(D.p) > 0, "each of the three must have a chance above 0")
    failure = exact_reduction(D, 3, Fraction(1, 10), Fraction(1, 4)).failure
    chance = f"{float(failure):.4%}" if failure > Fraction(1, 10**6) else "almost 0"
    edge = "; an error of exactly 1/10 is not above ε" if Fraction(1, 10) in D.p else ""
    require(failure >= Fraction(6, 100), f"the chance of failure is {chance}{edge}")
    return f"the chance of failure is {float(failure):.2%}, still at most δ = 25 %."


@checker(
    "07.3",
    "Count the hypotheses, too. What changes at a mistake?",
    "Ask first whether the example is a mistake, and only then whether the trial has been passed.",
)
def survivor_without_a_bound(learn):
    """The first survivor with trials that grow, as a function of X, y, ε and δ (O6)."""
    X, y, _ = worst_case(3)
    for last, fell, eps, delta in ((2, [13], 1 / 4, 1 / 4), (3, [12, 16], 1 / 4, 1 / 4),
                                   (4, [12, 15], 1 / 4, 1 / 4), (3, [16], 1 / 4, 1 / 10),
                                   (2, [9], 1 / 2, 1 / 10)):  # fmt: skip
        order = [0] + [i for k, many in enumerate(fell) for i in many * [0] + [k + 1]] + 90 * [0]
        run = perceptron(X[order], y[order], max_passes=1)
        w = value_of(learn, X[order], y[order], eps, delta)
        w = [*checks.fractions(w, 3, "what your function returns")]
        places = [k for k, own in enumerate(run.weights.tolist(), 1) if own == w]
        require(places, "your function must return the weights of one of the hypotheses")
        right = ", ".join(map(str, survivals(run)[:-1]))
        where = f"with ε = {eps} and δ = {delta}, where those that erred were right {right} times"
        require(last in places, f"{where}, h_{last} survives first, and not h_{places[0]}")
    return "it knows no M, and keeps the promise all the same."
