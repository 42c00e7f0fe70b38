#pragma once

#include <cstdint>

namespace tikc::detail {

/// Prefetches `ahead` bytes further on. It computes with an integer, since a pointer may not leave
/// its array.
[[gnu::always_inline]] inline void prefetch(const void* from, std::uintptr_t ahead) {
  __builtin_prefetch(reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(from) + ahead));
}

} // namespace tikc::detail
