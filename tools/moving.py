"""The moving picture of the README: a run on five points, update by update, drawn as an SVG.

    python -m tools.moving

It is plain text with a style sheet: what moves are the line and w, by keyframes made from the run.
Who asks for no motion, and whatever knows no style sheet, shows the last state, which says it all.
"""

from html import escape

import numpy as np

from perceptron_lib import examples, perceptron, separate
from perceptron_lib.plots.style import BLUE, CARD, GREY, INK, RIM, VERMILION, YELLOW
from tools import ROOT

PICTURE = ROOT / "notebooks" / "images" / "run.svg"
WIDTH, HEIGHT, UNIT = 760, 380, 46  # pixels; a unit of the plane has UNIT of them
CENTRE = np.array([225, 215])  # of the plane, in pixels
START, UPDATE, END, TIMES = 0.8, 2.6, 3.6, 3  # seconds, and how often it is played
STYLE = f"""\
text {{ font: 15px system-ui, sans-serif; fill: {INK} }}
.code {{ font: 15px ui-monospace, monospace }}
.small {{ font-size: 13px; fill: {GREY} }}
.w {{ stroke: {INK}; stroke-width: 3 }}
.mark {{ opacity: 0; fill: {YELLOW}; stroke: {INK} }}
.mark line {{ stroke-width: 2; stroke-dasharray: 6 4 }}
"""


def pixels(point):
    """A point of the plane as pixels.

    >>> pixels([1, -1])
    (271, 261)
    """
    x, y = CENTRE + UNIT * np.array([1, -1]) * point
    return round(float(x)), round(float(y))


def keyframes(name, states, seconds):
    """The rule @keyframes from (time, declarations), the last of which holds to the end."""
    lines = [f"{100 * t / seconds:.2f}% {{ {what} }}" for t, what in states]
    return f"@keyframes {name} {{ {' '.join(lines)} 100% {{ {states[-1][1]} }} }}\n"


