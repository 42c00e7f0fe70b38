#include "lsp/answers/Params.h"
#include "lsp/methods/Methods.h"
#include "lsp/session/Work.h"

namespace tikc::lsp {

llvm::Error onDidChange(Session& session, const json::Object& params) {
  if (auto error = session.documents.change(params))
    return error;
  const Document& document = *session.documents.find(uriIn(params));
  touch(session, document);
  return llvm::Error::success();
}

} // namespace tikc::lsp
