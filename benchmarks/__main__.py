"""Measure everything and write RESULTS.md and RESULTS.png beside this file.   (make bench)"""

import math
import os
import platform
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from sklearn.svm import LinearSVC

import perceptron_lib as lib
from benchmarks import workloads
from perceptron_lib import fast, lookahead

HERE = Path(__file__).resolve().parent
LOOKS = {"ours": ("o", "#0072B2", "perceptron, compiled"),  # colours of Okabe and Ito
         "NumPy": ("s", "#E69F00", "perceptron, NumPy alone"),
         "peer": ("^", "#009E73", "scikit-learn"), "loop": ("x", "#CC79A7", "ten-line loop"),
         "limit": (":", "k", "limit: passes × one X @ w")}  # fmt: skip


def using(found, function, *arguments):
    """A contender that runs in one way: compiled (`fast`) or in NumPy alone (None)."""

    def call():
        before, lookahead.machine_code = lookahead.machine_code, lambda *_: found
        try:
            return function(*arguments)
        finally:
            lookahead.machine_code = before

    return call


def clock(function):
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def least_times(contenders, seconds=4.0, most=200):
    """The least time of each contender; they take turns, as often as fits, but twice at least."""
    times, end, rounds = {name: [] for name in contenders}, time.perf_counter() + seconds, 0
    while rounds < 2 or (rounds < most and time.perf_counter() < end):
        for name, function in contenders.items():
            times[name].append(clock(function))
        rounds += 1
    return {name: min(each) for name, each in times.items()}


def ratio(best, slow, quick):
    return best[slow] / best[quick] if slow in best and quick in best else math.nan


def exponent(sizes, times):
    """The slope of a straight line through log time over log size."""
    return float(np.polyfit(np.log(sizes), np.log(times), 1)[0])


