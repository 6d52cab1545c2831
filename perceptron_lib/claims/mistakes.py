"""The mistake bound, M <= (R/γ)², and what becomes of it with unit vectors or with a bias.

Each mistake moves w along u by γ||u|| at least, but ||w||² grows by R² at most; since w·u cannot
exceed ||w||·||u||, there cannot be many of them.
"""

from fractions import Fraction

import numpy as np

from perceptron_lib import checks
from perceptron_lib.claims.claim import Proof, on_run
from perceptron_lib.claims.line import Chain, Symbol, fact, given, induction, norm, step
from perceptron_lib.claims.quantities import Quantities, with_weights
from perceptron_lib.embedding import with_bias

UPDATE = given("A2a", "the update", lambda q: (q.next_w, "=", q.w + q.z))
MARGIN = given("P0a", "definition of γ", lambda q: (q.each_zu, "≥", q.g))
RADIUS = given("P0b", "definition of R", lambda q: (q.each_z2, "≤", q.R2))
ALONG_U = [
    step("P1a", "A2a", lambda q: (q.next_wu, "=", q.wu + q.zu)),
    step("P1b", "P0a", lambda q: (q.zu, "≥", q.g)),
    step("P1", "P1a P1b", lambda q: (q.next_wu, "≥", q.wu + q.g)),
]
SQUARE = step("P2a", "A2a", lambda q: (q.next_w2, "=", q.w2 + 2 * q.zw + q.z2))
MISTAKE = given("P2b", "it was a mistake", lambda q: (q.zw, "≤", 0))
LENGTH = [
    SQUARE,
    MISTAKE,
    step("P2c", "P0b", lambda q: (q.z2, "≤", q.R2)),
    step("P2", "P2a P2b P2c", lambda q: (q.next_w2, "≤", q.w2 + q.R2)),
]
START = given("P3a", "the start", lambda q: (q.start, "=", 0))
FAR = induction("P3b", "P3a P1", lambda q: (q.next_wu, "≥", q.t * q.g))
SHORT = induction("P3c", "P3a P2", lambda q: (q.next_w2, "≤", q.t * q.R2))
CAUCHY = fact("P4", "Cauchy–Schwarz", lambda q: (q.next_wu**2, "≤", q.next_w2 * q.u2))
SQUARED = step("P5a", "P3b", lambda q: ((q.t * q.g) ** 2, "≤", q.next_wu**2))
SQUEEZE = [*ALONG_U, *LENGTH, START, FAR, SHORT, CAUCHY, SQUARED]

MISTAKES = Chain([
    UPDATE, MARGIN, RADIUS, *SQUEEZE,
    step("P5b", "P5a P4 P3c", lambda q: ((q.t * q.g) ** 2, "≤", q.t * q.R2 * q.u2)),
    step("P5", "P5b", lambda q: (q.t, "≤", q.R2 / q.gamma2)),
])  # fmt: skip

LENGTHS = Chain([
    UPDATE, MARGIN, *ALONG_U, SQUARE, MISTAKE, START, FAR, CAUCHY, SQUARED,
    induction("P14a", "P3a P2a P2b", lambda q: (q.next_w2, "≤", q.sum_z2)),
    step("P14", "P5a P4 P14a", lambda q: (q.t**2 * q.gamma2, "≤", q.sum_z2)),
])  # fmt: skip


def mistake_bound(run, u, gamma_u=None, R2=None):
    """The proof of M <= (R/γ)² (P1 to P5) on a run, every line of it.

    Parameters
    ----------
    run : a `Run` of any outcome
    u : a separator of its examples, of any length; w* = u/||u||
    gamma_u, R2 : γ||u|| = min_i z_i·u and R² = max_i ||x_i||²; computed from the data unless
        given, and if given, put to the test (P0)

    >>> from perceptron_lib import five_points, perceptron
    >>> X, y, u = five_points()
    >>> mistake_bound(perceptron(X, y), u).lines("P1", "P2", "P5")
    The mistake bound on a run of 4 mistakes
    row    checked  least slack  equalities
    P1           4            0           4  ✓  P1a and P1b
    P2           4            2           0  ✓  P2a, P2b and P2c
    P5           4            6           0  ✓  P5b
    """
    q = Quantities(run, u)
    if gamma_u is not None:
        q.g = checks.positive(gamma_u, "gamma_u") / (q.scale * q.u_unit)
    if R2 is not None:
        q.R2 = checks.positive(R2, "R2") / q.scale**2
    title = f"The mistake bound on a run of {run.mistakes} mistakes"
    return Proof(title, [every_mistake(q), *on_run(MISTAKES, q)], MISTAKES)


