"""Each line of a proof follows from the lines it names, for all numbers; and a false one is found.

That z3 says so is not taken on trust: every counterexample is computed again here, from its own
definitions, and every way to spoil a chain must be noticed.
"""

import json
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction

import pytest

from perceptron_lib import claims, perceptron
from perceptron_lib.claims import follows, margin, mistakes, noise
from perceptron_lib.claims.line import Written, given
from perceptron_lib.embedding import longest, unit_length, with_bias
from perceptron_lib.examples import five_points, margin_stream, separable
from perceptron_lib.perceptron import margin_perceptron
from tests.reference import dot, red

CHAINS = {
    "mistakes": mistakes.MISTAKES, "lengths": mistakes.LENGTHS, "bias": mistakes.BY_ONE,
    "bias R": mistakes.BY_R, "margin": margin.MARGIN, "hinge": noise.HINGE, "lift": noise.LIFT,
}  # fmt: skip
STORED = json.loads(follows.STORE.read_text(encoding="utf-8"))["rows"]
LINES = [(chain, line) for chain in CHAINS.values() for line in chain.lines]
STEPS = [
    pytest.param(chain, line, id=f"{name}-{line.row}")
    for name, chain in CHAINS.items()
    for line in chain.lines
    if line.rows or line.fact
]

# --- what is stored ------------------------------------------------------------------------------


def test_what_is_stored_is_what_is_found_afresh():
    assert follows.find_out() == STORED


def test_every_row_is_proved_and_needs_each_of_its_premises():
    """A premise without a counterexample would be one that is not needed."""
    for _, line in LINES:
        if line.rows or line.fact:
            known = STORED[line.alias or line.row]
            assert known["proved"] is True
            assert len(known["without"]) == len(line.rows) and all(known["without"].values())


@pytest.mark.parametrize(("chain", "line"), STEPS)
def test_a_row_follows_in_every_chain_it_is_used_in_and_its_premises_can_be_true(chain, line):
    """Also under another name, where its symbols may mean something else.  (From premises that
    contradict each other, everything follows.)"""
    for duty in follows.obligations(chain, line):
        assert follows.is_proved(duty)
        assert can_be_true(duty)


def can_be_true(duty):
    """Whether there are small numbers for which the premises hold, and the goal."""
    turned = duty._replace(goal=lambda q: [not all(duty.goal(q))])
    return any(follows.counterexample(turned, vectors) for vectors in (True, False))


# --- the counterexamples, computed again ---------------------------------------------------------

PRODUCTS = {"wu": "w u", "next_wu": "next_w u", "start_wu": "start u", "zu": "z u", "zw": "z w",
            "w2": "w w", "next_w2": "next_w next_w", "start_w2": "start start", "z2": "z z",
            "u2": "u u", "v2": "v v", "across": "x v", "across_x2": "x x",
            "first_zu": "first_z u", "first_z2": "first_z first_z"}  # fmt: skip
LENGTHS = {"len_w": "w2", "next_len": "next_w2", "start_len": "start_w2", "len_z": "z2",
           "len_u": "u2", "len_v": "v2", "R": "R2", "gamma": "gamma2", "r": "r2", "D": "D2",
           "root_t": "t"}  # fmt: skip
ABOVE_ZERO = ("gamma", "R", "r", "D", "c2", "Delta2", "len_u", "len_v", "u2", "v2")
NOT_BELOW = ("d", "TD", "r2", "len_w", "next_len", "start_len", "len_z", "root_t", "root_D",
             "across_x2", "plain_z2")  # fmt: skip


