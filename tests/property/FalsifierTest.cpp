#include "property/Adversary.h"
#include "support/Efforts.h"

#include "bounds/prove/Engine.h"
#include "bounds/prove/Prover.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

namespace tikc::tests {
namespace {

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

/// What the prover bounds, whatever the budgets.
struct Bounded {
  bounds::Problem problem;
  std::vector<std::pair<bounds::Goal, bounds::FactId>> goals;

  explicit Bounded(const model::Contract& contract)
      : problem(bounds::pose(contract, bounds::firstPrecision)) {
    bounds::Engine engine(problem);
    engine.run();
    for (const bounds::Goal& goal : problem.goals)
      if (auto fact = goal.key ? engine.best(*goal.key, goal.place) : std::nullopt)
        goals.emplace_back(goal, *fact);
  }
};

std::vector<Target> targetsOf(const model::Contract& contract, const Bounded& bounded) {
  std::vector<Target> out;
  for (const auto& [goal, fact] : bounded.goals) {
    Target target;
    target.place = goal.place.slice;
    target.measure = &contract.claims[goal.claim].bounds[0].measure;
    target.lemma = closing(bounded.problem.facts, fact);
    target.bound = bounded.problem.facts[fact].bound.get_d();
    target.isLower = goal.lower;
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
    std::vector<Target> targets = targetsOf(contract, Bounded(contract));
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
    prompt.setScale(1);
    part.prompts.push_back(std::move(prompt));
  }
  out.parts.assign(slices, part);
  return out;
}

/// Sets the budgets to their bounds times a factor; a claim without a bound keeps a loose one.
void budget(model::Contract& contract, const Bounded& bounded, const Rational& factor) {
  for (const auto& [goal, fact] : bounded.goals) {
    const Rational& bound = bounded.problem.facts[fact].bound;
    contract.claims[goal.claim].bounds[0].limit.value =
        goal.lower ? Rational(bound / factor) : Rational(bound * factor);
  }
}

/// The place may have a worse bound than the last one, which the budget was taken from.
bool isProvedBy(const Bounded& bounded, const bounds::Goal& goal) {
  return std::any_of(bounded.goals.begin(), bounded.goals.end(), [&](const auto& known) {
    return known.first.claim == goal.claim && known.first.place == goal.place &&
           bounds::meets(goal, bounded.problem.facts[known.second]);
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
    Bounded loose(contract);
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
    for (const bounds::Goal& goal : bounds::pose(contract, bounds::firstPrecision).goals) {
      std::size_t effort = efforts.searching;
      EXPECT_FALSE(isProvedBy(loose, goal) &&
                   bounds::findWitness(contract, goal, bounds::firstPrecision, effort))
          << "seed " << seed << "\n"
          << sampled.text;
    }
  }
  EXPECT_GT(checked, contractsToTry() / share / 2);
}

} // namespace
} // namespace tikc::tests
