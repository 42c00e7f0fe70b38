#include "unit/Checked.h"

#include "model/Metrics.h"
#include "support/Names.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

/// Names that people bring, and slips of the keyboard: what is written for them is safe only where
/// the text can mean nothing else.
namespace tikc::tests {
namespace {

using model::AliasInfo;
using model::AliasOf;

/// A contract in which the name stands where such names do.
std::string contractWith(AliasOf of, std::string_view name) {
  std::string more = of == AliasOf::KernelKey ? fmt::format(", {}: 1", name) : "";
  std::string pair = "train: trainer, infer: rollout", model;
  if (of == AliasOf::ParallelKey)
    more = fmt::format(", parallel: {{ {}: 1 }}", name);
  else if (of == AliasOf::ModelKey)
    model = fmt::format("model: {{ {}: 1 }}\n", name);
  else if (of == AliasOf::PairKey)
    pair = fmt::format("{}: trainer", name);
  std::string kernels = "kernels:\n"
                        "  trainer: { engine: fsdp2, weights: " +
                        std::string(of == AliasOf::Format ? name : "bf16") +
                        " }\n"
                        "  rollout: { engine: vllm" +
                        more + " }\n";
  std::string clause = "p99(k3) <= 0.5", claim = "tv <= 50%", action = "hold";
  if (of == AliasOf::Metric)
    clause = fmt::format("p99({}) <= 0.5", name);
  else if (of == AliasOf::Measure)
    clause = (name.find(' ') == name.npos ? fmt::format("{} <= 0.5", name) : std::string(name));
  else if (of == AliasOf::Aggregate)
    clause = fmt::format("{}({}) <= 0.5", name, name.starts_with("frac") ? "k3 > 1" : "k3");
  else if (of == AliasOf::Claim)
    claim = fmt::format("{} <= 0.5", name);
  else if (of == AliasOf::Action)
    action = name;
  return "tikc: v1\ncontract: test\nversion: 1.0.0\n" + kernels + "pair: { " + pair + " }\n" +
         model + "statistical: { c: '" + clause + "' }\nclaims: { d: '" + claim +
         "' }\nescalation:\n  r: { when: violated(c), do: '" + action + "' }\n";
}

bool isUnknownName(diag::Code code) {
  return code == diag::Code::NotClaimed || code == diag::Code::NotMeasured ||
         code == diag::Code::UnknownKey ||
         (code >= diag::Code::UnknownMetric && code <= diag::Code::UnknownFormat);
}

std::vector<diag::Diagnostic> unknownNames(const Checked& checked) {
  std::vector<diag::Diagnostic> out;
  for (const diag::Diagnostic& found : checked.diagnostics())
    if (isUnknownName(found.code))
      out.push_back(found);
  return out;
}

std::string applied(std::string text, const diag::Fix& fix) {
  std::vector<Edit> edits = fix.edits;
  std::sort(edits.begin(), edits.end(),
            [](const Edit& a, const Edit& b) { return b.span < a.span; });
  for (const Edit& edit : edits)
    text.replace(edit.span.begin, edit.span.end - edit.span.begin, edit.text);
  return text;
}

TEST(ForeignNames, EachIsAnsweredByItsRow) {
  for (const AliasInfo& row : model::aliases()) {
    SCOPED_TRACE(row.written);
    std::string text = contractWith(row.kind, row.written);
    auto found = unknownNames(Checked(text));
    ASSERT_EQ(found.size(), 1u);
    auto fix = std::find_if(found[0].fixes.begin(), found[0].fixes.end(), [&](const diag::Fix& f) {
      return f.title == fmt::format("write {}", row.instead);
    });
    if (row.instead.empty()) {
      EXPECT_EQ(found[0].fixes.size(), 0u);
      EXPECT_EQ(found[0].notes.at(0), row.says);
      continue;
    }
    ASSERT_NE(fix, found[0].fixes.end());
    EXPECT_EQ(fix->safe, row.isSame);
    EXPECT_TRUE(unknownNames(Checked(applied(text, *fix))).empty());
  }
}

/// log_prob_diff, LogprobDiff: tools of other languages spell them so.
TEST(ForeignNames, AreKnownInAnySpelling) {
  for (const AliasInfo& row : model::aliases()) {
    std::string camel, cut;
    for (std::size_t i = 0; i < row.written.size(); ++i) {
      char c = row.written[i];
      bool isFirst = i == 0 || row.written[i - 1] == '_';
      if (c != '_')
        camel += static_cast<char>(isFirst && c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
      cut += c;
      if (i == 2)
        cut += '_';
    }
    for (const std::string& spelt : {camel, cut}) {
      auto same = model::findAliases(row.kind, spelt);
      EXPECT_TRUE(std::any_of(same.begin(), same.end(), [&](const AliasInfo& other) {
        return other.says == row.says;
      })) << spelt;
    }
  }
  auto found = unknownNames(Checked(contractWith(AliasOf::Metric, "log_prob_diff")));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].fixes.at(0).title, "write logprob_gap");
}

/// No name from elsewhere is another spelling of one that is known here.
TEST(ForeignNames, HideNoneOfOurs) {
  for (const AliasInfo& row : model::aliases())
    for (const auto& metric : model::metrics()) {
      bool isMetric = row.kind == AliasOf::Metric || row.kind == AliasOf::Measure;
      EXPECT_FALSE(isMetric && withoutSeparators(row.written) == withoutSeparators(metric.symbol))
          << row.written;
    }
}

TEST(ForeignNames, WhatMayBeSeveralThingsIsNeverWrittenUnasked) {
  for (const AliasInfo& row : model::aliases())
    if (row.isSame) {
      EXPECT_EQ(model::findAliases(row.kind, row.written).size(), 1u) << row.written;
    }
}

TEST(ForeignNames, AnAggregateInTheNameIsTakenApart) {
  for (auto [name, whole] : {std::pair{"k3_mean", "mean(k3)"},
                             {"p99_latency", "p99(latency)"},
                             {"rollout_probs_diff_max", "max(prob_gap)"}}) {
    auto found = unknownNames(Checked(contractWith(AliasOf::Measure, name)));
    ASSERT_EQ(found.size(), 1u) << name;
    ASSERT_EQ(found[0].fixes.size(), 1u) << name;
    EXPECT_EQ(found[0].fixes[0].title, fmt::format("write {}", whole));
    EXPECT_TRUE(found[0].fixes[0].safe);
  }
}

/// As verl's rollout_corr_helper.py computes them since March 2026: of weights that are capped from
/// above alone, but for the shares outside, which are of the weights before that.
TEST(ForeignNames, VerlsWeightsAreWhatTheyAre) {
  for (auto [name, whole] : {std::pair{"rollout_is_mean", "mean(capped_ratio(0, 2))"},
                             {"rollout_is_max", "max(capped_ratio(0, 2))"},
                             {"rollout_is_min", "min(capped_ratio(0, 2))"},
                             {"rollout_is_std", "std(capped_ratio(0, 2))"},
                             {"rollout_is_eff_sample_size", "effective_share(capped_ratio(0, 2))"},
                             {"rollout_is_batch_norm_factor", "mean(capped_ratio(0, 2))"},
                             {"rollout_is_oob_ratio", "mean(clipped(0.5, 2))"},
                             {"rollout_rs_token_k3_max", "max(k3)"},
                             {"rollout_is_ratio_fraction_high", "rate(ratio > 2)"}}) {
    auto found = unknownNames(Checked(contractWith(AliasOf::Measure, name)));
    ASSERT_EQ(found.size(), 1u) << name;
    EXPECT_EQ(found[0].fixes.at(0).title, fmt::format("write {}", whole));
    EXPECT_FALSE(found[0].fixes[0].safe);
  }
}

/// A name that a trainer no longer logs says what replaced it.
TEST(ForeignNames, RetiredNamesNameTheirSuccessors) {
  struct Retired {
    AliasOf of;
    std::string_view name, successor;
  };
  for (const auto& [of, name, successor] :
       {Retired{AliasOf::Measure, "rollout_is_veto_fraction",
                "rollout_rs_seq_max_k2_seq_masked_fraction"},
        {AliasOf::Measure, "rollout_is_masked_fraction", "rollout_rs_masked_fraction"},
        {AliasOf::Metric, "behave_imp_weight", "rejection_sampling"}}) {
    auto found = unknownNames(Checked(contractWith(of, name)));
    ASSERT_EQ(found.size(), 1u) << name;
    ASSERT_FALSE(found[0].notes.empty()) << name;
    EXPECT_NE(found[0].notes[0].find(successor), std::string::npos) << found[0].notes[0];
  }
}

TEST(ForeignNames, AnAggregateOfAnAggregateIsSaid) {
  for (auto [name, whole] : {std::pair{"mean(rollout_probs_diff_mean)", "mean(prob_gap)"},
                             {"p99(latency_p99)", "p99(latency)"},
                             {"max(error_rate)", "mean(errors)"}}) {
    auto found =
        unknownNames(Checked(contractWith(AliasOf::Measure, fmt::format("{} <= 1", name))));
    ASSERT_EQ(found.size(), 1u) << name;
    ASSERT_FALSE(found[0].notes.empty()) << name;
    EXPECT_TRUE(
        found[0].notes[0].starts_with(fmt::format("there is an aggregate for this: `{}`", whole)))
        << found[0].notes[0];
  }
}

TEST(ForeignNames, WhatHasNoNeighbourIsToldWhatThereIs) {
  auto note = [](AliasOf of, std::string_view name) {
    auto found = unknownNames(Checked(contractWith(of, name)));
    return found.size() == 1 && !found[0].notes.empty() ? found[0].notes[0] : "";
  };
  EXPECT_EQ(note(AliasOf::Metric, "zzzzzzz"), "run `tikc explain metrics` for the list");
  EXPECT_TRUE(note(AliasOf::Claim, "zzzzzzz").starts_with("known: "))
      << note(AliasOf::Claim, "zzzzzzz");
  EXPECT_TRUE(note(AliasOf::Aggregate, "zzzzzzz").starts_with("known: "));
  EXPECT_TRUE(note(AliasOf::Format, "mxfp4").starts_with("known: "));
}

/// Each name of a table with each slip of one letter.
std::set<std::string> slipsOf(std::string_view name) {
  std::set<std::string> out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    std::string lost(name), doubled(name), other(name), swapped(name);
    lost.erase(i, 1);
    doubled.insert(i, 1, name[i]);
    other[i] = name[i] == '1' ? '2' : 'l';
    if (i + 1 < name.size())
      std::swap(swapped[i], swapped[i + 1]);
    for (const std::string& slip : {lost, doubled, other, swapped})
      if (isIdentifier(slip))
        out.insert(slip);
  }
  return out;
}

