#pragma once

#include "explain/Explanation.h"

/// Turns the facts of a proof into the steps of an explanation.
namespace tikc::explain {

/// The names and places of a contract's parts.
class Guide {
public:
  Guide(const SourceManager& sources, const model::Contract& contract)
      : sources_(sources), contract_(contract) {}

  std::optional<Spot> spot(const Span& span) const;
  Ground ground(const bounds::Origin& origin) const;
  /// Returns how to write the numbers of an input: as in its clause, with bits as nats.
  Notation notation(const bounds::Fact& input) const;
  /// Returns a reach without its curve.
  Reach reach(const bounds::Leeway& leeway) const;

private:
  const SourceManager& sources_;
  const model::Contract& contract_;
};

struct DerivationSteps {
  std::vector<ChainStep> steps;
  std::vector<Ground> conditions;
};

/// Returns the derivation of a fact, which comes first. Steps that change no number are folded into
/// others.
DerivationSteps tellDerivation(const Guide& guide, const bounds::Problem& problem,
                               bounds::FactId fact);

} // namespace tikc::explain
