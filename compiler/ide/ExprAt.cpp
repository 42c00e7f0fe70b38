#include "ide/ExprAt.h"

#include "expr/ExprLexer.h"
#include "expr/ExprReport.h"

namespace tikc::ide {

using expr::TokenKind;

namespace {

bool isWordToken(TokenKind kind) {
  return kind == TokenKind::Name || kind == TokenKind::Number || kind == TokenKind::String ||
         kind == TokenKind::Percent || expr::isKeyword(kind);
}

} // namespace

std::optional<ExprAt> exprAt(const SourceManager& sources, const yaml::Node& scalar,
                             std::uint32_t offset) {
  if (scalar.kind != yaml::Node::Kind::Scalar || scalar.value.size() > Limits().expressionBytes)
    return std::nullopt;
  expr::ExprPlace place(sources, scalar);
  ExprAt out{expr::cut(scalar.value), 0, {}};
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < out.text.tokens.size(); ++i) {
    const expr::ExprToken& token = out.text.tokens[i];
    if (token.kind == TokenKind::End || token.kind == TokenKind::Space)
      continue;
    Span span = place.span(token.begin, token.end);
    if (span.begin > offset || span.end < offset)
      continue;
    if (!found || (isWordToken(token.kind) && !isWordToken(out.kind(*found)))) {
      found = i;
      out.span = span;
    }
  }
  if (!found)
    return std::nullopt;
  out.token = *found;
  return out;
}

std::optional<ExprAt::Argument> ExprAt::argument() const {
  Argument out;
  std::size_t depth = 0;
  for (std::size_t i = token; i-- > 0;) {
    TokenKind at = kind(i);
    if (expr::isCloser(at))
      ++depth;
    else if (at == TokenKind::Comma && depth == 0)
      ++out.index;
    else if (expr::isOpener(at) && depth-- == 0) {
      if (at != TokenKind::LeftParen || i == 0 || kind(i - 1) != TokenKind::Name)
        return std::nullopt;
      out.call = text.of(i - 1);
      return out;
    }
  }
  return std::nullopt;
}

} // namespace tikc::ide
