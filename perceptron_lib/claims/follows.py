"""Does each line of a proof follow from the lines it names, for all numbers?

z3 decides it: no numbers may satisfy what a line follows from, but not the line.  Nothing else is
assumed but what the quantities are: made of others, or products of vectors, or roots of others, and
that squares and roots are not negative.  What a theorem supposes, such as γ > 0, is a row.

Vectors are taken in the plane.  That is enough: the lines about them are sums over coordinates, or
Cauchy–Schwarz, which is about two vectors, and these lie in a plane.
"""

import hashlib
from collections.abc import Callable
from typing import NamedTuple

from perceptron_lib.claims.claim import RELATIONS
from perceptron_lib.claims.line import VECTORS, Symbols
from perceptron_lib.tables import table

# The steps that z3 proved when the library was tested, each by a digest of what it says and what
# it follows from: this is what `follows` shows where there is no z3.
PROVED = """
008f8c09 05160b6b 0a14dbc1 0b2f2476 0cb38ca4 10c3bfb2 12ddd9be 15af7d29 17cc28e3 1f374f83 20013580
23b4e1f2 266f0341 2857b7f2 294c026e 2efec1c4 32a666e7 345c815a 37dce051 408c5cb0 41ea371a 46e7e9f5
46f951a8 4780bfa7 49adf57f 4b6eb99f 4f5e5129 51437414 57262cd4 58477f4c 5c78c7a2 5c8857a5 674a2e66
6f9205a5 7298813f 82e87fe4 857abb88 86e4e889 87f13fff 8bbffa82 8ea1dd89 8ea9ed3d 914e6cd2 91a3bdaa
94930ee5 96e58c45 a3907663 a8fbff55 b4145bb9 c0bded55 c0f0d5e6 c1b1f5a2 c26d069c c3033f6f c592f53c
c6c32fc8 c9e06a60 cac72d77 cda7d232 cef75da2 cf1b0d33 d1008cac d2854c11 d735d31b dad4b1ff dede5204
def07e7c e0c75d6c e25e2ee5 e303d1aa e4e191e5 e7de8c13 e93b1756 e9af24c8 ec42e5db ed997d27 f5c2bc96
fcf6a3dc
"""

DEFINITIONS = {
    "R2": lambda q: q.R**2, "gamma2": lambda q: q.gamma**2, "g": lambda q: q.gamma * q.len_u,
    "each_zu": lambda q: q.zu, "each_z2": lambda q: q.z2, "each_d": lambda q: q.d,
    "n": lambda q: q.t + 1,
}  # fmt: skip
PRODUCTS = {"wu": "w u", "next_wu": "next_w u", "start_wu": "start u", "zu": "z u", "zw": "z w",
            "w2": "w w", "next_w2": "next_w next_w", "start_w2": "start start", "z2": "z z",
            "u2": "u u", "first_zu": "first_z u", "first_z2": "first_z first_z",
            "across": "x v", "across_x2": "x x", "v2": "v v"}  # fmt: skip
ROOTS = {"len_w": "w2", "next_len": "next_w2", "start_len": "start_w2", "len_z": "z2",
         "len_u": "u2", "len_v": "v2", "root_t": "t", "root_n": "n",
         "root_D": "square_D"}  # fmt: skip
NOT_NEGATIVE = {*ROOTS, *ROOTS.values(), "R", "r", "D", "r2"}
EARLIER = {  # one update earlier
    "next_w": "w", "next_wu": "wu", "next_w2": "w2", "next_len": "len_w",
    "t": lambda q: q.t - 1, "root_n": "root_t", "H": lambda q: q.H - 1 / (q.t + 1),
    "sum_d": lambda q: q.sum_d - q.d, "sum_z2": lambda q: q.sum_z2 - q.z2,
}  # fmt: skip
AT_START = {  # before the first
    "next_w": "start", "next_wu": "start_wu", "next_w2": "start_w2", "next_len": "start_len",
    **{name: lambda q: 0 for name in ("t", "sum_d", "sum_z2")},
    **{name: lambda q: 1 for name in ("root_n", "H")},
}  # fmt: skip
FIRST = {"each_zu": "first_zu", "each_z2": "first_z2"}


class Pair(NamedTuple):
    """A vector in the plane."""

    x: object
    y: object

    def __add__(self, other):
        return Pair(self.x + other.x, self.y + other.y)

    def __matmul__(self, other):
        return self.x * other.x + self.y * other.y


