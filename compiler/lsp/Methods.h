#pragma once

#include "lsp/Session.h"

namespace tikc::lsp {

#define REQUEST(Name, method)                                                                      \
  llvm::Expected<json::Value> on##Name(Session& session, const json::Object& params);
#define REQUEST_OF_NAMES(Name, method) REQUEST(Name, method)
#define LONG_REQUEST(Name, method) Task on##Name(Session& session, const json::Object& params);
#define NOTIFICATION(Name, method)                                                                 \
  llvm::Error on##Name(Session& session, const json::Object& params);
#include "lsp/Methods.def"

} // namespace tikc::lsp
