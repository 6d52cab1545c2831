"""Lesson 5, the margin Perceptron: a line with room on both sides, and the updates it takes."""

import bisect
import itertools
import math
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np

from perceptron_lib import bounds, checks, examples, exercises, plots, show
from perceptron_lib.checks import door, limit
from perceptron_lib.claims.claim import Proof, on_run
from perceptron_lib.claims.line import Chain, Symbol, fact, given, induction, step
from perceptron_lib.claims.quantities import Quantities
from perceptron_lib.exact import dot, row_dot
from perceptron_lib.exercises import checker, require
from perceptron_lib.perceptron import margin_perceptron, perceptron
from perceptron_lib.plots import parts, style
from perceptron_lib.plots.runs import scale, separator_of
from perceptron_lib.plots.style import INK
from perceptron_lib.separability import separate
from perceptron_lib.show import count, equals, number
from perceptron_lib.surd import root
from perceptron_lib.widgets import Scene


@door(gamma=limit(checks.fraction, "from 1/64 to 1/2", lambda gamma: 1 / 64 <= gamma <= 1 / 2))
def margin_stream(gamma=0.125):
    """A stream in the unit ball, of margin at least gamma, that keeps the margin Perceptron busy.

    Each example is chosen, knowing the weights, to be as long as possible and yet to lie just
    short of the threshold gamma/2 (M4).  The stream ends when no such example is left.  Every z has
    gamma along u = (1, 0, 0) and the length `room` across it, in the plane of the other two
    coordinates.  There it is turned against the weights until its score falls short.

    >>> X, y, u = margin_stream(0.25)
    >>> len(X), bool((y * (X @ u) >= 0.25).all())
    (38, True)
    """
    unit = 2**20
    gamma = math.ceil(gamma * unit) / unit
    room = math.sqrt(1 - gamma * gamma) - 2 / unit  # for the part of the example across u
    rows = [np.array([gamma, math.floor(room * unit) / unit, 0.0])]
    w = rows[0]
    while True:
        across = math.sqrt(w[1] * w[1] + w[2] * w[2])
        # What z may have in the direction of w's part across u, less what rounding may add.
        along = (gamma / 2 * math.sqrt(w @ w) - gamma * w[0]) / across - 4 / unit
        if along < -room:
            break
        along = min(along, room)
        turn = math.sqrt(room * room - along * along)
        v = [along * w[1] - turn * w[2], along * w[2] + turn * w[1]]
        z = np.array([gamma, *(np.rint(np.array(v) / across * unit) / unit)])
        rows.append(z)
        w = w + z
    y = np.where(np.arange(len(rows)) % 2 == 0, 1, -1)
    return examples.Examples(y[:, None] * np.array(rows), y, np.array([1.0, 0.0, 0.0]))


# --- the theorems ---------------------------------------------------------------------------------


@door
def most_vectors(R2, gamma2, eps=0.5):
    """(R/(εγ))²: the most vectors that the margin Perceptron adds, its start included (M11).

    >>> most_vectors(4, 1)
    Fraction(16, 1)
    """
    return R2 / gamma2 / eps**2


@door
def sharper_vectors(R2, gamma2, eps=0.5):
    """Two sharper bounds on the same number N (M12): the largest N for which, with x = N(γ/R)²,
    2ε(1 - ε)x <= ln(1 + 2(1 - ε)x); and (1 + ε)/(2ε²)·(R/γ)², which it does not exceed.

    >>> sharper_vectors(1, 1 / 32**2)
    (2573, Fraction(3072, 1))
    """
    ratio2 = R2 / gamma2
    closed = (1 + eps) / (2 * eps**2) * ratio2

    def too_many(N):
        with localcontext(prec=40):
            a = 2 * (1 - eps) * N / ratio2
            a = Decimal(a.numerator) / Decimal(a.denominator)
            return a * Decimal(eps.numerator) / Decimal(eps.denominator) > (1 + a).ln()

    # For small N the inequality holds; where it fails once, it fails from there on.
    return bisect.bisect_left(range(1, math.floor(closed) + 2), True, key=too_many), closed


