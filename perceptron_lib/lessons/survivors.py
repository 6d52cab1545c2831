"""Lesson 7, from online to PAC: which hypothesis of a run to take home.

A run over a stream of random examples is a sequence of hypotheses w_1, w_2, …, each in use from one
update to the next.  How long each survived is the gap between two steps of the `Run`, so every
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
from perceptron_lib.averages import fewest_wrong, in_use, survivals
from perceptron_lib.checks import door, limit, whole
from perceptron_lib.examples import separable, worst_case
from perceptron_lib.exercises import checker, exact_number, require, whole_list
from perceptron_lib.plots import parts, style
from perceptron_lib.plots.charts import shares
from perceptron_lib.show import count, refusal
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


@door
def random_stop_size(M, eps, delta):
    """M/(εδ): the error at a random stopping time is M/m on average, so it exceeds ε with
    probability at most M/(mε) (Markov; O5; Helmbold and Warmuth 1995).

    >>> random_stop_size(16, eps=0.125, delta=0.125)
    1024
    """
    return math.ceil(M / (eps * delta))


@door
def two_phase_sizes(M, eps, delta):
    """Examples for the run, and for the hold-out that chooses among its hypotheses: by Chernoff's
    bounds, some error is at most ε/2 and the hold-out tells it from ε (O5; Littlestone 1989).

    >>> two_phase_sizes(16, eps=0.1, delta=0.1)
    (640, 1884)
    """
    M = math.floor(M)
    first = max(4 * M / eps, 16 / eps * bounds.log(2 / delta))
    return math.ceil(first), math.ceil(32 * bounds.log(2 * (M + 2) / delta) / eps)


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


@door
def longest_survivor(run):
    """The weights that survived longest (the first of them).

    >>> longest_survivor(perceptron([[1, 0], [1, 0], [0, 1], [1, 0]], [1, 1, -1, 1], max_passes=1))
    array([1., 0.])
    """
    return run.weights[int(np.argmax(survivals(run)))]


class Learned(NamedTuple):
    """What `online_to_pac` and `two_phase` output."""

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
        run = _one_pass(draw, reduction_size(M, eps, delta), M)
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


def _one_pass(draw, n, M):
    """The Perceptron over n examples, of which it must not be wrong on more than M."""
    run = perceptron(*_drawn(draw, n), max_passes=1)
    if run.mistakes > M:
        raise ValueError(f"M = {M} is no bound on the mistakes: the run made {run.mistakes}")
    return run


def _drawn(draw, n):
    """The n examples that a function was asked for, checked."""
    if n > MOST_DRAWN:
        raise ValueError(f"M/(eps·delta) must be smaller: that takes over {MOST_DRAWN:,} examples")
    X, y = draw(n)
    return checks.table(X), checks.labels(y, n)


@door(draw=_source)
def two_phase(draw, M, eps, delta):
    """Run on one sample, then choose the hypothesis with the fewest errors on another (O5).

    >>> D, rng = Finite.of([[1, 0], [0, 1]], [1, -1]), np.random.default_rng(0)
    >>> learned = two_phase(lambda n: D.draw(n, rng), M=2, eps=0.25, delta=0.25)
    >>> learned.used, D.error(learned.w)
    (578, Fraction(0, 1))
    """
    first, second = two_phase_sizes(M, eps, delta)
    run = _one_pass(draw, first, M)
    X, y = _drawn(draw, second)
    return Learned(run.weights[fewest_wrong(run, y[:, None] * X)], True, first + second, run)


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


# --- a picture, and an explorer -------------------------------------------------------------------


@style.picture()
def timeline(ax, counts, length, chosen=None):
    """The hypotheses of a run, from when each comes into use to its mistake (a cross), after so
    many right predictions; `chosen` is the first with the length that is asked for (O1).

    >>> timeline([0, 3, 12], length=10, chosen=2)
    Hypothesis 3 is the first to survive 10 examples: 3 hypotheses were right on 0, 3, 12 ...
    """
    counts = np.array(counts)
    begin = np.concatenate([[0], np.cumsum(counts + 1)[:-1]])
    last = len(counts) - 1 if chosen is None else chosen
    far = 1.35 * (begin[last] + (counts[last] if chosen is None else length))
    shown = np.flatnonzero(begin < far)
    rows = np.arange(1, len(counts) + 1)
    ends = np.minimum(begin + counts, 2 * far)
    ax.set(xlim=(-0.01 * far, far), ylim=(max(shown[-1] + 1, 2) + 0.7, 0.3))
    looks = [style.BARS | {"color": style.INK} if k == chosen else style.BARS for k in shown]
    for k, look in zip(shown, looks, strict=True):
        ax.barh(rows[k], ends[k] - begin[k], left=begin[k], height=0.5, **look)
    fell = shown[:-1] if shown[-1] == len(counts) - 1 else shown
    ax.plot(ends[fell], rows[fell], "X", ms=9, color=style.VERMILION, mec=style.CARD, mew=0.6)
    what = f"None of {len(counts)} hypotheses survives"
    if chosen is not None:
        what, high = f"Hypothesis {chosen + 1} is the first to survive", rows[chosen] - 0.42
        ends = begin[chosen] + np.array([0, length])
        ax.plot(ends, [high] * 2, marker="|", ms=8, mew=2, **style.FLOOR)
        parts.note(ax, f"asked for: {length:,}", (ends.mean(), high), color=style.PURPLE)
    parts.label(ax, ("examples seen", "hypothesis"))
    ax.set_yticks(rows[: shown[-1] + 1 : 1 + shown[-1] // 12])
    ax.locator_params("x", integer=True)
    several = ", ".join(map(str, counts[:12])) + (", …" if len(counts) > 12 else "")
    return f"{what} {count(length, 'example')}", (
        f"{len(counts)} hypotheses were right on {several} examples, one after the other, each "
        f"until its mistake; {length} in a row were asked for."
    )


def explorer():
    """Choose ε, δ and the margin: how many examples, and what one stream does with them (O1).

    >>> print(explorer().words)
    Hypothesis 8 is output: it was right 65 times in a row. The hypotheses were right on ...
    """
    eps = slider("ε", [0.5, 0.3, 0.2, 0.1, 0.05, 0.02], 0.1)
    delta = slider("δ", [0.5, 0.2, 0.1, 0.05, 0.01], 0.1)
    margin = slider("margin", [1 / 2, 1 / 4, 1 / 8, 1 / 16], 1 / 8, one_over)

    def load():
        above, below = axes(5.2, (0.14, 0.47, 0.83, 0.5), (0.24, 0.11, 0.73, 0.19))
        return Redrawn(timeline, above), Redrawn(shares, below)

    def draw(bars, share_bars):
        X, y, _ = separable(300, 3, margin.value, seed=2)
        D, rng = Finite.of(X, y), np.random.default_rng(1)
        M, *wanted = round(1 / margin.value**2), eps.value, delta.value
        learned = online_to_pac(lambda n: D.draw(n, rng), M, *wanted)
        length, counts = survival_length(M, *wanted), survivals(learned.run)
        chosen = int(np.argmax(counts >= length)) if learned.survived else None
        most, error = reduction_size(M, *wanted), float(D.error(learned.w))
        used, mistakes = learned.used, learned.run.mistakes if chosen is None else chosen
        share_bars.show(named={
            "mistakes": (mistakes / M, f"{mistakes} of {M}"),
            "examples": (used / most, f"{used:,} of {most:,}"),
            "error": (error / eps.value, f"{error:.4f} of ε = {eps.value:g}"),
        }, limits=[(1, "allowed", style.BOUND)], name="share of what is allowed")  # fmt: skip
        bars.show(counts=counts, length=length, chosen=chosen)
        right = ", ".join(f"{v:,}" for v in counts[:12]) + ", …" * (len(counts) > 12)
        finding = f"Hypothesis {mistakes + 1} is output: it was right {length} times in a row"
        if chosen is None:
            finding = f"No hypothesis was right {length} times in a row: the last one is output"
        return finding, (
            f"The hypotheses were right on {right} examples in a row. {count(mistakes, 'mistake')} "
            f"of at most {M}, {used:,} examples looked at of at most {most:,}. The output's error "
            f"is {error:.4f}; with probability {1 - delta.value:g} it is at most {eps.value:g}."
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
    "Compare sum(two_phase_sizes(M, 0.1, 0.1)) with reduction_size(M, 0.1, 0.1).",
    "By the table it lies between 10 and 100. A loop over M finds the first for which it holds.",
)
def where_two_phases_win(M):
    """The smallest M for which two phases need fewer examples, for ε = δ = 0.1 (O5)."""
    M = exact_number(M)
    require(M.denominator == 1 and M >= 1, "M must be a whole number, 1 or more")
    wins, before = (
        sum(two_phase_sizes(m, 0.1, 0.1)) < reduction_size(m, 0.1, 0.1) for m in (M, max(M - 1, 1))
    )
    require(wins, "the first survivor still needs fewer examples, or as many")
    require(not before, "two phases win already for a smaller M")
    return "from there on, two phases need fewer examples."
