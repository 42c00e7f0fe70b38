#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tikc {

/// The candidate that the user most likely meant, if one is near enough to be worth naming. What
/// differs in digits, or says the opposite, is another name.
std::optional<std::string_view> nearestName(std::string_view wrong,
                                            std::span<const std::string_view> candidates);

/// In lower case, with underscores for dashes.
std::string folded(std::string_view name);

/// In lower case and in one word: what is the same so is the same name in another spelling.
std::string withoutSeparators(std::string_view name);

/// How surely a name is what was meant by another.
enum class Likeness : std::uint8_t {
  Guess,
  Slip,    // a letter lost, doubled or swapped with its neighbour, and no other name is as near
  Spelling // they differ in case and separators alone
};
Likeness likeness(std::string_view written, std::string_view name,
                  std::span<const std::string_view> candidates);

/// "a", "a or b", "a, b or c".
std::string joinAlternatives(std::span<const std::string_view> names);

/// "a|b|c", as tables write lists of words.
std::vector<std::string_view> splitWords(std::string_view words);

/// Lower snake case: a letter, then letters, digits and underscores.
bool isIdentifier(std::string_view text);

/// Rewrites a name into lower snake case where that is possible; empty where it is not.
std::string toIdentifier(std::string_view text);

} // namespace tikc
