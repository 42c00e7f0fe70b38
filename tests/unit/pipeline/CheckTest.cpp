#include "unit/Checked.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tikc::tests {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> findings(const std::string& tail) {
  return Checked(head() + tail).findings();
}

TEST(Check, AcceptsTheSmallestContract) { EXPECT_THAT(findings(""), IsEmpty()); }

TEST(Check, AFaultNeverHidesAnother) {
  EXPECT_THAT(findings("modle: { horizon: 4096 tokens }\n"
                       "numerical:\n"
                       "  drift: max(logit_ocs) <= 1\n"
                       "  gap: p99(tv) <= 45 s\n" +
                       observed()),
              ElementsAre("TK2001 8:1 `modle`", "TK5001 10:14 `logit_ocs`", "TK4001 11:19 `45 s`"));
}

TEST(Check, AMissingLineOfASectionIsOneFault) {
  std::string clauses = "numerical:\n  a: max(tv) <= 0.1\n";
  std::string directives = "  rows: sample(logits, 1%)\n  keep: retain(violations, 30 d)\n";
  EXPECT_THAT(findings(clauses + directives), ElementsAre("TK1017 10:3 `rows`"));
  EXPECT_THAT(findings(clauses + "observability:\n" + directives +
                       "  b: tv <= 0.2\n  c: { require: max(tv) <= 0.2 }\n"),
              ElementsAre("TK1017 13:3 `b`"));
  EXPECT_THAT(findings("assumptions:\n  support: full\n  long: { when: prompt_tokens >= 10 }\n"
                       "  short: { when: prompt_tokens < 10 }\n"),
              ElementsAre("TK1017 10:3 `long`"));
  EXPECT_THAT(
      findings("assumptions:\n  support: full\n  a: max(tv) <= 0.1\n  b: mean(tv) <= 0.01\n" +
               observed()),
      ElementsAre("TK1017 10:3 `a`"));
  EXPECT_THAT(findings(clauses + "observability:\n" + directives +
                       "claims:\n  b: tv <= 0.2\n"
                       "  r: { when: violated(a), do: hold, because: so it is }\n"
                       "  s: { when: undecided(a), do: hold }\n"),
              ElementsAre("TK1017 15:3 `r`"));
}

TEST(Check, AClauseWithAKeyOfItsOwnStandsWhereItIs) {
  std::string clause = "numerical:\n  a: { require: max(tv) <= 0.1, x-owner: me }\n";
  EXPECT_THAT(findings(clause + observed()), IsEmpty());
  std::string misspelt = "numerical:\n  a: { require: max(tv) <= 0.1, becuase: so }\n";
  EXPECT_THAT(findings(misspelt + observed()), ElementsAre("TK2001 9:33 `becuase`"));
}

TEST(Check, ASectionThatIsIndentedIsNotTakenForMissing) {
  EXPECT_THAT(findings("assumptions:\n  support: full\n  slices:\n"
                       "  long: { when: prompt_tokens >= 10 }\n"),
              ElementsAre("TK1017 10:3 `slices`"));
}

TEST(Check, TheLastEntryOfASectionIsOfferedItsPlace) {
  Checked checked(head() + "numerical:\n  a: max(tv) <= 0.1\nb: max(tv) <= 0.2\n" + observed());
  EXPECT_THAT(checked.findings(), ElementsAre("TK2001 10:1 `b`"));
  ASSERT_EQ(checked.diagnostics()[0].fixes.size(), 1u);
  EXPECT_EQ(checked.diagnostics()[0].fixes[0].title, "indent it below `numerical`");
  EXPECT_FALSE(checked.diagnostics()[0].fixes[0].safe);
}

TEST(Check, OfWhatCannotBeReadSomethingIsTold) {
  EXPECT_THAT(findings("foo: { a: 1 }\n  bar: 2\n"), ElementsAre("TK1017 9:3 `bar`"));
  EXPECT_THAT(findings("numerical:\n  a: max(tv) <= 0.1\nb: max(tv) <= 0.2\n"
                       "  c: max(tv) <= 0.3\n" +
                       observed()),
              ElementsAre("TK1017 10:1 `b`"));
  EXPECT_THAT(findings("numerical:\n  a { require: max(tv) <= 0.1, because: so }\n" + observed()),
              ElementsAre("TK1001 9:3 `a`"));
  EXPECT_THAT(findings("numerical:\n  a { require: max(tv) <= 0.1 }\n" + observed()),
              ElementsAre("TK1001 9:3 `a`"));
}

