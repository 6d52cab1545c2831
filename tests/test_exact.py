"""Floats are whole numbers times a power of two."""

import itertools
import math
import sys
from fractions import Fraction
from operator import mul

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from perceptron_lib import exact
from perceptron_lib.exact import dot, floats, integers, lowest_bit, sqrt_above, sqrt_below

finite = st.floats(allow_nan=False, allow_infinity=False)


@given(st.lists(finite, min_size=1, max_size=5))
def test_integers_and_back(values):
    N, e = integers(values)
    assert [Fraction(int(k)) * Fraction(2) ** e for k in N] == [Fraction(v) for v in values]
    assert floats(N, e).tolist() == values


@given(st.lists(finite.filter(bool), min_size=1, max_size=5))
def test_the_lowest_bit_is_the_lowest(values):
    e = lowest_bit(values)
    scaled = [Fraction(v) / Fraction(2) ** e for v in values]
    assert all(s.denominator == 1 for s in scaled) and any(s % 2 for s in scaled)


def test_the_lowest_bit_of_every_piece_of_a_large_array_counts():
    """Of large numbers before and after small ones, and of pieces of zeros."""
    assert lowest_bit(np.append(np.ones(1_200_000), 0.375)) == -3
    assert lowest_bit(np.append(np.zeros(1_200_000), 4.0)) == 2
    sizes = [2.0**-1074, 2.0**-1000, 2.0**-60, 1.0, 2.0**40, 2.0**1000, 0.0]
    for two in itertools.product(sizes, repeat=2):
        assert lowest_bit(np.repeat(two, 30_000)) == lowest_bit(two)


@given(st.lists(st.tuples(*[st.integers(-(2**70), 2**70)] * 2), min_size=1))
def test_dot_never_overflows(pairs):
    a, b = (np.array(column, dtype=object) for column in zip(*pairs, strict=True))
    assert dot(a, b) == sum(x * y for x, y in pairs)
    small = dot(a % 2**25, b % 2**25)
    assert small == sum(x % 2**25 * (y % 2**25) for x, y in pairs)
    a, b = a % 2**62, b % 2**62
    assert dot(a.astype(np.int64), b.astype(np.int64)) == sum(map(int, a * b))


@given(st.lists(st.fractions(), min_size=1, max_size=4))
def test_whole_numbers_on_the_ray_have_no_common_factor(values):
    k = exact.ray(values)
    assert math.gcd(*map(int, k)) in (0, 1)
    assert all(k[i] * values[j] == k[j] * values[i] for i in range(len(k)) for j in range(len(k)))
    assert all((a > 0) == (v > 0) for a, v in zip(k, values, strict=True))


@given(st.fractions(min_value=0).filter(bool), st.integers(-300, 300))
def test_roots_are_rounded_outwards_to_the_nearest_float(q, power):
    q = q * Fraction(4) ** power
    below, above = sqrt_below(q), sqrt_above(q)
    assert Fraction(below) ** 2 <= q < Fraction(math.nextafter(below, math.inf)) ** 2
    assert Fraction(math.nextafter(above, 0)) ** 2 < q <= Fraction(above) ** 2


def test_roots_of_squares_are_exact():
    assert sqrt_below(Fraction(9, 4)) == sqrt_above(Fraction(9, 4)) == 1.5
    assert sqrt_below(0) == sqrt_above(0) == 0
    assert sqrt_below(Fraction(2) ** 3000) == sys.float_info.max
    assert sqrt_above(Fraction(2) ** 3000) == math.inf
    assert sqrt_below(Fraction(2) ** -3000) == 0 and sqrt_above(Fraction(2) ** -3000) == 5e-324


def test_floats_rounds_once():
    assert floats(np.array([2**60 + 1], dtype=object), -60)[0] == 1.0
    wide = np.array([2**1025 + 1, -(2**1025)], dtype=object)
    assert floats(wide).tolist() == [math.inf, -math.inf]
    assert floats(np.array([1]), 1025)[0] == math.inf


def test_the_error_of_a_score_covers_every_rounding():
    """By the textbook: k roundings of terms whose sizes sum to S err by at most k·u·S/(1 - k·u)."""
    u = Fraction(1, 2**53)
    for d, k in itertools.product((1, 2, 5, 100, 10**6), (0, 1, 7, 1000, 10**9)):
        score = d * (k + 1) * u + d * (d * u / (1 - d * u))
        length = d * (k + 1) * u + d * (Fraction(d, 2) + 4) * u * (1 + 10 * d * u)
        assert Fraction(exact.score_error(d, 1.0, k)) >= score + length


@given(arrays(float, (5, 3), elements=st.floats(-1e300, 1e300)), st.integers(0, 99))
def test_signs_are_exact_for_any_floats(X, seed):
    W = np.random.default_rng(seed).integers(-(2**40), 2**40, (4, 3)).astype(object) * 2**seed
    scores = [[sum(map(mul, map(Fraction, x), w)) for w in W.tolist()] for x in X.tolist()]
    assert exact.signs(X, W).tolist() == [[(s > 0) - (s < 0) for s in row] for row in scores]
    assert (exact.signs(X, W[0]) == exact.signs(X, W)[:, 0]).all()


def test_halves_are_no_whole_numbers_however_large():
    table = np.append(np.ones(30_000), -(2.0**51 + 0.5))
    assert exact.lowest_bit(table) == -1 and exact.integers(table)[0][-1] == -(2**52 + 1)


def test_a_product_of_vectors_is_an_integer_of_any_size():
    a = np.full(36, 2**20 + 1)
    assert exact.dot(a, a) ** 2 == (36 * (2**20 + 1) ** 2) ** 2
