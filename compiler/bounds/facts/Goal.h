#pragma once

#include "bounds/facts/Facts.h"

namespace tikc::bounds {

/// One inequality that a claim requires at one place.
struct Goal {
  std::size_t claim = 0;  // index of the claim in the contract
  std::size_t bound = 0;  // index of the bound in the claim
  std::optional<Key> key; // the quantity to bound; empty if tikc has no such bound
  Place place;
  Rational budget;
  std::optional<Exactly> exactly; // the exact budget, if it was rounded
  bool strict = false;
  bool lower = false; // whether the budget is a lower limit
};

} // namespace tikc::bounds
