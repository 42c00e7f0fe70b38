#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tikc::policy {

/// What a window shows of a clause on a slice, as checkers say it.
enum class Shown : std::uint8_t { Undecided, Satisfied, Violated, Unasked };

std::string_view name(Shown shown);

/// One evaluation of a clause on a slice. Where no window of the clause ended it keeps its verdict,
/// which is no news to rules.
struct Standing {
  Shown is = Shown::Satisfied;
  bool isKept = false;

  friend bool operator==(const Standing&, const Standing&) = default;
};

/// What clauses were from tick to tick, by their place in the plan. A clause that is not named is
/// satisfied, and so is one whose sequence is over.
struct Course {
  std::size_t ticks = 0;
  std::map<std::uint32_t, std::vector<Standing>> clauses;

  Standing at(std::uint32_t clause, std::size_t tick) const;
};

/// violated*2 kept satisfied, as fixtures of `tikc test` have it.
std::string print(const std::vector<Standing>& sequence);

} // namespace tikc::policy
