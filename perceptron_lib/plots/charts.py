"""Charts: numbers that grow, fall and spread, the bounds they keep, functions of one variable."""

from collections.abc import Callable

import numpy as np
from matplotlib.ticker import NullLocator

from perceptron_lib import checks
from perceptron_lib.plots import parts, style
from perceptron_lib.plots.style import AID, BARS, BOUND, GREY, INK, MANY, OBSERVED, PURPLE, SKY, W
from perceptron_lib.show import count, equals, number

MARKS = (("o", SKY), ("s", "white"), ("^", INK), ("D", "white"))
DOTS = [OBSERVED | {"marker": marker, "mfc": fill} for marker, fill in MARKS]
LINES = (W, {**W, "ls": "--"}, {**W, "ls": ":", "lw": 2.2}, {**W, "color": GREY})


@style.picture(6.6, 4.2)
def chart(
    ax, x, series, bounds=None, names=("n", "mistakes"), log=False, wide=False, least="", title=""
):
    """What was observed against x, and bounds on it; each curve has its name at its end.

    `log` makes the upright axis logarithmic, and `wide` the level one; `least` names a curve whose
    lowest point is marked (early stopping).

    >>> chart([1, 2, 4], {"made": [1, 3, 9]}, bounds={"allowed": [4, 8, 16]})
    Made: 1 at n = 1, 9 at n = 4: as n goes from 1 to 4, allowed: from 4 to 16; made: ...
    """
    x, series = style.floats(x, "x", positive=wide), style.named(series, "series")
    bounds = style.named({} if bounds is None else bounds, "bounds", least=0)
    checks.one_of(least, "least", ["", *series])
    values = {name: style.floats(heights, name, len(x), positive=log)
              for name, heights in (bounds | series).items()}  # fmt: skip
    ax.set(xscale="log" if wide else "linear", yscale="log" if log else "linear")
    looks = [BOUND] * len(bounds) + [*(DOTS if len(x) <= 30 else LINES)]
    parts.curves(ax, x, values, looks, names)
    if wide:
        ax.set_xticks(x, [number(v) for v in x])
        ax.xaxis.set_minor_locator(NullLocator())
    elif (x % 1 == 0).all():
        ax.locator_params("x", integer=True)
    words = [f"{name}: {parts.span(heights)}" for name, heights in values.items()]
    name = least or next(iter(series))
    seen, k = values[name], np.argmin(values[name])
    finding = ", ".join(f"{number(seen[k])} at {names[0]} = {number(x[k])}" for k in (0, -1))
    if least:
        ax.axvline(x[k], **AID)
        ax.plot(x[k], seen[k], "o", ms=12, mfc="none", mec=INK, mew=1.6)
        parts.note(ax, f"least: {number(seen[k])}", (x[k], seen[k]))
        finding = f"least at {names[0]} = {number(x[k])}, {names[1]} {number(seen[k])}"
    words = f"as {names[0]} goes {parts.span(x)}, {'; '.join(words)}."
    return f"{name[:1].upper()}{name[1:]}: {finding}", words


@style.picture(6.2, 4.0)
def functions(ax, x, series, title="", names=("x", "f(x)")):
    """Several functions of one variable, each with its name at its end.

    >>> functions([0, 1, 2], {"x²": [0, 1, 4]})
    x² on [0, 2]: for x from 0 to 2, x² goes from 0 to 4.
    """
    x, series = style.floats(x, "x"), style.named(series, "series")
    if x[0] >= x[-1]:
        raise checks.refusal("x", "numbers from left to right, two at least", x)
    values = {name: style.floats(heights, name, len(x)) for name, heights in series.items()}
    ax.axhline(0, **AID)
    parts.curves(ax, x, values, LINES, names)
    words = [f"{name} goes {parts.span(heights)}" for name, heights in values.items()]
    finding = f"{', '.join(values)} on [{number(x[0])}, {number(x[-1])}]"
    return finding, f"for x {parts.span(x)}, {'; '.join(words)}."


@style.picture(6.0, 3.2)
def bars(ax, named, names=("test errors", "weights"), title=""):
    """A number for each of several names, as bars with the numbers at their ends.

    >>> bars({"last": 23, "averaged": 4, "voted": 5})
    Fewest test errors: averaged, 4; most: last, 23: test errors as bars: last 23, ...
    """
    parts.label(ax, names)
    named = style.named(named, "named", most=12)
    labels, values = list(named), style.floats(list(named.values()), "named")
    style.resize(ax.figure, 6.0, 0.95 + 0.36 * len(labels))
    drawn = ax.barh(labels, values, height=0.62, **BARS)
    ax.bar_label(drawn, [f" {number(value)}" for value in values], color=INK)
    ax.margins(x=0.12)
    ax.invert_yaxis()
    low, high = np.argmin(values), np.argmax(values)
    told = ", ".join(f"{label} {number(v)}" for label, v in zip(labels, values, strict=True))
    finding = f"Fewest {names[0]}: {labels[low]}, {number(values[low])}"
    finding += f"; most: {labels[high]}, {number(values[high])}"
    return finding, f"{names[0]} as bars: {told}."


