// The playground: put points down, drag them, and watch the Perceptron follow.
//
//   perceptron(points, labels, options)   the run: which examples were added, in order
//   separate(points, labels, options)     the largest margin, or the proof that there is none
//   mount(element, options)               the playground itself, on a page or a slide
//   default { render({ model, el }) }     the same in a notebook, by anywidget
//
// The mathematics comes first and needs no browser.  It is exact: whole numbers throughout, BigInt
// where 53 bits might not do.  As in the library, z = y x, and a run is the list of its updates.

// --- the mathematics ---------------------------------------------------------------------------

const AT_ZERO = { mistake: 0, negative: -1, positive: 1 }; // what a tie rule predicts at score 0

/** The Perceptron over whole-number points, until a pass has no mistake ("converged"), the weights
 *  come back ("cycled"), or it has made `maxPasses` passes ("stopped").  `bias` is a constant to
 *  append (0: none), `order` a list of indices.  `steps` says when each update was made, and
 *  `since` after which update a circle begins. */
export function perceptron(points, labels, options = {}) {
  const { tie = "mistake", bias = 0, order = null, maxPasses = 1000 } = options;
  const n = points.length, turns = order ?? points.map((_, i) => i);
  if (!(tie in AT_ZERO)) throw new RangeError(`tie must be mistake, negative or positive; got ${tie}`);
  if ([...turns].sort((a, b) => a - b).some((i, k) => i !== k) || turns.length !== n)
    throw new RangeError(`order must name each of the ${n} points once; got ${order}`);
  let Z = signed(points, labels, bias);
  const largest = Math.max(1, ...Z.flat().map(Math.abs)), updates = [], steps = [];
  if (3 * largest ** 2 * n * maxPasses > Number.MAX_SAFE_INTEGER) Z = Z.map((z) => z.map(BigInt));
  const wrongAtZero = labels.map((y) => y !== AT_ZERO[tie]);
  const w = n ? Z[0].map((v) => v - v) : bias ? [0, 0, 0] : [0, 0];
  // Brent's search for a circle: w is remembered after pass 0, 1, 3, 7, …, as the library does.
  let outcome = "stopped", passes = 0, nextMark = 0, marked, since = 0;
  while (outcome === "stopped" && passes < maxPasses) {
    if (passes === nextMark) [marked, since, nextMark] = [[...w], updates.length, 2 * nextMark + 1];
    const before = updates.length;
    for (let place = 0; place < n; place++) {
      const i = turns[place], z = Z[i], score = dot(z, w);
      if (score > 0 || (score == 0 && !wrongAtZero[i])) continue;
      for (let k = 0; k < z.length; k++) w[k] += z[k];
      updates.push(i);
      steps.push(passes * n + place);
    }
    passes += 1;
    if (updates.length === before) outcome = "converged";
    else if (w.every((v, k) => v === marked[k])) outcome = "cycled";
  }
  return { updates, w: w.map(plain), outcome, steps, passes, since: outcome === "cycled" ? since : null };
}

/** Whether a hyperplane through 0 separates the points (with the constant `bias` appended, if it is
 *  not 0).  `multipliers` are whole numbers λ that prove the answer: u = Σ λ z is the direction of
 *  the largest margin γ, or 0, and then there is none.  `bound` is (R/γ)², `boundExact` the same
 *  as "p/q", both null if there is no separator. */
export function separate(points, labels, { bias = 0 } = {}) {
  const Z = signed(points, labels, bias).map((z) => z.map(BigInt));
  if (!Z.length) return { separable: true, R2: 0, bound: null, boundExact: null, multipliers: [], u: null };
  const R2 = Z.map((z) => dot(z, z)).reduce((a, b) => (a > b ? a : b));
  const multipliers = nearest(Z), total = multipliers.reduce((a, b) => a + b);
  const u = Z[0].map((_, k) => multipliers.reduce((sum, m, i) => sum + m * Z[i][k], 0n));
  const [p, q] = lowest([R2 * total ** 2n, dot(u, u)]), separable = q > 0n && p > 0n;
  return {
    separable, R2: plain(R2),
    // (At least 1: R is no less than γ.  So 64 bits behind the point are plenty.)
    bound: separable ? Number((p << 64n) / q) / 2 ** 64 : null,
    boundExact: separable ? `${p}/${q}` : null,
    multipliers: multipliers.map(plain), u: lowest(u).map(plain),
  };
}

/** The z = y x, with the constant appended; what is not a whole number is refused. */
function signed(points, labels, bias) {
  const rows = points.map(([x1, x2]) => (bias ? [x1, x2, bias] : [x1, x2]));
  if (!rows.flat().every(Number.isSafeInteger)) throw new RangeError("points and bias must be whole numbers");
  if (labels.length !== points.length || !labels.every((y) => y === 1 || y === -1))
    throw new RangeError("labels must be 1 or -1, one for each point");
  return rows.map((row, i) => row.map((v) => labels[i] * v + 0));
}

/** Whole numbers λ for which Σ λ z, divided by Σ λ, is the point nearest to 0 in the hull of the z.
 *
 *  An active-set search over supports, in fractions: choose λ >= 0 to bring Σ λ (z, 1) as near as
 *  possible to (0, 1).  On a support of independent rows the normal equations give the best λ; one
 *  that would go negative leaves the support, and the point most in the way (z·v < 1 - Σ λ) joins
 *  it.  Each support is better than the last, so none occurs twice, and in the plane none has more
 *  than three points (with a constant, four). */
function nearest(Z) {
  const lengths = Z.map((z) => dot(z, z));
  let support = [lengths.reduce((best, v, i) => (v < lengths[best] ? i : best), 0)];
  let weights = [1n], whole = 1n; // λ is weights / whole
  for (;;) {
    for (;;) {
      const { x: best, det } = solve(support.map((i) => support.map((j) => dot(Z[i], Z[j]) + 1n)));
      let go = [1n, 1n]; // how far towards the best, as a fraction, until a weight is 0
      best.forEach((b, k) => {
        const [p, q] = [weights[k] * det, weights[k] * det - b * whole];
        if (b <= 0n && p * go[1] < go[0] * q) go = [p, q];
      });
      weights = weights.map((v, k) => v * det * (go[1] - go[0]) + go[0] * best[k] * whole);
      [whole, ...weights] = lowest([whole * det * go[1], ...weights]);
      const stays = weights.map((v) => v > 0n);
      if (stays.every(Boolean)) break;
      [support, weights] = [support, weights].map((list) => list.filter((_, k) => stays[k]));
    }
    const v = Z[0].map((_, k) => support.reduce((sum, i, j) => sum + weights[j] * Z[i][k], 0n));
    const scores = Z.map((z) => dot(z, v)), rest = whole - weights.reduce((a, b) => a + b);
    const worst = scores.reduce((low, s, i) => (s < scores[low] ? i : low), 0);
    if (scores[worst] >= rest) return lowest(Z.map((_, i) => weights[support.indexOf(i)] ?? 0n));
    support = [...support, worst];
    weights = [...weights, 0n];
  }
}

/** x and det with A x = det (1, …, 1), for a symmetric positive definite A: Bareiss's elimination,
 *  which stays among whole numbers and, for such a matrix, never meets a pivot of 0. */
function solve(A) {
  const rows = A.map((row) => [...row, 1n]), n = rows.length;
  let det = 1n;
  rows.forEach((pivot, k) => {
    for (let r = k + 1; r < n; r++)
      rows[r] = rows[r].map((v, c) => (c < k ? v : (pivot[k] * v - rows[r][k] * pivot[c]) / det));
    det = pivot[k];
  });
  const x = Array(n).fill(0n);
  for (let k = n - 1; k >= 0; k--)
    x[k] = (det * rows[k][n] - x.reduce((sum, v, c) => sum + (c > k ? v * rows[k][c] : 0n), 0n)) / rows[k][k];
  return { x, det };
}

function dot(a, b) {
  let sum = a[0] * b[0];
  for (let k = 1; k < a.length; k++) sum += a[k] * b[k];
  return sum;
}

/** Whole numbers divided by what they have in common. */
function lowest(numbers) {
  let common = 0n;
  for (let v of numbers) for (v = v < 0n ? -v : v; v; ) [common, v] = [v, common % v];
  return common > 1n ? numbers.map((v) => v / common) : numbers;
}

/** A plain number, where it is exact. */
function plain(v) {
  return Number.isSafeInteger(Number(v)) ? Number(v) : v;
}

// --- the state: points, labels and options, and the same as a text -------------------------------

const MOST = 40, FAR = 99, LONG = 1e6; // points, the size of their coordinates, updates of a run without end
export const START = "1,1p3,-1p1,3p-3,0m-1,2m"; // the five points of the lessons

const PRESETS = {
  "five points": START,
  "XOR": "0,0p0,1m1,0m1,1p&bias=1",
  "ODD-MAX-BIT in the plane": "0,0m0,1m1,0p1,1m&bias=1",
  "two nearly touching": "5,4p4,3m",
  "one outlier": "3,1p2,3p4,3p3,5p5,2p-2,-2m-4,-1m-1,-4m-3,-4m-9,-7p",
  // Petals of 40 irises, length and width in mm: setosa +, the others −.
  "petals": "10,2p11,1p12,2p13,2p13,3p13,4p14,1p14,2p14,3p15,1p15,2p15,3p15,4p16,2p16,4p16,6p17,2p17,4p17,5p19,4p" +
    "30,11m33,10m35,10m36,13m38,11m39,14m40,12m42,15m44,13m45,17m47,14m48,18m50,15m51,20m53,19m55,21m58,16m" +
    "60,25m64,20m69,23m&bias=10",
};
const TIES = { mistake: "always a mistake", negative: "predict −", positive: "predict +" };

function write({ points, labels, bias, tie, order, t }) {
  let text = points.map(([x, y], i) => `${x},${y}${labels[i] > 0 ? "p" : "m"}`).join("");
  if (bias) text += `&bias=${bias}`;
  if (tie !== "mistake") text += `&tie=${tie}`;
  if (order !== "placed") text += `&order=${order}`;
  return t ? `${text}&t=${t}` : text;
}

