"""The playground's JavaScript makes the very runs of the library, and finds the same margins."""

import itertools
import json
import re
import subprocess
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from perceptron_lib import (
    five_points,
    margin_perceptron,
    perceptron,
    separate,
    widgets,
    with_bias,
)
from perceptron_lib.averages import averaged_weights, voted_labels
from perceptron_lib.bounds import radius2
from perceptron_lib.lessons import noise
from perceptron_lib.run import AT_ZERO
from perceptron_lib.separability import Inseparable, Separator
from perceptron_lib.widgets.playground import script
from tests.programs import program

FOLDER = Path(widgets.__file__).parent
CORE = (FOLDER / "core.js").read_text("utf-8")
TIES = ("mistake", "negative", "positive")
# What is asked of the module, under Node and in a browser; m is the module.
ANSWERS = """(m, cases) => cases.map(([points, labels, options, theta]) => {
  const run = m.perceptron(points, labels, options), { updates, w, outcome, start } = run;
  const { separable, R2, bound, boundExact, multipliers } = m.separate(points, labels, options);
  const used = m.inUse(run, points.length), Z = m.signed(points, labels, options.bias);
  const weights = m.weightsOf(Z, updates, start), few = points.slice(0, 4), fed = [];
  const close = [theta, "half"].map((theta) => m.perceptron(points, labels, { ...options, theta }));
  for (let left; fed.length < 20 && (left = m.wrongAfter(points, labels, fed, options)).length;)
    fed.push(left[(7 * fed.length) % left.length]);
  return { updates, w, outcome, separable, R2, boundExact, bound, multipliers, fed,
    averaged: m.averaged(weights, used), votes: Z.map((z) => Math.sign(m.vote(weights, used, z))),
    close: close.map(({ updates, w, outcome }) => [updates, w, outcome]),
    left: m.wrongAfter(points, labels, fed, options),
    labellings: options.maxPasses % 7 ? null : m.labellings(few) };
})"""
NODE = """import { readFileSync } from "node:fs";
const { module, cases, asked } = JSON.parse(readFileSync(0, "utf-8"));
const m = await import("data:text/javascript," + encodeURIComponent(module));
console.log(JSON.stringify(eval(asked)(m, cases)));"""


