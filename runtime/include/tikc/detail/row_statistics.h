#pragma once

#include <cstdint>

namespace tikc {

/// One bit for each statistic of a pair of rows.
namespace row_want {
constexpr std::uint32_t logit_linf = 1U << 0U;
constexpr std::uint32_t logit_osc = 1U << 1U;
constexpr std::uint32_t logit_l2 = 1U << 2U;
constexpr std::uint32_t logit_rel = 1U << 3U;
constexpr std::uint32_t logprob_linf = 1U << 4U;
constexpr std::uint32_t tv = 1U << 5U;
constexpr std::uint32_t hellinger = 1U << 6U;
constexpr std::uint32_t kl_train_infer = 1U << 7U;
constexpr std::uint32_t kl_infer_train = 1U << 8U;
constexpr std::uint32_t js = 1U << 9U;
constexpr std::uint32_t chi2 = 1U << 10U;
constexpr std::uint32_t top1_flip = 1U << 11U;
constexpr std::uint32_t top1_margin = 1U << 12U;
constexpr std::uint32_t entropy_gap = 1U << 13U;
constexpr std::uint32_t missing_mass = 1U << 14U;
constexpr std::uint32_t nonfinite = 1U << 15U;
constexpr std::uint32_t sampled_logprobs = 1U << 16U;
constexpr std::uint32_t everything = (1U << 17U) - 1;
} // namespace row_want

/// What was not asked for is 0.
struct row_stats {
  double logit_linf = 0, logit_osc = 0, logit_l2 = 0, logit_rel = 0; // of the logits as they are
  double logprob_linf = 0, tv = 0, hellinger = 0, kl_train_infer = 0, kl_infer_train = 0, js = 0;
  double chi2 = 0, top1_flip = 0, top1_margin = 0, entropy_gap = 0, missing_mass = 0;
  std::uint32_t nonfinite = 0; // asked for or not
  double train_logprob = 0, infer_logprob = 0;
};

namespace detail::rows {

constexpr std::uint32_t row_moments = row_want::hellinger | row_want::kl_train_infer |
                                      row_want::kl_infer_train | row_want::js | row_want::chi2 |
                                      row_want::entropy_gap;
/// What needs both distributions at once, so a second pass.
constexpr std::uint32_t row_compared = row_moments | row_want::tv | row_want::missing_mass;
/// What needs the distributions.
constexpr std::uint32_t row_weighed =
    row_compared | row_want::logprob_linf | row_want::sampled_logprobs;
constexpr std::uint32_t row_ranged = row_want::logit_linf | row_want::logit_osc;

} // namespace detail::rows
} // namespace tikc
