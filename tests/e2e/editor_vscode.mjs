// The extension as it is packed: what its .vsix must have, as vsce and VS Code judge it, and a whole story of editing with the client in it
// and the real server, in an editor without a window.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
const tikc = process.env.TIKC ?? path.join(root, "build/release/bin/tikc");
const peers = process.env.TIKC_PEERS ?? path.join(root, "build/peers");
if (!existsSync(path.join(root, "build/editors/vscode/node_modules"))) {
  console.log("skipped: what the extension is made of is not installed; .ci/setup editors does that");
  process.exit(77);
}
const scratch = realpathSync(mkdtempSync(path.join(os.tmpdir(), "tikc-vscode-")));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));
const require = createRequire(import.meta.url);
const { createEditor } = require("../tools/vscode_stub.cjs");
const python = process.env.TIKC_PYTHON ?? "/usr/bin/python3";

// ---- The package ----

const vsix = path.join(scratch, "a.vsix");
const again = path.join(scratch, "b.vsix");
for (const file of [vsix, again]) execFileSync(python, [path.join(root, "editors/vscode/package.py"), "--output", file]);
assert.deepEqual(readFileSync(vsix), readFileSync(again), "the same sources give the same bytes");
const unpacked = path.join(scratch, "unpacked");
execFileSync(python, ["-m", "zipfile", "-e", vsix, unpacked]);
const extension = JSON.parse(readFileSync(path.join(unpacked, "extension/package.json"), "utf8"));

