"""Lesson 4, what the bound knows: a bias and lengths in its proof, how far it can be improved, and
a learner that does better in the plane."""

from fractions import Fraction

import numpy as np
from matplotlib.patches import Circle

from perceptron_lib import checks, exercises
from perceptron_lib.bounds import square
from perceptron_lib.checks import door, limit
from perceptron_lib.claims.line import Chain, Symbol, fact, given, induction, norm, step
from perceptron_lib.claims.mistakes import MISTAKES, proof_by
from perceptron_lib.claims.quantities import Quantities
from perceptron_lib.embedding import with_bias
from perceptron_lib.exercises import checker, converged_run, exact_number, require
from perceptron_lib.perceptron import perceptron
from perceptron_lib.plots import parts, style
from perceptron_lib.plots.runs import DOTS, line_number
from perceptron_lib.separability import Separator, separate
from perceptron_lib.show import number, numbers

# --- theorems -------------------------------------------------------------------------------------


WITHOUT_R = "A2a P0a P0c P1a P1b P1 P2a P2b P3a P3b P4 P5a"  # of the rows of the mistake bound
LENGTHS = Chain([MISTAKES[row] for row in WITHOUT_R.split()]).more(
    induction("P14a", "P3a P2a P2b", lambda q: (q.next_w2, "≤", q.sum_z2)),
    step("P14", "P5a P4 P14a P0c", lambda q: (q.t**2 * q.gamma2, "≤", q.sum_z2)),
)


@door
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
    return proof_by("The bound by lengths", LENGTHS, q)


# These rows are said of (w, b/c) and (u, b/c); each gets its place as its number.
SQUEEZE = "P0c A2a P0a P0b P1a P1b P1 P2a P2b P2c P2 P3a P3b P3c P4 P5a"
BIAS = Chain(
    [MISTAKES[row] for row in SQUEEZE.split()],
    symbols={
        "w": Symbol("(w^{(t)}, b^{(t)})", "t"), "next_w": Symbol("(w^{(t+1)}, b^{(t+1)})", "t"),
        "z": Symbol("y^{(t)}(x^{(t)}, c^2)", "t"), "start": Symbol("(w^{(1)}, b^{(1)})"),
        "wu": Symbol(r"u\cdot w^{(t)} + b\,b^{(t)}/c^2", "t", binds=1),
        "next_wu": Symbol(r"u\cdot w^{(t+1)} + b\,b^{(t+1)}/c^2", "t", binds=1),
        "zu": Symbol(r"y^{(t)}(u\cdot x^{(t)} + b)", "t"),
        "each_zu": Symbol(r"y_i(u\cdot x_i + b)", "i"),
        "zw": Symbol(r"y^{(t)}(w^{(t)}\cdot x^{(t)} + b^{(t)})", "t"),
        "w2": Symbol(norm("w^{(t)}") + "^2 + (b^{(t)})^2/c^2", "t", binds=1),
        "next_w2": Symbol(norm("w^{(t+1)}") + "^2 + (b^{(t+1)})^2/c^2", "t", binds=1),
        "z2": Symbol(norm("x^{(t)}") + "^2 + c^2", "t", binds=1),
        "each_z2": Symbol(norm("x_i") + "^2 + c^2", "i", binds=1),
        "R2": Symbol("R^2 + c^2", binds=1), "u2": Symbol(norm("u") + "^2 + b^2/c^2", binds=1),
        "r2": Symbol("R^2"), "c2": Symbol("c^2"), "v2": Symbol(norm("u") + "^2"), "b": Symbol("b"),
        "across": Symbol(r"u\cdot x_j"), "across_x2": Symbol(norm("x_j") + "^2"),
        "v": Symbol("u"), "x": Symbol("x_j"), "len_v": Symbol(norm("u")), "u": Symbol("(u, b/c)"),
    },
    definitions={
        "R2": lambda q: q.r2 + q.c2,
        "u2": lambda q: q.v2 + q.b**2 / q.c2,
        "v2": lambda q: q.len_v**2,
        "g": lambda q: q.gamma * q.len_v,
    },
).renamed(lambda row: f"P7.{SQUEEZE.split().index(row)}").more(
    given("P7.0c", "the constants are not all 0", lambda q: (0, "<", q.c2)),
    step("P7.16", "P7.15 P7.14 P7.13 P7.0", lambda q: (q.t, "≤", q.R2 * q.u2 / q.g**2)),
    given("P7.17", "the label of x_j is not the sign of b",
          lambda q: (q.b * (q.across + q.b), "≤", 0)),
    given("P7.18", "definition of R", lambda q: (q.across_x2, "≤", q.r2)),
    fact("P7.19", "Cauchy–Schwarz", lambda q: (q.across**2, "≤", q.across_x2 * q.v2)),
    step("P7.20", "P7.17 P7.18 P7.19", lambda q: (q.b**2, "≤", q.r2 * q.v2)),
    step("P7.21", "P7.20 P7.0c", lambda q: (q.u2, "≤", q.v2 * (1 + q.r2 / q.c2))),
    step("P7.22", "P7.16 P7.21 P7.0 P7.0c",
         lambda q: (q.t, "≤", (q.r2 + q.c2) ** 2 / (q.c2 * q.gamma2))),
)  # fmt: skip
BY_ONE = BIAS.more(
    given("P7.23", "the constant is 1", lambda q: (q.c2, "=", 1)),
    given("P7.24", "R is at most 1", lambda q: (q.r2, "≤", 1)),
    step("P7", "P7.22 P7.23 P7.24 P7.0", lambda q: (q.t, "≤", 4 / q.gamma2)),
)
BY_R = BIAS.renamed(lambda row: row.replace("P7", "P8")).more(
    given("P8.23", "constants of length R", lambda q: (q.c2, "=", q.r2)),
    step("P8", "P8.22 P8.23 P8.0 P8.0c", lambda q: (q.t, "≤", 4 * q.r2 / q.gamma2)),
)


