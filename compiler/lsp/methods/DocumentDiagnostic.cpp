#include "lsp/Methods.h"
#include "lsp/Params.h"
#include "lsp/Reports.h"
#include "lsp/Work.h"

namespace tikc::lsp {

llvm::Expected<json::Value> onDocumentDiagnostic(Session& session, const json::Object& params) {
  const Document* document = session.documents.find(uriIn(params));
  if (!document)
    return failure(ErrorCode::InvalidParams, "no document of that uri is open");
  finish(session, *document);
  return report(session.findings.of(document->uri),
                params.getString("previousResultId").value_or(""));
}

} // namespace tikc::lsp
