#include "unit/Checked.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tikc::tests {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

constexpr const char* policy =
    "observability: { r: 'sample(logits, 1%)', t: 'sample(logprobs, 100%)', "
    "q: 'sample(requests, 100%)', b: 'replay(batch, 1%)', m: 'sample(routes, 1%)' }\n"
    "escalation: { x: { when: violated(any) or undecided(any), do: hold, until: satisfied(any) } "
    "}\n";

std::vector<std::string> codes(const std::string& body) {
  std::vector<std::string> out;
  for (const std::string& found : Checked(head() + body + policy).findings())
    out.push_back(found.substr(0, 6));
  return out;
}

std::vector<std::string> of(const std::string& family, const std::string& bound,
                            const std::string& more = "") {
  return codes(more + family + ":\n  a: { require: '" + bound + "' }\n");
}

TEST(Estimators, AConditionIsMetByAll) {
  for (const char* rate :
       {"prob_gap > 1", "prob_gap > 100%", "prob_gap >= 101%", "tv_sampled < 0", "prob_gap >= 0",
        "ratio < 0", "capped_ratio(0.5, 2) > 2", "js > 1 bit", "js > 0.7 nat"})
    EXPECT_THAT(of("statistical", std::string("rate(") + rate + ") <= 1%"), Contains("TK4033"))
        << rate;
  for (const char* rate :
       {"prob_gap > 1%", "prob_gap >= 100%", "ratio <= 0", "tv_sampled > 0",
        "capped_ratio(0.5, 2) >= 2", "logprob_gap > 100", "js > 0.8 bit", "js <= 0.9 bit"})
    EXPECT_THAT(of("statistical", std::string("rate(") + rate + ") <= 1%"), Not(Contains("TK4033")))
        << rate;
}

TEST(Estimators, NoKernelsBreakIt) {
  for (const char* bound :
       {"mean(ratio) <= 1", "mean(ratio) < 1.2", "mean(seq_ratio) <= 1", "mean(k1) >= 0",
        "mean(capped_ratio(0, 2)) <= 1", "mean(capped_ratio(0.5, 2)) <= 1.25",
        "mean(seq_capped_ratio(0, 3)) <= 1.1", "mean(k1) >= -0.1 nat", "mean(logprob_gap) <= 0",
        "ppl_ratio >= 0.9"})
    EXPECT_THAT(of("statistical", bound), Contains("TK4034")) << bound;
  for (const char* bound :
       {"mean(capped_ratio(0.5, 2)) <= 1.24", "mean(capped_ratio(0, 2)) <= 0.99",
        "mean(capped_ratio(0, 2)) in [0.9, 1.1]", "mean(ratio) >= 0.9", "mean(ratio) in [0.9, 1.1]",
        "mean(ratio) <= 0.99", "mean(k1) <= 0.1", "ppl_ratio <= 1.1", "max(ratio) <= 2",
        "mean(abs(logprob_gap)) <= 0.1", "p99(ratio) <= 1.2",
        // Kernels that agree are at the end.
        "mean(ratio) < 1", "mean(seq_ratio) < 1", "mean(k1) > 0 nat", "mean(logprob_gap) < 0 nat",
        "ppl_ratio > 1", "mean(capped_ratio(0, 2)) < 1"})
    EXPECT_THAT(of("statistical", bound), Not(Contains("TK4034"))) << bound;
  // What is logged may be of another law, and who drew another kernel.
  std::string raw = head();
  raw.replace(raw.find("engine: vllm"), 12, "engine: sglang, logprobs: raw");
  EXPECT_THAT(Checked(raw +
                      "model: { temperature: 0.7 }\nstatistical: { a: mean(ratio) <= 1.1 }\n" +
                      policy)
                  .findings(),
              Not(Contains(StartsWith("TK4034"))));
  EXPECT_THAT(codes("statistical:\n  a: { require: mean(ratio) <= 1.1, drawn: text }\n"),
              Not(Contains("TK4034")));
}

