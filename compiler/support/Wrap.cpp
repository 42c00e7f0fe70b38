#include "support/Wrap.h"

#include "support/Utf8.h"

#include <algorithm>

namespace tikc {

std::string wrapped(std::string_view text, std::size_t indent, std::size_t used) {
  std::string out;
  while (!text.empty()) {
    auto blank = std::min(text.find(' '), text.size());
    std::string_view word = text.substr(0, blank);
    std::size_t width = utf8::length(word);
    if (used > indent && used + 1 + width > pageWidth) {
      out += '\n';
      out.append(indent, ' ');
      used = indent;
    } else if (used > indent) {
      out += ' ';
      ++used;
    }
    out += word;
    used += width;
    text.remove_prefix(std::min(blank + 1, text.size()));
  }
  return out;
}

} // namespace tikc