def in_a_new_process(code, **environment):
    """What `code` prints last, as floats; in a process that returns the memory it has freed."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MALLOC_")}
    done = subprocess.run([sys.executable, "-c", code], env=kept | environment,
                          capture_output=True, text=True, check=True, timeout=300)  # fmt: skip
    return [float(word) for word in done.stdout.splitlines()[-1].split()]


# --- the rows: what, the least times in seconds of whoever took part, remarks ------------------


def perceptron_rows():
    for name, build, max_passes in workloads.WORKLOADS:
        X, y = build()
        run = lib.perceptron(X, y, max_passes=max_passes)
        passes, few = run.passes, min(run.passes, 20)
        asked = {"ours": (fast, workloads.ours), "NumPy": (None, workloads.ours),
                 "peer": (None, workloads.scikit_learn), "loop": (None, workloads.plain_loop)}
        if passes * len(y) > 600_000:
            del asked["loop"]
        contenders = {who: using(*way, X, y, passes) for who, way in asked.items()}
        wrong = [who for who, made in contenders.items() if not workloads.same(made(), run.w)]
        contenders = {who: made for who, made in contenders.items() if who not in wrong}
        contenders["limit"] = lambda X=X, w=run.w, few=few: [X @ w for _ in range(few)]
        best = least_times(contenders)
        best["limit"] *= passes / few
        rare = passes * len(y) > 500 * run.mistakes
        remarks = {
            "mistakes are rare": rare, f"{' and '.join(wrong)} ended elsewhere": wrong,
            "**below 1.5**: checks take much of so short a run": ratio(best, "peer", "ours") < 1.5,
            "**over 1.5**: the first pass measures lengths, and Python takes 0.1 ms":
                rare and ratio(best, "ours", "limit") > 1.5,
            "**NumPy below 0.25**: whole numbers, at each of many mistakes":
                ratio(best, "loop", "NumPy") < 0.25,
        }  # fmt: skip
        what = f"{name}: M = {run.mistakes:,}, {passes:,} passes"
        yield what, best, "; ".join(remark for remark, holds in remarks.items() if holds)


def separate_rows():
    for n, d, margin in ((200, 2, 0.1), (2000, 20, 0.05), (20_000, 100, 0.05)):
        X, y, _ = lib.separable(n, d, margin, seed=1)
        machine = LinearSVC(C=1e6, loss="hinge", dual=True, fit_intercept=False, max_iter=20_000)
        methods = {"ours": lambda X=X, y=y: lib.separate(X, y),
                   "peer": lambda X=X, y=y, machine=machine: machine.fit(X, y)}  # fmt: skip
        best, answer, w = least_times(methods), methods["ours"](), methods["peer"]().coef_[0]
        assert answer.verify()
        gap = answer.upper * np.sqrt(w @ w) / (y * (X @ w)).min() - 1
        ours = f"within {answer.gap:.0e} of" if answer.gap else "at"
        remark = f"{ours} the largest margin, proved; LinearSVC within {gap:.0e}"
        late = "; **behind LinearSVC**" * int(best["ours"] > best["peer"])
        yield f"separate, {n:,}×{d} (peer: LinearSVC)", best, remark + late
    for d, goal in ((100, 5), (300, 60)):
        rng, y = np.random.default_rng(d), np.resize([1, -1], 5 * d)
        whole, real = rng.integers(-8, 9, (5 * d, d)), rng.normal(size=(5 * d, d))
        for name, X in (("whole numbers", whole), ("real numbers", real)):
            answer = lib.separate(X, y)
            assert isinstance(answer, lib.Inseparable) and answer.verify()
            best = least_times({"ours": lambda X=X, y=y: lib.separate(X, y)}, 1.0)
            late = ", **missed**" * int(best["ours"] > goal)
            yield f"separate, {5 * d:,}×{d}, inseparable, {name}", best, f"goal: {goal} s{late}"


def growth_rows():
    for name, engine in (("compiled", fast), ("NumPy alone", None)):
        over = {"n": {}, "d": {}, "M": {}}
        for k in (1, 2, 4, 8, 16):
            for what, n, d in (("n", 4000 * k, 20), ("d", 4000, 50 * k)):
                X, y, u = lib.separable(n, d, 0.25, seed=1)
                once = using(engine, lib.perceptron, X, y, "mistake", u, None, 1)
                over[what][k] = least_times({"": once}, 1.0)[""]
        clean, contenders = lib.separable(20_000, 5, 0.05, seed=1), {}
        for M in (0, 2000, 4000, 8000, 16_000):
            X, y, u = lib.flip_labels(clean, M)  # a long start keeps w near u: these are mistakes
            contenders[M] = using(engine, lib.perceptron, X, y, "mistake", 2**20 * u, None, 1)
        best = least_times(contenders, 4.0, most=100)
        over["M"] = {M: max(t - best[0], 1e-9) for M, t in best.items() if M}
        told = [f"{what}^{exponent(list(t), list(t.values())):.2f}" for what, t in over.items()]
        yield f"growth of a pass, {name}", {}, f"as {', '.join(told)} (fitted)"


MEMORY = """
import time, numpy as np
from pathlib import Path
from perceptron_lib import lookahead, perceptron
start = time.perf_counter()
from perceptron_lib import fast
seconds = time.perf_counter() - start
lookahead.machine_code = lambda *_: {engine}
def megabytes():
    return int(Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0]) / 1e3
perceptron([[1.0]], [1])
X, before = np.random.default_rng(0).random((100_000, 100)), megabytes()
X -= 0.5
perceptron(X, np.where(X[:, 0] > 0, 1, -1), max_passes=5).w
print(seconds, megabytes() - before, before - 80)
"""
LESSON = """
import json, sys, time
sys.modules["numba"], start = None, time.perf_counter()
from IPython.core.interactiveshell import InteractiveShell
for cell in json.load(open({path!r}))["cells"]:
    if cell["cell_type"] == "code":
        InteractiveShell.instance().run_cell("".join(cell["source"])).raise_error()
print()
print(time.perf_counter() - start)
"""


def other_rows():
    for margin in (0.0016, 0.0002):
        X, y, u = lib.separable(2000, 20, margin, seed=3)
        run = lib.perceptron(X, y, max_passes=99_999)
        best = least_times({"ours": lambda run=run, u=u: lib.claims.mistake_bound(run, u)}, 3.0)
        yield f"claims: the mistake bound at each of {run.mistakes:,} updates, d = 20", best, ""
    with tempfile.TemporaryDirectory() as empty:
        for when, name, engine in (("the first time", "NumPy alone", "None"),
                                   ("from the disk", "compiled", "fast")):  # fmt: skip
            told = in_a_new_process(MEMORY.format(engine=engine), NUMBA_CACHE_DIR=empty)
            yield f"loading numba and the compiled loop, {when}", {"ours": told[0]}, ""
            remark = f"{told[1]:.0f} MB; Python, NumPy and numba themselves: {told[2]:.0f} MB"
            yield f"memory of a run beside its data, 100,000×100 (80 MB), {name}", {}, remark
    for path in sorted(HERE.parent.glob("notebooks/*.ipynb")):
        (t,) = in_a_new_process(LESSON.format(path=str(path)), MPLBACKEND="agg")
        remark = "**over 10 s**" * int(t > 10)
        yield f"lesson {path.stem[:2]}, all its code without numba", {"NumPy": t}, remark
    for name in ("stepper", "proof", "margin", "reduction", "noise", "kernel", "descent"):
        controls = getattr(lib.widgets, name)().controls
        slider = next(c for c in controls if "Slider" in type(c).__name__ and not c.disabled)
        places = [(slider.index + k) % len(slider.options) for k in range(1, 21)]
        moves = [clock(lambda p=p, s=slider: setattr(s, "index", p)) for p in places]
        remark = f"at most {1e3 * max(moves):.0f}" + "; **over 100**" * int(max(moves) > 0.1)
        yield f"widget {name}, a redraw (median of 20)", {"ours": np.median(moves)}, remark


# --- the page --------------------------------------------------------------------------------

PAGE = """# Speed

