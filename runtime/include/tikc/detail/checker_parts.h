#pragma once

#include "tikc/detail/of_plan.h"
#include "tikc/plan.h"
#include "tikc/verdict.h"

#include <cstddef>
#include <cstdint>
#include <iterator>

/// The parts of a checker apart from its observations, and their sizes.
namespace tikc {

namespace detail {

struct window_span {
  double since = 0;
  std::uint64_t ticks = 0; // evaluations; for windows of steps, ends of steps
  bool is_news = false;    // a window ended since the last evaluation
};

/// The open window of a check.
struct open_window {
  std::uint64_t seen = 0; // observations at the last evaluation
  bool is_told = false;   // violated for good, and reported by an evaluation
};

/// The sizes of a checker's tables.
struct checker_shape {
  std::size_t slices = 0, windows = 0, checks = 0, clauses = 0, slopes = 0, history = 1;
};
template <class Plan> constexpr checker_shape checker_shape_of(const Plan& plan) {
  checker_shape out{plan.slices, std::size(plan.windows), std::size(plan.checks),
                    std::size(plan.clauses)};
  for (const check& each : plan.checks)
    if (each.how == estimator::slope) {
      ++out.slopes;
      out.history = each.history > out.history ? each.history : out.history;
    }
  return out;
}
template <class Plan> constexpr checker_shape constant_checker_shape() {
  if constexpr (is_constant<Plan>)
    return checker_shape_of(Plan());
  else
    return {};
}

/// Means of recent windows, in a ring.
template <class Plan> struct slope_history {
  several<Plan, double, constant_checker_shape<Plan>().history> means{};
  std::uint64_t count = 0;
};

/// The verdicts that a router reads: for each clause on each slice.
template <class Plan, bool = is_constant<Plan>> struct standings {
  using type = standing[std::size(Plan::clauses)][Plan::slices];
};
template <class Plan> struct standings<Plan, false> { using type = typename Plan::standings; };

} // namespace detail

} // namespace tikc
