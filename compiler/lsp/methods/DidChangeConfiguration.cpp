#include "lsp/methods/Methods.h"
#include "lsp/session/Configure.h"

namespace tikc::lsp {

llvm::Error onDidChangeConfiguration(Session& session, const json::Object& params) {
  if (session.client.hasConfiguration)
    askConfiguration(session);
  else if (const json::Object* settings = params.getObject("settings"))
    configure(session, settings->get("tikc"));
  return llvm::Error::success();
}

} // namespace tikc::lsp
