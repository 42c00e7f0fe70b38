#pragma once

#include "lsp/Outlines.h"

#include <span>
#include <string_view>
#include <vector>

namespace tikc::lsp {

/// What a token is to a reader, in the protocol's own words: `tokenTypes` has them in this order.
enum class TokenType : std::uint8_t {
  Namespace,  // a contract
  Class,      // a kernel
  Enum,       // a label
  EnumMember, // its value, a slice, a word of a closed list
  Event,      // a rule
  Variable,   // a clause, a claim, a metric
  Property,   // a key, a request field
  Parameter,  // the name of an argument
  Function,   // an aggregate, an action, a state
  Type,       // a unit
  Macro,      // an anchor, an alias, a code
  Keyword,
  Operator,
  Number,
  String,
  Comment
};
std::span<const std::string_view> tokenTypes();
std::span<const std::string_view> tokenModifiers();

/// The tokens of a document in the protocol's numbers, none over the end of its line: those that
/// touch the range.
std::vector<std::uint32_t> semanticTokens(const Outline& outline, const Analysis& analysis,
                                          Encoding encoding, Range range);

} // namespace tikc::lsp
