#include "property/World.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace tikc::tests {

using model::Aggregate;
using model::CallId;
using model::ClaimId;
using model::Comparator;
using model::Estimator;
using model::MetricId;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

void normalise(std::vector<double>& masses) {
  double total = std::accumulate(masses.begin(), masses.end(), 0.0);
  for (double& mass : masses)
    mass /= total;
}

std::vector<double> softmax(const std::vector<double>& logits) {
  double top = *std::max_element(logits.begin(), logits.end());
  std::vector<double> out;
  for (double logit : logits)
    out.push_back(std::exp(logit - top));
  normalise(out);
  return out;
}

double sumOver(std::size_t count, const auto& term) {
  double out = 0;
  for (std::size_t i = 0; i < count; ++i)
    out += term(i);
  return out;
}

double klOf(const std::vector<double>& p, const std::vector<double>& q) {
  return sumOver(p.size(), [&](std::size_t i) {
    return p[i] <= 0 ? 0 : q[i] <= 0 ? infinity : p[i] * std::log(p[i] / q[i]);
  });
}

double entropyOf(const std::vector<double>& p) {
  return -sumOver(p.size(), [&](std::size_t i) { return p[i] > 0 ? p[i] * std::log(p[i]) : 0; });
}

double distance(const std::vector<double>& p, const std::vector<double>& q) {
  return sumOver(p.size(), [&](std::size_t i) { return std::abs(p[i] - q[i]); }) / 2;
}

double chi2Of(const std::vector<double>& p, const std::vector<double>& q) {
  return sumOver(p.size(), [&](std::size_t i) {
    return q[i] > 0 ? (p[i] - q[i]) * (p[i] - q[i]) / q[i] : p[i] > 0 ? infinity : 0;
  });
}

std::vector<double> halfway(const std::vector<double>& p, const std::vector<double>& q) {
  std::vector<double> out;
  for (std::size_t i = 0; i < p.size(); ++i)
    out.push_back((p[i] + q[i]) / 2);
  return out;
}

std::size_t top(const std::vector<double>& of) {
  return static_cast<std::size_t>(std::max_element(of.begin(), of.end()) - of.begin());
}

double logitMetric(MetricId metric, const Node& at) {
  double low = infinity, high = -infinity, squares = 0, largest = 0, relative = 0;
  for (std::size_t i = 0; i < at.z.size(); ++i) {
    double d = at.z[i] - at.zi[i];
    low = std::min(low, d);
    high = std::max(high, d);
    squares += d * d;
    largest = std::max(largest, std::abs(d));
    relative = std::max(relative, std::abs(d) / std::max(std::abs(at.z[i]), 1.0));
  }
  return metric == MetricId::LogitOsc   ? high - low
         : metric == MetricId::LogitL2  ? std::sqrt(squares)
         : metric == MetricId::LogitRel ? relative
                                        : largest;
}

/// A metric of two distributions, the trainer's first.
double between(MetricId metric, const std::vector<double>& p, const std::vector<double>& q) {
  switch (metric) {
  case MetricId::LogprobLinf: {
    double out = 0;
    for (std::size_t i = 0; i < p.size(); ++i)
      out = std::max(out, p[i] > 0 && q[i] > 0 ? std::abs(std::log(p[i] / q[i])) : infinity);
    return out;
  }
  case MetricId::Tv:
    return distance(p, q);
  case MetricId::Hellinger:
    return sumOver(p.size(),
                   [&](std::size_t i) { return std::pow(std::sqrt(p[i]) - std::sqrt(q[i]), 2); }) /
           2;
  case MetricId::KlTrainInfer:
    return klOf(p, q);
  case MetricId::KlInferTrain:
    return klOf(q, p);
  case MetricId::Js:
    return (klOf(p, halfway(p, q)) + klOf(q, halfway(p, q))) / 2;
  case MetricId::Chi2:
    return chi2Of(p, q);
  case MetricId::EntropyGap:
    return std::abs(entropyOf(p) - entropyOf(q));
  case MetricId::Top1Flip:
    return top(p) == top(q) ? 0 : 1;
  default:
    return infinity;
  }
}

