#pragma once

#include <limits>
#include <optional>
#include <string>
#include <string_view>

/// Keys and labels as text, independent of the storage type.
namespace tikc::data {

/// 2^53. Doubles represent every integer up to it, and no integer was rounded to a double below it.
inline constexpr double exactWhole = 9007199254740992;

/// Stands for a step that its type may have rounded, so that it may be another one.
inline constexpr double roundedStep = std::numeric_limits<double>::infinity();

/// Returns a number's digits as a key, or nothing unless it is certainly an integer.
std::optional<std::string> keyOfNumber(std::string_view written);
/// `exact` is the power of 2 up to which the number's type represents every integer.
std::optional<std::string> keyOfNumber(double number, double exact = exactWhole);

/// Returns whether two labels are equal texts, or spellings of the same number.
bool isSameWord(std::string_view a, std::string_view b);

} // namespace tikc::data
