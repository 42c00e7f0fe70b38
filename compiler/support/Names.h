#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tikc {

/// Returns the candidate that the user most likely meant, if one is near enough. Names with other
/// digits, or with the opposite meaning, are never near.
std::optional<std::string_view> nearestName(std::string_view wrong,
                                            std::span<const std::string_view> candidates);

/// Returns the name in lower case, with underscores for dashes.
std::string folded(std::string_view name);

/// Returns the name in lower case without separators; equal results are spellings of one name.
std::string withoutSeparators(std::string_view name);

/// How sure it is that a candidate was meant.
enum class Likeness : std::uint8_t {
  Guess,
  Slip,    // a letter lost, doubled or swapped with its neighbour; no other candidate is as near
  Spelling // only case and separators differ
};
Likeness likeness(std::string_view written, std::string_view name,
                  std::span<const std::string_view> candidates);

/// Returns "a", "a or b", "a, b or c".
std::string joinAlternatives(std::span<const std::string_view> names);

/// Splits "a|b|c", the form of word lists in tables.
std::vector<std::string_view> splitWords(std::string_view words);

/// Whether the text is lower snake case: a letter, then letters, digits and underscores.
bool isIdentifier(std::string_view text);

/// Returns the name in lower snake case; empty if that is impossible.
std::string toIdentifier(std::string_view text);

} // namespace tikc
