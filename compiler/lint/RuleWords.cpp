#include "lint/RuleWords.h"

#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>

namespace tikc::lint {

using policy::Occurrence;
using policy::Prospect;
using utf8::ticked;

std::string RuleWords::nameOf(std::uint32_t rule) const { return ticked(plan_.rules[rule].id); }

std::string RuleWords::placeOf(const Occurrence& shows) const {
  return plan_.slices.size() > 1 ? fmt::format(" on {}", ticked(plan_.slices[shows.slice].name))
                                 : "";
}

std::string RuleWords::after(std::string_view what, const Occurrence& shows) const {
  return fmt::format("{}{} after these verdicts: {}", what, placeOf(shows), print(plan_, shows));
}

bool RuleWords::isJudged(std::uint32_t clause, const plan::Rule& rule) const {
  return std::any_of(rule.slices.begin(), rule.slices.end(),
                     [&](std::uint32_t slice) { return policy::applies(plan_, clause, slice); });
}

/// A clause that a trigger names and that is judged on none of the rule's slices.
std::optional<std::uint32_t> RuleWords::unjudged(const plan::Trigger& trigger,
                                                 const plan::Rule& rule) const {
  if (trigger.clause && !isJudged(*trigger.clause, rule))
    return trigger.clause;
  for (const plan::Trigger& part : trigger.parts)
    if (auto reason = unjudged(part, rule))
      return reason;
  return std::nullopt;
}

std::string RuleWords::whyNever(std::uint32_t rule, const plan::Trigger& trigger,
                                std::string_view key) const {
  bool isEverywhere = plan_.rules[rule].slices.size() == plan_.slices.size();
  if (auto clause = unjudged(trigger, plan_.rules[rule]))
    return fmt::format("{} is not judged on {}", ticked(plan_.clauses[*clause].id),
                       isEverywhere ? "any slice" : "its slices");
  return fmt::format("no verdicts make its `{}` true", key);
}

std::optional<std::string> RuleWords::whyNeverStarts(std::uint32_t rule) {
  const Prospect& prospect = study_.prospect(rule);
  if (prospect.acts || !prospect.isKnown)
    return std::nullopt;
  if (prospect.starvedBy)
    return fmt::format("{} starts no later, and takes away the traffic to judge its `when`",
                       nameOf(*prospect.starvedBy));
  return whyNever(rule, plan_.rules[rule].when, "when");
}

std::optional<std::string> RuleWords::whyNeverEnds(std::uint32_t rule) {
  const Prospect& prospect = study_.prospect(rule);
  if (!plan_.rules[rule].until || !prospect.acts || prospect.ends || !prospect.isKnown)
    return std::nullopt;
  if (prospect.starvedBy == rule)
    return "its actions leave no traffic to judge its `until`";
  if (prospect.starvedBy)
    return fmt::format("{} leaves no traffic to judge its `until`", nameOf(*prospect.starvedBy));
  return whyNever(rule, *plan_.rules[rule].until, "until");
}

std::string RuleWords::askedOf(const policy::Doubt& doubt) const {
  using Question = policy::Doubt::Question;
  const std::string rule = nameOf(doubt.rule), other = doubt.other ? nameOf(*doubt.other) : "";
  switch (doubt.question) {
  case Question::Acts:
    return fmt::format("whether {} can start", rule);
  case Question::Steps:
    return fmt::format("whether all steps of {} are reached", rule);
  case Question::Ends:
    return fmt::format("whether {} can end", rule);
  case Question::Overruled:
    return fmt::format("whether {} always gives way to {}", rule, other);
  case Question::Covered:
    return fmt::format("whether {} is active only while {} is", rule, other);
  case Question::Flaps:
    return fmt::format("whether traffic goes back and forth with {}{}{}", rule,
                       doubt.other ? " and " : "", other);
  case Question::Clashes:
    return fmt::format("whether {} and {} start at once", rule, other);
  case Question::Outlasts:
    return fmt::format("whether {} keeps {} from traffic when data are back", rule, other);
  }
  return {};
}

std::vector<std::string> RuleWords::unknown() const {
  constexpr std::size_t mostAsked = 5;
  const auto& doubts = study_.doubts();
  std::vector<std::string> out;
  for (std::size_t i = 0; i < std::min(doubts.size(), mostAsked); ++i)
    out.push_back(fmt::format("not known: {}", askedOf(doubts[i])));
  if (doubts.size() > mostAsked)
    out.push_back(fmt::format("more such questions: {}", doubts.size() - mostAsked));
  out.push_back("tikc can finish the search with shorter windows, and fewer clauses by name in one "
                "rule; `tikc test` runs any sequence that you write");
  return out;
}

} // namespace tikc::lint
