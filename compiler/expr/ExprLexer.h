#pragma once

#include "expr/ExprText.h"
#include "support/Limits.h"

#include <string_view>

namespace tikc::expr {

/// Cuts the text into the tokens of grammar/Tikc.g4, as ANTLR's lexer would, at a fraction of its
/// cost. Every text can be cut; the last token is End.
void lex(ExprText& expr);

/// Returns the tokens of any text, valid or not; a text that is too long gives no tokens.
ExprText cut(std::string_view text, const Limits& limits = {});

} // namespace tikc::expr
