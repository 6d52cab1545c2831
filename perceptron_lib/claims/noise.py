"""No perfect separator: M <= (R/γ)² + 2 TD/γ, and M <= ((R + D)/γ)², whatever u is (H2 to H5).

Example i falls short of the score γ by d_i = max(0, γ - z_i·w*); TD is the sum of all d_i, and D²
that of their squares.  In a stream each example comes once, and so does its d_i.
"""

import re
from dataclasses import replace
from fractions import Fraction

import numpy as np

from perceptron_lib import checks
from perceptron_lib.claims.claim import Proof, on_run
from perceptron_lib.claims.line import SYMBOLS, Chain, Symbol, given, induction, norm, step
from perceptron_lib.claims.mistakes import (
    ALONG_U,
    CAUCHY,
    LENGTH,
    MISTAKES,
    RADIUS,
    SHORT,
    START,
    UPDATE,
    every_mistake,
)
from perceptron_lib.claims.quantities import Quantities
from perceptron_lib.exact import sqrt_below
from perceptron_lib.perceptron import perceptron
from perceptron_lib.surd import root

u = norm("u")
HINGE = Chain(
    [
        UPDATE,
        RADIUS,
        given("H2", "definition of d", lambda q: (q.each_d, "≥", q.g - q.each_zu)),
        given("H2a", "a stream has each d once", lambda q: (q.sum_d, "≤", q.TD)),
        ALONG_U[0],
        step("H3a", "H2", lambda q: (q.zu, "≥", q.g - q.d)),
        START,
        induction("H3b", "P3a P1a H3a", lambda q: (q.next_wu, "≥", q.t * q.g - q.sum_d)),
        step("H3", "H3b H2a", lambda q: (q.next_wu, "≥", q.t * q.g - q.TD)),
        *LENGTH,
        SHORT,
        CAUCHY,
        step("H4a", "H3 P4 P3c", lambda q: (q.t * q.g - q.TD, "≤", q.R * q.root_t * q.len_u)),
        step("H4c", "H4a", lambda q: (q.t, "≤", (q.R + q.root_D) ** 2 / (4 * q.gamma2)),
             "solved for √t"),
        step("H4", "H4c", lambda q: (q.t, "≤", q.R2 / q.gamma2 + 2 * q.loss), "2ab ≤ a² + b²"),
    ],
    symbols={
        "each_d": Symbol(f"d_i{u}", "i", binds=2),
        "d": Symbol(f"d_t{u}", "t", binds=2),
        "sum_d": Symbol(rf"\sum_{{s\le t}} d_s{u}", "t", binds=2),
        "TD": Symbol(rf"TD_\gamma{u}", binds=2),
        "loss": Symbol(r"TD_\gamma/\gamma", binds=2),
        "root_D": Symbol(r"\sqrt{R^2 + 4\gamma\,TD_\gamma}"),
    },
    definitions={"loss": lambda q: q.TD / q.g},
)  # fmt: skip


def hinge_bound(run, u, gamma_u=1):
    """The proof of M <= (R/γ)² + 2 TD/γ for a run over a stream (H2 to H4).

    Parameters
    ----------
    run : a run of one pass
    u : any vector but 0; it need not separate anything
    gamma_u : γ||u||, the score that each example ought to reach.  By default 1: then γ = 1/||u||,
        and TD/γ is the hinge loss of u, sum_i max(0, 1 - z_i·u)

    >>> run = perceptron([[1], [2], [-1]], [1, 1, 1], max_passes=1)
    >>> hinge_bound(run, u=[1])["H4"]
    H4 holds (2 values checked)
    """
    q = _stream(run, u, gamma_u)
    q.d, q.TD = q.each_d[run.updates], q.each_d.sum()
    q.sum_d = np.cumsum(q.d)
    q.loss, q.root_D = q.TD / q.g, root(q.R2 + 4 * q.g * q.TD / q.u2)
    title = f"The hinge bound on a stream with {run.mistakes} mistakes"
    return Proof(title, [every_mistake(q), *on_run(HINGE, q)], HINGE)


def _tilde(symbol):
    """A symbol of the mistake bound, as that of the lifted run."""
    latex = re.sub(r"(?<![\\a-z])([wzu])(?![a-z])", r"\\tilde \1", symbol.latex)
    return symbol._replace(latex=latex)


