#pragma once

#include <cstddef>
#include <cstdint>

namespace tikc {

/// What a window shows of a clause on a slice. No data is undecided, never satisfied.
enum class verdict : std::uint8_t { undecided, satisfied, violated };

inline const char* name(verdict value) {
  constexpr const char* names[] = {"undecided", "satisfied", "violated"};
  return names[static_cast<std::size_t>(value)];
}

} // namespace tikc
