"""Hostile submissions, and honest ones with odd habits, as data.

HOSTILE and MORE hold what a submission tries in its first answer's cell, WORDS what it writes where
words are asked for, FILES what it hands in for a notebook.  None may gain a point, stop the batch,
get anything out of its cage or leave anything behind.  HONEST holds what may stand around a right
answer and costs nothing.
"""

import json

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
import contextlib, os, sys
for path in ("checks.py", "/packages/checks.py", "/packages/checks/__init__.py"):
    with contextlib.suppress(OSError):
        open(path, "w").write({FALSE_CHECKS!r})
sys.path.insert(0, "")
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
found = [p for folder in ("OUTSIDE", "SOURCE") for p in Path(folder).rglob("hw*.ipynb")]
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
    "an error named by half a character": "raise type('\\ud800', (Exception,), {})",
    "memory in many processes": """
import os, time
for _ in range(5):
    os.fork()
hoard = b"x" * (400 * 2**20)
time.sleep(1000)
""",
}

# Likewise; these are tried in the cage alone, which is quicker, and whole by class_of_200.py.
MORE = {
    "a text that is a long number": """
order = w_setosa = proof = ["1e500000000"] * 6
def growth(R2, theta):
    return "1e500000000"
""",
    "a fraction forged on the wire": """
import os
for number in range(3, 20):
    try:
        os.write(number, b'{"value": {"fraction": ["1e500000000", null]}}\\\\n' * 99)
    except OSError:
        pass
""",
    "fork bomb": "import os\nwhile True:\n    os.fork()",
    "threads by the thousand": """
import threading, time
for _ in range(5000):
    threading.Thread(target=time.sleep, args=(1000,)).start()
""",
    "fills the disk": """
for k in range(10**6):
    with open(f"{k}", "wb") as file:
        file.write(bytes(9 * 2**20))
""",
    "files by the million": """
for k in range(10**8):
    open(f"/dev/shm/{k}", "w").close()
""",
    "memory that is nobody's": """
import os
hoard = [os.memfd_create(str(k)) for k in range(100)]
""",
    "looks around": """
import os
for place in ("/proc", "/sys", "/root", "/home", "/etc/passwd", "/run", "/var", "/boot", "/work"):
    print(os.listdir(place))
""",
    "sockets of every kind": """
import itertools, socket
for family, kind in itertools.product(range(1, 46), range(1, 6)):
    try:
        found = socket.socket(family, kind)
        raise SystemExit(f"a socket {family} {kind}")
    except OSError:
        pass
""",
    "leaves a key": """
import ctypes
for number in (248, 217):
    print(ctypes.CDLL(None).syscall(number, b"user", b"left", b"secret", 6, -4))
""",
    "signals everybody": """
import os
for pid in (os.getppid(), 1, -1, 0):
    os.kill(pid, 9)
""",
    "stops itself": "import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)",
    "user namespaces": "import os\nos.system('unshare -Ur mount -t tmpfs none /tmp')\norder = None",
    "nicer than others": """
import os
os.sched_setaffinity(0, range(os.cpu_count()))
os.nice(-20)
""",
    "commands for the terminal": "print('\\x1b]0;title\\x07\\x1b[2J\\x1b[31m' * 100, end='\\r')",
    "replaced builtins": """
import builtins, json, numpy, sys
for name in ("len", "type", "isinstance", "int", "float", "list", "getattr", "open", "__import__"):
    setattr(builtins, name, lambda *a, **k: 1)
json.dumps = json.loads = numpy.ndarray = numpy.generic = None
sys.modules.clear()
""",
    "atexit, threads, signals": """
import atexit, faulthandler, signal, threading
def again(*_):
    while True:
        print("still here")
atexit.register(again)
signal.signal(signal.SIGTERM, again)
threading.Thread(target=again).start()
""",
    "endless answers": """
import itertools
class Long(list):
    def __iter__(self):
        return itertools.count()
order, w_setosa, proof = Long(), itertools.count(), range(10**15)
def my_perceptron(X, y, max_passes):
    yield from itertools.count()
def growth(R2, theta):
    return Long()
""",
    "a number of millions of digits": "order = 10**3_000_000\nw_setosa = [1 << 10**8] * 5",
    "a list of lists of lists": """
order = []
for _ in range(10**5):
    order = [order]
""",
    "what is not what it says": """
class Liar:
    __class__ = property(lambda self: list)
    __len__ = __int__ = __index__ = lambda self: 6
    __eq__ = __ge__ = __le__ = lambda self, other: True
    __array__ = __iter__ = lambda self, *a, **k: iter([0, 1, 2, 3, 4, 5])
order = w_setosa = proof = X_tight = y_tight = Liar()
""",
    "a text that never ends": """
class Slow:
    def __repr__(self):
        while True:
            pass
order = Slow()
order
""",
    "errors by the gigabyte": "import os\nwhile True:\n    os.write(2, b'x' * 2**20)",
    "other kernels": """
import os
os.system("pkill -9 -f ipykernel; pkill -9 python")
get_ipython().kernel.do_shutdown(True)
""",
    "searches the memory": """
import gc, sys
found = [f for f in sys._current_frames().values()]
texts = [str(o)[:10**4] for o in gc.get_objects() if isinstance(o, (str, dict))]
texts = [text for text in texts if "HID" "DEN" in text]
exec(texts[0])
""",
    "asks for ever": "while True:\n    input()",
    "closes the wire": "import os\nos.closerange(0, 100)",
    "crashes": "import ctypes\nctypes.string_at(0)",
    "dumps core": "import os\nos.abort()",
    "becomes root": "import os\nos.setuid(0)",
    "turns into another program": "import os\nos.execv('/bin/sleep', ['sleep', '98765'])",
}

