#pragma once

#include <cstddef>
#include <cstdint>

namespace tikc {

/// The verdict of a window on a clause for a slice. A window without data is undecided, never
/// satisfied. `unasked` is for slices to which the contract gives weight 0, while they stay empty.
enum class verdict : std::uint8_t { undecided, satisfied, violated, unasked };

inline const char* name(verdict value) {
  constexpr const char* names[] = {"undecided", "satisfied", "violated", "unasked"};
  return names[static_cast<std::size_t>(value)];
}

/// A clause's state on a slice after an evaluation. An open window keeps the verdict of the
/// previous window; rules count it once.
struct standing {
  verdict is = verdict::undecided;
  bool is_kept = false;

  constexpr standing() = default;
  constexpr standing(verdict value, bool kept = false) : is(value), is_kept(kept) {}
};

} // namespace tikc
