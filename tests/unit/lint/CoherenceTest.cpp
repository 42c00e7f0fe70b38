#include "unit/Checked.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tikc::tests {
namespace {

using testing::Contains;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

const std::string heard = "violated(any) or undecided(any)";
constexpr const char* claimed = "statistical: { s: 'mean(tv_sampled) <= 3%' }\n"
                                "claims: { c: 'tv <= 3%' }\n";
constexpr const char* promoted = "promotion: { canary: { traffic: 5% } }\n";

std::vector<std::string> findings(const std::string& observed, const std::string& more = "") {
  std::string when = heard;
  for (std::string clause : {"c", "c2"})
    if (observed.find(", " + clause + ":") != std::string::npos)
      when += " or violated(" + clause + ")";
  return Checked(head() + "observability: { " + observed + " }\n" + more +
                 "escalation: { x: { when: " + when + ", do: hold, until: satisfied(any) } }\n")
      .findings();
}

const std::string fed = "t: 'sample(logprobs, 100%)'";

TEST(Coherence, IsAClauseOfLogProbs) {
  EXPECT_THAT(findings(fed + ", c: 'coherent(logprobs, 99%)'"), IsEmpty());
  EXPECT_THAT(findings(fed + ", c: 'coherent(logits, 99%)'"), Contains(StartsWith("TK5010")));
  EXPECT_THAT(findings(fed + ", c: 'coherent(logprobs)'"), Contains(StartsWith("TK4008")));
}

TEST(Coherence, IsOfEachSliceAndOfWhatTheServerDraws) {
  for (const char* key : {"slices: [other]", "over: 10 min", "confidence: 90%", "drawn: text"})
    EXPECT_THAT(findings(fed + ", c: { require: 'coherent(logprobs, 99%)', " + key + " }"),
                Contains(StartsWith("TK2001")))
        << key;
  EXPECT_THAT(findings(fed + ", c: { require: 'coherent(logprobs, 99%)', because: 'x' }"),
              IsEmpty());
}

TEST(Coherence, HasAConfidence) {
  for (const char* none : {"0%", "100%", "110%", "99"})
    EXPECT_THAT(findings(fed + ", c: 'coherent(logprobs, " + none + ")'"),
                Contains(StartsWith("TK4011")))
        << none;
  EXPECT_THAT(findings(fed + ", c: 'coherent(logprobs, 40%)'"), Contains(StartsWith("TK4032")));
}

TEST(Coherence, IsFedByWhatSamplesLogProbs) {
  EXPECT_THAT(findings("r: 'sample(logits, 1%)', c: 'coherent(logprobs, 99%)'"),
              Contains(StartsWith("TK8004")));
}

TEST(Coherence, IsHeardByName) {
  const std::string watched = fed + ", c: 'coherent(logprobs, 99%)'";
  auto of = [&](const std::string& rule) {
    return Checked(head() + "slices: { math: { when: prompt_tokens > 5, weight: 20% } }\n" +
                   "observability: { " + watched + " }\nescalation: { x: { " + rule + " } }\n")
        .findings();
  };
  const std::string any = "when: " + heard, alerts = ", do: alert(\"us\")";
  EXPECT_THAT(of(any + alerts), Contains(StartsWith("TK7003")));
  EXPECT_THAT(of(any + " or undecided(c)" + alerts), Contains(StartsWith("TK7003")));
  EXPECT_THAT(of(any + " or violated(c)" + alerts + ", slices: [math]"),
              Contains(StartsWith("TK7003")));
  EXPECT_THAT(of(any + " or violated(c)" + alerts), Not(Contains(StartsWith("TK7003"))));
}

TEST(Coherence, IsProposedWhereAStagePassesOnSampledTokens) {
  const std::string promotes = std::string(claimed) + promoted;
  EXPECT_THAT(findings(fed, promotes), Contains(StartsWith("TK8010")));
  EXPECT_THAT(findings(fed, claimed), Not(Contains(StartsWith("TK8010"))));
  EXPECT_THAT(findings(fed + ", c2: 'coherent(logprobs, 99%)'", promotes),
              Not(Contains(StartsWith("TK8010"))));
  const std::string ofRows =
      "numerical: { s: 'max(logit_osc) <= 0.1' }\nclaims: { c: 'tv <= 3%' }\n";
  EXPECT_THAT(findings(fed + ", r: 'sample(logits, 1%)'", ofRows + promoted),
              Not(Contains(StartsWith("TK8010"))));
}

} // namespace
} // namespace tikc::tests
