// The playground: put points down, see which are wrong, and watch the Perceptron learn from them, or
// guess its next mistake, feed it the points yourself, turn w by hand.
//
//   mount(element, options)               on a page or a slide
//   default { render({ model, el }) }     in a notebook, by anywidget
import {
  AT_ZERO, FAR, LONG, MOST, START, averaged, cloud, dot, fractionOf, inUse, pasted, perceptron, read, same, separate,
  short, shuffled, signed, vote, weightsOf, whole, within, write, wrongAfter,
} from "./core.js";
import {
  along, area, around, arrow, boxed, button, calmly, capital, clip, count, disc, figure, fitted, fraction, grid, inNotebook,
  inkOf, labeller, length, menu, number, of, path, proof, room, scale, sign, some, spotOf, squeeze,
  stroke, tag, text, vector, beside,
} from "./draw.js";

const PRESETS = {
  "five points": START,
  "XOR": "0,0p0,1m1,0m1,1p&bias=1",
  "ODD-MAX-BIT in the plane": "0,0m0,1m1,0p1,1m&bias=1",
  "two nearly touching": "5,4p4,3m",
  "one outlier": "3,1p2,3p4,3p3,5p5,2p-2,-2m-4,-1m-1,-4m-3,-4m-9,-7p",
  // Petals of 40 irises, length and width: setosa +, the others −.
  "iris petals, in mm": "10,2p11,1p12,2p13,2p13,3p13,4p14,1p14,2p14,3p15,1p15,2p15,3p15,4p16,2p16,4p16,6p17,2p17,4p17,5p19,4p" +
    "30,11m33,10m35,10m36,13m38,11m39,14m40,12m42,15m44,13m45,17m47,14m48,18m50,15m51,20m53,19m55,21m58,16m" +
    "60,25m64,20m69,23m&bias=10",
};
const TIES = { mistake: "always a mistake", negative: "predict −", positive: "predict +" };
const LEARNERS = { perceptron: "Perceptron", margin: "margin Perceptron, γ given", half: "margin Perceptron, γ not given",
  averaged: "Perceptron, averaged line", voted: "Perceptron, vote of all lines" };
const PLAY = { watch: "Watch it run", guess: "Guess its next mistake", feed: "Feed it yourself", turn: "Turn w by hand" };
const SPEEDS = { slow: [1600, 400], medium: [750, 400], fast: [120, 0] }; // of a step, of the turn of the line: in ms

/** All that follows from the points and options, except for t. */
function derive(state) {
  const { points, labels, bias, tie, game, fed } = state, n = points.length, list = state.order ?? points.map((_, i) => i);
  const rule = game === "watch" ? state.rule : "perceptron", [p, q] = fractionOf(state.gamma) ?? [];
  const theta = rule === "half" ? "half" : rule === "margin" ? [p, 2 * q] : null; // half of γ, as in the lesson
  const lost = Boolean(theta && n && !bias && same(points[list[0]], [0, 0])); // no direction to start with
  const machine = perceptron(points, labels, { tie, bias, order: list, theta: lost ? null : theta });
  const run = game === "feed" ? { updates: fed, outcome: "fed", steps: [], start: [0, 0, 0].slice(0, bias ? 3 : 2) } : machine;
  const best = separate(points, labels, { bias }), Z = signed(points, labels, bias), M = run.updates.length;
  const weights = weightsOf(Z, run.updates, run.start);
  const R = Math.sqrt(best.R2), gamma = best.bound === null ? null : R / Math.sqrt(best.bound);
  const elsewhere = !bias && !best.separable && separate(points, labels, { bias: 1 }).separable;
  // A run without end goes on past M: update t is then the update wrap(t) of the circle.
  const lap = M - run.since, last = run.outcome === "cycled" ? LONG : M, passOf = (k) => Math.floor(run.steps[k] / n);
  const wrap = (t) => (t > M ? run.since + 1 + ((t - run.since - 1) % lap) : t);
  const rounds = (t) => (t > M ? (t - wrap(t)) / lap : 0), round = lap && run.since !== null ? run.passes - passOf(run.since) : 0;
  const step = (t) => run.steps[wrap(t) - 1] + rounds(t) * round * n; // when update t is made
  return { ...state, asked: state.gamma, n, rule, theta, lost, list, machine, run, best, M, Z, weights, R, gamma, elsewhere, last, wrap, rounds, step,
    line: bias ? "line" : "line through the origin" };
}

/** The scores y s(x) of all points after update k, by what predicts then: w, the average or the vote. */
function scoresAt(D, k) {
  if (D.rule !== "averaged" && D.rule !== "voted") return D.Z.map((z) => dot(z, D.weights[k]));
  const used = inUse(D.run, D.n, k);
  if (D.rule === "voted") return D.Z.map((z) => vote(D.weights, used, z));
  const w = averaged(D.weights, used);
  return D.Z.map((z) => dot(z, w));
}

/** For each point "wrong", "close" (right, and yet updated on by the margin rule) or "". */
function standing(D, k, scores = scoresAt(D, k)) {
  return scores.map((s, i) => (s < 0 || (s === 0 && (D.theta || D.labels[i] !== AT_ZERO[D.tie])) ? "wrong"
    : D.theta && short(s, D.weights[k], D.theta, k + 1) ? "close" : ""));
}

// --- in words ------------------------------------------------------------------------------------

const ends = ({ run, M }) => // how many updates the run has
  run.outcome === "cycled" ? "∞" : run.outcome === "stopped" ? `over ${number(M)}` : number(M);
const are = (n, what) => (n === 1 ? `1 point is ${what}` : `${n || "no"} points are ${what}`);

/** How the whole run ends, or will end if t is before. */
function verdict(D, t) {
  const { run, best, M, line } = D, none = `No ${line} separates these points`, made = count(M, D.theta ? "update" : "mistake");
  const elsewhere = D.elsewhere ? " One that need not go through it does: try the bias." : "", ahead = t < M;
  if (!D.n) return "The plane is empty: click it to put a point down, or go to it by Tab and press Enter.";
  if (D.lost) return `Point ${D.list[0]} is the origin, which gives no direction to start with: let another point begin.`;
  if (run.outcome === "cycled")
    return `${none}. ${ahead ? "The run will go round and round" : `From here on the run repeats the updates ${run.since + 1} to ${number(M)}`}, for ever.${elsewhere}`;
  if (run.outcome === "stopped") return best.separable && !D.theta
    ? `Not done after ${number(run.passes)} passes and ${made}. It will end: there can be at most ${number(Math.floor(best.bound))}.`
    : `${best.separable ? "Not done" : `${none}; given up`} after ${number(run.passes)} passes and ${made}.${elsewhere}`;
  const done = `${ahead ? "The run will make " : ""}${made}, then a whole pass without one`;
  if (D.theta && best.separable) {
    const least = Math.min(...D.Z.map((z) => dot(z, D.weights[M]))) / length(D.weights[M]);
    return `${done}: a separator of margin ${number(least)}, which is ${Math.floor((100 * least) / D.gamma + 1e-9)}% of the largest.`;
  }
  if (best.separable) return ahead ? `The run will make ${made} and then find a separator. Press Run.` : `${done}: a separator is found.`;
  return `${done}. But ${none.replace("No", "no")} strictly: some score is 0, which this tie rule lets pass.`;
}

/** How many are wrong now, by what predicts. */
function tally(D, k) {
  const states = standing(D, k), wrong = states.filter((s) => s === "wrong").length, close = states.filter((s) => s === "close").length;
  const who = { averaged: "averaged line", voted: "vote" }[D.rule];
  return who ? `${who}: ${wrong} wrong` : `${are(wrong, "wrong")}${close ? `, ${close} too close` : ""} now`;
}

