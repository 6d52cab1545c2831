"""Square roots, compared exactly."""

from decimal import Decimal, getcontext
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perceptron_lib.surd import Surd, root

small = st.fractions(-9, 9, max_denominator=6)
positive = st.fractions(0, 12, max_denominator=4)


@given(small, positive, small, positive, small)
def test_surds_have_the_sign_and_the_size_of_their_value(p, a, q, b, r):
    getcontext().prec = 100

    def decimal(x):
        return Decimal(x.numerator) / x.denominator

    value = decimal(p) + decimal(q) * decimal(a).sqrt() + decimal(r) * decimal(b).sqrt()
    sign = 0 if abs(value) < Decimal(10) ** -60 else int(value.copy_sign(1) / value)
    surd = Surd(p, {a: q}) + Surd(0, {b: r})
    assert surd.sign() == sign
    assert float(surd) == pytest.approx(float(value) if sign else 0, rel=1e-15, abs=0)


@given(small, positive, small, small, positive, small)
def test_products_and_powers_of_surds_are_those_of_their_values(p, a, q, r, b, s):
    one, other = Surd(p, {a: q}), Surd(r, {b: s})
    by_hand = p * r + root(a) * (q * r) + root(b) * (p * s) + root(a * b) * (q * s)
    for zero in (one * other - by_hand, one * other - other * one):
        assert zero.roots == {} and zero.rational == 0
    assert one**2 == one * one and one**1 == one and (one**3 - one * one * one).roots == {}
    assert float(one * other) == pytest.approx(float(one) * float(other), rel=1e-9, abs=1e-9)
    if r:
        assert one / r * r == one and float(one / r) == pytest.approx(float(one) / float(r))


def test_surds_that_floats_cannot_tell_apart():
    root = Surd(0, {10**40 + 1: 1})
    assert root > 10**20 and root != 10**20 and float(root) == 1e20
    assert float(root - 10**20) == pytest.approx(5e-21, rel=1e-15)
    assert Surd(0, {8: 1}) == Surd(0, {2: 2}) and Surd(0, {Fraction(9, 4): 2}) == 3
    assert (Surd(0, {2: 1}) * Surd(0, {8: 1})).roots == (Surd(0, {2: 1}) * 0).roots == {}
    assert (Surd(0, {2: 1}) + Surd(0, {3: 1}) - Surd(0, {3: 1}) - Surd(0, {2: 1})).sign() == 0
    with pytest.raises(ArithmeticError, match="two different square roots"):
        near = Fraction((2**0.5 + 3**0.5) / 5**0.5)
        (Surd(0, {2: 1}) + Surd(0, {3: 1}) - Surd(0, {5: near})).sign()


def test_signs_of_surds_far_outside_the_range_of_floats():
    small = Fraction(1, 10**20) * (1 + Fraction(9, 10**6))
    large = Fraction(1, 10**320) * (1 + Fraction(1, 10**5))
    assert Surd(-small, {10**600 + 1: large}).sign() == 1
    assert Surd(-(10**400), {10**800 + 1: 1}).sign() == 1
    assert float(Surd(0, {10**600: 1})) == 1e300 and float(Surd(0, {10**800 + 1: -1})) == -np.inf


def test_roots_of_arrays_and_sums_with_arrays():
    lengths = root(np.array([4, Fraction(1, 4), 2], dtype=object))
    assert lengths[0] == 2 and lengths[1] == Fraction(1, 2) and root(8) == 2 * lengths[2]
    t = np.arange(3).astype(object)
    for total in (t + root(2), root(2) + t):
        assert [float(v) for v in total] == pytest.approx([2**0.5, 1 + 2**0.5, 2 + 2**0.5])
    for product in (t * root(2), root(2) * t, t - (t - t * root(2))):
        assert product[0] == 0 and not product[0].roots and product[2] == root(8)
    assert len(root(t[:0])) == 0
