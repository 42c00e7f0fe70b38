// An editor without a window: as much of the `vscode` module as an extension and its language client use, and hands for a test to type with.
const fs = require("node:fs");
const path = require("node:path");
const types = require("./vscode_types.cjs");
const { Disposable, EventEmitter, Position, Range, Selection, Uri } = types;

class TextDocument {
  constructor(uri, languageId, text) {
    Object.assign(this, { uri, languageId, version: 1, text, isDirty: false, isClosed: false, isUntitled: uri.scheme === "untitled", eol: 1 });
  }
  get fileName() {
    return this.uri.fsPath;
  }
  get lines() {
    return this.text.split(/\r\n|\n|\r/);
  }
  get lineCount() {
    return this.lines.length;
  }
  getText(range) {
    return range ? this.text.slice(this.offsetAt(range.start), this.offsetAt(range.end)) : this.text;
  }
  lineAt(line) {
    const text = this.lines[line.line ?? line];
    return { text, range: new Range(line.line ?? line, 0, line.line ?? line, text.length) };
  }
  offsetAt({ line, character }) {
    const ends = /\r\n|\n|\r/g;
    let start = 0;
    for (; line > 0; line--) {
      if (!ends.exec(this.text)) return this.text.length;
      start = ends.lastIndex;
    }
    const end = ends.exec(this.text)?.index ?? this.text.length;
    return Math.min(start + character, end);
  }
  positionAt(offset) {
    const before = this.text.slice(0, offset).split(/\r\n|\n|\r/);
    return new Position(before.length - 1, before.at(-1).length);
  }
  /** Where a text stands for the nth time. */
  find(wanted, nth = 1) {
    let at = -1;
    for (let i = 0; i < nth; i++) at = this.text.indexOf(wanted, at + 1);
    if (at < 0) throw new Error(`${JSON.stringify(wanted)} is not in ${this.uri}`);
    return new Range(this.positionAt(at), this.positionAt(at + wanted.length));
  }
}