LIFT = Chain(
    [
        UPDATE,
        given("H5b", "by the lift", lambda q: (q.each_zu, "=", q.plain_zu + q.each_d)),
        given("H5i", "definition of d", lambda q: (q.each_d, "≥", q.g - q.plain_zu)),
        step("H5f", "H5b H5i", lambda q: (q.each_zu, "≥", q.g)),
        given("H5c", "by the lift", lambda q: (q.each_z2, "=", q.plain_z2 + q.Delta2)),
        given("H5h", "definition of R", lambda q: (q.plain_z2, "≤", q.r2)),
        step("H5g", "H5c H5h", lambda q: (q.each_z2, "≤", q.R2)),
        *MISTAKES.renamed(lambda row: {"P0a": "H5f", "P0b": "H5g"}.get(row, row)).lines[3:],
        given("H5d", "by the lift", lambda q: (q.u2, "=", q.v2 * (1 + q.D2 / q.Delta2))),
        step("H5e", "P5 H5d",
             lambda q: (q.t, "≤", (q.r2 + q.Delta2) * (1 + q.D2 / q.Delta2) / q.plain_gamma2)),
        step("H5", "H5e", lambda q: (q.t, "≤", (q.r + q.D) ** 2 / q.plain_gamma2), "for Δ² = R·D",
             choose=("Delta2", lambda q: q.r * q.D)),
    ],
    symbols={name: _tilde(symbol) for name, symbol in SYMBOLS.items()} | {
        "g": SYMBOLS["g"], "gamma2": Symbol(r"\tilde\gamma^2"),
        "R2": Symbol(r"R^2 + \Delta^2", binds=1), "r2": SYMBOLS["R2"], "r": SYMBOLS["R"],
        "v": SYMBOLS["u"], "v2": SYMBOLS["u2"], "D": Symbol("D"), "D2": Symbol("D^2"),
        "Delta2": Symbol(r"\Delta^2"),
        "plain_zu": SYMBOLS["each_zu"], "plain_z2": SYMBOLS["each_z2"],
        "plain_gamma2": SYMBOLS["gamma2"], "each_d": HINGE.symbols["each_d"],
        "d": HINGE.symbols["d"],
    },
    definitions={
        "R2": lambda q: q.r2 + q.Delta2,
        "r2": lambda q: q.r**2,
        "D2": lambda q: q.D**2,
        "plain_gamma2": lambda q: q.g**2 / q.v2,
    },
)  # fmt: skip


def deviation_bound(run, u, gamma_u=1):
    """Freund and Schapire's bound M <= ((R + D)/γ)², by lifting the data (H5).

    Each example gets a coordinate of its own, of size Δ.  The lifted data are separable, and the
    lifted run makes the same mistakes; so the mistake bound applies to it.  Any Δ would do; Δ² is
    close to R·D here, which is best.  (The rows P0 to P5 are about the lifted run, made afresh;
    that the given one agrees with it is H5a.)

    >>> run = perceptron([[1], [2], [-1]], [1, 1, 1], max_passes=1)
    >>> deviation_bound(run, u=[1])["H5"]
    H5 holds (2 values checked)
    """
    p = _stream(run, u, gamma_u)
    if not p.known_order:
        raise ValueError("the lifted run needs a run in a known order; this one was shuffled")
    D2 = (p.each_d**2).sum() / p.u2
    R, D = (Fraction(sqrt_below(square)) for square in (p.R2, D2))
    delta = Fraction(sqrt_below(R * D) or 1.0)
    X = np.hstack([run.X, float(delta) * np.eye(len(run.y))])
    lifted = perceptron(X, run.y, run.tie, order=run.order, max_passes=1)
    q = Quantities(lifted, [*p.u, *(p.each_d * run.y / delta)], real=True, each_d=p.each_d,
                   plain_zu=p.each_zu, plain_z2=p.each_z2, v2=p.u2, r2=p.R2, r=root(p.R2),
                   D2=D2, D=root(D2), Delta2=delta**2, plain_gamma2=p.g**2 / p.u2)  # fmt: skip
    q.g, q.R2 = p.g, p.R2 + delta**2
    same = int(lifted.updates.tolist() != run.updates.tolist())
    statement = r"\text{the lifted run makes the same updates}"
    claims = [
        ("H5a", statement, "each Δ meets itself only", same, "=", 0),
        every_mistake(q),
        *on_run(replace(LIFT, lines=LIFT.lines[:-2]), q),
    ]
    q.t = p.t  # the bound is about the updates of the given run, which by H5a are the same
    claims += on_run(replace(LIFT, lines=LIFT.lines[-2:]), q)
    return Proof(f"The lift bound on a stream with {run.mistakes} mistakes", claims, LIFT)


def _stream(run, u, gamma_u):
    """The quantities of a stream, with g = γ||u|| as given, and d_i·||u|| for each example."""
    gamma_u = checks.positive(gamma_u, "gamma_u")
    q = Quantities(run, u, separates=False, real=True)
    if run.passes != 1:
        raise ValueError(f"the bound is for one pass over a stream; this run has {run.passes}")
    q.g, q.each_d = gamma_u, np.maximum(gamma_u - q.each_zu, 0)
    return q
