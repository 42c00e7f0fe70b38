#include "expr/ExprText.h"

#include "support/Check.h"

#include <llvm/ADT/StringExtras.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace tikc::expr {
namespace {

constexpr std::array<std::string_view, 12> keywords = {
    "and", "or", "not", "in", "on", "over", "with", "confidence", "per", "for", "all", "slices"};

std::string withoutUnderscores(std::string_view text) {
  std::string out;
  std::copy_if(text.begin(), text.end(), std::back_inserter(out), [](char c) { return c != '_'; });
  return out;
}

bool groupsThousands(std::string_view whole) {
  std::size_t first = whole.find('_');
  if (first == std::string_view::npos)
    return true;
  if (first == 0 || first > 3 || (whole.size() - first) % 4 != 0)
    return false;
  for (std::size_t i = first; i < whole.size(); i += 4)
    if (whole[i] != '_' || whole.substr(i + 1, 3).find('_') != std::string_view::npos)
      return false;
  return true;
}

/// Whether each underscore has digits on both sides once runs of them count as one and those at the
/// ends are dropped, and thousands are then grouped: what was meant is plain.
bool groupsThousandsLoosely(std::string_view whole) {
  std::string squeezed;
  for (char c : whole)
    if (c != '_' || (!squeezed.empty() && squeezed.back() != '_'))
      squeezed += c;
  while (!squeezed.empty() && squeezed.back() == '_')
    squeezed.pop_back();
  return groupsThousands(squeezed);
}

struct NumberParts {
  std::string_view whole, fraction, exponent; // the exponent with its sign
  bool point = false;
};

NumberParts split(std::string_view text) {
  NumberParts parts;
  std::size_t e = text.find_first_of("eE");
  if (e != std::string_view::npos) {
    parts.exponent = text.substr(e + 1);
    text = text.substr(0, e);
  }
  std::size_t point = text.find('.');
  parts.whole = text.substr(0, point);
  parts.point = point != std::string_view::npos;
  if (parts.point)
    parts.fraction = text.substr(point + 1);
  return parts;
}

/// Both the exponent as written and the place of the first digit stay within the limit, so that a
/// number printed in either form reads back.
bool inRange(const NumberParts& parts, const Limits& limits) {
  long exponent = 0;
  std::string written = withoutUnderscores(parts.exponent);
  if (!written.empty()) {
    const char* begin = written.data() + (written.front() == '+' ? 1 : 0);
    auto [end, error] = std::from_chars(begin, written.data() + written.size(), exponent);
    if (error != std::errc())
      return false;
  }
  auto beyond = [most = long{limits.numberExponent}](long value) {
    return value > most || value < -most;
  };
  if (beyond(exponent))
    return false;
  std::string whole = withoutUnderscores(parts.whole);
  std::size_t first = whole.find_first_not_of('0');
  if (first != std::string::npos)
    return !beyond(exponent + static_cast<long>(whole.size() - first) - 1);
  first = parts.fraction.find_first_not_of('0');
  return first == std::string_view::npos || !beyond(exponent - static_cast<long>(first) - 1);
}

} // namespace

std::optional<ExprEntry> exprEntryOf(model::GrammarEntry entry) {
  switch (entry) {
  case model::GrammarEntry::None:
    return std::nullopt;
  case model::GrammarEntry::Requirement:
    return ExprEntry::Requirement;
  case model::GrammarEntry::Predicate:
    return ExprEntry::Predicate;
  case model::GrammarEntry::Trigger:
    return ExprEntry::Trigger;
  case model::GrammarEntry::Call:
    return ExprEntry::Call;
  case model::GrammarEntry::Quantity:
    return ExprEntry::Quantity;
  }
  TIKC_CHECK(false, "each entry has its case");
}

std::string_view keyword(TokenKind kind) {
  return keywords[static_cast<std::size_t>(kind) - static_cast<std::size_t>(TokenKind::And)];
}

