"""Lesson 8, no perfect separator: what a bad example costs, and who is not misled by it.

No line need be right about everything, and still the mistakes in one pass are bounded, for every u
and γ, by how far u falls short of the margin γ (`hinge_bound`; Freund and Schapire's
`deviation_bound`).  The last weights may be spoilt; averages, votes and the pocket are not.
"""

import math
import re
from fractions import Fraction

import numpy as np

from perceptron_lib import averages, bounds, checks, show
from perceptron_lib.checks import door, limit
from perceptron_lib.claims import mistakes
from perceptron_lib.claims.claim import Proof, on_run
from perceptron_lib.claims.line import SYMBOLS, Chain, Symbol, given, induction, norm, step
from perceptron_lib.claims.quantities import Quantities
from perceptron_lib.exact import dot, integers, rational, sqrt_below
from perceptron_lib.examples import Examples, from_scikit_learn, random_bits, separable, shuffled
from perceptron_lib.exercises import checker, exact_number, few_points, require, value_of
from perceptron_lib.perceptron import perceptron
from perceptron_lib.plots import parts, style
from perceptron_lib.plots.plane import LOOKS
from perceptron_lib.plots.style import BOUND, GREY, INK, PURPLE, U, W
from perceptron_lib.show import count, number
from perceptron_lib.surd import Surd, root
from perceptron_lib.widgets import Scene


@door(n=limit(checks.whole),
      distance=limit(checks.fraction, "from 2 to 2**50", lambda v: 2 <= v <= 2**50))  # fmt: skip
def outlier(n=40, distance=64, seed=0):
    """A separable set and, last, one example about `distance` away on the wrong side of u (H7).

    >>> X, y, u = outlier(distance=64)
    >>> int((y * (X @ u) <= 0).sum()), round(math.hypot(*X[-1]))
    (1, 64)
    """
    X, y, u = separable(n, 2, 0.25, seed)
    away = np.rint(-float(distance) * u / math.sqrt(u @ u))
    return Examples(np.vstack([X, away]), np.append(y, 1), u)


@door(
    examples=limit(Examples, "a data set of Examples"),
    count=lambda k, name, before: checks.whole(
        k, name, 0, len(before["examples"].y), ", the number of examples"),
)  # fmt: skip
def flip_labels(examples, count, seed=0):
    """The same examples with `count` of the labels, chosen at random, flipped.

    >>> clean = separable(8)
    >>> int((flip_labels(clean, 3).y != clean.y).sum())
    3
    """
    y = examples.y.copy()
    y[shuffled(len(y), random_bits(seed))[:count]] *= -1
    return examples._replace(y=y)


def noisy_disc():
    """60 examples of a disc, labelled by the level line of u = (0, 1), 4 labels flipped (H2).

    >>> X, y, u = noisy_disc()
    >>> u.tolist(), int((y * (X @ u) <= 0).sum())
    ([0.0, 1.0], 4)
    """
    X, y, (a, b) = separable(60, 2, 0.125, seed=73)
    turned = X @ np.array([[b, a], [-a, b]])  # exactly: they are scaled by the length of u
    return flip_labels(Examples(turned, y, np.array([0.0, 1.0])), 4, seed=1)


def breast_cancer():
    """569 tumours, benign (positive) or malignant, 30 features in whole per cent of the largest.

    >>> X, y, _ = breast_cancer()
    >>> X.shape, int((y > 0).sum())
    ((569, 30), 357)
    """
    sizes, benign = from_scikit_learn("breast_cancer.csv", skip=1)
    return Examples(np.rint(100 * sizes / sizes.max(axis=0)), np.where(benign == 1, 1, -1))


@door
def pocket_weights(run):
    """The weights of the run with the fewest errors on its own examples (Gallant 1990).

    >>> pocket_weights(perceptron([[1, 0], [1, 0], [0, 1]], [1, 1, -1], max_passes=1))
    array([ 1., -1.])
    """
    return run.weights[averages.fewest_wrong(run, run.Z)]


WAYS = "last", "averaged", "voted", "pocket"