TEST(Estimators, NoKernelsKeepIt) {
  for (const char* bound :
       {"mean(ratio) >= 1.05", "mean(ratio) > 1", "mean(seq_ratio) in [1.01, 2]",
        "mean(capped_ratio(0.5, 2)) >= 1.3", "ppl_ratio <= 0.9", "ppl_ratio < 1",
        "mean(logprob_gap) >= 0.01 nat", "mean(k1) <= -0.1 nat"})
    EXPECT_THAT(of("statistical", bound), Contains("TK6105")) << bound;
  for (const char* bound : {"mean(ratio) >= 1", "mean(capped_ratio(0.5, 2)) >= 1.25",
                            "ppl_ratio <= 1", "max(ratio) >= 1.05"})
    EXPECT_THAT(of("statistical", bound), Not(Contains("TK6105"))) << bound;
}

TEST(Estimators, AMedianIsNotAll) {
  EXPECT_THAT(of("statistical", "p50(abs(logprob_gap)) <= 0.1"), ElementsAre("TK4035"));
  EXPECT_THAT(of("statistical", "median(k3) <= 1.3"), ElementsAre("TK4035"));
  EXPECT_THAT(of("numerical", "quantile(tv, 0.5) <= 0.1"), ElementsAre("TK4035"));
  EXPECT_THAT(of("statistical", "p50(abs(logprob_gap)) <= 0.1 and mean(k3) <= 1e-2"), IsEmpty());
  EXPECT_THAT(of("runtime", "p50(latency) <= 4 s"), IsEmpty());
}

TEST(Estimators, SomeEstimateOnlyWhatTheirKernelDrew) {
  auto drawn = [](const char* bound, const char* drawer) {
    return codes(std::string("statistical:\n  a: { require: '") + bound + "', drawn: " + drawer +
                 " }\n");
  };
  EXPECT_THAT(drawn("mean(k3) <= 1e-2", "text"), ElementsAre("TK4038"));
  EXPECT_THAT(drawn("mean(tv_sampled) <= 1%", "trainer"), ElementsAre("TK4038"));
  EXPECT_THAT(drawn("mean(k3) <= 1e-2", "rollout"), IsEmpty());
  EXPECT_THAT(drawn("p99(abs(logprob_gap)) <= 0.1", "text"), IsEmpty());
}

TEST(Estimators, TemperaturesAreOfTwoPolicies) {
  auto at = [](const std::string& train, const std::string& infer, const std::string& model = "") {
    std::string text = head();
    text.replace(text.find("engine: fsdp2"), 13, "engine: fsdp2" + train);
    text.replace(text.find("engine: vllm"), 12, "engine: sglang" + infer);
    return Checked(text + model + "numerical: { a: max(tv) <= 0.1 }\n" + policy).findings();
  };
  const std::string cold = ", sampling: { temperature: 0.7 }";
  EXPECT_THAT(at("", cold), ElementsAre("TK4037 6:55 `0.7`"));
  EXPECT_THAT(at(cold, cold), IsEmpty());
  EXPECT_THAT(at("", "", "model: { temperature: 0.7 }\n"), IsEmpty());
}

TEST(Corrections, WhatTheyTakeIsTold) {
  auto with = [](const char* estimator, const char* correction, const char* more = "") {
    return codes(std::string("model: { horizon: 4096 tokens }\nassumptions: { estimator: ") +
                 estimator + ", correction: '" + correction + "'" + more +
                 " }\nstatistical: { k3: mean(k3) <= 2e-3 }\n");
  };
  EXPECT_THAT(with("sequence", "mis(0.5, 2)"), ElementsAre("TK4039"));
  EXPECT_THAT(with("sequence", "clip(0.2)"), ElementsAre("TK4039"));
  EXPECT_THAT(with("token", "mis(0.5, 2)"), IsEmpty());
  EXPECT_THAT(with("sequence", "mis(0.5, 2)", ", mean_length: 8 tokens"), IsEmpty());
  EXPECT_THAT(with("sequence", "tis(3)"), IsEmpty()) << "the mean of log W is far below it";
  EXPECT_THAT(with("token", "ppo(0.01, 0.01)"), ElementsAre("TK4039"));
}

