#include "lsp/session/Work.h"

#include "lsp/answers/Convert.h"
#include "lsp/wire/JsonText.h"
#include "pipeline/CheckedFiles.h"

#include <algorithm>

namespace tikc::lsp {

namespace fs = std::filesystem;

namespace {

// From here up a walk takes long enough to be told of.
constexpr std::size_t longWalk = 8;

// What a thread of the crew takes of a walk.
constexpr std::size_t filesOfAPart = 8, partsOfAnErrand = 8;
// What the client is told at a time.
constexpr std::size_t publishedAtATime = 32;

void publish(Session& session, const std::set<std::string>& uris) {
  if (session.client.pullsDiagnostics)
    return;
  for (const std::string& uri : uris) {
    session.unpublished.erase(uri);
    // With each keystroke: as text, since copies of the values would cost more than they say.
    std::string params = "{\"diagnostics\":[";
    for (const json::Value* value : session.findings.of(uri)) {
      params += params.back() == '[' ? "" : ",";
      append(params, *value);
    }
    params += "],\"uri\":";
    append(params, json::Value(uri));
    if (const Document* open = session.documents.find(uri))
      params += ",\"version\":" + std::to_string(open->version);
    params += '}';
    session.send(writeNotification("textDocument/publishDiagnostics", std::string_view(params)));
  }
}

/// Findings by the text they are in. A text that was checked is there even with none.
Findings::ByUri grouped(const Session& session, const SourceManager& sources,
                        std::span<const diag::Diagnostic> findings) {
  Convert convert(session, sources);
  Findings::ByUri out;
  std::map<FileId, std::vector<json::Value>*> lists;
  for (const diag::Diagnostic& diagnostic : findings) {
    if (!diagnostic.span.valid())
      continue;
    auto& list = lists[diagnostic.span.file];
    if (!list) {
      list = &out[convert.uri(diagnostic.span.file)];
      list->reserve(list->size() + findings.size()); // a value that has to move is copied
    }
    list->push_back(convert.diagnostic(diagnostic));
  }
  return out;
}

std::set<std::string> take(Session& session, const Analysis& analysis) {
  auto findings = grouped(session, *analysis.sources, analysis.checked.diagnostics);
  findings.try_emplace(analysis.uri);
  return session.findings.put(analysis.uri, std::move(findings), analysis.restsOn);
}

std::set<std::string> takeSettings(Session& session) {
  session.areSettingsStale = false;
  for (const auto& [uri, document] : session.documents.all())
    if (document.kind == Document::Kind::Settings)
      session.workspace.readSettings(document.path);
  auto findings =
      grouped(session, session.workspace.settingsSources(), session.workspace.settingsFindings());
  return session.findings.put("settings", std::move(findings), {});
}

/// Whether what a check rested on was touched after it had begun.
bool isOverdue(const Session& session, const Analysis& analysis, std::uint64_t since) {
  return std::any_of(analysis.restsOn.begin(), analysis.restsOn.end(), [&](const fs::path& path) {
    auto at = session.touched.find(path);
    return at != session.touched.end() && at->second > since;
  });
}

/// What is known of an open document is published with each version of it, even if it is the same:
/// clients move the squiggles of older versions by themselves, and may err.
void takeOpen(Session& session, Analysis analysis, const Crew::Errand* check, std::uint64_t since) {
  const Document* document = session.documents.find(analysis.uri);
  if (!document || session.stale.contains(document->uri) ||
      session.checking[document->uri].errand.get() != check)
    return; // it was closed, or is checked again
  if (isOverdue(session, analysis, since)) {
    session.stale.insert(document->uri);
    return;
  }
  std::set<std::string> others = take(session, analysis);
  session.workspace.know(std::move(analysis));
  session.needsRefresh |= others.size() > others.count(document->uri);
  others.insert(document->uri);
  publish(session, others);
}

void beginCheck(Session& session, Session::Checking& checking, const Document& document) {
  session.stale.erase(document.uri);
  checking.errand = std::make_shared<Crew::Errand>();
  checking.errand->parts = 1;
  checking.errand->work = [snapshot = session.workspace.snapshotOf(document),
                           cache = checking.cache, version = document.version,
                           check = checking.errand.get(),
                           since = session.touches](WorldChecker&, std::size_t) {
    auto analysis = std::make_shared<Analysis>(snapshot->analysis(cache));
    analysis->version = version;
    return [analysis, check, since](Session& then) {
      takeOpen(then, std::move(*analysis), check, since);
    };
  };
  session.crew.giveUrgent(checking.errand);
}

/// Has the next open text checked that has changed; false where none waits. Who types faster than
/// his text is checked has one check of it at a time.
bool checkNext(Session& session) {
  for (auto at = session.stale.begin(); at != session.stale.end();) {
    const Document* document = session.documents.find(*at);
    if (!document || !document->isChecked()) {
      at = session.stale.erase(at);
      continue;
    }
    Session::Checking& checking = session.checking[document->uri];
    if (!checking.isUnderWay()) {
      beginCheck(session, checking, *document);
      return true;
    }
    ++at;
  }
  return false;
}

bool isAnyUnderWay(const Session& session) {
  return std::any_of(session.checking.begin(), session.checking.end(),
                     [](const auto& each) { return each.second.isUnderWay(); });
}

void takeOnDisk(Session& session, const std::string& uri, const std::optional<Analysis>& analysis,
                std::uint64_t since) {
  ++session.doneOnDisk;
  auto path = pathOf(uri);
  if (session.staleOnDisk.contains(uri) || (path && session.documents.findPath(*path)))
    return; // touched or opened meanwhile
  if (analysis && isOverdue(session, *analysis, since)) {
    session.staleOnDisk.insert(uri);
    return;
  }
  auto changed = analysis ? take(session, *analysis) : session.findings.remove(uri);
  session.needsRefresh |= !changed.empty();
  if (!session.client.pullsDiagnostics)
    session.unpublished.insert(changed.begin(), changed.end());
}

/// Some of the files that are to be checked, handed to the crew.
void sendOut(Session& session) {
  struct FileBatch {
    std::vector<CheckSubject> subjects;
    std::shared_ptr<const World> world;
  };
  auto batch = std::make_shared<FileBatch>();
  auto at = session.staleOnDisk.begin();
  for (; at != session.staleOnDisk.end() && batch->subjects.size() < filesOfAPart * partsOfAnErrand;
       at = session.staleOnDisk.erase(at))
    if (auto path = pathOf(*at); path && !session.documents.findPath(*path))
      batch->subjects.push_back(session.workspace.subjectOf(*at, *path));
  if (batch->subjects.empty())
    return;
  batch->world = session.workspace.world();
  auto errand = std::make_shared<Crew::Errand>();
  errand->parts = (batch->subjects.size() + filesOfAPart - 1) / filesOfAPart;
  errand->work = [batch, since = session.touches](WorldChecker& checker, std::size_t part) {
    auto begin = batch->subjects.begin() + static_cast<std::ptrdiff_t>(part * filesOfAPart);
    auto count = std::min<std::ptrdiff_t>(filesOfAPart, batch->subjects.end() - begin);
    std::vector<std::optional<Analysis>> out;
    for (const CheckSubject& subject : std::span(begin, static_cast<std::size_t>(count)))
      if (auto& each = out.emplace_back(checker.of(batch->world, subject)))
        pipeline::countAndForget(each->checked);
    return [batch, since, begin, out = std::move(out)](Session& then) {
      for (std::size_t i = 0; i < out.size(); ++i)
        takeOnDisk(then, begin[static_cast<std::ptrdiff_t>(i)].uri, out[i], since);
    };
  };
  session.errandsOnDisk.push_back(errand);
  session.crew.give(std::move(errand));
}

void discover(Session& session) {
  session.isDiscovered = !session.workspace.discover();
  if (!session.isDiscovered)
    return;
  for (const fs::path& file : session.workspace.files())
    if (std::string uri = uriOf(file);
        !session.findings.has(uri) && !session.documents.findPath(file))
      session.staleOnDisk.insert(std::move(uri));
}

/// Files that are not open; false where the crew has as much as it can do.
bool walk(Session& session) {
  constexpr std::size_t mostErrands = 2; // the next while the last parts of one are done
  std::size_t left = session.staleOnDisk.size();
  std::erase_if(session.errandsOnDisk, [](const auto& errand) { return errand->isDone(); });
  if (left == 0 && session.errandsOnDisk.empty()) {
    session.progress.end(session);
    session.doneOnDisk = 0;
    if (!isAnyUnderWay(session))
      session.touched.clear();
    return false;
  }
  if (left + session.doneOnDisk >= longWalk)
    session.progress.report(session, session.doneOnDisk, left + session.doneOnDisk);
  if (left == 0 || session.errandsOnDisk.size() == mostErrands)
    return false;
  sendOut(session);
  return true;
}

/// Tells the client of some that it is to be told of.
bool publishSome(Session& session) {
  std::set<std::string> uris;
  for (const std::string& uri : session.unpublished)
    if (uris.size() < publishedAtATime)
      uris.insert(uri);
  publish(session, uris);
  return !uris.empty();
}

void refresh(Session& session) {
  session.needsRefresh = false;
  if (session.client.pullsDiagnostics && session.client.refreshesDiagnostics)
    session.ask("workspace/diagnostic/refresh", nullptr);
  if (session.client.refreshesHints)
    session.ask("workspace/inlayHint/refresh", nullptr);
  if (session.client.refreshesLenses)
    session.ask("workspace/codeLens/refresh", nullptr);
}

void takeCommitted(Session& session, const std::string& uri,
                   const std::shared_ptr<const CommittedFile>& found) {
  if (!session.documents.find(uri) || found == session.committed[uri])
    return;
  bool wasThere = committedOf(session, uri) != nullptr;
  session.committed[uri] = found;
  bool isOther = wasThere || committedOf(session, uri);
  if (isOther && session.client.refreshesLenses)
    session.ask("workspace/codeLens/refresh", nullptr);
}

/// Has Git asked about the next contract; false where none waits, or it is at work.
bool askGit(Session& session) {
  if (session.unaskedOfHead.empty() || (session.askingGit && !session.askingGit->isDone()))
    return false;
  std::string uri = *session.unaskedOfHead.begin();
  session.unaskedOfHead.erase(session.unaskedOfHead.begin());
  const Document* document = session.documents.find(uri);
  if (!document)
    return true;
  auto errand = std::make_shared<Crew::Errand>();
  errand->parts = 1;
  errand->work = [uri, path = document->path, known = session.committed[uri],
                  limits = session.workspace.world()->limits](WorldChecker&, std::size_t) {
    return [uri, found = committedAt(path, known, limits)](Session& then) {
      takeCommitted(then, uri, found);
    };
  };
  session.askingGit = errand;
  session.crew.give(std::move(errand));
  return true;
}

} // namespace

void askHead(Session& session, const Document& document) {
  bool isShown = session.mayAskGit && session.configuration.lenses;
  if (isShown && document.kind == Document::Kind::Contract && !document.path.empty())
    session.unaskedOfHead.insert(document.uri);
}

void askHeadOfAll(Session& session) {
  for (const auto& [uri, document] : session.documents.all())
    askHead(session, document);
}

void touch(Session& session, const std::string& uri, const fs::path& path) {
  auto mark = [&](const std::string& each) {
    session.workspace.forget(each);
    if (session.documents.find(each))
      session.stale.insert(each);
    else
      session.staleOnDisk.insert(each);
  };
  mark(uri);
  session.workspace.forgetWorld();
  if (!path.empty())
    session.touched[path] = ++session.touches;
  if (!path.empty())
    for (const std::string& child : session.findings.restingOn(path))
      mark(child);
}

void touch(Session& session, const Document& document) {
  if (document.kind == Document::Kind::Settings)
    touchAll(session);
  else if (document.isChecked())
    touch(session, document.uri, document.path);
}

void touchAll(Session& session) {
  session.workspace.forgetSettings();
  session.areSettingsStale = true;
  for (const auto& [uri, document] : session.documents.all())
    if (document.isChecked())
      touch(session, uri, {});
  for (const fs::path& file : session.workspace.files())
    if (!session.documents.findPath(file))
      session.staleOnDisk.insert(uriOf(file));
}

void withdraw(Session& session, const std::string& uri) {
  publish(session, session.findings.remove(uri));
}

bool isFinished(const Session& session) {
  return !session.areSettingsStale && session.stale.empty() && session.isDiscovered &&
         session.staleOnDisk.empty() && session.errandsOnDisk.empty() && !isAnyUnderWay(session);
}

bool workOn(Session& session) {
  if (session.areSettingsStale) {
    publish(session, takeSettings(session));
    return true;
  }
  if (checkNext(session))
    return true;
  if (auto then = session.crew.takeDone()) {
    (*then)(session);
    return true;
  }
  if (!session.isDiscovered) {
    discover(session);
    return true;
  }
  if (askGit(session) || walk(session) || publishSome(session))
    return true;
  if (session.needsRefresh && isFinished(session))
    refresh(session);
  return false;
}

std::shared_ptr<const Crew::Errand> checkOf(Session& session, const Document& document) {
  Session::Checking& checking = session.checking[document.uri];
  if (!checking.isUnderWay())
    beginCheck(session, checking, document);
  return checking.errand;
}

void finishSettings(Session& session) {
  if (session.areSettingsStale)
    publish(session, takeSettings(session));
}

} // namespace tikc::lsp
