"""The claims of a proof, checked on a run: every inequality, at every update, without tolerance.

A proof about a run is a chain of inequalities between sums.  The sums are whole numbers once the
data are scaled by a power of two and u is a vector of whole numbers along w* (so that z·w* >= γ
becomes z·u >= γ||u||, and γ||u|| = min_i z_i·u is a whole number).  So ``lhs <= rhs`` is decided
exactly.  A `Claim` is one such inequality for all t, a `Proof` the chain in its order.

Notation: the t-th update adds z_t = y x of the example that was wrong, w_{t+1} = w_t + z_t.
"""

import itertools
import math
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from perceptron_lib.bounds import (
    fractions_of,
    hinge_mistakes,
    hinge_root,
    margin_updates,
    mistakes_with_bias,
    radius2,
)
from perceptron_lib.exact import Surd, bits, dot, integers, rational, row_dot, sqrt_above
from perceptron_lib.perceptron import AT_ZERO, kernel_perceptron, perceptron, positive


@dataclass(frozen=True, eq=False, repr=False)
class Claim:
    """One line of a proof: lhs (=, <, ≤ or ≥) rhs for every t.

    Attributes
    ----------
    row : where it stands in the ledger, with a letter for the line of the chain ("P2b")
    statement : in LaTeX
    because : the reason, in words
    first : the t of the first entry of lhs and rhs (0 for claims about examples i = 0, 1, …)
    """

    row: str
    statement: str
    because: str
    relation: str
    left: np.ndarray
    right: np.ndarray
    unit: Fraction = Fraction(1)  # of left and right, which are whole numbers
    first: int = 1

    def __post_init__(self):
        for side in ("left", "right"):
            values = np.broadcast_to(np.asarray(getattr(self, side), dtype=object), self._shape)
            object.__setattr__(self, side, values)

    @property
    def _shape(self):
        return np.broadcast_shapes(np.shape(self.left), np.shape(self.right))

    @property
    def lhs(self):
        """The left-hand side for each t, exactly."""
        return [v * self.unit for v in self.left]

    @property
    def rhs(self):
        """The right-hand side for each t, exactly."""
        return [v * self.unit for v in self.right]

    @property
    def slack(self):
        """By how much it holds at each t: never negative if the claim is true."""
        return [v * self.unit for v in self._gaps]

    @property
    def _gaps(self):
        return self.left - self.right if self.relation == "≥" else self.right - self.left

    @property
    def checked(self):
        """At how many t it was checked."""
        return len(self.left)

    @property
    def _true(self):
        if self.relation == "=":
            return self._gaps == 0
        return self._gaps > 0 if self.relation == "<" else self._gaps >= 0

    @property
    def holds(self):
        """Whether it is true at every t."""
        return bool(np.all(self._true))

    @property
    def tight(self):
        """The t at which both sides are equal."""
        return (np.flatnonzero(self._gaps == 0) + self.first).tolist()

    @property
    def failure(self):
        """What is wrong, at the first t where it is; empty if the claim holds."""
        bad = np.flatnonzero(~np.asarray(self._true, dtype=bool))
        if len(bad) == 0:
            return ""
        k = int(bad[0])
        left, right = (_short(side[k] * self.unit) for side in (self.left, self.right))
        gap = self._gaps[k]
        if left == right and gap != 0:
            right += f" (they differ by {_short(max(gap, -gap) * self.unit)})"
        where = f"example {k}" if self.first == 0 else f"t = {k + self.first}"
        return (
            f"{self.row} fails at {where} ({self.because}): "
            f"{left} {self.relation} {right} is false"
        )

    def __repr__(self):
        return self.failure or f"{self.row} holds at all {self.checked} updates checked"


class Proof:
    """The claims of a proof in their order; a notebook shows it as a table."""

    def __init__(self, title, claims):
        self.title, self.claims = title, tuple(claims)

    def __getitem__(self, row):
        for claim in self.claims:
            if claim.row == row:
                return claim
        raise KeyError(f"no claim {row} here; there are {', '.join(c.row for c in self.claims)}")

    def __iter__(self):
        return iter(self.claims)

    def lines(self, *rows):
        """Some lines of the proof as a table of their own."""
        return Proof(self.title, [self[row] for row in rows])

    @property
    def holds(self):
        """Whether every claim is true at every t."""
        return all(claim.holds for claim in self.claims)

    @property
    def failures(self):
        """A sentence for each claim that is false somewhere."""
        return [claim.failure for claim in self.claims if not claim.holds]

    def _lines(self):
        for c in self.claims:
            least = ""
            if c.checked and c.relation != "=":
                # By size as floats: gaps at different t may have too many roots to compare.
                least = _short(min(c._gaps, key=_size) * c.unit)
            yield c, c.checked, least, len(c.tight), "✓" if c.holds else "✗"

    def __repr__(self):
        lines = [self.title, f"{'row':5} {'checked':>8} {'least slack':>12} {'equalities':>11}"]
        lines += [
            f"{c.row:5} {checked:8} {least:>12} {equal:11}  {mark}  {c.because}"
            for c, checked, least, equal, mark in self._lines()
        ]
        return "\n".join(lines + self.failures)

    def _repr_markdown_(self):
        head = "| row | claim | because | checked | least slack | equalities | |"
        rule = "|---|---|---|--:|--:|--:|:-:|"
        rows = [
            f"| {c.row} | ${c.statement}$ | {c.because} | {checked} | {least} | {equal} | {mark} |"
            for c, checked, least, equal, mark in self._lines()
        ]
        failed = [f"\n{sentence}." for sentence in self.failures]
        return "\n".join([f"**{self.title}**\n", head, rule, *rows, *failed])