def quantities(chain, numbers):
    """All that follows from the numbers of a counterexample, by name; they must fit together."""
    q = {name: [*map(Fraction, v)] if isinstance(v, list) else Fraction(v)
         for name, v in numbers.items()}  # fmt: skip

    def has(names):
        return all(name in q for name in names.split())

    def learn(name, value):
        assert q.setdefault(name, value) == value, name

    if has("w z"):
        q.setdefault("next_w", [a + b for a, b in zip(q["w"], q["z"], strict=True)])
    for name, pair in PRODUCTS.items():
        if has(pair):
            learn(name, dot(*(q[vector] for vector in pair.split())))
    for name, square in LENGTHS.items():
        if has(name):
            learn(square, q[name] ** 2)
    if chain in (mistakes.BY_ONE, mistakes.BY_R):
        if has("r2 c2"):
            learn("R2", q["r2"] + q["c2"])
        if has("v2 b c2"):
            learn("u2", q["v2"] + q["b"] ** 2 / q["c2"])
    if chain is noise.LIFT and has("r2"):
        q["Delta2"] = q["Delta2"] if has("Delta2") else q["r"] * q["D"]  # H5 chooses it
        learn("R2", q["r2"] + q["Delta2"])
    length = "len_v" if chain in (mistakes.BY_ONE, mistakes.BY_R) else "len_u"
    if has(f"gamma {length}"):
        learn("g", q["gamma"] * q[length])
    if has("g v2"):
        q["plain_gamma2"] = q["g"] ** 2 / q["v2"]
    if has("TD g"):
        q["loss"] = q["TD"] / q["g"]
    if has("root_D"):
        assert q["root_D"] ** 2 == q["R2"] + 4 * q["g"] * q["TD"] / q["u2"]
    if has("H"):
        assert q["H"] == sum(1 / Fraction(k) for k in range(1, int(q["t"]) + 1))
    for sums, last in (("sum_d", "d"), ("sum_z2", "z2")):
        assert not has(f"{sums} {last}") or q[sums] >= q[last] >= 0
    assert all(q[name] > 0 for name in ABOVE_ZERO if name in q)
    assert all(q[name] >= 0 for name in NOT_BELOW if name in q)
    assert 0 < q.get("eps", Fraction(1, 2)) < 1
    assert q.get("t", 1) >= 1 and q.get("t", Fraction(1)).denominator == 1
    of_each = {f"each_{name}": q[name] for name in ("zu", "z2", "d") if name in q}
    return q | of_each


NEXT = {"next_w": "w", "next_wu": "wu", "next_w2": "w2", "next_len": "len_w"}


def earlier(q):
    """The same, one update earlier."""
    moved = {later: q[now] for later, now in NEXT.items() if now in q}
    steps = {"t": 1, "H": 1 / q.get("t", 1), "sum_d": q.get("d"), "sum_z2": q.get("z2")}
    return q | moved | {name: q[name] - k for name, k in steps.items() if name in q}


def at_start(q):
    """The same, before the first update."""
    firsts = {"next_w": "start", "next_wu": "start_wu", "next_w2": "start_w2",
              "next_len": "start_len"}  # fmt: skip
    moved = {later: q[first] for later, first in firsts.items() if first in q}
    return q | moved | dict.fromkeys(("t", "H", "sum_d", "sum_z2"), 0)


def for_the_first(q):
    """What is said of each example, of the first."""
    return q | {f"each_{name}": q[f"first_{name}"] for name in ("zu", "z2") if f"first_{name}" in q}


class Names:
    def __init__(self, q):
        vars(self).update(q)


def is_true(relation, q):
    left, sign, right = relation(Names({k: Coordinates(v) if isinstance(v, list) else v
                                        for k, v in q.items()}))  # fmt: skip
    if right == 0 and isinstance(left, Coordinates):
        right = [0] * len(left)
    return {"=": left == right, "≤": left <= right, "≥": left >= right, "<": left < right}[sign]


class Coordinates(list):
    """A vector: sums are by coordinates."""

    def __add__(self, other):
        return Coordinates(a + b for a, b in zip(self, other, strict=True))


def holds(line, q):
    """Whether what a line says is true of these numbers."""
    return (line.where is not None and not is_true(line.where, q)) or is_true(line.relation, q)


def situations(chain, line, q):
    """Where a line may turn out false: what it says there, and what its premises say."""

    def said(rows):
        for row in rows:
            other, seen = chain[row], earlier(q) if row.endswith("-") else q
            of_first = "first_z" in q and other.relation(Spelled())[0].latex.startswith("each_")
            yield row, other, [for_the_first(q), *([q] if "z" in q else [])] if of_first else [seen]

    premises = list(said(line.rows))
    if line.induction:
        yield at_start(q), premises
        premises = [*premises, ("itself", line, [earlier(q)])]
    yield q, premises
    if any(f"{line.row}-" in other.rows for other in chain.lines):
        yield at_start(q), [(row, other, [at_start(q)]) for row, other, _ in premises]