def held_out_errors(X, y, halvings=10, passes=5):
    """Errors in per cent on one half of the examples of what a run over the other half leaves: of
    its last, averaged, voted and pocket weights; means over ten ways to halve them (H8).

    >>> held_out_errors(np.eye(4), np.ones(4))
    {'last': 100.0, 'averaged': 100.0, 'voted': 100.0, 'pocket': 100.0}
    """
    wrong = []
    for seed in range(halvings):
        order = shuffled(len(y), random_bits(seed))
        train, test = order[::2], order[1::2]
        run = perceptron(X[train], y[train], max_passes=passes)
        last, pocket, average = run.w, pocket_weights(run), averages.averaged_weights(run)
        labels = [np.sign(X[test] @ w) for w in (last, average, pocket)]
        labels.insert(2, averages.voted_labels(run, X[test]))
        wrong.append([100 * np.mean(said != y[test]) for said in labels])
    return dict(zip(WAYS, np.mean(wrong, axis=0).tolist(), strict=True))


@door
def hinge_mistakes(R2, u2, total, g=1):
    """(R/γ)² + 2 TD/γ, for γ||u|| = g and TD||u|| = total; with g = 1 it is R²||v||² + 2·hinge
    loss, for v = u (H4, H9).

    >>> hinge_mistakes(R2=4, u2=1, total=3)
    Fraction(10, 1)
    """
    return R2 * u2 / g**2 + 2 * total / g


@door(multipliers=lambda a, name, before: checks.fractions(
    a, len(before["y"]), name, "a number from 0 to 1 for each example"))  # fmt: skip
def hinge_floor(X, y, multipliers):
    """2·sum_i a_i - ||sum_i a_i z_i||²/R² for 0 <= a_i <= 1, exactly: no comparator makes the
    relaxed bound of H4 smaller (H9).
    For max(0, 1 - s) >= a(1 - s), and R²||v||² - 2v·p is least at v = p/R².

    >>> hinge_floor([[1], [2]], [1, 1], [1, 0])
    Fraction(7, 4)
    """
    if not X.any() or not all(0 <= a <= 1 for a in multipliers):
        raise ValueError("multipliers must be numbers from 0 to 1, and X must not be 0 everywhere")
    (N, exponent), (A, unit) = integers(X), rational(multipliers)
    p2 = bounds.square(dot(A * y, N)) * (unit * Fraction(2) ** exponent) ** 2
    return 2 * sum(multipliers) - p2 / bounds.radius2(X)


@door
def sharp_and_lift(X, y, u, g):
    """The bounds ((R + √(R² + 4γTD))/(2γ))², the solution of γM - TD = R√M, and ((R + D)/γ)² for a
    stream, at γ||u|| = g, exactly, as `Surd`s (H4, H5, H6).

    >>> sharp_and_lift([[1], [2]], [1, -1], [1], 1)
    (9, 25)
    """
    short = [max(g - s, 0) / g for s in bounds.scores(X, y, u)]
    total, squares = sum(short), sum(d * d for d in short)
    ratio2 = bounds.radius2(X) * bounds.square(u) / g**2
    sharp = Surd(ratio2 / 2 + total, {ratio2 * (ratio2 + 4 * total): Fraction(1, 2)})
    return sharp, Surd(ratio2 + squares, {ratio2 * squares: 2})


@door
def best_gamma_u(X, y, u):
    """The γ||u|| at which the relaxed bound H4 is least for this u, exactly.

    In a = 1/(γ||u||) the bound is R²||u||²a² + 2 sum_i max(0, 1 - a·s_i): a parabola between
    neighbours among the points 1/s_i, s_i > 0, and convex.  Its derivative is 0 where a·R²||u||² is
    the sum of the s_i still short, if that lies between them.  None if the bound falls for ever as
    γ grows.

    >>> best_gamma_u([[1], [2], [-1]], [1, 1, 1], [1])
    Fraction(2, 1)
    """
    s, r2 = bounds.scores(X, y, u), bounds.radius2(X) * bounds.square(u)
    corners, low = sorted({1 / v for v in s if v > 0}), Fraction(0)
    for high in [*corners, None]:
        short = sum((v for v in s if v <= 0 or low * v < 1), Fraction(0))
        best = max(short / r2, low)
        if high is None or best <= high:
            return 1 / best if best > 0 else None
        low = high


