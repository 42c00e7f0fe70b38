#pragma once

#include "ide/Analysis.h"
#include "ide/Outline.h"

#include <vector>

namespace tikc::ide {

/// The meaning of a token, for highlighting.
enum class TokenType : std::uint8_t {
  Namespace,  // a contract
  Class,      // a kernel
  Enum,       // a label
  EnumMember, // a label's value, a slice, a word of a closed list
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
enum class TokenModifier : std::uint8_t {
  None,
  Definition, // where a name is defined
  Language    // a word of the language, not the author's
};

/// A part of a text in one colour. It may cover several lines.
struct SemanticToken {
  std::uint32_t begin = 0, end = 0;
  TokenType type{};
  TokenModifier modifier{};
};
/// Returns the tokens that touch the range, in order and without overlaps.
std::vector<SemanticToken> tokensOf(const Outline& outline, const Analysis& analysis,
                                    TextRange range);

} // namespace tikc::ide