class Spelled:
    """Quantities that are spelled by their names."""

    def __getattr__(self, name):
        return Written(name)


def is_false_without(chain, line, dropped, q):
    """Whether the line is false though its other premises are true."""
    for where, premises in situations(chain, line, q):
        others = [(other, seen) for row, other, all_seen in premises if row != dropped
                  for seen in all_seen]  # fmt: skip
        try:
            if not holds(line, where) and all(holds(other, seen) for other, seen in others):
                return True
        except AttributeError:  # the numbers are for another situation
            continue
    return False


COUNTEREXAMPLES = [
    pytest.param(chain, line, row, id=f"{line.row} without {row}")
    for chain, line in LINES
    if line.alias in ("", line.row)
    for row in line.rows
    if row in STORED[line.row]["without"]  # and not under the name it has in another chain
]


@pytest.mark.parametrize(("chain", "line", "row"), COUNTEREXAMPLES)
def test_without_a_premise_a_row_is_false_for_the_numbers_that_are_stored(chain, line, row):
    numbers = STORED[line.row]["without"][row]
    q = quantities(chain, numbers)
    assert is_false_without(chain, line, row, q)
    assert not is_false_without(chain, line, None, q)  # with all its premises it is not


def test_for_the_hypotheses_a_reader_cares_about_the_numbers_are_vectors():
    for row in ("P0a", "P0b", "P2b", "P3a", "M0a", "M0b", "M1a", "M3d"):
        shown = [known["without"][row] for known in STORED.values() if row in known["without"]]
        assert shown
        for numbers in shown:
            assert any(isinstance(value, list) for value in numbers.values())
            assert not numbers.keys() & PRODUCTS.keys()


def test_without_a_mistake_the_weights_may_grow_too_fast():
    """The stored w and z, run: the weights w, then an update by z although z·w > 0."""
    numbers = STORED["P2"]["without"]["P2b"]
    w, z, R = ([*map(int, numbers["w"])], [*map(int, numbers["z"])], int(numbers["R"]))
    assert dot(z, w) > 0 and dot(z, z) <= R**2
    after = [a + b for a, b in zip(w, z, strict=True)]
    assert dot(after, after) > dot(w, w) + R**2


# --- how a chain hangs together ------------------------------------------------------------------

ENDS = {"margin": ("M7", "M10")}  # two theorems in one chain; else the last row is the theorem


def complaints(chain, ends=None):
    """What is wrong with how the rows of a chain depend on each other."""
    known, needs, used = set(), {}, set()
    hypotheses = {line.row for line in chain.lines if not line.rows and not line.fact}
    for line in chain.lines:
        for row in (row.rstrip("-") for row in line.rows):
            if row not in known:
                yield f"{line.row} follows from {row}, which does not come before it"
            needs.setdefault(line.row, {line.row}).update(needs.get(row, {row}))
            used.add(row)
        known.add(line.row)
    for row in sorted(hypotheses - used):
        yield f"{row} is not used"
    for end in ends or [chain.lines[-1].row]:
        for row in sorted(hypotheses - needs.get(end, set())):
            yield f"{end} does not depend on {row}"


@pytest.mark.parametrize("name", CHAINS)
def test_a_chain_has_no_circle_and_ends_in_all_its_hypotheses(name):
    assert not list(complaints(CHAINS[name], ENDS.get(name)))
    assert len({line.row for line in CHAINS[name].lines}) == len(CHAINS[name].lines)


def spelled(line):
    """A relation by the names of its quantities."""
    left, sign, right = line.relation(Spelled())
    where = spelled(line._replace(relation=line.where, where=None)) if line.where else ""
    return f"{getattr(left, 'latex', left)} {sign} {getattr(right, 'latex', right)} {where}"


def clashes(lines):
    """Rows that say different things under the same name.  (P7.7 is P2a of longer vectors.)"""
    said = {}
    for line in lines:
        for name in {line.row, line.alias or line.row}:
            if said.setdefault(name, spelled(line)) != spelled(line):
                yield name


