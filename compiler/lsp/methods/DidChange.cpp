#include "lsp/Methods.h"
#include "lsp/Params.h"
#include "lsp/Work.h"

namespace tikc::lsp {

llvm::Error onDidChange(Session& session, const json::Object& params) {
  if (auto error = session.documents.change(params))
    return error;
  const Document& document = *session.documents.find(uriIn(params));
  if (document.kind == Document::Kind::Settings)
    touchAll(session);
  else if (document.kind == Document::Kind::Contract)
    touch(session, document.uri, document.path);
  return llvm::Error::success();
}

} // namespace tikc::lsp
