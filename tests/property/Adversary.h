#pragma once

#include "property/RandomContract.h"
#include "property/Visits.h"

#include <bit>
#include <functional>

namespace tikc::tests {

/// A goal with the bound that has to stand, and how near any world has come to it.
struct Target {
  std::size_t slice = 0;
  Link link;
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

  /// Shows every world in which the promises held.
  void showTo(std::function<void(const World&)> visit) { visit_ = std::move(visit); }

  /// In which the promises held.
  std::size_t worlds() const { return worlds_; }

private:
  const Setting& setting() const { return sampled_.setting; }

  World invent() {
    World out;
    bool isLong = setting().slices.front().length > 0;
    out.tokens = isLong ? 2 : std::min<std::size_t>(vocabulary_, 2 + dice_.roll(3));
    std::size_t deepest = std::min<std::size_t>(horizon_, out.tokens == 2   ? 4
                                                          : out.tokens == 3 ? 3
                                                                            : 2);
    std::size_t depth = dice_.chance() ? 1 : 1 + dice_.roll(deepest);
    if (setting().isCutting())
      depth = std::min<std::size_t>(deepest, setting().cutAt + 1);
    std::size_t parts = setting().isCutting() ? 1 : setting().slices.size();
    // One slice may have the long responses of a mixture that are short on average.
    std::size_t longest = setting().meanLength && dice_.chance() ? dice_.roll(parts) : parts;
    for (std::size_t i = 0; i < parts; ++i) {
      const Setting::Slice& slice = setting().slices[i];
      Part part{slice.share, std::nullopt, {}};
      if (slice.hottest > 0)
        part.temperature = temperatureIn(slice);
      double first = shares_.empty() || dice_.chance(0.2) ? dice_.uniform() : dice_.pick(shares_);
      bool isMixed = dice_.chance();
      auto add = [&](double weight) {
        std::size_t length = slice.length > 0    ? slice.length
                             : longest < parts   ? (i == longest ? deepest : 1)
                             : dice_.chance(0.3) ? 1 + dice_.roll(deepest)
                                                 : depth;
        bool canEnd = slice.length == 0 && length > 1 && dice_.chance(0.2);
        part.prompts.push_back(prompt(out, slice, weight, length, canEnd));
      };
      add(isMixed ? 1 - first : 1);
      if (isMixed)
        add(first);
      out.parts.push_back(std::move(part));
    }
    return out;
  }

  double temperatureIn(const Setting::Slice& slice) {
    double declared = setting().kernels.back().temperature;
    bool isDeclared = declared >= slice.coldest && declared <= slice.hottest && dice_.chance(0.3);
    return isDeclared ? declared : dice_.between(slice.coldest, slice.hottest);
  }

  Prompt prompt(const World& world, const Setting::Slice& slice, double weight, std::size_t length,
                bool canEnd) {
    Prompt out;
    out.weight = weight;
    out.length = length;
    out.canEnd = canEnd;
    bool isAdaptive = dice_.chance();
    Node first = node(world, slice);
    for (std::size_t i = 0; i < nodesOf(world, length); ++i) {
      out.nodes.push_back(isAdaptive ? node(world, slice) : first);
      if (isAdaptive && dice_.chance(0.2))
        for (Laws& laws : out.nodes.back().of)
          laws.drift.fill(0);
    }
    return out;
  }

  Node node(const World& world, const Setting::Slice& slice) {
    Node out;
    bool isPair = dice_.chance(0.7);
    double spread = dice_.chance(0.3) ? 0 : dice_.chance(0.3) ? 12 : 2;
    Row drift{};
    for (std::size_t i = 0; i < world.tokens; ++i) {
      constexpr double aHair = 1e-7; // no two tokens tie
      out.middle[i] = spread * dice_.normal() + aHair * static_cast<double>(i);
      drift[i] = isPair ? (dice_.chance() ? 0.5 : -0.5) : dice_.normal();
    }
    if (isPair &&
        std::equal(drift.begin() + 1, drift.begin() + static_cast<std::ptrdiff_t>(world.tokens),
                   drift.begin()))
      drift[0] = -drift[0];
    if (dice_.chance(0.1))
      drift[0] += dice_.normal();
    place(out, world, drift);
    if (setting().logitBound)
      for (double& each : out.middle)
        each = std::clamp(each, -*setting().logitBound, *setting().logitBound);
    cut(out, world, slice);
    out.words = words(world);
    return out;
  }

  /// Each kernel somewhere along the drift, and a middle one anywhere.
  void place(Node& out, const World& world, const Row& drift) {
    static const std::vector<double> shares{0, 0.5, 0.5, 1};
    double part = dice_.pick(shares), between = dice_.between(-0.2, 1.2);
    bool isStretched = dice_.chance(), isAstray = dice_.chance(0.2);
    std::size_t count = setting().kernels.size();
    for (std::size_t k = 0; k < count; ++k) {
      Laws& laws = out.of[k];
      laws.isStretched = isStretched;
      bool isMiddle = k > 0 && k + 1 < count;
      double share = k == 0 ? part : isMiddle ? part - between : part - 1;
      for (std::size_t i = 0; i < world.tokens; ++i)
        laws.drift[i] = isMiddle && isAstray ? dice_.normal() : drift[i] * share;
    }
  }

