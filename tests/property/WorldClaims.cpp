#include "property/Visits.h"

namespace tikc::tests {

using model::Aggregate;
using model::CallId;
using model::ClaimId;
using model::GradientEstimator;
using model::Loss;

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

/// The part of one link's claims.
class Claimed {
public:
  Claimed(const World& of, const Setting& given, const Link& ends)
      : world(of), setting(given), link(ends) {}

  /// Of all responses together, each kernel's divided by its own mean length.
  double ofBatch(const Population& population) {
    trainLength = lengthOf(world, setting, population, link.first);
    inferLength = lengthOf(world, setting, population, link.second);
    double out = 0;
    eachPrompt(population, [&](const Prompt& prompt, double weight) {
      out += weight * ofPrompt(prompt, ClaimId::PgBias);
    });
    return out;
  }

  double ofNode(const Node& node, ClaimId claim) const {
    View p(node.of[link.first].served.data(), world.tokens),
        q(node.of[link.second].served.data(), world.tokens);
    switch (claim) {
    case ClaimId::Tv:
      return distance(p, q);
    case ClaimId::StepRewardDrift:
      return (setting.stepHigh - setting.stepLow) * distance(p, q);
    case ClaimId::KlTrainInfer:
      return klOf(p, q);
    case ClaimId::KlInferTrain:
      return klOf(q, p);
    case ClaimId::Hellinger:
      return between(MetricId::Hellinger, p, q);
    case ClaimId::Js:
      return between(MetricId::Js, p, q);
    case ClaimId::EntropyGap:
      return between(MetricId::EntropyGap, p, q);
    case ClaimId::Top1Flip:
      return between(MetricId::Top1Flip, p, q);
    default: // χ² and what is made of it
      return chi2Of(p, q);
    }
  }

  double ofPrompt(const Prompt& prompt, ClaimId claim) const {
    switch (claim) {
    case ClaimId::SeqTv:
      return responseTv(prompt);
    case ClaimId::RewardDrift:
      return rewardDrift(prompt);
    case ClaimId::DiscountedRewardDrift:
      return discountedDrift(prompt);
    case ClaimId::SeqKl:
      return sumOver(prompt, [&](double p, double q) {
        return q <= 0 ? 0 : p <= 0 ? infinity : q * std::log(q / p);
      });
    case ClaimId::SeqEss:
      return sumOver(prompt, [&](double p, double q) {
        return p <= 0 ? 0 : q <= 0 ? infinity : p * (p / q);
      });
    default:
      return setting.group > 0 ? groupBias(prompt) : bias(prompt);
    }
  }

  /// Of one token, as a response of its own.
  double ofOneToken(const Node& node) const {
    Prompt alone;
    alone.nodes.push_back(node);
    return bias(alone);
  }

  double sumOver(const Prompt& prompt, const auto& term) const {
    double out = 0;
    for (const Path& path : pathsOf(world, setting, prompt, mostDepth))
      out += term(path.mass[link.first], path.mass[link.second]);
    return out;
  }

private:
  double responseTv(const Prompt& prompt) const {
    return sumOver(prompt, [](double p, double q) { return std::abs(p - q) / 2; });
  }

  /// The largest drift of a reward that is 0 or one size: the size is what may be assumed.
  double rewardDrift(const Prompt& prompt) const {
    double size = std::min(setting.rewardRange.value_or(infinity),
                           setting.rewardLipschitz.value_or(infinity));
    if (!setting.rewardSigma)
      return size * responseTv(prompt);
    std::vector<Path> paths = pathsOf(world, setting, prompt, mostDepth);
    auto of = [&](const Path& path) {
      return std::pair(path.mass[link.first], path.mass[link.second]);
    };
    std::sort(paths.begin(), paths.end(), [&](const Path& a, const Path& b) {
      auto [pa, qa] = of(a);
      auto [pb, qb] = of(b);
      return pa * qb > pb * qa;
    });
    double p = 0, q = 0, out = 0;
    for (const Path& path : paths) {
      p += of(path).first;
      q += of(path).second;
      double gap = std::abs(p - q);
      if (gap > 1e-12)
        out = std::max(out, gap * std::min(size, *setting.rewardSigma / spreadOf(q)));
    }
    return out;
  }

  /// The sub-Gaussian parameter of an event's indicator.
  static double spreadOf(double q) {
    if (q <= 1e-300 || q >= 1 - 1e-12)
      return 1e-12;
    if (std::abs(q - 0.5) < 1e-4)
      return 0.5;
    return std::sqrt((1 - 2 * q) / (2 * std::log((1 - q) / q)));
  }

  /// A step's reward is earned by the responses that reach it.
  double discountedDrift(const Prompt& prompt) const {
    double out = 0;
    for (std::size_t t = 1; t <= prompt.length; ++t) {
      double up = 0, down = 0;
      for (const Path& path : pathsOf(world, setting, prompt, t)) {
        double gap = path.count == t ? path.mass[link.first] - path.mass[link.second] : 0;
        (gap > 0 ? up : down) += std::abs(gap);
      }
      double most = std::max(setting.stepHigh * up - setting.stepLow * down,
                             setting.stepHigh * down - setting.stepLow * up);
      out += std::pow(setting.discount, static_cast<double>(t - 1)) * most;
    }
    return out;
  }

