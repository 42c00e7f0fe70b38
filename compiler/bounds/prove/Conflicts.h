#pragma once

#include "bounds/prove/Engine.h"

namespace tikc::bounds {

/// A smallest set of clauses that no kernels can satisfy together.
struct Conflict {
  std::vector<ClauseBound> parts; // the last one contradicts the others
  /// The bound on the last part's quantity from the other parts, or from any kernels. Nothing if
  /// the contradiction is obvious from the text.
  std::optional<Rational> bound;
  bool isUpper = true; // of `bound`
};

/// Returns each clause that contradicts others, once. `closed` is `problem` after Engine::run().
std::vector<Conflict> findConflicts(const model::Contract& contract, const Problem& problem,
                                    const Engine& engine, Problem& closed);

} // namespace tikc::bounds