TEST(Check, OneUnknownNameIsOneFault) {
  std::string rules = "escalation:\n  r: { when: violated(nobody), do: hold }\n"
                      "  s: { when: undecided(nobody), do: hold }\n";
  Checked checked(head() + rules);
  EXPECT_THAT(checked.findings(), ElementsAre("TK5008 9:23 `nobody`"));
  EXPECT_EQ(checked.diagnostics()[0].related.size(), 1u);
  std::string chain = head();
  chain = chain.substr(0, chain.find("pair:"));
  std::string links = "numerical:\n  a: { require: max(tv) <= 0.1, link: [trainer, rollout] }\n"
                      "  b: { require: max(tv) <= 0.2, link: [trainer, rollout] }\n";
  EXPECT_THAT(Checked(chain + "chian: [trainer, rollout]\n" + links + observed()).findings(),
              ElementsAre("TK2001 7:1 `chian`"));
  EXPECT_THAT(Checked(chain + "chain: [trainer rollout]\n" + links + observed()).findings(),
              ElementsAre("TK2005 7:9 `trainer rollout`"));
}

TEST(Check, WhatFollowsFromAFaultStaysSilent) {
  EXPECT_THAT(Checked("tikc: v1\ncontract: test\nversion: 1.0.0\n"
                      "kernels:\n  trainer: { engine: fsdp2 }\n  rollout: { weights: bf16 }\n"
                      "pair: { train: trainer, infer: rollout }\n")
                  .findings(),
              ElementsAre("TK2002 6:12 `{`"));
  EXPECT_THAT(
      findings(
          "labels: { task: math }\nslices:\n  a: { weight: 20% }\n  b: { when: task == \"math\" }\n"
          "numerical:\n  drift: 3\n  other_drift: max(tv) <= 0.1 on a\n" +
          observed()),
      ElementsAre("TK2003 8:17 `math`", "TK2002 10:6 `{`", "TK2003 13:10 `3`"));
  EXPECT_THAT(findings("slices:\n  8192: { when: prompt_tokens >= 8192 }\n"),
              ElementsAre("TK1010 9:3 `8192`"));
}

struct Case {
  const char* tail;
  const char* finding;

  friend std::ostream& operator<<(std::ostream& out, const Case& of) { return out << of.tail; }
};

class OneFault : public testing::TestWithParam<Case> {};

TEST_P(OneFault, IsFoundInItsPlace) {
  EXPECT_THAT(findings(GetParam().tail + observed()), ElementsAre(GetParam().finding))
      << GetParam().tail;
}

INSTANTIATE_TEST_SUITE_P(
    Shape, OneFault,
    testing::Values(Case{"model: { horizon: 4096 }\n", "TK2003 8:19 `4096`"},
                    Case{"model: { vocabulary: 151_936 }\n", "TK2003 8:22 `151_936`"},
                    Case{"model: { vocabulary: 0 }\n", "TK2003 8:22 `0`"},
                    Case{"model: 3\n", "TK2003 8:8 `3`"}, Case{"owners: []\n", "TK2003 8:9 `[]`"},
                    Case{"assumptions: { estimator: steps }\n", "TK2004 8:27 `steps`"},
                    Case{"assumptions: { reward: [0, 1, 2] }\n", "TK2003 8:24 `[0, 1, 2]`"},
                    Case{"assumptions: { support: { top_p: 0.9, missing_mass: 0.1 } }\n",
                         "TK2006 8:39 `missing_mass`"},
                    Case{"chain: [trainer, rollout]\n", "TK2006 8:1 `chain`"},
                    Case{"slices:\n  Long: { when: prompt_tokens > 1 }\n", "TK2005 9:3 `Long`"},
                    Case{"slices:\n  long: { weight: 20% }\n", "TK2002 9:9 `{`"},
                    Case{"abstract: yess\n", "TK2003 8:11 `yess`"},
                    Case{"promotion: { canary: { because: 5 } }\n", "TK2003 8:33 `5`"}));

