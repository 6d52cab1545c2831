"""Lesson 6, PAC learning: consistent learners, and how many examples they need.

One learner does for conjunctions, disjunctions, k-CNF and k-DNF (Q3, Q4; Valiant 1984).  Call each
clause that might occur a new feature; then the concept is a *monotone* conjunction of new features,
and it is enough to throw out those that are 0 in some positive example.  Decision lists have a
learner of their own, as greedy (Q5; Rivest 1987).

A literal is a whole number as in the DIMACS format: 3 means x3, -3 means ¬x3.
"""

import itertools
import math
import re
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from perceptron_lib import Inseparable, bounds, checks, separate, show, with_bias
from perceptron_lib.checks import door, limit, whole
from perceptron_lib.exercises import checker, require, value_of
from perceptron_lib.plots import parts, style
from perceptron_lib.plots.plane import one_mean

# --- sample sizes ---------------------------------------------------------------------------------


@door
def sample_size(eps, delta, size):
    """(ln|C| + ln 1/δ)/ε examples are enough for a consistent learner of a class of `size` (Q2).

    >>> sample_size(0.1, 0.05, 2**10)
    100
    """
    return math.ceil((bounds.log(size) - bounds.log(delta)) / eps)


# --- Boolean concepts -----------------------------------------------------------------------------

MOST_GROUPS = 10**5  # clauses or terms: of k literals there are about n**k
CONCEPTS = ("monotone conjunction", "conjunction", "disjunction", "CNF", "DNF")
SIGN = {1: "+", -1: "−"}


def zeros_and_ones(X, name, given):
    """The limit of a table of 0s and 1s, which becomes one of booleans."""
    features = checks.table(X)
    if not ((features == 0) | (features == 1)).all():
        raise show.refusal("features", "a table of 0 and 1, a row for each example", X)
    return features > 0


class _NoConcept:
    """The answer when the class has no consistent concept; it is false in a condition."""

    def __bool__(self):
        return False

    def __repr__(self):
        return "no consistent concept"


NO_CONCEPT = _NoConcept()


@dataclass(frozen=True)
class Formula:
    """A conjunction of clauses (ORs of literals), or a disjunction of terms (ANDs of literals).

    >>> print(Formula(((1,), (-2, 3))))
    x1 ∧ (¬x2 ∨ x3)
    """

    groups: tuple  # of tuples of literals
    conjunction: bool = True  # of clauses; else a disjunction of terms

    @door(X=zeros_and_ones)
    def predict(self, X):
        """The label of each row of 0s and 1s."""
        holds = np.full(len(X), self.conjunction)  # unless a clause fails, or a term holds
        for group in self.groups:
            holds[_value(X, group, self.conjunction) != self.conjunction] = not self.conjunction
        return np.where(holds, 1, -1)

    def __repr__(self):
        outer, inner = (" ∧ ", " ∨ ") if self.conjunction else (" ∨ ", " ∧ ")
        needed = [g for g in self.groups if not any(set(h) < set(g) for h in self.groups)]
        single = {g[0] for g in needed if len(g) == 1}
        if any(-literal in single for literal in single):
            return "false" if self.conjunction else "true"  # x1 ∧ ¬x1, or x1 ∨ ¬x1
        texts = [inner.join(map(_literal_name, group)) for group in needed]
        texts = [f"({text})" if len(texts) > 1 and inner in text else text for text in texts]
        return outer.join(texts) or ("true" if self.conjunction else "false")


LITERAL = r"~?x[1-9]\d*"


