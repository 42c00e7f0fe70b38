#include "property/Visits.h"

namespace tikc::tests {

using model::Aggregate;
using model::Comparator;

namespace {

/// Over the tokens that are not masked; one-hot at temperature 0.
Row lawAt(const Laws& laws, std::size_t tokens, double temperature) {
  Row out{};
  double top = -infinity;
  std::size_t first = 0;
  for (std::size_t i = 0; i < tokens; ++i)
    if (!laws.masks(i) && laws.logits[i] > top) {
      top = laws.logits[i];
      first = i;
    }
  if (temperature == 0)
    out[first] = 1;
  else
    for (std::size_t i = 0; i < tokens; ++i)
      out[i] = laws.masks(i) ? 0 : std::exp((laws.logits[i] - top) / temperature);
  normalise({out.data(), tokens});
  return out;
}

/// What is left after top_p, top_k and min_p.
Row cut(const Kernel& kernel, const Row& whole, std::size_t tokens) {
  std::array<std::size_t, mostTokens> order{};
  for (std::size_t i = 0; i < tokens; ++i)
    order[i] = i;
  std::stable_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(tokens),
                   [&](std::size_t a, std::size_t b) { return whole[a] > whole[b]; });
  Row out{};
  double before = 0;
  for (std::size_t i = 0; i < tokens; ++i) {
    double mass = whole[order[i]];
    // Rounded, what came before may be all.
    bool isKept = (kernel.topP >= 1 || before < kernel.topP) && i < kernel.topK &&
                  mass >= kernel.minP * whole[order[0]];
    out[order[i]] = isKept ? mass : 0;
    before += mass;
  }
  normalise({out.data(), tokens});
  return out;
}

} // namespace

void settle(const World& world, const Setting& setting, const Part& part, Prompt& prompt,
            double scale) {
  prompt.scale = scale;
  for (Node& node : prompt.nodes)
    for (std::size_t k = 0; k < setting.kernels.size(); ++k) {
      const Kernel& kernel = setting.kernels[k];
      Laws& laws = node.of[k];
      double stretch = laws.isStretched && kernel.temperature > 0 ? kernel.temperature : 1;
      for (std::size_t i = 0; i < world.tokens; ++i)
        laws.logits[i] = node.middle[i] * stretch + scale * laws.drift[i];
      double serves = k == setting.server() ? part.temperature.value_or(kernel.temperature)
                                            : kernel.temperature;
      laws.nominal = lawAt(laws, world.tokens, kernel.temperature);
      laws.raw = kernel.temperature == 1 ? laws.nominal : lawAt(laws, world.tokens, 1);
      laws.whole = serves == kernel.temperature ? laws.nominal : lawAt(laws, world.tokens, serves);
      laws.served = kernel.cuts() ? cut(kernel, laws.whole, world.tokens) : laws.whole;
      if (laws.refused > 0) {
        Kernel requests;
        requests.topK = world.tokens - std::min(laws.refused, world.tokens - 1);
        laws.served = cut(requests, laws.served, world.tokens);
      }
    }
}

