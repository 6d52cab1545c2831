// Sets formulas: reads [[tex, display], …] from stdin and writes the list of their HTML.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const { default: katex } = await import(pathToFileURL(process.argv[2]).href);
const formulas = JSON.parse(readFileSync(0, "utf-8"));
const set = ([tex, displayMode]) => {
  try {
    return katex.renderToString(tex, { displayMode, throwOnError: true });
  } catch (error) {
    console.error(`The formula ${tex} cannot be set: ${error.message}`);
    process.exit(1);
  }
};
process.stdout.write(JSON.stringify(formulas.map(set)));
