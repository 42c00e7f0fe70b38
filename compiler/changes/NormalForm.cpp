#include "changes/NormalForm.h"

#include "changes/Triggers.h"
#include "model/Meaning.h"
#include "model/Metrics.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <tuple>

namespace tikc::changes {

using model::Call;
using model::CallId;
using model::Contract;

namespace {

/// All that a rule does it does at once; of what leads traffic elsewhere the first wins.
void sortActions(std::vector<Call>& actions) {
  auto place = [](const Call& action) {
    bool isOrdered = action.id == CallId::Route || action.id == CallId::Correct;
    return std::tuple(action.id,
                      isOrdered ? std::string() : model::print(model::canonical(action.expr)));
  };
  std::stable_sort(actions.begin(), actions.end(),
                   [&](const Call& a, const Call& b) { return place(a) < place(b); });
}

void sortNames(std::vector<model::Name>& names) {
  std::sort(names.begin(), names.end(),
            [](const model::Name& a, const model::Name& b) { return a.text < b.text; });
}

void normalize(model::Rule& rule) {
  for (auto member : {&model::Rule::when, &model::Rule::until})
    if (rule.*member)
      rule.*member = normalTrigger(*(rule.*member));
  sortActions(rule.actions);
  for (model::Step& step : rule.steps)
    sortActions(step.actions);
  sortNames(rule.slices);
}

void dropDefaults(model::Statement& statement, const Contract& contract) {
  if (statement.severity.value == model::Severity::Error)
    statement.severity.span = {};
  if (contract.chain.empty())
    return;
  if (statement.link && statement.link->from.text == contract.chain.front().text &&
      statement.link->to.text == contract.chain.back().text)
    statement.link.reset();
  if (statement.drawn && statement.drawn->text == contract.chain.back().text)
    statement.drawn.reset();
}

/// What a key says that would be so without it, as `model::Laws` takes it.
void dropDefaults(Contract& out) {
  auto isOne = [](const std::optional<model::Number>& number) {
    return number && number->value == 1;
  };
  if (isOne(out.policy.temperature))
    out.policy.temperature.reset();
  for (model::Kernel& kernel : out.kernels) {
    if (kernel.logprobs && kernel.logprobs->value == "processed")
      kernel.logprobs.reset();
    if (!out.policy.temperature && isOne(kernel.sampling.temperature))
      kernel.sampling.temperature.reset();
    if (isOne(kernel.sampling.topP))
      kernel.sampling.topP.reset();
    if (kernel.sampling.minP && kernel.sampling.minP->value == 0)
      kernel.sampling.minP.reset();
  }
  if (out.assumptions.loss && out.assumptions.loss->value == model::Loss::TokenSum)
    out.assumptions.loss.reset();
}

} // namespace

bool watchesEach(const Contract& contract, const model::Rule& rule) {
  std::set<std::string_view> named;
  for (const model::Name& slice : rule.slices)
    named.insert(slice.text);
  return named.empty() || named.size() == contract.slices.size() + 1;
}

Contract normalOf(const Contract& contract) {
  Contract out = contract;
  out.isPair = false;
  dropDefaults(out);
  for (model::Clause& clause : out.clauses) {
    if (!clause.directive)
      clause.family = model::Family::Numerical;
    dropDefaults(clause, contract);
  }
  for (model::Claim& claim : out.claims)
    dropDefaults(claim, contract);
  for (model::Rule& rule : out.rules) {
    normalize(rule);
    if (watchesEach(contract, rule))
      rule.slices.clear();
  }
  for (model::Label& label : out.labels)
    std::sort(label.values.begin(), label.values.end(),
              [](const model::Text& a, const model::Text& b) { return a.value < b.value; });
  return out;
}

NormalForms normalForms(const Contract& old, const Contract& fresh, const Overlap& overlap) {
  NormalForms out{normalOf(old), normalOf(fresh)};
  for (std::size_t i = 0; i < old.slices.size(); ++i)
    for (std::size_t j = 0; j < fresh.slices.size(); ++j)
      if (old.slices[i].name.text == fresh.slices[j].name.text && overlap.isSame(i, j)) {
        out.old.slices[i].when.reset();
        out.fresh.slices[j].when.reset();
      }
  return out;
}

} // namespace tikc::changes
