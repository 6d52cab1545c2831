"""The reductions keep their promise: exactly on small distributions, simulated on larger ones."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom

import perceptron_lib as lib
from perceptron_lib import averages, bounds, perceptron, separable, worst_case
from perceptron_lib.lessons import noise, pac, survivors
from perceptron_lib.lessons.survivors import Finite
from tests.reference import exactly, refusals

THREE = Finite.of(*worst_case(3)[:2], p=[Fraction(1, 2), Fraction(3, 8), Fraction(1, 8)])


@pytest.mark.parametrize(("size", "right"), [
    (pac.sample_size(0.1, 0.05, 2**10), 10 * (10 * math.log(2) + math.log(20))),
    (survivors.survival_length(4, 0.25, 0.25), 4 * math.log(16)),
    (survivors.reduction_size(4.9, 0.25, 0.25), 4 * math.ceil(4 * math.log(4.9 / 0.25))),
    (survivors.growing_size(3.9, 0.25, 0.25), 9 + 13 + 16 + 18),
    (survivors.growing_size(9, 0.1, 0.1),
     sum(math.ceil(10 * math.log(10 * k * (k + 1))) for k in range(1, 11))),
])  # fmt: skip
def test_sample_sizes(size, right):
    assert np.atleast_1d(size).tolist() == np.ceil(np.atleast_1d(right)).tolist()


def test_sample_sizes_may_be_enormous():
    assert pac.sample_size(1e-320, 0.1, 2) > 10**320


@pytest.mark.parametrize("passes", [1, 3])
def test_survivals_count_what_was_right_in_a_row(passes):
    X, y, _ = separable(50, 3, 0.02, seed=3)
    run, streaks = perceptron(X, y, max_passes=passes), [0]
    for i in passes * [*range(50)]:
        if y[i] * (X[i] @ run.weights[len(streaks) - 1]) <= 0:
            streaks.append(0)
        else:
            streaks[-1] += 1
    assert averages.survivals(run).tolist() == streaks and run.passes == passes
    used = [*(count + 1 for count in streaks[:-1]), streaks[-1]]  # with its mistake, but the last
    assert averages.in_use(run).tolist() == used and sum(used) == 50 * passes


@pytest.mark.parametrize("M", [3, None])
@pytest.mark.parametrize("eps", [Fraction(1, 4), Fraction(1, 10)])
@pytest.mark.parametrize("delta", [Fraction(1, 2), Fraction(1, 10)])
def test_the_exact_failure_is_at_most_delta_hypothesis_by_hypothesis(M, eps, delta):
    """O2 for a known bound M; O6 for none."""
    result = survivors.exact_reduction(THREE, M, eps, delta)
    shares = {k: delta / (M or k * (k + 1)) for k in result.failures}
    assert all(bad <= shares[k] for k, bad in result.failures.items()) and result.failures[4] == 0
    assert 0 < result.failure == sum(result.failures.values()) <= delta * Fraction(3, 3 if M else 4)
    size = survivors.reduction_size if M else survivors.growing_size
    assert result.used <= size(3, eps, delta) and (M or result.none_survived == 0)


@pytest.mark.parametrize(("name", "M", "shorter"), [
    ("survival_length", 3, survivors.survival_length(3, 0.1, 0.1) // 4), ("trial_length", None, 3)])
def test_shorter_trials_would_break_the_promise(name, M, shorter, monkeypatch):
    monkeypatch.setattr(survivors, name, lambda *_: shorter)
    assert survivors.exact_reduction(THREE, M, 0.1, 0.1).failure > Fraction(1, 10)


def test_following_all_streams_together_is_the_same_as_one_by_one(monkeypatch):
    """Some errors are exactly ε, which is no failure."""
    monkeypatch.setattr(survivors, "survival_length", lambda *_: 2)
    eps, delta = Fraction(1, 8), Fraction(1, 4)
    result = survivors.exact_reduction(THREE, 3, eps, delta)
    failure = none = used = Fraction(0)
    for choice in itertools.product(range(3), repeat=6):  # all 729 streams
        chance = math.prod((THREE.p[i] for i in choice), start=Fraction(1))
        X, y = THREE.X[list(choice)], THREE.y[list(choice)]
        learned = survivors.online_to_pac(lambda n, X=X, y=y: (X, y), 3, eps, delta)
        failure += chance * (THREE.error(learned.w) > eps)
        none += chance * (not learned.survived)
        used += chance * learned.used
    assert (result.failure, result.none_survived, result.used) == (failure, none, used)


def test_the_exact_numbers_do_not_round():
    """One-decimal data, where sums of floats would take another turn."""
    D, total = Finite.of([[0.6], [-0.1], [-0.3]], [1, 1, 1]), 0
    for stream in itertools.product(map(Fraction, (0.6, -0.1, -0.3)), repeat=6):
        w = Fraction(0)
        for z in stream:
            wrong = z * w <= 0
            w, total = w + z * wrong, total + wrong
    errors, mistakes = survivors.exact_mistakes(D, 6)
    assert sum(errors) == mistakes == Fraction(total, 3**6)


def test_a_false_bound_breaks_the_promise():
    """The hypothesis dropped: with M = 1 for three unit vectors the failure exceeds δ."""
    D = Finite.of(*worst_case(3)[:2], p=["39/50", "11/100", "11/100"])
    assert survivors.exact_reduction(D, 1, 0.1, 0.1).failure > Fraction(1, 10)
    with pytest.raises(ValueError, match="M = 1 is no bound"):
        rng = np.random.default_rng(3)
        for _ in range(50):
            survivors.online_to_pac(lambda n: D.draw(n, rng), 1, 0.1, 0.1)


def test_o6_the_stream_goes_on_until_one_survives():
    rng = np.random.default_rng(5)
    for _ in range(20):
        learned = survivors.online_to_pac(lambda n: THREE.draw(n, rng), None, 0.1, 0.1)
        counts = averages.survivals(learned.run)
        k = learned.run.weights.tolist().index([*learned.w])
        lengths = [survivors.trial_length(i + 1, 0.1, 0.1) for i in range(len(counts))]
        assert learned.survived and learned.used <= survivors.growing_size(3, 0.1, 0.1)
        assert learned.used == sum(counts[:k] + 1) + lengths[k] and counts[k] >= lengths[k]
        assert (counts[:k] < lengths[:k]).all()


def test_o6_no_line_no_end_but_a_sentence(monkeypatch):
    monkeypatch.setattr(survivors, "MOST_DRAWN", 100)
    no_line, rng = Finite.of([[1, 0], [-1, 0]], [1, 1]), np.random.default_rng(0)
    with pytest.raises(ValueError, match="among 144 examples no hypothesis has survived"):
        survivors.online_to_pac(lambda n: no_line.draw(n, rng), None, 0.25, 0.25)
    with pytest.raises(ValueError, match="some line must separate the points of finite"):
        survivors.exact_reduction(no_line, None, 0.25, 0.25)
    monkeypatch.setattr(survivors, "MOST_FOLLOWED", 40)
    with pytest.raises(ValueError, match="eps must be larger: the streams have more than 40"):
        survivors.exact_reduction(THREE, None, 0.25, 0.25)


def one_decimal_runs(count):
    """Few examples of one decimal, on which sums of floats often miss an exact tie."""
    for seed in range(count):
        rng = np.random.default_rng(seed)
        X, y = rng.integers(-9, 10, (6, 2)) / 10, rng.choice([-1, 1], 6)
        yield perceptron(X, y, max_passes=3), rng.integers(-9, 10, (4, 2)) / 10


def exact_weights(run):
    """The weights w_1 … w_{M+1}, in fractions."""
    Z = np.array(exactly(run.Z))
    return np.cumsum([0 * Z[0], *Z[run.updates]], axis=0)


def exact_signs(X, weights):
    """The signs of x·w, a row for each x."""
    return np.sign(np.array(exactly(X)) @ weights.T).astype(int)


def best_weights(Z, weights):
    """Of the weights that make the fewest errors the first, as floats."""
    return weights[np.argmin((exact_signs(Z, weights) <= 0).sum(axis=0))].astype(float).tolist()


def test_pocket_vote_and_average_are_exact():
    """Decided by floats alone, 10 of these pockets and 6 of these votes would be others."""
    for run, new in one_decimal_runs(300):
        weights, used = exact_weights(run), averages.in_use(run)
        assert noise.pocket_weights(run).tolist() == best_weights(run.Z, weights)
        votes = np.sign(exact_signs(new, weights) @ used)
        assert averages.voted_labels(run, new).tolist() == votes.tolist()
        average = (used.tolist() @ weights).astype(float)
        assert averages.averaged_weights(run).tolist() == average.tolist()


def test_a_run_that_stops_within_a_pass_ends_there():
    run = lib.margin_perceptron(*lib.five_points()[:2], gamma=3, max_updates=2)
    assert run.steps.tolist() == [0, 1] and averages.in_use(run).tolist() == [1, 1, 0]
    assert averages.averaged_weights(run).tolist() == run.weights[:2].sum(axis=0).tolist()


@pytest.mark.parametrize("scale", [2.0**-900, 2.0**900])
def test_votes_do_not_depend_on_the_scale(scale):
    for run, new in one_decimal_runs(30):
        scaled = perceptron(scale * run.X, run.y, max_passes=3)
        assert (averages.voted_labels(scaled, new) == averages.voted_labels(run, new)).all()
        assert (noise.pocket_weights(scaled) == scale * noise.pocket_weights(run)).all()
    wide = perceptron([[2.0**900, 0.0], [-(2.0**900), 2.0**-1000]], [1, 1], max_passes=2)
    assert averages.voted_labels(wide, [[0.0, 1.0]]).tolist() == [1]


def test_o3_when_none_survives_the_last_hypothesis_cannot_err():
    eps = delta = Fraction(1, 4)
    length = survivors.survival_length(3, eps, delta)
    order = [0] * length + [1] + [0] * (length - 1) + [2] + [0] * (length - 1)
    assert len(order) == survivors.reduction_size(3, eps, delta)
    learned = survivors.online_to_pac(lambda n: (THREE.X[order], THREE.y[order]), 3, eps, delta)
    assert not learned.survived and learned.run.mistakes == 3
    assert THREE.error(learned.w) == 0


def test_draws_follow_the_distribution_and_the_seed():
    X, y = THREE.draw(20_000, np.random.default_rng(0))
    assert np.abs((X != 0).mean(axis=0) - [0.5, 0.375, 0.125]).max() < 0.015
    again, _ = THREE.draw(20_000, np.random.default_rng(0))
    assert (again == X).all() and (y == np.where(X[:, 1] != 0, -1, 1)).all()


def test_errors_are_exact_ties_are_errors_and_intervals_cover():
    low, high = bounds.interval(5, 50)
    assert abs(binom.sf(4, 50, low) - 0.025) < 1e-9 and abs(binom.cdf(5, 50, high) - 0.025) < 1e-9
    assert bounds.interval(50, 50)[1] == 1.0 and bounds.interval(0, 50)[0] == 0.0
    assert THREE.error([0, 0, 0]) == 1
    assert THREE.error([1, -1, -1]) == Fraction(1, 8)
    assert Finite.of([[1, 0]], [1]).error([Fraction(1, 2), 0]) == 0
    assert Finite.of([[2.0**53, 1.0, -(2.0**53)]], [1]).error([1, 1, 1]) == 0


test_bad_input_gets_one_clear_sentence = refusals({
    "from 0 to 3, the number of trials; got 5": [(bounds.interval, 5, 3)],
    "sum to exactly 1": [
        (Finite.of, [[1]], [1], [np.inf]), (Finite.of, [[1]], [1], [0.5]),
        (Finite.of, [[1], [2]], [1, 1], ["3/2", "-1/2"]), (Finite.of, [[1], [2]], [1, 1], ["1"])],
    "rng must be a random generator; got 5": [(THREE.draw, 3, 5)],
    "X must have 2 columns": [(averages.voted_labels, perceptron([[1, 2]], [1]), [[1]])],
    "one label for each of the 30 examples": [
        (survivors.online_to_pac, lambda n: (THREE.X, THREE.y), 3, 0.25, 0.25)],
    "must be smaller": [
        (survivors.online_to_pac, THREE.draw, 1e300, 0.1, 0.1),
        (survivors.exact_reduction, THREE, 100, 0.1, 0.1)],
})  # fmt: skip
