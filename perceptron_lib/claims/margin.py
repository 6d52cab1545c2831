"""The margin Perceptron halts: M <= 2(R/(εγ))² + 2R/(εγ) (M2 to M7), and εMγ <= R - γ + (R²/2γ)H_M
with the harmonic number H_M, which is sharper for small ε (M10).

Each update moves w along u by γ||u|| at least, but once w is long, ||w|| itself grows by no more
than (1 - ε/2)γ; put into each step how long it is, and no phases are needed.  Lengths appear
unsquared here; a `Surd` compares them exactly all the same.
"""

import itertools
import math
from fractions import Fraction

import numpy as np

from perceptron_lib import checks, show
from perceptron_lib.claims.claim import Proof, on_run
from perceptron_lib.claims.line import Chain, fact, given, induction, step
from perceptron_lib.claims.quantities import Quantities
from perceptron_lib.exact import dot, row_dot
from perceptron_lib.surd import root

MARGIN = Chain([
    given("M0a", "the margin of u is γ or more", lambda q: (q.each_zu, "≥", q.gamma * q.len_u)),
    given("M0b", "definition of R", lambda q: (q.each_z2, "≤", q.R2)),
    given("M1a", "the start", lambda q: (q.start, "=", q.first_z)),
    given("M1b", "the update", lambda q: (q.next_w, "=", q.w + q.z)),
    step("M2a", "M1b", lambda q: (q.next_wu, "=", q.wu + q.zu)),
    step("M2b", "M0a", lambda q: (q.zu, "≥", q.gamma * q.len_u)),
    step("M2c", "M1a M0a", lambda q: (q.start_wu, "≥", q.gamma * q.len_u)),
    induction("M2", "M2c M2a M2b", lambda q: (q.next_wu, "≥", (q.t + 1) * q.gamma * q.len_u)),
    step("M3a", "M1b", lambda q: (q.next_w2, "=", q.w2 + 2 * q.zw + q.z2)),
    step("M3b", "M3a", lambda q: (q.len_w * q.next_len, "≤", q.w2 + q.zw + q.z2 / 2),
         "√(1 + a) ≤ 1 + a/2"),
    step("M3c", "M0b", lambda q: (q.z2, "≤", q.R2)),
    given("M3d", "it was too close", lambda q: (q.zw, "<", (1 - q.eps) * q.gamma * q.len_w)),
    step("M3", "M3b M3c M3d",
         lambda q: (q.len_w * q.next_len, "≤", q.w2 + q.R2 / 2 + (1 - q.eps) * q.gamma * q.len_w)),
    step("M4c", "M1a M0b", lambda q: (q.start_len, "≤", q.R)),
    fact("M5c", "Cauchy–Schwarz", lambda q: (q.next_wu, "≤", q.next_len * q.len_u)),
    step("M5b", "M2 M5c", lambda q: ((q.t + 1) * q.gamma, "≤", q.next_len)),
    # In two phases: w is short, or it grows slowly.
    step("M4a", "M3", lambda q: (q.next_len, "≤", q.len_w + (1 - q.eps / 2) * q.gamma),
         where=lambda q: (q.len_w, "≥", q.R2 / (q.eps * q.gamma))),
    fact("M4d", "Cauchy–Schwarz", lambda q: (q.zw, "≤", q.len_z * q.len_w)),
    step("M4b", "M3a M3c M4d", lambda q: (q.next_w2, "≤", (q.len_w + q.R) ** 2)),
    induction("M5a", "M4c M4a M4b", lambda q:
              (q.next_len, "≤", q.R2 / (q.eps * q.gamma) + q.R + q.t * (1 - q.eps / 2) * q.gamma)),
    step("M7", "M5a M5b", lambda q:
         (q.t, "≤", 2 * (q.R / (q.eps * q.gamma)) ** 2 + 2 * q.R / (q.eps * q.gamma))),
    # Without phases: w is long enough by M5b.
    step("M10a", "M3 M5b-",
         lambda q: (q.next_len, "≤", q.len_w + q.R2 / (2 * q.t * q.gamma) + (1 - q.eps) * q.gamma)),
    induction("M10b", "M4c M10a", lambda q:
              (q.next_len, "≤", q.R + q.R2 / (2 * q.gamma) * q.H + q.t * (1 - q.eps) * q.gamma)),
    step("M10", "M10b M5b",
         lambda q: (q.eps * q.t * q.gamma, "≤", q.R - q.gamma + q.R2 / (2 * q.gamma) * q.H)),
])  # fmt: skip


def margin_bound(run, u, gamma, eps=0.5):
    """The proof that a margin Perceptron halts, by two bounds (M7, which is M5 for eps = ½, and the
    sharper M10), and that every example then has its margin (M6).

    Parameters
    ----------
    run : a run of ``margin_perceptron(X, y, gamma, eps)``
    u : a separator with margin gamma or more

    >>> from perceptron_lib import five_points, margin_perceptron
    >>> X, y, u = five_points()
    >>> margin_bound(margin_perceptron(X, y, gamma=1), u, gamma=1)["M6"]
    M6 holds (5 examples checked)
    """
    gamma, eps = checks.positive(gamma, "gamma"), checks.positive(eps, "eps", below=1)
    q = Quantities(run, u, real=True, gamma=gamma, eps=eps)
    q.H = harmonic(run.mistakes)
    if q.g**2 < gamma**2 * q.u2:
        raise ValueError(f"u must have a margin of at least gamma = {show.short(gamma)}")
    row = "M5" if eps == Fraction(1, 2) else "M7"
    chain = MARGIN.renamed(lambda name: row if name == "M7" else name)
    claims = [every_update(q), *on_run(chain, q)]
    if run.outcome == "converged":
        end = r"z_i\cdot w \ge (1-\varepsilon)\gamma\lVert w\rVert\ \text{for every example } i"
        scores = dot(q.Z, q.W[-1]).astype(object) * q.unit**2
        length = root(int(dot(q.W[-1], q.W[-1])) * q.unit**2)
        claims.append(("M6", end, "it has halted", scores, "≥", (1 - eps) * gamma * length, 1, 0))
    return Proof(f"The margin bound on a run of {run.mistakes} updates", claims, chain)


def harmonic(M):
    """H_1, H_2, … H_M, exactly; in very long runs rounded down to 256 bits after the point, which
    makes the claims about them harder to satisfy, and never easier."""
    common = math.lcm(*range(1, M + 1))
    sums = itertools.accumulate(common // t for t in range(1, M + 1))
    if M > 1000:
        sums, common = (s * 2**256 // common for s in sums), 2**256
    return np.array([Fraction(s, common) for s in sums], dtype=object)


def every_update(q):
    """That the run passed over no example with z·w < θ||w||, θ = (1 - ε)γ."""
    # A whole number is below √s if it is at most the root of the whole number next below s; and
    # at w = 0, where all scores are 0, everything is too close.
    theta = (1 - q.eps) * q.gamma / q.unit
    below = [math.ceil(theta**2 * int(w2)) - 1 for w2 in row_dot(q.W, q.W)]
    limits = np.array([math.isqrt(max(s, 0)) for s in below], dtype=object)
    passed_over, first = q.passed_over(lambda t, i: row_dot(q.Z[i], q.W[t]) <= limits[t])
    statement = r"\#\{\text{passed over, though too close}\} = 0"
    return ("M1c", statement, "an update at each of them", passed_over, "=", 0, 1, first)
