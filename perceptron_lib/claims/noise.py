"""No perfect separator: M <= (R/γ)² + 2 TD/γ, and M <= ((R + D)/γ)², whatever u is (H2 to H5).

Example i falls short of the score γ by d_i = max(0, γ - z_i·w*); TD is the sum of all d_i, and D²
that of their squares.  In a stream each example comes once, and so does its d_i.
"""

from fractions import Fraction

import numpy as np

from perceptron_lib import bounds, checks
from perceptron_lib.claims.claim import Proof, norm
from perceptron_lib.claims.mistakes import mistakes, updates
from perceptron_lib.claims.quantities import Quantities
from perceptron_lib.exact import sqrt_below
from perceptron_lib.perceptron import perceptron
from perceptron_lib.surd import Surd, root


def hinge_bound(run, u, gamma_u=1):
    """The proof of M <= (R/γ)² + 2 TD/γ for a run over a stream (H2 to H4).

    Parameters
    ----------
    run : a run of one pass
    u : any vector but 0; it need not separate anything
    gamma_u : γ||u||, the score that each example ought to reach.  By default 1: then γ = 1/||u||,
        and TD/γ is the hinge loss of u, sum_i max(0, 1 - z_i·u)
    """
    q, g, short = _stream(run, u, gamma_u)
    t, R2, next_wu, next_w2 = q.t, q.R2, q.wu[1:], q.w2[1:]
    mine, total = short[run.updates], short.sum()
    lines = [
        ("H3a", "w_1 = 0", "the start", q.w2[0], "=", 0),
        ("H3b", r"z_t\cdot w^* \ge \gamma - d_t", "definition of d", q.zu, "≥", g - mine),
        ("H3c", r"w_{t+1}\cdot w^* \ge \gamma t - \sum_{s\le t} d_s", "induction on t",
         next_wu, "≥", g * t - np.cumsum(mine)),
        ("H3", r"w_{t+1}\cdot w^* \ge \gamma t - TD_\gamma", "a stream has each d once",
         next_wu, "≥", g * t - total),
        ("H4a", rf"{norm('w_{t+1}')}^2 \le t R^2", "as before (P3c)", next_w2, "≤", t * R2),
        ("H4b", r"\gamma t - TD_\gamma \le R\sqrt t", "H3, H4a and Cauchy–Schwarz",
         g * t - total, "≤", root(t * R2 * q.u2)),
        ("H4c", r"t \le ((R+\sqrt{R^2+4\gamma\,TD_\gamma})/2\gamma)^2", "solve for √t",
         t, "≤", bounds.hinge_root(R2, q.u2, total, g)),
        ("H4", r"t \le (R/\gamma)^2 + 2\,TD_\gamma/\gamma", "2ab ≤ a² + b²",
         t, "≤", bounds.hinge_mistakes(R2, q.u2, total, g)),
    ]
    title = f"The hinge bound on a stream with {run.mistakes} mistakes"
    return Proof(title, [*updates(q), *lines])


def deviation_bound(run, u, gamma_u=1):
    """Freund and Schapire's bound M <= ((R + D)/γ)², by lifting the data (H5).

    Each example gets a coordinate of its own, of size Δ.  The lifted data are separable, and the
    lifted run makes the same mistakes; so the mistake bound applies to it.  Any Δ would do; Δ² is
    close to R·D here, which is best.  (The rows P0 to P5 are about the lifted run, made afresh;
    that the given one agrees with it is H5a.)
    """
    q, g, short = _stream(run, u, gamma_u)
    if not q.known_order:
        raise ValueError("the lifted run needs a run in a known order; this one was shuffled")
    t, R2, u2, D2 = q.t, q.R2, q.u2, (short * short).sum()  # D²||u||², that is
    R, D = (Fraction(sqrt_below(square)) for square in (R2, D2 / u2))
    delta = Fraction(sqrt_below(R * D) or 1.0)
    X = np.hstack([run.X, float(delta) * np.eye(len(run.y))])
    lifted = perceptron(X, run.y, run.tie, order=run.order, max_passes=1)
    lift = Quantities(lifted, [*(q.U * q.u_unit), *(short * run.y / delta)])
    lift_R2, lift_u2 = R2 + delta**2, u2 + D2 / delta**2
    lines = [
        ("H5a", r"\text{the lifted run makes the same updates}", "each Δ meets itself only",
         int(lifted.updates.tolist() != run.updates.tolist()), "=", 0),
        ("H5b", r"\tilde z_i\cdot\tilde u \ge \gamma\lVert u\rVert", "the lift fills the gap",
         lift.all_zu, "≥", g / lift.unit, lift.unit, 0),
        ("H5c", r"\lVert\tilde x_i\rVert^2 \le R^2 + \Delta^2", "one coordinate more",
         lift.all_z2, "≤", lift_R2 / lift.square, lift.square, 0),
        ("H5d", r"\lVert\tilde u\rVert^2 = \lVert u\rVert^2(1 + D^2/\Delta^2)", "by the lift",
         lift.u2 * lift.u_unit**2, "=", lift_u2),
        *updates(lift),
        *mistakes(lift, g / lift.unit, lift.R2),
        ("H5e", r"t \le (R^2 + \Delta^2)(1 + D^2/\Delta^2)/\gamma^2", "P5 on the lifted run",
         t, "≤", lift_R2 * lift_u2 / g**2),
        ("H5", r"t \le ((R + D)/\gamma)^2", "the best Δ² is R·D",
         t, "≤", Surd((R2 * u2 + D2) / g**2, {R2 * u2 * D2: 2 / g**2})),
    ]
    return Proof(f"The deviation bound on a stream with {run.mistakes} mistakes", lines)


def _stream(run, u, gamma_u):
    """The quantities, γ||u||, and d_i·||u|| for each example."""
    q, g = Quantities(run, u, separates=False).real(), checks.positive(gamma_u, "gamma_u")
    if run.passes != 1:
        raise ValueError(f"the bound is for one pass over a stream; this run has {run.passes}")
    return q, g, np.maximum(g - q.all_zu, 0)
