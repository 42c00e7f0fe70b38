// Shows long answers of the server next to the contract: HTML as a page, text as a read-only document that is never saved.
const vscode = require("vscode");

const scheme = "tikc-page";

class Pages {
  constructor() {
    this.texts = new Map();
    this.panels = new Map();
    this.changed = new vscode.EventEmitter();
    this.onDidChange = this.changed.event;
  }

  provideTextDocumentContent(uri) {
    return this.texts.get(uri.toString());
  }

  async show(name, text) {
    if (text.startsWith("<!doctype html>")) this.showPage(name, text);
    else await this.showText(name, text);
  }

  /** In the panel of that name, where it is still open. */
  showPage(name, html) {
    let panel = this.panels.get(name);
    if (!panel) {
      panel = vscode.window.createWebviewPanel(scheme, `tikc ${name}`, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true }, { enableScripts: false });
      panel.onDidDispose(() => this.panels.delete(name));
      this.panels.set(name, panel);
    }
    panel.webview.html = html;
    panel.reveal(undefined, true);
  }

  async showText(name, text) {
    const uri = vscode.Uri.from({ scheme, path: `/${name}.txt` });
    this.texts.set(uri.toString(), text);
    this.changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: true, preserveFocus: true });
  }
}

module.exports = { Pages, scheme };
