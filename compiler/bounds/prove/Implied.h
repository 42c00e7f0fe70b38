#pragma once

#include "bounds/prove/Engine.h"

namespace tikc::bounds {

/// A comparison that other clauses imply, on all its slices.
struct ImpliedBound {
  ClauseBound stated;
  std::vector<ClauseBound> from;
  Rational follows; // on the slice with the least distance to the limit
  bool isUpper = true;
};

/// Returns every one-sided comparison that is implied. `closed` is the problem after Engine::run().
std::vector<ImpliedBound> findImplied(const model::Contract& contract, const Engine& engine,
                                      const Problem& closed);

/// Returns the indices of goals that hold without any clause.
std::vector<std::size_t> findUnconditional(const Problem& problem, std::shared_ptr<Results> results,
                                           Closings& closings);

} // namespace tikc::bounds
