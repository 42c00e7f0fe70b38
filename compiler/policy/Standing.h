#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tikc::policy {

/// The verdict of a window on a clause for a slice, as in checkers.
enum class WindowVerdict : std::uint8_t { Undecided, Satisfied, Violated, Unasked };

std::string_view name(WindowVerdict shown);

/// One evaluation of a clause on a slice. If no window of the clause ended, it keeps its verdict,
/// which rules do not count again.
struct Standing {
  WindowVerdict verdict = WindowVerdict::Satisfied;
  bool isKept = false;

  friend bool operator==(const Standing&, const Standing&) = default;
};

/// The standings of clauses from tick to tick, by clause of the plan. A clause without a sequence,
/// or after its sequence's end, is satisfied.
struct Course {
  std::size_t ticks = 0;
  std::map<std::uint32_t, std::vector<Standing>> clauses;

  Standing at(std::uint32_t clause, std::size_t tick) const;
};

/// Formats a sequence as in fixtures of `tikc test`: violated*2 kept satisfied
std::string print(const std::vector<Standing>& sequence);

} // namespace tikc::policy
