#pragma once

#include "tikc/detail/device.h"
#include "tikc/figures.h"

#include <cstddef>
#include <cstdint>
#include <limits>

namespace tikc {

/// One bit for each statistic of a pair of rows, in the order of figures.
namespace row_want {
#define TIKC_ROW(Id, name, ...)                                                                    \
  constexpr std::uint32_t name = 1U << static_cast<unsigned>(figure::name);
#include "tikc/figures.def"
constexpr std::uint32_t sampled_logprobs = 1U << static_cast<unsigned>(figure::route_flip);
constexpr std::uint32_t everything = 2 * sampled_logprobs - 1;
} // namespace row_want

/// The meaning of a token that only the inference masks: a fault of the row, or declared missing
/// mass, which only the distributions show.
enum class mask_rule : std::uint8_t { strict, lenient };

/// The cuts of a kernel's distribution: top_k keeps so many tokens, top_p so much mass, and min_p
/// removes tokens below this share of the most likely one. 1, 0 and 0 cut nothing.
struct row_cut {
  double top_p = 1, min_p = 0;
  std::uint32_t top_k = 0;

  constexpr bool is_any() const { return top_p < 1 || min_p > 0 || top_k != 0; }
};

/// The statistics of a pair of rows. Unrequested ones are 0, except the count `nonfinite`, which is
/// always set.
struct row_stats {
#define TIKC_ROW(Id, name, ...) double name = 0;
#include "tikc/figures.def"
  double train_logprob = 0, infer_logprob = 0;
  /// The statistics that have their worst value because they are unknown.
  std::uint32_t unknown = 0;
};

namespace detail::rows {

TIKC_ON_BOTH constexpr std::uint32_t wants_of(row_pass pass) {
  struct row {
    std::uint32_t want;
    row_pass pass;
  };
  constexpr row rows[] = {
#define TIKC_ROW(Id, name, range, unit, pass, ...) {row_want::name, row_pass::pass},
#include "tikc/figures.def"
  };
  std::uint32_t out = 0;
  for (const row& each : rows)
    out |= each.pass == pass ? each.want : 0;
  return out;
}

constexpr std::uint32_t row_moments = wants_of(row_pass::moments);
/// Statistics that need both distributions at once, and so a second pass.
constexpr std::uint32_t row_compared = row_moments | wants_of(row_pass::compared);
/// Statistics that need the distributions.
constexpr std::uint32_t row_weighed =
    row_compared | wants_of(row_pass::weighed) | row_want::sampled_logprobs;
constexpr std::uint32_t row_ranged = wants_of(row_pass::ranged);
/// Statistics that a token masked on one side makes meaningless.
constexpr std::uint32_t row_raw = row_ranged | wants_of(row_pass::raw);
static_assert((row_weighed | row_raw | wants_of(row_pass::plain)) == row_want::everything,
              "rows of logits come first among figures");

constexpr std::size_t row_tokens_limit = 262'144;
/// At other temperatures, logits would leave double's range, and levels of a weight fp32's.
constexpr double least_temperature = 1e-200, most_temperature = 1e30;

constexpr double unbounded = std::numeric_limits<double>::infinity(),
                 unknowable = std::numeric_limits<double>::quiet_NaN();
constexpr double most_js = 0.6931471805599453;

/// A statistic and what it was found to be.
template <figure What> struct figure_value { double value; };

#define TIKC_ROW(Id, name, ...)                                                                    \
  TIKC_ON_BOTH inline double& statistic(which<figure::name>, row_stats& stats) {                   \
    return stats.name;                                                                             \
  }
#include "tikc/figures.def"

/// Sets the wanted statistics. Compilation fails if a pass omits one of its statistics, which would
/// otherwise stay 0.
template <std::uint32_t Wants, std::uint32_t All, figure... What>
TIKC_ON_BOTH void report(row_stats& out, figure_value<What>... each) {
  static_assert(((1U << static_cast<unsigned>(What)) | ...) == All,
                "each statistic of a pass is reported");
  auto set = [&](auto what, std::uint32_t want, double value) {
    if ((Wants & want) != 0)
      statistic(what, out) = value;
  };
  (set(which<What>(), 1U << static_cast<unsigned>(What), each.value), ...);
}

/// Sets the wanted statistics to their worst value, except `nonfinite`, which is known.
template <std::uint32_t Wants> TIKC_ON_BOTH void spoil(row_stats& out) {
  [[maybe_unused]] const double known = out.nonfinite;
  out.unknown |= Wants & ~row_want::nonfinite;
#define TIKC_ROW(Id, name, range, unit, pass, worst, says)                                         \
  if constexpr ((Wants & row_want::name) != 0)                                                     \
    out.name = worst;
#include "tikc/figures.def"
  if constexpr ((Wants & row_want::sampled_logprobs) != 0)
    out.train_logprob = out.infer_logprob = unknowable;
}

} // namespace detail::rows
} // namespace tikc