/** Update t, or the start. */
function told(D, t) {
  const { run, M, weights } = D, k = D.wrap(t);
  if (!D.n || D.lost) return verdict(D, t);
  if (D.game === "feed") return fedSaid(D, t);
  if (!M) return `No point is a mistake at w = ${vector(weights[0])}. ${verdict(D, t)}`;
  if (!t) return D.theta ? `The margin Perceptron begins with w = ${vector(weights[0])}, its first point. Step looks for one too close to the line.`
    : D.game === "guess" ? `Which point will be the Perceptron’s first mistake? Click it. ` +
      `It looks at the points in order, ${D.list.slice(0, 3).join(", ")}${D.n > 3 ? " …" : ""}, and stops at the first wrong one.${D.tie === "mistake" ? " A score of 0 counts as wrong." : ""}`
    : `There are two kinds of points, + and −. The Perceptron wants a line between them. It has none yet${D.tie === "mistake" ? ", so all are wrong (✕)" : ""}. ` +
      "Step: it looks for its first mistake and learns from it.";
  const i = run.updates[k - 1], x = [...D.points[i], ...(D.bias ? [D.bias] : [])], label = sign(D.labels[i]);
  const score = number(dot(x, weights[k - 1])), z = D.labels[i] > 0 ? `+ ${vector(x)}` : `− ${vector(x)}`;
  const pass = Math.floor(D.step(t) / D.n) + 1, end = t === M ? ` ${verdict(D, t)}` : "";
  const was = dot(D.Z[i], weights[k - 1]), why = was < 0 ? `but its score was ${score}, so it is on the wrong side`
    : `and its score was ${score}${was ? ": right, but too close to the line" : ", which counts as wrong"}`;
  return (D.rounds(t) && k === run.since + 1 ? `Round again: w is what it was ${run.since ? `after update ${number(run.since)}` : "at the start"}. ` : "") +
    `Point ${i} is ${label}, ${why}. Update ${number(t)}, pass ${number(pass)}: w becomes ` +
    `${vector(weights[k - 1])} ${z} = ${vector(weights[k])}. ` + (end || D.game === "guess" ? end.trim() : `${capital(tally(D, k))}.`);
}

/** The adversary's game: who feeds the points, and how far the proof lets one go. */
function fedSaid(D, t) {
  const left = wrongAfter(D.points, D.labels, D.fed.slice(0, t), D), { best } = D, most = best.bound && number(Math.floor(best.bound));
  const allowed = best.separable ? `the proof allows at most ⌊(R/γ)²⌋ = ${most}` : `no ${D.line} separates these points, so nothing stops you`;
  if (!t) return `You are the adversary: click any wrong point to feed it, and make the Perceptron err as often as you can; ${allowed}.`;
  const i = D.fed[t - 1], so = `${count(t, "mistake")}: point ${i} was fed, w is ${vector(D.weights[t])}.`;
  if (left.length) return `${so} ${capital(are(left.length, "wrong"))} now; ${allowed}.`;
  if (!best.separable) return `${so} None is wrong now, since this tie rule lets a score of 0 pass.`;
  return `${so} None is wrong any more, so you are stopped. The machine’s order makes ${D.machine.updates.length}, and ${allowed}` +
    (t === Math.floor(best.bound) ? ": you reached it!" : ". Back, and try another way?");
}

/** The points and options as Python, to go on with in a notebook. */
function snippet(D) {
  const rows = D.points.map(([x, y]) => `(${x}, ${y})`).join(", "), X = D.bias ? `with_bias(X, ${D.bias})` : "X", fed = D.game === "feed";
  const options = (D.theta || D.tie === "mistake" ? "" : `, tie="${D.tie}"`) + (D.rule === "margin" ? `, gamma="${D.asked}"` : "") +
    (fed ? ", max_passes=1" : D.order ? `, order=${D.theta ? "np.array" : ""}([${D.list.join(", ")}])` : "");
  const learner = D.theta ? "margin_perceptron" : "perceptron", names = [learner, "separate", ...(D.bias ? ["with_bias"] : [])].sort();
  return `${D.theta && D.order ? "import numpy as np\n" : ""}from perceptron_lib import ${names.join(", ")}\n\n` +
    `X = [${rows}]\ny = [${D.labels.join(", ")}]\n${fed ? `fed = [${D.fed.join(", ")}]\n` : ""}` +
    `run = ${learner}(${fed ? `[${X}[i] for i in fed], [y[i] for i in fed]` : `${X}, y`}${options})\n` +
    `print(run, separate(${X}, y), sep="\\n")\n`;
}

// --- pictures --------------------------------------------------------------------------------------

/** Where all hypotheses together vote for +, as rows of cells. */
function votes(D, t, { from }, size) {
  const used = inUse(D.run, D.n, t), step = size[0] / 80, x = (p) => (D.bias ? [...p, D.bias] : p);
  let made = "";
  for (let v = 0; v < size[1]; v += step) for (let h = 0, start = null; h < size[0] + step; h += step) {
    const plus = h < size[0] && vote(D.weights, used, x(from([h + step / 2, v + step / 2]))) > 0;
    if (plus) start ??= h;
    else if (start !== null) {
      made += tag("rect", { x: start.toFixed(1), y: v.toFixed(1), width: (h - start).toFixed(1), height: step.toFixed(1), class: "pg-shade pg-cell" });
      start = null;
    }
  }
  return made;
}

/** What lies under the points of the plane: grid, sides, lines, w and what was added to it (as far as
 *  it has been added, from 0 to 1), and the answer if it is shown.  `hand` is a line turned by hand. */
function ground(D, t, view, size, { answer, added = 1, hand, looked }) {
  const frame = scale(size, view.middle, view.half), { to, unit, corners, line } = frame, ink = inkOf(unit);
  const [low, high] = [corners[3], corners[1]], thin = [], label = labeller(size, D.points.map((p) => boxed(to(p), 11 * ink)), thin);
  const numbers = D.n > 12 ? [] : D.points.map((p, i) =>
    label(`${i}`, `pg-number ${of(D.labels[i])}-text`, around(to(p), 5 + 10 * ink, [-1, -1])));
  const split = (w) => [w.slice(0, 2), D.bias ? D.bias * w[2] : 0], i = t ? D.run.updates[t - 1] : null;
  const before = t ? D.weights[t - 1] : null, w = before ? before.map((v, k) => v + added * D.Z[i][k]) : D.weights[0];
  const used = D.rule === "averaged" && inUse(D.run, D.n, t), shown = hand ?? (used ? averaged(D.weights, used) : w);
  const [a, b] = split(shown), size2 = dot(a, a), foot = size2 ? a.map((v) => (-b * v) / size2) : [0, 0];
  const inside = (p) => p.every((v, k) => v >= low[k] && v <= high[k]), off = (v) => foot.map((f, k) => f + v[k]);
  const everywhere = size2 ? "" : b ? `: ${sign(b)} everywhere` : ": no line yet", tip = off(a), cut = !hand && inside(foot) && !inside(tip);
  const name = hand ? "your line" : used ? "averaged line" : `w = ${vector(D.weights[t])}${everywhere}${cut ? ", beyond the edge" : ""}`;
  const bottom = size[1] - 10, edge = size[0] - 10, [start, end] = ["start", "end"];
  const named = label(name, "pg-strong", [[10, bottom, start], [edge, bottom, end], [10, 18, start], [edge, 18, end]]);
  const old = hand ? line(...split(w)) : used ? line(...split(w)) : t ? line(...split(before)) : null, now = line(a, b);
  for (const ends of [old, now, size2 && inside(tip) && [to(foot), to(tip)]]) if (ends) thin.push(...along(ends));
  const [under, marks] = grid(frame, size, label);
  let made = D.rule === "voted" ? votes(D, t, frame, size) : shown.some(Boolean) ? area(clip(corners, a, b).map(to), "pg-shade") : "";
  made += under + marks;
  if (answer && D.n) made += D.best.separable ? widest(D, split(D.best.u.map(Number)), frame, label, thin) : proof(D, to, ink);
  if (t && !looked?.length) made += disc(to(D.points[i]), 19 * ink, "pg-disc");
  for (const k of looked ?? []) made += disc(to(D.points[k]), 19 * ink, "pg-disc");
  if (old) made += stroke(...old, "pg-old");
  if (D.theta && size2) for (const s of [1, -1]) { // the room that the margin rule asks for
    const far = D.theta === "half" ? dot(w, w) / (2 * (t + 1)) : (D.theta[0] / D.theta[1]) * length(w), ends = line(a, b + s * far);
    if (ends) made += stroke(...ends, "pg-room");
  }
  if (now) made += stroke(...now, "pg-w");
  if (hand) made += stroke(to(foot), to(off(a.map((v) => v * 0.5 * view.half))), "pg-w");
  else if (!used && t && inside(foot)) { // w before, and what is added to it; then w, on its line, as long as it is
    const was = off(before.slice(0, 2));
    if (length(before.slice(0, 2)) && inside(was)) made += arrow(to(foot), to(was), "pg-before");
    if (inside(was) && inside(tip)) made += arrow(to(was), to(tip), of(D.labels[i]));
  }
  if (!hand && !used && size2 && inside(foot) && inside(tip)) made += arrow(to(foot), to(tip), "pg-w") + label("w", "pg-strong", around(to(tip), 8, a));
  else if (cut && !used && size2) {
    const edges = a.map((v, k) => (v ? ((v > 0 ? high : low)[k] - foot[k]) / v : Infinity));
    made += stroke(to(foot), to(off(a.map((v) => Math.min(...edges) * v))), "pg-w");
  }
  return made + numbers.join("") + named;
}

