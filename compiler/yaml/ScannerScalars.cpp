#include "support/Utf8.h"
#include "yaml/Scanner.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tikc::yaml {

using utf8::ticked;

void Scanner::plain() {
  std::uint32_t begin = pos_;
  std::int64_t minimum = inFlow() ? 0 : indents_.back().column + 1;
  std::uint32_t stop = plainLineEnd(begin);
  Token scalar;
  scalar.begin = begin;
  scalar.end = trimmed(begin, stop);
  while (lineBreak(stop)) {
    std::uint32_t next = continuation(stop, minimum);
    if (next == 0)
      break;
    stop = plainLineEnd(next);
    if (stop == next)
      break;
    scalar.end = trimmed(next, stop);
    scalar.folded = true;
    std::uint32_t line = next;
    while (blank(line - 1))
      --line;
    lineStart_ = line;
  }
  if (inFlow()) {
    splitValue(scalar, stop);
    // To yaml-cpp 0.7 a question mark ends a plain scalar in a flow collection; to YAML it does
    // not.
    for (std::uint32_t i = begin; i < scalar.end; ++i)
      if (at(i) == '?')
        feed_.paint(i, i + 1, 'x');
  }
  hideBehindAnchor(scalar);
  add(scalar);
}

/// yaml-cpp 0.7 takes an anchor's column for the indentation of the scalar behind it, so that its
/// further lines fall out. They are of no use to the parser: it need not see them.
void Scanner::hideBehindAnchor(const Token& scalar) {
  const auto& tokens = document_->tokens;
  if (inFlow() || !scalar.folded || tokens.empty() || tokens.back().kind != YamlTokenKind::Anchor)
    return;
  for (std::uint32_t i = lineEnd(scalar.begin); i < scalar.end; ++i)
    feed_.set(i, '\n');
}

std::uint32_t Scanner::plainLineEnd(std::uint32_t from) const {
  bool flow = inFlow();
  std::uint32_t i = from;
  for (; !lineBreak(i); ++i) {
    char c = at(i);
    if (c == '#' && i > from && blank(i - 1))
      break;
    if (c == ':' && (blankOrBreak(i + 1) ||
                     (flow && (at(i + 1) == ',' || at(i + 1) == ']' || at(i + 1) == '}'))))
      break;
    if (flow && (c == ',' || c == '[' || c == ']' || c == '{' || c == '}'))
      break;
  }
  return i;
}

/// Where a plain scalar goes on after a line's end, or 0.
std::uint32_t Scanner::continuation(std::uint32_t lineEnd, std::int64_t minimum) {
  for (std::uint32_t line = afterBreak(lineEnd); line < size_;) {
    if (atMarker(line))
      return 0;
    std::uint32_t i = line;
    while (blank(i))
      ++i;
    if (i >= size_ || at(i) == '#')
      return 0;
    if (lineBreak(i)) {
      line = afterBreak(i);
      continue;
    }
    std::int64_t width = std::int64_t{i} - line;
    if (width < minimum ||
        (inFlow() && indents_.back().column >= 0 && width <= indents_.back().column))
      return 0;
    auto tab = slice(line, i).find('\t');
    if (tab != std::string_view::npos && static_cast<std::int64_t>(tab) < minimum)
      tabs(line, i);
    return i;
  }
  return 0;
}

/// In a flow collection a comma or a bracket ends a plain scalar, even in the middle of
/// `route(safe, probe=1%)` or `x in {a, b}`. Where the rest plainly belongs to it, the whole is
/// reported and read as one value.
bool Scanner::splitValue(Token& scalar, std::uint32_t stop) {
  char c = at(stop);
  std::string_view head = slice(scalar.begin, scalar.end);
  bool call = c == ',' &&
              std::count(head.begin(), head.end(), '(') > std::count(head.begin(), head.end(), ')');
  if (!call && c != '[' && c != '{')
    return false;
  std::uint32_t end = wholeValue(scalar.begin);
  if (end <= stop)
    return false;
  if (head.ends_with(':')) {
    fault<diag::MissingSpace>(scalar.end - 1, scalar.end)
        .fix("insert a space", {{span(scalar.end, scalar.end), " "}});
  } else {
    std::string_view whole = slice(scalar.begin, end);
    auto& found = fault<diag::FlowComma>(scalar.begin, end, ticked(whole), fmt::format("`{}`", c));
    found.withLabel("quote the whole value");
    if (!feed_.damaged(scalar.begin, end))
      // What is no call may have lost another sign.
      found.fix("quote it", {{span(scalar.begin, end), singleQuoted(whole)}},
                whole.find('(') != std::string_view::npos);
  }
  invalidate(scalar, end);
  return true;
}

