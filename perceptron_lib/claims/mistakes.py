"""The mistake bound, M <= (R/γ)², and what becomes of it with unit vectors or with a bias.

Each mistake moves w along u by γ||u|| at least, but ||w||² grows by R² at most; since w·u cannot
exceed ||w||·||u||, there cannot be many of them.
"""

from fractions import Fraction

from perceptron_lib import bounds, checks
from perceptron_lib.claims.claim import Proof, norm
from perceptron_lib.claims.quantities import Quantities, with_weights
from perceptron_lib.embedding import with_bias


def mistake_bound(run, u, gamma_u=None, R2=None):
    """The proof of M <= (R/γ)² (P1 to P5) on a run, every line of it.

    Parameters
    ----------
    run : a `Run` of any outcome
    u : a separator of its examples, of any length; w* = u/||u||
    gamma_u, R2 : γ||u|| = min_i z_i·u and R² = max_i ||x_i||²; computed from the data unless
        given, and if given, put to the test (P0)
    """
    q = Quantities(run, u)
    g = q.least if gamma_u is None else checks.positive(gamma_u, "gamma_u") / q.unit
    R2 = q.R2 if R2 is None else checks.positive(R2, "R2") / q.square
    title = f"The mistake bound on a run of {run.mistakes} mistakes"
    return Proof(title, [*updates(q), *mistakes(q, g, R2)])


def normalised_bound(run, u):
    """The proof of M <= 1/γ² for examples of length 1, γ the least cosine (P6).

    Floats cannot always hold a vector of length exactly 1, so R², the largest squared length, is
    used as it is; it may differ from 1 in the last digits only.
    """
    q = Quantities(run, u)
    for i, square in enumerate(q.all_z2):
        if abs(square * q.square - 1) > Fraction(1, 2**48):
            raise ValueError(f"example {i} is not of length 1: use unit_length first")
    title = f"The normalised bound on a run of {run.mistakes} mistakes"
    lines = [
        (row.replace("P", "P6."), statement, because.replace("P", "P6."), *sides)
        for row, statement, because, *sides in mistakes(q, q.least, q.R2)
    ]
    return Proof(title, [*updates(q), *lines])


def updates(q):
    """That the run is a Perceptron's: it adds z_t, the example it looks at, at each mistake."""
    passed_over, first = q.passed_over(q.wrong)
    return [
        ("A2a", "w_{t+1} = w_t + z_t", "no coordinate moves otherwise", q.strays, "=", 0),
        ("A2b", r"\#\{\text{mistakes that } w_t \text{ passed over}\} = 0",
         "an update at each mistake", passed_over, "=", 0, 1, first),
    ]


def mistakes(q, g, R2):
    """The lines of the mistake bound, for γ||u|| = g and R² = R2."""
    t, unit, square = q.t, q.unit, q.square
    wu, next_wu, w2, next_w2 = q.wu[:-1], q.wu[1:], q.w2[:-1], q.w2[1:]
    along, next_along, gamma = r"w_t\cdot u", r"w_{t+1}\cdot u", rf"\gamma{norm('u')}"
    x, z, u, w, next_w = (f"{norm(v)}^2" for v in ("x_i", "z_t", "u", "w_t", "w_{t+1}"))
    return [
        ("P0a", rf"z_i\cdot u \ge {gamma}", "γ, for every example", q.all_zu, "≥", g, unit, 0),
        ("P0b", rf"{x} \le R^2", "R, for every example", q.all_z2, "≤", R2, square, 0),
        ("P1a", rf"{next_along} = {along} + z_t\cdot u", "by the update",
         next_wu, "=", wu + q.zu, unit),
        ("P1b", rf"z_t\cdot u \ge {gamma}", "P0a", q.zu, "≥", g, unit),
        ("P1", rf"{next_along} \ge {along} + {gamma}", "both together", next_wu, "≥", wu + g, unit),
        ("P2a", rf"{next_w} = {w} + 2 z_t\cdot w_t + {z}", "by the update",
         next_w2, "=", w2 + 2 * q.zw + q.z2, square),
        ("P2b", r"z_t\cdot w_t \le 0", "it was a mistake", q.zw, "≤", 0, square),
        ("P2c", rf"{z} \le R^2", "P0b", q.z2, "≤", R2, square),
        ("P2", rf"{next_w} \le {w} + R^2", "all three", next_w2, "≤", w2 + R2, square),
        ("P3a", "w_1 = 0", "the start", q.w2[0], "=", 0, square),
        ("P3b", rf"{next_along} \ge t\,{gamma}", "P3a and P1, by induction",
         next_wu, "≥", t * g, unit),
        ("P3c", rf"{next_w} \le t R^2", "P3a and P2, by induction", next_w2, "≤", t * R2, square),
        ("P4", rf"({along})^2 \le {w}\,{u}", "Cauchy–Schwarz", q.wu**2, "≤", q.w2 * q.u2, unit**2),
        ("P5a", rf"t^2\gamma^2{u} \le ({next_along})^2", "P3b squared",
         (t * g) ** 2, "≤", next_wu**2, unit**2),
        ("P5b", rf"t^2\gamma^2{u} \le t R^2{u}", "with P4 and P3c",
         (t * g) ** 2, "≤", t * R2 * q.u2, unit**2),
        ("P5", r"t \le (R/\gamma)^2", "divide by t and γ²‖u‖²",
         t, "≤", bounds.mistakes(R2 * q.u2, g**2)),
    ]