INSTANTIATE_TEST_SUITE_P(
    Types, OneFault,
    testing::Values(
        Case{"numerical:\n  a: mean(tv) <= 1.5\n", "TK4002 9:18 `1.5`"},
        Case{"numerical:\n  a: mean(tv) <= -0.1\n", "TK4003 9:18 `-0.1`"},
        Case{"numerical:\n  a: mean(tv) < 0\n", "TK4003 9:17 `0`"},
        Case{"numerical:\n  a: mean(tv) in [0, 1]\n", "TK4002 9:19 `0, 1`"},
        Case{"numerical:\n  a: mean(tv) in [0.5, 0.2]\n", "TK4014 9:19 `0.5, 0.2`"},
        Case{"numerical:\n  a: tv <= 0.1\n", "TK4005 9:6 `tv`"},
        Case{"numerical:\n  a: p98(tv) <= 0.1\n", "TK5003 9:6 `p98`"},
        Case{"numerical:\n  a: quantile(tv, 1.5) <= 0.1\n", "TK4011 9:19 `1.5`"},
        Case{"numerical:\n  a: quantile(tv) <= 0.1\n", "TK4006 9:6 `quantile(tv)`"},
        Case{"numerical:\n  a: max(tv) <= 0.1 with confidence 99%\n", "TK4015 9:37 `99%`"},
        Case{"statistical:\n  a: mean(k3) <= 0.1 with confidence 99%\n", "TK4015 9:38 `99%`"},
        Case{"statistical:\n  a: ess_sample >= 0.5 with confidence 99%\n", "TK4015 9:40 `99%`"},
        Case{"statistical:\n  a: drift_slope <= 0.1 over 1 windows\n", "TK4012 9:30 `1 windows`"},
        Case{"numerical:\n  a: mean(tv) <= 0.1 with confidence 99\n", "TK4011 9:38 `99`"},
        Case{"numerical:\n  a: mean(tv) <= 0.1 over 20%\n", "TK4001 9:27 `20%`"},
        Case{"numerical:\n  a: mean(pg_bias) <= 1\n", "TK4016 9:11 `pg_bias`"},
        Case{"numerical:\n  a: mean(tv) <= 0.1 on coed\n", "TK5005 9:25 `coed`"},
        Case{"numerical:\n  a: mean(abs(tv)) <= 0.1\n", "TK4018 9:11 `abs`"},
        Case{"statistical:\n  a: mean(tv) <= 0.1\n", "TK4020 9:6 `mean(tv)`"},
        Case{"numerical:\n  a: mean_by_response(tv) <= 0.1\n", "TK4004 9:6 `mean_by_response`"},
        Case{"statistical:\n  a: mean_by_response(clipped(0.5, 2)) <= 0.1\n",
             "TK4004 9:6 `mean_by_response`"},
        Case{"statistical:\n  a: mean_by_response(seq_tv) <= 0.1\n",
             "TK4004 9:6 `mean_by_response`"},
        Case{"statistical:\n  a: mean_by_response(tv_sampled) <= 1.5\n", "TK4002 9:38 `1.5`"},
        Case{"statistical:\n  a: mean_by_response(k3) <= 0.1 with confidence 99%\n",
             "TK4015 9:50 `99%`"},
        Case{"statistical:\n  a: effective_share(k3) >= 0.1\n", "TK4004 9:6 `effective_share`"},
        Case{"statistical:\n  a: effective_share(ratio) >= 50% with confidence 99%\n",
             "TK4015 9:52 `99%`"},
        Case{"statistical:\n  a: std(prob_gap) <= 5% with confidence 99%\n", "TK4015 9:42 `99%`"},
        Case{"statistical:\n  a: rms(k3) <= 0.1 with confidence 99%\n", "TK4015 9:37 `99%`"},
        Case{"statistical:\n  a: rms(prob_gap) <= 1.5\n", "TK4002 9:23 `1.5`"},
        Case{"statistical:\n  a: mean(capped_ratio(0.5, 2)) <= 2.5\n", "TK4002 9:36 `2.5`"},
        Case{"statistical:\n  a: mean(capped_ratio(0.5, 2)) <= 0.4\n", "TK4003 9:36 `0.4`"},
        Case{"statistical:\n  a: effective_share(capped_ratio(0.5, 2)) >= 0.6\n",
             "TK4002 9:47 `0.6`"},
        Case{"statistical:\n  a: std(capped_ratio(0.5, 2)) <= 1.1\n", "TK4002 9:35 `1.1`"},
        Case{"statistical:\n  a: mean(mult_prob_error) <= 0.9\n", "TK4003 9:31 `0.9`"},
        Case{"claims:\n  a: rms(tv) <= 0.1\n", "TK4004 9:6 `rms`"},
        Case{"claims:\n  a: mean_by_response(tv) <= 0.1\n", "TK4004 9:6 `mean_by_response`"},
        Case{"statistical:\n  a: mean(clipped(2, 1)) <= 0.1\n", "TK4014 9:19 `2, 1`"},
        Case{"statistical:\n  a: rate(ratio > 2 s) <= 1%\n", "TK4001 9:19 `2 s`"},
        Case{"statistical:\n  a: ess_sample >= 0.5 nat\n", "TK4001 9:20 `0.5 nat`"},
        Case{"runtime:\n  a: p99(latency) <= 45\n", "TK4001 9:22 `45`"},
        Case{"claims:\n  a: max(logit_osc) <= 1\n", "TK4017 9:10 `logit_osc`"},
        Case{"claims:\n  a: ratio <= 2\n", "TK4005 9:6 `ratio`"},
        Case{"claims:\n  a: tv <= 0.1 over 10 min\n", "TK4021 9:21 `10 min`"},
        Case{"claims:\n  a: max(reward_drift) <= 0.1\n", "TK4004 9:6 `max(reward_drift)`"},
        Case{"assumptions: { discount: 1.5 }\n", "TK4013 8:26 `1.5`"},
        Case{"assumptions: { reward: [1, 0] }\n", "TK4014 8:24 `[1, 0]`"},
        Case{"load: { tokens: 200 s }\n", "TK4001 8:17 `200 s`"}));

