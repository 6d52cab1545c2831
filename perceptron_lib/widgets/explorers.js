// Three explorers drawn as one moves them: the squeeze of the mistake bound, the margin Perceptron's
// room, and labels that are noise.  `mount` and the default are as in playground.js.
import { dot, perceptron, randomOf, separate, shuffled, signed, weightsOf, within } from "./core.js";
import {
  area, arrow, calmly, clip, count, disc, figure, inNotebook, labeller, length, nice, number, path, room, scale, spotOf,
  squeeze, stroke, tag, text,
} from "./draw.js";

const UNIT = 1000; // points are whole thousandths, so that runs are exact

/** n points in the unit disc, at least `margin` away from the line u·x = 0, as thousandths; as the
 *  margin grows, they glide. */
export function gliding(n, margin, seed, u = [0.8, 0.6]) {
  const random = randomOf(seed), points = [], labels = [];
  for (let i = 0; i < n; i++) {
    const [a, b, side] = [random() ** 3, 2 * random() - 1, random() < 0.5 ? -1 : 1], far = side * (margin + 0.001 + (0.98 - margin) * a);
    const across = b * Math.sqrt(1 - far * far);
    points.push([u[0] * far - u[1] * across, u[1] * far + u[0] * across].map((v) => Math.round(UNIT * v) + 0));
    labels.push(i < 2 ? 1 - 2 * i : side); // both occur
    if (labels[i] !== side) points[i] = points[i].map((v) => 0 - v);
  }
  return { points, labels };
}

/** The bounds for a stream at γ, in floats: the sharp hinge, the simple one, and the lift. */
export function bounds(Z, u, gamma) {
  const R = Math.max(...Z.map(length)), short = Z.map((z) => Math.max(gamma - dot(z, u) / length(u), 0));
  const total = short.reduce((a, b) => a + b, 0), squares = short.reduce((a, b) => a + b * b, 0);
  return { sharp: ((R + Math.sqrt(R * R + 4 * gamma * total)) / (2 * gamma)) ** 2, simple: (R / gamma) ** 2 + (2 * total) / gamma,
    lift: ((R + Math.sqrt(squares)) / gamma) ** 2, total, moved: short.filter(Boolean).length };
}

const slide = (name, words, min, max, step, value, shown = number) => ({ name, words, min, max, step, value, shown });
const choice = (name, words, options) => ({ name, words, options, value: Object.keys(options)[0] });

/** A line through 0 of a plane, with the band up to `far` on both its sides. */
function banded({ to, corners, line }, w, far, look) {
  const size = length(w), band = clip(clip(corners, w, far * size), w.map((v) => -v), far * size);
  return area(band.map(to), look) + stroke(...line(w, 0), "pg-w");
}
/** The points of a plane, small, those in `strong` larger. */
const dots = (to, points, labels, strong = () => true) => points.map((p, i) => {
  const [x, y] = to(p), r = strong(i) ? 6 : 4;
  return labels[i] > 0 ? disc([x, y], r, "pg-plus pg-spot") : tag("rect", { x: x - r * 0.9, y: y - r * 0.9, width: r * 1.8, height: r * 1.8, class: "pg-minus pg-spot" });
}).join("");
/** Where the margin is dragged: on the edge of the band, at the end of the line. */
const grip = ({ to }, w, far, out) => {
  const unit = w.map((v) => v / length(w)), at = to([unit[0] * far + unit[1] * out, unit[1] * far - unit[0] * out]);
  return disc(at, 22, "pg-hit") + disc(at, 10, "pg-handle");
};

