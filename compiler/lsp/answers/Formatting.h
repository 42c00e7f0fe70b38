#pragma once

#include "lsp/session/Session.h"

namespace tikc::lsp {

/// The edits that bring a range of a document into canonical style; null where it cannot be. There
/// is one style: the client's options are not asked.
Task formatted(Session& session, const Document& document, TextRange range);

} // namespace tikc::lsp
