#pragma once

#include <cstddef>

namespace tikc::tests {

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool isSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
inline constexpr bool isSanitized = true;
#else
inline constexpr bool isSanitized = false;
#endif
#else
inline constexpr bool isSanitized = false;
#endif

/// How many rounds a long test takes. Answers are judged in the build that is shipped; sanitizers
/// look for faults of memory, take ten times as long, and see in a few rounds what they see in all.
constexpr unsigned rounds(unsigned all) { return isSanitized ? (all + 9) / 10 : all; }

/// The same, of a list: whether this one of its entries is among the rounds.
constexpr bool isTried(std::size_t place) { return !isSanitized || place % 9 == 0; }

} // namespace tikc::tests