/** The state that a text describes; what is wrong with it is said in an error. */
function read(text) {
  const [list, ...rest] = text.split("&"), found = { bias: "0", tie: "mistake", order: "placed", t: "0" };
  if (!/^(-?\d{1,9},-?\d{1,9}[pm])*$/.test(list))
    throw new Error(`${quoted(list)} is no list of points such as 1,1p-3,0m`);
  for (const part of rest) {
    const [name, value] = part.split("=");
    if (!(name in found)) throw new Error(`${quoted(part)} means nothing here`);
    found[name] = value;
  }
  const entries = [...list.matchAll(/(-?\d+),(-?\d+)([pm])/g)];
  const points = entries.map((e) => [+e[1], +e[2]].map((v) => v + 0)); // (no −0)
  const labels = entries.map((e) => (e[3] === "p" ? 1 : -1));
  if (points.length > MOST) throw new Error(`it has ${points.length} points, and there is room for ${MOST}`);
  if (points.flat().some((v) => Math.abs(v) > FAR)) throw new Error(`coordinates go from −${FAR} to ${FAR}`);
  const twice = points.findIndex((p, i) => points.findIndex((q) => same(p, q)) < i);
  if (twice >= 0) throw new Error(`two points are at ${vector(points[twice])}`);
  const bias = whole(found.bias, FAR), t = whole(found.t, LONG), seed = whole(found.order, 9999);
  if (bias === null || t === null) throw new Error("bias and t must be whole numbers");
  if (!(found.tie in TIES)) throw new Error(`there is no tie rule ${quoted(found.tie)}`);
  if (seed === null && !["placed", "reversed"].includes(found.order))
    throw new Error(`there is no order ${quoted(found.order)}`);
  return { points, labels, bias, tie: found.tie, order: seed ?? found.order, t };
}

/** What an address says; if it cannot be decoded, as it stands. */
function decoded(text) {
  try { return decodeURIComponent(text); } catch { return text; }
}
const same = (p, q) => p[0] === q[0] && p[1] === q[1];
const quoted = (text) => `“${String(text).slice(0, 30)}”`;
const whole = (text, most) => (/^\d{1,7}$/.test(text) && +text <= most ? +text : null);

/** The order of a pass as a list of indices. */
function turns({ points, order }) {
  const list = points.map((_, i) => i);
  if (order === "placed") return list;
  if (order === "reversed") return list.reverse();
  let seed = order + 1;
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647; // Lehmer's
  for (let k = 0; k < 9; k++) random();
  for (let k = list.length - 1; k > 0; k--) {
    const j = Math.floor(random() * (k + 1));
    [list[k], list[j]] = [list[j], list[k]];
  }
  return list;
}

/** All that follows from the points and options, except for t. */
function derive(state) {
  const { points, labels, bias, tie } = state, order = turns(state);
  const run = perceptron(points, labels, { tie, bias, order });
  const best = separate(points, labels, { bias });
  const M = run.updates.length, Z = signed(points, labels, bias);
  let w = bias ? [0, 0, 0] : [0, 0];
  const add = bias ? (z) => [w[0] + z[0], w[1] + z[1], w[2] + z[2]] : (z) => [w[0] + z[0], w[1] + z[1]];
  const weights = [w, ...run.updates.map((i) => (w = add(Z[i])))]; // by hand: this is done in every frame
  const R = Math.sqrt(best.R2), gamma = best.bound === null ? null : R / Math.sqrt(best.bound);
  const line = bias ? "line" : "line through the origin";
  const elsewhere = !bias && !best.separable && separate(points, labels, { bias: 1 }).separable;
  // A run without end goes on past M: update t is then the update wrap(t) of the circle.
  const lap = M - run.since, last = run.outcome === "cycled" ? LONG : M;
  const wrap = (t) => (t > M ? run.since + 1 + ((t - run.since - 1) % lap) : t);
  return { ...state, list: order, run, best, M, Z, weights, R, gamma, line, elsewhere, lap, last, wrap };
}

// --- in words ------------------------------------------------------------------------------------

const digits = new Intl.NumberFormat("en", { maximumSignificantDigits: 21 });
function number(v) {
  const shown = Number.isInteger(v) ? v : Math.abs(v) >= 1000 ? Math.round(v) : +v.toPrecision(4);
  return digits.format(shown + 0).replace("-", "−"); // (no −0)
}
const vector = (v) => `(${Array.from(v, number).join(", ")})`;
const count = (n, thing) => `${number(n)} ${thing}${n === 1 ? "" : "s"}`;
const sign = (label) => (label > 0 ? "+" : "−");
const length = (v) => Math.hypot(...v);

function fraction(exact, rounded) {
  const [p, q] = exact.split("/");
  if (q === "1") return number(+p);
  return p.length + q.length < 9 ? `${p}/${q} ≈ ${number(rounded)}` : `≈ ${number(rounded)}`;
}

const of = (label) => (label > 0 ? "pg-plus" : "pg-minus"); // how a label looks
const begun = ({ run }) => (run.since ? `after update ${number(run.since)}` : "at the start"); // a circle

/** How the whole run ends. */
function verdict(D) {
  const { run, best, M, line } = D, none = `No ${line} separates these points`;
  const elsewhere = D.elsewhere ? " Another line does: try the bias." : "";
  if (!D.points.length) return "The plane is empty: click it to put a point down, or go to it by Tab and press Enter.";
  if (run.outcome === "cycled")
    return `${none}: after ${count(M, "update")} w is back where it was ${begun(D)}, ` +
      `and the run goes round for ever.${elsewhere}`;
  if (run.outcome === "stopped") return best.separable
    ? `Not done after ${number(run.passes)} passes and ${count(M, "mistake")}. ` +
      `It will end: there can be at most ${number(Math.floor(best.bound))}.`
    : `${none}; given up after ${number(run.passes)} passes and ${count(M, "mistake")}.${elsewhere}`;
  const done = `${count(M, "mistake")}, then a whole pass without one`;
  if (best.separable) return `${done}: a separator is found.`;
  return `${done}. But ${none.replace("No", "no")} strictly: some score is 0, which this tie rule lets pass.`;
}

/** Update t, or the start. */
function told(D, t) {
  const { run, M, weights, lap } = D, n = D.points.length, k = D.wrap(t);
  if (!n) return verdict(D);
  if (!M) return `No example is a mistake at w = ${vector(weights[0])} under this tie rule. ${verdict(D)}`;
  if (!t) return `Start: w = ${vector(weights[0])}. Step makes the first update. The whole run: ${verdict(D)}`;
  const i = run.updates[k - 1], x = [...D.points[i], ...(D.bias ? [D.bias] : [])];
  const scores = [k - 1, k].map((j) => number(dot(x, weights[j])));
  const passOf = (update) => Math.floor(run.steps[update] / n), rounds = (t - k) / lap;
  const pass = passOf(k - 1) + 1 + (rounds && rounds * (run.passes - passOf(run.since)));
  return (rounds && k === run.since + 1 ? `Round again: w was as it was ${begun(D)}. ` : "") +
    `Update ${number(t)} of ${ends(D)}, in pass ${number(pass)}: ` +
    `point ${i}, x = ${vector(x)} with label ${sign(D.labels[i])}, scored ${scores[0]}: a mistake. ` +
    `w becomes ${vector(weights[k])}; the point’s score is now ${scores[1]}.` + (t === M ? ` ${verdict(D)}` : "");
}

/** How many updates the run has. */
const ends = ({ run, M }) =>
  run.outcome === "cycled" ? "∞" : run.outcome === "stopped" ? `over ${number(M)}` : number(M);

/** The points and options as Python, to go on with in a notebook. */
function snippet(D) {
  const rows = D.points.map(([x, y]) => `(${x}, ${y})`).join(", "), X = D.bias ? `with_bias(X, ${D.bias})` : "X";
  const options = (D.tie === "mistake" ? "" : `, tie="${D.tie}"`) +
    (D.order === "placed" ? "" : `, order=[${D.list.join(", ")}]`);
  return `from perceptron_lib import perceptron, separate${D.bias ? ", with_bias" : ""}\n\n` +
    `X = [${rows}]\ny = [${D.labels.join(", ")}]\n` +
    `run = perceptron(${X}, y${options})\nprint(run, separate(${X}, y), sep="\\n")\n`;
}

// --- pictures: each takes what follows from the state and gives the inside of an SVG --------------

const tag = (name, attributes, inside = "") =>
  `<${name} ${Object.entries(attributes).map(([key, value]) => `${key}="${value}"`).join(" ")}>${inside}</${name}>`;
const spot = (p) => p.map((v) => v.toFixed(1)).join();
const stroke = (a, b, look) => path([a, b], look);
const area = (corners, look) => tag("polygon", { points: corners.map(spot).join(" "), class: look });
const path = (dots, look) => tag("polyline", { points: dots.map(spot).join(" "), class: look });
const disc = ([x, y], r, look) => tag("circle", { cx: x.toFixed(1), cy: y.toFixed(1), r: r.toFixed(1), class: look });
const text = ([x, y], words, look = "", anchor = "start") =>
  tag("text", { x: x.toFixed(1), y: y.toFixed(1), class: `pg-text ${look}`, "text-anchor": anchor }, words);
const inkOf = (unit) => within(unit / 20, 0.4, 1); // the size of points, which shrink as more of the plane is shown
const alone = (size, words) => text([size[0] / 2, size[1] / 2], words, "pg-soft", "middle");
const within = (v, low, high) => Math.min(Math.max(v, low), high);

/** The first of 1, 2, 5, 10, … that is large enough. */
function nice(enough) {
  const steps = [-1, 0, 1, 2, 3, 4, 5, 6, 7, 8].flatMap((e) => [1, 2, 5].map((s) => s * 10 ** e));
  return steps.find(enough) ?? steps.at(-1);
}

function arrow(a, b, look) {
  const size = Math.hypot(b[0] - a[0], b[1] - a[1]);
  if (size < 1) return "";
  const u = [(b[0] - a[0]) / size, (b[1] - a[1]) / size], head = Math.min(11, 0.6 * size);
  const back = (along, across) => [b[0] - along * u[0] - across * u[1], b[1] - along * u[1] + across * u[0]];
  const tip = [b, back(head, 0.42 * head), back(head, -0.42 * head)];
  return stroke(a, back(0.8 * head, 0), look) + area(tip, `${look} pg-head`);
}

function star([x, y], r, look) {
  const corners = Array.from({ length: 10 }, (_, k) => {
    const [a, s] = [(Math.PI * (k - 2.5)) / 5, k % 2 ? 0.42 * r : r];
    return [x + s * Math.cos(a), y + s * Math.sin(a)];
  });
  return area(corners, look);
}

