#include "property/World.h"
#include "unit/pipeline/Checked.h"

#include "bounds/Prover.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <random>

namespace tikc::tests {
namespace {

using model::Aggregate;
using model::ClaimId;

/// Of every kind of choice, one at random; the same ones for the same seed.
class Dice {
public:
  explicit Dice(unsigned seed) : random_(seed) {}

  std::size_t roll(std::size_t sides) { return random_() % sides; }
  bool chance(double share = 0.5) { return uniform() < share; }
  double uniform() { return std::uniform_real_distribution<double>(0, 1)(random_); }
  double normal() { return std::normal_distribution<double>(0, 1)(random_); }
  double between(double low, double high) { return low + uniform() * (high - low); }
  /// Of sizes from small to large alike.
  double sized(double low, double high) { return std::exp(between(std::log(low), std::log(high))); }
  template <typename T> const T& pick(const std::vector<T>& from) {
    return from[roll(from.size())];
  }

private:
  std::mt19937 random_;
};

struct Sampled {
  std::string text;
  Setting setting;
  std::vector<double> shares; // of slices
};

/// A random contract: some promises about drift and some claims, whose budgets come later.
class Generator {
public:
  explicit Generator(Dice& dice) : dice_(dice) {}

  Sampled take() {
    std::string text = head();
    vocabulary_ = 2 + dice_.roll(15);
    text += fmt::format("model: {{ vocabulary: {}, horizon: {} tokens }}\n", vocabulary_,
                        dice_.chance() ? 1 + dice_.roll(6) : 1 + dice_.roll(64));
    text += assumptions() + slices();
    text += "numerical:\n";
    std::size_t count = 1 + dice_.roll(4);
    for (std::size_t i = 0; i < count; ++i)
      text += fmt::format("  c{}: {}\n", i, clause());
    text += "claims:\n";
    for (std::size_t i = 0; i < 3; ++i)
      text += fmt::format("  g{}: {}\n", i, claim());
    out_.text = text + observed();
    return out_;
  }

private:
  std::string assumptions() {
    std::string support = "support: full, ";
    if (dice_.chance(0.3)) {
      out_.setting.missing = std::round(1e4 * dice_.sized(1e-3, 0.2)) / 1e4;
      support = fmt::format("support: {{ missing_mass: {} }}, ", out_.setting.missing);
    }
    struct Named {
      const char* text;
      model::CallId id;
      std::vector<double> arguments;
    };
    static const std::vector<Named> corrections{
        {"none", model::CallId::NoCorrection, {}},
        {"is", model::CallId::ImportanceSampling, {}},
        {"tis(1.25)", model::CallId::TruncatedIs, {1.25}},
        {"\"mis(0.5, 2)\"", model::CallId::MaskedIs, {0.5, 2}},
        {"clip(0.2)", model::CallId::Clip, {0.2}},
        {"\"ppo(0.2, 0.3)\"", model::CallId::Ppo, {0.2, 0.3}}};
    static const std::vector<std::pair<const char*, model::Estimator>> estimators{
        {"step", model::Estimator::Step},
        {"token", model::Estimator::Token},
        {"token_mc", model::Estimator::TokenMonteCarlo},
        {"sequence", model::Estimator::Sequence}};
    const Named& correction = dice_.pick(corrections);
    const auto& estimator = dice_.pick(estimators);
    out_.setting.correction = correction.id;
    out_.setting.arguments = correction.arguments;
    out_.setting.estimator = estimator.second;
    out_.setting.reward = 1;
    out_.setting.stepReward = 2;
    out_.setting.discount = 0.9;
    out_.setting.gradient = 6;
    return fmt::format("assumptions: {{ {}reward: [0, 1], step_reward: [-1, 1], discount: 0.9, "
                       "advantage: 3, score_norm: 2, estimator: {}, correction: {} }}\n",
                       support, estimator.first, correction.text);
  }

  std::string slices() {
    out_.shares = {1};
    if (!dice_.chance(0.2))
      return {};
    bool isWhole = dice_.chance();
    out_.shares = isWhole ? std::vector<double>{0.25, 0.75} : std::vector<double>{0.25, 0.5, 0.25};
    return fmt::format("labels: {{ task: [math, code] }}\nslices:\n  math: {{ when: task == "
                       "\"math\", weight: 25% }}\n"
                       "  code: {{ when: task == \"code\", weight: {} }}\n",
                       isWhole ? "75%" : "50%");
  }

