"""Each line of a proof follows from the lines it names, for all numbers; and a false one is found.

A step must need each of its premises, and these must not contradict each other: from a
contradiction everything follows.
"""

import sys
from dataclasses import replace

import pytest

from perceptron_lib import claims, perceptron
from perceptron_lib.claims import follows, mistakes
from perceptron_lib.claims.claim import on_run
from perceptron_lib.claims.line import Symbols, given
from perceptron_lib.claims.quantities import Quantities
from perceptron_lib.embedding import with_bias
from perceptron_lib.examples import separable
from perceptron_lib.lessons import adversary, margin, noise
from perceptron_lib.lessons.margin import margin_stream
from perceptron_lib.perceptron import margin_perceptron

SMALL, STREAM = separable(40, 2, 1 / 32, seed=1), margin_stream(1 / 8)
RUN = perceptron(*SMALL[:2])
CHAINS = {
    "mistakes": mistakes.MISTAKES, "lengths": adversary.LENGTHS, "bias": adversary.BY_ONE,
    "bias R": adversary.BY_R, "margin": margin.PHASES, "free margin": margin.FREE,
    "hinge": noise.HINGE, "lift": noise.LIFT,
}  # fmt: skip
STEPS = [
    pytest.param(chain, line, id=f"{name}-{line.row}")
    for name, chain in CHAINS.items()
    for line in chain.lines
    if line.rows or line.fact
]


def without(duty, row):
    return duty._replace(premises={r: says for r, says in duty.premises.items() if r != row})


def doubts(chain, line):
    """What speaks against a step."""
    duties = list(follows.obligations(chain, line))
    if not follows.proved(chain, line):
        yield "it does not follow"
    if any(follows.is_proved(duty._replace(goal=lambda q: [q.t < q.t]), 2) for duty in duties):
        yield "its premises contradict each other"
    for row in line.rows:
        if all(follows.is_proved(without(duty, row), 2) for duty in duties):
            yield f"it does not need {row}"


@pytest.mark.parametrize(("chain", "line"), STEPS)
def test_every_step_is_proved_and_needs_each_of_its_premises(chain, line):
    assert list(doubts(chain, line)) == []


def test_what_is_shown_without_z3_is_what_is_proved_afresh():
    fresh = {follows.digest(*step.values) for step in STEPS if follows.proved(*step.values)}
    assert sorted(fresh) == follows.PROVED.split(), "write these digests into follows.PROVED"


def test_that_there_is_a_margin_is_a_row_and_named_where_it_is_needed():
    """P1, P3b and P5b hold for γ ≤ 0 as well; to square and to divide, γ must be positive."""
    assert [line.row for line in mistakes.MISTAKES.lines if "P0c" in line.rows] == ["P5a", "P5"]


@pytest.mark.parametrize("name", CHAINS)
def test_a_chain_has_no_circle_and_its_theorems_use_all_its_hypotheses(name):
    chain, needs = CHAINS[name], {}
    for line in chain.lines:
        rows = line.rows
        assert needs.keys() >= {*rows} and line.row not in needs
        hypothesis = {line.row} if not rows and not line.fact else set()
        needs[line.row] = hypothesis.union(*(needs[row] for row in rows))
    ends = ("M7", "M11") if name == "margin" else (chain.lines[-1].row,)
    hypotheses = {line.row for line in chain.lines if not line.rows and not line.fact}
    assert set().union(*(needs[end] for end in ends)) == hypotheses


def test_a_name_means_one_relation_in_all_chains():
    says = {}
    for line in (line for chain in CHAINS.values() for line in chain.lines):
        text = Symbols().spelled(line).statement
        assert says.setdefault(line.row, text) == text


# --- spoiled chains ------------------------------------------------------------------------------


def says(row, relation=None, **more):
    """A row that is said to be another relation, or to follow from other rows."""
    more = more | ({"relation": relation} if relation else {})
    return row, lambda line: line._replace(**more)


def spoiled(chain, row, change, more=()):
    lines = [change(line) if line.row == row else line for line in chain.lines]
    return replace(chain, lines=[*more, *lines])


