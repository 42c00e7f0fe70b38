#pragma once

#include "bounds/facts/Facts.h"

namespace tikc::bounds {

/// One inequality that a claim asks for, at one place.
struct Goal {
  std::size_t claim = 0;  // index into the contract's claims
  std::size_t bound = 0;  // index into the claim's bounds
  std::optional<Key> key; // what has to be bounded; nothing where tikc has no bound of that kind
  Place place;
  Rational budget;
  std::optional<Exactly> exactly; // of the budget
  bool strict = false;
  bool lower = false; // the budget is a lower limit
};

} // namespace tikc::bounds
