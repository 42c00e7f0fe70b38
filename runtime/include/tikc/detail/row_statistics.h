#pragma once

#include <cstdint>
#include <limits>

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

/// What a token is that the inference alone masks: a fault of the row, or what the contract
/// declares as missing mass, which only the distributions show.
enum class mask_rule : std::uint8_t { strict, lenient };

/// What a kernel cuts from its law: all but so many tokens, but for so much of its mass, or what is
/// below such a share of the most likely one. 1, 0 and 0 cut nothing.
struct row_cut {
  double top_p = 1, min_p = 0;
  std::uint32_t top_k = 0;

  constexpr bool is_any() const { return top_p < 1 || min_p > 0 || top_k != 0; }
};

/// What was not asked for is 0.
struct row_stats {
  double logit_linf = 0, logit_osc = 0, logit_l2 = 0, logit_rel = 0; // of the logits as they are
  double logprob_linf = 0, tv = 0, hellinger = 0, kl_train_infer = 0, kl_infer_train = 0, js = 0;
  double chi2 = 0, top1_flip = 0, top1_margin = 0, entropy_gap = 0, missing_mass = 0;
  std::uint32_t nonfinite = 0; // asked for or not
  double train_logprob = 0, infer_logprob = 0;
  /// Of those that are the worst because nothing is known of them.
  std::uint32_t unknown = 0;
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
/// What a token that only one side masks leaves nothing to say of.
constexpr std::uint32_t row_raw =
    row_ranged | row_want::logit_l2 | row_want::logit_rel | row_want::top1_margin;

constexpr double unbounded = std::numeric_limits<double>::infinity();
constexpr double most_js = 0.6931471805599453;

/// The worst of what is wanted, of which nothing is known; but for `nonfinite`, which is.
template <std::uint32_t Wants> void spoil(row_stats& out) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  auto set = [](double& statistic, std::uint32_t want, double value) {
    if ((Wants & want) != 0)
      statistic = value;
  };
  out.unknown |= Wants & ~row_want::nonfinite;
  set(out.logit_linf, row_want::logit_linf, unbounded);
  set(out.logit_osc, row_want::logit_osc, unbounded);
  set(out.logit_l2, row_want::logit_l2, unbounded);
  set(out.logit_rel, row_want::logit_rel, unbounded);
  set(out.logprob_linf, row_want::logprob_linf, unbounded);
  set(out.tv, row_want::tv, 1);
  set(out.hellinger, row_want::hellinger, 1);
  set(out.kl_train_infer, row_want::kl_train_infer, unbounded);
  set(out.kl_infer_train, row_want::kl_infer_train, unbounded);
  set(out.js, row_want::js, most_js);
  set(out.chi2, row_want::chi2, unbounded);
  set(out.top1_flip, row_want::top1_flip, 1);
  set(out.top1_margin, row_want::top1_margin, 0);
  set(out.entropy_gap, row_want::entropy_gap, unbounded);
  set(out.missing_mass, row_want::missing_mass, 1);
  set(out.train_logprob, row_want::sampled_logprobs, nan);
  set(out.infer_logprob, row_want::sampled_logprobs, nan);
}

} // namespace detail::rows
} // namespace tikc
