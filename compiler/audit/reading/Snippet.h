#pragma once

#include "support/Span.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tikc::audit {

/// A text without the quotes and escapes around it, as its program reads it, and the byte of the
/// file for each of its bytes.
struct Snippet {
  std::string text;
  FileId file = FileId::None;
  /// The offset of each byte, and the end of the last. Empty if the text is the file's from `begin`
  /// on.
  std::vector<std::uint32_t> at;
  std::uint32_t begin = 0;

  std::uint32_t offset(std::size_t index) const {
    return at.empty() ? begin + static_cast<std::uint32_t>(index) : at[index];
  }
  Span span(std::size_t from, std::size_t to) const { return {file, offset(from), offset(to)}; }
  Span whole() const { return span(0, text.size()); }
  Snippet part(std::size_t from, std::size_t to) const {
    Snippet out{text.substr(from, to - from), file, {}, 0};
    if (at.empty())
      out.begin = offset(from);
    else
      out.at.assign(at.begin() + static_cast<std::ptrdiff_t>(from),
                    at.begin() + static_cast<std::ptrdiff_t>(to) + 1);
    return out;
  }
};

} // namespace tikc::audit
