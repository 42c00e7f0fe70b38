#pragma once

#include <cstdint>

namespace tikc::detail {

/// Asks for what is `ahead` bytes on: an address, since a pointer may not leave its array.
[[gnu::always_inline]] inline void prefetch(const void* from, std::uintptr_t ahead) {
  __builtin_prefetch(reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(from) + ahead));
}

} // namespace tikc::detail
