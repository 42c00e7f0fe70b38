#pragma once

#include "ide/Analysis.h"
#include "ide/Outline.h"

#include <vector>

namespace tikc::ide {

/// What a token is to a reader.
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
enum class TokenModifier : std::uint8_t {
  None,
  Definition, // of the name that it is
  Language    // a word that the language has, and not the author
};

/// A part of a text that is of one colour. It may go over several lines.
struct SemanticToken {
  std::uint32_t begin = 0, end = 0;
  TokenType type{};
  TokenModifier modifier{};
};
/// Those that touch the range, in their order; none meet.
std::vector<SemanticToken> tokensOf(const Outline& outline, const Analysis& analysis,
                                    TextRange range);

} // namespace tikc::ide
