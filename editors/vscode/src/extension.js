// Starts `tikc lsp` and lets it speak; nothing about contracts is known here.
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");
const { findProgram } = require("./program");
const { Pages, scheme } = require("./pages");

const selector = [
  { scheme: "file", language: "tikc" },
  { scheme: "untitled", language: "tikc" },
  { scheme: "file", pattern: "**/tikc.yaml" },
  { scheme: "file", pattern: "**/*.tikc-test.yaml" },
];
const shown = ["tikc.diff", "tikc.explain", "tikc.solve"];

let output, pages, client;
let standIns = [];

/** A command from the palette has no argument. It then refers to the contract or claim at the cursor, or the nearest one above. */
function argumentOf(given) {
  if (given[0]?.contract) return given[0];
  const editor = vscode.window.activeTextEditor;
  return editor && { textDocument: { uri: editor.document.uri.toString() }, position: { line: editor.selection.active.line, character: 0 } };
}

async function show(command, given, next) {
  if (!shown.includes(command)) return next(command, given);
  const about = argumentOf(given);
  if (!about) return vscode.window.showInformationMessage("Open a contract and put the cursor on a contract or claim.");
  // Shows the reason for a missing answer itself: the client would report a failed request.
  const asked = { command, arguments: [{ ...about, format: "html" }] };
  const answer = await client.sendRequest("workspace/executeCommand", asked).catch((error) => void vscode.window.showInformationMessage(`tikc: ${error.message}`));
  if (typeof answer === "string") await pages.show(command.replace("tikc.", ""), answer);
  return answer;
}

/** Tells the server what is not in the protocol: that answers of commands are shown here. */
const showsResults = {
  fillClientCapabilities: (capabilities) => void (capabilities.experimental = { ...capabilities.experimental, tikc: { showsResults: true } }),
  initialize: () => undefined,
  getState: () => ({ kind: "static" }),
  clear: () => undefined,
};

/** Commands of a server that is not there, or does not know them, say so. */
function standIn(why) {
  dismiss();
  standIns = shown.map((command) => vscode.commands.registerCommand(command, () => vscode.window.showWarningMessage(why)));
}

function dismiss() {
  for (const each of standIns) each.dispose();
  standIns = [];
}

async function report(why, ...more) {
  output.appendLine(why);
  standIn(why);
  const settings = "Open Settings";
  const again = "Try Again";
  const chosen = await vscode.window.showErrorMessage([why, ...more].join(" "), settings, again);
  if (chosen === settings) await vscode.commands.executeCommand("workbench.action.openSettings", "tikc.path");
  if (chosen === again) await restart();
}

async function start() {
  const setting = vscode.workspace.getConfiguration("tikc").get("path", "tikc");
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  const program = findProgram(setting, folder);
  if (!program) {
    const where = setting.includes("/") ? "is not a program" : "is not on PATH";
    void report(`\`${setting}\` ${where}.`, "Install tikc, or set tikc.path to its location. Syntax colours work without it.");
    return;
  }
  dismiss();
  output.appendLine(`starting ${program} lsp`);
  client = new LanguageClient(
    "tikc",
    "tikc",
    { command: program, args: ["lsp"], options: { cwd: folder } },
    { documentSelector: selector, outputChannel: output, middleware: { executeCommand: show } },
  );
  client.registerFeature(showsResults);
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    void report(`${program} lsp does not start: ${error.message ?? error}.`, "Is it a tikc that has the command lsp?");
    return;
  }
  if (!client.initializeResult?.capabilities.executeCommandProvider) standIn("This tikc does not know the command yet.");
}

async function stop() {
  const running = client;
  client = undefined;
  // What was typed this moment is still on its way through the client.
  await new Promise(setImmediate);
  // A server that hangs or is gone is no reason not to start another.
  await running?.dispose(2000).catch((error) => output.appendLine(String(error)));
}

async function restart() {
  await stop();
  await start();
}

async function activate(context) {
  output = vscode.window.createOutputChannel("tikc");
  pages = new Pages();
  context.subscriptions.push(
    output,
    vscode.workspace.registerTextDocumentContentProvider(scheme, pages),
    vscode.commands.registerCommand("tikc.restart", restart),
    vscode.workspace.onDidChangeConfiguration((event) => (event.affectsConfiguration("tikc.path") ? restart() : undefined)),
    { dispose: dismiss },
  );
  await start();
}

module.exports = { activate, deactivate: stop };
