#include "lsp/answers/Actions.h"

#include "support/Check.h"

#include <algorithm>

namespace tikc::lsp {
namespace {

using ide::ActionKind;

std::string_view wireKind(ActionKind kind) {
  switch (kind) {
  case ActionKind::QuickFix:
    return "quickfix";
  case ActionKind::FixAll:
    return "source.fixAll.tikc";
  case ActionKind::Rewrite:
    return "refactor.rewrite";
  case ActionKind::Extract:
    return "refactor.extract";
  }
  TIKC_CHECK(false, "each kind of action has its name");
}

json::Value emptyRange() {
  auto start = [] { return json::Object{{"line", 0}, {"character", 0}}; };
  return json::Object{{"start", start()}, {"end", start()}};
}

/// The client makes the file, before it changes others.
json::Value withFile(json::Value changes, const ide::CodeAction::NewFile& file) {
  std::string uri = uriOf(file.path);
  json::Array out{json::Object{{"kind", "create"}, {"uri", uri}},
                  json::Object{{"textDocument", json::Object{{"uri", uri}, {"version", nullptr}}},
                               {"edits", json::Array{json::Object{{"range", emptyRange()},
                                                                  {"newText", file.text}}}}}};
  for (const json::Value& change : *changes.getAsObject()->getArray("documentChanges"))
    out.push_back(change);
  return json::Object{{"documentChanges", std::move(out)}};
}

/// The data that name an edit which is found later.
std::optional<json::Object> laterOf(const ide::CodeAction& action) {
  if (std::holds_alternative<ide::EverySafeFix>(action.does))
    return json::Object{{"does", "fixAll"}};
  if (const auto* tolerance = std::get_if<ide::LargestTolerance>(&action.does))
    return json::Object{{"does", "tolerance"},
                        {"contract", tolerance->contract},
                        {"claim", tolerance->claim},
                        {"begin", tolerance->begin}};
  return std::nullopt;
}

std::optional<ide::CodeAction::Does> laterIn(const json::Object& data) {
  auto does = data.getString("does");
  if (does == "fixAll")
    return ide::EverySafeFix{};
  if (does == "tolerance")
    return ide::LargestTolerance{data.getString("contract").value_or("").str(),
                                 data.getString("claim").value_or("").str(),
                                 data.getInteger("begin").value_or(-1)};
  return std::nullopt;
}

} // namespace

json::Object actionOf(const ide::CodeAction& action) {
  json::Object out{{"title", action.title}, {"kind", std::string(wireKind(action.kind))}};
  if (action.isPreferred)
    out["isPreferred"] = true;
  if (!action.whyNot.empty())
    out["disabled"] = json::Object{{"reason", action.whyNot}};
  return out;
}

std::set<ActionKind> kindsAskedFor(const Client& client, const std::vector<std::string>& only) {
  auto isNamed = [&](ActionKind kind) {
    return std::any_of(only.begin(), only.end(), [&](const std::string& wanted) {
      std::string_view name = wireKind(kind);
      return name == wanted || (name.starts_with(wanted) && name[wanted.size()] == '.');
    });
  };
  std::set<ActionKind> out;
  for (ActionKind kind :
       {ActionKind::QuickFix, ActionKind::FixAll, ActionKind::Rewrite, ActionKind::Extract})
    if (only.empty() || isNamed(kind))
      out.insert(kind);
  if (!client.createsFiles)
    out.erase(ActionKind::Extract);
  // Each round checks the text again: it is not for every move of the cursor.
  if (!client.resolvesEdits && !isNamed(ActionKind::FixAll))
    out.erase(ActionKind::FixAll);
  return out;
}

bool isFoundLater(const Client& client, const ide::CodeAction& action) {
  return client.resolvesEdits
             ? laterOf(action).has_value()
             : client.appliesEdits && std::holds_alternative<ide::LargestTolerance>(action.does);
}

void addEdit(const Session& session, const Document& document, Convert& convert,
             const ide::CodeAction& action, json::Object& out) {
  if (isFoundLater(session.client, action)) {
    json::Object later = *laterOf(action);
    later["uri"] = document.uri;
    later["version"] = document.version;
    if (session.client.resolvesEdits)
      out["data"] = std::move(later);
    else
      out["command"] = json::Object{{"title", action.title},
                                    {"command", setTolerance},
                                    {"arguments", json::Array{std::move(later)}}};
    return;
  }
  json::Value edit = convert.workspaceEdit(std::get<std::vector<Edit>>(action.does));
  out["edit"] = action.creates ? withFile(std::move(edit), *action.creates) : std::move(edit);
}

llvm::Expected<Task> laterEdit(Session& session, const json::Object& data, EditReply reply) {
  const Document* document = session.documents.find(data.getString("uri").value_or(""));
  if (!document || document->kind != Document::Kind::Contract)
    return failure(ErrorCode::InvalidParams, "no open contract has that URI");
  if (document->version != data.getInteger("version").value_or(-1))
    return textHasChanged();
  auto does = laterIn(data);
  if (!does)
    return failure(ErrorCode::InvalidParams, "unknown action data");
  return byCrew(session,
                [snapshot = session.workspace.snapshotOf(*document),
                 analysis = session.workspace.knownOf(*document), does = *does,
                 reply = std::move(reply)]() -> Reply {
                  auto edits = std::make_shared<llvm::Expected<std::vector<Edit>>>(
                      editsOf(*snapshot, *analysis, does));
                  return [edits, analysis, reply](Session& then) -> llvm::Expected<json::Value> {
                    if (!*edits)
                      return failure(ErrorCode::RequestFailed, llvm::toString(edits->takeError()));
                    return reply(then, Convert(then, *analysis->sources).workspaceEdit(**edits));
                  };
                });
}

llvm::Expected<std::vector<Edit>> editsOf(const Snapshot& document, const Analysis& analysis,
                                          const ide::CodeAction::Does& does) {
  if (const auto* tolerance = std::get_if<ide::LargestTolerance>(&does))
    return ide::editsOf(analysis, *tolerance);
  if (const auto* edits = std::get_if<std::vector<Edit>>(&does))
    return *edits;
  return std::vector<Edit>{ide::wholeEdit(analysis.file, document.text(), document.fixed())};
}

} // namespace tikc::lsp