@door(text=limit(str, "a text"))
def formula(text):
    """An AND of clauses, or an OR of terms, as it is written; ~ is "not".

    >>> formula("(x1 | ~x2) & x3"), formula("(x1 & x2) | ~x3")
    ((x1 ∨ ¬x2) ∧ x3, (x1 ∧ x2) ∨ ¬x3)
    """
    plain = text.translate(str.maketrans("∧∨¬", "&|~", " "))
    conjunction = "|" not in re.sub(r"\(.*?\)", "", plain)
    outer, inner = "&|" if conjunction else "|&"
    group, parts = rf"(\()?{LITERAL}([{inner}]{LITERAL})*(?(1)\))", plain.split(outer)
    if not all(re.fullmatch(group, part) for part in parts):
        raise show.refusal("text", 'a formula such as "(x1 | ~x2) & x3"', text)
    literals = ([int(v.replace("x", "")) for v in part.replace("~", "-").strip("()").split(inner)]
                for part in parts)  # fmt: skip
    return Formula(tuple(map(tuple, literals)), conjunction)


@dataclass(frozen=True)
class DecisionList:
    """If the first literal holds, its label; else if the second …; else the default (Rivest 1987).

    >>> print(DecisionList(((-1, 1), (5, -1)), 1))
    if ¬x1 then + else if x5 then − else +
    """

    rules: tuple  # of pairs (literal, label)
    default: int

    def __post_init__(self):
        object.__setattr__(self, "default", int(checks.labels([self.default], 1)[0]))
        listed = isinstance(self.rules, (tuple, list)) and all(map(_is_rule, self.rules))
        if not listed:
            raise show.refusal("rules", "pairs of a literal, such as -3, and a label", self.rules)

    @door(X=zeros_and_ones)
    def predict(self, X):
        """The label of each row of 0s and 1s."""
        labels = np.full(len(X), self.default)
        for literal, label in reversed(self.rules):
            labels[_column(X, literal)] = label
        return labels

    def __repr__(self):
        rules = [f"if {_literal_name(r)} then {SIGN[label]} else " for r, label in self.rules]
        return "".join(rules) + SIGN[self.default]


def _literal_name(literal):
    return ("¬" if literal < 0 else "") + f"x{abs(literal)}"


def _is_rule(rule):
    whole = isinstance(rule, (tuple, list)) and all(isinstance(v, (int, np.integer)) for v in rule)
    return whole and len(rule) == 2 and rule[0] and rule[1] in SIGN


def _column(X, literal):
    """The value of a literal in each row."""
    if abs(literal) > (n := X.shape[1]):
        raise show.refusal("a literal", f"from 1 to {n}, or minus that, for {n} columns", literal)
    column = X[:, abs(literal) - 1]
    return column if literal > 0 else ~column


def _value(X, group, clause):
    """The OR of the literals of a clause, or the AND of those of a term, in each row."""
    combine = np.logical_or if clause else np.logical_and
    return combine.reduce([_column(X, literal) for literal in group])


@door(n=limit(whole, 1, MOST_GROUPS))
def groups(n, k):
    """All sets of one to k literals of different variables among x1 … xn, at most `MOST_GROUPS`.

    >>> groups(2, 1)
    [(1,), (-1,), (2,), (-2,)]
    """
    sets = (
        literals
        for size in range(1, min(k, n) + 1)
        for variables in itertools.combinations(range(1, n + 1), size)
        for literals in itertools.product(*((v, -v) for v in variables))
    )
    some = list(itertools.islice(sets, MOST_GROUPS + 1))
    if len(some) > MOST_GROUPS:
        raise ValueError(f"n or k must be smaller: {n:,} variables and k = {show.shown(k)} "
                         f"make more than {MOST_GROUPS:,} groups")  # fmt: skip
    return some


@door(X=zeros_and_ones, concept=limit(checks.one_of, CONCEPTS))
def learn(X, y, concept="conjunction", k=1):
    """A consistent concept of the class, or `NO_CONCEPT` (Q3, Q4).

    `concept` is "monotone conjunction", "conjunction", "disjunction", "CNF" or "DNF"; k is the
    size of the clauses or terms of the last two.

    >>> learn([[1, 0, 1], [1, 0, 0], [0, 0, 1]], [1, 1, -1])
    x1 ∧ ¬x2
    """
    candidates = groups(X.shape[1], k if concept in ("CNF", "DNF") else 1)
    if concept == "monotone conjunction":
        candidates = [group for group in candidates if min(group) > 0]
    conjunction = concept not in ("disjunction", "DNF")
    telling = X[y == (1 if conjunction else -1)]  # here no clause may fail, or no term hold
    kept = [g for g in candidates if (_value(telling, g, conjunction) == conjunction).all()]
    formula = Formula(tuple(kept), conjunction)
    return formula if (formula.predict(X) == y).all() else NO_CONCEPT