@door(u=lambda u, name, _: checks.fractions(u, None, name))
def bias_bound(run, u, b, c):
    """The proof of M <= (R² + c²)(1 + b²/(c||u||)²)/γ² for a run on ``with_bias(X, c)``, and, as
    both labels occur, of M <= ((R² + c²)/(cγ))² (P7, P8).

    The separator is u·x + b = 0, and γ = min_i y_i (u·x_i + b)/||u|| is measured without the
    constants; R likewise.  Constant 1 and R <= 1 give 4/γ² (P7), constants of length R give
    (2R/γ)² (P8).  In the statements b is the separator's bias, and b_t that of the run.

    >>> from perceptron_lib import perceptron, with_bias
    >>> run = perceptron(with_bias([[0], [1]]), [-1, 1])
    >>> bias_bound(run, u=[2], b=-1, c=1)["P7"]
    P7 holds (5 values checked)
    """
    constants = run.X[:, len(u) :]
    if constants.shape[1] != len(c) or not c.any() or (constants != c).any():
        raise ValueError("run must be one on with_bias(X, c), with this c, X of the length of u")
    if len(set(run.y.tolist())) < 2:
        raise ValueError("both classes must occur: with one only, |b| <= R||u|| may fail")
    v2, c2 = square(u), square(c)
    q = Quantities(run, [*u, *(b * Fraction(v) / c2 for v in c)], b=b, v2=v2, c2=c2)
    q.r2, q.gamma2 = q.R2 - c2, q.g**2 / v2
    i = int(np.argmax(run.y == (-1 if b > 0 else 1)))  # an example of the other sign
    q.across, q.across_x2 = run.y[i] * q.each_zu[i] - b, q.each_z2[i] - c2
    chain = BY_ONE if c2 == 1 and q.r2 <= 1 else BY_R if c2 == q.r2 else BIAS
    return proof_by("The bound with a bias", chain, q)


# --- pictures -------------------------------------------------------------------------------------


@style.picture()
@door(u=limit(style.direction), b=limit(style.rounded_number))
def offset(ax, X, y, u, b):
    """The line u·x + b = 0, its distance |b|/||u|| from the origin, and the disc of radius R (P7).

    >>> offset([[2, 0], [0, 1]], [1, -1], u=[1, 0], b=-1)
    The line is 1 away from 0, and R is 2: 1 positive and 1 negative examples, all in the disc ...
    """
    lengths, foot = np.hypot(*style.plane_points(X).T), -b * u / (u @ u)
    R, longest = lengths.max(), X[np.argmax(lengths)]
    parts.frame(ax, np.array([[-R, -R], [R, R]]), room=0.02)
    ax.add_patch(Circle((0, 0), R, fc="none", ec=style.GREY, lw=1.2))
    parts.line(ax, u, b, look=style.U, name="")
    parts.numbered_marks(ax, X, y)
    near = X[np.argmin(np.abs(X @ u + b))]
    gap = near - (near @ u + b) / (u @ u) * u, near
    for ends, text, look in (([0 * u, longest], "R", style.AID | {"lw": 1.2}),
                             ([0 * u, foot], "|b|", style.W),
                             (gap, "$\\gamma_{u,b}$", style.U | {"ls": "-"})):  # fmt: skip
        ax.plot(*np.transpose(ends), **look)
        parts.note(ax, text, np.mean(ends, axis=0), color=look["color"])
    ax.locator_params(nbins=5)
    return f"The line is {number(np.hypot(*foot))} away from 0, and R is {number(R)}", (
        f"{parts.tally(y)}, all in the disc of radius R around 0; {parts.line_in_words(u, b)}."
    )


