"""Does each line of a proof follow from the lines it names, for all numbers, and does it need them?

z3 decides the first: a line's negation must contradict its premises.  For the second, a premise is
left out, and numbers are shown for which the line is then false: the first in a fixed search among
small whole numbers, in the plane with real vectors if that is possible.

What was found is stored beside this file, so that it can be shown where there is no z3:

    python -m perceptron_lib.claims.follows         proves everything again, and stores it
"""

import json
import operator
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from perceptron_lib.claims.line import SYMBOLS, VECTORS, Chain, Symbols
from perceptron_lib.tables import table

STORE = Path(__file__).with_name("proved.json")
COMPARE = {"=": operator.eq, "≤": operator.le, "≥": operator.ge, "<": operator.lt}

# --- what the quantities are ---------------------------------------------------------------------

MADE = {
    "R2": lambda q: q.R**2,
    "gamma2": lambda q: q.gamma**2,
    "g": lambda q: q.gamma * q.len_u,
    "each_zu": lambda q: q.zu,
    "each_z2": lambda q: q.z2,
    "each_d": lambda q: q.d,
}
LENGTHS = {"len_w": "w2", "next_len": "next_w2", "start_len": "start_w2", "len_z": "z2",
           "len_u": "u2", "len_v": "v2"}  # fmt: skip
AS_NUMBERS = {square: lambda q, n=name: getattr(q, n) ** 2 for name, square in LENGTHS.items()}
PRODUCTS = {"wu": "w u", "next_wu": "next_w u", "start_wu": "start u", "zu": "z u", "zw": "z w",
            "w2": "w w", "next_w2": "next_w next_w", "start_w2": "start start", "z2": "z z",
            "u2": "u u", "first_zu": "first_z u", "first_z2": "first_z first_z",
            "across": "x v", "across_x2": "x x", "v2": "v v"}  # fmt: skip
IN_THE_PLANE = {
    name: lambda q, one=one, other=other: getattr(q, one) @ getattr(q, other)
    for name, (one, other) in ((name, pair.split()) for name, pair in PRODUCTS.items())
}
PAIRS = {vector for pair in PRODUCTS.values() for vector in pair.split()}
POSITIVE = ("gamma", "R", "r", "D", "c2", "Delta2", "len_u", "len_v")
KNOWN = {  # of a quantity, whatever the run
    **{name: lambda q, n=name: [getattr(q, n) > 0] for name in POSITIVE},
    **{name: lambda q, n=name: [getattr(q, n) >= 0] for name in ("d", "TD", "r2")},
    "u": lambda q: [q.u @ q.u > 0],
    "v": lambda q: [q.v @ q.v > 0],
    "t": lambda q: [q.t >= 1],
    "H": lambda q: [2 * q.t / (q.t + 1) <= q.H, (q.t + 1) / 2 >= q.H],
    "sum_d": lambda q: [q.sum_d >= q.d],
    "sum_z2": lambda q: [q.sum_z2 >= q.z2],
    "eps": lambda q: [q.eps > 0, q.eps < 1],
    "root_t": lambda q: [q.root_t >= 0, q.root_t**2 == q.t],
    "root_D": lambda q: [q.root_D >= 0, q.root_D**2 == q.R2 + 4 * q.g * q.TD / q.u2],
}
EARLIER = {  # one update earlier
    "next_w": "w", "next_wu": "wu", "next_w2": "w2", "next_len": "len_w",
    "t": lambda q: q.t - 1, "H": lambda q: q.H - 1 / q.t,
    "sum_d": lambda q: q.sum_d - q.d, "sum_z2": lambda q: q.sum_z2 - q.z2,
}  # fmt: skip
AT_START = {  # before the first
    "next_w": "start", "next_wu": "start_wu", "next_w2": "start_w2", "next_len": "start_len",
    **{name: lambda q: 0 for name in ("t", "H", "sum_d", "sum_z2")},
}  # fmt: skip
FIRST = {"each_zu": "first_zu", "each_z2": "first_z2"}


class Quantities:
    """Quantities that are variables, or made of others."""

    def __init__(self, variable, made):
        self._variable, self._made, self.variables = variable, made, {}

    def __getattr__(self, name):
        if name in self._made:
            return self._made[name](self)
        if name not in self.variables:
            pair = (self._variable(name + "x"), self._variable(name + "y")) if name in PAIRS else ()
            self.variables[name] = Pair(*pair) if pair else self._variable(name)
        return self.variables[name]


