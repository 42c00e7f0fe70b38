#include "verifier/Text.h"

#include <gtest/gtest.h>

namespace verify {
namespace {

std::string print(const Statement& statement) {
  static constexpr const char* names[] = {"given", "sup", "mean", "quantile"};
  const Fact& fact = statement.fact;
  std::string out = std::string(names[static_cast<int>(fact.quantifier)]) + " " +
                    std::string(fact.quantity->name) + " " + statement.op + " " +
                    fact.bound.top.decimal() + "/" + fact.bound.bottom.decimal();
  if (fact.quantifier == Quantifier::Quantile)
    out += " but " + fact.share.top.decimal() + "/" + fact.share.bottom.decimal();
  out += statement.inBits ? " bit" : "";
  out += statement.onAll ? " on all" : "";
  for (const std::string& slice : statement.slices)
    out += " on " + slice;
  return out;
}

std::string stated(std::string_view text, Reading reading) {
  std::string out;
  for (const Statement& statement : read(text, reading).statements)
    out += (out.empty() ? "" : "; ") + print(statement);
  return out;
}
std::string clause(std::string_view text) { return stated(text, Reading::Clause); }
std::string claim(std::string_view text) { return stated(text, Reading::Claim); }
std::string given(std::string_view text) { return stated(text, Reading::Given); }

TEST(Text, ReadsClauses) {
  EXPECT_EQ(clause("a: max(logit_osc) <= 1"), "sup logit_osc <= 1/1");
  EXPECT_EQ(clause("a: p99(logit_osc) < 0.25 nat over 10 min with confidence 99%"),
            "quantile logit_osc < 1/4 but 1/100");
  EXPECT_EQ(clause("a: p999(chi2) <= 2e-3 on math, code over 50_000 tokens"),
            "quantile chi2 <= 1/500 but 1/1000 on math on code");
  EXPECT_EQ(clause("a: quantile(tv, 99.5%) <= .5 on all"),
            "quantile tv <= 1/2 but 1/200 on all; quantile plain_tv <= 1/2 but 1/200 on all");
  EXPECT_EQ(clause("a: mean(seq_tv) <= 15%"), "mean seq_sampled_tv <= 3/20");
  EXPECT_EQ(clause("a: max(abs(logprob_gap)) <= 0.1 bit"),
            "sup sampled_abs_gap <= 1/10 bit; sup sampled_gap <= 1/10 bit");
  EXPECT_EQ(
      clause("a: p95(abs(seq_log_ratio)) <= 1"),
      "quantile seq_sampled_abs_gap <= 1/1 but 1/20; quantile seq_sampled_gap <= 1/1 but 1/20");
  EXPECT_EQ(clause("a: mean(abs(logprob_gap)) <= 1"), "mean sampled_abs_gap <= 1/1");
  EXPECT_EQ(clause("a: min(logprob_gap) >= -0.2"), "sup sampled_gap >= 1/5");
  EXPECT_EQ(clause("a: quantile(logprob_gap, 0.01) >= -0.2"),
            "quantile sampled_gap >= 1/5 but 1/100");
  EXPECT_EQ(clause("a: mean(logprob_gap) in [-0.2, 0.3]"), "mean sampled_k1 >= 1/5");
  EXPECT_EQ(clause("a: min(ratio) >= 0.5 and max(hellinger) <= 0.1"),
            "sup sampled_ratio >= 1/2; sup hellinger <= 1/10");
  EXPECT_EQ(clause("a: min(top1_margin) >= 2"), "sup top1_margin >= 2/1");
  EXPECT_EQ(clause("a: mean(k3) == 0.5"), "mean sampled_k3 <= 1/2");
  EXPECT_EQ(clause("a: mean(clipped(0.5, 2)) <= 1%"), "quantile sampled_ratio <= 1/2 but 1/100");
  EXPECT_EQ(clause("a: rate(ratio < 0.5) <= 1%"), "quantile sampled_ratio <= 1/2 but 1/100");
}

TEST(Text, StatesNothingThatAClauseDoesNotSay) {
  for (const char* text :
       {"a: max(logit_osc) >= 1", "a: min(logit_osc) <= 1", "a: max(k3) <= 1",
        "a: mean(ratio) >= 0.5", "a: max(logprob_gap) <= 1", "a: mean(seq_log_ratio) >= -1",
        "a: rate(ratio > 2) <= 1%", "a: logit_osc <= 1", "a: max(abs(logit_osc)) <= 1",
        "a: mean(clipped(0.5, 2)) >= 1%", "a: max(seq_tv) <= 1", "a: mean(prob_gap) <= 1"}) {
    std::string found;
    try {
      found = clause(text);
    } catch (const Rejected&) {
    }
    EXPECT_EQ(found, "") << text;
  }
}

TEST(Text, ReadsClaims) {
  EXPECT_EQ(claim("a: tv <= 0.065"), "mean tv <= 13/200");
  EXPECT_EQ(claim("a: ess >= 78%"), "mean ess >= 39/50");
  EXPECT_EQ(claim("a: min(ess) > 0.5"), "sup ess > 1/2");
  EXPECT_EQ(claim("a: max(ratio) <= 2 and min(ratio) >= 0.5"),
            "sup ratio <= 2/1; sup ratio_floor >= 1/2");
  EXPECT_EQ(claim("a: quantile(seq_ratio, 5%) >= 0.1"),
            "quantile seq_ratio_floor >= 1/10 but 1/20");
  EXPECT_EQ(claim("a: p90(seq_kl) <= 1 bit"), "quantile seq_kl <= 1/1 but 1/10 bit");
  EXPECT_EQ(claim("a: mean(ratio) <= 2"), "");
  EXPECT_EQ(claim("a: tv >= 0.1"), "");
  EXPECT_EQ(claim("a: seq_log_ratio <= 0.1"), "");
}

TEST(Text, ReadsAssumptionsAndFacts) {
  EXPECT_EQ(given("horizon: 4096 tokens   # the longest"), "given horizon  4096/1");
  EXPECT_EQ(given("reward: [-1, 1.5]"), "given reward_range  5/2");
  EXPECT_EQ(given("step_reward: [ 0.5, 1 ]"),
            "given step_reward_range  1/2; given step_reward_reach  1/1");
  EXPECT_EQ(given("support: full"), "given full_support  0/1; sup missing_mass  0/1");
  EXPECT_EQ(given("support: { missing_mass: 1e-4 }"), "sup missing_mass  1/10000");
  EXPECT_EQ(given("support:\n    top_p: 99.9%"), "given cut_mass  1/1000");
  EXPECT_EQ(given("correction: tis(2)"), "given cap  2/1");
  EXPECT_EQ(given("correction: 'mis(0.5, 2)'"), "given mask_low  1/2; given mask_high  2/1");
  EXPECT_EQ(given("correction: ppo(0.2, 0.3)"), "given mask_low  4/5; given mask_high  13/10");
  EXPECT_EQ(given("correction: clip(0.2)"), "given clip_width  1/5");
  EXPECT_EQ(given("correction: is"), "mean pg_cut  0/1");
  EXPECT_EQ(given("correction: none"), "");
  EXPECT_EQ(given("token_weight: 25%"), "given share token_weight 1/4");
  EXPECT_EQ(given("math: { when: task == \"math\", weight: 50% }"), "given share weight 1/2");
  EXPECT_EQ(read("estimator: token_mc", Reading::Given).word, "token_mc");
  EXPECT_EQ(given("temperature: 0"), "given temperature  0/1; given train_temperature  0/1; given "
                                     "infer_temperature  0/1; given greedy  0/1");
}

TEST(Text, ReadsLayers) {
  Quote flow = read("layers: [{ error: 1e-3, gain: 1.5 }, { name: mlp, error: 0.25, repeat: 2 }]",
                    Reading::Given);
  Quote block = read("layers:\n    - { error: 1e-3, gain: 1.5 }\n    - name: mlp\n      error: "
                     "0.25\n      repeat: 2",
                     Reading::Given);
  ASSERT_EQ(flow.layers.size(), 3u);
  EXPECT_EQ(flow.layers, block.layers);
  EXPECT_EQ(flow.layers[0].second, Rational(3, 2));
  EXPECT_EQ(flow.layers[2].second, Rational(1));
}

TEST(Text, ReadsMapsInEveryStyle) {
  const std::string want = "sup logit_osc <= 1/1 on a on b";
  EXPECT_EQ(clause("x: { require: max(logit_osc) <= 1, slices: [a, b], because: \"a, { b\" }"),
            want);
  EXPECT_EQ(clause("x:\n    require: max(logit_osc) <= 1   # why\n    slices: [a, b]\n    because: "
                   "not max(logit_osc) <= 0"),
            want);
  EXPECT_EQ(clause("x:\n    slices:\n      - a\n      - b\n    require: >\n      max(logit_osc)\n  "
                   "    <= 1\n"),
            want);
  EXPECT_EQ(clause("x: {\n    require: 'max(logit_osc) <= 1',\n    slices: [ a, b ]\n  }"), want);
  EXPECT_EQ(clause("x:\n    max(logit_osc)\n    <= 1 on a, b"), want);
  EXPECT_EQ(read("x: { require: max(tv) <= 1, link: [train, serve] }", Reading::Clause).link,
            "train>serve");
}

TEST(Text, RefusesWhatItCannotRead) {
  for (const char* text : {"",
                           "x",
                           ":",
                           "x:",
                           "x: {",
                           "x: }",
                           "x: { require: max(tv) <= 1",
                           "x: [1",
                           "x: max(tv) <=",
                           "x: max(tv) <= 1 2",
                           "x: max(tv) <= 1e",
                           "x: max(tv <= 1",
                           "x: max(tv) <= 1 ms",
                           "x: max(tv) ! 1",
                           "x: *alias",
                           "x: !tag max(tv) <= 1",
                           "x: { a: 1, a: 2 }",
                           "x: \"max(tv) <= \\x31\"",
                           "x:\tmax(tv) <= 1",
                           "x: max(tv) <= 1 on",
                           "x: max(tv) <= 1e99999",
                           "x: max(tv) <= 1 and"})
    EXPECT_THROW(read(text, Reading::Clause), Rejected) << text;
  for (const char* text :
       {"horizon: many", "horizon: 4 tokens 5", "reward: 1", "reward: [0, 1, 2]",
        "support: partial", "correction: tis", "x: y", "support: { support: full }"})
    EXPECT_THROW(read(text, Reading::Given), Rejected) << text;
}

} // namespace
} // namespace verify
