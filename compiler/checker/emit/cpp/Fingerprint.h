#pragma once

#include "checker/plan/Plan.h"

#include <string_view>

namespace tikc::emit::cpp {

/// Returns the 64-bit FNV-1a hash of everything that gives a contract's numbers their meaning, a
/// zero byte, and the tables that define the order of their storage. It is computed here because
/// compilers give up when they evaluate it for a large contract.
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