class Instead:
    """The same quantities, some of them standing for others."""

    def __init__(self, q, others):
        self._q, self._others = q, others

    def __getattr__(self, name):
        other = self._others.get(name, name)
        return getattr(self._q, other) if isinstance(other, str) else other(self._q)


class Pair(NamedTuple):
    """A vector in the plane."""

    x: object
    y: object

    def __add__(self, other):
        return Pair(self.x + other.x, self.y + other.y)

    def __matmul__(self, other):
        return self.x * other.x + self.y * other.y


# --- what has to be proved -----------------------------------------------------------------------


class Obligation(NamedTuple):
    """A goal and its premises by their rows, functions of quantities that give lists of conditions;
    whether vectors are involved; and what some quantities are made of."""

    goal: Callable
    premises: dict
    vectors: bool
    made: dict

    def without(self, row):
        return self._replace(premises={r: p for r, p in self.premises.items() if r != row})


def obligations(chain, line):
    """What has to be proved for a line: for an induction, its start and its step."""
    symbols, used = Symbols(chain), [chain[row] for row in line.rows]
    premises = {
        row: _says(other, EARLIER if row.endswith("-") else {})
        for row, other in zip(line.rows, used, strict=True)
    }
    names = set().union(*(symbols.names(other.relation) for other in (line, *used)))
    if "first_z" in names:  # what holds for each example holds for the first as well
        for other in used:
            if symbols.is_for_each(other.relation):
                premises[other.row] = _says(other, {}, FIRST)
    vectors = line.fact or bool(names & VECTORS)
    made = chain.definitions | dict([line.choose] if line.choose else [])
    goal, at_start = _says(line, {}), _says(line, AT_START)
    if line.induction:
        yield Obligation(at_start, premises, vectors, made)
        premises = premises | {"itself": _says(line, EARLIER)}
    yield Obligation(goal, premises, vectors, made)
    if not line.induction and any(line.row + "-" in other.rows for other in chain.lines):
        # It is used one update earlier, so it must hold at the start as well.
        premises = {other.row: _says(other, AT_START) for other in used}
        yield Obligation(at_start, premises, vectors, made)


def _says(line, *views):
    """The conditions that a line states, as a function of quantities, seen in these ways."""

    def conditions(q):
        found = []
        for view in views:
            here = Instead(q, view) if view else q
            stated = _hold(line.relation(here))
            if line.where:
                stated = [_implies(there, stated[0]) for there in _hold(line.where(here))]
            found += stated
        return found

    return conditions


def _hold(relation):
    left, sign, right = relation
    if isinstance(left, Pair):
        right = right if isinstance(right, Pair) else Pair(right, right)
        return [a == b for a, b in zip(left, right, strict=True)]
    return [COMPARE[sign](left, right)]


def _implies(there, claim):
    if isinstance(there, bool):
        return not there or claim
    import z3

    return z3.Implies(there, claim)


def _known(name):
    """What is known of a variable, as a function of quantities."""
    own, square = KNOWN.get(name, lambda q: []), LENGTHS.get(name)
    if not square:
        return own
    return lambda q: [getattr(q, name) >= 0, getattr(q, name) ** 2 == getattr(q, square), *own(q)]


# --- proving it ----------------------------------------------------------------------------------


def is_proved(obligation, seconds=20):
    """Whether z3 proves it for all numbers (or for all vectors of the plane)."""
    import z3

    made = MADE | AS_NUMBERS | obligation.made | (IN_THE_PLANE if obligation.vectors else {})
    q, solver, seen = Quantities(z3.Real, made), z3.Solver(), set()
    solver.set("timeout", int(1000 * seconds))
    solver.add(z3.Not(z3.And(*obligation.goal(q))))
    for premise in obligation.premises.values():
        solver.add(*premise(q))
    while new := [name for name in q.variables if name not in seen]:
        seen.update(new)
        for name in new:
            solver.add(*_known(name)(q))
    return solver.check() == z3.unsat


# --- numbers for which it is false ---------------------------------------------------------------

