// The mathematics of the playground and its sister scenes, and data as text.  It needs no browser.
//
// All of it is exact: whole numbers throughout, BigInt where 53 bits might not do.  As in the
// library, z = y x, and a run is the list of its updates.

// --- runs ----------------------------------------------------------------------------------------

export const AT_ZERO = { mistake: 0, negative: -1, positive: 1 }; // what a tie rule predicts at score 0

/** The Perceptron over points with whole coordinates, until a pass has no mistake ("converged"), the
 *  weights come back ("cycled"), or it has made `maxPasses` passes ("stopped").  `bias` is a constant
 *  to append (0: none), `order` a list of indices.  With `theta` it is the margin Perceptron, which
 *  starts at z of the first point and adds z where z·w < θ‖w‖ (θ is p/q, as [p, q]), or, where `theta`
 *  is "half", where z·w < ‖w‖²/2t after t vectors.  `steps` says when each update was made, and
 *  `since` after which update a circle begins. */
export function perceptron(points, labels, options = {}) {
  const { tie = "mistake", bias = 0, order = null, maxPasses = 1000, theta = null } = options;
  const n = points.length, turns = order ?? points.map((_, i) => i);
  let Z = signed(points, labels, bias);
  const largest = Math.max(1, ...Z.flat().map(Math.abs)), updates = [], steps = [];
  if (Z.length && Z[0].length * largest ** 2 * n * maxPasses > Number.MAX_SAFE_INTEGER) Z = Z.map((z) => z.map(BigInt));
  const wrongAtZero = labels.map((y) => theta || y !== AT_ZERO[tie]), start = theta && n ? Z[turns[0]] : null;
  const w = start ? [...start] : n ? Z[0].map((v) => v - v) : bias ? [0, 0, 0] : [0, 0], from = w.map(plain);
  // Brent's search for a circle: w is remembered after pass 0, 1, 3, 7, …, as the library does.
  let outcome = "stopped", passes = 0, nextMark = 0, marked, since = 0;
  while (outcome === "stopped" && passes < maxPasses) {
    if (passes === nextMark) [marked, since, nextMark] = [[...w], updates.length, 2 * nextMark + 1];
    const before = updates.length;
    for (let place = 0; place < n; place++) {
      const i = turns[place], z = Z[i], score = dot(z, w);
      if (score > 0 ? !(theta && short(score, w, theta, updates.length + 1)) : score == 0 && !wrongAtZero[i]) continue;
      for (let k = 0; k < z.length; k++) w[k] += z[k];
      updates.push(i);
      steps.push(passes * n + place);
    }
    passes += 1;
    if (updates.length === before) outcome = "converged";
    else if (w.every((v, k) => v === marked[k])) outcome = "cycled";
  }
  return { updates, w: w.map(plain), outcome, steps, passes, since: outcome === "cycled" ? since : null, start: from };
}

/** Whether a score above 0 is less than θ‖w‖, or than ‖w‖²/2t: floats first, whole numbers where they
 *  cannot tell. */
export function short(score, w, theta, t) {
  const [p, q] = theta === "half" ? [1, 2 * t] : theta, size = Math.hypot(...w.map(Number));
  const [a, b] = [Number(score) * q, theta === "half" ? size * size : p * size];
  if (Math.abs(a - b) > 1e-9 * (a + b)) return a < b;
  const [s, v] = [BigInt(score), w.map(BigInt)], w2 = dot(v, v);
  return theta === "half" ? s * BigInt(q) < w2 : (s * BigInt(q)) ** 2n < BigInt(p) ** 2n * w2;
}

/** The weights at the start and after each of the updates. */
export function weightsOf(Z, updates, start) { let w = start; return [w, ...updates.map((i) => (w = w.map((v, k) => v + Z[i][k])))]; }

