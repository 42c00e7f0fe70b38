#include "lsp/session/Session.h"

namespace tikc::lsp {

void Session::ask(llvm::StringRef method, json::Value params, Answered answered) {
  std::int64_t id = ++lastAsked_;
  asked.emplace(id, std::move(answered));
  send(writeRequest(id, method, std::move(params)));
}

std::shared_ptr<const ide::Analysis> committedOf(const Session& session, const std::string& uri) {
  auto known = session.committed.find(uri);
  bool isThere = known != session.committed.end() && known->second && known->second->analysis;
  return isThere ? std::shared_ptr<const ide::Analysis>(known->second, &*known->second->analysis)
                 : nullptr;
}

} // namespace tikc::lsp
