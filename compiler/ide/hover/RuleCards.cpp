#include "ide/hover/Cards.h"
#include "lint/Actions.h"
#include "lint/RuleWords.h"
#include "pipeline/Pipeline.h"
#include "policy/Study.h"

#include <fmt/format.h>

namespace tikc::ide {

namespace {

/// Of rules that were read whole, the plan has those alone.
std::optional<std::uint32_t> indexIn(const plan::Plan& plan, const model::Rule& rule) {
  for (std::uint32_t i = 0; i < plan.rules.size(); ++i)
    if (plan.rules[i].id == rule.id.text)
      return i;
  return std::nullopt;
}

/// What a search has found of one rule, or that it was cut off.
class ProspectTeller {
public:
  ProspectTeller(Card& card, const plan::Plan& plan, std::uint32_t rule)
      : card_(card), plan_(plan), study_(plan), words_(plan, study_), rule_(rule) {}

  void tell() {
    tell("starts", words_.whyNeverStarts(rule_), study_.prospect(rule_).acts);
    if (study_.prospect(rule_).acts && plan_.rules[rule_].until)
      tell("ends", words_.whyNeverEnds(rule_), study_.prospect(rule_).ends);
  }

private:
  void tell(std::string_view what, const std::optional<std::string>& whyNever,
            const std::optional<policy::Occurrence>& shows) {
    std::string name = words_.nameOf(rule_);
    if (shows)
      card_.item(fmt::format("{} {}{} after these verdicts: {}", name, what, words_.placeOf(*shows),
                             card_.ticked(policy::print(plan_, *shows))));
    else if (whyNever)
      card_.item(fmt::format("{} never {}: {}", name, what, *whyNever));
    else
      card_.item(fmt::format("tikc did not find how {} {}: the search is too large", name, what));
  }

  Card& card_;
  const plan::Plan& plan_;
  policy::Study study_;
  lint::RuleWords words_;
  std::uint32_t rule_;
};

} // namespace

void tellProspect(Card& card, const ProvenContract& proven, const model::Rule& rule) {
  const model::Contract& contract = *proven.contract;
  // What a contract with errors does is not known, and one that is measured offline does nothing.
  if (!proven.proof || lint::isOfflineAlone(contract))
    return;
  auto plan = pipeline::searchedPolicy(contract);
  if (auto index = plan ? indexIn(*plan, rule) : std::nullopt)
    ProspectTeller(card, *plan, *index).tell();
}

} // namespace tikc::ide