/** For how many examples each hypothesis was in use, up to the mistake after update t. */
export function inUse({ steps, passes }, n, t = steps.length) {
  const ends = [...steps.slice(0, t).map((s) => s + 1), t < steps.length ? steps[t] : passes * n];
  return ends.map((end, k) => end - (k ? ends[k - 1] : 0));
}

/** The sum of all weights, each as often as it was in use: a multiple of their average. */
export const averaged = (weights, used) => weights[0].map((_, k) => used.reduce((sum, times, j) => sum + times * weights[j][k], 0));

/** How the weights vote about x, each with a vote for every example that it was in use for. */
export const vote = (weights, used, x) => used.reduce((sum, times, j) => sum + times * Math.sign(dot(weights[j], x)), 0);

/** The points that are wrong, or a tie that counts as wrong, after the examples of `fed` were added. */
export function wrongAfter(points, labels, fed, { tie = "mistake", bias = 0 } = {}) {
  const Z = signed(points, labels, bias), w = weightsOf(Z, fed, (Z[0] ?? [0]).map(() => 0)).at(-1);
  const scores = Z.map((z) => dot(z, w));
  return points.map((_, i) => i).filter((i) => scores[i] < 0 || (scores[i] === 0 && labels[i] !== AT_ZERO[tie]));
}

// --- margins -------------------------------------------------------------------------------------

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

/** The labels of labelling k: its bits, 1 for +. */
export const labelling = (k, m) => Array.from({ length: m }, (_, i) => ((k >> i) & 1 ? 1 : -1));

/** Which of the 2^m labellings of m points a line makes, by their numbers. */
export const labellings = (points) => Array.from({ length: 2 ** points.length }, (_, k) => k)
  .filter((k) => separate(points, labelling(k, points.length), { bias: 1 }).separable);

/** The z = y x, with the constant appended; what is not a whole number is refused. */
export function signed(points, labels, bias) {
  const rows = bias ? points.map((x) => [...x, bias]) : points;
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
    for (let r = k + 1; r < n; r++) rows[r] = rows[r].map((v, c) => (c < k ? v : (pivot[k] * v - rows[r][k] * pivot[c]) / det));
    det = pivot[k];
  });
  const x = Array(n).fill(0n);
  for (let k = n - 1; k >= 0; k--)
    x[k] = (det * rows[k][n] - x.reduce((sum, v, c) => sum + (c > k ? v * rows[k][c] : 0n), 0n)) / rows[k][k];
  return { x, det };
}

export function dot(a, b) { let sum = a[0] * b[0]; for (let k = 1; k < a.length; k++) sum += a[k] * b[k]; return sum; }

/** Whole numbers divided by what they have in common. */
function lowest(numbers) {
  let common = 0n;
  for (let v of numbers) for (v = v < 0n ? -v : v; v; ) [common, v] = [v, common % v];
  return common > 1n ? numbers.map((v) => v / common) : numbers;
}

/** A plain number, where it is exact. */
function plain(v) { return Number.isSafeInteger(Number(v)) ? Number(v) : v; }

// --- data ----------------------------------------------------------------------------------------

export const MOST = 60, FAR = 99, LONG = 1e6; // points, the size of their coordinates, updates of a run without end
export const START = "1,1p3,-1p1,3p-3,0m-1,2m"; // the five points of the lessons
export const GAMES = ["watch", "guess", "feed", "turn"], RULES = ["perceptron", "margin", "half", "averaged", "voted"];
export const same = (p, q) => p[0] === q[0] && p[1] === q[1];
export const within = (v, low, high) => Math.min(Math.max(v, low), high);
const quoted = (text) => `“${String(text).slice(0, 30)}”`;
const at = (p) => `(${p.join(", ")})`.replaceAll("-", "−");
export const whole = (text, most) => (/^\d{1,7}$/.test(text) && +text <= most ? +text : null);