/** The part of a polygon with a·p + b >= 0. */
function clip(corners, a, b) {
  const height = (p) => a[0] * p[0] + a[1] * p[1] + b, kept = [];
  corners.forEach((p, k) => {
    const q = corners[(k + 1) % corners.length], [h, g] = [height(p), height(q)];
    if (h >= 0) kept.push(p);
    if (h * g < 0) kept.push([0, 1].map((j) => p[j] + (h / (h - g)) * (q[j] - p[j])));
  });
  return kept;
}

/** How to write labels into a picture: inside it, and off what is there already, the boxes of `solid`
 *  (left, top, right, bottom) and, if it can be, those of `thin`.  The first free place is taken, or
 *  the one least covered; `onlyFree` labels are left out instead. */
function labeller(size, solid, thin = []) {
  const over = (a, b) => Math.max(0, Math.min(a[2], b[2]) - Math.max(a[0], b[0])) *
    Math.max(0, Math.min(a[3], b[3]) - Math.max(a[1], b[1]));
  return (words, look, places, onlyFree = false) => {
    const wide = ({ "pg-tick": 6.6, "pg-strong": 8 }[look] ?? 7.2) * words.length, gap = onlyFree ? 4 : 0;
    const [best] = places.map(([x, y, anchor]) => {
      const left = x - wide * { start: 0, middle: 0.5, end: 1 }[anchor], kept = within(left, 3, size[0] - 3 - wide);
      const top = within(y - 11, 2, size[1] - 17), box = [kept - gap, top, kept + wide + gap, top + 14];
      const cost = (list) => list.reduce((sum, other) => sum + over(box, other), 0);
      return { box, anchor, at: [x + kept - left, top + 11], moved: kept !== left || top !== y - 11,
        cost: 9 * cost(solid) + (onlyFree ? 0 : cost(thin)) };
    }).sort((a, b) => a.cost - b.cost);
    if (onlyFree && (best.cost || best.moved)) return "";
    solid.push(best.box);
    return text(best.at, words, look, best.anchor);
  };
}
const boxed = ([x, y], r) => [x - r, y - r, x + r, y + r];
/** A line as boxes, for labels to keep off. */
const along = ([a, b]) => Array.from({ length: 33 }, (_, k) => boxed(a.map((v, j) => v + (k / 32) * (b[j] - v)), 4));
/** Places for a label on both sides of a line, first on the side given. */
function beside([a, b], side = 1, parts = [0.5, 0.35, 0.65, 0.2, 0.8]) {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]], far = Math.hypot(dx, dy) || 1;
  return [side, -side].flatMap((s) => parts.map((f) => {
    const [nx, ny] = [(-s * dy) / far, (s * dx) / far];
    return [a[0] + f * dx + 11 * nx, a[1] + f * dy + 14 * ny + 4, nx > 0.4 ? "start" : nx < -0.4 ? "end" : "middle"];
  }));
}
/** Places for a label around a spot, first on the side to which (dx, dy) points. */
function around([x, y], r, [dx, dy] = [1, 1]) {
  const [h, v] = [dx < 0 ? -r : r, dy < 0 ? r + 9 : -r], anchor = (d) => (d < 0 ? "end" : "start");
  return [[x + h, y + v, anchor(h)], [x + 1.3 * h, y + 4, anchor(h)], [x, y + 1.3 * v, "middle"],
    [x - h, y + v, anchor(-h)], [x + h, y + (v > 0 ? -r : r + 9), anchor(h)], [x - 1.3 * h, y + 4, anchor(-h)]];
}

/** From data to pixels, equal on both axes: `half` data units to either side of the middle. */
function scale(size, middle, half) {
  const unit = Math.min(...size) / 2 / half;
  const to = ([x, y]) => [size[0] / 2 + (x - middle[0]) * unit, size[1] / 2 - (y - middle[1]) * unit];
  const from = ([x, y]) => [(x - size[0] / 2) / unit + middle[0], (size[1] / 2 - y) / unit + middle[1]];
  const corners = [[0, 0], [size[0], 0], size, [0, size[1]]].map(from);
  const line = (a, b) => { // the line a·p + b = 0, as far as it can be seen
    if (!length(a)) return null;
    const off = (p) => Math.abs(a[0] * p[0] + a[1] * p[1] + b), near = 1e-6 * (1 + length(a) + Math.abs(b));
    const ends = clip(corners, a, b).filter((p) => off(p) < near);
    return ends.length > 1 ? [to(ends[0]), to(ends.at(-1))] : null;
  };
  return { to, from, unit, corners, line };
}

/** A scale that shows all the points given, which are not too many. */
function fitted(size, dots, room = 1.25) {
  const [low, high] = [Math.min, Math.max].map((most) => [0, 1].map((k) => most(...dots.map((p) => p[k]))));
  const half = Math.max(...[0, 1].map((k) => ((high[k] - low[k]) / 2 / size[k]) * Math.min(...size)), 0.5);
  return scale(size, [0, 1].map((k) => (low[k] + high[k]) / 2), room * half);
}

function hull(dots) {
  const sorted = [...dots].sort((p, q) => p[0] - q[0] || p[1] - q[1]);
  const turn = (o, p, q) => (p[0] - o[0]) * (q[1] - o[1]) - (p[1] - o[1]) * (q[0] - o[0]);
  const half = (list) => list.reduce((kept, p) => {
    while (kept.length > 1 && turn(kept.at(-2), kept.at(-1), p) <= 0) kept.pop();
    return [...kept, p];
  }, []).slice(0, -1);
  return sorted.length < 3 ? sorted : [...half(sorted), ...half(sorted.reverse())];
}