double ofToken(const model::Measure& measure, double p, double q) {
  double x = std::log(p / q), w = p / q;
  auto parameter = [&](std::size_t i) { return measure.parameters.at(i).get_d(); };
  switch (measure.metric) {
  case MetricId::LogprobGap:
    return x;
  case MetricId::Ratio:
    return w;
  case MetricId::TvSampled:
    return std::max(0.0, 1 - w);
  case MetricId::K1:
    return -x;
  case MetricId::K2:
    return x * x / 2;
  case MetricId::K3:
    return w - 1 - x;
  case MetricId::Veto:
    return w < parameter(0) ? 1 : 0;
  case MetricId::Clipped:
    return w < parameter(0) || w > parameter(1) ? 1 : 0;
  default:
    return infinity;
  }
}

double ofResponse(MetricId metric, const Path& path) {
  switch (metric) {
  case MetricId::SeqLogRatio:
    return path.gap;
  case MetricId::SeqTv:
    return std::max(0.0, 1 - std::exp(path.gap));
  default:
    return infinity;
  }
}

std::size_t childOf(const World& world, std::size_t node, std::size_t token) {
  return node * world.tokens + 1 + token;
}

void walk(const World& world, const Prompt& prompt, std::size_t length, Path from, std::size_t at,
          std::vector<Path>& out) {
  const Node& node = prompt.nodes[at];
  for (std::size_t token = 0; token < world.tokens; ++token) {
    Path next = from;
    next.node = at;
    next.token = token;
    next.trainMass *= node.p[token];
    next.inferMass *= node.q[token];
    next.gap += std::log(node.p[token]) - std::log(node.q[token]);
    next.steps.push_back(node.p[token] / node.q[token]);
    if (next.steps.size() == length)
      out.push_back(std::move(next));
    else
      walk(world, prompt, length, std::move(next), childOf(world, at, token), out);
  }
}

double totalShare(const std::vector<const Part*>& parts) {
  return sumOver(parts.size(), [&](std::size_t i) { return parts[i]->share; });
}

void eachPrompt(const std::vector<const Part*>& parts, const auto& visit) {
  double total = totalShare(parts);
  for (const Part* part : parts)
    for (const Prompt& prompt : part->prompts)
      visit(prompt, part->share / total * prompt.weight);
}

/// Every prefix, with the chance that a sampled token stands after it.
void eachNode(const World& world, const Prompt& prompt, const auto& visit) {
  std::vector<double> reach(prompt.nodes.size(), 0);
  reach[0] = 1;
  for (std::size_t at = 0; at < prompt.nodes.size(); ++at) {
    visit(prompt.nodes[at], reach[at] / static_cast<double>(world.depth));
    for (std::size_t token = 0; token < world.tokens; ++token)
      if (childOf(world, at, token) < reach.size())
        reach[childOf(world, at, token)] = reach[at] * prompt.nodes[at].q[token];
  }
}

} // namespace

void Node::settle(double scale) {
  z = zi = middle;
  for (std::size_t i = 0; i < z.size(); ++i) {
    z[i] += scale * drift[i] * trainPart;
    zi[i] -= scale * drift[i] * (1 - trainPart);
  }
  p = softmax(z);
  raw = softmax(zi);
  q = raw;
  for (std::size_t i = 0; i < q.size(); ++i)
    if (!kept[i])
      q[i] = 0;
  normalise(q);
}

std::vector<Path> pathsOf(const World& world, const Prompt& prompt, std::size_t length) {
  std::vector<Path> out;
  walk(world, prompt, length, {0, 0, 1, 1, 0, {}}, 0, out);
  return out;
}

