"""Checks for the homework: each raises `Wrong`, with a sentence that helps, or says what is right.

An answer is a certificate wherever possible: a separator, an order, a data set.  The check tests
what it does, in exact arithmetic, so every right answer passes and none is written down here.
Functions are tried on examples; the grade tries them on more of them than the student sees.
"""

import itertools
import math
from fractions import Fraction

import numpy as np

from perceptron_lib import boolean, bounds, pac
from perceptron_lib.embedding import with_bias
from perceptron_lib.exact import dot, fraction
from perceptron_lib.examples import digits, iris, labelled, worst_case
from perceptron_lib.exercises import Verdict, Wrong
from perceptron_lib.kernels import polynomial
from perceptron_lib.perceptron import _count, margin_perceptron, perceptron
from perceptron_lib.separability import Separator, separate


class NotYet(Wrong):
    """What is not yet right about an answer; a notebook shows the sentence and no traceback."""

    def _render_traceback_(self):
        return [f"Not yet: {self}."]


def require(holds, otherwise):
    """Go on if `holds`, else raise the sentence `otherwise`."""
    if not holds:
        raise NotYet(otherwise)


# --- reading answers -------------------------------------------------------------------------


def _given(*answers):
    require(all(a is not None and a is not Ellipsis for a in answers), "there is no answer here")


def _data(X, y, most=10):
    """X and y as labelled examples, few and small, so that every check is quick."""
    _given(X, y)
    try:
        X, y = labelled(X, y)
    except (ValueError, TypeError, ArithmeticError) as error:
        raise NotYet(str(error)) from None
    require(len(X) <= most, f"at most {most} examples are allowed, these are {len(X)}")
    require(X.shape[1] <= 10, f"at most 10 coordinates are allowed, these are {X.shape[1]}")
    small = (np.rint(X) == X).all() and np.abs(X).max() <= 1000
    require(small, "the coordinates must be whole numbers from −1000 to 1000")
    return X, y


def _fractions(values, what):
    """A list of numbers as exact fractions."""
    _given(values)
    told = f"{what} must be a list of finite numbers"
    require(isinstance(values, (list, tuple, range, set, frozenset, np.ndarray)), told)
    try:
        return [_fraction(v) for v in values]
    except (TypeError, ValueError, ArithmeticError):
        raise NotYet(told) from None


def _fraction(value):
    if isinstance(value, str):
        raise ValueError("a text")
    return fraction(value)


def _whole(values, count, what):
    """A list of that many whole numbers."""
    values = _fractions(values, what)
    require(len(values) == count, f"{what} must be {count} numbers, these are {len(values)}")
    whole = all(v.denominator == 1 for v in values)
    require(whole, f"{what} must be whole numbers (multiply them if need be)")
    require(all(abs(v) < 10**15 for v in values), f"{what} must be below 10¹⁵")
    return [int(v) for v in values]


def _function(f, *arguments):
    """The value of the student's function."""
    require(callable(f), "a function is asked for")
    try:
        value = f(*arguments)
    except NotImplementedError:
        raise NotYet("there is no answer here") from None
    require(value is not None, "the function returned None; is there a `return`?")
    return value


def _number(value, what):
    """One number as an exact fraction."""
    _given(value)
    try:
        return _fraction(value)
    except (TypeError, ValueError, ArithmeticError):
        raise NotYet(f"{what} must be a finite number") from None


def _exactly(mine, right, otherwise):
    """Go on if two numbers are equal, and tell rounding from other reasons if they are not."""
    near = abs(mine - right) * 10**9 <= 1 + abs(right)
    rounding = "right up to rounding, but it can be exact: use whole numbers or fractions only"
    require(mine == right, f"{rounding} (no roots, no floats)" if near else otherwise)


def _updates(f, *arguments):
    """The list of updates that the student's loop returned."""
    n = len(arguments[1])
    updates = _fractions(_function(f, *arguments), "the updates")
    proper = all(u.denominator == 1 and 0 <= u < n for u in updates)
    require(proper, f"the updates must be numbers of examples, from 0 to {n - 1}")
    return [int(u) for u in updates]


