"""Measure the Perceptron, and write RESULTS.md and RESULTS.png beside this file.   (make bench)"""

import math
import os
import sys
import time
from functools import partial
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from benchmarks import workloads
from perceptron_lib import fast, perceptron

ENGINE = sys.modules["perceptron_lib.perceptron"]  # `perceptron_lib.perceptron` is the function
HERE = Path(__file__).resolve().parent
LOOKS = {"compiled": ("o", "#0072B2"), "NumPy": ("s", "#E69F00"),  # colours of Okabe and Ito
         "scikit-learn": ("^", "#009E73"), "loop": ("x", "#CC79A7"), "limit": (":", "k")}
PAGE = """# Speed

Written by `make bench`; {cores} cores, load {load:.1f} before.

- compiled against scikit-learn: geometric mean **{mean:.2f}** (goal 3), least **{least:.2f}** (1.2)
- NumPy against the ten-line loop: geometric mean **{ahead:.2f}**, least **{slowest:.2f}**

*Compiled* is `perceptron` as machine code (the extra `fast`), loaded before; *NumPy* the same
without it, as in the browser. Both are exact. scikit-learn and the ten-line *loop* make the same
updates in floats; a time counts only if the weights are ours. *Limit* is `X @ w`, one call of NumPy
a pass. Contenders take turns; the least time counts (ms). Numba loads in half a second.

![Time over limit for {count} workloads: on {wins}, compiled is below scikit-learn](RESULTS.png)

| workload | {names} | scikit-learn / compiled | loop / NumPy |
| --- | --: | --: | --: | --: | --: | --: | --: |
{table}
"""


def using(engine, function, *arguments):
    """What the function returns if runs are compiled (`fast`), or are in NumPy alone (None)."""
    before, ENGINE.machine_code = ENGINE.machine_code, lambda *_: engine
    try:
        return function(*arguments)
    finally:
        ENGINE.machine_code = before


def least_times(contenders, seconds=3.0, most=200):
    """The least time of each contender; they take turns, as often as fits, but twice at least."""
    times, end, rounds = dict.fromkeys(contenders, math.inf), time.perf_counter() + seconds, 0
    while rounds < 2 or (rounds < most and time.perf_counter() < end):
        for name, function in contenders.items():
            start = time.perf_counter()
            function()
            times[name] = min(times[name], time.perf_counter() - start)
        rounds += 1
    return times


def measured(name, build, max_passes):
    """What was run, and the least times of all who made the same updates."""
    X, y = build()
    run = perceptron(X, y, max_passes=max_passes)
    passes, few = run.passes, min(run.passes, 20)
    asked = {"compiled": (fast, workloads.ours), "NumPy": (None, workloads.ours),
             "scikit-learn": (None, workloads.scikit_learn), "loop": (None, workloads.plain_loop)}
    if passes * len(y) > 600_000:
        del asked["loop"]
    contenders = {who: partial(using, *way, X, y, passes) for who, way in asked.items()}
    contenders = {who: go for who, go in contenders.items() if workloads.same(go(), run.w)}
    best = least_times(contenders | {"limit": lambda: [X @ run.w for _ in range(few)]})
    best["limit"] *= passes / few
    return f"{name}: M = {run.mistakes:,}, {passes:,} passes", best


def ratio(best, slow, quick):
    return best[slow] / best[quick] if slow in best and quick in best else math.nan


def line(what, best):
    times = [f"{1e3 * best[name]:,.4g}" if name in best else "" for name in LOOKS]
    pairs = ("scikit-learn", "compiled"), ("loop", "NumPy")
    ratios = [f"{ratio(best, *pair):.2f}".replace("nan", "") for pair in pairs]
    return f"| {' | '.join([what, *times, *ratios])} |"


def draw(works, wins):
    figure = Figure(figsize=(7.2, 5.0), layout="constrained")
    ax, works = figure.add_subplot(), sorted(works, key=lambda best: best["limit"])
    for name, (look, colour) in LOOKS.items():
        limits, times = ([best.get(key, math.nan) for best in works] for key in ("limit", name))
        ax.loglog(limits, times, look, color=colour, label=name, fillstyle="none")
    title = f"Exact, and faster than scikit-learn on {wins} of {len(works)} workloads"
    ax.set(xlabel="limit: passes × one X @ w (seconds)", ylabel="time (seconds)", title=title)
    ax.legend(frameon=False)
    figure.savefig(HERE / "RESULTS.png", dpi=200)


def main():
    load, rows = os.getloadavg()[0], []
    for work in workloads.WORKLOADS:
        rows.append(measured(*work))
        print(line(*rows[-1]), file=sys.stderr, flush=True)
    works = [best for _, best in rows]
    peer = np.array([ratio(best, "scikit-learn", "compiled") for best in works])
    loop = np.array([ratio(best, "loop", "NumPy") for best in works if "loop" in best])
    draw(works, wins := int((peer > 1).sum()))
    text = PAGE.format(
        cores=os.cpu_count(), load=load, mean=np.exp(np.nanmean(np.log(peer))),
        least=np.nanmin(peer), ahead=np.exp(np.log(loop).mean()), slowest=loop.min(), wins=wins,
        count=len(rows), names=" | ".join(LOOKS), table="\n".join(line(*row) for row in rows),
    )  # fmt: skip
    (HERE / "RESULTS.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