def _size(value):
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def _short(value):
    """An exact number for a table: whole or as a short decimal, marked by ~ if it was rounded."""
    if isinstance(value, Surd) and not value.roots:
        value = value.rational
    if not isinstance(value, Surd) and value == int(value) and abs(value) < 10**7:
        return str(int(value)).replace("-", "−")
    text = f"{_size(value):.4g}"
    if "inf" in text:
        digits = 308 if isinstance(value, Surd) else len(str(int(abs(value)))) - 1
        text = f"{text.replace('inf', '')}1e{digits}"
    exact = not isinstance(value, Surd) and Fraction(text) == value
    return ("" if exact else "~") + text.replace("-", "−")


# --- the mistake bound -----------------------------------------------------------------------


def mistake_bound(run, u, gamma_u=None, R2=None):
    """The proof of M <= (R/γ)² (P1 to P5) on a run, every line of it.

    Parameters
    ----------
    run : a `Run` of any outcome
    u : a separator of its examples, of any length; w* = u/||u||
    gamma_u, R2 : γ||u|| = min_i z_i·u and R² = max_i ||x_i||²; computed from the data unless
        given, and if given, put to the test (P0)
    """
    for name, value in (("gamma_u", gamma_u), ("R2", R2)):
        if value is not None and not value > 0:
            raise ValueError(f"{name} must be above 0; got {value}")
    numbers = _Numbers(run, u)
    g = numbers.least if gamma_u is None else _over(gamma_u, numbers.unit)
    R2 = numbers.R2 if R2 is None else _over(R2, numbers.square)
    title = f"The mistake bound on a run of {run.mistakes} mistakes"
    return Proof(title, _chain(numbers, g, R2, "P"))


def normalised_bound(run, u):
    """The proof of M <= 1/γ² for examples of length 1, γ the least cosine (P6).

    Floats cannot always hold a vector of length exactly 1, so R², the largest squared length, is
    used as it is; it may differ from 1 in the last digits only.
    """
    numbers = _Numbers(run, u)
    for i, square in enumerate(row_dot(numbers.Z, numbers.Z)):
        if abs(int(square) * numbers.square - 1) > Fraction(1, 2**48):
            raise ValueError(f"example {i} is not of length 1: use unit_length first")
    title = f"The normalised bound on a run of {run.mistakes} mistakes"
    return Proof(title, _chain(numbers, numbers.least, numbers.R2, "P6."))


def bias_bound(run, u, b, c):
    """The proof of M <= ((R² + c²)/(cγ))² for a run on ``with_bias(X, c)`` (P7, P8).

    The separator is u·x + b = 0, and γ = min_i y_i (u·x_i + b)/||u|| is measured without the
    constants; R likewise.  Constant 1 and R <= 1 give 4/γ² (P7), constants of length R give
    (2R/γ)² (P8).  Both are the mistake bound on the examples with their constants.
    """
    c = np.atleast_1d(np.asarray(c, dtype=float))
    d = run.X.shape[1] - len(c)
    if d < 1 or (run.X[:, d:] != c).any():
        raise ValueError("the run must be one on with_bias(X, c), with this c")
    if len(set(run.y.tolist())) < 2:
        raise ValueError("both classes must occur: with one only, |b| <= R||u|| may fail (E3, E6)")
    u, c = fractions_of(u, d), [Fraction(float(v)) for v in c]
    b, c2, u2 = Fraction(b), sum(v * v for v in c), sum(v * v for v in u)
    n = _Numbers(run, [*u, *(b * v / c2 for v in c)])
    x2 = n.z2 * n.square - c2
    R2 = radius2(run.X[:, :d])
    gamma_u = n.least * n.unit
    row = "P7" if c2 == 1 else "P8" if c2 == R2 else "P"
    title = f"The bound with a bias on a run of {run.mistakes} mistakes"
    return Proof(title, _bias_chain(n, x2, R2, c2, b, u2, gamma_u, row))


