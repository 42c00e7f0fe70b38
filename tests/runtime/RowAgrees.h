#pragma once

#include "runtime/RowReference.h"

#include <gtest/gtest.h>

namespace tikc::tests {

/// The relative error that a statistic may have: below a total variation of 1e-6, fp32 has nothing
/// left to say.
inline void expectClose(const char* name, double value, long double expected, long double slack) {
  auto limit = static_cast<long double>(std::numeric_limits<double>::max());
  if (expected > limit) {
    EXPECT_EQ(value, unbounded) << name;
    return;
  }
  EXPECT_NEAR(value, static_cast<double>(expected), static_cast<double>(1e-4L * expected + slack))
      << name;
}

inline void expectAgrees(const row_stats& stats, const Reference& expected) {
  ASSERT_EQ(stats.nonfinite, expected.nonfinite);
  if (expected.spoilt) {
    for (double value :
         {stats.logit_linf, stats.logit_osc, stats.logit_l2, stats.logit_rel, stats.logprob_linf,
          stats.kl_train_infer, stats.kl_infer_train, stats.chi2, stats.entropy_gap})
      EXPECT_EQ(value, unbounded);
    for (double value : {stats.tv, stats.hellinger, stats.top1_flip, stats.missing_mass})
      EXPECT_EQ(value, 1);
    EXPECT_EQ(stats.js, std::log(2.0));
    EXPECT_EQ(stats.top1_margin, 0);
    return;
  }
  expectClose("logit_linf", stats.logit_linf, expected.logitLinf, 0);
  // A difference of logits that are close is rounded once.
  expectClose("logit_osc", stats.logit_osc, expected.logitOsc, 3e-8L);
  expectClose("logit_l2", stats.logit_l2, expected.logitL2, 1e-18L);
  expectClose("logit_rel", stats.logit_rel, expected.logitRel, 0);
  // A log-prob's drift is a logit's less the shift, which is exact to the largest of them.
  expectClose("logprob_linf", stats.logprob_linf, expected.logprobLinf,
              1e-6L * expected.logitOsc + 3e-8L);
  expectClose("top1_margin", stats.top1_margin, expected.top1Margin, 0);
  EXPECT_EQ(stats.top1_flip, expected.flip ? 1 : 0);
  expectClose("missing_mass", stats.missing_mass, expected.missingMass, 1e-9L);
  long double tiny = expected.tv < 1e-6L ? 1e-9L : 0;
  // The cheapest series knows the row's shift to 4e-7 of the drifts that it is taken from.
  long double shift = 4e-7L * std::min(expected.logprobLinf, 0.25L);
  expectClose("tv", stats.tv, expected.tv, std::max(tiny, shift));
  expectClose("hellinger", stats.hellinger, expected.hellinger, tiny * tiny);
  expectClose("kl_train_infer", stats.kl_train_infer, expected.klTrainInfer, tiny * tiny);
  expectClose("kl_infer_train", stats.kl_infer_train, expected.klInferTrain, tiny * tiny);
  expectClose("js", stats.js, expected.js, tiny * tiny);
  if (expected.lowest > -1e9L)
    expectClose("chi2", stats.chi2, expected.chi2, tiny * tiny);
  else // of tokens this improbable it may be too large
    EXPECT_GE(stats.chi2 + 1e-18,
              static_cast<double>(
                  std::min(expected.chi2 * 0.9999L,
                           static_cast<long double>(std::numeric_limits<double>::max()))));
  // The gap may cancel to nothing: what it is a sum of is of the size of the total variation.
  expectClose("entropy_gap", stats.entropy_gap, expected.entropyGap,
              1e-6L * expected.tv + std::max(tiny, shift));
  for (double value : {stats.tv, stats.hellinger, stats.kl_train_infer, stats.kl_infer_train,
                       stats.js, stats.chi2, stats.entropy_gap, stats.missing_mass})
    EXPECT_GE(value, 0);
}

inline void expectAgrees(const Row& train, const Row& infer, double trainTemperature = 1,
                         double inferTemperature = 1) {
  Reference expected = reference(train, infer, trainTemperature, inferTemperature);
  for (auto set : instructionSets()) {
    SCOPED_TRACE(nameOf(set));
    expectAgrees(measure(set, train, infer, trainTemperature, inferTemperature), expected);
  }
}

} // namespace tikc::tests
