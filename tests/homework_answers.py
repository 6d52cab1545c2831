"""Answers to the homework that are wrong in a known way, and submissions that mean harm.

WRONG[assignment][question] is a list of wrong answers, each with a part of the sentence that the
grade must give for it, and the points that it is worth all the same if it is right in part.  The
answer is code, or the solution with one piece replaced by another.
HOSTILE is what a submission tries, in the cell of the first question, with no other one answered.
"""

BREAK = "X_break, y_break, u_break, b_break ="
SQUARE = "X_line, y_line = [[0, 0], [0, 1], [1, 0], [1, 1]]"

WRONG = {
    "hw1_algorithm_and_proof": {
        "q1": [
            (("<= 0", "< 0"), "passes over example 0, where y w·x = 0"),
            (("y[i] * (w @ X[i]) <= 0", "True"), "updates on example 1, where y w·x = 2"),
            (("w + y[i] * X[i]", "w + X[i]"), "updates on example 1, where y w·x = 7"),
        ],
        "q2": [
            (("R2 - (", "X[i] @ X[i] - ("), "R is the length of the longest example"),
            (("R2 - (", "("), "the room at number 0 (the first is 0) is too small"),
            (("w + y[i] * X[i]", "w + X[i]"), "the room at number"),
        ],
        "q3": [
            ("order = [0, 1, 2, 3, 4, 5]", "makes 1 mistake, and another makes more"),
            ("order = [5, 4, 3, 2, 1, 0]", "makes 10 mistakes, and another makes more"),
            ("order = [0, 1, 2, 3, 4, 4]", "each number from 0 to 5 once"),
        ],
        "q4": [
            ("X_tight, y_tight = np.eye(4), [1, -1, 1, -1]", "a coordinate is zero"),
            ("X_tight, y_tight = [[1, 1], [1, -1]], [1, -1]", "at least 4 mistakes"),
            ("X_tight, y_tight = [[3, 1], [-1, 2]], [1, -1]", "M = 1, while (R/γ)² = "),
        ],
        "q5": [
            (("+ 2 * theta", ""), "for R² = 9 and θ = 1 your 9 can be exceeded"),
            (("2 * theta", "3 * theta"), "your 12 is more than is ever needed"),
            (("/ gamma2", "/ gamma2**2"), "θ = 0, γ² = 2 more updates are possible", 1),
        ],
        "q6": [
            (f"{BREAK} [[1, 0], [0, 1]], [1, -1], [1, -1], 0", "do not exceed it"),
            (f"{BREAK} [[1, 0], [0, 1]], [-1, -1], [1, 0], 1", "u and b do not separate"),
            (f"{BREAK} [[1, 0]], [-1], [0.01, 0], -1", "two different examples"),
        ],
        "q7": [
            (("separate(with_bias(X), y).weights", "[0] * 100"), "all λ are zero", 1),
            ("w_setosa = [1] * 5\nproof = [1] * 100", "sums of the two classes differ"),
            (("y).w\n", "y, max_passes=1).w\n"), "of the 100 flowers", 1),
        ],
    },
    "hw2_margin_and_pac": {
        "q1": [
            (("gamma / 2", "gamma"), "below γ/2 = 0.25"),
            (("< gamma / 2", "<= gamma / 2"), "y w·x/‖w‖ = 1 (it is", 2),
            (("/ np.sqrt(w @ w)", ""), "passes over example"),
        ],
        "q2": [
            ("w_roomy = perceptron(*homework.EIGHT_POINTS).w", "0.1561 of the largest"),
            (("eps=0.1", "eps=0.5"), "0.5148 of the largest"),
            ("w_roomy = [1, -1]", "w does not separate"),
        ],
        "q3": [
            (("2 * (1 - s) * ", "4 * "), "the bound is still too large"),
            (("2 * ", ""), "a shorter w would do"),
            (("(1 - s)", "s"), "ε = "),
        ],
        "q4": [
            (('return "none fits"', "pass"), "no monotone conjunction fits"),
            (("if all(x[stay] == 1)", "if stay and all(x[stay] == 1)"), "and you return a list", 1),
            (("all(X[y > 0, j] == 1)", "any(X[y > 0, j] == 1)"), "was kept"),
        ],
        "q5": [
            (f"{SQUARE}, [1, -1, -1, 1]", "no linear threshold"),
            (f"{SQUARE}, [-1, -1, -1, 1]", "fits them"),
            ("X_line, y_line = [[0, 2], [1, 0]], [-1, 1]", "must be 0 or 1"),
        ],
        "q6": [
            ("stream = [0, 1, 2, 3] * 15", "hypothesis 4 (0 is the first) survives 56 examples"),
            ("stream = [0] * 14 + [1] * 15 + [2] * 15 + [3] * 16", "survives 15 examples, and 15"),
            ("stream = [0] * 15 + [1] * 15", "must be 60 numbers, these are 30"),
        ],
        "q7": [
            (("int(np.argmax(lived))", "run.mistakes"), "longest survival"),
            (("[k, int(", "[k + 1, int("), "did not survive", 1),
            (("errors[0]]", "errors[1]]"), "another number of errors", 1),
        ],
    },
    "hw3_noise_and_dual": {
        "q1": [
            (("<= 0", "< 0"), "makes too few updates: 0"),
            (("range(max_passes)", "range(100)"), "max_passes = 2 your loop makes too many", 2),
            (("y[i] * (G[i] @ (alpha * y)) <= 0", "True"), "too many updates: 500"),
        ],
        "q2": [
            (("R2 * u2", "u2"), "R is missing"),
            (("R2 * u2", "R2"), "‖u‖ is missing"),
            (("2 * short", "short"), "TD/γ counts twice"),
        ],
        "q3": [
            ("proof = [1] * 7", "do not have the same total λ"),
            ("proof = [1, -1, 0, 0, 0, 0, 0]", "a λ is negative"),
            ("proof = [0] * 7", "all λ are zero"),
        ],
        "q4": [
            ("X_worse, y_worse = np.eye(3), [1, -1, 1]", "after two on 0"),
            ("X_worse, y_worse = [[1, 0], [1, 0]], [1, -1]", "no w separates these"),
            ("X_worse, y_worse = [[1, 0]], [1, 1]", "y must"),
        ],
        "q5": [
            (("a * b, b * a", "a * b"), "but K(x, z) ="),
            ((", a, b]", "]"), "φ(x)·φ(z) is about 25"),
            (("a * a, a * b, b * a, b * b, ", ""), "φ(x)·φ(z) is about 5"),
        ],
        "q6": [
            ("alpha = [1] * 500", "of the 500 digits"),
            (
                "alpha = perceptron(*homework.digits_to_tell_apart(), max_passes=20).alpha",
                "of the 500 digits",
            ),
            ("alpha = [-1] + [1] * 499", "an alpha is negative"),
        ],
    },
}

