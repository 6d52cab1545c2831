"""Answers to the homework that are wrong in a known way, and submissions that mean harm.

WRONG[assignment][question] is a list of pairs: the code in the answer's cell, and a part of the
sentence that the grade must give for it.  HOSTILE is what a submission tries, in the cell of the
first question, with no other question answered.
"""

LOOP = """
def {name}:
    w = {start}
    updates = []
    for _ in range({passes}):
        before = len(updates)
        for i in range(len(y)):
            if {test}:
                w = w + {step}
                updates.append(i)
        if len(updates) == before:
            break
    return updates
"""


def _perceptron(test="y[i] * (w @ X[i]) <= 0", step="y[i] * X[i]"):
    name, start = "my_perceptron(X, y, max_passes=100)", "np.zeros(X.shape[1])"
    return LOOP.format(name=name, start=start, passes="max_passes", test=test, step=step)


def _margin(test):
    name, start = "my_margin_perceptron(X, y, gamma)", "y[0] * X[0]"
    return LOOP.format(name=name, start=start, passes="1000", test=test, step="y[i] * X[i]")


def _dual(test):
    return f"""
def my_dual_perceptron(G, y, max_passes=100):
    alpha = np.zeros(len(y), dtype=int)
    for _ in range(max_passes):
        before = alpha.sum()
        for i in range(len(y)):
            if {test}:
                alpha[i] += 1
        if alpha.sum() == before:
            break
    return alpha
"""


def _room(left, step="y[i] * X[i]"):
    return f"""
def room(X, y, updates):
    w, R2, rooms = np.zeros(X.shape[1]), max(x @ x for x in X), []
    for i in updates:
        new = w + {step}
        rooms.append({left})
        w = new
    return rooms
"""


def _growth(growth, most):
    return f"""
def growth(R2, theta):
    return {growth}
def most_updates(R2, theta, gamma2):
    return {most}
"""


def _learn(body):
    return f"def learn(X, y):\n    stay = {body[0]}\n    return {body[1]}\n"


def _noise(radius2, u2, factor):
    return f"""
def noise_bound(X, y, u, g):
    X = [[Fraction(v) for v in x] for x in X.tolist()]
    scores = [s * sum(a * b for a, b in zip(u, x)) for x, s in zip(X, y.tolist())]
    short = sum(max(Fraction(0), g - s) for s in scores)
    return {radius2} * {u2} / g**2 + {factor} * short / g
"""


def _phi(features):
    return f"def phi(x):\n    a, b = x\n    return [{features}]"


R2 = "max(sum(v * v for v in x) for x in X)"
U2 = "sum(v * v for v in u)"
IRIS = """
X, y, _ = iris("setosa", "versicolor")
w_setosa = perceptron(with_bias(X), y{options}).w
X, y, _ = iris("versicolor", "virginica")
proof = {proof}
"""
NINES = """
X, y, new, labels = homework.nines()
run = perceptron(X, y, max_passes=1)
lived = pac.survivals(run)
k = {k}
answer = [k{off}, int(lived[k]), int(np.count_nonzero(labels * (new @ run.weights[k]) <= 0))]
"""

