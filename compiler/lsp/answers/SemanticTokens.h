#pragma once

#include "ide/Tokens.h"
#include "lsp/answers/Params.h"

#include <span>
#include <string_view>

namespace tikc::lsp {

/// The names of types and modifiers, in the order of the numbers that the protocol gives them.
std::span<const std::string_view> tokenTypes();
std::span<const std::string_view> tokenModifiers();

/// The tokens of a contract in the protocol's numbers, none over the end of its line: those that
/// touch the range.
std::vector<std::uint32_t> semanticTokens(Session& session, const Target& target, TextRange range);
/// The document's tokens as they are now, under a new id.
const Session::Tokens& freshTokens(Session& session, const Target& target);

json::Array numbers(const std::vector<std::uint32_t>& list);

} // namespace tikc::lsp