/** The separator of the largest margin, and the band without points around it. */
function widest(D, [a, b], { to, corners, line }, label, thin) {
  const margin = Math.min(...D.points.map((p, i) => D.labels[i] * (dot(a, p) + b)));
  const band = clip(clip(corners, a, b + margin), a.map((v) => -v), margin - b), ends = line(a, b);
  if (!ends) return "";
  thin.push(...along(ends));
  const name = label("u", "pg-green-text pg-strong", beside(ends, 1, [0.05, 0.95, 0.12, 0.88, 0.2, 0.8]));
  return area(band.map(to), "pg-band") + stroke(...ends, "pg-u") + name;
}

/** Weight space: the path of w; without a bias also the cone of the w that have all points right. */
function weightSpace(D, t, size) {
  const shown = some(D.M, t, 400), at = shown.map((k) => D.weights[k]);
  const { to, corners, line } = fitted(size, [[0, 0], ...at, ...(D.M ? [] : [[1, 1], [-1, -1]])], 1.3);
  const o = to([0, 0]), dots = at.map(to), here = to(D.weights[t]), few = shown.length <= 41;
  const label = labeller(size, [boxed(here, 7)], dots.flatMap((p, k) => (few && k ? along([dots[k - 1], p]) : [boxed(p, 4)])));
  let made = stroke([0, o[1]], [size[0], o[1]], "pg-grid") + stroke([o[0], 0], [o[0], size[1]], "pg-grid");
  if (!D.bias && D.points.length) {
    const lines = D.Z.length <= 12 ? D.Z.filter((z) => z.some(Boolean)) : [];
    made += lines.map((z) => line(z, 0)).filter(Boolean).map((ends) => stroke(...ends, "pg-aid")).join("");
    const cone = D.best.separable ? D.Z.reduce((left, z) => clip(left, z, 0), corners).map(to) : [];
    const middle = [0, 1].map((k) => cone.reduce((sum, p) => sum + p[k] / cone.length, 0));
    if (cone.length > 2) made = area(cone, "pg-cone") + made;
    if (cone.length > 2 && length([middle[0] - o[0], middle[1] - o[1]]) > 40)
      made += label("all right", "pg-green-text", [middle, ...cone].map(([x, y], k) =>
        [k ? (x + 2 * middle[0]) / 3 : x, (k ? (y + 2 * middle[1]) / 3 : y) + 4, "middle"]));
  }
  made += path(dots, "pg-later") + path(dots.filter((_, j) => shown[j] <= t), "pg-path");
  if (few) made += dots.map((p, j) => disc(p, 2.6, shown[j] <= t ? "pg-dot" : "pg-dot pg-faint")).join("");
  if (t) made += arrow(to(D.weights[t - 1]), here, of(D.labels[D.run.updates[t - 1]]));
  return made + disc(here, 5.5, "pg-now") + label("w", "pg-strong", around(here, 9));
}

// --- challenges ------------------------------------------------------------------------------------

const TASKS = ["20 mistakes with three points, and it converges", "Inseparable by adding one point",
  "Halve γ without changing R", "The worst order, found by moving the turns"];

/** The least and the greatest number of mistakes over all orders of a few points. */
function overOrders({ points, labels, bias, tie }) {
  const seen = [];
  (function extend(order, left) {
    if (!left.length) seen.push(perceptron(points, labels, { tie, bias, order }).updates.length);
    left.forEach((i) => extend([...order, i], left.filter((j) => j !== i)));
  })([], points.map((_, i) => i));
  return [Math.min(...seen), Math.max(...seen)];
}

/** Whether each challenge is met, and how far one is.  `goal` has γ and R of where one began: the
 *  points last chosen; `last` is the kind of the last change. */
function challenges(D, goal, orders, last) {
  const { best, machine: run, line, n } = D, M = run.updates.length, done = run.outcome === "converged" && best.separable && !D.theta;
  const before = n > 1 && separate(D.points.slice(0, -1), D.labels.slice(0, -1), D).separable;
  const added = last === "add" && !best.separable && before;
  const [[p, q], [p0, q0]] = [best.boundExact, goal.exact].map((exact) => (exact ?? "0/1").split("/").map(BigInt));
  const few = n >= 3 && n <= 6, made = count(M, "mistake");
  return [
    { done: n === 3 && done && M >= 20,
      note: n !== 3 ? `you have ${count(n, "point")}` : done ? `three points, ${made}` : "three points, but it does not converge" },
    { done: added,
      note: !n ? "begin with points that can be separated" : best.separable ? `a ${line} still separates them`
        : added ? "the last point did it" : "inseparable, but not by adding a point" },
    { done: Boolean(goal.exact && best.separable && D.R === goal.R && p * q0 >= 4n * p0 * q),
      note: goal.exact ? `wanted: γ ≤ ${number(goal.gamma / 2)}, R = ${number(goal.R)}; ` +
        `now ${D.gamma ? number(D.gamma) : "no γ"} and ${number(D.R)}`
        : "begin with points that can be separated" },
    { done: few && done && last === "turn" && orders?.[1] > orders?.[0] && M === orders[1],
      note: !few ? "with 3 to 6 points" : !best.separable ? "with points that can be separated" : !orders ? `${made} in this order`
        : orders[0] === orders[1] ? `every order makes ${made}: try other points`
        : M < orders[1] ? `${made} in this order; another makes more`
        : `${made}: no order makes more` + (last === "turn" ? "" : D.order ? "; now find one by hand, from “as placed”"
          : "; leave it and find the way back") },
  ];
}

// --- the playground ----------------------------------------------------------------------------------

const HALVES = [2.5, 4.5, 6.5, 10.5, 12.5, 16.5, 26, 40, 64, 104]; // how far the plane shows, to either side
const HINTS = {
  watch: ["Click the plane: new ±. Right-click: new ∓. Drag a point to move it.", "Tap the plane: new ±. Drag a point to move it."],
  guess: ["Click the point that is the next mistake."], feed: ["Click a point that is wrong (✕) to feed it."],
  turn: ["Drag the round handle, or use the arrow keys on the plane and Enter; each time you let go is a turn."],
};
const KEYS = "Points sit on whole numbers. Arrow keys move a cross, with Shift by five; Enter puts a point there, " +
  "plus and minus one with that label. Tab goes on to the points: there arrows move one, f flips it, Delete " +
  "removes it, brackets change its turn, Enter guesses or feeds it in these games, Escape comes back here. Control Z takes the last change back.";
const HAND = { angle: 2.5, shift: 0, turns: 0 }; // where a line turned by hand begins
const row = (inside, more = "") => `<div class="pg-row" ${more}>${inside}</div>`;
const MARK = `<circle class="pg-hit"/><path class="pg-frame" d="M-13 -7v-6h6M7 -13h6v6M13 7v6h-6M-7 13h-6v-6"/>
  <g class="pg-mark"><circle r="9.5"/><rect x="-8.5" y="-8.5" width="17" height="17"/><path d="M-4.5 0h9"/>
  <path d="M0 -4.5v9" class="pg-upright"/></g><g class="pg-bad"><circle cx="11" cy="-11" r="7"/><path d="M8.2 -13.8l5.6 5.6M13.8 -13.8l-5.6 5.6"/></g>`;