def _same_updates(mine, run, mistake, first_weights):
    """Compare a list of updates with the run's, and explain the first difference."""
    right, n = run.updates.tolist(), len(run.y)
    k = sum(1 for _ in itertools.takewhile(lambda p: p[0] == p[1], zip(mine, right, strict=False)))
    if mine == right:
        return
    last = right[k - 1] if k else -1
    w = first_weights + sum((int(run.y[i]) * run.X[i] for i in right[:k]), 0 * run.X[0])
    where = f"after {_count(k, 'right update')}"
    if k == len(right):
        ended = "a whole pass had no mistake" if run.outcome == "converged" else "max_passes ended"
        raise NotYet(
            f"{where} {ended}, and yet your run goes on with example {mine[k]}, "
            f"where {mistake(w, mine[k])}"
        )
    if k < len(mine) and (mine[k] - last - 1) % n < (right[k] - last - 1) % n:
        i, what = mine[k], "your run updates on"
    else:
        i, what = right[k], "your run passes over"
    raise NotYet(f"{where} {what} example {i}, where {mistake(w, i)}")


# --- homework 1: the algorithm and the proof -------------------------------------------------


def perceptron_updates(f, X, y, max_passes=100):
    """`f(X, y, max_passes)` must return the updates of the Perceptron, ties being mistakes."""
    run = perceptron(X, y, max_passes=max_passes)

    def score(w, i):
        s = float(run.y[i] * (run.X[i] @ w)) + 0.0  # no "-0"
        return f"y w·x = {s:g} (a mistake is y w·x ≤ 0)"

    mine = _updates(f, np.array(X, dtype=float), np.array(y), max_passes)
    _same_updates(mine, run, score, np.zeros(run.X.shape[1]))
    return Verdict(f"Right: {_count(run.mistakes, 'mistake')} in {_count(run.passes, 'pass')}.")


def room_left(f, X, y, updates):
    """`f(X, y, updates)` must return R² - (||w'||² - ||w||²) for each update w -> w'."""
    X, y = labelled(X, y)
    R2 = int(bounds.radius2(X))
    w, right, own = np.zeros(X.shape[1]), [], []
    for i in updates:
        growth = int((w + y[i] * X[i]) @ (w + y[i] * X[i]) - w @ w)
        right.append(R2 - growth)
        own.append(int(X[i] @ X[i]) - growth)
        w = w + y[i] * X[i]
    mine = _fractions(_function(f, X.copy(), y.copy(), list(updates)), "the room")
    expected = f"{_count(len(right), 'update')}, but {_count(len(mine), 'number')} returned"
    require(len(mine) == len(right), expected)
    require(mine == right or mine != own, "R is the length of the longest example of all")
    for t, (a, b) in enumerate(zip(mine, right, strict=True), 1):
        size = "small" if a < b else "large"
        _exactly(a, b, f"for the updates {updates}, the room at number {t} is too {size}")
    least = f"the least is {min(right)}" if right else "there is no update"
    return Verdict(f"Right: {least}.")


SIX_POINTS = (
    np.array([[3, -1], [1, 4], [1, 2], [-2, -3], [-4, -3], [2, -1]], dtype=float),
    np.array([-1, 1, -1, 1, 1, -1]),
)


def slowest_order(order):
    """An order of the six points in which the Perceptron makes as many mistakes as in any."""
    _given(order)
    X, y = SIX_POINTS
    order = _whole(order, 6, "the order")
    require(sorted(order) == list(range(6)), "the order must have each number from 0 to 5 once")
    made = perceptron(X, y, order=order).mistakes
    told = f"this order makes {_count(made, 'mistake')}, and another makes more"
    orders = itertools.permutations(range(6))
    most = max(perceptron(X, y, order=list(other)).mistakes for other in orders)
    require(made == most, told)
    return Verdict(f"Right: {made} mistakes, and no order makes more.")


