#include "expr/ExprSpacing.h"

#include "model/Amount.h"

namespace tikc::expr {
namespace {

bool isApart(TokenKind left, TokenKind right) {
  if (isOpener(left) || isCloser(right) || right == TokenKind::Comma || left == TokenKind::Assign ||
      right == TokenKind::Assign || left == TokenKind::Minus)
    return false;
  if (right == TokenKind::LeftParen)
    return left != TokenKind::Name; // of a call
  if (right == TokenKind::Percent)
    return left != TokenKind::Number;
  return true;
}

/// 0x1F is one wrong word to who reads it, and 0 x1F would be another.
bool isOneWord(const ExprText& expr, std::size_t right) {
  return expr.kind(right - 1) == TokenKind::Number && expr.kind(right) == TokenKind::Name &&
         expr.touchesNext(right - 1) && !model::findUnit(expr.of(right));
}

} // namespace

std::string spaced(const ExprText& expr) {
  std::string out;
  for (std::size_t i = 0; i < expr.tokens.size() && expr.kind(i) != TokenKind::End; ++i) {
    if (i > 0 && isApart(expr.kind(i - 1), expr.kind(i)) && !isOneWord(expr, i))
      out += ' ';
    out += expr.of(i);
  }
  return out;
}

} // namespace tikc::expr
