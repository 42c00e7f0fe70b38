#pragma once

#include "bounds/prove/Closings.h"
#include "bounds/prove/Solver.h"

#include <map>
#include <memory>
#include <vector>

namespace tikc::bounds {

/// Results of earlier proofs, for contracts that differ little: a text while it is edited, or many
/// contracts with one base. It never changes an answer. Belongs to one thread.
class ProofCache {
public:
  ProofCache();
  ~ProofCache();

  /// The results at one precision.
  struct PrecisionResults {
    std::shared_ptr<Results> results = std::make_shared<Results>();
    Closings closings;
  };
  /// Returns the results for a new decision.
  PrecisionResults& at(unsigned bits);
  /// Returns Solver::advise() for the one goal.
  Advice advise(const WhatIf& whatIf);

private:
  struct Answers;

  std::map<unsigned, PrecisionResults> found_;
  std::unique_ptr<Answers> answers_;
};

Proof prove(const model::Contract& contract, ProofCache& cache);

} // namespace tikc::bounds
