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
  bool appliesEdits = false;  // that the server asks for
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

  /// `threads` do what takes long; `wake` is called when there is something to work on.
  Session(Send send, unsigned threads, std::function<void()> wake)
      : workspace(documents), outlines(documents, workspace), send(std::move(send)),
        crew(threads, std::move(wake)) {}

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
  /// What was found out about an open contract, and the check of it that was begun last.
  struct Checking {
    std::shared_ptr<Crew::Errand> errand;
    std::shared_ptr<pipeline::CheckCache> cache = std::make_shared<pipeline::CheckCache>();

    bool isUnderWay() const { return errand && !errand->isDone(); }
  };
  std::map<std::string, Checking> checking; // by their URIs
  /// URIs of contracts to check when nothing else waits, open ones first.
  std::set<std::string> stale, staleOnDisk;
  bool areSettingsStale = false, isDiscovered = true;
  /// Of the walk over files that are not open: how many were checked, and its errands that are
  /// under way.
  std::size_t doneOnDisk = 0;
  std::vector<std::shared_ptr<const Crew::Errand>> errandsOnDisk;
  /// When a file was last touched, while a check that began before may still rest on what it was.
  std::map<std::filesystem::path, std::uint64_t> touched;
  std::uint64_t touches = 0;
  /// URIs that the client is yet to be told of.
  std::set<std::string> unpublished;
  /// A task stopped for others to speak, and wants to go on.
  bool hasMoreToSay = false;
  /// Open contracts as they are at HEAD, by URI, as far as that is known; those that Git is to be
  /// asked about, and the errand that asks. It is asked of one at a time: it may take long.
  std::map<std::string, std::shared_ptr<const Committed>> committed;
  std::set<std::string> unaskedOfHead;
  std::shared_ptr<const Crew::Errand> askingGit;
  bool mayAskGit = false;
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
  /// Of the process that the client says has started this one.
  std::function<void(std::int64_t)> watchParent = [](std::int64_t) {};
  bool isInitialized = false, isShutDown = false;

private:
  std::int64_t lastAsked_ = 0;

public:
  Crew crew; // goes first: its threads may be at work
};

using Handler = llvm::Expected<json::Value> (*)(Session&, const json::Object&);

/// The contract of a URI as it is at HEAD; null where it is not known, or new.
std::shared_ptr<const ide::Analysis> committedOf(const Session& session, const std::string& uri);

/// A request whose answer takes long. It is called again and again, does a little each time, and is
/// done when it has an answer. When it goes, nobody wants the answer any more.
using Task = std::function<std::optional<llvm::Expected<json::Value>>(Session&)>;

} // namespace tikc::lsp
