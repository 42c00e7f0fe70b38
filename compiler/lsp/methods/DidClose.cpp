#include "lsp/answers/Params.h"
#include "lsp/methods/Methods.h"
#include "lsp/session/Work.h"

namespace tikc::lsp {

/// From now on its file counts again, if it has one and the folders that are open have it.
llvm::Error onDidClose(Session& session, const json::Object& params) {
  std::string uri = uriIn(params);
  const Document* document = session.documents.find(uri);
  if (!document)
    return failure(ErrorCode::InvalidParams, "no open document has that URI");
  Document closed = *document;
  if (auto error = session.documents.close(uri))
    return error;
  session.stale.erase(uri);
  session.workspace.forget(uri);
  session.checking.erase(uri);
  session.tokens.erase(uri);
  session.committed.erase(uri);
  session.unaskedOfHead.erase(uri);
  if (closed.kind == Document::Kind::Settings)
    touchAll(session);
  if (closed.kind == Document::Kind::Fixture)
    withdraw(session, uri);
  if (closed.kind != Document::Kind::Contract)
    return llvm::Error::success();
  touch(session, uriOf(closed.path), closed.path);
  if (!session.workspace.files().contains(closed.path))
    session.staleOnDisk.erase(uriOf(closed.path));
  withdraw(session, uri);
  return llvm::Error::success();
}

} // namespace tikc::lsp
