// The plain types of the `vscode` module, as far as the language client takes and gives them.
const path = require("node:path");

class Disposable {
  constructor(dispose) {
    this.dispose = dispose ?? (() => undefined);
  }
  static from(...all) {
    return new Disposable(() => all.forEach((each) => each.dispose()));
  }
}

class EventEmitter {
  constructor() {
    this.listeners = new Set();
    this.event = (listener, self, disposables) => {
      const bound = self ? listener.bind(self) : listener;
      this.listeners.add(bound);
      const out = new Disposable(() => this.listeners.delete(bound));
      disposables?.push(out);
      return out;
    };
  }
  fire(value) {
    for (const each of [...this.listeners]) each(value);
  }
  dispose() {
    this.listeners.clear();
  }
}

class CancellationError extends Error {}
class CancellationTokenSource {
  constructor() {
    this.emitter = new EventEmitter();
    this.token = { isCancellationRequested: false, onCancellationRequested: this.emitter.event };
  }
  cancel() {
    if (this.token.isCancellationRequested) return;
    this.token.isCancellationRequested = true;
    this.emitter.fire();
  }
  dispose() {
    this.emitter.dispose();
  }
}

class Position {
  constructor(line, character) {
    if (!(line >= 0 && character >= 0)) throw new Error(`no position: ${line}:${character}`);
    Object.assign(this, { line, character });
  }
  compareTo(other) {
    return this.line - other.line || this.character - other.character;
  }
  isBefore(other) {
    return this.compareTo(other) < 0;
  }
  isEqual(other) {
    return this.compareTo(other) === 0;
  }
  translate(lines = 0, characters = 0) {
    return new Position(this.line + lines, this.character + characters);
  }
}

class Range {
  constructor(a, b, c, d) {
    const [first, second] = typeof a === "number" ? [new Position(a, b), new Position(c, d)] : [a, b];
    [this.start, this.end] = first.compareTo(second) <= 0 ? [first, second] : [second, first];
  }
  get isEmpty() {
    return this.start.isEqual(this.end);
  }
  contains(position) {
    return this.start.compareTo(position) <= 0 && position.compareTo(this.end) <= 0;
  }
  isEqual(other) {
    return this.start.isEqual(other.start) && this.end.isEqual(other.end);
  }
}
class Selection extends Range {
  get active() {
    return this.end;
  }
}