const SCENES = {
  squeeze: {
    title: "The squeeze", half: 1.1,
    controls: [choice("data", "data", { random: "60 random points", unit: "unit vectors", bits: "ODD-MAX-BIT" }), slide("gamma", "margin", 0.02, 0.6, 0.005, 0.12),
      slide("n", "n", 1, 30, 1, 16), slide("order", "order", 0, 30, 1, 0, (k) => (k ? `no. ${k}` : "given")), choice("axes", "axes", { linear: "linear", log: "logarithmic" })],
    /** What follows from the controls. */
    made({ data, gamma, n, order, axes }) {
      const size = data === "bits" ? Math.min(n, 6) : 0, one = data === "random" ? UNIT : 1;
      const words = Array.from({ length: 2 ** size }, (_, k) => [...Array.from({ length: size }, (_, j) => (k >> (size - 1 - j)) & 1), 1]);
      const { points, labels } = data === "random" ? gliding(60, gamma, 28)
        : data === "unit" ? { points: Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => +(i === j))), labels: Array.from({ length: n }, (_, i) => 1 - 2 * (i % 2)) }
        : { points: words, labels: words.map((w) => (w.slice(0, -1).lastIndexOf(1) % 2 ? -1 : w.slice(0, -1).includes(1) ? 1 : -1)) };
      const turns = order ? shuffled(points.length, order) : null, run = perceptron(points, labels, { order: turns }), best = separate(points, labels);
      const Z = signed(points, labels, 0), R = Math.sqrt(best.R2) / one, weights = weightsOf(Z, run.updates, run.start).map((w) => w.map((v) => v / one));
      return { points, labels, turns, run, best, Z, R, gamma: R / Math.sqrt(best.bound), weights, M: run.updates.length, wrap: (t) => t, log: axes === "log" };
    },
    off: ({ data }) => (data === "random" ? ["n"] : ["gamma"]),
    draw: (D, size) => squeeze(D, D.M, size, { near: false, log: D.log }),
    tiles: (D) => ({ "mistakes M": number(D.M), "walls allow": number(Math.floor(D.best.bound)), "margin γ": number(D.gamma), "longest R": number(D.R) }),
    words: (D) => `The run makes ${count(D.M, "mistake")}; the walls allow ${number(Math.floor(D.best.bound))}. ` +
      `After each the length of w lies between them${D.log ? ", which are straight on these axes" : ""}.`,
  },
  margin: {
    title: "The room of the margin Perceptron", half: 1.1,
    controls: [choice("data", "data", { few: "14 points", many: "40 points", close: "25, close together" }), slide("eps", "ε", 0.01, 0.95, 0.005, 0.5)],
    made({ data, eps }) {
      const [n, margin, seed] = { few: [14, 0.12, 31], many: [40, 0.06, 48], close: [25, 0.04, 23] }[data], { points, labels } = gliding(n, margin, seed);
      const best = separate(points, labels), largest = Math.sqrt(best.R2 / best.bound), given = Math.floor(largest * 100), e = Math.round(1000 * eps);
      const theta = [(1000 - e) * given, 100000]; // γ is given, rounded down to hundredths of a thousandth
      const run = perceptron(points, labels, { theta, maxPasses: 100000 }), plain = perceptron(points, labels);
      const reached = (w) => Math.min(...signed(points, labels, 0).map((z) => dot(z, w))) / length(w);
      return { points, labels, theta, run, best, largest, eps, margin: reached(run.w), lazy: reached(plain.w), u: best.u.map(Number) };
    },
    draw(D, size) {
      const frame = scale(size, [0, 0], this.half * UNIT), { to, line } = frame, w = D.run.w, label = labeller(size, []);
      const bar = (low, k, name, share, look) => {
        const [y, x, high] = [low[1] * (0.06 + 0.31 * k), 100, 0.24 * low[1]], wide = (low[0] - x - 60) * share;
        return text([x - 8, y + high / 2 + 4], name, "pg-soft", "end") + tag("rect", { x, y, width: Math.max(wide, 1), height: high, class: look }) +
          text([x + wide + 6, y + high / 2 + 4], `${(100 * share).toFixed(1)}%`, "pg-soft");
      };
      return { plane: banded(frame, w, D.margin, "pg-room-band") + stroke(...line(D.u, 0), "pg-u") +
          [1, -1].map((s) => stroke(...line(w, s * (1 - D.eps) * D.largest * length(w)), "pg-room")).join("") +
          dots(to, D.points, D.labels) + label("dashed green: the largest margin", "pg-green-text", [[10, size[1] - 10, "start"]]) + grip(frame, w, (1 - D.eps) * D.largest, 0.8 * UNIT),
        low: (low) => bar(low, 0, "Perceptron", D.lazy / D.largest, "pg-bar pg-lazy") + bar(low, 1, "with room", D.margin / D.largest, "pg-bar") +
          bar(low, 2, "promised", 1 - D.eps, "pg-bar pg-promise") };
    },
    drag: (D, p, set) => set("eps", 1 - Math.abs(dot(p, D.run.w)) / length(D.run.w) / D.largest),
    tiles: (D) => ({ updates: number(D.run.updates.length), "its margin": number(D.margin / UNIT),
      "share of the largest": `${(100 * D.margin / D.largest).toFixed(1)}%`, promised: `${number(+(100 * (1 - D.eps)).toFixed(1))}%` }),
    words: (D) => `With ε = ${number(D.eps)} the margin Perceptron’s line has ${(100 * D.margin / D.largest).toFixed(1)}% of the largest margin, ${number(+(100 * (1 - D.eps)).toFixed(1))}% were promised; ` +
      `the Perceptron’s own line has ${(100 * D.lazy / D.largest).toFixed(1)}%. Drag the ring.`,
    lower: "Share of the largest margin",
  },
  noise: {
    title: "Labels that are noise", half: 1.1,
    controls: [slide("flips", "flipped", 0, 40, 1, 6), slide("which", "which ones", 1, 9, 1, 1), slide("gamma", "γ", 0.05, 1, 0.005, 0.3)],
    made({ flips, which, gamma }) {
      const { points, labels } = gliding(100, 0.125, 7), turned = shuffled(100, which).slice(0, flips), u = [4, 3];
      for (const i of turned) labels[i] *= -1;
      const Z = signed(points, labels, 0).map((z) => z.map((v) => v / UNIT)), run = perceptron(points, labels, { maxPasses: 1 });
      return { points, labels, turned, u, Z, gamma, run, M: run.updates.length, at: bounds(Z, u, gamma) };
    },
    off: ({ flips }) => (flips ? [] : ["which"]),
    draw(D, size) {
      const frame = scale(size, [0, 0], this.half * UNIT), { to } = frame, unit = [0.8, 0.6];
      const short = D.Z.map((z) => D.gamma - dot(z, unit)), goal = (i) => D.points[i].map((v, k) => v + D.labels[i] * short[i] * UNIT * unit[k]);
      const moves = D.points.map((p, i) => (short[i] > 0 ? arrow(to(p), to(goal(i)), D.labels[i] > 0 ? "pg-plus pg-thin" : "pg-minus pg-thin") : "")).join("");
      const crosses = D.turned.map((i) => to(D.points[i])).map(([x, y]) => tag("path", { d: `M${x - 6} ${y - 6}l12 12M${x + 6} ${y - 6}l-12 12`, class: "pg-flipped" })).join("");
      return { plane: banded(frame, D.u, D.gamma * UNIT, "pg-room-band") + moves + dots(to, D.points, D.labels, (i) => short[i] > 0) + crosses + grip(frame, D.u, D.gamma * UNIT, 0.72 * UNIT),
        low: (low) => curves(D, low) };
    },
    drag: (D, p, set) => set("gamma", Math.abs(dot(p, D.u)) / 5 / UNIT),
    tiles: (D) => ({ "mistakes M": number(D.M), "sharp bound": number(Math.floor(D.at.sharp)), "simple bound": number(Math.floor(D.at.simple)), "lift bound": number(Math.floor(D.at.lift)),
      "points to move": number(D.at.moved), "moved in all by": number(D.at.total) }),
    words: (D) => `${D.turned.length} of 100 labels are flipped (crosses). For γ = ${number(D.gamma)}, ${D.at.moved} points must move (arrows); then at most ` +
      `${number(Math.floor(D.at.sharp))} mistakes are allowed, and ${number(D.M)} ${D.M === 1 ? "is" : "are"} made.`,
    lower: "The bounds, for every γ",
  },
};

