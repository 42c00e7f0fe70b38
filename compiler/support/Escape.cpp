#include "support/Escape.h"

#include "support/Utf8.h"

#include <fmt/format.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>

namespace tikc::escape {

std::string html(std::string_view text) {
  std::string out;
  for (char c : text)
    switch (c) {
    case '&':
      out += "&amp;";
      break;
    case '<':
      out += "&lt;";
      break;
    case '>':
      out += "&gt;";
      break;
    case '"':
      out += "&quot;";
      break;
    case '\'':
      out += "&#39;";
      break;
    default:
      out += c;
    }
  return out;
}

/// Markdown is read on terminals, too.
static std::string shownOnOneLine(std::string_view text) {
  std::string out(text);
  std::replace_if(
      out.begin(), out.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return utf8::printable(out);
}

std::string markdown(std::string_view value) {
  const std::string text = shownOnOneLine(value);
  static constexpr std::string_view anywhere = "\\`*[]<|~&$", atStart = "#>-+=:";
  std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    bool isInWord =
        i > 0 && i + 1 < text.size() && llvm::isAlnum(text[i - 1]) && llvm::isAlnum(text[i + 1]);
    bool startsList = digits > 0 && i == digits && (c == '.' || c == ')') &&
                      (i + 1 == text.size() || text[i + 1] == ' ');
    if (anywhere.find(c) != std::string_view::npos || (c == '_' && !isInWord) ||
        (i == 0 && atStart.find(c) != std::string_view::npos) || startsList)
      out += '\\';
    out += c;
  }
  return out;
}

std::string shellWord(std::string_view word) {
  const bool isPlain = std::all_of(word.begin(), word.end(), [](char c) {
    return llvm::isAlnum(c) || std::string_view("-_./=:,@%+").find(c) != std::string_view::npos;
  });
  if (isPlain && !word.empty())
    return std::string(word);
  std::string out = "'";
  for (const char c : word)
    out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string markdownCode(std::string_view value, bool mayBeInTable) {
  const std::string text = shownOnOneLine(value);
  std::size_t longest = 0, run = 0;
  std::string inner;
  for (char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
    // A table would end its cell at a bar, even in code.
    inner += c == '|' && mayBeInTable ? "\\|" : std::string(1, c);
  }
  std::string fence(longest + 1, '`');
  bool pad = inner.empty() || inner.front() == '`' || inner.back() == '`';
  return fence + (pad ? " " : "") + inner + (pad ? " " : "") + fence;
}

std::string linkPath(std::string_view path) {
  std::string out;
  for (char c : path)
    if (llvm::isAlnum(c) || c == '/' || c == '.' || c == '-' || c == '_' || c == '~')
      out += c;
    else
      out += fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
  return out;
}

std::string dot(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '"' || c == '\\')
      out += '\\';
    out += c == '\n' || c == '\r' ? ' ' : c;
  }
  return out;
}

std::string mermaid(std::string_view text) {
  static constexpr std::string_view harmless = " .,:_-+=/()";
  std::string out;
  for (char c : text) {
    bool isHarmless = llvm::isAlnum(c) || static_cast<unsigned char>(c) >= 0x80 ||
                      harmless.find(c) != std::string_view::npos;
    out += isHarmless ? std::string(1, c) : fmt::format("#{};", static_cast<int>(c));
  }
  return out;
}

std::string anchor(std::string_view text) {
  std::string out;
  for (char c : text)
    out += llvm::isAlnum(c) ? c : '-';
  return out;
}

std::string oneLine(std::string_view text) {
  std::string out;
  bool gap = false;
  for (char c : text) {
    bool isSpace = c == ' ' || c == '\n' || c == '\r' || c == '\t';
    if (!isSpace && gap && !out.empty())
      out += ' ';
    gap = isSpace;
    if (!isSpace)
      out += c;
  }
  return utf8::printable(out);
}

} // namespace tikc::escape
