#pragma once

#include "model/Keys.h"
#include "support/Limits.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tikc::expr {

/// The tokens of grammar/Tikc.g4 in its order; ParserTokens.h asserts that they agree. End is the
/// end of the text.
enum class TokenKind : std::uint8_t {
  End,
  And,
  Or,
  Not,
  In,
  On,
  Over,
  With,
  Confidence,
  Per,
  For,
  All,
  Slices,
  LessEqual,
  Less,
  GreaterEqual,
  Greater,
  Equal,
  NotEqual,
  Assign,
  LeftParen,
  RightParen,
  LeftBracket,
  RightBracket,
  LeftBrace,
  RightBrace,
  Comma,
  Percent,
  Minus,
  Number,
  Name,
  String,
  Space,
  Unclosed,
  Misspelt,
  Unknown
};

inline bool isComparator(TokenKind kind) {
  return kind >= TokenKind::LessEqual && kind <= TokenKind::NotEqual;
}
inline bool isKeyword(TokenKind kind) {
  return kind >= TokenKind::And && kind <= TokenKind::Slices;
}
inline bool isOpener(TokenKind kind) {
  return kind == TokenKind::LeftParen || kind == TokenKind::LeftBracket ||
         kind == TokenKind::LeftBrace;
}
inline bool isCloser(TokenKind kind) {
  return kind == TokenKind::RightParen || kind == TokenKind::RightBracket ||
         kind == TokenKind::RightBrace;
}
/// Returns the closing bracket of an opening one.
inline TokenKind partner(TokenKind opener) {
  return static_cast<TokenKind>(static_cast<int>(opener) + 1);
}

/// A set of token kinds.
class TokenSet {
public:
  void add(TokenKind kind) { bits_ |= bit(kind); }
  bool has(TokenKind kind) const { return (bits_ & bit(kind)) != 0; }
  bool hasComparator() const { return has(TokenKind::LessEqual); }

private:
  static std::uint64_t bit(TokenKind kind) { return 1ull << static_cast<int>(kind); }
  std::uint64_t bits_ = 0;
};

/// The entry rule of the grammar that reads the text.
enum class ExprEntry : std::uint8_t { Requirement, Predicate, Trigger, Call, Quantity };
inline constexpr std::size_t exprEntries = 5;
/// Returns nothing if the entry is not an expression.
std::optional<ExprEntry> exprEntryOf(model::GrammarEntry entry);

/// A token; its range is in bytes of the decoded scalar.
struct ExprToken {
  TokenKind kind = TokenKind::End;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

/// The decoded text of one expression, cut into tokens; the last token is End.
struct ExprText {
  std::string_view text;
  std::vector<ExprToken> tokens;
  ExprEntry entry = ExprEntry::Requirement;

  TokenKind kind(std::size_t index) const {
    return index < tokens.size() ? tokens[index].kind : TokenKind::End;
  }
  std::string_view of(const ExprToken& token) const {
    return text.substr(token.begin, token.end - token.begin);
  }
  std::string_view of(std::size_t index) const { return of(tokens[index]); }
  /// Returns the text from the first to the last of these tokens on one line; whitespace becomes
  /// one space.
  std::string of(std::size_t first, std::size_t last) const;
  /// Returns whether the token and the next one are adjacent.
  bool touchesNext(std::size_t index) const {
    return index + 1 < tokens.size() && tokens[index].end == tokens[index + 1].begin;
  }
  /// Returns the innermost bracket that is open before the token, or tokens.size().
  std::size_t innermostOpener(std::size_t index) const;
  /// Returns the opener of the closer at the index; brackets are balanced.
  std::size_t openerOf(std::size_t closer) const;
  /// Returns the closer of the opener at the index; brackets are balanced.
  std::size_t closerOf(std::size_t opener) const;
};

/// The grammar's reserved words, in the order of their kinds from And.
std::string_view keyword(TokenKind kind);
/// Returns the keyword that equals the text except for case; End if there is none.
TokenKind keywordIgnoringCase(std::string_view text);

/// The fault of a number token, and its replacement if known.
struct NumberFault {
  enum class Kind : std::uint8_t { None, Malformed, OutOfRange };
  Kind kind = Kind::None;
  std::string reason;
  std::string instead;
  bool sure = true; // the digits alone show the intended number
};
NumberFault checkNumber(std::string_view text, const Limits& limits);
/// Inserts `_` between thousands if there are more than four digits.
std::string groupThousands(std::string_view digits);

/// Returns a string token's text without quotes and escapes. The escapes are known to be valid.
std::string unescape(std::string_view token);
/// Returns the offset in the token of the first backslash that starts no escape, or token.size().
std::size_t firstUnknownEscape(std::string_view token);

} // namespace tikc::expr
