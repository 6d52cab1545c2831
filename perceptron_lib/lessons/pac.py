"""Lesson 6, PAC learning: consistent learners, and how many examples they need.

One learner does for conjunctions, disjunctions, k-CNF and k-DNF (Q3, Q4; Valiant 1984).  Call each
clause that might occur a new feature; then the concept is a *monotone* conjunction of new features,
and it is enough to throw out those that are 0 in some positive example.  A disjunction of terms is
learnt alike: throw out the terms that hold in some negative example.  Decision lists have a learner
of their own, as greedy (Q5; Rivest 1987).

A literal is a whole number as in the DIMACS format: 3 means x3, -3 means ¬x3.
"""

import itertools
import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from perceptron_lib import Inseparable, bounds, checks, separate, show, with_bias
from perceptron_lib.checks import door, limit, whole
from perceptron_lib.exercises import checker, exact_number, require, whole_list
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


@door
def vc_size(eps, delta, dimension):
    """max((4/ε) log₂(2/δ), (8v/ε) log₂(13/ε)) examples for a class of VC dimension v (Q8; Blumer,
    Ehrenfeucht, Haussler and Warmuth 1989).

    >>> vc_size(0.1, 0.1, 3)
    1686
    """
    most = max(4 * bounds.log(2 / delta), 8 * dimension * bounds.log(13 / eps))
    return math.ceil(most / (bounds.log(Fraction(2)) * eps))


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
        many = f"{n:,} variables and k = {show.shown(k)} make more than {MOST_GROUPS:,} groups"
        raise ValueError(f"n or k must be smaller: {many}")
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

    Take any rule that is right wherever it applies, and applies somewhere; throw out the examples
    it settles; go on with the rest.

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


