#pragma once

#include "ide/Tokens.h"
#include "lsp/answers/Params.h"

#include <span>
#include <string_view>

namespace tikc::lsp {

/// Returns the names of types and modifiers, in the order of the protocol's numbers.
std::span<const std::string_view> tokenTypes();
std::span<const std::string_view> tokenModifiers();

/// Returns the tokens that touch the range in the protocol's encoding; no token spans lines.
std::vector<std::uint32_t> semanticTokens(Session& session, const Target& target, TextRange range);
/// Computes the document's tokens and gives them a new id.
const Session::Tokens& freshTokens(Session& session, const Target& target);

json::Array numbers(const std::vector<std::uint32_t>& list);

} // namespace tikc::lsp
