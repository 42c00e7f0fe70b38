#include "verifier/Text.h"
#include "unit/verifier/Certificate.h"

#include <gtest/gtest.h>

namespace verify::tests {
namespace {

mpq_class exact(const Number& x) {
  Integer scale = 1;
  while (!(x * Number(scale, 1)).isWhole())
    scale = scale * 10;
  return mpq_class(whole((x * Number(scale, 1)).floor())) / mpq_class(whole(scale));
}

std::string print(const Number& x) {
  if (!x.isExact())
    return "inexact";
  mpq_class value = exact(x);
  return value.get_num().get_str() + "/" + value.get_den().get_str();
}

std::string print(const Fact& fact, const std::string& op = "") {
  return fact.quantifier + " " + fact.quantity + " " + op + " " + print(fact.bound) +
         (fact.quantifier == "quantile" ? " but " + print(fact.share) : "");
}

std::string print(const Statement& statement) {
  std::string out = print(statement.fact, statement.op);
  for (const std::string& scope : statement.scopes)
    out += " on " + scope;
  return out;
}

/// Of an entry of a contract, from its key on.
Tree entry(std::string_view text) {
  Tree documents = parseYaml("section:\n  " + std::string(text) + "\n");
  require(documents.items.size() == 1 && documents.items[0].items.size() == 1 &&
              documents.items[0]["section"].items.size() == 1,
          "it is more than one entry");
  return documents.items[0]["section"].items[0];
}

std::string stated(std::string_view text, const std::string& kind) {
  std::string out;
  const Tree tree = entry(text);
  auto add = [&](const auto& stated) {
    for (const auto& each : stated)
      out += (out.empty() ? "" : "; ") + print(each);
  };
  if (kind == "given")
    add(readGiven(tree));
  else
    add(readRequirement(tree, kind));
  return out;
}
std::string clause(std::string_view text) { return stated(text, "clause"); }
std::string claim(std::string_view text) { return stated(text, "claim"); }
std::string given(std::string_view text) { return stated(text, "given"); }

TEST(Text, ReadsClauses) {
  EXPECT_EQ(clause("a: max(logit_osc) <= 1"), "sup logit_osc <= 1/1");
  EXPECT_EQ(clause("a: p99(logit_osc) < 0.25 nat over 10 min with confidence 99%"),
            "quantile logit_osc < 1/4 but 1/100");
  EXPECT_EQ(clause("a: median(logit_osc) < 0.25"), clause("a: p50(logit_osc) < 0.25"));
  EXPECT_EQ(clause("a: p999(chi2) <= 2e-3 on math, code over 50_000 tokens"),
            "quantile chi2 <= 1/500 but 1/1000 on math on code");
  EXPECT_EQ(clause("a: quantile(tv, 99.5%) <= .5 on all"), "quantile tv <= 1/2 but 1/200 on *");
  EXPECT_EQ(clause("a: mean(seq_tv) <= 15%"), "mean seq_sampled_tv <= 3/20");
  EXPECT_EQ(clause("a: max(abs(logprob_gap)) <= 0.1 bit"), "sup sampled_abs_gap <= inexact");
  EXPECT_EQ(clause("a: p95(abs(seq_log_ratio)) <= 1"),
            "quantile seq_sampled_abs_gap <= 1/1 but 1/20");
  EXPECT_EQ(clause("a: max(binary_kl) <= 1"), "sup sampled_binary_kl <= 1/1");
  EXPECT_EQ(clause("a: mean(prob_gap) <= 1"), "mean sampled_prob_gap <= 1/1");
  EXPECT_EQ(clause("a: mean(mult_prob_error) <= 1.05"), "mean sampled_mult_error <= 21/20");
  EXPECT_EQ(clause("a: mean(abs(logprob_gap)) <= 1"), "mean sampled_abs_gap <= 1/1");
  EXPECT_EQ(clause("a: rms(logprob_gap) <= 1"), "mean sampled_abs_gap <= 1/1");
  EXPECT_EQ(clause("a: rms(k1) <= 1"), "mean sampled_abs_gap <= 1/1");
  EXPECT_EQ(clause("a: rms(tv) < 10%"), "mean tv < 1/10");
  EXPECT_EQ(clause("a: mean(abs(k1)) <= 1"), "mean sampled_abs_gap <= 1/1");
  EXPECT_EQ(clause("a: min(logprob_gap) >= -0.2"), "sup sampled_gap >= 1/5");
  EXPECT_EQ(clause("a: quantile(logprob_gap, 0.01) >= -0.2"),
            "quantile sampled_gap >= 1/5 but 1/100");
  EXPECT_EQ(clause("a: mean(logprob_gap) in [-0.2, 0.3]"), "mean sampled_k1 >= 1/5");
  EXPECT_EQ(clause("a: min(ratio) >= 0.5 and max(hellinger) <= 0.1"),
            "sup sampled_ratio >= 1/2; sup hellinger <= 1/10");
  EXPECT_EQ(clause("a: min(top1_margin) >= 2"), "sup top1_margin >= 2/1");
  EXPECT_EQ(clause("a: mean(k3) == 0.5"), "mean sampled_k3 <= 1/2");
  EXPECT_EQ(clause("a: mean(clipped(0.5, 2)) <= 1%"),
            "quantile sampled_ratio <= 1/2 but 1/100; quantile sampled_ratio_up <= 2/1 but 1/100");
  EXPECT_EQ(clause("a: rate(ratio < 0.5) <= 1%"), "quantile sampled_ratio >= 1/2 but 1/100");
  EXPECT_EQ(clause("a: rate(ratio >= 2) < 1%"), "quantile sampled_ratio_up < 2/1 but 1/100");
  EXPECT_EQ(clause("a: rate(abs(logprob_gap) <= 0.1) >= 99%"),
            "quantile sampled_abs_gap <= 1/10 but 1/100");
  EXPECT_EQ(clause("a: rate(tv > 0.1) <= 0"), "sup tv <= 1/10");
  EXPECT_EQ(clause("a: max(clipped(0.5, 2)) <= 0"),
            "sup sampled_ratio <= 1/2; sup sampled_ratio_up <= 2/1");
  EXPECT_EQ(clause("a: max(seq_veto(0.5)) <= 0"),
            "sup seq_least_ratio <= 1/2; sup sampled_ratio <= 1/2");
  EXPECT_EQ(clause("a: mean(seq_veto(0.5)) <= 1%"), "quantile seq_least_ratio <= 1/2 but 1/100");
  EXPECT_EQ(clause("a: mean(seq_veto(0.5)) <= 0"),
            "sup seq_least_ratio <= 1/2; sup sampled_ratio <= 1/2");
  EXPECT_EQ(clause("a: max(seq_clipped(0.5, 2)) <= 0"),
            "sup seq_sampled_ratio <= 1/2; sup seq_sampled_ratio_up <= 2/1");
  EXPECT_EQ(clause("a: rate(seq_geo_clipped(0.5, 2)) <= 1%"),
            "quantile seq_geo_ratio <= 1/2 but 1/100; quantile seq_geo_ratio_up <= 2/1 but 1/100");
  EXPECT_EQ(clause("a: max(seq_ratio) <= 2 and min(seq_ratio) >= 0.5"),
            "sup seq_sampled_ratio_up <= 2/1; sup seq_sampled_ratio >= 1/2");
  EXPECT_EQ(clause("a: mean(seq_log_ratio) >= -1"), "mean seq_sampled_k1 >= 1/1");
  EXPECT_EQ(clause("a: rms(ratio) <= 1.5"), "mean sampled_square <= 9/4");
  EXPECT_EQ(clause("a: rms(seq_ratio) < 2"), "mean seq_sampled_square < 4/1");
  EXPECT_EQ(clause("a: std(ratio) <= 0.5"), "mean sampled_square <= 5/4");
  EXPECT_EQ(clause("a: std(seq_ratio) <= 0.5"), "mean seq_sampled_square <= 5/4");
  EXPECT_EQ(clause("a: effective_share(ratio) >= 0.8"), "mean sampled_square >= 5/4");
  EXPECT_EQ(clause("a: effective_share(seq_ratio) >= 0.8"), "mean seq_sampled_square >= 5/4");
  EXPECT_EQ(clause("a: mean_by_response(tv_sampled) <= 1%"), "mean tv_by_response <= 1/100");
  EXPECT_EQ(clause("a: mean_by_response(k3) <= 0.5"), "mean k3_by_response <= 1/2");
  EXPECT_EQ(clause("a: mean_by_response(abs(k1)) <= 0.5"), "mean abs_gap_by_response <= 1/2");
  EXPECT_EQ(clause("a: max(capped_ratio(0, 2)) <= 1.5"), "sup sampled_ratio_up <= 3/2");
  EXPECT_EQ(clause("a: quantile(capped_ratio(0.5, 2), 0.01) >= 0.75"),
            "quantile sampled_ratio >= 3/4 but 1/100");
  EXPECT_EQ(clause("a: rate(seq_capped_ratio(0.5, 2) > 1.5) <= 1%"),
            "quantile seq_sampled_ratio_up <= 3/2 but 1/100");
  EXPECT_EQ(clause("a: mean(capped_ratio(0, 1)) >= 0.75"), "mean sampled_tv >= 1/4");
  EXPECT_EQ(clause("a: mean(seq_capped_ratio(0, 1)) >= 0.75"), "mean seq_sampled_tv >= 1/4");
  EXPECT_EQ(clause("a: max(k3) <= 1"), "sup sampled_k3 <= 1/1");
  EXPECT_EQ(clause("a: max(logprob_gap) <= 1"), "sup sampled_rise <= 1/1");
  EXPECT_EQ(clause("a: min(k1) >= -1"), "sup sampled_rise >= 1/1");
  EXPECT_EQ(clause("a: p99(seq_tv) <= 1%"), "quantile seq_sampled_tv <= 1/100 but 1/100");
  EXPECT_EQ(clause("a: min(seq_geo_ratio) >= 0.9"), "sup seq_geo_ratio >= 9/10");
}

TEST(Text, StatesNothingThatAClauseDoesNotSay) {
  for (const char* text : {"a: max(logit_osc) >= 1",
                           "a: min(logit_osc) <= 1",
                           "a: min(k3) <= 1",
                           "a: mean(ratio) >= 0.5",
                           "a: mean(logprob_gap) <= 1",
                           "a: mean(seq_log_ratio) <= 1",
                           "a: rate(ratio > 2) >= 0%",
                           "a: rate(ratio == 2) <= 1%",
                           "a: max(veto(0.5)) <= 1",
                           "a: max(veto(0.5)) >= 0",
                           "a: logit_osc <= 1",
                           "a: max(abs(logit_osc)) <= 1",
                           "a: mean(clipped(0.5, 2)) >= 1%",
                           "a: min(seq_tv) <= 1",
                           "a: mean(prob_gap) >= 0.5",
                           "a: min(binary_kl) <= 1",
                           "a: min(mult_prob_error) <= 2",
                           "a: mean(mult_prob_error) >= 1",
                           "a: rms(logprob_gap) >= 1",
                           "a: rms(top1_margin) >= 1",
                           "a: std(logprob_gap) <= 1",
                           "a: effective_share(ratio) <= 0.9",
                           "a: effective_share(tv_sampled) >= 0.9",
                           "a: effective_share(ratio) >= 0",
                           "a: rms(ratio) >= 2",
                           "a: std(ratio) >= 2",
                           "a: max(capped_ratio(0, 2)) <= 2",
                           "a: max(capped_ratio(0.5, 2)) <= 0.5",
                           "a: min(capped_ratio(0.5, 2)) >= 0.5",
                           "a: mean(capped_ratio(0, 1)) <= 0.9",
                           "a: mean(capped_ratio(0, 2)) >= 0.9",
                           "a: mean(capped_ratio(0.1, 1)) >= 0.9",
                           "a: std(capped_ratio(0, 1)) <= 0.1",
                           "a: rms(capped_ratio(0, 2)) <= 1",
                           "a: mean_by_response(k1) <= 0.1",
                           "a: mean_by_response(tv_sampled) >= 0.1"}) {
    std::string found;
    try {
      found = clause(text);
    } catch (const Rejection&) {
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
  EXPECT_EQ(claim("a: p90(seq_kl) <= 1 bit"), "quantile seq_kl <= inexact but 1/10");
  EXPECT_EQ(claim("a: tv == 0.1"), "  >= 1/10; mean tv <= 1/10");
  EXPECT_EQ(claim("a: ess in [0.5, 1] on a"), "mean ess >= 1/2 on a;   <= 1/1 on a");
  // What nothing bounds is still a part of the claim.
  EXPECT_EQ(claim("a: mean(ratio) <= 2"), "  <= 2/1");
  EXPECT_EQ(claim("a: tv >= 0.1"), "  >= 1/10");
  EXPECT_EQ(claim("a: seq_log_ratio <= 0.1"), "  <= 1/10");
}

TEST(Text, TakesBitsForMultiplesOfLogTwo) {
  const Number bound = readRequirement(entry("a: max(tv) <= 0.5 bit"), "claim")[0].fact.bound;
  EXPECT_LT(Number(3465, 10'000), bound);
  EXPECT_LT(bound, Number(3466, 10'000));
  EXPECT_THROW(given("advantage: 1 bit"), Rejection);
  const Tree weight = entry("weight: 1 bit");
  EXPECT_THROW(numberOf(&weight), Rejection);
}

TEST(Text, ReadsAssumptionsAndFacts) {
  EXPECT_EQ(given("horizon: 4096 tokens   # the longest"), "given horizon  4096/1");
  EXPECT_EQ(given("reward: [-1, 1.5]"), "given reward_range  5/2");
  EXPECT_EQ(given("step_reward: [ 0.5, 1 ]"),
            "given step_reward_range  1/2; given step_reward_reach  1/1");
  EXPECT_EQ(given("support: full"), "given full_support  0/1; sup missing_mass  0/1");
  EXPECT_EQ(given("missing_mass: 1e-4"), "sup missing_mass  1/10000");
  EXPECT_EQ(given("top_p: 99.9%"), "given cut_mass  1/1000");
  EXPECT_EQ(given("correction: tis(2)"),
            "given cap  2/1; given weight_mean  1/1; given weight_cap  2/1");
  EXPECT_EQ(
      given("correction: 'mis(0.5, 2)'"),
      "given mask_low  1/2; given mask_high  2/1; given weight_mean  1/1; given weight_cap  2/1");
  EXPECT_EQ(given("correction: ppo(0.2, 0.3)"),
            "given mask_low  4/5; given mask_high  13/10; given weight_mean  1/1");
  EXPECT_EQ(given("correction: clip(0.2)"),
            "given clip_width  1/5; given weight_mean  6/5; given weight_cap  6/5");
  EXPECT_EQ(given("correction: clip(0.9)"),
            "given clip_width  9/10; given weight_mean  11/10; given weight_cap  19/10");
  EXPECT_EQ(given("correction: clip(3)"),
            "given clip_width  3/1; given weight_mean  1/1; given weight_cap  4/1");
  EXPECT_EQ(given("correction: is"),
            "mean pg_cut  0/1; mean pg_token_cut  0/1; given weight_mean  1/1");
  EXPECT_EQ(given("correction: none"), "given weight_mean  1/1; given weight_cap  1/1");
  EXPECT_EQ(given("mean_length: 300 tokens"), "mean mean_length  300/1");
  const Tree estimator = entry("estimator: token_mc"), step = entry("estimator: step");
  EXPECT_EQ(print(readEstimator(estimator, false, false, false)[0]), "given return_plain  0/1");
  EXPECT_EQ(print(readEstimator(estimator, true, true, false)[0]), "given mean_weighted  0/1");
  EXPECT_EQ(print(readEstimator(estimator, false, true, true)[0]), "given group_weighted  0/1");
  ASSERT_EQ(readEstimator(step, false, true, false).size(), 2U);
  EXPECT_EQ(print(readEstimator(step, false, true, false)[1]), "mean pg_prefix  0/1");
}

TEST(Text, ReadsAnAge) {
  EXPECT_EQ(given("staleness: { logit_osc: 1e-3, steps: 4 }"),
            "given stale_steps  4/1; given step_drift  1/1000");
  for (const char* text :
       {"staleness: { steps: 4 }", "staleness: { steps: 1.5, logit_osc: 1 }",
        "staleness: { steps: 0, logit_osc: 1 }", "staleness: { steps: 1, logit_osc: -1 }"})
    EXPECT_THROW(given(text), Rejection) << text;
}

TEST(Text, AddsUpLayers) {
  // ((0.001 * 0.5 + 0.25) * 1 + 0.25) * 3 + 2
  for (const char* text : {"layers: [{ error: 1e-3, gain: 1.5 }, { name: a, error: 0.25, repeat: 2 "
                           "}, { gain: 3, error: 2 }]",
                           "layers:\n    - { error: 1e-3 }\n    - name: mlp\n      error: 0.25\n   "
                           "   repeat: 2\n    - gain: 3\n      error: 2"})
    EXPECT_EQ(given(text), "given hidden_drift  3503/1000") << text;
  EXPECT_THROW(given("layers: [{ error: 1 }, { gain: 2 }]"), Rejection);
  EXPECT_THROW(given("layers: [{ error: 1, repeat: 1.5 }]"), Rejection);
  EXPECT_THROW(given("layers: [{ error: 1, gain: -1 }]"), Rejection);
  EXPECT_THROW(given("layers: [{ error: 1, gain: 2, repeat: 1_000_000_000 }]"), Rejection);
  EXPECT_EQ(given("layers: [{ error: 1e-9, repeat: 1_000_000_000 }]"), "given hidden_drift  1/1");
  EXPECT_EQ(given("layers: [{ error: 0, gain: 2, repeat: 1_000_000_000 }]"),
            "given hidden_drift  0/1");
  // 1 + 1/2 + 1/4 + … up to a number of bits, and up to exp(1) − 1 of 10^9 compound steps.
  auto drift = [](const char* text) { return readGiven(entry(text))[0].bound; };
  const Number half = drift("layers: [{ error: 1, gain: 0.5, repeat: 1_000_000_000 }]"),
               e = drift("layers: [{ error: 1e-9, gain: 1.000000001, repeat: 1_000_000_000 }]");
  EXPECT_LT(half, Number(20'001, 10'000));
  EXPECT_LT(Number(19'999, 10'000), half);
  EXPECT_LT(e, Number(17'183, 10'000));
  EXPECT_LT(Number(17'182, 10'000), e);
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
  EXPECT_EQ(clause("x: { require: max(logit_osc) <= 1 on slices, slices: [a] }"),
            "sup logit_osc <= 1/1");
  const Tree link = entry("link: [train, serve]");
  EXPECT_EQ(itemsOf(&link), (std::vector<std::string>{"train", "serve"}));
}

TEST(Tree, ReadsYaml) {
  const Tree tree =
      parseYaml("# x: 3\n---\nnumerical:\n  x:\n    require: max(tv)\n      <= 1 on a, b\n"
                "    slices: [a]   # and\n\n    # no more\n  y: 'it''s'\n"
                "  z: |\n    k: 1\n    # l: 2\n\n  u: >-\n    a\n    b\n"
                "list:\n- a\n- b: 1\n  c: 2\nempty:\nmodel: { horizon: 64 tokens, a: [] }\n"
                "--- # next\nlast: { z: 1,\n  \"u\": \"2 # 3\" }\n");
  ASSERT_EQ(tree.items.size(), 2U);
  EXPECT_EQ(tree.items[0].print(),
            "{ numerical: { x: { require: max(tv) <= 1 on a, b, slices: [a] }, y: it's, "
            "z:  k: 1 # l: 2, u:  a b }, list: [a, { b: 1, c: 2 }], empty: , "
            "model: { horizon: 64 tokens, a: [] } }");
  EXPECT_EQ(tree.items[1].print(), "{ last: { z: 1, u: 2 # 3 } }");
}

TEST(Tree, PassesOverKeysOfTheAuthorsOwn) {
  for (const char* text :
       {"a: { x-t: zz, b: 1, x-u: [2], c: 3, x-v: 4 }", "x-top: 1\na: { b: 1, c: 3 }",
        "a:\n  x-t: { d: 5 }\n  b: 1\n  c: 3\n"}) {
    const Tree tree = parseYaml(text).items.at(0);
    EXPECT_EQ(tree.items.size(), 1u) << text;
    EXPECT_EQ(tree["a"].items.size(), 2u) << text;
    EXPECT_EQ(tree["a"]["c"].count(), 3) << text;
  }
}

TEST(Tree, RefusesWhatMayMeanSomethingElse) {
  for (const char* text : {"a",
                           "- a",
                           "a: &x 1",
                           "a: *x",
                           "a: !!int 1",
                           "<<: *x",
                           "? a",
                           "a: 1\na: 2",
                           "a: b: c",
                           "a:\n  b: 1\n c: 2",
                           "a: b\n  c: 1",
                           "a: \"b",
                           "a: [b",
                           "a: {b: 1, b: 2}",
                           "a: {b}",
                           "a: @b",
                           "a: %b",
                           "\ta: 1",
                           "a: 1\t",
                           "%YAML 1.1\n---\na: 1",
                           "a: 1\n...",
                           "a: [1] 2",
                           "a: 'b' c",
                           "a: {b: c: d}",
                           "a: 1\n- b",
                           "a: ]",
                           "---\n---\na: 1"})
    EXPECT_THROW(parseYaml(text), Rejection) << text;
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
                           "x: max(tv) <= 1 and",
                           "x: { require: max(tv) <= 1, require: max(tv) <= 2 }",
                           "x: { slices: [a], require: max(tv) <= 1, slices: [b] }"})
    EXPECT_THROW(clause(text), Rejection) << text;
  for (const char* text :
       {"horizon: many", "horizon: 4 tokens 5", "temperature: 1", "reward: 1", "reward: [0, 1, 2]",
        "support: partial", "correction: tis", "x: y", "support: { support: full }"})
    EXPECT_THROW(given(text), Rejection) << text;
}

} // namespace
} // namespace verify::tests