START = [
    given("M0a", "the margin of u is γ or more", lambda q: (q.each_zu, "≥", q.gamma * q.len_u)),
    given("M0b", "definition of R", lambda q: (q.each_z2, "≤", q.R2)),
    given("M0c", "γ is positive, u is not 0", lambda q: (0, "<", q.gamma * q.len_u)),
    given("M1a", "the start", lambda q: (q.start, "=", q.first_z)),
    given("M1b", "the update", lambda q: (q.next_w, "=", q.w + q.z)),
    step("M2a", "M1b", lambda q: (q.next_wu, "=", q.wu + q.zu)),
    step("M2b", "M0a", lambda q: (q.zu, "≥", q.gamma * q.len_u)),
    step("M2c", "M1a M0a", lambda q: (q.start_wu, "≥", q.gamma * q.len_u)),
    induction("M2", "M2c M2a M2b", lambda q: (q.next_wu, "≥", (q.t + 1) * q.gamma * q.len_u)),
    fact("M5c", "Cauchy–Schwarz", lambda q: (q.next_wu, "≤", q.next_len * q.len_u)),
    step("M5b", "M2 M5c M0c", lambda q: ((q.t + 1) * q.gamma, "≤", q.next_len)),
    step("M3a", "M1b", lambda q: (q.next_w2, "=", q.w2 + 2 * q.zw + q.z2)),
    step("M3c", "M0b", lambda q: (q.z2, "≤", q.R2)),
    step("M4c", "M1a M0b", lambda q: (q.start_len, "≤", q.R)),
]  # fmt: skip
ROOT_N = {"root_n": Symbol(r"\sqrt{t + 1}", "t")}
MARGIN = Chain([
    *START,
    given("M0e", "ε is positive", lambda q: (0, "<", q.eps)),
    given("M0f", "ε is below 1", lambda q: (q.eps, "<", 1)),
    given("M3d", "it was too close", lambda q: (q.zw, "<", (1 - q.eps) * q.gamma * q.len_w)),
    step("M11a", "M3a M3c M3d",
         lambda q: (q.next_w2, "≤", (q.len_w + (1 - q.eps) * q.gamma) ** 2 + q.R2)),
    induction("M11b", "M4c M11a M0c M0f", lambda q:
              (q.next_len, "≤", (q.t + 1) * (1 - q.eps) * q.gamma + q.R * q.root_n)),
    step("M11", "M11b M5b M0c M0e", lambda q: (q.t + 1, "≤", (q.R / (q.eps * q.gamma)) ** 2)),
], ROOT_N)  # fmt: skip
PHASES = MARGIN.more(  # the source's own proof: w is short, or it grows slowly
    given("M0d", "some example is not 0", lambda q: (0, "<", q.R)),
    step("M3b", "M3a", lambda q: (q.len_w * q.next_len, "≤", q.w2 + q.zw + q.z2 / 2),
         "√(1 + a) ≤ 1 + a/2"),
    step("M3", "M3b M3c M3d",
         lambda q: (q.len_w * q.next_len, "≤", q.w2 + q.R2 / 2 + (1 - q.eps) * q.gamma * q.len_w)),
    step("M4a", "M3 M0c M0d M0e", lambda q: (q.next_len, "≤", q.len_w + (1 - q.eps / 2) * q.gamma),
         where=lambda q: (q.len_w, "≥", q.R2 / (q.eps * q.gamma))),
    fact("M4d", "Cauchy–Schwarz", lambda q: (q.zw, "≤", q.len_z * q.len_w)),
    step("M4b", "M3a M3c M4d", lambda q: (q.next_w2, "≤", (q.len_w + q.R) ** 2)),
    induction("M5a", "M4c M4a M4b M0c M0e M0f", lambda q:
              (q.next_len, "≤", q.R2 / (q.eps * q.gamma) + q.R + q.t * (1 - q.eps / 2) * q.gamma)),
    step("M7", "M5a M5b M0c M0e", lambda q:
         (q.t, "≤", 2 * (q.R / (q.eps * q.gamma)) ** 2 + 2 * q.R / (q.eps * q.gamma))),
)  # fmt: skip
HALF = PHASES.renamed(lambda row: "M5" if row == "M7" else row)  # which is M7 for ε = ½
FREE = Chain([
    *START,
    given("M13a", "it asks for half", lambda q: (2 * q.t * q.zw, "≤", q.w2)),
    step("M13b", "M3a M3c M13a", lambda q: (q.next_w2, "≤", q.w2 + q.w2 / q.t + q.R2)),
    induction("M13c", "M4c M13b", lambda q: (q.next_w2, "≤", (q.t + 1) * q.R2 * q.H)),
    step("M13", "M13c M5b M0c", lambda q: (q.t + 1, "≤", q.R2 / q.gamma2 * q.H)),
])  # fmt: skip