@door(n=limit(whole, 1, 5, " (there are 15,036 functions for 5)"))
def decision_list_functions(n):
    """Every function of n bits that a decision list computes, as a set of truth tables.

    A truth table is a whole number, a bit for each word.  From the two constants on, "if ℓ then b
    else f" is a decision list whenever f is one.

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


@style.picture()
def failure_rate(ax, m, rates, intervals, exact, bound, delta, enough):
    """How often a learner failed, against the sample size; beside it how often it must fail on
    average, and how often it may by the theorem, both as functions of m (Q2).

    >>> rates, spans = [0.9, 0.1], [(0.8, 1), (0, 0.2)]
    >>> failure_rate([2, 9], rates, spans, lambda m: 1 / m, lambda m: 2 / m, 0.2, enough=10)
    10 examples are enough by the theorem, and 5 in fact: with 2 examples the learner failed ...
    """
    delta, fine = float(delta), np.linspace(m[0], max(m[-1], enough) * 1.05, 400)
    allowed = np.minimum([bound(k) for k in fine], 1)
    whole_m = np.arange(int(m[0]), int(fine[-1]) + 1)
    average = np.array([float(exact(int(k))) for k in whole_m])
    ax.set_ylim(-0.02, 1.05)
    parts.label(ax, ("examples m", "chance of an error above ε"))
    ax.fill_between(m, *np.transpose(intervals), color=style.SKY, alpha=0.4, lw=0)
    ax.axhline(delta, **style.AID)
    ax.plot(enough, delta, **style.CROSSING)
    ax.plot(m, rates, **style.OBSERVED | {"ls": ""})
    curves = ("bound", fine, allowed, style.BOUND), ("exact", whole_m, average, style.W)
    for text, x, heights, look in curves:
        middle = np.argmin(np.abs(heights - 0.5))
        ax.plot(x, heights, **look)
        parts.note(ax, text, (x[middle], heights[middle]), color=look["color"])
    parts.note(ax, f"m = {enough}", (enough, delta), color=style.PURPLE)
    parts.at_ends(ax, [(f"δ = {delta:g}", delta, style.GREY)])
    few = whole_m[average <= delta]
    in_fact = f", and {few[0]} in fact" if len(few) else ""
    return f"{enough} examples are enough by the theorem{in_fact}", (
        f"with {m[0]} examples the learner failed in {rates[0]:.1%} of the trials, with {m[-1]} "
        f"in {rates[-1]:.1%}, and the curve says {average[0]:.1%} and {average[-1]:.1%}; "
        f"the bound falls to δ = {delta:g} at m = {enough}."
    )


@style.picture(columns=0)
@door
def shatter(figure, X):
    """All labellings of a few points, each with a line that does it or a proof that there is none
    (Q8): d + 1 points in general position are shattered, d + 2 never are (Radon 1921).

    >>> shatter([[0, 0], [1, 0], [0, 1]])
    Lines shatter these 3 points: 8 of 8 labellings: 8 small pictures of the same 3 points, ...
    """
    if len(style.plane_points(X)) > 4:
        raise show.refusal("X", "1 to 4 points in the plane, for 2 to 16 labellings", X)
    labellings = [np.array(y) for y in itertools.product((1, -1), repeat=len(X))]
    room, many, done = 0.3 * np.ptp(X, axis=0).max() or 1, len(labellings), 0
    columns = min(many, 4)
    rows = many // columns
    style.resize(figure, 1.3 * rows + 0.6)
    axes = figure.subplots(rows, columns, squeeze=False).flat
    for ax, y in zip(axes, labellings, strict=True):
        style.frameless(ax)
        style.show_all(ax, X - room, X + room)
        ax.set(xticks=[], yticks=[])
        if isinstance(answer := separate(with_bias(X), y), Inseparable):
            one_mean(ax, X, y, [int(v) for v in answer.multipliers])
        else:
            done += 1
            parts.marks(ax, X, y)
            parts.line(ax, answer.w[:2], answer.w[2], look={**style.U, "lw": 1.4}, name="")
    verdict = "shatter" if done == many else "do not shatter"
    return f"Lines {verdict} these {len(X)} points: {done} of {many} labellings", (
        f"{many} small pictures of the same {len(X)} points, one for each labelling; {done} with "
        f"a line that separates the classes, {many - done} with the common point of both hulls, "
        "Radon's point, which no line can separate from itself."
    )


# --- the exercises --------------------------------------------------------------------------------

LIST_SAMPLE = (
    np.array([[1, 0, 0], [1, 1, 0], [0, 1, 1], [0, 0, 1], [1, 0, 1], [0, 0, 0]]),
    np.array([-1, -1, -1, 1, 1, 1]),
)
FIVE_IN_SPACE = np.array([[0, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, 4], [3, 2, 1]])


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
    "The hypothesis is a 2-CNF, so its class counts. How many clauses have one literal, and how "
    "many have two?",
    "There are 2·10 clauses of one literal and 4·45 of two. Each set of clauses is a hypothesis.",
)
def examples_by_cnf(m):
    """The sample size for 2-term DNF of 10 bits by 2-CNF, ε = 1/20, δ = 1/100 (Q2, Q7)."""
    eps, delta, value, clauses = 0.05, 0.01, exact_number(m), len(groups(10, 2))
    require(value > 0, "it must be positive")
    near, exact = math.ceil(value), sample_size(eps, delta, 2**clauses)
    for size, reason in {
        2 ** (clauses - 20): "clauses of a single literal count, too",
        2**20: "h comes from the 2-CNFs, so there is more to count than 20 literals",
        2 ** (2 * 20): "count the hypotheses, 2-CNFs, and not the pairs of terms",
        3**20: "count the hypotheses, 2-CNFs, and not the pairs of terms",
        clauses: f"you took |H| = {clauses}, the number of clauses; a 2-CNF is a *set* of clauses",
        2 ** (clauses + 10): "a clause such as x1 ∨ ¬x1 does not count",
    }.items():
        require(near != sample_size(eps, delta, size), reason)
    bits = math.ceil((clauses + math.log2(1 / delta)) / eps)
    require(near != bits, "the logarithms in the theorem are natural ones")
    require(near != math.ceil(clauses * math.log(2) / eps), "the share of δ is missing")
    require(value.denominator == 1 or near != exact, "a number of examples is a whole number")
    require(value >= exact, "the theorem asks for more than that")
    require(value == exact, "fewer are enough")
    return f"{clauses} clauses, so |H| is at most 2 to the {clauses}, and {exact:,} examples do."


@checker(
    "06.3",
    "Find numbers a_i, not all 0, with Σ a_i (x_i, 1) = 0. The sign of a_i is the label.",
    "x_4 = (3, 2, 1) is a combination of the three long edges: divide 3, 2 and 1 by 4. How much of "
    "x_0 makes the a_i sum to 0?",
)
def radon(y, multipliers):
    """Labels of five points in space that no plane gives, with multipliers that prove it (Q8)."""
    y = checks.labels(y, len(FIVE_IN_SPACE))
    wanted = "five whole numbers, 0 or more and not all 0, are asked for as multipliers"
    lam = whole_list(multipliers, wanted)
    require(len(lam) == len(y) and min(lam) >= 0 and any(lam), wanted)
    lifted = with_bias(FIVE_IN_SPACE).astype(int)
    require(isinstance(separate(lifted, y), Inseparable), "some plane gives these labels")
    total = sum(v * int(label) * x for v, label, x in zip(lam, y, lifted, strict=True))
    unproved = f"no plane gives these labels, but Σ λ_i y_i (x_i, 1) is {show.numbers(total)}"
    require(not total.any(), unproved)
    return "these multipliers prove that no plane gives the labels."