INSTANTIATE_TEST_SUITE_P(
    Names, OneFault,
    testing::Values(Case{"labels: { task: [math] }\nslices:\n  m: { when: task == \"mth\" }\n",
                         "TK5007 10:22 `\"mth\"`"},
                    Case{"labels: { task: [math] }\nslices:\n  m: { when: task > \"math\" }\n",
                         "TK4022 10:19 `>`"},
                    Case{"slices:\n  m: { when: tsk == \"math\" }\n", "TK5006 9:14 `tsk`"},
                    Case{"slices:\n  other: { when: prompt_tokens > 1 }\n", "TK5012 9:3 `other`"},
                    Case{"labels: { on_all: [x], with: [v] }\n", "TK5012 8:24 `with`"},
                    Case{"numerical:\n  a: max(tv) <= 0.1\nclaims:\n  a: tv <= 0.1\n",
                         "TK5011 11:3 `a`"}));

INSTANTIATE_TEST_SUITE_P(
    Lint, OneFault,
    testing::Values(
        Case{"slices:\n  a: { when: prompt_tokens > 1, weight: 60% }\n  b: { when: prompt_tokens < "
             "2, weight: 60% }\n",
             "TK6001 10:41 `60%`"},
        Case{"slices:\n  a: { when: prompt_tokens > 1 }\n  b: { when: prompt_tokens  >  1 }\n",
             "TK6002 10:3 `b`"},
        Case{"runtime:\n  a: max(batch_drift) <= 0.1\n", "TK8004 9:6 `max(batch_drift)`"},
        Case{"promotion:\n  canary: { traffic: 5% }\n  shadow: { traffic: 7% }\n",
             "TK8001 10:3 `shadow: { traffic: 7% }`"},
        Case{"promotion:\n  shadow: { traffic: 5% }\n  canary: { traffic: 1% }\n",
             "TK8002 10:22 `1%`"}));

