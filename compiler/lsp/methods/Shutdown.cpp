#include "lsp/methods/Methods.h"

namespace tikc::lsp {

llvm::Expected<json::Value> onShutdown(Session& session, const json::Object&) {
  session.isShutDown = true;
  return nullptr;
}

} // namespace tikc::lsp
