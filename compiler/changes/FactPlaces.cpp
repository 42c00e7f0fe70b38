#include "changes/FactPlaces.h"

namespace tikc::changes {

FactPlaces::FactPlaces(const model::Contract& contract) {
  for (const model::Kernel& kernel : contract.kernels)
    places_.emplace("kernels." + kernel.name.text, kernel.name.span);
  for (const model::Label& label : contract.labels)
    places_.emplace("labels." + label.name.text, label.name.span);
  addPolicy(contract);
  addAssumptions(contract.assumptions);
}

void FactPlaces::addPolicy(const model::Contract& contract) {
  const model::Policy& policy = contract.policy;
  add("model.name", policy.name);
  add("model.digest", policy.digest);
  add("model.vocabulary", policy.vocabulary);
  add("model.temperature", policy.temperature);
  add("model.logit_bound", policy.logitBound);
  add("model.horizon", policy.horizon);
  add("load.tokens", contract.load.tokens);
  add("load.requests", contract.load.requests);
  add("load.sequences", contract.load.sequences);
  add("load.steps", contract.load.steps);
}

void FactPlaces::addAssumptions(const model::Assumptions& given) {
  add("assumptions.support", given.support);
  add("assumptions.reward", given.reward);
  add("assumptions.step_reward", given.stepReward);
  add("assumptions.reward_sigma", given.rewardSigma);
  add("assumptions.reward_lipschitz", given.rewardLipschitz);
  add("assumptions.advantage", given.advantage);
  add("assumptions.group", given.group);
  add("assumptions.score_norm", given.scoreNorm);
  add("assumptions.discount", given.discount);
  add("assumptions.ratio_cap", given.ratioCap);
  add("assumptions.head_norm", given.headNorm);
  add("assumptions.mean_length", given.meanLength);
  add("assumptions.least_mean_length", given.leastMeanLength);
  add("assumptions.staleness", given.staleness);
  add("assumptions.estimator", given.estimator);
  add("assumptions.loss", given.loss);
  if (given.correction)
    places_.emplace("assumptions.correction", given.correction->expr.span);
  if (!given.layers.empty())
    places_.emplace("assumptions.layers", given.layers.front().span);
}

Span FactPlaces::at(std::string path) const {
  for (;;) {
    if (auto known = places_.find(path); known != places_.end())
      return known->second;
    auto dot = path.rfind('.');
    if (dot == std::string::npos)
      return {};
    path.resize(dot);
  }
}

} // namespace tikc::changes