def tight_examples(X, y):
    """Examples without a zero coordinate, of both labels, with 4 <= M = (R/γ)² exactly."""
    X, y = _data(X, y)
    require(X.all(), "a coordinate is zero")
    require(len(set(y.tolist())) == 2, "both labels must occur")
    best = separate(X, y)
    require(isinstance(best, Separator), "no w separates these")
    made, bound = perceptron(X, y).mistakes, best.bound()
    require(made == bound, f"M = {made}, while (R/γ)² = {float(bound):.6g}")
    require(made >= 4, f"at least 4 mistakes are asked for, these are {made}")
    return Verdict(f"Right: M = (R/γ)² = {made}.")


def growth_with_threshold(growth, R2, theta):
    """`growth(R2, theta)` must be the most ||w||² can grow in an update with y w·x <= theta."""
    R2, theta = Fraction(R2), Fraction(theta)
    allowed = _number(_function(growth, R2, theta), "the growth")
    most = _most_growth(R2, theta)
    tried = f"R² = {R2} and θ = {theta}"
    told = f"for {tried} an update can add {most}, more than your {allowed}"
    too_much = f"for {tried} your {allowed} is never exceeded, but a smaller number would do"
    _exactly(allowed, most, told if allowed < most else too_much)
    return Verdict(f"Right for {tried}.")


def _most_growth(R2, theta):
    """The most that ||w||² grew when a few examples were added to a few w."""
    grown = []
    for x2 in (R2 / 4, R2):  # a shorter example, and the longest
        for score in (-theta, Fraction(0), theta):
            c = score / x2  # then w = c x has w·x = score, and w + x = (c + 1) x
            grown.append(((c + 1) ** 2 - c**2) * x2)
    return max(grown)


def updates_with_threshold(most_updates, R2, theta, gamma2):
    """`most_updates(R2, theta, gamma2)` must be the M at which M²γ² meets M times the growth."""
    most = _number(_function(most_updates, R2, theta, gamma2), "the number of updates")
    below, above = most**2 * Fraction(gamma2), most * _most_growth(R2, theta)
    tried = f"R² = {R2}, θ = {theta}, γ² = {gamma2}"
    require(most > 0, f"for {tried} at least the first update must be allowed")
    told = f"for {tried} your M has M²γ² = {below}, but M times the growth = {above}"
    _exactly(below, above, told)
    return Verdict(f"Right for {tried}.")


def breaks_the_theorem(X, y, u, b):
    """Unit vectors x, and u, b with y (u·x + b) >= γ||u||, on which M exceeds 4/γ² (E6)."""
    X, y = _data(X, y)
    require(((X * X).sum(axis=1) == 1).all(), "the examples must have length 1, exactly")
    require(len({tuple(x) for x in X.tolist()}) >= 2, "two different examples at least, please")
    u = _fractions(u, "u")
    b = _number(b, "b")
    require(len(u) == X.shape[1], f"u must have {X.shape[1]} coordinates, as the examples have")
    u2 = sum(v * v for v in u)
    require(u2 > 0, "u is zero, so there is no hyperplane")
    scores = [
        int(s) * (sum(Fraction(v) * w for v, w in zip(x, u, strict=True)) + b)
        for s, x in zip(y.tolist(), X.tolist(), strict=True)
    ]
    require(min(scores) > 0, "u and b do not separate these examples")
    bound = 4 * u2 / min(scores) ** 2
    made = perceptron(with_bias(X), y).mistakes
    otherwise = f"4/γ² = {float(bound):.4g}, and the {made} mistakes made do not exceed it"
    require(made > bound, otherwise)
    return Verdict(f"Right: {made} > 4/γ² = {float(bound):.4g}.")


def iris_separator(w):
    """Weights, the bias last, that separate setosa (+) from versicolor."""
    w = _fractions(w, "w")
    X, y, _ = iris("setosa", "versicolor")
    require(len(w) == 5, f"w must be 5 numbers, the last for the bias, these are {len(w)}")
    errors = sum(s <= 0 for s in bounds.scores(with_bias(X), y, w))
    require(errors == 0, f"w is wrong (or undecided) on {errors} of the {len(y)} flowers")
    return Verdict(f"Right: w is right on all {len(y)} flowers.")


