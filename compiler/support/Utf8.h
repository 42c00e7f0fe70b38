#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tikc::utf8 {

inline constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";

inline std::string_view withoutByteOrderMark(std::string_view text) {
  return text.starts_with(byteOrderMark) ? text.substr(byteOrderMark.size()) : text;
}

/// Characters in text; a byte that starts no valid sequence counts as one.
std::size_t length(std::string_view text);

struct Decoded {
  char32_t character;
  std::uint8_t bytes;
};
/// The character at the start of text, or nothing for overlong forms, surrogates and cut sequences.
std::optional<Decoded> decode(std::string_view text);
void append(std::string& out, char32_t character);
/// Offset of the first byte that is not valid UTF-8.
std::optional<std::size_t> firstInvalid(std::string_view text);

/// Cells that the character takes in a terminal: 0, 1 or 2.
int displayWidth(char32_t character);
/// Those of a text, as far as it is valid.
std::size_t cells(std::string_view text);

/// Text that cannot act on a terminal or mislead a reader: controls, bidirectional overrides,
/// invisible characters, spaces that are not U+0020 and stray bytes appear as \u{…} or \x….
std::string printable(std::string_view text);
/// JSON whose texts have such characters as escapes: the same values for who parses it.
std::string printableJson(std::string_view json);
/// A path as messages quote it: printable and whole, in backticks.
std::string tickedPath(std::string_view path);
/// The user's text as messages quote it: printable, cut to a length worth reading, in backticks.
std::string ticked(std::string_view text);

} // namespace tikc::utf8