WRONG = {
    "hw1_algorithm_and_proof": {
        "q1": [
            (_perceptron("y[i] * (w @ X[i]) < 0"), "passes over example 0, where y w·x = 0"),
            (_perceptron("True"), "updates on example 1, where y w·x = 2"),
            (_perceptron(step="X[i]"), "updates on example 1, where y w·x = 7"),
        ],
        "q2": [
            (_room("X[i] @ X[i] - (new @ new - w @ w)"), "R is the length of the longest example"),
            (_room("new @ new - w @ w"), "the room at number 1 is too small"),
            (_room("R2 - (new @ new - w @ w)", "X[i]"), "the room at number"),
        ],
        "q3": [
            ("order = [0, 1, 2, 3, 4, 5]", "makes 1 mistake, and another makes more"),
            ("order = [5, 4, 3, 2, 1, 0]", "makes 10 mistakes, and another makes more"),
            ("order = [0, 1, 2, 3, 4, 4]", "each number from 0 to 5 once"),
        ],
        "q4": [
            ("X_tight, y_tight, _ = worst_case(4)", "a coordinate is zero"),
            ("X_tight, y_tight = [[1, 1], [1, -1]], [1, -1]", "at least 4 mistakes"),
            ("X_tight, y_tight = [[3, 1], [-1, 2]], [1, -1]", "M = 1, while (R/γ)² = "),
        ],
        "q5": [
            (_growth("R2", "R2 / gamma2"), "an update can add 11, more than your 9"),
            (_growth("R2 + theta", "(R2 + theta) / gamma2"), "can add 11, more than your 10"),
            (_growth("R2 + 2 * theta", "(R2 + 2 * theta) / gamma2**2"), "but M times the growth ="),
        ],
        "q6": [
            (
                "X_break, y_break = [[1, 0], [0, 1]], [1, -1]\nu_break, b_break = [1, -1], 0",
                "do not exceed it",
            ),
            (
                "X_break, y_break = [[1, 0], [0, 1]], [-1, -1]\nu_break, b_break = [1, 0], 1",
                "u and b do not separate",
            ),
            (
                "X_break, y_break = [[1, 0]], [-1]\nu_break, b_break = [0.01, 0], -1",
                "two different examples",
            ),
        ],
        "q7": [
            (IRIS.format(options="", proof="[0] * 100"), "all λ are zero"),
            (IRIS.format(options="", proof="[1] * 100"), "weighted sums of the two classes differ"),
            (
                IRIS.format(options=", max_passes=1", proof="separate(with_bias(X), y).weights"),
                "of the 100 flowers",
            ),
        ],
    },
    "hw2_margin_and_pac": {
        "q1": [
            (_margin("y[i] * (w @ X[i]) / np.sqrt(w @ w) < gamma"), "below γ/2 = 0.25"),
            (_margin("y[i] * (w @ X[i]) / np.sqrt(w @ w) <= gamma / 2"), "y w·x/‖w‖ = 1 (it is"),
            (_margin("y[i] * (w @ X[i]) < gamma / 2"), "passes over example"),
        ],
        "q2": [
            ("w_roomy = perceptron(*homework.EIGHT_POINTS).w", "0.1561 of the largest"),
            (
                "X, y = homework.EIGHT_POINTS\n"
                "w_roomy = margin_perceptron(X, y, separate(X, y).margin).w",
                "0.5148 of the largest",
            ),
            ("w_roomy = [1, -1]", "w does not separate"),
        ],
        "q3": [
            ("def long_enough(R2, gamma, eps, s):\n    return R2 / (eps * gamma)", "and it may be"),
            (
                "def long_enough(R2, gamma, eps, s):\n    return R2 / ((1 - s) * eps * gamma)",
                "a shorter w would do",
            ),
            ("def long_enough(R2, gamma, eps, s):\n    return R2 / (2 * s * eps * gamma)", "ε = "),
        ],
        "q4": [
            (
                _learn(("[j for j in range(X.shape[1]) if X[y > 0, j].all()]", "stay")),
                "no monotone conjunction fits",
            ),
            (
                _learn(("[j for j in range(X.shape[1]) if X[y < 0, j].all()]", "stay")),
                "a variable was dropped",
            ),
            (_learn(("[j for j in range(X.shape[1]) if X[y > 0, j].any()]", "stay")), "was kept"),
        ],
        "q5": [
            (
                "X_line, y_line = [[0, 0], [0, 1], [1, 0], [1, 1]], [1, -1, -1, 1]",
                "no linear threshold",
            ),
            (
                "X_line, y_line = [[0, 0], [0, 1], [1, 0], [1, 1]], [-1, -1, -1, 1]",
                "fits them",
            ),
            ("X_line, y_line = [[0, 2], [1, 0]], [-1, 1]", "must be 0 or 1"),
        ],
        "q6": [
            ("stream = [0, 1, 2, 3] * 15", "hypothesis 4 (0 is the first) survives 56 examples"),
            ("stream = [0] * 14 + [1] * 15 + [2] * 15 + [3] * 16", "survives 15 examples, and 15"),
            ("stream = [0] * 15 + [1] * 15", "must be 60 numbers, these are 30"),
        ],
        "q7": [
            (NINES.format(k="run.mistakes", off=""), "longest survival"),
            (NINES.format(k="int(np.argmax(lived))", off=" + 1"), "did not survive"),
            ("answer = [63, 200, 67]", "another number of errors"),
        ],
    },
    "hw3_noise_and_dual": {
        "q1": [
            (_dual("y[i] * (G[i] @ (alpha * y)) < 0"), "they add up to 0, but 4 updates"),
            (_dual("y[i] * (G[i] @ alpha) <= 0"), "were to be made"),
            (_dual("True"), "add up to 500, but 4 updates"),
        ],
        "q2": [
            (_noise("1", U2, 2), "R is missing"),
            (_noise(R2, "1", 2), "‖u‖ is missing"),
            (_noise(R2, U2, 1), "TD/γ counts twice"),
        ],
        "q3": [
            ("proof = [1] * 7", "do not have the same total λ"),
            ("proof = [1, -1, 0, 0, 0, 0, 0]", "a λ is negative"),
            ("proof = [0] * 7", "all λ are zero"),
        ],
        "q4": [
            ("X_worse, y_worse, _ = worst_case(3)", "after two on 0"),
            ("X_worse, y_worse = [[1, 0], [1, 0]], [1, -1]", "no w separates these"),
            ("X_worse, y_worse = [[1, 0]], [1, 1]", "y must"),
        ],
        "q5": [
            (_phi("a * a, b * b, a * b, a, b"), "but (x·z)² + x·z"),
            (_phi("a * a, a * b, a * b, b * b"), "φ(x)·φ(z) is about 25"),
            (_phi("a, b"), "φ(x)·φ(z) is about 5"),
        ],
        "q6": [
            ("alpha = [1] * 500", "of the 500 digits"),
            (
                "X, y = homework.even_digits()\nalpha = perceptron(X, y, max_passes=20).alpha",
                "of the 500 digits",
            ),
            ("alpha = [-1] + [1] * 499", "an alpha is negative"),
        ],
    },
}

