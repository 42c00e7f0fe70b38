#include "lsp/answers/Params.h"
#include "lsp/answers/Reports.h"
#include "lsp/methods/Methods.h"
#include "lsp/session/Work.h"

namespace tikc::lsp {

llvm::Expected<json::Value> onDocumentDiagnostic(Session& session, const json::Object& params) {
  std::string uri = uriIn(params);
  if (uri.empty())
    return failure(ErrorCode::InvalidParams, "there is no document");
  // Clients also ask of one that was closed meanwhile, and show an error to the user as such.
  if (const Document* document = session.documents.find(uri))
    finish(session, *document);
  return report(session.findings.of(uri), params.getString("previousResultId").value_or(""));
}

} // namespace tikc::lsp
