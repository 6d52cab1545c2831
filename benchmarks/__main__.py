"""Measure everything and write RESULTS.md and RESULTS.png beside this file.   (make bench)"""

import os
import platform
import tempfile
import time
import warnings
from pathlib import Path
from typing import NamedTuple

import matplotlib
import numpy as np
import scipy
import sklearn
from matplotlib.figure import Figure
from scipy.optimize import linprog
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC, LinearSVC

from benchmarks import measure, workloads
from benchmarks.measure import COMPILED, NUMPY, ratio, say, take_turns, using
from perceptron_lib import (
    claims,
    flip_labels,
    kernel_perceptron,
    margin_perceptron,
    perceptron,
    separable,
    separate,
    widgets,
)

HERE = Path(__file__).resolve().parent
STYLE = {  # marker, colour (Okabe and Ito), label
    "compiled": ("o", "#0072B2", "perceptron, compiled"),
    "NumPy": ("s", "#E69F00", "perceptron, NumPy"),
    "scikit-learn": ("^", "#009E73", "scikit-learn"),
    "loop": ("x", "#CC79A7", "ten-line loop"),
}


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def ms(seconds):
    return f"{1e3 * seconds:,.3g}" if seconds < 0.1 else f"{1e3 * seconds:,.0f}"


def times_faster(times, slow, fast):
    best, low, high = ratio(times, slow, fast)
    return f"{best:.2f} ({low:.2f}–{high:.2f})"


def geometric_mean(values):
    return float(np.exp(np.mean(np.log(values))))


# --- the Perceptron on all workloads ---------------------------------------------------------