def _bias_chain(n, x2, R2, c2, b, u2, g, row):
    """The claims of `bias_bound`; with w̃ = (w, b/c) and ũ = (u, b/c) they are those of `_chain`.

    In the statements b is the separator's bias, and b_t that of the run.
    """
    t, one = n.t, np.ones(1, dtype=object)
    w2, wu, zu, zw = n.w2 * n.square, n.wu * n.unit, n.zu * n.unit, n.zw * n.square
    gamma2 = g * g / u2
    size, next_size = rf"{_sq('w_t')} + b_t^2/c^2", rf"{_sq('w_{t+1}')} + b_{{t+1}}^2/c^2"
    along, next_along = r"u\cdot w_t + b\,b_t/c^2", r"u\cdot w_{t+1} + b\,b_{t+1}/c^2"
    score, truth = r"y_t(w_t\cdot x_t + b_t)", r"y_t(u\cdot x_t + b)"
    x, u = _sq("x_t"), _sq("u")
    yield from n.update_claims()
    yield from _claims(
        (f"{row}a", rf"{next_size} = {size} + 2{score} + {x} + c^2", "by the update", "=",
         w2[1:], w2[:-1] + 2 * zw + x2 + c2),
        (f"{row}b", rf"{score} \le 0", "it was a mistake", "≤", zw, 0 * t),
        (f"{row}c", rf"{x} \le R^2", "definition of R", "≤", x2, R2 + 0 * t),
        (f"{row}d", rf"{next_size} \le {size} + R^2 + c^2", "a, b and c", "≤",
         w2[1:], w2[:-1] + R2 + c2),
        (f"{row}e", r"w_1 = 0,\ b_1 = 0", "the start", "=", w2[:1], 0 * one),
        (f"{row}f", rf"{next_size} \le t\,(R^2 + c^2)", "d and e, by induction", "≤",
         w2[1:], t * (R2 + c2)),
        (f"{row}g", rf"{next_along} = {along} + {truth}", "by the update", "=",
         wu[1:], wu[:-1] + zu),
        (f"{row}h", rf"{truth} \ge \gamma\lVert u\rVert", "definition of γ", "≥", zu, g + 0 * t),
        (f"{row}i", rf"{next_along} \ge {along} + \gamma\lVert u\rVert", "g and h", "≥",
         wu[1:], wu[:-1] + g),
        (f"{row}j", rf"{next_along} \ge t\,\gamma\lVert u\rVert", "e and i, by induction", "≥",
         wu[1:], t * g),
        (f"{row}k", rf"b^2 \le R^2{u}", "both classes lie in the ball", "≤",
         b * b * one, R2 * u2 * one),
        (f"{row}l", rf"{u} + b^2/c^2 \le {u}(1 + R^2/c^2)", "k", "≤",
         (u2 + b * b / c2) * one, u2 * (1 + R2 / c2) * one),
        (f"{row}m", rf"({along})^2 \le ({u} + b^2/c^2)({size})", "Cauchy–Schwarz", "≤",
         wu * wu, (u2 + b * b / c2) * w2),
        (f"{row}n", rf"t^2\gamma^2{u} \le {u}(1 + R^2/c^2)\,t\,(R^2 + c^2)", "j, m, l and f", "≤",
         (t * g) ** 2, u2 * (1 + R2 / c2) * t * (R2 + c2)),
        (f"{row}o", r"t \le ((R^2 + c^2)/(c\gamma))^2", "divide", "≤",
         t, mistakes_with_bias(R2, gamma2, c2) + 0 * t),
    )
    if c2 == 1 and R2 <= 1:
        yield Claim("P7", r"t \le 4/\gamma^2", "R ≤ 1 = c", "≤", t, 4 / gamma2 + 0 * t)
    if c2 == R2:
        yield Claim("P8", r"t \le (2R/\gamma)^2", "c = R", "≤", t, 4 * R2 / gamma2 + 0 * t)