/** The three bounds as functions of γ, each named where its value is, and the mistakes made. */
function curves(D, size) {
  const steps = Array.from({ length: 96 }, (_, k) => 0.05 + k / 100), all = steps.map((g) => bounds(D.Z, D.u, g)), names = ["sharp", "simple", "lift"];
  const top = 2.4 * Math.max(D.M, ...names.map((name) => Math.min(...all.map((b) => b[name])))), foot = size[1] - 20, left = 44, right = size[0] - 92;
  const to = (g, v) => [left + (right - left) * g, foot - (foot - 8) * Math.min(v, top) / top], rise = nice((s) => top / s <= 4), label = labeller(size, []);
  let made = stroke(to(0, 0), to(1, 0), "pg-axis") + stroke(to(0, 0), to(0, top), "pg-axis") + text([right, size[1] - 5], "γ", "pg-soft", "end");
  for (let v = rise; v <= top; v += rise) made += text([left - 4, to(0, v)[1] + 4], number(v), "pg-tick", "end");
  names.forEach((name, k) => (made += path(steps.map((g, j) => to(g, all[j][name])).filter((p) => p[1] > 9), `pg-bound ${["", "pg-second", "pg-third"][k]}`)));
  made += stroke(to(0, D.M), to(1, D.M), "pg-w") + stroke(to(D.gamma, 0), to(D.gamma, top), "pg-old") + label(`made: ${number(D.M)}`, "pg-strong", [[right + 6, to(1, D.M)[1] + 4, "start"]]);
  for (const name of names) made += disc(to(D.gamma, D.at[name]), 5, "pg-cross");
  for (const name of names.sort((a, b) => D.at[a] - D.at[b])) {
    const [x, y] = to(D.gamma, D.at[name]), words = `${name}: ${number(Math.floor(D.at[name]))}${D.at[name] > top ? " ↑" : ""}`;
    made += label(words, "pg-purple-text", [0, -14, 14, -28, 28, 42].flatMap((dy) => [[x + 9, y + 4 + dy, "start"], [x - 9, y + 4 + dy, "end"]]));
  }
  return made;
}

