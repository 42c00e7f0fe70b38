#include "property/Visits.h"

namespace tikc::tests {

using model::Aggregate;
using model::Comparator;

namespace {

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
