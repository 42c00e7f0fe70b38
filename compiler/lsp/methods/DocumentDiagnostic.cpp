#include "lsp/answers/Params.h"
#include "lsp/answers/Reports.h"
#include "lsp/methods/Methods.h"
#include "lsp/session/Waiting.h"
#include "lsp/session/Work.h"

namespace tikc::lsp {

/// Of the text as it is when the answer is there: clients show an error to the user as such.
Task onDocumentDiagnostic(Session&, const json::Object& params) {
  return [uri = uriIn(params), previous = params.getString("previousResultId").value_or("").str(),
          document = PendingDocument(params)](
             Session& session) mutable -> std::optional<llvm::Expected<json::Value>> {
    if (uri.empty())
      return failure(ErrorCode::InvalidParams, "missing document");
    if (!document.isKnown(session))
      return std::nullopt;
    finishSettings(session);
    // Clients also ask of one that was closed meanwhile.
    return json::Value(report(session.findings.of(uri), previous));
  };
}

} // namespace tikc::lsp