def test_a_name_means_one_relation_in_all_chains():
    assert not list(clashes(line for _, line in LINES))


# --- spoiled chains ------------------------------------------------------------------------------

FIVE, SMALL, STREAM = five_points(), separable(40, 2, 1 / 32, seed=1), margin_stream(1 / 8)
B = with_bias(SMALL.X)
ONE_PASS = perceptron(SMALL.X, -SMALL.y, max_passes=1)
AT_HAND = {  # a chain: where it is kept, and a proof by it on a run
    "mistakes": (mistakes, "MISTAKES",
                 lambda: claims.mistake_bound(perceptron(*SMALL[:2]), SMALL.u)),
    "lengths": (mistakes, "LENGTHS",
                lambda: claims.lengths_bound(perceptron(*SMALL[:2]), SMALL.u)),
    "bias": (mistakes, "BY_ONE", lambda: claims.bias_bound(perceptron(B, SMALL.y), SMALL.u, 0, 1)),
    "margin": (margin, "MARGIN", lambda: claims.margin_bound(
        margin_perceptron(*STREAM[:2], 1 / 8, max_passes=1), STREAM.u, 1 / 8)),
    "hinge": (noise, "HINGE", lambda: claims.hinge_bound(ONE_PASS, SMALL.u)),
    "lift": (noise, "LIFT", lambda: claims.deviation_bound(ONE_PASS, SMALL.u)),
}  # fmt: skip


def says(row, relation=None, **more):
    """Another relation for a row, or other rows that it is said to follow from."""
    more = more | ({"relation": relation} if relation else {})
    return lambda chain: replace(chain, lines=[
        line._replace(**more) if line.row == row else line for line in chain.lines
    ])  # fmt: skip


def adds(line, row, after):
    """A line in front of a row, which is said to follow from these rows then."""

    def change(chain):
        place = [other.row for other in chain.lines].index(row)
        lines = [*chain.lines[:place], line, *chain.lines[place:]]
        return says(row, after=after)(replace(chain, lines=lines))

    return change


def unused(chain):
    return replace(chain, lines=[given("P0c", "", lambda q: (q.R2, "≥", q.gamma2)), *chain.lines])


def doubts(chain, row, ends=None):
    """What speaks against a row, or the whole chain: how it hangs together, and what z3 says."""
    yield from complaints(chain, ends)
    line = chain[row]
    for duty in follows.obligations(chain, line):
        if not follows.is_proved(duty, seconds=5):
            yield f"{row} does not follow"
        elif follows.is_proved(duty._replace(goal=lambda q: [q.t < q.t]), seconds=2):
            yield f"the premises of {row} contradict each other"
    for name in line.rows:
        duties = [duty.without(name) for duty in follows.obligations(chain, line)]
        if all(follows.is_proved(duty, seconds=2) for duty in duties):
            yield f"{row} does not need {name}"


