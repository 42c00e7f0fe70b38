#include "unit/Checked.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace tikc::tests {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

/// A contract with one clause, watched in one stage.
struct Case {
  std::string clause = "p99(abs(logprob_gap)) <= 1";
  std::string load = "tokens: 1_000 per s, sequences: 10 per s";
  std::string stage = "traffic: 10%, window: 1 min";
  std::string share = "1%";
  std::string slices = {};
};

std::vector<diag::Diagnostic> findingsOf(const Case& of, diag::Code code) {
  std::string text =
      head() +
      fmt::format("load: {{ {} }}\n{}statistical:\n  it: {}\nobservability:\n  rows: "
                  "sample(logits, {})\n  tokens: "
                  "sample(logprobs, {})\n  requests: sample(requests, {})\n",
                  of.load, of.slices, of.clause, of.share, of.share, of.share) +
      (of.stage.empty() ? "" : fmt::format("promotion:\n  canary: {{ {} }}\n", of.stage)) +
      "escalation:\n  rest: { when: violated(any), do: hold, until: satisfied(any) }\n  silent: { "
      "when: undecided(any) "
      "for 6 windows, do: hold, until: satisfied(any) }\n";
  Checked checked(text);
  std::vector<diag::Diagnostic> out;
  for (const diag::Diagnostic& found : checked.diagnostics()) {
    EXPECT_NE(found.severity, diag::Severity::Error) << text << found.message;
    if (found.code == code)
      out.push_back(found);
  }
  return out;
}

std::vector<diag::Diagnostic> shortagesOf(const Case& of) {
  return findingsOf(of, diag::Code::NotEnoughEvidence);
}

std::string messageOf(const Case& of) {
  auto found = shortagesOf(of);
  return found.size() == 1 ? found[0].message : fmt::format("{} findings", found.size());
}

TEST(Evidence, AQuantileNeedsItsOrderStatistic) {
  // 1,000 × 10% × 60 s × share
  EXPECT_EQ(messageOf({.share = "4.98%"}),
            "not enough evidence at `canary`: `it` gets 298 tokens per window and needs 299");
  EXPECT_THAT(shortagesOf({.share = "4.99%"}), IsEmpty());
}

TEST(Evidence, OfTwoQuantilesTheOneThatNeedsMoreIsNamed) {
  Case of{.clause = "p50(k3) <= 1 and p999(k3) <= 1", .share = "0.01%"};
  EXPECT_EQ(shortagesOf(of).size(), 1u);
  Case alone{.clause = "p999(k3) <= 1", .share = "0.01%"};
  EXPECT_EQ(messageOf(of), messageOf(alone));
}

TEST(Evidence, AMeanByResponseNeedsResponses) {
  // 10 × 10% × 60 s × share; 100,000 tokens are no help
  Case of{.clause = "mean_by_response(tv_sampled) <= 10% with confidence 99%",
          .load = "tokens: 100_000 per s, sequences: 10 per s",
          .share = "100%"};
  EXPECT_EQ(messageOf(of),
            "not enough evidence at `canary`: `it` gets 60 sequences per window and needs 75");
}

TEST(Evidence, ConfidenceRaisesWhatIsNeeded) {
  // 0.99^n <= 0.5% from 528 on; that it holds at any time takes the rest.
  Case of{.clause = "p99(abs(logprob_gap)) <= 1 with confidence 99%", .share = "11.95%"};
  EXPECT_EQ(messageOf(of),
            "not enough evidence at `canary`: `it` gets 717 tokens per window and needs 719");
  of.share = "12%";
  EXPECT_THAT(shortagesOf(of), IsEmpty());
}

TEST(Evidence, AMeanNeedsAsManyAsWouldShowNothing) {
  // (1 − 1%)^n <= 2.5% from 368 on
  EXPECT_EQ(messageOf({.clause = "mean(tv_sampled) <= 1% with confidence 95%"}),
            "not enough evidence at `canary`: `it` gets 60 tokens per window and needs 594");
  EXPECT_THAT(shortagesOf({.clause = "mean(tv_sampled) <= 1% with confidence 95%", .share = "10%"}),
              IsEmpty());
  EXPECT_EQ(messageOf({.clause = "rate(ratio > 2) <= 1% with confidence 95%"}),
            "not enough evidence at `canary`: `it` gets 60 tokens per window and needs 548");
}