  std::string clause() {
    static const std::vector<std::string> rows{
        "logit_linf", "logit_osc",      "logit_osc",      "logit_l2", "logprob_linf", "tv",
        "hellinger",  "kl_train_infer", "kl_infer_train", "js",       "chi2"};
    static const std::vector<std::string> sampled{"p99(abs(logprob_gap))",
                                                  "max(abs(logprob_gap))",
                                                  "mean(abs(logprob_gap))",
                                                  "mean(tv_sampled)",
                                                  "mean(k1)",
                                                  "mean(k2)",
                                                  "mean(k3)",
                                                  "mean(seq_tv)",
                                                  "mean(abs(seq_log_ratio))",
                                                  "mean(veto(0.5))",
                                                  "mean(top1_flip)"};
    static const std::vector<std::string> aggregates{"max", "max", "max", "mean", "p90", "p99"};
    std::string scope = out_.shares.size() > 1 && dice_.chance(0.2) ? " on all" : "";
    if (dice_.chance(0.25))
      return fmt::format("{} <= {:.4f}{}", dice_.pick(sampled), dice_.sized(1e-3, 0.5), scope);
    std::string metric = dice_.pick(rows);
    bool isDrift = metric.starts_with("log");
    double size = isDrift                                        ? dice_.sized(0.01, 3)
                  : metric == "chi2" || metric.starts_with("kl") ? dice_.sized(1e-4, 1)
                                                                 : dice_.sized(1e-3, 0.6);
    return fmt::format("{}({}) <= {:.5f}{}", dice_.pick(aggregates), metric, size, scope);
  }

  std::string claim() {
    static const std::vector<std::string> claims{"tv <= 0.5",
                                                 "max(tv) <= 0.5",
                                                 "p90(tv) <= 0.5",
                                                 "kl_train_infer <= 0.5",
                                                 "max(kl_train_infer) <= 0.5",
                                                 "kl_infer_train <= 0.5",
                                                 "chi2 <= 0.5",
                                                 "max(chi2) <= 0.5",
                                                 "hellinger <= 0.5",
                                                 "js <= 0.5",
                                                 "max(ratio) <= 2",
                                                 "min(ratio) >= 0.5",
                                                 "ess >= 50%",
                                                 "entropy_gap <= 0.5",
                                                 "step_reward_drift <= 0.5",
                                                 "seq_tv <= 0.5",
                                                 "max(seq_tv) <= 0.5",
                                                 "seq_kl <= 0.5",
                                                 "seq_ess >= 50%",
                                                 "max(seq_ratio) <= 2",
                                                 "reward_drift <= 0.5",
                                                 "discounted_reward_drift <= 0.5",
                                                 "pg_bias <= 0.5",
                                                 "pg_bias <= 0.5"};
    return dice_.pick(claims);
  }

  Dice& dice_;
  Sampled out_;
  std::size_t vocabulary_ = 2;
};

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
        if (bound.measure.aggregate == Aggregate::Quantile)
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

  bool isAllowed(World& world) {
    for (Part& part : world.parts)
      for (Prompt& prompt : part.prompts)
        prompt.settle();
    return holds(world, sampled_.setting, contract_);
  }