  /// Masks, and what requests cut.
  void cut(Node& out, const World& world, const Setting::Slice& slice) {
    std::size_t server = setting().server();
    bool isOpen = setting().support != Setting::Support::Full;
    if (dice_.chance(0.05)) {
      // Masked by some kernel, or by all.
      unsigned bit = 1u << dice_.roll(world.tokens);
      std::size_t by = dice_.roll(server + 2);
      for (std::size_t k = 0; k <= server; ++k)
        if (by > server || by == k)
          out.of[k].masked |= bit;
    }
    // What is declared is what is cut, unless requests bring their own.
    bool isKnown = setting().kernels.back().cuts() || setting().support == Setting::Support::Unsaid;
    if (!isOpen || (isKnown && !slice.bringsTopP))
      return;
    if (setting().support == Setting::Support::TopP && dice_.chance()) {
      cutNucleus(out, world);
      return;
    }
    if (!dice_.chance())
      return;
    std::size_t token = dice_.roll(world.tokens);
    Laws& laws = out.of[server];
    if (world.tokens - static_cast<std::size_t>(std::popcount(laws.masked)) < 2)
      return;
    if (dice_.chance())
      laws.masked |= 1u << token;
    else
      laws.refused = dice_.chance(0.8) ? 1 : 2;
    if (setting().support != Setting::Support::MissingMass)
      return;
    // The trainer's most likely token, where it may be missing.
    bool isTop = setting().supportValue > 0.4 && dice_.chance();
    for (std::size_t i = 0; isTop && i < world.tokens; ++i)
      out.middle[i] = -0.4 * static_cast<double>(i);
    weigh(out, world, token,
          setting().supportValue * (isTop || dice_.chance() ? 0.99 : dice_.uniform()));
  }

  /// Gives a token so much of the mass.
  static void weigh(Node& out, const World& world, std::size_t token, double share) {
    double others = 0;
    for (std::size_t i = 0; i < world.tokens; ++i)
      others += i == token ? 0 : std::exp(out.middle[i]);
    out.middle[token] = std::log(others) + std::log(share / (1 - share));
  }

  /// A token with just what may be cut away.
  void cutNucleus(Node& out, const World& world) {
    std::size_t token = dice_.roll(world.tokens);
    double left = 1 - setting().supportValue;
    weigh(out, world, token, left * (dice_.chance() ? 0.999 : dice_.uniform()));
    out.of[setting().server()].refused = 1;
  }

  Row words(const World& world) {
    Row out{};
    if (dice_.chance(0.4))
      out[dice_.roll(world.tokens)] = 1;
    else
      for (std::size_t i = 0; i < world.tokens; ++i)
        out[i] = std::exp(2 * dice_.normal());
    normalise({out.data(), world.tokens});
    return out;
  }

  World vary(World world) {
    double size = dice_.sized(0.01, 1);
    Part& part = world.parts[dice_.roll(world.parts.size())];
    Prompt& prompt = part.prompts[dice_.roll(part.prompts.size())];
    bool isAll = dice_.chance();
    Node& one = prompt.nodes[dice_.roll(prompt.nodes.size())];
    std::size_t token = dice_.roll(world.tokens), what = dice_.roll(isPlainOdds() ? 3 : 6);
    std::size_t kernel = dice_.roll(setting().kernels.size());
    Row other = words(world);
    double step = size * dice_.normal();
    auto change = [&](Node& node) {
      switch (what) {
      case 0:
        node.of[kernel].drift[token] += step;
        return;
      case 1:
        for (Laws& laws : node.of)
          laws.drift[token] += step;
        return;
      case 3:
        node.words = other;
        return;
      case 4:
        for (Laws& laws : node.of)
          laws.isStretched = !laws.isStretched;
        return;
      default:
        node.middle[token] += 3 * step;
      }
    };
    if (what == 5 && part.temperature) {
      const Setting::Slice& slice =
          setting().slices[static_cast<std::size_t>(&part - world.parts.data())];
      part.temperature = temperatureIn(slice);
      return world;
    }
    for (Node& node : prompt.nodes)
      if (isAll || &node == &one)
        change(node);
    return world;
  }

  bool isPlainOdds() { return dice_.chance(0.6); }

  /// As much drift as the promises leave, first in all prompts alike, then in one after the other.
  bool fit(World& world) {
    struct At {
      const Part* part;
      Prompt* prompt;
    };
    std::vector<At> all;
    for (Part& part : world.parts)
      for (Prompt& prompt : part.prompts)
        all.push_back({&part, &prompt});
    auto isGood = [&](const std::vector<At>& some, double scale) {
      for (const At& at : some)
        settle(world, setting(), *at.part, *at.prompt, scale);
      return holds(world, setting(), contract_);
    };
    auto raise = [&](const std::vector<At>& some) {
      double low = some.front().prompt->scale, high = 40;
      for (int i = 0; i < 24; ++i) {
        double middle = i < 8 ? std::sqrt(std::max(low, 1e-5) * high) : (low + high) / 2;
        (isGood(some, middle) ? low : high) = middle;
      }
      return isGood(some, low);
    };
    // Kernels that differ without any drift may break the promises: less so where no token stands
    // out.
    for (int i = 0; !isGood(all, 0); ++i) {
      if (i == 2)
        return false;
      for (const At& at : all)
        for (Node& node : at.prompt->nodes)
          for (double& logit : node.middle)
            logit *= i == 0 ? 0.3 : 1e-4;
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
    ++worlds_;
    if (visit_)
      visit_(world);
    for (Target& target : targets_) {
      double value = claimed(world, setting(), populationOf(world, setting(), target.slice),
                             *target.measure, target.link, target.isLower);
      double near = target.nearness(value);
      if (near > target.nearest) {
        target.nearest = near;
        target.world = world;
      }
    }
  }

  std::size_t worlds_ = 0;
  std::function<void(const World&)> visit_;
  Dice& dice_;
  const model::Contract& contract_;
  const Sampled& sampled_;
  std::vector<Target>& targets_;
  std::vector<double> shares_;
  std::size_t vocabulary_ = 2, horizon_ = 1;
};

} // namespace tikc::tests