def iris_certificate(weights):
    """Whole numbers λ >= 0, not all 0, that prove: no plane between versicolor and virginica."""
    X, y, _ = iris("versicolor", "virginica")
    weights = _whole(weights, len(y), "λ")
    return _no_hyperplane(with_bias(X), y, weights)


def _no_hyperplane(X, y, weights):
    require(min(weights) >= 0, "a λ is negative")
    require(any(weights), "all λ are zero, which proves nothing")
    total = dot(np.array(weights, dtype=object) * y, X.astype(np.int64).astype(object))
    require(total[-1] == 0, "the two classes do not have the same total λ")
    require(not total.any(), "the λ-weighted sums of the two classes differ")
    used = sum(k > 0 for k in weights)
    return Verdict(f"Right: {used} examples prove that no hyperplane separates the two.")


# --- homework 2: margin and PAC --------------------------------------------------------------


def margin_updates(f, X, y, gamma):
    """`f(X, y, gamma)` must return the updates of the margin Perceptron, for ε = 1/2."""
    run = margin_perceptron(X, y, gamma)

    def distance(w, i):
        s = float(run.y[i] * (run.X[i] @ w)) / math.sqrt(float(w @ w)) + 0.0  # no "-0"
        return f"y w·x/‖w‖ = {s:.6g} (it is too close if below γ/2 = {float(gamma) / 2:g})"

    mine = _updates(f, np.array(X, dtype=float), np.array(y), gamma)
    _same_updates(mine, run, distance, run.start)
    return Verdict(f"Right: {_count(run.mistakes, 'update')} after the start.")


EIGHT_POINTS = (
    np.array([[-4, -1], [-5, -2], [1, 6], [6, -4], [2, 1], [-2, -6], [1, -5], [4, -4]], float),
    np.array([-1, -1, 1, 1, 1, -1, -1, 1]),
)


def roomy_separator(w):
    """Weights with at least nine tenths of the largest margin of the eight points."""
    X, y = EIGHT_POINTS
    w = _fractions(w, "w")
    require(len(w) == 2, f"w must be 2 numbers, these are {len(w)}")
    require(all(s > 0 for s in bounds.scores(X, y, w)), "w does not separate the eight points")
    share2 = bounds.margin2(X, y, w) * separate(X, y).bound() / bounds.radius2(X)
    share = math.sqrt(share2)
    require(share2 >= Fraction(81, 100), f"its margin is {share:.4f} of the largest")
    return Verdict(f"Right: {share:.4f} of the largest margin.")


def length_from_which(f, R2, gamma, eps, share):
    """`f(R2, gamma, eps, share)` must be the least ||w|| for which the bound M3 is small enough."""
    length = _number(_function(f, R2, gamma, eps, share), "the length")
    R2, gamma, eps, share = (Fraction(v) for v in (R2, gamma, eps, share))
    tried = f"R² = {R2}, γ = {gamma}, ε = {eps}, s = {share}"
    require(length > 0, f"for {tried} the length must be above 0")
    growth, allowed = R2 / (2 * length) + (1 - eps) * gamma, (1 - share * eps) * gamma
    told = f"for {tried} and ‖w‖ = {length} the bound is {growth}, and it may be {allowed}"
    _exactly(growth, allowed, told if growth > allowed else f"{told}: a shorter w would do")
    return Verdict(f"Right for {tried}.")


def conjunction(f, X, y):
    """`f(X, y)` must return the numbers of the variables that stay, or the text "none fits"."""
    X, y = np.array(X), np.array(y)
    keep = set(np.flatnonzero(X[y > 0].all(axis=0)).tolist())
    fits = not X[y < 0][:, sorted(keep)].all(axis=1).any()
    value = _function(f, X.copy(), y.copy())
    where = f"for the examples {X.tolist()} with labels {y.tolist()}"
    if isinstance(value, str):
        require(not fits, f"{where}, a conjunction fits, and you say {value!r}")
        require(value == "none fits", f'the answer is the text "none fits", not {value!r}')
        return Verdict("Right: none fits.")
    mine = set(_fractions(value, "the variables"))
    require(fits, f"{where}, no monotone conjunction fits, and you return a list")
    require(mine >= keep, f"{where}, a variable was dropped that is 1 in every positive one")
    require(mine <= keep, f"{where}, a variable was kept that is 0 in a positive one")
    return Verdict(f"Right: {_count(len(keep), 'variable')} in it.")