Written by `make bench` in {minutes:.0f} minutes; {cores} cores ({system}), load {load:.1f} before.

- compiled against scikit-learn: geom. mean **{mean:.2f}** (goal 4), least **{least:.2f}** (1.5)
- compiled within 1.5 × limit where mistakes are rare (one in 500 examples): **{within} of {rare}**
- NumPy against the loop: geometric mean **{ahead:.2f}** (goal 1), least **{slowest:.2f}** (0.25)

*Ours* is `perceptron` as machine code (the extra `fast`), loaded before; *NumPy* the same without
it, as in the browser. Both are exact. The *peer* (scikit-learn, unless it says otherwise) and the
ten-line *loop* make the same updates in floats; a time counts only if the weights are ours. *Limit*
is `X @ w`, one call of NumPy a pass. Contenders take turns; the least time counts (ms).

![Time over limit for {count} workloads: on {wins}, compiled is below scikit-learn](RESULTS.png)

| what | ours | NumPy | peer | loop | limit | peer / ours | ours / limit | loop / NumPy | remarks |
| --- | --: | --: | --: | --: | --: | --: | --: | --: | --- |
{table}
"""


def line(what, best, remarks):
    times = [f"{1e3 * best[name]:,.4g}" if name in best else "" for name in LOOKS]
    pairs = ("peer", "ours"), ("ours", "limit"), ("loop", "NumPy")
    ratios = [f"{ratio(best, *pair):.2f}".replace("nan", "") for pair in pairs]
    return f"| {' | '.join([what, *times, *ratios, remarks])} |"


def draw(works, wins):
    figure = Figure(figsize=(7.2, 5.0), layout="constrained")
    ax, limits = figure.add_subplot(), [best["limit"] for best in works]
    for name, (look, colour, label) in LOOKS.items():
        times = [best.get(name, math.nan) for best in works]
        ax.loglog(limits, times, look, color=colour, label=label, fillstyle="none")
    title = f"Exact, and faster than scikit-learn on {wins} of {len(works)} workloads"
    ax.set(xlabel="limit (seconds)", ylabel="time (seconds)", title=title)
    ax.legend(frameon=False)
    figure.savefig(HERE / "RESULTS.png", dpi=200)


def main():
    began, load, rows = time.perf_counter(), os.getloadavg()[0], []
    warnings.simplefilter("ignore")  # LinearSVC: its gap says how far it came
    for part in (perceptron_rows, separate_rows, growth_rows, other_rows):
        for row in part():
            rows.append(row)
            print(line(*row), file=sys.stderr, flush=True)
    works = sorted((r[1] for r in rows if "limit" in r[1]), key=lambda best: best["limit"])
    peer, loop = (np.array([ratio(best, *pair) for best in works if pair[0] in best])
                  for pair in (("peer", "ours"), ("loop", "NumPy")))  # fmt: skip
    rare = [ratio(best, "ours", "limit") for _, best, remark in rows if "rare" in remark]
    draw(works, wins := int((peer > 1).sum()))
    text = PAGE.format(
        minutes=(time.perf_counter() - began) / 60, cores=os.cpu_count(), load=load, wins=wins,
        system=platform.system(), count=len(works), table="\n".join(line(*row) for row in rows),
        mean=np.exp(np.log(peer).mean()), least=peer.min(), rare=len(rare),
        within=sum(x <= 1.5 for x in rare), ahead=np.exp(np.log(loop).mean()), slowest=loop.min(),
    )  # fmt: skip
    (HERE / "RESULTS.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
