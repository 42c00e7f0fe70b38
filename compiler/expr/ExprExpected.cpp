#include "expr/ExprFaults.h"
#include "support/Names.h"
#include "support/Utf8.h"

#include <array>

namespace tikc::expr {
namespace {

using utf8::ticked;

/// The words for what could have stood where the parser stopped.
class Expected {
public:
  Expected(const ExprText& expr, const SyntaxFailure& failure)
      : expr_(expr), expected_(failure.expected), at_(failure.token),
        opener_(expr.innermostOpener(at_)) {}

  std::string phrase() const;

private:
  TokenKind previous() const { return at_ > 0 ? expr_.kind(at_ - 1) : TokenKind::End; }
  bool bracketed() const { return opener_ < expr_.tokens.size(); }
  bool inCall() const {
    return bracketed() && opener_ > 0 && expr_.kind(opener_) == TokenKind::LeftParen &&
           expr_.kind(opener_ - 1) == TokenKind::Name;
  }
  bool inRequirement() const { return expr_.entry == ExprEntry::Requirement && !bracketed(); }

  std::string constructBefore() const;
  std::string_view afterOpening() const;
  std::string continuation() const;

  const ExprText& expr_;
  const TokenSet& expected_;
  std::size_t at_;
  std::size_t opener_;
};

/// What was read last, as the user would point at it: a call with its arguments, a number with its
/// unit, or one token.
std::string Expected::constructBefore() const {
  std::size_t last = at_ - 1;
  std::size_t first = last;
  if (isCloser(expr_.kind(last))) {
    first = expr_.openerOf(last);
    if (expr_.kind(first) == TokenKind::LeftParen && first > 0 &&
        expr_.kind(first - 1) == TokenKind::Name)
      --first;
  } else if (first > 0 && expr_.kind(first - 1) == TokenKind::Number &&
             (expr_.kind(last) == TokenKind::Name || expr_.kind(last) == TokenKind::Percent)) {
    --first;
  }
  return ticked(expr_.of(first, last));
}

/// After a word or a sign that something has to follow.
std::string_view Expected::afterOpening() const {
  switch (previous()) {
  case TokenKind::And:
  case TokenKind::Or:
  case TokenKind::Not:
    return bracketed() && inCall() ? "a condition" : wanted(expr_.entry);
  case TokenKind::LeftParen:
    return inCall()                            ? "an argument"
           : expr_.entry == ExprEntry::Trigger ? wanted(expr_.entry)
                                               : "a condition";
  case TokenKind::LeftBrace:
    return "a quoted text or a name";
  case TokenKind::LeftBracket:
  case TokenKind::Minus:
    return "a number";
  case TokenKind::Comma:
    if (!bracketed())
      return "the name of a slice";
    return expr_.kind(opener_) == TokenKind::LeftParen   ? "an argument"
           : expr_.kind(opener_) == TokenKind::LeftBrace ? "a quoted text or a name"
                                                         : "a number";
  case TokenKind::In:
    return inRequirement() ? "a range such as `[0, 1]`" : "a set such as `{\"math\", \"code\"}`";
  case TokenKind::On:
    return "`all`, `slices` or the names of slices";
  case TokenKind::Over:
    return "a window such as `10 min`";
  case TokenKind::With:
    return "`confidence`";
  case TokenKind::Confidence:
    return "a level such as `99%`";
  case TokenKind::Per:
    return "a unit such as `s`";
  case TokenKind::For:
    return "a count such as `2 windows`";
  case TokenKind::Assign:
    return "a value";
  default:
    if (isComparator(previous()))
      return inRequirement() ? "a number" : "a number, a quoted text or a name";
    return {};
  }
}

/// After something that could have been the whole: what might go on, the most telling first.
std::string Expected::continuation() const {
  std::vector<std::string_view> ways;
  auto add = [&](TokenKind kind, std::string_view way) {
    if (expected_.has(kind))
      ways.push_back(way);
  };
  bool inBrackets = bracketed();
  if (previous() == TokenKind::Number)
    add(TokenKind::Percent, "a unit");
  bool needsComparison = expected_.hasComparator() && !inCall();
  bool mayBeCall = needsComparison || (!inBrackets && expr_.entry >= ExprEntry::Trigger);
  if (previous() == TokenKind::Name && mayBeCall)
    add(TokenKind::LeftParen, "`(`");
  if (needsComparison)
    ways.push_back(expr_.entry == ExprEntry::Requirement ? "a comparison such as `<= 0.1`"
                                                         : "a comparison such as `>= 8192`");
  if (!needsComparison) {
    add(TokenKind::Comma, "`,`");
    if (!inBrackets) {
      add(TokenKind::On, "`on`");
      add(TokenKind::Over, "`over`");
      add(TokenKind::With, "`with confidence`");
    }
    add(TokenKind::For, "`for`");
    if (expr_.entry == ExprEntry::Quantity)
      add(TokenKind::Per, "`per`");
    if (!inCall()) {
      add(TokenKind::And, "`and`");
      add(TokenKind::Or, "`or`");
    }
    add(TokenKind::RightParen, "`)`");
    add(TokenKind::RightBracket, "`]`");
    add(TokenKind::RightBrace, "`}`");
    add(TokenKind::End, "the end");
  }
  return ways.empty() ? std::string(wanted(expr_.entry)) : joinAlternatives(ways);
}

std::string Expected::phrase() const {
  if (at_ == 0)
    return std::string(wanted(expr_.entry));
  std::string_view opening = afterOpening();
  std::string what = opening.empty() ? continuation() : std::string(opening);
  return what + " after " + constructBefore();
}

} // namespace

std::string_view wanted(ExprEntry entry) {
  static constexpr std::array<std::string_view, 5> phrases = {
      "a requirement such as `mean(tv) <= 0.05`", "a condition such as `prompt_tokens >= 8192`",
      "a trigger such as `violated(any)`",
      "a call such as `sample(logprobs, 1%)` or an action such as `hold`",
      "a number with its unit such as `10 min`"};
  return phrases[static_cast<std::size_t>(entry)];
}

std::string expectedPhrase(const ExprText& expr, const SyntaxFailure& failure) {
  return Expected(expr, failure).phrase();
}

std::string foundPhrase(const ExprText& expr, std::size_t token) {
  return expr.kind(token) == TokenKind::End ? "the end" : ticked(expr.of(token));
}

} // namespace tikc::expr