def line_but_no_list(X, y):
    """Words of 0 and 1 that a linear threshold labels, and that no decision list fits (Q6)."""
    X, y = _data(X, y, most=16)
    require(np.isin(X, (0, 1)).all(), "the features must be 0 or 1")
    separable = isinstance(separate(with_bias(X), y), Separator)
    require(separable, "no linear threshold function fits these labels")
    found = boolean.learn_decision_list(X.astype(int), y)
    require(not found, f"the decision list «{found}» fits them")
    return Verdict("Right: a linear threshold, and no decision list.")


def no_survivor(stream):
    """A stream of four unit vectors on which no hypothesis survives, for ε = δ = 1/5 (O3, E8)."""
    X, y, _ = worst_case(4)
    needed, total = pac.survival_length(4, 0.2, 0.2), pac.reduction_size(4, 0.2, 0.2)
    stream = _whole(stream, total, "the stream")
    require(set(stream) <= {0, 1, 2, 3}, "the stream must consist of 0, 1, 2 and 3")
    lived = pac.survivals(perceptron(X[stream], y[stream], max_passes=1))
    k = int(np.argmax(lived))
    told = f"hypothesis {k} (0 is the first) survives {lived[k]} examples, and {needed} are enough"
    require(lived[k] < needed, told)
    return Verdict(f"Right: none survives {needed} examples in a row.")


def nines():
    """The handwritten nines (+) against the other digits, with a constant: a stream and a test."""
    X, y, _ = digits(9)
    X = with_bias(X)
    return X[:1000], y[:1000], X[1000:], y[1000:]


def survivor_of_nines(answer):
    """Which hypothesis of one pass survives longest, how long, and its errors on new digits."""
    X, y, new, labels = nines()
    number, lived, errors = _whole(answer, 3, "the answer")
    run = perceptron(X, y, max_passes=1)
    longest = pac.survivals(run)
    right = int(np.argmax(longest))
    require(lived == longest[right], "the longest survival has another length: count what is right")
    require(number == right, "that hypothesis did not survive so long (the first, zero, is 0)")
    made = int(np.count_nonzero(labels * (new @ run.weights[right]) <= 0))
    require(errors == made, "it makes another number of errors on the new digits (a tie is one)")
    return Verdict(f"Right: {made} errors on {len(labels)} new digits.")


# --- homework 3: noise and the dual form -----------------------------------------------------


def dual_coefficients(f, X, y, max_passes=100):
    """`f(G, y, max_passes)` must return the alphas of the Perceptron, G being the Gram matrix."""
    X, y = labelled(X, y)
    run = perceptron(X, y, max_passes=max_passes)
    mine = _whole(_function(f, X @ X.T, y.copy(), max_passes), len(y), "alpha")
    told = f"they add up to {sum(mine)}, but {_count(run.mistakes, 'update')} were to be made"
    require(sum(mine) == run.mistakes, f"on {len(y)} examples {told}")
    right = mine == run.alpha.tolist()
    require(right, f"on {len(y)} examples the sum is right, but not every alpha")
    return Verdict(f"Right: {_count(run.mistakes, 'update')}.")


