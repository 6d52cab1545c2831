// What the scenes share: numbers in words, parts of pictures, the squeeze, and the room they stand in.
import { dot, within } from "./core.js";

// --- in words ------------------------------------------------------------------------------------

export const digits = new Intl.NumberFormat("en", { maximumSignificantDigits: 21 });
export function number(v) {
  const shown = Number.isInteger(v) ? v : Math.abs(v) >= 1000 ? Math.round(v) : +v.toPrecision(4);
  return digits.format(shown + 0).replace("-", "−"); // (no −0)
}
export const vector = (v) => `(${Array.from(v, number).join(", ")})`;
export const count = (n, thing) => `${number(n)} ${thing}${n === 1 ? "" : "s"}`;
export const capital = (words) => words.slice(0, 1).toUpperCase() + words.slice(1);
export const sign = (label) => (label > 0 ? "+" : "−");
export const length = (v) => Math.hypot(...v);

export function fraction(exact, rounded) {
  const [p, q] = exact.split("/");
  if (q === "1") return number(+p);
  return p.length + q.length < 9 ? `${p}/${q} ≈ ${number(rounded)}` : `≈ ${number(rounded)}`;
}

export const of = (label) => (label > 0 ? "pg-plus" : "pg-minus"); // how a label looks
// --- pictures: each takes what is to be seen and gives the inside of an SVG ------------------------

export const tag = (name, attributes, inside = "") =>
  `<${name} ${Object.entries(attributes).map(([key, value]) => `${key}="${value}"`).join(" ")}>${inside}</${name}>`;
export const spot = (p) => p.map((v) => v.toFixed(1)).join();
export const stroke = (a, b, look) => path([a, b], look);
export const area = (corners, look) => tag("polygon", { points: corners.map(spot).join(" "), class: look });
export const path = (dots, look) => tag("polyline", { points: dots.map(spot).join(" "), class: look });
export const disc = ([x, y], r, look) => tag("circle", { cx: x.toFixed(1), cy: y.toFixed(1), r: r.toFixed(1), class: look });
export const text = ([x, y], words, look = "", anchor = "start") =>
  tag("text", { x: x.toFixed(1), y: y.toFixed(1), class: `pg-text ${look}`, "text-anchor": anchor }, words);
export const inkOf = (unit) => within(Math.min(unit / 20, 0.75 + unit / 100), 0.5, 1.25); // the size of points, which shrink as more of the plane is shown
export const alone = (size, words) => text([size[0] / 2, size[1] / 2], words, "pg-soft", "middle");

/** The first of 1, 2, 5, 10, … that is large enough. */
export function nice(enough) {
  const steps = [-1, 0, 1, 2, 3, 4, 5, 6, 7, 8].flatMap((e) => [1, 2, 5].map((s) => s * 10 ** e));
  return steps.find(enough) ?? steps.at(-1);
}

export function arrow(a, b, look) {
  const size = Math.hypot(b[0] - a[0], b[1] - a[1]);
  if (size < 1) return "";
  const u = [(b[0] - a[0]) / size, (b[1] - a[1]) / size], head = Math.min(11, 0.6 * size);
  const back = (along, across) => [b[0] - along * u[0] - across * u[1], b[1] - along * u[1] + across * u[0]];
  const tip = [b, back(head, 0.42 * head), back(head, -0.42 * head)];
  return stroke(a, back(0.8 * head, 0), look) + area(tip, `${look} pg-head`);
}

export function star([x, y], r, look) {
  const corners = Array.from({ length: 10 }, (_, k) => {
    const [a, s] = [(Math.PI * (k - 2.5)) / 5, k % 2 ? 0.42 * r : r];
    return [x + s * Math.cos(a), y + s * Math.sin(a)];
  });
  return area(corners, look);
}