def bias_bound(run, u, b, c):
    """The proof of M <= ((R² + c²)/(cγ))² for a run on ``with_bias(X, c)`` (P7, P8).

    The separator is u·x + b = 0, and γ = min_i y_i (u·x_i + b)/||u|| is measured without the
    constants; R likewise.  Constant 1 and R <= 1 give 4/γ² (P7), constants of length R give
    (2R/γ)² (P8).  Both are the mistake bound on the examples with their constants.
    """
    X, c = with_weights(run).X, with_bias([[0]], c)[0, 1:]
    d = X.shape[1] - len(c)
    if d < 1 or (X[:, d:] != c).any():
        raise ValueError("the run must be one on with_bias(X, c), with this c")
    if len(set(run.y.tolist())) < 2:
        raise ValueError("both classes must occur: with one only, |b| <= R||u|| may fail (E3, E6)")
    u, b, c = checks.fractions(u, d), checks.fraction(b, "b"), checks.fractions(c)
    u2, c2 = sum(v * v for v in u), sum(v * v for v in c)
    q = Quantities(run, [*u, *(b * v / c2 for v in c)]).real()
    title = f"The bound with a bias on a run of {run.mistakes} mistakes"
    return Proof(title, [*updates(q), *mistakes_with_bias(q, b * b, u2, c2)])


def mistakes_with_bias(q, b2, u2, c2):
    """The lines of `bias_bound`: those of the mistake bound for (w, b/c) and (u, b/c).

    In the statements b is the separator's bias, and b_t that of the run.
    """
    t, g, R2, x2 = q.t, q.least, q.R2 - c2, q.z2 - c2
    wu, next_wu, w2, next_w2 = q.wu[:-1], q.wu[1:], q.w2[:-1], q.w2[1:]
    gamma2, full_u2, most_u2 = g * g / u2, u2 + b2 / c2, u2 * (1 + R2 / c2)
    x, u, gamma = f"{norm('x_t')}^2", f"{norm('u')}^2", rf"\gamma{norm('u')}"
    w, next_w = f"{norm('w_t')}^2 + b_t^2/c^2", f"{norm('w_{t+1}')}^2 + b_{{t+1}}^2/c^2"
    along, next_along = r"u\cdot w_t + b\,b_t/c^2", r"u\cdot w_{t+1} + b\,b_{t+1}/c^2"
    score, truth = r"y_t(w_t\cdot x_t + b_t)", r"y_t(u\cdot x_t + b)"
    lines = [
        ("a", rf"{next_w} = {w} + 2{score} + {x} + c^2", "by the update",
         next_w2, "=", w2 + 2 * q.zw + x2 + c2),
        ("b", rf"{score} \le 0", "it was a mistake", q.zw, "≤", 0),
        ("c", rf"{x} \le R^2", "definition of R", x2, "≤", R2),
        ("d", rf"{next_w} \le {w} + R^2 + c^2", "a, b and c", next_w2, "≤", w2 + R2 + c2),
        ("e", r"w_1 = 0,\ b_1 = 0", "the start", q.w2[0], "=", 0),
        ("f", rf"{next_w} \le t\,(R^2 + c^2)", "d and e, by induction",
         next_w2, "≤", t * (R2 + c2)),
        ("g", rf"{next_along} = {along} + {truth}", "by the update", next_wu, "=", wu + q.zu),
        ("h", rf"{truth} \ge {gamma}", "definition of γ", q.zu, "≥", g),
        ("i", rf"{next_along} \ge {along} + {gamma}", "g and h", next_wu, "≥", wu + g),
        ("j", rf"{next_along} \ge t\,{gamma}", "e and i, by induction", next_wu, "≥", t * g),
        ("k", rf"b^2 \le R^2{u}", "both classes lie in the ball", b2, "≤", R2 * u2),
        ("l", rf"{u} + b^2/c^2 \le {u}(1 + R^2/c^2)", "k", full_u2, "≤", most_u2),
        ("m", rf"({along})^2 \le ({u} + b^2/c^2)({w})", "Cauchy–Schwarz",
         q.wu**2, "≤", full_u2 * q.w2),
        ("n", rf"t^2\gamma^2{u} \le {u}(1 + R^2/c^2)\,t\,(R^2 + c^2)", "j, m, l and f",
         (t * g) ** 2, "≤", most_u2 * t * (R2 + c2)),
        ("o", r"t \le ((R^2 + c^2)/(c\gamma))^2", "divide",
         t, "≤", bounds.mistakes_with_bias(R2, gamma2, c2)),
    ]
    p = "P7" if c2 == 1 else "P8" if c2 == R2 else "P"
    lines = [(p + letter, *line) for letter, *line in lines]
    if c2 == 1 and R2 <= 1:
        lines.append(("P7", r"t \le 4/\gamma^2", "R ≤ 1 = c", t, "≤", 4 / gamma2))
    if c2 == R2:
        lines.append(("P8", r"t \le (2R/\gamma)^2", "c = R", t, "≤", 4 * R2 / gamma2))
    return lines
