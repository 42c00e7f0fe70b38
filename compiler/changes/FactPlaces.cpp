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

void FactPlaces::addAssumptions(const model::Assumptions& assumptions) {
  add("assumptions.support", assumptions.support);
  add("assumptions.reward", assumptions.reward);
  add("assumptions.step_reward", assumptions.stepReward);
  add("assumptions.reward_sigma", assumptions.rewardSigma);
  add("assumptions.reward_lipschitz", assumptions.rewardLipschitz);
  add("assumptions.advantage", assumptions.advantage);
  add("assumptions.group", assumptions.group);
  add("assumptions.score_norm", assumptions.scoreNorm);
  add("assumptions.discount", assumptions.discount);
  add("assumptions.ratio_cap", assumptions.ratioCap);
  add("assumptions.head_norm", assumptions.headNorm);
  add("assumptions.mean_length", assumptions.meanLength);
  add("assumptions.least_mean_length", assumptions.leastMeanLength);
  add("assumptions.staleness", assumptions.staleness);
  add("assumptions.estimator", assumptions.estimator);
  add("assumptions.loss", assumptions.loss);
  if (assumptions.correction)
    places_.emplace("assumptions.correction", assumptions.correction->expr.span);
  if (!assumptions.layers.empty())
    places_.emplace("assumptions.layers", assumptions.layers.front().span);
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
