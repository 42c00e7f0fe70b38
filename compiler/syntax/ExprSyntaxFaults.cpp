#include "model/Quantity.h"
#include "support/Names.h"
#include "support/Utf8.h"
#include "syntax/ExprFaults.h"

#include <algorithm>
#include <array>

namespace tikc::syntax {
namespace {

using utf8::ticked;
using Kind = TokenKind;

/// One expression that the parser stopped in, and the questions that its tokens answer.
class Stop {
public:
  Stop(const ExprText& expr, const SyntaxFailure& failure, ExprReport& report)
      : expr_(expr), failure_(failure), report_(report), at_(failure.token) {}

  void explain();

private:
  using Attempt = bool (Stop::*)();

  bool capitalisedWord();
  bool unknownUnit();
  bool assignment();
  bool chain();
  bool boundFirst();
  bool keywordAsName();
  bool negatedMembership();
  bool wrongBrackets();
  bool confidence();
  bool overOrFor();
  bool splitNumber();
  bool dashedName();
  void generic();

  Kind found() const { return expr_.kind(at_); }
  Kind previous() const { return at_ > 0 ? expr_.kind(at_ - 1) : Kind::End; }
  const ExprToken& token() const { return expr_.tokens[at_]; }
  std::size_t opener() const { return expr_.innermostOpener(at_); }
  bool bracketed() const { return opener() < expr_.tokens.size(); }
  bool inCall() const {
    std::size_t o = opener();
    return o < expr_.tokens.size() && o > 0 && expr_.kind(o) == Kind::LeftParen &&
           expr_.kind(o - 1) == Kind::Name;
  }
  bool inRequirement() const { return expr_.entry == ExprEntry::Requirement && !bracketed(); }

  std::size_t segmentBegin(std::size_t index) const;
  std::size_t quantityEnd(std::size_t first) const;
  std::size_t operandEnd(std::size_t first) const;
  std::string quoted(std::size_t first, std::size_t last) const {
    return std::string(expr_.of(first, last));
  }
  std::string constructBefore() const;
  std::string expected() const;
  std::string_view expectedAfterOpening() const;
  std::string expectedContinuation() const;
  std::string foundPhrase() const;
  diag::Diagnostic& syntax(std::string_view expected) {
    return report_.at<diag::ExpressionSyntax>(token(), expected, foundPhrase());
  }