const encoded = (text) => text.split("/").map(encodeURIComponent).join("/");
class Uri {
  constructor(scheme, authority, where, query, fragment) {
    Object.assign(this, { scheme, authority, path: where, query, fragment });
  }
  static from({ scheme, authority = "", path: where = "", query = "", fragment = "" }) {
    return new Uri(scheme, authority, where, query, fragment);
  }
  static file(file) {
    return new Uri("file", "", path.resolve(file), "", "");
  }
  static parse(text) {
    const found = /^([A-Za-z][A-Za-z0-9+.-]*):(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/.exec(text);
    if (!found) throw new Error(`no uri: ${text}`);
    const [, scheme, authority = "", where, query = "", fragment = ""] = found;
    return new Uri(scheme, authority, ...[where, query, fragment].map(decodeURIComponent));
  }
  get fsPath() {
    return this.path;
  }
  with(change) {
    return Uri.from({ ...this, ...change });
  }
  toString() {
    const tail = (this.query && "?" + encoded(this.query)) + (this.fragment && "#" + encodeURIComponent(this.fragment));
    return `${this.scheme}:${this.authority || this.scheme === "file" ? "//" + this.authority : ""}${encoded(this.path)}${tail}`;
  }
}

class TextEdit {
  constructor(range, newText) {
    Object.assign(this, { range, newText });
  }
}
class SnippetString {
  constructor(value = "") {
    this.value = value;
  }
}
class MarkdownString {
  constructor(value = "") {
    this.value = value;
  }
  appendCodeblock(code, language = "") {
    this.value += `\n\`\`\`${language}\n${code}\n\`\`\`\n`;
    return this;
  }
}

class WorkspaceEdit {
  constructor() {
    this.edits = new Map();
    this.created = [];
  }
  set(uri, edits) {
    // An edit may carry what the user is asked of it: [edit, metadata].
    this.edits.set(uri.toString(), [uri, edits.map((each) => (Array.isArray(each) ? each[0] : each))]);
  }
  replace(uri, range, newText) {
    const [, edits] = this.edits.get(uri.toString()) ?? [uri, []];
    this.edits.set(uri.toString(), [uri, [...edits, new TextEdit(range, newText)]]);
  }
  insert(uri, position, newText) {
    this.replace(uri, new Range(position, position), newText);
  }
  delete(uri, range) {
    this.replace(uri, range, "");
  }
  createFile(uri, options) {
    this.created.push([uri, options]);
  }
  entries() {
    return [...this.edits.values()];
  }
  get size() {
    return this.edits.size;
  }
}

class CodeActionKind {
  constructor(value) {
    this.value = value;
  }
  append(part) {
    return new CodeActionKind(this.value ? `${this.value}.${part}` : part);
  }
  contains(other) {
    return this.value === "" || other.value === this.value || other.value.startsWith(this.value + ".");
  }
}
const kinds = { Empty: "", QuickFix: "quickfix", Refactor: "refactor", RefactorExtract: "refactor.extract", RefactorInline: "refactor.inline",
  RefactorRewrite: "refactor.rewrite", RefactorMove: "refactor.move", Source: "source", SourceOrganizeImports: "source.organizeImports",
  SourceFixAll: "source.fixAll", Notebook: "notebook" };
for (const [name, value] of Object.entries(kinds)) CodeActionKind[name] = new CodeActionKind(value);

/** A class that keeps its arguments under these names. */
const record = (...names) =>
  class {
    constructor(...given) {
      names.forEach((name, i) => (this[name] = given[i]));
    }
  };
const numbered = (first, ...names) => Object.fromEntries(names.flatMap((name, i) => [[name, first + i], [first + i, name]]));

const records = {
  CodeAction: ["title", "kind"], CodeLens: ["range", "command"], Color: ["red", "green", "blue", "alpha"], ColorInformation: ["range", "color"],
  ColorPresentation: ["label"], CompletionItem: ["label", "kind"], CompletionList: ["items", "isIncomplete"], Diagnostic: ["range", "message", "severity"],
  DiagnosticRelatedInformation: ["location", "message"], DocumentHighlight: ["range", "kind"], DocumentLink: ["range", "target"],
  DocumentSymbol: ["name", "detail", "kind", "range", "selectionRange"], FoldingRange: ["start", "end", "kind"], Hover: ["contents", "range"],
  InlayHint: ["position", "label", "kind"], InlayHintLabelPart: ["value"], Location: ["uri", "range"], ParameterInformation: ["label"],
  RelativePattern: ["baseUri", "pattern"], SelectionRange: ["range", "parent"], SemanticTokens: ["data", "resultId"],
  SemanticTokensEdit: ["start", "deleteCount", "data"], SemanticTokensEdits: ["edits", "resultId"], SemanticTokensLegend: ["tokenTypes", "tokenModifiers"],
  SignatureHelp: [], SignatureInformation: ["label"], SymbolInformation: ["name", "kind", "containerName", "location"], TabInputCustom: ["uri", "viewType"],
  TabInputText: ["uri"], TabInputTextDiff: ["original", "modified"], CallHierarchyItem: [], TypeHierarchyItem: [],
};

module.exports = {
  Disposable, EventEmitter, CancellationError, CancellationTokenSource, Position, Range, Selection, Uri, TextEdit, SnippetString, MarkdownString,
  WorkspaceEdit, CodeActionKind,
  ...Object.fromEntries(Object.entries(records).map(([name, names]) => [name, record(...names)])),
  CodeActionTriggerKind: numbered(1, "Invoke", "Automatic"),
  CompletionItemKind: numbered(0, "Text", "Method", "Function", "Constructor", "Field", "Variable", "Class", "Interface", "Module", "Property", "Unit",
    "Value", "Enum", "Keyword", "Snippet", "Color", "File", "Reference", "Folder", "EnumMember", "Constant", "Struct", "Event", "Operator", "TypeParameter"),
  CompletionItemTag: numbered(1, "Deprecated"),
  CompletionTriggerKind: numbered(0, "Invoke", "TriggerCharacter", "TriggerForIncompleteCompletions"),
  DiagnosticSeverity: numbered(0, "Error", "Warning", "Information", "Hint"),
  DiagnosticTag: numbered(1, "Unnecessary", "Deprecated"),
  DocumentHighlightKind: numbered(0, "Text", "Read", "Write"),
  EndOfLine: numbered(1, "LF", "CRLF"),
  FileType: numbered(0, "Unknown", "File", "Directory"),
  FoldingRangeKind: numbered(1, "Comment", "Imports", "Region"),
  InlayHintKind: numbered(1, "Type", "Parameter"),
  NotebookCellKind: numbered(1, "Markup", "Code"),
  ProgressLocation: { SourceControl: 1, Window: 10, Notification: 15 },
  SignatureHelpTriggerKind: numbered(1, "Invoke", "TriggerCharacter", "ContentChange"),
  SymbolKind: numbered(0, "File", "Module", "Namespace", "Package", "Class", "Method", "Property", "Field", "Constructor", "Enum", "Interface", "Function",
    "Variable", "Constant", "String", "Number", "Boolean", "Array", "Object", "Key", "Null", "EnumMember", "Struct", "Event", "Operator", "TypeParameter"),
  SymbolTag: numbered(1, "Deprecated"),
  TextDocumentChangeReason: numbered(1, "Undo", "Redo"),
  TextDocumentSaveReason: numbered(1, "Manual", "AfterDelay", "FocusOut"),
  ViewColumn: { Active: -1, Beside: -2, One: 1 },
};
