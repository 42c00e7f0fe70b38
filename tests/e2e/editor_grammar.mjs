// The TextMate grammar, by the engine that VS Code has: the scopes of every token, as tests/editors/*.scopes keep them (TIKC_UPDATE=1 writes
// them), and of all examples that nothing leaks from one entry into the next.

import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
const peers = process.env.TIKC_PEERS ?? path.join(root, "build/peers");
if (!existsSync(path.join(peers, "node_modules/vscode-textmate"))) {
  console.log("skipped: vscode-textmate is not installed in build/peers");
  process.exit(77);
}
const require = createRequire(path.join(peers, "package.json"));
const textmate = require("vscode-textmate");
const oniguruma = require("vscode-oniguruma");

await oniguruma.loadWASM(readFileSync(require.resolve("vscode-oniguruma").replace(/main\.js$/, "onig.wasm")).buffer);
const file = path.join(root, "editors/vscode/syntaxes/tikc.tmLanguage.json");
const registry = new textmate.Registry({
  onigLib: Promise.resolve({ createOnigScanner: (sources) => new oniguruma.OnigScanner(sources), createOnigString: (text) => new oniguruma.OnigString(text) }),
  loadGrammar: async () => textmate.parseRawGrammar(readFileSync(file, "utf8"), file),
});
const grammar = await registry.loadGrammar("source.tikc");

/** The tokens of each line: text and innermost scopes. */
function tokensOf(text) {
  let state = textmate.INITIAL;
  return text.split("\n").map((line) => {
    const result = grammar.tokenizeLine(line, state);
    state = result.ruleStack;
    return {
      line,
      depth: state.depth,
      tokens: result.tokens.map(({ startIndex, endIndex, scopes }) => ({
        text: line.slice(startIndex, endIndex),
        at: startIndex,
        scopes: scopes.slice(1).map((scope) => scope.replace(/\.tikc$/, "")),
      })),
    };
  });
}

const faults = [];
const shown = (text) =>
  tokensOf(text)
    .map(({ line, tokens }) => {
      const named = tokens.filter(({ text, scopes }) => text.trim() && scopes.length);
      return line + "\n" + named.map(({ text, scopes }) => `    ${text.trim()}   ${scopes.join(" ")}\n`).join("");
    })
    .join("");

const kept = path.join(root, "tests/editors");
const samples = { forms: path.join(kept, "forms.tikc.yaml") };
for (const [name, sample] of Object.entries(samples)) {
  const golden = path.join(kept, `${name}.scopes`);
  const now = shown(readFileSync(sample, "utf8"));
  if (existsSync(golden) && readFileSync(golden, "utf8") === now) continue;
  if (process.env.TIKC_UPDATE === "1") {
    writeFileSync(golden, now);
    console.log(`written: ${golden}`);
  } else {
    const before = existsSync(golden) ? readFileSync(golden, "utf8").split("\n") : [];
    const first = now.split("\n").findIndex((line, i) => line !== before[i]);
    faults.push(`${name}: line ${first + 1} of its scopes is now\n  ${now.split("\n")[first]}\nand was\n  ${before[first]}`);
  }
}

function* contracts(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const each = path.join(folder, entry.name);
    if (entry.isDirectory()) yield* contracts(each);
    else if (entry.name.endsWith(".tikc.yaml")) yield each;
  }
}

// Words that are the tables', so that a new row without `make gen` is seen here as well.
const isName = /^(support|keyword|constant|entity|variable|invalid)/;
let lines = 0;
for (const each of contracts(path.join(root, "examples"))) {
  for (const { line, tokens } of tokensOf(readFileSync(each, "utf8"))) {
    lines++;
    const where = `${path.relative(root, each)}: ${line}`;
    const of = (token) => token.scopes.at(-1) ?? "";
    if (tokens.some((token) => token.scopes.some((scope) => scope.startsWith("invalid")))) faults.push(`${where}\n  has what is never right`);
    if (/^[a-z]+:/.test(line) && of(tokens[0]) !== "entity.name.tag") faults.push(`${where}\n  the key is ${of(tokens[0])}`);
    const bare = tokens.filter((token) => /\w/.test(token.text) && !token.scopes.some((scope) => isName.test(scope) || /^(string|comment|meta\.flow.*string)/.test(scope)));
    if (bare.length) faults.push(`${where}\n  has no scope for ${bare.map((token) => JSON.stringify(token.text))}`);
    const comment = line.search(/(^|\s)#/);
    if (comment >= 0 && !/["'>|]/.test(line) && !/^comment/.test(tokens.at(-1).scopes[0] ?? "") && !/comment/.test(tokens.at(-1).scopes.join(" ")))
      faults.push(`${where}\n  its comment is ${tokens.at(-1).scopes}`);
  }
}
if (lines < 100) faults.push(`only ${lines} lines of examples were seen`);

console.log(faults.join("\n"));
console.log(`${Object.keys(samples).length} goldens, ${lines} lines of examples, ${faults.length} faults`);
process.exit(faults.length ? 1 : 0);