def lengths_bound(run, u):
    """The proof of M²γ² <= the sum of ||x||² over the mistakes (P14), sharper than (R/γ)² where
    the examples differ in length.

    >>> from perceptron_lib import five_points, perceptron
    >>> X, y, u = five_points()
    >>> lengths_bound(perceptron(X, y), u)["P14"]
    P14 holds (4 values checked)
    """
    q = Quantities(run, u)
    q.sum_z2 = np.cumsum(q.z2)
    title = f"The bound by lengths on a run of {run.mistakes} mistakes"
    return Proof(title, [every_mistake(q), *on_run(LENGTHS, q)], LENGTHS)


def normalised_bound(run, u):
    """The proof of M <= 1/γ² for examples of length 1, γ the least cosine (P6).

    Floats cannot always hold a vector of length exactly 1, so R², the largest squared length, is
    used as it is; it may differ from 1 in the last digits only.

    >>> from perceptron_lib import perceptron, worst_case
    >>> X, y, u = worst_case(4)
    >>> normalised_bound(perceptron(X, y), u)["P6.5"].tight  # M = (R/γ)²
    [4]
    """
    q = Quantities(run, u)
    for i, square in enumerate(q.each_z2):
        if abs(square * q.scale**2 - 1) > Fraction(1, 2**48):
            raise ValueError(f"example {i} is not of length 1: use unit_length first")
    chain = MISTAKES.renamed(lambda row: row.replace("P", "P6."))
    title = f"The normalised bound on a run of {run.mistakes} mistakes"
    return Proof(title, [every_mistake(q), *on_run(chain, q)], chain)


def every_mistake(q):
    """That the run passed over no mistake."""
    passed_over, first = q.passed_over(q.wrong)
    statement = r"\#\{\text{mistakes that } w_t \text{ passed over}\} = 0"
    return ("A2b", statement, "an update at each mistake", passed_over, "=", 0, 1, first)


# --- with a bias -----------------------------------------------------------------------------

