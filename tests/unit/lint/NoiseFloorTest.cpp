#include "unit/Checked.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>

namespace tikc::tests {
namespace {

using testing::IsEmpty;

struct FloorCase {
  std::string clause;
  std::string train = "bf16", infer = "bf16";
  std::string model = "logit_bound: 30";
};

std::vector<diag::Diagnostic> floorFindings(const FloorCase& of) {
  std::string text = fmt::format("tikc: v1\ncontract: test\nversion: 1.0.0\nkernels:\n  trainer: "
                                 "{{ engine: fsdp2, logits: {} }}\n  rollout: {{ engine: vllm, "
                                 "logits: {} }}\npair: {{ train: trainer, infer: rollout "
                                 "}}\nmodel: {{ {} }}\nnumerical:\n  it: {}\n",
                                 of.train, of.infer, of.model, of.clause) +
                     observed();
  Checked checked(text);
  std::vector<diag::Diagnostic> out;
  for (const diag::Diagnostic& found : checked.diagnostics()) {
    EXPECT_NE(found.severity, diag::Severity::Error) << text << found.message;
    if (found.code == diag::Code::BelowNoiseFloor)
      out.push_back(found);
  }
  return out;
}

/// The nearest bf16, ties to even.
double bf16(double x) {
  int exponent = 0;
  double fraction = std::frexp(x, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(fraction, 8)), exponent - 8);
}

TEST(NoiseFloor, TheFloorIsReachedAndNotBeyond) {
  // Two logits around the midpoint 16.0625 are stored a whole unit of 1/8 apart.
  EXPECT_EQ(bf16(16.0626) - bf16(16.0624), 0.125);
  EXPECT_EQ(floorFindings({.clause = "max(logit_linf) <= 0.1249"}).size(), 1U);
  EXPECT_EQ(floorFindings({.clause = "max(logit_linf) < 0.125"}).size(), 1U);
  EXPECT_THAT(floorFindings({.clause = "max(logit_linf) <= 0.125"}), IsEmpty());
  EXPECT_EQ(floorFindings({.clause = "max(logit_osc) <= 0.2499"}).size(), 1U);
  EXPECT_THAT(floorFindings({.clause = "max(logit_osc) <= 0.25"}), IsEmpty());
}

TEST(NoiseFloor, OneCoarseFormatMovesByHalfAUnit) {
  EXPECT_EQ(floorFindings({.clause = "max(logit_linf) <= 0.0624", .infer = "fp32"}).size(), 1U);
  EXPECT_THAT(floorFindings({.clause = "max(logit_linf) <= 0.0625", .infer = "fp32"}), IsEmpty());
}

TEST(NoiseFloor, TwoTokensAtOneMidpointReachTheTotalVariation) {
  double high = bf16(16.0626), low = bf16(16.0624);
  double p = 1 / (1 + std::exp(low - high)), q = 1 / (1 + std::exp(high - low));
  EXPECT_NEAR(p - q, 0.062418, 1e-6);
  EXPECT_EQ(floorFindings({.clause = "max(tv) <= 0.06241"}).size(), 1U);
  EXPECT_THAT(floorFindings({.clause = "max(tv) <= 0.06242"}), IsEmpty());
  double half = 0.5 - 1 / (1 + std::exp(high - low)); // the finer kernel keeps the midpoint twice
  EXPECT_NEAR(half, 0.031209, 1e-6);
  EXPECT_EQ(floorFindings({.clause = "max(tv) <= 0.0312", .infer = "fp32"}).size(), 1U);
  EXPECT_THAT(floorFindings({.clause = "max(tv) <= 0.0313", .infer = "fp32"}), IsEmpty());
}

TEST(NoiseFloor, ARareTokensLogProbMovesTwice) {
  EXPECT_EQ(floorFindings({.clause = "max(logprob_linf) <= 0.2499"}).size(), 1U);
  EXPECT_THAT(floorFindings({.clause = "max(logprob_linf) <= 0.25"}), IsEmpty());
  EXPECT_THAT(floorFindings({.clause = "max(logprob_linf) <= 0.1",
                             .model = "logit_bound: 30, temperature: 0.5"}),
              IsEmpty());
}

TEST(NoiseFloor, ABoundShortOfTheFirstMidpointUsesTheBinadeBelow) {
  EXPECT_THAT(floorFindings({.clause = "max(logit_linf) <= 0.0625", .model = "logit_bound: 16.1"}),
              IsEmpty());
  EXPECT_EQ(
      floorFindings({.clause = "max(logit_linf) <= 0.0624", .model = "logit_bound: 16.1"}).size(),
      1U);
  EXPECT_EQ(
      floorFindings({.clause = "max(logit_linf) <= 0.0625", .model = "logit_bound: 16.125"}).size(),
      1U);
}

TEST(NoiseFloor, NothingIsSaidOfWhatIsNotKnown) {
  EXPECT_THAT(floorFindings({.clause = "max(logit_linf) <= 1e-3", .model = "vocabulary: 100"}),
              IsEmpty());
  EXPECT_THAT(floorFindings({.clause = "max(logit_linf) <= 1e-3", .infer = "'house-8'"}),
              IsEmpty());
  EXPECT_THAT(floorFindings({.clause = "p99(logit_linf) <= 1e-3"}), IsEmpty())
      << "storage need not do it often";
  EXPECT_THAT(floorFindings({.clause = "max(logit_linf) == 0"}), IsEmpty()) << "equal bits";
  EXPECT_THAT(floorFindings({.clause = "max(logit_linf) <= 1",
                             .train = "fp8_e4m3",
                             .infer = "fp8_e4m3",
                             .model = "logit_bound: 1000"}),
              IsEmpty());
}

TEST(NoiseFloor, TheFixIsTheLeastToleranceInTheUnitOfTheAuthor) {
  auto found = floorFindings({.clause = "max(tv) <= 5%"});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].fixes[0].edits[0].text, "6.242%");
  found = floorFindings({.clause = "max(logit_osc) <= 0.1 nat"});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].fixes[0].edits[0].text, "0.25 nat");
}

} // namespace
} // namespace tikc::tests