namespace {

void walk(const World& world, const Setting& setting, const Prompt& prompt, std::size_t length,
          const Path& from, std::size_t at, std::vector<Path>& out) {
  const Node& node = prompt.nodes[at];
  for (std::size_t token = 0; token < world.tokens; ++token) {
    Path next = from;
    next.node = at;
    next.token = token;
    bool isPossible = false;
    for (std::size_t k = 0; k < setting.kernels.size(); ++k) {
      const Laws& laws = node.of[k];
      next.served[k][next.count] = laws.served[token];
      next.logged[k][next.count] =
          setting.kernels[k].logsRaw ? laws.raw[token] : laws.served[token];
      isPossible |= (next.mass[k] *= laws.served[token]) > 0;
    }
    isPossible |= (next.mass[givenText] *= node.words[token]) > 0;
    if (!isPossible)
      continue;
    ++next.count;
    if (next.count == length || (prompt.canEnd && token == 0))
      out.push_back(next);
    else
      walk(world, setting, prompt, length, next, childOf(world, at, token), out);
  }
}

double logitMetric(MetricId metric, const World& world, const Setting& setting, const Laws& a,
                   const Laws& b, bool isOfEnds) {
  double low = infinity, high = -infinity, squares = 0, largest = 0, relative = 0;
  for (std::size_t i = 0; i < world.tokens; ++i) {
    if (a.masks(i) && b.masks(i))
      continue;
    if (a.masks(i) || b.masks(i)) {
      bool isLeftOut = !a.masks(i) && isOfEnds && setting.support == Setting::Support::MissingMass;
      if (!isLeftOut)
        return infinity;
      continue;
    }
    double d = a.logits[i] - b.logits[i];
    low = std::min(low, d);
    high = std::max(high, d);
    squares += d * d;
    largest = std::max(largest, std::abs(d));
    relative = std::max(relative, std::abs(d) / std::max(std::abs(a.logits[i]), 1.0));
  }
  return metric == MetricId::LogitOsc   ? std::max(high - low, 0.0)
         : metric == MetricId::LogitL2  ? std::sqrt(squares)
         : metric == MetricId::LogitRel ? relative
                                        : largest;
}

/// Between the two largest logits.
double marginOf(const Laws& laws, std::size_t tokens) {
  double first = -infinity, second = -infinity;
  for (std::size_t i = 0; i < tokens; ++i)
    if (!laws.masks(i)) {
      second = std::max(second, std::min(first, laws.logits[i]));
      first = std::max(first, laws.logits[i]);
    }
  return first - second;
}

std::size_t topLogit(const Laws& laws, std::size_t tokens) {
  std::size_t out = mostTokens;
  for (std::size_t i = 0; i < tokens; ++i)
    if (!laws.masks(i) && (out == mostTokens || laws.logits[i] > laws.logits[out]))
      out = i;
  return out;
}

double rowMetric(MetricId metric, const World& world, const Setting& setting, const Node& node,
                 const Link& link) {
  const Laws &a = node.of[link.first], &b = node.of[link.second];
  auto view = [&](const Row& row) { return View(row.data(), world.tokens); };
  // Which is whom a declared missing mass is about.
  bool isOfEnds = link.first == setting.trainer() && link.second == setting.server();
  switch (metric) {
  case MetricId::LogitLinf:
  case MetricId::LogitOsc:
  case MetricId::LogitL2:
  case MetricId::LogitRel:
    return logitMetric(metric, world, setting, a, b, isOfEnds);
  case MetricId::Top1Margin:
    if (logitMetric(metric, world, setting, a, b, isOfEnds) == infinity)
      return infinity;
    return std::min(marginOf(a, world.tokens), marginOf(b, world.tokens));
  case MetricId::MissingMass: {
    // Rows are cut as the kernel declares, whatever requests ask for.
    const Kernel& kernel = setting.kernels[link.second];
    Row kept = kernel.cuts() ? cut(kernel, b.nominal, world.tokens) : b.nominal;
    return between(metric, view(a.nominal), view(kept));
  }
  case MetricId::Top1Flip:
    return topLogit(a, world.tokens) == topLogit(b, world.tokens) ? 0 : 1;
  default:
    // Rows are before any cut, at the temperature that is declared.
    return between(metric, view(a.nominal), view(b.nominal));
  }
}

double parameterOf(const model::Measure& measure, std::size_t i) {
  return measure.parameters.at(i).get_d();
}

double clamped(const model::Measure& measure, double ratio) {
  return std::min(std::max(ratio, parameterOf(measure, 0)), parameterOf(measure, 1));
}

double isClipped(const model::Measure& measure, double ratio) {
  return ratio < parameterOf(measure, 0) || ratio > parameterOf(measure, 1) ? 1 : 0;
}

double ofToken(const model::Measure& measure, double p, double q) {
  double x = std::log(p) - std::log(q), w = std::exp(x);
  if (std::isnan(x))
    return x;
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
    return std::isinf(x) ? infinity : w - 1 - x;
  case MetricId::ProbGap:
    return std::abs(p - q);
  case MetricId::BinaryKl:
    return (q > 0 ? -q * x : 0) + (q < 1 ? (1 - q) * (std::log1p(-q) - std::log1p(-p)) : 0);
  case MetricId::MultProbError:
    return std::exp(std::abs(x));
  case MetricId::CappedRatio:
    return clamped(measure, w);
  case MetricId::Veto:
    return w < parameterOf(measure, 0) ? 1 : 0;
  case MetricId::Clipped:
    return isClipped(measure, w);
  default:
    return infinity;
  }
}