const SHEETS = { points: "Points", rules: "Rules", see: "See more", games: "Games", share: "Share" };
const SHEET = {
  points: row(`<label>Begin with ${menu("preset", Object.fromEntries([["", "choose…"], ...Object.keys(PRESETS).map((name) => [name, name])]))}</label>${button("clear", "Clear")}`) +
    row(`<b>Random</b> <label>points <input type="number" min="2" max="${MOST}" value="20" data-do="many"></label>
      <label>${menu("kind", { margin: "gap, % of half the plane", flips: "wrong labels, %" }, `aria-label="gap or wrong labels"`)}
      <input type="number" min="0" max="50" value="15" data-do="amount" aria-label="per cent"></label>${button("spray", "Scatter")}`) +
    `<label class="pg-wide"><span><b>Your own</b>: a line “x y +” or “x, y, −1” for each point, at most ${MOST}</span>
      <textarea rows="4" data-part="paste" placeholder="1.5 2 +&#10;-3 0.5 −"></textarea></label>${row(button("paste", "Use these points"))}`,
  rules: row(`<label>Learner ${menu("rule", LEARNERS)}</label><label data-part="gamma">γ <input type="text" inputmode="decimal" data-do="gamma"></label>`) +
    row(`<label><input type="checkbox" data-do="bias"> bias (the line may leave the origin)</label>
      <label>constant <input type="number" min="1" max="${FAR}" data-do="constant"></label>`) +
    row(`<label>If a score is 0: ${menu("tie", TIES)}</label>`) +
    `<b>Order</b><small>Drag a number to another place, or move it with the arrow keys.</small><div class="pg-row pg-chips" role="group" aria-label="Order of the points" data-part="chips"></div>` +
    row(button("placed", "As placed") + button("reverse", "Reverse") + button("shuffle", "Shuffle")),
  see: row(`<label><input type="checkbox" data-do="answer"> <span data-part="answer"></span></label>`) +
    row(`<label><input type="checkbox" data-do="every"> show right points too</label>
      <label>Speed ${menu("speed", { slow: "slow", medium: "medium", fast: "fast" })}</label>
      <span class="pg-row" role="group" aria-label="Size of the plane">Zoom ${button("out", "−", `aria-label="Show more of the plane"`)}${button("in", "+", `aria-label="Show less of it, larger"`)}</span>`) +
    `<dl class="pg-facts"></dl><div class="pg-views">${figure("squeeze", "The squeeze")}${figure("space", "Weight space")}</div>`,
  games: row(Object.entries(PLAY).map(([name, words]) => button(`game-${name}`, words)).join(""), `role="group" aria-label="Games"`) +
    `<div class="pg-tasks" role="group" aria-label="Challenges"><b>Challenges</b><ol>${TASKS.map((title, k) =>
      `<li><span class="pg-tick-mark" role="img"></span><span>${title}. <small></small></span></li>`).join("")}</ol></div>`,
  share: `<label class="pg-wide">Address <input readonly></label>${row(button("copy-link", "Copy address"))}
    <label class="pg-wide">Python <textarea readonly rows="8"></textarea></label>${row(button("copy-python", "Copy Python"))}`,
};
const PAGE = `<p class="pg-status" role="status"></p>
<div class="pg-stage"><svg class="pg-plane" tabindex="0" role="application"><g data-part="ground"></g><g data-part="cross"></g>
  <g data-part="points"></g><g data-part="score"></g><g data-part="handle"></g></svg></div>
<div class="pg-panel">
  <div class="pg-row pg-run" role="group" aria-label="The run">
    ${button("step", "Step", `class="pg-main"`)}${button("run", "Run")}${button("back", "Back")}${button("reset", "Reset")}
    ${button("nobody", "No point is wrong")}${button("home", "Leave the game")}</div>
  <div class="pg-row"><span class="pg-tally" data-part="tally"></span><input type="range" min="0" data-do="t" aria-label="Update"><output data-part="t"></output></div>
  <div class="pg-row pg-chosen"><span data-part="chosen"></span>
    <span class="pg-row" data-part="fresh" role="group" aria-label="Label of new points">${button("plus", `<i class="pg-key-plus"></i>+`)}${button("minus", `<i class="pg-key-minus"></i>−`)}</span>
    <span class="pg-row" data-part="hands">${button("flip", "Flip")}${button("delete", "Delete")}</span>${button("undo", "Undo")}</div>
  ${button("next", "", `class="pg-earned"`)}
  <div class="pg-row pg-tabs" role="group" aria-label="More">${Object.entries(SHEETS).map(([name, words]) =>
    button(`open-${name}`, words, `aria-expanded="false"`)).join("")}</div>
  ${Object.entries(SHEET).map(([name, inside]) => `<div class="pg-sheet" data-sheet="${name}" hidden>${inside}</div>`).join("")}
</div>`;

/** Put a playground into an element.
 *
 *  state    the points and options to begin with, as a text; `note` is said with it
 *  address  whether the page's address (#play=…) says them
 *  base     the page whose address is shared (null: none, and nothing is kept for a reload)
 *  save     called with what follows from every finished change
 *
 *  Returns `load` and `destroy`. */