TEST(Check, WordsMayBeWrittenInMoreThanOneWay) {
  EXPECT_THAT(
      findings("labels: { task: [math, code, chat] }\n"
               "slices:\n"
               "  a: { when: 'task in {math, \"code\"}' }\n"
               "statistical:\n"
               "  a: mean(clipped(high=2, low=0.5)) <= 1%\n"
               "observability: { rows: 'sample(logprobs, rate=100%)' }\n"
               "assumptions: { correction: 'mis(high=2, low=0.5)' }\n"
               "escalation:\n"
               "  a_rule:\n"
               "    when: undecided(any) or violated(any)\n"
               "    do: ['sample(logit_osc, 5%)', 'sample(logits, 5%)', 'correct(mis, 0.5, 2)']\n"),
      IsEmpty());
}

TEST(Check, EveryPartOfATriggerIsTyped) {
  EXPECT_THAT(
      findings("escalation:\n  r: { when: violated(a) or undecided(b) for 0 windows, do: hold }\n"),
      ElementsAre("TK5008 9:23 `a`", "TK5008 9:39 `b`", "TK4012 9:46 `0 windows`"));
}

TEST(Check, AStepLastsSoManyWindows) {
  EXPECT_THAT(
      findings(
          "escalation:\n"
          "  r: { when: undecided(any) or violated(any), steps: [{ for: 10 min, do: hold }] }\n"),
      ElementsAre("TK4001 9:62 `10 min`"));
}

TEST(Check, WhatCheckersCountIsCounted) {
  auto of = [](const std::string& windows, const std::string& vocabulary) {
    return findings(fmt::format("model: {{ vocabulary: {1} }}\n"
                                "escalation:\n"
                                "  r: {{ when: 'undecided(any) or violated(any) for {0} windows', "
                                "steps: [{{ for: {0} windows, do: rollback }}] }}\n",
                                windows, vocabulary));
  };
  EXPECT_THAT(of("4_294_967_295", "4294967295"), IsEmpty());
  EXPECT_THAT(of("4_294_967_296", "4294967296"),
              ElementsAre("TK4013 8:22 `4294967296`", "TK4012 10:51 `4_294_967_296 windows`",
                          "TK4012 10:90 `4_294_967_296 windows`"));
  EXPECT_THAT(of("18446744073709551617", "18446744073709551617"),
              ElementsAre("TK4013 8:22 `18446744073709551617`",
                          "TK4012 10:51 `18446744073709551617 windows`",
                          "TK4012 10:97 `18446744073709551617 windows`"));
}

TEST(Check, ATriggerIsAboutWhatHasAVerdict) {
  EXPECT_THAT(findings("observability: { rows: 'sample(logits, 1%)', sink: prometheus() }\n"
                       "escalation:\n"
                       "  few: { when: undecided(rows) or violated(rows), do: rollback }\n"
                       "  odd: { when: violated(sink), do: rollback }\n"),
              ElementsAre("TK5008 11:25 `sink`"));
}

TEST(Check, ALoadOfNothingIsNotDividedBy) {
  EXPECT_THAT(findings("load: { tokens: 0 per s }\n"
                       "promotion: { shadow: { traffic: 1%, tokens: 100 tokens } }\n"),
              ElementsAre("TK4012 8:17 `0 per s`"));
}

TEST(Check, AGateIsNeverCertainAndACorridorIsAShare) {
  EXPECT_THAT(findings("promotion: { canary: { confidence: 99.9%, corridor: 50% } }\n"), IsEmpty());
  EXPECT_THAT(findings("promotion: { canary: { confidence: 100%, corridor: 150% } }\n"),
              ElementsAre("TK4011 8:36 `100%`", "TK4011 8:52 `150%`"));
}

TEST(Check, StepsAreOfWindowsAlone) {
  EXPECT_THAT(findings("load: { steps: 2 per h }\n"
                       "promotion: { canary: { traffic: 5%, window: 1 step }, full: { traffic: "
                       "100%, window: 10 steps } }\n"),
              IsEmpty());
  EXPECT_THAT(findings("model: { horizon: 3 steps }\n"
                       "load: { steps: 2 tokens per h, tokens: 2 steps per h }\n"
                       "promotion: { canary: { tokens: 3 steps, lasts: 1 step, window: 6 windows } "
                       "}\n"
                       "escalation:\n"
                       "  r: { when: violated(any) for 2 steps, steps: [{ for: 1 step, do: hold }] "
                       "}\n"),
              ElementsAre("TK4001 8:19 `3 steps`", "TK4001 9:16 `2 tokens per h`",
                          "TK4001 9:40 `2 steps per h`", "TK4001 10:32 `3 steps`",
                          "TK4001 10:48 `1 step`", "TK4001 10:64 `6 windows`",
                          "TK4001 12:32 `2 steps`", "TK4001 12:56 `1 step`"));
  EXPECT_THAT(findings("load: { tokens: 5 per s, steps: 0 per h }\n"
                       "statistical:\n"
                       "  a: mean(k3) <= 2e-3 over 1 step\n"
                       "  b: p99(k3) <= 2e-3 over 1.5 steps\n"
                       "  c: slope(k3) <= 1 over 1 step\n" +
                       observed()),
              ElementsAre("TK4012 8:33 `0 per h`", "TK4012 11:27 `1.5 steps`"));
}

