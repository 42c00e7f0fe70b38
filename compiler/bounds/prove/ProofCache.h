#pragma once

#include "bounds/prove/Closings.h"
#include "bounds/prove/Solver.h"

#include <map>
#include <memory>
#include <vector>

namespace tikc::bounds {

/// What was found out before, for contracts that differ little from those before: a text that is
/// being edited, a fleet with one base. Nothing in it changes an answer. One belongs to one thread.
class ProofCache {
public:
  ProofCache();
  ~ProofCache();

  /// What was found at one precision.
  struct Found {
    std::shared_ptr<Results> results = std::make_shared<Results>();
    Closings closings;
  };
  /// For a decision that begins.
  Found& at(unsigned bits);
  /// As Solver::advise() on the one goal.
  Advice advise(const WhatIf& whatIf);

private:
  struct Answers;

  std::map<unsigned, Found> found_;
  std::unique_ptr<Answers> answers_;
};

Proof prove(const model::Contract& contract, ProofCache& cache);

} // namespace tikc::bounds
