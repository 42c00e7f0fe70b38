#pragma once

#include "property/RandomContract.h"

namespace tikc::tests {

/// A goal with the bound that has to stand, and how near any world has come to it.
struct Target {
  std::size_t place = 0;
  const model::Measure* measure = nullptr;
  std::string lemma;
  double bound = 0;
  bool isLower = false;
  double nearest = 0;
  World world;

  double nearness(double value) const {
    if (isLower)
      return value > 0 ? bound / value : INFINITY;
    return bound > 0 ? value / bound : value > 1e-12 ? INFINITY : 0;
  }
};

/// Looks for a world in which every promise holds and a bound does not.
class Adversary {
public:
  Adversary(Dice& dice, const model::Contract& contract, const Sampled& sampled,
            std::vector<Target>& targets)
      : dice_(dice), contract_(contract), sampled_(sampled), targets_(targets) {
    for (const model::Clause& clause : contract.clauses)
      for (const model::Bound& bound : clause.bounds)
        if (bound.measure.aggregate == model::Aggregate::Quantile)
          shares_.push_back(1 - bound.measure.level.get_d());
    vocabulary_ = static_cast<std::size_t>(contract.policy.vocabulary->value.get_d());
    horizon_ = static_cast<std::size_t>(contract.policy.horizon->scaled().get_d());
  }

  void attack(std::size_t worlds, std::size_t climbs) {
    for (std::size_t i = 0; i < worlds; ++i)
      tryOut(invent());
    for (Target& target : targets_)
      for (std::size_t i = 0; i < climbs && !target.world.parts.empty(); ++i)
        tryOut(vary(target.world));
  }

private:
  World invent() {
    World out;
    out.tokens = std::min<std::size_t>(vocabulary_, 2 + dice_.roll(3));
    std::size_t deepest = std::min<std::size_t>(horizon_, out.tokens == 2   ? 4
                                                          : out.tokens == 3 ? 3
                                                                            : 2);
    out.depth = dice_.chance() ? 1 : 1 + dice_.roll(deepest);
    for (double share : sampled_.shares) {
      Part part{share, {}};
      double first = shares_.empty() || dice_.chance(0.2) ? dice_.uniform() : dice_.pick(shares_);
      bool isMixed = dice_.chance();
      part.prompts.push_back(prompt(out, isMixed ? 1 - first : 1));
      if (isMixed)
        part.prompts.push_back(prompt(out, first));
      out.parts.push_back(std::move(part));
    }
    return out;
  }

  Prompt prompt(const World& world, double weight) {
    Prompt out;
    out.weight = weight;
    std::size_t count = 0, level = 1;
    for (std::size_t i = 0; i < world.depth; ++i, level *= world.tokens)
      count += level;
    bool isAdaptive = dice_.chance();
    Node first = node(world);
    for (std::size_t i = 0; i < count; ++i) {
      out.nodes.push_back(isAdaptive ? node(world) : first);
      if (isAdaptive && dice_.chance(0.2))
        std::fill(out.nodes.back().drift.begin(), out.nodes.back().drift.end(), 0);
    }
    return out;
  }

  Node node(const World& world) {
    Node out;
    static const std::vector<double> parts{0, 0.5, 0.5, 1};
    out.trainPart = dice_.pick(parts);
    out.kept.assign(world.tokens, 1);
    bool isPair = dice_.chance(0.7);
    double spread = dice_.chance(0.3) ? 0 : dice_.chance(0.3) ? 12 : 2;
    for (std::size_t i = 0; i < world.tokens; ++i) {
      out.middle.push_back(spread * dice_.normal());
      out.drift.push_back(isPair ? (dice_.chance() ? 0.5 : -0.5) : dice_.normal());
    }
    if (isPair && std::equal(out.drift.begin() + 1, out.drift.end(), out.drift.begin()))
      out.drift[0] = -out.drift[0];
    if (dice_.chance(0.1))
      out.drift[0] += dice_.normal();
    if (sampled_.setting.missing > 0 && dice_.chance())
      out.kept[dice_.roll(world.tokens)] = 0;
    if (sampled_.setting.missing > 0)
      for (std::size_t i = 0; i < world.tokens; ++i)
        if (!out.kept[i])
          out.middle[i] =
              std::log(sampled_.setting.missing) - 0.1 + (dice_.chance() ? 0 : dice_.normal());
    return out;
  }

  World vary(World world) {
    double size = dice_.sized(0.01, 1);
    auto& prompts = world.parts[dice_.roll(world.parts.size())].prompts;
    Prompt& prompt = prompts[dice_.roll(prompts.size())];
    bool isAll = dice_.chance();
    Node& one = prompt.nodes[dice_.roll(prompt.nodes.size())];
    std::size_t token = dice_.roll(world.tokens), what = dice_.roll(4);
    double step = size * dice_.normal();
    auto change = [&](Node& node) {
      if (what == 0)
        node.drift[token] += step;
      else if (what == 1)
        node.trainPart += step;
      else
        node.middle[token] += 3 * step;
    };
    for (Node& node : prompt.nodes)
      if (isAll || &node == &one)
        change(node);
    return world;
  }

  /// As much drift as the promises leave, first in all prompts alike, then in one after the other.
  bool fit(World& world) {
    auto raise = [&](const std::vector<Prompt*>& prompts) {
      auto isGood = [&](double scale) {
        for (Prompt* prompt : prompts)
          prompt->setScale(scale);
        return holds(world, sampled_.setting, contract_);
      };
      double low = prompts.front()->scale, high = 40;
      for (int i = 0; i < 24; ++i) {
        double middle = i < 8 ? std::sqrt(std::max(low, 1e-5) * high) : (low + high) / 2;
        (isGood(middle) ? low : high) = middle;
      }
      return isGood(low);
    };
    std::vector<Prompt*> all;
    for (Part& part : world.parts)
      for (Prompt& prompt : part.prompts) {
        prompt.setScale(0);
        all.push_back(&prompt);
      }
    bool isGreedy = all.size() > 1 && dice_.chance(0.3);
    if (!isGreedy && !raise(all))
      return false;
    for (std::size_t i = all.size(); all.size() > 1 && i-- > 0;)
      if (!raise({all[i]}))
        return false;
    return true;
  }

  void tryOut(World world) {
    if (!fit(world))
      return;
    for (Target& target : targets_) {
      double value =
          claimed(world, partsOf(world, target.place), sampled_.setting, *target.measure);
      double near = target.nearness(value);
      if (near > target.nearest) {
        target.nearest = near;
        target.world = world;
      }
    }
  }

  Dice& dice_;
  const model::Contract& contract_;
  const Sampled& sampled_;
  std::vector<Target>& targets_;
  std::vector<double> shares_;
  std::size_t vocabulary_ = 2, horizon_ = 1;
};

} // namespace tikc::tests
