#pragma once

#include "bounds/prove/Engine.h"

namespace tikc::bounds {

/// Clauses that no kernels keep together: the fewest of them, and what the others leave of the
/// last.
struct Conflict {
  std::vector<ClauseBound> parts; // the last is the one that asks for too much
  /// What follows of its quantity from the others, or from what every kernel keeps; nothing where
  /// the two ask for what is plainly apart.
  std::optional<Rational> bound;
  bool isUpper = true; // of `bound`
};

/// Every clause that cannot be kept beside the others, once; `closed` is what the engine made of
/// what was posed.
std::vector<Conflict> findConflicts(const model::Contract& contract, const Problem& posed,
                                    const Engine& engine, Problem& closed);

} // namespace tikc::bounds