  /// As much drift as the promises leave, first in all prompts alike, then in one after the other.
  bool fit(World& world) {
    auto raise = [&](const std::vector<Prompt*>& prompts) {
      auto isGood = [&](double scale) {
        for (Prompt* prompt : prompts)
          prompt->scale = scale;
        return isAllowed(world);
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
        prompt.scale = 0;
        all.push_back(&prompt);
      }
    bool isGreedy = all.size() > 1 && dice_.chance(0.3);
    if (!isGreedy && !raise(all))
      return false;
    for (std::size_t i = all.size(); all.size() > 1 && i-- > 0;)
      if (!raise({all[i]}))
        return false;
    return isAllowed(world);
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

std::size_t contractsToTry() {
  const char* asked = std::getenv("TIKC_FALSIFIER_CONTRACTS");
  constexpr std::size_t few = 2000;
  return asked ? std::stoul(asked) : few;
}

std::string show(const Target& target) {
  std::string out;
  for (const Part& part : target.world.parts)
    for (const Prompt& prompt : part.prompts)
      for (const Node& node : prompt.nodes) {
        out += fmt::format("\n  share {} weight {}:", part.share, prompt.weight);
        for (std::size_t i = 0; i < node.p.size(); ++i)
          out += fmt::format(" p {:.9g} q {:.9g} raw {:.9g} z {:.6g} z' {:.6g};", node.p[i],
                             node.q[i], node.raw[i], node.z[i], node.zi[i]);
      }
  return out;
}

/// Budgets that any bound meets, so that what is found is the bound itself.
void loosen(model::Contract& contract) {
  for (model::Claim& claim : contract.claims)
    for (model::Bound& bound : claim.bounds) {
      bool isLower = bound.comparator == model::Comparator::GreaterEqual;
      bound.limit = {isLower ? Rational(1) / 1'000'000'000
                             : Rational("1000000000000000000000000000000"),
                     model::Unit::None,
                     {},
                     {},
                     {}};
    }
}

/// The lemma that gave a bound, and what it carried. Carrying a supremum over to a mean is no bound
/// of its own.
std::string closing(const bounds::Derivation& facts, bounds::FactId id) {
  const bounds::Fact& fact = facts[id];
  if (!fact.lemma)
    return "as written";
  std::string name(fact.lemma->id);
  if ((name == "L-MEAN-SUP" || name == "L-QUANTILE-SUP") && !fact.premises.empty())
    return closing(facts, fact.premises.front());
  return fact.curve ? fmt::format("{} of {}", name, fact.curve->id) : name;
}

std::vector<Target> targetsOf(const model::Contract& contract, const bounds::Proof& proof) {
  std::vector<Target> out;
  for (const auto& entry : proof.entries) {
    if (!entry.decision.fact)
      continue;
    const bounds::Fact& fact = proof.factsOf(entry)[*entry.decision.fact];
    Target target;
    target.place = entry.decision.goal.place.slice;
    target.measure = &contract.claims[entry.decision.goal.claim].bounds[0].measure;
    target.lemma = closing(proof.factsOf(entry), *entry.decision.fact);
    target.bound = fact.bound.get_d();
    target.isLower = entry.decision.goal.lower;
    out.push_back(std::move(target));
  }
  return out;
}

TEST(Falsifier, NoWorldThatKeepsThePromisesPassesABound) {
  std::map<std::string, std::pair<double, int>> nearest;
  std::size_t bounds = 0;
  for (unsigned seed = 0; seed < contractsToTry(); ++seed) {
    Dice dice(seed);
    Sampled sampled = Generator(dice).take();
    Checked checked(sampled.text);
    ASSERT_EQ(checked.contracts().size(), 1u) << sampled.text;
    model::Contract contract = checked.contracts()[0];
    loosen(contract);
    bounds::Proof proof = bounds::prove(contract);
    std::vector<Target> targets = targetsOf(contract, proof);
    if (targets.empty())
      continue;
    bounds += targets.size();
    Adversary(dice, contract, sampled, targets).attack(8, 6);
    for (const Target& target : targets) {
      EXPECT_LE(target.nearest, 1 + 1e-8) << "seed " << seed << "\n"
                                          << sampled.text << target.lemma << " bounds "
                                          << metrics::info(target.measure->claim).symbol << " by "
                                          << target.bound << " at " << target.place << show(target);
      auto& [best, count] = nearest[target.lemma];
      best = std::max(best, target.nearest);
      ++count;
    }
  }
  EXPECT_GT(bounds, contractsToTry() / 2);
  // Else the adversary is too weak to show anything.
  EXPECT_GT(nearest["L-TV-OSC"].first, 0.999);
  EXPECT_GT(nearest["L-KL-OSC"].first, 0.999);
  for (const auto& [lemma, found] : nearest)
    fmt::print("{:32} {:6} times, at most {:.6f} of it\n", lemma, found.second, found.first);
}

/// The world that a witness describes, token by token; nothing where that is too large a tree.
std::optional<World> worldOf(const bounds::Witness& witness, std::size_t slices) {
  World out;
  out.tokens = witness.copies[0] + witness.copies[1];
  out.depth = witness.steps;
  constexpr double mostNodes = 4000;
  if (std::pow(static_cast<double>(out.tokens), static_cast<double>(out.depth)) > mostNodes)
    return std::nullopt;
  Part part;
  for (const bounds::Witness::Kind& kind : witness.kinds) {
    Node node;
    for (std::size_t i = 0; i < 2; ++i)
      for (unsigned long copy = 0; copy < witness.copies[i]; ++copy) {
        double train = kind.train[i].get_d(), infer = kind.infer[i].get_d();
        node.middle.push_back(infer);
        node.drift.push_back(train - infer);
      }
    node.trainPart = 1;
    node.kept.assign(out.tokens, 1);
    std::size_t count = 0, level = 1;
    for (std::size_t i = 0; i < out.depth; ++i, level *= out.tokens)
      count += level;
    Prompt prompt{kind.weight.get_d(), 1, std::vector<Node>(count, node)};
    prompt.settle();
    part.prompts.push_back(std::move(prompt));
  }
  out.parts.assign(slices, part);
  return out;
}

/// Sets the budgets to their bounds times a factor; a claim without a bound keeps a loose one.
void budget(model::Contract& contract, const bounds::Proof& loose, const Rational& factor) {
  for (const auto& entry : loose.entries) {
    const bounds::Decision& decision = entry.decision;
    if (!decision.fact)
      continue;
    const Rational& bound = loose.factsOf(entry)[*decision.fact].bound;
    contract.claims[decision.goal.claim].bounds[0].limit.value =
        decision.goal.lower ? Rational(bound / factor) : Rational(bound * factor);
  }
}

/// The place may have a worse bound than the last one, which the budget was taken from.
bool isProvedBy(const bounds::Proof& proof, const bounds::Goal& goal) {
  return std::any_of(proof.entries.begin(), proof.entries.end(), [&](const auto& entry) {
    const bounds::Goal& known = entry.decision.goal;
    if (known.claim != goal.claim || !(known.place == goal.place) || !entry.decision.fact)
      return false;
    return bounds::meets(goal, proof.factsOf(entry)[*entry.decision.fact]);
  });
}

TEST(Falsifier, WitnessesBreakClaimsAndProofsHaveNone) {
  std::size_t checked = 0;
  constexpr std::size_t share = 20; // what is done here takes longer
  for (unsigned seed = 0; seed < contractsToTry() / share; ++seed) {
    Dice dice(seed);
    Sampled sampled = Generator(dice).take();
    Checked parsed(sampled.text);
    ASSERT_EQ(parsed.contracts().size(), 1u) << sampled.text;
    model::Contract contract = parsed.contracts()[0];
    loosen(contract);
    bounds::Proof loose = bounds::prove(contract);
    budget(contract, loose, Rational(80 + dice.roll(20)) / 100);
    for (const auto& entry : bounds::prove(contract).entries) {
      const bounds::Goal& goal = entry.decision.goal;
      auto world = entry.decision.witness ? worldOf(*entry.decision.witness, sampled.shares.size())
                                          : std::nullopt;
      if (!world)
        continue;
      ++checked;
      const model::Bound& bound = contract.claims[goal.claim].bounds[0];
      EXPECT_TRUE(holds(*world, sampled.setting, contract)) << "seed " << seed << "\n"
                                                            << sampled.text;
      double value =
                 claimed(*world, partsOf(*world, goal.place.slice), sampled.setting, bound.measure),
             limit = bound.limit.value.get_d();
      EXPECT_GT(goal.lower ? limit : value, goal.lower ? value : limit)
          << "seed " << seed << "\n"
          << sampled.text << metrics::info(bound.measure.claim).symbol;
    }
    budget(contract, loose, Rational(1) + Rational(1) / 1'000'000);
    for (const bounds::Goal& goal : bounds::pose(contract, bounds::firstPrecision).goals)
      EXPECT_FALSE(isProvedBy(loose, goal) &&
                   bounds::findWitness(contract, goal, bounds::firstPrecision))
          << "seed " << seed << "\n"
          << sampled.text;
  }
  EXPECT_GT(checked, contractsToTry() / share / 2);
}

} // namespace
} // namespace tikc::tests
