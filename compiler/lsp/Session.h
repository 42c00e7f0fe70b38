#pragma once

#include "lsp/Findings.h"
#include "lsp/Outlines.h"
#include "lsp/Progress.h"
#include "lsp/Workspace.h"
#include "lsp/wire/Message.h"

#include <functional>
#include <map>
#include <set>

namespace tikc::lsp {

/// What a client is able to do, of what makes a difference here.
struct Client {
  bool hasRelatedInformation = false;
  bool hasCodeDescription = false;
  bool hasTags = false;
  bool pullsDiagnostics = false;
  bool refreshesDiagnostics = false, refreshesHints = false, refreshesLenses = false;
  bool hasProgress = false;
  bool hasConfiguration = false;
  bool registersWatchers = false;
  bool registersConfiguration = false;
  bool hasSnippets = false;
  bool hasInsertReplace = false;
  bool hasDefaultEditRange = false; // one for all items of a completion
  bool hasLabelDetails = false;
  bool adjustsIndentation = false; // of what a completion puts in
  bool completesWithMarkdown = false;
  bool hasMarkdown = false;
  bool hasNestedSymbols = false;
  bool hasDocumentChanges = false;
  bool hasCodeActionLiterals = false;
  bool foldsLinesOnly = false;
  bool resolvesEdits = false; // of code actions
  bool createsFiles = false;
  bool hasSnippetEdits = false;
  bool showsDisabled = false;
  bool showsResults = false; // of commands, by itself
};

/// What a user may set under `tikc` in the editor.
struct Configuration {
  std::string root; // what --root is to the command line
  bool hints = true;
  bool lenses = true;
};

/// Everything that one connection knows. Methods read and change it.
struct Session {
  using Send = std::function<void(const std::string&)>;
  using Answered = std::function<void(const Message&)>;

  explicit Session(Send send)
      : workspace(documents), outlines(documents, workspace), send(std::move(send)) {}

  void notify(llvm::StringRef method, json::Value params) {
    send(writeNotification(method, std::move(params)));
  }
  /// A request to the client.
  void ask(llvm::StringRef method, json::Value params, Answered answered = {});

  Documents documents;
  Workspace workspace;
  Outlines outlines;
  Findings findings;
  Client client;
  Configuration configuration;
  /// URIs of contracts to check when nothing else waits, open ones first.
  std::set<std::string> stale, staleOnDisk;
  bool areSettingsStale = false, isDiscovered = true;
  std::size_t doneOnDisk = 0; // of the walk that is under way
  Progress progress;
  /// What a client was last told of a document's tokens, by its URI: it may ask for the difference.
  struct Tokens {
    std::string id;
    std::vector<std::uint32_t> numbers;
  };
  std::map<std::string, Tokens> tokens;
  std::uint64_t tokenAnswers = 0;
  /// A text was checked that the client did not ask for: what it shows of it may be old.
  bool needsRefresh = false;
  std::map<std::int64_t, Answered> asked;
  Send send;
  /// Whether messages of the client wait.
  std::function<bool()> isAwaited = [] { return false; };
  bool isInitialized = false, isShutDown = false;

private:
  std::int64_t lastAsked_ = 0;
};

} // namespace tikc::lsp