std::vector<const Part*> partsOf(const World& world, std::size_t index) {
  std::vector<const Part*> out;
  for (std::size_t i = 0; i < world.parts.size(); ++i)
    if (i == index || index >= world.parts.size() || (world.parts.size() == 1))
      out.push_back(&world.parts[i]);
  return out;
}

std::vector<Atom> observe(const World& world, const std::vector<const Part*>& parts,
                          const model::Measure& measure) {
  std::vector<Atom> out;
  auto add = [&](double value, double mass) {
    out.push_back({measure.absolute ? std::abs(value) : value, mass});
  };
  metrics::Level level = metrics::info(measure.metric).level;
  eachPrompt(parts, [&](const Prompt& prompt, double weight) {
    if (level == metrics::Level::Sequence) {
      for (const Path& path : pathsOf(world, prompt, world.depth))
        if (path.inferMass > 0)
          add(ofResponse(measure.metric, path), weight * path.inferMass);
      return;
    }
    eachNode(world, prompt, [&](const Node& node, double reach) {
      if (level == metrics::Level::Row) {
        bool isLogit = measure.metric <= MetricId::LogitRel;
        add(isLogit ? logitMetric(measure.metric, node) : between(measure.metric, node.p, node.raw),
            weight * reach);
        return;
      }
      for (std::size_t i = 0; i < world.tokens; ++i)
        if (node.q[i] > 0)
          add(ofToken(measure, node.p[i], node.q[i]), weight * reach * node.q[i]);
    });
  });
  return out;
}

double aggregate(const std::vector<Atom>& atoms, const model::Measure& measure) {
  double mean = 0, low = infinity, high = -infinity;
  for (const Atom& atom : atoms) {
    mean += atom.mass > 0 ? atom.mass * atom.value : 0;
    low = std::min(low, atom.value);
    high = std::max(high, atom.value);
  }
  if (measure.aggregate == Aggregate::Max)
    return high;
  if (measure.aggregate == Aggregate::Min)
    return low;
  if (measure.aggregate != Aggregate::Quantile)
    return mean;
  std::vector<Atom> sorted = atoms;
  std::sort(sorted.begin(), sorted.end(),
            [](const Atom& a, const Atom& b) { return a.value < b.value; });
  double below = 0;
  for (const Atom& atom : sorted) {
    below += atom.mass;
    if (below >= measure.level.get_d() - 1e-12)
      return atom.value;
  }
  return sorted.back().value;
}

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

namespace {

bool isMet(double value, const model::Bound& bound) {
  constexpr double room = 1e-12;
  double limit = bound.limit.scaled().get_d();
  bool isUpper = bound.comparator == Comparator::LessEqual || bound.comparator == Comparator::Less;
  return isUpper ? value <= limit + room * std::abs(limit)
                 : value >= limit - room * std::abs(limit);
}

bool keepsEnough(const World& world, double missing) {
  for (const Part& part : world.parts)
    for (const Prompt& prompt : part.prompts)
      for (const Node& node : prompt.nodes)
        if (sumOver(world.tokens, [&](std::size_t i) { return node.kept[i] ? 0 : node.p[i]; }) >
            missing)
          return false;
  return true;
}

} // namespace

bool holds(const World& world, const Setting& setting, const model::Contract& contract) {
  if (!keepsEnough(world, setting.missing))
    return false;
  for (const model::Clause& clause : contract.clauses)
    for (const model::Bound& bound : clause.bounds) {
      bool isMixture = bound.scope.kind == model::Scope::Kind::All;
      std::size_t places = isMixture ? 1 : world.parts.size();
      for (std::size_t i = 0; i < places; ++i)
        if (!isMet(aggregate(observe(world, partsOf(world, isMixture ? world.parts.size() : i),
                                     bound.measure),
                             bound.measure),
                   bound))
          return false;
    }
  return true;
}

} // namespace tikc::tests
