#pragma once

#include "lsp/session/Session.h"

namespace tikc::lsp {

/// Returns the edits that format a range of a document; null if it cannot be formatted. tikc has
/// one style, so the client's options are ignored.
Task formatted(Session& session, const Document& document, TextRange range);

} // namespace tikc::lsp
