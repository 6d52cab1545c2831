"""The playground's JavaScript makes the very runs of the library, and finds the same margins."""

import json
import re
import subprocess
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from perceptron_lib import five_points, perceptron, separate, widgets, with_bias
from perceptron_lib.bounds import radius2
from perceptron_lib.separability import Inseparable, Separator
from tests.programs import program

MODULE = Path(widgets.__file__).with_name("playground.js")
TIES = ("mistake", "negative", "positive")
# What is asked of the module, under Node and in a browser; m is the module.
ANSWERS = """(m, cases) => cases.map(([points, labels, options]) => {
  const { updates, w, outcome } = m.perceptron(points, labels, options);
  const { separable, R2, bound, boundExact, multipliers } = m.separate(points, labels, options);
  return [updates, w, outcome, separable, R2, boundExact, bound, multipliers];
})"""
NODE = f"""import {{ readFileSync }} from "node:fs";
const {{ module, cases }} = JSON.parse(readFileSync(0, "utf-8"));
const m = await import("data:text/javascript," + encodeURIComponent(module));
console.log(JSON.stringify(({ANSWERS})(m, cases)));"""


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
        options = {"tie": tie, "bias": bias, "order": order, "maxPasses": 60}
        yield [X.tolist(), y.tolist(), options]


def examples(points, labels, options):
    """X and y of a case, as Python takes them."""
    X = np.array(points, dtype=float)
    return (with_bias(X, options["bias"]) if options["bias"] else X), np.array(labels)


def expected(case):
    """What Python says, and what the multipliers of a right answer prove about the examples."""
    X, y = examples(*case)
    options = case[2]
    run = perceptron(X, y, options["tie"], order=options["order"], max_passes=options["maxPasses"])
    answer = separate(X, y)
    bound = answer.bound() if isinstance(answer, Separator) else None
    return [run.updates.tolist(), run.w.tolist(), run.outcome, bound is not None,
            int(radius2(X)), bound]  # fmt: skip


def differences(cases, answers):
    """The numbers of the cases in which an answer is not that of Python."""
    different = []
    for k, (case, answer) in enumerate(zip(cases, answers, strict=True)):
        *same, exact, rounded, multipliers = answer
        right, (X, y) = expected(case), examples(*case)
        if exact is None:
            proved = Inseparable(X, y, multipliers).verify()
        else:  # the margin of u = Σ λ z reaches what λ proves to be the most
            Z = (X * y[:, None]).astype(int).astype(object)
            v, total = np.array(multipliers, dtype=object) @ Z, sum(multipliers)
            proved = min(multipliers) >= 0 and min(Z @ v) * total == v @ v
        equal = [*same, exact and Fraction(exact)] == right
        if not (proved and equal and rounded == (exact and float(right[-1]))):
            different.append(k)
    return different


def ask_node(cases, module=None):
    """The answers of the module, or of another text of it, under Node."""
    question = json.dumps({"module": module or MODULE.read_text("utf-8"), "cases": cases})
    command = [program("node"), "--input-type=module", "-e", NODE]
    done = subprocess.run(command, input=question, text=True, capture_output=True,
                          encoding="utf-8", timeout=60)  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_600_random_point_sets_give_the_same_runs_and_margins():
    cases = list(random_cases())
    answers = ask_node(cases)
    assert differences(cases, answers) == []
    assert sum(not separable for _, _, _, separable, *_ in answers) >= 100
    assert {outcome for _, _, outcome, *_ in answers} == {"converged", "cycled", "stopped"}


def test_large_numbers_do_not_round():
    big = 2**50 - 1
    points = [[big, big - 2], [big - 3, big], [-5, big]]
    cases = [[points, [1, -1, 1], {"tie": "mistake", "bias": bias, "order": None, "maxPasses": 30}]
             for bias in (0, 1)]  # fmt: skip
    as_text = "BigInt.prototype.toJSON = function () { return `${this}` };"  # too long for JSON
    answers = ask_node(cases, MODULE.read_text("utf-8") + as_text)
    for (updates, *_, exact, _, _), case in zip(answers, cases, strict=True):
        right = expected(case)
        assert updates == right[0] and (exact and Fraction(exact)) == right[-1]


def test_python_begins_with_the_points_of_the_module_and_follows_it():
    play = widgets.playground()
    (start,) = re.findall(r'START = "(.*?)"', MODULE.read_text("utf-8"))
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
    "the bias is forgotten": ("bias ? [x1, x2, bias]", "bias ? [x1, x2, 1]"),
    "the margin is not the largest": ("[worst] >= rest", "[worst] >= rest - whole / 9n"),
    "R is of the last point": ("(a > b ? a : b)", "b"),
    "a square is forgotten": ("R2 * total ** 2n", "R2 * total"),
}  # fmt: skip


@pytest.mark.parametrize("mutant", MUTANTS)
def test_the_comparison_says_no(mutant):
    source, (right, wrong) = MODULE.read_text("utf-8"), MUTANTS[mutant]
    assert source.count(right) == 1
    cases = list(random_cases(90))
    assert differences(cases, ask_node(cases, source.replace(right, wrong)))
