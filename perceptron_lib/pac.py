"""From few mistakes to low error: sample sizes, and ways to choose one of a run's hypotheses.

A run over a stream of random examples is a sequence of hypotheses w_1, w_2, …, each in use from one
update to the next.  How long each survived is the gap between two steps of the `Run`, so every
reduction here is a function of a run, with no loop of its own (O1, O5).

A finite distribution is a `Finite`: points, labels and exact probabilities.  On a small one
`exact_reduction` follows *all* streams at once, and the probability of failure is a fraction.
"""

import math
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from perceptron_lib import checks
from perceptron_lib.exact import bits, dot, floats, integers, rational
from perceptron_lib.perceptron import perceptron
from perceptron_lib.progress import Progress
from perceptron_lib.run import Run
from perceptron_lib.separability import Inseparable, separate

MOST = 10**7  # examples that may be drawn
MOST_STEPS = 1000  # of all streams at once
MOST_DOUBLED = 10**6  # examples among which one must survive, where no bound is known


def _rates(eps, delta):
    return checks.chance(eps, "eps"), checks.chance(delta, "delta")


def _bound(M):
    return checks.at_least(1, M, "M")


def _log(q):
    """The natural logarithm of a Fraction of any size, as a Fraction: no quotient of it can be
    too large."""
    return Fraction(math.log(q.numerator) - math.log(q.denominator))


# --- sample sizes ----------------------------------------------------------------------------


def sample_size(eps, delta, size):
    """(ln|C| + ln 1/δ)/ε examples are enough for a consistent learner of a class of `size` (Q2).

    >>> sample_size(0.1, 0.05, 2**10)
    100
    """
    eps, delta = _rates(eps, delta)
    return math.ceil((_log(checks.at_least(1, size, "size")) - _log(delta)) / eps)


def vc_size(eps, delta, dimension):
    """max((4/ε) log₂(2/δ), (8v/ε) log₂(13/ε)) examples for a class of VC dimension v (Q8; Blumer,
    Ehrenfeucht, Haussler and Warmuth 1989).

    >>> vc_size(0.1, 0.1, 3)
    1686
    """
    (eps, delta), v = _rates(eps, delta), checks.whole(dimension, "dimension")
    return math.ceil(max(4 * _log(2 / delta), 8 * v * _log(13 / eps)) / (_log(Fraction(2)) * eps))


def survival_length(M, eps, delta):
    """(1/ε) ln(M/δ): who survives so many examples in a row has error at most ε, or we were
    unlucky, with a chance of at most δ/M (O1).

    >>> survival_length(16, eps=0.1, delta=0.05)
    58
    """
    eps, delta = _rates(eps, delta)
    return math.ceil(_log(_bound(M) / delta) / eps)


def reduction_size(M, eps, delta):
    """⌊M⌋ · (1/ε) ln(M/δ): the examples that the first-survivor reduction draws at most (O1).

    >>> reduction_size(16, eps=0.1, delta=0.05)
    928
    """
    return math.floor(_bound(M)) * survival_length(M, eps, delta)


def trial_length(k, eps, delta):
    """(1/ε) ln(k(k+1)/δ): how many examples in a row h_k must survive if no bound M is known (O6).

    >>> [trial_length(k, 0.25, 0.25) for k in (1, 2, 3, 4)]
    [9, 13, 16, 18]
    """
    k = checks.whole(k, "k")
    return survival_length(k * (k + 1), eps, delta)


def growing_size(M, eps, delta):
    """The examples that are looked at without a known bound, if there are at most M mistakes: the
    trials of h_1 … h_{M+1} (O6).

    >>> growing_size(3, eps=0.25, delta=0.25)
    56
    """
    most = checks.whole(math.floor(_bound(M)), "M", 1, 10**5)
    return sum(trial_length(k, eps, delta) for k in range(1, most + 2))


def _lengths(M, eps, delta):
    """How long h_k must survive, as a function of k: the same for all if a bound M is known."""
    if M is None:
        return lru_cache(None)(lambda k: trial_length(k, eps, delta))
    length = survival_length(M, eps, delta)
    return lambda k: length