@door(gammas=limit(style.rounded, None, True))
def by_gamma(X, y, u, gammas):
    """The bounds for a stream as functions of γ, in floats: H4 solved, H4 relaxed, and H5.

    >>> by_gamma([[1], [2]], [1, 1], [1], gammas=[1, 2])["simple hinge bound"].tolist()
    [4.0, 2.0]
    """
    u2, R = bounds.square(u), math.sqrt(bounds.radius2(style.drawable(X, "X")))
    s = [math.sqrt(v * v / u2) * (1 if v > 0 else -1) for v in bounds.scores(X, y, u)]
    short = np.maximum(gammas[:, None] - s, 0)
    total = short.sum(axis=1)
    return {
        "sharp hinge bound": ((R + np.sqrt(R * R + 4 * gammas * total)) / (2 * gammas)) ** 2,
        "simple hinge bound": (R / gammas) ** 2 + 2 * total / gammas,
        "lift bound": ((R + np.sqrt((short * short).sum(axis=1))) / gammas) ** 2,
    }


# --- theorems -------------------------------------------------------------------------------------


def _shortfalls(run, u, gamma_u):
    """The quantities of a stream, with g = γ||u|| as given, and d_i·||u|| for each example."""
    if run.passes != 1:
        raise ValueError(f"the bound is for one pass over a stream; this run has {run.passes}")
    q = Quantities(run, u, separates=False)
    q.g, q.each_d = gamma_u, np.maximum(gamma_u - q.each_zu, 0)
    return q


HINGE = Chain(
    [
        mistakes.UPDATE, mistakes.RADIUS,
        given("H2", "definition of d", lambda q: (q.each_d, "≥", q.g - q.each_zu)),
        given("H2b", "γ is positive, u is not 0", lambda q: (0, "<", q.g)),
        given("H2a", "a stream has each d once", lambda q: (q.sum_d, "≤", q.TD)),
        mistakes.ALONG_U[0], step("H3a", "H2", lambda q: (q.zu, "≥", q.g - q.d)), mistakes.START,
        induction("H3b", "P3a P1a H3a", lambda q: (q.next_wu, "≥", q.t * q.g - q.sum_d)),
        step("H3", "H3b H2a", lambda q: (q.next_wu, "≥", q.t * q.g - q.TD)),
        *mistakes.LENGTH, mistakes.SHORT, mistakes.CAUCHY,
        step("H4a", "H3 P4 P3c", lambda q: (q.t * q.g - q.TD, "≤", q.R * q.root_t * q.len_u)),
        step("H4c", "H4a H2b",
             lambda q: (q.t, "≤", (q.R + q.root_D) ** 2 / (4 * q.gamma2)), "solved for √t"),
        step("H4", "H4a H2b", lambda q: (q.t, "≤", q.R2 / q.gamma2 + 2 * q.loss), "2ab ≤ a² + b²"),
    ],
    symbols={
        "each_d": Symbol("d_i" + norm("u"), "i", 2), "d": Symbol("d^{(t)}" + norm("u"), "t", 2),
        "sum_d": Symbol(r"\sum_{s\le t} d^{(s)}" + norm("u"), "t", 2),
        "TD": Symbol(r"TD_\gamma" + norm("u"), "", 2), "loss": Symbol(r"TD_\gamma/\gamma", "", 2),
        "root_D": Symbol(r"\sqrt{R^2 + 4\gamma\,TD_\gamma}"),
    },
    definitions={"loss": lambda q: q.TD / q.g, "square_D": lambda q: q.R2 + 4 * q.g * q.TD / q.u2},
)  # fmt: skip


@door
def hinge_bound(run, u, gamma_u=1):
    """The proof of M <= (R/γ)² + 2 TD/γ for a run of one pass, and any u but 0 (H2 to H4).

    Each example ought to reach the score gamma_u = γ||u||.  By default that is 1: then γ = 1/||u||,
    and TD/γ is the hinge loss of u, sum_i max(0, 1 - z_i·u).

    >>> hinge_bound(perceptron([[1], [2], [-1]], [1, 1, 1], max_passes=1), u=[1])["H4"]
    H4 holds (2 values checked)
    """
    q = _shortfalls(run, u, gamma_u)
    q.d, q.TD = q.each_d[run.updates], q.each_d.sum()
    q.sum_d = np.cumsum(q.d)
    q.loss, q.root_D = q.TD / q.g, root(q.R2 + 4 * q.g * q.TD / q.u2)
    title = f"The hinge bound on a stream with {run.mistakes} mistakes"
    return Proof(title, [mistakes.every_mistake(q), *on_run(HINGE, q)], HINGE)


