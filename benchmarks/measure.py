"""Times that can be compared: contenders take turns, and the least time of each counts."""

import os
import subprocess
import sys
import time
from contextlib import contextmanager

import numpy as np

from perceptron_lib import fast, lookahead

NUMPY, COMPILED = None, fast  # what `machine_code` finds


@contextmanager
def way(found):
    before, lookahead.machine_code = lookahead.machine_code, lambda *_: found
    try:
        yield
    finally:
        lookahead.machine_code = before


def using(found, function, *arguments):
    """A contender that runs in one way."""

    def call():
        with way(found):
            return function(*arguments)

    return call


def say(text):
    print(text, file=sys.stderr, flush=True)


def clock(function):
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def take_turns(contenders, seconds=4.0, most=200):
    """The times of each contender, a dict of lists; as many rounds as fit, but two at least."""
    times, end = {name: [] for name in contenders}, time.perf_counter() + seconds
    rounds = 0
    while rounds < 2 or (rounds < most and time.perf_counter() < end):
        for name, function in contenders.items():
            times[name].append(clock(function))
        rounds += 1
    return times


def ratio(times, slow, fast):
    """How many times faster, by the least times, and the range over the rounds."""
    by_round = np.array(times[slow]) / np.array(times[fast])
    return min(times[slow]) / min(times[fast]), by_round.min(), by_round.max()


def exponent(sizes, times):
    """The slope of a straight line through log time over log size."""
    return float(np.polyfit(np.log(sizes), np.log(times), 1)[0])


def in_a_new_process(code, **environment):
    """What `code` prints, as a float; in a process that returns the memory it has freed."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MALLOC_")}
    done = subprocess.run(
        [sys.executable, "-c", code], env=kept | environment, capture_output=True, text=True,
        check=True, timeout=120,
    )
    return float(done.stdout)


IMPORT = """
import time, perceptron_lib
start = time.perf_counter()
import perceptron_lib.fast
print(time.perf_counter() - start)
"""

MEMORY = """
import resource, sys
from pathlib import Path
import numpy as np
from perceptron_lib import lookahead, perceptron
lookahead.WORTH_LOADING = {worth}
rng = np.random.default_rng(0)
X = rng.random((100_000, 100))
X -= 0.5
y = np.where(X[:, 0] > 0, 1, -1)
perceptron(X, y, max_passes=5).w
unit = 1e6 if sys.platform == "darwin" else 1e3
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
status = Path("/proc/self/status")  # on Linux, where the other figure may be the parent's
if status.exists():
    peak = int(status.read_text().split("VmHWM:")[1].split()[0]) / 1e3
print(peak)
"""