TEST(Evidence, NothingIsNeededWithoutALevel) {
  EXPECT_THAT(shortagesOf({.clause = "mean(tv_sampled) <= 1%"}), IsEmpty());
  EXPECT_THAT(shortagesOf({.clause = "max(abs(logprob_gap)) <= 1"}), IsEmpty());
}

TEST(Evidence, SequencesComeFromTheirOwnLoad) {
  EXPECT_EQ(messageOf({.clause = "p99(seq_tv) <= 0.5", .share = "100%"}),
            "not enough evidence at `canary`: `it` gets 60 sequences per window and needs 299");
  EXPECT_THAT(shortagesOf({.clause = "p99(seq_tv) <= 0.5", .load = "tokens: 1_000 per s"}),
              IsEmpty())
      << "no rate of responses is known";
}

TEST(Evidence, TheWorstSliceIsTold) {
  Case of{.share = "10%",
          .slices = "slices:\n  a: { when: prompt_tokens >= 8, weight: 9%, token_weight: 30% }\n  "
                    "b: { when: prompt_tokens >= 4, token_weight: 60% }\n"};
  EXPECT_EQ(messageOf(of), "not enough evidence at `canary`: `it` on slice `other` gets 60 tokens "
                           "per window and needs 299");
  of.clause = "p99(abs(logprob_gap)) <= 1 on a, b";
  EXPECT_EQ(messageOf(of), "not enough evidence at `canary`: `it` on slice `a` gets 180 tokens per "
                           "window and needs 299");
  of.clause = "p99(abs(logprob_gap)) <= 1 on all";
  EXPECT_THAT(shortagesOf(of), IsEmpty());
}

TEST(Evidence, AShareOfRequestsIsNoShareOfTokens) {
  EXPECT_THAT(shortagesOf({.share = "10%",
                           .slices = "slices:\n  a: { when: prompt_tokens >= 8, weight: 1% }\n"}),
              IsEmpty());
}

TEST(Evidence, WhatIsUnknownIsNotGuessed) {
  EXPECT_THAT(shortagesOf({.load = "requests: 1 per s"}), IsEmpty());
  EXPECT_THAT(shortagesOf({.stage = "window: 1 min"}), IsEmpty());
  EXPECT_THAT(shortagesOf({.stage = "traffic: 10%"}), IsEmpty());
}

TEST(Evidence, AWindowOfTheClausesOwn) {
  EXPECT_EQ(messageOf({.clause = "p99(abs(logprob_gap)) <= 1 over 2 min"}),
            "not enough evidence at `canary`: `it` gets 120 tokens per window and needs 299");
  EXPECT_EQ(messageOf({.clause = "p99(abs(logprob_gap)) <= 1 over 3 windows"}),
            "not enough evidence at `canary`: `it` gets 180 tokens per window and needs 299");
  EXPECT_EQ(messageOf({.clause = "p99(abs(logprob_gap)) <= 1 over 5_000 tokens"}),
            "not enough evidence in every stage: `it` gets 50 tokens per window and needs 299");
  EXPECT_THAT(shortagesOf({.clause = "p99(abs(logprob_gap)) <= 1 over 30_000 tokens"}), IsEmpty());
}

TEST(Evidence, AWindowOfStepsNeedsToKnowHowManyThereAre) {
  Case of{.clause = "p99(abs(logprob_gap)) <= 1 over 1 step"};
  EXPECT_THAT(shortagesOf(of), IsEmpty());
  auto unknown = findingsOf(of, diag::Code::StepsUnknown);
  ASSERT_EQ(unknown.size(), 1U);
  EXPECT_EQ(unknown[0].message,
            "`it` needs 299 tokens in `1 step`, but `load` does not say how often steps come");
  // 1,000 × 10% × 1% × 100 s
  of.load = "tokens: 1_000 per s, steps: 36 per h";
  EXPECT_THAT(findingsOf(of, diag::Code::StepsUnknown), IsEmpty());
  auto found = shortagesOf(of);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].message,
            "not enough evidence at `canary`: `it` gets 100 tokens per window and needs 299");
  EXPECT_EQ(found[0].fixes[0].edits[0].text, "3 steps");
  EXPECT_THAT(found[0].notes, testing::Contains("or set canary's traffic to 30%"));
  of.clause = "p99(abs(logprob_gap)) <= 1 over 3 steps";
  EXPECT_THAT(shortagesOf(of), IsEmpty());
  of.load = "tokens: 1_000 per s, steps: 36 steps per h";
  EXPECT_THAT(shortagesOf(of), IsEmpty());
  of.load = "requests: 1 per s"; // of tokens nothing is known either
  EXPECT_THAT(findingsOf(of, diag::Code::StepsUnknown), IsEmpty());
}

