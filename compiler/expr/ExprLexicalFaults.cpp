#include "expr/ExprFaults.h"
#include "support/Rational.h"
#include "support/Utf8.h"

#include <algorithm>

namespace tikc::expr {
namespace {

using utf8::ticked;

/// p99.9(x): a point is no part of a name.
bool reportPercentile(const ExprText& expr, std::size_t index, ExprReport& report) {
  if (index == 0 || expr.kind(index - 1) != TokenKind::Name || !expr.touchesNext(index - 1) ||
      expr.kind(index + 1) != TokenKind::LeftParen)
    return false;
  std::string name(expr.of(index - 1)), digits = name.substr(1) + std::string(expr.of(index));
  auto percent = parseDecimal(digits);
  if (name[0] != 'p' || !percent || *percent <= 0)
    return false;
  if (*percent >= 100) {
    report.at<diag::MalformedNumber>(expr.tokens[index - 1].begin, expr.tokens[index].end,
                                     ticked(name + std::string(expr.of(index))),
                                     "a percentile must be below 100");
    return true;
  }
  std::string level = printRational(*percent / 100);
  std::size_t close = index + 1;
  int depth = 0;
  do {
    depth += isOpener(expr.kind(close)) ? 1 : isCloser(expr.kind(close)) ? -1 : 0;
  } while (depth > 0 && ++close < expr.tokens.size());
  if (close >= expr.tokens.size())
    return false;
  std::uint32_t begin = expr.tokens[index - 1].begin, end = expr.tokens[index].end,
                inner = expr.tokens[close].begin;
  auto& finding =
      report.at<diag::MalformedNumber>(begin, end, ticked(name + std::string(expr.of(index))),
                                       "write a quantile's level as `quantile(x, " + level + ")`");
  report.fixIfItReads(finding, "write `quantile(…, " + level + ")`",
                      {{begin, end, "quantile"}, {inner, inner, ", " + level}},
                      *percent > 1); // p0.5 may be a level already
  return true;
}

bool reportNumber(const ExprText& expr, std::size_t index, const Limits& limits,
                  ExprReport& report) {
  if (reportPercentile(expr, index, report))
    return true;
  const ExprToken& token = expr.tokens[index];
  std::string_view text = expr.of(token);
  NumberFault fault = checkNumber(text, limits);
  std::string_view next = expr.touchesNext(index) && expr.kind(index + 1) == TokenKind::Name
                              ? expr.of(index + 1)
                              : std::string_view();
  if (fault.kind == NumberFault::Kind::None && next.empty())
    return false;
  if (fault.kind == NumberFault::Kind::OutOfRange) {
    report.at<diag::NumberTooLarge>(token, ticked(text), std::uint64_t{limits.numberExponent});
    return true;
  }
  if (fault.kind == NumberFault::Kind::None) {
    std::string_view letters = "xXoObBeE";
    bool based = text == "0" && letters.substr(0, 6).find(next.front()) != std::string_view::npos &&
                 next.size() > 1 && next.find_first_of("0123456789") != std::string_view::npos;
    bool bareExponent = next == "e" || next == "E";
    if (!based && !bareExponent)
      return false;
    report.at<diag::MalformedNumber>(
        token.begin, expr.tokens[index + 1].end, ticked(expr.of(index, index + 1)),
        bareExponent ? "the exponent has no digits" : "numbers are decimal");
    return true;
  }
  auto& finding = report.at<diag::MalformedNumber>(token, ticked(text), fault.reason);
  if (!fault.instead.empty())
    report.fix(finding, "write `" + fault.instead + "`", {{token.begin, token.end, fault.instead}},
               fault.sure);
  return true;
}

bool reportString(const ExprText& expr, const ExprToken& token, ExprReport& report) {
  std::size_t escape = firstUnknownEscape(expr.of(token));
  if (escape == token.end - token.begin)
    return false;
  auto begin = static_cast<std::uint32_t>(token.begin + escape);
  ExprToken character = characterAt(expr, begin + 1);
  auto& finding = report.at<diag::UnknownEscape>(
      begin, character.end, ticked(expr.text.substr(begin, character.end - begin)));
  report.fix(finding, "double the backslash", {{begin, begin, "\\"}});
  return true;
}

bool reportToken(const ExprText& expr, std::size_t index, const Limits& limits,
                 ExprReport& report) {
  const ExprToken& token = expr.tokens[index];
  switch (token.kind) {
  case TokenKind::Unknown:
    reportCharacter(expr, index, report);
    return true;
  case TokenKind::Misspelt:
    reportMisspelt(expr, token, report);
    return true;
  case TokenKind::Unclosed: {
    std::string quote(expr.of(token).substr(0, 1));
    auto& finding = report.at<diag::UnclosedString>(token.begin, token.begin + 1, ticked(quote));
    report.fixIfItReads(finding, "close it at the end", {{token.end, token.end, quote}}, false);
    return true;
  }
  case TokenKind::Number:
    return reportNumber(expr, index, limits, report);
  case TokenKind::String:
    return reportString(expr, token, report);
  default:
    return false;
  }
}

void reportUnclosed(const ExprText& expr, std::size_t opener, std::size_t where,
                    ExprReport& report) {
  const ExprToken& token = expr.tokens[opener];
  std::string closer(1, token.kind == TokenKind::LeftParen     ? ')'
                        : token.kind == TokenKind::LeftBracket ? ']'
                                                               : '}');
  auto& finding = report.at<diag::UnclosedBracket>(token, ticked(expr.of(token)));
  const ExprToken& stop = expr.tokens[where];
  if (stop.kind != TokenKind::End) {
    report.relate(finding, stop, ticked(expr.of(stop)) + " closes a different kind of bracket");
    // `[0, 1)` is a range without its end.
    report.fixIfItReads(finding, "write `" + closer + "`", {{stop.begin, stop.end, closer}},
                        token.kind != TokenKind::LeftBracket);
    return;
  }
  // A measure's bracket closes before its comparison far more often than after it.
  auto compares = [](const ExprToken& t) {
    return isComparator(t.kind) || t.kind == TokenKind::In;
  };
  auto first = expr.tokens.begin() + static_cast<std::ptrdiff_t>(opener) + 1;
  auto comparison = std::find_if(first, expr.tokens.end(), compares);
  if (expr.entry == ExprEntry::Requirement && comparison != expr.tokens.end()) {
    std::uint32_t end = std::prev(comparison)->end;
    report.fixIfItReads(finding, "close it before the comparison", {{end, end, closer}});
    if (!finding.fixes.empty())
      return;
  }
  std::uint32_t end = expr.tokens[where - 1].end;
  report.fixIfItReads(finding, "close it at the end", {{end, end, closer}}, false);
}

struct NestingFault {
  enum class Kind : std::uint8_t { None, Stray, Unclosed, TooDeep };
  Kind kind = Kind::None;
  std::size_t token = 0; // the bracket at fault
  std::size_t where = 0; // of an unclosed one: the token that should have closed it
};

/// Unbalanced or too deep brackets; a `not` is a level until the next `and`, `or`, comma or closing
/// bracket.
NestingFault nestingFault(const ExprText& expr, const Limits& limits) {
  using Nesting = NestingFault::Kind;
  std::vector<std::size_t> open;
  std::vector<std::size_t> negations{0};
  std::size_t depth = 0;
  for (std::size_t i = 0; i < expr.tokens.size(); ++i) {
    TokenKind kind = expr.tokens[i].kind;
    if (isOpener(kind)) {
      open.push_back(i);
      negations.push_back(0);
      ++depth;
    } else if (kind == TokenKind::Not) {
      ++negations.back();
      ++depth;
    } else if (kind == TokenKind::And || kind == TokenKind::Or || kind == TokenKind::Comma) {
      depth -= negations.back();
      negations.back() = 0;
    } else if (isCloser(kind)) {
      if (open.empty())
        return {Nesting::Stray, i, i};
      if (kind != partner(expr.tokens[open.back()].kind))
        return {Nesting::Unclosed, open.back(), i};
      depth -= negations.back() + 1;
      negations.pop_back();
      open.pop_back();
    }
    if (depth > limits.expressionDepth)
      return {Nesting::TooDeep, i, i};
  }
  if (!open.empty())
    return {Nesting::Unclosed, open.back(), expr.tokens.size() - 1};
  return {};
}

bool reportNesting(const ExprText& expr, const Limits& limits, ExprReport& report) {
  NestingFault fault = nestingFault(expr, limits);
  const ExprToken& token = expr.tokens[fault.token];
  switch (fault.kind) {
  case NestingFault::Kind::None:
    return false;
  case NestingFault::Kind::Stray: {
    auto& finding = report.at<diag::StrayBracket>(token, ticked(expr.of(token)));
    report.fixIfItReads(finding, "remove it", {{token.begin, token.end, ""}}, false);
    return true;
  }
  case NestingFault::Kind::Unclosed:
    reportUnclosed(expr, fault.token, fault.where, report);
    return true;
  case NestingFault::Kind::TooDeep:
    report.at<diag::ExpressionTooDeep>(token, static_cast<std::uint64_t>(limits.expressionDepth));
    return true;
  }
  return false;
}

} // namespace

bool fitToParse(const ExprText& expr, const Limits& limits) {
  return std::none_of(expr.tokens.begin(), expr.tokens.end(),
                      [](const ExprToken& token) { return token.kind >= TokenKind::Unclosed; }) &&
         nestingFault(expr, limits).kind == NestingFault::Kind::None;
}

bool isTooDeep(const ExprText& expr, const Limits& limits) {
  return nestingFault(expr, limits).kind == NestingFault::Kind::TooDeep;
}

bool reportLexicalFault(const ExprText& expr, const Limits& limits, ExprReport& report) {
  for (std::size_t i = 0; i < expr.tokens.size(); ++i)
    if (reportToken(expr, i, limits, report))
      return true;
  return reportNesting(expr, limits, report);
}

} // namespace tikc::expr