NUMBERS = [0, 1, -1, 2, -2, 3, -3, 4, -4, Fraction(1, 2), 5, 6]
SIZES = ((1, 3), (1, 5), (2, 5), (2, 7), (2, 9), (2, 12))  # of vectors, and how many numbers
SHARES = [Fraction(1, 2), Fraction(1, 4)]


def counterexample(obligation, vectors=True, updated=True, sizes=SIZES):
    """The first numbers, by name, with which the premises hold and the goal does not; None if there
    are none.  They are about `vectors` in the plane, w_{t+1} = w_t + z_t if it is `updated`."""
    made = MADE | AS_NUMBERS | obligation.made | (IN_THE_PLANE if vectors else {})
    if vectors and updated:
        made["next_w"] = lambda q: q.w + q.z
    conditions = [lambda q: [not all(obligation.goal(q))], *obligation.premises.values()]
    needs, names = [], []
    for condition in conditions:  # to which more are added below, of what is known
        q = Quantities(lambda name: Fraction(1), made)
        condition(q)
        needs.append(set(q.variables))
        new = [name for name in q.variables if name not in names]
        names += new
        conditions += [_known(name) for name in new]
        conditions += [_as_defined(obligation.made, name) for name in new if vectors]
    due = _plan(conditions, needs)
    names = list(due)
    for reach, many in sizes:
        found = next(_values(names, due, made, reach, many), None)
        if found:
            return found
    return None


def _as_defined(made, vector):
    """That a vector's square is what the chain has defined it to be, if it has."""
    products = {pair: name for name, pair in PRODUCTS.items()}
    square = products.get(f"{vector} {vector}")
    if square not in made:
        return lambda q: []
    return lambda q: [made[square](q) == getattr(q, square)]


def _plan(conditions, needs):
    """An order for the variables, each with the conditions that can be decided when it is set: the
    next is always one of a condition that lacks fewest."""
    due, waiting = {}, [pair for pair in zip(needs, conditions, strict=True) if pair[0]]
    while waiting:
        lacking = min((needed - due.keys() for needed, _ in waiting), key=len)
        name = min(lacking)
        due[name] = []
        due[name] = [condition for needed, condition in waiting if needed <= due.keys()]
        waiting = [pair for pair in waiting if not pair[0] <= due.keys()]
    return due


def _values(names, due, made, reach, many, chosen=None):
    """All ways to give values to the names so that all conditions hold."""
    chosen = chosen or {}
    if len(chosen) == len(names):
        yield dict(chosen)
        return
    name = names[len(chosen)]
    for value in _candidates(name, reach, many):
        q = Quantities(None, made)
        q.variables = chosen | {name: value}
        if all(_is_true(condition, q) for condition in due[name]):
            yield from _values(names, due, made, reach, many, q.variables)


def _is_true(condition, q):
    try:
        return all(condition(q))
    except ZeroDivisionError:
        return False


def _candidates(name, reach, many):
    if name in PAIRS:
        near = range(reach, -reach - 1, -1)
        pairs = [Pair(Fraction(x), Fraction(y)) for x in near for y in near]
        return sorted(pairs, key=lambda pair: (pair @ pair, abs(pair.y)))
    return SHARES if name == "eps" else [Fraction(v) for v in NUMBERS[:many]]


# --- what was found ------------------------------------------------------------------------------


def chains():
    """The chains of all theorems."""
    from perceptron_lib.claims import margin, mistakes, noise

    return [mistakes.MISTAKES, mistakes.LENGTHS, mistakes.BY_ONE, mistakes.BY_R, margin.MARGIN,
            noise.HINGE, noise.LIFT]  # fmt: skip


def find_out():
    """Of every row that follows from others, what it says, whether z3 proves it, and, without each
    of its premises, numbers for which it is false."""
    found = {}
    for chain in chains():
        for line in chain.lines:
            if (line.rows or line.fact) and line.alias in ("", line.row):
                found.setdefault(line.row, look(chain, line))
    return found


def look(chain, line):
    """What is found out about a line, in plain data."""
    duties = list(obligations(chain, line))
    without = {}
    for row in line.rows:
        numbers = (_false_without(chain, row, duty) for duty in duties)
        without[row] = next(filter(None, numbers), None)
    says = Symbols(chain).spelled(line.relation)[2]
    return {"says": says, "proved": all(map(is_proved, duties)), "without": without}