double meanOfTokens(const model::Measure& measure, const Path& path, const Link& link) {
  double sum = 0;
  for (std::size_t t = 0; t < path.count; ++t) {
    double value = ofToken(measure, path.logged[link.first][t], path.logged[link.second][t]);
    sum += measure.absolute ? std::abs(value) : value;
  }
  return sum / static_cast<double>(path.count);
}

double ofResponse(const model::Measure& measure, const Path& path, const Link& link) {
  double gap = 0;
  for (std::size_t t = 0; t < path.count; ++t)
    gap += std::log(path.logged[link.first][t]) - std::log(path.logged[link.second][t]);
  if (std::isnan(gap))
    return gap;
  const double ratio = std::exp(gap), geometric = std::exp(gap / static_cast<double>(path.count));
  switch (measure.metric) {
  case MetricId::SeqLogRatio:
    return gap;
  case MetricId::SeqRatio:
    return ratio;
  case MetricId::SeqCappedRatio:
    return clamped(measure, ratio);
  case MetricId::SeqClipped:
    return isClipped(measure, ratio);
  case MetricId::SeqTv:
    return std::max(0.0, 1 - ratio);
  case MetricId::SeqGeoRatio:
    return geometric;
  case MetricId::SeqGeoClipped:
    return isClipped(measure, geometric);
  default:
    return infinity;
  }
}

bool isVetoed(double low, const Path& path, const Link& link) {
  for (std::size_t t = 0; t < path.count; ++t)
    if (path.logged[link.first][t] < low * path.logged[link.second][t])
      return true;
  return false;
}

/// Whether a rate counts it.
bool isCounted(double value, const model::Threshold& threshold) {
  double limit = threshold.bound.scaled().get_d();
  switch (threshold.comparator) {
  case Comparator::Less:
    return value < limit;
  case Comparator::LessEqual:
    return value <= limit;
  case Comparator::Greater:
    return value > limit;
  case Comparator::GreaterEqual:
    return value >= limit;
  default:
    return true;
  }
}

/// The trainer's newest weights come before all that is written.
std::size_t unwritten(const model::Contract& contract) {
  return contract.assumptions.staleness ? 1 : 0;
}

std::size_t placeOf(const model::Contract& contract, const std::string& kernel) {
  for (std::size_t i = 0; i < contract.chain.size(); ++i)
    if (contract.chain[i].text == kernel)
      return i + unwritten(contract);
  return givenText;
}

std::size_t serverOf(const model::Contract& contract) {
  return contract.chain.size() - 1 + unwritten(contract);
}

} // namespace

std::vector<Path> pathsOf(const World& world, const Setting& setting, const Prompt& prompt,
                          std::size_t length) {
  std::vector<Path> out;
  Path start;
  start.mass.fill(1);
  walk(world, setting, prompt, std::min(length, prompt.length), start, 0, out);
  return out;
}

Link linkOf(const model::Contract& contract, const model::Claim& claim) {
  if (!claim.link)
    return {0, serverOf(contract)};
  return {placeOf(contract, claim.link->from.text), placeOf(contract, claim.link->to.text)};
}

Link linkOf(const model::Contract& contract, const model::Clause& clause) {
  if (!clause.link)
    return {unwritten(contract), serverOf(contract)};
  return {placeOf(contract, clause.link->from.text), placeOf(contract, clause.link->to.text)};
}