TEST(Evidence, WithoutStagesAllTrafficIsServed) {
  Case of{.clause = "p99(abs(logprob_gap)) <= 1 over 10 s", .stage = ""};
  EXPECT_EQ(messageOf(of),
            "not enough evidence at full traffic: `it` gets 100 tokens per window and needs 299");
  of.clause = "p99(abs(logprob_gap)) <= 1 over 30 s";
  EXPECT_THAT(shortagesOf(of), IsEmpty());
  of.clause = "p99(abs(logprob_gap)) <= 1 over 2 steps";
  EXPECT_EQ(findingsOf(of, diag::Code::StepsUnknown).size(), 1U);
  of.load = "tokens: 1_000 per s, steps: 1 per s";
  EXPECT_EQ(messageOf(of),
            "not enough evidence at full traffic: `it` gets 20 tokens per window and needs 299");
  // From one evaluation to the next: nobody knows how long that is.
  of.clause = "p99(abs(logprob_gap)) <= 1";
  EXPECT_THAT(shortagesOf(of), IsEmpty());
  of.clause = "p99(abs(logprob_gap)) <= 1 over 2 windows";
  EXPECT_THAT(shortagesOf(of), IsEmpty());
}

/// A stage's window need not be a time.
TEST(Evidence, AStagesWindowOfWhatIsServed) {
  EXPECT_EQ(messageOf({.stage = "traffic: 10%, window: 20_000 tokens"}),
            "not enough evidence at `canary`: `it` gets 200 tokens per window and needs 299");
  EXPECT_EQ(messageOf({.clause = "p99(abs(logprob_gap)) <= 1 over 2 windows",
                       .stage = "window: 10_000 tokens"}),
            "not enough evidence at `canary`: `it` gets 200 tokens per window and needs 299");
  EXPECT_THAT(shortagesOf({.stage = "traffic: 10%, window: 30_000 tokens"}), IsEmpty());
  EXPECT_THAT(shortagesOf({.stage = "traffic: 10%, window: 10 sequences"}), IsEmpty());
  EXPECT_EQ(messageOf({.clause = "p99(seq_tv) <= 0.5", .stage = "window: 200 sequences"}),
            "not enough evidence at `canary`: `it` gets 2 sequences per window and needs 299");
  EXPECT_EQ(messageOf({.load = "tokens: 1_000 per s, steps: 1 per min",
                       .stage = "traffic: 10%, window: 2 steps"}),
            "not enough evidence at `canary`: `it` gets 120 tokens per window and needs 299");
  EXPECT_EQ(findingsOf({.stage = "traffic: 10%, window: 2 steps"}, diag::Code::StepsUnknown).size(),
            1U);
}

TEST(Evidence, EveryWayOutIsEnough) {
  Case of{.share = "2%"}; // 120 of 299: 2.4917 times as many
  auto found = shortagesOf(of);
  ASSERT_EQ(found.size(), 1U);
  ASSERT_EQ(found[0].fixes.size(), 1U);
  EXPECT_FALSE(found[0].fixes[0].safe);
  EXPECT_EQ(found[0].fixes[0].edits[0].text, "25%");
  EXPECT_THAT(found[0].notes, testing::Contains(HasSubstr("samples to 5%")));
  EXPECT_THAT(found[0].notes, testing::Contains(HasSubstr("window to 3 min")));
  EXPECT_THAT(shortagesOf({.stage = "traffic: 25%, window: 1 min", .share = "2%"}), IsEmpty());
  EXPECT_THAT(shortagesOf({.share = "5%"}), IsEmpty());
  EXPECT_THAT(shortagesOf({.stage = "traffic: 10%, window: 3 min", .share = "2%"}), IsEmpty());
}

TEST(Evidence, NoMoreThanAllIsAskedFor) {
  auto found = shortagesOf({.stage = "traffic: 100%, window: 1 s", .share = "20%"}); // 200 of 299
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found[0].notes, testing::Not(testing::Contains(HasSubstr("traffic"))));
  EXPECT_EQ(found[0].fixes[0].edits[0].text, "30%");
}

} // namespace
} // namespace tikc::tests