@door(X=zeros_and_ones)
def learn_decision_list(X, y):
    """A consistent decision list, or `NO_CONCEPT`, by the greedy rule (Q5).

    Take any rule that applies and is right wherever it does; drop what it settles; go on.

    >>> learn_decision_list([[0, 0], [0, 1], [1, 0], [1, 1]], [-1, -1, 1, -1])
    if ¬x1 then − else if x2 then − else +
    """
    literals = [s * v for v in range(1, X.shape[1] + 1) for s in (1, -1)]
    rules, left = [], np.ones(len(X), dtype=bool)
    while len(set(y[left].tolist())) > 1:
        for literal in literals:
            applies = left & _column(X, literal)
            if len(set(y[applies].tolist())) == 1:
                rules.append((literal, int(y[applies][0])))
                left &= ~applies
                break
        else:
            return NO_CONCEPT
    return DecisionList(tuple(rules), int(y[left][0]) if left.any() else -1)


@door(n=limit(whole, 1, 20, " (there are 2**n words)"))
def all_words(n):
    """All words of n bits, in counting order.

    >>> all_words(2).tolist()
    [[0, 0], [0, 1], [1, 0], [1, 1]]
    """
    return np.arange(2**n)[:, None] >> np.arange(n)[::-1] & 1


def draw_words(source, m, zeros=8, n=10):
    """m random words of n bits, each 0 with probability 1/zeros, from a source of random bits.

    >>> draw_words(np.random.PCG64(7), m=93).shape
    (93, 10)
    """
    return source.random_raw(m * n).reshape(m, n) % zeros > 0


@door(n=limit(whole, 1, 50))
def hardest_words(n):
    """The n + 1 words nearest to the best separator for ODD-MAX-BIT, and their labels (Q6): in
    word k the last 1 is bit k, and all earlier bits of the other parity are 1.

    >>> hardest_words(3)[0].tolist()
    [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 1]]
    """
    k, bit = np.arange(n + 1)[:, None], np.arange(1, n + 1)
    X = (bit == k) | (bit < k) & ((k - bit) % 2 == 1)
    return X.astype(int), np.where(k[:, 0] % 2, 1, -1)


@door(n=limit(whole, 1, 5, " (there are 15,036 functions for 5)"))
def decision_list_functions(n):
    """Every function of n bits that a decision list computes, as a set of truth tables.

    A truth table is a whole number.  If f is a decision list, so is "if ℓ then b else f".

    >>> len(decision_list_functions(3))
    96
    """
    words, everything = all_words(n), 2**2**n - 1
    variables = [sum(1 << i for i, word in enumerate(words) if word[v]) for v in range(n)]
    literals = [*variables, *(everything ^ mask for mask in variables)]
    functions, new = set(), {0, everything}
    while new:
        functions |= new
        new = {g for f in new for mask in literals for g in (f | mask, f & ~mask)} - functions
    return functions


# --- pictures -------------------------------------------------------------------------------------


