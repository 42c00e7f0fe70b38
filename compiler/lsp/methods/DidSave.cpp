#include "lsp/answers/Params.h"
#include "lsp/methods/Methods.h"
#include "lsp/session/Work.h"

namespace tikc::lsp {

/// The text is known; what is new is that there may be a file now, which others extend.
llvm::Error onDidSave(Session& session, const json::Object& params) {
  const Document* document = session.documents.find(uriIn(params));
  if (!document)
    return failure(ErrorCode::InvalidParams, "no open document has that URI");
  if (document->kind == Document::Kind::Contract) {
    session.workspace.addFile(document->path);
    touch(session, document->uri, document->path);
  }
  askHeadOfAll(session); // what was committed since the last one
  return llvm::Error::success();
}

} // namespace tikc::lsp