function checkPackage() {
  const at = (name) => path.join(unpacked, "extension", name);
  assert.ok(existsSync(path.join(unpacked, "[Content_Types].xml")));
  const { contributes } = extension;
  for (const name of [extension.main, contributes.grammars[0].path, contributes.languages[0].configuration]) assert.ok(existsSync(at(name)), name);
  const version = /project\(tikc VERSION ([0-9.]+)/.exec(readFileSync(path.join(root, "CMakeLists.txt"), "utf8"))[1];
  assert.equal(extension.version, version, "the extension has tikc's version");
  assert.equal(JSON.parse(readFileSync(at(contributes.grammars[0].path))).scopeName, contributes.grammars[0].scopeName);
  new RegExp(JSON.parse(readFileSync(at("language-configuration.json"))).wordPattern);
  const bundle = readFileSync(at(extension.main), "utf8");
  // Nothing but the editor and Node's own modules is asked for when it runs.
  const builtin = new Set(require("node:module").builtinModules);
  const wanted = [...bundle.matchAll(/\brequire\("([^"]+)"\)/g)].map((found) => found[1]);
  for (const name of wanted) assert.ok(name === "vscode" || builtin.has(name.replace(/^node:/, "")), `the bundle needs ${name}`);
  assert.ok(wanted.includes("vscode"));
  // Each setting but those of the client itself is one that the server reads.
  const read = readFileSync(path.join(root, "compiler/lsp/session/Configure.cpp"), "utf8");
  for (const name of Object.keys(contributes.configuration.properties))
    if (!["tikc.path", "tikc.trace.server"].includes(name)) assert.ok(read.includes(`"${name.slice(5)}"`), `the server does not read ${name}`);
  const documented = readFileSync(path.join(root, "editors/vscode/README.md"), "utf8");
  for (const name of [...Object.keys(contributes.configuration.properties), ...contributes.commands.map((each) => each.command)])
    assert.ok(documented.includes("`" + name + "`"), `the README does not tell of ${name}`);
  const lock = readFileSync(path.join(root, "editors/vscode/package-lock.json"), "utf8");
  assert.ok(!/https?:\/\//.test(lock), "the lock file names no registry");
}

/** The tool that publishes extensions packs the same folder, and must write the same manifest. */
function compareWithVsce() {
  const vsce = path.join(peers, "node_modules/@vscode/vsce/vsce");
  if (!existsSync(vsce)) return console.log("vsce is not installed in build/peers, and is not asked");
  const staged = path.join(scratch, "staged");
  cpSync(path.join(unpacked, "extension"), staged, { recursive: true });
  const theirs = path.join(scratch, "theirs.vsix");
  execFileSync(process.execPath, [vsce, "package", "--no-dependencies", "--allow-missing-repository", "--out", theirs], { cwd: staged, stdio: "ignore" });
  const folder = path.join(scratch, "theirs");
  execFileSync(python, ["-m", "zipfile", "-e", theirs, folder]);
  const list = (where) => readdirSync(where, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(where, path.join(entry.parentPath ?? entry.path, entry.name)))
    .sort();
  assert.deepEqual(list(unpacked), list(folder));
  const facts = (where) => {
    const text = readFileSync(path.join(where, "extension.vsixmanifest"), "utf8");
    const tags = (/<Tags>(.*)<\/Tags>/.exec(text)?.[1] ?? "").split(",").sort();
    return { tags, rows: [...text.matchAll(/<(Identity|DisplayName|Description|Property|Asset|License|Categories|InstallationTarget)\b[^>]*>[^<]*/g)].map((found) => found[0].trim().replace(/\s*\/>$/, "/>")).sort() };
  };
  assert.deepEqual(facts(unpacked), facts(folder));
}

// ---- The story ----

const BASE = `tikc: v1
contract: base
version: 1.0.0
abstract: true
labels: { task: [math, code] }
kernels:
  trainer: { engine: fsdp2, weights: bf16 }
  rollout: { engine: vllm, weights: bf16 }
pair: { train: trainer, infer: rollout }
assumptions: { support: full }
slices:
  maths: { when: task == "math", weight: 50% }
observability:
  rows: sample(logits, 1%)
escalation:
  r: { when: violated(any), do: hold }
  s: { when: undecided(any) for 6 windows, do: hold }
`;
const child = (name, clause) => `tikc: v1
contract: ${name}
version: 1.0.0
extends: base.tikc.yaml
numerical:
  ${clause}
claims:
  token_tv: tv <= 0.5 on maths
`;
const FILES = { "base.tikc.yaml": BASE, "a.tikc.yaml": child("a", "drift: max(logit_ocs) <= 1 on maths"), "b.tikc.yaml": child("b", "drift: max(logit_osc) <= 0.9 on maths, other") };

function workspace(name, files) {
  const folder = path.join(scratch, name);
  mkdirSync(folder);
  for (const [file, text] of Object.entries(files)) writeFileSync(path.join(folder, file), text);
  return folder;
}

/** The extension in an editor of a folder; `module` anew each time, since it keeps what it started. */
function load(folder, settings) {
  const editor = createEditor(folder, extension, settings);
  const Module = require("node:module");
  const main = path.join(unpacked, "extension", extension.main);
  const before = Module._load;
  Module._load = function (name, ...more) {
    return name === "vscode" ? editor.vscode : before.call(this, name, ...more);
  };
  delete require.cache[main];
  const code = require(main);
  Module._load = before;
  const context = { subscriptions: [], extensionPath: path.dirname(main) };
  return { editor, start: () => code.activate(context), stop: async () => {
    await code.deactivate();
    context.subscriptions.forEach((each) => each.dispose());
  } };
}

const codes = (editor, document) => editor.squiggles(document).map((each) => each.code?.value ?? each.code);
/** A part of the story that needs a feature, which the server has offered by now. */
async function withFeature(editor, what, document, part) {
  await editor.until(`${what} is offered`, () => editor.has(what, document));
  await part();
}

async function fixes(editor, document, range, only = editor.vscode.CodeActionKind.QuickFix) {
  const here = editor.squiggles(document).filter((each) => each.range.contains(range.start));
  const found = await editor.ask("CodeActions", "provideCodeActions", document, range, { diagnostics: here, only, triggerKind: 1 });
  return found.filter((each) => each.kind === undefined || only.contains(each.kind));
}

async function tellTheStory() {
  const folder = workspace("story", FILES);
  const { editor, start, stop } = load(folder, { "tikc.path": tikc });
  const { vscode } = editor;
  const a = await editor.open("a.tikc.yaml");
  assert.equal(a.languageId, "tikc");
  await start();
  assert.deepEqual(editor.told, []);

  // A squiggle under the slip, with its code; the fix; and it is gone.
  await editor.until("the slip is seen", () => codes(editor, a).includes("TK5001"));
  const [squiggle] = editor.squiggles(a).filter((each) => (each.code?.value ?? each.code) === "TK5001");
  assert.ok(squiggle.range.isEqual(a.find("logit_ocs")));
  assert.equal(squiggle.source, "tikc");
  const [fix] = await fixes(editor, a, squiggle.range);
  assert.match(fix.title, /logit_osc/);
  assert.ok(!fix.isPreferred, "it is a guess");
  const resolved = fix.edit ? fix : await editor.resolve("CodeActions", "resolveCodeAction", fix);
  await vscode.workspace.applyEdit(resolved.edit);
  assert.ok(a.getText().includes("max(logit_osc) <= 1 on maths"));
  await editor.until("it is mended", () => !codes(editor, a).includes("TK5001"));

  // What is typed, half and whole, with characters of several units.
  editor.type(a, a.find("contract: a"), "contract: a\nsummary: 💡 Überschuß\r\nowners: [tem");
  await editor.until("the half is a fault", () => editor.squiggles(a).some((each) => each.severity === vscode.DiagnosticSeverity.Error));
  editor.type(a, a.find("[tem"), "[team]");
  await editor.until("the whole is none", () => editor.squiggles(a).every((each) => each.severity !== vscode.DiagnosticSeverity.Error));

  // A parent that is edited and not saved counts for its child.
  const base = await editor.open("base.tikc.yaml");
  editor.type(base, base.find("maths:"), "sums:");
  await editor.until("the child has lost its slice", () => codes(editor, a).length > 0);
  editor.type(base, base.find("sums:"), "maths:");
  await editor.until("the child has it again", () => editor.squiggles(a).every((each) => each.severity !== vscode.DiagnosticSeverity.Error));

  await withFeature(editor, "Rename", a, async () => {
    const [prepared] = await editor.ask("Rename", "prepareRename", a, a.find("maths").start);
    assert.equal(a.getText(prepared.range ?? prepared), "maths");
    const [edit] = await editor.ask("Rename", "provideRenameEdits", a, a.find("maths").start, "sums");
    assert.deepEqual(edit.entries().map(([uri]) => path.basename(uri.fsPath)).sort(), Object.keys(FILES).sort());
    await vscode.workspace.applyEdit(edit);
    for (const document of editor.documents.filter((each) => each.languageId === "tikc")) assert.ok(!document.getText().includes("maths"), document.uri.path);
    await new Promise((done) => setTimeout(done, 50));
    await editor.until("all is well", () => editor.documents.every((each) => editor.squiggles(each).every((one) => one.severity !== 0)));
  });

  await withFeature(editor, "CompletionItem", a, async () => {
    editor.type(a, a.find("logit_osc"), "logit_o");
    const items = await editor.ask("CompletionItem", "provideCompletionItems", a, a.find("logit_o").end, { triggerKind: 0 });
    const item = items.find((each) => (each.label.label ?? each.label) === "logit_osc");
    assert.ok(item, `logit_osc is none of ${items.map((each) => each.label.label ?? each.label)}`);
    const range = item.range?.replacing ?? item.range ?? item.textEdit.range;
    editor.type(a, range, item.insertText?.value ?? item.insertText ?? item.label);
    assert.ok(a.getText().includes("max(logit_osc) <= 1"));
    await editor.until("the metric is whole", () => !codes(editor, a).includes("TK5001"));
  });

  await withFeature(editor, "InlayHints", a, async () => {
    const label = (hint) => (typeof hint.label === "string" ? hint.label : hint.label.map((part) => part.value).join(""));
    const hints = async () => (await editor.ask("InlayHints", "provideInlayHints", a, new vscode.Range(0, 0, a.lineCount, 0))).map(label).join("|");
    const before = await hints();
    assert.notEqual(before, "");
    editor.type(a, a.find("<= 1 on"), "<= 0.5 on");
    await editor.until("the hint has changed", async () => (await hints()) !== before);
  });

  await withFeature(editor, "Hover", a, async () => {
    const [hover] = await editor.ask("Hover", "provideHover", a, a.find("logit_osc").start);
    assert.match([hover.contents].flat().map((each) => each.value ?? each).join(""), /scillation/);
  });

  await withFeature(editor, "DocumentFormattingEdit", a, async () => {
    editor.type(a, a.find("<= 0.5 on"), "<=0.5   on");
    const edits = await editor.ask("DocumentFormattingEdit", "provideDocumentFormattingEdits", a, { tabSize: 2, insertSpaces: true });
    const edit = new vscode.WorkspaceEdit();
    edit.set(a.uri, edits);
    await vscode.workspace.applyEdit(edit);
    assert.ok(a.getText().includes("<= 0.5 on"));
  });

  await withFeature(editor, "DocumentSemanticTokens", a, async () => {
    const [{ tokenTypes }] = editor.registered("DocumentSemanticTokens");
    const coloured = Object.keys(extension.contributes.semanticTokenScopes[0].scopes);
    assert.deepEqual([...new Set(coloured.map((each) => each.split(".")[0]))].sort(), [...tokenTypes].sort());
    const [tokens] = await editor.ask("DocumentSemanticTokens", "provideDocumentSemanticTokens", a);
    assert.ok(tokens.data.length >= 5 * 20, `${tokens.data.length / 5} tokens`);
  });

  await withFeature(editor, "CodeLens", a, async () => {
    vscode.window.activeTextEditor = { document: a, selection: { active: a.find("token_tv").start } };
    const shown = editor.told.length;
    await vscode.commands.executeCommand("tikc.explain");
    assert.equal(editor.told.length, shown, "the page is enough");
    const [page] = editor.panels;
    assert.equal(page.options.enableScripts, false);
    assert.match(page.webview.html, /^<!doctype html>[^]*token_tv/);
    await vscode.commands.executeCommand("tikc.explain");
    assert.equal(editor.panels.length, 1, "the same panel shows the next page");
    await vscode.commands.executeCommand("tikc.solve");
    const answer = editor.documents.at(-1);
    assert.equal(answer.uri.scheme, "tikc-page");
    assert.match(answer.getText(), /token_tv/);
    // This folder is no repository: that is said.
    vscode.window.activeTextEditor = { document: a, selection: { active: a.find("token_tv").start } };
    await vscode.commands.executeCommand("tikc.diff");
    assert.match(editor.told.at(-1).message, /not in the HEAD of a Git repository/);
    // Above the first claim there is none to tell of.
    vscode.window.activeTextEditor = { document: a, selection: { active: a.find("contract").start } };
    await vscode.commands.executeCommand("tikc.solve");
    assert.match(editor.told.at(-1).message, /cursor on a claim/);
  });

  // With errors nothing is decided, whatever lenses there are: that is said.
  editor.type(a, a.find("logit_osc"), "logit_ocs");
  vscode.window.activeTextEditor = { document: a, selection: { active: a.find("token_tv").start } };
  await vscode.commands.executeCommand("tikc.explain");
  assert.match(editor.told.at(-1).message, /the file has errors/);
  editor.type(a, a.find("logit_ocs"), "logit_osc");

  // The server goes on with what is open after it is started again.
  editor.type(a, a.find("logit_osc"), "logit_ocs");
  await vscode.commands.executeCommand("tikc.restart");
  await editor.until("the new server sees it", () => codes(editor, a).includes("TK5001"));
  editor.close(a);
  await stop();
  assert.deepEqual(editor.told.filter((each) => each.kind === "error"), []);
}

async function withoutTikc() {
  const folder = workspace("without", { "a.tikc.yaml": BASE });
  const { editor, start, stop } = load(folder, { "tikc.path": "tikc-that-is-nowhere" });
  await start();
  assert.equal(editor.told.length, 1);
  assert.match(editor.told[0].message, /^`tikc-that-is-nowhere` is not on PATH\. .*tikc\.path/);
  // Commands say why they do nothing, and the setting is enough to go on.
  await editor.vscode.commands.executeCommand("tikc.solve");
  assert.match(editor.told[1].message, /is not on PATH/);
  const a = await editor.open("a.tikc.yaml");
  editor.type(a, a.find("contract: base"), "contract: 1 2");
  editor.set("tikc.path", tikc);
  await editor.until("the server is there", () => editor.squiggles(a).length > 0);
  await stop();
}

async function notAServer() {
  const folder = workspace("other", { "a.tikc.yaml": BASE });
  const program = path.join(folder, "bin", "tikc");
  mkdirSync(path.dirname(program));
  writeFileSync(program, "#!/bin/sh\necho 'no such command' >&2\nexit 2\n");
  chmodSync(program, 0o755);
  const { editor, start, stop } = load(folder, { "tikc.path": "${workspaceFolder}/bin/tikc" });
  await start();
  await editor.until("it is told", () => editor.told.some((each) => /does not start/.test(each.message)));
  await stop();
}

// The client drops what it was about to say to a server that is stopped, and an editor writes that to its log. All else is a fault.
process.on("unhandledRejection", (error) => {
  if (/destroyed|disposed|not running|Starting server failed|closed|EPIPE/i.test(String(error?.message))) return;
  console.log(String(error?.stack ?? error).slice(0, 2000));
  process.exit(1);
});

checkPackage();
compareWithVsce();
await tellTheStory();
await withoutTikc();
await notAServer();
console.log("the package, and the story");
process.exit(0);