  const ExprText& expr_;
  const SyntaxFailure& failure_;
  ExprReport& report_;
  std::size_t at_;
};

std::string_view flipped(Kind comparator) {
  switch (comparator) {
  case Kind::LessEqual:
    return ">=";
  case Kind::Less:
    return ">";
  case Kind::GreaterEqual:
    return "<=";
  case Kind::Greater:
    return "<";
  case Kind::Equal:
    return "==";
  default:
    return "!=";
  }
}

void Stop::explain() {
  static constexpr Attempt attempts[] = {
      &Stop::capitalisedWord,   &Stop::unknownUnit,   &Stop::assignment,  &Stop::chain,
      &Stop::boundFirst,        &Stop::wrongBrackets, &Stop::confidence,  &Stop::overOrFor,
      &Stop::negatedMembership, &Stop::keywordAsName, &Stop::splitNumber, &Stop::dashedName};
  for (Attempt attempt : attempts)
    if ((this->*attempt)())
      return;
  generic();
}

/// The first token after the last `and`, `or`, `not`, comma or bracket before the index, at its own
/// depth.
std::size_t Stop::segmentBegin(std::size_t index) const {
  while (index > 0) {
    Kind kind = expr_.kind(index - 1);
    if (isCloser(kind)) {
      index = expr_.openerOf(index - 1);
      continue;
    }
    if (isOpener(kind) || kind == Kind::And || kind == Kind::Or || kind == Kind::Not ||
        kind == Kind::Comma)
      break;
    --index;
  }
  return index;
}

/// One past the quantity that starts at the token; the same token where none does.
std::size_t Stop::quantityEnd(std::size_t first) const {
  std::size_t i = first + (expr_.kind(first) == Kind::Minus);
  if (expr_.kind(i) != Kind::Number)
    return first;
  ++i;
  if (expr_.kind(i) == Kind::Name || expr_.kind(i) == Kind::Percent)
    ++i;
  if (expr_.kind(i) == Kind::Per && expr_.kind(i + 1) == Kind::Name)
    i += 2;
  return i;
}

/// One past the name, call, quantity or text that starts at the token; the same token where none
/// does.
std::size_t Stop::operandEnd(std::size_t first) const {
  if (expr_.kind(first) == Kind::String)
    return first + 1;
  if (expr_.kind(first) != Kind::Name)
    return quantityEnd(first);
  return expr_.kind(first + 1) == Kind::LeftParen ? expr_.closerOf(first + 1) + 1 : first + 1;
}

bool Stop::capitalisedWord() {
  for (std::size_t i : {at_, at_ - 1}) {
    if (i >= expr_.tokens.size() || expr_.kind(i) != Kind::Name)
      continue;
    Kind meant = keywordIgnoringCase(expr_.of(i));
    if (meant == Kind::End)
      continue;
    auto& finding =
        report_.at<diag::ForeignWord>(expr_.tokens[i], ticked(expr_.of(i)), ticked(keyword(meant)));
    report_.fix(finding, "write it in lower case",
                {{expr_.tokens[i].begin, expr_.tokens[i].end, std::string(keyword(meant))}});
    return true;
  }
  return false;
}

/// 2M tokens: what follows a word that is no unit is out of place because of it.
bool Stop::unknownUnit() {
  if (previous() != Kind::Name || at_ < 2 || model::findUnit(expr_.of(at_ - 1)) ||
      (expr_.kind(at_ - 2) != Kind::Number && expr_.kind(at_ - 2) != Kind::Per))
    return false;
  reportUnknownUnit(expr_, at_ - 1, report_);
  return true;
}

bool Stop::assignment() {
  if (found() != Kind::Assign || at_ == 0)
    return false;
  auto& finding = report_.at<diag::AssignmentForEquality>(token());
  report_.fixIfItReads(finding, "write `==`", {{token().begin, token().end, "=="}});
  return true;
}

/// a <= b <= c: the parser stops at the second comparison, or at `a` where a requirement has to
/// start with its measure.
bool Stop::chain() {
  std::size_t a = segmentBegin(at_);
  std::size_t first = operandEnd(a);
  std::size_t b = first + 1;
  if (first == a || !isComparator(expr_.kind(first)))
    return false;
  std::size_t second = operandEnd(b);
  std::size_t c = second + 1;
  bool stoppedHere = second != b && isComparator(expr_.kind(second)) && (at_ == second || at_ == a);
  if (!stoppedHere)
    return false;
  std::size_t end = operandEnd(c);
  auto& finding = report_.at<diag::ChainedComparison>(expr_.tokens[second]);
  report_.relate(finding, expr_.tokens[first], "the first comparison");
  if (end == c)
    return true;
  std::string low = quoted(a, first - 1), middle = quoted(b, second - 1), high = quoted(c, end - 1);
  bool isRange = expr_.kind(first) == Kind::LessEqual && expr_.kind(second) == Kind::LessEqual;
  std::string joined = inRequirement() && isRange
                           ? middle + " in [" + low + ", " + high + "]"
                           : middle + " " + std::string(flipped(expr_.kind(first))) + " " + low +
                                 " and " + middle + " " + std::string(expr_.of(second)) + " " +
                                 high;
  report_.fixIfItReads(finding, "write `" + joined + "`",
                       {{expr_.tokens[a].begin, expr_.tokens[end - 1].end, joined}});
  return true;
}

bool Stop::boundFirst() {
  if (!inRequirement() || segmentBegin(at_) != at_)
    return false;
  std::size_t relation = quantityEnd(at_);
  if (relation == at_ || !isComparator(expr_.kind(relation)))
    return false;
  std::size_t end = operandEnd(relation + 1);
  if (expr_.kind(relation + 1) != Kind::Name)
    return false;
  std::string turned = quoted(relation + 1, end - 1) + " " +
                       std::string(flipped(expr_.kind(relation))) + " " + quoted(at_, relation - 1);
  auto& finding = report_.at<diag::BoundFirst>(token().begin, expr_.tokens[relation - 1].end);
  report_.fixIfItReads(finding, "write `" + turned + "`",
                       {{token().begin, expr_.tokens[end - 1].end, turned}});
  return true;
}

bool Stop::keywordAsName() {
  if (!isKeyword(found()) || !failure_.expected.has(Kind::Name) || previous() == Kind::Number)
    return false;
  Kind next = expr_.kind(at_ + 1);
  bool standsAsName = isCloser(next) || isComparator(next) || next == Kind::Comma ||
                      next == Kind::LeftParen || next == Kind::Assign || next == Kind::In;
  bool isLogic = found() == Kind::And || found() == Kind::Or || found() == Kind::In;
  if (!standsAsName || (isLogic && !isCloser(next)))
    return false;
  report_.at<diag::KeywordAsName>(token(), ticked(expr_.of(at_)));
  return true;
}

bool Stop::negatedMembership() {
  if (found() != Kind::Not || expr_.kind(at_ + 1) != Kind::In || inRequirement())
    return false;
  std::uint32_t begin = expr_.tokens[segmentBegin(at_)].begin;
  auto& finding = syntax("a comparison such as `== \"math\"`, or `in`");
  finding.note("`not` stands before the condition: `not task in {\"math\"}`");
  report_.fixIfItReads(finding, "put `not` first",
                       {{begin, begin, "not "}, {token().begin, expr_.tokens[at_ + 1].begin, ""}});
  return true;
}

/// A set in the brackets of a range or of a list, and the other way about.
bool Stop::wrongBrackets() {
  if (previous() != Kind::In || !isOpener(found()))
    return false;
  bool range = inRequirement();
  std::size_t closer = expr_.closerOf(at_);
  const ExprToken& close = expr_.tokens[closer];
  auto& finding =
      syntax(range ? "a range such as `[0, 1]`" : "a set such as `{\"math\", \"code\"}`");
  std::size_t comma = quantityEnd(at_ + 1);
  bool isRange = comma > at_ + 1 && expr_.kind(comma) == Kind::Comma &&
                 quantityEnd(comma + 1) == closer && closer > comma + 1;
  if (range || !isRange) {
    report_.fixIfItReads(finding, range ? "write it with [ ]" : "write it with { }",
                         {{token().begin, token().end, range ? "[" : "{"},
                          {close.begin, close.end, range ? "]" : "}"}});
    return true;
  }
  finding.note("a range of numbers is two conditions joined by `and`");
  std::size_t first = segmentBegin(at_ - 1);
  std::string subject = quoted(first, at_ - 2);
  std::string joined = "(" + subject + " >= " + quoted(at_ + 1, comma - 1) + " and " + subject +
                       " <= " + quoted(comma + 1, closer - 1) + ")";
  report_.fixIfItReads(finding, "write two conditions",
                       {{expr_.tokens[first].begin, close.end, joined}});
  return true;
}

bool Stop::confidence() {
  bool lacksConfidence = previous() == Kind::With && found() == Kind::Number;
  bool lacksWith = found() == Kind::Confidence && failure_.expected.has(Kind::With);
  if (!lacksConfidence && !lacksWith)
    return false;
  std::string missing = lacksWith ? "with " : "confidence ";
  auto& finding = syntax(expected());
  report_.fixIfItReads(finding, "write `with confidence`",
                       {{token().begin, token().begin, missing}});
  return true;
}

bool Stop::overOrFor() {
  bool over = found() == Kind::For && failure_.expected.has(Kind::Over);
  bool count = found() == Kind::Over && failure_.expected.has(Kind::For);
  if (!over && !count)
    return false;
  auto& finding = syntax(expected());
  finding.note(over ? "a requirement is judged `over` a window; `for` counts windows in a trigger"
                    : "a trigger counts windows with `for`; a requirement is judged `over` one");
  std::string word = over ? "over" : "for";
  report_.fixIfItReads(finding, "write `" + word + "`", {{token().begin, token().end, word}});
  return true;
}

/// 0,1 for 0.1, and 1,000 or 1 000 for 1_000: what stands on the two sides tells them apart.
bool Stop::splitNumber() {
  bool comma =
      found() == Kind::Comma && at_ > 0 && expr_.touchesNext(at_ - 1) && expr_.touchesNext(at_);
  std::size_t second = comma ? at_ + 1 : at_;
  if (previous() != Kind::Number || expr_.kind(second) != Kind::Number)
    return false;
  std::string_view whole = expr_.of(at_ - 1), rest = expr_.of(second);
  bool digitsOnly = rest.find_first_not_of("0123456789") == std::string_view::npos;
  bool thousands = digitsOnly && rest.size() == 3 && whole.size() <= 3 && whole != "0";
  auto& finding = syntax(expected());
  if (!comma && !thousands)
    return true;
  finding.note("the decimal point is `.`, and `_` groups thousands");
  report_.fixIfItReads(
      finding, thousands ? "group thousands with `_`" : "write a decimal point",
      {{expr_.tokens[at_ - 1].end, expr_.tokens[second].begin, thousands ? "_" : "."}}, false);
  return true;
}

/// math-hard: a name that has to be quoted where a text may stand.
bool Stop::dashedName() {
  if (found() != Kind::Minus || previous() != Kind::Name || !expr_.touchesNext(at_ - 1) ||
      !expr_.touchesNext(at_))
    return false;
  std::size_t last = at_;
  while (expr_.touchesNext(last) &&
         (expr_.kind(last + 1) == Kind::Name || expr_.kind(last + 1) == Kind::Minus ||
          expr_.kind(last + 1) == Kind::Number))
    ++last;
  auto& finding = syntax(expected());
  finding.note("a name has letters, digits and `_`; any other text is quoted");
  const ExprToken& first = expr_.tokens[at_ - 1];
  report_.fixIfItReads(
      finding, "quote it",
      {{first.begin, first.begin, "\""}, {expr_.tokens[last].end, expr_.tokens[last].end, "\""}});
  return true;
}

void Stop::generic() {
  auto& finding = syntax(expected());
  if (previous() == Kind::All && found() == Kind::Slices) {
    finding.note("`on all` binds the mixture of all slices; `on slices` binds each by itself");
    return;
  }
  if (found() == Kind::For && bracketed())
    return;
  if (previous() == Kind::RightParen && found() == Kind::For && expr_.entry == ExprEntry::Trigger)
    finding.note("`for` follows one state: `violated(x) for 2 windows`");
}

/// What was read last, as the user would point at it: a call with its arguments, a number with its
/// unit, or one token.
std::string Stop::constructBefore() const {
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

std::string Stop::foundPhrase() const {
  return found() == Kind::End ? "the end" : ticked(expr_.of(at_));
}

/// After a word or a sign that something has to follow.
std::string_view Stop::expectedAfterOpening() const {
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
    return expr_.kind(opener()) == Kind::LeftParen   ? "an argument"
           : expr_.kind(opener()) == Kind::LeftBrace ? "a text in quotes or a name"
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
std::string Stop::expectedContinuation() const {
  const TokenSet& expected = failure_.expected;
  std::vector<std::string_view> ways;
  auto add = [&](Kind kind, std::string_view way) {
    if (expected.has(kind))
      ways.push_back(way);
  };
  bool inBrackets = bracketed();
  if (previous() == Kind::Number)
    add(Kind::Percent, "a unit");
  bool needsComparison = expected.hasComparator() && !inCall();
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

std::string Stop::expected() const {
  if (at_ == 0)
    return std::string(wanted(expr_.entry));
  std::string_view opening = expectedAfterOpening();
  std::string what = opening.empty() ? expectedContinuation() : std::string(opening);
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

void reportSyntaxFault(const ExprText& expr, const SyntaxFailure& failure, ExprReport& report) {
  Stop(expr, failure, report).explain();
}

} // namespace tikc::syntax