TokenKind keywordIgnoringCase(std::string_view text) {
  for (std::size_t i = 0; i < keywords.size(); ++i)
    if (std::equal(text.begin(), text.end(), keywords[i].begin(), keywords[i].end(),
                   [](char a, char b) { return llvm::toLower(a) == b; }))
      return static_cast<TokenKind>(i + static_cast<std::size_t>(TokenKind::And));
  return TokenKind::End;
}

std::string ExprText::of(std::size_t first, std::size_t last) const {
  std::string out(of(first));
  for (std::size_t i = first; i < last; ++i)
    out.append(touchesNext(i) ? "" : " ").append(of(i + 1));
  return out;
}

std::size_t ExprText::innermostOpener(std::size_t index) const {
  std::size_t closed = 0;
  while (index-- > 0) {
    if (isCloser(tokens[index].kind))
      ++closed;
    else if (isOpener(tokens[index].kind) && closed-- == 0)
      return index;
  }
  return tokens.size();
}

std::size_t ExprText::openerOf(std::size_t closer) const { return innermostOpener(closer); }

std::size_t ExprText::closerOf(std::size_t opener) const {
  std::size_t open = 0;
  for (std::size_t i = opener; i < tokens.size(); ++i) {
    if (isOpener(tokens[i].kind))
      ++open;
    else if (isCloser(tokens[i].kind) && --open == 0)
      return i;
  }
  return tokens.size() - 1;
}

NumberFault checkNumber(std::string_view text, const Limits& limits) {
  using Fault = NumberFault::Kind;
  // Nearly every number is a few digits, perhaps with a point among them.
  if (text.size() <= 16 && text.find_first_not_of("0123456789.") == std::string_view::npos &&
      std::count(text.begin(), text.end(), '.') <= 1 && text.front() != '.' && text.back() != '.')
    return {};
  NumberParts parts = split(text);
  std::string exponent = parts.exponent.empty() ? "" : "e" + withoutUnderscores(parts.exponent);
  std::string digits = withoutUnderscores(parts.whole);
  std::string fraction = withoutUnderscores(parts.fraction);

  if (parts.fraction.find('.') != std::string_view::npos)
    return {Fault::Malformed, "it has more than one point", "", false};
  if (digits.empty())
    return {Fault::Malformed, "a digit is missing before the point", "0." + fraction + exponent};
  std::string repaired =
      groupThousands(digits) + (fraction.empty() ? "" : "." + fraction) + exponent;
  if (parts.fraction.find('_') != std::string_view::npos)
    return {Fault::Malformed, "`_` may group thousands only before the point", repaired,
            groupsThousandsLoosely(parts.whole)};
  if (parts.point && parts.fraction.empty())
    return {Fault::Malformed, "a digit is missing after the point", repaired};
  if (parts.exponent.find('_') != std::string_view::npos)
    return {Fault::Malformed, "an exponent cannot contain `_`", repaired};
  if (!groupsThousands(parts.whole))
    return {Fault::Malformed, "each `_` groups thousands and needs three digits after it", repaired,
            groupsThousandsLoosely(parts.whole)};
  if (!inRange(parts, limits))
    return {Fault::OutOfRange, {}, {}};
  return {};
}

std::string groupThousands(std::string_view digits) {
  std::string out(digits);
  if (digits.size() > 4)
    for (std::size_t i = digits.size(); i > 3; i -= 3)
      out.insert(i - 3, "_");
  return out;
}

std::string unescape(std::string_view token) {
  std::string_view inner = token.substr(1, token.size() - 2);
  std::string out;
  out.reserve(inner.size());
  for (std::size_t i = 0; i < inner.size(); ++i) {
    if (inner[i] != '\\') {
      out += inner[i];
      continue;
    }
    ++i;
    out += inner[i] == 'n' ? '\n' : inner[i] == 't' ? '\t' : inner[i];
  }
  return out;
}

std::size_t firstUnknownEscape(std::string_view token) {
  for (std::size_t i = token.find('\\'); i < token.size(); i = token.find('\\', i + 2))
    if (i + 1 >= token.size() ||
        std::string_view("\"'\\nt").find(token[i + 1]) == std::string_view::npos)
      return i;
  return token.size();
}

} // namespace tikc::expr
