"""Boolean concepts, and learners that find a consistent one whenever there is one.

One learner does for conjunctions, disjunctions, k-CNF and k-DNF (Q3, Q4).  Call each clause that
might occur a new feature; then the concept is a *monotone* conjunction of new features, and it is
enough to throw out the features that are 0 in some positive example.  Disjunctions are
conjunctions of negations, learnt with the labels turned round.  Decision lists have a learner of
their own, as greedy (Q5).

A literal is a whole number as in the DIMACS format: 3 means x3, -3 means ¬x3.
"""

import itertools
import math
from dataclasses import dataclass

import numpy as np

from perceptron_lib import checks, show

MOST_BYTES = 2**28  # a table of features may be so large
LITERALS = "whole numbers other than 0"
CONCEPTS = ("monotone conjunction", "conjunction", "disjunction", "CNF", "DNF")


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

    def __post_init__(self):
        checks.instance(self.conjunction, bool, "conjunction", "True or False")
        if not _all(_are_literals, self.groups):
            raise checks.refusal("groups", f"tuples of literals, {LITERALS}", self.groups)

    def predict(self, X):
        """The label of each row of 0s and 1s."""
        X = checks.zeros_and_ones(X)
        values = _values(X, self.groups, self.conjunction)
        holds = values.all(axis=1) if self.conjunction else values.any(axis=1)
        return np.where(holds, 1, -1)

    def __str__(self):
        outer, inner = (" ∧ ", " ∨ ") if self.conjunction else (" ∨ ", " ∧ ")
        needed = [g for g in self.groups if not any(set(h) < set(g) for h in self.groups)]
        single = {g[0] for g in needed if len(g) == 1}
        if any(-literal in single for literal in single):
            return "false" if self.conjunction else "true"  # x1 ∧ ¬x1, or x1 ∨ ¬x1
        parts = [inner.join(map(literal_name, group)) for group in needed]
        if len(parts) > 1:
            parts = [f"({p})" if inner in p else p for p in parts]
        return outer.join(parts) or ("true" if self.conjunction else "false")

    __repr__ = __str__


@dataclass(frozen=True)
class DecisionList:
    """If the first literal holds, its label; else if the second …; else the default.

    >>> print(DecisionList(((-1, 1), (5, -1)), 1))
    if ¬x1 then + else if x5 then − else +
    """

    rules: tuple  # of pairs (literal, label)
    default: int

    def __post_init__(self):
        object.__setattr__(self, "default", int(checks.labels([self.default], 1)[0]))
        if not _all(_is_rule, self.rules):
            expected = f"pairs of a literal ({LITERALS}) and a label"
            raise checks.refusal("rules", expected, self.rules)

    def predict(self, X):
        """The label of each row of 0s and 1s."""
        X = checks.zeros_and_ones(X)
        labels = np.full(len(X), self.default)
        for literal, label in reversed(self.rules):
            labels[_literal(X, literal)] = label
        return labels

    def __str__(self):
        rules = [f"if {literal_name(r)} then {_sign(label)} else " for r, label in self.rules]
        return "".join(rules) + _sign(self.default)

    __repr__ = __str__


def literal_name(literal):
    """x3 for 3, ¬x3 for -3.

    >>> literal_name(3), literal_name(-3)
    ('x3', '¬x3')
    """
    return ("¬" if literal < 0 else "") + f"x{abs(literal)}"


def _sign(label):
    return "+" if label > 0 else "−"


def _all(holds, parts):
    return isinstance(parts, (tuple, list)) and all(map(holds, parts))


def _are_literals(group):
    return _all(lambda v: isinstance(v, (int, np.integer)) and v != 0, group) and len(group) > 0


def _is_rule(rule):
    return _are_literals(rule) and len(rule) == 2 and rule[1] in (1, -1)


def _literal(X, literal):
    if abs(literal) > X.shape[1]:
        raise ValueError(
            f"a literal must be from 1 to {X.shape[1]}, or minus that, for so many columns of X; "
            f"got {literal}"
        )
    column = X[:, abs(literal) - 1]
    return column if literal > 0 else ~column


def _values(X, groups, clauses):
    """A column for each group: the OR of its literals (clauses), or their AND (terms)."""
    values = np.empty((len(X), len(groups)), dtype=bool)
    combine = np.logical_or if clauses else np.logical_and
    for j, group in enumerate(groups):
        values[:, j] = combine.reduce([_literal(X, literal) for literal in group])
    return values


