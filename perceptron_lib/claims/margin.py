"""The margin Perceptron halts: M <= 2(R/(εγ))² + 2R/(εγ) (M2 to M7).

Each update moves w along u by γ||u|| at least, but once w is long, ||w|| itself grows by no more
than (1 - ε/2)γ.  Lengths appear unsquared here; a `Surd` compares them exactly all the same.
"""

import math
from fractions import Fraction

import numpy as np

from perceptron_lib import bounds, checks, show
from perceptron_lib.claims.claim import Proof, norm
from perceptron_lib.claims.quantities import Quantities
from perceptron_lib.exact import dot, row_dot
from perceptron_lib.surd import root


def margin_bound(run, u, gamma, eps=0.5):
    """The proof that a margin Perceptron halts, and that every example then has its margin (M6).

    Parameters
    ----------
    run : a run of ``margin_perceptron(X, y, gamma, eps)``
    u : a separator with margin gamma or more
    """
    gamma, eps = checks.positive(gamma, "gamma"), checks.positive(eps, "eps", below=1)
    q = Quantities(run, u).real()
    if q.least**2 < gamma**2 * q.u2:
        raise ValueError(f"u must have a margin of at least gamma = {show.short(gamma)}")
    lines = [*updates(q, (1 - eps) * gamma), *lengths(q, gamma, eps)]
    if run.outcome == "converged":
        end = r"z_i\cdot w \ge (1-\varepsilon)\gamma\lVert w\rVert\ \text{for every example } i"
        scores = dot(q.Z, q.W[-1]).astype(object) * q.square
        theta = (1 - eps) * gamma * root(q.w2[-1])
        lines.append(("M6", end, "it has halted", scores, "≥", theta, 1, 0))
    return Proof(f"The margin bound on a run of {run.mistakes} updates", lines)


def updates(q, theta):
    """That the run is a margin Perceptron's: it adds each example with z·w < theta·||w||."""
    # A whole number is below √s if it is at most the root of the whole number next below s; and
    # at w = 0, where all scores are 0, everything is too close.
    below = [math.ceil((theta / q.square) ** 2 * w2) - 1 for w2 in q.w2]
    limits = np.array([math.isqrt(max(s, 0)) for s in below], dtype=object)
    passed_over, first = q.passed_over(lambda t, i: row_dot(q.Z[i], q.W[t]) <= limits[t])
    return [
        ("M1a", r"w_1 = z \text{ of the first example}", "the start",
         (q.W[0] != q.Z[q.order[0]]).sum(), "=", 0),
        ("M1b", "w_{t+1} = w_t + z_t", "the update", q.strays, "=", 0),
        ("M1c", r"\#\{\text{passed over, though too close}\} = 0", "an update at each of them",
         passed_over, "=", 0, 1, first),
    ]


def lengths(q, gamma, eps):
    """The chain itself: w·u grows fast and ||w|| slowly, so that t cannot be large."""
    t, R2, wu, next_wu, w2, next_w2 = q.t, q.R2, q.wu[:-1], q.wu[1:], q.w2[:-1], q.w2[1:]
    theta, slow, gamma_u = (1 - eps) * gamma, (1 - eps / 2) * gamma, root(gamma**2 * q.u2)
    length, next_length, product = root(w2), root(next_w2), root(w2 * next_w2)
    far = w2 >= (R2 / (eps * gamma)) ** 2  # the second phase
    w, next_w, z, u = (norm(v) for v in ("w_t", "w_{t+1}", "z_t", "u"))
    th, sl = r"(1-\varepsilon)\gamma", r"(1-\tfrac\varepsilon2)\gamma"
    return [
        ("M2a", r"w_{t+1}\cdot u = w_t\cdot u + z_t\cdot u", "by the update",
         next_wu, "=", wu + q.zu),
        ("M2b", rf"z_t\cdot u \ge \gamma{u}", "the margin of u is γ or more", q.zu, "≥", gamma_u),
        ("M2c", r"w_1\cdot u \ge 0", "w_1 is a z", q.wu[0], "≥", 0),
        ("M2", rf"w_{{t+1}}\cdot u \ge t\,\gamma{u}", "induction on t", next_wu, "≥", t * gamma_u),
        ("M3a", rf"{next_w}^2 = {w}^2 + 2z_t\cdot w_t + {z}^2", "by the update",
         next_w2, "=", w2 + 2 * q.zw + q.z2),
        ("M3b", rf"{w}\,{next_w} \le {w}^2 + z_t\cdot w_t + \tfrac12{z}^2", "√(1+a) ≤ 1 + a/2",
         product, "≤", w2 + q.zw + q.z2 / 2),
        ("M3c", rf"{z}^2 \le R^2", "definition of R", q.z2, "≤", R2),
        ("M3d", rf"z_t\cdot w_t < {th}{w}", "it was too close", q.zw, "<", theta * length),
        ("M3", rf"{w}\,{next_w} \le {w}^2 + \tfrac12R^2 + {th}{w}", "all four",
         product, "≤", w2 + R2 / 2 + theta * length),
        ("M4a", rf"{next_w} \le {w} + {sl}", "M3, where ‖w_t‖ ≥ R²/(εγ)",
         next_length[far], "≤", length[far] + slow),
        ("M4b", rf"{next_w}^2 \le ({w} + R)^2", "triangle inequality",
         next_w2, "≤", w2 + R2 + 2 * root(w2 * R2)),
        ("M5a", rf"{next_w} \le R^2/(\varepsilon\gamma) + R + t\,{sl}", "M4, over both phases",
         next_length, "≤", R2 / (eps * gamma) + root(R2) + t * slow),
        ("M5b", rf"t\,\gamma \le {next_w}", "M2 and Cauchy–Schwarz", t * gamma, "≤", next_length),
        ("M5" if eps == Fraction(1, 2) else "M7",
         r"t \le 2(R/(\varepsilon\gamma))^2 + 2R/(\varepsilon\gamma)", "M5a and M5b",
         t, "≤", bounds.margin_updates(R2, gamma**2, eps)),
    ]
