// What a reading page does by itself: reach, copy, print, search.  All of it works without a server.

// What is too wide to be seen at once can be reached and scrolled by keyboard.
function reach() {
  for (const part of document.querySelectorAll("pre, .wide, .katex-display")) {
    const wide = part.scrollWidth > part.clientWidth + 1;
    wide ? part.tabIndex = 0 : part.removeAttribute("tabindex");
    part.classList.toggle("scrolls", wide);
  }
}
addEventListener("load", reach);
addEventListener("resize", reach);
document.addEventListener("toggle", reach, true);

// A button on each piece of code, which says what it has done.
for (const code of document.querySelectorAll("pre.code")) {
  const button = Object.assign(document.createElement("button"), { textContent: "Copy", className: "copy" });
  button.setAttribute("aria-label", "Copy this code");
  button.onclick = async () => {
    await navigator.clipboard.writeText(code.textContent);
    button.textContent = "Copied";
    setTimeout(() => button.textContent = "Copy", 1500);
  };
  const box = Object.assign(document.createElement("div"), { className: "with-copy" });
  code.replaceWith(box);
  box.append(code, button);
}

// On paper everything is open; then it is as it was.
let closed = [];
addEventListener("beforeprint", () => {
  closed = [...document.querySelectorAll("main details:not([open])")];
  closed.forEach(part => part.open = true);
});
addEventListener("afterprint", () => closed.forEach(part => part.open = false));

// A table of contents is open where it stands beside the text.
const contents = document.querySelector("details.toc");
if (contents && !matchMedia("(min-width: 75rem)").matches) contents.open = false;

// Search: the index is a script, fetched at the first use, so that it is found from a file, too.
const field = document.querySelector("#search"), found = document.querySelector("#found");
let index = null;
function load() {
  index ??= new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = field.dataset.index;
    script.onload = () => done(window.SECTIONS);
    script.onerror = failed;
    document.head.append(script);
  });
  return index;
}
function plain(text) {
  return text.toLowerCase().normalize("NFD").replace(/[\u0300-\u036f]/g, "");
}
async function look() {
  const words = plain(field.value).split(/\s+/).filter(word => word.length > 1);
  const hits = [];
  for (const [address, lesson, heading, text] of words.length ? await load() : []) {
    const head = plain(heading), body = plain(text);
    if (words.every(word => head.includes(word) || body.includes(word))) {
      const at = Math.max(0, body.indexOf(words[0]) - 40);
      hits.push([words.filter(word => head.includes(word)).length, address, lesson, heading, text.slice(at, at + 140)]);
    }
  }
  hits.sort((one, other) => other[0] - one[0]);
  found.replaceChildren(...hits.slice(0, 12).map(([, address, lesson, heading, text]) => {
    const item = document.createElement("li"), link = document.createElement("a");
    link.href = field.dataset.root + address;
    link.textContent = `${lesson}: ${heading}`;
    item.append(link, document.createElement("br"), `… ${text} …`);
    return item;
  }));
  document.querySelector("#count").textContent = !words.length ? "" :
    hits.length ? `${hits.length} section${hits.length > 1 ? "s" : ""} found` : `Nothing found for “${field.value}”`;
}
if (field) {
  field.addEventListener("focus", load, { once: true });
  field.addEventListener("input", look);
  field.addEventListener("keydown", event => {
    if (event.key === "Escape") { field.value = ""; look(); }
  });
}
