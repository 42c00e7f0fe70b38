#include "model/Quantity.h"
#include "support/Check.h"
#include "support/Rational.h"
#include "support/Utf8.h"
#include "syntax/ExprFaults.h"

#include <algorithm>

namespace tikc::syntax {
namespace {

using utf8::ticked;

struct LookAlike {
  char32_t character;
  std::string_view ascii;
};

// What editors, chat windows and other keyboards put in the place of ASCII.
constexpr LookAlike lookAlikes[] = {
    {U'≤', "<="},     {U'≥', ">="},     {U'⩽', "<="},     {U'⩾', ">="},     {U'≦', "<="},
    {U'≧', ">="},     {U'≠', "!="},     {U'“', "\""},     {U'”', "\""},     {U'„', "\""},
    {U'‟', "\""},     {U'«', "\""},     {U'»', "\""},     {U'‘', "'"},      {U'’', "'"},
    {U'‚', "'"},      {U'‐', "-"},      {U'‑', "-"},      {U'‒', "-"},      {U'–', "-"},
    {U'—', "-"},      {U'−', "-"},      {U'∧', " and "},  {U'∨', " or "},   {U'¬', "not "},
    {U'∈', " in "},   {U'µ', "u"},      {U'μ', "u"},      {U'٪', "%"},      {U'、', ","},
    {U'\u00A0', " "}, {U'\u1680', " "}, {U'\u202F', " "}, {U'\u205F', " "}, {U'\u3000', " "},
    {U'\u0085', " "}, {U'\u2028', " "}, {U'\u2029', " "}, {U'\u200B', ""},  {U'\u200C', ""},
    {U'\u200D', ""},  {U'\u2060', ""},  {U'\uFEFF', ""},  {U'\u00AD', ""},  {U'\u0430', "a"},
    {U'\u0435', "e"}, {U'\u043E', "o"}, {U'\u0440', "p"}, {U'\u0441', "c"}, {U'\u0445', "x"},
    {U'\u0443', "y"}, {U'\u0456', "i"}, {U'|', " or "},   {U'&', " and "},  {U'/', " per "}};

std::optional<std::string> asciiFor(char32_t character) {
  for (const LookAlike& row : lookAlikes)
    if (row.character == character)
      return std::string(row.ascii);
  if (character >= U'\u2000' && character <= U'\u200A')
    return " ";
  if (character >= U'\uFF01' && character <= U'\uFF5E') // full-width forms of ASCII
    return std::string(1, static_cast<char>(character - U'\uFF01' + '!'));
  return std::nullopt;
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' '))
    text.remove_prefix(1);
  while (text.ends_with(' '))
    text.remove_suffix(1);
  return text;
}

/// The whole character at the offset: the lexer sees bytes.
ExprToken characterAt(const ExprText& expr, std::uint32_t begin) {
  auto decoded = utf8::decode(expr.text.substr(begin));
  return {TokenKind::Unknown, begin, begin + (decoded ? decoded->bytes : 1)};
}

std::optional<std::string> asciiFor(const ExprText& expr, const ExprToken& character) {
  auto decoded = utf8::decode(expr.of(character));
  return decoded ? asciiFor(decoded->character) : std::nullopt;
}

/// Words get blanks around them, but not a second one.
std::string spaced(const ExprText& expr, const ExprToken& at, std::string text) {
  if (text.starts_with(' ') && at.begin > 0 && expr.text[at.begin - 1] == ' ')
    text.erase(0, 1);
  if (text.size() > 1 && text.ends_with(' ') && at.end < expr.text.size() &&
      expr.text[at.end] == ' ')
    text.pop_back();
  return text;
}

/// 1/500: a number is written out.
bool reportQuotient(const ExprText& expr, std::size_t index, ExprReport& report) {
  if (index == 0 || expr.kind(index - 1) != TokenKind::Number ||
      expr.kind(index + 1) != TokenKind::Number)
    return false;
  auto value = [&](std::size_t at) {
    std::string digits(expr.of(at));
    std::erase(digits, '_');
    return parseDecimal(digits);
  };
  auto above = value(index - 1), below = value(index + 1);
  auto& finding =
      report.at<diag::UnknownCharacter>(expr.tokens[index], "`/`", "; a share is one number");
  if (!above || !below || *below == 0)
    return true;
  Rational quotient = *above / *below;
  if (std::string decimal = printRational(quotient); parseDecimal(decimal) == quotient)
    report.fix(finding, "write `" + decimal + "`",
               {{expr.tokens[index - 1].begin, expr.tokens[index + 1].end, decimal}});
  return true;
}

/// rollout_corr/kl: trainers file their figures by topic.
bool reportPath(const ExprText& expr, std::size_t index, ExprReport& report) {
  std::size_t first = index - 1, last = index + 1;
  auto isName = [&](std::size_t at) { return expr.kind(at) == TokenKind::Name; };
  if (index == 0 || !isName(first) || !isName(last) || !expr.touchesNext(first) ||
      !expr.touchesNext(index))
    return false;
  // tokens/s is a rate.
  auto unit = model::findUnit(expr.of(last));
  if (unit && model::info(*unit).dimension == model::Dimension::Time)
    return false;
  while (isName(last) && expr.touchesNext(last) && expr.of(last + 1) == "/" &&
         expr.touchesNext(last + 1) && isName(last + 2))
    last += 2;
  std::string name(expr.of(last));
  for (std::string_view aggregate : {"mean", "max", "min"})
    if (name == aggregate && last - first > 2)
      name = std::string(expr.of(last - 2)) + '_' + name;
  auto& finding =
      report.at<diag::UnknownCharacter>(expr.tokens[index], "`/`", "; names have no topics here");
  report.fix(finding, "write `" + name + "`",
             {{expr.tokens[first].begin, expr.tokens[last].end, name}}, false);
  return true;
}

