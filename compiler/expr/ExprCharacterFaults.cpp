#include "expr/ExprFaults.h"
#include "model/Amount.h"
#include "support/Check.h"
#include "support/Rational.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>

namespace tikc::expr {

using utf8::ticked;

namespace {

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

/// 1/500, 2 * 1e-3: a number is written out.
bool reportArithmetic(const ExprText& expr, std::size_t index, ExprReport& report) {
  if (index == 0 || expr.kind(index - 1) != TokenKind::Number ||
      expr.kind(index + 1) != TokenKind::Number)
    return false;
  auto value = [&](std::size_t at) {
    std::string digits(expr.of(at));
    std::erase(digits, '_');
    return parseDecimal(digits);
  };
  auto left = value(index - 1), right = value(index + 1);
  const bool isQuotient = expr.of(index) == "/";
  auto& finding = report.at<diag::UnknownCharacter>(
      expr.tokens[index], ticked(expr.of(index)),
      isQuotient ? ": expected the share as one number" : ": expected the product as one number");
  if (!left || !right || (isQuotient && *right == 0))
    return true;
  Rational result = isQuotient ? Rational(*left / *right) : Rational(*left * *right);
  if (std::string decimal = printRational(result); parseDecimal(decimal) == result)
    report.fix(finding, "write `" + decimal + "`",
               {{expr.tokens[index - 1].begin, expr.tokens[index + 1].end, decimal}});
  return true;
}

/// `== 1 ± 0.02` is a range.
bool reportAround(const ExprText& expr, std::size_t index, ExprReport& report) {
  if (index < 2 || expr.kind(index - 1) != TokenKind::Number)
    return false;
  const ExprToken sign = characterAt(expr, expr.tokens[index].begin);
  std::size_t next = index + 1; // a token is a byte of what no expression has
  while (next < expr.tokens.size() && expr.tokens[next].begin < sign.end)
    ++next;
  auto& finding = report.at<diag::UnknownCharacter>(sign, "`±`",
                                                    ": expected a range such as "
                                                    "`in [low, high]`");
  const TokenKind relation = expr.kind(index - 2);
  auto centre = parseDecimal(expr.of(index - 1)), by = parseDecimal(expr.of(next));
  if ((relation != TokenKind::Equal && relation != TokenKind::Assign) || !centre || !by)
    return true;
  const std::string range =
      fmt::format("in [{}, {}]", printRational(*centre - *by), printRational(*centre + *by));
  report.fixIfItReads(finding, "write `" + range + "`",
                      {{expr.tokens[index - 2].begin, expr.tokens[next].end, range}}, false);
  return true;
}

/// 0.1 nat/token: what a metric is of says its level, and no unit.
bool reportShareOfOne(const ExprText& expr, std::size_t index, ExprReport& report) {
  bool isUnit = index >= 2 && expr.kind(index - 1) == TokenKind::Name &&
                expr.kind(index - 2) == TokenKind::Number;
  auto below =
      expr.kind(index + 1) == TokenKind::Name ? model::findUnit(expr.of(index + 1)) : std::nullopt;
  if (!isUnit || expr.kind(index + 1) != TokenKind::Name ||
      (below && model::info(*below).dimension == model::Dimension::Time))
    return false;
  auto& finding = report.at<diag::UnknownCharacter>(
      expr.tokens[index], "`/`", "; the metric, not the unit, says what one observation is");
  report.fixIfItReads(finding, "write `" + std::string(expr.of(index - 1)) + "`",
                      {{expr.tokens[index - 1].end, expr.tokens[index + 1].end, ""}}, false);
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
  auto& finding = report.at<diag::UnknownCharacter>(expr.tokens[index], "`/`",
                                                    "; names have no topic prefix "
                                                    "here");
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
  auto& finding = report.at<diag::UnknownCharacter>(left, "`|`", ": expected `abs(…)`");
  report.fixIfItReads(finding, "write `abs(…)`",
                      {{left.begin, left.end, "abs("}, {right.begin, right.end, ")"}});
  return true;
}

} // namespace

ExprToken characterAt(const ExprText& expr, std::uint32_t begin) {
  auto decoded = utf8::decode(expr.text.substr(begin));
  return {TokenKind::Unknown, begin, begin + (decoded ? decoded->bytes : 1)};
}

void reportCharacter(const ExprText& expr, std::size_t index, ExprReport& report) {
  ExprToken character = characterAt(expr, expr.tokens[index].begin);
  std::string_view text = expr.of(character);
  if ((text == "/" || text == "*") && reportArithmetic(expr, index, report))
    return;
  if (text == "/" && (reportShareOfOne(expr, index, report) || reportPath(expr, index, report)))
    return;
  if (text == "±" && reportAround(expr, index, report))
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
                       : meant.empty() ? ": expected an ordinary space"
                                       : ": expected " + ticked(meant);
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

} // namespace tikc::expr