function globbed(pattern) {
  const text = pattern.replace(/[.+^$()|[\]\\]/g, "\\$&").replace(/\*\*\/|\*\*|\*|\{|\}|,/g, (part) =>
    ({ "**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "{": "(?:", "}": ")", ",": "|" })[part]);
  return new RegExp(`^(?:.*/)?${text}$`);
}

/** An editor of a folder with an extension. `settings` are those of the user. */
function createEditor(folder, extension, settings = {}) {
  const events = {};
  const event = (name) => (events[name] ??= new EventEmitter()).event;
  const documents = [];
  const contents = new Map(); // providers of documents that are no files
  const commands = new Map();
  const providers = []; // [name, selector, provider, more]
  const diagnostics = new Map(); // by uri, by collection
  const told = [];
  const panels = []; // what was shown to the user
  const watchers = [];
  const answers = {};
  const log = [];

  const defaults = {};
  for (const [name, { default: value }] of Object.entries(extension.contributes.configuration.properties)) defaults[name] = value;
  const setting = (name) => {
    const all = { ...defaults, ...settings };
    if (name in all) return all[name];
    const below = Object.entries(all).filter(([key]) => key.startsWith(name + "."));
    if (!below.length) return undefined;
    const out = {};
    for (const [key, value] of below) {
      const parts = key.slice(name.length + 1).split(".");
      parts.reduce((at, part, i) => (at[part] = i + 1 < parts.length ? at[part] ?? {} : value), out);
    }
    return out;
  };

  const show = (kind) => async (message, ...items) => {
    told.push({ kind, message });
    const options = items.filter((item) => typeof item === "string" || item?.title);
    return options.find((item) => answers[item.title ?? item]);
  };
  const languageOf = (uri) =>
    extension.contributes.languages.find((each) => each.extensions.some((ending) => uri.path.endsWith(ending)))?.id ?? "yaml";
  const find = (uri) => documents.find((each) => each.uri.toString() === uri.toString());
  const enter = (document) => {
    documents.push(document);
    events.onDidOpenTextDocument?.fire(document);
    return document;
  };

  const matches = (selector, document) =>
    [selector].flat().some((filter) => {
      if (typeof filter === "string") return filter === "*" || filter === document.languageId;
      const pattern = filter.pattern?.pattern ?? filter.pattern;
      return (!filter.language || filter.language === document.languageId) && (!filter.scheme || filter.scheme === document.uri.scheme) &&
        (!pattern || globbed(pattern).test(document.uri.path));
    });

  const change = (document, edits) => {
    const ordered = edits
      .map(({ range, newText }) => ({ range, rangeOffset: document.offsetAt(range.start), rangeLength: document.offsetAt(range.end) - document.offsetAt(range.start), text: newText }))
      .sort((a, b) => b.rangeOffset - a.rangeOffset);
    for (const { rangeOffset, rangeLength, text } of ordered)
      document.text = document.text.slice(0, rangeOffset) + text + document.text.slice(rangeOffset + rangeLength);
    document.version++;
    document.isDirty = true;
    events.onDidChangeTextDocument?.fire({ document, contentChanges: ordered, reason: undefined });
  };

  const tabs = [];
  const vscode = {
    ...types,
    version: extension.engines.vscode.replace(/^\^/, ""),
    env: { appName: "test", language: "en", openExternal: async () => true },
    commands: {
      registerCommand(name, run) {
        if (commands.has(name)) throw new Error(`command '${name}' already exists`);
        commands.set(name, run);
        return new Disposable(() => commands.delete(name));
      },
      async executeCommand(name, ...given) {
        if (name === "vscode.executeCodeLensProvider") return editor.ask("CodeLens", "provideCodeLenses", find(given[0]));
        if (name === "setContext" || name.startsWith("workbench.")) return void told.push({ kind: "command", message: name, given });
        if (!commands.has(name)) throw new Error(`command '${name}' not found`);
        return commands.get(name)(...given);
      },
    },
    languages: new Proxy(
      {
        match: (selector, document) => (matches(selector, document) ? 10 : 0),
        createDiagnosticCollection(name) {
          const own = new Map();
          const set = (uri, found) => own.set(uri.toString(), found ?? []);
          diagnostics.set(name + diagnostics.size, own);
          return { name, set: (uri, found) => (Array.isArray(uri) ? uri.forEach(([each, all]) => set(each, all)) : set(uri, found)),
            get: (uri) => own.get(uri.toString()), has: (uri) => own.has(uri.toString()), delete: (uri) => own.delete(uri.toString()),
            clear: () => own.clear(), dispose: () => own.clear(), forEach: () => undefined };
        },
      },
      {
        get(target, name) {
          if (name in target) return target[name];
          const what = /^register(.*)Provider$/.exec(String(name))?.[1];
          if (!what) return undefined;
          return (...given) => {
            const [selector, provider, ...more] = what === "WorkspaceSymbol" ? ["*", ...given] : given;
            const row = [what, selector, provider, more];
            providers.push(row);
            return new Disposable(() => providers.splice(providers.indexOf(row), 1));
          };
        },
      },
    ),
    window: {
      visibleTextEditors: [],
      activeTextEditor: undefined,
      tabGroups: { all: [{ tabs, isActive: true, get activeTab() { return tabs.at(-1); } }], get activeTabGroup() { return this.all[0]; },
        onDidChangeTabs: event("onDidChangeTabs"), onDidChangeTabGroups: event("onDidChangeTabGroups") },
      state: { focused: true },
      onDidChangeActiveTextEditor: event("onDidChangeActiveTextEditor"),
      onDidChangeWindowState: event("onDidChangeWindowState"),
      showErrorMessage: show("error"),
      showWarningMessage: show("warning"),
      showInformationMessage: show("information"),
      createOutputChannel: (name) => ({ name, append: (text) => log.push(text), appendLine: (text) => log.push(text), show() {}, clear() {}, replace() {}, dispose() {} }),
      withProgress: (options, task) => task({ report: () => undefined }, new types.CancellationTokenSource().token),
      createWebviewPanel(viewType, title, where, options) {
        const panel = { viewType, title, options, webview: { html: "" }, reveal: () => undefined, onDidDispose: () => new Disposable(() => undefined) };
        panels.push(panel);
        return panel;
      },
      async showTextDocument(given) {
        const document = given instanceof TextDocument ? given : await vscode.workspace.openTextDocument(given);
        vscode.window.activeTextEditor = { document, selection: new Selection(new Position(0, 0), new Position(0, 0)) };
        const tab = { input: new types.TabInputText(document.uri), isActive: true };
        tabs.push(tab);
        events.onDidChangeTabs?.fire({ opened: [tab], closed: [], changed: [] });
        events.onDidChangeActiveTextEditor?.fire(vscode.window.activeTextEditor);
        return vscode.window.activeTextEditor;
      },
    },
    workspace: new Proxy(
      {
        workspaceFolders: [{ uri: Uri.file(folder), name: path.basename(folder), index: 0 }],
        textDocuments: documents,
        notebookDocuments: [],
        isTrusted: true,
        fs: { stat: async (uri) => ({ type: fs.statSync(uri.fsPath).isDirectory() ? 2 : 1 }) },
        getWorkspaceFolder: (uri) => (uri.fsPath.startsWith(folder + "/") ? vscode.workspace.workspaceFolders[0] : undefined),
        getConfiguration: (section) => {
          const full = (key) => (section ? `${section}.${key}` : key);
          return { get: (key, otherwise) => setting(full(key)) ?? otherwise, has: (key) => setting(full(key)) !== undefined, inspect: () => undefined };
        },
        createFileSystemWatcher(pattern) {
          const made = Object.fromEntries(["Create", "Change", "Delete"].map((kind) => [kind, new EventEmitter()]));
          const watcher = { onDidCreate: made.Create.event, onDidChange: made.Change.event, onDidDelete: made.Delete.event, dispose() {} };
          watchers.push([globbed(pattern.pattern ?? pattern), made]);
          return watcher;
        },
        registerTextDocumentContentProvider(scheme, provider) {
          contents.set(scheme, provider);
          return new Disposable(() => contents.delete(scheme));
        },
        async openTextDocument(given) {
          const uri = typeof given === "string" ? Uri.file(given) : given;
          const known = find(uri);
          if (known) return known;
          const provider = contents.get(uri.scheme);
          const text = provider ? await provider.provideTextDocumentContent(uri) : fs.readFileSync(uri.fsPath, "utf8");
          return enter(new TextDocument(uri, provider ? "plaintext" : languageOf(uri), text));
        },
        async applyEdit(edit) {
          for (const [uri, options] of edit.created) if (!fs.existsSync(uri.fsPath) || options?.overwrite) fs.writeFileSync(uri.fsPath, "");
          for (const [uri, edits] of edit.entries()) change(await vscode.workspace.openTextDocument(uri), edits);
          return true;
        },
      },
      { get: (target, name) => (name in target ? target[name] : /^on(Did|Will)/.test(String(name)) ? event(name) : undefined) },
    ),
  };

  /** What a person does, and sees. */
  const editor = {
    vscode, told, panels, answers, log, settings, commands, watchers, documents,
    async open(name) {
      return (await vscode.window.showTextDocument(Uri.file(path.join(folder, name)))).document;
    },
    type: (document, range, newText) => change(document, [{ range, newText }]),
    async save(document) {
      fs.writeFileSync(document.uri.fsPath, document.text);
      document.isDirty = false;
      events.onDidSaveTextDocument?.fire(document);
    },
    close(document) {
      documents.splice(documents.indexOf(document), 1);
      document.isClosed = true;
      events.onDidCloseTextDocument?.fire(document);
      const index = tabs.findIndex((tab) => tab.input.uri.toString() === document.uri.toString());
      if (index >= 0) events.onDidChangeTabs?.fire({ opened: [], closed: tabs.splice(index, 1), changed: [] });
    },
    set(name, value) {
      settings[name] = value;
      events.onDidChangeConfiguration?.fire({ affectsConfiguration: (section) => name === section || name.startsWith(section + ".") });
    },
    squiggles: (document) => [...diagnostics.values()].flatMap((own) => own.get(document.uri.toString()) ?? []),
    /** What a provider was registered with besides itself: triggers, a legend. */
    registered: (what) => providers.find(([name]) => name === what)?.[3],
    has: (what, document) => providers.some(([name, selector]) => name === what && (!document || matches(selector, document))),
    /** What all providers of a kind answer. */
    async ask(what, method, document, ...given) {
      const token = new types.CancellationTokenSource().token;
      const fitting = providers.filter(([name, selector]) => name === what && matches(selector, document));
      const all = await Promise.all(fitting.map(([, , provider]) => provider[method](document, ...given, token)));
      return all.flatMap((each) => each?.items ?? each ?? []);
    },
    async resolve(what, method, item) {
      const token = new types.CancellationTokenSource().token;
      const able = providers.find(([name, , provider]) => name === what && provider[method]);
      return (await able?.[2][method](item, token)) ?? item;
    },
    /** Waits until it holds; what a person does who looks at the screen. */
    async until(what, holds, seconds = 20) {
      for (const end = Date.now() + seconds * 1000; Date.now() < end; await new Promise((done) => setTimeout(done, 5))) {
        const seen = await holds();
        if (seen) return seen;
      }
      const seen = documents.map((each) => `${each.uri.path}: ${JSON.stringify(editor.squiggles(each).map(({ range, message }) => [range, message]))}`);
      throw new Error(`waited in vain until ${what}; told: ${JSON.stringify(told)}; seen: ${seen.join("\n")}; log: ${log.join("\n").slice(-2000)}`);
    },
  };
  return editor;
}

module.exports = { createEditor };
