// What a page does beside its theme: reach what is wide by keyboard, and open everything on paper.
function reach() {
  for (const part of document.querySelectorAll("pre, .wide, .katex-display, .table-wrapper")) {
    const wide = part.scrollWidth > part.clientWidth + 1;
    wide ? part.tabIndex = 0 : part.removeAttribute("tabindex");
  }
}
addEventListener("load", reach);
addEventListener("resize", reach);
document.addEventListener("toggle", reach, true);
let closed = [];
addEventListener("beforeprint", () => {
  closed = [...document.querySelectorAll("article details:not([open])")];
  closed.forEach(part => part.open = true);
});
addEventListener("afterprint", () => closed.forEach(part => part.open = false));

// A finger has no hover: the first tap on a term says what it means, the second leads there.
let told = null;
addEventListener("click", event => {
  const term = event.target.closest?.(".term");
  if (!term || term === told || !matchMedia("(hover: none)").matches) return;
  event.preventDefault();
  (told = term).focus();
});

// What a search finds says each formula once.
addEventListener("DOMContentLoaded", () => {
  if (typeof Search === "undefined") return;
  const plain = Search.htmlToText, spoken = /<span class="katex-mathml">.*?<\/math><\/span>/gs;
  Search.htmlToText = (html, anchor) => plain(html.replace(spoken, ""), anchor);
});