PLAIN = re.compile(r"(?<![\\a-z])([wzu])(?![a-z])")  # what the lifted run has with a tilde
LIFTED = {"P0a": "H5f", "P0b": "H5g", "P0c": "H5j"}
LIFT = Chain(
    [
        mistakes.UPDATE,
        given("H5b", "by the lift", lambda q: (q.each_zu, "=", q.plain_zu + q.each_d)),
        given("H5i", "definition of d", lambda q: (q.each_d, "≥", q.g - q.plain_zu)),
        step("H5f", "H5b H5i", lambda q: (q.each_zu, "≥", q.g)),
        given("H5c", "by the lift", lambda q: (q.each_z2, "=", q.plain_z2 + q.Delta2)),
        given("H5h", "definition of R", lambda q: (q.plain_z2, "≤", q.r2)),
        step("H5g", "H5c H5h", lambda q: (q.each_z2, "≤", q.R2)),
        given("H5j", "γ is positive, u is not 0", lambda q: (0, "<", q.g)),
        *mistakes.MISTAKES.renamed(lambda row: LIFTED.get(row, row)).lines[len(LIFTED) + 1 :],
        given("H5k", "Δ is not 0", lambda q: (0, "<", q.Delta2)),
        given("H5d", "by the lift", lambda q: (q.u2, "=", q.v2 * (1 + q.D2 / q.Delta2))),
        step("H5e", "P5 H5d H5j H5k",
             lambda q: (q.t, "≤", (q.r2 + q.Delta2) * (1 + q.D2 / q.Delta2) / q.plain_gamma2)),
        # For Δ² = R·D or, where that is 0, for one so small that a larger t would contradict H5e.
        step("H5", "H5e H5j", lambda q: (q.t, "≤", (q.r + q.D) ** 2 / q.plain_gamma2),
             "for Δ² = R·D", choose=("Delta2", lambda q: q.r * q.D,
                                     lambda q: (q.t * q.plain_gamma2 - q.r2 - q.D2) / 2)),
    ],
    symbols={name: symbol._replace(latex=PLAIN.sub(r"\\tilde \1", symbol.latex))
             for name, symbol in SYMBOLS.items()} | {
        "g": SYMBOLS["g"], "gamma2": Symbol(r"\tilde\gamma^2"),
        "R2": Symbol(r"R^2 + \Delta^2", binds=1), "r2": SYMBOLS["R2"], "r": SYMBOLS["R"],
        "v": SYMBOLS["u"], "v2": SYMBOLS["u2"], "D": Symbol("D"), "D2": Symbol("D^2"),
        "Delta2": Symbol(r"\Delta^2"), "plain_gamma2": SYMBOLS["gamma2"],
        "plain_zu": SYMBOLS["each_zu"], "plain_z2": SYMBOLS["each_z2"],
        "each_d": HINGE.symbols["each_d"], "d": HINGE.symbols["d"],
    },
    definitions={
        "R2": lambda q: q.r2 + q.Delta2, "r2": lambda q: q.r**2, "D2": lambda q: q.D**2,
        "g": lambda q: q.gamma * q.len_v, "gamma2": lambda q: q.g**2 / q.u2,
        "plain_gamma2": lambda q: q.gamma**2,
    },
)  # fmt: skip


@door
def deviation_bound(run, u, gamma_u=1):
    """Freund and Schapire's bound M <= ((R + D)/γ)², by lifting the data (H5).

    Each example gets a coordinate of its own, of size Δ.  The lifted data are separable, and the
    lifted run makes the same mistakes; so the mistake bound applies to it.  Any Δ would do; Δ² is
    close to R·D here, which is best.  (The rows P0 to P5 are about the lifted run, made afresh;
    that the given one agrees with it is H5a.)

    >>> deviation_bound(perceptron([[1], [2], [-1]], [1, 1, 1], max_passes=1), u=[1])["H5"]
    H5 holds (2 values checked)
    """
    p = _shortfalls(run, u, gamma_u)
    if not p.known_order:
        raise ValueError("the lifted run needs a run in a known order; this one was shuffled")
    D2 = (p.each_d**2).sum() / p.u2
    R, D = (Fraction(sqrt_below(square)) for square in (p.R2, D2))
    delta = Fraction(sqrt_below(R * D) or 1.0)
    X = np.hstack([run.X, float(delta) * np.eye(len(run.y))])
    lifted = perceptron(X, run.y, run.tie, order=run.order, max_passes=1)
    q = Quantities(lifted, [*p.u, *(p.each_d * run.y / delta)], each_d=p.each_d,
                   plain_zu=p.each_zu, plain_z2=p.each_z2, v2=p.u2, r2=p.R2, r=root(p.R2),
                   D2=D2, D=root(D2), Delta2=delta**2, plain_gamma2=p.g**2 / p.u2)  # fmt: skip
    q.g, q.R2 = p.g, p.R2 + delta**2
    lines = [("H5a", r"\text{the lifted run makes the same updates}", "each Δ meets itself only",
              int(lifted.updates.tolist() != run.updates.tolist()), "=", 0),
             mistakes.every_mistake(q), *on_run(LIFT, q, LIFT.lines[:-2])]  # fmt: skip
    q.t = p.t  # the bound is about the updates of the given run, which by H5a are the same
    lines += on_run(LIFT, q, LIFT.lines[-2:])
    return Proof(f"The lift bound on a stream with {run.mistakes} mistakes", lines, LIFT)