def _chain(n, g, R2, p):
    """The claims of the mistake bound for γ||u|| = g and R² = R2; rows are named p1, p2, …"""
    t, wu, w2, unit, square = n.t, n.wu, n.w2, n.unit, n.square
    w, next_w, z, u = _sq("w_t"), _sq("w_{t+1}"), _sq("z_t"), _sq("u")
    yield from n.update_claims()
    yield from _claims(
        (f"{p}0a", r"z_i\cdot u \ge \gamma\lVert u\rVert", "γ, for every example", "≥",
         n.all_zu, g + 0 * n.all_zu, unit, 0),
        (f"{p}0b", rf"{_sq('x_i')} \le R^2", "R, for every example", "≤",
         n.all_z2, R2 + 0 * n.all_z2, square, 0),
        (f"{p}1a", r"w_{t+1}\cdot u = w_t\cdot u + z_t\cdot u", "by the update", "=",
         wu[1:], wu[:-1] + n.zu, unit),
        (f"{p}1b", r"z_t\cdot u \ge \gamma\lVert u\rVert", f"{p}0a", "≥",
         n.zu, g + 0 * t, unit),
        (f"{p}1", r"w_{t+1}\cdot u \ge w_t\cdot u + \gamma\lVert u\rVert", "both together", "≥",
         wu[1:], wu[:-1] + g, unit),
        (f"{p}2a", rf"{next_w} = {w} + 2 z_t\cdot w_t + {z}", "by the update", "=",
         w2[1:], w2[:-1] + 2 * n.zw + n.z2, square),
        (f"{p}2b", r"z_t\cdot w_t \le 0", "it was a mistake", "≤", n.zw, 0 * t, square),
        (f"{p}2c", rf"{z} \le R^2", f"{p}0b", "≤", n.z2, R2 + 0 * t, square),
        (f"{p}2", rf"{next_w} \le {w} + R^2", "all three", "≤", w2[1:], w2[:-1] + R2, square),
        (f"{p}3a", r"w_1 = 0", "the start", "=", w2[:1], 0 * w2[:1], square),
        (f"{p}3b", r"w_{t+1}\cdot u \ge t\,\gamma\lVert u\rVert", f"{p}3a and {p}1, by induction",
         "≥", wu[1:], t * g, unit),
        (f"{p}3c", rf"{next_w} \le t R^2", f"{p}3a and {p}2, by induction", "≤",
         w2[1:], t * R2, square),
        (f"{p}4", rf"(w_t\cdot u)^2 \le {w}\,{u}", "Cauchy–Schwarz", "≤",
         wu * wu, w2 * n.U2, unit**2),
        (f"{p}5a", rf"t^2\gamma^2{u} \le (w_{{t+1}}\cdot u)^2", f"{p}3b squared", "≤",
         (t * g) ** 2, wu[1:] ** 2, unit**2),
        (f"{p}5b", rf"t^2\gamma^2{u} \le t R^2{u}", f"with {p}4 and {p}3c", "≤",
         (t * g) ** 2, t * R2 * n.U2, unit**2),
        (f"{p}5", r"t \le (R/\gamma)^2", "divide by t and γ²‖u‖²", "≤",
         t, _over(R2 * n.U2, g * g) + 0 * t),
    )


# --- the margin Perceptron -------------------------------------------------------------------


def margin_bound(run, u, gamma, eps=0.5):
    """The proof that a margin Perceptron halts, M <= 2(R/(εγ))² + 2R/(εγ) (M2 to M7).

    Lengths are square roots here, and appear unsquared; a `Surd` compares them exactly all the
    same.

    Parameters
    ----------
    run : a run of ``margin_perceptron(X, y, gamma, eps)``
    u : a separator with margin gamma or more
    """
    gamma, eps = positive(gamma, "gamma"), positive(eps, "eps", below=1)
    n = _Numbers(run, u)
    if (n.least * n.unit) ** 2 < gamma**2 * n.U2 * n.u_unit**2:
        raise ValueError(f"u must have a margin of at least gamma = {_short(gamma)}")
    title = f"The margin bound on a run of {run.mistakes} updates"
    return Proof(title, _margin_chain(n, gamma, eps))


