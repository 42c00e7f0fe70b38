#pragma once

#include "explain/Explanation.h"

/// From the facts of a proof to the steps that are told.
namespace tikc::explain {

/// What the parts of a contract are called, and where they stand.
class Guide {
public:
  Guide(const SourceManager& sources, const model::Contract& contract)
      : sources_(sources), contract_(contract) {}

  std::optional<Spot> spot(const Span& span) const;
  Ground ground(const bounds::Origin& origin) const;
  /// How the numbers of an input are written: as in its clause, bits as nats.
  Notation notation(const bounds::Fact& input) const;
  /// Its curve apart.
  Reach reach(const bounds::Leeway& leeway) const;

private:
  const SourceManager& sources_;
  const model::Contract& contract_;
};

struct Told {
  std::vector<ChainStep> steps;
  std::vector<Ground> conditions;
};

/// The derivation of one fact, the fact itself first. Steps that change no number are folded.
Told tellDerivation(const Guide& guide, const bounds::Problem& problem, bounds::FactId fact);

} // namespace tikc::explain
