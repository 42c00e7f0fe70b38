// axe_pages.mjs PEERS PAGE...: what axe-core finds in the articles of pages, one line each. Contrast needs a browser, and is left to look_at_page.py.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const [peers, ...pages] = process.argv.slice(2);
const require = createRequire(path.resolve(peers, "package.json"));
const { JSDOM, VirtualConsole } = require("jsdom");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

let count = 0;
for (const page of pages) {
  const article = new JSDOM(readFileSync(page, "utf8")).window.document.querySelector("article");
  const alone = `<!doctype html><html lang="en"><head><title>${path.basename(page)}</title></head><body><main>${article.outerHTML}</main></body></html>`;
  const { window } = new JSDOM(alone, { runScripts: "outside-only", virtualConsole: new VirtualConsole() });
  window.eval(axe);
  const found = await window.axe.run(window.document, { rules: { "color-contrast": { enabled: false } } });
  for (const { id, help, nodes } of found.violations) {
    console.log(`${page}: ${id}: ${help}: ${nodes[0].html.slice(0, 160)}`);
    count++;
  }
  window.close();
}
process.exitCode = count ? 1 : 0;