TEST(Redundancy, AnImpliedClauseNamesWhatImpliesIt) {
  const std::string given = "model: { vocabulary: 1000, horizon: 64 tokens }\n"
                            "assumptions: { support: full }\nclaims: { c: max(tv) <= 0.2 }\n";
  auto checked = [&](const std::string& clauses) {
    return Checked(head() + given + "numerical:\n" + clauses + policy).findings();
  };
  EXPECT_THAT(checked("  a: max(logit_osc) <= 0.1\n  w: p99(tv) <= 5%\n"),
              ElementsAre("TK6201 13:6 `p99(tv) <= 5%`"));
  EXPECT_THAT(checked("  a: max(logit_osc) <= 0.1\n  w: p99(tv) <= 1%\n"), IsEmpty());
  auto ofTokens = [&](const std::string& row, const std::string& token) {
    return codes(given + "numerical: { a: " + row + " }\nstatistical: { w: " + token + " }\n");
  };
  EXPECT_THAT(ofTokens("max(tv) <= 0.1", "max(prob_gap) <= 0.2"), ElementsAre("TK6201"));
  EXPECT_THAT(ofTokens("max(tv) <= 0.1", "max(prob_gap) <= 0.09"), IsEmpty());
  EXPECT_THAT(ofTokens("max(kl_infer_train) <= 0.01", "p99(binary_kl) <= 0.02"),
              Contains("TK6201"));
  EXPECT_THAT(checked("  a: max(logit_osc) <= 0.1\n  w: p99(tv) <= 5% with confidence 99%\n"),
              IsEmpty())
      << "another way to look";
  EXPECT_THAT(checked("  a: max(tv) <= 5%\n  w: max(tv) <= 10%\n"),
              ElementsAre("TK6201 13:6 `max(tv) <= 10%`"));
}

/// A mean of other weights than the loss has is told where nothing else judges drift.
TEST(Estimators, MeansAreWeighedAsTheLossIs) {
  auto with = [](const std::string& loss, const std::string& bound) {
    return of("statistical", bound, "assumptions: { " + loss + " }\n");
  };
  const std::string byToken = "mean(abs(logprob_gap)) <= 0.01",
                    byResponse = "mean_by_response(abs(logprob_gap)) <= 0.01";
  const std::string ofResponses = "estimator: token, loss: seq_mean_token_mean";
  EXPECT_THAT(with(ofResponses, byToken), Contains("TK4041"));
  EXPECT_THAT(with("estimator: sequence, loss: seq_mean_token_mean", byToken), Contains("TK4041"));
  EXPECT_THAT(with(ofResponses, byResponse), Not(Contains("TK4041")));
  for (const char* loss : {"token_mean", "seq_mean_token_sum"}) {
    const std::string given = std::string("estimator: token, loss: ") + loss;
    EXPECT_THAT(with(given, byResponse), Contains("TK4041")) << loss;
    EXPECT_THAT(with(given, byToken), Not(Contains("TK4041"))) << loss;
  }
  // Of one token all are the same; without a loss nobody knows; what looks at each token is of
  // all.
  EXPECT_THAT(with("estimator: step, loss: seq_mean_token_mean", byToken), Not(Contains("TK4041")));
  EXPECT_THAT(with("estimator: token", byResponse), Not(Contains("TK4041")));
  EXPECT_THAT(with(ofResponses, byToken + " and p99(k3) <= 0.1"), Not(Contains("TK4041")));
  EXPECT_THAT(with(ofResponses, byToken + " and " + byResponse), Not(Contains("TK4041")));
  EXPECT_THAT(with(ofResponses, byToken + " and max(veto(0.1)) <= 0"), Contains("TK4041"));
}

} // namespace
} // namespace tikc::tests