def groups(n, k, negations=True):
    """All sets of one to k literals of different variables among x1 … xn.

    >>> groups(2, 1)
    [(1,), (-1,), (2,), (-2,)]
    """
    n, k = checks.whole(n, "n"), checks.whole(k, "k")
    most = MOST_BYTES // 250
    if _more_groups_than(most, n, k):
        raise ValueError(f"n and k must be smaller: there are more than {most:,} groups")
    found = []
    for size in range(1, min(k, n) + 1):
        for variables in itertools.combinations(range(1, n + 1), size):
            signs_of = itertools.product((1, -1), repeat=size) if negations else [(1,) * size]
            found += [tuple(s * v for s, v in zip(ss, variables, strict=True)) for ss in signs_of]
    return found


def _more_groups_than(most, n, k):
    """Whether there are more: the features of the reduction, of order n**k, can be very many."""
    sizes = range(1, min(k, n) + 1)
    totals = itertools.accumulate(math.comb(n, size) * 2**size for size in sizes)
    return any(total > most for total in totals)


def learn(X, y, concept="conjunction", k=1):
    """A consistent concept of the class, or `NO_CONCEPT` (Q3, Q4).

    `concept` is "monotone conjunction", "conjunction", "disjunction", "CNF" or "DNF"; k is the
    size of the clauses or terms of the last two.

    >>> learn([[1, 0, 1], [1, 0, 0], [0, 0, 1]], [1, 1, -1])
    x1 ∧ ¬x2
    """
    X = checks.zeros_and_ones(X)
    y = checks.labels(y, len(X))
    checks.one_of(concept, "concept", CONCEPTS)
    k, n = checks.whole(k, "k"), X.shape[1]
    if concept not in ("CNF", "DNF"):
        k = 1
    most = MOST_BYTES // (len(X) + 250)  # a byte for each value, and the names
    if _more_groups_than(most, n, k):
        raise ValueError(
            f"k must be smaller: {n:,} variables and k = {show.shown(k)} make more than {most:,} "
            f"features, which take more than {MOST_BYTES // 2**20} MiB for {len(X):,} examples"
        )
    conjunction = concept not in ("disjunction", "DNF")
    candidates = groups(n, k, negations=concept != "monotone conjunction")
    values = _values(X, candidates, conjunction)
    if not conjunction:  # not f is the conjunction of the negated terms
        values, y = ~values, -y
    kept = _monotone_conjunction(values, y)
    if kept is None:
        return NO_CONCEPT
    return Formula(tuple(candidates[j] for j in kept), conjunction)


def _monotone_conjunction(features, y):
    """Keep the features that are 1 in all positive examples; None if a negative one slips in."""
    kept = np.flatnonzero(features[y > 0].all(axis=0))
    if features[y < 0][:, kept].all(axis=1).any():
        return None
    return kept


def learn_decision_list(X, y):
    """A consistent decision list, or `NO_CONCEPT`, by the greedy rule (Q5).

    Take any rule that is right wherever it applies, and applies somewhere; throw out the examples
    it settles; go on with the rest.

    >>> learn_decision_list([[0, 0], [0, 1], [1, 0], [1, 1]], [-1, -1, 1, -1])
    if ¬x1 then − else if x2 then − else +
    """
    X = checks.zeros_and_ones(X)
    y = checks.labels(y, len(X))
    literals = [s * v for v in range(1, X.shape[1] + 1) for s in (1, -1)]
    rules, left = [], np.ones(len(X), dtype=bool)
    while len(set(y[left].tolist())) > 1:
        for literal in literals:
            applies = left & _literal(X, literal)
            if len(set(y[applies].tolist())) == 1:
                rules.append((literal, int(y[applies][0])))
                left &= ~applies
                break
        else:
            return NO_CONCEPT
    default = int(y[left][0]) if left.any() else -1
    return DecisionList(tuple(rules), default)


def all_words(n):
    """All words of n bits, in counting order.

    >>> all_words(2).tolist()
    [[0, 0], [0, 1], [1, 0], [1, 1]]
    """
    n = checks.whole(n, "n", 1, 20, " (there are 2**n words)")
    return np.arange(2**n)[:, None] >> np.arange(n)[::-1] & 1


def decision_list_functions(n):
    """Every function of n bits that a decision list computes, as a set of truth tables.

    A truth table is a whole number, a bit for each word.  From the two constants on, "if ℓ then b
    else f" is a decision list whenever f is one.

    >>> len(decision_list_functions(3))
    96
    """
    n = checks.whole(n, "n", 1, 5, " (there are 15,036 functions for 5)")
    words = all_words(n)
    everything = 2 ** len(words) - 1
    masks = []
    for v in range(n):
        mask = sum(1 << i for i, word in enumerate(words) if word[v])
        masks += [mask, everything ^ mask]
    found, new = set(), {0, everything}
    while new:
        found |= new
        new = {g for f in new for m in masks for g in (f | m, f & ~m)} - found
    return found
