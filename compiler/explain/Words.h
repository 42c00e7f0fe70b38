#pragma once

#include "explain/Explanation.h"

/// Words and numbers that all formats share.
namespace tikc::explain {

/// Returns a number exactly if that is short, otherwise rounded to five digits.
std::string number(const Rational& value, bounds::Rounding rounding);
/// Returns a bound rounded so that it stays true.
std::string boundNumber(const Rational& value, bool isLower);
/// Returns a number with its symbol: "40%", "0.25 nat".
std::string measured(const Rational& value, const Notation& notation, bounds::Rounding rounding);

/// Returns "mean(tv)", "p99(logit_osc)", "reward_range".
std::string keyText(const bounds::Key& key);
/// Returns "mean(tv) <= 0.06424".
std::string stepText(const ChainStep& step);
/// Returns "1.1% to spare" relative to the budget, or the excess; empty without a bound.
std::string slackText(const Chapter& chapter);
std::string slackText(const std::optional<Rational>& slack, bool isLower);
/// Returns "L-TV-OSC at omega = 0.25"; for an input, its source: "clause worst_drift".
std::string reasonText(const ChainStep& step);
/// Returns "L-MEAN-SUP, L-OSC-TAU": lemmas that changed no number.
std::string foldText(const ChainStep& step);
std::string_view kindName(bounds::Origin::Kind kind);
/// Returns a clause's comparison, or a text such as "support: full".
std::string groundText(const Ground& ground);
/// Returns "examples/a.tikc.yaml:40:14"; "by default" without a place.
std::string spotText(const std::optional<Spot>& spot);
/// Returns "on math and code", "on every slice"; empty if the contract has no slices.
std::string whereText(const Chapter& chapter);
/// Returns the verdict on the claim in one sentence.
std::string verdictText(const Chapter& chapter);
/// Returns "0.251 nat" or "any value".
std::string reachText(const Reach& reach);
/// Returns the lines that replace a missing derivation.
std::vector<std::string> missingLines(const Chapter& chapter);

/// The remark on drafts.
inline constexpr std::string_view draftText =
    "A draft: claims that are not proved are warnings, and become errors once it is not a draft.";

} // namespace tikc::explain