def run_workload(work):
    """The times of all contenders whose weights are ours, and what is known of the run."""
    X, y = work.build()
    run = perceptron(X, y, max_passes=work.max_passes)
    passes, seen = run.passes, run.passes * len(y)
    Z, few = y[:, None] * X, min(passes, 20)
    contenders = {
        "compiled": using(COMPILED, workloads.ours, X, y, passes),
        "NumPy": using(NUMPY, workloads.ours, X, y, passes),
        "scikit-learn": lambda: workloads.scikit_learn(X, y, passes),
    }
    if seen <= 600_000:
        contenders["loop"] = lambda: workloads.plain_loop(X, y, passes)
    differ = [name for name, made in contenders.items() if not workloads.same(made(), run.w)]
    contenders = {name: made for name, made in contenders.items() if name not in differ}
    times = take_turns(contenders | {"limit": lambda: [Z @ run.w for _ in range(few)]})
    times["limit"] = [t * passes / few for t in times["limit"]]
    mlxtend = against_mlxtend(X, y, min(passes, 6000 // len(y))) if len(y) <= 2000 else "–"
    return Result(work.name, run.mistakes, passes, seen, times, differ, mlxtend)


def against_mlxtend(X, y, passes):
    """How many times slower it is than the compiled loop, with a bias for both."""
    contenders = {
        "compiled": using(COMPILED, workloads.ours_with_bias, X, y, passes),
        "mlxtend": lambda: workloads.mlxtend(X, y, passes),
    }
    if not workloads.same(contenders["mlxtend"](), contenders["compiled"]()):
        return "ends elsewhere"
    return times_faster(take_turns(contenders, seconds=1.0), "mlxtend", "compiled")


class Result(NamedTuple):
    name: str
    mistakes: int
    passes: int
    seen: int  # examples looked at, over all passes
    times: dict
    differ: list  # contenders that ended with other weights
    mlxtend: str

    @property
    def best(self):
        return {name: min(times) for name, times in self.times.items()}

    def shortfalls(self):
        """Which goals are missed on this workload, and why."""
        best, notes, M = self.best, [], self.mistakes
        limit, peer = best["limit"], best.get("scikit-learn", np.inf)
        if self.differ:
            notes.append(f"{' and '.join(self.differ)} ended elsewhere, so no time counts")
        if best["compiled"] > peer:
            why = ("the step from pass to pass is Python" if self.passes > 50 else "checking and "
                   "copying the data and rounding the weights only once cost more than the passes")
            notes.append(f"compiled is behind: {why}")
        if self.seen > 500 * M and best["compiled"] > 1.5 * limit:
            extra = (best["compiled"] - limit) / limit * self.passes
            notes.append(f"compiled: set-up costs as much as {extra:.0f} passes")
        if best["NumPy"] > 4 * best.get("loop", np.inf):
            notes.append("NumPy takes over four times as long as the loop, which checks nothing")
        return "; ".join(notes)

    def row(self):
        best, peer = self.best, "scikit-learn" in self.times
        return [
            self.name, f"{self.mistakes:,}", f"{self.passes:,}",
            *(ms(best[name]) if name in best else "–"
              for name in ("compiled", "NumPy", "scikit-learn", "loop", "limit")),
            times_faster(self.times, "scikit-learn", "compiled") if peer else "–",
            times_faster(self.times, "scikit-learn", "NumPy") if peer else "–",
            self.mlxtend, f"{best['compiled'] / best['limit']:.2f}", self.shortfalls(),
        ]


HEAD = ["workload", "mistakes", "passes", "compiled, ms", "NumPy, ms", "scikit-learn, ms",
        "loop, ms", "limit, ms", "scikit-learn / compiled", "scikit-learn / NumPy",
        "mlxtend / compiled", "compiled / limit", "falls short"]


def perceptron_section():
    results = []
    for number, work in enumerate(workloads.WORKLOADS, 1):
        say(f"{number}/{len(workloads.WORKLOADS)} {work.name}")
        results.append(run_workload(work))
    means = []
    for slow in ("scikit-learn", "loop"):
        for fast in ("compiled", "NumPy"):
            each = [ratio(r.times, slow, fast)[0] for r in results if slow in r.times]
            means.append(f"- {slow} / {fast}: **{geometric_mean(each):.2f}**, least "
                         f"{min(each):.2f}, on {len(each)} workloads")
    return (f"## The Perceptron\n\n![{draw(results)}](RESULTS.png)\n\n"
            f"{table(HEAD, [r.row() for r in results])}\n\n"
            "mlxtend has a bias and calls score 0 positive, so ours does the same against it; it "
            "gets few passes, and only where there are few examples.\n\n"
            "Geometric means of the ratios of least times:\n\n" + "\n".join(means)
            + f"\n\n{goals(results)}\n\n{WHY}")


def goals(results):
    """What was hoped for, and what was reached."""
    def mean(fast):
        each = [ratio(r.times, "scikit-learn", fast)[0] for r in results
                if "scikit-learn" in r.times]
        return geometric_mean(each), min(each)

    rare = [r.best["compiled"] / r.best["limit"] for r in results if r.seen > 500 * r.mistakes]
    loop = [r.best["loop"] / r.best["NumPy"] for r in results if "loop" in r.best]
    compiled, least = mean("compiled")
    rows = [
        ["compiled: three times as fast as scikit-learn in the mean", f"{compiled:.2f}"],
        ["compiled: as fast as scikit-learn on every workload", f"{least:.2f} at least"],
        ["compiled: within 1.5 × limit where mistakes are rare (one in 500 examples)",
         f"on {sum(x <= 1.5 for x in rare)} of {len(rare)}"],
        ["NumPy: ahead of the ten-line loop in the mean", f"{geometric_mean(loop):.2f}"],
        ["NumPy: nowhere more than four times slower", f"{min(loop):.2f} of its speed at least"],
    ]
    return table(["goal", "reached"], rows)


WHY = """The engine in NumPy is there to be read, and for the browser: it keeps the weights in whole
numbers, and a mistake takes a dozen calls of NumPy, however little they compute. So it is ahead of
the plain loop where mistakes are rare, and behind where they are dense. Speed is the business of
the compiled loop."""


def draw(results):
    """Time over limit, both logarithmic; returns the alternative text."""
    figure = Figure(figsize=(7.2, 5.0), layout="constrained")
    ax = figure.add_subplot()
    limits = [1e3 * r.best["limit"] for r in results]
    for name, (marker, colour, label) in STYLE.items():
        at = [(x, 1e3 * min(r.times[name])) for x, r in zip(limits, results, strict=True)
              if name in r.times]
        ax.loglog(*zip(*at, strict=True), marker, color=colour, label=label, fillstyle="none")
    ends = [min(limits), max(limits)]
    ax.loglog(ends, ends, "k:", label="limit: passes × one Z @ w")
    ax.set(xlabel="limit (ms)", ylabel="time (ms)", title="Each column of marks is one workload")
    ax.legend(frameon=False)
    figure.savefig(HERE / "RESULTS.png", dpi=120)
    wins = sum(min(r.times["compiled"]) <= min(r.times.get("scikit-learn", [np.inf]))
               for r in results)
    return (f"Log-log plot of running time against the limit for {len(results)} workloads, limits "
            f"from {ends[0]:.2g} to {ends[1]:.2g} ms. The compiled Perceptron is at or below "
            f"scikit-learn on {wins} of them; the ten-line loop is mostly the slowest.")


# --- the others ------------------------------------------------------------------------------


def variants_section():
    rows = []

    def row(name, contenders, updates):
        say(name)
        first, *others = (made() for made in contenders.values())
        if not all(workloads.same(other, first) for other in others):
            rows.append([name, updates, "–", "–", "–", "ends elsewhere: no time"])
            return
        times = take_turns(contenders, seconds=3.0)
        rows.append([name, f"{updates:,}", *(ms(min(t)) for t in times.values()),
                     times_faster(times, "loop", "NumPy")])

    for n, d, gamma in ((2000, 20, 0.05), (10_000, 50, 0.05)):
        X, y, _ = separable(n, d, gamma, seed=1)
        run = margin_perceptron(X, y, gamma)

        def ours(X=X, y=y, gamma=gamma):
            return margin_perceptron(X, y, gamma).w

        row(f"margin Perceptron, {n:,}×{d}, γ = {gamma}", {
            "compiled": using(COMPILED, ours), "NumPy": using(NUMPY, ours),
            "loop": lambda X=X, y=y, passes=run.passes, gamma=gamma: workloads.margin_loop(
                X, y, passes, gamma / 2),
        }, run.mistakes)
    for name, build in workloads.KERNELS:
        K, y = build()
        run = kernel_perceptron(K, y, max_passes=20)

        def ours(K=K, y=y):
            return kernel_perceptron(K, y, max_passes=20).alpha

        row(f"kernel Perceptron, {name}", {
            "compiled": using(COMPILED, ours), "NumPy": using(NUMPY, ours),
            "loop": lambda K=K, y=y, passes=run.passes: workloads.kernel_loop(K, y, passes),
        }, run.mistakes)
    head = ["variant", "updates", "compiled, ms", "NumPy, ms", "loop, ms", "loop / NumPy"]
    return f"## Margin and kernel Perceptron\n\n{table(head, rows)}"


def separate_section():
    rows = []
    for n, d, margin in ((200, 2, 0.1), (2000, 20, 0.05), (20_000, 100, 0.05)):
        say(f"separate, {n:,}×{d}")
        X, y, _ = separable(n, d, margin, seed=1)
        Z, ones = y[:, None] * X, np.ones(n)
        both, labels = np.vstack([Z, -Z]), np.append(ones, -ones)  # symmetric: then no intercept
        methods = {
            "separate": lambda X=X, y=y: separate(X, y).w,
            "HiGHS (any separator)": lambda Z=Z, ones=ones: linprog(
                np.zeros(Z.shape[1]), -Z, -ones, bounds=(None, None)).x,
            "LinearSVC": lambda X=X, y=y: LinearSVC(
                C=1e6, loss="hinge", dual=True, fit_intercept=False, max_iter=20_000,
            ).fit(X, y).coef_[0],
        }
        if n <= 2000:
            methods["SVC"] = lambda both=both, labels=labels: SVC(
                C=1e10, kernel="linear").fit(both, labels).coef_[0]
        upper, gaps = separate(X, y).upper, {}
        for name, method in methods.items():
            w = method()
            reached = (Z @ w).min() / np.sqrt(w @ w)
            gaps[name] = f"{max(upper / reached - 1, 0):.1e}" if reached > 0 else "no separator"
        times = take_turns(methods, seconds=4.0)
        for name, t in times.items():
            rows.append([f"{n:,}×{d}", name, ms(min(t)), times_faster(times, name, "separate"),
                         gaps[name]])
    head = ["examples", "method", "ms", "method / separate", "gap"]
    return ("## separate\n\nThe gap is how far the margin reached lies below the certified upper "
            "bound, relatively. Only `separate` proves its answer, in whole numbers. SVC gets "
            "every example twice, as z and as −z, so that it has no use for a bias; LinearSVC may "
            "stop at 20,000 steps.\n\n"
            f"{table(head, rows)}")


def claims_section():
    X, y, u = separable(2000, 20, 0.0016, seed=3)
    run = perceptron(X, y, max_passes=9999)
    say(f"claims on {run.mistakes:,} updates")
    t = take_turns({"claims": lambda: claims.mistake_bound(run, u)}, seconds=3.0)["claims"]
    return (f"## Claims\n\nThe proof of the mistake bound, checked at each of {run.mistakes:,} "
            f"updates in 20 dimensions: {ms(min(t))} ms.")


def growth_section():
    """Exponents: time a pass over n and over d where mistakes are few, time over mistakes."""
    say("growth")
    rows = []
    for name, engine in (("compiled", COMPILED), ("NumPy", NUMPY)):
        found = []
        for sizes, build in (
            ([4000, 8000, 16_000, 32_000, 64_000], lambda n: separable(n, 20, 0.25, seed=1)),
            ([50, 100, 200, 400, 800], lambda d: separable(4000, d, 0.25, seed=1)),
        ):
            a_pass = []
            for size in sizes:
                X, y, u = build(size)
                once = using(engine, perceptron, X, y, "mistake", u, None, 1)
                a_pass.append(min(take_turns({"": once}, 1.0)[""]))
            found.append(measure.exponent(sizes, a_pass))
        clean, counts = separable(20_000, 5, 0.05, seed=1), [0, 2000, 4000, 8000, 16_000]
        contenders = {}
        for count in counts:  # a long start keeps w near u: mistakes are the flipped labels
            X, y, u = flip_labels(clean, count)
            contenders[count] = using(engine, perceptron, X, y, "mistake", 2**20 * u, None, 1)
        times = take_turns(contenders, 4.0, most=100)
        added = [min(times[count]) - min(times[0]) for count in counts[1:]]
        if min(added) > 0:
            found.append(measure.exponent(counts[1:], added))
        rows.append([name, *(f"{e:.2f}" for e in found), *["lost in noise"] * (3 - len(found))])
    head = ["", "n (4,000–64,000, d = 20)", "d (50–800, n = 4,000)", "M (2,000–16,000, n = 20,000)"]
    return ("## Growth\n\nFitted exponents of the time of one pass, set-up included; for M, of the "
            f"time that the mistakes add.\n\n{table(head, rows)}")


def costs_section():
    say("compile time and memory")
    with tempfile.TemporaryDirectory() as empty:
        compiling, cached = (measure.in_a_new_process(measure.IMPORT, NUMBA_CACHE_DIR=empty)
                             for _ in range(2))
    numpy_only, with_numba = (measure.in_a_new_process(measure.MEMORY.format(worth=work))
                              for work in ("float('inf')", "0"))
    return ("## Compile time and memory\n\nImporting numba and the compiled loop takes "
            f"{compiling:.2f} s the first time, {cached:.2f} s from the cache; none of it is in "
            "the times above. A run turns to it by itself when it has worked as long as that "
            "takes.\n\nPeak memory of a process that makes 100,000×100 examples and runs the "
            "Perceptron on them (they are 80 "
            f"MB): {numpy_only:.0f} MB in NumPy, {with_numba:.0f} MB compiled.")


def widgets_section():
    rows = []
    for make in (widgets.stepper, widgets.proof, widgets.margin, widgets.reduction, widgets.noise,
                 widgets.kernel, widgets.descent):
        say(f"widget: {make.__name__}")
        controls = make().controls
        slider = next(c for c in controls if "Slider" in type(c).__name__ and not c.disabled)
        places = [(slider.index + k) % len(slider.options) for k in range(1, 21)]
        moves = [measure.clock(lambda p=p, s=slider: setattr(s, "index", p)) for p in places]
        rows.append([make.__name__, slider.description, f"{1e3 * np.median(moves):.0f}",
                     f"{1e3 * max(moves):.0f}"])
    head = ["widget", "slider", "median of 20 moves, ms", "most, ms"]
    return f"## Widgets\n\n{table(head, rows)}"


def machine():
    model = platform.processor() or platform.machine()
    if Path("/proc/cpuinfo").exists():
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        model = next((line.split(": ")[1] for line in lines if "model name" in line), model)
    import mlxtend
    import numba

    versions = {"Python": platform.python_version(), "NumPy": np.__version__,
                "SciPy": scipy.__version__, "numba": numba.__version__,
                "scikit-learn": sklearn.__version__, "mlxtend": mlxtend.__version__,
                "matplotlib": matplotlib.__version__}
    load = f", load {os.getloadavg()[0]:.1f} at the start" if hasattr(os, "getloadavg") else ""
    return (f"{os.cpu_count()} cores, {model}, {platform.system()}{load}. "
            + ", ".join(f"{k} {v}" for k, v in versions.items()) + ".")


INTRODUCTION = """# Speed

Written by `make bench`. {machine}

*Compiled* is `perceptron` with the extra `fast` (numba), *NumPy* the same without. Both make the
updates of exact arithmetic. scikit-learn and the ten-line loop make the same updates in floating
point, with the same order and as many passes. A peer's time counts only where its weights are ours
(up to rounding). *Limit* is what NumPy needs to compute all scores of a pass in one call, times the
passes: `Z @ w`, nothing else. Contenders take turns, for two rounds at least and 200 at most; a
time is the least of all rounds, a ratio is one of least times with the range over the rounds in
brackets. A ratio to a peer above 1 says that we are faster. Our times and scikit-learn's include
checking the data; the loop checks nothing. Matrix products use one thread, as everything else does.
The process keeps the memory it has freed, so that nobody's time holds the operating system's first
hand-out of it."""


def main():
    began = time.perf_counter()
    warnings.simplefilter("ignore", ConvergenceWarning)  # LinearSVC: its gap says how far it came
    opening = INTRODUCTION.format(machine=machine())
    using(COMPILED, perceptron, [[1.0]], [1])()  # load the compiled loop
    sections = [perceptron_section, variants_section, separate_section,
                claims_section, growth_section, costs_section, widgets_section]
    parts = [opening, *(section() for section in sections)]
    minutes = (time.perf_counter() - began) / 60
    text = "\n\n".join([*parts, f"All of this took {minutes:.1f} minutes."])
    (HERE / "RESULTS.md").write_text(text + "\n", encoding="utf-8")
    say(f"benchmarks/RESULTS.md is written ({minutes:.1f} minutes)")


if __name__ == "__main__":
    main()