# What a submission tries in its first answer's cell.  OUTSIDE stands for a folder of the grader's.
HOSTILE = {
    "endless loop": "while True:\n    pass",
    "endless loop in the function": "def my_perceptron(X, y, max_passes):\n    while True: pass",
    "memory bomb": "hoard = []\nwhile True:\n    hoard.append(np.empty(2**27))",
    "many processes": "import os\nfor _ in range(6):\n    os.fork()\nwhile True:\n    pass",
    "sys.exit": "import sys\nsys.exit(0)",
    "os._exit": "import os\nos._exit(0)",
    "checkers redefined": """
from perceptron_lib import homework
for name in dir(homework):
    if callable(getattr(homework, name)):
        setattr(homework, name, lambda *answer, **more: "Right.")
order, X_tight, y_tight, w_setosa, proof = "Right.", 1, 1, 1, 1
""",
    "library patched": """
import numpy as np, perceptron_lib, perceptron_lib.homework, perceptron_lib.perceptron
class Always(list):
    __eq__ = lambda self, other: True
    __ge__ = __gt__ = __le__ = __lt__ = __eq__
perceptron_lib.homework.perceptron = perceptron_lib.perceptron.perceptron = None
perceptron_lib.homework.NotYet = type("NotYet", (Exception,), {})
order = X_tight = y_tight = w_setosa = proof = Always()
def my_perceptron(X, y, max_passes=100):
    return Always()
""",
    "kernel patched": """
import builtins, IPython
shell = IPython.get_ipython()
shell.showtraceback = shell.run_cell_magic = lambda *a, **k: None
builtins.print = builtins.isinstance = lambda *a, **k: True
""",
    "reads the solution": """
from pathlib import Path
found = [p for folder in ("OUTSIDE", "SOURCE") for p in Path(folder).rglob("*.ipynb")]
exec("\\n".join(p.read_text() for p in found) or open("SOLVED").read())
""",
    "reads the gradebook": """
import sqlite3
sqlite3.connect("GRADEBOOK").execute("select * from grade")
""",
    "writes outside": "open('OUTSIDE/written', 'w').write('x')",
    "100 MB of output": "print('x' * 100_000_000)",
    "a server outside": """
import socket
socket.socket(socket.AF_UNIX).connect("OUTSIDE/socket")
""",
    "changes a file's mode": "import os\nos.chmod('SOLVED', 0o777)",
    "a process that stays": """
import ctypes, os
ctypes.CDLL(None).prctl(1, 0, 0, 0, 0)
if os.fork() == 0:
    os.setsid()
    os.execv("/bin/sleep", ["sleep", "98765"])
""",
    "a number that takes hours": """
from fractions import Fraction
order, w_setosa, proof = ["1e20000000"] * 6, ["1e20000000"] * 5, ["1e20000000"] * 100
X_tight, y_tight = ["a" * 100_000] + ["b"] * 2500, [1]
def growth(R2, theta):
    return "1e20000000"
""",
    "functions that remember": """
last = []
def growth(R2, theta):
    return last.pop() if last else R2
def most_updates(R2, theta, gamma2):
    last.append(gamma2)
    return 1
""",
    "an error that cannot be written": "raise ValueError('\\ud800' * 10**6)",
    "forged answers on the wire": """
import os
for number in range(3, 20):
    try:
        os.write(number, b'{"value": {"list": []}}\\n' * 1000)
    except OSError:
        pass
""",
}