def random_cases(count=600):
    """Point sets of many kinds, each with options: [points, labels, options]."""
    rng = np.random.default_rng(2026)
    for k in range(count):
        n = int(rng.integers(1, 41))
        size = int(rng.choice([2, 4, 9, 99]))
        X = rng.integers(-size, size + 1, (n, 2))
        bias = int(rng.choice([0, 0, 1, 5]))
        if k % 3 == 0:  # any labels: seldom separable
            y = rng.choice([-1, 1], n)
        else:  # by a line; points on it are as they come
            u = rng.integers(-9, 10, 2)
            score = X @ u + (size // 2 if bias else 0)
            X, score = (X[score != 0], score[score != 0]) if (score != 0).any() else (X, score + 1)
            y = np.where(score > 0, 1, -1)
        order = [None, [*range(len(y))][::-1], rng.permutation(len(y)).tolist()][k % 5 % 3]
        tie = TIES[k % 3 if k % 2 else k // 2 % 3]
        options = {"tie": tie, "bias": bias, "order": order, "maxPasses": 54 + k % 7}
        theta = [int(v) for v in rng.integers(1, 60, 2)]
        yield [X.tolist(), y.tolist(), options, theta]


def examples(points, labels, options, *_):
    """X and y of a case, as Python takes them."""
    X = np.array(points, dtype=float)
    return (with_bias(X, options["bias"]) if options["bias"] else X), np.array(labels)


def as_told(run):
    return [run.updates.tolist(), run.w.tolist(), run.outcome]


def proved(case, answer):
    """Whether the multipliers of an answer prove it."""
    (X, y), multipliers = examples(*case), answer["multipliers"]
    if answer["boundExact"] is None:
        return Inseparable(X, y, multipliers).verify()
    Z = (X * y[:, None]).astype(int).astype(object)  # the margin of u = Σ λ z reaches the most
    v, total = np.array(multipliers, dtype=object) @ Z, sum(multipliers)
    return min(multipliers) >= 0 and min(Z @ v) * total == v @ v


def expected(case, fed):
    """What Python says; and of the examples that were fed, whether each was wrong, and who is."""
    (X, y), (points, _, options, theta) = examples(*case), case
    tie, order, most = options["tie"], options["order"], options["maxPasses"]
    run, answer = perceptron(X, y, tie, order=order, max_passes=most), separate(X, y)
    bound = answer.bound() if isinstance(answer, Separator) else None
    close = None
    if X[order[0] if order else 0].any():
        gammas = Fraction(2 * theta[0], theta[1]), None
        turns = order and np.array(order)
        close = [as_told(margin_perceptron(X, y, g, None, turns, most)) for g in gammas]
    game = perceptron(X[fed], y[fed], tie, max_passes=1) if fed else None
    score = y * (X @ (game.w if fed else np.zeros(X.shape[1])))
    wrong = (score < 0) | ((score == 0) & (y != AT_ZERO[tie]))
    few, signs = with_bias(points[:4], 1), itertools.product([-1, 1], repeat=min(len(y), 4))
    can = [k for k, s in enumerate(signs) if isinstance(separate(few, s[::-1]), Separator)]
    return dict(zip(("updates", "w", "outcome"), as_told(run), strict=True)) | {
        "separable": bound is not None, "R2": int(radius2(X)), "boundExact": bound,
        "bound": bound and float(bound), "averaged": averaged_weights(run).tolist(),
        "votes": (y * voted_labels(run, X)).tolist(), "close": close,
        "fed": [fed[k] for k in game.updates] if fed else [],
        "left": np.flatnonzero(wrong).tolist(), "labellings": None if most % 7 else can,
    }  # fmt: skip


def differences(cases, answers):
    """The numbers of the cases in which an answer is not that of Python, and what differs."""
    different = {}
    for k, (case, answer) in enumerate(zip(cases, answers, strict=True)):
        right = expected(case, answer["fed"])
        exact, close = answer["boundExact"], answer["close"] if right["close"] else None
        told = answer | {"boundExact": exact and Fraction(exact), "close": close}
        wrong = [name for name in right if told[name] != right[name]]
        if right["boundExact"] and len(answer["fed"]) > right["boundExact"]:
            wrong.append("more mistakes than the proof allows")
        if wrong := wrong + ["multipliers"] * (not proved(case, answer)):
            different[k] = wrong
    return different


def ask_node(cases, module=CORE, asked=ANSWERS):
    """The answers of the module, or of another text of it, under Node."""
    question = json.dumps({"module": module, "cases": cases, "asked": asked})
    command = [program("node"), "--input-type=module", "-e", NODE]
    done = subprocess.run(command, input=question, text=True, capture_output=True,
                          encoding="utf-8", timeout=120)  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_600_random_point_sets_give_the_same_runs_and_margins():
    cases = list(random_cases())
    answers = ask_node(cases)
    assert differences(cases, answers) == {}
    assert sum(not answer["separable"] for answer in answers) >= 100
    assert {answer["outcome"] for answer in answers} == {"converged", "cycled", "stopped"}
    shattered = {len(answer["labellings"] or []) for answer in answers}
    assert {12, 14} <= shattered  # with three of four points on a line, and without
    print(sum(len(answer["fed"]) for answer in answers), "examples fed")


def test_large_numbers_do_not_round():
    big = 2**50 - 1
    points = [[big, big - 2], [big - 3, big], [-5, big]]
    cases = [[points, [1, -1, 1], {"tie": "mistake", "bias": bias, "order": None, "maxPasses": 30},
              [1, 3]] for bias in (0, 1)]  # fmt: skip
    as_text = "BigInt.prototype.toJSON = function () { return `${this}` };"  # too long for JSON
    for answer, case in zip(ask_node(cases, CORE + as_text), cases, strict=True):
        right, exact = expected(case, []), answer["boundExact"]
        assert answer["updates"] == right["updates"]
        assert (exact and Fraction(exact)) == right["boundExact"]
        for close, close_right in zip(answer["close"], right["close"], strict=True):
            assert close[0] == close_right[0]


def test_python_begins_with_the_points_of_the_module_and_follows_it():
    play = widgets.playground()
    (start,) = re.findall(r'START = "(.*?)"', CORE)
    X, y, _ = five_points()
    texts = [f"{x:.0f},{v:.0f}{'p' if s > 0 else 'm'}" for (x, v), s in zip(X, y, strict=True)]
    assert start == "".join(texts)
    assert play.X.tolist() == X.tolist() and play.y.tolist() == y.tolist()
    assert play.run.updates.tolist() == perceptron(X, y).updates.tolist()
    play.state = play.state | {"bias": 2, "tie": "positive", "order": [4, 3, 2, 1, 0]}
    same = perceptron(with_bias(X, 2), y, tie="positive", order=[4, 3, 2, 1, 0])
    assert play.run.updates.tolist() == same.updates.tolist() and play.run.tie == "positive"
    data, metadata = play._repr_mimebundle_()
    assert data["image/png"] and "3 positive and 2 negative" in metadata["image/png"]["alt"]


def test_a_game_and_other_learners_come_back_to_python():
    play = widgets.playground(game="feed")
    assert play.state["text"].endswith("&game=feed")
    play.state = play.state | {"fed": [1, 2, 4]}
    assert play.run.updates.tolist() == [0, 1, 2] and play.run.w.tolist() == [5.0, 0.0]
    play.state = play.state | {"fed": None, "rule": "margin", "gamma": "0.5"}
    play.state = play.state | {"order": [4, 3, 2, 1, 0]}
    X, y, _ = five_points()
    same = margin_perceptron(X, y, gamma="1/2", order=np.arange(5)[::-1])
    assert play.run.updates.tolist() == same.updates.tolist()
    play.state = play.state | {"rule": "half", "order": None}
    assert play.run.updates.tolist() == margin_perceptron(X, y).updates.tolist()


@pytest.mark.parametrize("call, match", [
    (lambda: widgets.playground([[1, 2]]), "X and y must be given together"),
    (lambda: widgets.playground(np.zeros((61, 2)), np.ones(61)), "2 columns and at most 60 rows"),
    (lambda: widgets.playground([[1, 2], [1, 2]], [1, 1]), "one point a place"),
    (lambda: widgets.playground(game="chess"), 'game must be "watch", "guess", "feed" or "turn"'),
    (lambda: widgets.shatter([[1, 2]]), "X must have from 2 to 5 points; got 1"),
])  # fmt: skip
def test_what_does_not_fit_is_refused_in_a_sentence(call, match):
    with pytest.raises(ValueError, match=match):
        call()


READ = """(m, texts) => texts.map((text) => {
  try { return m.pasted(text); } catch ({ message }) { return message; }
})"""


def test_data_of_ones_own_are_the_same_in_python_and_pasted_or_refused_in_a_sentence():
    rng, texts, told = np.random.default_rng(4), [], []
    for _ in range(200):
        n, size = int(rng.integers(1, 64)), float(rng.choice([0.3, 4, 50, 3000, 1e6]))
        X = rng.uniform(-size, size, (n, 2)).round(int(rng.integers(0, 5)))
        y = rng.choice([-1, 1], n)
        rows = zip(X.tolist(), np.where(y > 0, "+", "−"), strict=True)
        texts.append("\n".join(f"{a!r} {b!r} {label}" for (a, b), label in rows))
        try:
            told.append(widgets.playground(X, y).X.tolist())
        except ValueError as error:
            told.append(str(error))
    pasted = ask_node(texts, asked=READ)
    for here, there in zip(told, pasted, strict=True):
        assert isinstance(here, str) == isinstance(there, str), (here, there)
        assert isinstance(here, str) or here == there["points"]
    assert 20 < sum(isinstance(here, str) for here in told) < 180
    bad = ask_node(["1 2 +\n\n3 x −", "1 2", "", "1 2 +\n1 2 −", "1 2 0"], asked=READ)
    assert bad[0] == "Line 3, “3 x −”, is not “x y label”, two numbers and + or −"
    assert bad[1].startswith("Line 1, “1 2”") and bad[2] == "Paste some lines first"
    assert bad[3] == "Two points are at (1, 2): line 1 and line 2" and "Line 1" in bad[4]
    assert ask_node(["0.5,2.25;+1"], asked=READ)[0]["note"].startswith(" Coordinates are 10 times")


BOUNDS = """(m, cases) => cases.map(([margin, gamma, flips, seed]) => {
  const { points, labels } = m.gliding(100, margin, seed), u = [4, 3];
  for (const i of m.shuffled(100, seed).slice(0, flips)) labels[i] *= -1;
  const { sharp, simple, lift } = m.bounds(m.signed(points, labels, 0), u, 1000 * gamma);
  const { points: p, labels: y } = m.gliding(60, margin, seed);
  const best = m.separate(p, y), theta = [Math.round(97 * margin), 1];
  const M = m.perceptron(points, labels, { maxPasses: 1 }).updates;
  return { points, labels, sharp, simple, lift, M,
    near: Math.min(...m.signed(p, y, 0).map((z) => m.dot(z, [0.8, 0.6]))), bound: best.boundExact,
    p, y, theta, run: m.perceptron(p, y, { theta }).updates };
})"""


def test_the_explorers_show_what_python_finds():
    rng = np.random.default_rng(5)
    cases = [(float(rng.uniform(0.02, 0.6)), float(rng.uniform(0.05, 1)), int(rng.integers(41)), k)
             for k in range(25)]  # fmt: skip
    for case, told in zip(cases, ask_node(cases, script("explorers"), BOUNDS), strict=True):
        X, y, gamma = told["points"], told["labels"], 1000 * case[1]
        right = noise.by_gamma(X, y, [4, 3], np.array([gamma]))
        for name in ("sharp hinge", "simple hinge", "lift"):
            assert told[name.split()[0]] == pytest.approx(right[f"{name} bound"][0], rel=1e-12)
        assert told["M"] == perceptron(X, y, max_passes=1).updates.tolist()
        p, labels, theta = told["p"], told["y"], Fraction(*told["theta"])
        assert told["near"] >= 1000 * case[0]
        assert Fraction(told["bound"]) == separate(p, labels).bound()
        assert told["run"] == margin_perceptron(p, labels, 2 * theta).updates.tolist()


def test_an_empty_plane_has_no_run_and_says_so():
    play = widgets.playground()
    play.state = play.state | {"points": [], "labels": []}
    assert play.X.shape == (0, 2) and play.y.shape == (0,)
    with pytest.raises(ValueError, match="the plane is empty: put a point down"):
        play.run  # noqa: B018
    assert "image/png" not in play._repr_mimebundle_()[0]


MUTANTS = {
    "a tie is never a mistake": ("score == 0 && !wrongAtZero[i]", "score == 0"),
    "a tie is always a mistake": ("score == 0 && !wrongAtZero[i]", "false"),
    "the tie rules are swapped": ("negative: -1, positive: 1", "negative: 1, positive: -1"),
    "the order is ignored": ("order ?? points.map", "points.map"),
    "one example too many is added": ("w[k] += z[k]", "w[k] += z[k] * (passes ? 1 : 2)"),
    "a circle is seen at every pass": ("passes === nextMark", "true"),
    "it stops a pass too early": ("passes < maxPasses", "passes < maxPasses - 1"),
    "the bias is forgotten": ("[...x, bias]", "[...x, 1]"),
    "the margin is not the largest": ("[worst] >= rest", "[worst] >= rest - whole / 9n"),
    "R is of the last point": ("(a > b ? a : b)", "b"),
    "a square is forgotten": ("R2 * total ** 2n", "R2 * total"),
    "close is close enough": ("return a < b", "return 2 * a < b"),
    "margins start at 0": ("theta && n ? Z", "false && n ? Z"),
    "t counts the updates alone": ("theta, updates.length + 1", "theta, updates.length"),
    "the last w is not in use": ("[t] : passes * n", "[t] : steps[t - 1] + 1"),
    "the vote weighs scores": ("Math.sign(dot(weights[j], x))", "dot(weights[j], x)"),
    "the average counts the last twice": ("sum + times * weights[j][k], 0)",
                                          "sum + times * weights[j][k], weights.at(-1)[k])"),
    "right points are fed": ("i) => scores[i] < 0", "i) => scores[i] <= 1"),
    "lines go through the origin": ("{ bias: 1 }).separable", "{ bias: 0 }).separable"),
}  # fmt: skip


@pytest.mark.parametrize("mutant", MUTANTS)
def test_the_comparison_says_no(mutant):
    right, wrong = MUTANTS[mutant]
    assert CORE.count(right) == 1
    cases = list(random_cases(90))
    assert differences(cases, ask_node(cases, CORE.replace(right, wrong)))


def test_an_exact_tie_of_the_margin_rule_is_left_to_whole_numbers():
    """(3, 4)·(a, b) = θ‖(a, b)‖ to the last digit: no update; a hair more is asked for: one."""
    cases = [[[[3, 4], [4, 3]], [1, 1], {"tie": "mistake", "bias": 0, "order": None,
              "maxPasses": 7}, theta] for theta in ([24, 5], [240000001, 50000000])]  # fmt: skip
    assert differences(cases, answers := ask_node(cases)) == {}
    assert [len(answer["close"][0][0]) > 0 for answer in answers] == [False, True]
    careless = CORE.replace("> 1e-9 * (a + b)", ">= 0").replace("return a < b", "return a <= b")
    assert differences(cases, ask_node(cases, careless))