/// Reads on past commas and brackets that stand inside balanced brackets; 0 when they do not
/// balance on the line.
std::uint32_t Scanner::wholeValue(std::uint32_t begin) const {
  std::string closers;
  std::uint32_t i = begin;
  for (; !lineBreak(i); ++i) {
    char c = at(i);
    if (i - begin > limits_.expressionBytes)
      return 0;
    if (c == '"' && !closers.empty()) {
      auto close = slice(begin, lineEnd(begin)).find('"', i + 1 - begin);
      if (close == std::string_view::npos)
        return 0;
      i = begin + static_cast<std::uint32_t>(close);
    } else if (c == '(' || c == '[' || c == '{') {
      closers += c == '(' ? ')' : c == '[' ? ']' : '}';
    } else if (!closers.empty() && c == closers.back()) {
      closers.pop_back();
    } else if (c == ']' || c == '}' || c == ')') {
      if (!closers.empty())
        return 0;
      if (c != ')')
        break;
    } else {
      bool separates = closers.empty() && (c == ',' || (c == ':' && blankOrBreak(i + 1)));
      bool comments = c == '#' && i > begin && blank(i - 1);
      if (separates || comments)
        break;
    }
  }
  return closers.empty() ? trimmed(begin, i) : 0;
}

/// The scalar, up to `end`, becomes one plain word to the parser and is passed over by everyone
/// else.
void Scanner::invalidate(Token& scalar, std::uint32_t end) {
  feed_.paint(scalar.begin, end, 'x');
  scalar.end = end;
  scalar.style = Style::Plain;
  scalar.invalid = true;
}

void Scanner::quoted(char quote) {
  Token scalar;
  scalar.begin = pos_;
  scalar.style = quote == '"' ? Style::DoubleQuoted : Style::SingleQuoted;
  std::uint32_t line = lineStart_;
  std::uint32_t i = pos_ + 1;
  for (;; ++i) {
    if (stop_)
      return;
    if (i >= size_)
      return unclosedQuote(pos_);
    char c = at(i);
    if (c == '\n') {
      if (atMarker(i + 1))
        return unclosedQuote(pos_);
      scalar.folded = true;
      line = i + 1;
    } else if (c == quote) {
      if (quote == '"' || at(i + 1) != '\'')
        break;
      ++i;
    } else if (c == '\\' && quote == '"') {
      i = escape(i, scalar);
    }
  }
  scalar.end = i + 1;
  std::uint32_t firstLine = std::exchange(lineStart_, line);
  pos_ = scalar.end;
  char next = at(pos_);
  bool ends = blankOrBreak(pos_) || next == ':' || next == '#' ||
              (inFlow() && (next == ',' || next == ']' || next == '}'));
  if (!ends && scalar.folded) {
    // A quote that closes in the middle of a word some lines on was most likely another value's
    // opening one.
    lineStart_ = firstLine;
    return unclosedQuote(scalar.begin);
  }
  if (!ends || (next == ':' && !inFlow() && !blankOrBreak(pos_ + 1)))
    afterQuote(scalar);
  add(scalar);
}

void Scanner::afterQuote(Token& scalar) {
  std::uint32_t end = std::max(restOfValue(pos_), pos_ + 1);
  if (at(pos_) == ':') {
    fault<diag::MissingSpace>(pos_, pos_ + 1)
        .fix("insert a space", {{span(pos_ + 1, pos_ + 1), " "}});
  } else {
    auto& found = fault<diag::SyntaxError>(
        pos_, end, fmt::format("unexpected {} after the closing quote", ticked(slice(pos_, end))));
    if (scalar.style == Style::SingleQuoted)
      found.note("inside single quotes, write a quote twice: ''");
    else
      found.note("inside double quotes, write a quote as \\\"");
  }
  invalidate(scalar, end);
}

void Scanner::unclosedQuote(std::uint32_t open) {
  fault<diag::UnclosedQuote>(open, open + 1, fmt::format("`{}`", at(open)));
  pos_ = open;
  std::uint32_t end = std::max(restOfValue(open + 1), open + 1);
  Token scalar;
  scalar.begin = open;
  invalidate(scalar, end);
  document_->recovered = true;
  add(scalar);
}

namespace {

std::optional<std::uint32_t> hex(std::string_view digits) {
  std::uint32_t value = 0;
  for (char c : digits) {
    int digit = c >= '0' && c <= '9'   ? c - '0'
                : c >= 'a' && c <= 'f' ? c - 'a' + 10
                : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                       : -1;
    if (digit < 0)
      return std::nullopt;
    value = value << 4 | static_cast<std::uint32_t>(digit);
  }
  return value;
}

bool surrogate(std::uint32_t value, std::uint32_t base) {
  return value >= base && value < base + 0x400;
}

} // namespace

