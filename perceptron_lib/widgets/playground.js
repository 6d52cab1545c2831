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
  let w = n ? Z[0].map((v) => v - v) : bias ? [0, 0, 0] : [0, 0];
  // Brent's search for a circle: w is remembered after pass 0, 1, 3, 7, …, as the library does.
  let outcome = "stopped", passes = 0, nextMark = 0, marked, since = 0;
  while (outcome === "stopped" && passes < maxPasses) {
    if (passes === nextMark) [marked, since, nextMark] = [w, updates.length, 2 * nextMark + 1];
    const before = updates.length;
    turns.forEach((i, place) => {
      const score = dot(Z[i], w);
      if (score > 0 || (score == 0 && !wrongAtZero[i])) return;
      w = w.map((v, k) => v + Z[i][k]);
      updates.push(i);
      steps.push(passes * n + place);
    });
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
