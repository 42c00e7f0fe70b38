#include "unit/Checked.h"

#include "model/Metrics.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// What is right in form and means nothing; and that one cause brings one finding.
namespace tikc::tests {
namespace {

using model::Better;
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> codesOf(const std::string& text) {
  std::vector<std::string> out;
  for (const std::string& found : Checked(text).findings())
    out.push_back(found.substr(0, 6));
  return out;
}

constexpr std::string_view inputs =
    "observability: { a1: 'sample(logits, 1%)', a2: 'sample(logprobs, 100%)', a3: "
    "'sample(requests, "
    "100%)', a4: 'sample(routes, 1%)', a5: 'replay(batch, 1%)', a6: 'replay(request, 1%)' }\n";
constexpr std::string_view reactions =
    "escalation: { r: { when: violated(any) or undecided(any), do: rollback } }\n";

std::vector<std::string> ofClause(std::string_view family, const std::string& clause) {
  return codesOf(head() + std::string(inputs) +
                 fmt::format("{}: {{ c: '{}' }}\n{}", family, clause, reactions));
}

std::string_view familyOf(const model::MetricInfo& metric) {
  return metric.level == model::Level::Row       ? "numerical"
         : metric.level == model::Level::Request ? "runtime"
                                                 : "statistical";
}

std::string written(const model::MetricInfo& metric) {
  std::string symbol(metric.symbol);
  return metric.parameters.empty()                               ? symbol
         : metric.parameters.find('|') != std::string_view::npos ? symbol + "(0.5, 2)"
                                                                 : symbol + "(0.5)";
}

bool has(const std::vector<std::string>& codes, std::string_view code) {
  return std::find(codes.begin(), codes.end(), code) != codes.end();
}

TEST(Nonsense, EveryMetricIsBoundedOnItsBadSide) {
  for (const model::MetricInfo& metric : model::metrics()) {
    std::string unit = metric.dimension == model::Measured::Time        ? " s"
                       : metric.dimension == model::Measured::TokenRate ? " tokens per s"
                                                                        : "";
    for (std::string_view op : {"<=", "<", ">=", ">"}) {
      bool isUpper = op[0] == '<';
      // Of kernels that agree, a ratio is 1 and its logarithm 0.
      bool isBad = (metric.better == Better::Lower && !isUpper) ||
                   (metric.better == Better::Higher && isUpper) ||
                   (metric.better == Better::One && isUpper) ||
                   (metric.better == Better::Zero && !isUpper);
      std::string subject = metric.level == model::Level::Window
                                ? written(metric)
                                : fmt::format("mean({})", written(metric));
      auto found = ofClause(familyOf(metric), fmt::format("{} {} 0.25{}", subject, op, unit));
      bool isImpossible = has(found, "TK4003"); // below all that a weight or a factor can be
      EXPECT_TRUE(has(found, "TK4025") == isBad || isImpossible) << subject << op;
    }
  }
}

TEST(Nonsense, TheBestAloneIsNoJudge) {
  EXPECT_TRUE(has(ofClause("statistical", "min(k3) <= 3"), "TK4026"));
  EXPECT_TRUE(has(ofClause("runtime", "max(throughput) >= 3 tokens per s"), "TK4026"));
  EXPECT_FALSE(has(ofClause("runtime", "min(throughput) >= 3 tokens per s"), "TK4026"));
}

TEST(Nonsense, ARateCountsBadEventsFromAboveAndGoodOnesFromBelow) {
  EXPECT_TRUE(has(ofClause("statistical", "rate(k3 > 0.1) >= 1%"), "TK4025"));
  EXPECT_TRUE(has(ofClause("statistical", "rate(k3 < 0.1) <= 1%"), "TK4025"));
  EXPECT_FALSE(has(ofClause("statistical", "rate(k3 > 0.1) <= 1%"), "TK4025"));
  EXPECT_FALSE(has(ofClause("statistical", "rate(k3 < 0.1) >= 99%"), "TK4025"));
  EXPECT_FALSE(has(ofClause("statistical", "rate(ratio > 2) <= 1%"), "TK4025"));
}

/// Every metric with every aggregate: no bound is told apart from what it asks that kernels which
/// agree would meet, and each that they would break is told.
TEST(Nonsense, KernelsThatAgreeBreakNoBoundInSilence) {
  for (const model::MetricInfo& metric : model::metrics()) {
    bool isOfServing = metric.input == model::Input::Requests;
    if (isOfServing || metric.symbol == "top1_margin" || metric.level == model::Level::Window)
      continue;
    bool isRatio = metric.better == Better::One, isOne = isRatio || metric.range.low == "1";
    std::string symbol = written(metric);
    struct Case {
      std::string clause;
      bool isBroken;
    };
    std::vector<Case> cases = {{"std({}) in [0.1, 0.3]", true}, {"std({}) <= 0.3", false}};
    for (std::string aggregate :
         {"mean({})", "max({})", "min({})", "p50({})", "p99({})", "rms({})"}) {
      cases.push_back({aggregate + " in [0.5, 0.7]", true});
      cases.push_back({aggregate + " in [1, 1.5]", !isOne});
      cases.push_back({aggregate + " in [0, 0.5]", isOne});
      cases.push_back({aggregate + " in [0, 1]", false});
    }
    if (!model::countsEvents(metric.id)) {
      cases.push_back({"rate({} > 0.5) >= 1%", !isRatio});
      cases.push_back({"rate({} > 0.5) <= 1%", isOne});
      cases.push_back({"rate({} > 1.5) >= 1%", true});
      cases.push_back({"rate({} > 1.5) in [0.5%, 1%]", true});
      cases.push_back({"rate({} > 1.5) <= 1%", false});
    }
    for (const Case& each : cases) {
      auto found = ofClause(familyOf(metric), fmt::format(fmt::runtime(each.clause), symbol));
      bool isImpossible = has(found, "TK4002") || has(found, "TK4003");
      EXPECT_TRUE(has(found, "TK4025") == each.isBroken || isImpossible)
          << symbol << ": " << each.clause;
    }
  }
  for (auto [clause, isTold] : {std::pair{"mean(clipped(1.5, 2)) <= 1%", true},
                                {"mean(veto(2)) <= 1%", true},
                                {"mean(capped_ratio(0.5, 0.9)) <= 0.9", false},
                                {"effective_share(ratio) <= 50%", true},
                                {"ess_sample <= 90%", true}})
    EXPECT_EQ(has(ofClause("statistical", clause), "TK4025"), isTold) << clause;
  EXPECT_FALSE(has(ofClause("runtime", "p99(latency) in [1 ms, 45 s]"), "TK4025"));
}

TEST(Nonsense, ACutSetsTheLawsApart) {
  std::string text = head() + std::string(inputs) +
                     "statistical: { c: 'mean(ratio) in [0.8, 0.95]' }\n" + std::string(reactions);
  EXPECT_TRUE(has(codesOf(text), "TK4025"));
  text.insert(text.find("engine: vllm") + 12, ", logprobs: processed, sampling: { top_p: 0.9 }");
  EXPECT_FALSE(has(codesOf(text), "TK4025"));
}

TEST(Nonsense, ABoundIsOnTheTailThatItLimits) {
  for (const model::MetricInfo& metric : model::metrics()) {
    if (metric.level == model::Level::Window)
      continue;
    std::string unit = metric.dimension == model::Measured::Time        ? " s"
                       : metric.dimension == model::Measured::TokenRate ? " tokens per s"
                                                                        : "";
    for (std::string_view level : {"0.001", "0.4", "0.5", "0.9", "0.999"})
      for (std::string_view op : {"<=", ">="}) {
        // A comparator that is turned round is a finding of its own.
        bool isTurned = metric.better == (op == "<=" ? Better::Higher : Better::Lower);
        bool isFree = !isTurned && (op == "<=" ? level < "0.5" : level > "0.5");
        auto found = ofClause(familyOf(metric), fmt::format("quantile({}, {}) {} 0.3{}",
                                                            written(metric), level, op, unit));
        EXPECT_EQ(has(found, "TK4026"), isFree) << metric.symbol << level << op;
      }
  }
  EXPECT_FALSE(
      has(ofClause("runtime", "p99(throughput) in [5 tokens per s, 900 tokens per s]"), "TK4026"));
}

TEST(Nonsense, AConfidenceIsMoreThanACoins) {
  for (auto [level, isTold] :
       {std::pair{"1%", true}, {"49%", true}, {"50%", false}, {"99%", false}})
    EXPECT_EQ(has(ofClause("statistical", fmt::format("p99(k3) <= 1 with confidence {}", level)),
                  "TK4032"),
              isTold);
}

TEST(Nonsense, LabelsSayWhatIsLeft) {
  auto of = [](const std::string& slices) {
    return codesOf(head() + std::string(inputs) +
                   "labels: { task: [math, code], lang: [en, de] }\n" + "slices:\n" + slices);
  };
  std::string code = "  b: { when: 'task == \"code\"' }\n";
  EXPECT_THAT(of("  a: { when: 'not task == \"math\"' }\n" + code), ElementsAre("TK6002"));
  EXPECT_THAT(of("  a: { when: 'task != \"math\"' }\n" + code), ElementsAre("TK6002"));
  EXPECT_THAT(of("  a: { when: 'task in {\"code\", \"math\"}' }\n" + code), ElementsAre("TK6002"));
  EXPECT_THAT(of("  a: { when: 'task == \"code\" and lang == \"en\"' }\n"
                 "  c: { when: 'lang != \"en\" or task == \"math\"' }\n" +
                 code),
              ElementsAre("TK6002"))
      << "two of them together";
  EXPECT_THAT(of("  a: { when: 'task == \"code\" and lang == \"en\"' }\n"
                 "  c: { when: 'task == \"code\" and lang == \"de\"' }\n" +
                 code),
              IsEmpty())
      << "a request may be of no language";
  EXPECT_THAT(of("  a: { when: 'task == \"code\" and prompt_tokens >= 10' }\n" + code), IsEmpty());
  EXPECT_THAT(of("  a: { when: 'task == \"math\"' }\n" + code), IsEmpty());
  EXPECT_THAT(of("  a: { when: 'task == \"code\" or prompt_tokens >= 10' }\n"
                 "  b: { when: 'task == \"code\" and prompt_tokens < 5' }\n"),
              ElementsAre("TK6002"));
}

TEST(Nonsense, OnlyEventsAreCountedAndSummedUp) {
  for (const model::MetricInfo& metric : model::metrics()) {
    if (metric.level == model::Level::Window)
      continue;
    bool isEvent = model::countsEvents(metric.id);
    EXPECT_EQ(
        has(ofClause(familyOf(metric), fmt::format("rate({}) <= 1%", written(metric))), "TK4028"),
        !isEvent)
        << metric.symbol;
    auto isTold = [&](std::string_view bound) {
      return has(ofClause(familyOf(metric), fmt::format("count({}) {}", written(metric), bound)),
                 "TK4029");
    };
    EXPECT_TRUE(isTold("<= 3")) << metric.symbol;
    EXPECT_EQ(isTold("<= 3 over 1_000 requests"), !isEvent) << metric.symbol;
    EXPECT_EQ(isTold("== 0"), !isEvent) << metric.symbol;
  }
}

TEST(Nonsense, ASignedFigureIsKeptOnBothSides) {
  EXPECT_TRUE(has(ofClause("statistical", "p99(logprob_gap) <= 0.1"), "TK4027"));
  EXPECT_FALSE(has(ofClause("statistical", "p99(abs(logprob_gap)) <= 0.1"), "TK4027"));
  EXPECT_FALSE(has(ofClause("statistical", "p99(logprob_gap) <= 0.1 and "
                                           "quantile(logprob_gap, 0.01) >= -0.1"),
                   "TK4027"));
  // k1 is the same figure with its sign turned.
  EXPECT_TRUE(has(ofClause("statistical", "p99(k1) <= 0.1"), "TK4027"));
  EXPECT_TRUE(has(ofClause("statistical", "min(k1) >= -0.1"), "TK4027"));
  EXPECT_TRUE(has(ofClause("statistical", "max(k1) <= 0.1 and min(logprob_gap) >= -0.1"), "TK4027"))
      << "both are about the same side";
  EXPECT_FALSE(
      has(ofClause("statistical", "max(k1) <= 0.1 and max(logprob_gap) <= 0.1"), "TK4027"));
  EXPECT_FALSE(
      has(ofClause("statistical", "p99(k1) <= 0.1 and max(abs(logprob_gap)) <= 1"), "TK4027"));
  for (const char* grows : {"mean(k2) <= 0.01", "mean(k3) <= 0.01", "max(mult_prob_error) <= 2"})
    EXPECT_FALSE(
        has(ofClause("statistical", std::string("p99(logprob_gap) <= 0.1 and ") + grows), "TK4027"))
        << grows;
  EXPECT_TRUE(
      has(ofClause("statistical", "p99(logprob_gap) <= 0.1 and mean(k3) >= 0.01"), "TK4027"));
  EXPECT_FALSE(has(ofClause("statistical", "p99(abs(k1)) <= 0.1"), "TK4027"));
  EXPECT_TRUE(has(ofClause("statistical", "rate(logprob_gap > 0.1) <= 1%"), "TK4027"));
  EXPECT_TRUE(has(ofClause("statistical", "rate(logprob_gap < -0.1) <= 1%"), "TK4027"));
  EXPECT_FALSE(has(ofClause("statistical", "rate(abs(logprob_gap) > 0.1) <= 1%"), "TK4027"));
  EXPECT_FALSE(has(ofClause("statistical", "rate(logprob_gap > 0.1) <= 1% and "
                                           "rate(logprob_gap < -0.1) <= 1%"),
                   "TK4027"));
  EXPECT_FALSE(
      has(ofClause("statistical", "rate(logprob_gap > 0.1) <= 1% and max(k1) <= 1"), "TK4027"));
  // Its mean is a divergence.
  EXPECT_FALSE(has(ofClause("statistical", "mean(k1) <= 0.1"), "TK4027"));
  EXPECT_FALSE(has(ofClause("statistical", "mean(logprob_gap) >= -0.1"), "TK4027"));
  EXPECT_THAT(ofClause("statistical", "mean(logprob_gap) <= 0.1"), ElementsAre("TK4034"));
}

std::vector<std::string> ofTwoSlices(const std::string& first, const std::string& second) {
  return codesOf(head() + std::string(inputs) + "slices: { a: { when: '" + first +
                 "' }, b: { when: '" + second + "' } }\n");
}

TEST(Nonsense, TheFirstSliceTakesItAll) {
  for (auto [first, second] :
       {std::pair{"prompt_tokens >= 8192", "prompt_tokens >= 16384"},
        {"prompt_tokens >= 8192", "prompt_tokens > 8192"},
        {"prompt_tokens < 100", "prompt_tokens <= 50"},
        {"prompt_tokens >= 8192", "prompt_tokens >= 9000 and temperature > 1"}})
    EXPECT_THAT(ofTwoSlices(first, second), ElementsAre("TK6002")) << second;
  for (auto [first, second] : {std::pair{"prompt_tokens >= 16384", "prompt_tokens >= 8192"},
                               {"prompt_tokens > 8192", "prompt_tokens >= 8192"}})
    EXPECT_THAT(ofTwoSlices(first, second), IsEmpty()) << second;
  for (auto [first, second] :
       {std::pair{"prompt_tokens >= 8192", "prompt_tokens <= 16384"},
        {"prompt_tokens >= 8192 and temperature > 1", "prompt_tokens >= 16384"},
        {"prompt_tokens >= 8192", "prompt_tokens >= 16384 or temperature > 1"}})
    EXPECT_THAT(ofTwoSlices(first, second), ElementsAre("TK6005")) << second;
}

/// A whole contract, to be spoilt.
std::string whole() {
  return head() +
         "assumptions: { support: full }\n"
         "labels: { task: [math, code] }\n"
         "slices:\n"
         "  m: { when: task == \"math\", weight: 50% }\n"
         "numerical:\n"
         "  drift: max(logit_osc) <= 1\n"
         "statistical:\n"
         "  gap: p99(abs(logprob_gap)) <= 0.1 on m\n" +
         std::string(inputs) +
         "claims:\n"
         "  token: tv <= 50%\n"
         "escalation:\n"
         "  a: { when: violated(drift), do: 'route(rollout2, probe=1%)', until: satisfied(drift) "
         "for 8 "
         "windows }\n"
         "  b: { when: undecided(gap) for 6 windows, do: alert(\"us\"), slices: [m] }\n"
         "  c: { when: violated(any), do: alert(\"us\") }\n";
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  text.replace(text.find(from), from.size(), to);
  return text;
}

TEST(OneCause, AMisspeltSectionIsOneFinding) {
  std::string text = replaced(whole(), "  rollout:", "  rollout2: { engine: vllm }\n  rollout:");
  ASSERT_THAT(codesOf(text), IsEmpty());
  for (std::string section :
       {"kernels", "pair", "labels", "slices", "numerical", "statistical", "claims", "escalation"})
    EXPECT_THAT(codesOf(replaced(text, "\n" + section + ":", "\nqqq" + section + ":")),
                ElementsAre("TK2001"))
        << section;
}

TEST(OneCause, WhatStandsTooFarLeftOrRight) {
  std::string text = head() + std::string(inputs) + std::string(reactions);
  ASSERT_THAT(codesOf(text), IsEmpty());
  EXPECT_THAT(codesOf(text + "numerical:\na: max(tv) <= 1e-3\nb: mean(tv) <= 1e-3\n"),
              ElementsAre("TK1017"));
  EXPECT_THAT(codesOf(replaced(text, "\npair:", "\n  pair:")), ElementsAre("TK1017"));
}

TEST(OneCause, WhatStandsAtTheMarginIsOneFinding) {
  // `drift` is near the key `draft`, and holds what a clause holds.
  EXPECT_THAT(codesOf(head() + std::string(inputs) +
                      "numerical:\ndrift:\n  require: max(tv) <= 0.1\n" + std::string(reactions)),
              ElementsAre("TK1017"));
  EXPECT_THAT(codesOf(head() + std::string(inputs) +
                      "numerical: { a: max(tv) <= 0.1, b: mean(tv) <= 0.1 }\nescalation:\n"
                      "  r: { when: violated(a) or undecided(any), do: rollback }\n"
                      "rest: { when: violated(any), do: rollback }\n"),
              ElementsAre("TK2001"));
}

TEST(OneCause, WithoutKernelsNoneIsUnknown) {
  std::string text = head();
  text.erase(text.find("kernels:"), text.find("pair:") - text.find("kernels:"));
  EXPECT_THAT(codesOf(text), ElementsAre("TK2002"));
}

TEST(OneCause, AWordForABooleanIsOneFinding) {
  EXPECT_THAT(codesOf(head() + "draft: yes\n"), testing::Contains("TK2003"));
  EXPECT_THAT(codesOf(head() + "draft: yes\n"), testing::Not(testing::Contains("TK1013")));
  EXPECT_THAT(codesOf(head() + "summary: yes\n"), testing::Contains("TK1013"));
}

TEST(OneCause, AWordThatIsWrongAnywayIsNoTrap) {
  auto codes = codesOf(head() + "assumptions: { estimator: on }\n");
  EXPECT_THAT(codes, testing::Contains("TK2004"));
  EXPECT_THAT(codes, testing::Not(testing::Contains("TK1013")));
}

TEST(OneCause, AComparatorThatIsTurnedRound) {
  auto found = ofClause("runtime", "p99(latency) >= 1 s");
  EXPECT_TRUE(has(found, "TK4025"));
  EXPECT_FALSE(has(found, "TK4026"));
}

TEST(OneCause, AClaimThatNoValueCanBreak) {
  auto codes = codesOf(head() + std::string(inputs) + std::string(reactions) +
                       "numerical: { a: max(tv) <= 0.1 }\nclaims: { c: tv <= 1 }\n");
  EXPECT_THAT(codes, testing::Contains("TK4002"));
  EXPECT_THAT(codes, testing::Not(testing::Contains("TK6203")));
}

TEST(OneCause, ASliceThatIsAConditionAlone) {
  std::string text = head() + std::string(inputs) + std::string(reactions) +
                     "labels: { task: [math] }\nslices:\n  math: task == \"math\"\n";
  EXPECT_THAT(codesOf(text + "statistical: { a: mean(k3) <= 0.1 on math }\n"), IsEmpty());
  // A clause among them lacks its own section, and goes to no other.
  EXPECT_THAT(codesOf(text + "  drift: max(logit_osc) <= 1\nstatistical: { a: mean(k3) <= 0.1 }\n"),
              ElementsAre("TK1017"));
  EXPECT_THAT(codesOf(text + "  drift: max(logit_osc) <= 1\nnumerical: { a: max(tv) <= 0.1 }\n"),
              testing::Not(testing::Contains("TK1017")));
  EXPECT_THAT(codesOf(text + "  gap: mean(k3) <= 0.1\n"), ElementsAre("TK1017"));
}

TEST(OneCause, AFaultyParentSaysNothingOfWhatItLacks) {
  std::string base = "tikc: v1\ncontract: base\nversion: 1.0.0\nabstract: true\n"
                     "numerical: { usual: mean(tv) <= 0.1 }\n";
  std::string child = "---\ntikc: v1\ncontract: child\nversion: 1.0.0\nabstract: true\nextends: "
                      "'#base'\nnumerical: { other: null }\n";
  EXPECT_THAT(codesOf(base + child), testing::Contains("TK2009"));
  base.replace(base.find("abstract: true"), 14, "abstract:true");
  EXPECT_THAT(codesOf(base + child), testing::Not(testing::Contains("TK2009")));
}

TEST(OneCause, ASecondContractWithoutItsMark) {
  EXPECT_THAT(codesOf(head() + head()), ElementsAre("TK1002"));
  EXPECT_THAT(codesOf("tikc: v1\n" + head()), testing::Contains("TK1002"));
  EXPECT_THAT(codesOf("tikc: v1\n" + head()), testing::Not(testing::Contains("TK2002")))
      << "a key that is given twice begins no contract";
}

TEST(OneCause, AListWithoutBrackets) {
  EXPECT_THAT(codesOf(head() + std::string(inputs) +
                      "escalation: { r: { when: undecided(any), do: rollback, rollback } }\n"),
              ElementsAre("TK2003"));
}

TEST(FreeKeys, AreKeptAnywhereAndNeverRead) {
  std::string text =
      head() +
      "x-top: { any: [thing, { at: all }] }\n"
      "assumptions: { support: full }\n"
      "labels: { task: [math, code], x-l: 1 }\n"
      "slices: { m: { when: 'task == \"math\"', x-why: 2 }, x-s: 3 }\n"
      "numerical: { a: { require: max(tv) <= 0.1, x-ticket: ML-7 }, x-b: [] }\n" +
      std::string(inputs) +
      "escalation: { r: { when: violated(any) or undecided(any), do: rollback, x-q: 1 }, "
      "x-r: {} }\n"
      "claims: { c: 'tv <= 0.2', x-c: off }\n";
  Checked checked(text);
  EXPECT_THAT(checked.findings(), testing::Each(testing::StartsWith("TK1013"))) << "of `off` alone";
  ASSERT_EQ(checked.contracts().size(), 1u);
  const model::Contract& contract = checked.contracts().front();
  EXPECT_EQ(contract.slices.size(), 1u);
  EXPECT_EQ(contract.labels.size(), 1u);
  EXPECT_EQ(contract.claims.size(), 1u);
  EXPECT_EQ(contract.rules.size(), 1u);
}

TEST(OneCause, NobodyReacts) {
  std::string text =
      head() + std::string(inputs) + "numerical: { a: max(tv) <= 0.1, b: mean(tv) <= 0.05 }\n";
  EXPECT_THAT(codesOf(text), ElementsAre("TK7005"));
  EXPECT_THAT(codesOf(text + "promotion: { offline: { tokens: 1000 tokens } }\n"), IsEmpty());
}

TEST(Nonsense, WhichLogsAreMeantIsSaidWhereItMatters) {
  auto of = [](std::string_view kernel, std::string_view rest) {
    std::string text = head() + std::string(rest) + observed();
    auto at = text.find("engine: vllm");
    return has(codesOf(text.replace(at, 12, kernel)), "TK4031");
  };
  std::string_view tokens = "statistical: { a: p99(abs(logprob_gap)) <= 0.1 }\n";
  std::string_view rows = "numerical: { a: max(tv) <= 0.1 }\n";
  std::string_view weighted = "numerical: { a: max(tv) <= 0.1 }\nassumptions: { correction: is }\n";
  EXPECT_TRUE(of("engine: vllm, sampling: { top_p: 0.9 }", tokens));
  EXPECT_TRUE(of("engine: vLLM, sampling: { temperature: 0.7 }", tokens));
  EXPECT_TRUE(of("engine: vllm, sampling: { top_k: 50 }", weighted));
  EXPECT_FALSE(of("engine: vllm, sampling: { top_p: 0.9 }", rows)) << "rows are of logits";
  EXPECT_FALSE(of("engine: vllm, sampling: { temperature: 1, top_p: 1 }", tokens))
      << "no difference";
  EXPECT_FALSE(of("engine: vllm, logprobs: raw, sampling: { top_p: 0.9 }", tokens));
  EXPECT_FALSE(of("engine: sglang, sampling: { top_p: 0.9 }", tokens));
}

/// The text in parts, each a key of the contract with what is below it.
std::vector<std::string> partsOf(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t next = text.find('\n', at) + 1;
    if (text[at] != ' ' || out.empty())
      out.emplace_back();
    out.back() += text.substr(at, next - at);
    at = next;
  }
  return out;
}

TEST(OneCause, WhateverIsMissingEachFindingHasAPlace) {
  std::string text = head() + std::string(inputs) +
                     "numerical: { a: max(tv) <= 0.1, b: mean(tv) <= 0.1 }\n"
                     "slices: { s: { when: prompt_tokens >= 10 } }\n"
                     "promotion: { shadow: { traffic: 1%, tokens: 100 tokens } }\n"
                     "claims: { c: tv <= 0.2 }\n" +
                     std::string(reactions);
  std::vector<std::string> parts = partsOf(text);
  ASSERT_GT(parts.size(), 8u);
  // Each two of them are missing, and then each two of them are all that there is.
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      std::string rest, both = i == j ? parts[i] : parts[j] + parts[i];
      for (std::size_t k = 0; k < parts.size(); ++k)
        rest += k == i || k == j ? "" : parts[k];
      for (const std::string& some : {rest, both})
        EXPECT_NO_THROW(codesOf(some)) << some;
    }
}

} // namespace
} // namespace tikc::tests
