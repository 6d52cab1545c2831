// Which labellings of a few points does a line make?  Collect them with a line that one turns oneself;
// each that no line makes comes with the proof.  `mount` and the default are as in playground.js.
import { dot, labelling, labellings, read, same, separate, within } from "./core.js";
import { arrow, around, button, count, disc, grid, inNotebook, inkOf, labeller, path, proof, room, scale, spotOf, stroke, tag, vector } from "./draw.js";

const SETS = { "2 points": "-2,-1p3,2p", "3 points": "-3,-2p4,-1p0,4p", "4 points": "-3,-3p4,-2p3,4p-2,3p", "5 points": "0,5p-5,1p-3,-4p3,-4p5,1p",
  "three on a line": "-4,-2p0,0p4,2p-1,4p" };
const HALF = 7.5, PAGE = `<p class="pg-status" role="status"></p>
<div class="pg-stage"><svg class="pg-plane" role="group" aria-label="Plane with the points and a line with two handles"></svg></div>
<div class="pg-panel">
  <div class="pg-row" role="group" aria-label="Points">${Object.keys(SETS).map((name) => button(`set-${name}`, name)).join("")}</div>
  <div class="pg-row"><span class="pg-tally" data-part="tally"></span>${button("swap", "Swap + and −")}${button("show", "Show me one", `class="pg-earned"`)}</div>
  <div class="pg-tiles" role="group" aria-label="All labellings" data-part="tiles"></div>
</div>`;

