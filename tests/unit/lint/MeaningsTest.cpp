#include "unit/Checked.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

/// What clauses, rules and slices say of one another.
namespace tikc::tests {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

const std::string observes =
    "observability: { z: 'sample(logits, 1%)', t: 'sample(logprobs, 100%)', q: 'sample(requests, "
    "100%)' }\n";
const std::string ruled = "escalation:\n  rest: { when: violated(any) or undecided(any), do: "
                          "alert(\"us\"), until: satisfied(any) }\n";

/// The codes that are found of two clauses.
std::vector<std::string> ofTwo(const std::string& family, const std::string& one,
                               const std::string& other) {
  return Checked(head() + family + ": { a: '" + one + "', b: '" + other + "' }\n" + observes +
                 ruled)
      .findings();
}

TEST(Meanings, ClausesAreTheSameByWhatTheyMean) {
  auto same = Contains(HasSubstr("TK6202"));
  EXPECT_THAT(ofTwo("runtime", "p99(latency) <= 45 s", "p99(latency) <= 45_000 ms"), same);
  EXPECT_THAT(ofTwo("numerical", "p99(tv) <= 0.1", "quantile(tv, 0.99) <= 10%"), same);
  EXPECT_THAT(ofTwo("numerical", "p99(tv) <= 0.1", "p99(tv) < 0.1"), Not(same));
  EXPECT_THAT(ofTwo("numerical", "p99(tv) <= 0.1", "p99(tv) <= 0.1 over 500 tokens"), Not(same));
}

TEST(Meanings, AClauseFollowsFromAnotherOfItsFigure) {
  auto follows = Contains(HasSubstr("TK6201"));
  EXPECT_THAT(ofTwo("numerical", "max(logit_osc) <= 0.2", "mean(logit_osc) <= 0.3"), follows);
  EXPECT_THAT(ofTwo("numerical", "max(tv) <= 0.1", "p99(tv) <= 0.1"), follows);
  EXPECT_THAT(ofTwo("runtime", "max(latency) <= 45 s", "p99(latency) <= 50 s"), follows);
  // By Markov's inequality.
  EXPECT_THAT(ofTwo("runtime", "mean(latency) <= 1 s", "p90(latency) <= 100 s"), follows);
  EXPECT_THAT(ofTwo("runtime", "mean(latency) <= 1 s", "p90(latency) <= 9 s"), Not(follows));
  EXPECT_THAT(ofTwo("numerical", "mean(logit_osc) <= 0.2", "max(logit_osc) <= 0.3"), Not(follows));
  // What is looked at otherwise is there for that.
  EXPECT_THAT(ofTwo("numerical", "max(logit_osc) <= 0.2", "mean(logit_osc) <= 0.3 over 500 tokens"),
              Not(follows));
}

/// "TK7003 no rule reacts": the codes, and what they say.
std::vector<std::string> ofSlices(const std::string& slices, const std::string& rules) {
  Checked checked(head() + "labels: { task: [math, code] }\nslices: " + slices +
                  "\nnumerical: { drift: p99(logit_osc) <= 0.25 }\nobservability: { r: "
                  "'sample(logits, 1%)' }\n" +
                  rules);
  std::vector<std::string> out;
  for (const diag::Diagnostic& found : checked.diagnostics())
    out.push_back(std::string(diag::info(found.code).id) + " " + found.message);
  return out;
}

TEST(Meanings, ARuleReactsOnItsSlicesAlone) {
  const std::string slices =
      "{ math: { when: task == \"math\" }, code: { when: task == \"code\" } }";
  const std::string rule = "escalation:\n  a: { when: violated(drift), do: alert(\"us\"), until: "
                           "satisfied(drift) for 6 windows";
  EXPECT_THAT(ofSlices(slices, rule + ", slices: [math] }\n"),
              Contains(HasSubstr("no rule reacts when `drift` is violated on `code` and `other`")));
  EXPECT_THAT(ofSlices(slices, rule + ", slices: [math, code, other] }\n"),
              Not(Contains(HasSubstr("TK7003"))));
  EXPECT_THAT(ofSlices(slices, rule + " }\n"), Not(Contains(HasSubstr("TK7003"))));
}

TEST(Meanings, AnOrderThatDecidesIsShownByARequest) {
  auto overlaps = Contains(HasSubstr("TK6005"));
  const std::string math = "math: { when: task == \"math\" }, ";
  EXPECT_THAT(ofSlices("{ " + math + "long: { when: prompt_tokens >= 8192 } }", ""), overlaps);
  // What is counted, what is a part, and what is apart.
  EXPECT_THAT(ofSlices("{ " + math + "long: { when: prompt_tokens >= 8192, weight: 5% } }", ""),
              Not(overlaps));
  EXPECT_THAT(
      ofSlices("{ both: { when: task == \"math\" and prompt_tokens >= 8192 }, long: { when: "
               "prompt_tokens >= 8192 } }",
               ""),
      Not(overlaps));
  EXPECT_THAT(ofSlices("{ " + math + "code: { when: task == \"code\" } }", ""), Not(overlaps));
}

} // namespace
} // namespace tikc::tests