  bool isOfWhole() const { return setting.estimator == GradientEstimator::Sequence; }

  /// Weights are made of what is logged.
  double ratioOf(const Path& path, std::size_t t) const {
    double log = 0;
    for (std::size_t i = isOfWhole() ? 0 : t - 1; i < (isOfWhole() ? path.count : t); ++i)
      log += std::log(path.logged[link.first][i]) - std::log(path.logged[link.second][i]);
    return std::exp(log);
  }

  double sampled(const Path& path, std::size_t t) const {
    double mass = path.mass[link.second];
    return mass > 0 ? mass * weighted(setting, ratioOf(path, t)) : 0;
  }

  /// What one token's term is of its response's gradient.
  double partOf(const Path& path) const {
    return setting.loss == Loss::TokenMean ? 1 / static_cast<double>(path.count) : 1;
  }

  /// The norm of the bias where every term of the gradient points the worst way.
  double bias(const Prompt& prompt) const {
    bool isCausal = (setting.estimator == GradientEstimator::Step ||
                     setting.estimator == GradientEstimator::Token) &&
                    setting.loss != Loss::TokenMean;
    double out = 0;
    for (std::size_t t = 1; t <= prompt.length; ++t)
      for (const Path& path : pathsOf(world, setting, prompt, isCausal ? t : prompt.length))
        if (path.count >= t)
          out += partOf(path) *
                 std::abs(path.mass[link.first] / trainLength - sampled(path, t) / inferLength);
    return setting.gradient * out;
  }

  /// Of a group of two responses, whose terms may depend on both.
  double groupBias(const Prompt& prompt) const {
    std::vector<Path> paths = pathsOf(world, setting, prompt, prompt.length);
    double out = 0;
    for (std::size_t t = 1; t <= prompt.length; ++t)
      for (const Path& one : paths)
        for (const Path& other : paths)
          if (one.count >= t)
            out +=
                partOf(one) * std::abs(one.mass[link.first] * other.mass[link.first] / trainLength -
                                       sampled(one, t) * other.mass[link.second] / inferLength);
    return setting.gradient * out;
  }

  const World& world;
  const Setting& setting;
  const Link link;
  double trainLength = 1, inferLength = 1; // that a batch is divided by
};

/// All ratios of sampled tokens or responses; for the extremes, those that are not sampled, too.
std::vector<Atom> ratiosOf(const World& world, const Setting& setting, const Population& population,
                           bool isWhole, const Link& link) {
  std::vector<Atom> out;
  auto add = [&](double p, double q, double mass) {
    if (p > 0 || q > 0)
      out.push_back({q > 0 ? p / q : infinity, mass});
  };
  if (isWhole)
    eachPrompt(population, [&](const Prompt& prompt, double weight) {
      for (const Path& path : pathsOf(world, setting, prompt, mostDepth))
        add(path.mass[link.first], path.mass[link.second], weight * path.mass[link.second]);
    });
  else
    eachNode(world, population, setting.server(), [&](const Node& node, double reach) {
      const Row &p = node.of[link.first].served, &q = node.of[link.second].served,
                &draws = node.of[setting.server()].served;
      for (std::size_t i = 0; i < world.tokens; ++i)
        add(p[i], q[i], reach * draws[i]);
    });
  return out;
}

} // namespace

double claimed(const World& world, const Setting& setting, const Population& population,
               const model::Measure& measure, const Link& link, bool isLower) {
  ClaimId claim = measure.claim;
  if (claim == ClaimId::Ratio || claim == ClaimId::SeqRatio)
    return aggregate(ratiosOf(world, setting, population, claim == ClaimId::SeqRatio, link),
                     measure, isLower, roomOfClaims);
  std::vector<Atom> atoms;
  Claimed of(world, setting, link);
  bool isOfOneToken = claim == ClaimId::PgBias && setting.estimator == GradientEstimator::Step;
  if (claim == ClaimId::PgBias && !isOfOneToken && setting.loss == Loss::BatchMean)
    return of.ofBatch(population);
  if (model::info(claim).level == model::Level::Token || isOfOneToken)
    eachNode(world, population, setting.server(), [&](const Node& node, double reach) {
      atoms.push_back({isOfOneToken ? of.ofOneToken(node) : of.ofNode(node, claim), reach});
    });
  else
    eachPrompt(population, [&](const Prompt& prompt, double weight) {
      atoms.push_back({of.ofPrompt(prompt, claim), weight});
    });
  // A share of samples that is effective is the larger the smaller its χ² is.
  bool isOfShares = claim == ClaimId::Ess || claim == ClaimId::SeqEss;
  double value = aggregate(atoms, measure, isLower != isOfShares, roomOfClaims);
  return claim == ClaimId::Ess ? 1 / (1 + value) : claim == ClaimId::SeqEss ? 1 / value : value;
}

} // namespace tikc::tests