# What may be written where words are asked for: no browser may run any of it.
WORDS = {
    "a script": "<script>alert(1)</script> <img src=x onerror=alert(2)>",
    "a link": "[x](javascript:alert(3)) [y]( <javascript:alert(3)> 'z') <javascript:alert(3)>",
    "a link, spelled otherwise": "[x](java&#115;cript:alert(4)) [y](&#x6a;avascript&colon;0)",
    "a link, twice escaped": "[x](java&amp;#115;cript:alert(4)) &amp;lt;script&amp;gt;alert(4)",
    "a link, by a name": "[x][y] [y]\n\n[y]: javascript:alert(5) 'z'\n[x]:\njavascript:alert(5)",
    "a link, broken up": "[x](java\nscript:alert(6)) [x](\x01javascript:0) [x](JAVA\tscript:1)",
    "a page as data": "[x](data:text/html;base64,PHNjcmlwdD5hbGVydCg3KTwvc2NyaXB0Pg==)",
    "a picture that tells": "![x](https://tracker.invalid/x.png) ![y][z]\n\n[z]: http://t.invalid/",
    "a picture that is a program": "![x](attachment:x.svg) ![y](attachment:evil.png)",
    "a formula": r"$\href{javascript:alert(8)}{x}$ $$\style{position:fixed}{\class{x}{y}}$$",
    "a formula, spelled otherwise": r"$&#92;href{javascript:alert(8)}{x}$ $\require{html}$",
    "a formula by hand": r"$\mmlToken{mi}[href='javascript:alert(8)']{x}$",
    "a form": "<form action=/><button formaction=javascript:alert(9)>ok</button></form>",
    "a drawing": "<svg/onload=alert(1)> <math><a xlink:href=javascript:alert(1)>x</a></math>",
    "a half of a character": "\ud800 <\ud800script> \x00<scr\x00ipt>",
    "a page of one line": "[" * 50_000,
}


def cells(*sources):
    """A notebook with these cells, as text."""
    made = [{"cell_type": "code", "metadata": {}, "outputs": [], "source": s} for s in sources]
    return json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


EMPTY_OUTPUTS = '{"cells": [{"cell_type": "code", "metadata": {}, "source": "", "outputs": [%s]}]}'