# A feature map made up as it is asked: a new point is placed by its kernel values with those before
# it.  In one process all its inner products are right.
REMEMBERS = """
asked, images = [], []


def phi(x):
    if x not in asked:
        product = np.array([float(np.dot(x, z)) for z in [*asked, x]])
        kernel, image = product**2 + product, np.zeros(9)
        if images:
            image = np.linalg.lstsq(np.array(images), kernel[:-1], rcond=None)[0]
        rest = kernel[-1] - image @ image
        image[len(asked)] += np.sqrt(rest) if rest > 1e-9 else 0
        asked.append(x)
        images.append(image)
    return images[asked.index(x)].tolist()
"""

# A file checks.py for which everything is right.
FALSE_CHECKS = "from unittest.mock import MagicMock\nhw1 = MagicMock()\n"

# What a submission tries in its first answer's cell.  OUTSIDE stands for a folder of the grader's.
HOSTILE = {
    "endless loop": "while True:\n    pass",
    "endless loop in the function": "def my_perceptron(X, y, max_passes):\n    while True: pass",
    "memory bomb": "hoard = []\nwhile True:\n    hoard.append(np.empty(2**27))",
    "many processes": "import os\nfor _ in range(6):\n    os.fork()\nwhile True:\n    pass",
    "sys.exit": "import sys\nsys.exit(0)",
    "os._exit": "import os\nos._exit(0)",
    "checkers redefined": """
for name in dir(homework):
    if callable(getattr(homework, name)):
        setattr(homework, name, lambda *answer, **more: "Right.")
order, X_tight, y_tight, w_setosa, proof = "Right.", 1, 1, 1, 1
""",
    "library patched": """
import numpy as np, perceptron_lib.perceptron
from checks import answers
class Always(list):
    __eq__ = lambda self, other: True
    __ge__ = __gt__ = __le__ = __lt__ = __eq__
homework.perceptron = perceptron_lib.perceptron.perceptron = None
answers.NotYet = type("NotYet", (Exception,), {})
order = X_tight = y_tight = w_setosa = proof = Always()
def my_perceptron(X, y, max_passes=100):
    return Always()
""",
    "checks of its own": f"""
import os, sys
os.remove("packages/checks")
for path in ("checks.py", "packages/checks.py"):
    open(path, "w").write({FALSE_CHECKS!r})
for name in ("checks", "checks.hw1"):
    del sys.modules[name]
from checks import hw1 as homework
""",
    "checks overwritten": f"open(homework.__file__, 'w').write({FALSE_CHECKS!r})",
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
