#pragma once

#include "plan/Plan.h"

#include <string_view>

namespace tikc::emit::cpp {

/// FNV-1a, 64 bits, of all that gives a contract's numbers their meaning, a zero, and the tables
/// that say in which order they are kept. It is computed here once, since compilers that had to do
/// it while they compile a large contract give up.
inline std::uint64_t fingerprint(const plan::Plan& plan, std::string_view layout) {
  std::uint64_t out = 0xcbf29ce484222325U;
  auto add = [&](std::string_view text) {
    for (char each : text)
      out = (out ^ static_cast<unsigned char>(each)) * 0x100000001b3U;
  };
  add(plan.meaning);
  add(std::string_view("\0", 1));
  add(layout);
  return out;
}

} // namespace tikc::emit::cpp
