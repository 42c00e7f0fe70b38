#pragma once

#include "support/Span.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace tikc::lsp {

/// What a client counts characters of a line in.
enum class Encoding : std::uint8_t { Utf8, Utf16, Utf32 };

/// A place as the protocol counts it, from 0.
struct ProtocolPlace {
  std::uint32_t line = 0, character = 0;
  auto operator<=>(const ProtocolPlace&) const = default;
};

/// How many of what the client counts lie in a range of a text.
std::uint32_t unitsIn(std::string_view text, std::uint32_t begin, std::uint32_t end,
                      Encoding encoding);

/// Where the lines of a text begin, as the protocol sees them: a lone CR ends one, too.
class Lines {
public:
  explicit Lines(std::string_view text);

  /// A character past the end of its line is at that end, and a line past the last at the text's;
  /// within a character is at its beginning.
  std::uint32_t offsetOf(std::string_view text, ProtocolPlace place, Encoding encoding) const;
  ProtocolPlace placeOf(std::string_view text, std::uint32_t offset, Encoding encoding) const;

private:
  std::vector<std::uint32_t> starts_;
};

} // namespace tikc::lsp