@style.picture(6.4, 3.4)
def spread(ax, counts, bound, given, title=""):
    """How often each number of mistakes occurred; that of the order given is marked (P12).

    >>> spread([3, 4, 4, 6], bound=10, given=4)
    4 orders: from 3 to 6 mistakes; bound = 10: 4 orders made from 3 to 6 mistakes, with ...
    """
    counts = style.whole_numbers(counts, "counts")
    given = checks.whole(given, "given", 0, MANY)
    bound = equals(checks.positive(bound, "bound"))
    made, often = np.unique(counts, return_counts=True)
    ax.bar(made, often, width=0.8, **BARS)
    ax.axvline(given, color=INK, lw=1.8)
    parts.note(ax, "the order given", (given, 0.97 * often.max()))
    ax.set(xlabel="mistakes M", ylabel="number of orders", ylim=(0, 1.12 * often.max()))
    ax.locator_params(integer=True)
    return f"{len(counts)} orders: from {made[0]} to {made[-1]} mistakes; bound {bound}", (
        f"{len(counts)} orders made from {made[0]} to {made[-1]} mistakes, "
        f"with a median of {number(np.median(counts))}; the given order made {given}; "
        f"the bound is {bound.replace('≈', 'about').removeprefix('= ')}."
    )


@style.picture(6.6, 4.2)
def failure_rate(ax, m, rates, intervals, bound, delta, enough, title=""):
    """How often a learner failed, against the sample size; the theorem's bound, a function of m,
    beside it (Q2).

    >>> rates, spans = [0.9, 0.1], [(0.8, 1), (0, 0.2)]
    >>> failure_rate([2, 9], rates, spans, lambda m: 2 / m, delta=0.2, enough=10)
    The theorem asks for 10 examples for δ = 0.2; 9 were enough here: with 2 examples the ...
    """
    m, spans = style.whole_numbers(m, "m"), checks.table(intervals, "intervals")
    if spans.shape != (len(m), 2):
        raise checks.refusal("intervals", f"{len(m)} pairs (low, high)", spans)
    rates = style.floats(rates, "rates", len(m))
    checks.instance(bound, Callable, "bound", "a function of m")
    delta = float(checks.chance(delta, "delta"))
    enough = checks.whole(enough, "enough", 0, MANY)
    fine = np.linspace(m[0], max(m[-1], enough) * 1.05, 400)
    limit = np.minimum(style.floats([bound(k) for k in fine], "bound(m)"), 1)
    ax.set(ylim=(-0.02, 1.05), xlabel="examples m", ylabel="probability of error above ε")
    ax.fill_between(m, *spans.T, color=SKY, alpha=0.4, lw=0)
    ax.axhline(delta, **AID)
    ax.plot(enough, delta, **style.CROSSING)
    for text, x, heights, look in (("bound", fine, limit, BOUND), ("observed", m, rates, OBSERVED)):
        middle = np.argmin(np.abs(heights - 0.5))
        ax.plot(x, heights, **look)
        parts.note(ax, text, (x[middle], heights[middle]), color=look["color"])
    parts.note(ax, f"m = {enough}", (enough, delta), color=PURPLE)
    parts.at_ends(ax, [(f"δ = {delta:g}", delta, GREY)])
    few = m[rates <= delta]
    seen = f"{few[0]} were enough here" if len(few) else "none of these sizes was enough here"
    return f"The theorem asks for {enough} examples for δ = {delta:g}; {seen}", (
        f"with {m[0]} examples the learner failed in {rates[0]:.1%} of the trials, with {m[-1]} "
        f"in {rates[-1]:.1%}; the bound falls to δ = {delta:g} at m = {enough}."
    )


@style.picture(6.4, 3.6)
def survivals(ax, counts, length, chosen=None, title=""):
    """How long each hypothesis of a run survived, against the length that is asked for (O1);
    `chosen` is the hypothesis output.

    >>> survivals([0, 3, 12], length=10, chosen=2)
    3 hypotheses, 10 in a row asked for: hypothesis 3 is output: 3 hypotheses survived 0, ...
    """
    counts, length = style.whole_numbers(counts, "counts"), checks.whole(length, "length", 1, MANY)
    bars, what = ax.bar(np.arange(1, len(counts) + 1), counts, **BARS), "none survived"
    if chosen is not None:
        most = counts[checks.whole(chosen, "chosen", 0, len(counts) - 1)]
        what = f"hypothesis {chosen + 1} is output"
        bars[chosen].set_facecolor(INK)
        if most > 1.5 * length:
            parts.note(ax, f"{most:,} ↑", (chosen + 1, 1.5 * length))
    ax.axhline(length, **BOUND)
    parts.note(ax, f"asked for: {length:,}", (1, length), color=PURPLE)
    ax.set(xlabel="hypothesis", ylabel="right in a row", ylim=(0, 1.5 * length))
    ax.set_xlim(0.4, len(counts) + 0.6)
    ax.locator_params("x", integer=True)
    shown = ", ".join(map(str, counts[:12])) + (", …" if len(counts) > 12 else "")
    return f"{len(counts)} hypotheses, {length:,} in a row asked for: {what}", (
        f"{len(counts)} hypotheses survived {shown} examples; {length} were asked for; {what}."
    )