std::size_t drawerOf(const model::Contract& contract, const model::Statement& statement) {
  return statement.drawn ? placeOf(contract, statement.drawn->text) : serverOf(contract);
}

Population populationOf(const World& world, const Setting& setting, std::size_t slice) {
  Population out;
  bool isWhole = slice >= setting.slices.size() || setting.slices.size() == 1;
  for (std::size_t i = 0; i < world.parts.size(); ++i)
    if (isWhole || setting.isCutting() || i == slice)
      out.parts.push_back(&world.parts[i]);
  if (!isWhole && setting.isCutting())
    (slice == 0 ? out.to : out.from) = setting.cutAt;
  return out;
}

std::vector<Atom> observe(const World& world, const Setting& setting, const Population& population,
                          const model::Measure& measure, const Link& link, std::size_t drawer) {
  std::vector<Atom> out;
  auto add = [&](double value, double mass) {
    value = measure.absolute ? std::abs(value) : value;
    if (measure.threshold && !std::isnan(value))
      value = isCounted(value, *measure.threshold) ? 1 : 0;
    out.push_back({value, mass});
  };
  const bool isOfResponses = model::levelOf(measure) == model::Level::Sequence;
  model::Level level = model::info(measure.metric).level;
  if (isOfResponses) {
    eachPrompt(population, [&](const Prompt& prompt, double weight) {
      for (const Path& path : pathsOf(world, setting, prompt, mostDepth))
        if (path.mass[drawer] > 0)
          add(level == model::Level::Token ? meanOfTokens(measure, path, link)
              : measure.metric == MetricId::SeqVeto
                  ? (isVetoed(parameterOf(measure, 0), path, link) ? 1 : 0)
                  : ofResponse(measure, path, link),
              weight * path.mass[drawer]);
    });
    return out;
  }
  eachNode(world, population, drawer, [&](const Node& node, double reach) {
    if (level == model::Level::Row) {
      add(rowMetric(measure.metric, world, setting, node, link), reach);
      return;
    }
    auto logged = [&](std::size_t k) -> const Row& {
      return setting.kernels[k].logsRaw ? node.of[k].raw : node.of[k].served;
    };
    const Row &draws = node.drawnBy(drawer), &p = logged(link.first), &q = logged(link.second);
    for (std::size_t i = 0; i < world.tokens; ++i)
      if (draws[i] > 0)
        add(ofToken(measure, p[i], q[i]), reach * draws[i]);
  });
  return out;
}

double aggregate(const std::vector<Atom>& atoms, const model::Measure& measure, bool isLower,
                 double room) {
  double mean = 0, squares = 0, low = infinity, high = -infinity;
  for (const Atom& atom : atoms) {
    if (std::isnan(atom.value))
      return atom.value;
    mean += atom.mass > 0 ? atom.mass * atom.value : 0;
    squares += atom.mass > 0 ? atom.mass * atom.value * atom.value : 0;
    low = std::min(low, atom.value);
    high = std::max(high, atom.value);
  }
  if (measure.aggregate == Aggregate::Max)
    return high;
  if (measure.aggregate == Aggregate::Min)
    return low;
  if (measure.aggregate == Aggregate::RootMeanSquare)
    return std::sqrt(squares);
  if (measure.aggregate == Aggregate::Deviation)
    return std::sqrt(std::max(0.0, squares - mean * mean));
  if (measure.aggregate == Aggregate::EffectiveShare)
    return mean * mean / squares;
  if (measure.aggregate != Aggregate::Quantile)
    return mean;
  if (atoms.empty())
    return isLower ? infinity : 0;
  std::vector<Atom> sorted = atoms;
  std::sort(sorted.begin(), sorted.end(),
            [](const Atom& a, const Atom& b) { return a.value < b.value; });
  double below = 0;
  for (const Atom& atom : sorted) {
    below += atom.mass;
    // A quantile from below is what lies at its level, wherever rounding puts that.
    if (below >= measure.level.get_d() - (isLower ? 2 * roomOfClauses - room : room))
      return atom.value;
  }
  return sorted.back().value;
}

