#pragma once

#include "explain/Explanation.h"

/// The words and numbers that every format shares.
namespace tikc::explain {

/// Short and exact, or rounded to five digits.
std::string number(const Rational& value, bounds::Rounding rounding);
/// Rounded to the side on which a bound stays true.
std::string boundNumber(const Rational& value, bool isLower);
/// With its symbol: "40%", "0.25 nat".
std::string measured(const Rational& value, const Notation& notation, bounds::Rounding rounding);

/// "mean(tv)", "p99(logit_osc)", "reward_range".
std::string keyText(const bounds::Key& key);
/// "mean(tv) <= 0.06424".
std::string stepText(const ChainStep& step);
/// "1.1% to spare", of the budget, or what exceeds it; empty without a bound.
std::string slackText(const Chapter& chapter);
std::string slackText(const std::optional<Rational>& slack, bool isLower);
/// "L-TV-OSC at omega = 0.25"; of an input, what it rests on: "clause worst_drift".
std::string reasonText(const ChainStep& step);
/// "L-MEAN-SUP, L-OSC-TAU": the lemmas that changed no number.
std::string foldText(const ChainStep& step);
std::string_view kindName(bounds::Origin::Kind kind);
/// "support: full" for what is no clause; a clause's comparison.
std::string groundText(const Ground& ground);
/// "examples/a.tikc.yaml:40:14"; "by default" without a place.
std::string spotText(const std::optional<Spot>& spot);
/// "on math and code", "on every slice"; empty where the contract has no slices.
std::string whereText(const Chapter& chapter);
/// What became of the claim, in one sentence.
std::string verdictText(const Chapter& chapter);
/// "0.251 nat", "whatever it is".
std::string reachText(const Reach& reach);
/// What stands in for a derivation where there is none, a line each.
std::vector<std::string> missingLines(const Chapter& chapter);

/// What is told of a contract that is a draft.
inline constexpr std::string_view draftText =
    "A draft: claims that are not proved are warnings, and become errors once it is not a draft.";

/// On one line, with nothing that acts on a terminal: what a contract's author wrote.
std::string oneLine(std::string_view text);

} // namespace tikc::explain