def _margin_chain(n, gamma, eps):
    """The claims of `margin_bound`, in real units."""
    run, t = n.run, n.t
    theta, slow = (1 - eps) * gamma, (1 - eps / 2) * gamma
    R2, u2 = n.R2 * n.square, n.U2 * n.u_unit**2
    w2, wu, zu = n.w2 * n.square, n.wu * n.unit, n.zu * n.unit
    zw, z2 = n.zw * n.square, n.z2 * n.square
    now, after = w2[:-1], w2[1:]
    R, length, next_length = _root(R2), _roots(now), _roots(after)
    far = np.flatnonzero(now >= (R2 / (eps * gamma)) ** 2)  # the second phase
    first = 0 if run.order is None or isinstance(run.order, str) else run.order[0]
    start = np.array([int((n.W[0] != n.Z[first]).sum())], dtype=object)
    first_t, missed = n.passed_over(n.below(theta))
    scores = dot(n.Z, n.W[-1]).astype(object) * n.square
    bound = margin_updates(R2, gamma**2, eps)
    w, next_w = r"\lVert w_t\rVert", r"\lVert w_{t+1}\rVert"
    u, th = r"\lVert u\rVert", r"(1-\varepsilon)\gamma"
    yield from _claims(
        ("M1a", r"w_1 = z \text{ of the first example}", "the start", "=", start, 0 * start),
        ("M1b", r"w_{t+1} = w_t + z_t", "the update", "=", n.strays, 0 * t),
        ("M1c", r"\#\{\text{passed over, though too close}\} = 0", "an update at each of them", "=",
         missed, 0 * missed, 1, first_t),
        ("M2a", r"w_{t+1}\cdot u = w_t\cdot u + z_t\cdot u", "by the update", "=",
         wu[1:], wu[:-1] + zu),
        ("M2b", rf"z_t\cdot u \ge \gamma{u}", "the margin of u is γ or more", "≥",
         zu, _root(gamma**2 * u2) + 0 * t),
        ("M2c", r"w_1\cdot u \ge 0", "w_1 is a z", "≥", wu[:1], 0 * wu[:1]),
        ("M2", rf"w_{{t+1}}\cdot u \ge t\,\gamma{u}", "induction on t", "≥",
         wu[1:], t * _root(gamma**2 * u2)),
        ("M3a", rf"{next_w}^2 = {w}^2 + 2z_t\cdot w_t + \lVert z_t\rVert^2", "by the update", "=",
         after, now + 2 * zw + z2),
        ("M3b", rf"{w}\,{next_w} \le {w}^2 + z_t\cdot w_t + \tfrac12\lVert z_t\rVert^2",
         "√(1+a) ≤ 1 + a/2", "≤", _roots(now * after), now + zw + z2 / 2),
        ("M3c", r"\lVert z_t\rVert^2 \le R^2", "definition of R", "≤", z2, R2 + 0 * t),
        ("M3d", rf"z_t\cdot w_t < {th}{w}", "it was too close", "<", zw, theta * length),
        ("M3", rf"{w}\,{next_w} \le {w}^2 + \tfrac12R^2 + {th}{w}", "all four", "≤",
         _roots(now * after), now + R2 / 2 + theta * length),
        ("M4a", rf"{next_w} \le {w} + (1-\tfrac\varepsilon2)\gamma",
         "M3, where ‖w_t‖ ≥ R²/(εγ)", "≤", next_length[far], length[far] + slow),
        ("M4b", rf"{next_w}^2 \le ({w} + R)^2", "triangle inequality", "≤",
         after, now + R2 + 2 * _roots(now * R2)),
        ("M5a", rf"{next_w} \le R^2/(\varepsilon\gamma) + R + t\,(1-\tfrac\varepsilon2)\gamma",
         "M4, over both phases", "≤", next_length, R2 / (eps * gamma) + R + t * slow),
        ("M5b", rf"t\,\gamma \le {next_w}", "M2 and Cauchy–Schwarz", "≤", t * gamma, next_length),
        ("M5" if eps == Fraction(1, 2) else "M7",
         r"t \le 2(R/(\varepsilon\gamma))^2 + 2R/(\varepsilon\gamma)", "M5a and M5b", "≤",
         t, bound + 0 * t),
    )
    if run.outcome == "converged":
        yield Claim(
            "M6", rf"z_i\cdot w \ge {th}\lVert w\rVert\ \text{{for every example }} i",
            "it has halted", "≥", scores, theta * _root(w2[-1]) + 0 * scores, first=0,
        )


# --- no perfect separator --------------------------------------------------------------------


def hinge_bound(run, u, gamma_u=1):
    """The proof of M <= (R/γ)² + 2 TD/γ for a run over a stream, whatever u is (H2 to H4).

    Parameters
    ----------
    run : a run of one pass
    u : any vector but 0; it need not separate anything
    gamma_u : γ||u||, the score that each example ought to reach.  By default 1: then γ = 1/||u||,
        and TD/γ is the hinge loss of u, sum_i max(0, 1 - z_i·u)
    """
    n, g = _stream_numbers(run, u, gamma_u)
    title = f"The hinge bound on a stream with {run.mistakes} mistakes"
    return Proof(title, _hinge_chain(n, g))