namespace {

bool isUpper(const model::Bound& bound) {
  return bound.comparator == Comparator::LessEqual || bound.comparator == Comparator::Less;
}

bool isMet(double value, const model::Bound& bound) {
  constexpr double room = 1e-12;
  double limit = bound.limit.scaled().get_d();
  return isUpper(bound) ? value <= limit + room * std::abs(limit)
                        : value >= limit - room * std::abs(limit);
}

/// Of one prefix, but for its lengths.
bool isAllowed(const World& world, const Setting& setting, const Node& node) {
  const Row &p = node.of[0].served, &q = node.of[setting.server()].served,
            &whole = node.of[setting.server()].whole;
  if (setting.age && logitMetric(MetricId::LogitOsc, world, setting, node.of[0], node.of[1],
                                 false) > *setting.age * (1 + 1e-12))
    return false;
  double missing = 0, kept = 0;
  for (std::size_t i = 0; i < world.tokens; ++i) {
    missing += q[i] > 0 ? 0 : p[i];
    kept += q[i] > 0 ? whole[i] : 0;
    if (setting.ratioCap && p[i] > *setting.ratioCap * q[i])
      return false;
    for (std::size_t k = 0; setting.logitBound && k < setting.kernels.size(); ++k)
      if (!node.of[k].masks(i) && std::abs(node.of[k].logits[i]) > *setting.logitBound)
        return false;
  }
  switch (setting.support) {
  case Setting::Support::Full:
    return missing == 0;
  case Setting::Support::MissingMass:
    return missing <= setting.supportValue;
  case Setting::Support::TopP:
    return kept >= setting.supportValue;
  case Setting::Support::Unsaid:
    break;
  }
  return true;
}

} // namespace

double lengthOf(const World& world, const Setting& setting, const Population& population,
                std::size_t kernel) {
  double out = 0;
  eachPrompt(population, [&](const Prompt& prompt, double weight) {
    if (!prompt.canEnd)
      out += weight * static_cast<double>(prompt.length);
    else
      for (const Path& path : pathsOf(world, setting, prompt, mostDepth))
        out += weight * path.mass[kernel] * static_cast<double>(path.count);
  });
  return out;
}

bool meetsAssumptions(const World& world, const Setting& setting) {
  for (const Part& part : world.parts)
    for (const Prompt& prompt : part.prompts)
      for (const Node& node : prompt.nodes)
        if (!isAllowed(world, setting, node))
          return false;
  auto isOfLengths = [&](const auto& given, std::size_t slice) {
    if (!given.meanLength && !given.leastMeanLength)
      return true;
    double length = lengthOf(world, setting, populationOf(world, setting, slice), setting.server());
    return length <= given.meanLength.value_or(infinity) + 1e-12 &&
           length >= given.leastMeanLength.value_or(0) - 1e-12;
  };
  for (std::size_t i = 0; i < setting.slices.size(); ++i)
    if (!isOfLengths(setting.slices[i], i))
      return false;
  return isOfLengths(setting, setting.slices.size());
}

bool meetsClauses(const World& world, const Setting& setting, const model::Contract& contract) {
  for (const model::Clause& clause : contract.clauses)
    for (const model::Bound& bound : clause.bounds) {
      bool isResponse = model::info(bound.measure.metric).level == model::Level::Sequence;
      bool isMixture = bound.scope.kind == model::Scope::Kind::All || setting.slices.size() == 1;
      std::size_t count = setting.slices.size();
      for (std::size_t i = isMixture ? count : 0; i < count + isMixture; ++i) {
        if (isResponse && setting.isCutting() && i < count)
          continue; // nothing is said of whole responses there
        std::vector<Atom> atoms =
            observe(world, setting, populationOf(world, setting, i), bound.measure,
                    linkOf(contract, clause), drawerOf(contract, clause));
        if (!atoms.empty() &&
            !isMet(aggregate(atoms, bound.measure, !isUpper(bound), roomOfClauses), bound))
          return false;
      }
    }
  return true;
}

} // namespace tikc::tests