@style.picture()
@door
def shortest(ax, X, y):
    """The vectors u with z_i·u >= 1 for all i, and the shortest of them, of length 1/γ (P14).

    >>> shortest([[2, 0], [0, -2]], [1, -1])
    The shortest u with all zᵢ·u ≥ 1 has length 0.707: it is (0.5, 0.5), where the shaded set of ...
    """
    Z, best = y[:, None] * style.plane_points(X), separate(X, y)
    checks.instance(best, Separator, "the examples", "examples that a line through 0 separates")
    u = best.w / (Z @ best.w).min()
    length = np.hypot(*u)
    corners = length * np.array([[-1, -1.1], [2.2, 1.1]])
    parts.frame(ax, corners, ("u₁", "u₂"), room=0, axes=DOTS)
    parts.shade_sign(ax, lambda points: (points @ Z.T).min(axis=1) - 1, 301, 0.2)
    for i, z in enumerate(Z):
        ax.plot(*parts.line_ends(ax, z, -1.0), **style.AID)
        if len(y) <= parts.FEW:
            line_number(ax, i, z, 1)
    ax.add_patch(Circle((0, 0), length, fc="none", ec=style.GREEN, lw=1.2, ls=":"))
    parts.arrow(ax, (0, 0), u, "u", style.U)
    return f"The shortest u with all zᵢ·u ≥ 1 has length {number(length)}", (
        f"it is {numbers(u)}, where the shaded set of all such u touches a circle around 0; grey "
        f"lines show where one of the {len(Z)} products is 1."
    )


# --- the exercises --------------------------------------------------------------------------------


@checker(
    "04.1",
    "What could the first example teach that saves the others their mistakes?",
    "Look for two or three examples that keep correcting each other, and put one first that points "
    "where all of them want w to go.",
)
def fewer_with_more(X, y):
    """Examples of which the first saves at least five mistakes (P9, P12)."""
    X, y = exercises.few_points(X, y, 4)
    exercises.small_coordinates(X)
    require(len(X) >= 2, "without the first example nothing is left")
    exercises.best_separator(X, y, "no w separates these")
    M, without = converged_run(X, y).mistakes, converged_run(X[1:], y[1:]).mistakes
    counts = f"with the first example M = {M}, without it M = {without}"
    require(without > M, f"{counts}; it saves nothing")
    require(without >= M + 5, f"{counts}; it is to save five or more")
    return f"{counts}: one example more, {without - M} mistakes fewer."


ABOVE_2 = np.array([(8, 0), (3, 4), (-5, 3), (2, 1), (-6, -3), (0, 5)]), np.array(
    [-1, 1, 1, -1, -1, 1])  # is the second coordinate above 2?  # fmt: skip


@checker(
    "04.2",
    "Multiply out (R² + c²)(1 + b²/c²). Two of the four terms do not depend on c, and the product "
    "of the other two is always R²b². When is the sum of two such numbers smallest?",
    "When they are equal: c² = R²b²/c². For the run, import with_bias from perceptron_lib, and "
    "print perceptron(with_bias(X_2, c), y_2).",
)
def best_constant(c, mistakes):
    """The constant with the least bound for `ABOVE_2`, and what it costs the Perceptron (P7)."""
    c, (X, y) = exact_number(c), ABOVE_2
    require(c > 0, "a constant must be above 0")
    bound = f"with c = {number(float(c))} the bound is {number(float((c + 64 / c) * (c + 4 / c)))}"
    require(c >= 4, f"{bound}; a larger constant would do better, as ‖ũ‖ would be shorter")
    require(c <= 4, f"{bound}; a smaller constant would do better, as all x̃ would be shorter")
    made, at_R = (perceptron(with_bias(X, k), y).mistakes for k in (4, 8))
    require(exact_number(mistakes) == made, f"{bound}, the least; but run the Perceptron again")
    return f"{bound}, and the run makes {made} mistakes; with c = R, 136 and {at_R}."


def zigzag(turn=((1, 0), (0, 1))):
    """100 examples in the plane, each a mistake of the Perceptron, whose weights go up and down
    beside u = (1, 0) and hardly along it; all of it turned by a matrix.

    >>> from perceptron_lib import perceptron
    >>> perceptron(*zigzag(), max_passes=1).mistakes
    100
    """
    across = 1024 - 2 * np.arange(100)  # no two are the same, so memory alone is of no use
    across[0] = 512
    Z = np.column_stack([np.full(100, 32), np.where(np.arange(100) % 2 == 0, 1, -1) * across])
    y = np.where(np.random.PCG64(4).random_raw(100) % 2 == 0, 1, -1)
    return y[:, None] * (Z @ turn), y


@checker(
    "04.3",
    "In the plane a separator is little more than an angle. Which angles are still possible after "
    "the examples that your learner has seen?",
    "Take many vectors (cos, sin), drop those that are wrong about an example seen so far, and let "
    "the rest vote: if the vote is wrong, at least half of them go. Or let `separate` choose one.",
)
def better_in_the_plane(learner):
    """A learner with at most ten mistakes where the Perceptron makes a hundred (P13)."""
    most = 0
    for turn in (((1, 0), (0, 1)), ((3, 4), (-4, 3))):  # no separator can be known beforehand
        (X, y), errors = zigzag(turn), 0
        for i, x in enumerate(X.astype(float)):
            label = exercises.value_of(learner, X[:i].astype(float), y[:i].tolist(), x)
            require(np.ndim(label) == 0 and label in (-1, 1), "each answer must be +1 or −1")
            errors += label != y[i]
        require(errors <= 10, f"it errs on {errors} of the 100 examples that the checker has shown")
        most = max(most, errors)
    return f"the Perceptron errs on all 100 examples, and your learner on {most} at most."