def _hinge_chain(n, g):
    """The claims of `hinge_bound`, times ||u|| and in real units."""
    t, u2, R2 = n.t, n.U2 * n.u_unit**2, n.R2 * n.square
    wu, zu, w2 = n.wu * n.unit, n.zu * n.unit, n.w2 * n.square
    short = np.maximum(g - n.all_zu * n.unit, 0)  # d_i ||u||: by how much each example falls short
    mine = short[n.run.updates]
    so_far, total = np.cumsum(mine), short.sum()
    left = g * t - total
    yield from n.update_claims()
    yield from _claims(
        ("H3a", r"w_1 = 0", "the start", "=", w2[:1], 0 * w2[:1]),
        ("H3b", r"z_t\cdot w^* \ge \gamma - d_t", "definition of d", "≥", zu, g - mine),
        ("H3c", r"w_{t+1}\cdot w^* \ge \gamma t - \sum_{s\le t} d_s", "induction on t", "≥",
         wu[1:], g * t - so_far),
        ("H3", r"w_{t+1}\cdot w^* \ge \gamma t - TD_\gamma", "a stream has each d once", "≥",
         wu[1:], left),
        ("H4a", rf"{_sq('w_{t+1}')} \le t R^2", "as before (P3c)", "≤", w2[1:], t * R2),
        ("H4b", r"\gamma t - TD_\gamma \le R\sqrt t", "H3, H4a and Cauchy–Schwarz", "≤",
         left, _roots(t * R2 * u2)),
        ("H4c", r"t \le ((R+\sqrt{R^2+4\gamma\,TD_\gamma})/2\gamma)^2", "solve for √t", "≤",
         t, hinge_root(R2, u2, total, g) + 0 * t),
        ("H4", r"t \le (R/\gamma)^2 + 2\,TD_\gamma/\gamma", "2ab ≤ a² + b²", "≤",
         t, hinge_mistakes(R2, u2, total, g) + 0 * t),
    )


def deviation_bound(run, u, gamma_u=1, lift=None):
    """Freund and Schapire's bound M <= ((R + D)/γ)², by lifting the data (H5).

    Each example gets a coordinate of its own, of size Δ = `lift`.  The lifted data are separable,
    and the lifted run makes the same mistakes; so the mistake bound applies to it.  By default Δ²
    is close to R·D, which is best.  (The rows P0 to P5 are about the lifted run, made afresh; that
    the given one agrees with it is H5a.)
    """
    n, g = _stream_numbers(run, u, gamma_u)
    u2, R2 = n.U2 * n.u_unit**2, n.R2 * n.square
    short = np.maximum(g - n.all_zu * n.unit, 0)
    D2 = sum(short * short)  # D²||u||²
    if lift is None:
        lift = math.sqrt(sqrt_above(R2 * D2 / u2)) or 1.0
    delta = positive(float(lift), "lift")
    lifted = np.hstack([run.X, float(delta) * np.eye(len(run.y))])
    separator = [*fractions_of(u, len(n.U)), *(s * int(y) / delta for s, y in
                                             zip(short, run.y, strict=True))]
    twin = perceptron(lifted, run.y, run.tie, order=run.order, max_passes=1)
    same = np.array([int(not np.array_equal(twin.updates, run.updates))], dtype=object)
    inner = _Numbers(twin, separator)
    t, one = n.t, np.ones(1, dtype=object)
    title = f"The deviation bound on a stream with {run.mistakes} mistakes"
    through_lift = (R2 + delta**2) * (u2 + D2 / delta**2) / g**2
    lifting = _claims(
        ("H5a", r"\text{the lifted run makes the same updates}", "each Δ meets itself only", "=",
         same, 0 * same),
        ("H5b", r"\tilde z_i\cdot\tilde u \ge \gamma\lVert u\rVert", "the lift fills the gap",
         "≥", inner.all_zu * inner.unit, g + 0 * inner.all_zu, 1, 0),
        ("H5c", r"\lVert\tilde x_i\rVert^2 \le R^2 + \Delta^2", "one coordinate more", "≤",
         inner.all_z2 * inner.square, R2 + delta**2 + 0 * inner.all_z2, 1, 0),
        ("H5d", r"\lVert\tilde u\rVert^2 = \lVert u\rVert^2(1 + D^2/\Delta^2)", "by the lift", "=",
         inner.U2 * inner.u_unit**2 * one, (u2 + D2 / delta**2) * one),
    )
    ending = _claims(
        ("H5e", r"t \le (R^2 + \Delta^2)(1 + D^2/\Delta^2)/\gamma^2", "P5 on the lifted run", "≤",
         t, through_lift + 0 * t),
        ("H5", r"t \le ((R + D)/\gamma)^2", "the best Δ² is R·D", "≤",
         t, Surd((R2 * u2 + D2) / g**2, {R2 * u2 * D2: 2 / g**2}) + 0 * t),
    )
    chain = _chain(inner, _over(g, inner.unit), inner.R2, "P")
    return Proof(title, [*lifting, *chain, *ending])


def _stream_numbers(run, u, gamma_u):
    g = positive(gamma_u, "gamma_u")
    if run.passes != 1:
        raise ValueError(f"the bound is for one pass over a stream; this run has {run.passes}")
    return _Numbers(run, u, separates=False), g


# --- the dual form ---------------------------------------------------------------------------


