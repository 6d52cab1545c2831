// Run the code of notebooks on Pyodide, without a browser: node lessons.mjs PYODIDE NOTEBOOK...
// For each notebook a line of JSON: its name, the seconds it took, and what its cells put out.
import { pathToFileURL } from "node:url";
import { readFile } from "node:fs/promises";
import path from "node:path";

const [folder, ...notebooks] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(path.join(folder, "pyodide.mjs")));
const pyodide = await loadPyodide({ indexURL: folder + path.sep });
await pyodide.loadPackage(["perceptron-lib", "ipython"], { messageCallback: () => {} });
const run = pyodide.runPython(`
import json, os
os.environ["MPLBACKEND"] = "agg"
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

def run(cells):
    """What each cell says: what it prints, what it shows, and the error it ends in."""
    InteractiveShell.clear_instance()
    shell, said = InteractiveShell.instance(), []
    for source in json.loads(cells):
        with capture_output() as caught:
            shown = shell.display_pub.outputs
            shell.display_trap.hook = lambda value: value is None or shell.display_pub.publish(
                *shell.display_formatter.format(value))
            done = shell.run_cell(source, store_history=True)
        error = done.error_before_exec or done.error_in_exec
        shown = [{"data": {kind: text for kind, text in out["data"].items() if kind[:5] == "text/"},
                  "metadata": out["metadata"] or {}} for out in shown if out["data"]]
        said.append({"printed": caught.stdout, "shown": shown, "error": error and repr(error)})
    return json.dumps(said, default=repr)
run`);
for (const file of notebooks) {
  const cells = JSON.parse(await readFile(file, "utf8")).cells.filter((cell) => cell.cell_type === "code");
  const began = performance.now();
  const said = JSON.parse(run(JSON.stringify(cells.map((cell) => [].concat(cell.source).join("")))));
  const seconds = (performance.now() - began) / 1000;
  console.log(JSON.stringify({ name: path.basename(file, ".ipynb"), seconds, said }));
}
