#include "lsp/Work.h"

#include "lsp/Convert.h"
#include "lsp/wire/JsonText.h"

namespace tikc::lsp {

namespace fs = std::filesystem;

namespace {

// From here up a walk takes long enough to be told of.
constexpr std::size_t longWalk = 8;

void publish(Session& session, const std::set<std::string>& uris) {
  if (session.client.pullsDiagnostics)
    return;
  for (const std::string& uri : uris) {
    // With each keystroke: as text, since copies of the values would cost more than they say.
    std::string params = "{\"diagnostics\":[";
    for (const json::Value* found : session.findings.of(uri)) {
      params += params.back() == '[' ? "" : ",";
      append(params, *found);
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
  for (const diag::Diagnostic& found : findings) {
    if (!found.span.valid())
      continue;
    auto& list = lists[found.span.file];
    if (!list) {
      list = &out[convert.uri(found.span.file)];
      list->reserve(list->size() + findings.size()); // a value that has to move is copied
    }
    list->push_back(convert.diagnostic(found));
  }
  return out;
}

std::set<std::string> take(Session& session, const Analysis& analysis) {
  auto found = grouped(session, *analysis.sources, analysis.checked.diagnostics);
  found.try_emplace(analysis.uri);
  return session.findings.put(analysis.uri, std::move(found), analysis.restsOn);
}

std::set<std::string> takeSettings(Session& session) {
  session.areSettingsStale = false;
  for (const auto& [uri, document] : session.documents.all())
    if (document.kind == Document::Kind::Settings)
      session.workspace.readSettings(document.path);
  auto found =
      grouped(session, session.workspace.settingsSources(), session.workspace.settingsFindings());
  return session.findings.put("settings", std::move(found), {});
}

/// What is known of an open document is published with each version of it, even if it is the same:
/// clients move the squiggles of older versions by themselves, and may err.
void check(Session& session, const Document& document) {
  session.stale.erase(document.uri);
  std::set<std::string> others = take(session, session.workspace.analysisOf(document));
  session.needsRefresh |= others.size() > others.count(document.uri);
  others.insert(document.uri);
  publish(session, others);
}

void checkOnDisk(Session& session) {
  std::string uri = *session.staleOnDisk.begin();
  session.staleOnDisk.erase(uri);
  auto path = pathOf(uri);
  if (path && session.documents.findPath(*path))
    return; // opened meanwhile: what is open counts
  auto analysis = path ? session.workspace.analyse(*path) : std::nullopt;
  auto changed = analysis ? take(session, *analysis) : session.findings.remove(uri);
  session.needsRefresh |= !changed.empty();
  publish(session, changed);
}

void discover(Session& session) {
  session.isDiscovered = !session.workspace.discover();
  if (!session.isDiscovered)
    return;
  auto known = session.findings.uris();
  for (const fs::path& file : session.workspace.files())
    if (std::string uri = uriOf(file); !known.contains(uri) && !session.documents.findPath(file))
      session.staleOnDisk.insert(std::move(uri));
}

/// Files that are not open.
bool walk(Session& session) {
  std::size_t left = session.staleOnDisk.size();
  if (left == 0) {
    session.progress.end(session);
    session.doneOnDisk = 0;
    return false;
  }
  if (left + session.doneOnDisk >= longWalk)
    session.progress.report(session, session.doneOnDisk, left + session.doneOnDisk);
  checkOnDisk(session);
  ++session.doneOnDisk;
  return true;
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

} // namespace

void touch(Session& session, const std::string& uri, const fs::path& path) {
  auto mark = [&](const std::string& each) {
    session.workspace.forget(each);
    if (session.documents.find(each))
      session.stale.insert(each);
    else
      session.staleOnDisk.insert(each);
  };
  mark(uri);
  if (!path.empty())
    for (const std::string& child : session.findings.restingOn(path))
      mark(child);
}

void touch(Session& session, const Document& document) {
  if (document.kind == Document::Kind::Settings)
    touchAll(session);
  else if (document.kind == Document::Kind::Contract)
    touch(session, document.uri, document.path);
}

void touchAll(Session& session) {
  session.workspace.forgetSettings();
  session.areSettingsStale = true;
  for (const auto& [uri, document] : session.documents.all())
    if (document.kind == Document::Kind::Contract)
      touch(session, uri, {});
  for (const fs::path& file : session.workspace.files())
    if (!session.documents.findPath(file))
      session.staleOnDisk.insert(uriOf(file));
}

void withdraw(Session& session, const std::string& uri) {
  publish(session, session.findings.remove(uri));
}

void discoverAll(Session& session) {
  while (!session.isDiscovered)
    discover(session);
}

bool workOn(Session& session) {
  if (session.areSettingsStale) {
    publish(session, takeSettings(session));
    return true;
  }
  if (!session.stale.empty()) {
    const Document* document = session.documents.find(*session.stale.begin());
    if (document && document->kind == Document::Kind::Contract)
      check(session, *document);
    else
      session.stale.erase(session.stale.begin());
    return true;
  }
  if (!session.isDiscovered) {
    discover(session);
    return true;
  }
  if (walk(session))
    return true;
  if (session.needsRefresh)
    refresh(session);
  return false;
}

void finish(Session& session, const Document& document) {
  if (document.kind == Document::Kind::Settings && session.areSettingsStale)
    publish(session, takeSettings(session));
  if (document.kind == Document::Kind::Contract && session.stale.contains(document.uri))
    check(session, document);
}

void finishAll(Session& session) {
  while (workOn(session))
    if (session.client.refreshesDiagnostics && session.isAwaited()) {
      session.needsRefresh = true;
      return;
    }
}

} // namespace tikc::lsp