def random_stop_size(M, eps, delta):
    """M/(εδ): the error at a random stopping time is M/m on average, so it exceeds ε with
    probability at most M/(mε) (Markov; O5).

    >>> random_stop_size(16, eps=0.125, delta=0.125)
    1024
    """
    eps, delta = _rates(eps, delta)
    return math.ceil(_bound(M) / (eps * delta))


def two_phase_sizes(M, eps, delta):
    """Examples for the run, and for the hold-out that chooses among its hypotheses (O5).

    After m = max(4M/ε, (16/ε) ln(2/δ)) examples, some hypothesis has error at most ε/2 with
    probability 1 - δ/2: else the mistakes would be at least binomial with mean mε/2 >= 2M, and are
    at most half of that with probability at most exp(-mε/16).  The second sample tells errors
    ε/2 and ε apart, for M + 1 hypotheses, by whether they err on more than 3ε/4 of it.

    >>> two_phase_sizes(16, eps=0.1, delta=0.1)
    (640, 1884)
    """
    eps, delta = _rates(eps, delta)
    M = math.floor(_bound(M))
    first = max(4 * M / eps, 16 / eps * _log(2 / delta))
    return math.ceil(first), math.ceil(32 * _log(2 * (M + 2) / delta) / eps)


# --- hypotheses of a run ---------------------------------------------------------------------


def _run(run):
    return checks.instance(run, Run, "run", "a Run, as perceptron(X, y) gives")


def survivals(run):
    """How many examples each hypothesis w_1 … w_{M+1} got right in a row before it erred (or the
    stream ended), for a run over a stream.

    >>> survivals(perceptron([[1, 0], [1, 0], [0, 1], [1, 0]], [1, 1, -1, 1], max_passes=1))
    array([0, 1, 1])
    """
    ends = np.append(_run(run).steps, run.passes * len(run.y))
    return np.diff(ends, prepend=-1) - 1


def in_use(run):
    """For how many examples each hypothesis was in use: those it got right, and its mistake.

    >>> run = perceptron([[1, 0], [1, 0], [0, 1], [1, 0]], [1, 1, -1, 1], max_passes=1)
    >>> in_use(run).tolist()
    [1, 2, 1]
    """
    used = survivals(run)
    used[:-1] += 1
    return used


def longest_survivor(run):
    """The weights that survived longest (the first of them).

    >>> run = perceptron([[1, 0], [1, 0], [0, 1], [1, 0]], [1, 1, -1, 1], max_passes=1)
    >>> longest_survivor(run).tolist()
    [1.0, 0.0]
    """
    return _run(run).weights[int(np.argmax(survivals(run)))]


def averaged_weights(run):
    """The sum of all weights, each as often as it was in use: a multiple of their average.

    >>> run = perceptron([[1, 0], [1, 0], [0, 1], [1, 0]], [1, 1, -1, 1], max_passes=1)
    >>> averaged_weights(run).tolist()
    [3.0, -1.0]
    """
    W, exponent = _run(run).exact_weights
    return floats(dot(in_use(run), W), exponent)


def voted_labels(run, X):
    """The labels of X by the vote of all hypotheses, each with a vote for every example it was in
    use for; 0 if the vote is tied.

    >>> run = perceptron([[1, 0], [1, 0], [0, 1], [1, 0]], [1, 1, -1, 1], max_passes=1)
    >>> voted_labels(run, [[1, 0], [0, 1], [1, 1]]).tolist()
    [1, -1, 1]
    """
    W, X = _run(run).exact_weights[0], checks.table(X)
    if X.shape[1] != W.shape[1]:
        raise ValueError(f"X must have {W.shape[1]} columns, one for each weight")
    used = in_use(run)
    return np.sign(sum(signs @ used[part] for part, signs in _signs(X, W)))