/** Put the game into an element; `state` has the points, as a text. */
export function mount(el, { state: given = null } = {}) {
  const scene = room(el, PAGE, () => draw(), "pg-shatter"), { root, find, part, sizes, say } = scene, plane = root.querySelector(".pg-plane");
  let points, can, ends, found, refused, shown = null, drag = null;

  function load(text) {
    ({ points } = read(text ?? SETS["3 points"]));
    if (points.length > 5) throw new RangeError("there is room for 5 points");
    ends = [[-6, 0.5], [6, 1.5]];
    anew();
    say(`Drag the line by its handles: on one side it says +, on the other −. How many of the ${2 ** points.length} labellings can you collect?`);
  }
  function anew() { [can, found, refused, shown] = [labellings(points), new Set(), new Set(), null]; collect(); draw(); }
  /** The height of a point over the line through the two handles; above 0 it is +. */
  function height(p) { const [[a, b], [c, d]] = ends; return (c - a) * (p[1] - b) - (d - b) * (p[0] - a); }
  const made = () => (points.every((p) => Math.abs(height(p)) > 1e-9) ? points.reduce((k, p, i) => k + (height(p) > 0) * 2 ** i, 0) : null);
  const signs = (k) => labelling(k, points.length).map((y) => (y > 0 ? "+" : "−")).join(" ");
  /** What the line makes, if it is new; and what is left to find. */
  function collect() { const k = made(), fresh = k !== null && !found.has(k); if (fresh) found.add(k); return fresh; }
  function news(words) {
    const m = points.length, all = 2 ** m, [left, no] = [can.length - found.size, all - can.length];
    const law = straight() ? `Three lie on a line, which costs some: without that it would be m² − m + 2 = ${m * m - m + 2}.`
      : `With no three on a line it is always m² − m + 2, here ${m * m - m + 2}.`;
    say(words + (left ? ` ${count(found.size, "labelling")} of ${all} so far.`
      : no ? ` That is all a line can do: ${can.length} of ${all}. No line makes the other ${no}: choose one to see why. ${law}`
      : ` All ${all}: lines shatter these ${m} points. ${m < 3 ? "And three?" : "And four?"}`));
  }
  const straight = () => points.some((p, i) => points.some((q, j) => points.some((r, k) => i < j && j < k &&
    (q[0] - p[0]) * (r[1] - p[1]) === (q[1] - p[1]) * (r[0] - p[0]))));
  function turned() {
    shown = null;
    const fresh = collect();
    draw();
    if (fresh) news(`New: ${signs(made())}.`);
    else if (made() === null) say("A point lies on the line: it is on neither side.");
  }
  /** A labelling that was chosen: the line that makes it, or the proof that none does. */
  function choose(k) {
    const labels = labelling(k, points.length), best = separate(points, labels, { bias: 1 });
    shown = null;
    if (best.separable) {
      const w = best.u.map(Number), a = w.slice(0, 2), size = Math.hypot(...a), foot = a.map((v) => (size ? (-w[2] * v) / size ** 2 : 0));
      const along = size ? [a[1] / size, -a[0] / size] : [1, 0], far = size ? foot : [0, w[2] > 0 ? -7 : 7];
      ends = [-6, 6].map((s) => far.map((v, j) => v + s * along[j]));
      if (dot([...points[0], 1], w) > 0 !== height(points[0]) > 0) ends.reverse();
      found.add(k);
      draw();
      news(`${signs(k)}: this line makes it.`);
    } else {
      [shown, refused] = [{ k, best }, refused.add(k)];
      draw();
      news(`${signs(k)}: no line makes it, for the ringed + points and the ringed − points have a mean in common (★), and a line would have to keep it on both its sides.`);
    }
  }

  function draw() {
    const size = sizes.get(plane), all = 2 ** points.length, k = shown ? shown.k : made();
    part("tally").textContent = `${found.size} of ${all} found`;
    find("show").hidden = found.size + refused.size === all;
    for (const name in SETS) find(`set-${name}`).setAttribute("aria-pressed", same([SETS[name], true], [points.map((p) => `${p.join()}p`).join(""), true]));
    const tiles = part("tiles");
    if (tiles.children.length !== all) tiles.innerHTML = Array.from({ length: all }, (_, k) => `<button type="button" class="pg-tile" data-k="${k}"></button>`).join("");
    [...tiles.children].forEach((tile, j) => {
      const is = found.has(j) ? "found" : refused.has(j) ? "none" : "", labels = labelling(j, points.length);
      const to = (p) => [20 + (18 / HALF) * p[0], 20 - (18 / HALF) * p[1]];
      tile.innerHTML = `<svg viewBox="-1 -7 44 48" aria-hidden="true">${points.map((p, i) => mark(to(p), labels[i], 5)).join("")}</svg><i>${is ? (is === "found" ? "✓" : "✕") : ""}</i>`;
      if (is) tile.dataset.is = is;
      else delete tile.dataset.is;
      tile.setAttribute("aria-pressed", j === k);
      tile.setAttribute("aria-label", `${signs(j)}, ${is === "found" ? "made" : is ? "no line makes it" : "not made yet"}`);
    });
    if (!size) return;
    const frame = scale(size, [0, 0], HALF), { to, unit, line } = frame, ink = inkOf(unit), label = labeller(size, []);
    const [[a, b], [c, d]] = ends, normal = [b - d, c - a], now = line(normal, -dot(normal, [a, b])), middle = [(a + c) / 2, (b + d) / 2];
    const far = Math.hypot(...normal) || 1, tip = middle.map((v, j) => v + normal[j] / far), here = document.activeElement?.dataset?.h;
    let inside = grid(frame, size, label)[0];
    if (shown) inside += proof({ points, labels: labelling(shown.k, points.length), best: shown.best, bias: 1 }, to, ink);
    else if (now) inside += stroke(...now, "pg-w") + arrow(to(middle), to(tip), "pg-w") + label("+", "pg-strong", around(to(tip), 6, normal));
    points.forEach((p, i) => {
      const y = k === null ? 0 : labelling(k, points.length)[i] * (shown || Math.abs(height(p)) > 1e-9 ? 1 : 0);
      inside += tag("g", { class: "pg-point", tabindex: 0, role: "button", "data-h": i, "aria-label": `Point ${i}, ${y > 0 ? "plus" : y < 0 ? "minus" : "on the line"}, at ${vector(p)}` },
        disc(to(p), 22, "pg-hit") + mark(to(p), y, 11 * ink));
    });
    if (!shown) ends.forEach((p, i) => {
      inside += tag("g", { tabindex: 0, role: "button", class: "pg-point", "data-h": `e${i}`, "aria-label": `Handle ${i + 1} of the line, at ${vector(p.map((v) => +v.toFixed(2)))}` },
        disc(to(p), 22, "pg-hit") + disc(to(p), 12, "pg-handle"));
    });
    plane.innerHTML = inside;
    if (here !== undefined && here !== null) plane.querySelector(`[data-h="${here}"]`)?.focus({ preventScroll: true });
  }
  /** A point as + or −, or as neither. */
  const mark = (at, y, r) => (y > 0 ? disc(at, r, "pg-plus") : y < 0 ? tag("rect", { x: at[0] - 0.9 * r, y: at[1] - 0.9 * r, width: 1.8 * r, height: 1.8 * r, class: "pg-minus" })
    : disc(at, r, "pg-handle")) + (y && r > 7 ? path([[at[0] - r / 2, at[1]], [at[0] + r / 2, at[1]]], "pg-glyph") + (y > 0 ? path([[at[0], at[1] - r / 2], [at[0], at[1] + r / 2]], "pg-glyph") : "") : "");

  function moveTo(h, p) {
    const kept = p.map((v) => within(v, 0.2 - HALF, HALF - 0.2));
    if (h[0] === "e") { ends[h[1]] = kept; return turned(); }
    const place = kept.map(Math.round).map((v) => v + 0);
    if (points.some((q) => same(q, place))) return;
    points[h] = place;
    anew();
    say(`Point ${h} is at ${vector(place)} now: ${can.length} of the ${2 ** points.length} labellings can be made.` + (straight() ? " Three lie on a line." : ""));
  }
  plane.addEventListener("pointerdown", (event) => {
    const g = event.target.closest("[data-h]");
    if (!g || event.button) return;
    drag = g.dataset.h;
    g.focus({ preventScroll: true });
    plane.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  plane.addEventListener("pointermove", (event) => drag && moveTo(drag, scale(sizes.get(plane), [0, 0], HALF).from(spotOf(plane, event))));
  for (const name of ["pointerup", "pointercancel"]) plane.addEventListener(name, () => (drag = null));
  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
  scene.keys(({ key, target, shiftKey }) => {
    const h = target.dataset.h, by = ARROWS[key];
    if (!h || !by) return false;
    const step = h[0] === "e" ? (shiftKey ? 1 : 0.25) : 1;
    moveTo(h, (h[0] === "e" ? ends[h[1]] : points[h]).map((v, k) => v + step * by[k]));
  });
  root.addEventListener("click", (event) => {
    const { do: name, k } = event.target.closest("button")?.dataset ?? {};
    if (k !== undefined) return choose(+k);
    if (name === "swap") return ends.reverse(), turned();
    if (name === "show") return choose(can.find((k) => !found.has(k)) ?? Array.from({ length: 2 ** points.length }, (_, k) => k).find((k) => !found.has(k) && !refused.has(k)));
    if (name) load(SETS[name.slice(4)]);
  });
  load(given); scene.begin();
  return { load, destroy: scene.destroy };
}

export default inNotebook(mount);
