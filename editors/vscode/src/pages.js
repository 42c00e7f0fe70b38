// What the server tells at length is shown as a document that nobody can edit or is asked to save.
const vscode = require("vscode");

const scheme = "tikc-page";

class Pages {
  constructor() {
    this.texts = new Map();
    this.changed = new vscode.EventEmitter();
    this.onDidChange = this.changed.event;
  }

  provideTextDocumentContent(uri) {
    return this.texts.get(uri.toString());
  }

  async show(name, text) {
    const uri = vscode.Uri.from({ scheme, path: "/" + name });
    this.texts.set(uri.toString(), text);
    this.changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: true, preserveFocus: true });
  }
}

module.exports = { Pages, scheme };