/// Returns the escape's last byte.
std::uint32_t Scanner::escape(std::uint32_t at, Token& scalar) {
  char c = this->at(at + 1);
  if (lineBreak(at + 1))
    return at;
  if (c != 'x' && c != 'u' && c != 'U') {
    bool known =
        c != '\0' && std::string_view("0abtnvfre \"/\\N_LP\t").find(c) != std::string_view::npos;
    return known ? at + 1 : badEscape(at, 2, scalar, fmt::format("\\\\{}", c));
  }
  std::uint32_t size = c == 'x' ? 2 : c == 'u' ? 4 : 8;
  std::string_view digits = text().substr(std::min(at + 2, size_), size);
  auto value = digits.size() == size ? hex(digits) : std::nullopt;
  if (!value)
    return badEscape(at, 2, scalar, {});
  if (surrogate(*value, 0xD800) && c == 'u' && text().substr(at + 6, 2) == "\\u") {
    auto low = hex(text().substr(at + 8, 4));
    if (low && surrogate(*low, 0xDC00))
      return badEscape(
          at, 12, scalar,
          fmt::format("\\U{:08X}", 0x10000 + ((*value - 0xD800) << 10 | (*low - 0xDC00))));
  }
  if (surrogate(*value, 0xD800) || surrogate(*value, 0xDC00) || *value > 0x10FFFF)
    return badEscape(at, size + 2, scalar, {});
  return at + 1 + size;
}

std::uint32_t Scanner::badEscape(std::uint32_t at, std::uint32_t size, Token& scalar,
                                 const std::string& replacement) {
  // A character that is escaped in vain may take several bytes; the quote or line break after a cut
  // one is no part of it.
  std::uint32_t end = at + 2;
  while (end < size_ && (text()[end] & 0xC0) == 0x80)
    ++end;
  end = std::max(end, at + size);
  auto& found = fault<diag::BadEscape>(at, end, ticked(slice(at, end)));
  if (!replacement.empty()) {
    bool pair = replacement.starts_with("\\U");
    found.fix(pair ? "write it as one character" : "write the backslash twice",
              {pair ? diag::Edit{span(at, end), replacement} : diag::Edit{span(at, at), "\\"}});
  } else {
    found.note("\\x takes 2 hexadecimal digits, \\u 4 and \\U 8; halves of surrogate pairs are not "
               "characters");
  }
  feed_.paint(at, end, 'x');
  scalar.invalid = true;
  return end - 1;
}

void Scanner::blockScalar() {
  Token scalar;
  scalar.begin = pos_;
  scalar.style = at(pos_) == '|' ? Style::Literal : Style::Folded;
  scalar.folded = true;
  std::uint32_t digit = 0;
  std::uint32_t i = pos_ + 1;
  for (int sign = 0, number = 0;; ++i) {
    if ((at(i) == '+' || at(i) == '-') && sign++ == 0)
      continue;
    if (at(i) >= '1' && at(i) <= '9' && number++ == 0) {
      digit = static_cast<std::uint32_t>(at(i) - '0');
      continue;
    }
    break;
  }
  scalar.end = i;
  while (blank(i))
    ++i;
  bool comment = at(i) == '#' && i > scalar.end;
  if (!comment && !lineBreak(i))
    return reserved();
  auto around = static_cast<std::uint32_t>(std::max<std::int64_t>(indents_.back().column, 0));
  blockBody(scalar, around + (digit ? digit : 1), digit == 0);
  // Without a body, the comment stands behind the scalar and is found there.
  if (comment && scalar.end > i)
    comments_.push_back({span(i, lineEnd(i)), false});
  hideBehindAnchor(scalar);
  add(scalar);
}

void Scanner::blockBody(Token& scalar, std::uint32_t minimum, bool detect) {
  std::uint32_t indent = minimum;
  bool known = !detect;
  std::uint32_t body = afterBreak(lineEnd(scalar.end));
  for (std::uint32_t line = body; line < size_; line = afterBreak(lineEnd(line))) {
    std::uint32_t i = line;
    while (at(i) == ' ')
      ++i;
    std::uint32_t blanks = i;
    while (blank(blanks))
      ++blanks;
    bool empty = lineBreak(blanks);
    if (blanks > i && i - line < indent) {
      if (!empty) {
        tabs(line, blanks);
        scalar.invalid = true;
        i = blanks;
      }
    } else if (empty) {
      i = blanks;
    }
    if (empty) {
      // Blanks beyond the indentation are text.
      if (known && i - line > indent) {
        scalar.end = i;
        lineStart_ = line;
      }
      continue;
    }
    if (i - line < indent)
      break;
    if (!known) {
      indent = i - line;
      known = true;
      dropBlanks(body, line, indent);
    }
    scalar.end = lineEnd(i);
    lineStart_ = line;
  }
  scalar.indent = indent;
}

/// Empty lines before the text: yaml-cpp 0.7 takes the longest of them for the indentation, and a
/// tab for an error.
void Scanner::dropBlanks(std::uint32_t begin, std::uint32_t end, std::uint32_t indent) {
  std::uint32_t column = 0;
  for (std::uint32_t i = begin; i < end; ++i, ++column) {
    if (at(i) == '\n')
      column = static_cast<std::uint32_t>(-1);
    else if (at(i) == '\t' || (at(i) == ' ' && column >= indent))
      feed_.set(i, '\n');
  }
}

} // namespace tikc::yaml
