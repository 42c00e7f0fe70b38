#pragma once

#include "checker/plan/Figures.h"
#include "tikc/plan.h"
#include "tikc/tokens.h"

#include <cstdint>
#include <string_view>

/// Converts the names of plans to the runtime's.
namespace tikc::tables {

struct TokenWant {
  std::string_view name;
  std::uint32_t bit;
};
inline constexpr TokenWant tokenWants[] = {
    {"gap", token_want::gap},
    {"gap_size", token_want::gap_size},
    {"k2", token_want::k2},
    {"k3", token_want::k3},
    {"logprobs", token_want::logprobs},
    {"mult_prob_error", token_want::mult_prob_error},
    {"pearson", token_want::pearson},
    {"places", token_want::places},
    {"prob_gap", token_want::prob_gap},
    {"prob_gap_square", token_want::prob_gap_square},
    {"range", token_want::range},
    {"ratio", token_want::ratio},
    {"sketch", token_want::sketch},
    {"tv_sampled", token_want::tv_sampled},
    {"tv_square", token_want::tv_square},
};

constexpr std::uint32_t tokenWant(std::string_view name) {
  for (const TokenWant& each : tokenWants)
    if (each.name == name)
      return each.bit;
  return 0;
}

/// Converts a figure. Figures of a window have only an estimator in the runtime.
constexpr figure figureOf(plan::Figure value) {
  constexpr figure figures[] = {
#define TIKC_FIGURE(Id, name, ...) figure::name,
#define TIKC_WINDOW(Id, ...) figure::window_figure,
#include "tikc/figures.def"
  };
  return figures[static_cast<std::size_t>(value)];
}

} // namespace tikc::tables