SPOILED = {
    # what is wrong: in which chain, at which row, how; whether the run at hand shows it; and what
    # is to be said about it
    "nothing": ("mistakes", "P2", lambda chain: chain, False, []),
    "P1: twice as far": (
        "mistakes", "P1", says("P1", lambda q: (q.next_wu, "≥", q.wu + 2 * q.g)), True,
        ["P1 does not follow"]),
    "P1: a little farther": (
        "mistakes", "P1", says("P1", lambda q: (q.next_wu, "≥", q.wu + q.g + q.g / 10**6)), False,
        ["P1 does not follow"]),
    "P2: < for ≤": (
        "mistakes", "P2", says("P2", lambda q: (q.next_w2, "<", q.w2 + q.R2)), False,
        ["P2 does not follow"]),
    "P2: R for R²": (
        "hinge", "P2", says("P2", lambda q: (q.next_w2, "≤", q.w2 + q.R)), False,
        ["P2 does not follow"]),
    "P2: forgets the mistake": (
        "mistakes", "P2", says("P2", after="P2a P2c"), False,
        ["P2b is not used", "P5 does not depend on P2b", "P2 does not follow"]),
    "P2: says that it needs the margin": (
        "mistakes", "P2", says("P2", after="P2a P2b P2c P1b"), False,
        ["P2 does not need P1b"]),
    "P2: from a premise that contradicts another": (
        "mistakes", "P2", adds(given("P2d", "", lambda q: (q.zw, "≥", 1)), "P2", "P2a P2b P2c P2d"),
        True, ["the premises of P2 contradict each other", "P2 does not need P2a",
               "P2 does not need P2c", "P2 does not need P2d"]),
    "P5: from one that looks harmless": (
        "mistakes", "P5", adds(given("P5c", "", lambda q: (q.R2 + q.gamma2, "≤", q.t * 0)), "P5",
                               "P5b P5c"),
        True, ["the premises of P5 contradict each other", "P5 does not need P5b",
               "P5 does not need P5c"]),
    "P1b: from P3b, which follows from it": (
        "mistakes", "P1b", says("P1b", after="P3b"), False,
        ["P1b follows from P3b, which does not come before it", "P0a is not used",
         "P5 does not depend on P0a", "P1b does not follow"]),
    "P3b: one step too far on from the start": (
        "mistakes", "P3b", says("P3b", lambda q: (q.next_wu, "≥", (q.t + 1) * q.g)), False,
        ["P3b does not follow"]),
    "P3b: starts anywhere": (
        "mistakes", "P3b", says("P3b", after="P1"), False, ["P3b does not follow"]),
    "P3c: no induction": (
        "mistakes", "P3c", says("P3c", induction=False), False, ["P3c does not follow"]),
    "M10: γ for γ²": (
        "margin", "M10", says("M10", lambda q: (
            q.eps * q.t, "≤", q.R - q.gamma + q.R2 / (2 * q.gamma) * q.H)), True,
        ["M10 does not follow"]),
    "P5: one less": (
        "mistakes", "P5", says("P5", lambda q: (q.t, "≤", q.R2 / q.gamma2 - 1)), False,
        ["P5 does not follow"]),
    "P5: out of thin air": (
        "mistakes", "P5", says("P5", after="P0b"), False,
        ["P5 does not depend on A2a", "P5 does not depend on P0a", "P5 does not depend on P2b",
         "P5 does not depend on P3a", "P5 does not follow"]),
    "a hypothesis that nothing needs": (
        "mistakes", "P5", unused, False, ["P0c is not used", "P5 does not depend on P0c"]),
    "P14a: forgets the mistake": (
        "lengths", "P14a", says("P14a", after="P3a P2a"), False,
        ["P2b is not used", "P14 does not depend on P2b", "P14a does not follow"]),
    "P7: 3 for 4": (
        "bias", "P7", says("P7", lambda q: (q.t, "≤", 3 / q.gamma2)), False,
        ["P7 does not follow"]),
    "P7.19: b for b²": (
        "bias", "P7.19", says("P7.19", lambda q: (q.b, "≤", q.r2 * q.v2)), False,
        ["P7.19 does not follow"]),
    "M3: half of what may be gained": (
        "margin", "M3", says("M3", lambda q: (
            q.len_w * q.next_len, "≤", q.w2 + q.R2 / 2 + (1 - q.eps) * q.gamma * q.len_w / 2)),
        True, ["M3 does not follow"]),
    "M4a: from half that length on": (
        "margin", "M4a", says("M4a", where=lambda q: (q.len_w, "≥", q.R2 / (2 * q.eps * q.gamma))),
        True, ["M4a does not follow"]),
    "M5b: one more": (
        "margin", "M5b", says("M5b", lambda q: ((q.t + 2) * q.gamma, "≤", q.next_len)), True,
        ["M5b does not follow"]),
    "M7: 1 for 2": (
        "margin", "M7", says("M7", lambda q: (
            q.t, "≤", (q.R / (q.eps * q.gamma)) ** 2 + q.R / (q.eps * q.gamma))), False,
        ["M7 does not follow"]),
    "M10a: by the length of the next w": (
        "margin", "M10a", says("M10a", after="M3 M5b"), False, ["M10a does not follow"]),
    "M10b: R forgotten at the start": (
        "margin", "M10b", says("M10b", lambda q: (
            q.next_len, "≤", q.R2 / (2 * q.gamma) * q.H + q.t * (1 - q.eps) * q.gamma)), False,
        ["M10b does not follow"]),
    "H4: the loss once": (
        "hinge", "H4", says("H4", lambda q: (q.t, "≤", q.R2 / q.gamma2 + q.loss)), False,
        ["H4 does not follow"]),
    "H3: each d any number of times": (
        "hinge", "H3", says("H3", after="H3b"), False,
        ["H2a is not used", "H4 does not depend on H2a", "H3 does not follow"]),
    "H5: without the product": (
        "lift", "H5", says("H5", lambda q: (q.t, "≤", (q.r**2 + q.D**2) / q.plain_gamma2)), False,
        ["H5 does not follow"]),
}  # fmt: skip