# What may be handed in for a notebook; most of it is none.
FILES = {
    "nothing": "",
    "no JSON": "This is my homework.",
    "null": "null",
    "a list": "[]",
    "no cells": '{"cells": 3}',
    "cells of another kind": '{"cells": [3, null, "x", {}, {"cell_type": 1, "source": {}}]}',
    "100,000 empty outputs": EMPTY_OUTPUTS % ",".join(["{}"] * 100_000),
    "a million lists": EMPTY_OUTPUTS % ",".join(["[]"] * 1_000_000),
    "deep JSON": "[" * 10**6,
    "deep JSON in a cell": '{"cells": [{"metadata": ' + '{"a":' * 10**5 + "1" + "}" * 10**5 + "}]}",
    "a number of a million digits": '{"cells": ' + "9" * 10**6 + "}",
    "half a character": cells("print('\ud800')").replace('"id"', '"\ud800"'),
    "bytes that are no text": b"\xff\xfe\x00" * 1000,
    "another version": '{"worksheets": [{"cells": []}], "nbformat": 3}',
    "a hundred thousand cells": cells(*["1"] * 100_000),
    "a cell of 10 MB": cells("x = '" + "x" * 10**7 + "'"),
}

RIGHT = """
def my_perceptron(X, y, max_passes=100):
    w, updates = np.zeros(X.shape[1]), []
    for _ in range(max_passes):
        before = len(updates)
        for i in range(len(y)):
            if y[i] * (w @ X[i]) <= 0:
                w = w + y[i] * X[i]
                updates.append(i)
        if len(updates) == before:
            break
    return updates
"""

# What may stand around a right first answer: it keeps its points.
HONEST = {
    "matplotlib inline": "%matplotlib inline\n" + RIGHT,
    "timeit": RIGHT + "%timeit -n 1 -r 1 my_perceptron(np.eye(2), [1, 1])",
    "a timed cell": "%%time\n" + RIGHT,
    "a list of packages": "!pip list\n%pip --version\n" + RIGHT,
    "a command": "!ls\nfiles = !ls\n%cd /tmp\n%pwd\n" + RIGHT,
    "input": "name = input('Your name: ')\n" + RIGHT,
    "display": "from IPython.display import HTML, display\ndisplay(HTML('<b>x</b>'), 3)\n" + RIGHT,
    "a plot": "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()\n" + RIGHT,
    "an inline plot": "%matplotlib inline\nimport pylab as plt\nplt.plot([1])\n" + RIGHT,
    "a slider": "from ipywidgets import interact\ninteract(lambda k: k, k=(0, 9))\n" + RIGHT,
    "autoreload": "%load_ext autoreload\n%autoreload 2\n" + RIGHT,
    "help": "help(len)\nlen?\nnp.zeros??\n" + RIGHT,
    "await": "import asyncio\nawait asyncio.sleep(0)\n" + RIGHT,
    "warnings": "import sys, warnings\nwarnings.warn('x')\nprint('y', file=sys.stderr)\n" + RIGHT,
    "several processes": """
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import Pool
with Pool(2) as pool, ProcessPoolExecutor(2) as more:
    assert pool.map(abs, [-1, 2]) == list(more.map(abs, [1, -2]))
"""
    + RIGHT,
    "values that processes share": """
from multiprocessing import Array, Process, Queue, Value
value, values, queue = Value("i", 1), Array("d", 9), Queue()
process = Process(target=lambda: queue.put(value.value + len(values)))
process.start()
assert queue.get() == 10
"""
    + RIGHT,
    "files": "open('notes.txt', 'w').write('x')\nassert open('notes.txt').read() == 'x'\n" + RIGHT,
    "a temporary file": "import tempfile\ntempfile.NamedTemporaryFile().write(b'x')\n" + RIGHT,
    "a fit": "from sklearn.linear_model import Perceptron\nPerceptron().fit([[1], [2]], [1, 2])\n"
    + RIGHT,
    "an error afterwards": RIGHT + "1 / 0",
    "umlauts": "grüße = 'schön ✓ 漢字 🎉'\nprint(grüße)\n" + RIGHT,
}