FAR = [given("P2d", "", lambda q: (q.zw, "≥", 1))]
NOT, HALF_WAY = ["it does not follow"], lambda q: (q.len_w, "≥", q.R2 / (2 * q.eps * q.gamma))
SPOILED = {  # in which chain, what is wrong, and what is to be said about it
    "twice as far": ("mistakes", says("P1", lambda q: (q.next_wu, "≥", q.wu + 2 * q.g)), NOT),
    "a bit farther": (
        "mistakes", says("P1", lambda q: (q.next_wu, "≥", q.wu + q.g + q.g / 10**6)), NOT),
    "< for ≤": ("mistakes", says("P2", lambda q: (q.next_w2, "<", q.w2 + q.R2)), NOT),
    "R for R²": ("hinge", says("P2", lambda q: (q.next_w2, "≤", q.w2 + q.R)), NOT),
    "one too far": ("mistakes", says("P3b", lambda q: (q.next_wu, "≥", (q.t + 1) * q.g)), NOT),
    "one less": ("mistakes", says("P5", lambda q: (q.t, "≤", q.R2 / q.gamma2 - 1)), NOT),
    "3 for 4": ("bias", says("P7", lambda q: (q.t, "≤", 3 / q.gamma2)), NOT),
    "one more": ("margin", says("M5b", lambda q: ((q.t + 2) * q.gamma, "≤", q.next_len)), NOT),
    "the loss once": ("hinge", says("H4", lambda q: (q.t, "≤", q.R2 / q.gamma2 + q.loss)), NOT),
    "no product": (
        "lift", says("H5", lambda q: (q.t, "≤", (q.r**2 + q.D**2) / q.plain_gamma2)), NOT),
    "no induction": ("mistakes", says("P3c", induction=False), NOT),
    "half that length": ("margin", says("M4a", where=HALF_WAY), NOT),
    "without a start": ("margin", says("M11b", after="M11a M0c M0f"), NOT),
    "from what follows from it": ("mistakes", says("P1b", after="P3b"), NOT),
    "needs a margin": (
        "mistakes", says("P2", after="P2a P2b P2c P1b"), ["it does not need P1b"]),
    "from a contradiction": (
        "mistakes", (*says("P2", after="P2b P2d"), FAR), ["its premises contradict each other"]),
}  # fmt: skip


@pytest.mark.parametrize("wrong", SPOILED)
def test_a_false_step_is_found_with_z3_and_shown_as_proved_nowhere(wrong, monkeypatch):
    name, (row, *change), expected = SPOILED[wrong]
    chain = spoiled(CHAINS[name], row, *change)
    assert list(doubts(chain, chain[row])) == expected
    monkeypatch.setitem(sys.modules, "z3", None)
    assert not follows.proved(chain, chain[row])


def test_a_step_that_the_run_at_hand_satisfies_may_be_false():
    chain = spoiled(mistakes.MISTAKES, *SPOILED["< for ≤"][1])
    claim = next(c for c in on_run(chain, Quantities(RUN, SMALL.u)) if c.row == "P2")
    assert claim.holds and not follows.proved(chain, chain["P2"])


def test_a_circle_of_true_steps_gets_no_tick():
    """P1b from P1, and P1 from P1b: each follows, but neither is proved."""
    further = says("P1b", lambda q: (q.next_wu, "≥", q.wu + q.g), after="P1")
    circle = spoiled(spoiled(mistakes.MISTAKES, *further), *says("P1", after="P1b"))
    assert [follows.proved(circle, circle[row]) for row in ("P1b", "P1")] == [False, True]


# --- the tables ----------------------------------------------------------------------------------

PROOFS = {
    "mistakes": lambda: claims.mistake_bound(RUN, SMALL.u),
    "bias 2": lambda: adversary.bias_bound(
        perceptron(with_bias(SMALL.X, 2), SMALL.y), SMALL.u, 0, 2),
    "margin": lambda: margin.margin_bound(
        margin_perceptron(*STREAM[:2], 1 / 8, 0.5), STREAM.u, 1 / 8, 0.5),
    "lift": lambda: noise.deviation_bound(
        perceptron(SMALL.X, -SMALL.y, max_passes=1), SMALL.u),
}  # fmt: skip


@pytest.mark.parametrize("name", PROOFS)
@pytest.mark.parametrize("z3", ["with z3", "without"])
def test_the_table_has_a_tick_at_every_step_and_says_what_is_given(name, z3, monkeypatch):
    if z3 == "without":
        monkeypatch.setitem(sys.modules, "z3", None)
    proof = PROOFS[name]()
    expected, lines = [], {line.row: line for line in proof.chain.lines}
    for claim in proof:
        line = lines.get(claim.row)
        if line and (line.rows or line.fact):
            expected.append([claim.row, line.because, True])
        else:
            kind = "hypothesis" if line else "by definition"
            expected.append([claim.row, f"{kind}: {claim.because}", None])
    assert proof.holds and proof.follows().rows == expected


def test_some_rows_and_rows_without_a_chain():
    table = PROOFS["mistakes"]().lines("P2", "P5").follows()
    assert [row[0] for row in table.rows] == ["P2", "P5"]
    assert "| P2 | P2a, P2b and P2c | ✓ |" in table._repr_markdown_()
    twin = claims.Proof("Without a chain", PROOFS["mistakes"]().claims)
    assert all(row[1].startswith("by definition: ") for row in twin.follows().rows)
