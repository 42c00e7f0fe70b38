#pragma once

#include "lsp/session/Session.h"

namespace tikc::lsp {

/// Applies the user's settings under `tikc`; null if there are none.
void configure(Session& session, const json::Value* settings);
/// Asks the client for its settings.
void askConfiguration(Session& session);

} // namespace tikc::lsp
