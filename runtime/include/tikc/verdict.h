#pragma once

#include <cstddef>
#include <cstdint>

namespace tikc {

/// What a window shows of a clause on a slice. No data is undecided, never satisfied; but nothing
/// is asked of a slice that the contract gives a weight of 0, while nothing comes there.
enum class verdict : std::uint8_t { undecided, satisfied, violated, unasked };

inline const char* name(verdict value) {
  constexpr const char* names[] = {"undecided", "satisfied", "violated", "unasked"};
  return names[static_cast<std::size_t>(value)];
}

/// What an evaluation leaves of a clause on a slice. A window that is not over keeps the verdict of
/// the one before, which is no news: rules count it once.
struct standing {
  verdict is = verdict::undecided;
  bool is_kept = false;

  constexpr standing() = default;
  constexpr standing(verdict told, bool kept = false) : is(told), is_kept(kept) {}
};

} // namespace tikc
