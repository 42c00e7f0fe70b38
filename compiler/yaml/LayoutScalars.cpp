#include "yaml/LayoutScalars.h"

#include <algorithm>
#include <span>
#include <vector>

namespace tikc::yaml {
namespace {

/// A blank that a backslash escapes is text.
std::string_view trimmedQuoted(std::string_view text) {
  std::string_view out = trimmedRight(text);
  std::size_t last = out.find_last_not_of('\\');
  std::size_t backslashes = out.size() - (last == std::string_view::npos ? 0 : last + 1);
  return backslashes % 2 == 1 && out.size() < text.size() && text[out.size()] != '\r'
             ? text.substr(0, out.size() + 1)
             : out;
}

std::vector<std::string_view> linesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  for (;;) {
    std::size_t feed = text.find('\n');
    std::string_view line = text.substr(0, feed);
    if (feed != std::string_view::npos && line.ends_with('\r'))
      line.remove_suffix(1);
    lines.push_back(line);
    if (feed == std::string_view::npos)
      return lines;
    text.remove_prefix(feed + 1);
  }
}

/// The indicators of a block scalar, `|2+` at most.
std::string_view indicatorsOf(std::string_view block) { return block.substr(0, 3); }

} // namespace

std::string_view trimmedRight(std::string_view text) {
  return text.substr(0, text.find_last_not_of(" \t\r") + 1);
}

bool statesIndent(std::string_view block) {
  return indicatorsOf(block).find_first_of("123456789") != std::string_view::npos;
}

bool keepsLineFeeds(std::string_view block) {
  return indicatorsOf(block).find('+') != std::string_view::npos;
}

std::string layOutBlock(std::string_view text, std::size_t before, std::size_t indent,
                        std::string_view lineEnd) {
  std::vector<std::string_view> lines = linesOf(text);
  std::string out(trimmedRight(lines.front()));
  for (std::string_view line : std::span(lines).subspan(1)) {
    out += lineEnd;
    if (line.size() > before)
      out.append(indent, ' ').append(line.substr(before));
  }
  return out;
}

std::string layOutFolded(std::string_view text, Style style, std::size_t indent,
                         std::string_view lineEnd) {
  std::vector<std::string_view> lines = linesOf(text);
  std::string out;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::string_view line = lines[i];
    if (i > 0) {
      out += lineEnd;
      line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    }
    if (i + 1 < lines.size())
      line = style == Style::DoubleQuoted ? trimmedQuoted(line) : trimmedRight(line);
    if (i > 0 && !line.empty())
      out.append(indent, ' ');
    out += line;
  }
  return out;
}

} // namespace tikc::yaml