def dual(run, u=None):
    """That the dual form is the same run seen from the examples' side (D1 to D4).

    `run` is a run from 0 of the primal form, with constant features if there is a bias.  The dual
    run is made afresh, on the Gram matrix; for D4 each example with alpha_i = 0 is really removed,
    the constants staying what they were.  With a separator u, the bound on the number of updates is
    checked as well (D2).
    """
    if run.start.any() or run.threshold:
        raise ValueError("the dual form is for a Perceptron that starts at 0; this run does not")
    if isinstance(run.order, str) or run.passes < 1:
        raise ValueError("the dual form needs a run in a known order, of one pass or more")
    N, low = integers(run.X)
    gram = dot(N, N.T)
    if bits(gram) > 53:
        raise ValueError(
            "the inner products have more than 53 bits, too many for a float: round the data to "
            "a grid of few bits first"
        )
    W, exponent = run.exact_weights
    shift = min(exponent, low)
    W, Z = _shifted(W, exponent - shift), _shifted(N * run.y[:, None], low - shift)
    t = np.arange(1, run.mistakes + 1).astype(object)
    counts = np.zeros((run.mistakes + 1, len(run.y)), dtype=np.int64)
    counts[t.astype(int), run.updates] = 1
    sums = dot(np.cumsum(counts, axis=0), Z)
    twin = kernel_perceptron(gram.astype(float), run.y, run.tie, run.order, run.passes)
    other = [a != b for a, b in itertools.zip_longest(twin.updates, run.updates)]
    changed = [_changes(run, i) for i in np.flatnonzero(run.alpha == 0)]
    bound = [mistake_bound(run, u)["P5"]] if u is not None else []
    lines = _claims(
        ("D1a", r"w_t = \sum_i \alpha_i y_i x_i", "counts of the updates", "=",
         (sums != W).sum(axis=1), 0 * np.append(t, 0)),
        ("D1b", r"\text{the dual form makes the same } t\text{-th update}", "only x_i·x_j matters",
         "=", np.array(other, dtype=int), np.zeros(len(other), dtype=int)),
        ("D2a", r"\sum_i \alpha_i = M", "one for each update of the dual form", "=",
         np.array([int(run.alpha.sum())]), np.array([twin.mistakes])),
        ("D3", r"\alpha_i > 0 \iff i \text{ was misclassified}", "an update at each mistake", "=",
         (run.alpha > 0).astype(int), _ever_wrong(run, Z, W), 1, 0),
        ("D4", r"\alpha_i = 0:\ \text{without } i \text{ nothing changes}", "it was never added",
         "=", np.array(changed, dtype=int), np.zeros(len(changed), dtype=int), 1, 0),
    )
    bound = [replace(claim, row="D2b", because="the mistake bound") for claim in bound]
    return Proof(f"The dual form of a run of {run.mistakes} mistakes", [*lines, *bound])


def _ever_wrong(run, Z, W):
    """1 for each example that was wrong at least once when it was looked at, else 0."""
    n = len(run.y)
    order = np.arange(n) if run.order is None else run.order
    starts = np.append(0, run.steps + 1)
    ends = np.append(run.steps + 1, run.passes * n)  # the example of an update was looked at, too
    ever = np.zeros(n, dtype=int)
    for w, start, end in zip(W, starts, ends, strict=True):
        seen = order[np.arange(start, min(end, start + n)) % n]
        scores = dot(Z[seen], w)
        at_zero = run.y[seen] != AT_ZERO[run.tie]
        ever[seen[(scores < 0) | ((scores == 0) & at_zero)]] = 1
    return ever


def _changes(run, i):
    """1 if the run without example i makes other updates, else 0."""
    keep = np.flatnonzero(np.arange(len(run.y)) != i)
    if len(keep) == 0:
        return int(run.mistakes > 0)
    order = None if run.order is None else np.searchsorted(keep, run.order[run.order != i])
    rest = perceptron(run.X[keep], run.y[keep], run.tie, order=order, max_passes=run.passes)
    return int(not np.array_equal(keep[rest.updates], run.updates))


def _root(square):
    return Surd(0, {square: 1})


def _roots(squares):
    found = np.empty(len(squares), dtype=object)
    found[:] = [_root(square) for square in squares]
    return found


def _claims(*lines):
    return (Claim(*line) for line in lines)


def _sq(v):
    return rf"\lVert {v}\rVert^2"


def _over(a, b):
    return Fraction(a) / Fraction(b)


