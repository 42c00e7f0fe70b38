#include "lsp/answers/Actions.h"
#include "lsp/answers/SemanticTokens.h"
#include "lsp/methods/Methods.h"
#include "lsp/session/Configure.h"
#include "tikc/Version.h"

#include <algorithm>

namespace tikc::lsp {
namespace {

/// The first of the client's that is known here; UTF-16 where it says nothing.
Encoding encodingOf(const json::Object* general) {
  const json::Array* offered = general ? general->getArray("positionEncodings") : nullptr;
  if (offered)
    for (const json::Value& value : *offered) {
      auto name = value.getAsString().value_or("");
      if (name == "utf-8")
        return Encoding::Utf8;
      if (name == "utf-16")
        return Encoding::Utf16;
      if (name == "utf-32")
        return Encoding::Utf32;
    }
  return Encoding::Utf16;
}

llvm::StringRef nameOf(Encoding encoding) {
  return encoding == Encoding::Utf8 ? "utf-8" : encoding == Encoding::Utf16 ? "utf-16" : "utf-32";
}

bool offers(const json::Object* object, llvm::StringRef key) {
  return object && object->getBoolean(key).value_or(false);
}

const json::Object* within(const json::Object* object, llvm::StringRef key) {
  return object ? object->getObject(key) : nullptr;
}

void addRoots(Session& session, const json::Object& params) {
  auto add = [&](std::optional<llvm::StringRef> uri) {
    if (auto path = uri ? pathOf(*uri) : std::nullopt)
      session.workspace.addRoot(*path);
  };
  if (const json::Array* folders = params.getArray("workspaceFolders")) {
    for (const json::Value& folder : *folders)
      if (const json::Object* object = folder.getAsObject())
        add(object->getString("uri"));
  } else {
    add(params.getString("rootUri"));
  }
  session.isDiscovered = session.workspace.roots().empty();
}

bool has(const json::Array* list, const json::Value& wanted) {
  return list && std::find(list->begin(), list->end(), wanted) != list->end();
}

void readCompletionAbilities(Client& client, const json::Object* completion) {
  const json::Object* list = within(completion, "completionList");
  client.hasDefaultEditRange = has(list ? list->getArray("itemDefaults") : nullptr, "editRange");
  const json::Object* item = within(completion, "completionItem");
  client.hasSnippets = offers(item, "snippetSupport");
  client.hasInsertReplace = offers(item, "insertReplaceSupport");
  client.hasLabelDetails = offers(item, "labelDetailsSupport");
  const json::Object* modes = within(item, "insertTextModeSupport");
  constexpr int adjusts = 2;
  client.adjustsIndentation = has(modes ? modes->getArray("valueSet") : nullptr, adjusts);
  client.completesWithMarkdown =
      has(item ? item->getArray("documentationFormat") : nullptr, "markdown");
}

void readDocumentAbilities(Client& client, const json::Object* document) {
  const json::Object* published = within(document, "publishDiagnostics");
  client.hasRelatedInformation = offers(published, "relatedInformation");
  client.hasCodeDescription = offers(published, "codeDescriptionSupport");
  client.hasTags = within(published, "tagSupport") != nullptr;
  const json::Object* pulled = within(document, "diagnostic");
  client.pullsDiagnostics = pulled != nullptr;
  client.hasRelatedInformation |= offers(pulled, "relatedInformation");
  client.hasCodeDescription |= offers(pulled, "codeDescriptionSupport");
  client.hasTags |= within(pulled, "tagSupport") != nullptr;
  readCompletionAbilities(client, within(document, "completion"));
  const json::Object* hover = within(document, "hover");
  client.hasMarkdown = has(hover ? hover->getArray("contentFormat") : nullptr, "markdown");
  client.hasNestedSymbols =
      offers(within(document, "documentSymbol"), "hierarchicalDocumentSymbolSupport");
  client.hasCodeActionLiterals =
      within(within(document, "codeAction"), "codeActionLiteralSupport") != nullptr;
  const json::Object* action = within(document, "codeAction");
  const json::Object* resolved = within(action, "resolveSupport");
  client.resolvesEdits = offers(action, "dataSupport") &&
                         has(resolved ? resolved->getArray("properties") : nullptr, "edit");
  client.showsDisabled = offers(action, "disabledSupport");
  client.foldsLinesOnly = offers(within(document, "foldingRange"), "lineFoldingOnly");
}

void readWorkspaceAbilities(Client& client, const json::Object* workspace) {
  client.refreshesDiagnostics = offers(within(workspace, "diagnostics"), "refreshSupport");
  client.refreshesHints = offers(within(workspace, "inlayHint"), "refreshSupport");
  client.refreshesLenses = offers(within(workspace, "codeLens"), "refreshSupport");
  client.hasConfiguration = offers(workspace, "configuration");
  client.appliesEdits = offers(workspace, "applyEdit");
  client.registersConfiguration =
      offers(within(workspace, "didChangeConfiguration"), "dynamicRegistration");
  client.registersWatchers =
      offers(within(workspace, "didChangeWatchedFiles"), "dynamicRegistration");
  const json::Object* edit = within(workspace, "workspaceEdit");
  client.hasDocumentChanges = offers(edit, "documentChanges");
  client.createsFiles = client.hasDocumentChanges &&
                        has(edit ? edit->getArray("resourceOperations") : nullptr, "create");
  client.hasSnippetEdits = client.hasDocumentChanges && offers(edit, "snippetEditSupport");
}

json::Array words(std::span<const std::string_view> list) {
  json::Array out;
  for (std::string_view word : list)
    out.push_back(std::string(word));
  return out;
}

json::Object abilities(const Session& session) {
  constexpr int incremental = 2;
  return json::Object{
      {"codeActionProvider",
       json::Object{{"codeActionKinds", json::Array{"quickfix", "refactor.extract",
                                                    "refactor.rewrite", "source.fixAll.tikc"}},
                    {"resolveProvider", true}}},
      {"codeLensProvider", json::Object{{"resolveProvider", false}}},
      {"completionProvider",
       json::Object{{"triggerCharacters", json::Array{" ", "(", "\"", "#", "/", "[", "{"}}}},
      {"definitionProvider", true},
      {"diagnosticProvider", json::Object{{"identifier", "tikc"},
                                          {"interFileDependencies", true},
                                          {"workspaceDiagnostics", true}}},
      {"documentFormattingProvider", true},
      {"documentHighlightProvider", true},
      {"documentLinkProvider", json::Object{{"resolveProvider", false}}},
      {"documentRangeFormattingProvider", true},
      {"documentSymbolProvider", true},
      {"executeCommandProvider",
       json::Object{
           {"commands", json::Array{"tikc.diff", "tikc.explain", setTolerance, "tikc.solve"}}}},
      {"foldingRangeProvider", true},
      {"hoverProvider", true},
      {"inlayHintProvider", json::Object{{"resolveProvider", false}}},
      {"positionEncoding", nameOf(session.documents.encoding())},
      {"referencesProvider", true},
      {"renameProvider", json::Object{{"prepareProvider", true}}},
      {"selectionRangeProvider", true},
      {"semanticTokensProvider",
       json::Object{{"legend", json::Object{{"tokenTypes", words(tokenTypes())},
                                            {"tokenModifiers", words(tokenModifiers())}}},
                    {"full", json::Object{{"delta", true}}},
                    {"range", true}}},
      {"textDocumentSync", json::Object{{"openClose", true},
                                        {"change", incremental},
                                        {"save", json::Object{{"includeText", false}}}}},
      {"workspace",
       json::Object{
           {"workspaceFolders", json::Object{{"supported", true}, {"changeNotifications", true}}}}},
      {"workspaceSymbolProvider", true},
  };
}

} // namespace

llvm::Expected<json::Value> onInitialize(Session& session, const json::Object& params) {
  if (session.isInitialized)
    return failure(ErrorCode::InvalidRequest, "the server is already initialized");
  session.isInitialized = true;
  if (auto process = params.getInteger("processId"))
    session.watchParent(*process);
  const json::Object* capabilities = params.getObject("capabilities");
  readDocumentAbilities(session.client, within(capabilities, "textDocument"));
  readWorkspaceAbilities(session.client, within(capabilities, "workspace"));
  session.client.hasProgress = offers(within(capabilities, "window"), "workDoneProgress");
  // What the protocol has no word for.
  session.client.showsResults =
      offers(within(within(capabilities, "experimental"), "tikc"), "showsResults");
  session.documents.setEncoding(encodingOf(within(capabilities, "general")));
  configure(session, params.get("initializationOptions"));
  addRoots(session, params);
  return json::Object{
      {"capabilities", abilities(session)},
      {"serverInfo", json::Object{{"name", "tikc"}, {"version", std::string(versionString)}}}};
}

} // namespace tikc::lsp