/** A source of random numbers from 0 to 1, the same for the same seed (Lehmer's). */
export function randomOf(seed) {
  let v = (seed % 2147483646) + 1;
  const next = () => (v = (v * 48271) % 2147483647) / 2147483647;
  for (let k = 0; k < 9; k++) next();
  return next;
}

/** The numbers 0 … n-1 in a random order. */
export function shuffled(n, seed) {
  const list = Array.from({ length: n }, (_, i) => i), random = randomOf(seed);
  for (let k = n - 1; k > 0; k--) { const j = Math.floor(random() * (k + 1)); [list[k], list[j]] = [list[j], list[k]]; }
  return list;
}

/** Points in a disc of a radius, at whole places: none nearer to a random line than `margin` (a share of
 *  the radius), and their labels by the line, but for `flips` that are turned round. */
export function cloud(n, radius, { seed = 1, margin = 0, flips = 0, bias = 0 } = {}) {
  const random = randomOf(seed), angle = 2 * Math.PI * random(), u = [Math.cos(angle), Math.sin(angle)];
  const shift = bias ? 0.4 * radius * (2 * random() - 1) : 0, points = [], labels = [];
  for (let k = 0; points.length < n && k < 200 * n; k++) {
    const p = [0, 1].map(() => Math.round(radius * (2 * random() - 1)) + 0), far = dot(p, u) - shift;
    if (Math.hypot(...p) > radius || Math.abs(far) < Math.max(margin * radius, 0.2) || points.some((q) => same(p, q))) continue;
    points.push(p);
    labels.push(far > 0 ? 1 : -1);
  }
  for (const i of shuffled(points.length, seed + 1).slice(0, flips)) labels[i] *= -1;
  return { points, labels };
}

export function write({ points, labels, bias, tie, order, rule, gamma, game, fed, t }) {
  let text = points.map(([x, y], i) => `${x},${y}${labels[i] > 0 ? "p" : "m"}`).join("");
  if (bias) text += `&bias=${bias}`;
  if (tie !== "mistake") text += `&tie=${tie}`;
  if (order) text += `&order=${order.join(".")}`;
  if (rule !== "perceptron") text += `&rule=${rule}`;
  if (rule === "margin") text += `&gamma=${gamma}`;
  if (game !== "watch") text += `&game=${game}`;
  if (fed.length) text += `&fed=${fed.join(".")}`;
  return t ? `${text}&t=${t}` : text;
}

/** The state that a text describes; what is wrong with it is said in an error. */
export function read(text) {
  const [list, ...rest] = text.split("&");
  const found = { bias: "0", tie: "mistake", order: "placed", rule: "perceptron", gamma: "", game: "watch", fed: "", t: "0" };
  if (!/^(-?\d{1,9},-?\d{1,9}[pm])*$/.test(list)) throw new Error(`${quoted(list)} is no list of points such as 1,1p-3,0m`);
  for (const part of rest) {
    const [name, value] = part.split("=");
    if (!(name in found)) throw new Error(`${quoted(part)} means nothing here`);
    found[name] = value ?? "";
  }
  const entries = [...list.matchAll(/(-?\d+),(-?\d+)([pm])/g)];
  const points = entries.map((e) => [+e[1], +e[2]].map((v) => v + 0)); // (no −0)
  const labels = entries.map((e) => (e[3] === "p" ? 1 : -1)), n = points.length;
  fits(points);
  const bias = whole(found.bias, FAR), t = whole(found.t, LONG), { tie, rule, game } = found;
  if (bias === null || t === null) throw new Error("bias and t must be whole numbers");
  if (!(tie in AT_ZERO)) throw new Error(`there is no tie rule ${quoted(tie)}`);
  if (!RULES.includes(rule)) throw new Error(`there is no rule ${quoted(rule)}`);
  if (!GAMES.includes(game)) throw new Error(`there is no game ${quoted(game)}`);
  if (rule === "margin" && !fractionOf(found.gamma)) throw new Error(`γ must be a number such as 0.5, not ${quoted(found.gamma)}`);
  const seed = whole(found.order, 9999), fed = found.fed ? found.fed.split(".").map(Number) : [];
  const order = found.order === "placed" ? null : found.order === "reversed" ? [...points.keys()].reverse()
    : seed !== null ? shuffled(n, seed) : found.order.split(".").map(Number);
  if (order && !same([n, true], [order.length, [...order].sort((a, b) => a - b).every((i, k) => i === k)]))
    throw new Error(`there is no order ${quoted(found.order)}`);
  fed.forEach((i, k) => {
    if (!wrongAfter(points, labels, fed.slice(0, k), { tie, bias }).includes(i)) throw new Error(`point ${i} was not wrong when it was fed`);
  });
  return { points, labels, bias, tie, order, rule, gamma: found.gamma, game, fed, t };
}