# --- pictures -------------------------------------------------------------------------------------


def crowd(ax, X, y, size=60):
    """The examples near the origin, and arrows to where the others are; which these are."""
    far = np.hypot(*style.plane_points(X).T)
    near = far <= 4 * np.median(far)
    parts.frame(ax, X[near])
    parts.marks(ax, X[near], y[near], size)
    for x, sign in zip(X[~near], y[~near], strict=True):
        tip = 0.6 * np.ptp(ax.corners, axis=0).min() * x / np.hypot(*x)
        style.show_all(ax, tip, tip)
        look = W | {"color": style.CLASSES[int(sign)]["color"], "ls": ":"}
        parts.arrow(ax, 0.8 * tip, tip, f"{number(np.hypot(*x))} away", look)
    return near, far


@style.picture()
@door(w=limit(style.direction), u=limit(style.direction))
def ruled_by_one(ax, X, y, w, u):
    """The crowd near the origin, and the direction of a far example that rules w (H7).

    >>> X, y, u = outlier()
    >>> ruled_by_one(X, y, perceptron(X, y, max_passes=1).w, u)
    u errs on 1 of 41 examples; the farthest is 64.4 away: 21 positive and 20 negative ...
    """
    near, far = crowd(ax, X, y)
    parts.line(ax, w)
    parts.line(ax, u, look=U, name="u", shade=False)
    errs = f"u errs on {np.sum(y * (X @ u) <= 0)} of {len(y)} examples"
    return f"{errs}; the farthest is {number(far.max())} away", (
        f"{parts.tally(y)}; {np.sum(~near)} of them far away, the others within "
        f"{number(far[near].max())} of the origin; {parts.line_in_words(w, 0)} for w."
    )


@style.picture()
@door(pocket=limit(style.direction))
def votes(ax, run, pocket):
    """The boundary of the last, averaged, voted and pocket weights of one run (H8).

    >>> votes(perceptron([[1, 1], [3, -1], [-1, 2]], [1, 1, -1]), pocket=[1, -1])
    Wrong: last w 0, average 0, vote 0, pocket 1: 2 positive and 1 negative ...
    """
    style.weight_lengths(run, least=1)
    X, y, average = run.X, run.y, averages.averaged_weights(run)
    crowd(ax, X, y, 40)
    turn = np.radians(np.arange(0, 360, 0.25))
    around = np.column_stack([np.cos(turn), np.sin(turn)])  # directions say it all: no bias
    labels = averages.voted_labels(run, around)
    edges = around[labels != np.roll(labels, -1)]
    rays = 9 * np.abs(ax.corners).max() * np.stack([0 * edges, edges], axis=1).reshape(-1, 2)
    ax.plot(*rays.T, color=GREY, lw=3, zorder=1)
    room = 0.4 * np.ptp(ax.corners, axis=0).min()
    plus = room * around[labels > 0].sum(axis=0) / max((labels > 0).sum(), 1)
    parts.arrow(ax, 0 * plus, plus, "vote", W | {"color": GREY, "lw": 3})
    named = {"last w": run.w, "average": average, "pocket": pocket}
    for (name, v), look in zip(named.items(), LOOKS, strict=True):
        parts.line(ax, room * v / np.hypot(*v), look=look, name=name, shade=name == "last w")
    last, averaged, kept = (np.sum(y * (X @ w) <= 0) for w in named.values())
    voted = np.sum(averages.voted_labels(run, X) != y)
    return f"Wrong: last w {last}, average {averaged}, vote {voted}, pocket {kept}", (
        f"{parts.tally(y)}; after {run.mistakes} updates the boundaries of the last, averaged and "
        f"pocket weights are lines, that of the vote has {len(edges)} rays, and an arrow shows "
        f"the side that each calls +. There are {len(y)} examples."
    )