def hinge_bound(f, X, y, u, g):
    """`f(X, y, u, g)` must be (R/γ)² + 2 TD/γ, where g = γ||u||."""
    X, y = labelled(X, y)
    g, u = Fraction(g), [Fraction(v) for v in u]
    u2, R2 = sum(v * v for v in u), bounds.radius2(X)
    total = sum((max(g - s, Fraction(0)) for s in bounds.scores(X, y, u)), Fraction(0))
    right = bounds.hinge_mistakes(R2, u2, total, g)
    whole = X.astype(np.int64).astype(object)  # Python's own integers, which fractions work with
    mine = _number(_function(f, whole, y.copy(), u, g), "the bound")
    slips = {
        bounds.hinge_mistakes(R2, 1, total, g): "‖u‖ is missing: γ is g/‖u‖",
        bounds.hinge_mistakes(1, u2, total, g): "R is missing",
        right - total / g: "TD/γ counts twice",
    }
    where = f"for u = ({', '.join(map(str, u))}) and g = {g} "
    otherwise = f"the bound is too {'small' if mine < right else 'large'}"
    _exactly(mine, right, where + slips.get(mine, otherwise))
    made = perceptron(X, y, max_passes=1).mistakes
    return Verdict(f"Right: {float(right):.6g}, and one pass makes {_count(made, 'mistake')}.")


SEVEN_POINTS = (
    np.array([[0, 1], [4, 1], [2, 5], [6, 3], [2, 2], [5, 6], [0, 4]], dtype=float),
    np.array([1, 1, 1, 1, -1, -1, -1]),
)


def seven_points_certificate(weights):
    """Whole numbers λ that prove: no line separates the seven points."""
    X, y = SEVEN_POINTS
    return _no_hyperplane(with_bias(X), y, _whole(weights, len(y), "λ"))


def worse_later(X, y):
    """Separable examples on which the weights after two passes err more than after one."""
    X, y = _data(X, y, most=6)
    require(isinstance(separate(X, y), Separator), "no w separates these")
    first, second = (
        sum(s <= 0 for s in bounds.scores(X, y, perceptron(X, y, max_passes=p).w)) for p in (1, 2)
    )
    told = f"after one pass w errs on {first} of them, after two on {second}"
    require(second > first, told)
    return Verdict(f"Right: {told}.")


def feature_map(phi, points):
    """phi(x)·phi(z) must be (x·z)² + x·z for all x and z among the points."""
    images = [_fractions(_function(phi, list(x)), "phi(x)") for x in points]
    again = [_fractions(_function(phi, list(x)), "phi(x)") for x in reversed(points)]
    require(images == again[::-1], "phi(x) is not the same each time it is asked for")
    one_length = len({len(image) for image in images}) == 1
    require(one_length, "phi(x) must have the same length for every x")
    require(len(images[0]) <= 100, "100 features are more than enough")
    pairs = itertools.combinations_with_replacement(zip(points, images, strict=True), 2)
    for (x, image_x), (z, image_z) in pairs:
        inner = sum(Fraction(v) * w for v, w in zip(x, z, strict=True))
        product = sum(v * w for v, w in zip(image_x, image_z, strict=True))
        right = inner**2 + inner
        near = abs(product - right) * 10**6 <= 1 + abs(right)  # roots of 2 are welcome
        told = f"for x = {tuple(x)}, z = {tuple(z)}, φ(x)·φ(z) is about {_shown(product)}"
        require(near, f"{told}, but (x·z)² + x·z = {right}")
    return Verdict(f"Right for {len(points)} points, each with each.")


def _shown(q):
    try:
        return f"{float(q):.6g}"
    except OverflowError:
        return "huge"


def even_digits():
    """The first 500 handwritten digits, the even ones positive."""
    X, y, _ = digits()
    return X[:500], y[:500]


def even_digits_separator(alpha):
    """Counts alpha whose kernel expansion is right on all 500 digits, for K = (1 + x·z)²."""
    X, y = even_digits()
    alpha = _whole(alpha, len(y), "alpha")
    require(min(alpha) >= 0, "an alpha is negative")
    K = polynomial(X, X, degree=2).astype(np.int64)
    scores = y * dot(K, np.array(alpha, dtype=object) * y)
    errors = sum(s <= 0 for s in scores)
    require(errors == 0, f"it is wrong (or undecided) on {errors} of the {len(y)} digits")
    used = sum(a > 0 for a in alpha)
    return Verdict(f"Right: {used} digits are enough to tell all {len(y)} apart.")
