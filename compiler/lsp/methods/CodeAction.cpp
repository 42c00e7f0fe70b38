#include "lsp/Actions.h"
#include "lsp/Methods.h"

namespace tikc::lsp {

llvm::Expected<json::Value> onCodeAction(Session& session, const json::Object& params) {
  auto selection = selectionOf(session, params);
  if (!selection)
    return selection.takeError();
  // Clients that know commands alone have no use for an edit.
  if (!*selection || !session.client.hasCodeActionLiterals)
    return nullptr;
  ActionRequest request{session, *selection->document, *selection->analysis, selection->range, {}};
  if (const json::Object* context = params.getObject("context")) {
    request.diagnostics = context->getArray("diagnostics");
    if (const json::Array* only = context->getArray("only"))
      for (const json::Value& kind : *only)
        request.only.push_back(kind.getAsString().value_or("").str());
  }
  json::Array out;
  addFixes(request, out);
  addMissing(request, out);
  addSuppressions(request, out);
  addNumbers(request, out);
  addExtraction(request, out);
  addFixAll(request, out);
  return json::Value(std::move(out));
}

} // namespace tikc::lsp
