"""The mistake bound, M <= (R/γ)², and what becomes of it with unit vectors or with a bias.

Each mistake moves w along u by γ||u|| at least, but ||w||² grows by R² at most; since w·u cannot
exceed ||w||·||u||, there cannot be many of them.
"""

from perceptron_lib.checks import door
from perceptron_lib.claims.claim import Proof, on_run
from perceptron_lib.claims.line import Chain, fact, given, induction, step
from perceptron_lib.claims.quantities import Quantities

# Lines that other theorems have as well.
UPDATE = given("A2a", "the update", lambda q: (q.next_w, "=", q.w + q.z))
RADIUS = given("P0b", "definition of R", lambda q: (q.each_z2, "≤", q.R2))
ALONG_U = [
    step("P1a", "A2a", lambda q: (q.next_wu, "=", q.wu + q.zu)),
    step("P1b", "P0a", lambda q: (q.zu, "≥", q.g)),
    step("P1", "P1a P1b", lambda q: (q.next_wu, "≥", q.wu + q.g)),
]
LENGTH = [
    step("P2a", "A2a", lambda q: (q.next_w2, "=", q.w2 + 2 * q.zw + q.z2)),
    given("P2b", "it was a mistake", lambda q: (q.zw, "≤", 0)),
    step("P2c", "P0b", lambda q: (q.z2, "≤", q.R2)),
    step("P2", "P2a P2b P2c", lambda q: (q.next_w2, "≤", q.w2 + q.R2)),
]
START = given("P3a", "the start", lambda q: (q.start, "=", 0))
SHORT = induction("P3c", "P3a P2", lambda q: (q.next_w2, "≤", q.t * q.R2))
CAUCHY = fact("P4", "Cauchy–Schwarz", lambda q: (q.next_wu**2, "≤", q.next_w2 * q.u2))

MISTAKES = Chain([
    UPDATE,
    given("P0a", "definition of γ", lambda q: (q.each_zu, "≥", q.g)),
    RADIUS,
    given("P0c", "u separates the examples", lambda q: (0, "<", q.g)),
    *ALONG_U, *LENGTH, START,
    induction("P3b", "P3a P1", lambda q: (q.next_wu, "≥", q.t * q.g)),
    SHORT, CAUCHY,
    step("P5a", "P3b P0c", lambda q: ((q.t * q.g) ** 2, "≤", q.next_wu**2)),
    step("P5b", "P5a P4 P3c", lambda q: ((q.t * q.g) ** 2, "≤", q.t * q.R2 * q.u2)),
    step("P5", "P5b P0c", lambda q: (q.t, "≤", q.R2 / q.gamma2)),
])  # fmt: skip


@door
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
    P5           4            6           0  ✓  P5b and P0c
    """
    q = Quantities(run, u)
    if gamma_u is not None:
        q.g = gamma_u
    if R2 is not None:
        q.R2 = R2
    return proof_by("The mistake bound", MISTAKES, q)


def proof_by(name, chain, q):
    """The proof by a chain about a run that makes an update at each mistake, and only there."""
    title = f"{name} on a run of {q.run.mistakes} mistakes"
    return Proof(title, [every_mistake(q), *on_run(chain, q)], chain)


def every_mistake(q):
    """That the run passed over no mistake."""
    passed_over, first = q.passed_over(q.wrong)
    statement = r"\#\{\text{mistakes that } w^{(t)} \text{ passed over}\} = 0"
    return ("A2b", statement, "an update at each mistake", passed_over, "=", 0, first)
