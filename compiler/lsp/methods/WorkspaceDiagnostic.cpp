#include "lsp/answers/Reports.h"
#include "lsp/methods/Methods.h"
#include "lsp/session/Work.h"

namespace tikc::lsp {

namespace {

// Texts between which others may speak.
constexpr std::size_t reportsAtATime = 100;

struct Reporting {
  std::map<std::string, std::string> previous;
  std::optional<std::set<std::string>> uris; // that are left
  json::Array items;

  /// True when all are told.
  bool more(Session& session) {
    for (std::size_t i = 0; i < reportsAtATime && !uris->empty(); ++i) {
      std::string uri = std::move(uris->extract(uris->begin()).value());
      json::Object item = report(session.findings.of(uri), previous[uri]);
      const Document* open = session.documents.find(uri);
      item["version"] = open ? json::Value(open->version) : json::Value(nullptr);
      item["uri"] = std::move(uri);
      items.push_back(std::move(item));
    }
    return uris->empty();
  }
};

} // namespace

Task onWorkspaceDiagnostic(Session&, const json::Object& params) {
  auto state = std::make_shared<Reporting>();
  if (const json::Array* known = params.getArray("previousResultIds"))
    for (const json::Value& value : *known)
      if (const json::Object* each = value.getAsObject())
        state->previous[each->getString("uri").value_or("").str()] =
            each->getString("value").value_or("").str();
  return [state](Session& session) -> std::optional<llvm::Expected<json::Value>> {
    if (!state->uris && (!isFinished(session) || session.needsRefresh))
      return std::nullopt;
    if (!state->uris) {
      state->uris = session.findings.uris();
      for (const auto& [uri, id] : state->previous)
        state->uris->insert(uri); // what has gone has no findings
    }
    if (!state->more(session)) {
      session.hasMoreToSay = true;
      return std::nullopt;
    }
    return json::Value(json::Object{{"items", std::move(state->items)}});
  };
}

} // namespace tikc::lsp
