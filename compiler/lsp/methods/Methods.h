#pragma once

#include "lsp/session/Session.h"

namespace tikc::lsp {

struct AskedName;

#define REQUEST(Name, method)                                                                      \
  llvm::Expected<json::Value> on##Name(Session& session, const json::Object& params);
#define REQUEST_OF_NAMES(Name, method)                                                             \
  Task on##Name(const std::shared_ptr<const AskedName>& asked, const json::Object& params);
#define LONG_REQUEST(Name, method) Task on##Name(Session& session, const json::Object& params);
#define NOTIFICATION(Name, method)                                                                 \
  llvm::Error on##Name(Session& session, const json::Object& params);
#include "lsp/methods/Methods.def"

} // namespace tikc::lsp
