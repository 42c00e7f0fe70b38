#pragma once

#include "syntax/ExprReport.h"
#include "syntax/ExprText.h"

#include <string>
#include <string_view>

namespace tikc::syntax {

/// Where the parser stopped, and what could have stood there.
struct SyntaxFailure {
  std::size_t token = 0;
  TokenSet expected;
};

/// "a requirement such as …": what the entry asks for.
std::string_view wanted(ExprEntry entry);

/// "a comparison such as `<= 0.1` after `p99(logit_osc)`".
std::string expectedPhrase(const ExprText& expr, const SyntaxFailure& failure);
/// "`0.25`", or "the end".
std::string foundPhrase(const ExprText& expr, std::size_t token);

/// Whether the parser may recurse over the tokens.
bool fitToParse(const ExprText& expr, const Limits& limits);
/// Whether brackets are nested deeper than the parser may recurse; they need not balance.
bool isTooDeep(const ExprText& expr, const Limits& limits);

/// Reports the first fault that the tokens alone show: strange characters, malformed numbers,
/// unbalanced or too deep brackets. False where there is none; the text is then fit to parse.
bool reportLexicalFault(const ExprText& expr, const Limits& limits, ExprReport& report);

/// The whole character at the offset: the lexer sees bytes.
ExprToken characterAt(const ExprText& expr, std::uint32_t begin);
/// The token is a character that no expression has, such as `≤` or `/`.
void reportCharacter(const ExprText& expr, std::size_t index, ExprReport& report);
/// The token is what another language writes for a comparison or a word, such as `=<` or `&&`.
void reportMisspelt(const ExprText& expr, const ExprToken& token, ExprReport& report);

void reportSyntaxFault(const ExprText& expr, const SyntaxFailure& failure, ExprReport& report);

/// The unit is a token after a number (or after `per`) that no unit has as its symbol.
void reportUnknownUnit(const ExprText& expr, std::size_t unit, ExprReport& report);

} // namespace tikc::syntax
