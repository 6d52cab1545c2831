"""From few mistakes to low error: sample sizes, and ways to choose one of a run's hypotheses.

A run over a stream of random examples is a sequence of hypotheses w_1, w_2, …, each in use from one
update to the next.  How long each survived is the gap between two steps of the `Run`, so every
reduction here is a function of a run, with no loop of its own (O1, O5).

A finite distribution is a `Finite`: points, labels and exact probabilities.  On a small one
`exact_reduction` follows *all* streams at once, and the probability of failure is a fraction.
"""

import math
from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from scipy.stats import beta

from perceptron_lib.exact import dot, integers
from perceptron_lib.examples import labelled
from perceptron_lib.perceptron import AT_ZERO, Run, perceptron


def _between(value, name):
    """A number strictly between 0 and 1."""
    if not (isinstance(value, (int, float, Fraction, np.floating)) and 0 < value < 1):
        raise ValueError(f"{name} must lie strictly between 0 and 1; got {value}")
    return value


def _at_least_one(M, name="M"):
    if not 1 <= M < math.inf:
        raise ValueError(f"{name} must be a finite number, 1 or more; got {M}")
    return M


# --- sample sizes ----------------------------------------------------------------------------


def sample_size(eps, delta, size):
    """(ln|C| + ln 1/δ)/ε examples are enough for a consistent learner of a class of `size` (Q2).

    >>> sample_size(0.1, 0.05, 2**10)
    100
    """
    eps, delta = _between(eps, "eps"), _between(delta, "delta")
    return math.ceil((math.log(_at_least_one(size, "size")) + math.log(1 / delta)) / eps)


def survival_length(M, eps, delta):
    """(1/ε) ln(M/δ): who survives so many examples in a row has error at most ε, or we were
    unlucky, with a chance of at most δ/M (O1)."""
    eps, delta = _between(eps, "eps"), _between(delta, "delta")
    return math.ceil(math.log(_at_least_one(M) / delta) / eps)


def reduction_size(M, eps, delta):
    """⌊M⌋ · (1/ε) ln(M/δ): the examples that the first-survivor reduction draws at most (O1)."""
    return math.floor(_at_least_one(M)) * survival_length(M, eps, delta)


def random_stop_size(M, eps, delta):
    """M/(εδ): the error at a random stopping time is M/m on average, so it exceeds ε with
    probability at most M/(mε) (Markov; O5)."""
    eps, delta = _between(eps, "eps"), _between(delta, "delta")
    return math.ceil(_at_least_one(M) / (eps * delta))


def two_phase_sizes(M, eps, delta):
    """Examples for the run, and for the hold-out that chooses among its hypotheses (O5).

    After the first, some hypothesis has error at most ε/2 with probability 1 - δ/2: else the
    mistakes would be at least binomial with mean 2M or more, and Chernoff's bound says how
    unlikely M of them are.  The second tells ε/2 from ε for M + 1 hypotheses.
    """
    eps, delta = _between(eps, "eps"), _between(delta, "delta")
    M = math.floor(_at_least_one(M))
    first = max(4 * M / eps, 16 / eps * math.log(2 / delta))
    return math.ceil(first), math.ceil(32 / eps * math.log(2 * (M + 2) / delta))


# --- hypotheses of a run ---------------------------------------------------------------------


def survivals(run):
    """How many examples each hypothesis w_1 … w_{M+1} got right in a row before it erred (or the
    stream ended), for a run over a stream.

    >>> survivals(perceptron([[1, 0], [1, 0], [0, 1], [1, 0]], [1, 1, -1, 1], max_passes=1))
    array([0, 1, 1])
    """
    ends = np.append(run.steps, run.passes * len(run.y))
    return np.diff(ends, prepend=-1) - 1


def longest_survivor(run):
    """The weights that survived longest (the first of them)."""
    return run.weights[int(np.argmax(survivals(run)))]


def averaged_weights(run):
    """All weights averaged over the time they were in use: sum_t c_t w_t for survivals c_t."""
    return survivals(run) @ run.weights


def voted_labels(run, X):
    """The labels of X by the vote of all hypotheses, each with as many votes as it survived."""
    return np.sign(np.sign(np.asarray(X) @ run.weights.T) @ survivals(run)).astype(int)


def pocket_weights(run):
    """The weights of the run with the fewest errors on its own examples (the first of them)."""
    Z = run.y[:, None] * run.X
    best, fewest = None, len(Z) + 1
    for w in run.weights:
        errors = np.count_nonzero(Z @ w <= 0)
        if errors < fewest:
            best, fewest = w, errors
    return best


class Learned(NamedTuple):
    """What `online_to_pac` puts out."""

    w: np.ndarray  # the hypothesis
    survived: bool  # whether it survived; if none did, it is the last one, which cannot err (O3)
    used: int  # how many examples were looked at until then
    run: Run


def online_to_pac(draw, M, eps, delta):
    """Run the Perceptron on a stream, and put out the first hypothesis that survives (O1).

    Parameters
    ----------
    draw : a function of n that gives n examples and their labels
    M : a bound on the number of mistakes, such as (R/γ)²

    If none survives, M mistakes have been made.  There are no more to make, so the hypothesis
    after the last one never errs (O3).
    """
    length = survival_length(M, eps, delta)
    X, y = draw(reduction_size(M, eps, delta))
    run = perceptron(X, y, max_passes=1)
    enough = np.flatnonzero(survivals(run) >= length)
    if len(enough) == 0:
        return Learned(run.weights[-1], False, len(y), run)
    first = int(enough[0])
    begun = 0 if first == 0 else int(run.steps[first - 1]) + 1
    return Learned(run.weights[first], True, begun + length, run)