TEST(Check, RoutesNeedAWayBack) {
  std::string tail =
      "numerical:\n  a: max(tv) <= 0.1\nobservability:\n  rows: sample(logits, 1%)\nescalation:\n"
      "  r: { when: violated(a), do: route(rollout), until: satisfied(a) }\n"
      "  s: { when: undecided(a), do: rollback }\n";
  EXPECT_THAT(findings(tail),
              ElementsAre("TK7002 13:31 `route(rollout)`", "TK7001 13:37 `rollout`"));
  EXPECT_THAT(
      findings("numerical:\n  a: max(tv) <= 0.1\nobservability:\n  rows: sample(logits, 1%)\n"
               "escalation:\n"
               "  r: { when: violated(b), do: 'route(rollout, probe=1%)', until: satisfied(a) }\n"
               "  s: { when: undecided(a) or violated(any), do: rollback }\n"),
      ElementsAre("TK5008 13:23 `b`", "TK7001 13:38 `rollout`"));
}

TEST(Check, QuotedAndFoldedScalarsKeepTheirColumns) {
  EXPECT_THAT(findings("numerical:\n"
                       "  a: \"max(\\x6cogit_ocs) <= 1\"\n"
                       "  b: >\n"
                       "    max(logit_ocs)\n"
                       "    <= 1\n"
                       "  c: 'p99(logit_ocs) <= 1'\n" +
                       observed()),
              ElementsAre("TK5001 9:11 `\\x6cogit_ocs`", "TK5001 11:9 `logit_ocs`",
                          "TK5001 13:11 `logit_ocs`"));
}

TEST(Suppressions, SpeakOfTheNodeBelow) {
  EXPECT_THAT(findings("numerical:\n  # tikc: allow TK4002 -- a reminder\n  a: mean(tv) <= 1.5\n" +
                       observed()),
              IsEmpty());
  EXPECT_THAT(findings("numerical:\n  a: mean(tv) <= 1.5 # tikc: allow TK4002 -- a reminder\n" +
                       observed()),
              IsEmpty());
}

TEST(Suppressions, AreThemselvesChecked) {
  EXPECT_THAT(
      findings("# tikc: allow TK4002 -- old\nnumerical:\n  a: mean(tv) <= 0.5\n" + observed()),
      ElementsAre("TK9003 8:15 `TK4002`"));
  EXPECT_THAT(findings("# tikc: allow TK0815 -- x\nowners: [me]\n"),
              ElementsAre("TK9001 8:15 `TK0815`"));
  EXPECT_THAT(findings("# tikc: allow TK2001 -- x\nowners: [me]\n"),
              ElementsAre("TK9004 8:15 `TK2001`"));
  EXPECT_THAT(findings("# tikc: ignore\nowners: [me]\n"),
              ElementsAre("TK9005 8:1 `# tikc: ignore`"));
  EXPECT_THAT(findings("numerical:\n  # tikc: allow TK4002\n  a: mean(tv) <= 1.5\n" + observed()),
              ElementsAre("TK9002 9:17 `TK4002`"));
}

TEST(Severities, CanBeSet) {
  project::Settings settings;
  settings.severities[diag::Code::VacuousBound] = diag::Severity::Off;
  Checked checked(head() + "numerical:\n  a: mean(tv) <= 1.5\n" + observed(), settings);
  EXPECT_THAT(checked.findings(), IsEmpty());
}

} // namespace
} // namespace tikc::tests
