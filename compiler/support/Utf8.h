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

/// Returns the number of characters; a byte that starts no valid sequence counts as one.
std::size_t length(std::string_view text);

struct DecodedCharacter {
  char32_t character;
  std::uint8_t bytes;
};
/// Returns the first character; nothing for overlong forms, surrogates and truncated sequences.
std::optional<DecodedCharacter> decode(std::string_view text);
void append(std::string& out, char32_t character);
/// Returns the offset of the first byte that is not valid UTF-8.
std::optional<std::size_t> firstInvalid(std::string_view text);

/// Returns the cells that the character takes in a terminal: 0, 1 or 2.
int displayWidth(char32_t character);
/// Returns the cells that a text takes in a terminal, up to its first invalid byte.
std::size_t cells(std::string_view text);

/// Returns whether a character changes the order in which others are displayed.
bool isBidirectional(char32_t character);

/// Returns text that cannot act on a terminal or mislead readers. Controls, bidirectional
/// overrides, invisible characters, spaces other than U+0020 and stray bytes become \u{…} or \x….
std::string printable(std::string_view text);
/// Returns equal JSON in which such characters are escapes.
std::string printableJson(std::string_view json);
/// Returns a path for messages: printable and complete, in backticks.
std::string tickedPath(std::string_view path);
/// Returns the user's text for messages: printable, shortened, in backticks.
std::string ticked(std::string_view text);

} // namespace tikc::utf8
