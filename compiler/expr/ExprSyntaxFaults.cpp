#include "expr/ExprFaults.h"
#include "model/Amount.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>

namespace tikc::expr {
namespace {

using utf8::ticked;

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
  bool oneOf();
  bool splitNumber();
  bool dashedName();
  bool bareArgument();
  void generic();

  TokenKind found() const { return expr_.kind(at_); }
  TokenKind previous() const { return at_ > 0 ? expr_.kind(at_ - 1) : TokenKind::End; }
  const ExprToken& token() const { return expr_.tokens[at_]; }
  bool bracketed() const { return expr_.innermostOpener(at_) < expr_.tokens.size(); }
  bool inRequirement() const { return expr_.entry == ExprEntry::Requirement && !bracketed(); }

  std::size_t segmentBegin(std::size_t index) const;
  std::size_t quantityEnd(std::size_t first) const;
  std::size_t operandEnd(std::size_t first) const;
  diag::Diagnostic& syntax(std::string_view expected) {
    return report_.at<diag::ExpressionSyntax>(token(), expected, foundPhrase(expr_, at_));
  }

  const ExprText& expr_;
  const SyntaxFailure& failure_;
  ExprReport& report_;
  std::size_t at_;
};

void noteOneCondition(diag::Diagnostic& finding) {
  finding.note("a rate counts one condition; for the share of tokens whose ratio is outside a "
               "range, write `mean(clipped(low, high))`");
}

std::string_view flipped(TokenKind comparator) {
  switch (comparator) {
  case TokenKind::LessEqual:
    return ">=";
  case TokenKind::Less:
    return ">";
  case TokenKind::GreaterEqual:
    return "<=";
  case TokenKind::Greater:
    return "<";
  case TokenKind::Equal:
    return "==";
  default:
    return "!=";
  }
}

void Stop::explain() {
  static constexpr Attempt attempts[] = {
      &Stop::capitalisedWord,   &Stop::unknownUnit,   &Stop::assignment, &Stop::chain,
      &Stop::boundFirst,        &Stop::wrongBrackets, &Stop::confidence, &Stop::overOrFor,
      &Stop::negatedMembership, &Stop::keywordAsName, &Stop::oneOf,      &Stop::splitNumber,
      &Stop::dashedName,        &Stop::bareArgument};
  for (Attempt attempt : attempts)
    if ((this->*attempt)())
      return;
  generic();
}

/// The first token after the last `and`, `or`, `not`, comma or bracket before the index, at its own
/// depth.
std::size_t Stop::segmentBegin(std::size_t index) const {
  while (index > 0) {
    TokenKind kind = expr_.kind(index - 1);
    if (isCloser(kind)) {
      index = expr_.openerOf(index - 1);
      continue;
    }
    if (isOpener(kind) || kind == TokenKind::And || kind == TokenKind::Or ||
        kind == TokenKind::Not || kind == TokenKind::Comma)
      break;
    --index;
  }
  return index;
}

/// One past the quantity that starts at the token; the same token where none does.
std::size_t Stop::quantityEnd(std::size_t first) const {
  std::size_t i = first + (expr_.kind(first) == TokenKind::Minus);
  if (expr_.kind(i) != TokenKind::Number)
    return first;
  ++i;
  if (expr_.kind(i) == TokenKind::Name || expr_.kind(i) == TokenKind::Percent)
    ++i;
  if (expr_.kind(i) == TokenKind::Per && expr_.kind(i + 1) == TokenKind::Name)
    i += 2;
  return i;
}

/// One past the name, call, quantity or text that starts at the token; the same token where none
/// does.
std::size_t Stop::operandEnd(std::size_t first) const {
  if (expr_.kind(first) == TokenKind::String)
    return first + 1;
  if (expr_.kind(first) != TokenKind::Name)
    return quantityEnd(first);
  return expr_.kind(first + 1) == TokenKind::LeftParen ? expr_.closerOf(first + 1) + 1 : first + 1;
}

bool Stop::capitalisedWord() {
  for (std::size_t i : {at_, at_ - 1}) {
    if (i >= expr_.tokens.size() || expr_.kind(i) != TokenKind::Name)
      continue;
    TokenKind meant = keywordIgnoringCase(expr_.of(i));
    if (meant == TokenKind::End)
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
  if (previous() != TokenKind::Name || at_ < 2 || model::findUnit(expr_.of(at_ - 1)) ||
      (expr_.kind(at_ - 2) != TokenKind::Number && expr_.kind(at_ - 2) != TokenKind::Per))
    return false;
  reportUnknownUnit(expr_, at_ - 1, report_);
  return true;
}

bool Stop::assignment() {
  if (found() != TokenKind::Assign || at_ == 0)
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
  std::string low = expr_.of(a, first - 1), middle = expr_.of(b, second - 1),
              high = expr_.of(c, end - 1);
  bool isRange =
      expr_.kind(first) == TokenKind::LessEqual && expr_.kind(second) == TokenKind::LessEqual;
  std::size_t stop = end;
  while (inRequirement() && expr_.kind(stop) != TokenKind::And &&
         expr_.kind(stop) != TokenKind::End)
    ++stop;
  std::string tail = stop > end ? " " + std::string(expr_.of(end, stop - 1)) : "";
  std::string joined = inRequirement() && isRange
                           ? middle + " in [" + low + ", " + high + "]"
                           : middle + " " + std::string(flipped(expr_.kind(first))) + " " + low +
                                 tail + " and " + middle + " " + std::string(expr_.of(second)) +
                                 " " + high;
  if (expr_.entry == ExprEntry::Requirement && !inRequirement()) {
    noteOneCondition(finding);
    return true;
  }
  // `not` binds closer than the `and` between the two.
  if (a > 0 && expr_.kind(a - 1) == TokenKind::Not)
    joined = "(" + joined + ")";
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
  if (expr_.kind(relation + 1) != TokenKind::Name)
    return false;
  std::string turned = expr_.of(relation + 1, end - 1) + " " +
                       std::string(flipped(expr_.kind(relation))) + " " +
                       expr_.of(at_, relation - 1);
  auto& finding = report_.at<diag::BoundFirst>(token().begin, expr_.tokens[relation - 1].end);
  report_.fixIfItReads(finding, "write `" + turned + "`",
                       {{token().begin, expr_.tokens[end - 1].end, turned}});
  return true;
}

bool Stop::keywordAsName() {
  if (!isKeyword(found()) || !failure_.expected.has(TokenKind::Name) ||
      previous() == TokenKind::Number)
    return false;
  TokenKind next = expr_.kind(at_ + 1);
  bool standsAsName = isCloser(next) || isComparator(next) || next == TokenKind::Comma ||
                      next == TokenKind::LeftParen || next == TokenKind::Assign ||
                      next == TokenKind::In;
  bool isLogic = found() == TokenKind::And || found() == TokenKind::Or || found() == TokenKind::In;
  if (!standsAsName || (isLogic && !isCloser(next)))
    return false;
  report_.at<diag::KeywordAsName>(token(), ticked(expr_.of(at_)));
  return true;
}

bool Stop::negatedMembership() {
  if (found() != TokenKind::Not || expr_.kind(at_ + 1) != TokenKind::In || inRequirement())
    return false;
  std::uint32_t begin = expr_.tokens[segmentBegin(at_)].begin;
  auto& finding = syntax("a comparison such as `== \"math\"`, or `in`");
  finding.note("write `not` before the condition: `not task in {\"math\"}`");
  report_.fixIfItReads(finding, "put `not` first",
                       {{begin, begin, "not "}, {token().begin, expr_.tokens[at_ + 1].begin, ""}});
  return true;
}

/// A set in the brackets of a range or of a list, and the other way about.
bool Stop::wrongBrackets() {
  if (previous() != TokenKind::In || !isOpener(found()))
    return false;
  bool range = inRequirement();
  std::size_t closer = expr_.closerOf(at_);
  const ExprToken& close = expr_.tokens[closer];
  auto& finding =
      syntax(range ? "a range such as `[0, 1]`" : "a set such as `{\"math\", \"code\"}`");
  std::size_t comma = quantityEnd(at_ + 1);
  bool isRange = comma > at_ + 1 && expr_.kind(comma) == TokenKind::Comma &&
                 quantityEnd(comma + 1) == closer && closer > comma + 1;
  if (range || !isRange) {
    report_.fixIfItReads(finding, range ? "write it with [ ]" : "write it with { }",
                         {{token().begin, token().end, range ? "[" : "{"},
                          {close.begin, close.end, range ? "]" : "}"}},
                         !range); // of a range, other brackets say that an end is left out
    return true;
  }
  std::size_t first = segmentBegin(at_ - 1);
  std::string subject = expr_.of(first, at_ - 2);
  if (expr_.entry == ExprEntry::Requirement) {
    noteOneCondition(finding);
    // rate(not ratio in [a, b])
    bool isOutside = subject == "ratio" && first >= 3 && expr_.kind(first - 1) == TokenKind::Not &&
                     expr_.of(first - 3) == "rate" && closer + 1 < expr_.tokens.size();
    if (isOutside)
      report_.fixIfItReads(finding, "write `mean(clipped(…))`",
                           {{expr_.tokens[first - 3].begin, token().end, "mean(clipped("},
                            {close.begin, close.end, ")"}});
    return true;
  }
  finding.note("write a range of numbers as two conditions joined by `and`");
  std::string joined = "(" + subject + " >= " + expr_.of(at_ + 1, comma - 1) + " and " + subject +
                       " <= " + expr_.of(comma + 1, closer - 1) + ")";
  report_.fixIfItReads(finding, "write two conditions",
                       {{expr_.tokens[first].begin, close.end, joined}});
  return true;
}

bool Stop::confidence() {
  bool lacksConfidence = previous() == TokenKind::With && found() == TokenKind::Number;
  bool lacksWith = found() == TokenKind::Confidence && failure_.expected.has(TokenKind::With);
  if (!lacksConfidence && !lacksWith)
    return false;
  std::string missing = lacksWith ? "with " : "confidence ";
  auto& finding = syntax(expectedPhrase(expr_, failure_));
  report_.fixIfItReads(finding, "write `with confidence`",
                       {{token().begin, token().begin, missing}});
  return true;
}

bool Stop::overOrFor() {
  bool over = found() == TokenKind::For && failure_.expected.has(TokenKind::Over);
  bool count = found() == TokenKind::Over && failure_.expected.has(TokenKind::For);
  if (!over && !count)
    return false;
  auto& finding = syntax(expectedPhrase(expr_, failure_));
  finding.note(over ? "in a requirement, write the window with `over`; `for` counts windows in a "
                      "trigger"
                    : "in a trigger, count windows with `for`; `over` is the window of a "
                      "requirement");
  std::string word = over ? "over" : "for";
  report_.fixIfItReads(finding, "write `" + word + "`", {{token().begin, token().end, word}});
  return true;
}

/// `over step`, `for a window`: how many is written out.
bool Stop::oneOf() {
  if ((previous() != TokenKind::Over && previous() != TokenKind::For) || found() != TokenKind::Name)
    return false;
  static constexpr std::string_view articles[] = {"a", "an", "one", "each", "every", "the"};
  bool isArticle =
      std::find(std::begin(articles), std::end(articles), expr_.of(at_)) != std::end(articles) &&
      expr_.kind(at_ + 1) == TokenKind::Name;
  std::size_t unit = at_ + isArticle;
  auto& finding = syntax(expectedPhrase(expr_, failure_));
  std::string written(expr_.of(unit));
  for (const std::string& symbol : {written, written + "s"})
    if (model::findUnit(symbol) && finding.fixes.empty())
      report_.fixIfItReads(finding, "write how many",
                           {{token().begin, expr_.tokens[unit].end, "1 " + symbol}}, false);
  return true;
}

/// 0,1 for 0.1, and 1,000 or 1 000 for 1_000: what stands on the two sides tells them apart.
bool Stop::splitNumber() {
  bool comma = found() == TokenKind::Comma && at_ > 0 && expr_.touchesNext(at_ - 1) &&
               expr_.touchesNext(at_);
  std::size_t second = comma ? at_ + 1 : at_;
  if (previous() != TokenKind::Number || expr_.kind(second) != TokenKind::Number)
    return false;
  std::string_view whole = expr_.of(at_ - 1), rest = expr_.of(second);
  bool digitsOnly = rest.find_first_not_of("0123456789") == std::string_view::npos;
  bool thousands = digitsOnly && rest.size() == 3 && whole.size() <= 3 && whole != "0";
  auto& finding = syntax(expectedPhrase(expr_, failure_));
  if (!comma && !thousands)
    return true;
  finding.note("the decimal point is `.`, and `_` groups thousands");
  report_.fixIfItReads(
      finding, thousands ? "group thousands with `_`" : "write a decimal point",
      {{expr_.tokens[at_ - 1].end, expr_.tokens[second].begin, thousands ? "_" : "."}}, false);
  return true;
}

/// violated finite: what a call is about stands in brackets. Within some, a comma may be missing.
bool Stop::bareArgument() {
  if (bracketed() || found() != TokenKind::Name || previous() != TokenKind::Name ||
      !failure_.expected.has(TokenKind::LeftParen))
    return false;
  const ExprToken& name = expr_.tokens[at_ - 1];
  const std::string call = fmt::format("{}({})", expr_.of(at_ - 1), expr_.of(at_));
  auto& finding = syntax("`(` after " + ticked(expr_.of(at_ - 1)));
  report_.fixIfItReads(finding, "write " + ticked(call), {{name.begin, token().end, call}}, false);
  return true;
}

/// math-hard: a name that has to be quoted where a text may stand.
bool Stop::dashedName() {
  if (found() != TokenKind::Minus || previous() != TokenKind::Name || !expr_.touchesNext(at_ - 1) ||
      !expr_.touchesNext(at_))
    return false;
  std::size_t last = at_;
  while (expr_.touchesNext(last) &&
         (expr_.kind(last + 1) == TokenKind::Name || expr_.kind(last + 1) == TokenKind::Minus ||
          expr_.kind(last + 1) == TokenKind::Number))
    ++last;
  auto& finding = syntax(expectedPhrase(expr_, failure_));
  finding.note("a name has letters, digits and `_`; quote any other text");
  const ExprToken& first = expr_.tokens[at_ - 1];
  if (expr_.entry != ExprEntry::Predicate) { // no text may stand there
    std::string name(expr_.of(at_ - 1, last));
    std::replace(name.begin(), name.end(), '-', '_');
    report_.fixIfItReads(finding, "write `" + name + "`",
                         {{first.begin, expr_.tokens[last].end, name}}, false);
    return true;
  }
  report_.fixIfItReads(
      finding, "quote it",
      {{first.begin, first.begin, "\""}, {expr_.tokens[last].end, expr_.tokens[last].end, "\""}});
  return true;
}

void Stop::generic() {
  auto& finding = syntax(expectedPhrase(expr_, failure_));
  if (previous() == TokenKind::All && found() == TokenKind::Slices) {
    finding.note(
        "`on all` binds the mixture of all slices; `on slices` binds each slice separately");
    return;
  }
  if (found() == TokenKind::For && bracketed())
    return;
  if (previous() == TokenKind::RightParen && found() == TokenKind::For &&
      expr_.entry == ExprEntry::Trigger)
    finding.note("`for` follows one state: `violated(x) for 2 windows`");
  if (at_ == 1 && previous() == TokenKind::Name && expr_.entry == ExprEntry::Requirement)
    finding.note("a requirement compares an aggregate, as in `mean(abs(logprob_gap)) <= 0.05 nat`");
}

} // namespace

void reportSyntaxFault(const ExprText& expr, const SyntaxFailure& failure, ExprReport& report) {
  Stop(expr, failure, report).explain();
}

} // namespace tikc::expr