def _false_without(chain, row, obligation):
    """Numbers for which a line is false without one of its premises; None if it needs it not."""
    weaker, dropped = obligation.without(row), chain[row]
    if is_proved(weaker, seconds=0.3):
        return None
    always = _is_geometry(chain, dropped)  # true of all vectors, so that numbers have to be wrong
    found = None
    if obligation.vectors or not always:
        sizes = SIZES if obligation.vectors else SIZES[:4]  # else numbers will do as well
        found = counterexample(weaker, True, not always, sizes)
    if not found and not obligation.vectors:
        found = counterexample(weaker, False)
    return found and {name: _plain(value) for name, value in found.items()}


def _is_geometry(chain, line):
    """Whether a line says no more than what an update is."""
    if "next_w" in Symbols(chain).names(line.relation) or line.fact:
        return True
    return bool(line.rows) and all(
        _is_before(chain, row, line) and _is_geometry(chain, chain[row]) for row in line.rows
    )


def _is_before(chain, row, line):
    """Whether a row stands before a line: else there might be a circle."""
    return chain.lines.index(chain[row]) < chain.lines.index(line)


def _plain(value):
    return [str(v) for v in value] if isinstance(value, Pair) else str(value)


def follows(proof):
    """A table: each row of a proof, what it follows from, whether that is proved for all numbers,
    and for which numbers it would be false without a premise.

    Where there is z3, it proves each row again; elsewhere, what is stored about it is shown, if it
    is still the same row.
    """
    stored, rows = json.loads(STORE.read_text(encoding="utf-8")), []
    chain = proof.chain or Chain([])
    for claim in proof.claims:
        line = next((line for line in chain.lines if line.row == claim.row), None)
        if line is None or not (line.rows or line.fact):
            kind = "by definition" if line is None else "hypothesis"
            rows.append([claim.row, f"{kind}: {claim.because}", None, ""])
            continue
        known = _found(chain, line, stored["rows"].get(line.alias or line.row))
        told = zip(line.rows, known["without"].values(), strict=True) if known["without"] else ()
        false = "\n".join(_told(chain, line, *one) for one in told)
        rows.append([line.row, line.because, known["proved"], false])
    head = ["row", "from", f"z3 {stored['z3']}", "fails without"]
    return table(head, rows)


def _found(chain, line, stored):
    """What is known of a line: as stored, or else as found out now."""
    same, nothing = stored and _is_same(chain, line, stored), {"proved": False, "without": {}}
    if not all(_is_before(chain, row, line) for row in line.rows):
        return nothing
    try:
        import z3  # noqa: F401
    except ImportError:
        return stored if same else nothing
    if same:
        return stored | {"proved": all(map(is_proved, obligations(chain, line)))}
    return look(chain, line)


def _is_same(chain, line, stored):
    """Whether a line says what it said, of the same rows, when it was stored.  (Under another name
    its rows have other names too, and its symbols may be written in another way.)"""
    then, now = list(stored["without"]), line.rows
    if line.alias:
        then, now = ([row.endswith("-") for row in rows] for rows in (then, now))
    usual = Symbols(Chain([], chain.symbols | SYMBOLS))
    spelled = [symbols.spelled(line.relation)[2] for symbols in (Symbols(chain), usual)]
    return then == now and stored["says"] in spelled


def _told(chain, line, row, numbers):
    """Numbers for which a line is false, as a formula; lengths that vectors have are left out."""
    if numbers is None:
        return f"{row} is not needed"
    if line.alias not in ("", line.row):
        return row  # the numbers stand where it was first proved
    symbols, said = Symbols(chain), []
    for name, value in numbers.items():
        if LENGTHS.get(name) not in PRODUCTS or PRODUCTS[LENGTHS[name]].split()[0] not in numbers:
            value = f"({', '.join(value)})" if isinstance(value, list) else value
            said.append(f"{getattr(symbols, name).latex} = {value}")
    return rf"{row}: ${', '.join(said)}$"


def store():
    """Prove everything, and store what was found."""
    import z3

    found = {"z3": z3.get_version_string(), "rows": find_out()}
    STORE.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    store()