TEST(ForeignNames, AGuessIsNeverWrittenUnasked) {
  auto attack = [](AliasOf of, std::string_view name) {
    for (const std::string& slip : slipsOf(name)) {
      if (!model::findAliases(of, slip).empty())
        continue;
      for (const diag::Diagnostic& found : unknownNames(Checked(contractWith(of, slip))))
        for (const diag::Fix& fix : found.fixes)
          EXPECT_TRUE(!fix.safe || fix.title == fmt::format("write {}", name) ||
                      fix.title.starts_with("write quantile(")) // p59 is a number
              << slip << ": " << fix.title;
    }
  };
  for (const auto& row : model::metrics())
    attack(AliasOf::Metric, row.symbol);
  for (const auto& row : model::claims())
    attack(AliasOf::Claim, row.symbol);
  for (const auto& row : model::aggregates())
    attack(AliasOf::Aggregate, row.name);
}

/// What can be read in two ways is left to the author.
TEST(SafeFixes, AreNotOfferedForWhatHasTwoReadings) {
  for (std::string_view clause :
       {"mean(tv_sampled) in [0, 0.1)", "mean(tv_sampled) in (0, 0.1)", "mean(ratio) in {0.9, 1.1}",
        "p0.5(ratio) >= 0.9", "percentile(k3, 0.5) <= 0.1", "p9(k3) <= 0.1",
        "mean(k3) <= 0.1 over 4k tokens", "mean(k3) <= 0.1 over 10 m", "p99(latency) <= 45 Ms",
        "mean(k3) <= 0.1 and mean(k2) <= 0.1 over 1 h", "mean(logit-osc) <= 0.1"}) {
    Checked checked(contractWith(AliasOf::Measure, clause));
    EXPECT_FALSE(checked.diagnostics().empty()) << clause;
    for (const diag::Diagnostic& found : checked.diagnostics())
      for (const diag::Fix& fix : found.fixes)
        EXPECT_FALSE(fix.safe) << clause << ": " << fix.title;
  }
}

TEST(SafeFixes, KeepWhatANegationBinds) {
  Checked checked(head() + "slices: { a: { when: 'not 1 < batch_size < 8' } }\n");
  ASSERT_EQ(checked.diagnostics().size(), 1u);
  ASSERT_EQ(checked.diagnostics()[0].fixes.size(), 1u);
  EXPECT_EQ(checked.diagnostics()[0].fixes[0].edits[0].text, "(batch_size > 1 and batch_size < 8)");
}

TEST(SafeFixes, AKeyIsNotTakenForAnother) {
  for (std::string_view tail : {"assumptions: { support: { top_k: 1 } }\n",
                                "escalation: { r: { if: violated(any), then: hold } }\n"}) {
    Checked checked(head() + std::string(tail));
    EXPECT_FALSE(checked.diagnostics().empty());
    for (const diag::Diagnostic& found : checked.diagnostics())
      for (const diag::Fix& fix : found.fixes)
        EXPECT_FALSE(fix.safe) << tail << fix.title;
  }
}

} // namespace
} // namespace tikc::tests