# The rows of the mistake bound, for (w, b/c) and (u, b/c), in their order.
LIFTED = [UPDATE, MARGIN, RADIUS, *SQUEEZE]
NUMBERS = {line.row: f"P7.{k}" for k, line in enumerate(LIFTED, 1)}
u2 = norm("u") + "^2"
BIAS = Chain(
    LIFTED,
    symbols={
        "w": Symbol("(w_t, b_t)", "t"), "next_w": Symbol("(w_{t+1}, b_{t+1})", "t"),
        "z": Symbol("y_t(x_t, c^2)", "t"), "start": Symbol("(w_1, b_1)"),
        "wu": Symbol(r"u\cdot w_t + b\,b_t/c^2", "t", binds=1),
        "next_wu": Symbol(r"u\cdot w_{t+1} + b\,b_{t+1}/c^2", "t", binds=1),
        "zu": Symbol(r"y_t(u\cdot x_t + b)", "t"), "each_zu": Symbol(r"y_i(u\cdot x_i + b)", "i"),
        "zw": Symbol(r"y_t(w_t\cdot x_t + b_t)", "t"),
        "w2": Symbol(norm("w_t") + "^2 + b_t^2/c^2", "t", binds=1),
        "next_w2": Symbol(norm("w_{t+1}") + "^2 + b_{t+1}^2/c^2", "t", binds=1),
        "z2": Symbol(norm("x_t") + "^2 + c^2", "t", binds=1),
        "each_z2": Symbol(norm("x_i") + "^2 + c^2", "i", binds=1),
        "R2": Symbol("R^2 + c^2", binds=1), "u2": Symbol(f"{u2} + b^2/c^2", binds=1),
        "r2": Symbol("R^2"), "c2": Symbol("c^2"), "v2": Symbol(u2), "b": Symbol("b"),
        "across": Symbol(r"u\cdot x_j"), "across_x2": Symbol(norm("x_j") + "^2"),
        "v": Symbol("u"), "x": Symbol("x_j"), "len_v": Symbol(norm("u")), "u": Symbol("(u, b/c)"),
    },
    definitions={
        "R2": lambda q: q.r2 + q.c2,
        "u2": lambda q: q.v2 + q.b**2 / q.c2,
        "v2": lambda q: q.len_v**2,
        "g": lambda q: q.gamma * q.len_v,
    },
).renamed(NUMBERS.get).more(
    given("P7.16", "the label of x_j is not the sign of b",
          lambda q: (q.b * (q.across + q.b), "≤", 0)),
    given("P7.17", "definition of R", lambda q: (q.across_x2, "≤", q.r2)),
    fact("P7.18", "Cauchy–Schwarz", lambda q: (q.across**2, "≤", q.across_x2 * q.v2)),
    step("P7.19", "P7.16 P7.17 P7.18", lambda q: (q.b**2, "≤", q.r2 * q.v2)),
    step("P7.20", "P7.19", lambda q: (q.u2, "≤", q.v2 * (1 + q.r2 / q.c2))),
    step("P7.21", "P7.15 P7.14 P7.13 P7.20",
         lambda q: ((q.t * q.g) ** 2, "≤", q.v2 * (1 + q.r2 / q.c2) * (q.t * q.R2))),
    step("P7.22", "P7.21", lambda q: (q.t, "≤", (q.r2 + q.c2) ** 2 / (q.c2 * q.gamma2))),
)  # fmt: skip
BY_ONE = BIAS.more(
    given("P7.23", "the constant is 1", lambda q: (q.c2, "=", 1)),
    given("P7.24", "R is at most 1", lambda q: (q.r2, "≤", 1)),
    step("P7", "P7.22 P7.23 P7.24", lambda q: (q.t, "≤", 4 / q.gamma2)),
)
BY_R = BIAS.renamed(lambda row: row.replace("P7", "P8")).more(
    given("P8.23", "constants of length R", lambda q: (q.c2, "=", q.r2)),
    step("P8", "P8.22 P8.23", lambda q: (q.t, "≤", 4 * q.r2 / q.gamma2)),
)


def bias_bound(run, u, b, c):
    """The proof of M <= ((R² + c²)/(cγ))² for a run on ``with_bias(X, c)`` (P7, P8).

    The separator is u·x + b = 0, and γ = min_i y_i (u·x_i + b)/||u|| is measured without the
    constants; R likewise.  Constant 1 and R <= 1 give 4/γ² (P7), constants of length R give
    (2R/γ)² (P8).  Both are the mistake bound on the examples with their constants.  In the
    statements b is the separator's bias, and b_t that of the run.

    >>> from perceptron_lib import perceptron
    >>> run = perceptron(with_bias([[0], [1]]), [-1, 1])
    >>> bias_bound(run, u=[2], b=-1, c=1)["P7"]
    P7 holds (5 values checked)
    """
    X, c = with_weights(run).X, with_bias([[0]], c)[0, 1:]
    d = X.shape[1] - len(c)
    if d < 1 or (X[:, d:] != c).any():
        raise ValueError("the run must be one on with_bias(X, c), with this c")
    if len(set(run.y.tolist())) < 2:
        raise ValueError("both classes must occur: with one only, |b| <= R||u|| may fail")
    u, b, c = checks.fractions(u, d), checks.fraction(b, "b"), checks.fractions(c)
    v2, c2 = sum(v * v for v in u), sum(v * v for v in c)
    q = Quantities(run, [*u, *(b * v / c2 for v in c)], real=True, b=b, v2=v2, c2=c2)
    q.r2, q.gamma2 = q.R2 - c2, q.g**2 / v2
    i = int(np.argmax(run.y == (-1 if b > 0 else 1)))  # an example of the other sign
    q.across, q.across_x2 = run.y[i] * q.each_zu[i] - b, q.each_z2[i] - c2
    chain = BY_ONE if c2 == 1 and q.r2 <= 1 else BY_R if c2 == q.r2 else BIAS
    title = f"The bound with a bias on a run of {run.mistakes} mistakes"
    return Proof(title, [every_mistake(q), *on_run(chain, q)], chain)