/** Put an explorer into an element; `scene` is its name: squeeze, margin or noise. */
export function mount(el, { scene: name }) {
  const E = SCENES[name], values = Object.fromEntries(E.controls.map((c) => [c.name, c.value]));
  const control = (c) => `<label class="pg-slide"><span>${c.words}</span>` + (c.options
    ? `<select data-do="${c.name}">${Object.entries(c.options).map(([value, words]) => `<option value="${value}">${words}</option>`).join("")}</select></label>`
    : `<input type="range" data-do="${c.name}" min="${c.min}" max="${c.max}" step="${c.step}"><output aria-hidden="true"></output></label>`);
  const page = `<p class="pg-status" role="status"></p><div class="pg-stage"><svg class="pg-plane" role="img" aria-label="${E.title}"></svg></div>
    <div class="pg-panel">${E.controls.map(control).join("")}<dl></dl>${E.lower ? figure("low", E.lower) : ""}</div>`;
  const scene = room(el, page, () => draw(), "pg-explorer"), { root, find, part, sizes, say } = scene, plane = root.querySelector(".pg-plane");
  let D = null, drag = false;

  function set(key, value) {
    const { min, max, step } = E.controls.find((c) => c.name === key);
    values[key] = min + Math.round((within(value, min, max) - min) / step) * step;
    D = null; draw();
  }
  function draw() {
    D ??= E.made(Object.fromEntries(Object.entries(values).map(([k, v]) => [k, typeof v === "number" ? +v.toFixed(4) : v])));
    const off = E.off?.(values) ?? [];
    for (const { name, shown } of E.controls) {
      Object.assign(find(name), { value: values[name], disabled: off.includes(name) });
      if (!shown) continue;
      find(name).nextElementSibling.value = off.includes(name) ? "–" : shown(+values[name].toFixed(4));
      find(name).setAttribute("aria-valuetext", find(name).nextElementSibling.value);
    }
    const tiles = root.querySelector("dl"), made = E.tiles(D);
    if (!tiles.children.length) tiles.innerHTML = Object.keys(made).map((name) => `<div><dt>${name}</dt><dd></dd></div>`).join("");
    Object.values(made).forEach((value, k) => {
      const tile = tiles.children[k], dd = tile.querySelector("dd");
      if (dd.textContent === value) return;
      if (dd.textContent && !calmly()) tile.animate({ backgroundColor: ["#f0e442", "transparent"] }, 700); // it flashes
      dd.textContent = value;
    });
    say(E.words(D));
    const size = sizes.get(plane), low = part("low"), drawn = size && E.draw(D, size);
    plane.setAttribute("aria-label", `${E.title}. ${E.words(D)}`);
    low?.setAttribute("aria-label", Object.entries(made).map((pair) => pair.join(": ")).join(", "));
    if (size) plane.innerHTML = drawn.plane ?? drawn;
    if (low && drawn && sizes.get(low)) low.innerHTML = drawn.low(sizes.get(low));
  }
  const take = (event) => E.drag(D, scale(sizes.get(plane), [0, 0], E.half * UNIT).from(spotOf(plane, event)), set);
  plane.addEventListener("pointerdown", (event) => {
    if (!E.drag || !event.target.matches(".pg-hit, .pg-handle") || event.button) return;
    drag = true;
    plane.setPointerCapture(event.pointerId); event.preventDefault();
  });
  plane.addEventListener("pointermove", (event) => drag && take(event));
  for (const name of ["pointerup", "pointercancel"]) plane.addEventListener(name, () => (drag = false));
  root.addEventListener("input", ({ target }) => {
    if (target.tagName === "SELECT") values[target.dataset.do] = target.value, D = null, draw();
    else set(target.dataset.do, +target.value);
  });
  scene.keys(() => false); scene.begin(); draw();
  return { destroy: scene.destroy, state: () => D };
}

export default inNotebook(mount);
