#include "lsp/Methods.h"
#include "lsp/Reports.h"
#include "lsp/Work.h"

namespace tikc::lsp {

llvm::Expected<json::Value> onWorkspaceDiagnostic(Session& session, const json::Object& params) {
  std::map<std::string, std::string> previous;
  if (const json::Array* known = params.getArray("previousResultIds"))
    for (const json::Value& value : *known)
      if (const json::Object* each = value.getAsObject())
        previous[each->getString("uri").value_or("").str()] =
            each->getString("value").value_or("").str();
  finishAll(session);
  std::set<std::string> uris = session.findings.uris();
  for (const auto& [uri, id] : previous)
    uris.insert(uri); // what has gone has no findings
  json::Array items;
  for (const std::string& uri : uris) {
    json::Object item = report(session.findings.of(uri), previous[uri]);
    const Document* open = session.documents.find(uri);
    item["uri"] = uri;
    item["version"] = open ? json::Value(open->version) : json::Value(nullptr);
    items.push_back(std::move(item));
  }
  return json::Object{{"items", std::move(items)}};
}

} // namespace tikc::lsp