/** The part of a polygon with a·p + b >= 0. */
export function clip(corners, a, b) {
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
export function labeller(size, solid, thin = []) {
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
export const boxed = ([x, y], r) => [x - r, y - r, x + r, y + r];
/** A line as boxes, for labels to keep off. */
export const along = ([a, b]) => Array.from({ length: 33 }, (_, k) => boxed(a.map((v, j) => v + (k / 32) * (b[j] - v)), 4));
/** Places for a label on both sides of a line, first on the side given. */
export function beside([a, b], side = 1, parts = [0.5, 0.35, 0.65, 0.2, 0.8]) {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]], far = Math.hypot(dx, dy) || 1;
  return [side, -side].flatMap((s) => parts.map((f) => {
    const [nx, ny] = [(-s * dy) / far, (s * dx) / far];
    return [a[0] + f * dx + 11 * nx, a[1] + f * dy + 14 * ny + 4, nx > 0.4 ? "start" : nx < -0.4 ? "end" : "middle"];
  }));
}
/** Places for a label around a spot, first on the side to which (dx, dy) points. */
export function around([x, y], r, [dx, dy] = [1, 1]) {
  const [h, v] = [dx < 0 ? -r : r, dy < 0 ? r + 9 : -r], anchor = (d) => (d < 0 ? "end" : "start");
  return [[x + h, y + v, anchor(h)], [x + 1.3 * h, y + 4, anchor(h)], [x, y + 1.3 * v, "middle"],
    [x - h, y + v, anchor(-h)], [x + h, y + (v > 0 ? -r : r + 9), anchor(h)], [x - 1.3 * h, y + 4, anchor(-h)]];
}

