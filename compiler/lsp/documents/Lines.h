#pragma once

#include "support/Span.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace tikc::lsp {

/// The unit in which a client counts characters of a line.
enum class Encoding : std::uint8_t { Utf8, Utf16, Utf32 };

/// A place in the protocol's counting, from 0.
struct ProtocolPlace {
  std::uint32_t line = 0, character = 0;
  auto operator<=>(const ProtocolPlace&) const = default;
};

/// Returns how many of the client's units are in a range of a text.
std::uint32_t unitsIn(std::string_view text, std::uint32_t begin, std::uint32_t end,
                      Encoding encoding);

/// The line starts of a text in the protocol's view: a lone CR ends a line, too.
class Lines {
public:
  explicit Lines(std::string_view text);

  /// A character after the end of a line means its end, a line after the last one the end of the
  /// text. A place within a character means its start.
  std::uint32_t offsetOf(std::string_view text, ProtocolPlace place, Encoding encoding) const;
  ProtocolPlace placeOf(std::string_view text, std::uint32_t offset, Encoding encoding) const;

private:
  std::vector<std::uint32_t> starts_;
};

} // namespace tikc::lsp
