// Explorers without a kernel: controls for the pictures and words that web/frames.py has made.
// A picture is loaded when it is wanted, and its neighbours then, too.
for (const place of document.querySelectorAll(".explorer")) explore(place);

function explore(place) {
  const known = JSON.parse(place.querySelector("script").textContent);
  const image = place.querySelector("img"), panel = place.querySelector(".panel");
  const words = panel.querySelector(".words"), chosen = [...known.start];
  words.setAttribute("aria-live", "polite");
  const controls = known.controls.map(control);
  if (known.play) panel.insertBefore(player(controls.at(-1).input, known.play), words);
  let wanted = 0;
  fit();

  // A menu, or a slider with its value beside it; both are native, so keys work as everywhere.
  function control({ name, menu }, k) {
    const label = document.createElement("label"), output = document.createElement("output");
    const input = document.createElement(menu ? "select" : "input");
    if (!menu) Object.assign(input, { type: "range", min: 0, step: 1 });
    label.append(Object.assign(document.createElement("span"), { textContent: name }), input);
    output.setAttribute("aria-hidden", "true"); // the slider itself says its value
    if (!menu) label.append(output);
    panel.insertBefore(label, words);
    input.addEventListener("input", () => {
      chosen[k] = nodes()[k].options[menu ? input.selectedIndex : input.value];
      fit();
      show(k);
    });
    return { input, output, menu };
  }

  // The node of each control, on the way from the root to the chosen leaf; the leaf comes last.
  function nodes(path = chosen) {
    const found = [known.tree];
    for (const text of path) {
      const node = found.at(-1);
      found.push(node.off ?? node.then[Math.max(0, node.options.indexOf(text))]);
    }
    return found;
  }

  // Give each control the options that it has now.
  function fit() {
    nodes().slice(0, -1).forEach((node, k) => {
      const { input, output, menu } = controls[k];
      input.disabled = "off" in node;
      if (input.disabled) return void (output.value = "–");
      if (!node.options.includes(chosen[k])) chosen[k] = node.options[0];
      const at = node.options.indexOf(chosen[k]);
      if (menu) {
        if (input.length !== node.options.length)
          input.replaceChildren(...node.options.map(text => new Option(text)));
        input.selectedIndex = at;
      } else {
        input.max = node.options.length - 1;
        input.value = at;
        output.value = chosen[k];
        input.setAttribute("aria-valuetext", chosen[k]);
      }
    });
  }

  // Show the chosen state as soon as its picture is there, unless another was chosen meanwhile.
  async function show(k) {
    const mine = ++wanted, [picture, said, table] = nodes().at(-1), [alt, text] = known.words[said];
    try {
      const src = await loaded(picture);
      if (mine !== wanted) return;
      Object.assign(image, { src, alt });
      words.innerHTML = text + known.tables[table];
      const { options } = nodes()[k], at = options.indexOf(chosen[k]);
      for (const next of [options[at + 1], options[at - 1]])
        if (next) loaded(nodes(chosen.with(k, next)).at(-1)[0]).catch(() => {});
    } catch { if (mine === wanted) words.textContent = "This picture could not be loaded. Is there a network?"; }
  }

  async function loaded(picture) {
    const fresh = new Image();
    fresh.src = `../frames/${known.pictures[picture]}`;
    await fresh.decode();
    return fresh.src;
  }
}

// A button that moves a slider on, step by step, and from its end to its beginning.
function player(input, interval) {
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: "Play" });
  let timer = 0;
  button.addEventListener("click", () => {
    clearInterval(timer);
    timer = timer ? 0 : setInterval(step, interval);
    button.textContent = timer ? "Pause" : "Play";
    if (timer) step();
  });
  function step() { input.value = +input.value === +input.max ? 0 : +input.value + 1; input.dispatchEvent(new Event("input")); }
  return button;
}

// On slides, keys on a control are the control's; Escape gives them back to the slides, and so do
// the keys of a presenter's remote control.
addEventListener("keydown", event => {
  if (!window.Reveal || !event.target.closest?.(".explorer")) return;
  const away = /^(Escape|PageUp|PageDown)$/.test(event.key);
  if (away) document.activeElement.blur();
  if (!away || event.key === "Escape") event.stopPropagation();
}, true);