export function mount(el, options = {}) {
  const { state: given = START, address = true, base = location.href.replace(/#.*/, ""), save = null, note = "" } = options;
  const scene = room(el, PAGE, () => draw()), { root, find, part, sizes, say, status } = scene, plane = root.querySelector(".pg-plane");
  const share = root.querySelector(`[data-sheet="share"]`), past = [], met = new Set(), shelf = `playground ${location.pathname} ${given}`;
  let S = read(given ?? START), D, key, goal = null, orders = null, ordersOf = "", view;
  let fresh = 1, picked = null, hovered = null, cross = [0, 0], constant = 1, sprayed = 0; // what the hands have chosen
  let drag = null, timer = null, thinking = null, finger = matchMedia("(pointer: coarse)").matches, last = "load", open = null;
  let tween = null, seen = 0, guesses = [0, 0], hand = null; // a turning line; right points looked at; a game

  const refuse = (words) => say(`${words} Nothing was changed.`, true);
  const calm = () => status.classList.contains("pg-warn") && say(told(D, S.t)); // a warning has had its time
  // -- changes --
  function load(textGiven, words = "") {
    S = read(textGiven);
    begin();
    const biased = S.bias ? `The bias is on, with the constant ${S.bias}. ` : "";
    say(`${words}${biased}${told(D, S.t)}`);
  }
  function begin() {
    constant = S.bias || 1;
    [picked, goal, hovered, hand, guesses, last] = [null, null, null, null, [0, 0], "load"];
    settle(); fit(); draw();
  }
  const rest = () => { cancelAnimationFrame(tween?.frame); tween = null; }; // the line turns no more
  const settle = () => { rest(); seen = 0; }; // and no check is shown
  const now = () => ({ text: write(S), goal });
  function remember(was = now()) { if (past.at(-1)?.text !== was.text) past.push(was); if (past.length > 200) past.shift(); }
  /** Change the state: undo brings back what was; at the end of a run one stays at its end. */
  function change(how, words, kind) { remember(); apply(how, words, kind); done(); }
  function apply(how, words, kind = "edit") {
    const toEnd = S.t && S.t >= D.M;
    last = kind;
    settle(); how();
    if (S.game !== "watch") [S.fed, S.t, guesses] = [[], 0, [0, 0]]; // a game begins anew
    draw(toEnd && S.game === "watch"); say(`${words()} ${S.game === "watch" ? verdict(D, S.t) : told(D, S.t)}`);
  }
  function done() {
    const { points, labels, bias, tie, rule, game, fed } = S;
    save?.({ points, labels, bias, tie, order: S.order, rule, gamma: S.gamma, fed: game === "feed" ? fed : null, text: write(S) });
    try { // a reload loses nothing (unless the browser forbids it)
      if (address) history.replaceState(null, "", link());
      if (base) sessionStorage.setItem(shelf, JSON.stringify([write(S), [...met], goal]));
    } catch { /* then a reload begins anew */ }
  }
  const link = () => `${base}#play=${write(S)}`;
  const scored = (i) => { // what predicts says of a point
    const s = scoresAt(D, D.wrap(S.t))[i] * S.labels[i], is = standing(D, D.wrap(S.t))[i];
    const what = { averaged: "averaged w·x", voted: "the vote" }[D.rule] ?? "w·x";
    return `${what} = ${number(s)}, ${is === "wrong" ? s ? "wrong" : "which counts as wrong" : is === "close" ? "right, but too close" : "right"}`;
  };
  const named = (i) => `Point ${i}, ${sign(S.labels[i])} at ${vector(S.points[i])}` + (S.game === "guess" || hand ? "" : `: ${scored(i)}`);
  const placed = (i) => `Point ${i} is at ${vector(S.points[i])}.`;
  const taken = (p) => S.points.findIndex((q) => same(p, q));
  const kindOf = (i) => (last === "add" && i === S.points.length - 1 ? "add" : "edit"); // still the same new point?
  const beyond = (p) => p.some((v) => Math.abs(v) > FAR) && (refuse(`Coordinates go from −${FAR} to ${FAR}.`), true);
  const occupied = (there, label) => `At ${vector(S.points[there])} there is point ${there} already` +
    (S.labels[there] === label ? "." : ", and no line could give one place two labels.");
  function add(p, label) {
    const there = taken(p);
    if (there >= 0) return pick(there), refuse(occupied(there, label));
    if (S.points.length >= MOST) return refuse(`There is room for ${MOST} points, and all are down.`);
    if (beyond(p)) return;
    picked = S.points.length;
    change(() => { S.points.push(p); S.labels.push(label); S.order?.push(picked); }, () => `Point ${picked}, ${sign(label)} at ${vector(p)}, is new.`, "add");
  }
  function move(i, p) {
    const there = taken(p);
    if (there >= 0) return refuse(occupied(there, S.labels[i]));
    if (beyond(p)) return;
    const more = see(p);
    change(() => (S.points[i] = p), () => placed(i) + more, kindOf(i));
  }
  const flip = (i) => change(() => (S.labels[i] *= -1), () => `Point ${i} has the label ${sign(S.labels[i])} now.`, kindOf(i));
  function remove(i, byKey = false) {
    picked = hovered = null;
    change(() => {
      for (const list of [S.points, S.labels]) list.splice(i, 1);
      S.order = S.order?.filter((j) => j !== i).map((j) => j - (j > i)) ?? null;
    }, () => `Point ${i} is gone.`);
    // By keys one goes on to the next point; by a click on Delete no point is chosen.
    ((byKey && part("points").children[Math.min(i, S.points.length - 1)]) || plane).focus({ preventScroll: true });
  }
  /** Another turn for a point: all points keep their numbers. */
  function reorder(i, turn, finished = true) {
    const list = [...D.list], at = list.indexOf(i), was = ends(D);
    if (turn < 0 || turn >= list.length) return refuse(`Point ${i} has the ${turn < 0 ? "first" : "last"} turn already.`);
    list.splice(turn, 0, ...list.splice(at, 1));
    (finished ? change : apply)(() => (S.order = list.every((j, k) => j === k) ? null : list),
      () => `Point ${i} has turn ${turn + 1} of ${list.length} now (${was} mistakes before).`, "turn");
  }
  function pick(i) { picked = i; drawPoints(); }
  // -- the run --
  function go(t, slowly = false) {
    const was = S.t;
    settle(); S.t = within(t, 0, D.last);
    const [, turning] = SPEEDS[find("speed").value];
    if (slowly && S.t === was + 1 && turning && !calmly() && !hand) tween = { begin: performance.now(), turning, added: 0 };
    draw(); if (tween) tween.frame = requestAnimationFrame(turnOn);
    say(told(D, S.t));
  }
  function turnOn(time) {
    if (!tween) return;
    const f = within((time - tween.begin) / tween.turning, 0, 1);
    tween.added = f * f * (3 - 2 * f);
    drawGround(); if (f < 1) tween.frame = requestAnimationFrame(turnOn);
    else rest();
  }
  /** On by an update, or, where every check is shown, by a point. */
  const from = () => (S.t ? D.step(S.t) + 1 : 0) + seen; // the number of the next check
  const isOver = () => (find("every").checked && S.game === "watch" && D.run.outcome === "converged" ? from() >= D.run.passes * D.n : S.t === D.last);
  function on() {
    if (S.game === "feed") {
      const wrong = wrongAfter(S.points, S.labels, S.fed.slice(0, S.t), S);
      return S.t < S.fed.length ? go(S.t + 1, true) : feed(D.list.find((i) => wrong.includes(i)));
    }
    if (!find("every").checked || S.game !== "watch" || (S.t < D.last && from() === D.step(S.t + 1))) return go(S.t + 1, true);
    const i = D.list[from() % D.n];
    seen += 1;
    draw(); say(`Point ${i}: ${scored(i)}. Nothing changes.` + (isOver() ? ` ${verdict(D, D.M)}` : ""));
  }
  function halt() {
    timer = clearInterval(timer);
    find("run").textContent = "Run";
    status.setAttribute("aria-live", "polite");
  }
  function play() {
    if (timer) return halt(), done();
    if (isOver()) go(0);
    const speed = find("speed").value, by = speed === "medium" ? Math.max(1, Math.ceil(D.M / 100)) : 1;
    const tick = () => {
      if (!document.contains(root)) return halt();
      if (by > 1) go(S.t + by);
      else on();
      if (!isOver()) return;
      halt();
      const words = status.textContent;
      say(""); say(words); draw(); done();
    };
    timer = setInterval(tick, speed === "medium" && D.M > 12 ? 120 : SPEEDS[speed][0]);
    find("run").textContent = "Pause";
    status.setAttribute("aria-live", "off"); // a run is read out when it has come to rest
    tick();
  }
  // -- games --
  function enter(game, quietly = false) {
    halt(); settle(); remember();
    if (!quietly) status.scrollIntoView({ block: "nearest", behavior: "instant" }); // the plane is below
    [S.game, S.fed, S.t, guesses, hand] = [game, [], 0, [0, 0], game === "turn" ? { ...HAND } : null];
    picked = null;
    draw(); say(hand ? `Turn the line until no point is wrong; each time you let go, the machine makes an update. ${raced()}` : told(D, 0));
    done();
  }
  function feed(i) {
    const wrong = i === undefined ? [] : wrongAfter(S.points, S.labels, S.fed.slice(0, S.t), S);
    if (!wrong.length && S.t) return say(told(D, S.t)); // the result stays
    if (!wrong.includes(i)) return say(i === undefined ? "No point is wrong." : `Point ${i} is right (${scored(i).split(",")[0]}): it would change nothing.`, true);
    remember();
    [S.fed, last] = [[...S.fed.slice(0, S.t), i], "feed"];
    draw(); go(S.t + 1, true); done();
  }
  function guess(i) {
    const next = S.t < D.last ? D.run.updates[D.wrap(S.t + 1) - 1] : null, s = i === null || scored(i);
    if (i === null ? next === null : i === next) {
      guesses = guesses.map((v) => v + 1);
      if (i === null) return say(`Right: no point is wrong any more. ${guesses[0]} of ${guesses[1]} guesses were right. ${verdict(D, S.t)}`);
      go(S.t + 1, true);
      return say(`Right! ${guesses[0]} of ${guesses[1]}. ${told(D, S.t)} ${S.t === D.last ? "" : "Which one is next?"}`);
    }
    guesses[1] += 1;
    draw();
    const why = i === null ? "Not yet: some point is wrong." : standing(D, D.wrap(S.t))[i] === "wrong"
      ? `Point ${i} is wrong, too (${s.split(",")[0]}), but another comes before it.` : `Not point ${i}: ${s}.`;
    say(`${why} ${guesses[0]} of ${guesses[1]} guesses were right. Try again.`, true);
  }
  const handed = () => { // the line turned by hand, as weights
    const a = [Math.cos(hand.angle), Math.sin(hand.angle)];
    return S.bias ? [...a, -hand.shift / S.bias] : a;
  };
  const wrongByHand = () => D.Z.filter((z) => dot(z, handed()) <= 1e-9).length;
  function raced() {
    const mine = wrongByHand(), its = standing(D, D.wrap(S.t)).filter(Boolean).length;
    const me = `You: ${count(hand.turns, "turn")}, ${mine} wrong`, it = `the machine: ${count(S.t, "update")}, ${its} wrong`;
    if (mine) return `${me}; ${it}.` + (D.best.separable ? "" : ` No ${D.line} does it: you cannot win, and neither can the machine.`);
    const after = S.t === D.M ? "" : its ? `; after ${number(S.t)} it still has ${its} wrong` : `; after ${number(S.t)} none is wrong, but it does not know`;
    return `You are done in ${count(hand.turns, "turn")}. The machine needs ${ends(D)} update${D.M === 1 ? "" : "s"}${after}.`;
  }
  function letGo() {
    if (hand.over) return;
    hand.turns += 1;
    hand.over = !wrongByHand(); // then a click begins it again
    S.t = Math.min(S.t + 1, D.last);
    draw(); say(raced());
  }
  function turnTo(angle, shift = hand.shift) { if (!hand.over) [hand.angle, hand.shift] = [angle, within(shift, -view.half, view.half)]; draw(); }
  // -- what the plane shows --
  function fit() {
    const most = Math.max(1, ...S.points.flat().map(Math.abs)), half = (least) => HALVES.find((h) => h >= least) ?? 104;
    const [x, y] = [0, 1].map((k) => Math.max(0, ...S.points.map((p) => p[k])));
    const corner = most > 20 && S.points.flat().every((v) => v >= 0);
    view = corner ? { middle: [x / 2 - 2, y / 2].map(Math.round), half: half(0.57 * most) } : { middle: [0, 0], half: half(1.25 * most + 1) };
    cross = inView(cross);
  }
  const edges = () => view.middle.map((v) => [Math.ceil(v - view.half), Math.floor(v + view.half)].map((e) => within(e, -FAR, FAR)));
  const inView = (p) => edges().map(([low, high], k) => within(p[k], low, high));
  const shows = () => `The plane shows ${edges().map((e, k) => `x${"₁₂"[k]} from ${e.map(number).join(" to ")}`).join(", ")}.`;
  function zoom(by) {
    view.half = HALVES[HALVES.indexOf(view.half) + by];
    cross = inView(cross);
    draw(); say(shows());
  }
  /** Show more of the plane, if it takes that to see a place; and say so. */
  function see(p) {
    const inside = () => same(inView(p), p), was = inside();
    while (!inside() && view.half < 104) view.half = HALVES.find((h) => h > view.half);
    if (!inside()) view.middle = [0, 0];
    return was ? "" : ` ${shows()}`;
  }
  // -- drawing --
  /** Draw everything anew; `toEnd` goes to the end of the run. */
  function draw(toEnd = false) {
    const now = write({ ...S, t: 0 });
    if (now !== key) [D, key] = [derive(S), now];
    if (!goal?.exact) goal = { exact: D.best.boundExact, gamma: D.gamma, R: D.R };
    S.t = toEnd ? D.M : Math.min(S.t, D.last);
    const k = D.wrap(S.t), size = (name) => sizes.get(part(name));
    drawGround(); drawPoints();
    if (size("space")) part("space").innerHTML = weightSpace(D, k, size("space"));
    if (size("squeeze")) part("squeeze").innerHTML = squeeze(D, S.t, size("squeeze"));
    drawWords(S.t, k);
    if (open === "games") drawTasks();
    think();
  }
  function drawGround() {
    const size = sizes.get(plane);
    if (!size) return;
    const looked = seen ? [D.list[(from() - 1) % D.n]] : [];
    part("ground").innerHTML = ground(D, D.wrap(S.t), view, size, { answer: find("answer").checked, added: tween?.added, hand: hand && handed(), looked });
  }
  function drawWords(t, k) {
    const { best, M, gamma, R, n } = D, w = D.weights[k], weigh = "; larger ring, more weight", game = S.game;
    const most = best.bound ? `${number(t)} of at most ${number(Math.floor(best.bound))} mistakes` : count(t, "mistake");
    const wrong = hand ? `${are(wrongByHand(), "wrong")} now` : game === "guess" ? `Hits: ${guesses[0]} of ${guesses[1]}` : game === "feed" ? most : n ? tally(D, k) : "";
    const [name, next] = earned(), words = {
      "squeeze-words": !n || !R ? "" : gamma ? "γt ≤ ‖w‖ ≤ R√t" : "no γ; only ‖w‖ ≤ R√t is left",
      "space-words": D.bias ? "w₁ and w₂; w₃ is not drawn" : "the path of w",
      answer: !n || best.separable ? "the best line (u) and its margin" : D.bias
        ? `★ why no line separates: the ringed + and the ringed − points have a mean in common${weigh}`
        : `★ why no line through 0 separates: the ringed points, − points mirrored (hollow), have the mean 0${weigh}`,
      t: game === "feed" ? `${number(t)} fed` : `${number(t)} of ${ends(D)}`, tally: capital(wrong),
    };
    for (const [name, said] of Object.entries(words)) part(name).textContent = said;
    Object.assign(find("next"), { hidden: !next, textContent: next ?? "" }).dataset.next = name;
    const upper = n && R ? `R√t is ${number(R * Math.sqrt(t))}` : "";
    const lower = gamma ? `, γt is ${number(gamma * t)}; they cross at ${number(best.bound)}` : "";
    part("space").setAttribute("aria-label", `The path of w over ${count(M, "update")}; now at ${vector(w)}.`);
    part("squeeze").setAttribute("aria-label", upper ? `After ${count(t, "update")} the length of w is ${number(length(w))}; ${upper}${lower}.` : "");
    plane.setAttribute("aria-label", `Plane with ${count(n, "point")}. ${hand ? HINTS.turn[0] : KEYS}`);
    const facts = [
      ["M", "mistakes", `${number(t)} <small>of</small> ${ends(D)}`],
      ["R", D.bias ? `longest (x, ${D.bias})` : "longest point", n ? number(R) : "–"],
      ["γ", "largest margin", gamma ? number(gamma) : n ? "none" : "–"],
      ["(R/γ)²", gamma ? `so M ≤ ${number(Math.floor(best.bound))}` : "", gamma ? fraction(best.boundExact, best.bound) : n ? "no bound" : "–"],
    ];
    root.querySelector(".pg-facts").innerHTML = facts.map(([name, what, shown]) => `<div><dt>${name} <small>${what}</small></dt><dd>${shown}</dd></div>`).join("");
    const slider = find("t");
    [slider.max, slider.value] = [Math.max(M, t, 1), t];
    slider.setAttribute("aria-valuetext", `update ${words.t}`);
    // (Not `disabled`: a button that is out of use keeps the focus.)
    const off = { reset: !t && !seen, back: !t && !seen, step: isOver() && game !== "feed" || !n, run: !M && !find("every").checked,
      undo: !past.length, clear: !n, in: view.half === HALVES[0], out: view.half === HALVES.at(-1) };
    for (const name in off) find(name).setAttribute("aria-disabled", Boolean(off[name]));
    for (const name of ["step", "run", "t", "back"]) find(name).hidden = Boolean(hand) || (game === "guess" && name !== "back");
    part("t").hidden = find("t").hidden;
    if (game === "feed") find("run").hidden = true; // who feeds goes step by step
    find("nobody").hidden = game !== "guess";
    find("home").hidden = game === "watch";
    find("preset").value = Object.keys(PRESETS).find((name) => PRESETS[name] === key) ?? "";
    find("bias").checked = S.bias > 0;
    for (const [name, value] of Object.entries({ constant, tie: S.tie, rule: S.rule, gamma: S.gamma }))
      if (document.activeElement !== find(name) || find(name).tagName === "SELECT") find(name).value = value;
    find("constant").disabled = !S.bias;
    find("rule").disabled = game !== "watch";
    find("tie").disabled = Boolean(D.theta);
    part("gamma").hidden = S.rule !== "margin";
    part("squeeze").parentElement.hidden = Boolean(D.theta); // it is the Perceptron's
    for (const [name, label] of [["plus", 1], ["minus", -1]]) find(name).setAttribute("aria-pressed", fresh === label);
    for (const name in PLAY) find(`game-${name}`).setAttribute("aria-pressed", game === name);
    [share.querySelector("input").value, share.querySelector("textarea").value] = [link(), snippet(D)];
    const chips = part("chips");
    if (open !== "rules") return;
    while (chips.children.length > n) chips.lastChild.remove();
    while (chips.children.length < n) chips.append(Object.assign(document.createElement("button"), { type: "button" }));
    [...chips.children].forEach((chip, turn) => {
      const i = D.list[turn];
      Object.assign(chip, { textContent: i, className: `${S.labels[i] > 0 ? "pg-p" : "pg-m"}${dragged?.i === i ? " pg-lifted" : ""}` });
      chip.dataset.turn = turn;
      chip.setAttribute("aria-label", `Turn ${turn + 1}: point ${i}, ${S.labels[i] > 0 ? "plus" : "minus"}`);
    });
  }
  /** What one may ask next: it is offered when it has been earned. */
  function earned() {
    const over = isOver() && D.n && !D.lost, shown = open === "see" && find("answer").checked;
    if (S.game === "feed") return over && S.t ? ["feed", D.best.separable && "Feed it from the start again →"] : [];
    if (S.game === "turn") return hand?.over ? ["turn", "Again →"] : [];
    if (S.game !== "watch" || !D.n) return [];
    if (D.elsewhere && S.t >= D.M) return ["bias", "Try it with a bias →"];
    if (!D.best.separable && S.t && !shown) return ["why", "Could any line do it? →"];
    if (D.theta || !over || !S.t) return [];
    if (!shown) return ["why", "Could it have taken 100? →"];
    return ["feed", "Err more often: feed it yourself →"];
  }
  function drawTasks() {
    const items = root.querySelectorAll(".pg-tasks li"), fresh = [];
    challenges(D, goal, orders, last).forEach(({ done, note }, k) => {
      if (done && !drag && !met.has(k)) fresh.push(TASKS[k]), met.add(k);
      const [mark, , words] = [...items[k].querySelectorAll("span, small")], has = met.has(k);
      items[k].classList.toggle("pg-met", has);
      mark.textContent = has ? "✓" : "○";
      mark.setAttribute("aria-label", has ? "met" : "not met yet");
      words.textContent = has && !done ? "met earlier" : note;
    });
    if (fresh.length) setTimeout(() => { say(`Challenge met: ${fresh[0]}. ${status.textContent}`); done(); });
  }
  /** The worst order takes a moment to find: it is sought when the points have come to rest. */
  function think() {
    const of = [S.bias, S.tie, ...S.points.map((p, i) => `${p} ${S.labels[i]}`).sort()].join();
    if (of === ordersOf) return;
    [orders, ordersOf] = [null, of];
    clearTimeout(thinking);
    if (D.n < 3 || D.n > 6 || !D.best.separable || D.machine.updates.length > 2000) return;
    thinking = setTimeout(() => { orders = overOrders(S); if (open === "games") drawTasks(); }, 250);
  }
  function drawPoints() {
    const size = sizes.get(plane);
    if (!size) return;
    const layer = part("points"), { to, unit } = scale(size, view.middle, view.half), ink = inkOf(unit);
    while (layer.children.length > D.n) layer.lastChild.remove();
    while (layer.children.length < D.n) {
      const g = document.createElementNS("http://www.w3.org/2000/svg", "g");
      g.innerHTML = MARK;
      for (const [name, value] of Object.entries({ tabindex: 0, role: "button", "data-i": layer.children.length })) g.setAttribute(name, value);
      layer.append(g);
    }
    const secret = S.game === "guess", scores = scoresAt(D, D.wrap(S.t));
    const states = hand ? D.Z.map((z) => (dot(z, handed()) > 1e-9 ? "" : "wrong")) : standing(D, D.wrap(S.t), scores);
    [...layer.children].forEach((g, i) => {
      const [x, y] = to(S.points[i]), is = secret ? "" : { wrong: "pg-wrong", close: "pg-wrong pg-close" }[states[i]] ?? "";
      g.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
      g.setAttribute("class", `pg-point ${S.labels[i] > 0 ? "pg-p" : "pg-m"} ${is} ${i === picked ? "pg-picked" : ""}`);
      g.setAttribute("aria-label", `Point ${i}, ${S.labels[i] > 0 ? "plus" : "minus"}, at ${vector(S.points[i])}` +
        (secret ? "" : hand ? states[i] && ", wrong" : `, score ${number(scores[i] * S.labels[i])}${states[i] && `, ${states[i]}`}`));
      for (const name of [".pg-mark", ".pg-frame", ".pg-bad"]) g.querySelector(name).setAttribute("transform", `scale(${name === ".pg-bad" ? Math.max(ink, 0.65) : ink})`);
      g.querySelector(".pg-hit").setAttribute("r", finger ? 22 : 8 + 11 * ink);
    });
    const on = picked !== null && picked < D.n, about = hovered ?? (on ? picked : null), [hint, tap = hint] = HINTS[S.game];
    part("chosen").textContent = about !== null && about < D.n ? named(about) : (matchMedia("(pointer: coarse)").matches ? tap : hint).replace("±", sign(fresh)).replace("∓", sign(-fresh));
    part("hands").style.visibility = on ? "" : "hidden"; // (its place is kept)
    for (const name of ["hands", "fresh"]) part(name).hidden = S.game !== "watch";
    const words = about === null || about >= D.n || secret || hand ? "" : scored(about).split(",")[0];
    const shaft = S.bias || !words ? [] : along([[0, 0], D.weights[D.wrap(S.t)]].map(to)); // w, which the label keeps off
    const label = labeller(size, words ? S.points.map((p) => boxed(to(p), 14)) : [], shaft);
    part("score").innerHTML = words ? label(words, "pg-strong", around(to(S.points[about]), 16)) : "";
    const [x, y] = to(cross), r = 9;
    part("cross").innerHTML = hand ? "" : disc([x, y], 12, "pg-cursor") +
      stroke([x - r, y], [x + r, y], "pg-cursor") + stroke([x, y - r], [x, y + r], "pg-cursor");
    const tip = hand && !hand.over && [Math.cos(hand.angle), Math.sin(hand.angle)].map((v) => v * (hand.shift + 0.5 * view.half));
    part("handle").innerHTML = tip ? disc(to(tip), 13, "pg-handle") : "";
  }
  // -- sharing --
  function copy(field) { field.select(); say(document.execCommand("copy") ? "Copied." : "It is selected: copy it with Ctrl+C."); }
  function fromAddress() {
    let found = location.hash.match(/^#play=(.*)$/)?.[1];
    if (!found) return;
    try { found = decodeURIComponent(found); } catch { /* as it stands, then */ }
    try {
      const was = now();
      if (found === was.text) return;
      load(found); remember(was); done(); draw();
    } catch (error) { say(`The address of this page is damaged: ${error.message}. The points are as they were; ask for the link again.`, true); done(); }
  }
  // -- hands --
  const far = (event) => scale(sizes.get(plane), view.middle, view.half).from(spotOf(plane, event)), at = (event) => far(event).map((v) => Math.round(v) + 0);
  const pointOf = (event) => event.target.closest?.("[data-i]");
  plane.addEventListener("pointerdown", (event) => {
    if (finger !== (finger = event.pointerType === "touch")) drawPoints();
    if (event.button !== 0) return;
    const g = pointOf(event), from = [event.clientX, event.clientY];
    calm(); root.classList.add("pg-by-hand");
    if (tween) rest(), drawGround();
    drag = { i: g && !hand ? +g.dataset.i : null, from, moved: false, was: now(), last, turns: hand && event.target.closest(".pg-handle") };
    if (g || drag.turns) {
      if (g) pick(+g.dataset.i);
      plane.setPointerCapture(event.pointerId);
      g?.focus({ preventScroll: true });
      event.preventDefault();
    }
  });
  plane.addEventListener("pointermove", (event) => {
    const over = event.pointerType === "mouse" && pointOf(event), i = over ? +over.dataset.i : null;
    if (!drag && i !== hovered) hovered = i, drawPoints();
    if (!drag) return;
    if (Math.hypot(event.clientX - drag.from[0], event.clientY - drag.from[1]) > 6) drag.moved = true;
    if (drag.turns) {
      const [x, y] = far(event), angle = Math.atan2(y, x);
      return turnTo(angle, S.bias ? Math.hypot(x, y) - 0.5 * view.half : 0);
    }
    if (drag.i === null || !drag.moved || S.game !== "watch") return;
    const p = drag.to = inView(at(event));
    if (taken(p) < 0) apply(() => (S.points[drag.i] = p), () => placed(drag.i), kindOf(drag.i));
  });
  plane.addEventListener("pointerup", (event) => {
    if (!drag) return;
    const { i, moved, was, to, turns } = drag, there = to ? taken(to) : i;
    if (i !== null && there !== i) return putBack(occupied(there, S.labels[i]));
    drag = null;
    if (turns) return letGo();
    if (i === null && !moved && S.game === "watch") return add(at(event), fresh);
    if (i !== null && S.game !== "watch") return act(i);
    if (i === null || was.text === write(S)) return;
    remember(was); draw();
    say(`${placed(i)} ${verdict(D, S.t)}`);
    done();
  });
  const act = (i) => ({ guess, feed })[S.game]?.(i);
  /** End a drag where it began, and say why. */
  function putBack(words) {
    const { i, was, last: kind } = drag;
    [drag, last, S] = [null, kind, read(was.text)];
    draw();
    if (i !== null) say(`${words} Point ${i} is back at ${vector(S.points[i])}.`, true);
  }
  plane.addEventListener("pointercancel", () => drag && putBack("The drag was interrupted."));
  plane.addEventListener("pointerleave", () => { if (hovered !== null) hovered = null, drawPoints(); });
  plane.addEventListener("contextmenu", (event) => {
    event.preventDefault();
    if (finger || S.game !== "watch") return; // a long press is only a press
    const g = pointOf(event);
    if (g) pick(+g.dataset.i), flip(+g.dataset.i);
    else add(at(event), -fresh);
  });
  plane.addEventListener("focusin", (event) => pointOf(event) && pick(+pointOf(event).dataset.i));

  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
  scene.keys((event) => { // gives false if the key means nothing here
    const g = pointOf(event), arrow = ARROWS[event.key]?.map((v) => (event.shiftKey ? 5 * v : v)), { key } = event;
    if (event.ctrlKey || event.metaKey) return key === "z" && !/input|textarea/i.test(event.target.tagName) && undo();
    if (event.altKey) return false;
    if (drag && key === "Escape") return putBack("The drag is called off.");
    if (g) {
      const i = +g.dataset.i;
      if (key === "Escape") return plane.focus();
      if (S.game !== "watch") return ["Enter", " "].includes(key) && act(i);
      if (arrow) return move(i, S.points[i].map((v, k) => v + arrow[k]));
      if (["Enter", " ", "f", "F"].includes(key)) return flip(i);
      if (["Delete", "Backspace"].includes(key)) return remove(i, true);
      return (key === "[" || key === "]") && reorder(i, D.list.indexOf(i) + (key === "[" ? -1 : 1));
    }
    const chip = event.target.dataset.turn;
    if (chip !== undefined && arrow) {
      const turn = +chip + arrow[0] - arrow[1];
      reorder(D.list[chip], turn);
      return part("chips").children[within(turn, 0, D.n - 1)].focus();
    }
    if (event.target !== plane) return false;
    if (hand && arrow) return turnTo(hand.angle - arrow[0] * (Math.PI / 60), S.bias ? hand.shift + arrow[1] * view.half / 40 : 0), say(raced());
    if (hand) return (key === "Enter" || key === " ") && letGo();
    if (arrow) {
      cross = cross.map((v, k) => within(v + arrow[k], -FAR, FAR));
      const more = see(cross), there = taken(cross);
      draw();
      return say(`The cross is at ${vector(cross)}${there >= 0 ? `, on point ${there}` : ""}.${more}`);
    }
    if (S.game !== "watch") return false;
    if (key === "Enter" || key === " ") return add(cross, fresh);
    if ("+=p".includes(key)) return add(cross, 1);
    return "-−m".includes(key) && add(cross, -1);
  });
  // A chip is dragged to another's place: the numbers between move on by one.
  let dragged = null;
  const chips = part("chips");
  chips.addEventListener("pointerdown", (event) => {
    const chip = event.target.closest("[data-turn]");
    if (!chip) return;
    dragged = { i: D.list[chip.dataset.turn], was: now() };
    chips.setPointerCapture(event.pointerId); draw();
  });
  chips.addEventListener("pointermove", (event) => {
    const turn = dragged && document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-turn]")?.dataset.turn;
    if (turn && D.list[turn] !== dragged.i) reorder(dragged.i, +turn, false);
  });
  for (const name of ["pointerup", "pointercancel"]) chips.addEventListener(name, () => {
    const was = dragged?.was;
    dragged = null;
    if (was && was.text !== write(S)) remember(was), done();
    draw();
  });
  function undo() {
    if (!past.length) return say("There is nothing to undo.");
    const was = past.pop();
    S = read(was.text);
    hand = S.game === "turn" ? hand ?? { ...HAND } : null;
    [goal, last, picked, hovered, constant] = [was.goal, "undo", null, null, S.bias || constant];
    settle();
    const more = S.points.map(see).filter(Boolean).at(-1) ?? "";
    draw(); say(`Undone. ${S.game === "watch" ? verdict(D, S.t) : told(D, S.t)}${more}`);
    done();
  }
  const wholeIn = (field, low, high, was, use) => {
    const value = whole(field.value, high);
    if (value !== null && value >= low) return use(value);
    field.value = was;
    refuse(`A whole number from ${low} to ${high} is expected here.`);
  };
  const jump = (t) => { halt(); go(t); done(); };
  function show(name) {
    open = open === name ? null : name;
    for (const sheet of root.querySelectorAll("[data-sheet]")) {
      sheet.hidden = sheet.dataset.sheet !== open;
      find(`open-${sheet.dataset.sheet}`).setAttribute("aria-expanded", !sheet.hidden);
    }
    draw();
  }
  function replace({ points, labels, note = "" }, words, kind) {
    halt(); picked = hovered = null;
    change(() => Object.assign(S, { points, labels, order: null, t: 0, fed: [] }), () => `${words}${note}`, kind);
    goal = null; fit(); draw(); done();
  }
  const order = (list, words) => change(() => (S.order = list), () => `${words}: ${(list ?? D.list).join(", ")}.`);
  const acts = {
    plus: () => { fresh = 1; draw(); }, minus: () => { fresh = -1; draw(); }, undo,
    clear: () => {
      picked = hovered = null;
      change(() => { Object.assign(S, { points: [], labels: [], order: null }); goal = null; }, () => "All points are gone; Undo brings them back.");
    },
    in: () => zoom(-1), out: () => zoom(1),
    "copy-link": () => copy(share.querySelector("input")), "copy-python": () => copy(share.querySelector("textarea")),
    flip: () => flip(picked), delete: () => remove(picked),
    placed: () => order(null, "As placed"), reverse: () => order([...D.list].reverse(), "Reversed"),
    shuffle: () => order(shuffled(D.n, ++sprayed), "Shuffled"),
    reset: () => (hand ? enter("turn") : jump(0)), back: () => { if (seen) seen -= 1, draw(), say(told(D, S.t)); else jump(S.t - 1); },
    step: () => { halt(); on(); done(); }, run: play, nobody: () => guess(null), home: () => enter("watch"),
    next: () => {
      const { next } = find("next").dataset;
      if (next === "bias") return find("bias").checked = true, choices.bias(find("bias"));
      if (next !== "why") return enter(next);
      find("answer").checked = true;
      if (open !== "see") show("see");
      say(D.best.separable ? `u (dashed) has the largest margin, γ = ${number(D.gamma)}. Each mistake brings w at least γ further along u, and makes it at most ` +
        `R√t long: so there are at most (R/γ)² = ${fraction(D.best.boundExact, D.best.bound)} mistakes, in whatever order.` : `${verdict(D, S.t)} The rings show why.`);
    },
    spray: () => {
      const bounds = { many: [2, MOST, 20], amount: [0, 50, 15] }, bad = Object.keys(bounds).find((name) => {
        const v = whole(find(name).value, bounds[name][1]);
        return v === null || v < bounds[name][0];
      });
      if (bad) return wholeIn(find(bad), ...bounds[bad]);
      const n = +find("many").value, part = +find("amount").value / 100, margin = find("kind").value === "margin";
      sprayed += 1;
      const made = cloud(n, 9, { seed: 97 * sprayed, bias: S.bias, ...(margin ? { margin: part } : { flips: Math.round(part * n) }) });
      if (made.points.length < n) return refuse(`With such a gap only ${made.points.length} points were found a place.`);
      replace(made, margin ? `${n} random points, none nearer to a line than ${number(9 * part)}.` : `${n} random points, ${Math.round(part * n)} with the wrong label.`);
    },
    paste: () => {
      try {
        const data = pasted(part("paste").value);
        replace(data, `${count(data.points.length, "point")} of your own.`);
      } catch (error) { refuse(`${error.message}.`); }
    },
    ...Object.fromEntries(Object.keys(SHEETS).map((name) => [`open-${name}`, () => show(name)])),
    ...Object.fromEntries(Object.keys(PLAY).map((name) => [`game-${name}`, () => enter(name)])),
  };
  const choices = {
    preset: (field) => {
      if (!field.value) return;
      halt(); remember();
      load(PRESETS[field.value], `${field.value}: `); done();
    },
    bias: (field) => change(() => (S.bias = field.checked ? constant : 0), () => (field.checked
      ? `Each point has a third coordinate now, the constant ${constant}: lines need not go through the origin.`
      : "Without a bias: lines go through the origin.")),
    constant: (field) => wholeIn(field, 1, FAR, constant, (v) => change(() => (S.bias = constant = v), () => `The constant is ${v}.`)),
    tie: (field) => change(() => (S.tie = field.value), () => `A score of exactly 0: ${TIES[field.value]}.`),
    rule: (field) => change(() => {
      S.rule = field.value;
      if (!fractionOf(S.gamma)) S.gamma = D.gamma ? String(Math.max(1, Math.floor(1000 * D.gamma)) / 1000) : "1"; // all there is
    }, () => `${LEARNERS[S.rule]}.`),
    gamma: (field) => {
      if (fractionOf(field.value)) return change(() => (S.gamma = field.value), () => `γ is given as ${field.value}: scores up to half of it are too close.`);
      field.value = S.gamma;
      refuse("γ is a number above 0 with at most four digits behind the point, such as 0.5.");
    },
    answer: () => draw(), every: () => { settle(); draw(); },
    t: (field) => jump(+field.value),
  };
  root.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-do]");
    if (!button || button.getAttribute("aria-disabled") === "true") return;
    calm(); acts[button.dataset.do]();
  });
  root.addEventListener("change", ({ target }) => { const use = choices[target.dataset.do]; if (use) calm(), use(target); });
  find("t").addEventListener("input", (event) => { halt(); go(+event.target.value); });
  // -- the beginning and the end --
  for (const e of [share.querySelector("label"), find("copy-link")]) e.hidden = !base;
  find("speed").value = "medium";
  try {
    const [text, ticks, began] = JSON.parse(base && sessionStorage.getItem(shelf));
    [S, goal] = [read(text), began];
    ticks.forEach((k) => met.add(k));
  } catch { /* nothing is kept, or nothing of use */ }
  const kept = goal;
  begin(); goal = kept ?? goal;
  if (S.game === "turn") enter("turn", true);
  say(`${note}${told(D, S.t)}`);
  scene.begin();
  if (address) {
    fromAddress();
    past.length = 0; // nothing was done yet
    draw(); addEventListener("hashchange", fromAddress);
  }
  return {
    load: (textGiven) => { if (textGiven !== write(S)) { remember(); load(textGiven); } },
    destroy: () => {
      halt(); settle();
      clearTimeout(thinking);
      removeEventListener("hashchange", fromAddress);
      scene.destroy();
    },
  };
}

export default inNotebook(mount);
