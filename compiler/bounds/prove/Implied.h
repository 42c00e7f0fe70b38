#pragma once

#include "bounds/prove/Engine.h"

namespace tikc::bounds {

/// A comparison that follows from other clauses, wherever it is asked: kernels that keep those keep
/// it.
struct Implied {
  ClauseBound stated;
  std::vector<ClauseBound> from;
  Rational follows; // on the slice where it is the closest to the limit
  bool isUpper = true;
};

/// Every such comparison of one side; `closed` is what the engine made of the problem.
std::vector<Implied> findImplied(const model::Contract& contract, const Engine& engine,
                                 const Problem& closed);

/// The goals that are met whatever the clauses say, by their place among the problem's.
std::vector<std::size_t> findUnconditional(const Problem& posed, std::shared_ptr<Results> results,
                                           Closings& closings);

} // namespace tikc::bounds