def pocket_weights(run):
    """The weights of the run with the fewest errors on its own examples (the first of them).

    >>> run = perceptron([[1, 0], [1, 0], [0, 1], [1, 0]], [1, 1, -1, 1], max_passes=1)
    >>> pocket_weights(run).tolist()
    [1.0, -1.0]
    """
    return _run(run).weights[_fewest_errors(run, run.Z)]


def _fewest_errors(run, Z):
    """Which of the weights has z_i·w <= 0 for the fewest rows of Z (the first of them)."""
    errors = [(signs <= 0).sum(axis=0) for _, signs in _signs(Z, run.exact_weights[0])]
    return int(np.argmin(np.concatenate(errors)))


def _signs(X, W):
    """The signs of x·w for all rows x of X (floats) and w of W (whole numbers), exactly: some
    columns at a time, with the part of W that they belong to.

    Floats err by at most (d + 4)·2⁻⁵²·‖x‖·‖w‖, and ‖w‖ is at most √d times its largest entry; what
    is closer to 0 is decided in whole numbers.  Only signs matter, so that X and W are brought to
    size 1 first, and what underflow may take away is far below 2⁻¹⁰⁰⁰.
    """
    N, d, few = None, X.shape[1], max(1, 10**6 // len(X))
    rows = np.ldexp(X, -np.frexp(np.abs(X).max(axis=1, keepdims=True))[1])
    lengths = (d + 4) * 2.0**-52 * math.sqrt(d) * np.linalg.norm(rows, axis=1)
    for first in range(0, len(W), few):
        part = slice(first, first + few)
        w = floats(W[part], -bits(W[part]))
        scores = rows @ w.T
        signs = np.sign(scores).astype(np.int64)
        close = np.abs(scores) <= np.outer(lengths, np.abs(w).max(axis=1)) + 2.0**-1000
        for k in np.flatnonzero(close.any(axis=0)):
            N = integers(X)[0] if N is None else N
            exact = dot(N[close[:, k]], W[first + k])
            signs[close[:, k], k] = (exact > 0).astype(int) - (exact < 0).astype(int)
        yield part, signs


class Learned(NamedTuple):
    """What `online_to_pac` outputs.

    >>> D, rng = Finite.of([[1, 0], [0, 1]], [1, -1]), np.random.default_rng(0)
    >>> found = online_to_pac(lambda n: D.draw(n, rng), M=2, eps=0.25, delta=0.25)
    >>> found.survived, found.used, found.run.mistakes
    (True, 11, 2)
    """

    w: np.ndarray  # the hypothesis
    survived: bool  # whether it survived; if none did, it is the last one, which cannot err (O3)
    used: int  # how many examples were looked at until then
    run: Run


def online_to_pac(draw, M, eps, delta):
    """Run the Perceptron on a stream, and output the first hypothesis that survives (O1).

    Parameters
    ----------
    draw : a function of n that gives n examples and their labels
    M : a bound on the number of mistakes, such as (R/γ)²; None if none is known (O6)

    If none survives, M mistakes have been made.  There are no more to make, so the hypothesis
    after the last one never errs (O3).  Without M the stream goes on until one survives.

    >>> D, rng = Finite.of([[1, 0], [0, 1]], [1, -1]), np.random.default_rng(0)
    >>> found = online_to_pac(lambda n: D.draw(n, rng), M=2, eps=0.25, delta=0.25)
    >>> found.w.tolist(), D.error(found.w)
    ([1.0, -1.0], Fraction(0, 1))
    """
    if M is None:
        return _growing_trials(draw, eps, delta)
    run = _one_pass(draw, reduction_size(M, eps, delta), _bound(M))
    return _first_survivor(run, M, eps, delta) or Learned(run.weights[-1], False, len(run.y), run)


def _first_survivor(run, M, eps, delta):
    """The first hypothesis of a run that survives its trial, or None."""
    needed, starts = _lengths(M, eps, delta), [0, *(run.steps + 1).tolist()]
    for k, (start, count) in enumerate(zip(starts, survivals(run), strict=True)):
        if count >= needed(k + 1):
            return Learned(run.weights[k], True, start + needed(k + 1), run)
    return None


def _growing_trials(draw, eps, delta):
    """`online_to_pac` without a bound: the stream is doubled until a hypothesis survives."""
    X, y = _drawn(draw, trial_length(1, eps, delta))
    while not (found := _first_survivor(perceptron(X, y, max_passes=1), None, eps, delta)):
        if len(y) > MOST_DOUBLED:
            seen = f"among {len(y):,} examples no hypothesis has survived its trial"
            raise ValueError(f"some line must separate what draw gives, with a margin; {seen}")
        more = _drawn(draw, len(y))
        X, y = np.vstack([X, more[0]]), np.append(y, more[1])
    return found


def _one_pass(draw, n, M):
    """The Perceptron over n examples, of which it must not be wrong on more than M."""
    run = perceptron(*_drawn(draw, n), max_passes=1)
    if run.mistakes > M:
        made = f"the run made {run.mistakes} mistakes, so M = {M} is no bound"
        raise ValueError(f"M must be a bound on the mistakes; {made}")
    return run


def _drawn(draw, n):
    """The n examples that a function was asked for, checked."""
    checks.instance(draw, Callable, "draw", "a function of n that gives n examples and labels")
    if n > MOST:
        raise ValueError(f"M/(eps·delta) must be smaller: that takes more than {MOST:,} examples")
    drawn = draw(n)
    if not isinstance(drawn, (tuple, list)) or len(drawn) != 2:
        raise checks.refusal("what draw gives", "X and y", drawn)
    X, y = checks.labelled(*drawn)
    if len(y) != n:
        asked = f"it was asked for {n} examples and gave {len(y)}"
        raise ValueError(f"draw must give as many as it is asked for; {asked}")
    return X, y


def two_phase(draw, M, eps, delta):
    """Run on one sample, then choose the hypothesis with the fewest errors on another (O5).

    >>> D, rng = Finite.of([[1, 0], [0, 1]], [1, -1]), np.random.default_rng(0)
    >>> found = two_phase(lambda n: D.draw(n, rng), M=2, eps=0.25, delta=0.25)
    >>> found.used, D.error(found.w)
    (578, Fraction(0, 1))
    """
    first, second = two_phase_sizes(M, eps, delta)
    run = _one_pass(draw, first, _bound(M))
    X, y = _drawn(draw, second)
    best = _fewest_errors(run, y[:, None] * X)
    return Learned(run.weights[best], True, first + second, run)


# --- distributions and errors ----------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Finite:
    """A distribution on finitely many labelled points, with exact probabilities.

    >>> D = Finite.of([[1, 0], [0, 1]], [1, -1], p=["4/5", "1/5"])
    >>> D.error([1, 0])
    Fraction(1, 5)
    """

    X: np.ndarray
    y: np.ndarray
    p: tuple  # Fractions that sum to 1

    @classmethod
    def of(cls, X, y, p=None):
        """Points X with labels y and probabilities p (equal ones if not given), checked."""
        X, y = checks.labelled(X, y)
        n, write = len(y), "for 0.8, which no float is, write '0.8' or '4/5'"
        expected = f"{n} chances that sum to exactly 1 ({write})"
        p = [Fraction(1, n)] * n if p is None else checks.fractions(p, n, "p", expected)
        if min(p) < 0 or sum(p) != 1:
            raise checks.refusal("p", expected, [str(v) for v in p])
        return cls(X, y, tuple(p))

    def error(self, w):
        """The probability that w is wrong (or undecided), exactly."""
        N, _ = integers(self.X)
        W, _ = rational(checks.fractions(w, self.X.shape[1], "w"))
        wrong = self.y * dot(N, W) <= 0
        return sum((p for p, bad in zip(self.p, wrong, strict=True) if bad), Fraction(0))

    def draw(self, n, rng):
        """n independent examples, by ``np.random.default_rng(seed)``, the same on every machine."""
        generator = "a random generator, such as np.random.default_rng(0)"
        checks.instance(rng, np.random.Generator, "rng", generator)
        n, limits = checks.whole(n, "n", 0, MOST), np.cumsum([float(v) for v in self.p])
        uniform = (rng.bit_generator.random_raw(n) >> np.uint64(11)) * 2.0**-53
        chosen = np.minimum(np.searchsorted(limits, uniform, side="right"), len(self.y) - 1)
        return self.X[chosen], self.y[chosen]


def interval(failures, trials):
    """An interval that covers the true failure rate with confidence 95 % (Clopper–Pearson).

    >>> low, high = interval(0, 100)
    >>> low, round(high, 3)
    (0.0, 0.036)
    """
    from scipy.special import betaincinv  # here, because it is slow to import

    trials = checks.whole(trials, "trials", 1, 10**15)
    failures = checks.whole(failures, "failures", 0, trials, ", the number of trials")
    low = betaincinv(failures, trials - failures + 1, 0.025) if failures else 0.0
    high = betaincinv(failures + 1, trials - failures, 0.975) if failures < trials else 1.0
    return float(low), float(high)


class ExactReduction(NamedTuple):
    """The outcome of a reduction over *all* streams, with exact probabilities.

    >>> D = Finite.of([[1, 0], [0, 1]], [1, -1])
    >>> exact_reduction(D, M=2, eps=0.25, delta=0.25).none_survived
    Fraction(1, 512)
    """

    failure: Fraction  # the chance that the output has error above eps
    none_survived: Fraction  # the chance that no hypothesis survived
    used: Fraction  # the expected number of examples looked at
    outputs: dict  # weights -> probability that they are output
    failures: dict  # k -> the chance that h_k is output and has error above eps


def _walk(finite):
    """The Perceptron's steps on a finite distribution, in whole numbers.

    Returns the first weights, a function from weights to what one random example leads to (pairs
    of the weights after it and whether it was a mistake, with probabilities), and a function that
    gives the weights as floats.
    """
    checks.instance(finite, Finite, "finite", "a distribution, as Finite.of(X, y) gives")
    N, exponent = integers(finite.X)
    Z = [tuple(int(v) for v in label * row) for row, label in zip(N, finite.y, strict=True)]

    @lru_cache(None)
    def after(w):
        found = defaultdict(Fraction)
        for z, p in zip(Z, finite.p, strict=True):
            wrong = sum(a * b for a, b in zip(z, w, strict=True)) <= 0
            found[tuple(a + b for a, b in zip(w, z, strict=True)) if wrong else w, wrong] += p
        return list(found.items())

    def as_floats(w):
        return tuple(floats(np.array(w, dtype=object), exponent).tolist())

    return (0,) * finite.X.shape[1], after, as_floats


def exact_reduction(finite, M, eps, delta):
    """`online_to_pac` on every stream from a finite distribution at once, exactly (O2, O6).

    All streams in which the algorithm remembers the same (its weights, how long they have survived
    and the mistakes made) are followed together, so the sum over exponentially many is a short one.

    >>> D = Finite.of([[1, 0], [0, 1]], [1, -1], p=["2/3", "1/3"])
    >>> exact = exact_reduction(D, M=2, eps=0.3, delta=0.5)
    >>> exact.failure, exact.used
    (Fraction(65, 729), Fraction(5644, 729))
    """
    total = MOST_STEPS if M is None else reduction_size(M, eps, delta)
    needed = _lengths(M, eps, delta)
    too_long = f"the streams have more than {MOST_STEPS:,} examples"
    if max(total, needed(1)) > MOST_STEPS:
        raise ValueError(f"M/eps must be smaller: {too_long}")
    eps, (first, after, as_floats) = checks.chance(eps, "eps"), _walk(finite)
    if M is None and isinstance(separate(finite.X, finite.y), Inseparable):
        raise ValueError("some line must separate the points of finite: else no stream need end")
    states, outputs, used = {(first, 0, 1): Fraction(1)}, defaultdict(Fraction), Fraction(0)
    with Progress() as progress:
        for seen in range(1, total + 1):
            following = defaultdict(Fraction)
            for (w, survived, k), chance in states.items():
                for (next_w, wrong), p in after(w):
                    if not wrong and survived + 1 == needed(k):
                        outputs[w, k] += chance * p
                        used += seen * chance * p
                    else:
                        following[next_w, 0 if wrong else survived + 1, k + wrong] += chance * p
            states = following
            progress(f"step {seen} of {total}: {len(states):,} states")
    if states and M is None:
        raise ValueError(f"eps must be larger: {too_long}")
    none = sum(states.values(), Fraction(0))
    for (w, _, k), chance in states.items():
        outputs[w, k] += chance
    in_floats, failures = defaultdict(Fraction), defaultdict(Fraction)  # where two may become one
    for (w, k), chance in outputs.items():
        in_floats[as_floats(w)] += chance
        failures[k] += chance * (finite.error(w) > eps)
    failure, used = sum(failures.values()), used + total * none
    return ExactReduction(failure, none, used, dict(in_floats), dict(sorted(failures.items())))


def exact_mistakes(finite, m):
    """Over all streams of length m: the expected error of the hypothesis in use at each step, and
    the expected number of mistakes, by two different ways (O5).

    >>> exact_mistakes(Finite.of([[1, 0], [0, 1]], [1, -1]), m=2)
    ([Fraction(1, 1), Fraction(1, 2)], Fraction(3, 2))
    """
    (first, after, _), m = _walk(finite), checks.whole(m, "m", 0, 10**4)
    states, errors = {(first, 0): Fraction(1)}, []
    for _ in range(m):
        errors.append(sum(c * finite.error(w) for (w, _), c in states.items()))
        following = defaultdict(Fraction)
        for (w, made), chance in states.items():
            for (next_w, wrong), p in after(w):
                following[next_w, made + wrong] += chance * p
        states = following
    return errors, sum(made * chance for (_, made), chance in states.items())


# --- the best there is ------------------------------------------------------------------------


def fewest_errors(X, y):
    """The fewest errors any line makes on examples in the plane, and such a line (w, b) (H7).

    By brute force, in whole numbers: a best line can be moved, without an error more, until it runs
    through two of the examples.  So each line through two is tried in four positions: shifted or
    turned by next to nothing, so that each of the two may lie on either side.  The line returned is
    the one through the two, on which these (and others on it) count as the position says.

    >>> from perceptron_lib import xor
    >>> errors, line = fewest_errors(*xor()[:2])
    >>> errors
    1
    """
    X, y = checks.labelled(X, y)
    if X.shape[1] != 2:
        raise ValueError(f"examples in the plane have 2 coordinates; these have {X.shape[1]}")
    if len(X) > 200:
        raise ValueError(f"brute force over all pairs is for 200 examples at most; got {len(X)}")
    common = 1 if np.sum(y > 0) >= np.sum(y < 0) else -1
    best, line = int(np.sum(y != common)), (np.zeros(2), float(common))  # all on one side
    N = integers(X)[0]
    N = N.astype(object) if bits(N) > 29 else N  # so that no product overflows
    with Progress() as progress:
        for i, j in np.argwhere(np.tri(len(X), k=-1)):
            away, along = N - N[i], N[j] - N[i]
            side, ahead = along[0] * away[:, 1] - along[1] * away[:, 0], 2 * away @ along
            halves = np.where(ahead > along @ along, 1, -1)  # turned about the middle of the two
            for on_the_line in (halves, -halves, 1, -1):
                label = np.where(side == 0, on_the_line, np.where(side > 0, 1, -1))
                for flip in (1, -1):
                    errors = int(np.sum(flip * label != y))
                    if errors < best:
                        w = flip * np.array([X[i, 1] - X[j, 1], X[j, 0] - X[i, 0]])
                        best, line = errors, (w, -float(X[i] @ w))
            progress("lines through two examples: {:,} of {:,} examples done", i, len(X))
    return best, line
