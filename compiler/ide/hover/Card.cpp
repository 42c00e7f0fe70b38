#include "ide/hover/Card.h"

#include "support/Escape.h"
#include "support/Utf8.h"

namespace tikc::ide {

std::string Card::ticked(std::string_view words) const {
  std::string line = escape::oneLine(words);
  return isMarkdown_ ? escape::markdownCode(line, false) : "`" + line + "`";
}

std::string Card::escaped(std::string_view words) const {
  std::string line = escape::oneLine(words);
  return isMarkdown_ ? escape::markdown(line) : line;
}

void Card::begin(bool isItem) {
  if (!out_.empty())
    out_ += isItem && lastIsItem_ ? "\n" : "\n\n";
  lastIsItem_ = isItem;
}

Card& Card::title(std::string_view name, std::string_view rest) {
  begin(false);
  std::string shown = ticked(name);
  out_ += isMarkdown_ ? "**" + shown + "**" : shown;
  out_ += rest;
  return *this;
}

Card& Card::text(std::string_view words) {
  begin(false);
  out_ += words;
  return *this;
}

Card& Card::quoted(std::string_view words) {
  begin(false);
  out_ += escaped(words);
  return *this;
}

Card& Card::item(std::string_view words) {
  begin(true);
  out_ += "- ";
  out_ += words;
  return *this;
}

Card& Card::code(std::string_view words) {
  begin(false);
  out_ += ticked(words);
  return *this;
}

Card& Card::block(std::string_view lines) {
  begin(false);
  std::string inner;
  while (!lines.empty()) {
    auto end = std::min(lines.find('\n'), lines.size());
    inner += utf8::printable(lines.substr(0, end)) + '\n';
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  if (!isMarkdown_) {
    out_ += inner.substr(0, inner.size() - 1);
    return *this;
  }
  std::string fence = "```";
  while (inner.find(fence) != std::string::npos)
    fence += '`';
  out_ += fence + "text\n" + inner + fence;
  return *this;
}

} // namespace tikc::ide
