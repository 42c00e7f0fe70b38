#include "lsp/documents/Lines.h"

#include "support/Utf8.h"

#include <algorithm>

namespace tikc::lsp {
namespace {

/// A byte that begins no character counts as one.
struct CharacterSize {
  std::uint32_t bytes, units;
};
CharacterSize stepOver(std::string_view rest, Encoding encoding) {
  constexpr unsigned char firstOfMany = 0x80;
  if (static_cast<unsigned char>(rest.front()) < firstOfMany)
    return {1, 1}; // most text, and every answer asks for many places
  auto decoded = utf8::decode(rest);
  if (!decoded)
    return {1, 1};
  std::uint32_t bytes = decoded->bytes;
  constexpr char32_t firstOfTwo = 0x10000;
  return {bytes, encoding == Encoding::Utf8                                        ? bytes
                 : encoding == Encoding::Utf16 && decoded->character >= firstOfTwo ? 2U
                                                                                   : 1U};
}

} // namespace

std::uint32_t unitsIn(std::string_view text, std::uint32_t begin, std::uint32_t end,
                      Encoding encoding) {
  std::uint32_t out = 0;
  while (begin < end) {
    CharacterSize step = stepOver(text.substr(begin, 4), encoding);
    if (begin + step.bytes > end)
      break;
    begin += step.bytes;
    out += step.units;
  }
  return out;
}

Lines::Lines(std::string_view text) : starts_{0} {
  for (std::uint32_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n' || (text[i] == '\r' && text.substr(i + 1, 1) != "\n"))
      starts_.push_back(i + 1);
}

std::uint32_t Lines::offsetOf(std::string_view text, ProtocolPlace place, Encoding encoding) const {
  if (place.line >= starts_.size())
    return static_cast<std::uint32_t>(text.size());
  std::uint32_t at = starts_[place.line], units = 0;
  while (at < text.size() && text[at] != '\n' && text[at] != '\r') {
    CharacterSize step = stepOver(text.substr(at, 4), encoding);
    if (units + step.units > place.character)
      break;
    units += step.units;
    at += step.bytes;
  }
  return at;
}

ProtocolPlace Lines::placeOf(std::string_view text, std::uint32_t offset, Encoding encoding) const {
  auto next = std::upper_bound(starts_.begin(), starts_.end(), offset);
  ProtocolPlace out{static_cast<std::uint32_t>(next - starts_.begin() - 1), 0};
  auto end = static_cast<std::uint32_t>(std::min<std::size_t>(offset, text.size()));
  out.character = unitsIn(text, *(next - 1), end, encoding);
  return out;
}

} // namespace tikc::lsp