@pytest.mark.parametrize("wrong", SPOILED)
def test_a_false_step_is_found_even_where_the_run_at_hand_satisfies_it(wrong, monkeypatch):
    name, row, change, seen_on_the_run, expected = SPOILED[wrong]
    module, kept_as, prove = AT_HAND[name]
    spoiled = change(CHAINS[name])
    found = list(dict.fromkeys(doubts(spoiled, row, ENDS.get(name))))
    assert found == expected
    monkeypatch.setattr(module, kept_as, spoiled)
    proof = prove()
    assert bool(red(proof)) == seen_on_the_run
    # The table says so, too, with z3; and without it, that the row is not what was proved.
    ((_, _, tick, told),) = rows_of(proof, row)
    follow = f"{row} does not follow"
    assert tick == (follow not in found)
    assert [one for one in told.split("\n") if one.endswith("is not needed")] == [
        f"{one.split()[-1]} is not needed" for one in found if "does not need" in one
    ]
    monkeypatch.setitem(sys.modules, "z3", None)
    ((_, _, tick, _),) = rows_of(proof, row)
    assert tick == (wrong in UNCHANGED)


UNCHANGED = ("nothing", "a hypothesis that nothing needs", "P3c: no induction",
             "M4a: from half that length on")  # fmt: skip


def rows_of(proof, row):
    """A row of the table; M7 may be called M5 there."""
    names = (row, "M5") if row == "M7" else (row,)
    return [cells for cells in proof.follows().rows if cells[0] in names]


def test_a_circle_of_true_steps_gets_no_tick(monkeypatch):
    """P1b from P1 and P1a, and P1 from P1a and P1b: each follows, but neither is proved."""
    circle = says("P1b", lambda q: (q.next_wu, "≥", q.wu + q.g), after="P1")(mistakes.MISTAKES)
    circle = says("P1", after="P1b")(circle)
    monkeypatch.setattr(mistakes, "MISTAKES", circle)
    proof = claims.mistake_bound(perceptron(*FIVE[:2]), FIVE.u)
    ticks = {row: tick for row, _, tick, _ in proof.follows().rows}
    assert ticks["P1b"] is False and ticks["P1"] is True and ticks["P2"] is True


def test_the_counterexamples_are_really_looked_at():
    """Numbers that show nothing, and numbers that do not fit together."""
    chain, line = mistakes.MISTAKES, mistakes.MISTAKES["P2"]
    shown = STORED["P2"]["without"]["P2b"]
    assert is_false_without(chain, line, "P2b", quantities(chain, shown))
    for changes in ({"w": ["0", "0"]}, {"w": ["-1", "0"]}, {"R": "2"}, {"z": ["2", "0"]}):
        assert not is_false_without(chain, line, "P2b", quantities(chain, shown | changes))
    for nonsense in ({"len_w": "2"}, {"zw": "7"}, {"R": "-1"}, {"t": "1/2"}, {"eps": "1"}):
        with pytest.raises(AssertionError):
            quantities(chain, shown | nonsense)


def test_a_name_that_means_two_things_is_found():
    other = given("P2c", "", lambda q: (q.z2, "≤", q.R))
    assert list(clashes([*mistakes.MISTAKES.lines, other])) == ["P2c"]
    alias = other._replace(row="P9", alias="P2c")
    assert list(clashes([*mistakes.MISTAKES.lines, alias])) == ["P2c"]


# --- the tables ----------------------------------------------------------------------------------

