#pragma once

#include "policy/Study.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tikc::lint {

/// What a search has found of rules, in words that findings and editors share.
class RuleWords {
public:
  RuleWords(const plan::Plan& plan, policy::Study& study) : plan_(plan), study_(study) {}

  /// In backticks.
  std::string nameOf(std::uint32_t rule) const;
  /// ", on `math`,"; empty where there are no slices.
  std::string placeOf(const policy::Occurrence& shows) const;
  /// "it ends, on `math`, after verdicts: { drift: violated*2 }".
  std::string after(std::string_view what, const policy::Occurrence& shows) const;

  /// Nothing where the rule does, and where the search was cut off.
  std::optional<std::string> whyNeverStarts(std::uint32_t rule);
  /// The same of one that starts and has an `until`.
  std::optional<std::string> whyNeverEnds(std::uint32_t rule);

  /// What the study has no answer to: "whether `away` ends".
  std::vector<std::string> unknown() const;

private:
  std::string askedOf(const policy::Doubt& doubt) const;
  bool isJudged(std::uint32_t clause, const plan::Rule& rule) const;
  std::optional<std::uint32_t> unjudged(const plan::Trigger& trigger, const plan::Rule& rule) const;
  std::string whyNever(std::uint32_t rule, const plan::Trigger& trigger,
                       std::string_view key) const;

  const plan::Plan& plan_;
  policy::Study& study_;
};

} // namespace tikc::lint
