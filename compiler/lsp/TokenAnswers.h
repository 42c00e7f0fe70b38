#pragma once

#include "lsp/Params.h"
#include "lsp/SemanticTokens.h"

namespace tikc::lsp {

/// The document's tokens as they are now, under a new id.
const Session::Tokens& freshTokens(Session& session, const Target& target);

json::Array numbers(const std::vector<std::uint32_t>& list);

} // namespace tikc::lsp
