#pragma once

#include "lsp/documents/Committed.h"
#include "lsp/documents/Findings.h"
#include "lsp/documents/Outlines.h"
#include "lsp/documents/Workspace.h"
#include "lsp/session/Crew.h"
#include "lsp/session/Progress.h"
#include "lsp/wire/Message.h"

#include <functional>
#include <map>
#include <set>

namespace tikc::lsp {

/// The client's capabilities that matter here.
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
  bool adjustsIndentation = false; // of inserted text
  bool completesWithMarkdown = false;
  bool hasMarkdown = false;
  bool hasNestedSymbols = false;
  bool hasDocumentChanges = false;
  bool hasCodeActionLiterals = false;
  bool foldsLinesOnly = false;
  bool resolvesEdits = false; // of code actions
  bool appliesEdits = false;  // that the server requests
  bool createsFiles = false;
  bool hasSnippetEdits = false;
  bool showsDisabled = false;
  bool showsResults = false; // of commands, without a request
};

/// The user's settings under `tikc`.
struct Configuration {
  std::string root; // corresponds to --root
  bool hints = true;
  bool lenses = true;
};

/// The state of one connection. Methods read and change it.
struct Session {
  using Send = std::function<void(const std::string&)>;
  using Answered = std::function<void(const Message&)>;

  /// `threads` do long work; `wake` is called when there is something to do.
  Session(Send send, unsigned threads, std::function<void()> wake)
      : workspace(documents), outlines(documents, workspace), send(std::move(send)),
        crew(threads, std::move(wake)) {}

  void notify(llvm::StringRef method, json::Value params) {
    send(writeNotification(method, std::move(params)));
  }
  /// Sends a request to the client.
  void ask(llvm::StringRef method, json::Value params, Answered answered = {});

  Documents documents;
  Workspace workspace;
  Outlines outlines;
  Findings findings;
  Client client;
  Configuration configuration;
  /// What is known about an open contract, and the latest check of it.
  struct Checking {
    std::shared_ptr<Crew::Errand> errand;
    std::shared_ptr<pipeline::CheckCache> cache = std::make_shared<pipeline::CheckCache>();

    bool isUnderWay() const { return errand && !errand->isDone(); }
  };
  std::map<std::string, Checking> checking; // by URI
  /// URIs of contracts to check when idle, open ones first.
  std::set<std::string> stale, staleOnDisk;
  bool areSettingsStale = false, isDiscovered = true;
  /// Progress of checking files that are not open: how many are done, and the running errands.
  std::size_t doneOnDisk = 0;
  std::vector<std::shared_ptr<const Crew::Errand>> errandsOnDisk;
  /// When a file last changed, for checks that began earlier and may have used its old content.
  std::map<std::filesystem::path, std::uint64_t> touched;
  std::uint64_t touches = 0;
  /// URIs whose findings the client does not have yet.
  std::set<std::string> unpublished;
  /// Whether a task paused to let others run, and has more to do.
  bool hasMoreToSay = false;
  /// Open contracts at HEAD by URI, contracts that Git must still provide, and the running
  /// errand. Git is asked about one at a time, because it may take long.
  std::map<std::string, std::shared_ptr<const CommittedFile>> committed;
  std::set<std::string> unaskedOfHead;
  std::shared_ptr<const Crew::Errand> askingGit;
  bool mayAskGit = false;
  Progress progress;
  /// The tokens that the client last received for a document, by URI: it may ask for the
  /// difference.
  struct Tokens {
    std::string id;
    std::vector<std::uint32_t> numbers;
  };
  std::map<std::string, Tokens> tokens;
  std::uint64_t tokenAnswers = 0;
  /// Whether a text was checked without a request from the client, whose display may be outdated.
  bool needsRefresh = false;
  std::map<std::int64_t, Answered> asked;
  Send send;
  /// Watches the process that the client named as its own.
  std::function<void(std::int64_t)> watchParent = [](std::int64_t) {};
  bool isInitialized = false, isShutDown = false;

private:
  std::int64_t lastAsked_ = 0;

public:
  Crew crew; // destroyed first, because its threads may be running
};

using Handler = llvm::Expected<json::Value> (*)(Session&, const json::Object&);

/// Returns the contract of a URI at HEAD; null if unknown or new.
std::shared_ptr<const ide::Analysis> committedOf(const Session& session, const std::string& uri);

/// A long request. It is called repeatedly, does a little each time, and is done when it returns an
/// answer. It is destroyed when the answer is no longer needed.
using Task = std::function<std::optional<llvm::Expected<json::Value>>(Session&)>;

} // namespace tikc::lsp
