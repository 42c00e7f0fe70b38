#include "lsp/session/Session.h"

namespace tikc::lsp {

void Session::ask(llvm::StringRef method, json::Value params, Answered answered) {
  std::int64_t id = ++lastAsked_;
  asked.emplace(id, std::move(answered));
  send(writeRequest(id, method, std::move(params)));
}

} // namespace tikc::lsp
