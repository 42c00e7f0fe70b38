#include "support/Names.h"
#include "support/Utf8.h"
#include "syntax/ExprFaults.h"

#include <array>

namespace tikc::syntax {
namespace {

using utf8::ticked;
using Kind = TokenKind;

/// The words for what could have stood where the parser stopped.
class Expected {
public:
  Expected(const ExprText& expr, const SyntaxFailure& failure)
      : expr_(expr), expected_(failure.expected), at_(failure.token),
        opener_(expr.innermostOpener(at_)) {}

  std::string phrase() const;

private:
  Kind previous() const { return at_ > 0 ? expr_.kind(at_ - 1) : Kind::End; }
  bool bracketed() const { return opener_ < expr_.tokens.size(); }
  bool inCall() const {
    return bracketed() && opener_ > 0 && expr_.kind(opener_) == Kind::LeftParen &&
           expr_.kind(opener_ - 1) == Kind::Name;
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
    if (expr_.kind(first) == Kind::LeftParen && first > 0 && expr_.kind(first - 1) == Kind::Name)
      --first;
  } else if (first > 0 && expr_.kind(first - 1) == Kind::Number &&
             (expr_.kind(last) == Kind::Name || expr_.kind(last) == Kind::Percent)) {
    --first;
  }
  return ticked(expr_.of(first, last));
}

/// After a word or a sign that something has to follow.
std::string_view Expected::afterOpening() const {
  switch (previous()) {
  case Kind::And:
  case Kind::Or:
  case Kind::Not:
    return bracketed() && inCall() ? "a condition" : wanted(expr_.entry);
  case Kind::LeftParen:
    return inCall()                            ? "an argument"
           : expr_.entry == ExprEntry::Trigger ? wanted(expr_.entry)
                                               : "a condition";
  case Kind::LeftBrace:
    return "a text in quotes or a name";
  case Kind::LeftBracket:
  case Kind::Minus:
    return "a number";
  case Kind::Comma:
    if (!bracketed())
      return "the name of a slice";
    return expr_.kind(opener_) == Kind::LeftParen   ? "an argument"
           : expr_.kind(opener_) == Kind::LeftBrace ? "a text in quotes or a name"
                                                    : "a number";
  case Kind::In:
    return inRequirement() ? "a range such as `[0, 1]`" : "a set such as `{\"math\", \"code\"}`";
  case Kind::On:
    return "`all`, `slices` or the names of slices";
  case Kind::Over:
    return "a window such as `10 min`";
  case Kind::With:
    return "`confidence`";
  case Kind::Confidence:
    return "a level such as `99%`";
  case Kind::Per:
    return "a unit such as `s`";
  case Kind::For:
    return "a count such as `2 windows`";
  case Kind::Assign:
    return "a value";
  default:
    if (isComparator(previous()))
      return inRequirement() ? "a number" : "a number, a text in quotes or a name";
    return {};
  }
}

/// After something that could have been the whole: what might go on, the most telling first.
std::string Expected::continuation() const {
  std::vector<std::string_view> ways;
  auto add = [&](Kind kind, std::string_view way) {
    if (expected_.has(kind))
      ways.push_back(way);
  };
  bool inBrackets = bracketed();
  if (previous() == Kind::Number)
    add(Kind::Percent, "a unit");
  bool needsComparison = expected_.hasComparator() && !inCall();
  bool mayBeCall = needsComparison || (!inBrackets && expr_.entry >= ExprEntry::Trigger);
  if (previous() == Kind::Name && mayBeCall)
    add(Kind::LeftParen, "`(`");
  if (needsComparison)
    ways.push_back(expr_.entry == ExprEntry::Requirement ? "a comparison such as `<= 0.1`"
                                                         : "a comparison such as `>= 8192`");
  if (!needsComparison) {
    add(Kind::Comma, "`,`");
    if (!inBrackets) {
      add(Kind::On, "`on`");
      add(Kind::Over, "`over`");
      add(Kind::With, "`with confidence`");
    }
    add(Kind::For, "`for`");
    if (expr_.entry == ExprEntry::Quantity)
      add(Kind::Per, "`per`");
    if (!inCall()) {
      add(Kind::And, "`and`");
      add(Kind::Or, "`or`");
    }
    add(Kind::RightParen, "`)`");
    add(Kind::RightBracket, "`]`");
    add(Kind::RightBrace, "`}`");
    add(Kind::End, "the end");
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
      "a name such as `hold` or a call such as `route(safe, probe=1%)`",
      "a number with its unit such as `10 min`"};
  return phrases[static_cast<std::size_t>(entry)];
}

std::string expectedPhrase(const ExprText& expr, const SyntaxFailure& failure) {
  return Expected(expr, failure).phrase();
}

std::string foundPhrase(const ExprText& expr, std::size_t token) {
  return expr.kind(token) == Kind::End ? "the end" : ticked(expr.of(token));
}

} // namespace tikc::syntax
