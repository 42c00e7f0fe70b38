#pragma once

#include "model/Contract.h"

#include <concepts>
#include <type_traits>

/// The members of a contract's maps, each under its key, in the order in which contracts are
/// printed. The reader, the printer and the places of facts use this one list.
namespace tikc::model {

template <typename T, typename Map>
concept IsMap = std::same_as<std::remove_const_t<T>, Map>;

/// Calls visit(key, member) for each of them.
void forEachMember(IsMap<Kernel> auto& map, const auto& visit) {
  visit("engine", map.engine);
  visit("version", map.version);
  visit("build", map.build);
  static constexpr std::string_view formats[kernelParts] = {"weights", "compute", "accumulate",
                                                            "kv_cache", "logits"};
  for (std::size_t part = 0; part < kernelParts; ++part)
    visit(formats[part], map.formats[part]);
  visit("logprobs", map.logprobs);
  visit("deterministic", map.deterministic);
  visit("batch_invariant", map.batchInvariant);
  visit("attention", map.attention);
  visit("hardware", map.hardware);
  visit("routing_replay", map.routingReplay);
  visit("router", map.router);
  visit("experts", map.experts);
  visit("experts_per_token", map.expertsPerToken);
}

void forEachMember(IsMap<Parallel> auto& map, const auto& visit) {
  visit("tp", map.tensor);
  visit("dp", map.data);
  visit("pp", map.pipeline);
  visit("ep", map.expert);
  visit("cp", map.context);
}

void forEachMember(IsMap<Sampling> auto& map, const auto& visit) {
  visit("temperature", map.temperature);
  visit("top_p", map.topP);
  visit("top_k", map.topK);
  visit("min_p", map.minP);
}

void forEachMember(IsMap<Policy> auto& map, const auto& visit) {
  visit("name", map.name);
  visit("digest", map.digest);
  visit("vocabulary", map.vocabulary);
  visit("horizon", map.horizon);
  visit("temperature", map.temperature);
  visit("logit_bound", map.logitBound);
}

void forEachMember(IsMap<Load> auto& map, const auto& visit) {
  visit("tokens", map.tokens);
  visit("requests", map.requests);
  visit("sequences", map.sequences);
  visit("steps", map.steps);
}

void forEachMember(IsMap<Assumptions> auto& map, const auto& visit) {
  visit("support", map.support);
  visit("mean_length", map.meanLength);
  visit("least_mean_length", map.leastMeanLength);
  visit("reward", map.reward);
  visit("step_reward", map.stepReward);
  visit("reward_sigma", map.rewardSigma);
  visit("reward_lipschitz", map.rewardLipschitz);
  visit("advantage", map.advantage);
  visit("group", map.group);
  visit("score_norm", map.scoreNorm);
  visit("estimator", map.estimator);
  visit("loss", map.loss);
  visit("correction", map.correction);
  visit("discount", map.discount);
  visit("ratio_cap", map.ratioCap);
  visit("layers", map.layers);
  visit("head_norm", map.headNorm);
  visit("staleness", map.staleness);
}

void forEachMember(IsMap<Slice> auto& map, const auto& visit) {
  visit("weight", map.weight);
  visit("token_weight", map.tokenWeight);
  visit("mean_length", map.meanLength);
  visit("least_mean_length", map.leastMeanLength);
}

void forEachMember(IsMap<Stage> auto& map, const auto& visit) {
  visit("data", map.data);
  visit("traffic", map.traffic);
  visit("window", map.window);
  visit("tokens", map.tokens);
  visit("sequences", map.sequences);
  visit("lasts", map.lasts);
  visit("confidence", map.confidence);
  visit("corridor", map.corridor);
}

} // namespace tikc::model
