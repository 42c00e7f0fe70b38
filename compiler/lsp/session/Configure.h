#pragma once

#include "lsp/session/Session.h"

namespace tikc::lsp {

/// Takes what the user set under `tikc`; null is nothing.
void configure(Session& session, const json::Value* settings);
/// Asks the client for it.
void askConfiguration(Session& session);

} // namespace tikc::lsp
