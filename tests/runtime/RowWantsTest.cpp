#include "runtime/RowReference.h"

#include <gtest/gtest.h>

namespace tikc::tests {
namespace {

/// What is wanted is asked in code that the sets of instructions share, so one of them shows it;
/// each more would be the compiler's longest job. RowTest has all of them, and
/// e2e/differential.py what is wanted on each.
template <std::uint32_t Want> row_stats measurePortably(const Row& train, const Row& infer) {
  std::vector<float> scratch(row_scratch_floats(train.values.size()));
  return detail::rows::row_walk<detail::rows::portable::row_kernels, Want>(
             train.view(), infer.view(), train.values.size(), 1, 1, scratch.data())
      .run(7, mask_rule::strict);
}

template <std::uint32_t Want>
void expectAlone(const Row& train, const Row& infer, double row_stats::*member) {
  row_stats all = measurePortably<row_want::everything>(train, infer);
  row_stats alone = measurePortably<Want>(train, infer);
  double expected = all.*member;
  if (std::isinf(expected))
    EXPECT_EQ(alone.*member, expected);
  else // to the last bits: which products the compiler fuses is up to it
    EXPECT_NEAR(alone.*member, expected, 1e-6 * std::fabs(expected) + 1e-15) << Want;
  EXPECT_EQ(alone.nonfinite, all.nonfinite);
  alone.*member = 0;
  if (Want == row_want::sampled_logprobs)
    alone.infer_logprob = 0;
  for (double value :
       {alone.logit_linf, alone.logit_osc, alone.logit_l2, alone.logit_rel, alone.logprob_linf,
        alone.tv, alone.hellinger, alone.kl_train_infer, alone.kl_infer_train, alone.js, alone.chi2,
        alone.top1_flip, alone.top1_margin, alone.entropy_gap, alone.missing_mass,
        alone.train_logprob, alone.infer_logprob})
    EXPECT_EQ(value, 0) << "not asked for";
}

TEST(Row, AStatisticIsTheSameWhateverElseIsAskedFor) {
  Random random(16);
  for (float scale : {1e-3F, 0.3F, 3.0F})
    for (bool masks : {false, true}) {
      std::vector<float> from = logits(random, 3001, Shape::usual);
      std::vector<float> to = drifted(random, from, scale);
      if (masks)
        from[17] = to[17] = to[1800] = masked;
      Row train = encode(number_format::fp32, from), infer = encode(number_format::fp32, to);
      expectAlone<row_want::logit_linf>(train, infer, &row_stats::logit_linf);
      expectAlone<row_want::logit_osc>(train, infer, &row_stats::logit_osc);
      expectAlone<row_want::logit_l2>(train, infer, &row_stats::logit_l2);
      expectAlone<row_want::logit_rel>(train, infer, &row_stats::logit_rel);
      expectAlone<row_want::logprob_linf>(train, infer, &row_stats::logprob_linf);
      expectAlone<row_want::tv>(train, infer, &row_stats::tv);
      expectAlone<row_want::hellinger>(train, infer, &row_stats::hellinger);
      expectAlone<row_want::kl_train_infer>(train, infer, &row_stats::kl_train_infer);
      expectAlone<row_want::kl_infer_train>(train, infer, &row_stats::kl_infer_train);
      expectAlone<row_want::js>(train, infer, &row_stats::js);
      expectAlone<row_want::chi2>(train, infer, &row_stats::chi2);
      expectAlone<row_want::top1_flip>(train, infer, &row_stats::top1_flip);
      expectAlone<row_want::top1_margin>(train, infer, &row_stats::top1_margin);
      expectAlone<row_want::entropy_gap>(train, infer, &row_stats::entropy_gap);
      expectAlone<row_want::missing_mass>(train, infer, &row_stats::missing_mass);
      expectAlone<row_want::sampled_logprobs>(train, infer, &row_stats::train_logprob);
    }
}

/// Of the inference's logits, blocks are searched for a largest one only where there may be one.
template <std::uint32_t Others>
void expectFlips(const Row& train, const Row& infer, bool flips, const std::string& what) {
  std::vector<float> scratch(row_scratch_floats(train.values.size()));
  for (auto set : instructionSets()) {
    const row_stats stats = detail::rows::row_pass_at<Others | row_want::top1_flip, false>(
        set, train.view(), infer.view(), train.values.size(), 1.0, 1.0, std::int64_t{-1},
        scratch.data(), mask_rule::strict);
    EXPECT_EQ(stats.top1_flip, flips ? 1 : 0) << nameOf(set) << " " << what;
  }
}

TEST(Row, ALargestLogitIsFoundInWhateverBlockItIs) {
  Random random(17);
  constexpr std::size_t places[] = {3, 1000, 1023, 1024, 2047, 3500, 5000};
  for (std::size_t top : places)
    for (std::size_t other : places)
      for (number_format format : {number_format::fp32, number_format::bf16}) {
        std::vector<float> from = logits(random, 5001, Shape::flat);
        from[other] = 9;
        from[top] = 10;
        std::vector<float> to = from;
        to[other] += 1.25F;
        to[top] -= 0.125F;
        Row train = encode(format, from), infer = encode(format, to);
        std::string what = std::to_string(top) + " " + std::to_string(other);
        bool flips = top != other;
        expectFlips<0>(train, infer, flips, what);
        expectFlips<row_want::logit_linf>(train, infer, flips, what);
        expectFlips<row_want::tv>(train, infer, flips, what);
        expectFlips<row_want::top1_margin>(train, infer, flips, what);
      }
}

} // namespace
} // namespace tikc::tests