@style.picture()
@door(u=limit(style.direction), w=limit(style.direction))
def disagreement(ax, X, u, w):
    """The error of a hypothesis w is the weight of the region where it and u disagree (Q1).

    >>> disagreement([[1, 2], [2, 1], [-1, 1], [-2, -1]], u=[1, 0], w=[1, 1])
    w and u disagree on 1 of 4 examples: 2 positive and 2 negative examples, labelled by u ...
    """
    y = np.where(style.plane_points(X) @ u > 0, 1, -1)
    parts.draw_examples(ax, X, y)
    one, other = (parts.line_ends(ax, v).T for v in (w, u))
    corners = [one[0], one[0] + other[0], *other, other[1] + one[1], one[1]]
    ax.fill(*np.transpose(corners), color=style.YELLOW, alpha=0.45, lw=0, zorder=-1)
    parts.line(ax, w, shade=False)
    parts.line(ax, u, look=style.U, name="u", shade=False)
    wrong = np.sum(y * (X @ w) <= 0)
    return f"w and u disagree on {wrong} of {len(y)} examples", (
        f"{parts.tally(y)}, labelled by u (dashed); {wrong} of them lie in the region "
        "between the two lines, where w predicts the other label."
    )


@style.picture(3.8)
def failure_rate(ax, seen, exact, bound, delta, enough):
    """How often a learner fails: as seen (a dict of some sample sizes), exactly, and by the theorem
    at most (functions of the sample size, Q2).

    >>> failure_rate({2: 0.6, 9: 0.1}, lambda m: 1 / m, lambda m: 2 / m, 0.2, enough=10)
    The theorem asks for 10 examples, and 5 would do: the exact chance ... seen: 60.0% with 2, ...
    """
    m = np.arange(min(seen), max(*seen, enough) + 12)
    parts.label(ax, ("examples m", "chance of an error above ε"))
    ax.set(xlim=(0, m[-1]), ylim=(-0.02, 1.05))
    ax.axhline(delta, **style.AID)
    ax.plot(*zip(*seen.items(), strict=True), **style.OBSERVED | {"ls": ""})
    for name, of, look in (("the bound", bound, style.BOUND), ("exactly", exact, style.W)):
        heights = np.minimum([float(of(int(k))) for k in m], 1)
        ax.plot(m, heights, **look)
        middle = np.argmin(np.abs(heights - 0.5))
        parts.note(ax, name, (m[middle], heights[middle]), color=look["color"])
    few = m[np.argmax(heights <= delta)]  # of the curve drawn last, the exact one
    ax.plot(enough, delta, **style.CROSSING)
    for k, color in ((enough, style.PURPLE), (few, style.INK)):
        parts.note(ax, f"m = {k}", (k, delta), color=color)
    parts.at_ends(ax, [(f"δ = {float(delta):g}", float(delta), style.GREY)])
    told = ", ".join(f"{share:.1%} with {k}" for k, share in seen.items())
    return f"The theorem asks for {enough} examples, and {few} would do", (
        f"the exact chance of failure falls to δ = {float(delta):g} at m = {few}, the bound at "
        f"m = {enough}; seen: {told}."
    )


