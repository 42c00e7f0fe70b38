#pragma once

#include "expr/ExprReport.h"
#include "expr/ExprText.h"

#include <string>
#include <string_view>

namespace tikc::expr {

/// Where the parser stopped, and the tokens that could follow.
struct SyntaxFailure {
  std::size_t token = 0;
  TokenSet expected;
};

/// Returns what the entry expects: "a requirement such as …".
std::string_view wanted(ExprEntry entry);

/// Returns "a comparison such as `<= 0.1` after `p99(logit_osc)`".
std::string expectedPhrase(const ExprText& expr, const SyntaxFailure& failure);
/// Returns "`0.25`", or "the end".
std::string foundPhrase(const ExprText& expr, std::size_t token);

/// Returns whether the tokens are shallow enough for the recursive parser.
bool fitToParse(const ExprText& expr, const Limits& limits);
/// Returns whether brackets are nested deeper than the parser may recurse; they need not balance.
bool isTooDeep(const ExprText& expr, const Limits& limits);

/// Reports the first fault that the tokens alone show: strange characters, malformed numbers,
/// unbalanced or too deep brackets. Returns false if there is none; the text can then be parsed.
bool reportLexicalFault(const ExprText& expr, const Limits& limits, ExprReport& report);

/// Returns the whole character at the offset, since the lexer works on bytes.
ExprToken characterAt(const ExprText& expr, std::uint32_t begin);
/// Reports a character that no expression has, such as `≤` or `/`.
void reportCharacter(const ExprText& expr, std::size_t index, ExprReport& report);
/// Reports another language's form of a comparison or word, such as `=<` or `&&`.
void reportMisspelt(const ExprText& expr, const ExprToken& token, ExprReport& report);

void reportSyntaxFault(const ExprText& expr, const SyntaxFailure& failure, ExprReport& report);

/// Reports an unknown unit: a token after a number or after `per` that is not a unit's symbol.
void reportUnknownUnit(const ExprText& expr, std::size_t unit, ExprReport& report);

} // namespace tikc::expr