class Variables:
    """Quantities that are variables of z3, or made of others."""

    def __init__(self, definitions, vectors):
        self._definitions, self._vectors, self.variables = definitions, vectors, {}

    def __getattr__(self, name):
        from z3 import Real

        if self._vectors and name in PRODUCTS:
            one, other = PRODUCTS[name].split()
            return getattr(self, one) @ getattr(self, other)
        if name in self._definitions:
            return self._definitions[name](self)
        if name not in self.variables:
            is_vector = any(name in pair.split() for pair in PRODUCTS.values())
            pair = Pair(Real(f"{name}.x"), Real(f"{name}.y")) if is_vector else Real(name)
            self.variables[name] = pair
        return self.variables[name]

    def facts(self, name):
        """What is true of a variable on every run."""
        value = self.variables[name]
        if name in NOT_NEGATIVE:
            yield value >= 0
        if name in ROOTS:
            yield value**2 == getattr(self, ROOTS[name])
        if name == "t":
            yield value >= 1  # it counts the updates


class Instead:
    """The same quantities, some of them standing for others."""

    def __init__(self, q, others):
        self._q, self._others = q, others

    def __getattr__(self, name):
        other = self._others.get(name, name)
        return getattr(self._q, other) if isinstance(other, str) else other(self._q)


class Obligation(NamedTuple):
    """A goal, and premises by their rows, functions of quantities that give lists of conditions;
    what quantities are made of, and whether vectors are."""

    goal: Callable
    premises: dict
    definitions: dict
    vectors: bool


def obligations(chain, line):
    """What has to be proved for a line: for an induction, its start and its step."""
    lines = {row: chain[row] for row in line.rows}
    names = frozenset().union(*(chain.spelled[v.row].names for v in (line, *lines.values())))
    rest = DEFINITIONS | chain.definitions, bool(line.fact or names & VECTORS)
    premises = {}
    for row, other in lines.items():
        says, views = chain.spelled[other.row], [{}]
        if "first_z" in names and says.for_each:
            views.append(FIRST)  # what holds for each example holds for the first as well
        premises[row] = _says(other, views, line.choose if says.names & {*line.choose} else ())
    if line.induction:
        yield Obligation(_says(line, [AT_START]), premises, *rest)
        premises = premises | {"itself": _says(line, [EARLIER])}
    yield Obligation(_says(line, [{}]), premises, *rest)


def _says(line, views, choose=()):
    """The conditions that a line states, as a function of quantities: seen in these ways, or, if
    values are chosen for a quantity in it, for each of them that is above 0."""

    def conditions(q):
        from z3 import And, Implies

        name, *values = choose or ("",)
        cases = [(value(q) > 0, Instead(q, {name: value})) for value in values]
        stated = []
        for there, here in cases or [(True, Instead(q, view)) for view in views]:
            there = And(there, *_holds(line.where(here))) if line.where else there
            stated += [Implies(there, claim) for claim in _holds(line.relation(here))]
        return stated

    return conditions


def _holds(relation):
    left, sign, right = relation
    if isinstance(left, Pair):
        right = right if isinstance(right, Pair) else Pair(right, right)
        return [a == b for a, b in zip(left, right, strict=True)]
    return [RELATIONS[sign](left, right)]


def is_proved(obligation, seconds=20):
    """Whether z3 proves it for all numbers."""
    import z3

    goal, premises, *rest = obligation
    q, solver, stated = Variables(*rest), z3.Solver(), set()
    solver.set("timeout", int(1000 * seconds))
    solver.add(z3.Not(z3.And(*goal(q))))
    for premise in premises.values():
        solver.add(*premise(q))
    while new := sorted(q.variables.keys() - stated):
        stated.update(new)
        for name in new:
            solver.add(*q.facts(name))
    return solver.check() == z3.unsat


def proved(chain, line):
    """Whether a step is proved, from rows that stand before it: by z3 or, where there is none, by
    its having been proved when the library was tested."""
    before = {other.row for other in chain.lines[: chain.lines.index(line)]}
    if not before.issuperset(line.rows):
        return False
    try:
        import z3  # noqa: F401
    except ImportError:
        return digest(chain, line) in PROVED
    return all(map(is_proved, obligations(chain, line)))


def digest(chain, line):
    """Eight digits for what a step says and what it follows from, in the names of the quantities,
    and for what these are made of in its chain."""
    q = Symbols()
    premises = [q.spelled(chain[row])[0] for row in line.rows]
    defined = [f"{name} = {value(q).latex}" for name, value in chain.definitions.items()]
    name, *values = line.choose or ("",)
    chosen = [f"{name} = {value(q).latex}" for value in values]
    how = f"{line.induction} {line.fact}"
    text = "\n".join([q.spelled(line)[0], how, *premises, *defined, *chosen])
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def follows(proof):
    """A table: each row of a proof, what it follows from, and whether z3 proves that."""
    lines = {line.row: line for line in proof.chain.lines} if proof.chain else {}
    rows = []
    for claim in proof.claims:
        line = lines.get(claim.row)
        if line and (line.rows or line.fact):
            rows.append([claim.row, line.because, proved(proof.chain, line)])
        else:
            kind = "hypothesis" if line else "by definition"
            rows.append([claim.row, f"{kind}: {claim.because}", None])
    return table(["row", "from", "proved by z3"], rows)