@style.picture(9.6, 3.8, columns=2)
def tradeoff(axes, eps, reached, updates, allowed, title=""):
    """What eps buys and costs: the margin reached, and the updates made and allowed (M7).

    >>> tradeoff([0.5, 0.1], reached=[0.7, 0.95], updates=[9, 60], allowed=[40, 840])
    ε = 0.1: 95.0% of the largest margin for 60 updates, 840 allowed: as ε goes from 0.5 ...
    """
    eps = style.floats(eps, "eps", positive=True)
    reached = style.floats(reached, "reached", len(eps), positive=True)
    updates = style.floats(updates, "updates", len(eps), positive=True)
    allowed = style.floats(allowed, "allowed", len(eps), positive=True)
    near, fine = np.argmin(eps), np.geomspace(eps[0], eps[-1], 100)  # smaller is dearer: it is last
    axes[0].set_ylabel("margin / largest margin")
    axes[1].set(ylabel="updates", yscale="log")
    for ax, x, bound, seen, names in (
        (axes[0], fine, 1 - fine, reached, ("1 − ε, promised", "reached")),
        (axes[1], eps, allowed, updates, ("bound", "made")),
    ):
        ax.set(xscale="log", xlabel="ε", xlim=(1.15 * eps.max(), 0.85 * eps.min()))
        ax.set_xticks(eps, [f"{e:g}" for e in eps])
        ax.xaxis.set_minor_locator(NullLocator())
        ax.plot(x, bound, **BOUND)
        ax.plot(eps, seen, **OBSERVED)
        ends = bound[np.argmin(x)], seen[near]
        parts.at_ends(ax, list(zip(names, ends, (PURPLE, INK), strict=True)))
    last = f"{number(updates[near])} updates, {number(allowed[near])} allowed"
    return f"ε = {eps[near]:g}: {reached[near]:.1%} of the largest margin for {last}", (
        f"as ε goes from {eps[0]:g} to {eps[-1]:g}, the margin reached goes from "
        f"{reached[0]:.3f} to {reached[-1]:.3f} of the largest, the updates {parts.span(updates)}, "
        f"and their bound {parts.span(allowed)}."
    )


@style.picture(6.6, 4.4)
def bound_curves(ax, gammas, curves, made, title=""):
    """The bounds of H4 and H5 on the mistakes as functions of γ, where each is least, and the
    mistakes made.

    >>> from perceptron_lib import bounds
    >>> gammas = [0.5, 1]
    >>> curves = bounds.by_gamma([[1], [2]], [1, 1], [1], gammas)
    >>> bound_curves(gammas, curves, made=2)
    2 mistakes; the sharp hinge bound allows 4: 2 mistakes were made. The sharp hinge ...
    """
    gammas = style.floats(gammas, "gammas", positive=True)
    made = checks.whole(made, "made", 0, MANY)
    curves, words = style.named(curves, "curves", least=3), []
    curves = {name: style.floats(curves.get(name), f"the curve {name!r}", len(gammas))
              for name in ("sharp hinge bound", "simple hinge bound", "lift bound")}  # fmt: skip
    lowest = {name: bound.min() for name, bound in curves.items()}
    top, best = 3 * max(*lowest.values(), made), min(lowest, key=lowest.get)
    ax.set(xlabel="γ", ylabel="mistakes", xlim=(0, gammas[-1]), ylim=(0, top))
    for (name, bound), ls in zip(curves.items(), (BOUND["ls"], "-", ":"), strict=True):
        least, gamma = lowest[name], gammas[np.argmin(bound)]
        ax.plot(gammas, bound, **BOUND | {"ls": ls})
        ax.plot(gamma, least, "o", color=PURPLE, ms=7)
        leaves = [*np.flatnonzero(bound < 0.9 * top), -1][-2:][0]  # the picture
        parts.note(ax, f"{name}, least {least:.1f}", (gammas[leaves], bound[leaves]), color=PURPLE)
        words.append(f"The {name} is least, {least:.1f}, at γ = {gamma:.3f}")
    ax.axhline(made, color=INK, lw=1)
    ax.plot(gammas[-1], made, **OBSERVED)
    parts.note(ax, f"mistakes made: {made}", (0.7 * gammas[-1], made))
    finding = f"{count(made, 'mistake')}; the {best} allows {int(lowest[best])}"
    return finding, f"{made} mistakes were made. {'. '.join(words)}."


class Survivals(style.redrawn(survivals)):
    """`survivals` on axes that stay.

    >>> Survivals(style.card(6, 4).subplots()).show([0, 3, 12], 10, 2)[0]
    '3 hypotheses, 10 in a row asked for: hypothesis 3 is output'
    """
