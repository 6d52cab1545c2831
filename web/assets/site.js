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
