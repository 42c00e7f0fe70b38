#include "property/Visits.h"

namespace tikc::tests {

using model::Aggregate;
using model::CallId;
using model::ClaimId;
using model::Estimator;

namespace {

/// What a correction makes of a ratio.
double weighted(const Setting& setting, double ratio) {
  auto argument = [&](std::size_t i) { return setting.arguments.at(i); };
  auto within = [&](double low, double high) { return ratio >= low && ratio <= high ? ratio : 0; };
  switch (setting.correction) {
  case CallId::NoCorrection:
    return 1;
  case CallId::TruncatedIs:
    return std::min(ratio, argument(0));
  case CallId::MaskedIs:
    return within(argument(0), argument(1));
  case CallId::Ppo:
    return within(1 - argument(0), 1 + argument(1));
  case CallId::Clip:
    return std::clamp(ratio, 1 - argument(0), 1 + argument(0));
  default:
    return ratio;
  }
}

/// The norm of the bias where every term of the gradient points the worst way.
double biasOf(const World& world, const Setting& setting, const Prompt& prompt) {
  bool isStep = setting.estimator == Estimator::Step,
       isCausal = isStep || setting.estimator == Estimator::Token;
  double out = 0;
  for (std::size_t t = 1; t <= world.depth; ++t) {
    for (const Path& path : pathsOf(world, prompt, isCausal ? t : world.depth)) {
      bool isWhole = setting.estimator == Estimator::Sequence;
      double ratio = isWhole ? std::exp(path.gap) : path.steps[t - 1];
      double sampled = path.inferMass > 0 ? path.inferMass * weighted(setting, ratio) : 0;
      out += std::abs(path.trainMass - sampled);
    }
  }
  return setting.gradient * out;
}

double responseTv(const World& world, const Prompt& prompt, std::size_t length) {
  double out = 0;
  for (const Path& path : pathsOf(world, prompt, length))
    out += std::abs(path.trainMass - path.inferMass) / 2;
  return out;
}

double ofPrompt(const World& world, const Setting& setting, const Prompt& prompt, ClaimId claim) {
  double out = 0;
  switch (claim) {
  case ClaimId::SeqTv:
    return responseTv(world, prompt, world.depth);
  case ClaimId::RewardDrift:
    return setting.reward * responseTv(world, prompt, world.depth);
  case ClaimId::DiscountedRewardDrift:
    for (std::size_t t = 1; t <= world.depth; ++t)
      out += setting.stepReward * std::pow(setting.discount, static_cast<double>(t - 1)) *
             responseTv(world, prompt, t);
    return out;
  case ClaimId::SeqKl:
    for (const Path& path : pathsOf(world, prompt, world.depth))
      out -= path.inferMass > 0 ? path.inferMass * path.gap : 0;
    return out;
  case ClaimId::SeqEss:
    for (const Path& path : pathsOf(world, prompt, world.depth))
      out += path.inferMass > 0   ? path.trainMass * std::exp(path.gap)
             : path.trainMass > 0 ? infinity
                                  : 0;
    return out;
  default:
    return biasOf(world, setting, prompt);
  }
}

double ofNode(const Node& node, ClaimId claim, const Setting& setting) {
  switch (claim) {
  case ClaimId::Tv:
    return distance(node.p, node.q);
  case ClaimId::StepRewardDrift:
    return setting.stepReward * distance(node.p, node.q);
  case ClaimId::KlTrainInfer:
    return klOf(node.p, node.q);
  case ClaimId::KlInferTrain:
    return klOf(node.q, node.p);
  case ClaimId::Hellinger:
    return between(MetricId::Hellinger, node.p, node.q);
  case ClaimId::Js:
    return between(MetricId::Js, node.p, node.q);
  case ClaimId::EntropyGap:
    return between(MetricId::EntropyGap, node.p, node.q);
  case ClaimId::Top1Flip:
    return between(MetricId::Top1Flip, node.p, node.q);
  default: // χ² and what is made of it
    return chi2Of(node.p, node.q);
  }
}

double extremeRatio(const World& world, const std::vector<const Part*>& parts, bool isWhole,
                    bool isLargest) {
  double out = 1;
  auto take = [&](double ratio) { out = isLargest ? std::max(out, ratio) : std::min(out, ratio); };
  eachPrompt(parts, [&](const Prompt& prompt, double) {
    if (isWhole)
      for (const Path& path : pathsOf(world, prompt, world.depth))
        take(std::exp(path.gap));
    for (const Node& node : prompt.nodes)
      for (std::size_t i = 0; !isWhole && i < world.tokens; ++i)
        take(node.p[i] / node.q[i]);
  });
  return out;
}

} // namespace

double claimed(const World& world, const std::vector<const Part*>& parts, const Setting& setting,
               const model::Measure& measure) {
  ClaimId claim = measure.claim;
  if (claim == ClaimId::Ratio || claim == ClaimId::SeqRatio)
    return extremeRatio(world, parts, claim == ClaimId::SeqRatio,
                        measure.aggregate == Aggregate::Max);
  std::vector<Atom> atoms;
  bool isOfStep = metrics::info(claim).level == metrics::Level::Token;
  eachPrompt(parts, [&](const Prompt& prompt, double weight) {
    if (isOfStep)
      eachNode(world, prompt, [&](const Node& node, double reach) {
        atoms.push_back({ofNode(node, claim, setting), weight * reach});
      });
    else if (claim == ClaimId::PgBias && setting.estimator == Estimator::Step)
      eachNode(world, prompt, [&](const Node& node, double reach) {
        World one{world.tokens, 1, {}};
        Prompt alone{1, 0, {node}};
        atoms.push_back({biasOf(one, setting, alone), weight * reach});
      });
    else
      atoms.push_back({ofPrompt(world, setting, prompt, claim), weight});
  });
  double value = aggregate(atoms, measure);
  return claim == ClaimId::Ess ? 1 / (1 + value) : claim == ClaimId::SeqEss ? 1 / value : value;
}

} // namespace tikc::tests