/** What lies under the points of the plane: grid, sides, lines, w, and the answer if it is shown. */
function ground(D, t, view, size, answer) {
  const frame = scale(size, view.middle, view.half), { to, unit, corners, line } = frame, ink = inkOf(unit);
  const [low, high] = [corners[3], corners[1]], thin = [];
  const label = labeller(size, D.points.map((p) => boxed(to(p), 11 * ink)), thin);
  const numbers = D.points.length > 12 ? [] : D.points.map((p, i) =>
    label(`${i}`, `pg-number ${of(D.labels[i])}-text`, around(to(p), 5 + 10 * ink)));
  const split = (w) => [w.slice(0, 2), D.bias ? D.bias * w[2] : 0], w = D.weights[t], [a, b] = split(w);
  const foot = length(a) ? a.map((v) => (-b * v) / length(a) ** 2) : null, tip = foot?.map((v, k) => v + a[k]);
  const inside = (p) => p?.every((v, k) => v >= low[k] && v <= high[k]), cut = inside(foot) && !inside(tip);
  const everywhere = length(a) ? "" : b ? `: ${sign(b)} everywhere` : ": no line yet";
  const name = `w = ${vector(w)}${everywhere}${cut ? ", beyond the edge" : ""}`;
  const bottom = size[1] - 10, edge = size[0] - 10, [start, end] = ["start", "end"];
  const named = label(name, "pg-strong", [[10, bottom, start], [edge, bottom, end], [10, 18, start], [edge, 18, end]]);
  const old = t ? line(...split(D.weights[t - 1])) : null, now = line(a, b);
  for (const ends of [old, now, foot && inside(tip) && [to(foot), to(tip)]]) if (ends) thin.push(...along(ends));
  let made = w.some(Boolean) ? area(clip(corners, a, b).map(to), "pg-shade") : "", over = "";
  if (answer && D.points.length)
    over += D.best.separable ? widest(D, split(D.best.u.map(Number)), frame, label, thin) : proof(D, to, ink);
  if (t) over += disc(to(D.points[D.run.updates[t - 1]]), 19 * ink, "pg-disc");
  if (old) over += stroke(...old, "pg-old");
  if (now) over += stroke(...now, "pg-w");
  if (inside(foot) && inside(tip)) // w stands on its line, as long as it is
    over += arrow(to(foot), to(tip), "pg-w") + label("w", "pg-strong", around(to(tip), 8, a));
  else if (cut) {
    const edges = a.map((v, k) => (v ? ((v > 0 ? high : low)[k] - foot[k]) / v : Infinity));
    over += stroke(to(foot), to(foot.map((v, k) => v + Math.min(...edges) * a[k])), "pg-w");
  }
  const [step, every] = [14, 30].map((pixels) => nice((s) => s >= 1 && s * unit >= pixels));
  for (const k of [0, 1]) for (let v = Math.ceil(low[k] / step) * step; v <= high[k]; v += step) {
    const [from, till] = k ? [[low[0], v], [high[0], v]] : [[v, low[1]], [v, high[1]]];
    made += stroke(to(from), to(till), v ? "pg-grid" : "pg-axis");
    const [x, y] = to(k ? [0, v] : [v, 0]), at = [within(x, 24, size[0] - 4), within(y, 8, size[1] - 20)];
    if (v && v % every === 0)
      over += label(number(v), "pg-tick", [k ? [at[0] - 5, y + 4, end] : [x, at[1] + 14, "middle"]], true);
  }
  return made + over + numbers.join("") + named;
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

/** Why there is no separator: λ as rings, and where the hulls meet.  Without a bias, the − points
 *  count at −x, and it is the origin that lies in the hull of all. */
function proof(D, to, ink) {
  const used = D.points.map((p, i) => ({ p, label: D.labels[i], m: Number(D.best.multipliers[i]) }))
    .filter(({ m }) => m > 0);
  const total = used.reduce((sum, { m }) => sum + m, 0), rings = (at) => used.map(({ p, m, label }) =>
    disc(to(at(p, label)), (12 + 16 * Math.sqrt(m / total)) * ink, "pg-ring")).join("");
  if (D.bias) {
    const share = ({ m, label }) => (label > 0 ? (2 * m) / total : 0);
    const mean = [0, 1].map((k) => used.reduce((sum, one) => sum + share(one) * one.p[k], 0));
    const those = (s) => D.points.filter((_, i) => D.labels[i] === s);
    const hulls = [1, -1].map((s) => area(hull(those(s)).map(to), `pg-hull ${of(s)}`));
    const spokes = used.map(({ p, label }) => stroke(to(p), to(mean), `pg-spoke ${of(label)}`));
    return hulls.join("") + spokes.join("") + rings((p) => p) + star(to(mean), 13, "pg-star");
  }
  const z = (p, label) => p.map((v) => label * v), corners = used.map(({ p, label }) => z(p, label));
  const ghosts = used.filter(({ label }) => label < 0).map(({ p }) => {
    const [x, y] = to(z(p, -1)), r = 7 * ink;
    const ghost = tag("rect", { x: x - r, y: y - r, width: 2 * r, height: 2 * r, class: "pg-ghost" });
    return stroke(to(p), [x, y], "pg-through") + ghost;
  });
  return area(hull(corners).map(to), "pg-hull pg-mixed") + ghosts.join("") + rings(z) + star(to([0, 0]), 13, "pg-star");
}

/** The sum of this update; with a bias, in the plane of w and z, with their lengths and angle. */
function sum(D, t, size) {
  if (!t) return alone(size, D.M ? "Step shows the first sum" : "no update");
  let w = D.weights[t - 1], z = D.Z[D.run.updates[t - 1]];
  if (D.bias) {
    const along = length(w) ? dot(w, z) / length(w) : length(z);
    [w, z] = [[length(w), 0], [along, Math.sqrt(Math.max(0, length(z) ** 2 - along ** 2))]];
  }
  const tip = [w[0] + z[0], w[1] + z[1]], { to } = fitted(size, [[0, 0], w, tip], 1.6);
  const look = of(D.labels[D.run.updates[t - 1]]), [o, p, q] = [[0, 0], w, tip].map(to);
  const label = labeller(size, [boxed(o, 5)], [[o, p], [o, q], [p, q]].flatMap(along));
  const turn = w[0] * z[1] - w[1] * z[0] > 0 ? 1 : -1;
  return (length(w) ? arrow(o, p, "pg-before") : "") + arrow(o, q, "pg-w") + arrow(p, q, look) +
    (length(tip) ? label("w after", "pg-strong", beside([o, q], length(w) ? -turn : 1))
      : label("w after = 0", "pg-strong", around(o, 8))) +
    label("z = y x", `${look}-text`, beside([p, q], length(w) ? turn : -1)) +
    (length(w) ? label("w before", "pg-soft", beside([o, p], turn)) : "") + disc(o, 3.5, "pg-dot");
}

/** Some of 0 … M, at most about `most`, always with t and M. */
function some(M, t, most) {
  const every = Math.ceil((M + 1) / most), list = Array.from({ length: Math.ceil((M + 1) / every) }, (_, k) => k * every);
  return [...new Set([...list, t, M])].sort((a, b) => a - b);
}

/** Weight space: the path of w; without a bias also the cone of the w that have all points right. */
function weightSpace(D, t, size) {
  const shown = some(D.M, t, 400), at = shown.map((k) => D.weights[k]);
  const { to, corners, line } = fitted(size, [[0, 0], ...at, ...(D.M ? [] : [[1, 1], [-1, -1]])], 1.3);
  const o = to([0, 0]), dots = at.map(to), here = to(D.weights[t]), few = shown.length <= 41;
  const label = labeller(size, [boxed(here, 7)],
    dots.flatMap((p, k) => (few && k ? along([dots[k - 1], p]) : [boxed(p, 4)])));
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

/** Whether the run would be a blot beside the crossing. */
const isFar = (D, times) => D.gamma && D.best.bound > times * Math.max(D.M, 3);

/** The squeeze: γt from below, R√t from above, the length of w between them. */
function squeeze(D, t, size, near) {
  if (!D.points.length || !D.R) return alone(size, "no points");
  const { R, gamma, weights } = D, bound = D.best.bound, foot = size[1] - 20, M = Math.max(D.M, t);
  const far = 1.15 * Math.max(gamma && !near ? bound : 3, M), top = 1.12 * R * Math.sqrt(far);
  const rise = nice((s) => top / s <= 4), left = 12 + 6 * number(rise * Math.floor(top / rise)).length;
  const to = ([k, v]) => [left + ((size[0] - left - 8) * k) / far, foot - ((foot - 6) * v) / top];
  const grid = Array.from({ length: 61 }, (_, k) => far * (k / 60) ** 2), root = (k) => to([k, R * Math.sqrt(k)]);
  const step = nice((s) => s >= 1 && far / s <= 5), height = (k) => to([k, length(weights[D.wrap(k)])]);
  const shown = some(M, t, 300), dots = shown.map(height), low = (k) => to([k, gamma * k]);
  const curves = [...dots, ...grid.map(root), ...grid.map(low)].map((p) => boxed(p, 4));
  const label = labeller(size, [boxed(height(t), 7)], curves);
  let made = stroke(to([0, 0]), to([far, 0]), "pg-axis") + stroke(to([0, 0]), to([0, top]), "pg-axis") +
    label("updates", "pg-soft", [[size[0] - 8, size[1] - 6, "end"]]);
  for (let k = step; k <= far; k += step)
    made += label(number(k), "pg-tick", [[to([k, 0])[0], size[1] - 6, "middle"]], true);
  for (let v = rise; v <= top; v += rise) made += text([left - 4, to([0, v])[1] + 4], number(v), "pg-tick", "end");
  if (gamma) {
    const inside = grid.filter((k) => k <= bound).concat(Math.min(far, bound));
    made += area([...inside.map(root), ...inside.map(low).reverse()], "pg-between") + path([low(0), low(far)], "pg-bound");
    const cross = low(bound), crossing = `crossing at (R/γ)² = ${number(bound)}`;
    if (bound <= far) made += stroke(cross, [cross[0], foot], "pg-drop") + star(cross, 8, "pg-cross") +
      label(crossing, "pg-purple-text", [[cross[0] - 6, foot - 8, "end"]]);
    else made += label(`far right: ${crossing}`, "pg-purple-text",
      [0.5, 0.6, 0.7, 0.8].map((f) => [size[0] - 8, f * foot, "end"]));
    made += label("γt", "pg-purple-text", [0.72, 0.62, 0.8, 0.5, 0.4, 0.9].flatMap((f) => {
      const [x, y] = low(f * Math.min(far, bound));
      return [...(y < foot - 18 ? [[x + 6, y + 13, "start"]] : []), [x - 6, y - 5, "end"]];
    }));
  }
  made += path(grid.map(root), "pg-bound") + label("length of w", "pg-soft", [[left + 4, 13, "start"]]);
  made += label("R√t", "pg-purple-text", [0.5, 0.6, 0.4, 0.7, 0.3].flatMap((f) => {
    const [x, y] = root(f * far);
    return [[x - 3, y - 6, "end"], [x + 4, y + 17, "start"]];
  }));
  made += path(dots, "pg-later");
  if (dots.length > 60) made += path(dots.filter((_, j) => shown[j] <= t), "pg-path");
  else made += dots.map((p, j) => disc(p, 3.4, shown[j] <= t ? "pg-seen" : "pg-seen pg-faint")).join("");
  return made + disc(height(t), 5.5, "pg-now");
}

// --- challenges ------------------------------------------------------------------------------------

const TASKS = ["20 mistakes with three points, and it converges", "Inseparable by adding one point",
  "Halve γ without changing R", "The worst order, found by Earlier and Later"];

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
 *  points last chosen, or those since "begin from here"; `last` is the kind of the last change. */
function challenges(D, goal, orders, last) {
  const n = D.points.length, { best, M, run, line } = D, done = run.outcome === "converged" && best.separable;
  const before = n > 1 && separate(D.points.slice(0, -1), D.labels.slice(0, -1), D).separable;
  const added = last === "add" && !best.separable && before;
  const [[p, q], [p0, q0]] = [best.boundExact, goal.exact].map((exact) => (exact ?? "0/1").split("/").map(BigInt));
  const few = n >= 3 && n <= 6, made = count(M, "mistake");
  return [
    { done: n === 3 && done && M >= 20,
      note: n !== 3 ? `you have ${count(n, "point")}`
        : done ? `three points, ${made}` : "three points, but it does not converge" },
    { done: added,
      note: !n ? "begin with points that can be separated" : best.separable ? `a ${line} still separates them`
        : added ? "the last point did it" : "inseparable, but not by adding a point" },
    { done: Boolean(goal.exact && best.separable && D.R === goal.R && p * q0 >= 4n * p0 * q),
      note: goal.exact ? `wanted: γ ≤ ${number(goal.gamma / 2)}, R = ${number(goal.R)}; ` +
        `now ${D.gamma ? number(D.gamma) : "no γ"} and ${number(D.R)}`
        : D.gamma ? "when your points are down:" : "begin with points that can be separated" },
    { done: few && done && last === "turn" && orders?.[1] > orders?.[0] && M === orders[1],
      note: !few ? "with 3 to 6 points" : !best.separable ? "with points that can be separated"
        : !orders ? `${made} in this order`
        : orders[0] === orders[1] ? `every order makes ${made}: try other points`
        : M < orders[1] ? `${made} in this order; another makes more`
        : `${made}: no order makes more` + (last === "turn" ? "" : D.order === "placed"
          ? "; leave it and find the way back" : "; now find one by hand, from “as placed”") },
  ];
}

// --- the playground ----------------------------------------------------------------------------------

const HALVES = [2.5, 4.5, 6.5, 10.5, 12.5, 16.5, 26, 40, 64, 104]; // how far the plane shows, to either side
const TAP = "Tap to put a point down, on whole numbers. Drag it to move it; tap it to flip or delete it.";
const HINT = "Click: a point, on whole numbers. Drag: move it. Right-click: flip it. Keys: Tab, arrows, Enter.";
const KEYS = "Points sit on whole numbers. Arrow keys move a cross, with Shift by five; Enter puts a point there, " +
  "plus and minus one with that label. Tab goes on to the points: there arrows move one, Enter flips it, Delete " +
  "removes it, brackets change its turn, Escape comes back here. Control Z takes the last change back.";
const button = (name, words, more = "") => `<button type="button" data-do="${name}" ${more}>${words}</button>`;
const choice = ([value, words]) => `<option value="${value}">${words}</option>`;
const menu = (name, options) => `<select data-do="${name}">${Object.entries(options).map(choice).join("")}</select>`;
const small = `class="pg-small"`;
const ORDERS = { placed: "as placed", reversed: "reversed", seed: "shuffled" };
const SETS = Object.fromEntries([["", "choose…"], ...Object.keys(PRESETS).map((name) => [name, name])]);
const figure = (name, title, more = "") =>
  `<figure><figcaption><b>${title}</b> <span data-part="${name}-words"></span> ${more}</figcaption>
  <svg role="img" data-part="${name}"></svg></figure>`;
const MARK = `<circle class="pg-hit"/><path class="pg-frame" d="M-13 -7v-6h6M7 -13h6v6M13 7v6h-6M-7 13h-6v-6"/>
  <g class="pg-mark"><circle r="9.5"/><rect x="-8.5" y="-8.5" width="17" height="17"/><path d="M-4.5 0h9"/>
  <path d="M0 -4.5v9" class="pg-upright"/></g>`;
const PAGE = `
<div class="pg-bar">
  <label>Points ${menu("preset", SETS)}</label>
  <span class="pg-group" role="group" aria-label="Label of new points">New
    ${button("plus", `<i class="pg-key-plus"></i>+`)}${button("minus", `<i class="pg-key-minus"></i>−`)}</span>
  ${button("undo", "Undo")}
  ${button("clear", "Clear")}
  <span class="pg-group" role="group" aria-label="Size of the plane">Zoom
    ${button("out", "−", `aria-label="Show more of the plane"`)}
    ${button("in", "+", `aria-label="Show less of it, larger"`)}</span>
  ${button("share", "Share", `aria-expanded="false"`)}
</div>
<div class="pg-share" hidden>
  <label>Address <input readonly></label>${button("copy-link", "Copy address")}
  <label>Python <textarea readonly rows="7"></textarea></label>${button("copy-python", "Copy Python")}
</div>
<div class="pg-stage">
  <svg class="pg-plane" tabindex="0" role="application"><g data-part="ground"></g><g data-part="cross"></g>
    <g data-part="points"></g></svg>
  <div class="pg-legend"><span><i class="pg-key-side"></i>w predicts +</span>
    <span><i class="pg-key-old"></i>line before</span> <span><i class="pg-key-used"></i>point just used</span>
    <label><input type="checkbox" data-do="answer" checked> <i class="pg-key-u"></i><span data-part="answer"></span></label>
  </div>
  <div class="pg-chosen"><span data-part="chosen"></span>
    <div class="pg-group">${button("flip", "Flip")}${button("delete", "Delete")}
    ${button("earlier", "Earlier", `aria-label="Earlier turn"`)}${button("later", "Later", `aria-label="Later turn"`)}</div>
  </div>
</div>
<div class="pg-views">
  ${figure("sum", "This update")}
  ${figure("space", "Weight space")}
  ${figure("squeeze", "The squeeze", button("near", "", small))}
</div>
<div class="pg-run" role="group" aria-label="The run">
  ${button("reset", "Reset")}${button("back", "Back")}${button("step", "Step", `class="pg-main"`)}
  ${button("run", "Run")}
  <input type="range" min="0" data-do="t" aria-label="Update"><output data-part="t"></output>
</div>
<p class="pg-status" role="status"></p>
<div class="pg-side">
  <dl class="pg-facts"></dl>
  <div class="pg-options" role="group" aria-label="Options">
    <span><label><input type="checkbox" data-do="bias"> bias:</label>
      <label>each point gets a constant <input type="number" min="1" max="${FAR}" data-do="constant"></label></span>
    <label>if a score is 0: ${menu("tie", TIES)}</label>
    <span><label>order ${menu("order", ORDERS)}</label> <small data-part="turns"></small></span>
    <span class="pg-seed"><label>seed <input type="number" min="0" max="9999" data-do="seed"></label>
      ${button("again", "Shuffle again")}</span>
  </div>
  <div class="pg-tasks" role="group" aria-label="Challenges"><b>Challenges</b><ol>${TASKS.map((title, k) =>
    `<li><span class="pg-tick-mark" role="img"></span><span>${title}. <small></small>
    ${k === 2 ? button("from", "begin from here", small) : ""}</span></li>`).join("")}</ol></div>
</div>`;

/** Put a playground into an element.
 *
 *  state    the points and options to begin with, as a text
 *  address  whether the page's address (#play=…) says them
 *  base     the page whose address is shared (null: none, and nothing is kept for a reload)
 *  save     called with what follows from every finished change
 *
 *  Returns `load` and `destroy`. */
export function mount(el, options = {}) {
  const { state: given = START, address = true, base = location.href.replace(/#.*/, ""), save = null } = options;
  const root = document.createElement("div");
  const find = (name) => root.querySelector(`[data-do="${name}"]`);
  const part = (name) => root.querySelector(`[data-part="${name}"]`);
  root.className = "pg";
  // reveal.js and JupyterLab are to leave fingers, menus and keys alone here.
  for (const name of ["data-prevent-swipe", "data-jp-suppress-context-menu"]) root.setAttribute(name, "true");
  root.addEventListener("focusin", (event) => event.target.setAttribute("data-lm-suppress-shortcuts", "true"));
  root.innerHTML = `<style>${STYLE}</style><div class="pg-body">${PAGE}</div>`;
  el.replaceChildren(root);
  const [plane, status, share] = ["plane", "status", "share"].map((name) => root.querySelector(`.pg-${name}`));
  const sizes = new Map(), past = [], met = new Set(), shelf = `playground ${location.pathname}`;
  let S = read(given), D, key, goal = null, orders = null, ordersOf = "", view;
  let fresh = 1, picked = null, cross = [0, 0], constant = 1, near = null; // what the hands have chosen
  let drag = null, timer = null, thinking = null, finger = false, last = "load";

  // What is said, to all: the sentence under the plane is read out by screen readers.
  const say = (words, warn = false) => {
    if (status.textContent !== words) status.textContent = words;
    status.classList.toggle("pg-warn", warn);
  };
  const refuse = (words) => say(`${words} Nothing was changed.`, true);
  const calm = () => status.classList.contains("pg-warn") && say(told(D, S.t)); // a warning has had its time

  // -- changes --
  function load(textGiven, words = "") {
    S = read(textGiven);
    constant = S.bias || 1;
    picked = goal = near = null;
    last = "load";
    fit();
    draw();
    const biased = S.bias ? `The bias is on, with the constant ${S.bias}. ` : "";
    say(`${words}${biased}${told(D, S.t)}`);
  }
  const now = () => ({ text: write(S), goal });
  function remember(was = now()) {
    if (past.at(-1)?.text !== was.text) past.push(was);
    if (past.length > 200) past.shift();
  }
  /** Change the state: undo brings back what was; at the end of a run one stays at its end. */
  function change(how, words, kind) {
    remember();
    apply(how, words, kind);
    done();
  }
  function apply(how, words, kind = "edit") {
    const toEnd = S.t && S.t >= D.M, was = D;
    last = kind;
    how();
    draw(toEnd);
    say(`${words()} ${verdict(D)}${measured(was)}`);
  }
  /** γ and R, if they have changed, and how far it is to half of γ. */
  function measured(was) {
    if (!D.points.length || (D.gamma === was.gamma && D.R === was.R)) return "";
    const way = goal.exact && D.gamma && !met.has(2) ? `; half of where you began is ${number(goal.gamma / 2)}` : "";
    return ` ${D.gamma ? `γ is ${number(D.gamma)} now${way}` : "There is no γ"}. R is ${number(D.R)}.`;
  }
  function done() {
    const order = S.order === "placed" ? null : D.list;
    save?.({ points: S.points, labels: S.labels, bias: S.bias, tie: S.tie, order, text: write(S) });
    try { // a reload loses nothing (unless the browser forbids it)
      if (address) history.replaceState(null, "", link());
      if (base) sessionStorage.setItem(shelf, JSON.stringify([write(S), [...met], goal]));
    } catch { /* then a reload begins anew */ }
  }
  const link = () => `${base}#play=${write(S)}`;
  const named = (i) => `Point ${i}, ${sign(S.labels[i])} at ${vector(S.points[i])}`;
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
    change(() => { S.points.push(p); S.labels.push(label); }, () => `${named(picked)}, is new.`, "add");
  }
  function move(i, p) {
    const there = taken(p);
    if (there >= 0) return refuse(occupied(there, S.labels[i]));
    if (beyond(p)) return;
    const more = see(p);
    change(() => (S.points[i] = p), () => placed(i) + more, kindOf(i));
  }
  const flip = (i) =>
    change(() => (S.labels[i] *= -1), () => `Point ${i} has the label ${sign(S.labels[i])} now.`, kindOf(i));
  function remove(i) {
    picked = null;
    change(() => { S.points.splice(i, 1); S.labels.splice(i, 1); }, () => `Point ${i} is gone.`);
    const next = part("points").children[Math.min(i, S.points.length - 1)];
    const here = document.activeElement;
    if (root.contains(here) || here === document.body) (next ?? plane).focus({ preventScroll: true });
  }
  /** An earlier or a later turn, in the order in use: the point changes places in the list with another. */
  function reorder(i, by) {
    const turn = D.list.indexOf(i) + by, j = D.list[turn], name = `The ${sign(S.labels[i])} at ${vector(S.points[i])}`;
    if (j === undefined) return refuse(`${name} has the ${by < 0 ? "first" : "last"} turn already.`);
    const byKeys = document.activeElement.closest?.("[data-i]");
    picked = j;
    change(() => { for (const list of [S.points, S.labels]) [list[i], list[j]] = [list[j], list[i]]; },
      () => `${name} has turn ${turn + 1} of ${S.points.length} now, and is point ${j}.`,
      S.order === "placed" ? "turn" : "edit");
    if (byKeys && root.contains(byKeys)) part("points").children[j].focus();
  }
  function pick(i) {
    picked = i;
    drawPoints();
  }
  function go(t) {
    S.t = within(t, 0, D.last);
    draw();
    say(told(D, S.t));
  }
  function halt() {
    clearInterval(timer);
    timer = null;
    find("run").textContent = "Run";
    status.setAttribute("aria-live", "polite");
  }
  function play() {
    if (timer) return halt(), done();
    if (S.t === D.last) S.t = 0;
    const by = Math.max(1, Math.ceil(D.M / 100));
    const tick = () => {
      if (!document.contains(root)) return halt();
      go(S.t + by);
      if (S.t < D.last) return;
      halt();
      say("");
      say(told(D, S.t));
      done();
    };
    timer = setInterval(tick, D.M > 12 ? 120 : 550);
    find("run").textContent = "Pause";
    status.setAttribute("aria-live", "off"); // a run is read out when it has come to rest
    tick();
  }

  // -- what the plane shows --
  function fit() {
    const most = Math.max(1, ...S.points.flat().map(Math.abs)), half = (least) => HALVES.find((h) => h >= least) ?? 104;
    const [x, y] = [0, 1].map((k) => Math.max(0, ...S.points.map((p) => p[k])));
    const corner = most > 20 && S.points.flat().every((v) => v >= 0);
    view = corner ? { middle: [x / 2 - 2, y / 2].map(Math.round), half: half(0.57 * most) }
      : { middle: [0, 0], half: half(1.25 * most + 1) };
    cross = inView(cross);
  }
  const edges = () => view.middle.map((v) =>
    [Math.ceil(v - view.half), Math.floor(v + view.half)].map((e) => within(e, -FAR, FAR)));
  const inView = (p) => edges().map(([low, high], k) => within(p[k], low, high));
  const shows = () =>
    `The plane shows ${edges().map((e, k) => `x${"₁₂"[k]} from ${e.map(number).join(" to ")}`).join(", ")}.`;
  function zoom(by) {
    view.half = HALVES[HALVES.indexOf(view.half) + by];
    cross = inView(cross);
    draw();
    say(shows());
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
    goal ??= { exact: D.best.boundExact, gamma: D.gamma, R: D.R };
    S.t = toEnd ? D.M : Math.min(S.t, D.last);
    const k = D.wrap(S.t), size = (name) => sizes.get(part(name)), zoomed = near ?? isFar(D, 8);
    if (sizes.get(plane)) part("ground").innerHTML = ground(D, k, view, sizes.get(plane), find("answer").checked);
    drawPoints();
    if (size("sum")) part("sum").innerHTML = sum(D, k, size("sum"));
    if (size("space")) part("space").innerHTML = weightSpace(D, k, size("space"));
    if (size("squeeze")) part("squeeze").innerHTML = squeeze(D, S.t, size("squeeze"), zoomed);
    find("near").hidden = !isFar(D, 2.5);
    find("near").textContent = zoomed ? "show the crossing" : "zoom to the run";
    drawWords(S.t, k);
    drawTasks();
    think();
  }
  function drawWords(t, k) {
    const { best, M, run, gamma, R } = D, n = S.points.length, i = t ? run.updates[k - 1] : null, w = D.weights[k];
    const score = t ? dot(D.Z[i], D.weights[k - 1]) : 0, weigh = "; larger ring, more weight";
    const words = {
      "sum-words": t ? `w·z = ${number(score)}, not above 0${D.bias ? "; in their own plane" : ""}` : "",
      "space-words": D.bias ? "w₁ and w₂; w₃ is not drawn" : "the path of w",
      "squeeze-words": !n || !R ? "" : gamma ? "γt ≤ ‖w‖ ≤ R√t" : "no γ; only ‖w‖ ≤ R√t is left",
      answer: !n || best.separable ? "best line u, and its margin" : D.bias
        ? `★ Why no line separates: the ringed + and the ringed − points have a mean in common${weigh}.`
        : `★ Why no line through 0 separates: the ringed points, − points mirrored (hollow), have the mean 0${weigh}.`,
      t: `${number(t)} of ${ends(D)}`,
      turns: n > 1 ? `turns: ${D.list.slice(0, n > 10 ? 7 : n).join(", ")}${n > 10 ? ", …" : ""}` : "",
    };
    for (const [name, said] of Object.entries(words)) part(name).textContent = said;
    root.querySelector(".pg-key-u").hidden = n > 0 && !best.separable;
    const upper = n && R ? `R√t is ${number(R * Math.sqrt(t))}` : "";
    const lower = gamma ? `, γt is ${number(gamma * t)}; they cross at ${number(best.bound)}` : "";
    const parts = t ? [D.weights[k - 1], D.Z[i], w].map(vector) : null;
    const alt = {
      sum: t ? `w before ${parts[0]}, plus z ${parts[1]}, is w after ${parts[2]}.` : "No update yet.",
      space: `The path of w over ${count(M, "update")}; now at ${vector(w)}.`,
      squeeze: upper ? `After ${count(t, "update")} the length of w is ${number(length(w))}; ${upper}${lower}.` : "",
    };
    for (const [name, said] of Object.entries(alt)) part(name).setAttribute("aria-label", said);
    plane.setAttribute("aria-label", `Plane with ${count(n, "point")}. ${KEYS}`);
    const facts = [
      ["M", "mistakes", `${number(t)} <small>of</small> ${ends(D)}`],
      ["R", D.bias ? `longest (x, ${D.bias})` : "longest point", n ? number(R) : "–"],
      ["γ", "largest margin", gamma ? number(gamma) : n ? "none" : "–"],
      ["(R/γ)²", gamma ? `so M ≤ ${number(Math.floor(best.bound))}` : "",
        gamma ? fraction(best.boundExact, best.bound) : n ? "no bound" : "–"],
    ];
    root.querySelector(".pg-facts").innerHTML = facts
      .map(([name, what, shown]) => `<div><dt>${name} <small>${what}</small></dt><dd>${shown}</dd></div>`).join("");
    const slider = find("t");
    [slider.max, slider.value] = [Math.max(M, t, 1), t];
    slider.setAttribute("aria-valuetext", `update ${words.t}`);
    // (Not `disabled`: a button that is out of use keeps the focus.)
    const off = { reset: !t, back: !t, step: t === D.last, run: !M, undo: !past.length, clear: !n,
      in: view.half === HALVES[0], out: view.half === HALVES.at(-1) };
    for (const name in off) find(name).setAttribute("aria-disabled", off[name]);
    find("preset").value = Object.keys(PRESETS).find((name) => PRESETS[name] === key) ?? "";
    find("bias").checked = S.bias > 0;
    const shuffled = typeof S.order === "number", [order, seed] = shuffled ? ["seed", S.order] : [S.order, 1];
    for (const [name, value] of Object.entries({ constant, tie: S.tie, order, seed }))
      if (document.activeElement !== find(name) || find(name).tagName === "SELECT") find(name).value = value;
    find("constant").disabled = !S.bias;
    root.querySelector(".pg-seed").hidden = !shuffled;
    for (const [name, label] of [["plus", 1], ["minus", -1]]) find(name).setAttribute("aria-pressed", fresh === label);
    [share.querySelector("input").value, share.querySelector("textarea").value] = [link(), snippet(D)];
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
    if (S.points.length < 3 || S.points.length > 6 || !D.best.separable || D.M > 2000) return;
    thinking = setTimeout(() => {
      orders = overOrders(S);
      drawTasks();
    }, 250);
  }
  function drawPoints() {
    if (!sizes.get(plane)) return;
    const layer = part("points"), { to, unit } = scale(sizes.get(plane), view.middle, view.half), ink = inkOf(unit);
    while (layer.children.length > S.points.length) layer.lastChild.remove();
    while (layer.children.length < S.points.length) {
      const g = document.createElementNS("http://www.w3.org/2000/svg", "g");
      g.innerHTML = MARK;
      const known = { tabindex: 0, role: "button", "data-i": layer.children.length };
      for (const name in known) g.setAttribute(name, known[name]);
      layer.append(g);
    }
    [...layer.children].forEach((g, i) => {
      const [x, y] = to(S.points[i]);
      g.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
      g.setAttribute("class", `pg-point ${S.labels[i] > 0 ? "pg-p" : "pg-m"} ${i === picked ? "pg-picked" : ""}`);
      g.setAttribute("aria-label", `Point ${i}, ${S.labels[i] > 0 ? "plus" : "minus"}, at ${vector(S.points[i])}`);
      for (const name of [".pg-mark", ".pg-frame"]) g.querySelector(name).setAttribute("transform", `scale(${ink})`);
      g.querySelector(".pg-hit").setAttribute("r", 8 + 11 * ink);
    });
    const on = picked !== null && picked < S.points.length;
    part("chosen").textContent = on ? named(picked) : matchMedia("(pointer: coarse)").matches ? TAP : HINT;
    part("chosen").nextElementSibling.hidden = !on;
    const [x, y] = to(cross), r = 9;
    part("cross").innerHTML = disc([x, y], 12, "pg-cursor") +
      stroke([x - r, y], [x + r, y], "pg-cursor") + stroke([x, y - r], [x, y + r], "pg-cursor");
  }

  // -- sharing --
  function copy(field) {
    field.select();
    say(document.execCommand("copy") ? "Copied." : "It is selected: copy it with Ctrl+C.");
  }
  function fromAddress() {
    const found = location.hash.match(/^#play=(.*)$/)?.[1];
    if (found === undefined) return;
    try {
      const wanted = decoded(found), was = now();
      if (wanted === was.text) return;
      load(wanted);
      remember(was);
      done();
      draw();
    } catch (error) {
      say(`The address of this page is damaged: ${error.message}. The points are as they were.`, true);
    }
  }

  // -- hands --
  const at = (event) => {
    const p = new DOMPoint(event.clientX, event.clientY).matrixTransform(plane.getScreenCTM().inverse());
    return scale(sizes.get(plane), view.middle, view.half).from([p.x, p.y]).map((v) => Math.round(v) + 0);
  };
  const pointOf = (event) => event.target.closest?.("[data-i]");
  plane.addEventListener("pointerdown", (event) => {
    finger = event.pointerType === "touch";
    if (event.button !== 0) return;
    const g = pointOf(event), from = [event.clientX, event.clientY];
    calm();
    root.classList.add("pg-by-hand");
    drag = { i: g ? +g.dataset.i : null, from, moved: false, was: now(), D, last };
    if (g) {
      pick(drag.i);
      plane.setPointerCapture(event.pointerId);
      g.focus({ preventScroll: true });
      event.preventDefault();
    }
  });
  plane.addEventListener("pointermove", (event) => {
    if (!drag) return;
    if (Math.hypot(event.clientX - drag.from[0], event.clientY - drag.from[1]) > 6) drag.moved = true;
    const { i, moved } = drag;
    if (i === null || !moved) return;
    const p = drag.to = inView(at(event));
    if (taken(p) < 0) apply(() => (S.points[i] = p), () => placed(i), kindOf(i));
  });
  plane.addEventListener("pointerup", (event) => {
    if (!drag) return;
    const { i, moved, was, to, D: before } = drag, there = to ? taken(to) : i;
    if (i !== null && there !== i) return putBack(occupied(there, S.labels[i]));
    drag = null;
    if (i === null && !moved) return add(at(event), fresh);
    if (i === null || was.text === write(S)) return;
    remember(was);
    draw();
    say(`${placed(i)} ${verdict(D)}${measured(before)}`);
    done();
  });
  /** End a drag where it began, and say why. */
  function putBack(words) {
    const { i, was, last: kind } = drag;
    [drag, last, S] = [null, kind, read(was.text)];
    draw();
    if (i !== null) say(`${words} Point ${i} is back at ${vector(S.points[i])}.`, true);
  }
  plane.addEventListener("pointercancel", () => drag && putBack("The drag was interrupted."));
  plane.addEventListener("contextmenu", (event) => {
    event.preventDefault();
    if (finger) return; // a long press is only a press
    const g = pointOf(event);
    if (g) pick(+g.dataset.i), flip(+g.dataset.i);
    else add(at(event), -fresh);
  });
  plane.addEventListener("focusin", (event) => pointOf(event) && pick(+pointOf(event).dataset.i));

  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
  function pressed(event) { // gives false if the key means nothing here
    const g = pointOf(event), arrow = ARROWS[event.key]?.map((v) => (event.shiftKey ? 5 * v : v)), { key } = event;
    if (event.ctrlKey || event.metaKey) return key === "z" && !/input|textarea/i.test(event.target.tagName) && undo();
    if (event.altKey) return false;
    if (drag && key === "Escape") return putBack("The drag is called off.");
    if (g) {
      const i = +g.dataset.i;
      if (arrow) return move(i, S.points[i].map((v, k) => v + arrow[k]));
      if (["Enter", " ", "f", "F"].includes(key)) return flip(i);
      if (["Delete", "Backspace"].includes(key)) return remove(i);
      if (key === "[" || key === "]") return reorder(i, key === "[" ? -1 : 1);
      return key === "Escape" && plane.focus();
    }
    if (event.target !== plane) return false;
    if (arrow) {
      cross = cross.map((v, k) => within(v + arrow[k], -FAR, FAR));
      const more = see(cross), there = taken(cross);
      draw();
      return say(`The cross is at ${vector(cross)}${there >= 0 ? `, on point ${there}` : ""}.${more}`);
    }
    if (key === "Enter" || key === " ") return add(cross, fresh);
    if ("+=p".includes(key)) return add(cross, 1);
    return "-−m".includes(key) && add(cross, -1);
  }
  root.addEventListener("keydown", (event) => {
    root.classList.remove("pg-by-hand");
    const used = pressed(event) !== false;
    if (used) event.preventDefault();
    const control = /select|input|textarea|button/i.test(event.target.tagName) && !/^(Escape|Page)/.test(event.key);
    if (used || control) event.stopPropagation();
  });
  function undo() {
    if (!past.length) return say("There is nothing to undo.");
    const was = past.pop(), before = D;
    S = read(was.text);
    goal = was.goal;
    last = "undo";
    constant = S.bias || constant;
    picked = null;
    const more = S.points.map(see).filter(Boolean).at(-1) ?? "";
    draw();
    say(`Undone. ${verdict(D)}${measured(before)}${more}`);
    done();
  }
  const wholeIn = (field, low, high, was, use) => {
    const value = whole(field.value, high);
    if (value !== null && value >= low) return use(value);
    field.value = was;
    refuse(`A whole number from ${low} to ${high} is expected here.`);
  };
  const jump = (t) => { halt(); go(t); done(); };
  const shuffle = (seed) => change(() => (S.order = seed), () => `Shuffled by seed ${seed}: ${D.list.join(", ")}.`);
  const acts = {
    plus: () => { fresh = 1; draw(); }, minus: () => { fresh = -1; draw(); }, undo,
    clear: () => {
      picked = null;
      change(() => { S.points = []; S.labels = []; goal = {}; }, () => "All points are gone; Undo brings them back.");
    },
    in: () => zoom(-1), out: () => zoom(1),
    share: () => {
      share.hidden = !share.hidden;
      find("share").setAttribute("aria-expanded", !share.hidden);
      done();
    },
    "copy-link": () => copy(share.querySelector("input")),
    "copy-python": () => copy(share.querySelector("textarea")),
    flip: () => flip(picked), delete: () => remove(picked),
    earlier: () => reorder(picked, -1), later: () => reorder(picked, 1),
    again: () => shuffle((S.order + 1) % 10000),
    reset: () => jump(0), back: () => jump(S.t - 1), step: () => jump(S.t + 1), run: play,
    near: () => { near = !(near ?? isFar(D, 8)); draw(); },
    from: () => {
      if (!D.gamma) return refuse("These points cannot be separated: there is no γ to halve.");
      goal = null;
      draw();
      say(`You begin with γ = ${number(D.gamma)}: halve it, and leave R as it is, ${number(D.R)}.`);
      done();
    },
  };
  const choices = {
    preset: (field) => {
      if (!field.value) return;
      halt();
      remember();
      load(PRESETS[field.value], `${field.value}: `);
      done();
    },
    bias: (field) => change(() => (S.bias = field.checked ? constant : 0), () => (field.checked
      ? `Each point has a third coordinate now, the constant ${constant}: lines need not go through the origin.`
      : "Without a bias: lines go through the origin.")),
    constant: (field) => wholeIn(field, 1, FAR, constant, (v) =>
      change(() => (S.bias = constant = v), () => `The constant is ${v}.`)),
    tie: (field) => change(() => (S.tie = field.value), () => `A score of exactly 0: ${TIES[field.value]}.`),
    order: (field) => (field.value === "seed" ? shuffle(1)
      : change(() => (S.order = field.value), () => `Order ${ORDERS[field.value]}: ${D.list.join(", ")}.`)),
    seed: (field) => wholeIn(field, 0, 9999, S.order, shuffle),
    answer: () => draw(),
    t: (field) => jump(+field.value),
  };
  root.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-do]");
    if (!button || button.getAttribute("aria-disabled") === "true") return;
    calm();
    acts[button.dataset.do]();
  });
  root.addEventListener("change", (event) => { calm(); choices[event.target.dataset.do]?.(event.target); });
  find("t").addEventListener("input", (event) => { halt(); go(+event.target.value); });

  // -- sizes, light and dark, and the end --
  const watch = new ResizeObserver((entries) => {
    for (const { target, contentRect } of entries) {
      const size = [contentRect.width, contentRect.height];
      sizes.set(target, size[0] && size[1] ? size : null);
      target.setAttribute("viewBox", `0 0 ${size[0]} ${size[1]}`);
    }
    draw();
  });
  const dim = matchMedia("(prefers-color-scheme: dark)");
  const shade = () => root.setAttribute("data-theme", onDark(el) ? "dark" : "light");
  const themes = new MutationObserver(shade);
  for (const e of [share.querySelector("label"), find("copy-link")]) e.hidden = !base;
  try {
    const [text, ticks, began] = JSON.parse(base && sessionStorage.getItem(shelf));
    [S, goal] = [read(text), began];
    ticks.forEach((k) => met.add(k));
  } catch { /* nothing is kept, or nothing of use */ }
  constant = S.bias || 1;
  fit();
  draw();
  say(told(D, S.t));
  for (const svg of root.querySelectorAll("svg")) watch.observe(svg);
  dim.addEventListener("change", shade);
  for (const e of [document.body, document.documentElement]) themes.observe(e, { attributes: true });
  shade();
  if (address) {
    fromAddress();
    past.length = 0; // nothing was done yet
    draw();
    addEventListener("hashchange", fromAddress);
  }
  return {
    load: (textGiven) => { if (textGiven !== write(S)) { remember(); load(textGiven); } },
    destroy: () => {
      halt();
      clearTimeout(thinking);
      for (const observer of [watch, themes]) observer.disconnect();
      dim.removeEventListener("change", shade);
      removeEventListener("hashchange", fromAddress);
      root.remove();
    },
  };
}

/** Whether an element stands on a dark ground. */
function onDark(el) {
  for (let e = el; e; e = e.parentElement) {
    const [r, g, b, a = 1] = (getComputedStyle(e).backgroundColor.match(/[\d.]+/g) ?? [0, 0, 0, 0]).map(Number);
    if (a > 0.5) return 0.299 * r + 0.587 * g + 0.114 * b < 110;
  }
  return false;
}

const STYLE = `
.pg { --ink: #222; --soft: #555b64; --card: #fdfdfb; --rim: #d8d8d2; --grid: #e7e7e2; --axis: #8d9097; --fill: #f1f2ef;
  --blue: #0072b2; --red: #d55e00; --green: #009e73; --purple: #cc79a7; --sky: #56b4e9; --yellow: #f0e442; --orange: #e69f00;
  --blue-text: #00619a; --red-text: #ab4a00; --green-text: #00694d; --purple-text: #96396b; --glyph: #fff; --shade: .09; --link: #005a8f;
  container-type: inline-size; color: var(--ink); font: 14px/1.4 system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; text-align: left; }
.pg[data-theme="dark"] { --ink: #ececea; --soft: #b4b9c0; --card: #1d2024; --rim: #41464d; --grid: #2c3036; --axis: #80868e; --fill: #292d33;
  --blue: #4aa5e6; --red: #f5853a; --green: #2cc79b; --purple: #dd8fbb; --blue-text: #7cc0f2; --red-text: #ffa566; --green-text: #4fdcb2; --purple-text: #efaed0; --glyph: #14161a; --shade: .17; --link: #7cc4f5; }
.pg *, .pg *::before { box-sizing: border-box; } .pg b { font-weight: 700; }
.pg-body { display: grid; gap: 8px 12px; grid-template-columns: minmax(0, 1fr); grid-template-areas: "bar" "share" "stage" "run" "status" "views" "side";
  padding: 10px; background: var(--card); border: 1px solid var(--rim); border-radius: 10px; }
.pg-bar { grid-area: bar; display: flex; flex-wrap: wrap; gap: 6px 8px; align-items: center; }
.pg-share { grid-area: share; display: grid; grid-template-columns: 1fr auto; gap: 6px; align-items: end; }
.pg-stage { grid-area: stage; } .pg-views { grid-area: views; } .pg-side { grid-area: side; }
.pg-run { grid-area: run; display: flex; flex-wrap: wrap; gap: 6px; align-items: center; position: sticky; top: 0; bottom: 0; z-index: 1; padding: 5px 0; background: var(--card); }
.pg .pg-status { grid-area: status; margin: 0; min-height: 7.8em; padding: 4px 10px; border-left: 4px solid var(--axis); font-size: 1em; line-height: 1.45; }
.pg .pg-status.pg-warn { border-color: var(--red); background: var(--fill); }
.pg [hidden] { display: none !important; }
.pg button, .pg select, .pg input[type="number"], .pg input[readonly], .pg textarea { font: inherit; color: var(--ink); background: var(--card); border: 1px solid var(--axis); border-radius: 6px; padding: 3px 9px; min-height: 30px; margin: 0; }
.pg button { cursor: pointer; } .pg button:hover:not([aria-disabled="true"]) { background: var(--fill); } .pg button[aria-disabled="true"], .pg input:disabled { color: var(--soft); opacity: .55; cursor: default; }
.pg button:focus-visible, .pg select:focus-visible, .pg input:focus-visible, .pg textarea:focus-visible { outline: 3px solid var(--link); outline-offset: 1px; }
.pg button.pg-main { background: var(--blue-text); border-color: var(--blue-text); color: var(--glyph); font-weight: 600; min-width: 5em; }
.pg button.pg-main:hover:not([aria-disabled="true"]) { background: var(--blue-text); filter: brightness(1.12); }
.pg button.pg-small { min-height: 0; padding: 0 6px; font-size: .86em; border-radius: 5px; }
.pg button[aria-pressed="true"] { background: var(--fill); box-shadow: inset 0 0 0 2px var(--ink); font-weight: 700; }
.pg-group { display: inline-flex; gap: 4px; align-items: center; } .pg-group button { min-width: 34px; }
.pg [class^="pg-key"] { display: inline-block; width: 11px; height: 11px; margin-right: 4px; background: var(--blue); border-radius: 50%; } .pg .pg-key-minus { background: var(--red); border-radius: 1px; }
.pg .pg-key-side { background: color-mix(in srgb, var(--blue) 25%, var(--card)); border: 1px solid var(--ink); border-width: 0 0 0 2px; border-radius: 0; } .pg .pg-key-used { background: var(--yellow); }
.pg .pg-key-old, .pg .pg-key-u { width: 18px; height: 0; background: none; border-top: 2px dotted var(--axis); border-radius: 0; vertical-align: 4px; } .pg .pg-key-u { border-top: 2px dashed var(--green); }
.pg-legend { display: flex; flex-wrap: wrap; gap: 0 12px; align-content: start; min-height: 84px; padding-top: 4px; font-size: 12px; line-height: 16px; color: var(--soft); }
.pg input[type="number"] { width: 4.6em; padding: 3px 5px; } .pg input[type="range"] { flex: 1 1 90px; min-width: 70px; accent-color: var(--blue); margin: 0; }
.pg input[type="checkbox"] { accent-color: var(--blue); margin: 0 3px 0 0; vertical-align: -1px; }
.pg-share label { display: grid; gap: 2px; } .pg-share input, .pg-share textarea { width: 100%; font: 12px/1.4 ui-monospace, Menlo, Consolas, monospace; resize: vertical; }
.pg output { min-width: 4.5em; text-align: right; font-variant-numeric: tabular-nums; }
.pg svg { display: block; width: 100%; overflow: hidden; } .pg-plane { aspect-ratio: 1; border: 1px solid var(--rim); border-radius: 8px; touch-action: pan-y; cursor: crosshair; user-select: none; -webkit-user-select: none; }
.pg-plane:focus-visible { outline: 3px solid var(--link); outline-offset: 1px; } .pg.pg-by-hand .pg-plane { outline: none; }
.pg-chosen { display: flex; flex-wrap: wrap; gap: 4px 6px; align-items: center; min-height: 68px; padding-top: 5px; align-content: start; color: var(--soft); font-size: .93em; line-height: 1.3; } .pg-chosen > span { flex: 1 1 auto; } .pg-chosen button { padding: 2px 8px; }
.pg-views { display: grid; gap: 6px; } .pg figure { margin: 0; display: flex; flex-direction: column; min-height: 0; border: 1px solid var(--rim); border-radius: 8px; overflow: hidden; }
.pg figcaption { padding: 3px 8px 0; font-size: .93em; color: var(--soft); text-align: left; line-height: 1.4; } .pg figcaption b { color: var(--ink); } .pg figure svg { flex: 1 1 auto; height: 190px; min-height: 0; }
.pg dl.pg-facts { display: grid; grid-template-columns: repeat(2, 1fr); gap: 6px; margin: 0; } .pg-facts div { padding: 3px 9px; border: 1px solid var(--rim); border-radius: 8px; }
.pg .pg-facts dt { font-weight: 700; margin: 0; } .pg small { font-weight: 400; font-size: .88em; color: var(--soft); } .pg .pg-facts dd { margin: 0; font-size: 1.12em; font-variant-numeric: tabular-nums; }
.pg-side { display: grid; gap: 10px; align-content: start; } .pg-options { display: flex; flex-wrap: wrap; gap: 6px 14px; align-items: center; }
.pg-tasks ol { list-style: none; margin: 4px 0 0; padding: 0; display: grid; gap: 5px; } .pg .pg-tasks li { display: flex; gap: 8px; align-items: flex-start; margin: 0; }
.pg-tick-mark { flex: none; width: 16px; text-align: center; color: var(--soft); font: 700 15px/1.3 system-ui, sans-serif; } .pg-met .pg-tick-mark { color: var(--green-text); }
.pg-text { fill: var(--ink); font-family: system-ui, sans-serif; font-size: .93em; paint-order: stroke; stroke: var(--card); stroke-width: 3px; stroke-linejoin: round; pointer-events: none; }
.pg-tick { fill: var(--soft); font-size: .8em; } .pg-soft { fill: var(--soft); font-size: .86em; } .pg-strong { font-weight: 600; } .pg-number { font-size: .8em; font-weight: 700; }
.pg-plus-text { fill: var(--blue-text); } .pg-minus-text { fill: var(--red-text); } .pg-green-text { fill: var(--green-text); font-size: .86em; } .pg-purple-text { fill: var(--purple-text); font-size: .86em; }
.pg-grid { stroke: var(--grid); } .pg-axis { stroke: var(--axis); } .pg-aid { stroke: var(--axis); stroke-width: .7; opacity: .6; }
.pg-shade { fill: var(--blue); opacity: var(--shade); } .pg-w { stroke: var(--ink); stroke-width: 2.2; } .pg-old { stroke: var(--axis); stroke-width: 1.6; stroke-dasharray: 2 4; } .pg-before { stroke: var(--axis); stroke-width: 2; stroke-dasharray: 2 3; }
.pg-plus { stroke: var(--blue); fill: var(--blue); stroke-width: 2.4; } .pg-minus { stroke: var(--red); fill: var(--red); stroke-width: 2.4; } .pg-head { stroke: none; } .pg-w.pg-head { fill: var(--ink); } .pg-before.pg-head { fill: var(--axis); }
.pg-u { stroke: var(--green); stroke-width: 2; stroke-dasharray: 9 5; } .pg-band { fill: var(--green); opacity: .12; } .pg-cone { fill: var(--green); opacity: .22; }
.pg-hull { stroke-width: 1.2; fill-opacity: .1; stroke-opacity: .6; } .pg-mixed { fill: var(--orange); stroke: var(--orange); fill-opacity: .14; } .pg-spoke { stroke-width: 1.6; } .pg-spoke.pg-minus { stroke-dasharray: 6 4; }
.pg-ring { fill: none; stroke: var(--orange); stroke-width: 3; } .pg-star { fill: var(--card); stroke: var(--ink); stroke-width: 1.6; } .pg-through { stroke: var(--red); stroke-dasharray: 2 4; } .pg-ghost { fill: none; stroke: var(--red); stroke-width: 1.6; }
.pg-disc { fill: var(--yellow); opacity: .85; } .pg[data-theme="dark"] .pg-disc { opacity: .55; } .pg-path { fill: none; stroke: var(--ink); stroke-width: 1.5; } .pg-later { fill: none; stroke: var(--axis); stroke-width: 1; opacity: .7; }
.pg-dot { fill: var(--ink); } .pg-faint { opacity: .35; } .pg-now { fill: var(--yellow); stroke: var(--ink); stroke-width: 1.6; } .pg-seen { fill: var(--sky); stroke: var(--ink); }
.pg-bound { fill: none; stroke: var(--purple); stroke-width: 2; stroke-dasharray: 9 3 2 3; } .pg-between { fill: var(--purple); opacity: .13; } .pg-drop { stroke: var(--purple); stroke-dasharray: 2 3; } .pg-cross { fill: var(--purple); stroke: var(--ink); }
.pg-point { cursor: grab; outline: none; touch-action: none; } .pg-point:active { cursor: grabbing; } .pg-hit { fill: transparent; } .pg-frame { fill: none; stroke: none; stroke-width: 2; } .pg-picked .pg-frame { stroke: var(--ink); } .pg-point:focus-visible .pg-frame { stroke: var(--link); stroke-width: 4; }
.pg-mark > * { stroke: var(--card); stroke-width: 1.2; } .pg-mark > path { stroke: var(--glyph); stroke-width: 2.2; } .pg-p circle:not(.pg-hit) { fill: var(--blue); } .pg-m rect { fill: var(--red); } .pg-p rect, .pg-m .pg-mark circle, .pg-m .pg-upright { display: none; }
.pg-cursor { stroke: var(--link); stroke-width: 2; fill: none; visibility: hidden; } .pg:not(.pg-by-hand) .pg-plane:focus .pg-cursor { visibility: visible; }
@container (min-width: 640px) {
  .pg-body { grid-template-columns: minmax(0, 1.36fr) minmax(0, 1fr); grid-template-areas: "bar bar" "share share" "stage views" "run run" "status status" "side side"; }
  .pg-run { position: static; padding: 0; } .pg .pg-status { min-height: 4.9em; } .pg-legend { min-height: 68px; } .pg-chosen { min-height: 40px; } .pg .pg-tasks li { min-height: 2.9em; }
  .pg-views { grid-template-rows: repeat(3, minmax(0, 1fr)); } .pg figure svg { height: 0; }
  .pg dl.pg-facts { grid-template-columns: repeat(4, 1fr); } .pg-tasks ol { grid-template-columns: 1fr 1fr; gap: 8px 16px; }
}
@container (min-width: 1040px) {
  .pg-body { grid-template-columns: 414px minmax(0, 1fr) minmax(0, 1fr); grid-template-areas: "bar bar bar" "share share share" "stage views side" "run run run" "status status status"; }
  .pg dl.pg-facts { grid-template-columns: 1fr 1fr; } .pg-tasks ol { grid-template-columns: 1fr; gap: 5px; } .pg .pg-status { min-height: 3.4em; } .pg-legend { min-height: 52px; }
}
@media (pointer: coarse) { .pg button, .pg select, .pg input[type="number"] { min-height: 38px; } .pg button.pg-small { min-height: 26px; } }
`;

export default {
  /** In a notebook: the same, and the kernel is told of every finished change. */
  render({ model, el }) {
    const save = (state) => { model.set("state", state); model.save_changes(); };
    const shown = mount(el, { state: model.get("state").text ?? START, address: false, base: null, save });
    const follow = () => shown.load(model.get("state").text);
    model.on("change:state", follow);
    return () => { model.off("change:state", follow); shown.destroy(); };
  },
};