/// |x| is abs(x).
bool reportBars(const ExprText& expr, std::size_t index, ExprReport& report) {
  bool opens = index == 0 || expr.kind(index - 1) == TokenKind::LeftParen;
  std::size_t close = index + 1;
  while (close < expr.tokens.size() && expr.of(close) != "|")
    ++close;
  if (!opens || close >= expr.tokens.size() || close == index + 1)
    return false;
  const ExprToken &left = expr.tokens[index], &right = expr.tokens[close];
  auto& finding = report.at<diag::UnknownCharacter>(left, "`|`", "; a size is `abs(…)`");
  report.fixIfItReads(finding, "write `abs(…)`",
                      {{left.begin, left.end, "abs("}, {right.begin, right.end, ")"}});
  return true;
}

void reportUnknown(const ExprText& expr, std::size_t index, ExprReport& report) {
  ExprToken character = characterAt(expr, expr.tokens[index].begin);
  std::string_view text = expr.of(character);
  if (text == "/" && (reportQuotient(expr, index, report) || reportPath(expr, index, report)))
    return;
  if (text == "|" && reportBars(expr, index, report))
    return;
  if (text == "+" && expr.kind(index + 1) == TokenKind::Number) {
    auto& finding = report.at<diag::UnknownCharacter>(character, ticked(text),
                                                      "; a number without a sign is positive");
    report.fix(finding, "remove the sign", {{character.begin, character.end, ""}});
    return;
  }
  std::optional<std::string> ascii = asciiFor(expr, character);
  if (!ascii) {
    report.at<diag::UnknownCharacter>(character, ticked(text), "");
    return;
  }
  std::string meant(trimmed(*ascii));
  std::string advice = ascii->empty()  ? "; it is invisible"
                       : meant.empty() ? "; write an ordinary blank"
                                       : "; write " + ticked(meant);
  // The same keyboard made the others, too, and opening quotes need their closing ones.
  std::vector<ExprEdit> edits;
  for (std::size_t i = index; i < expr.tokens.size(); ++i) {
    if (expr.tokens[i].kind != TokenKind::Unknown ||
        (!edits.empty() && expr.tokens[i].begin < edits.back().end))
      continue;
    ExprToken other = characterAt(expr, expr.tokens[i].begin);
    if (auto replacement = asciiFor(expr, other))
      edits.push_back({other.begin, other.end, spaced(expr, other, *replacement)});
  }
  auto& finding = report.at<diag::UnknownCharacter>(character, ticked(text), advice);
  report.fix(finding, edits.size() > 1 ? "write them in ASCII" : "write it in ASCII", edits);
}

void reportMisspelt(const ExprText& expr, const ExprToken& token, ExprReport& report) {
  struct Row {
    std::string_view found, meant;
    bool isWord;
  };
  static constexpr Row rows[] = {{"=<", "<=", false},  {"=>", ">=", false},  {"<>", "!=", false},
                                 {"===", "==", false}, {"!==", "!=", false}, {"&&", " and ", true},
                                 {"||", " or ", true}, {"!", "not ", true}};
  std::string_view found = expr.of(token);
  const Row* known = std::find_if(std::begin(rows), std::end(rows),
                                  [&](const Row& r) { return r.found == found; });
  TIKC_CHECK(known != std::end(rows), "each misspelt comparison is in the table");
  const Row& row = *known;
  std::string meant(trimmed(row.meant));
  auto& finding = row.isWord
                      ? report.at<diag::ForeignWord>(token, ticked(found), ticked(meant))
                      : report.at<diag::MisspeltComparison>(token, ticked(found), ticked(meant));
  report.fix(finding, "write `" + meant + "`",
             {{token.begin, token.end, spaced(expr, token, std::string(row.meant))}});
}

/// p99.9(x): a point is no part of a name.
bool reportPercentile(const ExprText& expr, std::size_t index, ExprReport& report) {
  if (index == 0 || expr.kind(index - 1) != TokenKind::Name || !expr.touchesNext(index - 1) ||
      expr.kind(index + 1) != TokenKind::LeftParen)
    return false;
  std::string name(expr.of(index - 1)), digits = name.substr(1) + std::string(expr.of(index));
  auto percent = parseDecimal(digits);
  if (name[0] != 'p' || !percent || *percent <= 0 || *percent >= 100)
    return false;
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
  auto& finding = report.at<diag::MalformedNumber>(
      begin, end, ticked(name + std::string(expr.of(index))),
      "a quantile's level is written `quantile(x, " + level + ")`");
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
    report.at<diag::NumberTooLarge>(token, ticked(text),
                                    static_cast<std::uint64_t>(limits.numberExponent));
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
    reportUnknown(expr, index, report);
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
    report.relate(finding, stop, ticked(expr.of(stop)) + " closes another kind of bracket");
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

} // namespace tikc::syntax