@door
def margin_bound(run, u, gamma, eps=0.5):
    """The proof that a run of ``margin_perceptron(X, y, gamma, eps)`` halts (M11), the source's own
    proof (M7, which is M5 for eps = ½), the sharper bound (M12), and that every example then has
    its margin (M6); u is a separator with margin gamma or more.

    >>> X, y, u = examples.five_points()
    >>> margin_bound(margin_perceptron(X, y, gamma=1), u, gamma=1)["M6"]
    M6 holds (5 examples checked)
    """
    q = Quantities(run, u, gamma=gamma, eps=eps)
    if q.g**2 < gamma**2 * q.u2:
        raise ValueError(f"u must have a margin of at least gamma = {show.short(gamma)}")
    chain = HALF if eps == Fraction(1, 2) else PHASES
    # A whole number is below √s if it is at most the root of the whole number next below s; and
    # at w = 0, where all scores are 0, everything is too close.
    theta = (1 - eps) * gamma / q.unit
    below = [math.ceil(theta**2 * int(w2)) - 1 for w2 in row_dot(q.W, q.W)]
    claims = [every_update(q, [math.isqrt(max(s, 0)) for s in below]), *on_run(chain, q)]
    closed = r"t + 1 \le \frac{1 + \varepsilon}{2\varepsilon^2}\,(R/\gamma)^2"
    most = (1 + eps) / (2 * eps**2) * q.R2 / gamma**2
    claims.append(("M12", closed, "a concave function of the length", q.t + 1, "≤", most))
    return at_the_end(run, q, claims, chain, "M6", r"(1-\varepsilon)\gamma", (1 - eps) * gamma)


