#pragma once

#include "property/Adversary.h"

#include "bounds/prove/Engine.h"
#include "bounds/prove/Prover.h"

/// What the prover bounds, as targets for an adversary.
namespace tikc::tests {

/// Budgets that any bound meets, so that what is found is the bound itself.
inline void loosen(model::Contract& contract) {
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
inline std::string closing(const bounds::Derivation& facts, bounds::FactId id) {
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

inline std::vector<Target> targetsOf(const model::Contract& contract, const Bounded& bounded) {
  std::vector<Target> out;
  for (const auto& [goal, fact] : bounded.goals) {
    Target target;
    target.slice = goal.place.slice;
    target.link = linkOf(contract, contract.claims[goal.claim]);
    target.measure = &contract.claims[goal.claim].bounds[0].measure;
    target.lemma = closing(bounded.problem.facts, fact);
    target.bound = bounded.problem.facts[fact].bound.get_d();
    target.isLower = goal.lower;
    out.push_back(std::move(target));
  }
  return out;
}

inline std::string show(const Target& target) {
  std::string out;
  for (const Part& part : target.world.parts)
    for (const Prompt& prompt : part.prompts)
      for (const Node& node : prompt.nodes) {
        out += fmt::format("\n  share {} weight {} length {}{} temperature {}:", part.share,
                           prompt.weight, prompt.length, prompt.canEnd ? " or ended" : "",
                           part.temperature.value_or(-1));
        for (std::size_t i = 0; i < target.world.tokens; ++i) {
          out += fmt::format("\n    text {:.6g}", node.words[i]);
          for (const Laws& laws : node.of)
            out += fmt::format(" | z {:.6g}{} whole {:.9g} served {:.9g}", laws.logits[i],
                               laws.masks(i) ? " masked" : "", laws.whole[i], laws.served[i]);
        }
      }
  return out;
}

} // namespace tikc::tests