/** From data to pixels, equal on both axes: `half` data units to either side of the middle. */
export function scale(size, middle, half) {
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
export function fitted(size, dots, room = 1.25) {
  const [low, high] = [Math.min, Math.max].map((most) => [0, 1].map((k) => most(...dots.map((p) => p[k]))));
  const half = Math.max(...[0, 1].map((k) => ((high[k] - low[k]) / 2 / size[k]) * Math.min(...size)), 0.5);
  return scale(size, [0, 1].map((k) => (low[k] + high[k]) / 2), room * half);
}

export function hull(dots) {
  const sorted = [...dots].sort((p, q) => p[0] - q[0] || p[1] - q[1]);
  const turn = (o, p, q) => (p[0] - o[0]) * (q[1] - o[1]) - (p[1] - o[1]) * (q[0] - o[0]);
  const half = (list) => list.reduce((kept, p) => {
    while (kept.length > 1 && turn(kept.at(-2), kept.at(-1), p) <= 0) kept.pop();
    return [...kept, p];
  }, []).slice(0, -1);
  return sorted.length < 3 ? sorted : [...half(sorted), ...half(sorted.reverse())];
}

/** Grid and axes, and numbers along them where there is room. */
export function grid({ to, unit, corners }, size, label) {
  const [low, high] = [corners[3], corners[1]], made = ["", ""];
  const [step, every] = [14, 34].map((pixels) => nice((s) => s >= 1 && s * unit >= pixels));
  for (const k of [0, 1]) for (let v = Math.ceil(low[k] / step) * step; v <= high[k]; v += step) {
    const [from, till] = k ? [[low[0], v], [high[0], v]] : [[v, low[1]], [v, high[1]]];
    made[0] += stroke(to(from), to(till), v ? "pg-grid" : "pg-axis");
    const [x, y] = to(k ? [0, v] : [v, 0]), at = [within(x, 24, size[0] - 4), within(y, 8, size[1] - 20)];
    if (v && v % every === 0) made[1] += label(number(v), "pg-tick", [k ? [at[0] - 5, y + 4, "end"] : [x, at[1] + 14, "middle"]], true);
  }
  return made;
}

/** Why there is no separator: λ as rings, and where the hulls meet.  Without a bias, the − points
 *  count at −x, and it is the origin that lies in the hull of all. */
export function proof(D, to, ink) {
  const used = D.points.map((p, i) => ({ p, label: D.labels[i], m: Number(D.best.multipliers[i]) })) .filter(({ m }) => m > 0);
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

/** Some of 0 … M, at most about `most`, always with t and M. */
export function some(M, t, most) {
  const every = Math.ceil((M + 1) / most), list = Array.from({ length: Math.ceil((M + 1) / every) }, (_, k) => k * every);
  return [...new Set([...list, t, M])].sort((a, b) => a - b);
}

/** Whether the run would be a blot beside the crossing. */
export const isFar = (D, times) => D.gamma && D.best.bound > times * Math.max(D.M, 3);

/** The squeeze: γt from below, R√t from above, the length of w between them; on logarithmic axes both
 *  are straight. */
export function squeeze(D, t, size, { near = isFar(D, 8), log = false } = {}) {
  if (!D.Z.length || !D.R) return alone(size, "no points");
  const { R, gamma, weights } = D, bound = D.best.bound, foot = size[1] - 22, M = Math.max(D.M, t);
  const far = 1.15 * Math.max(gamma && !near ? bound : 3, M), top = 1.12 * R * Math.sqrt(far);
  const least = log ? 0.8 * Math.min(gamma ?? R, ...weights.slice(1, 2).map(length), R) : 0;
  const rise = nice((s) => top / s <= 4), left = log ? 40 : 12 + 6.5 * number(rise * Math.floor(top / rise)).length;
  const part = (v, low, high) => (log ? Math.log(Math.max(v, low) / low) / Math.log(high / low) : v / high);
  const to = ([k, v]) => [left + (size[0] - left - 8) * part(k, 1, far), foot - (foot - 6) * part(v, least, top)];
  const marks = Array.from({ length: 61 }, (_, k) => (log ? far ** (k / 60) : far * (k / 60) ** 2));
  const root = (k) => to([k, R * Math.sqrt(k)]), low = (k) => to([k, gamma * k]), height = (k) => to([k, length(weights[D.wrap(k)])]);
  const steps = (most, low, every) => (log ? [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 1e4, 1e5, 0.1, 0.2, 0.5].filter((v) => v >= low && v <= most)
    : Array.from({ length: Math.floor(most / every + 1e-9) }, (_, k) => (k + 1) * every));
  const shown = some(M, t, 300).filter((k) => k || !log), dots = shown.map(height);
  const label = labeller(size, [boxed(height(Math.max(t, +log)), 7)], [...dots, ...marks.map(root), ...marks.map(low)].map((p) => boxed(p, 4)));
  const corner = to([log ? 1 : 0, least]);
  let made = stroke(corner, [size[0] - 8, corner[1]], "pg-axis") + stroke(corner, [corner[0], 6], "pg-axis") +
    label("updates t", "pg-soft", [[size[0] - 8, size[1] - 6, "end"]]);
  for (const k of steps(far, 1, nice((s) => s >= 1 && far / s <= 5)))
    made += label(number(k), "pg-tick", [[to([k, 0])[0], size[1] - 6, "middle"]], true);
  for (const v of steps(top, least, rise)) made += text([left - 4, to([0, v])[1] + 4], number(v), "pg-tick", "end");
  if (gamma) {
    const inside = marks.filter((k) => k <= bound).concat(Math.min(far, bound));
    made += area([...inside.map(root), ...inside.map(low).reverse()], "pg-between") + path([low(log ? 1 : 0), low(far)], "pg-bound");
    const cross = low(bound), crossing = `(R/γ)² = ${number(bound)}`;
    if (bound <= far) made += stroke(cross, [cross[0], foot], "pg-drop") + star(cross, 8, "pg-cross") +
      label(crossing, "pg-purple-text", [[cross[0] - 6, foot - 8, "end"]]);
    else made += label(`far right: ${crossing}`, "pg-purple-text", [0.5, 0.6, 0.7, 0.8].map((f) => [size[0] - 8, f * foot, "end"]));
    made += label("γt", "pg-purple-text", [0.72, 0.62, 0.8, 0.5, 0.4, 0.9].flatMap((f) => {
      const [x, y] = low(f * Math.min(far, bound));
      return [...(y < foot - 18 ? [[x + 6, y + 13, "start"]] : []), [x - 6, y - 5, "end"]];
    }));
  }
  made += path(marks.map(root), "pg-bound") + label("length of w", "pg-soft", [[left + 4, 13, "start"]]);
  made += label("R√t", "pg-purple-text", [0.5, 0.6, 0.4, 0.7, 0.3].flatMap((f) => {
    const [x, y] = root(f * far);
    return [[x - 3, y - 6, "end"], [x + 4, y + 17, "start"]];
  }));
  made += path(dots, "pg-later");
  if (dots.length > 60) made += path(dots.filter((_, j) => shown[j] <= t), "pg-path");
  else made += dots.map((p, j) => disc(p, 3.4, shown[j] <= t ? "pg-seen" : "pg-seen pg-faint")).join("");
  return made + (t || !log ? disc(height(t), 5.5, "pg-now") : "");
}

// --- the room of a scene -----------------------------------------------------------------------------

export const button = (name, words, more = "") => `<button type="button" data-do="${name}" ${more}>${words}</button>`;
export const menu = (name, options, more = "") => `<select data-do="${name}" ${more}>${Object.entries(options).map(([value, words]) =>
  `<option value="${value}">${words}</option>`).join("")}</select>`;
export const figure = (name, title, more = "") =>
  `<figure><figcaption><b>${title}</b> <span data-part="${name}-words"></span></figcaption><svg role="img" data-part="${name}"></svg>${more}</figure>`;
export const calmly = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Put a scene into an element: its page, in light or dark as the ground there is, and `draw`, which is
 *  called when a picture has a new size (`sizes` has them). */
export function room(el, page, draw, kind = "") {
  const root = document.createElement("div"), sizes = new Map();
  root.className = `pg ${kind}`;
  // reveal.js and JupyterLab are to leave fingers, menus and keys alone here.
  for (const name of ["data-prevent-swipe", "data-jp-suppress-context-menu"]) root.setAttribute(name, "true");
  root.addEventListener("focusin", (event) => event.target.setAttribute("data-lm-suppress-shortcuts", "true"));
  root.innerHTML = `<div class="pg-body">${page}</div>`;
  el.replaceChildren(root);
  // (A finger on a point or a handle moves that, not the page; `touch-action` is not heard inside an SVG.)
  root.addEventListener("touchstart", (event) => event.target.closest(".pg-point, .pg-handle, .pg-hit") && event.preventDefault(), { passive: false });
  const status = root.querySelector(".pg-status"), watch = new ResizeObserver((entries) => {
    for (const { target, contentRect } of entries) {
      const size = [contentRect.width, contentRect.height];
      sizes.set(target, size[0] && size[1] ? size : null);
      target.setAttribute("viewBox", `0 0 ${size[0]} ${size[1]}`);
    }
    draw();
  });
  const dim = matchMedia("(prefers-color-scheme: dark)"), themes = new MutationObserver(shade);
  function shade() { root.setAttribute("data-theme", onDark(el) ? "dark" : "light"); }
  dim.addEventListener("change", shade);
  for (const e of [document.body, document.documentElement]) themes.observe(e, { attributes: true });
  shade();
  /** Keys that a scene or a control has a use for stay here. */
  const keys = (pressed) => root.addEventListener("keydown", (event) => {
    root.classList.remove("pg-by-hand");
    const used = pressed(event) !== false;
    if (used) event.preventDefault();
    const control = /select|input|textarea|button/i.test(event.target.tagName) && !/^(Escape|Page)/.test(event.key);
    if (used || control) event.stopPropagation();
  });
  return {
    root, sizes, status, keys,
    find: (name) => root.querySelector(`[data-do="${name}"]`), part: (name) => root.querySelector(`[data-part="${name}"]`),
    // What is said, to all: the sentence is read out by screen readers.
    say: (words, warn = false) => {
      if (status.textContent !== words) status.textContent = words;
      status.classList.toggle("pg-warn", warn);
    },
    begin: () => { for (const svg of root.querySelectorAll(".pg-body svg")) watch.observe(svg); },
    destroy: () => {
      for (const observer of [watch, themes]) observer.disconnect();
      dim.removeEventListener("change", shade);
      root.remove();
    },
  };
}

/** Where a pointer is in an SVG. */
export const spotOf = (svg, event) => {
  const p = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  return [p.x, p.y];
};

/** The same in a notebook, by anywidget: the kernel is told of every finished change. */
export const inNotebook = (mount) => ({
  render({ model, el }) {
    const save = (state) => { model.set("state", { ...model.get("state"), ...state }); model.save_changes(); };
    const shown = mount(el, { ...model.get("state"), state: model.get("state").text, address: false, base: null, save });
    const follow = () => shown.load?.(model.get("state").text);
    model.on("change:state", follow);
    return () => { model.off("change:state", follow); shown.destroy(); };
  },
});

/** Whether an element stands on a dark ground. */
function onDark(el) {
  for (let e = el; e; e = e.parentElement) {
    const [r, g, b, a = 1] = (getComputedStyle(e).backgroundColor.match(/[\d.]+/g) ?? [0, 0, 0, 0]).map(Number);
    if (a > 0.5) return 0.299 * r + 0.587 * g + 0.114 * b < 110;
  }
  return false;
}