class _Numbers:
    """The whole numbers that the proofs are about: z_i, w_t, u and their products."""

    def __init__(self, run, u, separates=True):
        self.run = run
        U, u_unit = _direction(u, run.Z.shape[1])
        W, exponent = run.exact_weights
        Z, data_exponent = integers(run.Z)
        low = min(exponent, data_exponent)
        self.W = _shifted(W, exponent - low)
        self.Z = _shifted(Z, data_exponent - low)
        self.U = U
        self.scale = Fraction(2) ** low  # of w and z
        self.square = self.scale**2  # of ||w||², ||z||² and z·w
        self.u_unit = u_unit
        self.unit = self.scale * u_unit  # of w·u and z·u
        scores = dot(self.Z, U)
        self.least = int(scores.min())
        if separates and self.least <= 0:
            i = int(np.argmin(scores))
            raise ValueError(
                f"u does not separate the examples: example {i} has y (u·x) = "
                f"{_short(self.least * self.unit)}, not above 0"
            )
        squares = row_dot(self.Z, self.Z)
        self.R2 = int(squares.max())
        self.U2 = int(dot(U, U))
        added = self.Z[run.updates]
        before, after = self.W[:-1], self.W[1:]
        products = {
            "all_zu": scores, "all_z2": squares,  # of all examples
            "wu": dot(self.W, U), "w2": row_dot(self.W, self.W),  # of all weights
            "zu": scores[run.updates], "z2": squares[run.updates],  # of the updates
            "zw": row_dot(added, before),
            "strays": (after - before != added).sum(axis=1),  # coordinates that moved otherwise
        }
        for name, values in products.items():
            setattr(self, name, values.astype(object))
        self.t = np.arange(1, run.mistakes + 1).astype(object)

    def update_claims(self):
        """That the run is a Perceptron's: it adds z_t, the example it looks at, at each mistake."""
        first, missed = self.passed_over()
        passed = r"\#\{\text{mistakes that } w_t \text{ passed over}\} = 0"
        return _claims(
            ("A2a", r"w_{t+1} = w_t + z_t", "no coordinate moves otherwise", "=",
             self.strays, 0 * self.t),
            ("A2b", passed, "an update at each mistake", "=", missed, 0 * missed, 1, first),
        )

    def wrong(self, scores, w, seen):
        """Which examples seen the Perceptron should have been wrong about, by their scores."""
        at_zero = self.run.y[seen] != AT_ZERO[self.run.tie]
        return (scores < 0) | ((scores == 0) & at_zero)

    def below(self, theta):
        """The same for a margin Perceptron: z·w < theta·||w||, or w = 0 (whole scores needed)."""

        def wrong(scores, w, seen):
            scores = dot(self.Z[seen], w)
            if not w.any():
                return np.ones(len(scores), dtype=bool)
            square = theta**2 * int(dot(w, w)) / self.square
            limit = math.isqrt(square.numerator // square.denominator)
            # Whole numbers below √square, that is up to `limit`, or one less if it is the root.
            return scores <= (limit - 1 if limit**2 == square else limit)

        return wrong

    def passed_over(self, wrong=None):
        """For w_1, w_2, …: how many examples it looked at, got wrong, and yet passed over; and the
        t of the first entry.

        In a new order for each pass nobody knows which ones were passed over, except at the end
        of a converged run: all of them.  Of a recorded run that does not claim to have finished,
        what came after the last update is not known either.
        """
        run, n, wrong = self.run, len(self.run.y), wrong or self.wrong
        reshuffled = isinstance(run.order, str)
        order = np.arange(n) if run.order is None or reshuffled else run.order
        starts = np.append(0, run.steps + 1)
        ends = np.append(run.steps, run.passes * n if run.outcome != "recorded" else starts[-1])
        if reshuffled:
            first = run.mistakes if run.outcome == "converged" else run.mistakes + 1
            starts, ends = starts[first:], ends[first:]
        else:
            first = 0
            # An update by another example than the one looked at counts as passing over, too.
            astray = order[run.steps % n] != run.updates
        missed = []
        for t, (start, end) in enumerate(zip(starts, ends, strict=True), first):
            seen = order[np.arange(start, min(end, start + n)) % n]
            missed.append(int(np.sum(wrong(self._scores(seen, t), self.W[t], seen))))
            if not reshuffled and t < run.mistakes:
                missed[-1] += int(astray[t])
        return first + 1, np.array(missed, dtype=object)

    def _scores(self, seen, t):
        """z_i·w_t of some examples, in whole numbers; of floats that will do, only the signs."""
        if self.Z.dtype != object and self.W.dtype != object:
            return dot(self.Z[seen], self.W[t])
        with np.errstate(over="ignore", invalid="ignore"):
            Z, w = self.run.Z[seen], self.run.weights[t]
            rough = Z @ w
            sizes = np.abs(Z) @ np.abs(w)
            sure = np.abs(rough) > 2.0**-51 * (len(w) + 2) * sizes + 1e-290
        scores = np.where(sure, np.sign(rough), 0).astype(object)
        for k in np.flatnonzero(~sure):
            scores[k] = dot(self.Z[seen[k]], self.W[t])
        return scores


def _direction(u, d):
    """u as whole numbers and the unit they are counted in, checked."""
    U, unit = rational(fractions_of(u, d))
    if not U.any():
        raise ValueError("u must not be the zero vector")
    return U, unit


def _shifted(N, power):
    return N if power == 0 else N.astype(object) * 2**power