def moving(run, bound):
    """The text of the picture of a run in the plane."""
    seconds = START + UPDATE * run.mistakes + END
    weights = run.weights
    lengths = np.hypot(*weights.T)
    angles = np.degrees(np.unwrap(np.arctan2(*weights[1:].T[::-1])))
    angles = [angles[0], *angles]  # w_1 = 0 has no direction
    moves, rules, marks, rows = {"turn": [], "level": [], "stretch": [], "tip": []}, "", [], []
    for t in range(run.mistakes + 1):
        begin = START + UPDATE * t  # of the update after w_t; w moves in its middle
        moved = 0 if t == 0 else begin - UPDATE + 1.7
        still = begin + 0.9
        for at in [moved, still] if t < run.mistakes else [moved]:
            moves["turn"].append((at, f"rotate({-angles[t]:.2f}deg); opacity: {int(t > 0)}"))
            moves["level"].append((at, f"rotate({angles[t]:.2f}deg)"))
            moves["stretch"].append((at, f"scaleX({lengths[t]:.4f})"))
            moves["tip"].append((at, f"translateX({UNIT * lengths[t]:.2f}px)"))
    for t, i in enumerate(run.updates.tolist()):
        begin, off, on = START + UPDATE * t, "opacity: 0", "opacity: 1"
        shown = [(0, off), (begin, off), (begin + 0.2, on), (begin + 1.9, on), (begin + 2.3, off)]
        told = [(0, off), (begin + 1.2, off), (begin + 1.7, on)]
        rules += keyframes(f"mark{t}", shown, seconds) + keyframes(f"row{t}", told, seconds)
        x, y = pixels(run.X[i])
        (x1, y1), (x2, y2) = pixels(weights[t]), pixels(weights[t + 1])
        marks.append(
            f'<g class="mark m{t}"><circle cx="{x}" cy="{y}" r="21"/>'
            f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/></g>\n'
        )
        sign = "+" if run.y[i] > 0 else "−"
        what = f"{t + 1}. w {sign} {vector(run.X[i])} = {vector(weights[t + 1])}"
        rows.append(f'<text class="code r{t}" x="456" y="{178 + 28 * t}">{what}</text>')
        rules += f".m{t} {{ animation-name: mark{t} }} .r{t} {{ animation-name: row{t} }}\n"
    off, ended = "opacity: 0", START + UPDATE * run.mistakes
    rules += keyframes("end", [(0, off), (ended, off), (ended + 0.5, "opacity: 1")], seconds)
    style = STYLE
    for name, states in moves.items():
        states = [(at, f"transform: {what}") for at, what in states]
        rules += keyframes(name, states, seconds)
        style += f".{name} {{ {states[-1][1]} }}\n"
    rules += "".join(f".{name} {{ animation-name: {name} }}\n" for name in [*moves, "end"])
    style += (
        f"@media (prefers-reduced-motion: no-preference) {{\n"
        f"g, .code {{ animation: {seconds:.1f}s ease-in-out {TIMES} both }}\n{rules}}}"
    )
    points = "".join(map(point, run.X, run.y))
    x, y = CENTRE.tolist()
    last = 178 + 28 * run.mistakes + 14
    return f"""\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" \
height="{HEIGHT}" role="img">
<title>{escape(alternative(run, bound))}</title>
<style>
{style}
</style>
<clipPath id="plane"><rect x="16" y="16" width="418" height="348" rx="6"/></clipPath>
<rect x="1" y="1" width="{WIDTH - 2}" height="{HEIGHT - 2}" rx="10" fill="{CARD}" stroke="{RIM}"/>
<g clip-path="url(#plane)">
<path d="M16 {y}H434M{x} 16V364" stroke="{RIM}"/>
<g transform="translate({x} {y})"><g class="turn">
<rect width="600" height="1200" y="-600" fill="{BLUE}" opacity="0.12"/>
<line class="w" y1="-600" y2="600"/>
</g></g>
{"".join(marks)}{points}
<g transform="translate({x} {y})"><g class="turn">
<g class="stretch"><line class="w" x2="{UNIT}"/></g>
<g class="tip"><path d="M4 0L-12 -7V7Z" fill="{INK}"/>
<g class="level"><text x="2" y="-14">w</text></g></g>
</g></g>
</g>
<text class="code" x="456" y="48">if y * (w @ x) &lt;= 0:</text>
<text class="code" x="492" y="72">w = w + y * x</text>
<text class="small" x="456" y="102"><tspan fill="{BLUE}">●</tspan> y = +1    \
<tspan fill="{VERMILION}">■</tspan> y = −1</text>
<text class="code" x="483" y="150">w = {vector(weights[0])}</text>
{"".join(rows)}
<g class="end"><text x="456" y="{last + 12}">A whole pass without a mistake: done.</text>
<text class="small" x="456" y="{last + 36}">{told_by(run, bound)}</text></g>
</svg>
"""


def vector(v):
    return f"({', '.join(f'{a:g}'.replace('-', '−') for a in v)})"


def point(x, label):
    """The mark of an example: a blue circle for +, a vermilion square for −."""
    at, down = pixels(x)
    if label > 0:
        return f'<circle cx="{at}" cy="{down}" r="9" fill="{BLUE}"/>'
    return f'<rect x="{at - 8}" y="{down - 8}" width="16" height="16" fill="{VERMILION}"/>'


def told_by(run, bound):
    return f"{run.mistakes} mistakes; by lesson 3, never more than {int(bound)}."


def alternative(run, bound):
    """What the picture shows, in words."""
    return (
        f"The Perceptron on {len(run.y)} points: {run.mistakes} times a point on the wrong side of "
        f"the line lights up, is added to w or subtracted from it, and the line turns; w ends at "
        f"{vector(run.w)}. {told_by(run, bound)}"
    )


def made():
    """The picture, its alternative text with it, made from the run on the five points."""
    X, y, _ = examples.five_points()
    run, bound = perceptron(X, y), separate(X, y).bound()
    return moving(run, bound), alternative(run, bound)


if __name__ == "__main__":
    PICTURE.write_text(made()[0], encoding="utf-8", newline="\n")
    print(f"{PICTURE}: {PICTURE.stat().st_size} bytes\n{made()[1]}")
