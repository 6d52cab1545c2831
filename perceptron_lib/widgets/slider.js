// A native slider over a few texts: screen readers say its name, and its keys are its own.
export default {
  render({ model, el }) {
    const [label, name, output] = ["label", "span", "output"].map((kind) => document.createElement(kind));
    const input = Object.assign(document.createElement("input"), { type: "range", min: 0, step: 1 });
    label.style = "display: grid; grid-template-columns: 105px 1fr 52px; gap: 8px; align-items: center";
    name.style.textAlign = "right";
    input.style = "width: 100%; margin: 6px 0";
    input.setAttribute("data-lm-suppress-shortcuts", "true"); // in JupyterLab, which has many
    output.setAttribute("aria-hidden", "true"); // the slider itself says its value
    label.append(name, input, output);
    el.append(label);
    el.style.width = "100%";
    function say(index) {
      output.value = input.disabled ? "–" : model.get("texts")[index] ?? "";
      input.setAttribute("aria-valuetext", output.value);
    }
    function fit() {
      const [value, disabled] = [model.get("index"), model.get("disabled")];
      name.textContent = model.get("description");
      Object.assign(input, { max: model.get("texts").length - 1, value, disabled });
      say(value);
    }
    input.addEventListener("input", () => say(+input.value));
    input.addEventListener("change", () => { model.set("index", +input.value); model.save_changes(); });
    model.on("change", fit);
    fit();
  },
};
