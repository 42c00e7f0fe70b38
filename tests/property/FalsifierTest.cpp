#include "property/Bounded.h"
#include "property/Parsed.h"
#include "support/Efforts.h"

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

/// Long runs are made in parts.
unsigned firstToTry() {
  const char* asked = std::getenv("TIKC_FALSIFIER_FIRST");
  return asked ? static_cast<unsigned>(std::strtoul(asked, nullptr, 10)) : 0;
}

TEST(Falsifier, NoWorldThatKeepsThePromisesPassesABound) {
  std::map<std::string, std::pair<double, int>> nearest;
  std::size_t bounds = 0, worlds = 0, barren = 0;
  for (unsigned seed = firstToTry(); seed < firstToTry() + contractsToTry(); ++seed) {
    Dice dice(seed);
    Sampled sampled = Generator(dice).take();
    Parsed parsed(sampled.text);
    ASSERT_EQ(parsed.errors(), "") << sampled.text;
    model::Contract contract = parsed.contract();
    loosen(contract);
    std::vector<Target> targets = targetsOf(contract, Bounded(contract));
    if (targets.empty())
      continue;
    bounds += targets.size();
    Adversary adversary(dice, contract, sampled, targets);
    adversary.attack(8, 6);
    worlds += adversary.worlds();
    barren += adversary.worlds() == 0;
    for (const Target& target : targets) {
      EXPECT_LE(target.nearest, 1 + 1e-8)
          << "seed " << seed << "\n"
          << sampled.text << target.lemma << " bounds " << model::info(target.measure->claim).symbol
          << " by " << target.bound << " at " << target.slice << show(target);
      auto& [best, count] = nearest[target.lemma];
      best = std::max(best, target.nearest);
      ++count;
    }
  }
  fmt::print("{} bounds, {} worlds, {} contracts without\n", bounds, worlds, barren);
  EXPECT_GT(bounds, contractsToTry() / 2);
  // Else the adversary is too weak to show anything.
  EXPECT_GT(nearest["L-TV-OSC"].first, 0.999);
  EXPECT_GT(nearest["L-KL-OSC"].first, 0.999);
  for (const auto& [lemma, found] : nearest)
    fmt::print("{:32} {:6} times, at most {:.6f} of it\n", lemma, found.second, found.first);
}

/// The world that a witness describes, token by token; nothing where that is too large a tree.
std::optional<World> worldOf(const bounds::Witness& witness, const Setting& setting) {
  World out;
  out.tokens = witness.copies[0] + witness.copies[1];
  if (out.tokens > mostTokens || witness.steps > mostDepth)
    return std::nullopt;
  Part part;
  for (const bounds::Witness::Kind& kind : witness.kinds) {
    Node node;
    std::size_t token = 0;
    for (std::size_t i = 0; i < 2; ++i)
      for (unsigned long copy = 0; copy < witness.copies[i]; ++copy, ++token)
        for (std::size_t k = 0; k < setting.kernels.size(); ++k)
          node.of[k].drift[token] = (k < witness.split ? kind.train : kind.infer)[i].get_d();
    node.words.fill(1.0 / static_cast<double>(out.tokens));
    Prompt prompt;
    prompt.weight = kind.weight.get_d();
    prompt.length = witness.steps;
    prompt.nodes.assign(nodesOf(out, witness.steps), node);
    part.prompts.push_back(std::move(prompt));
  }
  for (const Setting::Slice& slice : setting.slices) {
    part.share = slice.share;
    out.parts.push_back(part);
  }
  for (Part& each : out.parts)
    for (Prompt& prompt : each.prompts)
      settle(out, setting, each, prompt, 1);
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
    Parsed parsed(sampled.text);
    model::Contract contract = parsed.contract();
    loosen(contract);
    Bounded loose(contract);
    budget(contract, loose, Rational(80 + dice.roll(20)) / 100);
    for (const auto& entry : bounds::prove(contract).entries) {
      const bounds::Goal& goal = entry.decision.goal;
      auto world =
          entry.decision.witness ? worldOf(*entry.decision.witness, sampled.setting) : std::nullopt;
      if (!world)
        continue;
      ++checked;
      const model::Bound& bound = contract.claims[goal.claim].bounds[0];
      EXPECT_TRUE(holds(*world, sampled.setting, contract)) << "seed " << seed << "\n"
                                                            << sampled.text;
      double value = claimed(*world, sampled.setting,
                             populationOf(*world, sampled.setting, goal.place.slice), bound.measure,
                             linkOf(contract, contract.claims[goal.claim]), goal.lower),
             limit = bound.limit.value.get_d();
      EXPECT_GT(goal.lower ? limit : value, goal.lower ? value : limit)
          << "seed " << seed << "\n"
          << sampled.text << model::info(bound.measure.claim).symbol;
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