@style.picture()
@door(w=limit(style.direction), gamma=limit(style.rounded_number))
def moves(ax, X, y, w, gamma, flipped=None):
    """How far each example must be moved to have margin gamma for the line w·x = 0 (H2), and
    crosses where labels were flipped.

    >>> moves([[1, 1], [3, -1], [-1, 2]], [1, 1, -1], [1, 0], gamma=2)
    2 of 3 must move, by 2 in all, for γ = 2: 2 positive and 1 negative examples; ...
    """
    unit = w / np.hypot(*w)
    short = np.maximum(gamma - y * (style.plane_points(X) @ unit), 0)
    parts.frame(ax, X)
    parts.shade_band(ax, w, gamma)
    parts.line(ax, w, look=U, name="u" if flipped is None else "", shade=flipped is not None)
    movers, flat = short > 0, {"angles": "xy", "scale_units": "xy", "scale": 1}
    parts.marks(ax, X[~movers], y[~movers], 30, alpha=0.5)
    parts.marks(ax, X[movers], y[movers], 44)
    colors = [style.CLASSES[int(sign)]["color"] for sign in y[movers]]
    moved = (y * short)[movers, None] * unit
    ax.quiver(*X[movers].T, *moved.T, color=colors, width=0.003, headwidth=5, zorder=3.5, **flat)
    if flipped is not None:
        ax.scatter(*X[flipped].T, marker="x", s=80, color=INK, zorder=5)
    goal, total = number(gamma), f"by {number(round(short.sum(), 3))} in all"
    return f"{movers.sum()} of {len(y)} must move, {total}, for γ = {goal}", (
        f"{parts.tally(y)}; the farthest must move by {number(short.max())} to be {goal} away from "
        "the line on its own side."
    )


@style.picture(3.4)
@door
def sizes(ax, run):
    """The length of the weights over the updates, and R√t, which it cannot exceed (H1).

    >>> sizes(perceptron([[1, 1], [3, -1], [-1, 2]], [1, 1, -1]))
    In 2 updates ‖w‖ ≤ 2.24, and R√t rises to 4.47: over 2 updates the length of ...
    """
    length = style.weight_lengths(run, from_0=True)
    ceiling = math.sqrt(bounds.radius2(run.X)) * np.sqrt(np.arange(len(length)))
    both, names = {"R√t": ceiling, "‖w‖": length}, ("updates t", "length of w")
    parts.curves(ax, np.arange(len(length)), both, (BOUND, W | {"lw": 1}), names)
    most, bound = number(length.max()), number(ceiling[-1])
    return f"In {count(run.mistakes, 'update')} ‖w‖ ≤ {most}, and R√t rises to {bound}", (
        f"over {run.mistakes} updates the length of w stays at most {most}, "
        f"while R√t grows to {bound}."
    )


MARKED = BOUND | {"markevery": 0.12, "ms": 6}
BOUND_LOOKS = BOUND, MARKED | {"ls": "-", "marker": "s"}, MARKED | {"ls": ":", "marker": "^"}


@style.picture()
def bound_curves(ax, gammas, curves, M, gamma=None):
    """The bounds of H4 and H5 as functions of γ, what each is at one γ (or where it is least), and
    the M mistakes made.

    >>> bound_curves([0.5, 1], by_gamma([[1], [2]], [1, 1], [1], [0.5, 1]), M=2)
    2 mistakes; the sharp hinge bound is 4: the sharp hinge bound is 4 at γ = 1, the simple ...
    """
    top = 2.5 * max(*(bound.min() for bound in curves.values()), M)
    ax.set(xlim=(0, gammas[-1]), ylim=(0, top))
    parts.label(ax, ("γ", "mistakes"))
    ends, words = [(f"made: {M}", M, INK)], []
    for (name, bound), look in zip(curves.items(), BOUND_LOOKS, strict=True):
        k = np.argmin(bound) if gamma is None else np.argmin(np.abs(gammas - float(gamma)))
        ax.plot(gammas, bound, **look)
        ax.plot(gammas[k], min(bound[k], top), "o" if bound[k] < top else "^", color=PURPLE,
                ms=9, mec=INK, clip_on=False)  # fmt: skip
        words.append(f"the {name} is {number(math.floor(bound[k]))} at γ = {number(gammas[k])}")
        ends.append((name.removesuffix(" bound"), min(bound[-1], top), PURPLE))
    ax.axhline(M, color=INK, lw=1.8)
    parts.at_ends(ax, ends)
    return f"{count(M, 'mistake')}; {words[0].partition(' at ')[0]}", f"{', '.join(words)}."