@style.picture(columns=0)
@door
def shatter(figure, X):
    """All labellings of a few points, each with a line that does it or a proof that there is none
    (Q8): d + 1 points in general position are shattered, d + 2 never are (Radon 1921).

    >>> shatter([[0, 0], [1, 0], [0, 1]])
    Lines shatter these 3: 8 of 8 labellings: 8 small pictures of the same 3 points, ...
    """
    if len(style.plane_points(X)) > 4:
        raise show.refusal("X", "1 to 4 points in the plane, for 2 to 16 labellings", X)
    labellings = [np.array(y) for y in itertools.product((1, -1), repeat=len(X))]
    room, many, done = 0.3 * np.ptp(X, axis=0).max() or 1, len(labellings), 0
    rows = max(many // 4, 1)
    style.resize(figure, 1.3 * rows + 0.6)
    axes = figure.subplots(rows, min(many, 4), squeeze=False).flat
    for ax, y in zip(axes, labellings, strict=True):
        style.show_all(ax, X - room, X + room)
        ax.set_axis_off()
        if isinstance(answer := separate(with_bias(X), y), Inseparable):
            one_mean(ax, X, y, [int(v) for v in answer.multipliers])
        else:
            done += 1
            parts.marks(ax, X, y)
            parts.line(ax, answer.w[:2], answer.w[2], look={**style.U, "lw": 1.4}, name="")
    verdict = "shatter" if done == many else "do not shatter"
    return f"Lines {verdict} these {len(X)}: {done} of {many} labellings", (
        f"{many} small pictures of the same {len(X)} points, one for each labelling; {done} with "
        f"a line that separates the classes, {many - done} with the common point of both hulls, "
        "Radon's point, which no line can separate from itself."
    )


# --- the exercises --------------------------------------------------------------------------------

LIST_SAMPLE = (
    np.array([[1, 0, 0], [1, 1, 0], [0, 1, 1], [0, 0, 1], [1, 0, 1], [0, 0, 0]]),
    np.array([-1, -1, -1, 1, 1, 1]),
)


@checker(
    "06.1",
    "Which literal has the same label in all examples where it holds? Begin with that rule.",
    "Both words with x2 = 1 are negative. Remove them, and look for the next rule among the rest.",
)
def decision_list(rules, default):
    """A decision list of at most three rules for `LIST_SAMPLE` (Q5)."""
    X, y = LIST_SAMPLE
    answer = DecisionList(rules.tolist() if isinstance(rules, np.ndarray) else rules, default)
    require((k := len(answer.rules)) <= 3, f"at most three rules are allowed, these are {k}")
    wrong = ["".join(map(str, word)) for word in X[answer.predict(X) != y]]
    require(not wrong, f"«{answer}» is wrong on {', '.join(wrong)}")
    return f"«{answer}»."


@checker(
    "06.2",
    "When is a hypothesis bad? Compare a word of chance 1/10 with one of chance a little above.",
    "A word of chance p is missed by 40 examples with probability (1 − p)⁴⁰. One way is to let "
    "missing a single word be bad already, but only just. How many such words are there?",
)
def slow_words(p):
    """Chances of ten words so that the learner still fails too often after 40 examples (Q2)."""
    chances = [v.limit_denominator(10**6) for v in checks.fractions(p, 10, "p", "ten numbers")]
    require(min(chances) >= 0 and sum(chances) <= 1, "chances are 0 or more, and at most 1 in sum")
    q = math.lcm(*(v.denominator for v in chances))
    weight = [sum(int(v * q) for i, v in enumerate(chances) if s >> i & 1) for s in range(1024)]
    missed = [(q - w) ** 40 for w in weight]  # each of the words in s, and perhaps others
    for i, s in itertools.product(range(10), range(1024)):
        missed[s] -= 0 if s >> i & 1 else missed[s | 1 << i]  # and word i is not
    failure = Fraction(sum(f for w, f in zip(weight, missed, strict=True) if 10 * w > q), q**40)
    edge = "; an error of exactly 1/10 is allowed" if Fraction(1, 10) in chances else ""
    require(failure > Fraction(1, 10), f"the chance of failure is {float(failure):.2%}{edge}")
    return f"after 40 examples the learner still fails with probability {float(failure):.2%}."


@checker(
    "06.3",
    "Is a point in the triangle of the others? If not, the four are corners of a quadrilateral.",
    "Or try all sixteen labellings: `separate(with_bias(X), y)` says which of them have no line.",
)
def spoiler(labels_for):
    """A function that gives any four points of the plane labels that no line gives them (Q8)."""
    fours = [[(0, 0), (3, 0), (0, 3), (1, 1)], [(0, 0), (2, 0), (2, 2), (0, 2)]]
    fours += [[(k % 7, 0), (9, k % 5), (k % 4, 8), (3 + k, 5 - k)] for k in range(1, 20) if k != 5]
    for X in map(np.array, fours):
        y = checks.labels(value_of(labels_for, X.copy()), 4)
        lost = isinstance(separate(with_bias(X), y), Inseparable)
        given = ", ".join(f"({a}, {b}) {SIGN[s]}" for (a, b), s in zip(X, y.tolist(), strict=True))
        require(lost, f"a line gives these labels: {given}")
    return f"no line gives your labels to any of the {len(fours)} sets of four points."
