#pragma once

#include "policy/Study.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tikc::lint {

/// The results of a policy search, in words that findings and editors share.
class RuleWords {
public:
  RuleWords(const plan::Plan& plan, policy::Study& study) : plan_(plan), study_(study) {}

  /// Returns the rule's name in backticks.
  std::string nameOf(std::uint32_t rule) const;
  /// Returns ", on `math`,"; empty without slices.
  std::string placeOf(const policy::Occurrence& shows) const;
  /// Returns "it ends on `math` after these verdicts: { drift: violated*2 }".
  std::string after(std::string_view what, const policy::Occurrence& shows) const;

  /// Returns nothing if the rule starts, or if the search was cut off.
  std::optional<std::string> whyNeverStarts(std::uint32_t rule);
  /// Returns why a rule that starts and has `until` never ends; nothing if it does or the search
  /// was cut off.
  std::optional<std::string> whyNeverEnds(std::uint32_t rule);

  /// Returns the questions without an answer: "whether `away` ends".
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