/** Refuses what does not fit into the plane. */
export function fits(points, name = (i) => `point ${i}`) {
  if (points.length > MOST) throw new Error(`it has ${points.length} points, and there is room for ${MOST}`);
  if (points.flat().some((v) => Math.abs(v) > FAR)) throw new Error(`coordinates go from −${FAR} to ${FAR}`);
  const twice = points.findIndex((p, i) => points.findIndex((q) => same(p, q)) < i);
  const first = points.findIndex((p) => twice >= 0 && same(p, points[twice]));
  if (twice >= 0) throw new Error(`two points are at ${at(points[twice])}: ${name(first)} and ${name(twice)}`);
}

/** A decimal number above 0 as [p, q], or null. */
export function fractionOf(text) {
  const found = /^(\d{1,4})(?:\.(\d{1,4}))?$/.exec(text), p = found && +(found[1] + (found[2] ?? ""));
  return p ? [p, 10 ** (found[2] ?? "").length] : null;
}

/** The points of a pasted text, a line "x y label" for each; a line that is no data is named.  Places
 *  that are not whole are made larger by a power of ten, as far as there is room, and rounded. */
export function pasted(text) {
  const rows = [], lines = [], labels = [];
  text.split(/\r?\n/).forEach((line, k) => {
    if (!line.trim()) return;
    const parts = line.replaceAll("−", "-").trim().split(/[\s,;]+/), numbers = parts.slice(0, 2).map(Number);
    const label = { "+": 1, "+1": 1, 1: 1, p: 1, "-": -1, "-1": -1, m: -1 }[parts[2]];
    if (parts.length !== 3 || !label || parts.slice(0, 2).some((v) => !v) || !numbers.every(Number.isFinite))
      throw new Error(`Line ${k + 1}, ${quoted(line)}, is not “x y label”, two numbers and + or −`);
    rows.push(numbers);
    lines.push(k + 1);
    labels.push(label);
  });
  if (!rows.length) throw new Error("Paste some lines first");
  const most = Math.max(...rows.flat().map(Math.abs)), even = rows.flat().every(Number.isInteger);
  const sizes = even ? [1, 0.1, 0.01, 0.001] : [1000, 100, 10, 1, 0.1, 0.01, 0.001];
  const times = sizes.find((s) => most * s <= FAR) ?? 1;
  const points = rows.map((row) => row.map((v) => Math.floor(v * times + 0.5) + 0));
  const moved = rows.filter((row, i) => row.some((v, k) => Math.abs(v * times - points[i][k]) > 1e-9)).length;
  try { fits(points, (i) => `line ${lines[i]}`); } catch ({ message }) { throw new Error(message[0].toUpperCase() + message.slice(1)); }
  const note = (times === 1 ? "" : ` Coordinates are ${times > 1 ? `${times} times` : `1/${Math.round(1 / times)} of`} what was given.`) +
    (moved ? ` ${moved === 1 ? "1 point was" : `${moved} points were`} moved to the nearest whole numbers.` : "");
  return { points, labels, note };
}