@door
def free_bound(run, u):
    """The proof that a run of ``margin_perceptron(X, y)`` halts (M13), and that every example then
    has half of the margin of u.

    >>> X, y, u = examples.five_points()
    >>> free_bound(margin_perceptron(X, y), u).lines("M13", "M13d")
    The margin bound on a run of 2 updates
    row    checked  least slack  equalities
    M13          2           13           0  ✓  M13c, M5b and M0c
    M13d         5          1.5           0  ✓  it has halted
    """
    q = Quantities(run, u)
    q.gamma, q.H = root(q.gamma2), harmonic_numbers(run.mistakes + 1)[1:]
    squares = enumerate(row_dot(q.W, q.W), 1)
    claims = [every_update(q, [max(-(-int(w2) // (2 * t)) - 1, 0) for t, w2 in squares])]
    claims += on_run(FREE, q)
    return at_the_end(run, q, claims, FREE, "M13d", r"\tfrac12\gamma", q.gamma / 2)


def at_the_end(run, q, claims, chain, row, promised, margin):
    """The proof by these claims and, if the run has halted, that of its margin."""
    if run.outcome == "converged":
        end = rf"z_i\cdot w \ge {promised}\lVert w\rVert\ \text{{for every example }} i"
        scores = dot(q.Z, q.W[-1]).astype(object) * q.unit**2
        length = root(int(dot(q.W[-1], q.W[-1])) * q.unit**2)
        claims.append((row, end, "it has halted", scores, "≥", margin * length, 0))
    return Proof(f"The margin bound on a run of {run.mistakes} updates", claims, chain)


def every_update(q, limits):
    """That w_t passed over no example with a score, in whole numbers, of at most the t-th limit."""
    limits = np.array(limits, dtype=object)
    passed_over, first = q.passed_over(lambda t, i: row_dot(q.Z[i], q.W[t]) <= limits[t])
    statement = r"\#\{\text{passed over, though too close}\} = 0"
    return ("M1c", statement, "an update at each of them", passed_over, "=", 0, first)


def harmonic_numbers(M):
    """H_1, H_2, … H_M."""
    shares = (Fraction(1, t) for t in range(1, M + 1))
    return np.array([*itertools.accumulate(shares)], dtype=object)


# --- pictures -------------------------------------------------------------------------------------


@style.picture()
@door
def walls(ax, run, u, gamma, eps=0.5, title=""):
    """Length and progress of a margin run between the walls nγ and nθ + R√n, θ = (1 − ε)γ, where n
    counts the vectors added, the first weights included (M11).

    >>> X, y, u = examples.five_points()
    >>> walls(margin_perceptron(X, y, gamma=1), u, gamma=1)
    3 vectors are added; the walls allow 40: γ = 1, θ = 0.5 and R = 3.16; the walls nγ and nθ + ...
    """
    style.drawable(run.X, "run.X")
    unit, R2 = separator_of(run, u)[0], bounds.radius2(run.X)
    bound, n = R2 / (eps * gamma) ** 2, np.arange(1, run.mistakes + 2)
    gamma, eps, R, far = float(gamma), float(eps), math.sqrt(R2), 1.15 * float(bound)
    t = np.geomspace(min(1, 0.01 * far), far, 400)
    scale(ax, False, (0, far), (0, 1.15 * gamma * far))
    floor, ceiling = gamma * t, (1 - eps) * gamma * t + R * np.sqrt(t)
    parts.walls(ax, t, ("nγ", floor), ("nθ + R√n", ceiling), int(np.searchsorted(t, 0.68 * far)))
    length, look = np.linalg.norm(run.weights, axis=1), {"ls": "-", "lw": 2.6}
    few = {"marker": "o", "ls": "", "ms": 5} if len(n) < 40 else {}
    ax.plot(n, length, color=INK, **look | few)
    ax.plot(n, run.weights @ unit, color=style.GREEN, **look | few | {"zorder": 3})
    parts.note(ax, "length ‖w‖", (n[-1], length[-1]))
    half = len(n) // 2
    parts.note(ax, "progress w·u", (n[half], (run.weights @ unit)[half]), color=style.GREEN)
    ax.plot(float(bound), gamma * float(bound), **style.CROSSING)
    parts.note(ax, f"(R/εγ)² {equals(bound)}", (float(bound), gamma * float(bound)))
    parts.label(ax, ("vectors added n", "length and progress"))
    return f"{count(len(n), 'vector')} are added; the walls allow {int(bound):,}", (
        f"γ = {number(gamma)}, θ = {number((1 - eps) * gamma)} and R = {number(R)}; the walls nγ "
        f"and nθ + R√n meet at n {equals(bound)}; after {len(n)} vectors the length is "
        f"{number(length[-1])} and the progress {number(float(run.weights[-1] @ unit))}."
    )


# --- an explorer ----------------------------------------------------------------------------------


def explorer():
    """Choose data and ε: the margin Perceptron's line with its band, and how much of the largest
    margin it has (M8).

    >>> print(explorer().still.alt)
    All 14 examples are on the correct side of the line: 7 positive and 7 negative examples; ...
    """
    X, y, _ = examples.separable(14, 2, 0.125, seed=4849)
    run = margin_perceptron(X, y, separate(X, y).margin)
    return Scene("explorers", plots.plane(X, y, run.w), scene="margin")


# --- the exercises --------------------------------------------------------------------------------

CLOSE_POINTS = [(4, 0), (-1, -3), (5, -3), (1, -5)], [1, -1, 1, -1]


@checker(
    "05.1",
    "First write down the four z = yx. Then compare z·w with the length of w, example after "
    "example, since (1 − ε)γ = 1.",
    "Halt only after a pass without an update. Of three kinds of examples, wrong, right but too "
    "close, and exactly at distance 1, which are added?",
)
def too_close(updates):
    """Which of four examples the margin Perceptron adds, for γ = 2 and ε = ½ (M1)."""
    right = margin_perceptron(*CLOSE_POINTS, gamma=2).updates.tolist()
    updates = exercises.whole_list(updates, "the answer must be a list of example numbers")
    require({*updates} <= {0, 1, 2, 3}, "the examples are numbered from 0 to 3")
    only_mistakes = perceptron(*CLOSE_POINTS, start=CLOSE_POINTS[0][0]).updates.tolist()
    require(updates != only_mistakes, "these are the mistakes; some right examples are too close")
    require(updates != [0, *right], "the start is no update; leave it out")
    wrong = [k for k, (given, i) in enumerate(zip(updates, right, strict=False), 1) if given != i]
    # At the start the distance of example 1 is exactly 1.
    tie = ", and at what a distance of exactly 1 means" if updates[:1] == [1] else ""
    require(not wrong, f"look again at entry {min(wrong, default=0)} of your list{tie}")
    require(len(updates) >= len(right), "the run is not over yet")
    require(len(updates) <= len(right), "the run is over before the end of your list")
    return "these are all of them, in this order."


@checker(
    "05.2",
    "The Perceptron stops as soon as all signs are right. Try two examples, and let the first "
    "update settle both signs, the second of them only just.",
    "After the first example w is that example. So let the second be almost at a right angle to "
    "it, and then compare with the best line between the two.",
)
def lazy_perceptron(X, y):
    """Examples where the Perceptron reaches at most 1/100 of the largest margin (M6, M8)."""
    X, y = exercises.few_points(X, y, 4)
    best = exercises.best_separator(X, y, "no line through the origin separates these")
    reached = bounds.margin2(X, y, exercises.converged_run(X, y).w)
    share = math.sqrt(reached) / best.margin
    large = f"the Perceptron's margin is {share:.4f} of the largest"
    require(10_000 * reached <= Fraction(best.margin) ** 2, large)
    return f"the Perceptron's margin is {share:.6f} of the largest."


@checker(
    "05.3",
    "Two things change in the loop of lesson 1: it counts the vectors that it has added, and a "
    "score is too small if 2·t·score < w·w.",
    "At w = 0 every example must be added, or the loop never begins: 2·t·0 < 0 is false.",
)
def half_without_gamma(learn):
    """The loop of M13: a function of X and y that returns the examples it added, in order."""
    for X, y, _ in (examples.five_points(), examples.separable(12, 2, 1 / 8, seed=3)):
        right = [0, *margin_perceptron(X, y).updates.tolist()]
        added = exercises.value_of(learn, X, y)
        listed = "your function must return a list of example numbers, the first of them 0"
        added = exercises.whole_list(added, listed)
        agree = [a == b for a, b in zip(added, right, strict=False)]
        k = [*agree, False].index(False)
        where = f"on {len(y)} points your loop is right for the first {count(k, 'vector')}"
        require(k == len(right) or k < len(added), f"{where}, and then it stops too soon")
        after = f"but then example {right[k]} is too close" if k < len(right) else "but goes on"
        require(k == len(right) == len(added), f"{where}, {after}")
    return "half of the margin, and nobody told it γ."