# --- an explorer ----------------------------------------------------------------------------------


def explorer():
    """Flip some labels, choose γ: what must be moved, and the mistakes that it allows (H4, H5).

    >>> print(explorer().still.alt)
    48 of 100 must move, by 8.64 in all, for γ = 0.3: ...
    """
    clean = separable(100, 2, 0.125, 7)
    X, y, u = flip_labels(clean, 6, 1)
    return Scene("explorers", moves(X, y, u, 0.3, y != clean.y), scene="noise")


# --- the exercises --------------------------------------------------------------------------------

FOUR_SCORES = (np.array([[1.0], [2.0], [3.0], [-1.0]]), np.array([1, 1, 1, 1]))


@checker(
    "08.1",
    "With a = 1/γ the bound is 9a² + 2·(sum of max(0, 1 − a·s) over the four scores s).",
    "Between a = 1/3, 1/2 and 1 it is a parabola. Where does its slope change from − to +?",
)
def best_gamma(gamma):
    """The γ at which the relaxed bound H4 is least on `FOUR_SCORES`, for u = 1 (H4)."""
    gamma, best = exact_number(gamma), best_gamma_u(*FOUR_SCORES, [1])
    require(gamma > 0, "γ must be above 0")
    require(gamma * best != 1, "this is 1/γ")
    total = sum(max(gamma - s, 0) for s in bounds.scores(*FOUR_SCORES, [1]))
    value = hinge_mistakes(bounds.radius2(FOUR_SCORES[0]), 1, total, gamma)
    better = "smaller" if gamma > best else "larger"
    require(gamma == best, f"the bound is {show.short(value)} there, and a {better} γ does better")
    return f"the bound is {value} there, in a corner, because x = 3 begins to fall short."


@checker(
    "08.2",
    "Before the last example this is a run with a separator. What must be large, if it is to make "
    "many mistakes?",
    "Let u = (1, 0), and give every z a first coordinate of 1. Then make each example far longer "
    "than the one before, and on the other side.",
)
def last_is_wrong(X, y, u):
    """At most ten examples, u wrong about the last alone; in one pass 7 mistakes (H7)."""
    X, y = few_points(X, y, 10)
    u = checks.fractions(u, 2, "u", "two numbers")
    require(len(y) >= 7, f"{len(y)} examples cannot cause seven mistakes in one pass")
    wrong = [i for i, s in enumerate(bounds.scores(X, y, u)) if s <= 0]
    require(wrong, "u is right about all of them, the last one too")
    other = f"u is wrong (or undecided) about example {wrong[0]}, which is not the last"
    require(wrong == [len(y) - 1], other)
    M = perceptron(X, y, max_passes=1).mistakes
    require(M >= 7, f"the Perceptron makes {count(M, 'mistake')} in one pass, not 7 or more")
    return f"{M} mistakes, where u makes one."


@checker(
    "08.3",
    "Run the loop of lesson 1. After every update, count on how many of all the examples the new "
    "weights are wrong; a score of 0 is wrong.",
    "Keep two weight vectors: the one that runs, and the best so far, which stays in the pocket.",
)
def pocket(learn):
    """The pocket: a function of X, y and a number of passes that returns weights (H8)."""
    for X, y, _ in (noisy_disc(), outlier(40, 4)):
        run = perceptron(X, y, max_passes=5)
        w = checks.vector(value_of(learn, X, y, 5), 2, "what your function returns", "two numbers")
        least, wrong = (int(np.sum(run.Z @ v <= 0)) for v in (pocket_weights(run), w))
        on, had = f"on {len(y)} examples these are", (run.weights == w).all(axis=1).any()
        require(had, f"{on} no weights that the run ever had")
        require(wrong == least, f"{on} wrong about {wrong}, the best about {least}")
    return "nothing that the run ever had is better."
