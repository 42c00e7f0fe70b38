#include "lsp/answers/Params.h"
#include "lsp/methods/Methods.h"
#include "lsp/session/Work.h"

namespace tikc::lsp {

llvm::Error onDidOpen(Session& session, const json::Object& params) {
  const json::Object* item = params.getObject("textDocument");
  if (!item)
    return failure(ErrorCode::InvalidParams, "missing document");
  if (auto error = session.documents.open(*item))
    return error;
  const Document& document = *session.documents.find(uriIn(params));
  // Its file's findings are under the name that is given to files, which may be spelt otherwise.
  if (std::string file = uriOf(document.path); file != document.uri)
    withdraw(session, file);
  touch(session, document);
  askHead(session, document);
  return llvm::Error::success();
}

} // namespace tikc::lsp