PROOFS = {
    **{name: prove for name, (_, _, prove) in AT_HAND.items()},
    "bias R": lambda: claims.bias_bound(
        perceptron(with_bias(SMALL.X, longest(SMALL.X)), SMALL.y), SMALL.u, 0, longest(SMALL.X)),
    "bias 2": lambda: claims.bias_bound(perceptron(with_bias(SMALL.X, 2), SMALL.y), SMALL.u, 0, 2),
    "normalised": lambda: claims.normalised_bound(
        perceptron(unit_length(SMALL.X), SMALL.y), SMALL.u),
    "margin 1/3": lambda: claims.margin_bound(
        margin_perceptron(*STREAM[:2], 1 / 8, Fraction(1, 3)), STREAM.u, 1 / 8, Fraction(1, 3)),
}  # fmt: skip


@pytest.mark.parametrize("name", PROOFS)
def test_the_table_has_a_tick_at_every_step_and_says_what_is_given(name):
    proof = PROOFS[name]()
    shown = {row: (reason, tick, without) for row, reason, tick, without in proof.follows().rows}
    assert list(shown) == [claim.row for claim in proof]
    lines = {line.row: line for line in proof.chain.lines}
    for row, (reason, tick, without) in shown.items():
        line = lines.get(row)
        if line is None:
            assert reason.startswith("by definition: ") and tick is None and without == ""
        elif not line.rows and not line.fact:
            assert reason == f"hypothesis: {line.why}" and tick is None and without == ""
        else:
            assert tick is True
            assert [one.split(":")[0] for one in without.split("\n") if one] == line.rows
    assert "by definition" in {reason.split(":")[0] for reason, _, _ in shown.values()}


def test_a_table_in_text_and_in_markdown():
    proof = claims.mistake_bound(perceptron(*FIVE[:2]), FIVE.u)
    steps = sum(1 for line in proof.chain.lines if line.rows or line.fact)
    found = proof.follows()
    assert repr(found).count("✓") == found._repr_markdown_().count("✓") == steps
    assert "✗" not in repr(found)
    version = json.loads(follows.STORE.read_text(encoding="utf-8"))["z3"]
    assert found.head == ["row", "from", f"z3 {version}", "fails without"]
    assert "| P2b | hypothesis: it was a mistake |  |  |" in found._repr_markdown_()
    assert "| P2 | P2a, P2b and P2c | ✓ | " in found._repr_markdown_()
    assert "P2b: $R = 1, z_t = (1, 0), w_t = (1, 0)$" in found._repr_markdown_()
    assert "| A2b | by definition: an update at each mistake |  |  |" in found._repr_markdown_()
    some = proof.lines("P2", "P5").follows()
    assert [row[0] for row in some.rows] == ["P2", "P5"]


def test_the_dual_form_is_by_definition():
    proof = claims.dual(perceptron(*FIVE[:2]), FIVE.u)
    assert all(row[1].startswith("by definition: ") for row in proof.follows().rows)


def test_tables_are_shown_where_there_is_no_z3():
    code = """import sys
sys.modules["z3"] = None
from perceptron_lib import claims, five_points, perceptron
X, y, u = five_points()
table = claims.mistake_bound(perceptron(X, y), u).follows()
print(repr(table).count("✓"), table._repr_markdown_().count("✓"))"""
    found = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True,
                           env={"PYTHONPATH": ":".join(sys.path), "PYTHONUTF8": "1"})  # fmt: skip
    assert found.stdout.split() == ["12", "12"]


def test_a_row_that_was_not_proved_is_no_tick(monkeypatch, tmp_path):
    stored = json.loads(follows.STORE.read_text(encoding="utf-8"))
    stored["rows"]["P2"]["proved"] = False
    del stored["rows"]["P1"]
    kept = tmp_path / "proved.json"
    kept.write_text(json.dumps(stored), encoding="utf-8")
    monkeypatch.setattr(follows, "STORE", kept)
    monkeypatch.setitem(sys.modules, "z3", None)  # which would prove them again
    found = claims.mistake_bound(perceptron(*FIVE[:2]), FIVE.u).follows()
    assert [row[0] for row in found.rows if row[2] is False] == ["P1", "P2"]
