#pragma once

#include "support/Limits.h"
#include "syntax/ExprText.h"

#include <string_view>

namespace tikc::syntax {

/// Cuts the text into the tokens of grammar/Tikc.g4, as ANTLR's lexer would, at a fraction of its
/// cost. Every text can be cut; the last token is End.
void lex(ExprText& expr);

/// Any text in tokens, whether it can be read or not; one that is too long is left uncut and empty.
ExprText cut(std::string_view text, const Limits& limits = {});

} // namespace tikc::syntax
