#pragma once

#include "bounds/prove/Solver.h"

#include <map>
#include <memory>
#include <vector>

namespace tikc::bounds {

/// What was found out before, for contracts that differ little from those before: a text that is
/// being edited, a fleet with one base. Nothing in it changes an answer. One belongs to one thread.
class Recollection {
public:
  Recollection();
  ~Recollection();

  /// What lemmas gave at one precision.
  std::shared_ptr<Memory> at(unsigned bits);
  /// As Solver::advise() on the one goal.
  Advice advise(const WhatIf& whatIf);

private:
  struct Known;

  std::map<unsigned, std::shared_ptr<Memory>> memories_;
  std::unique_ptr<Known> known_;
};

Proof prove(const model::Contract& contract, Recollection& recollection);

} // namespace tikc::bounds
