#include "expr/ExprLexer.h"

#include <llvm/ADT/StringExtras.h>

#include <algorithm>
#include <array>

namespace tikc::expr {
namespace {

using llvm::isDigit;

bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
bool startsName(char c) { return llvm::isAlpha(c) || c == '_'; }

TokenKind after(TokenKind kind) { return static_cast<TokenKind>(static_cast<int>(kind) + 1); }

struct Sign {
  std::string_view text;
  TokenKind kind;
};

/// Longer ones before those that they begin with.
constexpr std::array<Sign, 25> signs = {
    {{"===", TokenKind::Misspelt},   {"!==", TokenKind::Misspelt}, {"<=", TokenKind::LessEqual},
     {"<>", TokenKind::Misspelt},    {"<", TokenKind::Less},       {">=", TokenKind::GreaterEqual},
     {">", TokenKind::Greater},      {"==", TokenKind::Equal},     {"=<", TokenKind::Misspelt},
     {"=>", TokenKind::Misspelt},    {"=", TokenKind::Assign},     {"!=", TokenKind::NotEqual},
     {"!", TokenKind::Misspelt},     {"&&", TokenKind::Misspelt},  {"||", TokenKind::Misspelt},
     {"(", TokenKind::LeftParen},    {")", TokenKind::RightParen}, {"[", TokenKind::LeftBracket},
     {"]", TokenKind::RightBracket}, {"{", TokenKind::LeftBrace},  {"}", TokenKind::RightBrace},
     {",", TokenKind::Comma},        {"%", TokenKind::Percent},    {"-", TokenKind::Minus},
     {"", TokenKind::Unknown}}};

class Lexer {
public:
  explicit Lexer(std::string_view text) : text_(text) {}

  bool next(ExprToken& out) {
    at_ = skip(at_, isSpace);
    if (at_ == text_.size())
      return false;
    std::size_t begin = at_;
    out.kind = token();
    out.begin = static_cast<std::uint32_t>(begin);
    out.end = static_cast<std::uint32_t>(at_);
    return true;
  }

private:
  char charAt(std::size_t at) const { return at < text_.size() ? text_[at] : '\0'; }

  template <typename Is> std::size_t skip(std::size_t at, Is is) const {
    while (at < text_.size() && is(text_[at]))
      ++at;
    return at;
  }

  TokenKind token() {
    char first = text_[at_];
    if (startsName(first))
      return name();
    if (isDigit(first) || (first == '.' && isDigit(charAt(at_ + 1))))
      return number();
    if (first == '"' || first == '\'')
      return string(first);
    return sign();
  }

  TokenKind name() {
    std::size_t end = skip(at_, [](char c) { return startsName(c) || isDigit(c); });
    std::string_view word = text_.substr(at_, end - at_);
    at_ = end;
    for (TokenKind kind = TokenKind::And; isKeyword(kind); kind = after(kind))
      if (word == keyword(kind))
        return kind;
    return TokenKind::Name;
  }

  TokenKind number() {
    at_ = skip(at_, [](char c) { return isDigit(c) || c == '_' || c == '.'; });
    if (charAt(at_) != 'e' && charAt(at_) != 'E')
      return TokenKind::Number;
    bool isSigned = charAt(at_ + 1) == '+' || charAt(at_ + 1) == '-';
    std::size_t exponent = at_ + (isSigned ? 2 : 1);
    if (isDigit(charAt(exponent)))
      at_ = skip(exponent, [](char c) { return isDigit(c) || c == '_'; });
    return TokenKind::Number;
  }

  /// To the closing quote, or to the end of the text where there is none.
  TokenKind string(char quote) {
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == quote) {
        ++at_;
        return TokenKind::String;
      }
      if (text_[at_] == '\\')
        ++at_;
    }
    at_ = text_.size();
    return TokenKind::Unclosed;
  }

  TokenKind sign() {
    std::string_view rest = text_.substr(at_);
    const Sign& found = *std::find_if(
        signs.begin(), signs.end(), [&](const Sign& each) { return rest.starts_with(each.text); });
    at_ += std::max<std::size_t>(found.text.size(), 1);
    return found.kind;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

} // namespace

void lex(ExprText& expr) {
  expr.tokens.clear();
  Lexer lexer(expr.text);
  for (ExprToken token; lexer.next(token);)
    expr.tokens.push_back(token);
  // What trails the last token is no part of what the end stands for.
  std::uint32_t end =
      expr.tokens.empty() ? static_cast<std::uint32_t>(expr.text.size()) : expr.tokens.back().end;
  expr.tokens.push_back({TokenKind::End, end, end});
}

ExprText cut(std::string_view text, const Limits& limits) {
  ExprText out{text.size() <= limits.expressionBytes ? text : std::string_view(), {}};
  lex(out);
  return out;
}

} // namespace tikc::expr
