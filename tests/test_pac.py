"""The reductions keep their promise: exactly on small distributions, simulated on larger ones."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom

from perceptron_lib import pac, perceptron, separable, worst_case
from perceptron_lib.pac import Finite
from tests.reference import refusals

THREE = Finite.of(*worst_case(3)[:2], p=[Fraction(1, 2), Fraction(3, 8), Fraction(1, 8)])


def test_sample_sizes():
    assert pac.sample_size(0.1, 0.05, 2**10) == math.ceil(10 * (10 * math.log(2) + math.log(20)))
    assert pac.survival_length(4, 0.25, 0.25) == math.ceil(4 * math.log(16))
    assert pac.reduction_size(4.9, 0.25, 0.25) == 4 * math.ceil(4 * math.log(4.9 / 0.25))
    assert pac.random_stop_size(10, 0.1, 0.1) == 1000
    first, second = pac.two_phase_sizes(100, 0.1, 0.1)
    assert first == 4000 and second == math.ceil(320 * math.log(2040))
    second = math.ceil(320 * math.log(60))  # both have two parts, and M is rounded down
    assert pac.two_phase_sizes(1, 0.1, 0.1) == (math.ceil(160 * math.log(20)), second)
    assert pac.two_phase_sizes(4.9, 0.5, 0.5) == pac.two_phase_sizes(4, 0.5, 0.5)
    assert pac.survival_length(1, 0.5, 0.5) == 2 and pac.random_stop_size(7, 0.7, 0.1) == 100
    small = math.ceil(8 * math.log2(2 / 0.001))  # where δ decides, and where the dimension does
    assert pac.vc_size(0.5, 0.001, 1) == max(small, math.ceil(16 * math.log2(26)))
    assert pac.vc_size(0.9, 1e-9, 1) == math.ceil(4 / 0.9 * math.log2(2e9))
    assert pac.vc_size(0.1, 0.1, 3) == math.ceil(240 * math.log2(130))
    assert pac.sample_size(1e-320, 0.1, 2) > 10**320  # they may be enormous
    assert min(pac.two_phase_sizes(3, 1e-320, 0.1)) > 10**320


def test_survivals_count_what_was_right_in_a_row():
    X, y, _ = separable(50, 3, 0.02, seed=3)
    run = perceptron(X, y, max_passes=1)
    counts = pac.survivals(run)
    assert counts.sum() + run.mistakes == 50 and len(counts) == run.mistakes + 1
    t, streak, seen = 0, 0, []
    for i in range(50):
        if y[i] * (X[i] @ run.weights[t]) <= 0:
            seen.append(streak)
            t, streak = t + 1, 0
        else:
            streak += 1
    assert counts.tolist() == [*seen, streak]
    assert (pac.longest_survivor(run) == run.weights[counts.argmax()]).all()
    used = [*(c + 1 for c in seen), streak]  # each but the last was in use for its mistake, too
    assert pac.in_use(run).tolist() == used and sum(used) == 50


@pytest.mark.parametrize("eps", [Fraction(1, 4), Fraction(1, 10)])
@pytest.mark.parametrize("delta", [Fraction(1, 2), Fraction(1, 10)])
def test_the_exact_failure_probability_is_at_most_delta(eps, delta):
    result = pac.exact_reduction(THREE, 3, eps, delta)
    assert result.failure <= delta
    assert sum(result.outputs.values()) == 1
    assert result.used <= pac.reduction_size(3, eps, delta)


def test_a_shorter_survival_would_break_the_promise(monkeypatch):
    """With a quarter of the examples asked for, the exact failure probability exceeds δ."""
    tenths = [Fraction(1, 10)] * 2
    honest = pac.survival_length(3, *tenths)
    monkeypatch.setattr(pac, "survival_length", lambda *_: honest // 4)
    assert pac.exact_reduction(THREE, 3, *tenths).failure > tenths[1]


def test_following_all_streams_together_is_the_same_as_one_by_one(monkeypatch):
    monkeypatch.setattr(pac, "survival_length", lambda *_: 2)
    eps, delta = Fraction(1, 4), Fraction(1, 4)
    result = pac.exact_reduction(THREE, 3, eps, delta)
    failure = none = used = Fraction(0)
    for choice in itertools.product(range(3), repeat=6):  # all 729 streams
        chance = math.prod((THREE.p[i] for i in choice), start=Fraction(1))
        X, y = THREE.X[list(choice)], THREE.y[list(choice)]
        learned = pac.online_to_pac(lambda n, X=X, y=y: (X, y), 3, eps, delta)
        failure += chance * (THREE.error(learned.w) > eps)
        none += chance * (not learned.survived)
        used += chance * learned.used
    assert (result.failure, result.none_survived, result.used) == (failure, none, used)


def test_the_exact_numbers_do_not_round():
    """One-decimal data, where sums of floats would take another turn."""
    D = Finite.of([[0.6], [-0.1], [-0.3]], [1, 1, 1])
    z = [Fraction(0.6), Fraction(-0.1), Fraction(-0.3)]
    states = {(Fraction(0), 0): Fraction(1)}
    for _ in range(6):
        after = {}
        for (w, made), chance in states.items():
            for v in z:
                key = (w + v, made + 1) if v * w <= 0 else (w, made)
                after[key] = after.get(key, 0) + chance / 3
        states = after
    errors, mistakes = pac.exact_mistakes(D, 6)
    assert sum(errors) == mistakes == sum(made * c for (_, made), c in states.items())


def test_a_false_bound_breaks_the_promise():
    """The hypothesis dropped: with M = 1 for three unit vectors the failure exceeds δ."""
    D = Finite.of(*worst_case(3)[:2], p=["39/50", "11/100", "11/100"])
    assert pac.exact_reduction(D, 1, Fraction(1, 10), Fraction(1, 10)).failure > Fraction(1, 10)
    with pytest.raises(ValueError, match="M = 1 is no bound"):
        rng = np.random.default_rng(3)
        for _ in range(50):
            pac.online_to_pac(lambda n: D.draw(n, rng), 1, 0.1, 0.1)


# --- no bound known (O6) ---------------------------------------------------------------------


@pytest.mark.parametrize("eps", [Fraction(1, 4), Fraction(1, 10)])
def test_o6_without_a_bound_the_failure_is_below_delta_hypothesis_by_hypothesis(eps):
    delta = Fraction(1, 4)
    result = pac.exact_reduction(THREE, None, eps, delta)
    assert result.none_survived == 0 and sum(result.outputs.values()) == 1
    assert all(bad <= delta / (k * (k + 1)) for k, bad in result.failures.items())
    assert 0 < result.failure == sum(result.failures.values()) <= delta * Fraction(3, 4)
    assert result.used <= pac.growing_size(3, eps, delta)


def test_o6_sizes_are_the_sum_of_the_trials():
    assert pac.growing_size(3, 0.25, 0.25) == 9 + 13 + 16 + 18 == pac.growing_size(3.9, 0.25, 0.25)
    for M in (1, 10, 100):
        lengths = [math.ceil(10 * math.log(10 * k * (k + 1))) for k in range(1, M + 2)]
        assert pac.growing_size(M, 0.1, 0.1) == sum(lengths)


def test_o6_the_stream_goes_on_until_one_survives():
    rng = np.random.default_rng(5)
    for _ in range(20):
        learned = pac.online_to_pac(lambda n: THREE.draw(n, rng), None, 0.1, 0.1)
        counts, k = pac.survivals(learned.run), learned.run.weights.tolist().index([*learned.w])
        lengths = [pac.trial_length(i + 1, 0.1, 0.1) for i in range(len(counts))]
        assert learned.survived and learned.used <= pac.growing_size(3, 0.1, 0.1)
        assert learned.used == sum(counts[:k] + 1) + lengths[k] and counts[k] >= lengths[k]
        assert (counts[:k] < lengths[:k]).all()


def test_o6_shorter_trials_would_break_the_promise(monkeypatch):
    monkeypatch.setattr(pac, "trial_length", lambda *_: 3)
    assert pac.exact_reduction(THREE, None, 0.1, 0.1).failure > Fraction(1, 10)


def test_o6_no_line_no_end_but_a_sentence(monkeypatch):
    monkeypatch.setattr(pac, "MOST_DOUBLED", 100)
    no_line = Finite.of([[1, 0], [-1, 0]], [1, 1])
    rng = np.random.default_rng(0)
    with pytest.raises(ValueError, match="among 144 examples no hypothesis has survived"):
        pac.online_to_pac(lambda n: no_line.draw(n, rng), None, 0.25, 0.25)
    with pytest.raises(ValueError, match="some line must separate the points of finite"):
        pac.exact_reduction(no_line, None, 0.25, 0.25)
    monkeypatch.setattr(pac, "MOST_STEPS", 40)
    with pytest.raises(ValueError, match="eps must be larger: the streams have more than 40"):
        pac.exact_reduction(THREE, None, 0.25, 0.25)


def test_o2_the_failure_is_the_sum_over_the_index():
    result = pac.exact_reduction(THREE, 3, Fraction(1, 4), Fraction(1, 4))
    assert result.failure == sum(result.failures.values())
    assert max(result.failures.values()) <= Fraction(1, 12) and result.failures[4] == 0


def test_error_exactly_eps_is_no_failure():
    D = Finite.of(*worst_case(2)[:2], p=["3/4", "1/4"])
    result = pac.exact_reduction(D, 2, Fraction(1, 4), Fraction(1, 4))
    assert result.outputs[1.0, 0.0] > 0 and result.failure < result.outputs[1.0, 0.0]
    assert result == pac.exact_reduction(D, 2, 0.25, 0.25)


def test_survivals_of_several_passes_and_the_first_of_two_longest_survivors():
    assert pac.survivals(perceptron(*worst_case(3)[:2])).tolist() == [0, 0, 0, 3]
    run = perceptron([[1, 0], [1, 0], [0, 1], [0, 1]], [1, 1, 1, 1], max_passes=1)
    assert pac.survivals(run).tolist() == [0, 1, 1]
    assert pac.longest_survivor(run).tolist() == [1, 0]


def one_decimal_runs(count):
    """Few examples of one decimal, on which sums of floats often miss an exact tie."""
    for seed in range(count):
        rng = np.random.default_rng(seed)
        X, y = rng.integers(-9, 10, (6, 2)) / 10, rng.choice([-1, 1], 6)
        yield perceptron(X, y, max_passes=3), rng.integers(-9, 10, (4, 2)) / 10


def exact(X):
    """Floats as whole multiples of 2**-60."""
    return np.array([[int(v) for v in row] for row in (X * 2.0**60).tolist()], dtype=object)


def exact_weights(run):
    """The weights w_1 … w_{M+1}, in these units."""
    Z = exact(run.Z)
    return np.cumsum([0 * Z[0], *Z[run.updates]], axis=0)


def exact_signs(X, weights):
    """The signs of x·w, a row for each x."""
    return np.sign(exact(X) @ weights.T).astype(int)


def best_weights(Z, weights):
    """Of the weights that make the fewest errors the first, as floats."""
    return [v / 2**60 for v in weights[np.argmin((exact_signs(Z, weights) <= 0).sum(axis=0))]]


def test_pocket_vote_and_average_are_exact():
    """Decided by floats alone, 18 of these pockets and 10 of these votes would be others."""
    for run, new in one_decimal_runs(700):
        weights, used = exact_weights(run), pac.in_use(run)
        assert pac.pocket_weights(run).tolist() == best_weights(run.Z, weights)
        votes = np.sign(exact_signs(new, weights) @ used)
        assert pac.voted_labels(run, new).tolist() == votes.tolist()
        assert pac.averaged_weights(run).tolist() == [v / 2**60 for v in used.tolist() @ weights]


def test_two_phases_choose_exactly(monkeypatch):
    monkeypatch.setattr(pac, "two_phase_sizes", lambda *_: (6, 6))
    for run, _ in one_decimal_runs(300):
        learned = pac.two_phase(lambda n, run=run: (run.X, run.y), 100, 0.5, 0.5)
        assert learned.w.tolist() == best_weights(run.Z, exact_weights(learned.run))


@pytest.mark.parametrize("scale", [1.0, 2.0**-900, 2.0**900])
def test_votes_do_not_depend_on_the_scale(scale):
    for seed in range(30):
        rng = np.random.default_rng(seed)
        X, y = rng.integers(-9, 10, (6, 2)) / 10, rng.choice([-1, 1], 6)
        small, run = perceptron(X, y, max_passes=3), perceptron(scale * X, y, max_passes=3)
        assert (pac.voted_labels(run, X) == pac.voted_labels(small, X)).all()
        assert (pac.pocket_weights(run) == scale * pac.pocket_weights(small)).all()
    wide = perceptron([[2.0**900, 0.0], [-(2.0**900), 2.0**-1000]], [1, 1], max_passes=2)
    assert pac.voted_labels(wide, [[0.0, 1.0]]).tolist() == [1]


def test_two_phase_chooses_on_the_second_sample():
    X, y, _ = worst_case(3)
    sizes, asked = pac.two_phase_sizes(3, 0.5, 0.5), []

    def draw(n):
        asked.append(n)
        order = [0] * (n - 2) + [1, 2] if len(asked) == 1 else [0] * n  # then only e_1
        return X[order], y[order]

    learned = pac.two_phase(draw, 3, 0.5, 0.5)
    assert asked == list(sizes) and learned.used == sum(sizes)
    assert learned.w.tolist() == [1, 0, 0]  # no error there, though two on the first sample


def test_o3_when_none_survives_the_last_hypothesis_cannot_err():
    eps = delta = Fraction(1, 4)
    length = pac.survival_length(3, eps, delta)
    order = [0] * length + [1] + [0] * (length - 1) + [2] + [0] * (length - 1)
    assert len(order) == pac.reduction_size(3, eps, delta)
    learned = pac.online_to_pac(lambda n: (THREE.X[order], THREE.y[order]), 3, eps, delta)
    assert not learned.survived and learned.run.mistakes == 3
    assert THREE.error(learned.w) == 0


def test_draws_follow_the_distribution_and_the_seed():
    X, y = THREE.draw(20_000, np.random.default_rng(0))
    shares = [(X[:, j] != 0).mean() for j in range(3)]
    assert np.abs(np.array(shares) - [0.5, 0.375, 0.125]).max() < 0.015
    again, _ = THREE.draw(20_000, np.random.default_rng(0))
    assert (again == X).all() and (y == np.where(X[:, 1] != 0, -1, 1)).all()


def test_errors_are_exact_ties_are_errors_and_intervals_cover():
    low, high = pac.interval(5, 50)
    assert abs(binom.sf(4, 50, low) - 0.025) < 1e-9 and abs(binom.cdf(5, 50, high) - 0.025) < 1e-9
    assert low < 0.1 < high and pac.interval(50, 50)[1] == 1.0 and pac.interval(0, 50)[0] == 0.0
    assert THREE.error([0, 0, 0]) == 1
    assert THREE.error([1, -1, -1]) == Fraction(1, 8)
    assert Finite.of([[1, 0]], [1]).error([Fraction(1, 2), 0]) == 0
    assert Finite.of([[2.0**53, 1.0, -(2.0**53)]], [1]).error([1, 1, 1]) == 0


test_bad_input_gets_one_clear_sentence = refusals({
    "eps must be a number strictly between 0 and 1": [(pac.sample_size, 0, 0.1, 2)],
    "M must be a finite number, 1 or more": [(pac.survival_length, 0.5, 0.1, 0.1)],
    "from 0 to 3, the number of trials; got 5": [(pac.interval, 5, 3)],
    "w must be 3 finite numbers": [(THREE.error, [1])],
    "sum to exactly 1": [
        (Finite.of, [[1]], [1], [np.inf]), (Finite.of, [[1]], [1], [0.5]),
        (Finite.of, [[1], [2]], [1, 1], ["3/2", "-1/2"]), (Finite.of, [[1], [2]], [1, 1], ["1"]),
        (Finite.of, [[1]], [1], ["1/0"])],
    "X must have 2 columns": [(pac.voted_labels, perceptron([[1, 2]], [1]), [[1]])],
    "write '0.8' or '4/5'": [(Finite.of, [[1]] * 3, [1] * 3, [0.8, 0.1, 0.1])],
    r"run must be a Run, as perceptron\(X, y\) gives; got": [(pac.survivals, [1, 2])],
    "what draw gives must be X and y": [(pac.two_phase, lambda n: THREE.X, 3, 0.1, 0.1)],
    "asked for 30 examples and gave 3": [
        (pac.online_to_pac, lambda n: (THREE.X, THREE.y), 3, 0.25, 0.25)],
    "must be smaller": [(pac.online_to_pac, THREE.draw, 1e300, 0.1, 0.1)],
})  # fmt: skip


def test_a_stream_may_come_as_lists():
    rng = np.random.default_rng(2)
    learned = pac.two_phase(lambda n: [part.tolist() for part in THREE.draw(n, rng)], 3, 0.25, 0.25)
    assert THREE.error(learned.w) == 0
