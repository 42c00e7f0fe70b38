#include "syntax/ExprSpacing.h"

namespace tikc::syntax {
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

} // namespace

std::string spaced(const ExprText& expr) {
  std::string out;
  for (std::size_t i = 0; i < expr.tokens.size() && expr.kind(i) != TokenKind::End; ++i) {
    if (i > 0 && isApart(expr.kind(i - 1), expr.kind(i)))
      out += ' ';
    out += expr.of(i);
  }
  return out;
}

} // namespace tikc::syntax
