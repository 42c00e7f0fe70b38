#pragma once

#include <optional>
#include <string>
#include <string_view>

/// Keys and labels as text, whatever their files store.
namespace tikc::data {

/// 2^53: doubles hold every whole number up to it, and those below it were not rounded to it.
inline constexpr double exactWhole = 9007199254740992;

/// Returns a number as a key, by its digits; nothing unless it is certainly a whole number.
std::optional<std::string> keyOfNumber(std::string_view written);
std::optional<std::string> keyOfNumber(double number);

/// Whether two labels are the same text, or two spellings of the same number.
bool isSameWord(std::string_view a, std::string_view b);

} // namespace tikc::data