def two_phase(draw, M, eps, delta):
    """Run on one sample, then choose the hypothesis with the fewest errors on another (O5)."""
    first, second = two_phase_sizes(M, eps, delta)
    run = perceptron(*draw(first), max_passes=1)
    X, y = draw(second)
    errors = (y[:, None] * (X @ run.weights.T) <= 0).sum(axis=0)
    return Learned(run.weights[int(np.argmin(errors))], True, first + second, run)


# --- distributions and errors ----------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Finite:
    """A distribution on finitely many labelled points, with exact probabilities."""

    X: np.ndarray
    y: np.ndarray
    p: tuple  # Fractions that sum to 1

    @classmethod
    def of(cls, X, y, p=None):
        """Points X with labels y and probabilities p (equal ones if not given), checked."""
        X, y = labelled(X, y)
        p = [Fraction(1, len(y))] * len(y) if p is None else [Fraction(v) for v in p]
        if len(p) != len(y) or min(p) < 0 or sum(p) != 1:
            raise ValueError(f"p must be {len(y)} probabilities that sum to exactly 1")
        return cls(X, y, tuple(p))

    def error(self, w, tie="mistake"):
        """The probability that w is wrong, exactly."""
        N, _ = integers(self.X)
        W, _ = integers(w)
        scores = self.y * dot(N, W)
        wrong = (scores < 0) | ((scores == 0) & (self.y != AT_ZERO[tie]))
        return sum((p for p, bad in zip(self.p, wrong, strict=True) if bad), Fraction(0))

    def draw(self, n, rng):
        """n independent examples, by a NumPy generator; raw bits, so the same on every machine."""
        limits = np.cumsum([float(v) for v in self.p])
        uniform = (rng.bit_generator.random_raw(n) >> np.uint64(11)) * 2.0**-53
        chosen = np.minimum(np.searchsorted(limits, uniform, side="right"), len(self.y) - 1)
        return self.X[chosen], self.y[chosen]


def interval(failures, trials, confidence=0.95):
    """An interval that covers the true failure rate with the given confidence (Clopper–Pearson).

    >>> low, high = interval(0, 100)
    >>> low, round(high, 3)
    (0.0, 0.036)
    """
    tail = (1 - _between(confidence, "confidence")) / 2
    low = beta.ppf(tail, failures, trials - failures + 1) if failures else 0.0
    high = beta.ppf(1 - tail, failures + 1, trials - failures) if failures < trials else 1.0
    return float(low), float(high)


class ExactReduction(NamedTuple):
    """The outcome of a reduction over *all* streams, with exact probabilities."""

    failure: Fraction  # the chance that the output has error above eps
    none_survived: Fraction  # the chance that no hypothesis survived
    used: Fraction  # the expected number of examples looked at
    outputs: dict  # weights -> probability that they are put out


def exact_reduction(finite, M, eps, delta):
    """`online_to_pac` on every stream from a finite distribution at once, exactly (O2).

    All streams in which the algorithm remembers the same (its weights, and how long they have
    survived) are followed together, so the sum over exponentially many streams is a short one.
    """
    length, total = survival_length(M, eps, delta), reduction_size(M, eps, delta)
    states = {(tuple([0.0] * finite.X.shape[1]), 0): Fraction(1)}
    outputs, used = defaultdict(Fraction), Fraction(0)
    for seen in range(1, total + 1):
        following = defaultdict(Fraction)
        for (w, survived), chance in states.items():
            for x, label, p in zip(finite.X, finite.y, finite.p, strict=True):
                if label * (x @ np.array(w)) <= 0:
                    following[tuple((np.array(w) + label * x).tolist()), 0] += chance * p
                elif survived + 1 == length:
                    outputs[w] += chance * p
                    used += seen * chance * p
                else:
                    following[w, survived + 1] += chance * p
        states = following
    none = sum(states.values(), Fraction(0))
    for (w, _), chance in states.items():
        outputs[w] += chance
    errors = {w: finite.error(np.array(w)) for w in outputs}
    failure = sum((p for w, p in outputs.items() if errors[w] > eps), Fraction(0))
    return ExactReduction(failure, none, used + total * none, dict(outputs))


def exact_mistakes(finite, m):
    """Over all streams of length m: the expected error of the hypothesis in use at each step, and
    the expected number of mistakes, by two different ways (O5)."""
    states = {(tuple([0.0] * finite.X.shape[1]), 0): Fraction(1)}
    errors = []
    for _ in range(m):
        errors.append(sum(c * finite.error(np.array(w)) for (w, _), c in states.items()))
        following = defaultdict(Fraction)
        for (w, made), chance in states.items():
            for x, label, p in zip(finite.X, finite.y, finite.p, strict=True):
                wrong = label * (x @ np.array(w)) <= 0
                after = tuple((np.array(w) + label * x).tolist()) if wrong else w
                following[after, made + wrong] += chance * p
        states = following
    return errors, sum(made * chance for (_, made), chance in states.items())
